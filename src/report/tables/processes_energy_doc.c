// SPDX-License-Identifier: BSD-2-Clause
#include "processes_energy_doc.h"

#include <math.h>

#include "report/base/text.h"

static const struct {
	const char *key, *title;
} parts[PROCESSES_ENERGY_PARTS] = {
	[PROCESSES_ENERGY_ROWS] = { "rows", "rows above, by on-CPU time" },
	[PROCESSES_ENERGY_RECEIVED] = { "received", "packets received for rows above" },
	[PROCESSES_ENERGY_UNOWNED] = { "unowned", "received packets of no process" },
	[PROCESSES_ENERGY_INTERRUPTS] = { "interrupts", "network softirqs and hard interrupts" },
	[PROCESSES_ENERGY_MISSING] = { "in_no_row", "busy time that is in no row" },
	[PROCESSES_ENERGY_IDLE] = { "idle", "idle power, or idle time" },
};

static void row(struct doc *d, const char *key, const char *title, const struct energy_range *r,
		unsigned int only)
{
	doc_row(d, 0, only);
	doc_string(d, key);
	doc_string(d, title);
	doc_number(d, r->low);
	doc_number(d, r->high);
	doc_row_end(d);
}

static bool is_of_owners(unsigned int part)
{
	return part == PROCESSES_ENERGY_RECEIVED || part == PROCESSES_ENERGY_UNOWNED;
}

static void table(struct doc *d, const struct processes_energy *e, bool there)
{
	static const struct doc_column column[] = {
		{ .key = "part", .kind = DOC_STRING, .known = true },
		{ .title = "energy of packages and memory", .kind = DOC_STRING, .width = 38 },
		{ .key = "low_j",
		  .title = "J, low",
		  .decimals = 3,
		  .precision = 6,
		  .width = 12,
		  .about =
			  "null: idle power cannot be told, or it is not known who received what" },
		{ .key = "high_j", .title = "J, high", .decimals = 3, .precision = 6, .width = 12 },
	};
	const struct doc_table t = { .key = "parts",
				     .caption = "Energy of packages and memory, dealt out",
				     .about = "at both ends they sum to all of it",
				     DOC_COLUMNS_OF(column),
				     .keyed = true,
				     .only = there ? DOC_ALL : DOC_PROGRAMS };
	struct energy_range all = { isnan(e->joules_a_ns.low) ? NAN : e->total_j, e->total_j };

	doc_table(d, &t);
	for (unsigned int i = 0; i < PROCESSES_ENERGY_PARTS; i++)
		row(d, parts[i].key, parts[i].title, &e->part[i],
		    e->owners.any || !is_of_owners(i) ? DOC_ALL : DOC_PROGRAMS);
	row(d, "all", "all", &all, DOC_PEOPLE);
	doc_table_end(d);
}

static void notes(struct doc *d, const struct processes *p, const struct processes_energy *e)
{
	if (isnan(e->joules_a_ns.low))
		doc_note(d, "  idle power cannot be told, and so no low end: %s",
			 e->idle_why ? e->idle_why : "nothing says what it is");
	else
		doc_note(d, "  low: of the energy above idle power%s, less its error",
			 e->idle_given ? " as given" : "");
	if (e->owners.any)
		doc_note(
			d,
			"  softirqs of received packets, and threaded NAPI, are those of the processes that received them; other "
			"softirqs are one sum");
	doc_note(d, "  high: of all energy, by the share of CPU time (Netto's model)%s",
		 e->above_netto ? "; here the low end with its error is more" : "");
	doc_note(d, "  energy is dealt out by time, which does not know frequency, SMT or vector "
		    "instructions: the same time may take two or three times the energy");
	if (e->second.name)
		doc_note(
			d,
			"  again: what rows and network interrupts have together, by %s, which know "
			"frequency and shared cores, but not vector instructions",
			e->second.name);
	if (p->paused_ns > 0)
		doc_note(d,
			 "  energy is that of all the time: what was counted stands for the rest");
}

void processes_energy_doc(struct doc *d, const struct processes *p,
			  const struct processes_energy *e)
{
	bool there = !isnan(e->total_j) && p->m->records[TRACE_PROCESS_STATS];

	doc_object(d, "energy");
	table(d, e, there);
	if (there)
		notes(d, p, e);
	doc_field(d, "package_and_dram_j", e->total_j, 6);
	doc_about(d, "what idle power took, with its error; null: cannot be told");
	doc_field(d, "idle_low_j", e->idle_j.low, 6);
	doc_field(d, "idle_high_j", e->idle_j.high, 6);
	doc_about(d, "the hardware counter of the second estimate; null: there is none");
	doc_field_string(d, "second_by", e->second.name);
	doc_about(d, "why that is not known");
	doc_field_string(d, "idle_why", isnan(e->idle_j.low) ? e->idle_why : NULL);
	doc_object_end(d);
}
