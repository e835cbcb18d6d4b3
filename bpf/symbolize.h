/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* symbolize.h: what symbolize.bpf.c and the recorder share in memory. */
#ifndef NETCOST_SYMBOLIZE_H
#define NETCOST_SYMBOLIZE_H

#define NETCOST_SYMBOLIZE_MOST 32  /* addresses at once */
#define NETCOST_SYMBOLIZE_TEXT 640 /* KSYM_NAME_LEN, a module's name, two numbers */

struct netcost_symbolize {
	__u64 address[NETCOST_SYMBOLIZE_MOST];
	__u32 n;
	__u32 at[NETCOST_SYMBOLIZE_MOST]; /* where in text each one's begins, with a NUL behind it */
	char text[4096];		  /* most are some 40 characters */
};

#endif
