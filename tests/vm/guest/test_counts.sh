#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# All kinds of calls one after the other in one recording, on each rung. tests/host/calls.py judges them, on the host.
. ./lib.sh

for rung in fentry kprobe tracepoint; do
	export NETCOST_RUNG=$rung
	netcost-record --check >/out/check-$rung 2>&1
	taken=$(awk '$1 == "sock_send" { print $2 }' /out/check-$rung)
	if [ "$taken" != $rung ]; then
		fail $rung "the recorder counts by ${taken:-nothing} instead: $(grep -e ^sock_send -e ^netcost /out/check-$rung)"
		continue
	fi
	netcost-record -q -F 0 -i 20 -o /out/$rung.nct -- sh calls.sh <calls >/out/$rung.times 2>/tmp/err
	expect $rung:recording [ ! -s /tmp/err ]
	cat /tmp/err
done
