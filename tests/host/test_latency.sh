#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks packet latency (--latency) over a pair of virtual interfaces, loopback, a bridge and a tunnel. Each packet that
# was sent is counted at each checkpoint. Its latency must fit the times that the generator noted
# (tests/host/exchange.py).
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
need_recorder
need_command zstd ip tc

netns_pair client server
N=${NETCOST_LATENCY_PACKETS:-300}
US=2000 # delay of the program that holds packets

# record NAME ONLY FROM TO PROTOCOL ADDRESS PORT PACKETS READER [DEVICE]: records only packets of ONLY, or all packets
# if it is "-"
record() {
	name=$1
	[ "$2" = - ] && only=--latency || only=--latency-only=$2
	shift 2
	# shellcheck disable=SC2086 # none, or one
	"$RECORD" -q -F 0 --exact=off --budget=none "$only" $by -i 250 -o "$tmp/$name.nct" -- \
		"$PYTHON" tests/host/exchange.py "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$tmp/$name.stamps" ${8:+"$8"} ||
		fail "latency-$name-recorded" "expected status 0, got $?"
	"$REPORT" latency --format=json "$tmp/$name.nct" >"$tmp/$name.json"
}

# spin PORT NAMESPACE [INTERFACE]: starts a program that delays each received packet to that port by $US
spin() {
	spawn "$BUILD/tests/spin" -o "$1" -t $US ${3:+-i "$3"} tc-port - "$2" >"$tmp/spun" 2>"$tmp/why"
	wait_for 50 grep -q . "$tmp/spun" || fail latency-spin "$(tail -n 1 "$tmp/why")"
}

ended() {
	kill "$spawned"
	wait "$spawned" || :
}

# check LINE: stores a line for judge_latency.py, which judges all recordings at the end
check() {
	echo "$1" >>"$tmp/lines"
}

# checks NAME HOOK...: judges a recording of UDP at these checkpoints. A reader that does not sleep may read a packet
# before its wakeup: this packet is counted without a time.
checks() {
	name=$1
	shift
	for hook; do
		check "latency-$name-$hook-$known $known $tmp/$name.nct $hook $packets"
		check "latency-$name-$hook waited $tmp/$name.nct $tmp/$name.stamps $hook $held"
	done
	check "latency-$name-reported reported $tmp/$name.nct $tmp/$name.json"
}

by=
"$RECORD" -q -F 0 --exact=off --budget=none --latency -o "$tmp/first.nct" -- true
"$REPORT" latency --format=json "$tmp/first.nct" >"$tmp/first.json"
"$PYTHON" tests/host/latency.py lacks "$tmp/first.json" receive tcp-start tcp-socket-enqueued udp-socket-enqueued \
	tcp-socket-read udp-socket-read qdisc || skip_all "needs tracepoints of Linux 6.3"
in_server=netns=$server
check "latency-told told $tmp/first.json"

# ---- readers that block, that sleep, that never sleep; and interfaces

packets=$N held= known=count
by=--latency-by=process
record udp "$in_server" "$client" "$server" udp "$server_ip" 6001 "$N" blocked
by=
checks udp udp-socket-enqueued udp-socket-read
check "latency-udp-receive from-to $tmp/udp.nct receive $N $((2 * N))"
check "latency-by-process-sums sums $tmp/udp.nct"
pid=$("$PYTHON" -c 'import json, sys; d = json.load(open(sys.argv[1])); print("process=%s pid=%d" % (d["comm"], d["pid"]))' "$tmp/udp.stamps")
check "latency-by-process whose $tmp/udp.nct udp-socket-read $N $pid"
"$REPORT" info --format=json "$tmp/udp.nct" >"$tmp/info.json"
check "latency-costs costs $tmp/info.json"

record loopback "interface=lo,$in_server" "$server" "$server" udp 127.0.0.1 6002 "$N" blocked lo
checks loopback receive udp-socket-enqueued udp-socket-read qdisc driver

record busy "$in_server" "$client" "$server" udp "$server_ip" 6014 "$N" busy
checks busy udp-socket-enqueued udp-socket-read

packets=60 known=known
record late - "$client" "$server" udp "$server_ip" 6003 60 late=3
check "latency-late-read held $tmp/late.nct udp-socket-read 60 2900"
record late-only "$in_server" "$client" "$server" udp6 "$server_ip6" 6004 60 late=3
checks late-only udp-socket-enqueued udp-socket-read

# ---- a program that delays packets after some checkpoints and before others

spin 6005 "$server"
held=$US
record spun "$in_server" "$client" "$server" udp "$server_ip" 6005 60 late=1
checks spun udp-socket-enqueued udp-socket-read
check "latency-spun-receive before $tmp/spun.nct $tmp/spun.stamps receive $US"
record spun-tcp "$in_server" "$client" "$server" tcp "$server_ip" 6005 60 late=1
for hook in tcp-start tcp-socket-enqueued tcp-socket-read; do
	check "latency-spun-$hook held $tmp/spun-tcp.nct $hook 60 $US"
done
ended
held=

# ---- TCP

for protocol in tcp tcp6; do
	[ $protocol = tcp ] && to=$server_ip || to=$server_ip6
	record $protocol "$in_server" "$client" "$server" $protocol "$to" 6006 "$N" blocked
	check "latency-$protocol-enqueued enqueued-tcp $tmp/$protocol.nct $tmp/$protocol.stamps"
	check "latency-$protocol-read read $tmp/$protocol.nct $tmp/$protocol.stamps tcp-socket-read tcp-socket-read-blocked"
	check "latency-$protocol-start from-to $tmp/$protocol.nct tcp-start $N $((2 * N))"
	check "latency-$protocol-waited waited $tmp/$protocol.nct $tmp/$protocol.stamps tcp-socket-read"
	check "latency-$protocol-reported reported $tmp/$protocol.nct $tmp/$protocol.json"
done
record sends "netns=$client" "$client" "$server" tcp "$server_ip" 6007 "$N" blocked
check "latency-tcp-send from-to $tmp/sends.nct tcp-send $N $((N + 5))"
check "latency-qdisc from-to $tmp/sends.nct qdisc $N $((3 * N))"

# ---- filters: packets that do not match are sent first

# only NAME WHICH HOOK...: checks two flows, one of which stays inside the client
only() {
	name=$1 which=$2
	shift 2
	"$RECORD" -q -F 0 --exact=off --budget=none --latency-only="$which" -o "$tmp/$name.nct" -- sh "$tmp/both" ||
		fail "latency-$name-recorded" "expected status 0, got $?"
	for hook; do
		check "latency-$name-$hook filtered $tmp/$name.nct $hook $N $N"
	done
}

# waiting: starts a sender that waits for a line in $tmp/go. Sets $spawned to its id, which is also the reader's
waiting() {
	rm -f "$tmp/second"
	# shellcheck disable=SC2016 # the inner shell's
	spawn sh -c 'read -r _ <"$1" && shift && exec "$@"' sh "$tmp/go" \
		"$PYTHON" tests/host/exchange.py "$client" "$server" udp "$server_ip" 6021 "$N" blocked "$tmp/second"
}

mkfifo "$tmp/go"
cat >"$tmp/both" <<END
"$PYTHON" tests/host/exchange.py $client $client udp 127.0.0.1 6020 $N blocked "$tmp/first" lo
echo >"$tmp/go"
while [ ! -e "$tmp/second" ]; do sleep 0.02; done
END
waiting
only only-netns "$in_server" receive udp-socket-enqueued udp-socket-read
"$REPORT" latency "$tmp/only-netns.nct" >"$tmp/out"
expect latency-only-told grep -q 'Only packets of: network namespace' "$tmp/out"
waiting
only only-interface "interface=eth0,$in_server" udp-socket-enqueued udp-socket-read
waiting
only only-lo "interface=lo,netns=$client" receive qdisc udp-socket-read
waiting
only only-pid "pid=$spawned" udp-socket-read
"$REPORT" latency --format=json "$tmp/only-pid.nct" >"$tmp/only.json"
lacks=$("$PYTHON" tests/host/latency.py lacks "$tmp/only.json" receive) || :
expect latency-only-no-reader [ "$lacks" = "receive: --latency-only=pid cannot be evaluated for these packets" ]

cgroup2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$lib_prefix-only
if [ -z "$cgroup2" ] || ! mkdir -p "$cgroup2/$group/below" 2>/dev/null; then
	skip latency-only-cgroup "needs cgroups"
else
	waiting
	echo "$spawned" >"$cgroup2/$group/below/cgroup.procs"
	only only-cgroup "cgroup=/$group" udp-socket-enqueued udp-socket-read
	wait "$spawned" || :
	waiting
	echo "$spawned" >"$cgroup2/$group/below/cgroup.procs"
	"$RECORD" -q -F 0 --exact=off --budget=none --latency-by=cgroup --latency-only="$in_server" -o "$tmp/by-cgroup.nct" -- sh "$tmp/both"
	check "latency-by-cgroup whose $tmp/by-cgroup.nct udp-socket-read $N cgroup=/$group/below"
	check "latency-by-cgroup-sums sums $tmp/by-cgroup.nct"
	wait "$spawned" || :
	rmdir "$cgroup2/$group/below" "$cgroup2/$group"
fi

# The length of a queue includes the packet itself.
by=--latency-by=interface
record queue "queue=50,$in_server" "$client" "$server" udp "$server_ip" 6022 600 burst
by=
check "latency-only-queue filtered $tmp/queue.nct udp-socket-enqueued 551 49"
check "latency-by-interface whose $tmp/queue.nct udp-socket-enqueued 551 netdev=eth0 netns=$(ip netns exec "$server" stat -Lc %i /proc/self/ns/net)"
check "latency-by-interface-sums sums $tmp/queue.nct"
record short "queue=50,$in_server" "$client" "$server" udp "$server_ip" 6023 "$N" blocked
check "latency-only-short-queue filtered $tmp/short.nct udp-socket-enqueued 0 $N"
expect latency-verifies "$REPORT" verify -q "$tmp/udp.nct" "$tmp/only-netns.nct" "$tmp/queue.nct"

# ---- many packets at once: every lost packet is counted

record burst "$in_server" "$client" "$server" udp "$server_ip" 6008 3000 burst
for hook in udp-socket-enqueued udp-socket-read; do
	check "latency-burst-$hook count $tmp/burst.nct $hook 3000"
done
record full "$in_server" "$client" "$server" udp "$server_ip" 6009 3000 full
check "latency-dropped read $tmp/full.nct $tmp/full.stamps udp-socket-read"
ip -n "$client" link set eth0 gso_max_segs 1 # each segment is a packet of its own
record burst-tcp "$in_server" "$client" "$server" tcp "$server_ip" 6010 3000 burst
check "latency-burst-tcp-enqueued enqueued-tcp $tmp/burst-tcp.nct $tmp/burst-tcp.stamps"
check "latency-burst-tcp-read read $tmp/burst-tcp.nct $tmp/burst-tcp.stamps tcp-socket-read tcp-socket-read-blocked"

if tc -n "$client" qdisc add dev eth0 root tbf rate 500kbit burst 2000 latency 10s 2>/dev/null; then
	record slow "netns=$client" "$client" "$server" udp "$server_ip" 6011 80 burst
	check "latency-qdisc-waited queued $tmp/slow.nct $tmp/slow.stamps 142 2000 62500"
	tc -n "$client" qdisc del dev eth0 root
else
	skip latency-qdisc-waited "needs tbf, vxlan and bridge"
fi

# ---- a tunnel: inner packets are as old as their outer packets

tunnel() {
	for end in client server; do
		eval "in=\$$end here_ip=\${${end}_ip}"
		[ $end = client ] && there_ip=$server_ip number=1 || there_ip=$client_ip number=2
		ip -n "$in" link add vx0 type vxlan id 7 local "$here_ip" remote "$there_ip" dstport 4789 || return
		ip -n "$in" addr add "10.78.0.$number/24" dev vx0
		ip -n "$in" link set vx0 up
	done
}
packets=60 held=$US
if tunnel 2>/dev/null; then
	spin 4789 "$server"
	record vxlan "$in_server" "$client" "$server" udp 10.78.0.2 6012 60 late=1
	checks vxlan udp-socket-enqueued udp-socket-read
	ended
else
	skip latency-vxlan "needs tbf, vxlan and bridge"
fi

# ---- a bridge: a delay at its port is part of the latency at later checkpoints

netns_pair outer bridge
box=$lib_prefix-box
lib_namespaces="$lib_namespaces $box"
ip netns add "$box"
ip link add eth0 netns "$box" type veth peer name port1 netns "$bridge"
netns_up "$box" 3
ip -n "$bridge" addr flush dev eth0
if ip -n "$bridge" link add br0 type bridge 2>/dev/null; then
	for port in eth0 port1; do
		ip -n "$bridge" link set $port master br0
		ip -n "$bridge" link set $port up
	done
	ip -n "$bridge" link set br0 up
	spin 6013 "$bridge"
	record bridge "netns=$box" "$outer" "$box" udp 10.77.0.3 6013 60 late=1
	checks bridge udp-socket-enqueued udp-socket-read
	ended
else
	skip latency-bridge "needs tbf, vxlan and bridge"
fi

"$PYTHON" tests/host/judge_latency.py <"$tmp/lines" || lib_failed=1
