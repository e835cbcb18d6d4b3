# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# What the guest's tests share: result lines as in tests/lib.sh, without a trap's work: the machine ends soon.

pass() {
	echo "ok $1"
}

fail() {
	echo "not ok $1: $2"
}

# expect NAME COMMAND...: passes if the command succeeds
expect() {
	name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name" "failed ($?): $*"; fi
}
