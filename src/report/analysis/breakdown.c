// SPDX-License-Identifier: BSD-2-Clause
/* Rows of the split: by CPU and by piece of time. Tasks have a file of their own. */
#include "breakdown.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "breakdown_impl.h"

const char *const breakdown_names[BREAKDOWN_KINDS + 1] = {
	[BREAKDOWN_CPU] = "cpu",	   [BREAKDOWN_TASK] = "task",
	[BREAKDOWN_PROCESS] = "process",   [BREAKDOWN_CGROUP] = "cgroup",
	[BREAKDOWN_INTERVAL] = "interval",
};

bool breakdown_is_sampled(enum breakdown_kind kind)
{
	return kind == BREAKDOWN_TASK || kind == BREAKDOWN_PROCESS || kind == BREAKDOWN_CGROUP;
}

static double network_ns(const struct breakdown_row *r)
{
	return split_sum(&r->split, LEAF_NETWORK).ns;
}

/* Not known comes last. */
static int by_network(const void *pa, const void *pb)
{
	const struct breakdown_row *a = pa, *b = pb;
	double na = network_ns(a), nb = network_ns(b);

	na = isnan(na) ? -INFINITY : na;
	nb = isnan(nb) ? -INFINITY : nb;
	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

int breakdown_sum(struct breakdown_row *sum, const struct breakdown_row *row, size_t n)
{
	struct split_cpu *cpu = calloc(n + 1, sizeof(*cpu));

	*sum = (struct breakdown_row){ .begin_s = NAN, .end_s = NAN };
	if (!cpu)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		cpu[i] = row[i].split;
		sum->samples += row[i].samples;
	}
	split_sum_cpus(&sum->split, cpu, n);
	if (!n)
		sum->split.wall_ns = NAN;
	free(cpu);
	return 0;
}

/* ---- CPUs -------------------------------------------------------------------------------- */

static void cpu_rows(struct breakdown *b)
{
	const struct summary *s = b->s;

	for (size_t i = 0; i < s->split.ncpus; i++) {
		const struct model_cpu *c = model_next_cpu(s->m, s->split.cpu[i].cpu);

		b->row[i] = (struct breakdown_row){ .id = c->cpu,
						    .samples = c->samples,
						    .split = s->split.cpu[i] };
	}
	qsort(b->row, s->split.ncpus, sizeof(*b->row), by_network);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

static int interval_rows(struct breakdown *b, const struct intervals *iv)
{
	int err = 0;

	b->samples_outside = iv->outside;
	for (size_t i = 0; !err && i < iv->n; i++) {
		const struct interval *from = &iv->row[i];
		struct breakdown_row *r = &b->row[i];

		*r = (struct breakdown_row){ .id = i,
					     .begin_s = model_seconds(b->s->m, from->begin_ns),
					     .end_s = model_seconds(b->s->m, from->end_ns),
					     .samples = from->samples };
		err = interval_split(iv, i, b->s->m, &r->split);
	}
	return err;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Those behind the first n become one. */
static int cut_rows(struct breakdown *b, size_t all, size_t n)
{
	int err = breakdown_sum(&b->all, b->row, all);

	b->n = n && n < all ? n : all;
	b->nothers = all - b->n;
	if (!err)
		err = breakdown_sum(&b->others, b->row + b->n, b->nothers);
	return err;
}

int breakdown_make(struct breakdown *b, const struct summary *s, enum breakdown_kind kind, size_t n,
		   const struct intervals *iv)
{
	size_t all = kind == BREAKDOWN_INTERVAL ? iv->n : s->split.ncpus;
	int err = 0;

	*b = (struct breakdown){ .kind = kind, .s = s };
	if (breakdown_is_sampled(kind)) {
		err = breakdown_make_tasks(b, n ? n : BREAKDOWN_TASK_ROWS);
	} else {
		b->row = calloc(all + 1, sizeof(*b->row));
		if (!b->row)
			err = -ENOMEM;
		else if (kind == BREAKDOWN_INTERVAL)
			err = interval_rows(b, iv);
		else
			cpu_rows(b);
		if (!err)
			err = cut_rows(b, all, n);
	}
	if (err)
		breakdown_free(b);
	return err;
}

void breakdown_free(struct breakdown *b)
{
	free(b->row);
	b->row = NULL;
}
