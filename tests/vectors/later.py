#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""later.py [-r PROGRAM] [-f] TRACE...: runs the reader of format 1.0, reader-1.0.py.xz, on traces of later versions.

The reader represents all independent readers: a new record, key, event or text must not break it. It is frozen
as a whole, because tables of 1.0 in today's reader would not show changes of the reader's logic. If this test
fails, the format has changed in a forbidden way: format/SPEC.md, sections 2.1 and 3.2. Until 1.0 is released,
the reader may be replaced by

    xz -9e <format/reader.py >tests/vectors/reader-1.0.py.xz     and its SHA256, below

For each trace, complete or truncated, the reader must return what format/reader.py returns, except for types
and keys that it does not know, which it must count exactly. With -f each trace is also changed as a later
version may write it: new types, keys and columns, described by SCHEMA or not, new events and parts, new texts,
a newer minor version. With PROGRAM (netcost-report or report_server), the program's dump, info and verify must
skip the same. Prints the differences."""
import argparse
import copy
import hashlib
import io
import json
import lzma
import os
import random
import re
import sys
import tempfile
import types as modules

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import mutate  # noqa: E402
from mutate import Pairs, reader  # noqa: E402
from report import Report  # noqa: E402

SHA256 = "7385782c938ea3dc18d9b70bbff67ab0dfcd41bfd573b540f31dfb197f09dd93"


def load_frozen():
    with lzma.open(HERE + "/reader-1.0.py.xz") as file:
        source = file.read()
    if hashlib.sha256(source).hexdigest() != SHA256:
        sys.exit("not ok later: reader-1.0.py.xz has been changed")
    module = modules.ModuleType("frozen_reader")
    exec(compile(source, "reader-1.0.py", "exec"), module.__dict__)  # pylint: disable=exec-used
    return module


frozen = load_frozen()
KEYS = {name: {"type"} | {key for key, _ in keys.values()} for name, keys in frozen.TYPES.values()}
NUMBERS = {name: number for number, (name, _) in frozen.TYPES.items()}
HEADER, END, SCHEMA = NUMBERS["header"], NUMBERS["end"], NUMBERS["schema"]
MAGIC = b"\x5c\x2a\x4d\x18\x08\0\0\0netcost\x01"


class Undescribed(frozen.Reader):
    """Ignores SCHEMA, so that the reader returns nothing that it does not know, and counts all
    of that."""

    def take_schema(self, record):
        pass


def read(kind, stop, data):
    """Returns (class, records, the reader)."""
    found, rows = kind(io.BytesIO(data)), []
    try:
        for row in found:
            rows.append(row)
    except stop as stopped:
        return stopped.kind, rows, found
    return "ok", rows, found


def known(rows):
    """Returns the types and keys that the frozen reader knows. The order of keys is that of the
    file."""
    return [[(key, value) for key, value in row.items() if key in KEYS[row["type"]]] for row in rows if row["type"] in KEYS]


def counts(frames, known_types):
    """Counts the types and keys that are not in the tables."""
    types = keys = 0
    for kind, pairs in (thing for frame in frames for thing in frame):
        if kind in known_types:
            keys += sum(key not in known_types[kind][1] for key, _ in pairs)
        else:
            types += 1
    return types, keys


def tables():
    """Returns the differences between the tables of today and the frozen tables."""
    for number, (name, keys) in frozen.TYPES.items():
        now_name, now = reader.TYPES.get(number, (None, {}))
        if name != now_name:
            yield f"type {number} was {name}, and is {now_name}"
        for key, was in keys.items():
            if now.get(key) != was:
                yield f"key {key} of {name} was {was}, and is {now.get(key)}"
    if (frozen.LIMITS, frozen.MAJOR) != (reader.LIMITS, reader.MAJOR):
        yield "other limits, or another major version"


# ---- the unchanged trace


def judge(data, frames):
    """Returns the differences between the frozen reader's result and today's. frames: None if
    the trace could not be split."""
    now, rows, _ = read(reader.Reader, reader.Stop, data)
    then, frozen_rows, _ = read(frozen.Reader, frozen.Stop, data)
    if then != now:
        yield f"{then}, now {now}"
    if known(frozen_rows) != known(rows):
        yield "other records"
    then, bare, counter = read(Undescribed, frozen.Stop, data)
    if then != now or [list(row.items()) for row in bare] != known(rows):
        yield "other records without SCHEMA"
    if frames is not None and (counter.unknown_types, counter.unknown_keys) != counts(frames, frozen.TYPES):
        yield f"counted {counter.unknown_types}, {counter.unknown_keys}, there are {counts(frames, frozen.TYPES)}"


# ---- as a later version may write it


SMALL = 65536  # largest content in bytes of a trace that is changed
NEW_TYPE, NEW_KEY = 100, 60
ODD = [mutate.Raw(raw) for raw in (b"\xc0", b"\xc3", b"\xcb" + bytes(8), b"\xc4\x01x", b"\xd4\x05x", b"\x81\xa1x\x91\xc0",
                                   b"\xcf" + b"\xff" * 8, b"\x91" * 8 + b"\x01", b"\xda\x20\x00" + b"x" * 8192)]
TEXTS = [("header", "sampler"), ("header", "sample_event"), ("header", "exact"), ("header", "sampled"), ("source", "state"),
         ("probe", "method")]
TEXT_KEYS = {(NUMBERS[kind], number) for kind, name in TEXTS for number, (key, _) in frozen.TYPES[NUMBERS[kind]][1].items()
             if key == name}


def types(frames):
    """Adds unknown types everywhere except before the first object of a frame."""
    for frame in frames:
        for at in range(len(frame), 0, -1):
            if frame[at - 1][0] != END:
                frame.insert(at, [random.choice([NEW_TYPE, NEW_TYPE + 1, 1000, (1 << 64) - 1]),
                                  Pairs([(1, random.choice(ODD)), (2, [1, None])])])


def keys(frames):
    """Adds keys, and columns, to every object."""
    for frame in frames:
        for thing in frame:
            if not thing[1] or thing[1][-1][0] < NEW_KEY:
                thing[1].extend([(NEW_KEY, [1, None, 2]), (NEW_KEY + 1, random.choice(ODD)), (1 << 40, random.choice(ODD))])


def schema(frames):
    """Describes the new type, and the new keys of all types, in SCHEMA."""
    rows = [(NEW_TYPE, 0, "gauge", ""), (NEW_TYPE, 1, "level", "UINT"), (NEW_TYPE, 2, "levels", "UINTS")]
    for kind in frozen.TYPES:
        rows += [(kind, NEW_KEY, "later", "UINTS"), (kind, NEW_KEY + 1, "odd", "FLOATS")]
    row = [SCHEMA, Pairs((i + 1, list(column)) for i, column in enumerate(zip(*rows)))]
    for frame in frames:
        if frame[0][0] == HEADER:
            frame.insert(1, row)


def described(frames):
    types(frames)
    keys(frames)
    schema(frames)


def after(frames, kind, *new):
    for frame in frames:
        for at in range(len(frame), 0, -1):
            if frame[at - 1][0] == kind:
                frame[at:at] = [[number, Pairs(make(frame[at - 1][1]))] for number, make in new]


def events(frames):
    """Adds events and parts with other numbers, some of them twice. The sum of the invariant
    must not change."""
    def zeros(tick):
        return [0] * len(dict(tick).get(2, []))

    after(frames, NUMBERS["tick"],
          *[(NUMBERS["exact"], lambda tick, event=event: [(1, event), (2, zeros(tick))]) for event in (30, 63, 64, 30)],
          *[(NUMBERS["exact_part"], lambda tick, part=part: [(1, part), (2, zeros(tick))]) for part in (30, 63, 64, 30)])
    after(frames, NUMBERS["source"],
          *[(NUMBERS["probe"], lambda _, of=of: [(1, of), (2, 30), (3, "later")]) for of in (0, 1, 30)])


def texts(frames):
    for frame in frames:
        for kind, pairs in frame:
            pairs[:] = [(key, "later") if (kind, key) in TEXT_KEYS else (key, value) for key, value in pairs]


def minor(frames):
    for frame in frames:
        if frame[0][0] == HEADER:
            frame[0][1][:] = sorted([pair for pair in frame[0][1] if pair[0] != 2] + [(2, 99)])


def all_of_it(frames):
    texts(frames)
    minor(frames)
    events(frames)
    described(frames)


LATER = [types, keys, schema, described, events, texts, minor, all_of_it]


def fix_totals(frames):
    """Corrects END's records, which is the number of objects before END."""
    objects = 0
    for frame in frames:
        objects += len(frame)
        kind, pairs = frame[-1]
        if kind == END:
            pairs[:] = [(key, objects - 1 if key == 2 else value) for key, value in pairs]
            objects = 0


def put_together(frames, zstd):
    return b"".join(MAGIC * (frame[0][0] == HEADER) + zstd.frame(b"".join(map(mutate.pack, frame))) for frame in frames)


def stays(rows, change):
    """Returns the part of known(rows) that such a change does not alter."""
    def is_new(row):
        row = dict(row)
        return row["type"] == "schema" or any(row.get(key, 0) in (30, 63, 64) for key in ("event", "part", "number"))

    def is_same(kind, key):
        return (kind, key) != ("end", "records") and not (change in (texts, all_of_it) and (kind, key) in TEXTS) and not (
            change in (minor, all_of_it) and (kind, key) == ("header", "minor"))

    return [[(key, value) for key, value in row if is_same(row[0][1], key)] for row in rows if not is_new(row)]


def as_json(rows):
    return json.loads(json.dumps(rows))


def report_says(report, path):
    """Returns (known records of dump, the items that info reports as skipped, status and output
    of verify)."""
    dumped, info, verified = (report.run(command, path) for command in ("dump", "info", "verify"))
    rows = [json.loads(line) for line in dumped[1].decode("utf-8").split("\n")[:-1]]
    left_out = re.findall(r"  skipped +(\d+) records, (\d+) fields", info[1].decode("utf-8", "replace"))
    return known(rows), tuple(sum(int(n[i]) for n in left_out) for i in (0, 1)), verified[0], verified[1]


def later(frames, report, folder, zstd):
    """Changes the trace as a later version would. Returns what fails."""
    before = put_together(frames, zstd)
    path = folder + "/trace.nct"
    rows = known(read(frozen.Reader, frozen.Stop, before)[1])
    if report:
        with open(path, "wb") as out:
            out.write(before)
        status = report_says(report, path)[2]
    for change in LATER:
        changed = copy.deepcopy(frames)
        change(changed)
        fix_totals(changed)
        data = put_together(changed, zstd)
        for why in judge(data, changed):
            yield f"{change.__name__}: {why}"
        kept = known(read(frozen.Reader, frozen.Stop, data)[1])
        if stays(kept, change) != stays(rows, change):
            yield f"{change.__name__}: known data has changed"
        if not report:
            continue
        with open(path, "wb") as out:
            out.write(data)
        dumped, left_out, verified, said = report_says(report, path)
        if as_json(dumped) != as_json(kept):
            yield f"{change.__name__}: dump gives other records"
        if not status and left_out != counts(changed, reader.TYPES):
            yield f"{change.__name__}: info counts {left_out}, there are {counts(changed, reader.TYPES)}"
        if verified != status:
            yield f"{change.__name__}: verify ended with {verified}, before with {status}: {said.decode('utf-8', 'replace')}"


def content(frames):
    return sum(len(mutate.pack(thing)) for frame in frames for thing in frame)


def taken_apart(path):
    """Splits a trace. Returns None if it is truncated, or if msgpack's own reader rejects an
    unknown key."""
    try:
        return mutate.take_apart(path)
    except (EOFError, ValueError, mutate.msgpack.exceptions.UnpackException, reader.Bad):
        return None


def main():
    args = argparse.ArgumentParser()
    args.add_argument("-r", metavar="PROGRAM")
    args.add_argument("-f", action="store_true")
    args.add_argument("trace", nargs="*")
    args = args.parse_args()
    wrong, changed = list(tables()), 0
    report = args.r and Report(args.r)
    with tempfile.TemporaryDirectory() as folder:
        for path in args.trace:
            random.seed(path)
            frames = taken_apart(path)
            with open(path, "rb") as trace:
                wrong += [f"{path}: {why}" for why in judge(trace.read(), frames)]
            if args.f and frames and content(frames) <= SMALL:
                changed += 1
                wrong += [f"{path}: {why}" for why in later(frames, report, folder, mutate.Zstd())]
    if args.f and not changed:
        wrong.append("no trace was changed")
    if report:
        report.close()
    print(*wrong, f"{len(args.trace)} traces, {changed} of them as later versions may write them", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
