#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Proves that the checkout and the distribution are enough: makes a minimal Debian in a folder, puts
# the checkout there, and runs what a newcomer runs. By hand, as root; takes minutes.
#
#	sh tests/fresh-root.sh [--suite=NAME] [--worktree] [--keep] demo|test|all|report|package|cross...
#
#	demo     sh examples/demo.sh
#	test     sh tests/run.sh
#	all      sh tests/run.sh all
#	report   a machine that only replays: builds netcost-report, passes its unit tests and replays
#	         examples/demo.nct with neither libbpf nor libelf-dev, clang or bpftool there
#	package  builds Debian packages; lintian has no warning; their autopkgtests pass; nothing is left after a purge
#	cross    builds for arm64; both programs' unit tests, and tests of the format and the report, under qemu-user; records in
#	         arm64 machines; x86-64, arm64 and s390x, which is big-endian, print the same bytes
#	--suite=NAME Debian's release: bookworm (the default), trixie
#	--worktree   use the files of the working tree, not of HEAD
#	--keep       keep the system, so that it can be inspected
#
# Each word gets a system of its own. Needs debootstrap; its mirror is the one that apt uses here.
set -eu
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"

die() {
	echo "fresh-root: $*" >&2
	exit 1
}

# ---- inside a private mount namespace: all mounts made here end with the last process

# mirror SUITE: prints the mirror from which apt gets this release on this host
mirror() {
	# shellcheck disable=SC2016 # for apt-get
	apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
		awk -v suite="$1" '$1 == suite && $2 == "main" { print $3; exit }'
}

# Copies the host's settings for its mirrors: sources, keys, pins and proxies. Hooks are not copied, because their
# programs are missing in the new system. Sources and pins are those of the host's release. For another release, a new
# line names the same mirror.
copy_apt_configuration() {
	parts="keyrings trusted.gpg trusted.gpg.d"
	if [ -n "$(mirror "$suite")" ]; then
		parts="$parts sources.list sources.list.d preferences preferences.d"
	else
		echo "deb $url $suite main" >"$root/etc/apt/sources.list"
	fi
	for part in $parts; do
		rm -rf "$root/etc/apt/$part"
		[ ! -e "/etc/apt/$part" ] || cp -a "/etc/apt/$part" "$root/etc/apt/"
	done
	cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
	apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-)' >"$root/etc/apt/apt.conf.d/99host" || :
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
}

make_root() {
	url=$(mirror "$suite")
	[ -n "$url" ] || url=$(mirror "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")")
	[ -n "$url" ] || die "apt has no mirror here that could have $suite"
	echo "fresh-root: making a minimal $suite in $root"
	debootstrap --variant=minbase "$suite" "$root" "$url" >"$root.log" 2>&1 ||
		{ tail -n 20 "$root.log" >&2; die "debootstrap failed"; }
	copy_apt_configuration
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount -t tmpfs tmpfs "$root/run"
	mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
	for fs in cgroup2:fs/cgroup bpf:fs/bpf tracefs:kernel/tracing debugfs:kernel/debug; do
		mount -t "${fs%%:*}" "${fs%%:*}" "$root/sys/${fs#*:}" 2>/dev/null || :
	done
}

copy_checkout() {
	mkdir "$root/netcost"
	if [ "$worktree" = 1 ]; then
		git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - |
			tar -x -C "$root/netcost"
	else
		git archive HEAD | tar -x -C "$root/netcost"
	fi
}

# inside COMMAND...: runs the command inside the new system
inside() {
	case $1 in
	demo) echo 'sh examples/demo.sh' ;;
	test) echo 'sh tests/run.sh' ;;
	all) echo 'sh tests/run.sh all' ;;
	report)
		cat <<'SCRIPT'
sh tools/deps.sh unit
make report unit
for test in build/tests/test_*; do "$test"; done
build/netcost-report summary examples/demo.nct
for package in clang llvm bpftool libbpf-dev libbpf1 libelf-dev; do
	! dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
		{ echo "$package is installed" >&2; exit 1; }
done
SCRIPT
		;;
	cross)
		cat <<'SCRIPT'
export DEBIAN_FRONTEND=noninteractive
get="apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0"
for arch in arm64 s390x; do dpkg --add-architecture $arch; done
{ $get update; $get install git procps python3 python3-msgpack qemu-user-static zstd gnuplot-nox crossbuild-essential-arm64 \
	qemu-system-arm cpio xz-utils gcc-s390x-linux-gnu libc6-dev-s390x-cross libzstd-dev libmsgpack-dev libprotobuf-c-dev zlib1g-dev; $get build-dep --host-architecture arm64 .; } >/dev/null
make -s -j2 WERROR=1 CROSS=aarch64-linux-gnu all unit unit-record build/tests/report_server build/tests/many build/static/netcost-record >/build.log 2>&1 ||
	{ tail -n 40 /build.log; exit 1; }
mkdir -p build/arm64/tests
for program in netcost-report netcost-record tests/report_server tests/many; do
	printf '#!/bin/sh\nexec qemu-aarch64-static %s/build/%s "$@"\n' "$PWD" $program >build/arm64/$program
	chmod +x build/arm64/$program
done
failed=
# qemu-user 7.2 lacks openat2 (container_names), seccomp (privileges), perf_event_open (pmu), NS_GET_NSTYPE (latency_only)
# and the times of /proc/PID/stat (ab).
for test in $(find build/tests -name 'test_*' -type f ! -name '*.*'); do
	case $test in *_container_names | *_privileges | *_pmu | *_latency_only | *_ab) continue ;; esac
	NETCOST_UNIT_FEW=3 qemu-aarch64-static "$test" || failed="$failed $test"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
python3 tests/vectors/conform.py build/arm64/tests/report_server
BUILD=build/arm64 NETCOST_MANY=$PWD/build/arm64/tests/many sh tests/report/run.sh tables counts diff energy
# The libraries for s390x are not installed, because x86-64 may have them in another version.
(cd /tmp && apt-get -qq download libzstd-dev:s390x libmsgpack-dev:s390x libprotobuf-c-dev:s390x zlib1g-dev:s390x)
for deb in /tmp/*_s390x.deb; do dpkg -x "$deb" /s390x; done
make -s -j2 WERROR=1 BUILD=build/x86-64 report
make -s -j2 WERROR=1 CROSS=s390x-linux-gnu BUILD=build/s390x CPPFLAGS="-I/s390x/usr/include -I/s390x/usr/include/s390x-linux-gnu" \
	LDFLAGS=-L/s390x/usr/lib/s390x-linux-gnu PKG_CONFIG="env PKG_CONFIG_LIBDIR=/s390x/usr/lib/s390x-linux-gnu/pkgconfig pkg-config" build/s390x/static/netcost-report
for command in "summary --full" top who timeline "latency --tail" path accuracy "counts netdev_stats" info verify dump folded "flamegraph -o -" \
	"html --no-charts -o -" "export openmetrics -o -" "export pprof -o -"; do
	for trace in examples/*.nct format/vectors/real-*.nct; do
		for report in build/x86-64/netcost-report build/arm64/netcost-report "qemu-s390x-static build/s390x/static/netcost-report"; do
			$report $command "$trace" 2>&1 | sha256sum
		done | uniq | awk 'END { exit NR != 1 }' || { echo "$command $trace: not the same bytes" >&2; exit 1; }
	done
done
NETCOST_ARM64=build BUILD=build/x86-64 sh tests/vm/run.sh 6.12-arm64 6.1-arm64
SCRIPT
		;;
	package)
		cat <<'SCRIPT'
export DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="nocheck parallel=2"
get="apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0"
{ $get update; $get install build-essential lintian autopkgtest; $get build-dep .; } >/dev/null
dpkg-buildpackage -us -uc >/build.log 2>&1 || { tail -n 40 /build.log; exit 1; }
lintian --allow-root --fail-on=error,warning /netcost_*.changes
$get install /netcost-re*.deb /libnetcost-trace*.deb >/dev/null
autopkgtest --output-dir=/results /netcost_*.changes -- null
$get purge netcost-record netcost-report libnetcost-trace1 >/dev/null
left=$(find / -xdev -name '*netcost*' ! -path '/netcost*' ! -path '/results*' ! -path '/libnetcost*' ! -path '/var/cache/*' ! -path '/tmp/*')
[ -z "$left" ] || { echo "left: $left" >&2; exit 1; }
SCRIPT
		;;
	esac
}

inner() {
	root=$1
	# The root must be a mount, otherwise `ip netns exec` cannot change how mounts propagate.
	mount --bind "$root" "$root"
	make_root
	copy_checkout
	# Tests that copy the checkout ask git for its files.
	case $2 in test | all) git -C "$root/netcost" init -q -b main && git -C "$root/netcost" add -A ;; esac
	echo "fresh-root: $2: running in the new system"
	# A signal ends the programs inside; the shells around them wait until they have cleaned up.
	trap : HUP INT TERM
	echo "set -eu; trap : HUP INT TERM; cd /netcost; $(inside "$2")" >"$root/run-it"
	env -u SUDO_UID -u SUDO_GID HOME=/root TMPDIR=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		chroot "$root" sh /run-it </dev/null
}

if [ "${1:-}" = --inner ]; then
	worktree=$4 suite=$5
	inner "$2" "$3"
	exit
fi

# ---- outside

top=$(cd "$(dirname "$0")/.." && pwd)
suite=bookworm worktree=0 keep=0 what=
for word in "$@"; do
	case $word in
	--suite=?*) suite=${word#*=} ;;
	--worktree) worktree=1 ;;
	--keep) keep=1 ;;
	demo | test | all | report | package | cross) what="$what $word" ;;
	*) what=; break ;;
	esac
done
[ -n "$what" ] || { sed -n 's/^#	//p' "$0" | head -n 1 >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || die "needs root"
command -v debootstrap >/dev/null || die "needs debootstrap: apt-get install debootstrap"

dir='' child=''
cleanup() {
	status=$?
	trap - EXIT
	trap '' HUP INT TERM
	# Signals the whole process group, so that the script inside cleans up, too.
	if [ -n "$child" ]; then kill -s TERM -- "-$child" 2>/dev/null && wait "$child" || :; fi
	if [ -n "$dir" ] && [ "$keep" = 0 ]; then rm -rf --one-file-system "$dir"; fi
	exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$top"
for word in $what; do
	dir=$(mktemp -d "/var/tmp/netcost-$word.XXXXXX")
	mkdir "$dir/root"
	setsid unshare --mount --propagation private \
		sh tests/fresh-root.sh --inner "$dir/root" "$word" "$worktree" "$suite" &
	child=$!
	status=0
	wait "$child" || status=$?
	child=
	[ "$keep" = 0 ] || echo "fresh-root: $word: the system is in $dir/root"
	[ "$keep" = 1 ] || rm -rf --one-file-system "$dir"
	dir=
	[ "$status" -eq 0 ] || die "$word: failed with status $status"
	echo "fresh-root: $word: done"
done
