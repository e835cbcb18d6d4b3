# SPDX-License-Identifier: BSD-2-Clause
"""Makes recordings of a load that varies from tick to tick. In each tick a leaf takes fixed + a
* packets + b * bytes + noise. The noise is proportional to the load, and correlated from tick
to tick."""
import os
import random

from energy_traces import IDLE, RX, SECOND, SEND, TASK, WRAP, end
from make_traces import ENERGY, ENERGY_ZONE, EXACT, HOST, NETDEV, NETDEV_STATS, OF_EVENT, PROBE, SOURCE, START, TICK, Trace

EVENTS = 8
LIKENESS = 0.3  # correlation of the noise between neighbouring ticks


def begin(cpus, ticks):
    t = Trace(k8=list(range(cpus)), **HOST, k13=1000, k14="entry", k15=100, k18=START, k22=cpus)
    t.add(SOURCE, {1: "energy", 2: "measured", 3: "/sys/class/powercap", 4: ""})
    for e in range(EVENTS):
        t.add(PROBE, {1: OF_EVENT, 2: e, 3: "tracepoint", 4: ["hook"], 6: []})
    t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
    t.add(ENERGY_ZONE, {1: 1, 2: "package-0", 3: 0, 4: 1000, 5: WRAP})
    t.frame(START, START + (ticks + 1) * SECOND, [])
    return t


class Host:
    """Returns the counters so far."""

    def __init__(self, cpus):
        self.ns, self.calls, self.bytes = ([[0] * EVENTS for _ in range(cpus)] for _ in range(3))
        self.rx, self.energy = [0, 0], 0  # packets and bytes; energy in uJ

    def tick(self, t, i):
        cpus = range(len(self.ns))
        at = START + i * SECOND
        t.add(TICK, {1: at, 2: list(cpus), 3: [at for _ in cpus]})
        for e in range(EVENTS):
            t.add(EXACT, {1: e, 2: [self.ns[c][e] for c in cpus], 3: [self.calls[c][e] for c in cpus],
                          4: [0 for _ in cpus], 5: [self.bytes[c][e] for c in cpus]})
        t.add(NETDEV_STATS, {1: [1], 2: [self.rx[0]], 3: [self.rx[1]], **{k: [0] for k in range(4, 10)}})
        t.add(ENERGY, {1: [at], 2: [self.energy % (WRAP + 1)]})


class Noise:
    def __init__(self, rnd):
        self.rnd, self.last = rnd, rnd.gauss(0, 1)

    def next(self):
        self.last = LIKENESS * self.last + (1 - LIKENESS ** 2) ** 0.5 * self.rnd.gauss(0, 1)
        return self.last


def varied(seed, ticks=60, sizes=(60, 1500), steady=False):
    """steady: only the noise varies."""
    rnd = random.Random(seed)
    cpus = rnd.choice((1, 2, 4))
    price = {("rx_softirq", "packet"): rnd.uniform(1000, 5000), ("rx_softirq", "kB"): rnd.uniform(1000, 5000),
             ("rx_softirq", "wake-up"): rnd.uniform(500, 2000),
             ("sock_send", "call"): rnd.uniform(1000, 5000), ("sock_send", "kB"): rnd.uniform(1000, 5000),
             ("energy", "packet"): rnd.uniform(50, 200), ("energy", "kB"): rnd.uniform(50, 200),
             ("energy", "CPU ms"): rnd.uniform(5000, 30000)}
    t, host, noise = begin(cpus, ticks), Host(cpus), Noise(rnd)
    fixed_ns, idle_w, level = rnd.uniform(0, 5e6), rnd.uniform(5, 50), rnd.uniform(0.0005, 0.003)
    for i in range(ticks + 1):
        if i:
            packets = 10000 if steady else int(rnd.uniform(1000, 20000))
            size = sum(sizes) / 2 if steady else rnd.uniform(*sizes)
            runs = 10000 if steady else int(rnd.uniform(1000, 20000))
            rx_ns = (packets * price["rx_softirq", "packet"] + packets * size / 1e3 * price["rx_softirq", "kB"] +
                     runs * price["rx_softirq", "wake-up"])
            rx_ns = fixed_ns + rx_ns * (1 + level * noise.next())
            host.rx = [host.rx[0] + packets, host.rx[1] + int(packets * size)]
            other_ms = 0
            for c in range(cpus):
                calls = 10000 if steady else int(rnd.uniform(1000, 15000))
                length = sum(sizes) / 2 if steady else rnd.uniform(*sizes)
                send_ns = 1e6 * (c + 1) + calls * (price["sock_send", "call"] + length / 1e3 * price["sock_send", "kB"])
                spent = {RX: rx_ns / cpus, SEND: send_ns * (1 + level * noise.next()),
                         TASK: 1e8 if steady else rnd.uniform(0, 3e8)}
                for e, ns in spent.items():
                    host.ns[c][e] += int(ns)
                host.ns[c][IDLE] += SECOND - sum(int(ns) for ns in spent.values())
                host.calls[c][SEND] += calls
                host.bytes[c][SEND] += int(calls * length)
                host.calls[c][RX] += runs // cpus + (c < runs % cpus)
                other_ms += int(spent[TASK]) / 1e6
            uj = (packets * price["energy", "packet"] + packets * size / 1e3 * price["energy", "kB"] +
                  other_ms * price["energy", "CPU ms"]) * (1 + level * noise.next()) + idle_w * 1e6
            host.energy += int(uj)
        host.tick(t, i)
    end(t)
    return t


def make(folder):
    varied(1).write(os.path.join(folder, "varied.nct"))
    varied(2, sizes=(1000, 1000)).write(os.path.join(folder, "varied-one-size.nct"))
    varied(3, steady=True).write(os.path.join(folder, "varied-steady.nct"))
