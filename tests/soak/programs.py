# SPDX-License-Identifier: BSD-2-Clause
"""Compares the recorder's figures about its own BPF programs with other sources, for test_programs.sh.

    programs.py load SECONDS LOG        makes system calls at a steady rate; writes the number of calls over time to LOG
    programs.py calls TRACE LOG         checks that at least as many runs of sys_enter were counted as calls were made
                                        in the same time
    programs.py show JSON               prints the runs of all programs called sys_enter in `bpftool prog show --json`
    programs.py on COMMAND...           runs the command with BPF statistics enabled
    programs.py others PID...           prints the names of other processes that enable the statistics from time to
                                        time; status 1 if there are none
    programs.py share THERE BEFORE AFTER SECONDS CPUS
                                        prints the share of CPU time, in %, of the programs that bpftool lists and that
                                        are not in THERE"""
import ctypes
import glob
import json
import os
import struct
import subprocess
import sys
import time

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import PROGRAM, PROGRAM_STATS  # noqa: E402

BATCH = 1000
NAMES = ("sched_switch", "softirq_entry", "softirq_exit", "sys_enter", "sys_exit", "sock_send_length",
         "sock_recv_length")


def load(seconds, log):
    """Uses half of a CPU, so that the cost of the statistics does not slow the calls down."""
    end, n, out = time.monotonic() + float(seconds), 0, open(log, "w")
    while time.monotonic() < end:
        began = time.monotonic()
        for _ in range(BATCH):
            os.getppid()
        n += BATCH
        out.write("%d %d\n" % (time.monotonic_ns(), n))
        time.sleep(max(0, 2e-3 - (time.monotonic() - began)))


def ticks(path):
    """Returns [(at_ns, PROGRAM_STATS)], and the index of sys_enter in the record."""
    at, out, place = 0, [], None
    for kind, r in nct.objects(path):
        if kind == PROGRAM and r[2].startswith("sys_enter"):
            place = r[1] - 1
        at = r[1] if kind == nct.TICK else at
        if kind == PROGRAM_STATS:
            out.append((at, r))
    return out, place


def calls(trace, log):
    """The ticks are short, so some lie entirely in a time that was counted."""
    made = [tuple(map(int, line.split())) for line in open(log)]
    stats, place = ticks(trace)
    seen, windows = True, 0
    for (a, before), (b, after) in zip(stats, stats[1:]):
        during = [n for t, n in made if a <= t <= b]
        if 5 not in before or 5 not in after:  # nothing was counted before
            continue
        if after[5] - before[5] < 0.97 * (b - a) or len(during) < 3:
            continue
        windows += 1
        runs, n = after[1][place] - before[1][place], during[-1] - during[0]
        print("in %d us %d runs were counted, %d calls made" % ((b - a) // 1000, runs, n))
        seen &= n <= runs <= 1.5 * n + 2 * BATCH + 20000
    return not (seen and windows > 1)


def show(path):
    print(sum(p.get("run_cnt", 0) for p in json.load(open(path)) if p.get("name") == "sys_enter"))


def on(command):
    attr = ctypes.create_string_buffer(128)
    fd = ctypes.CDLL(None).syscall(321, 32, attr, 128)  # bpf(BPF_ENABLE_STATS)
    return 3 if fd < 0 else subprocess.run(command).returncode


def is_stats(fd):
    try:
        return os.readlink(fd) == "anon_inode:bpf-stats"
    except OSError:
        return False  # the process has ended


def others(ours):
    """A recorder enables the statistics for a moment in each second."""
    end, found = time.monotonic() + 2.5, {}
    while time.monotonic() < end and not found:
        found = {fd.split("/")[2] for fd in glob.glob("/proc/[0-9]*/fd/*") if is_stats(fd)} - set(ours)
    print("BPF statistics are kept on by: " + (" ".join(found) or "none but our own"))
    return not found


def programs(path):
    return {p["id"]: p.get("run_time_ns", 0) for p in json.load(open(path)) if p.get("name") in NAMES}


def share(there, before, after, seconds, cpus):
    there, old, new = programs(there), programs(before), programs(after)
    print(100 * sum(new[i] - old[i] for i in new if i in old and i not in there) / (float(seconds) * 1e9 * int(cpus)))


if __name__ == "__main__":
    what, args = sys.argv[1], sys.argv[2:]
    lists = {"on": on, "others": others}
    sys.exit(lists[what](args) if what in lists else
             {"load": load, "calls": calls, "show": show, "share": share}[what](*args))
