-- SPDX-License-Identifier: BSD-2-Clause
-- Why are packets dropped, and how many of a million? Of recordings that counted that.
SELECT reason, count(DISTINCT host) FILTER (WHERE packets > 0) AS hosts, sum(packets) AS packets,
    1e6 * sum(packets) / (SELECT sum(packets) FROM netcost.recordings WHERE dropped_packets IS NOT NULL) AS per_million
FROM netcost.drops
GROUP BY reason
ORDER BY packets DESC, reason;
