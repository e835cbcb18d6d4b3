#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --exact=full: work of a known length comes back in the event that handles the packet, and in the part around it, in a softirq
# and in a thread of NAPI; the time of threads is what the scheduler reports.
. tests/lib.sh
need_recorder
need_command zstd tc taskset
. tests/soak/lib/spin.sh
N=1000

said() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

inclusive() {
	[ "$status" -ne 3 ] || return 0
	judge "$1-inclusive" "this host does too much else to say" \
		"$PYTHON" tests/host/injected.py back "$tmp/t.nct" "$tmp/blocks" total:driver_poll
	expect "$1-sums" [ "$(said 'x.check_parts() and x.lost(7) == 0')" = True ]
}

thread_ran() {
	for napi in $(pgrep '^napi/'); do cat "/proc/$napi/schedstat" 2>/dev/null || :; done | awk '{ n += $1 } END { print n + 0 }'
}

# record_flood: sends N packets; sets rx_ns and thread_ns from the trace, and ran_ns from the
# scheduler
record_flood() {
	ran_ns=$(thread_ran)
	"$RECORD" -q -F 0 -i 20 --exact=full -o "$tmp/t.nct" -- \
		sh -c "ip netns exec '$client' '$BUILD/tests/udp' flood '$server_ip' 7001 $N 500; sleep 0.3"
	ran_ns=$(($(thread_ran) - ran_ns))
	thread_ns=$(said 'sum(x.ns("rx_thread"))')
	rx_ns=$((thread_ns + $(said 'sum(x.ns("rx_softirq"))')))
	echo "RX work: $rx_ns ns, of which $thread_ns by threads, which ran for $ran_ns"
}

spawn ip netns exec "$server" "$BUILD/tests/udp" sink 7001
ip netns exec "$server" "$BUILD/tests/udp" gro eth0 on
ip netns exec "$client" "$BUILD/tests/udp" tso eth0 off
is_no_thread() {
	[ "$thread_ns" -lt $((rx_ns / 10)) ]
}
record_flood
amount parts-softirq-is-no-thread record_flood is_no_thread
record_more=--exact=full
calibrated parts-tc rx_softirq -r 8 -t 0,20,100 -c "$here" tc
inclusive parts-tc

if ! ip netns exec "$server" sh -c 'echo 1 >/sys/class/net/eth0/threaded'; then
	skip parts-thread "needs threaded NAPI"
	exit
fi
is_a_thread() {
	[ "$thread_ns" -gt $((rx_ns * 8 / 10)) ]
}
# The scheduler's figure includes softirqs that interrupt a thread, and more of each context switch,
# while the recorder's figure does not (measured: 2 us of the 12 that a thread runs for a packet).
as_the_scheduler_has_it() {
	[ "$thread_ns" -gt $((ran_ns / 2)) -a "$thread_ns" -lt $((ran_ns * 11 / 10)) ]
}
record_flood
amount parts-thread-is-one record_flood is_a_thread
amount parts-thread-time record_flood as_the_scheduler_has_it
calibrated parts-thread-tc rx_thread -r 8 -t 0,20,100 -s 400 -b 1 -l 500 -c "$here" tc
inclusive parts-thread-tc
