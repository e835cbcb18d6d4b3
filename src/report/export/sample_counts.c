// SPDX-License-Identifier: BSD-2-Clause
#include "sample_counts.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "report/model/filter.h"

void sample_counts_free(struct sample_counts *c)
{
	free(c->at);
	idmap_free(&c->by_hash);
	*c = (struct sample_counts){ 0 };
}

static uint64_t hash_of(const struct sample_count *p)
{
	const uint64_t words[] = { (uint64_t)p->stack << 32 | p->task,
				   (uint64_t)p->cgroup << 32 | p->piece,
				   (uint64_t)p->cpu << 32 | p->class };
	uint64_t hash = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static bool is_same(const struct sample_count *a, const struct sample_count *b)
{
	return a->stack == b->stack && a->task == b->task && a->cgroup == b->cgroup &&
	       a->piece == b->piece && a->cpu == b->cpu && a->class == b->class;
}

/* p->samples more. */
static int count(struct sample_counts *c, struct sample_count *p)
{
	uint64_t hash = hash_of(p);
	uint32_t i = idmap_get(&c->by_hash, hash);

	p->next = i;
	for (; i; i = c->at[i].next)
		if (is_same(&c->at[i], p)) {
			c->at[i].samples += p->samples;
			return 0;
		}
	if (array_reserve(&c->at, &c->cap, c->n + 2, sizeof(*c->at)) ||
	    idmap_set(&c->by_hash, hash, (uint32_t)c->n + 1))
		return -ENOMEM;
	c->at[++c->n] = *p;
	if (p->cpu >= c->cpu_end)
		c->cpu_end = p->cpu + 1u;
	return 0;
}

/* False: it is in none. */
static bool find_row(const struct intervals *iv, uint64_t time_ns, uint32_t *piece)
{
	size_t low = 0, high = iv->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (time_ns >= iv->row[middle].end_ns)
			low = middle + 1;
		else
			high = middle;
	}
	*piece = (uint32_t)low;
	return low < iv->n && time_ns >= iv->row[low].begin_ns;
}

/* Likewise. What was before the first piece is in that. */
static bool find_piece(const struct sample_apart *apart, uint64_t time_ns, uint32_t *piece)
{
	uint64_t at;

	if (apart->rows)
		return find_row(apart->rows, time_ns, piece);
	at = apart->each_ns && time_ns > apart->origin_ns ?
		     (time_ns - apart->origin_ns) / apart->each_ns :
		     0;
	*piece = at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
	return true;
}

/* What is wrong with the record the model will say. */
int sample_counts_add(struct sample_counts *c, const struct model *m,
		      const struct trace_record *rec, const struct sample_apart *apart)
{
	struct trace_samples s = trace_record_samples(rec);
	uint64_t cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX);
	int err = 0;

	if (cpu >= TRACE_MAX_CPU || !filter_takes_cpu(m->filter, cpu))
		return 0;
	for (size_t n = 0; !err && trace_samples_next(&s); n++) {
		struct sample_count p = { .stack = (uint32_t)s.stack,
					  .cpu = (uint16_t)cpu,
					  .samples = 1 };

		if (s.stack > m->nstacks || s.task > UINT32_MAX || s.cgroup > UINT32_MAX)
			return 0;
		p.class = (uint16_t)model_class(m, n, s.stack);
		p.task = apart->tasks ? (uint32_t)s.task : 0;
		p.cgroup = apart->tasks ? (uint32_t)s.cgroup : 0;
		if (model_is_selected(m, s.task, s.cgroup) &&
		    find_piece(apart, s.time_ns, &p.piece))
			err = count(c, &p);
	}
	return err;
}

int sample_counts_join(struct sample_counts *c)
{
	struct sample_counts joined = { 0 };
	int err = 0;

	for (size_t i = 1; !err && i <= c->n; i++) {
		struct sample_count p = c->at[i];

		p.piece /= 2;
		err = count(&joined, &p);
	}
	sample_counts_free(err ? &joined : c);
	if (!err)
		*c = joined;
	return err;
}

unsigned int sample_counts_cpus(const struct sample_counts *c, const struct model *m)
{
	return c->cpu_end > m->cpu_end ? c->cpu_end : m->cpu_end;
}

/* ---- order ------------------------------------------------------------------------------- */

#define ORDER(a, b)                                                                                \
	if ((a) != (b))                                                                            \
	return (a) < (b) ? -1 : 1

static int compare(const void *pa, const void *pb, void *by_cpu)
{
	const struct sample_count *a = pa, *b = pb;

	if (*(const bool *)by_cpu)
		ORDER(a->cpu, b->cpu);
	ORDER(a->piece, b->piece);
	ORDER(a->cpu, b->cpu);
	ORDER(a->class, b->class);
	ORDER(a->stack, b->stack);
	ORDER(a->task, b->task);
	ORDER(a->cgroup, b->cgroup);
	return 0;
}

void sample_counts_sort(struct sample_counts *c, bool by_cpu)
{
	if (c->n)
		qsort_r(c->at + 1, c->n, sizeof(*c->at), compare, &by_cpu);
}

size_t sample_counts_first(const struct sample_counts *c, uint32_t piece)
{
	size_t low = 1, high = c->n + 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->at[middle].piece < piece)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
