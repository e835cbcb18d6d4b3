// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report: finds the command, parses its options, runs it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/version.h>

#include "report/cmd/command.h"
#include "report/cmd/joined.h"
#include "report/cmd/report.h"
#include "report/input/input.h"

static const struct command *const commands[] = {
#define X(name) &command_##name,
	COMMANDS(X)
#undef X
		NULL
};

static void usage(FILE *out)
{
	fprintf(out,
		"usage: netcost-report [COMMAND] [options] [FILE]\n"
		"\n"
		"Reports on a trace that netcost-record wrote. Without FILE: stdin if that is a pipe or a\n"
		"file, otherwise " COMMAND_DEFAULT_FILE "; '-' is stdin.\n"
		"\n"
		"Commands; without one, %s:\n",
		commands[0]->name);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->help);
	fprintf(out, "\n"
		     "Options:\n"
		     "  -h, --help     this text; after a command, its options\n"
		     "      --version  the version\n");
}

static void command_usage(FILE *out, const struct command *c)
{
	fprintf(out, "usage: netcost-report %s [options] %s\n\n%s\n\n", c->name,
		c->operands ? c->operands : "[FILE]", c->help);
	if (c->more) {
		c->more(out);
		fputc('\n', out);
	}
	fputs("Options:\n", out);
	options_usage(out, c->opts, c->nopts);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* Files of one recording are one trace to commands that read traces. */
static bool takes_several(const struct command *c)
{
	for (size_t i = 0; !c->operands && i < c->nopts; i++)
		if (!strcmp(c->opts[i].name, "memory"))
			return true;
	return false;
}

/* What is wrong with n operands for the command, in words; NULL: nothing. */
static const char *wrong_operands(const struct command *c, size_t n)
{
	if (!c->operands)
		return n > 1 && !takes_several(c) ? "one FILE" : NULL;
	return n < c->min || (c->max && n > c->max) ? c->operands : NULL;
}

/* A word that names no file and is shaped like a command's. */
static bool is_misspelled(const char *operand)
{
	return strcmp(operand, "-") != 0 && !operand[strcspn(operand, "./")] &&
	       access(operand, F_OK) && errno == ENOENT;
}

/* Reports what is wrong with the operands. named: the command was; otherwise one may be a misspelled command. */
static bool is_wrong_usage(const struct command *c, const struct config *cfg, bool named)
{
	const char *takes = wrong_operands(c, cfg->noperands);
	const char *first = cfg->noperands ? cfg->operand[0] : NULL;

	if (takes && named)
		fprintf(stderr, "netcost-report: %s takes %s\n", c->name, takes);
	else if (takes)
		fprintf(stderr, "netcost-report: '%s' is not a command; see --help\n", first);
	else if (!named && first && is_misspelled(first))
		fprintf(stderr,
			"netcost-report: '%s' is neither a command nor a file; see --help\n",
			first);
	else
		return false;
	return true;
}

/* The value of that option; NULL: it was not given, or the command does not have it. */
static const char *given(const struct command *c, const struct config *cfg, const char *option)
{
	for (size_t i = 0; i < c->nopts; i++)
		if (!strcmp(c->opts[i].name, option))
			return *(const char *const *)(const void *)((const char *)cfg +
								    c->opts[i].offset);
	return NULL;
}

/* For commands with --output; those that write a trace check it themselves. Reports it. */
static bool is_overwriting(const struct command *c, const struct config *cfg)
{
	const char *out = given(c, cfg, "output"), *rules = given(c, cfg, "rules");

	if (!out)
		return false;
	for (size_t i = c->words; i < cfg->noperands; i++)
		if (input_is_output(cfg->operand[i], "trace", out))
			return true;
	return input_is_output(cfg->file, "trace", out) ||
	       (rules && input_is_output(rules, "rules file", out));
}

/* Reports --table with a format that has no tables of its own. */
static bool is_table_without_csv(const struct command *c, const struct config *cfg)
{
	const char *format = given(c, cfg, "format");

	if (!given(c, cfg, "table") || (format && !strcmp(format, "csv")))
		return false;
	fprintf(stderr, "netcost-report: --table needs --format=csv\n");
	return true;
}

static enum exit_status run_with(const struct command *c, struct config *cfg, int argc, char **argv,
				 bool named)
{
	char err[256];
	bool help;
	int at = options_parse(c->opts, c->nopts, cfg, argc, argv, true, &help, err, sizeof(err));

	if (at < 0) {
		fprintf(stderr, "netcost-report: %s\n", err);
		return EXIT_USAGE;
	}
	if (help) {
		command_usage(stdout, c);
		return command_close(stdout, NULL);
	}
	cfg->operand = (const char *const *)argv + at;
	cfg->noperands = (size_t)(argc - at);
	if (is_wrong_usage(c, cfg, named) || is_table_without_csv(c, cfg))
		return EXIT_USAGE;
	if (cfg->noperands > c->words)
		cfg->file = cfg->operand[c->words];
	if (is_overwriting(c, cfg))
		return EXIT_FAILED;
	if (takes_several(c) && cfg->noperands > 1) {
		enum exit_status status = joined_stdin(cfg->operand, cfg->noperands, cfg->memory);

		if (status)
			return status;
		cfg->file = "-";
	}
	return c->run ? c->run(cfg) : report_run(c->report, cfg);
}

/* Standard input, if the trace comes from a pipe or file there; a terminal and /dev/null are no trace. */
static const char *default_file(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode)) ?
		       "-" :
		       COMMAND_DEFAULT_FILE;
}

static enum exit_status run(const struct command *c, int argc, char **argv, bool named)
{
	struct config *cfg = calloc(1, c->options_size ? c->options_size : sizeof(*cfg));
	enum exit_status status;

	if (!cfg) {
		fprintf(stderr, "netcost-report: out of memory\n");
		return EXIT_FAILED;
	}
	cfg->commands = commands;
	cfg->file = default_file();
	status = run_with(c, cfg, argc, argv, named);
	free(cfg);
	return status;
}

/* ---- the command, which may come after options ------------------------------------------- */

/* Whether an option of any command takes its value from the next argument. */
static bool takes_next(const char *arg)
{
	bool is_long = !strncmp(arg, "--", 2);

	if (is_long ? !!strchr(arg, '=') : arg[2] != '\0')
		return false;
	for (size_t i = 0; commands[i]; i++)
		for (size_t k = 0; k < commands[i]->nopts; k++) {
			const struct opt_desc *o = &commands[i]->opts[k];

			if (is_long ? !strcmp(o->name, arg + 2) : o->short_name == arg[1])
				return o->kind != OPT_FLAG && o->kind != OPT_MAYBE;
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
	return (int)run(commands[0], argc, argv, false);
}
