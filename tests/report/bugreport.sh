# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: bugreport: one file to send.

golden bugreport.txt bugreport private.nct -o bug.tar.zst
golden bugreport-exists.txt bugreport full.nct -o bug.tar.zst
golden bugreport-itself.txt bugreport private.nct -o private.nct
golden bugreport-cut.txt bugreport cut.nct -o bug-cut.tar.zst
golden bugreport-damaged.txt bugreport damaged.nct -o bug-damaged.tar.zst
golden bugreport-nothing.txt bugreport text.nct -o bug-none.tar.zst
golden bugreport-nowhere.txt bugreport full.nct -o /nonexistent/bug.tar.zst
golden bugreport-stdin.txt bugreport - -o bug-none.tar.zst
golden bugreport-usage.txt bugreport full.nct
golden help-bugreport.txt bugreport --help

nothing_is_made() {
	[ ! -e "$tmp/t/bug-none.tar.zst" ] && [ "$(stat -c %a "$tmp/t/bug.tar.zst")" = 600 ]
}
expect bugreport-of-nothing nothing_is_made

# bugreport_of TRACE: makes a bug report and unpacks it by tar to $tmp/bug; no temporary file may be
# left
bugreport_of() {
	rm -rf "$tmp/bug" "$tmp/bug-tmp" "$tmp/t/again.tar.zst"
	mkdir "$tmp/bug" "$tmp/bug-tmp"
	(export TMPDIR="$tmp/bug-tmp" && run bugreport -q "$1" -o again.tar.zst) 2>"$tmp/err" &&
		rmdir "$tmp/bug-tmp" && zstd -dcq "$tmp/t/again.tar.zst" | tar -x -C "$tmp/bug" &&
		cd "$tmp/bug/netcost-bugreport" || return 1
}

# README.txt lists the content, and each file equals the output of the command for the trace in the
# archive.
holds_what_it_says() (
	bugreport_of "$1" && awk '/^  [a-z0-9.-]+ +[0-9]+ bytes/ { print $2, $1 }' README.txt | sort >../said &&
		for file in *; do
			[ "$file" = README.txt ] || echo "$(wc -c <"$file") $file"
		done | sort | diff - ../said >&2 &&
		"$report" summary --all trace.nct 2>/dev/null | cmp - summary.txt &&
		"$report" verify -q trace.nct >../word && grep -v '^state of the original\|: ok' verify.txt | cmp - ../word &&
		grep -qF "$2" README.txt && grep -qF "$2" verify.txt
)
expect bugreport-private holds_what_it_says private.nct 'original trace'
expect bugreport-full holds_what_it_says full.nct 'ok'
expect bugreport-bare holds_what_it_says bare.nct 'cut off'
expect bugreport-cut holds_what_it_says cut.nct 'cut off'
expect bugreport-damaged holds_what_it_says damaged.nct 'damaged'
expect bugreport-wrong holds_what_it_says wrong.nct 'damaged'
expect bugreport-hostile holds_what_it_says hostile.nct 'ok'

# There is a page for each part, equal to that of the command html.
has_pages() (
	bugreport_of parts.nct && [ "$(echo page*)" = "page-2.html page-3.html page.html" ] &&
		for part in 1 2 3; do
			page=page-$part.html
			[ $part -gt 1 ] || page=page.html
			"$report" html -o - --part=$part trace.nct 2>/dev/null | cmp - "$page" || return 1
		done
)
expect bugreport-parts has_pages

same_bytes() (
	bugreport_of full.nct && cp "$tmp/t/again.tar.zst" "$tmp/first" && bugreport_of full.nct &&
		cmp "$tmp/first" "$tmp/t/again.tar.zst" && cd "$tmp/t" &&
		"$report" bugreport -q full.nct -o - | cmp - "$tmp/first"
)
expect bugreport-same-bytes same_bytes

# No file contains a name of the host, or hostile bytes of names.
is_clean() (
	bugreport_of "$1" && zstd -dcq trace.nct >content && rm trace.nct &&
		"$PYTHON" "$bugreport_py" "$report" "$tmp/t/$1" ./*
)
bugreport_py=$PWD/tests/report/bugreport.py
for trace in private full demo real-2026-11 mixed poisoned processes stages latency tail drops others; do
	expect "bugreport-clean-$trace" is_clean "$trace.nct"
done

is_harmless() (
	bugreport_of "$1" && ! LC_ALL=C grep -q "[^$(printf '\t') -~]" ./*.txt && [ "$(grep -c '<script' page.html)" -eq "$("$report" html -o - "$tmp/t/full.nct" | grep -c '<script')" ] &&
		! grep -q '<img src=x\|<svg onload\|<script>hostile\|<script>alert' page.html
)
expect bugreport-harmless-hostile is_harmless hostile.nct
expect bugreport-harmless-poisoned is_harmless poisoned.nct

no_zx_in_bugreport() (
	bugreport_of mixed.nct && zstd -dcq trace.nct >content && rm trace.nct && ! grep -aq zx ./*
)
expect bugreport-leaves-nothing no_zx_in_bugreport

bugreports=20
in_all || bugreports=5
for i in $(seq 0 $((bugreports - 1))); do
	status=0
	rm -f "$tmp/t/again.tar.zst"
	run bugreport -q "mutant-$i.nct" -o again.tar.zst >/dev/null 2>"$tmp/err" || status=$?
	if [ "$status" -gt 1 ]; then
		fail bugreport-mutants "mutant-$i: $status"
	elif [ "$status" -eq 0 ]; then
		zstd -dcq "$tmp/t/again.tar.zst" | tar -t >/dev/null || fail bugreport-mutants "mutant-$i: not a tar"
	else
		[ ! -e "$tmp/t/again.tar.zst" ] || fail bugreport-mutants "mutant-$i: left"
	fi
done
pass bugreport-mutants
