// SPDX-License-Identifier: BSD-2-Clause
#include "export.h"

#include <stdlib.h>
#include <string.h>

const struct export_format *const export_format[EXPORT_FORMATS] = {
	&export_openmetrics, &export_pprof,  &export_firefox,
	&export_perfetto,    &export_tables, &export_sqlite,
};

const struct export_format export_sqlite = {
	.name = "sqlite",
	.help = "all tables of the command sql, of many traces, as a database file",
	.takes = EXPORT_TAKES_HOST,
	.binary = true,
};

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < EXPORT_FORMATS; i++)
		if (!strcmp(export_format[i]->name, name))
			return export_format[i];
	return NULL;
}

struct exporter *exporter_make(const struct export_format *format)
{
	struct exporter *e = calloc(1, format->size);

	if (e) {
		e->format = format;
		e->watch = format->watch;
		e->watch.ctx = e;
	}
	return e;
}

void exporter_free(struct exporter *e)
{
	if (e->format->free)
		e->format->free(e);
	free(e);
}
