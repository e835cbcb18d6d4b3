/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h: sums up SINCE and COUNTER records into rows.
 *
 *   1. The registry says how a type adds up: SUM, MIN, MAX, BIN and WEIGHT. The query's DIM keys
 *      identify a row; a row is the sum over the other DIM keys.
 *   2. A row of a COUNTER type is a series: its dims are all that store_query_all() finds. The
 *      store adds the increase of a counter from one record to the next. A decrease adds nothing
 *      and is counted; a 32-bit counter wraps. A counter with a single reading is unknown. An
 *      exact time that was nil at one tick is unknown afterwards.
 *   3. Rows keep their numbers. store_clear() removes the values, not the rows.
 *   4. Sums saturate. A nil makes a sum unknown.
 *   5. A number above KNOWN in the registry comes from a newer version: its record, or element, is
 *      skipped.
 *   6. Memory is bounded: at most `most` rows, beyond which everything is added to the rest;
 *      values of 0 take no memory.
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
 * Dims of COUNTER types that have no key: the element's CPU, from the preceding TICK; the id that the element is for.
 */
#define STORE_CPU 254
#define STORE_EACH 255
#define STORE_NAMES 4
#define STORE_VALUES 64

/* Arrays of keys are terminated by 0. */
struct store_query {
	unsigned int
		/* enum trace_type; 0: rows that come from no record but from store_put(), with keys of their own */
		type;
	/* replaces the registry's keys; the last one has no name */
	const struct trace_key_desc *keys;
	uint8_t dim[STORE_DIMS + 1];
	/* Texts that do not identify a row: a row keeps the first one. */
	uint8_t name[STORE_NAMES + 1];
	uint8_t ns; /* for types with BIN: the sum of the values in the histogram */
	/*
	 * Largest number of separate rows; 0: unlimited. Further rows are added to the rest, whose dims are unknown
	 * except those with few values (KNOWN in the registry). Rows with unknown dims always have room.
	 */
	size_t most;
	uint8_t which; /* the dim that gives the kind of a row; 0: none */
	uint64_t one,
		/* values of that dim: for a separate row, whose other dims count; for the rest */
		rest;
};

struct store;

/* Selects all of the type's dims. Returns false if the type does not add up and has no rows. */
#define STORE_SERIES 200000 /* largest number of separate rows */
bool store_query_all(struct store_query *q, unsigned int type);

/* The CPUs of the last TICK, in its order. */
struct store_tick {
	const uint32_t *cpu;
	uint32_t n;
};

/* Both return -ENOMEM on failure. q must outlive the store. */
int store_new(struct store **s, const struct store_query *q);
void store_free(struct store *s); /* accepts NULL */

/*
 * Adds the counts of a record of the query's type. Returns -ENOMEM, or -EBADMSG if the columns have different lengths.
 * The caller checks that the ids in it are defined. tick is NULL for SINCE types.
 */
int store_take(struct store *s, const struct trace_record *rec, const struct store_tick *tick);

/* A dim of a row: a number, or a text for dims that are texts. */
struct store_dim {
	uint64_t v;
	const char *s; /* never NULL for a text */
	size_t len;
};

/*
 * Finds the row with these dims, in the order of the query. A missing row is created; if there is
 * no room, *row is the rest. -ENOMEM.
 */
int store_put(struct store *s, const struct store_dim dim[], size_t *row);
/* Adds to a value of a row, given its key; adds a duration to the row's histogram. -ENOMEM. */
int store_put_value(struct store *s, size_t row, unsigned int key, uint64_t v);
int store_put_ns(struct store *s, size_t row, uint64_t ns);
/* Returns a + b, at most TRACE_NIL - 1; TRACE_NIL if one of them is unknown. */
uint64_t store_sum(uint64_t a, uint64_t b);
/* Removes all values; counters continue from their last readings. */
void store_clear(struct store *s);

/* Rows are numbered from 0, in the order of their creation. */
size_t store_rows(const struct store *s);
/*
 * Returns the row with these dims, in the order of the query, or -1. store_find() works only for queries without texts.
 */
ptrdiff_t store_find(const struct store *s, const uint64_t dim[]);
ptrdiff_t store_find_dims(const struct store *s, const struct store_dim dim[]);
/* Returns the row that has the same dims as a row of another store of the same query. */
ptrdiff_t store_find_like(const struct store *s, const struct store *of, size_t row);
/* Returns the number of rows with values since the last store_clear(), in the order of their creation. */
size_t store_touched(const struct store *s, const uint32_t **row);

/* Returns a dim by its key; TRACE_NIL: unknown. */
uint64_t store_dim(const struct store *s, size_t row, unsigned int key);
/* Returns a text, of a dim or name; "": unknown. */
const char *store_text(const struct store *s, size_t row, unsigned int key);
/* Returns the row's name, the first one that was recorded; "": none. */
const char *store_name(const struct store *s, size_t row);
/* Returns 0 if nothing was counted, TRACE_NIL if unknown. */
uint64_t store_value(const struct store *s, size_t row, unsigned int key);
int64_t store_signed(const struct store *s, size_t row, unsigned int key);
/* For types with BIN. */
const struct dist *store_dist(const struct store *s, size_t row);
/* True if any record had that key. */
bool store_has(const struct store *s, unsigned int key);
/* Returns the allocated memory in bytes. */
size_t store_bytes(const struct store *s);
/* For COUNTER types: true if the counter has a single reading. */
bool store_is_first(const struct store *s, size_t row, unsigned int key);
/*
 * store_records(): records taken. The others, for COUNTER types: decreases, and elements for which there was no room.
 */
uint64_t store_records(const struct store *s);
uint64_t store_fell(const struct store *s);
uint64_t store_left_out(const struct store *s);
/* Returns dim i of the query; its key is STORE_CPU or STORE_EACH if the type has no key for it. */
const struct trace_key_desc *store_dim_desc(const struct store *s, size_t i);
/* Returns value i in the order of the registry; NULL after the last one. */
const struct trace_key_desc *store_value_desc(const struct store *s, size_t i);

#endif
