#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --exact=full on this kernel, by whatever rung it has: polls are counted as perf(1) counts them, parts sum to no more
# than what they are parts of, threaded NAPI takes over the softirq's time, and work of a known length comes back.
# What it costs besides is not judged: a thread has to wake, on a CPU whose caches are cold (measured: 4 times as much).
. tests/lib.sh
need_recorder
need_command zstd perf tc taskset
N=1000

# said EXPRESSION: of the last trace
said() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

# ints EXPRESSION
ints() {
	said "int($1)"
}

# Polls that were outside, of a recorder that counts them.
polls_outside() {
	ints 'x.lost(8) if 8 in x.loss else 0'
}

# polls FILE: what perf stat wrote
polls() {
	awk -F , '/napi:napi_poll/ { print $1 }' "$1"
}

# Packets that the server's interface has taken in, and those that it had no room for.
arrived() {
	ip netns exec "$server" cat /sys/class/net/eth0/statistics/rx_packets
}
dropped() {
	ip netns exec "$client" cat /sys/class/net/eth0/statistics/tx_dropped
}

# How long NAPI's threads ran so far, as the scheduler has it, in ns.
thread_ran() {
	for napi in $(pgrep '^napi/'); do cat "/proc/$napi/schedstat" 2>/dev/null || :; done | awk '{ n += $1 } END { print n + 0 }'
}

# Sends N packets and waits for them: a thread may come late. Prints how long threads ran meanwhile.
send_all() {
	thread_before=$(thread_ran)
	until=$(($(arrived) + $(dropped) + N))
	ip netns exec "$client" "$BUILD/tests/udp" flood "$server_ip" 7001 $N 500
	waited=0
	while [ $(($(arrived) + $(dropped))) -lt $until ] && [ $((waited += 1)) -lt 100 ]; do sleep 0.1; done
	sleep 0.1
	echo $(($(thread_ran) - thread_before))
}
if [ "${1:-}" = send_all ]; then
	server=$2 client=$3 server_ip=$4
	send_all
	exit
fi

# record_flood: N packets to the server; leaves the trace, and sets rx_ns, thread_ns, arrived, and the least and the most
# that threads ran
record_flood() {
	before=$(arrived) ran_before=$(thread_ran)
	perf stat -o "$tmp/around" -x, -a -e napi:napi_poll -- \
		"$RECORD" -q -F 0 -i 20 --exact=full -o "$tmp/t.nct" -- \
		perf stat -o "$tmp/within" -x, -a -e napi:napi_poll -- \
		sh "$0" send_all "$server" "$client" "$server_ip" >"$tmp/ran"
	most_ran=$(($(thread_ran) - ran_before)) least_ran=$(cat "$tmp/ran")
	arrived=$(($(arrived) - before))
	thread_ns=$(ints 'sum(x.ns("rx_thread"))')
	rx_ns=$(ints 'sum(x.ns("rx_softirq")) + sum(x.ns("rx_thread"))')
}

# flood NAME: what holds for each
flood() {
	record_flood
	said '[(p, x.part_calls(p), x.part_ns(p), x.part_total_ns(p)) for p in PARTS if x.part_column(p, 4)]'
	said '[(e, x.calls(e), sum(x.ns(e))) for e in EVENTS[3:] if None not in x.ns(e)]'
	expect "parts-$1-sums" [ "$(said 'x.check_parts() and x.check_identity()')" = True ]
	expect "parts-$1-none-missed" [ "$(said 'x.lost(7)')" = 0 ]
	polls=$(ints 'x.part_calls("driver_poll")')
	[ "$(said 'x.part_column("driver_poll", 4) is not None')" = True ] || return 0
	seen=$((polls + $(polls_outside)))
	echo "polls: $(polls "$tmp/within") <= $seen <= $(polls "$tmp/around")"
	expect "parts-$1-polls" [ "$(polls "$tmp/within")" -le "$seen" -a "$seen" -le "$(polls "$tmp/around")" ]
}

if ! perf stat -a -e napi:napi_poll -- true >/dev/null 2>"$tmp/why"; then
	skip_all "perf does not count napi_poll here: $(tail -n 1 "$tmp/why")"
fi
. tests/host/spin.sh
spawn ip netns exec "$server" "$BUILD/tests/udp" sink 7001

# gro_sees_them: all that arrived, but for what came before or after. A kernel need not report every switch of tasks (seen on
# 6.18: none away from some tasks of the host): then a NAPI thread that comes next is taken for a task, its polls are counted
# as outside, and up to 64 packets of each, NAPI's weight, are in no part.
gro_sees_them() {
	outside=$(polls_outside)
	echo "polls outside: $outside"
	[ "$(said 'x.part_calls("gro")')" -ge $((arrived - 5 - 64 * outside)) ]
}

# alone NAME COMMAND...: expect, if there was not much else to poll than our packets
alone() {
	if [ "$polls" -gt $((2 * N)) ]; then skip "$1" "other traffic was counted, too"; else expect "$@"; fi
}

alone_amount() {
	if [ "$polls" -gt $((2 * N)) ]; then
		skip "$1" "other traffic was counted, too"
	else
		amount "$1" record_flood "$2"
	fi
}

flood backlog
alone parts-backlog-no-gro [ "$(said 'x.part_calls("gro")')" -lt $((N / 10)) ]

# With GRO, veth polls with NAPI of its own, for a peer without segmentation offload.
ip netns exec "$server" "$BUILD/tests/udp" gro eth0 on
ip netns exec "$client" "$BUILD/tests/udp" tso eth0 off
flood softirq
expect parts-softirq-gro gro_sees_them
is_no_thread() {
	[ "$thread_ns" -lt $((rx_ns / 10)) ]
}
alone_amount parts-softirq-is-no-thread is_no_thread
softirq_ns=$rx_ns

record_more=--exact=full
calibrated parts-tc rx_softirq -r 8 -t 0,20,100 -c "$here" tc
inclusive() {
	[ "$status" -ne 3 ] || return 0
	judge "$1-inclusive" "this host does too much else to say" \
		"$PYTHON" tests/host/injected.py back "$tmp/t.nct" "$tmp/blocks" total:driver_poll
	expect "$1-sums" [ "$(said 'x.check_parts() and x.lost(7) == 0')" = True ]
}
inclusive parts-tc

if ! ip netns exec "$server" sh -c 'echo 1 >/sys/class/net/eth0/threaded'; then
	skip parts-thread "the kernel has no threaded NAPI"
	exit
fi
flood thread
is_a_thread() {
	[ "$thread_ns" -gt $((rx_ns * 8 / 10)) ]
}
alone_amount parts-thread-is-one is_a_thread
expect parts-thread-gro gro_sees_them
echo "RX work: $softirq_ns ns by softirqs, $rx_ns ns by a thread"
# Softirqs that interrupt a thread are in the scheduler's figure, but not in ours, and so is more of each change of tasks
# (measured: 2 us of the 12 that a thread runs for a packet).
as_the_scheduler_has_it() {
	echo "threads ran for $least_ran to $most_ran ns; $thread_ns ns by us"
	[ "$thread_ns" -gt $((least_ran / 2)) -a "$thread_ns" -lt $((most_ran * 11 / 10)) ]
}
amount parts-thread-time record_flood as_the_scheduler_has_it
calibrated parts-thread-tc rx_thread -r 8 -t 0,20,100 -s 400 -b 1 -l 500 -c "$here" tc
inclusive parts-thread-tc
