#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Packet latency (--latency): a TC program that spins for each packet delays the hooks after it by that time, and not those
# before it; a reader that sleeps delays the last one; and each packet is in the last hook's histogram. Over a pair of
# virtual interfaces, a crossing of network namespaces, which clears the packet's own time; and over loopback.
# shellcheck disable=SC2154 # netns_pair sets these
. tests/lib.sh
. tests/soak/lib/quiet.sh
. tests/soak/lib/latency.sh
need_recorder
need_command zstd ip tc

netns_pair client server
PACKETS=${NETCOST_LATENCY_PACKETS:-1500}

# ---- the methods used on this kernel

record first true
missing=$(latency lacks "$tmp/first.json" receive tcp-start tcp-socket-enqueued udp-socket-enqueued tcp-socket-read \
	udp-socket-read qdisc) || skip_all "not all is measured here: $missing"
expect latency-told latency told "$tmp/first.json"

# ---- a program that spins

spin 0 "$server" || skip_all "$(tail -n 1 "$tmp/why")"
ended "$spawned"
wait_for_quiet || :
spun udp udp "$client" "$server" "$server" "$server_ip" "10 50 200" udp-socket-enqueued udp-socket-read
for hook in udp-socket-enqueued udp-socket-read; do
	amount "latency-udp-packets-$hook" "spun_once 0" latency packets "$tmp/udp-0.json" "$hook" "$PACKETS"
	amount "latency-udp-known-$hook" "spun_once 0" latency known "$tmp/udp-0.json" "$hook"
done
amount latency-crossing "spun_once 0" latency most "$tmp/udp-0.json" udp-socket-read 1000000
# The trace has the run time of each checkpoint's program, and the overhead includes it.
costs() {
	"$REPORT" info --format=json "$tmp/udp-0.nct" >"$tmp/info.json" && latency costs "$tmp/info.json" 1
}
amount latency-costs "spun_once 0" costs
# TCP also receives acknowledgements for the client
measured="--latency-only=netns=$server" earlier=receive
spun tcp tcp "$client" "$server" "$server" "$server_ip" "10 50 200" tcp-start tcp-socket-enqueued tcp-socket-read
measured="" earlier="receive qdisc driver"
# TCP also merges packets in the backlog while the user holds the socket, before it processes them.
# Merged packets are not counted.
amount latency-tcp-packets "spun_once 0" latency same "$tmp/tcp-0.json" tcp-socket-enqueued tcp-socket-read
amount latency-tcp-known "spun_once 0" latency known "$tmp/tcp-0.json" tcp-socket-read
expect latency-verifies "$REPORT" verify -q "$tmp/udp-0.nct" "$tmp/tcp-200.nct"

# ---- over loopback

spin_options="-o 6001 -i lo"
spun loopback udp "$server" "$server" "$server" 127.0.0.1 "10 50 200" udp-socket-enqueued udp-socket-read
spin_options="-o 6001"

# ---- a reader that sleeps before it reads, on loopback, too

late_round() {
	for late in 0 5 0-again; do
		receiver "$server" "$protocol" "${late%-again}"
		send "$name-$late" "$from" "$protocol" "$to" 150 10000 >/dev/null
		ended "$spawned"
		[ "$late" != 5 ] || slept=$(tail -n 1 "$tmp/ready")
	done
	cases="5=$slept"
}

for protocol in udp tcp; do
	for way in veth loopback; do
		to=$server_ip from=$client name=late-$protocol-$way
		[ $way = veth ] || to=127.0.0.1 from=$server
		earlier="receive $protocol-socket-enqueued" later=$protocol-socket-read
		shifts late_round
	done
done
earlier="receive qdisc driver"

# ---- all sent packets reach the last checkpoint, or are counted elsewhere

FLOOD=10000

# coalesced: prints the number that TCP merged in the backlog while the user held the socket
coalesced() {
	ip netns exec "$server" awk '$1 == "TcpExt:" && !n { for (n = 2; $n != "TCPBacklogCoalesce"; n++); next } $1 == "TcpExt:" { print $n }' \
		/proc/net/netstat
}

# flooded MS US [ROOM]: records only the packets of this namespace
flooded() {
	receiver "$server" "$protocol" "$1" ${3:+"$3"}
	before=$(coalesced)
	"$RECORD" -q -F 0 --exact=entry --budget=none --latency-only="netns=$server" -i 250 -o "$tmp/flood.nct" -- \
		ip netns exec "$client" taskset -c "$here" "$PYTHON" tests/host/latency.py send "$protocol" "$server_ip" 6001 $FLOOD "$2" \
		>"$tmp/sent"
	ended "$spawned"
	"$REPORT" latency --format=json "$tmp/flood.nct" >"$tmp/flood.json"
	sent=$(cat "$tmp/sent") coalesced=$(($(coalesced) - before))
	dropped=$("$PYTHON" tests/host/drops.py trace "$tmp/flood.nct" 'drop("SOCKET_RCVBUFF")')
}

# all OTHERWISE HOOK...: checks the counts at the checkpoints
all() {
	latency all "$tmp/flood.json" "$sent" "$@"
}

# all_of_tcp MORE HOOK...: the same for TCP; MORE packets in addition to those with data
all_of_tcp() {
	more=$1
	shift
	[ "$sent" -ge $((FLOOD * 99 / 100)) ] && all $((coalesced - more)) "$@"
}

some_dropped() {
	[ "$dropped" -gt 100 ] && all "$dropped" udp-socket-read
}

export REPORT
protocol=udp
flooded 0 0
for hook in receive udp-socket-enqueued udp-socket-read; do
	amount "latency-flood-$hook" "flooded 0 0" all 0 $hook
done
amount latency-flood-known "flooded 0 0" latency known "$tmp/flood.json" udp-socket-read
flooded 1 0 20000
amount latency-flood-dropped "flooded 1 0 20000" some_dropped
protocol=tcp
flooded 0 100
# the 1 is the packet that ends the connection
amount latency-flood-tcp-enqueued "flooded 0 100" all_of_tcp 1 tcp-socket-enqueued
amount latency-flood-tcp-read "flooded 0 100" all_of_tcp 0 tcp-socket-read tcp-socket-read-blocked
amount latency-flood-tcp-known "flooded 0 100" latency known "$tmp/flood.json" tcp-socket-read

# sent_to MS PACKETS US: records packets that are sent one every US
sent_to() {
	receiver "$server" "$protocol" "$1"
	send "$protocol" "$client" "$protocol" "$server_ip" "$2" "$3" >/dev/null
	ended "$spawned"
}

# ---- to a reader that never blocks: it may read a packet before the wakeup. Some reads get an unknown packet

busy="sent_to -1 $PACKETS 200"
protocol=udp
$busy
amount latency-busy-udp-known "$busy" latency known "$tmp/udp.json" udp-socket-enqueued
amount latency-busy-udp-enqueued "$busy" latency packets "$tmp/udp.json" udp-socket-enqueued "$PACKETS"
amount latency-busy-udp-read "$busy" latency packets "$tmp/udp.json" udp-socket-read "$PACKETS"
protocol=tcp
$busy
amount latency-busy-tcp-known "$busy" latency known "$tmp/tcp.json" tcp-socket-enqueued
amount latency-busy-tcp-read "$busy" latency known "$tmp/tcp.json" tcp-socket-read

# ---- by interface, cgroup, and process: the rows sum to the checkpoint, even if other packets arrived; and the
# keys are right

# by_once WHAT: writes $tmp/by.json, and $tmp/all.json
by_once() {
	receiver "$server" udp 0
	"$RECORD" -q -F 0 --exact=off --budget=none --latency-by="$1" -i 100 -o "$tmp/by.nct" -- \
		ip netns exec "$client" "$PYTHON" tests/host/latency.py send udp "$server_ip" 6001 "$PACKETS" 200
	ended "$spawned"
	"$REPORT" latency --format=json "$tmp/by.nct" >"$tmp/all.json"
	"$REPORT" latency --by="$1" --format=json "$tmp/by.nct" >"$tmp/by.json"
}

# by WHAT HOOK NAME: checks the rows by WHAT
by() {
	by_once "$1"
	expect "latency-by-$1-sums" latency sums "$tmp/all.json" "$tmp/by.json"
	amount "latency-by-$1" "by_once $1" latency whose "$tmp/by.json" "$2" "$PACKETS" "$3"
}

by interface udp-socket-enqueued eth0
by process udp-socket-read "$(basename "$PYTHON" | cut -c 1-15)"
if cgroup=$(sed -n 's/^0:://p' /proc/self/cgroup) && [ -n "$cgroup" ] && grep -q " cgroup2 " /proc/mounts; then
	by cgroup udp-socket-read "$cgroup"
else
	skip latency-by-cgroup "cgroups of version 2 are not in use here"
fi

# ---- into a container: the latency that the container sees includes time spun at the port of a bridge, before the
# bridge forwards the packets

netns_pair outer bridge
box=$lib_prefix-box
lib_namespaces="$lib_namespaces $box"
ip netns add "$box"
ip link add eth0 netns "$box" type veth peer name port1 netns "$bridge"
netns_up "$box" 3
ip -n "$bridge" addr flush dev eth0
if ! ip -n "$bridge" link add br0 type bridge 2>"$tmp/why"; then
	skip latency-bridge "$(tail -n 1 "$tmp/why")"
else
	for port in eth0 port1; do
		ip -n "$bridge" link set $port master br0
		ip -n "$bridge" link set $port up
	done
	ip -n "$bridge" link set br0 up
	spun bridge udp "$outer" "$bridge" "$box" 10.77.0.3 "10 50 200" udp-socket-enqueued udp-socket-read
	amount latency-bridge-known "spun_once 0" latency known "$tmp/bridge-0.json" udp-socket-read
fi
