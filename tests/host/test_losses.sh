#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# No sample is lost at 999 Hz where every CPU is busy and others want it, too; and where samples must be lost, as
# nobody takes them, they are counted to the sample. What was generated is counted by somebody else.
# shellcheck disable=SC2154 # netns_pair sets client and server
. tests/lib.sh
need_recorder
need_command iperf3 zstd taskset

netns_pair client server
spawn ip netns exec "$server" iperf3 -s -1 >"$tmp/server" 2>&1
wait_for 20 netns_listening "$server" 5201
spawn ip netns exec "$client" iperf3 -c "$server_ip" -t 60 >"$tmp/client" 2>&1
for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	spawn taskset -c "$cpu" sh -c 'while :; do :; done'
done

counting() {
	grep -q counting "$tmp/counter"
}

# recorded HZ SECONDS HELD: HELD seconds of them the recorder is stopped
recorded() {
	"$RECORD" -q --exact=off -F "$1" -d "$2" -o "$tmp/t.nct" 2>"$tmp/why" &
	recorder=$!
	lib_spawned="$lib_spawned $recorder"
	sleep 0.5
	"$PYTHON" tests/host/generated.py count "$recorder" "$tmp/generated" >"$tmp/counter" &
	counter=$!
	wait_for 10 counting
	if [ "$3" != 0 ]; then
		kill -STOP "$recorder"
		sleep "$3"
		kill -CONT "$recorder"
	fi
	wait "$recorder"
	wait "$counter"
}

# losses NAME WANT HZ SECONDS HELD
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

losses no-sample-lost-when-saturated none 999 10 0
most=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
if [ "$most" -lt 10000 ]; then
	skip losses-at-10-kHz "kernel.perf_event_max_sample_rate is $most"
	exit
fi
losses losses-are-counted-to-the-sample some 10000 6 2
