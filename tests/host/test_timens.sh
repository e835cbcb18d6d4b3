#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks time namespaces, in which the recorder's clocks may differ from the kernel's. The recorder reports this, and
# records nothing wrong.
. tests/lib.sh
need_recorder
unshare --time --fork true 2>/dev/null || skip_all "needs time namespaces"

# recorded COMMAND...: runs the recorder by COMMAND. Sets $status, and leaves messages in $tmp/stderr
recorded() {
	rm -f "$tmp/t.nct"
	status=0
	"$@" "$RECORD" -q -F 0 -o "$tmp/t.nct" -- true 2>"$tmp/stderr" || status=$?
	cat "$tmp/stderr"
}

for clock in monotonic boottime; do
	recorded unshare --time --"$clock" 86400 --fork
	expect "refuses-another-$clock" [ "$status-$(grep -c "time namespace.* differ from the host's by 86400 s.*nsenter" "$tmp/stderr")" = 1-1 ]
	expect "writes-nothing-with-another-$clock" [ ! -e "$tmp/t.nct" ]
done
recorded unshare --time --monotonic -3 --fork
expect refuses-an-earlier-clock [ "$status-$(grep -c "host's by -3 s" "$tmp/stderr")" = 1-1 ]

recorded unshare --time --fork
expect records-by-the-same-clock [ "$status" = 0 ]
expect sums-are-wall-time [ "$("$PYTHON" tests/nct.py "$tmp/t.nct" 'x.sums_ns() == x.wall_ns()')" = True ]
# Follows the advice of the message, with the namespace in which the test started.
recorded unshare --time --monotonic 86400 --fork nsenter --time=/proc/$$/ns/time
expect records-in-the-hosts [ "$status" = 0 ]
expect sums-are-wall-time-there [ "$("$PYTHON" tests/nct.py "$tmp/t.nct" 'x.sums_ns() == x.wall_ns()')" = True ]
