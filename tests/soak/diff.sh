#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `netcost-report diff` finds work that a BPF program of our own adds to each packet, a tenth of what its RX softirq
# takes; and of 100 random pairs of halves of one recording at most 5 are reported as different.
# shellcheck disable=SC2154 # spin.sh sets here, client and server
. tests/lib.sh
need_recorder
need_command zstd tc taskset
. tests/soak/lib/spin.sh

if ! "$BUILD/tests/spin" -r 0 -s 0 -g 0 tc "$client" "$server" >/dev/null 2>"$tmp/why"; then
	skip_all "$(tail -n 1 "$tmp/why")"
fi

# Each packet has work of 8 or 9 us, in turns of some 300 ms.
# shellcheck disable=SC2016 # for the inner shell
nice -n -15 "$RECORD" -q --budget=none -C "$here" -F 2499 -i 20 -o "$tmp/turns.nct" -- sh -c 'exec timeout -s INT 30 "$@" >"$0"' "$tmp/blocks" \
	"$BUILD/tests/spin" -c "$here" -t 8,9 -r 10000 -s 500 -b 50 -l 0 -g 0 tc "$client" "$server" || :
judge diff-finds-slowdown "this host's load varies too much to say" \
	"$PYTHON" tests/soak/dealt.py "$REPORT" "$tmp/turns.nct" "$tmp/blocks"

# Other traffic does no harm: except for chance, both halves have the same amount of it. The work is
# short, so that a second has many intervals.
judge diff-of-halves "more than 5 of 100, but no more than chance makes of 5" \
	"$PYTHON" tests/report/resample.py "$REPORT" "$tmp/turns.nct" 100 1
