#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A sample of packet paths (--stages=1/64) has the distribution of all of them: the recorders of a round each have a key of their
# own, and so other packets.
# shellcheck disable=SC2154 # netns_pair sets these
. tests/lib.sh
. tests/soak/lib/quiet.sh
need_recorder
need_command zstd ip

netns_pair client server
here=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last available CPU
PACKETS=${NETCOST_STAGES_PACKETS:-10000}
ROUNDS=${NETCOST_STAGES_ROUNDS:-5} AT_ONCE=20

stages() {
	"$PYTHON" tests/host/stages.py "$@"
}

# A sampled packet takes some microseconds longer. Its wait for the reader, which reads once a
# millisecond, is much longer.
sample_round() {
	set --
	for i in $(seq $AT_ONCE); do
		set -- "$@" "$RECORD" -q -F 0 --exact=off --budget=none --stages=1/64 -i 250 -o "$tmp/sample-$i.nct" --
	done
	rm -f "$tmp/ready"
	spawn ip netns exec "$server" "$PYTHON" tests/host/latency.py drain udp 6001 1 >"$tmp/ready"
	wait_for 10 test -s "$tmp/ready"
	"$RECORD" -q -F 0 --exact=off --budget=none --stages=1/1 -i 250 -o "$tmp/all.nct" -- "$@" ip netns exec "$client" taskset -c "$here" \
		"$PYTHON" tests/host/latency.py send udp "$server_ip" 6001 "$PACKETS" 100 >/dev/null
	kill "$spawned" 2>/dev/null || :
	wait "$spawned" || :
	stages chances "$tmp/all.nct" $(seq -f "$tmp/sample-%g.nct" $AT_ONCE) >>"$tmp/chances"
}

sample_rounds() {
	: >"$tmp/chances"
	for _ in $(seq "$ROUNDS"); do
		sample_round
	done
}

sample_rounds
amount stages-resampled sample_rounds stages resampled "$tmp/chances" $((ROUNDS * AT_ONCE))
