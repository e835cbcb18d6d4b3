# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what a terminal shows.

# on_terminal COLUMNS ARGUMENTS...: prints the output on a terminal of that width
on_terminal() {
	(cd "$tmp/t" && "$PYTHON" "$terminal_py" "$@")
}
terminal_py=$PWD/tests/report/terminal.py

golden_terminal() {
	name=$1
	shift
	(unset NO_COLOR && LC_ALL=C.UTF-8 TERM=xterm on_terminal "$@") >"$tmp/got" 2>"$tmp/err" || :
	same_as_golden "$name"
}

golden_terminal terminal-80.txt 80 "$report" --full full.nct
golden_terminal terminal-60.txt 60 "$report" --full full.nct
golden_terminal terminal-200.txt 200 "$report" --full full.nct
golden_terminal terminal-diff.txt 80 "$report" diff steady.nct slower.nct
golden_terminal terminal-wide.txt 80 "$report" --wide full.nct
golden summary-colors.txt --full --color=always full.nct
golden bad-color.txt --color=red full.nct

# No line is wider than the terminal, and the only codes are colours, even with hostile names.
fits() {
	(unset NO_COLOR && cd "$tmp/t" && TERM=xterm LC_ALL=C.UTF-8 "$PYTHON" "$terminal_py" fits 80 "$report" full manycpus noexact \
		nosamples hostile poisoned private parts damaged processes latency stages tail drops others netonly cycles rxparts \
		demo crowd crowd-evil)
}
expect terminal-fits fits

# Output has colours on a terminal that supports them, unless they are disabled. --color overrides
# everything else.
has_escape() {
	grep -q "$(printf '\033')" "$tmp/out"
}
# colors yes|no TERM NO_COLOR OPTION: checks whether output has colours
colors() {
	(unset NO_COLOR && [ -z "$3" ] || export NO_COLOR="$3"; TERM=$2 on_terminal 80 "$report" ${4:+"$4"} full.nct) >"$tmp/out" &&
		if [ "$1" = yes ]; then has_escape; else ! has_escape; fi
}
expect terminal-colors colors yes xterm '' ''
expect terminal-no-color colors no xterm 1 ''
expect terminal-dumb colors no dumb '' ''
expect terminal-never colors no xterm '' --color=never
expect terminal-auto colors yes xterm '' --color=auto
expect terminal-always colors yes dumb 1 --color=always

# A file contains neither colours nor bars, and has the same bytes for each value of $TERM.
plain_file() {
	run --color=auto full.nct >"$tmp/out" && ! has_escape && (export TERM=xterm LC_ALL=C.UTF-8 && run full.nct) | cmp - "$tmp/out"
}
expect terminal-is-no-file plain_file

# Without codes and bars, a wide terminal shows the same text as a file.
same_figures() {
	run --full full.nct | tr -s ' ' >"$tmp/file" && (TERM=dumb LC_ALL=C on_terminal 250 "$report" --wide full.nct) | tr -d '\r#' |
		tr -s ' ' | sed 's/ $//' | diff "$tmp/file" -
}
expect terminal-same-figures same_figures

# Text in a pipe is as wide as $COLUMNS if that is set. Otherwise its width is not limited.
piped_fits() {
	for command in timeline who "summary --full" "diff steady.nct" top info; do
		# shellcheck disable=SC2086 # words
		! COLUMNS=100 run $command demo.nct | grep -E '.{101}' || return 1
	done
	run timeline demo.nct | grep -qE '.{101}' && COLUMNS=nonsense run timeline demo.nct | grep -qE '.{101}'
}
expect piped-fits-columns piped_fits
