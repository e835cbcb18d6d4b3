// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>	/* bpf_obj_get_info_by_fd */
#include <bpf/libbpf.h> /* bpf_link__fd, bpf_program__fd */

#include <netcost/array.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "attach.h"
#include "entry_cost.h"
#include "exact.h"
#include "probe_cost.h"
#include "record/base/clock.h"
#include "record/base/procfs.h"
#include "record/kernel/admin.h"
#include "record/source/others.h"
#include "record/source/source.h"

#define STATS_SYSCTL "/proc/sys/kernel/bpf_stats_enabled"

struct program {
	const struct bpf_program *prog;
	const char *function;
	bool kprobe;
	enum entry_kind kind;
	int group; /* group of probe classes; -1: the program is in no group */
	bool path; /* the program follows packets, or counts peers */

	uint64_t before_runs, before_ns;	  /* the kernel's counts at the last reading */
	uint64_t before_recursion, before_missed; /* the kernel's counts at the first reading */
	bool read;
};

struct programs {
	struct admin *admin;
	const struct exact *exact;   /* NULL: no programs are attached */
	const struct attach *attach; /* attached programs of `exact` */
	const struct entry_cost *entry;
	struct probe_costs *costs;
	const struct attached *attached; /* list of `attach` */
	size_t nattached;
	struct program *program;
	size_t n;
	uint64_t *runs, *run_ns, *recursion, *missed; /* columns of the record, in one allocation */

	bool always; /* the host has BPF statistics enabled */
	int refused; /* errno if BPF statistics cannot be enabled */
	int fd;	     /* open while the recorder has BPF statistics enabled; otherwise -1 */
	bool kprobes_missed_known; /* the kernel counts missed kprobes per link */
	bool news;		   /* the runs may have changed since the last write */
	uint64_t since_ns, counted_ns;
	/* cost in ns and runs of the programs that follow packets or count peers, while the statistics are on */
	double path_ns, path_runs;

	struct others *others; /* other BPF programs */
	bool others_known;     /* the statistics have been on since `others` was last read */
};

/* ---- attached programs ------------------------------------------------------------------- */

static struct program *find(struct programs *p, const struct bpf_program *prog)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->program[i].prog == prog)
			return &p->program[i];
	return NULL;
}

static void add(struct programs *p, const struct bpf_program *prog, const char *function, int group)
{
	p->program[p->n++] = (struct program){
		.prog = prog,
		.function = function,
		.kprobe = bpf_program__type(prog) == BPF_PROG_TYPE_KPROBE,
		.kind = entry_kind_of(prog),
		.group = group,
		.path = !strncmp(bpf_program__name(prog), "path_", strlen("path_")) ||
			!strncmp(bpf_program__name(prog), "peer_", strlen("peer_")),
	};
}

static int collect(struct programs *p, const struct programs_host *h)
{
	size_t most;

	if (p->attach)
		p->attached = attach_list(p->attach, &p->nattached);
	most = p->nattached + h->nothers;
	p->program = calloc(most, sizeof(*p->program));
	p->runs = calloc(4 * most, sizeof(*p->runs));
	if (!p->program || !p->runs)
		return -ENOMEM;
	p->run_ns = p->runs + most;
	p->recursion = p->run_ns + most;
	p->missed = p->recursion + most;
	for (size_t i = 0; i < p->nattached; i++) {
		const struct attached *a = &p->attached[i];
		struct program *g = find(p, a->prog);

		if (g)
			/* empty, because the program is attached to several functions */
			g->function = "";
		else
			add(p, a->prog, a->function,
			    probe_costs_group(h->ladder, bpf_program__name(a->prog)));
	}
	for (size_t i = 0; i < h->nothers; i++)
		if (h->other[i])
			add(p, h->other[i], "", -1);
	return 0;
}

/* Measures the entry cost of each kind of attachment in use. */
static void measure_entries(struct programs *p, const struct programs_host *h)
{
	unsigned int kinds = 1u << ENTRY_TRACEPOINT;

	for (size_t i = 0; i < p->n; i++)
		if (p->program[i].kind != ENTRY_NONE)
			kinds |= 1u << p->program[i].kind;
	for (enum entry_kind kind = 0; kind < ENTRY_KINDS; kind++)
		if (!isnan(h->entry->entry[kind]))
			kinds &= ~(1u << kind);
	entry_cost_measure(h->entry, kinds, h->bpf_fentry_test1);
}

/*
 * Information that the kernel reports about a kprobe link: struct bpf_link_info since Linux 6.7, which the build's
 * headers may lack. An older kernel fills in fewer fields, and returns their size.
 */
struct kprobe_link_info {
	uint32_t type, id, prog_id, hole;
	uint32_t perf_type, perf_hole;
	uint64_t func_name;
	uint32_t name_len, offset;
	uint64_t addr, missed;
};

static bool link_missed(const struct attached *a, uint64_t *missed)
{
	struct kprobe_link_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_link__fd(a->link), &info, &size) || size < sizeof(info))
		return false;
	*missed += info.missed;
	return true;
}

/*
 * Returns the misses of the program, summed over all its attach points. Returns TRACE_NIL if they are unknown or the
 * program has no kprobes.
 */
static uint64_t program_missed(const struct programs *p, const struct program *g)
{
	uint64_t missed = 0;

	if (!g->kprobe)
		return TRACE_NIL;
	if (!p->kprobes_missed_known) {
		bool end = !strcmp(bpf_program__name(g->prog), "kprobe_end");

		return end && !attach_kretprobes_missed(p->attach, &missed) ? missed : TRACE_NIL;
	}
	for (size_t i = 0; i < p->nattached; i++)
		if (p->attached[i].prog == g->prog && !link_missed(&p->attached[i], &missed))
			return TRACE_NIL;
	return missed;
}

static bool has_kprobes(const struct programs *p, bool *missed_known)
{
	uint64_t ignored;
	bool any = false;

	*missed_known = true;
	for (size_t i = 0; i < p->nattached; i++) {
		if (bpf_program__type(p->attached[i].prog) != BPF_PROG_TYPE_KPROBE)
			continue;
		any = true;
		*missed_known &= link_missed(&p->attached[i], &ignored);
	}
	return any;
}

/* ---- statistics on and off --------------------------------------------------------------- */

static bool always_on(void)
{
	return procfs_uint(STATS_SYSCTL, 0) == 1;
}

/*
 * Turns the statistics on, which takes the kernel a fraction of a millisecond. Half of this time is assumed to be
 * counted.
 */
static void turn_on(struct programs *p)
{
	uint64_t before = now_ns();

	p->fd = admin_stats(p->admin);
	p->refused = p->fd < 0 ? -p->fd : 0;
	p->since_ns = before + (now_ns() - before) / 2;
}

static void turn_off(struct programs *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	p->others_known &= p->always;
}

/* ---- creation and release ---------------------------------------------------------------- */

int programs_new(struct programs **pp, const struct programs_host *h)
{
	struct programs *p = calloc(1, sizeof(*p));
	int err;

	*pp = NULL;
	if (!p)
		return -ENOMEM;
	p->admin = h->admin;
	p->exact = h->exact;
	p->attach = h->exact ? exact_attached(h->exact) : NULL;
	p->entry = h->entry;
	p->costs = h->costs;
	p->fd = -1;
	err = collect(p, h);
	if (!err)
		err = others_new(&p->others, &others_kernel, p->admin);
	if (err) {
		programs_free(p);
		return err;
	}
	measure_entries(p, h);
	others_find(p->others);
	has_kprobes(p, &p->kprobes_missed_known);
	p->always = always_on();
	if (!p->always)
		/* tests whether the statistics can be enabled; the statistics then stay on for the first interval */
		turn_on(p);
	p->since_ns = 0; /* no statistics have been read yet */
	p->news = true;
	*pp = p;
	return 0;
}

void programs_free(struct programs *p)
{
	if (!p)
		return;
	turn_off(p);
	others_free(p->others);
	free(p->program);
	free(p->runs);
	free(p);
}

/* ---- functions of programs --------------------------------------------------------------- */

/* maximum number of functions of a program: its main function and its subprograms */
#define FUNCTIONS 64

static int add_functions(const struct program *g, uint64_t **start, size_t *room, size_t *n)
{
	uint64_t ksyms[FUNCTIONS];
	struct bpf_prog_info info = { .jited_ksyms = (uintptr_t)ksyms,
				      .nr_jited_ksyms = FUNCTIONS };
	__u32 size = sizeof(info);
	int err;

	if (bpf_obj_get_info_by_fd(bpf_program__fd(g->prog), &info, &size))
		return 0;
	err = array_reserve(start, room, *n + FUNCTIONS, sizeof(**start));
	for (size_t i = 0; !err && i < FUNCTIONS && i < info.nr_jited_ksyms; i++)
		if (ksyms[i]) /* 0: the address is hidden */
			(*start)[(*n)++] = ksyms[i];
	return err;
}

int programs_functions(const struct programs *p, uint64_t **start, size_t *n)
{
	size_t room = 0;
	int err = 0;

	*start = NULL;
	*n = 0;
	for (size_t i = 0; p && !err && i < p->n; i++)
		err = add_functions(&p->program[i], start, &room, n);
	if (err) {
		free(*start);
		*start = NULL;
		*n = 0;
	}
	return err;
}

static void stats_status(const struct programs *p, struct source_status *st)
{
	*st = (struct source_status){ .state = "measured" };
	st->via = p->always ? reason_stats_always : reason_stats_via;
	if (p->refused == EINVAL) {
		st->state = "absent";
		snprintf(st->why, sizeof(st->why), reason_stats_old);
	} else if (p->refused) {
		st->state = "refused";
		snprintf(st->why, sizeof(st->why), reason_stats_refused, p->refused);
	}
}

void programs_status(const struct programs *p, struct source_status *st)
{
	bool known;

	stats_status(p, st);
	if (!p->refused && has_kprobes(p, &known) && !known)
		snprintf(st->why, sizeof(st->why), reason_kprobes_unknown);
}

void programs_others_status(const struct programs *p, struct source_status *st)
{
	stats_status(p, st);
	if (!p->refused)
		others_status(p->others, st);
}

/* ---- records ----------------------------------------------------------------------------- */

static uint64_t ps(double ns)
{
	return (uint64_t)llround(ns * 1e3);
}

int programs_define(struct programs *p, struct trace_writer *w)
{
	int err = 0;

	for (size_t i = 0; i < p->n && !err; i++) {
		const struct program *g = &p->program[i];

		double entry = g->kind == ENTRY_NONE ? NAN : p->entry->entry[g->kind];
		bool known = !isnan(entry) && !isnan(p->entry->counted);

		trace_writer_begin(w, TRACE_PROGRAM);
		trace_writer_uint(w, TRACE_PROGRAM_ID, i + 1);
		trace_writer_str(w, TRACE_PROGRAM_NAME, bpf_program__name(g->prog));
		if (*g->function)
			trace_writer_str(w, TRACE_PROGRAM_FUNCTION, g->function);
		if (known) {
			trace_writer_uint(w, TRACE_PROGRAM_ENTRY_PS, ps(entry));
			trace_writer_uint(w, TRACE_PROGRAM_COUNTED_PS, ps(p->entry->counted));
			trace_writer_uint(w, TRACE_PROGRAM_STATISTICS_PS, ps(p->entry->statistics));
		}
		err = trace_writer_end(w);
	}
	p->news = true;
	return err ? err : others_again(p->others, w);
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now == TRACE_NIL || before == TRACE_NIL || now < before ? TRACE_NIL : now - before;
}

/*
 * Returns true if the kernel counts recursion of the program. size: number of bytes that the kernel filled in. Since
 * 6.7 the kernel counts recursion of kprobes, as misses. The kernel never counts recursion of the sampler's program.
 */
static bool counts_recursion(const struct programs *p, const struct program *g, uint32_t size)
{
	return size > offsetof(struct bpf_prog_info, recursion_misses) &&
	       bpf_program__type(g->prog) != BPF_PROG_TYPE_PERF_EVENT &&
	       (!g->kprobe || p->kprobes_missed_known);
}

/*
 * Returns the cost in ns of the given counted runs, without the cost of the statistics. Returns NaN if the cost is
 * unknown.
 */
static double cost_of(const struct programs *p, const struct program *g, uint64_t runs, uint64_t ns)
{
	double entry = g->kind == ENTRY_NONE ? NAN : p->entry->entry[g->kind];

	return runs ? (double)ns + (double)runs * (entry - p->entry->counted) : 0;
}

/*
 * Reads the statistics of a program. Counts only runs between two of the recorder's readings with the statistics on,
 * because other tools may enable the statistics, too.
 */
static void read_program(struct programs *p, size_t i, bool counted)
{
	struct program *g = &p->program[i];
	struct bpf_prog_info info = { 0 };
	__u32 size = sizeof(info);
	uint64_t missed = program_missed(p, g), recursion;

	if (bpf_obj_get_info_by_fd(bpf_program__fd(g->prog), &info, &size)) {
		p->recursion[i] = p->missed[i] = TRACE_NIL;
		return;
	}
	recursion = counts_recursion(p, g, size) ? info.recursion_misses : TRACE_NIL;
	if (counted && g->read) {
		uint64_t runs = info.run_cnt - g->before_runs, ns = info.run_time_ns - g->before_ns;

		p->runs[i] += runs;
		p->run_ns[i] += ns;
		if (g->group >= 0)
			probe_costs_add(p->costs, g->group, cost_of(p, g, runs, ns));
		if (g->path) {
			p->path_ns += cost_of(p, g, runs, ns);
			p->path_runs += (double)runs;
		}
	}
	if (!g->read) {
		g->before_recursion = recursion;
		g->before_missed = missed;
	}
	g->read = true;
	g->before_runs = info.run_cnt;
	g->before_ns = info.run_time_ns;
	p->recursion[i] = since(recursion, g->before_recursion);
	p->missed[i] = since(missed, g->before_missed);
}

/* Ends the interval since the last reading, and computes the cost of each class of probes. */
static void end_piece(struct programs *p, bool counted)
{
	uint64_t runs[NETCOST_PROBE_COUNT];

	if (!p->exact)
		return;
	exact_class_runs(p->exact, runs);
	probe_costs_end(p->costs, runs, counted);
}

double programs_path_ns(const struct programs *p)
{
	return p && p->path_runs > 0 ? p->path_ns / p->path_runs : NAN;
}

static void read_all(struct programs *p)
{
	bool was_always = p->always, counted;
	uint64_t now = now_ns();

	p->always = was_always && always_on();
	p->others_known &= p->always || p->fd >= 0;
	counted = p->since_ns && (p->always || p->fd >= 0);
	if (counted)
		p->counted_ns += now - p->since_ns;
	p->news |= counted;
	p->since_ns = now;
	for (size_t i = 0; i < p->n; i++)
		read_program(p, i, counted);
	end_piece(p, counted);
}

/* Reads the statistics of other BPF programs if the statistics are on. */
static void read_others(struct programs *p)
{
	if (!p->always && p->fd < 0)
		return;
	others_look(p->others, p->others_known);
	p->others_known = true;
}

void programs_count(struct programs *p)
{
	if (!p || p->refused || p->fd >= 0)
		return;
	read_all(p);
	if (!p->always)
		turn_on(p);
	read_others(p);
}

void programs_look(struct programs *p)
{
	if (p && p->since_ns && p->fd >= 0)
		read_all(p);
	if (p && p->others_known && (p->fd >= 0 || always_on()))
		others_look_between(p->others);
}

void programs_uncount(struct programs *p)
{
	if (!p)
		return;
	read_all(p);
	read_others(p);
	turn_off(p);
}

static int write_own(struct programs *p, struct trace_writer *w)
{
	for (size_t i = 0; p->refused && i < p->n; i++)
		p->runs[i] = p->run_ns[i] = TRACE_NIL;
	trace_writer_begin(w, TRACE_PROGRAM_STATS);
	if (p->news) {
		trace_writer_uints(w, TRACE_PROGRAM_STATS_RUNS, p->runs, p->n);
		trace_writer_uints(w, TRACE_PROGRAM_STATS_RUN_NS, p->run_ns, p->n);
	}
	trace_writer_uints(w, TRACE_PROGRAM_STATS_RECURSION, p->recursion, p->n);
	trace_writer_uints(w, TRACE_PROGRAM_STATS_MISSED, p->missed, p->n);
	if (p->news)
		trace_writer_uint(w, TRACE_PROGRAM_STATS_COUNTED_NS, p->counted_ns);
	p->news = false;
	return trace_writer_end(w);
}

int programs_tick(struct programs *p, struct trace_writer *w)
{
	bool first = !p->since_ns;
	int err;

	read_all(p);
	if (first)
		read_others(p);
	err = write_own(p, w);
	return err ? err : others_write(p->others, w);
}
