// SPDX-License-Identifier: BSD-2-Clause
/* The ladder of the RX softirq's parts: the rung of the socket operations, or what tracepoints tell. */
#include <stdio.h>
#include <string.h>

#include <netcost/messages.h>

#include "ladder.h"
#include "ladder_host.h"

static bool has_functions(const struct ladder *l)
{
	return l->parts == RUNG_FENTRY || l->parts == RUNG_KPROBE;
}

/* The first of a row's functions that the host has. */
static void choose_function(struct ladder *l, struct host *h, unsigned int row)
{
	const struct part_hook_desc *d = &part_hook_descs[row];

	for (int i = 0; i < PART_HOOK_FUNCTIONS && d->function[i]; i++)
		if (host_function(h, l->parts, d->function[i], d->module, l->part_function[row]))
			return;
	l->part_function[row][0] = '\0';
}

/* Why not by functions: of which more parts are known. */
static void say_why(struct ladder *l, const struct host *h)
{
	if (h->usable[RUNG_FENTRY] && h->usable[RUNG_KPROBE])
		snprintf(l->parts_why, sizeof(l->parts_why), said_two_of, rung_name(RUNG_FENTRY),
			 h->why[RUNG_FENTRY], rung_name(RUNG_KPROBE), h->why[RUNG_KPROBE]);
	else
		l->parts_why[0] = '\0';
}

void ladder_choose_parts(struct ladder *l, struct host *h)
{
	memset(l->part_function, 0, sizeof(l->part_function));
	l->parts = l->full ? l->sockets : RUNG_SAMPLES;
	if (!l->full)
		return;
	say_why(l, h);
	for (size_t i = 0; l->parts == RUNG_TRACEPOINT && i < part_ntracepoints; i++)
		if (!host_has_tracepoint(h, part_tracepoints[i].name))
			l->parts = RUNG_SAMPLES;
	if (!has_functions(l))
		return;
	for (unsigned int row = 0; row < PART_HOOK_COUNT; row++)
		choose_function(l, h, row);
}

void ladder_skip_parts(struct ladder *l, uint32_t rows)
{
	for (unsigned int row = 0; row < PART_HOOK_COUNT; row++)
		if (rows >> row & 1)
			l->part_function[row][0] = '\0';
}

bool ladder_wants_part(const struct ladder *l, const char *program)
{
	if (l->parts == RUNG_KPROBE)
		return !strcmp(program, "part_kprobe_begin") ||
		       !strcmp(program, "part_kprobe_end") ||
		       /* the witness */
		       (!strcmp(program, "napi_poll") &&
			ladder_part_rung(l, NETCOST_PART_DRIVER_POLL) == RUNG_KPROBE);
	if (l->parts != RUNG_TRACEPOINT)
		return false;
	for (size_t i = 0; i < part_ntracepoints; i++)
		if (!strcmp(program, part_tracepoints[i].name))
			return true;
	return false;
}

size_t ladder_part_hooks(const struct ladder *l, enum netcost_part part,
			 const char *name[LADDER_PART_HOOKS])
{
	size_t n = 0;

	for (size_t i = 0; l->parts == RUNG_TRACEPOINT && i < part_ntracepoints; i++)
		if (part_tracepoints[i].part == part)
			name[n++] = part_tracepoints[i].name;
	for (unsigned int row = 0; has_functions(l) && row < PART_HOOK_COUNT; row++)
		if (part_hook_serves(row, part) && l->part_function[row][0])
			name[n++] = l->part_function[row];
	return n;
}

enum rung ladder_part_rung(const struct ladder *l, enum netcost_part part)
{
	const char *name[LADDER_PART_HOOKS];

	return ladder_part_hooks(l, part, name) ? l->parts : RUNG_SAMPLES;
}
