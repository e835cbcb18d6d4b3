/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h: sums up SINCE and COUNTER records into rows.
 *
 * 1. The registry defines how a type adds up: SUM, MIN, MAX, BIN and WEIGHT. The query's DIM keys identify a row. A row
 * is the sum over all other DIM keys.
 * 2. A row of a COUNTER type is a series, whose dims are all dims that store_query_all() finds. The store adds the
 * increase of a counter from one record to the next. A decrease adds nothing and is counted. A 32-bit counter wraps. A
 * counter with a single reading is unknown. An exact time that was nil at one tick is unknown afterwards.
 * 3. Rows keep their numbers. store_clear() removes the values, not the rows.
 * 4. Sums saturate. A nil makes a sum unknown.
 * 5. A number above KNOWN in the registry comes from a newer version, so the record or element that contains it is
 * skipped.
 * 6. Memory is bounded. There are at most `most` rows, and all further rows are added to the rest. Values of 0 take no
 * memory.
 */
#ifndef NETCOST_REPORT_STORE_H
#define NETCOST_REPORT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

#include "report/base/stats.h"

#define STORE_DIMS 8
/*
 * Dims of COUNTER types without a key of their own: the CPU of an element, which the preceding TICK has, and the id to
 * which the element belongs.
 */
#define STORE_CPU 254
#define STORE_EACH 255
#define STORE_NAMES 4
#define STORE_VALUES 64

/* A query. Its arrays of keys are terminated by 0. */
struct store_query {
	unsigned int
		/* enum trace_type; 0: the rows come from store_put() instead of records, and have the keys in `keys` */
		type;
	/* Keys that are used instead of the registry's keys. The last element has no name. */
	const struct trace_key_desc *keys;
	uint8_t dim[STORE_DIMS + 1];
	/* Texts that do not identify a row. A row keeps the first text. */
	uint8_t name[STORE_NAMES + 1];
	uint8_t ns; /* the key of the sum of the values in the histogram, for types with BIN */
	/*
	 * Maximum number of separate rows; 0: unlimited. Further rows are added to the rest. The dims of the rest are
	 * unknown, except dims with few possible values (KNOWN in the registry). There is always room for rows with
	 * unknown dims.
	 */
	size_t most;
	uint8_t which; /* the dim that gives the kind of a row; 0: no dim */
	uint64_t one,
		/*
		 * Values of the dim `which`. `one` is the value of separate rows, whose other dims are significant.
		 * `rest` is the value of the rest.
		 */
		rest;
};

struct store;

/* Makes a query for all dims of a type. Returns false if the type does not add up and has no rows. */
#define STORE_SERIES 200000 /* maximum number of separate rows */
bool store_query_all(struct store_query *q, unsigned int type);

/* The CPUs of the last TICK, in the order of the TICK. */
struct store_tick {
	const uint32_t *cpu;
	uint32_t n;
};

/* Creates a store. q must outlive the store. Returns 0 or -ENOMEM. */
int store_new(struct store **s, const struct store_query *q);
void store_free(struct store *s); /* s may be NULL */

/*
 * Adds the counts of a record of the query's type. The caller checks that the ids in the record are defined. tick is
 * NULL for SINCE types. Returns 0, -ENOMEM, or -EBADMSG if the columns have different lengths.
 */
int store_take(struct store *s, const struct trace_record *rec, const struct store_tick *tick);

/* A dim of a row: a number, or a text if the dim's key is a text. */
struct store_dim {
	uint64_t v;
	const char *s; /* never NULL if the dim is a text */
	size_t len;
};

/*
 * Finds the row with these dims, which are in the order of the query. If the row does not exist, it is created. If
 * there is no room, *row is the rest. Returns 0 or -ENOMEM.
 */
int store_put(struct store *s, const struct store_dim dim[], size_t *row);
/* Add to a value of a row, given the value's key, or add a duration to the row's histogram. Return 0 or -ENOMEM. */
int store_put_value(struct store *s, size_t row, unsigned int key, uint64_t v);
int store_put_ns(struct store *s, size_t row, uint64_t ns);
/* Returns a + b, but at most TRACE_NIL - 1. Returns TRACE_NIL if a or b is unknown. */
uint64_t store_sum(uint64_t a, uint64_t b);
/* Removes all values. Counters continue from their last readings. */
void store_clear(struct store *s);

/* Returns the number of rows. Rows are numbered from 0, in the order of their creation. */
size_t store_rows(const struct store *s);
/*
 * Return the row with these dims, which are in the order of the query, or -1. store_find() works only for queries
 * without texts.
 */
ptrdiff_t store_find(const struct store *s, const uint64_t dim[]);
ptrdiff_t store_find_dims(const struct store *s, const struct store_dim dim[]);
/* Returns the row that has the same dims as a row of another store of the same query. */
ptrdiff_t store_find_like(const struct store *s, const struct store *of, size_t row);
/*
 * Returns the number of rows that got values since the last store_clear(). *row lists these rows in the order of their
 * creation.
 */
size_t store_touched(const struct store *s, const uint32_t **row);

/* Returns a dim of a row, given the dim's key. TRACE_NIL: unknown. */
uint64_t store_dim(const struct store *s, size_t row, unsigned int key);
/* Returns a text of a row, which may be a dim or a name. "": unknown. */
const char *store_text(const struct store *s, size_t row, unsigned int key);
/* Returns the first name that was recorded for the row. "": no name. */
const char *store_name(const struct store *s, size_t row);
/* Returns a value of a row: 0 if nothing was counted, TRACE_NIL if the value is unknown. */
uint64_t store_value(const struct store *s, size_t row, unsigned int key);
int64_t store_signed(const struct store *s, size_t row, unsigned int key);
/* Returns the histogram of a row. Only for types with BIN. */
const struct dist *store_dist(const struct store *s, size_t row);
/* Returns true if any record contained this key. */
bool store_has(const struct store *s, unsigned int key);
/* Returns the allocated memory in bytes. */
size_t store_bytes(const struct store *s);
/* Returns true if the counter has a single reading. Only for COUNTER types. */
bool store_is_first(const struct store *s, size_t row, unsigned int key);
/*
 * store_records() returns the number of records that were added. The other two functions are for COUNTER types. One
 * returns the number of decreases, the other returns the number of elements for which there was no room.
 */
uint64_t store_records(const struct store *s);
uint64_t store_fell(const struct store *s);
uint64_t store_left_out(const struct store *s);
/* Returns dim i of the query. The key of the result is STORE_CPU or STORE_EACH if the type has no key for the dim. */
const struct trace_key_desc *store_dim_desc(const struct store *s, size_t i);
/* Returns value i in the order of the registry, or NULL after the last value. */
const struct trace_key_desc *store_value_desc(const struct store *s, size_t i);

#endif
