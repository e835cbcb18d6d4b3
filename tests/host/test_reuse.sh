#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks packets that the kernel splits or clones, in memory of other packets that were freed without an event, and
# packets that are read in unusual ways. Each read is counted, and each latency must fit the times that the generator
# noted (tests/host/reuse.py).
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
need_recorder
need_command zstd ip

netns_pair client server
N=100
SEGMENTS=8 # number of segments per packet in reuse.py

"$RECORD" -q -F 0 --exact=off --budget=none --latency -o "$tmp/first.nct" -- true
"$REPORT" latency --format=json "$tmp/first.nct" >"$tmp/first.json"
"$PYTHON" tests/host/latency.py lacks "$tmp/first.json" udp-socket-enqueued udp-socket-read tcp-socket-read ||
	skip_all "needs tracepoints of Linux 6.3"

# latency CASE READS CHECKPOINT...
latency() {
	name=$1 reads=$2
	shift 2
	"$RECORD" -q -F 0 --exact=off --budget=none --latency-only="netns=$server" -i 250 -o "$tmp/$name.nct" -- \
		"$PYTHON" tests/host/reuse.py "$client" "$server" "$name" $N "$tmp/$name.stamps" ||
		fail "reuse-$name-recorded" "expected status 0, got $?"
	for hook; do
		echo "reuse-$name-$hook-count count $tmp/$name.nct $hook $reads" >>"$tmp/lines"
		echo "reuse-$name-$hook waited $tmp/$name.nct $tmp/$name.stamps $hook" >>"$tmp/lines"
	done
}
latency segments $((N * SEGMENTS)) udp-socket-enqueued udp-socket-read
latency multicast $((3 * N)) udp-socket-enqueued udp-socket-read
for how in trunc peek bytes; do
	latency $how $N tcp-socket-read
done
for how in trunc peek bytes; do
	echo "reuse-$how-known known $tmp/$how.nct tcp-socket-read $N" >>"$tmp/lines"
done

"$RECORD" -q -F 0 --exact=off --budget=none --stages=1/1 -i 100 -o "$tmp/stages.nct" -- \
	"$PYTHON" tests/host/reuse.py "$client" "$server" segments $N "$tmp/stages.stamps" ||
	fail reuse-stages-recorded "expected status 0, got $?"
"$REPORT" path --format=json "$tmp/stages.nct" >"$tmp/stages.json"
{
	echo "reuse-stages-split split $tmp/stages.json $N $SEGMENTS"
	echo "reuse-stages-order order $tmp/stages.nct"
	echo "reuse-stages-sums sums $tmp/stages.json"
} >"$tmp/stages-lines"
"$PYTHON" tests/host/judge_latency.py <"$tmp/lines" || lib_failed=1
"$PYTHON" tests/host/stages.py judge <"$tmp/stages-lines" || lib_failed=1
