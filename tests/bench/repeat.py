# SPDX-License-Identifier: BSD-2-Clause
"""repeat.py IN OUT MILLIONS [CPUS STACKS TASKS]: makes a trace with that many million samples, to measure how replay
scales. It repeats the samples of a real trace with later times; with CPUS, it makes 22 a second for each, and a tick a
second: a billion samples of 512 CPUs are a day. It shares no code with the project's writer."""
import ctypes
import random
import struct
import sys

import msgpack

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import FRAME, INDEX  # noqa: E402

CHECKSUM_FLAG = 201  # ZSTD_c_checksumFlag

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_createCCtx.restype = ctypes.c_void_p
zstd.ZSTD_compressBound.restype = zstd.ZSTD_compress2.restype = ctypes.c_size_t


class Writer:
    def __init__(self, path):
        self.out, self.seq, self.index, self.offset = open(path, "wb"), 0, [], 16
        self.out.write(b"\x5c\x2a\x4d\x18\x08\x00\x00\x00netcost\x01")
        self.ctx = ctypes.c_void_p(zstd.ZSTD_createCCtx())
        zstd.ZSTD_CCtx_setParameter(self.ctx, CHECKSUM_FLAG, 1)

    def frame(self, objects, head=True, first=0, last=2**62, defines=1):
        if head:
            self.seq += 1
            objects = [[FRAME, {1: self.seq, 2: first, 3: last, 4: []}]] + objects
        raw = b"".join(o if isinstance(o, bytes) else msgpack.packb(o) for o in objects)
        n = zstd.ZSTD_compressBound(ctypes.c_size_t(len(raw)))
        buf = ctypes.create_string_buffer(n)
        n = zstd.ZSTD_compress2(self.ctx, buf, ctypes.c_size_t(n), raw, ctypes.c_size_t(len(raw)))
        self.out.write(buf.raw[:n])
        self.index.append((self.offset, *((first, last) if head else (None, None)), defines, n, len(raw)))
        self.offset += n

    def end(self, totals):
        self.frame([[INDEX, dict(enumerate(list(zip(*self.index))[:4], 1))], [nct.END, {1: self.seq + 1, **totals}]])
        rows = b"".join(struct.pack("<II", *f[4:]) for f in [(0,) * 4 + (16, 0)] + self.index)
        rows += struct.pack("<IBI", len(rows) // 8, 0, 0x8f92eab1)
        self.out.write(struct.pack("<II", 0x184d2a5e, len(rows)) + rows)


def blob(i, *sorts):
    """Returns columns of 22 samples: a new share of stacks and of tasks, and some that other samples had before."""
    stacks, tasks = [(list(range(first + n * i, first + n * (i + 1))) +
                      random.choices(range(1, first + n * i), k=22))[:22] for first, n in sorts]
    return b"".join(bytes([5 + k]) + msgpack.packb(c) for k, c in enumerate(
        ([0] * 22, stacks, sorted(tasks[:4] * 6)[:22], [1] * 22)))


def day(real, w, want, cpus, nstacks, ntasks):
    """Half of the stacks and tasks appear in the first quarter of the time."""
    head, end, at, known, seconds, blobs = real[0][1], real[-1][1], real[0][1][18], 0, want // cpus // 22, nstacks // 16
    sorts = (end[5] + 1, 16), (end[6] + 1, ntasks // blobs)  # the first new id, and the new ids of a blob
    w.frame([[nct.HEADER, {**head, 7: cpus, 8: list(range(cpus)), 10: 22, 22: cpus}]], head=False)
    w.frame([o for o in real if o[0] in (nct.SCHEMA, nct.NAMES, nct.CLOCK, nct.SOURCE, nct.PROBE, nct.MODULE,
                                         nct.SYMBOLS, nct.STACKS, nct.TASKS, nct.CGROUPS)])
    tails, noise = [blob(i, *sorts) for i in range(blobs)], [random.randint(0, 10**6) for _ in range(cpus)]
    for second in range(1, seconds + 1):
        at += 10**9
        w.frame([[nct.TICK, {1: at, 2: list(range(cpus)), 3: [at] * cpus}]] +
                [[nct.EXACT, {1: event, **{k: [n + second * ns for n in noise] for k in (2, 3, 5)}}]
                 for event, ns in ((0, 4 * 10**8), (1, 3 * 10**8), (6, 3 * 10**8))], first=at, last=at, defines=0)
        new, known = range(known, int(blobs * (second / seconds)**.5)), int(blobs * (second / seconds)**.5)
        stacks, tasks = [[first + n * i + k for i in new for k in range(n)] for first, n in sorts]
        if new:
            w.frame([[nct.STACKS, {1: stacks[0], 2: [i - random.randint(1, end[5]) for i in stacks],
                                   3: random.choices(range(1, end[4] + 1), k=len(stacks))}],
                     [nct.TASKS, {1: tasks[0], 2: tasks, 3: tasks, 4: ["task-%d" % (i % 99) for i in tasks]}]], last=0)
        w.frame([b"\x92\x0a\x88\x01" + msgpack.packb(cpu) + b"\x02\xcf" + struct.pack(">Q", at - 10**9 + 1000 * cpu) +
                 b"\x03\xcd\x03\xe8\x04\xcd\xaf\xc8" + tails[int(known * random.random()**2)] for cpu in range(cpus)],
                first=at - 10**9, last=at, defines=0)
    w.end({3: seconds * cpus * 22, 4: end[4], **{5 + k: f + n * blobs - 1 for k, (f, n) in enumerate(sorts)}, 7: at})


def main():
    source, target, want = sys.argv[1], sys.argv[2], int(float(sys.argv[3]) * 1e6)
    real = list(nct.raw_objects(source))
    if len(sys.argv) > 4:
        return day(real, Writer(target), want, *map(int, sys.argv[4:]))
    rest = [o for o in real if o[0] not in (FRAME, nct.SAMPLES, nct.END, INDEX)]
    samples = [r for t, r in real if t == nct.SAMPLES]
    span = max(r[2] for r in samples) - min(r[2] for r in samples) + 10**9
    w = Writer(target)
    w.frame([rest[0]], head=False)
    w.frame(rest[1:])
    written, lap, batch, held = 0, 0, [], 0
    while written < want:
        for kind, r in real:
            if kind != nct.SAMPLES:
                continue
            batch.append([kind, {**r, 2: r[2] + lap * span}])
            held += len(r[6])
        # Each frame has one repetition, because several would compress too well.
        w.frame(batch, defines=0)
        written += held
        batch, held, lap = [], 0, lap + 1
    w.end({3: written, 8: "repeated"})


main()
