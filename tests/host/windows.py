# SPDX-License-Identifier: BSD-2-Clause
"""Checks the windows of a recording with a budget.
windows.py FILE            prints the windows; fails if they are inconsistent
windows.py FILE COUNT      also if there are fewer than COUNT pauses between them
windows.py FILE 0 EVENT    prints the time of a call of this event in them, in ns"""
import sys

sys.path.insert(0, "tests")
from nct import EVENTS, Exact  # noqa: E402

OFFLINE, OFF = 9, 10


class Windows:
    """Returns the ticks with exact times of the first CPU, by window. A pause adds to the CPU's time without probes."""

    def __init__(self, path):
        self.exact = x = Exact(path)
        self.windows = []
        for i in self.known(0):
            if not self.windows or x.losses[i][OFF][0] != x.losses[self.windows[-1][-1]][OFF][0]:
                self.windows.append([])
            self.windows[-1].append(i)

    def known(self, cpu):
        """Returns the ticks that have times of the CPU. An offline CPU may not have been seen since a window began."""
        x = self.exact
        return [i for i, tick in enumerate(x.ticks) if x.losses[i] and tick[3][cpu] is not None]

    def _missing_ns(self, cpu, i, k):
        """Returns the elapsed time between two ticks minus the sum of the times inside and outside of events."""
        x = self.exact
        ns = x.ticks[k][3][cpu] - x.ticks[i][3][cpu] - x.losses[k][OFFLINE][cpu] + x.losses[i][OFFLINE][cpu]
        for event in x.rows[k]:
            if x.rows[k][event][2][cpu] is not None:
                ns -= x.rows[k][event][2][cpu] - x.rows[i][event][2][cpu]
        return ns

    def _wrong_cpu(self, cpu):
        x, known = self.exact, self.known(cpu)
        for i, k in zip(known, known[1:]):
            if self._missing_ns(cpu, i, k):
                yield "CPU %d, ticks %d and %d: %d ns are missing" % (cpu, i, k, self._missing_ns(cpu, i, k))
            off, offline = (x.losses[k][key][cpu] - x.losses[i][key][cpu] for key in (OFF, OFFLINE))
            if not 0 <= off <= offline:
                yield "CPU %d, ticks %d and %d: %d ns off, %d offline" % (cpu, i, k, off, offline)

    def wrong(self):
        x = self.exact
        if not x.check_identity():
            yield "two ticks do not sum"
        for cpu in range(len(x.ticks[0][2])):
            yield from self._wrong_cpu(cpu)
        for i, tick in enumerate(x.ticks):
            if not x.losses[i] and set(tick[3]) != {None}:
                yield "tick %d is between two windows and has exact times" % i

    def pauses(self):
        return len(self.windows) - 1

    def counted_ns(self, window):
        return self.exact.ticks[window[-1]][3][0] - self.exact.ticks[window[0]][3][0]

    def moved(self, window, event, key):
        """Returns the increase of the first CPU's count in a window."""
        row = [self.exact.rows[i][EVENTS.index(event)][key][0] for i in (window[0], window[-1])]
        return row[1] - row[0]

    def ns_a_call(self, event):
        """Returns the time of a call of the event, ns, over all windows."""
        ns, calls = (sum(self.moved(w, event, key) for w in self.windows) for key in (2, 3))
        return ns / calls

    def text(self):
        x = self.exact
        for w in self.windows:
            yield "%8.3f s: %6.3f s, %d sends" % ((x.ticks[w[0]][1] - x.ticks[0][1]) / 1e9, self.counted_ns(w) / 1e9,
                                                  self.moved(w, "sock_send", 3))


def main():
    w = Windows(sys.argv[1])
    if len(sys.argv) > 3:
        print("%.1f" % w.ns_a_call(sys.argv[3]))
        return 0
    print("\n".join(w.text()))
    wrong = list(w.wrong())
    least = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    if w.pauses() < least:
        wrong.append("%d pauses" % w.pauses())
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
