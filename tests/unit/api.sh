#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The trace library in a program outside of this tree: installed, found by pkg-config, compiled, run.
. tests/lib.sh

prefix=$tmp/usr
make -s BUILD="$BUILD" WERROR=1 PREFIX="$prefix" install-lib >/dev/null
cp examples/api/samples_per_cpu.c "$tmp"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

# Reads the content of the trace with a reader that shares no code with the library.
"$PYTHON" - examples/demo.nct >"$tmp/want" <<'PY'
import collections
import sys
sys.path.insert(0, "tests")
import nct
samples, user = collections.Counter(), collections.Counter()
for kind, rec in nct.objects(sys.argv[1]):
    if kind == nct.SAMPLES:
        samples[rec[1]] += len(rec[6])
        user[rec[1]] += rec[6].count(0)
for cpu in sorted(samples):
    print("cpu%d %d %d" % (cpu, samples[cpu], user[cpu]))
PY

# compiles COMPILER...: compiles and runs a user of the library
compiles() {
	# shellcheck disable=SC2046 # words
	"$@" -Wall -Wextra -Werror -o "$tmp/program" "$tmp/samples_per_cpu.c" $(pkg-config --cflags --libs ${static:-} netcost-trace) ||
		return 1
	"$tmp/program" examples/demo.nct >"$tmp/got" && cmp "$tmp/want" "$tmp/got"
}

expect api-finds-samples [ -s "$tmp/want" ]
expect api-program compiles cc -std=c11 -D_GNU_SOURCE
static=--static expect api-program-static compiles cc -std=c11 -D_GNU_SOURCE -static
if command -v c++ >/dev/null; then
	expect api-program-in-c++ compiles c++ -x c++
else
	skip api-program-in-c++ "needs C++ compiler"
fi
echo "this is no trace" >"$tmp/text"
expect api-says-what-is-wrong sh -c "! '$tmp/program' '$tmp/text' 2>'$tmp/err' && grep -q 'not a netcost trace' '$tmp/err'"
expect api-names-are-its-own [ -z "$(nm -g --defined-only "$prefix/lib/libnetcost-trace.a" | awk 'NF == 3 && $3 !~ /^trace_/')" ]
# After a compatible change: abidw --headers-dir include/netcost --drop-private-types --no-corpus-path --no-comp-dir-path \
#	--short-locs build/api/libnetcost-trace.so.1 | xz -9e >tests/libnetcost-trace.so.1.abi.xz
xz -dc tests/libnetcost-trace.so.1.abi.xz >"$tmp/frozen.abi"
expect api-abi-is-frozen abidiff --no-added-syms "$tmp/frozen.abi" "$BUILD/api/libnetcost-trace.so.1"
make -s BUILD="$BUILD" WERROR=1 PREFIX="$prefix" uninstall >/dev/null
expect api-uninstalls [ -z "$(find "$prefix" ! -type d)" ]
