#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# For how long packets wait (--latency), on other ways than latency.sh has: over IPv6; through a tunnel, whose packets are as
# old as what came into it; and past 25 000 rules of the firewall, on its way in or out, which take as much as round trips get longer.
# shellcheck disable=SC2154 # netns_pair sets these
. tests/lib.sh
. tests/soak/lib/quiet.sh
. tests/soak/lib/latency.sh
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

spun udp6 udp6 "$client" "$server" "$server" "$server_ip6" "10 50 200" udp-socket-enqueued udp-socket-read
amount latency-udp6-packets "spun_once 0" latency packets "$tmp/udp6-0.json" udp-socket-read "$PACKETS"
amount latency-udp6-known "spun_once 0" latency known "$tmp/udp6-0.json" udp-socket-read
measured="--latency-only=netns=$server" earlier=receive # as in latency.sh
spun tcp6 tcp6 "$client" "$server" "$server" "$server_ip6" "10 50 200" tcp-start tcp-socket-read
measured="" earlier="receive qdisc driver"
amount latency-tcp6-known "spun_once 0" latency known "$tmp/tcp6-0.json" tcp-socket-read

# ---- the firewall

# rules: makes that many rules, which do not match
rules() {
	printf 'table ip slow {\nchain slow {\ntype filter hook prerouting priority 0\n'
	seq $RULES | awk '{ printf "ip saddr 10.99.%d.%d drop\n", $1 / 256, $1 % 256 }'
	printf '}\n}\n'
}

round_trip() {
	ip netns exec "$client" taskset -c "$here" "$PYTHON" tests/host/latency.py round-trip "$server_ip" 7002 200
}

# firewall NAMESPACE FILE PROTOCOL: measures without the rules, with them, and without them again
firewall() {
	for slow in 0 rules 0-again; do
		[ $slow != rules ] || ip netns exec "$1" nft -f "$2"
		receiver "$server" "$3" 0
		send "$name-$slow" "$client" "$3" "$server_ip" "$PACKETS" 2000 >/dev/null
		ended "$spawned"
		[ $slow = 0-again ] || before=${after:-0} after=$(round_trip)
		[ $slow != rules ] || ip netns exec "$1" nft flush ruleset
	done
	cases="rules=$(echo "$before $after" | awk '{ print $2 - $1 }')"
}

in_round() {
	firewall "$server" "$tmp/rules" udp
}

# The rules for sent packets are between the send call and the device's queue.
out_round() {
	firewall "$client" "$tmp/out-rules" tcp
}

rules >"$tmp/rules"
if ! command -v nft >/dev/null || ! ip netns exec "$server" nft list ruleset >/dev/null 2>&1; then
	skip latency-firewall "needs nft, and a kernel with nf_tables"
else
	spawn ip netns exec "$server" taskset -c "$other" "$BUILD/tests/udp" echo 7002
	echo=$spawned
	# The time of the rules varies with the state of the CPU's caches, and they change the caches for
	# all other code.
	quantiles=p50
	elsewhere=0.03
	name=firewall earlier="receive qdisc driver" later="udp-socket-enqueued udp-socket-read"
	shifts in_round
	sed 's/hook prerouting/hook output/' "$tmp/rules" >"$tmp/out-rules"
	if missing=$(latency lacks "$tmp/first.json" tcp-send); then
		name=firewall-out earlier="qdisc driver receive tcp-socket-enqueued" later=tcp-send
		shifts out_round
	else
		skip latency-firewall-out "not measured here: $missing"
	fi
	ended "$echo"
fi

# ---- a tunnel: time spun where the outer packets arrive is in the latency of the inner packets

VXLAN_PORT=4789
tunnels() {
	for end in client server; do
		eval "in=\$$end here_ip=\${${end}_ip}"
		[ $end = client ] && there_ip=$server_ip number=1 || there_ip=$client_ip number=2
		ip -n "$in" link add vx0 type vxlan id 7 local "$here_ip" remote "$there_ip" dstport $VXLAN_PORT 2>"$tmp/why" || return
		ip -n "$in" addr add "10.78.0.$number/24" dev vx0
		ip -n "$in" link set vx0 up
	done
}

quantiles= elsewhere=
if ! tunnels; then
	skip latency-vxlan "$(tail -n 1 "$tmp/why")"
else
	earlier="receive driver"
	spin_options="-o $VXLAN_PORT"
	spun vxlan udp "$client" "$server" "$server" 10.78.0.2 "10 50 200" udp-socket-enqueued udp-socket-read
	amount latency-vxlan-packets "spun_once 0" latency packets "$tmp/vxlan-0.json" udp-socket-read "$PACKETS"
	amount latency-vxlan-known "spun_once 0" latency known "$tmp/vxlan-0.json" udp-socket-read
fi
