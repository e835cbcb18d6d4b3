# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what is printed of a trace, and of a part of it.

for trace in full nosamples noexact manycpus offline; do
	golden "summary-$trace.txt" summary --full "$trace.nct"
	golden "summary-$trace.json" summary --format=json "$trace.nct"
	golden "summary-$trace.csv" summary --format=csv "$trace.nct"
done

# Hard interrupts of network devices, which samples do not show.
golden summary-hardirq.txt --full hardirq.nct
golden summary-hardirq.json --format=json hardirq.nct
golden summary-hardirq.csv --format=csv hardirq.nct
golden by-cpu-hardirq.txt --by=cpu hardirq.nct
golden timeline-hardirq.txt timeline hardirq.nct
golden accuracy-hardirq.txt accuracy hardirq.nct
golden diff-hardirq.txt diff full.nct hardirq.nct
expect hardirq-keeps-rules run verify -q hardirq.nct

# Recordings have certificates that passed or failed. A part shows those of the whole recording.
golden summary-certified.txt --full certified.nct
golden info-certified.txt info certified.nct
golden summary-uncertified.txt --full uncertified.nct
golden summary-uncertified.json --format=json uncertified.nct
run cut --from 0.1 certified.nct -o certified-part.nct 2>/dev/null
golden summary-certified-part.txt --full certified-part.nct
golden summary-certified-window.txt --full --from=0.1 certified.nct
sealed() {
	run html -o - --no-charts "$1.nct" | grep -c "$2"
}
certified_pages() {
	[ "$(sealed certified '<p class="alert seal">CERTIFIED, at the')" = 2 ] &&
		[ "$(sealed uncertified '<p class="alert bad">NOT CERTIFIED, at the start')" = 1 ] &&
		[ "$(sealed uncertified '<p class="alert">NOT CERTIFIED, at the end')" = 1 ] &&
		! run html -o - --no-charts full.nct | grep -q CERTIFIED
}
expect certified-pages certified_pages
certified_scrubbed() {
	run scrub -q uncertified.nct -o scrubbed-certificate.nct &&
		[ "$(run dump uncertified.nct | grep '^{"type":"certificate"')" = "$(run dump scrubbed-certificate.nct |
			grep '^{"type":"certificate"')" ]
}
expect certificates-are-not-private certified_scrubbed
expect certified-keeps-rules run verify -q certified.nct uncertified.nct certified-part.nct

# Counters by process, by cgroup and by container, for the whole and for a part, are shown with
# their sums next to those of the CPUs.
for by in process cgroup container; do
	golden "processes-$by.txt" who "--by=$by" processes.nct
	golden "processes-$by.json" who "--by=$by" --format=json processes.nct
done
golden processes-bytes.csv who --sort=bytes -n 2 --format=csv processes.nct
golden processes-part.txt who --from=0.5 processes.nct
golden processes-none.txt who full.nct
golden help-processes.txt who --help
run scrub -q processes.nct -o scrubbed-processes.nct
golden processes-scrubbed.txt who scrubbed-processes.nct
# The trace has hardware counters, of which one is missing and two are multiplexed.
golden processes-pmu.txt who processes-pmu.nct
golden processes-pmu.json who --by=cgroup --format=json processes-pmu.nct
expect processes-keep-rules run verify -q processes.nct scrubbed-processes.nct processes-pmu.nct

# Receivers of packets are shown for the whole, for a part of the time, and from one softirq in ten.
golden processes-owners.txt who owners.nct
golden processes-owners.json who --format=json owners.nct
golden processes-owners-cgroup.txt who --by=cgroup -n 1 owners.nct
golden processes-owners-part.txt who --from=0.5 owners.nct
golden processes-owners-some.txt who owners-some.nct
golden processes-owners-some.json who --format=json owners-some.nct
golden processes-owners-received.csv who --format=csv --table=received owners-some.nct
golden processes-owners-fates.csv who --format=csv --table=fates owners-some.nct
golden processes-owners-none.txt who --format=csv --table=received full.nct
golden diff-owners.txt diff owners.nct owners-after.nct
golden diff-owners-some.txt diff -n 1 --per=second owners.nct owners-some.nct
golden diff-owners.csv diff --format=csv --table=processes owners.nct owners-after.nct
golden diff-owners-some-fates.csv diff --format=csv --table=fates owners-some.nct owners-after.nct
golden diff-owners-some.csv diff --format=csv --table=processes owners-some.nct owners-after.nct
golden diff-owners-fates.csv diff --format=csv --table=fates owners.nct owners-after.nct
golden diff-owners.json diff -n 2 --format=json owners.nct owners-after.nct
run scrub -q owners.nct -o scrubbed-owners.nct
golden processes-owners-scrubbed.txt who scrubbed-owners.nct
expect owners-keep-rules run verify -q owners.nct owners-some.nct scrubbed-owners.nct

# Packet latency is shown for the whole, for a part of the time, and for a trace without it.
golden latency.txt latency latency.nct
golden latency.json latency --format=json latency.nct
golden latency.csv latency --format=csv latency.nct
golden latency-histogram.txt latency --histogram=udp-socket-read latency.nct
golden latency-histogram.json latency --histogram=receive --format=json latency.nct
golden latency-part.txt latency --from=0.5 latency.nct
golden latency-none.txt latency full.nct
for by in interface cgroup process; do
	golden latency-by-$by.txt latency --by=$by latency.nct
done
golden latency-by-wide.txt latency --by=cgroup --wide latency.nct
golden latency-by.json latency --by=interface --format=json latency.nct
golden latency-by.csv latency --by=process --format=csv latency.nct
golden latency-by-none.txt latency --by=process full.nct
golden latency-by-histogram.txt latency --by=process --histogram=receive latency.nct
# Packets that are in no row are reported.
without_row() {
	run latency --by=process latency-keys-less.nct | grep -q 'packets without a row: counted, but not by process: udp-socket-read [0-9]* of' &&
		! run latency --by=process latency-keys.nct | grep -q 'without a row'
}
expect latency-without-row without_row
golden latency-by-every.txt latency --by=process --every=500ms latency-keys.nct
golden latency-by-every-interface.txt latency --by=interface --every=1s latency-keys.nct
golden latency-by-every-wide.txt latency --by=cgroup --every=1s --wide latency-keys.nct
golden latency-by-every.json latency --by=interface --every=1ms --from=0.875 --format=json latency-keys.nct
golden latency-by-every.csv latency --by=process --every=500ms --format=csv latency-keys.nct
golden latency-by-every-none.txt latency --by=process --every=1s full.nct
for trace in latency latency-keys; do
	expect "latency-by-every-sums-$trace" "$PYTHON" tests/report/waits.py "$report" every "$tmp/t/$trace.nct"
done
expect latency-keys-keeps-rules run verify -q latency-keys.nct
golden latency-wide.txt latency --wide latency.nct
golden latency-every.txt latency --every=500ms latency.nct
golden latency-every.json latency --every=1ms --from=0.5 --format=json latency.nct
golden latency-every.csv latency --every=10s --format=csv latency.nct
golden latency-every-none.txt latency --every=1s full.nct
golden latency-every-histogram.txt latency --every=1s --histogram=receive latency.nct
golden latency-only.txt latency latency-only.nct
golden latency-only.json latency --format=json latency-only.nct
golden latency-only-by.txt latency --by=interface latency-only.nct
golden latency-tail.txt latency --tail tail.nct
golden latency-tail.json latency --tail --format=json tail.nct
golden latency-tail.csv latency --tail --format=csv tail.nct
golden latency-tail-none.txt latency --tail latency.nct
golden latency-tail-part.txt latency --tail --from=0.5 tail.nct
one_sample() {
	run latency --tail --from=0.5 tail-one.nct >"$tmp/out" && grep -q 'of 1 sample: ' "$tmp/out" && ! grep -q 'of 1 samples' "$tmp/out"
}
expect latency-tail-one-sample one_sample
golden timeline-latency.txt timeline latency.nct
golden timeline-latency.csv timeline --format=csv latency.nct
golden timeline-latency-every.txt timeline --latency=receive --every=1s latency.nct
golden timeline-latency-cpu.txt timeline --latency=receive --cpu=0 latency.nct
golden timeline-latency-by.txt timeline --latency=receive --by=process latency.nct
golden help-latency.txt latency --help
golden info-latency.txt info latency.nct
expect latency-keep-rules run verify -q latency.nct latency-only.nct

# Packet paths are shown for the whole, for a part of the time, and for a trace without them.
golden stages.txt path stages.nct
golden stages.json path --format=json stages.nct
golden stages.csv path --format=csv stages.nct
golden stages-part.txt path --from=0.6 stages.nct
golden stages-none.txt path full.nct
golden stages-by-interface.txt path --by=interface stages.nct
golden stages-by-netns.csv path --by=netns --format=csv stages.nct
golden stages-by-flow.txt path --by=flow stages.nct
golden stages-by-none.txt path --by=flow full.nct
golden help-stages.txt path --help
expect stages-keep-rules run verify -q stages.nct

# Calls without times are estimated from samples, and never shown as 0 or as exact.
golden summary-calls.txt --full calls.nct
golden summary-calls.json --format=json calls.nct
golden by-cpu-calls.txt --by=cpu calls.nct
golden accuracy-calls.txt accuracy calls.nct
expect calls-keep-rules run verify -q calls.nct

# The trace has exact counters in windows, and samples in the pauses between them.
golden summary-windows.txt --full windows.nct
golden summary-windows.json --format=json windows.nct
golden by-cpu-windows.txt --by=cpu windows.nct
golden timeline-windows.txt timeline windows.nct
golden accuracy-windows.txt accuracy windows.nct
golden summary-windows-part.txt --full --from=0.5 windows.nct
expect windows-keep-rules run verify -q windows.nct

# Drops and counters of protocols are counted, measured as zero, or not measured (all other traces).
golden screen-drops.txt drops.nct
golden summary-drops.txt --full drops.nct
golden summary-drops.json --format=json drops.nct
golden summary-drops.csv --format=csv --table=all drops.nct
golden summary-drops-cpu.txt --full --cpu=1 drops.nct
golden summary-drops-part.txt --full --from=1 drops.nct
golden dump-drops.txt dump drops.nct
drops_page() {
	run html -o - --no-charts drops.nct | tr -d '\n' | grep -q 'Drops and retransmits.*SOCKET_RCVBUFF' &&
		! run html -o - --no-charts nodrops.nct | grep -q 'Drops and retransmits' &&
		! run html -o - --no-charts full.nct | grep -q 'Drops and retransmits'
}
expect drops-in-page drops_page
no_drops() {
	run --format=json nodrops.nct | tr -d ' \n' | grep -q '"drops":{"packets":0,"counts":\[\]}' &&
		run --format=json full.nct | tr -d ' \n' | grep -q '"drops":{"packets":null,"counts":\[\]}' &&
		! run nodrops.nct | grep -q 'Drops and retransmits'
}
expect no-drops no_drops
expect drops-keep-rules run verify -q drops.nct nodrops.nct

# Other BPF programs are in the packet path or not, start late, end early, or are not measured (all
# other traces).
golden summary-others.txt --full others.nct
golden summary-others.json --format=json others.nct
golden summary-others.csv --format=csv --table=all others.nct
golden summary-others-cpu.txt --full --cpu=0 others.nct
golden info-others.txt info others.nct
golden diff-others.txt diff others.nct others-slower.nct
golden diff-others.json diff --format=json --rows=1 full.nct others.nct
others_page() {
	run html -o - --no-charts others.nct | tr -d '\n' | grep -q "BPF programs on the packet path.*filter_in" &&
		! run html -o - --no-charts full.nct | grep -q "BPF programs on the packet path"
}
expect others-in-page others_page
expect others-keep-rules run verify -q others.nct

for trace in cut wrong bare contradiction; do
	golden "summary-$trace.txt" --full "$trace.nct"
done

# If END lacks a total, the total is unknown: it is neither 0 nor wrong.
no_totals() {
	run nototals.nct >"$tmp/out" 2>"$tmp/err" && ! grep -q WRONG "$tmp/out" && [ ! -s "$tmp/err" ] &&
		run verify -q nototals.nct
}
expect no-totals no_totals

# Exact times that do not sum to the elapsed time are reported in the text, in JSON, on the page,
# and by verify.
golden summary-oversum.txt --full oversum.nct
golden verify-oversum.txt verify oversum.nct
says_sums() {
	"$@" oversum.nct | tr -s '\n ' ' ' | grep -q "$says" && "$@" full.nct >"$tmp/out" && ! grep -q "do not sum" "$tmp/out"
}
says='in 1 of 4 readings the exact times do not sum to the elapsed time (the first sum: 1.97 s of 500 ms)'
expect sums-in-text says_sums run summary
expect sums-in-json says_sums run summary --format=json
expect sums-in-page says_sums run html -o - --no-charts

# CPU 1 alone is consistent.
sums_of_others() {
	run summary --cpu=1 oversum.nct >"$tmp/out" && ! grep -q "do not sum" "$tmp/out"
}
expect sums-of-others-only sums_of_others

# Torn readings are not an error, even if a cut begins with one. The summary reports them.
says_torn() {
	run verify -q torn.nct && run cut -q --from=0.5 torn.nct -o again.nct && run verify -q again.nct &&
		run torn.nct | tr -s '\n ' ' ' | grep -q 'in 2 of 4 readings the exact times do not sum'
}
expect sums-torn says_torn
golden summary-manycpus-all.txt --full --all-cpus manycpus.nct
golden summary-other.json --other --format=json noexact.nct
golden summary-inside.csv --format=csv --table=inside full.nct
golden summary-inside-nosamples.csv --format=csv --table=inside nosamples.nct
golden summary-all-other.txt --all --other full.nct

# ---- rules

golden summary-rules.txt --full --rules=web.rules full.nct
golden folded-rules.txt folded --rules=web.rules full.nct
golden rules.txt rules --rules=web.rules full.nct
golden rules.json rules --rules=web.rules --format=json full.nct
golden rules.csv rules --rules=web.rules --format=csv full.nct
golden rules-format.txt rules --format=csv
golden rules-wrong.txt --rules=wrong.rules full.nct
golden rules-missing.txt rules --rules=missing.rules
golden rules-directory.txt rules --rules=.
golden help-rules.txt rules --help

rules_are_the_file() {
	run rules >"$tmp/rules" && cmp "$tmp/rules" examples/rules/default.rules &&
		run rules --rules=web.rules >"$tmp/rules" && cmp "$tmp/rules" examples/rules/web.rules
}
expect rules-are-the-file rules_are_the_file

# The rules printed for a trace are a rules file that classifies this trace like the full rules.
rules_of_trace() {
	run rules demo.nct >"$tmp/t/demo.rules" && run --all demo.nct >"$tmp/one" &&
		run --all --rules=demo.rules demo.nct | grep -v '^Classified by' >"$tmp/two" && cmp "$tmp/one" "$tmp/two"
}
expect rules-of-trace rules_of_trace

# ---- functions, tasks, intervals

golden top.txt top full.nct
golden top-all.txt top --of=all -n 4 full.nct
golden top.json top --format=json -n 2 full.nct
golden top.csv top --format=csv --of=all full.nct
golden top-none.txt top nosamples.nct
golden help-top.txt top --help
golden help-timeline.txt timeline --help
for by in cpu task process cgroup interval; do
	golden "by-$by.txt" --by="$by" full.nct
	golden "by-$by.json" --by="$by" --format=json full.nct
	golden "by-$by.csv" --by="$by" --format=csv full.nct
done
golden by-cpu-others.txt --by=cpu -n 3 manycpus.nct
golden by-task-others.txt --by=task -n 1 full.nct
golden by-task-others.csv --by=task -n 1 --format=csv full.nct
golden by-task-noexact.txt --by=task noexact.nct
golden by-task-nosamples.txt --by=task nosamples.nct
golden by-interval-others.json --by=interval -n 1 --format=json full.nct
golden by-cgroup-none.txt --by=cgroup nosamples.nct
golden by-cgroup-parts.csv --by=cgroup --format=csv private.nct
golden by-bare.txt --by=cpu bare.nct
golden by-wrong.txt --by=socket full.nct
golden by-missing.txt -n 3 full.nct
golden by-inside.txt --by=cpu --format=csv --table=inside full.nct
golden table-unknown.txt summary --format=csv --table=cost full.nct
golden table-ambiguous.txt summary --format=csv --table=programs full.nct
golden table-by-path.csv summary --format=csv --table=cost.programs full.nct
golden table-keyed.csv summary --format=csv --table=unit_costs full.nct
golden table-parts.csv summary --format=csv --table=interfaces parts.nct
golden table-not-recorded.txt summary --format=csv --table=certificates full.nct
golden table-without-csv.txt summary --table=leaves full.nct
golden table-not-json.txt verify --format=json --table=messages full.nct
for trace in full nosamples noexact offline; do
	golden "timeline-$trace.txt" timeline "$trace.nct"
done
golden timeline.json timeline --format=json full.nct
golden timeline.csv timeline --format=csv full.nct
golden timeline-every.txt timeline --every=600ms full.nct
golden timeline-bare.txt timeline bare.nct
golden timeline-bad-every.txt timeline --every=-1s full.nct
golden timeline-manycpus.csv timeline --format=csv manycpus.nct

# ---- a part of the data only

golden only-cpu.txt --full --cpu=1 full.nct
golden only-cpu.json --cpu=0 --format=json full.nct
golden only-task.txt --full --task=0 full.nct
golden only-task.json --task=100,101 --format=json full.nct
golden only-cgroup.txt --cgroup=/ --by=task full.nct
golden only-time.txt --full --from=0.6 --to=900ms full.nct
golden only-timeline.txt timeline --from=0.6 --cpu=0 --task=100 full.nct
golden only-top.txt top --of=all --cpu=1 full.nct
golden only-folded.txt folded --idle --task=swapper full.nct
golden only-flamegraph.svg flamegraph --cpu=0 --task=100 full.nct
golden only-bad-time.txt timeline --from=1x full.nct
golden only-bad-cpu.txt top --cpu=0- full.nct
golden only-no-cpu.txt folded --cpu=7 full.nct
golden only-no-task.txt --full --task=none,7 full.nct
golden only-no-cgroup.txt --full --cgroup=/none full.nct
golden only-no-cgroups.txt --full --cgroup=/ nosamples.nct
golden only-no-mark.txt timeline --from=mark:none full.nct
golden only-nothing.txt --full --from=7 full.nct

# A selected window gives the same report as a trace made by cut, from a file and from a pipe.
window_is_cut() {
	run cut -q --from=0.4 full.nct -o again.nct || return 1
	for command in folded "top --of=all --format=csv" "--by=task --format=csv" "--format=csv" "--format=csv --table=inside"; do
		# shellcheck disable=SC2086 # a command and its options
		run $command again.nct >"$tmp/before" && run $command --from=0.4 full.nct >"$tmp/after" &&
			cmp "$tmp/before" "$tmp/after" && cat "$tmp/t/full.nct" | run $command --from=0.4 - >"$tmp/after" &&
			cmp "$tmp/before" "$tmp/after" || return 1
	done
}
expect window-is-cut window_is_cut
mkdir "$tmp/windows"
expect windows-are-cuts "$PYTHON" tests/report/windows.py "$REPORT" "$tmp/windows" examples/demo.nct "$tmp/t/full.nct" \
	"$tmp/t/torn.nct" "$tmp/t/cycles.nct"

# A window has a row for each interval between ticks that keep the rules, as the same window has after cut.
window_of_mutants() {
	for trace in "$tmp"/t/mutant-*.nct; do
		run cut -q --from=0.2 --to=0.8 "${trace##*/}" -o again.nct 2>/dev/null || [ $? -eq 1 ]
		run timeline --format=csv again.nct 2>/dev/null | cut -d , -f 3- >"$tmp/before"
		run timeline --format=csv --from=0.2 --to=0.8 "${trace##*/}" 2>/dev/null | cut -d , -f 3- >"$tmp/after"
		cmp "$tmp/before" "$tmp/after" || { echo "$trace" && return 1; }
		rm -f "$tmp/t/again.nct"
	done
}
expect window-of-mutants window_of_mutants

# Rows agree with other commands for the same data that do not use rows.
for trace in demo real-2026-11; do
	file=examples/demo.nct
	[ "$trace" = demo ] || file=format/vectors/$trace.nct
	expect "rows-$trace" "$PYTHON" tests/report/rows.py "$report" "$file"
done

# No text is a formula for a spreadsheet. Numbers are unchanged, even negative ones.
no_formulas() {
	run "$@" =formulas.nct >"$tmp/csv" && "$PYTHON" - "$tmp/csv" <<'END'
import csv, re, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
cells = [cell for row in rows for cell in row]
bad = [c for c in cells if c[:1] in ("=", "+", "-", "@", "\t") and not re.fullmatch(r"-?[0-9.]+", c)]
sys.exit("formulas: %s" % bad if bad else None if any(c.startswith("'=") for c in cells) else "no text at all")
END
}
for command in "summary --by=task" "summary --by=process" "summary --by=cgroup" "top --of=all -n 100" timeline info verify; do
	# shellcheck disable=SC2086 # a command and its options
	expect "no-formulas-$(echo "$command" | tr -d - | tr " " -)" no_formulas $command --format=csv
done
expect no-formulas-all no_formulas summary --format=csv --table=all

# JSON contains no control characters of terminals.
no_controls() {
	run "$@" =formulas.nct | "$PYTHON" -c '
import sys
text = sys.stdin.buffer.read().decode()
sys.exit("a control character" if any("\x7f" <= c <= "\x9f" or c < " " and c != "\n" for c in text) else None if r"\u009b" in text else "none")'
}
expect no-controls-dump no_controls dump
expect no-controls-by no_controls --by=task --format=json
expect no-controls-top no_controls top --of=all -n 100 --format=json

# The rows of one task and of the other tasks sum to the whole.
tasks_are_all() {
	run folded --idle full.nct | sed 's/.* //' | awk '{ n += $1 } END { print n }' >"$tmp/before"
	(run folded --idle --task=100 full.nct && run folded --idle --task=0 full.nct) | sed 's/.* //' | awk '{ n += $1 } END { print n }' >"$tmp/after"
	cmp "$tmp/before" "$tmp/after"
}
expect tasks-are-all tasks_are_all

golden folded.txt folded --idle full.nct
golden folded-per-cpu-no-idle.txt folded --per-cpu full.nct
golden folded-none.txt folded nosamples.nct

# --only selects the stacks of leaves, of sums of leaves and of categories. folded, flamegraph and
# top count the same samples.
golden folded-only.txt folded --only=rx_softirq,send_udp full.nct
golden top-only.txt top --only=rx_softirq,send_udp full.nct
golden top-only-unknown.txt top --only=rx_softirq,tx full.nct
golden flamegraph-only-unknown.txt flamegraph --only= full.nct
golden folded-only-energy.txt folded --weight=energy --only=network full.nct
only_is_the_same() {
	run folded --only="$1" full.nct | awk '{ n += $NF } END { print n + 0 }' >"$tmp/folded" &&
		run top --only="$1" --format=json full.nct | sed -n 's/^ *"samples": \([0-9]*\),/\1/p' >"$tmp/top" &&
		run flamegraph --only="$1" full.nct | sed -n 's/.*data-total="\([0-9]*\)".*/\1/p' >"$tmp/drawn" &&
		[ "$(cat "$tmp/folded")" -gt 0 ] && cmp "$tmp/folded" "$tmp/top" && cmp "$tmp/folded" "$tmp/drawn" &&
		run flamegraph --only="$1" full.nct | grep -q " only: [0-9.]* % of CPU time; widths"
}
for only in network idle sock_send send_udp user,network; do
	expect "only-is-the-same-$only" only_is_the_same "$only"
done
# A title, in any case, names the same as a key. A title of several categories is refused, and a part of a group is named.
only_by_title() {
	run folded --only=rx_softirq,other_kernel,net_poll,user full.nct >"$tmp/keys" &&
		run folded --only='rx Softirq,other kernel,poll, select and epoll,USER' full.nct | cmp - "$tmp/keys" &&
		run folded --only=receive full.nct 2>&1 >/dev/null | grep -q 'selects receive core, a part of RX softirq; for socket receive: sock_recv$' &&
		! run folded --only=tcp full.nct 2>"$tmp/err" && grep -q 'give a key: send_tcp, recv_tcp' "$tmp/err"
}
expect only-by-title only_by_title
# All leaves together select everything. The default of both options is every leaf except idle.
only_sums() {
	run folded --only=cpu full.nct >"$tmp/all" && run folded --idle full.nct | cmp - "$tmp/all" &&
		run folded full.nct >"$tmp/all" && run folded --only=user,kernel,netcost_itself full.nct | cmp - "$tmp/all" &&
		run flamegraph full.nct | grep -q "data-total=\"$(awk '{ n += $NF } END { print n }' "$tmp/all")\""
}
expect only-sums only_sums
# The size of a written file is reported, unless -q was given.
wrote() {
	run flamegraph -o wrote.svg full.nct 2>"$tmp/err" && grep -qx 'netcost-report: wrote wrote.svg: [0-9]* KB' "$tmp/err" &&
		run html --no-charts --only=network -o wrote.html full.nct 2>"$tmp/err" &&
		grep -qx 'netcost-report: wrote wrote.html: [0-9]* KB' "$tmp/err" && grep -q 'network only: [0-9.]* % of CPU time' "$tmp/t/wrote.html" &&
		run flamegraph -q -o wrote.svg full.nct 2>"$tmp/err" && [ ! -s "$tmp/err" ] && run flamegraph full.nct 2>&1 >/dev/null | cmp - /dev/null
}
expect says-what-it-wrote wrote
callers_in_legend() {
	run flamegraph full.nct | grep -q '#f2c879"/><text[^>]*>callers of several leaves, all in the network<' && run html --no-charts -o - full.nct | grep -q 'callers of several leaves, all in the network'
}
expect callers-in-legend callers_in_legend

golden flamegraph.svg flamegraph full.nct
golden flamegraph-icicle.svg flamegraph --icicle --idle full.nct
golden flamegraph-compared.svg flamegraph offline.nct full.nct
golden flamegraph-none.txt flamegraph nosamples.nct
golden info.txt info full.nct
golden info.json info --format=json full.nct
golden info.csv info --format=csv full.nct
golden info-bare.txt info bare.nct
golden info-bare.json info bare.nct --format=json
golden dump.txt dump full.nct
golden dump-samples.txt dump --samples families.nct
golden help.txt --help
golden help-summary.txt summary --help
golden help-folded.txt folded -h
golden help-cut.txt cut --help
golden help-scrub.txt scrub --help
golden help-merge.txt merge --help
golden no-command.txt no-command full.nct
golden misspelled.txt sumary
golden bad-option.txt folded --format=text full.nct
golden bad-choice.txt --format=xml full.nct
golden missing.txt missing.nct
golden directory.txt .
golden empty.txt empty.nct
golden not-a-trace.txt text.nct
