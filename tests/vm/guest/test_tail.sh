#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What CPUs did while the slowest packets waited (--tail): a TC program spins, then interrupts are disabled for as long each
# time that the reader gets a CPU. The host judges (tests/vm/judge_tail.sh).
. ./lib.sh

PACKETS=200

# recorded NAME HOOK [OPTIONS]: while a program spins there
recorded() {
	name=$1 hook=$2
	shift 2
	spin -o 6001 -t 5000 -a "$sink" "$hook" - - >/dev/null &
	spin=$!
	sleep 1
	netcost-record -q -i 250 --tail --exact=off -o "/out/tail-$name.nct" "$@" -- udp flood 127.0.0.1 6001 $PACKETS 20000 2>/tmp/err
	expect "tail-$name:recording" [ ! -s /tmp/err ]
	cat /tmp/err
	kill "$spin"
	wait "$spin"
	netcost-report latency --tail "/out/tail-$name.nct"
}

udp sink 6001 &
sink=$!
sleep 1
recorded spun tc-port -F 0
recorded masked switched
kill "$sink"
