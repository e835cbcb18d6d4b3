# shellcheck shell=sh disable=SC2154 # of tests/lib.sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests of how long packets wait (--latency): what sends and receives them, and what holds them up. Source it after
# tests/host/quiet.sh.
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of our CPUs: it sends, and has the softirqs
other=0					   # receives

latency() {
	"$PYTHON" tests/host/latency.py "$@"
}

# ended PID...
ended() {
	kill "$@" 2>/dev/null || :
	wait "$@" 2>/dev/null || :
}

# receiver NAMESPACE PROTOCOL MS: its pid is in $spawned
receiver() {
	rm -f "$tmp/ready"
	spawn ip netns exec "$1" taskset -c "$other" "$PYTHON" tests/host/latency.py receive "$2" 6001 "$3" >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
}

# record NAME COMMAND...: the trace, and the report
record() {
	recorded=$1
	shift
	"$RECORD" -q -F 0 --exact=off --latency -i 250 -o "$tmp/$recorded.nct" -- "$@"
	"$REPORT" latency --format=json "$tmp/$recorded.nct" >"$tmp/$recorded.json"
}

# send NAME NAMESPACE PROTOCOL ADDRESS PACKETS US: and record that
send() {
	record "$1" ip netns exec "$2" taskset -c "$here" "$PYTHON" tests/host/latency.py send "$3" "$4" 6001 "$5" "$6"
}

# ---- a program that spins

spin_options="-o 6001"

# spin US NAMESPACE
spin() {
	rm -f "$tmp/spun"
	# shellcheck disable=SC2086 # words
	spawn "$BUILD/tests/spin" $spin_options -t "$1" tc-port - "$2" >"$tmp/spun" 2>"$tmp/why"
	wait_for 10 test -s "$tmp/spun"
}

# spun_once US...: as spun() has it
spun_once() {
	for spun_us; do
		receiver "$to" "$protocol" 0
		reader=$spawned
		spin "$spun_us" "$where"
		send "$name-$spun_us" "$sender" "$protocol" "$address" "$PACKETS" 500
		ended "$spawned" "$reader"
	done
}

# spun NAME PROTOCOL SENDER WHERE RECEIVER ADDRESS TIMES HOOK...: for no time, and for each of these; the hooks behind it
spun() {
	name=$1 protocol=$2 sender=$3 where=$4 to=$5 address=$6 times=$7
	shift 7
	spun_once 0
	for us in $times; do
		spun_once "$us"
		amount "latency-$name-$us-before" "spun_once 0 $us" \
			latency stayed "$tmp/$name-0.json" "$tmp/$name-$us.json" receive
		for hook; do
			amount "latency-$name-$us-$hook" "spun_once 0 $us" \
				latency moved "$tmp/$name-0.json" "$tmp/$name-$us.json" "$hook" "$us"
		done
	done
}
