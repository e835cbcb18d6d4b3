#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Keeps the tables of SPEC.md as the headers have them.

    spec_tables.py            rewrites what stands between the markers in SPEC.md
    spec_tables.py --check    changes nothing; exit status 1 if SPEC.md is stale
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include" / "netcost"
SPEC = HERE / "SPEC.md"

STRING = r'"((?:[^"\\]|\\.)*)"'
WORD = r"(\w+)"


def macro_rows(header, macro, *columns):
    """The rows X(...) of an X macro, as tuples; a row that does not look like the others is an error."""
    text = (INCLUDE / header).read_text().replace("\\\n", " ")
    body = re.search(rf"^#define {macro}\(X\)(.*)$", text, re.M).group(1)
    rows = re.findall(r"X\(\s*" + r"\s*,\s*".join(columns) + r"\s*\)", body)
    if len(rows) != len(re.findall(r"\bX\(", body)):
        sys.exit(f"{header}: {macro} has rows that this script does not understand")
    return rows


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return "\n".join(line.replace("|  |", "| |") for line in lines)


def types():
    rows = macro_rows("registry.h", "TRACE_TYPES", r"(\d+)", WORD, STRING, WORD, STRING)
    return [(i, NAME, name, doc) for i, NAME, name, _, doc in rows]


def types_table():
    return table(["type", "name", "what it is"], [(i, f"`{NAME}`", doc) for i, NAME, _, doc in types()])


def keys_tables():
    keys = macro_rows("registry.h", "TRACE_KEYS", WORD, r"(\d+)", WORD, STRING, WORD, STRING, STRING)
    parts = []
    for i, NAME, _, doc in types():
        rows = [(key, f"`{name}`", kind, unit, text)
                for TYPE, key, _, name, kind, unit, text in keys if TYPE == NAME]
        parts.append(f"### {i} {NAME}\n\n{doc[0].upper() + doc[1:]}.\n\n"
                     + table(["key", "name", "kind", "unit", "what it is"], rows))
    return "\n\n".join(parts)


def events_table():
    rows = macro_rows("events.h", "NETCOST_EVENTS", r"(\d+)", WORD, STRING, STRING, STRING)
    return table(["event", "name", "what ends up in it"], [(i, f"`{key}`", doc) for i, _, key, _, doc in rows])


def rx_parts_table():
    rows = macro_rows("parts.h", "NETCOST_PARTS", r"(\d+)", WORD, STRING, STRING, STRING)
    return table(["part", "name", "what ends up in it"], [(i, f"`{key}`", doc) for i, _, key, _, doc in rows])


def limits_table():
    text = (INCLUDE / "trace.h").read_text()
    rows = []
    for name, value, doc in re.findall(r"^#define TRACE_MAX_(\w+)\s+(.+?)\s*/\*\s*(.+?)\s*\*/$", text, re.M):
        number = eval(re.sub(r"(?<=\d)u", "", value))  # "8u << 20"
        rows.append((f"`{name}`", f"{number:,}".replace(",", " "), doc))
    return table(["name", "limit", "of what"], rows)


TABLES = {
    "limits": limits_table,
    "events": events_table,
    "parts of the RX softirq": rx_parts_table,
    "types": types_table,
    "keys": keys_tables,
}


def rewritten(spec):
    for name, make in TABLES.items():
        begin, end = f"<!-- {name}: made by spec_tables.py -->", f"<!-- end of {name} -->"
        before, marker, rest = spec.partition(begin)
        old, end_marker, after = rest.partition(end)
        if not marker or not end_marker:
            sys.exit(f"{SPEC}: no place for the table \"{name}\": {begin} … {end}")
        spec = f"{before}{begin}\n\n{make()}\n\n{end}{after}"
    return spec


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    old = SPEC.read_text()
    new = rewritten(old)
    if sys.argv[1:] and new != old:
        sys.exit(f"{SPEC} is stale: run format/spec_tables.py")
    if not sys.argv[1:]:
        SPEC.write_text(new)


if __name__ == "__main__":
    main()
