# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of ticks that are written as differences from a base: SPEC.md, section 8.1."""
from pieces import (HEAD, MAGIC, MARK, MIB8, U63, Obj, Piece, data, frame, header, obj, one, rec, seek_table, trace,
                    vector)

LIMIT = 524288


def base(number=1, **fields):
    return rec("tick", **{"at_ns": 100, "cpu": [0, 1], "exact_ns": [90, 95], "base": number, **fields})


def diff(row, kind, more=(), **fields):
    """What stands in the file as these fields, and is this row."""
    return Obj(rec(kind, more, **fields).data, rec(kind, **row).row)


def unwritten(kind, **row):
    """What a reader gives though it is not in the file."""
    return Obj(b"", rec(kind, **row).row)


def tick(at_ns, number=1, row=(90, 95), **fields):
    """A TICK that is differences from base()."""
    return diff({"at_ns": at_ns, "cpu": [0, 1], "exact_ns": list(row)}, "tick",
                **{"at_ns": at_ns, "from": number, **fields})


EXACT = [rec("exact", event=e, ns=[1000 * e, 7], calls=[e, 0]) for e in range(3)]
NAMELESS = rec("exact", ns=[1, 1])
SELF = rec("self", user_us=5, system_us=6)
BASE = [base(), *EXACT, SELF]


def whole(*more):
    """The rest of a tick that is as BASE is: what is given for it, here."""
    return [Obj(b"", o.row) for o in more]


def good():
    def ok(name, shows, *pieces):
        vector("base-" + name, "ok", shows, trace(*pieces))

    ok("plain", "ticks as differences from a base, in its frame and in a later one",
       data(frame(1), *BASE, tick(200, row=[190, 96], exact_ns=[100, 1]),
            diff({"event": 0, "ns": [100, 8], "calls": [1, 3]}, "exact", event=0, ns=[100, 1], calls=[1, 3]),
            *whole(*EXACT[1:]), diff({"user_us": 6, "system_us": 6}, "self", user_us=1)),
       data(frame(2), tick(300, row=[70190, 96], exact_ns=[70100, 1]),
            diff({"event": 0, "ns": [70100, 8], "calls": [1, 3]}, "exact", event=0, ns=[70100, 1], calls=[1, 3]),
            *whole(*EXACT[1:]),
            diff({"user_us": 1005, "system_us": 70006}, "self", user_us=1000, system_us=70000)))
    ok("unchanged", "ticks that leave out records before, between and behind those that they have, or all",
       data(frame(1), *BASE, tick(200), *whole(*EXACT, SELF), tick(300, row=[91, 96], exact_ns=[1, 1]),
            *whole(EXACT[0]), diff({"event": 1, "ns": [1001, 8], "calls": [1, 0]}, "exact", event=1, ns=[1, 1]),
            *whole(EXACT[2], SELF), tick(400, row=[91, 97], exact_ns=[1, 2]), *whole(EXACT[0]), diff({"event": 1, "ns": [1001, 9], "calls": [1, 0]}, "exact", event=1, ns=[1, 2]),
            diff({"event": 2, "ns": [2000, 7], "calls": [2, 0]}, "exact", event=2), *whole(SELF)))
    nils = {"ns": [None, 5], "calls": [None, None]}
    ok("nil", "nil in the base is nil in the difference",
       data(frame(1), base(exact_ns=[None, 95]), rec("exact", event=1, **nils),
            diff({"at_ns": 200, "cpu": [0, 1], "exact_ns": [None, 95]}, "tick", **{"at_ns": 200, "from": 1}),
            unwritten("exact", event=1, **nils),
            diff({"at_ns": 300, "cpu": [0, 1], "exact_ns": [None, 100]}, "tick",
                 **{"at_ns": 300, "exact_ns": [None, 5], "from": 1}),
            diff({"event": 1, "ns": [None, 7], "calls": [None, None]}, "exact", event=1, ns=[None, 2],
                 calls=[None, None])))
    ok("again", "a base that replaces another one, which has other records",
       data(frame(1), *BASE, tick(200), *whole(*EXACT, SELF)),
       data(frame(2), base(2, at_ns=300), SELF, rec("softnet", processed=[3, 4]), tick(400, 2), *whole(SELF),
            diff({"processed": [4, 4294967295]}, "softnet", processed=[1, 4294967291])))
    ok("whole", "ticks without a base between those that have one",
       data(frame(1), *BASE, tick(200), *whole(*EXACT, SELF), rec("tick", at_ns=300, cpu=[1]),
            rec("exact", event=0, ns=[7]), tick(400), *whole(*EXACT), diff({"user_us": 6, "system_us": 6}, "self", user_us=1)),
       data(frame(2), rec("tick", at_ns=500, cpu=[0, 1], exact_ns=[500, 500]), tick(600), *whole(*EXACT),
            diff({"user_us": 7, "system_us": 6}, "self", user_us=2)))
    more = rec("exact_loss", torn=3)
    ok("ends", "what ends a base, and differences: what is behind it in the tick is whole",
       data(frame(1), base(), *EXACT, MARK[1], SELF, tick(200), *whole(EXACT[0]),
            diff({"event": 1, "ns": [1000, 9], "calls": [1, 0]}, "exact", event=1, ns=[0, 2]), *whole(EXACT[2]),
            MARK[2], rec("self", user_us=7, system_us=9), more, tick(300), *whole(EXACT[0]),
            diff({"event": 1, "ns": [1000, 10], "calls": [1, 0]}, "exact", event=1, ns=[0, 3]), *whole(EXACT[2]), MARK[3], more))
    ok("unknown", "objects of unknown types do not end it; unknown keys are left out",
       data(frame(1), base(), EXACT[0], obj(99, [(1, b"\x01")]), EXACT[1], rec("self", [(9, b"\xc3")], user_us=5),
            diff({"at_ns": 200, "cpu": [0, 1], "exact_ns": [91, 95]}, "tick", [(77, b"\xc0")],
                 **{"at_ns": 200, "exact_ns": [1, 0], "from": 1}),
            *whole(EXACT[0]), obj(99, []),
            diff({"event": 1, "ns": [1001, 7], "calls": [1, 0]}, "exact", [(50, b"\x91\x01")], event=1, ns=[1, 0]),
            obj(98, []), *whole(rec("self", user_us=5))))
    ok("names", "a base with several records of a type, or of an event: the next one is meant",
       data(frame(1), base(), EXACT[1], NAMELESS, EXACT[2], EXACT[1], SELF,
            tick(200, row=[91, 96], exact_ns=[1, 1]), *whole(EXACT[1]),
            diff({"ns": [2, 1]}, "exact", ns=[1, 0]), *whole(EXACT[2]),
            diff({"event": 1, "ns": [1000, 8], "calls": [1, 0]}, "exact", event=1, ns=[0, 1]), *whole(SELF),
            tick(300, row=[91, 100], exact_ns=[1, 5]),
            diff({"event": 1, "ns": [1000, 9], "calls": [1, 0]}, "exact", event=1, ns=[0, 2]),
            diff({"ns": [2, 1]}, "exact", ns=[1, 0]), *whole(EXACT[2]),
            diff({"event": 1, "ns": [1000, 10], "calls": [1, 0]}, "exact", event=1, ns=[0, 3]), *whole(SELF)))
    devices = {"id": [2, 1], "rx_bytes": [10, 20], "tx_bytes": [None, 7]}
    ok("rows", "interfaces, energy, programs and parts: columns that are not per CPU",
       data(frame(1), rec("netdev", id=1), rec("netdev", id=2), rec("energy_zone", id=1), rec("program", id=1),
            base(), rec("exact_part", part=0, ns=[1, 2]), rec("exact_part", part=3, ns=[3, 4]),
            rec("netdev_stats", **devices), rec("energy", read_ns=[50], raw=[9]),
            rec("program_stats", runs=[10], counted_ns=1), tick(200), *whole(rec("exact_part", part=0, ns=[1, 2])),
            diff({"part": 3, "ns": [4, 5]}, "exact_part", part=3, ns=[1, 1]),
            diff({"id": [2, 1], "rx_bytes": [10, 21], "tx_bytes": [None, 8]}, "netdev_stats", rx_bytes=[0, 1],
                 tx_bytes=[None, 1]),
            diff({"read_ns": [150], "raw": [19]}, "energy", read_ns=[100], raw=[10]),
            *whole(rec("program_stats", runs=[10], counted_ns=1))))
    ok("no-at", "a tick that does not say when it was: the base's time is not its own",
       data(frame(1), *BASE, diff({"cpu": [0, 1], "exact_ns": [91, 95]}, "tick", **{"exact_ns": [1, 0], "from": 1}),
            *whole(*EXACT, SELF)),
       data(frame(2), rec("tick", cpu=[3], base=2), rec("softnet", dropped=[1]),
            diff({"at_ns": 9, "cpu": [3]}, "tick", **{"at_ns": 9, "from": 2}), unwritten("softnet", dropped=[1])))
    many = list(range(300))
    ok("long", "columns of 300 elements, sums in every encoding, and the largest one",
       data(frame(1), rec("tick", cpu=many, base=1), rec("exact", event=0, ns=[v << v % 40 for v in many]),
            rec("exact", event=1, calls=[U63 - 5] * 300), rec("self", written=U63),
            diff({"cpu": many}, "tick", **{"from": 1}),
            diff({"event": 0, "ns": [(v << v % 40) + v for v in many]}, "exact", event=0, ns=many),
            diff({"event": 1, "calls": [U63] * 300}, "exact", event=1, calls=[5] * 300),
            diff({"written": U63}, "self", written=0)))
    ok("end", "the last tick ends with END, in its frame", data(frame(1), *BASE))
    tail = data(frame(1), *BASE, tick(200), *whole(*EXACT, SELF), rec("end"))
    vector("base-end-frame", "ok", "differences end before END", [Piece(MAGIC), HEAD, tail])
    part = trace(data(frame(1), *BASE, tick(200), *whole(*EXACT, SELF)), table=False)
    vector("base-parts", "ok", "two parts that number their bases anew", [*part, *part])
    frames = [HEAD, data(frame(1, first_ns=100, last_ns=200), *[base(exact_ns=[100, 100])], SELF,
                         tick(200, row=[100, 100]), *whole(SELF)),
              data(frame(2, first_ns=300, last_ns=300), tick(300, row=[300, 300], exact_ns=[200, 200]),
                   *whole(SELF)), data(frame(3, first_ns=0, last_ns=0), MARK[1])]
    starts = [16 + sum(len(f.data) for f in frames[:i]) for i in range(4)]
    for name, kind, shows, defines in (
            ("", "ok", "INDEX says which frames have a base only", [1, 2, 0, 1]),
            ("-wrong", "hint", "INDEX says that a frame has no base", [1, 0, 0, 1]),
            ("-one", "hint", "INDEX says that a frame has more than a base", [1, 1, 0, 1])):
        last = data(frame(4), rec("index", offset=starts, first_ns=[None, 100, 300, 0], last_ns=[None, 200, 300, 0],
                                  defines=defines), rec("end", frames=4))
        pieces = [Piece(MAGIC), *frames, last]
        vector("base-index" + name, kind, shows, [*pieces, seek_table(pieces)])
    ok("limit", "a base of 512 KiB, and 8 MiB of it in a frame", data(frame(1), *largest(0), *[
        o for i in range(MIB8 // LIMIT) for o in (tick(200 + i), *whole(SELF))]))


def largest(over):
    """A base of so many bytes more than the limit: what is unknown in it counts."""
    rest = LIMIT + over - len(base(1).data) - len(SELF.data) - 6
    return [Obj(rec("tick", [(9, b"\xc6" + rest.to_bytes(4, "big") + bytes(rest))], at_ns=100, cpu=[0, 1], exact_ns=[90, 95],
                    base=1).data, base().row), SELF]


def broken():
    def stops(name, shows, *frames):
        vector("base-" + name, "damaged", shows, [*trace(*frames, end=False, table=False), Piece(one(len(frames) + 1).data)])

    def put(name, shows, *objects, before=BASE):
        stops(name, shows, data(frame(1), *before), data(frame(2), MARK[1], *objects, Obj(MARK[2].data), Obj(base(9).data)))

    def file_only(kind, more=(), **fields):
        return Obj(rec(kind, more, **fields).data)

    def at(number, **fields):
        return file_only("tick", at_ns=200, **{"from": number, **fields})

    def counter(name, shows, kind, **fields):
        """An offence of a counter: what of the base is before the one that it is for is given."""
        event = fields.get("event", 3 if kind == "self" else 0)
        put(name, shows, tick(200), *whole(*EXACT[:event]), file_only(kind, **fields))

    put("undefined", "differences from a base that is not defined", at(1), before=[])
    put("zero", "differences from base 0", at(0), before=[])
    put("later", "differences from a base that is yet to come", at(2))
    put("gap", "bases begin with 2", file_only("tick", at_ns=1, cpu=[], base=2), before=[])
    put("number-zero", "a base whose number is 0", file_only("tick", at_ns=1, cpu=[], base=0), before=[])
    put("twice", "a base whose number has been", file_only("tick", at_ns=1, cpu=[], base=1))
    put("both", "a TICK that is a base and has one", file_only("tick", at_ns=1, **{"base": 2, "from": 1}))
    put("second", "a base in the second TICK of its frame", tick(200), *whole(*EXACT, SELF), file_only(
        "tick", at_ns=300, cpu=[], base=2))
    put("second-alone", "a base behind a TICK without one", rec("tick", at_ns=1, cpu=[]), file_only("tick", cpu=[], base=1),
        before=[])
    put("cpu", "differences that name CPUs", at(1, cpu=[0, 1]))
    put("tick-length", "exact_ns of another length than the base's", at(1, exact_ns=[1]))
    put("tick-key", "exact_ns that the base does not have", at(1, exact_ns=[1, 2]),
        before=[rec("tick", at_ns=100, cpu=[0, 1], base=1)])
    put("tick-sum", "exact_ns of more than 2^63 - 1", at(1, exact_ns=[0, U63]))
    counter("length", "a shorter column than the base's", "exact", event=1, ns=[1])
    counter("length-more", "a longer column than the base's", "exact", event=1, ns=[1, 2, 3])
    counter("sum", "a sum of 2^63 in a column", "exact", event=2, ns=[0, U63 - 6])
    counter("sum-uint", "a sum of 2^63", "self", user_us=U63 - 4)
    counter("key", "a key that the base's record does not have", "exact", event=1, failed=[0, 0])
    counter("nil-come", "nil where the base has a number", "exact", event=0, ns=[None, 1])
    put("nil-gone", "a number where the base has nil", tick(200), file_only("exact", event=0, ns=[0, 1]),
        before=[base(), rec("exact", event=0, ns=[None, 1])])
    put("netdev-id", "differences that name interfaces", tick(200), file_only("netdev_stats", id=[1], rx_bytes=[1]),
        before=[rec("netdev", id=1), base(), rec("netdev_stats", id=[1], rx_bytes=[5])])
    every = whole(*EXACT, SELF)
    put("record", "a counter that the base does not have", tick(200), *every, file_only("softnet", processed=[1, 1]))
    put("record-event", "an event that the base does not have", tick(200), *every, file_only("exact", event=9, ns=[1, 1]))
    put("record-nameless", "EXACT without an event, which the base does not have", tick(200), *every, file_only(
        "exact", ns=[1, 1]))
    changed = diff({"event": 1, "ns": [1001, 7], "calls": [1, 0]}, "exact", event=1, ns=[1, 0])
    put("record-twice", "two counters for one of the base", tick(200), *whole(EXACT[0]), changed, *every[2:], file_only(
        "exact", event=1, calls=[1, 0]))
    put("order", "counters in another order than the base's", tick(200), *whole(EXACT[0]), changed, *every[2:], file_only(
        "exact", event=0, calls=[1, 0]))
    stops("older", "differences from the base before the latest",
          data(frame(1), *BASE), data(frame(2), base(2, at_ns=300), SELF, at(1), Obj(MARK[1].data)))
    over = largest(1)
    stops("over", "a base of 512 KiB and a byte: its last record is one too many",
          data(frame(1), over[0], Obj(SELF.data), Obj(MARK[1].data)))
    stops("over-tick", "a base whose TICK alone is too large",
          data(frame(1), MARK[1], Obj(largest(len(SELF.data) + 1)[0].data), Obj(SELF.data)))
    assert sum(len(o.data) for o in largest(0)) == LIMIT
    stops("unfolded", "more than 8 MiB of a base in a frame", data(frame(1), *largest(0)), data(
        frame(2), *[o for i in range(MIB8 // LIMIT) for o in (tick(200 + i), *whole(SELF))], at(1)))
    part = trace(data(frame(1), *BASE), table=False)
    vector("base-parts-before", "damaged", "a second part with differences from a base of the first", [
        *part, Piece(MAGIC), data(header()), data(frame(1), MARK[1], at(1), Obj(MARK[2].data)), Piece(one(2).data)])


def make():
    good()
    broken()
