// SPDX-License-Identifier: BSD-2-Clause
/* Tests numbers of four digits, and tables that fit a terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/doc.h"
#include "report/base/text.h"
#include "unit.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static void test_brief(void)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 1234.56, "1235" },
		{ 9999.4, "9999" },
		{ 9999.6, "10.0k" },
		{ 12345, "12.3k" },
		{ 123456, "123k" },
		{ 999600, "1.00M" },
		{ 1234567, "1.23M" },
		{ 2e10, "20.0G" },
		{ -12345, "-12.3k" },
		{ 1e30, "1000000000000000P" },
		{ NAN, "-" },
	};
	char buf[TEXT_SIZE];

	for (size_t i = 0; i < LENGTH(cases); i++)
		CU_ASSERT_STRING_EQUAL(text_brief(buf, sizeof(buf), cases[i].v), cases[i].text);
}

/*
 * Checks measured values: three digits, or digits up to the second one of the interval, in a suitable unit. If a share
 * is smaller than its interval, the text is an upper bound.
 */
static void test_measured(void)
{
	static const struct {
		struct text_measure m;
		const char *text;
	} cases[] = {
		{ { .v = 13320.99, .ci95 = 75.82, .unit = TEXT_NS, .most = -1 }, "13.3 +- 0.1 us" },
		{ { .v = 3111.2, .ci95 = 0.03, .unit = TEXT_NS, .most = -1 }, "3.11 us" },
		{ { .v = 254394, .ci95 = 991541, .unit = TEXT_NS, .most = -1 }, "250 +- 990 us" },
		{ { .v = 999.6, .unit = TEXT_NS, .most = -1 }, "1.00 us" },
		{ { .v = 44.35e9, .unit = TEXT_NS, .most = -1 }, "44.4 s" },
		{ { .v = 1234e9, .unit = TEXT_NS, .most = -1 }, "1230 s" },
		{ { .v = 0, .unit = TEXT_NS, .most = -1 }, "0" },
		{ { .v = 12458, .ci95 = 231.7, .unit = TEXT_UJ, .most = -1 }, "12.5 +- 0.2 mJ" },
		{ { .v = 16.4, .ci95 = 0.41, .most = 2 }, "16.4 +- 0.4" },
		{ { .v = 0.702, .ci95 = 0.123, .most = 2 }, "0.70 +- 0.12" },
		{ { .v = 66.2314, .most = 2 }, "66.2" },
		{ { .v = 9.996, .most = 2 }, "10.0" },
		{ { .v = 0.0004, .most = 2 }, "< 0.01" },
		{ { .v = 0.00005, .ci95 = 0.002, .most = 2, .bound = true }, "< 0.01" },
		{ { .v = -0.0004, .ci95 = 0.04, .most = 2 }, "0.00 +- 0.04" },
		{ { .v = 0, .ci95 = 0.02, .most = 2, .bound = true }, "< 0.02" },
		{ { .v = 0.03, .ci95 = 0.04, .most = 2, .bound = true }, "< 0.07" },
		{ { .v = 99.97, .most = 2, .limit = 100 }, "99.97" },
		{ { .v = 99.999, .most = 2, .limit = 100 }, "> 99.99" },
		{ { .v = 100, .ci95 = 65.8, .most = 2, .limit = 100, .bound = true }, "> 34" },
		{ { .v = 50, .ci95 = 60, .most = 2, .limit = 100, .bound = true }, "< 100" },
		{ { .v = 0.03, .ci95 = 0.04, .most = 2 }, "0.03 +- 0.04" },
		{ { .v = NAN, .ci95 = NAN, .most = 2 }, "-" },
		{ { .v = 5, .ci95 = NAN, .most = 2 }, "5.00" },
	};
	char buf[TEXT_SIZE];

	for (size_t i = 0; i < LENGTH(cases); i++)
		CU_ASSERT_STRING_EQUAL(text_measured(buf, sizeof(buf), &cases[i].m), cases[i].text);
}

#define COLUMNS 14

/*
 * A table of two rows. It has columns of ten characters, an empty column, a column of zeros, and a name of `longest`
 * bytes.
 */
struct made {
	size_t longest;
	bool wide;
	struct doc_column column[COLUMNS];
	size_t name_size;
	char *text;
	size_t size;
};

static void rows(struct doc *d, const void *ctx)
{
	const struct made *m = ctx;
	char name[200];

	memset(name, 'n', m->longest);
	name[m->longest] = '\0';
	for (int i = 0; i < 2; i++) {
		doc_row(d, 0, DOC_ALL);
		doc_number(d, i ? 0 : 12345);
		doc_number(d, NAN);
		doc_number(d, 0);
		for (int c = 3; c < COLUMNS - 1; c++)
			doc_number(d, 1000000000 + i);
		doc_string(d, name);
		doc_row_end(d);
	}
}

static void make(struct made *m, size_t longest, bool wide)
{
	static const struct part part = { .first = true };
	struct doc_table table = { .column = m->column, .ncolumns = COLUMNS, .tight = true };
	struct doc d;
	FILE *out;

	*m = (struct made){ .longest = longest, .wide = wide, .name_size = SIZE_MAX };
	for (uint8_t c = 0; c < COLUMNS; c++)
		m->column[c] = (struct doc_column){ .title = "ten bytes", .width = 20, .spare = c };
	m->column[0].brief = true;
	m->column[1].title = "nothing";
	m->column[2].title = "zeros";
	m->column[COLUMNS - 2].title = "last";
	m->column[COLUMNS - 1] = (struct doc_column){ .title = "name", .kind = DOC_STRING };
	out = open_memstream(&m->text, &m->size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	d = doc_begin(&doc_text, out, &part);
	d.wide = wide;
	doc_fitted(&d, &table,
		   &(struct doc_rows){ .add = rows, .ctx = m, .name_size = &m->name_size });
	doc_end(&d);
	fclose(out);
}

static size_t widest(const char *text)
{
	size_t most = 0;

	for (const char *s = text; *s; s += strcspn(s, "\n") + 1) {
		size_t n = strcspn(s, "\n");

		most = n > most ? n : most;
	}
	return most;
}

static void test_fits(void)
{
	static const size_t longest[] = { 1, 20, 26, 27, 150 };

	for (size_t i = 0; i < LENGTH(longest); i++) {
		struct made m;

		make(&m, longest[i], false);
		CU_ASSERT(widest(m.text) <= TEXT_COLUMNS);
		CU_ASSERT_PTR_NOT_NULL(strstr(m.text, "12.3k"));
		CU_ASSERT(m.name_size > (longest[i] < 26 ? longest[i] : 26));
		CU_ASSERT_PTR_NOT_NULL(strstr(
			m.text, "no values: nothing; 0 in all rows: zeros; no room for: last"));
		free(m.text);
	}
}

static void test_wide(void)
{
	struct made m;

	make(&m, 150, true);
	CU_ASSERT(widest(m.text) > TEXT_COLUMNS + 150);
	CU_ASSERT_PTR_NOT_NULL(strstr(m.text, " 12345 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(m.text, "nothing"));
	CU_ASSERT_PTR_NULL(strstr(m.text, "no room"));
	CU_ASSERT_EQUAL(m.name_size, SIZE_MAX);
	free(m.text);
}

static const struct unit_test tests[] = {
	{ "brief", test_brief },
	{ "measured", test_measured },
	{ "fits", test_fits },
	{ "wide", test_wide },
};

int main(void)
{
	return unit_main("doc_fit", tests, LENGTH(tests));
}
