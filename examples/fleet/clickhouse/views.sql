-- SPDX-License-Identifier: BSD-2-Clause
-- What the questions share. A recording of which the time or the packets are not known is in none of these.
-- For 18.16 and later ones: no WITH of queries, no window functions, and joins that say ALL. What is null is left out in a
-- query of its own: where a column has the name of an expression, ClickHouse means the expression.

CREATE VIEW IF NOT EXISTS netcost.costs AS
SELECT recording, host, start, ifNull(kernel, '') AS kernel,
    concat(ifNull(cpu_model, ''), ', ', toString(assumeNotNull(cpus)), ' CPUs') AS kind,
    assumeNotNull(network_ns) AS network_ns, assumeNotNull(packets) AS packets, assumeNotNull(bytes) AS bytes
FROM (
    SELECT recording, host, start, kernel, cpu_model, cpus, network_ns, packets, bytes
    FROM netcost.recordings
    WHERE isNotNull(network_ns) AND packets > 0 AND bytes > 0
);

CREATE VIEW IF NOT EXISTS netcost.host_costs AS
SELECT host, kind, sum(network_ns) / sum(packets) AS ns_per_packet
FROM netcost.costs
GROUP BY host, kind;

CREATE VIEW IF NOT EXISTS netcost.setting_costs AS
SELECT subject, name, value, uniqExact(host) AS hosts, sum(network_ns) / sum(packets) AS ns_per_packet
FROM (
    SELECT recording, subject, name, assumeNotNull(value) AS value
    FROM (SELECT recording, subject, name, value FROM netcost.settings WHERE isNotNull(value))
)
GLOBAL ALL INNER JOIN (SELECT recording, host, network_ns, packets FROM netcost.costs) USING recording
GROUP BY subject, name, value;
