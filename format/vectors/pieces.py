# SPDX-License-Identifier: BSD-2-Clause
"""The building blocks of traces, from SPEC.md: zstd frames, msgpack, objects. Independent of netcost's code."""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from reader import REASON_KEYS, TYPES, sentences  # what SPEC.md's tables have

NUMBERS = {name: number for number, (name, _) in TYPES.items()}
KEYS = {name: {key: number for number, (key, _) in keys.items()} for name, keys in TYPES.values()}
U63, U64 = 2 ** 63 - 1, 2 ** 64 - 1
MIB8 = 8388608


# --- zstd, by hand


M64 = 2 ** 64 - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
                      0x27D4EB2F165667C5)


def rotate(x, n):
    return (x << n | x >> 64 - n) & M64


def xxh64(data):
    """Seed 0. As https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md has it."""
    whole = len(data) & ~31
    if whole:
        a, b, c, d = P1 + P2 & M64, P2, 0, -P1 & M64
        for w, x, y, z in struct.iter_unpack("<4Q", data[:whole]):
            a = rotate(a + w * P2 & M64, 31) * P1 & M64
            b = rotate(b + x * P2 & M64, 31) * P1 & M64
            c = rotate(c + y * P2 & M64, 31) * P1 & M64
            d = rotate(d + z * P2 & M64, 31) * P1 & M64
        h = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18) & M64
        for v in a, b, c, d:
            h = ((h ^ rotate(v * P2 & M64, 31) * P1 & M64) * P1 + P4) & M64
    else:
        h = P5
    h = h + len(data) & M64
    rest = data[whole:]
    while len(rest) >= 8:
        k = rotate(int.from_bytes(rest[:8], "little") * P2 & M64, 31) * P1 & M64
        h, rest = (rotate(h ^ k, 27) * P1 + P4) & M64, rest[8:]
    if len(rest) >= 4:
        h = (rotate(h ^ int.from_bytes(rest[:4], "little") * P1 & M64, 23) * P2 + P3) & M64
        rest = rest[4:]
    for byte in rest:
        h = rotate(h ^ byte * P5 & M64, 11) * P1 & M64
    h = (h ^ h >> 33) * P2 & M64
    h = (h ^ h >> 29) * P3 & M64
    return h ^ h >> 32


def block(kind, length, data, last):
    """kind: 0 raw, 1 RLE, 2 compressed, 3 reserved."""
    return (length << 3 | kind << 1 | last).to_bytes(3, "little") + data


def blocks_of(content, most=1 << 17):
    """Runs as RLE blocks, the rest as raw ones: [(kind, length, data)]."""
    cuts, at = [], 0
    for run in re.finditer(rb"(.)\1{63,}", content, re.S):
        cuts += [(0, content[at:run.start()]), (1, run[0])]
        at = run.end()
    out = []
    for kind, data in cuts + [(0, content[at:])]:
        for i in range(0, len(data), most):
            piece = data[i:i + most]
            out.append((kind, len(piece), piece[:1] if kind else piece))
    return out


def zstd(content, blocks=None, size=None, flag=None, window=None, checksum=None, descriptor=0, dictionary=b"",
         magic=b"\x28\xb5\x2f\xfd"):
    """One frame. size: what the header says; flag: 0 to 3, its field's width; window: the byte for it, else
    one segment; checksum: its bytes (b"": none and no flag); descriptor: more bits for it."""
    size = len(content) if size is None else size
    if flag is None:
        flag = 0 if size < 256 else 1 if size < 65536 + 256 else 2
    checksum = (xxh64(content) & 0xffffffff).to_bytes(4, "little") if checksum is None else checksum
    head = flag << 6 | (window is None) << 5 | bool(checksum) << 2 | descriptor
    field = b""
    if flag or window is None:
        field = (size - 256 * (flag == 1)).to_bytes(1 << flag, "little")
    out = magic + bytes([head]) + (b"" if window is None else bytes([window])) + dictionary + field
    blocks = blocks_of(content) if blocks is None else blocks
    last = len(blocks) - 1
    return out + b"".join(block(*b, i == last) for i, b in enumerate(blocks)) + checksum


def skippable(data, number=0):
    return struct.pack("<II", 0x184d2a50 + number, len(data)) + data


MAGIC = skippable(b"netcost\x01", 12)


def magic_of(major):
    return Piece(MAGIC[:15] + bytes([major]))


# --- msgpack, by hand


class Enc:
    """A value and its encoded bytes."""

    def __init__(self, value, data):
        self.value, self.data = value, data


def integer(n, form=None):
    if form:  # the first byte
        return bytes([form]) + (n % 2 ** 64).to_bytes(8, "big")[-{0: 1, 1: 2, 2: 4, 3: 8}[form & 3]:]
    if -32 <= n < 128:
        return struct.pack("b", n)
    for form, low, high in (
            (0xcc, 0, 2 ** 8), (0xcd, 0, 2 ** 16), (0xce, 0, 2 ** 32), (0xcf, 0, 2 ** 64),
            (0xd0, -2 ** 7, 0), (0xd1, -2 ** 15, 0), (0xd2, -2 ** 31, 0), (0xd3, -2 ** 63, 0)):
        if low <= n < high:
            return integer(n, form)
    raise ValueError(n)


def sized(n, fixed, most, forms):
    """Returns the head of a str, array or map of n: forms are the first bytes for lengths of 1, 2, 4 bytes."""
    if n <= most:
        return bytes([fixed | n])
    for form, width in zip(forms, (1, 2, 4)):
        if form and n < 256 ** width:
            return bytes([form]) + n.to_bytes(width, "big")
    raise ValueError(n)


def str_head(n):
    return sized(n, 0xa0, 31, (0xd9, 0xda, 0xdb))


def array_head(n):
    return sized(n, 0x90, 15, (0, 0xdc, 0xdd))


def map_head(n):
    return sized(n, 0x80, 15, (0, 0xde, 0xdf))


def pack(value):
    if isinstance(value, Enc):
        return value.data
    if value is None:
        return b"\xc0"
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return str_head(len(value)) + value
    return array_head(len(value)) + b"".join(map(pack, value))


def plain(value):
    """For JSON."""
    if isinstance(value, Enc):
        return plain(value.value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


# --- objects, frames, traces


class Obj:
    """An object's bytes, and what a reader returns for it: a dict, or None."""

    def __init__(self, data, row=None):
        self.data, self.row = data, row


def pairs(pieces):
    """Returns the inside of a map from (key, value's bytes)."""
    return b"".join(integer(key) + data for key, data in pieces)


def obj(kind, pieces):
    """Returns an object of a type that no reader knows."""
    return Obj(b"\x92" + integer(kind) + map_head(len(pieces)) + pairs(pieces))


used = set()


def said(reasons):
    """With the sentences of reasons, as a reader prints them."""
    if isinstance(reasons, list):
        return [said(one) for one in reasons]
    return sentences(reasons.encode()).decode("utf-8", "replace") if isinstance(reasons, str) else reasons


def rec(kind, /, more=(), **fields):
    """A record of a type of this version; more: (key, bytes) of keys that are unknown."""
    keys = KEYS[kind]
    used.update((kind, name) for name in fields)
    row = {"type": kind, **{name: plain(fields[name]) for name in keys if name in fields}}
    for name in (name for name in row if keys.get(name) in REASON_KEYS.get(NUMBERS[kind], ())):
        row[name] = said(row[name])
    pieces = [(keys[name], pack(value)) for name, value in fields.items()] + list(more)
    return Obj(obj(NUMBERS[kind], sorted(pieces)).data, row)


def wrong(kind, name, data):
    """A record with these bytes as its only value."""
    return obj(NUMBERS[kind], [(KEYS[kind][name], data)])


class Piece:
    """A part of a file: its bytes, the records that a reader returns for it, its number of objects, and the records
    that recovery returns."""

    def __init__(self, data, rows=(), objects=0, recovered=None):
        self.data, self.rows, self.objects = data, list(rows), objects
        self.recovered = self.rows if recovered is None else list(recovered)


def data(*objects, **how):
    content = b"".join(o.data for o in objects)
    return Piece(zstd(content, **how), [o.row for o in objects if o.row], len(objects))


def bad(*objects, **how):
    """A frame for which a reader returns nothing."""
    return Piece(data(*objects, **how).data)


def hint(payload=b"", number=0):
    return Piece(skippable(payload, number))


def junk(payload):
    return Piece(payload)


def header(more=(), **fields):
    return rec("header", more, major=1, **fields)


def frame(seq, **fields):
    return rec("frame", seq=seq, **fields)


HEAD = data(header(minor=0, tool="generate.py"))
MARK = [rec("mark", text=f"mark {i}") for i in range(8)]


def one(seq=1, *objects):
    return data(frame(seq), *(objects or [MARK[seq % 8]]))


def trace(*pieces, end=True, magic=True, table=True, head=HEAD):
    """A file of one part: the magic, HEADER's frame, these pieces, a frame with END, a seek table."""
    all_pieces = ([Piece(MAGIC)] if magic else []) + ([head] if head else []) + list(pieces)
    if end:
        frames = [p for p in all_pieces if p.data[:4] == b"\x28\xb5\x2f\xfd"]
        totals = rec("end", frames=len(frames), records=sum(p.objects for p in frames) + 1, why="done")
        all_pieces.append(data(frame(len(frames)), totals))
    if table:
        all_pieces.append(seek_table(all_pieces))
    return all_pieces


def is_hint(frame_):
    return frame_[1:4] == b"\x2a\x4d\x18"


def seek_table(pieces):
    sizes = [struct.pack("<II", len(p.data), 0 if is_hint(p.data) else content_size(p.data)) for p in pieces]
    return Piece(skippable(b"".join(sizes) + struct.pack("<IBI", len(sizes), 0, 0x8f92eab1), 14))


def content_size(f):
    flag, single = f[4] >> 6, f[4] >> 5 & 1
    at = 5 + (not single)
    return int.from_bytes(f[at:at + (1 << flag)], "little") + 256 * (flag == 1)


def broken_in(*objects):
    """A trace with such objects in its third frame: a reader returns the records before it, and none after it."""
    return [*trace(one(1), end=False, table=False), bad(frame(2), *objects), Piece(one(3).data)]


def after_damage(*pieces):
    """Valid pieces after the first violation: only recovery returns their records."""
    return [Piece(p.data, recovered=p.rows) for p in pieces]


vectors = {}  # name: (class, description, pieces)
large = {}
recoveries = set()  # names of vectors that have a NAME.recover.json


def vector(name, kind, shows, pieces, among=vectors):
    assert name not in vectors and name not in large, name
    among[name] = kind, shows, pieces


def cut(pieces, left):
    """Returns the pieces truncated after the first `left` bytes of the last one."""
    return [*pieces[:-1], Piece(pieces[-1].data[:left])]
