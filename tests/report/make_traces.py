# SPDX-License-Identifier: BSD-2-Clause
"""Makes small traces with known numbers for the report's golden tests. tests/report/traces.py
writes them. They are made with msgpack and libzstd, and not with the project's own writer.
The numbers are easy to check by hand: each CPU has 1000 ms of wall time."""
import ctypes
import os
import random
import sys

import msgpack

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."),
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools")]
import reasons  # noqa: E402
from nct import (CERTIFICATE, CGROUPS, CLOCK, CONTEXT, COUNTER_NAMES, COUNTERS, DROP_REASONS, DROPS, END, ENERGY,  # noqa: E402
                 ENERGY_ZONE, EXACT, EXACT_LOSS, EXACT_PART, FRAME, HEADER, IRQ_STATS, LATENCY, LATENCY_BY, LATENCY_ONLY, LATENCY_TAIL, MARK,
                 MODULE, NETDEV, NETDEV_STATS, OF_EVENT, OF_LATENCY, OF_STAGE, OF_TAIL, OTHER_PROGRAMS, OTHER_STATS, OUTSIDE, OWNER_STATS, PEERS, PROBE, PROCESSES, PROCESS_STATS, PROCSTAT, PROGRAM, PROGRAM_STATS, RX_FATES, SAMPLE_LOSS, SAMPLES,
                 SELF, SOFTIRQS, SOFTNET, SOURCE, STACKS, STAGES, SYMBOLS, TASKS, TICK)

MAGIC = b"\x5c\x2a\x4d\x18\x08\0\0\0netcost\x01"  # a skippable frame
MS = 1000 * 1000
START = 5000 * MS


class Trace:
    """Frames of objects. add() appends to the last frame."""

    def __init__(self, **header):
        self.frames = [[]]
        self.seq = 0
        self.add(HEADER, {1: 1, 2: 0, 3: [], **{int(k[1:]): v for k, v in header.items()}})

    def add(self, kind, fields):
        self.frames[-1].append([kind, dict(sorted(fields.items()))])

    def frame(self, first_ns, last_ns, lost):
        self.seq += 1
        self.frames.append([])
        self.add(FRAME, {1: self.seq, 2: first_ns, 3: last_ns, 4: lost})

    def end(self, samples, symbols, stacks, tasks, why="the command ended"):
        self.add(END, {1: len(self.frames) - 1, 2: sum(map(len, self.frames)), 3: samples, 4: symbols,
                       5: stacks, 6: tasks, 7: START + 1000 * MS, 8: why})

    def packed(self):
        return [pack(f) for f in self.frames]

    def write(self, path, cut=0):
        """cut: number of bytes that are missing at the end."""
        data = MAGIC + b"".join(self.packed())
        with open(path, "wb") as f:
            f.write(data[:len(data) - cut])


ZSTD = ctypes.CDLL("libzstd.so.1")
for call, result in (("createCCtx", ctypes.c_void_p), ("compressBound", ctypes.c_size_t), ("compress2", ctypes.c_size_t)):
    getattr(ZSTD, "ZSTD_" + call).restype = result
CONTEXT_OF_ZSTD = ctypes.c_void_p(ZSTD.ZSTD_createCCtx())
ZSTD.ZSTD_CCtx_setParameter(CONTEXT_OF_ZSTD, 201, 1)  # ZSTD_c_checksumFlag; the content size is on by default


def pack(objects):
    """Returns a zstd frame with content size and checksum, as zstd(1) makes it from a file."""
    data = b"".join(msgpack.packb(reasons.coded_object(o), unicode_errors="surrogateescape") for o in objects)
    out = ctypes.create_string_buffer(ZSTD.ZSTD_compressBound(ctypes.c_size_t(len(data))))
    size = ZSTD.ZSTD_compress2(CONTEXT_OF_ZSTD, out, ctypes.c_size_t(len(out)), data, ctypes.c_size_t(len(data)))
    assert not ZSTD.ZSTD_isError(ctypes.c_size_t(size))
    return out.raw[:size]


HOST = dict(k4="netcost-record 0.1.0", k5="6.1.0-test", k6="x86_64", k7=4, k9="Test CPU @ 1.00GHz")
WITH_SAMPLES = dict(k10=1000, k11="perf", k12="cpu-clock")

SYMBOL_NAMES = [
    "cpu_startup_entry", "do_idle", "intel_idle.constprop.0",       # 1 2 3
    "entry_SYSCALL_64", "__x64_sys_sendto", "udp_sendmsg",          # 4 5 6
    "__x64_sys_recvfrom", "net_rx_action", "nic_poll",              # 7 8 9
    "unix_stream_sendmsg", "sock_poll", "vfs_read", "",             # 10 11 12 13
    "evil;name with\nblanks\x1b[31m", "nic_poll",                   # 14 15
]
# (stack's id, caller's id, symbol). 0 is the root.
STACK_TREE = [
    (1, 0, 1), (2, 1, 2), (3, 2, 3),        # idle
    (4, 0, 4), (5, 4, 5), (6, 5, 6),        # send
    (7, 4, 7),                              # receive
    (8, 6, 8), (9, 8, 9),                   # RX softirq inside the send
    (10, 2, 8), (11, 10, 15),               # RX softirq in the idle task, another function nic_poll
    (12, 5, 10),                            # local send
    (13, 4, 11),                            # poll: other network
    (14, 4, 12), (15, 14, 13), (16, 14, 14),  # other kernel; hidden; hostile
]


def definitions(t):
    t.add(MODULE, {1: 1, 2: "nic"})
    n = len(SYMBOL_NAMES)
    t.add(SYMBOLS, {1: 1, 2: SYMBOL_NAMES, 3: [1 if s == "nic_poll" else 0 for s in SYMBOL_NAMES],
                    4: [i * 64 - 128 for i in range(n)]})
    t.add(STACKS, {1: 1, 2: [i - up for i, up, _ in STACK_TREE], 3: [s for _, _, s in STACK_TREE]})
    t.add(CGROUPS, {1: 1, 2: ["/"]})
    t.add(TASKS, {1: 1, 2: [0, 100, 101], 3: [0, 100, 100], 4: ["swapper", "a;b c", "b\udcff"]})


def samples(t, cpu, counts, task=2):
    """counts: {stack: samples}. The samples are 1 ms apart."""
    stacks = [s for s, n in counts.items() for _ in range(n)]
    t.add(SAMPLES, {1: cpu, 2: START, 3: 1000, 4: 1000, 5: [(-1) ** i for i in range(len(stacks))],
                    6: stacks, 7: [task] * len(stacks), **({} if cpu else {8: [1] * len(stacks)})})


# 1000 samples of each CPU are due. CPU 0 has 400 of 500 idle ones, and 500 busy ones. CPU 1 is
# idle.
CPU0 = {3: 400, 0: 200, 6: 90, 7: 40, 9: 40, 11: 20, 12: 10, 13: 20, 14: 60, 15: 15, 16: 5}
CPU1 = {3: 900, 0: 5, 14: 5}

# ns by event at the end; they sum to 1000 ms
EXACT0 = [500, 300, 0, 80, 40, 20, 60, 0]
EXACT1 = [980, 20, 0, 0, 0, 0, 0, 0]
CALLS = [10, 20, 0, 1000, 500, 7, 300, 0]


def exact(t, part):
    """part: the share of the second that has passed."""
    for event in range(8):
        begin = 17 * event  # a counter need not start at 0
        t.add(EXACT, {1: event,
                      2: [begin + int(EXACT0[event] * part * MS), int(EXACT1[event] * part * MS)],
                      3: [begin + int(CALLS[event] * part), 0],
                      4: [int(10 * part) if event in (3, 4) else 0, 0],
                      5: [int(CALLS[event] * 1000 * part) if event in (3, 4, 5) else 0, 0]})
    t.add(EXACT_LOSS, {1: [0, 0], 2: [int(4 * part), 0], 3: [0, 0], 4: [int(996 * part), 0],
                       5: [int(500 * part), 0], 6: 1})


def tick(t, part, with_exact=True, with_samples=True):
    at = START + int(1000 * MS * part)
    t.add(TICK, {1: at, 2: [0, 1], 3: [at + 5, at + 9] if with_exact else [None, None]})
    if with_exact:
        exact(t, part)
    if with_samples:
        t.add(SAMPLE_LOSS, {1: [int(900 * part), int(910 * part)], 2: [int(3 * part), 0], 3: [0, 0]})
    t.add(PROCSTAT, {1: [int(21 * part), 0], 2: [0, 0], 3: [int(20 * part), int(2 * part)],
                     4: [int(50 * part), int(98 * part)], 5: [9 - int(2 * part), 0],
                     6: [0, 0], 7: [int(9 * part), 0], 8: [0, 0], 9: [0, 0], 10: [0, 0]})
    t.add(SOFTNET, {1: [(2 ** 32 - 500 + int(2000 * part)) % 2 ** 32, 7], 2: [0, 0], 3: [int(3 * part), 0]})
    t.add(NETDEV_STATS, {1: [1, 2, 3], 2: [0, int(1500 * part), 0], 3: [0, int(1500000 * part), 0],
                         4: [0, 0, 0], 5: [0, int(2 * part), 0], 6: [0, int(500 * part), 0],
                         7: [0, int(50000 * part), 0], 8: [0, 0, 0], 9: [0, 0, 0]})
    t.add(SELF, {1: 1000 + int(2000 * part), 2: 3000 + int(3000 * part), 3: 9000, 4: 0})
    return at


def full(k14="entry", **more):
    t = Trace(k8=[0, 1], **HOST, **WITH_SAMPLES, k13=500, k14=k14, k15=100, k18=START, **more)
    t.add(CLOCK, {1: START, 2: 1790000000 * 1000 * MS, 3: START + 7, 4: 120})
    t.add(SOURCE, {1: "samples", 2: "measured", 3: "perf cpu-clock", 4: ""})
    t.add(SOURCE, {1: "symbols", 2: "measured", 3: "/proc/kallsyms", 4: "1 of 15 symbols is hidden"})
    t.add(SOURCE, {1: "energy", 2: "measured", 3: "#146 powercap", 4: ""})
    t.add(SOURCE, {1: "snmp", 2: "absent", 3: "", 4: "this version does not read it"})
    for event, rung in enumerate(["tracepoint"] * 3 + ["fentry"] * 3 + ["tracepoint"] * 2):
        t.add(PROBE, {1: OF_EVENT, 2: event, 3: rung, 4: ["hook_%d" % event, "other"], 6: [] if event < 3 else ["#142 kprobe #146 no"]})
    t.add(NETDEV, {1: 1, 2: "lo", 3: 1})
    t.add(NETDEV, {1: 2, 2: "eth0", 3: 1, 4: "nic"})
    t.add(NETDEV, {1: 3, 2: "eth0", 3: 2})
    for zone, (name, parent) in enumerate((("package-0", 0), ("core", 1), ("dram", 1), ("psys", 0)), 1):
        t.add(ENERGY_ZONE, {1: zone, 2: name, 3: parent, 4: 1000, 5: 999999999})
    t.add(PROGRAM, {1: 1, 2: "sched_switch"})
    t.add(PROGRAM, {1: 2, 2: "fentry_1", 3: "__sys_sendto"})
    t.add(PROGRAM, {1: 3, 2: "kprobe_end"})
    t.frame(START, START + 1000 * MS + 9, [0, 0])
    definitions(t)
    for part in (0, 0.5, 1):
        at = tick(t, part)
        # 0.5 % of the time of 2 CPUs in 100 ms
        t.add(PROGRAM_STATS, {1: [int(4000 * part), int(10000 * part), 0],
                              2: [int(400000 * part), int(600000 * part), 0],
                              3: [0, int(3 * part), None], 4: [None, None, int(7 * part)], 5: int(100 * MS * part)})
        t.add(ENERGY, {1: [at + i for i in range(4)],  # the package wraps once, and uses 3 J in all
                       2: [(999000000 + int(3000000 * part)) % 1000000000, 77, int(1000000 * part), None]})
        if part == 0.5:
            t.add(OUTSIDE, {1: [100, 0], 2: ["a;b c", ""], 3: [2, 10], 4: [1, 1], 5: [0, 0]})
        elif part == 1:  # the state of the fourth zone is unknown
            t.add(OUTSIDE, {1: [100], 2: ["a;b c"], 3: [2], 4: [1], 5: [0]})
    samples(t, 0, CPU0)
    samples(t, 1, CPU1, task=1)
    t.frame(START, START + 1000 * MS + 9, [3, 0])
    t.add(MARK, {1: START + 1, 2: "here"})
    return t


def hardirq():
    """Adds hard interrupts of CPU 0. They take 40 ms of its idle time, and 10 ms of the time of
    tasks."""
    t, objects, parts = full(), [], iter((0, 0.5, 1))
    t.frames[0].append([PROBE, {1: OF_EVENT, 2: 10, 3: "tracepoint", 4: ["irq_handler_entry", "irq_handler_exit"], 6: []}])
    for kind, fields in t.frames[1]:
        objects.append([kind, fields])
        if kind == TICK:
            part = next(parts)
        elif kind == EXACT and fields[1] < 2:
            fields[2][0] -= int((40, 10)[fields[1]] * part * MS)
        elif kind == EXACT and fields[1] == 7:
            runs, ns = [int(300 * part), 0], [int(50 * part * MS), 0]
            objects.append([EXACT, {1: 10, 2: ns, 3: runs, 4: [0, 0], 5: [0, 0]}])
            objects.append([IRQ_STATS, {1: 2, 2: runs, 3: runs, 4: ns}])
    t.frames[1] = objects
    t.end(1810, 15, 16, 3)
    return t


def others(slower=1):
    """Adds other BPF programs. 100 ms of two CPUs are counted. In that time, one program starts
    and one ends. slower: factor of the run time of the first program."""
    t, objects, parts = full(), [], iter((0, 0.5, 1))
    t.frames[0].append([SOURCE, {1: "others", 2: "measured", 3: "BPF statistics, enabled for a twentieth of the time", 4: ""}])
    t.frames[0].append([OTHER_PROGRAMS, {1: 1, 2: ["filter_in", "lsm_check", "unused", "gone"],
                                         3: ["sched_cls", "lsm", "xdp", "tracing"],
                                         4: ["interface eth0 tc ingress", "", "interface eth0 xdp", ""]}])
    for kind, fields in t.frames[1]:
        objects.append([kind, fields])
        if kind != TICK:
            continue
        part = next(parts)
        if part == 0.5:
            continue  # nothing was counted so far
        if part:
            objects.append([OTHER_PROGRAMS, {1: 5, 2: [""], 3: ["cgroup_skb"], 4: ["cgroup 77 inet_egress"]}])
        # In each interval: time in which programs were counted, runs, and time of the runs
        for of, runs, ns in ((0.3, 0.28, 0.29), (0.5, 0.51, 0.49), (0.8, 0.82, 0.81), (1, 1, 1)) if part else ((0, 0, 0),):
            new = [[int(900 * runs)], [int(180000 * runs)], [0]] if part else [[], [], []]
            objects.append([OTHER_STATS, {1: [17 + int(4000 * runs), int(100 * of), 0, 5] + new[0],
                                          2: [int(2000000 * slower * ns), int(50000 * of), 0, 999] + new[1],
                                          3: [0, 0, 0, int(100 * MS * of)] + new[2], 4: 7 + int(100 * MS * of),
                                          **({5: 3} if part else {})}])
    t.frames[1] = objects
    t.end(1810, 15, 16, 3)
    return t


def bucket(ns):
    """Returns the bucket of a latency (SPEC.md, LATENCY)."""
    x = max(ns, 1) - 1
    shift = max(x.bit_length() - 6, 0)
    return (shift << 5) + (x >> shift)


def histogram(times):
    counts = {}
    for ns, n in times.items():
        counts[bucket(ns)] = counts.get(bucket(ns), 0) + n
    return counts


def latency_by(hook, cpu, times):
    """Adds the packets of a CPU by interface, by cgroup and by process. The late packets have
    keys of their own."""
    parts = [{ns: n for ns, n in times.items() if (n > 1) == many} for many in (True, False)]
    who = [[{7: "eth0", 8: 4026531840, 9: 2}, {7: "eth0", 8: 4026532009, 9: 2 + cpu}],
           [{10: "/system.slice/docker-%s.scope" % (64 * "a"), 11: 77}, {10: "", 11: 78}],
           [{12: "nginx", 13: 1200, 14: START - 5 * MS}, None]]
    return [[LATENCY_BY, {1: hook, 2: by, 3: 0 if who[by][k] else 1 + cpu,
                          **({4: sum(ns * n for ns, n in part.items())} if by else {}),
                          5: list(histogram(part)), 6: list(histogram(part).values()), **(who[by][k] or {})}]
            for by in range(3) for k, part in enumerate(parts)]


def latency():
    """Adds --latency. UDP is read after 1 to 100 us, evenly distributed, and one packet in each
    half of the second after 5 ms. Two checkpoints are not measured."""
    t, objects, part = full(), [], 0
    t.frames[0].append([SOURCE, {1: "latency", 2: "measured", 3: "tracepoints of packets", 4: ""}])
    t.frames[0] += [[PROGRAM, {1: 4, 2: "latency_netif_receive_skb"}], [PROGRAM, {1: 5, 2: "latency_sock_recv_length"}]]
    for kind, fields in t.frames[1]:
        if kind == SELF and not part:
            objects += [[PROBE, {1: OF_LATENCY, 2: hook, 3: "tracepoint" if points else "off", 4: points, 5: why}] for hook, points, why in [
                (0, ["netif_receive_skb"], ""),
                (1, [], "there is no tracepoint for it, and functions are not used"),
                (4, [], "the kernel has no tracepoint sk_data_ready"),
                (7, ["sk_data_ready", "sock_recv_length"], "in order: of several readers of a socket, not all"),
                (8, ["net_dev_queue", "net_dev_start_xmit"], ""),
                (99, ["later"], "")]]
        if kind == PROGRAM_STATS:  # 80 and 150 ns per run
            fields[1] += [500 * (part - 1), 300 * (part - 1)]
            fields[2] += [40000 * (part - 1), 45000 * (part - 1)]
            fields[3] += [0, 0]
            fields[4] += [None, None]
        if kind == SELF:
            for cpu, packets in ((0, 10), (1, 20)) if part else ():
                times = {1000 * us: packets for us in range(1, 101)}
                times[5 * MS + part] = 1
                counts = histogram(times)
                objects.append([LATENCY, {1: 7, 2: cpu, 3: sum(ns * n for ns, n in times.items()), 4: 1000, 5: 5 * MS + part,
                                          6: list(counts), 7: list(counts.values()), 8: cpu, 9: 2, 10: 0, 11: 0}])
                objects += latency_by(7, cpu, times)
                objects.append([LATENCY, {1: 0, 2: cpu, 3: 3 * 40, 4: 40, 5: 40, 6: [bucket(40)], 7: [3], 8: 0, 9: 0, 10: 0}])
                objects += [[LATENCY_BY, {1: 0, 2: by, 3: 1, 4: 3 * 40, 5: [bucket(40)], 6: [3]}] for by in range(3)]
            part += 1
        objects.append([kind, fields])
    t.frames[1] = objects
    t.frames[-1].pop()  # removes END, which is added again below
    t.end(1810, 15, 16, 3)
    return t


def latency_only():
    """Adds --latency-only: like latency(), filtered by one interface, by the sockets of a cgroup
    with a long queue, and by one reader. Other packets are counted."""
    t = latency()
    for kind, fields in t.frames[1]:
        if kind == LATENCY:
            fields[12] = 7 if fields[1] else 0
        if kind == PROBE and fields[1] == OF_LATENCY and fields[2] == 8:
            fields.update({3: "off", 4: [], 5: "--latency-only=pid: that is not known of the packets there"})
    at = next(i for i, (kind, _) in enumerate(t.frames[1]) if kind == PROBE)
    t.frames[1].insert(at, [LATENCY_ONLY, {1: "eth0", 2: 4026531840, 3: 2, 4: "/system.slice/nginx.service", 5: 77, 6: 1200, 7: 3}])
    t.frames[-1].pop()  # removes END, which is added again below
    t.end(1810, 15, 16, 3)
    return t


def tail():
    """Adds --tail: the slowest packets of two ticks. One waited for a reader behind a FIFO task,
    and the reader also slept; one waited for a softirq; one has an unknown cause. Some were
    delayed by disabled interrupts. CPU 0 has steal time, the other CPU does not. Some waited
    for others in queues, or for a CPU that had to wake. For some the earlier checkpoints are
    known."""
    t, objects, part = latency(), [], 0
    for kind, fields in t.frames[1]:
        if kind == PROCSTAT:
            fields[8] = [2 * part, 0]
        if kind == SELF and not part:
            objects.append([PROBE, {1: OF_TAIL, 2: 0, 3: "tracepoint", 4: ["sched_switch", "softirq_entry"], 5: ""}])
        if kind == SELF:
            end, off = START + (403_500_000, 737_500_000)[part - 1], START + (300_000_000, 600_000_000)[part - 1]
            for cpu in (0, 1) if part else ():
                objects.append([LATENCY_TAIL, {1: 7, 2: cpu, 3: end, 4: 5 * MS + part, 5: [3, 7, 1, 3, 0], 6: [1, 1, 0, 0, 0],
                                               7: [1, None, 3, 0, None], 8: ["hog", "", "", "x\x1b[31m", ""],
                                               9: [3 * MS, MS, 800_000, 150_000, 50_000 + part], 10: MS, 11: 0, 12: "late-reader",
                                               13: [0, 1, 0, 2, 3, 4], 14: [2 * MS, MS, MS, 800_000, 150_000, 50_000 + part],
                                               15: [0, 5] if cpu else [5], 16: [50_000 + part, MS] if cpu else [MS]}])
                objects.append([LATENCY_TAIL, {1: 0, 2: cpu, 3: off - 20, 4: 40, 5: [5, 2, 4], 6: [0, 0, 0], 7: [None, 24, None],
                                               8: ["", "", ""], 9: [30, 6, 4], 13: [0, 1, 2], 14: [30, 6, 4]}])
            if part == 2:
                objects.append([LATENCY_TAIL, {1: 5, 2: 1, 3: START + 980 * MS, 4: 60 * MS, 5: [5], 6: [0], 7: [None], 8: [""], 9: [60 * MS]}])
                objects.append([LATENCY_TAIL, {1: 6, 2: 1, 3: START + 980 * MS, 4: 40 * MS, 5: [9, 8, 9, 1], 6: [1, 1, 0, 0], 7: [2, 1, 0, 3],
                                               8: ["", "", "", ""], 9: [30 * MS, 7 * MS, 2 * MS, MS], 10: 3 * MS, 11: 0, 12: "quick-reader",
                                               15: [0, 99, 2, 4], 16: [2 * MS, 2 * MS, 2_500_000, 3 * MS], 17: 31}])
                for before in (9, 12):
                    objects.append([LATENCY_TAIL, {1: 8, 2: 1, 3: START + 970 * MS, 4: 20 * MS, 5: [9, 4], 6: [0, 0], 7: [1, None], 8: ["", ""],
                                                   9: [19 * MS, MS], 17: before}])
            part += 1
        objects.append([kind, fields])
    t.frames[1] = objects
    t.frames[-1].pop()  # removes END, which is added again below
    t.end(1810, 15, 16, 3)
    return t


QUEUED, DRIVER, RETURNED, ENTRY, RECEIVE, _, NETFILTER, _, TCP, SOCKET, READ, _, _, FREED, DROPPED, CLONED, TC, BRIDGE, CONNTRACK, NFTABLES = range(20)
RULES = {NETFILTER: 1, CONNTRACK: 2, NFTABLES: 3}  # indexes of these stages in the lists
RULE_HOOKS, RULE_TABLES = ["ip prerouting", "ip prerouting", "ip forward"], ["", "", "filter <x>"]


def way(number, begin_ns, steps, reason=0):
    """Returns the events of a packet: a stage, and the time since the previous event."""
    at, out = begin_ns, []
    for i, (stage, us) in enumerate(steps):
        at += round(1000 * us)
        out.append((at, number, stage, number % 2, 1 if stage in (QUEUED, DRIVER) else 2 if stage in (ENTRY, RECEIVE) else 0,
                    None if i else 7000 + number % 3, reason if stage == DROPPED else 0, RULES.get(stage, 0)))
    return out


def stages_record(events, counts, more=None):
    events = sorted(events)
    before = [(0, 0)] + [e[:2] for e in events]
    columns = list(zip(*((at - t if i else 0, number - n, *rest)
                         for i, ((at, number, *rest), (t, n)) in enumerate(zip(events, before)))))
    rules = {16: list(columns[7]), 17: RULE_HOOKS, 18: RULE_TABLES} if columns and any(columns[7]) else {}
    return [STAGES, {**({1: events[0][0]} if events else {}), **dict(zip(range(2, 9), map(list, columns or [[]] * 7))),
                     9: [4026531840, 4026532200], 10: [2, 7], 11: ["SOCKET_RCVBUFF", "NO_SOCKET"], **counts, **rules, **(more or {})}]


def stages():
    """Adds --stages: 100 packets to a socket, which take 1 us to the receive core, 2 more to the
    socket, and 1 to 100 more until the read; 50 packets that were forwarded, 20 sent, 10
    dropped, 3 without an end, one with an impossible order, and one that began earlier; and a
    tick without events. Some passed netfilter. Five were cloned, and so were their clones,
    which no socket received."""
    t, objects, part = full(), [], 0
    t.frames[0].append([SOURCE, {1: "stages", 2: "measured", 3: "tracepoints of packets", 4: ""}])
    for kind, fields in t.frames[1]:
        if kind == SELF and not part:
            objects += [[PROBE, {1: OF_STAGE, 2: stage, 3: "tracepoint" if points else "off", 4: points, 5: why}] for stage, points, why in [
                (QUEUED, ["net_dev_queue"], ""), (DRIVER, ["net_dev_start_xmit"], ""), (ENTRY, ["netif_rx_entry", "napi_gro_receive_entry"], ""),
                (RECEIVE, ["netif_receive_skb"], ""), (5, [], "there is no tracepoint for it, and functions are not used"),
                (SOCKET, ["sk_data_ready"], ""), (READ, ["sock_recv_length"], "of UDP in order: of several readers of a socket, not all"),
                (99, ["later"], "")]]
        if kind == SELF and part == 1:
            events = []
            for i in range(100):
                events += way(10 + i, START + (i + 1) * MS, [(ENTRY, 0), (RECEIVE, 1), (SOCKET, 2), (READ, 1 + i)])
            for i in range(50):
                events += way(200 + i, START + i * MS + 7, [(ENTRY, 0), (RECEIVE, 1), (QUEUED, 3), (DRIVER, 0.5), (FREED, 10)])
            for i in range(20):
                events += way(300 + i, START + i * MS + 9, [(QUEUED, 0), (DRIVER, 0.5), (RETURNED, 2), (FREED, 40 + i)])
            for i in range(10):
                events += way(400 + i, START + i * MS + 11, [(ENTRY, 0), (RECEIVE, 2), (DROPPED, 3)], 1 + i % 2)
            for i in range(30):
                events += way(600 + i, START + i * MS + 15, [(ENTRY, 0), (RECEIVE, 1), (TC, 0.3), (NETFILTER, 0.5), (CONNTRACK, 0.1),
                                                             (NFTABLES, 2 + i), (QUEUED, 10), (DRIVER, 0.5), (FREED, 10)])
            for i in range(5):
                events += way(700 + i, START + i * MS + 17, [(CONNTRACK, 0), (QUEUED, 1), (CLONED, 0.2), (DRIVER, 0.3), (FREED, 9)])
                events += way(710 + i, START + i * MS + 1217, [(CLONED, 0), (FREED, 25)])
            events += way(500, START + 77, [(ENTRY, 0)]) + way(501, START + 99, [(ENTRY, 0)])
            events += way(502, START + 99 * MS, [(ENTRY, 0), (RECEIVE, 1), (SOCKET, 1)])
            events += way(503, START + 5 * MS, [(ENTRY, 0), (QUEUED, 1), (FREED, 1)])
            events += way(504, START + 5 * MS, [(ENTRY, 0), (READ, 9)])[1:]
            half = len(events) // 2
            events.sort()
            whose = {19: ["eth0", ""], 20: [7000, 7001], 21: [17, 6], 22: ["192.0.2.1", "2001:db8::1"], 23: [5000, None], 24: ["192.0.2.2", "2001:db8:0:1::<2>"], 25: [53, 80]}
            objects += [stages_record(events[:half], {12: 64, 13: 12000, 14: 1, 15: 2}, whose), stages_record(events[half:], {})]
        elif kind == SELF and part:
            objects.append([STAGES, {**{i: [] for i in range(2, 12)}, 12: 64, 13: 5}])
        if kind == SELF:
            part += 1
        objects.append([kind, fields])
    t.frames[1] = objects
    t.frames[-1].pop()  # removes END, which is added again below
    t.end(1810, 15, 16, 3)
    return t


def private_waits():
    """Adds packet latency and its causes, with names wherever a record can have them."""
    columns = {5: [bucket(40)], 6: [3]}
    tables = {16: [1, 2], 17: ["ip prerouting"] * 2, 18: ["zx-table", ""]}
    return [[PROBE, {1: OF_LATENCY, 2: 7, 3: "tracepoint", 4: ["sk_data_ready"], 5: "zx-why"}],
            [LATENCY_ONLY, {1: "zx-if", 2: 4026531840, 3: 9, 4: "/zx-slice/zx-unit", 5: 77, 6: 4711}],
            [LATENCY, {1: 7, 2: 0, 3: 120, 6: [bucket(40)], 7: [3], 12: 5}],
            [LATENCY_BY, {1: 7, 2: 0, 3: 0, 4: 120, **columns, 7: "zx-if", 8: 4026531840, 9: 9}],
            [LATENCY_BY, {1: 7, 2: 1, 3: 0, 4: 120, **columns, 10: "/zx-slice/zx-unit", 11: 77}],
            [LATENCY_BY, {1: 7, 2: 2, 3: 0, 4: 120, **columns, 12: "zx-reader", 13: 4711, 14: START}],
            [PROBE, {1: OF_TAIL, 2: 0, 3: "tracepoint", 4: ["sched_switch"], 5: "zx-why"}],
            [LATENCY_TAIL, {1: 7, 2: 0, 3: START + 500 * MS, 4: 40, 5: [3, 3], 6: [1, 0], 7: [1, None], 8: ["zx-task", "ksoftirqd/0"],
                            9: [30, 10], 12: "zx-reader"}],
            [PROBE, {1: OF_STAGE, 2: NETFILTER, 3: "tracepoint", 4: ["nf_hook"], 5: "zx-why"}],
            [STAGES, {1: START, 2: [0, 7], 3: [1, 0], 4: [NETFILTER, FREED], 5: [0, 0], 6: [0, 0], 7: [7, None], 8: [0, 0], 9: [], 10: [],
                      11: [], 12: 1, 13: 1, **tables, 19: [], 20: [7], 21: [17], 22: ["zx-192.0.2.77"], 23: [47110], 24: ["zx-2001:db8::4711"],
                      25: [47111]}]]


def owners(every=1, after=False):
    """Adds --owners. 30 ms of the RX softirq in each half of the second have a disposition. 2 ms
    are unknown in the middle and known at the end. every: one softirq in this many is
    observed. after: 5 ms of one process move to another one, and other packets were
    forwarded."""
    t, objects, part = processes(), [], 0
    for kind, fields in t.frames[1]:
        objects.append([kind, fields])
        if kind != PROCESS_STATS:
            continue
        part += 1
        ns, packets = ([12, 4, 1], [60, 25, 5]) if part == 1 else ([14, 6, 1], [80, 25, 5])
        ns = [ns[0] - 5, ns[1] + 5, ns[2]] if after else ns
        fates = {0: (sum(ns), sum(packets)), 1: (1, 4), 2: (3, 6), 3: (6, 0), 4: (0.5, 2), 5: (0.5, 1), 7: (2 if part == 1 else -2, 0)}
        if every > 1:  # the same time, but observed in a tenth of the softirqs
            ns = [v / every for v in ns]
            fates = {fate: (v[0] / every, v[1]) for fate, v in fates.items()}
            fates[6] = (30 - sum(v[0] for v in fates.values()), 0)
        squares = [int((v * MS / 10) ** 2 * 10 / 1024) for v in ns], [int((v[0] * MS / 10) ** 2 * 10 / 1024) for v in fates.values()]
        objects.append([OWNER_STATS, {1: [fields[1][0], 2, 0], 2: [int(v * MS) for v in ns], 3: packets,
                                      **({4: squares[0]} if every > 1 else {})}])
        objects.append([RX_FATES, {1: list(fates), 2: [0] * len(fates), 3: [round(v[0] * MS) for v in fates.values()],
                                   4: [v[1] for v in fates.values()], **({5: squares[1]} if every > 1 else {}),
                                   6: ["NO_SOCKET" if fate == 1 else "" for fate in fates],
                                   7: [("veth8" if after else "veth7") if fate == 2 else "" for fate in fates],
                                   8: every}])
    t.frames[1] = objects
    t.frames[-1].pop()  # removes END, which is added again below
    t.end(1810, 15, 16, 3)
    return t


def processes(pmu=False):
    """Adds --processes, with half of the counts in each half of the second, a process whose name
    changes, and containers. pmu: adds hardware counters, of which two are multiplexed."""
    t, objects, parts = full(), [], iter((0, 0.5, 1))
    t.frames[0] += [[SOURCE, {1: "pmu", 2: "measured", 3: "cycles, instructions, cache-misses",
                              4: "not all of them: No such file or directory"}],
                    [SOURCE, {1: "page-cache", 2: "measured", 3: "folio_mark_accessed", 4: "by fentry: folio_mark_accessed"}]
                    ] if pmu else [
                    [SOURCE, {1: "pmu", 2: "absent", 3: "perf_event_open", 4: "no PMU: No such file or directory"}],
                    [SOURCE, {1: "page-cache", 2: "absent", 3: "folio_mark_accessed",
                              4: "fentry: refused when loading: Operation not permitted; kprobe: not built into this kernel "
                                 "(CONFIG_KPROBES)"}]]
    docker = "/system.slice/docker-" + 32 * "ab" + ".scope"
    pod = "/kubepods.slice/kubepods-pod8dbc6a39_01aa_4b4a_b1a6_6a4b6d6b1e2f.slice/cri-containerd-" + 32 * "cd" + ".scope"
    for kind, fields in t.frames[1]:
        objects.append([kind, fields])
        if kind != SELF:
            continue
        part = next(parts)
        if part == 0.5:
            objects += [[CGROUPS, {1: 2, 2: [docker, pod]}],
                        [PROCESSES, {1: 1, 2: [100, 200, 0, 7, None], 3: ["sh", "nginx", "idle", "ksoftirqd/0", "gone"],
                                     4: [START - 2000 * MS, START + 5, None, 100, None], 5: [2, 3, 0, 1, 0],
                                     6: [0, 0, 0, 1, 0]}]]
        elif part == 1:
            objects.append([PROCESSES, {1: 6, 2: [100], 3: ["iperf3"], 4: [START - 2000 * MS], 5: [2], 6: [0]}])
        if part:
            who = [1 if part == 0.5 else 6, 2, 3, 4, 5, 0]
            ns = {3: [60, 70, 0, 20, 8, 2], 5: [30, 10, 0, 0, 0, 0], 6: [0, 20, 0, 0, 0, 0], 7: [0, 0, 0, 10, 0, 0],
                  8: [10, 5, 10, 5, 0, 0]}
            counters = {26: [500, 20, 0, 0, 0, 1], 27: [300 * MS, 315 * MS, 2 * MS, 35 * MS, 8 * MS, 2 * MS],
                        29: [150 * MS, 210 * MS, MS, 7 * MS, 8 * MS, MS], 30: [10000, 5000, 0, 200, 0, 10],
                        31: [ms * MS for ms in (100, 105, 5, 35, 8, 2)], 32: [ms * MS for ms in (100, 105, 5, 35, 8, 2)],
                        34: [ms * MS for ms in (50, 70, 5, 0, 4, 1)], 35: [ms * MS for ms in (50, 35, 0, 35, 4, 1)]}
            objects.append([PROCESS_STATS, {1: who, 2: [9, 8, 0, 7, 6, 5], **{k: [ms * MS for ms in v] for k, v in ns.items()},
                                            13: [400, 100, 0, 0, 0, 0], 14: [0, 250, 0, 0, 0, 0], 19: [400000, 100000, 0, 0, 0, 0],
                                            20: [0, None, 0, 0, 0, 0], 22: [100, 20, 25, 5, 0, 0],
                                            25: [0, 0, 0, 1, 0, 0], **(counters if pmu else {})}])
    t.frames[1] = objects
    t.end(1810, 15, 16, 3)
    return t


def certified(*state):
    """Adds --certify, with one record in each state at the start and at the end."""
    t, load = full(), {6: 10 * MS, 7: 9985000, 8: 50000, 9: 1000, 10: 1000, 11: 64000, 12: 64000, 13: 21, 14: 17,
                       15: 25 * MS, 16: 16 * MS}
    why = {"passed": "", "failed": "the time counted for the RX softirq rose by 3.000 ms, but the test program spun for 10.000 ms; the witness saw 0 of 1000 messages",
           "impossible": "cannot create a network namespace: Operation not permitted"}
    for when, at, s in zip(("start", "end"), (START - 30 * MS, START + 1000 * MS), state):
        measured = {} if s == "impossible" else {5: 1, **load, **({7: 3 * MS, 10: 0, 12: 0} if s == "failed" else {})}
        record = [CERTIFICATE, {1: at, 2: when, 3: s, 4: why[s], **measured}]
        if when == "start":
            t.frames[0].append(record)
        else:
            t.add(*record)
    t.end(1810, 15, 16, 3)
    return t


def calls_only():
    """Makes --exact=calls: socket operations are counted, and their time is part of the time of
    the calling task."""
    t, task = full(k14="calls"), {}
    t.add(SOURCE, {1: "exact", 2: "measured", 3: "bpf", 4: "socket operations are counted, not timed"})
    for kind, fields in [o for frame in t.frames for o in frame]:
        if kind == PROBE and fields[2] in (3, 4, 5):
            fields[3], fields[4] = "tracepoint", ["sock_send_length", "sock_recv_length"]
            fields[6].append("tracepoint: only calls are counted (--exact=entry times them)")
        elif kind == EXACT and fields[1] == 1:
            task = fields
        elif kind == EXACT and fields[1] in (3, 4, 5):
            task[2] = [a + b for a, b in zip(task[2], fields[2])]
            fields[2] = [None, None]
        elif kind == EXACT_LOSS:
            for key in (2, 3, 4, 5):
                fields[key] = [None, None]
    for frame in t.frames:
        frame[:] = [o for o in frame if o[0] != OUTSIDE]
    t.end(1810, 15, 16, 3)
    return t


# ns of CPU 0 in each part of the RX softirq, exclusive; 5 ms of the softirq's 60 ms are in no part
RX_PARTS = [5, 3, 4, 0, 2, 1, 6, 0, 3, 0, 10, 0, 20, 1]


def rx_parts(names, mark="half", more=()):
    """Makes --exact=full in four intervals. There was no RX softirq in the third, and twice as
    much in the fourth."""
    t = Trace(k8=[0, 1], **{**HOST, **WITH_SAMPLES, "k13": 250, "k14": "full", "k15": 100, "k18": START, **names})
    t.frame(START, START + 1000 * MS, [0, 0])
    definitions(t)
    for part, rx in ((0, 0), (0.25, 0.25), (0.5, 0.5), (0.75, 0.5), (1, 1)):
        at = START + int(1000 * MS * part)
        t.add(TICK, {1: at, 2: [0, 1], 3: [at, at]})
        for event in range(8):
            ns = EXACT0[event] * (rx if event == 6 else part)
            if event == 1:
                ns += EXACT0[6] * (part - rx)  # the times must still sum to the elapsed time
            t.add(EXACT, {1: event, 2: [int(ns * MS), int(EXACT1[event] * part * MS)]})
        for p, ms in enumerate(RX_PARTS):
            t.add(EXACT_PART, {1: p, 2: [int(ms * rx * MS), 0], 3: [int(ms * rx * MS), 0], 4: [int(8 * rx), 0]})
        # all keys of EXACT_LOSS
        t.add(EXACT_LOSS, {**{key: [0, 0] for key in (1, 2, 3, 4, 5, 7, 8, 9)}, 6: 0})
    samples(t, 0, CPU0)
    samples(t, 1, CPU1, task=1)
    t.add(MARK, {1: START + 500 * MS, 2: mark})
    for ms, text in more:
        t.add(MARK, {1: START + ms * MS, 2: text})
    t.end(1810, 15, 16, 3)
    return t


def drops():
    """Makes three ticks. Counters of protocols and drops are read for 2 s, starting at 0.2 s.
    CPU 1 begins to drop in the second interval. One counter is unknown at first, and another
    one always. The last counter comes from a newer recorder."""
    t = Trace(k8=[0, 1], **HOST, k10=0, k13=1000, k14="off", k15=100, k18=START)
    t.add(SOURCE, {1: "drops", 2: "measured", 3: "skb:kfree_skb", 4: ""})
    t.frame(START, START + 2800 * MS, [0, 0])
    t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
    t.add(COUNTER_NAMES, {1: 1, 2: ["Tcp.OutSegs", "Tcp.RetransSegs", "Udp.RcvbufErrors", "Udp.SndbufErrors"]})
    t.add(COUNTER_NAMES, {1: 5, 2: ["TcpExt.ListenDrops", "New.Counter"]})
    t.add(DROP_REASONS, {1: 1, 2: ["NETFILTER_DROP"], 3: [0]})
    for i in range(3):
        at = START + 1000 * MS * i
        read = {30: at + 100 * MS, 31: at + 300 * MS}
        t.add(TICK, {1: at, 2: [0, 1], 3: [None, None]})
        t.add(NETDEV_STATS, {1: [1], 2: [1000 * i], 3: [10 ** 6 * i], 30: at, 31: at + 400 * MS * i})
        t.add(COUNTERS, {1: [7000 + 2000 * i, 100 + 30 * i, None if not i else 50 * i, None, 3, 8 * i], **read})
        t.add(SOFTIRQS, {1: [0, 0], 2: [100 * i, 50 * i], 3: [i, 0], 4: [2 ** 32 - 100 + 500 * i if not i else 500 * i - 100,
                                                                        200 * i], 5: [None, None], **read})
        if i == 1:
            t.add(DROP_REASONS, {1: 2, 2: ["SOCKET_RCVBUFF", "NETFILTER_DROP"], 3: [0, 1]})
        t.add(IRQ_STATS, {1: 1, 2: [(2 ** 32 - 10 + 20 * i) % 2 ** 32, None if i == 1 else 7 + i], **read})
        t.add(DROPS, {1: [5 + 10 * i] + [[], [400, 60], [1000, 60]][i], **read})
    t.end(0, 0, 0, 0)
    t.frames[-1][-1][1][7] = START + 2800 * MS
    return t


# 1000 samples a second are due. In the 400 ms of a pause, CPU 0 was idle for 158 ms, and CPU 1 for
# 395 ms.
WINDOW0 = {0: 20, 6: 9, 7: 4, 9: 4, 11: 2, 12: 1, 13: 2, 14: 8}
PAUSE0 = {0: 150, 6: 36, 7: 16, 9: 16, 11: 8, 12: 4, 13: 8, 14: 4}
PAUSE1 = {3: 300, 14: 5}


def peers():
    """Makes two windows in which messages are counted by peer. The map has room for three peers."""
    t = Trace(k8=[0, 1], **HOST, k10=0, k13=1000, k14="off", k15=100, k18=START, k23=10000)
    t.add(SOURCE, {1: "peers", 2: "measured", 3: "sock_send_length", 4: ""})
    t.frame(START, START + 2000 * MS, [0, 0])
    for ms, off_ms, counts in ((0, 0, 0), (500, 0, 1), (1500, 1000, 0), (2000, 0, 2)):
        t.add(TICK, {1: START + ms * MS, 2: [0, 1], 3: [None, None], 4: off_ms * MS})
        if off_ms == 0:
            t.add(PEERS, {1: ["private", "loopback", "global", ""][:4 * counts], 2: ["10.1.2.3", "::1", "", ""][:4 * counts],
                          3: ["tcp", "udp", "1", ""][:4 * counts], 4: [20001, 20002, None, None][:4 * counts],
                          5: ["local", "remote", "", ""][:4 * counts], **{k: [n * k * counts for n in (100, 10, 1, 5)][:4 * counts] for k in (6, 7, 8, 9)}})
    t.end(0, 0, 0, 0)
    t.frames[-1][-1][1][7] = START + 2000 * MS
    return t


def windows():
    """Makes a recording that counts exactly for 0.1 s, then pauses for 0.4 s, twice."""
    t = Trace(k8=[0, 1], **HOST, **WITH_SAMPLES, k13=500, k14="entry", k15=100, k18=START, k23=5000)
    t.frame(START, START + 1000 * MS, [0, 0])
    definitions(t)

    # Full ticks are at 0, 500 and 1000 ms. The idle times of /proc/stat equal the sum of those of
    # exact counters and of the pauses.
    def procstat(ms):
        t.add(PROCSTAT, {1: [60 + ms // 40, 60], 3: [0, 0], 4: [70 + round(0.416 * ms / 10), 80 + round(0.986 * ms / 10)], 5: [0, 0]})

    def read(ms, counted_ms):
        off = (ms - counted_ms) * MS
        t.add(TICK, {1: START + ms * MS, 2: [0, 1], 3: [START + ms * MS] * 2})
        for event in range(8):
            t.add(EXACT, {1: event, 2: [EXACT0[event] * MS * counted_ms // 1000, EXACT1[event] * MS * counted_ms // 1000],
                          3: [CALLS[event] * counted_ms // 1000, 0], 4: [0, 0],
                          5: [CALLS[event] * counted_ms if event in (3, 4, 5) else 0, 0]})
        t.add(EXACT_LOSS, {1: [0, 0], 6: 0, 9: [off, off], 10: [off, off]})
        if ms % 500 == 0:
            procstat(ms)

    def take(cpu, from_ms, counts):
        stacks = [s for s, n in counts.items() for _ in range(n)]
        t.add(SAMPLES, {1: cpu, 2: START + from_ms * MS, 3: 1000, 4: 1000, 5: [0] * len(stacks),
                        6: stacks, 7: [2] * len(stacks)})

    for ms, counted_ms in ((0, 0), (500, 100)):
        read(ms, counted_ms)
        read(ms + 100, counted_ms + 100)
        for cpu, counts in enumerate((WINDOW0, {14: 2})):
            take(cpu, ms, counts)
        for at in (ms + 101, ms + 200) + ((1000,) if ms else ()):
            t.add(TICK, {1: START + at * MS, 2: [0, 1], 3: [None, None]})
        if ms:
            procstat(1000)
        for cpu, counts in enumerate((PAUSE0, PAUSE1)):
            take(cpu, ms + 100, counts)
    t.end(2 * (50 + 2 + 242 + 305), 15, 16, 3)
    return t


def make(folder):
    def path(name):
        return os.path.join(folder, name + ".nct")

    t = full()
    t.add(99, {1: 2})                             # a type, a key and an event of a newer version
    t.add(TICK, {1: START + 1000 * MS, 2: [0, 1], 3: [None, None]})
    t.add(SELF, {1: 3000, 2: 6000, 3: 9000, 4: 0, 60: [1, {2: None}]})
    t.add(EXACT, {1: 55, 2: [1, 1]})
    t.end(1810, 15, 16, 3)
    t.write(path("full"))

    t = full()
    t.write(path("cut"), cut=3)

    t = full()
    t.end(1809, 15, 16, 3)
    t.write(path("wrong"))

    t = full()
    t.add(END, {8: "the command ended"})  # END without the totals
    t.write(path("nototals"))

    # The events of CPU 0 take 247 % of the time in the second half. CPU 1 is consistent.
    t = full()
    last = [o for frame in t.frames for o in frame if o[0] == EXACT][-8:]
    for kind, fields in last:
        if fields[1] == 0:
            fields[2][0] += 1470 * MS
    t.end(1810, 15, 16, 3)
    t.write(path("oversum"))

    # The second reading of CPU 0 is torn, and marked so.
    t = full()
    for i, (kind, fields) in enumerate([o for o in t.frames[1] if o[0] in (EXACT, EXACT_LOSS)]):
        if kind == EXACT and fields[1] == 0 and i == 9:
            fields[2][0] += 77 * MS
        if kind == EXACT_LOSS:
            fields[6], fields[9] = int(i > 8), [0, 0]
    t.end(1810, 15, 16, 3)
    t.write(path("torn"))

    hardirq().write(path("hardirq"))
    processes().write(path("processes"))
    processes(pmu=True).write(path("processes-pmu"))
    owners().write(path("owners"))
    owners(10).write(path("owners-some"))
    owners(after=True).write(path("owners-after"))
    latency().write(path("latency"))
    latency_only().write(path("latency-only"))
    tail().write(path("tail"))
    t = tail()  # only one CPU has samples, some spans have a single sample, and softirqs are unknown causes
    for _, fields in (o for frame in t.frames for o in frame if o[0] == LATENCY_TAIL):
        fields[5] = [0 if what == 7 else what for what in fields[5]]
    t.frames = [[o for o in frame if o[0] != SAMPLES or not o[1][1]] for frame in t.frames]
    t.frames[-1].pop()
    t.end(900, 15, 16, 3)
    t.write(path("tail-one"))
    stages().write(path("stages"))
    certified("passed", "passed").write(path("certified"))
    certified("failed", "impossible").write(path("uncertified"))
    calls_only().write(path("calls"))

    t = full(k22=4)  # two of four CPUs were recorded
    t.end(1810, 15, 16, 3)
    t.write(path("somecpus"))

    t = full(k21="network")
    t.frames = [[o for o in frame if o[0] != SAMPLES] for frame in t.frames]
    samples(t, 0, {6: 81, 7: 38, 9: 38, 11: 21, 14: 12})  # 190 of the 200 ms inside the network
    t.end(190, 15, 16, 3)
    t.write(path("netonly"))

    for name, exact in (("cycles", True), ("cycles-noexact", False)):
        event = {**WITH_SAMPLES, "k12": "cycles", "k20": 2400000}
        t = Trace(k8=[0, 1], **HOST, **event, k13=500, k14="entry" if exact else "off", k15=100, k18=START)
        t.add(SOURCE, {1: "samples", 2: "measured", 3: "perf cycles", 4: ""})
        if not exact:
            t.add(SOURCE, {1: "exact", 2: "refused", 3: "", 4: "not allowed to load BPF programs"})
        t.frame(START, START + 1000 * MS + 9, [0, 0])
        definitions(t)
        for i in (1, 2, 3):
            t.add(NETDEV, {1: i, 2: "if%d" % i, 3: 1})
        for part in (0, 1):
            tick(t, part, with_exact=exact)
        samples(t, 0, {n: c for n, c in CPU0.items() if n != 3})  # no cycles pass on an idle CPU
        samples(t, 1, {0: 5, 14: 5}, task=1)
        t.end(510, 15, 16, 3)
        t.write(path(name))

    # Socket calls with stacks that do not show their kind (5, a send; 7, a receive), among others that do.
    t = Trace(k8=[0], **HOST, **WITH_SAMPLES, k13=500, k14="off", k15=100, k18=START)
    t.frame(START, START + 1000 * MS + 9, [0])
    definitions(t)
    calls = [(2, [5, 12, 5, 5, 6, 5, 7]), (3, [5, 12, 7]), (1, [5])]
    stacks = [s for _, some in calls for s in some]
    t.add(SAMPLES, {1: 0, 2: START, 3: 1000, 4: 1000, 5: [0] * len(stacks), 6: stacks,
                    7: [task for task, some in calls for _ in some]})
    t.end(len(stacks), 15, 16, 3)
    t.write(path("families"))

    t = Trace(k8=[0, 1], **HOST, k10=0, k13=500, k14="entry", k15=100, k18=START)
    t.add(SOURCE, {1: "samples", 2: "off", 3: "", 4: "-F 0"})
    t.frame(START, START + 1000 * MS + 9, [0, 0])
    for i in (1, 2, 3):
        t.add(NETDEV, {1: i, 2: "if%d" % i, 3: 1})
    for part in (0, 1):
        tick(t, part, with_samples=False)
    t.end(0, 0, 0, 0)
    t.write(path("nosamples"))

    t = Trace(k8=[0, 1], **HOST, **WITH_SAMPLES, k13=500, k14="off", k15=100, k18=START)
    t.add(SOURCE, {1: "exact", 2: "refused", 3: "", 4: "not allowed to load BPF programs"})
    t.frame(START, START + 1000 * MS + 9, [0, 0])
    definitions(t)
    for i in (1, 2, 3):
        t.add(NETDEV, {1: i, 2: "if%d" % i, 3: 1})
    for part in (0, 1):
        tick(t, part, with_exact=False)
    samples(t, 0, CPU0)
    samples(t, 1, CPU1, task=1)
    t.end(1810, 15, 16, 3)
    t.write(path("noexact"))

    t = Trace(k8=list(range(20)), **HOST, k10=0, k13=500, k14="entry", k15=100, k18=START)
    t.frame(START, START + 1000 * MS + 9, [0] * 20)
    for part in (0, 1):
        at = START + 1000 * MS * part
        t.add(TICK, {1: at, 2: list(range(20)), 3: [at] * 20})
        for event in range(8):
            ms = [1000 - i if event == 0 else i if event == 6 else 0 for i in range(20)]
            t.add(EXACT, {1: event, 2: [x * part * MS for x in ms]})
    t.end(0, 0, 0, 0)
    t.write(path("manycpus"))

    t = Trace(k8=[0, 1], **HOST, **WITH_SAMPLES, k13=500, k14="entry", k15=100, k18=START)
    t.add(SOURCE, {1: "samples", 2: "measured", 3: "", 4: "no samples for 0.310 s of 1 CPU that went offline"})
    t.frame(START, START + 1000 * MS, [0, 0])
    definitions(t)
    for part in (0, 1):  # CPU 1 was offline for 300 ms, and idle for the rest of the time
        t.add(TICK, {1: START + 1000 * MS * part, 2: [0, 1], 3: [START + 1000 * MS * part] * 2})
        for event in range(8):
            t.add(EXACT, {1: event, 2: [part * EXACT0[event] * MS, 0 if event else part * 700 * MS]})
        t.add(EXACT_LOSS, {9: [0, part * 300 * MS]})
        t.add(SAMPLE_LOSS, {1: [900 * part, 620 * part], 2: [0, 0], 3: [0, 0], 4: [0, part * 310 * MS]})
    samples(t, 0, CPU0)
    samples(t, 1, {3: 620}, task=1)
    t.end(1520, 15, 16, 3)
    t.write(path("offline"))

    windows().write(path("windows"))
    peers().write(path("peers"))

    drops().write(path("drops"))
    others().write(path("others"))
    others(3).write(path("others-slower"))

    t = drops()  # the drops were measured as zero, and the other counters were not measured
    t.frames = [[o for o in frame if o[0] not in (COUNTER_NAMES, COUNTERS, SOFTIRQS, DROP_REASONS)] for frame in t.frames]
    for kind, fields in t.frames[1]:
        if kind == DROPS:
            fields[1] = []
    t.frames[-1].pop()
    t.end(0, 0, 0, 0)
    t.write(path("nodrops"))

    t = Trace(k8=[])  # the smallest valid trace
    t.write(path("bare"))

    t = Trace(k8=[0], k18=START)  # there is no time of day, no tick length, and no time of the mark
    t.add(CLOCK, {1: START + MS})
    t.frame(START, START + 1000 * MS, [])
    for part in (0, 1):
        t.add(TICK, {1: START + 1000 * MS * part, 2: [0]})
    t.add(MARK, {2: "sometime"})
    t.end(0, 0, 0, 0)
    t.write(path("unsaid"))

    t = Trace(k8=[9000], k18=START)
    t.frame(START, START + 1000 * MS, [])
    for part in (0, 1):
        t.add(TICK, {1: START + 1000 * MS * part, 2: [0]})
    t.write(path("badcpu"))

    t = full(k16="zx-host", k17=["zx-command", "--zx-option"])  # every private text; each begins with zx
    t.add(SOURCE, {1: "netdev", 2: "refused", 3: "/sys/class/net/zx-if", 4: "#145 zx-if 19"})
    t.add(MODULE, {1: 2, 2: "bpf"})
    t.add(SYMBOLS, {1: 16, 2: ["bpf_prog_0123456789abcdef_zx_prog", "bpf_prog_put"], 3: [2, 0], 4: [0, 4096]})
    t.add(TASKS, {1: 4, 2: [4711, 4712, 4713, 4711], 3: [4711, 4711, 4713, 4711],
                  4: ["zx-task", "napi/zx-if-8193", "kworker/u8:1-zx", "zx-renamed"]})
    t.add(NETDEV, {1: 4, 2: "zx-if", 3: 1})
    t.add(CGROUPS, {1: 2, 2: ["/zx-slice/zx-unit", ""]})
    t.add(OTHER_PROGRAMS, {1: 1, 2: ["zx_prog", "sched_switch", "", "zx_other"], 3: ["xdp", "tracing", "lsm", "kprobe"],
                           4: ["interface zx-if xdp, interface lo tc ingress", "raw_tp sched_switch", "", "zx-word"]})
    t.add(MARK, {1: START + 2, 2: "zx-mark"})
    for kind, fields in private_waits():
        t.add(kind, fields)
    t.end(1810, 17, 16, 7, why="the zx-process ended")
    t.write(path("private"))

    poisoned().write(path("poisoned"))

    # Every string has text that a spreadsheet would execute, and a one-character CSI of a terminal.
    formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "a=1", "\u009b31m"]
    t = full(k16="=host")
    t.add(SYMBOLS, {1: 16, 2: formulas, 3: [0] * 8, 4: list(range(8))})
    t.add(STACKS, {1: 17, 2: [17 + i for i in range(8)], 3: [16 + i for i in range(8)]})
    t.add(TASKS, {1: 4, 2: list(range(201, 209)), 3: list(range(201, 209)), 4: formulas})
    t.add(CGROUPS, {1: 2, 2: formulas})
    t.add(SAMPLES, {1: 0, 2: START, 3: 1000, 4: 1000, 5: [0] * 8, 6: list(range(17, 25)), 7: list(range(4, 12)),
                    8: list(range(2, 10))})
    t.add(MARK, {1: START + 700 * MS, 2: "=1+1"})
    t.end(1818, 23, 24, 11, why="=1+1")
    t.write(path("=formulas"))

    # the only samples are idle
    t = Trace(k8=[0], **HOST, **WITH_SAMPLES, k13=500, k14="off", k15=100, k18=START)
    t.frame(START, START + 1000 * MS, [0])
    definitions(t)
    samples(t, 0, {3: 500}, task=1)
    t.end(500, 15, 16, 3)
    t.write(path("idle"))

    t = rx_parts({})
    t.write(path("rxparts"))
    t = rx_parts({}, "load begins", ((505, "second"), (510, "third"), (800, "load ends")))
    t.write(path("marks"))
    t = rx_parts({"k18": START - 4000 * MS})
    t.write(path("late"))

    # Text that gnuplot would execute, or that would be markup, unless it is escaped. EOD ends
    # gnuplot's data.
    evil = "`touch x`$(touch x)'\"\\@x{/:Bold y}<script>alert(1)</script>&lt;\n\x1b[31m\u202e\nEOD\nsystem('touch x')\n"
    t = rx_parts(dict(k5=evil, k6=evil, k9=evil, k14=evil), mark=evil)
    t.write(path("hostile"))

    t = rx_parts(dict(k5="'6.1'", k14="'full'"), mark="'deploy'")
    t.write(path("'q"))

    t = full(k16="host.example")
    t.frames = t.frames[:1]
    t.add(STACKS, {1: 2, 2: [1], 3: [0]})
    t.write(path("contradiction"))


# ---- hostile names: text that a page or a picture might interpret

HOSTILE = ("<script>hostile=1</script>\"']]>--><img src=x onerror=hostile=1>&lt;&#60;b>`${hostile=1}\x1b[31m\x00\x85"
           "\u202e\u2066\u200f\udced\udca0\udc80\udcff</title></text></style><svg onload=hostile=1>"
           "javascript:hostile=1;\n<b>")
# prefixes of functions that the rules have
PLAIN = ("__x64_sys", "entry_", "udp_", "net_rx", "unix_", "cpu_", "do_", "nic_")


def poison(value, kind):
    if isinstance(value, str):
        return value if kind == SYMBOLS and value.startswith(PLAIN) else value + HOSTILE
    if isinstance(value, list):
        return [poison(v, kind) for v in value]
    return value


def poisoned():
    t = full(k16="host")
    t.add(CGROUPS, {1: 2, 2: ["/slice"]})
    for frame in t.frames:
        for kind, fields in frame:
            for key in fields:
                fields[key] = poison(fields[key], kind)
    t.add(SAMPLES, {1: 0, 2: START, 3: 1000, 4: 1000, 5: [0] * 9, 6: [14] * 9, 7: [3] * 9, 8: [2] * 9})
    t.end(1819, 15, 16, 3, why="the command" + HOSTILE)
    return t


# ---- hostile traces: complete frames with correct checksums, and one error

EDGES = [0, 1, 2, 15, 16, 17, 127, 128, 8191, 8192, 2 ** 26, 2 ** 31, 2 ** 32 - 1, 2 ** 62, 2 ** 63 - 1,
         -1, -2 ** 62, None, "", "x", []]


def places(value, path=()):
    """Returns the paths of all values that are nested in an object's fields."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,)
        yield from places(inner, path + (key,))


def mutate(objects, rnd):
    obj = rnd.choice(objects)
    path = rnd.choice(list(places(obj[1])) or [()])
    if not path:
        return
    at = obj[1]
    for key in path[:-1]:
        at = at[key]
    what = rnd.randrange(4)
    if what == 0 and isinstance(at, list):
        at.append(rnd.choice(EDGES))
    elif what == 1:
        del at[path[-1]]
    elif what == 2:
        objects.insert(rnd.randrange(len(objects)), obj)
    else:
        at[path[-1]] = rnd.choice(EDGES)


def mutants(folder, n):
    """Makes mutant-0.nct …, which are the same each time."""
    for i in range(n):
        rnd = random.Random(i)
        t = processes() if i % 4 == 3 else full()
        if i % 4 != 3:
            t.end(1810, 15, 16, 3)
        t.frames = [msgpack.unpackb(msgpack.packb(f, unicode_errors="surrogateescape"), strict_map_key=False,
                                    unicode_errors="surrogateescape") for f in t.frames]
        for _ in range(1 + i % 3):
            mutate(rnd.choice(t.frames[1:]), rnd)
        t.write(os.path.join(folder, "mutant-%d.nct" % i))
