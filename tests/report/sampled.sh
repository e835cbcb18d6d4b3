# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# What samples are of: all of the time, cycles, or only CPUs inside the network. Part of run.sh.

golden netonly-summary summary netonly.nct
golden netonly-timeline timeline netonly.nct
golden netonly-task summary --by=task netonly.nct
golden netonly-info info --format=json netonly.nct
golden cycles-summary summary cycles.nct
golden cycles-noexact-summary summary cycles-noexact.nct
golden cycles-noexact-top top cycles-noexact.nct
