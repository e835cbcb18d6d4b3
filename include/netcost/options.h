/* SPDX-License-Identifier: BSD-2-Clause */
/* options.h: one table describes a program's options; parsing and the usage text are derived from it. */
#ifndef NETCOST_OPTIONS_H
#define NETCOST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum opt_kind {
	OPT_FLAG, /* bool */
	OPT_UINT, /* unsigned long, min .. max */
	/* uint64_t, ns, min .. max: "500ms", "1m30s"; a number without a unit is in `plain` */
	OPT_TIME,
	OPT_SIZE, /* uint64_t, bytes, min .. max: "64M"; a number without a unit is in `plain` */
	/* uint64_t, millionths, min .. max: "5%"; a number without a unit is in `plain` */
	OPT_PERCENT,
	/* uint64_t, N of "1/N", min .. max; only after "="; without a value it is `plain` */
	OPT_RATIO,
	OPT_CPULIST,  /* struct cpuset, including the text: "0-3,8" */
	OPT_STR,      /* const char *, points into argv */
	OPT_CHOICE,   /* const char *, one of choices */
	OPT_NUMBERED, /* unsigned int, 1 + index in choices */
	OPT_PARSED,   /* set by parse() */
};

struct opt_desc {
	const char *name; /* long name, without -- */
	char short_name;  /* 0: none */
	enum opt_kind kind;
	size_t offset;	 /* in the configuration */
	const char *arg; /* the argument's name in the usage text; NULL for flags */
	const char *help;
	uint64_t min, max;	    /* OPT_UINT, OPT_TIME, OPT_SIZE, OPT_PERCENT, OPT_RATIO */
	uint64_t plain;		    /* the unit of a number without one; 0: a unit is required */
	const char *none;	    /* this word sets 0, whatever min is; NULL: no such word */
	const char *const *choices; /* OPT_CHOICE, NULL-terminated; must outlive the configuration */
	/* OPT_PARSED: returns false if the text is not what must_be describes, such as "a time". */
	bool (*parse)(const char *text, void *value);
	const char *must_be;
	bool hidden; /* parsed, but in no usage text, man page or completion */
};

/*
 * Parses argv[1] and on into cfg, which the caller has filled with the defaults. Accepts --name=VALUE, --name VALUE,
 * -nVALUE, -n VALUE and clustered flags; long names in full only. If an option is given twice, the last value counts.
 *
 * Returns the index of the first argument that is not an option: options end there or after "--". With permute, options
 * after operands count too, and the operands are moved after them, in their order. -h and --help set *help and return
 * at once. -EINVAL: err has one line with the error and what is allowed.
 */
int options_parse(const struct opt_desc *opts, size_t n, void *cfg, int argc, char **argv,
		  bool permute, bool *help, char *err, size_t errsize);

/* Prints one entry per option, wrapped at 80 columns. */
void options_usage(FILE *out, const struct opt_desc *opts, size_t n);
/* The same as entries of a list in a man page (mdoc). */
void options_man(FILE *out, const struct opt_desc *opts, size_t n);

/* The word of a list that `word` is probably a misspelling of; NULL: none is near. */
struct options_near {
	const char *word, *near;
	size_t edits; /* from word to near */
};
void options_near_look(struct options_near *n, const char *candidate);

/* A command of a program, or a program without commands. */
struct options_command {
	const char *name, *help; /* name NULL: without commands */
	const struct opt_desc *opts;
	size_t n;
	const char *const *words; /* what its first operand can be; NULL: a file */
};

/* Prints what completes the program's arguments in bash, zsh or fish. Returns false for any other shell. */
bool options_complete(FILE *out, const char *shell, const char *program,
		      const struct options_command *commands, size_t n);

#endif
