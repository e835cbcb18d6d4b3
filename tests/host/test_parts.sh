#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks --exact=full: polls are counted as perf(1) counts them, parts sum to no more than the whole, each packet of the
# test passes GRO if GRO is on, and a NAPI thread has the time of its polls.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
need_recorder
need_command zstd perf
N=1000

# said EXPRESSION: evaluates the expression for the last trace
said() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

# polls FILE: parses the output of perf stat
polls() {
	awk -F , '/napi:napi_poll/ { print $1 }' "$1"
}

# Sends N packets, and waits until each has arrived or was dropped, because a NAPI thread may run late.
cat >"$tmp/send.sh" <<'SH'
. tools/netns.sh
before=$(ip netns exec "$server" cat /sys/class/net/eth0/statistics/rx_packets)
dropped=$(ip netns exec "$client" cat /sys/class/net/eth0/statistics/tx_dropped)
ip netns exec "$client" "$BUILD/tests/udp" flood "$server_ip" 7001 $N 500
all_came() {
	now=$(ip netns exec "$server" cat /sys/class/net/eth0/statistics/rx_packets)
	lost=$(ip netns exec "$client" cat /sys/class/net/eth0/statistics/tx_dropped)
	[ $((now - before + lost - dropped)) -ge $N ]
}
wait_for 60 all_came
echo $((now - before))
SH

# flood NAME EXPRESSION: checks the conditions of every flood, and EXPRESSION for this flood, with x, arrived, and
# outside (polls)
flood() {
	perf stat -o "$tmp/around" -x, -a -e napi:napi_poll -- \
		"$RECORD" -q -F 0 -i 20 --budget=none --processes --exact=full -o "$tmp/t.nct" -- \
		perf stat -o "$tmp/within" -x, -a -e napi:napi_poll -- sh "$tmp/send.sh" >"$tmp/arrived"
	arrived=$(cat "$tmp/arrived")
	"$PYTHON" - "$tmp/t.nct" "$1" "$2" "$arrived" "$(polls "$tmp/within")" "$(polls "$tmp/around")" <<'PY' || lib_failed=1
import sys
sys.path[:0] = ["tests", "tests/host"]
import nct
import processes
path, name, holds = sys.argv[1:4]
arrived, least, most = map(int, sys.argv[4:])
x, t = nct.Exact(path), processes.Trace(path)
outside = x.lost(8) if 8 in x.loss else 0
# Rows of processes that have time as a NAPI thread, but are not such a thread.
strangers = [t.defined[p] for p, row in t.rows.items() if row[10] and not str(t.defined[p][1]).startswith("napi/")]
polls = x.part_calls("driver_poll") if x.part_column("driver_poll", 4) is not None else None
wanted = {"sums": x.check_parts() and x.check_identity(), "none-missed": x.lost(7) == 0, "threads-are-napi": not strangers,
          "polls": polls is None or least <= polls + outside <= most, "packets": eval(holds)}
for what, good in wanted.items():
    said = "expected True, got False: polls %s + %d in %d to %d, %d packets arrived, GRO %s, receive core %s, threads %s" % (
        polls, outside, least, most, arrived, x.part_column("gro", 4), x.part_column("receive", 4), strangers)
    print("ok parts-%s-%s" % (name, what) if good else "not ok parts-%s-%s: %s" % (name, what, said))
sys.exit(not all(wanted.values()))
PY
}

if ! perf stat -a -e napi:napi_poll -- true >/dev/null 2>"$tmp/why"; then
	skip_all "needs tracepoints of Linux 6.3"
fi
netns_pair client server
export client server server_ip N
spawn ip netns exec "$server" "$BUILD/tests/udp" sink 7001
# The backlog hands packets to the receive core without netif_receive_skb(). A probe for this part must see most of
# them, but the kernel skips a kprobe that fires while another kprobe is handled.
flood backlog 'sum(x.ns("rx_softirq")) > 0 and (x.part_column("receive", 4) is None or 2 * x.part_calls("receive") >= arrived)'

# With GRO, veth uses its own NAPI for packets from a peer without segmentation offload. A kernel need not report every
# context switch (on 6.18 it misses switches away from some tasks of the host). A NAPI thread that runs next is then
# taken for a task, its polls count as outside, and up to 64 packets of each poll (the weight of NAPI) are in no part.
ip netns exec "$server" "$BUILD/tests/udp" gro eth0 on
ip netns exec "$client" "$BUILD/tests/udp" tso eth0 off
all_through_gro='x.part_calls("gro") >= arrived - 5 - 64 * outside'
flood softirq "$all_through_gro"

if ! ip netns exec "$server" sh -c 'echo 1 >/sys/class/net/eth0/threaded'; then
	skip parts-thread "needs threaded NAPI"
	exit
fi
flood thread "$all_through_gro and sum(x.ns('rx_thread')) > 0"
