/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * schema.h: what SPEC.md demands of a record's fields beyond their kinds, as a table. `verify` checks by
 * it, and what copies traces goes by it: a new record type needs rows here, and no code.
 */
#ifndef NETCOST_REPORT_SCHEMA_H
#define NETCOST_REPORT_SCHEMA_H

#include <netcost/trace.h>

/* What is defined once and named by a dense id from 1 on. */
enum schema_ids {
	IDS_NONE,
	IDS_MODULE,
	IDS_SYMBOL,
	IDS_STACK,
	IDS_TASK,
	IDS_NETDEV,
	IDS_ZONE,
	IDS_PROGRAM,
	IDS_CGROUP,
	IDS_CODES,
	IDS_COUNT,
};

extern const char *const schema_ids_name[IDS_COUNT];

enum schema_flag {
	KEY_MUST = 1,	   /* MUST be there */
	KEY_LENGTH = 2,	   /* its columns have one length in a record */
	KEY_PER_CPU = 4,   /* an element for each CPU of the TICK before */
	KEY_TIME = 8,	   /* within FRAME's time range */
	KEY_OWN = 16,	   /* counts since the recording began: never falls */
	KEY_HOST = 32,	   /* counts since the kernel began to: falls when it is reset */
	KEY_U32 = 64,	   /* 32 bits wide, and wraps */
	KEY_CPU = 128,	   /* CPU numbers */
	KEY_NO_ZERO = 256, /* of ids: 0 names nothing */
	KEY_LEVEL = 512,   /* of KEY_OWN: how much it is by now, rather than a count from 0 */
};

struct schema_key {
	uint8_t type, key;
	uint16_t flags;
	uint8_t ids; /* enum schema_ids: whose ids these are; of a definition: which it defines */
	bool defines;
};

extern const struct schema_key schema_keys[];
extern const size_t schema_nkeys;

/* Counters: MUST have a TICK before them in their frame. */
bool schema_is_counter(unsigned int type);

/* Rows of a type stand together: the first one, and how many. NULL: none. */
const struct schema_key *schema_type(unsigned int type, size_t *n);

/* The row of a type that defines ids, or NULL. */
const struct schema_key *schema_defines(unsigned int type);

/* How many ids a defining record defines: as its columns are long, or 1. */
uint32_t schema_defined(const struct trace_record *rec);

#endif
