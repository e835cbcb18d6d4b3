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
report=$PWD/$REPORT # and from edges.sh on one with sanitizers
plain=$report		# for very many runs, of which only the figures matter
MUTANTS=${MUTANTS:-300}
mkdir "$tmp/t"
"$PYTHON" tests/report/make_traces.py "$tmp/t" "$MUTANTS"

# In the traces' folder, so that names in the output are short and always the same.
run() {
	(cd "$tmp/t" && "$report" "$@")
}

# Sizes, and where frames begin, depend on zstd's version.
blur() {
	sed -E 's/(byte|"file_bytes":|^(.*,)?file_bytes,) ?[0-9]+/\1 N/; s/[0-9]+ bytes, /N bytes, /
		s/("type":"index","offset":)[^]]*/\1[N/'
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

# A file for each kind of thing.
for part in \
	tables \
	files \
	large \
	edges \
	picture \
	sampled \
	thinned \
	plots \
	accuracy \
	diff \
	energy \
	prices \
	settings \
	html \
	processes \
	bugreport \
	terminal \
	export \
	fleet \
	browser \
	schema; do
	# shellcheck disable=SC1090 # of the list above
	. "tests/report/$part.sh"
done
