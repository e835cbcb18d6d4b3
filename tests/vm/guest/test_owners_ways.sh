#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Who received packets that came in other ways: of TCP, into a container, forwarded; from two senders, of which one sends
# three times as much; for a socket that nobody reads. The host judges (tests/vm/judge_owners_ways.sh).
. ./lib.sh
. ./owners.sh

# Each recording makes its own TCP connections, so it has its own receivers, which end with it.
for us in 0-1 $US-1 0-2 $US-2 0-3 $US-3; do
	receivers $$ packets receive tcp
	spin_in $$ "/out/owners-tcp-$us.spun" -t "${us%-*}" tc-port
	record "owners-tcp-$us" packets send tcp 127.0.0.1 $PACKETS $ROUND_US 6001 6002
	unspin
	gone
	echo "$a $b $PACKETS" >"/out/owners-tcp-$us.pids"
done

# Two receivers get packets 1 : 3 that have equal cost: in one flow, the first packet finds cold
# caches and the others do not.
for protocol in udp tcp; do
	receivers $$ packets receive $protocol
	spin_in $$ /tmp/spun -t $US tc
	record ratio-$protocol packets send $protocol 127.0.0.1 $PACKETS $ROUND_US 6001:1 6002:3
	unspin
	gone
	echo "$a $b 3" >/out/ratio-$protocol.pids
done

# The packets go into a container, over a bridge and a veth pair.
brctl addbr br0 && ip link set br0 up
for port in port1 port2; do
	namespace_after $port
	brctl addif br0 $port && ip link set $port up
	nsenter -t "$host" -n ip addr add "10.77.0.${port#port}/24" dev eth0
	nsenter -t "$host" -n ip link set eth0 up
	eval "$port=$host"
done
# shellcheck disable=SC2154 # eval sets them
expect owners-bridge-answers nsenter -t "$port1" -n ping -q -c 1 -W 20 10.77.0.2
# shellcheck disable=SC2154
receivers "$port2" packets receive udp
device=eth0
spun bridge "$port2" nsenter -t "$port1" -n packets send udp 10.77.0.2 $PACKETS $ROUND_US 6001 6002
gone

# Each packet is copied to sockets of two processes in another namespace, so it has no receiver.
for port in $port1 $port2; do
	nsenter -t "$port" -n ip route add 239.9.9.9/32 dev eth0
done
nsenter -t "$port2" -n packets receive multicast 6001 >/tmp/ready1 &
a=$!
nsenter -t "$port2" -n packets receive multicast 6001 >/tmp/ready2 &
b=$!
sleep 1
record multicast nsenter -t "$port1" -n packets send udp 239.9.9.9 $PACKETS $ROUND_US 6001
gone
echo "$a $b $PACKETS" >/out/multicast.pids

# Packets are forwarded to an address without a host, so they have no receiver.
ip addr add 10.77.0.3/24 dev br0
ip link add away type veth
ip addr add 10.88.0.1/24 dev away
ip link set away up
ip link set veth0 up
/bin/ip neigh add 10.88.0.2 lladdr 02:00:00:00:00:02 dev away
echo 1 >/proc/sys/net/ipv4/ip_forward
nsenter -t "$port1" -n ip route add 10.88.0.0/24 via 10.77.0.3
record forwarded nsenter -t "$port1" -n packets send udp 10.88.0.2 $PACKETS $ROUND_US 6001
echo $PACKETS >/out/forwarded.packets
kill "$port1" "$port2"

# The socket is older than the recording, and no process reads it during the recording.
packets keep 6001 >/tmp/ready &
keep=$!
sleep 1
packets send udp 127.0.0.1 1 0 6001
until_so [ -s /tmp/ready ]
record old packets send udp 127.0.0.1 $PACKETS 500 6001
echo "$keep $PACKETS" >/out/old.pids
kill "$keep"

ip link del away
ip link del br0
