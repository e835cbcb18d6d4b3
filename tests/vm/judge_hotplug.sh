#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_hotplug.sh OUT VERSION: a CPU that goes and comes spoils neither counters nor samples (guest/test_hotplug.sh).
. tests/lib.sh

for name in hotplug hotplug-short; do
	trace=$1/$name.nct
	expect "$2:$name-identity" [ "$("$PYTHON" tests/nct.py "$trace" 'x.check_identity()')" = True ]
	"$PYTHON" tests/vm/hotplug.py "$trace" "$1/$name.away" "$2:$name-" || lib_failed=1
done
