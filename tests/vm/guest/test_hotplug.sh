#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A CPU that goes and comes back while it is recorded, with senders everywhere (tests/vm/hotplug.py): for a while,
# and for less than a tick.
. ./lib.sh

# hotplug NAME TICK_MS SECONDS: leaves a trace, and for each time that it was away when it began to go, was gone,
# began to come, and was back, in ns of CLOCK_MONOTONIC, which the third line of /proc/timer_list has ("now at N nsecs")
hotplug() {
	cat >/tmp/hotplug <<-SH
		now() { { read -r _; read -r _; read -r _ _ now _; } </proc/timer_list; }
		sockcalls send 1000000000 & first=\$!
		sockcalls send 1000000000 & second=\$!
		for round in 1 2 3; do
			sleep 1
			now; went=\$now
			echo 0 >/sys/devices/system/cpu/cpu1/online
			now; gone=\$now
			sleep $3
			now; came=\$now
			echo 1 >/sys/devices/system/cpu/cpu1/online
			now; echo \$went \$gone \$came \$now
		done
		sleep 1
		kill \$first \$second
	SH
	# Samples, too: a sampler's ring belongs to a CPU.
	netcost-record -q --budget=none -i "$2" -o "/out/$1.nct" -- sh /tmp/hotplug >"/out/$1.away" 2>/tmp/err
	expect "$1-recording" [ ! -s /tmp/err ]
	cat /tmp/err
	expect "$1-verify" netcost-report verify -q "/out/$1.nct"
}

hotplug hotplug 20 0.4
hotplug hotplug-short 300 0

# One that was away when the recording began is in no figure, and that is said.
echo 0 >/sys/devices/system/cpu/cpu1/online
netcost-record -q --budget=none -i 50 -o /out/late.nct -- sh -c 'sleep 0.5; echo 1 >/sys/devices/system/cpu/cpu1/online; sleep 0.5' \
	2>/tmp/err
expect hotplug-late-is-told grep -q 'warning: CPU 1 came online' /tmp/err
expect hotplug-late-verify netcost-report verify -q /out/late.nct
netcost-report summary /out/late.nct >/tmp/summary
expect hotplug-late-is-in-the-report grep -q 'CPU 1 came online' /tmp/summary
