#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf record, beside us, sees the same share of net_rx_action.
#
# The load is a sender on each CPU that never sleeps. Loads that do are unsuitable for comparing samplers: a timer
# that wakes them is delayed to the next interrupt within its slack, for example the sampler's own, and
# they are then aliased with it; two samplers at the same time differ by up to ten points there, even
# perf and perf.
. tests/lib.sh
need_recorder
need_command perf zstd
. tests/soak/lib/quiet.sh

cpus=$(getconf _NPROCESSORS_ONLN)
for cpu in $(seq 0 $((cpus - 1))); do
	spawn taskset -c "$cpu" "$BUILD/tests/sockcalls" send 1000000000
done
sleep 0.5

# There are four recordings, because two samplers' views of one load vary between recordings by more
# than the number of samples explains: the timers of the CPUs start at other distances each time.
record_four() {
	files=
	for round in 1 2 3 4; do
		"$RECORD" -q --budget=none -o "$tmp/$round.nct" -- sh -c '"$@"; echo $? >"$0"' "$tmp/status" \
			perf record -q -k CLOCK_MONOTONIC -e cpu-clock -F 999 -a -g -o "$tmp/perf.data" -- sleep 4
		[ "$(cat "$tmp/status")" = 0 ] || skip_all "perf record: exit status $(cat "$tmp/status")"
		perf script -i "$tmp/perf.data" -F time,ip,sym >"$tmp/$round.script" 2>/dev/null
		files="$files $tmp/$round.nct $tmp/$round.script"
	done
}
agrees() {
	# shellcheck disable=SC2086 # a list
	"$PYTHON" tests/soak/share.py net_rx_action 999 "$cpus" $files
}
record_four
amount perf-agrees-within-2-points record_four agrees
