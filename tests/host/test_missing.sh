#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks idle time without exact times or while probes are detached: it equals the idle time of /proc/stat, so busy CPUs
# do not count as idle if samples are missing. The test runs a program that never sleeps on each CPU.
. tests/lib.sh
need_recorder
need_command zstd taskset

busy_cpus

# judged NAME OPTION...: records with the options, and judges the idle time
judged() {
	name=$1
	shift
	"$RECORD" -q -d 2 -i 250 -o "$tmp/t.nct" "$@" || fail "$name" "recording failed"
	if "$PYTHON" tests/host/missing.py "$tmp/t.nct" "$tmp" >"$tmp/said"; then
		pass "$name"
	else
		cat "$tmp/said"
		fail "$name" "expected the idle time of /proc/stat, got: $(head -n 1 "$tmp/said")"
	fi
}

judged windows --budget=0.05
judged without-exact-times --exact=off
