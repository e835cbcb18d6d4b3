/* SPDX-License-Identifier: BSD-2-Clause */
/* model_latency.h: for how long packets waited, as the model has it: by hook, by interface and the like, and the slowest. */
#ifndef NETCOST_REPORT_MODEL_LATENCY_H
#define NETCOST_REPORT_MODEL_LATENCY_H

#include <stdbool.h>
#include <stddef.h>

#include <netcost/culprits.h>
#include <netcost/latency.h>
#include <netcost/trace.h>

#include "counter.h"
#include "report/store/store.h"

struct model;

/* Of which packets alone it was measured. 0 or "": of any; defined: of some only. */
struct model_latency_only {
	bool defined;
	model_str netdev, cgroup;
	uint64_t netns, ifindex, cgroup_id, pid, queue;
};

#define MODEL_LATENCY_BYS 1024 /* so many are kept apart; more are in the rest of their hook */

/* Of one interface, cgroup or process at a hook; or of those of which it is not known, or that are not kept apart. */
struct model_latency_by {
	unsigned int hook; /* enum netcost_latency */
	enum netcost_latency_by by;
	enum netcost_latency_which which;
	const char *name;    /* "": not known */
	uint64_t number, id; /* as it is called; see LATENCY_BY; TRACE_NIL: not known */
	const struct dist *dist;
};

/* ---- what delayed the slowest packets of the ticks (LATENCY_TAIL) --------------------------- */

#define MODEL_CULPRITS 512 /* rows that are kept apart; of more it is not known what they were */

/* Dims and values of MODEL_STORE_CULPRITS: what CPUs did while packets waited. */
enum {
	CULPRIT_HOOK = 1,
	CULPRIT_WHAT,
	CULPRIT_READER,
	CULPRIT_NUMBER,
	CULPRIT_NAME,
	CULPRIT_NS,
	CULPRIT_PACKETS,
	CULPRIT_FIRST
};

struct model_culprit {
	size_t at; /* its row in the store */
	enum netcost_latency hook;
	enum netcost_culprit what;
	bool reader;		 /* while its reader was waited for */
	uint64_t number;	 /* TRACE_NIL: none */
	const char *name;	 /* "": none */
	uint64_t ns;		 /* in all */
	uint64_t packets, first; /* that it delayed; that it delayed most of the time */
};

struct model_culprit model_culprit(const struct store *s, size_t row);

/* The shares of a record: what took how much of the time of its packet. */
struct model_shares {
	enum netcost_latency hook;
	struct trace_column what, reader, number, name, ns;
};

/* False: the record is of no hook that this version knows. */
bool model_shares_begin(struct model_shares *c, const struct trace_record *rec);
/* 1: the next one is of this row, which it makes. 0: there is none. -ENOMEM. */
int model_shares_next(struct model_shares *c, struct store *culprits, size_t *row, uint64_t *ns);

/* Dims and values of MODEL_STORE_TAIL_STEPS: from a checkpoint that such packets passed to the next one. */
enum { TAIL_STEP_HOOK = 1, TAIL_STEP_FROM, TAIL_STEP_TO, TAIL_STEP_PACKETS, TAIL_STEP_NS };
#define MODEL_ENTRY NETCOST_LATENCY_COUNT /* from: where their time begins */

/* The slowest packets of a hook. */
struct model_tail {
	uint64_t packets, ns;
	uint64_t path_packets, path_ns; /* whose checkpoints were recorded */
	uint64_t queue_packets, before,
		before_most; /* for which those before them in their queue were counted */
};

extern const struct store_query model_latency_query, model_latency_by_query, model_culprits_query;

/* Its row in MODEL_STORE_LATENCY; -1: there is none. */
ptrdiff_t model_latency_row(const struct model *m, enum netcost_latency hook);
/* Of all packets of a hook. With MODEL_LATENCY. */
const struct dist *model_latency_dist(const struct model *m, enum netcost_latency hook);
/* Packets without a time. */
uint64_t model_latency_lost(const struct model *m, enum netcost_latency hook,
			    enum netcost_latency_loss loss);
/* Rows of m->store[MODEL_STORE_LATENCY_BY]. With MODEL_LATENCY_BY. */
size_t model_latency_bys(const struct model *m);
/* A row of any store of LATENCY_BY. */
struct model_latency_by model_latency_by(const struct store *s, size_t row);

#endif
