# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: accuracy, against figures known by hand and against a second computation.

for trace in known full nosamples noexact offline; do
	golden "accuracy-$trace.txt" accuracy "$trace.nct"
done
golden accuracy-known.json accuracy --format=json known.nct
golden accuracy-known.csv accuracy --format=csv known.nct
golden accuracy-all.txt accuracy --all --cpu=0 --every=1s random.nct
run merge -q a=offline.nct b=full.nct -o two.nct
golden accuracy-parts.csv accuracy --format=csv two.nct
golden accuracy-part.txt accuracy --part=b --cpu=0 two.nct
golden accuracy-task.txt accuracy --task=load known.nct
golden accuracy-precision.txt accuracy --precision=6 known.nct
golden accuracy-bare.txt accuracy bare.nct
golden accuracy-bad-precision.txt accuracy --precision=0 full.nct
golden accuracy-nosamples.json accuracy --format=json nosamples.nct
golden help-accuracy.txt accuracy --help

# Checks known.nct by hand: send is 20 % by exact times, and 25 or 15 by samples; receive is one
# point too large; RX is right. Half of the CPU is not idle, with 500 samples a second: theory for
# send is 50 sqrt(0.4 * 0.6 / 500).
known_by_hand() {
	run accuracy --format=csv known.nct | awk -F , '
		$4 == 1000 { got[$2] = $6 " " $8 " " $9 " " $10; theory[$2] = $11 }
		END {
			for (i in got) print i, got[i], theory[i]
			exit !(got["sock_send"] == "8 0.000000 5.000000 5.000000" &&
				got["sock_recv"] == "8 1.000000 1.000000 1.000000" &&
				got["rx_softirq"] == "8 0.000000 0.000000 0.000000" &&
				got["user_and_other_kernel"] == "8 -1.000000 5.000000 5.099020" &&
				theory["sock_send"] == sprintf("%.6f", 50 * sqrt(0.4 * 0.6 / 500)))
		}'
}
expect accuracy-known-by-hand known_by_hand
for trace in known random passing; do
	expect "accuracy-second-computation-$trace" "$PYTHON" tests/report/accuracy.py "$report" "$tmp/t/$trace.nct"
done

# With one cell per CPU, the figures equal those of summary for the same time.
accuracy_is_summary() {
	for trace in known random; do
		run summary --format=csv --from=0.6 --to=1.2 "$trace.nct" >"$tmp/s.csv" &&
			run accuracy --every=10s --format=json --from=0.6 --to=1.2 "$trace.nct" >"$tmp/a.json" || return 1
		"$PYTHON" - "$tmp/a.json" "$tmp/s.csv" <<'PY' || return 1
import csv, json, sys
mine = {i["name"]: i for i in json.load(open(sys.argv[1]))["items"] if i["kind"] == "event"}
n = 0
for row in csv.DictReader(open(sys.argv[2])):
    item = mine.get(row["leaf"])
    if row["cpu"] == "all" and item and row["sampled_percent"]:
        n += 1
        print(row["leaf"], item["whole_sampled_percent"], row["sampled_percent"])
        assert abs(item["whole_sampled_percent"] - float(row["sampled_percent"])) < 1e-4
        assert abs(item["whole_sampled_ci95_points"] - float(row["sampled_ci95_percent"])) < 1e-4
assert n > 3
PY
	done
}
expect accuracy-is-summary accuracy_is_summary

# The memory is limited: a trace of 300 CPUs may have 266 intervals, and 267 are refused.
limited() {
	"$PYTHON" - "$tmp/t" <<'END' || return
import sys
sys.path.insert(0, "tests/report")
import make_traces as t
CPUS = list(range(300))
for name, n in ("few", 266), ("many", 267):
    trace = t.Trace(k8=CPUS, **t.HOST, **t.WITH_SAMPLES, k13=10, k14="entry", k15=1, k18=t.START)
    trace.frame(t.START, t.START + n * t.MS, [0] * 300)
    for i in range(n + 1):
        at = t.START + i * t.MS
        trace.add(t.TICK, {1: at, 2: CPUS, 3: [at] * 300})
    trace.end(0, 0, 0, 0)
    trace.write("%s/%s-bins.nct" % (sys.argv[1], name))
END
	status=0
	run accuracy few-bins.nct >/dev/null 2>"$tmp/few" || status=$?
	cat "$tmp/few"
	! grep -q 'too many' "$tmp/few" || return
	! run accuracy many-bins.nct >/dev/null 2>"$tmp/many" && grep -q 'has too many ticks for one row per tick' "$tmp/many"
}
expect accuracy-limited limited
