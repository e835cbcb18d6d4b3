#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC3045,SC2086 # dash has "ulimit -v"; commands are lists of words
# A real trace cut and flipped; seek tables, as zstd's own reader of them takes them; every command on every
# vector with little memory. `make sweep` flips every bit: here one in STEP.
. tests/lib.sh
need_command zstd

vectors=format/vectors

# ---- cut at every byte, bits flipped, frames lost

if make -s BUILD="$BUILD" WERROR=1 "$BUILD/tests/sweep" >"$tmp/log" 2>&1; then
	"$BUILD/tests/sweep" -s "${STEP:-97}" $vectors/real-*.nct || fail sweep "see above"
else
	cat "$tmp/log"
	fail sweep "make failed"
fi

# ---- the container: zstd takes it, and finds its way by the seek table alone

# zstd's own reader of its seekable format, which no package has: built from the distribution's source. A
# minute at most, once; $reference stays empty where it cannot be had.
reference=
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
		timeout 60 apt-get "$@" update && timeout 60 apt-get "$@" source --download-only libzstd &&
			tar -x --strip-components=1 -f libzstd_*.orig.tar.?z &&
			cd contrib/seekable_format && ${CC:-cc} -O1 -w -DXXH_NAMESPACE=ZSTD_ -I. -I../../lib -I../../lib/common \
			-o "$OLDPWD/reader" examples/seekable_decompression.c zstdseek_decompress.c ../../lib/common/xxhash.c -lzstd
	) >"$tmp/log" 2>&1
}
if [ -x "$seekable/reader" ] || fetch_reference; then
	reference="-r $seekable/reader"
else
	skip seekable-reference "zstd's source cannot be had: $(tail -n 1 "$tmp/log")"
fi

# whole FILE: a complete trace, whoever wrote it
whole() {
	name=$(basename "$1" .nct)
	expect "zstd-whole-$name" zstd -qt "$1"
	expect "verify-whole-$name" "$REPORT" verify -q "$1"
	if "$PYTHON" tests/vectors/seekable.py $reference "$1" >"$tmp/log" 2>&1; then
		pass "seekable-$name: $(sed 's/.*: //' "$tmp/log")"
	else
		fail "seekable-$name" "$(tail -n 1 "$tmp/log")"
	fi
}

traffic='import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
end = time.monotonic() + 2
while time.monotonic() < end:
    for _ in range(100):
        s.sendto(bytes(500), s.getsockname())
        s.recv(500)'

if [ -x "$RECORD" ] && "$RECORD" --check -q >"$tmp/log" 2>&1; then
	"$RECORD" -q -o "$tmp/recorded.nct" -- "$PYTHON" -c "$traffic"
	"$RECORD" -q -o - -- "$PYTHON" -c "$traffic" | tee "$tmp/piped.nct" | zstd -qt || fail zstd-pipe "zstd ended with $?"
	whole "$tmp/recorded.nct"
	whole "$tmp/piped.nct"
else
	skip zstd-recorded "no recording here: $(tail -n 1 "$tmp/log")"
fi

real=$vectors/real-2026-11-22.nct
cat "$real" examples/demo.nct >"$tmp/joined.nct"
"$REPORT" merge -q "$real" examples/demo.nct "$tmp/merged.nct"
"$REPORT" merge -q "$tmp/joined.nct" "$real" "$tmp/merged-3.nct"
"$REPORT" recover -q "$real" "$tmp/recovered.nct"
"$REPORT" scrub -q "$tmp/merged.nct" "$tmp/scrubbed.nct"
"$REPORT" cut -q --from 1 --to 2 "$real" "$tmp/cut.nct"
for trace in $vectors/real-*.nct examples/demo.nct "$tmp/merged.nct" "$tmp/merged-3.nct" "$tmp/recovered.nct" "$tmp/scrubbed.nct" "$tmp/cut.nct"; do
	whole "$trace"
done
for name in example frames size-fields skippable-large unknown-long parts-table-all parts-many; do
	whole "$vectors/$name.nct"
done

# ---- memory: what the least trace takes, and 24 MiB: a frame compressed and as it is read

ends_well() {
	"$@" >/dev/null 2>&1
}

need=4096
until (ulimit -v $need && ends_well "$REPORT" summary $vectors/minimal.nct); do
	need=$((need + 1024))
	[ $need -lt 1048576 ] || break
done
memory=$((need + ${ROOM_KIB:-24576}))

# little COMMAND FILE [OPERAND]: nothing else happens than with all the memory there is
little() {
	rc=0
	"$REPORT" "$@" >"$tmp/all.out" 2>"$tmp/all.err" || rc=$?
	limited=0
	(ulimit -v $((memory + more)) && exec "$REPORT" "$@") >"$tmp/little.out" 2>"$tmp/little.err" || limited=$?
	case $rc in
	0 | 1 | 3) ;;
	*) return 1 ;;
	esac
	[ $limited -eq $rc ] && cmp -s "$tmp/all.out" "$tmp/little.out" && cmp -s "$tmp/all.err" "$tmp/little.err"
}

# on_all COMMAND OPERAND [KIB]: KIB more than others
on_all() {
	count=0 bad='' more=${3:-0}
	for file in $vectors/*.nct "$tmp"/large/*.nct; do
		count=$((count + 1))
		little $1 "$file" $2 || bad="$bad $(basename "$file" .nct): $rc, $limited;"
	done
	name=memory-all-$(echo $1 | tr -d ' =')
	if [ -z "$bad" ]; then pass "$name: $count traces in $((memory + more)) KiB"; else fail "$name" "$bad"; fi
}

if [ $need -ge 1048576 ]; then
	skip memory-all "does not run with 1 GiB of address space (a build with sanitizers?)"
else
	mkdir "$tmp/large"
	"$PYTHON" $vectors/generate.py --large "$tmp/large"
	for command in verify info "info --format=json" dump "dump --samples" "dump --recover" summary "summary --format=json" folded \
		"folded --per-cpu"; do
		on_all "$command" ""
	done
	for command in recover merge scrub; do
		on_all "$command" -
	done
	on_all "cut --from=0.1" - 10240 # another reader beside the first
fi
