# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: a cell is the same in text, JSON, CSV and HTML.

cells_agree() {
	(cd "$tmp/t" && "$PYTHON" "$cells" "$plain" full.nct nosamples.nct noexact.nct manycpus.nct offline.nct rxparts.nct \
		netonly.nct cycles.nct known.nct latency.nct latency-keys.nct tail.nct stages.nct) && "$PYTHON" "$cells" "$plain" examples/*.nct
}
cells=$PWD/tests/report/cells.py
expect cells-agree cells_agree
