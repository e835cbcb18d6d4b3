#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A kill costs no more than what came after the last tick, also where a file of --rotate ends: a second, and the time to wake up
# and to write a frame.
. tests/lib.sh
need_recorder
. tests/soak/lib/quiet.sh

now_ns() {
	"$PYTHON" -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))'
}

# kill_one SECONDS OPTION...: kills a recorder after that time; counts complete files in $complete
kill_one() {
	after=$1
	shift
	rm -rf "$tmp/k"
	mkdir "$tmp/k"
	"$RECORD" -q "$@" -o "$tmp/k/r.nct" &
	victim=$!
	wait_for 10 sh -c "[ -s '$tmp'/k/*.nct ] || [ -s '$tmp'/k/*.part ]"
	started=$(now_ns)
	sleep "$after"
	killed=$(now_ns)
	kill -9 "$victim"
	wait "$victim" 2>/dev/null || :
	last=$("$PYTHON" tests/host/rotate.py last "$tmp"/k/*)
	[ "$last" -gt 0 ] || last=$started
	echo "$(((killed - last) / 1000000)) ms are missing"
	[ $((killed - last)) -gt 1050000000 ] || complete=$((complete + 1))
}

kill_twenty() {
	complete=0
	for i in $(seq 20); do kill_one "$(awk "BEGIN { print 0.3 + $i * 0.12 }")"; done
}
kill_at_seams() {
	complete=0
	for i in $(seq 0 7); do kill_one "$(awk "BEGIN { print 1.9 + $i * 0.02 }")" --rotate=1s -i 100; done
}
all_complete() {
	[ "$complete" -eq "$1" ]
}
kill_twenty
amount kill-20-miss-a-tick-at-most kill_twenty all_complete 20
kill_at_seams
amount rotate-killed-at-a-seam-loses-a-second kill_at_seams all_complete 8
