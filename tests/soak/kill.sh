#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A kill costs no more than what came after the last tick, also where a file of --rotate ends: a second, and the time to wake up
# and to write a frame. After 1000 kills at random moments (or $NETCOST_KILLS) each trace is sound up to its end, and nothing is left.
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

tc qdisc show >"$tmp/before"
broken=0
for i in $(seq "${NETCOST_KILLS:-1000}"); do
	rm -rf "$tmp/k" && mkdir "$tmp/k" && set --
	[ $((i % 3)) -ne 1 ] || set -- --exact=full --budget=none --processes --owners --tail --stages --peers=9 --certify --rotate=1s --post=true
	[ $((i % 3)) -ne 2 ] || set -- --budget=0.5 --latency-by=cgroup --exact=calls -i 10
	"$RECORD" -q -d 60 "$@" -o "$tmp/k/r.nct" 2>/dev/null &
	victim=$!
	[ $((i % 2)) -eq 0 ] || wait_for 60 sh -c "[ -s '$tmp'/k/*.nct ] || [ -s '$tmp'/k/*.part ]"
	sleep "$(shuf -i 10000-13000 -n 1 | sed 's/^1\(.\)/\1./')"
	kernel_holds $victim >>"$tmp/held"
	kill -9 $victim
	wait $victim 2>/dev/null || :
	for file in $(find "$tmp/k" -type f -size +0); do
		"$REPORT" verify "$file" >"$tmp/verified" || [ $? -eq 3 ] || { broken=$((broken + 1)) && cat "$tmp/verified"; }
		echo "$file" >>"$tmp/traces"
	done
done
echo "$i kills, $(wc -l <"$tmp/traces") traces, $broken broken; $(sort -u "$tmp/held" | wc -l) objects of the kernel"
expect kills-leave-sound-traces [ $broken -eq 0 ]
expect kills-leave-nothing-in-the-kernel wait_for 60 kernel_forgot "$tmp/held"
expect kills-leave-no-statistics wait_for 60 "$PYTHON" tests/host/generated.py statistics
expect kills-leave-no-qdisc [ "$(tc qdisc show | cat - "$tmp/before" | sort | uniq -u)" = "" ]
