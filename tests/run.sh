#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs what testing needs, builds, runs the tests. Needs only the checkout, root and a package manager.
#
#	sudo sh tests/run.sh [-v] [all] [PART [SCRIPT...]]
#
# Without "all": the gate. It judges identities and counts, in under 10 minutes on 2 cores, with the same result whatever else
# the host does. "all" adds what takes long. Amounts of time are measured by `make soak` and never decide.
# PART is one of those that tests/run.py lists; SCRIPT is a test of it, such as `host test_counts`.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"

if ! sh tools/deps.sh test >&2; then
	echo "not ok deps: a package that testing needs is missing"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
# The distribution's interpreter, which has its msgpack, even if another python3 comes first in PATH.
exec "${PYTHON:-/usr/bin/python3}" tests/run.py "$@"
