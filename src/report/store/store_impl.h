/* SPDX-License-Identifier: BSD-2-Clause */
/* store_impl.h: the rows of a store, and the functions with which store_take.c changes them. */
#ifndef NETCOST_REPORT_STORE_IMPL_H
#define NETCOST_REPORT_STORE_IMPL_H

#include "store.h"

/* A row. Its nonzero values are stored consecutively from index `at` on, in the order of the registry. */
struct store_row {
	uint64_t has;
	uint32_t at, name; /* name 0: the row has no name */
	bool touched;
};

struct store {
	const struct store_query *q;
	size_t ndims;
	const struct trace_key_desc *dim[STORE_DIMS];
	const struct trace_key_desc *value[STORE_VALUES];
	size_t nvalues;
	uint8_t value_of[UINT8_MAX + 1];    /* index of the value of each key */
	unsigned int bin, weight, min, max; /* keys of the type; 0: the type has no such key */
	/* Each element of the type's columns belongs to a separate row. */
	bool columns;
	bool counts;			 /* the type is a COUNTER type */
	struct trace_key_desc cpu, each; /* dims that have no key */
	uint64_t seen; /* the values that occurred in records, one bit for each value */

	struct store_row *row;
	uint64_t *dims; /* dims of the rows, row by row; for a text, its offset in `text` */
	struct dist *dist;
	size_t n, cap_row, cap_dims, cap_dist;
	uint32_t *touched;
	size_t ntouched, cap_touched;
	uint32_t *place; /* hash table of rows, counted from 1; 0: free */
	size_t places;	 /* size of the hash table, a power of 2 */

	uint64_t *v;
	size_t nv, cap_v;
	uint32_t free[STORE_VALUES + 1]; /* free lists, by number of values; 0: the list is empty */
	char *text;			 /* texts; offset 0 holds "" */
	size_t ntext, cap_text;

	/*
	 * For COUNTER types, row by row. last: the last reading of each value (TRACE_NIL: no reading). known: the
	 * values that have had an increase, or a constant reading, after the first reading.
	 */
	uint64_t *last, *known;
	size_t cap_last, cap_known;
	uint64_t records, fell, left_out;
};

/* The dims of a row to be looked up. */
struct store_key {
	struct store_dim dim[STORE_DIMS];
};

static inline bool store_is_text(const struct trace_key_desc *k)
{
	return k->kind == TRACE_STR || k->kind == TRACE_STRS;
}

static inline void store_touch(struct store *s, size_t row)
{
	if (!s->row[row].touched)
		s->touched[s->ntouched++] = (uint32_t)row;
	s->row[row].touched = true;
}

/* Adds a text, whose offset in s->text is *at. Returns 0 or -ENOMEM. */
int store_keep_text(struct store *s, const char *text, size_t len, uint32_t *at);

/*
 * Finds the row, or creates it. If there is no room, *row is the rest. COUNTER types have no rest, so in that case *row
 * is not set. Changes k to the dims of the row that was found. Returns 0 or -ENOMEM.
 */
int store_row_of(struct store *s, struct store_key *k, size_t *row);

/* Adds to a value of a row. `value` is the index of the value. Returns 0 or -ENOMEM. */
int store_add(struct store *s, size_t row, unsigned int value, uint64_t v, bool sign);

#endif
