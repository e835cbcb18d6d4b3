// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Asks the kernel for the names of some of its functions: /proc/kallsyms has all of them, and to print
 * them takes it some 40 ms. Run by the recorder itself, with BPF_PROG_TEST_RUN.
 */
#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "symbolize.h"

struct netcost_symbolize symbolize; /* mapped */

/* Returns how many of the addresses it has got to: what is left of the text may be too small for all. */
SEC("syscall")
int symbolize_these(void *ctx)
{
	static const char as_symbol[] = "%pS";
	__u32 i, at = 0;

	for (i = 0; i < NETCOST_SYMBOLIZE_MOST && i < symbolize.n; i++) {
		__u64 address = symbolize.address[i];
		long size;

		if (at > sizeof(symbolize.text) - NETCOST_SYMBOLIZE_TEXT)
			break;
		size = bpf_snprintf(symbolize.text + at, NETCOST_SYMBOLIZE_TEXT, as_symbol,
				    &address, sizeof(address));
		if (size <= 0)
			break;
		symbolize.at[i] = at;
		at += size;
	}
	return i;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
