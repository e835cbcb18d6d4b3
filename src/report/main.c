// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report: the command line. A table of options and one of commands; parsing, checks, usage and schema come from them. */
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

/* In the order of --help; the first is the default. */
enum command_id {
	SUMMARY,
	TIMELINE,
	TOP,
	PROCESSES,
	COUNTS,
	LATENCY,
	STAGES,
	FOLDED,
	FLAMEGRAPH,
	DIFF,
	ACCURACY,
	PLOT,
	HTML,
	EXPORT,
	INFO,
	DUMP,
	VERIFY,
	RECOVER,
	CUT,
	SCRUB,
	BUGREPORT,
	MERGE,
	RULES,
	SCHEMA,
	COMMANDS
};

/* ---- values of options ------------------------------------------------------------------- */

/* Above 0, up to `most`. */
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

/* "requests=12345". value: the filter. */
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
	(IN(SUMMARY) | IN(TIMELINE) | IN(TOP) | IN(PROCESSES) | IN(COUNTS) | IN(LATENCY) |         \
	 IN(STAGES) | IN(DIFF) | IN(ACCURACY) | IN(INFO))
#define SELECTING                                                                                  \
	(IN(SUMMARY) | IN(TIMELINE) | IN(TOP) | IN(FOLDED) | IN(FLAMEGRAPH) | IN(DIFF) |           \
	 IN(ACCURACY) | IN(PLOT) | IN(HTML) | IN(EXPORT))
#define WINDOWED (SELECTING | IN(PROCESSES) | IN(COUNTS) | IN(LATENCY) | IN(STAGES))
#define ONE_PART (WINDOWED | IN(INFO) | IN(DUMP) | IN(RULES))
#define COPYING (IN(RECOVER) | IN(CUT) | IN(SCRUB) | IN(BUGREPORT) | IN(MERGE))

/* An option that these commands have. Where the meaning is the same but the words of --help differ, it has several rows. */
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
/* words_: the last one is NULL. */
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
/* min_ is in millionths, max_ in percent. */
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
#define ROWS(max_, help_) NUMBER("rows", rows, "N", max_, help_)
/* For tables. */
#define ROWS_N(help_)                                                                              \
	{                                                                                          \
		AT("rows", rows), .short_name = 'n', .kind = OPT_UINT, .arg = "N", .min = 1,       \
				  .max = 100000, .help = help_                                     \
	}
#define OUTPUT                                                                                     \
	{                                                                                          \
		AT("output", output), .short_name = 'o', .kind = OPT_STR, .arg = "FILE",           \
				      .help = "write to FILE (stdout)"                             \
	}
#define QUIET(help_)                                                                               \
	{                                                                                          \
		AT("quiet", quiet), .short_name = 'q', .kind = OPT_FLAG, .help = help_             \
	}
#define EVERY_TICK EVERY("a row for each 1s, 500ms ..., as near as ticks allow (each tick)")
#define MEMORY                                                                                     \
	{                                                                                          \
		AT("memory", memory),                                                              \
			.kind = OPT_SIZE, .arg = "SIZE", .min = UNITS_MIB, .max = UNITS_MIB << 20, \
			.plain = UNITS_MIB,                                                        \
			.help = "limit for the names and ids of a trace, such as 2G (512M)"        \
	}
#define RULES_FILE                                                                                 \
	TEXT("rules", rules, "FILE", "sort stacks by the rules in FILE (see the command rules)")

/* In the order of --help. */
static const struct option option_table[] = {
	{ REPORTS | IN(VERIFY) | IN(RULES),
	  NUMBERED("format", format, NULL, report_formats, "output format (text)") },
	{ REPORTS | IN(VERIFY) | IN(RULES),
	  TEXT("table", table, "NAME",
	       "with --format=csv: print the table of this JSON key instead of the main one, or all "
	       "values, one per row (all)") },
	{ IN(PLOT), NUMBERED("format", format, NULL, plot_format_names,
			     "the kind of picture (by the name of FILE, otherwise svg)") },
	{ REPORTS, WORD("color", color, "WHEN", terminal_colors,
			"colours and bars: where stdout is a terminal that has them (auto), "
			"always, never") },
	{ REPORTS | IN(VERIFY),
	  FLAG("no-pager", no_pager,
	       "write to the terminal, not through $NETCOST_PAGER, $PAGER or less") },
	{ IN(PLOT) | IN(HTML) | IN(EXPORT), OUTPUT },
	{ IN(SUMMARY) | IN(TOP) | IN(DIFF) | IN(ACCURACY) | IN(INFO),
	  FLAG("wide", wide, "text as wide as that gets, where the terminal is narrower") },

	{ IN(SUMMARY), FLAG("full", full, "text with everything, not one screen") },
	{ IN(SUMMARY),
	  NUMBERED("by", by, "KEY", breakdown_names, "print instead a row for each of these") },
	{ IN(SUMMARY),
	  ROWS_N("with --by: show this many rows, and the others as one (20 tasks or processes)") },
	{ IN(TIMELINE),
	  NUMBERED("by", by, "WHAT", processes_by_names,
		   "CPU time of the processes, cgroups, containers, names of processes, or users "
		   "with most of it (record --processes)") },
	{ IN(TIMELINE),
	  ROWS(TIMELINE_BY_MOST, "with --by: this many; the others are one column (6)") },
	{ IN(TIMELINE),
	  FLAG("wide", wide, "text with all columns, names and digits, as wide as that gets") },
	{ IN(PLOT), FLAG("script", script,
			 "write the script for gnuplot, with its data, instead of the picture") },
	{ IN(SUMMARY) | IN(TIMELINE) | IN(ACCURACY) | IN(PLOT) | IN(HTML), EVERY_TICK },
	{ IN(TIMELINE), WORD("latency", latency, "HOOK", latency_keys,
			     "p50 and p99 of the time up to this hook (until packets are read; "
			     "record --latency)") },
	{ IN(ACCURACY),
	  SHARE("precision", precision, "POINTS", 1, 100,
		"find the rate that is accurate to this many percentage points of CPU (1)") },
	{ IN(ACCURACY),
	  FLAG("all", all,
	       "show slower samplers for all events and parts, not only the main ones") },
	{ IN(TOP), FLAG("network", network, "only the network's samples (the default)") },
	{ IN(TOP), FLAG("all", all, "all samples, including idle and user mode") },
	{ IN(DIFF), NUMBERED("per", per, "WHAT", diff_per_names,
			     "show costs as a share of CPU time, per packet on interfaces, or per "
			     "second (cpu)") },
	{ IN(DIFF), SHARE("fail-above", fail_above, "PERCENT", 0, 1000000,
			  "exit with 4 if a category costs this much more, and it is not noise") },
	{ IN(DIFF),
	  TEXT("only", only, "CATEGORY,...",
	       "with --fail-above: only these (the network and the categories it is the sum of)") },
	{ IN(DIFF), FLAG("network", network, "take functions from the network's samples only") },
	{ IN(DIFF), FLAG("all", all, "show also what cannot be told apart from noise") },
	{ IN(TOP) | IN(DIFF), ROWS_N("show this many functions (20)") },
	{ IN(PROCESSES),
	  NUMBERED("by", by, "WHAT", processes_by_names,
		   "a row for each process, cgroup, container, name of processes, or user "
		   "(process)") },
	{ IN(PROCESSES),
	  NUMBERED("sort", sort, "WHAT", processes_sort_names,
		   "the largest first: on-CPU time, its own network time, bytes, calls, network "
		   "softirqs that interrupted it, switches, time in sends, in receives, all network "
		   "interrupts, packets received for it (cpu)") },
	{ IN(PROCESSES), ROWS_N("show this many rows (20)") },
	{ IN(PROCESSES), FLAG("wide", wide,
			      "text with all columns and digits, as wide as that gets (100 "
			      "columns)") },
	{ IN(COUNTS),
	  TEXT("by", by_names, "WHAT,...", "a row for each of these (all that a row can be of)") },
	{ IN(COUNTS), TEXT("sort", sort_name, "COLUMN", "the largest first (the first column)") },
	{ IN(COUNTS), ROWS_N("show this many rows, and the others as one (20)") },
	{ IN(COUNTS) | IN(LATENCY),
	  EVERY("as it changes: rows for each 1s, 500ms ..., as near as ticks allow") },
	{ IN(LATENCY), NUMBERED("histogram", histogram, "HOOK", latency_keys,
				"also how many packets waited for how long, at this hook") },
	{ IN(LATENCY), NUMBERED("by", by, "WHAT", latency_by_keys,
				"by interface, cgroup or process (record --latency-by)") },
	{ IN(STAGES), NUMBERED("by", by, "WHAT", stages_by_names,
			       "by interface, netns (network namespace) or flow") },
	{ IN(COUNTS) | IN(LATENCY) | IN(STAGES),
	  FLAG("wide", wide, "text with all columns, as wide as that gets (100 columns)") },
	{ IN(LATENCY),
	  FLAG("tail", tail, "what CPUs did while the slowest packets waited (record --tail)") },
	{ IN(PLOT), NUMBERED("by", by, "WHAT", processes_by_names,
			     "the chart processes: an area for each process, cgroup, container, "
			     "name of processes, or user (process)") },
	{ IN(PLOT),
	  ROWS(PLOT_PROCESSES_MOST, "likewise: this many; the others are one area (10)") },
	{ IN(EXPORT),
	  EVERY("openmetrics, tables: a point, or rows, for each 1s, 500ms ..., as near as ticks "
		"allow (each tick); pprof: a profile for each, in the folder FILE (one of all)") },
	{ IN(EXPORT), ROWS(500, "openmetrics: also the N processes with most CPU time, and the "
				"others as one (record --processes)") },
	{ IN(EXPORT), FLAG("per-cpu", per_cpu, "openmetrics: CPU time of each CPU by itself") },
	{ IN(EXPORT), FLAG("idle", idle, "pprof, firefox: include idle time") },
	{ IN(EXPORT), FLAG("zstd", zstd, "tables: compressed, with .zst after their names") },
	{ IN(EXPORT), TEXT("host", host, "NAME",
			   "tables: what to call the host (as the trace does, which has a name "
			   "with record --host-details)") },
	{ IN(EXPORT), WORD("ddl", ddl, "DATABASE", ddl_engines,
			   "tables: print instead the statements that make them") },
	{ IN(EXPORT), QUIET("do not say how many series there are") },
	{ IN(INFO), FLAG("context", context,
			 "print instead how the host was set: sysctls, interfaces, CPUs") },
	{ IN(CUT), MOMENT("from", filter.from,
			  "where the cut begins: 2.5, 500ms, 1m30s since the start, -10s before "
			  "the end, or mark:TEXT (the start)") },
	{ IN(CUT), MOMENT("to", filter.to, "where it ends (the end)") },
	{ IN(SCRUB),
	  TEXT("keep", keep, "LIST",
	       "keep what is in LIST, separated by commas: tasks, cgroups, pids, users, netdevs, "
	       "host, command, marks, programs (names of BPF programs), settings (words in them "
	       "that are not the kernel's own), texts (what a reason or an interrupt names), "
	       "addresses, ports, time (of day)") },
	{ IN(RULES), RULES_FILE },

	{ ONE_PART | IN(CUT),
	  TEXT("part", part, "N|NAME",
	       "if the file has several traces, only this one: a number from 1, or a host") },
	{ (ONE_PART | COPYING | IN(VERIFY)) & ~IN(TIMELINE), MEMORY },
	{ SELECTING, RULES_FILE },
	{ WINDOWED, MOMENT("from", filter.from,
			   "only from this time on: 2.5, 500ms, 1m30s since the start, -10s before "
			   "the end, or mark:TEXT") },
	{ WINDOWED, MOMENT("to", filter.to, "only up to this time") },
	{ SELECTING,
	  { AT("cpu", filter.cpus), .kind = OPT_CPULIST, .arg = "LIST",
	    .help = "only these CPUs, such as 0-3,8" } },
	{ SELECTING, TEXT("task", filter.tasks, "NAME|TID,...",
			  "only samples of these tasks; exact times, which are per CPU, are not "
			  "shown then") },
	{ SELECTING, TEXT("cgroup", filter.cgroup, "PATH",
			  "only samples of this cgroup and those below it, likewise") },
	{ SELECTING & ~IN(ACCURACY),
	  FLAG("with-own-cost", filter.with_own_cost,
	       "times as measured, with what the recorder itself cost in them") },
	{ IN(SUMMARY) | IN(TIMELINE) | IN(PROCESSES) | IN(HTML),
	  PARSED("idle-watts", filter.idle_watts, "W", parse_watts, "a power in W such as 35.5",
		 "what packages and memory draw when idle, if you know it; otherwise estimated") },
	{ IN(SUMMARY) | IN(HTML),
	  PARSED("per", filter, "NAME=COUNT", parse_per,
		 "a name and a number such as requests=12345",
		 "show also what each of these took, such as requests=12345: CPU time and "
		 "energy") },
	{ IN(TIMELINE), MEMORY },

	{ IN(SUMMARY), FLAG("all-cpus", all_cpus, "show all CPUs, however many there are") },
	{ IN(SUMMARY), FLAG("all", all, "show all categories, including those without samples") },
	{ IN(SUMMARY),
	  FLAG("other", other, "show the functions that are in no category, the heaviest first") },
	{ IN(FOLDED) | IN(FLAMEGRAPH), OUTPUT },
	{ IN(FOLDED), NUMBERED("weight", weight, "WHAT", folded_weights,
			       "samples, or the energy of packages and memory in uJ, spread over "
			       "those that are not idle") },
	{ IN(FOLDED), FLAG("per-cpu", per_cpu, "write a tree for each CPU, below cpuN") },
	{ IN(FOLDED), FLAG("no-idle", no_idle, "leave out the idle task's samples") },
	{ IN(FLAMEGRAPH), FLAG("icicle", icicle, "draw callers on top, what they call below") },
	{ IN(FLAMEGRAPH), FLAG("idle", idle, "include the idle task's samples") },
	{ IN(HTML), FLAG("no-charts", no_charts, "leave out the charts, which gnuplot draws") },
	{ IN(HTML), FLAG("icicle", icicle, "in the flame graph, draw callers on top") },
	{ IN(HTML), FLAG("idle", idle, "in the flame graph, include the idle task's samples") },
	{ IN(DUMP), FLAG("samples", samples,
			 "print the samples instead: time, CPU, thread id, name, stack") },
	{ IN(DUMP), FLAG("recover", recover, "continue after damage") },
	{ IN(VERIFY), QUIET("do not report files that are all right") },
	{ IN(RECOVER), QUIET("do not report what was saved and what is missing") },
	{ IN(CUT), QUIET("do not report what was cut out") },
	{ IN(SCRUB) | IN(BUGREPORT), QUIET("do not report what was written") },
	{ IN(MERGE), QUIET("do not report what was merged") },
};

#define OPTIONS_MOST 32 /* of a command */

/* ---- commands ---------------------------------------------------------------------------- */

struct command {
	const char *name, *help;
	/* NULL: report_run(), for the report that `choose` says, or the first one. */
	run_fn *run;
	const struct report *reports; /* in the schema; NULL: it prints no JSON */
	choose_fn *choose;
	wrong_fn *wrong; /* NULL: all options go together */
	/* The names in the usage text, and how many there may be; max 0: any number. NULL: [FILE]. */
	const char *operands;
	size_t min, max;
	size_t words;		 /* this many operands, the first ones, are not files */
	void (*more)(FILE *out); /* for the usage text, after help; NULL: nothing */
	const uint8_t *ask;	 /* what models are asked for: model_ask() */
};

static run_fn schema_run;

static const struct command commands[COMMANDS] = {
	[SUMMARY] = { "summary", "where the CPU time went, and what the network did with its part",
		      .reports = summary_reports, .choose = summary_choose,
		      .wrong = summary_wrong },
	[TIMELINE] = { "timeline",
		       "CPU time, traffic and power as they change: a row for each tick",
		       .reports = timeline_reports, .choose = timeline_choose,
		       .wrong = timeline_wrong },
	[TOP] = { "top",
		  "the functions that take the network's time, themselves and with what they call",
		  .reports = top_reports, .wrong = top_wrong },
	[PROCESSES] = { "processes",
			"on-CPU time, calls, bytes and energy by process, cgroup, container or user (record --processes)",
			.reports = processes_reports },
	[COUNTS] = { "counts",
		     "what was counted of interfaces, drops, protocols and more, by any of what it is of",
		     .run = counts_run, .reports = counts_reports, .operands = "TABLE [FILE]",
		     .min = 1, .max = 2, .words = 1, .more = counts_list },
	[LATENCY] = { "latency",
		      "for how long packets waited, on their way in and out (record --latency)",
		      .reports = latency_reports, .choose = latency_choose,
		      .wrong = latency_wrong },
	[STAGES] = { "stages",
		     "packets' ways through the host, from stage to stage (record --stages)",
		     .reports = stages_reports, .choose = stages_choose },
	[FOLDED] = { "folded", "stacks as folded lines, for flamegraph.pl, inferno and speedscope",
		     .run = folded_run, .wrong = folded_wrong },
	[FLAMEGRAPH] = { "flamegraph",
			 "stacks as an SVG that zooms and searches; for two traces, what has changed",
			 .run = flamegraph_run, .operands = "[FILE | BEFORE AFTER]", .max = 2 },
	[DIFF] = { "diff", "two recordings: what costs more or less than before, and is not noise",
		   .run = diff_run, .reports = diff_reports, .wrong = diff_wrong,
		   .operands = "BEFORE AFTER", .min = 2, .max = 2 },
	[ACCURACY] = { "accuracy", "exact times against samples, and which sampling rate is enough",
		       .reports = accuracy_reports },
	[PLOT] = { "plot", "charts by gnuplot, as SVG, PNG or PDF", .run = plot_run,
		   .operands = "CHART [FILE]", .min = 1, .max = 2, .words = 1,
		   .more = plot_list_charts },
	[HTML] = { "html", "all of this as one HTML page, which needs no other files",
		   .run = html_run, .ask = view_use_types },
	[EXPORT] = { "export",
		     "traces in other formats: OpenMetrics, pprof, Firefox Profiler, tables",
		     .run = export_run, .operands = "FORMAT [FILE...]", .min = 1, .words = 1,
		     .more = export_list_formats, .ask = view_use_types },
	[INFO] = { "info", "what is in a trace: settings, clocks, probes, sources, sizes, losses",
		   .reports = info_reports, .choose = info_choose },
	[DUMP] = { "dump", "the records as JSON, one per line", .run = dump_run },
	[VERIFY] = { "verify",
		     "whether traces follow the format; exit status 3: cut off, 1: broken",
		     .run = verify_run, .reports = verify_reports, .operands = "FILE...",
		     .min = 1 },
	[RECOVER] = { "recover",
		      "a clean trace of everything that is intact in a cut or damaged one",
		      .run = recover_run, .operands = "IN OUT", .min = 2, .max = 2 },
	[CUT] = { "cut", "part of the time, from tick to tick, as a new trace", .run = cut_run,
		  .operands = "IN OUT", .min = 2, .max = 2 },
	[SCRUB] = { "scrub", "a copy for a bug report: private names, ids and times replaced",
		    .run = scrub_run, .operands = "IN OUT", .min = 2, .max = 2 },
	[BUGREPORT] = { "bugreport",
			"one file to send: the scrubbed trace, its summary and page, what verify says",
			.run = bugreport_run, .operands = "TRACE OUT.tar.zst", .min = 2, .max = 2 },
	[MERGE] = { "merge", "traces of several hosts in one file, each as a separate part",
		    .run = merge_run, .operands = "[NAME=]FILE... OUT", .min = 2 },
	[RULES] = { "rules",
		    "the rules that stacks are sorted by; for a trace, which of their functions it has",
		    .run = rules_run, .reports = rules_reports, .wrong = rules_wrong },
	[SCHEMA] = { "schema", "the JSON schema of what commands print with --format=json",
		     .run = schema_run, .operands = "[COMMAND]", .max = 1, .words = 1 },
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

/* Those of the command. Returns their number. */
static size_t options_of(const struct command *c, struct opt_desc opts[OPTIONS_MOST])
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(option_table) / sizeof(*option_table); i++)
		if (has_option(c, &option_table[i]) && n < OPTIONS_MOST)
			opts[n++] = option_table[i].desc;
	return n;
}

/* Without names for operands: a report on a trace, or on files of one recording, which are one trace. */
static bool takes_several(const struct command *c)
{
	return !c->operands;
}

/* ---- usage ------------------------------------------------------------------------------- */

static void usage(FILE *out)
{
	fprintf(out,
		"usage: netcost-report [COMMAND] [options] [FILE]\n"
		"\n"
		"Reports on a trace that netcost-record wrote. Without FILE: stdin if that is a pipe or a\n"
		"file, otherwise " DEFAULT_FILE "; '-' is stdin.\n"
		"\n"
		"Commands; without one, %s:\n",
		commands[0].name);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-11s %s\n", commands[i].name, commands[i].help);
	fprintf(out, "\n"
		     "Options:\n"
		     "  -h, --help     this text; after a command, its options\n"
		     "      --version  the version\n");
}

static void command_usage(FILE *out, const struct command *c, const struct opt_desc *opts, size_t n)
{
	fprintf(out, "usage: netcost-report %s [options] %s\n\n%s\n\n", c->name,
		c->operands ? c->operands : "[FILE]", c->help);
	if (c->more) {
		c->more(out);
		fputc('\n', out);
	}
	fputs("Options:\n", out);
	options_usage(out, opts, n);
}

/* What is wrong with n operands for the command, in words; NULL: nothing. */
static const char *wrong_operands(const struct command *c, size_t n)
{
	if (!c->operands)
		return NULL;
	return n < c->min || (c->max && n > c->max) ? c->operands : NULL;
}

/* A word that names no file and is shaped like a command's. */
static bool is_misspelled(const char *operand)
{
	return strcmp(operand, "-") != 0 && !operand[strcspn(operand, "./")] &&
	       access(operand, F_OK) && errno == ENOENT;
}

/* Reports what is wrong with the operands. named: the command was; otherwise one may be a misspelled command. */
static bool has_wrong_operands(const struct command *c, const struct options *o, bool named)
{
	const char *takes = wrong_operands(c, o->noperands);
	const char *first = o->noperands ? o->operand[0] : NULL;

	if (takes)
		fprintf(stderr, "netcost-report: %s takes %s\n", c->name, takes);
	else if (!named && first && is_misspelled(first))
		fprintf(stderr,
			"netcost-report: '%s' is neither a command nor a file; see --help\n",
			first);
	else
		return false;
	return true;
}

/* Reports options that do not go together. --table is for the format that has tables of its own. */
static bool has_wrong_options(const struct command *c, const struct options *o)
{
	const char *wrong = o->table && o->format != REPORT_CSV ? "--table needs --format=csv" :
			    c->wrong				? c->wrong(o) :
								  NULL;

	if (wrong)
		fprintf(stderr, "netcost-report: %s\n", wrong);
	return wrong;
}

/* For commands with --output; those that write a trace check it themselves. Reports it. */
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
	if (is_overwriting(c, o))
		return EXIT_FAILED;
	if (takes_several(c) && o->noperands > 1) {
		enum exit_status status = joined_stdin(o->operand, o->noperands, o->memory);

		if (status)
			return status;
		o->file = "-";
	}
	return c->run ? c->run(o) : report_run(&c->reports[c->choose ? c->choose(o) : 0], o);
}

/* Standard input, if the trace comes from a pipe or file there; a terminal and /dev/null are no trace. */
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
		if (o.noperands > c->words)
			o.file = o.operand[c->words];
		if (!has_wrong_operands(c, &o, named) && !has_wrong_options(c, &o))
			status = run_command(c, &o);
	}
	filter_free(&o.filter);
	return status;
}

/* ---- schema ------------------------------------------------------------------------------ */

/* What is printed as JSON, as a JSON schema. name: NULL: all commands. Returns the number of commands; -1: no memory. */
static int schema_describe(const char *name, struct doc *d, const struct model *empty)
{
	int n = 0;

	for (const struct command *c = commands; c < commands + COMMANDS; c++) {
		if (!c->reports || (name && strcmp(c->name, name)))
			continue;
		for (const struct report *r = c->reports; r->build; r++) {
			if (!r->name || (r->exists && !r->exists(r)))
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

/* Whether an option of any command takes its value from the next argument. */
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

/* The index of the first argument that is neither an option nor its value; argc: none. */
static int first_word(int argc, char **argv)
{
	int at = 1;

	while (at < argc && argv[at][0] == '-' && argv[at][1] && strcmp(argv[at], "--"))
		at += takes_next(argv[at]) ? 2 : 1;
	return at < argc ? at : argc;
}

/* Puts the command, if there is one, before the options that precede it. */
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

int main(int argc, char **argv)
{
	const struct command *c = take_command(argc, argv);

	/* A reader that goes away (| head) ends us quietly, however we were started. */
	signal(SIGPIPE, SIG_DFL);
	if (c)
		return (int)run(c, argc - 1, argv + 1, true);
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		usage(stdout);
		return (int)command_close(stdout, NULL);
	}
	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("netcost-report %s\n", NETCOST_VERSION);
		return (int)command_close(stdout, NULL);
	}
	return (int)run(&commands[0], argc, argv, false);
}
