like export-ddl-clickhouse.sql
< CREATE TABLE IF NOT EXISTS netcost.recordings (
> CREATE TABLE IF NOT EXISTS netcost.recordings_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/recordings', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.leaves (
> CREATE TABLE IF NOT EXISTS netcost.leaves_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/leaves', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.categories (
> CREATE TABLE IF NOT EXISTS netcost.categories_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/categories', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.functions (
> CREATE TABLE IF NOT EXISTS netcost.functions_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/functions', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.stacks (
> CREATE TABLE IF NOT EXISTS netcost.stacks_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/stacks', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.processes (
> CREATE TABLE IF NOT EXISTS netcost.processes_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/processes', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.interfaces (
> CREATE TABLE IF NOT EXISTS netcost.interfaces_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/interfaces', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.drops (
> CREATE TABLE IF NOT EXISTS netcost.drops_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/drops', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.latency (
> CREATE TABLE IF NOT EXISTS netcost.latency_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/latency', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.settings (
> CREATE TABLE IF NOT EXISTS netcost.settings_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/settings', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.latency_buckets (
> CREATE TABLE IF NOT EXISTS netcost.latency_buckets_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/latency_buckets', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.marks (
> CREATE TABLE IF NOT EXISTS netcost.marks_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/marks', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.counters (
> CREATE TABLE IF NOT EXISTS netcost.counters_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/counters', '{replica}')
< CREATE TABLE IF NOT EXISTS netcost.irq_stats (
> CREATE TABLE IF NOT EXISTS netcost.irq_stats_local (
< ENGINE = ReplacingMergeTree()
> ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/irq_stats', '{replica}')
