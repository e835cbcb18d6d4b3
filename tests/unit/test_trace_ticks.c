// SPDX-License-Identifier: BSD-2-Clause
/* Tests ticks with all sorts of counters: all that is written is read back, even if frames are lost or skipped. */
#include "unit.h"

#include <errno.h>

#include "trace_file.h"
#include "window_util.h"

static const struct trace_totals no_totals = { .why = "" };

/* The written records, and the text that a reader must return. */
struct both {
	struct trace_writer *w;
	FILE *f;
	char *text;
	size_t len;
	int fd;
};

static void begin_both(struct both *b)
{
	b->fd = empty_file();
	b->f = open_memstream(&b->text, &b->len);
	CU_ASSERT_FATAL(b->f && !trace_writer_new(&b->w, b->fd, 0));
	CU_ASSERT_EQUAL(put_header(b->w), 0);
}

static void put_type(struct both *b, enum trace_type type)
{
	trace_writer_begin(b->w, type);
	fprintf(b->f, "%d:", type);
}

static void put_number(struct both *b, unsigned int key, uint64_t v)
{
	trace_writer_uint(b->w, key, v);
	fprintf(b->f, " %u=%llu", key, (unsigned long long)v);
}

static void put_column(struct both *b, unsigned int key, const uint64_t *v, size_t n)
{
	trace_writer_uints(b->w, key, v, n);
	fprintf(b->f, " %u=", key);
	for (size_t i = 0; i < n; i++)
		fprintf(b->f, v[i] == TRACE_NIL ? " nil" : " %llu", (unsigned long long)v[i]);
}

static void put_done(struct both *b)
{
	CU_ASSERT_EQUAL(trace_writer_end(b->w), 0);
	fputc('\n', b->f);
}

static void put_text(struct both *b)
{
	put_mark(b->w, 7, "mark");
	fprintf(b->f, "%d: 1=7 2='mark'\n", TRACE_MARK);
}

/* Reads all records except HEADER and the records that the library handles itself. */
static struct dump read_whole(int fd, bool recover)
{
	struct dump d = { 0 };
	struct trace_reader *r;
	struct trace_record rec;
	FILE *f = open_memstream(&d.text, &d.len);

	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_FATAL(f && !trace_reader_new(&r, fd));
	trace_reader_set_recover(r, recover);
	do {
		while ((d.err = trace_reader_next(r, &rec)) > 0)
			if (rec.type != TRACE_HEADER && rec.type != TRACE_FRAME &&
			    rec.type != TRACE_INDEX && rec.type != TRACE_END)
				print_record(f, &rec);
		d.st = *trace_reader_status(r);
	} while (!d.err && trace_reader_part(r) > 0);
	trace_reader_free(r);
	fclose(f);
	return d;
}

static void end_both(struct both *b)
{
	struct dump d;

	CU_ASSERT_EQUAL(trace_writer_finish(b->w, &no_totals), 0);
	trace_writer_free(b->w);
	fclose(b->f);
	d = read_whole(b->fd, false);
	CU_ASSERT_EQUAL(d.err, 0);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_OK);
	CU_ASSERT(d.len == b->len && !memcmp(d.text, b->text, d.len));
	free(d.text);
}

static void free_both(struct both *b)
{
	free(b->text);
	close(b->fd);
}

/* ---- ticks of all sorts ------------------------------------------------------------------ */

#define CPUS 3

struct counters {
	uint64_t at_ns, cpu[CPUS], exact_ns[CPUS], ns[5][CPUS], id[2], bytes[2], user_us;
	unsigned int events;
	bool softnet;
};

static void grow(struct counters *c)
{
	c->at_ns += 1 + rnd(1000);
	c->user_us += rnd(3);
	for (int i = 0; i < CPUS; i++) {
		c->exact_ns[i] += rnd(1ull << rnd(40));
		for (unsigned int e = 0; e < 5; e++)
			if (c->ns[e][i] < UINT64_C(1) << 62 && rnd(2))
				c->ns[e][i] += rnd(1ull << rnd(50));
	}
	c->bytes[rnd(2)] += rnd(70000);
}

/* Changes counters as counters usually do not change. */
static void upset(struct counters *c)
{
	unsigned int e = (unsigned int)rnd(5), i = (unsigned int)rnd(CPUS);

	switch (rnd(8)) {
	case 0:
		c->ns[e][i] = c->ns[e][i] == TRACE_NIL ? rnd(99) : TRACE_NIL;
		break;
	case 1:
		c->ns[e][i] = 0;
		break;
	case 2:
		c->cpu[i] += 5;
		break;
	case 3:
		c->events = 1 + (unsigned int)rnd(5);
		break;
	case 4:
		c->softnet = !c->softnet;
		break;
	case 5:
		c->id[0] = 3 - c->id[0];
		c->id[1] = 3 - c->id[1];
		break;
	case 6:
		c->ns[e][i] = INT64_MAX;
		break;
	default:
		c->ns[e][i] = 5;
		break;
	}
}

static void put_counters(struct both *b, const struct counters *c, bool mark)
{
	put_type(b, TRACE_TICK);
	put_number(b, TRACE_TICK_AT_NS, c->at_ns);
	put_column(b, TRACE_TICK_CPU, c->cpu, CPUS);
	put_column(b, TRACE_TICK_EXACT_NS, c->exact_ns, CPUS);
	put_done(b);
	for (unsigned int e = 0; e < c->events; e++) {
		put_type(b, TRACE_EXACT);
		put_number(b, TRACE_EXACT_EVENT, e / 2); /* some events occur twice */
		put_column(b, TRACE_EXACT_NS, c->ns[e], CPUS);
		put_done(b);
	}
	if (mark)
		put_text(b);
	if (c->softnet) {
		put_type(b, TRACE_SOFTNET);
		put_done(b);
	}
	put_type(b, TRACE_NETDEV_STATS);
	put_column(b, TRACE_NETDEV_STATS_ID, c->id, 2);
	put_column(b, TRACE_NETDEV_STATS_RX_BYTES, c->bytes, 2);
	put_done(b);
	put_type(b, TRACE_SELF);
	put_number(b, TRACE_SELF_USER_US, c->user_us);
	put_done(b);
}

static void test_round_trip(void)
{
	static const uint64_t calm[] = { 1000, 20, 3 };

	for (unsigned int run = 0; run < 60; run++) {
		struct both b;
		struct counters c = { .cpu = { 0, 1, 2 }, .id = { 1, 2 }, .events = 5 };

		begin_both(&b);
		for (int i = 0; i < 120; i++) {
			grow(&c);
			if (!rnd(calm[run % 3]))
				upset(&c);
			put_counters(&b, &c, !rnd(10));
			if (!rnd(8))
				CU_ASSERT_EQUAL(trace_writer_flush(b.w), 0);
			if (!rnd(200)) {
				CU_ASSERT_EQUAL(trace_writer_next(b.w, &no_totals, 0), 0);
				CU_ASSERT_EQUAL(put_header(b.w), 0);
			}
		}
		end_both(&b);
		free_both(&b);
	}
}

/* ---- lost frames ------------------------------------------------------------------------- */

/* Returns whether the lines of `part` are among the lines of `all`, in the same order. */
static bool is_part_of(const char *part, const char *all)
{
	while (*part) {
		size_t n = strcspn(part, "\n") + 1;

		while (*all && strncmp(part, all, n))
			all += strcspn(all, "\n") + 1;
		if (!*all)
			return false;
		all += n;
		part += n;
	}
	return true;
}

/* Reads the file without one frame. This must not cause an error. */
static void lose_frame(const struct both *b, const struct bytes *all, const struct extent *e)
{
	struct bytes rest = { 0 };
	struct dump d;
	int fd;

	add_bytes(&rest, all->p, e->start);
	add_bytes(&rest, all->p + e->end, all->n - e->end);
	fd = file_of(rest.p, rest.n);
	d = read_whole(fd, true);
	CU_ASSERT_EQUAL(d.err, 0);
	CU_ASSERT_EQUAL(d.st.damages, 1);
	CU_ASSERT_EQUAL(d.st.frames_missing, 1);
	CU_ASSERT(d.len > 100 && is_part_of(d.text, b->text));
	free(d.text);
	close(fd);
	free_bytes(&rest);
}

static void test_lost(void)
{
	struct both b;
	struct counters c = { .cpu = { 0, 1, 2 }, .id = { 1, 2 }, .events = 1 };
	struct extent e[MAX_FRAMES];
	struct bytes all;
	size_t n;

	begin_both(&b);
	CU_ASSERT_EQUAL(trace_writer_flush(b.w), 0);
	for (int i = 0; i < 200; i++) {
		grow(&c);
		put_counters(&b, &c, false);
		if (i % 10 == 9)
			CU_ASSERT_EQUAL(trace_writer_flush(b.w), 0);
	}
	end_both(&b);
	all = contents(b.fd);
	n = split_frames(&all, e);
	CU_ASSERT_EQUAL_FATAL(n, 2 + 20 + 2); /* the magic, HEADER's; END's, the seek table */
	for (size_t i = 2; i < n - 2; i++)
		lose_frame(&b, &all, &e[i]);
	free_bytes(&all);
	free_both(&b);
}

/* ---- a part of the time ------------------------------------------------------------------ */

/* Tests that the content of a window is the same whether INDEX is used or everything is read. */
static void test_window(void)
{
	struct both b;
	struct counters c = { .cpu = { 0, 1, 2 }, .id = { 1, 2 }, .events = 5 };
	struct bytes all;

	begin_both(&b);
	for (uint64_t id = 1; id <= 2; id++) {
		put_type(&b, TRACE_NETDEV);
		put_number(&b, TRACE_NETDEV_ID, id);
		put_done(&b);
	}
	CU_ASSERT_EQUAL(trace_writer_flush(b.w), 0);
	for (int i = 0; i < 600; i++) {
		grow(&c);
		c.at_ns = START + (uint64_t)i * SECOND / 10;
		trace_writer_time(b.w, c.at_ns);
		put_counters(&b, &c, i == 333);
		if (i % 10 == 9)
			CU_ASSERT_EQUAL(trace_writer_flush(b.w), 0);
	}
	end_both(&b);
	all = contents(b.fd);
	for (uint64_t i = 0; i < 57; i++) {
		struct span s = { START + i * SECOND, START + (i + 3) * SECOND - 1 };
		struct part_kept found = read_file(&all, s), read = read_pipe(&all, s);

		CU_ASSERT_EQUAL(found.err, 0);
		CU_ASSERT(found.len == read.len && !memcmp(found.text, read.text, found.len));
		CU_ASSERT_EQUAL(found.st.frames_skipped, read.st.frames_skipped);
		CU_ASSERT(found.st.frames_skipped >= 55);
		CU_ASSERT(found.st.bytes < read.st.bytes / 2);
		free_part(&found);
		free_part(&read);
	}
	free_bytes(&all);
	free_both(&b);
}

static const struct unit_test tests[] = {
	{ "round_trip", test_round_trip },
	{ "lost", test_lost },
	{ "window", test_window },
};

int main(void)
{
	return unit_main("trace_ticks", tests, ARRAY_SIZE(tests));
}
