#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks packets that XDP takes in the driver, which softnet_stat never counts. They count in the cost of a packet,
# which would otherwise not be shown, and they are charged to no process.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/owners.sh
need_recorder
need_command ip

XDP=$BUILD/tests/xdp
DROPPED=5000 PASSED=200
netns_pair client server
receiver "$server" udp 6001
a=$spawned

# The kernel detaches a program some time after its process has ended.
detached() {
	! ip -n "$server" link show dev eth0 | grep -q xdp
}

# xdp ACTION: attaches a program to the driver for packets to port 9. Sets $spawned to its pid
xdp() {
	wait_for 10 detached
	rm -f "$tmp/attached"
	spawn ip netns exec "$server" "$XDP" eth0 drv 9 "$1" >"$tmp/attached"
	wait_for 10 test -s "$tmp/attached"
}

# costs TRACE: prints the cost of a packet in the RX softirq by softnet_stat and by polls ("null": not shown), and the
# number of packets in polls. Uses the times that include the own cost, because the error of the own cost may exceed the
# cost of so few packets.
costs() {
	"$PYTHON" - "$1" "$REPORT" <<'END'
import json, subprocess, sys
trace, report = sys.argv[1:]
unit = json.loads(subprocess.run([report, "summary", "--with-own-cost", "--format=json", trace], stdout=subprocess.PIPE).stdout)["unit_costs"]
shown = lambda key: "null" if unit.get(key) is None else "shown"
print(shown("rx_softirq_ns_per_packet"), shown("rx_softirq_ns_per_polled_packet"))
END
}

# polled TRACE LEAST: succeeds if NAPI polled at least LEAST packets
polled() {
	"$PYTHON" - "$1" "$2" <<'END'
import sys
sys.path.insert(0, "tests")
import nct
last = {}
for kind, r in nct.objects(sys.argv[1]):
    if kind == nct.EXACT and 6 in r:
        first = last.get(r[1], (r[6],))[0]
        last[r[1]] = first, r[6]
n = sum((b or 0) - (a or 0) for first, end in last.values() for a, b in zip(first, end))
print(n, "packets were polled", file=sys.stderr)
sys.exit(n < int(sys.argv[2]))
END
}

for action in drop tx "cpumap:$other"; do
	name=xdp-${action%:*}
	xdp "$action"
	record "$tmp/$name.nct" "$client" "$PACKETS" send udp "$server_ip" $PASSED 200 6001:1 9:$((DROPPED / PASSED))
	expect "$name-polled" polled "$tmp/$name.nct" $((DROPPED + PASSED))
	expect "$name-costs" [ "$(costs "$tmp/$name.nct")" = "null shown" ]
	expect "$name-sums" owners sums "$tmp/$name.nct"
	expect "$name-taken" owners fate "$tmp/$name.nct" xdp $DROPPED
	expect "$name-receiver" owners between "$tmp/$name.nct" "$a" $PASSED $PASSED
	kill "$spawned"
done

# Without exact counters polls are not counted: the cost of a packet is unknown, and the reason is reported.
xdp drop
"$RECORD" -q --exact=off -o "$tmp/off.nct" -- ip netns exec "$client" "$PACKETS" send udp "$server_ip" $PASSED 200 9:1 6001:1
expect xdp-off-costs [ "$(costs "$tmp/off.nct")" = "null null" ]
expect xdp-off-says-why sh -c "'$REPORT' --full '$tmp/off.nct' | grep -q 'RX softirq  *-  .*softnet_stat does not count packets consumed by XDP'"
