#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A TC program of our own that works for each packet and for each byte of it makes the prices of both dearer by just that,
# within 5 %: two recordings of the same kind of load, with it and without.
. tests/lib.sh
need_recorder
need_command zstd tc taskset
. tests/soak/lib/spin.sh

packet_ns=20000 byte_ps=20000
load="-r 0 -s 300 -l 20000 -b 200 -z ~1400 -g 0"

# recorded NAME OPTION... HOOK: 6 s of it, with short ticks
recorded() {
	recorded=$1
	shift
	# shellcheck disable=SC2086 # a list
	nice -n -15 "$RECORD" -q -F 0 -i 100 -o "$tmp/$recorded.nct" -- \
		"$BUILD/tests/spin" $load -c "$here" "$@" "$client" "$server" >"$tmp/$recorded.blocks" 2>"$tmp/why" &&
		"$REPORT" prices --format=json "$tmp/$recorded.nct" >"$tmp/$recorded.json"
}

if ! "$BUILD/tests/spin" -r 0 -s 0 -g 0 tc "$client" "$server" >"$tmp/blocks" 2>"$tmp/why"; then
	skip_all "$(tail -n 1 "$tmp/why")"
fi

# A fault is there each time; what the host does beside is not: only what is wrong twice in turn is a failure.
status=3 wrong=0
while [ "$again" -gt 0 ]; do
	again=$((again - 1)) status=1
	if recorded without none && recorded with -t "$((packet_ns / 1000))+$byte_ps" tc; then
		status=0
		"$PYTHON" tests/soak/prices.py "$tmp/with.json" "$tmp/without.json" "$tmp/with.blocks" "$packet_ns" "$byte_ps" ||
			status=$?
	fi
	case $status in
	0) break ;;
	1) [ $((wrong += 1)) -lt 2 ] || break ;;
	esac
done
[ "$status" -ne 1 ] || [ "$wrong" -ge 2 ] || status=3
case $status in
0) pass prices-come-back ;;
3) skip prices-come-back "this host does too much else to say" ;;
*) fail prices-come-back "what a packet and a byte cost more is not what was injected" ;;
esac
"$REPORT" prices "$tmp/with.nct"
expect prices-shown sh -c "'$REPORT' prices '$tmp/with.nct' | grep -q 'RX softirq .* ns a packet'"
expect prices-rule-kept "$REPORT" verify -q "$tmp/with.nct"
if [ "$status" -eq 0 ]; then
	expect prices-hold-when-resampled "$PYTHON" tests/soak/resampled.py "$REPORT" "$tmp/with.nct"
else
	skip prices-hold-when-resampled "this host does too much else to say"
fi
