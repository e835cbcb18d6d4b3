#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_calibrated.sh OUT VERSION: what was injected in guest/test_calibrated.sh came back where it belongs.
. tests/lib.sh

for trace in "$1"/spin-*.nct; do
	name=$(basename "$trace" .nct)
	case $name in
	*-again) continue ;;
	*-tc | *-xdp) event=rx_softirq ;;
	*-recvmsg) event=sock_recv ;;
	*) event=sock_send ;;
	esac
	status=0
	"$PYTHON" tests/host/injected.py back "$trace" "${trace%.nct}.blocks" $event || status=$?
	again=${trace%.nct}-again
	# Up to six blocks may vary for a task that migrates all the time. A fault would appear each time.
	if [ $status -eq 1 ] && [ -e "$again.nct" ]; then
		status=0 trace=$again.nct
		"$PYTHON" tests/host/injected.py back "$trace" "$again.blocks" $event || status=$?
	fi
	case $status in
	0) pass "$2:$name" ;;
	3) skip "$2:$name" "this machine is too slow, or too busy, to say" ;;
	*) fail "$2:$name" "the measured time differs from the injected time" ;;
	esac
	[ "$status" -eq 3 ] || judge "$2:$name-nowhere-else" "this machine is too slow, or too busy, to say" \
		"$PYTHON" tests/host/injected.py elsewhere "$trace" "${trace%.nct}.blocks" $event
	expect "$2:$name-identity" [ "$("$PYTHON" tests/nct.py "$trace" 'x.check_identity()')" = True ]
done
