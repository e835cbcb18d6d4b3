# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: questions as a SELECT. Sums by SQL are the figures of the reports, and rows are those of the other
# exports; a query can do nothing but read.
golden help-sql.txt sql --help
golden sql-tables.txt sql .tables
golden sql-schema.txt sql ".schema marks"
golden sql-schema-record.txt sql ".schema record_exact"
golden sql-text.txt sql full.nct "SELECT cpu, count(*) AS n, sum(wall_ns) / 1e9 AS s, min(start) FROM leaves GROUP BY cpu"
golden sql-several.csv sql --format=csv full.nct timed-crowd.nct "SELECT recording, kernel, cpus, networking_cost, NULL FROM recordings"
golden sql-json.txt sql --format=json full.nct "SELECT tick_ns, tick_cpu, event, ns FROM netcost.record_exact LIMIT 2"
golden sql-view.txt sql full.nct -- "-- a comment
	CREATE VIEW busy AS SELECT cpu, wall_ns - idle_ns AS ns FROM leaves; SELECT cpu, sum(ns) FROM busy GROUP BY 1;"
golden sql-no-query.txt sql
golden sql-only-file.txt sql full.nct
golden sql-no-file.txt sql absent.nct "SELECT * FROM marks"
golden sql-no-table.txt sql full.nct "SELECT 1"
golden sql-misspelled.txt sql full.nct "SELECT name FROM proceses"
golden sql-misspelled-schema.txt sql ".schema proceses"
golden sql-misspelled-column.txt sql full.nct "SELECT p.nam FROM processes AS p"
golden sql-wrong.txt sql full.nct "SELECT cpu FORM leaves WHERE"
golden sql-two.txt sql full.nct "SELECT * FROM marks; SELECT * FROM leaves"
golden sql-overflow.txt sql full.nct "SELECT sum(9223372036854775807) FROM leaves"
golden export-sqlite-usage.txt export sqlite full.nct

sql_truth() {
	"$PYTHON" tests/report/sql.py "$@"
}

# ---- a query only reads

# The command is refused, and leaves nothing in the folder.
sql_refuses() {
	mkdir -p "$tmp/sql-empty" && cp "$tmp/t/full.nct" "$tmp/sql.nct"
	while read -r query; do
		status=0
		(cd "$tmp/sql-empty" && "$report" sql ../sql.nct "$query") >"$tmp/out" 2>"$tmp/err" || status=$?
		if [ "$status" -ne 2 ] || [ "$(wc -l <"$tmp/err")" -ne 1 ] || [ -n "$(ls "$tmp/sql-empty")" ]; then
			echo "$query: status $status" && cat "$tmp/err" && return 1
		fi
	done <<-'END'
		ATTACH 'x.db' AS x
		SELECT * FROM marks; ATTACH 'x.db' AS x
		VACUUM INTO 'x.db'
		SELECT load_extension('./x.so') FROM marks
		SELECT readfile('/etc/passwd') FROM marks
		SELECT writefile('x', 'y') FROM marks
		PRAGMA journal_mode = WAL
		PRAGMA temp_store_directory = '.'
		PRAGMA writable_schema = 1
		PRAGMA hard_heap_limit = 0
		SELECT * FROM pragma_database_list
		CREATE TABLE x AS SELECT * FROM marks
		CREATE TEMP VIEW x AS SELECT * FROM marks
		CREATE VIRTUAL TABLE x USING fts5(y)
		CREATE TRIGGER x AFTER INSERT ON marks BEGIN SELECT 1; END
		DROP TABLE marks
		DELETE FROM marks
		INSERT INTO marks (text) VALUES ('x')
		UPDATE marks SET text = 'x'
		UPDATE sqlite_schema SET sql = 'x'
		SELECT "nothing" FROM marks
		SAVEPOINT x
		.open x.db
		.output x
	END
}
expect sql-only-reads sql_refuses

# Rows, a sort, or an answer that need more than --memory allows are refused.
sql_is_bounded() {
	for query in "SELECT count(*) FROM record_samples" \
		"WITH RECURSIVE n(i) AS (SELECT 1 FROM marks UNION ALL SELECT i + 1 FROM n) SELECT i, hex(randomblob(1000)) FROM n ORDER BY 2" \
		"WITH RECURSIVE n(i) AS (SELECT 1 FROM marks UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT length(group_concat(i)) FROM n"; do
		! timeout 60 "$PYTHON" tests/report/peak.py 60 "$report" sql --memory=1 "$load" "$query" >"$tmp/out" 2>"$tmp/err" &&
			grep -q 'sql: the data of this query does not fit into --memory' "$tmp/err" || { echo "$query" && cat "$tmp/err" && return 1; }
	done
}
expect sql-memory sql_is_bounded

# ---- figures

expect sql-same-as-reports sql_truth reports "$report" "$PWD/examples/demo.nct"

# Each cell equals that of export tables, and each element of each record has a row. Hostile names
# are texts like any other.
sql_file() {
	rm -rf "$tmp/sql-tables" "$tmp/sql.db"
	run export sqlite -o "$tmp/sql.db" "$@" 2>"$tmp/err" && run export tables -o "$tmp/sql-tables" "$@" 2>"$tmp/err" ||
		{ cat "$tmp/err" && return 1; }
	for trace; do
		(cd "$tmp/t" && "$report" dump "$trace") 2>/dev/null
	done >"$tmp/dump"
	sql_truth file "$tmp/sql.db" "$tmp/sql-tables" "$tmp/dump"
}
sql_truth evil "$tmp/t/evil-names.nct"
traces="evil-names full poisoned latency timed-drops timed-crowd-evil"
! in_all || traces="$traces timed-hostile timed-energy timed-windows timed-rxparts owners latency-keys"
for trace in $traces; do
	expect "sql-file-of-$trace" sql_file "$trace.nct"
done
expect sql-file-of-several sql_file full.nct timed-crowd.nct

in_all || return 0

# ---- the fleet's questions, as DuckDB answers them (fleet.sh)

"$PYTHON" tests/report/fleet_traces.py traces "$tmp/t/fleet"
sql_answers() {
	run sql --format=json "$tmp/t/fleet"/*.nct -- "$(cat examples/fleet/duckdb/views.sql examples/fleet/duckdb/"$1"-*.sql)" 2>"$tmp/err" |
		"$PYTHON" tests/report/fleet_traces.py check "$1"
}
for question in 1 2 3 4 5 6 7 8 9 10; do
	expect "sql-question-$question" sql_answers "$question"
done

# A build host, 600 s with 205 000 processes, by cgroup, takes 2 s of CPU time, and less than 5
# times as much as `who` for the same.
sql_is_fast() {
	"$PYTHON" tests/report/sql.py many "$tmp/many.nct" && "$PYTHON" tests/report/sql.py fast "$plain" "$tmp/many.nct" && rm "$tmp/many.nct"
}
expect sql-is-fast sql_is_fast
