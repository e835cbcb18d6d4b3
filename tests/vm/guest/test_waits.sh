#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What packets wait for (--latency), before and after they are delayed by a known time: by a TC program that spins, where they
# come from a driver, by netem, by rules of the firewall, and by a late reader; over loopback, veth, a tunnel and a bridge; and
# when times that are no times of theirs are in them, or the wall clock is set. The host judges (tests/vm/judge_waits.sh).
. ./lib.sh

PACKETS=1000 EVERY_US=2000

# recorded NAME COMMAND...
recorded() {
	name=$1
	shift
	netcost-record -q -F 0 -i 500 --budget=none --latency --exact=off -o "/out/waits-$name.nct" -- "$@" >/tmp/said 2>/tmp/err
	expect "waits-$name:recording" [ ! -s /tmp/err ]
	cat /tmp/err
}

# cases WAY TIMES: writes the cases that the host judges
cases() {
	for us in $2; do
		echo "$1 $us=$us" >>/out/waits.cases
	done
}

# spun WAY SPIN_OPTIONS HOOK TIMES COMMAND...: records twice without spinning, and once for each of
# TIMES
spun() {
	way=$1 options=$2 hook=$3 times=$4
	shift 4
	for us in 0 $times 0-again; do
		# shellcheck disable=SC2086 # words
		spin $options -t "${us%-again}" "$hook" - - >/dev/null &
		spin=$!
		sleep 1
		recorded "$way-$us" "$@"
		kill "$spin"
		wait "$spin"
	done
	cases "$way" "$times"
}

# reader VERB...: starts a reader; its pid is in $reader
reader() {
	udp "$@" &
	reader=$!
	sleep 1
}

in_client() {
	nsenter -t "$client" -n "$@"
}

# The program is called by its path, because otherwise busybox runs its own.
client_tc() {
	in_client /bin/tc qdisc "$@"
}

: >/out/waits.cases
reader sink 6001
spun loopback "-o 6001" tc-port "10 50 200" udp flood 127.0.0.1 6001 $PACKETS $EVERY_US
spun driver "-o 6001" rx 50 udp flood 127.0.0.1 6001 $PACKETS $EVERY_US

namespace_after nn
client=$host
ip link set nn up
ip addr add 10.1.0.1/24 dev nn
in_client ip addr add 10.1.0.2/24 dev eth0
in_client ip link set eth0 up
in_client udp tso eth0 off
expect waits-answers in_client ping -q -c 1 -W 20 10.1.0.1
to_client="nsenter -t $client -n udp flood 10.1.0.1 6001"
# shellcheck disable=SC2086 # words
spun veth "-i nn -o 6001" tc-port "10 50 200" $to_client $PACKETS $EVERY_US

# ---- netem, which delays by its timer; and a queue that holds packets until the transmit time in them

for us in 0 10 50 200 0-again; do
	client_tc replace dev eth0 root netem delay $((100 + ${us%-again}))us
	# shellcheck disable=SC2086 # words
	recorded "netem-$us" $to_client $PACKETS $EVERY_US
done
cases netem "10 50 200"
client_tc del dev eth0 root
if client_tc add dev eth0 root fq 2>/tmp/err; then
	for us in 0 200 0-again; do # a bucket at this latency is 16 us wide
		recorded "timed-$us" nsenter -t "$client" -n udp timed 10.1.0.1 6001 $PACKETS $EVERY_US $((500 + ${us%-again}))
	done
	cases timed 200
	client_tc del dev eth0 root
else
	fail waits-timed "expected the qdisc fq, got: $(cat /tmp/err)"
fi

# ---- the wall clock and its offset from TAI change while packets arrive

cat >/tmp/clock <<-SH
	$to_client 300 $EVERY_US
	date -s "@\$((\$(date +%s) + 90000))"
	udp tai 37
	$to_client 300 $EVERY_US
	date -s "@\$((\$(date +%s) - 180000))"
	udp tai 0
	$to_client 300 $EVERY_US
SH
for us in 0 set 0-again; do
	# shellcheck disable=SC2086 # words
	case $us in set) recorded clock-set sh /tmp/clock ;; *) recorded "clock-$us" $to_client 900 $EVERY_US ;; esac
done
echo "clock set=10" >>/out/waits.cases # as precise as the test of a shift by that time
date -s "@$(($(date +%s) + 90000))" >/dev/null

# ---- a late reader

for ms in 0 5 0-again; do
	kill "$reader"
	reader late 6001 $((1000 * ${ms%-again}))
	# shellcheck disable=SC2086 # words
	recorded "late-$ms" $to_client 150 10000
done
kill "$reader"
echo "late 5=5000" >>/out/waits.cases
reader sink 6001

# ---- 25 000 rules, which take as long as they extend round trips

udp echo 7002 &
echo=$!
{
	printf 'table ip slow {\nchain slow {\ntype filter hook prerouting priority 0\n'
	seq 25000 | awk '{ printf "ip saddr 10.99.%d.%d drop\n", $1 / 256, $1 % 256 }'
	printf '}\n}\n'
} >/tmp/rules
trip() {
	in_client udp trip 10.1.0.1 7002 50
}
sleep 1
for rules in 0 rules 0-again; do
	[ $rules != rules ] || nft -f /tmp/rules || fail waits-rules "nft: $?"
	# shellcheck disable=SC2086 # words
	recorded "firewall-$rules" $to_client 100 40000
	trip >"/tmp/trip-$rules"
	[ $rules != rules ] || nft flush ruleset
done
echo "firewall rules=$(cat /tmp/trip-0 /tmp/trip-rules | tr '\n' ' ' | awk '{ print ($2 - $1) / 1000 }')" >>/out/waits.cases
kill "$echo"

# ---- a tunnel, and a bridge. The program spins where the outer packets, or those of the port, arrive

tunnel() {
	nsenter -t "$1" -n /bin/ip link add vx0 type vxlan id 7 local "$2" remote "$3" dstport 4789 dev "$4"
	nsenter -t "$1" -n /bin/ip addr add "$5/24" dev vx0
	nsenter -t "$1" -n /bin/ip link set vx0 up
}
tunnel $$ 10.1.0.1 10.1.0.2 nn 10.3.0.1
tunnel "$client" 10.1.0.2 10.1.0.1 eth0 10.3.0.2
spun vxlan "-i nn -o 4789" tc-port "10 50 200" nsenter -t "$client" -n udp flood 10.3.0.1 6001 $PACKETS $EVERY_US
brctl addbr brl
brctl addif brl nn
ip addr del 10.1.0.1/24 dev nn
ip addr add 10.1.0.1/24 dev brl
ip link set brl up
# shellcheck disable=SC2086 # words
spun bridge "-i nn -o 6001" tc-port "10 50 200" $to_client $PACKETS $EVERY_US
kill "$client" # the links are removed with the namespace
ip link set brl down
brctl delbr brl
until_so no_device nn || fail nn "is still there"

# ---- two NICs on a hub: a driver that reports completed transmits

grep -vxF -f /modules/boot /modules/order | while read -r module; do
	insmod "/modules/$module" 2>/dev/null # another test may have loaded it
done
sleep 1
unshare -n sleep 100000 &
host=$!
until_so has_own_network $host
ip link set eth1 netns $host
for nic in "$$ eth0 10.7.0.1" "$host eth1 10.7.0.2"; do
	# shellcheck disable=SC2086 # words
	set -- $nic
	nsenter -t "$1" -n ip link set "$2" up
	nsenter -t "$1" -n ip addr add "$3/24" dev "$2"
done
nsenter -t "$host" -n udp sink 6001 &
expect waits-nic-answers ping -q -c 1 -W 20 10.7.0.2
for us in 0 50 0-again; do
	/bin/tc qdisc replace dev eth0 root netem delay $((100 + ${us%-again}))us
	recorded "nic-$us" udp flood 10.7.0.2 6001 $PACKETS $EVERY_US
done
cases nic 50
netcost-report latency /out/waits-nic-0.nct
kill $! "$reader" "$host"
ip link set eth0 down
rmmod virtio_net
