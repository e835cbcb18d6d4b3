// SPDX-License-Identifier: BSD-2-Clause
/* The page: functions; the split by task, process, cgroup, CPU and piece of time. */
#include <inttypes.h>
#include <math.h>

#include "page.h"
#include "report/analysis/by.h"
#include "report/analysis/timeline.h"
#include "report/analysis/top.h"
#include "report/base/escape.h"
#include "report/base/html.h"
#include "report/base/text.h"
#include "report/model/filter.h"

#define FUNCTIONS 20
#define ROWS 20
#define CPU_ROWS 256

/* ---- functions --------------------------------------------------------------------------- */

static void function_row(const struct page *p, const struct top_row *r)
{
	char mostly[128];

	html_row(p->out, 0, *r->name ? r->name : "[unknown]");
	html_cell_share(p->out, r->self.share, r->self.ci95);
	html_cell_share(p->out, r->inclusive.share, r->inclusive.ci95);
	snprintf(mostly, sizeof(mostly), "%s (%s %%)", r->category->title,
		 PERCENT(r->category_share, 0));
	html_cell_text(p->out, r->category_share < 0.995 ? mostly : r->category->title);
	html_cell_text(p->out, r->module);
	html_row_end(p->out);
}

static void functions(const struct page *p, const struct top *t)
{
	static const struct html_column columns[] = {
		{ "function", true },	  { "self %", false },
		{ "inclusive %", false }, { "mostly (so much of it)", true },
		{ "module", true },
	};
	char caption[128];

	snprintf(caption, sizeof(caption),
		 "Of the network's samples, %" PRIu64 " of %" PRIu64 ": shares in %%", t->samples,
		 t->of);
	html_table(p->out, caption, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < t->n; i++)
		function_row(p, &t->row[i]);
	html_table_end(p->out);
	if (t->functions > t->n)
		html_paragraph(p->out, "note", "%zu others: %s %% themselves.", t->functions - t->n,
			       PERCENT((double)t->rest / (double)t->samples, 2));
}

bool page_functions(const struct page *p)
{
	struct top t;

	if (top_make(&t, p->m, LEAF_NETWORK, FUNCTIONS))
		return false;
	if (t.samples)
		functions(p, &t);
	else
		html_paragraph(p->out, "note", "No samples of the network.");
	top_free(&t);
	return true;
}

/* ---- columns that tables of the split have ----------------------------------------------- */

#define SPLIT_COLUMNS (BY_COLUMNS + 2)
#define COLUMNS_MAX (SPLIT_COLUMNS + 8)

struct columns {
	struct html_column c[COLUMNS_MAX];
	size_t n;
	bool task; /* user mode is not told from the kernel everywhere */
};

static void add(struct columns *to, const char *title, bool text)
{
	to->c[to->n++] = (struct html_column){ title, text };
}

static bool is_shown(const struct columns *c, size_t i)
{
	return by_column[i].leaves != LEAF_BIT(TASK) || c->task;
}

static void add_split(struct columns *to)
{
	for (size_t i = 0; i < BY_COLUMNS; i++)
		if (is_shown(to, i))
			add(to, by_column[i].title, false);
	add(to, "network", false);
	add(to, "by samples", false);
}

static void split_cells(const struct page *p, const struct columns *columns,
			const struct split_cpu *c)
{
	struct split_value network = split_sum(c, LEAF_NETWORK);

	for (size_t i = 0; i < BY_COLUMNS; i++)
		if (is_shown(columns, i))
			html_cell(p->out,
				  PERCENT(split_sum(c, by_column[i].leaves).ns / c->wall_ns, 2));
	html_cell(p->out, PERCENT(network.ns / c->wall_ns, 2));
	html_cell_share(p->out, network.sampled, network.sampled_ci95);
}

/* ---- by CPU, task, process, cgroup ------------------------------------------------------- */

static void by_row(const struct page *p, const struct columns *columns, const char *name,
		   const struct by_row *r)
{
	html_row(p->out, 0, name);
	html_cell(p->out, NUM((double)r->samples, 0));
	html_cell(p->out, NUM(r->split.wall_ns / 1e6, 1));
	split_cells(p, columns, &r->split);
	html_row_end(p->out);
}

static void by_table(const struct page *p, const struct by *by, const char *caption)
{
	struct columns columns = { .task = by_has_column(&by->all.split, BY_COLUMNS - 1) };
	char name[SAFE_SIZE];

	add(&columns, by_names[by->kind], true);
	add(&columns, "samples", false);
	add(&columns, "CPU ms", false);
	add_split(&columns);
	html_table(p->out, caption, columns.c, columns.n);
	for (size_t i = 0; i < by->n; i++)
		by_row(p, &columns, by_row_name(by, &by->row[i], name, sizeof(name)), &by->row[i]);
	if (by->nothers) {
		snprintf(name, sizeof(name), "%zu others", by->nothers);
		by_row(p, &columns, name, &by->others);
	}
	by_row(p, &columns, "all", &by->all);
	html_table_end(p->out);
}

static bool by_section(const struct page *p, enum by_kind kind, size_t n, const char *caption)
{
	struct by by;

	if (by_make(&by, p->s, kind, n, NULL))
		return false;
	if (by.n)
		by_table(p, &by, caption);
	by_free(&by);
	return true;
}

static void sampled_notes(const struct page *p)
{
	html_paragraph(p->out, "note",
		       "By samples alone: exact counters are per CPU, not per task.%s",
		       p->s->split.all.leaf[LEAF_IDLE].how == SPLIT_EXACT ?
			       " Idle time, which is known exactly, is in no row." :
			       "");
}

bool page_tasks(const struct page *p)
{
	if (!p->m->samples) {
		html_paragraph(p->out, "note", "There are no samples: tasks are known by those.");
		return true;
	}
	if (!by_section(p, BY_PROCESS, ROWS, "Processes, % of the row's CPU time") ||
	    !by_section(p, BY_TASK, ROWS, "Tasks, % of the row's CPU time"))
		return false;
	sampled_notes(p);
	return true;
}

bool page_cgroups(const struct page *p)
{
	if (!p->m->ncgroups || !p->m->samples) {
		html_paragraph(p->out, "note", "%s",
			       p->m->samples ? "Cgroups were not recorded." :
					       "There are no samples: cgroups are known by those.");
		return true;
	}
	if (!by_section(p, BY_CGROUP, ROWS, "Cgroups, % of the row's CPU time"))
		return false;
	sampled_notes(p);
	return true;
}

bool page_cpus(const struct page *p)
{
	if (!p->s->split.ncpus)
		html_paragraph(p->out, "note", "Of no CPU there is any time.");
	return by_section(p, BY_CPU, CPU_ROWS,
			  "CPUs, % of the row's time; most network time first");
}

/* ---- pieces of time ---------------------------------------------------------------------- */

/* Marks of a row are one cell. */
static void marks_cell(const struct page *p, const struct timeline_row *r)
{
	fputs("<td class=\"t\">", p->out);
	for (size_t i = r->moment; i < r->moment + r->nmoments; i++) {
		fputs(i > r->moment ? "; " : "", p->out);
		html_text(p->out, model_string(p->m, p->m->moment[i].text));
	}
	fputs("</td>", p->out);
}

static void timeline_cells(const struct page *p, const struct columns *columns,
			   const struct timeline_row *r)
{
	html_row(p->out, 0, NUM(r->begin_s, 3));
	html_cell(p->out, NUM(r->end_s, 3));
	split_cells(p, columns, &r->split);
	html_cell(p->out, NUM(r->packets_per_s, 0));
	html_cell(p->out, NUM(r->bits_per_s / 1e6, 1));
	html_cell(p->out, NUM(r->network_w, 2));
	marks_cell(p, r);
	html_row_end(p->out);
}

static bool timeline_rows(const struct page *p, const struct columns *columns)
{
	struct timeline_row r = { 0 };
	struct timeline t;

	timeline_init(&t, p->intervals, p->m);
	for (size_t i = 0; i < p->intervals->n; i++) {
		if (timeline_row(&r, &t, i))
			return false;
		timeline_cells(p, columns, &r);
	}
	return true;
}

/* Where a CPU has no samples in some piece user mode is not told from the kernel. */
static bool find_task(const struct page *p, bool *task)
{
	struct split_cpu all;

	for (size_t i = 0; !*task && i < p->intervals->n; i++) {
		if (interval_split(p->intervals, i, p->m, &all))
			return false;
		*task = all.leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED;
	}
	return true;
}

bool page_timeline(const struct page *p)
{
	struct columns columns = { .n = 0 };
	bool ok;

	if (!p->intervals->n) {
		html_paragraph(p->out, "note", "%s",
			       p->intervals->too_many ?
				       "There are too many ticks; --every asks for longer rows." :
				       "There are fewer than two ticks: nothing to make rows of.");
		return true;
	}
	if (!find_task(p, &columns.task))
		return false;
	add(&columns, "from s", true);
	add(&columns, "to s", false);
	add_split(&columns);
	add(&columns, "packets/s", false);
	add(&columns, "Mbit/s", false);
	add(&columns, "network W", false);
	add(&columns, "marks", true);
	html_table(p->out, "Pieces of time, % of CPU time; exact where that is known", columns.c,
		   columns.n);
	ok = timeline_rows(p, &columns);
	html_table_end(p->out);
	if (p->intervals->outside)
		html_paragraph(p->out, "note",
			       "%" PRIu64
			       " samples before the first tick or behind the last are in no row.",
			       p->intervals->outside);
	return ok;
}
