# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of SCHEMA and of records that it describes: SPEC.md, section 2.2."""
from pieces import Obj, data, frame, obj, pack, rec, trace, vector

KINDS = ["UINT", "INT", "STR", "UINTS", "INTS", "STRS"]


def schema(*rows, **columns):
    """rows: (type, key, name, kind). columns: replace those that are made from rows."""
    made = {name: [row[i] for row in rows] for i, name in enumerate(["record", "key", "name", "kind"])}
    return rec("schema", **{**made, **columns})


GAUGE = [(99, 0, "gauge", "")] + [(99, i + 1, kind.lower(), kind) for i, kind in enumerate(KINDS)]
VALUES = [7, -7, "seven", [7, None], [-7, 7], ["seven", ""]]


def shown(pieces, row):
    return Obj(obj(99, pieces).data, {"type": "gauge", **row})


def whole():
    return shown([(i + 1, pack(v)) for i, v in enumerate(VALUES)], dict(zip(map(str.lower, KINDS), VALUES)))


def misfits():
    """For each kind, a value of another kind, and a valid one."""
    wrong = [b"\xc0", pack(2 ** 62 + 1), pack("x" * 4097), pack(["x"]), pack([1, None]), pack([1])]
    for i, value in enumerate(wrong):
        yield shown([(i + 1, value)], {})
        at = (i + 1) % len(VALUES)
        pieces = sorted([(i + 1, value), (at + 1, pack(VALUES[at]))])
        yield shown(pieces, {KINDS[at].lower(): VALUES[at]})


def left_out():
    """Invalid rows, and values of the keys that they describe."""
    rows = [(128, 0, "far", ""), (99, 0, "gauge", ""), (99, 0, "again", ""), (99, 64, "far", "UINT"),
            (99, 1, "Upper", "UINT"), (99, 1, "", "UINT"), (99, 1, "x" * 64, "UINT"), (99, 1, "type", "UINT"),
            (99, 1, "number", "FLOAT"), (99, 1, "number", "UINT"), (99, 1, "again", "STR"), (99, 2, "number", "STR"),
            (22, 0, "marker", ""), (22, 2, "words", "STR"), (22, 9, "text", "STR"), (22, 9, "more", "STR"),
            (98, 1, "nameless", "UINT"), (None, 0, "nil", ""), (99, None, "nil", "UINT")]
    yield schema(*rows)
    yield shown([(1, pack(1)), (2, pack("x")), (64, pack(1))], {"number": 1})
    yield Obj(obj(22, [(2, pack("a")), (9, pack("b"))]).data, {"type": "mark", "text": "a", "more": "b"})
    yield obj(98, [(1, pack(1))])
    yield obj(128, [])


def make():
    def ok(name, shows, *objects):
        vector("schema-" + name, "ok", shows, trace(data(frame(1), *objects)))

    ok("type", "a type that SCHEMA describes, with a key of each kind", schema(*GAUGE), whole())
    ok("key", "a key of a known type that SCHEMA describes", schema((22, 9, "more", "STR")),
       Obj(obj(22, [(2, pack("a")), (9, pack("b"))]).data, {"type": "mark", "text": "a", "more": "b"}))
    ok("later", "what stands before SCHEMA is not described", Obj(whole().data), schema(*GAUGE), whole())
    ok("misfits", "values that are not of the kind that SCHEMA says", schema(*GAUGE), *misfits())
    ok("rows", "rows of SCHEMA that say nothing", *left_out())
    ok("two", "two SCHEMA: the first row about a key counts", schema(*GAUGE[:2]),
       schema((99, 1, "other", "STR"), (99, 0, "other", ""), *GAUGE[2:]), whole())
    ok("lengths", "columns of SCHEMA that end early", schema(*GAUGE, kind=["", "UINT"]),
       shown([(1, pack(7)), (2, pack(-7))], {"uint": 7}))
    ok("empty", "SCHEMA without rows, and without columns", schema(), Obj(obj(37, []).data, {"type": "schema"}))
    vector("schema-parts", "ok", "SCHEMA of one part says nothing of the next",
           trace(data(frame(1), schema(*GAUGE), whole()), table=False) + trace(data(frame(1), Obj(whole().data))))
    ok("type-0", "rows about type 0, which does not exist", schema((0, 0, "zero", ""), (0, 1, "number", "UINT")),
       obj(0, [(1, pack(1))]))
    tint = [(99, 0, "gauge", "", ""), (99, 1, "tint", "UINT", "key, one of colour"), (99, 2, "tints", "UINTS", "one of colour"),
            (99, 3, "event", "UINT", "one of event"), (99, 4, "change", "INT", "one of colour"), (99, 5, "odd", "UINT", "one of Odd"),
            (99, 6, "none", "UINT", "one of "), (99, 7, "two", "UINT", "one of odd,one of x, one of colour, one of event")]
    numbers = {1: 1, 2: [0, 1, None, 7], 3: 6, 4: 1, 5: 1, 6: 1, 7: 1}

    def tints(**values):
        return shown([(key, pack(value)) for key, value in numbers.items()], values)

    ok("names", "NAMES of numbers of keys that SCHEMA describes, from there on; the first row about a number counts",
       schema(*(row[:4] for row in tint), meaning=[row[4] for row in tint]),
       tints(tint=1, tints=[0, 1, None, 7], event=6, change=1, odd=1, none=1, two=1),
       rec("names", of="colour", number=[0, 1, 1, None, 7], name=["red", "sea-green", "blue", "nil", "Upper"]),
       rec("names", of="event", number=[6, 50], name=["six", "of_later"]), rec("names", of="Odd", number=[1], name=["one"]),
       rec("names", of="colour", number=[1, 8, 9], name=["blue", "x" * 64]), rec("names", number=[1], name=["nobody"]), rec("names", of="colour"),
       tints(tint="sea-green", tints=["red", "sea-green", None, 7], event="six", change=1, odd=1, none=1, two="sea-green"))
    event, fate = rec("probe", of=0, number=9, method="off"), rec("latency_by", hook=16, by=1, bucket=[], packets=[])
    event.row["of"], fate.row["hook"] = 0, 16
    ok("names-known", "NAMES of numbers that this version knows, and of some that it does not",
       rec("names", of="of", number=[0, 99], name=["zero", "of-later"]), rec("names", of="latency", number=[16, 17], name=["a", "b"]),
       event, fate, Obj(rec("probe", of=99, number=9, method="off").data, {**event.row, "of": "of-later"}),
       Obj(rec("latency_by", hook=17, by=1, bucket=[], packets=[]).data, {**fate.row, "hook": "b"}))
    vector("names-parts", "ok", "NAMES of one part say nothing of the next",
           trace(data(frame(1), schema(*(row[:4] for row in tint), meaning=[row[4] for row in tint]),
                      rec("names", of="colour", number=[1], name=["red"])), table=False)
           + trace(data(frame(1), schema(*(row[:4] for row in tint), meaning=[row[4] for row in tint]),
                        tints(tint=1, tints=[0, 1, None, 7], event=6, change=1, odd=1, none=1, two=1))))
    many = [(100 + i // 63, 1 + i % 63, f"k{i}", "UINT") for i in range(1023)]
    ok("many", "more rows of SCHEMA than 1024", schema((99, 0, "gauge", ""), *many, (99, 1, "uint", "UINT")),
       shown([(1, pack(7))], {}))
