// SPDX-License-Identifier: BSD-2-Clause
// node duckdb.js PACKAGES [-jsonlines] FILE.db <STATEMENTS: the part of DuckDB's shell that examples/fleet needs.
const path = require("path");
const { DuckDBInstance } = require(path.join(process.argv[2], "@duckdb/node-api"));

async function main() {
	const instance = await DuckDBInstance.create(process.argv[process.argv.length - 1]);
	const connection = await instance.connect();
	const sql = require("fs").readFileSync(0, "utf-8");
	const reader = await connection.runAndReadAll(sql);
	if (process.argv.includes("-jsonlines"))
		for (const row of reader.getRowObjectsJson())
			console.log(JSON.stringify(row));
	connection.closeSync();
	instance.closeSync();
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
