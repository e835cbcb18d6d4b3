#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks what CPUs did while the slowest packets waited (--tail): the parts of each packet's time sum to the whole, the
# packet reached its checkpoints at possible times, and its latency fits the generator's times.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
need_recorder
need_command zstd ip tc

netns_pair client server

# check LINE: stores a line for tail.py, which judges all recordings at the end
check() {
	echo "tail-$1" >>"$tmp/lines"
}

# record NAME NAMESPACE PROTOCOL PACKETS READER [OPTION...]: records packets of that namespace
record() {
	name=$1 of=$2 protocol=$3 packets=$4 how=$5
	shift 5
	"$RECORD" -q --exact=off --budget=none --tail --latency-only="netns=$of" -i 100 -o "$tmp/$name.nct" "$@" -- "$PYTHON" tests/host/exchange.py \
		"$client" "$server" "$protocol" "$server_ip" 6001 "$packets" "$how" "$tmp/$name.stamps" ||
		fail "tail-$name-recorded" "expected status 0, got $?"
	check "$name-sums sums $tmp/$name.nct"
	expect "tail-$name-verifies" "$REPORT" verify -q "$tmp/$name.nct"
}

"$RECORD" -q -F 0 --exact=off --budget=none --tail -o "$tmp/none.nct" -- true
"$REPORT" latency --tail "$tmp/none.nct" >"$tmp/none.txt"
! grep -q "could not be measured" "$tmp/none.txt" || skip_all "needs tracepoints of Linux 6.3"
expect tail-told grep -q 'The recorder keeps the slowest packets of each tick and checkpoint' "$tmp/none.txt"

record late "$server" udp 40 late=20
check "late-bounded bounded $tmp/late.nct $tmp/late.stamps udp-socket-read"
check "late-path all $tmp/late.nct udp-socket-read 1 receive udp-socket-enqueued"

if spawn "$BUILD/tests/spin" -o 6001 -t 4000 tc-port - "$server" >"$tmp/spun" 2>"$tmp/why" && wait_for 50 grep -q . "$tmp/spun"; then
	record spun "$server" udp 100 late=10 -F 0
	kill "$spawned"
	wait "$spawned" || :
	check "spun-path all $tmp/spun.nct udp-socket-enqueued 1 receive"
	check "spun-softirq half $tmp/spun.nct udp-socket-enqueued 4000 1 softirq 3"
	check "spun-bounded bounded $tmp/spun.nct $tmp/spun.stamps udp-socket-enqueued"
	"$REPORT" latency --tail "$tmp/spun.nct" >"$tmp/out"
	expect tail-spun-reported grep -q "softirq NET_RX ran" "$tmp/out"
else
	fail tail-spun "$(tail -n 1 "$tmp/why")"
fi

record tcp "$server" tcp 40 late=10 -F 0
check "tcp-bounded bounded $tmp/tcp.nct $tmp/tcp.stamps tcp-socket-read"
check "tcp-path all $tmp/tcp.nct tcp-socket-read 1 receive tcp-start tcp-socket-enqueued"
record socket "$server" udp 30 burst -F 0

if tc -n "$client" qdisc add dev eth0 root tbf rate 500kbit burst 2000 latency 10s 2>/dev/null; then
	record qdisc "$client" udp 80 burst -F 0
	check "qdisc-queue rate $tmp/qdisc.nct 142 2000 62500 20"
else
	skip tail-qdisc-queue "needs tbf, vxlan and bridge"
fi
"$PYTHON" tests/host/tail.py judge <"$tmp/lines" || lib_failed=1
