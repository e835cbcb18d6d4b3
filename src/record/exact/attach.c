// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/reasons.h>

#include "attach.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "ladder.h"
#include "ladder_owners.h"
#include "record/kernel/kretprobes.h"

#define MAX_LINKS (2 * HOOK_ROWS + 16 + OWNERS_PROGRAMS)

struct attach {
	const struct bpf_object *obj;
	struct ladder ladder;	       /* a copy: attach_on() needs it */
	struct kretprobes *kretprobes; /* NULL: not needed */
	struct attached attached[MAX_LINKS];
	size_t n; /* attached */
};

/* libbpf's NULL with errno is passed on as -errno. The order is the same each time that all is attached. */
static int keep(struct attach *a, const struct bpf_program *prog, const char *function,
		struct bpf_link *link)
{
	if (!link)
		return -errno;
	a->attached[a->n] = (struct attached){ .prog = prog, .link = link };
	snprintf(a->attached[a->n++].function, HOOK_NAME, "%s", function ? function : "");
	return 0;
}

/* The same; says it where that was not attached. */
static int keep_or_say(struct attach *a, const struct bpf_program *prog, const char *function,
		       struct bpf_link *link, char *why, size_t whysize)
{
	int err = keep(a, prog, function, link);

	if (err)
		snprintf(why, whysize, reason_not_attached,
			 function ? function : bpf_program__name(prog), -err);
	return err;
}

static struct bpf_program *find(const struct attach *a, const char *name)
{
	return bpf_object__find_program_by_name(a->obj, name);
}

/* ---- tracepoints ------------------------------------------------------------------------- */

/* One that needs the kernel's types is of type tracing. */
static struct bpf_link *attach_tracepoint(const struct bpf_program *prog, const char *name)
{
	return bpf_program__type(prog) == BPF_PROG_TYPE_RAW_TRACEPOINT ?
		       bpf_program__attach_raw_tracepoint(prog, name) :
		       bpf_program__attach_trace(prog);
}

/* Those of the programs that are wanted. A raw tracepoint's program has its name. */
static int attach_tracepoints(struct attach *a, const char *const *names, char *why, size_t whysize)
{
	int err = 0;

	for (; *names && !err; names++) {
		struct bpf_program *prog = find(a, *names);

		if (bpf_program__autoload(prog))
			err = keep_or_say(a, prog, NULL, attach_tracepoint(prog, *names), why,
					  whysize);
	}
	return err;
}

/* ---- hooks ------------------------------------------------------------------------------- */

static int attach_fentry(struct attach *a, unsigned int row, const char *function, bool begin)
{
	struct bpf_program *prog;
	char name[32];

	snprintf(name, sizeof(name), "%s%s_%u", hook_prefix(row), begin ? "fentry" : "fexit",
		 hook_id(row));
	prog = find(a, name);
	return keep(a, prog, function, bpf_program__attach_trace(prog));
}

static int attach_kprobe(struct attach *a, unsigned int row, const char *function)
{
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .bpf_cookie = hook_id(row));
	struct bpf_program *prog;
	char name[32];

	snprintf(name, sizeof(name), "%skprobe_begin", hook_prefix(row));
	prog = find(a, name);
	return keep(a, prog, function, bpf_program__attach_kprobe_opts(prog, function, &opts));
}

static int attach_kretprobe(struct attach *a, unsigned int row, const char *function)
{
	LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = hook_id(row));
	int fd = kretprobes_open(a->kretprobes, function), err;
	struct bpf_program *prog;
	char name[32];

	if (fd < 0)
		return fd;
	snprintf(name, sizeof(name), "%skprobe_end", hook_prefix(row));
	prog = find(a, name);
	err = keep(a, prog, function, bpf_program__attach_perf_event_opts(prog, fd, &opts));
	if (err)
		close(fd); /* otherwise it is the link's */
	return err;
}

/* The program for the beginning of what a row counts, or for its end. */
static int attach_row(struct attach *a, unsigned int row, bool begin)
{
	const char *function = hook_function(&a->ladder.hook[row]);

	if (!function)
		return 0;
	if (a->attached[a->n].link) { /* attach_off() left it */
		a->n++;
		return 0;
	}
	if (a->ladder.sockets == RUNG_FENTRY)
		return attach_fentry(a, row, function, begin);
	return begin ? attach_kprobe(a, row, function) : attach_kretprobe(a, row, function);
}

/* Hits of the page cache: each call is one, and none is missed that matters, so it comes in any order. */
static int attach_pages(struct attach *a, char *why, size_t whysize)
{
	const struct ladder_pages *p = &a->ladder.pages;
	bool fentry = p->rung == RUNG_FENTRY;
	struct bpf_program *prog = find(a, fentry ? "page_fentry" : "page_kprobe");

	if (p->rung == RUNG_SAMPLES)
		return 0;
	if (a->attached[a->n].link) { /* attach_off() left it */
		a->n++;
		return 0;
	}
	return keep_or_say(a, prog, p->function,
			   fentry ? bpf_program__attach_trace(prog) :
				    bpf_program__attach_kprobe(prog, false, p->function),
			   why, whysize);
}

/* False: some are refused. */
static bool attach_hooks(struct attach *a, bool begin, uint64_t *refused)
{
	for (unsigned int row = 0; a->ladder.sockets < RUNG_TRACEPOINT && row < HOOK_ROWS; row++)
		if (attach_row(a, row, begin))
			*refused |= UINT64_C(1) << row;
	return !*refused;
}

/* ---- who receives ------------------------------------------------------------------------- */

static int attach_owners(struct attach *a, char *why, size_t whysize)
{
	const struct owners_program *p;
	int err = 0;

	for (unsigned int i = 0; !err && (p = ladder_owners(&a->ladder, &i)); i++) {
		struct bpf_program *prog = find(a, p->name);

		err = keep_or_say(a, prog, NULL, bpf_program__attach_trace(prog), why, whysize);
	}
	return err;
}

/* ---- all --------------------------------------------------------------------------------- */

/*
 * Ends before beginnings: an end without a beginning is ignored, but a beginning whose end is missed would
 * never stop counting.
 */
static int attach_all(struct attach *a, uint64_t *refused, char *why, size_t whysize)
{
#define ENDS(name, part) #name "_exit",
#define BEGINS(name, part) #name "_entry",
	static const char *const ends[] = {
		"sched_switch",	 "sched_switch_old",	      "softirq_exit",
		"softirq_entry", "irq_handler_exit",	      "irq_handler_entry",
		"sys_exit",	 "sock_send_length",	      "sock_recv_length",
		"napi_poll",	 STAGE_TRACEPOINTS(ENDS) NULL
	};
	static const char *const begins[] = { STAGE_TRACEPOINTS(BEGINS) "sys_enter",
					      "sys_enter_old", NULL };
	int err;

	if (a->ladder.sockets == RUNG_KPROBE && !a->kretprobes) {
		err = kretprobes_new(&a->kretprobes);
		if (err) {
			snprintf(why, whysize, reason_no_tracefs, -err);
			return err;
		}
	}
	err = attach_tracepoints(a, ends, why, whysize);
	if (!err)
		err = attach_owners(a, why, whysize);
	if (err)
		return err;
	if (!attach_hooks(a, false, refused) || !attach_hooks(a, true, refused)) {
		snprintf(why, whysize, reason_refused_attaching);
		return -EAGAIN;
	}
	err = attach_pages(a, why, whysize);
	return err ? err : attach_tracepoints(a, begins, why, whysize);
}

int attach_new(struct attach **ap, const struct bpf_object *obj, const struct ladder *l,
	       uint64_t *refused, char *why, size_t whysize)
{
	struct attach *a = calloc(1, sizeof(*a));
	int err;

	*ap = NULL;
	*refused = 0;
	if (!a)
		return -ENOMEM;
	a->obj = obj;
	a->ladder = *l;
	err = attach_all(a, refused, why, whysize);
	if (err)
		attach_free(a);
	else
		*ap = a;
	return err;
}

void attach_off(struct attach *a)
{
	for (size_t i = a->n; i--;) {
		struct attached *place = &a->attached[i];

		if (place->function[0])
			continue;
		bpf_link__destroy(place->link);
		place->link = NULL;
	}
}

int attach_on(struct attach *a, char *why, size_t whysize)
{
	uint64_t refused = 0;
	size_t n = a->n;
	int err;

	a->n = 0;
	err = attach_all(a, &refused, why, whysize);
	a->n = n;
	if (err)
		attach_off(a);
	return err;
}

void attach_free(struct attach *a)
{
	if (!a)
		return;
	while (a->n)
		bpf_link__destroy(a->attached[--a->n].link);
	kretprobes_free(a->kretprobes);
	free(a);
}

const struct attached *attach_list(const struct attach *a, size_t *n)
{
	*n = a->n;
	return a->attached;
}

int attach_kretprobes_missed(const struct attach *a, uint64_t *missed)
{
	return a->kretprobes ? kretprobes_missed(a->kretprobes, missed) : -ENOENT;
}
