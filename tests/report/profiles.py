#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the output of `export pprof`, which it reads by the description of the format alone.

profiles.py check FILE REPORT OPTIONS... TRACE    checks that all references of a profile exist, and that its figures
                                                  are those of top and summary
profiles.py sum WHOLE FILE...                     checks that the files have the samples of the whole
profiles.py firefox FILE REPORT TRACE OPTIONS...  checks that a profile for Firefox is complete, and that its leaves are
                                                  those of the trace
profiles.py perfetto FILE REPORT TRACE OPTIONS... decodes a trace for Perfetto, and compares its leaves with the timeline, to the
                                                  nanosecond, its samples with folded, and its packets with path
profiles.py top PRINTED TOP.JSON                  checks that the output of `pprof -top` has the samples of top --of=all
"""
import ast
import collections
import gzip
import json
import re
import subprocess
import sys

# control characters of a terminal, and of bidirectional text
CONTROLS = "[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """Returns {number: [value, ...]}: varints as integers, everything else as bytes."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2, "wire type %d" % (tag & 7)
            n, at = varint(data, at)
            value, at = data[at:at + n], at + n
            assert len(value) == n
        found[tag >> 3].append(value)
    return found


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def packed(values):
    out = []
    for value in values:
        if isinstance(value, int):
            out.append(signed(value))
            continue
        at = 0
        while at < len(value):
            v, at = varint(value, at)
            out.append(signed(v))
    return out


class Profile:
    def __init__(self, path):
        top = fields(gzip.open(path).read())
        self.strings = [s.decode("utf-8") for s in top[6]]  # fails if a string is not UTF-8
        assert self.strings[0] == "" and len(set(self.strings)) == len(self.strings)
        assert not any(re.search(CONTROLS, s) for s in self.strings), "control characters"
        one = lambda f, n: f[n][-1] if f[n] else 0
        text = lambda f, n: self.strings[one(f, n)]
        self.types = [(text(f, 1), text(f, 2)) for f in map(fields, top[1])]
        mappings = {one(f, 1): text(f, 5) for f in map(fields, top[3])}
        functions = {one(f, 1): (text(f, 2), text(f, 4)) for f in map(fields, top[5])}
        locations = {}
        for f in map(fields, top[4]):
            assert one(f, 2) == 0 or one(f, 2) in mappings, "a location of no mapping"
            lines = [fields(line) for line in f[4]]
            locations[one(f, 1)] = functions[one(lines[0], 1)] + (mappings.get(one(f, 2)),)
        assert 0 not in mappings and 0 not in functions and 0 not in locations
        assert len(mappings) == len(top[3]) and len(functions) == len(top[5]) and len(locations) == len(top[4])
        self.mappings, self.default = mappings, text(top, 14)
        self.samples = []
        for f in map(fields, top[2]):
            labels = {text(x, 1): text(x, 2) for x in map(fields, f[3])}
            assert all(re.fullmatch("[a-zA-Z_][a-zA-Z0-9_]*", k) for k in labels), labels
            assert len(labels) == len(f[3]) and all(labels.values())
            stack = [locations[i] for i in packed(f[1])]  # the innermost function is first
            values = packed(f[2])
            assert stack and len(values) == len(self.types)
            self.samples.append((stack, values, labels))


def report(program, *arguments):
    done = subprocess.run([program, *arguments, "--format=json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout)


def clean(name):
    return re.sub(CONTROLS, "\ufffd", name)


NO_SAMPLES = {"samples": 0, "functions": []}  # top reports a trace without samples, and fails


def check(path, program, trace, *options):
    p = Profile(path)
    assert p.types[:2] == [("samples", "count"), ("cpu", "nanoseconds")] and p.default == "cpu", p.types
    assert p.mappings.get(1) == "[kernel.kallsyms]"
    idle, options = "--idle" in options, [o for o in options if o != "--idle"]
    summary = report(program, "summary", *options, trace)

    # Compares the functions, which top lists with idle time.
    if idle:
        self_, inclusive = collections.Counter(), collections.Counter()
        for stack, values, labels in p.samples:
            name = lambda frame: (frame[0], frame[1])
            self_[name(stack[0])] += values[0]
            inclusive.update({n: values[0] for n in set(map(name, stack))})
        ours = report(program, "top", "--of=all", "-n", "100000", *options, trace) if any(v[0] for _, v, _ in p.samples) else NO_SAMPLES
        assert sum(self_.values()) == ours["samples"], (sum(self_.values()), ours["samples"])
        ours = ours["functions"]
        wanted = {(clean(r["function"]), clean(r["module"] or "")): r for r in ours}
        assert {n for n in inclusive if inclusive[n]} == set(wanted), set(inclusive) ^ set(wanted)
        for n, row in wanted.items():
            assert (self_[n], inclusive[n]) == (row["self"]["samples"], row["inclusive"]["samples"]), (n, row)

    # Compares the leaves in ns, which are whole numbers for each CPU.
    leaves, samples = collections.Counter(), collections.Counter()
    for stack, values, labels in p.samples:
        leaves[labels["leaf"]] += values[1]
        samples[labels["leaf"]] += values[0]
    tree = {n["key"]: n for n in summary["cpu_time"]["tree"]}
    for key, ns in leaves.items():
        assert idle or key != "idle"
        if tree[key]["ns"] is not None:
            assert abs(ns - tree[key]["ns"]) <= 64, (key, ns, tree[key]["ns"])
    if len(p.types) > 2:
        assert p.types[2] == ("energy", "microjoules")
        assert sum(v[2] for _, v, labels in p.samples if labels["leaf"] == "idle") == 0


def total(paths):
    sums = collections.Counter()
    for path in paths:
        for stack, values, labels in Profile(path).samples:
            sums[tuple(stack), tuple(sorted(labels.items()))] += values[0]
    return +sums


def sum_(whole, *parts):
    # No interval has the time before the first tick or after the last tick.
    a, b = total([whole]), total(parts)
    assert not b - a, list((b - a).items())[:3]
    assert sum(b.values()) >= 0.9 * sum(a.values()), (sum(b.values()), sum(a.values()))


def top(printed, ours):
    shown = collections.Counter(), collections.Counter()
    for line in open(printed, encoding="utf-8", errors="replace"):
        match = re.match(r"^\s*(-?\d+)\s+\S+%\s+\S+%\s+(-?\d+)\s+\S+%\s+(.*)$", line)
        if match:
            shown[0][match[3].strip()] += int(match[1])
            shown[1][match[3].strip()] += int(match[2])
    rows = json.load(open(ours))["functions"]
    wanted = collections.Counter(), collections.Counter()
    for row in rows:
        name = clean(row["function"])
        wanted[0][name] += row["self"]["samples"]
        wanted[1][name] = max(wanted[1][name], row["inclusive"]["samples"])
    for name in wanted[1]:
        assert shown[0][name] == wanted[0][name] and shown[1][name] >= wanted[1][name], \
            (name, shown[0][name], wanted[0][name], shown[1][name], wanted[1][name])
    assert len(wanted[1]) > 3 and not {n for n in shown[1] if shown[1][n]} - set(wanted[1]), set(shown[1]) - set(wanted[1])


LEAVES = ("idle", "user", "sock_send", "sock_recv", "rx_softirq", "tx_softirq", "hardirq_net", "other_network", "sock_local",
          "io_worker", "other_kernel", "user_and_other_kernel", "netcost_itself")  # the profile's categories, in their order


def firefox(path, program, trace, *options):
    text = open(path, encoding="utf-8").read()
    p = json.loads(text, parse_constant=lambda c: 1 / 0)
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), "control characters"
    meta = p["meta"]
    assert meta["preprocessedProfileVersion"] == 48 and p["libs"] == []
    named = {"transparent", "blue", "green", "grey", "lightblue", "magenta", "orange", "purple", "yellow", "brown",
             "lightgreen", "darkgrey"}
    assert {c["color"] for c in meta["categories"]} <= named and all(c["subcategories"][0] == "Other" for c in meta["categories"])
    schemas = {s["name"] for s in meta["markerSchema"]}
    leaves = collections.Counter()
    for thread in p["threads"]:
        strings, tables = thread["stringArray"], {}
        for name in ("samples", "markers", "stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols"):
            tables[name] = t = thread[name]
            for column, values in t.items():
                assert column in ("length", "weightType") or len(values) == t["length"], (name, column)
        stacks, frames, funcs, samples, markers = (tables[n] for n in ("stackTable", "frameTable", "funcTable", "samples", "markers"))
        assert all(0 <= s < stacks["length"] for s in samples["stack"])
        assert all(f < frames["length"] for f in stacks["frame"]) and all(f < funcs["length"] for f in frames["func"])
        assert all(x is None or x < i for i, x in enumerate(stacks["prefix"])), "a caller after its callee"
        assert all(n < len(strings) for n in funcs["name"] + markers["name"])
        assert all(n is None or n < len(strings) for n in funcs["fileName"])
        for c, s in zip(frames["category"], frames["subcategory"]):
            assert s < len(meta["categories"][c]["subcategories"])
        assert frames["category"] == stacks["category"] and samples["weightType"] == "tracing-ms"
        assert samples["time"] == sorted(samples["time"]), "time goes back"
        assert all(d["type"] in schemas for d in markers["data"])
        assert all((e is None) == (f == 0) for e, f in zip(markers["endTime"], markers["phase"]))
        for stack, ms in zip(samples["stack"], samples["weight"]):
            leaves[LEAVES[stacks["category"][stack]]] += ms
    for counter in p["counters"]:
        s = counter["samples"]
        assert len(s["time"]) == len(s["count"]) == s["length"] and s["time"] == sorted(s["time"])
        assert counter["mainThreadIndex"] < len(p["threads"])
    # Rows with samples have the same weights as in the pprof file, whose leaves are those of
    # summary.
    with open(path + ".pb.gz", "wb") as out:
        subprocess.run([program, "export", "pprof", *options, trace], stdout=out, stderr=subprocess.DEVNULL, check=True)
    ours = collections.Counter()
    for stack, values, labels in Profile(path + ".pb.gz").samples:
        if values[0]:
            ours[labels["leaf"]] += values[1] / 1e6
    assert set(ours) == set(leaves) and all(abs(leaves[l] - ours[l]) < 0.01 for l in ours), (leaves, ours)


def decoded(lines):
    """Returns {field: [value, ...]} of what protoc --decode prints."""
    found = collections.defaultdict(list)
    for line in iter(lambda: next(lines, "}").strip(), "}"):
        field, is_value, value = line.partition(": ")
        is_text = value[:1] == '"'
        value = ast.literal_eval("b" + value).decode() if is_text else json.loads(value) if is_value else decoded(lines)
        assert not field[0].isdigit() and not (is_text and re.search(CONTROLS, value)), line  # the number of an unknown field
        found[field.rstrip(" {")].append(value)
    return found


def perfetto(path, program, trace, *options):
    last = lambda m, *fields: m if not fields else last(m[fields[0]][-1], *fields[1:]) if m[fields[0]] else None
    protoc = ["protoc-c", "--decode=perfetto.Trace", "-I", sys.path[0] + "/../../src/report/export", "perfetto.proto"]
    packets = decoded(iter(subprocess.check_output(protoc, stdin=open(path, "rb")).decode().splitlines()))["packet"]
    assert [last(p, "sequence_flags") for p in packets] == [1] + [2] * (len(packets) - 1)
    names, ids, stacks = {None: ()}, {}, collections.Counter()
    counters, flows = collections.defaultdict(list), collections.defaultdict(list)
    for p in packets:
        for kind, entries in (last(p, "interned_data") or {}).items():
            ids.update(((kind, last(e, "iid")), e) for e in entries)
        for t in p["track_descriptor"]:
            names[last(t, "uuid")] = names[last(t, "parent_uuid")] + (last(t, "name"),)
        for e in p["track_event"]:
            counters[names[last(e, "track_uuid")][1:]] += e["counter_value"] + e["double_counter_value"] + e["name"]
            flows[last(e, "flow_ids")].append((last(p, "timestamp"), last(e, "name")))
        for s in p["stack_sample"]:
            frames = [ids["frames", f] for f in ids["callstacks", last(s, "callstack_iid")]["frame_ids"]]
            stacks[";".join(last(ids["function_names", last(f, "function_name_id")], "str") for f in frames)] += last(s, "primary_weight")
    lines = subprocess.run([program, "folded", trace, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode().splitlines()
    folded = collections.Counter({line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in lines})
    assert sum(stacks.values()) == sum(folded.values()), (sum(stacks.values()), sum(folded.values()))
    assert trace != "full.nct" or sum((stacks - folded).values()) <= 5 and counters["marks",] == ["here"]  # folded cleans one name
    options = [o for o in options if o != "--idle"]
    rows = report(program, "summary", "--by=interval", *options, trace)["rows"] if any("cpu" in k for k in counters) else []
    for leaf in rows[0]["leaf_ns"] if rows else ():
        ns, points, total = [None] + [r["leaf_ns"][leaf] for r in rows], [], 0
        for before, v in zip(ns, ns[1:]):
            points += [] if v is None else [total + v] if before is not None else [total, total + v]
            total += v or 0
        assert counters["cpu", 'leaf="%s"' % leaf] == points, (leaf, points)
    for hook in {k[1].split('"')[1] for k in counters if k[0] == "packet_latency_quantile"}:
        rows = report(program, "timeline", "--latency=" + hook, *options, trace)["rows"]
        p99 = [round(v, 1) for v in counters["packet_latency_quantile", 'hook="%s",quantile="p99"' % hook]]
        assert p99 == [r["latency_p99_ns"] for r in rows if r["latency_p99_ns"] is not None], hook
    if trace == "ways.nct":
        ns = sum(max(flows[f])[0] - min(flows[f])[0] for f in flows if f)
        assert ns == sum(r["sum_ns"] for r in report(program, "path", trace)["rows"] if r["from"])


if __name__ == "__main__":
    {"check": check, "firefox": firefox, "perfetto": perfetto, "sum": sum_, "top": top}[sys.argv[1]](*sys.argv[2:])
