#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# netcost-record --listen: what it serves while it records is what `export openmetrics` says of the finished trace.

# In a network namespace of our own, whose ports nobody else has.
if [ "$(id -u)" -eq 0 ] && [ -z "${NETCOST_TEST_ALONE:-}" ]; then
	exec env NETCOST_TEST_ALONE=1 unshare -n sh "$0"
fi
. tests/lib.sh
need_recorder
ip link set lo up

for name in same rotated answers refused socket server_killed recorder_killed; do
	expect "listen-$name" "$PYTHON" tests/host/listen.py "$name" "$RECORD" "$REPORT" "$tmp"
done
