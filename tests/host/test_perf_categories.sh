#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf record, beside us, sees the same shares of the leaves and of the parts of the RX softirq, sorted by a
# script that knows the rules file alone (tests/report/sorted.py).
#
# A load that never sleeps, for the reason that test_perf.sh gives, and that passes much of the network stack:
# UDP through a router that filters by netfilter, tracks connections and has a classifier.
# shellcheck disable=SC2154 # netns_pair sets client and server
. tests/lib.sh
need_recorder
need_command perf zstd nft tc taskset

flood="$PYTHON tests/host/flood.py"
netns_pair client server
# shellcheck disable=SC2086 # words
spawn ip netns exec "$server" $flood sink
wait_for 5 netns_listening "$server" 5555
{
	echo "table inet t { chain p { type filter hook prerouting priority 0; policy accept;"
	echo "ct state invalid drop"
	seq 1 100 | sed 's/.*/udp dport & drop/'
	printf '}\n}\n'
} >"$tmp/rules.nft"
ip netns exec "$server" nft -f "$tmp/rules.nft" || skip_all "nft does not do here"
# Where classifiers are not to be had, one category less is compared.
ip netns exec "$server" tc qdisc add dev eth0 clsact || :
ip netns exec "$server" tc filter add dev eth0 ingress bpf bytecode '1,6 0 0 0' || :
for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	address=$server_ip
	[ $((cpu % 2)) -eq 0 ] || address=$server_ip6
	# shellcheck disable=SC2086 # words
	spawn taskset -c "$cpu" ip netns exec "$client" $flood udp "$address" 60
done
sleep 0.5

files=
for n in 1 2 3 4; do
	"$RECORD" -q --exact=off -o "$tmp/$n.nct" -- \
		perf record -q -e cpu-clock -F 999 -a -g -o "$tmp/perf.data" -- sleep 3
	perf script -i "$tmp/perf.data" -F comm,ip,sym >"$tmp/$n.script" 2>/dev/null
	files="$files $tmp/$n.nct $tmp/$n.script"
done
# shellcheck disable=SC2086 # a list
judge perf-agrees-on-categories "this host does too much else to say" \
	"$PYTHON" tests/report/sorted.py perf examples/rules/default.rules "$REPORT" $files
