# SPDX-License-Identifier: BSD-2-Clause
"""For ab.sh.

ab.py load FILE NS SECONDS	sends datagrams to itself; while the size of FILE is odd (a recorder has begun), each takes NS more
				CPU time; prints how much more it was
ab.py judge RUN...		each file has what a load and --ab printed; prints whether the intervals are right"""
import os
import re
import socket
import sys
import time


def load(path, ns, seconds):
    f = os.open(path, os.O_RDONLY | os.O_CREAT)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("127.0.0.1", 0))
    s.connect(s.getsockname())
    end, spent, n, clock = time.monotonic() + seconds, [0, 0], [0, 0], time.thread_time_ns
    while time.monotonic() < end:
        s.send(b"x")
        s.recv(1)
        on = os.fstat(f).st_size & 1
        now = began = clock()
        while now - began < ns * on:
            now = clock()
        spent[on] += now - began
        n[on] += 1
    print("spun", spent[1] / n[1] - spent[0] / n[0])


def judge(paths):
    """A datagram is two packets. An interval without a sign is of no change."""
    right = 0
    for text in map(lambda p: open(p).read(), paths):
        spun = float(re.search(r"^spun (\S+)", text, re.M)[1])
        off, unit, by, ci = re.search(r"^  CPU time an IP packet +(\S+) (.)s .* s  (.*)\+- (\S+) %", text, re.M).groups()
        ns = 2 * float(off) * {"n": 1, "u": 1e3, "m": 1e6}[unit] / 100
        by = float(by) * ns if by[0] in "+-" else 0
        unchanged = text.count("no change")
        good = unchanged >= 3 if spun < 1000 else abs(by - spun) <= float(ci) * ns
        right += good
        print("%s: spun %.0f ns a request, found %.0f +- %.0f" % ("right" if good else "WRONG", spun, by, float(ci) * ns))
    print("%d of %d right" % (right, len(paths)))
    return right < 0.85 * len(paths)


sys.exit(judge(sys.argv[2:]) if sys.argv[1] == "judge" else load(sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
