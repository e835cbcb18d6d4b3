# SPDX-License-Identifier: BSD-2-Clause
"""Reasons of traces (format/SPEC.md, 4.6), for tests: as numbers with arguments, and as sentences."""
import functools
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "format"))
import spec_tables

ERRNOS = {os.strerror(e): str(e) for e in range(1, 134)}
SHAPES = {"number": r"\d+", "fraction": r"\d+(?:\.\d+)?", "errno": "|".join(map(re.escape, sorted(ERRNOS, key=len, reverse=True))),
          "word": r"[\w.,-]+", "words": r"[\w.-]+(?:, ?[\w.-]+)*", "path": "/.*?", "text": None, "reasons": ".+"}


def patterns():
    """Returns [(number, classes, pattern)], with the most specific sentence first."""
    rows = []
    for number, name, sentence in spec_tables.reasons():
        parts = re.split(r"<(\w+)>", sentence)
        if name in ("verbatim", "sampler", "file_unopened", "list"):  # every sentence has their form
            continue
        text = "".join(re.escape(p) if i % 2 == 0 else f"({SHAPES[p]})" for i, p in enumerate(parts))
        rows.append((sum(map(len, parts[::2])), number, parts[1::2], re.compile(text)))
    return [row[1:] for row in sorted(rows, key=lambda row: -row[0])]


PATTERNS = patterns()
KEYS = {t.number: {k.number for k in t.keys if "PRIVATE(TEXTS)" in k.flags} for t in spec_tables.types()}


def escape(text):
    return re.sub(r"[\x00-\x20%#]", lambda m: "%%%02x" % ord(m[0]), text)


def argument(kind, text):
    return {"errno": ERRNOS.get, "words": lambda t: t.replace(", ", ",")}.get(kind, escape)(text)


def one(sentence):
    for number, kinds, pattern in PATTERNS:
        found = pattern.fullmatch(sentence)
        rest = code(found[len(kinds)]) if found and kinds[-1:] == ["reasons"] else ""
        if found and rest is not None:
            done = [argument(*pair) for pair in zip(kinds, found.groups()) if pair[0] != "reasons"]
            return " ".join(["#" + number, *done] + [rest] * bool(rest))
    sampler = re.fullmatch("(perf|bpf) (cpu-clock|cycles)", sentence)
    several = re.fullmatch(r"[\w-]+(, [\w-]+)+", sentence)
    return "#148 " + sentence if sampler else "#146 " + sentence.replace(", ", ",") if several else None


def code(sentence):
    """Converts one sentence, or several joined by "; "; returns None if one of them is not in the list."""
    whole = one(sentence)
    if whole or "; " not in sentence:
        return whole
    for at in re.finditer("; ", sentence):
        first, rest = one(sentence[:at.start()]), code(sentence[at.end():])
        if first and rest:
            return f"{first} {rest}"
    return None


@functools.lru_cache(maxsize=None)
def coded(text):
    return code(text) or text if text and not re.match(r"#\d", text) else text


def coded_record(kind, keys):
    """Returns a record with its reasons as numbers, as far as they are in the list."""
    def of(value):
        return [of(v) for v in value] if isinstance(value, list) else coded(value) if isinstance(value, str) else value
    return {key: of(value) if key in KEYS.get(kind, ()) else value for key, value in keys.items()}


def coded_object(o):
    return [o[0], coded_record(*o)] if isinstance(o, list) and len(o) == 2 and isinstance(o[1], dict) else o
