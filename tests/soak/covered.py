# SPDX-License-Identifier: BSD-2-Clause
"""covered.py REPORT TRACE BLOCKS CATEGORY: checks that the intervals of samples contain the
truth as often as they should. The ticks of a recording of one CPU divide it into windows. In
each window the report gives a share of the samples and its 95 % interval, for the RX softirq
and for CATEGORY, where tests/host/spin put its work. The truth is the log of spin, packet by
packet (BLOCKS), and the exact counter of the RX softirq. It must be in the interval in 90 of
100 windows.

Exit status: 0 yes, 1 no, 3 undecided, because fewer than 100 windows have all their samples.
Samples that a sampler misses because a hypervisor takes the CPU away for longer than a period
are not missing at random."""
import bisect
import csv
import io
import json
import os
import subprocess
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402

WINDOWS, COMPLETE, AT_LEAST = 100, 0.98, 90


class Injected:
    """Returns the time that spin worked up to a time. The work of a packet is inside its send,
    and is almost all of the send."""

    def __init__(self, path):
        blocks = [json.loads(line) for line in open(path)]
        self.begin, self.end = ([b[k] for b in blocks] for k in ("begin_ns", "end_ns"))
        self.before = [0]
        for b in blocks:
            self.before.append(self.before[-1] + b["spun_ns"])

    def until(self, ns):
        k = bisect.bisect_right(self.begin, ns) - 1
        if k < 0:
            return 0
        inside = min(1, (ns - self.begin[k]) / (self.end[k] - self.begin[k]))
        return self.before[k] + inside * (self.before[k + 1] - self.before[k])


def rows(report, table, trace, key):
    """Returns rows with times as measured, because the shares by samples also include the cost
    of a sample."""
    out = subprocess.run([report, "--with-own-cost", "--format=csv", "--table=" + table, trace], check=True, stdout=subprocess.PIPE).stdout
    return {r[key]: r for r in csv.DictReader(io.StringIO(out.decode())) if r["cpu"] == "all"}


def cut(report, trace, begin_s, end_s, window):
    subprocess.run([report, "cut", "-q", "--from=%.6f" % begin_s, "--to=%.6f" % end_s, trace, "-o", window], check=True)


def recording(trace):
    """Returns the start time of the trace, its frequency, and the ticks of its CPU."""
    header = next(r for kind, r in nct.objects(trace) if kind == nct.HEADER)
    return header[18], header[10], [t[3][0] for t in nct.Exact(trace).ticks]


def judge_window(report, window, category, wall_ns, due):
    """Returns the number of samples, [(share, its half-width)] of the category and of the RX
    softirq, and the truth for the RX softirq, in percent."""
    inside, leaves = rows(report, "inside", window, "key"), rows(report, "leaves", window, "leaf")
    n = sum(int(r["self_samples"]) for r in inside.values())
    rx = leaves["rx_softirq"]
    idle = float(leaves["idle"]["ns"]) / wall_ns
    return (n if n > COMPLETE * due * (1 - idle) and idle < 0.1 else 0,
            [(float(inside[category]["percent"]), float(inside[category]["ci95_percent"])),
             (float(rx["sampled_percent"]), float(rx["sampled_ci95_percent"]))], float(rx["percent"]))


def windows(report, trace, blocks, category):
    """Returns [(truth, share, half-width)] of the category and of the RX softirq, in each window that has its
    samples."""
    injected, (start, hz, ticks) = Injected(blocks), recording(trace)
    short = 0
    window = trace + ".window"
    for begin, end in zip(ticks, ticks[1:]):
        if begin < injected.begin[0] or end > injected.end[-1]:
            continue
        # The cut times lie between the ticks: the part begins with the tick before the first, and
        # ends with the tick after the last.
        cut(report, trace, (begin - start) / 1e9 + 0.01, (end - start) / 1e9 - 0.01, window)
        n, (inside, rx), rx_truth = judge_window(report, window, category, end - begin, (end - begin) * hz / 1e9)
        os.unlink(window)
        if not n:
            short += 1
            continue
        truth = 100 * (injected.until(end) - injected.until(begin)) / (end - begin)
        yield (truth,) + inside, (rx_truth,) + rx
    print("%d windows lack samples" % short)


def covered(what, some):
    inside = sum(abs(share - truth) <= half for truth, share, half in some)
    for truth, share, half in some:
        if abs(share - truth) > half:
            print("%-12s truth %.2f %%, by samples %.2f +- %.2f %%" % (what, truth, share, half))
    bias = sum(share - truth for truth, share, _ in some) / len(some)
    print("%-12s %.1f to %.1f %% of time, +- %.1f %% on average, off by %+.2f %%: in the interval in %d of %d windows" %
          (what, min(w[0] for w in some), max(w[0] for w in some), sum(w[2] for w in some) / len(some), bias, inside,
           len(some)))
    return inside >= AT_LEAST


def main(report, trace, blocks, category):
    found = list(windows(report, trace, blocks, category))[:WINDOWS]
    if len(found) < WINDOWS:
        print("only %d windows are of use" % len(found))
        return 3
    good = [covered(what, some) for what, some in zip((category, "rx_softirq"), zip(*found))]
    return 0 if all(good) else 1


sys.exit(main(*sys.argv[1:]))
