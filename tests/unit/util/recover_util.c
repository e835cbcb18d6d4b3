// SPDX-License-Identifier: BSD-2-Clause
#include "recover_util.h"

/* ---- a trace with some records of every kind --------------------------------------------- */

static void put_ids(struct maker *k, uint64_t i)
{
	static const char *const names[] = { "caller", "callee" };
	uint64_t first = 2 * i - 1;

	maker_name(k, TRACE_MODULE, i, "module");
	maker_two_symbols(k, first, names, (uint64_t[]){ i, i - 1 }, (int64_t[]){ -5, 5 });
	/* The first stack of this frame has the first stack of the previous frame as its caller. */
	maker_stacks(k, first, U(i == 1 ? 1 : 2, 1), U(first, i == 1 ? 2 : first - 1));
	maker_task(k, i, 100 + i, 100, "task");
	maker_cgroup(k, i, "/cgroup");
	maker_name(k, TRACE_NETDEV, i, "eth0");
	trace_writer_begin(k->w, TRACE_ENERGY_ZONE);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_ID, i);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_PARENT, i - 1);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_WRAP, 1000);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	maker_name(k, TRACE_PROGRAM, i, "program");
}

static void put_counters(struct maker *k, uint64_t i)
{
	uint64_t at = 1000 * i;

	trace_writer_time(k->w, at);
	trace_writer_time(k->w, at + 100);
	trace_writer_begin(k->w, TRACE_TICK);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at);
	trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 1));
	trace_writer_uints(k->w, TRACE_TICK_EXACT_NS, U(at + 1, at + 2));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_EXACT);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, 1);
	trace_writer_uints(k->w, TRACE_EXACT_NS, U(10 * i, TRACE_NIL));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	maker_column(k, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, U((uint32_t)(i - 3), i));
	trace_writer_begin(k->w, TRACE_NETDEV_STATS);
	trace_writer_uints(k->w, TRACE_NETDEV_STATS_ID, (const uint64_t[]){ 1, 2, 3, 4 }, i);
	trace_writer_uints(k->w, TRACE_NETDEV_STATS_RX_BYTES, (const uint64_t[]){ i, i, i, i }, i);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_ENERGY);
	trace_writer_uints(k->w, TRACE_ENERGY_READ_NS, (const uint64_t[]){ at, at, at, at }, i);
	trace_writer_uints(k->w, TRACE_ENERGY_RAW, (const uint64_t[]){ 900, 5, 6, 7 }, i);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_PROGRAM_STATS);
	trace_writer_uints(k->w, TRACE_PROGRAM_STATS_RECURSION, (const uint64_t[]){ i, i, i, i },
			   i);
	trace_writer_uint(k->w, TRACE_PROGRAM_STATS_COUNTED_NS, 10 * i);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

/* Writes IRQ_STATS of the interface that this frame defines, and of the first frame's interface. */
static void put_interrupts(struct maker *k, uint64_t i)
{
	for (uint64_t id = i; id; id = id > 1 ? 1 : 0) {
		trace_writer_begin(k->w, TRACE_IRQ_STATS);
		trace_writer_uint(k->w, TRACE_IRQ_STATS_NETDEV, id);
		trace_writer_uints(k->w, TRACE_IRQ_STATS_INTERRUPTS, U(5 * i, i));
		CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	}
}

static void put_samples(struct maker *k, uint64_t i)
{
	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, 0);
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, 1000 * i);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, 1);
	trace_writer_uint(k->w, TRACE_SAMPLES_STEP, 10);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, I(-1, 0, 1, 0));
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, U(0, 1, 2 * i - 1, 2 * i));
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, U(0, 1, i, i));
	trace_writer_uints(k->w, TRACE_SAMPLES_CGROUP, U(0, 1, i, i));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

struct bytes rich_trace(void)
{
	static const struct trace_totals totals = {
		.samples = 16, .symbols = 8, .stacks = 8, .tasks = 4, .at_ns = 5000, .why = "over"
	};
	struct maker k = maker_new();
	struct bytes b;

	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	for (uint64_t i = 1; i <= 4; i++) {
		trace_writer_lost(k.w, 0, i);
		put_ids(&k, i);
		put_counters(&k, i);
		put_interrupts(&k, i);
		put_samples(&k, i);
		CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	}
	CU_ASSERT_EQUAL(trace_writer_finish(k.w, &totals), 0);
	trace_writer_free(k.w);
	b = contents(fileno(k.file));
	fclose(k.file);
	return b;
}

/* ---- checks of a file -------------------------------------------------------------------- */

struct recovered recover(int in)
{
	struct recovered out = { .fd = empty_file() };
	const struct copy_options as_it_is = { 0 };
	struct trace_reader *r;

	lseek(in, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, in), 0);
	trace_reader_set_recover(r, true);
	out.err = copy_trace(r, out.fd, &as_it_is, &out.result);
	out.st = *trace_reader_status(r);
	trace_reader_free(r);
	return out;
}

struct recovered recover_well(int in, const char *how, size_t at)
{
	struct recovered out = recover(in);
	char what[400] = "";
	bool good = out.err || verified(out.fd, what, sizeof(what));

	CU_ASSERT(good);
	if (!good)
		printf("  %s %zu: %s\n", how, at, what);
	if (out.err)
		CU_ASSERT(out.err == -EBADMSG || out.err == -EMEDIUMTYPE ||
			  out.err == -EPROTONOSUPPORT);
	return out;
}

int model_err(int fd, struct model **m)
{
	struct trace_reader *r;
	int err;

	lseek(fd, 0, SEEK_SET);
	*m = model_new(MODEL_TASKS | MODEL_CGROUPS | MODEL_CPU_STACKS, NULL);
	CU_ASSERT_FATAL(*m && !trace_reader_new(&r, fd));
	trace_reader_set_recover(r, true);
	err = model_read(*m, r);
	trace_reader_free(r);
	return err;
}
