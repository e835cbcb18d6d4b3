#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2086 # words
# Checks messages by peer (--peers): exact rows of known servers, the row of the others, addresses.
. tests/lib.sh
need_recorder
port=$((28000 + $$ % 1000)) py="$PYTHON tests/host/peers.py" record="$RECORD -q -F 0 --budget=none"
$record --exact=off --peers=4096 --host-details -o "$tmp/all.nct" -- $record --exact=off --peers=2 -o "$tmp/few.nct" -- $py load $port >"$tmp/lines"
"$REPORT" dump "$tmp/few.nct" | grep -q '"name":"peers","state":"measured"' || skip_all "needs tracepoints of Linux 6.3"
"$REPORT" scrub -q "$tmp/all.nct" -o "$tmp/scrubbed.nct"
for trace in all few scrubbed; do
	"$REPORT" counts peers --by=protocol,port,side -n 9999 --format=json "$tmp/$trace.nct" >"$tmp/$trace.json"
	[ $trace = all ] || expect peers-no-address-$trace sh -c "! '$REPORT' dump '$tmp/$trace.nct' | grep -E '127[.]0|\"::1\"'"
done
expect peers-exact $py judge "$tmp/lines" "$tmp/all.json"
expect peers-others $py judge "$tmp/lines" "$tmp/few.json" "$tmp/all.json"
expect peers-no-port sh -c "! grep $port '$tmp/scrubbed.json'"
expect peers-by sh -c "for by in peer port service; do '$REPORT' who -n 9999 --by=\$by '$tmp/all.nct'; done | grep -cE \
	'^ +(loopback +127[.]0[.]0[.]1 +udp +$((port + 2)) +remote|tcp +$((port + 1)) +remote +300|$port/tcp +local +0 +101) ' | grep -x 3"
