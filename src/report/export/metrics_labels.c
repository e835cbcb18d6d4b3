// SPDX-License-Identifier: BSD-2-Clause
/* Labels: names of a trace as OpenMetrics has them. */
#include <inttypes.h>
#include <string.h>

#include "clean.h"
#include "metrics.h"

static bool append(struct metric_labels *l, const char *text, size_t n)
{
	if (l->len + n >= sizeof(l->text))
		return false;
	memcpy(l->text + l->len, text, n);
	l->len += n;
	l->text[l->len] = '\0';
	return true;
}

static bool append_value(struct metric_labels *l, const char *value)
{
	char text[METRIC_LABEL_MOST];

	clean_utf8(text, sizeof(text), value);
	for (const char *p = text; *p; p++)
		if (((*p == '"' || *p == '\\') && !append(l, "\\", 1)) || !append(l, p, 1))
			return false;
	return true;
}

/* All of it, or nothing: what does not fit is not there. */
void metric_label(struct metric_labels *l, const char *name, const char *value)
{
	size_t before = l->len;

	if ((before && !append(l, ",", 1)) || !append(l, name, strlen(name)) ||
	    !append(l, "=\"", 2) || !append_value(l, value) || !append(l, "\"", 1)) {
		l->len = before;
		l->text[before] = '\0';
	}
}

void metric_label_uint(struct metric_labels *l, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	metric_label(l, name, text);
}
