#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A table that outgrows what is sized by it does not compile.
. tests/lib.sh

# too_many NAME HEADER BOUND ASSERTION SOURCE: with a smaller bound in HEADER, SOURCE must fail to compile with that
# assertion
too_many() {
	mkdir -p "$tmp/$(dirname "$2")" "$tmp/$(dirname "$5")"
	cp "$(dirname "$2")"/*.h "$tmp/$(dirname "$2")"
	cp "$(dirname "$5")"/*.h "$tmp/$(dirname "$5")"
	cp "$5" "$tmp/$5"
	sed -E "s/(#define $3) .*/\1 8/" "$2" >"$tmp/$2"
	status=0
	${CC:-cc} -std=c11 -D_GNU_SOURCE -fsyntax-only -I"$tmp" -I"$tmp/src" -I"$tmp/include" -Iinclude -Isrc -I. "$tmp/$5" >"$tmp/out" 2>&1 ||
		status=$?
	cat "$tmp/out"
	expect "$1" [ "$status-$(grep -c "static assertion failed: \"$4" "$tmp/out")" = 1-1 ]
}

too_many bound-of-keys include/netcost/trace.h TRACE_KEYS_MAX TRACE_KEYS_MAX format/registry.c
too_many bound-of-hooks bpf/wire.h NETCOST_HOOK_SLOTS '.inside. has a bit for each' src/record/exact/hooks.c
