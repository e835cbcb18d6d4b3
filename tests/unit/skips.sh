#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/skips.sh: what may not be skipped is a failure.
. tests/lib.sh

cat >"$tmp/list" <<'END'
# NAME | REASON | WHERE

one | no network: * | offline
san:* | too busy | anywhere
END

# told NAME RESULT LINE: of that result this is said
told() {
	expect "skips-$1" [ "$(echo "$2" | sh tests/skips.sh "$tmp/list")" = "$3" ]
}

# refused NAME TEST REASON
refused() {
	told "$1" "skip $2: $3" "not ok skips: $2 was skipped, which $tmp/list does not allow: $3"
}

told results-that-are-none "ok one" ""
told allowed "skip one: no network: timeout: again" ""
told allowed-by-pattern "skip san:x.y: too busy" ""
refused other-reason one "too busy"
refused other-name two "no network: timeout"
refused longer-name another-one "no network: timeout"
refused longer-reason san:x "too busy today"
told no-reason "skip one" "not ok skips: one was skipped, which $tmp/list does not allow: no reason given"

# Three fields, in each line of the list that there is.
expect skips-list-is-whole sh -c "! grep -vE '^(#.*)?\$|^[^|]*[^| ] \\| [^|]+ \\| [^|]+\$' tests/skips"
