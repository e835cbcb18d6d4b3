// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/cpuset.h>
#include <netcost/options.h>
#include <netcost/units.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct cfg {
	bool all, quiet;
	bool verbose;
	unsigned long hz;
	const char *output, *format;
	uint64_t some, time, size, percent;
	struct cpuset cpus;
	unsigned int order; /* number of the chosen word, from 1 on */
	double share;
};

static const char *const formats[] = { "text", "json", "csv", NULL };
static const char *const orders[] = { "rising", "falling", NULL };

/* Parses a share such as "5%". */
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
	  .kind = OPT_RATIO,
	  .offset = offsetof(struct cfg, some),
	  .arg = "1/N",
	  .help = "of them",
	  .min = 2,
	  .max = 1000,
	  .plain = 64 },
	{ .name = "time",
	  .short_name = 't',
	  .kind = OPT_TIME,
	  .offset = offsetof(struct cfg, time),
	  .arg = "TIME",
	  .help = "how long",
	  .min = UNITS_MS,
	  .max = 86400 * UNITS_SECOND,
	  .plain = UNITS_SECOND },
	{ .name = "every",
	  .kind = OPT_TIME,
	  .offset = offsetof(struct cfg, time),
	  .arg = "TIME",
	  .help = "with a unit",
	  .max = 60 * UNITS_SECOND },
	{ .name = "size",
	  .kind = OPT_SIZE,
	  .offset = offsetof(struct cfg, size),
	  .arg = "SIZE",
	  .help = "how much",
	  .min = 64 << 10,
	  .max = 1ull << 40,
	  .plain = UNITS_MIB },
	{ .name = "percent",
	  .kind = OPT_PERCENT,
	  .offset = offsetof(struct cfg, percent),
	  .arg = "PERCENT",
	  .help = "which share",
	  .min = 100,
	  .max = 100 * UNITS_PERCENT,
	  .plain = UNITS_PERCENT,
	  .none = "none" },
	{ .name = "cpu",
	  .short_name = 'C',
	  .kind = OPT_CPULIST,
	  .offset = offsetof(struct cfg, cpus),
	  .arg = "CPULIST",
	  .help = "where" },
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

/* Parses a line of arguments that are separated by blanks. "''" is an empty argument. */
static int parse(const char *line, bool permute)
{
	static char buf[512];

	snprintf(buf, sizeof(buf), "prog %s", line);
	nargs = 0;
	for (char *s = strtok(buf, " "); s && nargs < MAX_ARGS; s = strtok(NULL, " "))
		args[nargs++] = strcmp(s, "''") ? s : s + 2;
	args[nargs] = NULL;
	cpuset_free(&cfg.cpus);
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

/* Checks an option with an optional value: without "=" the next argument is not its value. */
static void test_a_value_that_may_be(void)
{
	CU_ASSERT_EQUAL(parse("--some rest", false), 2);
	CU_ASSERT_EQUAL(cfg.some, 64);
	CU_ASSERT_EQUAL(parse("--some=1/4 rest", false), 2);
	CU_ASSERT_EQUAL(cfg.some, 4);
	CU_ASSERT_EQUAL(parse("rest", false), 1);
	CU_ASSERT_EQUAL(cfg.some, 0);
}

struct amount {
	const char *line;
	uint64_t is;
};

static void check_amounts(const struct amount *a, size_t n, const uint64_t *field)
{
	for (; n--; a++) {
		CU_ASSERT_EQUAL(parse(a->line, false), nargs);
		CU_ASSERT_EQUAL(*field, a->is);
		if (*field != a->is)
			printf("'%s': %s\n", a->line, err);
	}
}

/* Checks that each value is refused with the same message, and that the field does not change. */
static void check_refused(const char *option, const char *const *bad, size_t n, const char *why,
			  const uint64_t *field)
{
	char line[128], text[160];

	for (size_t i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "%s=%s", option, bad[i]);
		snprintf(text, sizeof(text), "%s: '%s' is not %s", option, bad[i], why);
		refused(line, text);
		CU_ASSERT_EQUAL(*field, 0);
	}
}

#define AMOUNTS(a, field) check_amounts(a, ARRAY_SIZE(a), field)
#define REFUSED(option, bad, why, field) check_refused(option, bad, ARRAY_SIZE(bad), why, field)

static void test_times(void)
{
	static const struct amount good[] = {
		{ "--time=5m", 300 * UNITS_SECOND },
		{ "-t 10", 10 * UNITS_SECOND },
		{ "-t2.5", 2500 * UNITS_MS },
		{ "--time 500ms", 500 * UNITS_MS },
		{ "--time=1m30s", 90 * UNITS_SECOND },
		{ "--time=1m30", 90 * UNITS_SECOND },
		{ "--time=.5h", 1800 * UNITS_SECOND },
		{ "--time=1d", 86400 * UNITS_SECOND },
		{ "--time=24h", 86400 * UNITS_SECOND },
		{ "--time=1000000ns", UNITS_MS },
		{ "--time=1ms", UNITS_MS },
		{ "--every=500us", UNITS_MS / 2 },
		{ "--every=0s", 0 },
	};
	static const char *const bad[] = {
		"",	"x",	 "5x",	 "5M",	  "-5",	  "+5",	       "-1s",
		"s",	".",	 "1s1m", "1s1",	  "0x10", "1e3",       "nan",
		"0",	"999us", "2d",	 "86401", "25h",  "99999999h", "99999999999999999999s",
		"1..5",
	};
	static const char *const without_unit[] = { "5", "0", "1s5" };

	AMOUNTS(good, &cfg.time);
	REFUSED("--time", bad, "a time from 1ms to 1d, such as 500ms, 5m or 1m30s", &cfg.time);
	REFUSED("--every", without_unit, "a time from 0ns to 1m, such as", &cfg.time);
	refused("-t", "-t needs a value: TIME");
}

static void test_sizes(void)
{
	static const struct amount good[] = {
		{ "--size=64K", 64 << 10 },    { "--size=64M", 64 << 20 },
		{ "--size=2G", 2ull << 30 },   { "--size=1T", 1ull << 40 },
		{ "--size=1.5G", 3ull << 29 }, { "--size=512", 512ull << 20 },
	};
	static const char *const bad[] = {
		"",	     "K",   "63K",
		"1025G",     "64k", "64MB",
		"-64M",	     "1s",  "18446744073709551616",
		"16777216T",
	};

	AMOUNTS(good, &cfg.size);
	REFUSED("--size", bad, "a size from 64K to 1T, such as 500K, 64M or 2G", &cfg.size);
}

static void test_percentages(void)
{
	static const struct amount good[] = {
		{ "--percent=1%", UNITS_PERCENT },
		{ "--percent=1", UNITS_PERCENT },
		{ "--percent=0.3%", 3000 },
		{ "--percent=.01", 100 },
		{ "--percent=100%", 100 * UNITS_PERCENT },
		{ "--percent=5% --percent=none", 0 },
	};
	static const char *const bad[] = { "",
					   "%",
					   "0",
					   "0.009%",
					   "101",
					   "-1%",
					   "1%%",
					   "nan",
					   "inf",
					   "None",
					   "1x",
					   "1e400",
					   "99999999999999999999%" };

	AMOUNTS(good, &cfg.percent);
	REFUSED("--percent", bad, "a percentage from 0.01% to 100%, such as 5% or 0.5, or none",
		&cfg.percent);
}

static void test_ratios(void)
{
	static const char *const bad[] = { "",	 "1/",	"1/1",	"1/1001", "2/3",
					   "64", "1/x", "1/-4", "1/4x",	  "1/99999999999999999999" };

	REFUSED("--some", bad, "1/N with N from 2 to 1000", &cfg.some);
	CU_ASSERT_EQUAL(parse("--some=1/1000", false), nargs);
	CU_ASSERT_EQUAL(cfg.some, 1000);
}

static void test_cpu_lists(void)
{
	static const char *const bad[] = { "", "x", "0-", "3-1", "-1", "0,,1", "0,", "99999999999" };
	static const uint64_t nothing;

	CU_ASSERT_EQUAL(parse("--cpu=9 -C 0-2,5", false), nargs);
	CU_ASSERT_EQUAL(cfg.cpus.n, 4);
	CU_ASSERT(cpuset_has(&cfg.cpus, 5) && !cpuset_has(&cfg.cpus, 9));
	CU_ASSERT_STRING_EQUAL(cfg.cpus.text, "0-2,5");
	REFUSED("--cpu", bad, "a list of CPUs such as 0-3,8", &nothing);
	CU_ASSERT(!cfg.cpus.n && !cfg.cpus.text);
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
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "--some[=1/N]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "-t, --time=TIME"));
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
	{ "times", test_times },
	{ "sizes", test_sizes },
	{ "percentages", test_percentages },
	{ "ratios", test_ratios },
	{ "cpu_lists", test_cpu_lists },
	{ "usage_shows_all_within_80", test_usage_shows_all_within_80 },
};

int main(void)
{
	return unit_main("options", tests, sizeof(tests) / sizeof(tests[0]));
}
