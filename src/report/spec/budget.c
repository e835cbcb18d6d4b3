// SPDX-License-Identifier: BSD-2-Clause
#include "budget.h"

#include <errno.h>
#include <stdio.h>

/* Bytes of a definition, without its name: in arrays that have grown by half, and what is made of those. */
static const uint16_t cost[TRACE_IDS_COUNT] = {
	[TRACE_IDS_MODULE] = 64,   [TRACE_IDS_SYMBOL] = 64,  [TRACE_IDS_STACK] = 64,
	[TRACE_IDS_TASK] = 128,	   [TRACE_IDS_NETDEV] = 768, [TRACE_IDS_ZONE] = 256,
	[TRACE_IDS_PROGRAM] = 384, [TRACE_IDS_CGROUP] = 128, [TRACE_IDS_PROTOCOL] = 256,
	[TRACE_IDS_DROP] = 192,	   [TRACE_IDS_OTHER] = 1792, [TRACE_IDS_PROCESS] = 512,
};

#define COST_SETTING 128 /* a row of CONTEXT, without its texts */

void budget_init(struct budget *b, unsigned long mib)
{
	*b = (struct budget){ .limit = (uint64_t)(mib ? mib : BUDGET_MIB) << 20 };
}

int budget_take(struct budget *b, uint64_t bytes)
{
	if (__builtin_add_overflow(b->used, bytes, &b->used))
		b->used = UINT64_MAX;
	return b->used > b->limit ? BUDGET_SPENT : 0;
}

int budget_take_record(struct budget *b, const struct trace_record *rec)
{
	const struct trace_key_desc *k = trace_type_defines(rec->type);
	bool settings = rec->type == TRACE_CONTEXT;
	uint64_t each = k ? cost[k->ids] : settings ? COST_SETTING : 0, bytes = 0;

	if (!each && rec->type != TRACE_SOURCE && rec->type != TRACE_PROBE &&
	    rec->type != TRACE_PART && rec->type != TRACE_PROBE_COST)
		return 0;
	if (each)
		bytes = each * trace_record_rows(rec);
	for (unsigned int i = 0; i < rec->nfields; i++)
		if (rec->field[i].kind == TRACE_STR || rec->field[i].kind == TRACE_STRS)
			bytes += 2 * trace_field_size(&rec->field[i]);
	return budget_take(b, bytes);
}

char *budget_text(unsigned long mib, char *dst, size_t size)
{
	snprintf(dst, size,
		 "damaged: too large: its names and ids take more than %lu MiB of memory; "
		 "raise --memory if there are meant to be so many",
		 mib ? mib : BUDGET_MIB);
	return dst;
}
