// SPDX-License-Identifier: BSD-2-Clause
#include "diff_processes_doc.h"

#include <math.h>
#include <string.h>

#include "process_title.h"
#include "report/base/text.h"

enum kind { KIND_ONE, KIND_OTHERS, KIND_SUM, KINDS };

static const char *const kinds[KINDS + 1] = { "one", "others", "sum", NULL };

/* in: what keys begin with. */
#define SIDE(in, what, title_)                                                                     \
	{                                                                                          \
		.key = in "." what, .title = title_, .decimals = 3, .precision = 6, .width = 9     \
	}
#define WATTS(in)                                                                                  \
	{ .key = in ".low_w", .precision = 6 },                                                    \
	{                                                                                          \
		.key = in ".high_w", .precision = 6                                                \
	}

static const struct doc_column columns[] = {
	{ .title = "", .kind = DOC_STRING, .width = DIFF_PROCESS_TEXT - 1 },
	{ .key = "by", .kind = DOC_STRING, .known = true, .choices = diff_processes_names },
	{ .key = "kind",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = kinds,
	  .about = "others: all that have no row here, and what the recorders did not keep apart" },
	{ .key = "name", .kind = DOC_STRING, .about = "null: not known, or not one" },
	{ .key = "kernel", .kind = DOC_BOOL, .about = "threads of the kernel" },
	SIDE("before", "on_cpu", "before"),
	SIDE("before", "network", NULL),
	SIDE("before", "received", NULL),
	WATTS("before"),
	SIDE("after", "on_cpu", "after"),
	SIDE("after", "network", NULL),
	SIDE("after", "received", NULL),
	WATTS("after"),
	{ .key = "on_cpu_change",
	  .title = "change",
	  .decimals = 3,
	  .precision = 6,
	  .width = 10,
	  .sign = true },
	{ .title = "net before", .decimals = 3, .width = 11 },
	{ .title = "net after", .decimals = 3, .width = 10 },
	{ .key = "network_change",
	  .title = "change",
	  .decimals = 3,
	  .precision = 6,
	  .width = 10,
	  .sign = true },
	{ .key = "received_change",
	  .ci_key = "received_change_ci95",
	  .kind = DOC_INTERVAL,
	  .precision = 6,
	  .about = "packets for its sockets, with what is dealt out; null: not recorded. Half of "
		   "its 95 % interval: by looking at one softirq in N; 0: at all" },
	{ .title = "W before", .kind = DOC_STRING, .width = 17 },
	{ .title = "W after", .kind = DOC_STRING, .width = 17 },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* ---- rows -------------------------------------------------------------------------------- */

static void side(struct doc *d, const struct diff_process_side *s)
{
	doc_number(d, s->on_cpu);
	doc_number(d, s->network);
	doc_number(d, s->received);
	doc_number(d, s->watts.low);
	doc_number(d, s->watts.high);
}

static const char *range(char *dst, size_t size, const struct energy_range *r)
{
	snprintf(dst, size, "%s to %s", NUM(r->low, 3), NUM(r->high, 3));
	return dst;
}

static void row(struct doc *d, enum diff_processes_by by, enum kind kind, const char *shown,
		const struct diff_process *p)
{
	char before[80], after[80];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, shown);
	doc_string(d, diff_processes_names[by]);
	doc_string(d, kinds[kind]);
	doc_string(d, kind == KIND_ONE && *p->name ? p->name : NULL);
	doc_bool(d, p->kernel);
	side(d, &p->before);
	side(d, &p->after);
	doc_number(d, p->after.on_cpu - p->before.on_cpu);
	doc_number(d, p->before.network);
	doc_number(d, p->after.network);
	doc_number(d, p->after.network - p->before.network);
	doc_interval(d, p->after.received - p->before.received, diff_process_received_ci95(p));
	doc_string(d, range(before, sizeof(before), &p->before.watts));
	doc_string(d, range(after, sizeof(after), &p->after.watts));
	doc_row_end(d);
}

const char *diff_process_text(char *dst, size_t size, enum diff_processes_by by,
			      const struct diff_process *p)
{
	const char *name = *p->name ? p->name : "not known";

	if (by == DIFF_BY_CGROUP)
		return process_path(dst, size, name);
	if (by == DIFF_BY_USER)
		process_user_title(dst, size, p->name, p->kernel);
	else
		snprintf(dst, size, p->kernel ? "[%s]" : "%s", name);
	return dst;
}

static void rows(struct doc *d, enum diff_processes_by by, const struct diff_process_table *t)
{
	char shown[DIFF_PROCESS_TEXT];

	for (size_t i = 0; i < t->n; i++)
		row(d, by, KIND_ONE, diff_process_text(shown, sizeof(shown), by, &t->row[i]),
		    &t->row[i]);
	row(d, by, KIND_OTHERS, "everything else", &t->others);
	row(d, by, KIND_SUM, "sum", &t->all);
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool has_energy(const struct diff_processes *p)
{
	const struct diff_process *all = &p->table[0].all;

	return !isnan(all->before.watts.high) || !isnan(all->after.watts.high);
}

static void set_columns(struct doc_column to[COLUMNS], bool energy, int decimals)
{
	memcpy(to, columns, sizeof(columns));
	for (size_t i = 0; i < COLUMNS; i++) {
		if (to[i].kind == DOC_NUMBER && to[i].decimals)
			to[i].decimals = (uint8_t)decimals;
		if (to[i].title && to[i].title[0] == 'W' && !energy)
			to[i].only = DOC_PROGRAMS;
	}
}

void diff_processes_doc(struct doc *d, const struct diff_processes *p, int decimals)
{
	static const char *const titles[DIFF_BYS] = {
		[DIFF_BY_NAME] = "Processes by name: on CPUs, and of that the network's; exact",
		[DIFF_BY_CGROUP] = "Cgroups by path, likewise",
		[DIFF_BY_USER] = "Users by id, likewise",
	};
	struct doc_column column[COLUMNS];
	const struct doc_table table = { .key = "processes",
					 .about = "their own time, exact, in the unit of costs",
					 .title = titles[0],
					 .above = true,
					 .column = column,
					 .ncolumns = COLUMNS };

	set_columns(column, has_energy(p), decimals);
	doc_table(d, &table);
	for (enum diff_processes_by by = 0; by < DIFF_BYS; by++) {
		if (by == DIFF_BY_USER && !p->table[by].there)
			continue;
		if (by)
			doc_section(d, titles[by]);
		rows(d, by, &p->table[by]);
	}
	doc_table_end(d);
	doc_note(
		d,
		"  times of processes are exact, so they have no intervals: they change with the load, "
		"too, and are not tested");
	if (has_energy(p))
		doc_note(
			d,
			"  W: a range, from the share of what is above idle power to that of all power by CPU time");
}
