#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Pings that a rule drops, and one to a port that nobody has. The host counts (tests/vm/judge_drops.sh).
. ./lib.sh

ip link set lo up
nft add table inet drops
nft add chain inet drops in '{ type filter hook input priority 0; }'
nft add rule inet drops in icmp type echo-request counter drop
netcost-record -q -F 0 -o /out/drops.nct -- ping -q -c 7 -i 0.1 -W 1 127.0.0.1
nft delete table inet drops
expect drops-verify netcost-report verify -q /out/drops.nct
