#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""seekable.py [-r PROGRAM] FILE...: checks random access through the seek table alone. This is a
strict reader of zstd's seekable format, written from the description of the format: the table
must be the file's last frame, list every other frame, and be correct about each. Then parts
of the content, from anywhere, are assembled from the frames that the table names, and
compared with libzstd's decompression of the whole file. PROGRAM: zstd's example
seekable_decompression, which must return the same parts."""
import ctypes
import random
import struct
import subprocess
import sys

SKIPPABLE, FRAME = 0x184d2a50, 0xfd2fb528
TABLE, FOOTER = 0x184d2a5e, 0x8f92eab1
PIECES = 24
ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_decompressBound.restype = ctypes.c_ulonglong
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
ZSTD.ZSTD_decompressBound.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t] * 2
ZSTD.ZSTD_isError.argtypes = [ctypes.c_size_t]


class Bad(Exception):
    pass


def unpacked(data):
    if not data:
        return b""
    bound = ZSTD.ZSTD_decompressBound(data, len(data))
    out = ctypes.create_string_buffer(bound) if bound < 1 << 30 else b""
    size = ZSTD.ZSTD_decompress(out, len(out), data, len(data))
    if ZSTD.ZSTD_isError(size):
        raise Bad("libzstd does not read it")
    return out.raw[:size]


def table_of(data):
    """Returns [(offset, compressed size, size, offset in the content)], read from the file's end."""
    if len(data) < 17:
        raise Bad("too short for a seek table")
    count, descriptor, magic = struct.unpack("<IBI", data[-9:])
    if magic != FOOTER:
        raise Bad("does not end with a seek table's magic number")
    if descriptor & 0x7c:
        raise Bad("reserved bits of the descriptor are set")
    entry = 12 if descriptor & 0x80 else 8
    start = len(data) - 9 - count * entry - 8
    if start < 0 or struct.unpack("<II", data[start:start + 8]) != (TABLE, count * entry + 9):
        raise Bad("the seek table is no skippable frame of its size")
    frames, offset, at = [], 0, 0
    for i in range(count):
        packed, size = struct.unpack_from("<II", data, start + 8 + i * entry)
        frames.append((offset, packed, size, at))
        offset, at = offset + packed, at + size
    if offset != start:
        raise Bad(f"the table's frames take {offset} bytes, {start} are before it")
    return frames


def check_frame(data, frame):
    """Checks that this is a single frame with that content. Returns the content."""
    offset, packed, size, _ = frame
    magic, length = struct.unpack_from("<II", data, offset)
    if magic & 0xfffffff0 == SKIPPABLE:
        if (packed, size) != (length + 8, 0):
            raise Bad(f"the skippable frame at {offset} differs from the table")
        return b""
    if magic != FRAME:
        raise Bad(f"no frame begins at {offset}")
    content = unpacked(data[offset:offset + packed])
    if len(content) != size:
        raise Bad(f"the frame at {offset} holds {len(content)} bytes, not {size}")
    return content


def piece(data, frames, begin, end):
    """Returns the content from begin to end, from the frames that contain a part of it."""
    out = b""
    for frame in frames:
        _, _, size, at = frame
        if size and at < end and at + size > begin:
            out += check_frame(data, frame)[max(0, begin - at):end - at]
    return out


def pieces(frames, total):
    """Returns positions at frame boundaries, and random ones."""
    for _, _, size, at in frames:
        if size:
            yield max(0, at - 5), min(total, at + 5)
    chance = random.Random(total)
    for _ in range(PIECES):
        begin = chance.randrange(total)
        yield begin, min(total, begin + chance.choice((1, 100, 5000, 200000)))


def check(path, reference):
    with open(path, "rb") as file:
        data = file.read()
    frames, whole = table_of(data), unpacked(data)
    if sum(frame[2] for frame in frames) != len(whole):
        raise Bad("the table's content is not the file's")
    for frame in frames:
        if check_frame(data, frame) != whole[frame[3]:frame[3] + frame[2]]:
            raise Bad(f"the frame at {frame[0]} is at another offset than in the table")
    count = 0
    for begin, end in pieces(frames, len(whole)):
        if piece(data, frames, begin, end) != whole[begin:end]:
            raise Bad(f"content from {begin} to {end} differs")
        if reference:
            got = subprocess.run([reference, path, str(begin), str(end)], stdout=subprocess.PIPE, check=True).stdout
            if got != whole[begin:end]:
                raise Bad(f"zstd's own reader gives something else from {begin} to {end}")
        count += 1
    by = "two readers" if reference else "one reader"
    return f"{len(frames)} frames, {len(whole)} bytes, {count} pieces by {by}"


def main(args):
    reference = None
    if args[:1] == ["-r"]:
        reference, args = args[1], args[2:]
    status = 0
    for path in args:
        try:
            print(f"{path}: {check(path, reference)}")
        except Bad as bad:
            print(f"{path}: {bad}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
