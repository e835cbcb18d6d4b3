# SPDX-License-Identifier: BSD-2-Clause
"""lost.py REPORT RECORDER...: compares the slowdown of a loop of system calls and packets with
the overhead in the report. The loop sends a datagram to itself over loopback and receives it,
on one CPU. Its time is the time of the faster batches. Half of the batches without the
recorder run before the recording and half after it. The model (src/record/exact/entry_cost.h)
is right if the total cost of all classes of probes and other programs is within a fifth of
the slowdown, or within 1 % of the loop's time."""
import json
import os
import socket
import subprocess
import sys
import time

BATCH, SECONDS = 50, 1.5


def loop(one, name, until):
    """Returns the ns of a turn in each batch until a time."""
    took = []
    while time.monotonic() < until:
        began = time.perf_counter_ns()
        for _ in range(BATCH):
            one.sendto(b"x" * 64, name)
            one.recv(64)
        took.append((time.perf_counter_ns() - began) / BATCH)
    return took


def quick(took):
    return sorted(took)[len(took) // 4]


def main(report, *recorder):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.bind(("127.0.0.1", 0))
    name, trace = one.getsockname(), recorder[recorder.index("-o") + 1]
    off = loop(one, name, time.monotonic() + SECONDS)
    child = subprocess.Popen(recorder, preexec_fn=lambda: os.sched_setaffinity(0, range(os.cpu_count())))
    on = []
    while child.poll() is None:
        on.append(loop(one, name, time.monotonic() + 0.1))
    off += loop(one, name, time.monotonic() + SECONDS)
    took = [ns for part in on[3:-1] for ns in part]  # without the batches at the start and the end
    summary = json.loads(subprocess.run([report, "summary", "--format=json", trace], check=True, capture_output=True,
                                        text=True).stdout)
    cost, cpus = summary["cost"], len(summary["trace"]["cpus"])
    share = ((cost["probes_percent"] or 0) + (cost["other_programs_percent"] or 0)) / 100 * cpus
    turn, told = quick(off), share * sum(took) / len(took)
    lost = quick(took) - turn
    print("a turn takes %.0f ns, %.0f more while recorded; the programs cost %.0f ns by the recording" % (turn, lost, told))
    return abs(told - lost) <= max(0.2 * lost, 0.01 * turn)


sys.exit(not main(*sys.argv[1:]))
