#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --ab finds a recorder that makes each request take 50 us more, and finds that one that records nothing changes nothing:
# in 17 of 20 runs each. A run of each kind at a time, in a network namespace of its own.
. tests/lib.sh
need_root
need_command unshare taskset
make -s build/tests/test_record_ab

# run NAME NS CPU: a run of the load, with a recorder that makes a request take NS more
run() {
	unshare -n taskset -c "$3" sh -c 'ip link set lo up && exec "$@"' sh "$BUILD/tests/test_record_ab" "$tmp/$1.flag" \
		"$PYTHON" tests/soak/ab.py load "$tmp/$1.flag" "$2" >"$tmp/$1" 2>&1
}

for i in $(seq 20); do
	run "spin-$i" 50000 0 &
	run "nothing-$i" 0 "$(($(getconf _NPROCESSORS_ONLN) - 1))"
	wait
done
expect ab-spin "$PYTHON" tests/soak/ab.py judge "$tmp"/spin-*[0-9]
expect ab-nothing "$PYTHON" tests/soak/ab.py judge "$tmp"/nothing-*[0-9]
