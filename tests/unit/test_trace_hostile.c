// SPDX-License-Identifier: BSD-2-Clause
/* Tests truncated, damaged or hostile traces: every record that is returned is a record that was written. */
#include "unit.h"

#include <errno.h>

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */

#include "format/record.h"
#include "trace_file.h"

/* ---- cut and damaged --------------------------------------------------------------------- */

/* Returns the number of data frames that end at or before `len`; *start: offset at which the incomplete frame
 * begins. */
static size_t whole_frames(const struct extent *e, size_t n, size_t len, size_t *start)
{
	size_t whole = 0;

	for (size_t i = 0; i < n; i++) {
		*start = e[i].start;
		if (e[i].end > len)
			return whole;
		whole += !e[i].hint;
		*start = e[i].end;
	}
	return whole;
}

static void check_cut(const struct dump *d, const struct dump *full, size_t whole, bool complete)
{
	CU_ASSERT_EQUAL(d->st.frames, whole);
	CU_ASSERT_EQUAL(d->len, full->after[whole]);
	CU_ASSERT(d->len <= full->len && !memcmp(d->text, full->text, d->len));
	CU_ASSERT_EQUAL(d->err, whole ? 0 : -EMEDIUMTYPE);
	CU_ASSERT_EQUAL(d->st.problem, complete ? TRACE_OK : whole ? TRACE_CUT : TRACE_EMPTY);
	CU_ASSERT_EQUAL(d->st.ended, whole == 6);
	CU_ASSERT_EQUAL(!*d->st.what, complete);
}

static void test_cut_at_every_byte(void)
{
	struct bytes b = small_trace();
	struct dump full = read_bytes(&b);
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	int fd = file_of(b.p, b.n);

	CU_ASSERT_EQUAL_FATAL(n, 8);
	for (size_t len = b.n + 1; len-- > 0;) {
		size_t start, whole = whole_frames(e, n, len, &start);
		/* The seek table is a hint: a file that ends before it is not truncated. */
		bool complete = len == b.n || len == e[6].end;
		struct dump d;

		if (!tries(len))
			continue;
		CU_ASSERT_EQUAL(ftruncate(fd, (off_t)len), 0);
		lseek(fd, 0, SEEK_SET);
		d = read_all(fd);
		check_cut(&d, &full, whole, complete);
		CU_ASSERT_EQUAL(d.st.bytes, len);
		CU_ASSERT(complete || d.st.offset == start);
		free(d.text);
	}
	close(fd);
	free(full.text);
	free_bytes(&b);
}

/* Tests a trace that is truncated in a large frame. A frame of this size has the longest header that netcost's
 * writer makes: ten bytes. */
static void test_cut_in_large_frame(void)
{
	struct bytes b = { 0 };
	size_t start;
	int fd;

	add_start(&b);
	start = b.n;
	add_long_frame(&b, 5u << 20);
	fd = file_of(b.p, b.n);
	for (size_t len = b.n - 1; len > start; len--) {
		struct dump d;

		CU_ASSERT_EQUAL(ftruncate(fd, (off_t)len), 0);
		lseek(fd, 0, SEEK_SET);
		d = read_all(fd);
		CU_ASSERT_EQUAL(d.err, 0);
		CU_ASSERT_EQUAL(d.st.problem, TRACE_CUT);
		CU_ASSERT_EQUAL(d.st.frames, 1);
		CU_ASSERT_EQUAL(d.st.offset, start);
		free(d.text);
	}
	close(fd);
	free_bytes(&b);
}

/* Returns whether the damaged trace has the records of all whole frames. Records may only be missing if a problem is
 * reported. */
static bool damage_is_safe(const struct dump *d, const struct dump *full)
{
	if (d->st.frames > 6 || d->len != full->after[d->st.frames] ||
	    memcmp(d->text, full->text, d->len))
		return false;
	if (!d->st.problem)
		return !d->err && same_records(d, full);
	return *d->st.what &&
	       (d->err == -EBADMSG || d->err == -EMEDIUMTYPE || d->err == -EPROTONOSUPPORT ||
		(!d->err && d->st.problem == TRACE_CUT));
}

static void check_damage(int fd, const struct dump *full, size_t at)
{
	struct dump d;
	bool safe;

	lseek(fd, 0, SEEK_SET);
	d = read_all(fd);
	safe = damage_is_safe(&d, full);
	CU_ASSERT(safe);
	if (!safe)
		printf("  byte %zu: problem %d, err %d: %s\n", at, d.st.problem, d.err, d.st.what);
	free(d.text);
}

static void test_every_bit_flipped(void)
{
	struct bytes b = small_trace();
	struct dump full = read_bytes(&b);
	int fd = file_of(b.p, b.n);

	for (size_t at = 0; at < b.n; at++) {
		for (int bit = 0; bit < 8; bit++) {
			uint8_t flipped = b.p[at] ^ (uint8_t)(1 << bit);

			if (!flips(at, bit))
				continue;

			CU_ASSERT_EQUAL(pwrite(fd, &flipped, 1, (off_t)at), 1);
			check_damage(fd, &full, at);
		}
		CU_ASSERT_EQUAL(pwrite(fd, b.p + at, 1, (off_t)at), 1);
	}
	close(fd);
	free(full.text);
	free_bytes(&b);
}

/* Tests sixteen zero bytes, which a disk may leave in place of data. */
static void test_blocks_of_zeros(void)
{
	static const uint8_t zeros[16];
	struct bytes b = small_trace();
	struct dump full = read_bytes(&b);

	for (size_t at = 0; at + sizeof(zeros) <= b.n; at++) {
		int fd;

		if (!tries(at))
			continue;
		fd = file_of(b.p, b.n);
		CU_ASSERT_EQUAL(pwrite(fd, zeros, sizeof(zeros), (off_t)at), sizeof(zeros));
		check_damage(fd, &full, at);
		close(fd);
	}
	free(full.text);
	free_bytes(&b);
}

/* Tests other orders of frames: each pair of frames, including hints, is swapped, and each frame is omitted or
 * duplicated. */
static void test_frames_in_other_order(void)
{
	struct bytes b = small_trace();
	struct dump full = read_bytes(&b);
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);

	for (size_t i = 0; i < n; i++)
		/* frame k takes the place of frame i; k == n: frame i is omitted */
		for (size_t k = 0; k <= n; k++) {
			struct bytes other = { 0 };
			int fd;

			add_bytes(&other, b.p, e[i].start);
			if (k < n)
				add_bytes(&other, b.p + e[k].start, e[k].end - e[k].start);
			add_bytes(&other, b.p + e[i].end, b.n - e[i].end);
			fd = file_of(other.p, other.n);
			check_damage(fd, &full, i * 100 + k);
			close(fd);
			free_bytes(&other);
		}
	free(full.text);
	free_bytes(&b);
}

/* ---- objects ----------------------------------------------------------------------------- */

static const struct object {
	const char *name, *p;
	size_t n;
} bad_objects[] = {
	{ "no array", BYTES("\x01") },
	{ "a map", BYTES("\x80") },
	{ "array of one", BYTES("\x91\x16") },
	{ "array of three", BYTES("\x93\x16\x80\x01") },
	{ "type is a string", BYTES("\x92\xa1y\x80") },
	{ "type is negative", BYTES("\x92\xff\x80") },
	{ "type is nil", BYTES("\x92\xc0\x80") },
	{ "array for the map", BYTES("\x92\x16\x90") },
	{ "byte that msgpack never uses", BYTES("\xc1") },
	{ "ends within an object", BYTES("\x92\x16") },
	{ "ends within a map", BYTES("\x92\x16\x81") },
	{ "ends within a number", BYTES("\x92\x16\x81\x01\xcd\x01") },
	{ "huge map", BYTES("\x92\x63\xdf\xff\xff\xff\xff\x01\x01") },
	{ "array for UINT", BYTES("\x92\x16\x81\x01\x90") },
	{ "negative UINT", BYTES("\x92\x16\x81\x01\xff") },
	{ "UINT of 2^63", BYTES("\x92\x16\x81\x01\xcf\x80\0\0\0\0\0\0\0") },
	{ "float for UINT", BYTES("\x92\x16\x81\x01\xca\0\0\0\0") },
	{ "nil for UINT", BYTES("\x92\x16\x81\x01\xc0") },
	{ "bool for UINT", BYTES("\x92\x16\x81\x01\xc3") },
	{ "bin for STR", BYTES("\x92\x16\x81\x02\xc4\x01y") },
	{ "UINT for STR", BYTES("\x92\x16\x81\x02\x01") },
	{ "STR of 4 GiB", BYTES("\x92\x16\x81\x02\xdb\xff\xff\xff\xff") },
	{ "UINT for UINTS", BYTES("\x92\x0b\x81\x02\x05") },
	{ "nil for UINTS", BYTES("\x92\x0b\x81\x02\xc0") },
	{ "UINTS of 4 Gi elements", BYTES("\x92\x0b\x81\x02\xdd\xff\xff\xff\xff\x01\x01") },
	{ "UINTS with one too few", BYTES("\x92\x0b\x81\x02\x93\x01\x01") },
	{ "negative in UINTS", BYTES("\x92\x0b\x81\x02\x91\xff") },
	{ "float in UINTS", BYTES("\x92\x0b\x81\x02\x91\xcb\0\0\0\0\0\0\0\0") },
	{ "array in UINTS", BYTES("\x92\x0b\x81\x02\x91\x90") },
	{ "nil in INTS", BYTES("\x92\x0a\x81\x05\x91\xc0") },
	{ "INT above 2^62", BYTES("\x92\x0a\x81\x05\x91\xcf\x40\0\0\0\0\0\0\x01") },
	{ "INT below -2^62", BYTES("\x92\x0a\x81\x05\x91\xd3\xbf\xff\xff\xff\xff\xff\xff\xff") },
	{ "UINT in STRS", BYTES("\x92\x05\x81\x03\x91\x01") },
	{ "same key twice", BYTES("\x92\x16\x82\x01\x01\x01\x01") },
	{ "falling keys", BYTES("\x92\x16\x82\x02\xa0\x01\x01") },
	{ "unknown key twice", BYTES("\x92\x16\x82\x64\x01\x64\x01") },
	{ "falling keys of unknown type", BYTES("\x92\x63\x82\x02\x01\x01\x01") },
	{ "key 0", BYTES("\x92\x16\x81\x00\x01") },
	{ "negative key", BYTES("\x92\x16\x81\xff\x01") },
	{ "key is a string", BYTES("\x92\x16\x81\xa1y\x01") },
	{ "cut bin after an unknown key", BYTES("\x92\x16\x81\x64\xc5\xff\xff") },
	{ "cut ext after an unknown key", BYTES("\x92\x16\x81\x64\xc9\xff\xff\xff\xff\x01") },
	{ "huge array after an unknown key", BYTES("\x92\x16\x81\x64\xdd\xff\xff\xff\xff") },
	{ "huge map of unknown type", BYTES("\x92\x63\x81\x01\xdf\xff\xff\xff\xff") },
	{ "a second HEADER", BYTES(HEADER_OBJECT) },
	{ "a second FRAME", BYTES(FRAME_2) },
	{ "an object after END", BYTES(END_OBJECT MARK_OBJECT) },
	{ "a second END", BYTES(END_OBJECT END_OBJECT) },
};

static struct dump read_second_frame(const void *objects, size_t n)
{
	struct bytes f = { 0 }, body = { 0 };
	struct dump d;

	add_bytes(&body, BYTES(FRAME_1 MARK_OBJECT));
	add_bytes(&body, objects, n);
	add_start(&f);
	add_frame(&f, body.p, body.n, 0);
	d = read_bytes(&f);
	free_bytes(&f);
	free_bytes(&body);
	return d;
}

/* Checks that a frame that breaks a rule yields no records, not even the records before the error. */
static void check_bad(const char *name, const void *p, size_t n)
{
	unsigned int before = CU_get_number_of_failures();
	struct dump d = read_second_frame(p, n);

	CU_ASSERT_EQUAL(d.err, -EBADMSG);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_DAMAGED);
	CU_ASSERT_EQUAL(d.st.frames, 1);
	CU_ASSERT_EQUAL(d.st.records, 1);
	CU_ASSERT(d.st.offset > MAGIC_FRAME_SIZE && d.st.offset < 64);
	CU_ASSERT_FALSE(d.st.ended);
	tell_failures(name, before, &d);
	free(d.text);
}

static void test_bad_objects(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad_objects); i++)
		check_bad(bad_objects[i].name, bad_objects[i].p, bad_objects[i].n);
}

/*
 * Tests every byte value at every position of a column of one-byte numbers, which are checked eight at a time. The
 * value must be accepted if it is such a number, and rejected if not.
 */
static void check_in_column(uint8_t type, uint8_t key, uint8_t lowest_negative)
{
	uint8_t object[4 + 1 + 15 + 1] = { 0x92, type, 0x81, key, 0x9f };

	for (unsigned int at = 0; at < 15; at++)
		for (unsigned int byte = 0; byte < 256; byte++) {
			bool good = byte < 0x80 || (lowest_negative && byte >= lowest_negative) ||
				    (!lowest_negative && byte == 0xc0);
			struct dump d;

			memset(object + 5, 0x7f, 15);
			object[5 + at] = (uint8_t)byte;
			d = read_second_frame(object, 20);
			CU_ASSERT_EQUAL(d.err, good ? 0 : -EBADMSG);
			CU_ASSERT_EQUAL(d.st.frames, good ? 2 : 1);
			free(d.text);
		}
}

static void test_every_byte_in_a_column(void)
{
	check_in_column(TRACE_TICK, TRACE_TICK_CPU, 0);
	check_in_column(TRACE_SAMPLES, TRACE_SAMPLES_DT, 0xe0);
}

#define HIGH "\xff\xff\xff\xff\xff\xff\xff\xff"

static const struct good_object {
	const char *name, *p;
	size_t n;
	const char *text; /* text of the dumped line; NULL: the record is skipped */
	uint64_t types, keys;
} good_objects[] = {
	{ "nothing", BYTES(""), NULL, 0, 0 },
	{ "unknown type", BYTES("\x92\x63\x81\x01\x01"), NULL, 1, 0 },
	{ "type 0", BYTES("\x92\x00\x80"), NULL, 1, 0 },
	{ "type 256 + MARK", BYTES("\x92\xcd\x01\x16\x81\x01\xa1y"), NULL, 1, 0 },
	{ "type 2^64 - 1", BYTES("\x92\xcf" HIGH "\x80"), NULL, 1, 0 },
	{ "key 257", BYTES("\x92\x16\x81\xcd\x01\x01\xa1y"), "22:", 0, 1 },
	{ "key 2^64 - 1", BYTES("\x92\x16\x82\x01\x05\xcf" HIGH "\x01"), "22: 1=5", 0, 1 },
	{ "unknown nil", BYTES("\x92\x16\x81\x64\xc0"), "22:", 0, 1 },
	{ "unknown bool", BYTES("\x92\x16\x81\x64\xc2"), "22:", 0, 1 },
	{ "unknown float", BYTES("\x92\x16\x81\x64\xca\1\2\3\4"), "22:", 0, 1 },
	{ "unknown double", BYTES("\x92\x16\x81\x64\xcb\1\2\3\4\5\6\7\1"), "22:", 0, 1 },
	{ "unknown uint64", BYTES("\x92\x16\x81\x64\xcf" HIGH), "22:", 0, 1 },
	{ "unknown str", BYTES("\x92\x16\x81\x64\xd9\x02yy"), "22:", 0, 1 },
	{ "unknown bin", BYTES("\x92\x16\x81\x64\xc4\x02yy"), "22:", 0, 1 },
	{ "unknown ext", BYTES("\x92\x16\x81\x64\xc7\x02\x01yy"), "22:", 0, 1 },
	{ "unknown fixext", BYTES("\x92\x16\x81\x64\xd5\x01yy"), "22:", 0, 1 },
	{ "unknown map", BYTES("\x92\x16\x81\x64\x82\x01\x91\x02\xa0\x80"), "22:", 0, 1 },
	{ "two unknown keys", BYTES("\x92\x16\x83\x01\x07\x64\x90\x65\x80"), "22: 1=7", 0, 2 },
	{ "wide encodings",
	  BYTES("\x92\xce\0\0\0\x16\xdf\0\0\0\x02\xd1\0\x01\xd3\0\0\0\0\0\0\0\x05\x02\xdb\0\0\0\x01y"),
	  "22: 1=5 2='y'", 0, 0 },
	{ "ends of INT", BYTES("\x92\x0a\x81\x05\x92\xcf\x40\0\0\0\0\0\0\0\xd3\xc0\0\0\0\0\0\0\0"),
	  "10: 5= 4611686018427387904 -4611686018427387904", 0, 0 },
	{ "no UTF-8", BYTES("\x92\x16\x81\x02\xa2\xff\xfe"), "22: 2='\xff\xfe'", 0, 0 },
};

static void check_good(const struct good_object *o)
{
	unsigned int before = CU_get_number_of_failures();
	struct dump d = read_second_frame(o->p, o->n);
	char want[128] = "1: 1=1 2=0\n2: 1=1\n22: 1=5\n";

	if (o->text)
		snprintf(want + strlen(want), sizeof(want) - strlen(want), "%s\n", o->text);
	CU_ASSERT_EQUAL(d.err, 0);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_CUT);
	CU_ASSERT_STRING_EQUAL(d.text, want);
	CU_ASSERT_EQUAL(d.st.records, 3u + !!o->n);
	CU_ASSERT_EQUAL(d.st.unknown_types, o->types);
	CU_ASSERT_EQUAL(d.st.unknown_keys, o->keys);
	tell_failures(o->name, before, &d);
	free(d.text);
}

static void test_unknown_is_skipped(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(good_objects); i++)
		check_good(&good_objects[i]);
}

/* ---- limits: a value at the limit is accepted, and the next larger value is rejected ---------  */

static void pack_keys(msgpack_packer *pk, size_t n)
{
	msgpack_pack_array(pk, 2);
	msgpack_pack_uint8(pk, 99);
	msgpack_pack_map(pk, n);
	for (size_t i = 1; i <= n; i++) {
		msgpack_pack_uint64(pk, i);
		msgpack_pack_nil(pk);
	}
}

static void pack_nested(msgpack_packer *pk, size_t n)
{
	msgpack_pack_array(pk, 2);
	msgpack_pack_uint8(pk, TRACE_MARK);
	msgpack_pack_map(pk, 1);
	msgpack_pack_uint8(pk, 100);
	for (size_t i = 1; i < n; i++)
		msgpack_pack_array(pk, 1);
	msgpack_pack_map(pk, 0);
}

static void pack_string(msgpack_packer *pk, size_t n)
{
	msgpack_pack_array(pk, 2);
	msgpack_pack_uint8(pk, TRACE_MARK);
	msgpack_pack_map(pk, 1);
	msgpack_pack_uint8(pk, TRACE_MARK_TEXT);
	msgpack_pack_str(pk, n);
	while (n--)
		msgpack_pack_str_body(pk, "y", 1);
}

static void pack_string_in_column(msgpack_packer *pk, size_t n)
{
	msgpack_pack_array(pk, 2);
	msgpack_pack_uint8(pk, TRACE_PROBE);
	msgpack_pack_map(pk, 1);
	msgpack_pack_uint8(pk, TRACE_PROBE_HOOKS);
	msgpack_pack_array(pk, 1);
	msgpack_pack_str(pk, n);
	while (n--)
		msgpack_pack_str_body(pk, "y", 1);
}

static void check_limit(void (*pack)(msgpack_packer *, size_t), size_t n, bool good)
{
	msgpack_sbuffer b;
	msgpack_packer pk;
	struct dump d;

	msgpack_sbuffer_init(&b);
	msgpack_packer_init(&pk, &b, msgpack_sbuffer_write);
	pack(&pk, n);
	d = read_second_frame(b.data, b.size);
	CU_ASSERT_EQUAL(d.st.problem, good ? TRACE_CUT : TRACE_DAMAGED);
	CU_ASSERT_EQUAL(d.st.records, good ? 4 : 1);
	free(d.text);
	msgpack_sbuffer_destroy(&b);
}

static void test_limits(void)
{
	check_limit(pack_keys, TRACE_MAX_FIELDS, true);
	check_limit(pack_keys, TRACE_MAX_FIELDS + 1, false);
	check_limit(pack_nested, TRACE_MAX_DEPTH, true);
	check_limit(pack_nested, TRACE_MAX_DEPTH + 1, false);
	check_limit(pack_nested, 1000000, false);
	check_limit(pack_string, TRACE_MAX_STR, true);
	check_limit(pack_string, TRACE_MAX_STR + 1, false);
	check_limit(pack_string_in_column, TRACE_MAX_STR, true);
	check_limit(pack_string_in_column, TRACE_MAX_STR + 1, false);
}

/* ---- one object --------------------------------------------------------------------------- */

/* Tests that an invalid record has no type and no fields, whatever the caller's record held before. */
static void test_no_record(void)
{
	static const struct {
		const char *bytes;
		size_t n;
	} rows[] = {
		{ "", 0 },
		{ "\xc0", 1 },
		{ "\x92\x01", 2 },
		{ "\x91\x01", 2 },
		{ "\x92\xa0\x80", 3 },
		{ "\x92\x01\x90", 3 },
		{ "\x92\xff\x80", 3 },
		{ "\x92\x01\xde\xff\xff", 5 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t bytes[16 + RECORD_SLACK] = { 0 };
		struct mp_cursor c = { bytes, bytes + rows[i].n };
		struct record_marks marks = { 0 };
		uint64_t types = 0, keys = 0;
		struct trace_record rec;

		memcpy(bytes, rows[i].bytes, rows[i].n);
		memset(&rec, 0x55, sizeof(rec));
		CU_ASSERT_EQUAL(record_parse(&c, &rec, NULL, &marks, &types, &keys), -EBADMSG);
		CU_ASSERT_EQUAL(rec.type, 0);
		CU_ASSERT_EQUAL(rec.nfields, 0);
		record_marks_free(&marks);
	}
}

static const struct unit_test tests[] = {
	{ "cut_at_every_byte", test_cut_at_every_byte },
	{ "cut_in_large_frame", test_cut_in_large_frame },
	{ "every_bit_flipped", test_every_bit_flipped },
	{ "blocks_of_zeros", test_blocks_of_zeros },
	{ "frames_in_other_order", test_frames_in_other_order },
	{ "bad_objects", test_bad_objects },
	{ "every_byte_in_a_column", test_every_byte_in_a_column },
	{ "unknown_is_skipped", test_unknown_is_skipped },
	{ "limits", test_limits },
	{ "no_record", test_no_record },
};

int main(void)
{
	return unit_main("trace_hostile", tests, ARRAY_SIZE(tests));
}
