#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What an empty program of each type of probe costs, and what observing adds to a request and its response over veth, where the
# kernel allows all of them: in the machine of guest.sh, by instructions. BENCH_VM_SECONDS=0.3 of its time for each.
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/bench/guest.sh

for version in ${BENCH_VM_KERNELS:-6.1 6.12}; do
	printf '### Linux %s: instructions\n\n' "$version"
	guest "$version" bench_part=probes "bench_seconds=${BENCH_VM_SECONDS:-0.3}" || continue
	"$PYTHON" tests/bench/probes.py --console "$tmp/console"
done
