// SPDX-License-Identifier: BSD-2-Clause
/* What is missing from a damaged trace, in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "model.h"

struct text {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->at, t->left, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= t->left)
		n = (int)t->left - 1;
	t->at += n;
	t->left -= (size_t)n;
}

static void add_status(struct text *t, const struct trace_status *st)
{
	add(t, "%s", st->what);
	if (st->damages > 1)
		add(t, ", in %" PRIu64 " places", st->damages);
	if (st->frames_missing)
		add(t, "; %" PRIu64 " frame%s missing", st->frames_missing,
		    st->frames_missing == 1 ? " is" : "s are");
	if (!st->ended)
		add(t, "; the end is missing");
}

char *damage_text(const struct trace_status *st, char *dst, size_t size)
{
	struct text t = { .at = dst, .left = size };

	*dst = '\0';
	if (st->damages)
		add_status(&t, st);
	return dst;
}

char *model_damage(const struct model *m, char *dst, size_t size)
{
	struct text t = { .at = dst, .left = size };
	const struct {
		uint64_t n;
		const char *what;
	} lost[] = {
		{ m->lost.stacks, "stack" },
		{ m->lost.symbols, "function" },
		{ m->lost.tasks, "task" },
		{ m->lost.cgroups, "cgroup" },
	};

	*dst = '\0';
	if (!m->status.damages)
		return dst;
	add_status(&t, &m->status);
	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		if (lost[i].n)
			add(&t, "; a lost %s is named %" PRIu64 " time%s", lost[i].what, lost[i].n,
			    lost[i].n == 1 ? "" : "s");
	return dst;
}
