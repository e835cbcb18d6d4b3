# SPDX-License-Identifier: BSD-2-Clause
"""intervals.py REPORT TRACE...: checks that in every trace the interval of a leaf is no larger
than by samples alone, and that the leaves sum to the whole."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../vectors"))
from report import Report  # noqa: E402

SOURCES = ("exact", "samples", "at least", None)
ROUNDING = 1e-6  # share of the time; percentages have 4 decimals, and times are whole ns
# includes the entry of programs, which samples do not find below the programs
OWN = "netcost_itself"


def check(name, tree, leaves):
    """Returns the number of leaves that samples estimate, and the errors."""
    wall = tree[0]["ns"]
    estimated, errors = 0, []
    for row in tree:
        if row["source"] not in SOURCES:
            errors.append("%s: %s: source %s" % (name, row["key"], row["source"]))
        if row["source"] != "samples" or row["key"] == OWN or row["sampled_ci95_percent"] is None:
            continue
        by_samples = row["sampled_ci95_percent"] / 100 * leaves["wall_ns"] + ROUNDING * leaves["wall_ns"] + 1
        estimated += 1
        if row["leaf"] and row["ci95_ns"] > by_samples:
            errors.append("%s: %s: +- %.0f ns, by samples +- %.0f" % (name, row["key"], row["ci95_ns"], by_samples))
    known = sum(row["ns"] for row in tree if row["leaf"] and row["ns"] is not None)
    if wall is not None and abs(known - leaves["sum_ns"]) > 1 + ROUNDING * wall:
        errors.append("%s: leaves sum to %.0f of %.0f ns" % (name, known, leaves["sum_ns"]))
    return estimated, errors


def main():
    program, *traces = sys.argv[1:]
    report = Report(program)
    estimated, failed = 0, []
    for trace in traces:
        for part in report.parts("summary", "--format=json", trace):
            n, errors = check(trace, part["cpu_time"]["tree"], part["cpu_time"])
            estimated += n
            failed += errors
    report.close()
    print("\n".join(failed[:20]))
    print("%d figures by samples in %d traces" % (estimated, len(traces)))
    return int(bool(failed) or (len(traces) > 1 and not estimated))


sys.exit(main())
