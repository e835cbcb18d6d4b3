# SPDX-License-Identifier: BSD-2-Clause
"""share.py FUNCTION HZ CPUS (TRACE PERF_SCRIPT)...: prints the share of samples with FUNCTION on the stack, by netcost
and by perf in the same seconds, as the mean over pairs of recordings. PERF_SCRIPT is `perf script -F time,ip,sym` of a
recording with -k CLOCK_MONOTONIC.

The share is relative to the samples that were due, HZ per second on each CPU. The reason is that a kernel may
skip samples of idle CPUs, which do not contain the function (the development machine skips some for perf and
for netcost, but not the same ones)."""
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import MODULE, STACKS, SYMBOLS  # noqa: E402



def perf(path, function):
    """Returns [(time in ns, whether FUNCTION is on the stack)]."""
    out = []
    for line in open(path):
        words = line.split()
        if len(words) == 1 and words[0].endswith(":"):
            s, us = words[0][:-1].split(".")
            out.append([int(s) * 10**9 + int(us) * 1000, False])
        elif len(words) >= 2 and words[1] == function:
            out[-1][1] = True
    return out


def ours(path, function):
    names, hits, out = [""], [False], []
    for kind, r in nct.objects(path):
        if kind == SYMBOLS:
            names += r[2]
        elif kind == STACKS:
            for up, symbol in zip(r[2], r[3]):
                hits.append(hits[len(hits) - up] or names[symbol] == function)
        elif kind == nct.SAMPLES:
            out += [(now, hits[stack]) for now, stack in zip(r[nct.TIMES], r[6])]
    return out


def shares(trace, script, function, rate):
    theirs = perf(script, function)
    first, last = min(theirs)[0], max(theirs)[0]
    mine = [s for s in ours(trace, function) if first <= s[0] <= last]
    due = (last - first) / 1e9 * rate
    a, b = (100 * sum(h for _, h in s) / due for s in (theirs, mine))
    print("%s: perf %.2f %%, netcost %.2f %% of %.0f samples due; taken: perf %d, netcost %d" %
          (function, a, b, due, len(theirs), len(mine)))
    return a, b


def main():
    function, rate = sys.argv[1], int(sys.argv[2]) * int(sys.argv[3])
    files = sys.argv[4:]
    rounds = [shares(t, s, function, rate) for t, s in zip(files[::2], files[1::2])]
    a, b = (sum(column) / len(rounds) for column in zip(*rounds))
    print("mean: perf %.2f %%, netcost %.2f %%" % (a, b))
    sys.exit(not (a > 1 and abs(a - b) < 2))


main()
