# SPDX-License-Identifier: BSD-2-Clause
"""Checks a new kind of records (all_newkind.sh): its figures must be the same in all outputs.

    newkind.py schema|every|sums|same|scrubbed REPORT TRACE..."""
import json
import subprocess
import sys

VALUES = ("packets", "bytes", "dropped", "requeued", "overlimits")


def rows(report, trace, *options):
    text = subprocess.run([report, "counts", "qdisc_stats", "--format=json", *options, trace], check=True, capture_output=True).stdout
    return json.loads(text)["rows"]


def totals(rows_):
    """Returns the sums of each value by interface, and by kind if the kind is known."""
    sums = {}
    for r in rows_:
        for v in VALUES:
            if r[v] is not None:
                key = r["interface"], r["kind"], v
                sums[key] = sums.get(key, 0) + r[v]
    return sums


def schema(report, trace):
    import jsonschema

    whole = json.loads(subprocess.run([report, "schema"], check=True, capture_output=True).stdout)
    text = subprocess.run([report, "counts", "qdisc_stats", "--format=json", trace], check=True, capture_output=True).stdout
    jsonschema.validate(json.loads(text), whole)
    return True


def every(report, trace):
    return totals(rows(report, trace, "--every=300ms")) == totals(rows(report, trace))


def sums(report, whole, first, second):
    parts = [totals(rows(report, t)) for t in (first, second)]
    return totals(rows(report, whole)) == {k: sum(p.get(k, 0) for p in parts) for k in parts[0]}


def same(report, trace, other, *options):
    return rows(report, trace) == rows(report, other, *options)


def scrubbed(report, trace, other):
    """Checks that only the names of interfaces differ, and that no old name is left. The interface lo keeps its
    name."""
    a, b = (sorted(tuple(r[v] for v in VALUES) + (r["kind"],) for r in rows(report, t)) for t in (trace, other))
    return a == b and not {"eth0"} & {r["interface"] for r in rows(report, other)}


if __name__ == "__main__":
    ok = {"schema": schema, "every": every, "sums": sums, "same": same, "scrubbed": scrubbed}[sys.argv[1]](*sys.argv[2:])
    sys.exit(0 if ok else 1)
