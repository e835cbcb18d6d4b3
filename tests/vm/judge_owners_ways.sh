#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_owners_ways.sh OUT VERSION: judges what guest/test_owners_ways.sh recorded.
. tests/lib.sh
. tests/vm/owners.sh

out=$1 version=$2
as=
bs=
for pids in "$out"/owners-tcp-*.pids; do
	read -r a b n <"$pids"
	packets "$(basename "$pids" .pids | sed 's/^owners-//')" "$a" "$b" "$n"
	as=$as${as:+,}$a bs=$bs${bs:+,}$b
done
expect "$version:owners-tcp-spun" owners spun "$out/owners-tcp" "$as" "$bs"
for protocol in udp tcp; do
	read -r a b times <"$out/ratio-$protocol.pids"
	expect "$version:owners-$protocol-ratio" owners ratio "$out/ratio-$protocol.nct" "$a" "$b" "$times"
	expect "$version:owners-$protocol-ratio-sums" owners sums "$out/ratio-$protocol.nct"
done
spun bridge
expect "$version:owners-bridge-forwarded" owners fate "$out/owners-bridge-0-1.nct" forwarded $((2 * n))
read -r a b n <"$out/multicast.pids"
owned "$version:owners-multicast" fate "$out/multicast.nct" several "$n"
owned "$version:owners-multicast-a" between "$out/multicast.nct" "$a" 0 0
owned "$version:owners-multicast-b" between "$out/multicast.nct" "$b" 0 0
owned "$version:owners-multicast-sums" sums "$out/multicast.nct"
read -r n <"$out/forwarded.packets"
expect "$version:owners-forwarded" owners fate "$out/forwarded.nct" forwarded "$n"
expect "$version:owners-forwarded-no-ones" owners most "$out/forwarded.nct" direct $((n / 50))
expect "$version:owners-forwarded-sums" owners sums "$out/forwarded.nct"
read -r keep n <"$out/old.pids"
expect "$version:owners-old-socket" owners packets "$out/old.nct" "$keep" "$n"
