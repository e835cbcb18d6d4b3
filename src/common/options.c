// SPDX-License-Identifier: BSD-2-Clause
/* Parses options that a table describes, and prints the usage text. */
#include <netcost/options.h>

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/cpuset.h>
#include <netcost/text_append.h>
#include <netcost/units.h>

#define USAGE_COLUMNS 80
#define HELP_COLUMN 24

struct parser {
	const struct opt_desc *opts;
	size_t n;
	char *cfg;
	char **argv;
	int argc, next; /* next: index of the next argument */
	bool *help;
	char *err;
	size_t errsize;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct parser *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->err, p->errsize, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Parses a number of decimal digits. strtoul() would also accept signs, blanks and empty text. */
static bool parse_uint(const char *s, unsigned long *v)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*v = strtoul(s, &end, 10);
	return !errno && !*end;
}

static int set_uint(struct parser *p, const struct opt_desc *o, const char *given,
		    const char *value)
{
	unsigned long v;

	if (!parse_uint(value, &v) || v < o->min || v > o->max)
		return refuse(p, "%s: '%s' is not a number from %" PRIu64 " to %" PRIu64, given,
			      value, o->min, o->max);
	*(unsigned long *)(void *)(p->cfg + o->offset) = v;
	return 0;
}

static enum units units_of(const struct opt_desc *o)
{
	return o->kind == OPT_TIME ? UNITS_TIME : o->kind == OPT_SIZE ? UNITS_SIZE : UNITS_SHARE;
}

static int set_amount(struct parser *p, const struct opt_desc *o, const char *given,
		      const char *value)
{
	enum units kind = units_of(o);
	char min[32], max[32];
	uint64_t v;

	if (!units_parse(kind, value, o->plain, &v) || v < o->min || v > o->max)
		return refuse(p, "%s: '%s' is not a %s from %s to %s, such as %s%s%s", given, value,
			      units_name(kind), units_text(kind, o->min, min, sizeof(min)),
			      units_text(kind, o->max, max, sizeof(max)), units_example(kind),
			      o->none ? ", or " : "", o->none ? o->none : "");
	*(uint64_t *)(void *)(p->cfg + o->offset) = v;
	return 0;
}

static int set_ratio(struct parser *p, const struct opt_desc *o, const char *given,
		     const char *value)
{
	unsigned long v;

	if (strncmp(value, "1/", 2) || !parse_uint(value + 2, &v) || v < o->min || v > o->max)
		return refuse(p, "%s: '%s' is not 1/N with N from %" PRIu64 " to %" PRIu64, given,
			      value, o->min, o->max);
	*(uint64_t *)(void *)(p->cfg + o->offset) = v;
	return 0;
}

static int set_cpus(struct parser *p, const struct opt_desc *o, const char *given,
		    const char *value)
{
	struct cpuset *set = (struct cpuset *)(void *)(p->cfg + o->offset);

	cpuset_free(set);
	if (cpuset_parse(set, value))
		return refuse(p, "%s: '%s' is not a list of CPUs such as 0-3,8", given, value);
	set->text = value;
	return 0;
}

/* Writes "a, b or c": the choices with a separator, and a different separator before the last choice. */
static const char *join(const char *const *choices, const char *sep, const char *last, char *buf,
			size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; choices[i] && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s",
					!i	       ? "" :
					choices[i + 1] ? sep :
							 last,
					choices[i]);
	return buf;
}

static int set_choice(struct parser *p, const struct opt_desc *o, const char *given,
		      const char *value)
{
	void *field = p->cfg + o->offset;
	char allowed[256];

	for (unsigned int i = 0; o->choices[i]; i++) {
		if (strcmp(o->choices[i], value))
			continue;
		if (o->kind == OPT_NUMBERED)
			*(unsigned int *)field = i + 1;
		else
			*(const char **)field = o->choices[i];
		return 0;
	}
	return refuse(p, "%s: '%s' is not one of %s", given, value,
		      join(o->choices, ", ", " or ", allowed, sizeof(allowed)));
}

/* Sets the value of an option. value: NULL for flags. */
static int set(struct parser *p, const struct opt_desc *o, const char *given, const char *value)
{
	void *field = p->cfg + o->offset;

	if (o->none && value && !strcmp(value, o->none)) {
		*(uint64_t *)field = 0;
		return 0;
	}
	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)field = true;
		return 0;
	case OPT_STR:
		*(const char **)field = value;
		return 0;
	case OPT_TIME:
	case OPT_SIZE:
	case OPT_PERCENT:
		return set_amount(p, o, given, value);
	case OPT_RATIO:
		if (value)
			return set_ratio(p, o, given, value);
		*(uint64_t *)field = o->plain;
		return 0;
	case OPT_CPULIST:
		return set_cpus(p, o, given, value);
	case OPT_UINT:
		if (value)
			return set_uint(p, o, given, value);
		*(unsigned long *)field = o->plain;
		return 0;
	case OPT_CHOICE:
	case OPT_NUMBERED:
		return set_choice(p, o, given, value);
	case OPT_PARSED:
		return o->parse(value, field) ?
			       0 :
			       refuse(p, "%s: '%s' is not %s", given, value, o->must_be);
	}
	return refuse(p, "%s: no such kind of option", given);
}

/* ---- arguments --------------------------------------------------------------------------- */

static const struct opt_desc *find_long(const struct parser *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->n; i++)
		if (strlen(p->opts[i].name) == len && !memcmp(p->opts[i].name, name, len))
			return &p->opts[i];
	return NULL;
}

static const struct opt_desc *find_short(const struct parser *p, char c)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->opts[i].short_name && p->opts[i].short_name == c)
			return &p->opts[i];
	return NULL;
}

static int refuse_unknown(struct parser *p, const char *given)
{
	struct options_near near = { .word = given + 2 };

	for (size_t i = 0; i < p->n && given[1] == '-'; i++)
		if (!p->opts[i].hidden)
			options_near_look(&near, p->opts[i].name);
	return near.near ? refuse(p, "%s: no such option; the nearest is --%s", given, near.near) :
			   refuse(p, "%s: no such option; see --help for all options", given);
}

/* Sets an option whose value is the rest of its argument, or the next argument. */
static int set_with_value(struct parser *p, const struct opt_desc *o, const char *given,
			  const char *rest)
{
	if (!rest && p->next < p->argc)
		rest = p->argv[p->next++];
	if (!rest)
		return refuse(p, "%s needs a value: %s", given, o->arg ? o->arg : "VALUE");
	return set(p, o, given, rest);
}

static int parse_long(struct parser *p, const char *arg)
{
	const char *name = arg + 2, *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	const struct opt_desc *o = find_long(p, name, len);
	char given[64];

	snprintf(given, sizeof(given), "--%.*s", (int)(len > 60 ? 60 : len), name);
	if (!o && !strcmp(name, "help")) {
		*p->help = true;
		return 0;
	}
	if (!o)
		return refuse_unknown(p, given);
	if (opt_is_optional(o))
		return set(p, o, given, eq ? eq + 1 : NULL);
	if (o->kind != OPT_FLAG)
		return set_with_value(p, o, given, eq ? eq + 1 : NULL);
	if (eq)
		return refuse(p, "%s takes no value", given);
	return set(p, o, given, NULL);
}

static int parse_cluster(struct parser *p, const char *arg)
{
	for (const char *c = arg + 1; *c; c++) {
		const struct opt_desc *o = find_short(p, *c);
		char given[3] = { '-', *c, '\0' };
		int err;

		if (!o && *c == 'h') {
			*p->help = true;
			return 0;
		}
		if (!o)
			return refuse_unknown(p, given);
		if (o->kind != OPT_FLAG)
			return set_with_value(p, o, given, c[1] ? c + 1 : NULL);
		err = set(p, o, given, NULL);
		if (err)
			return err;
	}
	return 0;
}

/* Moves the arguments from argv[from] up to argv[to - 1] in front of the n operands that precede them. */
static void move_before(char **argv, int n, int from, int to)
{
	for (; from < to; from++) {
		char *arg = argv[from];

		memmove(&argv[from - n + 1], &argv[from - n], (size_t)n * sizeof(*argv));
		argv[from - n] = arg;
	}
}

static bool is_option(const char *arg)
{
	return arg[0] == '-' && arg[1]; /* "-" is a file and not an option */
}

int options_parse(const struct opt_desc *opts, size_t n, void *cfg, int argc, char **argv,
		  bool permute, bool *help, char *err, size_t errsize)
{
	struct parser p = { .opts = opts,
			    .n = n,
			    .cfg = cfg,
			    .argv = argv,
			    .argc = argc,
			    .next = 1,
			    .help = help,
			    .err = err,
			    .errsize = errsize };
	int operands = 0; /* number of operands skipped so far, which are in front of p.next */

	*help = false;
	while (p.next < argc && !*help) {
		int begin = p.next, bad;
		char *arg = argv[begin];
		bool end = !strcmp(arg, "--");

		if (!is_option(arg)) {
			if (!permute)
				break;
			operands++;
			p.next++;
			continue;
		}
		p.next++;
		bad = end ? 0 : arg[1] == '-' ? parse_long(&p, arg) : parse_cluster(&p, arg);
		if (bad)
			return bad;
		move_before(argv, operands, begin, p.next);
		if (end)
			break;
	}
	return p.next - operands;
}

/* ---- usage ------------------------------------------------------------------------------- */

static void usage_entry(FILE *out, char short_name, const char *name, const char *arg, bool maybe,
			const char *help)
{
	int at = short_name ? fprintf(out, "  -%c, ", short_name) : fprintf(out, "      ");

	at += fprintf(out, "--%s%s%s%s", name,
		      !arg  ? "" :
		      maybe ? "[=" :
			      "=",
		      arg ? arg : "", arg && maybe ? "]" : "");
	if (at + 2 > HELP_COLUMN) {
		fputc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", HELP_COLUMN - at, "");
	text_wrap(out, HELP_COLUMN, HELP_COLUMN, USAGE_COLUMNS, help);
	fputc('\n', out);
}

/* Returns the text that represents an option's argument: the name of the argument, or else its choices. */
static const char *arg_text(const struct opt_desc *o, char *buf, size_t size)
{
	if (o->arg || !o->choices)
		return o->arg;
	return join(o->choices, "|", "|", buf, size);
}

/* Writes the help text and the allowed values. */
static void help_text(const struct opt_desc *o, char *buf, size_t size)
{
	char allowed[256];

	if (o->kind == OPT_UINT)
		snprintf(buf, size, "%s [%" PRIu64 "..%" PRIu64 "]", o->help, o->min, o->max);
	else if (o->choices && o->arg)
		snprintf(buf, size, "%s [%s]", o->help,
			 join(o->choices, ", ", " or ", allowed, sizeof(allowed)));
	else
		snprintf(buf, size, "%s", o->help);
}

void options_usage(FILE *out, const struct opt_desc *opts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char help[512], arg[128];

		if (opts[i].hidden)
			continue;
		help_text(&opts[i], help, sizeof(help));
		usage_entry(out, opts[i].short_name, opts[i].name,
			    arg_text(&opts[i], arg, sizeof(arg)), opt_is_optional(&opts[i]), help);
	}
	usage_entry(out, 'h', "help", NULL, false, "this text");
}

/* ---- man pages --------------------------------------------------------------------------- */

/*
 * Writes a text for mdoc. A control character at the beginning of a line, a backslash, and a dash at the beginning of a
 * word would be taken for markup, so they are escaped.
 */
static void put_mdoc(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else
			fputc(*text, out);
}

void options_man(FILE *out, const struct opt_desc *opts, size_t n)
{
	fputs(".Bl -tag -width Ds\n", out);
	for (size_t i = 0; i < n; i++) {
		const struct opt_desc *o = &opts[i];
		char help[512], buf[128];
		const char *arg = arg_text(o, buf, sizeof(buf));
		bool maybe = opt_is_optional(o);

		if (o->hidden)
			continue;
		help_text(o, help, sizeof(help));
		fputs(".It ", out);
		if (o->short_name)
			fprintf(out, "Fl %c , ", o->short_name);
		fprintf(out, "Fl \\-%s", o->name);
		if (arg)
			fprintf(out, maybe ? " Ns Oo = Ns Ar %s Oc" : " Ns = Ns Ar %s", arg);
		fputs("\n", out);
		/*
		 * keeps a full stop or an apostrophe from being the first character of a line, where mdoc takes it for
		 * markup
		 */
		fputs("\\&", out);
		put_mdoc(out, help);
		fputs(".\n", out);
	}
	fputs(".It Fl h , Fl \\-help\nShow the options.\n.El\n", out);
}

/* ---- misspelled words -------------------------------------------------------------------- */

#define NEAR_WORD 32 /* longest word that is compared with other words */

/*
 * Returns the number of edits from a to b: letters to insert, delete, change or swap with the next letter (restricted
 * Damerau-Levenshtein).
 */
static size_t edits(const char *a, size_t na, const char *b, size_t nb)
{
	size_t d[NEAR_WORD + 1][NEAR_WORD + 1];

	for (size_t i = 0; i <= na; i++)
		for (size_t j = 0; j <= nb; j++) {
			size_t best;

			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	return d[na][nb];
}

void options_near_look(struct options_near *n, const char *candidate)
{
	size_t len = strlen(n->word), other = strlen(candidate), e;

	if (len < 2 || len > NEAR_WORD || other > NEAR_WORD)
		return;
	/* a prefix of a word counts as one edit away from the word */
	e = other > len && !strncmp(n->word, candidate, len) ?
		    1 :
		    edits(n->word, len, candidate, other);
	if (e > 2 || 2 * e > len || (n->near && n->edits <= e))
		return;
	n->near = candidate;
	n->edits = e;
}
