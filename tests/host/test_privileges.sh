#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks which rights processes have after the start, as root and with capabilities of the file; --user; whom --mark reaches.
[ "$(id -u)" -ne 0 ] || [ -n "${NETCOST_TEST_ALONE:-}" ] || exec env NETCOST_TEST_ALONE=1 unshare -n sh "$0"
. tests/lib.sh
need_recorder
chmod 755 "$tmp" && mkdir -m 777 "$tmp/nobody" && install -m 755 "$RECORD" "$REPORT" "$tmp"
caps_of() { # WHO: the capabilities that the table has for it
	"$RECORD" --print-privileges | sed -n "s/^\(CAP_[A-Z_]*\) .*$1[, ] .*/\1/p" | tr '\nA-Z' ',a-z'
}
# has PID WHO SECCOMP: NoNewPrivs, and only the capabilities that the table has for WHO
has() {
	mask=$(setpriv --inh-caps="-all,+$(caps_of "$2" | sed 's/cap_//g; s/,$//; s/,/,+/g')" sed -n 's/^CapInh:.//p' /proc/self/status)
	sed -n 's/^\(Cap[PE]..\|CapBnd\|CapInh\|CapAmb\|NoNewPrivs\|Seccomp\):.//p' "/proc/$1/status" | tr '\n' ' ' | tee /dev/stderr |
		grep -q "^0* $mask $mask $mask 0* 1 $3 $"
}
state='grep -E "^(Uid|CapEff|NoNewPrivs|Seccomp):" /proc/self/status | cut -f2 | tr "\n" " "'

spawn "$tmp/netcost-record" -q --user-stacks --rotate=1s --post="$state >>$tmp/post" --listen=127.0.0.1:0 -o "$tmp/r.nct" -- sleep 600 2>"$tmp/said"
root=$spawned
expect privileges-post wait_for 60 grep -qsF "$(sh -c "$state")" "$tmp/post"
expect privileges-recorder has "$root" recorder 2
for helper in $(pgrep -P "$root"); do
	case $(tr '\0' ' ' <"/proc/$helper/cmdline")$(sed -n 's/Seccomp:.//p' "/proc/$helper/status") in
	*export*) expect privileges-report has "$helper" report 2 ;;
	*2) has "$helper" admin 2 && admin=$helper || expect privileges-files has "$helper" files 2 ;;
	*record*) expect privileges-post-starter grep -q 'CapPrm:.0000000000000000' "/proc/$helper/status" ;;
	esac
done
expect privileges-admin [ -n "${admin:-}" ]
setcap "$(caps_of recorder)cap_ipc_lock,cap_sys_admin+ep" "$tmp/netcost-record"
spawn setpriv --reuid 65534 --regid 65534 --clear-groups "$tmp/netcost-record" -q --processes --stages -o "$tmp/nobody/u.nct" -- \
	sh -c "$state >$tmp/nobody/command; exec sleep 600" 2>"$tmp/nobody/said"
expect privileges-setcap wait_for 60 grep -q '^65534 0000000000000000 0 0 ' "$tmp/nobody/command"
expect privileges-setcap-recorder grep -q 'Seccomp:.2' "/proc/$spawned/status"
expect mark-of-root-reaches-all [ "$("$tmp/netcost-record" --mark x | grep -c "($tmp/.*[ru][.-]")" -eq 2 ]
setpriv --reuid 65534 --clear-groups "$tmp/netcost-record" --mark x >"$tmp/marked" 2>&1
expect mark-of-user-reaches-own [ "$(sed 's/ (.*//; s/ a .*//' "$tmp/marked" | grep -c "^marked in.*$spawned\|^netcost-record: netcost-record $root accepts")" -eq 2 ]
kill "$root" "$spawned" && wait "$root" "$spawned"
expect privileges-nothing-refused [ "$(cat "$tmp/said" "$tmp/nobody/said" | wc -l)" = 0 ]
expect user-runs-command [ "$("$RECORD" -q --user=nobody -o "$tmp/n.nct" -- sh -c "$state")" = "65534 0000000000000000 0 0 " ]
expect user-ends-command "$RECORD" -q --user=nobody -d 1 -o "$tmp/n.nct" -- sleep 600
! "$RECORD" --user=nosuchuser -o "$tmp/n.nct" -- true 2>/dev/null || fail user-unknown "it records"
