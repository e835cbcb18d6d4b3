# SPDX-License-Identifier: BSD-2-Clause
"""diff_traces.py check REPORT PAIRS: makes pairs of recordings with known truth for `diff`. Each
stack has a share of CPU time, which varies from tick to tick as `burst` defines. Exact
counters have these times, and samples are drawn from them. The truth does not depend on
sampling rate, duration and number of CPUs."""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

from make_traces import (EXACT, HOST, LATENCY, MS, NETDEV, NETDEV_STATS, PROBE, SAMPLE_LOSS, SAMPLES, START, TICK,
                         Trace, definitions, histogram)
from make_traces import DRIVER, DROPPED, ENTRY, FREED, QUEUED, READ, RECEIVE, SOCKET, stages_record, way
from nct import EXACT_PART, OF_EVENT, OF_LATENCY, OF_PART, OF_STAGE

TICK_MS = 100
# stack: share of CPU time, exact event. 9 is net_rx_action in a send, and nic_poll.
LOAD = {3: (0.30, 0), 0: (0.20, 1), 6: (0.18, 3), 7: (0.08, 4), 9: (0.10, 6), 12: (0.02, 5), 13: (0.01, 1),
        14: (0.08, 1), 16: (0.03, 1)}
SLOW = 9
RX_SOFTIRQ = 6


def vary(rnd, share, burst):
    return share * rnd.gammavariate(1 / burst ** 2, burst ** 2) if burst else share


def shares(rnd, burst, slower):
    """Returns the times of a tick. The idle task has the time that is left."""
    out = {s: vary(rnd, share, burst) for s, (share, _) in LOAD.items() if s != 3}
    out[SLOW] *= 1 + slower
    busy = sum(out.values())
    if busy > 0.98:
        out = {s: v * 0.98 / busy for s, v in out.items()}
    out[3] = 1 - sum(out.values())
    return out


def recording(seed, hz=1000, seconds=10, cpus=1, burst=0.1, slower=0.0, exact=True, parts=False, packets=1500,
              kernel="6.1.0-test", event="cpu-clock", more=(), latency_us=None, stages_us=None, dropped=0.02):
    rnd, waits = random.Random(seed), random.Random(seed)
    host = {k: v for k, v in HOST.items() if k != "k5"}
    t = Trace(k5=kernel, k8=list(range(cpus)), **host, k10=hz, k11="perf", k12=event, k13=TICK_MS,
              k14="full" if parts else "entry" if exact else "off", k15=100, k18=START)
    for e in range(8):
        t.add(PROBE, {1: OF_EVENT, 2: e, 3: "tracepoint" if exact else "samples", 4: ["hook"] if exact else [], 6: []})
    if parts:
        t.add(PROBE, {1: OF_PART, 2: 0, 3: "kprobe", 4: ["napi_poll"], 5: ""})
    t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
    t.frame(START, START + int(seconds * 1000) * MS, [0] * cpus)
    definitions(t)
    for kind, fields in more:
        t.add(kind, fields)
    if latency_us:
        t.add(PROBE, {1: OF_LATENCY, 2: 7, 3: "tracepoint", 4: ["sock_recv_length"], 5: ""})
        t.add(PROBE, {1: OF_LATENCY, 2: 0, 3: "tracepoint", 4: ["netif_receive_skb"], 5: ""})
    if stages_us:
        t.add(PROBE, {1: OF_STAGE, 2: SOCKET, 3: "tracepoint", 4: ["sk_data_ready"], 5: ""})
    ns, written, n_packets, total = [[0] * 8 for _ in range(cpus)], [0] * cpus, 0, 0
    for i in range(int(seconds * 1000 / TICK_MS) + 1):
        at = START + i * TICK_MS * MS
        for c in range(cpus) if i else ():
            part = shares(rnd, burst, slower)
            for s, share in part.items():
                ns[c][LOAD[s][1]] += int(share * TICK_MS * MS)
            n_packets += packets * TICK_MS // 1000
            drawn = [s for s in rnd.choices(list(part), list(part.values()), k=hz * TICK_MS // 1000)]
            written[c] += len(drawn)
            total += len(drawn)
            step = TICK_MS * MS // len(drawn) // 1000
            t.add(SAMPLES, {1: c, 2: at - TICK_MS * MS, 3: 1000, 4: step, 5: [0] * len(drawn), 6: drawn, 7: [2] * len(drawn)})
        t.add(TICK, {1: at, 2: list(range(cpus)), 3: [at] * cpus if exact else [None] * cpus})
        if exact:
            for e in range(8):
                t.add(EXACT, {1: e, 2: [ns[c][e] for c in range(cpus)]})
            if parts:
                t.add(EXACT_PART, {1: 0, 2: [v[RX_SOFTIRQ] // 2 for v in ns], 3: [v[RX_SOFTIRQ] // 2 for v in ns], 4: [i] * cpus})
        if latency_us and i:  # receive stages are the same in every case
            for hook, us in ((0, 2), (7, latency_us)):
                times = [int(1000 * (1 + waits.expovariate(1 / us))) for _ in range(500)]
                counts = histogram(collections.Counter(times))
                t.add(LATENCY, {1: hook, 2: 0, 3: sum(times), 4: min(times), 5: max(times), 6: list(counts), 7: list(counts.values())})
        if stages_us and i:
            t.add(*packets_ways(waits, at - TICK_MS * MS, i, stages_us, dropped))
        t.add(SAMPLE_LOSS, {1: list(written), 2: [0] * cpus, 3: [0] * cpus})
        t.add(NETDEV_STATS, {1: [1], 2: [n_packets], **{k: [0] for k in range(3, 10)}})
    t.end(total, 15, 16, 3)
    return t


def packets_ways(rnd, begin, tick, us, dropped):
    """Returns the packets of a tick: 200 for a socket, some of which are dropped, and 50 that
    are sent and never change."""
    def us_of(mean):
        return 0.1 + rnd.expovariate(1 / mean)

    events = []
    for i in range(250):
        number, at = 2 * (1000 * tick + i), begin + rnd.randrange(80 * MS)
        if i >= 200:
            events += way(number, at, [(QUEUED, 0), (DRIVER, us_of(1)), (FREED, us_of(5))])
        elif rnd.random() < dropped:
            events += way(number, at, [(ENTRY, 0), (RECEIVE, us_of(1)), (DROPPED, us_of(1))], 1)
        else:
            events += way(number, at, [(ENTRY, 0), (RECEIVE, us_of(1)), (SOCKET, us_of(2)), (READ, us_of(us))])
    return stages_record(events, {12: 1, 13: 250})


def make(folder):
    def write(name, *args, **kw):
        recording(*args, **kw).write(os.path.join(folder, name + ".nct"))

    write("steady", 1)
    write("steady-too", 2, hz=500, seconds=16, cpus=2, kernel="6.12.0-other")
    write("slower", 3, slower=0.2, parts=True)
    write("slower-parts", 4, parts=True)
    write("samples-only", 5, exact=False)
    write("cycles-only", 6, exact=False, event="cycles")
    write("short", 7, seconds=0.1)
    write("busy", 8, burst=1.0)
    write("packetless", 9, packets=0)
    write("waits", 10, latency_us=20)
    write("waits-longer", 11, latency_us=30)
    write("ways", 12, stages_us=20)
    write("ways-longer", 13, stages_us=30, dropped=0.1)


def verdicts(report, folder, *options):
    out = subprocess.run([report, "diff", "--format=json", "--rows=1000", *options, "a.nct", "b.nct"], cwd=folder, check=True,
                         stdout=subprocess.PIPE).stdout
    d = json.loads(out)
    rows = {c["key"]: c for c in d["categories"]}
    rows.update((f["function"] + k, f[k]) for f in d["functions"] for k in ("self", "inclusive"))
    return rows


def try_pairs(report, pairs, per, a, b):
    """Returns the number of pairs with any change, and the changes of the RX softirq and of net_rx_action in
    percent."""
    any_changed, found, changes = 0, [0, 0], []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(pairs):
            recording(2 * i, **a).write(os.path.join(folder, "a.nct"))
            recording(2 * i + 1, **b).write(os.path.join(folder, "b.nct"))
            rows = verdicts(report, folder, "--per=" + per)
            any_changed += any(c["verdict"] in ("more", "less") for c in rows.values())
            for k, name in enumerate(("rx_softirq", "net_rx_actioninclusive")):
                found[k] += rows[name]["verdict"] == "more"
            changes.append(rows["rx_softirq"]["change_percent"])
    return any_changed, found, sum(changes) / len(changes)


def check(report, pairs):
    """Compares pairs with different sampling rates, durations and numbers of CPUs, with a
    constant load and with a bursty load."""
    report, pairs, wrong = os.path.abspath(report), int(pairs), False
    other = dict(hz=250, seconds=8, cpus=2)
    for per, burst in (("cpu", 0.02), ("cpu", 1.0), ("packet", 0.02)):
        n, _, change = try_pairs(report, pairs, per, dict(seconds=5, burst=burst), dict(burst=burst, **other))
        print("burst %.2f, per %s: a change in %d of %d pairs without one; RX softirq %+.2f %%"
              % (burst, per, n, pairs, change))
        wrong |= n > max(1, pairs * 5 // 100)
    for seconds in (2, 5, 10, 30):
        _, (exact, sampled), change = try_pairs(report, max(pairs // 5, 5), "cpu", dict(burst=0.1, seconds=seconds),
                                                dict(burst=0.1, seconds=seconds, slower=0.1))
        print("10 %% slower, %2d s each: exact %d, by samples %d of %d; RX softirq %+.2f %%"
              % (seconds, exact, sampled, max(pairs // 5, 5), change))
    return 1 if wrong or exact < max(pairs // 5, 5) else 0


if __name__ == "__main__":
    sys.exit(check(*sys.argv[2:]))
