# SPDX-License-Identifier: BSD-2-Clause
"""hardirq.py OUT counts|sums|time: prints the errors (guest/test_hardirq.sh), and on stderr what
was measured."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import nct

PACKETS = 1500  # the same number as in test_hardirq.sh
# ns per run. Both clocks are read beside the same handler. At the begin and at the end, the other
# clock takes about the same time in between. ftrace rounds to a microsecond.
SLACK_NS = 1500

HANDLER = re.compile(r"\[(\d+)\].* (\d+)\.(\d+): irq_handler_(entry|exit): irq=(\d+)")


def interrupts(path):
    """Returns the counts of /proc/interrupts, summed over all CPUs."""
    return sum(int(word) for line in open(path) for word in line.split(":")[1].split()[:2])


def handlers(path):
    """Returns the number of runs and their time in ns by ftrace, which rounds each to a
    microsecond."""
    runs, ns, began = 0, 0, {}
    for cpu, s, us, what, irq in HANDLER.findall(open(path).read()):
        now = int(s) * 10**9 + int(us) * 1000
        if what == "entry":
            began[cpu, irq] = now
        elif (cpu, irq) in began:
            runs += 1
            ns += now - began.pop((cpu, irq))
    return runs, ns


def main(out, what):
    trace = nct.Exact(out + "/hardirq.nct")
    proc = interrupts(out + "/hardirq.after") - interrupts(out + "/hardirq.before")
    came, runs, ns = nct.hard_interrupts(out + "/hardirq.nct")
    seen_runs, seen_ns = handlers(out + "/hardirq.ftrace")
    calls, times = trace.calls("hardirq_net"), sum(trace.ns("hardirq_net"))
    print("interrupts %d, of interfaces %d; runs %d, ftrace %d, event %d; ns %d, ftrace %d, event %d" %
          (proc, came, runs, seen_runs, calls, ns, seen_ns, times), file=sys.stderr)
    if what == "counts" and not PACKETS // 20 < proc == came == runs == seen_runs == calls:
        print("%d interrupts, of interfaces %d; %d runs, by ftrace %d, of the event %d" %
              (proc, came, runs, seen_runs, calls))
    if what == "sums" and not (trace.check_identity() and ns == times > 0):
        print("%d ns of interfaces, %d of the event; or not all sums to the time that passed" % (ns, times))
    if what == "time" and abs(ns - seen_ns) > SLACK_NS * runs:
        print("%d ns, by ftrace %d" % (ns, seen_ns))


main(*sys.argv[1:])
