#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs the recorder with sanitizers and every option: it must end without an error, and leak no memory.
. tests/lib.sh
need_recorder
recorder=build/san/netcost-record
[ -x "$recorder" ] || make -s SAN=1 record >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail sanitized-build "make failed"; exit 1; }
netns_pair client server

# sanitized NAME OPTION...: runs the recorder with sanitizers in a namespace of its own
sanitized() {
	sanitized_name=$1
	shift
	rm -f "$tmp"/*.nct*
	if ip netns exec "$server" "$recorder" -o "$tmp/t.nct" -i 100 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null && ! grep -q 'runtime error\|Sanitizer' "$tmp/err"; then
		pass "sanitized-$sanitized_name"
	else
		cat "$tmp/err"
		fail "sanitized-$sanitized_name" "expected status 0 and no report, got: $(grep -m 1 'Sanitizer\|runtime error\|netcost-record' "$tmp/err")"
	fi
}

sanitized check --check --processes --owners --latency --tail --stages
sanitized default -d 1
sanitized all --exact=full --budget=none --processes --owners --latency-by=process --tail --stages=1/1 --certify --host-details -d 1
sanitized calls --exact=calls --budget=none --processes -F 0 -- true
sanitized budget --budget=0.5 -d 2
sanitized net-only --net-only -d 1
sanitized rotate --rotate=1s --keep=1 -d 2
