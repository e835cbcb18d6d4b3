# SPDX-License-Identifier: BSD-2-Clause
"""large_traces.py FOLDER [TIMES [NAME...]]: makes small files that expand to very much data.
They follow format/SPEC.md except for the limits on the number of items that a reader must be
able to keep. Each file has a few KB to 2 MB, and expands to 100 MB or more."""
import os
import struct
import subprocess
import sys
import tempfile

import msgpack

from make_traces import (CGROUPS, CLOCK, CONTEXT, END, ENERGY_ZONE, EXACT, FRAME, HEADER, HOST, MAGIC, MODULE, MS, NETDEV,
                         NETDEV_STATS, PROCESSES, PROCESS_STATS, PROGRAM, SAMPLES, START, STACKS, SYMBOLS, TASKS, TICK,
                         WITH_SAMPLES)

ROOM = 7 << 20  # bytes of a frame; a copy of the frame is slightly larger


def array(n, elements):
    return b"\xdd" + struct.pack(">I", n) + elements


def uints(values):
    return array(len(values), b"".join(b"\xce" + struct.pack(">I", v) for v in values))


def record(kind, *fields):
    """fields: values from key 1 on, packed or to be packed; None if the key is absent."""
    some = [(key, v) for key, v in enumerate(fields, 1) if v is not None]
    return (b"\x92" + msgpack.packb(kind) + bytes([0x80 + len(some)]) +
            b"".join(msgpack.packb(key) + (v if isinstance(v, bytes) else msgpack.packb(v)) for key, v in some))


class File:
    """A trace that is written frame by frame, because it would not fit into memory."""

    def __init__(self, path, cpus):
        self.path, self.frames, self.end_ns = path, 0, START + 1000 * MS
        self.out = open(path, "wb")
        self.out.write(MAGIC)
        self.out.flush()
        self.frame([msgpack.packb([HEADER, dict(sorted({1: 1, 2: 0, 3: [], 8: cpus, **{int(k[1:]): v for k, v in
                                                       {**HOST, **WITH_SAMPLES}.items()}}.items()))])])

    def frame(self, objects, first_ns=START, last_ns=START + 1000 * MS):
        if self.frames:
            objects = [msgpack.packb([FRAME, {1: self.frames, 2: first_ns, 3: last_ns}])] + objects
        self.frames += 1
        with tempfile.NamedTemporaryFile() as f:
            f.write(b"".join(objects))
            f.flush()
            subprocess.run(["zstd", "-q", "-c", "--check", "--content-size", f.name], check=True, stdout=self.out)

    def fill(self, objects):
        """Returns frames for the objects, as many as needed."""
        some, size = [], 0
        for o in objects:
            if size + len(o) > ROOM:
                self.frame(some)
                some, size = [], 0
            some.append(o)
            size += len(o)
        self.frame(some)

    def samples(self, cpu, stacks, tasks):
        """Returns SAMPLES that are all at the same time, with the given ids as packed columns."""
        n = struct.unpack(">I", stacks[1:5])[0]
        self.frame([record(SAMPLES, cpu, START + 500 * MS, 1, 0, array(n, b"\0" * n), stacks, tasks)])

    def end(self):
        self.frame([msgpack.packb([END, {7: self.end_ns, 8: "#1"}])])
        self.out.close()


def tasks(f, n, comm):
    """Makes n tasks with the same name, of which only one is sampled."""
    each = 2 + len(comm) + 1
    per = ROOM // each
    for first in range(1, n + 1, per):
        some = min(per, n + 1 - first)
        f.frame([record(TASKS, first, array(some, b"\1" * some), array(some, b"\1" * some),
                        array(some, msgpack.packb(comm) * some))])
    f.samples(0, array(1, b"\0"), array(1, b"\1"))


def sampled(f, n):
    """Makes n tasks, each with its own id and a sample."""
    per = 1000 * 400
    for first in range(1, n + 1, per):
        ids = uints(range(first, min(first + per, n + 1)))
        some = struct.unpack(">I", ids[1:5])[0]
        f.frame([record(TASKS, first, ids, ids, array(some, b"\xa0" * some))])
        f.samples(0, array(some, b"\0" * some), ids)


def symbols(f, n, name, own):
    """Makes n functions. own: each has its own name."""
    per = ROOM // (len(name) + (9 if own else 3) + 2)
    for first in range(1, n + 1, per):
        some = min(per, n + 1 - first)
        names = b"".join(msgpack.packb(name + "%06x" % i) for i in range(first, first + some)) if own else \
            msgpack.packb(name) * some
        f.frame([record(SYMBOLS, first, array(some, names), array(some, b"\0" * some), array(some, b"\0" * some))])
    f.frame([record(STACKS, 1, array(1, b"\1"), array(1, b"\1"))])
    f.samples(0, array(1, b"\1"), array(1, b"\0"))


def stacks(f, n):
    """Makes n stacks of one function that are 100 deep: every hundredth stack starts again."""
    f.frame([record(SYMBOLS, 1, array(1, b"\xa1x"), array(1, b"\0"), array(1, b"\0"))])
    for first in range(1, n + 1, 2000000):
        some = min(2000000, n + 1 - first)
        begins = array(some, b"".join(b"\xce" + struct.pack(">I", first + i) if i % 100 == 0 else b"\1"
                                      for i in range(some)))
        f.frame([record(STACKS, first, begins, array(some, b"\1" * some))])
    f.samples(0, array(1, b"\1"), array(1, b"\0"))


def flat(f, n, ncpus):
    """Makes n stacks, each with a sample on every CPU."""
    f.frame([record(SYMBOLS, 1, array(1, b"\xa1x"), array(1, b"\0"), array(1, b"\0")),
             record(STACKS, 1, uints(range(1, n + 1)), array(n, b"\1" * n))])
    ids = uints(range(1, n + 1))
    f.fill(record(SAMPLES, cpu, START + 500 * MS, 1, 0, array(n, b"\0" * n), ids,
                  array(n, b"\0" * n)) for cpu in range(ncpus))


def cgroups(f, n, path):
    per = ROOM // (len(path) + 2)
    for first in range(1, n + 1, per):
        some = min(per, n + 1 - first)
        f.frame([record(CGROUPS, first, array(some, msgpack.packb(path) * some))])


def netdevs(f, n):
    """Makes n interfaces with counters."""
    f.fill(record(NETDEV, i, "", 1) for i in range(1, n + 1))
    ids, packets = uints(range(1, n + 1)), array(n, b"\0" * n)
    for at in (START, START + 1000 * MS):
        f.frame([record(TICK, at, [], []), record(NETDEV_STATS, ids, packets)])


def processes(f, n, ticks):
    """Makes a build host with n processes. Each process changes its name once, so it has two ids
    as a process and as a task. Each ran in one of the ticks, which are a second long."""
    names, each, busy_ns = ["make", "sh", "cc1", "as", "collect2", "ld", "rm"], 2 * n // ticks, 0
    f.frame([msgpack.packb(o) for o in ([CLOCK, {1: START, 2: START, 3: START, 4: 1}], [CGROUPS, {1: 1, 2: ["/build.slice"]}])] +
            [record(SYMBOLS, 1, array(1, b"\xa1x"), array(1, b"\0"), array(1, b"\0")),
             record(STACKS, 1, array(1, b"\1"), array(1, b"\1"))])
    for i in range(ticks + 1):
        at, first, objects = START + 1000 * MS * i, (i - 1) * each + 1, []
        if i:
            ids, comms = range(first, first + each), [names[j % len(names)] for j in range(each)]
            pids = [1000 + j // 2 for j in ids]
            busy_ns += each * 100000
            objects = [[TASKS, {1: first, 2: pids, 3: pids, 4: comms}],
                       [PROCESSES, {1: first, 2: pids, 3: comms, 4: [at - 500 * MS] * each, 5: [1] * each, 6: [0] * each,
                                    7: [1000] * each}],
                       [SAMPLES, {1: 0, 2: at - 900 * MS, 3: 1, 4: MS, 5: [0] * 100, 6: [0, 1] * 50, 7: list(ids[:100]),
                                  8: [1] * 100}]]
        objects += [[TICK, {1: at, 2: [0], 3: [at]}], [EXACT, {1: 0, 2: [at - START - busy_ns]}],
                    [EXACT, {1: 1, 2: [busy_ns], 3: [0]}]]
        if i:
            objects.append([PROCESS_STATS, {1: list(ids), 2: [2] * each, 3: [100000] * each, 5: [0] * each, 6: [0] * each}])
        f.frame([msgpack.packb(o) for o in objects], at - 1000 * MS, at)
    f.end_ns = at


def settings(f, n):
    """Makes n rows of the same setting."""
    for some in [500000] * (n // 500000):
        row, none = array(some, b"\xa1x" * some), array(some, b"\xa0" * some)
        f.frame([record(CONTEXT, START, row, row, row, none)])


MAKE = {
    "tasks": lambda f, k: tasks(f, 1000000 * k, ""),
    "named-tasks": lambda f, k: tasks(f, 500000 * k, "worker"),
    "sampled-tasks": lambda f, k: sampled(f, 100000 * k),
    "symbols": lambda f, k: symbols(f, 1000000 * k, "", False),
    "names": lambda f, k: symbols(f, 5000 * k, "x" * 4000, False),
    "functions": lambda f, k: symbols(f, 100000 * k, "f", True),
    "stacks": lambda f, k: stacks(f, 500000 * k),
    "cpus": lambda f, k: flat(f, 1250 * k, 500),
    "cgroups": lambda f, k: cgroups(f, 1000000 * k, ""),
    "paths": lambda f, k: cgroups(f, 5000 * k, "/" * 4000),
    "netdevs": lambda f, k: netdevs(f, 25000 * k),
    "modules": lambda f, k: f.fill(record(MODULE, i, "") for i in range(1, 250000 * k)),
    "zones": lambda f, k: f.fill(record(ENERGY_ZONE, i, "", 0, 1, 0) for i in range(1, 50000 * k)),
    "programs": lambda f, k: f.fill(record(PROGRAM, i, "") for i in range(1, 50000 * k)),
    "processes": lambda f, k: processes(f, 20000 * k, 20 * k),
    "settings": lambda f, k: settings(f, 500000 * k),
}


def main(folder, times=1, *names):
    """Makes the traces with the given names, or all. times: the scale factor."""
    for name in names or MAKE:
        f = File(os.path.join(folder, name + ".nct"), list(range(500)) if name == "cpus" else [0])
        MAKE[name](f, int(times))
        f.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
