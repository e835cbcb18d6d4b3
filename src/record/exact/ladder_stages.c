// SPDX-License-Identifier: BSD-2-Clause
/* The ladder of the RX softirq's stages: the rung of the socket operations, or what tracepoints tell. */
#include <stdio.h>
#include <string.h>

#include <netcost/messages.h>

#include "ladder.h"
#include "ladder_host.h"

static bool has_functions(const struct ladder *l)
{
	return l->stages == RUNG_FENTRY || l->stages == RUNG_KPROBE;
}

/* Why not by functions: of which more stages are known. */
static void say_why(struct ladder *l, const struct host *h)
{
	if (h->usable[RUNG_FENTRY] && h->usable[RUNG_KPROBE])
		snprintf(l->stages_why, sizeof(l->stages_why), said_two_of, rung_name(RUNG_FENTRY),
			 h->why[RUNG_FENTRY], rung_name(RUNG_KPROBE), h->why[RUNG_KPROBE]);
	else
		l->stages_why[0] = '\0';
}

void ladder_choose_stages(struct ladder *l, struct host *h)
{
	memset(&l->hook[HOOK_COUNT], 0, STAGE_HOOK_COUNT * sizeof(l->hook[0]));
	l->stages = l->full ? l->sockets : RUNG_SAMPLES;
	if (!l->full)
		return;
	say_why(l, h);
	for (size_t i = 0; l->stages == RUNG_TRACEPOINT && i < stage_ntracepoints; i++)
		if (!host_has_tracepoint(h, stage_tracepoints[i].name))
			l->stages = RUNG_SAMPLES;
	if (has_functions(l))
		host_choose_hooks(h, l->stages, l->hook, HOOK_COUNT, HOOK_ROWS);
}

bool ladder_wants_stage(const struct ladder *l, const char *program)
{
	if (l->stages == RUNG_KPROBE)
		return !strcmp(program, "part_kprobe_begin") ||
		       !strcmp(program, "part_kprobe_end") ||
		       /* the witness */
		       (!strcmp(program, "napi_poll") &&
			ladder_stage_rung(l, NETCOST_PART_DRIVER_POLL) == RUNG_KPROBE);
	if (l->stages != RUNG_TRACEPOINT)
		return false;
	for (size_t i = 0; i < stage_ntracepoints; i++)
		if (!strcmp(program, stage_tracepoints[i].name))
			return true;
	return false;
}

size_t ladder_stage_hooks(const struct ladder *l, enum netcost_part stage,
			  const char *name[LADDER_HOOKS])
{
	size_t n = 0;

	for (size_t i = 0; l->stages == RUNG_TRACEPOINT && i < stage_ntracepoints; i++)
		if (stage_tracepoints[i].stage == stage)
			name[n++] = stage_tracepoints[i].name;
	for (unsigned int row = HOOK_COUNT; has_functions(l) && row < HOOK_ROWS; row++)
		if (hook_serves_stage(row, stage) && hook_function(&l->hook[row]))
			name[n++] = hook_function(&l->hook[row]);
	return n;
}

enum rung ladder_stage_rung(const struct ladder *l, enum netcost_part stage)
{
	const char *name[LADDER_HOOKS];

	return ladder_stage_hooks(l, stage, name) ? l->stages : RUNG_SAMPLES;
}
