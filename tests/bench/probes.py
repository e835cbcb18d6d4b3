# SPDX-License-Identifier: BSD-2-Clause
"""Measures the cost of a run of an empty program of each probe type (as in figure 4.1 of the KTH thesis). It is derived
from the increase of ping-pong round trips, which pass the probes twice (probes.bpf.c).

    probes.py BUILD            measures on this host: ns, from the faster half of round trips, in BENCH_ROUNDS (10)
                               rounds of BENCH_SECONDS (2), each compared with rounds without a program just before
                               and after
    probes.py --console FILE   judges instructions, as printed by the machine of probes.sh, and the cost of observing
                               a request and its response over veth (as in table 4.2)"""
import json
import os
import random
import re
import subprocess
import sys

from figures import interval, print_table, with_range
from instructions import PER_S, measured

TYPES = ("kprobe", "kretprobe", "fentry", "fexit", "tracepoint", "raw_tp", "tp_btf")
RUNS = 2  # runs per round trip
PORT, CPU = "17773", "0"
REFUSED = "refused here"
OBSERVED = "over veth: "
NETSTACKLAT = 6  # percent of the tail, as its authors publish


# ---- here

def round_trip_ns(build, probe):
    """Returns the round trip, or None if the kernel refuses the probe."""
    beside = [build + "/tests/beside", "probe-" + probe] if probe else []
    got = subprocess.run(["taskset", "-c", CPU, *beside, build + "/tests/load", "ping-pong", "127.0.0.1", PORT,
                          os.environ.get("BENCH_SECONDS", "2")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return 1000 * json.loads(got.stdout)["fast_us"] if not got.returncode and got.stdout else None


def rounds(build):
    """Returns {type: [ns a run]}, and [ns a run] of rounds without a program."""
    more, alone = {t: [] for t in TYPES}, []
    for _ in range(int(os.environ.get("BENCH_ROUNDS", "10"))):
        before = round_trip_ns(build, None)
        for probe in random.sample(TYPES, len(TYPES)):
            got, after = round_trip_ns(build, probe), round_trip_ns(build, None)
            if got:
                more[probe].append((got - (before + after) / 2) / RUNS)
            alone.append((after - before) / RUNS)
            before = after
    return more, alone


def here(build):
    echo = subprocess.Popen(["taskset", "-c", CPU, build + "/tests/load", "echo", PORT])
    try:
        more, alone = rounds(build)
    finally:
        echo.terminate()
        echo.wait()
    print_table(["empty program", "ns a run"],
                [[t, with_range(ns, "%.0f") if ns else REFUSED] for t, ns in more.items()] +
                [["nothing, against itself", with_range(alone, "%.0f")]])


# ---- by instructions

def console(path):
    with open(path) as f:
        lines = f.read().splitlines()
    got = measured(lines)
    if "bench: done" not in lines or "nothing" not in got:
        print("The machine did not come to its end; its last lines:\n")
        print("\n".join("    " + line for line in lines[-20:]))
        return
    base = interval(got["nothing"])[1]
    print(re.search(r"bench: (kernel .*)", "\n".join(lines))[1] + "; an instruction is a nanosecond.\n")
    print_table(["empty program", "instructions a run"],
                [[t, "%.0f" % ((interval(got[t])[1] - base) / RUNS) if t in got else REFUSED] for t in TYPES])
    observed = {name.removeprefix(OBSERVED): v for name, v in got.items() if name.startswith(OBSERVED)}
    base = interval(observed.pop("nothing"))[1]
    print_table(["a request and its response over veth", "instructions", "more, %"],
                [["nothing", "%.0f" % base, ""]] +
                [[name, "%.0f" % interval(v)[1], "%.1f" % (100 * (interval(v)[1] / base - 1))] for name, v in observed.items()])
    print("netstacklat's authors publish %d %% more of the tail of theirs.\n" % NETSTACKLAT)


if __name__ == "__main__":
    if sys.argv[1] == "--console":
        console(sys.argv[2])
    else:
        here(sys.argv[1])
