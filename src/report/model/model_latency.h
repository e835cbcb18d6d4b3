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
#include "report/base/dist.h"

/* For how long packets waited, at one hook, on all CPUs. */
struct model_latency {
	uint64_t lost[NETCOST_LATENCY_LOSS_COUNT]; /* packets without a time */
	struct dist dist;
};

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
	model_str name;
	uint64_t number, id; /* as it is called; see LATENCY_BY; TRACE_NIL: not known */
	struct dist dist;
};

/* So many there can be: what is not known, and the rest, always have room. */
#define MODEL_LATENCY_BYS_MOST                                                                     \
	(MODEL_LATENCY_BYS + 2 * NETCOST_LATENCY_COUNT * NETCOST_LATENCY_BY_COUNT)

/* In the order in which they come. */
struct model_latency_bys {
	struct model_latency_by *row;
	size_t n, cap;
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

/* Adds what a LATENCY record counts. -ENOMEM. */
int model_latency_sum(struct model_latency *l, const struct trace_record *rec);
/* Removes what was added, keeps the memory. */
void model_latency_empty(struct model_latency *l);

/* Adds what a LATENCY_BY record counts to its row, which may be a new one, without a name. NULL: of a newer kind. -ENOMEM. */
int model_latency_by_sum(struct model_latency_bys *to, const struct trace_record *rec,
			 struct model_latency_by **row);
/* The row that is of the same. NULL: there is none. */
struct model_latency_by *model_latency_by_find(const struct model_latency_bys *in,
					       const struct model_latency_by *like);
void model_latency_bys_free(struct model_latency_bys *bys);

#endif
