#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# agree.py where the kernel allows fentry: in the machine of guest.sh, under the kernels of BENCH_VM_KERNELS ("6.1 6.12").
# In its time: BENCH_VM_AGREE_SECONDS=4 for each of BENCH_VM_ROUNDS=5 recordings each way.
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/bench/guest.sh

# Only shares of time are compared, so a quarter of the instructions gives enough samples.
GUEST_SHIFT=2
order=$("$PYTHON" tests/bench/agree.py --order "${BENCH_VM_ROUNDS:-5}")
for version in ${BENCH_VM_KERNELS:-6.1 6.12}; do
	printf '### Linux %s, with fentry, where an instruction takes 4 ns\n\n' "$version"
	guest "$version" bench_part=agree "bench_seconds=${BENCH_VM_AGREE_SECONDS:-4}" "bench_order=$order" || continue
	"$PYTHON" tests/bench/agree.py --console "$tmp/console"
done
