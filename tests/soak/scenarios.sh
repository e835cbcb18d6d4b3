#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Traffic that stresses one function of the network stack, in namespaces of our own, shows in the category of
# that function, and not in those of others: ten times as much as without the function.
# Commands are lists of words here. netns_pair sets client and server.
# shellcheck disable=SC2086,SC2154
. tests/lib.sh
need_recorder
need_command zstd ip taskset
. tests/soak/lib/quiet.sh
here=$(taskset -cp $$ | sed 's/.*[ ,-]//')
seconds=0.8
flood="$PYTHON tests/soak/flood.py"

# record TRACE COMMAND...: records one CPU that runs only the command
record() {
	trace=$tmp/$1.nct
	shift
	"$RECORD" -q --exact=off -C "$here" -F 4999 -o "$trace" -- taskset -c "$here" "$@" >"$tmp/out" 2>&1
}

again() {
	record "$name" $command || cat "$tmp/out"
}

# shows_in NAME WITHOUT CATEGORIES: checks the trace NAME by scenario.py
shows_in() {
	"$PYTHON" tests/soak/scenario.py "$REPORT" "$tmp/$1.nct" "$tmp/$2.nct" $3
}

# scenario NAME WITHOUT EXPECTED... / ALLOWED... -- COMMAND...: records the command and checks its
# categories
scenario() {
	name=$1 without=$2 categories=
	shift 2
	while [ "$1" != -- ]; do
		categories="$categories $1"
		shift
	done
	shift
	command=$*
	again
	amount "scenario-$name" again shows_in "$name" "$without" "$categories"
}

# possible NAME COMMAND...: fails and prints skip if this host cannot be set up for the scenario
possible() {
	possible_name=$1
	shift
	! "$@" >"$tmp/why" 2>&1 || return 0
	skip "scenario-$possible_name" "$(head -n 1 "$tmp/why")"
	return 1
}

# nft_rules FAMILY HOOK RULE: makes a chain with 1000 such rules, of which only the last one matches
nft_rules() {
	{
		echo "table $1 scenario { chain c { type filter hook $2; policy accept;"
		seq 1 1000 | sed "s/.*/$3/"
		printf '}\n}\n'
	} >"$tmp/rules.nft"
	$in_server nft -f "$tmp/rules.nft"
}

# ---- two hosts next to each other

netns_pair client server
in_client="ip netns exec $client" in_server="ip netns exec $server"
spawn $in_server $flood sink
spawn $in_client $flood sink
wait_for 5 netns_listening "$server" 5555
udp="$in_client $flood udp $server_ip $seconds"
tcp="$in_client $flood tcp $server_ip $seconds 4000"
udp6="$in_client $flood udp $server_ip6 $seconds"

record unix $flood unix "$seconds"
record v4 $udp
record v6 $udp6
record tcp $tcp
scenario local-udp v6 local_v4_udp local_v4 / -- $udp
scenario local-udp6 v4 local_v6_udp local_v6 / -- $udp6
scenario local-tcp v4 local_v4_tcp / -- $tcp
scenario loopback unix local_v4_udp rx_softirq send_udp / -- $in_client $flood udp "$client_ip" "$seconds"
# The generic part of the calls, in which no function shows the kind of socket, counts as local too,
# because the task has no other socket.
scenario unix v4 local_unix sock_local / !rx_softirq !tx_softirq !other_network !send_tcp !send_udp !send_ip \
	!send_qdisc !send_driver !recv_tcp !recv_udp !sock_send !sock_recv -- $flood unix "$seconds"

# A BPF program of this test, and a sender that triggers it. Without the program the sender's own
# code takes the time.
spin="$BUILD/tests/spin -r 1 -s 20 -b 500 -l 20000 -t 5"
if possible tc-ingress $spin egress "$client" "$server"; then
	record spin $spin egress "$client" "$server"
	scenario tc-ingress spin tc_ingress / -- $spin tc "$client" "$server"
	scenario xdp-generic spin xdp_generic / -- $spin xdp "$client" "$server"
fi

if possible nft-prerouting nft_rules inet "prerouting priority -200" "udp dport 9 drop"; then
	scenario nft-prerouting v4 prerouting_v4 / -- $udp
	scenario nft-prerouting6 v6 prerouting_v6 / -- $udp6
	$in_server nft delete table inet scenario
fi
if possible nft-ingress nft_rules netdev "ingress device eth0 priority 0" "udp dport 9 drop"; then
	scenario nft-ingress v4 nf_ingress / -- $udp
	$in_server nft delete table netdev scenario
fi
if possible conntrack nft_rules inet "prerouting priority -400" "ct state invalid drop"; then
	$in_server nft flush chain inet scenario c
	$in_server nft add rule inet scenario c ct state new,established accept
	scenario conntrack v4 conntrack / prerouting_v4 local_v4_netfilter -- $udp
	$in_server nft delete table inet scenario
fi

tunnel() {
	for ns in "$client" "$server"; do
		n=1 other=$server_ip
		[ "$ns" = "$client" ] || n=2 other=$client_ip
		ip -n "$ns" link add tunnel0 type vxlan id 7 remote "$other" dstport 4789 dev eth0 || return
		ip -n "$ns" addr add "10.78.0.$n/24" dev tunnel0
		ip -n "$ns" link set tunnel0 up
	done
}
if possible vxlan tunnel; then
	scenario vxlan v4 local_v4_tunnel / gro -- $in_client $flood udp 10.78.0.2 "$seconds"
fi

# A veth passes packets to NAPI, and so to GRO, unless its peer already made large packets.
gro() {
	$in_client $flood set eth0 tso 0 && $in_server $flood set eth0 gro 1
}
if possible gro gro; then
	scenario gro tcp gro / -- $tcp
fi

# ---- a host between them: as a router, then as a bridge

three() {
	for ns in left middle right; do
		ip netns add "$lib_prefix-$ns"
		lib_namespaces="$lib_namespaces $lib_prefix-$ns"
		ip -n "$lib_prefix-$ns" link set lo up
	done
	left=$lib_prefix-left middle=$lib_prefix-middle right=$lib_prefix-right
	ip link add eth0 netns "$left" type veth peer name eth1 netns "$middle"
	ip link add eth0 netns "$right" type veth peer name eth2 netns "$middle"
}

up() { # up NAMESPACE INTERFACE IPV4 IPV6: sets addresses
	ip -n "$1" addr add "$3/24" dev "$2"
	ip -n "$1" addr add "$4/64" dev "$2" nodad
	ip -n "$1" link set "$2" up
}

three
up "$left" eth0 10.79.1.1 fd79:1::1
up "$middle" eth1 10.79.1.2 fd79:1::2
up "$middle" eth2 10.79.2.2 fd79:2::2
up "$right" eth0 10.79.2.1 fd79:2::1
ip -n "$left" route add default via 10.79.1.2
ip -n "$left" -6 route add default via fd79:1::2
ip -n "$right" route add default via 10.79.2.2
ip -n "$right" -6 route add default via fd79:2::2
spawn ip netns exec "$right" $flood sink
wait_for 5 netns_listening "$right" 5555
in_left="ip netns exec $left"
routes() {
	ip netns exec "$middle" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward
		echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
}
if possible forwarding routes; then
	scenario forwarding v4 forward_v4 / -- $in_left $flood udp 10.79.2.1 "$seconds"
	scenario forwarding6 v6 forward_v6 / -- $in_left $flood udp fd79:2::1 "$seconds"
fi

bridge() {
	ip -n "$middle" link add br0 type bridge || return
	for i in eth1 eth2; do
		ip -n "$middle" addr flush dev "$i"
		ip -n "$middle" link set "$i" master br0
	done
	ip -n "$middle" link set br0 up
	ip -n "$right" addr add 10.79.1.3/24 dev eth0
}
if possible bridge bridge; then
	scenario bridge v4 bridging / -- $in_left $flood udp 10.79.1.3 "$seconds"
fi
