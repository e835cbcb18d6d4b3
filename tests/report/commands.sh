# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what follows from the tables of commands and options: help, completions, man pages; and what is not
# written to a terminal.

commands=$("$plain" --help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p')

# ---- help

helps() {
	for command in $commands; do
		run "$command" --help >"$tmp/one" && run help "$command" >"$tmp/two" && cmp "$tmp/one" "$tmp/two" || return 1
	done
	[ "$(echo "$commands" | wc -l)" -ge 24 ] && run help >"$tmp/one" && run --help | cmp - "$tmp/one"
}
expect help-of-all-commands helps

golden misspelled-old-name.txt processes
golden misspelled-help.txt help plto
golden misspelled-option.txt top --rowz=3 full.nct
golden command-after-file.txt full.nct top
golden wrong-ending.txt flamegraph -o net.png full.nct
golden who-by-samples.txt who -n 1 full.nct
golden who-by-samples-cgroup.txt who --by=cgroup --format=csv full.nct
golden who-by-user-none.txt who --by=user full.nct

# ---- terminals

# kept_off WORD...: checks that the command is refused, with one line on stderr, if its output is a
# terminal
kept_off() {
	(cd "$tmp/t" && "$PYTHON" - "$report" "$@") <<'END'
import os, select, subprocess, sys
fd, terminal = os.openpty()
p = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.PIPE, text=True, check=False)
wrote = bool(select.select([fd], [], [], 0)[0])
said = p.stderr.splitlines()
print(p.returncode, wrote, said)
sys.exit(wrote or p.returncode != 2 or len(said) != 1 or "is not for a terminal; write to a file with -o FILE" not in said[0])
END
}
for command in flamegraph "cut -o -" "merge -o -" "scrub -o -" "recover -o -" "bugreport -o -" "html -o -" "plot pies"; do
	# shellcheck disable=SC2086 # words
	expect "not-to-a-terminal-${command%% *}" kept_off $command full.nct
done

writes_page() {
	rm -f "$tmp/t/netcost.html"
	run html --no-charts full.nct >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/out" ] && grep -q '^netcost-report: wrote netcost.html: ' "$tmp/err" &&
		grep -q '<html' "$tmp/t/netcost.html"
}
expect html-writes-a-file writes_page

# ---- completions

# offers COMMAND-LINE: prints what bash offers for the last word
cat >"$tmp/offers.bash" <<'END'
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_netcost_report
printf '%s\n' "${COMPREPLY[@]}"
END
offers() {
	(cd "$tmp/empty" && bash "$tmp/offers.bash" "$tmp/netcost-report.bash" netcost-report "$@")
}

completes_bash() {
	mkdir -p "$tmp/empty"
	[ "$(offers '' | sort)" = "$(echo "$commands" | sort)" ] || return 1
	for command in $commands; do
		offers "$command" - | sed 's/=$//' | sort >"$tmp/offered"
		run "$command" --help | sed -n 's/^  \(-[a-z],\|   \) --\([a-z-]*\).*/--\2/p' | sort >"$tmp/listed"
		cmp "$tmp/offered" "$tmp/listed" || return 1
	done
	[ "$(offers who --by = co)" = container ] && [ "$(offers plot heat)" = heatmap ] && [ "$(offers summary --format js)" = json ]
}
for shell in bash zsh fish; do
	run --print-completion=$shell >"$tmp/netcost-report.$shell"
	if ! command -v $shell >/dev/null; then
		skip "completion-$shell" "needs zsh and fish"
	elif [ $shell = bash ]; then
		expect completion-bash completes_bash
	else
		expect "completion-$shell" $shell -n "$tmp/netcost-report.$shell"
	fi
done
has_all() {
	for command in $commands; do
		grep -qw -- "$command" "$tmp/netcost-report.zsh" && grep -qw -- "-a $command" "$tmp/netcost-report.fish" || return 1
	done
}
expect completion-has-all-commands has_all

# ---- man pages

mkdir "$tmp/man"
for page in man/netcost-report*.1; do
	command=$(basename "$page" .1 | sed 's/^netcost-report-*//')
	sh tools/man.sh "$page" "$plain --print-man-options=$command" >"$tmp/man/${page##*/}"
done
has_pages() {
	for command in $commands; do
		page=$tmp/man/netcost-report-$command.1
		[ -s "$page" ] && [ "$(wc -l <"$page")" -lt 150 ] && grep -q "Xr netcost.-report.-$command 1" "$tmp/man/netcost-report.1" &&
			grep -q '^\.It Fl' "$page" && ! grep -q '^\.\\" OPTIONS' "$page" || { echo "$page" && return 1; }
	done
	[ "$(find man -name 'netcost-report-*.1' | wc -l)" -eq "$(echo "$commands" | wc -l)" ]
}
expect man-page-of-each-command has_pages
formats() {
	for page in "$tmp"/man/netcost-report*.1; do
		groff -mdoc -Tutf8 -ww -z "$page" 2>&1 || return 1
	done >"$tmp/said"
	[ ! -s "$tmp/said" ] || { cat "$tmp/said" && return 1; }
}
expect man-pages-are-mdoc formats

# examples PAGE: runs the examples of the page on a trace that has the page's data
examples() {
	folder=$tmp/examples-$1
	mkdir "$folder" && cp "$tmp/t/$2" "$folder/netcost.nct" && cp "$tmp/t/steady.nct" "$folder/before.nct" && cp "$tmp/t/slower.nct" "$folder/after.nct" || return 1
	awk '/^\.Sh/ { on = $2 == "EXAMPLES" } /^\.Ed/ { code = 0 } on && code { gsub(/\\-/, "-"); gsub(/\\e/, "\\"); print } /^\.Bd/ { code = 1 }' \
		"man/$1.1" >"$folder/list"
	[ -s "$folder/list" ] || return 1
	while read -r line; do
		status=0
		(cd "$folder" && PATH=$PWD_OF_BUILD:$PATH && eval "$line") >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
		case $line in
		*--fail-above*) [ "$status" -eq 4 ] ;;
		*) [ "$status" -eq 0 ] || [ "$status" -eq 141 ] ;;
		esac || { echo "$line: $status" && cat "$tmp/err" && return 1; }
	done <"$folder/list"
}
PWD_OF_BUILD=$PWD/$BUILD
for page in man/netcost-report*.1; do
	page=$(basename "$page" .1)
	case $page in
	*-latency) trace=latency.nct ;;
	*-path) trace=stages.nct ;;
	*-who) trace=crowd.nct ;;
	*-live) continue ;; # the section live has these, as they need a terminal
	*) trace=demo.nct ;;
	esac
	expect "examples-of-$page" examples "$page" $trace
done
