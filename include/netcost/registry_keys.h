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
#define TRACE_KEYS(X)                                                                                                          \
	X(HEADER, 1, MAJOR, "major", UINT, "", 0,                                                                              \
	  "major format version, which is also in the magic")                                                                  \
	X(HEADER, 2, MINOR, "minor", UINT, "", 0,                                                                              \
	  "minor format version; a reader also accepts newer ones")                                                            \
	X(HEADER, 3, REQUIRES, "requires", STRS, "", PUBLIC,                                                                   \
	  "features that a reader must understand; otherwise it must refuse the trace")                                        \
	X(HEADER, 4, TOOL, "tool", STR, "", PUBLIC, "writer and its version")                                                  \
	X(HEADER, 5, KERNEL, "kernel", STR, "", PUBLIC, "from uname")                                                          \
	X(HEADER, 6, MACHINE, "machine", STR, "", PUBLIC, "from uname")                                                        \
	X(HEADER, 7, CPUS_POSSIBLE, "cpus_possible", UINT, "CPUs", 0,                                                          \
	  "maximum number of CPUs of the kernel")                                                                              \
	X(HEADER, 8, CPUS, "cpus", UINTS, "", CPU, "CPUs recorded")                                                            \
	X(HEADER, 9, CPU_MODEL, "cpu_model", STR, "", PUBLIC, "first model name of /proc/cpuinfo")                             \
	X(HEADER, 10, SAMPLE_HZ, "sample_hz", UINT, "Hz", 0,                                                                   \
	  "sampling frequency; 0: samples are off")                                                                            \
	X(HEADER, 11, SAMPLER, "sampler", STR, "", PUBLIC, "perf, bpf")                                                        \
	X(HEADER, 12, SAMPLE_EVENT, "sample_event", STR, "", PUBLIC, "cpu-clock, cycles")                                      \
	X(HEADER, 13, TICK_MS, "tick_ms", UINT, "ms", 0,                                                                       \
	  "time between two readings of the counters")                                                                         \
	X(HEADER, 14, EXACT, "exact", STR, "", PUBLIC, "off, calls, entry, full")                                              \
	X(HEADER, 15, USER_HZ, "user_hz", UINT, "Hz", 0,                                                                       \
	  "the unit of PROCSTAT's times is 1/user_hz s")                                                                       \
	X(HEADER, 16, HOST, "host", STR, "", PRIVATE(HOST),                                                                    \
	  "node name (only with --host-details)")                                                                              \
	X(HEADER, 17, COMMAND, "command", STRS, "", PRIVATE(COMMAND),                                                          \
	  "recorded command (only with --host-details)")                                                                       \
	X(HEADER, 18, START_NS, "start_ns", UINT, "ns", 0, "when the recording began")                                         \
	X(HEADER, 19, DERIVED, "derived", STRS, "", PRIVATE(TEXTS),                                                            \
	  "reasons: edits of the trace after it was recorded, in order")                                                       \
	X(HEADER, 20, SAMPLE_PERIOD, "sample_period", UINT, "cycles", 0,                                                       \
	  "number of cycles between two samples, if sample_event is cycles")                                                   \
	X(HEADER, 21, SAMPLED, "sampled", STR, "", PUBLIC,                                                                     \
	  "network: a CPU is sampled only while it runs network code; absent: always")                                         \
	X(HEADER, 22, CPUS_ONLINE, "cpus_online", UINT, "CPUs", 0,                                                             \
	  "number of CPUs online at the start; if it is larger than the number in cpus, only a part of the host was recorded") \
	X(HEADER, 23, BUDGET_PPM, "budget_ppm", UINT, "ppm", 0,                                                                \
	  "limit of the CPU time that the recording may take, or that its exact times may take; absent: no limit")             \
	X(FRAME, 1, SEQ, "seq", UINT, "", 0, "1, 2, 3 … without gap")                                                          \
	X(FRAME, 2, FIRST_NS, "first_ns", UINT, "ns", 0,                                                                       \
	  "all times in the frame lie between first_ns and last_ns")                                                           \
	X(FRAME, 3, LAST_NS, "last_ns", UINT, "ns", 0,                                                                         \
	  "all times in the frame lie between first_ns and last_ns")                                                           \
	X(FRAME, 4, LOST, "lost", UINTS, "samples", 0,                                                                         \
	  "samples lost so far, in the order of HEADER's cpus; empty: sampling is off")                                        \
	X(CLOCK, 1, MONO_NS, "mono_ns", UINT, "ns", TIME, "CLOCK_MONOTONIC")                                                   \
	X(CLOCK, 2, REAL_NS, "real_ns", UINT, "ns", PRIVATE(TIME), "CLOCK_REALTIME at mono_ns")                                \
	X(CLOCK, 3, BOOT_NS, "boot_ns", UINT, "ns", 0, "CLOCK_BOOTTIME at mono_ns")                                            \
	X(CLOCK, 4, ERROR_NS, "error_ns", UINT, "ns", 0,                                                                       \
	  "half of the interval in which all three clocks were read")                                                          \
	X(SOURCE, 1, NAME, "name", STR, "", PUBLIC, "samples, energy, softnet …")                                              \
	X(SOURCE, 2, STATE, "state", STR, "", PUBLIC, "measured, off, absent, refused, stuck")                                 \
	X(SOURCE, 3, VIA, "via", STR, "", PRIVATE(TEXTS),                                                                      \
	  "reason: the interface from which the source is read")                                                               \
	X(SOURCE, 4, WHY, "why", STR, "", PRIVATE(TEXTS),                                                                      \
	  "reason: why the source is not measured, or a weakness of the measurement")                                          \
	X(PROBE, 1, OF, "of", UINT, "", ONE_OF(OF), "kind of the measured object")                                             \
	X(PROBE, 2, NUMBER, "number", UINT, "", 0,                                                                             \
	  "number of the measured object in the enumeration that `of` names; 0 for tail")                                      \
	X(PROBE, 3, METHOD, "method", STR, "", PUBLIC,                                                                         \
	  "fentry, kprobe, tracepoint, samples; off: not measured")                                                            \
	X(PROBE, 4, HOOKS, "hooks", STRS, "", PUBLIC, "attach points")                                                         \
	X(PROBE, 5, REASON, "reason", STR, "", PRIVATE(TEXTS),                                                                 \
	  "reason: why no better method is used, or a weakness of the method")                                                 \
	X(PROBE, 6, REFUSED, "refused", STRS, "", PRIVATE(TEXTS),                                                              \
	  "reasons: why better methods are not available")                                                                     \
	X(PROBE, 7, TESTED, "tested", UINT, "kinds", 0,                                                                        \
	  "number of kinds of calls with which the recorder tested the probe; absent: no test")                                \
	X(PROBE, 8, SEEN, "seen", UINT, "kinds", 0,                                                                            \
	  "number of tested kinds that were counted correctly")                                                                \
	X(PROBE, 9, UNSEEN, "unseen", STRS, "", PUBLIC,                                                                        \
	  "tested kinds that were not counted correctly")                                                                      \
	X(MODULE, 1, ID, "id", UINT, "", DEFINES(MODULE), "")                                                                  \
	X(MODULE, 2, NAME, "name", STR, "", PUBLIC,                                                                            \
	  "name as in kallsyms, without brackets; bpf: JIT programs")                                                          \
	X(MODULE, 3, BUILD_ID, "build_id", STR, "", PUBLIC,                                                                    \
	  "build ID of a file of user space, in hexadecimal; empty: none, or unknown")                                         \
	X(MODULE, 4, FILE, "file", STR, "", PRIVATE(FILES),                                                                    \
	  "file of user space, without its folder; empty: none")                                                               \
	X(SYMBOLS, 1, FIRST, "first", UINT, "", DEFINES(SYMBOL), "id of the first row")                                        \
	X(SYMBOLS, 2, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(PROGRAMS),                                               \
	  "name of the function; empty: hidden or unknown")                                                                    \
	X(SYMBOLS, 3, MODULE, "module", UINTS, "", MUST | COLUMN | ID_OF(MODULE),                                              \
	  "module of the function")                                                                                            \
	X(SYMBOLS, 4, OFFSET, "offset", INTS, "bytes", MUST | COLUMN,                                                          \
	  "start of the function, relative to _stext or to a place in the function's module")                                  \
	X(STACKS, 1, FIRST, "first", UINT, "", DEFINES(STACK), "id of the first row")                                          \
	X(STACKS, 2, UP, "up", UINTS, "", MUST | COLUMN,                                                                       \
	  "id of the row minus the id of the caller's row, which is smaller")                                                  \
	X(STACKS, 3, SYMBOL, "symbol", UINTS, "", MUST | COLUMN | ID_OF(SYMBOL),                                               \
	  "the innermost function")                                                                                            \
	X(TASKS, 1, FIRST, "first", UINT, "", DEFINES(TASK), "id of the first row")                                            \
	X(TASKS, 2, TID, "tid", UINTS, "", MUST | COLUMN | PRIVATE(PIDS),                                                      \
	  "thread id; 0: the idle tasks")                                                                                      \
	X(TASKS, 3, TGID, "tgid", UINTS, "", MUST | COLUMN | PRIVATE(PIDS), "process id")                                      \
	X(TASKS, 4, COMM, "comm", STRS, "", MUST | COLUMN | PRIVATE(TASKS), "name")                                            \
	X(SAMPLES, 1, CPU, "cpu", UINT, "", MUST | CPU, "")                                                                    \
	X(SAMPLES, 2, BASE_NS, "base_ns", UINT, "ns", MUST, "see above")                                                       \
	X(SAMPLES, 3, UNIT_NS, "unit_ns", UINT, "ns", MUST, "unit of step and dt")                                             \
	X(SAMPLES, 4, STEP, "step", UINT, "unit_ns", MUST, "expected time between two samples")                                \
	X(SAMPLES, 5, DT, "dt", INTS, "unit_ns", MUST | COLUMN, "see above")                                                   \
	X(SAMPLES, 6, STACK, "stack", UINTS, "", MUST | COLUMN | ID_OF(STACK),                                                 \
	  "0: the CPU ran user code")                                                                                          \
	X(SAMPLES, 7, TASK, "task", UINTS, "", MUST | COLUMN | ID_OF(TASK), "")                                                \
	X(SAMPLES, 8, CGROUP, "cgroup", UINTS, "", COLUMN | ID_OF(CGROUP), "")                                                 \
	X(TICK, 1, AT_NS, "at_ns", UINT, "ns", TIME,                                                                           \
	  "time at which the reading of this tick began")                                                                      \
	X(TICK, 2, CPU, "cpu", UINTS, "", MUST | CPU, "the CPUs of this tick, each once")                                      \
	X(TICK, 3, EXACT_NS, "exact_ns", UINTS, "ns", PER_CPU | TIME,                                                          \
	  "the time at which the values of EXACT were valid")                                                                  \
	X(TICK, 4, UNFOLLOWED_NS, "unfollowed_ns", UINT, "ns", SUM,                                                            \
	  "time in which packets were not followed (LATENCY, STAGES, PEERS); absent: never")                                   \
	X(EXACT, 1, EVENT, "event", UINT, "", ABOUT | ONE_OF(EVENT), "")                                                       \
	X(EXACT, 2, NS, "ns", UINTS, "ns", PER_CPU | COUNTER | UNBROKEN,                                                       \
	  "on-CPU time of the event, without events inside it")                                                                \
	X(EXACT, 3, CALLS, "calls", UINTS, "", PER_CPU | COUNTER | UNBROKEN,                                                   \
	  "number of times that the event ended")                                                                              \
	X(EXACT, 4, FAILED, "failed", UINTS, "", PER_CPU | COUNTER | UNBROKEN,                                                 \
	  "calls that returned an error")                                                                                      \
	X(EXACT, 5, BYTES, "bytes", UINTS, "bytes", PER_CPU | COUNTER | UNBROKEN,                                              \
	  "sum of the return values of successful calls; 0 for a peek")                                                        \
	X(EXACT, 6, PACKETS, "packets", UINTS, "packets", PER_CPU | COUNTER | UNBROKEN,                                        \
	  "packets that NAPI polled in the event, before GRO")                                                                 \
	X(EXACT_LOSS, 1, UNTRACKED, "untracked", UINTS, "operations", PER_CPU | COUNTER,                                       \
	  "operations that were not followed: there was no room, or their end was missed")                                     \
	X(EXACT_LOSS, 2, SENDS_OUTSIDE, "sends_outside", UINTS, "messages", PER_CPU | COUNTER,                                 \
	  "network messages outside of all probes")                                                                            \
	X(EXACT_LOSS, 3, RECVS_OUTSIDE, "recvs_outside", UINTS, "messages", PER_CPU | COUNTER,                                 \
	  "network messages outside of all probes")                                                                            \
	X(EXACT_LOSS, 4, SENDS_INSIDE, "sends_inside", UINTS, "messages", PER_CPU | COUNTER,                                   \
	  "network messages inside a probe")                                                                                   \
	X(EXACT_LOSS, 5, RECVS_INSIDE, "recvs_inside", UINTS, "messages", PER_CPU | COUNTER,                                   \
	  "network messages inside a probe")                                                                                   \
	X(EXACT_LOSS, 6, TORN, "torn", UINT, "readings", COUNTER,                                                              \
	  "readings that may be inconsistent")                                                                                 \
	X(EXACT_LOSS, 7, PARTS_MISSED, "parts_missed", UINTS, "calls", PER_CPU | COUNTER,                                      \
	  "calls of parts that were not followed: there was no room, or their start or end was missed")                        \
	X(EXACT_LOSS, 8, POLLS_OUTSIDE, "polls_outside", UINTS, "polls", PER_CPU | COUNTER,                                    \
	  "NAPI polls by tasks outside of all probes: busy polling")                                                           \
	X(EXACT_LOSS, 9, OFFLINE_NS, "offline_ns", UINTS, "ns", PER_CPU | COUNTER,                                             \
	  "time that belongs to no event: offline time of the CPU, and off_ns")                                                \
	X(EXACT_LOSS, 10, OFF_NS, "off_ns", UINTS, "ns", PER_CPU | COUNTER,                                                    \
	  "part of offline_ns in which the probes of the recorder were detached")                                              \
	X(SAMPLE_LOSS, 1, WRITTEN, "written", UINTS, "samples", PER_CPU | COUNTER,                                             \
	  "number of samples so far")                                                                                          \
	X(SAMPLE_LOSS, 2, LOST, "lost", UINTS, "samples", PER_CPU | COUNTER,                                                   \
	  "number of samples so far")                                                                                          \
	X(SAMPLE_LOSS, 3, THROTTLED, "throttled", UINTS, "times", PER_CPU | COUNTER,                                           \
	  "number of times that the kernel paused the sampler")                                                                \
	X(SAMPLE_LOSS, 4, UNSAMPLED_NS, "unsampled_ns", UINTS, "ns", PER_CPU | COUNTER,                                        \
	  "time without a sampler: the CPU was offline, or had just come online again")                                        \
	X(SAMPLE_LOSS, 5, CUT, "cut", UINTS, "samples", PER_CPU | COUNTER,                                                     \
	  "samples whose kernel stack is missing or truncated at the kernel's limit")                                          \
	X(PROCSTAT, 1, USER, "user", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER,                                             \
	  "includes guest time, but not nice time")                                                                            \
	X(PROCSTAT, 2, NICE, "nice", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                         \
	X(PROCSTAT, 3, SYSTEM, "system", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                     \
	X(PROCSTAT, 4, IDLE, "idle", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                         \
	X(PROCSTAT, 5, IOWAIT, "iowait", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                     \
	X(PROCSTAT, 6, IRQ, "irq", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                           \
	X(PROCSTAT, 7, SOFTIRQ, "softirq", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                   \
	X(PROCSTAT, 8, STEAL, "steal", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER, "")                                       \
	X(PROCSTAT, 9, GUEST, "guest", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER,                                           \
	  "also included in `user`")                                                                                           \
	X(PROCSTAT, 10, GUEST_NICE, "guest_nice", UINTS, "1/user_hz s", PER_CPU | HOST_COUNTER,                                \
	  "also included in `nice`")                                                                                           \
	X(PROCSTAT, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                                \
	  "times at which the reading began and ended")                                                                        \
	X(PROCSTAT, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                                \
	  "times at which the reading began and ended")                                                                        \
	X(SOFTNET, 1, PROCESSED, "processed", UINTS, "packets", PER_CPU | COUNTER32,                                           \
	  "packets that entered the receive path, after GRO")                                                                  \
	X(SOFTNET, 2, DROPPED, "dropped", UINTS, "packets", PER_CPU | COUNTER32,                                               \
	  "packets dropped because the backlog was full")                                                                      \
	X(SOFTNET, 3, SQUEEZED, "squeezed", UINTS, "times", PER_CPU | COUNTER32,                                               \
	  "number of times that net_rx_action ran out of budget or time")                                                      \
	X(SOFTNET, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                                 \
	  "times at which the reading began and ended")                                                                        \
	X(SOFTNET, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                                 \
	  "times at which the reading began and ended")                                                                        \
	X(NETDEV, 1, ID, "id", UINT, "", DEFINES(NETDEV), "")                                                                  \
	X(NETDEV, 2, NAME, "name", STR, "", PRIVATE(NETDEVS), "interface name")                                                \
	X(NETDEV, 3, NETNS, "netns", UINT, "", 0,                                                                              \
	  "network namespace: 1 is the recorder's own, others in the order found")                                             \
	X(NETDEV, 4, DRIVER, "driver", STR, "", PUBLIC,                                                                        \
	  "driver of the device below the interface; absent: virtual, or unknown")                                             \
	X(NETDEV, 5, CLASS, "class", STR, "", PUBLIC,                                                                          \
	  "physical (a device is below the interface), virtual, loopback; absent: unknown")                                    \
	X(NETDEV_STATS, 1, ID, "id", UINTS, "", ABOUT | MUST | COLUMN | NONZERO | ID_OF(NETDEV),                               \
	  "the interface of each row")                                                                                         \
	X(NETDEV_STATS, 2, RX_PACKETS, "rx_packets", UINTS, "packets", COLUMN | HOST_COUNTER, "")                              \
	X(NETDEV_STATS, 3, RX_BYTES, "rx_bytes", UINTS, "bytes", COLUMN | HOST_COUNTER, "")                                    \
	X(NETDEV_STATS, 4, RX_ERRORS, "rx_errors", UINTS, "packets", COLUMN | HOST_COUNTER, "")                                \
	X(NETDEV_STATS, 5, RX_DROPPED, "rx_dropped", UINTS, "packets", COLUMN | HOST_COUNTER, "")                              \
	X(NETDEV_STATS, 6, TX_PACKETS, "tx_packets", UINTS, "packets", COLUMN | HOST_COUNTER, "")                              \
	X(NETDEV_STATS, 7, TX_BYTES, "tx_bytes", UINTS, "bytes", COLUMN | HOST_COUNTER, "")                                    \
	X(NETDEV_STATS, 8, TX_ERRORS, "tx_errors", UINTS, "packets", COLUMN | HOST_COUNTER, "")                                \
	X(NETDEV_STATS, 9, TX_DROPPED, "tx_dropped", UINTS, "packets", COLUMN | HOST_COUNTER, "")                              \
	X(NETDEV_STATS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                            \
	  "times at which the reading began and ended")                                                                        \
	X(NETDEV_STATS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                            \
	  "times at which the reading began and ended")                                                                        \
	X(ENERGY_ZONE, 1, ID, "id", UINT, "", DEFINES(ZONE), "")                                                               \
	X(ENERGY_ZONE, 2, NAME, "name", STR, "", PUBLIC, "package-0, core, dram …")                                            \
	X(ENERGY_ZONE, 3, PARENT, "parent", UINT, "", ID_OF(ZONE),                                                             \
	  "zone that contains this zone; 0: none")                                                                             \
	X(ENERGY_ZONE, 4, UNIT_NJ, "unit_nj", UINT, "nJ", 0,                                                                   \
	  "unit of the raw counter (powercap: 1000)")                                                                          \
	X(ENERGY_ZONE, 5, WRAP, "wrap", UINT, "raw", 0,                                                                        \
	  "largest value, after which the counter restarts at 0")                                                              \
	X(ENERGY_ZONE, 6, STATE, "state", STR, "", PUBLIC,                                                                     \
	  "measured; refused: the zone could not be opened")                                                                   \
	X(ENERGY_ZONE, 7, WHY, "why", STR, "", PRIVATE(TEXTS),                                                                 \
	  "reason: why the zone is not measured")                                                                              \
	X(ENERGY_ZONE, 8, CPUS, "cpus", UINTS, "", CPU,                                                                        \
	  "CPUs that the zone counts; absent: the CPUs of the parent zone, or unknown")                                        \
	X(ENERGY, 1, READ_NS, "read_ns", UINTS, "ns", MUST | COLUMN | TIME | EACH(ZONE),                                       \
	  "when the zone was read")                                                                                            \
	X(ENERGY, 2, RAW, "raw", UINTS, "raw", MUST | COLUMN | EACH(ZONE),                                                     \
	  "raw value of the counter; nil: unreadable")                                                                         \
	X(ENERGY, 3, ERROR, "error", UINTS, "", COLUMN | EACH(ZONE),                                                           \
	  "errno: why raw is nil; 0: the value read was not a counter")                                                        \
	X(ENERGY, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                                  \
	  "times at which the reading began and ended")                                                                        \
	X(ENERGY, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                                  \
	  "times at which the reading began and ended")                                                                        \
	X(SELF, 1, USER_US, "user_us", UINT, "us", COUNTER,                                                                    \
	  "CPU time of the recorder, in user mode and in the kernel")                                                          \
	X(SELF, 2, SYSTEM_US, "system_us", UINT, "us", COUNTER,                                                                \
	  "CPU time of the recorder, in user mode and in the kernel")                                                          \
	X(SELF, 3, MAXRSS_KIB, "maxrss_kib", UINT, "KiB", LEVEL, "largest resident size")                                      \
	X(SELF, 4, WRITTEN, "written", UINT, "bytes", LEVEL, "bytes written to the trace so far")                              \
	X(SELF, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                                    \
	  "times at which the reading began and ended")                                                                        \
	X(SELF, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                                    \
	  "times at which the reading began and ended")                                                                        \
	X(MARK, 1, AT_NS, "at_ns", UINT, "ns", TIME, "time of the mark")                                                       \
	X(MARK, 2, TEXT, "text", STR, "", PRIVATE(MARKS), "text of the mark")                                                  \
	X(PROGRAM, 1, ID, "id", UINT, "", DEFINES(PROGRAM), "")                                                                \
	X(PROGRAM, 2, NAME, "name", STR, "", PUBLIC,                                                                           \
	  "name of the program, as the kernel lists it")                                                                       \
	X(PROGRAM, 3, FUNCTION, "function", STR, "", PUBLIC,                                                                   \
	  "function to which the program is attached; absent: the program's name has it, or there are several functions")      \
	X(PROGRAM, 4, ENTRY_PS, "entry_ps", UINT, "ps", 0,                                                                     \
	  "cost of entering and leaving the program, per run; absent: unknown")                                                \
	X(PROGRAM, 5, COUNTED_PS, "counted_ps", UINT, "ps", 0,                                                                 \
	  "time that run_ns includes for one run of an empty program")                                                         \
	X(PROGRAM, 6, STATISTICS_PS, "statistics_ps", UINT, "ps", 0,                                                           \
	  "additional cost of a run while the kernel's statistics are on")                                                     \
	X(PROGRAM_STATS, 1, RUNS, "runs", UINTS, "runs", COLUMN | COUNTER | EACH(PROGRAM),                                     \
	  "number of runs in counted_ns")                                                                                      \
	X(PROGRAM_STATS, 2, RUN_NS, "run_ns", UINTS, "ns", COLUMN | COUNTER | EACH(PROGRAM),                                   \
	  "duration of the runs in counted_ns, by the kernel's BPF statistics")                                                \
	X(PROGRAM_STATS, 3, RECURSION, "recursion", UINTS, "runs",                                                             \
	  MUST | COLUMN | COUNTER | EACH(PROGRAM),                                                                             \
	  "runs that the kernel skipped because a program was already running on the CPU")                                     \
	X(PROGRAM_STATS, 4, MISSED, "missed", UINTS, "times", COLUMN | COUNTER | EACH(PROGRAM),                                \
	  "hits of the program's kprobes that were not handled; nil: no kprobes, or unknown")                                  \
	X(PROGRAM_STATS, 5, COUNTED_NS, "counted_ns", UINT, "ns", COUNTER,                                                     \
	  "time in which runs and run_ns were counted")                                                                        \
	X(EXACT_PART, 1, PART, "part", UINT, "", ABOUT | ONE_OF(PART), "")                                                     \
	X(EXACT_PART, 2, NS, "ns", UINTS, "ns", PER_CPU | COUNTER | UNBROKEN,                                                  \
	  "exclusive time, without the parts inside this part")                                                                \
	X(EXACT_PART, 3, TOTAL_NS, "total_ns", UINTS, "ns", PER_CPU | COUNTER | UNBROKEN,                                      \
	  "inclusive time; a part that nests in itself counts once")                                                           \
	X(EXACT_PART, 4, CALLS, "calls", UINTS, "", PER_CPU | COUNTER | UNBROKEN,                                              \
	  "number of times that the part ended")                                                                               \
	X(CGROUPS, 1, FIRST, "first", UINT, "", DEFINES(CGROUP), "id of the first row")                                        \
	X(CGROUPS, 2, PATH, "path", STRS, "", MUST | COLUMN | PRIVATE(CGROUPS),                                                \
	  "path from the root of the cgroups; empty: not known")                                                               \
	X(CGROUPS, 3, POD, "pod", STRS, "", COLUMN | PRIVATE(LABELS),                                                          \
	  "property of the cgroup's container that has the name of the key; empty: none, or unknown")                          \
	X(CGROUPS, 4, NAMESPACE, "namespace", STRS, "", COLUMN | PRIVATE(LABELS),                                              \
	  "property of the cgroup's container that has the name of the key; empty: none, or unknown")                          \
	X(CGROUPS, 5, CONTAINER, "container", STRS, "", COLUMN | PRIVATE(LABELS),                                              \
	  "property of the cgroup's container that has the name of the key; empty: none, or unknown")                          \
	X(CGROUPS, 6, IMAGE, "image", STRS, "", COLUMN | PRIVATE(LABELS),                                                      \
	  "property of the cgroup's container that has the name of the key; empty: none, or unknown")                          \
	X(CGROUPS, 7, WORKLOAD, "workload", STRS, "", COLUMN | PRIVATE(LABELS),                                                \
	  "property of the cgroup's container that has the name of the key; empty: none, or unknown")                          \
	X(OUTSIDE, 1, PROCESS, "process", UINTS, "", MUST | COLUMN | PRIVATE(PIDS) | DIM,                                      \
	  "process id (pid); 0: a softirq, which belongs to no process; nil: unknown")                                         \
	X(OUTSIDE, 2, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(TASKS) | DIM,                                            \
	  "name of the process's first thread")                                                                                \
	X(OUTSIDE, 3, FAMILY, "family", UINTS, "", MUST | COLUMN | DIM,                                                        \
	  "address family of the socket: 2 is AF_INET")                                                                        \
	X(OUTSIDE, 4, SENDS, "sends", UINTS, "messages", MUST | COLUMN | SUM,                                                  \
	  "messages outside of all probes")                                                                                    \
	X(OUTSIDE, 5, RECVS, "recvs", UINTS, "messages", MUST | COLUMN | SUM,                                                  \
	  "messages outside of all probes")                                                                                    \
	X(CONTEXT, 1, AT_NS, "at_ns", UINT, "ns", 0, "when the settings were read")                                            \
	X(CONTEXT, 2, SUBJECT, "subject", STRS, "", MUST | COLUMN | PRIVATE(SETTINGS),                                         \
	  "subject of the setting: net.core, cpu, interface eth0, interface eth0 rx-0 …")                                      \
	X(CONTEXT, 3, NAME, "name", STRS, "", MUST | COLUMN | PUBLIC, "name of the setting")                                   \
	X(CONTEXT, 4, VALUE, "value", STRS, "", MUST | COLUMN | PRIVATE(SETTINGS),                                             \
	  "value of the setting, as the kernel or its tools write it")                                                         \
	X(CONTEXT, 5, WHY, "why", STRS, "", MUST | COLUMN | PRIVATE(TEXTS),                                                    \
	  "reason: why the setting could not be read, or that it no longer exists; empty: it was read")                        \
	X(COUNTER_NAMES, 1, FIRST, "first", UINT, "", DEFINES(PROTOCOL), "id of the first row")                                \
	X(COUNTER_NAMES, 2, NAME, "name", STRS, "", MUST | COLUMN | PUBLIC,                                                    \
	  "the kernel's name of the counter: TcpExt.ListenOverflows, Udp6InErrors …")                                          \
	X(COUNTERS, 1, VALUE, "value", UINTS, "", MUST | COLUMN | HOST_COUNTER | EACH(PROTOCOL),                               \
	  "")                                                                                                                  \
	X(COUNTERS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                                \
	  "times at which the reading began and ended")                                                                        \
	X(COUNTERS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                                \
	  "times at which the reading began and ended")                                                                        \
	X(SOFTIRQS, 1, HI, "hi", UINTS, "runs", PER_CPU | COUNTER32, "")                                                       \
	X(SOFTIRQS, 2, TIMER, "timer", UINTS, "runs", PER_CPU | COUNTER32, "")                                                 \
	X(SOFTIRQS, 3, NET_TX, "net_tx", UINTS, "runs", PER_CPU | COUNTER32, "")                                               \
	X(SOFTIRQS, 4, NET_RX, "net_rx", UINTS, "runs", PER_CPU | COUNTER32, "")                                               \
	X(SOFTIRQS, 5, BLOCK, "block", UINTS, "runs", PER_CPU | COUNTER32, "")                                                 \
	X(SOFTIRQS, 6, IRQ_POLL, "irq_poll", UINTS, "runs", PER_CPU | COUNTER32, "")                                           \
	X(SOFTIRQS, 7, TASKLET, "tasklet", UINTS, "runs", PER_CPU | COUNTER32, "")                                             \
	X(SOFTIRQS, 8, SCHED, "sched", UINTS, "runs", PER_CPU | COUNTER32, "")                                                 \
	X(SOFTIRQS, 9, HRTIMER, "hrtimer", UINTS, "runs", PER_CPU | COUNTER32, "")                                             \
	X(SOFTIRQS, 10, RCU, "rcu", UINTS, "runs", PER_CPU | COUNTER32, "")                                                    \
	X(SOFTIRQS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                                \
	  "times at which the reading began and ended")                                                                        \
	X(SOFTIRQS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                                \
	  "times at which the reading began and ended")                                                                        \
	X(DROP_REASONS, 1, FIRST, "first", UINT, "", DEFINES(DROP), "id of the first row")                                     \
	X(DROP_REASONS, 2, NAME, "name", STRS, "", MUST | COLUMN | PUBLIC,                                                     \
	  "name of the reason in the kernel's enum skb_drop_reason: NO_SOCKET, SOCKET_RCVBUFF …")                              \
	X(DROP_REASONS, 3, CPU, "cpu", UINTS, "", MUST | COLUMN | CPU,                                                         \
	  "CPU on which the counter counts")                                                                                   \
	X(DROPS, 1, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | COUNTER | EACH(DROP),                                \
	  "")                                                                                                                  \
	X(DROPS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                                   \
	  "times at which the reading began and ended")                                                                        \
	X(DROPS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                                   \
	  "times at which the reading began and ended")                                                                        \
	X(IRQ_STATS, 1, NETDEV, "netdev", UINT, "", ABOUT | MUST | NONZERO | ID_OF(NETDEV),                                    \
	  "the interface")                                                                                                     \
	X(IRQ_STATS, 2, INTERRUPTS, "interrupts", UINTS, "interrupts", MUST | PER_CPU | COUNTER32,                             \
	  "")                                                                                                                  \
	X(IRQ_STATS, 3, RUNS, "runs", UINTS, "runs", PER_CPU | HOST_COUNTER,                                                   \
	  "timed runs of the interrupts' handlers")                                                                            \
	X(IRQ_STATS, 4, NS, "ns", UINTS, "ns", PER_CPU | HOST_COUNTER,                                                         \
	  "duration of the timed runs")                                                                                        \
	X(IRQ_STATS, 30, BEGAN_NS, "began_ns", UINT, "ns", TIME,                                                               \
	  "times at which the reading began and ended")                                                                        \
	X(IRQ_STATS, 31, ENDED_NS, "ended_ns", UINT, "ns", TIME,                                                               \
	  "times at which the reading began and ended")                                                                        \
	X(OTHER_PROGRAMS, 1, FIRST, "first", UINT, "", DEFINES(OTHER), "id of the first row")                                  \
	X(OTHER_PROGRAMS, 2, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(PROGRAMS),                                        \
	  "name of the program, as the kernel lists it; empty: none")                                                          \
	X(OTHER_PROGRAMS, 3, KIND, "kind", STRS, "", MUST | COLUMN | PUBLIC,                                                   \
	  "the kernel's name of the program's type: xdp, sched_cls, tracing …")                                                \
	X(OTHER_PROGRAMS, 4, ATTACHED, "attached", STRS, "", MUST | COLUMN | PRIVATE(SETTINGS),                                \
	  "attach point when the program was found; empty: unknown")                                                           \
	X(OTHER_STATS, 1, RUNS, "runs", UINTS, "runs", MUST | COLUMN | COUNTER | EACH(OTHER),                                  \
	  "number of runs in counted_ns")                                                                                      \
	X(OTHER_STATS, 2, RUN_NS, "run_ns", UINTS, "ns", MUST | COLUMN | COUNTER | EACH(OTHER),                                \
	  "duration of the runs in counted_ns, by the kernel's BPF statistics")                                                \
	X(OTHER_STATS, 3, UNSEEN_NS, "unseen_ns", UINTS, "ns",                                                                 \
	  MUST | COLUMN | COUNTER | EACH(OTHER),                                                                               \
	  "counted time in which the program's runs are unknown, because the program ended before its counters were read")     \
	X(OTHER_STATS, 4, COUNTED_NS, "counted_ns", UINT, "ns", MUST | COUNTER,                                                \
	  "time in which runs and run_ns were counted")                                                                        \
	X(OTHER_STATS, 5, LEFT_OUT, "left_out", UINT, "programs", 0,                                                           \
	  "number of programs left out; absent: none")                                                                         \
	X(SCHEMA, 1, RECORD, "record", UINTS, "", 0, "number of a record type")                                                \
	X(SCHEMA, 2, KEY, "key", UINTS, "", 0,                                                                                 \
	  "number of a key of this type; 0: the row is about the type itself")                                                 \
	X(SCHEMA, 3, NAME, "name", STRS, "", PUBLIC, "name of the key, or of the type")                                        \
	X(SCHEMA, 4, KIND, "kind", STRS, "", PUBLIC, "kind of the key; empty for a type")                                      \
	X(SCHEMA, 5, UNIT, "unit", STRS, "", PUBLIC, "unit of the key; empty: none")                                           \
	X(SCHEMA, 6, MEANING, "meaning", STRS, "", PUBLIC,                                                                     \
	  "rules of the key, written as in the column `rules` of these tables")                                                \
	X(PROBE_COST, 1, PROBE, "probe", UINT, "", ONE_OF(PROBE), "")                                                          \
	X(PROBE_COST, 2, PS, "ps", UINT, "ps", 0, "cost of a run; absent: unknown")                                            \
	X(PROBE_COST, 3, CI95_PS, "ci95_ps", UINT, "ps", 0,                                                                    \
	  "half-width of the 95 % interval of ps")                                                                             \
	X(PROBE_COST, 4, INSIDE_PS, "inside_ps", UINT, "ps", 0,                                                                \
	  "part of the cost that the time measured by the probe includes")                                                     \
	X(PROBE_COST, 5, INSIDE_CI95_PS, "inside_ci95_ps", UINT, "ps", 0,                                                      \
	  "half-width of the 95 % interval of inside_ps")                                                                      \
	X(PROBE_COST, 6, MEASURED, "measured", UINT, "runs", 0,                                                                \
	  "number of runs from which the cost was measured; 0: estimated from other classes")                                  \
	X(PROBE_COST, 7, WHY, "why", STR, "", PRIVATE(TEXTS), "reason: why the cost is unknown")                               \
	X(PROBE_RUNS, 1, PROBE, "probe", UINT, "", ABOUT | ONE_OF(PROBE), "")                                                  \
	X(PROBE_RUNS, 2, IDLE, "idle", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                           \
	X(PROBE_RUNS, 3, TASK, "task", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                           \
	X(PROBE_RUNS, 4, IO_WORKER, "io_worker", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                 \
	X(PROBE_RUNS, 5, SOCK_SEND, "sock_send", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                 \
	X(PROBE_RUNS, 6, SOCK_RECV, "sock_recv", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                 \
	X(PROBE_RUNS, 7, SOCK_LOCAL, "sock_local", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                               \
	X(PROBE_RUNS, 8, RX_SOFTIRQ, "rx_softirq", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                               \
	X(PROBE_RUNS, 9, TX_SOFTIRQ, "tx_softirq", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                               \
	X(PROBE_RUNS, 10, RX_THREAD, "rx_thread", UINTS, "runs", PER_CPU | COUNTER | HOLDS, "")                                \
	X(PROBE_RUNS, 11, RX_BUSY_POLL, "rx_busy_poll", UINTS, "runs", PER_CPU | COUNTER | HOLDS,                              \
	  "")                                                                                                                  \
	X(PROBE_RUNS, 12, HARDIRQ_NET, "hardirq_net", UINTS, "runs", PER_CPU | COUNTER | HOLDS,                                \
	  "")                                                                                                                  \
	X(CERTIFICATE, 1, AT_NS, "at_ns", UINT, "ns", 0, "when the certificate was made")                                      \
	X(CERTIFICATE, 2, WHEN, "when", STR, "", PUBLIC, "start or end of the recording")                                      \
	X(CERTIFICATE, 3, STATE, "state", STR, "", PUBLIC, "passed, failed, impossible")                                       \
	X(CERTIFICATE, 4, WHY, "why", STR, "", PRIVATE(TEXTS),                                                                 \
	  "reason: what failed, or why the certificate was impossible")                                                        \
	X(CERTIFICATE, 5, CPU, "cpu", UINT, "", 0, "CPU on which the packets were received")                                   \
	X(CERTIFICATE, 6, INJECTED_NS, "injected_ns", UINT, "ns", 0,                                                           \
	  "time for which a program spun while packets were received")                                                         \
	X(CERTIFICATE, 7, FOUND_NS, "found_ns", INT, "ns", 0,                                                                  \
	  "measured increase of the time of the RX softirq, or of a NAPI thread, due to the spinning")                         \
	X(CERTIFICATE, 8, ERROR_NS, "error_ns", UINT, "ns", 0,                                                                 \
	  "half-width of the 95 % interval of found_ns")                                                                       \
	X(CERTIFICATE, 9, PACKETS, "packets", UINT, "packets", 0, "packets sent and received")                                 \
	X(CERTIFICATE, 10, PACKETS_COUNTED, "packets_counted", UINT, "packets", 0,                                             \
	  "number of packets whose send and receive were counted")                                                             \
	X(CERTIFICATE, 11, BYTES, "bytes", UINT, "bytes", 0, "bytes in these packets")                                         \
	X(CERTIFICATE, 12, BYTES_COUNTED, "bytes_counted", UINT, "bytes", 0,                                                   \
	  "number of bytes in these packets that were counted")                                                                \
	X(CERTIFICATE, 13, TESTED, "tested", UINT, "kinds", 0,                                                                 \
	  "number of kinds of calls that were made on network sockets")                                                        \
	X(CERTIFICATE, 14, SEEN, "seen", UINT, "kinds", 0,                                                                     \
	  "number of tested kinds that were counted correctly")                                                                \
	X(CERTIFICATE, 15, TOOK_NS, "took_ns", UINT, "ns", 0,                                                                  \
	  "elapsed time and CPU time of the certificate")                                                                      \
	X(CERTIFICATE, 16, CPU_NS, "cpu_ns", UINT, "ns", 0,                                                                    \
	  "elapsed time and CPU time of the certificate")                                                                      \
	X(PROCESSES, 1, FIRST, "first", UINT, "", DEFINES(PROCESS), "id of the first row")                                     \
	X(PROCESSES, 2, PID, "pid", UINTS, "", MUST | COLUMN | PRIVATE(PIDS),                                                  \
	  "process id; 0: the idle tasks")                                                                                     \
	X(PROCESSES, 3, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(TASKS),                                                \
	  "name of the process's first thread")                                                                                \
	X(PROCESSES, 4, START_NS, "start_ns", UINTS, "ns", MUST | COLUMN | PRIVATE(PIDS),                                      \
	  "when the process began")                                                                                            \
	X(PROCESSES, 5, CGROUP, "cgroup", UINTS, "", MUST | COLUMN | ID_OF(CGROUP), "")                                        \
	X(PROCESSES, 6, KERNEL, "kernel", UINTS, "", MUST | COLUMN,                                                            \
	  "1: a kernel thread; 0: a process with user space")                                                                  \
	X(PROCESSES, 7, USER, "user", UINTS, "", COLUMN | PRIVATE(USERS),                                                      \
	  "real user id outside of all user namespaces, at the process's last context switch")                                 \
	X(PROCESS_STATS, 1, PROCESS, "process", UINTS, "", MUST | COLUMN | ID_OF(PROCESS) | DIM,                               \
	  "the process of each row")                                                                                           \
	X(PROCESS_STATS, 2, SWITCHES, "switches", UINTS, "switches", COLUMN | SUM,                                             \
	  "context switches away from the process's threads")                                                                  \
	X(PROCESS_STATS, 3, TASK_NS, "task_ns", UINTS, "ns", COLUMN | SUM,                                                     \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 4, IO_WORKER_NS, "io_worker_ns", UINTS, "ns", COLUMN | SUM,                                           \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 5, SOCK_SEND_NS, "sock_send_ns", UINTS, "ns", COLUMN | SUM,                                           \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 6, SOCK_RECV_NS, "sock_recv_ns", UINTS, "ns", COLUMN | SUM,                                           \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 7, SOCK_LOCAL_NS, "sock_local_ns", UINTS, "ns", COLUMN | SUM,                                         \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 8, RX_SOFTIRQ_NS, "rx_softirq_ns", UINTS, "ns", COLUMN | SUM,                                         \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 9, TX_SOFTIRQ_NS, "tx_softirq_ns", UINTS, "ns", COLUMN | SUM,                                         \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 10, RX_THREAD_NS, "rx_thread_ns", UINTS, "ns", COLUMN | SUM,                                          \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 11, RX_BUSY_POLL_NS, "rx_busy_poll_ns", UINTS, "ns", COLUMN | SUM,                                    \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 12, HARDIRQ_NET_NS, "hardirq_net_ns", UINTS, "ns", COLUMN | SUM,                                      \
	  "on-CPU time of the event; of interrupts: the time for which they interrupted the process")                          \
	X(PROCESS_STATS, 13, SEND_CALLS, "send_calls", UINTS, "", COLUMN | SUM,                                                \
	  "number of calls of the event")                                                                                      \
	X(PROCESS_STATS, 14, RECV_CALLS, "recv_calls", UINTS, "", COLUMN | SUM,                                                \
	  "number of calls of the event")                                                                                      \
	X(PROCESS_STATS, 15, LOCAL_CALLS, "local_calls", UINTS, "", COLUMN | SUM,                                              \
	  "number of calls of the event")                                                                                      \
	X(PROCESS_STATS, 16, SEND_FAILED, "send_failed", UINTS, "", COLUMN | SUM,                                              \
	  "calls that returned an error")                                                                                      \
	X(PROCESS_STATS, 17, RECV_FAILED, "recv_failed", UINTS, "", COLUMN | SUM,                                              \
	  "calls that returned an error")                                                                                      \
	X(PROCESS_STATS, 18, LOCAL_FAILED, "local_failed", UINTS, "", COLUMN | SUM,                                            \
	  "calls that returned an error")                                                                                      \
	X(PROCESS_STATS, 19, SEND_BYTES, "send_bytes", UINTS, "bytes", COLUMN | SUM,                                           \
	  "sum of the return values of successful calls")                                                                      \
	X(PROCESS_STATS, 20, RECV_BYTES, "recv_bytes", UINTS, "bytes", COLUMN | SUM,                                           \
	  "sum of the return values of successful calls")                                                                      \
	X(PROCESS_STATS, 21, LOCAL_BYTES, "local_bytes", UINTS, "bytes", COLUMN | SUM,                                         \
	  "sum of the return values of successful calls")                                                                      \
	X(PROCESS_STATS, 22, RX_SOFTIRQS, "rx_softirqs", UINTS, "runs", COLUMN | SUM,                                          \
	  "number of softirqs or handlers that interrupted the process and have ended")                                        \
	X(PROCESS_STATS, 23, TX_SOFTIRQS, "tx_softirqs", UINTS, "runs", COLUMN | SUM,                                          \
	  "number of softirqs or handlers that interrupted the process and have ended")                                        \
	X(PROCESS_STATS, 24, HARDIRQS_NET, "hardirqs_net", UINTS, "runs", COLUMN | SUM,                                        \
	  "number of softirqs or handlers that interrupted the process and have ended")                                        \
	X(PROCESS_STATS, 25, UNSEEN, "unseen", UINTS, "switches", COLUMN | SUM,                                                \
	  "context switches to or from the process that were not seen: some of its time may belong to another process")        \
	X(PROCESS_STATS, 26, PAGE_HITS, "page_hits", UINTS, "", COLUMN | SUM,                                                  \
	  "pages that the process found in the page cache: calls of folio_mark_accessed()")                                    \
	X(PROCESS_STATS, 27, CYCLES, "cycles", UINTS, "", COLUMN | SUM,                                                        \
	  "hardware counter while the process was on a CPU; ref_cycles has a constant rate")                                   \
	X(PROCESS_STATS, 28, REF_CYCLES, "ref_cycles", UINTS, "", COLUMN | SUM,                                                \
	  "hardware counter while the process was on a CPU; ref_cycles has a constant rate")                                   \
	X(PROCESS_STATS, 29, INSTRUCTIONS, "instructions", UINTS, "", COLUMN | SUM,                                            \
	  "hardware counter while the process was on a CPU; ref_cycles has a constant rate")                                   \
	X(PROCESS_STATS, 30, CACHE_MISSES, "cache_misses", UINTS, "", COLUMN | SUM,                                            \
	  "hardware counter while the process was on a CPU; ref_cycles has a constant rate")                                   \
	X(PROCESS_STATS, 31, PMU_NS, "pmu_ns", UINTS, "ns", COLUMN | SUM,                                                      \
	  "time_enabled of the hardware counters")                                                                             \
	X(PROCESS_STATS, 32, CYCLES_NS, "cycles_ns", UINTS, "ns", COLUMN | SUM,                                                \
	  "time_running of the hardware counter that the key names")                                                           \
	X(PROCESS_STATS, 33, REF_CYCLES_NS, "ref_cycles_ns", UINTS, "ns", COLUMN | SUM,                                        \
	  "time_running of the hardware counter that the key names")                                                           \
	X(PROCESS_STATS, 34, INSTRUCTIONS_NS, "instructions_ns", UINTS, "ns", COLUMN | SUM,                                    \
	  "time_running of the hardware counter that the key names")                                                           \
	X(PROCESS_STATS, 35, CACHE_MISSES_NS, "cache_misses_ns", UINTS, "ns", COLUMN | SUM,                                    \
	  "time_running of the hardware counter that the key names")                                                           \
	X(OWNER_STATS, 1, PROCESS, "process", UINTS, "", MUST | COLUMN | ID_OF(PROCESS) | DIM,                                 \
	  "the process whose socket received the packets")                                                                     \
	X(OWNER_STATS, 2, NS, "ns", UINTS, "ns", MUST | COLUMN | SUM,                                                          \
	  "time of the RX softirq and of threaded NAPI")                                                                       \
	X(OWNER_STATS, 3, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | SUM, "")                                       \
	X(OWNER_STATS, 4, SQUARES, "squares", UINTS, "1024 ns2", COLUMN | SUM,                                                 \
	  "sum over sampled softirqs of the square of the process's time in the softirq")                                      \
	X(RX_FATES, 1, FATE, "fate", UINTS, "", MUST | COLUMN | ONE_OF(FATE) | DIM, "")                                        \
	X(RX_FATES, 2, CPU, "cpu", UINTS, "", MUST | COLUMN | CPU | DIM,                                                       \
	  "CPU of the softirq or thread")                                                                                      \
	X(RX_FATES, 3, NS, "ns", INTS, "ns", MUST | COLUMN | SUM,                                                              \
	  "time; negative for `open` if the time of `open` decreased")                                                         \
	X(RX_FATES, 4, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | SUM, "")                                          \
	X(RX_FATES, 5, SQUARES, "squares", UINTS, "1024 ns2", COLUMN | SUM, "as in OWNER_STATS")                               \
	X(RX_FATES, 6, REASON, "reason", STRS, "", COLUMN | PUBLIC | DIM, "drop reason")                                       \
	X(RX_FATES, 7, NETDEV, "netdev", STRS, "", COLUMN | PRIVATE(NETDEVS) | DIM,                                            \
	  "name of the interface to which the packets were forwarded")                                                         \
	X(RX_FATES, 8, EVERY, "every", UINT, "softirqs", 0, "N: one of N softirqs was sampled")                                \
	X(LATENCY, 1, HOOK, "hook", UINT, "", ONE_OF(HOOK) | DIM, "checkpoint")                                                \
	X(LATENCY, 2, CPU, "cpu", UINT, "", MUST | CPU | DIM,                                                                  \
	  "CPU on which the packets were counted")                                                                             \
	X(LATENCY, 3, NS, "ns", UINT, "ns", SUM, "sum of the latencies")                                                       \
	X(LATENCY, 4, MIN_NS, "min_ns", UINT, "ns", MIN, "shortest latency")                                                   \
	X(LATENCY, 5, MAX_NS, "max_ns", UINT, "ns", MAX, "longest latency")                                                    \
	X(LATENCY, 6, BUCKET, "bucket", UINTS, "", MUST | COLUMN | BIN,                                                        \
	  "numbers of the buckets, in ascending order")                                                                        \
	X(LATENCY, 7, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | WEIGHT,                                            \
	  "number of packets in each bucket")                                                                                  \
	X(LATENCY, 8, UNKNOWN, "unknown", UINT, "packets", SUM,                                                                \
	  "packets without a latency, by reason: entry unknown, identity uncertain, too old, merged into another; absent: 0")  \
	X(LATENCY, 9, OTHER, "other", UINT, "packets", SUM,                                                                    \
	  "packets without a latency, by reason: entry unknown, identity uncertain, too old, merged into another; absent: 0")  \
	X(LATENCY, 10, OLD, "old", UINT, "packets", SUM,                                                                       \
	  "packets without a latency, by reason: entry unknown, identity uncertain, too old, merged into another; absent: 0")  \
	X(LATENCY, 11, MERGED, "merged", UINT, "packets", SUM,                                                                 \
	  "packets without a latency, by reason: entry unknown, identity uncertain, too old, merged into another; absent: 0")  \
	X(LATENCY, 12, FILTERED, "filtered", UINT, "packets", SUM,                                                             \
	  "packets that LATENCY_ONLY excludes; absent: 0")                                                                     \
	X(LATENCY, 13, LATER, "later", UINT, "packets", SUM,                                                                   \
	  "packets that were not sent during a send call; absent: 0")                                                          \
	X(LATENCY_BY, 1, HOOK, "hook", UINT, "", ONE_OF(HOOK) | DIM, "checkpoint")                                             \
	X(LATENCY_BY, 2, BY, "by", UINT, "", ONE_OF(BY) | DIM,                                                                 \
	  "0: interface, 1: cgroup, 2: process")                                                                               \
	X(LATENCY_BY, 3, WHICH, "which", UINT, "", ONE_OF(WHICH) | DIM,                                                        \
	  "0: packets of one interface, cgroup or process; 1: packets with an unknown key; 2: packets of all other keys")      \
	X(LATENCY_BY, 4, NS, "ns", UINT, "ns", SUM, "sum of the latencies")                                                    \
	X(LATENCY_BY, 5, BUCKET, "bucket", UINTS, "", MUST | COLUMN | BIN,                                                     \
	  "numbers of the buckets, in ascending order")                                                                        \
	X(LATENCY_BY, 6, PACKETS, "packets", UINTS, "packets", MUST | COLUMN | WEIGHT,                                         \
	  "number of packets in each bucket")                                                                                  \
	X(LATENCY_BY, 7, NETDEV, "netdev", STR, "", PRIVATE(NETDEVS) | DIM,                                                    \
	  "name of the interface; empty: not known")                                                                           \
	X(LATENCY_BY, 8, NETNS, "netns", UINT, "", PRIVATE(NETDEVS) | DIM,                                                     \
	  "inode of the interface's network namespace")                                                                        \
	X(LATENCY_BY, 9, IFINDEX, "ifindex", UINT, "", DIM,                                                                    \
	  "number (ifindex) of the interface in its network namespace")                                                        \
	X(LATENCY_BY, 10, CGROUP, "cgroup", STR, "", PRIVATE(CGROUPS) | DIM, "path of the cgroup")                             \
	X(LATENCY_BY, 11, CGROUP_ID, "cgroup_id", UINT, "", PRIVATE(CGROUPS) | DIM,                                            \
	  "inode of the cgroup")                                                                                               \
	X(LATENCY_BY, 12, PROCESS, "process", STR, "", PRIVATE(TASKS) | DIM,                                                   \
	  "name of the process's first thread")                                                                                \
	X(LATENCY_BY, 13, PID, "pid", UINT, "", PRIVATE(PIDS) | DIM, "process id")                                             \
	X(LATENCY_BY, 14, START_NS, "start_ns", UINT, "ns", PRIVATE(PIDS) | DIM,                                               \
	  "when the process began")                                                                                            \
	X(STAGES, 1, BASE_NS, "base_ns", UINT, "ns", 0, "time of the first event")                                             \
	X(STAGES, 2, DT, "dt", UINTS, "ns", MUST | COLUMN,                                                                     \
	  "time since the previous event; 0 for the first event")                                                              \
	X(STAGES, 3, PACKET, "packet", INTS, "", MUST | COLUMN,                                                                \
	  "number of the packet minus the number of the previous event's packet")                                              \
	X(STAGES, 4, STAGE, "stage", UINTS, "", MUST | COLUMN | ONE_OF(STAGE), "")                                             \
	X(STAGES, 5, CPU, "cpu", UINTS, "", MUST | COLUMN | CPU, "CPU of the event")                                           \
	X(STAGES, 6, DEVICE, "device", UINTS, "", MUST | COLUMN,                                                               \
	  "the interface: its position in the lists `netns` and `ifindex`, counted from 1; 0: unknown")                        \
	X(STAGES, 7, FLOW, "flow", UINTS, "", MUST | COLUMN,                                                                   \
	  "hash of addresses and ports at a packet's first event; 0: unknown; nil: not the first event")                       \
	X(STAGES, 8, REASON, "reason", UINTS, "", MUST | COLUMN,                                                               \
	  "the drop reason: its position in the list `reasons`, counted from 1; 0: not dropped, or unknown")                   \
	X(STAGES, 9, NETNS, "netns", UINTS, "", MUST | PRIVATE(NETDEVS),                                                       \
	  "inode number of the network namespace of each interface")                                                           \
	X(STAGES, 10, IFINDEX, "ifindex", UINTS, "", MUST,                                                                     \
	  "number (ifindex) of each interface in its network namespace")                                                       \
	X(STAGES, 11, REASONS, "reasons", STRS, "", MUST | PUBLIC,                                                             \
	  "the kernel's names of drop reasons")                                                                                \
	X(STAGES, 12, EVERY, "every", UINT, "packets", 0, "N: one of N packets is in STAGES")                                  \
	X(STAGES, 13, PACKETS, "packets", UINT, "packets", 0, "packets that began their path")                                 \
	X(STAGES, 14, FULL, "full", UINT, "packets", 0,                                                                        \
	  "packets with missing events: their path ends early, or is missing")                                                 \
	X(STAGES, 15, EVICTED, "evicted", UINT, "packets", 0,                                                                  \
	  "packets whose path ends early, because another packet took their place")                                            \
	X(STAGES, 16, RULE, "rule", UINTS, "", COLUMN,                                                                         \
	  "the netfilter hook and table: their position in the lists `hooks` and `tables`, counted from 1; 0: none")           \
	X(STAGES, 17, HOOKS, "hooks", STRS, "", PUBLIC,                                                                        \
	  "protocol family and name of each netfilter hook")                                                                   \
	X(STAGES, 18, TABLES, "tables", STRS, "", PRIVATE(SETTINGS),                                                           \
	  "netfilter table of each element of hooks; empty: all tables, or unknown")                                           \
	X(STAGES, 19, NAMES, "names", STRS, "", PRIVATE(NETDEVS),                                                              \
	  "name of each interface in ifindex; empty: unknown")                                                                 \
	X(STAGES, 20, FLOWS, "flows", UINTS, "", 0,                                                                            \
	  "with --host-details: hash, as in `flow`, of each flow that begins in this record")                                  \
	X(STAGES, 21, PROTOCOL, "protocol", UINTS, "", 0,                                                                      \
	  "IP protocol number of each flow in flows")                                                                          \
	X(STAGES, 22, FROM, "from", STRS, "", PRIVATE(ADDRESSES),                                                              \
	  "source address of each flow in flows")                                                                              \
	X(STAGES, 23, FROM_PORT, "from_port", UINTS, "", PRIVATE(PORTS),                                                       \
	  "source port of each flow in flows; nil: none, or not known")                                                        \
	X(STAGES, 24, TO, "to", STRS, "", PRIVATE(ADDRESSES),                                                                  \
	  "destination address of each flow in flows")                                                                         \
	X(STAGES, 25, TO_PORT, "to_port", UINTS, "", PRIVATE(PORTS),                                                           \
	  "destination port of each flow in flows; nil: none, or not known")                                                   \
	X(LATENCY_TAIL, 1, HOOK, "hook", UINT, "", ONE_OF(HOOK), "checkpoint")                                                 \
	X(LATENCY_TAIL, 2, CPU, "cpu", UINT, "", MUST | CPU,                                                                   \
	  "CPU on which the packet reached the checkpoint")                                                                    \
	X(LATENCY_TAIL, 3, END_NS, "end_ns", UINT, "ns", 0,                                                                    \
	  "when the packet reached the checkpoint")                                                                            \
	X(LATENCY_TAIL, 4, NS, "ns", UINT, "ns", MUST, "latency of the packet")                                                \
	X(LATENCY_TAIL, 5, WHAT, "what", UINTS, "", MUST | COLUMN | ONE_OF(WHAT),                                              \
	  "activity of a CPU during the wait")                                                                                 \
	X(LATENCY_TAIL, 6, READER, "reader", UINTS, "", MUST | COLUMN,                                                         \
	  "1: activity of `cpu` after the packet's reader was woken; 0: earlier activity of the CPU that queued the packet")   \
	X(LATENCY_TAIL, 7, NUMBER, "number", UINTS, "", MUST | COLUMN,                                                         \
	  "a detail whose meaning depends on `what`; nil: none")                                                               \
	X(LATENCY_TAIL, 8, NAME, "name", STRS, "", MUST | COLUMN | PRIVATE(TASKS),                                             \
	  "name of the task; empty: none")                                                                                     \
	X(LATENCY_TAIL, 9, TOOK_NS, "took_ns", UINTS, "ns", MUST | COLUMN,                                                     \
	  "duration of the activity; the longest activity is first")                                                           \
	X(LATENCY_TAIL, 10, QUEUED_NS, "queued_ns", UINT, "ns", 0,                                                             \
	  "time from the start of the packet until its reader was woken; absent: no reader, or unknown")                       \
	X(LATENCY_TAIL, 11, QUEUED_CPU, "queued_cpu", UINT, "", CPU,                                                           \
	  "CPU on which the reader was woken")                                                                                 \
	X(LATENCY_TAIL, 12, TASK, "task", STR, "", PRIVATE(TASKS),                                                             \
	  "reader of the packet; absent: none")                                                                                \
	X(LATENCY_TAIL, 13, SPAN_SHARE, "span_share", UINTS, "", 0,                                                            \
	  "steps backwards from end_ns, without gaps: for each step the index of its row in `what`, from 0")                   \
	X(LATENCY_TAIL, 14, SPAN_NS, "span_ns", UINTS, "ns", 0,                                                                \
	  "duration of each step in span_share")                                                                               \
	X(LATENCY_TAIL, 15, PASSED_HOOK, "passed_hook", UINTS, "", ONE_OF(HOOK),                                               \
	  "earlier checkpoints that the packet passed")                                                                        \
	X(LATENCY_TAIL, 16, PASSED_NS, "passed_ns", UINTS, "ns", 0,                                                            \
	  "time from the start of the packet to each checkpoint in passed_hook; never decreases")                              \
	X(LATENCY_TAIL, 17, BEFORE, "before", UINT, "packets", 0,                                                              \
	  "number of packets ahead in the queue when the packet arrived")                                                      \
	X(LATENCY_ONLY, 1, NETDEV, "netdev", STR, "", PRIVATE(NETDEVS),                                                        \
	  "only packets of this interface; here and in the keys below, absent: any packets")                                   \
	X(LATENCY_ONLY, 2, NETNS, "netns", UINT, "", PRIVATE(NETDEVS),                                                         \
	  "only packets of this network namespace (inode)")                                                                    \
	X(LATENCY_ONLY, 3, IFINDEX, "ifindex", UINT, "", 0,                                                                    \
	  "number (ifindex) of the interface in its network namespace")                                                        \
	X(LATENCY_ONLY, 4, CGROUP, "cgroup", STR, "", PRIVATE(CGROUPS),                                                        \
	  "only packets of this cgroup v2 (path) and the cgroups below it")                                                    \
	X(LATENCY_ONLY, 5, CGROUP_ID, "cgroup_id", UINT, "", PRIVATE(CGROUPS),                                                 \
	  "inode of the cgroup")                                                                                               \
	X(LATENCY_ONLY, 6, PID, "pid", UINT, "", PRIVATE(PIDS),                                                                \
	  "only packets that this process reads or sends")                                                                     \
	X(LATENCY_ONLY, 7, QUEUE, "queue", UINT, "packets", 0,                                                                 \
	  "only if at least this many packets are in the socket's queue")                                                      \
	X(NAMES, 1, OF, "of", STR, "", PUBLIC,                                                                                 \
	  "name of the enumeration: the word after `one of` in the key `meaning` of SCHEMA")                                   \
	X(NAMES, 2, NUMBER, "number", UINTS, "", 0, "a number of the enumeration")                                             \
	X(NAMES, 3, NAME, "name", STRS, "", PUBLIC, "name of the number")                                                      \
	X(PEERS, 1, CLASS, "class", STRS, "", MUST | COLUMN | DIM | PUBLIC,                                                    \
	  "class of the peer's address; empty: peers without a row")                                                           \
	X(PEERS, 2, ADDRESS, "address", STRS, "", MUST | COLUMN | DIM | PRIVATE(ADDRESSES),                                    \
	  "address of the peer, with --host-details; empty: none")                                                             \
	X(PEERS, 3, PROTOCOL, "protocol", STRS, "", MUST | COLUMN | DIM | PUBLIC,                                              \
	  "name or number of the IP protocol")                                                                                 \
	X(PEERS, 4, PORT, "port", UINTS, "", MUST | COLUMN | DIM | PRIVATE(PORTS),                                             \
	  "port of the server; nil: none, or not known")                                                                       \
	X(PEERS, 5, SIDE, "side", STRS, "", MUST | COLUMN | DIM | PUBLIC,                                                      \
	  "side whose port it is: local or remote; empty: no port")                                                            \
	X(PEERS, 6, SENDS, "sends", UINTS, "messages", MUST | COLUMN | SUM, "")                                                \
	X(PEERS, 7, RECVS, "recvs", UINTS, "messages", MUST | COLUMN | SUM, "")                                                \
	X(PEERS, 8, SEND_BYTES, "send_bytes", UINTS, "bytes", MUST | COLUMN | SUM, "")                                         \
	X(PEERS, 9, RECV_BYTES, "recv_bytes", UINTS, "bytes", MUST | COLUMN | SUM, "")                                         \
	X(INDEX, 1, OFFSET, "offset", UINTS, "bytes", 0,                                                                       \
	  "where each frame begins, counted from the start of the part")                                                       \
	X(INDEX, 2, FIRST_NS, "first_ns", UINTS, "ns", 0,                                                                      \
	  "first_ns and last_ns of each frame; nil for HEADER's frame")                                                        \
	X(INDEX, 3, LAST_NS, "last_ns", UINTS, "ns", 0,                                                                        \
	  "first_ns and last_ns of each frame; nil for HEADER's frame")                                                        \
	X(INDEX, 4, DEFINES, "defines", UINTS, "", 0,                                                                          \
	  "1: the frame has data that every time range needs; 0: it does not; nil: unknown")                                   \
	X(END, 1, FRAMES, "frames", UINT, "", 0, "number of data frames before the frame of END")                              \
	X(END, 2, RECORDS, "records", UINT, "", 0, "number of objects before END in the part")                                 \
	X(END, 3, SAMPLES, "samples", UINT, "", 0, "samples in the trace")                                                     \
	X(END, 4, SYMBOLS, "symbols", UINT, "", 0, "highest id")                                                               \
	X(END, 5, STACKS, "stacks", UINT, "", 0, "highest id")                                                                 \
	X(END, 6, TASKS, "tasks", UINT, "", 0, "highest id")                                                                   \
	X(END, 7, AT_NS, "at_ns", UINT, "ns", 0, "when the recording ended")                                                   \
	X(END, 8, WHY, "why", STR, "", PRIVATE(TEXTS), "reason: what ended it")

#endif
