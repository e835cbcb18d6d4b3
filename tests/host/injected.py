# SPDX-License-Identifier: BSD-2-Clause
"""injected.py back|elsewhere TRACE BLOCKS EVENT: does what tests/host/spin injected come back in a recording?

BLOCKS is what spin printed: blocks of the same traffic, in turn with each length of work, the shortest being what
the others are compared with (base). A block's counters are the difference of the ticks in the rests around it.
A block's change is its counters less the mean of the base blocks before and after it, so that what a host does
slowly falls out; of the changes of all blocks of one length the median counts, so that what it does seldom does, too.

back       EVENT's change is what was injected, within 3 %.
elsewhere  No other event changes by more than the noise, which is the largest change of a base block, as reckoned from
           its own neighbours, or 1 % of what was injected: a send that a softirq makes longer meets more of the
           interrupts, and of the softirqs for timers and RCU, that are part of what they interrupt (measured: +0.44
           us in 100 us). But "idle" and "task" are what is left of the time, whatever else runs here.

EVENT may also be a part of the RX softirq (--exact=full): "part:NAME", its exclusive time, where "elsewhere" are the
other parts; or "total:NAME", its inclusive time; or several events, "NAME+NAME", which have it together.

Exit status: 0 yes, 1 no, 3 cannot be said: the bound is within two standard errors of the median (four, to say no: of
a few blocks the error itself is not well known), or less than five blocks are of use, or the work took half as long again
as it had to, as somebody else had the processor (a machine that is so short of time takes more of it from the longer
blocks, around the work as well; for "part:", which is the work alone, that does not matter)."""
import json
import statistics
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402

BACK, ELSEWHERE, FEWEST, STARVED, NO = 0.03, 0.01, 5, 1.5, 4


def read_blocks(path):
    return [json.loads(line) for line in open(path)]


def load(trace, path):
    """Returns the blocks, each with the increase of every event during the block, over all CPUs."""
    exact = nct.Exact(trace)
    blocks = read_blocks(path)
    for i, b in enumerate(blocks):
        rest = blocks[i - 1]["end_ns"] if i else 0
        until = blocks[i + 1]["begin_ns"] if i + 1 < len(blocks) else 1 << 63
        before = [k for k, t in enumerate(exact.ticks) if rest <= min(t[3]) and max(t[3]) <= b["begin_ns"]]
        after = [k for k, t in enumerate(exact.ticks) if b["end_ns"] <= min(t[3]) and max(t[3]) <= until]
        if before and after:
            first, last = exact.rows[before[-1]], exact.rows[after[0]]
            b["gain"] = {e: sum(last[k][2]) - sum(first[k][2]) for k, e in enumerate(nct.EVENTS)
                         if None not in last[k][2] + first[k][2]}
            parts = [exact.part_rows[k] for k in (before[-1], after[0])]
            for kind, key in (("part:", 2), ("total:", 3)):
                b["gain"].update({kind + nct.PARTS[p]: sum(parts[1][p][key]) - sum(parts[0][p][key])
                                  for p in parts[1]})
            b["gain"]["injected"] = b["spun_ns"]
            b["calls_gained"] = {e: sum(last[k][3]) - sum(first[k][3]) for k, e in enumerate(nct.EVENTS)
                                 if None not in last[k][3] + first[k][3]}
            if b["calls_gained"]["sock_send"] != b["sends"]:
                del b["gain"]
    # Without such a tick: the recorder could not run during a whole rest, or other traffic was sent.
    return [b for b in blocks if "gain" in b]


def gain(block, what):
    return sum(block["gain"][w] for w in what.split("+"))


def others(block, event):
    """Returns the events that must not have changed if `event` has."""
    if event.startswith("part:"):
        return [w for w in block["gain"] if w.startswith("part:") and w != event]
    return [w for w in nct.EVENTS if w in block["gain"] and w not in event.split("+") + ["idle", "task"]]


def base_of(blocks):
    return min(b["t_ns"] for b in blocks)


def changes(blocks, length, what):
    """Returns the difference between each block of this length and its neighbouring base blocks, in ns per packet."""
    out, base = [], base_of(blocks)
    for i, b in enumerate(blocks):
        before = [c for c in blocks[:i] if c["t_ns"] == base]
        after = [c for c in blocks[i + 1:] if c["t_ns"] == base]
        if b["t_ns"] == length and before and after:
            usual = (gain(before[-1], what) + gain(after[0], what)) / 2
            out.append((gain(b, what) - usual) / b["sent"])
    return out


def median_of(values):
    """Returns the median and its standard error. For a normal distribution sigma is 1.4826 times the median
    distance."""
    median = statistics.median(values)
    return median, 1.4826 * 1.2533 * statistics.median(abs(v - median) for v in values) / len(values)**0.5


def starved_by(took_ns, asked_ns):
    return took_ns > STARVED * asked_ns


def starved(blocks, length, each_ns):
    return starved_by(each_ns, length - base_of(blocks))


def back(blocks, event, length):
    injected = changes(blocks, length, "injected")
    ratios = [c / i for c, i in zip(changes(blocks, length, event), injected)]
    if len(ratios) < FEWEST:
        return 3
    (median, error), each = median_of(ratios), statistics.median(injected) / 1e3
    print("%8.2f us injected a packet, %d blocks: %s: %8.2f us came back, %6.2f %% +- %.2f" %
          (each, len(ratios), event, median * each, 100 * median, 100 * error))
    off = abs(median - 1)
    around = not event.startswith("part:")  # otherwise the block contains almost nothing but the injected work
    if (around and starved(blocks, length, each * 1e3)) or -2 * error < off - BACK < NO * error:
        return 3
    return int(off > BACK)


def elsewhere(blocks, event, length):
    if len(changes(blocks, length, event)) < FEWEST:
        return 3
    injected = statistics.median(changes(blocks, length, "injected"))
    wrong = unsure = False
    for other in others(blocks[0], event):
        noise = max(abs(c) for c in changes(blocks, base_of(blocks), other))
        median, error = median_of(changes(blocks, length, other))
        print("%8.2f us injected a packet: %s: %+.0f ns +- %.0f, noise %.0f ns" %
              (injected / 1e3, other, median, error, noise))
        over = abs(median) - max(noise, ELSEWHERE * injected)
        wrong |= over > NO * error
        unsure |= 0 < over <= NO * error
    return 3 if starved(blocks, length, injected) else 1 if wrong else 3 if unsure else 0


def main():
    judge = {"back": back, "elsewhere": elsewhere}[sys.argv[1]]
    blocks = load(sys.argv[2], sys.argv[3])
    lengths = sorted({b["t_ns"] for b in blocks})[1:]
    found = [judge(blocks, sys.argv[4], t) for t in lengths]
    sys.exit(1 if 1 in found else 3 if 3 in found or not found else 0)


if __name__ == "__main__":
    main()
