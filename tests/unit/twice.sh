#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/vm/twice.awk, failed.awk: a machine is booted twice, the second time for the tests that failed; what failed both times is a
# failure.
. tests/lib.sh

printf '%s\n' "ok m:good" "not ok m:once: failed (1): x" "not ok m:always: y" "not ok m:gone: z" "skip m:later: busy: s" >"$tmp/first"

# twice NAME SECOND WANTED: of first and these results comes that, and what was good and is not run again
twice() {
	printf '%s\n' "$2" >"$tmp/second"
	expect "twice-$1" [ "$(awk -f tests/vm/twice.awk "$tmp/first" "$tmp/second")" = "$3" ]
}

good="ok m:good"
later="skip m:later: busy: s"
all="ok m:once
ok m:always
ok m:gone"
twice mended "$all" "$all
$good
$later"
twice all-again "$all
$good
$later" "$all
$good
$later"
twice not-run-again "ok m:once
ok m:always" "ok m:once
ok m:always
$good
not ok m:gone: z
$later"
twice both-times "ok m:once
not ok m:always: yy
ok m:gone" "ok m:once
not ok m:always: yy
ok m:gone
$good
$later"
twice only-now "$all
not ok m:later: w" "$all
    once: not ok m:later: w
$good"
twice skipped "skip m:once: busy
ok m:always
ok m:gone" "skip m:once: busy
ok m:always
ok m:gone
$good
$later"

# failed NAME RESULTS WANTED: these tests failed
failed() {
	expect "failed-$1" [ "$(printf '%s\n' "$2" | awk -f tests/vm/failed.awk | sort | tr '\n' ' ')" = "$3" ]
}

failed none "test a
ok m:x
test" ""
failed some "test a
not ok m:x: y
ok m:z
test b
ok m:w
test
test c
skip m:v: u
test a
not ok m:t: s
test d
not ok m:r: q" "a d "
failed before-tests "not ok m:module: x
test a
not ok m:y: z" ""
failed after-a-test "test a
not ok m:y: z
test
not ok m:b: c" ""
failed kernel "test a
not ok m:x: y
test dmesg
not ok m:dmesg: z" ""
