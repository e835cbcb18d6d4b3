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

for trace in full nosamples noexact manycpus; do
	golden "summary-$trace.txt" summary "$trace.nct"
	golden "summary-$trace.json" summary --format=json "$trace.nct"
	golden "summary-$trace.csv" summary --format=csv "$trace.nct"
done
for trace in cut wrong bare contradiction; do
	golden "summary-$trace.txt" "$trace.nct"
done
golden summary-manycpus-all.txt --all-cpus manycpus.nct
golden folded.txt folded full.nct
golden folded-per-cpu-no-idle.txt folded --per-cpu --no-idle full.nct
golden folded-none.txt folded nosamples.nct
golden info.txt info full.nct
golden info.json info --format=json full.nct
golden info-bare.txt info bare.nct
golden info-bare.json info bare.nct --format=json
golden dump.txt dump full.nct
golden dump-samples.txt dump --samples full.nct
golden help.txt --help
golden help-summary.txt summary --help
golden help-folded.txt folded -h
golden no-command.txt no-command full.nct
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
recovers() {
	run recover -q "$1.nct" "again.nct" && run verify -q again.nct
}
for trace in full cut wrong damaged bare noexact nosamples manycpus contradiction; do
	expect "recover-$trace" recovers "$trace"
done

but_frames() {
	run dump "$1" | grep -Ev '"type":"(frame|index|end)"'
}

recovers_all() {
	run recover -q manycpus.nct again.nct && but_frames manycpus.nct >"$tmp/before" &&
		but_frames again.nct >"$tmp/after" && cmp "$tmp/before" "$tmp/after"
}
expect recover-is-the-same recovers_all

recovers_to_stdout() {
	run recover -q damaged.nct - >"$tmp/piped" && run recover -q damaged.nct again.nct &&
		cmp "$tmp/piped" "$tmp/t/again.nct" && zstd -qt "$tmp/piped"
}
expect recover-to-stdout recovers_to_stdout

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
for command in summary folded info dump; do
	expect "full-disk-$command" full_disk "$command"
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
	for format in "summary --format=json" "info --format=json"; do
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
	[ "$status" -le 1 ] && [ "$(wc -l <"$tmp/err")" -le 1 ] && return
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
		for command in summary "folded --per-cpu" "dump --samples" "info --format=json"; do
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
		if ! recovers "mutant-$i"; then
			echo "mutant-$i.nct: what is recovered is not sound"
			return 1
		fi
		i=$((i + 1))
	done
}
expect recovers-mutants recovers_mutants
