// SPDX-License-Identifier: BSD-2-Clause
/* The table of options. Parsing, usage, completions and the options in man pages are derived from it. */
#include "command_options.h"

#include <stdlib.h>
#include <string.h>

#include <netcost/units.h>

#include "command.h"
#include "report/analysis/breakdown.h"
#include "report/analysis/diff/diff.h"
#include "report/analysis/latency.h"
#include "report/base/text.h"
#include "report/export/export.h"
#include "report/model/model_stages.h"
#include "report/plot/plot.h"
#include "report/tables/tables.h"

/* ---- values of options ------------------------------------------------------------------- */

/* Parses a number above 0 and up to `most`. */
static bool parse_positive(const char *text, double most, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && *value > 0 && *value <= most;
}

static bool parse_moment(const char *text, void *value)
{
	return time_arg_parse(text, value);
}

static bool parse_watts(const char *text, void *value)
{
	return parse_positive(text, 1e6, value);
}

/* Parses an argument such as "requests=12345". value: points to the filter. */
static bool parse_per(const char *text, void *value)
{
	struct filter *f = value;
	const char *count = strchr(text, '=');

	f->per = text;
	return count && count > text && parse_positive(count + 1, 1e18, &f->per_count);
}

/* ---- options ----------------------------------------------------------------------------- */

#define IN(command) (1u << (command))
#define REPORTS                                                                                    \
	(IN(SUMMARY) | IN(TIMELINE) | IN(TOP) | IN(WHO) | IN(COUNTS) | IN(LATENCY) | IN(PATH) |    \
	 IN(DIFF) | IN(ACCURACY) | IN(INFO) | IN(SQL))
#define SELECTING                                                                                  \
	(IN(SUMMARY) | IN(TIMELINE) | IN(TOP) | IN(FOLDED) | IN(FLAMEGRAPH) | IN(DIFF) |           \
	 IN(ACCURACY) | IN(PLOT) | IN(HTML) | IN(EXPORT))
#define WINDOWED (SELECTING | IN(SQL) | IN(WHO) | IN(COUNTS) | IN(LATENCY) | IN(PATH))
#define ONE_PART (WINDOWED | IN(INFO) | IN(DUMP) | IN(RULES))
#define COPYING (IN(RECOVER) | IN(CUT) | IN(SCRUB) | IN(BUGREPORT) | IN(MERGE))

/*
 * An option, and the commands that have it. An option whose --help text differs between commands
 * has several rows.
 */
struct option {
	unsigned int commands;
	struct opt_desc desc;
};

#define AT(name_, field) .name = name_, .offset = offsetof(struct options, field)
#define FLAG(name_, field, help_)                                                                  \
	{                                                                                          \
		AT(name_, field), .kind = OPT_FLAG, .help = help_                                  \
	}
#define TEXT(name_, field, arg_, help_)                                                            \
	{                                                                                          \
		AT(name_, field), .kind = OPT_STR, .arg = arg_, .help = help_                      \
	}
/* words_: all words, NULL-terminated. */
#define WORD(name_, field, arg_, words_, help_)                                                    \
	{                                                                                          \
		AT(name_, field), .kind = OPT_CHOICE, .arg = arg_, .choices = words_,              \
				  .help = help_                                                    \
	}
#define NUMBERED(name_, field, arg_, words_, help_)                                                \
	{                                                                                          \
		AT(name_, field), .kind = OPT_NUMBERED, .arg = arg_, .choices = words_,            \
				  .help = help_                                                    \
	}
#define NUMBER(name_, field, arg_, max_, help_)                                                    \
	{                                                                                          \
		AT(name_, field), .kind = OPT_UINT, .arg = arg_, .min = 1, .max = max_,            \
				  .help = help_                                                    \
	}
/* min_ is in millionths, max_ is in percent. */
#define SHARE(name_, field, arg_, min_, max_, help_)                                               \
	{                                                                                          \
		AT(name_, field), .kind = OPT_PERCENT, .arg = arg_, .min = min_,                   \
				  .max = max_ * UNITS_PERCENT, .plain = UNITS_PERCENT,             \
				  .help = help_                                                    \
	}
#define PARSED(name_, field, arg_, parse_, must_be_, help_)                                        \
	{                                                                                          \
		AT(name_, field), .kind = OPT_PARSED, .arg = arg_, .parse = parse_,                \
				  .must_be = must_be_, .help = help_                               \
	}
#define MOMENT(name_, field, help_)                                                                \
	PARSED(name_, field, "TIME", parse_moment,                                                 \
	       "a time: 2.5, 500ms, 1m30s since the start, -10s before the end, or mark:TEXT",     \
	       help_)
#define EVERY(help_)                                                                               \
	{                                                                                          \
		AT("every", every_ns), .kind = OPT_TIME, .arg = "TIME", .min = 1,                  \
				       .max = 3650 * 86400 * UNITS_SECOND, .plain = UNITS_SECOND,  \
				       .help = help_                                               \
	}
#define BY(names_, help_) NUMBERED("by", by, "KEY", names_, help_)
/* The option --rows: the number of rows that are shown separately. */
#define ROWS_UP_TO(max_, help_)                                                                    \
	{                                                                                          \
		AT("rows", rows), .short_name = 'n', .kind = OPT_UINT, .arg = "N", .min = 1,       \
				  .max = max_, .help = help_                                       \
	}
#define ROWS(help_) ROWS_UP_TO(100000, help_)
#define WIDE FLAG("wide", wide, "text with all columns and digits, even if lines become very long")
#define OUTPUT(usual_)                                                                             \
	{                                                                                          \
		AT("output", output), .short_name = 'o', .kind = OPT_STR, .arg = "FILE",           \
				      .help = "write to FILE; - is stdout (" usual_ ")"            \
	}
#define QUIET(help_)                                                                               \
	{                                                                                          \
		AT("quiet", quiet), .short_name = 'q', .kind = OPT_FLAG, .help = help_             \
	}
#define EVERY_TICK                                                                                 \
	EVERY("a row for each interval of this length, such as 1s or 500ms, rounded to ticks (each tick)")
#define MEMORY                                                                                     \
	{                                                                                          \
		AT("memory", memory),                                                              \
			.kind = OPT_SIZE, .arg = "SIZE", .min = UNITS_MIB, .max = UNITS_MIB << 20, \
			.plain = UNITS_MIB,                                                        \
			.help = "memory limit for names and ids of a trace, such as 2G (512M)"     \
	}
#define RULES_FILE                                                                                 \
	TEXT("rules", rules, "FILE", "classify stacks by the rules in FILE (see the command rules)")

/* The options in the order of --help. */
static const struct option option_table[] = {
	{ REPORTS | IN(VERIFY) | IN(RULES),
	  NUMBERED("format", format, NULL, report_formats, "output format (text)") },
	{ (REPORTS & ~IN(SQL)) | IN(VERIFY) | IN(RULES),
	  TEXT("table", table, "NAME",
	       "with --format=csv: print the table with this JSON key instead of the main table; "
	       "all: all values, one per row") },
	{ IN(PLOT), NUMBERED("format", format, NULL, plot_format_names,
			     "picture format (from the extension of FILE, otherwise svg)") },
	{ REPORTS,
	  WORD("color", color, "WHEN", terminal_colors,
	       "use colours and bars; auto: only on a terminal that supports them (auto)") },
	{ IN(HTML), OUTPUT("netcost.html") },
	{ IN(FLAMEGRAPH) | IN(FOLDED) | IN(PLOT), OUTPUT("stdout") },
	{ IN(EXPORT), OUTPUT("stdout; tables, and pprof with --every, need a folder") },
	{ COPYING, OUTPUT("must be given") },
	{ REPORTS, WIDE },
	{ REPORTS | IN(VERIFY),
	  FLAG("no-pager", no_pager,
	       "write to the terminal, not through $NETCOST_PAGER, $PAGER or less") },

	{ IN(SUMMARY), FLAG("full", full, "text with all details, instead of one screen") },

	{ IN(SUMMARY),
	  BY(breakdown_names, "instead of the summary, print a row for each CPU, task and so on") },
	{ IN(SUMMARY),
	  ROWS("with --by: show this number of rows, and the sum of the others as one row (20 for tasks and processes)") },
	{ IN(WHO),
	  BY(who_by_names,
	     "group the rows by this key; name: all processes with the same name are one row; workload: the controller of a pod, possibly guessed; peer, port and service: messages and bytes, which need record --peers (process)") },
	{ IN(WHO),
	  NUMBERED(
		  "sort", sort, "COLUMN", processes_sort_names,
		  "sort by this value, the largest first; cpu: on-CPU time; network: own network time; bytes, calls: of sends and receives; softirq: network softirqs that interrupted the process; switches: context switches; send, receive: time of sends or receives; interrupted: all network interrupts; received: softirq time of the packets that the process received (cpu)") },
	{ IN(WHO), ROWS("show this number of rows, and the sum of the others as one row (20)") },
	{ IN(TIMELINE),
	  BY(processes_by_names,
	     "print CPU time instead, with a column for each of the largest groups by this key; "
	     "needs record --processes") },
	{ IN(TIMELINE),
	  ROWS_UP_TO(
		  TIMELINE_BY_MOST,
		  "with --by: show this number of columns, and the sum of the others as one column (6)") },
	{ IN(LATENCY),
	  BY(latency_by_keys,
	     "a row for each interface, cgroup or process; needs record --latency-by") },
	{ IN(PATH),
	  BY(stages_by_names, "a row for each interface, netns (network namespace) or flow") },
	{ IN(PLOT),
	  BY(processes_by_names,
	     "for the chart \"who\": draw an area for each group by this key (process)") },
	{ IN(PLOT),
	  ROWS_UP_TO(
		  PLOT_PROCESSES_MOST,
		  "for the chart \"who\": draw this number of areas, and the sum of the others as one area (10)") },
	{ IN(COUNTS), TEXT("by", by_names, "KEY,...",
			   "a row for each combination of these attributes (all attributes)") },
	{ IN(COUNTS), TEXT("sort", sort_name, "COLUMN",
			   "sort by this column, the largest first (the first column)") },
	{ IN(COUNTS), ROWS("show this number of rows, and the sum of the others as one row (20)") },
	{ IN(PLOT), FLAG("script", script,
			 "write the script for gnuplot, with its data, instead of the picture") },
	{ IN(SUMMARY) | IN(TIMELINE) | IN(ACCURACY) | IN(PLOT) | IN(HTML) | IN(SQL), EVERY_TICK },
	{ IN(COUNTS) | IN(LATENCY),
	  EVERY("show values over time: rows for each interval of this length, such as 1s or 500ms, rounded to ticks") },
	{ IN(TIMELINE),
	  WORD("latency", latency, "CHECKPOINT", latency_keys,
	       "show p50 and p99 of the latency up to this checkpoint, which needs record --latency (until packets are read)") },
	{ IN(LATENCY), NUMBERED("histogram", histogram, "CHECKPOINT", latency_keys,
				"also show the histogram of the latency up to this checkpoint") },
	{ IN(LATENCY),
	  FLAG("tail", tail,
	       "show what CPUs did while the slowest packets waited; needs record --tail") },
	{ IN(ACCURACY),
	  SHARE("precision", precision, "POINTS", 1, 100,
		"find the sampling rate whose errors are at most this number of percentage points of CPU (1)") },
	{ IN(ACCURACY),
	  FLAG("all", all, "also show the events and parts that are hidden by default") },
	{ IN(DIFF),
	  NUMBERED("per", per, "WHAT", diff_per_names,
		   "show costs as a share of CPU time, per packet or GB on interfaces, or "
		   "per second (cpu)") },
	{ IN(DIFF),
	  SHARE("fail-above", fail_above, "PERCENT", 0, 1000000,
		"exit status 4 if the cost of a category rose significantly, by more than this; "
		"5 if the spread could hide such a rise") },
	{ IN(DIFF),
	  TEXT("only", only, "CATEGORY,...",
	       "with --fail-above: check only these categories (the network and its parts)") },
	{ IN(DIFF),
	  FLAG("all", all,
	       "also show rows without a significant change, which are hidden by default") },
	{ IN(TOP),
	  NUMBERED(
		  "of", of, "SAMPLES", samples_of,
		  "network: only samples of the network; all: all samples, including idle time and user mode (network)") },
	{ IN(DIFF),
	  NUMBERED(
		  "of", of, "SAMPLES", samples_of,
		  "samples in the table of functions; network: only samples of the network; all: all samples that are not idle (all)") },
	{ IN(TOP) | IN(DIFF),
	  ROWS("show this number of functions, and the sum of the others as one row (20)") },
	{ IN(EXPORT),
	  EVERY("length of an interval, such as 1s or 500ms, rounded to ticks; openmetrics, perfetto and tables: points or rows for each interval (each tick); pprof: a profile for each interval, in the folder FILE (one profile for the whole time)") },
	{ IN(EXPORT),
	  ROWS_UP_TO(
		  500,
		  "openmetrics: also series of the N processes with the most CPU time, and of the sum of the others; needs record --processes") },
	{ IN(EXPORT),
	  FLAG("per-cpu", per_cpu, "openmetrics, perfetto: CPU time of each CPU separately") },
	{ IN(EXPORT), FLAG("idle", idle, "pprof, firefox, perfetto: include idle time") },
	{ IN(EXPORT),
	  FLAG("zstd", zstd, "tables: compress the files, and append .zst to their names") },
	{ IN(EXPORT) | IN(SQL),
	  TEXT("host", host, "NAME",
	       "tables: host name in the rows (the name in the trace, if it was recorded with --host-details)") },
	{ IN(EXPORT),
	  WORD("ddl", ddl, "DATABASE", ddl_engines,
	       "tables: instead of rows, print the SQL statements that create the tables") },
	{ IN(EXPORT),
	  TEXT("listen", listen, "[ADDR:]PORT|unix:PATH",
	       "openmetrics: serve the newest points to Prometheus while a recording writes FILE, until the recording "
	       "ends; on 127.0.0.1 unless ADDR is given, such as 0.0.0.0 or [::]") },
	{ IN(EXPORT), QUIET("do not print the number of series") },
	{ IN(LIVE),
	  { AT("last", last_ns), .kind = OPT_TIME, .arg = "TIME", .min = UNITS_SECOND,
	    .max = 86400 * UNITS_SECOND, .plain = UNITS_SECOND,
	    .help = "show the last TIME of the recording, rounded to ticks (10s)" } },
	{ IN(INFO),
	  FLAG("context", context,
	       "instead of the report, print the host's settings: sysctls, interfaces, CPUs") },
	{ IN(CUT), MOMENT("from", filter.from,
			  "where the cut begins: 2.5, 500ms, 1m30s since the start, -10s before "
			  "the end, or mark:TEXT (the start)") },
	{ IN(CUT), MOMENT("to", filter.to, "where the cut ends (the end)") },
	{ IN(SCRUB),
	  TEXT("keep", keep, "LIST",
	       "do not replace the kinds of names in LIST, separated by commas: tasks, cgroups, labels (names of pods, containers, images and workloads), pids, users, netdevs, host, command, marks, programs (names of BPF programs), settings (words in settings that are not the kernel's), texts (names in reasons and interrupts), addresses, ports, time (of day), files (programs and libraries of user space)") },
	{ IN(RULES), RULES_FILE },

	{ ONE_PART | IN(CUT),
	  TEXT("part", part, "N|NAME",
	       "if the file has several traces, use the one with this number, counted from 1, or with this host") },
	{ ONE_PART | COPYING | IN(VERIFY) | IN(LIVE), MEMORY },
	{ SELECTING | IN(SQL) | IN(LIVE), RULES_FILE },
	{ WINDOWED, MOMENT("from", filter.from,
			   "only from this time on: 2.5, 500ms, 1m30s since the start, -10s before "
			   "the end, or mark:TEXT") },
	{ WINDOWED, MOMENT("to", filter.to, "only up to this time") },
	{ SELECTING,
	  { AT("cpu", filter.cpus), .kind = OPT_CPULIST, .arg = "LIST",
	    .help = "only these CPUs, such as 0-3,8" } },
	{ SELECTING, TEXT("task", filter.tasks, "NAME|TID,...",
			  "only samples of these tasks; hides exact times, which are per CPU") },
	{ SELECTING,
	  TEXT("cgroup", filter.cgroup, "PATH",
	       "only samples of this cgroup and its descendants; hides exact times, which are per CPU") },
	{ (SELECTING | IN(WHO)) & ~IN(ACCURACY),
	  FLAG("with-own-cost", filter.with_own_cost,
	       "do not subtract the recorder's own cost from the times") },
	{ IN(SUMMARY) | IN(TIMELINE) | IN(WHO) | IN(HTML),
	  PARSED("idle-watts", filter.idle_watts, "W", parse_watts, "a power in W such as 35.5",
		 "idle power of packages and memory, if you know it (estimated)") },
	{ IN(SUMMARY) | IN(HTML),
	  PARSED("per", filter, "NAME=COUNT", parse_per,
		 "a name and a number such as requests=12345",
		 "also show CPU time and energy per unit of a count that you give, such as requests=12345") },

	{ IN(SUMMARY), FLAG("all-cpus", all_cpus, "show all CPUs, not only the busiest ones") },
	{ IN(SUMMARY),
	  FLAG("all", all,
	       "also show the categories without samples, which are hidden by default") },
	{ IN(SUMMARY),
	  FLAG("other", other,
	       "show the functions without a category, in descending order of samples") },
	{ IN(FOLDED),
	  NUMBERED(
		  "weight", weight, "WHAT", folded_weights,
		  "value of a stack: the number of samples, or the energy of packages and memory in uJ, distributed over the samples that are not idle (samples)") },
	{ IN(FOLDED),
	  FLAG("per-cpu", per_cpu, "write the stacks of each CPU separately, below a frame cpuN") },
	{ IN(FLAMEGRAPH), FLAG("icicle", icicle, "draw callers on top and callees below") },
	{ IN(FLAMEGRAPH) | IN(FOLDED), FLAG("idle", idle, "include the idle task's samples") },
	{ IN(FLAMEGRAPH) | IN(FOLDED) | IN(TOP),
	  TEXT("only", only, "CATEGORY,...",
	       "only samples of these leaves and categories of the rules, by key or title (sock_recv, 'socket receive'); network and kernel mean all leaves in them") },
	{ IN(HTML), FLAG("no-charts", no_charts, "leave out the charts, which gnuplot draws") },
	{ IN(HTML), FLAG("icicle", icicle, "in the flame graph, draw callers on top") },
	{ IN(HTML), FLAG("idle", idle, "in the flame graph, include the idle task's samples") },
	{ IN(HTML), TEXT("only", only, "CATEGORY,...",
			 "in the flame graph, only samples of these leaves and categories of the "
			 "rules") },
	{ IN(DUMP), FLAG("samples", samples,
			 "print samples instead of records: time, CPU, thread id, name, stack") },
	{ IN(DUMP), FLAG("recover", recover, "continue after damage") },
	{ IN(VERIFY), QUIET("do not report valid files") },
	{ IN(RECOVER), QUIET("do not report what was saved and what is missing") },
	{ IN(CUT), QUIET("do not report the time range that was written") },
	{ IN(SCRUB) | IN(BUGREPORT) | IN(HTML) | IN(FLAMEGRAPH),
	  QUIET("do not report what was written") },
	{ IN(MERGE), QUIET("do not report what was merged") },
};

size_t command_options(enum command_id command, struct opt_desc opts[OPTIONS_MOST])
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(option_table) / sizeof(*option_table); i++)
		if (option_table[i].commands & IN(command) && n < OPTIONS_MOST)
			opts[n++] = option_table[i].desc;
	return n;
}

bool option_takes_next(const char *arg)
{
	bool is_long = !strncmp(arg, "--", 2);

	if (is_long ? !!strchr(arg, '=') : arg[2] != '\0')
		return false;
	for (size_t i = 0; i < sizeof(option_table) / sizeof(*option_table); i++) {
		const struct opt_desc *o = &option_table[i].desc;

		if (is_long ? !strcmp(o->name, arg + 2) : o->short_name == arg[1])
			return o->kind != OPT_FLAG;
	}
	return false;
}
