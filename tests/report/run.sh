#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests netcost-report on traces with known numbers: golden output, exit status, hostile input.
#
#	sh tests/report/run.sh [SECTION...]		runs all sections of the tier, or these
#	UPDATE=1 sh tests/report/run.sh [SECTION...]	rewrites their golden files; then read the diff
#
# A section is a file tests/report/SECTION.sh. It needs no other section: all traces are made first. Sections can run in two
# processes at the same time. NETCOST_TIER=all adds what takes long.
. tests/lib.sh
need_command zstd
"$PYTHON" -c 'import msgpack' 2>/dev/null || skip_all "needs python3-msgpack"

# Local time is UTC, and there is no pager for terminals and no width for pipes.
export TZ=UTC NETCOST_PAGER=
unset COLUMNS

gate="screen tables counts files picture sampled missing plots accuracy diff energy per figures settings html processes bugreport terminal export fleet sql
	usage commands documents schema cells edges"
long="large thinned browser"

# in_all: succeeds in the slow tier
in_all() {
	[ "${NETCOST_TIER:-gate}" = all ]
}

sections=${*:-$gate}
[ $# -gt 0 ] || ! in_all || sections="$gate $long"
for section in $sections; do
	[ -f "tests/report/$section.sh" ] || { echo "usage: sh tests/report/run.sh [SECTION...]; sections: $gate $long" >&2 && exit 2; }
done

# the report without sanitizers, for tests that run it very often, where only the figures matter
plain=$PWD/$REPORT
report=$plain
reports=$PWD/$BUILD/tests/report_server # the same, for programs that run hundreds of commands
make -s BUILD="$BUILD" WERROR=1 "$BUILD/tests/report_server" >&2
load=$PWD/examples/load.nct
golden=$PWD/tests/report/golden
if in_all; then MUTANTS=${MUTANTS:-300}; else MUTANTS=${MUTANTS:-30}; fi

seconds=0
# ---- traces, for all sections

mkdir "$tmp/t"
"$PYTHON" tests/report/traces.py "$tmp/t" "$MUTANTS"
cp examples/demo.nct format/vectors/real-2026-11.nct examples/rules/web.rules "$tmp/t"
printf 'leaf idle\nfunctions do_idle\ncategory one in sock_sent\n' >"$tmp/t/wrong.rules"
echo "something else altogether" >"$tmp/t/text.nct"

# Runs in the folder of the traces, so that names in the output are short and always the same.
run() {
	(cd "$tmp/t" && "$report" "$@")
}

run merge -q web1=full.nct cut.nct many=manycpus.nct -o parts.nct 2>/dev/null || [ $? -eq 1 ]
run merge -q demo.nct private.nct real-2026-11.nct -o mixed.nct
run scrub -q private.nct -o scrubbed.nct

# ---- golden files

# The golden files have no sizes and offsets of frames, because these depend on the version of zstd.
blur='s/(byte|"file_bytes":|^(.*,)?file_bytes,) ?[0-9]+/\1 N/; s/[0-9]+ bytes, /N bytes, /
	s/("type":"index","offset":)[^]]*/\1[N/'

# JSON with a line for each object and array: what follows its opening is joined to that line.
# shellcheck disable=SC2016 # of awk
pack='NR > 1 { if (/[{[]$/) printf "\n"; else sub(/^ */, " ") } { printf "%s", $0 } END { if (NR) print "" }'

# golden NAME ARGUMENTS...: compares stdout, then stderr, then the exit status
golden() {
	name=$1
	shift
	status=0
	run "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	{
		case $name in
		top.json) sed -E "$blur" "$tmp/out" ;; # as it is printed
		*.json) awk "$pack" "$tmp/out" | sed -E "$blur" ;;
		*) sed -E "$blur" "$tmp/out" ;;
		esac
		[ ! -s "$tmp/err" ] || sed -E "$blur; s/^/stderr: /" "$tmp/err"
		echo "status: $status"
	} >"$tmp/got"
	case $name in *.gp) mkdir -p "$tmp/scripts" && cp "$tmp/out" "$tmp/scripts/$name" ;; esac
	same_as_golden "$name"
	echo "/dev/null $*" >>"$tmp/commands"
}

# same_as_golden NAME: compares $tmp/got. If a golden file begins with "like OTHER", it only has the
# lines that differ from OTHER, which precedes it in the section. If it begins with "digest", it
# only has a digest, because another file shows each kind of its cells.
same_as_golden() {
	stored=$golden/$section/$1
	echo "$1" >>"$tmp/used"
	word='' base=''
	[ ! -f "$stored" ] || read -r word base <"$stored" || :
	if [ "$word" = like ]; then
		{
			echo "like $base"
			diff "$golden/$section/$base" "$tmp/got" | grep '^[<>]' || :
		} >"$tmp/differences"
		mv "$tmp/differences" "$tmp/got"
	elif [ "$word" = digest ]; then
		echo "digest $(sha256sum <"$tmp/got" | cut -c 1-16)" >"$tmp/digest"
		mv "$tmp/digest" "$tmp/got"
	fi
	if [ -n "${UPDATE:-}" ]; then
		mkdir -p "$golden/$section" && cp "$tmp/got" "$stored"
	fi
	if cmp -s "$stored" "$tmp/got"; then
		pass "golden-$1"
	else
		diff -U 3 "$stored" "$tmp/got" | head -n 40 || :
		fail "golden-$1" "expected tests/report/golden/$section/$1, got the difference above; UPDATE=1 sh tests/report/run.sh $section rewrites it"
	fi
}

# Each golden file of a section must be used by the section.
goldens_are_used() {
	[ -d "$golden/$section" ] || return 0
	unused=
	for file in "$golden/$section"/*; do
		grep -qxF "${file##*/}" "$tmp/used" || unused="$unused ${file##*/}"
	done
	if [ -z "$unused" ]; then
		pass "goldens-are-used-$section"
	else
		fail "goldens-are-used-$section" "expected each file in tests/report/golden/$section to be used, unused:$unused"
	fi
}

# ---- many commands in a process, with sanitizers: tests/report/many.c

many=${NETCOST_MANY:-} # of another machine's build
sanitized=$plain
# build_many: sets $many, and sets $sanitized to the report with sanitizers if the compiler supports
# them
build_many() {
	[ -z "$many" ] || return 0
	many=$PWD/build/san/tests/many sanitized=$PWD/build/san/netcost-report
	if ! flock build make -s SAN=1 report build/san/tests/many >"$tmp/san.log" 2>&1; then
		tail -n 5 "$tmp/san.log"
		many=$PWD/$BUILD/tests/many sanitized=$plain
		make -s BUILD="$BUILD" "$BUILD/tests/many"
	fi
}

# survive [-q] [-s STATUS] <"FILE COMMAND": runs the lines with $many
survive() {
	build_many && (cd "$tmp/t" && "$many" "$@")
}

# Repeats everything that has golden output with sanitizers.
golden_sanitized() {
	survive -q -s 5 <"$tmp/commands"
}

# Stores the CPU time of this shell and its children in $seconds. (In a subshell, times does not report it.)
take_time() {
	times >"$tmp/times"
	seconds=$(sed 's/[a-z]/ /g' "$tmp/times" | awk '{ s += 60 * ($1 + $3) + $2 + $4 } END { print s }')
}

# print_time WHAT: prints the CPU time since $seconds was set, and sets $seconds
print_time() {
	before=$seconds
	take_time
	echo "$seconds $before" | awk -v what="$1" '{ printf "# %s: %.1f s of CPU\n", what, $1 - $2 }'
}

print_time traces
for section in $sections; do
	: >"$tmp/used"
	report=$plain
	case $section in
	# sections about memory, or sections of goldens, which run with sanitizers at the end
	tables | files | large) ;;
	*) ! in_all || { build_many && report=$sanitized; } ;;
	esac
	# shellcheck disable=SC1090 # of the list above
	. "tests/report/$section.sh"
	goldens_are_used
	print_time "$section"
done
report=$plain
if [ -s "$tmp/commands" ]; then
	expect golden-sanitized golden_sanitized
	print_time golden-sanitized
fi
