#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks packet paths (--stages) of datagrams and segments over a pair of virtual interfaces, and through a router. All
# packets are followed to their end, their stages are in a possible order, and the steps sum to the whole. Each dropped
# packet has a reason.
# shellcheck disable=SC2154 # of netns_pair
. tests/lib.sh
need_recorder
need_command zstd ip

netns_pair client server
N=${NETCOST_STAGES_PACKETS:-1500}
PORT=$((10000 + $$ % 20000)) # other runs of this script use other ports

# check LINE: stores a line for stages.py, which judges all recordings at the end
check() {
	echo "stages-$1" >>"$tmp/lines"
}

# record NAME OPTION... -- COMMAND...
record() {
	name=$1
	shift
	"$RECORD" -q -F 0 --exact=off --budget=none --stages=1/1 -i 100 -o "$tmp/$name.nct" "$@" ||
		fail "stages-$name-recorded" "expected status 0, got $?"
	"$REPORT" path --format=json "$tmp/$name.nct" >"$tmp/$name.json"
	check "$name-order order $tmp/$name.nct"
	check "$name-sums sums $tmp/$name.json"
}

# exchange FROM TO PROTOCOL ADDRESS NAME
exchange() {
	echo "$PYTHON tests/host/exchange.py $1 $2 $3 $4 $PORT $N blocked $tmp/$5.stamps"
}

"$RECORD" -q -F 0 --exact=off --budget=none --stages=1/1 -o "$tmp/first.nct" -- true
"$REPORT" path --format=json "$tmp/first.nct" >"$tmp/first.json"
"$PYTHON" tests/host/stages.py lacks "$tmp/first.json" queued driver entry receive socket read freed dropped ||
	skip_all "needs tracepoints of Linux 6.3"
check "told told $tmp/first.json"

# ---- UDP, with a sampled recording of the same packets in parallel

# shellcheck disable=SC2046 # words
record udp --host-details -- "$RECORD" -q -F 0 --exact=off --budget=none --stages=1/64 -i 250 -o "$tmp/sample.nct" -- \
	$(exchange "$client" "$server" udp "$server_ip" udp)
check "udp-finished finished $tmp/udp.nct $N $PORT"
check "share share $tmp/sample.nct"
check "sample-order order $tmp/sample.nct"
check "nobodys nobodys $tmp/sample.nct"

# ---- TCP

# shellcheck disable=SC2046
record tcp --host-details -- $(exchange "$client" "$server" tcp "$server_ip" tcp)
check "tcp-finished segments $tmp/tcp.nct $tmp/tcp.stamps $PORT"

# ---- forwarded to another host by a router

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
if routes 2>"$tmp/why"; then
	# shellcheck disable=SC2046
	record forwarded --host-details -- $(exchange "$client" "$far" udp 10.79.2.1 forwarded)
	check "forwarded-finished finished $tmp/forwarded.nct $N $PORT"
	check "forwarded forwarded $tmp/forwarded.nct $N $PORT"
else
	skip stages-forwarded "needs full privileges"
fi

# ---- drops; by interface, network namespace and flow, with addresses if requested

refused="ip netns exec $client $PYTHON tests/host/stages.py refused $server_ip $PORT 50"
record dropped --host-details -- sh -c "$refused; sleep 0.5"
check "dropped dropped $tmp/dropped.json NO_SOCKET 50"
for by in interface netns flow; do
	"$REPORT" path --by=$by --format=json "$tmp/dropped.nct" >"$tmp/$by.json"
	check "by-$by by $tmp/dropped.json $tmp/$by.json"
done
check "whose whose $tmp/flow.json 17 $client_ip $server_ip $PORT 50"
"$REPORT" scrub -q "$tmp/dropped.nct" -o "$tmp/scrubbed.nct"
"$REPORT" path --by=flow --format=json "$tmp/scrubbed.nct" >"$tmp/scrubbed.json"
check "scrubbed-by-flow by $tmp/dropped.json $tmp/scrubbed.json"
"$REPORT" dump "$tmp/scrubbed.nct" | grep '"stages"' >"$tmp/out"
expect stages-scrubbed-whose sh -c '! grep -e "$1" -e "$2" -e ":$3\\b" "$4"' sh "$client_ip" "$server_ip" "$PORT" "$tmp/out"

# ---- a trace that is made from another trace

expect stages-verifies "$REPORT" verify -q "$tmp/udp.nct" "$tmp/tcp.nct" "$tmp/sample.nct" "$tmp/dropped.nct"
"$REPORT" scrub -q "$tmp/sample.nct" -o "$tmp/scrubbed.nct"
expect stages-scrubbed-verifies "$REPORT" verify -q "$tmp/scrubbed.nct"
check "scrubbed-same same $tmp/sample.nct $tmp/scrubbed.nct"
"$REPORT" cut -q --from=0.1 "$tmp/udp.nct" -o "$tmp/cut.nct"
expect stages-cut-verifies "$REPORT" verify -q "$tmp/cut.nct"
"$REPORT" path --format=json "$tmp/cut.nct" >"$tmp/cut.json"
check "cut-sums sums $tmp/cut.json"
"$REPORT" merge -q "a=$tmp/udp.nct" "b=$tmp/dropped.nct" -o "$tmp/merged.nct"
expect stages-merged-verifies "$REPORT" verify -q "$tmp/merged.nct"
head -c $(($(stat -c %s "$tmp/udp.nct") - 60)) "$tmp/udp.nct" >"$tmp/short.nct"
"$REPORT" recover -q "$tmp/short.nct" -o "$tmp/recovered.nct" 2>/dev/null || :
check "recovered-order order $tmp/recovered.nct"
"$PYTHON" tests/host/stages.py judge <"$tmp/lines" || lib_failed=1
