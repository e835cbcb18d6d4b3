#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Packet latency (--latency): of all sent packets, of some, and of packets that netem delays. The host judges
# (tests/vm/judge_latency.sh); delays of a known size are in test_waits.sh.
. ./lib.sh

PACKETS=300

udp sink 6001 &
sink=$!
sleep 1
netcost-record -q -F 0 -i 500 --budget=none --latency --exact=off -o /out/latency-sent.nct -- udp flood 127.0.0.1 6001 $PACKETS 5000 2>/tmp/err
expect latency-sent:recording [ ! -s /tmp/err ]
cat /tmp/err
for by in interface cgroup process; do
	netcost-record -q -F 0 -i 200 --budget=none --latency-by=$by --exact=off -o /out/latency-by-$by.nct -- udp flood 127.0.0.1 6001 $PACKETS 5000 2>/tmp/err
	expect latency-by-$by:recording [ ! -s /tmp/err ]
	cat /tmp/err
	netcost-report latency --by=$by /out/latency-by-$by.nct
done

# TCP out of order: segments that overtake others wait for them in the socket.
namespace_after nn
client=$host
ip link set nn up
ip addr add 10.1.0.1/24 dev nn
nsenter -t "$client" -n ip addr add 10.1.0.2/24 dev eth0
nsenter -t "$client" -n ip link set eth0 up
nsenter -t "$client" -n udp tso eth0 off
# The program is called by its path, because otherwise busybox runs its own.
nsenter -t "$client" -n /bin/tc qdisc add dev eth0 root netem delay 20ms reorder 50%
# the sender does not shut down its half, because otherwise the TCP connection would no longer be
# established
sleep 100000 | nc -l -p 6002 >/dev/null &
server=$!
sleep 1
netcost-record -q -F 0 -i 500 --budget=none --latency --exact=off -o /out/latency-reordered.nct -- nsenter -t "$client" -n \
	sh -c "dd if=/dev/zero bs=1000 count=2000 2>/dev/null | nc 10.1.0.1 6002; sleep 0.2" 2>/tmp/err
expect latency-reordered:recording [ ! -s /tmp/err ]
cat /tmp/err
netcost-report latency /out/latency-reordered.nct
kill "$server"

# A sender with a small window waits for each acknowledgement, which netem delays.
nsenter -t "$client" -n sh -c 'echo 4096 65536 65536 >/proc/sys/net/ipv4/tcp_wmem'
for ms in 10 40 10-again; do
	nsenter -t "$client" -n /bin/tc qdisc replace dev eth0 root netem delay ${ms%-again}ms
	sleep 100000 | nc -l -p 6002 >/dev/null &
	server=$!
	sleep 1
	netcost-record -q -F 0 -i 500 --budget=none --latency --exact=off -o /out/latency-memory-$ms.nct -- nsenter -t "$client" -n \
		sh -c "dd if=/dev/zero bs=1000 count=10000 2>/dev/null | nc 10.1.0.1 6002; sleep 0.2" 2>/tmp/err
	expect latency-memory-$ms:recording [ ! -s /tmp/err ]
	cat /tmp/err
	netcost-report latency /out/latency-memory-$ms.nct
	kill "$server" 2>/dev/null || :
done

# On a slow device, TCP delays data instead of queueing it, and a UDP sender with a small buffer
# waits for room in the buffer.
default=$(cat /proc/sys/net/core/wmem_default)
for rate in 8 2; do
	nsenter -t "$client" -n /bin/tc qdisc del dev eth0 root
	nsenter -t "$client" -n /bin/tc qdisc add dev eth0 root tbf rate ${rate}mbit burst 3000 limit 1000000
	sleep 100000 | nc -l -p 6002 >/dev/null &
	server=$!
	sleep 1
	echo 4608 >/proc/sys/net/core/wmem_default
	netcost-record -q -F 0 -i 500 --budget=none --latency --exact=off -o /out/latency-slow-$rate.nct -- nsenter -t "$client" -n \
		sh -c "dd if=/dev/zero bs=1000 count=400 2>/dev/null | nc 10.1.0.1 6002; udp flood 10.1.0.1 6001 100 0; sleep 0.2" 2>/tmp/err
	expect latency-slow-$rate:recording [ ! -s /tmp/err ]
	cat /tmp/err
	echo "$default" >/proc/sys/net/core/wmem_default
	netcost-report latency /out/latency-slow-$rate.nct
	kill "$server" 2>/dev/null || :
done

# The filters select only packets that one cgroup reads or sends.
mkdir -p /tmp/cgroup2
mount -t cgroup2 none /tmp/cgroup2
mkdir -p /tmp/cgroup2/only/below
# shellcheck disable=SC2016 # the inner shell's
sh -c 'echo $$ >/tmp/cgroup2/only/below/cgroup.procs; exec udp sink 6003' &
below=$!
sleep 1
netcost-record -q -F 0 -i 200 --budget=none --latency-only=cgroup=/only --exact=off -o /out/latency-only.nct -- \
	sh -c "udp flood 127.0.0.1 6001 $PACKETS 5000; udp flood 127.0.0.1 6003 $PACKETS 5000" 2>/tmp/err
expect latency-only:recording [ ! -s /tmp/err ]
cat /tmp/err
netcost-report latency /out/latency-only.nct
kill "$below"

kill "$sink" "$client" # the links are removed with the namespace
