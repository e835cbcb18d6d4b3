# SPDX-License-Identifier: BSD-2-Clause
"""What each of our BPF programs costs a run, beside programs that do nothing or only read the clock.

The budgets are DESIGN's: 95, 90 and 115 ns where a program that does nothing costs 53, so as many times what that costs."""
import json
import re
import sys

NAMES = re.compile(r"(empty|clock)_\w+|sched_switch|sched_switch_old|softirq_entry|softirq_exit|sys_enter|sys_enter_old|sys_exit"
                   r"|sock_send_length|sock_recv_length|(part_)?(fentry|fexit)_\d+|(part_)?kprobe_(begin|end)|napi_\w+")
BUDGET = {"softirq_entry": "%.2f" % (95 / 53), "softirq_exit": "%.2f" % (90 / 53), "sched_switch": "%.2f" % (115 / 53)}


def main():
    cost = {}
    for prog in json.load(open(sys.argv[1])):
        name = prog.get("name", "")
        if NAMES.fullmatch(name) and prog.get("run_cnt"):
            cost[name] = (prog["run_cnt"], prog["run_time_ns"] / prog["run_cnt"])
    print("%-20s %12s %9s %7s %7s" % ("BPF program", "runs", "ns a run", "x empty", "budget"))
    for name, (runs, ns) in cost.items():
        peer = [c for n, c in cost.items() if n.startswith("empty_") and n[6:] == name[:len(n) - 6]]
        times = "%.2f" % (ns / peer[0][1]) if peer else ""
        print("%-20s %12d %9.0f %7s %7s" % (name, runs, ns, times, BUDGET.get(name, "")))


if __name__ == "__main__":
    main()
