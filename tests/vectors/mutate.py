#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mutate.py [-s SEED] [-k FOLDER] [-l BYTES] PROGRAM COUNT TRACE...: checks that two readers give one verdict.

The program splits traces into frames, objects and values, changes some, joins them again, and passes the result
to dump of PROGRAM (netcost-report or report_server) and to format/reader.py. Both must print the same records
and end with the same verdict. Each mutant is a valid zstd stream with correct checksums, and its errors are in
the objects. Mutants with a difference are kept in FOLDER. Traces with more than BYTES of content are skipped.
Prints the number of mutants by verdict."""
import argparse
import collections
import ctypes
import io
import json
import random
import sys
import tempfile

import msgpack

sys.path.insert(0, "format")
import reader  # noqa: E402
from report import Report  # noqa: E402


class Raw(bytes):
    """Bytes that are already an encoded value."""


class Pairs(list):
    """A map: [(key, value), ...]. Keys can be of any kind, and the same key can occur twice."""


NESTED = {depth: b"\x91" * depth + b"\x01" for depth in (1, 7, 8, 9)}
LARGEST = 4096  # bytes of content; many small mutants find more errors
ODD = [0, 1, 2, 127, 128, 255, 256, 65535, 65536, 1 << 31, 1 << 32, (1 << 62) - 1, 1 << 62, (1 << 62) + 1, (1 << 63) - 1,
       1 << 63, (1 << 64) - 1, -1, -32, -33, -(1 << 31), -(1 << 62), -(1 << 62) - 1, -(1 << 63), None, True, False, 0.5,
       "", "x", "\0", "\x85", "\u2028", "x" * 4096, "x" * 4097, b"", b"x", [], [0], [None], [-1], [""], [[]], Pairs(),
       Pairs([(1, 1)]), ["x", 1], [None] * 130, list(range(300))]
UTF8 = [b"\xff", b"a\xe6\x97", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xf0\x9f\x92"]


# ---- msgpack with every encoding that it allows


def head(n, forms):
    """forms: (largest length, its encoding), shortest first. Sometimes a longer form than needed
    is chosen."""
    fits = [say for most, say in forms if n <= most]
    return (fits[0] if random.random() < 0.98 else random.choice(fits))(n)


def sized(first, width):
    return lambda n: bytes([first]) + n.to_bytes(width, "big")


LENGTHS = {  # kind: the one-byte form, and the longer forms
    str: [(31, lambda n: bytes([0xa0 + n])), (255, sized(0xd9, 1)), (65535, sized(0xda, 2)), (2**32 - 1, sized(0xdb, 4))],
    list: [(15, lambda n: bytes([0x90 + n])), (65535, sized(0xdc, 2)), (2**32 - 1, sized(0xdd, 4))],
    Pairs: [(15, lambda n: bytes([0x80 + n])), (65535, sized(0xde, 2)), (2**32 - 1, sized(0xdf, 4))],
    int: [(127, lambda n: bytes([n])), (255, sized(0xcc, 1)), (65535, sized(0xcd, 2)), (2**32 - 1, sized(0xce, 4)),
          (2**64 - 1, sized(0xcf, 8))],
}


def pack(value):
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, bool) or not isinstance(value, (int, str, list)) or isinstance(value, int) and value < 0:
        return msgpack.packb(value)
    if isinstance(value, int):
        return head(value, LENGTHS[int])
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogateescape")
        return head(len(value), LENGTHS[str]) + value
    if isinstance(value, Pairs):
        return head(len(value), LENGTHS[Pairs]) + b"".join(pack(k) + pack(v) for k, v in value)
    return head(len(value), LENGTHS[list]) + b"".join(map(pack, value))


# ---- frames


class Zstd:
    CHECKSUM = 201

    def __init__(self):
        self.lib = ctypes.CDLL("libzstd.so.1")
        self.lib.ZSTD_createCCtx.restype = ctypes.c_void_p
        self.lib.ZSTD_compress2.restype = self.lib.ZSTD_compressBound.restype = ctypes.c_size_t
        self.lib.ZSTD_compress2.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
                                            ctypes.c_size_t]
        self.context = ctypes.c_void_p(self.lib.ZSTD_createCCtx())
        self.lib.ZSTD_CCtx_setParameter(self.context, self.CHECKSUM, 1)

    def frame(self, content):
        out = ctypes.create_string_buffer(len(content) + 1024)
        size = self.lib.ZSTD_compress2(self.context, out, len(out), content, len(content))
        return out.raw[:size]


def take_apart(path):
    """Returns frames: lists of [type, Pairs]. Skippable frames, which are hints, are left out."""
    frames, source, zstd = [], reader.Source(open(path, "rb")), reader.Zstd()
    while magic := source.upto(4):
        if reader.skippable(magic):
            source.skip(int.from_bytes(source.exactly(4), "little"))
            continue
        unpacker = msgpack.Unpacker(strict_map_key=False, unicode_errors="surrogateescape",
                                    object_pairs_hook=Pairs)
        unpacker.feed(zstd.content(*reader.read_frame(source)))
        frames.append(list(unpacker))
    return frames


def take_all(paths, most):
    """Returns the small traces that msgpack's own reader understands. It accepts fewer unknown
    keys than SPEC.md allows."""
    traces = []
    for path in paths:
        try:
            trace = take_apart(path)
        except (ValueError, msgpack.exceptions.UnpackException):
            continue
        if sum(len(pack(thing)) for frame in trace for thing in frame) <= most:
            traces.append(trace)
    return traces


# ---- changes


def odd(was):
    """Returns another value, usually of the same kind."""
    way = random.random()
    if way < 0.3 and isinstance(was, int) and not isinstance(was, bool):
        return was + random.choice([-1, 1, -2, 2, 1 << random.randrange(64), -(1 << random.randrange(63))])
    if way < 0.6 and isinstance(was, list) and not isinstance(was, Pairs):
        return odd_column(was)
    if way < 0.65:
        return Raw(random.choice(list(NESTED.values())))
    if way < 0.7:
        text = random.choice(UTF8)
        return Raw(bytes([0xa0 + len(text)]) + text)
    value = random.choice(ODD)
    return value if not isinstance(value, int) or isinstance(value, bool) or -1 << 63 <= value < 1 << 64 else 0


def odd_column(was):
    was = list(was)
    at = random.randrange(len(was) + 1)
    way = random.randrange(5)
    if way == 0 or not was:
        was.insert(at, random.choice([None, 0, 1, was[0] if was else "x"]))
    elif way == 1:
        del was[at:at + 1]
    elif way == 2:
        was[min(at, len(was) - 1)] = random.choice(ODD)
    elif way == 3:
        was[at:at] = was
    else:
        del was[at:]
    return was


def within(value):
    """Clamps a value to the range of msgpack, which an addition may exceed."""
    if isinstance(value, int) and not isinstance(value, bool):
        return min(max(value, -(1 << 63)), (1 << 64) - 1)
    return value


def change_value(pairs):
    at = random.randrange(len(pairs))
    pairs[at] = (pairs[at][0], within(odd(pairs[at][1])))


def change_key(pairs):
    at = random.randrange(len(pairs))
    was = pairs[at][0] if isinstance(pairs[at][0], int) else 0
    pairs[at] = (random.choice([0, 1, min(was + 1, (1 << 64) - 1), 63, 300, (1 << 64) - 1, -1, "x", None]), pairs[at][1])


def drop_key(pairs):
    del pairs[random.randrange(len(pairs))]


def new_key(pairs):
    last = pairs[-1][0]
    if isinstance(last, int) and last < 1 << 60:
        pairs.append((last + random.choice([0, 1, 50]), random.choice(ODD)))


def swap_keys(pairs):
    at = random.randrange(len(pairs))
    pairs[at - 1], pairs[at] = pairs[at], pairs[at - 1]


def many_keys(pairs):
    pairs.extend((1000 + i, i) for i in range(random.choice([40, 63, 64, 65])))


KEYS = [change_value] * 8 + [change_key, drop_key, drop_key, new_key, swap_keys, many_keys]


def change_object(frame):
    thing = random.choice(frame)
    if thing[1]:
        random.choice(KEYS)(thing[1])


def change_type(frame):
    thing = random.choice(frame)
    thing[0] = random.choice([0, 1, 2, 10, 11, 12, 28, 99, 126, 127, 128, (1 << 64) - 1, -1, "x", None])


def drop_object(frame):
    del frame[random.randrange(len(frame))]


def copy_object(frame):
    kind, pairs = random.choice(frame)
    frame.insert(random.randrange(len(frame) + 1), [kind, Pairs(pairs)])


def swap_objects(frame):
    at = random.randrange(len(frame))
    frame[at - 1], frame[at] = frame[at], frame[at - 1]


def new_object(frame):
    frame.insert(random.randrange(len(frame) + 1), [random.choice([90, 125, 1000]), Pairs([(1, random.choice(ODD))])])


OBJECTS = [change_object] * 12 + [change_type, drop_object, copy_object, swap_objects, new_object]


def change_frames(frames):
    way, at = random.randrange(5), random.randrange(len(frames))
    if way == 0:
        del frames[at]
    elif way == 1:
        frames.insert(at, [[kind, Pairs(pairs)] for kind, pairs in random.choice(frames)])
    elif way == 2:
        frames[at - 1], frames[at] = frames[at], frames[at - 1]
    elif way == 3:
        frames[at - 1:at + 1] = [frames[at - 1] + frames[at]] if at else frames[at - 1:at + 1]
    else:
        cut = random.randrange(len(frames[at]) + 1)
        frames[at:at + 1] = [frames[at][:cut], frames[at][cut:]]


def mutant(frames):
    """Returns the content of each frame, with one to three changes."""
    frames = [[[kind, Pairs(pairs)] for kind, pairs in frame] for frame in frames]
    for _ in range(random.choice([1, 1, 2, 3])):
        if random.random() < 0.1 and frames:
            change_frames(frames)
        elif any(frames):
            random.choice(OBJECTS)(random.choice([frame for frame in frames if frame]))
    return [b"".join(map(pack, frame)) for frame in frames if frame]


# ---- the two readers


def python_says(data):
    lines, found = [], reader.Reader(io.BytesIO(data))
    try:
        for record in found:
            lines.append(record)
    except reader.Stop as stop:
        return stop.kind, lines
    return "ok", lines


def c_class(status, errors):
    if status == 0:
        return "cut" if "cut off" in errors else "ok"
    if "format version" in errors or "requires" in errors or "before format" in errors:
        return "version"
    return "damaged"  # also if the bytes at offset 0 are not a trace


def c_says(report, path):
    status, out, err = report.run("dump", path)
    return c_class(status, err.decode("utf-8", "replace")), [json.loads(line) for line in
                                                             out.decode("utf-8", "replace").split("\n")[:-1]]


def as_said(lines):
    """Decodes as JSON does: invalid UTF-8 becomes U+FFFD."""
    return [json.loads(json.dumps(line)) for line in lines]


def differ(data, report, path):
    """Returns (verdict, the difference or nothing)."""
    with open(path, "wb") as out:
        out.write(data)
    ours, records = c_says(report, path)
    theirs, others = python_says(data)
    theirs = "damaged" if theirs in ("no-trace", "empty") else theirs
    if ours != theirs:
        return theirs, f"dump: {ours}; reader.py: {theirs}"
    if [list(r.items()) for r in records] != [list(r.items()) for r in as_said(others)]:
        return theirs, "other records"
    return theirs, ""


def main():
    args = argparse.ArgumentParser()
    args.add_argument("-s", type=int, default=None)
    args.add_argument("-k", default=None)
    args.add_argument("-l", type=int, default=LARGEST)
    args.add_argument("program")
    args.add_argument("count", type=int)
    args.add_argument("trace", nargs="+")
    args = args.parse_args()
    seed = args.s if args.s is not None else random.randrange(1 << 32)
    traces, zstd, verdicts, wrong = take_all(args.trace, args.l), Zstd(), collections.Counter(), 0
    report = Report(args.program)
    with tempfile.TemporaryDirectory() as folder:
        for i in range(args.count):
            random.seed(f"{seed} {i}")
            data = b"".join(map(zstd.frame, mutant(random.choice(traces))))
            verdict, why = differ(data, report, folder + "/mutant.nct")
            verdicts[verdict] += 1
            if why:
                wrong += 1
                print(f"mutant {i} of seed {seed}: {why}")
                if args.k:
                    with open(f"{args.k}/mutant-{seed}-{i}.nct", "wb") as out:
                        out.write(data)
    report.close()
    print(f"{args.count} mutants of seed {seed}: " + ", ".join(f"{n} {what}" for what, n in sorted(verdicts.items())))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
