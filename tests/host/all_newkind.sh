#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks how much work a new kind of records is. tests/newkind.patch adds statistics of queueing disciplines, by hand,
# in at most six files of the product. The registry describes the records, so all other features must then work with
# them: text, JSON, CSV, the page, the schema, diff, NDJSON with its DDL, OpenMetrics, --by, --every, verify, cut,
# merge, scrub, SPEC.
. tests/lib.sh
need_recorder
need_command zstd ip tc git patch
PACKETS=$PWD/$BUILD/tests/packets

FILES=6
by_hand=$(sed -n 's,^+++ b/,,p' tests/newkind.patch | grep -Ec '^(bpf|format/.*\.[ch]|include|src)')
expect newkind-files test "$by_hand" -le "$FILES"

# ---- a source tree with a new kind of records

tree=$tmp/tree
mkdir "$tree"
git ls-files -z | grep -zv '^tests/\(report\|vectors\|unit\|vm\|fuzz\)' | xargs -0 cp --parents -t "$tree" 2>/dev/null || :
patch -s -p1 -d "$tree" <tests/newkind.patch || { fail newkind-applies "the patch does not fit"; exit 1; }
"$PYTHON" "$tree/format/spec_tables.py" && make -s -j2 -C "$tree" WERROR=1 all >"$tmp/built" 2>&1 || {
	cat "$tmp/built"
	fail newkind-builds "it does not build"
	exit 1
}
pass newkind-builds
expect newkind-spec grep -q QDISC_STATS "$tree/format/SPEC.md"
expect newkind-other-reader grep -q '"qdisc_stats"' "$tree/format/reader.py"
report=$tree/build/netcost-report

# ---- a recording: its figures equal those that the kernel itself counted

netns_pair client server
ip netns exec "$client" tc qdisc add dev eth0 root handle 1: pfifo limit 1000

# count FIELD: prints this field of the interface's qdisc; 4: packets
count() {
	tc -n "$client" -s qdisc show dev eth0 | awk -v f="$1" '$1 == "Sent" { print $f }'
}

record() {
	ip netns exec "$client" "$tree/build/netcost-record" -q -F 0 -i 250 -o "$1" -- \
		sh -c "sleep 0.6; '$PACKETS' send udp $server_ip $2 500 6001; sleep 0.6"
}
before=$(count 4)
record "$tmp/a.nct" 1000
after=$(count 4)
record "$tmp/b.nct" 3000

"$report" counts qdisc_stats --by=interface,kind --format=csv "$tmp/a.nct" >"$tmp/csv"
packets=$(sed -n 's/^eth0,pfifo,0,\([0-9]*\),.*/\1/p' "$tmp/csv")
# The kernel's own figures cover slightly more time than the recording.
expect newkind-counts test "$packets" -ge 900 -a "$packets" -le $((after - before))

# ---- every report and export of the recording

# says NAME TEXT COMMAND...: the output of the command contains TEXT
says() {
	says_name=$1 says_text=$2
	shift 2
	if "$@" >"$tmp/said" 2>&1 && grep -q -- "$says_text" "$tmp/said"; then
		pass "newkind-$says_name"
	else
		cat "$tmp/said"
		fail "newkind-$says_name" "no '$says_text'"
	fi
}
says verify ': ok' "$report" verify "$tmp/a.nct"
says text 'eth0 *pfifo' "$report" counts qdisc_stats "$tmp/a.nct"
says by '^pfifo,' "$report" counts qdisc_stats --by=kind --format=csv "$tmp/a.nct"
says every '"begin_s": 0\.' "$report" counts qdisc_stats --every=500ms --format=json "$tmp/a.nct"
says schema '"requeued"' "$report" schema counts
says page 'pfifo' sh -c "'$report' html -o - --no-charts '$tmp/a.nct'"
says diff 'qdisc_stats.*eth0\|eth0.*packets' "$report" diff --all "$tmp/a.nct" "$tmp/b.nct"
says ddl 'netcost.qdisc_stats' "$report" export tables --ddl=duckdb
mkdir "$tmp/tables"
says ndjson '"kind":"pfifo"' sh -c "'$report' export tables -o '$tmp/tables' '$tmp/a.nct' && cat '$tmp/tables/qdisc_stats.ndjson'"
says openmetrics "netcost_qdisc_stats_packets_total{interface=\"eth0\",kind=\"pfifo\"} $packets " \
	"$report" export openmetrics -q "$tmp/a.nct"
expect newkind-valid "$PYTHON" tests/host/newkind.py schema "$report" "$tmp/a.nct"
expect newkind-every-sums "$PYTHON" tests/host/newkind.py every "$report" "$tmp/a.nct"

# A cut starts and ends at ticks: both parts share the third tick.
at=$("$report" counts qdisc_stats --every=250ms --by=kind --rows=1 --format=csv "$tmp/a.nct" | cut -d, -f2 | sort -un | sed -n 3p)
"$report" cut -q --from=0 --to="$(awk "BEGIN { print $at - 0.00001 }")" "$tmp/a.nct" -o "$tmp/1.nct"
"$report" cut -q --from="$(awk "BEGIN { print $at + 0.00001 }")" "$tmp/a.nct" -o "$tmp/2.nct"
expect newkind-cut-sums "$PYTHON" tests/host/newkind.py sums "$report" "$tmp/a.nct" "$tmp/1.nct" "$tmp/2.nct"
"$report" merge -q "a=$tmp/a.nct" "b=$tmp/b.nct" -o "$tmp/both.nct"
expect newkind-merge "$PYTHON" tests/host/newkind.py same "$report" "$tmp/a.nct" "$tmp/both.nct" --part=a
"$report" scrub -q "$tmp/a.nct" -o "$tmp/scrubbed.nct"
expect newkind-scrub "$PYTHON" tests/host/newkind.py scrubbed "$report" "$tmp/a.nct" "$tmp/scrubbed.nct"
