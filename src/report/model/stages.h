/* SPDX-License-Identifier: BSD-2-Clause */
/* stages.h: packets' ways through the host (record --stages), put together from what happened: by path, from stage to stage. */
#ifndef NETCOST_REPORT_STAGES_H
#define NETCOST_REPORT_STAGES_H

#include <netcost/idmap.h>
#include <netcost/stages.h>

#include "model.h"

/*
 * What became of a packet.
 *
 *	ENUM		key		title
 */
#define STAGES_PATHS(X)                                                                            \
	X(SOCKET, "socket", "received, and read from a socket")                                    \
	X(LOCAL, "local", "sent and received on this host")                                        \
	X(FORWARDED, "forwarded", "received, and sent on")                                         \
	X(SENT, "sent", "sent")                                                                    \
	X(USED, "used", "received, and used by the kernel itself")                                 \
	X(SPLIT, "split", "split into others")                                                     \
	X(DROPPED, "dropped", "dropped")                                                           \
	X(CLONES, "clones", "clones that went no further")

enum stages_path {
#define X(name, key, title) STAGES_##name,
	STAGES_PATHS(X)
#undef X
		STAGES_PATH_COUNT
};

/* From a stage to the next one. */
struct stages_step {
	enum stages_path path;
	enum netcost_stage from, to;
	struct dist times;
	double begun_ns; /* sum of when, since the packets' first stage */
};

/* Of packets, by path. */
struct stages_times {
	struct dist whole[STAGES_PATH_COUNT];
	struct stages_step *step;
	size_t nsteps, step_room;
};

/*
 * What times can be told apart by, besides: where a step begins, as far as that is known, or whose packet it is. Of a
 * place the whole is the time that a packet spent there.
 *
 *	ENUM		key
 */
#define STAGES_BYS(X)                                                                              \
	X(INTERFACE, "interface")                                                                  \
	X(NETNS, "netns")                                                                          \
	X(FLOW, "flow")

enum stages_by {
#define X(name, key) STAGES_BY_##name,
	STAGES_BYS(X)
#undef X
		STAGES_BY_COUNT
};

#define STAGES_KEYS 1024      /* so many are kept apart … */
#define STAGES_KEY_STEPS 8192 /* … with so many steps, and wholes, in all; others are in the rest */

struct stages_key {
	enum netcost_latency_which which;
	uint32_t netns, ifindex, flow; /* of one, as far as they tell it apart */
	model_str name;		       /* of the interface; "": not known */
	struct stages_addresses {
		bool known;
		model_str from, to;
		uint64_t protocol, from_port, to_port; /* TRACE_NIL: not known */
	} addresses;				       /* of the flow */
	struct stages_times times;
};

#define STAGES_REASONS 64 /* are told apart */
struct stages_reason {
	model_str name; /* "": not known, or there were too many */
	uint64_t packets;
};

/* A hook of netfilter, and a table that packets go through there. */
#define STAGES_RULES 64 /* are told apart */
struct stages_rule {
	enum netcost_stage stage;
	model_str hook, table; /* "": not known, or all; hook: "": there were too many */
	struct dist times;     /* until the packet's next stage */
};

struct model_stages {
	bool counted;		/* of this it is told: */
	uint64_t every;		/* one packet in so many */
	uint64_t packets;	/* that began their way, in the sample or not */
	uint64_t full, evicted; /* of the sample, but not to its end */

	uint64_t events;
	uint64_t begun;				  /* packets of the sample */
	uint64_t finished[STAGES_PATH_COUNT];	  /* these have times */
	uint64_t unfinished[NETCOST_STAGE_COUNT]; /* the others, by their last stage */
	uint64_t before;     /* what happened to packets whose begin is not here */
	uint64_t impossible; /* packets: one stage cannot come after the other */
	uint64_t too_long;   /* packets with more stages than are kept */
	struct stages_times all;
	struct stages_reason reason[STAGES_REASONS];
	size_t nreasons;
	struct stages_rule rule[STAGES_RULES];
	size_t nrules;
	/* With MODEL_STAGES_BY; the first ones are those that are not known, and the rest. */
	enum stages_by by;
	struct stages_key *key;
	size_t nkeys, key_room, key_steps;

	struct idmap key_id;	  /* places in key, and one more */
	struct stages_open *open; /* packets that are on their way: model_stages.c */
};

#endif
