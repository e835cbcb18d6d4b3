#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2002 # pipes are what is wanted
# A trace from before format 1.0 is refused by every command, with one line: alone, through a pipe, cut off, and as a part.
. tests/lib.sh

draft=format/vectors/draft-real.nct good=format/vectors/real-2026-11-22.nct
text="from before format version 1.0"

# refused FILE COMMAND...: "out" in it is a file that is written
refused() {
	file=$1
	shift
	rc=0
	rm -f "$tmp/out"
	cat "$file" | "$REPORT" "$@" >"$tmp/text" 2>"$tmp/err" || rc=$?
	[ "$rc" -eq 1 ] || echo "ended with $rc"
	[ "$1" != verify ] || mv "$tmp/text" "$tmp/err"
	[ "$(grep -cF "$text" "$tmp/err")" -eq 1 ] || echo "does not say once why: $(cat "$tmp/err")"
	case $(grep -cv -e ': complete; saved' "$tmp/err") in 1) ;; *) echo "says more: $(cat "$tmp/err")" ;; esac
	case $file in
	*good-draft) ;;
	*) if [ "$1" != dump ] && [ "$1" != verify ] && [ -s "$tmp/text" ]; then echo "and shows something"; fi ;;
	esac
	if [ -e "$tmp/out" ]; then
		"$REPORT" verify -q "$tmp/out" || echo "what it wrote is broken"
	fi
}

# all_refuse NAME FILE PART: of that part
all_refuse() {
	for command in summary dump info verify html top timeline folded flamegraph accuracy; do
		refused "$2" $command "$2" >"$tmp/why"
		refused "$2" $command - >>"$tmp/why"
		expect "draft-$1-$command" [ ! -s "$tmp/why" ]
		cat "$tmp/why"
	done
	for command in scrub recover merge cut; do
		case $command in
		cut) refused "$2" cut --part="$3" "$2" "$tmp/out" ;;
		*) refused "$2" $command "$2" "$tmp/out" ;;
		esac >"$tmp/why"
		expect "draft-$1-$command" [ ! -s "$tmp/why" ]
		cat "$tmp/why"
	done
	rc=0
	"$PYTHON" format/reader.py "$2" >/dev/null 2>"$tmp/err" || rc=$?
	expect "draft-$1-python" sh -c "[ $rc -eq 1 ] && grep -qF 'version: $text' '$tmp/err'"
}

cat $draft $good >"$tmp/draft-good"
cat $good $draft >"$tmp/good-draft"
head -c 12000 $draft >"$tmp/cut"
all_refuse alone $draft 1
all_refuse first "$tmp/draft-good" 1
all_refuse second "$tmp/good-draft" 2
all_refuse cut "$tmp/cut" 1
