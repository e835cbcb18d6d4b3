# SPDX-License-Identifier: BSD-2-Clause
"""resampled.py REPORT TRACE [RECORDINGS]: are the intervals of prices as wide as they say, for the noise of a real recording?

Its ticks are drawn anew, with replacement, as often as there are ticks: another recording of the same load, whose true prices
are those of the first one. Of RECORDINGS of these (300), at least 90 of 100 have each price of the RX softirq in their
interval, as far as chance lets that be seen.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests")
sys.path.insert(0, "tests/report")
import nct  # noqa: E402
from make_traces import Trace  # noqa: E402

DEFINED = (nct.SOURCE, nct.PROBE, nct.NETDEV)
READ = (30, 31)  # keys of a record: between which times it was read


def moved(now, before):
    """A record's counters, with what they gained; keys that are no columns of numbers stay out."""
    return {key: [None if None in (a, b) else a - b for a, b in zip(now[key], before[key])]
            for key in now if key > 1 and isinstance(now[key], list)}


def grown(at, gain):
    return {key: [None if None in (a, b) else a + b for a, b in zip(value, gain[key])]
            if isinstance(value, list) and key in gain else value for key, value in at.items()}


def placed(r, late):
    """So much later than it was."""
    return {key: v + late if key in READ else v for key, v in r.items()}


class Recording:
    def __init__(self, path):
        self.header, self.defined, self.ticks = None, [], []
        for kind, r in nct.objects(path):
            if kind == nct.HEADER:
                self.header = r
            elif kind in DEFINED:
                self.defined.append((kind, r))
            elif kind == nct.TICK:
                self.ticks.append({(kind, 0): r})
            elif kind == nct.EXACT:
                self.ticks[-1][kind, r[1]] = r
            elif kind == nct.NETDEV_STATS:
                self.ticks[-1][kind, 0] = r
        whole = [t for t in self.ticks if self.is_whole(t)]
        self.ticks = [t for t in whole if self.same_rows(t, whole[-1])]
        self.gains = [self.gain(now, before) for before, now in zip(self.ticks, self.ticks[1:])]

    @staticmethod
    def is_whole(tick):
        """All CPUs are known in it."""
        return (nct.NETDEV_STATS, 0) in tick and not any(
            None in r[2] and set(r[2]) != {None} for (kind, _), r in tick.items() if kind == nct.EXACT)

    @staticmethod
    def same_rows(tick, as_in):
        """The same events and interfaces."""
        return set(tick) == set(as_in) and tick[nct.NETDEV_STATS, 0][1] == as_in[nct.NETDEV_STATS, 0][1]

    @staticmethod
    def gain(now, before):
        gains = {row: moved(now[row], before[row]) for row in now}
        gains[nct.TICK, 0] = {3: gains[nct.TICK, 0][3]}
        gains["at"] = now[nct.TICK, 0][1] - before[nct.TICK, 0][1]
        return gains

    def write(self, path, order):
        first = self.ticks[0]
        t = Trace(**{"k%d" % key: v for key, v in self.header.items() if key > 3})
        for kind, r in self.defined:
            t.add(kind, r)
        at, now = first[nct.TICK, 0][1], dict(first)
        t.frame(at, at + sum(self.gains[i]["at"] for i in order) + 10 ** 9, [])
        for i in [None, *order]:
            if i is not None:
                at += self.gains[i]["at"]
                now = {row: grown(now[row], self.gains[i][row]) for row in now}
            for (kind, _), r in now.items():
                t.add(kind, {**r, 1: at} if kind == nct.TICK else placed(r, at - first[nct.TICK, 0][1]))
        t.end(0, 0, 0, 0)
        t.frames[-1][-1][1][7] = at
        t.write(path)


def prices(report, path):
    out = subprocess.run([report, "prices", "--format=json", path], check=True, stdout=subprocess.PIPE).stdout
    return {r["per"]: r for r in json.loads(out)["rows"]
            if r["of"] == "rx_softirq" and r["over"] == "ticks" and not r["together"] and r["price"] is not None}


def main(report, path, recordings="300"):
    n, recording = int(recordings), Recording(path)
    with tempfile.TemporaryDirectory() as folder:
        drawn = os.path.join(folder, "drawn.nct")
        every = range(len(recording.gains))
        recording.write(drawn, every)
        truth, held, said = prices(report, drawn), {}, {}
        for seed in range(n):
            rnd = random.Random(seed)
            recording.write(drawn, [rnd.choice(every) for _ in every])
            for per, r in prices(report, drawn).items():
                if per in truth:
                    said[per] = said.get(per, 0) + 1
                    held[per] = held.get(per, 0) + (abs(r["price"] - truth[per]["price"]) <= r["price_ci95"])
    wrong = not truth
    for per in truth:
        chance = 2.6 * (0.9 * 0.1 * said.get(per, 0)) ** 0.5
        print("a %s: in the interval of %d of %d that have one" % (per, held.get(per, 0), said.get(per, 0)))
        wrong |= said.get(per, 0) < n / 2 or held[per] < 0.9 * said[per] - chance
    print("%d ticks" % len(every))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
