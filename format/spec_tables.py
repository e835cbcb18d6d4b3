#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Keeps the tables of SPEC.md, REASONS.md and reader.py as the headers have them.

    spec_tables.py            rewrites their tables, each identified by its header row
    spec_tables.py --check    changes nothing; exit status 1 if one of them is stale
"""
import functools
import json
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
    """The rows X(...) of an X macro as tuples; a row of another form is an error."""
    text = (INCLUDE / header).read_text().replace("\\\n", " ")
    body = re.search(rf"^#define {macro}\(X\)(.*)$", text, re.M).group(1)
    rows = re.findall(r"X\(\s*" + r"\s*,\s*".join(columns) + r"\s*\)", body)
    if len(rows) != len(re.findall(r"\bX\(", body)):
        sys.exit(f"{header}: {macro} has rows that this script does not understand")
    return rows


# ---- the headers


class Key:
    """A row of TRACE_KEYS. flags: as written there, for example "NAMES(TASK)"."""

    def __init__(self, kind_of_record, number, name, kind, unit, flags, doc):
        self.type, self.number, self.name, self.kind, self.unit, self.doc = kind_of_record, number, name, kind, unit, doc
        self.flags = [] if flags == "0" else flags.split(" | ")


class Type:
    """A row of TRACE_TYPES, with its keys. of: MOMENT, COUNTER, SINCE or WHOLE."""

    def __init__(self, number, NAME, name, of, doc, keys):
        self.number, self.NAME, self.name, self.of, self.doc = number, NAME, name, of, doc
        self.keys = [k for k in keys if k.type == NAME]


@functools.cache
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
    kinds = {"FIRST": "first: ", "ON": "", "END": "end: "}
    return [(number, key, kinds[kind] + what) for number, key, kind, what in rows]


def fates():
    return macro_rows("fates.h", "NETCOST_FATES", r"(\d+)", r"\w+", STRING, STRING)


def culprits():
    return macro_rows("culprits.h", "NETCOST_CULPRITS", r"(\d+)", r"\w+", STRING, STRING)


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


def beside(head, rows):
    """A table with its two halves side by side."""
    half = (len(rows) + 1) // 2
    return table(head * 2, [a + b for a, b in zip(rows[:half], rows[half:] + [("",) * len(head)])])


def limits_table():
    return beside(["limit", "name", "of what"], [(f"{number:,}".replace(",", " "), f"`{name}`", doc) for name, number, doc in limits()])


@functools.cache
def flag_rows():
    """(name, words, meaning)."""
    return macro_rows("registry.h", "TRACE_KEY_FLAGS", WORD, STRING, STRING)


@functools.cache
def enum_rows():
    return macro_rows("registry.h", "TRACE_ENUMS", WORD, STRING, WORD, WORD, STRING)


@functools.cache
def definers():
    """{sort of ids: the record that defines them}"""
    return {flag[8:-1]: t for t in types() for k in t.keys for flag in k.flags if flag.startswith("DEFINES(")}


def rules(key):
    """The words of `meaning` in SCHEMA (schema.c), which are those of SPEC.md's tables."""
    given = dict(re.fullmatch(r"(\w+)\(?(\w*)\)?", flag).groups() for flag in key.flags)
    if "DEFINES" in given:
        given["MUST"] = ""
    words = [text + (" " + definers()[given[flag]].name if flag == "EACH" else "")
             for flag, text, _ in flag_rows() if flag in given]
    if "ID_OF" in given:
        words.append("id of " + definers()[given["ID_OF"]].name)
    if "ONE_OF" in given:
        words.append("one of " + dict((enum, name) for enum, name, *_ in enum_rows())[given["ONE_OF"]])
    return ", ".join(words)


OF = {"COUNTER": "counter: ", "SINCE": "since the tick before: "}
AT_ONCE = 11  # keys per row


def alike(keys):
    """Lists of keys that share a row: consecutive ones that differ only in their names."""
    rows = []
    for key in keys:
        last = rows[-1][-1] if rows else None
        if last and key.number == last.number + 1 and len(rows[-1]) < AT_ONCE and (
                (key.kind, key.unit, rules(key), key.doc) == (last.kind, last.unit, rules(last), last.doc)):
            rows[-1].append(key)
        else:
            rows.append([key])
    return rows


def what(key):
    """For ids, also the meaning of 0."""
    zero = dict(macro_rows("registry.h", "TRACE_IDS", WORD, r'"[^"]*"', STRING))
    meaning = next((zero[flag[8:-1]] for flag in key.flags if flag.startswith("DEFINES(")), "")
    return f"{key.doc}; 0: {meaning}".removeprefix("; ") if meaning else key.doc


KEYS_HEAD = ["key", "name", "kind", "unit", "rules", "what it is"]


def keys_table(*names):
    rows = []
    for t in (t for name in names for t in types() if t.NAME == name):
        rows.append((f"**{t.number}**", f"**`{t.NAME}`**", "", "", "", OF.get(t.of, "") + t.doc))
        for keys in alike([key for key in t.keys if key.name not in ("began_ns", "ended_ns")]):  # section 4.4
            first, last = keys[0], keys[-1]
            number = str(first.number) if first is last else f"{first.number}–{last.number}"
            rows.append((number, ", ".join(f"`{key.name}`" for key in keys), first.kind, first.unit, rules(first), what(first)))
    return table(KEYS_HEAD, rows)


def rules_table():
    """The words of the column "rules"."""
    return table(["word", "rule"], [(f"{words} SORT" if name == "EACH" else words, text) for name, words, text in flag_rows()] + [
        ("id of SORT", "An id, or ids, of that sort: MUST be defined before."),
        ("one of NAME", "A number of that enumeration. Numbers that this page does not have belong to later versions.")])


NUMBERS = {"event": events, "part": parts, "probe": probes, "latency": latencies, "stage": stages, "fate": fates, "what": culprits}


def numbers_table(name):
    return beside([name, "name", "what"], [(number, f"`{key}`", what) for number, key, what in NUMBERS[name]()])


TABLE = re.compile(r"^(?:### [\d.]+ .*?: ([A-Z_, ]+)$|\| ([^|]+) \| [^\n]*\n(?:\|[^\n]*\n)*)", re.M)


def spec_with_tables(text):
    """A table is identified by its header row. A table of keys contains the types that the heading
    before it names."""
    named, shown = [], []

    def made(match):
        nonlocal named
        head = match[2]
        if match[1]:
            named = match[1].split(", ")
            return match[0]
        if head == "key":
            shown.extend(named)
            return keys_table(*named) + "\n"
        if head in NUMBERS:
            return numbers_table(head) + "\n"
        make = {"limit": limits_table, "word": rules_table}.get(head)
        return make() + "\n" if make else match[0]

    new = TABLE.sub(made, text)
    if sorted(shown) != sorted(t.NAME for t in types()):
        sys.exit(f"SPEC.md has no table, or two, of {sorted(set(t.NAME for t in types()) ^ set(shown)) or shown}")
    return new


def reasons_with_table(text):
    rows = [(number, f"`{name}`", f"`{sentence}`") for number, name, sentence in reasons()]
    return TABLE.sub(lambda match: table(["reason", "name", "sentence"], rows) + "\n", text)


# ---- reader.py


def wrapped(begin, items, end, indent=""):
    """Lines of Python; an item is never split."""
    text = begin + ", ".join(item.replace(" ", "\0") for item in items) + end.replace(" ", "\0")
    lines = textwrap.fill(text, 116, initial_indent=indent, subsequent_indent=indent + "    ",
                          break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ")


def reader_key(key):
    return f'{key.number}: ("{key.name}", "{key.kind}")'


def numbered():
    """(type, key, enumeration of its values)"""
    for t in types():
        for k in t.keys:
            of = [word.removeprefix("one of ") for word in rules(k).split(", ") if word.startswith("one of ")]
            yield from ((t.number, k.number, name) for name in of)


def enumerations():
    """{name: rows whose first two columns are a number and its name}"""
    headers = "\n".join(path.read_text() for path in INCLUDE.glob("*.h")).replace("\\\n", " ")
    bodies = {name: re.search(rf"^#define {macro}\(X\)(.*)$", headers, re.M)[1] for _, name, macro, _, _ in enum_rows()}
    return {name: re.findall(r"\bX\((\d+),\s*\w+,\s*" + STRING, body) for name, body in bodies.items()}


def known_numbers():
    """{enumeration: number of its numbers}"""
    return {name: len(rows) for name, rows in enumerations().items()}


def reader_constants():
    rows = [wrapped(f'{t.number}: ("{t.name}", {{', map(reader_key, t.keys), "}),", "    ") for t in types()]
    reasons_in = {t.number: [str(k.number) for k in t.keys if "PRIVATE(TEXTS)" in k.flags] for t in types()}
    return "\n".join([
        "TYPES = {  # number: name, {key: (name, kind)}", *rows, "}",
        wrapped("REASON_KEYS = {", [f"{kind}: ({', '.join(keys)},)" for kind, keys in reasons_in.items() if keys], "}"),
        "REASONS = {  # number: sentence", *(f'    {number}: b"{sentence}",' for number, _, sentence in reason_rows()), "}",
        wrapped("ONE_OF = {", [f'({kind}, {key}): "{name}"' for kind, key, name in numbered()], "}"),
        wrapped("ENUMS = {", [f'"{name}": {n}' for name, n in known_numbers().items()], "}  # numbers below are known"),
        wrapped("LIMITS = {", [f'"{name}": {number}' for name, number, _ in limits()], "}")])


def reader_with_constants(text):
    return between(text, "# --- tables: made by spec_tables.py", "# --- end of tables", reader_constants())


# ---- all


def between(text, begin, end, new):
    before, marker, rest = text.partition(begin + "\n")
    _, end_marker, after = rest.partition(end)
    if not marker or not end_marker:
        sys.exit(f"no place for a table: {begin} … {end}")
    return f"{before}{begin}\n{new}\n{end}{after}"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    for name, make in (("SPEC.md", spec_with_tables), ("REASONS.md", reasons_with_table), ("reader.py", reader_with_constants)):
        old = (HERE / name).read_text()
        new = make(old)
        if sys.argv[1:] and new != old:
            sys.exit(f"{name} is stale: run format/spec_tables.py")
        if not sys.argv[1:]:
            (HERE / name).write_text(new)


if __name__ == "__main__":
    main()
