/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_stages.h: packet paths (record --stages). The path of each packet is put together from its stages, and the
 * paths are summed up in stores.
 *
 * 1. The steps of a path sum to the time of its packets, to the nanosecond: stages_add_up().
 * 2. A packet belongs to one of these groups: finished, unfinished, impossible, too_long.
 * 3. Memory is bounded. There are limits for packets in flight, for keys, and for the rows of all keys. Steps beyond
 * the limits are added to the rest.
 */
#ifndef NETCOST_REPORT_MODEL_STAGES_H
#define NETCOST_REPORT_MODEL_STAGES_H

#include <netcost/idmap.h>
#include <netcost/stages.h>

#include "model.h"

/*
 * The paths of packets.
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
	X(CLONES, "clones", "clones that reached no other stage")

enum stages_path {
#define X(name, key, title) STAGES_##name,
	STAGES_PATHS(X)
#undef X
		STAGES_PATH_COUNT
};

/* The criteria by which packets are grouped: where a step begins, if that is known, or the packet's flow. */
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

/* Dims and value of MODEL_STORE_STEPS: the steps of packets from one stage to the next, by path and key. */
enum { STAGES_STEP_PATH = 1, STAGES_STEP_KEY, STAGES_STEP_FROM, STAGES_STEP_TO, STAGES_STEP_BEGUN };
#define STAGES_WHOLE                                                                               \
	NETCOST_STAGE_COUNT /* value of `from` and `to` in rows of the whole path, or of the whole path within a key */

/*
 * Dims of MODEL_STORE_RULES: the netfilter hooks and tables that packets pass between a stage and the next one. A table
 * that is "" is unknown, or stands for all tables.
 */
enum { STAGES_RULE_STAGE = 1, STAGES_RULE_HOOK, STAGES_RULE_TABLE };
#define STAGES_RULES 64 /* limit of rows, not counting the rest row of each stage */

/* Dims and value of MODEL_STORE_DROPPED: the number of packets by drop reason. "" means unknown. */
enum { STAGES_DROPPED_REASON = 1, STAGES_DROPPED_PACKETS };
#define STAGES_REASONS 64 /* limit of rows, including the rest */

extern const struct store_query model_steps_query;

/* Keys of steps. The keys from STAGES_KEY_NOT_KNOWN on sum to STAGES_KEY_ALL. */
enum { STAGES_KEY_ALL, STAGES_KEY_NOT_KNOWN, STAGES_KEY_REST, STAGES_KEY_FIRST };
#define STAGES_KEYS 1024 /* maximum number of separate keys */
/* maximum number of rows of these keys; further rows are added to the rest */
#define STAGES_KEY_STEPS 8192

struct stages_key {
	enum netcost_latency_which which;
	/* identity of the key; fields that the kind of key does not use are 0 */
	uint32_t netns, ifindex, flow;
	model_str name; /* name of the interface; "": unknown */
	struct stages_addresses {
		bool known;
		model_str from, to;
		uint64_t protocol, from_port, to_port; /* TRACE_NIL: unknown */
	} addresses;				       /* addresses and ports of the flow */
};

struct model_stages {
	bool counted;	/* the trace contains the following counters */
	uint64_t every; /* one packet in N is part of the sample; this is N */
	/* packets that began their path, whether or not they are part of the sample */
	uint64_t packets;
	/* packets of the sample that were lost because there was no room, or because they were evicted */
	uint64_t full, evicted;

	uint64_t events;
	uint64_t begun;			      /* packets of the sample */
	uint64_t finished[STAGES_PATH_COUNT]; /* packets with times */
	/* packets without times, indexed by their last stage */
	uint64_t unfinished[NETCOST_STAGE_COUNT];
	uint64_t before;     /* events of packets without a known beginning */
	uint64_t impossible; /* packets with two consecutive stages that cannot follow each other */
	uint64_t too_long;   /* packets with more stages than are kept */
	/* The following fields are used with MODEL_STAGES_BY. Arrays are indexed by the number of the key. */
	enum stages_by by;
	struct stages_key *key;
	size_t nkeys, key_room, key_rows; /* key_rows: number of the keys' rows in the store */
	struct idmap key_id;		  /* maps an id to the number of a key */

	struct stages_open *open; /* packets in flight */
};

/* A row of MODEL_STORE_STEPS. */
struct stages_row {
	size_t at; /* index of the row in the store */
	enum stages_path path;
	unsigned int key, from, to;
	const struct dist *times;
	uint64_t packets;
	/* mean time since the packets' first stage; INFINITY: the row covers the whole path */
	double begins_ns;
	/* time of the whole path over all keys; time of the path in this key */
	uint64_t whole_ns, key_ns;
};

struct stages_rows {
	const struct model *m;
	struct stages_row *
		/*
		 * sorted by path, then by key (longest time first), then in the order of the path; the row of the whole
		 * comes last
		 */
		row;
	size_t n;
};

/* Makes all rows, including the rows of keys. Returns 0 or -ENOMEM. */
int stages_rows_make(struct stages_rows *rows, const struct model *m);
void stages_rows_free(struct stages_rows *rows);
/*
 * Returns true if the steps of the path and of each key sum to the whole, and if the keys sum to the total in each
 * step.
 */
bool stages_add_up(const struct stages_rows *rows, enum stages_path path);
/* Returns the row of all packets of a path in MODEL_STORE_STEPS, or -1. */
ptrdiff_t stages_whole_row(const struct model *m, enum stages_path path);
/*
 * Return the number of packets of the sample that reached the end of their path, and the number of those that did not.
 */
double stages_finished(const struct model_stages *s);
double stages_unfinished(const struct model_stages *s);

#endif
