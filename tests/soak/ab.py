# SPDX-License-Identifier: BSD-2-Clause
"""For ab.sh.

ab.py load FILE NS	sends a datagram to itself each ms until 12 recorders have each added 2 bytes to FILE; while its size is odd (one runs),
			a datagram takes NS more CPU time; prints how much more it was
ab.py judge RUN...	each file has what a load and --ab printed; fails if fewer than 17 of 20 intervals are right"""
import os
import re
import socket
import sys
import time


def load(path, ns):
    s, f = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), os.open(path, os.O_RDONLY | os.O_CREAT)
    s.bind(("127.0.0.1", 0))
    s.connect(s.getsockname())
    size, spent, n, clock = 0, [0, 0], [0, 0], time.thread_time_ns
    while size < 24:
        time.sleep(0.001)
        s.send(b"x")
        s.recv(1)
        size = os.fstat(f).st_size
        now = began = clock()
        while now - began < ns * (size & 1):
            now = clock()
        spent[size & 1] += now - began
        n[size & 1] += 1
    print("spun", spent[1] / n[1] - spent[0] / n[0])


def judge(paths):
    """With more CPU time, the figure of a packet must have it: a datagram is two packets. Without, no figure may change."""
    right = {}
    for text in map(lambda p: open(p).read(), paths):
        spun = float(re.search(r"^spun (\S+)", text, re.M)[1])
        for figure in ["CPU time an IP packet"] + (not spun) * ["CPU time, of a CPU", "IP packets (namespace)"]:
            off, unit, by, ci = re.search(re.escape(figure) + r" +(\S+) (\S+) .*  (\S+).*\+- (\S+) %", text).groups()
            ns = 2 * float(off) * {"us": 1e3, "ms": 1e6}.get(unit, 1) / 100
            good = by == "no" if not spun else by != "no" and abs(float(by) * ns - spun) <= float(ci) * ns
            right[figure] = right.get(figure, 0) + good
            print("%s: %s +- %s %%%s" % (figure, by, ci, spun and ": 1 %% is %.0f ns, spun %.0f ns" % (ns, spun) or ""))
    print("right in %d runs:" % len(paths), right)
    return min(right.values()) < 0.85 * len(paths)


sys.exit(judge(sys.argv[2:]) if sys.argv[1] == "judge" else load(sys.argv[2], int(sys.argv[3])))
