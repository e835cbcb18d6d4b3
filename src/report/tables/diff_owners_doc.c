// SPDX-License-Identifier: BSD-2-Clause
#include "diff_owners_doc.h"

#include "diff_processes_doc.h"
#include "fate_doc.h"
#include "report/base/text.h"

#define NAME 44 /* columns */
#define SIDE(key_, title_)                                                                         \
	{                                                                                          \
		.key = key_, .title = title_, .decimals = 3, .precision = 6, .width = 9            \
	}
/* For people with its interval, where there is any: set_columns(). */
#define CHANGE                                                                                     \
	{                                                                                          \
		.title = "change", .decimals = 3, .width = 10, .ci_width = 6, .sign = true         \
	}
#define INTERVAL_WIDTH 17

/* There is room for three decimals. The last column is the change. */
static void set_columns(struct doc_column *c, size_t n, const struct diff *diff)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].decimals)
			c[i].decimals = (uint8_t)diff_per[diff->per].decimals;
	if (diff->fates.every > 1) {
		c[n - 1].kind = DOC_INTERVAL;
		c[n - 1].width = INTERVAL_WIDTH;
	}
}

static void sides(struct doc *d, double before, double after)
{
	doc_number(d, before);
	doc_number(d, after);
}

/* ---- by process and cgroup --------------------------------------------------------------- */

static void row(struct doc *d, const char *shown, const struct diff_process *p)
{
	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, shown);
	sides(d, p->before.received, p->after.received);
	doc_interval(d, p->after.received - p->before.received, diff_process_received_ci95(p));
	doc_row_end(d);
}

/* Not one for which nothing was received. */
static void rows(struct doc *d, enum diff_processes_by by, const struct diff_process_table *t)
{
	char shown[DIFF_PROCESS_TEXT];

	for (size_t i = 0; i < t->n; i++) {
		const struct diff_process *p = &t->row[i];

		if (p->before.received > 0 || p->after.received > 0)
			row(d, diff_process_text(shown, sizeof(shown), by, p), p);
	}
	row(d, "everything else", &t->others);
	row(d, "sum", &t->all);
}

/* Programs have it in the table of processes. */
static void received(struct doc *d, const struct diff *diff)
{
	const struct diff_processes *p = &diff->processes;
	struct doc_column column[] = { { .title = "", .kind = DOC_STRING, .width = NAME },
				       SIDE(NULL, "before"),
				       SIDE(NULL, "after"),
				       CHANGE };
	const struct doc_table table = { .key = "received",
					 .above = true,
					 .sections = true,
					 DOC_COLUMNS_OF(column),
					 .only = DOC_PEOPLE };

	set_columns(column, table.ncolumns, diff);
	doc_table(d, &table);
	for (enum diff_processes_by by = 0; by < DIFF_BYS; by++) {
		const struct diff_process *all = &p->table[by].all;
		char title[64];

		if (!(all->before.received > 0) && !(all->after.received > 0))
			continue;
		snprintf(title, sizeof(title), "Who pays for received packets, by %s",
			 diff_processes_names[by]);
		doc_section(d, title);
		rows(d, by, &p->table[by]);
	}
	doc_table_end(d);
}

/* ---- what became of packets -------------------------------------------------------------- */

static void fate_row(struct doc *d, const struct diff_fate *f)
{
	char text[FATE_TEXT];

	if (f->before == 0 && f->after == 0)
		return;
	doc_row(d, 0, DOC_ALL);
	doc_string(d, fate_text(text, sizeof(text), f->fate, f->what));
	fate_cells(d, f->fate, f->what);
	sides(d, f->before, f->after);
	doc_interval(d, f->after - f->before, f->ci95);
	doc_interval(d, f->after - f->before, f->ci95);
	doc_row_end(d);
}

static void fates(struct doc *d, const struct diff *diff)
{
	const struct diff_fates *f = &diff->fates;
	struct doc_column column[] = {
		{ .title = "", .kind = DOC_STRING, .width = NAME },
		FATE_COLUMNS,
		SIDE("before", "before"),
		SIDE("after", "after"),
		{ .key = "change",
		  .ci_key = "change_ci95",
		  .kind = DOC_INTERVAL,
		  .precision = 6,
		  .about = "half of its 95 % interval: by looking at one softirq in N; 0: at all" },
		CHANGE
	};
	const struct doc_table table = {
		.key = "fates",
		.about =
			"what became of received packets, in the unit of costs, with what is dealt "
			"out",
		.title = FATE_TITLE,
		.above = true,
		DOC_COLUMNS_OF(column)
	};
	double before = 0, after = 0;

	set_columns(column, table.ncolumns, diff);
	doc_table(d, &table);
	for (size_t i = 0; i < f->n; i++) {
		fate_row(d, &f->row[i]);
		before += f->row[i].before;
		after += f->row[i].after;
	}
	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, "sum");
	doc_blanks(d, 2);
	sides(d, before, after);
	doc_blank(d);
	doc_interval(d, after - before, 0);
	doc_row_end(d);
	doc_table_end(d);
}

void diff_owners_doc(struct doc *d, const struct diff *diff)
{
	received(d, diff);
	fates(d, diff);
	if (diff->fates.every > 1)
		doc_note(
			d,
			"  with what is dealt out; one softirq in %s stands for all, and +- is the 95 %% "
			"interval of that: how much the load varies is not in it, and not tested",
			NUM(diff->fates.every, 0));
	else
		doc_note(
			d,
			"  with the driver's and GRO's time, which is dealt out; all softirqs were "
			"looked at, so only the load varies: no interval of that is known, and it "
			"is not tested");
}
