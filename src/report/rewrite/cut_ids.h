/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cut_ids.h: functions, stacks, tasks and cgroups are held back until something names them, and get the next id
 * then: a part of a trace defines only what it needs.
 */
#ifndef NETCOST_REPORT_CUT_IDS_H
#define NETCOST_REPORT_CUT_IDS_H

#include <netcost/trace.h>

struct cut_ids;

struct cut_ids *cut_ids_new(void);	/* NULL: no memory */
void cut_ids_free(struct cut_ids *ids); /* takes NULL */

/*
 * Takes a SYMBOLS, STACKS, TASKS or CGROUPS in; of a MODULE, that there is one more. -EBADMSG: it breaks a rule, and
 * is as if it had not been there. -ENOMEM.
 */
int cut_ids_take(struct cut_ids *ids, const struct trace_record *rec);

/* How many of a sort there are: ids from 0 to this are defined. */
uint32_t cut_ids_highest(const struct cut_ids *ids, enum trace_ids sort);

/* The new id of a stack, task or cgroup that is defined. */
uint32_t cut_ids_use(struct cut_ids *ids, enum trace_ids sort, uint32_t id);

/* Bytes of definitions that are due: what names them must come behind them. */
size_t cut_ids_due(const struct cut_ids *ids);
/* The next record of them. 1; 0: nothing is due; -ENOMEM. It lives until the next call that uses ids. */
int cut_ids_next(struct cut_ids *ids, struct trace_record *rec);

#endif
