#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks hard interrupts of this host's interfaces: the counts of the interrupts equal the count of the event, and all
# times sum to the elapsed time. How long the interrupts take is judged in virtual machines, which have a load
# (tests/vm/judge_hardirq.sh).
. tests/lib.sh
need_recorder
need_command zstd

# is EXPRESSION: evaluates the expression with x = the trace
is() {
	[ "$("$PYTHON" tests/nct.py "$tmp/t.nct" "$1")" = True ]
}

! COLUMNS=1000 "$RECORD" --check | grep -q '^hardirq_net .*no interface of this network namespace has interrupts' ||
	skip_all "needs an interface with interrupts"
"$RECORD" -q -F 0 -i 20 -d 1 -o "$tmp/t.nct"
"$PYTHON" tests/nct.py "$tmp/t.nct" '"%d interrupts, %d runs, %d ns" % tuple(hard_interrupts(path)), x.ns("hardirq_net")'
expect hardirq-identity is 'x.check_identity() and None not in x.ns("hardirq_net")'
# The recorder reads the interrupts after the event. So with a constant offset, the number of interrupts at a tick lies
# between the runs of the event at this tick and at the next tick. Interrupts that share a handler cause more runs.
cat >"$tmp/counts.py" <<'PY'
import sys
sys.path.insert(0, "tests")
import nct
x, event, runs = nct.Exact(sys.argv[1]), nct.EVENTS.index("hardirq_net"), []
for kind, r in nct.objects(sys.argv[1]):
    if kind == nct.TICK:
        runs.append(0)
    elif kind == nct.IRQ_STATS:
        runs[-1] += sum(r[3])
calls = [sum(rows[event][3]) for rows in x.rows]
least = max(r - c for r, c in zip(runs, calls[1:]))
most = min(r - c for r, c in zip(runs, calls))
print("%d runs, %d calls, %d <= %d" % (runs[-1] - runs[0], calls[-1] - calls[0], least, most))
sys.exit(least > most)
PY
expect hardirq-counts "$PYTHON" "$tmp/counts.py" "$tmp/t.nct"
expect hardirq-verify "$REPORT" verify -q "$tmp/t.nct"
"$RECORD" -q -F 99 --exact=off -o "$tmp/t.nct" -- true
expect hardirq-off is '(IRQ_STATS, 3) not in {(kind, key) for kind, r in objects(path) for key in r}'
