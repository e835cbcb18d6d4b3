/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* path_events.h: events of sampled packets (--stages), which path.bpf.c passes to the recorder. */
#ifndef NETCOST_PATH_EVENTS_H
#define NETCOST_PATH_EVENTS_H

#include <netcost/stages.h>

#include "types.h"

/* An event in the ring buffer. */
struct netcost_stage_event {
	__u64 at_ns;
	__u64 packet;
	__u32 netns, ifindex; /* network namespace and interface of the event; 0: unknown */
	__u32 flow;	      /* hash of the flow, only in a packet's first event; 0: unknown */
	/* DROPPED: drop reason; events with a netfilter table: the recorder's number of the table */
	__u32 reason;
	__u32 cpu;
	__u8 stage, first;
	/* family and hook of netfilter; family is 0 if this is not a netfilter event */
	__u8 family, hook;
};

/* A netfilter event, together with the name of its table. */
#define NETCOST_STAGE_TABLE 32
struct netcost_stage_table_event {
	struct netcost_stage_event event;
	char table[NETCOST_STAGE_TABLE];
};

/* The flow of a packet, which its first event contains if addresses may be recorded. */
struct netcost_stage_flow {
	__u8 from[16], to[16];	  /* addresses; IPv4 uses the first four bytes */
	__u16 from_port, to_port; /* ports in network byte order */
	__u8 version;		  /* IP version 4 or 6; 0: the flow is unknown */
	__u8 protocol;
	__u8 has_ports, unused;
};

/* A packet's first event, together with the packet's flow. The table's name is empty if the event has no table. */
struct netcost_stage_flow_event {
	struct netcost_stage_table_event of;
	struct netcost_stage_flow whose;
};

#define NETCOST_STAGE_RING (16u << 20) /* size of the ring, bytes */

#endif
