#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Received packets are charged to who receives them (--owners), not to who is interrupted: what a TC program spins for the
# packets of one receiver alone is that one's, for UDP, TCP, and behind a bridge; forwarded packets are no process's.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
. tests/host/quiet.sh
need_recorder
need_command zstd ip tc

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last of our CPUs
other=0
ROUNDS=${NETCOST_OWNERS_ROUNDS:-2000}

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

# it has printed what it spun
unspin() {
	kill "$spin_pid"
	wait "$spin_pid" || :
}

# spin US HOOK NAMESPACE: what it says is in $tmp/spun-US
spin() {
	rm -f "$tmp/spun-$1"
	spawn "$BUILD/tests/spin" -o 6001 -t "$1" "$2" - "$3" >"$tmp/spun-$1"
	wait_for 10 test -s "$tmp/spun-$1"
}

# spun NAME PROTOCOL SENDER RECEIVER ADDRESS: without the program, and with it
spun() {
	name=$1 protocol=$2 from=$3 to=$4 address=$5 a='' b=''
	wait_for_quiet || :
	for us in 0 50; do
		receiver "$to" "$protocol" 6001
		a_pid=$spawned a=$a${a:+,}$spawned
		receiver "$to" "$protocol" 6002
		b_pid=$spawned b=$b${b:+,}$spawned
		spin "$us" tc-port "$to"
		spin_pid=$spawned
		record "$tmp/$name-$us.nct" "$from" "$PYTHON" tests/host/owners.py send "$protocol" "$address" "$ROUNDS" 300 6001:1 6002:1
		unspin
		expect "owners-$name-$us-sums" owners sums "$tmp/$name-$us.nct"
		expect "owners-$name-$us-packets-a" owners packets "$tmp/$name-$us.nct" "$a_pid" "$ROUNDS"
		expect "owners-$name-$us-packets-b" owners packets "$tmp/$name-$us.nct" "$b_pid" "$ROUNDS"
		kill "$a_pid" "$b_pid" 2>/dev/null || :
		wait "$a_pid" "$b_pid" 2>/dev/null || :
	done
	expect "owners-$name-spun" owners spun "$tmp/$name-0.nct" "$tmp/$name-50.nct" "$a" "$b" "$tmp/spun-50"
}

spun udp udp "$client" "$server" "$server_ip"
spun tcp tcp "$client" "$server" "$server_ip"

# Two receivers, 1 : 3; each packet costs as much: of one flow the first one finds cold caches, the others do not.
for protocol in udp tcp; do
	receiver "$server" $protocol 6001
	a=$spawned
	receiver "$server" $protocol 6002
	b=$spawned
	spin 20 tc "$server"
	spin_pid=$spawned
	record "$tmp/t.nct" "$client" "$PYTHON" tests/host/owners.py send $protocol "$server_ip" "$ROUNDS" 300 6001:1 6002:3
	unspin
	expect owners-$protocol-ratio owners ratio "$tmp/t.nct" "$a" "$b" 3
	expect owners-$protocol-ratio-sums owners sums "$tmp/t.nct"
	expect owners-$protocol-verifies "$REPORT" verify -q "$tmp/t.nct"
	kill "$a" "$b" 2>/dev/null || :
	wait "$a" "$b" 2>/dev/null || :
done

# Into a container: over a bridge, and a pair of virtual interfaces.
netns_pair outer bridge
box=$lib_prefix-box
lib_namespaces="$lib_namespaces $box"
ip netns add "$box"
ip link add eth0 netns "$box" type veth peer name port1 netns "$bridge"
netns_up "$box" 3
ip -n "$bridge" addr flush dev eth0
ip -n "$bridge" link add br0 type bridge
for port in eth0 port1; do
	ip -n "$bridge" link set $port master br0
	ip -n "$bridge" link set $port up
done
ip -n "$bridge" link set br0 up
spun bridge udp "$outer" "$box" 10.77.0.3
expect owners-bridge-forwarded owners fate "$tmp/bridge-0.nct" forwarded $((2 * ROUNDS))

# Forwarded to where nobody is: no process's.
ip netns exec "$server" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
ip link add eth1 netns "$server" type veth peer name far netns "$client"
ip -n "$server" addr add 10.88.0.1/24 dev eth1
ip -n "$server" link set eth1 up
ip -n "$client" link set far up
ip -n "$server" neigh add 10.88.0.2 lladdr 02:00:00:00:00:02 dev eth1
ip -n "$client" route add 10.88.0.0/24 via "$server_ip"
record "$tmp/t.nct" "$client" "$PYTHON" tests/host/owners.py send udp 10.88.0.2 "$ROUNDS" 100 6001:1
expect owners-forwarded owners fate "$tmp/t.nct" forwarded "$ROUNDS"
expect owners-forwarded-no-ones owners most "$tmp/t.nct" direct $((ROUNDS / 50))
expect owners-forwarded-sums owners sums "$tmp/t.nct"

# Nobody there: dropped.
record "$tmp/t.nct" "$client" "$PYTHON" tests/host/owners.py send udp "$server_ip" 100 100 6009:1
expect owners-dropped owners fate "$tmp/t.nct" dropped 50 # every other send says that instead
expect owners-dropped-why sh -c "'$REPORT' processes '$tmp/t.nct' | grep -q 'dropped: NO_SOCKET'"

# One softirq in four: about as much.
receiver "$server" udp 6001
a=$spawned
spin 50 tc "$server"
spin_pid=$spawned
every='=1/4'
record "$tmp/t.nct" "$client" "$PYTHON" tests/host/owners.py send udp "$server_ip" $((2 * ROUNDS)) 100 6001:1
every=
unspin
expect owners-some-sums owners sums "$tmp/t.nct"
"$REPORT" processes -n 1000 --format=json "$tmp/t.nct" >"$tmp/some.json"
expect owners-some owners estimated "$tmp/some.json" "$a" "$tmp/spun-50"
