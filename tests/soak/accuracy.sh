#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Ten seconds of traffic at 999 Hz: over all of them, exact times and samples of the main events differ by no more than
# a percentage point of CPU on average. The report says what each tick is off, too, and what by theory: at 999 Hz
# chance alone makes that more than a point where an event has much of a CPU.
#
# The exact time of an event has in it what BPF programs at its beginning and end take, other recorders' too; samples of
# these programs are of no event. So nothing can be said while somebody else records here.
# shellcheck disable=SC2154 # netns_pair sets client and server
. tests/lib.sh
need_recorder
need_command iperf3 zstd
. tests/soak/lib/quiet.sh

netns_pair client server

# others: prints the number of programs of recorders
others() {
	bpftool prog list 2>/dev/null | grep -c "name sys_enter" || :
}

# record NAME IPERF3-OPTIONS...: fails if it cannot record; sets strangers to whether another
# process recorded at the same time
record() {
	record_name=$1
	shift
	spawn ip netns exec "$server" iperf3 -s -1 >"$tmp/server" 2>&1
	record_server=$spawned
	wait_for 10 netns_listening "$server" 5201
	spawn ip netns exec "$client" iperf3 -c "$server_ip" "$@" -t 13 >"$tmp/client" 2>&1
	sleep 1
	strangers=$(others)
	"$RECORD" -q --exact=entry -F 999 -o "$tmp/$record_name.nct" -- sh -c '
		for i in 1 2 3 4 5 6 7 8 9 10; do
			sleep 1
			bpftool prog list 2>/dev/null | grep "name sys_enter" | sort -u | wc -l
		done' >"$tmp/counts" || return 1
	# The recorder's own programs exist all the time, in constant number.
	[ "$(sort -u "$tmp/counts" | wc -l)" -le 1 ] || strangers=$((strangers + 1))
	wait "$spawned" "$record_server" || :
}

judged() {
	"$REPORT" accuracy "$tmp/$1.nct" && "$REPORT" accuracy --format=json "$tmp/$1.nct" >"$tmp/$1.json" &&
		"$PYTHON" tests/soak/accuracy.py "$tmp/$1.json"
}

# accuracy NAME IPERF3-OPTIONS...: records and judges
accuracy() {
	# shellcheck disable=SC2034 # a number of times
	for try in 1 2 3; do
		if ! record "$@"; then
			cat "$tmp/client" "$tmp/server"
			fail "$1" "recording failed"
			return
		fi
		status=0
		judged "$1" || status=$?
		[ "$status" -ne 0 ] || break
	done
	if [ "$status" -eq 0 ]; then
		pass "$1"
	elif [ "$strangers" -gt 0 ]; then
		skip "$1" "another process records here all the time: its programs would be measured, too"
	elif crowded; then
		skip "$1" "this host is too busy to say: a task waits $crowded % of its time for a CPU"
	else
		fail "$1" "failed ($status): exact times and samples differ"
	fi
}

# The rates leave the CPUs some idle time. At full speed, FFT's own programs take more than a
# percentage point.
accuracy accuracy-tcp -b 1G
accuracy accuracy-udp -u -b 100M -l 1400
