# shellcheck shell=sh disable=SC2034,SC2154 # the tests use these variables
# SPDX-License-Identifier: BSD-2-Clause
# For tests of who received packets. After lib.sh.

PACKETS=300 US=50 ROUND_US=2000

# record NAME COMMAND...: records the command; any message is a failure
record() {
	name=$1
	shift
	netcost-record -q -F 0 -i 500 --budget=none --owners --exact=entry -o "/out/$name.nct" -- "$@" 2>/tmp/err
	expect "$name:recording" [ ! -s /tmp/err ]
	cat /tmp/err
}

# spin_in NAMESPACE OUT OPTION...: attaches the program that spins
spin_in() {
	where=$1 out=$2
	shift 2
	nsenter -t "$where" -n spin -o 6001 "$@" - - >"$out" &
	spin=$!
	until_so [ -s "$out" ]
}

unspin() {
	kill "$spin"
	wait "$spin"
}

# spun NAME NAMESPACE COMMAND...: records with and without the program, in turns. The program is
# attached to $device in that namespace
spun() {
	series=$1 at=$2
	shift 2
	for us in 0-1 $US-1 0-2 $US-2 0-3 $US-3; do
		spin_in "$at" "/out/owners-$series-$us.spun" -i "$device" -t "${us%-*}" tc-port
		record "owners-$series-$us" "$@"
		unspin
	done
	echo "$a $b $PACKETS" >"/out/owners-$series.pids"
}

# receivers NAMESPACE COMMAND...: starts two receivers with that command and a port. NAMESPACE: pid
# of a process in the namespace
receivers() {
	at=$1
	shift
	nsenter -t "$at" -n "$@" 6001 >/tmp/ready1 &
	a=$!
	nsenter -t "$at" -n "$@" 6002 >/tmp/ready2 &
	b=$!
	sleep 1
}

gone() {
	kill "$a" "$b" 2>/dev/null
	wait "$a" "$b"
}

# flood ADDRESS: sends to both receivers while they wait
flood() {
	echo "udp flood $1 6002 $PACKETS $ROUND_US & udp flood $1 6001 $PACKETS $ROUND_US; wait; sleep 0.2"
}
