#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # netns_pair sets client and server
# Checks that drops that the test causes are counted by reason, and that TCP's retransmissions are counted exactly.
# Reasons are counted for the whole host, where other packets are dropped, too. So the counts must be at least the
# number of packets that the test dropped.
. tests/lib.sh
need_recorder
need_command nft tc ip
export REPORT

netns_pair client server
net() { # NAMESPACE COMMAND...
	ip netns exec "$@"
}

of() {
	"$PYTHON" tests/host/drops.py trace "$tmp/t.nct" "$1"
}

# recorded NAMESPACE COMMAND...: records inside the namespace, because the trace has the protocol counters of the
# recorder's namespace
recorded() {
	lib_where=$1
	shift
	net "$lib_where" "$RECORD" -q -F 0 -o "$tmp/t.nct" -- "$@"
}

# snmp NAMESPACE PROTOCOL COUNTER: prints the counter
snmp() {
	net "$1" awk -v p="$2:" -v name="$3" '$1 == p && !n { for (n = 2; $n != name; n++); next } $1 == p { print $n }' \
		/proc/net/snmp
}

# dropped WANTED PATTERN...: checks the number of packets dropped for such a reason
dropped() {
	wanted=$1
	got=$(of "drop($(printf '"%s",' $2))")
	echo "dropped for $2: $got, made: $wanted"
	[ "$got" -ge "$wanted" ]
}

# made N PATTERNS COMMAND...: runs the command, and checks that N packets were dropped for such a reason
made() {
	wanted=$1 patterns=$2
	shift 2
	recorded "$server" "$@" && dropped "$wanted" "$patterns"
}

py="$PYTHON tests/host/drops.py"
recorded "$server" true
[ "$(of '[r["state"] for r in records if r["type"] == "source" and r["name"] == "drops"][0]')" = measured ] ||
	skip_all "needs tracepoints of Linux 6.3"
expect drops-source-is-given [ "$(of 'len([r for r in records if r["type"] == "drops"]) > 1')" = True ]

# A rule of nftables.
net "$server" nft -f - <<'NFT'
table inet t {
	chain in {
		type filter hook input priority 0
		udp dport 9 counter drop
	}
}
NFT
# shellcheck disable=SC2086 # words
expect drops-by-nft made 1234 NETFILTER_DROP ip netns exec "$client" $py udp "$server_ip" 9 1234
expect drops-of-nft-on-a-cpu [ "$(of 'all(len(r["cpu"]) == len(r["name"]) for r in records if r["type"] == "drop_reasons")')" = True ]

# There is no socket with this port.
# shellcheck disable=SC2086
expect drops-no-socket made 77 NO_SOCKET ip netns exec "$client" $py udp "$server_ip" 10 77

# A socket without room drops as many packets as its namespace counts.
full() {
	before=$(snmp "$server" Udp RcvbufErrors)
	# shellcheck disable=SC2086
	recorded "$server" $py full "$server_ip" 900
	n=$(($(snmp "$server" Udp RcvbufErrors) - before))
	[ "$n" -gt 800 ] && [ "$(of 'counter("Udp.RcvbufErrors")')" = "$n" ] && dropped "$n" SOCKET_RCVBUFF
}
expect drops-full-buffer full
expect drops-in-the-summary sh -c "'$REPORT' --full '$tmp/t.nct' | grep -qE '^  SOCKET_RCVBUFF +[0-9]+ '"
expect drops-verify "$REPORT" verify "$tmp/t.nct"

# TCP retransmits packets that netem or a rule drops: as many as the namespace itself counts.
lost() { # by the client's qdisc
	net "$client" tc -s qdisc show dev eth0 | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p' | head -n 1
}
transfer() {
	# shellcheck disable=SC2086
	spawn ip netns exec "$server" $py sink "$server_ip" 5001
	wait_for 60 netns_listening "$server" 5001
	before=$(snmp "$client" Tcp RetransSegs) gone=$(lost)
	# shellcheck disable=SC2086
	recorded "$client" $py send "$server_ip" 5001 1000000
	again=$(($(snmp "$client" Tcp RetransSegs) - before)) gone=$(($(lost) - gone))
	echo "the qdisc lost $gone, TCP sent $again again, the trace: $(of 'counter("Tcp.RetransSegs")')"
	[ "$again" -gt 3 ] && [ "$(of 'counter("Tcp.RetransSegs")')" = "$again" ]
}
ip -n "$client" link set eth0 gso_max_segs 1
net "$server" nft add rule inet t in tcp dport 5001 numgen inc mod 20 3 counter drop
expect retransmits-of-nft transfer
expect retransmits-in-the-summary sh -c "'$REPORT' --full '$tmp/t.nct' | grep -qE '^  Tcp.RetransSegs +$again .* TCP: segments retransmitted$'"
net "$server" nft flush chain inet t in
if net "$client" tc qdisc add dev eth0 root netem loss 5% 2>/dev/null; then
	expect retransmits-of-netem transfer
	expect drops-of-netem dropped "$gone" "QDISC_* TC_*"
	net "$client" tc qdisc del dev eth0 root
else
	skip drops-of-netem "needs netem"
fi

# A slow qdisc with a short queue drops packets.
if net "$client" tc qdisc add dev eth0 root tbf rate 8kbit burst 2000 limit 3000 2>/dev/null; then
	gone=$(lost)
	# shellcheck disable=SC2086
	recorded "$client" $py udp "$server_ip" 9 300
	gone=$(($(lost) - gone))
	expect drops-of-tbf [ "$gone" -gt 200 ]
	expect drops-of-a-qdisc dropped "$gone" "QDISC_* TC_*"
else
	skip drops-of-tbf "needs tbf, vxlan and bridge"
fi

# Checks that zero drops are reported as zero, not as "not measured".
recorded "$server" true
in_json() {
	"$REPORT" --format=json "$tmp/t.nct" | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["drops"]["packets"] is None)'
}
expect drops-none-is-not-unmeasured [ "$(in_json)" = False ]
net "$server" "$RECORD" -q --exact=off -o "$tmp/t.nct" -- true
expect drops-off [ "$(in_json)" = True ]
