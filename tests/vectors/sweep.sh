#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154,SC2086 # $whole: traces, from run.sh
# Real traces are cut at every byte, one bit in STEP is flipped, and each frame is lost (`make
# sweep` flips every bit). zstd's own reader of its seekable format reads $whole.
. tests/lib.sh

if make -s BUILD="$BUILD" WERROR=1 "$BUILD/tests/sweep" >"$tmp/log" 2>&1; then
	"$BUILD/tests/sweep" -s "${STEP:-97}" format/vectors/real-*.nct || fail sweep "see above"
else
	cat "$tmp/log"
	fail sweep "make failed"
fi

# No package has that reader, so it is built once from the distribution's source.
seekable=$BUILD/zstd-seekable
fetch_reference() {
	mkdir -p "$seekable/lists/partial" "$seekable/sources"
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.*; do
		[ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$list" >"$seekable/sources/$(basename "$list")"
	done
	(
		cd "$seekable" || exit
		set -- -qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/sources" \
			-o Dir::State::lists="$PWD/lists"
		timeout 300 apt-get "$@" update && timeout 300 apt-get "$@" source --download-only libzstd &&
			tar -x --strip-components=1 -f libzstd_*.orig.tar.?z &&
			cd contrib/seekable_format && ${CC:-cc} -O1 -w -DXXH_NAMESPACE=ZSTD_ -I. -I../../lib -I../../lib/common \
			-o "$OLDPWD/reader" examples/seekable_decompression.c zstdseek_decompress.c ../../lib/common/xxhash.c -lzstd
	) >"$tmp/log" 2>&1
}
if [ -x "$seekable/reader" ] || fetch_reference; then
	expect seekable-reference "$PYTHON" tests/vectors/seekable.py -r "$seekable/reader" $whole
else
	tail -n 1 "$tmp/log"
	skip seekable-reference "needs source of zstd"
fi
