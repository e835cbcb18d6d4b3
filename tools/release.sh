#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The checklist of a release: checks, sets the version, tests it, commits, tags. It publishes nothing.
#
#	sudo sh tools/release.sh VERSION            all of it (an hour and more)
#	sh tools/release.sh --check VERSION         only what needs no change
set -eu
cd "$(dirname "$0")/.."

check_only=0
[ "${1:-}" != --check ] || { check_only=1; shift; }
version=${1:-}
echo "$version" | grep -qx '[0-9]\+\.[0-9]\+\.[0-9]\+' || { sed -n 's/^#	//p' "$0" >&2; exit 2; }
failed=0

# step TEXT COMMAND...: a row of the checklist
step() {
	text=$1
	shift
	if "$@"; then echo "[x] $text"; else echo "[ ] $text: $*"; failed=1; fi
}

done_or_stop() {
	[ "$failed" = 0 ] || { echo "release: not done; nothing is tagged" >&2; exit 1; }
}

new_version() {
	! git rev-parse -q --verify "refs/tags/v$version" >/dev/null
}

changes_are_listed() {
	awk '/^## /{ in_it = /^## Unreleased/ } in_it && /^- / { n++ } END { exit !n }' CHANGELOG.md
}

# The format's major number changes only with its magic, and the frozen reader of 1.0 stays as it is.
format_is_frozen() {
	/usr/bin/python3 format/spec_tables.py --check &&
		grep -q '^# The .nct trace format, version 1\.' format/SPEC.md && grep -q 'never uses a number again' format/SPEC.md &&
		git ls-files --error-unmatch tests/vectors/reader-1.0.py.xz tests/libnetcost-trace.so.1.abi.xz >/dev/null
}

set_version() {
	sed -i "s/\(NETCOST_VERSION \)\".*\"/\1\"$version\"/" include/netcost/version.h
	sed -i "s/image: netcost:.*/image: netcost:$version/" examples/kubernetes/daemonset.yaml
	sed -i "s/^## Unreleased/## $version/; /^Nothing is released yet\./,/^\$/d" CHANGELOG.md
	{
		printf 'netcost (%s) unstable; urgency=medium\n\n  * Version %s; see CHANGELOG.md.\n\n' "$version" "$version"
		printf ' -- The netcost authors <netcost@example.org>  %s\n\n' "$(LC_ALL=C date -R)"
		[ "$(sed -n 's/^netcost (\(.*\)) .*/\1/p' debian/changelog | head -n 1)" = 0.1.0 ] || cat debian/changelog
	} >debian/changelog.new
	mv debian/changelog.new debian/changelog
}

archived() {
	git archive --prefix="netcost-$version/" -o "build/netcost-$version.tar" "v$version" && xz -9f "build/netcost-$version.tar" &&
		sha256sum "build/netcost-$version.tar.xz"
}

step "nothing is uncommitted" test -z "$(git status --porcelain)"
step "the version is new" new_version
step "CHANGELOG.md lists changes" changes_are_listed
step "format and ABI are frozen" format_is_frozen
step "SECURITY.md is there" test -s SECURITY.md
done_or_stop
[ "$check_only" = 0 ] || exit 0

step "the version is $version" set_version
step "all tests pass, reproducible builds among them" sh tests/run.sh all
step "the packages of Debian install, run and purge" sh tests/packages.sh debian
step "it builds for arm64, and runs there" sh tests/packages.sh arm64
done_or_stop
step "committed" git commit -qam "release: $version"
step "tagged" git tag -a -m "netcost $version" "v$version"
step "archived" archived
done_or_stop
cat <<'REST'
By hand:
[ ] make soak and make bench-results on a quiet machine: no budget of tests/bench/RESULTS.md is exceeded
[ ] the packages of sh tests/fresh-root.sh --keep package, for each release of Debian
[ ] podman build, and the DaemonSet on a cluster
[ ] git push with the tag; sign the archive
REST
