// SPDX-License-Identifier: BSD-2-Clause
#include "latency_tail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>
#include <linux/types.h> /* the programs' __u64 */

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "bpf/path.h"
#include "bpf/tail.h"
#include "record/kernel/btf_names.h"
#include "source.h"

/* Of all of them, or it is not known what a CPU did. */
static const char *const tracepoints[] = {
	"sched_switch",	     "sched_waking",	 "softirq_entry",	 "softirq_exit",
	"irq_handler_entry", "irq_handler_exit", "hrtimer_expire_entry", "cpu_idle",
};

#define TRACEPOINTS (sizeof(tracepoints) / sizeof(tracepoints[0]))
_Static_assert(TRACEPOINTS <= SOURCE_HOOKS, "a point has room for all");

/* ---- programs and maps ------------------------------------------------------------------- */

void latency_tail_choose(struct latency_tail *t, const struct btf_names *kernel)
{
	t->on = t->asked && !t->off;
	for (size_t i = 0; i < TRACEPOINTS && t->on; i++) {
		char type[96];

		snprintf(type, sizeof(type), "btf_trace_%s", tracepoints[i]);
		if (btf_names_typedef(kernel, type))
			continue;
		t->missing = tracepoints[i];
		t->on = false;
	}
}

bool latency_tail_wants(const struct latency_tail *t, const char *name)
{
	for (size_t i = 0; i < TRACEPOINTS; i++)
		if (t->on && !strcmp(tracepoints[i], name))
			return true;
	return false;
}

static int resize(const struct bpf_object *obj, const char *name, unsigned int n)
{
	struct bpf_map *map = bpf_object__find_map_by_name(obj, name);

	return map ? bpf_map__set_max_entries(map, n) : -ENOENT;
}

int latency_tail_size(const struct latency_tail *t, const struct bpf_object *obj,
		      unsigned int ncpus)
{
	int err = 0;

	if (!t->on)
		return 0;
	err = resize(obj, "tail_edges", ncpus);
	if (!err)
		err = resize(obj, "tail_runnable", NETCOST_RUNNABLES);
	if (!err)
		err = resize(obj, "tail_exemplars", NETCOST_EXEMPLARS);
	return err;
}

int latency_tail_map(struct latency_tail *t, const struct bpf_object *obj)
{
	void *p;

	if (!t->on)
		return 0;
	p = mmap(NULL, NETCOST_EXEMPLARS * sizeof(*t->now), PROT_READ, MAP_SHARED,
		 bpf_object__find_map_fd_by_name(obj, "tail_exemplars"), 0);
	if (p == MAP_FAILED)
		return -errno;
	t->now = p;
	return 0;
}

void latency_tail_unmap(struct latency_tail *t)
{
	if (t->now)
		munmap((void *)(uintptr_t)t->now, NETCOST_EXEMPLARS * sizeof(*t->now));
	t->now = NULL;
}

/* ---- how it is measured ------------------------------------------------------------------ */

void latency_tail_say(const struct latency_tail *t, struct source_point *said)
{
	*said = (struct source_point){ .of = NETCOST_OF_TAIL,
				       .name = "tail",
				       .method = t->on ? "tracepoint" : "off" };
	for (; t->on && said->n < TRACEPOINTS; said->n++)
		said->hook[said->n] = tracepoints[said->n];
	if (t->missing)
		snprintf(said->why, sizeof(said->why), reason_no_tracepoint, t->missing);
	else if (!t->on)
		snprintf(said->why, sizeof(said->why), reason_not_loaded, t->off);
}

/* ---- records ----------------------------------------------------------------------------- */

/* A program may be writing it just now, or may have had another tick: then it is none. */
static bool take(const struct netcost_exemplar *now, uint64_t done, struct netcost_exemplar *x)
{
	if (__atomic_load_n(&now->busy, __ATOMIC_ACQUIRE) || now->tick != done)
		return false;
	memcpy(x, now, sizeof(*x));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return !__atomic_load_n(&now->busy, __ATOMIC_RELAXED) && now->tick == done &&
	       now->to_ns == x->to_ns;
}

/* The kernel's own names are any bytes. */
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

/* Of the way in, and not its first hook. */
static bool has_earlier(enum netcost_latency hook)
{
	return hook != NETCOST_LATENCY_RECEIVE && hook != NETCOST_LATENCY_QDISC &&
	       hook != NETCOST_LATENCY_DRIVER && hook != NETCOST_LATENCY_COMPLETION;
}

/* Where it was before, as far as that is known. */
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

int latency_tail_write(const struct latency_tail *t, enum netcost_latency hook, uint64_t done,
		       struct trace_writer *w)
{
	struct netcost_exemplar x;
	int err = 0;

	for (unsigned int slot = 0; t->on && slot < NETCOST_TAIL_SLOTS && !err; slot++)
		if (take(&t->now[netcost_exemplar(hook, done, slot)], done, &x))
			err = write_one(&x, hook, w);
	return err;
}
