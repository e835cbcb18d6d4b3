/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h: what SINCE records count, summed up by what it is of.
 *
 *   1. The registry says how a type adds up: SUM, MIN, MAX, BIN and WEIGHT. Rows are told apart by the keys of the query, which
 *      have DIM; over its other DIM keys it is summed.
 *   2. A row keeps its number. store_clear() takes the values, not the row.
 *   3. Sums stay at the end of the scale. A nil makes a sum not known.
 *   4. A number that this version does not know (KNOWN in the registry) is a newer one's: its record, or element, is not counted.
 *   5. Memory is bounded: rows by `most`, beyond which all goes to the rest; values that are 0 take none.
 */
#ifndef NETCOST_REPORT_STORE_H
#define NETCOST_REPORT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

#include "report/base/stats.h"

#define STORE_DIMS 8
#define STORE_NAMES 4
#define STORE_VALUES 64

/* Arrays of keys end with 0. */
struct store_query {
	unsigned int type; /* enum trace_type */
	uint8_t dim[STORE_DIMS + 1];
	/* Texts that tell no rows apart: a row has the first that it came with. */
	uint8_t name[STORE_NAMES + 1];
	uint8_t ns; /* of types with BIN: the sum of what is in the histogram */
	/*
	 * Rows that are kept apart; 0: any number. Further ones are summed up in the rest, of which only dims of few values are
	 * known (KNOWN in the registry). There is always room for rows of which no others are known.
	 */
	size_t most;
	uint8_t which; /* the dim that says what a row is; 0: there is none */
	uint64_t one,
		rest; /* its values: a row that is kept apart, whose other dims count; the rest */
};

struct store;

/* Both: -ENOMEM. q must outlive the store. */
int store_new(struct store **s, const struct store_query *q);
void store_free(struct store *s); /* takes NULL */

/*
 * Adds what a record of the type counts. -ENOMEM; -EBADMSG: its columns have different lengths. Whether the ids in it are defined
 * is for the caller to know.
 */
int store_take(struct store *s, const struct trace_record *rec);
/* Removes all values. */
void store_clear(struct store *s);

/* Rows are numbered from 0 on, in the order in which they came. */
size_t store_rows(const struct store *s);
/* The row with these dims, in the order of the query's; -1: there is none. Of queries without texts. */
ptrdiff_t store_find(const struct store *s, const uint64_t dim[]);
/* Rows with values since the last store_clear(), in the order in which they came. */
size_t store_touched(const struct store *s, const uint32_t **row);

/* By the key. TRACE_NIL: not known. */
uint64_t store_dim(const struct store *s, size_t row, unsigned int key);
/* Of a dim or name that is a text; "": not known. */
const char *store_text(const struct store *s, size_t row, unsigned int key);
/* The first name that it came with; "": none. */
const char *store_name(const struct store *s, size_t row);
/* 0: there was none; TRACE_NIL: not known. */
uint64_t store_value(const struct store *s, size_t row, unsigned int key);
int64_t store_signed(const struct store *s, size_t row, unsigned int key);
/* Of types with BIN. */
const struct dist *store_dist(const struct store *s, size_t row);
/* Did any record have that key? */
bool store_has(const struct store *s, unsigned int key);
/* Bytes that it has taken. */
size_t store_bytes(const struct store *s);

#endif
