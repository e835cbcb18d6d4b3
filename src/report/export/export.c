// SPDX-License-Identifier: BSD-2-Clause
#include "export.h"

#include <string.h>

const struct export_format *const export_format[EXPORT_FORMATS] = {
	&export_openmetrics,
	&export_pprof,
	&export_firefox,
	&export_tables,
};

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < EXPORT_FORMATS; i++)
		if (!strcmp(export_format[i]->name, name))
			return export_format[i];
	return NULL;
}
