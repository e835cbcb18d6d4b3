# SPDX-License-Identifier: BSD-2-Clause
"""Records with perf and netcost at the same time, replays both; prints ratios. See run.sh."""
import collections
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, "tests")
import nct  # noqa: E402


def spent(argv, **kw):
    """CPU seconds (user + system) and wall seconds of a command."""
    start = time.monotonic()
    proc = subprocess.Popen(argv, **kw)
    _, status, usage = os.wait4(proc.pid, 0)
    proc.returncode = status
    if status:
        sys.exit("bench: failed: %s" % " ".join(argv))
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss


def record(tmp, seconds, recorder):
    """Both at once; the sleep that ends each is a child's CPU time and next to nothing."""
    runs = {
        "perf": ["perf", "record", "-q", "-z", "-g", "-a", "-e", "cpu-clock", "-F", "999", "-o", tmp + "/perf.data",
                 "--", "sleep", str(seconds)],
        "netcost": [recorder, "-q", "-o", tmp + "/t.nct", "--", "sleep", str(seconds)],
    }
    cpu = {}
    threads = [threading.Thread(target=lambda n=n: cpu.__setitem__(n, spent(runs[n])[0])) for n in runs]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return cpu


def perf_samples(tmp):
    out = subprocess.run(["perf", "script", "-i", tmp + "/perf.data", "-F", "time"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return sum(1 for line in out.splitlines() if line.strip())


def collapse(lines):
    """What stackcollapse-perf.pl does, for `perf script -F comm,ip,sym`."""
    stacks, frames = collections.Counter(), []
    for line in lines:
        if line.startswith("\t"):
            frames.append(line.split()[1] if len(line.split()) > 1 else "[unknown]")
        elif not line.strip():
            if frames:
                stacks[";".join(reversed(frames))] += 1
            frames = []
    return stacks


def replay(tmp, report):
    start = time.monotonic()
    script = subprocess.Popen(["perf", "script", "-i", tmp + "/perf.data", "-F", "comm,ip,sym"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    collapse(script.stdout)
    script.wait()
    theirs = time.monotonic() - start
    best = min(spent([report, "folded", "-o", tmp + "/folded", tmp + "/t.nct"])[1] for _ in range(5))
    return theirs, best


def replay_large(tmp, report):
    """How replay scales: speed over 20 million samples, memory over 100 million."""
    big = tmp + "/big.nct"
    for millions in (20, 100):
        subprocess.run([sys.executable, "tests/bench/repeat.py", tmp + "/t.nct", big, str(millions)], check=True)
        runs = [spent([report, "folded", "-o", tmp + "/folded", big]) for _ in range(3 if millions == 20 else 1)]
        if millions == 20:
            print("%-34s %10.1f %10s %-14s %14s   budget >= 50" %
                  ("replay of 20 M samples", 20 / min(r[1] for r in runs), "", "M samples/s", ""))
        else:
            print("%-34s %10.1f %10s %-14s %14s   budget <= 64" %
                  ("replay of 100 M samples, resident", runs[0][2] / 1024, "", "MiB", ""))


def row(what, ours, theirs, unit, budget):
    ratio = ours / theirs
    print("%-34s %10.3f %10.3f %-14s ratio %6.3f   budget %s" % (what, ours, theirs, unit, ratio, budget))


def main():
    tmp, seconds, recorder, report = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    cpu = record(tmp, seconds, recorder)
    n_perf = perf_samples(tmp)
    n_ours = sum(len(r[6]) for t, r in nct.objects(tmp + "/t.nct") if t == nct.SAMPLES)
    print("%d s at 999 Hz, same load, same seconds: netcost %d samples, perf %d" % (seconds, n_ours, n_perf))
    print("%-34s %10s %10s" % ("", "netcost", "perf"))
    row("trace size", os.path.getsize(tmp + "/t.nct") / n_ours, os.path.getsize(tmp + "/perf.data") / n_perf,
        "bytes/sample", "<= 1/5")
    row("recorder's CPU time", cpu["netcost"] / n_ours * 1e6, cpu["perf"] / n_perf * 1e6, "us/sample", "<= 1/3")
    theirs, ours = replay(tmp, report)
    row("samples to folded stacks", n_ours / ours / 1e6, n_perf / theirs / 1e6, "M samples/s", ">= 300")
    replay_large(tmp, report)


if __name__ == "__main__":
    main()
