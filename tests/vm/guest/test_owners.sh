#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Who received packets, where sockets have tracepoints and where functions, or who is woken, have to do: two processes
# receive as much, and a TC program spins for packets of the first one alone. The host judges (tests/vm/judge_owners.sh).
. ./lib.sh

PACKETS=300 US=500

for port in 6001 6002; do
	udp sink "$port" &
	eval pid_$port=$!
done
sleep 1
for rung in fentry kprobe; do
	for us in 0 $US; do
		out=/out/owners-$rung-$us
		spin -o 6001 -t "$us" tc-port - - >"$out.spun" &
		spin=$!
		sleep 1
		NETCOST_RUNG=$rung netcost-record -q -F 0 -i 500 --owners --exact=entry -o "$out.nct" -- \
			sh -c "udp flood 127.0.0.1 6002 $PACKETS 2000 & udp flood 127.0.0.1 6001 $PACKETS 2000; wait" 2>/tmp/err
		expect owners-$rung-$us:recording [ ! -s /tmp/err ]
		cat /tmp/err
		kill "$spin"
		wait "$spin"
		expect owners-$rung-$us:verify netcost-report verify -q "$out.nct"
		netcost-report processes "$out.nct"
		# shellcheck disable=SC2154 # by eval
		echo "$pid_6001 $pid_6002 $PACKETS" >"$out.pids"
	done
done

# A driver with NAPI, whose packets come in lists: many at once, of both.
namespace_after nn
client=$host
ip link set nn up
ip addr add 10.1.0.1/24 dev nn
nsenter -t "$client" -n ip addr add 10.1.0.2/24 dev eth0
nsenter -t "$client" -n ip link set eth0 up
udp gro nn on
nsenter -t "$client" -n udp tso eth0 off
nsenter -t "$client" -n tc qdisc add dev eth0 root netem slot 20ms 20ms
for us in 0 $US; do
	out=/out/owners-lists-$us
	spin -i nn -o 6001 -t "$us" tc-port - - >"$out.spun" &
	spin=$!
	sleep 1
	netcost-record -q -F 0 -i 500 --owners --exact=entry -o "$out.nct" -- nsenter -t "$client" -n \
		sh -c "udp flood 10.1.0.1 6002 $PACKETS 2000 & udp flood 10.1.0.1 6001 $PACKETS 2000; wait; sleep 0.2" 2>/tmp/err
	expect owners-lists-$us:recording [ ! -s /tmp/err ]
	cat /tmp/err
	kill "$spin"
	wait "$spin"
	netcost-report processes "$out.nct"
	echo "$pid_6001 $pid_6002 $PACKETS" >"$out.pids"
done
kill "$pid_6001" "$pid_6002" "$client" # the link goes with the namespace
