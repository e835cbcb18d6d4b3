#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program that knows nothing of us, over a bridge between two namespaces. The host counts (tests/vm/run.sh).
. ./lib.sh

# host_after PEER ADDRESS: a namespace on the other side of a port of the bridge; its process is in $host
host_after() {
	namespace_after "$1"
	brctl addif br0 "$1" && ip link set "$1" up
	nsenter -t $host -n ip addr add "$2/24" dev eth0
	nsenter -t $host -n ip link set eth0 up
}

brctl addbr br0 && ip link set br0 up
host_after port1 10.77.0.1
client=$host
host_after port2 10.77.0.2
expect bridge-answers nsenter -t $client -n ping -q -c 1 -W 20 10.77.0.2
netcost-record -q -F 0 -o /out/bridge.nct -- nsenter -t $client -n ping -c 5 -A 10.77.0.2
kill $client $host
