/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* spin.h: memory that the spinning program of a certificate shares with the recorder. */
#ifndef NETCOST_SPIN_H
#define NETCOST_SPIN_H

#include "types.h"

struct netcost_spin {
	/* Written by the recorder. */
	__u64 ns;  /* duration of each run; 0: does not spin */
	__u64 cpu; /* CPU on which runs are expected */
	/* Written by the program. It runs on that CPU only, if `elsewhere` stays 0. */
	__u64 runs, elsewhere;
	__u64 spun_ns; /* measured by the program's clock */
	__u64 turns;   /* number of clock readings while spinning */
};

#endif
