# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: two traces, and what has changed.


golden diff.txt diff steady.nct slower.nct
golden diff-all.txt diff --all steady.nct slower.nct
golden diff.json diff --format=json --rows=3 steady.nct slower.nct
golden diff.csv diff --format=csv --rows=4 steady.nct slower.nct
# The same load is recorded with another sampling rate, duration, number of CPUs, and kernel.
golden diff-same.txt diff steady.nct steady-too.nct
golden diff-packet.txt diff --per=packet -n 2 steady.nct slower.nct
# Per GB, the network's cost is the unit cost.
per_gb() {
	run diff --per=GB --format=json demo.nct "$load" | "$PYTHON" -c 'if True:
		import json, sys
		diff = json.load(sys.stdin)
		row = [c for c in diff["categories"] if c["key"] == "network"][0]
		unit = [u for u in diff["unit_costs"] if u["key"] == "network_ms_per_interface_gb"][0]
		sys.exit(diff["unit"] != "cpu_ms_per_interface_gb" or
			 any(abs(row[side]["value"] / unit[side] - 1) > 0.05 for side in ("before", "after")))'
}
expect diff-per-gb per_gb
# Unit costs are tested, and marked.
units_are_marked() {
	run diff steady.nct slower.nct | grep -q '^  network, ns per interface packet .*[0-9]  +$' &&
		run diff steady.nct busy.nct | grep -q '^  network, ns per interface packet .*[0-9]  ~$'
}
expect diff-units-are-marked units_are_marked
# Per packet, the network has one mark: that of the costs.
one_answer() {
	run diff --per=packet --format=json steady.nct busy.nct | "$PYTHON" -c 'if True:
		import json, sys
		diff = json.load(sys.stdin)
		p = [r["p_corrected"] for t in ("categories", "unit_costs") for r in diff[t] if r["key"] in ("network", "network_ns_per_interface_packet")]
		sys.exit(len(p) != 2 or p[0] is None or p[0] != p[1])'
}
expect diff-one-answer one_answer
# A different size of packets is reported, and the recorder's own functions are not reported as
# changes.
other_size() {
	run diff --per=packet "$1" "$load" >"$tmp/out" && grep -q 'packets have [0-9]* bytes on average before, [0-9]* after' "$tmp/out" &&
		! run diff --per=packet steady.nct slower.nct | grep -q 'bytes on average' && ! run diff --per=GB "$1" "$load" | grep -q 'bytes on average'
}
expect diff-other-size other_size demo.nct
no_own() {
	run diff --all -n 5000 demo.nct "$load" >"$tmp/out" && ! grep -q 'bpf_prog_[0-9a-f]*_on_' "$tmp/out" &&
		run diff --all -n 5000 --with-own-cost demo.nct "$load" >"$tmp/out" && grep -q 'bpf_prog_[0-9a-f]*_' "$tmp/out"
}
expect diff-no-own no_own
golden diff-second.txt diff --per=second -n 2 steady.nct steady-too.nct
golden diff-parts.txt diff --of=network -n 3 slower.nct slower-parts.nct
# A bursty load has wider intervals.
golden diff-busy.txt diff -n 2 steady.nct busy.nct
golden diff-sampled.txt diff -n 2 steady.nct samples-only.nct
golden diff-cycles.txt diff -n 2 steady.nct cycles-only.nct
golden diff-short.txt diff -n 2 steady.nct short.nct
golden diff-packetless.txt diff --per=packet -n 2 steady.nct packetless.nct
golden diff-nosamples.txt diff full.nct nosamples.nct
golden diff-nosamples.json diff --format=json nosamples.nct full.nct
golden diff-bare.txt diff bare.nct steady.nct
golden diff-task.txt diff --task=100,101 -n 2 steady.nct slower.nct
golden diff-from.txt diff --from=2 --to=8 -n 2 steady.nct slower.nct
golden diff-rules.txt diff --rules=web.rules -n 2 steady.nct slower.nct

# Packet latency.
golden diff-latency.txt diff -n 1 waits.nct waits-longer.nct
golden diff-latency.csv diff --format=csv --table=latency waits.nct waits-longer.nct
golden diff-latency.json diff --format=json -n 1 waits-longer.nct waits.nct
golden diff-latency-short.txt diff --to=0.3 -n 1 waits.nct waits-longer.nct
golden diff-latency-one.txt diff -n 1 waits.nct slower.nct

# Packet paths.
golden diff-stages.txt diff -n 1 ways.nct ways-longer.nct
golden diff-stages.csv diff --format=csv --table=stages ways.nct ways-longer.nct
golden diff-paths.csv diff --format=csv --table=paths ways.nct ways-longer.nct
golden diff-stages.json diff --format=json -n 1 ways-longer.nct ways.nct
golden diff-stages-one.txt diff -n 1 ways.nct waits.nct

# For CI, status 4 reports a higher cost, and stderr names it.
golden diff-fail.txt diff --fail-above=5% -n 1 steady.nct slower.nct
golden diff-fail-less.txt diff --fail-above=5% -n 1 slower.nct slower-parts.nct
golden diff-fail-little.txt diff --fail-above=50 -n 1 steady.nct slower.nct
golden diff-fail-only.txt diff --fail-above=0 --only=sock_send,send_udp -n 1 steady.nct slower.nct
golden diff-fail.json diff --fail-above=5% --format=json -n 1 steady.nct slower.nct
golden diff-fail-short.txt diff --fail-above=5% -n 1 steady.nct short.nct
golden diff-fail-part.txt diff --fail-above=5% --only=driver_poll -n 1 slower-parts.nct slower.nct
golden diff-fail-part-missing.txt diff --fail-above=5% --only=driver_poll,tx_softirq -n 1 steady.nct slower.nct
# Status 5: no cost grew by more than the limit, but the spread would hide such a rise. Costs that
# are not judged do not matter.
golden diff-fail-unsure.txt diff --fail-above=5% -n 1 steady.nct busy.nct

# gives STATUS LIMIT ONLY BEFORE AFTER: checks the status of diff
gives() {
	status=0
	run diff --fail-above="$2" --only="$3" "$4.nct" "$5.nct" >"$tmp/out" 2>"$tmp/err" || status=$?
	[ "$status" -eq "$1" ] && case $1 in
	0) [ ! -s "$tmp/err" ] ;;
	4) grep -q 'above' "$tmp/err" && ! grep -q 'would not be seen' "$tmp/err" ;;
	5) grep -q 'times as long' "$tmp/err" ;;
	esac
}
expect fail-above gives 4 5% network,rx_softirq steady slower
expect fail-above-title gives 4 5% 'NETWORK,RX Softirq' steady slower
expect fail-above-one-of-two gives 4 1% rx_softirq,sock_send steady slower
expect fail-above-sees gives 0 5% sock_send steady slower
expect fail-above-hidden gives 5 1% sock_send steady slower
expect fail-above-fell gives 0 0.2% rx_softirq slower steady
expect fail-above-any gives 0 0 sock_send steady slower
expect fail-above-same gives 0 5% network steady steady-too
# The largest rise comes first.
rises_fall() {
	! run diff --fail-above=1% steady.nct slower.nct 2>&1 >/dev/null | sed 's/.*costs \([0-9.]*\) %.*/\1/' >"$tmp/rises" || true
	[ "$(wc -l <"$tmp/rises")" -ge 2 ] && sort -rn "$tmp/rises" | cmp - "$tmp/rises"
}
expect rises-fall rises_fall
# Costs of calls in windows of exact times are exact. A cost that is from samples in one trace only has no change.
units_of_windows() {
	run diff figures-windows.nct figures.nct >"$tmp/out" && grep -q '^  socket send, ns per call .*  ~$' "$tmp/out" &&
		grep -q '^  network, ns per interface packet .*[0-9]  *-  *-' "$tmp/out" && grep -q 'note:  *by samples alone, because' "$tmp/out"
}
expect diff-units-of-windows units_of_windows
# A percentage below its own spread says nothing: the change itself is reported.
vague() {
	! run diff --fail-above=5 --only=rx_softirq "$load" slower.nct >"$tmp/out" 2>"$tmp/err" &&
		grep -q '^Largest change: user, 18.7 more (spread' "$tmp/out" && grep -q 'rx_softirq costs 8.8 more (spread 3.1): from 3' "$tmp/err"
}
expect diff-vague vague
# A cost of the recorder that is known on one side only is reported.
own_cost_of_one() {
	run diff "$1" demo.nct | grep -q "note: *$2 is unknown" && ! run diff --with-own-cost "$1" demo.nct | grep -q "$2"
}
expect diff-own-cost-of-one own_cost_of_one real-2026-11.nct "before: the recorder's own cost"
expect diff-sample-cost-of-one own_cost_of_one "$PWD/tests/report/traces/stream.nct" "after: the cost of samples"
golden diff-wrong-only.txt diff --fail-above=5% --only=network,spam steady.nct slower.nct
golden diff-wrong-percent.txt diff --fail-above=much steady.nct slower.nct
golden diff-wrong-negative.txt diff --fail-above=-1% steady.nct slower.nct
golden diff-only-alone.txt diff --only=network steady.nct slower.nct
golden diff-one.txt diff steady.nct
golden diff-three.txt diff steady.nct slower.nct busy.nct
golden diff-missing.txt diff steady.nct missing.nct
golden diff-not-a-trace.txt diff text.nct steady.nct
golden help-diff.txt diff --help
run merge -q a=steady.nct b=slower.nct -o both.nct
golden diff-several.txt diff both.nct steady.nct
golden diff-part.txt diff --part=b -n 1 both.nct both.nct

# A trace compared with itself has no changes.
itself() {
	run diff --fail-above=0 examples.nct examples.nct >"$tmp/out" && grep -q '^0 of' "$tmp/out"
}
cp examples/demo.nct "$tmp/t/examples.nct"
expect diff-itself itself

# The number of hidden rows is right: --all shows exactly as many more.
counts_hidden() {
	run diff "$1" "$2" | grep -v 'all shows them' | sort >"$tmp/some" && run diff --all -n 1000 "$1" "$2" | sort >"$tmp/all" &&
		[ -z "$(comm -23 "$tmp/some" "$tmp/all")" ] &&
		run diff -n 1000 "$1" "$2" | sed -n 's/; --all shows them\.$//p' | tr -s ', a-z' '\n' | grep '[0-9]' >"$tmp/n" &&
		[ "$(comm -13 "$tmp/some" "$tmp/all" | grep -c '[0-9]')" -eq "$(awk '{ n += $1 } END { print n }' "$tmp/n")" ]
}
for pair in "steady slower" "steady steady-too" "waits waits-longer" "ways ways-longer" "slower slower-parts" "bare steady"; do
	expect "diff-counts-hidden-$(echo "$pair" | tr ' ' -)" counts_hidden "${pair% *}.nct" "${pair#* }.nct"
done

for i in $(seq 0 $((MUTANTS - 1))); do
	echo "/dev/null diff mutant-$i.nct full.nct"
done >"$tmp/mutants"
diffs_mutants() {
	survive -q <"$tmp/mutants"
}
expect diff-mutants diffs_mutants

# Pairs without a change, and some in which one function changed. Of 100 pairs
# each, 2, 5 and 2 are reported as different.
in_all || return 0
expect diff-of-known-truth "$PYTHON" tests/report/diff_traces.py check "$plain" "${DIFF_PAIRS:-100}"
