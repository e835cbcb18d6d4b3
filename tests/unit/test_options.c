// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/options.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

struct cfg {
	bool all, quiet;
	bool verbose;
	unsigned long hz;
	const char *output, *format, *some;
	unsigned int order; /* from 1 on */
	double share;
};

static const char *const formats[] = { "text", "json", "csv", NULL };
static const char *const orders[] = { "rising", "falling", NULL };

/* "5%" */
static bool parse_share(const char *text, void *value)
{
	char *end;

	*(double *)value = strtod(text, &end) / 100;
	return end != text && !strcmp(end, "%");
}

static const struct opt_desc opts[] = {
	{ .name = "all",
	  .short_name = 'a',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct cfg, all),
	  .help = "everything" },
	{ .name = "quiet",
	  .short_name = 'q',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct cfg, quiet),
	  .help = "nothing" },
	{ .name = "verbose",
	  .short_name = 'v',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct cfg, verbose),
	  .help = "more" },
	{ .name = "freq",
	  .short_name = 'F',
	  .kind = OPT_UINT,
	  .offset = offsetof(struct cfg, hz),
	  .arg = "HZ",
	  .help = "samples a second",
	  .min = 10,
	  .max = 20000 },
	{ .name = "output",
	  .short_name = 'o',
	  .kind = OPT_STR,
	  .offset = offsetof(struct cfg, output),
	  .arg = "FILE",
	  .help = "write there" },
	{ .name = "some",
	  .kind = OPT_MAYBE,
	  .offset = offsetof(struct cfg, some),
	  .arg = "1/N",
	  .help = "of them" },
	{ .name = "format",
	  .kind = OPT_CHOICE,
	  .offset = offsetof(struct cfg, format),
	  .choices = formats,
	  .help = "how to print it" },
	{ .name = "order",
	  .kind = OPT_NUMBERED,
	  .offset = offsetof(struct cfg, order),
	  .arg = "ORDER",
	  .choices = orders,
	  .help = "which way round" },
	{ .name = "share",
	  .kind = OPT_PARSED,
	  .offset = offsetof(struct cfg, share),
	  .arg = "SHARE",
	  .parse = parse_share,
	  .must_be = "a percentage",
	  .help = "of all" },
};

#define MAX_ARGS 16

static struct cfg cfg;
static char *args[MAX_ARGS + 1];
static int nargs;
static bool help;
static char err[200];

/* line: arguments separated by blanks; "''" is an empty one. */
static int parse(const char *line, bool permute)
{
	static char buf[512];

	snprintf(buf, sizeof(buf), "prog %s", line);
	nargs = 0;
	for (char *s = strtok(buf, " "); s && nargs < MAX_ARGS; s = strtok(NULL, " "))
		args[nargs++] = strcmp(s, "''") ? s : s + 2;
	args[nargs] = NULL;
	cfg = (struct cfg){ .hz = 999 };
	err[0] = '\0';
	return options_parse(opts, sizeof(opts) / sizeof(*opts), &cfg, nargs, args, permute, &help,
			     err, sizeof(err));
}

static bool operands_are(int at, const char *want)
{
	char got[256] = "";

	for (; at < nargs; at++) {
		strcat(got, args[at]);
		strcat(got, at + 1 < nargs ? " " : "");
	}
	return !strcmp(got, want);
}

static void test_all_spellings(void)
{
	static const char *const lines[] = { "--freq=100 --output=x -a",
					     "--freq 100 --output x --all",
					     "-F100 -ox -a",
					     "-F 100 -o x -a",
					     "-aF100 -ox",
					     "-aF 100 -o x" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		CU_ASSERT_EQUAL(parse(lines[i], false), nargs);
		CU_ASSERT(cfg.all && !cfg.quiet);
		CU_ASSERT_EQUAL(cfg.hz, 100);
		CU_ASSERT_STRING_EQUAL(cfg.output, "x");
	}
}

static void test_flags_cluster(void)
{
	CU_ASSERT_EQUAL(parse("-aqvv -v --verbose", false), 4);
	CU_ASSERT(cfg.all && cfg.quiet);
	CU_ASSERT(cfg.verbose);
}

static void test_last_value_counts(void)
{
	parse("-F 100 -F 200 --format=json --format=csv", false);
	CU_ASSERT_EQUAL(cfg.hz, 200);
	CU_ASSERT_STRING_EQUAL(cfg.format, "csv");
}

static void test_defaults_stay(void)
{
	CU_ASSERT_EQUAL(parse("", false), 1);
	CU_ASSERT_EQUAL(cfg.hz, 999);
	CU_ASSERT_PTR_NULL(cfg.output);
	CU_ASSERT_FALSE(help);
}

static void test_values_may_look_like_options(void)
{
	CU_ASSERT_EQUAL(parse("-o -a", false), 3);
	CU_ASSERT_STRING_EQUAL(cfg.output, "-a");
	CU_ASSERT_FALSE(cfg.all);
	CU_ASSERT_EQUAL(parse("--output= -a", false), 3);
	CU_ASSERT_STRING_EQUAL(cfg.output, "");
	CU_ASSERT(cfg.all);
}

static void refused(const char *line, const char *why)
{
	CU_ASSERT_EQUAL(parse(line, true), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(err, why));
	CU_ASSERT_PTR_NULL(strchr(err, '\n'));
	if (!strstr(err, why))
		printf("'%s' says '%s', not '%s'\n", line, err, why);
}

static void test_bad_numbers(void)
{
	static const char *const bad[] = {
		"9",	"20001", "-1", "+100", "1e3",
		"0x64", "100x",	 "''", "x",    "99999999999999999999999"
	};
	char line[64];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(line, sizeof(line), "-F %s", bad[i]);
		refused(line, "is not a number from 10 to 20000");
		CU_ASSERT_EQUAL(cfg.hz, 999);
	}
	refused("--freq=", "--freq: '' is not a number");
	CU_ASSERT_EQUAL(parse("-F10", false), nargs);
	CU_ASSERT_EQUAL(parse("-F 20000", false), nargs);
}

static void test_bad_choices(void)
{
	refused("--format=xml", "--format: 'xml' is not one of text, json or csv");
	refused("--format", "--format needs a value");
	CU_ASSERT_PTR_NULL(cfg.format);
}

static void test_choices_by_number(void)
{
	CU_ASSERT_EQUAL(parse("--all", false), nargs);
	CU_ASSERT_EQUAL(cfg.order, 0);
	CU_ASSERT_EQUAL(parse("--order=rising", false), nargs);
	CU_ASSERT_EQUAL(cfg.order, 1);
	CU_ASSERT_EQUAL(parse("--order rising --order falling", false), nargs);
	CU_ASSERT_EQUAL(cfg.order, 2);
	refused("--order=up", "--order: 'up' is not one of rising or falling");
	refused("--order", "--order needs a value: ORDER");
}

static void test_parsed_values(void)
{
	CU_ASSERT_EQUAL(parse("--share=50%", false), nargs);
	CU_ASSERT_EQUAL(cfg.share, 0.5);
	CU_ASSERT_EQUAL(parse("--share 25%", false), nargs);
	CU_ASSERT_EQUAL(cfg.share, 0.25);
	refused("--share=50", "--share: '50' is not a percentage");
	refused("--share=", "--share: '' is not a percentage");
	refused("--share", "--share needs a value: SHARE");
}

static void test_unknown_and_misused(void)
{
	refused("--nothing", "--nothing: no such option");
	refused("--al", "--al: no such option");
	refused("-aX", "-X: no such option");
	refused("--all=yes", "--all takes no value");
	refused("-o", "-o needs a value: FILE");
	refused("f --freq", "--freq needs a value: HZ");
}

static void test_error_is_one_bounded_line(void)
{
	char small[8] = "";
	char *argv[] = {
		"prog",
		"--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL
	};

	CU_ASSERT_EQUAL(options_parse(opts, 6, &cfg, 2, argv, false, &help, small, sizeof(small)),
			-EINVAL);
	CU_ASSERT_EQUAL(strlen(small), sizeof(small) - 1);
}

static void test_stops_at_operand(void)
{
	int at = parse("-a cmd -q --", false);

	CU_ASSERT_EQUAL(at, 2);
	CU_ASSERT(operands_are(at, "cmd -q --"));
	CU_ASSERT_FALSE(cfg.quiet);
}

static void test_stops_after_dashes(void)
{
	int at = parse("-a -- -q", false);

	CU_ASSERT(operands_are(at, "-q"));
	at = parse("f -a -- -q g", true);
	CU_ASSERT(operands_are(at, "f -q g"));
	CU_ASSERT(cfg.all && !cfg.quiet);
}

static void test_permutes_in_order(void)
{
	int at = parse("a -o x b --all c -F100 - d -q", true);

	CU_ASSERT(operands_are(at, "a b c - d"));
	CU_ASSERT(cfg.all && cfg.quiet);
	CU_ASSERT_STRING_EQUAL(cfg.output, "x");
	CU_ASSERT_EQUAL(cfg.hz, 100);
}

static void test_help(void)
{
	CU_ASSERT(parse("f -ah --nothing", true) > 0);
	CU_ASSERT(help);
	CU_ASSERT(parse("--help", false) > 0);
	CU_ASSERT(help);
}

/* What follows it without "=" is not its value. */
static void test_a_value_that_may_be(void)
{
	CU_ASSERT_EQUAL(parse("--some rest", false), 2);
	CU_ASSERT_STRING_EQUAL(cfg.some, "");
	CU_ASSERT_EQUAL(parse("--some=1/4 rest", false), 2);
	CU_ASSERT_STRING_EQUAL(cfg.some, "1/4");
	CU_ASSERT_EQUAL(parse("rest", false), 1);
	CU_ASSERT_PTR_NULL(cfg.some);
}

static void test_usage_shows_all_within_80(void)
{
	char *text = NULL;
	size_t size = 0, column = 0, widest = 0;
	FILE *f = open_memstream(&text, &size);

	options_usage(f, opts, sizeof(opts) / sizeof(*opts));
	fclose(f);
	for (size_t i = 0; i < sizeof(opts) / sizeof(*opts); i++)
		CU_ASSERT_PTR_NOT_NULL(strstr(text, opts[i].name));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "-F, --freq=HZ"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "[10..20000]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "--format=text|json|csv"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "which way round [rising or falling]"));
	for (const char *p = text; *p; p++) {
		column = *p == '\n' ? 0 : column + 1;
		widest = column > widest ? column : widest;
	}
	CU_ASSERT(widest <= 80);
	free(text);
}

static const struct unit_test tests[] = {
	{ "all_spellings", test_all_spellings },
	{ "flags_cluster", test_flags_cluster },
	{ "last_value_counts", test_last_value_counts },
	{ "defaults_stay", test_defaults_stay },
	{ "values_may_look_like_options", test_values_may_look_like_options },
	{ "bad_numbers", test_bad_numbers },
	{ "bad_choices", test_bad_choices },
	{ "choices_by_number", test_choices_by_number },
	{ "parsed_values", test_parsed_values },
	{ "unknown_and_misused", test_unknown_and_misused },
	{ "error_is_one_bounded_line", test_error_is_one_bounded_line },
	{ "stops_at_operand", test_stops_at_operand },
	{ "stops_after_dashes", test_stops_after_dashes },
	{ "permutes_in_order", test_permutes_in_order },
	{ "help", test_help },
	{ "a_value_that_may_be", test_a_value_that_may_be },
	{ "usage_shows_all_within_80", test_usage_shows_all_within_80 },
};

int main(void)
{
	return unit_main("options", tests, sizeof(tests) / sizeof(tests[0]));
}
