// SPDX-License-Identifier: BSD-2-Clause
/* Tests parts that are cut out of a trace: their content, and that they add up to the whole. */
#include "unit.h"

#include "cut_util.h"

static const char *const real[] = { "examples/demo.nct", "format/vectors/real-2026-11.nct",
				    "format/vectors/real-2026-11-22.nct" };

/* Returns the i-th trace of the test, or -1 after the last one. */
static int trace_number(size_t i)
{
	int fd;

	if (i < 3)
		return record(10, true);
	if (i >= 3 + ARRAY_SIZE(real))
		return -1;
	fd = open(real[i - 3], O_RDONLY | O_CLOEXEC);
	CU_ASSERT_FATAL(fd >= 0);
	return fd;
}

/* ---- all, and parts of it ---------------------------------------------------------------- */

static void test_all(void)
{
	int fd;

	for (size_t i = 0; (fd = trace_number(i)) >= 0; i++) {
		struct part_cut p = cut_part(fd, i % 2 ? NULL : "0", NULL, false);
		char *before = summary_of(fd), *after = summary_of(p.fd);
		char *a = sample_lines(fd, 0, UINT64_MAX), *b = sample_lines(p.fd, 0, UINT64_MAX);

		CU_ASSERT_EQUAL(p.err, 0);
		CU_ASSERT_EQUAL(p.result.broken, 0);
		CU_ASSERT_STRING_EQUAL(before, after);
		CU_ASSERT_STRING_EQUAL(a, b);
		free(before);
		free(after);
		free(a);
		free(b);
		part_free(&p);
		close(fd);
	}
}

static void check_part(int fd, struct part_cut *p)
{
	char *a = sample_lines(fd, p->plan.begin_ns, p->plan.end_ns);
	char *b = sample_lines(p->fd, 0, UINT64_MAX);
	struct model *m = model_of(p->fd);

	CU_ASSERT_STRING_EQUAL(a, b);
	CU_ASSERT_EQUAL(m->samples, p->result.samples);
	CU_ASSERT_EQUAL(m->ticks, p->ticks);
	CU_ASSERT(m->records[TRACE_CLOCK] > 0);
	CU_ASSERT_EQUAL(m->status.frames_missing + m->status.damages, 0);
	CU_ASSERT_EQUAL(m->status.ended, true);
	if (m->at_ns.readings && p->plan.from_tick)
		CU_ASSERT_EQUAL(m->at_ns.first, p->plan.begin_ns);
	if (m->at_ns.readings && p->plan.end_ns != UINT64_MAX)
		CU_ASSERT_EQUAL(m->at_ns.last, p->plan.end_ns);
	if (p->plan.from_tick && p->plan.end_ns != UINT64_MAX)
		CU_ASSERT_EQUAL(m->at_ns.sum, m->end.at_ns - m->header.start_ns);
	model_free(m);
	free(a);
	free(b);
}

static char *seconds(char *dst, size_t size, uint64_t ns)
{
	snprintf(dst, size, "%" PRIu64 "ns", ns);
	return dst;
}

static void test_parts(void)
{
	int fd;

	for (size_t i = 0; (fd = trace_number(i)) >= 0; i++) {
		for (int k = 0; k < rounds(25); k++) {
			char from[32], to[32];
			uint64_t begin = rnd(3900000000), /* the shortest trace has 4 s */
				length = 1 + rnd(rnd(3) ? 2 * SECOND : 9 * SECOND);
			struct part_cut p = cut_part(fd, seconds(from, sizeof(from), begin),
						     seconds(to, sizeof(to), begin + length),
						     false);

			CU_ASSERT_EQUAL(p.err, 0);
			CU_ASSERT_EQUAL(p.result.broken, 0);
			CU_ASSERT(p.plan.begin_ns <= p.plan.origin_ns + begin);
			CU_ASSERT(p.plan.end_ns >= p.plan.origin_ns + begin + length);
			if (!p.err)
				check_part(fd, &p);
			part_free(&p);
		}
		close(fd);
	}
}

/* Checks that ids in a part are those of the whole trace, and that the part lacks the definitions after its end. */
static void test_definitions(void)
{
	int fd = record(10, true);
	struct part_cut early = cut_part(fd, NULL, "3", false),
			late = cut_part(fd, "7", NULL, false);
	struct model *all = model_of(fd), *a = model_of(early.fd), *b = model_of(late.fd);

	CU_ASSERT(a->nstacks > 0 && a->nstacks < all->nstacks);
	CU_ASSERT(a->nsymbols > 0 && a->nsymbols < all->nsymbols);
	CU_ASSERT(a->ntasks > 0 && a->ntasks < all->ntasks);
	CU_ASSERT_EQUAL(b->nstacks, all->nstacks);
	CU_ASSERT_EQUAL(b->nsymbols, all->nsymbols);
	CU_ASSERT_EQUAL(b->ntasks, all->ntasks);
	for (uint32_t i = 1; i <= a->nstacks; i++) {
		CU_ASSERT_EQUAL(a->stack[i].parent, all->stack[i].parent);
		CU_ASSERT_EQUAL(a->stack[i].symbol, all->stack[i].symbol);
	}
	model_free(all);
	model_free(a);
	model_free(b);
	part_free(&early);
	part_free(&late);
	close(fd);
}

/* Checks that the part is the same file whether the whole trace is read or its INDEX is used. */
static void test_scan(void)
{
	for (int i = 0; i < 5; i++) {
		int fd = record(40, true);

		for (int k = 0; k < 5; k++) {
			char from[32];
			struct part_cut a, b;
			struct bytes x, y;

			seconds(from, sizeof(from), rnd(36 * SECOND));
			a = cut_part(fd, from, "-3s", false);
			b = cut_part(fd, from, "-3s", true);
			x = contents(a.fd);
			y = contents(b.fd);
			CU_ASSERT_EQUAL(a.err + b.err, 0);
			CU_ASSERT(x.n == y.n && !memcmp(x.p, y.p, x.n));
			free_bytes(&x);
			free_bytes(&y);
			part_free(&a);
			part_free(&b);
		}
		close(fd);
	}
}

/* ---- sums -------------------------------------------------------------------------------- */

/*
 * Checks that the sums of [a, b] and [b, c] equal those of [a, c]. The bounds are at ticks; NULL means the begin or the
 * end of the trace.
 */
static void check_sum(int fd, const char *a, const char *b, const char *c)
{
	struct part_cut p[3] = { cut_part(fd, a, b, false), cut_part(fd, b, c, false),
				 cut_part(fd, a, c, false) };
	struct sums s[3];

	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL_FATAL(p[i].err, 0);
		s[i] = sums_of(p[i].fd);
	}
	CU_ASSERT_EQUAL_FATAL(s[0].n, s[2].n);
	CU_ASSERT_EQUAL_FATAL(s[1].n, s[2].n);
	for (size_t i = 0; i < s[2].n; i++) {
		CU_ASSERT_EQUAL(s[0].v[i] + s[1].v[i], s[2].v[i]);
		if (s[0].v[i] + s[1].v[i] != s[2].v[i])
			printf("  %s to %s to %s: sum %zu: %" PRIu64 " + %" PRIu64 " != %" PRIu64
			       "\n",
			       a ? a : "-", b, c ? c : "-", i, s[0].v[i], s[1].v[i], s[2].v[i]);
	}
	for (int i = 0; i < 3; i++)
		part_free(&p[i]);
}

/*
 * Stores the times of a trace's ticks since its start, except for ticks at which an interface was missing. Returns
 * their number.
 */
static size_t tick_times(int fd, uint64_t *ns, size_t max)
{
	struct trace_reader *r;
	struct trace_record rec;
	uint64_t start = 0, netdevs = 0;
	size_t n = 0;

	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	while (trace_reader_next(r, &rec) > 0) {
		if (rec.type == TRACE_HEADER)
			start = trace_record_uint(&rec, TRACE_HEADER_START_NS, 0);
		if (rec.type == TRACE_TICK && n < max)
			ns[n++] = trace_record_uint(&rec, TRACE_TICK_AT_NS, 0) - start;
		netdevs += rec.type == TRACE_NETDEV;
		if (rec.type == TRACE_NETDEV_STATS)
			n -= trace_record_column(&rec, TRACE_NETDEV_STATS_ID).n < netdevs;
	}
	trace_reader_free(r);
	return n;
}

static void test_sums(void)
{
	int fd;

	for (size_t i = 0; (fd = trace_number(i)) >= 0; i++) {
		uint64_t ns[64];
		size_t n = tick_times(fd, ns, ARRAY_SIZE(ns));

		for (int k = 0; k < rounds(15); k++) {
			size_t a = rnd(n - 2), b = a + 1 + rnd(n - a - 2),
			       c = b + 1 + rnd(n - b - 1);
			char from[32], middle[32], to[32];

			seconds(from, sizeof(from), ns[a]);
			seconds(middle, sizeof(middle), ns[b]);
			seconds(to, sizeof(to), ns[c]);
			check_sum(fd, k % 5 ? from : NULL, middle, k % 4 ? to : NULL);
		}
		close(fd);
	}
}

/* Checks that a part of a part equals a part of the whole. */
static void test_cut_of_cut(void)
{
	int fd = record(10, true);
	struct part_cut outer = cut_part(fd, "2", "8", false), inner, direct;
	struct sums a, b;
	char *x, *y;

	lseek(outer.fd, 0, SEEK_SET);
	inner = cut_part(outer.fd, "1", "3.5", false);
	direct = cut_part(fd, "3", "5.5", false);
	CU_ASSERT_EQUAL_FATAL(inner.err + direct.err, 0);
	CU_ASSERT_EQUAL(inner.plan.begin_ns, direct.plan.begin_ns);
	a = sums_of(inner.fd);
	b = sums_of(direct.fd);
	CU_ASSERT(a.n == b.n && !memcmp(a.v, b.v, sizeof(a.v)));
	x = sample_lines(inner.fd, 0, UINT64_MAX);
	y = sample_lines(direct.fd, 0, UINT64_MAX);
	CU_ASSERT_STRING_EQUAL(x, y);
	free(x);
	free(y);
	x = summary_of(inner.fd);
	y = summary_of(direct.fd);
	CU_ASSERT_STRING_EQUAL(x, y);
	free(x);
	free(y);
	part_free(&inner);
	part_free(&direct);
	part_free(&outer);
	close(fd);
}

/* ---- the content of a part --------------------------------------------------------------- */

/* Checks that a part's counters of the recording start at 0. Constant values and counters of the kernel do not. */
static void test_counted_from_the_first_tick(void)
{
	int fd = record(6, true);
	struct part_cut p = cut_part(fd, "2.2", "4.1", false);
	struct trace_reader *r;
	struct trace_record rec;
	bool first = true;

	lseek(p.fd, 0, SEEK_SET);
	CU_ASSERT_FATAL(!p.err && !trace_reader_new(&r, p.fd));
	CU_ASSERT_EQUAL(p.plan.begin_ns, START + 2 * SECOND);
	CU_ASSERT_EQUAL(p.plan.end_ns, START + 4 * SECOND + TICK);
	for (unsigned int ticks = 0; trace_reader_next(r, &rec) > 0;) {
		size_t n;
		const struct trace_key_desc *k = trace_type_keys(rec.type, &n);

		ticks += rec.type == TRACE_TICK;
		first = ticks == 1;
		for (size_t i = 0; first && i < n; i++) {
			struct trace_column c = trace_record_column(&rec, k[i].key);
			bool own = k[i].flags & TRACE_KEY_COUNTER;
			uint64_t v;

			while (own && trace_column_uint(&c, &v))
				CU_ASSERT_EQUAL(v, 0);
			if (own)
				CU_ASSERT_EQUAL(trace_record_uint(&rec, k[i].key, 0), 0);
		}
		if (rec.type == TRACE_SELF)
			CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_SELF_MAXRSS_KIB, 0), 5000);
	}
	trace_reader_free(r);
	part_free(&p);
	close(fd);
}

static char *text_of(int fd, enum trace_type type, unsigned int key, char *dst, size_t size)
{
	struct trace_reader *r;
	struct trace_record rec;

	lseek(fd, 0, SEEK_SET);
	*dst = '\0';
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	while (trace_reader_next(r, &rec) > 0)
		if (rec.type == type)
			trace_record_str(&rec, key, dst, size);
	trace_reader_free(r);
	return dst;
}

static void test_end(void)
{
	int fd = record(6, true);
	struct part_cut p = cut_part(fd, "1", "2", false), again;
	char why[64];

	CU_ASSERT_STRING_EQUAL(text_of(p.fd, TRACE_END, TRACE_END_WHY, why, sizeof(why)),
			       "#9 #147 over");
	lseek(p.fd, 0, SEEK_SET);
	again = cut_part(p.fd, "0.5", NULL, false);
	CU_ASSERT_STRING_EQUAL(text_of(again.fd, TRACE_END, TRACE_END_WHY, why, sizeof(why)),
			       "#9 #147 over");
	part_free(&again);
	part_free(&p);
	close(fd);
}

static void test_marks(void)
{
	int fd = record(12, true);
	struct part_cut p = cut_part(fd, "mark:first", "mark:again", false);
	char text[64];

	/* The trace has marks at 1.3, 5.3 and 9.3 s. */
	CU_ASSERT_EQUAL(p.err, 0);
	CU_ASSERT_EQUAL(p.plan.begin_ns, START + SECOND);
	CU_ASSERT_EQUAL(p.plan.end_ns, START + 9 * SECOND + TICK);
	CU_ASSERT_STRING_EQUAL(text_of(p.fd, TRACE_MARK, TRACE_MARK_TEXT, text, sizeof(text)),
			       "again");
	part_free(&p);
	p = cut_part(fd, "mark:again", NULL, false);
	CU_ASSERT_EQUAL(p.plan.begin_ns, START + 5 * SECOND);
	part_free(&p);
	p = cut_part(fd, NULL, "mark:firs", false);
	CU_ASSERT_EQUAL(p.err, -ENODATA);
	CU_ASSERT_STRING_EQUAL(p.plan.why,
			       "there is no mark 'firs'; the trace goes from 0 s to 12.000 s");
	part_free(&p);
	close(fd);
}

/* Checks that a part includes the last CLOCK before it. */
static void test_clocks(void)
{
	int fd = record(10, true);
	struct part_cut p = cut_part(fd, "4", "5", false);
	struct model *m = model_of(p.fd);

	CU_ASSERT_EQUAL(m->records[TRACE_CLOCK], 1);
	CU_ASSERT_EQUAL(m->clock_first.mono_ns, START + 3 * SECOND - 1);
	model_free(m);
	part_free(&p);
	p = cut_part(fd, "7", NULL, false);
	m = model_of(p.fd);
	CU_ASSERT_EQUAL(m->records[TRACE_CLOCK], 2);
	CU_ASSERT_EQUAL(m->clock_first.mono_ns, START + 6 * SECOND - 1);
	CU_ASSERT_EQUAL(m->clock_last.mono_ns, START + 9 * SECOND - 1);
	model_free(m);
	part_free(&p);
	close(fd);
}

/* ---- without ticks ----------------------------------------------------------------------- */

static void test_no_ticks(void)
{
	int fd = record(10, false);
	struct part_cut last;

	for (int i = 0; i < 20; i++) {
		uint64_t begin = rnd(9 * SECOND), length = 1 + rnd(SECOND);
		char from[32], to[32];
		struct part_cut p = cut_part(fd, seconds(from, sizeof(from), begin),
					     seconds(to, sizeof(to), begin + length), false);

		if (p.err == -ENODATA) { /* the part is between two samples */
			CU_ASSERT(length < SECOND / 2);
			part_free(&p);
			continue;
		}
		CU_ASSERT_EQUAL(p.err, 0);
		CU_ASSERT_EQUAL(p.plan.begin_ns, START + begin);
		CU_ASSERT_EQUAL(p.plan.end_ns, START + begin + length);
		CU_ASSERT_EQUAL(p.ticks, 0);
		check_part(fd, &p);
		part_free(&p);
	}
	/* A bound after the end of the recording has no effect. */
	last = cut_part(fd, "0.2", "1000", false);
	CU_ASSERT(!last.err && last.plan.end_ns == TRACE_NIL);
	part_free(&last);
	close(fd);
}

/* ---- nothing ----------------------------------------------------------------------------- */

static void test_nothing(void)
{
	static const struct {
		const char *from, *to, *why;
	} cases[] = {
		{ "5", "5", "the start of the part is not before its end" },
		{ "5", "4.999", "the start of the part is not before its end" },
		{ "-2s", "3", "the start of the part is not before its end" },
		{ "12", NULL, "the part begins after the end of the trace" },
		{ "10.000001", "99", "the part begins after the end of the trace" },
		{ NULL, "0", "the part ends before the trace begins" },
		{ NULL, "-99s", "the part ends before the trace begins" },
	};
	int fd = record(10, true);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct part_cut p = cut_part(fd, cases[i].from, cases[i].to, i % 2);
		char why[200];

		snprintf(why, sizeof(why), "%s; the trace goes from 0 s to 10.000 s", cases[i].why);
		CU_ASSERT_EQUAL(p.err, -ENODATA);
		CU_ASSERT_STRING_EQUAL(p.plan.why, why);
		part_free(&p);
	}
	close(fd);
}

static const struct unit_test tests[] = {
	{ "all", test_all },
	{ "parts", test_parts },
	{ "definitions", test_definitions },
	{ "scan", test_scan },
	{ "sums", test_sums },
	{ "cut_of_cut", test_cut_of_cut },
	{ "counted_from_the_first_tick", test_counted_from_the_first_tick },
	{ "end", test_end },
	{ "marks", test_marks },
	{ "clocks", test_clocks },
	{ "no_ticks", test_no_ticks },
	{ "nothing", test_nothing },
};

int main(void)
{
	return unit_main("cut", tests, ARRAY_SIZE(tests));
}
