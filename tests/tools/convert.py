#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""convert.py TRACE...: rewrites traces that were recorded before 1.0.

PART, LATENCY_POINT, STAGE_POINT, LATENCY_TAIL_POINT and the PROBE of events alone become PROBE; sentences that say why something
was not measured become reasons (format/SPEC.md, 4.6). The rest of a trace stays as it is: a frame without such records keeps its
bytes, and INDEX, SCHEMA and the seek table are corrected. Takes complete traces of one part; one that is converted stays as it is.
"""
import ctypes
import io
import os
import struct
import sys

import msgpack

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "format"), HERE]
import reader  # noqa: E402
import reasons  # noqa: E402
import spec_tables  # noqa: E402

TYPES = {t.NAME: t for t in spec_tables.types()}
PROBE, SCHEMA, INDEX = (TYPES[name].number for name in ("PROBE", "SCHEMA", "INDEX"))
EVENT, PART, LATENCY, STAGE, TAIL = range(5)
MOVED = {  # old type: what it is of, {old key: key of PROBE}
    PROBE: (EVENT, {1: 2, 2: 3, 3: 4, 4: 6, 5: 7, 6: 8, 7: 9}),
    25: (PART, {1: 2, 2: 3, 3: 4, 4: 5}),
    54: (LATENCY, {1: 2, 2: 3, 3: 4, 4: 5}),
    58: (STAGE, {1: 2, 2: 3, 3: 4, 4: 5}),
    61: (TAIL, {1: 3, 2: 4, 3: 5}),
}
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


def probe(kind, fields):
    of, keys = MOVED[kind]
    number = {2: 0} if of == TAIL else {}
    return [PROBE, dict(sorted({1: of, **number, **{keys[key]: value for key, value in fields.items()}}.items()))]


def schema(fields):
    """Without the types that are gone, and with the keys that PROBE has now."""
    rows = [row for row in zip(*fields.values()) if row[0] not in MOVED]
    at = sum(row[0] < PROBE for row in rows)
    new = [(PROBE, 0, "probe", "", "", "")] + [(PROBE, k.number, k.name, k.kind, k.unit, "") for k in TYPES["PROBE"].keys]
    return [SCHEMA, dict(zip(fields, map(list, zip(*rows[:at], *new, *rows[at:]))))]


def converted(thing, moved):
    """moved: {where a frame began: where it begins now}"""
    kind, fields = thing
    if kind in MOVED and not (kind == PROBE and isinstance(fields.get(3), str)):
        kind, fields = probe(kind, fields)
    if kind == SCHEMA:
        return schema(fields)
    if kind == INDEX:
        return [INDEX, {**fields, 1: [moved[at] for at in fields[1]]}]
    return [kind, reasons.coded_record(kind, fields)]


def convert(data):
    source, zstd, out, sizes, moved = reader.Source(io.BytesIO(data)), reader.Zstd(), b"", [], {}
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
            after = [converted(thing, moved) for thing in before]
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
