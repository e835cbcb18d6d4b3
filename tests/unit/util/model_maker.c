// SPDX-License-Identifier: BSD-2-Clause
#include "model_maker.h"

struct maker maker_new(void)
{
	struct maker k = { .file = tmpfile() };

	CU_ASSERT_FATAL(k.file && !trace_writer_new(&k.w, fileno(k.file), 2));
	trace_writer_begin(k.w, TRACE_HEADER);
	trace_writer_uint(k.w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(k.w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_uints(k.w, TRACE_HEADER_CPUS, U(0, 1));
	trace_writer_uint(k.w, TRACE_HEADER_SAMPLE_HZ, 1000);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k.w), 0);
	return k;
}

static void put_symbols(struct maker *k, uint64_t first, const char *const *name,
			const uint64_t *module, const int64_t *offset, size_t n)
{
	trace_writer_begin(k->w, TRACE_SYMBOLS);
	trace_writer_uint(k->w, TRACE_SYMBOLS_FIRST, first);
	trace_writer_strs(k->w, TRACE_SYMBOLS_NAME, name, n);
	trace_writer_uints(k->w, TRACE_SYMBOLS_MODULE, module, n);
	trace_writer_ints(k->w, TRACE_SYMBOLS_OFFSET, offset, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

void maker_symbols(struct maker *k, uint64_t first, const char *const *name, size_t n)
{
	uint64_t zero[64] = { 0 };
	int64_t offset[64] = { 0 };

	put_symbols(k, first, name, zero, offset, n);
}

void maker_two_symbols(struct maker *k, uint64_t first, const char *const name[2],
		       const uint64_t module[2], const int64_t offset[2])
{
	put_symbols(k, first, name, module, offset, 2);
}

void maker_stacks(struct maker *k, uint64_t first, const uint64_t *up, size_t nup,
		  const uint64_t *symbol, size_t nsymbol)
{
	trace_writer_begin(k->w, TRACE_STACKS);
	trace_writer_uint(k->w, TRACE_STACKS_FIRST, first);
	trace_writer_uints(k->w, TRACE_STACKS_UP, up, nup);
	trace_writer_uints(k->w, TRACE_STACKS_SYMBOL, symbol, nsymbol);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

void maker_task(struct maker *k, uint64_t id, uint64_t tid, uint64_t tgid, const char *comm)
{
	trace_writer_begin(k->w, TRACE_TASKS);
	trace_writer_uint(k->w, TRACE_TASKS_FIRST, id);
	trace_writer_uints(k->w, TRACE_TASKS_TID, &tid, 1);
	trace_writer_uints(k->w, TRACE_TASKS_TGID, &tgid, 1);
	trace_writer_strs(k->w, TRACE_TASKS_COMM, &comm, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

void maker_cgroup(struct maker *k, uint64_t id, const char *path)
{
	trace_writer_begin(k->w, TRACE_CGROUPS);
	trace_writer_uint(k->w, TRACE_CGROUPS_FIRST, id);
	trace_writer_strs(k->w, TRACE_CGROUPS_PATH, &path, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

void maker_samples(struct maker *k, uint64_t cpu, const uint64_t *stack, size_t n)
{
	uint64_t zero[64] = { 0 };
	int64_t dt[64] = { 0 };

	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, cpu);
	trace_writer_ints(k->w, TRACE_SAMPLES_DT, dt, n);
	trace_writer_uints(k->w, TRACE_SAMPLES_STACK, stack, n);
	trace_writer_uints(k->w, TRACE_SAMPLES_TASK, zero, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

void maker_tick(struct maker *k, uint64_t at_ns, const uint64_t *cpu, size_t n)
{
	trace_writer_begin(k->w, TRACE_TICK);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(k->w, TRACE_TICK_CPU, cpu, n);
	trace_writer_uints(k->w, TRACE_TICK_EXACT_NS, cpu, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

void maker_name(struct maker *k, enum trace_type type, uint64_t id, const char *name)
{
	trace_writer_begin(k->w, type);
	trace_writer_uint(k->w, 1, id);
	trace_writer_str(k->w, 2, name);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

void maker_column(struct maker *k, enum trace_type type, unsigned int key, const uint64_t *v,
		  size_t n)
{
	trace_writer_begin(k->w, type);
	trace_writer_uints(k->w, key, v, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

int maker_read(struct maker *k, struct model *m)
{
	struct trace_reader *r;
	int err;

	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k->w), 0);
	lseek(fileno(k->file), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(k->file)), 0);
	err = model_read(m, r);
	trace_reader_free(r);
	trace_writer_free(k->w);
	fclose(k->file);
	return err;
}
