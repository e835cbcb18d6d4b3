# SPDX-License-Identifier: BSD-2-Clause
"""scrubbed.py REPORT BEFORE AFTER: checks that a scrubbed trace has no private data, and is otherwise unchanged.
It reads what other programs can read: the decompressed bytes, and the reports' JSON."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "format"))
import reader  # noqa: E402

reader.REASON_KEYS = {}

# Kernel threads and the recorder's own name are kept, truncated to this length.
KNOWN = re.compile(r"swapper|netcost-record|ksoftirqd/\d+|migration/\d+|kdamond\.\d+|rcu_\w+|kworker/u?\d+:\d+|napi/")

COMMANDS = (["summary"], ["info"], ["latency"], ["latency", "--by=interface"], ["latency", "--by=cgroup"],
            ["latency", "--by=process"], ["latency", "--tail"], ["path"], ["path", "--by=flow"])


def run(*args):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE).stdout


def report_of(*args):
    """Returns the output of a report, or nothing if the trace has no such data."""
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if not (done.returncode == 1 and not done.stdout and b": has no " in done.stderr):
        done.check_returncode()
    return done.stdout


def records(report, path):
    """Returns the values of all parts."""
    return [json.loads(line) for line in run(report, "dump", path).splitlines()]


def documents(text):
    decoder, at = json.JSONDecoder(), 0
    text = text.decode().strip()
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        at += len(text[at:]) - len(text[at:].lstrip())
        yield value


def numbers(value):
    """Returns a document without its strings."""
    if isinstance(value, dict):
        return {k: numbers(v) for k, v in value.items() if k not in ("file", "start_unix_s", "process", "pid", "netns", "cgroup_id", "start_s", "source_port", "destination_port")}
    if isinstance(value, list):
        return [numbers(v) for v in value]
    return "text" if isinstance(value, str) else value


def private_names(before):
    names = set()
    for r in before:
        if r["type"] == "header":
            names |= {r.get("host", "")} | set(r.get("command", []))
        elif r["type"] == "tasks":
            names |= {n for n in r["comm"] if not KNOWN.match(n)}
        elif r["type"] == "outside":
            names |= {n for n in r["name"] if not KNOWN.match(n)}
        elif r["type"] == "netdev":
            names |= {r["name"]} - {"lo"}
        elif r["type"] in ("latency_by", "latency_only"):
            names |= {r.get("netdev", ""), r.get("cgroup", "")} - {"lo", "/"}
            names |= {n for n in [r.get("process", "")] if not KNOWN.match(n)}
        elif r["type"] == "latency_tail":
            names |= {n for n in [*r["name"], r.get("task", "")] if not KNOWN.match(n)}
        elif r["type"] == "stages":
            names |= set(r.get("tables", [])) | set(r.get("names", [])) | set(r.get("from", [])) | set(r.get("to", []))
        elif r["type"] == "mark":
            names |= {r["text"]} - {"SIGUSR1"}
        elif r["type"] == "other_programs":
            names |= set(r["name"])
        elif r["type"] == "symbols":
            names |= {n[26:] for n in r["name"] if re.match(r"bpf_prog_[0-9a-f]{16}_", n)}
    own = {"sys_enter", "sys_exit", "softirq_entry", "softirq_exit", "sched_switch", "sock_send_length",
           "sock_recv_length"}
    return names - own - {""}


def resolving(records):
    """Returns the numbers that would identify the host in another trace: inodes, and start times
    of processes."""
    for r in records:
        if r["type"] == "processes":
            yield from (n for n in r["start_ns"] if n is not None)
        if r["type"] == "stages":
            yield from r["netns"]
        if r["type"] in ("latency_by", "latency_only"):
            yield from (r[key] for key in ("netns", "cgroup_id", "start_ns") if key in r)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def as_they_are(path):
    """Returns the records with reasons as they are in the trace."""
    with open(path, "rb") as file:
        return [r for r in reader.Reader(file) if r["type"] in ("source", "probe")]


def is_foreign(texts):
    """Returns whether a text is not a reason (format/SPEC.md, 4.6), so that the whole text is
    replaced, or has a name in it."""
    return any(text and not reader.CODE.match(text.encode()) or "zx" in text for text in (texts if isinstance(texts, list) else [texts]))


def same_texts(was, now):
    return was.keys() == now.keys() and all(
        was[key] == now[key] or key in ("via", "why", "reason", "refused") and is_foreign(was[key]) for key in was)


def check(report, path_before, path_after):
    before, after = records(report, path_before), records(report, path_after)
    names = private_names(before)
    # the format's own words
    left = names & {s for r in after if r["type"] not in ("schema", "names") for s in strings(r)}
    content = run("zstd", "-dcq", path_after)
    # Short names, and parts of a function's name ("sleep"), are not searched for.
    functions = " ".join(n for r in before if r["type"] == "symbols" for n in r["name"] if "bpf_prog_" not in n)
    left |= {n for n in names if len(n) > 4 and n not in functions
             and n.encode("utf-8", "surrogatepass") in content}
    if left:
        sys.exit("left: %s" % sorted(left))
    same = {n for n in resolving(before) if n > 1000} & set(resolving(after))
    if same:
        sys.exit("numbers are left: %s" % sorted(same))
    for was, now in zip(as_they_are(path_before), as_they_are(path_after)):
        if not same_texts(was, now):
            sys.exit("a text of the recorder's has changed: %s\n%s" % (was, now))
    for command in COMMANDS:
        was, now = (list(documents(report_of(report, *command, "--format=json", p))) for p in (path_before, path_after))
        for w, n in zip(was, now):
            for key in ("file_bytes", "frames", "records", "clock_first", "clock_last", "skipped_records",
                        "skipped_fields", "skipped_events", "records_by_type"):
                w.pop(key, None), n.pop(key, None)
            for key in ("skipped_records", "skipped_fields"):
                w.get("quality", {}).pop(key, None), n.get("quality", {}).pop(key, None)
            w.get("header", {}).pop("derived", None), n.get("header", {}).pop("derived", None)
            w.get("trace", {}).pop("derived", None), n.get("trace", {}).pop("derived", None)
        if len(was) != len(now) or numbers(was) != numbers(now):
            sys.exit("the figures of %s have changed" % " ".join(command))
    return len(names)


if __name__ == "__main__":
    print("%d names gone" % check(*sys.argv[1:]))
