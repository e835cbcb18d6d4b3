-- SPDX-License-Identifier: BSD-2-Clause
-- Which recordings are not to be trusted: cut off, damaged, or without more than one sample in a hundred?
SELECT host, start, ended,
    if(samples + ifNull(samples_lost, 0) > 0, ifNull(samples_lost, 0) / (samples + ifNull(samples_lost, 0)), NULL) AS lost
FROM netcost.recordings
WHERE ended = 0 OR isNotNull(damage) OR ifNull(samples_lost, 0) > 0.01 * (samples + ifNull(samples_lost, 0))
ORDER BY host, start;
