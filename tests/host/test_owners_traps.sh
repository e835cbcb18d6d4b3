#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks the receiver of packets (--owners) in difficult cases: a socket that its user has locked, a socket that two
# CPUs fill at once, a task that moves to another cgroup, a socket that nobody reads during the recording, and a device
# that is polled by a thread of its own.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/owners.sh
need_recorder
need_command zstd ip tc ss

netns_pair client server

# in_server COMMAND...: runs it in the server's namespace
in_server() {
	ip netns exec "$server" "$@"
}

# came: prints the number of packets received by the server's interface
# shellcheck disable=SC2016 # awk's
came() {
	in_server awk '$1 == "eth0:" { print $3 }' /proc/net/dev
}

# While the socket's user is inside a call, packets go to its backlog, and the user processes them: this time is already
# the user's. The earlier work of the softirq belongs to the flow's receiver, and no packet is counted twice. The ten
# messages become a varying number of packets, because TCP merges data that waits for an acknowledgement and retransmits
# it.
locked() {
	ready "$server" lock 6001 4000 || return 3 # long enough for a busy host
	a=$spawned
	before=$(came)
	while sleep 0.1; do in_server ss -Htmn 'sport = :6001'; done >"$tmp/sockets" &
	looks=$!
	record "$tmp/locked.nct" "$client" sh -c "'$PACKETS' send tcp '$server_ip' 10 20000 6001
		. tools/netns.sh; wait_for 60 grep -q over '$tmp/ready'"
	kill $looks
	wait $looks 2>/dev/null || :
	after=$(came)
}
if locked; then
	expect owners-locked-waits grep -Eq 'bl[1-9]' "$tmp/sockets"
	expect owners-locked-sums owners sums "$tmp/locked.nct"
	expect owners-locked-packets owners between "$tmp/locked.nct" "$a" 1 $((after - before))
else
	skip owners-locked "needs full privileges"
fi
kill "$a" 2>/dev/null || :

# Since Linux 6.18 one CPU enqueues the packets that other CPUs receive for a UDP socket at the same time, and reports
# them with one event. Most packets then have no event.
receiver "$server" udp 6001
a=$spawned
for cpu in $here $other; do
	echo "taskset -c $cpu '$PACKETS' send udp '$server_ip' 10000 0 6001 &"
done >"$tmp/two.sh"
echo wait >>"$tmp/two.sh"
record "$tmp/two.nct" "$client" sh "$tmp/two.sh"
expect owners-two-cpus-sums owners sums "$tmp/two.nct"
expect owners-two-cpus-packets owners between "$tmp/two.nct" "$a" 20000 20000
kill "$a"

# A socket stays in the cgroup in which it was made; a task may move.
cat >"$tmp/move.sh" <<'SH'
group=$1/netcost-spin-$$
mkdir "$group" || exit 3
trap 'echo $A >"$dir/cgroup.procs"; rmdir "$group"' EXIT
dir=$1
"$RECORD" -q -F 0 --budget=none --owners --exact=entry -i 250 -o "$tmp/moved.nct" -- ip netns exec "$client" sh -c "
	'$PACKETS' send udp '$server_ip' $ROUNDS 200 6001; sleep 0.1; echo $A >'$group/cgroup.procs'
	'$PACKETS' send udp '$server_ip' 1 0 6001
	until ip netns exec '$server' ss -Huan 'sport = :6001' | awk '\$2 { exit 1 }'; do sleep 0.05; done
	'$PACKETS' send udp '$server_ip' $ROUNDS 200 6001" || exit
echo "$group" >"$tmp/group"
SH
receiver "$server" udp 6001
export A=$spawned RECORD PACKETS ROUNDS tmp client server server_ip
mkdir "$tmp/cg"
judge owners-moved-recorded "needs cgroups" with_cgroup2 "$tmp/cg" sh "$tmp/move.sh" "$tmp/cg"
if [ -e "$tmp/group" ]; then
	expect owners-moved-packets owners packets "$tmp/moved.nct" "$A" $((2 * ROUNDS + 1))
	# Packets that arrive before the new process receives belong to the old one. It is one packet, read before the
	# others arrive.
	expect owners-moved owners moved "$tmp/moved.nct" "$A" "/$(basename "$(cat "$tmp/group")")" "$ROUNDS"
	expect owners-moved-before owners moved "$tmp/moved.nct" "$A" / "$ROUNDS"
fi
kill "$A"

# This process received packets earlier, but does not receive any more packets.
rm -f "$tmp/ready"
spawn ip netns exec "$server" "$PACKETS" keep 6001 >"$tmp/ready"
keep=$spawned
wait_for 10 sh -c "ip netns exec '$client' '$PACKETS' send udp '$server_ip' 1 0 6001; test -s '$tmp/ready'"
record "$tmp/old.nct" "$client" "$PACKETS" send udp "$server_ip" "$ROUNDS" 100 6001
expect owners-old-socket owners packets "$tmp/old.nct" "$keep" "$ROUNDS"
expect owners-old-socket-sums owners sums "$tmp/old.nct"
kill "$keep"

# A thread polls the device, and packets arrive as lists. Packets that arrive while the receiver has no CPU are finally
# dropped (UDP) or merged (TCP). A recording ends when all packets have arrived or were dropped.
cat >"$tmp/settled.sh" <<'SH'
. tools/netns.sh
all_came() {
	[ "$(ip netns exec "$client" awk '$1 == "eth0:" { print $11 }' /proc/net/dev)" -eq \
		"$(ip netns exec "$server" awk '$1 == "eth0:" { print $3 + $5 }' /proc/net/dev)" ]
}
wait_for 60 all_came
SH
export client server
threaded() {
	in_server "$BUILD/tests/udp" gro eth0 on
	ip netns exec "$client" "$BUILD/tests/udp" tso eth0 off
	in_server sh -c 'echo 1 >/sys/class/net/eth0/threaded' || return 3
	both "$server" "$1"
	before=$(came)
	record "$tmp/thread-$1.nct" "$client" sh -c "'$PACKETS' send $1 '$server_ip' $ROUNDS 300 6001 6002; sh '$tmp/settled.sh'"
	after=$(came)
	gone
}
for protocol in udp tcp; do
	judge owners-thread-$protocol-recorded "needs threaded NAPI" threaded $protocol
	[ -e "$tmp/thread-$protocol.nct" ] || continue
	expect owners-thread-$protocol-is-one [ "$("$PYTHON" tests/nct.py "$tmp/thread-$protocol.nct" 'sum(x.ns("rx_thread")) > 0')" = True ]
	expect owners-thread-$protocol-sums owners sums "$tmp/thread-$protocol.nct"
	least=1
	[ $protocol = tcp ] || least=$((after - before < 2 * ROUNDS + 20 ? after - before - 20 - ROUNDS : ROUNDS)) # some packets are neighbour discovery
	all_came owners-thread-$protocol $protocol "$tmp/thread-$protocol.nct" "$a" "$b" $least
done
