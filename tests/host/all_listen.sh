#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prometheus scrapes a recording 60 times: what it has is what `export openmetrics` says of the finished trace. And Grafana's
# dashboard for it: each of its queries has data, and Grafana's schema takes it.

# In a network namespace of our own, with Prometheus's program and packages of npm from outside.
if [ -z "${NETCOST_TEST_ALONE:-}" ]; then
	. tests/lib.sh
	need_recorder
	prometheus=$(unpacked prometheus /usr/bin/prometheus 2>"$tmp/why") || skip_all "needs promtool"
	schema=$PWD/build/tools/grafana
	[ -d "$schema/node_modules/@grafana/schema" ] || { mkdir -p "$schema" && command -v node >/dev/null &&
		npm install --silent --no-save --prefix "$schema" @grafana/schema@11.6.0 typescript@5.6.3 >"$tmp/why" 2>&1; } || schema=
	NETCOST_TEST_ALONE=1 unshare -n sh "$0" "$prometheus" "$schema"
	exit
fi
. tests/lib.sh
ip link set lo up
if [ -n "$2" ]; then
	"$PYTHON" tests/host/prometheus.py typed examples/grafana/netcost.json >"$2/dashboard.ts"
	expect grafana-schema sh -c 'cd "$1" && node_modules/.bin/tsc --noEmit --strict --skipLibCheck --module esnext \
		--moduleResolution bundler --target es2022 dashboard.ts' sh "$2"
else
	skip grafana-schema "needs npm packages"
fi
expect prometheus "$PYTHON" tests/host/prometheus.py scrapes "$RECORD" "$REPORT" "$1" "$tmp" examples/grafana/netcost.json
