/* SPDX-License-Identifier: BSD-2-Clause */
/* command.h: what a command of netcost-report is: a file of its own, and a line in COMMANDS. */
#ifndef NETCOST_REPORT_COMMAND_H
#define NETCOST_REPORT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <netcost/options.h>

#include "report/base/outfile.h"

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1, /* reported on stderr */
	EXIT_USAGE = 2,
	EXIT_CUT = 3,	/* verify: only the end is missing */
	EXIT_WORSE = 4, /* diff: something costs more than --fail-above allows */
};

#define COMMAND_DEFAULT_FILE "netcost.nct"

struct command;

/* What all commands have. It is the first member of their options. */
struct config {
	const struct command *const *commands; /* all there are, the last one NULL */
	const char *file; /* the first operand that names one, or the default */
	const char *const *operand;
	size_t noperands;
	unsigned long memory; /* MiB for names and ids; 0: the usual */
};

/* Commands that read a part of a file, or select from it: the first member of their options. NULL: not given. */
struct trace_options {
	struct config common;
	const char *part;
	const char *rules; /* NULL: the built-in ones */
	const char *from, *to, *cpus, *tasks, *cgroup;
	const char *idle_watts, *per;
	bool with_own_cost;
};

struct doc;
struct model;
struct report;

struct command {
	const char *name, *help;
	/* cfg is the first member of the command's own options, if it has some: options_size bytes, else 0 */
	enum exit_status (*run)(const struct config *cfg); /* NULL: report_run() */
	/* What is run, and shown in the schema. NULL: the command has functions for both. */
	const struct report *report;
	size_t options_size;
	/* Builds its JSON from an empty model, for the schema. -ENOMEM. NULL: the report does, if there is one. */
	int (*describe)(struct doc *d, const struct model *empty);
	const struct opt_desc *opts;
	size_t nopts;
	/* The names in the usage text, and how many there may be; max 0: any number. NULL: [FILE]. */
	const char *operands;
	size_t min, max;
	size_t words;		 /* this many operands, the first ones, are not files */
	void (*more)(FILE *out); /* for the usage text, after help; NULL: nothing */
};

/* The members of a command for its options. */
#define COMMAND_OPTIONS(type, array)                                                               \
	.options_size = sizeof(type), .opts = (array), .nopts = sizeof(array) / sizeof(*(array))

/* An option without a value, one with text, and one of several words: the last one of `words_` is NULL. */
#define OPT_SWITCH(type, member, name_, help_)                                                     \
	{                                                                                          \
		.name = name_, .kind = OPT_FLAG, .offset = offsetof(type, member), .help = help_   \
	}
#define OPT_TEXT(type, member, name_, arg_, help_)                                                 \
	{                                                                                          \
		.name = name_, .kind = OPT_STR, .arg = arg_, .offset = offsetof(type, member),     \
		.help = help_                                                                      \
	}
#define OPT_WORD(type, member, name_, arg_, words_, help_)                                         \
	{                                                                                          \
		.name = name_, .kind = OPT_CHOICE, .arg = arg_, .offset = offsetof(type, member),  \
		.choices = words_, .help = help_                                                   \
	}
#define OPT_NUMBER(type, member, name_, arg_, max_, help_)                                         \
	{                                                                                          \
		.name = name_, .kind = OPT_UINT, .arg = arg_, .offset = offsetof(type, member),    \
		.min = 1, .max = max_, .help = help_                                               \
	}

/* For commands that report on a trace. */
#define OPT_PART                                                                                   \
	OPT_TEXT(struct trace_options, part, "part", "N|NAME",                                     \
		 "if the file has several traces, only this one: a number from 1, or a host")

/* For all that read traces: budget.h. */
#define OPT_MEMORY                                                                                 \
	OPT_NUMBER(struct config, memory, "memory", "MIB", 1 << 20,                                \
		   "limit for the names and ids of a trace (512)")

/* For those that write to a file: command_open(). */
#define OPT_OUTPUT(type)                                                                           \
	{                                                                                          \
		.name = "output", .short_name = 'o', .kind = OPT_STR, .arg = "FILE",               \
		.offset = offsetof(type, output), .help = "write to FILE (stdout)"                 \
	}

/* For those that report what they did. */
#define OPT_QUIET(type, help_)                                                                     \
	{                                                                                          \
		.name = "quiet", .short_name = 'q', .kind = OPT_FLAG,                              \
		.offset = offsetof(type, quiet), .help = help_                                     \
	}

/* For those that sort stacks. */
#define OPT_RULES                                                                                  \
	OPT_TEXT(struct trace_options, rules, "rules", "FILE",                                     \
		 "sort stacks by the rules in FILE (see the command rules)")

/* For those that print tables which may be long. */
#define OPT_ROWS(type, help_)                                                                      \
	{                                                                                          \
		.name = "rows", .short_name = 'n', .kind = OPT_UINT, .arg = "N",                   \
		.offset = offsetof(type, rows), .min = 1, .max = 100000, .help = help_             \
	}

/* For those that can select a part of the trace: filter.h. */
#define OPT_FILTER                                                                                 \
	OPT_TEXT(struct trace_options, from, "from", "TIME",                                       \
		 "only from this time on: 2.5, 500ms, 1m30s since the start, -10s before the "     \
		 "end, or mark:TEXT"),                                                             \
		OPT_TEXT(struct trace_options, to, "to", "TIME", "only up to this time"),          \
		OPT_TEXT(struct trace_options, cpus, "cpu", "LIST",                                \
			 "only these CPUs, such as 0-3,8"),                                        \
		OPT_TEXT(struct trace_options, tasks, "task", "NAME|TID,...",                      \
			 "only samples of these tasks; exact times, which are per CPU, are not "   \
			 "shown then"),                                                            \
		OPT_TEXT(struct trace_options, cgroup, "cgroup", "PATH",                           \
			 "only samples of this cgroup and those below it, likewise")

/* For those that show how CPU time is split: filter.h, too. */
#define OPT_OWN_COST                                                                               \
	OPT_SWITCH(struct trace_options, with_own_cost, "with-own-cost",                           \
		   "times as measured, with what the recorder itself cost in them")

/* For those that show the network's power. */
#define OPT_IDLE_WATTS                                                                             \
	OPT_TEXT(struct trace_options, idle_watts, "idle-watts", "W",                              \
		 "what packages and memory draw when idle, if you know it; otherwise estimated")

/* For those that show costs of what the user counted. */
#define OPT_PER                                                                                    \
	OPT_TEXT(struct trace_options, per, "per", "NAME=COUNT",                                   \
		 "show also what each of these took, such as requests=12345: CPU time and energy")

/* All commands, in the order of --help; the first is the default. */
#define COMMANDS(X)                                                                                \
	X(summary)                                                                                 \
	X(timeline)                                                                                \
	X(top)                                                                                     \
	X(processes)                                                                               \
	X(latency)                                                                                 \
	X(stages)                                                                                  \
	X(folded)                                                                                  \
	X(flamegraph)                                                                              \
	X(diff)                                                                                    \
	X(accuracy)                                                                                \
	X(plot)                                                                                    \
	X(html)                                                                                    \
	X(export)                                                                                  \
	X(info)                                                                                    \
	X(dump)                                                                                    \
	X(verify)                                                                                  \
	X(recover)                                                                                 \
	X(cut)                                                                                     \
	X(scrub)                                                                                   \
	X(bugreport)                                                                               \
	X(merge)                                                                                   \
	X(rules)                                                                                   \
	X(schema)

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

/* name: what --output says; NULL, "-": stdout. NULL: it cannot be written, and that was reported. */
FILE *command_open(struct outfile *o, const char *name);
/* Ends the output and reports what went wrong. name: of the file, NULL for stdout. */
enum exit_status command_close(FILE *out, const char *name);
/* The same for what command_open() opened. If not ok, or not written in full, there is no new file. */
enum exit_status command_end(struct outfile *o, FILE *out, const char *name, bool ok);

#endif
