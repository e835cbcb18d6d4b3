#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What --check says on this kernel, and a recording of nothing much, with samples.
. ./lib.sh

expect check netcost-record --check
netcost-record -q -o /out/sleep.nct -- sleep 1 2>/tmp/err
expect records-sleep [ ! -s /tmp/err ]
cat /tmp/err
expect verify netcost-report verify /out/sleep.nct
netcost-report info /out/sleep.nct >/tmp/info
expect info-complete grep -q '^  complete; ended by: the command ended' /tmp/info
netcost-report summary /out/sleep.nct >/tmp/summary
expect summary grep -q 'Where the CPU time went' /tmp/summary
cat /tmp/info /tmp/summary
