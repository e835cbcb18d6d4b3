# SPDX-License-Identifier: BSD-2-Clause
"""live.py RECORD REPORT FOLDER TEST: netcost-record --live, and its line of progress, on a terminal."""
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from screen import Program  # noqa: E402

record, report, folder, wanted = sys.argv[1:5]
DRAWN = re.compile(r"\.*[\u2581-\u258f#][\u2581-\u258f#.]*| \.+(?= |$)")
trace = os.path.join(folder, wanted + ".nct")


def recorder(*options):
    return Program([record, "--live", "-o", trace, *options], 80, 24)


def shown(lines):
    return "--to=" in lines[0] and lines[2].startswith("  network")


def screen_of(p):
    """Returns the id of the process that has the screen."""
    return int(open("/proc/%d/task/%d/children" % (p.pid, p.pid)).read().split()[-1])


def gone(pid):
    end = time.monotonic() + 20
    while os.path.exists("/proc/%d" % pid) and open("/proc/%d/stat" % pid).read().rsplit(")")[1].split()[0] != "Z":
        assert time.monotonic() < end, "%d is still there" % pid
        time.sleep(0.05)


def sound(*statuses, path=trace):
    done = subprocess.run([report, "verify", path], capture_output=True, text=True)
    assert done.returncode in statuses, (done.returncode, done.stdout, done.stderr)


def quit_ends_both():
    with recorder() as p:
        p.until(shown)
        screen = screen_of(p)
        p.keys("q")
        assert p.wait() == 0
        gone(screen)
        assert b"read it with netcost-report" in p.written
    sound(0)


def interrupt_ends_both():
    with recorder() as p:
        p.until(shown)
        p.keys("\x03")
        assert p.wait() == 0
    sound(0)


def term_ends_both():
    with recorder() as p:
        p.until(shown)
        screen = screen_of(p)
        p.kill(signal.SIGTERM)
        assert p.wait() == 0
        gone(screen)
    sound(0)


def screen_is_killed():
    with recorder() as p:
        p.until(shown)
        os.kill(screen_of(p), signal.SIGKILL)
        p.until(lambda lines: "the recording continues" in "".join(lines))
        p.kill(signal.SIGINT)
        assert p.wait() == 0
    sound(0)


def recorder_is_killed():
    with recorder() as p:
        p.until(shown)
        screen = screen_of(p)
        p.kill(signal.SIGKILL)
        gone(screen)
    sound(0, 3)


def is_printed(lines):
    """Returns whether the figures of the shares are those that the report prints of the window."""
    window = re.search(r"(--from=\S+) (--to=\S+)", lines[0]).groups()
    text = subprocess.run([report, *window, trace], capture_output=True, text=True, check=True).stdout
    rows = [DRAWN.sub("", line).split() for line in text.splitlines()]
    return all(DRAWN.sub("", line).split() in rows for line in lines[2:7])


def ends_by_itself():
    with recorder("-d", "3") as p:
        p.until(shown)
        screen = screen_of(p)
        assert p.wait() == 0
        gone(screen)
        assert b"read it with netcost-report" in p.written
    sound(0)


def command():
    with recorder("--", "sh", "-c", "echo out; echo err >&2; sleep 3; exit 7") as p:
        lines = p.until(lambda lines: shown(lines) and " ended" in lines[0] and is_printed(lines))
        assert not re.search(r"^(out|err)\b", "\n".join(lines), re.M), lines
        p.keys("q")
        assert p.wait() == 7
    sound(0)


def rotated():
    with recorder("--rotate=2s") as p:
        p.until(lambda lines: shown(lines) and "-000002.nct.part" in lines[0])
        p.keys("q")
        assert p.wait() == 0
    for name in os.listdir(folder):
        if name.startswith(wanted + "-"):
            sound(0, path=os.path.join(folder, name))


def refused():
    for options in (["-o", trace], ["-o", "-"]):
        done = subprocess.run([record, "--live", *options], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.startswith("netcost-record: --live"), done
    assert not os.path.exists(trace)


def progress():
    line = re.compile(r"^\d+\.\d s; (?:(?:calls and )?softirqs \d+\.\d % of CPU, )?\d+(?:\.\d)?(?: [kM])? packets/s; \d+ samples? lost, \d+ KiB")
    with Program([record, "-o", trace], 100, 24) as p:
        p.until(lambda lines: any(map(line.match, lines)))
        p.keys("\x03")
        assert p.wait() == 0
    sound(0)


globals()[wanted]()
