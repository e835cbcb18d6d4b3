# SPDX-License-Identifier: BSD-2-Clause
"""rows.py REPORT TRACE: compares rows with independent sums. timeline: the times of a row equal
those of summary for the same part of the time, and so does the number of samples. --by=task:
a task has as many samples as dump lists for it."""
import collections
import csv
import io
import subprocess
import sys

report, trace = sys.argv[1:]


def run(*args):
    return subprocess.run([report, *args, trace], check=True, stdout=subprocess.PIPE).stdout.decode()


def table(*args):
    return list(csv.DictReader(io.StringIO(run(*args, "--format=csv"))))


def demand(what, a, b, within=0.0):
    if abs(a - b) > within or (a == a) != (b == b):
        sys.exit("%s: %s and %s" % (what, a, b))


rows = table("timeline", "--every=2s")
for row in rows[1:-1]:
    window = ["--from=%.6f" % (float(row["begin_s"]) + 0.001), "--to=%.6f" % (float(row["end_s"]) - 0.001)]
    parts = {r["leaf"]: r for r in table("summary", *window) if r["cpu"] == "all"}
    for leaf in parts:
        ns = row["leaf_ns." + leaf] or "nan"
        demand("%s from %s s on" % (leaf, row["begin_s"]), float(ns), float(parts[leaf]["ns"] or "nan"), 2)
    cut = sum(int(line.rsplit(" ", 1)[1]) for line in run("folded", "--idle", *window).splitlines())
    demand("samples from %s s on" % row["begin_s"], int(row["samples"]), cut)

idle = set(line.rsplit(" ", 1)[0] for line in run("folded", "--idle").splitlines()) - set(
    line.rsplit(" ", 1)[0] for line in run("folded").splitlines())
counts = collections.Counter()
for line in run("dump", "--samples").splitlines():
    time, cpu, tid, rest = line.split(None, 3)
    if rest.split(" ")[-1] not in idle:
        counts[tid] += 1
for row in table("--by=task", "-n", "1000", "--with-own-cost"):
    demand("task " + row["task"], int(row["samples"]), counts[row["task"]])
print("%s: %u rows of time, %u of tasks" % (trace, len(rows) - 2, len(counts)))
