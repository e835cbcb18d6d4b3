// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Asks the kernel for the name of one kernel function. Reading /proc/kallsyms instead would take some 40 ms, because it
 * lists all functions. The recorder runs this program with BPF_PROG_TEST_RUN.
 */
#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "symbolize.h"

struct netcost_symbolize symbolize; /* the recorder maps this variable */

SEC("syscall")
int symbolize_one(void *ctx)
{
	static const char as_symbol[] = "%pS";
	__u64 address = symbolize.address;

	return bpf_snprintf(symbolize.text, sizeof(symbolize.text), as_symbol, &address,
			    sizeof(address));
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
