# SPDX-License-Identifier: BSD-2-Clause
"""A vector for each rule of each key: what the tables of SPEC.md, section 9, say, kept and broken once each.

The expected class follows from the broken rule alone. Nothing here knows how netcost judges a trace. They are made when the
tests run, not kept."""
import os
import sys

from pieces import U63, data, frame, header, obj, pack, rec, trace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import spec_tables  # noqa: E402

FIRST, LAST, INSIDE = 1000, 9000, 5000  # the frame's times
KNOWN = spec_tables.known_numbers()
COLUMNS = {"UINTS", "INTS", "STRS"}


class Key:
    """A row of a table. rules: {word: its argument}."""

    def __init__(self, record, key):
        self.record, self.number, self.name, self.kind = record, key.number, key.name, key.kind
        text = spec_tables.rules(key).replace("host counter, 32 bits", "wraps")
        self.rules = {}
        for rule in filter(None, text.split(", ")):
            word = next((word for word in ("per id", "id of", "one of") if rule.startswith(word)), rule)
            self.rules[word] = rule[len(word) + 1:]

    def column(self, *values):
        return list(values) if self.kind in COLUMNS else values[0]

    def good(self):
        """A valid base: two CPUs, two ids of each sort, and FRAME's times."""
        if "defines" in self.rules:
            return 3
        if self.kind in ("STR", "STRS"):
            return self.column("x", "y")
        if "CPU" in self.rules:
            return self.column(0, 2)
        if "id of" in self.rules:
            return self.column(1, 2)
        if "one of" in self.rules:
            return self.column(0, 0)
        if self.name == "base_ns" or "time" in self.rules:
            return self.column(INSIDE, INSIDE)
        if self.name in ("dt", "step"):
            return self.column(0, 0)
        return self.column(*self.counted(100))

    def counted(self, n):
        return (n, n) if {"counter", "host counter", "wraps", "level"} & set(self.rules) else (1, 1)

    # ---- violations: (name, class, value); a value of None: the key is left out

    def wrong_kinds(self):
        other = {"UINT": "1", "INT": "1", "STR": 1, "UINTS": 1, "INTS": 1, "STRS": "x"}[self.kind]
        yield "kind", "damaged", other
        large = {"UINT": U63 + 1, "INT": 2 ** 62 + 1, "STR": "x" * 4097, "UINTS": [U63 + 1, 1], "INTS": [-2 ** 62 - 1, 1],
                 "STRS": ["x" * 4097, "y"]}[self.kind]
        yield "range", "damaged", large
        if self.kind in ("UINT", "UINTS"):
            yield "negative", "damaged", self.column(-1, 1)
        if self.kind in ("INTS", "STRS"):
            yield "nil", "damaged", [None, self.good()[1]]
        elif self.kind == "UINTS":
            never = {"CPU", "id of"} & set(self.rules) or (self.record, self.name) == ("stacks", "up")
            yield "nil", "content" if never else "ok", [None, self.good()[1]]

    def broken(self, beside):
        """beside: number of columns of the record that have the rule "length"."""
        rules, good = self.rules, self.good()
        yield "absent", ABSENT.get((self.record, self.name), "content" if {"MUST", "defines"} & set(rules) else "ok"), None
        if "length" in rules and beside > 1:
            yield "longer", "content", good + good[:1]
            yield "shorter", "content", good[:1]
        if "per CPU" in rules:
            yield "per-cpu-longer", "content", good + good[:1]
            yield "per-cpu-shorter", "content", good[:1]
        if "per id" in rules:
            yield "per-id", "content", good + good[:1]
        if "defines" in rules:
            yield "id-gap", "content", 4
            yield "id-again", "content", 2
        if "id of" in rules:
            yield "id", "content", self.column(77, 1)
            if "not 0" in rules:
                yield "id-0", "content", self.column(0, 1)
            else:
                yield "id-0", "ok", self.column(0, 1)
        if "CPU" in rules:
            yield "cpu", "content", self.column(8192, 2)
        if "time" in rules:
            yield "early", "content", self.column(FIRST - 1, INSIDE)
            yield "late", "content", self.column(LAST + 1, INSIDE)
        if "wraps" in rules:
            yield "bits", "content", self.column(2 ** 32, 1)
        if "one of" in rules:
            yield "number", "ok", self.column(KNOWN[rules["one of"]] + 100, 0)
        if "subject" in rules and self.kind == "UINTS":
            yield "twice", "content", [1, 1]

    def falls(self):
        """Violations in the tick after that of the good record: (name, class, value)."""
        less = self.column(99, 99)
        if {"counter", "level"} & set(self.rules):
            yield "falls", "content", less
        elif {"host counter", "wraps"} & set(self.rules):
            yield "falls", "ok", less


ABSENT = {("header", "major"): "damaged", ("frame", "seq"): "damaged", ("frame", "first_ns"): "content", ("frame", "last_ns"): "content"}


class Type:
    def __init__(self, row):
        self.name, self.number = row.name, row.number
        self.is_counter = row.of == "COUNTER"
        self.keys = [Key(row.name, key) for key in row.keys]
        self.beside = sum("length" in key.rules for key in self.keys)

    def record(self, changed=None, value=None):
        """A valid record with all keys, of which one is changed."""
        values = {key: value if key is changed else key.good() for key in self.keys}
        values.update({key: FIXED[self.name, key.name] for key in self.keys
                       if (self.name, key.name) in FIXED and key is not changed})
        pieces = [(key.number, pack(value)) for key, value in values.items() if value is not None or key is not changed]
        return obj(self.number, pieces)


FIXED = {("header", "major"): 1, ("header", "requires"): [], ("frame", "seq"): 1, ("frame", "first_ns"): FIRST,
         ("frame", "last_ns"): LAST, ("frame", "lost"): [0, 0], ("end", "frames"): 2, ("end", "records"): 20, ("end", "samples"): 0, ("end", "symbols"): 2,
         ("end", "stacks"): 2, ("end", "tasks"): 2}
LIBRARY = ("header", "frame", "end")


def defined():
    """Returns two ids of each sort."""
    return [
        rec("module", id=1, name="a"), rec("module", id=2, name="b"),
        rec("symbols", first=1, name=["a", "b"], module=[0, 1], offset=[0, 0]),
        rec("stacks", first=1, up=[1, 1], symbol=[1, 2]), rec("tasks", first=1, tid=[1, 2], tgid=[1, 2], comm=["a", "b"]),
        rec("cgroups", first=1, path=["/", "/a"]), rec("netdev", id=1, name="a"), rec("netdev", id=2, name="b"),
        rec("energy_zone", id=1, name="a", wrap=1000), rec("energy_zone", id=2, name="b", wrap=1000),
        rec("program", id=1, name="a"), rec("program", id=2, name="b"), rec("counter_names", first=1, name=["a", "b"]),
        rec("drop_reasons", first=1, name=["a", "b"], cpu=[0, 2]),
        rec("other_programs", first=1, name=["a", "b"], kind=["xdp", "xdp"], attached=["", ""]),
        rec("processes", first=1, pid=[1, 2], name=["a", "b"], start_ns=[1, 1], cgroup=[0, 1], kernel=[0, 0])]


def tick():
    return rec("tick", at_ns=INSIDE, cpu=[0, 2])


def file_of(*records, head=None, frame_=None, end=None):
    pieces = trace(data(frame_ or frame(1, first_ns=FIRST, last_ns=LAST, lost=[0, 0]), *defined(), tick(), *records),
                   *([data(frame(2), end)] if end else []), end=not end, table=False, head=data(head or header(cpus=[0, 2])))
    return b"".join(piece.data for piece in pieces)


def with_record(t, record, *later):
    unknown_cpus = frame(1, first_ns=FIRST, last_ns=LAST)
    where = {"header": {"head": record, "frame_": unknown_cpus}, "frame": {"frame_": record}, "end": {"end": record}}.get(t.name)
    return file_of(**where) if where else file_of(record, *later)


def make():
    """Yields (name, class, the file's bytes)."""
    for t in map(Type, spec_tables.types()):
        yield t.name, "ok", with_record(t, t.record())
        for key in t.keys:
            for name, kind, value in (*key.wrong_kinds(), *key.broken(t.beside)):
                if kind == "ok" and (t.name, key.name) in FIXED:
                    continue  # rules of its own, which other vectors break
                yield f"{t.name}.{key.name}-{name}", kind, with_record(t, t.record(key, value))
            for name, kind, value in key.falls():
                yield f"{t.name}.{key.name}-{name}", kind, with_record(t, t.record(), tick(), t.record(key, value))
            if t.is_counter and "subject" in key.rules:
                yield f"{t.name}.{key.name}-again", "content", with_record(t, t.record(), t.record())
                if "one of" in key.rules:
                    later = t.record(key, KNOWN[key.rules["one of"]] + 100)
                    yield f"{t.name}.{key.name}-again-later", "ok", with_record(t, later, later)
        if t.is_counter:
            yield f"{t.name}-no-tick", "content", b"".join(piece.data for piece in trace(
                data(frame(1, first_ns=FIRST, last_ns=LAST), *defined(), t.record()), table=False, head=data(header(cpus=[0, 2]))))
