# SPDX-License-Identifier: BSD-2-Clause
"""unit_costs.py SUMMARY.json DIFF.json: have both the same unit costs, with the same intervals, and are there some?"""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)["unit_costs"]


def half_key(key):
    """"network_ns_per_..." has "network_ci95_ns_per_..."."""
    before, _, after = key.partition("_per_")
    what, _, unit = before.rpartition("_")
    return "%s_ci95_%s_per_%s" % (what, unit, after)


def near(a, b):
    return a is b is None or (None not in (a, b) and abs(a - b) <= 1e-3 + 1e-6 * abs(b))


def main(summary, diff):
    summary, rows = load(summary), load(diff)
    known = 0
    for row in rows:
        v, half = summary[row["key"]], summary[half_key(row["key"])]
        if not near(v, row["before"]) or not near(half, row["before_ci95"]):
            print(row, v, half)
            return 1
        known += half is not None and half > 0
    return 0 if known and 2 * len(rows) == len(summary) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
