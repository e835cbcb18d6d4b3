// SPDX-License-Identifier: BSD-2-Clause
/* The registry as tables. Every field of every record is looked up here: by index, without a search. */
#include <netcost/trace.h>

#define TYPES 128 /* types and keys are below: a row beyond does not compile */
#define KEYS 32

static const struct trace_type_desc types[TYPES] = {
#define X(id, NAME, name, of, doc) [id] = { id, TRACE_##of, name, doc },
	TRACE_TYPES(X)
#undef X
};

static const struct trace_key_desc keys[] = {
#define X(TYPE, key, NAME, name, KIND, unit, doc)                                                  \
	{ TRACE_##TYPE, key, TRACE_##KIND, name, unit, doc },
	TRACE_KEYS(X)
#undef X
};

enum row {
#define X(TYPE, key, NAME, name, KIND, unit, doc) ROW_##TYPE##_##NAME,
	TRACE_KEYS(X)
#undef X
};

/* Where a key stands in keys[], from 1 on. */
static const uint8_t row[TYPES][KEYS] = {
#define X(TYPE, key, NAME, name, KIND, unit, doc) [TRACE_##TYPE][key] = ROW_##TYPE##_##NAME + 1,
	TRACE_KEYS(X)
#undef X
};

const struct trace_type_desc *trace_type_desc(unsigned int type)
{
	return type < TYPES && types[type].name ? &types[type] : NULL;
}

const struct trace_key_desc *trace_key_desc(unsigned int type, unsigned int key)
{
	return type < TYPES && key < KEYS && row[type][key] ? &keys[row[type][key] - 1] : NULL;
}
