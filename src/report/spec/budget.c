// SPDX-License-Identifier: BSD-2-Clause
#include "budget.h"

#include <errno.h>
#include <stdio.h>

/* Bytes of a definition that is kept, without its name: in arrays that have grown by half, and what is made of those. */
static const uint16_t cost[TRACE_IDS_COUNT] = {
	[TRACE_IDS_MODULE] = 64,   [TRACE_IDS_SYMBOL] = 64,  [TRACE_IDS_STACK] = 64,
	[TRACE_IDS_TASK] = 128,	   [TRACE_IDS_NETDEV] = 768, [TRACE_IDS_ZONE] = 256,
	[TRACE_IDS_PROGRAM] = 384, [TRACE_IDS_CGROUP] = 128, [TRACE_IDS_PROTOCOL] = 256,
	[TRACE_IDS_DROP] = 192,	   [TRACE_IDS_OTHER] = 1792, [TRACE_IDS_PROCESS] = 192,
};

/* What check.h and cut_base.h keep of a definition: depths of stacks, and the last values of counters. */
static const uint8_t checked[TRACE_IDS_COUNT] = {
	[TRACE_IDS_STACK] = 4,	   [TRACE_IDS_NETDEV] = 192,  [TRACE_IDS_ZONE] = 64,
	[TRACE_IDS_PROGRAM] = 128, [TRACE_IDS_PROTOCOL] = 48, [TRACE_IDS_DROP] = 48,
	[TRACE_IDS_OTHER] = 128,
};

#define COST_SETTING 128 /* a row of CONTEXT, without its texts */

void budget_init(struct budget *b, unsigned long mib, unsigned int kept)
{
	*b = (struct budget){ .limit = (uint64_t)(mib ? mib : BUDGET_MIB) << 20, .kept = kept };
}

int budget_take(struct budget *b, uint64_t bytes)
{
	if (__builtin_add_overflow(b->used, bytes, &b->used))
		b->used = UINT64_MAX;
	return b->used > b->limit ? BUDGET_SPENT : 0;
}

static bool has_texts(unsigned int type)
{
	return type == TRACE_CONTEXT || type == TRACE_SOURCE || type == TRACE_PROBE ||
	       type == TRACE_PROBE_COST;
}

static uint64_t texts_of(const struct trace_record *rec)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < rec->nfields; i++)
		if (rec->field[i].kind == TRACE_STR || rec->field[i].kind == TRACE_STRS)
			bytes += 2 * trace_field_size(&rec->field[i]);
	return bytes;
}

int budget_take_record(struct budget *b, const struct trace_record *rec)
{
	const struct trace_key_desc *k = trace_type_defines(rec->type);
	uint64_t rows = k || rec->type == TRACE_CONTEXT ? trace_record_rows(rec) : 0;

	if (k && b->kept & 1u << k->ids)
		return budget_take(b, rows * cost[k->ids] + texts_of(rec));
	if (k)
		return budget_take(b, rows * checked[k->ids]);
	if (b->kept & BUDGET_TEXTS && has_texts(rec->type))
		return budget_take(b, rows * COST_SETTING + texts_of(rec));
	return 0;
}

char *budget_text(unsigned long mib, char *dst, size_t size)
{
	snprintf(
		dst, size,
		"too large for --memory: its names and ids take more than %lu MiB; the file may be "
		"all right: set --memory=%lu or more",
		mib ? mib : BUDGET_MIB, 2 * (mib ? mib : BUDGET_MIB));
	return dst;
}
