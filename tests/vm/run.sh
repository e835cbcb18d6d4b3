#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# Boots the distribution's other kernels in virtual machines and runs tests/vm/guest/test_*.sh there.
#
#	sh tests/vm/run.sh [MACHINE...]       machines: 6.1 6.1-one 6.12 6.12-one 6.12-clock (default: all)
#
# NETCOST_VM_TESTS="NAME NAME..." runs only guest/test_NAME.sh of these.
#
# Needs neither root nor KVM: QEMU emulates the machine. The kernels are Debian's packages, unpacked and
# not installed; they stay in build/vm, and so does each machine's last console, KERNEL.log. A guest writes
# its result lines to its console, and traces to a disk, which are judged here (judge_*.sh).
. tests/lib.sh
. tests/vm/machine.sh

BOOT_CPU_S=1800 BOOT_S=3000 # a machine that has not ended by then never does; beside others it needs longer
MUCH=10 # of its time, in percent: a machine that waits longer for a CPU says nothing of how much and how often
MODULES="veth vxlan bridge sch_ingress sch_netem sch_fq sch_tbf cls_bpf nft_ct iptable_filter af_packet" # what the tests need that the kernels do not have built in
LATE_MODULES="virtio_pci virtio_net" # likewise; loaded by the test that needs them

# ---- a machine; all of it is in a folder DIR

# kernel MACHINE
kernel() {
	echo "${1%%-*}"
}

# make_machine DIR KERNEL_FOLDER MACHINE
make_machine() {
	mkdir -p "$1/out" "$1/root/bin" "$1/root/dev" "$1/root/proc" "$1/root/sys" "$1/root/tmp" "$1/root/out" \
		"$1/root/modules"
	# With their libraries: Debian 13's libelf.a lacks what it calls.
	for program in busybox ip nft tc "$BUILD/netcost-record" "$BUILD/netcost-report" "$BUILD/tests/sockcalls" \
		"$BUILD/tests/packets" "$BUILD/tests/spin" "$BUILD/tests/udp" "$BUILD/tests/waits"; do
		add_program "$1" "$program"
	done
	cp -r tests/vm/guest "$1/root/tests"
	mv "$1/root/tests/init" "$1/root/init"
	for test in "$1"/root/tests/test_*.sh; do
		does "$3" "$(basename "$test" .sh | sed 's/^test_//')" || rm "$test"
	done
	cp "$BUILD/tests/unplug.so" "$1/root/tests"
	chmod 755 "$1/root/init"
	"$PYTHON" tests/host/calls.py list >"$1/root/tests/calls"
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

# clock MACHINE: options. A machine whose time goes by the instructions that it executed keeps time however little of the
# host's it gets. With two CPUs, 6.1 does not bring up the second one then; QEMU loses an interrupt between CPUs now and then,
# for which a CPU waits for ever: each change of the kernel's code needs one; and time of the one is now and then in what the
# other does. So tests of which that is to be expected have a machine of their own, on the host's clock; and for tests of how
# much there is one with one CPU.
clock() {
	case $1 in
	6.1 | *-clock) ;;
	*) echo "-icount shift=2,sleep=off" ;;
	esac
}

cpus() {
	case $1 in
	*-one) echo 1 ;;
	*) echo 2 ;;
	esac
}

# does MACHINE TEST
does() {
	case " ${NETCOST_VM_TESTS:-$2} dmesg " in *" $2 "*) ;; *) return 1 ;; esac
	case $1-$2 in
	6.12-one-own_cost | 6.12-one-owners | 6.12-one-owners_ways | 6.12-one-programs | *-dmesg) ;;
	6.12-one-* | 6.12-own_cost | 6.12-owners | 6.12-owners_ways | 6.12-programs) return 1 ;;
	6.1-one-latency | 6.1-one-own_cost | 6.1-one-waits | 6.1-one-owners | 6.1-one-owners_ways | 6.1-one-programs | 6.1-one-tail) ;;
	6.1-one-* | 6.1-latency | 6.1-own_cost | 6.1-owners | 6.1-owners_ways | 6.1-programs | 6.1-tail | 6.1-waits) return 1 ;;
	6.1-*) ;;
	*-clock-sampler | *-clock-windows) ;;
	*-clock-* | *-sampler | *-windows) return 1 ;;
	esac
}

# nics: options: two of them, on a hub, which nothing else is on
nics() {
	for i in 0 1; do
		echo "-netdev hubport,id=nic$i,hubid=0 -device virtio-net-pci,netdev=nic$i,romfile="
	done
}

# boot DIR KERNEL_FOLDER MACHINE: in the background
#
# thread=single: with a thread for each CPU, QEMU 7.2 loses one now and then while another changes the
# code that it runs, which is what attaching does: it takes the same int3 for ever.
# no_timer_check: a host that is busy for some ticks would make the kernel say that its timer does not work, and panic.
boot() {
	# shellcheck disable=SC2046 # words
	spawn timeout --foreground -k 5 $BOOT_S prlimit --cpu=$BOOT_CPU_S \
		qemu-system-x86_64 -accel tcg,thread=single -cpu max -m 1024 -smp "$(cpus "$3")" $(clock "$3") \
		-nographic -no-reboot $(nics) -kernel "$2"/boot/vmlinuz-* -initrd "$1/initramfs" \
		-append "console=ttyS0 loglevel=1 panic=-1 oops=panic no_timer_check" \
		-drive "file=$1/disk,format=raw,if=none,id=out" -device nvme,drive=out,serial=out \
		</dev/null >"$1/raw" 2>&1
	echo "$spawned" >"$1/pid"
	echo 0 0 >"$1/times"
	[ -n "$(clock "$3")" ] || spawn watch "$1"
}

# watch DIR: of a machine that keeps the host's time, for how long its threads have run, and waited for a CPU of the
# host, in ns; as long as it is there
watch() {
	while sleep 1; do
		machine=$(pgrep -P "$(cat "$1/pid")") || return 0
		cat /proc/"$machine"/task/*/schedstat 2>/dev/null |
			awk '{ ran += $1; waited += $2 } END { printf "%.0f %.0f\n", ran, waited }' >"$1/new"
		mv "$1/new" "$1/times"
	done
}

# ---- what came out of it

# ended DIR MACHINE: waits for the machine; did it come to the end of its tests?
ended() {
	status=0
	wait "$(cat "$1/pid")" || status=$?
	tr -d '\r\033' <"$1/raw" >"$1/console"
	cp "$1/console" "$CACHE/$2.log"
	if grep -qx "vm: all done" "$1/console"; then
		tar -xmf "$1/disk" -C "$1/out"
		pass "$2:boot"
		return
	fi
	case $status in
	124 | 137 | 152) fail "$2:boot" "still running after $BOOT_CPU_S s of CPU time, or $BOOT_S s" ;;
	*) fail "$2:boot" "ended too early, QEMU with status $status" ;;
	esac
	return 1
}

# kept_waiting DIR: in percent of its time
kept_waiting() {
	awk '{ print int(100 * $2 / ($1 + $2 + 1)) }' "$1/times"
}

# settled DIR: of result lines, an amount that was wrong is a failure, or cannot be said of a machine that was kept waiting
settled() {
	waited=$(kept_waiting "$1")
	if [ "$waited" -gt $MUCH ]; then
		sed -E "s/^amount ([^ ]*): .*/skip \1: the machine waited $waited % of its time for a CPU of this host/"
	else
		sed 's/^amount /not ok /'
	fi
}

# judges MACHINE SCRIPT
judges() {
	does "$1" "${2#judge_}"
}

# results DIR MACHINE: the guest's own, and what tests/vm/judge_*.sh say of what it left after
results() {
	whole=true
	ended "$1" "$2" || whole=false
	sed -n -E "s/^vm: test_(.*)\.sh begins .*/test \1/p; s/^vm: .* ended .*/test/p; s/^(ok|not ok|skip|amount) /&$2:/p" \
		"$1/console" >"$1/said"
	for script in tests/vm/judge_*.sh; do
		judges "$2" "$(basename "$script" .sh)" || continue
		echo "test $(basename "$script" .sh | sed 's/^judge_//')" >>"$1/said"
		! $whole || sh "$script" "$1/out" "$2" >>"$1/said" || lib_failed=1
	done
	settled "$1" <"$1/said" >"$1/settled"
	grep -v '^test' "$1/settled" >"$1/results" || :
	! $whole || awk -f tests/vm/failed.awk "$1/settled" >"$1/failed"
	! grep -q '^not ok ' "$1/results" || lib_failed=1
	echo "$2: $(kept_waiting "$1") % of its time it waited for a CPU, as far as that matters"
	[ $lib_failed -eq 0 ] || tail -n 80 "$1/console" | sed 's/^/    /'
}

# start MACHINE KERNEL_FOLDER
start() {
	make_machine "$tmp/$1" "$2" "$1"
	boot "$tmp/$1" "$2" "$1"
}

# judged MACHINE: leaves its results; fails if some do
judged() {
	lib_failed=0
	: >"$tmp/$1/failed" # all of its tests
	results "$tmp/$1" "$1" >"$tmp/$1/told"
	cat "$tmp/$1/told" "$tmp/$1/results" >"$tmp/$1/all"
	return $lib_failed
}

# judged_again MACHINE: it is booted once more, after all others, for the tests that failed; what fails both times is a failure
judged_again() {
	sed -n 's/^not ok /    once: &/; /^    /p' "$tmp/$1/all"
	mv "$tmp/$1" "$tmp/$1-once"
	only=${NETCOST_VM_TESTS:-} NETCOST_VM_TESTS=$(tr '\n' ' ' <"$tmp/$1-once/failed")
	NETCOST_VM_TESTS=${NETCOST_VM_TESTS:-$only}
	echo "$1 is booted again for: ${NETCOST_VM_TESTS:-all}"
	start "$1" "$(kernel_folder "$(kernel "$1")")"
	judged "$1" || :
	NETCOST_VM_TESTS=$only
	awk -f tests/vm/twice.awk "$tmp/$1-once/all" "$tmp/$1/all" >"$tmp/$1/twice"
	cat "$tmp/$1/twice"
	! grep -q '^not ok ' "$tmp/$1/twice" || return 0
	lib_failed=0
}

[ $# -gt 0 ] || set -- 6.1 6.1-one 6.12 6.12-one 6.12-clock
for machine in "$@"; do
	metapackages "$(kernel "$machine")" >/dev/null || exit 2
done
[ "$(uname -m)" = x86_64 ] || skip_all "needs an x86_64 host"
need_command qemu-system-x86_64 busybox cpio xz apt-get apt-cache dpkg
! ldd "$(command -v busybox)" >/dev/null 2>&1 || skip_all "needs a static busybox"
mkdir -p $CACHE
make -s BUILD="$BUILD" WERROR=1 all host-tools
running=
for machine in "$@"; do
	if folder=$(kernel_folder "$(kernel "$machine")" 2>"$tmp/why"); then
		start "$machine" "$folder"
		running="$running $machine"
	else
		skip "$machine" "its package is not to be had: $(tail -n 1 "$tmp/why")"
	fi
done
again= failed=0
for machine in $running; do
	if judged "$machine"; then cat "$tmp/$machine/all"; else again="$again $machine"; fi
done
for machine in $again; do
	judged_again "$machine"
	[ $lib_failed -eq 0 ] || failed=1
done
lib_failed=$failed
