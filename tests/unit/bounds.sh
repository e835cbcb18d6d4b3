#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A table that outgrows what is sized by it does not compile.
. tests/lib.sh

mkdir -p "$tmp/bpf" "$tmp/src/report"

# too_many NAME HEADER BOUND ASSERTION SOURCE: with a smaller bound, that source fails, by that assertion
too_many() {
	sed -E "s/(#define $3) .*/\1 8/" "$2" >"$tmp/$2"
	cp "$5" "$tmp/$5"
	status=0
	${CC:-cc} -std=c11 -D_GNU_SOURCE -fsyntax-only -I"$tmp" -Iinclude -I. "$tmp/$5" >"$tmp/out" 2>&1 || status=$?
	cat "$tmp/out"
	expect "$1" [ "$status-$(grep -c "static assertion failed: \"$4" "$tmp/out")" = 1-1 ]
}

too_many bound-of-schema-rows src/report/schema.h SCHEMA_MAX_KEYS SCHEMA_MAX_KEYS src/report/schema.c
mkdir -p "$tmp/src/record"
cp src/record/hooks.h "$tmp/src/record"
too_many bound-of-hooks bpf/wire.h NETCOST_HOOK_SLOTS 'a bit of .inside. for each' src/record/exact/hooks.c
