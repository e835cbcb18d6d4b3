#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A budget that is far too small for what the machine does: exact times in windows, on each rung. The host judges what
# comes back (tests/vm/judge_windows.sh). Meanwhile a CPU goes and comes back, in windows and between them.
. ./lib.sh

cat >/tmp/turns <<-SH
	for turn in \$(seq 35); do
		sleep 0.7
		echo 0 >/sys/devices/system/cpu/cpu1/online
		sleep 0.4
		echo 1 >/sys/devices/system/cpu/cpu1/online
	done
SH
udp echo 17773 &
echo=$!
for rung in fentry kprobe tracepoint; do
	export NETCOST_RUNG=$rung
	udp ask 127.0.0.1 17773 1000000000 0 >/tmp/asked &
	asking=$!
	netcost-record -q -F 99 -i 100 --exact=entry --budget=0.05 -o "/out/windows-$rung.nct" -- sh /tmp/turns \
		2>/tmp/err
	expect windows-$rung:recording [ ! -s /tmp/err ]
	cat /tmp/err
	kill $asking
	expect windows-$rung:verify netcost-report verify "/out/windows-$rung.nct"
done
kill $echo
