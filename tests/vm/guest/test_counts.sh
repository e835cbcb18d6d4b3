#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# All kinds of calls one after the other in one recording, on each rung, and without times. tests/host/calls.py judges
# them, on the host.
. ./lib.sh

# rung_of OPTION...: how sends are counted
rung_of() {
	netcost-record --check "$@" >/tmp/check 2>&1
	awk '$1 == "sock_send" { print $2 }' /tmp/check
}

# counted NAME OPTION...
counted() {
	name=$1
	shift
	netcost-record -q -F 0 -i 20 -o "/out/$name.nct" "$@" -- sh calls.sh <calls >"/out/$name.times" 2>/tmp/err
	expect "$name:recording" [ ! -s /tmp/err ]
	cat /tmp/err
}

for rung in fentry kprobe tracepoint; do
	export NETCOST_RUNG=$rung
	taken=$(rung_of --exact=entry)
	if [ "$taken" != $rung ]; then
		fail $rung "the recorder counts by ${taken:-nothing} instead: $(grep -e ^sock_send -e ^netcost /tmp/check)"
		continue
	fi
	counted $rung --exact=entry
done

unset NETCOST_RUNG
if [ "$(rung_of --exact=calls)" = tracepoint ]; then
	counted calls-tracepoint --exact=calls
else
	expect calls-say-what-lacks grep -q '^sock_send .*; no tracepoint: the kernel has no tracepoint sock_send_length' /tmp/check
fi
expect functions-are-best [ "$(rung_of --exact=entry)" = fentry ]
expect default-can-be-detached [ "$(rung_of)" = tracepoint ]
expect entry-is-the-default grep -q '^sock_send .*sys_enter, sys_exit' /tmp/check
