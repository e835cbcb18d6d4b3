#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_calls.sh OUT VERSION: what guest/test_calls.sh recorded: each call is counted, and the trace says by which method.
. tests/lib.sh
out=$1 version=$2 best=fentry
[ "$version" != 6.1-arm64 ] || best=kprobe # fentry needs Linux 6.4 there
for rung in fentry kprobe tracepoint; do
	method=$(echo $rung | sed "s/fentry/$best/")
	"$PYTHON" tests/host/calls.py judge-times "$out/$rung.nct" "$out/$rung.times" "$method" "$version:$rung:" || lib_failed=1
	"$REPORT" info "$out/$rung.nct" >"$tmp/info"
	expect "$version:$rung:is-said" grep "socket send  *$method: " "$tmp/info"
	[ $method = $rung ] || expect "$version:$rung:is-refused" grep ' fentry: ' "$tmp/info"
done
