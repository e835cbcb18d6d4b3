#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes recordings of a fleet with known truth, and checks its databases.

fleet_traces.py traces FOLDER                        makes 200 recordings: 40 hosts, each with 5 recordings
fleet_traces.py check QUESTION < ANSWER              compares an answer with the known one to that question of
                                                     examples/fleet
fleet_traces.py same REPORT TRACE < ROWS             checks that the database's rows of a trace agree with the reports
fleet_traces.py rows FOLDER                          checks that the files of tables are valid and have the
                                                     recordings' keys"""
import json
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import datetime, timedelta

from make_traces import (CGROUPS, CLOCK, CONTEXT, DROP_REASONS, DROPS, EXACT, HOST, LATENCY, MARK, MS, NETDEV,
                         NETDEV_STATS, OF_EVENT, OF_LATENCY, PROBE, PROCESSES, PROCESS_STATS, SAMPLE_LOSS, SAMPLES, SOURCE, STACKS, START, SYMBOLS,
                         TICK, Trace, bucket)

HOSTS, RECORDINGS, KIND_A = 40, 5, 24
BEGAN = 1790000000  # start of the fleet's first recording, s
KERNELS = ("6.1.0-test", "6.12.0-test")
MODELS = ("Test CPU A", "Test CPU B")
HZ, SECOND = 100, 1000 * MS
IDLE, TASK, SEND, RX = 0, 1, 3, 6
FUNCTIONS = ["cpu_startup_entry", "do_idle", "entry_SYSCALL_64", "__x64_sys_sendto", "udp_sendmsg", "csum_partial_copy",
             "net_rx_action", "nic_poll"]
# number of the caller's stack, function
TREE = [(0, 1), (1, 2), (0, 3), (3, 4), (4, 5), (5, 6), (2, 7), (7, 8)]
IDLE_STACK, SEND_STACK, COPY_STACK, POLL_STACK = 2, 5, 6, 8


class Recording:
    """Recording k of host h, with all its known values."""

    def __init__(self, h, k):
        self.h, self.k, self.host = h, k, "host-%02d" % h
        self.kind = int(h >= KIND_A)
        self.cpus = (4, 2)[self.kind]
        self.kernel = h % 2
        self.settings = {("net.core", "busy_poll"): "50" if h % 4 < 2 else "0", ("interface eth0", "mtu"): "1500",
                         ("interface eth0", "generic-receive-offload"): "on" if h % 3 else "off"}
        self.packets = 10000 + 100 * h + 1000 * k
        self.bytes = self.packets * (800 + 10 * (h % 7))
        ns = 2000 + h * 37 % 11 * 4 + 3 * k + 300 * self.kernel - 400 * (h % 4 < 2)
        if self.rolled_out():
            ns = ns * 9 // 10
        if h in (7, 30):
            ns *= 3
        self.measured = (h, k) != (38, 1)
        # The numbers on each CPU are even, so that halves are whole numbers.
        whole = self.packets * ns
        weights = [28] + [2] * (self.cpus - 1) if h % 10 == 9 else [1] * self.cpus
        self.cpu_ns = [whole * w // sum(weights) // 20 * 20 for w in weights]
        self.ns = sum(self.cpu_ns) if self.measured else None
        self.start = BEGAN + 3600 * k + h
        self.ended = (h, k) not in ((5, 4), (20, 0))
        self.lost = 30 if (h, k) == (11, 2) else 0
        self.counts = {0: 20, IDLE_STACK: 100, SEND_STACK: 6 + h % 3, COPY_STACK: (4, 9)[self.kernel], POLL_STACK: 5}
        if not self.measured:
            self.counts = {}
        self.latency = {10000: 90 + h, 100000: 8, 5000000: 1 + 50 * (h == 12)} if h % 2 == 0 else {}
        self.drops = {"NETFILTER_DROP": 100 + h if h % 5 == 0 else 0, **({"SOCKET_RCVBUFF": 7} if h % 10 == 3 else {})}
        if h == 39:
            self.drops = None

    def rolled_out(self):
        return self.kind == 0 and self.k > 2

    def samples(self):
        return self.cpus * sum(self.counts.values())

    def time(self):
        return (datetime(1970, 1, 1) + timedelta(seconds=self.start)).strftime("%Y-%m-%d %H:%M:%S")

    def trace(self):
        cpus = range(self.cpus)
        t = Trace(**{**HOST, "k5": KERNELS[self.kernel], "k7": self.cpus, "k9": MODELS[self.kind]}, k8=list(cpus), k10=HZ if self.counts else 0, k11="perf",
                  k12="cpu-clock", k13=1000, k14="entry" if self.measured else "off", k15=100, k16=self.host, k18=START, k22=self.cpus)
        t.add(CLOCK, {1: START, 2: self.start * SECOND, 3: START + 7, 4: 120})
        for source in ("samples", "processes", "drops", "latency"):
            t.add(SOURCE, {1: source, 2: "measured", 3: "test", 4: ""})
        for event in range(8):
            t.add(PROBE, {1: OF_EVENT, 2: event, 3: "tracepoint" if self.measured else "samples", 4: ["hook"] if self.measured else [], 6: []})
        t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
        t.add(CONTEXT, {1: START, 2: [s for s, _ in self.settings], 3: [n for _, n in self.settings], 4: list(self.settings.values()),
                        5: ["" for _ in self.settings]})
        t.frame(START, START + 2 * SECOND, [0] * self.cpus)
        t.add(SYMBOLS, {1: 1, 2: FUNCTIONS, 3: [0] * len(FUNCTIONS), 4: [64 * i for i in range(len(FUNCTIONS))]})
        t.add(STACKS, {1: 1, 2: [i - up for i, (up, _) in enumerate(TREE, 1)], 3: [s for _, s in TREE]})
        t.add(CGROUPS, {1: 1, 2: ["/", "/web"]})
        t.add(PROCESSES, {1: 1, 2: [100, 101], 3: ["web", "db"], 4: [START - 5, START - 4], 5: [2, 1], 6: [0, 0]})
        if self.latency:
            t.add(PROBE, {1: OF_LATENCY, 2: 7, 3: "tracepoint", 4: ["sock_recv_length"], 5: ""})
        if self.drops is not None:
            t.add(DROP_REASONS, {1: 1, 2: list(self.drops), 3: [0] * len(self.drops)})
        for i in range(3):
            self.tick(t, i)
        for cpu in cpus if self.counts else ():
            self.add_samples(t, cpu)
        if self.kind == 0 and self.k == 2:
            t.add(MARK, {1: START + 1500 * MS, 2: "rollout 42"})
        if self.ended:
            t.end(self.samples(), len(FUNCTIONS), len(TREE), 0)
            t.frames[-1][-1][1][7] = START + 2 * SECOND
        return t

    def tick(self, t, i):
        """Adds the tick that ends half i of the recording: 0, 1 or 2."""
        cpus, at = range(self.cpus), START + i * SECOND
        t.add(TICK, {1: at, 2: list(cpus), 3: [at if self.measured else None for _ in cpus]})
        send, rx = [ns * 2 // 5 * i // 2 for ns in self.cpu_ns], [ns * 3 // 5 * i // 2 for ns in self.cpu_ns]
        task = [100 * MS * i for _ in cpus]
        idle = [i * SECOND - send[c] - rx[c] - task[c] for c in cpus]
        for event in range(8) if self.measured else ():
            t.add(EXACT, {1: event, 2: {IDLE: idle, TASK: task, SEND: send, RX: rx}.get(event, [0 for _ in cpus]),
                          3: [i for _ in cpus], 4: [0 for _ in cpus], 5: [0 for _ in cpus]})
        if self.counts:
            t.add(SAMPLE_LOSS, {1: [sum(self.counts.values()) * i // 2 for _ in cpus], 2: [self.lost * i // 2 if not c else 0 for c in cpus],
                                3: [0 for _ in cpus]})
        packets, size = self.packets // 2 * i // 2, self.bytes // 2 * i // 2
        t.add(NETDEV_STATS, {1: [1], 2: [packets], 3: [size], 4: [0], 5: [0], 6: [self.packets * i // 2 - packets],
                             7: [self.bytes * i // 2 - size], 8: [0], 9: [0]})
        if self.drops is not None:
            t.add(DROPS, {1: [7 + n * i // 2 for n in self.drops.values()]})
        if self.latency and i == 2:
            t.add(LATENCY, {1: 7, 2: 0, 3: sum(ns * n for ns, n in self.latency.items()), 4: min(self.latency), 5: max(self.latency),
                            6: [bucket(ns) for ns in self.latency], 7: list(self.latency.values()), 8: 0, 9: 0, 10: 0, 11: 0})
        if i and self.measured:
            t.add(PROCESS_STATS, {1: [1, 2], 2: [5, 5], 3: [30 * MS, 2 * MS], 5: self.sends(i), 6: [0, 0], 8: [0, 0]})

    def sends(self, i):
        """Returns the times of web and db in half i. CPU 0 has the times of web."""
        half = [(ns * 2 // 5 * i // 2) - (ns * 2 // 5 * (i - 1) // 2) for ns in self.cpu_ns]
        return [half[0], sum(half[1:])]

    def add_samples(self, t, cpu):
        stacks = [s for s, n in self.counts.items() for _ in range(n)]
        t.add(SAMPLES, {1: cpu, 2: START, 3: 1000, 4: 10000, 5: [0] * len(stacks), 6: stacks, 7: [0] * len(stacks)})


def fleet():
    return [Recording(h, k) for h in range(HOSTS) for k in range(RECORDINGS)]


def make(folder):
    os.makedirs(folder, exist_ok=True)
    for r in fleet():
        r.trace().write(os.path.join(folder, "%s-%d.nct" % (r.host, r.k)))


# ---- the truth
# -----------------------------------------------------------------------------------------------------------

def costs(recordings):
    """Returns the sums of ns and packets over the recordings that measured both."""
    known = [r for r in recordings if r.measured]
    return sum(r.ns for r in known), sum(r.packets for r in known)


def by(key):
    groups = defaultdict(list)
    for r in fleet():
        if r.measured:
            groups[key(r)].append(r)
    return groups


def kernels():
    rows = [{"kernel": KERNELS[k], "hosts": len({r.h for r in rs}), "ms_per_gb": sum(r.ns for r in rs) / 1e6 / (sum(r.bytes for r in rs) / 1e9)}
            for k, rs in by(lambda r: r.kernel).items()]
    return sorted(rows, key=lambda row: row["ms_per_gb"])


def settings():
    rows, spread = [], {}
    for subject, name in Recording(0, 0).settings:
        values = by(lambda r: r.settings[subject, name])
        if len(values) < 2:
            continue
        ns = {value: costs(rs)[0] / costs(rs)[1] for value, rs in values.items()}
        spread[subject, name] = max(ns.values()) / min(ns.values())
        rows += [{"subject": subject, "name": name, "value": v, "hosts": len({r.h for r in values[v]}), "ns_per_packet": ns[v],
                  "times": ns[v] / min(ns.values())} for v in ns]
    return sorted(rows, key=lambda r: (-spread[r["subject"], r["name"]], r["subject"], r["name"], r["ns_per_packet"]))


def outliers():
    rows = []
    hosts = {h: costs(rs)[0] / costs(rs)[1] for h, rs in by(lambda r: r.h).items()}
    for h, x in hosts.items():
        others = [v for other, v in hosts.items() if other != h and (other >= KIND_A) == (h >= KIND_A)]
        mean = sum(others) / len(others)
        sigma = math.sqrt(sum((v - mean) ** 2 for v in others) / (len(others) - 1))
        if abs(x - mean) > 3 * sigma:
            r = Recording(h, 0)
            rows.append({"host": r.host, "kind": "%s, %d CPUs" % (MODELS[r.kind], r.cpus), "ns_per_packet": x, "sigmas": (x - mean) / sigma})
    assert [row["host"] for row in rows] == ["host-07", "host-30"]
    return rows


def rollout():
    changes = []
    for h, rs in by(lambda r: r.h).items():
        if h < KIND_A:
            before, after = [costs([r for r in rs if r.rolled_out() == side]) for side in (False, True)]
            changes.append(100 * (after[0] / after[1] / (before[0] / before[1]) - 1))
    mean = sum(changes) / len(changes)
    sd = math.sqrt(sum((c - mean) ** 2 for c in changes) / (len(changes) - 1))
    return [{"hosts": len(changes), "percent": mean, "ci95_percent": 1.96 * sd / math.sqrt(len(changes))}]


def upper(b):
    b += 1
    s = max(b // 32 - 1, 0) if b >= 64 else 0
    return (b - 32 * s) << s


def latency():
    counts = Counter()
    for r in fleet():
        for ns, n in r.latency.items():
            counts[upper(bucket(ns))] += n
    whole, up_to = sum(counts.values()), 0
    for ns in sorted(counts):
        up_to += counts[ns]
        if up_to >= 0.99 * whole:
            return [{"hook": "udp-socket-read", "packets": whole, "p99_ns": ns}]


def functions():
    ms, gb = defaultdict(Counter), Counter()
    for r in fleet():
        if not r.measured:
            continue
        gb[r.kernel] += r.bytes / 1e9
        for stack, n in r.counts.items():
            if stack != IDLE_STACK:
                ms[FUNCTIONS[TREE[stack - 1][1] - 1] if stack else "[user]"][r.kernel] += 1000 * n * r.cpus / HZ
    for name in ("entry_SYSCALL_64", "__x64_sys_sendto", "net_rx_action"):
        ms[name]  # never the innermost function
    rows = [{"function": name, "module": "", "before_ms_per_gb": ms[name][0] / gb[0], "after_ms_per_gb": ms[name][1] / gb[1]} for name in ms]
    rows.sort(key=lambda r: (r["before_ms_per_gb"] - r["after_ms_per_gb"], r["function"]))
    assert rows[0]["function"] == "csum_partial_copy"
    return rows


def processes():
    ns, hosts = Counter(), defaultdict(set)
    for r in fleet():
        for i in (1, 2) if r.measured else ():
            for name, n in zip(("web", "db"), r.sends(i)):
                ns[name] += n
                hosts[name].add(r.h)
    return [{"name": name, "hosts": len(hosts[name]), "network_ms": n / 1e6, "percent": 100 * n / sum(ns.values())} for name, n in ns.most_common()]


def drops():
    packets, hosts = Counter(), defaultdict(set)
    for r in fleet():
        for reason, n in (r.drops or {}).items():
            packets[reason] += n
            hosts[reason] |= {r.h} if n else set()
    received = sum(r.packets for r in fleet() if r.drops is not None)
    return [{"reason": reason, "hosts": len(hosts[reason]), "packets": n, "per_million": 1e6 * n / received} for reason, n in packets.most_common()]


def losses():
    return [{"host": r.host, "start": r.time(), "ended": int(r.ended), "lost": r.lost / (r.samples() + r.lost)}
            for r in fleet() if not r.ended or r.lost > 0.01 * (r.samples() + r.lost)]


def cpus():
    rows = []
    for h, rs in by(lambda r: r.h).items():
        ns = [sum(r.cpu_ns[c] for r in rs) for c in range(rs[0].cpus)]
        if max(ns) > 0.75 * sum(ns):
            rows.append({"host": rs[0].host, "cpus": len(ns), "busiest": ns.index(max(ns)), "share": max(ns) / sum(ns)})
    return rows


QUESTIONS = [kernels, settings, outliers, rollout, latency, functions, processes, drops, losses, cpus]


# ---- reports -------------------------------------------------------------------------------------------------------------

def alike(a, b):
    """Compares two values. Databases print integers of 64 bits as text, and times with or
    without fractions."""
    if isinstance(a, str):
        return a == str(b)[:len(a)] if a[:2] == "20" else a == b
    return b is not None and abs(a - float(b)) <= 1e-8 * max(1, abs(a))


def check(question):
    text = sys.stdin.read()
    said = json.loads(text)["rows"] if text.startswith('{\n') else [json.loads(line) for line in text.splitlines()]
    wanted = QUESTIONS[int(question) - 1]()
    good = len(wanted) == len(said) and wanted and all(set(w) == set(s) and all(alike(w[k], s[k]) for k in w) for w, s in zip(wanted, said))
    if not good:
        print("wanted:", *wanted, "said:", *said, sep="\n  ")
    return good


def report(program, *arguments):
    return json.loads(subprocess.run([program, *arguments, "--format=json"], check=True, stdout=subprocess.PIPE).stdout)


def near(a, b, least=1):
    return (a is None) == (b is None) and (a is None or abs(float(a) - float(b)) <= max(least, 1e-9 * abs(float(a))))


def same(program, trace):
    """Compares rows {"what": recording, function, interface or intervals, ...}, as the examples
    of a database select them."""
    rows = defaultdict(list)
    for line in sys.stdin:
        row = json.loads(line)
        rows[row.pop("what")].append(row)
    summary, wrong = report(program, "summary", trace), []

    def compare(name, a, b, least=1):
        if not near(a, b, least):
            wrong.append((name, a, b))
    tree = {node["key"]: node["ns"] for node in summary["cpu_time"]["tree"]}
    error = {node["key"]: node["ci95_ns"] for node in summary["cpu_time"]["tree"]}
    leaves = [key[:-3] for key in rows["recording"][0] if key.endswith("_ns")]
    assert len(leaves) > 12 and tree["sock_send"] > 0
    for leaf in leaves:
        if leaf in tree:
            compare(leaf, tree[leaf], rows["recording"][0][leaf + "_ns"])
    # The times are exact, so the intervals sum to the whole, except for the recorder's own part
    # where it is estimated from samples.
    for leaf in ("idle", "sock_send", "sock_recv", "rx_softirq", "tx_softirq"):
        compare("pieces of " + leaf, tree[leaf], rows["pieces"][0][leaf + "_ns"], max(64, error[leaf]))
    functions = {(r["function"], r["module"] or ""): (r["self"]["samples"], r["inclusive"]["samples"])
                 for r in report(program, "top", "--of=all", "-n", "100000", trace)["functions"]}
    said = {(r["function"], r["module"]): (int(r["self_samples"]), int(r["inclusive_samples"])) for r in rows["function"]}
    if len(functions) < 10 or functions != said:
        wrong.append(("functions", set(functions.items()) ^ set(said.items())))
    ours = {(r["name"], r["netns"], r["direction"]): r for r in summary["interfaces"]}
    for row in rows["interface"]:
        for direction in ("rx", "tx"):
            r = ours.pop((row["interface"], int(row["netns"]), direction), None)
            for of, rate, times in (("packets", "packets_per_s", 1), ("bytes", "bits_per_s", 8)) if r else ():
                compare(of, r[of], row["%s_%s" % (direction, of)], 0)
                compare(rate, r[rate], times * float(row["%s_%s" % (direction, of)]) / float(row["seconds"]), 0.6)
    assert not ours and rows["interface"]
    for w in wrong:
        print(w)
    return not wrong


def rows(folder):
    """Checks that each row of each table belongs to a recording, that names have no control
    characters, and that values that were not measured are not 0."""
    ids, names = set(), sorted(os.listdir(folder))
    tables = {}
    for name in names:
        text = open(os.path.join(folder, name), encoding="utf-8").read()
        assert not any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 for c in text), name
        assert "\\u00" not in text, name
        tables[name] = [json.loads(line, parse_constant=lambda c: 1 / 0) for line in text.splitlines()]
        assert len({tuple(row) for row in tables[name]}) <= 1, "%s: rows have the same columns" % name
    assert len(names) == 14, names
    ids = Counter((r["recording"], r["host"], r["start"]) for r in tables["recordings.ndjson"])
    assert ids and max(ids.values()) == 1
    for name, table in tables.items():
        assert {(r["recording"], r["host"], r["start"]) for r in table} <= set(ids), name
    print(*("%s: %d" % (name, len(table)) for name, table in tables.items()))
    return True


if __name__ == "__main__":
    commands = {"traces": make, "check": check, "same": same, "rows": rows}
    sys.exit(commands[sys.argv[1]](*sys.argv[2:]) is False)
