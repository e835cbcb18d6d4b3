# shellcheck shell=sh disable=SC2154 # tests/lib.sh sets $tmp and $spawned
# SPDX-License-Identifier: BSD-2-Clause
# A virtual machine for the bench, whose clock is QEMU's count of instructions (-icount shift=0: one is a nanosecond; with another
# GUEST_SHIFT one is as many as two to that power).
# Needs neither root nor KVM, and what else the host does makes no difference. To be sourced after tests/lib.sh.
. tests/vm/machine.sh

LIMIT_S=7200 # lower priority than other work on the host

# guest VERSION WORD...: boots a machine with the words on its command line (guest_init). Its output
# is in $tmp/console. If a command or package is missing, prints its name and fails.
guest() {
	[ "$(uname -m)" = x86_64 ] || { echo "needs an x86_64 host"; return 1; }
	for command in qemu-system-x86_64 busybox cpio xz apt-get dpkg; do
		command -v $command >/dev/null || { echo "not installed: $command"; return 1; }
	done
	mkdir -p $CACHE
	kernel=$(kernel_folder "$1" 2>"$tmp/why") || { echo "no kernel $1: $(tail -n 1 "$tmp/why")"; return 1; }
	shift

	rm -rf "$tmp/root"
	mkdir -p "$tmp/root/bin" "$tmp/root/dev" "$tmp/root/proc" "$tmp/root/sys" "$tmp/root/tmp" "$tmp/root/modules"
	for program in busybox bpftool "$BUILD/netcost-record" "$BUILD/netcost-report" "$BUILD/tests/load" "$BUILD/tests/beside"; do
		add_program "$tmp" "$program"
	done
	: >"$tmp/root/modules/order"
	add_module "$tmp" "$kernel" veth
	cp tests/bench/guest_init "$tmp/root/init"
	chmod 755 "$tmp/root/init"
	pack "$tmp"

	spawn nice timeout --foreground -k 5 $LIMIT_S qemu-system-x86_64 -accel tcg,thread=single -icount shift=${GUEST_SHIFT:-0},sleep=off \
		-cpu max -m 1024 -smp 1 -nographic -no-reboot -nic none -kernel "$kernel"/boot/vmlinuz-* \
		-initrd "$tmp/initramfs" -append "console=ttyS0 loglevel=1 panic=-1 oops=panic no_timer_check $*" \
		</dev/null >"$tmp/raw" 2>&1
	wait "$spawned" || :
	tr -d '\r\033' <"$tmp/raw" | tee "$CACHE/bench.log" >"$tmp/console"
}
