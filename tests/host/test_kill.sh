#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whatever ends a recording, what was written can be read. A kill costs what came after the last tick: a second, and what it
# takes to wake up and to write a frame.
. tests/lib.sh
need_recorder
. tests/host/quiet.sh

# Twenty kills at moments spread over two seconds and a half: ends of frames and middles.
cat >"$tmp/last.py" <<'PY'
import sys
sys.path.insert(0, "tests")
import nct
last = max([r[1] for t, r in nct.objects(sys.argv[1]) if t == nct.TICK] or [0])
for t, r in nct.objects(sys.argv[1]):
    if t == nct.SAMPLES:
        last = max([last] + r[nct.TIMES])
print(last)
PY

now_ns() {
	"$PYTHON" -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))'
}

kill_twenty() {
	readable=0
	complete=0
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		kill_one
	done
}
kill_one() {
	"$RECORD" -q -o "$tmp/k.nct" 2>"$tmp/err" &
	victim=$!
	# It is recording once its first frame is there.
	wait_for 5 [ -s "$tmp/k.nct" ]
	started=$(now_ns)
	sleep "$(awk "BEGIN { print 0.3 + $i * 0.12 }")"
	killed=$(now_ns)
	kill -9 "$victim"
	wait "$victim" 2>/dev/null || :
	"$REPORT" summary "$tmp/k.nct" >"$tmp/out" 2>"$tmp/err" && grep -qi 'cut' "$tmp/err" &&
		readable=$((readable + 1))
	last=$("$PYTHON" "$tmp/last.py" "$tmp/k.nct")
	[ "$last" -gt 0 ] || last=$started
	echo "kill $i: $(((killed - last) / 1000000)) ms are missing"
	[ $((killed - last)) -gt 1050000000 ] || complete=$((complete + 1))
}
all_complete() {
	[ "$complete" -eq 20 ]
}
kill_twenty
expect kill-20-readable-and-said-to-be-cut [ "$readable" -eq 20 ]
amount kill-20-miss-a-tick-at-most kill_twenty all_complete

# ended NAME SIGNAL: closes the trace properly
ended() {
	"$RECORD" -q -o "$tmp/s.nct" &
	victim=$!
	wait_for 5 [ -s "$tmp/s.nct" ]
	kill -s "$2" "$victim"
	status=0
	wait "$victim" || status=$?
	"$REPORT" summary "$tmp/s.nct" >/dev/null 2>"$tmp/err" || status=99
	cat "$tmp/err"
	expect "$1" [ "$status" -eq 0 -a ! -s "$tmp/err" ]
}
ended term-closes-the-trace TERM
# Ctrl-C reaches the whole foreground group; a background process of a script ignores SIGINT unless told.
expect int-closes-the-trace timeout --preserve-status -s INT 1 "$RECORD" -q -o "$tmp/i.nct" -- sleep 20
expect int-is-complete [ -z "$("$REPORT" summary "$tmp/i.nct" 2>&1 >/dev/null)" ]
expect int-ended-the-command [ -z "$(pgrep -f '^sleep 20$' || :)" ]
"$RECORD" -q -o "$tmp/m.nct" &
victim=$!
wait_for 5 [ -s "$tmp/m.nct" ]
sleep 0.2
kill -s USR1 "$victim"
sleep 0.2
kill "$victim"
wait "$victim"
expect usr1-marks-and-goes-on [ "$("$PYTHON" -c "
import sys
sys.path.insert(0, 'tests')
import nct
print([r[2] for t, r in nct.objects('$tmp/m.nct') if t == 22])")" = "['SIGUSR1']" ]
expect child-ends-it "$RECORD" -q -o "$tmp/c.nct" -- true
expect duration-ends-it timeout 10 "$RECORD" -q -d 1 -o "$tmp/d.nct"
