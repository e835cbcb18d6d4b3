#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Who received packets, where sockets have tracepoints and where functions, or who is woken, have to do: two processes
# receive as much, and a TC program spins for packets of the first one alone. The host judges (tests/vm/judge_owners.sh).
. ./lib.sh
. ./owners.sh

receivers $$ udp sink
device=lo
for rung in fentry kprobe; do
	export NETCOST_RUNG=$rung
	spun $rung $$ sh -c "$(flood 127.0.0.1)"
	expect owners-$rung:verify netcost-report verify -q /out/owners-$rung-$US-1.nct
	netcost-report who /out/owners-$rung-$US-1.nct
done
unset NETCOST_RUNG

# A driver with NAPI hands over lists that contain many packets of both receivers.
namespace_after nn
client=$host
ip link set nn up
ip addr add 10.1.0.1/24 dev nn
nsenter -t "$client" -n ip addr add 10.1.0.2/24 dev eth0
nsenter -t "$client" -n ip link set eth0 up
udp gro nn on
nsenter -t "$client" -n udp tso eth0 off
nsenter -t "$client" -n /bin/tc qdisc add dev eth0 root netem slot 20ms 20ms
device=nn US=500 # the length of lists varies
spun lists $$ nsenter -t "$client" -n sh -c "$(flood 10.1.0.1)"

# A NAPI thread polls.
nsenter -t "$client" -n /bin/tc qdisc del dev eth0 root
echo 1 >/sys/class/net/nn/threaded
spun thread $$ nsenter -t "$client" -n sh -c "$(flood 10.1.0.1)"
gone
kill "$client" # the link is removed with the namespace
