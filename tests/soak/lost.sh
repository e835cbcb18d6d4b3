#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a recording says that its programs cost is what a load loses to them.
. tests/lib.sh
need_recorder
. tests/soak/lib/quiet.sh

lost() {
	name=$1
	shift
	amount "lost-$name" : "$PYTHON" tests/soak/lost.py "$REPORT" \
		"$RECORD" -q -F 0 -d 4 --budget=none -o "$tmp/$name.nct" "$@"
}
lost entry --exact=entry
lost latency --exact=off --latency
lost tail --exact=off --latency --tail
lost stages --exact=off --stages
lost processes --exact=entry --processes --owners
lost all --exact=entry --processes --owners --latency --tail --stages
