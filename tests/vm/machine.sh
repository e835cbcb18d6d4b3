# shellcheck shell=sh disable=SC2154 # $tmp is tests/lib.sh's
# SPDX-License-Identifier: BSD-2-Clause
# Kernels of the distribution, and what virtual machines begin with. To be sourced after tests/lib.sh.
#
# The kernels are Debian's packages, unpacked and not installed; they stay in $CACHE.
CACHE=build/vm

# ---- kernels

# One metapackage depends on the newest build of a kernel. The Debian release determines which build
# this is.
metapackages() {
	case $1 in
	6.1) echo linux-image-cloud-amd64 ;;
	6.12) echo linux-image-6.12-cloud-amd64 linux-image-cloud-amd64 ;;
	*)
		echo "vm: no kernel \"$1\"; kernels: 6.1 6.12" >&2
		return 1
		;;
	esac
}

# release_has VERSION: succeeds if this Debian release has the kernel; Debian 13 begins with 6.12
release_has() {
	[ "$1" != 6.1 ] || [ "$(sed -n 's/^VERSION_ID="*\([0-9]*\).*/\1/p' /etc/os-release)" = 12 ]
}

# unpack PACKAGE: unpacks it into the cache, completely or not at all
unpack() {
	rm -rf "$tmp/deb"
	mkdir "$tmp/deb" &&
		(cd "$tmp/deb" && apt-get -qq download "$1" && dpkg -x "$1"_*.deb "$1") &&
		mv "$tmp/deb/$1" "$CACHE/$1"
}

# kernel_folder VERSION: prints the folder, and first fetches what is missing
kernel_folder() {
	for lists in old new; do
		[ $lists = old ] || apt-get -qq update >&2 || break
		# shellcheck disable=SC2046 # words
		package=$(apt-cache depends $(metapackages "$1") |
			awk -v kernel="linux-image-$1." '$1 == "Depends:" && index($2, kernel) == 1 { print $2; exit }')
		if [ -z "$package" ]; then
			echo "this release has no kernel $1" >&2
			continue
		fi
		if [ -d "$CACHE/$package" ] || unpack "$package" >&2; then
			echo "$CACHE/$package"
			return
		fi
	done
	# Without network, a slightly older package list is sufficient.
	find $CACHE -mindepth 1 -maxdepth 1 -type d -name "linux-image-$1.*" | sort -V | tail -n 1 | grep .
}

# ---- the content of a machine, all in a folder DIR

# add_module DIR KERNEL_FOLDER NAME: adds the module after the modules that it needs
add_module() {
	! grep -qx "$3.ko" "$1/root/modules/order" || return 0
	found=$(find "$2" -name "$3.ko" -o -name "$3.ko.xz" | head -n 1)
	[ -n "$found" ] || return 0 # the module is built in
	case $found in
	*.xz) xz -dc "$found" >"$1/root/modules/$3.ko" ;;
	*) cp "$found" "$1/root/modules/$3.ko" ;;
	esac
	for needed in $(tr '\0' '\n' <"$1/root/modules/$3.ko" | sed -n 's/^depends=//p' | tr , ' '); do
		add_module "$1" "$2" "$needed"
	done
	echo "$3.ko" >>"$1/root/modules/order"
}

# add_program DIR NAME: adds the program with its shared libraries, if it is installed on this host
add_program() {
	path=$(command -v "$2") || return 0
	cp "$path" "$1/root/bin"
	for library in $(ldd "$path" 2>/dev/null | grep -o '/[^ ]*'); do
		mkdir -p "$1/root${library%/*}"
		cp -L "$library" "$1/root$library"
	done
}

# pack DIR: makes the initial ramdisk
pack() {
	(cd "$1/root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$1/initramfs"
}
