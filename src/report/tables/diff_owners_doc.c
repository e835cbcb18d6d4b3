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
#define CHANGE                                                                                     \
	{                                                                                          \
		.key = "change", .title = "change", .decimals = 3, .precision = 6, .width = 10,    \
		.sign = true                                                                       \
	}

/* The columns have room for three. */
static void set_decimals(struct doc_column *c, size_t n, int decimals)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].decimals)
			c[i].decimals = (uint8_t)decimals;
}

static void sides(struct doc *d, double before, double after)
{
	doc_number(d, before);
	doc_number(d, after);
	doc_number(d, after - before);
}

/* ---- by process and cgroup --------------------------------------------------------------- */

static void row(struct doc *d, const char *shown, const struct diff_process *p)
{
	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, shown);
	sides(d, p->before.received, p->after.received);
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
static void received(struct doc *d, const struct diff_processes *p, int decimals)
{
	struct doc_column column[] = { { .title = "", .kind = DOC_STRING, .width = NAME },
				       SIDE(NULL, "before"),
				       SIDE(NULL, "after"),
				       CHANGE };
	const struct doc_table table = { .key = "received",
					 .above = true,
					 .sections = true,
					 DOC_COLUMNS_OF(column),
					 .only = DOC_PEOPLE };

	set_decimals(column, table.ncolumns, decimals);
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
	doc_row_end(d);
}

static void fates(struct doc *d, const struct diff_fates *f, int decimals)
{
	struct doc_column column[] = {
		{ .title = "", .kind = DOC_STRING, .width = NAME },
		FATE_COLUMNS,
		SIDE("before", "before"),
		SIDE("after", "after"),
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

	set_decimals(column, table.ncolumns, decimals);
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
	doc_row_end(d);
	doc_table_end(d);
}

void diff_owners_doc(struct doc *d, const struct diff *diff)
{
	int decimals = diff_per[diff->per].decimals;

	received(d, &diff->processes, decimals);
	fates(d, &diff->fates, decimals);
	if (diff->fates.every > 1)
		doc_note(d,
			 "  with what is dealt out; of one softirq in %s, which stands for all: "
			 "an estimate, without an interval here",
			 NUM(diff->fates.every, 0));
	else
		doc_note(d, "  with the driver's and GRO's time, which is dealt out; not tested");
}
