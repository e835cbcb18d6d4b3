// SPDX-License-Identifier: BSD-2-Clause
/* Reads perf's rings. */
#include "sampler_impl.h"

#include <errno.h>
#include <string.h>

#include <netcost/trace.h>

/*
 * PERF_RECORD_SAMPLE with TID and TIME. The next field is CALLCHAIN or, from a program, RAW. CALLCHAIN is a count, and
 * that many addresses. RAW is a size in bytes (32 bits), addresses, and padding to a multiple of 8 bytes. The last
 * field is the cgroup, if sampler_cgroups().
 */
struct sample_record {
	struct perf_event_header header;
	uint32_t tgid, tid;
	uint64_t time_ns, body[];
};

struct comm_record {
	struct perf_event_header header;
	uint32_t tgid, tid;
	char comm[];
};

struct exit_record {
	struct perf_event_header header;
	uint32_t tgid, parent_tgid, tid, parent_tid;
};

struct cgroup_record {
	struct perf_event_header header;
	uint64_t id;
	char path[];
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

/*
 * Samples gathered for the sink, and a copy of the addresses of one sample whose chain cannot be used directly in the
 * ring.
 */
struct gathered {
	struct sample sample[SAMPLER_AT_ONCE];
	size_t n;
	uint64_t ips[TRACE_MAX_STACK];
	bool full; /* the last sample uses ips, or the sampler's copy of a record */
};

static int give(struct gathered *g, const struct sampler_sink *sink)
{
	int err = g->n ? sink->samples(sink->ctx, g->sample, g->n) : 0;

	g->n = 0;
	g->full = false;
	return err;
}

static bool is_marker(uint64_t ip)
{
	return ip >= (uint64_t)PERF_CONTEXT_MAX; /* PERF_CONTEXT_KERNEL … */
}

/* Splits a stack into its part in the kernel, and the part in user space that called it. */
static void split_stack(struct sample *s, size_t nkernel)
{
	s->user_ips = s->ips + nkernel;
	s->nuser_ips = s->nips - nkernel;
	s->nips = nkernel;
}

/* Returns true if the addresses can be used in place: a kernel chain has exactly one marker, at the beginning. */
static bool is_plain(const uint64_t *chain, uint64_t n)
{
	bool inside = false;

	if (n < 2 || n > TRACE_MAX_STACK || !is_marker(*chain))
		return false;
	for (uint64_t k = 1; k < n; k++)
		inside |= is_marker(chain[k]);
	return !inside;
}

/* Takes the addresses of a chain. Returns the end of the chain. */
static const uint64_t *take_chain(struct gathered *g, struct sample *s, const uint64_t *body)
{
	uint64_t n = *body++;
	size_t nkernel = SIZE_MAX;

	if (is_plain(body, n)) {
		s->ips = body + 1;
		s->nips = n - 1;
		split_stack(s, *body == (uint64_t)PERF_CONTEXT_USER ? 0 : s->nips);
		return body + n;
	}
	for (uint64_t k = 0; k < n && s->nips < TRACE_MAX_STACK; k++)
		if (!is_marker(body[k]))
			g->ips[s->nips++] = body[k];
		else if (body[k] == (uint64_t)PERF_CONTEXT_USER && nkernel == SIZE_MAX)
			nkernel = s->nips;
	s->ips = g->ips;
	split_stack(s, nkernel < s->nips ? nkernel : s->nips);
	g->full = n > 0;
	return body + n;
}

static const uint64_t *take_raw(struct gathered *g, struct sample *s, const uint64_t *body)
{
	const uint8_t *data = (const uint8_t *)body;
	uint32_t size;

	memcpy(&size, data, sizeof(size));
	s->nips = size / sizeof(*g->ips) < TRACE_MAX_STACK ? size / sizeof(*g->ips) :
							     TRACE_MAX_STACK;
	/* copied, because the addresses are unaligned */
	memcpy(g->ips, data + sizeof(size), s->nips * sizeof(*g->ips));
	s->ips = g->ips;
	g->full = true;
	return body + (sizeof(size) + size) / sizeof(*body);
}

static int on_sample(struct sampler *sampler, const struct sampler_sink *sink, unsigned int i,
		     const struct sample_record *rec, struct gathered *g)
{
	unsigned int mode = rec->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct sample *s = &g->sample[g->n++];
	const uint64_t *rest;

	*s = (struct sample){
		.i = i,
		.time_ns = rec->time_ns,
		.tgid = rec->tgid,
		.tid = rec->tid,
		.user = mode != PERF_RECORD_MISC_KERNEL,
	};
	rest = (sampler->bpf ? take_raw : take_chain)(g, s, rec->body);
	s->cut = !s->user && (s->nips >= sampler->stack_limit || !s->nips);
	if (sampler_cgroups(sampler))
		s->cgroup = *rest;
	sampler->ring[i].sampled_ns = rec->time_ns;
	g->full |= (const uint8_t *)rec == sampler->copy;
	return g->full || g->n == SAMPLER_AT_ONCE ? give(g, sink) : 0;
}

static int on_other(struct ring *r, const struct sampler_sink *sink,
		    const struct perf_event_header *h)
{
	switch (h->type) {
	case PERF_RECORD_LOST:
		r->lost_records += ((const struct lost_record *)h)->lost;
		return 0;
	case PERF_RECORD_THROTTLE:
		r->throttled++;
		return 0;
	case PERF_RECORD_COMM: {
		const struct comm_record *c = (const struct comm_record *)h;

		sink->renamed(sink->ctx, c->tgid, c->tid, c->comm);
		return 0;
	}
	case PERF_RECORD_EXIT:
		sink->exited(sink->ctx, ((const struct exit_record *)h)->tid);
		return 0;
	case PERF_RECORD_CGROUP: {
		const struct cgroup_record *c = (const struct cgroup_record *)h;

		sink->cgroup_made(sink->ctx, c->id, c->path);
		return 0;
	}
	default:
		return 0;
	}
}

static int on_record(struct sampler *s, unsigned int i, const struct sampler_sink *sink,
		     const struct perf_event_header *h, struct gathered *g)
{
	int err;

	if (h->type == PERF_RECORD_SAMPLE)
		return on_sample(s, sink, i, (const struct sample_record *)h, g);
	err = give(g, sink); /* samples go first, to keep the order of records */
	return err ? err : on_other(&s->ring[i], sink, h);
}

/* Returns a record in contiguous memory. A record that wraps around the ring's end is copied to s->copy. */
static const struct perf_event_header *record_at(struct sampler *s, struct ring *r, uint64_t pos)
{
	size_t at = pos & (RING_BYTES - 1), first = RING_BYTES - at;
	const struct perf_event_header *h = (const struct perf_event_header *)(r->data + at);

	if (h->size <= first) /* sizes are multiples of 8, so the header itself never wraps */
		return h;
	memcpy(s->copy, h, first);
	memcpy(s->copy + first, r->data, h->size - first);
	return (const struct perf_event_header *)s->copy;
}

int ring_drain(struct sampler *s, unsigned int i, const struct sampler_sink *sink)
{
	struct ring *r = &s->ring[i];
	struct gathered g;
	uint64_t head, tail;
	int err = 0;

	if (!r->page)
		return 0;
	g.n = 0;
	g.full = false;
	head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	tail = r->page->data_tail;
	r->full |= head - tail > RING_BYTES - MAX_RECORD;

	while (tail < head && !err) {
		const struct perf_event_header *h = record_at(s, r, tail);
		uint16_t size = h->size;

		if (size < sizeof(*h))
			return -EBADMSG; /* never happens */
		err = on_record(s, i, sink, h, &g);
		tail += size;
	}
	if (!err)
		err = give(&g, sink);
	__atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
	return err;
}
