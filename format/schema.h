/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * schema.h: internal to the trace library: writes and reads SCHEMA and NAMES, in which a trace describes its own
 * records.
 */
#ifndef NETCOST_SCHEMA_H
#define NETCOST_SCHEMA_H

#include <netcost/trace.h>

#include "mp_pack.h"

#define SCHEMA_KEYS 64u /* the keys of this major version are below this number */
#define SCHEMA_NAME 63	/* maximum bytes of a name */
#define SCHEMA_ROWS 1024

struct schema_row {
	uint8_t type, key, kind; /* key 0 describes the type itself */
	char name[SCHEMA_NAME + 1];
	/* enumeration of the key's numbers; empty if the key has none */
	char one_of[SCHEMA_NAME + 1];
};

/* A number of an enumeration, as described in NAMES. */
struct schema_number {
	uint64_t number;
	char of[SCHEMA_NAME + 1], name[SCHEMA_NAME + 1];
};

struct schema {
	size_t n, nnumbers;
	struct schema_row row[SCHEMA_ROWS];
	struct schema_number number[SCHEMA_ROWS];
};

/* Writes the registry as SCHEMA and NAMES. Returns the number of records. */
unsigned int schema_put(struct mp_buf *b);

/* Stores the rows that the registry lacks. Ignores a row that breaks a rule of SPEC.md, section 2.2. */
void schema_take(struct schema *s, const struct trace_record *rec);
void schema_take_names(struct schema *s, const struct trace_record *rec);
/* Returns the name of the number of an enumeration from NAMES, or NULL if NAMES lacks it. */
const char *schema_name(const struct schema *s, const char *of, uint64_t number);
/* Returns the row of a type or key. Returns NULL for an unknown type or key. */
const struct schema_row *schema_find(const struct schema *s, uint64_t type, uint64_t key);

#endif
