# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: the page.

# Prints a page for the golden files. They contain neither the script and style sheets, which are
# separate files, nor charts, because these depend on the version of gnuplot.
run_page() {
	(cd "$tmp/t" && PATH=/nonexistent "$report" html -o - "$@") >"$tmp/page" 2>"$tmp/err" || status=$?
	awk '/<style>/ { sub(/<style>.*/, "<style>"); print; hidden = 1 }
		/<script>/ { sub(/<script>.*/, "<script>"); print; hidden = 1 }
		!hidden
		/<\/style>/ { sub(/.*<\/style>/, "</style>"); print; hidden = 0 }
		/<\/script>/ { sub(/.*<\/script>/, "</script>"); print; hidden = 0 }' "$tmp/page" |
		sed -E "s/'sha256-[^']*'/'sha256'/g; s/[0-9]+ bytes, /N bytes, /; s/(data ends at byte) [0-9]+/\\1 N/"
	sed 's/^/stderr: /' "$tmp/err"
	return "${status:-0}"
}

golden_page() {
	name=$1
	shift
	status=0
	run_page "$@" >"$tmp/got" || status=$?
	echo "status: $status" >>"$tmp/got"
	same_as_golden "$name"
	echo "/dev/null html -o - --no-charts $*" >>"$tmp/commands"
}

golden_page html-full.html full.nct
golden_page html-noexact.html --icicle --idle noexact.nct
golden_page html-nosamples.html nosamples.nct
golden_page html-bare.html bare.nct
golden_page html-netonly.html netonly.nct
golden_page html-cycles.html cycles.nct
golden_page html-cycles-noexact.html cycles-noexact.nct
golden_page html-only.html --cpu=0 --task=100 --rules=web.rules --from=0.2 full.nct
golden_page html-rxparts.html rxparts.nct
golden_page html-latency.html latency.nct
golden_page html-stages.html stages.nct
golden_page html-tail.html tail.nct
# What text knows from samples, the page knows, too.
known_from_samples() {
	run latency --tail tail-one.nct | grep -q 'activity is known from samples' &&
		run html --no-charts -o - tail-one.nct | grep -q 'activity is known from samples'
}
expect html-known-from-samples known_from_samples
golden_page html-processes.html crowd.nct
golden_page html-owners.html owners-some.nct
golden_page html-hostile.html poisoned.nct
golden help-html.txt html --help
golden html-parts.txt html -q -o again.html parts.nct
golden html-nowhere.txt html -o /nonexistent/page.html full.nct

# Problems of a trace come first. Weak figures follow the screen of figures.
says_first() {
	run html -o - "$1" 2>"$tmp/err" | sed -n '/<header>/,/<\/header>/p' >"$tmp/header" && grep -qF "$2" "$tmp/header"
}
says_after() {
	run html -o - "$1" 2>"$tmp/err" | sed -n '/>Share of CPU time</,/<nav/p' >"$tmp/screen" && grep -qF "$2" "$tmp/screen"
}
expect html-says-cut says_first cut.nct 'class="alert bad">CUT: '
expect html-says-damaged says_first damaged.nct 'class="alert bad">DAMAGED: '
expect html-says-wrong says_first wrong.nct 'class="alert bad">WRONG: '
expect html-says-lossy says_after full.nct 'class="alert">LOST: 3 samples'
expect html-says-weak says_after full.nct 'class="alert">WEAK, exact: '
expect html-says-refused says_after noexact.nct 'class="alert">NOT MEASURED, exact: not allowed to load BPF'

# A merged file has one page per part. The page is the same if the file comes from a pipe, and two
# runs give the same bytes.
html_of_part() {
	run html -o - --part=many parts.nct >"$tmp/one" && grep -q '20 recorded (0-19)' "$tmp/one"
}
expect html-of-part html_of_part

html_pipe() {
	cp "$tmp/t/full.nct" "$tmp/t/-.nct" && run html -o - full.nct | sed 's/full\.nct/-/g' >"$tmp/one" &&
		run html -o - - <"$tmp/t/full.nct" | sed 's/stdin/-/g' >"$tmp/two" && cmp "$tmp/one" "$tmp/two"
}
expect html-pipe html_pipe

# Rows of a very large number of ticks are merged, with the same sums.
many_ticks() {
	"$PYTHON" - "$tmp/t" <<'END' && run html -o - ticks.nct >"$tmp/one" && grep -c '^<tr><th scope="row" class="d0">[0-9]*\.[0-9]*</th>' "$tmp/one" >"$tmp/n"
import sys
sys.path.insert(0, "tests/report")
import make_traces as t
ticks = t.Trace(k8=[0], **t.HOST, k10=0, k13=10, k14="entry", k15=100, k18=t.START)
ticks.frame(t.START, t.START + 1000 * t.MS, [0])
for i in range(1001):
    at = t.START + i * t.MS
    ticks.add(t.TICK, {1: at, 2: [0], 3: [at]})
    for event in range(8):
        ticks.add(t.EXACT, {1: event, 2: [i * t.MS if event == 0 else 0]})
ticks.end(0, 0, 0, 0)
ticks.write(sys.argv[1] + "/ticks.nct")
END
	n=$(cat "$tmp/n")
	[ "$n" -ge 60 ] && [ "$n" -le 120 ] &&
		grep -q '^<tr><th scope="row" class="d0">0.9[0-9]*</th><td>1.000</td><td>100</td>' "$tmp/one"
}
expect html-many-ticks many_ticks

# Each chart that needs no counters by process is an image in the page.
charts() {
	run html -o - full.nct >"$tmp/one" 2>"$tmp/err" && [ ! -s "$tmp/err" ] &&
		[ "$(grep -c '<figure class="chart" tabindex="0"><img alt="chart: [^"]*" src="data:image/svg+xml,[^"<>]*"></figure>' "$tmp/one")" -eq 5 ]
}
if command -v gnuplot >/dev/null; then
	expect html-charts charts
else
	skip html-charts "needs gnuplot"
fi
