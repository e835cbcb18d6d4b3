#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# Checks samples: losses are counted exactly, and --net-only.
. tests/lib.sh
need_recorder
need_command zstd
. tests/soak/lib/quiet.sh

tool="$PYTHON tests/host/samplers.py"

for cpu in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
	spawn taskset -c "$cpu" "$BUILD/tests/sockcalls" send 1000000000
done
sleep 0.3

# ---- only CPUs that are inside the network: the number of samples matches the exact times, and no sample is in user
# mode

if "$RECORD" --check --net-only -q; then
	net_only() {
		"$RECORD" -q --net-only -d 5 -o "$tmp/net.nct"
	}
	expect samplers-net-only-records net_only
	expect samplers-net-only-verify "$REPORT" verify -q "$tmp/net.nct"
	# shellcheck disable=SC2086 # words
	amount samplers-net-only net_only $tool inside "$tmp/net.nct" "$REPORT"
else
	skip samplers-net-only "no exact times here"
fi

# ---- 10 kHz, and a recorder that does not read for a while

cat >"$tmp/held" <<END
"$RECORD" -q --exact=off -F 10000 -d 3 -o "$tmp/held.nct" &
p=\$!
sleep 1
kill -STOP \$p
sleep 1
kill -CONT \$p
wait \$p
END
expect samplers-10khz-records sh "$tmp/held"
# shellcheck disable=SC2086 # words
expect samplers-10khz $tool counted "$tmp/held.nct" 1000
