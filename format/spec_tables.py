#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Keeps the tables of SPEC.md and of reader.py as the headers have them.

    spec_tables.py            rewrites what stands between the markers in both
    spec_tables.py --check    changes nothing; exit status 1 if one of them is stale
"""
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include" / "netcost"

STRING = r'"((?:[^"\\]|\\.)*)"'
WORD = r"(\w+)"
FLAGS = r"([\w |()]+?)"


def macro_rows(header, macro, *columns):
    """The rows X(...) of an X macro, as tuples; a row that does not look like the others is an error."""
    text = (INCLUDE / header).read_text().replace("\\\n", " ")
    body = re.search(rf"^#define {macro}\(X\)(.*)$", text, re.M).group(1)
    rows = re.findall(r"X\(\s*" + r"\s*,\s*".join(columns) + r"\s*\)", body)
    if len(rows) != len(re.findall(r"\bX\(", body)):
        sys.exit(f"{header}: {macro} has rows that this script does not understand")
    return rows


# ---- the headers


class Key:
    """A row of TRACE_KEYS. flags: what stands there, "NAMES(TASK)" for one."""

    def __init__(self, kind_of_record, number, name, kind, unit, flags, doc):
        self.type, self.number, self.name, self.kind, self.unit, self.doc = kind_of_record, number, name, kind, unit, doc
        self.flags = [] if flags == "0" else flags.split(" | ")


class Type:
    """A row of TRACE_TYPES, with its keys. of: MOMENT, COUNTER, SINCE or WHOLE."""

    def __init__(self, number, NAME, name, of, doc, keys):
        self.number, self.NAME, self.name, self.of, self.doc = number, NAME, name, of, doc
        self.keys = [k for k in keys if k.type == NAME]


def types():
    keys = [Key(TYPE, int(number), *rest) for TYPE, number, *rest in macro_rows(
        "registry_keys.h", "TRACE_KEYS", WORD, r"(\d+)", r"\w+", STRING, WORD, STRING, FLAGS, STRING)]
    return [Type(int(number), *rest, keys) for number, *rest in macro_rows(
        "registry.h", "TRACE_TYPES", r"(\d+)", WORD, STRING, WORD, STRING)]


def events():
    return macro_rows("events.h", "NETCOST_EVENTS", r"(\d+)", r"\w+", STRING, r'"[^"]*"', STRING)


def parts():
    return macro_rows("parts.h", "NETCOST_PARTS", r"(\d+)", r"\w+", STRING, r'"[^"]*"', STRING)


def probe_ofs():
    return macro_rows("probe_of.h", "NETCOST_PROBE_OFS", r"(\d+)", r"\w+", STRING, r"\w+", STRING)


def probes():
    return macro_rows("probes.h", "NETCOST_PROBES", r"(\d+)", r"\w+", STRING, r'"[^"]*"', STRING)


def latencies():
    rows = macro_rows("latency.h", "NETCOST_LATENCIES", r"(\d+)", r"\w+", STRING, STRING, STRING)
    return [(number, key, f"from {start} to {end}") for number, key, start, end in rows]


def stages():
    rows = macro_rows("stages.h", "NETCOST_STAGES", r"(\d+)", r"\w+", STRING, r"(\w+)", STRING)
    kinds = {"FIRST": "first", "ON": "", "END": "end"}
    return [(number, f"`{key}`", kinds[kind], what) for number, key, kind, what in rows]


ARGUMENTS = {"u": "number", "f": "fraction", "e": "errno", "w": "word", "l": "words", "p": "path", "n": "text", "r": "reasons"}


def reason_rows():
    """(number, name, sentence)."""
    text = (INCLUDE / "reasons.h").read_text().replace("\\\n", " ")
    rows = re.findall(r'X\((\d+),\s*(\w+),\s*"[^"]*",\s*((?:"[^"]*"\s*)+)\)', text)
    return [(number, name, "".join(re.findall('"([^"]*)"', sentence))) for number, name, sentence in rows]


def reasons():
    """(number, name, sentence with the classes of its arguments)."""
    return [(number, name, re.sub("%(.)", lambda m: f"<{ARGUMENTS[m[1]]}>", sentence)) for number, name, sentence in reason_rows()]


def limits():
    text = (INCLUDE / "trace.h").read_text()
    return [(name, eval(re.sub(r"(?<=\d)u", "", value)), doc)  # "8u << 20"
            for name, value, doc in re.findall(r"^#define TRACE_MAX_(\w+)\s+(.+?)\s*/\*\s*(.+?)\s*\*/$", text, re.M)]


# ---- SPEC.md


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return "\n".join(line.replace("|  |", "| |") for line in lines)


def limits_table():
    return table(["name", "limit", "of what"],
                 [(f"`{name}`", f"{number:,}".replace(",", " "), doc) for name, number, doc in limits()])


def numbers_table(head, rows, what="what ends up in it"):
    return table([head, "name", what], [(i, f"`{key}`", doc) for i, key, doc in rows])


def ids_table():
    definers = {k.flags[0]: f"{t.NAME} `{k.name}`" for t in types() for k in t.keys if k.flags}
    rows = macro_rows("registry.h", "TRACE_IDS", WORD, r'"[^"]*"', STRING, STRING)
    return table(["defined by", "ids", "0 means"],
                 [(definers[f"DEFINES({sort})"], several, zero) for sort, several, zero in rows])


OF = {"COUNTER": "counter", "SINCE": "since the tick before"}


def types_table():
    return table(["type", "name", "of", "what it is"],
                 [(str(t.number), f"`{t.NAME}`", OF.get(t.of, ""), t.doc) for t in types()])


RULES = {"MUST": "MUST", "COLUMN": "length", "PER_CPU": "per CPU", "EACH": "per id", "NAMES": "id", "DEFINES": "MUST",
         "CPU": "CPU", "TIME": "time", "COUNTER": "counts", "LEVEL": "grows", "HOST_COUNTER": "host counts",
         "COUNTER32": "host counts, 32 bits", "DIM": "key", "SUM": "adds up", "MIN": "least", "MAX": "most",
         "BIN": "bucket", "WEIGHT": "adds up"}  # section 9 says what the words mean


def rules(key):
    return ", ".join(RULES[flag] for flag in (flag.split("(")[0] for flag in key.flags) if flag in RULES)


def keys_tables():
    return "\n\n".join(
        f"### {t.number} {t.NAME}\n\n"
        + table(["key", "name", "kind", "unit", "rules", "what it is"],
                [(str(k.number), f"`{k.name}`", k.kind, k.unit, rules(k), k.doc) for k in t.keys])
        for t in types())


SPEC_TABLES = {
    "limits": limits_table,
    "probes": lambda: numbers_table("of", probe_ofs(), "what its number is"),
    "events": lambda: numbers_table("event", events()),
    "parts of the RX softirq": lambda: numbers_table("part", parts()),
    "latencies": lambda: (numbers_table("hook", latencies(), "from where to where") + "\n\n"
                          + table(["stage", "name", "first or end", "what has happened"], stages())),
    "the recorder's probes": lambda: numbers_table("probe", probes(), "what a run is"),
    "reasons": lambda: table(["reason", "name", "sentence"], [(n, f"`{name}`", f"`{text}`") for n, name, text in reasons()]),
    "ids": ids_table,
    "types": types_table,
    "keys": keys_tables,
}


def spec_with_tables(text):
    for name, make in SPEC_TABLES.items():
        text = between(text, f"<!-- {name}: made by spec_tables.py -->", f"<!-- end of {name} -->", make())
    return text


# ---- reader.py


def wrapped(begin, items, end, indent=""):
    """Lines of Python; an item stays in one piece."""
    text = begin + ", ".join(item.replace(" ", "\0") for item in items) + end.replace(" ", "\0")
    lines = textwrap.fill(text, 116, initial_indent=indent, subsequent_indent=indent + "    ",
                          break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ")


def reader_constants():
    rows = [wrapped(f'{t.number}: ("{t.name}", {{', [f'{k.number}: ("{k.name}", "{k.kind}")' for k in t.keys], "}),", "    ")
            for t in types()]
    reasons_in = {t.number: [str(k.number) for k in t.keys if "PRIVATE(TEXTS)" in k.flags] for t in types()}
    return "\n".join([
        "TYPES = {  # number: name, {key: (name, kind)}", *rows, "}",
        wrapped("REASON_KEYS = {", [f"{kind}: ({', '.join(keys)},)" for kind, keys in reasons_in.items() if keys], "}"),
        "REASONS = {  # number: sentence", *(f'    {number}: b"{sentence}",' for number, _, sentence in reason_rows()), "}",
        wrapped("LIMITS = {", [f'"{name}": {number}' for name, number, _ in limits()], "}")])


def reader_with_constants(text):
    return between(text, "# --- tables: made by spec_tables.py", "# --- end of tables", reader_constants())


# ---- both


def between(text, begin, end, new):
    before, marker, rest = text.partition(begin + "\n")
    _, end_marker, after = rest.partition(end)
    if not marker or not end_marker:
        sys.exit(f"no place for a table: {begin} … {end}")
    return f"{before}{begin}\n{new}\n{end}{after}"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    for name, make in ("SPEC.md", spec_with_tables), ("reader.py", reader_with_constants):
        old = (HERE / name).read_text()
        new = make(old)
        if sys.argv[1:] and new != old:
            sys.exit(f"{name} is stale: run format/spec_tables.py")
        if not sys.argv[1:]:
            (HERE / name).write_text(new)


if __name__ == "__main__":
    main()
