// SPDX-License-Identifier: BSD-2-Clause
#include "certificate_doc.h"

#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/base/text.h"

#define TEXT 1024

static const char *string(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : "-";
}

bool certificate_is(const struct model *m, const struct model_certificate *c, const char *state)
{
	return !strcmp(model_string(m, c->state), state);
}

bool certificate_is_of_more(const struct model *m)
{
	const char *s = model_string(m, m->header.derived.first);

	for (uint32_t i = 0; i < m->header.derived.n; i++, s += strlen(s) + 1)
		if (!strncmp(s, "cut", 3))
			return true;
	return m->window != NULL;
}

char *certificate_text(const struct model *m, const struct model_certificate *c, char *dst,
		       size_t size)
{
	dst[0] = '\0';
	if (!isnan(c->injected_ns))
		text_append(dst, size, ", ", "injected %s ms, found %s +- %s in RX softirq",
			    NUM(1e-6 * c->injected_ns, 2), NUM(1e-6 * c->found_ns, 2),
			    NUM(1e-6 * c->error_ns, 2));
	if (!isnan(c->packets))
		text_append(dst, size, ", ", "%s of %s packets", NUM(c->packets_counted, 0),
			    NUM(c->packets, 0));
	if (!isnan(c->tested))
		text_append(dst, size, ", ", "%s of %s kinds of calls", NUM(c->seen, 0),
			    NUM(c->tested, 0));
	text_append(dst, size, ": ", "%s", SAFE(string(m, c->state)));
	if (*model_string(m, c->why))
		text_append(dst, size, ": ", "%s", SAFE(model_string(m, c->why)));
	return dst;
}

static void lines(struct doc *d, const struct model *m)
{
	char text[TEXT];

	for (size_t i = 0; i < m->ncertificates; i++)
		doc_subline(d, i ? "" : "certificate", SAFE(string(m, m->certificate[i].when)),
			    certificate_text(m, &m->certificate[i], text, sizeof(text)));
	if (m->ncertificates && certificate_is_of_more(m))
		doc_line(d, "", "%s", CERTIFICATE_OF_MORE);
}

static void row(struct doc *d, const struct model *m, const struct model_certificate *c)
{
	doc_row(d, 0, DOC_ALL);
	doc_string(d, c->when ? model_string(m, c->when) : NULL);
	doc_string(d, c->state ? model_string(m, c->state) : NULL);
	doc_string(d, c->why ? model_string(m, c->why) : NULL);
	doc_number(d, c->cpu);
	doc_number(d, c->injected_ns);
	doc_number(d, c->found_ns);
	doc_number(d, c->error_ns);
	doc_number(d, c->packets);
	doc_number(d, c->packets_counted);
	doc_number(d, c->bytes);
	doc_number(d, c->bytes_counted);
	doc_number(d, c->tested);
	doc_number(d, c->seen);
	doc_number(d, 1e-6 * c->took_ns);
	doc_number(d, 1e-6 * c->cpu_ns);
	doc_row_end(d);
}

static void table(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "when", .kind = DOC_STRING, .about = "start or end of the recording" },
		{ .key = "state", .kind = DOC_STRING, .about = "passed, failed or impossible" },
		{ .key = "why", .kind = DOC_STRING, .about = "what failed, or why impossible" },
		{ .key = "cpu", .whole = true },
		{ .key = "injected_ns", .whole = true, .about = "a program spun for so long" },
		{ .key = "found_ns", .about = "so much longer was the RX softirq for it" },
		{ .key = "error_ns", .whole = true, .about = "half of found_ns' interval" },
		{ .key = "packets", .whole = true },
		{ .key = "packets_counted", .whole = true },
		{ .key = "bytes", .whole = true },
		{ .key = "bytes_counted", .whole = true },
		{ .key = "tested", .whole = true, .about = "kinds of calls" },
		{ .key = "seen", .whole = true, .about = "those that were counted" },
		{ .key = "took_ms", .precision = 3 },
		{ .key = "cpu_ms", .precision = 3, .about = "CPU time that it took" },
	};
	static const struct doc_table desc = {
		.key = "certificates",
		.about = "what the recorder counted of a known load of its own",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS
	};

	doc_table(d, &desc);
	for (size_t i = 0; i < m->ncertificates; i++)
		row(d, m, &m->certificate[i]);
	doc_table_end(d);
}

void certificate_doc(struct doc *d, const struct model *m)
{
	if (doc_is_for(d, DOC_PEOPLE))
		lines(d, m);
	else if (doc_optional(d, m->ncertificates))
		table(d, m);
}
