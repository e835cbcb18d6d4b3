# SPDX-License-Identifier: BSD-2-Clause
"""Runs the tests and sums up their result lines. Started by tests/run.sh, which says how to use it.

A test is a program that prints result lines; everything else that it prints is shown only if it fails:

    ok NAME
    not ok NAME: expected X, got Y
    skip NAME: needs FEATURE                FEATURE is a row of tests/skips

Invariants:
1. Every test runs once. Nothing is repeated, whatever its result.
2. A skip passes only if tests/skips has its feature, and, on a kernel of the gate, lists that kernel.
3. A test that ends without a result line, with a non-zero status, or after its time limit has failed.
4. Whatever a test leaves behind (processes of its group, namespaces with our prefix) is removed; nothing else is touched.
5. The last line is "N passed, N failed, N skipped". The status is 0 only if nothing failed and something passed."""
import collections
import glob
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

PARTS = ("format", "unit", "vectors", "fuzz", "report", "packages", "host", "vm")
SANITIZED = {"unit", "fuzz", "report"}  # they need programs with sanitizers
GATE_KERNELS = ("6.1", "6.12", "6.18")
LOG_LINES, BEFORE_LINES = 60, 12  # lines of a failed test's output that are shown: the last ones, and those before a failure
SLOWEST = 10

Result = collections.namedtuple("Result", "part script status name text seconds")
RESULT = re.compile(r"(ok|not ok|skip) ([^:]*(?::[^ :][^:]*)*)(?:: (.*))?$")


def excerpt(lines):
    """Returns the lines before each failure, and the last lines."""
    shown = set(range(max(0, len(lines) - LOG_LINES), len(lines)))
    for i, line in enumerate(lines):
        if line.startswith("not ok "):
            shown |= set(range(max(0, i - BEFORE_LINES), i + 1))
    return [line for at in sorted(shown) for line in (["[…]"] if at and at - 1 not in shown else []) + [lines[at]]]


class Job(collections.namedtuple("Job", "part script argv limit_s env")):
    """A script of a part. limit_s: seconds after which it is killed."""

    def alone(self):
        return "sudo sh tests/run.sh %s %s" % (self.part, self.script)


def job(part, script, argv, limit_s=900, **env):
    return Job(part, script, argv, limit_s * (4 if TIER == "all" else 1), env)


# ---- results

def parse(line):
    """Returns (status, name, text) of a result line, else None."""
    match = RESULT.match(line)
    return match and (match[1], match[2], match[3] or "")


class Features:
    """Reads tests/skips: which features may be absent, and where."""

    def __init__(self, path="tests/skips"):
        self.absent = {}
        with open(path, encoding="utf-8") as rows:
            for row in rows:
                if row.strip() and not row.startswith("#"):
                    feature, where, _ = (field.strip() for field in row.split(" | "))
                    self.absent[feature] = where.split()

    def refuse(self, part, name, text):
        """Returns why this skip is a failure, or None."""
        feature = text[len("needs "):]
        if not text.startswith("needs ") or feature not in self.absent:
            return "skipped: %s: tests/skips has no such feature" % (text or "no reason given")
        kernel = re.split("[:-]", name)[0] if part == "vm" else ".".join(platform.release().split(".")[:2])
        if kernel in GATE_KERNELS and not {kernel, "any"} & set(self.absent[feature]):
            return "skipped: %s, which Linux %s is expected to have (tests/skips)" % (text, kernel)
        return None


# ---- running

class Runner:
    def __init__(self, verbose):
        self.verbose, self.results, self.lock = verbose, [], threading.Lock()
        self.features, self.running, self.stopped = Features(), set(), False
        self.work = tempfile.mkdtemp(prefix="netcost-run.")
        os.chmod(self.work, 0o711)  # so that a test can continue as another user
        self.prefix = "nct-%d" % os.getpid()
        self.env = {**os.environ, "TMPDIR": self.work, "PYTHON": sys.executable, "BUILD": "build", "NETCOST_TIER": TIER,
                    "NETCOST_TEST_PREFIX": self.prefix, "UBSAN_OPTIONS": "print_stacktrace=1",
                    # A reader of traces has a buffer of 8 MiB. With this option, the sanitizer clears the buffer's
                    # shadow instead of mapping it again.
                    "ASAN_OPTIONS": "clear_shadow_mmap_threshold=1000000000"}

    def start(self, argv, env):
        with self.lock:
            if self.stopped:
                raise SystemExit(1)
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       env={**self.env, **env}, start_new_session=True, text=True, errors="replace")
            self.running.add(process)
        return process

    def finish(self, process):
        """Ends the remaining processes of a test's group."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        with self.lock:
            self.running.discard(process)

    def output(self, argv, limit_s, env):
        """Runs a command. Returns its lines, each with the seconds since the previous line, and the reason of a
        failure or None."""
        process, lines = self.start(argv, env), []

        def read():
            last = time.monotonic()
            for line in process.stdout:
                now = time.monotonic()
                lines.append((line.rstrip("\n"), now - last))
                if parse(line):
                    last = now

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            status, why = process.wait(limit_s), None
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)  # SIGTERM first, so that the test can clean up
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                pass
            status, why = None, "still running after %d s" % limit_s
        self.finish(process)
        reader.join(10)
        if status:
            why = "killed by signal %d" % -status if status < 0 else "exit status %d" % status
        return list(lines), why

    def run(self, test):
        began = time.monotonic()
        lines, why = self.output(test.argv, test.limit_s, test.env)
        results = []
        for line, seconds in lines:
            parsed = parse(line)
            if parsed:
                results.append(self.judged(test, *parsed, seconds))
        if why and not any(r.status == "not ok" for r in results):
            results.append(Result(test.part, test.script, "not ok", test.script, why, time.monotonic() - began))
        elif not results:
            results.append(Result(test.part, test.script, "not ok", test.script, "ended without a result", 0))
        self.add(test, results, lines)

    def judged(self, test, status, name, text, seconds):
        if status == "skip":
            refused = self.features.refuse(test.part, name, text)
            if refused:
                status, text = "not ok", refused
        return Result(test.part, test.script, status, name, text, seconds)

    def add(self, test, results, lines):
        with self.lock:
            self.results += results
            for r in results:
                if self.verbose or r.status != "ok":
                    print("%s %s/%s %s%s" % (r.status, r.part, r.script, r.name, r.text and ": " + r.text))
            if any(r.status == "not ok" for r in results):
                print("    alone: " + test.alone())
                print("".join("    | %s\n" % line for line in excerpt([line for line, _ in lines])), end="")
            sys.stdout.flush()

    def build(self, *targets):
        """Compiles the targets. This only gives a result line if it fails. Returns whether it succeeded."""
        lines, why = self.output(["make", "-j%d" % CPUS, *targets], 3600, {})
        if why:
            test = Job("build", " ".join(targets), None, 0, {})
            self.add(test, [Result("build", test.script, "not ok", "make", why, 0)], lines)
        return not why

    def stop(self):
        with self.lock:
            self.stopped = True
            running = list(self.running)
        for process in running:
            try:
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        for process in running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                self.finish(process)

    def sweep(self):
        """Removes the remains of tests that were killed."""
        script = '''. tools/netns.sh; . tests/cgroup.sh
            ip netns list 2>/dev/null | awk -v p="$1-" 'index($1, p) == 1 { print $1 }' |
            while read -r ns; do netns_remove "$ns"; done
            mkdir "$2/cgroup2" && cgroups_sweep "$2/cgroup2"'''
        subprocess.run(["sh", "-c", script, "sweep", self.prefix, self.work], stdin=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.work, ignore_errors=True)
        owner = os.environ.get("SUDO_UID")
        if owner and os.path.isdir("build"):
            subprocess.run(["chown", "-R", "%s:%s" % (owner, os.environ.get("SUDO_GID", "")), "build"], check=False)


# ---- parts of the tests

def scripts(part, pattern):
    """Returns the shell tests of a folder, by name without .sh."""
    return [job(part, os.path.basename(path)[:-3], ["sh", path]) for path in sorted(glob.glob(pattern))]


def part_script(part, limit_s=1800):
    return [job(part, "run", ["sh", "tests/%s/run.sh" % part], limit_s)]


def format_jobs():
    check = "tests/check.sh"
    return [job("format", name, ["sh", check, name]) for name in ("source", "spec-tables", "layers")]


def unit_jobs():
    programs = sorted(os.path.basename(path)[:-2] for path in glob.glob("tests/unit/test_*.c"))
    few = "1" if TIER == "all" else "3"
    jobs = [job("unit", name, ["build/san/tests/" + name], 600, NETCOST_UNIT_FEW=few) for name in programs]
    if TIER == "all":  # all bits of all bytes; and valgrind, because sanitizers do not detect uninitialised memory
        valgrind = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full"]
        jobs += [job("unit", "plain:" + name, ["build/tests/" + name]) for name in programs]
        jobs += [job("unit", "valgrind:" + name, valgrind + ["build/tests/" + name], NETCOST_UNIT_FEW="4")
                 for name in programs if name.startswith("test_trace")]
    jobs.append(job("unit", "runner", [sys.executable, "tests/unit/runner.py"]))
    jobs.append(job("unit", "sanitized", ["sh", "tests/host/sanitized.sh"]))
    return jobs + scripts("unit", "tests/unit/*.sh")


def packages_jobs():
    names = ("static",) + (("reproducible", "units", "container") if TIER == "all" else ())
    return [job("packages", name, ["sh", "tests/packages.sh", name]) for name in names]


def host_jobs():
    if os.geteuid():
        return [job("host", "root", ["echo", "skip host: needs root"])]
    return scripts("host", "tests/host/test_*.sh") + (scripts("host", "tests/host/all_*.sh") if TIER == "all" else [])


JOBS = {"format": format_jobs, "unit": unit_jobs, "packages": packages_jobs, "host": host_jobs, "vm": lambda: part_script("vm", 3000)}


def jobs_of(part):
    return JOBS.get(part, lambda: part_script(part))()


class Plan:
    """Returns the chosen parts in lanes that run in parallel: virtual machines; live tests, two at a time; and pure
    computation."""

    def __init__(self, runner, parts, script_names):
        self.runner, self.parts = runner, parts
        self.chosen = {part: self.select(jobs_of(part), script_names) for part in parts}
        self.sanitized = threading.Event()

    @staticmethod
    def select(jobs, names):
        """Returns the scripts to run: with names, only those scripts. A part with a single script passes the names to it."""
        if not names:
            return jobs
        if [j.script for j in jobs] == ["run"]:
            return [jobs[0]._replace(script=" ".join(names), argv=jobs[0].argv + names)]
        return [j for j in jobs if j.script in names]

    def missing(self, names):
        found = {j.script for jobs in self.chosen.values() for j in jobs}
        return [n for n in names if n not in found and " ".join(names) not in found]

    def run_part(self, part, workers=1):
        jobs, began = collections.deque(self.chosen[part]), time.monotonic()

        def work():
            while True:
                try:
                    test = jobs.popleft()
                except IndexError:
                    return
                self.runner.run(test)

        threads = [threading.Thread(target=work) for _ in range(workers)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.report(part, time.monotonic() - began)

    def report(self, part, seconds):
        with self.runner.lock:
            print("%-8s %s  %.0f s" % (part, summary([r for r in self.runner.results if r.part == part]), seconds), flush=True)

    def lane(self, parts):
        for part in parts:
            if part in SANITIZED:
                self.sanitized.wait()
            self.run_part(part, 2 if part == "host" else 1)

    def beside(self, *lanes):
        """Runs the chosen parts of these lists in parallel."""
        chosen = [[part for part in lane if part in self.parts] for lane in lanes]
        threads = [threading.Thread(target=self.lane, args=(lane,)) for lane in chosen if lane]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    def sanitize(self):
        """Builds the programs with sanitizers, before two parts that need them could build them at the same time."""
        try:
            if SANITIZED & set(self.parts):
                self.runner.build("SAN=1", "unit", "unit-record", "all", "build/san/tests/replay", "build/san/tests/many")
        finally:
            self.sanitized.set()

    def compute(self):
        builds = threading.Thread(target=self.sanitize)
        builds.start()
        self.beside(["unit", "fuzz", "packages"], ["format", "vectors", "report"])
        builds.join()

    def run(self):
        began, targets = time.monotonic(), ["all"]
        if {"host", "vm"} & set(self.parts):
            targets.append("host-tools")
        if {"vectors", "report"} & set(self.parts):
            targets += ["build/tests/" + name for name in ("report_server", "many")]
        if "unit" in self.parts and TIER == "all":
            targets += ["unit", "unit-record"]
        if not self.runner.build("WERROR=1", *targets):
            return
        print("%-8s %.0f s" % ("build", time.monotonic() - began), flush=True)
        computes = threading.Thread(target=self.compute)
        computes.start()
        self.beside(["vm"], ["host"])
        computes.join()


def summary(results):
    count = collections.Counter(r.status for r in results)
    return "%d passed, %d failed, %d skipped" % (count["ok"], count["not ok"], count["skip"])


def close(results, seconds):
    if len(results) > SLOWEST:
        print("slowest:")
        for r in sorted(results, key=lambda r: -r.seconds)[:SLOWEST]:
            print("  %6.1f s  %s/%s %s" % (r.seconds, r.part, r.script, r.name))
    failed = [r for r in results if r.status == "not ok"]
    for r in failed:
        print("not ok %s/%s %s%s" % (r.part, r.script, r.name, r.text and ": " + r.text))
    print("%s in %.0f s" % ("gate" if TIER == "gate" else "all", seconds))
    print(summary(results))
    return 0 if results and not failed and any(r.status == "ok" for r in results) else 1


def usage(why):
    print("run.sh: %s\nusage: sh tests/run.sh [-v] [all] [PART [SCRIPT...]]\nparts: %s" % (why, " ".join(PARTS)), file=sys.stderr)
    return 2


def main(args):
    words = [a for a in args if not a.startswith("-")]
    if set(args) - set(words) - {"-v"}:
        return usage("unknown option")
    if words[:1] in (["all"], ["gate"]):
        words = words[1:]
    parts = [w for w in words if w in PARTS] if len(words) > 1 and words[1] in PARTS else words[:1]
    names = words[len(parts):]
    if set(parts) - set(PARTS):
        return usage('no part "%s"' % parts[0])
    runner, began = Runner("-v" in args or bool(names)), time.monotonic()
    plan = Plan(runner, parts or PARTS, names)
    if plan.missing(names):
        return usage("%s has no test %s" % (parts[0], " ".join(plan.missing(names))))

    def interrupted(number, _):
        raise SystemExit(128 + number)

    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    try:
        plan.run()
        return close(runner.results, time.monotonic() - began)
    finally:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        runner.stop()
        runner.sweep()


TIER = "all" if "all" in sys.argv[1:2] + sys.argv[2:3] else "gate"
CPUS = os.cpu_count() or 1
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
