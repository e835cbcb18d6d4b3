#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests of amounts of time, which need a quiet machine and root:
#
#	sudo sh tests/soak/run.sh [NAME...]	all scripts of this folder, or these ("calibrated": calibrated.sh)
#
# Prints their result lines and totals. SOAK_SAVE=1 appends a line for each script to tests/bench/HISTORY.tsv: date, kernel,
# CPU model, script, passed, failed, skipped, seconds.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin" PYTHON="${PYTHON:-/usr/bin/python3}"
history=tests/bench/HISTORY.tsv
[ $# -gt 0 ] || set -- $(basename -s .sh tests/soak/*.sh | grep -vx run)

make -s all host-tools
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM
model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)

# number WORD: counts the script's results with that word
number() {
	grep -c "^$1 " "$out/$name" || :
}

for name; do
	began=$(date +%s) status=0
	sh "tests/soak/$name.sh" >"$out/$name" 2>&1 || status=$?
	grep -q '^not ok ' "$out/$name" || [ $status -eq 0 ] || echo "not ok $name: exit status $status" >>"$out/$name"
	if grep -q '^not ok ' "$out/$name"; then cat "$out/$name"; else grep -E '^(ok|skip) ' "$out/$name" || :; fi
	[ "${SOAK_SAVE:-}" != 1 ] || printf '%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n' "$(date -u +%FT%TZ)" "$(uname -r)" "${model:-unknown}" \
		"$name" "$(number ok)" "$(number 'not ok')" "$(number skip)" $(($(date +%s) - began)) >>$history
done
cat "$out"/* | awk '/^ok / { p++ } /^not ok / { f++ } /^skip / { s++ }
	END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit !(p && !f) }'
