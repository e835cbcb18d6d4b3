// SPDX-License-Identifier: BSD-2-Clause
#include "processes_sums_doc.h"

#include <math.h>
#include <string.h>

#include "report/base/text.h"

#define VALUE(v, KEY) ((v)->value[MODEL_PROCESS_VALUE(KEY)])

static void sums_table(struct doc *d, const struct processes *p)
{
	static const struct doc_column column[] = {
		{ .key = "event", .kind = DOC_STRING, .known = true },
		{ .key = "processes_ns", .about = "of all rows; null: not measured" },
		{ .key = "cpus_ns", .about = "as the CPUs' exact counters have it" },
		{ .key = "remainder_ns", .about = "what of these is in no row" },
	};
	static const struct doc_table table = {
		.key = "sums", DOC_COLUMNS_OF(column), .keyed = true, .only = DOC_PROGRAMS
	};

	doc_table(d, &table);
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_sum *s = &p->sum[i];

		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, model_event_key(s->event));
		doc_number(d, s->processes_ns);
		doc_number(d, s->cpus_ns);
		doc_number(d, s->cpus_ns - s->processes_ns);
		doc_row_end(d);
	}
	doc_table_end(d);
}

#define TOO_MUCH 0.001 /* of the busy time */

/* Why something was not measured. */
static void source_note(struct doc *d, const struct model *m, const char *name, const char *what)
{
	const struct model_source *s = model_find_source(m, name);

	if (s && strcmp(model_string(m, s->state), "measured"))
		doc_note(d, "  %s were not measured: %s", what, SAFE(model_string(m, s->why)));
}

static void notes(struct doc *d, const struct processes *p)
{
	double remainder = p->cpus_busy_ns - p->busy_ns;

	if (!p->m->records[TRACE_PROCESS_STATS]) {
		doc_note(d,
			 "Nothing was counted by process: netcost-record --processes does that.");
		return;
	}
	if (fabs(remainder) > TOO_MUCH * p->cpus_busy_ns)
		doc_alert(d, "sums", "%s ms of the CPUs' %s ms of busy time are in no row",
			  NUM(remainder * 1e-6, 3), NUM(p->cpus_busy_ns * 1e-6, 3));
	else
		doc_note(d,
			 "  %s ms in rows, %s ms by the CPUs' exact counters: %s ms are in no row",
			 NUM(p->busy_ns * 1e-6, 3), NUM(p->cpus_busy_ns * 1e-6, 3),
			 NUM(remainder * 1e-6, 6));
	if (isnan(VALUE(&p->all, SOCK_SEND_NS)) && isnan(VALUE(&p->all, SOCK_RECV_NS)))
		doc_note(d, "  times of sends and receives were not measured (--exact=entry does "
			    "that); they are in on-CPU time");
	if (VALUE(&p->all, UNSEEN) > 0)
		doc_note(
			d,
			"  %s of %s switches were not seen: the time before each may be of two processes",
			NUM(VALUE(&p->all, UNSEEN), 0), NUM(VALUE(&p->all, SWITCHES), 0));
	source_note(d, p->m, "pmu", "hardware counters");
	source_note(d, p->m, "page-cache", "hits of the page cache");
	if (p->paused_ns > 0)
		doc_note(
			d,
			"  exact times were counted now and then (--budget): rows are of those times, "
			"and %s s are in none",
			NUM(p->paused_ns * 1e-9, 3));
}

void processes_sums_doc(struct doc *d, const struct processes *p)
{
	sums_table(d, p);
	notes(d, p);
}
