# SPDX-License-Identifier: BSD-2-Clause
"""hotplug.py TRACE AWAY LABEL: what a recording says of CPU 1, which was away now and then; as result lines.

AWAY has a line for each time: when it began to go, was gone, began to come, and was back, in ns of
CLOCK_MONOTONIC (guest/test_hotplug.sh)."""
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import SAMPLE_LOSS, SOURCE  # noqa: E402

LOST, UNSAMPLED_NS, OFFLINE_NS = 2, 4, 9
FEWEST = 0.5  # of as many samples as CPU 0 has meanwhile: a machine that is short of time takes few of both
SOME = 20
AMOUNTS = ["hole-is-no-longer"]  # tests/vm/run.sh: wrong may be the machine that was kept waiting


class Trace:
    def __init__(self, path):
        self.exact = nct.Exact(path)
        self.times, self.sample_loss, self.why = {0: [], 1: []}, [], ""
        for kind, rec in nct.objects(path):
            if kind == nct.HEADER:
                self.tick_ns = rec[13] * 1e6
            elif kind == SOURCE and rec[1] == "samples":
                self.why = rec[4]
            elif kind == SAMPLE_LOSS:
                self.sample_loss.append(rec)
            elif kind == nct.SAMPLES:
                self.times[rec[1]] += rec[nct.TIMES]

    def samples(self, cpu, begin, end):
        return sum(begin <= t < end for t in self.times[cpu])

    def found(self, back):
        """By when it must be sampled again: the next tick may have begun before it was back, and what a tick finds is
        done before it."""
        return sorted(t[1] for t in self.exact.ticks if t[1] > back)[:2][-1]

    def steps(self, begin, end):
        """What CPU 1's events gained between the ticks that are wholly within."""
        inside = [i for i, t in enumerate(self.exact.ticks) if begin <= t[1] and t[3][1] < end]
        return [b[2][1] - a[2][1] for i, k in zip(inside, inside[1:])
                for a, b in zip(self.exact.rows[i].values(), self.exact.rows[k].values()) if b[2][1] is not None]


def read_away(path):
    return [[int(word) for word in line.split()] for line in open(path)]


def judge(trace, away):
    """Result names, and what is wrong: empty if nothing is, None if that cannot be said."""
    least = sum(came - gone for _, gone, came, _ in away)
    most = sum(back - went for went, _, _, back in away)
    offline = trace.exact.offline_ns()
    unsampled = trace.sample_loss[-1][UNSAMPLED_NS]
    print("away %.3f to %.3f s: offline %s, unsampled %s; %d samples" %
          (least / 1e9, most / 1e9, offline, unsampled, len(trace.times[1])))

    ok = len(away) == 3 and offline[0] == 0 and max(least, 1) <= offline[1] <= most
    yield "away-is-nobodys", "" if ok else "offline for %s ns" % offline

    steps = [s for _, gone, came, _ in away for s in trace.steps(gone, came)]
    long = min(came - gone for _, gone, came, _ in away) > 4 * trace.tick_ns
    yield "away-is-silent", "events gained %s" % steps if any(steps) else None if long and not steps else ""

    late = [t for _, gone, came, _ in away for t in trace.exact.ticks
            if gone < t[1] < came and t[3][1] < t[1]]
    yield "away-is-known", "%d ticks know nothing of it" % len(late) if late else ""

    taken = sum(trace.samples(1, gone, came) for _, gone, came, _ in away)
    yield "away-has-no-samples", "" if not taken else "%d samples" % taken

    said = "%s ns unsampled; why: %s" % (unsampled, trace.why)
    ok = unsampled[0] == 0 and max(least, 1) <= unsampled[1] and "offline" in trace.why
    yield "hole-is-told", "" if ok else said

    found = [trace.found(back) for _, _, _, back in away]
    longest = sum(f - row[0] for f, row in zip(found, away))
    yield "hole-is-no-longer", "" if unsampled[1] <= longest else "%s; at most %d ns" % (said, longest)

    ends = [went for went, _, _, _ in away[1:]] + [max(t[1] for t in trace.exact.ticks)]
    for i, (begin, end) in enumerate(zip(found, ends)):
        there, here = (trace.samples(cpu, begin, end) for cpu in (0, 1))
        yield ("samples-again-%d" % (i + 1),
               None if there < SOME else "" if here > FEWEST * there else "%d; CPU 0: %d" % (here, there))


def main():
    path, away, label = sys.argv[1:]
    trace, failed = Trace(path), False
    for name, why in judge(trace, read_away(away)):
        wrong = "amount" if name in AMOUNTS else "not ok"
        print("skip %s%s: this machine is too slow, or too busy, to say" % (label, name) if why is None else
              "%s %s%s: %s" % (wrong, label, name, why) if why else "ok %s%s" % (label, name))
        failed |= bool(why) and wrong == "not ok"
    return failed


if __name__ == "__main__":
    sys.exit(main())
