# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what is printed as JSON is what its schema says.

if "$PYTHON" -c 'import jsonschema' 2>/dev/null; then
	expect json-schema "$PYTHON" tests/report/schema.py src/report/netcost-report.schema.json "$golden"/*.json
else
	skip json-schema "needs python3-jsonschema"
fi
