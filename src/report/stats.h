/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_REPORT_STATS_H
#define NETCOST_REPORT_STATS_H

/*
 * Half-width of the 95 % confidence interval of a share, `share` of n independent samples: the farther
 * end of Wilson's interval, so that it is not 0 where nothing, or everything, was seen. NaN without
 * samples. n need not be whole: samples of unequal weight count as fewer.
 */
double stats_share_ci95(double share, double n);

#endif
