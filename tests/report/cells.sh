# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: a cell is the same in text, JSON, CSV and HTML.

cells=$PWD/tests/report/cells.py
cells_agree() {
	(cd "$tmp/t" && "$PYTHON" "$cells" "$reports" "$@")
}

# The traces have one of each kind of record, and there are pairs for diff.
expect cells-agree cells_agree full.nct noexact.nct nosamples.nct rxparts.nct known.nct latency-keys.nct latency-only.nct tail.nct \
	stages.nct owners-some.nct crowd.nct processes-pmu.nct others.nct drops.nct hardirq.nct windows.nct calls.nct uncertified.nct \
	energy.nct varied.nct set-after.nct demo.nct \
	waits.nct:waits-longer.nct ways.nct:ways-longer.nct owners.nct:owners-after.nct crowd.nct:crowd-slower.nct steady.nct:slower.nct
if in_all; then
	expect cells-agree-all cells_agree manycpus.nct offline.nct netonly.nct cycles.nct cycles-noexact.nct somecpus.nct latency.nct \
		owners.nct processes.nct nodrops.nct others-slower.nct certified.nct energy-noexact.nct energy-steady.nct \
		varied-steady.nct random.nct torn.nct oversum.nct crowd-noenergy.nct \
		owners-some.nct:owners.nct full.nct:hardirq.nct set-before.nct:set-after.nct steady.nct:steady-too.nct full.nct:others.nct
	expect cells-agree-examples "$PYTHON" "$cells" "$reports" examples/*.nct
fi
