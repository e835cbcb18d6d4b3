#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# netcost against perf, in one run on the same seconds of the same load: ratios, not absolute speeds, as
# the machine may be noisy. `make bench`; SECONDS_RECORDED=60 for the budgets' own length; BASELINE=DIR also compares
# with an earlier build, whose folder that is.
cd "$(dirname "$0")/../.."
. tests/lib.sh
need_recorder
need_command iperf3 perf zstd

seconds=${SECONDS_RECORDED:-20}
netns_pair client server
spawn ip netns exec "$server" iperf3 -s >"$tmp/server.log" 2>&1
wait_for 10 netns_listening "$server" 5201
# The demo's, over and over: 5 s of UDP, 5 s of TCP.
load() {
	while ip netns exec "$client" iperf3 -c "$server_ip" -t 5 -u -b 400M -l 1400 &&
		ip netns exec "$client" iperf3 -c "$server_ip" -t 5; do :; done
}
spawn load >"$tmp/client.log" 2>&1
sleep 1

stats=$(cat /proc/sys/kernel/bpf_stats_enabled 2>/dev/null || echo 0)
restore() {
	{ echo "$stats" >/proc/sys/kernel/bpf_stats_enabled; } 2>/dev/null || :
}
"$PYTHON" tests/bench/bench.py "$tmp" "$seconds" "$RECORD" "$REPORT"
[ -z "${BASELINE:-}" ] || "$PYTHON" tests/bench/baseline.py "$tmp" "$seconds" "$BUILD" "$BASELINE"

# What each program costs a run, from the kernel's own statistics: they cost time themselves, so this is a
# recording of its own.
if { echo 1 >/proc/sys/kernel/bpf_stats_enabled; } 2>/dev/null; then
	for exact in entry full; do
		echo "--exact=$exact:"
		"$BUILD/tests/empty" "$RECORD" -q -F 0 --exact=$exact -o "$tmp/stats.nct" -- \
			sh -c 'sleep 4; bpftool prog show --json >"$1"' sh "$tmp/progs.json"
		"$PYTHON" tests/bench/programs.py "$tmp/progs.json"
	done
	restore
else
	echo "cost of the BPF programs: kernel.bpf_stats_enabled cannot be set here"
fi
