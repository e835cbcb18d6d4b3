#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# For how long packets wait (--latency): what a TC program spins for each of them delays the hooks behind it by that, and not
# those before; a reader that sleeps delays the last one; and each packet is in the last hook's histogram. Over a pair of
# virtual interfaces, a crossing of network namespaces, which clears the packet's own time; and over loopback.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/quiet.sh
need_recorder
need_command zstd ip tc

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of our CPUs
other=0
PACKETS=${NETCOST_LATENCY_PACKETS:-2000}

latency() {
	"$PYTHON" tests/host/latency.py "$@"
}

# receiver NAMESPACE PROTOCOL PORT MS: its pid is in $spawned
receiver() {
	rm -f "$tmp/ready"
	spawn ip netns exec "$1" taskset -c "$other" "$PYTHON" tests/host/latency.py receive "$2" "$3" "$4" >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
}

# record NAME NAMESPACE PROTOCOL ADDRESS PACKETS US: the trace, and the report
record() {
	"$RECORD" -q -F 0 --exact=off --latency -i 250 -o "$tmp/$1.nct" -- \
		ip netns exec "$2" taskset -c "$here" "$PYTHON" tests/host/latency.py send "$3" "$4" 6001 "$5" "$6"
	"$REPORT" latency --format=json "$tmp/$1.nct" >"$tmp/$1.json"
}

# spin US NAMESPACE
spin() {
	rm -f "$tmp/spun"
	spawn "$BUILD/tests/spin" -o 6001 -t "$1" tc-port - "$2" >"$tmp/spun"
	wait_for 10 test -s "$tmp/spun"
}

# spun NAME PROTOCOL SENDER WHERE RECEIVER ADDRESS HOOK...: without the program, and with it; the hooks behind it
spun() {
	name=$1 protocol=$2 sender=$3 where=$4 to=$5 address=$6
	shift 6
	wait_for_quiet || :
	for us in 0 10 50 200; do
		receiver "$to" "$protocol" 6001 0
		reader=$spawned
		spin "$us" "$where"
		spinner=$spawned
		record "$name-$us" "$sender" "$protocol" "$address" "$PACKETS" 500
		kill "$spinner" "$reader" 2>/dev/null || :
		wait "$spinner" "$reader" 2>/dev/null || :
		[ "$us" -gt 0 ] || continue
		expect "latency-$name-$us-before" latency stayed "$tmp/$name-0.json" "$tmp/$name-$us.json" receive
		for hook; do
			expect "latency-$name-$us-$hook" latency moved "$tmp/$name-0.json" "$tmp/$name-$us.json" "$hook" "$us"
		done
	done
}

spun udp udp "$client" "$server" "$server" "$server_ip" udp-socket-enqueued udp-socket-read
spun tcp tcp "$client" "$server" "$server" "$server_ip" tcp-start tcp-socket-enqueued tcp-socket-read
for hook in udp-socket-enqueued udp-socket-read; do
	expect "latency-udp-packets-$hook" latency packets "$tmp/udp-0.json" "$hook" "$PACKETS"
	expect "latency-udp-known-$hook" latency known "$tmp/udp-0.json" "$hook"
done
# TCP merges packets also before it looks at them, while their socket's user has it: these are no packets of their own.
expect latency-tcp-packets latency same "$tmp/tcp-0.json" tcp-socket-enqueued tcp-socket-read
expect latency-tcp-known latency known "$tmp/tcp-0.json" tcp-socket-read
expect latency-crossing latency most "$tmp/udp-0.json" udp-socket-read 1000000
expect latency-unmeasured latency unmeasured "$tmp/udp-0.json" ip-start
expect latency-verifies "$REPORT" verify -q "$tmp/udp-0.nct" "$tmp/tcp-200.nct"

# A reader that sleeps before it reads, on loopback, too.
for protocol in udp tcp; do
	for way in veth loopback; do
		to=$server_ip from=$client
		[ $way = veth ] || to=127.0.0.1 from=$server
		for ms in 0 5; do
			receiver "$server" $protocol 6001 $ms
			record "late-$protocol-$way-$ms" "$from" $protocol "$to" 200 10000
			kill "$spawned" 2>/dev/null || :
			wait "$spawned" 2>/dev/null || :
			slept=$(tail -n 1 "$tmp/ready")
		done
		before=$tmp/late-$protocol-$way-0.json after=$tmp/late-$protocol-$way-5.json
		expect latency-late-$protocol-$way latency moved "$before" "$after" $protocol-socket-read "$slept"
		expect latency-late-$protocol-$way-before latency stayed "$before" "$after" $protocol-socket-enqueued
	done
done

# As fast as they can be sent, to a reader that cannot keep up: none is missing.
for protocol in udp tcp; do
	receiver "$server" $protocol 6001 1
	record "flood-$protocol" "$client" $protocol "$server_ip" 10000 0
	kill "$spawned" 2>/dev/null || :
	wait "$spawned" 2>/dev/null || :
done
expect latency-flood-enqueued latency packets "$tmp/flood-udp.json" udp-socket-enqueued 10000
expect latency-flood-sent latency packets "$tmp/flood-udp.json" qdisc 10000
expect latency-flood-read latency same "$tmp/flood-tcp.json" tcp-socket-enqueued tcp-socket-read
expect latency-flood-known latency known "$tmp/flood-tcp.json" tcp-socket-read

# To one that never waits: it may have a packet before it would be told. Of some it is not known which one a read took.
for protocol in udp tcp; do
	receiver "$server" $protocol 6001 -1
	record "busy-$protocol" "$client" $protocol "$server_ip" "$PACKETS" 200
	kill "$spawned" 2>/dev/null || :
	wait "$spawned" 2>/dev/null || :
	expect "latency-busy-$protocol-known" latency known "$tmp/busy-$protocol.json" $protocol-socket-enqueued
done
expect latency-busy-udp-enqueued latency packets "$tmp/busy-udp.json" udp-socket-enqueued "$PACKETS"
expect latency-busy-udp-read latency packets "$tmp/busy-udp.json" udp-socket-read "$PACKETS"
expect latency-busy-tcp-read latency known "$tmp/busy-tcp.json" tcp-socket-read

# Into a container: what is spun at the port of a bridge, before that hands the packets on, is in what the container sees.
netns_pair outer bridge
box=$lib_prefix-box
lib_namespaces="$lib_namespaces $box"
ip netns add "$box"
ip link add eth0 netns "$box" type veth peer name port1 netns "$bridge"
netns_up "$box" 3
ip -n "$bridge" addr flush dev eth0
ip -n "$bridge" link add br0 type bridge
for port in eth0 port1; do
	ip -n "$bridge" link set $port master br0
	ip -n "$bridge" link set $port up
done
ip -n "$bridge" link set br0 up
spun bridge udp "$outer" "$bridge" "$box" 10.77.0.3 udp-socket-enqueued udp-socket-read
expect latency-bridge-known latency known "$tmp/bridge-0.json" udp-socket-read
