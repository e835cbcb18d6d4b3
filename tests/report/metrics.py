#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the output of `export openmetrics`.

metrics.py parse FILE                   reads it with the parser of Prometheus's client, by all rules of the format,
                                        and as Prometheus reads it
metrics.py figures FILE REPORT TRACE    compares it with other commands of netcost-report
metrics.py blocks FILE DUMPED           checks that the output of `promtool tsdb dump` has all points, and no others
metrics.py last FILE                    prints the last point of each series, as Prometheus's older text, for its linter
"""
import collections
import json
import math
import re
import subprocess
import sys

SAMPLE = re.compile(r'^(netcost_[a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+) (\d+\.\d{3})$')


def points(path):
    """(name, labels) -> {ms: value}; labels as they are written."""
    found = collections.OrderedDict()
    for line in open(path, encoding="utf-8", newline="\n").read().split("\n"):
        if not line or line.startswith("#"):
            continue
        match = SAMPLE.match(line)
        assert match, "no sample: %r" % line
        series = found.setdefault((match[1], match[2] or ""), {})
        ms = round(float(match[4]) * 1000)
        assert ms not in series, "two points at a time: %r" % line
        series[ms] = float(match[3])
    return found


def labels_of(text):
    return dict(re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', text))


def parse(path):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    from prometheus_client.samples import Timestamp
    # Version 0.16 checks each point in time separately.
    Timestamp.__gt__ = lambda a, b: (a.sec, a.nsec) > (b.sec, b.nsec)
    text = open(path, encoding="utf-8", newline="\n").read()
    lines = text.split("\n")
    times = {line.rsplit(" ", 1)[1] for line in lines if line.startswith("netcost_")}
    # The parser takes the values of a histogram at several times for duplicates. So histograms are
    # checked one by one, and the rest without them.
    wholes = ["\n".join(line for line in lines if line.startswith("#") or line.endswith(" " + t)) + "\n" for t in times]
    wholes.append("\n".join(line for line in lines if "netcost_packet_latency_seconds" not in line))
    for whole in wholes:
        names = [f.name for f in text_string_to_metric_families(whole)]
        assert len(set(names)) == len(names) and all(n.startswith("netcost_") for n in names), names
    assert text.endswith("\n# EOF\n"), "no end"
    assert not re.search("[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), "control characters"
    for (name, labels), series in points(path).items():
        times = list(series)
        assert times == sorted(times), "%s{%s}: times do not rise" % (name, labels)
        values = list(series.values())
        assert all(math.isfinite(v) for v in values)
        if name.endswith(("_total", "_bucket", "_count", "_sum")):
            assert values == sorted(values), "%s{%s} falls: %r" % (name, labels, values)


def near(a, b, what):
    assert abs(a - b) <= 1e-9 + 1e-6 * abs(b), "%s: %r, but we say %r" % (what, a, b)


def report(program, *arguments):
    """Returns no rows if the trace has no such data, which is status 1 and a line on stderr."""
    done = subprocess.run([program, *arguments, "--format=json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 1 and not done.stdout and b": has no " in done.stderr:
        return {"rows": []}
    done.check_returncode()
    return json.loads(done.stdout)


def figures(path, program, trace):
    """Checks whole traces with a point for each tick: the leaves equal those of timeline, and
    the traffic that of summary."""
    found = points(path)
    rows = report(program, "timeline", trace)["rows"]
    times = sorted({ms for series in found.values() for ms in series})
    if any("cpu=" in labels for name, labels in found) or len(times) != len(rows) + 1:
        return
    for leaf in rows[0]["leaf_ns"]:
        series = found.get(("netcost_cpu_seconds_total", 'leaf="%s"' % leaf), {})
        total = most = 0.0
        for row, ms in zip(rows, times[1:]):
            ns = row["leaf_ns"][leaf]
            if ns is None:
                continue
            total += ns / 1e9
            most = max(most, total)
            assert ms in series, "%s has no point at %d" % (leaf, ms)
            near(series[ms], most, "%s at %d" % (leaf, ms))
        assert bool(series) == any(r["leaf_ns"][leaf] is not None for r in rows), "%s: not measured is not there" % leaf
    for row, ms in zip(rows, times[1:]):
        cost = found.get(("netcost_unit_cost_seconds", 'of="network",per="packet",interfaces="%s"' % row["interface_basis"]), {}).get(ms)
        packets = row["interface_packets_per_s"]
        if cost is not None:
            seconds = row["end_s"] - row["begin_s"]
            rounding = (0.05 * seconds + 1e-6 * packets) * cost * 1e9  # of packets a second, and of seconds
            assert abs(cost * packets * seconds * 1e9 - row["network_ns"]) <= rounding + 1e-6 * row["network_ns"] + 1, "unit cost at %d" % ms
    summary = report(program, "summary", trace)
    way = {"rx": "receive", "tx": "transmit"}
    for row in summary["interfaces"]:
        labels = 'interface="%s",netns="%s",direction="%s"' % (row["name"], row["netns"], way[row["direction"]])
        for name in ("packets", "bytes", "errors"):
            series = found.get(("netcost_interface_%s_total" % name, labels))
            if series and row[name] is not None:
                near(list(series.values())[-1], row[name], labels + " " + name)
    for row in (summary.get("drops") or {}).get("counts", []):
        series = found.get(("netcost_dropped_packets_total", 'reason="%s"' % row["name"]))
        assert series or row["kind"] != "reason" or "\\" in repr(row["name"]), row
        if series:
            near(list(series.values())[-1], row["count"], row["name"])
    for row in report(program, "latency", trace)["rows"]:
        series = {le: list(found[key].values())[-1] for key in found if key[0] == "netcost_packet_latency_seconds_bucket"
                  for labels in [labels_of(key[1])] if labels["hook"] == row["hook"] for le in [labels["le"]]}
        if not series:
            assert not row["packets"], row
            continue
        near(series["+Inf"], row["packets"], row["hook"])
        for q in ("p50", "p99"):  # the bucket of a quantile is one of the histogram's
            if row[q + "_ns"] is not None:
                below = [n for le, n in series.items() if float(le) * 1e9 >= row[q + "_ns"]]
                assert min(below) >= row["packets"] * float(q[1:]) / 100 - 1, (row["hook"], q)
    keys(found, program, trace)
    processes(found, program, trace)


ID = {"interface": ("ifindex", "netns"), "cgroup": ("cgroup_id",), "process": ("pid",)}


def keys(found, program, trace):
    """Checks that packets by interface and other keys equal those of the report, and that they
    sum to the histogram for each key and time."""
    families = {name: {k: v for (n, k), v in found.items() if n == "netcost_packet_latency_by_key_%s_total" % name} for name in ("packets", "seconds")}
    for by, names in ID.items():
        wanted = collections.defaultdict(lambda: [0, 0.0])
        for row in report(program, "latency", "--by=" + by, trace)["rows"]:
            to = wanted[(row["hook"], row["which"], *(row[n] for n in names))]
            to[0] += row["packets"]
            to[1] += row["packets"] * (row["mean_ns"] or math.nan)
        told, at = {}, collections.Counter()
        for labels, series in families["packets"].items():
            said = labels_of(labels)
            if said["by"] != by:
                continue
            key = (said["hook"], said["which"], *(int(said[n]) if n in said else None for n in names))
            assert key not in told, "%s: twice" % (key,)
            told[key] = list(series.values())[-1]
            assert told[key] == wanted[key][0], (key, told[key], wanted[key])
            if not math.isnan(wanted[key][1]):
                ns = list(families["seconds"][labels].values())[-1] * 1e9
                assert abs(ns - wanted[key][1]) <= 0.05 * told[key] + 1, (key, ns, wanted[key])
            for ms, packets in series.items():
                at[said["hook"], ms] += packets
        assert {k: v for k, v in wanted.items() if v[0]}.keys() == {k for k, v in told.items() if v}, (by, wanted, told)
        for (hook, ms), packets in at.items():
            series = found["netcost_packet_latency_seconds_bucket", 'hook="%s",le="+Inf"' % hook]
            assert packets == series.get(ms, 0), (by, hook, ms, packets, series)


def processes(found, program, trace):
    """Checks that the on-CPU and network time of processes with series of their own equal those
    of timeline."""
    shown = {labels for name, labels in found if name == "netcost_process_cpu_seconds_total" and "pid=" in labels}
    if not shown:
        return
    sums = collections.Counter()
    for row in report(program, "timeline", "--by=process", "--rows=10", trace)["rows"]:
        if row["kind"] == "process":
            sums[row["pid"], "cpu"] += row["ns"] / 1e9
            sums[row["pid"], "network"] += row["network_ns"] / 1e9
    told = 0
    for labels in shown:
        pid = int(labels_of(labels)["pid"])
        for what in ("cpu", "network"):
            if (pid, what) in sums:
                told += 1
                near(list(found["netcost_process_%s_seconds_total" % what, labels].values())[-1], sums[pid, what], labels)
    assert told >= min(20, 2 * len(shown))


def blocks(path, dumped):
    wanted = collections.Counter()
    for (name, labels), series in points(path).items():
        for ms, value in series.items():
            # Prometheus treats an empty label as absent.
            key = frozenset((k, v) for k, v in labels_of(labels).items() if v)
            wanted[name, key, ms, value] += 1
    there = collections.Counter()
    for line in open(dumped, encoding="utf-8", newline="\n").read().split("\n"):
        match = re.match(r'^\{(.*)\} (\S+) (\d+)$', line)
        if not match:
            assert not line, "no point: %r" % line
            continue
        # Go writes characters that it does not print as \\u or \\x.
        pairs = {k: json_like(v) for k, v in re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', match[1])}
        there[pairs.pop("__name__"), frozenset(pairs.items()), int(match[3]), float(match[2])] += 1
    wanted = collections.Counter({(n, frozenset((k, json_like(v)) for k, v in key), ms, v): c
                                  for (n, key, ms, v), c in wanted.items()})
    assert wanted == there, "only ours: %r\nonly theirs: %r" % (list((wanted - there).items())[:3], list((there - wanted).items())[:3])
    assert wanted


def json_like(text):
    return re.sub(r'\\(u[0-9a-f]{4}|U[0-9a-f]{8}|x[0-9a-f]{2}|.)',
                  lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]) if len(m[1]) == 1 else chr(int(m[1][1:], 16)), text)


def last(path):
    kinds, helps = {}, {}
    for line in open(path, encoding="utf-8", newline="\n").read().split("\n"):
        words = line.split(" ", 3)
        if line.startswith("# TYPE"):
            kinds[words[2]] = words[3]
        elif line.startswith("# HELP"):
            helps[words[2]] = words[3]
    written = set()
    found = points(path)
    for family, kind in kinds.items():
        name = family + {"counter": "_total", "info": "_info"}.get(kind, "")
        print("# HELP %s %s\n# TYPE %s %s" % (name, helps[family], name, "gauge" if kind == "info" else kind))
        for (series, labels), values in found.items():
            if series == name or (kind == "histogram" and series in (name + "_bucket", name + "_sum", name + "_count")):
                written.add((series, labels))
                print("%s{%s} %r" % (series, labels, list(values.values())[-1]))
    assert written == set(found)


if __name__ == "__main__":
    {"parse": parse, "figures": figures, "blocks": blocks, "last": last}[sys.argv[1]](*sys.argv[2:])
