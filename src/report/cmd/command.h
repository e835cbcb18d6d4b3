/* SPDX-License-Identifier: BSD-2-Clause */
/* command.h: what a command of netcost-report is. One file a command; main.c lists them. */
#ifndef NETCOST_REPORT_COMMAND_H
#define NETCOST_REPORT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <netcost/options.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1, /* told on stderr */
	EXIT_USAGE = 2,
	EXIT_CUT = 3,	/* of verify: whole, but for its end */
	EXIT_WORSE = 4, /* of diff: something costs more than --fail-above allows */
};

#define COMMAND_DEFAULT_FILE "netcost.nct"

/* What the options of all commands set. */
struct config {
	const char *file; /* the first operand that names one, or the default */
	const char *const *operand;
	size_t noperands;
	const char *format;
	const char *output; /* NULL: stdout */
	const char *part;   /* NULL: all */
	const char *rules;  /* NULL: the built-in ones */
	const char *keep;   /* of scrub */
	const char *cpus, *tasks, *cgroup, *by, *every;
	const char *per, *fail_above, *only; /* of diff */
	const char *from, *to;		     /* NULL: the start, the end */
	unsigned long memory;		     /* MiB for names and ids; 0: the usual */
	unsigned long rows; /* of a table; 0: as many as there are, or the usual number */
	bool all_cpus, all, other, per_cpu, no_idle, idle, icicle, samples, recover, quiet, network,
		script, no_charts;
};

struct command {
	const char *name, *help;
	/* cfg is the first member of the command's own options, if it has some: options_size bytes, else 0 */
	enum exit_status (*run)(const struct config *cfg);
	size_t options_size;
	const struct opt_desc *opts;
	size_t nopts;
	/* As the usage text names them, and how many; max 0: any number. NULL: [FILE]. */
	const char *operands;
	size_t min, max;
	size_t words;		 /* so many operands, the first ones, name no file */
	void (*more)(FILE *out); /* for the usage text, behind help; NULL: nothing */
};

/* Of all commands that report on a trace. */
#define OPT_PART                                                                                   \
	{                                                                                          \
		.name = "part", .kind = OPT_STR, .arg = "N|NAME",                                  \
		.offset = offsetof(struct config, part),                                           \
		.help = "of a file of several traces only this one: a number from 1 on, or a host" \
	}

/* Of all that read traces: budget.h. */
#define OPT_MEMORY                                                                                 \
	{                                                                                          \
		.name = "memory", .kind = OPT_UINT, .arg = "MIB",                                  \
		.offset = offsetof(struct config, memory), .min = 1, .max = 1 << 20,               \
		.help = "at most that much for the names and ids of a trace (256)"                 \
	}

/* Of those that print in several ways: an array of names, the last one NULL. */
#define OPT_FORMAT(formats)                                                                        \
	{                                                                                          \
		.name = "format", .kind = OPT_CHOICE, .offset = offsetof(struct config, format),   \
		.choices = (formats), .help = "how to print it (text)"                             \
	}

/* Of those that write into a file: command_open(). */
#define OPT_OUTPUT                                                                                 \
	{                                                                                          \
		.name = "output", .short_name = 'o', .kind = OPT_STR, .arg = "FILE",               \
		.offset = offsetof(struct config, output), .help = "write there (stdout)"          \
	}

/* Of those that sort stacks. */
#define OPT_RULES                                                                                  \
	{                                                                                          \
		.name = "rules", .kind = OPT_STR, .arg = "FILE",                                   \
		.offset = offsetof(struct config, rules),                                          \
		.help = "sort stacks by the rules in that file (see the command rules)"            \
	}

/* Of those that print tables which may be long. */
#define OPT_ROWS(options, text)                                                                    \
	{                                                                                          \
		.name = "rows", .short_name = 'n', .kind = OPT_UINT, .arg = "N",                   \
		.offset = offsetof(options, rows), .min = 1, .max = 100000, .help = (text)         \
	}

/* Of those that can be about a part of the trace: filter.h. */
#define OPT_FILTER                                                                                 \
	{ .name = "from",                                                                          \
	  .kind = OPT_STR,                                                                         \
	  .arg = "TIME",                                                                           \
	  .offset = offsetof(struct config, from),                                                 \
	  .help = "only from then on: 2.5, 500ms, 1m30s since the start, -10s before the end, or " \
		  "mark:TEXT" },                                                                   \
		{ .name = "to",                                                                    \
		  .kind = OPT_STR,                                                                 \
		  .arg = "TIME",                                                                   \
		  .offset = offsetof(struct config, to),                                           \
		  .help = "only up to then" },                                                     \
		{ .name = "cpu",                                                                   \
		  .kind = OPT_STR,                                                                 \
		  .arg = "LIST",                                                                   \
		  .offset = offsetof(struct config, cpus),                                         \
		  .help = "only these CPUs, such as 0-3,8" },                                      \
		{ .name = "task",                                                                  \
		  .kind = OPT_STR,                                                                 \
		  .arg = "NAME|TID,...",                                                           \
		  .offset = offsetof(struct config, tasks),                                        \
		  .help = "only samples of these tasks: exact times, being per CPU, are not "      \
			  "shown then" },                                                          \
	{                                                                                          \
		.name = "cgroup", .kind = OPT_STR, .arg = "PATH",                                  \
		.offset = offsetof(struct config, cgroup),                                         \
		.help = "only samples of that cgroup and those below it, likewise"                 \
	}

extern const struct command command_summary, command_folded, command_flamegraph, command_info,
	command_dump;
extern const struct command command_verify, command_recover, command_cut, command_scrub;
extern const struct command command_diff;
extern const struct command command_merge, command_rules, command_top, command_timeline;
extern const struct command command_plot, command_html, command_accuracy;

/* name: what --output says; NULL, "-": stdout. NULL: it cannot be written, and that was told. */
FILE *command_open(const char *name);
/* Ends the output and tells what went wrong on the way. name: of the file, NULL for stdout. */
enum exit_status command_close(FILE *out, const char *name);
/* The same of what command_open() opened. Not ok, or not written in full: no file is left behind. */
enum exit_status command_end(FILE *out, const char *name, bool ok);

#endif
