// SPDX-License-Identifier: BSD-2-Clause
/* The page: the sections that show tables and lines of the reports, or say that there is nothing to show. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "page.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/analysis/breakdown.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes.h"
#include "report/analysis/top.h"
#include "report/tables/accuracy_doc.h"
#include "report/tables/breakdown_doc.h"
#include "report/tables/cost_doc.h"
#include "report/tables/bill_doc.h"
#include "report/tables/drops_doc.h"
#include "report/tables/energy_doc.h"
#include "report/tables/inside_doc.h"
#include "report/tables/latency_by_doc.h"
#include "report/tables/latency_doc.h"
#include "report/tables/latency_tail_doc.h"
#include "report/tables/per_doc.h"
#include "report/tables/probes_doc.h"
#include "report/tables/processes_doc.h"
#include "report/tables/recording_doc.h"
#include "report/tables/settings_doc.h"
#include "report/tables/split_doc.h"
#include "report/tables/stages_doc.h"
#include "report/tables/timeline_doc.h"
#include "report/tables/top_doc.h"
#include "report/tables/traffic.h"

#define FUNCTIONS 20
#define ROWS 20
#define CPU_ROWS 256
#define PRECISION 1 /* point of CPU time */

/* ---- where the time went ----------------------------------------------------------------- */

int page_time(const struct page *p, struct doc *d)
{
	page_glance(p);
	split_tree(d, p->s);
	return 0;
}

int page_inside(const struct page *p, struct doc *d)
{
	if (!p->m->samples)
		doc_note(d, "There are no samples to sort.");
	else if (!p->s->inside.rules)
		doc_note(d, "The samples do not measure time; see Functions.");
	else
		inside_categories(d, p->s, false);
	return 0;
}

int page_rx(const struct page *p, struct doc *d)
{
	const struct summary_rx *rx = &p->s->rx;

	if (!(rx->ns > 0))
		doc_note(d, "No exact time in the RX softirq.");
	else if (isnan(rx->self_ns))
		doc_note(d, "Its parts were not counted exactly; --exact=full counts them.");
	inside_rx(d, p->s);
	return 0;
}

int page_functions(const struct page *p, struct doc *d)
{
	struct top t;

	if (top_make(&t, p->m, LEAF_NETWORK, FUNCTIONS))
		return -ENOMEM;
	top_table(d, &t);
	if (!t.samples)
		doc_note(d, "No samples of the network.");
	top_free(&t);
	return 0;
}

/* ---- what the network did ---------------------------------------------------------------- */

int page_costs(const struct page *p, struct doc *d)
{
	traffic_costs(d, p->s);
	traffic_calls(d, p->s);
	return 0;
}

/* There may be hundreds. */
static int latency_by(const struct page *p, struct doc *d, enum netcost_latency_by by)
{
	size_t n = latency_by_rows(p->m, by);
	int err;

	if (!n)
		return 0;
	doc_title(d, "");
	fprintf(p->out, "<details>\n<summary>By hook and %s: %zu rows</summary>\n",
		latency_by_keys[by], n);
	err = latency_by_table(d, p->m, by);
	fputs("</details>\n", p->out);
	return err;
}

int page_latency(const struct page *p, struct doc *d)
{
	int err = 0;

	if (!model_is_of_all(p->m)) {
		doc_note(d, "This is known of all CPUs and tasks only.");
		return 0;
	}
	latency_table(d, p->m);
	for (enum netcost_latency_by by = 0; !err && by < NETCOST_LATENCY_BY_COUNT; by++)
		err = latency_by(p, d, by);
	return err;
}

bool page_has_tail(const struct page *p)
{
	return model_has_probes(p->m, NETCOST_OF_TAIL) && model_is_of_all(p->m);
}

int page_tail(const struct page *p, struct doc *d)
{
	return latency_tail_table(d, p->m);
}

bool page_has_stages(const struct page *p)
{
	return p->m->stages && model_is_of_all(p->m);
}

int page_stages(const struct page *p, struct doc *d)
{
	return stages_table(d, p->m);
}

int page_interfaces(const struct page *p, struct doc *d)
{
	int err;

	if (!p->m->nnetdevs)
		doc_note(d, "The trace names no interfaces.");
	traffic_interfaces(d, p->s);
	softirqs_doc(d, p->s);
	interrupts_doc(d, p->s);
	err = drops_doc(d, p->s);
	return err ? err : bill_doc(d, p->s);
}

int page_energy(const struct page *p, struct doc *d)
{
	if (!p->m->nzones)
		doc_note(d, "Energy was not measured.");
	energy_doc(d, p->s);
	if (per_is_wanted(p->s))
		per_doc(d, p->s);
	return 0;
}

/* ---- by CPU, task, process, cgroup ------------------------------------------------------- */

static int by(const struct page *p, struct doc *d, enum breakdown_kind kind, size_t n)
{
	struct breakdown b;
	int err = breakdown_make(&b, p->s, kind, n, NULL);

	if (err)
		return err;
	if (b.n)
		breakdown_table(d, &b);
	breakdown_free(&b);
	return 0;
}

/* One group says nothing that another table does not. */
static bool tells_apart(const struct processes *p)
{
	return p->groups > 1 || (p->by != PROCESSES_BY_CONTAINER && p->by != PROCESSES_BY_USER);
}

static int processes(const struct page *p, struct doc *d, enum processes_by kind)
{
	struct processes made;
	int err;

	if (!p->m->nprocesses || !model_is_of_all(p->m))
		return 0;
	err = processes_make(&made, p->m, kind, PROCESSES_SORT_CPU, ROWS);
	if (err)
		return err;
	if (tells_apart(&made))
		processes_table(d, &made, kind == PROCESSES_BY_PROCESS);
	processes_free(&made);
	return 0;
}

int page_tasks(const struct page *p, struct doc *d)
{
	int err = processes(p, d, PROCESSES_BY_PROCESS);

	if (!err)
		err = processes(p, d, PROCESSES_BY_USER);
	if (err)
		return err;
	if (!p->m->samples) {
		doc_note(d, "There are no samples, and tasks are known only by samples.");
		return 0;
	}
	err = by(p, d, BREAKDOWN_PROCESS, ROWS);
	return err ? err : by(p, d, BREAKDOWN_TASK, ROWS);
}

int page_cgroups(const struct page *p, struct doc *d)
{
	int err = processes(p, d, PROCESSES_BY_CGROUP);

	if (!err)
		err = processes(p, d, PROCESSES_BY_CONTAINER);
	if (err)
		return err;
	if (!p->m->samples)
		doc_note(d, "There are no samples, and cgroups are known only by samples.");
	else if (!p->m->ncgroups)
		doc_note(d, "Cgroups were not recorded.");
	else
		return by(p, d, BREAKDOWN_CGROUP, ROWS);
	return 0;
}

int page_owners(const struct page *p, struct doc *d)
{
	int err;

	if (!p->m->nfates || !model_is_of_all(p->m)) {
		doc_note(d, "%s",
			 p->m->nfates ?
				 "This is known of all CPUs and tasks only." :
				 "This was not recorded: netcost-record --owners does that.");
		return 0;
	}
	err = processes_owners(d, p->m, PROCESSES_BY_PROCESS, ROWS, true);
	if (err)
		return err;
	doc_title(d, "By cgroup");
	return processes_owners(d, p->m, PROCESSES_BY_CGROUP, ROWS, false);
}

int page_cpus(const struct page *p, struct doc *d)
{
	if (!p->s->split.ncpus)
		doc_note(d, "No CPU has any time.");
	return by(p, d, BREAKDOWN_CPU, CPU_ROWS);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

int page_timeline(const struct page *p, struct doc *d)
{
	if (p->intervals->n)
		return timeline_table(d, p->intervals, p->m);
	if (p->intervals->too_many)
		doc_note(d, "There are too many ticks; use --every for longer rows.");
	else
		doc_note(d, "There are fewer than two ticks, so there are no rows.");
	return 0;
}

int page_accuracy(const struct page *p, struct doc *d)
{
	struct accuracy *a;
	const struct intervals *iv = p->bins->iv ? p->bins->iv : p->intervals;
	bool many = iv->n || iv->too_many;

	if (!iv->n || !p->bins->tracks) {
		doc_note(d, "%s",
			 many ? "There are too many cells; use --every for longer pieces of time." :
				"There are fewer than two ticks: nothing to compare.");
		return 0;
	}
	if (accuracy_make(&a, p->m, p->bins, PRECISION))
		return -ENOMEM;
	accuracy_tables(d, a, false);
	accuracy_free(a);
	return 0;
}

/* ---- the recording ----------------------------------------------------------------------- */

/* Hundreds of rows, which few look at. */
static void settings(const struct page *p, struct doc *d)
{
	if (!p->m->nsettings)
		return;
	doc_title(d, "");
	fprintf(p->out, "<details>\n<summary>How the host was set: %zu settings</summary>\n",
		p->m->nsettings);
	settings_table(d, p->m);
	fputs("</details>\n", p->out);
}

int page_recording(const struct page *p, struct doc *d)
{
	const struct model *m = p->m;
	char size[80] = "";

	recording_quality(d, p->s);
	/* A window has no size of its own: it is no file. */
	if (!m->window)
		snprintf(size, sizeof(size), ", %" PRIu64 " bytes, %" PRIu64 " frames",
			 m->status.bytes, m->status.frames);
	doc_line(d, "trace", "format %" PRIu64 ".%" PRIu64 "%s; ended by: %s", m->header.major,
		 m->header.minor, size, m->end.why ? model_string(m, m->end.why) : "-");
	recording_procstat(d, p->s);
	settings(p, d);
	return 0;
}

int page_probes(const struct page *p, struct doc *d)
{
	if (model_has_probes(p->m, NETCOST_OF_EVENT) || model_has_probes(p->m, NETCOST_OF_PART))
		probes_doc(d, p->m);
	else
		doc_note(d, "The trace names no probes.");
	cost_doc(d, p->m);
	return 0;
}

int page_sources(const struct page *p, struct doc *d)
{
	if (p->m->nsources)
		sources_doc(d, p->m);
	else
		doc_note(d, "The trace names no sources.");
	return 0;
}
