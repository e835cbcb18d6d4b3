/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h: what SINCE and COUNTER records count, summed up by what it is of.
 *
 *   1. The registry says how a type adds up: SUM, MIN, MAX, BIN and WEIGHT. Rows are told apart by the keys of the query, which
 *      have DIM; over its other DIM keys it is summed.
 *   2. Of COUNTER types a row is a series: its dims are all that store_query_all() finds. The store adds up by how much a
 *      counter rose from one record to the next. A step back adds nothing, and is counted; a counter of 32 bits wraps.
 *      What was read only once is not known. An exact time that was nil at a tick is not known from then on.
 *   3. A row keeps its number. store_clear() takes the values, not the row.
 *   4. Sums stay at the end of the scale. A nil makes a sum not known.
 *   5. A number that this version does not know (KNOWN in the registry) is a newer one's: its record, or element, is not counted.
 *   6. Memory is bounded: rows by `most`, beyond which all goes to the rest; values that are 0 take none.
 */
#ifndef NETCOST_REPORT_STORE_H
#define NETCOST_REPORT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

#include "report/base/stats.h"

#define STORE_DIMS 8
/* Dims of COUNTER types that no key says: the CPU of an element, by the TICK before; the id that it is for. */
#define STORE_CPU 254
#define STORE_EACH 255
#define STORE_NAMES 4
#define STORE_VALUES 64

/* Arrays of keys end with 0. */
struct store_query {
	unsigned int
		type; /* enum trace_type; 0: rows of no record, with keys of their own, which store_put() makes */
	const struct trace_key_desc *keys; /* in place of the registry's; the last has no name */
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

/* All of the type's dims. False: the type has no such rows: it does not add up. */
#define STORE_SERIES 200000 /* rows that are kept apart */
bool store_query_all(struct store_query *q, unsigned int type);

/* The CPUs of the last TICK, in its order. */
struct store_tick {
	const uint32_t *cpu;
	uint32_t n;
};

/* Both: -ENOMEM. q must outlive the store. */
int store_new(struct store **s, const struct store_query *q);
void store_free(struct store *s); /* takes NULL */

/*
 * Adds what a record of the type counts. -ENOMEM; -EBADMSG: its columns have different lengths. Whether the ids in it are defined
 * is for the caller to know. tick: NULL for SINCE types.
 */
int store_take(struct store *s, const struct trace_record *rec, const struct store_tick *tick);

/* A dim of a row: a number, or, of dims that are texts, a text. */
struct store_dim {
	uint64_t v;
	const char *s; /* not NULL in a text */
	size_t len;
};

/* The row with these dims, in the order of the query's: made if there is none, or the rest. -ENOMEM. */
int store_put(struct store *s, const struct store_dim dim[], size_t *row);
/* Adds to a row: to a value, by its key; a duration, to its histogram. -ENOMEM. */
int store_put_value(struct store *s, size_t row, unsigned int key, uint64_t v);
int store_put_ns(struct store *s, size_t row, uint64_t ns);
/* a + b, at most TRACE_NIL - 1. TRACE_NIL: one of them is not known. */
uint64_t store_sum(uint64_t a, uint64_t b);
/* Removes all values; counters go on from where they were. */
void store_clear(struct store *s);

/* Rows are numbered from 0 on, in the order in which they came. */
size_t store_rows(const struct store *s);
/* The row with these dims, in the order of the query's; -1: there is none. The first: of queries without texts. */
ptrdiff_t store_find(const struct store *s, const uint64_t dim[]);
ptrdiff_t store_find_dims(const struct store *s, const struct store_dim dim[]);
/* The row that has the same dims as one of a store of the same query. */
ptrdiff_t store_find_like(const struct store *s, const struct store *of, size_t row);
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
/* Of COUNTER types: it was read once. */
bool store_is_first(const struct store *s, size_t row, unsigned int key);
/* Records that were taken. Of COUNTER types: steps back, and elements that there was no room for. */
uint64_t store_records(const struct store *s);
uint64_t store_fell(const struct store *s);
uint64_t store_left_out(const struct store *s);
/* The dim i of the query; its key is STORE_CPU or STORE_EACH where no key of the type says it. */
const struct trace_key_desc *store_dim_desc(const struct store *s, size_t i);
/* The value i, in the order of the registry; NULL: there are no more. */
const struct trace_key_desc *store_value_desc(const struct store *s, size_t i);

#endif
