#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A recording ends at the time that was asked for, to within 50 ms.
. tests/lib.sh
need_recorder

# lasts SECONDS ARGUMENTS...: checks the duration of a recording
lasts() {
	seconds=$1
	shift
	"$RECORD" -q -d "$seconds" -o "$tmp/d.nct" "$@" &&
		"$REPORT" summary --format=json "$tmp/d.nct" | "$PYTHON" -c '
import json, sys
info = json.load(sys.stdin)
late = info["trace"]["duration_s"] - float(sys.argv[1])
print("%.3f s late" % late)
sys.exit(not -0.01 <= late <= 0.05)' "$seconds"
}
for seconds in 1 3 6; do
	judge "duration-$seconds" "too much else runs here" lasts "$seconds"
	judge "duration-exact-$seconds" "too much else runs here" lasts "$seconds" --exact=entry --processes
done
