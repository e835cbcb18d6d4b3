# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# For tests/vm/judge_*.sh, after tests/lib.sh.

# amount NAME COMMAND...: as guest/lib.sh has it
amount() {
	name=$1
	shift
	if "$@"; then pass "$name"; else echo "amount $name: failed: $*"; fi
}
