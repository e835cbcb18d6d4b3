#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""convert.py TRACE...: adds today's SCHEMA and NAMES to traces that were recorded before NAMES existed.

All other records stay unchanged; a frame without SCHEMA keeps its bytes. INDEX, END and the seek table are
corrected. It accepts complete traces of one part; a converted trace stays unchanged."""
import ctypes
import io
import os
import struct
import sys

import msgpack

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "format"))
import reader  # noqa: E402
import spec_tables  # noqa: E402

SCHEMA, NAMES, INDEX, END = (next(t.number for t in spec_tables.types() if t.NAME == name) for name in ("SCHEMA", "NAMES", "INDEX", "END"))
SEEK_TABLE, SEEK_MAGIC = 0x184d2a5e, 0x8f92eab1
LEVEL, LEVEL_IS, CHECKSUM = 3, 100, 201  # as the recorder's: ZSTD_c_compressionLevel, ZSTD_c_checksumFlag


def compressed(content):
    lib = ctypes.CDLL("libzstd.so.1")
    lib.ZSTD_createCCtx.restype = ctypes.c_void_p
    lib.ZSTD_compress2.restype = ctypes.c_size_t
    context = ctypes.c_void_p(lib.ZSTD_createCCtx())
    for parameter, value in (LEVEL_IS, LEVEL), (CHECKSUM, 1):
        lib.ZSTD_CCtx_setParameter(context, parameter, value)
    out = ctypes.create_string_buffer(len(content) + 1024)
    size = lib.ZSTD_compress2(context, out, ctypes.c_size_t(len(out)), content, ctypes.c_size_t(len(content)))
    lib.ZSTD_freeCCtx(context)
    return out.raw[:size]


def described():
    """Returns SCHEMA and NAMES as schema.c writes them."""
    rows = []
    for t in spec_tables.types():
        rows.append((t.number, 0, t.name, "", "", ""))
        rows += [(t.number, k.number, k.name, k.kind, k.unit, spec_tables.rules(k)) for k in t.keys]
    names = [[NAMES, {1: of, 2: list(range(len(rows))), 3: [row[1] for row in rows]}]
             for of, rows in spec_tables.enumerations().items()]
    return [[SCHEMA, dict(enumerate(map(list, zip(*rows)), 1))], *names]


def converted(things, moved, added):
    """moved: {old offset of a frame: new offset}; added: number of objects."""
    for kind, fields in things:
        if kind == SCHEMA:
            yield from described()
        elif kind == INDEX:
            yield [INDEX, {**fields, 1: [moved[at] for at in fields[1]]}]
        elif kind == END:
            yield [END, {**fields, 2: fields[2] + added}]
        else:
            yield [kind, fields]


def convert(data):
    source, zstd, out, sizes, moved, added = reader.Source(io.BytesIO(data)), reader.Zstd(), b"", [], {}, 0
    while magic := source.upto(4):
        begin = source.offset - 4
        moved[begin] = len(out)
        if reader.skippable(magic):
            source.skip(int.from_bytes(source.exactly(4), "little"))
            frame, content = data[begin:source.offset], b""
            if int.from_bytes(magic, "little") == SEEK_TABLE:
                frame = struct.pack(f"<II{2 * len(sizes)}IIBI", SEEK_TABLE, 8 * len(sizes) + 9, *sum(sizes, ()), len(sizes), 0, SEEK_MAGIC)
        else:
            content = zstd.content(*reader.read_frame(source))
            frame = data[begin:source.offset]
            unpacker = msgpack.Unpacker(strict_map_key=False, unicode_errors="surrogateescape")
            unpacker.feed(content)
            before = list(unpacker)
            if any(kind == NAMES for kind, _ in before):
                return data
            after = list(converted(before, moved, added))
            added += len(after) - len(before)
            if after != before:
                content = b"".join(msgpack.packb(thing, unicode_errors="surrogateescape") for thing in after)
                frame = compressed(content)
        sizes.append((len(frame), len(content)))
        out += frame
    return out


def main(paths):
    for path in paths:
        with open(path, "rb") as file:
            data = convert(file.read())
        with open(path, "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1:])
