-- SPDX-License-Identifier: BSD-2-Clause
-- What does a GB cost, in ms of CPU time, on each kernel?
SELECT kernel, uniqExact(host) AS hosts, sum(network_ns) / 1e6 / (sum(bytes) / 1e9) AS ms_per_gb
FROM netcost.costs
GROUP BY kernel
ORDER BY ms_per_gb;
