# shellcheck shell=sh disable=SC2154 # of tests/lib.sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests of how long packets wait (--latency): what sends and receives them, and what holds them up. Source it after
# tests/soak/lib/quiet.sh.
# the last available CPU, on which the sender and the softirqs run
here=$(taskset -cp $$ | sed 's/.*[ ,-]//')
other=0					   # the CPU of the receiver

latency() {
	"$PYTHON" tests/host/latency.py "$@"
}

# ended PID...: waits until they have ended
ended() {
	kill "$@" 2>/dev/null || :
	wait "$@" 2>/dev/null || :
}

# receiver NAMESPACE PROTOCOL MS [ROOM]: starts a receiver; its pid is in $spawned
receiver() {
	rm -f "$tmp/ready"
	spawn ip netns exec "$1" taskset -c "$other" "$PYTHON" tests/host/latency.py receive "$2" 6001 "$3" ${4:+"$4"} >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
}

# record NAME COMMAND...: makes the trace and the report, with the option in $measured
record() {
	recorded=$1
	shift
	"$RECORD" -q -F 0 --exact=off "${measured:---latency}" -i 250 -o "$tmp/$recorded.nct" -- "$@"
	"$REPORT" latency --format=json "$tmp/$recorded.nct" >"$tmp/$recorded.json"
}

# send NAME NAMESPACE PROTOCOL ADDRESS PACKETS US: sends packets and records them
send() {
	record "$1" ip netns exec "$2" taskset -c "$here" "$PYTHON" tests/host/latency.py send "$3" "$4" 6001 "$5" "$6"
}

# ---- a program that spins

spin_options="-o 6001"
# shellcheck disable=SC2034 # for a while
earlier="receive qdisc driver"

# spin US NAMESPACE: attaches the program that spins
spin() {
	rm -f "$tmp/spun"
	# shellcheck disable=SC2086 # words
	spawn "$BUILD/tests/spin" $spin_options -t "$1" tc-port - "$2" >"$tmp/spun" 2>"$tmp/why"
	wait_for 10 test -s "$tmp/spun"
}

# spun_once US...: records once for each time; see spun()
spun_once() {
	for spun_us; do
		receiver "$to" "$protocol" 0
		reader=$spawned
		spin "${spun_us%-again}" "$where"
		send "$name-$spun_us" "$sender" "$protocol" "$address" "$PACKETS" 500 >/dev/null
		ended "$spawned" "$reader"
	done
}

spun_round() {
	# shellcheck disable=SC2086 # words
	spun_once 0 $times 0-again
	cases=
	for us in $times; do
		cases="$cases $us=$us"
	done
}

# spun NAME PROTOCOL SENDER WHERE RECEIVER ADDRESS TIMES HOOK...: records twice without spinning,
# and once for each of TIMES. HOOK...: the checkpoints after the program; $earlier: the checkpoints
# before it
spun() {
	name=$1 protocol=$2 sender=$3 where=$4 to=$5 address=$6 times=$7
	shift 7
	later=$*
	shifts spun_round
}

# ---- by how much the latency increased

# of_case COMMAND [WORD]: judges $case by all rounds so far
of_case() {
	# shellcheck disable=SC2086 # words
	NETCOST_ELSEWHERE="${elsewhere:-0.01}" NETCOST_QUANTILES="${quantiles:-p50 p90 p99}" "$PYTHON" tests/soak/shifts.py "$@" "$(echo "$tmp/$name-0.json".? "$tmp/$name-0-again.json".? | tr ' ' ,)" \
		"$(echo "$tmp/$name-${case%=*}.json".? | tr ' ' ,)" "${case#*=}" $earlier -- $later
}

# shifts MEASURE: runs MEASURE, which writes $name-0.json, $name-0-again.json, and for each word
# "LABEL=US" in $cases $name-LABEL.json with a delay of US. In each of $quantiles, latency at the
# $later checkpoints must increase by US, and latency at the $earlier checkpoints must not.
shifts() {
	: >"$tmp/verdicts"
	shifts_busy=
	for shifts_round in 1 2 3; do
		"$1"
		for report in "$tmp/$name-"*.json; do
			cp "$report" "$report.$shifts_round"
		done
		for case in $cases; do
			of_case judge "latency-$name-${case%=*}" >>"$tmp/verdicts"
		done
		! crowded || shifts_busy="this host is too busy to say: a task waits $crowded % of its time for a CPU"
		! "$PYTHON" tests/soak/shifts.py settled "$tmp/verdicts" || break
	done
	echo "$name, in $shifts_round rounds:"
	sed 's/^/    /' "$tmp/verdicts"
	"$PYTHON" tests/soak/shifts.py results "$tmp/verdicts" "$shifts_busy" >"$tmp/shifted"
	! grep -q "^not ok" "$tmp/shifted" || lib_failed=1
	cat "$tmp/shifted"
	expect "latency-$name-none-refused" of_case refuses
}
