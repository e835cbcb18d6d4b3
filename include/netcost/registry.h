/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registry.h: the record types of a trace and their keys. The writer, the reader, `netcost-report` (dump, verify,
 * recover, scrub), the tables of format/SPEC.md and the readers in Python all use this description. To add a record or
 * a key, add a row; then run format/spec_tables.py.
 *
 * Numbers are never reused or changed. A key's kind never changes.
 *
 * Kinds:
 *   UINT   0 .. 2^63-1                      INT   -2^62 .. 2^62
 *   STR    UTF-8, at most TRACE_MAX_STR bytes
 *   UINTS  array of UINT or nil (nil: not measured; it is not 0)
 *   INTS   array of INT                     STRS  array of STR
 *
 * Times are CLOCK_MONOTONIC unless the name states otherwise.
 */
#ifndef NETCOST_REGISTRY_H
#define NETCOST_REGISTRY_H

#include <netcost/registry_keys.h>

/*
 * The record types. MOMENT: describes a moment within the time range in the FRAME record of its frame. A reader of a
 * part of the recording needs only the MOMENT records of that part. COUNTER: describes its tick. SINCE: describes the
 * time since the previous tick; its keys state how the records of several ticks add up: DIM, SUM, MIN, MAX, BIN,
 * WEIGHT. WHOLE: describes the whole trace.
 *
 * 	id	NAME		name	of	what it is
 */
#define TRACE_TYPES(X)                                                                             \
	X(1, HEADER, "header", WHOLE, "first object of a trace: version, host, settings")          \
	X(2, FRAME, "frame", MOMENT,                                                               \
	  "first object of every frame except HEADER's: order, time range, losses")                \
	X(3, CLOCK, "clock", WHOLE, "the clocks of the host, read together")                       \
	X(4, SOURCE, "source", WHOLE,                                                              \
	  "a source of data: its state, its interface, and why it was not measured")               \
	X(5, PROBE, "probe", WHOLE, "how something is measured, and why no better method is used") \
	X(6, MODULE, "module", WHOLE, "defines a kernel module, or a file of user space")          \
	X(7, SYMBOLS, "symbols", WHOLE, "defines functions, or code of user space")                \
	X(8, STACKS, "stacks", WHOLE, "defines stacks, as a tree of functions")                    \
	X(9, TASKS, "tasks", WHOLE, "defines tasks")                                               \
	X(10, SAMPLES, "samples", MOMENT, "stack samples of one CPU")                              \
	X(11, TICK, "tick", MOMENT, "begins the counters of a tick")                               \
	X(12, EXACT, "exact", COUNTER, "exact time and counts of one event")                       \
	X(13, EXACT_LOSS, "exact_loss", COUNTER,                                                   \
	  "calls and time that the exact probes missed or could not measure")                      \
	X(14, SAMPLE_LOSS, "sample_loss", COUNTER, "samples written and lost")                     \
	X(15, PROCSTAT, "procstat", COUNTER, "/proc/stat, per CPU")                                \
	X(16, SOFTNET, "softnet", COUNTER, "/proc/net/softnet_stat, per CPU")                      \
	X(17, NETDEV, "netdev", WHOLE, "defines an interface")                                     \
	X(18, NETDEV_STATS, "netdev_stats", COUNTER, "interface counters")                         \
	X(19, ENERGY_ZONE, "energy_zone", WHOLE, "defines an energy counter")                      \
	X(20, ENERGY, "energy", COUNTER, "raw energy counters")                                    \
	X(21, SELF, "self", COUNTER, "CPU time and memory of the recorder itself")                 \
	X(22, MARK, "mark", WHOLE, "a point in time marked by the user")                           \
	X(23, PROGRAM, "program", WHOLE, "defines a BPF program of the recorder")                  \
	X(24, PROGRAM_STATS, "program_stats", COUNTER,                                             \
	  "runs and misses of the recorder's BPF programs")                                        \
	X(26, EXACT_PART, "exact_part", COUNTER,                                                   \
	  "exact time and counts of one part of the RX softirq")                                   \
	X(27, CGROUPS, "cgroups", WHOLE, "defines cgroups")                                        \
	X(29, OUTSIDE, "outside", SINCE, "messages outside of all probes, by process")             \
	X(30, CONTEXT, "context", WHOLE, "settings of the host")                                   \
	X(31, COUNTER_NAMES, "counter_names", WHOLE, "defines counters of the network protocols")  \
	X(32, COUNTERS, "counters", COUNTER,                                                       \
	  "counters of the protocols, in the recorder's network namespace")                        \
	X(33, SOFTIRQS, "softirqs", COUNTER, "/proc/softirqs, per CPU")                            \
	X(34, DROP_REASONS, "drop_reasons", WHOLE,                                                 \
	  "defines counters of dropped packets, by drop reason and CPU")                           \
	X(35, DROPS, "drops", COUNTER,                                                             \
	  "packets that the kernel dropped, in all network namespaces")                            \
	X(36, IRQ_STATS, "irq_stats", COUNTER, "hard interrupts of one interface")                 \
	X(37, SCHEMA, "schema", WHOLE, "the types and keys of this file")                          \
	X(38, OTHER_PROGRAMS, "other_programs", WHOLE,                                             \
	  "defines BPF programs of the host other than the recorder's")                            \
	X(39, OTHER_STATS, "other_stats", COUNTER, "cost of the host's other BPF programs")        \
	X(41, PROBE_COST, "probe_cost", WHOLE,                                                     \
	  "cost of a run of one of the recorder's own probes")                                     \
	X(42, PROBE_RUNS, "probe_runs", COUNTER,                                                   \
	  "runs of the recorder's own probes, by the event during which they ran")                 \
	X(43, CERTIFICATE, "certificate", WHOLE,                                                   \
	  "counts of a known load with which the recorder tested itself")                          \
	X(46, PROCESSES, "processes", WHOLE, "defines processes: a process in a cgroup")           \
	X(47, PROCESS_STATS, "process_stats", SINCE, "counters of the events, by process")         \
	X(48, OWNER_STATS, "owner_stats", SINCE,                                                   \
	  "RX softirq time of packets, by the receiving process")                                  \
	X(49, RX_FATES, "rx_fates", SINCE, "RX softirq time of received packets, by disposition")  \
	X(55, LATENCY, "latency", SINCE, "packet latency of one checkpoint on one CPU")            \
	X(56, LATENCY_BY, "latency_by", SINCE,                                                     \
	  "packet latency of one checkpoint, by interface, cgroup or process")                     \
	X(59, STAGES, "stages", SINCE, "the paths of sampled packets, event by event")             \
	X(62, LATENCY_TAIL, "latency_tail", SINCE,                                                 \
	  "one of the slowest packets at a checkpoint, and what CPUs did while it was delayed")    \
	X(63, LATENCY_ONLY, "latency_only", WHOLE, "which packets LATENCY measures, if not all")   \
	X(64, NAMES, "names", WHOLE, "names of the numbers of an enumeration")                     \
	X(66, PEERS, "peers", SINCE, "messages of IP sockets, by peer")                            \
	X(126, INDEX, "index", WHOLE, "offsets and times of the frames, as a hint")                \
	X(127, END, "end", WHOLE, "last object of a complete trace: totals")

/*
 * Flags of a key: properties beyond its kind. SCHEMA and SPEC.md use the same words for the flags, and SPEC.md explains
 * the words with these texts.
 *
 * 	NAME	words	what it means
 */
#define TRACE_KEY_FLAGS(X)                                                                                                                                                             \
	X(MUST, "MUST", "The key MUST be there.")                                                                                                                                      \
	X(COLUMN, "length",                                                                                                                                                            \
	  "All such columns of a record MUST have the same length; their i-th elements belong together.")                                                                              \
	X(PER_CPU, "per CPU",                                                                                                                                                          \
	  "One element for each CPU of the preceding TICK, in the order of its `cpu`.")                                                                                                \
	X(DEFINES, "defines", "The id, or the first of the ids, that the record defines.")                                                                                             \
	X(EACH, "per id",                                                                                                                                                              \
	  "One element for each id of a sort, in the order of ids; there MUST NOT be more elements than defined ids.")                                                                 \
	X(NONZERO, "not 0", "An id that MUST NOT be 0.")                                                                                                                               \
	X(ABOUT, "subject",                                                                                                                                                            \
	  "What the record, or each element of its columns, describes. Several such keys form one subject. Two records of one tick, or two elements, MUST NOT have the same subject.") \
	X(CPU, "CPU", "CPU numbers: MUST be below the limit.")                                                                                                                         \
	X(TIME, "time", "A time: MUST be in FRAME's range.")                                                                                                                           \
	X(COUNTER, "counter",                                                                                                                                                          \
	  "Cumulative since the recording began. MUST NOT fall from one record to a later one.")                                                                                       \
	X(HOST_COUNTER, "host counter",                                                                                                                                                \
	  "Cumulative since some moment that the writer chose: only differences are meaningful. The value falls only if the counter was reset.")                                       \
	X(COUNTER32, "host counter, 32 bits",                                                                                                                                          \
	  "A host counter that wraps: values MUST be below 2^32, and differences are modulo 2^32.")                                                                                    \
	X(LEVEL, "level",                                                                                                                                                              \
	  "The value at the time of reading. It MUST NOT fall, but need not begin at 0.")                                                                                              \
	X(DIM, "key",                                                                                                                                                                  \
	  "What a record, or an element of its columns, belongs to. Values are added only if these keys are equal.")                                                                   \
	X(SUM, "delta",                                                                                                                                                                \
	  "Counted since the previous tick. Over several ticks, values with the same keys are added.")                                                                                 \
	X(MIN, "least", "As delta, but the least value is taken.")                                                                                                                     \
	X(MAX, "most", "As delta, but the greatest value is taken.")                                                                                                                   \
	X(BIN, "bucket", "Numbers of the buckets of a histogram.")                                                                                                                     \
	X(WEIGHT, "delta by bucket", "As delta, but each bucket is added separately.")                                                                                                 \
	X(UNBROKEN, "unbroken",                                                                                                                                                        \
	  "A nil after a value ends the count: differences across the nil are unknown.")                                                                                               \
	X(HOLDS, "holds",                                                                                                                                                              \
	  "If the key or its record is absent, the value of the previous tick still holds.")

/*
 * Sorts of ids. The ids of a sort are dense and start at 1. A key has ID_OF(SORT), DEFINES(SORT) or EACH(SORT).
 *
 * 	NAME	one of them		what 0 means; empty: unused
 */
#define TRACE_IDS(X)                                                                               \
	X(MODULE, "module", "the kernel itself")                                                   \
	X(SYMBOL, "symbol", "not known")                                                           \
	X(STACK, "stack", "the empty stack")                                                       \
	X(TASK, "task", "not known")                                                               \
	X(CGROUP, "cgroup", "not known")                                                           \
	X(NETDEV, "interface", "")                                                                 \
	X(ZONE, "energy zone", "no parent")                                                        \
	X(PROGRAM, "program", "")                                                                  \
	X(PROTOCOL, "protocol counter", "")                                                        \
	X(DROP, "drop counter", "")                                                                \
	X(OTHER, "other program", "")                                                              \
	X(PROCESS, "process", "all processes without a row of their own")

/*
 * Enumerations: the meanings of the numbers of a key that has ONE_OF(ENUM). In a trace, NAMES has the names of the
 * numbers.
 *
 * 	NAME	name		rows			how many	what they are
 */
#define TRACE_ENUMS(X)                                                                             \
	X(OF, "of", NETCOST_PROBE_OFS, NETCOST_OF_COUNT,                                           \
	  "kinds of objects that a PROBE describes")                                               \
	X(EVENT, "event", NETCOST_EVENTS, NETCOST_EV_COUNT, "events")                              \
	X(PART, "part", NETCOST_PARTS, NETCOST_PART_COUNT, "parts of the RX softirq")              \
	X(PROBE, "probe", NETCOST_PROBES, NETCOST_PROBE_COUNT, "the recorder's own probes")        \
	X(HOOK, "latency", NETCOST_LATENCIES, NETCOST_LATENCY_COUNT,                               \
	  "checkpoints of packet latency")                                                         \
	X(BY, "by", NETCOST_LATENCY_BYS, NETCOST_LATENCY_BY_COUNT,                                 \
	  "keys by which LATENCY_BY splits packets")                                               \
	X(WHICH, "which", NETCOST_LATENCY_WHICHES, NETCOST_LATENCY_WHICH_COUNT,                    \
	  "which packets a LATENCY_BY counts")                                                     \
	X(STAGE, "stage", NETCOST_STAGES, NETCOST_STAGE_COUNT, "stages of a packet path")          \
	X(FATE, "fate", NETCOST_FATES, NETCOST_FATE_COUNT, "dispositions of received packets")     \
	X(WHAT, "what", NETCOST_CULPRITS, NETCOST_CULPRIT_COUNT,                                   \
	  "what a CPU did while a packet waited")

/*
 * Classes of data that a trace reveals about its host and that scrub hides. Every key with text has PRIVATE(CLASS) or
 * PUBLIC.
 *
 * 	CLASS	--keep	pseudonym	what it is
 */
#define TRACE_PRIVATE(X)                                                                           \
	X(TASKS, tasks, "task", "names of tasks, except known kernel threads")                     \
	X(CGROUPS, cgroups, "cgroup", "paths and inode numbers of cgroups")                        \
	X(LABELS, labels, "label",                                                                 \
	  "names of pods, their namespaces, containers, images, workloads")                        \
	X(PIDS, pids, "", "process and thread ids, and start times of processes")                  \
	X(USERS, users, "", "user ids")                                                            \
	X(NETDEVS, netdevs, "netdev", "names of interfaces, inode numbers of network namespaces")  \
	X(HOST, host, "host", "the host's name")                                                   \
	X(COMMAND, command, "arg", "the recorded command")                                         \
	X(MARKS, marks, "mark", "texts of marks")                                                  \
	X(PROGRAMS, programs, "prog", "names of BPF programs")                                     \
	X(SETTINGS, settings, "setting", "words in settings, if the kernel does not define them")  \
	X(TEXTS, texts, "name", "names in reasons, and names of interrupts")                       \
	X(ADDRESSES, addresses, "addr", "addresses of packets")                                    \
	X(PORTS, ports, "", "ports of packets")                                                    \
	X(TIME, time, "", "the time of day")                                                       \
	X(FILES, files, "file", "names of programs and libraries in stacks of user space")

enum trace_type {
#define X(id, NAME, name, of, doc) TRACE_##NAME = id,
	TRACE_TYPES(X)
#undef X
};

enum trace_key {
#define X(TYPE, key, NAME, name, KIND, unit, flags, doc) TRACE_##TYPE##_##NAME = key,
	TRACE_KEYS(X)
#undef X
};

/* These keys have the same numbers in every counter that has its own reading time. */
enum {
	TRACE_BEGAN_NS = TRACE_PROCSTAT_BEGAN_NS,
	TRACE_ENDED_NS = TRACE_PROCSTAT_ENDED_NS,
};

enum trace_of {
	TRACE_MOMENT,
	TRACE_COUNTER,
	TRACE_SINCE,
	TRACE_WHOLE,
};

#define TRACE_KINDS(X) X(UINT) X(INT) X(STR) X(UINTS) X(INTS) X(STRS)

enum trace_kind {
	TRACE_KIND_NONE,
#define X(NAME) TRACE_##NAME,
	TRACE_KINDS(X)
#undef X
};

/* Bit mask of flags, beginning with TRACE_KEY_MUST. */
enum trace_key_flag {
#define X(NAME, words, doc) TRACE_KEY_BIT_##NAME,
	TRACE_KEY_FLAGS(X)
#undef X
		TRACE_KEY_BITS,
#define X(NAME, words, doc) TRACE_KEY_##NAME = 1 << TRACE_KEY_BIT_##NAME,
	TRACE_KEY_FLAGS(X)
#undef X
};

enum trace_ids {
	TRACE_IDS_NONE,
#define X(NAME, one, zero) TRACE_IDS_##NAME,
	TRACE_IDS(X)
#undef X
		TRACE_IDS_COUNT
};

enum trace_enum {
	TRACE_ENUM_NONE,
#define X(NAME, name, rows, count, doc) TRACE_ENUM_##NAME,
	TRACE_ENUMS(X)
#undef X
		TRACE_ENUM_COUNT
};

enum trace_privacy {
	TRACE_NO_TEXT, /* the key has no text, so nothing is private */
	TRACE_PUBLIC,
#define X(NAME, name, prefix, doc) TRACE_PRIVATE_##NAME,
	TRACE_PRIVATE(X)
#undef X
		TRACE_PRIVACIES
};

#endif
