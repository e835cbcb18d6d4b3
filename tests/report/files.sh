# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: traces made of traces: damage, cut, merge, scrub.

# ---- damage: the middle frame of full.nct, and the remaining data

golden summary-damaged.txt --full damaged.nct
golden summary-damaged.json --format=json damaged.nct
golden info-damaged.txt info damaged.nct
golden only-damaged.json --format=json --from=0.1 damaged.nct
golden only-badcpu.txt --full --from=0.1 badcpu.nct
golden verify-missing.csv verify --format=csv missing.nct
golden summary-unsaid.txt --full unsaid.nct
golden info-unsaid.json info --format=json unsaid.nct
golden timeline-unsaid.txt timeline unsaid.nct
golden dump-damaged.txt dump damaged.nct
golden dump-damaged-recover.txt dump --recover damaged.nct
golden verify.txt verify full.nct manycpus.nct noexact.nct
golden verify-quiet.txt verify -q full.nct manycpus.nct
golden verify.json verify --format=json full.nct cut.nct damaged.nct
golden verify.csv verify --format=csv full.nct cut.nct damaged.nct
golden verify-cut.txt verify full.nct cut.nct
golden verify-broken.txt verify cut.nct damaged.nct wrong.nct contradiction.nct text.nct
golden verify-usage.txt verify
golden recover-oversum.txt recover oversum.nct -o again.nct
golden recover-usage.txt recover full.nct
golden recover-itself.txt recover full.nct -o ./full.nct
golden recover-nothing.txt recover text.nct -o out.nct

# The output of recover is well-formed, and an intact trace is unchanged.
keeps_rules() {
	run "$1" -q "$2.nct" -o again.nct && run verify -q again.nct
}
for trace in full cut wrong damaged bare noexact nosamples manycpus contradiction oversum torn drops others latency latency-only tail stages; do
	expect "recover-$trace" keeps_rules recover "$trace"
	expect "cut-sound-$trace" keeps_rules cut "$trace"
	expect "scrub-sound-$trace" keeps_rules scrub "$trace"
done

but_frames() {
	run dump "$1" | grep -Ev '"type":"(frame|schema|names|index|end)"'
}

recovers_all() {
	run recover -q "$1.nct" -o again.nct && but_frames "$1.nct" >"$tmp/before" &&
		but_frames again.nct | sed 's/,"derived":\["recover"\]//' >"$tmp/after" &&
		cmp "$tmp/before" "$tmp/after"
}
for trace in manycpus latency latency-only tail stages; do
	expect "recover-is-the-same-$trace" recovers_all $trace
done

recovers_to_stdout() {
	run recover -q damaged.nct -o - >"$tmp/piped" && run recover -q damaged.nct -o again.nct &&
		cmp "$tmp/piped" "$tmp/t/again.nct" && zstd -qt "$tmp/piped"
}
expect recover-to-stdout recovers_to_stdout

# ---- a part of the time

golden cut.txt cut --from=0.6 --to=900ms full.nct -o cut-out.nct
golden info-cut-out.txt info cut-out.nct
golden summary-cut-out.txt --full cut-out.nct
golden cut-end.txt cut --from=-400ms noexact.nct -o cut-out.nct
golden cut-damaged.txt cut --from=0.5 damaged.nct -o cut-out.nct
golden cut-nothing.txt cut --from=7 full.nct -o none.nct
golden cut-no-mark.txt cut --to=mark:none full.nct -o none.nct
golden cut-bad-time.txt cut --from=1x full.nct -o none.nct
golden cut-itself.txt cut full.nct -o ./full.nct
golden cut-usage.txt cut full.nct

cuts_all() {
	for trace in full noexact nosamples manycpus; do
		run cut -q "$trace.nct" -o again.nct && run summary "$trace.nct" | grep -v '^  skipped' >"$tmp/before" &&
			run summary again.nct | sed "/^  derived/d; /^  skipped/d; s/^again/$trace/" >"$tmp/after" &&
			cmp "$tmp/before" "$tmp/after" || return 1
	done
	[ ! -e "$tmp/t/none.nct" ]
}
expect cut-of-all-is-the-same cuts_all

# cut reads from a pipe and writes to a pipe, and reads a trace without hints completely.
cut_pipes() {
	run cut -q --from=0.4 full.nct -o again.nct && run cut -q --from=0.4 - -o - <"$tmp/t/full.nct" >"$tmp/piped" &&
		cmp "$tmp/piped" "$tmp/t/again.nct" && cat "$tmp/t/full.nct" | run cut -q --from=0.4 - -o - >"$tmp/piped" &&
		cmp "$tmp/piped" "$tmp/t/again.nct"
}
expect cut-pipes cut_pipes

# Packet latency and packet paths: each record is in one part, and the counts sum to the whole.
waits() {
	(cd "$tmp/t" && "$PYTHON" "$OLDPWD/tests/report/waits.py" "$report" "$@")
}
for trace in latency latency-only latency-keys tail; do
	expect "cut-sums-$trace" waits cut 0.5 $trace.nct
done
expect cut-sums-stages waits cut 0.5 stages.nct
expect merge-waits waits merge latency.nct latency-keys.nct latency-only.nct tail.nct stages.nct

# An independent reader, written from README.md in another language, classifies each sample as the
# report does.
for trace in demo real-2026-11 real-2026-11-22; do
	file=examples/demo.nct
	[ "$trace" = demo ] || file=format/vectors/$trace.nct
	for rules in default web; do
		expect "sorted-$trace-$rules" "$PYTHON" tests/report/sorted.py same "examples/rules/$rules.rules" \
			"$report" "$file"
	done
done

# ---- several traces in a file

rm "$tmp/t/parts.nct"
golden merge.txt merge web1=full.nct db/1=missing.nct cut.nct text.nct many=manycpus.nct -o parts.nct
golden merge-usage.txt merge full.nct
golden summary-parts.txt --full parts.nct
golden summary-parts.csv --format=csv parts.nct
golden summary-inside-parts.csv --format=csv --table=inside parts.nct
golden summary-part.txt --full --part=many parts.nct
golden info-part.txt info --part=2 parts.nct
golden part-none.txt info --part=web2 parts.nct
# If files are merged, only damaged files are reported.
merge_is_brief() {
	run merge demo.nct steady.nct -o brief.nct 2>"$tmp/err" && [ "$(cat "$tmp/err")" = "netcost-report: brief.nct: written" ] &&
		run merge demo.nct cut.nct -o brief.nct 2>"$tmp/err"
		grep -q '^netcost-report: cut.nct: .*saved' "$tmp/err" && ! grep -q demo.nct "$tmp/err"
}
expect merge-is-brief merge_is_brief
golden folded-parts.txt folded --idle parts.nct
golden top-parts.csv top --format=csv -n 1 parts.nct
golden timeline-parts.csv timeline --format=csv parts.nct
golden timeline-part.txt timeline --part=web1 --from=0.2 parts.nct
golden by-parts.csv --by=cpu --format=csv -n 1 parts.nct
golden verify-parts.txt verify parts.nct
golden verify-parts.json verify --format=json parts.nct
golden info-parts.csv info --format=csv parts.nct
golden cut-of-parts.txt cut --to=0.5 parts.nct -o none.nct
golden cut-part.txt cut --part=many --to=0.5 parts.nct -o cut-out.nct

# "web1" is the first part, "many" the last. In the second part, which has no name, everything is
# unchanged.
run dump full.nct >"$tmp/all"
run recover -q cut.nct -o again.nct && run dump again.nct >>"$tmp/all"
run dump manycpus.nct >>"$tmp/all"
plain() {
	grep -Ev '"type":"(frame|schema|names|index|end)"' "$1" | sed -E 's/,"host":"[^"]*"//; s/,"derived":\[[^]]*\]//'
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

# Traces made from several parts keep the parts, and merging a single file of them changes nothing.
same_parts() {
	rm -f "$tmp/t/again.nct"
	run "$@" -q parts.nct -o again.nct && run verify -q again.nct && run dump again.nct >"$tmp/again" &&
		plain "$tmp/again" >"$tmp/after" && cmp "$tmp/before" "$tmp/after" &&
		[ "$(grep -c '"type":"header"' "$tmp/again")" -eq 3 ]
}
expect recover-of-parts same_parts recover
expect merge-of-parts same_parts merge

# A cut in the second part leaves the first part unchanged.
cut_parts() {
	head -c "$(($(wc -c <"$tmp/t/full.nct") + 4000))" "$tmp/t/parts.nct" >"$tmp/t/cut-parts.nct"
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

# ---- files of one recording (--rotate): joined they equal the recording

"$PYTHON" tests/report/rotated_traces.py "$tmp/t"
# Prints a report without the file's name and the note that the trace was joined.
unnamed() {
	sed -E '/"file": /d; /"derived": \[\]/d; /"derived": \[$/,/\]/d; s/^(whole|all|rot-1.nct to rot-4)\.nct//'
}
rotated_as_whole() {
	for rotated_command in "summary --format=json" "summary --by=task --format=json" "summary --by=cgroup --format=json" \
		"top --format=json" "who --format=json" "timeline --format=json" "timeline --by=process --format=json" folded; do
		# shellcheck disable=SC2086 # words
		run $rotated_command whole.nct | unnamed >"$tmp/want" && run $rotated_command "$@" | unnamed >"$tmp/got" &&
			[ -s "$tmp/got" ] && diff "$tmp/want" "$tmp/got" || return 1
	done
}
expect rotated-reports-as-one rotated_as_whole rot-1.nct rot-2.nct rot-3.nct rot-4.nct
rotated_merged() {
	rm -f "$tmp/t/all.nct"
	run merge -q rot-1.nct rot-2.nct rot-3.nct rot-4.nct -o all.nct && run verify -q all.nct && rotated_as_whole all.nct
}
expect rotated-merges-to-one rotated_merged
# Joining does not bridge a missing file.
rotated_hole() {
	rm -f "$tmp/t/hole.nct"
	run merge -q rot-1.nct rot-3.nct rot-4.nct -o hole.nct 2>"$tmp/err" && run verify -q hole.nct &&
		grep -q 'rot-3.nct: begins 0.300 s after the end of rot-1.nct, .*missing' "$tmp/err" &&
		run summary --full hole.nct | grep -c ' recorded 20' | grep -qx 2 &&
		run summary --full rot-1.nct rot-3.nct rot-4.nct 2>"$tmp/err" | grep -c ' recorded 20' | grep -qx 2 && grep -q 'are missing' "$tmp/err"
}
expect rotated-hole-is-said rotated_hole
# The last file is not finished yet. Files of different recordings are not joined.
rotated_end() {
	head -c -20 "$tmp/t/rot-4.nct" >"$tmp/t/rot-4.nct.part" && run summary --full rot-3.nct rot-4.nct.part | grep -c ' recorded 20' | grep -qx 1 &&
		{ run summary rot-2.nct rot-1.nct 2>"$tmp/err" >/dev/null || [ $? -eq 2 ]; } && grep -q 'not recognised as one recording' "$tmp/err" &&
		{ run summary rot-1.nct full.nct 2>"$tmp/err" >/dev/null || [ $? -eq 2 ]; } && grep -q 'not recognised as one recording' "$tmp/err"
}
expect rotated-ends-and-strangers rotated_end

# ---- scrub: for bug reports

rm -f "$tmp/t/scrubbed.nct"
golden scrub.txt scrub private.nct -o scrubbed.nct
golden dump-scrubbed.txt dump scrubbed.nct
golden scrub-keep.txt scrub -q --keep=tasks,marks,time private.nct -o kept.nct
golden scrub-usage.txt scrub private.nct
golden scrub-bad-keep.txt scrub --keep=tasks,all private.nct -o kept.nct

keeps() {
	run dump kept.nct >"$tmp/kept" && grep -q '"zx-task"' "$tmp/kept" && grep -q '"zx-mark"' "$tmp/kept" &&
		grep -q '"scrub; kept: tasks, marks, time"' "$tmp/kept" && ! grep -q 'zx-[^trm]' "$tmp/kept"
}
expect scrub-keeps keeps

nothing_is_left() {
	rm -f "$tmp/t/after.nct"
	run scrub -q "$1" -o after.nct && run verify -q after.nct &&
		"$PYTHON" tests/report/scrubbed.py "$report" "$tmp/t/$1" "$tmp/t/after.nct"
}
for trace in private full noexact latency latency-only tail stages demo real-2026-11 mixed; do
	expect "scrub-$trace" nothing_is_left "$trace.nct"
done

no_zx_is_left() {
	run scrub -q mixed.nct -o after.nct && ! zstd -dcq "$tmp/t/after.nct" | grep -aq zx
}
expect scrub-leaves-nothing no_zx_is_left

keeps_sentences() {
	"$report" scrub -q "$1" -o "$tmp/t/after.nct" && "$PYTHON" tests/report/sentences.py "$report" "$1" "$tmp/t/after.nct"
}
# the sentences in format/vectors are older than reasons, and are removed
for trace in examples/*.nct; do
	expect "scrub-sentences-$(basename "$trace" .nct)" keeps_sentences "$trace"
done

# scrub reads from a pipe, and writes to one.
scrub_pipes() {
	run scrub -q - -o - <"$tmp/t/private.nct" >"$tmp/piped" && run scrub -q private.nct -o after.nct &&
		cmp "$tmp/piped" "$tmp/t/after.nct"
}
expect scrub-pipes scrub_pipes
