# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: charts. The scripts are golden; what gnuplot makes of them depends on its version.

cat >"$tmp/t/evil.rules" <<'RULES'
leaf idle
	functions do_idle
leaf rx_softirq
	functions net_rx_action
category poll in rx_softirq
	title `touch x`$(touch x)'"\@x{/:Bold}<a>&
	functions nic_poll
RULES

for chart in breakdown pies timeline; do
	for trace in full nosamples noexact rxparts hostile; do
		golden "plot-$chart-$trace.gp" plot "$chart" --script "$trace.nct"
	done
	golden "plot-$chart-task.gp" plot "$chart" --script --task=100 full.nct
	golden "plot-$chart-rules.gp" plot "$chart" --script --rules=evil.rules full.nct
	golden "plot-$chart-bare.txt" plot "$chart" --script bare.nct
done
# If marks are close to each other, the first one shows its text and the number of the others.
close_marks() {
	run plot timeline --script marks.nct >"$tmp/script" && grep -q "'load begins +2'" "$tmp/script" && grep -q "'load ends'" "$tmp/script" &&
		! grep -q "'second[ ']" "$tmp/script" && [ "$(grep -c 'dashtype 3' "$tmp/script")" -eq $((4 * $(grep -c 'set yrange .0:' "$tmp/script"))) ]
}
expect plot-close-marks close_marks
# The texts begin with a quote.
for chart in breakdown pies timeline; do
	golden "plot-$chart-quoted.gp" plot "$chart" --script "'q.nct"
done
golden plot-latency.gp plot latency --script latency.nct
golden plot-latency-none.txt plot latency --script full.nct
golden plot-latency-cpu.txt plot latency --script --cpu=0 latency.nct
golden plot-stages.gp plot path --script stages.nct
golden plot-stages-none.txt plot path --script full.nct
golden plot-stages-cpu.txt plot path --script --cpu=0 stages.nct
golden plot-heatmap.gp plot heatmap --script latency.nct
golden plot-heatmap-none.txt plot heatmap --script full.nct
golden plot-manycpus.gp plot breakdown --script manycpus.nct
golden plot-cut.gp plot pies --script --format=png --cpu=0 cut.nct
golden plot-every.gp plot timeline --script --format=pdf --every=600ms full.nct
golden plot-from.gp plot timeline --script --from=0.3 rxparts.nct
golden plot-parts.txt plot pies --script parts.nct
golden plot-part.gp plot pies --script --part=many parts.nct
golden plot-no-chart.txt plot donut full.nct
golden plot-no-format.txt plot pies -o picture.jpeg full.nct
golden plot-usage.txt plot
golden plot-missing.txt plot pies missing.nct
golden plot-bad-time.txt plot timeline --every=0 full.nct
golden help-plot.txt plot --help
golden plot-processes.gp plot who --script crowd.nct
golden plot-processes-evil.gp plot who --script --every=2s crowd-evil.nct
golden plot-processes-paused.gp plot who --script crowd-paused.nct
golden plot-processes-cgroup.gp plot who --script --by=cgroup --rows=2 crowd.nct
golden plot-by-alone.txt plot breakdown --script --by=cgroup crowd.nct
golden plot-processes-none.txt plot who --script full.nct
golden plot-processes-cpu.txt plot who --script --cpu=0 crowd.nct

# Charts of accuracy.
golden plot-stability.gp plot stability --script random.nct
golden plot-stability-noexact.gp plot stability --script --format=pdf noexact.nct
golden plot-accuracy.gp plot accuracy --script random.nct
golden plot-accuracy-noexact.txt plot accuracy --script noexact.nct
golden plot-stability-nosamples.txt plot stability --script nosamples.nct

# A small share is not shown as 0.00. An RX softirq that did not run differs from an RX softirq that
# was not measured.
little() {
	"$PYTHON" - "$tmp/t" <<'END' && run plot timeline --script none.nct >"$tmp/none" && run plot timeline --script little.nct >"$tmp/little" &&
import sys
sys.path.insert(0, "tests/report")
import make_traces as t
for name, rx_ns in ("none", 0), ("little", 2000):
    trace = t.Trace(k8=[0], **t.HOST, k10=0, k13=10, k14="entry", k15=100, k18=t.START)
    trace.frame(t.START, t.START + 1000 * t.MS, [0])
    for i in range(11):
        at = t.START + i * 100 * t.MS
        trace.add(t.TICK, {1: at, 2: [0], 3: [at]})
        for event in range(8):
            trace.add(t.EXACT, {1: event, 2: [i * {0: 100 * t.MS - rx_ns, 6: rx_ns}.get(event, 0)]})
    trace.end(0, 0, 0, 0)
    trace.write("%s/%s.nct" % (sys.argv[1], name))
END
		run plot timeline --script drops.nct >"$tmp/unmeasured" && grep -q "'There was no RX softirq\." "$tmp/none" &&
		grep -q "'The RX softirq was not measured\." "$tmp/unmeasured" &&
		! grep -q 'under 0.01' "$tmp/none" && grep -q "^set label 'under 0.01'" "$tmp/little"
}
expect plot-little little

# The parts of the RX softirq are without the recorder's own part, as the softirq is.
no_negative_parts() {
	"$report" plot timeline --script "$load" >"$tmp/script" && ! grep "^set label '-" "$tmp/script"
}
expect plot-no-negative-parts no_negative_parts

# The record has more than eight counters.
cuts_many_counters() {
	run cut -q --from=0.3 rxparts.nct -o again.nct && run verify -q again.nct
}
expect cut-many-counters cuts_many_counters

# ---- gnuplot: missing, failing, and real

says_no_gnuplot() {
	(cd "$tmp/t" && PATH=/nowhere "$report" plot pies -o out.svg full.nct) 2>"$tmp/err" && return 1
	grep -q 'not installed: apt-get install gnuplot-nox' "$tmp/err" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		[ ! -e "$tmp/t/out.svg" ]
}
expect plot-no-gnuplot says_no_gnuplot

mkdir "$tmp/bin"
printf '#!/bin/sh\necho "half a picture"\necho "line 3: it is broken" >&2\nexit 1\n' >"$tmp/bin/gnuplot"
chmod +x "$tmp/bin/gnuplot"
echo before >"$tmp/t/old.svg"

fails_clean() {
	[ ! -e "$tmp/t/out.svg" ] && (PATH=$tmp/bin:$PATH && run plot pies -o out.svg full.nct) 2>"$tmp/err" && return 1
	grep -q 'gnuplot failed: line 3: it is broken' "$tmp/err" && [ ! -e "$tmp/t/out.svg" ] &&
		! (PATH=$tmp/bin:$PATH && run plot pies -o old.svg full.nct) 2>/dev/null &&
		[ "$(cat "$tmp/t/old.svg")" = before ]
}
expect plot-fails-clean fails_clean

# The same trace gives the same bytes at any time of day, even with cairo 1.18, which compresses the
# creation date unless it is run with --debug.
cat >"$tmp/bin/gnuplot" <<'SH'
#!/bin/sh
date="/CreationDate (D:$(date +%Y%m%d%H%M%S))"
[ -n "${CAIRO_DEBUG_PDF:-}" ] || date=$(echo "$date" | tr a-zA-Z n-za-mN-ZA-M)
printf '%%PDF-1.7\n<< /Producer (cairo 1.18.0)\n%s\n>>\n' "$date"
SH
has_no_date() {
	(PATH=$tmp/bin:$PATH && run plot pies --format=pdf full.nct) >"$tmp/dated.pdf" && grep -qF '(D:19700101000000)' "$tmp/dated.pdf"
}
expect plot-pdf-has-no-date has_no_date

# draw CHART TRACE: makes a picture in each format
draw() {
	for format in svg png pdf; do
		run plot "$1" -o "one-$1-$2.$format" "$2.nct" || return 1
	done
}

# draws CHART TRACE: checks that it makes the same bytes; called at least a second after draw
draws() {
	for format in svg png pdf; do
		run plot "$1" --format=$format "$2.nct" >"$tmp/two.$format" && cmp "$tmp/t/one-$1-$2.$format" "$tmp/two.$format" ||
			return 1
	done
	"$PYTHON" tests/report/pictures.py "$tmp/t/one-$1-$2.svg" "$tmp/t/one-$1-$2.png" "$tmp/t/one-$1-$2.pdf"
}

# The output of --script is the script of the picture.
script_draws() {
	run plot timeline --script full.nct >"$tmp/script.gp" && LC_ALL=C.UTF-8 gnuplot "$tmp/script.gp" >"$tmp/by-hand.svg" &&
		run plot timeline full.nct >"$tmp/by-us.svg" && cmp "$tmp/by-hand.svg" "$tmp/by-us.svg"
}

# The scripts contain every kind of hostile name. gnuplot executed none of them, and pictures
# contain no markup.
nothing_is_run() {
	name="a'b\`touch x\`\$(touch x)<script>.nct"
	cp "$tmp/t/hostile.nct" "$tmp/t/$name"
	for chart in "$@"; do
		run plot "$chart" --rules=evil.rules "$name" >"$tmp/evil.svg" &&
			"$PYTHON" tests/report/pictures.py "$tmp/evil.svg" || return 1
	done
	[ ! -e "$tmp/t/x" ] && [ ! -e x ]
}

draws_examples() {
	sh examples/pictures.sh "$tmp/pictures" >/dev/null && "$PYTHON" tests/report/pictures.py "$tmp"/pictures/*.svg
}

# A CPU without work has no errors, so a logarithmic axis has no point.
draws_no_errors() {
	for chart in stability accuracy; do
		run plot "$chart" --cpu=1 full.nct >"$tmp/none.svg" && "$PYTHON" tests/report/pictures.py "$tmp/none.svg" ||
			return 1
	done
}

# With -d, gnuplot reads no settings of the user.
accepts_scripts() {
	for script in "$tmp/scripts"/*; do
		LC_ALL=C.UTF-8 gnuplot -d "$script" >"$tmp/picture" && [ -s "$tmp/picture" ] || { echo "$script" && return 1; }
	done
}

draws_processes() {
	rm -f "$tmp/t/x"
	for format in svg png pdf; do
		run plot who -o "crowd.$format" crowd-evil.nct || return 1
	done
	"$PYTHON" tests/report/pictures.py "$tmp/t/crowd.svg" "$tmp/t/crowd.png" "$tmp/t/crowd.pdf" && [ ! -e "$tmp/t/x" ]
}
if ! command -v gnuplot >/dev/null; then
	skip plot-pictures "needs gnuplot"
elif ! in_all; then
	expect plot-script-draws script_draws
	expect plot-runs-nothing nothing_is_run timeline
	expect plot-no-errors draws_no_errors
else
	pictures="latency latency|heatmap latency|path stages"
	for chart in breakdown pies timeline; do
		pictures="$pictures|$chart full|$chart hostile|$chart 'q"
	done
	for chart in stability accuracy; do
		pictures="$pictures|$chart full|$chart random"
	done
	echo "$pictures" | tr '|' '\n' >"$tmp/pictures.list"
	while read -r chart trace; do
		draw "$chart" "$trace" || : # draw reports the error
	done <"$tmp/pictures.list"
	sleep 1.1
	while read -r chart trace; do
		expect "plot-$chart-$trace" draws "$chart" "$trace"
	done <"$tmp/pictures.list"
	expect plot-script-draws script_draws
	expect plot-examples draws_examples
	expect plot-runs-nothing nothing_is_run breakdown pies timeline stability accuracy
	expect plot-no-errors draws_no_errors
	expect plot-processes-draws draws_processes
	expect plot-gnuplot-accepts accepts_scripts
fi
