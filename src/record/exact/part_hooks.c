// SPDX-License-Identifier: BSD-2-Clause
#include "part_hooks.h"

#define X(id, part, how, module, ...)                                                              \
	[id] = { NETCOST_PART_##part, NETCOST_PART_##how, module, { __VA_ARGS__ } },
const struct part_hook_desc part_hook_descs[PART_HOOK_COUNT] = { PART_HOOKS(X) };
#undef X

bool part_hook_serves(unsigned int row, enum netcost_part part)
{
	const struct part_hook_desc *d = &part_hook_descs[row];

	return d->part == part ||
	       (d->how == NETCOST_PART_NF &&
		(part == NETCOST_PART_PREROUTING_V4 || part == NETCOST_PART_PREROUTING_V6));
}

#define X(name, part)                                                                              \
	{ #name "_entry", NETCOST_PART_##part, true },                                             \
		{ #name "_exit", NETCOST_PART_##part, false },

const struct part_tracepoint part_tracepoints[] = {
	{ "napi_poll", NETCOST_PART_DRIVER_POLL, false },
	PART_TRACEPOINTS(X) /* what comes between a pair */
};

const size_t part_ntracepoints = sizeof(part_tracepoints) / sizeof(part_tracepoints[0]);
