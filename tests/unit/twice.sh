#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/vm/twice.awk: of a machine that was booted twice, what failed both times is a failure.
. tests/lib.sh

printf '%s\n' "ok m:good" "not ok m:once: failed (1): x" "not ok m:always: y" "not ok m:gone: z" "skip m:later: busy: s" >"$tmp/first"

# twice NAME SECOND WANTED: of first and these results comes that
twice() {
	printf '%s\n' "$2" >"$tmp/second"
	expect "twice-$1" [ "$(awk -f tests/vm/twice.awk "$tmp/first" "$tmp/second")" = "$3" ]
}

gone="not ok m:gone: z"
all="ok m:once
ok m:always
ok m:gone"
twice mended "$all" "$all"
twice not-run-again "ok m:once
ok m:always" "ok m:once
ok m:always
$gone"
twice both-times "ok m:once
not ok m:always: yy
ok m:gone" "ok m:once
not ok m:always: yy
ok m:gone"
twice only-now "$all
not ok m:later: w" "$all
    once: not ok m:later: w"
twice skipped "skip m:once: busy
ok m:always
ok m:gone" "skip m:once: busy
ok m:always
ok m:gone"
