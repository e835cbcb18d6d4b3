// SPDX-License-Identifier: BSD-2-Clause
/* CPUs, and all of them: with pauses, from the two parts of their time. */
#include "split_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a CPU's time, or of several CPUs'. */
struct parts {
	struct split_cpu *counted, *paused;
	size_t ncounted, npaused;
};

/* Adds its parts. */
static void split_one(struct split_cpu *c, struct parts *p, const struct split_input *in)
{
	struct split_cpu part[2];

	split_part(&part[0], in);
	*c = part[0];
	if (in->paused_ns > 0) {
		split_pauses(&part[1], in, &part[0]);
		p->paused[p->npaused++] = part[1];
		split_correct(&part[1], in->calibration);
		if (!(in->wall_ns > 0)) {
			*c = part[1];
			return;
		}
		split_join_parts(c, part);
	}
	p->counted[p->ncounted++] = part[0];
}

/* What samples say of all CPUs together is surer than the sum of what they say of each. */
static void sum_parts(struct split *s, const struct parts *p,
		      const struct split_calibration *calibration)
{
	struct split_cpu part[2];

	split_sum_cpus(&s->counted, p->counted, p->ncounted);
	s->all = s->counted;
	if (!p->npaused)
		return;
	part[0] = s->counted;
	split_sum_cpus(&part[1], p->paused, p->npaused);
	split_correct(&part[1], calibration);
	if (p->ncounted)
		split_join_parts(&s->all, part);
	else
		s->all = part[1];
}

int split_compute(struct split *s, const struct split_input *in, size_t n)
{
	struct parts p = { calloc(n + 1, sizeof(*p.counted)), calloc(n + 1, sizeof(*p.paused)), 0,
			   0 };
	bool ok;

	*s = (struct split){ .ncpus = n, .cpu = calloc(n + 1, sizeof(*s->cpu)) };
	ok = s->cpu && p.counted && p.paused;
	for (size_t i = 0; ok && i < n; i++)
		split_one(&s->cpu[i], &p, &in[i]);
	if (ok)
		sum_parts(s, &p, n ? in->calibration : NULL);
	else
		split_free(s);
	free(p.counted);
	free(p.paused);
	return ok ? 0 : -ENOMEM;
}

int split_copy(struct split *to, const struct split *s)
{
	*to = *s;
	to->cpu = calloc(s->ncpus + 1, sizeof(*to->cpu));
	if (!to->cpu) {
		*to = (struct split){ 0 };
		return -ENOMEM;
	}
	if (s->ncpus)
		memcpy(to->cpu, s->cpu, s->ncpus * sizeof(*to->cpu));
	return 0;
}

void split_free(struct split *s)
{
	free(s->cpu);
	*s = (struct split){ 0 };
}
