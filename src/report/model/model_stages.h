/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_stages.h: packet paths (record --stages): put together from the stages of each packet,
 * then summed up in stores.
 *
 *   1. The steps of a path sum to the time of its packets, to the nanosecond: stages_add_up().
 *   2. A packet is in one of: finished, unfinished, impossible, too_long.
 *   3. Memory is bounded: there are limits for packets in flight, keys, and the rows of all keys; everything beyond
 *      them is in the rest.
 */
#ifndef NETCOST_REPORT_MODEL_STAGES_H
#define NETCOST_REPORT_MODEL_STAGES_H

#include <netcost/idmap.h>
#include <netcost/stages.h>

#include "model.h"

/*
 * The path of a packet.
 *
 *	ENUM		key		title
 */
#define STAGES_PATHS(X)                                                                            \
	X(SOCKET, "socket", "received, and read from a socket")                                    \
	X(LOCAL, "local", "sent and received on this host")                                        \
	X(FORWARDED, "forwarded", "received, and forwarded")                                       \
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

/* What packets are grouped by: the place where a step begins, if known, or their flow. */
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

extern const char *const stages_keys[],
	*const stages_what[], *const stages_path_keys[],
				      *const stages_path_titles[],
					      *const stages_by_names[]; /* NULL-terminated */

/* Dims and value of MODEL_STORE_STEPS: steps of the packets of a path and key, from one stage to the next. */
enum { STAGES_STEP_PATH = 1, STAGES_STEP_KEY, STAGES_STEP_FROM, STAGES_STEP_TO, STAGES_STEP_BEGUN };
#define STAGES_WHOLE                                                                               \
	NETCOST_STAGE_COUNT /* values of from and to: the whole path, or a key's part of it */

/*
 * Dims of MODEL_STORE_RULES: the netfilter hooks, and the tables that packets pass there ("":
 * unknown, or all), until the next stage.
 */
enum { STAGES_RULE_STAGE = 1, STAGES_RULE_HOOK, STAGES_RULE_TABLE };
#define STAGES_RULES 64 /* rows, without the rest row of each stage */

/* Dims and value of MODEL_STORE_DROPPED: packets by drop reason; "": unknown. */
enum { STAGES_DROPPED_REASON = 1, STAGES_DROPPED_PACKETS };
#define STAGES_REASONS 64 /* rows, including the rest */

extern const struct store_query model_steps_query, model_rules_query, model_dropped_query;

/* Keys of steps. Those from STAGES_KEY_NOT_KNOWN on sum to STAGES_KEY_ALL. */
enum { STAGES_KEY_ALL, STAGES_KEY_NOT_KNOWN, STAGES_KEY_REST, STAGES_KEY_FIRST };
#define STAGES_KEYS 1024      /* largest number of separate keys */
#define STAGES_KEY_STEPS 8192 /* largest number of their rows; further ones are in the rest */

struct stages_key {
	enum netcost_latency_which which;
	uint32_t netns, ifindex, flow; /* the identity of a key, as far as its kind uses them */
	model_str name;		       /* of the interface; "": unknown */
	struct stages_addresses {
		bool known;
		model_str from, to;
		uint64_t protocol, from_port, to_port; /* TRACE_NIL: unknown */
	} addresses;				       /* of the flow */
};

struct model_stages {
	bool counted;		/* the trace has the following counters */
	uint64_t every;		/* one packet in this number is in the sample */
	uint64_t packets;	/* packets that began their path, in the sample or not */
	uint64_t full, evicted; /* packets of the sample that were lost: no room, or evicted */

	uint64_t events;
	uint64_t begun;				  /* packets of the sample */
	uint64_t finished[STAGES_PATH_COUNT];	  /* packets with times */
	uint64_t unfinished[NETCOST_STAGE_COUNT]; /* packets without times, by their last stage */
	uint64_t before;			  /* events of packets whose begin is missing */
	uint64_t impossible; /* packets with two stages that cannot follow each other */
	uint64_t too_long;   /* packets with more stages than are kept */
	/* With MODEL_STAGES_BY: indexed by the key's number. */
	enum stages_by by;
	struct stages_key *key;
	size_t nkeys, key_room, key_rows; /* key_rows: of the store */
	struct idmap key_id;		  /* from id to key number */

	struct stages_open *open; /* packets in flight */
};

/* A row of MODEL_STORE_STEPS. */
struct stages_row {
	size_t at; /* index in the store */
	enum stages_path path;
	unsigned int key, from, to;
	const struct dist *times;
	uint64_t packets;
	double begins_ns; /* mean time since the packets' first stage; INFINITY: the whole path */
	uint64_t whole_ns, key_ns; /* time of the path; of the path and key */
};

struct stages_rows {
	const struct model *m;
	struct stages_row *
		/* sorted by path, by key with the longest first, in the order of the path; the whole comes last */
		row;
	size_t n;
};

/* Makes all rows, with those of keys. -ENOMEM. */
int stages_rows_make(struct stages_rows *rows, const struct model *m);
void stages_rows_free(struct stages_rows *rows);
/* True if the steps of the path and of each key sum to the whole, and the keys sum to all, step by step. */
bool stages_add_up(const struct stages_rows *rows, enum stages_path path);
/* Returns the row of all packets of a path in MODEL_STORE_STEPS, or -1. */
ptrdiff_t stages_whole_row(const struct model *m, enum stages_path path);
/* Return the number of packets of the sample that reached their end, and of those that did not. */
double stages_finished(const struct model_stages *s);
double stages_unfinished(const struct model_stages *s);

#endif
