#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_waits.sh OUT VERSION: what guest/test_waits.sh recorded: the hooks behind a delay are later by that much within one bucket,
# those before it are not at all. The machine's noise is small, because its clock counts instructions. The 99th percentile is noisy even
# there: only the soak judges it.
. tests/lib.sh
# timers of these kernels, with the times that they take in these machines
export NETCOST_TICK="4000 20"
out=$1 version=$2
quantiles="p50 p90"
[ "${NETCOST_TIER:-soak}" = all ] || quantiles="$quantiles p99"
export NETCOST_QUANTILES="$quantiles"

for trace in "$out"/waits-*.nct; do
	[ -e "$trace" ] || continue
	expect "$version:$(basename "$trace" .nct)-verifies" "$REPORT" verify -q "$trace"
	"$REPORT" latency --format=json "$trace" >"${trace%.nct}.json"
done

# moved WAY EARLIER LATER: judges by shifts.py
moved() {
	way=$1 earlier=$2 later=$3
	cases=$(sed -n "s/^$way //p" "$out/waits.cases")
	for case in $cases; do
		# shellcheck disable=SC2086 # words
		set -- "$out/waits-$way-0.json,$out/waits-$way-0-again.json" "$out/waits-$way-${case%=*}.json" "${case#*=}" $earlier -- $later
		"$PYTHON" tests/soak/shifts.py judge "$version:waits-$way-${case%=*}" "$@" >"$tmp/verdicts"
		sed 's/^/    /' "$tmp/verdicts"
		"$PYTHON" tests/soak/shifts.py strict "$tmp/verdicts"
		[ -z "$later" ] || expect "$version:waits-$way-${case%=*}-none-refused" "$PYTHON" tests/soak/shifts.py refuses "$@"
	done
}

[ -e "$out/waits.cases" ] || exit
out_hooks="udp-send qdisc driver"
in_hooks="ip-start udp-start udp-socket-enqueued udp-socket-read"
# behind a tunnel or a bridge's port, the first checkpoints see packets twice
ends="udp-socket-enqueued udp-socket-read"
moved loopback "$out_hooks receive" "$in_hooks"
moved driver "udp-send qdisc" "driver receive $in_hooks"
moved veth "$out_hooks receive" "$in_hooks"
# Packets that a timer sends are aliased with the timer's ticks, so that one in a hundred coincides
# with a tick. They are also aliased with how deeply the reader sleeps.
moved netem "udp-send driver receive ip-start udp-start udp-socket-enqueued" qdisc
NETCOST_QUANTILES="p50 p90"
moved timed "udp-send driver receive ip-start udp-start udp-socket-enqueued" qdisc
NETCOST_QUANTILES=$quantiles
moved clock "$out_hooks receive $in_hooks" ""
moved late "$out_hooks receive ip-start udp-start udp-socket-enqueued" udp-socket-read
moved firewall "$out_hooks receive" "$ends"
# Behind a tunnel, the 90th percentile also depends on how deeply the reader sleeps, so only the
# soak judges it.
[ "${NETCOST_TIER:-soak}" != all ] || NETCOST_QUANTILES=p50
moved vxlan "driver receive" "$ends"
moved bridge "$out_hooks receive" "$ends"
NETCOST_QUANTILES=$quantiles
# a packet takes 10 or 40 us in the driver, depending on whether QEMU must be notified
moved nic udp-send qdisc
for way in loopback timed-0 timed-200 clock-set; do
	report=$out/waits-$way.json
	[ -e "$report" ] || report=$out/waits-$way-0.json
	[ -e "$report" ] || continue
	for hook in receive $ends; do
		expect "$version:waits-$way-$hook-known" "$PYTHON" tests/host/latency.py known "$report" "$hook"
	done
done
# Some packets complete only when the next packet is sent, 2 ms later.
expect "$version:waits-nic-completion" "$PYTHON" tests/host/latency.py between "$out/waits-nic-0.json" completion 10 2500
expect "$version:waits-nic-completed" "$PYTHON" tests/host/latency.py same "$out/waits-nic-0.json" driver completion
