# SPDX-License-Identifier: BSD-2-Clause
"""missing.py REPORT FOLDER: makes recordings of busy CPUs with missing samples, and judges their
reports. The idle time of each CPU, as in /proc/stat, and the number of packets are known."""
import csv
import io
import json
import os
import re
import subprocess
import sys

from make_traces import (CLOCK, EXACT, EXACT_LOSS, HOST, MS, NETDEV, NETDEV_STATS, PROCSTAT, SAMPLE_LOSS, SAMPLES, SELF, START, TICK,
                         WITH_SAMPLES, Trace, definitions)

UNIT = 10 * MS  # time unit of /proc/stat
WINDOW = 100    # ms of exact counting at the beginning of each period
SECONDS = 4
PACKETS = 50000  # packets a second
USER, SEND, IDLE = 0, 6, 3  # ids of stacks


class Recording:
    """Two CPUs for 4 s, with full ticks at 0, 1, 2, 3, 4 s. idle: shares of the time, by CPU."""

    def __init__(self, idle=(0, 0), taken=0.3, windows=True, event="cpu-clock", hz=1000, stat=True, late_ms=0, lost=0,
                 unread=(), extra_ms=(), silent=(), gone=None):
        self.idle, self.taken, self.windows, self.stat, self.late_ms = idle, taken, windows, stat, late_ms
        self.unread, self.hz, self.silent, self.gone, self.lost = unread, hz, silent, gone, lost
        budget = {"k23": 3000} if windows else {}
        self.t = t = Trace(k8=[0, 1], **HOST, **{**WITH_SAMPLES, "k10": hz, "k12": event}, k13=1000,
                           k14="entry" if windows else "off", k15=100, k18=START, **budget)
        t.add(CLOCK, {1: START, 2: 1790000000 * 1000 * MS, 3: START + 7, 4: 120})
        t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
        t.frame(START, START + SECONDS * 1000 * MS, [lost, 0])
        definitions(t)
        self.samples, self.counted = 0, 0
        for second in range(SECONDS):
            self.second(second, extra_ms)
        self.tick(SECONDS * 1000, False)
        t.end(self.samples, 15, 16, 3)

    def tick(self, ms, attached, full=True):
        t, at = self.t, START + ms * MS
        t.add(TICK, {1: at, 2: [0, 1], 3: [at, at] if attached else [None, None]})
        if attached:
            for event in range(8):
                shares = [(i, 0.9 * (1 - i), 0, 0.1 * (1 - i))[event] if event < 4 else 0 for i in self.idle]
                t.add(EXACT, {1: event, 2: [round(s * self.counted * MS) for s in shares], 3: [0, 0], 4: [0, 0], 5: [0, 0]})
            off = (ms - self.counted) * MS
            t.add(EXACT_LOSS, {1: [0, 0], 6: 0, 9: [off, off], 10: [off, off]})
        if full:
            self.counters(ms)

    def counters(self, ms):
        t = self.t
        if self.stat:
            idle = [7 + int(i * ms / 10) for i in self.idle]
            if self.gone:
                idle[1] = None if self.gone[0] <= ms < self.gone[1] else idle[1]
            t.add(PROCSTAT, {1: [ms // 10, ms // 10], 3: [0, 0], 4: idle, 5: [0, 0]})
        if ms not in self.unread:
            t.add(NETDEV_STATS, {1: [1], 2: [PACKETS * ms // 1000], 3: [PACKETS * ms], 6: [0], 7: [0]})
        unsampled = max(0, min(ms, self.gone[1]) - self.gone[0]) * MS if self.gone else 0
        t.add(SAMPLE_LOSS, {1: [self.samples, 0], 2: [self.lost, 0], 3: [ms // 10, 0], 4: [0, unsampled]})
        t.add(SELF, {1: ms, 2: ms, 3: 9000, 4: 0})

    def take(self, from_ms, to_ms, share):
        place = "window" if to_ms - from_ms == WINDOW else "pause"
        for cpu, idle in enumerate(self.idle):
            silent = any(s[:2] == (cpu, from_ms // 1000) and place in (s[2:] or (place,)) for s in self.silent)
            n = 0 if silent else round((to_ms - from_ms) * self.hz / 1000 * (1 - idle) * share)
            if self.gone and cpu == 1 and self.gone[0] <= from_ms < self.gone[1]:
                n = 0
            stacks = [SEND if i % 10 == 0 else USER for i in range(n)]
            self.samples += n
            if n:
                self.t.add(SAMPLES, {1: cpu, 2: START + from_ms * MS, 3: 1000, 4: (to_ms - from_ms) * 1000 // (n + 1), 5: [0] * n,
                                     6: stacks, 7: [2] * n})

    def second(self, second, extra_ms):
        ms = second * 1000
        if not self.windows:
            self.tick(ms, False)
            self.take(ms, ms + 1000, self.taken)
            return
        # probes are attached this long before the tick after the pause
        late = self.late_ms if second else 0
        self.counted += late
        self.tick(ms, True)
        self.take(ms, ms + WINDOW, 1)
        self.counted += WINDOW
        self.tick(ms + WINDOW, True, full=False)
        self.tick(ms + WINDOW + 1, False, full=False)
        for extra in extra_ms:
            self.tick(ms + extra, False, full=False)
        self.take(ms + WINDOW + 1, ms + 1000, self.taken)


class Judge:
    def __init__(self, report, folder):
        self.report, self.path, self.wrong, self.name = report, os.path.join(folder, "missing.nct"), [], ""

    def make(self, name, **how):
        self.name = name
        Recording(**how).t.write(self.path)

    def run(self, *command):
        return subprocess.run([self.report, *command, self.path], stdout=subprocess.PIPE, check=True).stdout.decode()

    def json(self, *command):
        return json.loads(self.run(*command, "--format=json"))

    def expect(self, what, ok):
        if not ok:
            self.wrong.append("%s: %s" % (self.name, what))

    def leaves(self):
        """Returns the row of each leaf for all CPUs."""
        return {r["key"]: r for r in self.json("summary")["cpu_time"]["tree"]}

    def weak(self):
        text = self.run("summary", "--full")
        return " ".join(text[text.index("Not measured, or weak"):].split()) if "Not measured, or weak" in text else ""

    def idle(self, part, missing, seconds=2 * SECONDS):
        """Checks that idle is the expected share of the time, to two units of /proc/stat, that
        samples are spread over the leaves, and that everything sums to the time."""
        rows = self.leaves()
        wall, idle, user, send = (rows[k]["ns"] or 0 for k in ("cpu", "idle", "user", "sock_send"))
        if not user or wall <= idle:
            self.expect("nothing is known", False)
            return
        self.expect("wall time %.0f ms" % (wall / MS), abs(wall - seconds * 1000 * MS) <= 16 * MS)
        self.expect("idle %.1f ms" % (idle / MS), abs(idle - part * seconds * 1000 * MS) <= 2 * UNIT + 0.01 * part * wall)
        self.expect("send %.1f of %.1f ms" % (send / MS, (wall - idle) / MS), abs(send / (wall - idle) - 0.1) < 0.02)
        tasks = sum(r["ns"] for r in self.json("summary", "--by=task")["rows"])
        self.expect("tasks have %.1f of %.1f ms" % (tasks / MS, (wall - idle) / MS), abs(tasks - wall + idle) < 0.01 * wall)
        rest = sum(rows[k]["ns"] or 0 for k in ("idle", "user", "kernel", "netcost_itself"))
        self.expect("leaves sum to %.1f ms" % (rest / MS), abs(rest - wall) < MS)
        self.expect("user +- %.3f of it" % (rows["user"]["ci95_ns"] / user), rows["user"]["ci95_ns"] >= (missing - 0.02) * user)
        found = re.search(r"([0-9.]+) % of the samples expected in busy time are missing", self.weak())
        self.expect("share of missing samples: %s" % found, abs(float(found[1]) / 100 - missing) < 0.02 if found else missing < 0.1)

    def rows_of_time(self, ok):
        """Checks the packets/s of each row in all outputs. ok(values) judges them; None means
        unknown."""
        rows = self.json("timeline")["rows"]
        self.expect("timeline --format=json: %s" % [r["interface_packets_per_s"] for r in rows],
                    ok([r["interface_packets_per_s"] for r in rows]))
        table = list(csv.DictReader(io.StringIO(self.run("timeline", "--format=csv"))))
        values = [float(r["interface_packets_per_s"]) if r["interface_packets_per_s"] else None for r in table]
        self.expect("timeline --format=csv: %s" % values, ok(values))
        lines = self.run("timeline").splitlines()
        at = next(i for i, line in enumerate(lines) if "rx pkt/s" in line)
        end = lines[at].index("rx pkt/s") + len("rx pkt/s")
        values = [line[:end].split()[-1] for line in lines[at + 1:at + 1 + len(rows)]]
        values = [None if v == "-" else float(v) for v in values]
        self.expect("timeline: %s" % values, ok(values))
        table = re.search(r"Intervals</caption>(.*?)</table>", self.run("html", "-o", "-"), re.S)[1]
        head, *cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in table.splitlines() if "<tr>" in line]
        values = [row[head.index("rx pkt/s")] for row in cells]
        values = [None if v == "-" else float(v) for v in values]
        self.expect("html: %s" % values, ok(values))
        return rows


def main(report, folder):
    j = Judge(report, folder)
    # ticks of windows, which are long after a full tick and just before the next one
    extra = {"extra_ms": (950, 995)}

    for taken in (1, 0.7, 0.3, 0.02):
        j.make("throttled to %g" % taken, taken=taken)
        j.idle(0, (1 - taken) * 0.9)
        j.make("throttled to %g, without exact times" % taken, taken=taken, windows=False)
        j.idle(0, 1 - taken)
    j.make("half idle", idle=(0.5, 0.5), taken=0.4)
    j.idle(0.5, 0.6 * 0.9)
    j.make("one CPU busy", idle=(0, 0.98), taken=0.4)
    j.idle(0.49, 0.6 * 0.9)
    j.make("an idle CPU is not sampled", idle=(0.3, 0.98), taken=1)
    j.idle(0.64, 0)
    j.make("1 Hz", idle=(0.5, 0.5), taken=1, hz=20, windows=False)
    j.idle(0.5, 0)
    j.make("cycles", idle=(0.5, 0.5), taken=0.4, event="cycles", windows=False)
    j.idle(0.5, 0)
    # The rest of CPU 0's 4000 samples: samples in pauses, and samples that are not known to be
    # missing.
    j.make("lost", taken=0.4, lost=2400)
    j.idle(0, 0.6 * 0.9)
    j.make("late", taken=0.5, late_ms=400)
    j.idle(0, 0.5 * 0.9)

    # A part that begins and ends at a window's tick, where /proc/stat was not read.
    j.make("a part", idle=(0.2, 0.2), taken=0.5)
    rows = {r["key"]: r["ns"] for r in j.json("summary", "--from=0.11", "--to=3.09")["cpu_time"]["tree"]}
    j.expect("idle %.1f of %.1f ms" % (rows["idle"] / MS, rows["cpu"] / MS), abs(rows["idle"] / rows["cpu"] - 0.2) < 0.02)

    # Without /proc/stat it is unknown whether a CPU was idle. The leaves sum to less than the time,
    # which is reported.
    j.make("no /proc/stat", taken=0.3, stat=False)
    rows = j.leaves()
    j.expect("idle %s" % rows["idle"], rows["idle"]["ns"] < UNIT and "exact" not in rows["idle"]["source"])
    j.expect("user %s" % rows["user"]["source"], rows["user"]["source"] in ("at least", "samples"))

    # An offline CPU is not idle. It is offline for half of the second second, while the probes are
    # detached.
    j.make("offline", taken=1, gone=(1200, 1800))
    j.idle(0, 0, seconds=2 * SECONDS - 0.6)

    # A CPU has no samples in one second. By samples, the whole is extrapolated from the other
    # seconds, and is not smaller.
    j.make("a row without samples", taken=1, silent=((0, 2), (1, 2)))
    table = list(csv.DictReader(io.StringIO(j.run("summary", "--by=interval", "--format=csv"))))
    shares = [float(r["network_sampled_percent"]) for r in table if r["network_sampled_percent"]]
    j.expect("%d rows by samples" % len(shares), len(shares) == SECONDS - 1)
    whole = [n["sampled_percent"] for n in j.json("summary")["cpu_time"]["tree"] if n["key"] == "network"][0]
    j.expect("%s of %s by samples" % (whole, shares), min(shares) - 0.01 <= whole <= max(shares) + 0.01)
    for row in j.json("timeline")["rows"]:
        j.expect("idle %s ns in a row" % row["leaf_ns"]["idle"], abs(row["leaf_ns"]["idle"]) <= 2 * UNIT)

    j.make("a window without samples", taken=1, silent=((0, 1, "window"), (1, 1, "window")))
    table = list(csv.DictReader(io.StringIO(j.run("summary", "--by=interval", "--format=csv"))))
    shares = [float(r["network_sampled_percent"] or 0) for r in table]
    j.expect("%s by samples" % shares, len(shares) == SECONDS and min(shares) > 0.9 * max(shares))

    j.make("ticks of windows", taken=1, **extra)
    rows = j.rows_of_time(lambda v: len(v) == SECONDS and all(abs(p - PACKETS) < 1 for p in v))
    j.expect("rows of %s s" % [r["end_s"] - r["begin_s"] for r in rows], all(r["end_s"] - r["begin_s"] > 0.9 for r in rows))
    j.make("interfaces not read once", taken=1, unread=(2000,), **extra)
    j.rows_of_time(lambda v: [p is None for p in v] == [False, True, True, False] and abs(v[0] - PACKETS) < 1)
    j.make("interfaces not read once, without windows", taken=1, windows=False, unread=(2000,))
    j.rows_of_time(lambda v: [p is None for p in v] == [False, True, True, False] and abs(v[0] - PACKETS) < 1)

    print("\n".join(j.wrong))
    return 1 if j.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
