# SPDX-License-Identifier: BSD-2-Clause
"""bomb_traces.py FOLDER: makes small valid files from which a report could grow very large."""
import os
import sys

from make_traces import CLOCK, EXACT, HOST, MODULE, MS, NETDEV, NETDEV_STATS, SAMPLES, STACKS, START, SYMBOLS, TASKS, TICK, Trace

REAL = 1790000000 * 1000000000


def header(cpus):
    t = Trace(**{**HOST, "k7": max(cpus) + 1, "k8": cpus, "k22": len(cpus)})
    t.add(CLOCK, {1: START, 2: REAL, 3: START, 4: 100})
    t.frame(START, START + 1000000 * MS, [])
    return t


def ticks(t, cpus, n, between=None):
    """Makes ticks that have the exact times of idle CPUs, and no other data."""
    for i in range(n):
        at = START + i * 1000 * MS
        t.add(TICK, {1: at, 2: cpus, 3: [at] * len(cpus)})
        t.add(EXACT, {1: 0, 2: [i * 1000 * MS] * len(cpus)})
        if between:
            between(i)
    t.end(0, 0, 0, 0)


def interfaces(folder):
    """Makes 2000 interfaces that are read once, and 500 ticks."""
    t, n = header([0]), 2000
    for i in range(n):
        t.add(NETDEV, {1: i + 1, 2: "e%d" % i, 3: 1})
    ticks(t, [0], 500, lambda i: i == 1 and t.add(NETDEV_STATS, {1: list(range(1, n + 1)), **{k: [7] * n for k in range(2, 10)}}))
    t.write(os.path.join(folder, "bomb-interfaces.nct"))


def tasks(folder, n=12000):
    """Makes samples of a deep stack with code of user space in each of many processes."""
    t = header([0])
    t.add(MODULE, {1: 1, 3: "ab", 4: "x"})
    t.add(SYMBOLS, {1: 1, 2: ["", "f"], 3: [1, 0], 4: [0, 0]})
    t.add(STACKS, {1: 1, 2: [1] * 127, 3: [1] + [2] * 126})
    t.add(TASKS, {1: 1, 2: list(range(n)), 3: list(range(n)), 4: ["t%d" % i for i in range(n)]})
    t.add(SAMPLES, {1: 0, 2: START, 3: 1000, 4: 0, 5: [0] * n, 6: [127] * n, 7: list(range(1, n + 1))})
    t.end(n, 2, 127, n)
    t.write(os.path.join(folder, "bomb-tasks.nct"))


if __name__ == "__main__":
    interfaces(sys.argv[1])
    tasks(sys.argv[1])
