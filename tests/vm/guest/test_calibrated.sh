#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Work of a known length over the loopback, on each rung; then while a sender is preempted, and moved, wherever
# it is in the kernel. The host judges what comes back (tests/vm/judge_calibrated.sh).
. ./lib.sh

# calibrated RUNG NAME OPTION... HOOK: runs tests/host/spin with the options. The injected work is
# long, because the other work is slow here and the CPUs share one host CPU.
calibrated() {
	export NETCOST_RUNG="$1"
	trace=/out/spin-$1-$2
	shift 2
	netcost-record -q -F 0 -i 20 -o "$trace.nct" -- \
		spin -t 100,1000 -r 6 -s 1 -b 25 -l 1 -g 60 "$@" - - >"$trace.blocks" 2>/tmp/err
	cat /tmp/err
}

for hook in tc xdp sendmsg egress recvmsg; do
	calibrated fentry $hook -c 1 $hook
done
for hook in sendmsg egress recvmsg; do
	calibrated kprobe $hook -c 1 $hook
done
for hook in sendmsg recvmsg; do
	calibrated tracepoint $hook -c 1 $hook
done

mount -t debugfs debugfs /sys/kernel/debug
if echo full >/sys/kernel/debug/sched/preempt; then
	taskset -c 1 waits fifo-hog 1000 &
	for rung in fentry tracepoint; do
		calibrated $rung preempted -c 1 tc-egress
	done
	kill $!
	for rung in fentry tracepoint; do
		calibrated $rung migrated -m 1000 tc-egress
		calibrated $rung migrated-again -m 1000 tc-egress
	done
	echo voluntary >/sys/kernel/debug/sched/preempt
else
	fail preempted "expected a kernel that can be made preemptible, got none"
fi
