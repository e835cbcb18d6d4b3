# SPDX-License-Identifier: BSD-2-Clause
"""waits.py REPORT WHAT TRACE...: checks packet latency and packet paths in traces that are made from traces. WHAT:
cut AT TRACE      the parts before and after AT have each record once, and their packets sum to those of the whole
merge TRACE...    each part of a merged file has the data of its trace
every TRACE       all interfaces, cgroups and processes have the same sums in intervals as in total, and these sum to
                  the whole"""
import collections
import json
import math
import os
import subprocess
import sys
import tempfile

# records that describe the time since the previous tick
SINCE = ("latency", "latency_by", "latency_tail", "stages")
ALWAYS = ("probe", "latency_only")
REPORTS = [["latency"], ["latency", "--by=interface"], ["latency", "--by=cgroup"], ["latency", "--by=process"],
           ["latency", "--tail"], ["path"], ["latency", "--by=process", "--every=500ms"]]
LOST = ("unknown", "other", "old", "merged", "filtered", "later")


def run(report, *args):
    return subprocess.run([report, *args], check=True, stdout=subprocess.PIPE).stdout.decode()


def records(report, path, types):
    """Yields records of these types in the order of the trace."""
    lines = run(report, "dump", path).splitlines()
    return [line for line in lines if json.loads(line)["type"] in types]


def document(report, path, *args):
    """Returns no rows if the trace has no such data, which is status 1 and a line on stderr."""
    done = subprocess.run([report, *args, "--format=json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 1 and not done.stdout and ": has no " in done.stderr:
        return {"rows": []}
    done.check_returncode()
    return json.loads(done.stdout)


def whose(row):
    return (row["hook"], *(row.get(k) for k in ("which", "name", "ifindex", "netns", "cgroup_id", "pid")))


def packets(report, path):
    """Returns, for the subject of each row, the number of packets, and the numbers of packets
    without a time by reason."""
    sums = collections.Counter()
    for args in REPORTS[:4]:
        for row in document(report, path, *args)["rows"]:
            of = whose(row)
            for key in ("packets",) + LOST:
                sums[(*args, *of, key)] += row.get(key) or 0
    return +sums


def cut(report, at, path):
    with tempfile.TemporaryDirectory() as folder:
        before, after = os.path.join(folder, "before.nct"), os.path.join(folder, "after.nct")
        run(report, "cut", "-q", "--to=" + at, path, "-o", before)
        run(report, "cut", "-q", "--from=" + at, path, "-o", after)
        for kind in SINCE:
            whole, first, second = (records(report, p, (kind,)) for p in (path, before, after))
            # With --stages, the times of events continue from one record to the next, so records
            # stay unchanged.
            if whole != first + second:
                yield "%s: %d records, of which the parts have %d and %d" % (kind, len(whole), len(first), len(second))
            if whole and not (first and second):
                yield "%s: not in both parts" % kind
        for part in (before, after):
            if records(report, part, ALWAYS) != records(report, path, ALWAYS):
                yield "the method of measuring is missing: " + os.path.basename(part)
        whole, parts = packets(report, path), packets(report, before) + packets(report, after)
        for key in sorted(set(whole) | set(parts), key=str):
            if whole[key] != parts[key]:
                yield "%s: %d, the parts have %d" % (key, whole[key], parts[key])


def nameless(value):
    """Returns a report without the name of its file or part."""
    return {k: v for k, v in value.items() if k not in ("file", "part")}


def merge(report, *paths):
    with tempfile.TemporaryDirectory() as folder:
        merged = os.path.join(folder, "merged.nct")
        run(report, "merge", "-q", *paths, "-o", merged)
        if records(report, merged, SINCE + ALWAYS) != [r for p in paths for r in records(report, p, SINCE + ALWAYS)]:
            yield "the records are not the same"
        for args in REPORTS:
            for i, path in enumerate(paths):
                alone = nameless(document(report, path, *args))
                part = nameless(document(report, merged, *args, "--part=%d" % (i + 1)))
                if alone != part:
                    yield "%s of %s is another one in the merged file" % (" ".join(args), os.path.basename(path))


def sums(rows, of):
    """Sums rows with the same subject: packets, their ns (NaN if unknown), and the precision,
    since rows have the mean to a tenth."""
    found = collections.defaultdict(lambda: [0, 0.0, 0.0])
    for row in rows:
        to = found[of(row)]
        to[0] += row["packets"]
        to[1] += row["packets"] * (math.nan if row["mean_ns"] is None else row["mean_ns"])
        to[2] += row["packets"] * 0.05
    return found


def differ(what, of, wanted):
    if sorted(of, key=str) != sorted(wanted, key=str):
        yield "%s: not of the same: %s" % (what, sorted(set(of) ^ set(wanted), key=str))
    for key in set(of) & set(wanted):
        if of[key][0] != wanted[key][0] or abs(of[key][1] - wanted[key][1]) > of[key][2] + wanted[key][2]:
            yield "%s: %s: %s, but %s" % (what, key, of[key], wanted[key])


def every(report, path):
    def piece(row):
        return row["begin_s"], row["end_s"], row["hook"]

    def one(row):
        return (*whose(row), row["start_s"])

    for by in ("interface", "cgroup", "process"):
        whole = document(report, path, "latency", "--by=" + by)["rows"]
        if not whole:
            yield "nothing by " + by
        for length in ("1ms", "200ms", "300ms", "1s"):
            pieces = document(report, path, "latency", "--every=" + length)["rows"]
            rows = document(report, path, "latency", "--by=" + by, "--every=" + length)["rows"]
            yield from differ("by %s, pieces of %s" % (by, length), sums(rows, piece), sums(pieces, piece))
            yield from differ("by %s, sums of %s" % (by, length), sums(rows, one), sums(whole, one))
            order = [piece(row)[:2] for row in rows]
            if order != sorted(order) or len(set(map(lambda row: (piece(row), one(row)), rows))) != len(rows):
                yield "by %s: not by interval, or a duplicate row" % by


if __name__ == "__main__":
    wrong = list({"cut": cut, "merge": merge, "every": every}[sys.argv[2]](sys.argv[1], *sys.argv[3:]))
    for line in wrong:
        print(line)
    sys.exit(bool(wrong))
