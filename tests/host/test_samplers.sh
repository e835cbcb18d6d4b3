#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2154 # $spawned is set by tests/lib.sh
# Checks samples: their cgroups, stacks of user space, and --net-only.
. tests/lib.sh
need_recorder
need_command zstd

tool="$PYTHON tests/host/samplers.py"

# ---- cgroups of samples: a cgroup that exists before the recording, and a cgroup that is created and removed during it

mkdir "$tmp/cg"
comm=load-$$ # process name by which the samples are found
cp "$(command -v sh)" "$tmp/$comm"
first=netcost-spin-1-$$ second=netcost-spin-2-$$
cat >"$tmp/load" <<END
spin() {
	end=\$((\$(date +%s) + 2))
	while [ "\$(date +%s)" -lt \$end ]; do i=0; while [ \$i -lt 20000 ]; do i=\$((i + 1)); done; done
}
echo \$\$ >"$tmp/cg/$first/cgroup.procs"
spin
mkdir "$tmp/cg/$first/$second"
echo \$\$ >"$tmp/cg/$first/$second/cgroup.procs"
spin
echo \$\$ >"$tmp/cg/cgroup.procs"
rmdir "$tmp/cg/$first/$second"
END
cat >"$tmp/in-cgroup2" <<END
mkdir "$tmp/cg/$first" &&
"$RECORD" -q --exact=off -i 5000 -o "$tmp/cgroups.nct" -- "$tmp/$comm" "$tmp/load"
status=\$?
rmdir "$tmp/cg/$first/$second" 2>/dev/null
rmdir "$tmp/cg/$first"
exit \$status
END
if ! "$RECORD" --check --exact=off >"$tmp/check" || ! grep -q '^cgroups *measured' "$tmp/check" ||
	! with_cgroup2 "$tmp/cg" true 2>/dev/null; then
	skip samplers-cgroups "needs cgroups"
else
	expect samplers-cgroups-records with_cgroup2 "$tmp/cg" sh "$tmp/in-cgroup2"
	# shellcheck disable=SC2086 # words
	expect samplers-cgroups $tool cgroups "$tmp/cgroups.nct" $comm "/$first" "/$first/$second"
	expect samplers-verify "$REPORT" verify -q "$tmp/cgroups.nct"
	"$REPORT" scrub -q "$tmp/cgroups.nct" -o "$tmp/scrubbed.nct"
	"$REPORT" dump "$tmp/scrubbed.nct" >"$tmp/dump"
	expect samplers-scrub sh -c "! grep -q netcost-spin '$tmp/dump' && grep -q cgroup1 '$tmp/dump'"
fi

# ---- stacks of user space: a function of a library with frame pointers, which spins for a known time

printf '%s\n' '#include <time.h>' 'void spin_ms(long ms) { while (clock() < ms * (CLOCKS_PER_SEC / 1000)) for (volatile int i = 0; i < 500000; i++) {} }' >"$tmp/spin.c"
printf '%s\n' 'void spin_ms(long);' 'int main(void) { spin_ms(1500); return 0; }' >"$tmp/user.c"
if (cd "$tmp" && gcc -O1 -fno-omit-frame-pointer -Wl,--build-id -shared -fPIC spin.c -o libncspin.so &&
	gcc -O1 -fno-omit-frame-pointer -Wl,--build-id user.c -o ncuser -L. -lncspin) 2>/dev/null; then
	expect samplers-user-records env LD_LIBRARY_PATH="$tmp" "$RECORD" -q --user-stacks --exact=off \
		-o "$tmp/user.nct" -- "$tmp/ncuser"
	expect samplers-user-verify "$REPORT" verify -q "$tmp/user.nct"
	"$REPORT" folded "$tmp/user.nct" >"$tmp/folded"
	# 1500 samples at 999 Hz, a few of them in what clock() runs
	expect samplers-user-time awk '/ncuser[+]0x[0-9a-f]+;libncspin[.]so[+]0x/ { n += $NF }
		END { exit !(n > 1350 && n < 1600) }' "$tmp/folded"
	"$REPORT" scrub -q "$tmp/user.nct" -o "$tmp/scrubbed.nct"
	"$REPORT" dump "$tmp/scrubbed.nct" >"$tmp/dump"
	expect samplers-user-scrub sh -c "! grep -q ncspin '$tmp/dump' && grep -q '\"build_id\":\"[0-9a-f]' '$tmp/dump'"
else
	skip samplers-user "needs gcc"
fi
expect samplers-user-not-net-only sh -c "! '$RECORD' --user-stacks --net-only -o '$tmp/x.nct' 2>'$tmp/err' &&
	grep -q '^netcost-record: --user-stacks: ' '$tmp/err'"

# ---- only CPUs that are inside the network: the number of samples matches the exact times, and no sample is of user
# mode

if "$RECORD" --check --net-only -q; then
	net_only() {
		"$RECORD" -q --net-only -o "$tmp/net.nct" -- "$PYTHON" -c '
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
end = time.monotonic() + 1
while time.monotonic() < end:
    s.sendto(bytes(500), s.getsockname())
    s.recv(500)'
	}
	expect samplers-net-only-records net_only
	expect samplers-net-only-verify "$REPORT" verify -q "$tmp/net.nct"
	# shellcheck disable=SC2086 # words
	expect samplers-net-only $tool only-inside "$tmp/net.nct" "$REPORT"
	expect samplers-net-only-is-said sh -c "'$REPORT' info '$tmp/net.nct' | grep -q 'samples 999 Hz, bpf, cpu-clock'"
else
	skip samplers-net-only "needs tracepoints of Linux 6.3"
fi
expect samplers-net-only-needs-exact sh -c "! '$RECORD' --net-only --exact=off -o '$tmp/x.nct' 2>'$tmp/err' &&
	grep -q '^netcost-record: --net-only: ' '$tmp/err'"
"$RECORD" --event=cycles --check >"$tmp/check" 2>&1 || :
if grep -q '^samples *refused' "$tmp/check"; then
	expect samplers-no-cycles grep -q '^netcost-record: cannot count cycles: .*; use --event=cpu-clock$' "$tmp/check"
else
	expect samplers-cycles "$RECORD" -q --event=cycles -d 2 -o "$tmp/cycles.nct"
fi
