#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_napi.sh OUT VERSION: who polls a device has the time, and the parts are the same (guest/test_napi.sh).
. tests/lib.sh
out=$1 version=$2
n=500 # as there
amount=

# holds NAME[/WHAT] EXPRESSION...: true for each, of x, the trace of that name
holds() {
	what=$version:napi-$(echo "$1" | tr / -) file=$out/napi-${1%/*}.nct wrong=
	shift
	for expression; do
		got=$("$PYTHON" tests/nct.py "$file" "$expression" 2>&1) || amount= # no trace is no amount
		[ "$got" = True ] || wrong="$wrong; $expression"
	done
	"$PYTHON" tests/nct.py "$file" '[(e, x.calls(e), sum(x.ns(e))) for e in EVENTS[3:] if None not in x.ns(e)], [(p, x.part_calls(p), x.part_ns(p), x.part_total_ns(p)) for p in PARTS if x.part_column(p, 4) and x.part_calls(p)]' || :
	if [ -z "$wrong" ]; then
		pass "$what"
	elif [ -z "$amount" ]; then
		fail "$what" "${wrong#; }"
	else
		echo "amount $what: ${wrong#; }"
	fi
}

# amounts NAME/WHAT EXPRESSION...: as holds; of how much and how often (run.sh)
amounts() {
	amount=1
	holds "$@"
	amount=
}

for rung in fentry kprobe tracepoint; do
	common="x.check_parts() and x.check_identity() and x.lost(7) == 0"
	holds $rung-softirq "$common" "sum(x.ns('rx_thread')) == 0" "sum(x.ns('rx_softirq')) > 0" "x.part_calls('gro') >= $n"
	amounts $rung-softirq/polls "x.part_calls('driver_poll') >= $n // 4"
	amounts $rung-thread/is-one "sum(x.ns('rx_thread')) > 4 * sum(x.ns('rx_softirq'))" "x.calls('rx_thread') > $n // 4" \
		"x.part_calls('driver_poll') >= $n // 4"
	holds $rung-thread "$common" "x.calls('rx_thread') > 0" "x.part_calls('gro') >= $n" \
		"x.part_total_ns('driver_poll') <= sum(x.ns('rx_thread')) + sum(x.ns('rx_softirq'))"
	# That rung does not see who polls, but that somebody does.
	if [ $rung = tracepoint ]; then
		holds $rung-busy "$common" "x.lost(8) > 0" "x.ns('rx_busy_poll') == [None, None]"
		amounts $rung-busy/polls "x.lost(8) > $n // 2"
		continue
	fi
	amounts $rung-busy/polls "x.calls('rx_busy_poll') > $n // 2"
	holds $rung-busy "$common" "x.calls('rx_busy_poll') > 0" "sum(x.ns('rx_busy_poll')) > 0" \
		"x.part_calls('local_v4') == 2 * $n" "x.part_calls('gro') >= $n" \
		"x.calls('sock_recv') >= 2 * $n - 1"
done
