// SPDX-License-Identifier: BSD-2-Clause
#include "latency_tail.h"

#include <stdio.h>
#include <string.h>

#include <linux/types.h> /* the programs' __u64 */

#include <netcost/trace.h>

#include "bpf/path.h"
#include "bpf/tail.h"

/* Copies an exemplar. Returns false if a program is writing the exemplar, or if it belongs to another tick. */
static bool take(const struct netcost_exemplar *now, uint64_t done, struct netcost_exemplar *x)
{
	if (__atomic_load_n(&now->busy, __ATOMIC_ACQUIRE) || now->tick != done)
		return false;
	memcpy(x, now, sizeof(*x));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return !__atomic_load_n(&now->busy, __ATOMIC_RELAXED) && now->tick == done &&
	       now->to_ns == x->to_ns;
}

/* Stores the name of the exemplar's task. The kernel's names may be any bytes. */
static void name_of(const struct netcost_exemplar *x, char name[17])
{
	snprintf(name, 17, "%.16s", (const char *)x->name);
}

static void write_shares(const struct tail_share *share, size_t n, struct trace_writer *w)
{
	uint64_t what[TAIL_SHARES], reader[TAIL_SHARES], number[TAIL_SHARES], ns[TAIL_SHARES];
	const char *name[TAIL_SHARES];

	for (size_t i = 0; i < n; i++) {
		what[i] = share[i].what;
		reader[i] = share[i].reader;
		number[i] = share[i].number;
		name[i] = share[i].name;
		ns[i] = share[i].ns;
	}
	trace_writer_uints(w, TRACE_LATENCY_TAIL_WHAT, what, n);
	trace_writer_uints(w, TRACE_LATENCY_TAIL_READER, reader, n);
	trace_writer_uints(w, TRACE_LATENCY_TAIL_NUMBER, number, n);
	trace_writer_strs(w, TRACE_LATENCY_TAIL_NAME, name, n);
	trace_writer_uints(w, TRACE_LATENCY_TAIL_TOOK_NS, ns, n);
}

/* Returns true if the hook is a receive hook other than the first. */
static bool has_earlier(enum netcost_latency hook)
{
	return hook != NETCOST_LATENCY_RECEIVE && hook != NETCOST_LATENCY_QDISC &&
	       hook != NETCOST_LATENCY_DRIVER && hook != NETCOST_LATENCY_COMPLETION;
}

/* Writes the earlier checkpoints that are known. */
static void write_way(const struct netcost_exemplar *x, struct trace_writer *w)
{
	uint64_t hook[NETCOST_TAIL_SENT], ns[NETCOST_TAIL_SENT];
	size_t n = 0;

	for (size_t i = 0; i < NETCOST_TAIL_SENT; i++) {
		if (!x->passed_ns[i])
			continue;
		hook[n] = x->passed_hook[i];
		ns[n++] = x->passed_ns[i] - x->from_ns;
	}
	trace_writer_uints(w, TRACE_LATENCY_TAIL_PASSED_HOOK, hook, n);
	trace_writer_uints(w, TRACE_LATENCY_TAIL_PASSED_NS, ns, n);
}

static int write_one(const struct netcost_exemplar *x, enum netcost_latency hook,
		     struct trace_writer *w)
{
	struct tail_share share[TAIL_SHARES];
	struct tail_spans spans;
	size_t n = tail_shares(x, hook, share, &spans);
	char of[17];

	trace_writer_begin(w, TRACE_LATENCY_TAIL);
	trace_writer_uint(w, TRACE_LATENCY_TAIL_HOOK, hook);
	trace_writer_uint(w, TRACE_LATENCY_TAIL_CPU, x->cpu);
	trace_writer_uint(w, TRACE_LATENCY_TAIL_END_NS, x->to_ns);
	trace_writer_uint(w, TRACE_LATENCY_TAIL_NS, x->to_ns - x->from_ns);
	write_shares(share, n, w);
	if (x->queued_ns) {
		trace_writer_uint(w, TRACE_LATENCY_TAIL_QUEUED_NS, x->queued_ns - x->from_ns);
		trace_writer_uint(w, TRACE_LATENCY_TAIL_QUEUED_CPU, x->queued_cpu);
	}
	if (x->task) {
		name_of(x, of);
		trace_writer_str(w, TRACE_LATENCY_TAIL_TASK, of);
	}
	trace_writer_uints(w, TRACE_LATENCY_TAIL_SPAN_SHARE, spans.share, spans.n);
	trace_writer_uints(w, TRACE_LATENCY_TAIL_SPAN_NS, spans.ns, spans.n);
	if (has_earlier(hook))
		write_way(x, w);
	if (x->before != NETCOST_NOT_COUNTED)
		trace_writer_uint(w, TRACE_LATENCY_TAIL_BEFORE, x->before);
	return trace_writer_end(w);
}

int latency_tail_write(const struct netcost_exemplar *now, enum netcost_latency hook, uint64_t done,
		       struct trace_writer *w)
{
	struct netcost_exemplar x;
	int err = 0;

	for (unsigned int slot = 0; now && slot < NETCOST_TAIL_SLOTS && !err; slot++)
		if (take(&now[netcost_exemplar(hook, done, slot)], done, &x))
			err = write_one(&x, hook, w);
	return err;
}
