# SPDX-License-Identifier: BSD-2-Clause
"""live.py REPORT TRACE FOLDER: checks what `netcost-report live` shows of a complete trace, and
of a trace that grows."""
import os
import re
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from screen import Program  # noqa: E402
import terminal  # noqa: E402

report, trace, folder = sys.argv[1:4]
DRAWN = re.compile(r"\.*[\u2581-\u258f#][\u2581-\u258f#.]*| \.+(?= |$)")
LEFT, RIGHT, HOME, END = "\x1bOD", "\x1bOC", "\x1bOH", "\x1bOF"
COMMANDS = {"1": "summary", "2": "who", "3": "latency", "4": "top"}


def window(lines):
    m = re.search(r"--from=([0-9.]+) --to=([0-9.]+)", lines[0])
    return m and (float(m[1]), float(m[2]))


def shows(view, *more):
    return lambda lines: window(lines) and all(w in lines[0] for w in ("  " + view, *more)) and bool(lines[1].strip()) and "waiting" not in lines[2]


def printed(file, key, lines, columns):
    """Returns the lines that the command itself prints for the window."""
    begin, end = window(lines)
    os.environ.update(NO_COLOR="1", LC_ALL="C.UTF-8", TERM="xterm", NETCOST_PAGER="")
    _, text = terminal.run(columns, [report, COMMANDS[key], "--from=%.3f" % begin, "--to=%.3f" % end, file])
    return text.decode().splitlines()


def same(file, key, lines, columns):
    """Checks that each line on the screen is a line that the command prints, in the same order.
    A tall screen shows all lines."""
    body = [w for w in (DRAWN.sub("", line).split() for line in lines[1:-1]) if w and w[:1] != ["more"]]
    wanted = [w for w in (DRAWN.sub("", line).split() for line in printed(file, key, lines, columns)) if w and w[:1] != ["more"]]
    if key == "1":
        body, wanted = (x[next(i for i, w in enumerate(x) if w[:1] == ["network"]):] for x in (body, wanted))
        body = [w for w in body if w[:1] != ["latency"]]
    else:
        body = body[body.index(wanted[0]):] if wanted else []  # messages are above it
    left = iter(wanted)
    if len(body) < len(wanted[:8]) or not all(w in left for w in body) or (len(lines) > 40 and body != wanted[:len(body)]):
        raise AssertionError("%s: on the screen\n%s\nprinted\n%s" % (COMMANDS[key], "\n".join(map(str, body)), "\n".join(map(str, wanted))))


def all_views(file, columns, rows, **environment):
    with Program([report, "live", file], columns, rows, **environment) as p:
        lines = p.until(shows("summary"))
        for key in "1234":
            p.keys(key)
            lines = p.until(shows({"4": "functions"}.get(key, COMMANDS[key])))
            assert max(map(len, lines)) <= columns
            same(file, key, lines, columns)
        p.keys("q")
        assert p.wait() == 0
        return p.written


def latency():
    """The quantiles of the summary are those of the command latency."""
    with Program([report, "live", trace], 200, 60) as p:
        lines = p.until(shows("summary"))
        said = re.findall(r"latency +([a-z-]+): p50 ([0-9.]+) us, p99 ([0-9.]+) us, of (\d+) packets", "\n".join(lines))
        rows = {w[0]: w for w in map(str.split, printed(trace, "3", lines, 200)) if w}
        assert said and all({p50, p99, n} <= set(rows[hook]) for hook, p50, p99, n in said), (said, rows)


def views():
    all_views(trace, 80, 24)
    all_views(trace, 200, 60)
    all_views(trace, 100, 50, TERM="vt100")


def resized():
    with Program([report, "live", trace], 80, 24) as p:
        p.until(shows("summary"))
        p.resize(200, 60)
        lines = p.until(lambda l: len(l) == 60 and shows("summary")(l) and "q quit" in l[59])
        same(trace, "1", lines, 200)
        p.resize(60, 15)
        p.until(lambda l: len(l) == 15 and shows("summary")(l) and "q quit" in l[14])


def keys():
    with Program([report, "live", "--last=3", trace]) as p:
        lines = p.until(shows("summary", "ended"))
        last = window(lines)
        p.keys(LEFT)
        lines = p.until(lambda l: shows("summary", "paused")(l) and window(l)[1] < last[1] - 2)
        same(trace, "1", lines, 80)
        p.keys(HOME)
        first = window(p.until(lambda l: window(l)[1] < last[1] - 5))
        assert first[0] < 1, first
        p.keys(RIGHT)
        p.until(lambda l: first[1] < window(l)[1] < last[1])
        p.keys(END)
        p.until(lambda l: window(l) == last and "paused" not in l[0])
        p.keys(" ")
        p.until(shows("summary", "paused"))
        p.keys("2")
        p.until(shows("who by cpu"))
        p.keys("s")
        p.until(shows("who by network"))
        p.keys("\x03")
        assert p.wait() == 0


COLORS = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|38;5;\d+)m")


def colors():
    assert COLORS.search(all_views(trace, 80, 24, NO_COLOR=None)), "no colours"
    for none in ({"NO_COLOR": "1"}, {"NO_COLOR": None, "TERM": "vt100"}):
        written = all_views(trace, 80, 24, **none)
        assert not COLORS.search(written), COLORS.search(written)
    with Program([report, "live", trace], LC_ALL="C", TERM="vt100") as p:
        assert "".join(p.until(shows("summary"))).isascii()


def refused():
    with Program([report, "live", trace], TERM="dumb") as p:
        assert p.wait() == 1 and b"cannot move its cursor" in p.written, p.written
    with Program([report, "live", trace], TERM="no-such-terminal") as p:
        assert p.wait() == 1 and b"cannot move its cursor" in p.written, p.written
    done = subprocess.run([report, "live", trace], capture_output=True, text=True)
    assert done.returncode == 1 and not done.stdout and "not a terminal" in done.stderr, done
    text = os.path.join(folder, "no-trace")
    open(text, "w").write("something else altogether\n")
    with Program([report, "live", text]) as p:
        assert p.wait() == 1 and b"not a netcost trace" in p.written, p.written


def grow(write, data, go):
    """Writes the trace in pieces that end anywhere. The second half is written when the test
    asks for it."""
    half = len(data) // 2 + 1
    for i in range(0, half, 997):
        write(data[i:min(half, i + 997)])
    go.wait()
    for i in range(half, len(data), 4999):
        write(data[i:i + 4999])


def growing(p, file, go):
    """Checks that a growing trace is followed: first its half, which ends within a frame, then
    all of it."""
    lines = p.until(shows("summary"))
    assert "ended" not in lines[0] and not re.search("CUT|DAMAGED|cut off", "".join(lines)), lines
    same(file, "1", lines, 80)
    half = window(lines)
    p.keys(" ")
    p.until(shows("paused"))
    go.set()
    lines = p.until(shows("ended"))
    assert window(lines) == half, lines[0]
    p.keys(" ")
    lines = p.until(lambda l: "paused" not in l[0] and window(l)[1] > half[1])
    same(trace, "1", lines, 80)
    p.keys("q")
    assert p.wait() == 0


def followed(run, file, write, close):
    go = threading.Event()
    feeder = threading.Thread(target=lambda: (grow(write, open(trace, "rb").read(), go), close()))
    with run() as p:
        feeder.start()
        try:
            growing(p, file, go)
        finally:
            go.set()
            feeder.join()


def file_grows():
    path = os.path.join(folder, "growing.nct")
    f = open(path, "wb", buffering=0)
    followed(lambda: Program([report, "live", path]), path, f.write, f.close)


def pipe():
    path = os.path.join(folder, "piped.nct")
    f = open(path, "wb", buffering=0)
    reads, writes = os.pipe()
    os.set_inheritable(reads, True)

    def write(data):
        f.write(data)
        os.write(writes, data)

    followed(lambda: Program([report, "live", "-"], stdin=reads), path, write, lambda: os.close(writes))
    os.close(reads)


def cut_off():
    """Checks a pipe that ends before END: the screen shows the data that came, and how the trace
    ended."""
    data = open(trace, "rb").read()
    reads, writes = os.pipe()
    os.write(writes, data[:len(data) * 3 // 4])
    os.close(writes)
    with Program([report, "live", "-"], stdin=reads, TERM="vt100") as p:
        p.until(lambda l: shows("summary", "ended")(l) and "the pipe was closed" in l[-1])
    os.close(reads)


def rotated():
    """Checks that the newest file is followed, under its name at that time, when a file ends and
    its recording continues."""
    from rotated_traces import File
    name = os.path.join(folder, "[web]-20261128T100000Z-00000%d.nct")
    stranger = os.path.join(folder, "other-20261128T100000Z-000009.nct")
    for path, first, last, why in ((name % 1, 0, 4, "#6"), (name % 2, 4, 7, "#6"), (name % 3 + ".part", 7, 13, "#1"), (stranger, 0, 13, "#1")):
        File(first, last, 2, why).t.write(path)
    os.truncate(name % 3 + ".part", os.path.getsize(name % 3 + ".part") - 60)
    with Program([report, "live", name % 1], 120, 24) as p:
        p.until(lambda l: shows("summary", "-000003.nct.part")(l) and "ended" not in l[0])
    os.rename(name % 3 + ".part", name % 3)
    with Program([report, "live", name % 2], 120, 24) as p:
        p.until(lambda l: shows("summary", "-000003.nct ")(l) and "ended" not in l[0])


def damaged():
    data = bytearray(open(trace, "rb").read())
    data[len(data) * 3 // 4] ^= 0xff
    path = os.path.join(folder, "damaged-live.nct")
    open(path, "wb").write(data)
    with Program([report, "live", path]) as p:
        lines = p.until(lambda l: shows("summary", "ended")(l) and "damaged at byte" in l[-1])
        same(path, "1", lines, 80)


def ended_by_signal():
    for signo in (15, 1):
        with Program([report, "live", trace]) as p:
            p.until(shows("summary"))
            os.kill(p.pid, signo)
            assert p.wait() == 1


tests = {t.__name__: t for t in (views, latency, resized, keys, colors, refused, file_grows, pipe, cut_off, rotated, damaged, ended_by_signal)}
for name in sys.argv[4:] or tests:
    tests[name]()
    print(name, "%.1f s" % time.process_time())
