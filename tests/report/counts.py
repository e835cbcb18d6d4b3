# SPDX-License-Identifier: BSD-2-Clause
"""counts.py REPORT TRACE: checks that `counts` agrees with `summary` for every key, and that
intervals sum to the whole."""
import collections
import json
import subprocess
import sys

report, trace = sys.argv[1:]


def run(*args):
    done = subprocess.run([report, *args, "--format=json", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def counts(table, value, *keys, options=()):
    """Returns the sums by these keys, or None if the trace has no such records."""
    said = run("counts", table, "--rows=100000", *options)
    sums = collections.Counter()
    for row in said["rows"] if said else ():
        if row[value] is not None:
            sums[tuple(row[k] for k in keys)] += row[value]
    return dict(sums) if said else None


def demand(what, a, b):
    if a != b:
        sys.exit("%s: %s and %s" % (what, a, b))


summary = run("summary")
of = {"reason": {}, "counter": {}}
for row in summary["drops"]["counts"]:
    if row["count"] is not None:
        of[row["kind"]][(row["name"],)] = row["count"]
drops = counts("drops", "packets", "reason")
demand("drops", {k: v for k, v in (drops or {}).items() if v}, of["reason"])
demand("protocols", counts("counters", "value", "counter") or {}, of["counter"])
for direction in ("rx", "tx"):
    for value in ("packets", "bytes", "dropped", "errors"):
        ours = {(r["name"], r["netns"]): r[value] for r in summary["interfaces"] if r["direction"] == direction and r[value] is not None}
        demand(direction + value, counts("netdev_stats", "%s_%s" % (direction, value), "interface", "netns") or {}, ours)
demand("interrupts", counts("irq_stats", "interrupts", "interface", "netns") or {},
       {(r["name"], r["netns"]): r["count"] for r in summary["interrupts"] if r["count"] is not None})
checked = 0
for table, value, *keys in (("drops", "packets", "reason"), ("netdev_stats", "rx_bytes", "interface"), ("softirqs", "net_rx", "cpu"),
                            ("irq_stats", "interrupts", "interface"), ("counters", "value", "counter"), ("exact", "ns", "event")):
    whole, one = (counts(table, value, *keys, options=o) for o in ((), ("--by=" + keys[0],)))
    demand(table + " by " + keys[0], whole, one)
    pieces = counts(table, value, *keys, options=("--every=1s",))
    if pieces:
        demand(table + " in pieces", pieces, whole)
        checked += 1
print("%s: %u tables in pieces" % (trace, checked))
