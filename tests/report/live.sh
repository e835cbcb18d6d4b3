# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: live, on a terminal: it shows what the commands print of the same window.

# live TRACE TEST...: runs tests of live.py
live() {
	trace=$1
	shift
	"$PYTHON" tests/report/live.py "$plain" "$trace" "$tmp" "$@"
}

if "$plain" live "$tmp/t/full.nct" 2>&1 | grep -q 'built without ncursesw'; then
	skip live "needs ncursesw"
else
	for name in views resized keys colors refused file_grows pipe cut_off damaged rotated ended_by_signal; do
		expect "live-$name" live "$PWD/examples/demo.nct" "$name"
	done
	expect live-latency live "$tmp/t/latency.nct" latency views
	for name in processes windows nosamples noexact owners hostile; do
		expect "live-of-$name" live "$tmp/t/$name.nct" views
	done
fi
