/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registry.h: the record types of a trace and their keys. What is known of them stands here, once: the writer, the
 * reader, `netcost-report` (dump, verify, recover, scrub), the tables of format/SPEC.md and the readers in Python go by
 * it. Adding a record or a key is adding a row; then run format/spec_tables.py.
 *
 * Numbers are never reused and never renumbered. A key's kind never changes.
 *
 * Kinds:
 *   UINT   0 .. 2^63-1                      INT   -2^62 .. 2^62
 *   STR    UTF-8, at most TRACE_MAX_STR bytes
 *   UINTS  array of UINT or nil (nil: not measured; it is not 0)
 *   INTS   array of INT                     STRS  array of STR
 *
 * Times are CLOCK_MONOTONIC unless the name says otherwise.
 */
#ifndef NETCOST_REGISTRY_H
#define NETCOST_REGISTRY_H

#include <netcost/registry_keys.h>

/*
 * MOMENT: says something of a moment (FRAME of its frame), so who looks at a part of the time needs those of
 * that part only. COUNTER: likewise, of the tick that it is in. SINCE: likewise, of the time since the tick before; its
 * keys say how it adds up: DIM, SUM, MIN, MAX, BIN, WEIGHT. WHOLE: of the whole trace.
 *
 *	id	NAME		name	of	what it is
 */
#define TRACE_TYPES(X)                                                                             \
	X(1, HEADER, "header", WHOLE, "first object of a trace: version, host, settings")          \
	X(2, FRAME, "frame", MOMENT,                                                               \
	  "first object of every frame but HEADER's: order, time range, losses")                   \
	X(3, CLOCK, "clock", WHOLE, "the clocks of the host, read together")                       \
	X(4, SOURCE, "source", WHOLE, "a source of data: measured or not, how, why not")           \
	X(5, PROBE, "probe", WHOLE, "how something is measured, and why not better")               \
	X(6, MODULE, "module", WHOLE, "defines a kernel module id; 0 is the kernel itself")        \
	X(7, SYMBOLS, "symbols", WHOLE, "defines symbol ids (kernel functions)")                   \
	X(8, STACKS, "stacks", WHOLE, "defines stack ids as a tree of symbols")                    \
	X(9, TASKS, "tasks", WHOLE, "defines task ids")                                            \
	X(10, SAMPLES, "samples", MOMENT, "stack samples of one CPU")                              \
	X(11, TICK, "tick", MOMENT,                                                                \
	  "begins the counters of one tick: which CPUs, when each was read")                       \
	X(12, EXACT, "exact", COUNTER, "exact time and counts of one event")                       \
	X(13, EXACT_LOSS, "exact_loss", COUNTER,                                                   \
	  "what the exact probes missed, saw unmeasured, could not read")                          \
	X(14, SAMPLE_LOSS, "sample_loss", COUNTER, "samples written and lost")                     \
	X(15, PROCSTAT, "procstat", COUNTER, "/proc/stat, per CPU")                                \
	X(16, SOFTNET, "softnet", COUNTER, "/proc/net/softnet_stat, per CPU")                      \
	X(17, NETDEV, "netdev", WHOLE, "defines an interface id")                                  \
	X(18, NETDEV_STATS, "netdev_stats", COUNTER, "interface counters")                         \
	X(19, ENERGY_ZONE, "energy_zone", WHOLE, "defines an energy counter")                      \
	X(20, ENERGY, "energy", COUNTER, "raw energy counters")                                    \
	X(21, SELF, "self", COUNTER, "what the recorder itself used so far")                       \
	X(22, MARK, "mark", WHOLE, "a point in time marked by the user")                           \
	X(23, PROGRAM, "program", WHOLE, "defines a BPF program of the recorder's own")            \
	X(24, PROGRAM_STATS, "program_stats", COUNTER,                                             \
	  "what the recorder's BPF programs did and missed")                                       \
	X(26, EXACT_PART, "exact_part", COUNTER, "exact time and counts of one part of it")        \
	X(27, CGROUPS, "cgroups", WHOLE, "defines cgroup ids")                                     \
	X(29, OUTSIDE, "outside", SINCE,                                                           \
	  "messages outside of every probe since the tick before: whose they were")                \
	X(30, CONTEXT, "context", WHOLE, "settings of the host")                                   \
	X(31, COUNTER_NAMES, "counter_names", WHOLE, "defines counters of the network protocols")  \
	X(32, COUNTERS, "counters", COUNTER,                                                       \
	  "these counters, of the recorder's own network namespace")                               \
	X(33, SOFTIRQS, "softirqs", COUNTER, "/proc/softirqs, per CPU")                            \
	X(34, DROP_REASONS, "drop_reasons", WHOLE,                                                 \
	  "defines counters of dropped packets: a reason on a CPU")                                \
	X(35, DROPS, "drops", COUNTER,                                                             \
	  "packets that the kernel dropped, in all network namespaces")                            \
	X(36, IRQ_STATS, "irq_stats", COUNTER, "hard interrupts of one interface")                 \
	X(37, SCHEMA, "schema", WHOLE,                                                             \
	  "the types and keys of this file, for those who know less than it has")                  \
	X(38, OTHER_PROGRAMS, "other_programs", WHOLE,                                             \
	  "defines BPF programs of the host that are not the recorder's own")                      \
	X(39, OTHER_STATS, "other_stats", COUNTER, "what these programs did")                      \
	X(41, PROBE_COST, "probe_cost", WHOLE,                                                     \
	  "what a run of the recorder's own probes costs the host")                                \
	X(42, PROBE_RUNS, "probe_runs", COUNTER,                                                   \
	  "how often they ran, by the event whose time that is; absent: as it was")                \
	X(43, CERTIFICATE, "certificate", WHOLE,                                                   \
	  "what the recorder counted of a known load of its own")                                  \
	X(46, PROCESSES, "processes", WHOLE, "defines process ids: a process in a cgroup")         \
	X(47, PROCESS_STATS, "process_stats", SINCE,                                               \
	  "what the events count since the tick before, by process")                               \
	X(48, OWNER_STATS, "owner_stats", SINCE,                                                   \
	  "time of receiving packets since the tick before, by the process that they were for")    \
	X(49, RX_FATES, "rx_fates", SINCE,                                                         \
	  "what became of received packets since the tick before: all of that time")               \
	X(55, LATENCY, "latency", SINCE,                                                           \
	  "for how long packets waited, by how many, since the tick before: of one hook and CPU")  \
	X(56, LATENCY_BY, "latency_by", SINCE,                                                     \
	  "likewise, on all CPUs: of one hook and interface, cgroup or process")                   \
	X(59, STAGES, "stages", SINCE,                                                             \
	  "what happened to packets on their way through the host, since the tick before")         \
	X(62, LATENCY_TAIL, "latency_tail", SINCE,                                                 \
	  "one of the slowest packets of a tick at a hook: what its CPUs did while it waited")     \
	X(63, LATENCY_ONLY, "latency_only", WHOLE, "of which packets it was measured, not of all") \
	X(126, INDEX, "index", WHOLE, "where the frames are; a hint, to be checked")               \
	X(127, END, "end", WHOLE, "last object of a complete trace: totals to check against")

/*
 * Flags of a key: what holds of it beyond its kind.
 *
 *	NAME	what it means
 */
#define TRACE_KEY_FLAGS(X)                                                                         \
	X(MUST, "MUST be there")                                                                   \
	X(COLUMN, "all such columns of a record have the same length")                             \
	X(PER_CPU, "an element for each CPU of the TICK before, in the order of its `cpu`")        \
	X(DEFINES, "the first id that the record defines")                                         \
	X(EACH, "an element for each id, in the order of ids")                                     \
	X(NONZERO, "an id that is not 0")                                                          \
	X(ABOUT, "tells what a record of its type, or each element of its columns, is about")      \
	X(CPU, "CPU numbers")                                                                      \
	X(TIME, "within FRAME's time range")                                                       \
	X(COUNTER, "counts since the recording began: never falls")                                \
	X(HOST_COUNTER, "counts from any moment: falls when it is reset")                          \
	X(COUNTER32, "likewise, 32 bits wide, and wraps")                                          \
	X(LEVEL, "how much there is by now: never falls, but did not begin at 0")                  \
	X(DIM, "tells records, or elements of columns, of a SINCE type apart: what they are of")   \
	X(SUM, "what came since the tick before: adds up")                                         \
	X(MIN, "likewise, the least of it")                                                        \
	X(MAX, "likewise, the most of it")                                                         \
	X(BIN, "numbers of buckets of a histogram")                                                \
	X(WEIGHT, "how much is in each bucket: adds up bucket by bucket")

/*
 * Sorts of ids. They are dense, from 1 on. A key has NAMES(SORT), DEFINES(SORT) or EACH(SORT).
 *
 *	NAME	one of them	several			what 0 means
 */
#define TRACE_IDS(X)                                                                               \
	X(MODULE, "module", "kernel modules", "the kernel itself")                                 \
	X(SYMBOL, "symbol", "functions", "not known")                                              \
	X(STACK, "stack", "stacks", "the empty stack")                                             \
	X(TASK, "task", "tasks", "not known")                                                      \
	X(CGROUP, "cgroup", "cgroups", "not known")                                                \
	X(NETDEV, "interface", "interfaces", "is not used")                                        \
	X(ZONE, "energy zone", "energy counters", "(as `parent`) no parent")                       \
	X(PROGRAM, "program", "the recorder's BPF programs", "is not used")                        \
	X(PROTOCOL, "protocol counter", "counters of the network protocols", "is not used")        \
	X(DROP, "drop counter", "reasons for drops on a CPU", "is not used")                       \
	X(OTHER, "other program", "other BPF programs of the host", "is not used")                 \
	X(PROCESS, "process", "processes", "those that there was no room to keep apart")

/*
 * What a trace says about its host and scrub hides: PRIVATE(CLASS). Every key that holds text has that or PUBLIC.
 *
 *	CLASS	--keep	pseudonym	what it is
 */
#define TRACE_PRIVATE(X)                                                                           \
	X(TASKS, tasks, "task", "names of tasks, those of known kernel threads apart")             \
	X(CGROUPS, cgroups, "cgroup", "paths and inode numbers of cgroups")                        \
	X(PIDS, pids, "", "process and thread ids, and when processes began")                      \
	X(USERS, users, "", "user ids")                                                            \
	X(NETDEVS, netdevs, "netdev", "names of interfaces, inode numbers of network namespaces")  \
	X(HOST, host, "host", "the host's name")                                                   \
	X(COMMAND, command, "arg", "the recorded command")                                         \
	X(MARKS, marks, "mark", "texts of marks")                                                  \
	X(PROGRAMS, programs, "prog", "names of BPF programs")                                     \
	X(SETTINGS, settings, "setting", "words in settings that are not the kernel's own")        \
	X(TEXTS, texts, "name", "what a reason or an interrupt names")                             \
	X(ADDRESSES, addresses, "addr", "addresses of packets")                                    \
	X(PORTS, ports, "", "ports of packets")                                                    \
	X(TIME, time, "", "the time of day")

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

/* These two are the same in every counter that is read by itself. */
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

/* Bits: TRACE_KEY_MUST … */
enum trace_key_flag {
#define X(NAME, doc) TRACE_KEY_BIT_##NAME,
	TRACE_KEY_FLAGS(X)
#undef X
#define X(NAME, doc) TRACE_KEY_##NAME = 1 << TRACE_KEY_BIT_##NAME,
		TRACE_KEY_FLAGS(X)
#undef X
};

enum trace_ids {
	TRACE_IDS_NONE,
#define X(NAME, one, several, zero) TRACE_IDS_##NAME,
	TRACE_IDS(X)
#undef X
		TRACE_IDS_COUNT
};

enum trace_privacy {
	TRACE_NO_TEXT, /* and nothing else that is private */
	TRACE_PUBLIC,
#define X(NAME, name, prefix, doc) TRACE_PRIVATE_##NAME,
	TRACE_PRIVATE(X)
#undef X
		TRACE_PRIVACIES
};

#endif
