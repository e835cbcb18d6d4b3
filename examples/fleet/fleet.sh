#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tables of many recordings in a database. Needs duckdb, or curl for ClickHouse; and zstd for compressed files.
#
#	netcost-report export tables -o FOLDER --zstd FILE...
#	sh fleet.sh sql duckdb fleet.db FILE.sql...		runs them, and prints the last answer, a JSON object a row
#	sh fleet.sh load duckdb fleet.db FOLDER			what is there already is not loaded twice
#	sh fleet.sh load clickhouse http://localhost:8123 FOLDER
#	sh fleet.sh ask clickhouse http://localhost:8123 1	question 1 to 10; or the path of a file
set -eu
here=$(dirname "$0")

usage() {
	sed -n 's/^#	/	/p' "$0" >&2
	exit 2
}
[ $# -ge 4 ] || usage
what=$1 engine=$2 where=$3
shift 3

# Statements of files, each as it is answered; of ClickHouse, which takes one at a time.
clickhouse_sql() {
	sed 's/[ 	]*-- .*//; s/^--$//' "$@" | awk 'BEGIN { RS = ";" } /[^ \n\t]/ { gsub(/\n/, " "); print }' |
		while IFS= read -r statement; do
			printf '%s' "$statement" |
				curl -sS --fail-with-body --data-binary @- "$where/?default_format=JSONEachRow&output_format_json_quote_64bit_integers=0"
		done
}

duckdb_sql() {
	cat "$@" | duckdb -jsonlines "$where"
}

tables() {
	find "$1" -name '*.ndjson' -o -name '*.ndjson.zst' | sed 's|.*/||; s|\.ndjson.*||' | sort -u
}

# A transaction: all of the folder, or nothing.
duckdb_load() {
	{
		echo "BEGIN;"
		for table in $(tables "$1"); do
			file=$(find "$1" -name "$table.ndjson" -o -name "$table.ndjson.zst" | head -n 1)
			[ -s "$file" ] || continue
			echo "CREATE TEMP TABLE new_rows AS SELECT * FROM netcost.$table LIMIT 0;"
			echo "COPY new_rows FROM '$(echo "$file" | sed "s/'/''/g")' (FORMAT json);"
			echo "DELETE FROM netcost.$table WHERE recording IN (SELECT recording FROM new_rows);"
			echo "INSERT INTO netcost.$table SELECT * FROM new_rows;"
			echo "DROP TABLE new_rows;"
		done
		echo "COMMIT;"
	} | duckdb "$where"
}

rows() {
	if [ -e "$1.ndjson" ]; then cat "$1.ndjson"; else zstd -dcq "$1.ndjson.zst"; fi
}

# The recordings come last: one that is there is there in all tables. Only those of the folder's time are asked for.
clickhouse_load() {
	known=$(mktemp)
	trap 'rm -f "$known"' EXIT
	times=$(rows "$1/recordings" | sed -n 's/.*"start":"\([^"]*\)".*/\1/p' | sort)
	[ -n "$times" ] || return 0
	echo "SELECT recording FROM netcost.recordings WHERE start >= toDateTime('$(echo "$times" | head -n 1)', 'UTC')" \
		"AND start <= toDateTime('$(echo "$times" | tail -n 1)', 'UTC')" |
		curl -sS --fail-with-body --data-binary @- "$where/" >"$known"
	for table in $(tables "$1" | grep -vx recordings) recordings; do
		rows "$1/$table" | { grep -vFf "$known" || :; } | curl -sS --fail-with-body --data-binary @- \
			"$where/?query=INSERT%20INTO%20netcost.$table%20FORMAT%20JSONEachRow&insert_distributed_sync=1&input_format_skip_unknown_fields=1"
	done
}

case $what:$engine in
sql:duckdb | sql:clickhouse) "${engine}_sql" "$@" ;;
load:duckdb | load:clickhouse) "${engine}_load" "$1" ;;
ask:duckdb | ask:clickhouse)
	file=$1
	[ -e "$file" ] || file=$(find "$here/$engine" -name "$1-*.sql")
	"${engine}_sql" "$file"
	;;
*) usage ;;
esac
