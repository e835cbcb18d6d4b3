#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# While probes are detached, and without exact times, idle time is what /proc/stat says: busy CPUs are not idle where samples are
# missing. Each CPU has a program of our own that never sleeps.
. tests/lib.sh
need_recorder
need_command zstd taskset

busy_cpus

# judged NAME OPTION...
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
