// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report: the command line. Parsing, checks, usage and schema are derived from a table of
 * options and a table of commands.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/options.h>
#include <netcost/units.h>
#include <netcost/version.h>

#include "report/analysis/breakdown.h"
#include "report/analysis/diff/diff.h"
#include "report/analysis/latency.h"
#include "report/analysis/view.h"
#include "report/model/model_stages.h"
#include "report/base/text.h"
#include "report/cmd/command.h"
#include "report/export/export.h"
#include "report/plot/plot.h"
#include "report/tables/tables.h"

#define DEFAULT_FILE "netcost.nct"

/* The commands in the order of --help. The first is the default. */
enum command_id {
	SUMMARY,
	TOP,
	WHO,
	TIMELINE,
	LATENCY,
	PATH,
	LIVE,
	DIFF,
	HTML,
	FLAMEGRAPH,
	FOLDED,
	PLOT,
	EXPORT,
	COUNTS,
	SQL,
	INFO,
	VERIFY,
	CUT,
	MERGE,
	SCRUB,
	RECOVER,
	DUMP,
	BUGREPORT,
	ACCURACY,
	RULES,
	SCHEMA,
	COMMANDS
};

/* The groups of --help. The first command of each group identifies it. */
static const struct {
	enum command_id first;
	const char *title;
} groups[] = { { SUMMARY, "Reports" }, { INFO, "Files" }, { ACCURACY, "Methods" } };

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
/* An option for the number of --by rows that are shown separately. */
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
#define EVERY_TICK EVERY("a row for each 1s, 500ms ..., rounded to ticks (each tick)")
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
	       "with --format=csv: print the table of this JSON key instead of the main one, or all "
	       "values, one per row (all)") },
	{ IN(PLOT), NUMBERED("format", format, NULL, plot_format_names,
			     "the kind of picture (by the name of FILE, otherwise svg)") },
	{ REPORTS,
	  WORD("color", color, "WHEN", terminal_colors,
	       "use colours and bars; auto: only on a terminal that supports them (auto)") },
	{ IN(HTML), OUTPUT("netcost.html") },
	{ IN(FLAMEGRAPH) | IN(FOLDED) | IN(PLOT), OUTPUT("stdout") },
	{ IN(EXPORT), OUTPUT("stdout; a folder for tables, and for pprof with --every") },
	{ COPYING, OUTPUT("must be given") },
	{ REPORTS, WIDE },
	{ REPORTS | IN(VERIFY),
	  FLAG("no-pager", no_pager,
	       "write to the terminal, not through $NETCOST_PAGER, $PAGER or less") },

	{ IN(SUMMARY), FLAG("full", full, "text with all details, instead of one screen") },

	{ IN(SUMMARY), BY(breakdown_names, "print a row for each of these instead") },
	{ IN(SUMMARY),
	  ROWS("with --by: show this number of rows, and the sum of the others as one row (20 tasks or processes)") },
	{ IN(WHO),
	  BY(who_by_names,
	     "a row for each of these; name: all processes with the same name; workload: the controller of a pod, which may be a guess; peer, port, service: messages and bytes (record --peers) (process)") },
	{ IN(WHO),
	  NUMBERED(
		  "sort", sort, "COLUMN", processes_sort_names,
		  "sort by this value, the largest first: on-CPU time, own network time, bytes, calls, network softirqs that interrupted it, context switches, time of sends, time of receives, all network interrupts, time of packets that it received (cpu)") },
	{ IN(WHO), ROWS("show this number of rows, and the sum of the others as one row (20)") },
	{ IN(TIMELINE), BY(processes_by_names,
			   "print a column of CPU time for each of the largest of these instead "
			   "(record --processes)") },
	{ IN(TIMELINE),
	  ROWS_UP_TO(
		  TIMELINE_BY_MOST,
		  "with --by: show this number of columns, and the sum of the others as one column (6)") },
	{ IN(LATENCY), BY(latency_by_keys,
			  "a row for each interface, cgroup or process (record --latency-by)") },
	{ IN(PATH),
	  BY(stages_by_names, "a row for each interface, netns (network namespace) or flow") },
	{ IN(PLOT), BY(processes_by_names, "the chart who: an area for each of these (process)") },
	{ IN(PLOT),
	  ROWS_UP_TO(
		  PLOT_PROCESSES_MOST,
		  "the chart who: show this number of areas, and the sum of the others as one area (10)") },
	{ IN(COUNTS), TEXT("by", by_names, "KEY,...",
			   "a row for each combination of these attributes (all attributes)") },
	{ IN(COUNTS), TEXT("sort", sort_name, "COLUMN",
			   "sort by this column, the largest first (the first column)") },
	{ IN(COUNTS), ROWS("show this number of rows, and the sum of the others as one row (20)") },
	{ IN(PLOT), FLAG("script", script,
			 "write the script for gnuplot, with its data, instead of the picture") },
	{ IN(SUMMARY) | IN(TIMELINE) | IN(ACCURACY) | IN(PLOT) | IN(HTML) | IN(SQL), EVERY_TICK },
	{ IN(COUNTS) | IN(LATENCY),
	  EVERY("over time: rows for each interval of this length, such as 1s or 500ms, rounded to ticks") },
	{ IN(TIMELINE),
	  WORD("latency", latency, "CHECKPOINT", latency_keys,
	       "show p50 and p99 of the latency up to this checkpoint (until packets are read; record --latency)") },
	{ IN(LATENCY), NUMBERED("histogram", histogram, "CHECKPOINT", latency_keys,
				"also show the histogram of the latency up to this checkpoint") },
	{ IN(LATENCY),
	  FLAG("tail", tail,
	       "show what CPUs did while the slowest packets waited (record --tail)") },
	{ IN(ACCURACY),
	  SHARE("precision", precision, "POINTS", 1, 100,
		"find the rate that is accurate to this many percentage points of CPU (1)") },
	{ IN(ACCURACY),
	  FLAG("all", all, "also show the events and parts that are hidden by default") },
	{ IN(DIFF),
	  NUMBERED("per", per, "WHAT", diff_per_names,
		   "show costs as a share of CPU time, per packet or GB on interfaces, or "
		   "per second (cpu)") },
	{ IN(DIFF),
	  SHARE("fail-above", fail_above, "PERCENT", 0, 1000000,
		"exit with 4 if the cost of a category rises by more than this, and the change is significant; "
		"with 5 if the spread would hide that") },
	{ IN(DIFF), TEXT("only", only, "CATEGORY,...",
			 "with --fail-above: only these categories (the network and its parts)") },
	{ IN(DIFF),
	  FLAG("all", all,
	       "also show rows without a significant change, which are hidden by default") },
	{ IN(TOP),
	  NUMBERED(
		  "of", of, "SAMPLES", samples_of,
		  "network: only samples of the network; all: also idle time and user mode (network)") },
	{ IN(DIFF),
	  NUMBERED(
		  "of", of, "SAMPLES", samples_of,
		  "functions: network: only samples of the network; all: all samples that are not idle (all)") },
	{ IN(TOP) | IN(DIFF),
	  ROWS("show this number of functions, and the sum of the others as one row (20)") },
	{ IN(EXPORT),
	  EVERY("openmetrics, perfetto, tables: a point, or rows, for each interval of this length, such as 1s or 500ms, rounded to ticks (each tick); pprof: a profile for each, in the folder FILE (one for the whole time)") },
	{ IN(EXPORT),
	  ROWS_UP_TO(
		  500,
		  "openmetrics: also the N processes with the most CPU time, and the sum of the others as one (record --processes)") },
	{ IN(EXPORT),
	  FLAG("per-cpu", per_cpu, "openmetrics, perfetto: CPU time of each CPU separately") },
	{ IN(EXPORT), FLAG("idle", idle, "pprof, firefox, perfetto: include idle time") },
	{ IN(EXPORT), FLAG("zstd", zstd, "tables: compressed, with .zst after their names") },
	{ IN(EXPORT) | IN(SQL),
	  TEXT("host", host, "NAME",
	       "tables: name of the host (the name in the trace, if it was recorded with --host-details)") },
	{ IN(EXPORT), WORD("ddl", ddl, "DATABASE", ddl_engines,
			   "tables: print the statements that create the tables instead") },
	{ IN(EXPORT),
	  TEXT("listen", listen, "[ADDR:]PORT|unix:PATH",
	       "openmetrics: serve the newest point of a running recording's FILE to Prometheus, until it "
	       "ends; on 127.0.0.1 unless ADDR is given, such as 0.0.0.0 or [::]") },
	{ IN(EXPORT), QUIET("do not print the number of series") },
	{ IN(LIVE),
	  { AT("last", last_ns), .kind = OPT_TIME, .arg = "TIME", .min = UNITS_SECOND,
	    .max = 86400 * UNITS_SECOND, .plain = UNITS_SECOND,
	    .help = "show this duration, rounded to ticks (10s)" } },
	{ IN(INFO), FLAG("context", context,
			 "print the host's settings instead: sysctls, interfaces, CPUs") },
	{ IN(CUT), MOMENT("from", filter.from,
			  "where the cut begins: 2.5, 500ms, 1m30s since the start, -10s before "
			  "the end, or mark:TEXT (the start)") },
	{ IN(CUT), MOMENT("to", filter.to, "where the cut ends (the end)") },
	{ IN(SCRUB),
	  TEXT("keep", keep, "LIST",
	       "do not replace the kinds of names in LIST, separated by commas: tasks, cgroups, pids, users, netdevs, host, command, marks, programs (names of BPF programs), settings (words in settings that are not the kernel's), texts (names in reasons and interrupts), addresses, ports, time (of day), files (programs and libraries of user space)") },
	{ IN(RULES), RULES_FILE },

	{ ONE_PART | IN(CUT),
	  TEXT("part", part, "N|NAME",
	       "if the file has several traces, only this one: a number from 1, or a host") },
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
	       "times as measured, including the recorder's own cost") },
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
		  "widths by samples, or by the energy of packages and memory in uJ, distributed over the samples that are not idle") },
	{ IN(FOLDED), FLAG("per-cpu", per_cpu, "write a tree for each CPU, below cpuN") },
	{ IN(FLAMEGRAPH), FLAG("icicle", icicle, "draw callers on top and callees below") },
	{ IN(FLAMEGRAPH) | IN(FOLDED), FLAG("idle", idle, "include the idle task's samples") },
	{ IN(FLAMEGRAPH) | IN(FOLDED) | IN(TOP),
	  TEXT("only", only, "CATEGORY,...",
	       "only samples of these leaves and categories of the rules; network and kernel are sums of leaves") },
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
	{ IN(CUT), QUIET("do not report what was cut out") },
	{ IN(SCRUB) | IN(BUGREPORT) | IN(HTML) | IN(FLAMEGRAPH),
	  QUIET("do not report what was written") },
	{ IN(MERGE), QUIET("do not report what was merged") },
};

#define OPTIONS_MOST 32 /* largest number of options of a command */

/* ---- commands ---------------------------------------------------------------------------- */

struct command {
	const char *name, *help;
	/* NULL for report_run() with the report that `choose` returns, or with the first report */
	run_fn *run;
	/* reports in the schema; NULL if the command prints no JSON */
	const struct report *reports;
	choose_fn *choose;
	wrong_fn *wrong; /* checks the options; NULL if all of them can be combined */
	/*
	 * operands: their usage text, NULL for [FILE]; min, max: limits of their number, max 0 for
	 * no limit
	 */
	const char *operands;
	size_t min, max;
	size_t words; /* number of leading operands that are not files */
	/* prints additional usage text after help; NULL for none */
	void (*more)(FILE *out);
	/* returns the valid first operands; NULL if the first operand is a file */
	const char *const *(*choices)(void);
	const uint8_t *ask; /* types for model_ask() */
	/* kind of output that is refused on a terminal; NULL if the output is text */
	const char *writes;
	const char *output; /* name of the output file without -o; NULL for stdout */
	bool needs_output;  /* -o is required */
	bool queries;	    /* the last operand is not a file */
};

static run_fn schema_run;
static const char *const *command_names(void);

#define COPY .operands = "[FILE] -o OUT", .max = 1, .writes = "a trace", .needs_output = true

static const struct command commands[COMMANDS] = {
	[SUMMARY] = { "summary", "where the CPU time went, and the network's part in detail",
		      .reports = summary_reports, .choose = summary_choose,
		      .wrong = summary_wrong },
	[TOP] = { "top", "the functions that take the network's time, self and inclusive",
		  .reports = top_reports, .wrong = only_wrong },
	[WHO] = { "who",
		  "processes, cgroups, containers or users: CPU time, network time, calls, bytes, energy",
		  .run = who_run, .reports = who_reports, .wrong = who_wrong },
	[TIMELINE] = { "timeline", "CPU time, traffic and power over time: a row for each tick",
		       .reports = timeline_reports, .choose = timeline_choose,
		       .wrong = timeline_wrong },
	[LATENCY] = { "latency",
		      "packet latency on the way in and out, by checkpoint (record --latency)",
		      .reports = latency_reports, .choose = latency_choose,
		      .wrong = latency_wrong },
	[PATH] = { "path", "the packet path through the host, step by step (record --stages)",
		   .reports = path_reports, .choose = path_choose },
	[LIVE] = { "live", "a recording while it runs: the last seconds, on the whole terminal",
		   .run = live_run, .operands = "[FILE]", .max = 1 },
	[DIFF] = { "diff", "two recordings: significant changes of cost", .run = diff_run,
		   .reports = diff_reports, .wrong = diff_wrong, .operands = "BEFORE AFTER",
		   .min = 2, .max = 2, .more = diff_explain },
	[HTML] = { "html", "all reports as one HTML page, which needs no other files",
		   .run = html_run, .wrong = only_wrong, .ask = view_use_types, .writes = "HTML",
		   .output = "netcost.html" },
	[FLAMEGRAPH] = { "flamegraph",
			 "stacks as an SVG with zoom and search; for two traces, the changes",
			 .run = flamegraph_run, .wrong = only_wrong,
			 .operands = "[FILE | BEFORE AFTER]", .max = 2,
			 .writes = "an SVG picture" },
	[FOLDED] = { "folded", "stacks as folded lines, for flamegraph.pl, inferno and speedscope",
		     .run = folded_run, .wrong = folded_wrong },
	[PLOT] = { "plot", "charts by gnuplot, as SVG, PNG or PDF", .run = plot_run,
		   .operands = "CHART [FILE]", .min = 1, .max = 2, .words = 1,
		   .more = plot_list_charts, .choices = plot_chart_names, .writes = "a picture" },
	[EXPORT] = { "export",
		     "traces in other formats: OpenMetrics, pprof, Firefox Profiler, Perfetto, tables, SQLite",
		     .run = export_run, .operands = "FORMAT [FILE...]", .min = 1, .words = 1,
		     .more = export_list_formats, .choices = export_format_names,
		     .ask = view_use_types },
	[COUNTS] = { "counts",
		     "counters of interfaces, drops, protocols and more, by any of their attributes",
		     .run = counts_run, .reports = counts_reports, .operands = "TABLE [FILE]",
		     .min = 1, .max = 2, .words = 1, .more = counts_list, .choices = counts_names },
	[SQL] = { "sql", "traces as SQL tables, for a SELECT; '.tables' and '.schema' list them",
		  .run = sql_run, .operands = "[FILE...] QUERY", .min = 1, .queries = true },
	[INFO] = { "info", "what is in a trace: settings, clocks, probes, sources, sizes, losses",
		   .reports = info_reports, .choose = info_choose },
	[VERIFY] = { "verify",
		     "whether traces follow the format; exit status 3: cut off, 1: broken",
		     .run = verify_run, .reports = verify_reports, .operands = "FILE...",
		     .min = 1 },
	[CUT] = { "cut", "part of the time, from tick to tick, as a new trace", .run = cut_run,
		  COPY },
	[MERGE] = { "merge",
		    "files of one recording joined to one trace, or traces of several hosts in one file",
		    .run = merge_run, .operands = "[NAME=]FILE... -o OUT", .min = 1,
		    .writes = "a trace", .needs_output = true },
	[SCRUB] = { "scrub", "a copy for a bug report: private names, ids and times replaced",
		    .run = scrub_run, COPY },
	[RECOVER] = { "recover",
		      "a clean trace of everything that is intact in a cut or damaged one",
		      .run = recover_run, COPY },
	[DUMP] = { "dump", "the records as JSON, one per line", .run = dump_run },
	[BUGREPORT] = { "bugreport",
			"one file to send: the scrubbed trace, its summary and page, and the output of verify",
			.run = bugreport_run, .operands = "[FILE] -o OUT.tar.zst", .max = 1,
			.writes = "an archive", .needs_output = true },
	[ACCURACY] = { "accuracy",
		       "exact times compared with samples, and the sampling rate that is sufficient",
		       .reports = accuracy_reports },
	[RULES] = { "rules",
		    "the rules that classify stacks; with a trace, which of their functions it has",
		    .run = rules_run, .reports = rules_reports, .wrong = rules_wrong },
	[SCHEMA] = { "schema", "the JSON schema of what commands print with --format=json",
		     .run = schema_run, .operands = "[COMMAND]", .max = 1, .words = 1,
		     .choices = command_names },
};

static const struct command *find_command(const char *name)
{
	for (const struct command *c = commands; c < commands + COMMANDS; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static bool has_option(const struct command *c, const struct option *o)
{
	return o->commands & IN((unsigned int)(c - commands));
}

/* Fills the list of the options of a command. Returns their number. */
static size_t options_of(const struct command *c, struct opt_desc opts[OPTIONS_MOST])
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(option_table) / sizeof(*option_table); i++)
		if (has_option(c, &option_table[i]) && n < OPTIONS_MOST)
			opts[n++] = option_table[i].desc;
	return n;
}

/*
 * Returns true for commands with the default operands: they report on a trace, or on files of one
 * recording, which are joined.
 */
static bool takes_several(const struct command *c)
{
	return !c->operands;
}

/* ---- usage -------------------------------------------------------------------------- */

/*
 * Prints the commands. title, command: formats of a group's title, and of the name and help text of
 * a command.
 */
static void list_commands(FILE *out, const char *title, const char *command)
{
	for (size_t g = 0, i = 0; g < sizeof(groups) / sizeof(*groups); g++) {
		size_t last = g + 1 < sizeof(groups) / sizeof(*groups) ? groups[g + 1].first :
									 (size_t)COMMANDS;

		fprintf(out, title, groups[g].title);
		for (; i < last; i++)
			fprintf(out, command, commands[i].name, commands[i].help);
	}
}

static void usage(FILE *out)
{
	fprintf(out,
		"usage: netcost-report [COMMAND] [options] [FILE...]\n"
		"\n"
		"Reports on a trace that netcost-record wrote. Without FILE: stdin if that is a pipe or a\n"
		"file, otherwise " DEFAULT_FILE "; '-' is stdin. Without COMMAND: %s.\n",
		commands[0].name);
	list_commands(out, "\n%s:\n", "  %-11s %s\n");
	fprintf(out,
		"\n"
		"Options:\n"
		"  -h, --help     this text; after a command, its options, as `help COMMAND`\n"
		"      --version  the version\n"
		"      --print-completion=bash|zsh|fish  the completion script for that shell\n");
}

static void command_usage(FILE *out, const struct command *c, const struct opt_desc *opts, size_t n)
{
	fprintf(out, "usage: netcost-report %s [options] %s\n\n%s\n\n", c->name,
		c->operands ? c->operands : "[FILE...]", c->help);
	if (c->more) {
		c->more(out);
		fputc('\n', out);
	}
	fputs("Options:\n", out);
	options_usage(out, opts, n);
}

static const char *const *command_names(void)
{
	static const char *names[COMMANDS + 1];

	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	return names;
}

/* Prints a shell completion script. */
static enum exit_status print_completion(const char *shell)
{
	static struct opt_desc opts[COMMANDS][OPTIONS_MOST];
	struct options_command c[COMMANDS];

	for (size_t i = 0; i < COMMANDS; i++)
		c[i] = (struct options_command){
			.name = commands[i].name,
			.help = commands[i].help,
			.opts = opts[i],
			.n = options_of(&commands[i], opts[i]),
			.words = commands[i].choices ? commands[i].choices() : NULL,
		};
	if (options_complete(stdout, shell, "netcost-report", c, COMMANDS))
		return command_close(stdout, NULL);
	fprintf(stderr,
		"netcost-report: --print-completion: '%s' is not one of bash, zsh or fish\n",
		shell);
	return EXIT_USAGE;
}

/* Prints the options of a command for its man page, or without a name the list of commands. */
static enum exit_status print_man(const char *name)
{
	const struct command *c = find_command(name);
	struct opt_desc opts[OPTIONS_MOST];

	if (!*name)
		list_commands(stdout, ".Ss %s\n", ".It Xr netcost\\-report\\-%s 1\n%s.\n");
	else if (c)
		options_man(stdout, opts, options_of(c, opts));
	else
		return EXIT_USAGE;
	return command_close(stdout, NULL);
}

/* ---- invalid arguments -------------------------------------------------------------- */

/* Returns a message about an invalid number of operands, or NULL if the number is valid. */
static const char *wrong_operands(const struct command *c, size_t n)
{
	if (!c->operands)
		return NULL;
	return n < c->min || (c->max && n > c->max) ? c->operands : NULL;
}

static bool is_no_file(const char *operand)
{
	return strcmp(operand, "-") != 0 && access(operand, F_OK) && errno == ENOENT;
}

/* Returns true for a word that is not a file and looks like a command. */
static bool is_misspelled(const char *operand)
{
	return !operand[strcspn(operand, "./")] && is_no_file(operand);
}

/* Reports a word that is neither a file nor a command. */
static void report_misspelled(const char *word)
{
	struct options_near near = { .word = word };

	for (size_t i = 0; i < COMMANDS; i++)
		options_near_look(&near, commands[i].name);
	if (near.near)
		fprintf(stderr,
			"netcost-report: '%s' is neither a command nor a file; the nearest command is %s\n",
			word, near.near);
	else
		fprintf(stderr,
			"netcost-report: '%s' is neither a command nor a file; see --help\n", word);
}

/* Returns a command that follows a FILE ("FILE COMMAND"), or NULL. */
static const char *find_late_command(const struct options *o)
{
	for (size_t i = 1; i < o->noperands; i++)
		if (find_command(o->operand[i]) && is_no_file(o->operand[i]))
			return o->operand[i];
	return NULL;
}

/*
 * Returns true for invalid operands, which are reported. named: the user gave a command; otherwise
 * an operand may be a misspelled command.
 */
static bool has_wrong_operands(const struct command *c, const struct options *o, bool named)
{
	const char *takes = wrong_operands(c, o->noperands);
	const char *first = o->noperands ? o->operand[0] : NULL;
	const char *late = named ? NULL : find_late_command(o);

	if (takes)
		fprintf(stderr, "netcost-report: %s takes %s; see %s --help\n", c->name, takes,
			c->name);
	else if (!named && first && is_misspelled(first))
		report_misspelled(first);
	else if (late)
		fprintf(stderr, "netcost-report: give the command first: netcost-report %s %s\n",
			late, first);
	else if (c->needs_output && !o->output)
		fprintf(stderr,
			"netcost-report: %s: -o FILE is missing; it is the file for %s; - is stdout\n",
			c->name, c->writes);
	else
		return false;
	return true;
}

/* Returns true if markup or binary data would be written to a terminal, which is reported. */
static bool would_fill_terminal(const struct command *c, const struct options *o)
{
	if (!c->writes || o->script || !command_to_stdout(o->output) || !isatty(STDOUT_FILENO))
		return false;
	fprintf(stderr,
		"netcost-report: %s: %s is not for a terminal; write to a file with -o FILE, or to a pipe\n",
		c->name, c->writes);
	return true;
}

/*
 * Returns true for options that cannot be combined, which is reported. --table requires a format
 * with tables.
 */
static bool has_wrong_options(const struct command *c, const struct options *o)
{
	const char *wrong = o->table && o->format != REPORT_CSV ? "--table needs --format=csv" :
			    c->wrong				? c->wrong(o) :
								  NULL;

	if (wrong)
		fprintf(stderr, "netcost-report: %s\n", wrong);
	return wrong || would_fill_terminal(c, o);
}

/*
 * Returns true if the output would overwrite an input, which is reported. It is for commands with
 * --output, except those that write a trace: they check it themselves.
 */
static bool is_overwriting(const struct command *c, const struct options *o)
{
	if (!o->output)
		return false;
	for (size_t i = c->words; i < o->noperands; i++)
		if (input_is_output(o->operand[i], "trace", o->output))
			return true;
	return input_is_output(o->file, "trace", o->output) ||
	       (o->rules && input_is_output(o->rules, "rules file", o->output));
}

/* ---- running ----------------------------------------------------------------------------- */

static enum exit_status run_command(const struct command *c, struct options *o)
{
	enum exit_status status;

	if (is_overwriting(c, o))
		return EXIT_FAILED;
	if (takes_several(c) && o->noperands > 1) {
		status = joined_stdin(o->operand, o->noperands, o->memory);
		if (status)
			return status;
		o->file = "-";
	}
	return c->run ? c->run(o) : report_run(&c->reports[c->choose ? c->choose(o) : 0], o);
}

/* Returns standard input if it is a pipe or file. A terminal and /dev/null are not traces. */
static const char *default_file(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode)) ?
		       "-" :
		       DEFAULT_FILE;
}

static enum exit_status run(const struct command *c, int argc, char **argv, bool named)
{
	struct options o = {
		.file = default_file(),
		.precision = UNITS_PERCENT,
		.fail_above = OPTION_UNSET,
		.ask = c->ask,
	};
	struct opt_desc opts[OPTIONS_MOST];
	size_t n = options_of(c, opts);
	enum exit_status status = EXIT_USAGE;
	char err[1024];
	bool help;
	int at = options_parse(opts, n, &o, argc, argv, true, &help, err, sizeof(err));

	if (help) {
		command_usage(stdout, c, opts, n);
		return command_close(stdout, NULL);
	}
	if (at < 0) {
		fprintf(stderr, "netcost-report: %s\n", err);
	} else {
		o.operand = (const char *const *)argv + at;
		o.noperands = (size_t)(argc - at);
		o.filter.window = o.filter.from.anchor || o.filter.to.anchor;
		if (o.noperands > c->words + c->queries)
			o.file = o.operand[c->words];
		if (!o.output)
			o.output = c->output;
		if (!has_wrong_operands(c, &o, named) && !has_wrong_options(c, &o))
			status = run_command(c, &o);
	}
	filter_free(&o.filter);
	return status;
}

/* ---- schema ------------------------------------------------------------------------------ */

/*
 * Describes the JSON output as a JSON schema. name: a command; NULL for all commands. Returns the
 * number of commands, or -1 if out of memory.
 */
static int schema_describe(const char *name, struct doc *d, const struct model *empty)
{
	int n = 0;

	for (const struct command *c = commands; c < commands + COMMANDS; c++) {
		if (!c->reports || (name && strcmp(c->name, name)))
			continue;
		for (const struct report *r = c->reports; r->build; r++) {
			if (!r->name || (r->by_samples && !name) || (r->exists && !r->exists(r)))
				continue;
			doc_schema_report(d, r->name);
			if (report_describe(d, empty, r))
				return -1;
		}
		n++;
	}
	return n;
}

static enum exit_status schema_print(void *ctx, const struct model *empty)
{
	const struct options *o = ctx;
	const char *name = o->noperands ? o->operand[0] : NULL;
	const struct part part = { .file = "", .alone = true, .first = true };
	struct doc d;
	int n = -1;

	if (!doc_begin_schema(&d, stdout, &part)) {
		n = schema_describe(name, &d, empty);
		if (n > 0)
			doc_end(&d);
		doc_schema_free(&d);
	}
	if (n > 0)
		return command_close(stdout, NULL);
	if (n < 0)
		tell("schema", "out of memory");
	else
		fprintf(stderr,
			"netcost-report: schema: '%s' is not a command with --format=json\n", name);
	return n < 0 ? EXIT_FAILED : EXIT_USAGE;
}

static enum exit_status schema_run(const struct options *o)
{
	struct options own = *o;

	return models_empty(schema_print, &own);
}

/* ---- the command, which may come after options ------------------------------------------- */

/* Returns whether some command has the option and takes its value from the next argument. */
static bool takes_next(const char *arg)
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

/*
 * Returns the index of the first argument that is neither an option nor the value of one, or argc
 * if all arguments are options and values.
 */
static int first_word(int argc, char **argv)
{
	int at = 1;

	while (at < argc && argv[at][0] == '-' && argv[at][1] && strcmp(argv[at], "--"))
		at += takes_next(argv[at]) ? 2 : 1;
	return at < argc ? at : argc;
}

/* Moves the command, if the user gave one, before the options that precede it. */
static const struct command *take_command(int argc, char **argv)
{
	int at = first_word(argc, argv);
	const struct command *c = at < argc ? find_command(argv[at]) : NULL;
	char *name = c ? argv[at] : NULL;

	if (c) {
		memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof(*argv));
		argv[1] = name;
	}
	return c;
}

/* Returns the value of --NAME=VALUE, or NULL if arg is another option. */
static const char *value_of(const char *arg, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(arg, name, len) && arg[len] == '=' ? arg + len + 1 : NULL;
}

#define NOTHING_ASKED ((enum exit_status) - 1)

/* Prints help, the version or other texts if the user requested one instead of a report. */
static enum exit_status print_about(const char *arg)
{
	const char *value;

	if (!strcmp(arg, "--help") || !strcmp(arg, "-h") || !strcmp(arg, "help"))
		usage(stdout);
	else if (!strcmp(arg, "--version"))
		printf("netcost-report %s\n", NETCOST_VERSION);
	else if ((value = value_of(arg, "--print-completion")))
		return print_completion(value);
	else if ((value = value_of(arg, "--print-man-options")))
		return print_man(value);
	else
		return NOTHING_ASKED;
	return command_close(stdout, NULL);
}

int main(int argc, char **argv)
{
	char *of_command[] = { argv[0], "--help", NULL };
	bool help = argc > 2 && !strcmp(argv[1], "help");
	const struct command *c = help ? find_command(argv[2]) : take_command(argc, argv);
	enum exit_status about = NOTHING_ASKED;

	/*
	 * Makes the program exit silently if the reader of a pipe exits (| head), even if it
	 * inherited another signal state.
	 */
	signal(SIGPIPE, SIG_DFL);
	if (argc == 8 && !strcmp(argv[1], "--ring")) /* only netcost-record calls it */
		return blackbox_main(argv + 2);
	if (c)
		return (int)(help ? run(c, 2, of_command, true) : run(c, argc - 1, argv + 1, true));
	if (help) {
		report_misspelled(argv[2]);
		return EXIT_USAGE;
	}
	if (argc > 1)
		about = print_about(argv[1]);
	return (int)(about == NOTHING_ASKED ? run(&commands[0], argc, argv, false) : about);
}
