#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What CPUs did while the slowest packets waited (--tail): what was done to these packets on purpose is what it names first:
# a program that spins at TC, a reader that sleeps, or does something else, a real-time task on the reader's CPU, interrupts that
# are disabled, queues of packets that came before them, and a CPU that takes its time to wake. And where they were before.
# shellcheck disable=SC2154 # netns_pair sets these
. tests/lib.sh
. tests/soak/lib/quiet.sh
need_recorder
need_command zstd ip tc

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last available CPU
other=0

tail_py() {
	"$PYTHON" tests/host/tail.py "$@"
}

# ended PID...: waits until they have ended
ended() {
	kill "$@" 2>/dev/null || :
	wait "$@" 2>/dev/null || :
}

# ready COMMAND...: starts the command in the background, and waits for its first line
ready() {
	rm -f "$tmp/ready"
	spawn "$@" >"$tmp/ready" 2>"$tmp/why"
	wait_for 10 test -s "$tmp/ready"
}

# receiver MS: reads each packet MS after the packet arrived; its pid is in $reader
receiver() {
	ready ip netns exec "$server" taskset -c "$other" "$PYTHON" tests/host/latency.py receive udp 6001 "$1"
	reader=$spawned
}

# recorded NAME COMMAND...: records the command on the sender's CPU, with $options
recorded() {
	trace=$tmp/$1.nct
	shift
	# shellcheck disable=SC2086 # words
	"$RECORD" -q --exact=off --budget=none --tail -i 100 -o "$trace" $options -- ip netns exec "$client" taskset -c "$here" "$PYTHON" "$@"
}

# record NAME PACKETS US [OPTIONS]: records while PACKETS are sent, one every US
record() {
	what=$1 packets=$2 us=$3
	shift 3
	options=$*
	recorded "$what" tests/host/latency.py send udp "$server_ip" 6001 "$packets" "$us"
}

# record_bursts NAME PACKETS TIMES MS: records while PACKETS are sent at once, every MS
record_bursts() {
	options="-F 0"
	recorded "$1" tests/host/tail.py bursts "$server_ip" 6001 "$2" "$3" "$4"
}

# ---- whether it is measured

"$RECORD" -q -F 0 --exact=off --budget=none --tail -o "$tmp/none.nct" -- true
"$REPORT" latency --tail "$tmp/none.nct" >"$tmp/none.txt"
! why=$(grep "could not be measured" "$tmp/none.txt") || skip_all "not measured here: $why"

# ---- a program that spins at TC, in the softirq that processes the packet

spun_once() {
	receiver 0
	ready "$BUILD/tests/spin" -o 6001 -t 2000 tc-port - "$server" || skip_all "spin: $(tail -n 1 "$tmp/why")"
	record spun 100 20000 -F 0
	ended "$spawned" "$reader"
}

spun_once
amount tail-spun spun_once tail_py first "$tmp/spun.nct" udp-socket-enqueued 2000 8 softirq 3
expect tail-spun-ways tail_py ways "$tmp/spun.nct" udp-socket-read 8 receive udp-socket-enqueued
amount tail-spun-step spun_once tail_py step "$tmp/spun.nct" udp-socket-read 2000 8 receive udp-socket-enqueued
expect tail-spun-reported sh -c '"$1" latency --tail "$2" | grep -q "softirq NET_RX ran"' sh "$REPORT" "$tmp/spun.nct"

# ---- earlier checkpoints, over TCP

ready ip netns exec "$server" taskset -c "$other" "$PYTHON" tests/host/latency.py receive tcp 6001 0
options="-F 0"
recorded tcp tests/host/latency.py send tcp "$server_ip" 6001 60 20000
ended "$spawned"
expect tail-tcp-ways tail_py ways "$tmp/tcp.nct" tcp-socket-read 8 receive tcp-start tcp-socket-enqueued

# ---- a late reader

late_once() {
	receiver 20
	record late 60 40000 -F 0
	ended "$reader"
}

late_once
amount tail-late late_once tail_py first "$tmp/late.nct" udp-socket-read 20000 8 reader-late
amount tail-late-step late_once tail_py step "$tmp/late.nct" udp-socket-read 20000 8 udp-socket-enqueued udp-socket-read

# ---- a reader with other work

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

# ---- interrupts are disabled when the reader gets its CPU: a timer that is late shows that, and the sampler is such
# a timer

masked_once() {
	receiver 0
	ready "$BUILD/tests/spin" -o 6001 -t 8000 -a "$reader" switched - "$server" || return
	record masked 80 30000
	ended "$spawned" "$reader"
}

if masked_once; then
	amount tail-masked masked_once tail_py first "$tmp/masked.nct" udp-socket-read 8000 8 interrupts-off
else
	skip tail-masked "spin: $(tail -n 1 "$tmp/why")"
	ended "$reader"
fi

# ---- a socket's queue: its reader takes 1 ms for each packet

socket_once() {
	spawn ip netns exec "$server" taskset -c "$other" "$BUILD/tests/udp" busy 6001 1000
	reader=$spawned
	sleep 0.2
	record_bursts socket 30 15 150
	ended "$reader"
}

socket_once
amount tail-queue-socket socket_once tail_py first "$tmp/socket.nct" udp-socket-read 20000 8 queue 2
amount tail-queue-socket-before socket_once tail_py queued "$tmp/socket.nct" udp-socket-read 20000 8 5

# ---- a CPU's backlog: another CPU fills it, and a program at TC takes 1 ms for each packet

backlog_once() {
	receiver 0
	ready "$BUILD/tests/spin" -o 6001 -t 1000 tc-port - "$server" || return
	record_bursts backlog 20 15 150
	ended "$spawned" "$reader"
}

rps=/sys/class/net/eth0/queues/rx-0/rps_cpus
if ! ip netns exec "$server" sh -c "echo 1 >$rps" 2>"$tmp/why"; then
	skip tail-queue-backlog "no RPS: $(tail -n 1 "$tmp/why")"
elif backlog_once; then
	amount tail-queue-backlog backlog_once tail_py first "$tmp/backlog.nct" udp-socket-enqueued 10000 8 queue 0
	ip netns exec "$server" sh -c "echo 0 >$rps"
else
	skip tail-queue-backlog "spin: $(tail -n 1 "$tmp/why")"
	ended "$reader"
fi

# ---- the queue of a device that sends 500 kbit/s

qdisc_once() {
	receiver 0
	record_bursts qdisc 30 15 150
	ended "$reader"
}

if ip netns exec "$client" tc qdisc add dev eth0 root tbf rate 500kbit burst 2000 latency 2s 2>"$tmp/why"; then
	qdisc_once
	amount tail-queue-qdisc qdisc_once tail_py first "$tmp/qdisc.nct" qdisc 15000 8 queue 1
	amount tail-queue-qdisc-before qdisc_once tail_py queued "$tmp/qdisc.nct" qdisc 15000 8 5
	ip netns exec "$client" tc qdisc del dev eth0 root
else
	skip tail-queue-qdisc "tbf: $(tail -n 1 "$tmp/why")"
fi

# ---- the reader's CPU takes 2 ms to wake

woken_once() {
	receiver 0
	ready "$BUILD/tests/spin" -o 6001 -t 2000 -a "$other" woken - "$server" || return
	record woken 100 20000 -F 0
	ended "$spawned" "$reader"
}

if woken_once; then
	amount tail-woken woken_once tail_py first "$tmp/woken.nct" udp-socket-read 2000 8 idle-exit
else
	skip tail-woken "spin: $(tail -n 1 "$tmp/why")"
	ended "$reader"
fi
