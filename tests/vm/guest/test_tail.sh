#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What CPUs did while the slowest packets waited (--tail): a TC program spins; interrupts are disabled for as long each time
# that the reader gets a CPU; a real-time task takes that CPU; the reader sleeps, or does something else. The host judges
# (tests/vm/judge_tail.sh).
. ./lib.sh

# priorities of the sender and of the reader (0), because there may be only one CPU
last=$(($(nproc) - 1))

# recorded WHAT VERB PACKETS EVERY_US [OPTIONS]: records while PACKETS are sent
recorded() {
	what=$1 verb=$2 packets=$3 every=$4
	shift 4
	netcost-record -q -i 250 --budget=none --tail --exact=off -o "/out/tail-$what.nct" "$@" -- \
		taskset -c "$last" udp "$verb" 127.0.0.1 6001 "$packets" "$every" 2>/tmp/err
	expect "tail-$what:recording" [ ! -s /tmp/err ]
	cat /tmp/err
	netcost-report latency --tail "/out/tail-$what.nct"
}

# ended PID...: waits until they have ended
ended() {
	kill "$@"
	wait "$@" || : # wait returns the signal that ended the process
}

# spun WHAT HOOK US PACKETS EVERY_US [OPTIONS]: records while a program at HOOK spins for US
spun() {
	hook=$2
	spin -o 6001 -t "$3" -a "$reader" "$hook" - - >/dev/null &
	spin=$!
	sleep 1
	what=$1 packets=$4 every=$5
	shift 5
	recorded "$what" flood "$packets" "$every" "$@"
	ended "$spin"
}

# reads VERB...: starts a reader; its pid is in $reader
reads() {
	taskset -c 0 udp "$@" &
	reader=$!
	sleep 1
}

udp sink 6001 &
reader=$!
sleep 1
spun spun tc-port 5000 200 20000 -F 0
spun masked switched 20000 100 60000 # longer than any other delay in this machine
ended "$reader"

# With one CPU, the sender and the real-time task compete for it, and the reader waits for both.
reads sink 6001
taskset -c 0 waits fifo-hog-long 1000 >/dev/null &
hog=$!
sleep 1
recorded hog rush 150 47000
ended "$hog" "$reader"

reads late 6001 20000
recorded late flood 100 60000 -F 0
ended "$reader"

reads busy 6001 20000
recorded busy flood 100 60000
ended "$reader"
