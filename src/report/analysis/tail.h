/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tail.h: what the slowest packets waited for (record --tail), and the functions that samples found on their CPU meanwhile. Of
 * these the first pass finds the times, as samples may come before or after them in the file. Memory is bounded, whatever the
 * trace contains.
 */
#ifndef NETCOST_REPORT_TAIL_H
#define NETCOST_REPORT_TAIL_H

#include "intervals.h"
#include "report/model/model.h"

/* The shares of one hook, the largest first. */
struct tail {
	struct model_culprit row[MODEL_CULPRITS];
	size_t n;
	double packets, mean_ns;	 /* NaN: there are none */
	double p99_9_ns;		 /* of all of its packets; NaN: not known */
	double ns;			 /* what the shares are of */
	double before_mean, before_most; /* packets, in their queue; NaN: not known of any */
};

/* From where they were known to be to where they were known to be next. */
struct tail_step {
	enum netcost_latency hook;
	unsigned int from, to; /* enum netcost_latency; from: or MODEL_ENTRY */
	double packets, ns, share_percent;
};

extern const char *const tail_keys[]; /* of enum netcost_culprit; NULL after the last one */

/* The model needs MODEL_LATENCY. */
void tail_of(struct tail *t, const struct model *m, enum netcost_latency hook);
/* Of `from` and `to` in it. Is there any? */
bool tail_step(struct tail_step *s, const struct model *m, enum netcost_latency hook);
/* For people: what it was. Returns buf. */
char *tail_text(char *buf, size_t size, const struct model_culprit *c);
#define TAIL_TEXT_SIZE 160

/* ---- samples ----------------------------------------------------------------------------- */

#define TAIL_SEEN_SPANS (1u << 20) /* intervals that are looked at; in later ones nothing is */
#define TAIL_SEEN_STACKS                                                                           \
	(1u << 18) /* distinct ones of all culprits; samples of more have no function */

struct tail_seen_row {
	bool spans; /* it is known when it was */
	uint64_t samples;
	struct countmap stacks;
};

struct tail_span {
	uint64_t begin_ns, end_ns,
		latest_ns; /* latest_ns: the latest end, of its CPU, up to here */
	uint32_t cpu, row;
};

struct tail_seen {
	struct intervals_watch watch; /* the second of the intervals */
	struct store *culprits;	      /* as MODEL_STORE_CULPRITS; NULL: there are none */
	struct tail_seen_row row[MODEL_CULPRITS];
	struct tail_span *span; /* by CPU, then time */
	size_t nspans, cap;
	bool too_many; /* spans */
	size_t nstacks;
	bool sampled; /* there are samples at all */
};

void tail_seen_init(struct tail_seen *t);
void tail_seen_free(struct tail_seen *t);

/* t, or the result, NULL: nothing is known of it. */
const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c);

struct tail_function {
	const char *name; /* the innermost function; FUNCTION_USER; "": not known */
	const char *category;
	uint64_t samples;
};

/* Those of a culprit, with the most samples first, to be freed. -ENOMEM. */
int tail_seen_functions(const struct tail_seen_row *r, const struct model *m,
			struct tail_function **function, size_t *n);

#endif
