#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Packets' ways (--stages), also through functions of the kernel and its modules. The host judges (tests/vm/judge_stages.sh).
. ./lib.sh

details=
# followed NAME COMMAND...: all packets meanwhile
followed() {
	trace=$1
	shift
	netcost-record -q -F 0 -i 500 --stages=1/1 $details --exact=off -o "/out/$trace.nct" -- "$@" >/tmp/said 2>/tmp/err
	expect "$trace:recording" [ ! -s /tmp/err ]
	cat /tmp/err
	netcost-report stages "/out/$trace.nct"
}

# host_after PEER ADDRESS: a namespace on the other side of a port of the bridge; its process is in $host
host_after() {
	namespace_after "$1"
	brctl addif br0 "$1" && ip link set "$1" up
	nsenter -t $host -n ip addr add "$2/24" dev eth0
	nsenter -t $host -n ip link set eth0 up
}

udp sink 6001 &
sink=$!
sleep 1
followed stages udp flood 127.0.0.1 6001 300 5000

details=--host-details
# Through a classifier, and rules; who captures packets has clones of them.
spin -o 6001 -t 10 tc-port - - >/dev/null &
spin=$!
udp capture lo &
capture=$!
: >/out/ways.rules
if nft -f ways.nft 2>/tmp/err; then
	echo nftables >>/out/ways.rules
else
	echo "skip ways-nftables: no nft here: $(tail -n 1 /tmp/err)"
fi
expect ways-iptables udp table filter
sleep 1
followed ways udp flood 127.0.0.1 6001 100 5000
nft flush ruleset
kill "$sink" "$spin" "$capture"

brctl addbr br0 && ip link set br0 up
host_after sport1 10.78.0.1
client=$host
host_after sport2 10.78.0.2
expect stages-bridge-answers nsenter -t "$client" -n ping -q -c 1 -W 20 10.78.0.2
followed bridged nsenter -t "$client" -n ping -q -c 20 -i 0.1 10.78.0.2
kill "$client" "$host"
