#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Received packets are charged to who receives them (--owners), not to who is interrupted: what a TC program spins for the
# packets of one receiver alone is that one's, for UDP, TCP, and behind a bridge.
# shellcheck disable=SC2154 # netns_pair sets these
. tests/lib.sh
. tests/host/owners.sh
. tests/soak/lib/quiet.sh
need_recorder
need_command zstd ip tc

netns_pair client server
TIMES="0-1 50-1 0-2 50-2 0-3 50-3 0-4 50-4" # without and with the program that spins, in turns

# unspin: ends the program, which then prints the time for which it spun
unspin() {
	kill "$spin_pid"
	wait "$spin_pid" || :
}

# spin US HOOK NAMESPACE FILE: attaches the program, whose output is written to FILE
spin() {
	rm -f "$4"
	spawn "$BUILD/tests/spin" -o 6001 -t "$1" "$2" - "$3" >"$4"
	spin_pid=$spawned
	wait_for 10 test -s "$4"
}

# record_spun: uses $name, $protocol, $from, $to and $address; sets $as and $bs
record_spun() {
	as='' bs=''
	wait_for_quiet || :
	for us in $TIMES; do
		both "$to" "$protocol"
		as=$as${as:+,}$a bs=$bs${bs:+,}$b
		spin "${us%-*}" tc-port "$to" "$tmp/$name-$us.spun"
		record "$tmp/$name-$us.nct" "$from" "$PACKETS" send "$protocol" "$address" "$ROUNDS" 300 6001 6002
		unspin
		gone
	done
}

is_spun() {
	owners spun "$tmp/$name" "$as" "$bs"
}

# spun NAME PROTOCOL SENDER RECEIVER ADDRESS: records without the program, and with it
spun() {
	name=$1 protocol=$2 from=$3 to=$4 address=$5
	record_spun
	amount "owners-$name-spun" record_spun is_spun
}

spun udp udp "$client" "$server" "$server_ip"
spun tcp tcp "$client" "$server" "$server_ip"

# Two receivers get packets 1 : 3 that have equal cost: in one flow, the first packet finds cold
# caches and the others do not.
for protocol in udp tcp; do
	both "$server" $protocol
	spin 20 tc "$server" "$tmp/spun"
	record "$tmp/t.nct" "$client" "$PACKETS" send $protocol "$server_ip" "$ROUNDS" 300 6001:1 6002:3
	unspin
	expect owners-$protocol-ratio owners ratio "$tmp/t.nct" "$a" "$b" 3
	gone
done

# The packets go into a container, over a bridge and a veth pair.
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
spun bridge udp "$outer" "$box" 10.77.0.3

# With one softirq in four, the results are approximately the same.
receiver "$server" udp 6001
a=$spawned
spin 50 tc "$server" "$tmp/spun"
every='=1/4'
record "$tmp/t.nct" "$client" "$PACKETS" send udp "$server_ip" $((2 * ROUNDS)) 100 6001:1
every=
unspin
"$REPORT" who -n 1000 --format=json "$tmp/t.nct" >"$tmp/some.json"
expect owners-some owners estimated "$tmp/some.json" "$a" "$tmp/spun"
