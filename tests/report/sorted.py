# SPDX-License-Identifier: BSD-2-Clause
"""Sorts stacks by a rules file. Its author only read examples/rules/README.md.

sorted.py same RULES REPORT TRACE        counts each sample; `netcost-report --format=csv --table=inside` must say the same
sorted.py perf RULES REPORT DUE (TRACE SCRIPT)...
        compares the shares of the leaves, and of the categories in the RX softirq, with those in the output of
        `perf script -F comm,time,ip,sym` (of a recording with -k CLOCK_MONOTONIC): if CPUs are never idle, they
        must agree within the error of both. DUE: samples a second of all CPUs. Exit status 3: undecided
"""
import csv
import io
import math
import re
import subprocess
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import STACKS, SYMBOLS  # noqa: E402

LEAVES = ["idle", "user", "sock_send", "sock_recv", "rx_softirq", "tx_softirq", "other_network", "sock_local",
          "io_worker", "other_kernel"]
SOFTIRQS = {"rx_softirq", "tx_softirq"}
NETWORK = {"sock_send", "sock_recv", "rx_softirq", "tx_softirq", "other_network"}
INSIDE_S, COMPLETE, SLACK = 0.05, 0.9, 0.005
ARCH = re.compile(r"^__(x64|ia32|x32|arm64|s390x|s390|riscv|powerpc|se|do)_(compat_)?(?=sys_)")


def plain(name):
    name = ARCH.sub("", name)
    return name[:1] + name[1:].split(".")[0]


def fits(pattern, name):
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else plain(pattern) == name


class Rules:
    def __init__(self, path):
        self.parent, self.whole, self.tracing, self.undecided = {}, set(), set(), set()
        self.marks, sets, to = [], {}, None
        for line in open(path):
            words = line.split("#")[0].split()
            if words[:1] in (["leaf"], ["category"]):
                to = self.current(words)
            elif words[:1] == ["set"]:
                to = sets.setdefault(words[1], [])
            elif words[:1] == ["functions"]:
                for w in words[1:]:
                    for name in sets[w[1:]] if w[0] == "@" else [w]:
                        to.append(name) if isinstance(to, list) else self.marks.append((name, to))
        self.found = {}

    def current(self, words):
        if words[0] == "category":
            self.parent[words[1]] = words[3]
            if words[4:] in (["whole"], ["tracing"]):
                self.whole.add(words[1])
            if words[4:] == ["tracing"]:
                self.tracing.add(words[1])
            if words[4:] == ["undecided"]:
                self.undecided.add(words[1])
        return words[1]

    def line(self, category):
        """Returns the category and its ancestors, up to the leaf."""
        out = [category]
        while out[-1] in self.parent:
            out.append(self.parent[out[-1]])
        return out

    def marked(self, name):
        """Returns [(category, caller)] of a function, the most specific first."""
        if name not in self.found:
            some = []
            for mark, category in self.marks:
                caller, _, function = mark.rpartition(">")
                if name and fits(function, name):
                    some.append((function.endswith("*"), -len(function), not caller, caller.endswith("*"), category,
                                 caller))
            self.found[name] = [(s[4], s[5]) for s in sorted(some)]
        return self.found[name]

    def leaf(self, now, to):
        if to in ("io_worker", "other_network") and now != "other_kernel":
            return now
        if to == "other_kernel" and now != "other_network":
            return now
        if to in ("sock_send", "sock_recv") and now in SOFTIRQS | {"sock_local", "idle"}:
            return now
        if to == "sock_local" and now in SOFTIRQS | {"idle"}:
            return now
        return to

    def sort(self, functions):
        """Returns (category, all categories passed within its leaf) of a stack, outermost function first."""
        category = "other_kernel" if functions else "user"
        passed, caller = {category}, ""
        for name in map(plain, functions):
            marks = [c for c, by in self.marked(name) if not by or (caller and fits(by, caller))]
            leaf = self.line(category)[-1]
            to = next((self.leaf(leaf, c) for c in marks if c in LEAVES), leaf)
            caller = name
            if leaf in marks and self.undecided & passed and not self.undecided & set(marks):
                category, passed = leaf, {leaf}
            whole = to == leaf and self.whole & set(self.line(category))
            base = category if to == leaf else to
            inside = [c for c in marks if c not in LEAVES and self.parent[c] in self.line(base) and
                      (not whole or c in self.tracing)]
            if whole and not inside:
                continue
            if to != leaf:
                passed = {to}
            category = max(inside, key=lambda c: len(self.line(c))) if inside else base
            passed.add(category)
        return category, passed


def count(rules, samples):
    """Returns {category: [exclusive, self, inclusive]} of [(task, functions)], in the order of
    the samples."""
    out, sorted_, local, last = {}, {}, {}, False
    for task, functions in samples:
        if functions not in sorted_:
            sorted_[functions] = rules.sort(functions)
        category, passed = sorted_[functions]
        leaf = rules.line(category)[-1]
        if rules.undecided & passed:
            if local.get(task, last):
                category, passed = "sock_local", {"sock_local"}
        elif leaf in ("sock_send", "sock_recv", "sock_local"):
            local[task] = last = leaf == "sock_local"
        for c in rules.line(category):
            out.setdefault(c, [0, 0, 0])[0] += 1
        out[category][1] += 1
        for c in passed:
            out.setdefault(c, [0, 0, 0])[2] += 1
    return out


def samples_of(path):
    names, stacks, out = [""], [()], []
    for kind, r in nct.objects(path):
        if kind == SYMBOLS:
            names += r[2]
        elif kind == STACKS:
            for up, symbol in zip(r[2], r[3]):
                stacks.append(stacks[len(stacks) - up] + (names[symbol],))
        elif kind == nct.SAMPLES:
            out += [(task, stacks[s]) for s, task in zip(r[6], r[7])]
    return out


def samples_of_perf(path):
    """Returns [(ns, command, the kernel's part of the stack)]. A sample is a line with the
    command and the time in s, then a line for each function, the innermost first."""
    out = []
    for line in open(path, errors="replace"):
        words = line.split()
        if words and not line[0].isspace():
            s, fraction = words[-1].rstrip(":").split(".")
            out.append((int(s) * 10**9 + int(fraction.ljust(9, "0")), " ".join(words[:-1]), []))
        elif len(words) >= 2 and len(words[0]) == 16 and words[0] >= "ffff8":
            out[-1][2].insert(0, words[1].split("+")[0])
    return out


def same_seconds(report, trace, script):
    """Returns the same seconds of a trace and of perf's samples: (part of the trace, [(command,
    stack)], seconds). The start and end of perf are excluded, because the trace has samples
    of perf's own work in them."""
    theirs = samples_of_perf(script)
    start = next(r[18] for kind, r in nct.objects(trace) if kind == nct.HEADER)
    first, last = min(theirs)[0], max(theirs)[0]
    subprocess.run([report, "cut", "-q", "--from=%.9f" % ((first - start) / 1e9 + INSIDE_S),
                    "--to=%.9f" % ((last - start) / 1e9 - INSIDE_S), trace, "-o", trace + ".part"], check=True)
    ticks = [r[1] for kind, r in nct.objects(trace + ".part") if kind == nct.TICK]
    samples = [(command, tuple(stack)) for ns, command, stack in theirs if ticks[0] <= ns < ticks[-1]]
    return trace + ".part", samples, (ticks[-1] - ticks[0]) / 1e9


def reported(report, rules, trace):
    # The rules do not define which stacks are below the recorder's own programs.
    out = subprocess.run([report, "--with-own-cost", "--format=csv", "--table=inside", "--rules=" + rules, trace], check=True,
                         stdout=subprocess.PIPE).stdout.decode()
    return {r["key"]: [int(r[k]) for k in ("samples", "self_samples", "inclusive_samples")]
            for r in csv.DictReader(io.StringIO(out)) if r["cpu"] == "all"}


def same(path, report, trace):
    got, want = reported(report, path, trace), count(Rules(path), samples_of(trace))
    wrong = [(c, got[c], want.get(c, [0, 0, 0])) for c in got if got[c] != want.get(c, [0, 0, 0])]
    for w in wrong:
        print("%s: reported %s, sorted %s" % w)
    print("%s: %d samples, %d categories" % (trace, sum(w[1] for w in want.values()), len(want)))
    return not wrong and set(want) <= set(got)


def agree(a, b, keys, na, nb, slack):
    """Compares shares of na and nb samples. They may differ by three times the error of both,
    and by a small tolerance for systematic differences."""
    ok = na > 500 and nb > 500
    for c in keys if ok else []:
        p, q = a.get(c, 0) / na, b.get(c, 0) / nb
        error = 3 * math.sqrt(p * (1 - p) / na + q * (1 - q) / nb + 1 / na**2 + 1 / nb**2) + slack
        good = abs(p - q) <= error
        ok &= good
        print("  %-14s netcost %6.2f %%, perf %6.2f %%, may differ by %.2f%s" %
              (c, 100 * p, 100 * q, 100 * error, "" if good else ": not the same"))
    return ok


def perf(path, report, due, *files):
    """3: one of them lacks more than one in ten samples of those that are due a second, on all CPUs.

    Leaves are shares of all samples but the idle task's: the kernel leaves some of those out, not the same ones
    for both. The parts of the RX softirq are shares of it.
    """
    rules, a, b, seconds = Rules(path), {}, {}, 0
    for trace, script in zip(files[::2], files[1::2]):
        part, samples, s = same_seconds(report, trace, script)
        seconds += s
        for c, v in reported(report, path, part).items():
            a[c] = a.get(c, 0) + v[2]
        for c, v in count(rules, samples).items():
            b[c] = b.get(c, 0) + v[2]
    busy = [leaf for leaf in LEAVES if leaf != "idle"]
    parts = [c for c in rules.parent if rules.parent[c] == "rx_softirq"]
    na, nb = (sum(x.get(leaf, 0) for leaf in busy) for x in (a, b))
    print("%.1f s, %.0f samples due; not idle: netcost %d, perf %d:" % (seconds, seconds * float(due), na, nb))
    good = agree(a, b, busy, na, nb, SLACK)
    print("of the RX softirq:")
    good &= agree(a, b, parts, a.get("rx_softirq", 0), b.get("rx_softirq", 0), SLACK)
    if min(na, nb) < COMPLETE * seconds * float(due):
        return 3
    return 0 if good else 1


def main(what, *args):
    if what == "same":
        return 0 if same(*args) else 1
    return perf(*args)


sys.exit(main(*sys.argv[1:]))
