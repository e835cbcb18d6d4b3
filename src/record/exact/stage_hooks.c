// SPDX-License-Identifier: BSD-2-Clause
#include "stage_hooks.h"

#define X(id, stage, how, module, ...)                                                             \
	[id] = { NETCOST_PART_##stage, NETCOST_STAGE_##how, module, { __VA_ARGS__ } },
const struct stage_hook_desc stage_hook_descs[STAGE_HOOK_COUNT] = { STAGE_HOOKS(X) };
#undef X

bool stage_hook_serves(unsigned int row, enum netcost_part stage)
{
	const struct stage_hook_desc *d = &stage_hook_descs[row];

	return d->stage == stage ||
	       (d->how == NETCOST_STAGE_NF &&
		(stage == NETCOST_PART_PREROUTING_V4 || stage == NETCOST_PART_PREROUTING_V6));
}

#define X(name, stage)                                                                             \
	{ #name "_entry", NETCOST_PART_##stage, true },                                            \
		{ #name "_exit", NETCOST_PART_##stage, false },

const struct stage_tracepoint stage_tracepoints[] = {
	{ "napi_poll", NETCOST_PART_DRIVER_POLL, false },
	STAGE_TRACEPOINTS(X) /* what comes between a pair */
};

const size_t stage_ntracepoints = sizeof(stage_tracepoints) / sizeof(stage_tracepoints[0]);
