#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Packets' ways (--stages), also through functions of the kernel. The host judges (tests/vm/judge_stages.sh).
. ./lib.sh

udp sink 6001 &
sink=$!
sleep 1
netcost-record -q -F 0 -i 500 --stages=1/1 --exact=off -o /out/stages.nct -- udp flood 127.0.0.1 6001 300 5000 2>/tmp/err
expect stages:recording [ ! -s /tmp/err ]
cat /tmp/err
netcost-report stages /out/stages.nct
kill "$sink"
