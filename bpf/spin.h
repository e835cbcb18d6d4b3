/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* spin.h: memory that the spinning program of a certificate shares with the recorder. */
#ifndef NETCOST_SPIN_H
#define NETCOST_SPIN_H

#include "types.h"

struct netcost_spin {
	/* The recorder writes these fields. */
	__u64 ns;  /* duration of each run, ns; 0: the program does not spin */
	__u64 cpu; /* CPU on which the recorder expects the runs */
	/* The program writes these fields. `elsewhere` counts runs on other CPUs than `cpu`. */
	__u64 runs, elsewhere;
	__u64 spun_ns; /* total spinning time that the program measured, ns */
	__u64 turns;   /* number of clock readings while spinning */
};

#endif
