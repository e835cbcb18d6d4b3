# SPDX-License-Identifier: BSD-2-Clause
"""The machine on which the bench ran."""
import os
import platform
import re
import subprocess

TOOLS = [["perf", "--version"], ["bpftrace", "--version"], ["iperf3", "--version"], ["nginx", "-v"], ["memcached", "--version"],
         ["wrk", "-v"], ["qemu-system-x86_64", "--version"]]


def first(path):
    try:
        return open(path).read().strip()
    except OSError:
        return None


def cpu_model():
    found = re.search(r"^model name\s*: (.*)", first("/proc/cpuinfo") or "", re.M)
    return found[1] if found else platform.machine()


def version(argv):
    try:
        out = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    except OSError:
        return None
    found = re.search(r"\d+\.[\d.]*\d", out)
    return "%s %s" % (argv[0], found[0]) if found else None


def others():
    """Returns the average number of tasks that ran or waited in the last minute."""
    return os.getloadavg()[0]


def print_statement(before):
    """before: the result of others() before the bench began."""
    governor = first("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    virtual = " hypervisor" in (first("/proc/cpuinfo") or "")
    print("- %s%s, %d CPUs, frequency governor %s" % (cpu_model(), ", virtual" if virtual else "", os.cpu_count(),
                                                      governor or "not known"))
    print("- Linux %s" % platform.release())
    print("- %s" % ", ".join(v for v in map(version, TOOLS) if v))
    print("- load average before: %.2f%s" % (before, "; the machine was shared with other work" if before > 0.5 else ""))
    print()
