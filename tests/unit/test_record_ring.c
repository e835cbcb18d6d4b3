// SPDX-License-Identifier: BSD-2-Clause
/* Tests sampler_ring.c: records of perf's ring as the kernel writes them, with and without a BPF program. */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record_util.h"
#include "record/sample/sampler_impl.h"

#define MOST 4096 /* maximum size of a record in this test, bytes */

struct seen {
	unsigned int samples, wrong, renamed, exited, made, most;
	uint64_t next; /* time of the next sample */
};

/* Returns the number of frames of a sample. It only depends on the sample's time. */
static size_t frames_of(uint64_t time)
{
	return time % 5 ? (time * 7) % 128 : 0;
}

static uint64_t ip_of(uint64_t time, size_t k)
{
	return 0xffffffff81000000ull + time * 1000 + k;
}

static void on_sample(struct seen *seen, const struct sample *s)
{
	uint64_t t = seen->next++;

	seen->samples++;
	seen->wrong += s->time_ns != t || s->i || s->tgid != 7 || s->tid != t + 1;
	seen->wrong += s->user != !frames_of(t) || s->nips != frames_of(t);
	seen->wrong += s->cgroup != (1ull << 40) + t;
	for (size_t k = 0; k < s->nips; k++)
		seen->wrong += s->ips[k] != ip_of(t, k);
}

static int on_samples(void *ctx, const struct sample *s, size_t n)
{
	struct seen *seen = ctx;

	seen->wrong += !n || n > SAMPLER_AT_ONCE;
	seen->most = n > seen->most ? (unsigned int)n : seen->most;
	while (n--)
		on_sample(seen, s++);
	return 0;
}

static void on_renamed(void *ctx, uint32_t tgid, uint32_t tid, const char *comm)
{
	((struct seen *)ctx)->renamed += tgid == 1 && tid == 2 && !strcmp(comm, "name");
}

static void on_exited(void *ctx, uint32_t tid)
{
	((struct seen *)ctx)->exited += tid == 4;
}

static void on_made(void *ctx, uint64_t cgroup, const char *path)
{
	((struct seen *)ctx)->made += cgroup == 99 && !strcmp(path, "/a/b");
}

static struct sampler *fake(bool bpf)
{
	struct sampler *s = calloc(1, sizeof(*s));

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	s->n = 1;
	/* the test only needs a pointer that is not NULL */
	s->bpf = bpf ? (struct sampler_bpf *)s : NULL;
	s->attr.sample_type = PERF_SAMPLE_CGROUP;
	s->ring = calloc(1, sizeof(*s->ring));
	s->ring->page = calloc(1, sizeof(*s->ring->page));
	s->ring->data = calloc(1, RING_BYTES);
	CU_ASSERT_FATAL(s->ring->page && s->ring->data);
	return s;
}

static void fake_free(struct sampler *s)
{
	free(s->ring->page);
	free(s->ring->data);
	free(s->ring);
	free(s);
}

/* Writes a record to the ring. The record wraps at the end of the ring, as in the kernel. */
static void put(struct sampler *s, uint32_t type, uint16_t misc, const void *body, size_t size)
{
	struct perf_event_header h = { type, misc, (uint16_t)(sizeof(h) + size) };
	uint64_t at = s->ring->page->data_head;
	uint8_t record[MOST];

	memcpy(record, &h, sizeof(h));
	memcpy(record + sizeof(h), body, size);
	for (size_t i = 0; i < h.size; i++)
		s->ring->data[(at + i) % RING_BYTES] = record[i];
	s->ring->page->data_head = at + h.size;
}

/* Writes a call chain with a marker before a non-empty chain; odd: without a marker, or with several markers
 * anywhere. */
static size_t put_chain(uint64_t *body, uint64_t time, bool odd)
{
	size_t n = frames_of(time), at = 1;

	if (n && (!odd || time % 3))
		body[at++] = (uint64_t)PERF_CONTEXT_KERNEL;
	for (size_t k = 0; k < n; k++) {
		if (odd && (k * time) % 17 == 5)
			body[at++] = (uint64_t)(k % 2 ? PERF_CONTEXT_GUEST : PERF_CONTEXT_MAX);
		body[at++] = ip_of(time, k);
	}
	if (odd && time % 7 == 0)
		body[at++] = (uint64_t)PERF_CONTEXT_USER;
	body[0] = at - 1;
	return at;
}

static size_t put_raw(uint64_t *body, uint64_t time)
{
	size_t n = frames_of(time);
	uint32_t size = (uint32_t)(8 * n + 4);

	memcpy(body, &size, sizeof(size));
	for (size_t k = 0; k < n; k++)
		memcpy((uint8_t *)body + 4 + 8 * k, &(uint64_t){ ip_of(time, k) }, 8);
	return n + 1;
}

static void put_sample(struct sampler *s, uint64_t time, bool odd)
{
	uint64_t body[160] = { (time + 1) << 32 | 7, time };
	size_t at = 2;

	at += s->bpf ? put_raw(body + at, time) : put_chain(body + at, time, odd);
	body[at++] = (1ull << 40) + time;
	put(s, PERF_RECORD_SAMPLE,
	    frames_of(time) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, body, 8 * at);
}

static void check_samples(bool bpf, bool odd)
{
	struct sampler *s = fake(bpf);
	struct seen seen = { 0 };
	const struct sampler_sink sink = { &seen, on_samples, on_renamed, on_exited, on_made };

	for (uint64_t t = 0; t < 10000;) { /* the ring wraps several times */
		for (int i = 0; i < 300; i++)
			put_sample(s, t++, odd);
		CU_ASSERT_EQUAL(ring_drain(s, 0, &sink), 0);
	}
	CU_ASSERT_EQUAL(seen.samples, seen.next);
	CU_ASSERT_EQUAL(seen.wrong, 0);
	CU_ASSERT(bpf || odd || seen.most == SAMPLER_AT_ONCE);
	CU_ASSERT_EQUAL(s->ring->page->data_tail, s->ring->page->data_head);
	fake_free(s);
}

static void test_chains(void)
{
	check_samples(false, false);
}

static void test_odd_chains(void)
{
	check_samples(false, true);
}

static void test_program(void)
{
	check_samples(true, false);
}

static void test_others(void)
{
	static const struct {
		uint32_t tgid, tid;
		char comm[8];
	} comm = { 1, 2, "name" };
	static const uint32_t gone[] = { 3, 3, 4, 4, 0, 0 };
	static const struct {
		uint64_t id;
		char path[8];
	} made = { 99, "/a/b" };
	static const uint64_t lost[] = { 1, 5 }, unknown[] = { 0, 0, 0 };
	struct sampler *s = fake(false);
	struct seen seen = { 0 };
	const struct sampler_sink sink = { &seen, on_samples, on_renamed, on_exited, on_made };

	put(s, PERF_RECORD_COMM, 0, &comm, sizeof(comm));
	put(s, PERF_RECORD_EXIT, 0, gone, sizeof(gone));
	put(s, PERF_RECORD_CGROUP, 0, &made, sizeof(made));
	put(s, PERF_RECORD_LOST, 0, lost, sizeof(lost));
	put(s, PERF_RECORD_THROTTLE, 0, unknown, sizeof(unknown));
	put(s, 999, 0, unknown, sizeof(unknown));
	CU_ASSERT_EQUAL(ring_drain(s, 0, &sink), 0);
	CU_ASSERT(seen.renamed == 1 && seen.exited == 1 && seen.made == 1);
	CU_ASSERT(s->ring->lost_records == 5 && s->ring->throttled == 1);
	CU_ASSERT_EQUAL(seen.samples, 0);
	CU_ASSERT_EQUAL(ring_drain(s, 0, &sink), 0); /* the ring has no new record */
	CU_ASSERT_EQUAL(seen.renamed, 1);
	fake_free(s);
}

/* Notes each call of the sink as one letter. */
static void tell(void *ctx, const char *what, size_t n)
{
	while (n--)
		strcat(ctx, what);
}

static int told_samples(void *ctx, const struct sample *s, size_t n)
{
	(void)s;
	tell(ctx, "s", n);
	return 0;
}

static void told_renamed(void *ctx, uint32_t tgid, uint32_t tid, const char *comm)
{
	(void)tgid;
	(void)tid;
	(void)comm;
	tell(ctx, "r", 1);
}

/* Tests that a sample is passed on after all earlier samples, and before its task's next name. */
static void test_order(void)
{
	static const struct {
		uint32_t tgid, tid;
		char comm[8];
	} comm = { 1, 2, "name" };
	struct sampler *s = fake(false);
	char told[64] = "";
	const struct sampler_sink sink = { told, told_samples, told_renamed, NULL, NULL };

	for (uint64_t t = 1; t <= 30; t++) {
		put_sample(s, t, false);
		if (t % 10 == 3)
			put(s, PERF_RECORD_COMM, 0, &comm, sizeof(comm));
	}
	CU_ASSERT_EQUAL(ring_drain(s, 0, &sink), 0);
	CU_ASSERT_STRING_EQUAL(told, "sssrssssssssssrssssssssssrsssssss");
	fake_free(s);
}

/* Tests a CPU that has no ring at the moment, and an invalid size, which would cause an endless loop. */
static void test_no_ring(void)
{
	struct sampler *s = fake(false);
	struct seen seen = { 0 };
	const struct sampler_sink sink = { &seen, on_samples, on_renamed, on_exited, on_made };
	struct perf_event_mmap_page *page = s->ring->page;

	page->data_head = 64;
	CU_ASSERT_EQUAL(ring_drain(s, 0, &sink), -EBADMSG);
	s->ring->page = NULL;
	CU_ASSERT_EQUAL(ring_drain(s, 0, &sink), 0);
	s->ring->page = page;
	fake_free(s);
}

static const struct unit_test tests[] = {
	{ "chains", test_chains }, { "odd_chains", test_odd_chains }, { "program", test_program },
	{ "order", test_order },   { "others", test_others },	      { "no_ring", test_no_ring },
};

int main(void)
{
	return unit_main("record_ring", tests, sizeof(tests) / sizeof(tests[0]));
}
