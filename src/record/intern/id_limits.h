/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * id_limits.h: limits the number of ids that a file defines, so that netcost-report can open the file within its memory
 * limit. Above the limit, new threads and cgroups are recorded as unknown. New processes are recorded together, as
 * processes without a row of their own.
 */
#ifndef NETCOST_ID_LIMITS_H
#define NETCOST_ID_LIMITS_H

#define ID_LIMIT_TASKS (1u << 20)
#define ID_LIMIT_PROCESSES (1u << 20)
#define ID_LIMIT_CGROUPS (1u << 18)

#endif
