#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that on each CPU the samples in the trace and the samples that are counted as lost are together the samples
# that the kernel generated. The recorder is stopped for a while, so that samples are lost. A BPF program of the test
# counts the generated samples.
. tests/lib.sh
need_recorder
need_command zstd taskset

busy_cpus

counting() {
	grep -q counting "$tmp/counter"
}

# recorded HZ SECONDS HELD: records for SECONDS; the recorder is stopped for HELD of them
recorded() {
	rm -f "$tmp/t.nct" "$tmp/counter"
	"$RECORD" -q --exact=off -i 50 -F "$1" -d "$2" -o "$tmp/t.nct" 2>"$tmp/why" &
	recorder=$!
	lib_spawned="$lib_spawned $recorder"
	wait_for 30 test -s "$tmp/t.nct"
	"$PYTHON" tests/host/generated.py count "$recorder" "$tmp/generated" >"$tmp/counter" &
	counter=$!
	wait_for 60 counting
	if [ "$3" != 0 ]; then
		kill -STOP "$recorder"
		sleep "$3"
		kill -CONT "$recorder"
	fi
	wait "$recorder"
	wait "$counter"
}

# losses NAME WANT HZ SECONDS HELD: checks the samples of such a recording
losses() {
	losses_name=$1 losses_want=$2
	shift 2
	if ! recorded "$@"; then
		cat "$tmp/why"
		fail "$losses_name" "recording or counting failed"
		return
	fi
	expect "$losses_name" "$PYTHON" tests/host/generated.py judge "$tmp/t.nct" "$tmp/generated" "$losses_want"
}

losses samples-are-counted any 999 3 0
most=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
if [ "$most" -lt 10000 ]; then
	skip losses-at-10-kHz "needs samples at 10 kHz"
	exit
fi
losses losses-are-counted-to-the-sample any 10000 4 2
