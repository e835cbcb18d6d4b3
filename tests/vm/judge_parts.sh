#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_parts.sh OUT VERSION: N pings pass each part as often as they must (guest/test_parts.sh), and nothing is said twice.
. tests/lib.sh
out=$1 version=$2
n=50 # as there
amount=

# holds NAME TRACE EXPRESSION...: true for each, of x
holds() {
	what=$version:$1 file=$2
	shift 2
	if [ ! -e "$file" ]; then
		skip "$what" "not recorded"
		return
	fi
	wrong=
	for expression; do
		got=$("$PYTHON" tests/nct.py "$file" "$expression" 2>&1) || amount= # no trace is no amount
		[ "$got" = True ] || wrong="$wrong; $expression"
	done
	if [ -z "$wrong" ]; then
		pass "$what"
		return
	fi
	"$PYTHON" tests/nct.py "$file" '[(p, x.part_calls(p), x.part_ns(p), x.part_total_ns(p)) for p in PARTS if x.part_column(p, 4)]' || :
	if [ -z "$amount" ]; then fail "$what" "${wrong#; }"; else echo "amount $what: ${wrong#; }"; fi
}

# amounts NAME TRACE EXPRESSION...: as holds; of how much and how often (run.sh)
amounts() {
	amount=1
	holds "$@"
	amount=
}

for check in "$out"/parts-*.check; do
	rung=${check##*/parts-}
	rung=${rung%.check}
	trace=$out/parts-$rung
	echo "$rung:"
	grep -A 13 '^driver_poll ' "$check" || :
	expect "$version:parts-$rung-functions" [ "$(grep -A 13 '^driver_poll ' "$check" | grep -c " $rung ")" -eq 14 ]
	holds "parts-$rung-forward4" "$trace-forward4.nct" "x.part_calls('forward_v4') == 2 * $n" \
		"x.part_calls('local_v4') == 2 * $n" "x.part_calls('forward_v6') == 0" \
		"x.part_calls('receive') >= 4 * $n" "x.part_calls('driver_poll') >= $n" \
		"x.part_calls('bridging') == x.part_calls('tc_ingress') == x.part_calls('xdp_generic') == 0" \
		"x.part_calls('prerouting_v4') == x.part_calls('nf_ingress') == x.part_calls('conntrack') == 0"
	holds "parts-$rung-forward6" "$trace-forward6.nct" "x.part_calls('forward_v6') == 2 * $n" \
		"x.part_calls('local_v6') >= 2 * $n" "x.part_calls('forward_v4') == 0" \
		"x.part_calls('receive') >= 4 * $n"
	holds "parts-$rung-local4" "$trace-local4.nct" "x.part_calls('local_v4') == 2 * $n" \
		"x.part_calls('forward_v4') == 0" "x.part_calls('receive') >= 2 * $n"
	# IPv6 speaks to its neighbours on its own now and then, which is tracked, too.
	holds "parts-$rung-netfilter4" "$trace-netfilter4.nct" "x.part_calls('prerouting_v4') == 2 * $n" \
		"0 <= x.part_calls('conntrack') - 2 * $n <= 2 * x.part_calls('prerouting_v6')" "x.part_calls('nf_ingress') >= $n" \
		"x.part_calls('forward_v4') == 2 * $n" "x.part_total_ns('prerouting_v4') > x.part_ns('conntrack')"
	holds "parts-$rung-netfilter6" "$trace-netfilter6.nct" "x.part_calls('prerouting_v6') >= 2 * $n" \
		"x.part_calls('conntrack') >= 2 * $n" "x.part_calls('nf_ingress') >= $n" \
		"x.part_calls('forward_v6') == 2 * $n"
	holds "parts-$rung-bridge" "$trace-bridge.nct" "2 * $n <= x.part_calls('bridging') <= 2 * $n + 20" \
		"x.part_calls('local_v4') == 2 * $n" "x.part_calls('receive') >= 4 * $n" "x.part_calls('forward_v4') == 0"
	# Through the receive core twice, the inner one inside bridging, inside the outer one.
	holds "parts-$rung-bridge-itself" "$trace-bridge-itself.nct" "$n <= x.part_calls('bridging') <= $n + 20" \
		"x.part_calls('local_v4') == 2 * $n" "x.part_calls('receive') >= 3 * $n"
	amounts "parts-$rung-bridge-inclusive" "$trace-bridge-itself.nct" \
		"x.part_total_ns('bridging') > x.part_ns('bridging') + x.part_ns('local_v4') // 4"
	# 2000 packets, about as many polls. A kprobe in a softirq that interrupts another one is left out by the kernel.
	seen="x.part_calls('local_v4') == x.calls('sock_send') == 2000"
	[ "$rung" = fentry ] || seen="($seen) or x.lost(7) > 0"
	holds "parts-$rung-interrupted" "$trace-interrupted.nct" "$seen" "x.check_parts()" "x.check_identity()"
	amounts "parts-$rung-interrupted-polls" "$trace-interrupted.nct" \
		"1800 <= x.part_calls('driver_poll') + x.lost(7) <= 2200"
	for name in forward4 forward6 local4 netfilter4 netfilter6 bridge bridge-itself; do
		holds "parts-$rung-$name-sums" "$trace-$name.nct" "x.check_parts()" "x.check_identity()" "x.lost(7) == 0" \
			"x.part_total_ns('receive') <= x.part_total_ns('driver_poll') <= sum(x.ns('rx_softirq'))"
	done
done
