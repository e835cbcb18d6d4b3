# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what was counted by process: sorted, over time, compared, drawn, and with its energy.

expect crowd-keeps-rules run verify -q crowd.nct crowd-slower.nct crowd-noenergy.nct crowd-notimes.nct crowd-paused.nct crowd-evil.nct

golden processes-crowd.txt who --rows=4 crowd.nct
golden processes-crowd-wide.txt who --wide --rows=4 crowd.nct
golden processes-crowd.json who -n 3 --format=json crowd.nct
golden processes-crowd-name.txt who --by=name --sort=send --idle-watts=18 crowd.nct
golden processes-crowd-noenergy.txt who --by=name --sort=interrupted crowd-noenergy.nct
golden processes-by-user.txt who --by=user crowd.nct
golden processes-by-user.json who --by=user -n 2 --format=json crowd.nct
golden processes-by-container.txt who --by=container crowd.nct
golden processes-by-pod.txt who --by=pod crowd.nct
golden processes-by-pod.json who --by=pod -n 2 --format=json crowd.nct
golden processes-by-workload.txt who --by=workload crowd.nct
golden processes-by-image.csv who --by=image --format=csv crowd.nct
golden timeline-by-namespace.txt timeline --by=namespace --every=5s crowd.nct
golden processes-by-user-none.txt who --by=user processes.nct
golden processes-bad-sort.txt who --sort=colour crowd.nct
golden timeline-by-process.txt timeline --by=process --every=4s crowd.nct
golden timeline-by-process-wide.txt timeline --by=process --wide --every=4s crowd.nct
golden timeline-by-process.json timeline --by=process --every=10s --rows=2 --format=json crowd.nct
golden timeline-by-cgroup.txt timeline --by=cgroup --from=5 --rows=3 crowd.nct
golden timeline-by-cgroup.csv timeline --by=cgroup --every=10s --format=csv crowd.nct
golden timeline-by-evil.txt timeline --by=name --every=5s crowd-evil.nct
golden timeline-by-paused.txt timeline --by=process crowd-paused.nct
golden timeline-by-given.txt timeline --by=cgroup --every=10s --rows=2 --idle-watts=18 crowd.nct
golden timeline-given-alone.txt timeline --idle-watts=18 crowd.nct
golden timeline-by-user.txt timeline --by=user --every=5s crowd.nct
golden timeline-by-none.txt timeline --by=process full.nct
golden timeline-by-cpu.txt timeline --by=process --cpu=0 crowd.nct
golden timeline-top-alone.txt timeline --rows=3 crowd.nct
golden timeline-wide-alone.txt timeline --wide crowd.nct
golden diff-processes.txt diff crowd.nct crowd-slower.nct
golden diff-processes.json diff -n 2 --per=second --format=json crowd-noenergy.nct crowd-slower.nct
golden diff-processes.csv diff -n 3 --format=csv --table=processes crowd.nct crowd-slower.nct
golden diff-processes-paused.csv diff --format=csv --table=processes crowd-paused.nct crowd-noenergy.nct
golden diff-processes-one.txt diff full.nct crowd.nct

# If sends and receives have no time, the network time of a process is unknown, and not 0.
golden who-sort-notimes.txt who --sort=network --rows=3 crowd-notimes.nct
golden timeline-by-notimes.txt timeline --by=process --every=10s --rows=2 crowd-notimes.nct
golden diff-processes-notimes.csv diff --format=csv --table=processes crowd-notimes.nct crowd-noenergy.nct
drawn_unknown() {
	run plot who --script "$1" | grep -q "^set label 'not measured'"
}
notimes_drawn() {
	drawn_unknown crowd-notimes.nct && ! drawn_unknown crowd.nct
}
expect plot-processes-notimes notimes_drawn

# Unless --wide is given, text fits a terminal.
fits() {
	run "$@" >"$tmp/text" && awk 'length > 100 { print; wide = 1 } END { exit wide || !NR }' "$tmp/text"
}
for trace in crowd crowd-evil crowd-noenergy crowd-paused owners owners-some processes processes-pmu; do
	for by in process cgroup container name user pod namespace workload image; do
		expect "processes-fits-$trace-$by" fits who --by=$by $trace.nct
		expect "timeline-by-fits-$trace-$by" fits timeline --by=$by --every=5s $trace.nct
	done
done

# Rows have the right sums in a whole trace, in a part of it, and in a part that was cut out.
sums() {
	kind=$1
	shift
	run "$@" --format=json >"$tmp/sums.json" && "$PYTHON" tests/report/processes_traces.py check "$kind" "$tmp/sums.json"
}
expect processes-sums sums processes who crowd.nct
expect processes-sums-few sums processes who -n 1 --by=cgroup crowd.nct
expect processes-sums-user sums processes who --by=user crowd.nct
expect processes-sums-pod sums processes who --by=pod -n 1 crowd.nct
expect processes-sums-part sums processes who --from=3 --to=17 crowd.nct
expect processes-sums-given sums processes who --idle-watts=15 crowd.nct
expect timeline-by-sums sums timeline timeline --by=process crowd.nct
expect timeline-by-sums-every sums timeline timeline --by=cgroup --every=3s --rows=1 crowd.nct
expect timeline-by-sums-part sums timeline timeline --by=container --from=4.5 crowd.nct
expect timeline-by-sums-given sums timeline timeline --by=name --idle-watts=18 crowd.nct
expect diff-processes-sums sums diff diff -n 2 crowd.nct crowd-slower.nct
expect diff-owners-sums sums diff diff -n 1 owners.nct owners-after.nct
expect processes-owners-sums sums owners who owners.nct
expect processes-owners-sums-some sums owners who --by=cgroup -n 1 owners-some.nct
for trace in owners owners-some owners-after; do
	expect "processes-owned-sums-$trace" sums owned who --idle-watts=1 $trace.nct
done

# A process's share of the network energy is its share of the network time.
power_agrees() {
	run who --format=json "$@" crowd.nct >"$tmp/one.json" && run --format=json "$@" crowd.nct >"$tmp/two.json" &&
		"$PYTHON" tests/report/processes_traces.py check power "$tmp/one.json" "$tmp/two.json"
}
expect processes-power-agrees power_agrees
expect processes-power-agrees-given power_agrees --idle-watts=18

# Users are replaced by other numbers, except root. A user has the same number everywhere, and its
# times are unchanged.
by_user_scrubbed() {
	run scrub -q crowd.nct -o crowd-scrubbed.nct && run scrub -q --keep=users crowd.nct -o crowd-users.nct || return 1
	for trace in crowd crowd-scrubbed crowd-users; do
		run who --by=user --format=csv "$trace.nct" >"$tmp/$trace.csv" || return 1
	done
	"$PYTHON" tests/report/processes_traces.py users "$tmp/crowd.csv" "$tmp/crowd-scrubbed.csv" "$tmp/crowd-users.csv"
}
expect processes-users-scrubbed by_user_scrubbed

by_cut() {
	run cut -q --from=4 --to=15 crowd.nct -o crowd-cut.nct &&
		run timeline --by=process --format=csv crowd-cut.nct | cut -d, -f3- >"$tmp/one" &&
		run timeline --by=process --format=csv --from=4 --to=15 crowd.nct | cut -d, -f3- >"$tmp/two" &&
		cmp "$tmp/one" "$tmp/two"
}
expect timeline-by-cut by_cut
