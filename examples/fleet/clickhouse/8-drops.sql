-- SPDX-License-Identifier: BSD-2-Clause
-- Why are packets dropped, and how many of a million? Of recordings that counted that.
SELECT reason, uniqExactIf(host, n > 0) AS hosts, sum(n) AS packets,
    1e6 * packets / (
        SELECT sum(assumeNotNull(packets)) FROM netcost.recordings WHERE isNotNull(dropped_packets) AND isNotNull(packets)
    ) AS per_million
FROM (SELECT host, reason, assumeNotNull(packets) AS n FROM netcost.drops WHERE isNotNull(packets))
GROUP BY reason
ORDER BY packets DESC, reason;
