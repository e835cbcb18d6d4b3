#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every option and every method of /tests/rungs, each in as few recordings as possible: a start costs 3 to 20 s here, a
# packet next to nothing. tests/vm/gate.py judges the traces on the host, by counts and sums only.
# shellcheck disable=SC2086,SC2154 # Lists of pids are words here. lib.sh sets $host.
. ./lib.sh

N=20     # number of packets of each phase and receiver
CALLS=50 # number of packets of each kind
read -r rungs </tests/rungs
cp /tests/rungs /out
best=fentry
case $(uname -r) in [7-9].*) best=kprobe ;; esac # preemption is lazy there, which refuses fentry

# with RUNG: succeeds if the method is one of this machine's
with() {
	case " $rungs " in *" $1 "*) ;; *) return 1 ;; esac
}

# record NAME OPTION... [-- COMMAND...]: records; any message of the recorder is a failure
record() {
	name=$1
	shift
	netcost-record -q -o "/out/$name.nct" "$@" >/tmp/said 2>/tmp/err || echo "exit status $?" >>/tmp/err
	[ ! -s /tmp/err ] || fail "$name:recording" "expected no message, got: $(tail -n 1 /tmp/err)"
	echo "vm: $name ended after $(cut -d ' ' -f 1 /proc/uptime) s"
}

# The recorded commands need these functions in a file of their own.
cat >/tmp/phases <<'SH'
# phase NAME COMMAND...: prints NAME and the command's begin and end in ns of CLOCK_MONOTONIC ("now
# at N nsecs", the third line of /proc/timer_list). Usually a tick of the recorder separates two
# phases. If not, they are judged as one.
now() { { read -r _; read -r _; read -r _ _ now _; } </proc/timer_list; }
phase() {
	name=$1
	shift
	usleep 250000
	now; began=$now
	"$@" >/tmp/said 2>&1 || echo "not ok phase-$name: expected status 0, got: $(tail -n 1 /tmp/said)" >/dev/console
	now; echo "$name $began $now" >>$phases
	usleep 250000
}
# delivered: prints the number of IPv4 packets that have reached their protocol
delivered() {
	awk '$1 == "Ip:" && $2 ~ /^[0-9]/ { print $10 }' /proc/net/snmp
}
# arrive N COMMAND...: runs the command and waits until N more packets have arrived, at most 30 s,
# because a busy CPU may take that long
arrive() {
	goal=$(($(delivered) + $1)) tries=300
	shift
	"$@" || return
	while [ "$(delivered)" -lt $goal ] && [ $((tries -= 1)) -gt 0 ]; do
		usleep 100000
	done
}
# stop PID...: ends the processes, some of which may have ended by themselves
stop() {
	kill "$@"
	wait "$@"
	return 0
} 2>/dev/null
SH
. /tmp/phases

# phases NAME: records a command that reads the phases from standard input
phases() {
	{
		cat /tmp/phases
		echo "phases=/out/$1.phases"
		cat
	} >/tmp/run
	: >"/out/$1.phases"
}

# listening udp|tcp PORT [PID]: waits for a socket in the network namespace of that process
listening() {
	cat "/proc/${3:-self}/net/$1" "/proc/${3:-self}/net/${1}6" | grep -qi ": [0-9A-F]*:$(printf %04x "$2") 0*:0000 0[7A]"
}

# receiver PROTOCOL PORT COMMAND...: starts the command in the background; its pid is in $receiver
receiver() {
	protocol=$1 port=$2
	shift 2
	"$@" >/tmp/ready &
	receiver=$!
	until_so listening "$protocol" "$port" $receiver || fail "receiver-$port" "expected a listening socket, got none"
}

# received RECORDING WHAT PID PACKETS: notes the number of packets for the judge
received() {
	echo "$2 $3 $4" >>"/out/$1.receivers"
}

# ---- the network: a router between client and server, a bridge between two hosts, and one device with NAPI

# host_after PEER PREFIX
host_after() {
	namespace_after "$1"
	ip link set "$1" up
	nsenter -t $host -n sh -c "echo 0 >/proc/sys/net/ipv6/conf/default/dad_transmits; echo 0 >/proc/sys/net/ipv6/conf/eth0/dad_transmits
		ip link set eth0 up; ip link set lo up; ip addr add $2 dev eth0"
}

# routed PEER PREFIX
routed() {
	host_after "$1" "$2.2/24"
	nsenter -t $host -n sh -c "ip addr add fd$1::2/64 dev eth0; ip route add default via $2.1; ip -6 route add default via fd$1::1"
	echo 0 >"/proc/sys/net/ipv6/conf/$1/dad_transmits"
	ip addr add "$2.1/24" dev "$1"
	ip addr add "fd$1::1/64" dev "$1"
}

# answers PID ADDRESS
answers() {
	until_so nsenter -t "$1" -n ping -q -c 1 -W 5 "$2" >/tmp/said || fail "answers-$2" "expected an answer, got: $(tail -n 1 /tmp/said)"
}

routed aa 10.1.0
client=$host
routed bb 10.2.0
server=$host
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
brctl addbr br0
for port in port1 port2; do
	host_after $port "10.77.0.${port#port}/24"
	brctl addif br0 $port
	eval "$port=$host"
done
ip link set br0 up
ip addr add 10.77.0.3/24 dev br0
host_after nn 10.4.0.2/24
napi=$host
ip addr add 10.4.0.1/24 dev nn
udp gro nn on
nsenter -t $napi -n udp tso eth0 off
# Packets to 10.88.0.2 are forwarded, and nobody answers them.
ip link add away type veth
ip addr add 10.88.0.1/24 dev away
ip link set away up
ip link set veth0 up
/bin/ip neigh add 10.88.0.2 lladdr 02:00:00:00:00:02 dev away
# shellcheck disable=SC2154 # eval sets port1 and port2
nsenter -t "$port1" -n ip route add 10.88.0.0/24 via 10.77.0.3
answers $client 10.2.0.2
answers $client fdbb::2
answers $client 10.1.0.1
# shellcheck disable=SC2154
answers "$port1" 10.77.0.2
answers "$port1" 10.77.0.3
answers $napi 10.4.0.1
receiver udp 6001 udp sink 6001
sink=$receiver
receiver udp 6002 udp sink 6002
sink2=$receiver
# the delay is long enough for the client to have begun polling
nsenter -t $napi -n udp reply 7002 2000 &
echo=$!
until_so listening udp 7002 $echo

# ---- all kinds of calls, by process, with certificates; then page cache hits

# A tick separates some of the calls.
cat >/tmp/calls.sh <<SH
n=0
while read -r kind sockets; do
	sockcalls "\$kind" $CALLS "\$sockets" </dev/null >/tmp/times &
	pid=\$!
	wait \$pid || echo "not ok calls-\$kind-\$sockets: expected status 0, got \$?" >/dev/console
	read -r times </tmp/times
	echo "\$times \$pid"
	n=\$((n + 1))
	[ \$((n % 4)) -ne 0 ] || usleep 60000
done
for pages in 0 10000; do
	dd if=/tmp/pages of=/dev/null bs=4096 count=\$pages 2>/tmp/dd &
	echo pages \$pages \$! >>\$1
	wait \$!
done
SH
dd if=/dev/zero of=/tmp/pages bs=4096 count=10000 2>/tmp/dd
counted() {
	record "$@" -F 0 -i 50 -- sh -c "sh /tmp/calls.sh /out/$1.pages <$calls >/out/$1.times"
}
calls=/tests/calls
NETCOST_RUNG=$best counted counts-$best --exact=entry --budget=none --processes --certify
calls=/tests/calls-few # Other methods count at the same places.
[ $best = kprobe ] || ! with kprobe || NETCOST_RUNG=kprobe NETCOST_PMU=software counted counts-kprobe --exact=entry --budget=none --processes --certify
! with tracepoint || NETCOST_RUNG=tracepoint counted counts-tracepoint --exact=entry --budget=none --processes --certify
case $(uname -r) in
6.1.*)
	COLUMNS=1000 netcost-record --check --exact=calls >/tmp/check 2>&1
	expect calls-say-what-lacks grep -q '^sock_send .*; no tracepoint: the kernel has no tracepoint sock_send_length' /tmp/check
	;;
*) counted counts-calls --exact=calls --budget=none --processes ;;
esac
expect check sh -c 'netcost-record --check --processes --latency --stages >/tmp/check'

# The verifier of each kernel accepts the programs of the methods that record nothing on this machine, too.
for rung in $best kprobe tracepoint; do
	! with $rung || continue
	NETCOST_RUNG=$rung COLUMNS=1000 netcost-record --check --exact=full --processes --owners --latency --tail --stages >/tmp/check 2>&1
	expect loads-$rung grep -q "^gro *$rung" /tmp/check
done

# A missing probe is detected.
for rung in $rungs; do
	NETCOST_RUNG=$rung NETCOST_TEST_UNPLUG=softirq_entry LD_PRELOAD=/unplug.so \
		netcost-record -q --certify -F 0 --exact=entry -o /out/unplugged-$rung.nct -- true >/tmp/said 2>&1
done

# ---- the parts of the RX softirq, and who polls

for rung in $rungs; do
	{
		[ $rung = tracepoint ] || cat <<-SH
			phase forward4 nsenter -t $client -n ping -q -c $N -i 0.01 10.2.0.2
			phase forward6 nsenter -t $client -n ping -q -c $N -i 0.01 fdbb::2
			phase local4 nsenter -t $client -n ping -q -c $N -i 0.01 10.1.0.1
			nft -f /tests/rules.nft
			phase netfilter4 nsenter -t $client -n ping -q -c $N -i 0.01 10.2.0.2
			phase netfilter6 nsenter -t $client -n ping -q -c $N -i 0.01 fdbb::2
			nft flush ruleset
			phase bridge nsenter -t $port1 -n ping -q -c $N -i 0.01 10.77.0.2
			phase bridge-itself nsenter -t $port1 -n ping -q -c $N -i 0.01 10.77.0.3
			rm -f /tmp/spun
			spin -o 6001 -t 10 tc-port - - >/tmp/spun & spin=\$!
			while ! [ -s /tmp/spun ]; do usleep 50000; done
			phase tc udp flood 127.0.0.1 6001 $N 500
			stop \$spin
			# Softirqs interrupt a task's own probes.
			echo 2 >/sys/class/net/lo/queues/rx-0/rps_cpus
			taskset -c 1 sockcalls send 1000000000 unix >/dev/null & caller=\$!
			phase interrupted arrive $N taskset -c 0 udp flood 127.0.0.1 6001 $N 500
			stop \$caller
			echo 0 >/sys/class/net/lo/queues/rx-0/rps_cpus
		SH
		cat <<-SH
			phase napi-softirq nsenter -t $napi -n udp flood 10.4.0.1 6001 $N 1000
			phase napi-busy udp ask 10.4.0.2 7002 $N 100000
			echo 1 >/sys/class/net/nn/threaded
			phase napi-thread nsenter -t $napi -n udp flood 10.4.0.1 6001 $N 1000
			echo 0 >/sys/class/net/nn/threaded
		SH
	} | phases parts-$rung
	NETCOST_RUNG=$rung record parts-$rung -F 0 -i 100 --exact=full -- sh /tmp/run
done

# ---- receivers, latency, its tail and packet paths, all at once

for rung in ${rungs%tracepoint}; do
	receiver tcp 6003 packets receive tcp 6003
	tcp=$receiver
	receiver udp 6004 nsenter -t "$port2" -n packets receive udp 6004
	container=$receiver
	receiver udp 6005 packets keep 6005
	keep=$receiver
	: >/tmp/ready
	packets send udp 127.0.0.1 1 0 6005
	until_so [ -s /tmp/ready ]
	phases all-$rung <<-SH
		udp flood 127.0.0.1 6001 $N 1000 & udp flood 127.0.0.1 6002 $((3 * N)) 300; wait
		packets send tcp 127.0.0.1 $N 1000 6003
		nsenter -t $port1 -n packets send udp 10.77.0.2 $N 1000 6004
		nsenter -t $port1 -n packets send udp 10.88.0.2 $N 1000 6009
		packets send udp 127.0.0.1 $N 500 6005
		nsenter -t $napi -n /bin/tc qdisc add dev eth0 root netem slot 20ms 20ms
		nsenter -t $napi -n sh -c 'udp flood 10.4.0.1 6002 $N 1000 & udp flood 10.4.0.1 6001 $N 1000; wait'
		nsenter -t $napi -n /bin/tc qdisc del dev eth0 root
		echo 1 >/sys/class/net/nn/threaded
		nsenter -t $napi -n sh -c 'udp flood 10.4.0.1 6002 $N 1000 & udp flood 10.4.0.1 6001 $N 1000; wait'
		echo 0 >/sys/class/net/nn/threaded
		usleep 500000
	SH
	NETCOST_RUNG=$rung record all-$rung -F 0 -i 250 --exact=full --budget=none --processes --owners --latency-by=interface --tail --stages=1/1 -- sh /tmp/run
	received all-$rung sink $sink $((3 * N))
	received all-$rung sink2 $sink2 $((5 * N))
	received all-$rung container $container $N
	received all-$rung old $keep $N
	received all-$rung tcp $tcp $N
	stop $tcp $container $keep
done

# ---- latency alone: by process; by cgroup, of one cgroup only

mkdir -p /tmp/cgroup2
mount -t cgroup2 none /tmp/cgroup2
mkdir -p /tmp/cgroup2/only/below
# shellcheck disable=SC2016 # the inner shell's
receiver udp 6006 sh -c 'echo $$ >/tmp/cgroup2/only/below/cgroup.procs; exec udp sink 6006'
below=$receiver
latency="udp flood 127.0.0.1 6001 $N 2000; udp flood 127.0.0.1 6006 $N 2000; usleep 300000"
record latency-process -F 0 -i 200 --budget=none --latency-by=process --exact=off -- sh -c "$latency"
NETCOST_RUNG=kprobe record latency-only -F 0 -i 200 --budget=none --latency-by=cgroup --latency-only=cgroup=/only --exact=off -- sh -c "$latency"
stop $below

# ---- packet paths through rules, a classifier, a bridge; clones for a program that captures packets

rm -f /tmp/spun
spin -o 6001 -t 10 tc-port - - >/tmp/spun &
spin=$!
udp capture lo &
capture=$!
expect ways-nftables nft -f ways.nft
expect ways-iptables udp table filter
until_so [ -s /tmp/spun ]
record ways -F 0 -i 250 --budget=none --stages=1/1 --host-details --exact=off -- sh -c \
	"udp flood 127.0.0.1 6001 $N 1000; nsenter -t $port1 -n ping -q -c $N -i 0.01 10.77.0.2; usleep 300000"
nft flush ruleset
stop $spin $capture

# ---- drops: by a rule, and by netem, which TCP sends again; and pings over a bridge, by the best method

nft add table inet drops
nft add chain inet drops in '{ type filter hook input priority 0; }'
nft add rule inet drops in icmp type echo-request counter drop
cat >/tmp/netem <<-'SH'
	counters() {
		/bin/tc -s qdisc show dev aa | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p'
		awk '$1 == "Tcp:" && !n { for (n = 2; $n != "RetransSegs"; n++); next } $1 == "Tcp:" { print $n }' /proc/net/snmp
	}
SH
receiver tcp 5001 nsenter -t $client -n sh -c 'sleep 100000 | nc -l -p 5001'
udp tso aa off
/bin/tc qdisc add dev aa root netem loss 10%
cat >/tmp/send <<-SH
	. /tmp/netem
	counters >/out/netem.before
	ping -q -c 7 -i 0.1 -W 1 127.0.0.1
	head -c 400000 /dev/zero | nc 10.1.0.2 5001
	# No packet is lost or retransmitted when the counters are read.
	/bin/tc qdisc change dev aa root netem loss 0%
	while awk '\$3 ~ /:1389\$/ && \$4 != "06"' /proc/net/tcp | grep -q .; do usleep 100000; done
	counters >/out/netem.after
SH
record drops -F 0 -- sh /tmp/send
/bin/tc qdisc del dev aa root
nft delete table inet drops
record bridge -F 0 --exact=entry -- nsenter -t "$port1" -n ping -q -c 5 -i 0.05 10.77.0.2

# ---- run counts of the recorder's own programs

echo 1 >/proc/sys/kernel/bpf_stats_enabled
for rung in ${rungs%tracepoint}; do
	NETCOST_RUNG=$rung record programs-$rung -F 0 -- sockcalls sendto 1000 inet
done
echo 0 >/proc/sys/kernel/bpf_stats_enabled

# ---- samplers, with a load that has network code in it; budgets

record sampler-perf -- sockcalls send 15000
record sampler-net-only --net-only -- sockcalls send 3000
# A CPU goes offline and online, in windows and between them.
cat >/tmp/turns <<-SH
	sockcalls send 25000 >/dev/null & load=\$!
	for turn in 1 2 3 4 5 6; do
		usleep 200000
		echo 0 >/sys/devices/system/cpu/cpu1/online
		usleep 150000
		echo 1 >/sys/devices/system/cpu/cpu1/online
	done
	wait \$load
SH
for rung in $best tracepoint; do
	[ $rung = $best ] || with $rung || continue
	NETCOST_RUNG=$rung record windows-$rung -F 99 -i 100 --exact=entry --processes --budget=5 -- sh /tmp/turns
done
netcost-record -q --event=cycles -d 1 -o /tmp/cycles.nct >/tmp/err 2>&1
expect cycles-no-pmu grep -qx 'netcost-record: cannot count cycles: .*; use --event=cpu-clock' /tmp/err

# ---- a CPU that goes and comes back, the time of day is set, a module is unloaded

phases hotplug <<-SH
	sockcalls send 1000000000 >/dev/null & first=\$!
	sockcalls send 1000000000 >/dev/null & second=\$!
	for round in 1 2; do
		usleep 300000
		now; went=\$now
		echo 0 >/sys/devices/system/cpu/cpu1/online
		now; gone=\$now
		[ \$round -eq 2 ] || usleep 400000
		now; came=\$now
		echo 1 >/sys/devices/system/cpu/cpu1/online
		now; echo \$went \$gone \$came \$now >>/out/hotplug.away
	done
	date -s 2001-01-01 && rmmod sch_netem
	usleep 300000
	stop \$first \$second
SH
record hotplug --budget=none -i 20 -- sh /tmp/run
echo 0 >/sys/devices/system/cpu/cpu1/online
netcost-record -q --budget=none -i 50 -o /out/hotplug-late.nct -- sh -c 'usleep 100000; echo 1 >/sys/devices/system/cpu/cpu1/online; usleep 300000' \
	2>/tmp/err
expect hotplug-late-is-told grep -q 'warning: CPU 1 came online' /tmp/err

# ---- hard interrupts: two NICs on a hub, because only then an interface has interrupts

COLUMNS=1000 netcost-record --check >/tmp/check 2>&1
expect hardirq-without grep -q '^hardirq_net *samples .*no interface of this network namespace has interrupts' /tmp/check
grep -vxF -f /modules/boot /modules/order | while read -r module; do
	insmod "/modules/$module" || fail hardirq-module "insmod $module: status $?"
done
until_so [ -e /sys/class/net/eth1/address ]
for nic in eth0 eth1; do
	echo 1 >/proc/sys/net/ipv6/conf/$nic/disable_ipv6
	ip link set $nic up
done
ip addr add 10.7.0.1/24 dev eth0
arp -s 10.7.0.2 "$(cat /sys/class/net/eth1/address)"
cat >/tmp/interrupts <<-'SH'
	for nic in eth0 eth1; do
		for irq in $(ls /sys/class/net/$nic/device/../msi_irqs); do grep "^ *$irq:" /proc/interrupts; done
	done
SH
sh /tmp/interrupts >/out/hardirq.before
record hardirq -F 0 -i 100 -- sh -c "usleep 300000; udp flood 10.7.0.2 9 100 500; usleep 300000"
sh /tmp/interrupts >/out/hardirq.after
