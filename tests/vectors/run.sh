#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2046,SC2086 # lists; names of vectors have no blanks
# Checks the trace format by two readers, netcost-report and format/reader.py, on every conformance
# vector (conform.py), on traces that are changed at random (mutate.py), and on traces as later
# versions may write them (later.py). Also checks that programs that write traces write complete
# ones. NETCOST_TIER=all: more of each, and every cut and flip of a real trace (sweep.c).
. tests/lib.sh
need_command zstd

vectors=format/vectors server=$BUILD/tests/report_server
if ! make -s BUILD="$BUILD" WERROR=1 "$server" >"$tmp/log" 2>&1; then
	cat "$tmp/log"
	fail vectors-build "make failed"
	exit 1
fi
all=false
[ "${NETCOST_TIER:-gate}" != all ] || all=true

# of_class CLASS...: prints the vectors of these classes
of_class() {
	awk -F '\t' -v classes=" $* " 'index(classes, " " $3 " ") { print "format/vectors/" $1 ".nct" }' $vectors/STATUS
}

# reads_all NAME COMMAND...: checks that COMMAND, which prints errors, prints none
reads_all() {
	lib_name=$1
	shift
	if "$@" >"$tmp/log" 2>&1; then
		pass "$lib_name: $(tail -n 1 "$tmp/log")"
	else
		cat "$tmp/log"
		fail "$lib_name" "expected no difference, got: $(head -n 1 "$tmp/log")"
	fi
}

"$PYTHON" tests/vectors/conform.py "$server" || lib_failed=1

# Seed 1 makes the same mutants each time. Mutants with a difference are kept.
mutants=300
! $all || mutants=${MUTATIONS:-20000}
mkdir -p "$BUILD/mutants"
reads_all mutants "$PYTHON" tests/vectors/mutate.py -s 1 -k "$BUILD/mutants" "$server" $mutants $(of_class ok content)

# ---- the reader of format 1.0, on all traces of the tree, and on traces as later versions may write them

reads_all later-vectors "$PYTHON" tests/vectors/later.py $(of_class hint whole content cut) \
	$vectors/real-*.nct examples/*.nct
ok=$(of_class ok)
$all || ok=$(echo "$ok" | grep -v frame-limit-array) # a column of 8 MiB takes 5 s
reads_all later-changed "$PYTHON" tests/vectors/later.py -f -r "$server" $ok
reads_all described-by-itself "$PYTHON" tests/vectors/described.py examples/demo.nct

# ---- intact traces: zstd decompresses them, and their seek table alone suffices to read them from any position

whole=
if [ -x "$RECORD" ] && "$RECORD" --check -q >"$tmp/log" 2>&1; then
	"$RECORD" -q -o "$tmp/recorded.nct" -- "$PYTHON" -c 'sum(range(10**6))'
	"$RECORD" -q -o - -- "$PYTHON" -c 'sum(range(10**6))' | tee "$tmp/piped.nct" | zstd -qt || fail zstd-pipe "expected status 0, got $?"
	whole="$tmp/recorded.nct $tmp/piped.nct"
else
	skip whole-recorded "needs BPF"
fi
real=$vectors/real-2026-11-22.nct
cat "$real" examples/demo.nct >"$tmp/joined.nct"
"$REPORT" merge -q "$real" examples/demo.nct -o "$tmp/merged.nct"
"$REPORT" merge -q "$tmp/joined.nct" "$real" -o "$tmp/merged-3.nct"
"$REPORT" recover -q "$real" -o "$tmp/recovered.nct"
"$REPORT" scrub -q "$tmp/merged.nct" -o "$tmp/scrubbed.nct"
"$REPORT" cut -q --from 1 --to 2 "$real" -o "$tmp/cut.nct"
whole="$whole $vectors/real-2026-11.nct $real examples/demo.nct $tmp/merged.nct $tmp/merged-3.nct $tmp/recovered.nct $tmp/scrubbed.nct $tmp/cut.nct"
for name in example frames size-fields skippable-large unknown-long parts-table-all parts-many; do
	whole="$whole $vectors/$name.nct"
done
reads_all whole-verify "$REPORT" verify $whole
reads_all whole-seekable "$PYTHON" tests/vectors/seekable.py $whole
# Vectors of the class "window" can only be read by zstd with --long.
reads_all whole-zstd zstd -qt $whole $(awk -F '\t' '$2 == 0 && $1 != "window" { print "format/vectors/" $1 ".nct" }' $vectors/STATUS)

! $all || whole="$whole" sh tests/vectors/sweep.sh || lib_failed=1
