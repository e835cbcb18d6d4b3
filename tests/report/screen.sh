# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: the summary as one screen.

for trace in full nosamples noexact windows energy processes cycles damaged private; do
	golden "screen-$trace.txt" "$trace.nct"
done
golden screen-demo.txt demo.nct
golden screen-per.txt --per=requests=1000 full.nct
golden screen-cpu.txt --cpu=0 demo.nct
golden screen-task.txt --task=iperf3 demo.nct

screen=$PWD/tests/report/screen.py
# Each screen fits, and has the figures of JSON.
# shellcheck disable=SC2046 # names without blanks
screens_fit() {
	(cd "$tmp/t" && "$PYTHON" "$screen" "$plain" $(ls ./*.nct | grep -v mutant)) &&
		"$PYTHON" "$screen" "$plain" examples/*.nct tests/report/traces/*.nct format/vectors/real-*.nct
}
expect screens-fit screens_fit

# A figure has one interval: the network of a single task is the task's.
one_interval() {
	"$report" --task=186 "$load" | sed -nE 's/^  (network|iperf3 \(186\)) +([0-9.]+ \+- +[0-9.]+).*/\2/p' >"$tmp/out"
	[ "$(wc -l <"$tmp/out")" -eq 2 ] && [ "$(uniq "$tmp/out" | wc -l)" -eq 1 ] || { cat "$tmp/out" && return 1; }
}
expect one-interval one_interval

# A pager is used for output that is longer than the terminal, which has 50 lines. It is not used
# for shorter output, or if it is disabled.
pager() {
	"$PYTHON" tests/report/terminal.py 80 "$plain" "$@" "$tmp/t/full.nct" >"$tmp/out" && ! grep -q '^paged' "$tmp/out"
}
pager_is_used() {
	NETCOST_PAGER='sed s/^/paged/' "$PYTHON" tests/report/terminal.py 80 "$plain" --full "$tmp/t/full.nct" >"$tmp/out" &&
		[ "$(grep -c '^paged' "$tmp/out")" -gt 50 ] && ! grep -qv '^paged' "$tmp/out"
}
pager_is_not_used() {
	(export NETCOST_PAGER='sed s/^/paged/' && pager && pager --full --no-pager) && (export NETCOST_PAGER='' PAGER='sed s/^/paged/' && pager --full) &&
		(export NETCOST_PAGER=cat && pager --full) && (export NETCOST_PAGER='sed s/^/paged/' && "$plain" --full "$tmp/t/full.nct") | grep -c '^paged' | grep -qx 0
}
pager_is_missing() {
	(export NETCOST_PAGER=no-such-pager && pager --full) && [ "$(wc -l <"$tmp/out")" -gt 50 ]
}
expect pager-is-used pager_is_used
expect pager-is-not-used pager_is_not_used
expect pager-is-missing pager_is_missing
