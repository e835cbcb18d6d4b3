# SPDX-License-Identifier: BSD-2-Clause
"""Records with perf and netcost at the same time, replays both recordings, and prints ratios.
See run.sh."""
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, "tests")
import nct  # noqa: E402
import perfdata  # noqa: E402


def spent(argv, **kw):
    """Returns CPU seconds (user + system), wall seconds and resident KiB of a command; None if it failed."""
    start = time.monotonic()
    proc = subprocess.Popen(argv, **kw)
    _, status, usage = os.wait4(proc.pid, 0)
    proc.returncode = status
    return None if status else (usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss)


def must(argv, **kw):
    return spent(argv, **kw) or sys.exit("bench: failed: %s" % " ".join(argv))


def wait_for(path):
    """Waits until the file has content."""
    for _ in range(1000):
        if os.path.exists(path) and os.path.getsize(path):
            return
        time.sleep(0.01)
    sys.exit("bench: the recording is empty")


def record(tmp, seconds, recorder):
    """Runs both recorders at once, netcost a second longer: perf starts when netcost's programs
    are loaded. Otherwise perf would store their code, and might not be able to read the data
    after such a record. The sleep that ends each recorder takes almost no time."""
    runs = {
        "netcost": [recorder, "-q", "-o", tmp + "/t.nct", "--", "sleep", str(seconds + 1)],
        "perf": ["perf", "record", "-q", "--no-bpf-event", "-z", "-g", "-a", "-e", "cpu-clock", "-F", "999",
                 "-o", tmp + "/perf.data", "--", "sleep", str(seconds)],
    }
    cpu = {}
    threads = [threading.Thread(target=lambda n=n: cpu.__setitem__(n, spent(runs[n]))) for n in runs]
    for t in threads:
        t.start()
        wait_for(tmp + "/t.nct")
    for t in threads:
        t.join()
    if not all(cpu.values()):
        sys.exit("bench: recording failed")
    return {n: cpu[n][0] for n in cpu}


def perf_script_samples(tmp):
    out = subprocess.run(["perf", "script", "-i", tmp + "/perf.data", "-F", "time"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return sum(1 for line in out.splitlines() if line.strip())


# ---- replaying: measured as CPU seconds of all processes, which depend least on other work on the machine ---------

def shell(command):
    """Returns CPU seconds of a command; None if it prints nothing."""
    def run(tmp):
        with tempfile.TemporaryFile(dir=tmp) as out:
            used = spent(["sh", "-c", command, "sh", tmp + "/perf.data"], stdout=out, stderr=subprocess.DEVNULL)
            return used[0] if used and os.fstat(out.fileno()).st_size else None
    return run


COLLAPSE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "collapse.py")


def peers():
    """Returns the tools that turn perf's samples into folded stacks: (name, budget, CPU seconds)."""
    script = os.environ.get("STACKCOLLAPSE") or shutil.which("stackcollapse-perf.pl")
    if script:
        yield "perf script | stackcollapse-perf.pl", 300, shell("perf script -i \"$1\" | perl '%s'" % script)
    yield ("perf script | tests/collapse.py", None if script else 300,
           shell("perf script -i \"$1\" | '%s' '%s'" % (sys.executable, COLLAPSE)))
    yield "perf script report stackcollapse", None, shell("perf script report stackcollapse -i \"$1\"")
    yield "perf report -g folded", None, shell("perf report -i \"$1\" -g folded --stdio --no-children")


def best(times, run):
    took = [run() for _ in range(times)]
    return None if None in took else min(took)


def replay(tmp, report, n_ours):
    n_perf = perf_script_samples(tmp)
    ours = best(50, lambda: folded(tmp, report, tmp + "/t.nct")[0])
    print("%-44s %10.3f %10s M samples/s a core, %.1f ms" % ("samples to folded stacks", n_ours / ours / 1e6, "", ours * 1e3))
    for name, budget, run in peers():
        theirs = best(5, lambda: run(tmp))
        if theirs:
            row("  beside " + name, n_ours / ours / 1e6, n_perf / theirs / 1e6, "M samples/s", at_least=budget)
        else:
            print("  beside %s: it does not run here" % name)


def folded(tmp, report, trace):
    """Writes a new file, like the other tools' output, because overwriting a file costs the file
    system more."""
    if os.path.exists(tmp + "/folded"):
        os.unlink(tmp + "/folded")
    return must([report, "folded", "-o", tmp + "/folded", trace])


def replay_large(tmp, report):
    """Measures how replay scales: speed with 20 million samples, memory with 100 million."""
    big = tmp + "/big.nct"
    for millions in (20, 100):
        subprocess.run([sys.executable, "tests/bench/repeat.py", tmp + "/t.nct", big, str(millions)], check=True)
        runs = [folded(tmp, report, big) for _ in range(5 if millions == 20 else 1)]
        if millions == 20:
            alone("replay of 20 M samples", 20 / min(r[0] for r in runs), "M samples/s a core", at_least=50)
            took = best(5, lambda: must([report, "summary", big], stdout=subprocess.DEVNULL)[0])
            alone("summary of 20 M samples", 20 / took, "M samples/s a core", at_least=50)
        else:
            alone("replay of 100 M samples, resident", runs[0][2] / 1024, "MiB", at_most=24)


# ---- printing -----------------------------------------------------------------------------------

def verdict(value, at_least, at_most):
    if at_least:
        return "   budget >= %g: %s" % (at_least, "kept" if value >= at_least else "MISSED")
    if at_most:
        return "   budget <= %.3g: %s" % (at_most, "kept" if value <= at_most else "MISSED")
    return ""


def row(what, ours, theirs, unit, at_least=None, at_most=None):
    print("%-44s %10.3f %10.3f %-14s ratio %7.3f%s" %
          (what, ours, theirs, unit, ours / theirs, verdict(ours / theirs, at_least, at_most)))


def alone(what, ours, unit, at_least=None, at_most=None):
    print("%-44s %10.1f %10s %s%s" % (what, ours, "", unit, verdict(ours, at_least, at_most)))


def main():
    tmp, seconds, recorder, report = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    cpu = record(tmp, seconds, recorder)
    n_perf = perfdata.samples(tmp + "/perf.data")
    n_ours = sum(len(r[6]) for t, r in nct.objects(tmp + "/t.nct") if t == nct.SAMPLES)
    print("%d s at 999 Hz, same load, same seconds: netcost %d samples, perf %d" % (seconds, n_ours, n_perf))
    print("%-44s %10s %10s" % ("", "netcost", "perf"))
    row("trace size", os.path.getsize(tmp + "/t.nct") / n_ours, os.path.getsize(tmp + "/perf.data") / n_perf,
        "bytes/sample", at_most=1 / 4)
    row("recorder's CPU time", cpu["netcost"] / n_ours * 1e6, cpu["perf"] / n_perf * 1e6, "us/sample", at_most=1 / 3)
    alone("  in all", cpu["netcost"] * 1e3, "ms; perf %.1f ms" % (cpu["perf"] * 1e3))
    replay(tmp, report, n_ours)
    replay_large(tmp, report)


if __name__ == "__main__":
    main()
