// SPDX-License-Identifier: BSD-2-Clause
/* Tests the parts of exports: series, labels, string tables, weights and rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "report/export/export.h"
#include "report/export/metrics.h"
#include "report/export/profile.h"
#include "report/export/tables.h"
#include "unit.h"

static const uint64_t ms[] = { 1790000000000, 1790000000500, 1790000001000 };

/* Returns the written metrics. The caller frees the text. */
static char *written(const struct metrics *s, const uint64_t *real_ms, struct metrics_count *count)
{
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	*count = metrics_write(out, s, real_ms);
	fclose(out);
	return text;
}

static void test_series(void)
{
	struct metrics s;
	struct metrics_count count;
	struct metric_labels l = { .len = 0 };
	char *text;

	metrics_init(&s, 3);
	metric_label(&l, "reason", "no\"thing");
	metrics_add(&s, METRIC_DROPPED, 0, 1, &l);
	metrics_add(&s, METRIC_DROPPED, 2, 3, &l);
	metrics_add(&s, METRIC_DROPPED, 2, 4, &l);
	metrics_add(&s, METRIC_DROPPED, 1, NAN, &l);
	metrics_add(&s, METRIC_DROPPED, 3, 1, &l); /* edge 3 does not exist */
	metrics_add(&s, METRIC_SAMPLES, 1, 0.1, NULL);
	text = written(&s, ms, &count);
	CU_ASSERT_STRING_EQUAL(
		text,
		"# HELP netcost_dropped_packets packets that the kernel dropped, by drop reason.\n"
		"# TYPE netcost_dropped_packets counter\n"
		"# UNIT netcost_dropped_packets packets\n"
		"netcost_dropped_packets_total{reason=\"no\\\"thing\"} 1 1790000000.000\n"
		"netcost_dropped_packets_total{reason=\"no\\\"thing\"} 7 1790000001.000\n"
		"# HELP netcost_samples stack samples that were taken.\n"
		"# TYPE netcost_samples counter\n"
		"netcost_samples_total 0.1 1790000000.500\n"
		"# EOF\n");
	CU_ASSERT(count.families == 2 && count.series == 2 && count.points == 3);
	free(text);
	metrics_free(&s);
}

/* Checks that, of several edges within a millisecond, only the last one is written. */
static void test_same_time(void)
{
	static const uint64_t same[] = { 5, 5, 6 };
	struct metrics s;
	struct metrics_count count;
	char *text;

	metrics_init(&s, 3);
	for (size_t i = 0; i < 3; i++)
		metrics_add(&s, METRIC_SAMPLES, i, (double)i, NULL);
	text = written(&s, same, &count);
	CU_ASSERT(count.points == 2);
	CU_ASSERT_PTR_NULL(strstr(text, "total 0 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "total 1 0.005\n"));
	free(text);
	metrics_free(&s);
}

static void test_counters_do_not_fall(void)
{
	static const double v[] = { 1, 0.5, 2 };
	struct metrics s;

	metrics_init(&s, 3);
	for (size_t i = 0; i < 3; i++) {
		metrics_add(&s, METRIC_SAMPLES, i, v[i], NULL);
		metrics_add(&s, METRIC_UNIT_COST, i, v[i], NULL);
		metrics_add(&s, METRIC_ENERGY, i, 0, NULL);
	}
	metrics_settle(&s);
	CU_ASSERT(s.held == 1 && s.series[1].value[1] == 1 && s.series[1].value[2] == 2);
	CU_ASSERT(s.series[2].value[1] == 0.5);
	CU_ASSERT(isnan(s.series[3].value[0]));
	metrics_free(&s);
}

static void test_begin_at_zero(void)
{
	struct metrics s;

	metrics_init(&s, 4);
	metrics_add(&s, METRIC_LATENCY_KEY, 2, 7, NULL);
	metrics_add(&s, METRIC_SAMPLES, 2, 7, NULL);
	metrics_settle(&s);
	CU_ASSERT(s.series[1].value[0] == 0 && s.series[1].value[1] == 0);
	CU_ASSERT(s.series[1].value[2] == 7 && isnan(s.series[1].value[3]));
	CU_ASSERT(isnan(s.series[2].value[0]));
	metrics_free(&s);
}

static void test_limit(void)
{
	struct metrics s;

	metrics_init(&s, 1);
	for (uint64_t i = 0; i < METRICS_FAMILY_MAX + 5; i++) {
		struct metric_labels l = { .len = 0 };

		metric_label_uint(&l, "interface", i);
		metrics_add(&s, METRIC_IF_BYTES, 0, 1, &l);
	}
	CU_ASSERT(s.n == METRICS_FAMILY_MAX && s.left_out == 5);
	metrics_free(&s);
}

/*
 * Checks the budget of points. Each value of the trace allows some points, an unused budget is kept up to a limit, and
 * adding to an existing point costs nothing.
 */
static void test_room(void)
{
	struct metric_labels l = { .len = 0 };
	struct metrics s;

	metrics_init(&s, 4);
	s.room = 1;
	metrics_add(&s, METRIC_SAMPLES, 0, 1, NULL);
	metrics_add(&s, METRIC_SAMPLES, 0, 1, NULL);
	metrics_add(&s, METRIC_SAMPLES, 1, 1, NULL);
	CU_ASSERT(s.series[1].value[0] == 2 && isnan(s.series[1].value[1]) && s.left_out == 1);
	CU_ASSERT_FALSE(metrics_has_room(&s, 5));
	CU_ASSERT_EQUAL(s.left_out, 6);
	metrics_make_room(&s, 2);
	CU_ASSERT_EQUAL(s.room, 2 * METRICS_POINTS_PER_VALUE);
	metrics_make_room(&s, 10 * METRICS_POINTS_SPARE);
	metrics_make_room(&s, 1);
	CU_ASSERT_EQUAL(s.room, METRICS_POINTS_SPARE + METRICS_POINTS_PER_VALUE);
	metric_label(&l, "a", "b");
	metrics_add(&s, METRIC_SAMPLES, 2, 1, &l);
	CU_ASSERT_EQUAL(s.room, METRICS_POINTS_SPARE + METRICS_POINTS_PER_VALUE - 1);
	CU_ASSERT(metrics_limit(&s, METRICS_FAMILY_MAX / 2, 2, 8) == METRICS_FAMILY_MAX / 2 &&
		  s.left_out == 6);
	CU_ASSERT(metrics_limit(&s, METRICS_FAMILY_MAX, 2, 8) == METRICS_FAMILY_MAX / 2 &&
		  s.left_out == 6 + 4 * METRICS_FAMILY_MAX);
	metrics_free(&s);
}

static void test_labels(void)
{
	struct metric_labels l = { .len = 0 };
	char text[4 * METRIC_LABEL_MOST];

	metric_label(&l, "a", "x\\y\n\xff\xc2\x85z");
	metric_label_uint(&l, "b", 7);
	CU_ASSERT_STRING_EQUAL(l.text, "a=\"x\\\\y\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\",b=\"7\"");
	memset(text, 'n', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	/* a label that does not fit is left out as a whole */
	for (unsigned int i = 0; i < 100; i++)
		metric_label(&l, "c", text);
	CU_ASSERT(l.len < sizeof(l.text) && l.text[l.len - 1] == '"' && l.len == strlen(l.text));
}

#define CLEAN(s) clean_utf8((char[CLEAN_SIZE]){ 0 }, CLEAN_SIZE, s)

static void test_clean(void)
{
	char text[8];

	CU_ASSERT_STRING_EQUAL(CLEAN("a\x1b[31mb\xe2\x82\xac"), "a\xef\xbf\xbd[31mb\xe2\x82\xac");
	CU_ASSERT_STRING_EQUAL(CLEAN("\xed\xb3\xbf"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	/* Overrides and isolates of bidirectional text are replaced. The neighbours of their code points stay. */
	CU_ASSERT_STRING_EQUAL(CLEAN("\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf"),
			       "\xe2\x80\xa9\xef\xbf\xbd\xef\xbf\xbd\xe2\x80\xaf");
	CU_ASSERT_STRING_EQUAL(CLEAN("\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa"),
			       "\xe2\x81\xa5\xef\xbf\xbd\xef\xbf\xbd\xe2\x81\xaa");
	/* Truncation does not split a character. */
	CU_ASSERT_STRING_EQUAL(clean_utf8(text, sizeof(text), "12345\xe2\x82\xac"), "12345");
}

static void test_strings(void)
{
	struct strings s;
	uint32_t a, b;

	strings_init(&s);
	a = strings_id(&s, "a");
	b = strings_id(&s, "b");
	CU_ASSERT(a == 1 && b == 2 && strings_id(&s, "a") == a && strings_id(&s, "") == 0);
	/* Names that become equal by cleaning share an id. */
	CU_ASSERT(strings_id(&s, "\x01") == strings_id(&s, "\x02"));
	CU_ASSERT(s.n == 4 && !s.no_memory);
	strings_free(&s);
}

static void test_weights(void)
{
	struct weight w = { .whole = 10, .samples = 3 };
	int64_t sum = 0;

	for (unsigned int i = 0; i < 3; i++) {
		int64_t one = weight_take(&w, 1);

		CU_ASSERT(one == 3 || one == 4);
		sum += one;
	}
	CU_ASSERT(sum == 10);
	w = (struct weight){ .whole = -7, .samples = 2 };
	CU_ASSERT(weight_take(&w, 1) + weight_take(&w, 1) == -7);
	w = (struct weight){ .whole = 41.6 }; /* no samples */
	CU_ASSERT(weight_take(&w, 0) == 42);
	w = (struct weight){ .whole = 1e300, .samples = 1 };
	CU_ASSERT(weight_take(&w, 1) == 0);
}

static void test_gzip(void)
{
	char *data, *text = calloc(1, 100001);
	unsigned char *back = malloc(100000);
	size_t n;
	FILE *to = open_memstream(&data, &n), *out = gzip_file(to);
	z_stream in = { 0 };

	memset(text, 'x', 100000);
	CU_ASSERT(fwrite(text, 1, 60000, out) == 60000);
	CU_ASSERT(fwrite(text + 60000, 1, 40000, out) == 40000);
	CU_ASSERT(!fclose(out));
	CU_ASSERT(!fclose(to)); /* closing the gzip file left this file open */
	in.next_in = (unsigned char *)data;
	in.avail_in = (unsigned int)n;
	in.next_out = back;
	in.avail_out = 100000;
	CU_ASSERT(inflateInit2(&in, 16 + MAX_WBITS) == Z_OK &&
		  inflate(&in, Z_FINISH) == Z_STREAM_END);
	CU_ASSERT(in.total_out == 100000 && !memcmp(back, text, 100000));
	inflateEnd(&in);
	free(data);
	free(text);
	free(back);
}

/* ---- tables ------------------------------------------------------------------------------ */

struct one {
	const char *name;
	uint64_t n, time_ns;
	double v;
	bool yes;
	struct counter moved;
};

#define ONE(member) TABLE_MEMBER(0, struct one, member)
#define ONE_TIME(kind) TABLE_OF_##kind, 0, offsetof(struct one, time_ns)

static const struct table_column one_column[] = {
	{ "name", NULL, ONE(name), false, NULL },
	{ "n", "ns", ONE(n), true, NULL },
	{ "v", NULL, ONE(v), false, NULL },
	{ "time", NULL, ONE_TIME(TIME), false, NULL },
	{ "s", NULL, ONE_TIME(SECONDS), false, NULL },
	{ "yes", NULL, ONE(yes), true, NULL },
	{ "moved", NULL, ONE(moved), false, NULL },
	{ "row", NULL, TABLE_OF_ROW, 0, 0, true, NULL },
};
static int fill_nothing(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	(void)from, (void)row, (void)r;
	return 0;
}

static const struct table one_table = { .name = "one",
					.fill = fill_nothing,
					.column = one_column,
					.ncolumns = sizeof(one_column) / sizeof(*one_column) };
static const struct rows_key one_key = { .recording = "0123",
					 .host = "web\"1\x1b",
					 .at_ns = TRACE_NIL,
					 .start_ns = 1790000000999999999 };
#define ONE_KEY                                                                                    \
	"{\"recording\":\"0123\",\"host\":\"web\\\"1\xef\xbf\xbd\",\"start\":\"2026-09-21 14:13:20\","

/* Returns a model of a trace that began at 1000 s of its clock, which was the start of 1970. */
static struct model *one_model(void)
{
	struct model *m = calloc(1, sizeof(*m));

	m->header.start_ns = 1000000000000;
	m->clock_first = (struct model_clock){ .mono_ns = 1000000000000, .real_ns = 0 };
	m->records[TRACE_CLOCK] = 1;
	return m;
}

static void write_one(struct rows *r, const struct one *one)
{
	rows_write(r, (const void *[]){ one });
}

static void test_rows(void)
{
	struct model *m = one_model();
	char *text;
	size_t n;
	struct rows r = {
		.ctx = open_memstream(&text, &n), .table = &one_table, .key = &one_key, .m = m
	};

	write_one(&r, &(struct one){ .name = "a\n\"\\\xff",
				     .n = UINT64_MAX,
				     .v = 0.1,
				     .time_ns = 1001500000000,
				     .yes = true,
				     .moved = { .sum = 7, .last = 7, .readings = 2 } });
	write_one(&r, &(struct one){ .v = INFINITY, .time_ns = TRACE_NIL });
	fclose(r.ctx);
	CU_ASSERT_STRING_EQUAL(
		text,
		ONE_KEY "\"name\":\"a\xef\xbf\xbd\\\"\\\\\xef\xbf\xbd\",\"n\":18446744073709551615,"
			"\"v\":0.1,\"time\":\"1970-01-01 00:00:01\",\"s\":1.5,\"yes\":1,"
			"\"moved\":7,\"row\":1}\n" ONE_KEY
			"\"name\":null,\"n\":0,\"v\":null,\"time\":null,\"s\":null,\"yes\":0,"
			"\"moved\":null,\"row\":2}\n");
	CU_ASSERT(!r.wrong && !r.no_memory && r.n == 2);
	free(r.text);
	free(text);
	free(m);
}

/* Checks that a text of any length is written. */
static void test_long_text(void)
{
	struct model *m = one_model();
	char *text, *name = calloc(1, 100001);
	size_t n, without;
	struct rows r = {
		.ctx = open_memstream(&text, &n), .table = &one_table, .key = &one_key, .m = m
	};

	write_one(&r, &(struct one){ .name = "" });
	fflush(r.ctx);
	without = n;
	memset(name, '\x01', 100000);
	write_one(&r, &(struct one){ .name = name });
	fclose(r.ctx);
	CU_ASSERT(n == 2 * without + 300000);
	free(name);
	free(r.text);
	free(text);
	free(m);
}

/* Checks that a null in a column that is declared as never null is an error. */
static void test_wrong_rows(void)
{
	static const struct table_column known[] = { { "name", NULL, ONE(name), true, NULL } };
	const struct table table = {
		.name = "known", .fill = fill_nothing, .column = known, .ncolumns = 1
	};
	struct model *m = one_model();
	char *text;
	size_t n;
	struct rows r = {
		.ctx = open_memstream(&text, &n), .table = &table, .key = &one_key, .m = m
	};

	write_one(&r, &(struct one){ .name = "x" });
	CU_ASSERT(!r.wrong);
	write_one(&r, &(struct one){ .name = NULL });
	CU_ASSERT(r.wrong);
	fclose(r.ctx);
	free(r.text);
	free(text);
	free(m);
}

static bool has_column(const struct table *t, const char *name, size_t len, bool known)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (strlen(t->column[i].name) == len && !strncmp(t->column[i].name, name, len))
			return t->column[i].known || !known;
	return false;
}

/* Checks that the sort keys of rows are columns that are never null, and that no column name occurs twice. */
static void test_tables(void)
{
	struct table_room room;

	for (size_t i = 0; table_get(&room, i); i++) {
		const struct table *t = &room.table;

		for (const char *p = t->order; p && *p; p += strspn(p, ", ")) {
			CU_ASSERT(has_column(t, p, strcspn(p, ","), true));
			p += strcspn(p, ",");
		}
		for (size_t c = 0; c < t->ncolumns; c++) {
			for (size_t k = 0; k < TABLE_KEYS; k++)
				CU_ASSERT(strcmp(t->column[c].name, table_key[k].name) != 0);
			for (size_t d = 0; d < c; d++)
				CU_ASSERT(strcmp(t->column[c].name, t->column[d].name) != 0);
		}
	}
}

static void test_ddl(void)
{
	struct table_room room;

	for (size_t i = 0; ddl_engines[i]; i++) {
		char *text;
		size_t n;
		FILE *out = open_memstream(&text, &n);

		ddl_write(out, ddl_engines[i]);
		fclose(out);
		for (size_t t = 0; table_get(&room, t); t++)
			CU_ASSERT_PTR_NOT_NULL(strstr(text, room.table.name));
		free(text);
	}
}

static void test_zstd_file(void)
{
	char *data, *back = malloc(100000);
	size_t n;
	FILE *out = zstd_file(open_memstream(&data, &n));

	for (unsigned int i = 0; i < 20000; i++)
		fprintf(out, "%05u", i);
	CU_ASSERT(!fclose(out));
	CU_ASSERT(ZSTD_decompress(back, 100000, data, n) == 100000);
	CU_ASSERT(!memcmp(back, "0000000001", 10) && !memcmp(back + 99990, "1999819999", 10));
	free(back);
	free(data);
}

static const struct unit_test tests[] = {
	{ "series", test_series },
	{ "same_time", test_same_time },
	{ "counters_do_not_fall", test_counters_do_not_fall },
	{ "limit", test_limit },
	{ "room", test_room },
	{ "begin_at_zero", test_begin_at_zero },
	{ "labels", test_labels },
	{ "clean", test_clean },
	{ "strings", test_strings },
	{ "weights", test_weights },
	{ "gzip", test_gzip },
	{ "rows", test_rows },
	{ "long_text", test_long_text },
	{ "wrong_rows", test_wrong_rows },
	{ "tables", test_tables },
	{ "ddl", test_ddl },
	{ "zstd_file", test_zstd_file },
};

int main(void)
{
	return unit_main("export", tests, sizeof(tests) / sizeof(*tests));
}
