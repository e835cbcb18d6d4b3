/* SPDX-License-Identifier: BSD-2-Clause */
/* latency.h: for how long packets waited (record --latency): quantiles of each hook's histogram. */
#ifndef NETCOST_REPORT_LATENCY_H
#define NETCOST_REPORT_LATENCY_H

#include "report/model/model.h"

/*
 *	ENUM	key	title		share
 */
#define LATENCY_QUANTILES(X)                                                                       \
	X(P50, "p50", "p50", 0.5)                                                                  \
	X(P90, "p90", "p90", 0.9)                                                                  \
	X(P99, "p99", "p99", 0.99)                                                                 \
	X(P99_9, "p99_9", "p99.9", 0.999)                                                          \
	X(P99_99, "p99_99", "p99.99", 0.9999)

enum latency_quantile {
#define X(name, key, title, share) LATENCY_##name,
	LATENCY_QUANTILES(X)
#undef X
		LATENCY_QUANTILE_COUNT
};

/* NaN: not known. */
struct latency_row {
	const struct model_latency *l;
	double packets;
	double ns[LATENCY_QUANTILE_COUNT];
	/* 95 % intervals: the outer bounds of the buckets that enclose it; NaN: too few packets for that end */
	double low_ns[LATENCY_QUANTILE_COUNT], high_ns[LATENCY_QUANTILE_COUNT];
	double mean_ns, min_ns, max_ns;
	double variation_ns; /* p99 less p1 */
};

extern const char *const latency_keys[], *const latency_from[], *const latency_to[];
extern const char *const latency_by_keys[], *const latency_which_keys[];
extern const char *const latency_loss_keys[],
	*const latency_loss_titles[]; /* each with NULL after the last one */

/* The model needs MODEL_LATENCY. latency_row_of(): of one that was summed up otherwise. */
void latency_row(struct latency_row *r, const struct model *m, enum netcost_latency hook);
void latency_row_of(struct latency_row *r, const struct model_latency *l);
/* How many are in its histogram. */
double latency_packets(const struct model_latency *l);
/* Was it measured? */
bool latency_is_measured(const struct model *m, enum netcost_latency hook);
/* The value of that rank, from 1 on, as if those of a bucket were evenly spread; NaN: there is none. */
double latency_value(const struct model_latency *l, uint64_t rank);
/* The bound of its bucket, or an end that is known, if that is nearer. */
double latency_bound(const struct model_latency *l, uint64_t rank, bool upper);

#endif
