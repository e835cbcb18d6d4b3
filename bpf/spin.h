/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* spin.h: what the program that spins for a certificate shares with the recorder. */
#ifndef NETCOST_SPIN_H
#define NETCOST_SPIN_H

#include "types.h"

struct netcost_spin {
	/* from the recorder */
	__u64 ns;  /* how long each run spins; 0: not at all */
	__u64 cpu; /* where runs are expected */
	/* from the program; it runs on that CPU alone if `elsewhere` does not move */
	__u64 runs, elsewhere;
	__u64 spun_ns; /* by the program's own clock */
	__u64 turns;   /* so often it read that clock while it spun */
};

#endif
