#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2046 # vectors have no blanks
# The format stays readable: the reader of format 1.0 (frozen/README.md) on all traces of the tree, and on traces as later
# versions may write them; and the script of SPEC.md that reads a trace by what the trace says of itself.
. tests/lib.sh
need_command zstd

# vectors CLASS...: the files of these classes
vectors() {
	for class in "$@"; do
		awk -F '\t' -v class="$class" '$3 == class { print "format/vectors/" $1 ".nct" }' format/vectors/STATUS
	done
}

frozen() {
	"$PYTHON" tests/format/frozen.py "$@"
}

expect frozen-tables frozen
expect frozen-vectors frozen $(vectors ok hint whole content cut) format/vectors/real-*.nct
expect frozen-examples frozen examples/*.nct
expect frozen-later frozen -f -r "$REPORT" $(vectors ok)
expect described-by-itself "$PYTHON" tests/format/described.py examples/demo.nct
