// SPDX-License-Identifier: BSD-2-Clause
/* Tests charts: escaping in scripts, and merging of intervals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/plot.h"
#include "unit.h"

/* ---- strings ----------------------------------------------------------------------------- */

/* Returns the text as it appears in a script. It is valid until the next call. */
static const char *quoted(const char *s)
{
	static char text[1000];
	FILE *f = fmemopen(text, sizeof(text), "w");

	plot_quote(f, s);
	fclose(f);
	return text;
}

static void test_every_byte_is_harmless(void)
{
	static const char harmless[] = " .,:;+-_/()[]=%#*!?";

	for (int c = 1; c < 256; c++) {
		char s[] = { 'a', (char)c, 'z', '\0' };
		const char *q = quoted(s);
		size_t n = strlen(q);

		CU_ASSERT(q[0] == '\'' && q[1] == 'a' && q[n - 1] == '\'' && q[n - 2] == 'z');
		if (c == '\'') {
			CU_ASSERT_STRING_EQUAL(q, "'a\u2019z'");
			continue;
		}
		for (size_t i = 1; i + 1 < n; i++)
			CU_ASSERT((q[i] >= 'a' && q[i] <= 'z') || (q[i] >= 'A' && q[i] <= 'Z') ||
				  (q[i] >= '0' && q[i] <= '9') || strchr(harmless, q[i]));
	}
}

static void test_texts_stay_readable(void)
{
	CU_ASSERT_STRING_EQUAL(quoted("Linux 6.12.1-x (a_b) 50 %"), "'Linux 6.12.1-x (a_b) 50 %'");
	CU_ASSERT_STRING_EQUAL(quoted("`touch x` $(y) \"\\@{z}"), "'?touch x? ?(y) ????z?'");
	CU_ASSERT_STRING_EQUAL(quoted("\u00b1 0.5"), "'\u00b1 0.5'");
	CU_ASSERT_STRING_EQUAL(quoted("a\u202eb\u00e9\nEOD"), "'a?b??EOD'");
	CU_ASSERT_STRING_EQUAL(quoted("it's"), "'it\u2019s'");
	/* gnuplot would take the text "'''q" for the end of the string */
	CU_ASSERT_STRING_EQUAL(quoted("'q'"), "'\u2019q\u2019'");
}

/* ---- columns ----------------------------------------------------------------------------- */

#define MS 1000000.0
#define CATEGORIES (LEAF_COUNT + 2)

/* Makes n intervals of 100 ms on one CPU, with 50 ms idle and 10 ms of RX softirq each. */
static void make_intervals(struct intervals *iv, size_t n)
{
	*iv = (struct intervals){ .n = n, .ncpus = 1 };
	iv->row = calloc(n, sizeof(*iv->row));
	iv->cell = calloc(n, sizeof(*iv->cell));
	CU_ASSERT_FATAL(iv->row && iv->cell);
	for (size_t i = 0; i < n; i++) {
		struct interval_times *t = &iv->cell[i].times;

		iv->row[i].begin_ns = i * 100000000;
		iv->row[i].end_ns = (i + 1) * 100000000;
		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
			t->exact_ns[e] = NAN;
		t->wall_ns = 100 * MS;
		t->exact_ns[NETCOST_EV_IDLE] = 50 * MS;
		t->exact_ns[NETCOST_EV_TASK] = 40 * MS;
		t->exact_ns[NETCOST_EV_RX_SOFTIRQ] = 10 * MS;
		for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
			iv->row[i].host.part_ns[p] = NAN;
	}
}

static double rx_of(const struct plot_columns *c, size_t part)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->rx[i * c->nrx + part];
	return sum;
}

/* Checks that merging intervals loses no time. */
static void test_columns_sum(void)
{
	struct model *m = model_new(0, NULL);
	struct intervals iv;
	struct plot_columns *c;
	double idle = 0, wall = 0;

	make_intervals(&iv, 1000);
	c = plot_columns_new(&iv, m, true);
	CU_ASSERT_FATAL(c != NULL);
	CU_ASSERT(c->n > PLOT_COLUMNS / 2 && c->n <= PLOT_COLUMNS);
	for (size_t i = 0; i < c->n; i++) {
		idle += c->column[i].leaf_ns[LEAF_IDLE];
		wall += c->column[i].wall_ns;
		CU_ASSERT(i == 0 || c->column[i].begin_s == c->column[i - 1].end_s);
		CU_ASSERT(isnan(c->column[i].leaf_ns[LEAF_SOCK_SEND]));
		CU_ASSERT(isnan(c->column[i].energy_s));
	}
	CU_ASSERT_DOUBLE_EQUAL(idle, 50000 * MS, 1);
	CU_ASSERT_DOUBLE_EQUAL(wall, 100000 * MS, 1);
	CU_ASSERT_DOUBLE_EQUAL(c->column[c->n - 1].end_s, 100, 1e-9);
	CU_ASSERT(c->partly[LEAF_SOCK_SEND] && !c->partly[LEAF_IDLE]);
	/* The intervals have neither exact parts nor samples. */
	CU_ASSERT(!c->exact && c->nrx == 1);
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, 0), 10000 * MS, 1);
	plot_columns_free(c);
	intervals_free(&iv);
	model_free(m);
}

static void test_exact_parts(void)
{
	struct model *m = model_new(0, NULL);
	struct intervals iv;
	struct plot_columns *c;

	make_intervals(&iv, 10);
	for (size_t i = 0; i < 9; i++) { /* the last interval's parts are unknown */
		iv.row[i].host.part_ns[NETCOST_PART_GRO] = 2 * MS;
		iv.row[i].host.part_ns[NETCOST_PART_LOCAL_V4] = 5 * MS;
	}
	c = plot_columns_new(&iv, m, true);
	CU_ASSERT_FATAL(c != NULL && c->exact);
	CU_ASSERT(c->n == 10);
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, NETCOST_PART_GRO), 18 * MS, 1);
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, NETCOST_PART_LOCAL_V4), 45 * MS, 1);
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, NETCOST_PART_COUNT), 27 * MS, 1); /* time in no part */
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, NETCOST_PART_COUNT + 1), 10 * MS, 1);
	plot_columns_free(c);
	c = plot_columns_new(&iv, m, false);
	CU_ASSERT(c && !c->exact);
	plot_columns_free(c);
	intervals_free(&iv);
	model_free(m);
}

static void test_sampled_parts(void)
{
	struct model *m = model_new(0, NULL);
	struct intervals iv;
	struct plot_columns *c;

	make_intervals(&iv, 4);
	iv.ncategories = CATEGORIES;
	iv.rx = calloc(4 * CATEGORIES, sizeof(*iv.rx));
	CU_ASSERT_FATAL(iv.rx != NULL);
	for (size_t i = 0; i < 3; i++) { /* the last interval has no samples */
		iv.rx[i * CATEGORIES + LEAF_RX_SOFTIRQ] = 1;
		iv.rx[i * CATEGORIES + LEAF_COUNT] = 4;
	}
	c = plot_columns_new(&iv, m, true);
	CU_ASSERT_FATAL(c != NULL && !c->exact && c->nrx == CATEGORIES + 1);
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, LEAF_RX_SOFTIRQ), 6 * MS, 1);
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, LEAF_COUNT), 24 * MS, 1);
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, LEAF_COUNT + 1), 0, 0);
	/* time that the samples do not split */
	CU_ASSERT_DOUBLE_EQUAL(rx_of(c, CATEGORIES), 10 * MS, 1);
	plot_columns_free(c);
	intervals_free(&iv);
	model_free(m);
}

/* Checks that a short remainder at the end gets no column of its own, because its shares would be mostly noise. */
static void test_short_end(void)
{
	struct model *m = model_new(0, NULL);
	struct intervals iv;
	struct plot_columns *c;

	make_intervals(&iv, 5);
	iv.row[4].end_ns = iv.row[4].begin_ns + 2000000;
	c = plot_columns_new(&iv, m, true);
	CU_ASSERT_FATAL(c != NULL);
	CU_ASSERT(c->n == 4);
	CU_ASSERT_DOUBLE_EQUAL(c->column[3].end_s, 0.402, 1e-9);
	plot_columns_free(c);
	intervals_free(&iv);
	model_free(m);
}

/* ---- gnuplot ----------------------------------------------------------------------------- */

static void test_gnuplot_is_missing(void)
{
	const char *path = getenv("PATH");
	char *before = strdup(path ? path : ""), why[300] = "";
	FILE *script = tmpfile();

	CU_ASSERT_FATAL(before && script);
	setenv("PATH", "/nowhere", 1);
	CU_ASSERT(gnuplot_run(script, why, sizeof(why)) == NULL);
	setenv("PATH", before, 1);
	CU_ASSERT(strstr(why, "gnuplot-nox") && strstr(why, "--script"));
	fclose(script);
	free(before);
}

static const struct unit_test tests[] = {
	{ "every_byte_is_harmless", test_every_byte_is_harmless },
	{ "texts_stay_readable", test_texts_stay_readable },
	{ "columns_sum", test_columns_sum },
	{ "exact_parts", test_exact_parts },
	{ "sampled_parts", test_sampled_parts },
	{ "short_end", test_short_end },
	{ "gnuplot_is_missing", test_gnuplot_is_missing },
};

int main(void)
{
	return unit_main("plot", tests, sizeof(tests) / sizeof(tests[0]));
}
