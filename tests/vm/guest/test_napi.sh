#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A device that is polled by softirqs, then by a thread of its own, then by the receiver: veth, which has NAPI where GRO
# is on. The host judges (tests/vm/judge_napi.sh).
. ./lib.sh
N=500

namespace_after nn
client=$host
ip link set nn up
ip addr add 10.1.0.1/24 dev nn
nsenter -t $client -n ip addr add 10.1.0.2/24 dev eth0
nsenter -t $client -n ip link set eth0 up
udp gro nn on
nsenter -t $client -n udp tso eth0 off
udp sink 7001 &
sink=$!
nsenter -t $client -n udp echo 7002 &
echo=$!
sleep 1
expect napi-answers udp ask 10.1.0.2 7002 1 0

# recorded RUNG NAME COMMAND...
recorded() {
	trace=/out/napi-$1-$2.nct rung=$1
	shift 2
	NETCOST_RUNG=$rung netcost-record -q -F 0 -i 50 --exact=full -o "$trace" -- "$@" >/tmp/said 2>/tmp/err ||
		fail "$trace" "$(tail -n 1 /tmp/said) $(tail -n 1 /tmp/err)"
}

for rung in fentry kprobe tracepoint; do
	recorded "$rung" softirq taskset -c 0 nsenter -t $client -n udp flood 10.1.0.1 7001 $N 1000
	recorded "$rung" busy taskset -c 0 udp ask 10.1.0.2 7002 $N 2000
	echo 1 >/sys/class/net/nn/threaded || fail threaded "not to be had"
	recorded "$rung" thread taskset -c 0 nsenter -t $client -n udp flood 10.1.0.1 7001 $N 1000
	echo 0 >/sys/class/net/nn/threaded
done
kill $sink $echo $client # the link goes with the namespace
