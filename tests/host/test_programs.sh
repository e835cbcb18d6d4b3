#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks the recorder's report of its own BPF programs, also without permission to ask for them, and without programs.
. tests/lib.sh
need_recorder
need_command zstd setpriv

# cost KEY TRACE: prints a value from the summary's JSON
cost() {
	"$REPORT" summary --format=json "$2" |
		"$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["cost"][sys.argv[1]])' "$1"
}

# The kernel's statistics of the programs are enabled for a moment each second.
expect programs-records "$RECORD" -q -F 0 -i 20 -d 2 -o "$tmp/t.nct"
expect programs-verify "$REPORT" verify -q "$tmp/t.nct"
"$REPORT" summary --full "$tmp/t.nct" >"$tmp/cost"
tr -s "\n " " " <"$tmp/cost" >"$tmp/cost-line"
expect programs-cost-line grep -qE " cost (at least )?[0-9.]+( \\+- [0-9.]+)? % of CPU time: probes [0-9.]+(, other own programs [0-9.]+)?(, statistics of programs [0-9.]+)?, the recorder's process [0-9.]+ " "$tmp/cost-line"
expect programs-counted-is-said grep -qE 'program code only\): [0-9.]+ %, counted in [0-9.]+ m?s of [0-9.]+ m?s$' "$tmp/cost"

# A part of a trace has the counts of its own time.
"$REPORT" cut --from 0.05 --to 0.2 "$tmp/t.nct" -o "$tmp/part.nct" 2>/dev/null
expect programs-part-verify "$REPORT" verify -q "$tmp/part.nct"
part=$(cost programs_counted_s "$tmp/part.nct") all=$(cost programs_counted_s "$tmp/t.nct")
expect programs-part-counted awk "BEGIN { exit !($part <= $all) }"
"$REPORT" scrub "$tmp/t.nct" -o "$tmp/scrubbed.nct" 2>/dev/null
said() {
	"$REPORT" dump "$1" | grep -E '^{"type":"(program|source)"' | grep program
}
expect programs-are-not-private [ "$(said "$tmp/t.nct")" = "$(said "$tmp/scrubbed.nct")" ]

# ---- a program of the host without a name

"$PYTHON" tests/host/unnamed.py >"$tmp/unnamed" &
unnamed=$!
lib_spawned="$lib_spawned $unnamed"
wait_for 50 grep -q . "$tmp/unnamed" || fail programs-unnamed-loaded "$(cat "$tmp/unnamed")"
expect programs-unnamed timeout -k 1 60 "$RECORD" -q --exact=off -F 99 -i 100 -d 1 -o "$tmp/u.nct"
kill "$unnamed"

# ---- without permission

chmod 755 "$tmp"
cp "$RECORD" "$tmp/recorder"
mkdir -m 777 "$tmp/nobody"
as_nobody() {
	caps=+bpf,+perfmon,+syslog
	exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" \
		"$tmp/recorder" "$@"
}
(as_nobody -q -F 0 -i 200 -d 1 -o "$tmp/nobody/n.nct")
"$REPORT" summary --full "$tmp/nobody/n.nct" >"$tmp/out"
grep -E '^  (cost|programs) ' "$tmp/out"
expect programs-refused-is-said grep -qE '^  programs +refused: BPF statistics: Operation not permitted' "$tmp/out"
expect programs-refused-is-not-known grep -qE "the kernel's statistics of BPF programs: unknown$" "$tmp/out"
expect programs-refused-is-null [ "$(cost programs_percent "$tmp/nobody/n.nct")" = None ]
expect programs-misses-are-counted-anyway [ "$(cost runs_left_out "$tmp/nobody/n.nct")" = 0 ]

# ---- no programs

# Without BPF the overhead is only that of samples and the recorder's own CPU time.
"$RECORD" -q --exact=off -d 1 -o "$tmp/x.nct"
expect programs-none [ "$(cost has_programs "$tmp/x.nct")" = False ]
all=$(cost percent_of_cpu_time "$tmp/x.nct") recorder=$(cost recorder_percent "$tmp/x.nct")
samples=$(cost samples_percent "$tmp/x.nct")
[ "$samples" != None ] || samples=0
expect programs-none-cost awk "BEGIN { d = $all - $recorder - $samples; exit !(d < 0.00001 && d > -0.00001) }"
