# SPDX-License-Identifier: BSD-2-Clause
"""The recorders that run beside a load: a row of the table for each. Recorders run on the load's
CPU as well, so that all their work is included."""
import json
import os
import shutil
import signal
import subprocess
import time

from loads import CPU, pinned

BEGUN_S = 20  # s after which a recorder that has not started cannot run here
SETTLED_S = 0.3
# Recorders of packets and processes, with the default budget and without a limit.
PACKETS = ("--latency", "--tail", "--stages", "--processes --owners", "--latency --tail --stages --processes --owners")
LATE_S = 3  # s for which a recorder that starts before the load waits for it


class Recorder:
    """command(out): records until SIGINT, and begins to write into out when it has begun.
    told(out, seconds): the cost that the recorder reports, as a share of the time of all
    CPUs, and of the time in which the load's CPU was busy, or None. late: the load begins
    after the recorder. here: why the recorder cannot run, or "" if it can. parts: the parts
    of the bench that have the recorder."""

    def __init__(self, name, command, told=lambda out, seconds: None, late=False, here="", parts=("overhead",)):
        self.name, self.command, self.told, self.late, self.here, self.parts = name, command, told, late, here, parts


def lacks(command):
    return "" if shutil.which(command) else "not installed"


def netto(beside):
    """Returns the arguments for Netto's programs. If fentry is refused, the programs of sends
    and receives are left out."""
    tried = subprocess.run([beside, "netto", "true"], stderr=subprocess.PIPE, text=True)
    return Recorder("Netto's programs" + (", only softirqs and switches" if "no fentry" in tried.stderr else ""),
                    lambda out: [beside, "netto", "sh", "-c", "echo begun >\"$1\"; exec sleep 1000", "sh", out],
                    here="cannot be attached here" if tried.returncode else "")


def table(build):
    record, report = build + "/netcost-record", build + "/netcost-report"
    has = subprocess.run([record, "--help"], stdout=subprocess.PIPE, text=True).stdout

    def summary(out, *options):
        got = subprocess.run([report, "summary", "--format=json", *options, out], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True).stdout
        return json.loads(got) if got else {}

    def idle(out, *options):
        """Returns the cost on the load's CPU."""
        tree = summary(out, "--cpu=" + CPU, *options).get("cpu_time", {}).get("tree", [])
        return next((leaf["percent"] for leaf in tree if leaf["key"] == "idle"), None)

    def told(out, seconds):
        """Returns the cost in the last seconds, in which the load was measured: earlier costs do
        not slow it down."""
        last = "--from=-%ds" % seconds
        percent, rest = summary(out, last).get("cost", {}).get("percent_of_cpu_time"), idle(out, last)
        return None if percent is None or rest is None else (percent / 100, percent * os.cpu_count() / (100 - rest))

    def ours(name, *options, late=False, parts=("overhead",)):
        new = [o.split("=")[0] for o in options if o.split("=")[0] not in has]
        if "--budget=none" in options:
            name += " --budget=none"
        return Recorder(name, lambda out: [record, "-q", "-o", out, *options], told, late,
                        "no option %s in this build" % new[0] if new else "", parts)

    def waits(name):
        return ours(name, "-F", "0", "--exact=off", name, parts=("latency",))

    return [
        Recorder("nothing", None, parts=("overhead", "latency")),
        ours("--exact=off", "--exact=off"),
        ours("--exact=calls", "--exact=calls"),
        ours("--exact=entry", "--exact=entry"),
        ours("--exact=full", "--exact=full"),
        ours("default"),
        ours("--budget=1", "--budget=1"),
        ours("default, load begins later", late=True),
        ours("--exact=entry, load begins later", "--exact=entry", late=True),
        *[ours(name, *name.split(), *budget) for name in PACKETS for budget in ((), ("--budget=none",))],
        Recorder("perf record -a -g -F 999", lambda out: ["perf", "record", "-q", "-a", "-g", "-F", "999", "-e", "cpu-clock",
                                                          "-o", out, "--", "sleep", "1000"], here=lacks("perf")),
        Recorder("bpftrace profile:hz:999", lambda out: ["bpftrace", "-o", out, "-e",
                                                         "profile:hz:999 { @[kstack] = count(); }"], here=lacks("bpftrace")),
        netto(build + "/tests/beside"),
        waits("--latency"),
        waits("--tail"),
        waits("--stages=1/1"),
        waits("--stages=1/64"),
    ]


class Recording:
    """A recorder that has started, or None if it cannot run."""

    def __init__(self, recorder, out):
        self.recorder, self.out, self.process = recorder, out, None
        if recorder.command:
            if os.path.exists(out):
                os.unlink(out)
            self.process = subprocess.Popen(pinned(recorder.command(out)), stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL, start_new_session=True)

    def begun(self):
        end = time.monotonic() + BEGUN_S
        while self.process and not (os.path.exists(self.out) and os.path.getsize(self.out)):
            if self.process.poll() is not None or time.monotonic() > end:
                return False
            time.sleep(0.01)
        time.sleep(SETTLED_S)
        return not self.process or self.process.poll() is None

    def end(self):
        """Ends the children, too: a program that only waits for its child ends with it."""
        if not self.process:
            return
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def told(self, seconds):
        """Returns the cost that the recorder reports for its last seconds, if it reports any."""
        return self.recorder.told(self.out, seconds) if self.process else None
