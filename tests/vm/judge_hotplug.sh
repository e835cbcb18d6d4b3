#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_hotplug.sh OUT VERSION: a CPU that goes and comes does not spoil the counters (guest/test_hotplug.sh).
. tests/lib.sh

trace=$1/hotplug.nct version=$2
expect "$version:hotplug-identity" [ "$("$PYTHON" tests/nct.py "$trace" 'x.check_identity()')" = True ]

# known NAME WHY EXPRESSION: ok if it holds
known() {
	if [ "$("$PYTHON" tests/nct.py "$trace" "$3")" = True ]; then
		pass "$version:$1"
	else
		skip "$version:$1" "known: $2"
	fi
}

# It was away for 1.2 s.
known hotplug-away-is-not-busy "a CPU that is away seems to be busy with what it did last" \
	'sum(x.ns(e)[1] for e in EVENTS if e != "idle") < x.wall_ns()[0] - 1100000000'
