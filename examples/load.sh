#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Records a load that changes, for pictures. As root:
#
#	make all && sudo sh examples/load.sh [OUT [MBIT]]        (default: build/load.nct 100)
#
# A client, a router and a server, each a network namespace; the router forwards IPv4 and tracks connections.
# 20 s: quiet, UDP of MBIT Mbit/s and of four times that, TCP of ten times that, TCP as fast as it can, quiet.
# Each step is marked in the trace. Whatever else the host does is recorded, too, so keep it idle.
#
# examples/load.nct was recorded with 8 Mbit/s on a machine that QEMU emulates, with Debian's kernel 6.12. fentry
# is allowed there, so all parts of the RX softirq have exact times. No real CPU would give the same times.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
. tools/netns.sh

out=${1:-build/load.nct}
mbit=${2:-100}
record=$(command -v build/netcost-record || command -v netcost-record)
client=netcost-load-a-$$
router=netcost-load-r-$$
server=netcost-load-b-$$
recorder=

cleanup() {
	status=$?
	trap - EXIT
	trap '' HUP INT TERM
	if [ -n "$recorder" ]; then
		kill "$recorder" 2>/dev/null && wait "$recorder" || :
	fi
	for ns in "$client" "$router" "$server"; do
		netns_remove "$ns"
	done
	exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# leg NAMESPACE NUMBER: joins it to the router by 10.78.NUMBER.0/24
leg() {
	ip link add eth0 netns "$1" type veth peer name "eth$2" netns "$router"
	ip -n "$1" addr add "10.78.$2.2/24" dev eth0
	ip -n "$router" addr add "10.78.$2.1/24" dev "eth$2"
	ip -n "$1" link set eth0 up
	ip -n "$router" link set "eth$2" up
	ip -n "$1" route add default via "10.78.$2.1"
}

for ns in "$client" "$router" "$server"; do
	ip netns add "$ns"
done
leg "$client" 1
leg "$server" 2
ip netns exec "$router" sysctl -qw net.ipv4.ip_forward=1
ip netns exec "$router" nft -f - <<'RULES'
table ip filter {
	chain forward {
		type filter hook forward priority 0
		ct state established,related accept
		accept
	}
}
RULES
ip netns exec "$server" iperf3 -s -D -p 5201
wait_for 10 netns_listening "$server" 5201

"$record" -q --exact=full -F 999 -o "$out" &
recorder=$!

# step NAME SECONDS [iperf3's options]
step() {
	name=$1 seconds=$2
	shift 2
	"$record" --mark "$name" --pid "$recorder"
	if [ $# -gt 0 ]; then
		ip netns exec "$client" iperf3 -c 10.78.2.2 -t "$seconds" "$@" >/dev/null
	else
		sleep "$seconds"
	fi
}

wait_for 30 "$record" --mark quiet --pid "$recorder" # once it records
sleep 2
step UDP 3 -u -b "${mbit}M" -l 1400
step "UDP x 4" 3 -u -b "$((4 * mbit))M" -l 1400
step TCP 3 -b "$((10 * mbit))M"
step "TCP, all it can" 4 -b 0
step end 2
kill -INT "$recorder"
wait "$recorder" || :
recorder=
ls -l "$out"
