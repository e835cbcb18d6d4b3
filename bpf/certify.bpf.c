// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Spins for a given time on each packet that a certificate sends (src/record/certify). The program measures how long it
 * spun, because an interrupt or the hypervisor may prolong the spinning.
 */
#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

#include "spin.h"

/*
 * maximum number of loop iterations; small, because the verifier follows each iteration. An iteration takes at least 15
 * ns.
 */
#define MOST_TURNS 1024

struct netcost_spin spin;

static __always_inline void spin_once(void)
{
	__u64 start = bpf_ktime_get_ns(), until = start + spin.ns, now = start;
	__u32 turn;

	if (bpf_get_smp_processor_id() != spin.cpu)
		__sync_fetch_and_add(&spin.elsewhere, 1);
	for (turn = 0; turn < MOST_TURNS && now < until; turn++)
		now = bpf_ktime_get_ns();
	spin.spun_ns += now - start;
	spin.turns += turn;
	spin.runs++;
}

SEC("xdp")
int certify_xdp(void *ctx)
{
	spin_once();
	return 2; /* the value of XDP_PASS */
}

SEC("tc")
int certify_tc(void *ctx)
{
	spin_once();
	return -1; /* the value of TC_ACT_UNSPEC, which continues with the next filter */
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
