#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Samples by the BPF program on this kernel: of all that the CPUs do, and inside the network only.
. ./lib.sh

sockcalls send 1000000000 &
load=$!

# sampled NAME OPTION...: two seconds of it, or as many as it takes to have samples enough; its info is in /tmp/info
sampled() {
	trace=$1
	shift
	for seconds in 2 4 8 16; do
		netcost-record -q "$@" -d $seconds -o "/out/$trace.nct" 2>/tmp/err
		cat /tmp/err
		netcost-report info "/out/$trace.nct" >/tmp/info
		grep '^  samples ' /tmp/info
		[ "$(sed -n 's/^  samples   \([0-9]*\), .*/\1/p' /tmp/info)" -lt 200 ] || break
	done
	expect "$trace-verify" netcost-report verify "/out/$trace.nct"
	expect "$trace-samples" grep -q '^  samples   [1-9][0-9]*, [0-9]* lost; [1-9][0-9]* stacks' /tmp/info
}

sampled sampler-bpf --sampler=bpf
netcost-report folded --task=sockcalls /out/sampler-bpf.nct >/tmp/folded
expect sampler-bpf-finds-sends grep -q 'udp_sendmsg\|tcp_sendmsg\|sock_sendmsg\|sys_sendto' /tmp/folded
sampled sampler-net-only --net-only
expect sampler-net-only-is-said grep -q 'only of: network' /tmp/info
netcost-report summary /out/sampler-net-only.nct >/tmp/summary
grep 'expected inside the network' /tmp/summary
expect sampler-net-only-expected grep -q 'samples .* expected inside the network' /tmp/summary
expect sampler-net-only-rest grep -q '^    user  *-  *-  *-  not measured' /tmp/summary
kill $load

netcost-record -q --event=cycles -d 1 -o /out/cycles.nct 2>/tmp/err
expect cycles-no-pmu grep -qx 'netcost-record: cannot count cycles: .*; use --event=cpu-clock' /tmp/err
