// SPDX-License-Identifier: BSD-2-Clause
/* Tests traces that are damaged on purpose: hostile ids and hostile bytes. */
#include "unit.h"

#include "recover_util.h"

/* ---- hostile ids ------------------------------------------------------------------------- */

/* Records after a missing frame: symbols with ids from `symbol` on, stacks with ids from `stack` on, and a sample of
 * the stack `sample`. */
static const struct hostile {
	const char *name;
	uint64_t symbol, stack, up, of, sample;
	bool gap;
	uint64_t broken;	  /* records that break a rule */
	uint64_t symbols, stacks; /* records that remain */
} hostile[] = {
	{ "as if nothing were lost", 3, 3, 1, 3, 3, true, 0, 3, 3 },
	{ "ids skipped", 9, 9, 9, 9, 9, true, 0, 3, 3 },
	{ "caller lost", 3, 9, 2, 3, 9, true, 0, 4, 4 },
	{ "function lost", 9, 3, 1, 5, 3, true, 0, 4, 3 },
	{ "stack lost", 9, 9, 1, 9, 5, true, 0, 4, 4 },
	{ "the last ids", TRACE_MAX_ID - 1, TRACE_MAX_ID - 1, TRACE_MAX_ID - 1, TRACE_MAX_ID - 1,
	  TRACE_MAX_ID - 1, true, 0, 3, 3 },
	{ "beyond the last id", TRACE_MAX_ID, TRACE_MAX_ID, 1, 1, 1, true, 2, 2, 2 },
	{ "far beyond", INT64_MAX, INT64_MAX, 1, 1, 1, true, 2, 2, 2 },
	{ "defined again", 2, 1, 1, 1, 1, true, 2, 2, 2 },
	{ "id 0", 0, 0, 1, 1, 1, true, 2, 2, 2 },
	{ "no such caller", 3, 3, 4, 3, 3, true, 1, 4, 3 },
	{ "sample of what comes later", 3, 3, 1, 3, 4, true, 1, 3, 3 },
	{ "function that comes later", 3, 3, 1, 4, 1, true, 1, 3, 2 },
	{ "sample of no id", 3, 3, 1, 3, TRACE_NIL, true, 1, 3, 3 },
	{ "no gap", 3, 3, 1, 3, 3, false, 0, 3, 3 },
	{ "ids skipped without a gap", 4, 4, 1, 1, 1, false, 2, 2, 2 },
	{ "sample of an id without a gap", 3, 3, 1, 3, 4, false, 1, 3, 3 },
};

/* Writes a file with the magic and `frames` frames, but without the frames between `last` and `next`. Frees the
 * maker. */
static int without(struct maker *k, size_t frames, size_t last, size_t next)
{
	struct extent e[MAX_FRAMES];
	struct bytes b = contents(fileno(k->file)), part = { 0 };
	int fd;

	CU_ASSERT_EQUAL(split_frames(&b, e), frames);
	add_bytes(&part, b.p, e[last].end);
	add_bytes(&part, b.p + e[next].start, b.n - e[next].start);
	fd = file_of(part.p, part.n);
	trace_writer_free(k->w);
	fclose(k->file);
	free_bytes(&b);
	free_bytes(&part);
	return fd;
}

static int hostile_trace(const struct hostile *h)
{
	struct maker k = maker_new();

	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	maker_symbols(&k, 1, (const char *const[]){ "a", "b" }, 2);
	maker_stacks(&k, 1, U(1, 1), U(1, 2));
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	CU_ASSERT_EQUAL(put_mark(k.w, 5, "to be lost"), 0);
	if (h->gap)
		CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	maker_symbols(&k, h->symbol, (const char *const[]){ "c" }, 1);
	maker_stacks(&k, h->stack, U(h->up), U(h->of));
	trace_writer_begin(k.w, TRACE_SAMPLES);
	for (unsigned int key = TRACE_SAMPLES_CPU; key <= TRACE_SAMPLES_STEP; key++)
		trace_writer_uint(k.w, key, 1);
	trace_writer_ints(k.w, TRACE_SAMPLES_DT, I(0));
	trace_writer_uints(k.w, TRACE_SAMPLES_STACK, U(h->sample));
	trace_writer_uints(k.w, TRACE_SAMPLES_TASK, U(0));
	CU_ASSERT_EQUAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	return without(&k, h->gap ? 5 : 4, 2, h->gap ? 4 : 3);
}

static void test_hostile_ids(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(hostile); i++) {
		const struct hostile *h = &hostile[i];
		int fd = hostile_trace(h), err;
		struct recovered out = recover_well(fd, "hostile", i);
		struct model *m, *mended;
		bool right;

		err = model_err(fd, &m);
		CU_ASSERT_EQUAL(model_err(out.fd, &mended), 0);
		right = !out.err && out.result.broken == h->broken &&
			err == (h->broken ? -EBADMSG : 0) && mended->nsymbols == h->symbols &&
			mended->nstacks == h->stacks && out.st.damages == h->gap &&
			out.st.frames_missing == h->gap;
		CU_ASSERT(right);
		if (!right)
			printf("  %s: %d, %llu broken: %s; %u symbols, %u stacks; report: %d, %s\n",
			       h->name, out.err, (unsigned long long)out.result.broken,
			       out.result.first_broken, mended->nsymbols, mended->nstacks, err,
			       m->err);
		model_free(m);
		model_free(mended);
		close(out.fd);
		close(fd);
	}
}

/* ---- hostile bytes: time and memory in proportion to the file ------------------------------ */

static void test_beginnings_of_frames(void)
{
	/* A complete header and blocks that lead beyond the next header. They are repeated to the end of the file. */
	static const char begin[] = "\x28\xb5\x2f\xfd\xe4\0\0\x80\0\0\0\0\0";
	static const char chain[] = "\x68\0\0\x28\xb5\x2f\xfd\xe4\0\0\x80\0\0\0\0\0";
	/* 8 MiB of one byte in 64 blocks, with a wrong checksum. */
	struct bytes kinds[2] = { { 0 } }, bomb = { 0 };

	for (int i = 0; i < 64; i++)
		add_bytes(&bomb, i < 63 ? "\x02\0\x10z" : "\x03\0\x10z", 4);
	for (int kind = 0; kind < 2; kind++) {
		add_start(&kinds[kind]);
		add_bytes(&kinds[kind], begin, sizeof(begin) - 1);
		while (kinds[kind].n < 256u << 10) {
			add_bytes(&kinds[kind], BYTES(chain));
			if (kind)
				add_bytes(&kinds[kind], BYTES(begin));
			if (kind)
				add_bytes(&kinds[kind], bomb.p, bomb.n);
		}
	}
	for (int kind = 0; kind < 2; kind++) {
		int fd = file_of(kinds[kind].p, kinds[kind].n);
		struct recovered out = recover_well(fd, "kind", (size_t)kind);

		CU_ASSERT_EQUAL(out.err, 0);
		CU_ASSERT_EQUAL(out.st.frames, 1);
		CU_ASSERT_NOT_EQUAL(out.st.problem, TRACE_OK);
		close(out.fd);
		close(fd);
		free_bytes(&kinds[kind]);
	}
	free_bytes(&bomb);
}

/* Tests garbage before HEADER, between frames and after END, and a trace after another trace. */
static void test_garbage(void)
{
	struct bytes b = rich_trace(), noisy = { 0 };
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	struct recovered out;
	int fd;

	for (size_t i = 0; i < n; i++) {
		add_bytes(&noisy, "\x28\xb5\x2f\xfdgarbage\x28\xb5\x2f", 14);
		add_bytes(&noisy, b.p + e[i].start, e[i].end - e[i].start);
	}
	add_bytes(&noisy, b.p, b.n);
	fd = file_of(noisy.p, noisy.n);
	out = recover_well(fd, "garbage", 0);
	CU_ASSERT_EQUAL(out.err, 0);
	CU_ASSERT_EQUAL(out.st.frames, FRAMES);
	CU_ASSERT_EQUAL(out.st.frames_missing, 0);
	CU_ASSERT_EQUAL(out.result.samples, 16);
	CU_ASSERT_TRUE(out.st.ended);
	close(out.fd);
	close(fd);
	free_bytes(&noisy);
	free_bytes(&b);
}

static const struct unit_test tests[] = {
	{ "hostile_ids", test_hostile_ids },
	{ "beginnings_of_frames", test_beginnings_of_frames },
	{ "garbage", test_garbage },
};

int main(void)
{
	return unit_main("recover_hostile", tests, ARRAY_SIZE(tests));
}
