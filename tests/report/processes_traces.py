# SPDX-License-Identifier: BSD-2-Clause
"""Recordings by process with known truth: processes_traces.py check KIND FILE.json..., or
processes_traces.py users TRACE.csv SCRUBBED.csv KEPT.csv"""
import csv
import json
import math
import os
import random
import sys

from energy_traces import RX, SECOND, SEND, TASK, WRAP, begin, end, spend, tick
from make_traces import (CGROUPS, ENERGY, ENERGY_ZONE, EXACT_LOSS, MARK, MS, PROCESSES, PROCESS_STATS, SOURCE, START, TASKS, TICK,
                         windows)

DOCKER = "/system.slice/docker-" + 32 * "ab" + ".scope"
POD = "/kubepods.slice/kubepods-pod8dbc6a39_01aa_4b4a_b1a6_6a4b6d6b1e2f.slice/cri-containerd-" + 32 * "cd" + ".scope"
CGROUP_PATHS = ["/", "/system.slice/web.service", DOCKER, POD]
# names of a cgroup: the pod's namespace, workload and so on; Docker's container only has a name and
# an image
CGROUP_NAMES = {3: ["", "", "", "cache-7d9c6b8f5-x2x4z"], 4: ["", "", "", "shop"], 5: ["", "", "db-1", "redis"],
                6: ["", "", "postgres:17", "docker.io/library/redis:8"], 7: ["", "", "", "cache"]}
TICKS = 20
USERS = {"web": 33, "db": 999, "cache": 1000, "batch": 1000, "report": None, "ksoftirqd/0": 0}


def crowd(slower, batch, evil):
    """Rows of pid, name, cgroup, kernel, CPU, and the shares of second i: task, send, and RX
    softirq that interrupted the process."""
    def wave(i):
        return 0.5 + 0.5 * math.sin(i / 3)
    rows = [
        (100, "web", 2, 0, 0, lambda i: (0.25 * wave(i), 0.12 * slower * wave(i), 0.05)),
        (101, "db", 3, 0, 1, lambda i: (0.2, 0.02, 0.01)),
        (102, "cache", 4, 0, 1, lambda i: (0.05, 0.08 * wave(i + 4), 0)),
        (7, "ksoftirqd/0", 1, 1, 0, lambda i: (0.01, 0, 0.04)),
        (0, "idle", 1, 1, 0, lambda i: (0, 0, 0.02)),
    ]
    if batch:
        rows.append((300, batch, 1, 0, 1, lambda i: (0.3 if i > TICKS / 2 else 0, 0, 0)))
    for n in range(12):
        rows.append((200 + n, evil or "worker", 2, 0, 1, lambda i, n=n: (0.002 + 0.001 * n, 0.0005 * n, 0)))
    return rows


def trace(slower=1.0, batch="batch", energy=True, evil=None, seed=1, times=True):
    """times: whether the times of sends and receives were measured."""
    rnd, t, ns, raw = random.Random(seed), begin(2, TICKS), [[0] * 8, [0] * 8], WRAP - 50 * 1000000
    rows = crowd(slower, batch, evil)
    t.add(SOURCE, {1: "processes", 2: "measured", 3: "bpf", 4: ""})
    if energy:
        t.add(ENERGY_ZONE, {1: 1, 2: "package-0", 3: 0, 4: 1000, 5: WRAP, 8: [0, 1]})
    t.add(CGROUPS, {1: 1, 2: CGROUP_PATHS, **CGROUP_NAMES})
    t.add(PROCESSES, {1: 1, 2: [r[0] for r in rows], 3: [r[1] for r in rows], 4: [START - 10 - r[0] if r[0] else None for r in rows],
                      5: [r[2] for r in rows], 6: [r[3] for r in rows],
                      7: [None if not r[0] else USERS.get(r[1], r[0] % 2) for r in rows]})
    for i in range(TICKS + 1):
        did = []
        if i:
            shares = [{TASK: 0, SEND: 0, RX: 0}, {TASK: 0, SEND: 0, RX: 0}]
            for n, (_, _, _, _, cpu, of) in enumerate(rows, 1):
                mine = [round(s * SECOND) for s in of(i)]
                if not times:
                    mine[0] += mine[1]
                did.append([n] + mine)
                for event, v in zip((TASK, SEND, RX), mine if times else (mine[0], 0, mine[2])):
                    shares[cpu][event] += v
            for cpu in range(2):
                spend(ns[cpu], {e: v / SECOND for e, v in shares[cpu].items()})
                raw += round(1e6 * (10 + 15 * sum(shares[cpu].values()) / SECOND + rnd.gauss(0, 0.1)))
        at = tick(t, i, ns)
        if energy:
            t.add(ENERGY, {1: [at], 2: [raw % (WRAP + 1)]})
        did = [d for d in did if any(d[1:])]
        if did:
            stats = {1: [d[0] for d in did], 2: [10 + d[0] for d in did], 3: [d[1] for d in did], 5: [d[2] for d in did],
                     6: [0 for _ in did], 8: [d[3] for d in did], 13: [d[2] // 1000000 for d in did],
                     14: [0 for _ in did], 19: [d[2] // 1000 for d in did], 20: [0 for _ in did],
                     25: [0 for _ in did]}
            if not times:
                del stats[5], stats[6]
            t.add(PROCESS_STATS, stats)
    t.add(MARK, {1: START + 5 * SECOND, 2: "half way"})
    end(t)
    return t


def paused():
    """Makes a recording that is counted for 0.1 s, then paused for 0.4 s, repeatedly. The
    processes were on CPUs for 46 and 2 ms of each 200 ms that were counted."""
    t, objects, at = windows(), [], None
    end_fields = t.frames[1].pop()[1]
    for kind, fields in t.frames[1]:
        objects.append([kind, fields])
        if kind == TASKS:
            objects.append([PROCESSES, {1: 1, 2: [100, 101], 3: ["web", "db"], 4: [START - 5, START - 4], 5: [1, 1], 6: [0, 0]}])
        at = fields[1] if kind == TICK else at
        if kind == EXACT_LOSS and at in (START + 100 * MS, START + 600 * MS):
            objects.append([PROCESS_STATS, {1: [1, 2], 2: [5, 5], 3: [30 * MS, 2 * MS], 5: [8 * MS, 0], 6: [4 * MS, 0],
                                            7: [2 * MS, 0], 8: [6 * MS, 0]}])
    t.frames[1] = objects
    t.end(*[end_fields[k] for k in (3, 4, 5, 6)])
    return t


EVIL = "`touch x`'\"\\@x{/:B y}<b>\n\x1b[31m\u202e=1+1"


def make(folder):
    def path(name):
        return os.path.join(folder, name + ".nct")
    trace().write(path("crowd"))
    trace(slower=2.0, batch="report", seed=2).write(path("crowd-slower"))
    trace(energy=False).write(path("crowd-noenergy"))
    trace(times=False).write(path("crowd-notimes"))
    paused().write(path("crowd-paused"))
    trace(evil=EVIL, batch=EVIL).write(path("crowd-evil"))


# ---- which rows sum to which total -----------------------------------------------------------------------------------

def near(a, b):
    return abs(a - b) <= 1e-5 * max(1, abs(b))


def check_processes(r):
    """Checks that rows and all other uses of energy sum to the package's energy, at both ends."""
    e = r["energy"]
    total = e["package_and_dram_j"]
    ends = [sum(p[k] for p in e["parts"].values() if p[k] is not None) for k in ("low_j", "high_j")]
    rows = [sum(row[k] for row in r["rows"]) for k in ("energy_low_j", "energy_high_j")]
    network = sum(row["network_percent"] + row["interrupted_percent"] for row in r["rows"])
    print("%g J; parts %s, rows %s, network %.3f %%" % (total, ends, rows, network))
    return all(near(s, total) for s in ends) and near(rows[0], e["parts"]["rows"]["low_j"]) and \
        near(rows[1], e["parts"]["rows"]["high_j"]) and abs(network - 100) < 0.01


def check_owners(r):
    """Checks that dispositions of packets sum to the RX softirq, and packets of processes to
    their disposition."""
    o = r["owners"]
    whole = sum(f["ns"] + f["dealt_ns"] for f in o["fates"])
    direct = [f for f in o["fates"] if f["fate"] == "direct"][0]
    good = near(whole, o["leaf_ns"]) and near(o["all_ns"], o["leaf_ns"])
    for of, row in (("ns", "received_ns"), ("dealt_ns", "dealt_ns"), ("packets", "packets")):
        rows = sum(x[row] for x in o["received"])
        print("%s: %g in rows, %g received by processes" % (of, rows, direct[of]))
        good = good and near(rows, direct[of])
    print("%g of %g ns" % (whole, o["leaf_ns"]))
    return good


def check_owned(r):
    """With owners, checks that rows, their received packets, and all others sum to the package's
    energy, and parts to rows, at both ends."""
    e = r["energy"]
    good = True
    for end in ("low", "high"):
        parts = {name: p[end + "_j"] for name, p in e["parts"].items()}
        good = good and near(sum(parts.values()), e["package_and_dram_j"]) and parts["received"] > 0 and parts["unowned"] > 0
        for part, key in (("rows", "energy_%s_j"), ("received", "energy_received_%s_j")):
            rows = sum(row[key % end] for row in r["rows"])
            print("%s: %s %g J in rows, %g J" % (end, part, rows, parts[part]))
            good = good and near(rows, parts[part])
    return good


def check_timeline(r):
    """Checks that the parts of each interval sum to all CPU time, and their energies to the
    interval's, at both ends."""
    pieces = {}
    for row in r["rows"]:
        pieces.setdefault(row["begin_s"], []).append(row)
    sums = [sum(x["percent"] for x in p) for p in pieces.values()]
    ends = [[sum(x[k] for x in p) for k in ("energy_low_j", "energy_high_j")] for p in pieces.values()]
    order = all(x["energy_low_j"] <= x["energy_high_j"] + 1e-6 for x in r["rows"] if x["kind"] != "idle")
    print("%d pieces, %.4f to %.4f %%; J: %s" % (len(pieces), min(sums), max(sums), ends))
    return len(pieces) > 1 and all(abs(s - 100) < 0.01 for s in sums) and all(near(*e) for e in ends) and order and \
        sum(e[0] for e in ends) > 100


def check_diff(r):
    """Checks that rows and the remainder sum to the total."""
    good = True
    for by in ("name", "cgroup", "user"):
        rows = [x for x in r["processes"] if x["by"] == by]
        if by == "user" and not rows:
            continue  # users were not recorded
        for side in ("before", "after"):
            parts = sum(x[side]["on_cpu"] for x in rows if x["kind"] != "sum")
            all_of_it = [x[side]["on_cpu"] for x in rows if x["kind"] == "sum"]
            print(by, side, parts, all_of_it)
            good = good and len(all_of_it) == 1 and near(parts, all_of_it[0])
            if rows[0][side]["received"] is not None:
                parts = sum(x[side]["received"] for x in rows if x["kind"] != "sum")
                good = good and near(parts, [x[side]["received"] for x in rows if x["kind"] == "sum"][0])
                direct = sum(f[side] for f in r["fates"] if f["fate"] == "direct")
                print(by, side, "received", parts, direct)
                good = good and near(parts, direct)
    return good


def check_power(r, summary):
    """Checks that the distributed shares sum to the network's estimate, at both ends."""
    e, row = summary["energy"], r["rows"][0]
    good = True
    for end in ("low", "high"):
        joules = row["energy_%s_j" % end] / row["on_cpu_ns"] * r["network_ns"]
        watts = joules / e["zones"][0]["told_s"]
        print("%s: %.6f W by process, %.6f W in the summary" % (end, watts, e["network_%s_w" % end]))
        good = good and near(watts, e["network_%s_w" % end])
    return good


def users(*paths):
    """Checks rows by user in a trace, in its scrubbed copy, and in a copy that keeps users."""
    def rows(path):
        with open(path, encoding="utf-8", newline="") as f:
            return [(r["user"], r["on_cpu_ns"]) for r in csv.DictReader(f) if r["kind"] == "process"]
    plain, scrubbed, kept = map(rows, paths)
    print(plain, scrubbed)
    ids = {a: b for (a, _), (b, _) in zip(plain, scrubbed)}
    return plain == kept and [t for _, t in plain] == [t for _, t in scrubbed] and ids["0"] == "0" and ids[""] == "" and \
        sorted(int(b) for b in ids.values() if b) == list(range(len(ids) - 1)) and ids["999"] != "999"


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


if __name__ == "__main__":
    if sys.argv[1] == "users":
        sys.exit(not users(*sys.argv[2:]))
    if sys.argv[1] == "check":
        sys.exit(not globals()["check_" + sys.argv[2]](*map(load, sys.argv[3:])))
