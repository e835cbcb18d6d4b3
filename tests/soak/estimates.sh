#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# By default packets are followed in windows: is the number of packets that `latency` estimates true as often as its interval
# promises? The truth is the number of datagrams that the kernel counted in the namespace of the load: it must lie in the interval
# in 17 of 20 recordings, of loads of different shapes.
# shellcheck disable=SC2154 # netns_pair sets these
. tests/lib.sh
need_recorder
need_command ip taskset memcached

SECONDS_EACH=${SECONDS_EACH:-30} RUNS=${RUNS:-20} AT_LEAST=17
load=$BUILD/tests/load
make -s "$load" >&2
netns_pair client server
ns=$client

within() {
	ip netns exec "$ns" taskset -c 0 "$@"
}

datagrams() {
	ip netns exec "$ns" awk '/^Udp: [0-9]/ { print $2 }' /proc/net/snmp
}

# recorded SHAPE PORT OTHERS: prints the true number, the estimate and its interval. All load is within the recording. OTHERS: yes:
# half of the packets belong to other processes
recorded() {
	rm -f "$tmp/t.nct"
	spawn "$RECORD" -q -d "$SECONDS_EACH" --latency -o "$tmp/t.nct"
	recorder=$spawned
	wait_for 60 [ -s "$tmp/t.nct" ] # the first tick
	before=$(datagrams)
	[ "$3" = no ] || spawn ip netns exec "$ns" taskset -c 0 "$load" memcached 127.0.0.1 17772 $((SECONDS_EACH - 4)) >"$tmp/others"
	within "$load" "$1" 127.0.0.1 "$2" $((SECONDS_EACH - 4)) >"$tmp/load"
	[ "$3" = no ] || wait "$spawned"
	wait "$recorder"
	"$REPORT" latency --format=json "$tmp/t.nct" | "$PYTHON" -c '
import json, sys
h = next(h for h in json.load(sys.stdin)["rows"] if h["hook"] == "udp-socket-read")
print(sys.argv[1], h["in_all"], h["in_all_ci95"])' $(($(datagrams) - before))
}

spawn ip netns exec "$ns" taskset -c 0 "$load" echo 17771
spawn ip netns exec "$ns" memcached -u root -t 1 -l 127.0.0.1 -p 17772
sleep 0.5
for run in $(seq "$RUNS"); do
	port=17771 others=no
	case $((run % 4)) in
	0) shape=ping-pong ;;
	1) shape=uneven ;;
	2) shape=self port=17773 ;;
	3) shape=ping-pong others=yes ;;
	esac
	printf '%s ' "$shape"
	recorded $shape $port $others
done >"$tmp/all"
cat "$tmp/all"

covered() {
	"$PYTHON" - "$tmp/all" $AT_LEAST "$RUNS" <<'EOF'
import sys
rows = [line.split() for line in open(sys.argv[1])]
known = [r for r in rows if r[3] != "None"]
held = sum(abs(float(r[2]) - int(r[1])) <= float(r[3]) for r in known)
print(f"the truth lies in {held} of {len(known)} intervals; {len(rows) - len(known)} had too few windows for one")
sys.exit(not (held >= len(known) * int(sys.argv[2]) / 20 and len(known) * 2 >= int(sys.argv[3])))
EOF
}
expect estimates-cover-the-truth covered
