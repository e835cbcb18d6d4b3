# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause
# Part of tests/report/run.sh: tables of 200 recordings whose truth is known, in databases: each of the ten questions of
# examples/fleet has the known answer; and of a real recording they have our figures.
golden export-tables-stdout.txt export tables full.nct
golden export-tables-cpu.txt export tables -o tables --cpu=0 full.nct
golden export-tables-bare.txt export tables -o tables-bare bare.nct
golden export-tables-several.txt export pprof full.nct full.nct
golden export-ddl-duckdb.sql export tables --ddl=duckdb
golden export-ddl-clickhouse.sql export tables --ddl=clickhouse
golden export-ddl-replica.sql export tables --ddl=clickhouse-replica

fleet_truth() {
	"$PYTHON" tests/report/fleet_traces.py "$@"
}
fleet_run() {
	sh examples/fleet/fleet.sh "$@"
}

# The export of any trace is valid.
tables() {
	rm -rf "$tmp/tables"
	run export tables -o "$tmp/tables" "$@" 2>"$tmp/err" && fleet_truth rows "$tmp/tables" || { cat "$tmp/err" && return 1; }
}
traces="full poisoned latency timed-drops timed-crowd-evil"
! in_all || traces="$traces timed-hostile timed-energy timed-windows timed-rxparts"
for trace in $traces; do
	expect "tables-of-$trace" tables "$trace.nct"
done
expect tables-of-parts tables --host=web1 full.nct timed-crowd.nct

# A table is compared cell by cell: unknown names, and values that were not measured.
for trace in latency timed-crowd-evil; do
	rm -rf "$tmp/tables"
	run export tables -o "$tmp/tables" "$trace.nct" 2>"$tmp/err" || cat "$tmp/err"
	cat "$tmp/tables"/[d-z]*.ndjson | cut -c 1-2000 | sed -E 's/(\.[0-9]{6})[0-9]+/\1/g' >"$tmp/got"
	same_as_golden "export-tables-$trace.ndjson"
done

tables_compressed() {
	rm -rf "$tmp/compressed" && tables "$load" >"$tmp/log" && run export tables -o "$tmp/compressed" --zstd "$load" &&
		for table in "$tmp/tables"/*; do
			zstd -dcq "$tmp/compressed/$(basename "$table").zst" | cmp - "$table" || return 1
		done
}
expect tables-compressed tables_compressed

# An unreadable trace does not stop the export of the others.
tables_broken() {
	! tables full.nct bare.nct timed-crowd.nct && fleet_truth rows "$tmp/tables" >"$tmp/log" && [ "$(wc -l <"$tmp/tables/recordings.ndjson")" -eq 2 ]
}
expect tables-beside-a-broken-one tables_broken

in_all || return 0

# fleet_asks ENGINE WHERE: asks the ten questions, and again after everything has been loaded twice
fleet_asks() {
	engine=$1 where=$2
	expect "$engine-loads" fleet_run load "$engine" "$where" "$tmp/fleet-tables"
	expect "$engine-loads-again" fleet_run load "$engine" "$where" "$tmp/fleet-tables"
	for question in 1 2 3 4 5 6 7 8 9 10; do
		expect "$engine-question-$question" fleet_answer
	done
	expect "$engine-loads-real" fleet_run load "$engine" "$where" "$tmp/real"
	expect "$engine-has-our-figures" fleet_real
}
fleet_answer() {
	fleet_run ask "$engine" "$where" "$question" >"$tmp/answer" && fleet_truth check "$question" <"$tmp/answer"
}

# Checks everything that fleet_traces.py compares with summary and top. Each row names its table.
fleet_real() {
	id=$(sed -n 's/^{"recording":"\([0-9a-f]*\)".*/\1/p' "$tmp/real/recordings.ndjson")
	leaves="idle sock_send sock_recv rx_softirq tx_softirq"
	: >"$tmp/rows"
	for of in "recording|*|recordings" "function|function, module, self_samples, inclusive_samples|functions" \
		"pieces|$(for leaf in $leaves; do printf 'sum(%s_ns) AS %s_ns, ' "$leaf" "$leaf"; done)count(*) AS n|leaves" \
		"interface|interface, netns, seconds, rx_packets, rx_bytes, tx_packets, tx_bytes|interfaces"; do
		columns=${of#*|}
		echo "SELECT ${columns%|*} FROM netcost.${of##*|} WHERE recording = '$id';" >"$tmp/select.sql"
		fleet_run sql "$engine" "$where" "$tmp/select.sql" | sed "s/^{/{\"what\":\"${of%%|*}\",/" >>"$tmp/rows"
	done
	fleet_truth same "$report" "$PWD/examples/demo.nct" <"$tmp/rows"
}

fleet_truth traces "$tmp/t/fleet"
run export tables -o "$tmp/fleet-tables" "$tmp/t/fleet"/*.nct
run export tables -o "$tmp/real" --zstd --host=demo "$PWD/examples/demo.nct"
zstd -dq "$tmp/real/recordings.ndjson.zst"
expect tables-of-fleet fleet_truth rows "$tmp/fleet-tables"

# ---- DuckDB, by its package of npm

duckdb_packages=$PWD/build/tools/duckdb
if [ -d "$duckdb_packages/node_modules/@duckdb/node-api" ] || { mkdir -p "$duckdb_packages" && command -v node >/dev/null &&
	npm install --silent --no-save --prefix "$duckdb_packages" @duckdb/node-api@1.5.6-r.1 >"$tmp/why" 2>&1; }; then
	mkdir -p "$tmp/fleet-bin"
	printf '#!/bin/sh\nexec node "%s" "%s" "$@"\n' "$PWD/tests/report/duckdb.js" "$duckdb_packages/node_modules" >"$tmp/fleet-bin/duckdb"
	chmod +x "$tmp/fleet-bin/duckdb"
	PATH=$tmp/fleet-bin:$PATH
	run export tables --ddl=duckdb -o "$tmp/duckdb.sql"
	expect duckdb-makes-tables fleet_run sql duckdb "$tmp/fleet.db" "$tmp/duckdb.sql" examples/fleet/duckdb/views.sql
	fleet_asks duckdb "$tmp/fleet.db"
else
	skip duckdb "needs npm packages"
fi

# ---- ClickHouse, by Debian's package: two servers, each with half of the hosts

clickhouse=$PWD/build/tools/clickhouse

# Unpacks ClickHouse without installing it, because its package would start a server. Missing
# libraries are added.
clickhouse_unpack() {
	[ ! -x "$clickhouse/usr/sbin/clickhouse-server" ] || return 0
	rm -rf "$tmp/deb" "$clickhouse" && mkdir -p "$tmp/deb" "$clickhouse" && apt-get -qq update || return 1
	apt-get -s --no-install-recommends install clickhouse-server >"$tmp/packages" || return 1
	# shellcheck disable=SC2046 # a list
	(cd "$tmp/deb" && apt-get -qq download $(sed -n 's/^Inst \([^ ]*\) .*/\1/p' "$tmp/packages")) &&
		for deb in "$tmp/deb"/*.deb; do dpkg-deb -x "$deb" "$clickhouse" || return 1; done &&
		[ -x "$clickhouse/usr/sbin/clickhouse-server" ]
}

# clickhouse_config NUMBER HTTP TCP INTERNAL FIRST SECOND: the last two are ports of the shards
clickhouse_config() {
	mkdir -p "$tmp/ch$1"
	cat >"$tmp/ch$1/config.xml" <<XML
<yandex>
  <logger><level>warning</level><log>$tmp/ch$1/log</log><errorlog>$tmp/ch$1/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>$2</http_port> <tcp_port>$3</tcp_port> <interserver_http_port>$4</interserver_http_port>
  <path>$tmp/ch$1/data/</path> <tmp_path>$tmp/ch$1/tmp/</tmp_path>
  <users_config>users.xml</users_config> <default_profile>default</default_profile> <default_database>default</default_database>
  <mark_cache_size>100000000</mark_cache_size>
  <remote_servers><netcost>
    <shard><replica><host>127.0.0.1</host><port>$5</port></replica></shard>
    <shard><replica><host>127.0.0.1</host><port>$6</port></replica></shard>
  </netcost></remote_servers>
</yandex>
XML
	cat >"$tmp/ch$1/users.xml" <<XML
<yandex>
  <profiles><default><max_threads>2</max_threads></default></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
  <quotas><default></default></quotas>
</yandex>
XML
}
free_ports() {
	"$PYTHON" -c 'import socket; s = [socket.create_server(("127.0.0.1", 0)) for _ in range(6)]; print(*(x.getsockname()[1] for x in s))'
}
answers() {
	[ "$(curl -s "http://127.0.0.1:$1/" 2>/dev/null)" = Ok. ]
}
clickhouse_servers() {
	# shellcheck disable=SC2046 # six words
	set -- $(free_ports)
	clickhouse_1=http://127.0.0.1:$1 clickhouse_2=http://127.0.0.1:$4
	clickhouse_config 1 "$1" "$2" "$3" "$2" "$5"
	clickhouse_config 2 "$4" "$5" "$6" "$2" "$5"
	for server in 1 2; do
		spawn env LD_LIBRARY_PATH="$clickhouse/usr/lib/$(uname -m)-linux-gnu" "$clickhouse/usr/sbin/clickhouse-server" \
			--config-file="$tmp/ch$server/config.xml" >"$tmp/ch$server/out" 2>&1
	done
	wait_for 30 answers "$1" && wait_for 30 answers "$4" || { cat "$tmp"/ch?/out "$tmp"/ch?/errors && return 1; }
}
clickhouse_makes_tables() {
	for engine in clickhouse-shard clickhouse-distributed; do
		run export tables --ddl=$engine -o "$tmp/$engine.sql"
	done
	for url in "$clickhouse_1" "$clickhouse_2"; do
		fleet_run sql clickhouse "$url" "$tmp/clickhouse-shard.sql" "$tmp/clickhouse-distributed.sql" examples/fleet/clickhouse/views.sql || return 1
	done
}
# Both shards have some of the data, and neither has all.
clickhouse_shares() {
	echo "SELECT count() AS n FROM netcost.recordings_local" >"$tmp/count.sql"
	for url in "$clickhouse_1" "$clickhouse_2"; do
		n=$(fleet_run sql clickhouse "$url" "$tmp/count.sql" | tr -dc 0-9)
		[ "$n" -gt 20 ] && [ "$n" -lt 180 ] || return 1
	done
}
if ! command -v curl >/dev/null; then
	skip clickhouse "needs curl"
elif ! clickhouse_unpack >"$tmp/why" 2>&1; then
	skip clickhouse "needs clickhouse"
else
	expect clickhouse-starts clickhouse_servers
	expect clickhouse-makes-tables clickhouse_makes_tables
	fleet_asks clickhouse "$clickhouse_1"
	expect clickhouse-shares-hosts clickhouse_shares
fi
