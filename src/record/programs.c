// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>	/* bpf_enable_stats, bpf_obj_get_info_by_fd */
#include <bpf/libbpf.h> /* bpf_object__for_each_program */

#include <netcost/trace.h>

#include "clock.h"
#include "procfs.h"

struct programs {
	size_t n;
	const char **name;
	int *fd;       /* the object's */
	uint64_t *col; /* room for three columns */

	bool always;  /* the host has them on */
	bool refused; /* they cannot be turned on */
	int stats_fd; /* open: on; -1: off */
	uint64_t on_since_ns, counted_ns;
	unsigned int ticks;
};

static int collect(struct programs *p, const struct bpf_object *obj)
{
	struct bpf_program *prog;
	size_t room = 0;

	bpf_object__for_each_program (prog, obj)
		room++;
	p->name = calloc(room, sizeof(*p->name));
	p->fd = calloc(room, sizeof(*p->fd));
	p->col = calloc(3 * room, sizeof(*p->col));
	if (!p->name || !p->fd || !p->col)
		return -ENOMEM;
	bpf_object__for_each_program (prog, obj) {
		if (bpf_program__fd(prog) < 0)
			continue;
		p->name[p->n] = bpf_program__name(prog);
		p->fd[p->n++] = bpf_program__fd(prog);
	}
	return 0;
}

int programs_new(struct programs **pp, const struct bpf_object *obj)
{
	struct programs *p = calloc(1, sizeof(*p));
	int err;

	*pp = p;
	if (!p)
		return -ENOMEM;
	p->stats_fd = -1;
	p->always = procfs_uint("/proc/sys/kernel/bpf_stats_enabled", 0);
	p->on_since_ns = now_ns();
	err = collect(p, obj);
	if (err) {
		programs_free(p);
		*pp = NULL;
	}
	return err;
}

void programs_free(struct programs *p)
{
	if (!p)
		return;
	if (p->stats_fd >= 0)
		close(p->stats_fd);
	free(p->name);
	free(p->fd);
	free(p->col);
	free(p);
}

/* ---- statistics on and off --------------------------------------------------------------- */

static void turn_on(struct programs *p)
{
	p->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	p->refused = p->stats_fd < 0;
	p->on_since_ns = now_ns();
}

static void turn_off(struct programs *p)
{
	close(p->stats_fd);
	p->counted_ns += now_ns() - p->on_since_ns;
	p->stats_fd = -1;
}

static void next_tick(struct programs *p)
{
	bool want = p->ticks++ % PROGRAMS_PERIOD == 0;

	if (p->always || p->refused)
		return;
	if (p->stats_fd >= 0 && !want)
		turn_off(p);
	else if (p->stats_fd < 0 && want)
		turn_on(p);
}

/* ---- reading ----------------------------------------------------------------------------- */

static uint64_t counted_ns(const struct programs *p)
{
	bool on = p->always || p->stats_fd >= 0;

	return p->counted_ns + (on ? now_ns() - p->on_since_ns : 0);
}

/* counted: the statistics were on for some time. Until then nothing was measured. */
static void read_one(struct programs *p, size_t i, bool counted)
{
	struct bpf_prog_info info = { 0 };
	__u32 size = sizeof(info);
	bool known = !bpf_obj_get_info_by_fd(p->fd[i], &info, &size);

	p->col[i] = known && counted ? info.run_cnt : TRACE_NIL;
	p->col[p->n + i] = known && counted ? info.run_time_ns : TRACE_NIL;
	p->col[2 * p->n + i] = known ? info.recursion_misses : TRACE_NIL;
}

int programs_tick(struct programs *p, struct trace_writer *w)
{
	uint64_t counted = counted_ns(p);

	for (size_t i = 0; i < p->n; i++)
		read_one(p, i, counted);
	trace_writer_begin(w, TRACE_PROGRAMS, 5);
	trace_writer_strs(w, TRACE_PROGRAMS_NAME, p->name, p->n);
	trace_writer_uints(w, TRACE_PROGRAMS_RUNS, p->col, p->n);
	trace_writer_uints(w, TRACE_PROGRAMS_RUN_NS, p->col + p->n, p->n);
	trace_writer_uints(w, TRACE_PROGRAMS_MISSED, p->col + 2 * p->n, p->n);
	trace_writer_uint(w, TRACE_PROGRAMS_COUNTED_NS, counted);
	next_tick(p);
	return trace_writer_end(w);
}
