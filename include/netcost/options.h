/* SPDX-License-Identifier: BSD-2-Clause */
/* options.h: options of a program. One table describes them, and drives both the parsing and the usage text. */
#ifndef NETCOST_OPTIONS_H
#define NETCOST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum opt_kind {
	OPT_FLAG, /* bool, set to true */
	/* unsigned long from min to max. If `plain` is not 0, the value is optional and accepted only after "=". */
	OPT_UINT,
	/* uint64_t in ns from min to max, such as "500ms" or "1m30s"; `plain` is the unit of a number without a unit */
	OPT_TIME,
	/* uint64_t in bytes from min to max, such as "64M"; `plain` is the unit of a number without a unit */
	OPT_SIZE,
	/* uint64_t in millionths from min to max, such as "5%"; `plain` is the unit of a number without a unit */
	OPT_PERCENT,
	/*
	 * uint64_t, the N of "1/N", from min to max. The value is accepted only after "=". Without a value, N is
	 * `plain`.
	 */
	OPT_RATIO,
	OPT_CPULIST,  /* struct cpuset, including the text, such as "0-3,8" */
	OPT_STR,      /* const char *, which points into argv */
	OPT_CHOICE,   /* const char *, one of `choices` */
	OPT_NUMBERED, /* unsigned int, 1 + the index in `choices` */
	OPT_PARSED,   /* any type; parse() sets the value */
};

struct opt_desc {
	const char *name; /* long name, without the "--" */
	char short_name;  /* 0: the option has only a long name */
	enum opt_kind kind;
	size_t offset;	 /* offset of the value in the configuration */
	const char *arg; /* name of the argument in the usage text; NULL for flags */
	const char *help;
	/* used for OPT_UINT, OPT_TIME, OPT_SIZE, OPT_PERCENT, OPT_RATIO */
	uint64_t min, max;
	/*
	 * unit of a number without a unit; 0: a unit is required. OPT_RATIO, OPT_UINT: the value of an option without
	 * "=".
	 */
	uint64_t plain;
	/* word that sets the value to 0, even if min is greater; NULL: there is no such word */
	const char *none;
	/* for OPT_CHOICE and OPT_NUMBERED; NULL-terminated; must outlive the configuration */
	const char *const *choices;
	/* Used for OPT_PARSED. Returns false if the text is not what must_be describes, such as "a time". */
	bool (*parse)(const char *text, void *value);
	const char *must_be;
	/* the option is parsed, but omitted from the usage text, man page and completion */
	bool hidden;
};

/* Returns true if the option's value is optional. An optional value is accepted only after "=". */
static inline bool opt_is_optional(const struct opt_desc *o)
{
	return o->kind == OPT_RATIO || (o->kind == OPT_UINT && o->plain);
}

/*
 * Parses argv[1] and on into cfg, which the caller has filled with the defaults. Accepts --name=VALUE, --name VALUE,
 * -nVALUE, -n VALUE and clustered flags. Long names cannot be abbreviated. If an option is given twice, the last value
 * counts.
 *
 * Returns the index of the first argument after the options. The options end before the first argument that is not an
 * option, or after "--". With `permute`, options are also accepted after operands, and the operands are moved behind
 * the options without changing their order. -h and --help set *help and return at once. If the arguments are wrong,
 * returns -EINVAL, and err has one line with the error and the allowed values.
 */
int options_parse(const struct opt_desc *opts, size_t n, void *cfg, int argc, char **argv,
		  bool permute, bool *help, char *err, size_t errsize);

/* Prints one entry per option, wrapped at 80 columns. */
void options_usage(FILE *out, const struct opt_desc *opts, size_t n);
/* Prints the same entries as a list for a man page (mdoc). */
void options_man(FILE *out, const struct opt_desc *opts, size_t n);

/*
 * The best match for `word`, which is probably misspelled. near is the most similar word of a list, or NULL if no word
 * is similar.
 */
struct options_near {
	const char *word, *near;
	size_t edits; /* number of edits that change `word` into `near` */
};
void options_near_look(struct options_near *n, const char *candidate);

/* A command of a program, or a program without commands. */
struct options_command {
	const char *name, *help; /* name NULL: the program has no commands */
	const struct opt_desc *opts;
	size_t n;
	const char *const *words; /* allowed values of the first operand; NULL: it is a file */
};

/* Prints a script that completes the program's arguments in bash, zsh or fish. Returns false for any other shell. */
bool options_complete(FILE *out, const char *shell, const char *program,
		      const struct options_command *commands, size_t n);

#endif
