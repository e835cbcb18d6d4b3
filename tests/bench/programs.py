# SPDX-License-Identifier: BSD-2-Clause
"""What each of our BPF programs costs a run; budgets are DESIGN's, for the development machine."""
import json
import re
import sys

NAMES = re.compile(r"sched_switch|softirq_entry|softirq_exit|sys_enter|sys_enter_old|sys_exit|sock_send_length"
                   r"|sock_recv_length|fentry_\d+|fexit_\d+|kprobe_begin|kprobe_end")


def main():
    print("%-20s %12s %8s" % ("BPF program", "runs", "ns a run"))
    for prog in json.load(open(sys.argv[1])):
        if NAMES.fullmatch(prog.get("name", "")) and prog.get("run_cnt"):
            print("%-20s %12d %8.0f" % (prog["name"], prog["run_cnt"], prog["run_time_ns"] / prog["run_cnt"]))


if __name__ == "__main__":
    main()
