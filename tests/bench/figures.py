# SPDX-License-Identifier: BSD-2-Clause
"""Medians with intervals, and tables, for the figures of the bench."""
import math
import statistics

LEVEL = 0.95


def interval(values):
    """Returns (low, median, high). The median lies between the sorted values low and high with a
    probability of at least LEVEL; with fewer than six values, they are the smallest and the
    largest."""
    v, n = sorted(values), len(values)
    below, k = 0.0, 0
    while k < n // 2:
        below += math.comb(n, k) / 2**n
        if 2 * below > 1 - LEVEL:
            break
        k += 1
    k = max(k, 1)
    return v[k - 1], statistics.median(v), v[n - k]


def held(n):
    """Returns the probability that interval() of n values contains the median."""
    k = next((k for k in range(n // 2, 0, -1) if 2 * sum(math.comb(n, i) for i in range(k)) / 2**n <= 1 - LEVEL), 1)
    return max(0, 1 - 2 * sum(math.comb(n, i) for i in range(k)) / 2**n)


def with_range(values, form):
    if len(values) == 1:
        return form % values[0]
    low, middle, high = interval(values)
    return "%s (%s to %s)" % tuple(form % v for v in (middle, low, high))


def number(x):
    return "%d" % round(x) if x >= 1000 else "%.3g" % x


def print_table(head, rows):
    """Returns a Markdown table with aligned columns: the first column to the left, the others to
    the right."""
    rows = [[str(c) for c in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]

    def line(row):
        cells = [c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))]
        print("| " + " | ".join(cells) + " |")

    line(head)
    print("|" + "|".join("-" * (w + 1) + ("-" if i == 0 else ":") for i, w in enumerate(widths)) + "|")
    for row in rows:
        line(row)
    print()
