// SPDX-License-Identifier: BSD-2-Clause
#include "plot.h"

#include <stdarg.h>

#include "report/analysis/accuracy/accuracy.h"

const char *const plot_format_names[PLOT_FORMATS + 1] = { "svg", "png", "pdf", NULL };

bool plot_fail(struct plot *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(p->why, sizeof(p->why), fmt, args);
	va_end(args);
	return false;
}

bool plot_no_memory(struct plot *p)
{
	return plot_fail(p, "out of memory");
}

struct accuracy *plot_compare(struct plot *p)
{
	struct accuracy *a;

	if (!p->bins || !p->bins->tracks) {
		plot_fail(p, "has too many ticks; ask for longer ones with --every");
		return NULL;
	}
	if (accuracy_make(&a, p->m, p->bins, 1)) {
		plot_no_memory(p);
		return NULL;
	}
	if (!a->none)
		return a;
	plot_fail(p, "%s", a->none);
	accuracy_free(a);
	return NULL;
}
