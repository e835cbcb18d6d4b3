#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes the conformance vectors of the .nct format from SPEC.md, with no code of netcost's.

    generate.py             writes NAME.nct, NAME.json and STATUS beside itself
    generate.py --check     makes them anew elsewhere and compares; tells which differ
    generate.py --keys      tells which keys of ../SPEC.md no vector shows
    generate.py --large DIR makes those that are too large to be kept, with a STATUS of their own

NAME.json has the records that a reader gives before the first offence, one a line, as
`netcost-report dump` prints them. STATUS has a line for each vector, its parts separated by tabs:

    NAME    STATUS   CLASS   what it shows
    STATUS  0 complete, 3 incomplete but all whole frames are sound, 1 anything else. Of the classes
            that SPEC.md section 11 has: ok 0, cut 3, damaged 1, empty 1, no-trace 1, version 1.
    CLASS   "hint": a hint or a total lies, or the magic is not where a writer must put it. The records are
            all there, and so a reader takes it for complete. A program that checks traces may say 1.
    CLASS   "content": sections 1 to 4 hold, what is broken are the rules for what the records mean
            together. A reader that does not check those takes the trace for complete.

Vectors are never changed once they are out: a bug in one is a new vector with another name.
The zstd frames are made by hand from raw and RLE blocks, since another zstd gives other bytes.
"""
import base64
import json
import os
import re
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {  # of version 1.0, in the order of their keys
    1: ("header", "major minor requires tool kernel machine cpus_possible cpus cpu_model sample_hz sampler "
        "sample_event tick_ms exact user_hz host command start_ns"),
    2: ("frame", "seq first_ns last_ns lost"),
    3: ("clock", "mono_ns real_ns boot_ns error_ns"),
    4: ("source", "name state via why"),
    5: ("probe", "event rung hooks refused"),
    6: ("module", "id name"),
    7: ("symbols", "first name module offset"),
    8: ("stacks", "first up symbol"),
    9: ("tasks", "first tid tgid comm"),
    10: ("samples", "cpu base_ns unit_ns step dt stack task"),
    11: ("tick", "at_ns cpu exact_ns"),
    12: ("exact", "event ns calls failed bytes"),
    13: ("exact_loss", "untracked sends_outside recvs_outside sends_inside recvs_inside torn"),
    14: ("sample_loss", "written lost throttled"),
    15: ("procstat", "user nice system idle iowait irq softirq steal guest guest_nice"),
    16: ("softnet", "processed dropped squeezed"),
    17: ("netdev", "id name netns driver"),
    18: ("netdev_stats", "id rx_packets rx_bytes rx_errors rx_dropped tx_packets tx_bytes tx_errors tx_dropped"),
    19: ("energy_zone", "id name parent unit_nj wrap"),
    20: ("energy", "read_ns raw"),
    21: ("self", "user_us system_us maxrss_kib written"),
    22: ("mark", "at_ns text"),
    126: ("index", "offset first_ns last_ns"),
    127: ("end", "frames records samples symbols stacks tasks at_ns why"),
}
NUMBERS = {name: number for number, (name, _) in NAMES.items()}
KEYS = {name: {key: i for i, key in enumerate(keys.split(), 1)} for name, keys in NAMES.values()}
U63 = 2 ** 63 - 1
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
            part = data[i:i + most]
            out.append((kind, len(part), part[:1] if kind else part))
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
    field = b"" if flag == 0 and window is not None else (size - 256 * (flag == 1)).to_bytes(1 << flag, "little")
    out = magic + bytes([head]) + (b"" if window is None else bytes([window])) + dictionary + field
    blocks = blocks_of(content) if blocks is None else blocks
    inside = [block(kind, length, data, i == len(blocks) - 1) for i, (kind, length, data) in enumerate(blocks)]
    return out + b"".join(inside) + checksum


def skippable(data, number=0):
    return struct.pack("<II", 0x184d2a50 + number, len(data)) + data


MAGIC = skippable(b"netcost\x01", 12)


# --- msgpack, by hand


class Enc:
    """A value and the bytes that it is written with."""

    def __init__(self, value, data):
        self.value, self.data = value, data


def integer(n, form=None):
    if form:  # the first byte
        return bytes([form]) + (n % 2 ** 64).to_bytes(8, "big")[-{0: 1, 1: 2, 2: 4, 3: 8}[form & 3]:]
    if -32 <= n < 128:
        return struct.pack("b", n)
    for form, low, high in ((0xcc, 0, 2 ** 8), (0xcd, 0, 2 ** 16), (0xce, 0, 2 ** 32), (0xcf, 0, 2 ** 64),
                            (0xd0, -2 ** 7, 0), (0xd1, -2 ** 15, 0), (0xd2, -2 ** 31, 0), (0xd3, -2 ** 63, 0)):
        if low <= n < high:
            return integer(n, form)
    raise ValueError(n)


def sized(n, fixed, most, forms):
    """The head of a str, array or map of n: forms are the first bytes for lengths of 1, 2, 4 bytes."""
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
    """Its bytes, and what a reader gives for it: a dict, or None."""

    def __init__(self, data, row=None):
        self.data, self.row = data, row


def pairs(pieces):
    """A map's inside from (key, value's bytes)."""
    return b"".join(integer(key) + data for key, data in pieces)


def obj(kind, pieces):
    """Any object, known to no reader."""
    return Obj(b"\x92" + integer(kind) + map_head(len(pieces)) + pairs(pieces))


used = set()


def rec(kind, more=(), **fields):
    """A record of a type of this version; more: (key, bytes) of keys that are unknown."""
    keys = KEYS[kind]
    used.update((kind, name) for name in fields)
    row = {"type": kind, **{name: plain(fields[name]) for name in keys if name in fields}}
    pieces = [(keys[name], pack(value)) for name, value in fields.items()] + list(more)
    return Obj(obj(NUMBERS[kind], sorted(pieces)).data, row)


def wrong(kind, name, data):
    """A record with these bytes as its only value."""
    return obj(NUMBERS[kind], [(KEYS[kind][name], data)])


class Part:
    """A piece of a file: its bytes, what a reader gives for it, how many objects are in it."""

    def __init__(self, data, rows=(), objects=0):
        self.data, self.rows, self.objects = data, list(rows), objects


def data(*objects, **how):
    content = b"".join(o.data for o in objects)
    return Part(zstd(content, **how), [o.row for o in objects if o.row], len(objects))


def bad(*objects, **how):
    """A frame of which a reader gives nothing."""
    return Part(data(*objects, **how).data)


def hint(payload=b"", number=0):
    return Part(skippable(payload, number))


def junk(payload):
    return Part(payload)


def header(more=(), **fields):
    return rec("header", more, major=1, **fields)


def frame(seq, **fields):
    return rec("frame", seq=seq, **fields)


HEAD = data(header(minor=0, tool="generate.py"))
MARK = [rec("mark", text=f"mark {i}") for i in range(8)]


def one(seq=1, *objects):
    return data(frame(seq), *(objects or [MARK[seq % 8]]))


def trace(*parts, end=True, magic=True, table=True, head=HEAD):
    """A file: the magic, HEADER's frame, these parts, a frame with END, a seek table."""
    all_parts = ([Part(MAGIC)] if magic else []) + ([head] if head else []) + list(parts)
    if end:
        frames = [p for p in all_parts if p.data[:4] == b"\x28\xb5\x2f\xfd"]
        totals = rec("end", frames=len(frames), records=sum(p.objects for p in frames) + 1, why="done")
        all_parts.append(data(frame(len(frames)), totals))
    if table:
        all_parts.append(seek_table(all_parts))
    return all_parts


def seek_table(parts):
    frames = [p.data for p in parts]
    sizes = b"".join(struct.pack("<II", len(f), 0 if f[1:4] == b"\x2a\x4d\x18" else content_size(f)) for f in frames)
    return Part(skippable(sizes + struct.pack("<IBI", len(frames), 0, 0x8f92eab1), 14))


def content_size(f):
    flag, single = f[4] >> 6, f[4] >> 5 & 1
    at = 5 + (not single)
    return int.from_bytes(f[at:at + (1 << flag)], "little") + 256 * (flag == 1)


def broken_in(*objects):
    """A trace with such objects in its third frame: what comes before it is given, what comes behind is not."""
    return [*trace(one(1), end=False, table=False), bad(frame(2), *objects), Part(one(3).data)]


vectors = {}  # name: (class, what it shows, parts)
large = {}


def vector(name, kind, shows, parts, among=vectors):
    assert name not in vectors and name not in large, name
    among[name] = kind, shows, parts


def cut(parts, left):
    """The parts without what is behind the first `left` bytes of the last one."""
    return [*parts[:-1], Part(parts[-1].data[:left])]


def valid():
    def ok(name, shows, parts):
        vector(name, "ok", shows, parts)

    def hints(name, shows, parts):
        vector(name, "hint", shows, parts)

    def holds(name, shows, *objects):
        ok(name, shows, trace(data(frame(1), *objects)))

    ok("minimal", "the least: HEADER with major, FRAME with seq, an empty END", [
        Part(MAGIC), data(header()), data(frame(1), rec("end"))])
    ok("one-frame", "END in HEADER's frame", [Part(MAGIC), data(header(), rec("end"))])
    ok("example", "the trace of section 14, byte for byte", example())
    ok("all-keys", "every type and every key", all_keys())
    holds("keys-missing", "no key where none must be there", *(rec(k) for k in (
        "clock", "source", "probe", "mark")), rec("tick", cpu=[]), *(rec(k) for k in (
            "exact", "exact_loss", "sample_loss", "procstat", "softnet", "self")))
    ok("columns-empty", "columns without elements", trace(
        data(frame(1, lost=[]), rec("symbols", first=1, name=[], module=[], offset=[]),
             rec("stacks", first=1, up=[], symbol=[]), rec("tasks", first=1, tid=[], tgid=[], comm=[]),
             rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[], stack=[], task=[]),
             rec("tick", at_ns=0, cpu=[], exact_ns=[]), rec("exact", event=1, ns=[], calls=[]),
             rec("softnet", processed=[]), rec("netdev_stats", id=[], rx_bytes=[]), rec("energy", read_ns=[], raw=[]),
             rec("probe", event=0, hooks=[], refused=[])),
        head=data(header(requires=[], cpus=[], command=[]))))
    ok("nil", "elements that were not measured, in columns that can have them", trace(
        data(frame(1, lost=[None, 3]), rec("energy_zone", id=1), rec("energy_zone", id=2),
             rec("tick", cpu=[0, 3], exact_ns=[None, 0]), rec("exact", event=1, ns=[None, 0], calls=[1, None]),
             rec("exact_loss", untracked=[None, None]), rec("sample_loss", lost=[0, None]),
             rec("energy", read_ns=[0, None], raw=[None, None]), rec("netdev", id=1),
             rec("netdev_stats", id=[1], rx_bytes=[None])),
        head=data(header(cpus=[0, 3]))))
    holds("integers-extreme", "the ends of UINT's and INT's ranges, and of every encoding",
          rec("clock", mono_ns=0, real_ns=U63, boot_ns=U63, error_ns=U63),
          rec("symbols", first=1, name=["a"] * 19, module=[0] * 19, offset=[
              -2 ** 62, 2 ** 62, 0, -1, -32, -33, -128, -129, -2 ** 15, -2 ** 15 - 1, -2 ** 31, -2 ** 31 - 1,
              127, 128, 255, 256, 65535, 2 ** 31, 2 ** 32]),
          rec("tick", cpu=[0, 1, 2, 3, 4, 5, 6, 7, 8]),
          rec("exact", event=7, ns=[0, 127, 128, 255, 256, 65535, 65536, 2 ** 32 - 1, 2 ** 32], calls=[U63] * 9),
          rec("self", written=U63))
    tens = [Enc(10, integer(10, form)) for form in (0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3)] + [10]
    minus = [Enc(-9, integer(-9, form)) for form in (0xd0, 0xd1, 0xd2, 0xd3)] + [-9]
    holds("integers-encoded", "every encoding of the same integers, and of the number 0",
          *(rec("mark", at_ns=ten) for ten in tens), rec("tick", cpu=[0, 1, 2, 3, 4, 5, 6, 7, 8], exact_ns=tens),
          rec("symbols", first=1, name=[""] * 5, module=[Enc(0, integer(0, f)) for f in (0xcc, 0xcf, 0xd0, 0xd3)] + [0],
              offset=minus),
          rec("self", written=Enc(2 ** 40, integer(2 ** 40, 0xd3))))
    holds("integers-keys", "types and keys in long encodings",
          Obj(b"\x92" + integer(22, 0xcf) + b"\x82" + integer(1, 0xd3) + b"\x05" + integer(2, 0xce) + b"\xa1x",
              {"type": "mark", "at_ns": 5, "text": "x"}),
          Obj(b"\x92" + integer(22, 0xd0) + b"\x81" + integer(2, 0xd1) + b"\xa0", {"type": "mark", "text": ""}))
    long_str = [Enc("ab", b"\xd9\x02ab"), Enc("ab", b"\xda\0\x02ab"), Enc("ab", b"\xdb\0\0\0\x02ab"), "ab"]
    holds("lengths-encoded", "strings, arrays and maps whose lengths are longer than they need be",
          *(rec("mark", text=text) for text in long_str),
          rec("probe", hooks=Enc(["ab"] * 4, b"\xdc\0\x04" + b"".join(map(pack, long_str))),
              refused=Enc(["q"], b"\xdd\0\0\0\x01\xa1q")),
          Obj(b"\xdc\0\x02\x16\xde\0\x01\x01\x02", {"type": "mark", "at_ns": 2}),
          Obj(b"\xdd\0\0\0\x02\x16\xdf\0\0\0\x01\x01\x03", {"type": "mark", "at_ns": 3}),
          Obj(b"\x92\x16\xdf\0\0\0\0", {"type": "mark"}))
    holds("string-limit", "a string of 4096 bytes, and such in a column", rec("mark", text="x" * 4096),
          rec("probe", hooks=["y" * 4096, "", "z" * 255, "z" * 256]))
    holds("stack-limit", "a stack of 127 functions",
          rec("symbols", first=1, name=["f", "g"], module=[0, 0], offset=[0, 16]),
          rec("stacks", first=1, up=[1] * 127, symbol=[1, 2] * 63 + [1]),
          rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[127], task=[0]))
    ok("frames", "several frames", trace(*(one(i) for i in range(1, 6))))
    ok("blocks", "frames of several raw and RLE blocks, empty ones among them, and one that ends with one", trace(
        data(frame(1), rec("mark", text="a" + "b" * 100 + "c"), blocks=[
            (0, 5, b"\x92\x02\x81\x01\x01"), (0, 0, b""), (0, 7, b"\x92\x16\x81\x02\xd9\x66a"), (1, 99, b"b"),
            (1, 1, b"b"), (0, 1, b"c"), (0, 0, b"")]),
        data(frame(2), rec("mark", text="dd"), blocks=[
            (0, 1, b"\x92"), (0, 8, b"\x02\x81\x01\x02\x92\x16\x81\x02"), (0, 1, b"\xa2"), (1, 2, b"d")])))
    squeezed = [rec("mark", text="sock_sendmsg " * 30 + str(i)) for i in range(4)]
    ok("compressed", "a frame of a compressed block", trace(
        Part(COMPRESSED, [frame(1).row] + [r.row for r in squeezed], 5)))
    assert content_size(COMPRESSED) == len(frame(1).data) + sum(len(r.data) for r in squeezed)
    ok("size-fields", "every width of Frame_Content_Size, with and without a window", trace(
        data(frame(1), rec("mark", text="x" * 300), flag=1),
        *(data(frame(i), MARK[i], flag=f, window=w) for i, (f, w) in enumerate(
            [(0, None), (2, None), (3, None), (2, 0), (3, 0x38)], 2)),
        data(frame(7), rec("mark", text="y" * 300), flag=1, window=0)))
    ok("window", "a window of 128 MiB (a writer should not)", trace(data(frame(1), MARK[1], flag=2, window=17 << 3)))
    hints("skippable", "skippable frames of all numbers, everywhere, empty ones too",
       [hint(b"before"), Part(MAGIC), hint(b"", 1), HEAD, *(hint(b"hint" * i, i) for i in range(16)), one(1),
        hint(HEAD.data), one(2), hint(), data(frame(3), rec("end", frames=3, records=6)), hint(b"behind", 15),
        hint(b"", 14), Part(MAGIC), hint(b"\0" * 5000, 7)])
    ok("skippable-large", "a skippable frame larger than what is read at once",
       trace(one(1), hint(b"\xfd\x2f\xb5\x28" * 9000), one(2)))
    hints("no-magic", "without the magic", trace(one(1), magic=False))
    hints("magic-other", "a magic that names another major version: a hint", [
        hint(b"netcost\x09", 12), *trace(one(1), magic=False)])
    ok("no-seek-table", "without a seek table", trace(one(1), table=False))
    hints("seek-table-wrong", "a seek table that lies: sizes, number, flags", [*trace(one(1), table=False), hint(
        struct.pack("<IIIIII", 16, 0, 0xffffffff, 0xffffffff, 1, 0) + struct.pack("<IBI", 3, 0x83, 0x8f92eab1), 14)])
    hints("seek-table-number", "a seek table that says 2^32 - 1 frames", [*trace(one(1), table=False), hint(
        struct.pack("<IBI", 0xffffffff, 0, 0x8f92eab1), 14)])
    hints("seek-table-inside", "a seek table between frames", [
        *trace(one(1), end=False), data(frame(2), rec("end", frames=2, records=4))])
    hints("index-wrong", "INDEX that lie, columns of unequal length, without keys, in a middle frame", trace(
        data(frame(1), rec("index", offset=[U63, 0, 0, 16], first_ns=[0], last_ns=[]), MARK[1], rec("index"),
             rec("index", offset=[None], first_ns=[None], last_ns=[None])), one(2)))
    anything = any_value(8)
    holds("unknown-types", "types of later versions, the largest one too; any values", obj(23, []),
          obj(125, [(1, b"\xc3")]), obj(128, [(1, anything), (2, anything)]), MARK[1],
          obj(U63, [(7, b"\xc0"), (U63, b"\xcb" + b"\x7f" * 8)]), obj(0, [(1, b"\x01")]))
    holds("unknown-keys", "unknown keys behind known ones, any values",
          rec("mark", [(3, anything), (64, anything), (U63, anything)], at_ns=1, text="here"),
          rec("tick", cpu=[]), rec("self", [(9, b"\xc0")]))
    holds("unknown-depth", "arrays and maps 8 deep behind an unknown key",
          rec("mark", [(9, b"\x91" * 8 + b"\x01")], at_ns=1), rec("mark", [(9, b"\x81\x01" * 8 + b"\xc0")]),
          rec("mark", [(9, b"\x81\x90\x80"), (10, b"\x91" * 7 + b"\x80")]))
    holds("unknown-long", "behind an unknown key the limits for strings and maps do not hold",
          rec("mark", [(9, str_head(5000) + b"s" * 5000), (10, b"\xc5\x20\x00" + b"b" * 8192),
                       (11, b"\xde\0\x64" + b"\x01\x01" * 100), (12, array_head(70000) + b"\xc0" * 70000)], at_ns=1))
    ok("minor", "a newer minor version: unknown keys in HEADER and FRAME, unknown types", trace(
        data(rec("frame", [(5, b"\x91\xa1x")], seq=1), obj(99, [(1, b"\x01")]),
             MARK[1]),
        head=data(header([(19, b"\xa5later"), (20, b"\x80")], minor=7, tool="later"), obj(88, []))))
    holds("fields-limit", "objects of 64 keys", rec("mark", [(k, b"\x00") for k in range(3, 65)], at_ns=1, text="t"),
          obj(77, [(k * k, b"\xc2") for k in range(1, 65)]))
    ok("unknown-text", "texts of later versions", trace(
        data(frame(1), rec("source", name="entropy", state="shy", via="tea leaves"), rec("probe", event=3, rung="snake")),
        head=data(header(sampler="quantum", sample_event="mood", exact="sometimes"))))
    holds("names-utf8", "names in UTF-8: two, three and four bytes, the last character",
          rec("tasks", first=1, tid=[1, 2], tgid=[1, 2], comm=["käse", "日本"]),
          rec("netdev", id=1, name="eth\U0001f9c0"), rec("mark", text="\u0080\u07ff\u0800\uffff\U00010000\U0010ffff"))
    invalid = [b"a\xff", b"\x80b", b"c\xfed", b"\xc0", b"e\xc3", b"\xf8f"]
    holds("names-no-utf8", "names that are no UTF-8: each bad byte is one U+FFFD",
          rec("tasks", first=1, tid=[1] * 6, tgid=[1] * 6, comm=Enc(
              ["a\ufffd", "\ufffdb", "c\ufffdd", "\ufffd", "e\ufffd", "\ufffdf"],
              array_head(6) + b"".join(pack(n) for n in invalid))),
          rec("netdev", id=1, name=Enc("\ufffd\ufffdx", b"\xa3\xff\xffx")))
    holds("names-cut-utf8", "names that were cut within a character, surrogates, overlong forms: one U+FFFD or more",
          *(rec("mark", text=Enc(text, pack(data))) for text, data in (
              ("a\ufffd", b"a\xe6\x97"), ("\ufffd", b"\xf0\x9f\xa7"), ("\ufffd\ufffd\ufffdx", b"\xed\xa0\x80x"),
              ("\ufffd\ufffd", b"\xc0\x80"), ("\ufffd\ufffd\ufffd\ufffd", b"\xf4\x90\x80\x80"))))
    holds("names-control", "control characters, quotes, backslashes, NUL, DEL",
          rec("mark", text="".join(map(chr, range(32))) + "\"\\/\x7f<&'\u2028"), rec("netdev", id=1, name="a\0b"))
    ok("end-alone", "END is alone in its frame, with FRAME; the one before it has FRAME only", trace(data(frame(1))))
    hints("end-totals-wrong", "END's totals are wrong: a reader tells, and gives the records", [
        Part(MAGIC), HEAD, one(1), data(frame(2), rec("end", frames=7, records=U63))])
    ok("source-again", "a SOURCE that replaces an earlier one", trace(
        one(1, rec("source", name="energy", state="measured")),
        one(2, rec("source", name="energy", state="stuck", why="gone"))))
    filler = MIB8 - len(frame(1).data) - len(rec("mark", [(3, b"\xc6" + bytes(4))], at_ns=1).data)
    ok("frame-limit", "a frame of 8 MiB: a bin behind an unknown key", trace(
        data(frame(1), rec("mark", [(3, b"\xc6" + filler.to_bytes(4, "big") + bytes(filler))], at_ns=1))))
    ok("frame-limit-array", "a frame of 8 MiB: an array of as many nils behind an unknown key", trace(
        data(frame(1), rec("mark", [(3, b"\xdd" + filler.to_bytes(4, "big") + b"\xc0" * filler)], at_ns=1))))


def any_value(depth):
    """A value with every kind of msgpack in it, `depth` deep."""
    flat = [
        b"\x00", b"\x7f", b"\xe0", b"\xff", b"\xc0", b"\xc2", b"\xc3", b"\xca\x7f\xc0\0\0", b"\xcb" + b"\xff" * 8,
        *(integer(200, form) for form in range(0xcc, 0xd4)), integer(2 ** 64 - 1), integer(-2 ** 63),
        b"\xa0", b"\xa2\xff\0", b"\xd9\x01x", b"\xda\0\x01x", b"\xdb\0\0\0\x01x",
        b"\xc4\x02\0\xff", b"\xc5\0\x01x", b"\xc6\0\0\0\0",
        b"\xd4\x01x", b"\xd5\xffxx", b"\xd6\xff" + bytes(4), b"\xd7\x7f" + bytes(8), b"\xd8\x80" + bytes(16),
        b"\xc7\x0c\xff" + bytes(12), b"\xc7\0\x05", b"\xc8\0\x03\x01abc", b"\xc9\0\0\0\x01\x02z",
        b"\x90", b"\x80", b"\xdc\0\0", b"\xdd\0\0\0\0", b"\xde\0\0", b"\xdf\0\0\0\0"]
    if depth == 1:
        flat = flat[:-6]
        return array_head(len(flat)) + b"".join(flat)
    if depth == 2:
        inner = any_value(1)
        return array_head(len(flat) + 1) + b"".join(flat) + inner
    inner = any_value(depth - 1)
    # A map: keys need not be integers, nor rise, down here.
    return b"\x84" + b"\xa1k" + inner + b"\x05" + b"\xc0" + b"\x05" + b"\x93\x01\x91\xc3\xc2" + b"\xc0\xca\0\0\0\0"


# Another version of zstd gives other bytes for this; so does another level. It is from zstd 1.5.4.
COMPRESSED = base64.b64decode("""
    KLUv/WQ9BWUBAOiSAoEBAZIWgQLaAYdzb2NrX3NlbmRtc2cgMDEyMwQELIpAFOEUIxfLDiYef3FLpQ==
""")


def example():
    text = """
        5c2a4d18 08000000 6e6574636f737401
        28b52ffd 240e 710000 920184 0101 0200 089100 0acd03e7 334a721c
        28b52ffd 246a 510300 920284 0101 02ce004c4f28 03ce005b8998 049100
        920784 0101 0292 ac5f5f7379735f73656e64746f ab7564705f73656e646d7367 03920000 0492cd1000f0
        920883 0101 02920101 03920102
        920a87 0100 02ce003d0900 03cd03e8 04cd03e9 059200fd 06920200 07920000 86b6ccf8
        28b52ffd 2440 010200 920284 0102 0200 0300 049100
        927e83 0192102b 0292c0ce004c4f28 0392c0ce005b8998
        927f88 0102 0207 0302 0402 0502 0600 07ce005b8d80 08a6534947494e54 4bda5fe6
        5e2a4d18 29000000 1000000000000000 1b0000000e000000 770000006a000000 4d00000040000000 0400000000b1ea928f"""
    rows = [
        {"type": "header", "major": 1, "minor": 0, "cpus": [0], "sample_hz": 999},
        {"type": "frame", "seq": 1, "first_ns": 5001000, "last_ns": 5999000, "lost": [0]},
        {"type": "symbols", "first": 1, "name": ["__sys_sendto", "udp_sendmsg"], "module": [0, 0],
         "offset": [4096, -16]},
        {"type": "stacks", "first": 1, "up": [1, 1], "symbol": [1, 2]},
        {"type": "samples", "cpu": 0, "base_ns": 4000000, "unit_ns": 1000, "step": 1001, "dt": [0, -3],
         "stack": [2, 0], "task": [0, 0]},
        {"type": "frame", "seq": 2, "first_ns": 0, "last_ns": 0, "lost": [0]},
        {"type": "index", "offset": [16, 43], "first_ns": [None, 5001000], "last_ns": [None, 5999000]},
        {"type": "end", "frames": 2, "records": 7, "samples": 2, "symbols": 2, "stacks": 2, "tasks": 0,
         "at_ns": 6000000, "why": "SIGINT"}]
    return [Part(bytes.fromhex("".join(text.split())), rows)]


def all_keys():
    two = dict(calls=[1, 2], failed=[0, 1], bytes=[0, 70000])
    first = data(
        header(minor=0, requires=[], tool="generate.py 1", kernel="7.0.0", machine="x86_64", cpus_possible=4,
               cpus=[0, 2], cpu_model="A CPU", sample_hz=999, sampler="perf", sample_event="cpu-clock", tick_ms=100,
               exact="full", user_hz=100, host="build", command=["sleep", "1"], start_ns=1000),
        rec("clock", mono_ns=1000, real_ns=1795152604172817304, boot_ns=2000, error_ns=40),
        rec("source", name="samples", state="measured", via="perf cpu-clock", why=""),
        rec("source", name="energy", state="measured", via="powercap", why=""),
        rec("probe", event=3, rung="kprobe", hooks=["sock_sendmsg"], refused=["fentry: no BTF"]))
    second = data(
        frame(1, first_ns=1500, last_ns=5000, lost=[0, 1]),
        rec("module", id=1, name="veth"),
        rec("symbols", first=1, name=["main_loop", "veth_xmit", ""], module=[0, 1, 0], offset=[-4096, 32, 0]),
        rec("stacks", first=1, up=[1, 1, 3], symbol=[1, 2, 3]),
        rec("tasks", first=1, tid=[0, 77], tgid=[0, 70], comm=["", "iperf3"]),
        rec("samples", cpu=2, base_ns=1500, unit_ns=100, step=10, dt=[0, -1, 5], stack=[2, 0, 3], task=[2, 2, 1]),
        rec("tick", at_ns=2000, cpu=[0, 2], exact_ns=[2001, 2002]),
        rec("exact", event=0, ns=[1000, 900], **two), rec("exact", event=3, ns=[5, 100], **two),
        rec("exact_loss", untracked=[0, 1], sends_outside=[2, 3], recvs_outside=[4, 5], sends_inside=[6, 7],
            recvs_inside=[8, 9], torn=1),
        rec("sample_loss", written=[0, 3], lost=[0, 1], throttled=[0, 0]),
        rec("procstat", user=[1, 2], nice=[0, 0], system=[3, 4], idle=[5, 6], iowait=[0, 0], irq=[0, 0],
            softirq=[1, 1], steal=[0, 0], guest=[0, 0], guest_nice=[0, 0]),
        rec("softnet", processed=[4294967295, 1], dropped=[0, 0], squeezed=[2, 0]),
        rec("netdev", id=1, name="lo", netns=1), rec("netdev", id=2, name="veth0", netns=2, driver="veth"),
        rec("netdev_stats", id=[2, 1], rx_packets=[1, 2], rx_bytes=[3, 4], rx_errors=[0, 0], rx_dropped=[0, 0],
            tx_packets=[5, 6], tx_bytes=[7, 8], tx_errors=[0, 0], tx_dropped=[0, 0]),
        rec("energy_zone", id=1, name="package-0", parent=0, unit_nj=1000, wrap=262143328850),
        rec("energy_zone", id=2, name="core", parent=1, unit_nj=1000, wrap=0),
        rec("energy", read_ns=[3000, 3001], raw=[262143328850, 12]),
        rec("self", user_us=10, system_us=20, maxrss_kib=4096, written=400),
        rec("mark", at_ns=4000, text="half-time"), rec("clock", mono_ns=5000, real_ns=1, boot_ns=6000, error_ns=9))
    offsets = [16, 16 + len(first.data)]
    last = data(
        frame(2, first_ns=0, last_ns=0, lost=[0, 1]),
        rec("index", offset=offsets, first_ns=[None, 1500], last_ns=[None, 5000]),
        rec("end", frames=2, records=first.objects + second.objects + 2, samples=3, symbols=3, stacks=3, tasks=2,
            at_ns=5001, why="the command ended"))
    parts = [Part(MAGIC), first, second, last]
    return [*parts, seek_table(parts)]


def incomplete():
    whole = trace(one(1), one(2), end=False, table=False)
    ended = trace(one(1), table=False)
    table = seek_table(ended)

    def put(name, kind, shows, parts):
        vector("cut-" + name, kind, shows, parts)

    put("empty", "empty", "a file without a byte", [])
    put("magic-1", "empty", "one byte", [Part(MAGIC[:1])])
    put("magic", "empty", "within the magic", [Part(MAGIC[:9])])
    put("behind-magic", "empty", "behind the magic", [Part(MAGIC)])
    put("no-data", "empty", "hints only, the magic and an empty seek table", [Part(MAGIC), seek_table([Part(MAGIC)])])
    put("first-hint", "empty", "within a skippable frame before HEADER's", [Part(MAGIC), Part(hint(b"hint").data[:10])])
    put("first-start", "empty", "within the magic number of the first frame", [Part(HEAD.data[:2])])
    put("first", "empty", "within HEADER's frame", [Part(MAGIC), Part(HEAD.data[:-5])])
    put("first-checksum", "empty", "within the checksum of HEADER's frame", [Part(MAGIC), Part(HEAD.data[:-1])])
    put("behind-first", "cut", "behind HEADER's frame", [Part(MAGIC), HEAD])
    put("middle", "cut", "within a later frame", cut(whole, 20))
    put("middle-start", "cut", "within the magic number of a later frame", cut(whole, 3))
    put("middle-head", "cut", "within the header of a later frame", cut(whole, 5))
    put("middle-block", "cut", "within the header of a block", cut(whole, 8))
    put("middle-checksum", "cut", "within the checksum of a later frame", cut(whole, len(whole[-1].data) - 1))
    put("between", "cut", "between frames", whole)
    put("middle-hint", "cut", "within a skippable frame between frames", [*whole, Part(hint(b"hint").data[:9])])
    put("middle-hint-start", "cut", "within the magic number of a skippable frame", [*whole, Part(b"\x5e\x2a")])
    put("end", "cut", "within END's frame", cut(ended, len(ended[-1].data) - 9))
    put("seek-table", "cut", "within the seek table", [*ended, Part(table.data[:-1])])
    put("seek-table-start", "cut", "within the seek table's magic number", [*ended, Part(table.data[:3])])
    put("seek-table-size", "cut", "within the seek table's length", [*ended, Part(table.data[:6])])
    put("no-end", "cut", "no END, but a seek table", trace(one(1), end=False))
    put("hint-4g", "cut", "a skippable frame of 4 GiB behind END that is not there", [
        *ended, Part(struct.pack("<II", 0x184d2a50, 0xffffffff) + b"x" * 100)])
    put("hint-4g-middle", "cut", "a skippable frame of 4 GiB between frames that is not there", [
        *whole, Part(struct.pack("<II", 0x184d2a5f, 0xffffffff) + one(3).data)])
    put("hint-swallows", "cut", "a skippable frame that is longer than it was takes the frames behind it", [
        Part(MAGIC), HEAD, Part(hint(b"hi").data[:4] + b"\xff\xff\0\0hi"), Part(one(1).data)])


def skippable_first(parts):
    return parts[0].data[1:4] == b"\x2a\x4d\x18"


def no_trace():
    def put(name, shows, parts, kind="no-trace"):
        if kind == "no-trace" and skippable_first(parts):
            kind = "damaged"  # "not a trace" is what is wrong at byte 0
        vector("no-" + name, kind, shows, parts)

    put("text", "a text", [junk(b"#!/bin/sh\necho not a trace\n")])
    put("text-short", "three bytes that begin no frame", [junk(b"abc")])
    put("zeros", "zeros", [junk(bytes(4096))])
    put("zstd-text", "a text, compressed", [Part(zstd(b"Dear Sir or Madam, "))])
    put("zstd-msgpack", "other msgpack, compressed", [Part(zstd(b"\x81\xa3foo\xa3bar"))])
    put("header", "begins with FRAME", [Part(MAGIC), bad(frame(1), MARK[1]), Part(one(2).data)])
    put("header-first", "HEADER is not the first object", [Part(MAGIC), bad(MARK[1], header())])
    put("header-unknown", "an unknown type before HEADER", [bad(obj(99, []), header())])
    put("checksum", "HEADER's frame has no checksum", [Part(MAGIC), bad(header(), checksum=b"")])
    put("checksum-bad", "HEADER's frame has a wrong checksum", [Part(MAGIC), bad(header(), checksum=b"\0\0\0\0")])
    put("frame-in-first", "FRAME in HEADER's frame", [Part(MAGIC), bad(header(), frame(1)), Part(one(1).data)])
    put("header-twice", "HEADER twice in one frame", [Part(MAGIC), bad(header(), header())])
    put("header-kind", "HEADER's major is a text", [Part(MAGIC), bad(wrong("header", "major", b"\xa11"))])
    put("header-kind-later", "a later key of HEADER is of another kind", [Part(MAGIC), bad(
        header([(4, b"\x01")], minor=0))])
    put("header-broken", "HEADER's frame ends within an object", [bad(header(), Obj(b"\x92\x16"))])
    put("legacy", "a frame of zstd before its format was fixed", [bad(header(), magic=b"\x27\xb5\x2f\xfd")])
    put("gzip", "gzip's magic number", [junk(bytes.fromhex("1f8b0800000000000003030000000000000000000000"))])
    put("magic-text", "the magic, and a text behind it", [Part(MAGIC), junk(b"hello, world")])

    def version(name, shows, *objects, tail=()):
        put(name, shows, [Part(MAGIC), bad(*objects), *tail], "version")

    version("major-2", "major version 2", rec("header", major=2, minor=0), tail=[Part(one(1).data)])
    version("major-0", "major version 0", rec("header", major=0))
    version("major-max", "the largest major version", rec("header", major=U63))
    version("major-missing", "HEADER without major", rec("header", minor=0, tool="x"))
    version("major-empty", "HEADER without a key", rec("header"))
    version("major-2-kinds", "major version 2, where HEADER's other keys have other kinds",
            Obj(rec("header", [(4, b"\x01"), (8, b"\xc3")], major=2, minor=0, requires=["x"]).data))
    version("major-2-behind", "major version 2, with what breaks the rules of version 1 behind HEADER",
            rec("header", major=2), Obj(b"\x93\x01\x02\x03"), frame(9), Obj(b"\xc1"))
    version("requires", "requires something unknown", header(minor=9, requires=["columns-of-floats"]))
    version("requires-empty", "requires something that is an empty text", header(requires=[""]))
    version("requires-many", "requires many things", header(requires=["a", "b"] * 40))


def hostile_container():
    def put(name, shows, *parts, kind="damaged"):
        vector(name, kind, shows, [*trace(one(1), end=False, table=False), *parts])

    good = (frame(2), MARK[2])
    more = Part(one(3).data)
    put("checksum-bad", "a wrong checksum", bad(*good, checksum=b"\x01\x02\x03\x04"), more)
    put("checksum-none", "no checksum", bad(*good, checksum=b""), more)
    flipped = bytearray(data(*good).data)
    flipped[-6] ^= 1
    put("content-flipped", "one bit of the content is flipped", Part(bytes(flipped)), more)
    put("size-none", "no content size", bad(*good, flag=0, window=0), more)
    put("size-zero", "content of 0 bytes", bad(blocks=[(0, 0, b"")]), more)
    put("size-small", "more content than its size says", bad(*good, size=7), more)
    put("size-large", "less content than its size says", bad(*good, size=200), more)
    put("size-max", "a content size of 2^64 - 1", bad(*good, size=2 ** 64 - 1, flag=3), more)
    put("size-8m-lie", "a content size of 8 MiB that is not true", bad(*good, size=MIB8), more)
    for width, flag in (1, 1), (2, 2), (4, 3):
        put(f"dictionary-{width}", f"a dictionary id of {width} bytes",
            bad(*good, flag=2, descriptor=flag, dictionary=b"\x05" + bytes(width - 1)), more)
    put("dictionary-zero", "a dictionary id of 0", bad(*good, flag=2, descriptor=1, dictionary=b"\0"), more)
    put("reserved-bit", "the reserved bit of zstd's frame header", bad(*good, descriptor=8), more)
    put("block-reserved", "a block of the reserved type", bad(*good, blocks=[(3, 0, b"")]), more)
    put("block-garbage", "a compressed block that is none", bad(*good, blocks=[(2, 9, b"\xff" * 9)]), more)
    nine = rec("mark", [(3, b"\xc6" + (9 << 20).to_bytes(4, "big") + bytes(9 << 20))])
    put("frame-9m", "content of 9 MiB", bad(frame(2), nine), more)
    over = MIB8 + 1 - len(frame(2).data) - len(rec("mark", [(3, b"\xc6" + bytes(4))]).data)
    put("frame-over", "content of 8 MiB and a byte",
        bad(frame(2), rec("mark", [(3, b"\xc6" + over.to_bytes(4, "big") + bytes(over))])), more)
    put("bomb-rle", "content of 1 GiB where the size says 100 bytes",
        bad(*good, size=100, blocks=[(1, 1 << 17, b"\0")] * 8192), more)
    put("bomb-rle-8m", "content of 1 GiB where the size says 8 MiB",
        bad(*good, size=MIB8, blocks=[(1, 1 << 17, b"\0")] * 8192), more)
    put("garbage-between", "bytes that begin no frame between frames", junk(b"garbage!"), Part(one(2).data))
    put("garbage-one", "one byte that begins no frame at the end", junk(b"\x51\0"))
    put("legacy-frame", "a frame of zstd before its format was fixed", bad(*good, magic=b"\x27\xb5\x2f\xfd"))
    ended = trace(one(1))
    for name, shows, tail in (
            ("behind-end", "a frame behind END", one(3).data),
            ("behind-end-text", "a text behind END", b"and that is all"),
            ("behind-end-zeros", "zeros behind END", bytes(512)),
            ("behind-end-cut", "a frame that is cut behind END", one(3).data[:9]),
            ("behind-end-trace", "a second trace behind the first", b"".join(p.data for p in trace(one(1))))):
        vector(name, "damaged", shows, [*ended, Part(tail)])


def hostile_objects():
    def put(name, shows, *objects):
        vector(name, "damaged", shows, broken_in(*objects))

    def raw(name, shows, bytes_):
        put(name, shows, Obj(bytes_))

    # Lengths that lie.
    huge = b"\xff\xff\xff\xff"
    for name, first in ("array", b"\xdd"), ("map", b"\xdf"), ("str", b"\xdb"), ("bin", b"\xc6"), ("ext", b"\xc9"):
        put(f"huge-{name}-unknown", f"a {name} of 2^32 - 1 behind an unknown key",
            obj(22, [(9, first + huge + b"\x01" * 40)]))
        put(f"huge-{name}-type", f"a {name} of 2^32 - 1 in an unknown type", obj(99, [(1, first + huge)]))
    put("huge-str", "a string of 2^32 - 1 bytes", wrong("mark", "text", b"\xdb" + huge + b"abc"))
    put("huge-uints", "a column of 2^32 - 1 integers", wrong("tick", "cpu", b"\xdd" + huge + b"\x01" * 99))
    put("huge-ints", "a column of 2^32 - 1 signed integers", wrong("samples", "dt", b"\xdd" + huge + b"\x01" * 99))
    put("huge-strs", "a column of 2^32 - 1 strings", wrong("probe", "hooks", b"\xdd" + huge + b"\xa0" * 99))
    raw("huge-object", "an object that is an array of 2^32 - 1", b"\xdd" + huge + b"\x16\x80")
    raw("huge-object-map", "an object with 2^32 - 1 keys", b"\x92\x16\xdf" + huge + b"\x01\x01")
    put("bomb-arrays", "arrays of 2^32 - 1 in each other", obj(22, [(9, (b"\xdd" + huge) * 5000)]))
    put("bomb-arrays-16", "arrays of 65535 in each other, 8 deep, all of the 8 MiB there", Obj(
        b"\x92\x16\x81\x09" + b"\xdc\xff\xff" * 8 + b"\x90" * 8000000))
    put("bomb-depth", "100 000 arrays in each other", obj(22, [(9, b"\x91" * 100000 + b"\x01")]))
    put("bomb-depth-maps", "9 000 maps in each other", obj(99, [(1, b"\x81\x01" * 9000 + b"\x01")]))
    put("depth-9", "arrays 9 deep", obj(22, [(9, b"\x91" * 9 + b"\x01")]))
    put("depth-9-empty", "an empty array 9 deep", obj(22, [(9, b"\x91" * 8 + b"\x90")]))
    put("depth-9-map", "maps 9 deep, in an unknown type", obj(99, [(1, b"\x81\xc0" * 9 + b"\x01")]))
    put("depth-9-key", "a map whose key is nested 9 deep", obj(99, [(1, b"\x81" * 9 + b"\x01" * 10)]))
    many = 8000000
    put("column-8m", "a column of 8 million integers, and a wrong kind behind it",
        obj(11, [(2, b"\xdd" + many.to_bytes(4, "big") + bytes(many)), (3, b"\xc3")]))
    put("columns-8m", "eight columns of a million integers, and a wrong kind behind them",
        obj(15, [(k, b"\xdd\0\x0f\x42\x40" + b"\x01" * 1000000) for k in range(1, 9)] + [(9, b"\xc3")]))
    put("strings-8m", "a column of 8 million empty strings, and a wrong kind behind it",
        obj(5, [(3, b"\xdd" + many.to_bytes(4, "big") + b"\xa0" * many), (4, b"\xc3")]))
    # Limits.
    put("string-over", "a string of 4097 bytes", rec("mark", text="x" * 4097))
    put("string-over-column", "a string of 4097 bytes in a column", rec("probe", hooks=["a", "x" * 4097]))
    put("fields-over", "an object of 65 keys", obj(22, [(k, b"\x00") for k in range(3, 68)]))
    put("fields-over-unknown", "an object of an unknown type with 65 keys", obj(99, [(k, b"\xc0") for k in range(1, 66)]))
    # Keys.
    for name, shows, kind in ("", "", 22), ("-unknown", " of an unknown type", 99):
        put("keys-falling" + name, "keys that fall" + shows, obj(kind, [(4, b"\x01"), (3, b"\x01")]))
        put("keys-twice" + name, "a key twice" + shows, obj(kind, [(3, b"\x01"), (3, b"\x01")]))
        put("key-zero" + name, "key 0" + shows, obj(kind, [(0, b"\x01")]))
        put("key-negative" + name, "key -1" + shows, obj(kind, [(-1, b"\x01")]))
    put("keys-twice-known", "a known key twice", obj(22, [(1, b"\x01"), (1, b"\x01")]))
    put("keys-falling-known", "known keys that fall", obj(22, [(2, b"\xa0"), (1, b"\x01")]))
    for name, key in (("str", b"\xa11"), ("float", b"\xca\x3f\x80\0\0"), ("bool", b"\xc3"), ("nil", b"\xc0"),
                      ("bin", b"\xc4\x011"), ("ext", b"\xd4\x01\x01"), ("array", b"\x91\x01")):
        raw(f"key-{name}", f"a key that is a {name}", b"\x92\x16\x81" + key + b"\x01")
    # Kinds.
    floats = (("float", b"\xca\x3f\x80\0\0"), ("double", b"\xcb\x3f\xf0" + bytes(6)), ("bool", b"\xc3"),
              ("ext", b"\xd4\x01\x01"), ("bin", b"\xc4\x01\x01"))
    for name, value in (*floats, ("str", b"\xa11"), ("nil", b"\xc0"), ("negative", b"\xff"), ("array", b"\x91\x01"),
                        ("map", b"\x80"), ("2p63", integer(2 ** 63)), ("2p64", integer(2 ** 64 - 1)),
                        ("min", integer(-2 ** 63))):
        put(f"uint-{name}", f"a UINT that is a wrong value: {name}", wrong("mark", "at_ns", value))
        if name != "array":
            put(f"uints-{name}", f"a UINTS with a wrong element: {name}" if name != "nil" else
                "a UINTS that is nil as a whole", wrong("tick", "cpu", value if name == "nil" else b"\x92\x01" + value))
    put("uints-scalar", "a UINTS that is an integer", wrong("tick", "cpu", b"\x01"))
    put("uints-nested", "a UINTS of arrays", wrong("tick", "cpu", b"\x91\x91\x01"))
    for name, value in (*floats, ("nil", b"\xc0"), ("str", b"\xa11"), ("over", integer(2 ** 62 + 1)),
                        ("under", integer(-2 ** 62 - 1)), ("u64", integer(2 ** 64 - 1)), ("min", integer(-2 ** 63))):
        put(f"ints-{name}", f"an INTS with a wrong element: {name}", wrong("samples", "dt", b"\x92\x01" + value))
    put("ints-scalar", "an INTS that is an integer", wrong("samples", "dt", b"\x01"))
    put("ints-map", "an INTS that is a map", wrong("samples", "dt", b"\x81\x01\x01"))
    for name, value in (*floats, ("nil", b"\xc0"), ("int", b"\x01"), ("array", b"\x91\xa1x")):
        put(f"str-{name}", f"a STR that is a wrong value: {name}", wrong("mark", "text", value))
        if name != "array":
            put(f"strs-{name}", f"a STRS with a wrong element: {name}", wrong("probe", "hooks", b"\x92\xa1x" + value))
    put("strs-scalar", "a STRS that is a string", wrong("probe", "hooks", b"\xa1x"))
    put("kind-late", "a wrong kind in the last object of a frame: none of it is given", MARK[1], MARK[2],
        wrong("mark", "at_ns", b"\xa0"))
    # Objects.
    raw("object-3", "an object that is an array of three", b"\x93\x16\x80\x80")
    raw("object-1", "an object that is an array of one", b"\x91\x16")
    raw("object-0", "an object that is an empty array", b"\x90")
    raw("object-int", "an object that is an integer, behind a good one", MARK[1].data + b"\x00")
    raw("object-nil", "an object that is nil", b"\xc0")
    raw("object-map", "an object that is a map", b"\x82\x16\x80\x01\x80")
    raw("object-str", "an object that is a text", b"\xa2hi")
    raw("object-no-map", "an object whose second part is an array", b"\x92\x16\x92\x01\x01")
    raw("object-nil-map", "an object whose second part is nil", b"\x92\x16\xc0")
    raw("object-no-map-unknown", "an object of an unknown type whose second part is an integer", b"\x92\x63\x01")
    raw("object-c1", "a byte that msgpack does not use, as an object", b"\xc1")
    raw("value-c1", "a byte that msgpack does not use, behind an unknown key", b"\x92\x16\x81\x09\xc1")
    raw("value-c1-nested", "a byte that msgpack does not use, in an unknown type", b"\x92\x63\x81\x09\x92\x01\xc1")
    raw("type-negative", "type -1", b"\x92\xff\x80")
    raw("type-str", "a type that is a text", b"\x92\xa4mark\x80")
    raw("type-float", "a type that is a float", b"\x92\xca\x41\xb0\0\0\x80")
    raw("type-nil", "a type that is nil", b"\x92\xc0\x80")
    raw("ends-in-map", "a map with a missing value", b"\x92\x16\x82\x01\x01\x02")
    raw("ends-in-pairs", "a map with a missing pair", b"\x92\x16\x82\x01\x01")
    raw("ends-in-array", "an object without its map", b"\x92\x16")
    raw("ends-in-integer", "ends within an integer", b"\x92\x16\x81\x01\xcf\0\0")
    raw("ends-in-head", "ends within the length of a string", b"\x92\x16\x81\x02\xda\0")
    raw("ends-in-string", "ends within a string", b"\x92\x16\x81\x02\xa3ab")
    raw("ends-in-column", "ends within a column", b"\x92\x0b\x81\x02\x93\x01\x02")
    raw("ends-in-unknown", "ends within a value that is skipped", b"\x92\x16\x81\x09\xc7\x05\x01abcd")
    vector("crosses", "damaged", "an object that goes on in the next frame",
           [*trace(one(1), end=False, table=False), bad(frame(2), Obj(MARK[1].data[:6])),
            Part(zstd(MARK[1].data[6:] + frame(3).data))])
    # Order.
    put("header-again", "HEADER in a later frame", header())
    put("frame-again", "FRAME twice in a frame", frame(2))
    put("frame-again-next", "two frames' objects in one", MARK[1], frame(3))
    put("behind-end-object", "an object behind END in its frame", rec("end"), MARK[1])
    put("behind-end-unknown", "an object of an unknown type behind END", rec("end"), obj(99, []))
    put("end-twice", "END twice", rec("end"), rec("end"))
    before = trace(one(1), end=False, table=False)
    tail = Part(one(3).data)
    for name, shows, objects in (
            ("header-opens", "HEADER instead of FRAME", [header(), MARK[1]]),
            ("frame-missing", "a later frame without FRAME", [MARK[1]]),
            ("frame-missing-unknown", "an unknown type instead of FRAME", [obj(99, []), MARK[1]]),
            ("frame-second", "FRAME is the second object", [MARK[1], frame(2)]),
            ("frame-end", "END without FRAME", [rec("end")]),
            ("seq-missing", "FRAME without seq", [rec("frame", first_ns=0, last_ns=0)]),
            ("seq-gap", "seq 3 behind 1", [frame(3), MARK[1]]),
            ("seq-repeat", "seq 1 behind 1", [frame(1), MARK[1]]),
            ("seq-zero", "seq 0", [frame(0)]),
            ("seq-max", "the largest seq", [frame(U63)]),
            ("seq-kind", "seq is a text", [Obj(b"\x92\x02\x81\x01\xa12")])):
        vector(name, "damaged", shows, [*before, bad(*objects), tail])
    vector("seq-two", "damaged", "seq begins with 2", [Part(MAGIC), HEAD, bad(frame(2)), tail])
    vector("seq-from-zero", "damaged", "seq begins with 0", [Part(MAGIC), HEAD, bad(frame(0)), Part(one(1).data)])
    vector("first-damaged-only", "damaged", "the only frame behind HEADER's is damaged",
           [Part(MAGIC), HEAD, bad(frame(1), Obj(b"\xc1"))])


def content():
    """Sections 5 to 9, as far as section 11 calls it damage."""
    def put(name, shows, *objects):
        vector("content-" + name, "content", shows, trace(one(1), data(frame(2), *objects)))

    syms = rec("symbols", first=1, name=["f"], module=[0], offset=[0])
    put("symbol-undefined", "a stack of a symbol that is not defined", rec("stacks", first=1, up=[1], symbol=[1]))
    put("stack-undefined", "a sample of a stack that is not defined",
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[1], task=[0]))
    put("task-undefined", "a sample of a task that is not defined",
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[0], task=[1]))
    put("module-undefined", "a symbol of a module that is not defined",
        rec("symbols", first=1, name=["f"], module=[1], offset=[0]))
    put("netdev-undefined", "counters of an interface that is not defined",
        rec("tick", cpu=[]), rec("netdev_stats", id=[1], rx_bytes=[1]))
    put("ids-gap", "ids that are not dense", rec("symbols", first=2, name=["f"], module=[0], offset=[0]))
    put("ids-again", "ids that are defined again", syms, syms)
    put("ids-missing", "a defining record without its first", rec("symbols", name=["f"], module=[0], offset=[0]))
    put("ids-max", "an id beyond the limit", rec("module", id=67108864, name="x"))
    put("columns-symbols", "columns of unequal length", rec("symbols", first=1, name=["f", "g"], module=[0], offset=[0]))
    put("columns-samples", "a column of SAMPLES is missing",
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[0]))
    put("columns-tick", "a per-CPU column of another length than TICK's",
        rec("tick", at_ns=0, cpu=[0, 1]), rec("exact", event=1, ns=[1]))
    put("columns-energy", "more energy counters than zones", rec("energy_zone", id=1), rec("tick", cpu=[]),
        rec("energy", read_ns=[0, 0], raw=[1, 2]))
    put("no-tick", "counters without a TICK", rec("exact", event=1, ns=[1]))
    put("up-zero", "a stack on itself", syms, rec("stacks", first=1, up=[0], symbol=[1]))
    put("up-over", "a stack on one before the first", syms, rec("stacks", first=1, up=[2], symbol=[1]))
    put("stack-128", "a stack of 128 functions", syms, rec("stacks", first=1, up=[1] * 128, symbol=[1] * 128))
    put("cpu-limit", "a CPU number beyond the limit", rec("tick", at_ns=0, cpu=[8192]))
    put("cpu-twice", "a CPU twice in a tick", rec("tick", at_ns=0, cpu=[1, 1]))


def make_large():
    """Valid and hostile traces that are large on disk."""
    filler = MIB8 - len(frame(1).data) - len(rec("mark", [(3, b"\xc6" + bytes(4))]).data)
    noise = bytes(i * i * 7 + (i >> 8) & 0xff for i in range(1 << 16)) * 128
    eight = rec("mark", [(3, b"\xc6" + filler.to_bytes(4, "big") + noise[:filler])])
    vector("large-raw", "ok", "8 MiB in raw blocks", trace(data(frame(1), eight)), large)
    content_ = frame(2).data + MARK[2].data
    room = 8421376 - len(zstd(content_)) - 3
    for name, kind, empty in ("large-limit", "ok", room // 3), ("large-over", "damaged", room // 3 + 1):
        blocks = [(0, len(content_), content_)] + [(0, 0, b"")] * (empty + 1)
        part = data(frame(2), MARK[2], blocks=blocks)
        assert (len(part.data) > 8421376) == (kind != "ok")
        vector(name, kind, f"a frame of {len(part.data)} bytes, most of them empty blocks",
               trace(one(1), part) if kind == "ok" else
               [*trace(one(1), end=False, table=False), Part(part.data), Part(one(3).data)], large)
    vector("large-objects", "damaged", "two million objects in a frame, the last of which is wrong",
           broken_in(Obj(b"\x92\x16\x80" * 2000000 + b"\x90")), large)
    vector("large-bomb", "damaged", "16 MiB of empty blocks and no last one",
           [*trace(one(1), end=False, table=False),
            Part(zstd(content_, blocks=[(0, 0, b"")], checksum=b"\0\0\0\0")[:6]), Part(bytes(1 << 24))], large)


def write(folder, made):
    status = []
    for name, (kind, shows, parts) in sorted(made.items()):
        with open(os.path.join(folder, name + ".nct"), "wb") as out:
            for part in parts:
                out.write(part.data)
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8", newline="\n") as out:
            for part in parts:
                for row in part.rows:
                    out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
        code = {"ok": 0, "hint": 0, "content": 1, "cut": 3}.get(kind, 1)
        status.append(f"{name}\t{code}\t{kind}\t{shows}\n")
    with open(os.path.join(folder, "STATUS"), "w", encoding="utf-8") as out:
        out.writelines(status)


def check(folder):
    """Names of the files that differ, are missing, or are too many."""
    def files(where):
        return {n for n in os.listdir(where) if (n.endswith((".nct", ".json")) and not n.startswith("real-"))
                or n == "STATUS"}

    def read(where, name):
        with open(os.path.join(where, name), "rb") as stream:
            return stream.read()

    both = files(folder) & files(HERE)
    return sorted(files(folder) ^ files(HERE)) + sorted(n for n in both if read(folder, n) != read(HERE, n))


def unseen():
    """Keys of SPEC.md that no vector shows."""
    kind, out = "", []
    with open(os.path.join(HERE, "..", "SPEC.md"), encoding="utf-8") as spec:
        for line in spec.read().partition("<!-- keys:")[2].partition("<!-- end of keys")[0].splitlines():
            head = re.match(r"### \d+ ([A-Z_]+)", line)
            row = re.match(r"\| \d+ \| `(\w+)`", line)
            kind = head[1].lower() if head else kind
            if row and (kind, row[1]) not in used:
                out.append(f"{kind}.{row[1]}")
    return out


def main(args):
    if args and args not in (["--check"], ["--keys"]) and not (len(args) == 2 and args[0] == "--large"):
        print(__doc__, file=sys.stderr)
        return 2
    if args[:1] == ["--large"]:
        make_large()
        write(args[1], large)
        return 0
    for make in valid, incomplete, no_trace, hostile_container, hostile_objects, content:
        make()
    if args == ["--keys"]:
        print("\n".join(unseen()))
        return bool(unseen())
    if not args:
        write(HERE, vectors)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        write(folder, vectors)
        wrong_ones = check(folder)
    print("\n".join(wrong_ones))
    return bool(wrong_ones)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
