// SPDX-License-Identifier: BSD-2-Clause
#include "trace_file.h"

void add_bytes(struct bytes *b, const void *p, size_t n)
{
	b->p = realloc(b->p, b->n + n + 1);
	if (!b->p)
		abort();
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

void free_bytes(struct bytes *b)
{
	free(b->p);
	*b = (struct bytes){ 0 };
}

int file_of(const void *p, size_t n)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	if (fd < 0 || write(fd, p, n) != (ssize_t)n)
		abort();
	lseek(fd, 0, SEEK_SET);
	return fd;
}

int empty_file(void)
{
	return file_of("", 0);
}

static size_t one_in(void)
{
	const char *few = getenv("NETCOST_UNIT_FEW");

	return few ? strtoul(few, NULL, 10) : 0;
}

bool flips(size_t at, int bit)
{
	size_t n = one_in();

	return !n || (at % n == 0 && at / n % 8 == (size_t)bit);
}

bool tries(size_t at)
{
	size_t n = one_in();

	return !n || at % n == 0;
}

struct bytes contents(int fd)
{
	struct bytes b = { 0 };
	char buf[65536];
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		add_bytes(&b, buf, (size_t)n);
	return b;
}

/* ---- the frames of a file ---------------------------------------------------------------- */

size_t split_frames(const struct bytes *b, struct extent *e)
{
	size_t n = 0, at = 0;

	while (at < b->n && n < MAX_FRAMES) {
		size_t size = ZSTD_findFrameCompressedSize(b->p + at, b->n - at);

		if (ZSTD_isError(size))
			return 0;
		e[n].start = at;
		e[n].end = at += size;
		e[n].hint = le32(b->p + e[n].start) != ZSTD_FRAME_MAGIC;
		n++;
	}
	return n;
}

/* ---- everything that a reader returns ---------------------------------------------------- */

static void print_text(FILE *f, const void *s, size_t n)
{
	fputc('\'', f);
	fwrite(s, 1, n, f);
	fputc('\'', f);
}

static void print_column(FILE *f, const struct trace_field *field)
{
	struct trace_column c = { .p = field->p, .n = field->n };
	const char *s;
	uint32_t len;
	uint64_t u;
	int64_t i;

	if (field->kind == TRACE_UINTS)
		while (trace_column_uint(&c, &u))
			fprintf(f, u == TRACE_NIL ? " nil" : " %llu", (unsigned long long)u);
	else if (field->kind == TRACE_INTS)
		while (trace_column_int(&c, &i))
			fprintf(f, " %lld", (long long)i);
	else
		while (trace_column_str(&c, &s, &len)) {
			fputc(' ', f);
			print_text(f, s, len);
		}
}

void print_record(FILE *f, const struct trace_record *rec)
{
	fprintf(f, "%d:", rec->type);
	for (unsigned int i = 0; i < rec->nfields; i++) {
		const struct trace_field *field = &rec->field[i];

		fprintf(f, " %d=", field->key);
		if (field->kind == TRACE_STR)
			print_text(f, field->p, field->n);
		else if (field->kind >= TRACE_UINTS)
			print_column(f, field);
		else
			fprintf(f, "%lld", (long long)field->v);
	}
	fputc('\n', f);
}

struct dump read_all(int fd)
{
	struct dump d = { 0 };
	struct trace_reader *r;
	struct trace_record rec;
	FILE *f = open_memstream(&d.text, &d.len);

	if (!f || trace_reader_new(&r, fd))
		abort();
	while ((d.err = trace_reader_next(r, &rec)) > 0) {
		uint64_t frame = trace_reader_status(r)->frames;

		print_record(f, &rec);
		fflush(f);
		if (frame <= MAX_FRAMES)
			d.after[frame] = d.len;
	}
	d.st = *trace_reader_status(r);
	/* the result at the end does not change */
	CU_ASSERT_EQUAL(trace_reader_next(r, &rec), d.err);
	CU_ASSERT_EQUAL(trace_reader_status(r)->problem, d.st.problem);
	trace_reader_free(r);
	fclose(f);
	return d;
}

struct dump read_bytes(const struct bytes *b)
{
	int fd = file_of(b->p, b->n);
	struct dump d = read_all(fd);

	close(fd);
	return d;
}

bool same_records(const struct dump *a, const struct dump *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

/* ---- a small trace ----------------------------------------------------------------------- */

int put_header(struct trace_writer *w)
{
	static const uint32_t cpus[] = { 0, 2 };

	trace_writer_begin(w, TRACE_HEADER);
	trace_writer_uint(w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_u32s(w, TRACE_HEADER_CPUS, cpus, ARRAY_SIZE(cpus));
	return trace_writer_end(w);
}

int put_mark(struct trace_writer *w, uint64_t at_ns, const char *text)
{
	trace_writer_time(w, at_ns);
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_uint(w, TRACE_MARK_AT_NS, at_ns);
	trace_writer_str(w, TRACE_MARK_TEXT, text);
	return trace_writer_end(w);
}

void put_marks(struct trace_writer *w)
{
	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	for (uint64_t i = 1; i <= 4; i++) {
		trace_writer_lost(w, 1, 10 * i);
		CU_ASSERT_EQUAL(put_mark(w, 100 * i, "first"), 0);
		CU_ASSERT_EQUAL(put_mark(w, 100 * i + 50, "second"), 0);
		CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	}
}

void write_small_trace(int fd)
{
	static const struct trace_totals totals = { .samples = 3, .at_ns = 999, .why = "over" };
	struct trace_writer *w;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	put_marks(w);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), 0);
	trace_writer_free(w);
}

struct bytes small_trace(void)
{
	struct bytes b;
	int fd = empty_file();

	write_small_trace(fd);
	b = contents(fd);
	close(fd);
	return b;
}

/* ---- hand-made files --------------------------------------------------------------------- */

void add_frame(struct bytes *f, const void *body, size_t n, unsigned int flags)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	size_t bound = ZSTD_compressBound(n), size;
	uint8_t *out = malloc(bound);

	ZSTD_CCtx_setParameter(ctx, ZSTD_c_checksumFlag, !(flags & NO_CHECKSUM));
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_contentSizeFlag, !(flags & NO_SIZE));
	size = ZSTD_compress2(ctx, out, bound, body, n);
	CU_ASSERT_FALSE_FATAL(ZSTD_isError(size));
	add_bytes(f, out, size);
	free(out);
	ZSTD_freeCCtx(ctx);
}

void add_magic(struct bytes *f)
{
	add_bytes(f, BYTES("\x5c\x2a\x4d\x18\x08\0\0\0netcost\x01"));
}

void add_start(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES(HEADER_OBJECT), 0);
}

void add_long_frame(struct bytes *f, size_t n)
{
	static const char head[] = FRAME_1 "\x92\x63\x81\x01\xc6";
	struct bytes body = { 0 };
	size_t bin = n - (sizeof(head) - 1) - 4;

	add_bytes(&body, BYTES(head));
	for (int shift = 24; shift >= 0; shift -= 8)
		add_bytes(&body, (uint8_t[]){ (uint8_t)(bin >> shift) }, 1);
	body.p = realloc(body.p, n);
	memset(body.p + body.n, 'z', bin);
	add_frame(f, body.p, n, 0);
	free(body.p);
}

void tell_failures(const char *name, unsigned int failures_before, const struct dump *d)
{
	if (CU_get_number_of_failures() != failures_before)
		printf("  case: %s: problem %d, err %d: %s\n", name, d->st.problem, d->err,
		       d->st.what);
}
