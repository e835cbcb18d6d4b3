#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is counted by process, on each rung: calls of two at once, and many that live for a moment. The host judges whether
# all of it sums to what the CPUs' counters have (tests/vm/judge_processes.sh).
. ./lib.sh

cat >/tmp/some <<-SH
	sockcalls sendto 500 inet >/dev/null &
	sockcalls recvfrom 300 inet >/dev/null &
	i=0
	while [ \$i -lt 300 ]; do
		/bin/busybox true
		i=\$((i + 1))
	done
	wait
SH
for rung in fentry kprobe tracepoint; do
	trace=/out/processes-$rung.nct
	NETCOST_RUNG=$rung netcost-record -q -F 0 -i 300 --processes --exact=entry -o "$trace" -- sh /tmp/some 2>/tmp/err
	expect processes-$rung:recording [ ! -s /tmp/err ]
	cat /tmp/err
	expect processes-$rung:verify netcost-report verify "$trace"
	netcost-report processes --sort=calls "$trace" >/tmp/report
	cat /tmp/report
	expect processes-$rung:report grep -q sockcalls /tmp/report
done
