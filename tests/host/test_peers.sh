#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks messages by peer (--peers): exact rows of known servers, the row of the others, addresses.
. tests/lib.sh
need_recorder
export REPORT
port=$((20000 + $$ % 9000)) py="$PYTHON tests/host/peers.py"

"$RECORD" -q -F 0 --exact=off --peers=4096 -o "$tmp/t.nct" -- $py load $port "$tmp/rows"
"$REPORT" dump "$tmp/t.nct" | grep -q '"name":"peers","state":"measured"' || skip_all "needs tracepoints of Linux 6.3"
expect peers-exact $py judge "$tmp/rows" "$tmp/t.nct"
expect peers-by-port sh -c "'$REPORT' who --by=port '$tmp/t.nct' | grep -qE '^ +tcp +$((port + 1)) +remote +300 +0 '"
expect peers-no-address sh -c "! '$REPORT' dump '$tmp/t.nct' | grep -E '127[.]0|::1'"
expect peers-verify "$REPORT" verify "$tmp/t.nct"

"$RECORD" -q -F 0 --peers=4096 --host-details -o "$tmp/outer.nct" -- \
	"$RECORD" -q -F 0 --exact=off --peers=2 --host-details -o "$tmp/few.nct" -- $py load $port "$tmp/rows"
expect peers-others $py judge "$tmp/rows" "$tmp/few.nct" "$tmp/outer.nct"
expect peers-address sh -c "'$REPORT' who --by=peer -n 99 '$tmp/outer.nct' | grep -E 'loopback +127[.]0[.]0[.]1 +udp +$((port + 2)) '"
expect peers-service sh -c "'$REPORT' who --by=service -n 99 '$tmp/outer.nct' | grep -E '^ +$port/tcp +local '"
"$REPORT" scrub -q "$tmp/outer.nct" -o "$tmp/scrubbed.nct"
expect peers-scrubbed sh -c "! '$REPORT' dump '$tmp/scrubbed.nct' | grep -E '127[.]0|::1|[^0-9]$port[^0-9]'"
