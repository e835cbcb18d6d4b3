// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report processes: what was counted by process, name, cgroup, container or user. */
#include <errno.h>
#include <string.h>

#include "report.h"
#include "report/analysis/processes.h"
#include "report/tables/lacks.h"
#include "report/tables/processes_doc.h"

#define ROWS 20

struct processes_options {
	struct report_options report;
	const char *by, *sort;
	unsigned long rows;
};

/* A word of the list; the first one, if none was given. */
static unsigned int index_of(const char *word, const char *const *words)
{
	for (unsigned int i = 0; word && words[i]; i++)
		if (!strcmp(word, words[i]))
			return i;
	return 0;
}

static int build(struct doc *d, const struct report_part *part)
{
	const struct processes_options *o = (const struct processes_options *)part->options;
	enum processes_sort sort = index_of(o->sort, processes_sort_names);
	struct processes p;
	int err;

	err = processes_make(&p, part->m, index_of(o->by, processes_by_names), sort,
			     o->rows ? o->rows : ROWS);
	if (err)
		return err;
	err = processes_doc(d, &p, sort);
	processes_free(&p);
	return err;
}

static const char *lacks(const struct model *m, const struct report_options *o, char *buf)
{
	if (o->table && !model_fates(m) &&
	    (!strcmp(o->table, "received") || !strcmp(o->table, "fates"))) {
		snprintf(buf, LACKS_SIZE,
			 "has no receivers of packets: record with netcost-record --owners");
		return buf;
	}
	return lacks_processes(m, buf);
}

static const struct report report = { .build = build,
				      .lacks = lacks,
				      .csv = "rows",
				      .keep = MODEL_PROCESSES | MODEL_CGROUPS };

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WORD(struct processes_options, by, "by", "WHAT", processes_by_names,
		 "a row for each process, cgroup, container, name of processes, or user (process)"),
	OPT_WORD(struct processes_options, sort, "sort", "WHAT", processes_sort_names,
		 "the largest first: on-CPU time, its own network time, bytes, calls, network softirqs "
		 "that interrupted it, switches, time in sends, in receives, all network "
		 "interrupts, packets received for it (cpu)"),
	OPT_ROWS(struct processes_options, "show this many rows (20)"),
	OPT_WIDE("text with all columns and digits, as wide as that gets (100 columns)"),
	OPT_PART,
	OPT_MEMORY,
	OPT_TEXT(struct trace_options, from, "from", "TIME",
		 "only from this time on: 2.5, 500ms, 1m30s since the start, -10s before the end, or "
		 "mark:TEXT"),
	OPT_TEXT(struct trace_options, to, "to", "TIME", "only up to this time"),
	OPT_IDLE_WATTS,
};

const struct command command_processes = {
	.name = "processes",
	.help = "on-CPU time, calls, bytes and energy by process, cgroup, container or user (record --processes)",
	.report = &report,
	COMMAND_OPTIONS(struct processes_options, opts),
};
