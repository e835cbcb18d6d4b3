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

#define MODEL_CULPRITS 512 /* rows that are kept apart; more are not known */

/* What CPUs did while the slowest packets of the ticks waited, at one hook. */
struct model_culprit {
	enum netcost_latency hook;
	enum netcost_culprit what;
	bool reader;		     /* while its reader was waited for */
	uint64_t number;	     /* TRACE_NIL: none */
	model_str name;		     /* "": none */
	uint64_t ns, packets, first; /* in so many; in so many of them it took most of the time */
};

/* From where such packets of one hook were known to be to where they were known to be next. */
struct model_step {
	uint64_t packets, ns;
};

#define MODEL_ENTRY NETCOST_LATENCY_COUNT /* where their time begins */
typedef struct model_step model_steps[NETCOST_LATENCY_COUNT][MODEL_ENTRY + 1]
				     [NETCOST_LATENCY_COUNT]; /* [hook][from][to] */

struct model_tail {
	struct {
		uint64_t packets, ns;
		uint64_t told,
			told_ns; /* of which it is recorded where they were, what is known of that */
		uint64_t counted, before,
			before_most; /* which had so many before them in their queue */
	} hook[NETCOST_LATENCY_COUNT];
	model_steps *steps; /* NULL: there are none */
	struct model_culprit culprit[MODEL_CULPRITS];
	size_t nculprits;
};

extern const struct store_query model_latency_query, model_latency_by_query;

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
