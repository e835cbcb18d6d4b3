#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hostile inputs into all that reads or writes traces, under ASan and UBSan. The gate replays the corpus, the conformance
# vectors and seeds.py (replay.c); NETCOST_TIER=all also explores with libFuzzer: FUZZ_SECONDS=600 for each target,
# FUZZ_TARGETS="cut scrub" for some. What is found is left in build/fuzz: once it is mended the input that found it belongs
# into tests/fuzz/corpus.tar.zst (file/, payload/), which holds the smallest inputs that reach what long runs reached;
# -set_cover_merge=1 makes such a set.
. tests/lib.sh
need_command zstd

targets=${FUZZ_TARGETS:-file payload report recover merge scrub cut window rules}
out=$BUILD/fuzz
mkdir -p "$out"
# Freed memory is kept in quarantine to detect use after free. Its size is limited, because
# quarantine costs time.
limits="quarantine_size_mb=16:malloc_context_size=8${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

rm -rf "$out/corpus" "$out/seeds"
mkdir -p "$out/corpus/rules" "$out/seeds/rules"
"$PYTHON" tests/fuzz/seeds.py "$out/seeds"
cp examples/rules/*.rules "$out/seeds/rules"
zstd -dcq tests/fuzz/corpus.tar.zst | tar -xf - -C "$out/corpus"

# kind TARGET: prints the kind of the target's input
kind() {
	case $1 in file | rules) echo "$1" ;; *) echo payload ;; esac
}

# ---- known inputs

replay=$BUILD
case $BUILD in *san) ;; *) replay=$BUILD/san ;; esac
replay=$replay/tests/replay
if ! make -s SAN=1 "$replay" >"$tmp/log" 2>&1; then
	cat "$tmp/log"
	fail fuzz-build "make failed"
	exit 1
fi
for name in $targets; do
	ASAN_OPTIONS=$limits:max_allocation_size_mb=64:hard_rss_limit_mb=1024 "$replay" "$name" \
		"$out/corpus/$(kind "$name")" "$out/seeds/$(kind "$name")" || lib_failed=1
done
[ "${NETCOST_TIER:-gate}" = all ] || exit 0

# ---- libFuzzer

seconds=${FUZZ_SECONDS:-8} # for each target
flags="-std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined,float-cast-overflow -fno-sanitize-recover=undefined,float-cast-overflow
	-Iinclude -Isrc -Ibuild -I. -Wl,--wrap=malloc,--wrap=realloc,--wrap=free $(pkg-config --cflags libzstd libprotobuf-c zlib)"
sources="$(find tests/fuzz -name '*.c' ! -name replay.c | tr '\n' ' ') tests/verified.c format/*.c src/common/*.c
	$(find src/report -name '*.c' ! -path '*/cmd/*' ! -name main.c | tr '\n' ' ') build/profile.pb-c.c build/perfetto.pb-c.c"

# fuzz NAME SEEDS...: runs the target that the program selects by its name
fuzz() {
	name=$1
	shift
	export ASAN_OPTIONS="$limits"
	ln -sf fuzz "$out/$name"
	mkdir -p "$out/found-$name"
	"$out/$name" -max_total_time="$seconds" -max_len=8192 -rss_limit_mb=1024 -malloc_limit_mb=64 -timeout=60 \
		-dict=tests/fuzz/nct.dict -artifact_prefix="$out/$name-" -print_final_stats=1 "$out/found-$name" "$@" \
		>"$out/$name.log" 2>&1
}

make -s texts
# shellcheck disable=SC2086 # lists
if ! ${CLANG:-clang} $flags $sources -o "$out/fuzz" $(pkg-config --libs libzstd libprotobuf-c zlib) -lm 2>"$out/build.log"; then
	if grep -q 'libclang_rt' "$out/build.log"; then
		skip_all "needs libclang-rt"
	fi
	cat "$out/build.log"
	fail fuzz-build "clang failed"
	exit 1
fi
for name in $targets; do
	if fuzz "$name" "$out/corpus/$(kind "$name")" "$out/seeds/$(kind "$name")"; then
		pass "explore-$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$name.log") inputs"
	else
		tail -n 40 "$out/$name.log"
		fail "explore-$name" "a finding, see $out"
	fi
done
