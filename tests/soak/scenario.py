# SPDX-License-Identifier: BSD-2-Clause
"""scenario.py REPORT WITH WITHOUT EXPECTED... / ALLOWED...: checks that a load appears in the
expected categories only. WITH, WITHOUT: traces of the same load with and without a feature.
Each EXPECTED category must have ten times its share in WITHOUT, and at least 0.2 % of the
time. A category of another feature must not have both a tenth of the share of the first
EXPECTED category and more than in WITHOUT, unless it is one of ALLOWED. A !KEY in ALLOWED is
a category that must not change either."""
import csv
import io
import subprocess
import sys

# Features that need setup. All others occur in any traffic.
FEATURES = ["xdp_generic", "tc_ingress", "nf_ingress", "conntrack", "bridging", "prerouting_v4", "prerouting_v6",
            "forward_v4", "forward_v6", "local_v4_tunnel", "local_v6_tunnel", "gro", "driver_xdp",
            "send_netfilter", "local_unix", "local_netlink", "local_vsock", "local_alg"]


def shares(report, trace):
    out = subprocess.run([report, "--format=csv", "--table=inside", trace], check=True, stdout=subprocess.PIPE).stdout
    rows = [r for r in csv.DictReader(io.StringIO(out.decode())) if r["cpu"] == "all"]
    check_sums(rows)
    return {r["key"]: float(r["inclusive_percent"] or 0) for r in rows}


def check_sums(rows):
    """Children and self sum to the whole, for every category."""
    for r in rows:
        parts = sum(int(c["samples"]) for c in rows if c["parent"] == r["key"])
        assert int(r["samples"]) == int(r["self_samples"]) + parts, r
        assert int(r["samples"]) <= int(r["inclusive_samples"]), r


def main(report, with_feature, without, *rest):
    split = rest.index("/")
    expected, allowed = rest[:split], rest[split + 1:]
    a, b = shares(report, with_feature), shares(report, without)
    ok = True
    for key in expected:
        good = a[key] > max(10 * b[key], 0.2)
        ok &= good
        print("  %-16s %6.2f %% of time, without %6.2f %%%s" % (key, a[key], b[key], "" if good else ": too little"))
    for key in FEATURES + [k[1:] for k in allowed if k[0] == "!"]:
        if key in expected or key in allowed or a[key] <= max(a[expected[0]] / 10, b[key]):
            continue
        ok = False
        print("  %-16s %6.2f %% of time, without %6.2f %%: should be quiet" % (key, a[key], b[key]))
    sys.exit(not ok)


main(*sys.argv[1:])
