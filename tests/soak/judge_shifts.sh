#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/soak/shifts.py: the judge of delays rejects a missing delay, one that is too small, and one at an earlier hook; and
# reports noise that is as large.
. tests/lib.sh

# report NAME EARLIER LATER: writes a report with these latencies in ns
report() {
	for hook in "earlier $2" "later $3"; do
		for q in p50 p90 p99; do
			echo "$q ${hook#* }" | awk '{ printf "\"%s_ns\": %d, \"%s_low_ns\": %d, \"%s_high_ns\": %d, ", $1, $2, $1, $2 - 16, $1, $2 + 16 }'
		done | sed "s/^/{\"hook\": \"${hook% *}\", /; s/, \$/}/"
		echo
	done | "$PYTHON" -c 'import json, sys; print(json.dumps({"rows": [json.loads(line) for line in sys.stdin]}))' >"$tmp/$1"
}

shifts() {
	"$PYTHON" tests/soak/shifts.py "$@"
}

# judged NAME AFTER US EARLIER_VERDICT LATER_VERDICT: checks the verdicts of shifts.py
judged() {
	shifts judge x "$tmp/before,$tmp/again" "$tmp/$2" "$3" earlier -- later >"$tmp/verdicts"
	expect "shifts-$1" [ "$(cut -d : -f 1 "$tmp/verdicts" | tr '\n' ' ')" = \
		"$4 x-earlier-p50 $4 x-earlier-p90 $4 x-earlier-p99 $5 x-later-p50 $5 x-later-p90 $5 x-later-p99 " ]
}

report before 1000 20000
report again 1016 20300
report moved 1010 70100
report less 1010 60100
report both 51010 70100
report ten 1010 30100
judged moved moved 50 right right
judged none again 50 right wrong
judged less less 50 right wrong
judged earlier both 50 wrong right
judged ten ten 10 right right
judged too-noisy ten 0.5 right unsure
expect shifts-refuses shifts refuses "$tmp/before,$tmp/again" "$tmp/moved" 50 earlier -- later
expect shifts-refuses-wrong sh -c "! $PYTHON tests/soak/shifts.py refuses '$tmp/before,$tmp/again' '$tmp/again' 50 earlier -- later"

# said NAME WANTED VERDICT...: checks the result for one verdict per round
said() {
	name=$1 wanted=$2
	shift 2
	for verdict; do
		echo "$verdict x: y"
	done >"$tmp/rounds"
	expect "shifts-$name" [ "$(shifts results "$tmp/rounds" | cut -d : -f 1)" = "$wanted x" ]
}

said right ok right
said right-later ok unsure right
said wrong-at-first ok wrong unsure right
said wrong-always "not ok" wrong wrong wrong
said never-said skip unsure unsure unsure
