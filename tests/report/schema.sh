# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: what is printed as JSON is what its schema says.
golden help-schema.txt schema --help
golden schema-verify.txt schema verify
golden schema-no-json.txt schema dump

# In addition to the golden files, checks JSON for traces that lack some of the data.
schema_of_traces() {
	mkdir -p "$tmp/printed"
	traces="set-after unsaid drops others full cut parts owners-some latency-keys stages tail crowd hardirq uncertified"
	! in_all || traces="$traces set-before noexact nosamples bare damaged known netonly cycles processes owners latency latency-only
		crowd-noenergy windows certified"
	for trace in $traces; do
		for what in summary timeline top info accuracy verify rules "info --context" "summary --other" "summary --cpu=0" "top --of=all" who "who --by=container" latency "latency --histogram=receive" "latency --every=1s" "latency --by=interface" "latency --by=process" "latency --by=cgroup --every=500ms" "latency --tail" path "path --by=interface" "path --by=flow" "timeline --by=process"; do
			echo "$what|$trace"
		done
		for by in cpu task process cgroup interval; do
			echo "--by=$by|$trace"
		done
	done >"$tmp/schema.asked"
	for what in "counts peers --by=port" "counts peers --by=process,port --every=500ms" "who --by=service"; do
		echo "$what|peers"
	done | cat "$tmp/schema.asked" - | awk -F '|' -v to="$tmp/printed" '{ # the file has the name of the command
		name = $1
		gsub(/-/, "", name)
		gsub(/ /, "-", name)
		sub(/^by=/, "by-", name)
		print to "/" name "-of-" $2 ".json", $1, "--format=json", $2 ".nct"
	}' >"$tmp/schema.commands"
	survive -s 3 <"$tmp/schema.commands" &&
		"$PYTHON" tests/report/schema.py "$report" "$tmp/printed"/*.json
}

if "$PYTHON" -c 'import jsonschema' 2>/dev/null; then
	expect json-schema "$PYTHON" tests/report/schema.py "$report" "$golden"/*/*.json
	expect json-schema-of-traces schema_of_traces
else
	skip json-schema "needs python3-jsonschema"
fi
