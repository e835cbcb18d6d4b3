# SPDX-License-Identifier: BSD-2-Clause
"""Counts the samples of a perf.data, compressed or not. It does not use perf script: if BPF
programs were loaded during the recording, perf script may stop in the middle of the file
("Can't parse sample", perf 6.1), and netcost would then seem to have more samples."""
import ctypes
import struct

SAMPLE, COMPRESSED = 9, 81  # PERF_RECORD_…

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_createDCtx.restype = ctypes.c_void_p
zstd.ZSTD_decompressStream.restype = ctypes.c_size_t


class Buffer(ctypes.Structure):
    _fields_ = [("p", ctypes.c_void_p), ("size", ctypes.c_size_t), ("pos", ctypes.c_size_t)]


def inflate(ctx, data):
    """Adds the records in some bytes, which continue an earlier stream."""
    kept = ctypes.create_string_buffer(data, len(data))
    source, room, out = Buffer(ctypes.addressof(kept), len(data), 0), ctypes.create_string_buffer(1 << 18), b""
    full = True
    while full or source.pos < source.size:
        target = Buffer(ctypes.addressof(room), len(room), 0)
        if zstd.ZSTD_isError(ctypes.c_size_t(zstd.ZSTD_decompressStream(ctx, ctypes.byref(target), ctypes.byref(source)))):
            raise ValueError("perf.data: a record that zstd cannot read")
        out += room.raw[:target.pos]
        full = target.pos == target.size
    return out


def records(data):
    """Yields (type, bytes) of each record, and returns the bytes of an incomplete record."""
    at = 0
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if size < 8 or at + size > len(data):
            break
        yield kind, data[at + 8:at + size]
        at += size
    yield None, data[at:]


def samples(path):
    data = open(path, "rb").read()
    start, size = struct.unpack_from("<QQ", data, 40)  # the data section in perf_file_header
    ctx, n, part = ctypes.c_void_p(zstd.ZSTD_createDCtx()), 0, b""
    for kind, record in records(data[start:start + size]):
        n += kind == SAMPLE
        for inner, rest in records(part + inflate(ctx, record)) if kind == COMPRESSED else ():
            n += inner == SAMPLE
            part = rest if inner is None else part
    return n
