// SPDX-License-Identifier: BSD-2-Clause
/* The host: its processes, how it was set, what its user marked. */
#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "real_time.h"
#include "report/analysis/processes.h"
#include "tables_impl.h"

/* ---- processes --------------------------------------------------------------------------- */

static const struct table_column process_column[] = {
	{ "number", NULL, TABLE_UINT, true, "of the row, from 1 on, the most CPU time first" },
	{ "kind", NULL, TABLE_TEXT, true,
	  "process, or what was not kept apart: see netcost-report processes" },
	{ "name", NULL, TABLE_TEXT, false, NULL },
	{ "pid", NULL, TABLE_UINT, false, NULL },
	{ "started_s", "s", TABLE_NUMBER, false, "since the recording began; before it: below 0" },
	{ "kernel", NULL, TABLE_UINT, true, "1: a thread of the kernel" },
	{ "uid", NULL, TABLE_UINT, false, "its user" },
	{ "cgroup", NULL, TABLE_TEXT, false, "the last one that it was seen in" },
	{ "container_runtime", NULL, TABLE_TEXT, false, NULL },
	{ "container", NULL, TABLE_TEXT, false, "its id" },
	{ "pod", NULL, TABLE_TEXT, false, NULL },
	{ "on_cpu_ns", "ns", TABLE_NUMBER, false, "its own, without what interrupted it" },
	{ "network_ns", "ns", TABLE_NUMBER, false, "of that, the network's" },
	{ "interrupted_ns", "ns", TABLE_NUMBER, false,
	  "network softirqs and hard interrupts while it ran, whoever they were for" },
	{ "received_ns", "ns", TABLE_NUMBER, false, "in softirqs, for what it received" },
	{ "received_packets", "packets", TABLE_NUMBER, false, NULL },
	{ "calls", NULL, TABLE_NUMBER, false, "of network sockets" },
	{ "bytes", "bytes", TABLE_NUMBER, false, "sent and received by them" },
	{ "switches", NULL, TABLE_NUMBER, false, "times that it got a CPU" },
};

/* Without --owners it is not known for whom packets were: that is 0 in the model. */
static void times(struct rows *r, const struct processes_values *v, bool owners)
{
	const double value[] = { v->on_cpu_ns,
				 v->network_ns,
				 v->interrupted_ns,
				 owners ? v->received_ns : NAN,
				 owners ? v->received_packets : NAN,
				 v->calls,
				 v->bytes,
				 v->value[MODEL_PROCESS_VALUE(SWITCHES)] };

	for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++)
		rows_number(r, value[i]);
}

static void process(struct rows *r, const struct model *m, const struct processes_row *p)
{
	bool one = p->kind == PROCESSES_ONE;
	const struct container *c = one ? p->container : NULL;

	rows_begin(r);
	rows_uint(r, r->n + 1);
	rows_text(r, processes_kinds[p->kind]);
	rows_text_known(r, one && p->name ? p->name : "");
	rows_uint(r, one ? p->pid : TRACE_NIL);
	rows_number(r, one && p->start_ns != TRACE_NIL ? model_seconds(m, p->start_ns) : NAN);
	rows_uint(r, one && p->kernel);
	rows_uint(r, one ? p->user : TRACE_NIL);
	rows_text_known(r, one && p->cgroup ? p->cgroup : "");
	rows_text_known(r, c ? c->runtime : "");
	rows_text_known(r, c ? c->id : "");
	rows_text_known(r, c ? c->pod : "");
	times(r, &p->v, model_fates(m));
	rows_end(r);
}

static int processes(struct rows *r, const struct tables_source *from)
{
	struct processes p;
	int err;

	if (!from->m->nprocesses)
		return 0;
	err = processes_make(&p, from->m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU,
			     (size_t)from->m->nprocesses + 1);
	if (err)
		return err;
	for (size_t i = 0; i < p.nrows; i++)
		process(r, from->m, &p.row[i]);
	processes_free(&p);
	return 0;
}

const struct table table_processes = {
	.name = "processes",
	.about = "What was counted by process, of recordings with --processes",
	TABLE_COLUMNS(process_column),
	.order = "number",
	.fill = processes,
};

/* ---- settings ---------------------------------------------------------------------------- */

static const struct table_column setting_column[] = {
	{ "subject", NULL, TABLE_TEXT, true, "such as net.core, cpu, interface eth0" },
	{ "name", NULL, TABLE_TEXT, true, NULL },
	{ "value", NULL, TABLE_TEXT, false, "when the recording ended; null: it was not read" },
	{ "first_value", NULL, TABLE_TEXT, false, "when it began; likewise" },
	{ "changed", NULL, TABLE_UINT, true, "1: while it was recorded" },
	{ "why", NULL, TABLE_TEXT, false, "why it was not read" },
};

static int settings(struct rows *r, const struct tables_source *from)
{
	const struct model *m = from->m;

	for (size_t i = 0; i < m->nsettings; i++) {
		const struct model_setting *s = &m->setting[i];

		rows_begin(r);
		rows_text(r, model_string(m, s->subject));
		rows_text(r, model_string(m, s->name));
		rows_text(r, s->why ? NULL : model_string(m, s->value));
		rows_text(r, s->first_why ? NULL : model_string(m, s->first));
		rows_uint(r, model_setting_changed(m, s));
		rows_text(r, s->why ? model_string(m, s->why) : NULL);
		rows_end(r);
	}
	return 0;
}

const struct table table_settings = {
	.name = "settings",
	.about = "How the host was set",
	TABLE_COLUMNS(setting_column),
	.order = "subject, name",
	.fill = settings,
};

/* ---- marks ------------------------------------------------------------------------------- */

static const struct table_column mark_column[] = {
	{ "number", NULL, TABLE_UINT, true, "of the mark, from 1 on" },
	{ "time", NULL, TABLE_TIME, false, "when it was; null: not known" },
	{ "at_s", "s", TABLE_NUMBER, false, "likewise, since the recording began" },
	{ "text", NULL, TABLE_TEXT, true, NULL },
};

static int marks(struct rows *r, const struct tables_source *from)
{
	const struct model *m = from->m;

	for (size_t i = 0; i < m->nmoments; i++) {
		const struct model_moment *at = &m->moment[i];
		uint64_t real_ns = 0;
		bool known = real_time_ns(m, at->at_ns, &real_ns);

		rows_begin(r);
		rows_uint(r, i + 1);
		rows_time(r, real_ns, known);
		rows_number(r, at->at_ns == TRACE_NIL ? NAN : model_seconds(m, at->at_ns));
		rows_text(r, model_string(m, at->text));
		rows_end(r);
	}
	return 0;
}

const struct table table_marks = {
	.name = "marks",
	.about =
		"Moments that the user marked: the first 1000 of a recording, which says how many there are",
	TABLE_COLUMNS(mark_column),
	.order = "number",
	.fill = marks,
};
