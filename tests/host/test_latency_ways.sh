#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# For how long packets wait (--latency), on other ways than test_latency.sh has: over IPv6; through a tunnel, whose packets are as
# old as what came into it; and past 25 000 rules of the firewall, on its way in or out, which take as much as round trips get longer.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/quiet.sh
. tests/host/latency.sh
need_recorder
need_command zstd ip tc

netns_pair client server
PACKETS=${NETCOST_LATENCY_PACKETS:-600}
RULES=25000

record first true
missing=$(latency lacks "$tmp/first.json" receive tcp-start udp-socket-enqueued udp-socket-read tcp-socket-read) ||
	skip_all "not all is measured here: $missing"
spin 0 "$server" || skip_all "$(tail -n 1 "$tmp/why")"
ended "$spawned"
wait_for_quiet || :

# ---- IPv6

spun udp6 udp6 "$client" "$server" "$server" "$server_ip6" 50 udp-socket-enqueued udp-socket-read
amount latency-udp6-packets "spun_once 0" latency packets "$tmp/udp6-0.json" udp-socket-read "$PACKETS"
amount latency-udp6-known "spun_once 0" latency known "$tmp/udp6-0.json" udp-socket-read
spun tcp6 tcp6 "$client" "$server" "$server" "$server_ip6" 50 tcp-start tcp-socket-read
amount latency-tcp6-known "spun_once 0" latency known "$tmp/tcp6-0.json" tcp-socket-read

# ---- the firewall

# rules: as many as that, which do not match
rules() {
	printf 'table ip slow {\nchain slow {\ntype filter hook prerouting priority 0\n'
	seq $RULES | awk '{ printf "ip saddr 10.99.%d.%d drop\n", $1 / 256, $1 % 256 }'
	printf '}\n}\n'
}

round_trip() {
	ip netns exec "$client" taskset -c "$here" "$PYTHON" tests/host/latency.py round-trip "$server_ip" 7002 200
}

firewall_once() {
	receiver "$server" udp 0
	reader=$spawned
	send firewall-0 "$client" udp "$server_ip" "$PACKETS" 2000
	before=$(round_trip)
	ip netns exec "$server" nft -f "$tmp/rules"
	send firewall-1 "$client" udp "$server_ip" "$PACKETS" 2000
	after=$(round_trip)
	ip netns exec "$server" nft flush ruleset
	ended "$reader"
	took=$(echo "$before $after" | awk '{ print $2 - $1 }')
}

# On the way out they are between the call that sends and the device's queue.
out_once() {
	for out in 0 1; do
		[ $out = 0 ] || ip netns exec "$client" nft -f "$tmp/out-rules"
		receiver "$server" tcp 0
		send out-$out "$client" tcp "$server_ip" "$PACKETS" 2000
		ended "$spawned"
		before=${after:-0} after=$(round_trip)
	done
	ip netns exec "$client" nft flush ruleset
	took=$(echo "$before $after" | awk '{ print $2 - $1 }')
}

# slower_by NAME HOOK
slower_by() {
	latency moved "$tmp/$1-0.json" "$tmp/$1-1.json" "$2" "$took"
}

rules >"$tmp/rules"
if ! command -v nft >/dev/null || ! ip netns exec "$server" nft list ruleset >/dev/null 2>&1; then
	skip latency-firewall "needs nft, and a kernel with nf_tables"
else
	spawn ip netns exec "$server" taskset -c "$other" "$BUILD/tests/udp" echo 7002
	echo=$spawned
	firewall_once
	for hook in udp-socket-enqueued udp-socket-read; do
		amount latency-firewall-$hook firewall_once slower_by firewall $hook
	done
	amount latency-firewall-before firewall_once \
		latency stayed "$tmp/firewall-0.json" "$tmp/firewall-1.json" receive
	sed 's/hook prerouting/hook output/' "$tmp/rules" >"$tmp/out-rules"
	if missing=$(latency lacks "$tmp/first.json" tcp-send); then
		out_once
		amount latency-firewall-out out_once slower_by out tcp-send
		amount latency-firewall-out-behind out_once latency stayed "$tmp/out-0.json" "$tmp/out-1.json" qdisc
	else
		skip latency-firewall-out "not measured here: $missing"
	fi
	ended "$echo"
fi

# ---- a tunnel: what is spun where it comes in is in what comes out of it

VXLAN_PORT=4789
for end in client server; do
	eval "in=\$$end here_ip=\${${end}_ip}"
	[ $end = client ] && there_ip=$server_ip number=1 || there_ip=$client_ip number=2
	if ! ip -n "$in" link add vx0 type vxlan id 7 local "$here_ip" remote "$there_ip" dstport $VXLAN_PORT 2>"$tmp/why"; then
		skip latency-vxlan "$(tail -n 1 "$tmp/why")"
		exit
	fi
	ip -n "$in" addr add "10.78.0.$number/24" dev vx0
	ip -n "$in" link set vx0 up
done
spin_options="-o $VXLAN_PORT"
spun vxlan udp "$client" "$server" "$server" 10.78.0.2 "50 200" udp-socket-enqueued udp-socket-read
amount latency-vxlan-packets "spun_once 0" latency packets "$tmp/vxlan-0.json" udp-socket-read "$PACKETS"
amount latency-vxlan-known "spun_once 0" latency known "$tmp/vxlan-0.json" udp-socket-read
