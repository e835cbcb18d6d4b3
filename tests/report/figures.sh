# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: a figure has one value and one interval, whichever output prints it.

figures=$PWD/tests/report/figures.py
intervals=$PWD/tests/report/intervals.py
figures_in() {
	(cd "$tmp/t" && "$PYTHON" "$figures" "$reports" "$@")
}

# The recorder's overhead was counted all the time, and in windows.
golden figures.txt --full figures.nct
golden figures-windows.txt --full figures-windows.nct
golden figures-process.txt --by=process figures.nct
golden figures-who.txt who figures.nct
golden who-figures.json who --format=json figures.nct
golden figures-who-own.txt who --with-own-cost figures.nct
golden figures-who-windows.txt who figures-windows.nct
golden figures-screen.txt figures.nct
golden figures-screen-windows.txt figures-windows.nct
expect figures-keep-rules run verify -q figures.nct figures-windows.nct figures-little.nct figures-much.nct figures-late.nct
# A part that begins between two windows has rows and counters of the same time.
expect figures-cut-sums sh -c "'$REPORT' who --from=0.3 '$tmp/t/figures-late.nct' | grep 'differ from this by 0$'"

expect figures-agree figures_in same figures.nct figures-windows.nct figures-paused.nct windows.nct varied.nct energy.nct demo.nct
in_all && expect figures-agree-all figures_in same full.nct known.nct hardirq.nct noexact.nct calls.nct offline.nct \
	netonly.nct cycles.nct cycles-noexact.nct rxparts.nct steady.nct crowd.nct timed-windows.nct timed-crowd.nct
in_all && expect figures-agree-examples "$PYTHON" "$figures" "$reports" same examples/*.nct format/vectors/real-*.nct

# shellcheck disable=SC2046 # names without blanks
intervals_bounded() {
	(cd "$tmp/t" && "$PYTHON" "$intervals" "$reports" $(ls ./*.nct | grep -v mutant)) && "$PYTHON" "$intervals" "$reports" \
		examples/*.nct tests/report/traces/*.nct format/vectors/*.nct
}
expect intervals-bounded intervals_bounded

# shellcheck disable=SC2046 # names without blanks
unit_costs_bounded() {
	figures_in bounded $(cd "$tmp/t" && ls ./*.nct | grep -v mutant) && "$PYTHON" "$figures" "$reports" bounded examples/*.nct \
		format/vectors/real-*.nct
}
expect unit-costs-bounded unit_costs_bounded

# shellcheck disable=SC2046 # names without blanks
own_cost_agrees() {
	figures_in own $(cd "$tmp/t" && ls ./*.nct | grep -v mutant) && "$PYTHON" "$figures" "$reports" own tests/report/traces/*.nct "$tmp/t/figures.nct"
}
expect own-cost-agrees own_cost_agrees

# The first reading came 4 s after the start.
says_late() {
	run --full late.nct | tr -s '\n ' ' ' | grep -q 'the counters cover the time from the first tick to the last, 1.00 s of 5.00 s' && ! run --full rxparts.nct | grep -q 'counters cover the time'
}
expect late-start-is-a-caveat says_late

# The network's share differs by 3 % of its value, which is more than two intervals for that number
# of samples; in the other trace it differs by 7 %.
says_weak() {
	run --format=json "$1" | "$PYTHON" -c 'import json, sys
print([w["text"] for w in json.load(sys.stdin)["weaknesses"] if w["of"] == "network"])' >"$tmp/out" && cat "$tmp/out" && grep -q "$2" "$tmp/out"
}
expect little-is-no-caveat says_weak figures-little.nct '^\[\]$'
expect much-is-a-caveat says_weak figures-much.nct 'has 50.0 % of the CPU time, by samples 46.5'

# Samples of a stream over loopback find a fifth too little RX softirq; the windows of this trace show that. In the
# other trace the samples are right.
biased() {
	run --format=json "$1" | "$PYTHON" -c 'import json, sys
print([w["text"] for w in json.load(sys.stdin)["weaknesses"] if w["of"] == "windows"])' >"$tmp/out" && cat "$tmp/out" && grep -q "$2" "$tmp/out"
}
"$PYTHON" tests/report/thinned.py tests/report/traces/stream.nct "$tmp/t/biased.nct" 1 1000 500
expect bias-is-named biased biased.nct '"RX softirq" had 6.02 % of the time by exact counters, but .* in the 5.01 s in which both ran'
expect no-bias-is-named biased windows.nct '^\[\]$'
