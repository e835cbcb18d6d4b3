#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the pictures in examples/pictures from the traces in examples. Needs gnuplot and build/netcost-report:
#
#	make report && sh examples/pictures.sh [FOLDER]        (default: examples/pictures)
#
# With the same version of gnuplot the same traces give the same pictures, to the byte.
set -eu
cd "$(dirname "$0")/.."

out=${1:-examples/pictures}
mkdir -p "$out"

# One row per picture: trace | command and its options.
while read -r trace command; do
	name=$trace-$(echo "$command" | sed 's/^plot //; s/ .*//')
	# shellcheck disable=SC2086 # words
	"${BUILD:-build}/netcost-report" $command "examples/$trace.nct" >"$out/$name.svg"
	echo "$out/$name.svg"
done <<'TABLE'
demo plot breakdown
demo plot pies
demo plot timeline
load plot breakdown
load plot pies
load plot timeline
load plot accuracy
stability plot stability --cpu=0
stability plot accuracy --cpu=0
TABLE
