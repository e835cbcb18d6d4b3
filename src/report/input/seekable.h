/* SPDX-License-Identifier: BSD-2-Clause */
/* seekable.h: an input that is read more than once. */
#ifndef NETCOST_REPORT_SEEKABLE_H
#define NETCOST_REPORT_SEEKABLE_H

#include "input.h"

/* Keeps what comes from a pipe in an unnamed file. The reader is of no use then. False: reported. */
bool input_make_seekable(struct input *in);

#endif
