// SPDX-License-Identifier: BSD-2-Clause
/* Tests that written data is read back unchanged: every record type and every kind of value, alone and together. */
#include "unit.h"

#include "trace_file.h"

/* ---- values ------------------------------------------------------------------------------ */

#define VARIANTS 12u

/* Values at which msgpack's encodings change, and the ends of the ranges. */
static const uint64_t uints[] = {
	0,
	1,
	127,
	128,
	255,
	256,
	65535,
	65536,
	1 << 30,
	UINT32_MAX,
	1ull << 32,
	(1ull << 62) + 1,
	INT64_MAX - 1,
	INT64_MAX,
};

static const int64_t ints[] = {
	0,
	-1,
	1,
	127,
	128,
	-32,
	-33,
	-127,
	-128,
	-129,
	32767,
	-32768,
	-32769,
	65536,
	INT32_MAX,
	INT32_MIN,
	INT32_MAX + 1ll,
	INT32_MIN - 1ll,
	1ll << 62,
	-(1ll << 62),
};

/* Lengths of columns: empty, one element, and lengths around those at which msgpack's heads change. */
static const size_t lengths[VARIANTS] = { 0, 1, 2, 14, 15, 16, 17, 255, 256, 3, 4000, 65537 };

/* Lengths of strings, chosen in the same way. */
static const size_t text_lengths[] = { 0, 1, 31, 32, 255, 256, 4095, 4096 };

static const char *text(size_t i)
{
	static char buf[ARRAY_SIZE(text_lengths)][TRACE_MAX_STR + 1];
	size_t slot = i % ARRAY_SIZE(text_lengths);

	memset(buf[slot], 'a' + (int)slot, text_lengths[slot]);
	return buf[slot];
}

static uint64_t uint_of(size_t i)
{
	return uints[i % ARRAY_SIZE(uints)];
}

/* Returns an element of a column. Every seventh element was not measured. */
static uint64_t element_of(size_t i)
{
	return i % 7 == 3 ? TRACE_NIL : uint_of(i);
}

static int64_t int_of(size_t i)
{
	return ints[i % ARRAY_SIZE(ints)];
}

/* Returns the length of a column of strings. Long strings in long columns would exceed a frame. */
static size_t strs_length(unsigned int variant)
{
	return lengths[variant] > 40 ? 40 : lengths[variant];
}

/* ---- every key of the registry ----------------------------------------------------------- */

static const struct trace_key_desc all_keys[] = {
#define X(TYPE, number, NAME, text, KIND, of, flags, what)                                         \
	{ .type = TRACE_##TYPE,                                                                    \
	  .key = number,                                                                           \
	  .kind = TRACE_##KIND,                                                                    \
	  .name = text,                                                                            \
	  .unit = of,                                                                              \
	  .doc = what },
	TRACE_KEYS(X)
#undef X
};

static const uint8_t all_types[] = {
#define X(id, NAME, name, of, doc) id,
	TRACE_TYPES(X)
#undef X
};

static bool written_by_the_library(unsigned int type)
{
	return type == TRACE_SCHEMA || type == TRACE_NAMES || type == TRACE_FRAME ||
	       type == TRACE_INDEX || type == TRACE_END;
}

/* Returns whether the key belongs to the record type, and the type is not handled by the library itself. */
static bool is_key_of(const struct trace_key_desc *k, unsigned int type)
{
	return k->type == type;
}

static unsigned int count_keys(unsigned int type)
{
	unsigned int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all_keys); i++)
		n += is_key_of(&all_keys[i], type);
	return n;
}

/* Returns the length of a column. Many columns of the maximum length would exceed a frame, too. */
static size_t column_length(unsigned int type, unsigned int variant)
{
	return lengths[variant] > 4000 && count_keys(type) > 25 ? 4000 : lengths[variant];
}

static void put_uints(struct trace_writer *w, unsigned int key, size_t n)
{
	uint64_t *v = malloc((n + 1) * sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = element_of(i);
	trace_writer_uints(w, key, v, n);
	free(v);
}

static void put_ints(struct trace_writer *w, unsigned int key, size_t n)
{
	int64_t *v = malloc((n + 1) * sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = int_of(i);
	trace_writer_ints(w, key, v, n);
	free(v);
}

static void put_strs(struct trace_writer *w, unsigned int key, size_t n)
{
	const char *v[41];

	for (size_t i = 0; i < n; i++)
		v[i] = text(i);
	trace_writer_strs(w, key, v, n);
}

static void put_key(struct trace_writer *w, const struct trace_key_desc *k, unsigned int variant)
{
	unsigned int i = variant + k->key;

	if (k->type == TRACE_HEADER && k->key == TRACE_HEADER_MAJOR)
		trace_writer_uint(w, k->key, TRACE_MAJOR);
	else if (k->type == TRACE_HEADER && k->key == TRACE_HEADER_REQUIRES)
		trace_writer_strs(w, k->key, NULL, 0);
	else if (k->kind == TRACE_UINT)
		trace_writer_uint(w, k->key, uint_of(i));
	else if (k->kind == TRACE_INT)
		trace_writer_int(w, k->key, int_of(i));
	else if (k->kind == TRACE_STR)
		trace_writer_str(w, k->key, text(i));
	else if (k->kind == TRACE_UINTS)
		put_uints(w, k->key, column_length(k->type, variant));
	else if (k->kind == TRACE_INTS)
		put_ints(w, k->key, column_length(k->type, variant));
	else
		put_strs(w, k->key, strs_length(variant));
}

static void check_str(const uint8_t *s, size_t n, size_t i)
{
	CU_ASSERT_EQUAL(n, strlen(text(i)));
	CU_ASSERT(n == strlen(text(i)) && !memcmp(s, text(i), n));
}

static void check_uints(struct trace_column c, size_t n)
{
	uint64_t v;

	CU_ASSERT_EQUAL(c.n, n);
	for (size_t i = 0; i < n; i++)
		CU_ASSERT(trace_column_uint(&c, &v) && v == element_of(i));
	CU_ASSERT_FALSE(trace_column_uint(&c, &v));
}

static void check_ints(struct trace_column c, size_t n)
{
	int64_t v;

	CU_ASSERT_EQUAL(c.n, n);
	for (size_t i = 0; i < n; i++)
		CU_ASSERT(trace_column_int(&c, &v) && v == int_of(i));
	CU_ASSERT_FALSE(trace_column_int(&c, &v));
}

static void check_strs(struct trace_column c, size_t n)
{
	const char *s;
	uint32_t len;

	CU_ASSERT_EQUAL(c.n, n);
	for (size_t i = 0; i < n && trace_column_str(&c, &s, &len); i++)
		check_str((const uint8_t *)s, len, i);
	CU_ASSERT_FALSE(trace_column_str(&c, &s, &len));
}

static void check_key(const struct trace_record *rec, const struct trace_key_desc *k,
		      unsigned int variant)
{
	const struct trace_field *f = trace_record_field(rec, k->key);
	unsigned int i = variant + k->key;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->kind, k->kind);
	if (k->type == TRACE_HEADER && k->key == TRACE_HEADER_MAJOR)
		CU_ASSERT_EQUAL(trace_record_uint(rec, k->key, 0), TRACE_MAJOR)
	else if (k->type == TRACE_HEADER && k->key == TRACE_HEADER_REQUIRES)
		CU_ASSERT_EQUAL(f->n, 0)
	else if (k->kind == TRACE_UINT)
		CU_ASSERT_EQUAL(trace_record_uint(rec, k->key, 77), uint_of(i))
	else if (k->kind == TRACE_INT)
		CU_ASSERT_EQUAL((int64_t)f->v, int_of(i))
	else if (k->kind == TRACE_STR)
		check_str(f->p, f->n, i);
	else if (k->kind == TRACE_UINTS)
		check_uints(trace_record_column(rec, k->key), column_length(k->type, variant));
	else if (k->kind == TRACE_INTS)
		check_ints(trace_record_column(rec, k->key), column_length(k->type, variant));
	else
		check_strs(trace_record_column(rec, k->key), strs_length(variant));
}

static void put_type(struct trace_writer *w, unsigned int type, unsigned int variant)
{
	trace_writer_begin(w, type);
	for (size_t i = 0; i < ARRAY_SIZE(all_keys); i++)
		if (is_key_of(&all_keys[i], type))
			put_key(w, &all_keys[i], variant);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	if (trace_writer_pending(w) > 1 << 20)
		CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
}

/* Reads the next record that the library does not handle itself. */
static int next_of_ours(struct trace_reader *r, struct trace_record *rec)
{
	int err;

	do
		err = trace_reader_next(r, rec);
	while (err > 0 && written_by_the_library(rec->type));
	return err;
}

static void check_variant(int fd, unsigned int variant)
{
	struct trace_reader *r;
	struct trace_record rec;

	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	for (size_t t = 0; t < ARRAY_SIZE(all_types); t++) {
		if (written_by_the_library(all_types[t]))
			continue;
		CU_ASSERT_EQUAL_FATAL(next_of_ours(r, &rec), 1);
		CU_ASSERT_EQUAL(rec.type, all_types[t]);
		CU_ASSERT_EQUAL(rec.nfields, count_keys(all_types[t]));
		for (size_t i = 0; i < ARRAY_SIZE(all_keys); i++)
			if (is_key_of(&all_keys[i], all_types[t]))
				check_key(&rec, &all_keys[i], variant);
	}
	CU_ASSERT_EQUAL(next_of_ours(r, &rec), 0);
	CU_ASSERT_EQUAL(trace_reader_status(r)->problem, TRACE_OK);
	CU_ASSERT_TRUE(trace_reader_status(r)->ended);
	CU_ASSERT_EQUAL(trace_reader_status(r)->unknown_types, 0);
	CU_ASSERT_EQUAL(trace_reader_status(r)->unknown_keys, 0);
	trace_reader_free(r);
}

static void test_every_type_and_kind(void)
{
	static const struct trace_totals totals = { .why = "" };

	for (unsigned int variant = 0; variant < VARIANTS; variant++) {
		struct trace_writer *w;
		int fd = empty_file();

		CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 1), 0);
		for (size_t t = 0; t < ARRAY_SIZE(all_types); t++)
			if (!written_by_the_library(all_types[t]))
				put_type(w, all_types[t], variant);
		CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), 0);
		trace_writer_free(w);
		check_variant(fd, variant);
		close(fd);
	}
}

static void test_registry(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_keys); i++) {
		const struct trace_key_desc *k = &all_keys[i];

		CU_ASSERT_STRING_EQUAL(trace_key_desc(k->type, k->key)->name, k->name);
		CU_ASSERT(k->key > 0 && k->key < 128);
		/* rows are in the order of their keys, without duplicates */
		if (i && all_keys[i - 1].type == k->type)
			CU_ASSERT(all_keys[i - 1].key < k->key);
	}
	for (size_t i = 0; i < ARRAY_SIZE(all_types); i++) {
		CU_ASSERT_PTR_NOT_NULL(trace_type_desc(all_types[i]));
		CU_ASSERT(all_types[i] > 0 && all_types[i] < 128);
		CU_ASSERT(!i || all_types[i - 1] < all_types[i]);
		CU_ASSERT(count_keys(all_types[i]) <= TRACE_MAX_FIELDS);
	}
	CU_ASSERT_PTR_NULL(trace_type_desc(0));
	CU_ASSERT_PTR_NULL(trace_key_desc(TRACE_HEADER, 0));
}

/* ---- narrow columns, missing keys, strings ------------------------------------------------ */

/* Finishes a trace with one record after HEADER, which the caller has written, and reads that record. */
static struct trace_reader *one_record(int fd, struct trace_writer *w, struct trace_record *rec)
{
	struct trace_reader *r;

	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	CU_ASSERT_EQUAL(trace_reader_next(r, rec), 1);
	CU_ASSERT_EQUAL(trace_reader_next(r, rec), 1);
	return r;
}

static struct trace_writer *begun(int fd, enum trace_type type)
{
	struct trace_writer *w;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 0), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	trace_writer_begin(w, type);
	return w;
}

static void test_32_bit_columns(void)
{
	static const int32_t dt[] = { 0, -1, INT32_MIN, INT32_MAX };
	static const uint32_t stack[] = { 0, 127, 128, UINT32_MAX };
	int fd = empty_file();
	struct trace_writer *w = begun(fd, TRACE_SAMPLES);
	struct trace_column c;
	struct trace_record rec;
	struct trace_reader *r;
	uint64_t u;
	int64_t v;

	trace_writer_i32s(w, TRACE_SAMPLES_DT, dt, ARRAY_SIZE(dt));
	trace_writer_u32s(w, TRACE_SAMPLES_STACK, stack, ARRAY_SIZE(stack));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	r = one_record(fd, w, &rec);
	c = trace_record_column(&rec, TRACE_SAMPLES_DT);
	for (size_t i = 0; i < ARRAY_SIZE(dt); i++)
		CU_ASSERT(trace_column_int(&c, &v) && v == dt[i]);
	c = trace_record_column(&rec, TRACE_SAMPLES_STACK);
	for (size_t i = 0; i < ARRAY_SIZE(stack); i++)
		CU_ASSERT(trace_column_uint(&c, &u) && u == stack[i]);
	trace_reader_free(r);
	close(fd);
}

/* Tests numbers of all widths among one-byte numbers, which are read many at a time. */
static void test_mixed_widths(void)
{
	static const int64_t wide[] = { -33, 128, -129, 256, -32769, 65536, INT64_C(1) << 40, -5 };
	enum { N = 100 };

	for (size_t every = 1; every < 20; every++) {
		int fd = empty_file();
		struct trace_writer *w = begun(fd, TRACE_SAMPLES);
		struct trace_column dt, stack;
		struct trace_record rec;
		struct trace_reader *r;
		uint64_t u[N], got_u;
		int64_t i[N], got_i;

		for (size_t k = 0; k < N; k++) {
			i[k] = k % every ? (int64_t)k - 50 : wide[k / every % ARRAY_SIZE(wide)];
			u[k] = i[k] < 0 ? TRACE_NIL : (uint64_t)i[k];
		}
		trace_writer_ints(w, TRACE_SAMPLES_DT, i, N);
		trace_writer_uints(w, TRACE_SAMPLES_STACK, u, N);
		CU_ASSERT_EQUAL(trace_writer_end(w), 0);
		r = one_record(fd, w, &rec);
		dt = trace_record_column(&rec, TRACE_SAMPLES_DT);
		stack = trace_record_column(&rec, TRACE_SAMPLES_STACK);
		for (size_t k = 0; k < N; k++) {
			CU_ASSERT(trace_column_int(&dt, &got_i) && got_i == i[k]);
			CU_ASSERT(trace_column_uint(&stack, &got_u) && got_u == u[k]);
		}
		trace_reader_free(r);
		close(fd);
	}
}

static void test_missing_keys(void)
{
	int fd = empty_file();
	struct trace_writer *w = begun(fd, TRACE_TASKS);
	struct trace_record rec;
	struct trace_reader *r;
	char buf[8] = "x";

	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	r = one_record(fd, w, &rec);
	CU_ASSERT_EQUAL(rec.nfields, 0);
	CU_ASSERT_PTR_NULL(trace_record_field(&rec, TRACE_TASKS_FIRST));
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_TASKS_FIRST, 42), 42);
	CU_ASSERT_EQUAL(trace_record_column(&rec, TRACE_TASKS_TID).n, 0);
	CU_ASSERT_STRING_EQUAL(trace_record_str(&rec, TRACE_TASKS_COMM, buf, sizeof(buf)), "");
	trace_reader_free(r);
	close(fd);
}

/* Tests that a string that is too long is truncated, but never inside a character. */
static void test_too_long_string(void)
{
	char s[TRACE_MAX_STR + 8], back[TRACE_MAX_STR + 8];
	int fd = empty_file();
	struct trace_writer *w = begun(fd, TRACE_MARK);
	struct trace_record rec;
	struct trace_reader *r;

	memset(s, 'x', sizeof(s) - 1);
	s[sizeof(s) - 1] = '\0';
	memcpy(s + TRACE_MAX_STR - 2, "\xe2\x82\xac", 3); /* a euro sign that crosses the limit */
	trace_writer_str(w, TRACE_MARK_TEXT, s);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	r = one_record(fd, w, &rec);
	CU_ASSERT_EQUAL(trace_record_field(&rec, TRACE_MARK_TEXT)->n, TRACE_MAX_STR - 2);
	trace_record_str(&rec, TRACE_MARK_TEXT, back, sizeof(back));
	CU_ASSERT(!memcmp(back, s, TRACE_MAX_STR - 2) && !back[TRACE_MAX_STR - 2]);
	CU_ASSERT_STRING_EQUAL(trace_record_str(&rec, TRACE_MARK_TEXT, back, 4), "xxx");
	trace_reader_free(r);
	close(fd);
}

/* Tests that a number that no reader accepts counts as not measured. */
static void test_column_out_of_range(void)
{
	static const uint64_t id[] = { 5, INT64_MAX + 1ull, TRACE_NIL, UINT64_MAX - 1 };
	int fd = empty_file();
	struct trace_writer *w = begun(fd, TRACE_NETDEV_STATS);
	struct trace_column c;
	struct trace_record rec;
	struct trace_reader *r;
	uint64_t v;

	trace_writer_uints(w, TRACE_NETDEV_STATS_ID, id, ARRAY_SIZE(id));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	r = one_record(fd, w, &rec);
	c = trace_record_column(&rec, TRACE_NETDEV_STATS_ID);
	CU_ASSERT(trace_column_uint(&c, &v) && v == 5);
	for (size_t i = 1; i < ARRAY_SIZE(id); i++)
		CU_ASSERT(trace_column_uint(&c, &v) && v == TRACE_NIL);
	trace_reader_free(r);
	close(fd);
}

static const struct unit_test tests[] = {
	{ "registry", test_registry },
	{ "every_type_and_kind", test_every_type_and_kind },
	{ "32_bit_columns", test_32_bit_columns },
	{ "mixed_widths", test_mixed_widths },
	{ "missing_keys", test_missing_keys },
	{ "too_long_string", test_too_long_string },
	{ "column_out_of_range", test_column_out_of_range },
};

int main(void)
{
	return unit_main("trace", tests, ARRAY_SIZE(tests));
}
