/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* peers.h: the map of peers, which the programs of peers.bpf.c share with the recorder. */
#ifndef NETCOST_PEERS_H
#define NETCOST_PEERS_H

#include "types.h"

enum netcost_peer_class {
	NETCOST_PEER_OTHERS, /* the row of all peers for which the map has no room */
	NETCOST_PEER_UNCONNECTED,
	NETCOST_PEER_LOOPBACK,
	NETCOST_PEER_PRIVATE,
	NETCOST_PEER_LINK_LOCAL,
	NETCOST_PEER_MULTICAST,
	NETCOST_PEER_GLOBAL,
	NETCOST_PEER_CLASSES
};

/* A key has no padding, because all of its bytes are compared. The key of the row NETCOST_PEER_OTHERS is all zeros. */
struct netcost_peer_key {
	__u32 address[4]; /* big-endian; zeros if addresses are not stored. IPv4: ::ffff:a.b.c.d */
	__u16 port, protocol;
	__u8 class, is_remote; /* is_remote: set if the port is the peer's port */
	__u8 unused[2];
};

struct netcost_peer {
	__u64 sends, recvs, send_bytes, recv_bytes;
};

/* State of a CPU, with a cache line of its own. */
struct netcost_peers_cpu {
	/* number of runs of these programs; a run that interrupts the addition may be missing */
	__u64 runs;
	__u64 unused[7];
};

#endif
