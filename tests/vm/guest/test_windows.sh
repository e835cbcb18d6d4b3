#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A budget that is far too small for what the machine does: exact times in windows, on each rung. The host judges what
# comes back (tests/vm/judge_windows.sh). Meanwhile a CPU goes and comes back, in windows and between them.
. ./lib.sh

# There QEMU's clock goes by instructions (tests/vm/run.sh), and it loses an interrupt between CPUs sooner or later: each
# change of the kernel's code needs one, and these are many in a row. Not so on a clock like 6.1's.
case $(uname -r) in
6.12.*)
	echo "skip windows: QEMU's -icount loses interrupts between CPUs"
	exit 0
	;;
esac

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
