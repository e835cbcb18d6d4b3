#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf record, beside us, sees the same shares of the leaves and of the parts of the RX softirq, sorted by a
# script that knows the rules file alone (tests/report/sorted.py).
#
# A load that never sleeps, for the reason that perf.sh gives, and that passes much of the network stack:
# UDP to, and back through, a bridge and router that filters by netfilter, tracks connections, has a classifier and
# an XDP program, and merges segments: so each category has its share.
# shellcheck disable=SC2154 # netns_pair sets client and server
. tests/lib.sh
need_recorder
need_command perf zstd nft tc taskset

flood="$PYTHON tests/soak/flood.py"
netns_pair client server
# shellcheck disable=SC2086 # words
spawn ip netns exec "$server" $flood sink
wait_for 20 netns_listening "$server" 5555
{
	echo "table inet t { chain p { type filter hook prerouting priority 0; policy accept;"
	echo "ct state invalid drop"
	seq 1 100 | sed 's/.*/udp dport & drop/'
	printf '}\n}\n'
} >"$tmp/rules.nft"
ip netns exec "$server" nft -f "$tmp/rules.nft" || skip_all "nft does not do here"
# If one of these is not available, one category less is compared.
ip -n "$server" link add br0 type bridge && ip -n "$server" addr flush dev eth0 && ip -n "$server" link set eth0 master br0
ip -n "$server" link set br0 up
ip -n "$server" addr add "$server_ip/24" dev br0
ip -n "$server" addr add "$server_ip6/64" dev br0 nodad
# The peer of a veth passes packets to GRO only if the veth did not segment them itself.
# shellcheck disable=SC2086 # words
ip netns exec "$client" $flood set eth0 tso 0 && ip netns exec "$server" $flood set eth0 gro 1 || :
echo '__attribute__((section("xdp"), used)) int pass(void *ctx) { return 2; }' |
	clang -O2 -target bpf -x c -c -o "$tmp/pass.o" - &&
	ip -n "$server" link set eth0 xdpgeneric object "$tmp/pass.o" section xdp || :
ip netns exec "$server" tc qdisc add dev eth0 clsact || :
ip netns exec "$server" tc filter add dev eth0 ingress bpf bytecode '1,6 0 0 0' || :
ip netns exec "$server" nft add table netdev t
ip netns exec "$server" nft add chain netdev t i "{ type filter hook ingress device eth0 priority 0; policy accept; }"
ip netns exec "$server" nft add rule netdev t i udp dport 9 drop
# Packets that the client sends to this address return to the client, but are not addressed to it.
ip netns exec "$server" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
	echo 0 >/proc/sys/net/ipv4/conf/all/send_redirects; echo 0 >/proc/sys/net/ipv4/conf/br0/send_redirects'
ip -n "$client" route add 10.99.0.0/24 via "$server_ip"
ip -n "$server" route add 10.99.0.0/24 via "$client_ip"
ip -n "$client" route add fd99::/64 via "$server_ip6"
ip -n "$server" route add fd99::/64 via "$client_ip6"
cpus=$(getconf _NPROCESSORS_ONLN)
for cpu in $(seq 0 $((cpus - 1))); do
	addresses="$server_ip fd99::1"
	[ $((cpu % 2)) -eq 0 ] || addresses="$server_ip6 10.99.0.1"
	for address in $addresses; do
		# shellcheck disable=SC2086 # words
		spawn taskset -c "$cpu" ip netns exec "$client" $flood udp "$address" 60
	done
done
sleep 0.5

# There are many short recordings, because two samplers' views of one load depend on the distance
# between their timers at the start.
files=
for n in 1 2 3 4 5 6 7 8; do
	"$RECORD" -q --exact=off -i 50 -o "$tmp/$n.nct" -- \
		perf record -q -k CLOCK_MONOTONIC -e cpu-clock -F 999 -a -g -o "$tmp/perf.data" -- sleep 2
	perf script -i "$tmp/perf.data" -F comm,time,ip,sym >"$tmp/$n.script" 2>/dev/null
	files="$files $tmp/$n.nct $tmp/$n.script"
done
# shellcheck disable=SC2086 # a list
judge perf-agrees-on-categories "samplers miss too many samples here" \
	"$PYTHON" tests/report/sorted.py perf examples/rules/default.rules "$REPORT" $((999 * cpus)) $files
