// SPDX-License-Identifier: BSD-2-Clause
/* Prints completion scripts for a program's arguments in bash, zsh and fish, from the program's table of options. */
#include <netcost/options.h>

#include <ctype.h>
#include <string.h>

struct completion {
	FILE *out;
	const char *program;
	/* the program's name, in a form that is allowed in the name of a shell function */
	char function[64];
	const struct options_command *command;
	size_t n;
};

static bool has_commands(const struct completion *c)
{
	return c->command[0].name;
}

static bool takes_value(const struct opt_desc *o)
{
	return o->kind != OPT_FLAG && !opt_is_optional(o);
}

static bool takes_file(const struct opt_desc *o)
{
	return o->arg && !strcmp(o->arg, "FILE");
}

static void put_words(FILE *out, const char *const *word)
{
	for (size_t i = 0; word[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", word[i]);
}

/*
 * Writes a text in single quotes. The characters in `escaped` get a backslash. In fish, a quote within the text gets a
 * backslash. In the other shells, the quotes are closed before a quote within the text, and opened again after this
 * quote.
 */
static void put_quoted(FILE *out, const char *text, const char *escaped, bool fish)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs(fish ? "\\'" : "'\\''", out);
		else
			fprintf(out, strchr(escaped, *text) ? "\\%c" : "%c", *text);
	}
}

static void put_names(const struct completion *c, const char *before, const char *between)
{
	for (size_t i = 0; i < c->n; i++)
		fprintf(c->out, "%s%s", i ? between : before, c->command[i].name);
}

/* ---- bash -------------------------------------------------------------------------------- */

static void bash_values(const struct completion *c, const struct options_command *command)
{
	const char *name = command->name ? command->name : "";

	for (size_t i = 0; i < command->n; i++) {
		const struct opt_desc *o = &command->opts[i];

		if (o->hidden || (!o->choices && !takes_file(o)))
			continue;
		fprintf(c->out, "\t%s,--%s", name, o->name);
		if (o->short_name)
			fprintf(c->out, " | %s,-%c", name, o->short_name);
		if (o->choices) {
			fputs(") words='", c->out);
			put_words(c->out, o->choices);
			fputs("' files='' ;;\n", c->out);
		} else {
			fputs(") words='' ;;\n", c->out);
		}
	}
}

/* Lists all options that take a value, so that the word after such an option is not taken for an operand. */
static void bash_options(const struct completion *c, const struct options_command *command)
{
	const char *name = command->name ? command->name : "";

	fprintf(c->out, "\t'%s') options='", name);
	for (size_t i = 0; i < command->n; i++)
		if (!command->opts[i].hidden)
			fprintf(c->out, "--%s%s ", command->opts[i].name,
				takes_value(&command->opts[i]) ? "=" : "");
	fputs("--help'", c->out);
	if (command->words) {
		fputs(" operands='", c->out);
		put_words(c->out, command->words);
		fputc('\'', c->out);
	}
	fputs(" ;;\n", c->out);
}

static void bash(const struct completion *c)
{
	FILE *out = c->out;

	fprintf(out,
		"# bash completion for %s\n"
		"_%s() {\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' option='' i\n"
		"\tlocal options='' operands='' words='none' files=yes\n"
		"\tCOMPREPLY=()\n",
		c->program, c->function);
	if (has_commands(c)) {
		fputs("\tfor ((i = 1; i < COMP_CWORD; i++)); do\n\t\tcase ${COMP_WORDS[i]} in\n\t\t",
		      out);
		put_names(c, "", " | ");
		fputs(") command=${COMP_WORDS[i]} && break ;;\n\t\tesac\n\tdone\n", out);
	}
	fputs("\tif [[ $cur == = ]]; then\n\t\toption=$prev cur=''\n"
	      "\telif [[ $prev == = ]]; then\n\t\toption=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\telif [[ $prev == -* ]]; then\n\t\toption=$prev\n\tfi\n"
	      "\tcase $command,$option in\n",
	      out);
	for (size_t i = 0; i < c->n; i++)
		bash_values(c, &c->command[i]);
	fputs("\tesac\n\tif [[ $words != none ]]; then\n"
	      "\t\tif [[ $words ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")); else COMPREPLY=($(compgen -f -- \"$cur\")); fi\n"
	      "\t\treturn\n\tfi\n"
	      "\tcase $command in\n",
	      out);
	for (size_t i = 0; i < c->n; i++)
		bash_options(c, &c->command[i]);
	if (has_commands(c)) {
		fputs("\t'') options='--help --version' operands='", out);
		put_names(c, "", " ");
		fputs("' ;;\n", out);
	}
	fprintf(out,
		"\tesac\n"
		"\tif [[ $cur == -* ]]; then\n"
		"\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
		"\t\t[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n"
		"\telse\n"
		"\t\tCOMPREPLY=($(compgen -W \"$operands\" -- \"$cur\") $(compgen -f -- \"$cur\"))\n"
		"\tfi\n"
		"}\n"
		"complete -o filenames -F _%s %s\n",
		c->function, c->program);
}

/* ---- zsh --------------------------------------------------------------------------------- */

#define ZSH_ESCAPED "[]:\\"

static void zsh_option(const struct completion *c, const struct opt_desc *o)
{
	FILE *out = c->out;
	const char *value = takes_value(o) ? "=" : "";

	if (o->hidden)
		return;
	fputs(" \\\n\t\t", out);
	if (o->short_name)
		fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}", o->short_name, o->name, o->short_name,
			takes_value(o) ? "+" : "", o->name, value);
	else
		fprintf(out, "--%s%s", o->name, value);
	fputs("'[", out);
	put_quoted(out, o->help, ZSH_ESCAPED, false);
	fputc(']', out);
	if (takes_value(o)) {
		fputc(':', out);
		put_quoted(out, o->arg ? o->arg : o->name, ZSH_ESCAPED, false);
		fputc(':', out);
		if (o->choices) {
			fputc('(', out);
			put_words(out, o->choices);
			fputc(')', out);
		} else if (takes_file(o)) {
			fputs("_files", out);
		}
	}
	fputc('\'', out);
}

static void zsh_arguments(const struct completion *c, const struct options_command *command)
{
	FILE *out = c->out;

	fputs("\t_arguments -s", out);
	for (size_t i = 0; i < command->n; i++)
		zsh_option(c, &command->opts[i]);
	fputs(" \\\n\t\t'(- *)'{-h,--help}'[show the options]'", out);
	if (command->words) {
		fputs(" \\\n\t\t'1:word:(", out);
		put_words(out, command->words);
		fputs(")'", out);
	}
	fputs(" \\\n\t\t'*:file:_files'", out);
}

static void zsh(const struct completion *c)
{
	FILE *out = c->out;

	fprintf(out, "#compdef %s\n_%s() {\n\tlocal state line\n\ttypeset -A opt_args\n",
		c->program, c->function);
	if (!has_commands(c)) {
		zsh_arguments(c, &c->command[0]);
		fprintf(out, "\n}\n_%s \"$@\"\n", c->function);
		return;
	}
	fputs("\tlocal -a commands=(\n", out);
	for (size_t i = 0; i < c->n; i++) {
		fprintf(out, "\t\t'%s:", c->command[i].name);
		put_quoted(out, c->command[i].help, ":\\", false);
		fputs("'\n", out);
	}
	fputs("\t)\n\t_arguments -C '(- *)'{-h,--help}'[show the commands]' '(- *)--version[show the version]' \\\n"
	      "\t\t'1: :->command' '*:: :->rest' && return\n"
	      "\tcase $state in\n\tcommand) _describe command commands; _files; return ;;\n\tesac\n"
	      "\tcase $words[1] in\n",
	      out);
	for (size_t i = 0; i < c->n; i++) {
		fprintf(out, "\t%s)\n", c->command[i].name);
		zsh_arguments(c, &c->command[i]);
		fputs(" ;;\n", out);
	}
	fprintf(out, "\t*) _files ;;\n\tesac\n}\n_%s \"$@\"\n", c->function);
}

/* ---- fish -------------------------------------------------------------------------------- */

static void fish_begin(const struct completion *c, const struct options_command *command)
{
	fprintf(c->out, "complete -c %s", c->program);
	if (command->name)
		fprintf(c->out, " -n '__fish_seen_subcommand_from %s'", command->name);
}

static void fish_command(const struct completion *c, const struct options_command *command)
{
	FILE *out = c->out;

	for (size_t i = 0; i < command->n; i++) {
		const struct opt_desc *o = &command->opts[i];

		if (o->hidden)
			continue;
		fish_begin(c, command);
		if (o->short_name)
			fprintf(out, " -s %c", o->short_name);
		fprintf(out, " -l %s", o->name);
		if (o->choices) {
			fputs(" -x -a '", out);
			put_words(out, o->choices);
			fputc('\'', out);
		} else if (takes_value(o)) {
			fputs(takes_file(o) ? " -r" : " -x", out);
		}
		fputs(" -d '", out);
		put_quoted(out, o->help, "\\", true);
		fputs("'\n", out);
	}
	if (command->words) {
		fish_begin(c, command);
		fputs(" -a '", out);
		put_words(out, command->words);
		fputs("'\n", out);
	}
}

static void fish(const struct completion *c)
{
	fprintf(c->out,
		"# fish completion for %s\ncomplete -c %s -s h -l help -d 'Show the options'\n",
		c->program, c->program);
	for (size_t i = 0; has_commands(c) && i < c->n; i++) {
		fprintf(c->out, "complete -c %s -n __fish_use_subcommand -a %s -d '", c->program,
			c->command[i].name);
		put_quoted(c->out, c->command[i].help, "\\", true);
		fputs("'\n", c->out);
	}
	for (size_t i = 0; i < c->n; i++)
		fish_command(c, &c->command[i]);
}

bool options_complete(FILE *out, const char *shell, const char *program,
		      const struct options_command *commands, size_t n)
{
	struct completion c = { .out = out, .program = program, .command = commands, .n = n };
	size_t len = strlen(program) < sizeof(c.function) ? strlen(program) :
							    sizeof(c.function) - 1;

	for (size_t i = 0; i < len; i++)
		c.function[i] = isalnum((unsigned char)program[i]) ? program[i] : '_';
	if (!strcmp(shell, "bash"))
		bash(&c);
	else if (!strcmp(shell, "zsh"))
		zsh(&c);
	else if (!strcmp(shell, "fish"))
		fish(&c);
	else
		return false;
	return true;
}
