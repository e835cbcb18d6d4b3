#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Packets' ways (--stages): datagrams over a pair of virtual interfaces, which is one way from the sender's queue to the
# reader: all of them are followed to their end, their stages are in an order that can be, and sum to the whole. What is
# dropped has a reason. A sample is like all.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/quiet.sh
need_recorder
need_command zstd ip

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of our CPUs
PACKETS=${NETCOST_STAGES_PACKETS:-10000}

stages() {
	"$PYTHON" tests/host/stages.py "$@"
}

details=
# record NAME N COMMAND...: the trace, and the report
record() {
	recorded=$1 every=$2
	shift 2
	# shellcheck disable=SC2086 # none, or one
	"$RECORD" -q -F 0 --exact=off "--stages=1/$every" $details -i 250 -o "$tmp/$recorded.nct" -- "$@"
	"$REPORT" stages --format=json "$tmp/$recorded.nct" >"$tmp/$recorded.json"
}

record first 1 true
missing=$(stages lacks "$tmp/first.json" queued driver entry receive socket read freed dropped) ||
	skip_all "not all is measured here: $missing"
expect stages-told stages told "$tmp/first.json"

# ---- all, and beside it a sample of the same packets

# recorded_all COMMAND...: while these are sent by the client, to a socket of the server
recorded_all() {
	rm -f "$tmp/ready"
	# shellcheck disable=SC2086 # words
	spawn ip netns exec "$server" "$PYTHON" tests/host/latency.py $reads >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
	record all 1 "$@" >"$tmp/sent"
	kill "$spawned" 2>/dev/null || :
	wait "$spawned" || :
}

# sends PACKETS [COMMAND...]: behind these words
sends() {
	sends_packets=$1
	shift
	recorded_all "$@" ip netns exec "$client" taskset -c "$here" \
		"$PYTHON" tests/host/latency.py send "$protocol" "$to" 6001 "$sends_packets" 100
}

send_all() {
	sends "$PACKETS" "$RECORD" -q -F 0 --exact=off --stages=1/64 -i 250 -o "$tmp/sample.nct" --
}

protocol=udp to=$server_ip reads="receive udp 6001 0"
send_all
expect stages-order stages order "$tmp/all.nct"
expect stages-sums stages sums "$tmp/all.json"
amount stages-finished send_all stages finished "$tmp/all.nct" "$PACKETS"
expect stages-share stages share "$tmp/sample.nct"
expect stages-sample-order stages order "$tmp/sample.nct"

# ---- samples have the distribution of all: the recorders of a round each have a key of their own, and so other packets. To
# be in a sample takes a packet some microseconds more: what it waits for its reader, which comes once a millisecond, is more.

ROUNDS=${NETCOST_STAGES_ROUNDS:-5} AT_ONCE=20

sample_round() {
	set --
	for i in $(seq $AT_ONCE); do
		set -- "$@" "$RECORD" -q -F 0 --exact=off --stages=1/64 -i 250 -o "$tmp/sample-$i.nct" --
	done
	sends "$PACKETS" "$@"
	stages chances "$tmp/all.nct" $(seq -f "$tmp/sample-%g.nct" $AT_ONCE) >>"$tmp/chances"
}

sample_rounds() {
	: >"$tmp/chances"
	for _ in $(seq "$ROUNDS"); do
		sample_round
	done
}

cp "$tmp/all.nct" "$tmp/first-all.nct"
reads="drain udp 6001 1"
sample_rounds
amount stages-resampled sample_rounds stages resampled "$tmp/chances" $((ROUNDS * AT_ONCE))

# ---- TCP

# coalesced: by TCP, before it looked at them
coalesced() {
	ip netns exec "$server" awk '$1 == "TcpExt:" && !n { for (n = 2; $n != "TCPBacklogCoalesce"; n++); next } $1 == "TcpExt:" { print $n }' \
		/proc/net/netstat
}

send_tcp() {
	before=$(coalesced)
	sends "$PACKETS"
	coalesced=$(($(coalesced) - before))
}

finished_tcp() {
	stages segments "$tmp/all.nct" "$(cat "$tmp/sent")" "$coalesced"
}

protocol=tcp reads="receive tcp 6001 0"
send_tcp
expect stages-tcp-order stages order "$tmp/all.nct"
expect stages-tcp-sums stages sums "$tmp/all.json"
amount stages-tcp-finished send_tcp finished_tcp

# ---- on to another host, through one that routes

far=$lib_prefix-far
lib_namespaces="$lib_namespaces $far"
routes() {
	ip netns add "$far"
	ip link add eth0 netns "$far" type veth peer name eth1 netns "$server"
	netns_up "$far" 3
	ip -n "$far" addr add 10.79.2.1/24 dev eth0
	ip -n "$server" link set eth1 up
	ip -n "$server" addr add 10.79.2.2/24 dev eth1
	ip -n "$far" route add 10.77.0.1 via 10.79.2.2
	ip -n "$client" route add 10.79.2.0/24 via "$server_ip"
	ip netns exec "$server" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
}

send_far() {
	sends "$PACKETS"
}

protocol=udp to=10.79.2.1 reads="receive udp 6001 0"
if ! routes 2>"$tmp/why"; then
	skip stages-forwarded "$(tail -n 1 "$tmp/why")"
else
	server=$far
	send_far
	expect stages-forwarded-order stages order "$tmp/all.nct"
	expect stages-forwarded-sums stages sums "$tmp/all.json"
	amount stages-forwarded-finished send_far stages finished "$tmp/all.nct" "$PACKETS"
	amount stages-forwarded send_far stages forwarded "$tmp/all.nct" "$PACKETS"
	server=$lib_prefix-server
fi
mv "$tmp/first-all.nct" "$tmp/all.nct"

# ---- what is dropped

record dropped 1 sh -c "ip netns exec $client $PYTHON tests/host/stages.py refused $server_ip 6009 50; sleep 0.1"
expect stages-dropped stages dropped "$tmp/dropped.json" NO_SOCKET 50

# ---- by interface, network namespace and flow, and whose they are, if that is asked for

reports_by() {
	for by in interface netns flow; do
		"$REPORT" stages --by=$by --format=json "$1" >"$tmp/$by.json"
		expect "stages-by-$by" stages by "$2" "$tmp/$by.json"
	done
}

reports_by "$tmp/dropped.nct" "$tmp/dropped.json"
expect stages-nobodys stages nobodys "$tmp/all.nct"
details=--host-details
record whose 1 sh -c "ip netns exec $client $PYTHON tests/host/stages.py refused $server_ip 6009 50; sleep 0.1"
"$REPORT" stages --by=flow --format=json "$tmp/whose.nct" >"$tmp/flow.json"
expect stages-by-whose stages by "$tmp/whose.json" "$tmp/flow.json"
expect stages-whose stages whose "$tmp/flow.json" 17 "$client_ip" "$server_ip" 6009 50
"$REPORT" scrub -q "$tmp/whose.nct" "$tmp/scrubbed.nct"
"$REPORT" stages --by=flow --format=json "$tmp/scrubbed.nct" >"$tmp/flow.json"
expect stages-scrubbed-by-whose stages by "$tmp/whose.json" "$tmp/flow.json"
hidden() {
	! "$REPORT" dump "$tmp/scrubbed.nct" | grep '"stages"' | grep -e "$client_ip" -e "$server_ip" -e 6009
}
expect stages-scrubbed-whose hidden

# ---- from one trace to another

expect stages-verifies "$REPORT" verify -q "$tmp/all.nct" "$tmp/sample.nct" "$tmp/dropped.nct"
"$REPORT" scrub -q "$tmp/all.nct" "$tmp/scrubbed.nct"
expect stages-scrubbed-verifies "$REPORT" verify -q "$tmp/scrubbed.nct"
expect stages-scrubbed-same stages same "$tmp/all.nct" "$tmp/scrubbed.nct"
"$REPORT" cut -q --from=0.5 "$tmp/all.nct" "$tmp/cut.nct"
expect stages-cut-verifies "$REPORT" verify -q "$tmp/cut.nct"
"$REPORT" stages --format=json "$tmp/cut.nct" >"$tmp/cut.json"
expect stages-cut-sums stages sums "$tmp/cut.json"
"$REPORT" merge -q "a=$tmp/all.nct" "b=$tmp/dropped.nct" "$tmp/merged.nct"
expect stages-merged-verifies "$REPORT" verify -q "$tmp/merged.nct"
head -c $(($(stat -c %s "$tmp/all.nct") - 3000)) "$tmp/all.nct" >"$tmp/short.nct"
"$REPORT" recover -q "$tmp/short.nct" "$tmp/recovered.nct" 2>/dev/null || :
expect stages-recovered-order stages order "$tmp/recovered.nct"
