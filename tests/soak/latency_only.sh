#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Of some packets only (--latency-only): of two senders whose packets come by different interfaces, into different network
# namespaces, cgroups and processes, the packets of one are measured, and those of the other one are counted.
# shellcheck disable=SC2154 # netns_pair sets these
. tests/lib.sh
. tests/soak/lib/quiet.sh
. tests/soak/lib/latency.sh
need_recorder
need_command zstd ip

netns_pair client server
PACKETS=${NETCOST_LATENCY_PACKETS:-600}

record first true
missing=$(latency lacks "$tmp/first.json" receive udp-socket-enqueued udp-socket-read qdisc) ||
	skip_all "not all is measured here: $missing"

# A reader in another namespace receives as many packets as one in the same namespace, over
# loopback.
cat >"$tmp/both" <<END
"$PYTHON" tests/host/latency.py send udp 127.0.0.1 6001 "$PACKETS" 200
"$PYTHON" tests/host/latency.py send udp "$server_ip" 6001 "$PACKETS" 200
END

# only_once WHICH: writes $tmp/only.json
only_once() {
	"$RECORD" -q -F 0 --exact=off --budget=none --latency-only="$1" -i 250 -o "$tmp/only.nct" -- ip netns exec "$client" sh "$tmp/both"
	"$REPORT" latency --format=json "$tmp/only.nct" >"$tmp/only.json"
}

# of NAME WHICH HOOK...: counts only the packets of one of the senders, which WHICH selects
of() {
	name=$1 which=$2
	shift 2
	only_once "$which"
	for hook; do
		amount "latency-only-$name-$hook" "only_once $which" \
			latency filtered "$tmp/only.json" "$hook" "$PACKETS" "$((2 * PACKETS))"
	done
}

receiver "$client" udp 0
receiver "$server" udp 0
far=$spawned

of netns netns="$server" receive udp-socket-enqueued udp-socket-read
expect latency-only-told sh -c "'$REPORT' latency '$tmp/only.nct' | grep -q 'Only packets of: network namespace'"
expect latency-only-verifies "$REPORT" verify -q "$tmp/only.nct"
of interface interface=eth0,netns="$server" receive udp-socket-enqueued udp-socket-read
of loopback interface=lo,netns="$client" receive qdisc udp-socket-read
# The process has the pid of the script, which executes ip(8).
of pid pid="$far" udp-socket-read
expect latency-only-no-reader [ "$(latency lacks "$tmp/only.json" receive)" = \
	"receive: --latency-only=pid cannot be evaluated for these packets" ]

# ---- a budget does not limit it, which is reported

"$RECORD" -F 0 --exact=entry --budget=50 --latency -o "$tmp/budget.nct" -- true 2>"$tmp/told"
expect latency-budget-said grep -q -e '--budget does not limit --latency' "$tmp/told"
expect latency-budget-recorded sh -c "'$REPORT' info '$tmp/budget.nct' | grep -q 'the budget does not limit these programs'"

# ---- cgroups: the far reader's is a child of the selected one

cgroup2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$lib_prefix-only
if [ -z "$cgroup2" ] || ! mkdir -p "$cgroup2/$group/below" 2>"$tmp/why"; then
	skip latency-only-cgroup "cgroups of version 2 are not in use here"
else
	ended "$far"
	# The cgroup of a socket is the cgroup of the process that opened it.
	rm -f "$tmp/ready"
	# shellcheck disable=SC2016 # the inner shell's
	spawn sh -c 'echo $$ >"$1" && shift && exec "$@"' sh "$cgroup2/$group/below/cgroup.procs" \
		ip netns exec "$server" "$PYTHON" tests/host/latency.py receive udp 6001 0 >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
	of cgroup cgroup="/$group" udp-socket-enqueued udp-socket-read
	ended "$spawned"
	rmdir "$cgroup2/$group/below" "$cgroup2/$group"
	receiver "$server" udp 0
fi

# ---- a long queue: all packets but the first few for a slow reader, none for a fast one

flood() {
	"$RECORD" -q -F 0 --exact=off --budget=none --latency-only="queue=$1,netns=$server" -i 250 -o "$tmp/only.nct" -- \
		ip netns exec "$client" "$PYTHON" tests/host/latency.py send udp "$server_ip" 6001 "$PACKETS" "$2"
	"$REPORT" latency --format=json "$tmp/only.nct" >"$tmp/only.json"
}

flood 50 2000
amount latency-only-queue-short "flood 50 2000" latency filtered "$tmp/only.json" udp-socket-enqueued 0 "$PACKETS"
ended "$spawned"
receiver "$server" udp 2
flood 50 0
amount latency-only-queue-long "flood 50 0" \
	latency filtered "$tmp/only.json" udp-socket-enqueued "$((PACKETS - 50))" "$PACKETS"
