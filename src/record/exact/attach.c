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
#include "record/kernel/kretprobes.h"
#include "record/kernel/probe_object.h"

#define MAX_LINKS (2 * HOOK_ROWS + HOOK_PROGRAMS_MOST)

struct attach {
	const struct bpf_object *obj;
	struct ladder ladder;	       /* copy of the choices, for attach_on() */
	struct kretprobes *kretprobes; /* NULL: no kretprobe is used */
	struct attached attached[MAX_LINKS];
	size_t n; /* number of attached programs */
};

/*
 * Adds a link to the list. Returns -errno if libbpf returned NULL as the link. Programs are attached in the same order
 * each time.
 */
static int keep(struct attach *a, const struct bpf_program *prog, const char *function,
		struct bpf_link *link)
{
	if (!link)
		return -errno;
	a->attached[a->n] = (struct attached){ .prog = prog, .link = link };
	snprintf(a->attached[a->n++].function, HOOK_NAME, "%s", function ? function : "");
	return 0;
}

/* Calls keep(), and describes a failure in why. */
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

static int attach_program(struct attach *a, const struct hook_program *p, char *why, size_t whysize)
{
	struct bpf_program *prog = find(a, p->name);

	return keep_or_say(a, prog, NULL, probe_link(prog), why, whysize);
}

/*
 * Attaches the programs that the ladder chose for this turn. Receiver programs have no turns: one call attaches all of
 * them.
 */
static int attach_turn(struct attach *a, bool owners, int turn, char *why, size_t whysize)
{
	const struct hook_program *p;
	int err = 0;

	for (unsigned int i = 0; !err && (p = ladder_program(&a->ladder, &i)); i++)
		if ((p->tracepoint || p->function) && hook_is_of_owners(p) == owners &&
		    (owners || (int)p->turn == turn))
			err = attach_program(a, p, why, whysize);
	return err;
}

/* ---- hooks ------------------------------------------------------------------------------- */

/* Attaches the program to the end of a function. The program then runs on all CPUs. */
static struct bpf_link *attach_kretprobe(struct attach *a, const struct bpf_program *prog,
					 const char *function, unsigned int id)
{
	LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = id);
	int fd = kretprobes_open(a->kretprobes, function), err;
	struct bpf_link *link;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	link = bpf_program__attach_perf_event_opts(prog, fd, &opts);
	err = errno;
	if (!link)
		close(fd); /* if there is a link, the link owns fd */
	errno = err;
	return link;
}

/* Returns true if attach_off() left this link attached. */
static bool attach_is_left(struct attach *a)
{
	bool left = a->attached[a->n].link;

	a->n += left;
	return left;
}

/* Attaches the program for the start or for the end of a row. */
static int attach_row(struct attach *a, unsigned int row, bool begin)
{
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .bpf_cookie = hook_id(row));
	const char *function = hook_function(&a->ladder.hook[row]);
	bool fentry = a->ladder.sockets == RUNG_FENTRY;
	const struct bpf_program *prog;
	char name[HOOK_NAME];

	if (!function || attach_is_left(a))
		return 0;
	prog = find(a, hook_row_program(row, a->ladder.sockets, begin, name));
	return keep(a, prog, function,
		    fentry ? probe_link(prog) :
		    begin  ? bpf_program__attach_kprobe_opts(prog, function, &opts) :
			     attach_kretprobe(a, prog, function, hook_id(row)));
}

/*
 * Attaches the program that counts page cache hits. Each call of the function is one hit. The program may be attached
 * at any point of the order, because missing a hit does no harm.
 */
static int attach_pages(struct attach *a, char *why, size_t whysize)
{
	const struct ladder_pages *p = &a->ladder.pages;
	bool fentry = p->rung == RUNG_FENTRY;
	struct bpf_program *prog = find(a, fentry ? "page_fentry" : "page_kprobe");

	if (p->rung == RUNG_SAMPLES || attach_is_left(a))
		return 0;
	return keep_or_say(a, prog, p->function,
			   fentry ? probe_link(prog) :
				    bpf_program__attach_kprobe(prog, false, p->function),
			   why, whysize);
}

/*
 * Attaches the programs for the start or the end of all rows. Returns false if the kernel refused some functions, and
 * sets their rows in *refused.
 */
static bool attach_hooks(struct attach *a, bool begin, uint64_t *refused)
{
	for (unsigned int row = 0; a->ladder.sockets < RUNG_TRACEPOINT && row < HOOK_ROWS; row++)
		if (attach_row(a, row, begin))
			*refused |= UINT64_C(1) << row;
	return !*refused;
}

/* ---- receivers ---------------------------------------------------------------------------- */

static int attach_owners(struct attach *a, char *why, size_t whysize)
{
	return attach_turn(a, true, 0, why, whysize);
}

/* ---- attaching everything ---------------------------------------------------------------- */

/* Attaches in the order that hooks.h requires. */
static int attach_all(struct attach *a, uint64_t *refused, char *why, size_t whysize)
{
	int err;

	if (a->ladder.sockets == RUNG_KPROBE && !a->kretprobes) {
		err = kretprobes_new(&a->kretprobes);
		if (err) {
			snprintf(why, whysize, reason_no_tracefs, -err);
			return err;
		}
	}
	err = attach_turn(a, false, HOOK_FIRST, why, whysize);
	if (!err)
		err = attach_turn(a, false, HOOK_BETWEEN, why, whysize);
	if (!err)
		err = attach_owners(a, why, whysize);
	if (err)
		return err;
	if (!attach_hooks(a, false, refused) || !attach_hooks(a, true, refused)) {
		snprintf(why, whysize, reason_refused_attaching);
		return -EAGAIN;
	}
	err = attach_pages(a, why, whysize);
	return err ? err : attach_turn(a, false, HOOK_LAST, why, whysize);
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
