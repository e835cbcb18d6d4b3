# SPDX-License-Identifier: BSD-2-Clause
"""Makes, from a recording that counted all the time, the recording that a budget would have given of the same time.

    thinned.py FULL THINNED SEED PERIOD_MS WINDOW_MS
    thinned.py check REPORT FULL:PERIOD_MS:WINDOW_MS...

Windows are at random places, one in each period (record/exact/windows.c). They begin and end with ticks of FULL, which
therefore must have many ticks. In the pauses between windows, the counters of BPF programs do not advance, and
there are no samples of these programs; all other samples stay. So the estimates of THINNED can be compared with
the exact values of FULL for the same time: "check" does that for pieces of time and places of windows, which
are the same each time. An interval covers the error of samples, but not their bias, which the report names. So
the check allows the bias of a leaf in the samples of all of FULL.
"""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from make_traces import MAGIC, pack  # noqa: E402
from nct import (COUNTERS, DROPS, END, ENERGY, EXACT, EXACT_LOSS, EXACT_PART, FRAME, HEADER, INDEX, IRQ_STATS,  # noqa: E402
                 NETDEV_STATS, OTHER_STATS, OUTSIDE, PROBE_RUNS, PROCSTAT, PROGRAM_STATS, SAMPLE_LOSS, SAMPLES, SELF,
                 SOFTIRQS, SOFTNET, STACKS, SYMBOLS, TICK, raw_objects, times)

MS = 1000 * 1000
REST_NS = 1000 * MS  # pause after the recorder has found that counting all the time costs too much
LOOK_NS = 200 * MS  # time in which the recorder finds that
DETACHED_NS = 1 * MS  # time from the last tick of a window until probes are detached
TORN, OFFLINE, OFF, BUDGET_PPM = 6, 9, 10, 23  # keys of EXACT_LOSS, and of HEADER

# Keys that a tick has only while probes are attached, even a window's own tick, and keys that every
# tick has.
OF_WINDOWS = {EXACT: (2, 3, 4, 5), EXACT_PART: (2, 3, 4), EXACT_LOSS: (1, 2, 3, 4, 5, 7, 8), PROBE_RUNS: range(2, 13)}
OF_TICKS = {IRQ_STATS: (3, 4), PROGRAM_STATS: (1, 2), **{kind: () for kind in (
    COUNTERS, DROPS, ENERGY, NETDEV_STATS, OTHER_STATS, OUTSIDE, PROCSTAT, SAMPLE_LOSS, SELF, SOFTIRQS, SOFTNET)}}
COUNTED = {**OF_WINDOWS, **OF_TICKS}  # keys of counters that do not advance without probes
# types with several records in one tick; key 1 is the subject of a record
NAMED = (EXACT, EXACT_PART, PROBE_RUNS, IRQ_STATS)


def groups(objects):
    """Yields each tick with the records that follow it in its frame, and everything else one by
    one."""
    out, tick = [], None
    for kind, r in objects:
        if kind in (TICK, FRAME):
            tick = kind == TICK
        if kind == INDEX:  # INDEX is of a file with other frames
            continue
        if tick and kind != TICK:
            out[-1].append([kind, r])
        else:
            out.append([[kind, r]])
    return out


def names(kind, r):
    """Returns the counters of a tick."""
    return [(kind, r[1] if kind in NAMED else None, key) for key in COUNTED.get(kind, ())
            if isinstance(r.get(key), list)]


def places(ticks, rng, period_ns, window_ns):
    """Yields the first and last ticks of windows."""
    def at(ns):
        return next((i for i, t in enumerate(ticks) if t >= ns), len(ticks) - 1)

    out = [(0, at(ticks[0] + LOOK_NS))]
    begin = ticks[out[0][1]] + REST_NS
    while begin + period_ns <= ticks[-1]:
        first = at(begin + rng.random() * (period_ns - window_ns))
        last = at(ticks[first] + window_ns - 1)
        begin = max(begin + period_ns, ticks[last])
        out.append((first, last))
    return [w for w in out if w[0] < w[1]]


class Thinner:
    def __init__(self, windows):
        self.first, self.last = ({w[i] for w in windows} for i in (0, 1))
        self.counting = False
        # values of counters: in FULL, at the start of the pause, and the increase during pauses
        self.now, self.stood, self.less = {}, {}, {}
        self.off, self.stopped = None, None

    def _begin(self, tick):
        """Starts a window: subtracts the increase since the last window."""
        self.off = [o + now - stopped for o, now, stopped in zip(self.off, tick[3], self.stopped)] if self.off else \
            [0] * len(tick[3])
        for name, column in self.now.items():
            before, less = self.stood.get(name, column), self.less.get(name, [0] * len(column))
            self.less[name] = [x if None in (a, b) else x + a - b for x, a, b in zip(less, column, before)]
        self.counting = True

    def _end(self, tick):
        self.stood, self.stopped, self.counting = dict(self.now), tick[3], False

    def _thin(self, kind, r):
        """Returns the record with the counters that a recorder with a budget would have."""
        out = dict(r)
        for name in names(kind, r):
            column = (self.now if self.counting else self.stood)[name]
            out[name[2]] = [None if a is None else a - x for a, x in zip(column, self.less[name])]
        if kind == EXACT_LOSS:
            out[OFFLINE] = [a + b for a, b in zip(r.get(OFFLINE, self.off), self.off)]
            out[OFF] = self.off
        return [kind, dict(sorted(out.items()))]

    def tick(self, i, group, regular):
        """Yields the records that a recorder with a budget would write. A window's own tick has
        no other records."""
        tick = group[0][1]
        for kind, r in group[1:]:
            self.now.update((name, r[name[2]]) for name in names(kind, r))
        if i in self.first:
            self._begin(tick)
        extra = i in self.first | self.last
        gone = set(COUNTED) - set(OF_TICKS if regular else ()) - set(OF_WINDOWS if self.counting and (regular or extra) else ())
        if regular or extra:
            yield [TICK, tick if self.counting else {**tick, 3: [None] * len(tick[2])}]
        yield from (self._thin(kind, r) for kind, r in group[1:] if kind not in gone)
        if i in self.last:
            self._end(tick)
            yield [TICK, {1: tick[1] + DETACHED_NS, 2: tick[2], 3: [None] * len(tick[2])}]


class Stacks:
    """Returns which samples are in a probe."""

    PROBES = ("bpf_trace_run", "__bpf_trace_", "call_trace_", "bpf_prog_", "__bpf_prog_e", "trace_call_bpf",
              "syscall_trace_enter", "syscall_exit_work")

    def __init__(self):
        self.probe_symbol, self.probes = set(), set()

    def add(self, kind, r):
        if kind == SYMBOLS:
            self.probe_symbol |= {r[1] + i for i, name in enumerate(r[2]) if name.startswith(self.PROBES)}
        elif kind == STACKS:
            for i, (up, symbol) in enumerate(zip(r[2], r[3])):
                if symbol in self.probe_symbol or r[1] + i - up in self.probes:
                    self.probes.add(r[1] + i)


def only(r, keep):
    """Returns SAMPLES with only the samples to keep, or None if no samples are left."""
    at, out, now, when = [i for i, k in enumerate(keep) if k], dict(r), r[2], times(r)
    for key in (6, 7, 8):
        if key in r:
            out[key] = [r[key][i] for i in at]
    out[5] = []
    for i in at:
        out[5].append((when[i] - now) // r[3] - r[4])
        now = when[i]
    return out if at else None


def thin(objects, seed, period_ns, window_ns, every_ns=1000 * MS, budget_ppm=10000):
    """Returns FULL's objects as those of a recording with this tick and budget."""
    parts = groups(objects)
    ticks = [g[0][1][1] for g in parts if g[0][0] == TICK]
    windows = places(ticks, random.Random(seed), period_ns, window_ns)
    thinner, stacks, due_ns, i, samples = Thinner(windows), Stacks(), ticks[0], 0, 0
    for group in parts:
        kind, r = group[0]
        for each in group:
            stacks.add(*each)
        if kind == TICK:
            regular = r[1] >= due_ns or i == len(ticks) - 1
            due_ns += every_ns if regular else 0
            yield from thinner.tick(i, group, regular)
            i += 1
        elif kind == SAMPLES:
            r = only(r, [stack not in stacks.probes or any(ticks[a] <= t < ticks[b] for a, b in windows)
                         for t, stack in zip(times(r), r[6])])
            if r:
                samples += len(r[6])
                yield [kind, r]
        elif kind == HEADER:
            yield [kind, dict(sorted({**r, 13: every_ns // MS, BUDGET_PPM: budget_ppm}.items()))]
        else:
            yield [kind, {**r, 3: samples} if kind == END else r]


def write(objects, path):
    """Copies the frames without an index, and with correct totals."""
    frames, n, frame = [[]], 0, None
    for kind, r in objects:
        if kind == FRAME:
            frame = r = {**r, 1: len(frames)}
            frames.append([])
        elif kind == TICK:  # a tick that FULL did not have
            frame[3] = max(frame[3], r[1])
        elif kind == END:
            r = {**r, 1: len(frames) - 1, 2: n}
        frames[-1].append([kind, r])
        n += 1
    with open(path, "wb") as f:
        f.write(MAGIC + b"".join(pack(frame) for frame in frames))


# ---- check -----------------------------------------------------------------------------------

LEAVES = ("sock_send", "sock_recv", "rx_softirq")
SEEDS, PIECES_S, LEAST = 10, (2, 10), 0.93


def leaves(report, path, begin_s, end_s):
    """Returns {leaf: (ns, half-width of its interval)} of the time between two ticks."""
    inside_s = 0.0003  # rounded outwards
    out = subprocess.run([report, "summary", "--format=json", "--from=%.6f" % (begin_s + inside_s),
                          "--to=%.6f" % (end_s - inside_s), path], check=True, stdout=subprocess.PIPE).stdout
    return {n["key"]: (n["ns"], n["ci95_ns"]) for n in json.loads(out)["cpu_time"]["tree"]}


def biases(report, full):
    """Returns {leaf: the difference between its samples and its exact time}."""
    out = subprocess.run([report, "summary", "--format=json", full], check=True, stdout=subprocess.PIPE).stdout
    tree = {n["key"]: n for n in json.loads(out)["cpu_time"]["tree"]}
    return {leaf: tree[leaf]["sampled_percent"] / tree[leaf]["percent"] - 1 for leaf in LEAVES}


class Tally:
    """For each leaf, counts in intervals of one length how often the confidence interval
    contains the truth, and sums the error."""

    def __init__(self):
        self.n = self.within = 0
        self.square, self.width, self.truth = 0, 0, 0

    def add(self, estimate, truth, bias):
        error = estimate[0] - truth[0]
        self.n += 1
        self.within += min(bias, 0) * truth[0] - estimate[1] <= error <= max(bias, 0) * truth[0] + estimate[1]
        self.square += error * error
        self.width += estimate[1]
        self.truth += truth[0]

    def text(self):
        return "%3d of %3d within, off by %4.1f %%, +- %4.1f %%" % (
            self.within, self.n, 100 * (self.square * self.n) ** 0.5 / self.truth, 100 * self.width / self.truth)


def pieces(ticks, every_ns, length_s):
    """Returns the times between regular ticks."""
    regular, due_ns = [], ticks[0]
    for t in ticks:
        if t >= due_ns:
            regular.append(t)
            due_ns += every_ns
    some = regular[::length_s]
    return list(zip(some, some[1:]))


def check(report, full, period_ns, window_ns, path, tallies):
    ticks = [r[1] for kind, r in raw_objects(full) if kind == TICK]
    begin_ns = next(r[18] for kind, r in raw_objects(full) if kind == HEADER)
    truth, bias = {}, biases(report, full)
    off = ", ".join("%s %+.1f %%" % (leaf, 100 * b) for leaf, b in bias.items())
    print("%-14s samples are off by %s" % (os.path.basename(full), off))
    for seed in range(SEEDS):
        write(thin(raw_objects(full), seed, period_ns, window_ns), path)
        subprocess.run([report, "verify", "-q", path], check=True)
        for length_s in PIECES_S:
            for piece in pieces(ticks, 1000 * MS, length_s):
                at_s = [(t - begin_ns) / 1e9 for t in piece]
                if piece not in truth:
                    truth[piece] = leaves(report, full, *at_s)
                estimates = leaves(report, path, *at_s)
                for leaf in LEAVES:
                    tallies[os.path.basename(full), length_s, leaf].add(estimates[leaf], truth[piece][leaf], bias[leaf])


def check_all(report, fulls):
    tallies = collections.defaultdict(Tally)
    with tempfile.TemporaryDirectory() as folder:
        for full in fulls:
            path, period_ms, window_ms = full.split(":")
            check(report, path, int(period_ms) * MS, int(window_ms) * MS, os.path.join(folder, "t.nct"), tallies)
    for (name, length_s, leaf), tally in tallies.items():
        print("%-14s %2d s  %-10s  %s" % (name, length_s, leaf, tally.text()))
    n, within = (sum(getattr(t, key) for t in tallies.values()) for key in ("n", "within"))
    print("%d of %d within: %.1f %%" % (within, n, 100 * within / n))
    return 0 if within >= LEAST * n else 1


def main(args):
    if args[0] == "check":
        return check_all(args[1], args[2:])
    full, thinned, seed, period_ms, window_ms = args
    write(thin(raw_objects(full), int(seed), int(period_ms) * MS, int(window_ms) * MS), thinned)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
