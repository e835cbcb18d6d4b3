# SPDX-License-Identifier: BSD-2-Clause
"""repeat.py IN OUT MILLIONS: makes a trace with that many million samples, to measure how replay
scales. It repeats the samples of a real trace with later times. It shares no code with the
project's writer."""
import ctypes
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
        self.out, self.seq = open(path, "wb"), 0
        self.out.write(b"\x5c\x2a\x4d\x18\x08\x00\x00\x00netcost\x01")
        self.ctx = ctypes.c_void_p(zstd.ZSTD_createCCtx())
        zstd.ZSTD_CCtx_setParameter(self.ctx, CHECKSUM_FLAG, 1)

    def frame(self, objects, head=True):
        if head:
            self.seq += 1
            objects = [[FRAME, {1: self.seq, 2: 0, 3: 2**62, 4: []}]] + objects
        raw = b"".join(o if isinstance(o, bytes) else msgpack.packb(o) for o in objects)
        n = zstd.ZSTD_compressBound(ctypes.c_size_t(len(raw)))
        buf = ctypes.create_string_buffer(n)
        n = zstd.ZSTD_compress2(self.ctx, buf, ctypes.c_size_t(n), raw, ctypes.c_size_t(len(raw)))
        self.out.write(buf.raw[:n])


def main():
    source, target, want = sys.argv[1], sys.argv[2], int(float(sys.argv[3]) * 1e6)
    real = list(nct.raw_objects(source))
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
        w.frame(batch)
        written += held
        batch, held, lap = [], 0, lap + 1
    w.frame([[nct.END, {1: w.seq + 1, 2: 0, 3: written, 4: 0, 5: 0, 6: 0, 7: 0, 8: "repeated"}]])


main()
