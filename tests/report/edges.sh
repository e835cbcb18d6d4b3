# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: other ways in and out, hostile input.

# ---- other kinds of input and output

same() {
	run "$@" full.nct >"$tmp/file" && run "$@" - <"$tmp/t/full.nct" >"$tmp/pipe" && cmp -s "$tmp/file" "$tmp/pipe"
}
expect stdin-is-the-same same folded

default_file() {
	cp "$tmp/t/full.nct" "$tmp/t/netcost.nct" && run folded >"$tmp/default" && cmp -s "$tmp/default" "$tmp/file"
}
expect default-file default_file

output_file() {
	run folded -o out.folded full.nct && cmp -s "$tmp/t/out.folded" "$tmp/file"
}
expect output-file output_file

# An input file is never overwritten under any of its names, neither the trace nor the rules.
refuses_output() {
	cp "$tmp/t/full.nct" "$tmp/t/kept.nct" && cp examples/rules/web.rules "$tmp/t/kept.rules"
	rm -f "$tmp/t/hard.nct" "$tmp/t/soft.nct" "$tmp/t/netcost.nct"
	ln "$tmp/t/kept.nct" "$tmp/t/hard.nct" && ln -s kept.nct "$tmp/t/soft.nct" && ln "$tmp/t/kept.nct" "$tmp/t/netcost.nct"
	for out in kept.nct ./kept.nct hard.nct soft.nct netcost.nct /dev/stdin kept.rules; do
		status=0
		run "$@" -o "$out" <"$tmp/t/kept.nct" >"$tmp/out" 2>"$tmp/err" || status=$?
		if [ "$status" -ne 1 ] || [ -s "$tmp/out" ] || ! cmp "$tmp/t/full.nct" "$tmp/t/kept.nct" ||
			! cmp examples/rules/web.rules "$tmp/t/kept.rules" ||
			! grep -Eq ': is the input (trace|rules file); write to another file$' "$tmp/err"; then
			echo "$* -o $out: status $status"
			cat "$tmp/err"
			return 1
		fi
	done
	[ "$(readlink "$tmp/t/soft.nct")" = kept.nct ]
}
for command in "html --no-charts -o -" folded flamegraph "flamegraph offline.nct" "plot --format=svg pies" "plot --script pies" "export openmetrics" "export pprof" "export perfetto"; do
	# shellcheck disable=SC2086 # a command, its option and operand
	expect "refuses-output-$(echo "$command" | tr -d - | tr " " -)" refuses_output $command --rules=kept.rules kept.nct
done
expect refuses-output-default refuses_output folded --rules=kept.rules
expect refuses-output-stdin refuses_output folded --rules=kept.rules -

# The name of a chart does not name a file.
plots_over_old() {
	cp "$tmp/t/full.nct" "$tmp/t/pies" && run plot pies --script -o pies full.nct && grep -q '^set terminal' "$tmp/t/pies"
}
expect plots-over-file-of-chart-name plots_over_old

full_disk() {
	status=0 trace=full.nct
	[ "$1" != who ] || trace=processes.nct
	(run "$@" $trace >/dev/full) 2>"$tmp/err" || status=$?
	[ "$status" -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q "cannot write" "$tmp/err"
}
for command in summary "summary --by=task" "html --no-charts -o -" "verify --format=json" top who timeline folded info dump "export openmetrics" "export firefox" "export perfetto"; do
	# shellcheck disable=SC2086 # a command and its option
	expect "full-disk-$(echo "$command" | tr " " -)" full_disk $command
done

# SIGPIPE must work even if the parent process ignores it, as some shells and Python do.
early_reader() {
	(
		trap '' PIPE
		run dump full.nct 2>"$tmp/err" | true
	)
	[ ! -s "$tmp/err" ]
}
expect early-reader-is-quiet early_reader

# The sections schema and cells parse the JSON of other commands.
dump_parses() {
	run dump full.nct | "$PYTHON" -c 'import json, sys; [json.loads(l) for l in sys.stdin]'
}
expect dump-parses dump_parses

# ---- hostile input: an answer or one line, never a crash

# The traces are truncated at regular intervals.
if in_all; then cut_step=7; else cut_step=97; fi
survives_cuts() {
	"$PYTHON" - "$tmp/t" "$cut_step" <<'END' >"$tmp/cuts" && survive <"$tmp/cuts"
import os, sys
os.chdir(sys.argv[1])
data = open("full.nct", "rb").read()
for n in range(0, len(data), int(sys.argv[2])):
    open("cut-%d.nct" % n, "wb").write(data[:n])
    print("/dev/null summary cut-%d.nct" % n)
END
}
expect survives-cuts survives_cuts

each_mutant() {
	i=0
	while [ $i -lt "$MUTANTS" ]; do
		for command in "$@"; do
			echo "/dev/null $command mutant-$i.nct"
		done
		i=$((i + 1))
	done
}

survives_mutants() {
	each_mutant summary "--format=csv --table=inside" "rules" "folded --per-cpu" "dump --samples" "info --format=json" "top --of=all" \
		"--by=task --task=b,0" "--by=cgroup" "timeline --from=0.2 --cpu=0" \
		"who --by=container -n 1" "timeline --by=cgroup --rows=1" \
		"plot who --script" "diff processes.nct" \
		"export openmetrics -q --rows=3" "export pprof --idle" "export firefox --idle" "export perfetto --idle --per-cpu" \
		"html --no-charts -o -" "accuracy --all" | survive
}
expect survives-mutants survives_mutants

# Traces that are recovered from mutants are well-formed.
recovers_mutants() {
	each_mutant "recover -q" "cut -q" "scrub -q" | sed 's|$| -o again.nct\n/dev/null verify -q again.nct|' | survive -s 0
}
expect recovers-mutants recovers_mutants
rm "$tmp/t"/cut-[0-9]*.nct
