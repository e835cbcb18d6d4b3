#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What CPUs did while the slowest packets waited (--tail): a TC program spins, then interrupts are disabled for as long each
# time that the reader gets a CPU. The host judges (tests/vm/judge_tail.sh).
. ./lib.sh

# recorded WHAT HOOK US PACKETS EVERY_US [OPTIONS]: while a program spins there for so long
recorded() {
	what=$1 hook=$2 us=$3 packets=$4 every=$5
	shift 5
	spin -o 6001 -t "$us" -a "$sink" "$hook" - - >/dev/null &
	spin=$!
	sleep 1
	netcost-record -q -i 250 --tail --exact=off -o "/out/tail-$what.nct" "$@" -- udp flood 127.0.0.1 6001 "$packets" "$every" 2>/tmp/err
	expect "tail-$what:recording" [ ! -s /tmp/err ]
	cat /tmp/err
	kill "$spin"
	wait "$spin"
	netcost-report latency --tail "/out/tail-$what.nct"
}

udp sink 6001 &
sink=$!
sleep 1
recorded spun tc-port 5000 200 20000 -F 0
recorded masked switched 20000 100 60000 # longer than anything else takes here
kill "$sink"
