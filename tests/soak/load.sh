#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Ten seconds of UDP between two namespaces: every part is there, the parts are the whole, and a softirq
# inside a send is not counted twice.
. tests/lib.sh
need_recorder
need_command iperf3 zstd
. tests/soak/lib/quiet.sh

netns_pair client server
spawn ip netns exec "$server" iperf3 -s >"$tmp/server" 2>&1
wait_for 10 netns_listening "$server" 5201
load() {
	spawn ip netns exec "$client" iperf3 -c "$server_ip" -u -b 0 -l 1400 -t 12 >"$tmp/client" 2>&1
	sleep 1
	"$RECORD" -q --exact=entry -o "$tmp/t.nct" -d 10
	wait "$spawned" || :
}
if ! load; then
	cat "$tmp/client" "$tmp/server"
	fail load "recording failed"
	exit 1
fi

exact() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

# The load takes more than 1 % of the CPUs' time, and does nothing else.
takes_its_share() {
	echo "$1: $(exact "sum(x.ns('$1')), sum(x.wall_ns())") ns of all"
	[ "$(exact "sum(x.ns('$1')) * 100 > sum(x.wall_ns())")" = True ]
}
for event in sock_send sock_recv rx_softirq; do
	amount "load-$event" load takes_its_share $event
done
expect load-sums-are-wall-time [ "$(exact 'x.sums_ns() == x.wall_ns()')" = True ]
expect load-identity [ "$(exact 'x.check_identity()')" = True ]
expect load-ticks-rise [ "$(exact 'all(a[3][0] < b[3][0] for a, b in zip(x.ticks, x.ticks[1:]))')" = True ]

# Prints the time in which the kernel says that the CPUs were not idle. The reported cost must not
# exceed it.
cat >"$tmp/stat.py" <<'PY'
import sys
sys.path.insert(0, "tests")
import nct
x = nct.Exact(sys.argv[1])
rows = [r for t, r in nct.objects(sys.argv[1]) if t == nct.PROCSTAT]
hz = next(r[15] for t, r in nct.objects(sys.argv[1]) if t == nct.HEADER)
busy = sum(b - a for k in (1, 2, 3, 6, 7) for a, b in zip(rows[0][k], rows[-1][k])) / hz
ours = (sum(x.ns("sock_send")) + sum(x.ns("rx_softirq"))) / 1e9
print("send + RX %.3f s, /proc/stat busy %.3f s" % (ours, busy))
sys.exit(not 0 < ours <= busy)
PY
expect send-and-rx-fit-into-procstat "$PYTHON" "$tmp/stat.py" "$tmp/t.nct"

expect load-trace-is-zstd zstd -tq "$tmp/t.nct"
expect load-no-sample-lost [ "$("$PYTHON" - "$tmp/t.nct" <<'PY'
import sys
sys.path.insert(0, "tests")
import nct
print(sum([r for t, r in nct.objects(sys.argv[1]) if t == 14][-1][2]))
PY
)" = 0 ]
