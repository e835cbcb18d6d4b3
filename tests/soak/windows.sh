#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Where exact times cost more than they may they are measured in windows, and what the trace says of these fits together;
# where they do not, all the time. How often that happens depends on the load.
. tests/lib.sh
need_recorder
need_command zstd taskset
. tests/soak/lib/quiet.sh

PORT=17774
udp=$BUILD/tests/udp

windows() {
	"$PYTHON" tests/host/windows.py "$@" >"$tmp/windows" || {
		windows_status=$?
		cat "$tmp/windows" >&2
		return $windows_status
	}
	tail -n 1 "$tmp/windows"
}

exact() {
	"$PYTHON" tests/nct.py "$tmp/t.nct" "$1"
}

# pingpong SECONDS OPTION...: records for SECONDS. The recorder starts before the load and ends with
# it
pingpong() {
	pingpong_s=$1
	shift
	spawn taskset -c 0 "$udp" ask 127.0.0.1 $PORT 1000000000 0
	pingpong_pid=$spawned
	"$RECORD" -q -o "$tmp/t.nct" -d "$pingpong_s" "$@"
	kill "$pingpong_pid" 2>/dev/null || :
}

# pauses AT_LEAST: checks the pauses. The length of a pause depends on the cost of the probes and of
# attaching them, and thus on the load of the host.
pauses() {
	windows "$tmp/t.nct" "$1"
}

# always_on FILE: checks that there is no pause, and that every tick has exact counters
always_on() {
	[ "$("$PYTHON" tests/nct.py "$1" 'not any(sum(l[10]) for l in x.losses) and all(None not in t[3] for t in x.ticks)')" = True ]
}

spawn taskset -c 0 "$udp" echo $PORT
sleep 0.2

# The maximum cost is the default, or a small budget.
by_default() {
	pingpong 12
}
by_default
amount default-pauses by_default pauses 1

compare() {
	pingpong 15 --exact=entry --budget=1
	in_windows=$(windows "$tmp/t.nct" 0 sock_send)
	pingpong 2 --exact=entry --budget=none
	all_the_time=$(exact 'sum(x.ns("sock_send")) / x.calls("sock_send")')
}
same_send() {
	echo "a send takes $in_windows ns in windows, $all_the_time all the time"
	[ "$("$PYTHON" -c "print(0.6 < $in_windows / $all_the_time < 1.6)")" = True ]
}
compare
amount send-is-a-send compare same_send

# A period then takes some 4 s, and with 1 % 7 s: 15 s contain just two pauses.
with_little() {
	pingpong 15 --exact=entry --budget=2
}
with_little
amount entry-pauses with_little pauses 2

# The load ends, and probes stay attached again.
ending() {
	spawn taskset -c 0 "$udp" ask 127.0.0.1 $PORT 1000000000 0
	asking=$spawned
	spawn "$RECORD" -q --exact=entry --budget=2 -o "$tmp/t.nct" -d 14
	recording=$spawned
	sleep 5
	kill "$asking"
	wait "$recording"
}
on_again() {
	[ "$(exact 'None not in x.ticks[-1][3] and x.losses[-1][10] == x.losses[-2][10]')" = True ]
}
ending
amount ended-pauses ending pauses 1
amount ended-is-on-again ending on_again

# Counting is cheap enough, or not limited: probes are attached all the time.
quiet_calls() {
	"$RECORD" -q -o "$tmp/t.nct" -- "$BUILD/tests/sockcalls" send 1000 inet
}
quiet_calls
cheap() {
	always_on "$tmp/t.nct" && [ "$(exact 'x.calls("sock_send") >= 1000')" = True ]
}
amount cheap-is-always-on quiet_calls cheap
