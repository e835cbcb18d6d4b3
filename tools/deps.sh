#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs the distribution's packages that one kind of work on netcost needs and this machine lacks. Runs on a bare
# system: needs a POSIX shell, awk and the distribution's package manager.
set -eu
export LC_ALL=C

usage() {
	cat <<'USAGE'
usage: sh tools/deps.sh [report|unit|build|demo|test|bench]    (default: build)
  report   to build netcost-report, which replays traces
  unit     report, and what its unit tests need
  build    report, and what netcost-record needs
  demo     build, and a traffic generator
  test     everything but what only the bench needs
  bench    test, and servers and tracers to measure with; Debian starts the servers at once
USAGE
}

# Each row is a need: part
# why
# apt
# dnf
# pacman
# apk
# zypper. "a b" needs both packages, "a/b" the first one that the distribution has, "-" no package. Only the column apt
# is tested.
table() {
	cat <<'TABLE'
report | C compiler | gcc libc6-dev | gcc glibc-devel | gcc | gcc musl-dev linux-headers | gcc glibc-devel
report | build rules | make | make | make | make | make
report | finds libraries | pkg-config | pkgconf-pkg-config | pkgconf | pkgconf | pkg-config
report | trace frames | libzstd-dev | libzstd-devel | zstd | zstd-dev | libzstd-devel
report | trace objects | libmsgpack-c-dev/libmsgpack-dev | msgpack-c-devel/msgpack-devel | msgpack-c | msgpack-c-dev | msgpack-c-devel
report | profiles for pprof | libprotobuf-c-dev protobuf-c-compiler | protobuf-c-devel protobuf-c-compiler | protobuf-c | protobuf-c-dev protobuf-c-compiler | libprotobuf-c-devel
report | serves metrics | libmicrohttpd-dev | libmicrohttpd-devel | libmicrohttpd | libmicrohttpd-dev | libmicrohttpd-devel
report | the screen of live | libncurses-dev | ncurses-devel | ncurses | ncurses-dev | ncurses-devel
report | compresses them | zlib1g-dev | zlib-ng-compat-devel/zlib-devel | zlib | zlib-dev | zlib-devel
report | names of user space | libdw-dev | elfutils-devel | libelf | elfutils-dev | libdw-devel
report | SQL | libsqlite3-dev | sqlite-devel | sqlite | sqlite-dev | sqlite3-devel
build | compiles BPF programs | clang | clang | clang | clang | clang
build | strips BPF programs | llvm | llvm | llvm | llvm | llvm
build | embeds BPF programs | bpftool/linux-tools-generic | bpftool | bpf | bpftool | bpftool
build | loads BPF programs | libbpf-dev | libbpf-devel | libbpf | libbpf-dev | libbpf-devel
build | what libbpf stands on | libelf-dev zlib1g-dev | elfutils-libelf-devel zlib-ng-compat-devel/zlib-devel | libelf zlib | elfutils-dev zlib-dev | libelf-devel zlib-devel
build | limits system calls | libseccomp-dev | libseccomp-devel | libseccomp | libseccomp-dev | libseccomp-devel
build | names of containers | libjansson-dev | jansson-devel | jansson | jansson-dev | libjansson-devel
demo | network namespaces | iproute2 | iproute | iproute2 | iproute2 | iproute2
demo | traffic | iperf3 | iperf3 | iperf3 | iperf3 | iperf
demo | processes | procps | procps-ng | procps-ng | procps-ng | procps
unit | unit tests | libcunit1-dev | CUnit-devel | cunit | cunit-dev | cunit-devel
test | memory errors | valgrind | valgrind | valgrind | valgrind | valgrind
test | fuzzing | libclang-rt-dev/libclang-rt-14-dev | compiler-rt | compiler-rt | compiler-rt | clang
test | source format | clang-format | clang-tools-extra | clang | clang-extra-tools | clang
test | a second reader of traces | zstd python3 python3-msgpack | zstd python3 python3-msgpack | zstd python python-msgpack | zstd python3 py3-msgpack | zstd python3 python3-msgpack
test | the profiler to compare with | linux-perf/linux-tools-generic | perf | perf | perf | perf
test | a page, worked by a browser | chromium | - | - | - | -
test | a JSON schema | python3-jsonschema | python3-jsonschema | python-jsonschema | py3-jsonschema | python3-jsonschema
test | a parser of metrics | python3-prometheus-client | python3-prometheus_client | python-prometheus_client | py3-prometheus-client | python3-prometheus_client
test | loads tables | curl | curl | curl | curl | curl
test | charts | gnuplot-nox | gnuplot | gnuplot | gnuplot | gnuplot
test | man pages | groff-base | groff-base | groff | groff | groff
test | firewall paths | nftables | nftables | nftables | nftables | nftables
test | other kernels, emulated | qemu-system-x86 | qemu-system-x86-core | qemu-system-x86 | qemu-system-x86_64 | qemu-x86
test | what they begin with | busybox-static cpio xz-utils | busybox cpio xz | busybox cpio xz | busybox-static cpio xz | busybox-static cpio xz
test | packages in a fresh Debian | debootstrap | - | - | - | -
test | judges units | systemd | systemd | systemd | - | systemd
test | changed copies of the sources | git patch | git patch | git patch | git patch | git patch
test | user functions of a library | openssl | openssl | openssl | openssl | openssl
test | a full file system | e2fsprogs | e2fsprogs | e2fsprogs | e2fsprogs | e2fsprogs
test | the library's ABI | abigail-tools | libabigail | libabigail | - | libabigail-tools
bench | servers and a client | nginx-light/nginx memcached wrk | nginx memcached wrk | nginx memcached wrk | nginx memcached wrk | nginx memcached wrk
bench | another tracer | bpftrace | bpftrace | bpftrace | bpftrace | bpftrace
TABLE
}

set_name=${1:-build}
case $set_name in
report) parts="report" ;;
unit) parts="report unit" ;;
build) parts="report build" ;;
demo) parts="report build demo" ;;
test) parts="report build demo unit test" ;;
bench) parts="report build demo unit test bench" ;;
-h | --help) usage; exit 0 ;;
*) usage >&2; exit 2 ;;
esac

# Finds the package manager: its column in the table, and the command that a user would type.
for pm in apt-get dnf pacman apk zypper none; do
	command -v "$pm" >/dev/null 2>&1 && break
done
case $pm in
apt-get) column=3 by_hand="apt-get install --no-install-recommends" ;;
dnf) column=4 by_hand="dnf install" ;;
pacman) column=5 by_hand="pacman -S" ;;
apk) column=6 by_hand="apk add" ;;
zypper) column=7 by_hand="zypper install" ;;
*)
	echo "deps: no package manager that this script knows; what is needed:" >&2
	table | awk -F' [|] ' -v parts=" $parts " 'index(parts, " " $1 " ") { print "  " $3 ": " $2 }' >&2
	exit 1
	;;
esac

installed() {
	case $pm in
	apt-get) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
	dnf | zypper) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
	pacman) pacman -Qq "$1" >/dev/null 2>&1 ;;
	apk) apk info -e "$1" >/dev/null 2>&1 ;;
	esac
}

in_distribution() {
	case $pm in
	apt-get) apt-cache policy "$1" | grep -q 'Candidate: [^(]' ;;
	dnf) dnf -q info "$1" >/dev/null 2>&1 ;;
	pacman) pacman -Si "$1" >/dev/null 2>&1 ;;
	apk) apk search -e -q "$1" | grep -q . ;;
	zypper) zypper -q search -x "$1" >/dev/null 2>&1 ;;
	esac
}

# choose NEED: for "a/b", prints nothing if one of the packages is installed, otherwise the first available package,
# otherwise the last package
choose() {
	last=
	for name in $(echo "$1" | tr / ' '); do
		installed "$name" && return
	done
	for name in $(echo "$1" | tr / ' '); do
		last=$name
		case $1 in */*) in_distribution "$name" && break ;; esac
	done
	echo "$last"
}

# missing: prints one line per missing package, "package why"
missing() {
	table | awk -F' [|] ' -v parts=" $parts " -v column="$column" '
		index(parts, " " $1 " ") { n = split($column, p, " "); for (i = 1; i <= n; i++) print p[i], $2 }' |
		while read -r wanted why; do
			[ "$wanted" != - ] || continue
			package=$(choose "$wanted")
			[ -z "$package" ] || echo "$package $why"
		done
}

names() {
	echo "$1" | awk '{ printf "%s%s", sep, $1; sep = " " }'
}

list=$(missing)
if [ -z "$list" ]; then
	echo "deps: $set_name: all there, nothing to install"
	exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
	echo "deps: missing for $set_name: run as root: $by_hand $(names "$list")" >&2
	exit 1
fi

# Package names are known only after the lists have been fetched; a fresh system has none.
export DEBIAN_FRONTEND=noninteractive
refresh() {
	case $pm in
	apt-get) apt-get -qq update ;;
	pacman) pacman -Sy >/dev/null ;;
	apk) apk update -q ;;
	esac
}
refresh || echo "deps: the package lists could not be refreshed, trying with the old ones" >&2
list=$(missing)

echo "deps: installing for $set_name with $pm:"
echo "$list" | awk '{ name = $1; sub(/^[^ ]+ /, ""); printf "  %-20s %s\n", name, $0 }'
packages=$(names "$list")

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
# shellcheck disable=SC2086 # one word a package is what is meant
case $pm in
apt-get) apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 install $packages ;;
dnf) dnf -q -y --setopt=install_weak_deps=False install $packages ;;
pacman) pacman -S --noconfirm --needed $packages ;;
apk) apk add -q $packages ;;
zypper) zypper -n -q install --no-recommends $packages ;;
esac </dev/null >"$log" 2>&1 || status=$?
if [ "$status" -ne 0 ]; then
	tail -n 20 "$log" >&2
	echo "deps: $pm failed; by hand: $by_hand $packages" >&2
	exit 1
fi
