# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: traces in the formats of others, read by those, and with our figures.
golden help-export.txt export --help
golden export-no-format.txt export colour full.nct
golden export-usage.txt export
golden export-not-taken.txt export openmetrics --idle full.nct
golden export-top-cpu.txt export openmetrics --rows=3 --cpu=0 timed-crowd.nct
golden export-pieces-stdout.txt export pprof --every=1s full.nct
golden export-firefox.txt export firefox full.nct
golden export-perfetto.pftrace export perfetto --idle full.nct
golden export-metrics.om export openmetrics full.nct
golden export-metrics-cpu.om export openmetrics --per-cpu --cpu=0 full.nct
golden export-metrics-evil.om export openmetrics poisoned.nct
golden export-metrics-latency.om export openmetrics --every=1s latency.nct
golden export-metrics-keys.om export openmetrics --every=500ms latency-keys.nct
golden export-metrics-processes.om export openmetrics --rows=2 --every=10s timed-crowd.nct
golden export-metrics-energy.om export openmetrics --every=10s timed-energy.nct
golden export-metrics-drops.om export openmetrics -q timed-drops.nct
golden export-metrics-no-processes.om export openmetrics -q --rows=2 full.nct
golden export-metrics-bare.txt export openmetrics bare.nct
golden export-metrics-unsaid.txt export openmetrics unsaid.nct
golden export-metrics-parts.txt export openmetrics parts.nct

# exported FORMAT TRACE OPTION...: writes the file; messages are written to $tmp/err
exported() {
	exported_format=$1 exported_trace=$2
	shift 2
	run export "$exported_format" "$@" "$exported_trace" >"$tmp/exported" 2>"$tmp/err" || { cat "$tmp/err" && return 1; }
}

# ---- OpenMetrics

metrics() {
	exported openmetrics "$@" && "$PYTHON" tests/report/metrics.py parse "$tmp/exported" &&
		(cd "$tmp/t" && "$PYTHON" "$OLDPWD/tests/report/metrics.py" figures "$tmp/exported" "$report" "$1")
}
if "$PYTHON" -c 'import prometheus_client.openmetrics.parser' 2>/dev/null; then
	traces="full poisoned latency-keys owners timed-drops timed-energy timed-crowd"
	! in_all || traces="$traces latency others cut =formulas timed-hostile timed-windows timed-rxparts"
	for trace in $traces; do
		expect "metrics-of-$trace" metrics $trace.nct
	done
	expect metrics-of-processes metrics timed-crowd-evil.nct --rows=500
	expect metrics-of-cpus metrics full.nct --per-cpu
	expect metrics-of-load metrics "$load"
	expect metrics-of-a-part metrics timed-crowd.nct --from=3 --to=9 --every=2s
else
	skip metrics "needs python3-prometheus-client"
fi

# A series that stays constant for many ticks must not have more points than the trace has data: 16
# KB once gave 240 MB. Real recordings are exported completely: the demo, and a load.
metrics_bomb() {
	"$PYTHON" tests/report/bomb_traces.py "$tmp/t" && run export openmetrics bomb-interfaces.nct 2>"$tmp/err" >"$tmp/exported" &&
		[ "$(wc -c <"$tmp/exported")" -lt 40000000 ] && grep -q ' points are left out: .* export tables has all interfaces' "$tmp/err" &&
		tail -n 1 "$tmp/exported" | grep -qx '# EOF' && rm "$tmp/exported" &&
		for trace in "$load" "$PWD/examples/demo.nct"; do
			run export openmetrics "$trace" 2>&1 >/dev/null | grep -c 'left out' | grep -qx 0 || return 1
		done
}
expect metrics-bomb metrics_bomb
expect folded-bomb sh -c "'$REPORT' folded --memory=64M '$tmp/t/bomb-tasks.nct' 2>&1 >/dev/null | grep -q 'set --memory=128 '"

# ---- pprof

profile() {
	exported pprof "$@" && (cd "$tmp/t" && "$PYTHON" "$OLDPWD/tests/report/profiles.py" check "$tmp/exported" "$report" "$@")
}
traces="full poisoned"
! in_all || traces="$traces nosamples noexact hostile timed-energy windows cut bare unsaid hardirq =formulas rxparts"
for trace in $traces; do
	expect "profile-of-$trace" profile "$trace.nct"
	expect "profile-of-$trace-idle" profile "$trace.nct" --idle
done
expect profile-of-cpu profile full.nct --cpu=0
expect profile-of-task profile full.nct --task=swapper --idle
expect profile-of-demo profile "$PWD/examples/demo.nct"

# There is a file for each interval, and together they have the samples of the whole recording.
profile_pieces() {
	rm -rf "$tmp/t/pieces"
	run export pprof --idle --every=1s -o pieces "$load" && run export pprof --idle -o whole.pb.gz "$load" &&
		[ "$(find "$tmp/t/pieces" -name 'pprof-*.pb.gz' | wc -l)" -gt 10 ] && "$PYTHON" tests/report/profiles.py sum "$tmp/t/whole.pb.gz" "$tmp/t/pieces"/*
}
expect profile-pieces profile_pieces

# ---- the Firefox Profiler, and Perfetto

viewed() {
	exported "$@" && (cd "$tmp/t" && format=$1 && shift && "$PYTHON" "$OLDPWD/tests/report/profiles.py" "$format" "$tmp/exported" "$report" "$@")
}
traces="full poisoned latency timed-windows"
! in_all || traces="$traces nosamples noexact hostile windows cut bare unsaid hardirq =formulas rxparts drops stages timed-energy demo"
for format in firefox perfetto; do
	for trace in $traces; do
		expect "$format-of-$trace" viewed $format "$trace.nct"
		expect "$format-of-$trace-idle" viewed $format "$trace.nct" --idle
	done
	expect $format-of-cpu viewed $format full.nct --cpu=0
	expect $format-of-ways viewed $format ways.nct
	! in_all || expect $format-of-load viewed $format "$load" --idle
done
in_all || return 0

# ---- Prometheus's own tool

# Prometheus's own tool: its blocks contain exactly the exported points; its linter accepts the names.
blocks() {
	exported openmetrics "$@" || return 1
	rm -rf "$tmp/blocks"
	"$promtool" tsdb create-blocks-from openmetrics "$tmp/exported" "$tmp/blocks" >"$tmp/log" 2>&1 || { cat "$tmp/log" && return 1; }
	mkdir "$tmp/blocks/wal" && "$promtool" tsdb dump "$tmp/blocks" >"$tmp/dumped" && "$PYTHON" tests/report/metrics.py blocks "$tmp/exported" "$tmp/dumped"
}
lints() {
	exported openmetrics "$@" && "$PYTHON" tests/report/metrics.py last "$tmp/exported" >"$tmp/last" &&
		"$promtool" check metrics <"$tmp/last" >"$tmp/log" 2>&1 && [ ! -s "$tmp/log" ] || { cat "$tmp/log" && return 1; }
}
if promtool=$(unpacked prometheus /usr/bin/promtool 2>"$tmp/why"); then
	for trace in full poisoned latency latency-keys timed-energy timed-drops timed-hostile; do
		expect "promtool-makes-blocks-of-$trace" blocks $trace.nct
		expect "promtool-lints-$trace" lints $trace.nct
	done
	expect promtool-makes-blocks-of-processes blocks timed-crowd-evil.nct --rows=5
	expect promtool-lints-processes lints timed-crowd-evil.nct --rows=5
else
	skip promtool "needs promtool"
fi

# ---- Go's own tool

# The table of functions of `pprof -top` equals that of top.
go_top() {
	exported pprof "$@" --idle || return 1
	run top --of=all -n 100000 --format=json "$@" >"$tmp/top.json"
	HOME=$tmp "$pprof" -top -sample_index=samples -nodecount=100000 -nodefraction=0 -edgefraction=0 "$tmp/exported" >"$tmp/log" 2>"$tmp/err" ||
		{ cat "$tmp/err" && return 1; }
	"$PYTHON" tests/report/profiles.py top "$tmp/log" "$tmp/top.json"
}
go_reads() {
	exported pprof "$@" --idle && HOME=$tmp "$pprof" -top -sample_index=samples "$tmp/exported" >"$tmp/log" 2>&1 &&
		grep -q 'Total samples = 1819' "$tmp/log" || { cat "$tmp/log" && return 1; }
}
go_package() {
	apt-cache depends golang-go 2>/dev/null | sed -n 's/^ *Depends: *\(golang-[0-9.]*-go\)$/\1/p'
}
go=$(go_package) go=${go:-golang-go} go_version=${go#golang-} go_version=${go_version%-go}
if pprof=$(unpacked "$go" "/usr/lib/go-$go_version/pkg/tool/linux_$(dpkg --print-architecture 2>/dev/null)/pprof" 2>"$tmp/why"); then
	for trace in full.nct rxparts.nct "$PWD/examples/demo.nct" "$load"; do
		expect "go-pprof-agrees-on-$(basename "$trace" .nct)" go_top "$trace"
	done
	# `pprof` removes parts of names that look like C++ parameters, so these names differ.
	expect go-pprof-reads-hostile go_reads poisoned.nct
else
	skip go-pprof "needs golang"
fi

# ---- speedscope, by its package of npm

speedscope() {
	run export pprof -o "$tmp/profile.pb.gz" "$1" && TMPDIR=$tmp "$PYTHON" tests/report/speedscope.py \
		"$speedscope_package/node_modules/speedscope/dist/release/index.html" "$tmp/profile.pb.gz"
}
speedscope_package=$PWD/build/tools/speedscope
if ! command -v chromium >/dev/null; then
	skip speedscope "needs chromium"
elif [ -d "$speedscope_package/node_modules/speedscope" ] || { mkdir -p "$speedscope_package" && command -v node >/dev/null &&
	npm install --silent --no-save --prefix "$speedscope_package" speedscope@1.25.0 >"$tmp/why" 2>&1; }; then
	for trace in "$PWD/examples/demo.nct" "$load"; do
		expect "speedscope-agrees-on-$(basename "$trace" .nct)" speedscope "$trace"
	done
else
	skip speedscope "needs npm packages"
fi
