// SPDX-License-Identifier: BSD-2-Clause
/* The registry as tables. */
#include <netcost/trace.h>

static const struct trace_type_desc types[] = {
#define X(id, NAME, name, doc) { id, name, doc },
	TRACE_TYPES(X)
#undef X
};

static const struct trace_key_desc keys[] = {
#define X(TYPE, key, NAME, name, KIND, unit, doc)                                                  \
	{ TRACE_##TYPE, key, TRACE_##KIND, name, unit, doc },
	TRACE_KEYS(X)
#undef X
};

const struct trace_type_desc *trace_type_desc(unsigned int type)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].type == type)
			return &types[i];
	return NULL;
}

const struct trace_key_desc *trace_key_desc(unsigned int type, unsigned int key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].type == type && keys[i].key == key)
			return &keys[i];
	return NULL;
}
