/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* symbolize.h: memory that symbolize.bpf.c shares with the recorder. */
#ifndef NETCOST_SYMBOLIZE_H
#define NETCOST_SYMBOLIZE_H

#include "types.h"

#define NETCOST_SYMBOLIZE_TEXT 640 /* KSYM_NAME_LEN, a module's name and two numbers */

struct netcost_symbolize {
	__u64 address;
	char text[NETCOST_SYMBOLIZE_TEXT];
};

#endif
