#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is built for others to install.
#
#	sh tests/packages.sh static|reproducible|debian|arm64|units|container
. tests/lib.sh

# tree FOLDER: copies the checkout's files
tree() {
	mkdir -p "$1"
	git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -x -C "$1"
}

# libelf_lacks_functions: succeeds if nothing can be linked to libelf.a, because the functions of libeu are missing
libelf_lacks_functions() {
	echo 'int elf_end(void *); int main(void) { return elf_end(0); }' >"$tmp/elf.c"
	# shellcheck disable=SC2046 # words
	! cc -static -o "$tmp/elf" "$tmp/elf.c" $(pkg-config --static --libs libelf) 2>"$tmp/elf.log" &&
		grep -q 'undefined reference to .eu_' "$tmp/elf.log"
}

# built FOLDER: builds a copy of the checkout there and installs it
built() {
	tree "$tmp/$1"
	make -s -j2 -C "$tmp/$1" PREFIX=/usr DESTDIR="$tmp/$1/build/root" $static install >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
	cp "$tmp/$1"/build/static/netcost-re* "$tmp/$1/build/root"
}

case $1 in
static)
	programs="report record"
	make -s WERROR=1 static >"$tmp/log" 2>&1 || cat "$tmp/log"
	if libelf_lacks_functions; then
		programs=report
		expect static-record-says-why grep "cannot be linked" "$tmp/log"
	fi
	expect static-size [ "$(stat -c %s build/static/netcost-report)" -lt 3000000 ]
	for program in $programs; do
		expect static-$program-needs-no-library sh -c "! readelf -d build/static/netcost-$program | grep NEEDED"
	done
	expect static-report-reads sh -c "build/static/netcost-report html -o '$tmp/a' examples/demo.nct && $REPORT html -o '$tmp/b' examples/demo.nct && cmp '$tmp/a' '$tmp/b'"
	[ "$programs" != report ] || skip_all "needs a libelf.a that links"
	"$RECORD" --check -q >&2 || skip_all "needs BPF"
	expect static-record-records build/static/netcost-record -q -o "$tmp/t.nct" -- true
	;;
reproducible)
	static=static
	! libelf_lacks_functions || static=build/static/netcost-report
	built a
	TZ=Asia/Tokyo built a-folder/of-another-name
	expect reproducible diff -r "$tmp/a/build/root" "$tmp/a-folder/of-another-name/build/root"
	;;
debian | arm64)
	need_root
	expect "$1" sh tests/fresh-root.sh --worktree "$(echo "$1" | sed 's/debian/package/; s/arm64/cross/')"
	;;
units)
	for unit in netcost netcost-minute; do
		expect units-$unit-is-hardened systemd-analyze security --offline=true --threshold=25 --no-pager examples/fleet/$unit.service
	done
	"$RECORD" --check -q >&2 || skip_all "needs BPF"
	# As the units run it: another user, these capabilities only, and the same is measured as by root.
	caps=$(sed -n 's/^AmbientCapabilities=//p' examples/fleet/netcost.service | sed 's/CAP_/,+/g; s/ //g' | tr A-Z a-z)
	"$RECORD" --check --processes >"$tmp/root"
	setpriv --no-new-privs --reuid=65534 --clear-groups --bounding-set "-all$caps" --inh-caps "-all$caps" --ambient-caps "-all$caps" \
		"$RECORD" --check --processes >"$tmp/unit"
	expect units-measure-all diff "$tmp/root" "$tmp/unit"
	;;
container)
	sh tools/image.sh "$tmp/image"
	expect container-size [ "$(du -sb "$tmp/image" | cut -f 1)" -lt 30000000 ]
	"$RECORD" --check -q >&2 || skip_all "needs BPF"
	# The command and the capabilities of the manifest, in the image's root.
	manifest=examples/kubernetes/daemonset.yaml
	args=$(sed -n 's/^ *args: .\(.*\)]/\1/p' $manifest | tr -d ',"' | sed 's|=9100|=unix:/data/socket|')
	caps=$(sed -n 's/^ *add: ./,/p' $manifest | tr -d '] ' | sed 's/,/,+/g' | tr A-Z a-z)
	for dir in proc sys dev host; do mkdir "$tmp/image/$dir"; done
	# shellcheck disable=SC2086 # words
	unshare -m sh -c 'root=$1 caps=$2; shift 2; for dir in proc sys dev; do mount --rbind /$dir "$root/$dir"; done
		exec setpriv --no-new-privs --bounding-set "-all$caps,+sys_chroot" --inh-caps "-all$caps" \
			chroot "$root" /bin/netcost-record -d 2 "$@"' sh "$tmp/image" "$caps" $args >&2
	expect container-records "$REPORT" verify "$tmp"/image/data/node-*.nct
	;;
esac
