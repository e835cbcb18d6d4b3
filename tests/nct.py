# SPDX-License-Identifier: BSD-2-Clause
"""Reads traces for tests without netcost's code: it uses zstd(1), msgpack, and the definitions of format/SPEC.md."""
import os
import subprocess
import sys

import msgpack

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
import spec_tables

TYPES = spec_tables.types()
globals().update({t.NAME: t.number for t in TYPES})  # HEADER …
globals().update({"OF_" + name.upper(): int(number) for number, name, *_ in spec_tables.probe_ofs()})  # OF_EVENT …
EVENTS = [name for _, name, _ in spec_tables.events()]
PARTS = [name for _, name, _ in spec_tables.parts()]
RX = ["rx_softirq", "rx_thread", "rx_busy_poll"]  # the event that the parts divide

EXACT_KEYS = {2: "ns", 3: "calls", 4: "failed", 5: "bytes"}


TIMES = 0  # key that is added to SAMPLES: the time of each sample


def times(r):
    """Returns the times of the samples of a SAMPLES record."""
    now, out = r[2], []
    for dt in r[5]:
        now += (r[4] + dt) * r[3]
        out.append(now)
    return out


def objects(path):
    """Yields all complete objects. Of a truncated file, yields the objects of its complete frames. Adds the times of
    the samples to SAMPLES."""
    for kind, r in raw_objects(path):
        yield [kind, {**r, TIMES: times(r)} if kind == SAMPLES else r]


def raw_objects(path):
    """Yields the objects as they are in the file."""
    out = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    unpacker = msgpack.Unpacker(strict_map_key=False, max_buffer_size=0, unicode_errors="replace")
    unpacker.feed(out)
    yield from unpacker


def hard_interrupts(path):
    """Returns the number of interrupts of interfaces, the runs of their handlers, and the time of these runs in ns,
    between the first and the last tick."""
    first, last = {}, {}
    for kind, r in objects(path):
        if kind == IRQ_STATS:
            first.setdefault(r[1], r)
            last[r[1]] = r
    return [sum(sum(last[i][key]) - sum(first[i][key]) for i in last) for key in (2, 3, 4)]


class Exact:
    """The exact counters at the first and the last tick. Methods return the difference per CPU."""

    def __init__(self, path, of=None):
        """of: is called with all records, in lists by type, with the number of their tick ("tick")."""
        self.first, self.last, self.ticks = {}, {}, []
        self.rows = []  # per tick: event id to EXACT
        self.loss = {}
        self.losses = []  # per tick
        self.part_rows = []  # per tick: part id to EXACT_PART
        for kind, rec in objects(path):
            if of is not None:
                of[kind].append({**rec, "tick": len(self.ticks) - (kind != TICK)})
            if kind == TICK:
                self.ticks.append(rec)
                self.rows.append({})
                self.losses.append({})
                self.part_rows.append({})
            elif kind == EXACT_PART:
                self.part_rows[-1][rec[1]] = rec
            elif kind == EXACT:
                self.rows[-1][rec[1]] = rec
                self.first.setdefault(rec[1], rec)
                self.last[rec[1]] = rec
            elif kind == EXACT_LOSS:
                self.loss = self.losses[-1] = rec

    def column(self, event, key):
        """Returns the value per CPU; None: not measured."""
        e = EVENTS.index(event)
        return [None if None in (a, b) else b - a for a, b in zip(self.first[e][key], self.last[e][key])]

    def ns(self, event):
        return self.column(event, 2)

    def calls(self, event):
        return sum(self.column(event, 3))

    def bytes(self, event):
        return sum(self.column(event, 5))

    def part_column(self, part, key):
        """Returns the value per CPU; None: the part is not counted."""
        p = PARTS.index(part)
        if p not in self.part_rows[-1]:
            return None
        return [b - a for a, b in zip(self.part_rows[0][p][key], self.part_rows[-1][p][key])]

    def part_ns(self, part):
        return sum(self.part_column(part, 2))

    def part_total_ns(self, part):
        return sum(self.part_column(part, 3))

    def part_calls(self, part):
        return sum(self.part_column(part, 4))

    def lost(self, key):
        return sum(self.losses[-1][key]) - sum(self.losses[0][key])

    def check_parts(self):
        """Returns whether the parts sum to at most the RX work between any two ticks on each CPU, and no counter
        decreases."""
        wrong = []
        for i in range(1, len(self.ticks)):
            for cpu in set(self.ticks[i][2]) & set(self.ticks[i - 1][2]):
                wrong += ["tick %d, CPU %d: %s" % (i, cpu, w) for w in self._parts(i, cpu)]
        for line in wrong:
            print(line, file=sys.stderr)
        return not wrong and len(self.ticks) > 1 and bool(self.part_rows[-1])

    def _parts(self, i, cpu):
        rows, exact = self.part_rows[i - 1:i + 1], self.rows[i - 1:i + 1]
        place = [self.ticks[k][2].index(cpu) for k in (i - 1, i)]
        if None in [self.ticks[k][3][p] for k, p in zip((i - 1, i), place)]:  # the CPU was not seen yet
            return
        gain = {p: {k: rows[1][p][k][place[1]] - rows[0][p][k][place[0]] for k in (2, 3, 4)} for p in rows[1]}
        for p, g in gain.items():
            for key, name in ((2, "ns"), (3, "total_ns"), (4, "calls")):
                if g[key] < 0:
                    yield "%s of %s goes back by %d" % (name, PARTS[p], -g[key])
            if g[3] < g[2]:
                yield "%s took %d ns, but %d of its own" % (PARTS[p], g[3], g[2])
        ns = [[exact[k][e][2][place[k]] for k in (0, 1)] for e in map(EVENTS.index, RX)]
        rx = sum(b - a for a, b in ns if None not in (a, b))
        parts = sum(g[2] for g in gain.values())
        if parts > rx:
            yield "the parts are %d ns, the RX work %d" % (parts, rx)

    def wall_ns(self):
        return [b - a for a, b in zip(self.ticks[0][3], self.ticks[-1][3])]

    def sums_ns(self):
        return [sum(ns for ns in c if ns is not None) for c in zip(*(self.ns(e) for e in EVENTS))]

    def offline_ns(self):
        return [b - a for a, b in zip(self.losses[0][9], self.losses[-1][9])]

    def check_identity(self):
        """Returns whether the parts sum to the whole between any two ticks on each CPU, and no counter decreases.
        Prints errors."""
        wrong = ["%d readings are torn" % self.loss[6]] if self.loss.get(6) else []
        for i in range(1, len(self.ticks)):
            for cpu in set(self.ticks[i][2]) & set(self.ticks[i - 1][2]):
                wrong += ["tick %d, CPU %d: %s" % (i, cpu, w) for w in self._identity(i, cpu)]
        for line in wrong:
            print(line, file=sys.stderr)
        return not wrong and len(self.ticks) > 1

    def _identity(self, i, cpu):
        place = [self.ticks[k][2].index(cpu) for k in (i - 1, i)]
        wall = [self.ticks[k][3][p] for k, p in zip((i - 1, i), place)]
        if None in wall:  # the CPU was not seen yet
            return
        parts = [self.losses[k][9][p] for k, p in zip((i - 1, i), place)]
        parts = parts[1] - parts[0]  # offline time
        if parts < 0:
            yield "the time offline goes back by %d" % -parts
        for event, row in self.rows[i].items():
            for key, name in EXACT_KEYS.items():
                before, after = self.rows[i - 1][event][key][place[0]], row[key][place[1]]
                if None not in (before, after):
                    parts += after - before if name == "ns" else 0
                    if after < before:
                        yield "%s of %s goes back by %d" % (name, EVENTS[event], before - after)
            if row[3][place[1]] is not None and row[4][place[1]] > row[3][place[1]]:
                yield "more of %s failed than were called" % EVENTS[event]
        if parts != wall[1] - wall[0]:
            yield "the parts are %d ns, %d passed" % (parts, wall[1] - wall[0])


def main():
    """nct.py FILE EXPRESSION: evaluates the expression with x = Exact(FILE) and path = FILE, for shell tests."""
    x = Exact(sys.argv[1])
    print(eval(sys.argv[2], {**globals(), "x": x, "path": sys.argv[1]}))


if __name__ == "__main__":
    main()
