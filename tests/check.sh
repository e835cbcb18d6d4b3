#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks of the source itself.
#
#	sh tests/check.sh source|spec-tables|layers
. tests/lib.sh

case $1 in
source)
	# other versions format the source differently
	case $(clang-format --version 2>&1) in
	*"version 14."*) expect source-format make -s check-format ;;
	*) skip source-format "needs clang-format 14" ;;
	esac
	# Newer vmlinux.h and libbpf declare kernel functions by their names, so netcost's declarations use other names.
	expect source-kernel-functions sh -c '! grep -nE "[*](const )?bpf_[a-z_]+[)]" bpf/*.[ch]'
	;;
spec-tables) expect spec-tables "$PYTHON" format/spec_tables.py --check ;;
layers) expect layers "$PYTHON" tools/check-layers.py build/obj ;;
esac
