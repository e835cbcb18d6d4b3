# SPDX-License-Identifier: BSD-2-Clause
"""Checks the files of a recording with --rotate, in their order: each file must begin where the previous file ended.

    rotate.py seams TRACE...            prints "ok N files" or the error; status 1 if there is an error
    rotate.py calls PID N TRACE...      checks that the process has N sends and N receives in all files together (--processes). At most
                                        as many may be missing as EXACT_LOSS counts
    rotate.py exact TRACE...            prints the sends and receives of all processes in all files together, by the counters of the CPUs
    rotate.py load N MS                 makes N sends and N receives of 10 bytes, one of each every MS milliseconds; prints its pid
    rotate.py joined ALL TRACE...       checks that ALL, which was merged from the other files, has all their counts, each of them once
    rotate.py whole REPORT ALL TRACE... checks that ALL and the files have the time of the CPUs; REPORT: the program
    rotate.py last TRACE...             prints the time of the latest tick or sample in any file, in ns
"""
import json
import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, "tests")
import nct  # noqa: E402

HOST = ["PROCSTAT", "SOFTNET", "NETDEV_STATS", "COUNTERS", "SOFTIRQS", "ENERGY", "IRQ_STATS"]
TYPE = {t.number: t for t in nct.TYPES}
COUNTER = {t.number: [k.number for k in t.keys if "COUNTER" in k.flags] for t in nct.TYPES}


def key(name, column):
    return next(k.number for t in nct.TYPES if t.NAME == name for k in t.keys if k.name == column)


class File:
    """The records of a file's first and last tick, by type and subject."""

    def __init__(self, path):
        self.path, self.first, self.last, self.samples, self.end = path, None, None, 0, None
        self.names, self.processes, self.rows = {}, {}, []
        self.latest = {}  # like `last`, but also has counters that the last tick lacks
        for kind, r in nct.objects(path):
            if kind == nct.TICK:
                self.last = {}
                self.first = self.first or self.last
            if kind == nct.TICK or (self.last is not None and TYPE.get(kind) and TYPE[kind].of == "COUNTER"):
                about = r.get(1) if kind in (nct.EXACT, nct.EXACT_PART, nct.PROBE_RUNS, nct.IRQ_STATS) else 0
                self.last[kind, about] = self.latest[kind, about] = r
            elif kind == nct.SAMPLES:
                self.samples += len(r[5])
            elif kind == nct.END:
                self.end = r
            elif kind == nct.NETDEV:
                self.names[r[1]] = r[2]
            elif kind == nct.PROCESSES:
                for i, pid in enumerate(r[key("PROCESSES", "pid")]):
                    self.processes[r[1] + i] = pid
            elif kind == nct.PROCESS_STATS:
                self.rows.append(r)

    def wrong(self):
        if not self.end:
            yield "has no END"
            return
        if self.end[key("END", "samples")] != self.samples:
            yield "END says %d samples, the trace has %d" % (self.end[key("END", "samples")], self.samples)
        loss = self.last.get((nct.SAMPLE_LOSS, 0))
        if loss and sum(loss[1]) != self.samples:
            yield "the last tick says %d samples, the trace has %d" % (sum(loss[1]), self.samples)


def zero(value):
    return all(not v for v in value) if isinstance(value, list) else not value


def wrong_seam(a, b):
    """Checks that the last tick of a is the first tick of b: counters of the host are equal, and counters of the
    recording restart."""
    if a.last[nct.TICK, 0] != b.first[nct.TICK, 0]:
        yield "it is another tick"
    for name in HOST:
        kind = getattr(nct, name)
        at = [{k: r for k, r in tick.items() if k[0] == kind} for tick in (a.last, b.first)]
        if at[0] != at[1]:
            yield "%s is not the same" % name
    if a.names.items() - b.names.items():
        yield "interfaces are missing"
    for (kind, about), r in b.first.items():
        if kind == nct.OTHER_STATS:  # a tick can have several such records
            continue
        for k in COUNTER[kind]:
            if not zero(r.get(k, 0)):
                yield "%s %s: key %d does not begin at 0" % (TYPE[kind].NAME, about, k)
        if (kind, about) not in a.last:
            yield "%s %s is new" % (TYPE[kind].NAME, about)


def seams(*paths):
    files, wrong = [File(p) for p in paths], []
    for f in files:
        wrong += ["%s: %s" % (f.path, w) for w in f.wrong()]
        exact = nct.Exact(f.path)
        if exact.first and len(exact.ticks) > 1 and not exact.check_identity():
            wrong.append("%s: the exact times are not the time that passed" % f.path)
    for a, b in zip(files, files[1:]):
        if a.last and b.first:
            wrong += ["%s to %s: %s" % (a.path, b.path, w) for w in wrong_seam(a, b)]
    print("\n".join(wrong) or "ok %d files" % len(files))
    return 1 if wrong else 0


def summed(values):
    """Returns the sum of counts, or of columns of counts of the same CPUs."""
    some = [v for v in values if v is not None]
    return [sum(v or 0 for v in column) for column in zip(*some)] if some and isinstance(some[0], list) else sum(some)


def pieces(files, at, k):
    """Returns the counts whose sum is that of all files. A counter restarts in the first tick of a file. If that tick is in a pause,
    the counter continues instead."""
    parts = []
    for f in files:
        value, first = f.latest.get(at, {}).get(k), f.first.get(at, {}).get(k)
        if value is None:
            continue
        if parts and (first is None or (isinstance(first, list) and None in first)):
            parts.pop()
        parts.append(value)
    return parts


def joined(path, *paths):
    whole, files, wrong = File(path), [File(p) for p in paths], []
    wrong += list(whole.wrong())
    if whole.samples != sum(f.samples for f in files):
        wrong.append("%d samples, %d in the files" % (whole.samples, sum(f.samples for f in files)))
    for kind in (nct.EXACT, nct.EXACT_PART, nct.EXACT_LOSS, nct.PROBE_RUNS, nct.SAMPLE_LOSS, nct.SELF):
        for (of, about), r in whole.latest.items():
            if of != kind:
                continue
            for k in COUNTER[kind]:
                parts = pieces(files, (of, about), k)
                if k in r and summed([r[k]]) != summed(parts):
                    wrong.append("%s %s: key %d is %s, in the files %s" % (TYPE[kind].NAME, about, k, r[k], parts))
    ticks = [sum(kind == nct.TICK for kind, _ in nct.objects(p)) for p in (path, *paths)]
    if ticks[0] != sum(ticks[1:]) - len(files) + 1:
        wrong.append("%d ticks, in the files %s" % (ticks[0], ticks[1:]))
    if len(set(whole.names.values())) != len(whole.names) and all(len(set(f.names.values())) == len(f.names) for f in files):
        wrong.append("interfaces come twice: %s" % whole.names)
    rows = [{}, {}]
    for some, into in (([whole], rows[0]), (files, rows[1])):
        for f in some:
            for r in f.rows:
                for i, p in enumerate(r[key("PROCESS_STATS", "process")]):
                    for k in (key("PROCESS_STATS", "task_ns"), key("PROCESS_STATS", "send_calls")):
                        at = f.processes.get(p), k
                        into[at] = into.get(at, 0) + (r.get(k) or [0] * (i + 1))[i]
    if rows[0] != rows[1]:
        wrong.append("processes are not the same")
    print("\n".join(wrong) or "ok %d files" % len(files))
    return 1 if wrong else 0


def calls(pid, n, *paths):
    got = {"send_calls": 0, "recv_calls": 0}
    for f in map(File, paths):
        for r in f.rows:
            of = [f.processes.get(p) == int(pid) for p in r[key("PROCESS_STATS", "process")]]
            for column in got:
                got[column] += sum(n for n, its in zip(r[key("PROCESS_STATS", column)], of) if its)
    missed = sum(sum(nct.Exact(p).loss.get(1, [])) for p in paths)
    print("expected %s of each, got %s, %d missed" % (n, got, missed))
    return 0 if all(int(n) - missed <= calls <= int(n) for calls in got.values()) else 1


def exact(*paths):
    print(*(sum(nct.Exact(p).calls(event) for p in paths) for event in ("sock_send", "sock_recv")))
    return 0


def whole(report, merged, *paths):
    """Checks that the joined trace, and each file, has the time of the CPUs, also where exact counting paused between files."""
    def time_of(path):
        d = json.loads(subprocess.run([report, "summary", "--format=json", path], check=True, stdout=subprocess.PIPE).stdout)["cpu_time"]
        return d["wall_ns"], d["sum_ns"]
    times = [time_of(path) for path in (merged, *paths)]
    print(times)
    wall = sum(wall for wall, _ in times[1:])
    return 0 if abs(times[0][0] / wall - 1) < 0.02 and all(abs(sums / wall - 1) < 0.02 for wall, sums in times) else 1


def load(n, ms):
    a, b = udp_pair()
    for _ in range(int(n)):
        a.send(b"0123456789")
        b.recv(100)
        time.sleep(int(ms) / 1000)
    print(os.getpid())
    return 0


def udp_pair():
    b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    b.bind(("127.0.0.1", 0))
    a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    a.connect(b.getsockname())
    return a, b


def last(*paths):
    at = 0
    for path in paths:
        for kind, r in nct.objects(path):
            at = max([at] + (r[nct.TIMES] if kind == nct.SAMPLES else [r[1]] if kind == nct.TICK else []))
    print(at)
    return 0


sys.exit({"seams": seams, "calls": calls, "exact": exact, "load": load, "joined": joined, "whole": whole, "last": last}[sys.argv[1]](*sys.argv[2:]))
