# SPDX-License-Identifier: BSD-2-Clause
"""Checks receivers of packets (--owners) against the packets that were sent. Each check prints one line, "ok" or the error;
status 1: wrong.

    sums TRACE                      the dispositions sum to the time of the RX softirq, to the nanosecond
    judge TRACE NAME PROTOCOL WHOM=PACKETS...
                                    prints result lines of the check sums, and of whether each pid or fate WHOM has at least PACKETS
                                    (exactly PACKETS, for UDP to a pid)
    packets TRACE PID PACKETS       PID received PACKETS, up to 1 % more
    between TRACE PID LEAST MOST    PID received from LEAST to MOST packets
    spun NAME A B                   In the recordings NAME-50-N.nct (or another number) a program spins for packets of process A, for
                                    the time in NAME-50-N.spun. The recordings NAME-0-N.nct have no such program. A has that time,
                                    within 3 %, and B no more than its noise, the difference between equal recordings. A and B are
                                    lists of pids if each recording has other processes
    listed NAME A B                 the same if packets come in lists: A and B together have that time, within 3 %, and B has at
                                    most 15 % of the time
    moved TRACE PID CGROUP PACKETS  at least PACKETS packets of PID belong to CGROUP or a descendant
    ratio TRACE A B TIMES           B received TIMES the packets and the time of A, within 5 %
    fate TRACE FATE PACKETS         at least PACKETS had that fate
    most TRACE FATE PACKETS         at most PACKETS had that fate
    estimated REPORT PID SPUN       if only some softirqs are observed, PID's estimated time is about SPUN"""
import glob
import json
import math
import statistics
import sys

sys.path.insert(0, "tests")

FATES = ["direct", "dropped", "forwarded", "pool", "no_mark", "no_owner", "skipped", "open", "xdp", "several"]
STUDENT = {1: 636.6, 2: 31.6, 3: 12.9, 4: 8.61, 5: 6.87, 6: 5.96, 7: 5.41, 8: 5.04}  # quantiles of 99.9 %, by degrees of freedom, because there are dozens of comparisons


class Trace:
    def __init__(self, path):
        import nct
        self.defined, self.owned, self.fates, self.exact = [None], {}, {}, nct.Exact(path)
        self.numbers = []  # of dispositions: (disposition, reason or interface, packets)
        self.cgroups, self.cgroup_of = [None], [None]  # paths of cgroups; the cgroup of each process
        for kind, r in nct.objects(path):
            if kind == nct.PROCESSES:
                self.defined += r[2]
                self.cgroup_of += r[5]
            elif kind == nct.CGROUPS:
                self.cgroups += r[2]
            elif kind == nct.OWNER_STATS:
                for process, ns, packets in zip(r[1], r[2], r[3]):
                    row = self.owned.setdefault(process, [0, 0])
                    row[0] += ns
                    row[1] += packets
            elif kind == nct.RX_FATES:
                self.numbers += [(FATES[fate], number, packets) for fate, number, packets in zip(r[1], r[2], r[4])]
                for fate, ns, packets in zip(r[1], r[3], r[4]):
                    row = self.fates.setdefault(FATES[fate], [0, 0])
                    row[0] += ns
                    row[1] += packets

    def of(self, *pids):
        """Returns the time in ns and the number of packets."""
        rows = [v for k, v in self.owned.items() if k and self.defined[k] in pids]
        return sum(ns for ns, _ in rows), sum(packets for _, packets in rows)


def sums(t):
    print(t.fates, file=sys.stderr)
    leaf = sum(v or 0 for event in ("rx_softirq", "rx_thread") for v in t.exact.ns(event))
    fates = sum(ns for ns, _ in t.fates.values())
    owned = sum(ns for ns, _ in t.owned.values())
    if fates != leaf:
        return "%d ns have a disposition, %d ns were counted" % (fates, leaf)
    if owned != t.fates.get("direct", [0])[0]:
        return "%d ns are of processes, %d ns by CPU" % (owned, t.fates["direct"][0])
    return "ok"


def packets(t, pid, n):
    got = t.of(pid)[1]
    return "ok" if n <= got <= n * 1.01 + 10 else "%d packets, not %d; %s" % (got, n, t.numbers)


def between(t, pid, least, most):
    got = t.of(pid)[1]
    print(got, "packets,", t.fates, file=sys.stderr)
    return "ok" if least <= got <= most else "%d packets, not %d to %d" % (got, least, most)


MEDIAN = math.sqrt(math.pi / 2)  # standard error of the median, relative to the standard error of the mean


def noise(groups):
    """Returns half of the 99.9 % interval of the difference between the medians of two groups with equal variance."""
    freedom = sum(len(g) - 1 for g in groups)
    squares = sum((x - statistics.mean(g)) ** 2 for g in groups for x in g)
    return MEDIAN * STUDENT[min(freedom, 8)] * math.sqrt(squares / freedom * sum(1 / len(g) for g in groups))


def series(name, a, b):
    """Returns the time that was injected, and the times of A and B in ns, in recordings without and with the
    injection."""
    paths = [sorted(p for p in glob.glob(name + "-*-*.nct") if (p.split("-")[-2] == "0") == base) for base in (True, False)]
    groups = [[Trace(path) for path in group] for group in paths]
    injected = statistics.median(json.loads(open(path[:-3] + "spun").readlines()[-1])["spun_ns"] for path in paths[1])
    return [injected] + [[[t.of(*map(int, pids.split(",")))[0] for t in group] for group in groups] for pids in (a, b)]


def spun(name, a, b, listed=False):
    injected, a_ns, b_ns = series(name, a, b)
    a_rise, b_rise = (statistics.median(ns[1]) - statistics.median(ns[0]) for ns in (a_ns, b_ns))
    print("A %s and %s ns: %+d, %+.2f %% more than was spun; B %s and %s ns: %+d, its noise is %d" %
          (*a_ns, a_rise, 100 * a_rise / injected - 100, *b_ns, b_rise, noise(b_ns)), file=sys.stderr)
    if listed:
        good = abs(a_rise + b_rise - injected) < 0.03 * injected and b_rise < 0.15 * injected
        return "ok" if good else "A has %d ns more, B %d, %d were injected" % (a_rise, b_rise, injected)
    if abs(a_rise - injected) > 0.03 * injected:
        return "A has %d ns more, %d were injected" % (a_rise, injected)
    if abs(b_rise) > noise(b_ns):
        return "B has %d ns more, of %d injected; its noise is %d" % (b_rise, injected, noise(b_ns))
    return "ok"


def moved(t, pid, cgroup, n):
    got = {}
    for process, (_, packets) in t.owned.items():
        if process and t.defined[process] == pid:
            path = t.cgroups[t.cgroup_of[process]]
            got[path] = got.get(path, 0) + packets
    print(got, file=sys.stderr)
    there = sum(packets for path, packets in got.items() if (path or "").endswith(cgroup))
    return "ok" if there >= n else "%d packets are of %s" % (there, cgroup)


def ratio(t, a, b, times):
    (a_ns, a_packets), (b_ns, b_packets) = t.of(a), t.of(b)
    print("A %d ns, %d packets; B %d ns, %d packets" % (a_ns, a_packets, b_ns, b_packets), file=sys.stderr)
    for what, one, other in ("packets", a_packets, b_packets), ("ns", a_ns, b_ns):
        if not one or abs(other / one - times) > 0.05 * times:
            return "%d and %d %s" % (one, other, what)
    return "ok"


def fate(t, name, n):
    got = t.fates.get(name, [0, 0])[1]
    return "ok" if got >= n else "%d packets" % got


def most(t, name, n):
    got = t.fates.get(name, [0, 0])[1]
    return "ok" if got <= n else "%d packets" % got


def estimated(report, pid, said):
    injected = json.loads(open(said).readlines()[-1])["spun_ns"]
    row = next(row for row in report["owners"]["received"] if row["pid"] == pid)
    print(row, injected, file=sys.stderr)
    error = abs(row["received_ns"] - injected * 1.1)  # each packet also has a cost of its own
    return "ok" if error < 2 * row["received_ci95_ns"] + 0.1 * injected else "%r, %d were injected" % (row, injected)


def judge(t, name, protocol, *wanted):
    """Prints the results of a recording. TCP also has packets without data, and may merge two messages into one
    packet."""
    lines = [(name + "-sums", sums(t), "ok")]
    for i, want in enumerate(wanted):
        whom, n = want.split("=")
        got = t.of(int(whom))[1] if whom.isdigit() else t.fates.get(whom, [0, 0])[1]
        good = got == int(n) if whom.isdigit() and protocol == "udp" else got >= int(n) * (0.5 if protocol == "tcp" else 1)
        lines.append(("%s-packets-%d" % (name, i + 1), "ok" if good else "expected %s, got %d" % (n, got), "ok"))
    for what, said, good in lines:
        print("ok " + what if said == good else "not ok %s: %s" % (what, said))
    return any(said != good for _, said, good in lines)


def main(command, *arg):
    if command == "judge":
        return judge(Trace(arg[0]), *arg[1:])
    if command in ("spun", "listed"):
        said = spun(*arg, command == "listed")
    else:
        t = json.load(open(arg[0])) if command == "estimated" else Trace(arg[0])
        said = {"sums": lambda: sums(t), "packets": lambda: packets(t, int(arg[1]), int(arg[2])),
                "between": lambda: between(t, *map(int, arg[1:])),
                "ratio": lambda: ratio(t, int(arg[1]), int(arg[2]), float(arg[3])),
                "most": lambda: most(t, arg[1], int(arg[2])),
                "moved": lambda: moved(t, int(arg[1]), arg[2], int(arg[3])),
                "estimated": lambda: estimated(t, int(arg[1]), arg[2]),
                "fate": lambda: fate(t, arg[1], int(arg[2]))}[command]()
    print(said)
    return said != "ok"


sys.exit(main(*sys.argv[1:]))
