# SPDX-License-Identifier: BSD-2-Clause
"""processes.py BUILD: what --processes costs: a task switch, beside a recording without it, and memory. As root.

The time is the kernel's own, of each run of sched_switch while two processes exchange datagrams on one CPU; recordings with
and without alternate. From the environment:

	BENCH_ROUNDS=10		pairs of recordings
	BENCH_SECONDS=2		of each
	BENCH_CGROUPS=10000, BENCH_PROCESSES=100000
				that a storm has; the cgroups are made where cgroup2 is mounted, in a folder of its own
	BENCH_LOCK=FILE		held while something is measured"""
import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import loads
from figures import interval, print_table, with_range

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "10"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))
CGROUPS = int(os.environ.get("BENCH_CGROUPS", "10000"))
PROCESSES = int(os.environ.get("BENCH_PROCESSES", "100000"))
BUDGET_NS, BUDGET_MIB = 60, 64
PORT = "17773"
SWITCH = ("sched_switch", "sched_switch_old")


@contextlib.contextmanager
def measuring():
    with open(os.environ.get("BENCH_LOCK") or os.devnull, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def switches():
    """Runs and ns of the recorder's program, of which there is one."""
    for p in json.loads(subprocess.run(["bpftool", "prog", "show", "--json"], stdout=subprocess.PIPE, text=True).stdout):
        if p.get("name") in SWITCH and "run_cnt" in p:
            return p["run_cnt"], p["run_time_ns"]
    return None


def cost(build, tmp, options):
    """ns a switch while the ping-pong runs."""
    load = build + "/tests/load"
    out = tmp + "/t.nct"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(out)
    with measuring():
        echo = subprocess.Popen(loads.pinned([load, "echo", PORT]))
        recorder = subprocess.Popen([build + "/netcost-record", "-q", "-F", "0", "-o", out, *options])
        try:
            for _ in range(500):
                if os.path.exists(out) and os.path.getsize(out):
                    break
                time.sleep(0.02)
            before = switches()
            subprocess.run(loads.pinned([load, "ping-pong", loads.ADDRESS, PORT, str(SECONDS)]), stdout=subprocess.DEVNULL)
            after = switches()
        finally:
            recorder.send_signal(2)
            recorder.wait(60)
            echo.kill()
            echo.wait()
    return (after[1] - before[1]) / (after[0] - before[0])


def print_costs(build, tmp):
    for mode in ("entry", "calls"):
        base, more = [], []
        for i in range(ROUNDS):
            pair = {}
            for with_processes in (i % 2 == 0, i % 2 == 1):
                pair[with_processes] = cost(build, tmp, ["--exact=" + mode] + ["--processes"] * with_processes)
            base.append(pair[False])
            more.append(pair[True] - pair[False])
        print_table(["--exact=" + mode, "ns a switch"], [["without --processes", with_range(base, "%.0f")],
                                                         ["more with it", with_range(more, "%+.0f")]])
        by = interval(more)[1]
        print("- %s: --processes costs at most %d ns a task switch (%.0f)\n" %
              ("kept" if by <= BUDGET_NS else "MISSED", BUDGET_NS, by))


def map_bytes():
    """Of the recorder's maps, as the kernel accounts them."""
    return sum(int(m.get("bytes_memlock", 0)) for m in
               json.loads(subprocess.run(["bpftool", "map", "show", "--json"], stdout=subprocess.PIPE, text=True).stdout)
               if m.get("name", "").startswith(("process_rows", "cpus", "parked", "netcost_", "outside", "irqs", "pmu_counters")))


@contextlib.contextmanager
def cgroup_folder():
    """One of our own; None: version 2 is not mounted."""
    mounts = [line.split()[1] for line in open("/proc/mounts") if line.split()[2] == "cgroup2"]
    folder = mounts and mounts[0] + "/netcost-bench-%d" % os.getpid()
    if not folder:
        yield None
        return
    os.mkdir(folder)
    try:
        yield folder
    finally:
        os.rmdir(folder)


def print_memory(build, tmp):
    with cgroup_folder() as folder:
        out = tmp + "/storm.nct"
        began = time.time()
        # The shell goes into the folder, and leaves it again so that it can be removed.
        storm = subprocess.Popen([build + "/netcost-record", "-q", "-F", "0", "--processes", "-o", out, "--", build +
                                  "/tests/load", "storm", folder or "/", str(CGROUPS if folder else 0), str(PROCESSES)],
                                 stdout=subprocess.PIPE, text=True)
        most = rss = 0
        while storm.poll() is None:
            most = max(most, map_bytes())
            with contextlib.suppress(OSError):
                found = re.search(r"VmHWM:\s+(\d+)", open("/proc/%d/status" % storm.pid).read())
                rss = max(rss, int(found[1]) * 1024 if found else 0)
            time.sleep(0.5)
        said = storm.stdout.read().strip()
    report = subprocess.run([build + "/netcost-report", "processes", "--format=json", "-n", "1", out], stdout=subprocess.PIPE,
                            text=True).stdout
    groups = json.loads(report)["groups"] if report else 0
    mib = 1 << 20
    print_table(["%d cgroups, %d processes" % (CGROUPS if folder else 0, PROCESSES), "MiB"],
                [["maps in the kernel", "%.1f" % (most / mib)], ["the recorder, at most", "%.1f" % (rss / mib)]])
    print("%d processes in the trace of %.1f MiB, after %.0f s: %s" %
          (groups, os.path.getsize(out) / mib, time.time() - began, said))
    kept = 0 < most <= BUDGET_MIB * mib and 0 < rss <= BUDGET_MIB * mib
    print("- %s: at most %d MiB in the kernel, and in the recorder\n" % ("kept" if kept else "MISSED", BUDGET_MIB))


def main():
    build, only = sys.argv[1], sys.argv[2:]
    print("## What --processes costs\n")
    with tempfile.TemporaryDirectory(prefix="netcost-bench.") as tmp:
        if not only or "time" in only:
            print_costs(build, tmp)
        if not only or "memory" in only:
            print_memory(build, tmp)


if __name__ == "__main__":
    main()
