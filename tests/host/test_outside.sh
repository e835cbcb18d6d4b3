#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks messages outside of every probe: the trace has the processes that sent them, and the number of messages with an
# unknown process.
. tests/lib.sh
need_recorder

# of EXPRESSION: evaluates it. mine: rows of the programs that this test ran. rows, sends and known: figures of the
# whole trace.
of() {
	"$REPORT" dump "$tmp/t.nct" | "$PYTHON" -c '
import json, sys
records = [json.loads(line) for line in sys.stdin]
outside = [r for r in records if r["type"] == "outside"]
rows = [dict(zip(("process", "name", "family", "sends", "recvs"), row)) for r in outside
        for row in zip(r["process"], r["name"], r["family"], r["sends"], r["recvs"])]
loss = [r for r in records if r["type"] == "exact_loss"]
sends = sum(v for v in loss[-1]["sends_outside"] if v is not None)
known = sum(r["sends"] for r in rows)
pids = set(map(int, open(sys.argv[2]).read().split()))
mine = [r for r in rows if r["process"] in pids]
print(eval(sys.argv[1]))' "$1" "$tmp/pids"
}

record() {
	: >"$tmp/pids"
	"$RECORD" -q --exact=entry -o "$tmp/t.nct" "$@" >/dev/null
}

# Starts a program and keeps its id.
cat >"$tmp/sockcalls" <<END
echo \$\$ >>"$tmp/pids"
exec "$BUILD/tests/sockcalls" "\$@"
END

"$BUILD/tests/sockcalls" uring-send 1 inet >/dev/null || skip_all "needs io_uring"
record -F 0 -- sh "$tmp/sockcalls" uring-send 500 inet
[ "$(of 'sends >= 500')" = True ] || skip_all "needs tracepoints of Linux 6.3"

expect outside-sends [ "$(of '[(r["sends"], r["recvs"], r["family"]) for r in mine]')" = "[(500, 0, 2)]" ]
expect outside-no-more-than-there-were [ "$(of 'known <= sends')" = True ]
expect outside-in-the-summary sh -c "'$REPORT' summary --full '$tmp/t.nct' | grep -qE '^ +500 sends of sockcalls \([0-9]+\), AF_INET$'"
expect outside-verifies "$REPORT" verify "$tmp/t.nct"
record -- sh "$tmp/sockcalls" uring-recv 300 inet6
expect outside-receives [ "$(of '[(r["sends"], r["recvs"], r["family"]) for r in mine]')" = "[(0, 300, 10)]" ]

# There are more pairs than rows: the rest is unattributed.
cat >"$tmp/many.sh" <<SH
i=0
while [ \$i -lt 80 ]; do
	sh "$tmp/sockcalls" uring-send 2 inet || exit 1
	i=\$((i + 1))
done
SH
record -F 0 -- sh "$tmp/many.sh"
of 'len(rows), known, sends'
expect outside-has-bounds [ "$(of '50 <= len(rows) <= 64 and known < sends and sends >= 160 and mine and all(r["sends"] == 2 for r in mine)')" = True ]
expect outside-of-others sh -c "'$REPORT' summary --full '$tmp/t.nct' | grep -qE '^ +[0-9]+ sends.* of others$'"

# If only some CPUs have these counters, nothing is reported.
if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
	record -F 0 -C 0 -- "$BUILD/tests/sockcalls" uring-send 10 inet
	expect outside-not-of-some-cpus [ "$(of 'len(outside)')" = 0 ]
fi
