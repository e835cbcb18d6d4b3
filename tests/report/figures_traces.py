# SPDX-License-Identifier: BSD-2-Clause
"""Traces for which all reports must print the same figures: the load changes, and the recorder's overhead is known.
figures.nct: counted exactly all the time. figures-windows.nct: in windows, 100 of each 500 ms."""
import os

from make_traces import (CGROUPS, CLOCK, EXACT, EXACT_LOSS, HOST, MS, NETDEV, NETDEV_STATS, OF_EVENT, PROBE, PROCSTAT, SAMPLE_LOSS, SAMPLES, SELF, SOFTNET,
                         PROCESSES, PROCESS_STATS, START, TASKS, TICK, Trace, WITH_SAMPLES, definitions)
from nct import PROBE_COST, PROBE_RUNS

LOADS = [1, 3, 0.5, 2]  # factor of the load in each 500 ms
# ms of each event at load 1; the rest of the time is idle. CPU 1 has a tenth of these times.
SEND, RECV, LOCAL, RX, HARDIRQ = 3, 4, 5, 6, 10
EVENTS = {SEND: 0.08, RECV: 0.04, RX: 0.06, HARDIRQ: 0.01}
STEADY = {1: 0.3, LOCAL: 0.02}
STACKS = {SEND: 6, RECV: 7, RX: 9, LOCAL: 12}
TASK = {0: 0.2, 13: 0.02, 14: 0.08}  # parts of the task event: user, other network, other kernel
MESSAGE, SWITCH, SAMPLE = 3, 5, 12


class Host:
    def __init__(self):
        self.ns = [{e: 0 for e in (0, 1, 2, 3, 4, 5, 6, 7, 10)} for _ in range(2)]
        self.calls = [{SEND: 0, RECV: 0} for _ in range(2)]
        self.told = {}  # sums that PROCESS_STATS has reported so far, by key
        self.packets, self.written, self.idle_ms = 0, [0, 0], [0, 0]

    def run(self, ms, load, counted):
        """Lets time pass. Packets always advance, exact times and calls only while they are
        counted."""
        self.packets += int(40 * ms * load)
        for cpu in range(2):
            share = {e: s * load * (1, 0.1)[cpu] for e, s in EVENTS.items()}
            share.update({e: s * (1, 0.1)[cpu] for e, s in STEADY.items()})
            share[0] = 1 - sum(share.values())
            self.idle_ms[cpu] += share[0] * ms
            if not counted:
                continue
            for e, s in share.items():
                self.ns[cpu][e] += int(round(s * ms * MS))
            for e in (SEND, RECV):
                self.calls[cpu][e] += int(ms * load * (4, 0.4)[cpu])

    def samples(self, t, from_ms, ms, load):
        for cpu in range(2):
            part = (1, 0.1)[cpu]
            counts = {stack: EVENTS.get(e, STEADY.get(e, 0) / load) * load * part for e, stack in STACKS.items()}
            counts.update({stack: s * part for stack, s in TASK.items()})
            stacks = [stack for stack, s in counts.items() for _ in range(int(s * ms + 0.5))]
            self.written[cpu] += len(stacks)
            t.add(SAMPLES, {1: cpu, 2: START + from_ms * MS, 3: 1000, 4: 1000, 5: [0] * len(stacks), 6: stacks,
                            7: [2 + 2 * (i % 2) for i in range(len(stacks))], 8: [1 + i % 2 for i in range(len(stacks))]})


def full_records(t, h, at):
    """Adds the counters as a recorder reads them, some time after the tick."""
    def read(us):
        return {30: at + us * 1000, 31: at + us * 1000 + 10000}

    t.add(SAMPLE_LOSS, {1: list(h.written), 2: [0, 0]})
    t.add(PROCSTAT, {**{key: [0, 0] for key in range(1, 9)}, 4: [round(ms / 10) for ms in h.idle_ms], **read(50)})
    t.add(SOFTNET, {1: [h.packets // 2, h.packets // 20], 2: [0, 0], 3: [0, 0], **read(80)})
    t.add(NETDEV_STATS, {1: [1], 2: [h.packets], 3: [h.packets * 100], 4: [0], 5: [0], 6: [h.packets // 4], 7: [h.packets * 10],
                         8: [0], 9: [0], **read(100)})
    t.add(SELF, {1: 1000, 2: 2000, 3: 5000, 4: 0, **read(200)})


def process_stats(t, h):
    """Adds the increases since the tick before. The first of three processes has half of each
    figure."""
    stats = {1: [1, 2, 3]}
    now = {2: sum(100 * c[SEND] // 4 for c in h.calls), 3: sum(n[1] for n in h.ns), 5: sum(n[SEND] for n in h.ns),
           6: sum(n[RECV] for n in h.ns), 7: sum(n[LOCAL] for n in h.ns), 8: sum(n[RX] for n in h.ns),
           12: sum(n[HARDIRQ] for n in h.ns), 13: sum(c[SEND] for c in h.calls), 14: sum(c[RECV] for c in h.calls)}
    for key, v in now.items():
        since = v - h.told.get(key, 0)
        h.told[key] = v
        stats[key] = [since // 2, since - since // 2 - since // 10, since // 10]
    t.add(PROCESS_STATS, stats)


def tick(t, h, ms, exact, off_ms):
    t.add(TICK, {1: START + ms * MS, 2: [0, 1], 3: [START + ms * MS if exact else None] * 2})
    if not exact:
        return
    for e in range(11):
        ns = [h.ns[cpu].get(e, None if e in (8, 9) else 0) for cpu in range(2)]
        calls = [None if e in (8, 9) else h.calls[cpu].get(e, 0) for cpu in range(2)]
        t.add(EXACT, {1: e, 2: ns, 3: calls, 4: [None if e in (8, 9) else 0] * 2,
                      5: [None if c is None else 100 * c for c in calls]})
    t.add(EXACT_LOSS, {1: [0, 0], 6: 0, 9: [off_ms * MS] * 2, 10: [off_ms * MS] * 2})
    t.add(PROBE_RUNS, {1: MESSAGE, 5: [c[SEND] for c in h.calls], 6: [c[RECV] for c in h.calls]})
    t.add(PROBE_RUNS, {1: SWITCH, 2: [100 * c[SEND] // 4 for c in h.calls]})
    process_stats(t, h)


def trace(windows, late_ms=0, exact=True):
    """late_ms: what each window but the first has counted when its first tick is read. Not exact: there is no window."""
    budget = {"k23": 5000} if windows else {}
    t = Trace(k8=[0, 1], **HOST, **WITH_SAMPLES, k13=500, k14="entry", k15=100, k18=START, **budget)
    t.add(CLOCK, {1: START, 2: 1790000000 * 1000 * MS, 3: START, 4: 120})
    t.frame(START, START + 2001 * MS, [0, 0])
    definitions(t)
    t.add(CGROUPS, {1: 2, 2: ["/other"]})
    t.add(TASKS, {1: 4, 2: [200], 3: [200], 4: ["other"]})
    t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
    t.add(PROCESSES, {1: 1, 2: [100, 200, 300], 3: ["web", "other", ""], 4: [START - 5] * 3, 5: [1, 2, 1], 6: [0, 0, 0]})
    for e in range(11):
        t.add(PROBE, {1: OF_EVENT, 2: e, 3: "off" if e in (8, 9) else "tracepoint", 4: [] if e in (8, 9) else ["hook"], 6: []})
    for probe, us in ((MESSAGE, 4), (SWITCH, 1), (SAMPLE, 20)):
        t.add(PROBE_COST, {1: probe, 2: us * 10 ** 6, 3: us * 10 ** 5, 4: 0, 5: 0})
    h, off = Host(), 0
    for i, load in enumerate(LOADS):
        ms = 500 * i
        h.run(late_ms if i else 0, load, True)
        tick(t, h, ms, exact, off)
        full_records(t, h, START + ms * MS)
        for from_ms, length, counted in ((0, 100, True), (100, 400, not windows)):
            h.run(length, load, counted)
            h.samples(t, ms + from_ms, length, load)
            if windows and counted:
                tick(t, h, ms + 100, exact, off)
                tick(t, h, ms + 101, False, off)
        off += 400 - late_ms if windows else 0
    tick(t, h, 2000, not windows, off)
    full_records(t, h, START + 2000 * MS)
    t.end(sum(h.written), 15, 16, 4)
    t.frames[-1][-1][1][7] = START + 2001 * MS
    return t


def sampled(share):
    """Makes 10 s in which the network's share is half by exact times, and `share` by samples,
    with 4000 samples per second."""
    n, seconds = 40000, 10
    t = Trace(k8=[0], **HOST, k10=4000, k11="perf", k12="cpu-clock", k13=10000, k14="entry", k15=100, k18=START)
    t.frame(START, START + seconds * 1000 * MS, [0])
    definitions(t)
    for part in (0, 1):
        t.add(TICK, {1: START + part * seconds * 1000 * MS, 2: [0], 3: [START + part * seconds * 1000 * MS]})
        for e in range(8):
            t.add(EXACT, {1: e, 2: [part * seconds * 500 * MS if e in (1, SEND) else 0]})
    for i in range(100):
        stacks = [6 if k * share // 1 != (k + 1) * share // 1 else 14 for k in range(i * n // 100, (i + 1) * n // 100)]
        t.add(SAMPLES, {1: 0, 2: START + i * 100 * MS, 3: 250, 4: 1000, 5: [0] * len(stacks), 6: stacks, 7: [2] * len(stacks)})
    t.end(n, 15, 16, 3)
    t.frames[-1][-1][1][7] = START + seconds * 1000 * MS
    return t


def make(folder):
    sampled(0.485).write(os.path.join(folder, "figures-little.nct"))
    sampled(0.465).write(os.path.join(folder, "figures-much.nct"))
    for name, windows in (("figures", False), ("figures-windows", True)):
        trace(windows).write(os.path.join(folder, name + ".nct"))
    trace(True, 20).write(os.path.join(folder, "figures-late.nct"))
    trace(True, exact=False).write(os.path.join(folder, "figures-paused.nct"))
