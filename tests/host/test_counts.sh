#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that calls of each kind are counted exactly, for the right event and process, with their times and without them
# (--exact=calls). A separate process makes each (kind, sockets) of calls.py. The row of that process is judged.
. tests/lib.sh
need_recorder
need_command zstd

# is NAME EXPRESSION: evaluates the expression for the last trace
is() {
	got=$("$PYTHON" tests/nct.py "$tmp/t.nct" "$2")
	if [ "$got" = True ]; then pass "$1"; else fail "$1" "expected True, got $got: $2"; fi
}

# Makes 300 sends without a receiver and 200 receives without data.
cat >"$tmp/failed.py" <<'PY'
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for call, times in ((lambda: s.send(b"x"), 300), (lambda: s.recv(1, socket.MSG_DONTWAIT), 200)):
    for _ in range(times):
        try:
            call()
        except OSError:
            pass
PY
{
	echo "wait $BUILD/tests/sockcalls recv-wait 1"
	echo "failed $PYTHON $tmp/failed.py"
	"$PYTHON" tests/host/calls.py list | while read -r kind sockets; do
		echo "$kind-$sockets $BUILD/tests/sockcalls $kind 1000 $sockets"
	done
} >"$tmp/list"

# counted MODE LABEL: records all processes of the list, and judges their counts
counted() {
	expect "$2ran" "$RECORD" -q -F 0 --budget=none --processes --exact="$1" -i 100 -o "$tmp/t.nct" -- \
		sh -c "sleep 0.3; '$PYTHON' tests/host/processes.py each 4 '$tmp/list' >'$tmp/ran'"
	"$PYTHON" tests/host/calls.py judge-rows "$tmp/t.nct" "$tmp/ran" "$tmp/list" "$2" || lib_failed=1
	is "$2identity" 'x.check_identity() and x.sums_ns() == x.wall_ns()'
	expect "$2sums" "$PYTHON" tests/host/processes.py sums "$tmp/t.nct"
	expect "$2verifies" "$REPORT" verify -q "$tmp/t.nct"
}

counted entry count-
if "$RECORD" --check | grep -q '^exact  *calls'; then
	counted calls calls-count-
	is calls-have-no-times 'set(x.ns("sock_send") + x.ns("sock_recv")) == {None}'
	expect calls-slow-down-no-other sh -c "! '$REPORT' dump '$tmp/t.nct' | grep '\"type\":\"program\"' | grep sys_"
else
	skip calls "needs tracepoints of Linux 6.3"
fi

# Checks that a mode that is not requested does not slow down other calls, as long as samples can measure the times.
is_mode() {
	wanted=$1
	shift
	"$RECORD" -q "$@" -o "$tmp/d.nct" -- true >/dev/null
	"$REPORT" info "$tmp/d.nct" | grep -q "^  settings  exact $wanted;"
}
rung=$("$RECORD" --check | awk '$1 == "sock_send" { print $2 }')
case $rung in fentry | kprobe) best=entry ;; *) best=calls ;; esac
expect default-slows-down-no-other is_mode $best -F 99
expect default-without-samples is_mode entry -F 0
expect entry-is-entry is_mode entry --exact=entry
