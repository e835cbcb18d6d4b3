/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* symbolize.h: memory that symbolize.bpf.c shares with the recorder. */
#ifndef NETCOST_SYMBOLIZE_H
#define NETCOST_SYMBOLIZE_H

#include "types.h"

/* bytes for KSYM_NAME_LEN, the name of a module and two numbers */
#define NETCOST_SYMBOLIZE_TEXT 640

struct netcost_symbolize {
	__u64 address;
	char text[NETCOST_SYMBOLIZE_TEXT];
};

#endif
