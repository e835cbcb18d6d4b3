/* SPDX-License-Identifier: BSD-2-Clause */
/* recording.h: a recording with some records of every kind. */
#ifndef NETCOST_TESTS_RECORDING_H
#define NETCOST_TESTS_RECORDING_H

#include <errno.h>
#include <inttypes.h>

#include "model_maker.h"
#include "random.h"
#include "trace_file.h"

#define SECOND 1000000000ull
#define START (1000 * SECOND)
#define TICK (SECOND / 2)

/*
 * Writes a recording in the recorder's order: in each second the ticks, new definitions and the samples. Returns the
 * file, positioned at its beginning.
 */
int record(unsigned int seconds, bool ticks);

#endif
