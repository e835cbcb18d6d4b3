/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* stages.h: what stages.bpf.c and the recorder share in memory: packets that are on their way, and what happened to them. */
#ifndef NETCOST_BPF_STAGES_H
#define NETCOST_BPF_STAGES_H

#include <netcost/stages.h>

#include "latency.h"
#include "types.h"

/*
 * A packet has a word by the address of its sk_buff, as in latency.h, with a number of its own in place of the time. 0:
 * it is not one of the sample: but it is known where it is, so that it is not taken for a new one further on.
 */
enum netcost_way {
	NETCOST_WAY_NOT, /* the place is free */
	NETCOST_WAY_ENTERED,
	NETCOST_WAY_RECEIVED, /* by the receive core: what GRO adds to another packet never is */
	NETCOST_WAY_QUEUED,   /* sent, and not with the driver yet */
	NETCOST_WAY_DRIVER,
	NETCOST_WAY_RETURNED,
	NETCOST_WAY_TCP, /* freed unseen: only a reader of a TCP socket looks for it from here on */
	NETCOST_WAY_UDP,
};

/* Of a ring buffer. */
struct netcost_stage_event {
	__u64 at_ns;
	__u64 packet;
	__u32 netns, ifindex; /* 0: not known */
	__u32 flow;	      /* of a first one; 0: not known */
	__u32 reason;	      /* of DROPPED; of one with a table the recorder's number of that */
	__u32 cpu;
	__u8 stage, first;
	__u8 family, hook; /* of netfilter; family 0: it is none of it */
};

/* Likewise, of a table. */
#define NETCOST_STAGE_TABLE 32
struct netcost_stage_table_event {
	struct netcost_stage_event event;
	char table[NETCOST_STAGE_TABLE];
};

/* Of a packet's first event, where addresses may be told. */
struct netcost_stage_flow {
	__u8 from[16], to[16];	  /* of IPv4 the first four bytes */
	__u16 from_port, to_port; /* as the packet has them */
	__u8 version;		  /* of IP; 0: nothing is known */
	__u8 protocol;
	__u8 has_ports, unused;
};

/* Likewise; the table is empty if there is none. */
struct netcost_stage_flow_event {
	struct netcost_stage_table_event of;
	struct netcost_stage_flow whose;
};

#define NETCOST_STAGE_RING (16u << 20) /* bytes */

/* Of a CPU. Counts never fall. */
struct netcost_stages_cpu {
	__u64 packets;	/* began here, of the sample or not */
	__u64 full;	/* of the sample, but the ring had no room for what happened to them */
	__u64 evicted;	/* likewise, but another packet needed the place */
	__u64 received; /* the last packet that the receive core got */
	struct netcost_batch batch;
	/* What one program knows and the next one tells: what came between the two took its place. */
	__u64 tcp_sk, tcp_word, tcp_packet, tcp_end;
	__u64 driver_packet, driver_word;
};

/* What a UDP socket's next reader gets, as far as it is known: as in latency_udp.h. */
struct netcost_stages_next {
	__u64 packet;  /* 0: not known */
	__u64 word;    /* as it was then */
	__u64 read_ns; /* of a read: which packet it took is not known yet; 0: there is none */
};

#endif
