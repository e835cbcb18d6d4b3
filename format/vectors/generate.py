#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes the conformance vectors of the .nct format from SPEC.md, with none of netcost's code.

    generate.py             writes NAME.nct, NAME.json and STATUS into its own folder
    generate.py --check     makes them again elsewhere and compares; prints which differ
    generate.py --keys      prints which keys of ../SPEC.md are in no vector
    generate.py --large DIR makes those that are too large to be kept, with a STATUS of their own

NAME.json has the records that a reader returns before the first violation, one per line, as in SPEC.md section 8.1.
NAME.recover.json, where there is one, has those of a reader that goes on after damage (section 6).
If the file has several parts, it has those of all parts; each part begins with a line of HEADER. STATUS has a
line for each vector, separated by tabs:

    NAME    STATUS   CLASS   what it shows

The classes, and what `verify` makes of each, are those of SPEC.md section 8.

Vectors are never changed once they are published: a bug in one gets a new vector with another name.
The zstd frames are made by hand from raw and RLE blocks, because another version of zstd gives other bytes.
"""
import json
import os
import re
import sys
import tempfile

import broken
import content
import parts
import recovery
import samples
import schemas
import valid
from pieces import large, recoveries, used, vectors

HERE = os.path.dirname(os.path.abspath(__file__))


def write_rows(path, rows):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def write(folder, made):
    status = []
    for name, (kind, shows, pieces) in sorted(made.items()):
        with open(os.path.join(folder, name + ".nct"), "wb") as out:
            for piece in pieces:
                out.write(piece.data)
        write_rows(os.path.join(folder, name + ".json"), (row for piece in pieces for row in piece.rows))
        if name in recoveries:
            write_rows(os.path.join(folder, name + ".recover.json"), (row for piece in pieces for row in piece.recovered))
        code = {"ok": 0, "hint": 0, "content": 1, "cut": 3}.get(kind, 1)
        status.append(f"{name}\t{code}\t{kind}\t{shows}\n")
    with open(os.path.join(folder, "STATUS"), "w", encoding="utf-8") as out:
        out.writelines(status)


def check(folder):
    """Returns the names of the files that differ, are missing, or are superfluous."""
    def files(where):
        return {n for n in os.listdir(where) if (n.endswith((".nct", ".json")) and not n.startswith("real-"))
                or n == "STATUS"}

    def read(where, name):
        with open(os.path.join(where, name), "rb") as stream:
            return stream.read()

    both = files(folder) & files(HERE)
    return sorted(files(folder) ^ files(HERE)) + sorted(n for n in both if read(folder, n) != read(HERE, n))


def unseen():
    """Keys of SPEC.md that no vector shows."""
    kind, out = "", []
    with open(os.path.join(HERE, "..", "SPEC.md"), encoding="utf-8") as spec:
        for line in spec.read().partition("## 9.")[2].splitlines():
            head = re.match(r"\| \*\*\d+\*\* \| \*\*`([A-Z_]+)`", line)
            row = re.match(r"\| [\d–]+ \| (`\w+`(?:, `\w+`)*) \| (?:UINT|INT|STR)", line)
            kind = head[1].lower() if head else kind
            out += [f"{kind}.{name}" for name in re.findall(r"\w+", row[1] if row else "") if (kind, name) not in used]
    return out


def main(args):
    if args and args not in (["--check"], ["--keys"]) and not (len(args) == 2 and args[0] == "--large"):
        print(__doc__, file=sys.stderr)
        return 2
    if args[:1] == ["--large"]:
        broken.make_large()
        recovery.make_large()
        write(args[1], large)
        return 0
    for make in (valid.make, samples.make, samples.content, parts.make, broken.incomplete, broken.no_trace,
                 schemas.make, broken.hostile_container,
                 broken.cut_or_damaged, broken.hostile_objects, broken.content, content.make, recovery.make):
        make()
    if args == ["--keys"]:
        print("\n".join(unseen()))
        return bool(unseen())
    if not args:
        write(HERE, vectors)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        write(folder, vectors)
        wrong_ones = check(folder)
    print("\n".join(wrong_ones))
    return bool(wrong_ones)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
