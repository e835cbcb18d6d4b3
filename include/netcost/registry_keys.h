/* SPDX-License-Identifier: BSD-2-Clause */
/* registry_keys.h: the keys of each record type. registry.h has the rest of the registry, and includes this file. */
#ifndef NETCOST_REGISTRY_KEYS_H
#define NETCOST_REGISTRY_KEYS_H

/*
 * The keys of a type are consecutive. The first key is the key that DEFINES ids or, in a counter, the key that states
 * what the counter is ABOUT. ONE_OF(ENUM): the key has a number of an enumeration.
 *
 * 	TYPE	key	NAME	name	kind	unit	flags	what it is
 */
#define TRACE_KEYS(X)                                                                                                  \
	X(HEADER, 1, MAJOR, "major", UINT, "", 0, "format version: that of the magic")                                 \
	X(HEADER, 2, MINOR, "minor", UINT, "", 0, "format version; a newer one is read")                               \
	X(HEADER, 3, REQUIRES, "requires", STRS, "", PUBLIC,                                                           \
	  "features that a reader must understand; otherwise it must refuse the trace")                                \
	X(HEADER, 4, TOOL, "tool", STR, "", PUBLIC, "writer and its version")                                          \
	X(HEADER, 5, KERNEL, "kernel", STR, "", PUBLIC, "of uname")                                                    \
	X(HEADER, 6, MACHINE, "machine", STR, "", PUBLIC, "of uname")                                                  \
	X(HEADER, 7, CPUS_POSSIBLE, "cpus_possible", UINT, "CPUs", 0,                                                  \
	  "maximum number of CPUs of the kernel")                                                                      \
	X(HEADER, 8, CPUS, "cpus", UINTS, "", CPU, "CPUs recorded")                                                    \
	X(HEADER, 9, CPU_MODEL, "cpu_model", STR, "", PUBLIC, "first model name of /proc/cpuinfo")                     \
	X(HEADER, 10, SAMPLE_HZ, "sample_hz", UINT, "Hz", 0, "sampling frequency; 0: no samples")                      \
	X(HEADER, 11, SAMPLER, "sampler", STR, "", PUBLIC, "perf, bpf")                                                \
	X(HEADER, 12, SAMPLE_EVENT, "sample_event", STR, "", PUBLIC, "cpu-clock, cycles")                              \
	X(HEADER, 13, TICK_MS, "tick_ms", UINT, "ms", 0, "period of the counters")                                     \
	X(HEADER, 14, EXACT, "exact", STR, "", PUBLIC, "off, calls, entry, full")                                      \
	X(HEADER, 15, USER_HZ, "user_hz", UINT, "Hz", 0, "unit of PROCSTAT")                                           \
	X(HEADER, 16, HOST, "host", STR, "", PRIVATE(HOST),                                                            \
	  "node name (only with --host-details)")                                                                      \
	X(HEADER, 17, COMMAND, "command", STRS, "", PRIVATE(COMMAND),                                                  \
	  "recorded command (only with --host-details)")                                                               \
	X(HEADER, 18, START_NS, "start_ns", UINT, "ns", 0, "when the recording began")                                 \
	X(HEADER, 19, DERIVED, "derived", STRS, "", PRIVATE(TEXTS),                                                    \
	  "reasons: edits of the trace since, in order")                                                               \
	X(HEADER, 20, SAMPLE_PERIOD, "sample_period", UINT, "cycles", 0,                                               \
	  "event cycles: cycles between two samples")                                                                  \
	X(HEADER, 21, SAMPLED, "sampled", STR, "", PUBLIC,                                                             \
	  "network: only CPUs inside the network; absent: all")                                                        \
	X(HEADER, 22, CPUS_ONLINE, "cpus_online", UINT, "CPUs", 0,                                                     \
	  "CPUs online at the start; if more than in cpus, only a part of the host was recorded")                      \
	X(HEADER, 23, BUDGET_PPM, "budget_ppm", UINT, "ppm", 0,                                                        \
	  "limit of CPU time for the recording, or for exact times alone; absent: no limit")                           \
	X(FRAME, 1, SEQ, "seq", UINT, "", 0, "1, 2, 3 … without gap")                                                  \
	X(FRAME, 2, FIRST_NS, "first_ns", UINT, "ns", 0,                                                               \
	  "no time in the frame is before the first, or after the last")                                               \
	X(FRAME, 3, LAST_NS, "last_ns", UINT, "ns", 0,                                                                 \
	  "no time in the frame is before the first, or after the last")                                               \
	X(FRAME, 4, LOST, "lost", UINTS, "samples", 0,                                                                 \
	  "lost so far, in the order of HEADER's cpus; empty: no samples are taken")                                   \
	X(CLOCK, 1, MONO_NS, "mono_ns", UINT, "ns", TIME, "CLOCK_MONOTONIC")                                           \
	X(CLOCK, 2, REAL_NS, "real_ns", UINT, "ns", PRIVATE(TIME), "that clock at mono_ns")                            \
	X(CLOCK, 3, BOOT_NS, "boot_ns", UINT, "ns", 0, "that clock at mono_ns")                                        \
	X(CLOCK, 4, ERROR_NS, "error_ns", UINT, "ns", 0,                                                               \
	  "the three were read within twice this time")                                                                \
	X(SOURCE, 1, NAME, "name", STR, "", PUBLIC, "samples, energy, softnet …")                                      \
	X(SOURCE, 2, STATE, "state", STR, "", PUBLIC, "measured, off, absent, refused, stuck")                         \
	X(SOURCE, 3, VIA, "via", STR, "", PRIVATE(TEXTS),                                                              \
	  "reason: the interface that it is read from")                                                                \
	X(SOURCE, 4, WHY, "why", STR, "", PRIVATE(TEXTS),                                                              \
	  "reason: why not measured, or a weakness")                                                                   \
	X(PROBE, 1, OF, "of", UINT, "", ONE_OF(OF), "what is measured")                                                \
	X(PROBE, 2, NUMBER, "number", UINT, "", 0,                                                                     \
	  "its number: of the enumeration that `of` names; tail: 0")                                                   \
	X(PROBE, 3, METHOD, "method", STR, "", PUBLIC,                                                                 \
	  "fentry, kprobe, tracepoint, samples; off: not measured")                                                    \
	X(PROBE, 4, HOOKS, "hooks", STRS, "", PUBLIC, "attach points")                                                 \
	X(PROBE, 5, REASON, "reason", STR, "", PRIVATE(TEXTS),                                                         \
	  "reason: why no better method is used, or a weakness")                                                       \
	X(PROBE, 6, REFUSED, "refused", STRS, "", PRIVATE(TEXTS),                                                      \
	  "reasons: why better methods are not available")                                                             \
	X(PROBE, 7, TESTED, "tested", UINT, "kinds", 0,                                                                \
	  "kinds of calls that the recorder made to test it; absent: no test")                                         \
	X(PROBE, 8, SEEN, "seen", UINT, "kinds", 0, "those that were counted correctly")                               \
	X(PROBE, 9, UNSEEN, "unseen", STRS, "", PUBLIC, "the others")                                                  \
	X(MODULE, 1, ID, "id", UINT, "", DEFINES(MODULE), "")                                                          \
	X(MODULE, 2, NAME, "name", STR, "", PUBLIC,                                                                    \
	  "name as in kallsyms, without brackets; bpf: JIT programs")                                                  \
	X(SYMBOLS, 1, FIRST, "first", UINT, "", DEFINES(SYMBOL), "id of the first row")                                \
	X(SYMBOLS, 2, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(PROGRAMS),                                       \
	  "empty: hidden or unknown")                                                                                  \
	X(SYMBOLS, 3, MODULE, "module", UINTS, "", MUST | COLUMN | ID_OF(MODULE), "its module")                        \
	X(SYMBOLS, 4, OFFSET, "offset", INTS, "bytes", MUST | COLUMN,                                                  \
	  "start of the function, from _stext or a place in its module")                                               \
	X(STACKS, 1, FIRST, "first", UINT, "", DEFINES(STACK), "id of the first row")                                  \
	X(STACKS, 2, UP, "up", UINTS, "", MUST | COLUMN, "the caller's id is this much smaller")                       \
	X(STACKS, 3, SYMBOL, "symbol", UINTS, "", MUST | COLUMN | ID_OF(SYMBOL),                                       \
	  "the innermost function")                                                                                    \
	X(TASKS, 1, FIRST, "first", UINT, "", DEFINES(TASK), "id of the first row")                                    \
	X(TASKS, 2, TID, "tid", UINTS, "", MUST | COLUMN | PRIVATE(PIDS),                                              \
	  "thread id; 0: the idle tasks")                                                                              \
	X(TASKS, 3, TGID, "tgid", UINTS, "", MUST | COLUMN | PRIVATE(PIDS), "process id")                              \
	X(TASKS, 4, COMM, "comm", STRS, "", MUST | COLUMN | PRIVATE(TASKS), "name")                                    \
	X(SAMPLES, 1, CPU, "cpu", UINT, "", MUST | CPU, "")                                                            \
	X(SAMPLES, 2, BASE_NS, "base_ns", UINT, "ns", MUST, "see above")                                               \
	X(SAMPLES, 3, UNIT_NS, "unit_ns", UINT, "ns", MUST, "unit of step and dt")                                     \
	X(SAMPLES, 4, STEP, "step", UINT, "unit_ns", MUST, "expected distance of two samples")                         \
	X(SAMPLES, 5, DT, "dt", INTS, "unit_ns", MUST | COLUMN, "see above")                                           \
	X(SAMPLES, 6, STACK, "stack", UINTS, "", MUST | COLUMN | ID_OF(STACK),                                         \
	  "0: the CPU ran user code")                                                                                  \
	X(SAMPLES, 7, TASK, "task", UINTS, "", MUST | COLUMN | ID_OF(TASK), "")                                        \
	X(SAMPLES, 8, CGROUP, "cgroup", UINTS, "", COLUMN | ID_OF(CGROUP), "")                                         \
	X(TICK, 1, AT_NS, "at_ns", UINT, "ns", TIME, "when the tick's reading began")                                  \
	X(TICK, 2, CPU, "cpu", UINTS, "", MUST | CPU, "the CPUs of this tick, each once")                              \
	X(TICK, 3, EXACT_NS, "exact_ns", UINTS, "ns", PER_CPU | TIME,                                                  \
	  "the moment for which EXACT is true")                                                                        \
	X(TICK, 4, UNFOLLOWED_NS, "unfollowed_ns", UINT, "ns", SUM,                                                    \
	  "time in which packets were not followed (LATENCY, STAGES); absent: never")                                  \
	X(EXACT, 1, EVENT, "event", UINT, "", ABOUT | ONE_OF(EVENT), "")                                               \
	X(EXACT, 2, NS, "ns", UINTS, "ns", PER_CPU | COUNTER | UNBROKEN,                                               \
	  "on-CPU time, without what is inside it")                                                                    \
	X(EXACT, 3, CALLS, "calls", UINTS, "", PER_CPU | COUNTER | UNBROKEN, "how often it ended")                     \
	X(EXACT, 4, FAILED, "failed", UINTS, "", PER_CPU | COUNTER | UNBROKEN,                                         \
	  "calls that returned an error")                                                                              \
	X(EXACT, 5, BYTES, "bytes", UINTS, "bytes", PER_CPU | COUNTER | UNBROKEN,                                      \
	  "sum of the return values of successful calls; 0 for a peek")                                                \
	X(EXACT, 6, PACKETS, "packets", UINTS, "packets", PER_CPU | COUNTER | UNBROKEN,                                \
	  "polled by NAPI in it, before GRO")                                                                          \
	X(EXACT_LOSS, 1, UNTRACKED, "untracked", UINTS, "operations", PER_CPU | COUNTER,                               \
	  "operations that began and were not followed: no room, or their end was missed")                             \
	X(EXACT_LOSS, 2, SENDS_OUTSIDE, "sends_outside", UINTS, "messages", PER_CPU | COUNTER,                         \
	  "network messages outside every probe")                                                                      \
	X(EXACT_LOSS, 3, RECVS_OUTSIDE, "recvs_outside", UINTS, "messages", PER_CPU | COUNTER,                         \
	  "network messages outside every probe")                                                                      \
	X(EXACT_LOSS, 4, SENDS_INSIDE, "sends_inside", UINTS, "messages", PER_CPU | COUNTER,                           \
	  "network messages inside a probe")                                                                           \
	X(EXACT_LOSS, 5, RECVS_INSIDE, "recvs_inside", UINTS, "messages", PER_CPU | COUNTER,                           \
	  "network messages inside a probe")                                                                           \
	X(EXACT_LOSS, 6, TORN, "torn", UINT, "readings", COUNTER,                                                      \
	  "readings that may be inconsistent")                                                                         \
	X(EXACT_LOSS, 7, PARTS_MISSED, "parts_missed", UINTS, "calls", PER_CPU | COUNTER,                              \
	  "calls of parts that were not followed: no room, or begin or end missed")                                    \
	X(EXACT_LOSS, 8, POLLS_OUTSIDE, "polls_outside", UINTS, "polls", PER_CPU | COUNTER,                            \
	  "NAPI polls by tasks outside every probe: busy polling")                                                     \
	X(EXACT_LOSS, 9, OFFLINE_NS, "offline_ns", UINTS, "ns", PER_CPU | COUNTER,                                     \
	  "time that is in no event: the CPU was offline, or off_ns")                                                  \
	X(EXACT_LOSS, 10, OFF_NS, "off_ns", UINTS, "ns", PER_CPU | COUNTER,                                            \
	  "the part of offline_ns in which the recorder had its probes detached")                                      \
	X(SAMPLE_LOSS, 1, WRITTEN, "written", UINTS, "samples", PER_CPU | COUNTER, "so far")                           \
	X(SAMPLE_LOSS, 2, LOST, "lost", UINTS, "samples", PER_CPU | COUNTER, "so far")                                 \
	X(SAMPLE_LOSS, 3, THROTTLED, "throttled", UINTS, "times", PER_CPU | COUNTER,                                   \
	  "the kernel paused the sampler")                                                                             \
	X(SAMPLE_LOSS, 4, UNSAMPLED_NS, "unsampled_ns", UINTS, "ns", PER_CPU | COUNTER,                                \
	  "time without a sampler: the CPU was offline, or had just come back")                                        \
	X(SAMPLE_LOSS, 5, CUT, "cut", UINTS, "samples", PER_CPU | COUNTER,                                             \
	  "samples whose kernel stack is missing or truncated at the kernel's limit")                                  \
	X(PROCSTAT, 1, USER, "user", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER,                                     \
	  "includes guest; nice is in nice only")                                                                      \
	X(PROCSTAT, 2, NICE, "nice", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                 \
	X(PROCSTAT, 3, SYSTEM, "system", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                             \
	X(PROCSTAT, 4, IDLE, "idle", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                 \
	X(PROCSTAT, 5, IOWAIT, "iowait", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                             \
	X(PROCSTAT, 6, IRQ, "irq", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                   \
	X(PROCSTAT, 7, SOFTIRQ, "softirq", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                           \
	X(PROCSTAT, 8, STEAL, "steal", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                               \
	X(PROCSTAT, 9, GUEST, "guest", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER,                                   \
	  "also in user")                                                                                              \
	X(PROCSTAT, 10, GUEST_NICE, "guest_nice", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER,                        \
	  "also in nice")                                                                                              \
	X(PROCSTAT, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                        \
	  "when its reading began, and when it ended")                                                                 \
	X(PROCSTAT, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                        \
	  "when its reading began, and when it ended")                                                                 \
	X(SOFTNET, 1, PROCESSED, "processed", UINTS, "packets", PER_CPU | COUNTER32,                                   \
	  "entered the receive path, after GRO")                                                                       \
	X(SOFTNET, 2, DROPPED, "dropped", UINTS, "packets", PER_CPU | COUNTER32,                                       \
	  "backlog was full")                                                                                          \
	X(SOFTNET, 3, SQUEEZED, "squeezed", UINTS, "times", PER_CPU | COUNTER32,                                       \
	  "net_rx_action ran out of budget or time")                                                                   \
	X(SOFTNET, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                         \
	  "when its reading began, and when it ended")                                                                 \
	X(SOFTNET, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                         \
	  "when its reading began, and when it ended")                                                                 \
	X(NETDEV, 1, ID, "id", UINT, "", DEFINES(NETDEV), "")                                                          \
	X(NETDEV, 2, NAME, "name", STR, "", PRIVATE(NETDEVS), "interface name")                                        \
	X(NETDEV, 3, NETNS, "netns", UINT, "", 0,                                                                      \
	  "1: the recorder's own namespace; others in the order found")                                                \
	X(NETDEV, 4, DRIVER, "driver", STR, "", PUBLIC,                                                                \
	  "of the device under it; absent: virtual, or not known")                                                     \
	X(NETDEV_STATS, 1, ID, "id", UINTS, "", ABOUT | MUST | COLUMN | NONZERO | ID_OF(NETDEV),                       \
	  "the interface of each row")                                                                                 \
	X(NETDEV_STATS, 2, RX_PACKETS, "rx_packets", UINTS, "packets", COLUMN | HOST_COUNTER, "")                      \
	X(NETDEV_STATS, 3, RX_BYTES, "rx_bytes", UINTS, "bytes", COLUMN | HOST_COUNTER, "")                            \
	X(NETDEV_STATS, 4, RX_ERRORS, "rx_errors", UINTS, "packets", COLUMN | HOST_COUNTER, "")                        \
	X(NETDEV_STATS, 5, RX_DROPPED, "rx_dropped", UINTS, "packets", COLUMN | HOST_COUNTER, "")                      \
	X(NETDEV_STATS, 6, TX_PACKETS, "tx_packets", UINTS, "packets", COLUMN | HOST_COUNTER, "")                      \
	X(NETDEV_STATS, 7, TX_BYTES, "tx_bytes", UINTS, "bytes", COLUMN | HOST_COUNTER, "")                            \
	X(NETDEV_STATS, 8, TX_ERRORS, "tx_errors", UINTS, "packets", COLUMN | HOST_COUNTER, "")                        \
	X(NETDEV_STATS, 9, TX_DROPPED, "tx_dropped", UINTS, "packets", COLUMN | HOST_COUNTER, "")                      \
	X(NETDEV_STATS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                    \
	  "when its reading began, and when it ended")                                                                 \
	X(NETDEV_STATS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                    \
	  "when its reading began, and when it ended")                                                                 \
	X(ENERGY_ZONE, 1, ID, "id", UINT, "", DEFINES(ZONE), "")                                                       \
	X(ENERGY_ZONE, 2, NAME, "name", STR, "", PUBLIC, "package-0, core, dram …")                                    \
	X(ENERGY_ZONE, 3, PARENT, "parent", UINT, "", ID_OF(ZONE),                                                     \
	  "the zone that it is a part of; 0: none")                                                                    \
	X(ENERGY_ZONE, 4, UNIT_NJ, "unit_nj", UINT, "nJ", 0,                                                           \
	  "of the raw counter (powercap: 1000)")                                                                       \
	X(ENERGY_ZONE, 5, WRAP, "wrap", UINT, "raw", 0, "largest value, after which comes 0")                          \
	X(ENERGY_ZONE, 6, STATE, "state", STR, "", PUBLIC,                                                             \
	  "measured; refused: it could not be opened")                                                                 \
	X(ENERGY_ZONE, 7, WHY, "why", STR, "", PRIVATE(TEXTS), "reason: why not")                                      \
	X(ENERGY_ZONE, 8, CPUS, "cpus", UINTS, "", CPU,                                                                \
	  "CPUs that it counts; absent: its parent's, or not known")                                                   \
	X(ENERGY, 1, READ_NS, "read_ns", UINTS, "ns", MUST | COLUMN | TIME | EACH(ZONE),                               \
	  "when it was read")                                                                                          \
	X(ENERGY, 2, RAW, "raw", UINTS, "raw", MUST | COLUMN | EACH(ZONE),                                             \
	  "raw value of the counter; nil: unreadable")                                                                 \
	X(ENERGY, 3, ERROR, "error", UINTS, "", COLUMN | EACH(ZONE),                                                   \
	  "errno: why raw is nil; 0: the value read was not a counter")                                                \
	X(ENERGY, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                          \
	  "when its reading began, and when it ended")                                                                 \
	X(ENERGY, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                          \
	  "when its reading began, and when it ended")                                                                 \
	X(SELF, 1, USER_US, "user_us", UINT, "us", COUNTER, "CPU time of the recorder")                                \
	X(SELF, 2, SYSTEM_US, "system_us", UINT, "us", COUNTER, "CPU time of the recorder")                            \
	X(SELF, 3, MAXRSS_KIB, "maxrss_kib", UINT, "KiB", LEVEL, "largest resident size")                              \
	X(SELF, 4, WRITTEN, "written", UINT, "bytes", LEVEL, "written to the trace so far")                            \
	X(SELF, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                            \
	  "when its reading began, and when it ended")                                                                 \
	X(SELF, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                            \
	  "when its reading began, and when it ended")                                                                 \
	X(MARK, 1, AT_NS, "at_ns", UINT, "ns", TIME, "when")                                                           \
	X(MARK, 2, TEXT, "text", STR, "", PRIVATE(MARKS), "text of the mark")                                          \
	X(PROGRAM, 1, ID, "id", UINT, "", DEFINES(PROGRAM), "")                                                        \
	X(PROGRAM, 2, NAME, "name", STR, "", PUBLIC, "as the kernel lists it")                                         \
	X(PROGRAM, 3, FUNCTION, "function", STR, "", PUBLIC,                                                           \
	  "the function that it is attached to; absent: in its name, or several")                                      \
	X(PROGRAM, 4, ENTRY_PS, "entry_ps", UINT, "ps", 0,                                                             \
	  "cost of entering and leaving it, per run; absent: unknown")                                                 \
	X(PROGRAM, 5, COUNTED_PS, "counted_ps", UINT, "ps", 0,                                                         \
	  "run_ns of a run of an empty program")                                                                       \
	X(PROGRAM, 6, STATISTICS_PS, "statistics_ps", UINT, "ps", 0,                                                   \
	  "additional cost of a run while the kernel's statistics are on")                                             \
	X(PROGRAM_STATS, 1, RUNS, "runs", UINTS, "runs", COLUMN | COUNTER | EACH(PROGRAM),                             \
	  "in the time counted")                                                                                       \
	X(PROGRAM_STATS, 2, RUN_NS, "run_ns", UINTS, "ns", COLUMN | COUNTER | EACH(PROGRAM),                           \
	  "duration of these runs, by the kernel's statistics")                                                        \
	X(PROGRAM_STATS, 3, RECURSION, "recursion", UINTS, "runs",                                                     \
	  MUST | COLUMN | COUNTER | EACH(PROGRAM),                                                                     \
	  "runs left out because a program was already running there")                                                 \
	X(PROGRAM_STATS, 4, MISSED, "missed", UINTS, "times", COLUMN | COUNTER | EACH(PROGRAM),                        \
	  "hits of its kprobes that were not handled; nil: it has none, or not known")                                 \
	X(PROGRAM_STATS, 5, COUNTED_NS, "counted_ns", UINT, "ns", COUNTER,                                             \
	  "the time in which runs and run_ns were counted")                                                            \
	X(EXACT_PART, 1, PART, "part", UINT, "", ABOUT | ONE_OF(PART), "")                                             \
	X(EXACT_PART, 2, NS, "ns", UINTS, "ns", PER_CPU | COUNTER | UNBROKEN,                                          \
	  "exclusive: without parts inside it")                                                                        \
	X(EXACT_PART, 3, TOTAL_NS, "total_ns", UINTS, "ns", PER_CPU | COUNTER | UNBROKEN,                              \
	  "inclusive, once however deep it nests in itself")                                                           \
	X(EXACT_PART, 4, CALLS, "calls", UINTS, "", PER_CPU | COUNTER | UNBROKEN,                                      \
	  "how often it ended")                                                                                        \
	X(CGROUPS, 1, FIRST, "first", UINT, "", DEFINES(CGROUP), "id of the first row")                                \
	X(CGROUPS, 2, PATH, "path", STRS, "", MUST | COLUMN | PRIVATE(CGROUPS),                                        \
	  "from the root of the cgroups; empty: not known")                                                            \
	X(CGROUPS, 3, POD, "pod", STRS, "", COLUMN | PRIVATE(LABELS),                                                  \
	  "of the container that it is of; empty: none, or not known")                                                 \
	X(CGROUPS, 4, NAMESPACE, "namespace", STRS, "", COLUMN | PRIVATE(LABELS),                                      \
	  "of the container that it is of; empty: none, or not known")                                                 \
	X(CGROUPS, 5, CONTAINER, "container", STRS, "", COLUMN | PRIVATE(LABELS),                                      \
	  "of the container that it is of; empty: none, or not known")                                                 \
	X(CGROUPS, 6, IMAGE, "image", STRS, "", COLUMN | PRIVATE(LABELS),                                              \
	  "of the container that it is of; empty: none, or not known")                                                 \
	X(CGROUPS, 7, WORKLOAD, "workload", STRS, "", COLUMN | PRIVATE(LABELS),                                        \
	  "of the container that it is of; empty: none, or not known")                                                 \
	X(OUTSIDE, 1, PROCESS, "process", UINTS, "", MUST | COLUMN | PRIVATE(PIDS) | DIM,                              \
	  "process id (pid); 0: a softirq, no process's; nil: not known")                                              \
	X(OUTSIDE, 2, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(TASKS) | DIM,                                    \
	  "of the process's first thread")                                                                             \
	X(OUTSIDE, 3, FAMILY, "family", UINTS, "", MUST | COLUMN | DIM,                                                \
	  "address family of the socket: 2 is AF_INET")                                                                \
	X(OUTSIDE, 4, SENDS, "sends", UINTS, "messages", MUST | COLUMN | SUM,                                          \
	  "outside every probe")                                                                                       \
	X(OUTSIDE, 5, RECVS, "recvs", UINTS, "messages", MUST | COLUMN | SUM,                                          \
	  "outside every probe")                                                                                       \
	X(CONTEXT, 1, AT_NS, "at_ns", UINT, "ns", 0, "when they were read")                                            \
	X(CONTEXT, 2, SUBJECT, "subject", STRS, "", MUST | COLUMN | PRIVATE(SETTINGS),                                 \
	  "what is set: net.core, cpu, interface eth0, interface eth0 rx-0 …")                                         \
	X(CONTEXT, 3, NAME, "name", STRS, "", MUST | COLUMN | PUBLIC, "the setting's own name")                        \
	X(CONTEXT, 4, VALUE, "value", STRS, "", MUST | COLUMN | PRIVATE(SETTINGS),                                     \
	  "as the kernel or its tools write it")                                                                       \
	X(CONTEXT, 5, WHY, "why", STRS, "", MUST | COLUMN | PRIVATE(TEXTS),                                            \
	  "reason: why it could not be read, or gone; otherwise empty")                                                \
	X(COUNTER_NAMES, 1, FIRST, "first", UINT, "", DEFINES(PROTOCOL), "id of the first row")                        \
	X(COUNTER_NAMES, 2, NAME, "name", STRS, "", MUST | COLUMN | PUBLIC,                                            \
	  "name in the kernel: TcpExt.ListenOverflows, Udp6InErrors …")                                                \
	X(COUNTERS, 1, VALUE, "value", UINTS, "", MUST | COLUMN | HOST_COUNTER | EACH(PROTOCOL),                       \
	  "")                                                                                                          \
	X(COUNTERS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                        \
	  "when its reading began, and when it ended")                                                                 \
	X(COUNTERS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                        \
	  "when its reading began, and when it ended")                                                                 \
	X(SOFTIRQS, 1, HI, "hi", UINTS, "runs", PER_CPU | COUNTER32, "")                                               \
	X(SOFTIRQS, 2, TIMER, "timer", UINTS, "runs", PER_CPU | COUNTER32, "")                                         \
	X(SOFTIRQS, 3, NET_TX, "net_tx", UINTS, "runs", PER_CPU | COUNTER32, "")                                       \
	X(SOFTIRQS, 4, NET_RX, "net_rx", UINTS, "runs", PER_CPU | COUNTER32, "")                                       \
	X(SOFTIRQS, 5, BLOCK, "block", UINTS, "runs", PER_CPU | COUNTER32, "")                                         \
	X(SOFTIRQS, 6, IRQ_POLL, "irq_poll", UINTS, "runs", PER_CPU | COUNTER32, "")                                   \
	X(SOFTIRQS, 7, TASKLET, "tasklet", UINTS, "runs", PER_CPU | COUNTER32, "")                                     \
	X(SOFTIRQS, 8, SCHED, "sched", UINTS, "runs", PER_CPU | COUNTER32, "")                                         \
	X(SOFTIRQS, 9, HRTIMER, "hrtimer", UINTS, "runs", PER_CPU | COUNTER32, "")                                     \
	X(SOFTIRQS, 10, RCU, "rcu", UINTS, "runs", PER_CPU | COUNTER32, "")                                            \
	X(SOFTIRQS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                        \
	  "when its reading began, and when it ended")                                                                 \
	X(SOFTIRQS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                        \
	  "when its reading began, and when it ended")                                                                 \
	X(DROP_REASONS, 1, FIRST, "first", UINT, "", DEFINES(DROP), "id of the first row")                             \
	X(DROP_REASONS, 2, NAME, "name", STRS, "", MUST | COLUMN | PUBLIC,                                             \
	  "name in the kernel's enum skb_drop_reason: NO_SOCKET, SOCKET_RCVBUFF …")                                    \
	X(DROP_REASONS, 3, CPU, "cpu", UINTS, "", MUST | COLUMN | CPU, "on which CPU")                                 \
	X(DROPS, 1, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | COUNTER | EACH(DROP),                        \
	  "")                                                                                                          \
	X(DROPS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                           \
	  "when its reading began, and when it ended")                                                                 \
	X(DROPS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                           \
	  "when its reading began, and when it ended")                                                                 \
	X(IRQ_STATS, 1, NETDEV, "netdev", UINT, "", ABOUT | MUST | NONZERO | ID_OF(NETDEV),                            \
	  "the interface")                                                                                             \
	X(IRQ_STATS, 2, INTERRUPTS, "interrupts", UINTS, "interrupts", MUST | PER_CPU | COUNTER32,                     \
	  "")                                                                                                          \
	X(IRQ_STATS, 3, RUNS, "runs", UINTS, "runs", PER_CPU | HOST_COUNTER,                                           \
	  "runs of their handlers that were timed")                                                                    \
	X(IRQ_STATS, 4, NS, "ns", UINTS, "ns", PER_CPU | HOST_COUNTER, "duration of these runs")                       \
	X(IRQ_STATS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                       \
	  "when its reading began, and when it ended")                                                                 \
	X(IRQ_STATS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                       \
	  "when its reading began, and when it ended")                                                                 \
	X(OTHER_PROGRAMS, 1, FIRST, "first", UINT, "", DEFINES(OTHER), "id of the first row")                          \
	X(OTHER_PROGRAMS, 2, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(PROGRAMS),                                \
	  "as the kernel lists it; empty: it has none")                                                                \
	X(OTHER_PROGRAMS, 3, KIND, "kind", STRS, "", MUST | COLUMN | PUBLIC,                                           \
	  "the kernel's name of its type: xdp, sched_cls, tracing …")                                                  \
	X(OTHER_PROGRAMS, 4, ATTACHED, "attached", STRS, "", MUST | COLUMN | PRIVATE(SETTINGS),                        \
	  "attach point when it was found; empty: unknown")                                                            \
	X(OTHER_STATS, 1, RUNS, "runs", UINTS, "runs", MUST | COLUMN | COUNTER | EACH(OTHER),                          \
	  "in the time counted")                                                                                       \
	X(OTHER_STATS, 2, RUN_NS, "run_ns", UINTS, "ns", MUST | COLUMN | COUNTER | EACH(OTHER),                        \
	  "duration of these runs, by the kernel's statistics")                                                        \
	X(OTHER_STATS, 3, UNSEEN_NS, "unseen_ns", UINTS, "ns",                                                         \
	  MUST | COLUMN | COUNTER | EACH(OTHER),                                                                       \
	  "counted time in which its runs are unknown, because it ended before it was read")                           \
	X(OTHER_STATS, 4, COUNTED_NS, "counted_ns", UINT, "ns", MUST | COUNTER,                                        \
	  "the time in which they were counted")                                                                       \
	X(OTHER_STATS, 5, LEFT_OUT, "left_out", UINT, "programs", 0,                                                   \
	  "number of programs left out; absent: none")                                                                 \
	X(SCHEMA, 1, RECORD, "record", UINTS, "", 0, "a type")                                                         \
	X(SCHEMA, 2, KEY, "key", UINTS, "", 0, "one of its keys; 0: the type itself")                                  \
	X(SCHEMA, 3, NAME, "name", STRS, "", PUBLIC, "of the key, or of the type")                                     \
	X(SCHEMA, 4, KIND, "kind", STRS, "", PUBLIC, "of the key; of a type: empty")                                   \
	X(SCHEMA, 5, UNIT, "unit", STRS, "", PUBLIC, "empty: none")                                                    \
	X(SCHEMA, 6, MEANING, "meaning", STRS, "", PUBLIC,                                                             \
	  "the rules of the key, as in these tables")                                                                  \
	X(PROBE_COST, 1, PROBE, "probe", UINT, "", ONE_OF(PROBE), "")                                                  \
	X(PROBE_COST, 2, PS, "ps", UINT, "ps", 0, "cost of a run; absent: not known")                                  \
	X(PROBE_COST, 3, CI95_PS, "ci95_ps", UINT, "ps", 0, "half-width of its 95 % interval")                         \
	X(PROBE_COST, 4, INSIDE_PS, "inside_ps", UINT, "ps", 0,                                                        \
	  "the part of it that is in the time measured by the probe")                                                  \
	X(PROBE_COST, 5, INSIDE_CI95_PS, "inside_ci95_ps", UINT, "ps", 0,                                              \
	  "half-width of its 95 % interval")                                                                           \
	X(PROBE_COST, 6, MEASURED, "measured", UINT, "runs", 0,                                                        \
	  "runs from which it was measured; 0: estimated from other classes")                                          \
	X(PROBE_COST, 7, WHY, "why", STR, "", PRIVATE(TEXTS), "reason: why not known")                                 \
	X(PROBE_RUNS, 1, PROBE, "probe", UINT, "", ABOUT | ONE_OF(PROBE), "")                                          \
	X(PROBE_RUNS, 2, IDLE, "idle", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                   \
	X(PROBE_RUNS, 3, TASK, "task", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                   \
	X(PROBE_RUNS, 4, IO_WORKER, "io_worker", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                         \
	X(PROBE_RUNS, 5, SOCK_SEND, "sock_send", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                         \
	X(PROBE_RUNS, 6, SOCK_RECV, "sock_recv", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                         \
	X(PROBE_RUNS, 7, SOCK_LOCAL, "sock_local", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                       \
	X(PROBE_RUNS, 8, RX_SOFTIRQ, "rx_softirq", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                       \
	X(PROBE_RUNS, 9, TX_SOFTIRQ, "tx_softirq", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                       \
	X(PROBE_RUNS, 10, RX_THREAD, "rx_thread", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                        \
	X(PROBE_RUNS, 11, RX_BUSY_POLL, "rx_busy_poll", UINTS, "runs", PER_CPU | COUNTER | HOLDS,                      \
	  "")                                                                                                          \
	X(PROBE_RUNS, 12, HARDIRQ_NET, "hardirq_net", UINTS, "runs", PER_CPU | COUNTER | HOLDS,                        \
	  "")                                                                                                          \
	X(CERTIFICATE, 1, AT_NS, "at_ns", UINT, "ns", 0, "when it was made")                                           \
	X(CERTIFICATE, 2, WHEN, "when", STR, "", PUBLIC, "start or end of the recording")                              \
	X(CERTIFICATE, 3, STATE, "state", STR, "", PUBLIC, "passed, failed, impossible")                               \
	X(CERTIFICATE, 4, WHY, "why", STR, "", PRIVATE(TEXTS),                                                         \
	  "reason: what failed, or why it was impossible")                                                             \
	X(CERTIFICATE, 5, CPU, "cpu", UINT, "", 0, "where")                                                            \
	X(CERTIFICATE, 6, INJECTED_NS, "injected_ns", UINT, "ns", 0,                                                   \
	  "time that a program spun while packets were received")                                                      \
	X(CERTIFICATE, 7, FOUND_NS, "found_ns", INT, "ns", 0,                                                          \
	  "how much longer the RX softirq, or a NAPI thread, ran because of it")                                       \
	X(CERTIFICATE, 8, ERROR_NS, "error_ns", UINT, "ns", 0, "half of the interval of found_ns")                     \
	X(CERTIFICATE, 9, PACKETS, "packets", UINT, "packets", 0, "sent and received")                                 \
	X(CERTIFICATE, 10, PACKETS_COUNTED, "packets_counted", UINT, "packets", 0,                                     \
	  "those whose send and receive were counted")                                                                 \
	X(CERTIFICATE, 11, BYTES, "bytes", UINT, "bytes", 0, "bytes in these packets")                                 \
	X(CERTIFICATE, 12, BYTES_COUNTED, "bytes_counted", UINT, "bytes", 0,                                           \
	  "those that were counted")                                                                                   \
	X(CERTIFICATE, 13, TESTED, "tested", UINT, "kinds", 0,                                                         \
	  "kinds of calls made on network sockets")                                                                    \
	X(CERTIFICATE, 14, SEEN, "seen", UINT, "kinds", 0, "those that were counted correctly")                        \
	X(CERTIFICATE, 15, TOOK_NS, "took_ns", UINT, "ns", 0, "its duration, and its CPU time")                        \
	X(CERTIFICATE, 16, CPU_NS, "cpu_ns", UINT, "ns", 0, "its duration, and its CPU time")                          \
	X(PROCESSES, 1, FIRST, "first", UINT, "", DEFINES(PROCESS), "id of the first row")                             \
	X(PROCESSES, 2, PID, "pid", UINTS, "", MUST | COLUMN | PRIVATE(PIDS), "0: the idle tasks")                     \
	X(PROCESSES, 3, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(TASKS),                                        \
	  "of the process's first thread")                                                                             \
	X(PROCESSES, 4, START_NS, "start_ns", UINTS, "ns", MUST | COLUMN | PRIVATE(PIDS),                              \
	  "when it began")                                                                                             \
	X(PROCESSES, 5, CGROUP, "cgroup", UINTS, "", MUST | COLUMN | ID_OF(CGROUP), "")                                \
	X(PROCESSES, 6, KERNEL, "kernel", UINTS, "", MUST | COLUMN, "1: a kernel thread; 0: not")                      \
	X(PROCESSES, 7, USER, "user", UINTS, "", COLUMN | PRIVATE(USERS),                                              \
	  "real user id outside all user namespaces")                                                                  \
	X(PROCESS_STATS, 1, PROCESS, "process", UINTS, "", MUST | COLUMN | ID_OF(PROCESS) | DIM,                       \
	  "the process of each row")                                                                                   \
	X(PROCESS_STATS, 2, SWITCHES, "switches", UINTS, "switches", COLUMN | SUM,                                     \
	  "context switches away from its threads")                                                                    \
	X(PROCESS_STATS, 3, TASK_NS, "task_ns", UINTS, "ns", COLUMN | SUM,                                             \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 4, IO_WORKER_NS, "io_worker_ns", UINTS, "ns", COLUMN | SUM,                                   \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 5, SOCK_SEND_NS, "sock_send_ns", UINTS, "ns", COLUMN | SUM,                                   \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 6, SOCK_RECV_NS, "sock_recv_ns", UINTS, "ns", COLUMN | SUM,                                   \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 7, SOCK_LOCAL_NS, "sock_local_ns", UINTS, "ns", COLUMN | SUM,                                 \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 8, RX_SOFTIRQ_NS, "rx_softirq_ns", UINTS, "ns", COLUMN | SUM,                                 \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 9, TX_SOFTIRQ_NS, "tx_softirq_ns", UINTS, "ns", COLUMN | SUM,                                 \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 10, RX_THREAD_NS, "rx_thread_ns", UINTS, "ns", COLUMN | SUM,                                  \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 11, RX_BUSY_POLL_NS, "rx_busy_poll_ns", UINTS, "ns", COLUMN | SUM,                            \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 12, HARDIRQ_NET_NS, "hardirq_net_ns", UINTS, "ns", COLUMN | SUM,                              \
	  "on-CPU time of the event; of interrupts: of those that interrupted it")                                     \
	X(PROCESS_STATS, 13, SEND_CALLS, "send_calls", UINTS, "", COLUMN | SUM,                                        \
	  "calls of the event")                                                                                        \
	X(PROCESS_STATS, 14, RECV_CALLS, "recv_calls", UINTS, "", COLUMN | SUM,                                        \
	  "calls of the event")                                                                                        \
	X(PROCESS_STATS, 15, LOCAL_CALLS, "local_calls", UINTS, "", COLUMN | SUM,                                      \
	  "calls of the event")                                                                                        \
	X(PROCESS_STATS, 16, SEND_FAILED, "send_failed", UINTS, "", COLUMN | SUM,                                      \
	  "calls that returned an error")                                                                              \
	X(PROCESS_STATS, 17, RECV_FAILED, "recv_failed", UINTS, "", COLUMN | SUM,                                      \
	  "calls that returned an error")                                                                              \
	X(PROCESS_STATS, 18, LOCAL_FAILED, "local_failed", UINTS, "", COLUMN | SUM,                                    \
	  "calls that returned an error")                                                                              \
	X(PROCESS_STATS, 19, SEND_BYTES, "send_bytes", UINTS, "bytes", COLUMN | SUM,                                   \
	  "what the other calls returned")                                                                             \
	X(PROCESS_STATS, 20, RECV_BYTES, "recv_bytes", UINTS, "bytes", COLUMN | SUM,                                   \
	  "what the other calls returned")                                                                             \
	X(PROCESS_STATS, 21, LOCAL_BYTES, "local_bytes", UINTS, "bytes", COLUMN | SUM,                                 \
	  "what the other calls returned")                                                                             \
	X(PROCESS_STATS, 22, RX_SOFTIRQS, "rx_softirqs", UINTS, "runs", COLUMN | SUM,                                  \
	  "those that interrupted it and have ended")                                                                  \
	X(PROCESS_STATS, 23, TX_SOFTIRQS, "tx_softirqs", UINTS, "runs", COLUMN | SUM,                                  \
	  "those that interrupted it and have ended")                                                                  \
	X(PROCESS_STATS, 24, HARDIRQS_NET, "hardirqs_net", UINTS, "runs", COLUMN | SUM,                                \
	  "those that interrupted it and have ended")                                                                  \
	X(PROCESS_STATS, 25, UNSEEN, "unseen", UINTS, "switches", COLUMN | SUM,                                        \
	  "context switches to or from it that were not seen: some of its time may belong to another process")         \
	X(PROCESS_STATS, 26, PAGE_HITS, "page_hits", UINTS, "", COLUMN | SUM,                                          \
	  "pages that it found in the page cache: calls of folio_mark_accessed()")                                     \
	X(PROCESS_STATS, 27, CYCLES, "cycles", UINTS, "", COLUMN | SUM,                                                \
	  "hardware counters, while it had the CPU; ref_cycles: at a constant rate")                                   \
	X(PROCESS_STATS, 28, REF_CYCLES, "ref_cycles", UINTS, "", COLUMN | SUM,                                        \
	  "hardware counters, while it had the CPU; ref_cycles: at a constant rate")                                   \
	X(PROCESS_STATS, 29, INSTRUCTIONS, "instructions", UINTS, "", COLUMN | SUM,                                    \
	  "hardware counters, while it had the CPU; ref_cycles: at a constant rate")                                   \
	X(PROCESS_STATS, 30, CACHE_MISSES, "cache_misses", UINTS, "", COLUMN | SUM,                                    \
	  "hardware counters, while it had the CPU; ref_cycles: at a constant rate")                                   \
	X(PROCESS_STATS, 31, PMU_NS, "pmu_ns", UINTS, "ns", COLUMN | SUM,                                              \
	  "time_enabled of the hardware counters")                                                                     \
	X(PROCESS_STATS, 32, CYCLES_NS, "cycles_ns", UINTS, "ns", COLUMN | SUM,                                        \
	  "time_running of this counter")                                                                              \
	X(PROCESS_STATS, 33, REF_CYCLES_NS, "ref_cycles_ns", UINTS, "ns", COLUMN | SUM,                                \
	  "time_running of this counter")                                                                              \
	X(PROCESS_STATS, 34, INSTRUCTIONS_NS, "instructions_ns", UINTS, "ns", COLUMN | SUM,                            \
	  "time_running of this counter")                                                                              \
	X(PROCESS_STATS, 35, CACHE_MISSES_NS, "cache_misses_ns", UINTS, "ns", COLUMN | SUM,                            \
	  "time_running of this counter")                                                                              \
	X(OWNER_STATS, 1, PROCESS, "process", UINTS, "", MUST | COLUMN | ID_OF(PROCESS) | DIM,                         \
	  "the process whose socket received the packets")                                                             \
	X(OWNER_STATS, 2, NS, "ns", UINTS, "ns", MUST | COLUMN | SUM,                                                  \
	  "of the RX softirq and of threaded NAPI")                                                                    \
	X(OWNER_STATS, 3, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | SUM, "")                               \
	X(OWNER_STATS, 4, SQUARES, "squares", UINTS, "1024 ns2", COLUMN | SUM,                                         \
	  "sum of the squares of its time in each softirq sampled")                                                    \
	X(RX_FATES, 1, FATE, "fate", UINTS, "", MUST | COLUMN | ONE_OF(FATE) | DIM, "")                                \
	X(RX_FATES, 2, CPU, "cpu", UINTS, "", MUST | COLUMN | CPU | DIM, "where")                                      \
	X(RX_FATES, 3, NS, "ns", INTS, "ns", MUST | COLUMN | SUM,                                                      \
	  "negative if more became known than began")                                                                  \
	X(RX_FATES, 4, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | SUM, "")                                  \
	X(RX_FATES, 5, SQUARES, "squares", UINTS, "1024 ns2", COLUMN | SUM, "as OWNER_STATS")                          \
	X(RX_FATES, 6, REASON, "reason", STRS, "", COLUMN | PUBLIC | DIM, "drop reason")                               \
	X(RX_FATES, 7, NETDEV, "netdev", STRS, "", COLUMN | PRIVATE(NETDEVS) | DIM,                                    \
	  "name of the interface that they were forwarded to")                                                         \
	X(RX_FATES, 8, EVERY, "every", UINT, "softirqs", 0,                                                            \
	  "one softirq in this many was sampled")                                                                      \
	X(LATENCY, 1, HOOK, "hook", UINT, "", ONE_OF(HOOK) | DIM, "checkpoint")                                        \
	X(LATENCY, 2, CPU, "cpu", UINT, "", MUST | CPU | DIM, "where")                                                 \
	X(LATENCY, 3, NS, "ns", UINT, "ns", SUM, "sum of these times")                                                 \
	X(LATENCY, 4, MIN_NS, "min_ns", UINT, "ns", MIN, "the shortest")                                               \
	X(LATENCY, 5, MAX_NS, "max_ns", UINT, "ns", MAX, "the longest")                                                \
	X(LATENCY, 6, BUCKET, "bucket", UINTS, "", MUST | COLUMN | BIN, "rising")                                      \
	X(LATENCY, 7, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | WEIGHT,                                    \
	  "in each bucket")                                                                                            \
	X(LATENCY, 8, UNKNOWN, "unknown", UINT, "packets", SUM,                                                        \
	  "without a time: entry not known; not certain which packet; too old; merged into the one before; absent: 0") \
	X(LATENCY, 9, OTHER, "other", UINT, "packets", SUM,                                                            \
	  "without a time: entry not known; not certain which packet; too old; merged into the one before; absent: 0") \
	X(LATENCY, 10, OLD, "old", UINT, "packets", SUM,                                                               \
	  "without a time: entry not known; not certain which packet; too old; merged into the one before; absent: 0") \
	X(LATENCY, 11, MERGED, "merged", UINT, "packets", SUM,                                                         \
	  "without a time: entry not known; not certain which packet; too old; merged into the one before; absent: 0") \
	X(LATENCY, 12, FILTERED, "filtered", UINT, "packets", SUM,                                                     \
	  "left out by LATENCY_ONLY; absent: 0")                                                                       \
	X(LATENCY, 13, LATER, "later", UINT, "packets", SUM,                                                           \
	  "of send calls: no call was in progress; absent: 0")                                                         \
	X(LATENCY_BY, 1, HOOK, "hook", UINT, "", ONE_OF(HOOK) | DIM, "checkpoint")                                     \
	X(LATENCY_BY, 2, BY, "by", UINT, "", ONE_OF(BY) | DIM,                                                         \
	  "0: interface, 1: cgroup, 2: process")                                                                       \
	X(LATENCY_BY, 3, WHICH, "which", UINT, "", ONE_OF(WHICH) | DIM,                                                \
	  "0: that of the keys from netdev on, 1: not known, 2: all without a row of their own")                       \
	X(LATENCY_BY, 4, NS, "ns", UINT, "ns", SUM, "sum of these times")                                              \
	X(LATENCY_BY, 5, BUCKET, "bucket", UINTS, "", MUST | COLUMN | BIN, "rising")                                   \
	X(LATENCY_BY, 6, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | WEIGHT,                                 \
	  "in each bucket")                                                                                            \
	X(LATENCY_BY, 7, NETDEV, "netdev", STR, "", PRIVATE(NETDEVS) | DIM,                                            \
	  "name of the interface; empty: not known")                                                                   \
	X(LATENCY_BY, 8, NETNS, "netns", UINT, "", PRIVATE(NETDEVS) | DIM,                                             \
	  "inode of its network namespace")                                                                            \
	X(LATENCY_BY, 9, IFINDEX, "ifindex", UINT, "", DIM, "its number there")                                        \
	X(LATENCY_BY, 10, CGROUP, "cgroup", STR, "", PRIVATE(CGROUPS) | DIM, "path")                                   \
	X(LATENCY_BY, 11, CGROUP_ID, "cgroup_id", UINT, "", PRIVATE(CGROUPS) | DIM, "its inode")                       \
	X(LATENCY_BY, 12, PROCESS, "process", STR, "", PRIVATE(TASKS) | DIM,                                           \
	  "name of the process's first thread")                                                                        \
	X(LATENCY_BY, 13, PID, "pid", UINT, "", PRIVATE(PIDS) | DIM, "process id")                                     \
	X(LATENCY_BY, 14, START_NS, "start_ns", UINT, "ns", PRIVATE(PIDS) | DIM, "when it began")                      \
	X(STAGES, 1, BASE_NS, "base_ns", UINT, "ns", 0, "time of the first event")                                     \
	X(STAGES, 2, DT, "dt", UINTS, "ns", MUST | COLUMN,                                                             \
	  "time since the event before; the first: 0")                                                                 \
	X(STAGES, 3, PACKET, "packet", INTS, "", MUST | COLUMN,                                                        \
	  "the packet's number, minus that of the event before")                                                       \
	X(STAGES, 4, STAGE, "stage", UINTS, "", MUST | COLUMN | ONE_OF(STAGE), "")                                     \
	X(STAGES, 5, CPU, "cpu", UINTS, "", MUST | COLUMN | CPU, "where")                                              \
	X(STAGES, 6, DEVICE, "device", UINTS, "", MUST | COLUMN,                                                       \
	  "place in netns and ifindex, from 1; 0: not known")                                                          \
	X(STAGES, 7, FLOW, "flow", UINTS, "", MUST | COLUMN,                                                           \
	  "of a packet's first event: hash of addresses and ports; 0: not known; nil: not its first event")            \
	X(STAGES, 8, REASON, "reason", UINTS, "", MUST | COLUMN,                                                       \
	  "place in reasons, from 1; 0: not dropped, or not known")                                                    \
	X(STAGES, 9, NETNS, "netns", UINTS, "", MUST | PRIVATE(NETDEVS),                                               \
	  "inode numbers of network namespaces")                                                                       \
	X(STAGES, 10, IFINDEX, "ifindex", UINTS, "", MUST,                                                             \
	  "interface numbers in these; as long as netns")                                                              \
	X(STAGES, 11, REASONS, "reasons", STRS, "", MUST | PUBLIC,                                                     \
	  "the kernel's names of drop reasons")                                                                        \
	X(STAGES, 12, EVERY, "every", UINT, "packets", 0, "one packet in this many is in STAGES")                      \
	X(STAGES, 13, PACKETS, "packets", UINT, "packets", 0, "packets that began their path")                         \
	X(STAGES, 14, FULL, "full", UINT, "packets", 0,                                                                \
	  "packets with missing events: their path ends early, or is missing")                                         \
	X(STAGES, 15, EVICTED, "evicted", UINT, "packets", 0,                                                          \
	  "packets whose path ends early, because another packet took their place")                                    \
	X(STAGES, 16, RULE, "rule", UINTS, "", COLUMN,                                                                 \
	  "place in hooks and tables, from 1; 0: none")                                                                \
	X(STAGES, 17, HOOKS, "hooks", STRS, "", PUBLIC, "netfilter's family and hook")                                 \
	X(STAGES, 18, TABLES, "tables", STRS, "", PRIVATE(SETTINGS),                                                   \
	  "the table there; as long as hooks; empty: all, or not known")                                               \
	X(STAGES, 19, NAMES, "names", STRS, "", PRIVATE(NETDEVS),                                                      \
	  "the interfaces' names; as long as netns; empty: not known")                                                 \
	X(STAGES, 20, FLOWS, "flows", UINTS, "", 0,                                                                    \
	  "with --host-details: flows that begin here, as in flow")                                                    \
	X(STAGES, 21, PROTOCOL, "protocol", UINTS, "", 0,                                                              \
	  "of each flow, as the keys below: IP protocol number")                                                       \
	X(STAGES, 22, FROM, "from", STRS, "", PRIVATE(ADDRESSES), "address")                                           \
	X(STAGES, 23, FROM_PORT, "from_port", UINTS, "", PRIVATE(PORTS),                                               \
	  "nil: none, or not known")                                                                                   \
	X(STAGES, 24, TO, "to", STRS, "", PRIVATE(ADDRESSES), "address")                                               \
	X(STAGES, 25, TO_PORT, "to_port", UINTS, "", PRIVATE(PORTS), "nil: none, or not known")                        \
	X(LATENCY_TAIL, 1, HOOK, "hook", UINT, "", ONE_OF(HOOK), "checkpoint")                                         \
	X(LATENCY_TAIL, 2, CPU, "cpu", UINT, "", MUST | CPU, "where it reached it")                                    \
	X(LATENCY_TAIL, 3, END_NS, "end_ns", UINT, "ns", 0, "when it reached it")                                      \
	X(LATENCY_TAIL, 4, NS, "ns", UINT, "ns", MUST, "how long it took")                                             \
	X(LATENCY_TAIL, 5, WHAT, "what", UINTS, "", MUST | COLUMN | ONE_OF(WHAT),                                      \
	  "what a CPU did meanwhile")                                                                                  \
	X(LATENCY_TAIL, 6, READER, "reader", UINTS, "", MUST | COLUMN,                                                 \
	  "1: after its reader was woken, on `cpu`; 0: before, where it was queued")                                   \
	X(LATENCY_TAIL, 7, NUMBER, "number", UINTS, "", MUST | COLUMN,                                                 \
	  "its meaning depends on `what`; nil: none")                                                                  \
	X(LATENCY_TAIL, 8, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(TASKS),                                     \
	  "of the task; empty: none")                                                                                  \
	X(LATENCY_TAIL, 9, TOOK_NS, "took_ns", UINTS, "ns", MUST | COLUMN,                                             \
	  "duration; the largest first")                                                                               \
	X(LATENCY_TAIL, 10, QUEUED_NS, "queued_ns", UINT, "ns", 0,                                                     \
	  "when its reader was woken, from its start; absent: no reader, or not known")                                \
	X(LATENCY_TAIL, 11, QUEUED_CPU, "queued_cpu", UINT, "", CPU, "where that was")                                 \
	X(LATENCY_TAIL, 12, TASK, "task", STR, "", PRIVATE(TASKS),                                                     \
	  "its reader; absent: it has none")                                                                           \
	X(LATENCY_TAIL, 13, SPAN_SHARE, "span_share", UINTS, "", 0,                                                    \
	  "from end_ns back, without a gap: a row of `what`, from 0")                                                  \
	X(LATENCY_TAIL, 14, SPAN_NS, "span_ns", UINTS, "ns", 0, "duration of it")                                      \
	X(LATENCY_TAIL, 15, PASSED_HOOK, "passed_hook", UINTS, "", ONE_OF(HOOK),                                       \
	  "earlier checkpoints that it passed")                                                                        \
	X(LATENCY_TAIL, 16, PASSED_NS, "passed_ns", UINTS, "ns", 0,                                                    \
	  "when, from its start; as long as passed_hook; never falls")                                                 \
	X(LATENCY_TAIL, 17, BEFORE, "before", UINT, "packets", 0,                                                      \
	  "packets ahead of it in the queue when it arrived")                                                          \
	X(LATENCY_ONLY, 1, NETDEV, "netdev", STR, "", PRIVATE(NETDEVS),                                                \
	  "of this interface; absent, here and below: any")                                                            \
	X(LATENCY_ONLY, 2, NETNS, "netns", UINT, "", PRIVATE(NETDEVS),                                                 \
	  "of this network namespace (inode)")                                                                         \
	X(LATENCY_ONLY, 3, IFINDEX, "ifindex", UINT, "", 0, "the interface's number there")                            \
	X(LATENCY_ONLY, 4, CGROUP, "cgroup", STR, "", PRIVATE(CGROUPS),                                                \
	  "of this cgroup v2 and those below it: path")                                                                \
	X(LATENCY_ONLY, 5, CGROUP_ID, "cgroup_id", UINT, "", PRIVATE(CGROUPS), "its inode")                            \
	X(LATENCY_ONLY, 6, PID, "pid", UINT, "", PRIVATE(PIDS),                                                        \
	  "that this process reads or sends")                                                                          \
	X(LATENCY_ONLY, 7, QUEUE, "queue", UINT, "packets", 0,                                                         \
	  "with at least this many in the socket's queue")                                                             \
	X(NAMES, 1, OF, "of", STR, "", PUBLIC,                                                                         \
	  "which enumeration: the word after \"one of\" in SCHEMA's meaning")                                          \
	X(NAMES, 2, NUMBER, "number", UINTS, "", 0, "a number of it")                                                  \
	X(NAMES, 3, NAME, "name", STRS, "", PUBLIC, "name of the number")                                              \
	X(INDEX, 1, OFFSET, "offset", UINTS, "bytes", 0, "where each frame begins in the part")                        \
	X(INDEX, 2, FIRST_NS, "first_ns", UINTS, "ns", 0, "as in FRAME; HEADER's frame: nil")                          \
	X(INDEX, 3, LAST_NS, "last_ns", UINTS, "ns", 0, "as in FRAME; HEADER's frame: nil")                            \
	X(INDEX, 4, DEFINES, "defines", UINTS, "", 0,                                                                  \
	  "1: the frame has data that every time range needs; 0: it does not; nil: unknown")                           \
	X(END, 1, FRAMES, "frames", UINT, "", 0, "frames of data before END's own")                                    \
	X(END, 2, RECORDS, "records", UINT, "", 0, "objects before END in the part")                                   \
	X(END, 3, SAMPLES, "samples", UINT, "", 0, "samples in the trace")                                             \
	X(END, 4, SYMBOLS, "symbols", UINT, "", 0, "highest id")                                                       \
	X(END, 5, STACKS, "stacks", UINT, "", 0, "highest id")                                                         \
	X(END, 6, TASKS, "tasks", UINT, "", 0, "highest id")                                                           \
	X(END, 7, AT_NS, "at_ns", UINT, "ns", 0, "when the recording ended")                                           \
	X(END, 8, WHY, "why", STR, "", PRIVATE(TEXTS), "reason: what ended it")

#endif
