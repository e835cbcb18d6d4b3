# SPDX-License-Identifier: BSD-2-Clause
"""energy_traces.py check REPORT TRACES: makes recordings of energy counters with known truth. A
package draws P = P0 + the sum of a_i * u_i + noise: u_i is the number of CPUs that are busy
with work i, and a_i is the power of that work, in W."""
import json
import os
import random
import subprocess
import sys
import tempfile

from make_traces import ENERGY, ENERGY_ZONE, EXACT, HOST, MS, NETDEV, NETDEV_STATS, OF_EVENT, PROBE, SOURCE, START, TICK, Trace
from nct import CONTEXT, PROCSTAT

SECOND = 1000 * MS
WRAP = 262143328850  # uJ at which powercap's counters wrap
IDLE, TASK, SEND, RX = 0, 1, 3, 6
ENOENT, EACCES = 2, 13


def begin(cpus, ticks, exact=True, hypervisor=None):
    t = Trace(k8=list(range(cpus)), **HOST, k13=1000, k14="entry" if exact else "off", k15=100, k18=START, k22=cpus)
    t.add(SOURCE, {1: "energy", 2: "measured", 3: "/sys/class/powercap", 4: ""})
    if hypervisor:
        t.add(CONTEXT, {1: START, 2: ["cpu"], 3: ["hypervisor"], 4: [hypervisor], 5: [""]})
    for e in range(8):
        t.add(PROBE, {1: OF_EVENT, 2: e, 3: "tracepoint" if exact else "samples", 4: ["hook"] if exact else [], 6: []})
    t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
    t.frame(START, START + (ticks + 1) * SECOND, [])
    return t


def tick(t, i, ns, exact=True):
    """Returns the exact times so far in ns, by CPU and event."""
    cpus = range(len(ns))
    at = START + i * SECOND
    t.add(TICK, {1: at, 2: list(cpus), 3: [at if exact else None for _ in cpus]})
    for e in range(8) if exact else ():
        t.add(EXACT, {1: e, 2: [v[e] for v in ns]})
    busy, idle = [[f(v) // (10 * MS) for v in ns] for f in (lambda v: sum(v) - v[IDLE], lambda v: v[IDLE])]
    t.add(PROCSTAT, {**{k: [0 for _ in cpus] for k in range(1, 11)}, 3: busy, 4: idle})
    t.add(NETDEV_STATS, {1: [1], 2: [i * 1000], 3: [i * 1000000], **{k: [0] for k in range(4, 10)}})
    return at


def spend(ns, shares):
    """Adds a second of a CPU."""
    for e, share in shares.items():
        ns[e] += round(share * SECOND)
    ns[IDLE] += SECOND - sum(round(share * SECOND) for share in shares.values())


def end(t):
    """Ends the trace with its last tick and returns it."""
    t.end(0, 0, 0, 0)
    t.frames[-1][-1][1][7] = max(fields[1] for kind, fields in t.frames[-1] if kind == TICK)


# ---- every state of a counter ---------------------------------------------------------------------------------------

def states(exact=True):
    """Makes 20 s of two packages with a CPU each: 20 W, and 30 W more while it is busy, half of
    that time with the network."""
    rnd, t = random.Random(1), begin(2, 20, exact, hypervisor="QEMU")
    zones = [  # name, parent, wrap, more
        ("package-0", 0, WRAP, {8: [0]}), ("core", 1, WRAP, {}), ("dram", 1, WRAP, {}),
        ("package-1", 0, WRAP, {8: [1]}), ("dram", 4, WRAP, {6: "refused", 7: "Permission denied"}),
        ("psys", 0, 5000000, {}), ("uncore", 1, WRAP, {})]
    for i, (name, parent, wrap, more) in enumerate(zones, 1):
        t.add(ENERGY_ZONE, {1: i, 2: name, 3: parent, 4: 1000, 5: wrap, 6: "measured", **more})
    ns, package, memory = [[0] * 8, [0] * 8], [WRAP - 100 * 1000000, 7], 0
    for i in range(21):
        for c in range(2) if i else ():
            u = rnd.uniform(0.1, 0.9)
            spend(ns[c], {TASK: u / 2, RX: u / 2})
            package[c] += round(1e6 * (20 + 30 * u + rnd.gauss(0, 0.2)))
            memory += round(1e6 * (1 + 2 * u)) if c == 0 else 0
        at = tick(t, i, ns, exact)
        raw = [package[0] % (WRAP + 1), 55, memory, package[1] if i < 11 else None, None, i * 40000000 % 5000001, None]
        errors = [None, None, None, None if i < 11 else ENOENT, EACCES, None, 0]
        t.add(ENERGY, {1: [at + 1000 * k for k in range(7)], 2: raw, 3: errors, 30: at, 31: at + 7 * 1500})
        last = package[1] if i < 11 else last
    end(t)
    return t, package[0] - WRAP + 100 * 1000000, memory, last - 7


def make(folder):
    states()[0].write(os.path.join(folder, "energy.nct"))
    states(False)[0].write(os.path.join(folder, "energy-noexact.nct"))
    steady(0).write(os.path.join(folder, "energy-steady.nct"))


# ---- the truth, and the report
# ----------------------------------------------------------------------------------------

def steady(seed):
    """Makes a load that does not vary, so that its idle power cannot be estimated."""
    rnd, t, ns, raw = random.Random(seed), begin(1, 30), [[0] * 8], 0
    t.add(ENERGY_ZONE, {1: 1, 2: "package-0", 3: 0, 4: 1000, 5: WRAP})
    for i in range(31):
        if i:
            spend(ns[0], {TASK: 0.3 + 0.0001 * (i % 2), RX: 0.2})
            raw += round(1e6 * (35 + rnd.gauss(0, 0.5)))
        at = tick(t, i, ns)
        t.add(ENERGY, {1: [at], 2: [raw]})
    end(t)
    return t


def known(seed, equal, exact=True, ticks=60):
    """Returns the trace, its idle power and the network's power above it, in W. equal: all a_i
    are equal; otherwise they differ by CPU. The noise grows with the load."""
    rnd = random.Random(seed)
    cpus = rnd.choice((1, 2, 4))
    t, ns, raw, network = begin(cpus, ticks, exact), [[0] * 8 for _ in range(cpus)], 10 ** 6, 0
    idle, a, noise = rnd.uniform(5, 100), rnd.uniform(2, 40), rnd.uniform(0.1, 1)
    each = [a if equal else a * rnd.uniform(0.5, 2) for _ in range(cpus)]
    part = rnd.uniform(0.05, 0.9)  # the network's share of busy time
    most = rnd.uniform(0.3, 1)
    t.add(ENERGY_ZONE, {1: 1, 2: "package-0", 3: 0, 4: 1000, 5: WRAP})
    for i in range(ticks + 1):
        power = idle
        for c in range(cpus) if i else ():
            u = rnd.uniform(0, most)
            spend(ns[c], {TASK: u * (1 - part), RX: u * part / 2, SEND: u * part / 2})
            power += each[c] * u
            network += each[c] * u * part / ticks
        if i:
            raw += round(1e6 * max(power + rnd.gauss(0, noise * (1 + 0.02 * (power - idle))), 0))
        at = tick(t, i, ns, exact)
        t.add(ENERGY, {1: [at], 2: [raw % (WRAP + 1)]})
    end(t)
    return t, idle, network


def energy_of(report, path, *options):
    out = subprocess.run([report, "--format=json", *options, path], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)["energy"]


def count(report, path, traces, equal, exact):
    """Counts the traces in which the intervals contain the truth: of idle power, of the
    network's power, and of that with --idle-watts."""
    held, told = [0, 0, 0], 0
    for seed in range(traces):
        t, idle, network = known(seed, equal, exact)
        t.write(path)
        e = energy_of(report, path)
        if e["idle_w"] is None:
            print("seed %d: idle power %s" % (seed, e["idle_why"]))
            continue
        told += 1
        held[0] += abs(e["idle_w"] - idle) <= e["idle_ci95_w"]
        if not (equal and exact):
            # only judged where all busy time has the same power, so that the network's power is
            # known
            continue
        held[1] += e["network_low_w"] <= network <= e["network_high_w"]
        given = energy_of(report, path, "--idle-watts=%.6f" % idle)
        held[2] += given["network_low_w"] <= network <= given["network_high_w"]
    print("%s, %s: %d of %d estimated; idle power correct in %d%s"
          % ("equal" if equal else "by CPU", "exact" if exact else "/proc/stat", told, traces, held[0],
             ", the network's in %d, with --idle-watts in %d" % tuple(held[1:]) if equal and exact else ""))
    return told, held


def check(report, traces):
    report, traces, wrong = os.path.abspath(report), int(traces), False
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.nct")
        for equal, exact in ((True, True), (False, True), (True, False)):
            told, held = count(report, path, traces, equal=equal, exact=exact)
            wrong |= told < traces or held[0] < traces * 93 / 100
            if equal and exact:  # if all busy time has the same power
                wrong |= held[1] < traces or held[2] < traces
        t, first, memory, second = states()
        t.write(path)
        zones = {(z["name"], z["parent"]): z for z in energy_of(report, path)["zones"]}
        for key, uj in ((("package-0", 0), first), (("dram", 1), memory), (("package-1", 0), second)):
            got = zones[key]["energy_j"]
            print("%s: %.6f J of %.6f" % (key, got, uj / 1e6))
            wrong |= abs(got - uj / 1e6) > 1e-6
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(check(*sys.argv[2:]))
