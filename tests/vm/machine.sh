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
	6.1 | 7) echo "linux-image-cloud-$2:$2" ;;
	6.12) echo "linux-image-6.12-cloud-$2:$2 linux-image-cloud-$2:$2" ;;
	*)
		echo "vm: no kernel \"$1\"; kernels: 6.1 6.12 7" >&2
		return 1
		;;
	esac
}

# release_of VERSION: prints options of apt for a kernel that only another release has, from the mirror that apt uses here
release_of() {
	[ "$1" = 7 ] || return 0
	mkdir -p $CACHE/apt/lists/partial
	apt-get indextargets --format 'deb $(REPO_URI) trixie-backports $(COMPONENT)' 'Created-By: Packages' |
		grep -v security | grep -m 1 ' main$' >$CACHE/apt/sources
	echo "-o Dir::Etc::SourceList=$PWD/$CACHE/apt/sources -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$PWD/$CACHE/apt/lists -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache="
}

# release_has VERSION: succeeds if this Debian release has the kernel; Debian 13 begins with 6.12
release_has() {
	[ "$1" != 6.1 ] || [ "$(sed -n 's/^VERSION_ID="*\([0-9]*\).*/\1/p' /etc/os-release)" = 12 ]
}

# unpack PACKAGE OPTION...: unpacks it into the cache, with the packages that the kernel is split into, completely or not at all
unpack() {
	wanted=$1 && shift
	rm -rf "$tmp/deb" && mkdir "$tmp/deb" || return
	# shellcheck disable=SC2046 # words
	(cd "$tmp/deb" && apt-get -qq "$@" download "$wanted" \
		$(apt-cache "$@" depends "$wanted" | sed -n 's/^  Depends: \(linux-\(binary\|modules\)-.*\)/\1/p') &&
		for deb in *.deb; do dpkg -x "$deb" content || exit; done) &&
		mv "$tmp/deb/content" "$CACHE/${wanted%:*}"
}

# kernel_folder VERSION [ARCHITECTURE]: prints the folder, and first fetches what is missing
kernel_folder() {
	arch=${2:-amd64} options=$(release_of "$1")
	for lists in old new; do
		# shellcheck disable=SC2086 # words
		[ $lists = old ] || apt-get -qq $options update >&2 || break
		# shellcheck disable=SC2046,SC2086 # words
		package=$(apt-cache $options depends $(metapackages "$1" "$arch") |
			awk -v kernel="linux-image-$1." '$1 == "Depends:" && index($2, kernel) == 1 { print $2; exit }')
		if [ -z "$package" ]; then
			echo "this release has no kernel $1" >&2
			continue
		fi
		# shellcheck disable=SC2086 # words
		if [ -d "$CACHE/${package%:*}" ] || unpack "$package" $options >&2; then
			echo "$CACHE/${package%:*}"
			return
		fi
	done
	# Without network, a slightly older package list is sufficient.
	find $CACHE -mindepth 1 -maxdepth 1 -type d -name "linux-image-$1.*-$arch" | sort -V | tail -n 1 | grep .
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
