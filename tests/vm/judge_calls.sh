#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_calls.sh OUT VERSION: what guest/test_calls.sh recorded: each call is counted, and the trace says by which method. A process
# is judged by its own row, because the CPUs also count the recorder's calls to its helper.
. tests/lib.sh
out=$1 version=$2 best=fentry
[ "$version" != 6.1-arm64 ] || best=kprobe # fentry needs Linux 6.4 there
"$PYTHON" tests/host/calls.py list once | tr ' ' - >"$tmp/list"
for rung in fentry kprobe tracepoint; do
	method=$(echo $rung | sed "s/fentry/$best/")
	"$PYTHON" tests/host/calls.py judge-rows "$out/$rung.nct" "$out/$rung.ran" "$tmp/list" "$version:$rung:$method:count-" || lib_failed=1
	"$REPORT" info "$out/$rung.nct" >"$tmp/info"
	expect "$version:$rung:is-said" [ "$(grep -cE "(socket send|socket receive|local sockets) +$method: " "$tmp/info")" = 3 ]
	[ "$method" = $rung ] || expect "$version:$rung:is-refused" grep ' fentry: ' "$tmp/info"
done
