# SPDX-License-Identifier: BSD-2-Clause
"""programs.py PROGS [UNIT]: prints the cost of a run of each of the recorder's BPF programs,
from `bpftool prog show --json`. They are compared with empty programs, with programs that
only read the clock, and with the programs that Netto attaches (empty.bpf.c, netto.bpf.c), all
measured in the same run. The budget is a multiple of the cost of reading the clock, at the
same tracepoint if such a program exists, otherwise on average. Function programs (fentry)
have no budget, nor do figures in another UNIT than ns. Programs of --latency have a budget in
ns."""
import json
import re
import sys

from figures import print_table

OURS = re.compile(r"sched_switch|sched_switch_old|softirq_entry|softirq_exit|sys_enter|sys_enter_old|sys_exit"
                  r"|sock_send_length|sock_recv_length|(part_)?(fentry|fexit)_\d+|(part_)?kprobe_(begin|end)|napi_\w+|(latency|stages)_\w+")
PEERS = re.compile(r"(empty|clock|calls|netto)_\w+")
CLOCK_BUDGET = 1.15
LATENCY_BUDGET = 110  # ns
# a program that runs less often than this share of the most frequent one does not belong to the
# load
RARE = 0.01


def costs(path):
    """Returns the runs, and ns a run, of each program that ran."""
    ran = [p for p in json.load(open(path)) if OURS.fullmatch(p.get("name", "")) or PEERS.fullmatch(p.get("name", ""))]
    most = max([p.get("run_cnt", 0) for p in ran], default=0)
    return {p["name"]: (p["run_cnt"], p["run_time_ns"] / p["run_cnt"]) for p in ran if p.get("run_cnt", 0) > RARE * most}


def peer(cost, kind, name):
    """Returns ns a run of the program of a kind at the same place."""
    return cost.get(kind + "_" + name, (0, None))[1]


def times(ns, other):
    return "%.2f" % (ns / other) if other else ""


def verdict(name, ns, clock):
    if name.startswith("stages_"):
        return ""
    if name.startswith("latency_"):
        return "kept" if ns <= LATENCY_BUDGET else "MISSED"
    if "fentry" in name or "fexit" in name or not clock:
        return ""
    return "kept" if ns <= CLOCK_BUDGET * clock else "MISSED"


def row(cost, name, clocks):
    runs, ns = cost[name]
    clock = peer(cost, "clock", name) or clocks
    return [name, runs, "%.0f" % ns, times(ns, peer(cost, "empty", name)), times(ns, peer(cost, "netto", name)),
            times(ns, clock), verdict(name, ns, clock)]


def main():
    cost, unit = costs(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "ns"
    clocks = [ns for name, (_, ns) in cost.items() if name.startswith("clock_")]
    mean = sum(clocks) / len(clocks) if clocks else None
    budget = "%d ns" % LATENCY_BUDGET if any(n.startswith("latency_") for n in cost) else "%.2f" % CLOCK_BUDGET
    head = ["BPF program", "runs", unit + " a run", "x empty", "x Netto's", "x clock", "budget " + budget]
    columns = len(head) if unit == "ns" else len(head) - 1
    ours = [n for n in cost if OURS.fullmatch(n)]
    if ours:
        print_table(head[:columns], [row(cost, n, mean)[:columns] for n in ours])
    print_table(["beside", "runs", unit + " a run"],
                [[n, r, "%.0f" % ns] for n, (r, ns) in cost.items() if PEERS.fullmatch(n)])


if __name__ == "__main__":
    main()
