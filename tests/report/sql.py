# SPDX-License-Identifier: BSD-2-Clause
"""Checks that SQL answers agree with the reports and the other exports."""
import itertools
import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections import Counter

from fleet_traces import near, report


def ask(program, trace, query):
    return report(program, "sql", trace, query)["rows"]


def reports(program, trace):
    """Compares sums by SQL with the figures of the JSON."""
    wrong = []

    def same(what, a, b):
        if not near(a, b, 1):
            wrong.append((what, a, b))
    summary = report(program, "summary", trace)
    row = ask(program, trace, "SELECT * FROM recordings")[0]
    tree = {n["key"]: n["ns"] for n in summary["cpu_time"]["tree"]}
    leaves = [k for k in row if k.endswith("_ns") and k[:-3] in tree]
    assert len(leaves) > 10
    for key in leaves:
        same(key, tree[key[:-3]], row[key])
    same("packets", sum(r["packets"] for r in summary["interfaces"]), row["packets"])
    sums = ask(program, trace, "SELECT sum(rx_packets) AS rx, sum(tx_packets) AS tx FROM interfaces")[0]
    for way in ("rx", "tx"):
        same(way, sum(r["packets"] for r in summary["interfaces"] if r["direction"] == way), sums[way])
    functions = {(r["function"], r["module"] or ""): r["self"]["samples"]
                 for r in report(program, "top", "--of=all", "-n", "100000", trace)["functions"]}
    said = {(r["function"], r["module"]): r["self_samples"] for r in ask(program, trace, "SELECT function, module, self_samples FROM functions")}
    if functions != said or len(said) < 10:
        wrong.append(("functions", functions, said))
    samples = ask(program, trace, "SELECT (SELECT count(*) FROM record_samples) AS records, samples FROM recordings")[0]
    same("samples", samples["records"], samples["samples"])
    counts = report(program, "counts", "netdev_stats", "-n", "1000", trace)["rows"]
    same("counts", sum(r["rx_bytes"] or 0 for r in counts), ask(program, trace, "SELECT sum(rx_bytes) AS n FROM counts_netdev_stats")[0]["n"])
    # Sums the increases of a counter in its records: exact times of a CPU.
    exact = ask(program, trace, "SELECT sum(ns) AS ns FROM (SELECT max(ns) - min(ns) AS ns FROM record_exact WHERE event = 'idle' GROUP BY tick_cpu)")[0]
    counted = [r for r in report(program, "counts", "exact", "--by=event", "-n", "100", trace)["rows"] if r["event"] == "idle"]
    same("exact", counted[0]["ns"], exact["ns"])
    for w in wrong:
        print(*w)
    return not wrong


def lists(record):
    """Returns the number of rows of a record: the number of elements of its longest list."""
    return max((len(v) for v in record.values() if isinstance(v, list)), default=0) or 1


def clean(text):
    text.encode()
    return not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text)


def file(path, folder, dump):
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    tables = {row["name"]: row["sql"] for row in db.execute("SELECT * FROM sqlite_schema")}
    assert len(tables) > 70 and all("( -- " in sql for sql in tables.values())
    for name in tables:
        for row in db.execute("SELECT * FROM " + name):
            for key in row.keys():
                assert not isinstance(row[key], str) or clean(row[key]), (name, key, row[key])
            assert row["recording"], name
    for name in sorted(os.listdir(folder)):
        wanted = [json.loads(line) for line in open(os.path.join(folder, name), encoding="utf-8")]
        said = [dict(row) for row in db.execute("SELECT * FROM " + name.split(".")[0])]
        assert wanted == said, (name, [(w, s) for w, s in zip(wanted, said) if w != s][:1] or (len(wanted), len(said)))
    records = Counter(json.loads(line)["type"] for line in open(dump, encoding="utf-8"))
    said = {name[7:]: db.execute("SELECT count(*) FROM %s WHERE element = 1" % name).fetchone()[0] for name in tables if name.startswith("record_")}
    wanted = {t: n for t, n in records.items() if said.get(t) != n and t not in ("schema",)}
    assert not wanted, {t: (n, said.get(t)) for t, n in wanted.items()}
    print(len(tables), "tables,", sum(said.values()), "records")


EVIL = ["'); DROP TABLE processes; --", "a\"b`c]d", "\0\0x", "a\0b", "\udcff\udcfe\udc80", "x" * 4096, "%s%n%\x1b[31m", "SELECT * FROM marks", "\u202e\n"]


def evil(path):
    """Makes a trace with hostile names in each place where a trace has names."""
    import fleet_traces as f
    trace, names = f.Recording(0, 2).trace(), itertools.cycle(EVIL)
    for kind, record in (o for frame in trace.frames for o in frame):
        for key, value in record.items() if kind in (f.PROCESSES, f.CGROUPS, f.MARK, f.NETDEV, f.SYMBOLS, f.CONTEXT) else ():
            if isinstance(value, str):
                record[key] = next(names)
            elif isinstance(value, list) and value and isinstance(value[0], str):
                record[key] = [next(names) for _ in value]
    trace.write(path)


def many(path):
    import large_traces
    f = large_traces.File(path, [0])
    large_traces.processes(f, 205000, 600)
    f.end()


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def fast(program, trace):
    begin = used()
    who = report(program, "who", "--by=cgroup", trace)["rows"][0]
    between = used()
    row = ask(program, trace, "SELECT cgroup, count(*) AS n, sum(on_cpu_ns) AS ns FROM processes GROUP BY cgroup")[0]
    took = used() - between
    print("%.2f s, who: %.2f s" % (took, between - begin), row)
    return took < 5 * (between - begin) and row["n"] >= 205000 and near(row["ns"], who["on_cpu_ns"])


if __name__ == "__main__":
    commands = {"reports": reports, "file": file, "many": many, "evil": evil, "fast": fast}
    sys.exit(commands[sys.argv[1]](*sys.argv[2:]) is False)
