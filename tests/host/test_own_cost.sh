#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks the recorder's report of its own cost: a known number of calls is counted, and the leaves without the own cost
# still sum to the whole.
. tests/lib.sh
need_recorder
CALLS=200000
tool=tests/host/own_cost.py

expect own-cost-records "$PYTHON" $tool load $CALLS "$RECORD" -q --exact=entry -i 100 -o "$tmp/t.nct"
expect own-cost-verify "$REPORT" verify "$tmp/t.nct"
# If the host is too busy to measure the cost of a class, its record has the reason.
"$REPORT" dump "$tmp/t.nct" >"$tmp/t.json"
if grep -q '"type":"probe_cost","probe":0,"ps"' "$tmp/t.json"; then
	expect own-cost-calls "$PYTHON" $tool calls $CALLS "$REPORT" "$tmp/t.nct"
else
	expect own-cost-calls grep -q '"type":"probe_cost","probe":0,.*"why":"' "$tmp/t.json"
fi
expect own-cost-leaves "$PYTHON" $tool leaves "$REPORT" "$tmp/t.nct"

# A part of the trace, and a copy without names, have the overhead, too.
expect own-cost-cut "$REPORT" cut --from 0.1 --to 0.3 "$tmp/t.nct" -o "$tmp/part.nct"
expect own-cost-cut-verify "$REPORT" verify "$tmp/part.nct"
expect own-cost-scrub "$REPORT" scrub "$tmp/t.nct" -o "$tmp/scrubbed.nct"
expect own-cost-scrub-leaves "$PYTHON" $tool leaves "$REPORT" "$tmp/scrubbed.nct"

# Programs of --owners are a class of their own if they can be excluded for a moment.
"$RECORD" -q -F 0 --budget=none --owners --exact=entry -d 1 -o "$tmp/o.nct"
"$REPORT" dump "$tmp/o.nct" >"$tmp/o.json"
if grep -q '"name":"owners","state":"measured","via":"socket tracepoints' "$tmp/o.json"; then
	expect own-cost-owners grep -qE '"type":"probe_cost","probe":13,("ps"|.*"why":".)' "$tmp/o.json"
	expect own-cost-owners-runs grep -q '"type":"probe_runs","probe":13,' "$tmp/o.json"
else
	skip own-cost-owners "needs tracepoints of Linux 6.3"
fi

# Programs that belong to no class of probes: the overhead includes their time, and samples below them are in no other
# leaf.
netns_pair own peer
own_programs() {
	ip netns exec "$own" ip link set lo up
	what=$1
	shift
	expect "own-programs-$what-records" ip netns exec "$own" "$PYTHON" tests/host/own_programs.py load "$RECORD" -q \
		-o "$tmp/own-$what.nct" "$@"
	expect "own-programs-$what" "$PYTHON" tests/host/own_programs.py check "$REPORT" "$tmp/own-$what.nct"
}
own_programs latency --latency --tail --exact=entry
own_programs stages --stages --exact=off
own_programs sampler --latency --net-only

# Checks that the recorder's own calls over loopback do not wait for ever if no packet arrives.
nothing_arrives() {
	ip netns exec "$client" sh -c 'ip link set lo up && nft add table inet drops &&
		nft add chain inet drops in "{ type filter hook input priority 0; }" &&
		nft add rule inet drops in ip daddr 127.0.0.1 drop' &&
		timeout 120 ip netns exec "$client" "$RECORD" -q -d 1 -o "$tmp/dropped.nct"
}
if command -v nft >/dev/null; then
	netns_pair client server
	expect own-cost-nothing-arrives nothing_arrives
	expect own-cost-nothing-arrives-verify "$REPORT" verify "$tmp/dropped.nct"
else
	skip own-cost-nothing-arrives "needs nf_tables"
fi
