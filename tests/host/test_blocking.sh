#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that the time for which an operation waits does not count as the operation's time. An operation that its task
# does not outlive, or that began before the recording, must not change any other count. The rows of the processes are
# judged.
. tests/lib.sh
need_recorder
need_command zstd

# list KIND...: writes lines for `processes.py each`. A process and its children have the name of the link
list() {
	n=0
	for kind; do
		n=$((n + 1))
		ln -sf "$PWD/$BUILD/tests/waits" "$tmp/w$n-$$"
		echo "$kind:w$n-$$ $tmp/w$n-$$ $kind 1"
	done
}

# judged NAME EXPRESSION: evaluates the expression for t.nct
judged() {
	"$PYTHON" tests/host/processes.py waited "$tmp/t.nct" "$tmp/ran" || lib_failed=1
	got=$("$PYTHON" tests/nct.py "$tmp/t.nct" "$2")
	if [ "$got" = True ]; then pass "$1"; else fail "$1" "expected True, got $got: $2"; fi
}

list send-full poll recv-waiters recv-killed send-full-exit send-exit >"$tmp/list"
"$RECORD" -q -F 0 --budget=none --processes --exact=entry -i 100 -o "$tmp/t.nct" -- \
	sh -c "'$PYTHON' tests/host/processes.py each 6 '$tmp/list' >'$tmp/ran'"
judged blocking-identity 'x.check_identity()'

# A receive that began before the recording and ends during it: the recorder does not know this call.
list recv-hot >"$tmp/list"
spawn env GO="$tmp/go" "$PYTHON" tests/host/processes.py each 1 "$tmp/list" >"$tmp/ran" 2>"$tmp/err"
wait_for 60 grep -q waiting "$tmp/err"
"$RECORD" -q -F 0 --budget=none --processes --exact=entry -i 100 -o "$tmp/t.nct" -- \
	sh -c ". tools/netns.sh; touch '$tmp/go'; wait_for 60 test -s '$tmp/ran'"
wait "$spawned"
judged recv-hot-identity 'x.check_identity()'
expect recv-hot-is-said [ "$("$PYTHON" tests/nct.py "$tmp/t.nct" 'sum(x.loss[3]) >= 1')" = True ]
