# SPDX-License-Identifier: BSD-2-Clause
"""Checks that the overhead of a recording contains the time of all its own BPF programs, and that samples of these are
in no other leaf.

    own_programs.py load RECORDER...        sends datagrams over loopback while it is recorded
    own_programs.py check REPORT TRACE"""
import glob
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

DATAGRAMS = 200000
ROOT = "[netcost itself]"


def load(*recorder):
    trace = recorder[recorder.index("-o") + 1]
    child = subprocess.Popen(recorder)
    while child.poll() is None and not (os.path.exists(trace) and os.path.getsize(trace)):
        time.sleep(0.01)
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.bind(("127.0.0.1", 0))
    for _ in range(DATAGRAMS):
        one.sendto(b"x" * 64, one.getsockname())
        one.recv(64)
    child.send_signal(signal.SIGINT)
    sys.exit(child.wait())


def run(report, *arguments):
    return subprocess.run([report, *arguments], check=True, capture_output=True, text=True).stdout


def stacks(report, trace, *options):
    lines = [line.rsplit(" ", 1) for line in run(report, "folded", *options, trace).splitlines()]
    return [(stack.split(";"), int(count)) for stack, count in lines]


def check(report, trace):
    records = [json.loads(line) for line in run(report, "dump", trace).splitlines()]
    cpus = len(next(r["cpus"] for r in records if r["type"] == "header"))
    names = [r["name"] for r in records if r["type"] == "program"]
    stats = [r for r in records if r["type"] == "program_stats" and "run_ns" in r]
    summary = json.loads(run(report, "summary", "--format=json", trace))
    cost = summary["cost"]
    taken_ns = sum(stats[-1]["run_ns"]) - sum(stats[0]["run_ns"])
    cost_ns = cost["percent_of_cpu_time"] / 100 * cost["of_s"] * 1e9 * cpus
    print("%d programs, %d of --latency and its like; their code took %d ns, the cost is %.0f ns%s" %
          (len(names), sum(n.startswith("path_") for n in names), taken_ns, cost_ns,
           ", at least" if cost["at_least"] else ""))
    if not taken_ns:
        sys.exit("no program ran")
    if cost_ns < taken_ns:
        sys.exit("the cost leaves out %.0f ns" % (taken_ns - cost_ns))
    if cost["at_least"] != (cost["ci95_percent"] is None):
        sys.exit("at least, with an interval of %s" % cost["ci95_percent"])

    module, symbols = {0: ""}, []
    for r in records:
        if r["type"] == "module":
            module[r["id"]] = r["name"]
        elif r["type"] == "symbols":
            symbols += [(n, module[m]) for n, m in zip(r["name"], r["module"])]
    if "netcost" not in module.values():
        sys.exit("the trace does not say which programs are its own")
    own = {n for n, m in symbols if m == "netcost"} - {n for n, m in symbols if m != "netcost"}
    # The kernel names a program by its own name. It names a function that the compiler did not inline by the function's
    # name.
    sources = "".join(open(name).read() for name in glob.glob("bpf/*.[ch]"))
    for name in own:
        function = re.fullmatch(r"bpf_prog_[0-9a-f]{16}_(\w+)", name)
        if not any(re.fullmatch(r"bpf_prog_[0-9a-f]{16}_%s.*" % n[:15], name) for n in names) and not (
                function and re.search(r"\b%s\(" % function[1], sources)):
            sys.exit("%s is no program of the recorder" % name)

    with_own, without = stacks(report, trace, "--with-own-cost"), stacks(report, trace)
    below = sum(c for s, c in with_own if own & set(s))
    print("%d samples of %d are below %d own functions" % (below, sum(c for _, c in with_own), len(own)))
    if sum(c for _, c in with_own) != sum(c for _, c in without):
        sys.exit("samples are lost")
    if any(s[0] == ROOT for s, _ in with_own):
        sys.exit("--with-own-cost has own stacks")
    # Work that interrupts a program and starts another leaf does not belong to the program. Work of the idle task does
    # not, either.
    left = [s for s, _ in without if own & set(s) and s[0] != ROOT and not {"do_idle", "net_rx_action"} & set(s)]
    if left:
        sys.exit("not in the leaf: " + ";".join(left[0]))
    rows = json.loads(run(report, "top", "--format=json", "-n", "500", trace))["functions"]
    if [r["function"] for r in rows if r["function"] in own and r["self"]["samples"]]:
        sys.exit("top has own functions")


if __name__ == "__main__":
    {"load": load, "check": check}[sys.argv[1]](*sys.argv[2:])
