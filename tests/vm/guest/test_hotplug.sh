#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A CPU that goes and comes back while it is recorded, with senders everywhere (tests/vm/judge_hotplug.sh).
. ./lib.sh

cat >/tmp/hotplug <<'SH'
sockcalls send 1000000000 &
sockcalls send 1000000000 &
for round in 1 2 3; do
	sleep 0.4
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 0.4
	echo 1 >/sys/devices/system/cpu/cpu1/online
done
sleep 0.4
SH
# Samples, too: a sampler's ring belongs to a CPU.
netcost-record -q -i 20 -o /out/hotplug.nct -- sh /tmp/hotplug 2>/tmp/err
expect hotplug-recording [ ! -s /tmp/err ]
cat /tmp/err
killall sockcalls
