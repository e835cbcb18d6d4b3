# SPDX-License-Identifier: BSD-2-Clause
"""processes.py BUILD [time|owners|memory]...: measures the cost of --processes per context switch, compared with a
recording without it, and its memory; and the cost of --owners per received packet. Run it as root.

The cost per context switch is the kernel's time of each run of sched_switch while two processes exchange datagrams
on one CPU. Recordings with and without --processes alternate. The cost of --owners is the increase of the time per
datagram. It is measured with the kernel's statistics off, because these take time in each of its programs, and with one
datagram per softirq, and with 64. Settings in the environment:

	BENCH_ROUNDS=10		pairs of recordings
	BENCH_SECONDS=2		duration of each recording
	BENCH_CGROUPS=10000, BENCH_PROCESSES=100000
				size of the storm; the cgroups are made below the cgroup2 mount, in a separate folder
	BENCH_LOCK=FILE		lock that is held during a measurement"""
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
BUDGET_NS, BUDGET_PACKET_NS, BUDGET_MIB = 60, 150, 64
STATISTICS = "/proc/sys/kernel/bpf_stats_enabled"
PORT = "17773"
# The process of a load, how it starts, and the number of packets that are received per answer.
PING_PONG = ("ping-pong", [], 2)
BURST = ("burst", ["unshare", "-n", "sh", "-c", 'ip link set lo gso_max_segs 1 up; exec "$0" "$@"'], 64)
SWITCH = ("sched_switch", "sched_switch_old")
OURS = re.compile("sched_switch|softirq_|irq_handler_|sys_enter|sys_exit|sock_(send|recv)_|napi_|owners_")


@contextlib.contextmanager
def measuring():
    with open(os.environ.get("BENCH_LOCK") or os.devnull, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run_time():
    """Returns the runs and ns of each of the recorder's programs."""
    ours = json.loads(subprocess.run(["bpftool", "prog", "show", "--json"], stdout=subprocess.PIPE, text=True).stdout)
    return {p["name"]: (p["run_cnt"], p["run_time_ns"]) for p in ours if OURS.match(p.get("name", "")) and "run_cnt" in p}


def packets():
    """Returns the number of packets received so far."""
    with open("/proc/net/softnet_stat") as f:
        return sum(int(line.split()[0], 16) for line in f)


@contextlib.contextmanager
def beside_idle(build):
    """Attaches empty programs where --owners has programs for each packet."""
    with subprocess.Popen([build + "/tests/beside", "idle", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as beside:
        beside.stdout.readline()
        yield
        beside.stdin.close()


def during(build, tmp, options, read, kind=PING_PONG):
    """Runs the recorder and a load. Returns what read() returns just before the load and just
    after it, and the output of the load."""
    load = build + "/tests/load"
    name, inside, _ = kind
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
            before = read()
            told = subprocess.run([*inside, *loads.pinned([load, name, loads.ADDRESS, PORT, str(SECONDS)])],
                                  stdout=subprocess.PIPE, text=True).stdout
            after = read()
        finally:
            recorder.send_signal(2)
            recorder.wait(60)
            echo.kill()
            echo.wait()
    return before, after, json.loads(told)


def cost(build, tmp, options):
    """Returns ns per context switch."""
    before, after, _ = during(build, tmp, options, run_time)
    name = next(name for name in SWITCH if name in after)
    return (after[name][1] - before[name][1]) / (after[name][0] - before[name][0])


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


@contextlib.contextmanager
def without_statistics():
    """Disables the kernel's statistics, because they take time themselves."""
    try:
        open(STATISTICS, "w").write("0")
        yield
    finally:
        open(STATISTICS, "w").write("1")


def packet_programs(build, tmp, options, kind):
    """Returns runs and ns of each program per received packet."""
    (before, n), (after, m), _ = during(build, tmp, options, lambda: (run_time(), packets()), kind)
    return {name: tuple((v - w) / (m - n) for v, w in zip(after[name], before.get(name, (0, 0)))) for name in after}


def packet_ns(build, tmp, options, kind):
    """Returns the time of a packet, including all programs."""
    with without_statistics():
        return during(build, tmp, options, lambda: None, kind)[2]["fast_us"] * 1000 / kind[2]


def print_owners(build, tmp, kind):
    base, more, alone, slower, idle = [], [], [], [], []
    for i in range(ROUNDS):
        programs, whole = {}, {}
        for owners in (i % 2 == 0, i % 2 == 1):
            options = ["--exact=entry", "--processes"] + ["--owners"] * owners
            programs[owners] = packet_programs(build, tmp, options, kind)
            whole[owners] = packet_ns(build, tmp, options, kind)
        with beside_idle(build):
            idle.append(packet_ns(build, tmp, options[:2], kind) - whole[False])
        base.append(sum(ns for _, ns in programs[False].values()))
        more.append(sum(ns for _, ns in programs[True].values()) - base[-1])
        alone.append(whole[False])
        slower.append(whole[True] - whole[False])
    print_table(["--exact=entry --processes, " + kind[0], "ns a packet"],
                [["programs without --owners, by the kernel's statistics", with_range(base, "%.0f")],
                 ["more with it", with_range(more, "%+.0f")],
                 ["all, without --owners, by the load's clock", with_range(alone, "%.0f")],
                 ["more with it", with_range(slower, "%+.0f")],
                 ["more with empty programs in place of its programs", with_range(idle, "%+.0f")]])
    none = (0, 0)
    print_table(["in the last round", "runs a packet", "ns a packet", "without --owners"],
                [[name, "%.2f" % runs, "%.0f" % ns, "%.0f" % programs[False].get(name, none)[1]]
                 for name, (runs, ns) in sorted(programs[True].items()) if runs > 0.01])
    low, by, _ = interval(slower)
    verdict = "MISSED:" if low > BUDGET_PACKET_NS else "kept:" if by <= BUDGET_PACKET_NS else "undecided: whether"
    print("- %s --owners costs at most %d ns a received packet of %s (%.0f)\n" % (verdict, BUDGET_PACKET_NS, kind[0], by))


def map_bytes():
    """Returns the memory of the recorder's maps, as the kernel accounts it."""
    return sum(int(m.get("bytes_memlock", 0)) for m in
               json.loads(subprocess.run(["bpftool", "map", "show", "--json"], stdout=subprocess.PIPE, text=True).stdout)
               if m.get("name", "").startswith(("process_rows", "cpus", "parked", "netcost_", "outside", "irqs", "pmu_counters")))


@contextlib.contextmanager
def cgroup_folder():
    """Returns a new cgroup, or None if version 2 is not mounted."""
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
        # The shell enters the folder, and leaves it again so that it can be removed.
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
    report = subprocess.run([build + "/netcost-report", "who", "--format=json", "-n", "1", out], stdout=subprocess.PIPE,
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
        if not only or "owners" in only:
            for kind in (PING_PONG, BURST):
                print_owners(build, tmp, kind)
        if not only or "memory" in only:
            print_memory(build, tmp)


if __name__ == "__main__":
    main()
