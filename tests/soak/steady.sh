#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Under a load that changes for an hour (or $NETCOST_STEADY seconds), memory and files of the recorder do not grow in the second half.
. tests/lib.sh
need_recorder
seconds=${NETCOST_STEADY:-3600}
spawn "$RECORD" -q -d "$seconds" --exact=full --budget=none --processes --owners --latency-by=process --tail --stages -o "$tmp/t.nct"
recorder=$spawned
wait_for 60 [ -s "$tmp/t.nct" ]
while kill -0 "$recorder" 2>/dev/null; do
	for load in spin network storm faults; do "$PYTHON" tests/host/processes.py load $load 1; done
	for _ in $(seq 10); do unshare -n true; done
	echo "$(awk '/^VmRSS/ { print $2 }' "/proc/$recorder/status") $(find "/proc/$recorder/fd" | wc -l)" >>"$tmp/steady"
done
wait "$recorder"
expect steady awk '{ rss[NR] = $1; files[NR] = $2 } END { for (i = 1; i <= NR; i++) { half = i > NR / 2
	if (rss[i] > most[half]) most[half] = rss[i]; if (files[i] > open[half]) open[half] = files[i] }
	print NR " times; RSS at most " most[0] ", then " most[1] " kB; files at most " open[0] ", then " open[1]
	exit !(NR > 3 && most[1] <= 1.05 * most[0] && open[1] <= open[0] + 2) }' "$tmp/steady"
expect steady-verifies "$REPORT" verify "$tmp/t.nct"
