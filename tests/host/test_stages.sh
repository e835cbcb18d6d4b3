#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Packets' ways (--stages): datagrams over a pair of virtual interfaces, which is one way from the sender's queue to the
# reader: all of them are followed to their end, their stages are in an order that can be, and sum to the whole. What is
# dropped has a reason. A sample is like all.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/quiet.sh
need_recorder
need_command zstd ip

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of our CPUs
PACKETS=${NETCOST_STAGES_PACKETS:-10000}

stages() {
	"$PYTHON" tests/host/stages.py "$@"
}

# record NAME N COMMAND...: the trace, and the report
record() {
	recorded=$1 every=$2
	shift 2
	"$RECORD" -q -F 0 --exact=off "--stages=1/$every" -i 250 -o "$tmp/$recorded.nct" -- "$@"
	"$REPORT" stages --format=json "$tmp/$recorded.nct" >"$tmp/$recorded.json"
}

record first 1 true
missing=$(stages lacks "$tmp/first.json" queued driver entry receive socket read freed dropped) ||
	skip_all "not all is measured here: $missing"
expect stages-told stages told "$tmp/first.json"

# ---- all, and beside it a sample of the same packets

send_all() {
	rm -f "$tmp/ready"
	spawn ip netns exec "$server" "$PYTHON" tests/host/latency.py receive udp 6001 0 >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
	record all 1 "$RECORD" -q -F 0 --exact=off --stages=1/64 -i 250 -o "$tmp/sample.nct" -- \
		ip netns exec "$client" taskset -c "$here" "$PYTHON" tests/host/latency.py send udp "$server_ip" 6001 "$PACKETS" 100
	kill "$spawned" 2>/dev/null || :
}

send_all
expect stages-order stages order "$tmp/all.nct"
expect stages-sums stages sums "$tmp/all.json"
amount stages-finished send_all stages finished "$tmp/all.nct" "$PACKETS"
expect stages-resampled stages resampled "$tmp/all.nct"
expect stages-share stages share "$tmp/sample.nct"
expect stages-sample-order stages order "$tmp/sample.nct"

# ---- what is dropped

record dropped 1 sh -c "ip netns exec $client $PYTHON tests/host/stages.py refused $server_ip 6009 50; sleep 0.1"
expect stages-dropped stages dropped "$tmp/dropped.json" NO_SOCKET 50

# ---- from one trace to another

expect stages-verifies "$REPORT" verify -q "$tmp/all.nct" "$tmp/sample.nct" "$tmp/dropped.nct"
"$REPORT" scrub -q "$tmp/all.nct" "$tmp/scrubbed.nct"
expect stages-scrubbed-verifies "$REPORT" verify -q "$tmp/scrubbed.nct"
expect stages-scrubbed-same stages same "$tmp/all.nct" "$tmp/scrubbed.nct"
"$REPORT" cut -q --from=0.5 "$tmp/all.nct" "$tmp/cut.nct"
expect stages-cut-verifies "$REPORT" verify -q "$tmp/cut.nct"
"$REPORT" stages --format=json "$tmp/cut.nct" >"$tmp/cut.json"
expect stages-cut-sums stages sums "$tmp/cut.json"
"$REPORT" merge -q "a=$tmp/all.nct" "b=$tmp/dropped.nct" "$tmp/merged.nct"
expect stages-merged-verifies "$REPORT" verify -q "$tmp/merged.nct"
head -c $(($(stat -c %s "$tmp/all.nct") - 3000)) "$tmp/all.nct" >"$tmp/short.nct"
"$REPORT" recover -q "$tmp/short.nct" "$tmp/recovered.nct" 2>/dev/null || :
expect stages-recovered-order stages order "$tmp/recovered.nct"
