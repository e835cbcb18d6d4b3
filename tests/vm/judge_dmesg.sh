#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_dmesg.sh OUT VERSION: the kernel has nothing to complain of.
. tests/lib.sh

if grep -E 'WARNING:|BUG:|Oops|rcu: INFO:' "$1/dmesg"; then
	fail "$2:dmesg" "the kernel complains"
else
	pass "$2:dmesg"
fi
