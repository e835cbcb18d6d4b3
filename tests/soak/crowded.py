# SPDX-License-Identifier: BSD-2-Clause
"""crowded.py: measures which share of its time a task must wait for a CPU on this host. It tries
each available CPU for half a second, and counts steal time as waiting. Prints the largest
share in percent. Status 0: the share is more than 5 %, 1: it is not."""
import os
import sys
import time

SECONDS, MUCH = 0.5, 5


def stolen(cpu):
    """Returns a time of /proc/stat in ns."""
    row = next(line.split() for line in open("/proc/stat") if line.startswith("cpu%d " % cpu))
    return int(row[8]) * 10**9 // os.sysconf("SC_CLK_TCK")


def waited(cpu):
    """Returns the percentage of the time, measured in a separate process on that CPU."""
    os.sched_setaffinity(0, {cpu})
    begin, took = time.monotonic_ns(), stolen(cpu)
    while time.monotonic_ns() - begin < SECONDS * 1e9:
        pass
    delay = int(open("/proc/self/schedstat").read().split()[1])
    return min(99, 100 * (delay + stolen(cpu) - took) // (time.monotonic_ns() - begin))


def main():
    children = []
    for cpu in sorted(os.sched_getaffinity(0)):
        child = os.fork()
        if not child:
            os._exit(int(waited(cpu)))
        children.append(child)
    most = max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
    print(most)
    return most <= MUCH


sys.exit(main())
