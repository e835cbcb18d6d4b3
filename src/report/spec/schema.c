// SPDX-License-Identifier: BSD-2-Clause
/* SPEC.md sections 6 to 9 as a table. */
#include "schema.h"

const char *const schema_ids_name[IDS_COUNT] = {
	[IDS_MODULE] = "module",   [IDS_SYMBOL] = "symbol",    [IDS_STACK] = "stack",
	[IDS_TASK] = "task",	   [IDS_NETDEV] = "interface", [IDS_ZONE] = "energy zone",
	[IDS_PROGRAM] = "program", [IDS_CGROUP] = "cgroup",    [IDS_CODES] = "list of stacks",
};

#define KEY(TYPE, NAME, flags, ids)                                                                \
	{                                                                                          \
		TRACE_##TYPE, TRACE_##TYPE##_##NAME, flags, IDS_##ids, false                       \
	}
#define DEFINES(TYPE, NAME, ids)                                                                   \
	{                                                                                          \
		TRACE_##TYPE, TRACE_##TYPE##_##NAME, KEY_MUST, IDS_##ids, true                     \
	}
#define COLUMN (KEY_MUST | KEY_LENGTH)
#define OWN (KEY_PER_CPU | KEY_OWN)
#define HOST (KEY_PER_CPU | KEY_HOST)
#define SOFT (KEY_PER_CPU | KEY_U32)
#define LIKE_ID (KEY_LENGTH | KEY_HOST)

const struct schema_key schema_keys[] = {
	KEY(HEADER, CPUS, KEY_CPU, NONE),
	KEY(CLOCK, MONO_NS, KEY_TIME, NONE),
	DEFINES(MODULE, ID, MODULE),
	DEFINES(SYMBOLS, FIRST, SYMBOL),
	KEY(SYMBOLS, NAME, COLUMN, NONE),
	KEY(SYMBOLS, MODULE, COLUMN, MODULE),
	KEY(SYMBOLS, OFFSET, COLUMN, NONE),
	DEFINES(STACKS, FIRST, STACK),
	KEY(STACKS, UP, COLUMN, NONE), /* relative: checked and mended apart */
	KEY(STACKS, SYMBOL, COLUMN, SYMBOL),
	DEFINES(TASKS, FIRST, TASK),
	KEY(TASKS, TID, COLUMN, NONE),
	KEY(TASKS, TGID, COLUMN, NONE),
	KEY(TASKS, COMM, COLUMN, NONE),
	KEY(SAMPLES, CPU, KEY_MUST | KEY_CPU, NONE),
	KEY(SAMPLES, BASE_NS, KEY_MUST, NONE),
	KEY(SAMPLES, UNIT_NS, KEY_MUST, NONE),
	KEY(SAMPLES, STACK, COLUMN, STACK), /* first, as the length goes by it */
	KEY(SAMPLES, TASK, COLUMN, TASK),
	KEY(SAMPLES, CGROUP, KEY_LENGTH, CGROUP),
	KEY(SAMPLES, DT, KEY_LENGTH, NONE), /* or OFF: checked apart */
	KEY(SAMPLES, OFF, KEY_LENGTH, NONE),
	KEY(SAMPLES, CODES, KEY_NO_ZERO, CODES),
	KEY(TICK, AT_NS, KEY_TIME, NONE),
	KEY(TICK, CPU, KEY_MUST | KEY_CPU, NONE),
	KEY(TICK, EXACT_NS, KEY_PER_CPU | KEY_TIME, NONE),
	KEY(EXACT, NS, OWN, NONE),
	KEY(EXACT, CALLS, OWN, NONE),
	KEY(EXACT, FAILED, OWN, NONE),
	KEY(EXACT, BYTES, OWN, NONE),
	KEY(EXACT_LOSS, UNTRACKED, OWN, NONE),
	KEY(EXACT_LOSS, SENDS_OUTSIDE, OWN, NONE),
	KEY(EXACT_LOSS, RECVS_OUTSIDE, OWN, NONE),
	KEY(EXACT_LOSS, SENDS_INSIDE, OWN, NONE),
	KEY(EXACT_LOSS, RECVS_INSIDE, OWN, NONE),
	KEY(EXACT_LOSS, TORN, KEY_OWN, NONE),
	KEY(EXACT_LOSS, PARTS_MISSED, OWN, NONE),
	KEY(EXACT_LOSS, POLLS_OUTSIDE, OWN, NONE),
	KEY(EXACT_LOSS, OFFLINE_NS, OWN, NONE),
	KEY(SAMPLE_LOSS, WRITTEN, OWN, NONE),
	KEY(SAMPLE_LOSS, LOST, OWN, NONE),
	KEY(SAMPLE_LOSS, THROTTLED, OWN, NONE),
	KEY(SAMPLE_LOSS, UNSAMPLED_NS, OWN, NONE),
	KEY(PROCSTAT, USER, HOST, NONE),
	KEY(PROCSTAT, NICE, HOST, NONE),
	KEY(PROCSTAT, SYSTEM, HOST, NONE),
	KEY(PROCSTAT, IDLE, HOST, NONE),
	KEY(PROCSTAT, IOWAIT, HOST, NONE),
	KEY(PROCSTAT, IRQ, HOST, NONE),
	KEY(PROCSTAT, SOFTIRQ, HOST, NONE),
	KEY(PROCSTAT, STEAL, HOST, NONE),
	KEY(PROCSTAT, GUEST, HOST, NONE),
	KEY(PROCSTAT, GUEST_NICE, HOST, NONE),
	KEY(SOFTNET, PROCESSED, SOFT, NONE),
	KEY(SOFTNET, DROPPED, SOFT, NONE),
	KEY(SOFTNET, SQUEEZED, SOFT, NONE),
	DEFINES(NETDEV, ID, NETDEV),
	KEY(NETDEV_STATS, ID, COLUMN | KEY_NO_ZERO, NETDEV),
	KEY(NETDEV_STATS, RX_PACKETS, LIKE_ID, NONE),
	KEY(NETDEV_STATS, RX_BYTES, LIKE_ID, NONE),
	KEY(NETDEV_STATS, RX_ERRORS, LIKE_ID, NONE),
	KEY(NETDEV_STATS, RX_DROPPED, LIKE_ID, NONE),
	KEY(NETDEV_STATS, TX_PACKETS, LIKE_ID, NONE),
	KEY(NETDEV_STATS, TX_BYTES, LIKE_ID, NONE),
	KEY(NETDEV_STATS, TX_ERRORS, LIKE_ID, NONE),
	KEY(NETDEV_STATS, TX_DROPPED, LIKE_ID, NONE),
	DEFINES(ENERGY_ZONE, ID, ZONE),
	KEY(ENERGY_ZONE, PARENT, 0, ZONE),
	KEY(ENERGY, READ_NS, COLUMN | KEY_TIME, NONE),
	KEY(ENERGY, RAW, COLUMN, NONE),
	KEY(SELF, USER_US, KEY_OWN, NONE),
	KEY(SELF, SYSTEM_US, KEY_OWN, NONE),
	KEY(SELF, MAXRSS_KIB, KEY_OWN | KEY_LEVEL, NONE),
	KEY(SELF, WRITTEN, KEY_OWN | KEY_LEVEL, NONE),
	KEY(MARK, AT_NS, KEY_TIME, NONE),
	KEY(EXACT_PART, NS, OWN, NONE),
	KEY(EXACT_PART, TOTAL_NS, OWN, NONE),
	KEY(EXACT_PART, CALLS, OWN, NONE),
	DEFINES(PROGRAM, ID, PROGRAM),
	KEY(PROGRAM_STATS, RUNS, COLUMN | KEY_OWN, NONE),
	KEY(PROGRAM_STATS, RUN_NS, KEY_LENGTH | KEY_OWN, NONE),
	KEY(PROGRAM_STATS, RECURSION, KEY_LENGTH | KEY_OWN, NONE),
	KEY(PROGRAM_STATS, MISSED, KEY_LENGTH | KEY_OWN, NONE),
	KEY(PROGRAM_STATS, COUNTED_NS, KEY_OWN, NONE),
	DEFINES(CGROUPS, FIRST, CGROUP),
	KEY(CGROUPS, PATH, COLUMN, NONE),
	DEFINES(STACK_CODES, ID, CODES),
	KEY(STACK_CODES, STACK, KEY_MUST | KEY_NO_ZERO, STACK),
	KEY(OUTSIDE, PROCESS, COLUMN, NONE),
	KEY(OUTSIDE, NAME, COLUMN, NONE),
	KEY(OUTSIDE, FAMILY, COLUMN, NONE),
	KEY(OUTSIDE, SENDS, COLUMN, NONE),
	KEY(OUTSIDE, RECVS, COLUMN, NONE),
};

const size_t schema_nkeys = sizeof(schema_keys) / sizeof(*schema_keys);

_Static_assert(sizeof(schema_keys) / sizeof(*schema_keys) <= SCHEMA_MAX_KEYS,
	       "SCHEMA_MAX_KEYS has room for all rows");

bool schema_is_counter(unsigned int type)
{
	static const bool counter[UINT8_MAX + 1] = {
		[TRACE_EXACT] = true,	    [TRACE_EXACT_LOSS] = true,
		[TRACE_SAMPLE_LOSS] = true, [TRACE_PROCSTAT] = true,
		[TRACE_SOFTNET] = true,	    [TRACE_NETDEV_STATS] = true,
		[TRACE_ENERGY] = true,	    [TRACE_SELF] = true,
		[TRACE_EXACT_PART] = true,  [TRACE_PROGRAM_STATS] = true,
	};

	return type <= UINT8_MAX && counter[type];
}

const struct schema_key *schema_type(unsigned int type, size_t *n)
{
	size_t i = 0;

	while (i < schema_nkeys && schema_keys[i].type != type)
		i++;
	for (*n = 0; i + *n < schema_nkeys && schema_keys[i + *n].type == type;)
		++*n;
	return *n ? &schema_keys[i] : NULL;
}

const struct schema_key *schema_defines(unsigned int type)
{
	size_t n;
	/* Most records are counters, and the search is the longest for those. */
	const struct schema_key *k = schema_is_counter(type) ? NULL : schema_type(type, &n);

	return k && k->defines ? k : NULL; /* a defining key is its type's first row */
}

uint32_t schema_defined(const struct trace_record *rec)
{
	size_t n;
	const struct schema_key *k = schema_type(rec->type, &n);

	for (size_t i = 0; i < n; i++)
		if (k[i].flags & KEY_LENGTH)
			return trace_record_column(rec, k[i].key).n;
	return 1;
}
