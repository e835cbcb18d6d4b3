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

bool plot_compare(struct plot *p, bool (*draw)(struct plot *p, const struct accuracy *a))
{
	struct accuracy *a;
	bool ok;

	if (!p->bins || !p->bins->tracks)
		return plot_fail(p, "has too many ticks; ask for longer ones with --every");
	if (accuracy_make(&a, p->m, p->bins, 1))
		return plot_no_memory(p);
	ok = a->none ? plot_fail(p, "%s", a->none) : draw(p, a);
	accuracy_free(a);
	return ok;
}
