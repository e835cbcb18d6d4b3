#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Received packets are charged to who receives them (--owners), not to who is interrupted: what a TC program spins for the
# packets of one receiver alone is that one's, for UDP, TCP, and behind a bridge; forwarded packets are no process's.
. tests/lib.sh
. tests/host/quiet.sh
need_recorder
need_command zstd ip tc

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of our CPUs
other=0
ROUNDS=2000

owners() {
	"$PYTHON" tests/host/owners.py "$@"
}

# receiver NAMESPACE PROTOCOL PORT: its pid is in $spawned
receiver() {
	rm -f "$tmp/ready"
	spawn ip netns exec "$1" taskset -c "$other" "$PYTHON" tests/host/owners.py receive "$2" "$3" >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
}

# record TRACE NAMESPACE COMMAND...: the command runs there, on one CPU, and with it all that it sends
record() {
	trace=$1 ns=$2
	shift 2
	"$RECORD" -q -F 0 --owners$every --exact=entry -i 250 -o "$trace" -- \
		ip netns exec "$ns" taskset -c "$here" "$@"
}
every=

# spun NAME PROTOCOL SENDER RECEIVER ADDRESS: without the program, and with it
spun() {
	name=$1 protocol=$2 from=$3 to=$4 address=$5 a= b=
	wait_for_quiet || :
	for us in 0 50; do
		receiver "$to" "$protocol" 6001
		a_pid=$spawned a=$a${a:+,}$spawned
		receiver "$to" "$protocol" 6002
		b_pid=$spawned b=$b${b:+,}$spawned
		rm -f "$tmp/spun-$us"
		spawn "$BUILD/tests/spin" -o 6001 -t $us tc-port - "$to" >"$tmp/spun-$us"
		spin_pid=$spawned
		wait_for 10 test -s "$tmp/spun-$us"
		record "$tmp/$name-$us.nct" "$from" "$PYTHON" tests/host/owners.py send "$protocol" "$address" $ROUNDS 300 6001:1 6002:1
		kill "$spin_pid" && wait "$spin_pid" || :
		expect "owners-$name-$us-sums" owners sums "$tmp/$name-$us.nct"
		expect "owners-$name-$us-packets-a" owners packets "$tmp/$name-$us.nct" "$a_pid" $ROUNDS
		expect "owners-$name-$us-packets-b" owners packets "$tmp/$name-$us.nct" "$b_pid" $ROUNDS
		kill "$a_pid" "$b_pid" 2>/dev/null || :
		wait "$a_pid" "$b_pid" 2>/dev/null || :
	done
	expect "owners-$name-spun" owners spun "$tmp/$name-0.nct" "$tmp/$name-50.nct" "$a" "$b" "$tmp/spun-50"
}

# shellcheck disable=SC2154 # of netns_pair
spun udp udp "$client" "$server" "$server_ip"
# shellcheck disable=SC2154
spun tcp tcp "$client" "$server" "$server_ip"

# Two receivers, 1 : 3.
for protocol in udp tcp; do
	receiver "$server" $protocol 6001
	a=$spawned
	receiver "$server" $protocol 6002
	b=$spawned
	record "$tmp/t.nct" "$client" "$PYTHON" tests/host/owners.py send $protocol "$server_ip" $ROUNDS 300 6001:1 6002:3
	expect owners-$protocol-ratio owners ratio "$tmp/t.nct" "$a" "$b" 3
	expect owners-$protocol-ratio-sums owners sums "$tmp/t.nct"
	expect owners-$protocol-verifies "$REPORT" verify -q "$tmp/t.nct"
	kill "$a" "$b" 2>/dev/null || :
	wait "$a" "$b" 2>/dev/null || :
done
