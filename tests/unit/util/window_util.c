// SPDX-License-Identifier: BSD-2-Clause
#include "window_util.h"

#include <fcntl.h>

#include "model_maker.h"
#include "random.h"

/* ---- a trace with occasional definitions ------------------------------------------------- */

struct ids {
	uint64_t module, symbol, stack, task, cgroup, netdev, zone, program, samples;
};

static void put_uint(struct trace_writer *w, enum trace_type type, unsigned int key, uint64_t v)
{
	trace_writer_begin(w, type);
	trace_writer_uint(w, key, v);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static void put_symbols(struct maker *k, struct ids *ids)
{
	static const char *const names[] = { "outer", "inner" };

	put_uint(k->w, TRACE_MODULE, TRACE_MODULE_ID, ++ids->module);
	maker_two_symbols(k, ids->symbol + 1, names, (uint64_t[]){ 0, ids->module },
			  (int64_t[]){ 0, 1 });
	ids->symbol += 2;
}

static void put_stacks(struct maker *k, struct ids *ids)
{
	maker_stacks(k, ids->stack + 1, U(ids->stack + 1, 1), U(1, ids->symbol));
	ids->stack += 2;
}

static void put_task(struct maker *k, struct ids *ids)
{
	ids->task++;
	maker_task(k, ids->task, ids->task, ids->task, "task");
}

/* Writes samples of random values, which do not compress and so take time to read. */
static void put_samples(struct trace_writer *w, struct ids *ids, uint64_t at_ns)
{
	enum { N = 400 };
	uint64_t stack[N], task[N], cgroup[N];
	int64_t dt[N];

	for (int i = 0; i < N; i++) {
		dt[i] = (int64_t)rnd(100);
		stack[i] = rnd(ids->stack + 1);
		task[i] = rnd(ids->task + 1);
		cgroup[i] = rnd(ids->cgroup + 1);
	}
	trace_writer_begin(w, TRACE_SAMPLES);
	trace_writer_uint(w, TRACE_SAMPLES_CPU, 0);
	trace_writer_uint(w, TRACE_SAMPLES_BASE_NS, at_ns);
	trace_writer_uint(w, TRACE_SAMPLES_UNIT_NS, 1000);
	trace_writer_uint(w, TRACE_SAMPLES_STEP, 1000);
	trace_writer_ints(w, TRACE_SAMPLES_DT, dt, N);
	trace_writer_uints(w, TRACE_SAMPLES_STACK, stack, N);
	trace_writer_uints(w, TRACE_SAMPLES_TASK, task, N);
	trace_writer_uints(w, TRACE_SAMPLES_CGROUP, cgroup, N);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_time(w, at_ns);
	trace_writer_time(w, at_ns + N * 1100000);
	ids->samples += N;
}

static void put_tick(struct trace_writer *w, const struct ids *ids, uint64_t at_ns)
{
	trace_writer_time(w, at_ns);
	trace_writer_begin(w, TRACE_TICK);
	trace_writer_uint(w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(w, TRACE_TICK_CPU, (uint64_t[]){ 0, 1 }, 2);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_begin(w, TRACE_NETDEV_STATS);
	trace_writer_uints(w, TRACE_NETDEV_STATS_ID, (uint64_t[]){ 1 + rnd(ids->netdev) }, 1);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_begin(w, TRACE_ENERGY);
	trace_writer_uints(w, TRACE_ENERGY_READ_NS, (uint64_t[]){ at_ns }, 1);
	trace_writer_uints(w, TRACE_ENERGY_RAW, (uint64_t[]){ 7 }, 1);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_begin(w, TRACE_PROGRAM_STATS);
	trace_writer_uints(w, TRACE_PROGRAM_STATS_RECURSION, (uint64_t[4]){ 7 },
			   ids->program < 4 ? ids->program : 4);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

/* Writes a frame. One frame in `seldom` has definitions, either of every kind or of one kind. */
static void put_frame(struct maker *k, struct ids *ids, uint64_t at_ns, uint64_t seldom)
{
	uint64_t sort = rnd(seldom ? 9 * seldom : 9);

	if (sort <= 1)
		put_symbols(k, ids);
	if (sort == 0 || sort == 2 || !ids->stack)
		put_stacks(k, ids);
	if (sort == 0 || sort == 3 || !ids->task)
		put_task(k, ids);
	if (sort == 0 || sort == 3 || !ids->cgroup)
		maker_cgroup(k, ++ids->cgroup, "/cgroup");
	if (sort == 0 || sort == 4 || !ids->netdev)
		put_uint(k->w, TRACE_NETDEV, TRACE_NETDEV_ID, ++ids->netdev);
	if (sort == 0 || sort == 5 || !ids->zone)
		put_uint(k->w, TRACE_ENERGY_ZONE, TRACE_ENERGY_ZONE_ID, ++ids->zone);
	if (sort == 0 || sort == 7 || !ids->program)
		put_uint(k->w, TRACE_PROGRAM, TRACE_PROGRAM_ID, ++ids->program);
	if (sort == 6)
		put_mark(k->w, at_ns, "mark");
	put_tick(k->w, ids, at_ns);
	put_samples(k->w, ids, at_ns);
	if (!rnd(4))
		put_samples(k->w, ids, at_ns - rnd(2 * SECOND));
}

struct bytes long_trace(uint64_t seldom)
{
	struct ids ids = { 0 };
	struct trace_totals totals = { .at_ns = START + NFRAMES * SECOND, .why = "over" };
	struct maker k;
	int fd = empty_file();
	struct bytes b;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&k.w, fd, 2), 0);
	CU_ASSERT_EQUAL(put_header(k.w), 0);
	put_symbols(&k, &ids);
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	for (uint64_t i = 0; i < NFRAMES; i++) {
		put_frame(&k, &ids, START + i * SECOND, seldom);
		CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	}
	totals.samples = ids.samples;
	totals.symbols = ids.symbol;
	totals.stacks = ids.stack;
	totals.tasks = ids.task;
	CU_ASSERT_EQUAL(trace_writer_finish(k.w, &totals), 0);
	trace_writer_free(k.w);
	b = contents(fd);
	close(fd);
	return b;
}

/* ---- reading a part ---------------------------------------------------------------------- */

static void see_names(struct part_kept *p, const struct trace_record *rec)
{
	struct trace_column ids = trace_record_column(rec, TRACE_NETDEV_STATS_ID);
	uint64_t id;

	if (rec->type == TRACE_NETDEV)
		p->dangling |= trace_record_uint(rec, TRACE_NETDEV_ID, 0) != ++p->netdevs;
	p->zones += rec->type == TRACE_ENERGY_ZONE;
	while (rec->type == TRACE_NETDEV_STATS && trace_column_uint(&ids, &id))
		p->dangling |= id > p->netdevs;
	if (rec->type == TRACE_ENERGY)
		p->dangling |= trace_record_column(rec, TRACE_ENERGY_RAW).n > p->zones;
	p->programs += rec->type == TRACE_PROGRAM;
	if (rec->type == TRACE_PROGRAM_STATS)
		p->dangling |= trace_record_column(rec, TRACE_PROGRAM_STATS_RECURSION).n >
			       p->programs;
}

struct part_kept read_part(int fd, struct span s, bool recover)
{
	struct part_kept p = { 0 };
	FILE *f = open_memstream(&p.text, &p.len);
	FILE *all = open_memstream(&p.of_all, &p.of_all_len);
	struct trace_reader *r;
	struct trace_record rec;

	CU_ASSERT_FATAL(f && all && !trace_reader_new(&r, fd));
	trace_reader_set_window(r, s.from_ns, s.to_ns);
	trace_reader_set_recover(r, recover);
	while ((p.err = trace_reader_next(r, &rec)) > 0) {
		static const bool no_name[UINT8_MAX + 1] = { [TRACE_INDEX] = true,
							     [TRACE_MARK] = true,
							     [TRACE_NETDEV] = true,
							     [TRACE_ENERGY_ZONE] = true,
							     [TRACE_PROGRAM] = true };

		print_record(f, &rec);
		see_names(&p, &rec);
		if (trace_type_desc(rec.type)->of == TRACE_WHOLE && !no_name[rec.type])
			print_record(all, &rec);
	}
	CU_ASSERT_EQUAL(trace_reader_next(r, &rec), p.err);
	p.st = *trace_reader_status(r);
	trace_reader_free(r);
	fclose(f);
	fclose(all);
	return p;
}

struct part_kept read_file(const struct bytes *b, struct span s)
{
	int fd = file_of(b->p, b->n);
	struct part_kept p = read_part(fd, s, false);

	close(fd);
	return p;
}

struct part_kept read_pipe(const struct bytes *b, struct span s)
{
	struct part_kept p;
	int fd[2];

	CU_ASSERT_FATAL(!pipe(fd) && fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) >= (int)b->n);
	CU_ASSERT_EQUAL(write(fd[1], b->p, b->n), (ssize_t)b->n);
	close(fd[1]);
	p = read_part(fd[0], s, false);
	close(fd[0]);
	return p;
}

void free_part(struct part_kept *p)
{
	free(p->text);
	free(p->of_all);
}

bool same_part(const struct part_kept *a, const struct part_kept *b)
{
	return a->err == b->err && a->len == b->len && !memcmp(a->text, b->text, a->len) &&
	       a->st.problem == b->st.problem && a->st.ended == b->st.ended &&
	       a->st.records == b->st.records && a->st.frames == b->st.frames &&
	       a->st.frames_skipped == b->st.frames_skipped && a->st.first_ns == b->st.first_ns &&
	       a->st.last_ns == b->st.last_ns;
}

struct span random_span(void)
{
	uint64_t from = START + rnd(NFRAMES * SECOND);
	static const uint64_t lengths[] = { 0, 1000, SECOND, 5 * SECOND, NFRAMES * SECOND };

	return (struct span){ from, from + rnd(lengths[rnd(ARRAY_SIZE(lengths))] + 1) };
}
