#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""check-layers.py [FOLDER OF OBJECTS]: checks every #include, and every symbol, against the
order of folders in src/README.md."""
import os
import re
import subprocess
import sys

TREES = ["bpf", "format", "include", "src"]
BELOW = {"format": ("include", "src/common"), "bpf": ("include",), "src/common": ("include",), "include": ()}


def read_layers():
    layers, program = {}, None
    for line in open("src/README.md"):
        heading = re.match(r"## .*`(src/\w+)`", line)
        item = re.match(r"\d+\. `([\w.]+)`", line)
        if line.startswith("## "):
            program = heading and layers.setdefault(heading[1], [])
        elif item and program is not None:
            program.append(item[1])
    return layers


def storey(path, layers):
    """Returns the layer of a file: a program and the file's position in it, or one of BELOW and 0. Raises KeyError
    or ValueError if the layer is unknown."""
    for program, names in layers.items():
        if path.startswith(program + "/"):
            return program, names.index(path.split("/")[2])
    return next((b, 0) for b in BELOW if path.startswith(b + "/"))


def may_need(a, b, layers):
    (tree, at), (of, place) = storey(a, layers), storey(b, layers)
    if tree == of:
        return place <= at
    return of in BELOW.get(tree, BELOW) and (of, tree) != ("bpf", "src/report")


def includes(files):
    for path in files:
        here = os.path.dirname(path)
        for kind, name in re.findall(r'^#include (["<])(.+)[">]', open(path).read(), re.M):
            places = ["include"] if kind == "<" else [here, "src", "."]
            found = [p for p in (os.path.normpath(os.path.join(d, name)) for d in places) if p in files]
            if found:
                yield path, found[0], f"includes {name}"


def symbols(files, folder):
    """Skips objects without a source, which are left from older builds."""
    objects = {f"{folder}/{p[:-2]}.o": p for p in files if p.endswith(".c") and not p.endswith(".bpf.c")}
    lines = subprocess.run(["nm", "-A", "-P", *objects], check=True, capture_output=True, text=True).stdout
    rows = [(objects[line[0][:-1]], line[1], line[2]) for line in map(str.split, lines.splitlines())]
    program = lambda path: path.split("/")[1] if path.startswith("src/re") else None  # record, report; otherwise shared
    home = {(program(path), name): path for path, name, kind in rows if kind in "TDBRC"}
    for path, name, kind in rows:
        to = home.get((program(path), name), home.get((None, name)))
        if kind == "U" and to:
            yield path, to, f"needs {name}"


def reach(a, needs):
    seen, todo = set(), [a]
    while todo:
        new = needs.get(todo.pop(), set()) - seen
        seen |= new
        todo += new
    return seen


def circles(arrows):
    needs = {}
    for a, b, _ in arrows:
        if a != b:
            needs.setdefault(a, set()).add(b)
    reached = {a: reach(a, needs) for a in needs}
    return sorted({tuple(sorted(b for b in seen if a in reached.get(b, ()))) for a, seen in reached.items() if a in seen})


def main():
    layers = read_layers()
    files = {os.path.join(d, f) for t in TREES for d, _, names in os.walk(t) for f in names if f.endswith((".c", ".h"))}
    wrong = []
    for path in sorted(files):
        try:
            storey(path, layers)
        except (ValueError, StopIteration):
            wrong.append(f"{path}: its folder is not in src/README.md")
    for arrows in [list(includes(files))] + [list(symbols(files, folder)) for folder in sys.argv[1:]]:
        for a, b, how in [] if wrong else arrows:
            if not may_need(a, b, layers):
                wrong.append(f"{a} {how}: {os.path.dirname(b)} is not below it")
            if b.endswith("_impl.h") and os.path.dirname(a) != os.path.dirname(b):
                wrong.append(f"{a} {how}, which is for {os.path.dirname(b)} alone")
        wrong += ["in a circle: " + " ".join(circle) for circle in circles(arrows)]
    print("\n".join(wrong) or f"{len(files)} files, no arrow up")
    return bool(wrong)


sys.exit(main())
