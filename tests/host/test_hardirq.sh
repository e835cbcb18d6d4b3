#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hard interrupts of the interfaces that this host has: what each of them counts is what the event counts, and all sums to
# the time that passed. How long they take is judged in virtual machines, which have a load (tests/vm/judge_hardirq.sh).
. tests/lib.sh
need_recorder
need_command zstd

# is EXPRESSION: of x, the trace
is() {
	[ "$("$PYTHON" tests/nct.py "$tmp/t.nct" "$1")" = True ]
}

! "$RECORD" --check | grep -q '^hardirq_net .*no interface here has interrupts' ||
	skip_all "no interface here has interrupts"
"$RECORD" -q -F 0 -i 20 -o "$tmp/t.nct" -- sleep 2
"$PYTHON" tests/nct.py "$tmp/t.nct" '"%d interrupts, %d runs, %d ns" % tuple(hard_interrupts(path)), x.ns("hardirq_net")'
expect hardirq-identity is 'x.check_identity() and None not in x.ns("hardirq_net")'
# Their records are read after the event: some may have come in between, and some may share one.
expect hardirq-counts is 'abs(hard_interrupts(path)[1] - x.calls("hardirq_net")) <= 20'
expect hardirq-verify "$REPORT" verify -q "$tmp/t.nct"
"$RECORD" -q -F 99 --exact=off -o "$tmp/t.nct" -- sleep 0.3
expect hardirq-off is '(IRQ_STATS, 3) not in {(kind, key) for kind, r in objects(path) for key in r}'
