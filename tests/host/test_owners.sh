#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that received packets are charged to their receiver (--owners), not to the interrupted process. With UDP, with
# TCP, and behind a bridge, the receiver has as many packets as were sent to it. Forwarded and dropped packets belong to
# no process.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/owners.sh
need_recorder
need_command zstd ip

netns_pair client server
judged() {
	"$PYTHON" tests/host/owners.py judge "$tmp/t.nct" "$@" || lib_failed=1
}

# Two receivers with packets in the ratio 1 : 3
for protocol in udp tcp; do
	both "$server" $protocol
	record "$tmp/t.nct" "$client" "$PACKETS" send $protocol "$server_ip" "$ROUNDS" 300 6001:1 6002:3
	gone
	judged owners-$protocol $protocol "$a=$ROUNDS" "$b=$((3 * ROUNDS))"
	expect owners-$protocol-verifies "$REPORT" verify -q "$tmp/t.nct"
done

# Each packet is copied to sockets of two processes, so it has no receiver. If one process has both sockets, it receives
# all packets.
for in in client server; do
	eval "ip -n \"\$$in\" route add 239.9.9.9 dev eth0"
done
receiver "$server" multicast 6001
a=$spawned
receiver "$server" multicast 6001
b=$spawned
record "$tmp/t.nct" "$client" "$PACKETS" send udp 239.9.9.9 "$ROUNDS" 300 6001:1
judged owners-multicast udp "$a=0" "$b=0" "several=$ROUNDS"
kill "$b"
wait "$b" || :
record "$tmp/t.nct" "$client" "$PACKETS" send udp 239.9.9.9 "$ROUNDS" 300 6001:1
gone
judged owners-multicast-alone udp "$a=$ROUNDS"

# Sends packets into a container, over a bridge and a veth pair.
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
both "$box" udp
record "$tmp/t.nct" "$outer" "$PACKETS" send udp 10.77.0.3 "$ROUNDS" 300 6001 6002
gone
judged owners-bridge udp "$a=$ROUNDS" "$b=$ROUNDS" "forwarded=$((2 * ROUNDS))"

# Forwards packets to an address without a host: they have no receiver.
ip netns exec "$server" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
ip link add eth1 netns "$server" type veth peer name far netns "$client"
ip -n "$server" addr add 10.88.0.1/24 dev eth1
ip -n "$server" link set eth1 up
ip -n "$client" link set far up
ip -n "$server" neigh add 10.88.0.2 lladdr 02:00:00:00:00:02 dev eth1
ip -n "$client" route add 10.88.0.0/24 via "$server_ip"
record "$tmp/t.nct" "$client" "$PACKETS" send udp 10.88.0.2 "$ROUNDS" 100 6001:1
judged owners-forwarded udp "forwarded=$ROUNDS"

# Sends to a port without a socket: the packets are dropped. Each second send fails with the ICMP error of the previous
# send.
record "$tmp/t.nct" "$client" "$PACKETS" send udp "$server_ip" 100 100 6009:1
judged owners-dropped udp dropped=50
expect owners-dropped-why sh -c "'$REPORT' who '$tmp/t.nct' | grep -q 'dropped: NO_SOCKET'"

# Measures one softirq in four: the time of the others also has a disposition.
receiver "$server" udp 6001
every='=1/4'
record "$tmp/t.nct" "$client" "$PACKETS" send udp "$server_ip" "$ROUNDS" 100 6001:1
kill "$spawned"
judged owners-some udp
expect owners-some-are-skipped sh -c "'$REPORT' dump '$tmp/t.nct' | grep '\"rx_fates\"' | grep -q '\"every\":4'"
expect owners-some-verifies "$REPORT" verify -q "$tmp/t.nct"
