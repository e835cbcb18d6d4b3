# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: where the trace comes from, where the output goes, and in what order words may stand.

# ---- arguments

# same_text WANTED... -- GOT...: checks that two command lines print the same
same_text() {
	wanted=
	while [ "$1" != -- ]; do
		wanted="$wanted $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	run $wanted >"$tmp/one" && run "$@" >"$tmp/two" && [ -s "$tmp/one" ] && cmp "$tmp/one" "$tmp/two"
}
expect usage-option-first same_text latency --wide latency.nct -- --wide latency latency.nct
expect usage-option-with-value-first same_text top --rows=2 full.nct -- --rows 2 top full.nct
expect usage-short-option-first same_text top -n 2 full.nct -- -n 2 top full.nct
expect usage-option-between-first same_text top -n 2 --of=all full.nct -- -n 2 top --of=all full.nct

# ---- without FILE

# piped WORD...: checks that the command reads a pipe without FILE, and a file on standard input
piped() {
	run "$@" full.nct | sed 's/full\.nct/stdin/' >"$tmp/file" && cp "$tmp/t/latency.nct" "$tmp/t/netcost.nct" || return 1
	# shellcheck disable=SC2002 # a pipe is what is wanted
	cat "$tmp/t/full.nct" | run "$@" >"$tmp/pipe" && run "$@" <"$tmp/t/full.nct" >"$tmp/redirected" &&
		cmp "$tmp/file" "$tmp/pipe" && cmp "$tmp/file" "$tmp/redirected" &&
		run "$@" netcost.nct | sed 's/^netcost/x/' >"$tmp/named" && run "$@" </dev/null | sed 's/^netcost/x/' | cmp "$tmp/named" -
}
for command in summary folded "top --of=all"; do
	# shellcheck disable=SC2086 # words
	expect "usage-stdin-$(echo "$command" | tr -d ' -')" piped $command
done
rm -f "$tmp/t/netcost.nct"

# Endless input that is not a trace is not read completely.
endless() {
	status=0
	run "$@" </dev/null >"$tmp/out" 2>"$tmp/err" || status=$?
	[ "$status" -eq 1 ] && [ "$(wc -l <"$tmp/err")" -le 1 ] && grep -q 'not a netcost trace' "$tmp/err" "$tmp/out"
}
for command in summary timeline info dump verify folded "diff full.nct"; do
	# shellcheck disable=SC2086 # words
	expect "usage-endless-$(echo "$command" | tr ' ' -)" endless $command /dev/zero
done
expect usage-endless-cut endless cut --from=1 /dev/zero -o none.nct
expect usage-endless-recover endless recover /dev/zero -o none.nct

# ---- outputs: the program never writes through a link

# through_link WORD...: the last word is the link's name
through_link() {
	(
		cd "$tmp/t" && echo keep >victim && ln -sf victim link.out && "$report" "$@" 2>/dev/null &&
			[ "$(cat victim)" = keep ] && [ ! -L link.out ] && [ -s link.out ]
	)
}
for command in "html --no-charts -o" "folded -o" "flamegraph -o" "plot pies --script -o" "export openmetrics -q -o" "export pprof -o" "export perfetto -o"; do
	# shellcheck disable=SC2086 # words
	expect "usage-link-$(echo "$command" | tr -d '-' | tr -s ' ' -)" through_link $command link.out demo.nct
done
for command in recover scrub "cut --from=1"; do
	# shellcheck disable=SC2086 # words
	expect "usage-link-${command%% *}" through_link $command -q demo.nct -o link.out
done
table_links() {
	(
		cd "$tmp/t" && echo keep >victim && mkdir linked && ln -s ../victim linked/marks.ndjson && "$report" export tables -o linked demo.nct >"$tmp/out" 2>&1 &&
			[ "$(cat victim)" = keep ] && [ ! -L linked/marks.ndjson ]
	)
}
expect usage-link-tables table_links

# Writing to a pipe without a reader does not block. A pipe with a reader gets all data.
no_reader() {
	mkfifo "$tmp/t/pipe.out"
	! run folded -o pipe.out full.nct 2>"$tmp/err" && grep -q 'the pipe has no reader' "$tmp/err"
}
expect usage-pipe-without-reader no_reader
reader() {
	cat "$tmp/t/pipe.out" >"$tmp/read" &
	cat_pid=$!
	wait_for 60 run folded -o pipe.out full.nct && wait "$cat_pid" && run folded full.nct | cmp - "$tmp/read"
}
expect usage-pipe reader

# An existing file stays until the new one is complete. An interrupted command leaves no file.
keeps_old() {
	echo old >"$tmp/t/old.out"
	! PEAK_FILE=200 "$PYTHON" tests/report/peak.py 1000 "$report" folded -o "$tmp/t/old.out" "$tmp/t/full.nct" 2>"$tmp/err" &&
		[ "$(cat "$tmp/t/old.out")" = old ]
}
expect usage-keeps-old-file keeps_old
leaves_nothing() {
	mkdir "$tmp/t/new" && mkfifo "$tmp/t/slow.nct" || return 1
	exec 9<>"$tmp/t/slow.nct" # a trace that does not end
	head -c 20000 "$tmp/t/demo.nct" >&9
	(cd "$tmp/t" && exec "$report" recover slow.nct -o new/out.nct 2>/dev/null) &
	slow=$!
	wait_for 60 sh -c "ls -l /proc/$slow/fd | grep -q '$tmp/t/new'" || return 1
	kill "$slow"
	exec 9>&-
	wait "$slow" || :
	[ -z "$(ls -A "$tmp/t/new")" ]
}
expect usage-interrupted-leaves-nothing leaves_nothing
merge_advice() {
	cp "$tmp/t/full.nct" "$tmp/t/input.nct"
	! run merge cut.nct input.nct 2>"$tmp/err" && grep -q 'merge: -o FILE is missing' "$tmp/err" && cmp "$tmp/t/full.nct" "$tmp/t/input.nct"
}
expect usage-merge-without-output merge_advice
