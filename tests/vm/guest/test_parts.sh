#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Known numbers of packets through each part of the RX softirq, on each rung that has functions. The host counts
# (tests/vm/judge_parts.sh). A client and a server, each in a namespace; this one forwards, or bridges, between them.
. ./lib.sh
N=50

# host_after PEER ADDRESS: a namespace after an interface of ours; its process is in $host
host_after() {
	namespace_after "$1"
	ip link set "$1" up
	nsenter -t $host -n ip addr add "$2.2/24" dev eth0
	nsenter -t $host -n ip addr add "fd$1::2/64" dev eth0
	nsenter -t $host -n ip link set eth0 up
	nsenter -t $host -n ip link set lo up
	nsenter -t $host -n ip route add default via "$2.1"
	nsenter -t $host -n ip -6 route add default via "fd$1::1"
	ip addr add "$2.1/24" dev "$1"
	ip addr add "fd$1::1/64" dev "$1"
}

# traffic NAME PID COMMAND...: records what that namespace does, by the rung
traffic() {
	name=$1 who=$2
	shift 2
	netcost-record -q -F 0 -i 50 --exact=full -o "/out/parts-$NETCOST_RUNG-$name.nct" -- nsenter -t "$who" -n "$@" \
		>/tmp/said 2>/tmp/err || fail "parts-$NETCOST_RUNG-$name" "$(tail -n 1 /tmp/said) $(tail -n 1 /tmp/err)"
	[ ! -s /tmp/err ] || fail "parts-$NETCOST_RUNG-$name-recording" "$(tail -n 1 /tmp/err)"
}

# each of the tests once, on the rung
parts_of_rung() {
	netcost-record --check --exact=full >"/out/parts-$NETCOST_RUNG.check"
	traffic forward4 $client ping -q -c $N -i 0.02 10.2.0.2
	traffic forward6 $client ping -q -c $N -i 0.02 fdbb::2
	traffic local4 $client ping -q -c $N -i 0.02 10.1.0.1
	if $netfilter; then
		nft -f rules.nft || fail nft "$?"
		traffic netfilter4 $client ping -q -c $N -i 0.02 10.2.0.2
		traffic netfilter6 $client ping -q -c $N -i 0.02 fdbb::2
		nft list table netdev here | sed -n 's/.*packets \([0-9]*\).*/\1/p' >"/out/parts-$NETCOST_RUNG-ingress"
		nft flush ruleset
	fi
}

host_after aa 10.1.0
client=$host
host_after bb 10.2.0
server=$host
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
netfilter=true
if ! nft list ruleset 2>/tmp/err; then
	echo "skip parts-netfilter: no nft here: $(tail -n 1 /tmp/err)"
	netfilter=false
fi
sleep 2 # addresses of IPv6 are tried out
expect parts-answers nsenter -t $client -n ping -q -c 1 -W 20 10.2.0.2
expect parts-answers6 nsenter -t $client -n ping -q -c 1 -W 20 fdbb::2
for rung in fentry kprobe; do
	export NETCOST_RUNG=$rung
	parts_of_rung
done

# The same two, but through a bridge; and to the bridge's own address, which the bridge hands back to the receive core.
ip addr flush dev aa
ip addr flush dev bb
brctl addbr br1
brctl addif br1 aa
brctl addif br1 bb
ip link set br1 up
ip addr add 10.1.0.1/24 dev br1
nsenter -t $server -n ip addr flush dev eth0
nsenter -t $server -n ip addr add 10.1.0.3/24 dev eth0
expect parts-bridge-answers nsenter -t $client -n ping -q -c 1 -W 20 10.1.0.3
expect parts-bridge-answers-itself nsenter -t $client -n ping -q -c 1 -W 20 10.1.0.1
for rung in fentry kprobe; do
	export NETCOST_RUNG=$rung
	traffic bridge $client ping -q -c $N -i 0.02 10.1.0.3
	traffic bridge-itself $client ping -q -c $N -i 0.02 10.1.0.1
done
kill $client $server

# Softirqs that interrupt a task's own probes: packets are steered to a CPU that does nothing but calls of send.
echo 2 >/sys/class/net/lo/queues/rx-0/rps_cpus
udp sink 7001 &
sink=$!
taskset -c 1 sockcalls send 1000000000 unix >/dev/null &
caller=$!
sleep 1
for rung in fentry kprobe; do
	NETCOST_RUNG=$rung netcost-record -q -F 0 -i 50 --exact=full -o /out/parts-$rung-interrupted.nct -- \
		taskset -c 0 udp flood 127.0.0.1 7001 2000 500
done
kill $caller $sink
echo 0 >/sys/class/net/lo/queues/rx-0/rps_cpus
ip link del br1 # the others have gone with their namespaces
