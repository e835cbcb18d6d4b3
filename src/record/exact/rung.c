// SPDX-License-Identifier: BSD-2-Clause
/* What the rungs of the ladder are called. */
#include <netcost/messages.h>

#include "ladder.h"

static const char *const rung_names[RUNG_COUNT] = {
	[RUNG_FENTRY] = said_fentry,
	[RUNG_KPROBE] = said_kprobe,
	[RUNG_TRACEPOINT] = said_tracepoint,
	[RUNG_SAMPLES] = said_samples,
};

const char *rung_name(enum rung r)
{
	return rung_names[r];
}
