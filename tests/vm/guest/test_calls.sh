#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# 1000 calls of each kind on each sort of socket, by each method. A tick separates the kinds.
. ./lib.sh
cat >/tmp/calls.sh <<'SH'
while read -r kind sockets; do
	sockcalls "$kind" 1000 "$sockets" </dev/null || echo "not ok calls-$kind-$sockets: status $?" >/dev/console
	usleep 300000
done
SH
for rung in fentry kprobe tracepoint; do
	NETCOST_RUNG=$rung netcost-record -q -F 0 -i 100 --exact=entry --budget=none -o /out/$rung.nct -- \
		sh -c "sh /tmp/calls.sh </tests/calls >/out/$rung.times" >/tmp/err 2>&1 || echo "exit status $?" >>/tmp/err
	expect $rung-without-message cmp /tmp/err /dev/null
done
