# SPDX-License-Identifier: BSD-2-Clause
"""Makes traces of packet latency by interface, cgroup and process. These appear and disappear."""
import collections
import os

from make_traces import CLOCK, HOST, HOSTILE, LATENCY, LATENCY_BY, MS, OF_LATENCY, PROBE, SOURCE, START, TICK, Trace, histogram

TICKS = 8  # number of ticks of 125 ms
RECEIVE, UDP_READ = 0, 7
KEYS = 6  # number of keys; their names differ
EARLY, LATE, REST = 1, 4, 5
# Two interfaces with the same name have two rows.
WHO = [[{7: "eth0", 8: 4026531840, 9: 2}, {7: "eth0", 8: 4026532009, 9: 2}, {7: HOSTILE, 8: 4026531840, 9: 3}],
       [{10: "/web.slice", 11: 77}, {10: "", 11: 78}, {10: "/" + HOSTILE, 11: 79}],
       [{12: "nginx", 13: 1200, 14: START - 5 * MS}, {12: "nginx", 13: 1201, 14: START - 4 * MS}, {12: HOSTILE, 13: 1202, 14: START},
        {12: "a", 13: 7, 14: 1}, {12: "late", 13: 8, 14: START + 600 * MS}]]
# key of a packet by interface, cgroup and process
OF = [lambda key: key % 3, lambda key: key // 2, lambda key: key]


def packets(tick, hook):
    """Returns ns and key of each packet."""
    found = []
    for key in range(KEYS):
        if (key == EARLY and tick > 3) or (key == LATE and tick < 5):
            continue
        found += [(1000 * (1 + hook) * (1 + key) + 130 * tick, key)] * ((tick * 7 + key * 3) % 5)
    return found


def whose(by, hook, key):
    if by == 2 and hook == RECEIVE:
        return 1, {}
    return (2, {}) if key == REST else (0, WHO[by][OF[by](key)])


def columns(times):
    counts = histogram(collections.Counter(times))
    return list(counts), list(counts.values())


def tick(t, i, hook):
    found = packets(i, hook)
    for cpu in (0, 1):
        times = [ns for n, (ns, _) in enumerate(found) if n % 2 == cpu]
        bucket, count = columns(times)
        if times:
            t.add(LATENCY, {1: hook, 2: cpu, 3: sum(times), 4: min(times), 5: max(times), 6: bucket, 7: count})
    for by in range(3):
        apart = collections.defaultdict(list)
        for ns, key in found:
            which, names = whose(by, hook, key)
            apart[which, tuple(names.items())].append(ns)
        for (which, names), times in apart.items():
            bucket, count = columns(times)
            t.add(LATENCY_BY, {1: hook, 2: by, 3: which, 4: sum(times), 5: bucket, 6: count, **dict(names)})


def trace():
    t = Trace(k8=[0, 1], **HOST, k10=0, k13=125, k14="off", k18=START)
    t.add(CLOCK, {1: START, 2: 1790000000 * 1000 * MS, 3: START + 7, 4: 120})
    t.add(SOURCE, {1: "latency", 2: "measured", 3: "tracepoints of packets", 4: ""})
    for hook, name in ((RECEIVE, "netif_receive_skb"), (UDP_READ, "sock_recv_length")):
        t.add(PROBE, {1: OF_LATENCY, 2: hook, 3: "tracepoint", 4: [name], 5: ""})
    t.frame(START, START + 1000 * MS + 9, [0, 0])
    for i in range(TICKS + 1):
        at = START + i * 1000 * MS // TICKS
        t.add(TICK, {1: at, 2: [0, 1], 3: [None, None]})
        for hook in (RECEIVE, UDP_READ) if i else ():
            tick(t, i, hook)
    t.end(0, 0, 0, 0)
    return t


def make(folder):
    trace().write(os.path.join(folder, "latency-keys.nct"))
    t = trace()
    frame = next(f for f in t.frames if any(o[0] == LATENCY_BY for o in f))
    frame.remove(next(o for o in frame if o[0] == LATENCY_BY and o[1][1] == UDP_READ and o[1][2] == 2))
    t.write(os.path.join(folder, "latency-keys-less.nct"))
