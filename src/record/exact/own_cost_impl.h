/* SPDX-License-Identifier: BSD-2-Clause */
/* own_cost_impl.h: what is known of the programs' cost, to own_cost.c, which measures it, and own_cost_sample.c. */
#ifndef NETCOST_OWN_COST_IMPL_H
#define NETCOST_OWN_COST_IMPL_H

#include "own_batches.h"
#include "own_calls.h"
#include "own_cost.h"

/* What pieces of own work took: they, their operations as the programs measured them, and which programs ran in one. */
struct piece {
	bool done;
	struct own_batches all, measured;
	double runs[NETCOST_PROBE_COUNT];
};

struct own_cost {
	struct own_calls *calls;
	bool before; /* the programs were off before, not between rounds */
	struct piece off[OWN_CALLS_KINDS], on[OWN_CALLS_KINDS];
	struct own_cost_probe probe[NETCOST_PROBE_COUNT];
};

#endif
