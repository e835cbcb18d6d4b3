#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# 1000 calls of each kind, by each method. Each kind has a process of its own.
. ./lib.sh
cat >/tmp/calls.sh <<'SH'
while read -r kind sockets; do
	sockcalls "$kind" 1000 "$sockets" </dev/null >/dev/null &
	wait $! || echo "not ok calls-$kind-$sockets: status $?" >/dev/console
	echo "$kind-$sockets $! 0 0"
done
SH
for rung in fentry kprobe tracepoint; do
	NETCOST_RUNG=$rung netcost-record -q -F 0 --processes --exact=entry --budget=none -o /out/$rung.nct -- \
		sh -c "sh /tmp/calls.sh </tests/calls-once >/out/$rung.ran" >/tmp/err 2>&1 || echo "exit status $?" >>/tmp/err
	expect $rung-without-message cmp /tmp/err /dev/null
	cat /tmp/err
	echo "vm: $rung ended after $(cut -d ' ' -f 1 /proc/uptime) s"
done
