/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_counts.h: samples that are alike in all that a profile says of them, counted. */
#ifndef NETCOST_REPORT_SAMPLE_COUNTS_H
#define NETCOST_REPORT_SAMPLE_COUNTS_H

#include <netcost/idmap.h>

#include "report/analysis/intervals.h"

struct sample_count {
	uint32_t stack, task, cgroup, piece;
	uint16_t cpu, class;
	uint32_t next; /* of the same hash; 0: none */
	uint64_t samples;
};

struct sample_counts {
	struct sample_count *at; /* at[0] is none */
	size_t n, cap;
	struct idmap by_hash;
	unsigned int
		cpu_end; /* highest CPU number + 1; a model may know fewer, if it refused the last record */
};

/* What is told apart, beside stacks and CPUs. */
struct sample_apart {
	bool tasks;		      /* tasks and cgroups */
	const struct intervals *rows; /* pieces of time; NULL: … */
	uint64_t origin_ns, each_ns;  /* … those of this length; 0: none */
};

void sample_counts_free(struct sample_counts *c);
/* Those of a SAMPLES that the filter takes, and that are in a piece. -ENOMEM. */
int sample_counts_add(struct sample_counts *c, const struct model *m,
		      const struct trace_record *rec, const struct sample_apart *apart);
/* Of two pieces each becomes one, 0 and 1 the first. -ENOMEM. */
int sample_counts_join(struct sample_counts *c);
/* CPU numbers of samples, and of the model, are below. */
unsigned int sample_counts_cpus(const struct sample_counts *c, const struct model *m);
/* By piece, CPU, and the rest; or by CPU first. Nothing can be added after that. */
void sample_counts_sort(struct sample_counts *c, bool by_cpu);
/* After sorting by piece: the first one of that piece, or of one after it; at most n + 1. */
size_t sample_counts_first(const struct sample_counts *c, uint32_t piece);

#endif
