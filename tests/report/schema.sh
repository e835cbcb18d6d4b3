# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what is printed as JSON is what its schema says.
golden help-schema.txt schema --help
golden schema-verify.txt schema verify
golden schema-no-json.txt schema dump

if "$PYTHON" -c 'import jsonschema' 2>/dev/null; then
	expect json-schema "$PYTHON" tests/report/schema.py "$report" "$golden"/*.json
else
	skip json-schema "needs python3-jsonschema"
fi
