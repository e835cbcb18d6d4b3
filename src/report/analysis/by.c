// SPDX-License-Identifier: BSD-2-Clause
/* Rows of the split: by CPU and by piece of time. Tasks have a file of their own. */
#include "by.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "by_impl.h"

const char *const by_names[BY_KINDS + 1] = {
	[BY_CPU] = "cpu",	[BY_TASK] = "task",	    [BY_PROCESS] = "process",
	[BY_CGROUP] = "cgroup", [BY_INTERVAL] = "interval",
};

bool by_is_sampled(enum by_kind kind)
{
	return kind == BY_TASK || kind == BY_PROCESS || kind == BY_CGROUP;
}

static double network_ns(const struct by_row *r)
{
	return split_sum(&r->split, LEAF_NETWORK).ns;
}

/* Not known comes last. */
static int by_network(const void *pa, const void *pb)
{
	const struct by_row *a = pa, *b = pb;
	double na = network_ns(a), nb = network_ns(b);

	na = isnan(na) ? -INFINITY : na;
	nb = isnan(nb) ? -INFINITY : nb;
	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

int by_sum(struct by_row *sum, const struct by_row *row, size_t n)
{
	struct split_cpu *cpu = calloc(n + 1, sizeof(*cpu));

	*sum = (struct by_row){ .begin_s = NAN, .end_s = NAN };
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

static void cpu_rows(struct by *by)
{
	const struct summary *s = by->s;

	for (size_t i = 0; i < s->split.ncpus; i++) {
		const struct model_cpu *c = model_next_cpu(s->m, s->split.cpu[i].cpu);

		by->row[i] = (struct by_row){ .id = c->cpu,
					      .samples = c->samples,
					      .split = s->split.cpu[i] };
	}
	qsort(by->row, s->split.ncpus, sizeof(*by->row), by_network);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

static int interval_rows(struct by *by, const struct intervals *iv)
{
	int err = 0;

	by->samples_outside = iv->outside;
	for (size_t i = 0; !err && i < iv->n; i++) {
		const struct interval *from = &iv->row[i];
		struct by_row *r = &by->row[i];

		*r = (struct by_row){ .id = i,
				      .begin_s = model_seconds(by->s->m, from->begin_ns),
				      .end_s = model_seconds(by->s->m, from->end_ns),
				      .samples = from->samples };
		err = interval_split(iv, i, by->s->m, &r->split);
	}
	return err;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Those behind the first n become one. */
static int cut_rows(struct by *by, size_t all, size_t n)
{
	int err = by_sum(&by->all, by->row, all);

	by->n = n && n < all ? n : all;
	by->nothers = all - by->n;
	if (!err)
		err = by_sum(&by->others, by->row + by->n, by->nothers);
	return err;
}

int by_make(struct by *by, const struct summary *s, enum by_kind kind, size_t n,
	    const struct intervals *iv)
{
	size_t all = kind == BY_INTERVAL ? iv->n : s->split.ncpus;
	int err = 0;

	*by = (struct by){ .kind = kind, .s = s };
	if (by_is_sampled(kind)) {
		err = by_make_tasks(by, n ? n : BY_TASK_ROWS);
	} else {
		by->row = calloc(all + 1, sizeof(*by->row));
		if (!by->row)
			err = -ENOMEM;
		else if (kind == BY_INTERVAL)
			err = interval_rows(by, iv);
		else
			cpu_rows(by);
		if (!err)
			err = cut_rows(by, all, n);
	}
	if (err)
		by_free(by);
	return err;
}

void by_free(struct by *by)
{
	free(by->row);
	by->row = NULL;
}
