# SPDX-License-Identifier: BSD-2-Clause
"""Compares netcost-report accuracy with an independent computation: accuracy.py REPORT TRACE.

It shares no code with the program: the trace is read with zstd and msgpack, stacks are classified by the functions
in accuracy_traces.py, and all figures are computed as the man page defines them. Every figure must agree to five
decimals, in percentage points."""
import bisect
import json
import math
import subprocess
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import EXACT_LOSS, PROBE, SAMPLE_LOSS, SAMPLES, STACKS, SYMBOLS  # noqa: E402

FACTORS = [1, 2, 5, 10, 20, 50, 100]
PRECISION = 1.0
LEAVES = {"do_idle": "idle", "udp_sendmsg": "sock_send", "__x64_sys_recvfrom": "sock_recv",
          "net_rx_action": "rx_softirq", "sock_poll": "other_network", "net_tx_action": "tx_softirq"}
PARTS = {"__napi_poll": "driver_poll", "netif_receive_skb": "receive", "ip_local_deliver": "local_v4"}
EVENT_OF = {"idle": "idle", "sock_send": "sock_send", "sock_recv": "sock_recv", "rx_softirq": "rx_softirq",
            "tx_softirq": "tx_softirq", "sock_local": "sock_local", "io_worker": "io_worker"}
IN_TASK = ["user", "other_network", "other_kernel"]


class Cell:
    def __init__(self, begin, end):
        self.begin, self.end = begin, end
        self.wall, self.lost, self.exact = None, 0, {}
        self.samples = []  # (time, slot of the sampler, items)


def items_of(functions):
    """Returns the set of categories of a stack, whose outermost function is first."""
    leaf, parts = "other_kernel" if functions else "user", []
    for f in functions:
        if f in LEAVES:
            leaf, parts = LEAVES[f], []
        elif f in PARTS:
            parts.append(PARTS[f])
    out = {("event", leaf)}
    if leaf == "rx_softirq":
        out |= {("part_with_all", p) for p in parts} | {("part", p) for p in parts[-1:]}
    return out


def ns_of(rec, i, before, key=2):
    a, b = before[key][i], rec[key][i]
    return None if None in (a, b) else b - a


def read(path):
    names, stacks, ticks, head, raw, not_counted = [""], [()], [], None, [], set()
    for kind, r in nct.objects(path):
        if kind == nct.HEADER:
            head = r
        elif kind == PROBE and r[1] == nct.OF_EVENT and r[3] in ("samples", "off"):
            not_counted.add(nct.EVENTS[r[2]])
        elif kind == SYMBOLS:
            names += r[2]
        elif kind == STACKS:
            for up, symbol in zip(r[2], r[3]):
                stacks.append(stacks[len(stacks) - up] + (names[symbol],))
        elif kind == nct.TICK:
            ticks.append({"at": r[1], "cpus": r[2], "ns": r[3], "event": {}, "part": {}})
        elif kind == nct.EXACT:
            ticks[-1]["event"][nct.EVENTS[r[1]]] = r
        elif kind == nct.EXACT_PART:
            ticks[-1]["part"][nct.PARTS[r[1]]] = r
        elif kind == EXACT_LOSS:
            ticks[-1]["offline"] = r[9]
        elif kind == SAMPLE_LOSS:
            ticks[-1]["lost"] = r[2]
        elif kind == SAMPLES:
            raw += [(r[1], now, items_of(stacks[stack])) for now, stack in zip(r[nct.TIMES], r[6])]
    return head, ticks, raw, not_counted


def make_cells(ticks, not_counted):
    """Returns the samples by CPU, in the order of time."""
    cells = {cpu: [] for cpu in ticks[0]["cpus"]}
    for a, b in zip(ticks, ticks[1:]):
        for i, cpu in enumerate(a["cpus"]):
            c = Cell(a["at"], b["at"])
            c.wall = b["ns"][i] - a["ns"][i] - (b["offline"][i] - a["offline"][i])
            c.lost = b["lost"][i] - a["lost"][i]
            for e in b["event"]:
                if e not in not_counted:
                    c.exact["event", e] = ns_of(b["event"][e], i, a["event"][e])
            if ("event", "task") in c.exact:
                c.exact["event", "user_and_other_kernel"] = c.exact.pop(("event", "task"))
            for p in b["part"]:
                c.exact["part", p] = ns_of(b["part"][p], i, a["part"][p])
                c.exact["part_with_all", p] = ns_of(b["part"][p], i, a["part"][p], 3)
            cells[cpu].append(c)
    return cells


def periods(times, period):
    """Returns the number of the period of each sample of a CPU. Two samples that are a period
    apart, to 1/32, were on time. A sample that is up to 1/8 of a period early belongs to the
    next period."""
    due, at, before, out = None, 0, None, []
    for now in times:
        due = now if due is None else due
        number = at + (now - due + period // 8) // period if now >= due else at
        if before is not None and now > before and abs(now - before - period) <= period // 32:
            due, at = now, number
        before = now
        out.append(number)
    return out


def place(cells, raw, hz, by_time):
    """Sorts samples into cells. Each sample has a number: that of its period, or its position in
    the cell."""
    for cpu, row in cells.items():
        inside = [(now, items) for c, now, items in raw if c == cpu and row[0].begin <= now < row[-1].end]
        numbers = periods([now for now, _ in inside], 10**9 // hz) if by_time else range(len(inside))
        for number, (now, items) in zip(numbers, inside):
            row[bisect.bisect_right([c.begin for c in row], now) - 1].samples.append((number, items))


def phases(k):
    n = min(k, 5)
    return [p * k // n for p in range(n)]


def thin(row, k, phase):
    """Returns the first sample of every k periods, by cell; the first k begin at phase."""
    if k == 1:
        return [[items for _, items in c.samples] for c in row]
    out, last = [], -1
    for c in row:
        taken = []
        for number, items in c.samples:
            if number >= phase and (number - phase) // k > last:
                last = (number - phase) // k
                taken.append(items)
        out.append(taken)
    return out


class Seen:
    """Estimates a cell from some samples."""

    def __init__(self, cell, samples, hz):
        idle = cell.exact.get(("event", "idle"))
        self.idle, self.wall, self.exact = idle, cell.wall, cell.exact
        self.rest = [s for s in samples if idle is None or ("event", "idle") not in s]
        self.n = len(self.rest)
        expected = hz * cell.wall * 1e-9 - cell.lost
        self.due = expected - (0 if idle is None else hz * idle * 1e-9)
        self.basis = 1 if idle is None else 1 - idle / cell.wall
        self.expected = expected

    def thinned(self, k):
        if self.idle is None:
            self.basis = min(1, self.n / (self.expected / k))
        return self

    def share(self, item):
        if not self.n or (item == ("event", "idle") and self.idle is not None):
            return None
        return self.count(item) / self.n * self.basis

    def count(self, item):
        if item == ("event", "user_and_other_kernel"):
            leaves = IN_TASK + [leaf for leaf, e in EVENT_OF.items()
                                if leaf != "idle" and self.exact.get(("event", e)) is None]
            return sum(self.count(("event", leaf)) for leaf in leaves)
        return sum(item in s for s in self.rest)


def mean(v):
    v = list(v)
    return sum(v) / len(v) if v else None


def statistics(rows):
    """rows: (true, Seen, share, variance), shares. share is None if it is missing."""
    errors = [100 * (v - t) for t, _, v, _ in rows if v is not None]
    within = sum(abs(100 * (v - t)) <= PRECISION if v is not None else
                 s.idle is not None and 100 * (1 - s.idle / s.wall) <= PRECISION for t, s, v, _ in rows)
    bins = {}
    for e in errors:
        tenths = math.copysign(math.floor(abs(e) * 10 + 0.5), e)
        bins[tenths] = bins.get(tenths, 0) + 1
    return {
        "values": len(errors), "missing": len(rows) - len(errors),
        "bias_points": mean(errors), "mean_absolute_error_points": mean(map(abs, errors)),
        "root_mean_square_error_points": math.sqrt(mean(e * e for e in errors)) if errors else None,
        "theory_root_mean_square_error_points":
            100 * math.sqrt(mean(w for *_, w in rows if w is not None)) if errors else None,
        "within_precision": within, "within_precision_of": len(rows),
        "error_histogram": [[b / 10, n] for b, n in sorted(bins.items())],
    }


def variance(seen, truth, against):
    q = min(truth / seen.basis, 1)
    return seen.basis**2 * q * (1 - q) * (1 / seen.n - (1 / against if against else 0))


def compute(head, cells):
    hz = head[10]
    all_cells = [c for row in cells.values() for c in row]
    length = (max(c.end for c in all_cells) - min(c.begin for c in all_cells)) / len(next(iter(cells.values())))
    full, left_out = {}, {"no_time": 0, "short": 0, "samples_not_of_time": 0, "no_sample_due": 0, "no_sample_taken": 0}
    for cpu, row in cells.items():
        for i, c in enumerate(row):
            if not c.wall > 0:
                left_out["no_time"] += 1
                continue
            s = Seen(c, [items for _, items in c.samples], hz).thinned(1)
            if c.end - c.begin < length / 2:
                left_out["short"] += 1
            elif head.get(12) == "cycles" and c.exact.get(("event", "idle")) is None:
                left_out["samples_not_of_time"] += 1
            elif s.n:
                full[cpu, i] = s
            else:
                left_out["no_sample_due" if s.due < 1 and head.get(12) != "cycles" else "no_sample_taken"] += 1
    names = sorted({i for s in full.values() for x in s.rest for i in x} | {i for s in full.values() for i in s.exact})
    items = {}
    for item in names:
        exact = any(s.exact.get(item) is not None for s in full.values())
        if item == ("event", "idle") and exact:
            continue
        rates = {}
        for k in FACTORS if exact else FACTORS[1:]:
            rows = []
            for phase in phases(k):
                for cpu, row in cells.items():
                    for i, samples in enumerate(thin(row, k, phase)):
                        if (cpu, i) not in full:
                            continue
                        f = full[cpu, i]
                        truth = f.exact[item] / f.wall if exact else f.share(item)
                        s = Seen(row[i], samples, hz).thinned(k)
                        v = s.share(item)
                        rows.append((truth, s, v, None if v is None else
                                     variance(s, truth, None if exact else f.n)))
            rates[k] = statistics(rows)
        items[item] = {"exact": exact, "rates": rates, "whole": whole(cells, full, item, hz)}
    return len(full), left_out, items


def whole(cells, full, item, hz):
    """Merges all cells of each CPU into one, and weights the CPUs by their time."""
    exact, sampled, wall = 0, 0, 0
    for cpu, row in cells.items():
        mine = [i for i in range(len(row)) if (cpu, i) in full]
        if not mine:
            continue
        one = Cell(0, 0)
        one.wall, one.lost = sum(row[i].wall for i in mine), sum(row[i].lost for i in mine)
        for e in row[mine[0]].exact:
            one.exact[e] = sum(row[i].exact[e] for i in mine)
        s = Seen(one, [x for i in mine for _, x in row[i].samples], hz).thinned(1)
        exact += one.exact.get(item, float("nan"))
        sampled += s.share(item) * one.wall
        wall += one.wall
    return exact / wall, sampled / wall


failed = 0


def demand(what, got, want):
    global failed
    if isinstance(want, float) and math.isnan(want):
        want = None
    if got is None or want is None:
        ok = got is want
    elif isinstance(want, list):
        ok = got == want
    else:
        ok = abs(got - want) <= 5e-6 * max(1, abs(want))
    if not ok:
        failed += 1
        print("%s: %s, and by the second computation %s" % (what, got, want))


def main():
    report, path = sys.argv[1:]
    got = json.loads(subprocess.run([report, "accuracy", "--format=json", path], check=True,
                                    stdout=subprocess.PIPE).stdout)
    head, ticks, raw, not_counted = read(path)
    cells = make_cells(ticks, not_counted)
    place(cells, raw, head[10], head[12] == "cpu-clock")
    figures = 0
    taken, left_out, items = compute(head, cells)
    demand("cells", got["cells"], taken)
    for reason in left_out:
        demand(reason, got["left_out"][reason], left_out[reason])
    theirs = {(i["kind"], i["name"]): i for i in got["items"]}
    demand("items", sorted(map(str, theirs)), sorted(map(str, items)))
    for item in set(theirs) & set(items):
        where, mine = "%s %s" % item, items[item]
        demand(where + " is exact", theirs[item]["compared_with"] == "exact", mine["exact"])
        demand(where + " whole", theirs[item]["whole_exact_percent"], 100 * mine["whole"][0])
        demand(where + " whole", theirs[item]["whole_sampled_percent"], 100 * mine["whole"][1])
        rates = {r["every"]: r for r in theirs[item]["rates"]}
        demand(where + " rates", sorted(rates), sorted(mine["rates"]))
        for k in rates:
            for key, want in mine["rates"][k].items():
                demand("%s 1/%u %s" % (where, k, key), rates[k][key], want)
                figures += 1
        demand(where + " is main", theirs[item]["main"],
               item[0] == "event" and item[1] != "user_and_other_kernel" and mine["exact"] and max(mine["whole"]) >= 0.001)
    print("%s: %u figures" % (path, figures))
    sys.exit(failed > 0)


main()
