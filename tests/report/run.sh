#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# netcost-report on traces with known numbers: golden output, exit status, hostile input.
#
#	UPDATE=1 sh tests/report/run.sh		writes the golden files anew; then read the diff
. tests/lib.sh
need_command zstd
: "${PYTHON:=/usr/bin/python3}"
"$PYTHON" -c 'import msgpack' 2>/dev/null || skip_all "needs python3-msgpack"

golden=$PWD/tests/report/golden
report=$PWD/$REPORT
MUTANTS=${MUTANTS:-300}
mkdir "$tmp/t"
"$PYTHON" tests/report/make_traces.py "$tmp/t" "$MUTANTS"

# In the traces' folder, so that names in the output are short and always the same.
run() {
	(cd "$tmp/t" && "$report" "$@")
}

# Sizes depend on zstd's version.
blur() {
	sed -E 's/(byte|"file_bytes":) [0-9]+/\1 N/; s/[0-9]+ bytes, /N bytes, /'
}

# golden NAME ARGUMENTS...: stdout, then stderr, then the exit status
golden() {
	name=$1
	shift
	status=0
	run "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	{
		blur <"$tmp/out"
		blur <"$tmp/err" | sed 's/^/stderr: /'
		echo "status: $status"
	} >"$tmp/got"
	[ -z "${UPDATE:-}" ] || cp "$tmp/got" "$golden/$name"
	if diff -u "$golden/$name" "$tmp/got"; then
		pass "golden-$name"
	else
		fail "golden-$name" "differs from tests/report/golden/$name"
	fi
}

for trace in full nosamples noexact manycpus offline; do
	golden "summary-$trace.txt" summary "$trace.nct"
	golden "summary-$trace.json" summary --format=json "$trace.nct"
	golden "summary-$trace.csv" summary --format=csv "$trace.nct"
done
for trace in cut wrong bare contradiction; do
	golden "summary-$trace.txt" "$trace.nct"
done
golden summary-manycpus-all.txt --all-cpus manycpus.nct
golden summary-inside.csv --format=csv-inside full.nct
golden summary-inside-nosamples.csv --format=csv-inside nosamples.nct
golden summary-all-other.txt --all --other full.nct

# ---- rules

cp examples/rules/web.rules "$tmp/t"
printf 'leaf idle\nfunctions do_idle\ncategory one in sock_sent\n' >"$tmp/t/wrong.rules"
golden summary-rules.txt --rules=web.rules full.nct
golden folded-rules.txt folded --no-idle --rules=web.rules full.nct
golden rules.txt rules --rules=web.rules full.nct
golden rules-wrong.txt --rules=wrong.rules full.nct
golden rules-missing.txt rules --rules=missing.rules
golden rules-directory.txt rules --rules=.
golden help-rules.txt rules --help

rules_are_the_file() {
	run rules >"$tmp/rules" && cmp "$tmp/rules" examples/rules/default.rules &&
		run rules --rules=web.rules >"$tmp/rules" && cmp "$tmp/rules" examples/rules/web.rules
}
expect rules-are-the-file rules_are_the_file

# What is printed for a trace is a rules file, and for that trace as good as the whole.
rules_of_trace() {
	cp examples/demo.nct "$tmp/t"
	run rules demo.nct >"$tmp/t/demo.rules" && run --all demo.nct >"$tmp/one" &&
		run --all --rules=demo.rules demo.nct | grep -v '^Sorted by' >"$tmp/two" && cmp "$tmp/one" "$tmp/two"
}
expect rules-of-trace rules_of_trace

# ---- functions, tasks, pieces of time

golden top.txt top full.nct
golden top-all.txt top --all -n 4 full.nct
golden top.json top --format=json -n 2 full.nct
golden top.csv top --format=csv --all full.nct
golden top-none.txt top nosamples.nct
golden top-both.txt top --network --all full.nct
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
golden by-inside.txt --by=cpu --format=csv-inside full.nct
for trace in full nosamples noexact offline; do
	golden "timeline-$trace.txt" timeline "$trace.nct"
done
golden timeline.json timeline --format=json full.nct
golden timeline.csv timeline --format=csv full.nct
golden timeline-every.txt timeline --every=600ms full.nct
golden timeline-bare.txt timeline bare.nct
golden timeline-bad-every.txt timeline --every=-1s full.nct
golden timeline-manycpus.csv timeline --format=csv manycpus.nct

# ---- of a part only

golden only-cpu.txt --cpu=1 full.nct
golden only-cpu.json --cpu=0 --format=json full.nct
golden only-task.txt --task=0 full.nct
golden only-task.json --task=100,101 --format=json full.nct
golden only-cgroup.txt --cgroup=/ --by=task full.nct
golden only-time.txt --from=0.6 --to=900ms full.nct
golden only-timeline.txt timeline --from=0.6 --cpu=0 --task=100 full.nct
golden only-top.txt top --all --cpu=1 full.nct
golden only-folded.txt folded --task=swapper full.nct
golden only-flamegraph.svg flamegraph --cpu=0 --task=100 full.nct
golden only-bad-time.txt timeline --from=1x full.nct
golden only-bad-cpu.txt top --cpu=0- full.nct
golden only-no-cpu.txt folded --cpu=7 full.nct
golden only-no-task.txt --task=none,7 full.nct
golden only-no-cgroup.txt --cgroup=/none full.nct
golden only-no-cgroups.txt --cgroup=/ nosamples.nct
golden only-no-mark.txt timeline --from=mark:none full.nct
golden only-nothing.txt --from=7 full.nct

# A window is what cut makes of it, from a file and from a pipe.
window_is_cut() {
	run cut -q --from=0.4 full.nct again.nct || return 1
	for command in folded "top --all --format=csv" "--by=task --format=csv" "--format=csv" "--format=csv-inside"; do
		# shellcheck disable=SC2086 # a command and its options
		run $command again.nct >"$tmp/before" && run $command --from=0.4 full.nct >"$tmp/after" &&
			cmp "$tmp/before" "$tmp/after" && cat "$tmp/t/full.nct" | run $command --from=0.4 - >"$tmp/after" &&
			cmp "$tmp/before" "$tmp/after" || return 1
	done
}
expect window-is-cut window_is_cut

# Rows are what other commands say of the same, which know nothing of rows.
for trace in demo real-2026-11; do
	file=examples/demo.nct
	[ "$trace" = demo ] || file=format/vectors/$trace.nct
	expect "rows-$trace" "$PYTHON" tests/report/rows.py "$report" "$file"
done

# What is of one task and what is of the others is all.
tasks_are_all() {
	run folded full.nct | sed 's/.* //' | awk '{ n += $1 } END { print n }' >"$tmp/before"
	(run folded --task=100 full.nct && run folded --task=0 full.nct) | sed 's/.* //' | awk '{ n += $1 } END { print n }' >"$tmp/after"
	cmp "$tmp/before" "$tmp/after"
}
expect tasks-are-all tasks_are_all

golden folded.txt folded full.nct
golden folded-per-cpu-no-idle.txt folded --per-cpu --no-idle full.nct
golden folded-none.txt folded nosamples.nct
golden flamegraph.svg flamegraph full.nct
golden flamegraph-icicle.svg flamegraph --icicle --idle full.nct
golden flamegraph-compared.svg flamegraph offline.nct full.nct
golden flamegraph-none.txt flamegraph nosamples.nct
golden info.txt info full.nct
golden info.json info --format=json full.nct
golden info-bare.txt info bare.nct
golden info-bare.json info bare.nct --format=json
golden dump.txt dump full.nct
golden dump-samples.txt dump --samples full.nct
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
: >"$tmp/t/empty.nct"
golden empty.txt empty.nct
echo "something else altogether" >"$tmp/t/text.nct"
golden not-a-trace.txt text.nct

# ---- damage: the middle frame of full.nct, and what is left

"$PYTHON" - "$tmp/t" <<'END'
import sys
data = bytearray(open(sys.argv[1] + "/full.nct", "rb").read())
frames = [i for i in range(len(data)) if data[i:i + 4] == b"\x28\xb5\x2f\xfd"]
data[(frames[1] + frames[2]) // 2] ^= 0x10
open(sys.argv[1] + "/damaged.nct", "wb").write(data)
END
golden summary-damaged.txt damaged.nct
golden summary-damaged.json --format=json damaged.nct
golden info-damaged.txt info damaged.nct
golden dump-damaged.txt dump damaged.nct
golden dump-damaged-recover.txt dump --recover damaged.nct
golden verify.txt verify full.nct manycpus.nct noexact.nct
golden verify-quiet.txt verify -q full.nct manycpus.nct
golden verify-cut.txt verify full.nct cut.nct
golden verify-broken.txt verify cut.nct damaged.nct wrong.nct contradiction.nct text.nct
golden verify-usage.txt verify
golden recover-usage.txt recover full.nct
golden recover-itself.txt recover full.nct ./full.nct
golden recover-nothing.txt recover text.nct out.nct

# What recover writes keeps to the format, and a whole trace is as it was.
keeps_rules() {
	run "$1" -q "$2.nct" again.nct && run verify -q again.nct
}
for trace in full cut wrong damaged bare noexact nosamples manycpus contradiction; do
	expect "recover-$trace" keeps_rules recover "$trace"
	expect "cut-sound-$trace" keeps_rules cut "$trace"
	expect "scrub-sound-$trace" keeps_rules scrub "$trace"
done

but_frames() {
	run dump "$1" | grep -Ev '"type":"(frame|index|end)"'
}

recovers_all() {
	run recover -q manycpus.nct again.nct && but_frames manycpus.nct >"$tmp/before" &&
		but_frames again.nct | sed 's/,"derived":\["recover"\]//' >"$tmp/after" &&
		cmp "$tmp/before" "$tmp/after"
}
expect recover-is-the-same recovers_all

recovers_to_stdout() {
	run recover -q damaged.nct - >"$tmp/piped" && run recover -q damaged.nct again.nct &&
		cmp "$tmp/piped" "$tmp/t/again.nct" && zstd -qt "$tmp/piped"
}
expect recover-to-stdout recovers_to_stdout

# ---- a part of the time

golden cut.txt cut --from=0.6 --to=900ms full.nct cut-out.nct
golden info-cut-out.txt info cut-out.nct
golden summary-cut-out.txt cut-out.nct
golden cut-end.txt cut --from=-400ms noexact.nct cut-out.nct
golden cut-damaged.txt cut --from=0.5 damaged.nct cut-out.nct
golden cut-nothing.txt cut --from=7 full.nct none.nct
golden cut-no-mark.txt cut --to=mark:none full.nct none.nct
golden cut-bad-time.txt cut --from=1x full.nct none.nct
golden cut-itself.txt cut full.nct ./full.nct
golden cut-usage.txt cut full.nct

cuts_all() {
	for trace in full noexact nosamples manycpus; do
		run cut -q "$trace.nct" again.nct && run summary "$trace.nct" | grep -v '^  skipped' >"$tmp/before" &&
			run summary again.nct | sed "/^  derived/d; /^  skipped/d; s/^again/$trace/" >"$tmp/after" &&
			cmp "$tmp/before" "$tmp/after" || return 1
	done
	[ ! -e "$tmp/t/none.nct" ]
}
expect cut-of-all-is-the-same cuts_all

# From a pipe and into one, and of a trace without hints, that is read whole.
cut_pipes() {
	run cut -q --from=0.4 full.nct again.nct && run cut -q --from=0.4 - - <"$tmp/t/full.nct" >"$tmp/piped" &&
		cmp "$tmp/piped" "$tmp/t/again.nct" && cat "$tmp/t/full.nct" | run cut -q --from=0.4 - - >"$tmp/piped" &&
		cmp "$tmp/piped" "$tmp/t/again.nct"
}
expect cut-pipes cut_pipes

# Another reader of README.md, in another language, sorts each sample as we do.
for trace in demo real-2026-11; do
	file=examples/demo.nct
	[ "$trace" = demo ] || file=format/vectors/$trace.nct
	for rules in default web; do
		expect "sorted-$trace-$rules" "$PYTHON" tests/report/sorted.py same "examples/rules/$rules.rules" \
			"$report" "$file"
	done
done

# ---- several traces in a file

golden merge.txt merge web1=full.nct db/1=missing.nct cut.nct text.nct many=manycpus.nct parts.nct
golden merge-exists.txt merge full.nct cut.nct manycpus.nct
golden merge-usage.txt merge full.nct
golden summary-parts.txt parts.nct
golden summary-parts.csv --format=csv parts.nct
golden summary-inside-parts.csv --format=csv-inside parts.nct
golden summary-part.txt --part=many parts.nct
golden info-part.txt info --part=2 parts.nct
golden part-none.txt info --part=web2 parts.nct
golden folded-parts.txt folded parts.nct
golden top-parts.csv top --format=csv -n 1 parts.nct
golden timeline-parts.csv timeline --format=csv parts.nct
golden timeline-part.txt timeline --part=web1 --from=0.2 parts.nct
golden by-parts.csv --by=cpu --format=csv -n 1 parts.nct
golden verify-parts.txt verify parts.nct
golden cut-of-parts.txt cut --to=0.5 parts.nct none.nct
golden cut-part.txt cut --part=many --to=0.5 parts.nct cut-out.nct

# "web1" is the first, "many" the last; of the second, which has no name, all is as it was.
run dump full.nct >"$tmp/all"
run recover -q cut.nct again.nct && run dump again.nct >>"$tmp/all"
run dump manycpus.nct >>"$tmp/all"
plain() {
	grep -Ev '"type":"(frame|index|end)"' "$1" | sed -E 's/,"host":"[^"]*"//; s/,"derived":\[[^]]*\]//'
}

dumps_all_parts() {
	run dump parts.nct >"$tmp/parts" && plain "$tmp/all" >"$tmp/before" && plain "$tmp/parts" >"$tmp/after" &&
		cmp "$tmp/before" "$tmp/after"
}
expect dumps-all-parts dumps_all_parts

dumps_samples_of_part() {
	run dump --samples --part='part 2' parts.nct >"$tmp/part" && run dump --samples again.nct >"$tmp/alone" &&
		cmp "$tmp/part" "$tmp/alone" && run dump --samples parts.nct | grep -c '^# parts.nct: ' >"$tmp/n" &&
		[ "$(cat "$tmp/n")" -eq 2 ]
}
expect dumps-samples-of-part dumps_samples_of_part

zstd_reads_parts() {
	zstd -qt "$tmp/t/parts.nct" && zstd -dcq "$tmp/t/parts.nct" >"$tmp/content" && "$PYTHON" - "$tmp/content" <<'END'
import msgpack, sys
kinds = [o[0] for o in msgpack.Unpacker(open(sys.argv[1], "rb"), strict_map_key=False, unicode_errors="replace")]
sys.exit(kinds.count(1) != 3 or kinds.count(127) != 3)
END
}
expect zstd-reads-parts zstd_reads_parts

# What is made of parts has the parts, and merging one file of them is no change.
same_parts() {
	rm -f "$tmp/t/again.nct"
	run "$@" -q parts.nct again.nct && run verify -q again.nct && run dump again.nct >"$tmp/again" &&
		plain "$tmp/again" >"$tmp/after" && cmp "$tmp/before" "$tmp/after" &&
		[ "$(grep -c '"type":"header"' "$tmp/again")" -eq 3 ]
}
expect recover-of-parts same_parts recover
expect merge-of-parts same_parts merge

# A cut in the second part leaves the first as it was.
cut_parts() {
	head -c "$(($(wc -c <"$tmp/t/full.nct") + 1500))" "$tmp/t/parts.nct" >"$tmp/t/cut-parts.nct"
	run folded --part=1 parts.nct >"$tmp/one" && run folded --part=1 cut-parts.nct >"$tmp/other" 2>"$tmp/err" &&
		cmp "$tmp/one" "$tmp/other" && run --part=2 cut-parts.nct 2>&1 | grep -q "cut"
}
expect cut-parts cut_parts

json_of_parts() {
	run --format=json parts.nct >"$tmp/json" && "$PYTHON" - "$tmp/json" <<'END'
import json, sys
text, decoder, parts = open(sys.argv[1]).read().strip(), json.JSONDecoder(), []
while text:
    value, end = decoder.raw_decode(text)
    parts.append((value["trace"]["part"], value["trace"]["host"]))
    text = text[end:].strip()
sys.exit(parts != [(1, "web1"), (2, None), (3, "many")])
END
}
expect json-of-parts json_of_parts

# ---- scrub: for bug reports

golden scrub.txt scrub private.nct scrubbed.nct
golden dump-scrubbed.txt dump scrubbed.nct
golden scrub-keep.txt scrub -q --keep=tasks,marks,time private.nct kept.nct
golden scrub-usage.txt scrub private.nct
golden scrub-bad-keep.txt scrub --keep=tasks,all private.nct kept.nct

keeps() {
	run dump kept.nct >"$tmp/kept" && grep -q '"zx-task"' "$tmp/kept" && grep -q '"zx-mark"' "$tmp/kept" &&
		grep -q '"scrub; kept: tasks, marks, time"' "$tmp/kept" && ! grep -q 'zx-[^trm]' "$tmp/kept"
}
expect scrub-keeps keeps

nothing_is_left() {
	rm -f "$tmp/t/after.nct"
	run scrub -q "$1" after.nct && run verify -q after.nct &&
		"$PYTHON" tests/report/scrubbed.py "$report" "$tmp/t/$1" "$tmp/t/after.nct"
}
cp examples/demo.nct format/vectors/real-2026-11.nct "$tmp/t"
(cd "$tmp/t" && "$report" merge -q demo.nct private.nct real-2026-11.nct mixed.nct)
for trace in private full noexact demo real-2026-11 mixed; do
	expect "scrub-$trace" nothing_is_left "$trace.nct"
done

no_zx_is_left() {
	run scrub -q mixed.nct after.nct && ! zstd -dcq "$tmp/t/after.nct" | grep -aq zx
}
expect scrub-leaves-nothing no_zx_is_left

# From a pipe, and into one.
scrub_pipes() {
	run scrub -q - - <"$tmp/t/private.nct" >"$tmp/piped" && run scrub -q private.nct after.nct &&
		cmp "$tmp/piped" "$tmp/t/after.nct"
}
expect scrub-pipes scrub_pipes

# ---- other ways in and out

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

full_disk() {
	status=0
	(run "$@" full.nct >/dev/full) 2>"$tmp/err" || status=$?
	[ "$status" -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q "cannot write" "$tmp/err"
}
for command in summary "summary --by=task" top timeline folded info dump; do
	# shellcheck disable=SC2086 # a command and its option
	expect "full-disk-$(echo "$command" | tr " " -)" full_disk $command
done

# Whatever we were started from: some shells and Python have SIGPIPE ignored.
early_reader() {
	(
		trap '' PIPE
		run dump full.nct 2>"$tmp/err" | true
	)
	[ ! -s "$tmp/err" ]
}
expect early-reader-is-quiet early_reader

json_parses() {
	for format in "summary --format=json" "info --format=json" "top --format=json" "--by=task --format=json" "--by=cpu --format=json"; do
		for file in full noexact nosamples manycpus bare; do
			# shellcheck disable=SC2086 # two words
			run $format "$file.nct" 2>/dev/null | "$PYTHON" -m json.tool >/dev/null || return 1
		done
	done
	run dump full.nct | "$PYTHON" -c 'import json, sys; [json.loads(l) for l in sys.stdin]'
}
expect json-parses json_parses

# ---- hostile input: an answer or one line, never a crash

if make -s SAN=1 report >"$tmp/san.log" 2>&1; then
	report=$PWD/build/san/netcost-report
fi

survives() {
	status=0
	run "$@" >/dev/null 2>"$tmp/err" || status=$?
	warning='; the report \(is of the rest\|goes as far as that\)$\| are left out, the first: '
	[ "$status" -le 1 ] && [ "$(grep -vc "$warning" "$tmp/err")" -le 1 ] && [ "$(wc -l <"$tmp/err")" -le 2 ] && return
	echo "netcost-report $*: status $status"
	head -n 20 "$tmp/err"
	return 1
}

survives_cuts() {
	size=$(wc -c <"$tmp/t/full.nct")
	n=0
	while [ $n -lt "$size" ]; do
		head -c "$n" "$tmp/t/full.nct" >"$tmp/t/cut-n.nct"
		survives summary cut-n.nct || return 1
		n=$((n + 7))
	done
}
expect survives-cuts survives_cuts

survives_mutants() {
	i=0
	while [ $i -lt "$MUTANTS" ]; do
		for command in summary "--format=csv-inside" "rules" "folded --per-cpu" "dump --samples" "info --format=json" "top --all" \
			"--by=task --task=b,0" "--by=cgroup" "timeline --from=0.2 --cpu=0"; do
			# shellcheck disable=SC2086 # a command and its option
			survives $command "mutant-$i.nct" || return 1
		done
		i=$((i + 1))
	done
}
expect survives-mutants survives_mutants

recovers_mutants() {
	i=0
	while [ $i -lt "$MUTANTS" ]; do
		for command in recover cut scrub; do
			if ! keeps_rules "$command" "mutant-$i"; then
				echo "mutant-$i.nct: what $command makes of it is not sound"
				return 1
			fi
		done
		i=$((i + 1))
	done
}
expect recovers-mutants recovers_mutants
