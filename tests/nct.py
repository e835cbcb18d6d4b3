# SPDX-License-Identifier: BSD-2-Clause
"""Reads traces for tests, knowing nothing of our own code: zstd(1), msgpack, and format/SPEC.md."""
import subprocess
import sys

import msgpack

HEADER, SAMPLES, TICK, EXACT, EXACT_LOSS, PROCSTAT, END = 1, 10, 11, 12, 13, 15, 127
EVENTS = ["idle", "task", "io_worker", "sock_send", "sock_recv", "sock_local", "rx_softirq", "tx_softirq"]


def objects(path):
    """All whole objects; a cut file gives those of its whole frames."""
    out = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    unpacker = msgpack.Unpacker(strict_map_key=False, max_buffer_size=0)
    unpacker.feed(out)
    yield from unpacker


class Exact:
    """First and last tick's exact counters: what happened between, per CPU."""

    def __init__(self, path):
        self.first, self.last, self.ticks = {}, {}, []
        self.loss = {}
        for kind, rec in objects(path):
            if kind == TICK:
                self.ticks.append(rec)
            elif kind == EXACT:
                self.first.setdefault(rec[1], rec)
                self.last[rec[1]] = rec
            elif kind == EXACT_LOSS:
                self.loss = rec

    def column(self, event, key):
        e = EVENTS.index(event)
        return [b - a for a, b in zip(self.first[e][key], self.last[e][key])]

    def ns(self, event):
        return self.column(event, 2)

    def calls(self, event):
        return sum(self.column(event, 3))

    def bytes(self, event):
        return sum(self.column(event, 5))

    def wall_ns(self):
        return [b - a for a, b in zip(self.ticks[0][3], self.ticks[-1][3])]

    def sums_ns(self):
        return [sum(c) for c in zip(*(self.ns(e) for e in EVENTS))]


def main():
    """nct.py FILE EXPRESSION: evaluates it with x = Exact(FILE); for shell tests."""
    x = Exact(sys.argv[1])
    print(eval(sys.argv[2], {"x": x, "EVENTS": EVENTS}))


if __name__ == "__main__":
    main()
