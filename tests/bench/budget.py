# SPDX-License-Identifier: BSD-2-Clause
"""budget.py BUILD: measures whether --budget=1 is kept after the load has risen. Run it as root.
Each load begins after the recorder, on a CPU that was almost idle. Prints the cost that the
recording reports for the CPU with the largest cost, from SETTLE_S after the rise on. Settings
in the environment: BENCH_ROUNDS (3), BENCH_LOADS, and BENCH_LOCK as for overhead.py."""
import json
import os
import subprocess
import sys
import tempfile
import time

import loads
import recorders
from figures import print_table, with_range
from overhead import chosen, measuring, verdict

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
IDLE_S, SETTLE_S, LOADED_S = 4, 2, 30
PERCENT, SLACK = 1.0, 0.3
ASKED = ("ping-pong", "nginx under wrk", "iperf3 TCP")


def busiest_percent(report, trace, begin_s, end_s):
    """Returns the cost of the CPU with the largest cost. Times are in seconds before the trace's end."""
    out = subprocess.run([report, "summary", "--format=json", "--from=-%.3fs" % begin_s, "--to=-%.3fs" % end_s, trace],
                         stdout=subprocess.PIPE, check=True).stdout
    return json.loads(out)["cost"]["busiest_cpu_percent"]


def measure(build, recorder, load, tmp):
    """Returns the cost before the rise, and the cost after it."""
    running, out = loads.Running(load, tmp), tmp + "/budget.nct"
    try:
        recording = recorders.Recording(recorder, out)
        recording.begun()
        time.sleep(IDLE_S)
        rise = time.monotonic()
        running.measure(LOADED_S)
        loaded = time.monotonic() - rise
        recording.end()
    finally:
        running.end()
    return (busiest_percent(build + "/netcost-report", out, loaded + IDLE_S, loaded),
            busiest_percent(build + "/netcost-report", out, loaded - SETTLE_S, 0.01))


def main():
    build, rows = sys.argv[1], []
    recorder = next(r for r in recorders.table(build) if r.name == "--budget=1")
    with tempfile.TemporaryDirectory(prefix="netcost-bench.") as tmp:
        for load in chosen([r for r in loads.table(build, tmp) if r.part == "overhead"], "BENCH_LOADS"):
            if load.name not in ASKED or load.missing():
                continue
            with measuring():
                rows.append((load, [measure(build, recorder, load, tmp) for _ in range(ROUNDS)]))
    print("## Does --budget=1 hold?\n")
    print("The load begins %d s after the recorder and goes on for %d s; percent of the busiest CPU's time, by `cost`, before "
          "it, and from %d s after its begin on. %d rounds: medians and extremes.\n" % (IDLE_S, LOADED_S, SETTLE_S, ROUNDS))
    print_table(["load", "before", "after"],
                [[load.name, with_range([b for b, _ in got], "%.2f"), with_range([a for _, a in got], "%.2f")]
                 for load, got in rows])
    for load, got in rows:
        after = [a for _, a in got]
        print(verdict("at most %.1f %% of the busiest CPU, %s" % (PERCENT + SLACK, load.name),
                      max(after) <= PERCENT + SLACK, "%.2f to %.2f %%" % (min(after), max(after))))
    print()


if __name__ == "__main__":
    main()
