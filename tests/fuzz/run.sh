#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A short fuzz of all that reads or writes traces, under ASan and UBSan. FUZZ_SECONDS=600 for a long one of each
# target, FUZZ_TARGETS="cut scrub" for some. What is found is left in build/fuzz: once it is mended the input
# that found it belongs into tests/fuzz/corpus.tar.zst (file/, payload/), which holds the smallest inputs that
# reach what long runs reached; -set_cover_merge=1 makes such a set.
. tests/lib.sh
need_command zstd

seconds=${FUZZ_SECONDS:-8} # for each
targets=${FUZZ_TARGETS:-file payload report recover merge scrub cut window rules}
out=$BUILD/fuzz
mkdir -p "$out"
# What is freed is kept for later inputs to trip over, but not all of it: that costs time.
export ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=8${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

flags="-std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined,float-cast-overflow -fno-sanitize-recover=undefined,float-cast-overflow
	-Iinclude -Isrc -Ibuild -I. -Wl,--wrap=malloc,--wrap=realloc,--wrap=free $(pkg-config --cflags libzstd libprotobuf-c zlib)"
sources="tests/fuzz/*.c tests/verified.c format/*.c src/common/*.c
	$(find src/report -name '*.c' ! -path '*/cmd/*' ! -name main.c | tr '\n' ' ') build/profile.pb-c.c"

# fuzz NAME SEEDS...: the target that the program is called by
fuzz() {
	name=$1
	shift
	ln -sf fuzz "$out/$name"
	mkdir -p "$out/found-$name"
	"$out/$name" -max_total_time="$seconds" -max_len=8192 -rss_limit_mb=1024 -malloc_limit_mb=64 -timeout=10 \
		-dict=tests/fuzz/nct.dict -artifact_prefix="$out/$name-" -print_final_stats=1 "$out/found-$name" "$@" \
		>"$out/$name.log" 2>&1
}

make -s texts
# shellcheck disable=SC2086 # lists
if ! ${CLANG:-clang} $flags $sources -o "$out/fuzz" $(pkg-config --libs libzstd libprotobuf-c zlib) -lm 2>"$out/build.log"; then
	if grep -q 'libclang_rt' "$out/build.log"; then
		skip_all "clang has no runtime for -fsanitize=fuzzer (libclang-rt)"
	fi
	cat "$out/build.log"
	fail fuzz-build "clang failed"
	exit 1
fi
"$PYTHON" tests/fuzz/seeds.py "$out/seeds"
mkdir -p "$out/corpus" "$out/seeds/rules"
cp examples/rules/*.rules "$out/seeds/rules"
zstd -dcq tests/fuzz/corpus.tar.zst | tar -xf - -C "$out/corpus"

for name in $targets; do
	kind=payload
	[ "$name" != file ] || kind=file
	[ "$name" != rules ] || kind=rules
	mkdir -p "$out/corpus/$kind" "$out/seeds/$kind"
	if fuzz "$name" "$out/corpus/$kind" "$out/seeds/$kind"; then
		pass "fuzz-$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$name.log") inputs"
	else
		tail -n 40 "$out/$name.log"
		fail "fuzz-$name" "a finding, see $out"
	fi
done
