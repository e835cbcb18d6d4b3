#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""reasons_convert.py FILE...: in recorded traces, writes reasons as numbers with arguments in the place of sentences
(format/SPEC.md, 4.6). Frames keep their objects, and their bytes where nothing is to be converted; INDEX and the seek table
are made anew. Files of one part only."""
import ctypes
import os
import struct
import sys

import msgpack

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")]
import reasons  # noqa: E402

INDEX, SEEK_TABLE = 126, 0x184d2a5e
MAGIC = b"\x28\xb5\x2f\xfd"
zstd = ctypes.CDLL("libzstd.so.1")
for name in ("ZSTD_createCCtx",):
    getattr(zstd, name).restype = ctypes.c_void_p
for name in ("ZSTD_findFrameCompressedSize", "ZSTD_decompress", "ZSTD_compressBound", "ZSTD_compress2"):
    getattr(zstd, name).restype = ctypes.c_size_t
CTX = ctypes.c_void_p(zstd.ZSTD_createCCtx())
zstd.ZSTD_CCtx_setParameter(CTX, 201, 1)  # ZSTD_c_checksumFlag
zstd.ZSTD_CCtx_setParameter(CTX, 100, 19)  # ZSTD_c_compressionLevel


def unpacked(frame):
    room = ctypes.create_string_buffer(8 << 20)
    n = zstd.ZSTD_decompress(room, ctypes.c_size_t(8 << 20), frame, ctypes.c_size_t(len(frame)))
    return room.raw[:n]


def packed(raw):
    n = zstd.ZSTD_compressBound(ctypes.c_size_t(len(raw)))
    room = ctypes.create_string_buffer(n)
    n = zstd.ZSTD_compress2(CTX, room, ctypes.c_size_t(n), raw, ctypes.c_size_t(len(raw)))
    return room.raw[:n]


def converted(raw, moved):
    """The content of a frame; objects that do not change keep their bytes. moved: where frames begin now, by where they did."""
    unpacker = msgpack.Unpacker(strict_map_key=False, max_buffer_size=0)
    unpacker.feed(raw)
    out, at = [], 0
    for kind, keys in unpacker:
        end = unpacker.tell()
        new = reasons.coded_record(kind, keys)
        if kind == INDEX:
            new[1] = [moved[offset] for offset in keys[1]]
        out.append(raw[at:end] if new == keys else msgpack.packb([kind, new]))
        at = end
    return b"".join(out)


def seek_table(frames):
    """frames: their bytes, and how many they hold."""
    rows = b"".join(struct.pack("<II", len(frame), held) for frame, held in frames)
    return struct.pack("<II", SEEK_TABLE, len(rows) + 9) + rows + struct.pack("<IBI", len(frames), 0, 0x8f92eab1)


def convert(data):
    frames, moved, at, to = [], {}, 0, 0
    while at < len(data):
        n = zstd.ZSTD_findFrameCompressedSize(data[at:], ctypes.c_size_t(len(data) - at))
        frame, held = data[at:at + n], 0
        moved[at] = to
        if frame[:4] == MAGIC:
            raw = unpacked(frame)
            new = converted(raw, moved)
            frame, held = frame if new == raw else packed(new), len(new)
        at += n
        if struct.unpack("<I", frame[:4])[0] == SEEK_TABLE:
            frame = seek_table(frames)
        frames.append((frame, held))
        to += len(frame)
    return b"".join(frame for frame, _ in frames)


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        before = file.read()
    with open(path, "wb") as file:
        file.write(convert(before))
