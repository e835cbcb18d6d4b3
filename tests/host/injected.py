# SPDX-License-Identifier: BSD-2-Clause
"""injected.py back|elsewhere TRACE BLOCKS EVENT: compares the work that tests/host/spin injected with its recording.

BLOCKS is the output of spin: blocks of the same traffic, with each length of work in turn; the shortest one is the
base of comparison. The counters of a block are the difference of the ticks in the rests around it. The change of a
block is its counters minus the mean of the base blocks before and after it, which cancels slow drifts of the host.
The median of the changes of all blocks of one length counts, which ignores rare disturbances.

back       EVENT's change equals the injected work, within 3 %.
elsewhere  No other event changes by more than the noise, which is the largest change of a base block compared with its
           neighbours, or by 1 % of the injected work: a send that is prolonged by a softirq meets more of the interrupts
           and softirqs for timers and RCU that count as part of the interrupted work (measured: +0.44 us in 100 us).
           "idle" and "task" are the remaining time, whatever else runs here.

EVENT may also be a part of the RX softirq (--exact=full): "part:NAME" is its exclusive time, and "elsewhere" then
checks the other parts; "total:NAME" is its inclusive time; "NAME+NAME" are several events, which have the work
together.

Exit status: 0 yes, 1 no, 3 undecided: the bound is within two standard errors of the median (four for a "no",
because with few blocks the error itself is uncertain), or less than five blocks are valid, or the work took half as
long again as requested, because other work had the processor (such a machine also takes more time from the rest of
the longer blocks; this does not matter for "part:", which is the work alone)."""
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
    # A block lacks such a tick if the recorder could not run during a whole rest, or if other traffic was sent.
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
    around = not event.startswith("part:")  # otherwise the block contains almost only the injected work
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
