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

struct command;

/* What all commands have: first in their own options. */
struct config {
	const struct command *const *commands; /* all there are, the last one NULL */
	const char *file; /* the first operand that names one, or the default */
	const char *const *operand;
	size_t noperands;
	unsigned long memory; /* MiB for names and ids; 0: the usual */
};

/* Of those about a part of a file, or of what is in it: first in theirs. NULL: was not given. */
struct trace_options {
	struct config common;
	const char *part;
	const char *rules; /* NULL: the built-in ones */
	const char *from, *to, *cpus, *tasks, *cgroup;
};

struct doc;
struct model;
struct report;

struct command {
	const char *name, *help;
	/* cfg is the first member of the command's own options, if it has some: options_size bytes, else 0 */
	enum exit_status (*run)(const struct config *cfg); /* NULL: report_run() */
	const struct report *report; /* NULL: it is none that is always built in one way */
	size_t options_size;
	/* Builds what it prints as JSON, of a model without a trace, for the schema. -ENOMEM. NULL: the report. */
	int (*describe)(struct doc *d, const struct model *empty);
	const struct opt_desc *opts;
	size_t nopts;
	/* As the usage text names them, and how many; max 0: any number. NULL: [FILE]. */
	const char *operands;
	size_t min, max;
	size_t words;		 /* so many operands, the first ones, name no file */
	void (*more)(FILE *out); /* for the usage text, behind help; NULL: nothing */
};

/* The members of a command that are about its options. */
#define COMMAND_OPTIONS(type, array)                                                               \
	.options_size = sizeof(type), .opts = (array), .nopts = sizeof(array) / sizeof(*(array))

/* Of all commands that report on a trace. */
#define OPT_PART                                                                                   \
	{                                                                                          \
		.name = "part", .kind = OPT_STR, .arg = "N|NAME",                                  \
		.offset = offsetof(struct trace_options, part),                                    \
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
#define OPT_FORMAT(options, formats)                                                               \
	{                                                                                          \
		.name = "format", .kind = OPT_CHOICE, .offset = offsetof(options, format),         \
		.choices = (formats), .help = "how to print it (text)"                             \
	}

/* Of those that write into a file: command_open(). */
#define OPT_OUTPUT(options)                                                                        \
	{                                                                                          \
		.name = "output", .short_name = 'o', .kind = OPT_STR, .arg = "FILE",               \
		.offset = offsetof(options, output), .help = "write there (stdout)"                \
	}

/* Of those that say what they did. */
#define OPT_QUIET(options, text)                                                                   \
	{                                                                                          \
		.name = "quiet", .short_name = 'q', .kind = OPT_FLAG,                              \
		.offset = offsetof(options, quiet), .help = (text)                                 \
	}

/* Of those that sort stacks. */
#define OPT_RULES                                                                                  \
	{                                                                                          \
		.name = "rules", .kind = OPT_STR, .arg = "FILE",                                   \
		.offset = offsetof(struct trace_options, rules),                                   \
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
	  .offset = offsetof(struct trace_options, from),                                          \
	  .help = "only from then on: 2.5, 500ms, 1m30s since the start, -10s before the end, or " \
		  "mark:TEXT" },                                                                   \
		{ .name = "to",                                                                    \
		  .kind = OPT_STR,                                                                 \
		  .arg = "TIME",                                                                   \
		  .offset = offsetof(struct trace_options, to),                                    \
		  .help = "only up to then" },                                                     \
		{ .name = "cpu",                                                                   \
		  .kind = OPT_STR,                                                                 \
		  .arg = "LIST",                                                                   \
		  .offset = offsetof(struct trace_options, cpus),                                  \
		  .help = "only these CPUs, such as 0-3,8" },                                      \
		{ .name = "task",                                                                  \
		  .kind = OPT_STR,                                                                 \
		  .arg = "NAME|TID,...",                                                           \
		  .offset = offsetof(struct trace_options, tasks),                                 \
		  .help = "only samples of these tasks: exact times, being per CPU, are not "      \
			  "shown then" },                                                          \
	{                                                                                          \
		.name = "cgroup", .kind = OPT_STR, .arg = "PATH",                                  \
		.offset = offsetof(struct trace_options, cgroup),                                  \
		.help = "only samples of that cgroup and those below it, likewise"                 \
	}

/* All of them, as --help lists them; the first is the one that is meant where none is named. */
#define COMMANDS(X)                                                                                \
	X(summary)                                                                                 \
	X(timeline)                                                                                \
	X(top)                                                                                     \
	X(folded)                                                                                  \
	X(flamegraph)                                                                              \
	X(diff)                                                                                    \
	X(accuracy)                                                                                \
	X(plot)                                                                                    \
	X(html)                                                                                    \
	X(info)                                                                                    \
	X(dump)                                                                                    \
	X(verify)                                                                                  \
	X(recover)                                                                                 \
	X(cut)                                                                                     \
	X(scrub)                                                                                   \
	X(merge)                                                                                   \
	X(rules)                                                                                   \
	X(schema)

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

/* name: what --output says; NULL, "-": stdout. NULL: it cannot be written, and that was told. */
FILE *command_open(const char *name);
/* Ends the output and tells what went wrong on the way. name: of the file, NULL for stdout. */
enum exit_status command_close(FILE *out, const char *name);
/* The same of what command_open() opened. Not ok, or not written in full: no file is left behind. */
enum exit_status command_end(FILE *out, const char *name, bool ok);

#endif
