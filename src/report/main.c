// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report: the command line. Parsing, checks, usage and schema are derived from the table of options
 * (command_options.c) and the table of commands.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/options.h>
#include <netcost/units.h>
#include <netcost/version.h>

#include "report/analysis/view.h"
#include "report/base/text.h"
#include "report/cmd/command.h"
#include "report/cmd/command_options.h"

#define DEFAULT_FILE "netcost.nct"

/* The groups of --help. The first command of each group identifies it. */
static const struct {
	enum command_id first;
	const char *title;
} groups[] = { { SUMMARY, "Reports" }, { INFO, "Files" }, { ACCURACY, "Methods" } };

/* ---- commands ---------------------------------------------------------------------------- */

struct command {
	const char *name, *help;
	/* runs the command; NULL: report_run() runs the report that `choose` returns, or the first report */
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
	bool queries;	    /* the last operand is a query, not a file */
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
		  "processes, cgroups, pods, users or peers: CPU time, network time, calls, bytes, energy",
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
	[DIFF] = { "diff", "two recordings compared: significant changes of cost", .run = diff_run,
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
	[CUT] = { "cut", "a time range of a trace, from tick to tick, as a new trace",
		  .run = cut_run, COPY },
	[MERGE] = { "merge",
		    "files of one recording joined to one trace, or traces of several hosts in one file",
		    .run = merge_run, .operands = "[NAME=]FILE... -o OUT", .min = 1,
		    .writes = "a trace", .needs_output = true },
	[SCRUB] = { "scrub", "a copy for a bug report: private names, ids and times replaced",
		    .run = scrub_run, COPY },
	[RECOVER] = { "recover",
		      "the intact records of a cut-off or damaged trace, as a valid trace",
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
		    "the rules that classify stacks; with a trace, the functions of the rules that occur in the trace",
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

static size_t options_of(const struct command *c, struct opt_desc opts[OPTIONS_MOST])
{
	return command_options((enum command_id)(c - commands), opts);
}

/*
 * Returns true for commands with the default operands. These commands report on a trace, or on files of one recording,
 * which are joined.
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
		"  -h, --help     this text; after a command, the options of the command, as `help COMMAND`\n"
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
	fputs("Options, with defaults in parentheses and possible values in brackets:\n", out);
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
			"netcost-report: %s: -o FILE is missing; give the file for %s, or - for stdout\n",
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
 * Returns true if the output would overwrite an input, which is reported. It is for commands with --output, except
 * commands that write a trace, which have their own check.
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

/*
 * Returns the index of the first argument that is neither an option nor the value of one, or argc
 * if all arguments are options and values.
 */
static int first_word(int argc, char **argv)
{
	int at = 1;

	while (at < argc && argv[at][0] == '-' && argv[at][1] && strcmp(argv[at], "--"))
		at += option_takes_next(argv[at]) ? 2 : 1;
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
