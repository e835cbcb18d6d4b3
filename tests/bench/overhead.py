# SPDX-License-Identifier: BSD-2-Clause
"""overhead.py BUILD [PART]: measures the loss of throughput of each load with each recorder, and the cost that the
recorder reports. Run it as root.

PART "latency": the recorders of packet latency, under a load that waits for each packet.

In each round every load runs with every recorder, in another order. Before and after each recorder the load runs alone,
and the recorder is compared with the mean of these two. If the two differ, the measurement is repeated. Settings in the
environment:

	BENCH_ROUNDS=10		number of rounds
	BENCH_SECONDS=2		measured duration of a load
	BENCH_LOADS=A,B		only loads whose names contain one of these; BENCH_RECORDERS: only these recorders
	BENCH_NICE=-15		priority of loads and recorders, if other work cannot be stopped; the kernel's own
				threads then wait, too, so the figures are less realistic
	BENCH_LOCK=FILE		lock that is held while a load is measured, for machines shared with other measurements

For a quick look: BENCH_ROUNDS=1 BENCH_SECONDS=1 BENCH_LOADS=ping-pong. SIGINT ends the program early, and it prints the
results so far."""
import contextlib
import fcntl
import os
import random
import sys
import tempfile
import time

import loads
import machine
import recorders
from figures import held, interval, number, print_table, with_range

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "10"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "2"))
WARM_S = 2  # s of load while a recorder starts

TITLES = {"overhead": "What recording takes of throughput", "latency": "What looking at how long packets wait adds to that"}
PERF = "perf record -a -g -F 999"
DEFAULT_POINTS = 0.01  # points by which the default may cost more than perf
OPTION_POINTS = 0.02  # the same for any options that do not request everything
# the reported cost may differ from the measured cost by the larger of these
FIFTH, POINT = 0.2, 0.01
# if the load alone differs by more before and after, other work used the CPU, and the measurement
# is repeated
STEADY = 0.05
TRIES = 3
BUDGET, BUDGET_SLACK = 0.01, 0.003
LATER = 1.03  # factor by which p99 of the part "latency" may rise
NETSTACKLAT = "netstacklat's authors publish 1.06 for the tail of theirs"


class Cell:
    """The measurements of one recorder under one load: lists with one element per round."""

    def __init__(self, load, recorder):
        self.load, self.recorder = load, recorder
        self.why = recorder.here
        self.rates, self.p99s, self.lost, self.slower, self.told, self.host = [], [], [], [], [], []

    def add(self, alone, beside, told):
        rate, p99 = beside
        self.rates.append(rate)
        self.lost.append(1 - rate / mean([a[0] for a in alone]))
        if p99:
            self.p99s.append(p99)
            self.slower.append(p99 / mean([a[1] for a in alone]))
        if told is not None:
            self.host.append(told[0])
            self.told.append(told[1])


def mean(values):
    return sum(values) / len(values)


# ---- measuring -------------------------------------------------------------------------------------

def beside(running, recorder, out):
    """Returns the load's figures with a recorder, and the cost that the recorder reported."""
    warm = None if recorder.late else running.spawn(WARM_S)
    recording = recorders.Recording(recorder, out)
    try:
        if not recording.begun():
            return None
        if warm:
            warm.communicate()
        else:
            time.sleep(recorders.LATE_S)
        got = running.measure(SECONDS)
    finally:
        recording.end()
        if warm:
            warm.communicate()
    return got, recording.told(SECONDS)


@contextlib.contextmanager
def measuring():
    with open(os.environ.get("BENCH_LOCK") or os.devnull, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def measure_cell(cell, running, before, out):
    """before: figures of the load alone before the recorder. Returns those after the recorder."""
    for tries in range(TRIES):
        if cell.why:
            break
        got = beside(running, cell.recorder, out)
        after = running.measure(SECONDS)
        if not got:
            cell.why = "does not run here"
        elif abs(after[0] - before[0]) <= STEADY * mean([after[0], before[0]]) or tries == TRIES - 1:
            cell.add((before, after), *got)
            return after
        before = after
    return before


def load_round(cells, load, tmp):
    running = loads.Running(load, tmp)
    try:
        running.measure(SECONDS)
        before = running.measure(SECONDS)
        for cell in random.sample(cells, len(cells)):
            before = measure_cell(cell, running, before, tmp + "/out")
    finally:
        running.end()


def run_rounds(rows, cells, tmp):
    """Returns the number of complete rounds."""
    begin = time.time()
    try:
        for i in range(ROUNDS):
            for load in random.sample(rows, len(rows)):
                if not load.missing():
                    with measuring():
                        load_round(cells[load], load, tmp)
            print("bench: round %d of %d, after %.0f s" % (i + 1, ROUNDS, time.time() - begin), file=sys.stderr)
    except (KeyboardInterrupt, SystemExit) as end:  # shows the results so far
        print("bench: ended: %s" % end, file=sys.stderr)
        return i
    return ROUNDS


def chosen(rows, variable):
    wanted = [w for w in os.environ.get(variable, "").split(",") if w]
    return [r for r in rows if not wanted or any(w in r.name for w in wanted)]


def in_part(part, build, tmp):
    """Returns the loads of the part, and the recorders of each."""
    rows = chosen([r for r in loads.table(build, tmp) if r.part == part], "BENCH_LOADS")
    recs = chosen([r for r in recorders.table(build) if part in r.parts], "BENCH_RECORDERS")
    return rows, {load: [Cell(load, r) for r in recs] for load in rows}


# ---- judging ---------------------------------------------------------------------------------------

def verdict(what, kept, figures, may_be_kept=False):
    return "- %s: %s (%s)" % ("kept" if kept else "cannot be said" if may_be_kept else "MISSED", what, figures)


def median(values):
    return interval(values)[1]


def judge_options(cells):
    """Judges the recorders that keep to the default budget."""
    by_name = {c.recorder.name: c for c in cells}
    perf = by_name.get(PERF)
    for c in cells:
        points = DEFAULT_POINTS if c.recorder.name == "default" else OPTION_POINTS
        if not perf or not perf.lost or not c.lost or not (c.recorder.name == "default" or c.recorder.name in recorders.PACKETS):
            continue
        low, more, high = interval([a - b for a, b in zip(c.lost, perf.lost)])
        yield verdict("%s: at most the cost of perf plus %.0f point(s)" % (c.recorder.name, 100 * points), more <= points,
                      "%.1f %% against %.1f, in the same rounds %+.1f points (%+.1f to %+.1f)" %
                      tuple(100 * x for x in (median(c.lost), median(perf.lost), more, low, high)), low <= points)


def judge_waits(cells):
    """Judges the p99 of each recorder."""
    for c in cells:
        if c.recorder.command and c.slower:
            low, middle, high = interval(c.slower)
            yield verdict("p99 with %s rises to at most %.2f" % (c.recorder.name, LATER), middle <= LATER,
                          "%.3f (%.3f to %.3f); %s" % (middle, low, high, NETSTACKLAT), low <= LATER)


def noise(cells):
    """Returns the largest apparent loss or gain of a load without a recorder."""
    return max([abs(bound) for c in cells if not c.recorder.command and c.lost for bound in interval(c.lost)], default=0)


def judge_told(cells):
    off = noise(cells)
    for c in cells:
        if not c.told:
            continue
        low, middle, high = interval(c.lost)
        told = median(c.told)
        near = abs(told - middle) <= max(FIFTH * middle, POINT)
        figures = "%.1f %% told, %.1f (%.1f to %.1f) lost" % tuple(100 * x for x in (told, middle, low, high))
        may_be_near = min((1 - FIFTH) * (low - off), low - off - POINT) <= told <= max((1 + FIFTH) * (high + off), high + off + POINT)
        yield verdict("%s reports its cost within a fifth, or a point" % c.recorder.name, near,
                      "%s; nothing: up to %.1f" % (figures, 100 * off), may_be_near)


def judge_budget(cells):
    for c in cells:
        if c.recorder.name.startswith("--budget") and c.host:
            yield verdict("%s of the host's CPU time" % c.recorder.name, median(c.host) <= BUDGET + BUDGET_SLACK,
                          "%.2f %% told" % (100 * median(c.host)))


def judge(load, cells):
    if load.part == "latency":
        yield from judge_waits(cells)
        return
    if load.name == "ping-pong":
        yield from judge_options(cells)
    yield from judge_budget(cells)
    yield from judge_told(cells)


# ---- printing --------------------------------------------------------------------------------------

HEAD = ["recorder", "", "lost %", "p99 us", "p99 times", "told %", "told/lost"]


def row(c):
    if not c.lost:
        return [c.recorder.name, c.why or "not run", "", "", "", "", ""]
    lost = median(c.lost)
    return [c.recorder.name, number(median(c.rates)), with_range([100 * x for x in c.lost], "%.1f"),
            number(median(c.p99s)) if c.p99s else "-", with_range(c.slower, "%.2f") if c.slower else "-",
            "%.1f" % (100 * median(c.told)) if c.told else "-",
            "%.2f" % (median(c.told) / lost) if c.told and interval(c.lost)[0] > 0 else "-"]


def print_load(load, cells):
    print("### %s\n" % load.name)
    print_table([HEAD[0], load.unit, *HEAD[2:]], [row(c) for c in cells])
    for line in judge(load, cells):
        print(line)
    print()


def main():
    build, part = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "overhead"
    os.nice(int(os.environ.get("BENCH_NICE", "0")))
    with tempfile.TemporaryDirectory(prefix="netcost-bench.") as tmp:
        rows, cells = in_part(part, build, tmp)
        begin, busy = time.time(), machine.others()
        done = run_rounds(rows, cells, tmp)
    nice = ", with nice %d" % os.nice(0) if os.nice(0) else ""
    print("## %s\n" % TITLES[part])
    machine.print_statement(busy)
    print("%d round%s of %d s each, in %.0f minutes%s. Medians; in parentheses where the median is with a probability of %.0f %%." %
          (done, "" if done == 1 else "s", SECONDS, (time.time() - begin) / 60, nice, 100 * held(done)))
    print("Lost: of the throughput alone, just before and after; a second in which the hypervisor did not take the CPU away. "
          "Told: by the recorder's own `cost` of these seconds, as a share of the time in which the load's CPU worked.\n")
    for load in rows:
        if load.missing():
            print("### %s\n\nnot installed: %s\n" % (load.name, ", ".join(load.missing())))
        else:
            print_load(load, cells[load])


if __name__ == "__main__":
    main()
