# shellcheck shell=sh disable=SC2154 # $out and $version are the judge's
# SPDX-License-Identifier: BSD-2-Clause
# For tests/vm/judge_owners*.sh, after tests/lib.sh. Of amounts nothing is excused: these machines keep time however busy the
# host is.

owners() {
	"$PYTHON" tests/host/owners.py "$@"
}

# owned NAME COMMAND...: expects that a check of owners.py succeeds
owned() {
	owned_name=$1
	shift
	if owned_said=$(owners "$@" 2>&1); then
		pass "$owned_name"
	else
		fail "$owned_name" "expected ok of owners.py $*, got: $(echo "$owned_said" | tail -n 1)"
	fi
}

# packets SERIES A B PACKETS: checks the packets of these receivers in each recording of the series
packets() {
	for trace in "$out/owners-$1"*.nct; do
		name=$version:$(basename "$trace" .nct)
		owned "$name-sums" sums "$trace"
		owned "$name-packets-a" packets "$trace" "$2" "$4"
		owned "$name-packets-b" packets "$trace" "$3" "$4"
	done
}

# spun SERIES [COMMAND]: checks a series whose recordings have the same receivers, with a program
# that spins in some of them
spun() {
	read -r a b n <"$out/owners-$1.pids"
	packets "$1-" "$a" "$b" "$n"
	owned "$version:owners-$1-spun" "${2:-spun}" "$out/owners-$1" "$a" "$b"
}
