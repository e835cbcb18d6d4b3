# shellcheck shell=sh disable=SC2154 # $out and $version are the judge's
# SPDX-License-Identifier: BSD-2-Clause
# For tests/vm/judge_owners*.sh, after tests/lib.sh. Of amounts nothing is excused: these machines keep time however busy the
# host is.

owners() {
	"$PYTHON" tests/host/owners.py "$@"
}

# packets SERIES A B PACKETS: each of its recordings has these receivers
packets() {
	for trace in "$out/owners-$1"*.nct; do
		name=$version:$(basename "$trace" .nct)
		expect "$name-sums" owners sums "$trace"
		expect "$name-packets-a" owners packets "$trace" "$2" "$4"
		expect "$name-packets-b" owners packets "$trace" "$3" "$4"
	done
}

# spun SERIES [COMMAND]: its recordings have the same receivers, and a program spins in some
spun() {
	read -r a b n <"$out/owners-$1.pids"
	packets "$1-" "$a" "$b" "$n"
	expect "$version:owners-$1-spun" owners "${2:-spun}" "$out/owners-$1" "$a" "$b"
}
