// SPDX-License-Identifier: BSD-2-Clause
/* The registry as tables. The library looks up every field of every record here, by index and without a search. */
#include <netcost/trace.h>

#include <netcost/culprits.h>
#include <netcost/events.h>
#include <netcost/fates.h>
#include <netcost/latency.h>
#include <netcost/parts.h>
#include <netcost/probe_of.h>
#include <netcost/probes.h>
#include <netcost/stages.h>

/* ---- flags of keys ----------------------------------------------------------------------- */

/* The low 24 bits hold flags. The bits above hold the kind of id, the class of privacy, the enumeration and its size. */
#define IDS_SHIFT 24
#define PRIVACY_SHIFT 28
#define ENUM_SHIFT 33
#define SIZE_SHIFT 41

enum {
#define X(NAME, words, doc) NAME = TRACE_KEY_##NAME,
	TRACE_KEY_FLAGS(X)
#undef X
#define X(NAME, name, rows, count, doc) SIZE_##NAME = (count),
		TRACE_ENUMS(X)
#undef X
};

#define ID_OF(SORT) (TRACE_IDS_##SORT * 1ll << IDS_SHIFT)
#define DEFINES(SORT) (TRACE_KEY_DEFINES | TRACE_KEY_MUST | ID_OF(SORT))
#define EACH(SORT) (TRACE_KEY_EACH | ID_OF(SORT))
#define PUBLIC (TRACE_PUBLIC * 1ll << PRIVACY_SHIFT)
#define PRIVATE(CLASS) (TRACE_PRIVATE_##CLASS * 1ll << PRIVACY_SHIFT)
#define ONE_OF(ENUM) (TRACE_ENUM_##ENUM * 1ll << ENUM_SHIFT | SIZE_##ENUM * 1ll << SIZE_SHIFT)

_Static_assert(TRACE_KEY_BITS <= IDS_SHIFT, "flags have 24 bits");
_Static_assert(TRACE_IDS_COUNT <= 16 && TRACE_PRIVACIES <= 32, "these have 4 and 5");

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
	  (flags) >> PRIVACY_SHIFT & 31,                                                           \
	  (0ll | (flags)) >> ENUM_SHIFT & 255,                                                     \
	  (0ll | (flags)) >> SIZE_SHIFT & 255,                                                     \
	  name,                                                                                    \
	  unit,                                                                                    \
	  doc },
	TRACE_KEYS(X)
#undef X
};

#define X(TYPE, key, NAME, name, KIND, unit, flags, doc)                                           \
	_Static_assert((TRACE_##KIND != TRACE_STR && TRACE_##KIND != TRACE_STRS) ||                \
			       (flags) >> PRIVACY_SHIFT & 31,                                      \
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

/* 1 + the index of a key in keys[]; 0 if the type has no such key. */
static const uint16_t row[TYPES][KEYS] = {
#define X(TYPE, key, NAME, name, KIND, unit, flags, doc)                                           \
	[TRACE_##TYPE][key] = ROW_##TYPE##_##NAME + 1,
	TRACE_KEYS(X)
#undef X
};

static const char *const ids_name[] = {
#define X(NAME, one, zero) [TRACE_IDS_##NAME] = one,
	TRACE_IDS(X)
#undef X
};

static const char *const flag_words[] = {
#define X(NAME, words, doc) words,
	TRACE_KEY_FLAGS(X)
#undef X
};

/* The names of each enumeration's numbers. The rows of different enumerations have different columns after the name. */
#define NAME_OF(ENUM, name, ...) name
#define ROW_NAME(number, ...) NAME_OF(__VA_ARGS__, 0),
#define X(NAME, name, rows, count, doc)                                                            \
	static const char *const names_##NAME[] = { rows(ROW_NAME) };
TRACE_ENUMS(X)
#undef X

static const struct enumeration {
	const char *name;
	const char *const *names;
	size_t n;
} enumerations[] = {
#define X(NAME, name, rows, count, doc)                                                            \
	[TRACE_ENUM_##NAME] = { name, names_##NAME, sizeof(names_##NAME) / sizeof(*names_##NAME) },
	TRACE_ENUMS(X)
#undef X
};

#define X(NAME, name, rows, count, doc)                                                            \
	_Static_assert(sizeof(names_##NAME) / sizeof(*names_##NAME) == (count),                    \
		       name ": numbers are dense, from 0");
TRACE_ENUMS(X)
#undef X

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

const char *trace_flag_words(enum trace_key_flag flag)
{
	return flag_words[__builtin_ctz(flag)];
}

const char *const *trace_enum_names(enum trace_enum e, const char **name, size_t *n)
{
	*name = enumerations[e].name;
	*n = enumerations[e].n;
	return enumerations[e].names;
}

const char *trace_kind_name(unsigned int kind)
{
	return kind_name[kind];
}
