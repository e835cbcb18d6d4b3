#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that under any load the parts sum to the elapsed time between any two ticks, on each CPU, to the nanosecond,
# and that no counter decreases. Ticks are 10 ms apart, so that many of them occur in the middle of an event.
. tests/lib.sh
need_recorder
need_command iperf3 zstd taskset
netns_pair client server

# identity NAME COMMAND...: records while the command runs, and checks the identities
identity() {
	name=$1
	shift
	"$RECORD" -q -F 0 -i 10 -o "$tmp/t.nct" -- "$@" >"$tmp/out" 2>&1 || cat "$tmp/out"
	"$PYTHON" tests/nct.py "$tmp/t.nct" '"%d ticks, %d sends, %d receives, %d softirqs" % (len(x.ticks),
		x.calls("sock_send"), x.calls("sock_recv"), x.calls("rx_softirq"))'
	expect "identity-$name" [ "$("$PYTHON" tests/nct.py "$tmp/t.nct" 'x.check_identity()')" = True ]
}

identity idle sleep 0.3

# Senders that never sleep, one per CPU, so that the recorder starts and stops in the middle of a call.
for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	spawn taskset -c "$cpu" "$BUILD/tests/sockcalls" send 1000000000
	flood="${flood:-} $spawned"
done
for round in 1 2 3; do
	identity "attached-in-a-flood-$round" sleep 0.2
done
# shellcheck disable=SC2086 # a list
kill $flood

spawn ip netns exec "$server" iperf3 -s >"$tmp/server" 2>&1
wait_for 60 netns_listening "$server" 5201
identity tcp ip netns exec "$client" iperf3 -c "$server_ip" -t 1
identity tcp-both-ways ip netns exec "$client" iperf3 -c "$server_ip" -t 1 --bidir -P 4
identity udp ip netns exec "$client" iperf3 -c "$server_ip" -u -b 0 -l 200 -t 1

# Checks tasks that migrate, wait, and end.
identity migrating "$BUILD/tests/spin" -t 0,20 -r 1 -s 8 -b 50 -l 25000 -m 200 tc "$client" "$server"
identity exiting "$BUILD/tests/waits" send-exit 1
identity killed "$BUILD/tests/waits" recv-killed 1
identity starting sh -c 'i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i + 1)); done'

# The recorder's largest resident size never decreases in a trace, although the kernel's value may.
largest_rises() {
	NETCOST_TEST_RSS=1 LD_PRELOAD=$PWD/$BUILD/tests/unplug.so "$RECORD" -q -F 0 --exact=off --budget=none --latency -i 100 -d 1 -o "$tmp/rss.nct" &&
		"$PYTHON" tests/nct.py "$tmp/rss.nct" '[r[3] for kind, r in raw_objects(path) if kind == SELF]' >"$tmp/rss" && cat "$tmp/rss" &&
		"$PYTHON" -c 'import sys; v = eval(open(sys.argv[1]).read()); sys.exit(v != sorted(v) or len(v) < 3)' "$tmp/rss"
}
expect identity-largest-resident-size largest_rises
