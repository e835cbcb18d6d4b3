# SPDX-License-Identifier: BSD-2-Clause
"""Makes traces for netcost-report accuracy. known.nct has figures that tests/report/accuracy.sh
checks by hand. random.nct has all kinds of differences between cells: noise, holes, delayed
samples, an offline CPU, an idle CPU, a short last interval, parts, an event that is not
counted. passing.nct has the same samples, but not taken by time."""
import os
import random

from make_traces import (CLOCK, EXACT, EXACT_LOSS, HOST, MS, PROBE, PROGRAM, PROGRAM_STATS, SAMPLE_LOSS, SAMPLES, SELF,
                         SOURCE, STACKS, START, SYMBOLS, TASKS, TICK, Trace)
from nct import EXACT_PART, OF_EVENT

EVENTS = ["idle", "task", "io_worker", "sock_send", "sock_recv", "sock_local", "rx_softirq", "tx_softirq"]
PARTS = {"driver_poll": 0, "receive": 2, "local_v4": 12}

SYMBOL_NAMES = ["do_idle", "udp_sendmsg", "__x64_sys_recvfrom", "net_rx_action", "__napi_poll", "netif_receive_skb",
                "ip_local_deliver", "udp_queue_rcv_skb", "vfs_read", "sock_poll", "net_tx_action"]
# the caller of each stack by name; "" is the root
CALLS = [("idle", "", "do_idle"), ("send", "", "udp_sendmsg"), ("recv", "", "__x64_sys_recvfrom"),
         ("rx", "", "net_rx_action"), ("poll", "rx", "__napi_poll"), ("skb", "poll", "netif_receive_skb"),
         ("local", "skb", "ip_local_deliver"), ("udp", "local", "udp_queue_rcv_skb"), ("read", "", "vfs_read"),
         ("sock_poll", "", "sock_poll"), ("tx", "", "net_tx_action"), ("rx_in_send", "send", "net_rx_action")]
STACK = {name: i + 1 for i, (name, _, _) in enumerate(CALLS)}
STACK["user"] = 0


def begin(cpus, hz, tick_ms, event="cpu-clock"):
    t = Trace(k8=cpus, **HOST, k10=hz, k11="perf", k12=event, k13=tick_ms, k14="full", k15=100, k18=START)
    t.add(CLOCK, {1: START, 2: 1790000000 * 1000 * MS, 3: START + 7, 4: 120})
    t.add(SOURCE, {1: "samples", 2: "measured", 3: "perf", 4: ""})
    t.add(SOURCE, {1: "symbols", 2: "measured", 3: "/proc/kallsyms", 4: ""})
    t.add(PROGRAM, {1: 1, 2: "sched_switch"})
    t.frame(START, START + 100000 * MS, [0] * len(cpus))
    t.add(SYMBOLS, {1: 1, 2: SYMBOL_NAMES, 3: [0] * len(SYMBOL_NAMES),
                    4: [64 * i for i in range(len(SYMBOL_NAMES))]})
    t.add(STACKS, {1: 1, 2: [STACK[n] - (STACK[up] if up else 0) for n, up, _ in CALLS],
                   3: [SYMBOL_NAMES.index(f) + 1 for _, _, f in CALLS]})
    t.add(TASKS, {1: 1, 2: [0, 7], 3: [0, 7], 4: ["swapper", "load"]})
    return t


def tick(t, at, cpus, exact, lost=None, offline=None, parts=None):
    """exact: {event: [ns so far]}; parts: {part: [(exclusive, inclusive)]}"""
    n = len(cpus)
    t.add(TICK, {1: at, 2: cpus, 3: [at] * n})
    for event, ns in exact.items():
        t.add(EXACT, {1: EVENTS.index(event), 2: list(ns), 3: [0] * n, 4: [0] * n, 5: [0] * n})
    for part, ns in (parts or {}).items():
        t.add(EXACT_PART, {1: PARTS[part], 2: [a for a, _ in ns], 3: [b for _, b in ns], 4: [0] * n})
    t.add(EXACT_LOSS, {9: list(offline or [0] * n)})
    t.add(SAMPLE_LOSS, {1: [0] * n, 2: list(lost or [0] * n), 3: [0] * n})
    gone = at - START
    t.add(SELF, {1: 1000 + gone // 10**5, 2: 3000 + gone // 10**5, 3: 9000, 4: 0})
    t.add(PROGRAM_STATS, {1: [gone // 1000], 2: [gone // 50], 3: [0], 4: [None], 5: gone})


def samples(t, cpu, rows, task=1):
    """rows: [(time in us, name of the stack)]"""
    before, dts = START // 1000, []
    for us, _ in rows:
        dts.append(us - before - 1000)
        before = us
    t.add(SAMPLES, {1: cpu, 2: START, 3: 1000, 4: 1000, 5: dts, 6: [STACK[s] for _, s in rows],
                    7: [task + (s != "idle") for _, s in rows]})


def end(t, n, at):
    t.add(127, {1: len(t.frames) - 1, 2: sum(map(len, t.frames)), 3: n, 4: len(SYMBOL_NAMES), 5: len(CALLS), 6: 2,
                7: at, 8: "the command ended"})


def known(path):
    """Makes 4 s of 2 CPUs that are half idle, at 1000 Hz. In ms per second, exactly and by
    samples: send has 200, and 250 or 150; receive has 20, 40, 60, 80, and 10 more of each; RX
    has 100 and 100; tasks have the rest."""
    t = begin([0, 1], 1000, 1000)
    so_far = {e: [0, 0] for e in ("idle", "task", "sock_send", "sock_recv", "rx_softirq")}
    tick(t, START, [0, 1], so_far)
    total = 0
    for second in range(4):
        recv = 20 * (second + 1)
        t.frame(START + second * 1000 * MS, START + (second + 1) * 1000 * MS, [0, 0])
        for e, ms in (("idle", 500), ("sock_send", 200), ("sock_recv", recv), ("rx_softirq", 100), ("task", 200 - recv)):
            so_far[e] = [ns + ms * MS for ns in so_far[e]]
        for cpu in (0, 1):
            send = 250 if (second + cpu) % 2 else 150
            stacks = (["send"] * send + ["recv"] * (recv + 10) + ["rx"] * 100 +
                      ["user"] * (500 - send - recv - 110) + ["idle"] * 500)
            random.Random(second).shuffle(stacks)
            base = (START + second * 1000 * MS) // 1000
            samples(t, cpu, [(base + 1000 * i, s) for i, s in enumerate(stacks)])
            total += len(stacks)
        tick(t, START + (second + 1) * 1000 * MS, [0, 1], so_far)
    end(t, total, START + 4000 * MS)
    t.write(path)


# shares of the time that is not idle
SHARES = {"send": 0.3, "recv": 0.1, "poll": 0.05, "skb": 0.05, "local": 0.1, "udp": 0.1, "rx_in_send": 0.05,
          "user": 0.15, "read": 0.06, "sock_poll": 0.03, "tx": 0.01}
# the event that counts each leaf; tx is in the enclosing event, because it has no probe
EVENT_OF = {"idle": "idle", "send": "sock_send", "recv": "sock_recv", "poll": "rx_softirq", "skb": "rx_softirq",
            "local": "rx_softirq", "udp": "rx_softirq", "rx_in_send": "rx_softirq", "user": "task", "read": "task",
            "sock_poll": "task", "tx": "task"}
INNERMOST = {"poll": "driver_poll", "skb": "receive", "local": "local_v4", "udp": "local_v4"}
AROUND = {"poll": ["driver_poll"], "skb": ["driver_poll", "receive"], "local": ["driver_poll", "receive", "local_v4"],
          "udp": ["driver_poll", "receive", "local_v4"]}


def shares_of(rnd, cpu, piece):
    busy = 0.0003 if cpu == 1 and piece % 3 == 0 else 0.02 if cpu == 1 else rnd.uniform(0.3, 0.9)
    weight = {s: w * rnd.uniform(0.2, 1.8) for s, w in SHARES.items()}
    whole = sum(weight.values())
    return {"idle": 1 - busy, **{s: busy * w / whole for s, w in weight.items()}}


def draw(rnd, shares, begin_ns, end_ns, hz):
    """Returns the samples of a sampler that is sometimes delayed, and absent for half of the
    idle time."""
    period = 10**9 / hz
    at = begin_ns + rnd.random() * period
    while at < end_ns:
        state = rnd.choices(list(shares), shares.values())[0]
        late = rnd.choice([0] * 9 + [1, 2.5, 7]) * period if state in AROUND else 0
        if state != "idle" or rnd.random() < 0.5:
            taken = int(at + late + rnd.random() * 20000) // 1000
            if taken * 1000 < end_ns:
                yield taken, state
        at += period * (1 + int(late // period))


def rand(path, event="cpu-clock"):
    """Makes a trace of CPUs 0, 1 (idle) and 5 (offline from the 3rd interval to the 6th)."""
    rnd, cpus, hz = random.Random(7), [0, 1, 5], 4000
    t = begin(cpus, hz, 250, event)
    t.add(PROBE, {1: OF_EVENT, 2: EVENTS.index("tx_softirq"), 3: "samples", 4: [], 6: ["kprobe: no"]})
    so_far = {e: [0] * 3 for e in EVENTS if e != "tx_softirq"}
    parts = {p: [(0, 0)] * 3 for p in PARTS}
    lost, offline, total, at = [0] * 3, [0] * 3, 0, START
    tick(t, at, cpus, so_far, lost, offline, parts)
    for piece in range(20):
        t.frame(START, START + 100000 * MS, list(lost))
        until = at + (40 * MS if piece == 19 else int(rnd.uniform(230, 270) * MS))
        for i, cpu in enumerate(cpus):
            if cpu == 5 and 3 <= piece < 6:
                offline[i] += until - at
                continue
            shares = shares_of(rnd, cpu, piece)
            ns = {s: int(share * (until - at)) for s, share in shares.items()}
            ns["idle"] += until - at - sum(ns.values())
            for s, v in ns.items():
                so_far[EVENT_OF[s]][i] += v
                if s in INNERMOST:
                    p = INNERMOST[s]
                    parts[p][i] = (parts[p][i][0] + v, parts[p][i][1])
                for p in AROUND.get(s, []):
                    parts[p][i] = (parts[p][i][0], parts[p][i][1] + v)
            drawn = sorted(draw(rnd, shares, at, until, hz))
            if cpu == 1 and piece == 7:  # a busy cell without a sample
                drawn = [(us, s) for us, s in drawn if s == "idle"]
            lost[i] += 3 if cpu == 0 else 0
            samples(t, cpu, drawn)
            total += len(drawn)
        at = until
        tick(t, at, cpus, so_far, lost, offline, parts)
    end(t, total, at)
    t.write(path)


def make(folder):
    known(os.path.join(folder, "known.nct"))
    rand(os.path.join(folder, "random.nct"))
    rand(os.path.join(folder, "passing.nct"), "cycles")
