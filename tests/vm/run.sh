#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# Boots the distribution's kernels in virtual machines and runs tests/vm/guest/test_*.sh there.
#
#	sh tests/vm/run.sh [MACHINE...]       default: 6.1 6.12; with NETCOST_TIER=all also 6.1-one 6.12-one
#
# 6.1 and 6.12 run test_gate.sh, which is judged by counts and sums only (gate.py). In the gate, 6.1 uses fentry and
# 6.12 kprobes where both measure the same; with NETCOST_TIER=all each machine uses all methods. The machines with one
# CPU keep time by the instructions that they execute, even if they get little of the host's time. So their tests find
# delays of a known size to the microsecond (judge_*.sh). 6.12-soak has two CPUs and the same clock;
# tests/soak/vm.sh runs it.
# 7 runs the gate on the newest kernel of Debian's backports. The machines for arm64 run programs of $NETCOST_ARM64, a build
# with CROSS=aarch64-linux-gnu (sh tests/fresh-root.sh cross). They make each kind of call over UDP, and write(2) on each other sort
# of socket, because a kind takes seconds there. The machines for x86-64 make all kinds on all sorts.
# NETCOST_VM_TESTS="NAME NAME..." limits the tests to guest/test_NAME.sh.
#
# The script needs neither root nor KVM, since QEMU emulates the machine. The kernels are Debian's packages, unpacked
# and not installed. They stay in build/vm, as does each machine's last console, MACHINE.log. A guest writes
# its result lines to its console, and traces to a disk.
. tests/lib.sh
. tests/vm/machine.sh

BOOT_S=3000 # timeouts allow for a machine that gets a third of a CPU
# modules that are not built into the kernels
MODULES="veth vxlan bridge sch_ingress sch_netem sch_fq sch_tbf cls_bpf nft_ct iptable_filter af_packet"
LATE_MODULES="virtio_pci virtio_net" # modules that only some tests load

# tests_of MACHINE: prints its tests
tests_of() {
	case $1 in
	6.1 | 6.12 | 7) echo gate ;;
	6.1-one | 6.12-one) echo latency owners owners_ways programs tail waits xdp ;;
	6.12-soak) echo calibrated hardirq parts_spin witness ;;
	6.1-arm64 | 6.12-arm64) echo calls ;;
	*)
		echo "vm: no machine \"$1\"; machines: 6.1 6.12 7 6.1-one 6.12-one 6.12-soak 6.1-arm64 6.12-arm64" >&2
		return 1
		;;
	esac
}

# rungs MACHINE: prints the methods of measuring with which it makes each recording
rungs() {
	case ${NETCOST_TIER:-gate}:$1 in
	gate:6.12) echo kprobe ;;
	*:7) echo kprobe tracepoint ;;
	gate:*) echo fentry ;;
	*) echo fentry kprobe tracepoint ;;
	esac
}

# does MACHINE TEST: succeeds if the machine runs the test
does() {
	case " ${NETCOST_VM_TESTS:-$2} " in *" $2 "*) ;; *) return 1 ;; esac
	case " $(tests_of "$1") " in *" $2 "*) ;; *) return 1 ;; esac
}

# clock MACHINE: prints options of QEMU. With two CPUs, QEMU occasionally loses an interrupt between
# them if instructions define the time, and a CPU then waits for ever (6.1 does not even start its
# second CPU). So the gate's machines use the host's clock.
clock() {
	case $1 in
	*-one | *-soak) echo "-icount shift=2,sleep=off" ;;
	esac
}

cpus() {
	case $1 in
	*-one) echo 1 ;;
	*) echo 2 ;;
	esac
}

# make_machine DIR KERNEL_FOLDER MACHINE
make_machine() {
	mkdir -p "$1/out" "$1/root/bin" "$1/root/dev" "$1/root/proc" "$1/root/sys" "$1/root/tmp" "$1/root/out" \
		"$1/root/modules"
	case $3 in
	*-arm64)
		[ -d $CACHE/busybox-static ] || unpack busybox-static:arm64 >&2
		cp $CACHE/busybox-static/bin/busybox "$NETCOST_ARM64/static/netcost-record" "$1/root/bin"
		aarch64-linux-gnu-gcc -D_GNU_SOURCE -static -o "$1/root/bin/sockcalls" tests/host/sockcalls.c
		;;
	*)
		# Programs are copied with their libraries, because libelf.a of Debian 13 lacks functions that it calls.
		for program in busybox ip nft tc "$BUILD/netcost-record" "$BUILD/netcost-report" "$BUILD/tests/sockcalls" \
			"$BUILD/tests/packets" "$BUILD/tests/spin" "$BUILD/tests/udp" "$BUILD/tests/waits" "$BUILD/tests/xdp"; do
			add_program "$1" "$program"
		done
		cp "$BUILD/tests/unplug.so" "$1/root"
		;;
	esac
	cp -r tests/vm/guest "$1/root/tests"
	mv "$1/root/tests/init" "$1/root/init"
	for test in "$1"/root/tests/test_*.sh; do
		does "$3" "$(basename "$test" .sh | sed 's/^test_//')" || rm "$test"
	done
	chmod 755 "$1/root/init"
	"$PYTHON" tests/host/calls.py list >"$1/root/tests/calls"
	"$PYTHON" tests/host/calls.py list "$([ "${NETCOST_TIER:-gate}" = all ] || echo few)" >"$1/root/tests/calls-few"
	"$PYTHON" tests/host/calls.py list once >"$1/root/tests/calls-once"
	rungs "$3" >"$1/root/tests/rungs"
	: >"$1/root/modules/order"
	for module in $MODULES; do
		add_module "$1" "$2" "$module"
	done
	cp "$1/root/modules/order" "$1/root/modules/boot"
	for module in $LATE_MODULES; do
		add_module "$1" "$2" "$module"
	done
	pack "$1"
	truncate -s 64M "$1/disk"
}

# nics: prints options of QEMU: two NICs on a hub of their own
nics() {
	for i in 0 1; do
		echo "-netdev hubport,id=nic$i,hubid=0 -device virtio-net-pci,netdev=nic$i,romfile="
	done
}

# boot DIR KERNEL_FOLDER MACHINE: starts it in the background
# thread=single: with a thread for each CPU, QEMU 7.2 occasionally hangs a CPU while another one changes code that it
# runs, which attaching does: it then repeats the same int3 for ever.
# no_timer_check, tsc=reliable, watchdog_thresh, rcu_cpu_stall_timeout: on a busy host the kernel must not report that
# its timer, its clock or a CPU fails.
# arm64.nopauth, mitigations=off: emulated, they cost time.
boot() {
	qemu=qemu-system-x86_64
	[ "${3%-arm64}" = "$3" ] || qemu="qemu-system-aarch64 -M virt"
	# shellcheck disable=SC2046,SC2086 # words
	spawn timeout --foreground -k 5 $BOOT_S \
		$qemu -accel tcg,thread=single -cpu max -m 1024 -smp "$(cpus "$3")" $(clock "$3") \
		-nographic -no-reboot $(nics) -kernel "$(find "$2" -name 'vmlinuz*')" -initrd "$1/initramfs" -append "console=ttyAMA0 console=ttyS0 \
			arm64.nopauth loglevel=1 mitigations=off panic=-1 oops=panic no_timer_check tsc=reliable watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=300" \
		-drive "file=$1/disk,format=raw,if=none,id=out" -device nvme,drive=out,serial=out \
		</dev/null >"$1/raw" 2>&1
	echo "$spawned" >"$1/pid"
}

# judge_by DIR MACHINE COMMAND...: prints the command's results. A command that fails without naming
# a check is itself a failure
judge_by() (
	dir=$1 machine=$2 failed=0
	shift 2
	"$@" "$dir/out" "$machine" >"$dir/judged" 2>&1 || failed=$?
	cat "$dir/judged" >>"$dir/results"
	[ "$failed" -eq 0 ] || grep -q '^not ok ' "$dir/judged" || echo "not ok $machine:judged: $*: exit status $failed" >>"$dir/results"
)

# judged DIR MACHINE: waits for the machine; prints the results of the guest, and of the judges of
# its files
judged() {
	status=0
	wait "$(cat "$1/pid")" || status=$?
	tr -d '\r\033' <"$1/raw" >"$CACHE/$2.log"
	sed -n -E "s/^(ok|not ok|skip) /&$2:/p" "$CACHE/$2.log" >"$1/results"
	if grep -qx "vm: all done" "$CACHE/$2.log"; then
		echo "ok $2:boot" >>"$1/results"
		tar -xmf "$1/disk" -C "$1/out"
		complaint=$(grep -E 'WARNING:|BUG:|Oops|rcu: INFO:' "$1/out/dmesg" | head -n 1)
		[ -z "$complaint" ] && echo "ok $2:dmesg" >>"$1/results" ||
			echo "not ok $2:dmesg: expected no complaint of the kernel, got: $complaint" >>"$1/results"
		! does "$2" gate || judge_by "$1" "$2" "$PYTHON" tests/vm/gate.py
		for script in tests/vm/judge_*.sh; do
			! does "$2" "$(basename "$script" .sh | sed 's/^judge_//')" || judge_by "$1" "$2" sh "$script"
		done
	else
		echo "not ok $2:boot: expected the end of all tests, got status $status of QEMU (124: still running after $BOOT_S s)" >>"$1/results"
	fi
	cat "$1/results"
	sed -n 's/^vm: \(.* is up\|.* ended\) after/'"    $2"': \1 after/p' "$CACHE/$2.log"
	! grep -q '^not ok ' "$1/results" || {
		lib_failed=1
		rm -rf "$CACHE/$2.out" && cp -r "$1/out" "$CACHE/$2.out" # for whoever looks into it
		tail -n 80 "$CACHE/$2.log" | sed 's/^/    /'
	}
}

if [ $# -eq 0 ]; then
	set -- 6.1 6.12
	[ "${NETCOST_TIER:-gate}" = gate ] || set -- "$@" 6.1-one 6.12-one
fi
native=
for machine; do
	tests_of "$machine" >/dev/null || exit 2
	[ "${machine%-arm64}" != "$machine" ] || native=yes
done
case $* in *-arm64*) need_command qemu-system-aarch64 aarch64-linux-gnu-gcc "${NETCOST_ARM64:-CROSS}/static/netcost-record" ;; esac
[ "$(uname -m)" = x86_64 ] || skip_all "needs x86_64"
need_command cpio xz apt-get apt-cache dpkg
mkdir -p $CACHE
if [ $native ]; then
	need_command qemu-system-x86_64 busybox nft tc
	! ldd "$(command -v busybox)" >/dev/null 2>&1 || skip_all "needs a static busybox"
	make -s BUILD="$BUILD" WERROR=1 all host-tools
fi
running=
for machine; do
	if folder=$(kernel_folder "${machine%%-*}" "$(expr "$machine" : '.*-\(arm64\)')" 2>"$tmp/why"); then
		make_machine "$tmp/$machine" "$folder" "$machine"
		boot "$tmp/$machine" "$folder" "$machine"
		running="$running $machine"
	elif ! release_has "${machine%%-*}"; then
		skip "$machine:kernel" "needs kernel ${machine%%-*}"
	else
		fail "$machine:kernel" "expected its package, got: $(tail -n 1 "$tmp/why")"
	fi
done
for machine in $running; do
	judged "$tmp/$machine" "$machine"
done
