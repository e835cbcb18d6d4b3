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

# ---- stacks of user space: a function of a library with frame pointers; amounts of time only in `all`

all() { [ "${NETCOST_TIER:-gate}" = all ]; }
printf '%s\n' '#include <time.h>' 'void spin_ms(long ms) { while (clock() < ms * (CLOCKS_PER_SEC / 1000)) for (volatile int i = 0; i < 500000; i++) {} }' >"$tmp/spin.c"
printf '%s\n' 'void spin_ms(long);' 'int main(void) { spin_ms(1500); return 0; }' >"$tmp/user.c"
printf '%s\n' 'void *dwfl_report_offline(void) { __builtin_trap(); }' >"$tmp/trap.c"
if (cd "$tmp" && gcc -O1 -fno-omit-frame-pointer -Wl,--build-id -shared -fPIC spin.c -o libncspin.so &&
	gcc -O1 -fno-omit-frame-pointer -Wl,--build-id user.c -o ncuser -L. -lncspin && gcc -shared -fPIC trap.c -o trap.so &&
	objcopy --only-keep-debug ncuser ncuser.debug && strip ncuser) 2>/dev/null; then
	printf '%s\n' 'category spin in user' '	functions libncspin:spin_ms' >"$tmp/rules"
	expect samplers-user-records env LD_LIBRARY_PATH="$tmp" "$RECORD" -q --user-stacks --exact=off \
		-o "$tmp/user.nct" -- "$tmp/ncuser"
	expect samplers-user-verify "$REPORT" verify -q "$tmp/user.nct"
	"$REPORT" folded "$tmp/user.nct" >"$tmp/folded"
	# neither file is where the report searches
	expect samplers-user-unnamed grep -q '^ncuser;.*ncuser[+]0x[0-9a-f]*;libncspin[.]so[+]0x' "$tmp/folded"
	# 1500 samples at 999 Hz, a few of them in what clock() runs
	! all || expect samplers-user-time awk '/^ncuser;.*ncuser[+]0x[0-9a-f]+;libncspin[.]so[+]0x/ { n += $NF }
		END { exit !(n > 1350 && n < 1600) }' "$tmp/folded"
	# by build-id where there are no symbols, and by name with the debug file, as debuginfod caches it
	id=$("$REPORT" dump "$tmp/user.nct" | sed -n 's/.*"build_id":"\([0-9a-f]*\)","file":"ncuser".*/\1/p')
	"$REPORT" info --format=json "$tmp/user.nct" >"$tmp/info"
	expect samplers-user-build-id "$PYTHON" -c 'import json, sys
f, = [f for f in json.load(open(sys.argv[1]))["user_files"] if f["file"] == "ncuser"]
assert f["build_id"] == sys.argv[2] and f["addresses"] > f["named"] == 0, f' "$tmp/info" "$id"
	mkdir -p "$tmp/cache/$id" && mv "$tmp/ncuser.debug" "$tmp/cache/$id/debuginfo"
	named() { env LD_LIBRARY_PATH="$tmp" DEBUGINFOD_CACHE_PATH="$tmp/cache" "$REPORT" "$@"; }
	totals() { "$PYTHON" -c 'import sys
a, b = (sum(int(line.rsplit(" ", 1)[1]) for line in open(f)) for f in sys.argv[1:])
sys.exit(f"{a} and {b} samples" if a != b else 0)' "$@"; }
	if ldd "$REPORT" | grep -q libdw; then
		named folded "$tmp/user.nct" >"$tmp/named"
		expect samplers-user-name grep -q '^ncuser;.*ncuser:main;libncspin:spin_ms' "$tmp/named"
		expect samplers-user-totals totals "$tmp/folded" "$tmp/named"
		named --rules="$tmp/rules" folded --only=spin "$tmp/user.nct" >"$tmp/only"
		expect samplers-user-category sh -c "grep -q 'libncspin:spin_ms' '$tmp/only' && ! grep -v 'libncspin:spin_ms' '$tmp/only'"
		named top --only=cpu --rows=100 --format=json "$tmp/user.nct" >"$tmp/top"
		named --format=json --rules="$tmp/rules" "$tmp/user.nct" >"$tmp/json"
		# twice the interval of 95 %: 1 in 10 000 recordings is outside
		! all || expect samplers-user-interval "$PYTHON" -c 'import json, sys
d, top = [json.load(open(f)) for f in sys.argv[1:]]
c, = [c for c in d["sampled_categories"] if c["key"] == "spin"]
f, = [f["inclusive"] for f in top["functions"] if f["function"] == "libncspin:spin_ms"]
s = d["cpu_time"]["wall_ns"] / 1e11
for percent, ci95 in (c["inclusive_percent"], c["inclusive_ci95_percent"]), (f["percent"], f["ci95_percent"]):
    assert abs(s * percent - 1.5) < 2 * s * ci95, (s, percent, ci95)' "$tmp/json" "$tmp/top"
		# names never need the memory that the rest needs
		expect samplers-user-memory sh -c 'for i in 1 2 3 4 6 8; do
			LD_PRELOAD=$1/trap.so "$2" folded --memory=${i}M "$1/user.nct" >"$1/x" 2>&1 || continue
			LD_LIBRARY_PATH=$1 "$2" folded --memory=${i}M "$1/user.nct" >"$1/x" || exit
		done' sh "$tmp" "$REPORT"
		# libraries with any content, and a libdw that crashes: the same samples, perhaps without names
		expect samplers-user-corrupt "$PYTHON" -c 'import os, random, subprocess, sys
trace, tmp, report, mutants = sys.argv[1:]
good, want = open(tmp + "/libncspin.so", "rb").read(), 0
os.mkdir(tmp + "/bad")
for i in range(-1, int(mutants)):
    r, bad = random.Random(i), bytearray(good)
    for _ in range(r.choice((1, 4, 64))):  # half of them in the headers at both ends
        at = r.choice((r.randrange(512), len(bad) - 1 - r.randrange(2048), r.randrange(len(bad)), r.randrange(len(bad))))
        bad[at] = r.choice((0, 255, r.randrange(256)))
    open(tmp + "/bad/libncspin.so", "wb").write(bad[:r.choice((len(bad), len(bad), r.randrange(len(bad))))])
    env = {**os.environ, "LD_LIBRARY_PATH": tmp + "/bad", **({"LD_PRELOAD": tmp + "/trap.so"} if i < 0 else {})}
    text = subprocess.run([report, "folded", trace], env=env, check=True, capture_output=True, text=True).stdout
    got = sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())
    assert got == (want := want or got) and got, (i, got, want)
    assert i >= 0 or ":" not in text.split("ncuser;", 1)[1].split("\n")[0], text' "$tmp/user.nct" "$tmp" "$REPORT" "$(all && echo 300 || echo 12)"
	else
		skip samplers-user-names "needs libdw"
	fi
	"$REPORT" scrub -q "$tmp/user.nct" -o "$tmp/scrubbed.nct"
	"$REPORT" dump "$tmp/scrubbed.nct" >"$tmp/dump"
	expect samplers-user-scrub sh -c "! grep -qE 'ncspin|\"file\":\"[^\"]*/' '$tmp/dump' && grep -q '\"build_id\":\"[0-9a-f]' '$tmp/dump'"
else
	skip samplers-user "needs gcc"
fi
# OpenSSL of the distribution has no frame pointers and no symbols but the exported ones
if ! all; then
	:
elif openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmp/key" -out "$tmp/cert" -subj /CN=x 2>/dev/null && ldd "$REPORT" | grep -q libdw; then
	port=$("$PYTHON" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	"$RECORD" -q --user-stacks --exact=off -o "$tmp/tls.nct" -- sh -c "
		openssl s_server -accept 127.0.0.1:$port -key '$tmp/key' -cert '$tmp/cert' -quiet -www &
		i=0; until openssl s_time -connect 127.0.0.1:$port -new -time 4 || [ \$i = 100 ]; do i=\$((i + 1)); sleep 0.1; done
		kill \$!" >/dev/null 2>&1 || :
	"$REPORT" folded "$tmp/tls.nct" >"$tmp/folded"
	expect samplers-openssl-function grep -qE '^openssl;(.*;)?libcrypto:[A-Za-z_0-9]+ [0-9]+$' "$tmp/folded"
	expect samplers-openssl-ends-early sh -c "'$REPORT' info '$tmp/tls.nct' | grep -q '[1-9][0-9.]* % of the user-space stacks lack their outer functions'"
	expect samplers-openssl-category sh -c "'$REPORT' folded --only=user_tls '$tmp/tls.nct' |
		awk '/^openssl;.*lib(crypto|ssl)/ { n += \$NF } END { exit !(n > 30) }'"
else
	skip samplers-openssl "needs openssl and libdw"
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
