/* SPDX-License-Identifier: BSD-2-Clause */
/* stages.h: packets' ways through the host (record --stages), put together from what happened: by path, from stage to stage. */
#ifndef NETCOST_REPORT_STAGES_H
#define NETCOST_REPORT_STAGES_H

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
	X(SPLIT, "split", "split into others before it was sent")                                  \
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
	struct model_latency times;
	double begun_ns; /* sum of when, since the packets' first stage */
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
	model_str hook, table;	    /* "": not known, or all; hook: "": there were too many */
	struct model_latency times; /* until the packet's next stage */
};

struct model_stages {
	struct {
		bool defined; /* the trace says how it is seen */
		model_str rung, why;
		struct model_strs hooks;
	} point[NETCOST_STAGE_COUNT];
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
	struct model_latency whole[STAGES_PATH_COUNT];
	struct stages_step *step;
	size_t nsteps, step_room;
	struct stages_reason reason[STAGES_REASONS];
	size_t nreasons;
	struct stages_rule rule[STAGES_RULES];
	size_t nrules;

	struct stages_open *open; /* packets that are on their way: model_stages.c */
};

#endif
