-- SPDX-License-Identifier: BSD-2-Clause
-- What the questions share. A recording of which the time or the packets are not known is in none of these.

CREATE VIEW IF NOT EXISTS netcost.costs AS
SELECT recording, host, start, kernel, coalesce(cpu_model, '') || ', ' || cpus || ' CPUs' AS kind, network_ns, packets, bytes
FROM netcost.recordings
WHERE network_ns IS NOT NULL AND packets > 0 AND bytes > 0;

CREATE VIEW IF NOT EXISTS netcost.host_costs AS
SELECT host, kind, sum(network_ns) / sum(packets) AS ns_per_packet
FROM netcost.costs
GROUP BY host, kind;

CREATE VIEW IF NOT EXISTS netcost.setting_costs AS
SELECT subject, name, value, count(DISTINCT c.host) AS hosts, sum(network_ns) / sum(packets) AS ns_per_packet
FROM netcost.settings AS s JOIN netcost.costs AS c USING (recording)
WHERE value IS NOT NULL
GROUP BY subject, name, value;
