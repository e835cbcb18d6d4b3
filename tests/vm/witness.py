# SPDX-License-Identifier: BSD-2-Clause
"""witness.py EVENT TRACE BLOCKS (GRAPH BLOCKS)...: compares the time of a call in a recording
with its time in ftrace's function_graph. All of them saw the same traffic of tests/host/spin,
at different times. BLOCKS is the output of spin. GRAPH is the text of function_graph, which
timed the functions that begin and end with EVENT. Its time of a send or receive excludes the
RX softirqs inside, as the recorder's time does.

Blocks of short calls are reported but not judged, because a good part of both times is the
probes' own cost. In blocks of long calls, the time per call in the median block must agree
within 10 %, for the same number of calls. If the injected work took longer than requested,
because other work had the processor, the excess is subtracted on both sides. Exit status: 0
yes, 1 no, 3 undecided, as for tests/host/injected.py."""
import re
import statistics
import sys

sys.path.insert(0, "tests")
sys.path.insert(0, "tests/host")
import injected  # noqa: E402
import nct  # noqa: E402

AGREE = 0.10
FUNCTIONS = {"sock_send": "__sys_sendto", "sock_recv": "__sys_recvfrom", "rx_softirq": "net_rx_action"}
LINE = re.compile(r" *(\d+)\.(\d{6}) \| +(\d+)\) +(?:([\d.]+) us)? *\| +(\w+\(\)[; ]|})")


def read_graph(path):
    """Returns (end in ns, function, ns without the RX softirqs in it) of each call."""
    begun = {}  # unfinished calls of a CPU: [function, ns of softirqs in it]
    for line in open(path):
        m = LINE.match(line)
        if not m:
            continue
        s, us, cpu, took, what = m.groups()
        stack = begun.setdefault(cpu, [])
        if what.endswith(" "):
            stack.append([what[:-3], 0])
            continue
        function, inside = (what[:-3], 0) if what != "}" else stack.pop() if stack else (None, 0)
        ns = float(took) * 1e3
        if function == FUNCTIONS["rx_softirq"]:
            for call in stack:
                call[1] += ns
        if function:
            yield int(s) * 10**9 + int(us) * 1000, function, ns - inside


def graph_blocks(path, blocks_path, event):
    """Adds to each block the number of "calls" of the event's function, and their "ns"."""
    blocks = injected.read_blocks(blocks_path)
    for b in blocks:
        b["calls"] = b["ns"] = 0
    for end, function, ns in read_graph(path):
        for b in blocks:
            if function == FUNCTIONS[event] and b["begin_ns"] <= end <= b["end_ns"]:
                b["calls"] += 1
                b["ns"] += ns
    return blocks


def our_blocks(path, blocks_path, event):
    blocks = injected.load(path, blocks_path)
    for b in blocks:
        b["calls"], b["ns"] = b["calls_gained"][event], b["gain"][event]
    return blocks


def each_ns(b):
    longer = b["spun_ns"] - b["sent"] * b["t_ns"] if b["t_ns"] else 0
    return (b["ns"] - longer) / b["calls"]


def judge(length, event, ours, theirs):
    ours, theirs = ([b for b in blocks if b["t_ns"] == length and b["calls"]] for blocks in (ours, theirs))
    if min(len(ours), len(theirs)) < injected.FEWEST:
        print("%s: %d of our blocks and %d of theirs are of use" % (event, len(ours), len(theirs)))
        return 3
    (a, error_a), (b, error_b) = (injected.median_of([each_ns(x) for x in side]) for side in (ours, theirs))
    calls = [statistics.median(x["calls"] for x in side) for side in (ours, theirs)]
    off, error = a / b - 1, a / b * ((error_a / a)**2 + (error_b / b)**2)**0.5
    print("%s, %.0f us injected: netcost %.2f us in each of %.0f calls, function_graph %.2f us of %.0f: "
          "%+.1f %% +- %.1f" % (event, length / 1e3, a / 1e3, calls[0], b / 1e3, calls[1], 100 * off, 100 * error))
    if not length:
        return 0
    if any(injected.starved_by(statistics.median(x["spun_ns"] / x["sent"] for x in side), length)
           for side in (ours, theirs)):
        return 3
    if calls[0] != calls[1]:
        return 1
    # A "no" needs four standard errors, because with few blocks the error itself is uncertain.
    return 3 if -2 * error < abs(off) - AGREE < 4 * error else int(abs(off) > AGREE)


def main():
    event, trace, blocks, *graphs = sys.argv[1:]
    ours = our_blocks(trace, blocks, event)
    theirs = [b for graph in zip(graphs[::2], graphs[1::2]) for b in graph_blocks(*graph, event)]
    return max(judge(length, event, ours, theirs) for length in sorted({b["t_ns"] for b in ours}) or [None])


if __name__ == "__main__":
    sys.exit(main())
