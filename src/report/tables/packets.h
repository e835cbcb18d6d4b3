/* SPDX-License-Identifier: BSD-2-Clause */
/* packets.h: tables of packets: latency, what delayed the slowest (record --tail), and their paths (record --stages). */
#ifndef NETCOST_REPORT_PACKETS_TABLES_H
#define NETCOST_REPORT_PACKETS_TABLES_H

#include "report/analysis/latency.h"
#include "report/base/doc.h"
#include "report/model/model_stages.h"

/* ---- latency ------------------------------------------------------------------------------ */

struct latency_view {
	enum netcost_latency_by by; /* or LATENCY_ALL */
	enum netcost_latency
		histogram; /* also that of this hook, if it is about all packets and all of the time */
	const struct intervals *iv; /* NULL: about all of the time; otherwise with */
	const struct latency_times *times;
};

/* The whole report. The model needs MODEL_LATENCY, and with `by` MODEL_LATENCY_BY. -ENOMEM. */
int latency_doc(struct doc *d, const struct model *m, const struct latency_view *v);
/* Only its rows; of all packets also what is missing, or that nothing was measured. -ENOMEM. */
int latency_table(struct doc *d, const struct model *m, enum netcost_latency_by by);
/* The number of its rows by interface and the like. */
size_t latency_by_rows(const struct model *m, enum netcost_latency_by by);

/* As programs have it: of which packets alone it was measured. */
void latency_only_field(struct doc *d, const struct model *m);
/* The same for people, what is missing, and why; or that nothing was measured. */
void latency_notes(struct doc *d, const struct model *m);

/* ---- what delayed the slowest packets ------------------------------------------------------ */

/* The model needs MODEL_LATENCY. seen: NULL: nothing else is known. -ENOMEM. */
int latency_tail_doc(struct doc *d, const struct model *m, const struct tail_seen *seen);
/* Only what it was, and what is missing. -ENOMEM. */
int latency_tail_table(struct doc *d, const struct model *m);

/* ---- paths -------------------------------------------------------------------------------- */

/* by: STAGES_BY_COUNT: of all packets. The model needs MODEL_STAGES, and MODEL_STAGES_BY << by. -ENOMEM. */
int stages_doc(struct doc *d, const struct model *m, enum stages_by by);
/* Of all packets, without a heading. */
int stages_table(struct doc *d, const struct model *m);

/* ---- what these tables share --------------------------------------------------------------- */

/*
 * A table for programs of how each checkpoint or stage is measured. text: its first columns, each by number, NULL after the last;
 * PROBE_COLUMNS follow. For people: notes on them.
 */
void packets_probes(struct doc *d, const struct model *m, enum netcost_of of,
		    const struct doc_table *table, const char *const *const text[], size_t ntexts);
void packets_probe_notes(struct doc *d, const struct model *m, enum netcost_of of,
			 const char *const name[]);
/* Why there is nothing: the recorder's reason, after `could_not`; without one `did_not`. */
void packets_not_measured(struct doc *d, const struct model *m, const char *source,
			  const char *could_not, const char *did_not);

/* ---- columns of quantiles ------------------------------------------------------------------ */

#define LATENCY_US .scale = 1e-3, .decimals = 2, .precision = 1, .width = 10

/* Quantiles that may be left out where there is no room: those that others enclose first. */
enum {
	LATENCY_SPARE_P50 = 0,
	LATENCY_SPARE_P90 = 3,
	LATENCY_SPARE_P99 = 0,
	LATENCY_SPARE_P99_9 = 1,
	LATENCY_SPARE_P99_99 = 4,
};
#define LATENCY_QUANTILE(NAME, key_, title_)                                                       \
	{                                                                                          \
		.key = key_ "_ns", .title = title_, LATENCY_US, .spare = LATENCY_SPARE_##NAME      \
	}
#define LATENCY_BOUNDS(key_)                                                                       \
	{ .key = key_ "_low_ns",                                                                   \
	  .precision = 1,                                                                          \
	  .about = "of its 95 % interval; null: too few packets for it" },                         \
	{                                                                                          \
		.key = key_ "_high_ns", .precision = 1, .about = "likewise"                        \
	}
#define LATENCY_MEAN                                                                               \
	{                                                                                          \
		.key = "mean_ns", .title = "mean", LATENCY_US, .spare = 2                          \
	}

/* With bounds. */
#define PACKETS_QUANTILE(name, key, title, share)                                                  \
	LATENCY_QUANTILE(name, key, title), LATENCY_BOUNDS(key),
#define PACKETS_QUANTILES DIST_QUANTILES(PACKETS_QUANTILE) LATENCY_MEAN

/* The cells of these columns, with bounds or without. */
void packets_quantiles(struct doc *d, const struct dist_summary *r, bool bounds);

#endif
