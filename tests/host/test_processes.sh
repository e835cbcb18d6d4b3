#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is counted by process (--processes) sums to what the CPUs' counters have, and is what the kernel says of each process:
# for loads of the CPU and of the network, and for processes that live for a moment. Calls and bytes are in the right row.
. tests/lib.sh
need_recorder
need_command zstd

SECONDS_EACH=${NETCOST_PROCESSES_SECONDS:-2}

# record COMMAND...
record() {
	"$RECORD" -q -F 0 --processes --exact=entry -i 500 -o "$tmp/t.nct" -- "$@"
}

by_process() {
	"$PYTHON" tests/host/processes.py "$@"
}

for load in spin network storm; do
	record "$PYTHON" tests/host/processes.py load $load "$SECONDS_EACH" >"$tmp/used"
	read -r pid ns children_ns stolen_ns <"$tmp/used"
	expect processes-$load-sums by_process sums "$tmp/t.nct"
	expect processes-$load-as-the-kernel-says by_process used "$tmp/t.nct" "$pid" "$ns" "$children_ns" "$stolen_ns"
	expect processes-$load-verifies "$REPORT" verify "$tmp/t.nct"
done

# Three at once, each with its own number of calls.
cat >"$tmp/three.sh" <<'SH'
for kind in write sendmsg recv; do
	"$BUILD/tests/sockcalls" $kind 1000 inet >/dev/null &
	echo $kind $!
done
wait
SH
record sh "$tmp/three.sh" >"$tmp/kinds"
while read -r kind pid; do
	case $kind in recv) event=recv ;; *) event=send ;; esac
	expect "processes-calls-of-$kind" by_process calls "$tmp/t.nct" "$pid" $event 1000 100000
done <"$tmp/kinds"
expect processes-calls-sums by_process sums "$tmp/t.nct"

# Without times: their calls and bytes.
"$RECORD" -q -F 0 --processes --exact=calls -o "$tmp/t.nct" -- sh "$tmp/three.sh" >"$tmp/kinds"
while read -r kind pid; do
	case $kind in recv) event=recv ;; *) event=send ;; esac
	expect "processes-calls-only-of-$kind" by_process calls "$tmp/t.nct" "$pid" $event 1000 100000
done <"$tmp/kinds"

expect processes-report sh -c "'$REPORT' processes '$tmp/t.nct' | grep -q sockcalls"
expect processes-by-cgroup sh -c "'$REPORT' processes --by=cgroup --format=json '$tmp/t.nct' | grep -q '\"by\": \"cgroup\"'"
