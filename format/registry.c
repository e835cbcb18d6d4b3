// SPDX-License-Identifier: BSD-2-Clause
/* The registry as tables. Every field of every record is looked up here: by index, without a search. */
#include <netcost/trace.h>

#include <netcost/events.h>
#include <netcost/fates.h>
#include <netcost/latency.h>
#include <netcost/parts.h>
#include <netcost/probe_of.h>
#include <netcost/probes.h>

/* ---- the words of the column `flags` ----------------------------------------------------- */

/* Flags in the low 20 bits, above them a sort of ids, a class of privacy, and how many numbers are known. */
#define IDS_SHIFT 20
#define PRIVACY_SHIFT 24
#define KNOWN_SHIFT 28

enum {
#define X(NAME, doc) NAME = TRACE_KEY_##NAME,
	TRACE_KEY_FLAGS(X)
#undef X
		PUBLIC = TRACE_PUBLIC << PRIVACY_SHIFT,
};

#define NAMES(SORT) (TRACE_IDS_##SORT << IDS_SHIFT)
#define DEFINES(SORT) (TRACE_KEY_DEFINES | TRACE_KEY_MUST | NAMES(SORT))
#define EACH(SORT) (TRACE_KEY_EACH | NAMES(SORT))
#define PRIVATE(CLASS) (TRACE_PRIVATE_##CLASS << PRIVACY_SHIFT)
#define KNOWN(n) ((n)*1ll << KNOWN_SHIFT)

_Static_assert(TRACE_KEY_WEIGHT < 1 << IDS_SHIFT, "flags have 20 bits");
_Static_assert(TRACE_IDS_COUNT <= 16 && TRACE_PRIVACIES <= 16, "these have 4 each");

/* ---- tables ------------------------------------------------------------------------------ */

#define TYPES TRACE_TYPES_MAX
#define KEYS 64

static const struct trace_type_desc types[TYPES] = {
#define X(id, NAME, name, of, doc) [id] = { id, TRACE_##of, name, doc },
	TRACE_TYPES(X)
#undef X
};

static const struct trace_key_desc keys[] = {
#define X(TYPE, key, NAME, name, KIND, unit, flags, doc)                                           \
	{ TRACE_##TYPE,                                                                            \
	  key,                                                                                     \
	  TRACE_##KIND,                                                                            \
	  (flags) >> IDS_SHIFT & 15,                                                               \
	  (flags) & ((1 << IDS_SHIFT) - 1),                                                        \
	  (flags) >> PRIVACY_SHIFT & 15,                                                           \
	  (flags) >> KNOWN_SHIFT,                                                                  \
	  name,                                                                                    \
	  unit,                                                                                    \
	  doc },
	TRACE_KEYS(X)
#undef X
};

#define X(TYPE, key, NAME, name, KIND, unit, flags, doc)                                           \
	_Static_assert((TRACE_##KIND != TRACE_STR && TRACE_##KIND != TRACE_STRS) ||                \
			       (flags) >> PRIVACY_SHIFT & 15,                                      \
		       #TYPE "." name                                                              \
			     " holds text: PUBLIC, or PRIVATE(…) if scrub is to hide it");
TRACE_KEYS(X)
#undef X

enum row {
#define X(TYPE, key, NAME, name, KIND, unit, flags, doc) ROW_##TYPE##_##NAME,
	TRACE_KEYS(X)
#undef X
		ROWS
};

_Static_assert(ROWS <= TRACE_KEYS_MAX, "TRACE_KEYS_MAX has room for all keys");

/* Where a key stands in keys[], from 1 on. */
static const uint16_t row[TYPES][KEYS] = {
#define X(TYPE, key, NAME, name, KIND, unit, flags, doc)                                           \
	[TRACE_##TYPE][key] = ROW_##TYPE##_##NAME + 1,
	TRACE_KEYS(X)
#undef X
};

static const char *const ids_name[] = {
#define X(NAME, one, several, zero) [TRACE_IDS_##NAME] = one,
	TRACE_IDS(X)
#undef X
};

static const char *const kind_name[] = { "",
#define X(NAME) #NAME,
					 TRACE_KINDS(X)
#undef X
};

/* ---- look-ups ---------------------------------------------------------------------------- */

const struct trace_type_desc *trace_type_desc(unsigned int type)
{
	return type < TYPES && types[type].name ? &types[type] : NULL;
}

const struct trace_key_desc *trace_key_desc(unsigned int type, unsigned int key)
{
	return type < TYPES && key < KEYS && row[type][key] ? &keys[row[type][key] - 1] : NULL;
}

const struct trace_key_desc *trace_type_keys(unsigned int type, size_t *n)
{
	const struct trace_key_desc *first = trace_key_desc(type, 1);

	for (*n = 0; first && first + *n < keys + ROWS && first[*n].type == type;)
		++*n;
	return first;
}

size_t trace_key_row(const struct trace_key_desc *key)
{
	return (size_t)(key - keys);
}

bool trace_type_is_counter(unsigned int type)
{
	return type < TYPES && types[type].name && types[type].of == TRACE_COUNTER;
}

bool trace_type_is_since(unsigned int type)
{
	return type < TYPES && types[type].name && types[type].of == TRACE_SINCE;
}

const struct trace_key_desc *trace_type_defines(unsigned int type)
{
	const struct trace_key_desc *first = trace_key_desc(type, 1);

	return first && first->flags & TRACE_KEY_DEFINES ? first : NULL;
}

const char *trace_ids_name(enum trace_ids ids)
{
	return ids_name[ids];
}

const char *trace_kind_name(unsigned int kind)
{
	return kind_name[kind];
}
