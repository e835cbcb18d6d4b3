# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: export folded gives the same stacks as perf script with a collapse script:
# as a multiset, over all samples, by CPU and by task.

# Only real traces are compared, because each tool has its own replacement for blanks and similar
# characters in names.
head -c 30000 examples/demo.nct >"$tmp/t/demo-cut.nct"

# collapsed TRACE WHO: prints sorted lines "who;outermost;…;innermost count"
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

# Compares the names with the most samples, which include the idle task's.
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
