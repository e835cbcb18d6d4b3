#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The truth lies in the samples' 95 % interval in 90 of 100 windows of a recording: work of a known length, done
# for each packet by a BPF program of our own, and the RX softirq around it, which is counted exactly, too.
#
# The sender never sleeps, and waits between its packets for a random time: nothing here keeps step with the
# sampler, and no sample is missing for that its CPU was idle. How long the work is changes with every packet, and
# how much it is with every window that other processes want the CPU in.
# shellcheck disable=SC2154 # netns_pair sets client and server
. tests/lib.sh
need_recorder
need_command zstd tc taskset

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//')

# covered NAME HOOK CATEGORY HZ: sends packets for some 28 s, in windows of 200 ms
covered() {
	if ! "$BUILD/tests/spin" -r 0 -s 0 -g 0 "$2" "$client" "$server" >"$tmp/blocks" 2>"$tmp/why"; then
		skip "$1" "$(tail -n 1 "$tmp/why")"
		return
	fi
	# shellcheck disable=SC2016 # for the inner shell
	"$RECORD" -q --budget=none -C "$here" -F "$4" -i 200 -o "$tmp/t.nct" -- \
		sh -c 'exec timeout -s INT 28 "$@" >"$0"' "$tmp/blocks" \
		nice -n -15 "$BUILD/tests/spin" -c "$here" -r 1000000 -s 1 -b 1 -l 0 -p 600 \
		-t 20,50,100,200,500 "$2" "$client" "$server" || :
	judge "$1" "the samples of too many windows are not complete" \
		"$PYTHON" tests/soak/covered.py "$REPORT" "$tmp/t.nct" "$tmp/blocks" "$3"
}

covered covered-tc tc tc_ingress 997
covered covered-xdp xdp xdp_generic 4999
