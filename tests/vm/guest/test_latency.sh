#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# For how long packets wait (--latency): what a TC program spins for each of them, and what netem holds them back for. The
# host judges (tests/vm/judge_latency.sh).
. ./lib.sh

PACKETS=300

# spun WAY TIMES SPIN_OPTIONS COMMAND...: of packets that it sends something is spun for so long
spun() {
	way=$1 times=$2 options=$3
	shift 3
	for us in $times; do
		out=/out/latency-$way-$us
		# shellcheck disable=SC2086 # words
		spin $options -t "$us" tc-port - - >/dev/null &
		spin=$!
		sleep 1
		netcost-record -q -F 0 -i 500 --latency --exact=off -o "$out.nct" -- "$@" 2>/tmp/err
		expect "latency-$way-$us:recording" [ ! -s /tmp/err ]
		cat /tmp/err
		kill "$spin"
		wait "$spin"
		netcost-report latency "$out.nct"
	done
}

udp sink 6001 &
sink=$!
sleep 1
spun spin "0 500 2000" "-o 6001" udp flood 127.0.0.1 6001 $PACKETS 5000
for by in interface cgroup process; do
	netcost-record -q -F 0 -i 200 --latency-by=$by --exact=off -o /out/latency-by-$by.nct -- udp flood 127.0.0.1 6001 $PACKETS 5000 2>/tmp/err
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
# By its path: otherwise it is busybox's.
nsenter -t "$client" -n /bin/tc qdisc add dev eth0 root netem delay 20ms reorder 50%
sleep 1000 | nc -l -p 6002 >/dev/null & # it does not close its half: then TCP is not established any more
server=$!
sleep 1
netcost-record -q -F 0 -i 500 --latency --exact=off -o /out/latency-reordered.nct -- nsenter -t "$client" -n \
	sh -c "dd if=/dev/zero bs=1000 count=2000 2>/dev/null | nc 10.1.0.1 6002; sleep 0.2" 2>/tmp/err
expect latency-reordered:recording [ ! -s /tmp/err ]
cat /tmp/err
netcost-report latency /out/latency-reordered.nct
kill "$server"

# A sender that may have little in flight waits until that is acknowledged: for as long as netem holds it back.
nsenter -t "$client" -n sh -c 'echo 4096 65536 65536 >/proc/sys/net/ipv4/tcp_wmem'
for ms in 10 40; do
	nsenter -t "$client" -n /bin/tc qdisc del dev eth0 root
	nsenter -t "$client" -n /bin/tc qdisc add dev eth0 root netem delay ${ms}ms
	sleep 1000 | nc -l -p 6002 >/dev/null &
	server=$!
	sleep 1
	netcost-record -q -F 0 -i 500 --latency --exact=off -o /out/latency-memory-$ms.nct -- nsenter -t "$client" -n \
		sh -c "dd if=/dev/zero bs=1000 count=2000 2>/dev/null | nc 10.1.0.1 6002; sleep 0.2" 2>/tmp/err
	expect latency-memory-$ms:recording [ ! -s /tmp/err ]
	cat /tmp/err
	netcost-report latency /out/latency-memory-$ms.nct
	kill "$server" 2>/dev/null || :
done

# A device that sends little: TCP holds back what would only wait in its queue, and a UDP sender with a small buffer waits for room
# there.
default=$(cat /proc/sys/net/core/wmem_default)
for rate in 8 2; do
	nsenter -t "$client" -n /bin/tc qdisc del dev eth0 root
	nsenter -t "$client" -n /bin/tc qdisc add dev eth0 root tbf rate ${rate}mbit burst 3000 limit 1000000
	sleep 1000 | nc -l -p 6002 >/dev/null &
	server=$!
	sleep 1
	echo 4608 >/proc/sys/net/core/wmem_default
	netcost-record -q -F 0 -i 500 --latency --exact=off -o /out/latency-slow-$rate.nct -- nsenter -t "$client" -n \
		sh -c "dd if=/dev/zero bs=1000 count=400 2>/dev/null | nc 10.1.0.1 6002; udp flood 10.1.0.1 6001 100 0; sleep 0.2" 2>/tmp/err
	expect latency-slow-$rate:recording [ ! -s /tmp/err ]
	cat /tmp/err
	echo "$default" >/proc/sys/net/core/wmem_default
	netcost-report latency /out/latency-slow-$rate.nct
	kill "$server" 2>/dev/null || :
done

# Of some packets only: those that are read from one cgroup, or sent by it.
mkdir -p /tmp/cgroup2
mount -t cgroup2 none /tmp/cgroup2
mkdir -p /tmp/cgroup2/only/below
# shellcheck disable=SC2016 # the inner shell's
sh -c 'echo $$ >/tmp/cgroup2/only/below/cgroup.procs; exec udp sink 6003' &
below=$!
sleep 1
netcost-record -q -F 0 -i 200 --latency-only=cgroup=/only --exact=off -o /out/latency-only.nct -- \
	sh -c "udp flood 127.0.0.1 6001 $PACKETS 5000; udp flood 127.0.0.1 6003 $PACKETS 5000" 2>/tmp/err
expect latency-only:recording [ ! -s /tmp/err ]
cat /tmp/err
netcost-report latency /out/latency-only.nct
kill "$below"

# Through a tunnel into another namespace, and then a bridge. What spins is where the outer packets, or those of the port, come in.
nsenter -t "$client" -n /bin/tc qdisc del dev eth0 root
tunnel() {
	nsenter -t "$1" -n /bin/ip link add vx0 type vxlan id 7 local "$2" remote "$3" dstport 4789 dev "$4"
	nsenter -t "$1" -n /bin/ip addr add "$5/24" dev vx0
	nsenter -t "$1" -n /bin/ip link set vx0 up
}
tunnel $$ 10.1.0.1 10.1.0.2 nn 10.3.0.1
tunnel "$client" 10.1.0.2 10.1.0.1 eth0 10.3.0.2
spun vxlan "0 500" "-i nn -o 4789" nsenter -t "$client" -n udp flood 10.3.0.1 6001 $PACKETS 5000
brctl addbr brl
brctl addif brl nn
ip addr del 10.1.0.1/24 dev nn
ip addr add 10.1.0.1/24 dev brl
ip link set brl up
spun bridge "0 500" "-i nn -o 6001" nsenter -t "$client" -n udp flood 10.1.0.1 6001 $PACKETS 5000
kill "$sink" "$client" # the links go with the namespace
ip link set brl down
brctl delbr brl
