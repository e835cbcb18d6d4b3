# SPDX-License-Identifier: BSD-2-Clause
"""Checks the records of other BPF programs. For test_other_programs.sh and soak/other_programs.sh.

    others.py check TRACE BLOCKS BPFTOOL NAME
                                one block of tests/spin: the trace has as many runs as `bpftool prog show --json`
                                reports afterwards, each as long as it spun; status 3: the block was only partly counted
    others.py bounds TRACE BLOCKS NAME
                                blocks of tests/spin: some runs were counted, at most as many as occurred (plus 20 packets
                                of the namespaces, or any number at a tracepoint), and none was shorter than it spun
    others.py state TRACE       prints the state of the source
    others.py names TRACE       prints all names, sorted, one per line
    others.py attached TRACE NAME
                                prints the attach points of programs of that name, one per line; there may be more than
                                one because of other test runs
    others.py unseen TRACE NAME prints the share of the counted time in which its runs are unknown, in %
    others.py counted TRACE     prints the counted share of the time between the first tick and the last, in %
    others.py ran TRACE NAME    prints the number of runs
    others.py saved JSON WITH WITHOUT NAME
                                compares CPU time of blocks of tests/spin with and without the program, in turns, with the
                                cost of its runs in the summary. Status 3: the cost is not known precisely enough"""
import json
import math
import statistics
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import OTHER_PROGRAMS, OTHER_STATS, SOURCE, TICK  # noqa: E402


class Others:
    def __init__(self, path):
        self.names, self.kinds, self.attached, self.stats, self.state, at = [], [], [], [], "", 0
        self.first_ns = None  # counted part of the first tick, approximately
        for kind, r in nct.objects(path):
            if kind == SOURCE and r[1] == "others":
                self.state = r[2]
            if kind == TICK:
                at = self.last_ns = r[1]
            if kind == OTHER_PROGRAMS:
                self.names += r[2]
                self.kinds += r[3]
                self.attached += r[4]
            if kind == OTHER_STATS:
                self.first_ns = self.first_ns or at
                self.stats.append(r)

    def of(self, name):
        i = self.names.index(name)
        last = self.stats[-1]
        return last[1][i], last[2][i], last[3][i], last[4]


def check(trace, blocks, bpftool, name):
    others, block = Others(trace), json.loads(open(blocks).readline())
    if name not in others.names:
        print("it was not found")
        return 3
    runs, ns, unseen, counted = others.of(name)
    kernel = [p for p in json.load(open(bpftool)) if p.get("name") == name]
    begin, end = others.first_ns, others.first_ns + counted
    if unseen or block["begin_ns"] < begin or block["end_ns"] > end or len(kernel) != 1 or others.stats[0][4]:
        print("the block was at %.3f to %.3f s of %.3f s, unseen: %.3f s" % tuple(
            x / 1e9 for x in (block["begin_ns"] - begin, block["end_ns"] - begin, counted, unseen)))
        return 3
    spun = block["spun_ns"] / block["runs"]
    print("%s: %d runs of %.1f ns; bpftool: %d of %.1f; it counted %d of %.1f itself, asked for %d" % (
        name, runs, ns / runs, kernel[0].get("run_cnt", 0), kernel[0].get("run_time_ns", 0) / max(1, kernel[0].get("run_cnt", 0)),
        block["runs"], spun, block["t_ns"]))
    if not kernel[0].get("run_cnt", 0):
        return 3  # bpftool ran before the packets were sent
    # A program on a tracepoint also sees packets of other processes. It does not spin for them, but many of them take
    # noticeable time.
    if kernel[0].get("type") == "raw_tracepoint" and runs > 1.5 * block["runs"]:
        return 3
    if kernel[0].get("type") == "raw_tracepoint":
        return int(runs < block["runs"] or abs(ns - block["spun_ns"]) > 0.05 * block["spun_ns"])
    # Packets of the namespaces themselves, such as neighbour discovery, also run the program. Each such run spins
    # equally long.
    bad = runs != kernel[0].get("run_cnt") or ns != kernel[0].get("run_time_ns")
    bad |= not block["sent"] <= block["runs"] <= runs <= block["runs"] + 20
    return int(bad or abs(ns / runs - spun) > 0.05 * spun)


def bounds(trace, blocks, name):
    others = Others(trace)
    last = others.stats[-1]
    # this test's program, and programs of another test run
    found = [(last[1][i], last[2][i]) for i, n in enumerate(others.names) if n == name]
    all_ = [json.loads(line) for line in open(blocks)]
    most, t_ns = sum(b["runs"] for b in all_) + 20, min(b["t_ns"] for b in all_)
    traced = name == "spin_traced"  # the program sees packets of other processes, and does not spin for them
    ok = any(runs > 0 and (traced or runs <= most and ns >= runs * t_ns) for runs, ns in found)
    print("%s: expected 1 to %d runs of %d ns or more, got runs and ns in all: %s" % (name, most, t_ns, found))
    return int(not ok)


# Quantiles of Student's t by degrees of freedom, exceeded in one of 20 cases
T95 = {5: 2.571, 7: 2.365, 9: 2.262, 11: 2.201, 15: 2.131}
SENT = 1000  # number of packets that soak/other_programs.sh sends during the recording
ENTRY_NS = 300  # the time to enter and leave the program is not in the kernel's statistics


def saved(summary, with_it, without_it, name):
    row = [p for p in json.load(open(summary))["other_programs"]["programs"] if p["name"] == name]
    if not row or row[0]["ns_per_run_ci95"] is None:
        print("%s: its interval is not known" % name)
        return 3
    if row[0]["kind"] == "raw_tracepoint" and row[0]["runs_counted"] > 1.01 * SENT:
        print("%s saw packets of others" % name)
        return 3
    said, said_ci = row[0]["ns_per_run"], row[0]["ns_per_run_ci95"]
    blocks = [[json.loads(line) for line in open(path)] for path in (with_it, without_it)]
    if statistics.median(b["cpu_ns"] - b["spun_ns"] for b in blocks[0]) < 0:
        print("this kernel counts the time of softirqs separately from that of the task")
        return 3
    runs = [(a["cpu_ns"] - b["cpu_ns"]) / a["runs"] for a, b in zip(*blocks)]
    mean = statistics.mean(runs)
    ci = T95[len(runs) - 1] * statistics.stdev(runs) / math.sqrt(len(runs))
    allowed = math.hypot(ci, said_ci) + ENTRY_NS
    print("%s: reported %.0f +- %.0f ns a run, saved %.0f +- %.0f: %+.0f, %.0f allowed" % (
        name, said, said_ci, mean, ci, mean - said, allowed))
    if allowed > 0.25 * said:
        return 3
    return int(abs(mean - said) > allowed)


def main():
    command, *args = sys.argv[1:]
    if command == "check":
        return check(*args)
    if command == "bounds":
        return bounds(*args)
    if command == "saved":
        return saved(*args)
    others = Others(args[0])
    if command == "state":
        print(others.state)
    elif command == "names":
        print("\n".join(sorted(others.names)))
    elif command == "attached":
        print("\n".join(place for name, place in zip(others.names, others.attached) if name == args[1]))
    elif command == "unseen":
        _, _, unseen, counted = others.of(args[1])
        print(round(100 * unseen / counted))
    elif command == "ran":
        print(others.of(args[1])[0])
    elif command == "counted":
        print(round(100 * (others.stats[-1][4] - others.stats[0][4]) / (others.last_ns - others.first_ns)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
