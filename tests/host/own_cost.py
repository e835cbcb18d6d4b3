# SPDX-License-Identifier: BSD-2-Clause
"""Checks the recorder's overhead in a trace.

    own_cost.py load CALLS RECORDER...   makes CALLS system calls without sockets during the recording
    own_cost.py calls CALLS REPORT TRACE at least these calls were counted, and their cost corresponds to their number
    own_cost.py leaves REPORT TRACE      the leaves of each CPU sum to its wall time, to the nanosecond, with and
                                         without the overhead"""
import json
import os
import signal
import subprocess
import sys
import time



def load(calls, *recorder):
    trace = recorder[recorder.index("-o") + 1]
    child = subprocess.Popen(recorder)
    sizes = set()  # the first frame has no tick yet
    while child.poll() is None and len(sizes - {0}) < 2:
        sizes.add(os.path.getsize(trace) if os.path.exists(trace) else 0)
        time.sleep(0.01)
    getppid = os.getppid
    for _ in range(calls):
        getppid()
    child.send_signal(signal.SIGINT)
    sys.exit(child.wait())


def records(report, trace):
    lines = subprocess.run([report, "dump", trace], check=True, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def calls(wanted, report, trace):
    first, last, cost = None, None, None
    for r in records(report, trace):
        if r["type"] == "probe_runs" and r["probe"] == 0:
            first, last = first or r, r
        elif r["type"] == "probe_cost" and r["probe"] == 0:
            cost = r
    if last is None:
        sys.exit("this method counts no system calls")
    counted = sum(last["task"]) - sum(first["task"])
    told = json.loads(subprocess.run([report, "summary", "--format=json", trace], check=True, capture_output=True,
                                     text=True).stdout)["cost"]
    row, = [p for p in told["probes"] if p["key"] == "syscall"]
    print("%d calls made, %d counted; %.1f ns a run" % (wanted, counted, cost["ps"] / 1e3))
    if counted < wanted:
        sys.exit("expected at least %d calls, got %d" % (wanted, counted))
    if row["runs"] != counted or abs(row["ns_per_run"] - cost["ps"] / 1e3) > 0.01:
        sys.exit("the report says %s" % row)


def leaves(report, trace):
    for options in [], ["--with-own-cost"]:
        told = json.loads(subprocess.run([report, "summary", "--format=json", *options, trace], check=True,
                                         capture_output=True, text=True).stdout)["cpu_time"]
        for cpu in told["per_cpu"]:
            if cpu["sum_ns"] != cpu["wall_ns"]:
                sys.exit("CPU %s: leaves of %s ns in %s ns" % (cpu["cpu"], cpu["sum_ns"], cpu["wall_ns"]))
            own = cpu["leaf_ns"]["netcost_itself"]
            if (own is None) != bool(options):
                sys.exit("%s: netcost itself %s" % (options, own))


if __name__ == "__main__":
    how, *arguments = sys.argv[1:]
    if how == "load":
        load(int(arguments[0]), *arguments[1:])
    elif how == "calls":
        calls(int(arguments[0]), *arguments[1:])
    else:
        leaves(*arguments)
