#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A short fuzz of the reader and the model under ASan and UBSan. FUZZ_SECONDS=600 for a long one; a finding
# is left in build/fuzz, and belongs into tests/fuzz/corpus once it is mended.
. tests/lib.sh

seconds=${FUZZ_SECONDS:-30} # for each of the two
out=$BUILD/fuzz
mkdir -p "$out"

flags="-std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
	-Iinclude -I. $(pkg-config --cflags libzstd)"
sources="tests/fuzz/fuzz.c format/*.c src/common/*.c
	$(ls src/report/*.c | grep -v -e /main.c -e /cmd_ | tr '\n' ' ')"

# build NAME [FLAGS]
build() {
	name=$1
	shift
	# shellcheck disable=SC2086 # lists
	${CLANG:-clang} $flags "$@" $sources -o "$out/$name" $(pkg-config --libs libzstd) -lm 2>"$out/$name.log"
}

# fuzz NAME SEEDS...: a minute's worth, from the kept corpus and the given folders
fuzz() {
	name=$1
	shift
	mkdir -p "$out/found-$name"
	"$out/$name" -max_total_time="$seconds" -max_len=65536 -rss_limit_mb=1024 -malloc_limit_mb=64 -timeout=10 \
		-artifact_prefix="$out/$name-" -print_final_stats=1 "$out/found-$name" "$@" >"$out/$name.log" 2>&1
}

if ! build file; then
	if grep -q 'libclang_rt' "$out/file.log"; then
		skip_all "clang has no runtime for -fsanitize=fuzzer (libclang-rt)"
	fi
	cat "$out/file.log"
	fail fuzz-build "clang failed"
	exit 1
fi
build payload -DFUZZ_PAYLOAD

for name in file payload; do
	if fuzz "$name" "tests/fuzz/corpus/$name"; then
		pass "fuzz-$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$name.log") inputs"
	else
		tail -n 40 "$out/$name.log"
		fail "fuzz-$name" "a finding, see $out"
	fi
done
