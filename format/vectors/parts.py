# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of files that hold several traces, one after the other."""
import struct

from pieces import (HEAD, MAGIC, MARK, Obj, Piece, bad, cut, data, frame, header, hint, integer, junk, magic_of, obj,
                    one, rec, seek_table, trace, vector)

FIRST = trace(one(1), table=False)
SECOND = trace(one(1, rec("mark", text="of the second")), table=False)


def with_table(pieces, of=None):
    return [*pieces, seek_table(pieces if of is None else of)]


def with_ids(name):
    """A trace with ids, samples and INDEX."""
    middle = data(
        frame(1), rec("symbols", first=1, name=[name], module=[0], offset=[16]),
        rec("stacks", first=1, up=[1], symbol=[1]), rec("tasks", first=1, tid=[7], tgid=[7], comm=[name]),
        rec("netdev", id=1, name=name),
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[1], task=[1]))
    starts = [16, 16 + len(HEAD.data)]
    nil = [None, None]
    last = data(frame(2), rec("index", offset=starts, first_ns=nil, last_ns=nil, defines=[1, 1]), rec(
        "end", frames=2, records=9, samples=1, symbols=1, stacks=1, tasks=1))
    return [Piece(MAGIC), HEAD, middle, last]


def good():
    def ok(name, shows, pieces, kind="ok"):
        vector(name, kind, shows, pieces)

    ok("after-end-trace", "a second trace after the first", [*trace(one(1)), *trace(one(1))])
    ok("parts-two", "two traces, each with its seek table", [*with_table(FIRST), *with_table(SECOND)])
    ok("parts-three", "three traces with hints before, between and after them", with_table([
        *FIRST, hint(b"between"), hint(b"", 15), *SECOND, hint(HEAD.data), seek_table(SECOND), hint(),
        *trace(one(1), table=False), hint(b"last")]))
    ok("parts-many", "64 traces of one frame", with_table([
        piece for i in range(64) for piece in (
            Piece(MAGIC), data(header(), rec("mark", at_ns=i), rec("end", frames=0, records=2)))]))
    ok("parts-ids", "ids begin anew in each part, and INDEX counts from its first byte", with_table([
        *with_ids("one"), *with_ids("two"), hint(b"before"), *with_ids("three")]))
    ok("parts-minor", "parts of other minor versions, with unknown types and keys", with_table([
        *FIRST, *trace(data(frame(1), obj(99, [])), head=data(header([(50, b"\xc3")], minor=9)),
                       table=False)]))
    ok("parts-header-encoded", "a second HEADER in long encodings", with_table([*FIRST, Piece(MAGIC), data(
        Obj(b"\xdd\0\0\0\x02" + integer(1, 0xd3) + b"\xdf\0\0\0\x01" + integer(1, 0xcf) + integer(1, 0xcd),
            {"type": "header", "major": 1}), rec("end"))]))
    ok("parts-table-all", "a seek table of all parts", with_table([*FIRST, *SECOND]))
    ok("parts-table-last", "a seek table of the last part only", with_table([*FIRST, *SECOND], SECOND))
    ok("parts-table-middle", "a wrong seek table that is not the last frame", with_table([
        *FIRST, hint(struct.pack("<IBI", 9, 0, 0x8f92eab1), 14), *SECOND]))
    ok("parts-magic-last", "a part of which only the magic is there", [*FIRST, Piece(MAGIC)])
    ok("parts-table-wrong", "a seek table of the first part only, after the second", with_table(
        [*FIRST, *SECOND], FIRST), "hint")
    ok("parts-table-hole", "a seek table of the frames of data only", with_table(
        [*FIRST, *SECOND], [p for p in (*FIRST, *SECOND) if p.data != MAGIC]), "hint")
    second = with_ids("two")
    start = sum(len(p.data) for p in FIRST) + 16
    ok("parts-index-file", "INDEX of a second part, which counts from the file's first byte", with_table([
        *FIRST, *second[:-1], data(frame(2), rec(
            "index", offset=[start, start + len(HEAD.data)], first_ns=[None, None], last_ns=[None, None]),
            rec("end"))]), "hint")


def broken():
    def put(name, kind, shows, *pieces):
        vector("parts-" + name, kind, shows, [*FIRST, *pieces])

    tail = [Piece(p.data) for p in SECOND[2:]]  # records that a reader does not return
    start = SECOND[:2]
    put("cut-magic", "cut", "the end within the second magic", Piece(MAGIC[:9]))
    put("cut-first-start", "cut", "the end within the magic number of the second HEADER's frame",
        Piece(MAGIC), Piece(HEAD.data[:3]))
    put("cut-first", "cut", "the end within the second HEADER's frame", Piece(MAGIC), Piece(HEAD.data[:-2]))
    put("cut-after-first", "cut", "the end after the second HEADER's frame", *start)
    put("cut-middle", "cut", "the end within a later frame of the second part", *cut(SECOND[:3], 20))
    put("cut-end", "cut", "the end within END's frame of the second part", *cut(SECOND, 12))
    put("cut-no-end", "cut", "a second part without END, but with a seek table", *with_table(SECOND[:3]))
    put("damaged-first", "damaged", "the second HEADER's frame has a wrong checksum", Piece(MAGIC),
        bad(header(), checksum=b"\1\2\3\4"), *tail)
    put("damaged-first-object", "damaged", "after the second HEADER, in its frame, what is no object",
        Piece(MAGIC), bad(header(), Obj(b"\xc1")), *tail)
    put("damaged", "damaged", "a later frame of the second part has a wrong checksum", *start,
        bad(frame(1), MARK[1], checksum=b"\1\2\3\4"), *tail)
    put("header-twice", "damaged", "a frame after END with HEADER twice", Piece(MAGIC),
        bad(header(), header()))
    put("no-header", "damaged", "after END a part that begins with FRAME", Piece(MAGIC), *tail)
    put("unknown-first", "damaged", "an unknown type before the second HEADER", Piece(MAGIC),
        bad(obj(99, []), header()), *tail)
    put("header-second", "damaged", "the second HEADER is not the first object", Piece(MAGIC),
        bad(MARK[1], header()), *tail)
    put("seq-goes-on", "damaged", "seq goes on in the second part, instead of from 1", *start,
        bad(frame(3), MARK[3]), *tail)
    put("garbage", "damaged", "bytes that begin no frame between two parts", junk(b"and now to"),
        Piece(MAGIC), Piece(HEAD.data), *tail)
    put("third", "damaged", "the third of four parts is damaged", *SECOND, *start,
        bad(frame(1), Obj(b"\xc1")), *(Piece(p.data) for p in FIRST))
    vector("parts-no-end", "damaged", "HEADER before END", [
        *trace(one(1), end=False, table=False), *(Piece(p.data) for p in SECOND)])
    vector("parts-cut-between", "damaged", "a trace that was cut within a frame, and another one after it", [
        *cut([*FIRST[:-1], data(frame(2), rec("mark", text="long " * 11))], 30),
        *(Piece(p.data) for p in SECOND)])
    put("no-magic", "damaged", "a second part without the magic", *(Piece(p.data) for p in SECOND[1:]))
    put("hint-first", "damaged", "a skippable frame between the second magic and HEADER's frame", Piece(MAGIC), hint(b"between"),
        *(Piece(p.data) for p in SECOND[1:]))
    put("major-2", "version", "a second part of major version 2", magic_of(2),
        bad(rec("header", major=2)), *tail)
    put("major-2-cut", "version", "a second part of major version 2, and nothing after its magic", magic_of(2))
    put("major-missing", "damaged", "a second part whose HEADER has no major", Piece(MAGIC),
        bad(rec("header", minor=0)), *tail)
    put("requires", "version", "a second part that requires something", Piece(MAGIC),
        bad(header(requires=["tea"])), *tail)
    stacks = rec("stacks", first=1, up=[1], symbol=[1])
    vector("parts-ids-before", "content", "a second part that uses an id of the first", [
        *with_ids("one"), Piece(MAGIC), HEAD, data(frame(1), stacks), data(frame(2), rec("end"))])


def make():
    good()
    broken()
