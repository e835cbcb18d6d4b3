/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path_events.h: what happened to packets of the sample (--stages), as path.bpf.c passes it to the recorder. */
#ifndef NETCOST_PATH_EVENTS_H
#define NETCOST_PATH_EVENTS_H

#include <netcost/stages.h>

#include "types.h"

/* Of a ring buffer. */
struct netcost_stage_event {
	__u64 at_ns;
	__u64 packet;
	__u32 netns, ifindex; /* 0: not known */
	__u32 flow;	      /* of a first one; 0: not known */
	__u32 reason;	      /* of DROPPED; of one with a table the recorder's number of that */
	__u32 cpu;
	__u8 stage, first;
	__u8 family, hook; /* of netfilter; family 0: the event is not netfilter's */
};

/* An event of netfilter, with its table. */
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

/* The same with the packet's flow; the table is empty if the event has none. */
struct netcost_stage_flow_event {
	struct netcost_stage_table_event of;
	struct netcost_stage_flow whose;
};

#define NETCOST_STAGE_RING (16u << 20) /* bytes */

#endif
