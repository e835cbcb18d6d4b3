#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# What recording adds to the ping-pong's instructions where the kernel allows fentry: in a virtual machine, whose clock
# is QEMU's count of instructions (-icount shift=0: one is a nanosecond). Needs neither root nor KVM, and what else the
# host does makes no difference. In the machine's time: BENCH_VM_SECONDS=0.3: for how long; BENCH_VM_WINDOWS_SECONDS=10:
# likewise, where exact times are on in windows alone, of which there is one in 2 to 9 s.
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/vm/machine.sh

VERSION=6.12
LIMIT_S=1800

echo "## Instructions of the ping-pong, with fentry"
echo
[ "$(uname -m)" = x86_64 ] || { echo "needs an x86_64 host"; exit 0; }
for command in qemu-system-x86_64 busybox cpio xz apt-get dpkg; do
	command -v $command >/dev/null || { echo "not installed: $command"; exit 0; }
done
mkdir -p $CACHE
kernel=$(kernel_folder $VERSION 2>"$tmp/why") || { echo "no kernel $VERSION: $(tail -n 1 "$tmp/why")"; exit 0; }

mkdir -p "$tmp/root/bin" "$tmp/root/dev" "$tmp/root/proc" "$tmp/root/sys" "$tmp/root/tmp"
for program in busybox bpftool "$BUILD/netcost-record" "$BUILD/netcost-report" "$BUILD/tests/load" "$BUILD/tests/beside"; do
	add_program "$tmp" "$program"
done
cp tests/bench/guest_init "$tmp/root/init"
chmod 755 "$tmp/root/init"
pack "$tmp"

spawn nice timeout --foreground -k 5 $LIMIT_S qemu-system-x86_64 -accel tcg,thread=single -icount shift=0,sleep=off \
	-cpu max -m 1024 -smp 1 -nographic -no-reboot -nic none -kernel "$kernel"/boot/vmlinuz-* -initrd "$tmp/initramfs" \
	-append "console=ttyS0 loglevel=1 panic=-1 oops=panic no_timer_check bench_seconds=${BENCH_VM_SECONDS:-0.3} \
bench_windows_seconds=${BENCH_VM_WINDOWS_SECONDS:-10}" \
	</dev/null >"$tmp/raw" 2>&1
wait "$spawned" || :
tr -d '\r\033' <"$tmp/raw" | tee "$CACHE/bench.log" >"$tmp/console"
"$PYTHON" tests/bench/instructions.py "$tmp/console"
sed -n 's/.*bench-programs: //p' "$tmp/console" >"$tmp/progs.json"
if [ -s "$tmp/progs.json" ]; then
	printf '\nA run of each BPF program with --exact=entry. A send of this kernel does not go through sock_sendmsg, so '
	printf 'that it is not seen by what Netto attaches.\n\n'
	"$PYTHON" tests/bench/programs.py "$tmp/progs.json" instructions
fi
