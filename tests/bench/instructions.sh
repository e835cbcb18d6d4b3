#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What recording adds to the ping-pong's instructions where the kernel allows fentry: in the machine of guest.sh. Durations
# in the machine's time: BENCH_VM_SECONDS=0.3; BENCH_VM_WINDOWS_SECONDS=10 for exact times in windows only, of which there
# is one in 2 to 9 s.
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/bench/guest.sh

echo "## Instructions of the ping-pong, with fentry"
echo
guest 6.12 bench_part=instructions "bench_seconds=${BENCH_VM_SECONDS:-0.3}" \
	"bench_windows_seconds=${BENCH_VM_WINDOWS_SECONDS:-10}" || exit 0
"$PYTHON" tests/bench/instructions.py "$tmp/console"
sed -n 's/.*bench-programs: //p' "$tmp/console" >"$tmp/progs.json"
if [ -s "$tmp/progs.json" ]; then
	printf '\nA run of each BPF program with --exact=entry. A send of this kernel does not go through sock_sendmsg, so '
	printf 'that it is not seen by what Netto attaches.\n\n'
	"$PYTHON" tests/bench/programs.py "$tmp/progs.json" instructions
fi
