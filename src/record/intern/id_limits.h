/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * id_limits.h: the most ids of a sort that a file defines, so that netcost-report opens it in the memory that it allows itself.
 * After that new threads and cgroups are recorded as unknown, and new processes together, as those without a row of their own.
 */
#ifndef NETCOST_ID_LIMITS_H
#define NETCOST_ID_LIMITS_H

#define ID_LIMIT_TASKS (1u << 20)
#define ID_LIMIT_PROCESSES (1u << 20)
#define ID_LIMIT_CGROUPS (1u << 18)

#endif
