# SPDX-License-Identifier: BSD-2-Clause
"""rotated_traces.py FOLDER: makes one recording as a single file and as files of --rotate.
whole.nct is the single file; rot-1.nct to rot-4.nct each define their own ids, in another
order. Each sample is in the file of the tick after it."""
import os
import sys

from make_traces import (CGROUPS, CLOCK, DROP_REASONS, DROPS, EXACT, EXACT_LOSS, HOST, MODULE, MS, NETDEV, NETDEV_STATS, OF_EVENT, PROBE, PROCESSES,
                         PROCESS_STATS, PROCSTAT, SAMPLE_LOSS, SAMPLES, SELF, SOFTNET, SOURCE, STACKS, START, SYMBOLS, TASKS, TICK,
                         WITH_SAMPLES, Trace)

REAL = 1790000000 * 1000000000
CPUS = [0, 1]
STEP = 100 * MS
TICKS = 13
NETDEVS = ["eth0", "lo", "veth9"]
SYMBOL = [("do_idle", 0), ("udp_sendmsg", 0), ("nic_poll", 1), ("net_rx_action", 0), ("vfs_read", 0)]
STACK = [[0], [1], [3, 2], [3], [4, 1]]  # symbols of each stack, the outermost first
TASK = [(0, 0, "swapper"), (100, 100, "curl"), (101, 101, "nginx"), (102, 102, "nginx")]
PROCESS = [(0, "swapper", 0), (100, "curl", 1), (101, "nginx", 1), (102, "nginx", 2)]
CGROUP = ["/", "/web.slice"]
REASONS = [("NO_SOCKET", 0), ("NO_SOCKET", 1), ("SOCKET_RCVBUFF", 0)]


def samples_at(i):
    """Returns (CPU, time, stack, task) between tick i - 1 and tick i."""
    return [(cpu, START + (i - 1) * STEP + (k + 1) * 10 * MS, (i + k + cpu) % len(STACK), (i * 3 + k) % len(TASK))
            for cpu in CPUS for k in range(8)]


def order_of(n, turn):
    """Returns the numbers below n in an order that differs for each file except the first."""
    if turn < 2:
        return list(range(n))
    return sorted(range(n), key=lambda x: (x * 7 + turn * 5) % (n + 3 if n % 5 else n + 2))


class File:
    """Makes a file from tick `first` to tick `last`. turn: the order of its definitions; some:
    only definitions that exist by then."""

    def __init__(self, first, last, turn, end):
        self.first, self.turn = first, turn
        self.t = t = Trace(**{**HOST, **WITH_SAMPLES, "k7": 2, "k8": CPUS, "k10": 100, "k13": 100, "k14": "entry", "k15": 100,
                              "k18": START + first * STEP - MS, "k22": 2})
        t.add(CLOCK, {1: START + first * STEP - MS, 2: REAL + first * STEP, 3: START + first * STEP - MS, 4: 100})
        t.add(SOURCE, {1: "softnet", 2: "measured", 3: "/proc/net/softnet_stat"})
        for event in range(12):
            t.add(PROBE, {1: OF_EVENT, 2: event, 3: "tracepoint", 4: ["x"]})
        self.netdev = self.ids(len(NETDEVS))
        for i in self.netdev:
            t.add(NETDEV, {1: self.netdev[i], 2: NETDEVS[i], 3: 1})
        # in the single file, the last reason is defined later
        self.reason = self.ids(len(REASONS) if turn else 2)
        self.define_reasons(sorted(self.reason, key=self.reason.get), 1)
        t.frame(START + first * STEP - MS, START + last * STEP + MS, [0, 0])
        self.tick(first)
        t.add(MODULE, {1: 1, 2: "nic"})
        symbol = self.ids(len(SYMBOL))
        by = sorted(symbol, key=symbol.get)
        t.add(SYMBOLS, {1: 1, 2: [SYMBOL[i][0] for i in by], 3: [SYMBOL[i][1] for i in by], 4: [16 * i for i in by]})
        self.stacks(symbol)
        self.task = self.ids(len(TASK))
        by = sorted(self.task, key=self.task.get)
        t.add(TASKS, {1: 1, 2: [TASK[i][0] for i in by], 3: [TASK[i][1] for i in by], 4: [TASK[i][2] for i in by]})
        cgroup = self.ids(len(CGROUP))
        t.add(CGROUPS, {1: 1, 2: [CGROUP[i] for i in sorted(cgroup, key=cgroup.get)]})
        self.process = self.ids(len(PROCESS))
        by = sorted(self.process, key=self.process.get)
        t.add(PROCESSES, {1: 1, 2: [PROCESS[i][0] for i in by], 3: [PROCESS[i][1] for i in by], 4: [5 + i for i in by],
                          5: [cgroup[PROCESS[i][2] - 1] if PROCESS[i][2] else 0 for i in by], 6: [0] * len(by)})
        n = 0
        for i in range(first + 1, last + 1):
            if i == last:
                t.frame(START + (last - 1) * STEP, START + last * STEP + MS, [0, 0])
            n += self.samples(i)
            self.tick(i)
        t.end(n, len(SYMBOL), self.nstacks, len(TASK), end)

    def ids(self, n):
        return {what: at + 1 for at, what in enumerate(order_of(n, self.turn))}

    def define_reasons(self, which, first):
        self.t.add(DROP_REASONS, {1: first, 2: [REASONS[i][0] for i in which], 3: [REASONS[i][1] for i in which]})

    def stacks(self, symbol):
        """Defines a tree: each node once, and its caller before it."""
        nodes, rows, self.stack = {}, [], {}
        for i in order_of(len(STACK), self.turn):
            path = ()
            for s in STACK[i]:
                caller, path = nodes.get(path, 0), path + (s,)
                if path not in nodes:
                    nodes[path] = len(rows) + 1
                    rows.append((nodes[path] - caller, symbol[s]))
            self.stack[i] = nodes[path]
        self.nstacks = len(rows)
        self.t.add(STACKS, {1: 1, 2: [up for up, _ in rows], 3: [s for _, s in rows]})

    def samples(self, i):
        for cpu in CPUS:
            some = [s for s in samples_at(i) if s[0] == cpu]
            self.t.add(SAMPLES, {1: cpu, 2: some[0][1] - 10 * MS, 3: MS, 4: 10, 5: [0] * len(some),
                                 6: [self.stack[s[2]] for s in some], 7: [self.task[s[3]] for s in some]})
        return len(samples_at(i))

    def tick(self, i):
        t, at, since = self.t, START + i * STEP, i - self.first
        t.add(TICK, {1: at, 2: CPUS, 3: [at + cpu for cpu in CPUS]})
        for event in range(12):
            ns = STEP // 4 if event in (0, 1, 3, 5) else 0
            t.add(EXACT, {1: event, 2: [since * ns] * 2, 3: [since * (event + cpu) for cpu in CPUS]})
        t.add(EXACT_LOSS, {1: [since, 0], 6: 0, 9: [0, 0]})
        t.add(PROCSTAT, {k: [1000 + i * k, 2000 + i] for k in range(1, 11)})
        t.add(SOFTNET, {k: [(2 ** 32 - 5 + i * k) % 2 ** 32, i] for k in (1, 2, 3)})
        by = sorted(self.netdev, key=self.netdev.get)
        t.add(NETDEV_STATS, {1: [self.netdev[n] for n in by], **{k: [(n + 1) * 1000 + i * (n + k) for n in by] for k in range(2, 10)}})
        if i == 7 and len(self.reason) < len(REASONS):
            self.define_reasons([2], 3)
            self.reason[2] = 3
        base = {0: 3, 1: 2, 2: 11}
        counted = {n: base[n] * (i if n < 2 else max(i - 6, 0)) for n in self.reason}
        before = {n: base[n] * (self.first if n < 2 else max(self.first - 6, 0)) for n in self.reason}
        t.add(DROPS, {1: [counted[n] - before[n] for n in sorted(self.reason, key=self.reason.get)]})
        t.add(SAMPLE_LOSS, {1: [since * 8] * 2, 2: [0, 0], 3: [0, 0], 4: [0, 0]})
        t.add(SELF, {1: since * 100, 2: since * 200, 3: 4000, 4: 1000 + i})
        if since:
            which = [p for p in range(len(PROCESS)) if (i + p) % 3]
            t.add(PROCESS_STATS, {1: [self.process[p] for p in which], 3: [(p + 1) * MS for p in which], 13: [i + p for p in which]})


GOES_ON = "the next file continues"


def main(folder):
    File(0, TICKS, 0, "the duration was over").t.write(os.path.join(folder, "whole.nct"))
    edges = [0, 4, 7, 9, TICKS]
    for n, (first, last) in enumerate(zip(edges, edges[1:])):
        File(first, last, n + 1, GOES_ON if last < TICKS else "the duration was over").t.write(
            os.path.join(folder, "rot-%d.nct" % (n + 1)))


if __name__ == "__main__":
    main(sys.argv[1])
