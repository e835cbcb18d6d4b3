#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_own_cost.sh OUT VERSION: of all that guest/test_own_cost.sh recorded it is known what a run of a softirq's programs costs,
# and it is the same.
. tests/lib.sh

for trace in "$1"/own-cost-*.nct; do
	"$REPORT" info --format=json "$trace" >"$tmp/$(basename "$trace").json"
done
expect "$2:own-cost-softirq-same" "$PYTHON" - "$tmp"/own-cost-*.json <<'END'
import json, statistics, sys
seen = [next(p for p in json.load(open(f))["cost"]["probes"] if p["key"] == "softirq") for f in sys.argv[1:]]
ns, wide = [p["ns_per_run"] for p in seen], [p["ci95_ns_per_run"] for p in seen]
print(ns, wide)
sys.exit(None in ns or len(ns) != 6 or any(abs(x - statistics.median(ns)) > max(2 * w, 0.1 * x) for x, w in zip(ns, wide)))
END
