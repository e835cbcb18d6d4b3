#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""perf script
collapse.py: prints folded lines like stackcollapse-perf.pl, for machines without that script. A line has the task's
name, then the functions from the outermost to the innermost, without offsets, and the count."""
import collections
import re
import sys

# "V8 Worker 24636/25607 [000] 94564.109216: cycles:"; with or without the process's id
HEAD = re.compile(r"(\S.*?)\s+(?:\d+/)?\d+\s")
# "       ffffffff815bf03e rest_init+0xcc ([kernel.kallsyms])"; the text in brackets may contain blanks
FRAME = re.compile(r"\s*(\w+)\s*(.+) \((.*)\)$")
OFFSET = re.compile(r"\+0x[\da-f]+$")
GO_METHOD = re.compile(r"\.\(.*\)\.")
NOISE = str.maketrans({";": ":", "<": None, ">": None, '"': None, "'": None})


def tidy(name, of):
    """Escapes a function's name for use between semicolons."""
    name = OFFSET.sub("", name)
    if name == "[unknown]":
        return "[%s]" % of.rpartition("/")[2] if of != "[unknown]" else name
    name = name.translate(NOISE)
    return name if GO_METHOD.search(name) else name.partition("(")[0]


def collapse(lines):
    """Counts each stack in the output of perf script."""
    stacks, task, frames = collections.Counter(), "", []
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("#"):
            continue
        if not line:
            if task or frames:
                stacks[";".join([task] + frames[::-1])] += 1
            task, frames = "", []
            continue
        frame = FRAME.match(line) if line[0].isspace() else None
        if frame:
            if not frame.group(2).startswith("("):
                frames.append(tidy(frame.group(2), frame.group(3)))
            continue
        head = HEAD.match(line)
        if head:
            task = head.group(1).replace(" ", "_")
    return stacks


if __name__ == "__main__":
    for stack, count in sorted(collapse(sys.stdin).items()):
        print(stack, count)
