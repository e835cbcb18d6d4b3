# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# What the guest's tests share: result lines as in tests/lib.sh, without a trap's work: the machine ends soon.

pass() {
	echo "ok $1"
}

fail() {
	echo "not ok $1: $2"
}

# amount NAME COMMAND...: expect, for how much or how often: that a host which keeps the machine waiting may make wrong,
# and tests/vm/run.sh knows whether it did
amount() {
	name=$1
	shift
	if "$@"; then pass "$name"; else echo "amount $name: failed ($?): $*"; fi
}

# expect NAME COMMAND...: passes if the command succeeds
expect() {
	name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name" "failed ($?): $*"; fi
}
