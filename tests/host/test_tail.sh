#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What CPUs did while the slowest packets waited (--tail): what was done to these packets on purpose is what it names first:
# a program that spins at TC, a reader that sleeps, or does something else, a real-time task on the reader's CPU, and interrupts that are disabled.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/quiet.sh
need_recorder
need_command zstd ip tc

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of our CPUs
other=0

tail_py() {
	"$PYTHON" tests/host/tail.py "$@"
}

# ended PID...
ended() {
	kill "$@" 2>/dev/null || :
	wait "$@" 2>/dev/null || :
}

# ready COMMAND...: in the background, when it has printed a line
ready() {
	rm -f "$tmp/ready"
	spawn "$@" >"$tmp/ready" 2>"$tmp/why"
	wait_for 10 test -s "$tmp/ready"
}

# receiver MS: reads each packet so long after it came; its pid is in $reader
receiver() {
	ready ip netns exec "$server" taskset -c "$other" "$PYTHON" tests/host/latency.py receive udp 6001 "$1"
	reader=$spawned
}

# record NAME PACKETS US [OPTIONS]: while so many packets are sent, one every US
record() {
	recorded=$tmp/$1.nct packets=$2 us=$3
	shift 3
	"$RECORD" -q --exact=off --tail -i 100 -o "$recorded" "$@" -- ip netns exec "$client" taskset -c "$here" \
		"$PYTHON" tests/host/latency.py send udp "$server_ip" 6001 "$packets" "$us"
}

# ---- is it measured?

"$RECORD" -q -F 0 --exact=off --tail -o "$tmp/none.nct" -- true
"$REPORT" latency --tail "$tmp/none.nct" >"$tmp/none.txt"
! why=$(grep "could not be measured" "$tmp/none.txt") || skip_all "not measured here: $why"
expect tail-told grep -q 'one tick and hook' "$tmp/none.txt"

# ---- a program that spins at TC, in the softirq that has the packet

spun_once() {
	receiver 0
	ready "$BUILD/tests/spin" -o 6001 -t 2000 tc-port - "$server" || skip_all "spin: $(tail -n 1 "$tmp/why")"
	record spun 100 20000 -F 0
	ended "$spawned" "$reader"
}

spun_once
amount tail-spun spun_once tail_py first "$tmp/spun.nct" udp-socket-enqueued 2000 8 softirq 3
expect tail-spun-sums tail_py sums "$tmp/spun.nct"
expect tail-spun-verifies "$REPORT" verify -q "$tmp/spun.nct"
expect tail-spun-reported sh -c '"$1" latency --tail "$2" | grep -q "softirq NET_RX ran"' sh "$REPORT" "$tmp/spun.nct"

# ---- a reader that is late

late_once() {
	receiver 20
	record late 60 40000 -F 0
	ended "$reader"
}

late_once
amount tail-late late_once tail_py first "$tmp/late.nct" udp-socket-read 20000 8 reader-late

# ---- a reader that does something else

busy_once() {
	spawn ip netns exec "$server" taskset -c "$other" "$BUILD/tests/udp" busy 6001 20000
	reader=$spawned
	sleep 0.2
	record busy 60 40000
	ended "$reader"
}

busy_once
amount tail-busy busy_once tail_py first "$tmp/busy.nct" udp-socket-read 20000 8 reader-ran
expect tail-busy-functions sh -c '"$1" latency --tail "$2" | grep -Eq "of [0-9]+ samples: [0-9]+ in \\[user\\]"' sh "$REPORT" "$tmp/busy.nct"

# ---- a real-time task on the reader's CPU

hog_once() {
	receiver 0
	ready "$PYTHON" tests/host/tail.py hog "$other" 20 || return
	record hog 300 7000 -F 0
	ended "$spawned" "$reader"
}

if hog_once; then
	amount tail-hog hog_once tail_py first "$tmp/hog.nct" udp-socket-read 10000 8 task 1 hog
else
	skip tail-hog "$(tail -n 1 "$tmp/why")"
	ended "$reader"
fi

# ---- interrupts disabled, when the reader gets its CPU. That is seen by a timer that is late, of which the sampler is one

masked_once() {
	receiver 0
	ready "$BUILD/tests/spin" -o 6001 -t 8000 -a "$reader" switched - "$server" || return
	record masked 80 30000
	ended "$spawned" "$reader"
}

if masked_once; then
	amount tail-masked masked_once tail_py first "$tmp/masked.nct" udp-socket-read 8000 8 interrupts-off
	expect tail-masked-sums tail_py sums "$tmp/masked.nct"
else
	skip tail-masked "spin: $(tail -n 1 "$tmp/why")"
	ended "$reader"
fi
