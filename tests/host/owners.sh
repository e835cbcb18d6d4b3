# shellcheck shell=sh disable=SC2034,SC2154 # $tmp is tests/lib.sh's, what is set here its tests'
# SPDX-License-Identifier: BSD-2-Clause
# For tests of who received packets. Source it after tests/lib.sh.

here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last CPU that is available
other=0
ROUNDS=${NETCOST_OWNERS_ROUNDS:-2000}
PACKETS=$BUILD/tests/packets
every= # empty, or "=1/N"

owners() {
	"$PYTHON" tests/host/owners.py "$@"
}

# ready NAMESPACE ARGUMENT...: starts the helper and waits until it is ready. Sets $spawned to the helper's pid; its
# output is in $tmp/ready
ready() {
	ready_in=$1
	shift
	rm -f "$tmp/ready"
	spawn ip netns exec "$ready_in" taskset -c "$other" "$PACKETS" "$@" >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
}

# receiver NAMESPACE PROTOCOL PORT: starts a receiver
receiver() {
	ready "$1" receive "$2" "$3"
}

# both NAMESPACE PROTOCOL: starts two receivers, and sets $a and $b to their pids
both() {
	receiver "$1" "$2" 6001
	a=$spawned
	receiver "$1" "$2" 6002
	b=$spawned
}

gone() {
	kill "$a" "$b" 2>/dev/null || :
	wait "$a" "$b" 2>/dev/null || :
}

# all_came NAME PROTOCOL TRACE A B [LEAST]: checks that A and B each received the packets that were sent. TCP may merge
# two messages.
all_came() {
	least=${6:-$ROUNDS}
	[ "$2" = udp ] || least=${6:-$((ROUNDS * 9 / 10))}
	expect "$1-packets-a" owners between "$3" "$4" "$least" $((ROUNDS * 101 / 100 + 10))
	expect "$1-packets-b" owners between "$3" "$5" "$least" $((ROUNDS * 101 / 100 + 10))
}

# record TRACE NAMESPACE COMMAND...: runs the command in the namespace on one CPU. This CPU therefore processes all
# packets that the command sends
record() {
	trace=$1 ns=$2
	shift 2
	"$RECORD" -q -F 0 --budget=none --owners"$every" --exact=entry -i 250 -o "$trace" -- \
		ip netns exec "$ns" taskset -c "$here" "$@"
}
