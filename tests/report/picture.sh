# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: folded gives what comes of the same samples by perf script and a collapse script:
# the multiset of stacks, of all, of each CPU and of each task.

# Of real traces: what stands for blanks and the like in a name is each tool's own affair.
head -c 30000 examples/demo.nct >"$tmp/t/demo-cut.nct"

# collapsed TRACE WHO: lines "who;outermost;…;innermost count", sorted
collapsed() {
	"$PYTHON" tests/report/as_perf.py "$tmp/t/$1" "$2" | "$PYTHON" tests/collapse.py | sort
}

same_picture() {
	run folded --idle --with-own-cost "$1" | sed 's/^/all;/' | sort >"$tmp/ours" && collapsed "$1" all >"$tmp/theirs" &&
		[ -s "$tmp/ours" ] && diff "$tmp/theirs" "$tmp/ours"
}

same_picture_per_cpu() {
	run folded --idle --with-own-cost --per-cpu "$1" | sort >"$tmp/ours" && collapsed "$1" cpu >"$tmp/theirs" &&
		[ -s "$tmp/ours" ] && diff "$tmp/theirs" "$tmp/ours"
}

# Of the names that have most samples, the idle task's among them.
same_picture_per_task() {
	collapsed "$1" task >"$tmp/theirs"
	awk -F';' '{ n = $0; sub(/.* /, "", n); count[$1] += n } END { for (t in count) print count[t], t }' \
		"$tmp/theirs" | sort -rn | head -n 5 >"$tmp/tasks"
	while read -r _ task; do
		run folded --idle --with-own-cost --task="$task" "$1" | sed "s|^|$task;|" | sort >"$tmp/ours"
		[ -s "$tmp/ours" ] && grep "^$task;" "$tmp/theirs" | diff - "$tmp/ours" || return 1
	done <"$tmp/tasks"
	[ -s "$tmp/tasks" ]
}

for trace in demo demo-cut real-2026-11; do
	expect "folded-is-perf-script-s-picture-$trace" same_picture "$trace.nct"
	expect "folded-is-perf-script-s-picture-per-cpu-$trace" same_picture_per_cpu "$trace.nct"
done
expect folded-is-perf-script-s-picture-per-task same_picture_per_task demo.nct
