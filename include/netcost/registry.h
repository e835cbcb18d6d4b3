/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registry.h: the record types of a trace and their keys. The one table that the writer, the reader,
 * `netcost-report dump` and format/SPEC.md go by. Adding a record or a key is adding a row.
 *
 * Numbers are never reused and never renumbered. A key's kind never changes.
 *
 * Kinds:
 *   UINT   0 .. 2^63-1                      INT   -2^62 .. 2^62
 *   STR    UTF-8, at most TRACE_MAX_STR bytes
 *   UINTS  array of UINT or nil (nil: not measured; it is not 0)
 *   INTS   array of INT                     STRS  array of STR
 *
 * "per CPU" columns run in the order of the `cpu` column of the TICK before them. Counters are
 * cumulative since the recording began or, where the kernel keeps them, since it booted.
 * Times are CLOCK_MONOTONIC unless the name says otherwise.
 */
#ifndef NETCOST_REGISTRY_H
#define NETCOST_REGISTRY_H

/*
 * MOMENT: says something of a moment (FRAME of its frame), so who looks at a part of the time needs those of
 * that part only. COUNTER: likewise, of the tick that it is in. WHOLE: of the whole trace.
 *
 *	id	NAME		name	of	what it is
 */
#define TRACE_TYPES(X)                                                                             \
	X(1, HEADER, "header", WHOLE, "first object of a trace: version, host, settings")          \
	X(2, FRAME, "frame", MOMENT,                                                               \
	  "first object of every frame but HEADER's: order, time range, losses")                   \
	X(3, CLOCK, "clock", WHOLE, "the clocks of the host, read together")                       \
	X(4, SOURCE, "source", WHOLE, "a source of data: measured or not, how, why not")           \
	X(5, PROBE, "probe", WHOLE, "how an exact event is counted, and why not better")           \
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
	X(25, PART, "part", WHOLE, "how a part of the RX softirq is counted exactly")              \
	X(26, EXACT_PART, "exact_part", COUNTER, "exact time and counts of one part of it")        \
	X(27, CGROUPS, "cgroups", WHOLE, "defines cgroup ids")                                     \
	X(28, STACK_CODES, "stack_codes", WHOLE,                                                   \
	  "defines a list of frequent stacks, which SAMPLES name by small numbers")                \
	X(29, OUTSIDE, "outside", MOMENT,                                                          \
	  "messages outside of every probe since the tick before: whose they were")                \
	X(126, INDEX, "index", WHOLE, "where the frames are; a hint, to be checked")               \
	X(127, END, "end", WHOLE, "last object of a complete trace: totals to check against")

/*	TYPE	key	NAME	name	kind	unit	what it is */
#define TRACE_KEYS(X)                                                                              \
	X(HEADER, 1, MAJOR, "major", UINT, "", "format version; another major is refused")         \
	X(HEADER, 2, MINOR, "minor", UINT, "", "format version; a newer minor is read")            \
	X(HEADER, 3, REQUIRES, "requires", STRS, "", "what a reader must understand, else refuse") \
	X(HEADER, 4, TOOL, "tool", STR, "", "writer and its version")                              \
	X(HEADER, 5, KERNEL, "kernel", STR, "", "uname release")                                   \
	X(HEADER, 6, MACHINE, "machine", STR, "", "uname machine")                                 \
	X(HEADER, 7, CPUS_POSSIBLE, "cpus_possible", UINT, "CPUs", "CPUs the kernel can have")     \
	X(HEADER, 8, CPUS, "cpus", UINTS, "", "CPUs recorded")                                     \
	X(HEADER, 9, CPU_MODEL, "cpu_model", STR, "", "first model name of /proc/cpuinfo")         \
	X(HEADER, 10, SAMPLE_HZ, "sample_hz", UINT, "Hz", "sampling frequency; 0: no samples")     \
	X(HEADER, 11, SAMPLER, "sampler", STR, "", "perf, bpf")                                    \
	X(HEADER, 12, SAMPLE_EVENT, "sample_event", STR, "", "cpu-clock, cycles")                  \
	X(HEADER, 13, TICK_MS, "tick_ms", UINT, "ms", "period of the counters")                    \
	X(HEADER, 14, EXACT, "exact", STR, "", "off, entry, full")                                 \
	X(HEADER, 15, USER_HZ, "user_hz", UINT, "Hz", "unit of PROCSTAT")                          \
	X(HEADER, 16, HOST, "host", STR, "", "node name (only with --host-details)")               \
	X(HEADER, 17, COMMAND, "command", STRS, "", "recorded command (only with --host-details)") \
	X(HEADER, 18, START_NS, "start_ns", UINT, "ns", "when the recording began")                \
	X(HEADER, 19, DERIVED, "derived", STRS, "",                                                \
	  "what netcost-report did to the trace, first to last: recover, cut …")                   \
	X(HEADER, 20, SAMPLE_PERIOD, "sample_period", UINT, "cycles",                              \
	  "event cycles: each sample stands for so many")                                          \
	X(HEADER, 21, SAMPLED, "sampled", STR, "",                                                 \
	  "network: only CPUs that were inside of it; absent: all")                                \
	X(FRAME, 1, SEQ, "seq", UINT, "", "1, 2, 3 … without gap")                                 \
	X(FRAME, 2, FIRST_NS, "first_ns", UINT, "ns", "no data in the frame is older")             \
	X(FRAME, 3, LAST_NS, "last_ns", UINT, "ns", "no data in the frame is newer")               \
	X(FRAME, 4, LOST, "lost", UINTS, "samples",                                                \
	  "lost so far, in the order of HEADER's cpus; empty: none are taken")                     \
	X(CLOCK, 1, MONO_NS, "mono_ns", UINT, "ns", "CLOCK_MONOTONIC")                             \
	X(CLOCK, 2, REAL_NS, "real_ns", UINT, "ns", "CLOCK_REALTIME at mono_ns")                   \
	X(CLOCK, 3, BOOT_NS, "boot_ns", UINT, "ns", "CLOCK_BOOTTIME at mono_ns")                   \
	X(CLOCK, 4, ERROR_NS, "error_ns", UINT, "ns", "the pairing is this good, or better")       \
	X(SOURCE, 1, NAME, "name", STR, "", "samples, energy, softnet …")                          \
	X(SOURCE, 2, STATE, "state", STR, "", "measured, off, absent, refused, stuck")             \
	X(SOURCE, 3, VIA, "via", STR, "", "interface it is read from")                             \
	X(SOURCE, 4, WHY, "why", STR, "", "a line for people: why not, or what is weak")           \
	X(PROBE, 1, EVENT, "event", UINT, "", "id in events.h")                                    \
	X(PROBE, 2, RUNG, "rung", STR, "", "fentry, kprobe, tracepoint, samples, off")             \
	X(PROBE, 3, HOOKS, "hooks", STRS, "", "what was attached to")                              \
	X(PROBE, 4, REFUSED, "refused", STRS, "", "better rungs: why they are not to be had")      \
	X(PROBE, 5, TESTED, "tested", UINT, "kinds",                                               \
	  "kinds of calls that the recorder made to test the hooks; absent: no test")              \
	X(PROBE, 6, SEEN, "seen", UINT, "kinds", "those that were counted as they should be")      \
	X(PROBE, 7, UNSEEN, "unseen", STRS, "", "the others")                                      \
	X(MODULE, 1, ID, "id", UINT, "", "dense, from 1")                                          \
	X(MODULE, 2, NAME, "name", STR, "", "as in kallsyms, without brackets; bpf: JIT programs") \
	X(SYMBOLS, 1, FIRST, "first", UINT, "", "id of the first; ids are dense, from 1")          \
	X(SYMBOLS, 2, NAME, "name", STRS, "", "empty: hidden or unknown")                          \
	X(SYMBOLS, 3, MODULE, "module", UINTS, "", "module id")                                    \
	X(SYMBOLS, 4, OFFSET, "offset", INTS, "bytes",                                             \
	  "start of the function, from _stext or a place in its module")                           \
	X(STACKS, 1, FIRST, "first", UINT, "",                                                     \
	  "id of the first; ids are dense, from 1; 0: the empty stack")                            \
	X(STACKS, 2, UP, "up", UINTS, "", "id of the caller is this much smaller")                 \
	X(STACKS, 3, SYMBOL, "symbol", UINTS, "", "symbol id of the innermost function")           \
	X(TASKS, 1, FIRST, "first", UINT, "", "id of the first; ids are dense, from 1")            \
	X(TASKS, 2, TID, "tid", UINTS, "", "thread id; 0: the idle tasks")                         \
	X(TASKS, 3, TGID, "tgid", UINTS, "", "process id")                                         \
	X(TASKS, 4, COMM, "comm", STRS, "", "name")                                                \
	X(SAMPLES, 1, CPU, "cpu", UINT, "", "CPU")                                                 \
	X(SAMPLES, 2, BASE_NS, "base_ns", UINT, "ns", "see dt and off")                            \
	X(SAMPLES, 3, UNIT_NS, "unit_ns", UINT, "ns", "unit of step and dt, or of off")            \
	X(SAMPLES, 4, STEP, "step", UINT, "unit_ns", "expected distance of two samples")           \
	X(SAMPLES, 5, DT, "dt", INTS, "unit_ns",                                                   \
	  "time = base_ns; each: time += (step + dt) * unit_ns")                                   \
	X(SAMPLES, 6, STACK, "stack", UINTS, "", "kernel stack id; 0: the CPU ran user code")      \
	X(SAMPLES, 7, TASK, "task", UINTS, "", "task id")                                          \
	X(SAMPLES, 8, CGROUP, "cgroup", UINTS, "", "cgroup id; absent: not measured")              \
	X(SAMPLES, 9, STEP_NS, "step_ns", UINT, "ns", "distance of two points of the grid")        \
	X(SAMPLES, 10, OFF, "off", INTS, "unit_ns", "how far from the expected point of the grid") \
	X(SAMPLES, 11, CODES, "codes", UINT, "",                                                   \
	  "the list of STACK_CODES by which stack is written; absent: by none")                    \
	X(TICK, 1, AT_NS, "at_ns", UINT, "ns", "when the tick's reading began")                    \
	X(TICK, 2, CPU, "cpu", UINTS, "", "the CPUs of the per-CPU columns that follow")           \
	X(TICK, 3, EXACT_NS, "exact_ns", UINTS, "ns", "per CPU: the moment EXACT is true for")     \
	X(TICK, 4, BASE, "base", UINT, "", "the tick is the base of this number; dense, from 1")   \
	X(TICK, 5, FROM, "from", UINT, "",                                                         \
	  "its counters are differences from those of this base; absent: they are whole")          \
	X(EXACT, 1, EVENT, "event", UINT, "", "id in events.h")                                    \
	X(EXACT, 2, NS, "ns", UINTS, "ns", "per CPU: on-CPU time, without what is inside it")      \
	X(EXACT, 3, CALLS, "calls", UINTS, "", "per CPU: how often it ended")                      \
	X(EXACT, 4, FAILED, "failed", UINTS, "", "per CPU: calls that returned an error")          \
	X(EXACT, 5, BYTES, "bytes", UINTS, "bytes", "per CPU: what the successful calls returned") \
	X(EXACT_LOSS, 1, UNTRACKED, "untracked", UINTS, "operations",                              \
	  "per CPU: begun, but no room to keep them, or their end was missed")                     \
	X(EXACT_LOSS, 2, SENDS_OUTSIDE, "sends_outside", UINTS, "messages",                        \
	  "per CPU: network sends outside every probe")                                            \
	X(EXACT_LOSS, 3, RECVS_OUTSIDE, "recvs_outside", UINTS, "messages",                        \
	  "per CPU: network receives outside every probe")                                         \
	X(EXACT_LOSS, 4, SENDS_INSIDE, "sends_inside", UINTS, "messages",                          \
	  "per CPU: network sends inside a probe")                                                 \
	X(EXACT_LOSS, 5, RECVS_INSIDE, "recvs_inside", UINTS, "messages",                          \
	  "per CPU: network receives inside a probe")                                              \
	X(EXACT_LOSS, 6, TORN, "torn", UINT, "readings",                                           \
	  "readings whose parts may not belong together")                                          \
	X(EXACT_LOSS, 7, PARTS_MISSED, "parts_missed", UINTS, "calls",                             \
	  "per CPU: of functions that are parts; no room, or not seen as a whole")                 \
	X(EXACT_LOSS, 8, POLLS_OUTSIDE, "polls_outside", UINTS, "polls",                           \
	  "per CPU: of NAPI, outside of softirqs and of its threads: busy polling")                \
	X(EXACT_LOSS, 9, OFFLINE_NS, "offline_ns", UINTS, "ns",                                    \
	  "per CPU: time that it was offline, which is in no event")                               \
	X(SAMPLE_LOSS, 1, WRITTEN, "written", UINTS, "samples", "per CPU: taken so far")           \
	X(SAMPLE_LOSS, 2, LOST, "lost", UINTS, "samples", "per CPU: lost so far")                  \
	X(SAMPLE_LOSS, 3, THROTTLED, "throttled", UINTS, "times",                                  \
	  "per CPU: the kernel paused the sampler")                                                \
	X(SAMPLE_LOSS, 4, UNSAMPLED_NS, "unsampled_ns", UINTS, "ns",                               \
	  "per CPU: time without a sampler: it was offline, or had just come back")                \
	X(PROCSTAT, 1, USER, "user", UINTS, "1/user_hz s", "per CPU; nice included in nice only")  \
	X(PROCSTAT, 2, NICE, "nice", UINTS, "1/user_hz s", "per CPU")                              \
	X(PROCSTAT, 3, SYSTEM, "system", UINTS, "1/user_hz s", "per CPU")                          \
	X(PROCSTAT, 4, IDLE, "idle", UINTS, "1/user_hz s", "per CPU")                              \
	X(PROCSTAT, 5, IOWAIT, "iowait", UINTS, "1/user_hz s", "per CPU")                          \
	X(PROCSTAT, 6, IRQ, "irq", UINTS, "1/user_hz s", "per CPU")                                \
	X(PROCSTAT, 7, SOFTIRQ, "softirq", UINTS, "1/user_hz s", "per CPU")                        \
	X(PROCSTAT, 8, STEAL, "steal", UINTS, "1/user_hz s", "per CPU")                            \
	X(PROCSTAT, 9, GUEST, "guest", UINTS, "1/user_hz s", "per CPU; also counted in user")      \
	X(PROCSTAT, 10, GUEST_NICE, "guest_nice", UINTS, "1/user_hz s",                            \
	  "per CPU; also counted in nice")                                                         \
	X(SOFTNET, 1, PROCESSED, "processed", UINTS, "packets",                                    \
	  "per CPU: entered the receive path, after GRO")                                          \
	X(SOFTNET, 2, DROPPED, "dropped", UINTS, "packets", "per CPU: backlog was full")           \
	X(SOFTNET, 3, SQUEEZED, "squeezed", UINTS, "times",                                        \
	  "per CPU: net_rx_action ran out of budget or time")                                      \
	X(NETDEV, 1, ID, "id", UINT, "", "dense, from 1")                                          \
	X(NETDEV, 2, NAME, "name", STR, "", "interface name")                                      \
	X(NETDEV, 3, NETNS, "netns", UINT, "", "1: the recorder's own namespace; others as found") \
	X(NETDEV, 4, DRIVER, "driver", STR, "",                                                    \
	  "of the device under it; absent: virtual or not known")                                  \
	X(NETDEV_STATS, 1, ID, "id", UINTS, "", "interface ids; the order of the other columns")   \
	X(NETDEV_STATS, 2, RX_PACKETS, "rx_packets", UINTS, "packets", "")                         \
	X(NETDEV_STATS, 3, RX_BYTES, "rx_bytes", UINTS, "bytes", "")                               \
	X(NETDEV_STATS, 4, RX_ERRORS, "rx_errors", UINTS, "packets", "")                           \
	X(NETDEV_STATS, 5, RX_DROPPED, "rx_dropped", UINTS, "packets", "")                         \
	X(NETDEV_STATS, 6, TX_PACKETS, "tx_packets", UINTS, "packets", "")                         \
	X(NETDEV_STATS, 7, TX_BYTES, "tx_bytes", UINTS, "bytes", "")                               \
	X(NETDEV_STATS, 8, TX_ERRORS, "tx_errors", UINTS, "packets", "")                           \
	X(NETDEV_STATS, 9, TX_DROPPED, "tx_dropped", UINTS, "packets", "")                         \
	X(ENERGY_ZONE, 1, ID, "id", UINT, "", "dense, from 1")                                     \
	X(ENERGY_ZONE, 2, NAME, "name", STR, "", "package-0, core, dram …")                        \
	X(ENERGY_ZONE, 3, PARENT, "parent", UINT, "", "zone it is a part of; 0: none")             \
	X(ENERGY_ZONE, 4, UNIT_NJ, "unit_nj", UINT, "nJ", "of the raw counter (powercap: 1000)")   \
	X(ENERGY_ZONE, 5, WRAP, "wrap", UINT, "raw", "largest value, after which comes 0")         \
	X(ENERGY, 1, READ_NS, "read_ns", UINTS, "ns",                                              \
	  "per zone, in order of id: when it was read")                                            \
	X(ENERGY, 2, RAW, "raw", UINTS, "raw",                                                     \
	  "per zone: the counter as it stood; nil: unreadable")                                    \
	X(SELF, 1, USER_US, "user_us", UINT, "us", "user CPU time of the recorder")                \
	X(SELF, 2, SYSTEM_US, "system_us", UINT, "us", "system CPU time of the recorder")          \
	X(SELF, 3, MAXRSS_KIB, "maxrss_kib", UINT, "KiB", "largest resident size")                 \
	X(SELF, 4, WRITTEN, "written", UINT, "bytes", "written to the trace so far")               \
	X(MARK, 1, AT_NS, "at_ns", UINT, "ns", "when")                                             \
	X(MARK, 2, TEXT, "text", STR, "", "what the user called it")                               \
	X(PROGRAM, 1, ID, "id", UINT, "", "dense, from 1")                                         \
	X(PROGRAM, 2, NAME, "name", STR, "", "as the kernel lists it")                             \
	X(PROGRAM, 3, FUNCTION, "function", STR, "",                                               \
	  "the function it is attached to; absent: its name tells, or it is attached to several")  \
	X(PROGRAM_STATS, 1, RUNS, "runs", UINTS, "runs",                                           \
	  "per program, in order of id: in the time counted")                                      \
	X(PROGRAM_STATS, 2, RUN_NS, "run_ns", UINTS, "ns",                                         \
	  "per program: how long those runs took, as the kernel's statistics have it")             \
	X(PROGRAM_STATS, 3, RECURSION, "recursion", UINTS, "runs",                                 \
	  "per program: left out as a program was running there already")                          \
	X(PROGRAM_STATS, 4, MISSED, "missed", UINTS, "times",                                      \
	  "per program: its kprobes were hit and not handled; nil: not known, or it has none")     \
	X(PROGRAM_STATS, 5, COUNTED_NS, "counted_ns", UINT, "ns",                                  \
	  "for so long runs and run_ns were counted")                                              \
	X(PART, 1, PART, "part", UINT, "", "id in parts.h")                                        \
	X(PART, 2, RUNG, "rung", STR, "", "fentry, kprobe, tracepoint, samples")                   \
	X(PART, 3, HOOKS, "hooks", STRS, "", "what was attached to")                               \
	X(PART, 4, WHY, "why", STR, "", "a line for people: why not better")                       \
	X(EXACT_PART, 1, PART, "part", UINT, "", "id in parts.h")                                  \
	X(EXACT_PART, 2, NS, "ns", UINTS, "ns",                                                    \
	  "per CPU: exclusive, without other parts that are inside it")                            \
	X(EXACT_PART, 3, TOTAL_NS, "total_ns", UINTS, "ns",                                        \
	  "per CPU: inclusive, once however deep it nests in itself")                              \
	X(EXACT_PART, 4, CALLS, "calls", UINTS, "", "per CPU: how often it ended")                 \
	X(CGROUPS, 1, FIRST, "first", UINT, "", "id of the first; ids are dense, from 1")          \
	X(CGROUPS, 2, PATH, "path", STRS, "", "from the root of the cgroups; empty: not known")    \
	X(STACK_CODES, 1, ID, "id", UINT, "", "dense, from 1; each replaces the one before")       \
	X(STACK_CODES, 2, STACK, "stack", UINTS, "", "stack ids; the first one is number 1")       \
	X(OUTSIDE, 1, PROCESS, "process", UINTS, "",                                               \
	  "process id; 0: a softirq, which is no process's; nil: not known")                       \
	X(OUTSIDE, 2, NAME, "name", STRS, "", "of the process's first thread")                     \
	X(OUTSIDE, 3, FAMILY, "family", UINTS, "", "address family of the socket: 2 is AF_INET")   \
	X(OUTSIDE, 4, SENDS, "sends", UINTS, "messages", "network sends outside every probe")      \
	X(OUTSIDE, 5, RECVS, "recvs", UINTS, "messages", "network receives outside every probe")   \
	X(INDEX, 1, OFFSET, "offset", UINTS, "bytes", "where each frame begins in the part")       \
	X(INDEX, 2, FIRST_NS, "first_ns", UINTS, "ns", "as in FRAME; nil: the frame of HEADER")    \
	X(INDEX, 3, LAST_NS, "last_ns", UINTS, "ns", "as in FRAME")                                \
	X(INDEX, 4, DEFINES, "defines", UINTS, "",                                                 \
	  "1: more than samples and counters; 2: a base, but no more; 0: none; nil: not known")    \
	X(END, 1, FRAMES, "frames", UINT, "", "frames before the one that END is in")              \
	X(END, 2, RECORDS, "records", UINT, "", "objects before this one")                         \
	X(END, 3, SAMPLES, "samples", UINT, "", "samples in the trace")                            \
	X(END, 4, SYMBOLS, "symbols", UINT, "", "highest symbol id")                               \
	X(END, 5, STACKS, "stacks", UINT, "", "highest stack id")                                  \
	X(END, 6, TASKS, "tasks", UINT, "", "highest task id")                                     \
	X(END, 7, AT_NS, "at_ns", UINT, "ns", "when the recording ended")                          \
	X(END, 8, WHY, "why", STR, "", "what ended it")

enum trace_type {
#define X(id, NAME, name, of, doc) TRACE_##NAME = id,
	TRACE_TYPES(X)
#undef X
};

enum trace_key {
#define X(TYPE, key, NAME, name, KIND, unit, doc) TRACE_##TYPE##_##NAME = key,
	TRACE_KEYS(X)
#undef X
};

enum trace_of {
	TRACE_MOMENT,
	TRACE_COUNTER,
	TRACE_WHOLE,
};

enum trace_kind {
	TRACE_UINT = 1,
	TRACE_INT,
	TRACE_STR,
	TRACE_UINTS,
	TRACE_INTS,
	TRACE_STRS,
};

#endif
