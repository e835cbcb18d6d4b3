#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC3045,SC2016,SC2046,SC2231 # dash has "ulimit -v"; the folder has no blanks
# Two readers, ours and format/reader.py, on every conformance vector: the same records, the same verdict.
# format/vectors/generate.py says what is in NAME.nct, NAME.json and STATUS.
. tests/lib.sh
need_command zstd

vectors=format/vectors
mkdir "$tmp/large"
"$PYTHON" $vectors/generate.py --large "$tmp/large"

# conform-NAME NAME: whether the verdict's parts, left in $tmp/why, are none
verdict() {
	if [ -s "$tmp/why" ]; then
		fail "$1" "$(tr '\n' ' ' <"$tmp/why")"
	else
		pass "$1"
	fi
}

# same WANTED GOT: bytes, else what they mean as JSON.
same() {
	cmp -s "$1" "$2" || "$PYTHON" tests/vectors/same.py "$1" "$2"
}

# dumped FILE STATUS CLASS JSON OUT ERR RC: what dump does with a vector of this class
dumped() {
	case $3 in
	cut | ok | hint | whole | content) [ "$7" -eq 0 ] ;;
	*) [ "$7" -eq 1 ] ;;
	esac || echo "dump ended with $7"
	same "$4" "$5" || echo "other records"
	case $3 in
	ok | hint | whole | content) ! grep -v '^note:' "$6" || echo "says something" ;;
	cut) grep -q 'cut off' "$6" || echo "no warning" ;;
	version) grep -q -e 'format version' -e 'requires' "$6" || echo "does not name the version" ;;
	*) [ -s "$6" ] || echo "no reason" ;;
	esac
}

# Ours: from a file, from a pipe, with little memory, and its verdict.
conform_c() {
	file=$1/$2.nct
	rc=0
	"$REPORT" dump "$file" >"$tmp/c.out" 2>"$tmp/c.err" || rc=$?
	dumped "$file" "$3" "$4" "$1/$2.json" "$tmp/c.out" "$tmp/c.err" "$rc" >"$tmp/why"
	piped=0
	# shellcheck disable=SC2002 # a pipe is what is wanted
	cat "$file" | "$REPORT" dump - >"$tmp/p.out" 2>"$tmp/p.err" || piped=$?
	[ "$piped" -eq "$rc" ] && cmp -s "$tmp/c.out" "$tmp/p.out" || echo "a pipe gives something else" >>"$tmp/why"
	if $has_verify; then
		verified=0
		"$REPORT" verify "$file" >"$tmp/v.out" 2>&1 || verified=$?
		[ "$verified" -eq "$3" ] || echo "verify ended with $verified: $(tail -n 1 "$tmp/v.out")" >>"$tmp/why"
		# It tells of hints that lie, and of no others; of counters that were reset, and of what it does not know.
		told=$(grep -v -c -e ': ok' -e 'warning: .* counters were reset' -e 'were not judged$' "$tmp/v.out") || :
		case $4:$told in
		ok:0 | hint:[1-9]*) ;;
		ok:* | hint:*) echo "verify says: $(cat "$tmp/v.out")" >>"$tmp/why" ;;
		esac
	fi
	verdict "conform-c-$2"
	[ -n "$memory" ] || return 0
	limited=0
	(ulimit -v "$memory" && exec "$REPORT" dump "$file") >"$tmp/p.out" 2>"$tmp/p.err" || limited=$?
	: >"$tmp/why"
	[ "$limited" -eq "$rc" ] && cmp -s "$tmp/c.out" "$tmp/p.out" && cmp -s "$tmp/c.err" "$tmp/p.err" ||
		echo "ended with $limited in $memory KiB, with $rc in more: $(tail -n 1 "$tmp/p.err")" >"$tmp/why"
	verdict "memory-$2"
}

# read_each FOLDER OPTION...: by format/reader.py, into $tmp/py
read_each() {
	folder=$1
	shift
	rm -rf "$tmp/py"
	mkdir "$tmp/py"
	"$PYTHON" tests/vectors/read_each.py "$tmp/py" "$@" -- "$folder"/*.nct
}

# After read_each.
conform_py() {
	out=$tmp/py/$2.out
	read -r rc <"$tmp/py/$2.rc"
	class=$(sed -n '/: note: /d; s/^reader.py: \([a-z-]*\): .*/\1/p' "$tmp/py/$2.err")
	# It does not read what the records mean together, and does not compare hints.
	case $4 in content | hint | whole) wanted="0 " ;; ok) wanted="$3 " ;; *) wanted="$3 $4" ;; esac
	{
		[ "$rc $class" = "$wanted" ] || echo "ended with $rc $class"
		cmp -s "$1/$2.json" "$out" || same "$1/$2.json" "$out" || echo "other records"
	} >"$tmp/why"
	verdict "conform-py-$2"
}

# each FUNCTION FOLDER: FUNCTION FOLDER NAME STATUS CLASS
each() {
	while IFS='	' read -r name wanted class _; do
		"$1" "$2" "$name" "$wanted" "$class"
	done <"$2/STATUS"
}

has_verify=false
"$REPORT" --help | grep -q '^  verify ' && has_verify=true

# What the least trace takes, and 24 MiB, a frame compressed and as it is read: nothing in a file can make us need more.
memory=
need=4096
while [ $need -lt 1048576 ]; do
	if (ulimit -v $need && exec "$REPORT" dump $vectors/minimal.nct) >/dev/null 2>&1; then
		memory=$((need + ${ROOM_KIB:-24576}))
		break
	fi
	need=$((need + 1024))
done
[ -n "$memory" ] || skip memory "does not run with 1 GiB of address space (a build with sanitizers?)"

expect vectors-generated "$PYTHON" $vectors/generate.py --check
expect vectors-complete "$PYTHON" $vectors/generate.py --keys
each conform_c $vectors
read_each $vectors
each conform_py $vectors
each conform_c "$tmp/large"
read_each "$tmp/large"
each conform_py "$tmp/large"

# What samples are: of all complete traces, both readers'. Ours says where a part begins.
samples_same() {
	"$REPORT" dump --samples "$1" | sed "/^# /d" >"$tmp/s.out"
	cmp "$tmp/s.out" "$tmp/py/$(basename "$1" .nct).out"
}
read_each $vectors --samples
while IFS='	' read -r name _ class _; do
	[ "$class" != ok ] || expect "samples-$name" samples_same "$vectors/$name.nct"
done <$vectors/STATUS

# Traces taken apart, changed and put together again: both readers say the same. `-s SEED` makes the same ones again.
mkdir -p "$BUILD/mutants"
expect mutants "$PYTHON" tests/vectors/mutate.py -k "$BUILD/mutants" "$REPORT" "${MUTATIONS:-20000}" \
	$(awk -F '\t' '$3 == "ok" || $3 == "content" { print "format/vectors/" $1 ".nct" }' $vectors/STATUS)

# Real traces, kept for ever, and today's.
"$PYTHON" tests/vectors/read_each.py "$tmp/py" --samples -- examples/demo.nct
for trace in $vectors/real-*.nct examples/demo.nct; do
	name=$(basename "$trace" .nct)
	"$REPORT" dump "$trace" >"$tmp/c.out"
	"$PYTHON" format/reader.py "$trace" >"$tmp/py.out"
	expect "conform-same-$name" cmp "$tmp/c.out" "$tmp/py.out"
	expect "samples-$name" samples_same "$trace"
	sum=${trace%.nct}.sha256
	[ ! -e "$sum" ] || expect "conform-sum-$name" sh -c 'sha256sum <"$1" | grep -q "^$(cat "$2") "' - "$tmp/c.out" "$sum"
	expect "zstd-$name" zstd -qt "$trace"
done

# zstd's own reader passes every complete trace, ours or not.
while IFS='	' read -r name wanted _; do
	[ "$wanted" -ne 0 ] || [ "$name" = window ] || expect "zstd-$name" zstd -qt "$vectors/$name.nct"
done <$vectors/STATUS

sh tests/vectors/sweep.sh || lib_failed=1
sh tests/vectors/test_frozen.sh || lib_failed=1
sh tests/vectors/test_drafts.sh || lib_failed=1
