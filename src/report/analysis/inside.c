// SPDX-License-Identifier: BSD-2-Clause
#include "inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "known.h"
#include "report/rules/stack_class.h"

/* ---- samples ----------------------------------------------------------------------------- */

static void count_class(struct inside *to, const struct stack_class *class, uint64_t samples)
{
	const struct rules *r = to->rules;
	unsigned int leaf = r->category[class->category].leaf;

	to->row[class->category].self.samples += samples;
	for (unsigned int i = class->category; i != leaf; i = r->category[i].parent)
		to->row[i].exclusive.samples += samples;
	to->row[leaf].exclusive.samples += samples;
	for (unsigned int i = 0; i < r->ncategories; i++)
		if (stack_class_is_in(class, i))
			to->row[i].inclusive.samples += samples;
}

static void count_cpu(struct inside *to, const struct model *m, unsigned int cpu)
{
	const struct model_cpu *from = model_next_cpu(m, cpu);

	for (size_t i = 0; from && from->cpu == cpu && i < from->nclasses; i++)
		if (from->class[i])
			count_class(to, &m->classes->at[i], from->class[i]);
}

/* ---- shares ------------------------------------------------------------------------------ */

/* The share of CPU time that a sample in the leaf represents; NaN: unknown. They sum to the leaf's share in the split. */
static double share_of_sample(const struct split_value *leaf, uint64_t samples)
{
	return !samples && !isnan(leaf->sampled) ? 0 : leaf->sampled / (double)samples;
}

static void set_share(struct inside_value *v, const struct split_cpu *c, double share)
{
	v->share = share;
	v->ci95 = isnan(share) ? NAN : split_share_ci95(c, share);
}

/* Leaves have the intervals of the split. */
static void take_leaves(struct inside *in, const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		in->row[l].exclusive.ci95 = c->leaf[l].sampled_ci95;
}

/* The categories of a leaf without samples are unknown: idle time, where that is exact. */
void inside_cpu(struct inside *in, const struct model *m, const struct split *s, size_t i)
{
	const struct split_cpu *c = &s->cpu[i];

	*in = (struct inside){ .rules = m->classes ? classifier_rules(m->classes->classifier) :
						     NULL };
	if (!in->rules)
		return;
	count_cpu(in, m, c->cpu);
	for (unsigned int j = 0; j < in->rules->ncategories; j++) {
		unsigned int leaf = in->rules->category[j].leaf;
		double of_sample = share_of_sample(&c->leaf[leaf], in->row[leaf].exclusive.samples);
		struct inside_row *r = &in->row[j];

		set_share(&r->self, c, (double)r->self.samples * of_sample);
		set_share(&r->exclusive, c, (double)r->exclusive.samples * of_sample);
		set_share(&r->inclusive, c,
			  m->classes->full ? NAN : (double)r->inclusive.samples * of_sample);
	}
	take_leaves(in, c);
}

/* The weight of a CPU is its time. */
static void add_value(struct inside_value *to, const struct inside_value *v, double weight)
{
	to->samples += v->samples;
	known_add(&to->share, v->share * weight);
}

static void add_cpu(struct inside *to, const struct inside *cpu, double weight)
{
	for (unsigned int i = 0; i < to->rules->ncategories; i++) {
		add_value(&to->row[i].self, &cpu->row[i].self, weight);
		add_value(&to->row[i].exclusive, &cpu->row[i].exclusive, weight);
		add_value(&to->row[i].inclusive, &cpu->row[i].inclusive, weight);
	}
}

int inside_make(struct inside *in, const struct model *m, const struct split *s)
{
	static const struct inside_value none = { .share = NAN, .ci95 = NAN };
	struct inside *cpu;

	*in = (struct inside){ 0 };
	if (!m->classes || !(s->all.samples > 0))
		return 0;
	cpu = malloc(sizeof(*cpu));
	if (!cpu)
		return -ENOMEM;
	in->rules = classifier_rules(m->classes->classifier);
	for (unsigned int i = 0; i < in->rules->ncategories; i++)
		in->row[i] = (struct inside_row){ none, none, none };
	for (size_t i = 0; i < s->ncpus; i++) {
		inside_cpu(cpu, m, s, i);
		add_cpu(in, cpu, s->cpu[i].wall_ns / s->all.sampled_wall_ns);
	}
	free(cpu);
	for (unsigned int i = 0; i < in->rules->ncategories; i++) {
		struct inside_row *r = &in->row[i];

		set_share(&r->self, &s->all, r->self.share);
		set_share(&r->exclusive, &s->all, r->exclusive.share);
		set_share(&r->inclusive, &s->all, r->inclusive.share);
	}
	take_leaves(in, &s->all);
	return 0;
}
