#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# For how long packets wait (--latency): what a TC program spins for each of them, and what netem holds them back for. The
# host judges (tests/vm/judge_latency.sh).
. ./lib.sh

PACKETS=300

udp sink 6001 &
sink=$!
sleep 1
for us in 0 500 2000; do
	out=/out/latency-spin-$us
	spin -o 6001 -t "$us" tc-port - - >/dev/null &
	spin=$!
	sleep 1
	netcost-record -q -F 0 -i 500 --latency --exact=off -o "$out.nct" -- udp flood 127.0.0.1 6001 $PACKETS 5000 2>/tmp/err
	expect latency-spin-$us:recording [ ! -s /tmp/err ]
	cat /tmp/err
	kill "$spin"
	wait "$spin"
	netcost-report latency "$out.nct"
done
for by in interface cgroup process; do
	netcost-record -q -F 0 -i 200 --latency-by=$by --exact=off -o /out/latency-by-$by.nct -- udp flood 127.0.0.1 6001 $PACKETS 5000 2>/tmp/err
	expect latency-by-$by:recording [ ! -s /tmp/err ]
	cat /tmp/err
	netcost-report latency --by=$by /out/latency-by-$by.nct
done
kill "$sink"

# TCP out of order: segments that overtake others wait for them in the socket.
ip link add nn type veth && ip link set veth0 name eth0
unshare -n sleep 1000 &
client=$!
sleep 0.3
ip link set eth0 netns "$client"
ip link set nn up
ip addr add 10.1.0.1/24 dev nn
nsenter -t "$client" -n ip addr add 10.1.0.2/24 dev eth0
nsenter -t "$client" -n ip link set eth0 up
nsenter -t "$client" -n udp tso eth0 off
# By its path: otherwise it is busybox's.
nsenter -t "$client" -n /bin/tc qdisc add dev eth0 root netem delay 20ms reorder 50%
sleep 1000 | nc -l -p 6002 >/dev/null & # it does not close its half: then TCP is not established any more
sleep 1
netcost-record -q -F 0 -i 500 --latency --exact=off -o /out/latency-reordered.nct -- nsenter -t "$client" -n \
	sh -c "dd if=/dev/zero bs=1000 count=2000 2>/dev/null | nc 10.1.0.1 6002; sleep 0.2" 2>/tmp/err
expect latency-reordered:recording [ ! -s /tmp/err ]
cat /tmp/err
netcost-report latency /out/latency-reordered.nct
kill "$client" # the link goes with the namespace
