#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that exact times are measured in windows if they cost more than the budget, and that the trace's records of
# windows are consistent. Without a limit, exact times are measured all the time.
. tests/lib.sh
need_recorder
need_command zstd

# fits NAME [PAUSES]: checks that t.nct has consistent windows, and at least PAUSES pauses
fits() {
	expect "$1-verifies" "$REPORT" verify "$tmp/t.nct"
	expect "$1-intervals-bounded" "$PYTHON" tests/report/intervals.py "$REPORT" "$tmp/t.nct"
	name=$1
	shift
	if "$PYTHON" tests/host/windows.py "$tmp/t.nct" "$@" >"$tmp/windows"; then
		pass "$name-fits"
	else
		fail "$name-fits" "expected windows that fit together, got $(tail -n 1 "$tmp/windows")"
	fi
}

# A load for the whole test makes system calls, which all have probes. Some of them are calls on sockets.
spawn "$PYTHON" -c '
import os, socket, time
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
while True:
    for _ in range(3000):
        os.getppid()
    a.send(b"x")
    b.recv(1)
    time.sleep(0.001)'

# The load exceeds this budget. The recording lasts until there has been a pause, which takes from 2 s to 30 s.
spawn "$RECORD" -q -F 0 --exact=entry --budget=2 -i 20 -o "$tmp/t.nct"
expect entry-pauses wait_for 120 "$PYTHON" tests/host/windows.py "$tmp/t.nct" 1
kill -s INT "$spawned"
expect entry-ends wait "$spawned"
fits entry 1
"$RECORD" -q -d 1 -i 100 -o "$tmp/t.nct"
fits default

# A signal ends the recording during a pause: the last ticks have no exact times, and they are in the current file, not
# in the previous file.
rm "$tmp/t.nct"
spawn "$RECORD" -q --exact=entry --budget=0.02 -i 100 -o "$tmp/t.nct"
is_off() {
	[ "$("$PYTHON" tests/nct.py "$tmp/t.nct" 'x.ticks[-1][3][0]')" = None ]
}
expect goes-off wait_for 60 is_off
kill -s INT "$spawned"
expect interrupted wait "$spawned"
fits interrupted

# Does the same for packets: the recording lasts until there was a second window.
spawn "$PYTHON" -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
while True:
    s.sendto(b"x", s.getsockname())
    s.recv(1)'
rm "$tmp/t.nct"
spawn "$RECORD" -q -F 0 --exact=off --budget=1 --latency --peers -i 100 -o "$tmp/t.nct"
expect packets-pauses wait_for 120 "$PYTHON" tests/host/followed.py "$tmp/t.nct" 2
kill -s INT "$spawned"
expect packets-ends wait "$spawned"
expect packets-fit "$PYTHON" tests/host/followed.py "$tmp/t.nct" 2
expect packets-verifies "$REPORT" verify "$tmp/t.nct"
"$REPORT" latency "$tmp/t.nct" >"$tmp/out"
expect packets-said grep -q 'Packets were followed in windows, for [0-9.]* m*s of [0-9.]* m*s, to stay within 1 % of a CPU' "$tmp/out"
"$REPORT" who --by=peer "$tmp/t.nct" >"$tmp/out"
expect peers-said grep -q 'Messages were counted in windows, for [0-9.]* m*s of [0-9.]* m*s, to stay within 1 % of a CPU' "$tmp/out"

# Modes that follow packets have a budget by default.
for option in --latency --latency-by=interface --latency-only=interface=lo --tail --stages --peers; do
	"$RECORD" -q -d 0.2 $option -o "$tmp/t.nct"
	"$REPORT" dump "$tmp/t.nct" >"$tmp/dump"
	expect "limited:$option" grep -q '"type":"tick".*"unfollowed_ns":[0-9]' "$tmp/dump"
done

# Without a limit, the trace has exact times for the whole recording.
for option in --budget=none --exact=entry "-F 0"; do
	# shellcheck disable=SC2086 # words
	"$RECORD" -q -d 1 -i 100 $option -o "$tmp/t.nct"
	got=$("$PYTHON" tests/nct.py "$tmp/t.nct" 'any(10 in l for l in x.losses) or any(None in t[3] for t in x.ticks)')
	expect "no-limit:$option" [ "$got" = False ]
done

# A recording that is shorter than a period says that it may have exceeded the budget.
short_says_so() {
	"$RECORD" --budget=0.01 --owners --tail -d 3 -o "$tmp/short.nct" 2>"$tmp/said" && grep -q 'the budget of 0.01 % is an average over periods of' "$tmp/said"
}
expect budget-of-short-recording short_says_so

# usage NAME ARGUMENT...: checks that the arguments are refused
usage() {
	name=$1
	shift
	status=0
	"$RECORD" -q -d 1 -o "$tmp/u.nct" "$@" 2>"$tmp/err" || status=$?
	expect "$name" [ "$status" -eq 2 ]
}
usage budget-nothing --budget=
usage budget-zero --budget=0
usage budget-text --budget=1x
usage budget-nan --budget=nan
usage budget-too-much --budget=101
usage budget-net-only --budget=1 --net-only
