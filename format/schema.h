/* SPDX-License-Identifier: BSD-2-Clause */
/* schema.h: inside the trace library: SCHEMA and NAMES, by which a trace describes its own records. */
#ifndef NETCOST_SCHEMA_H
#define NETCOST_SCHEMA_H

#include <netcost/trace.h>

#include "mp_pack.h"

#define SCHEMA_KEYS 64u /* this major version has keys below */
#define SCHEMA_NAME 63	/* bytes of a name, at most */
#define SCHEMA_ROWS 1024

struct schema_row {
	uint8_t type, key, kind; /* key 0: the type itself */
	char name[SCHEMA_NAME + 1];
	char one_of[SCHEMA_NAME + 1]; /* the enumeration whose numbers the key has; empty: none */
};

/* A number of an enumeration, as NAMES has it. */
struct schema_number {
	uint64_t number;
	char of[SCHEMA_NAME + 1], name[SCHEMA_NAME + 1];
};

struct schema {
	size_t n, nnumbers;
	struct schema_row row[SCHEMA_ROWS];
	struct schema_number number[SCHEMA_ROWS];
};

/* SCHEMA and NAMES, as the registry has them. Returns the number of records. */
unsigned int schema_put(struct mp_buf *b);

/* Takes what the registry does not have. A row that breaks a rule of SPEC.md, section 2.2, is left out. */
void schema_take(struct schema *s, const struct trace_record *rec);
void schema_take_names(struct schema *s, const struct trace_record *rec);
/* What NAMES calls this number of the enumeration; NULL: nothing. */
const char *schema_name(const struct schema *s, const char *of, uint64_t number);
/* NULL: it has none. */
const struct schema_row *schema_find(const struct schema *s, uint64_t type, uint64_t key);

#endif
