#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf record, beside us, gives the same picture of a load: each stack that is frequent has the same share in both
# tools' folded stacks.
#
# The load is perf.sh's, and so is the number of recordings, for the reasons that it has.
. tests/lib.sh
need_recorder
need_command perf zstd

cpus=$(getconf _NPROCESSORS_ONLN)
for cpu in $(seq 0 $((cpus - 1))); do
	spawn taskset -c "$cpu" "$BUILD/tests/sockcalls" send 1000000000
done
sleep 0.5

files=
for round in 1 2 3 4; do
	"$RECORD" -q -o "$tmp/t.nct" -- sh -c '"$@"; echo $? >"$0"' "$tmp/status" \
		perf record -q --no-bpf-event --kernel-callchains -e cpu-clock -F 999 -a -g -o "$tmp/perf.data" -- sleep 4
	[ "$(cat "$tmp/status")" = 0 ] || skip_all "perf record: exit status $(cat "$tmp/status")"
	"$REPORT" folded --task=sockcalls "$tmp/t.nct" >"$tmp/$round.ours"
	perf script -i "$tmp/perf.data" 2>"$tmp/err" | "$PYTHON" tests/collapse.py |
		sed -n 's/^sockcalls /[user] /p; s/^sockcalls;//p' >"$tmp/$round.theirs"
	! grep "Can't parse" "$tmp/err" || skip_all "perf script cannot read the output of perf record"
	files="$files $tmp/$round.ours $tmp/$round.theirs"
done
# shellcheck disable=SC2086 # a list
judge folded-is-perf-s-picture "too much else runs here" "$PYTHON" tests/soak/picture.py $files
