#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_stages.sh OUT VERSION: what guest/test_stages.sh recorded: each packet came through all stages, those of functions, too,
# in an order that can be; and steps sum to whole ways.
. tests/lib.sh

stages() {
	"$PYTHON" tests/host/stages.py "$@"
}

# is_sound NAME
is_sound() {
	trace=$out/$1.nct report=$out/$1.json
	expect "$version:$1-verifies" "$REPORT" verify -q "$trace"
	"$REPORT" stages --format=json "$trace" >"$report"
	expect "$version:$1-told" stages told "$report"
	expect "$version:$1-order" stages order "$trace"
	expect "$version:$1-sums" stages sums "$report"
	"$REPORT" stages --by=flow --format=json "$trace" >"$out/$1-flow.json"
	expect "$version:$1-by-flow" stages by "$report" "$out/$1-flow.json"
}

out=$1 version=$2
[ -e "$out/stages.nct" ] || exit
is_sound stages
expect "$version:stages-functions" stages lacks "$report" ip route socket read
for stage in driver entry receive ip; do
	expect "$version:stages-$stage" stages came "$report" $stage 295 # of the last ones the begin or the end may be missing
done
for stage in socket read; do
	expect "$version:stages-$stage" stages came "$report" $stage 290
done

expect "$version:stages-nobodys" stages nobodys "$trace"

is_sound ways
expect "$version:ways-whose" stages whose "$out/ways-flow.json" 17 127.0.0.1 127.0.0.1 6001 95
expect "$version:ways-functions" stages lacks "$report" netfilter tc iptables cloned
for stage in tc iptables cloned; do
	expect "$version:ways-$stage" stages came "$report" $stage 95
done
for hook in output input; do
	expect "$version:ways-iptables-$hook" stages rule "$report" iptables "ip $hook" filter 95
	expect "$version:ways-netfilter-$hook" stages rule "$report" netfilter "ip $hook" - 95
done
if grep -qx nftables "$out/ways.rules"; then
	expect "$version:ways-modules" stages lacks "$report" conntrack nftables
	for hook in output postrouting prerouting input; do
		expect "$version:ways-nftables-$hook" stages rule "$report" nftables "ip $hook" mine 95
	done
	for hook in output prerouting; do
		expect "$version:ways-conntrack-$hook" stages rule "$report" conntrack "ip $hook" - 95
	done
fi

is_sound bridged
expect "$version:bridged-whose" stages whose "$out/bridged-flow.json" 1 10.78.0.1 10.78.0.2 0 18
expect "$version:bridged-functions" stages lacks "$report" bridge
expect "$version:bridged-bridge" stages came "$report" bridge 38
