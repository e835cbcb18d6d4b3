/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reasons.h: the reasons why a quantity was measured with one method and not with another, or was not measured at all.
 * Reasons are written into traces (SOURCE's `why` and `via`, PROBE's `refused`, HEADER's `derived`, END's `why` …) as
 * numbers with arguments. The report turns "#111 kfree_skb 22" in a trace into "cannot attach kfree_skb: Invalid
 * argument". scrub keeps the number and treats each argument by its class. SPEC.md describes the form.
 *
 * X(number, name, arguments, sentence). The meaning of a number never changes: a reason that is no longer written stays
 * here. arguments: printf() conversions, each after a space. sentence: has a conversion for each argument. The
 * conversion states the argument's class:
 *
 * 	%u %f	a number, without or with a fraction
 * 	%e	an errno; the sentence has its text
 * 	%w	a word of the kernel or of this program: letters, digits and "_.,-"
 * 	%l	several such words, separated by commas
 * 	%p	a path: scrub replaces every path except the kernel's own paths in /proc and /sys
 * 	%n	a text: scrub replaces it
 * 	%r	only at the end: the reasons that follow
 *
 * reason_NAME is the format for writing a reason: snprintf(why, size, reason_not_attached, "kfree_skb", EINVAL).
 * reason_escape() escapes an argument that may contain a space, "%" or "#".
 */
#ifndef NETCOST_REASONS_H
#define NETCOST_REASONS_H

#include <stdbool.h>
#include <stddef.h>

#define NETCOST_REASONS(X)                                                                         \
	/* END */                                                                                  \
	X(1, command_ended, "", "the command ended")                                               \
	X(2, time_over, "", "the duration was over")                                               \
	X(3, sigint, "", "SIGINT")                                                                 \
	X(4, sigterm, "", "SIGTERM")                                                               \
	X(5, sighup, "", "SIGHUP")                                                                 \
	X(6, goes_on, "", "the next file continues")                                               \
	X(7, no_next, "", "the next file could not be opened")                                     \
	X(8, end_lost, "", "unknown: the end of the trace is missing")                             \
	X(9, cut_end, " %s", "cut; %r")                                                            \
	/* HEADER's derived */                                                                     \
	X(10, cut, " %.3f %.3f", "cut %f s to %f s")                                               \
	X(11, recover, "", "recover")                                                              \
	X(12, joined, "", "merge of files of one recording")                                       \
	X(13, scrub, "", "scrub")                                                                  \
	X(14, scrub_kept, " %s", "scrub; kept: %l")                                                \
	/* SOURCE: samples, tasks, cgroups, symbols, cpus */                                       \
	X(15, perf, "", "perf")                                                                    \
	X(16, bpf, "", "bpf")                                                                      \
	X(17, sampler_inside, " %s %s", "%w %w, only in network code")                             \
	X(18, no_samples, "", "-F 0")                                                              \
	X(19, cpu_gone, " %.3f %u",                                                                \
	  "no samples for %f s: %u CPU went offline, and sampling resumed at a tick after it "     \
	  "was back")                                                                              \
	X(20, cpus_gone, " %.3f %u",                                                               \
	  "no samples for %f s: %u CPUs went offline, and sampling resumed at a tick after they "  \
	  "were back")                                                                             \
	X(21, slow_reader, " %llu",                                                                \
	  "%u samples lost because the reader of the trace did not keep up")                       \
	X(22, bpf_hidden, "", "samples inside another BPF program are neither taken nor counted")  \
	X(23, tasks_via, "", "perf, /proc")                                                        \
	X(24, pid_namespace, "",                                                                   \
	  "recorded inside a pid namespace: tasks outside of it have the id 0, like the idle "     \
	  "tasks")                                                                                 \
	X(25, cgroups_absent, "",                                                                  \
	  "the kernel does not report cgroups: before Linux 5.7, or without CONFIG_CGROUP_PERF")   \
	X(26, cgroup_handles, " %s", "perf; paths are found by file handles of %p")                \
	X(27, cgroup_handles_bpf, " %s", "BPF; paths are found by file handles of %p")             \
	X(28, cgroups_gone, " %d",                                                                 \
	  "the paths of cgroups that are removed within a tick are missing: %e")                   \
	X(29, cgroups_unmounted, "",                                                               \
	  "only cgroups created during the recording have paths: no cgroup file system is "        \
	  "mounted")                                                                               \
	X(30, cgroup_namespace, "",                                                                \
	  "recorded inside a cgroup namespace: cgroups outside of it have no path, and / is the "  \
	  "namespace's root")                                                                      \
	X(31, cgroups_new, " %s %s",                                                               \
	  "only cgroups created during the recording have paths: %p: %r")                          \
	X(32, needs_search, "", "needs CAP_DAC_READ_SEARCH")                                       \
	X(33, snprintf, "", "bpf_snprintf")                                                        \
	X(34, hidden, "", "addresses are hidden: kernel.kptr_restrict, or no CAP_SYSLOG")          \
	X(35, cpus_late, " %s", "CPU %w came online during the recording and is not included")     \
	/* SOURCE: marks, programs, counters */                                                    \
	X(36, sigusr1, "", "SIGUSR1")                                                              \
	X(37, marks_via, "", "--mark, SIGUSR1")                                                    \
	X(38, marks_deaf, " %d", "cannot listen for --mark: %e; SIGUSR1 still marks")              \
	X(39, marks_refused, " %llu %s", "%u marks refused: %r")                                   \
	X(40, too_many, "", "too many marks per second")                                           \
	X(41, stranger, "", "from another user")                                                   \
	X(42, no_request, "", "not a valid request")                                               \
	X(43, stats_always, "", "kernel.bpf_stats_enabled")                                        \
	X(44, stats_via, "", "BPF statistics, which are enabled for a twentieth of the time")      \
	X(45, stats_old, "", "BPF statistics need Linux 5.8 or later")                             \
	X(46, stats_refused, " %d", "BPF statistics: %e; they need CAP_SYS_ADMIN")                 \
	X(47, others_refused, " %d", "other BPF programs: %e; reading them needs CAP_SYS_ADMIN")   \
	X(48, kprobes_unknown, "", "the number of missed kprobes is known only since Linux 6.7")   \
	X(49, protocol, "",                                                                        \
	  "/proc/net/snmp, netstat and snmp6 of the recorder's network namespace")                 \
	X(50, drops, "", "skb:kfree_skb")                                                          \
	X(51, latency_via, "", "tracepoints of packets")                                           \
	X(52, latency_via_functions, "", "tracepoints and functions of packets")                   \
	X(53, latency_refused, " %d", "no tracepoint, and function probes are refused: %e")        \
	X(54, latency_no_function, " %s",                                                          \
	  "no tracepoint, and the function %w() is missing or unsuitable")                         \
	X(55, latency_no_ipv6, " %s",                                                              \
	  "IPv6 is not measured: the kernel itself has no function %w()")                          \
	X(56, latency_only_unknown, " %s",                                                         \
	  "--latency-only=%w cannot be evaluated for these packets")                               \
	X(57, latency_unlimited, "",                                                               \
	  "the budget does not limit these programs, which run all the time")                      \
	X(58, latency_locked, "", "excludes the wait for the socket lock")                         \
	X(59, latency_established, "", "established connections only")                             \
	X(60, latency_udp_read, "",                                                                \
	  "reads are matched to packets in order: if several tasks read from one socket, some "    \
	  "are missing")                                                                           \
	X(61, stages_udp, "",                                                                      \
	  "UDP reads are matched to packets in order: if several tasks read from one socket, "     \
	  "some are missing")                                                                      \
	X(62, stages_cloned, "",                                                                   \
	  "the path of a clone or segment that is first seen at a UDP socket begins there")        \
	X(63, stages_tcx, "", "excludes BPF programs run by tcx (Linux 6.6 and later)")            \
	X(64, stages_no_module, " %s",                                                             \
	  "when the recording began, the module %w was not loaded or had no BTF")                  \
	X(65, drops_old, "",                                                                       \
	  "the kernel's tracepoint kfree_skb reports no drop reasons (before Linux 5.17)")         \
	X(66, zones_refused, " %d", "some zones cannot be read: %e")                               \
	X(67, rapl_refused, " %d", "RAPL energy_uj: %e; run as root")                              \
	X(68, rapl_none, " %s", "no RAPL zones in %p")                                             \
	X(69, rapl_absent, " %s",                                                                  \
	  "no RAPL zones: %p does not exist (a virtual machine, or no powercap driver)")           \
	/* SOURCE: pmu, page-cache */                                                              \
	X(70, pmu, "", "perf_event_open")                                                          \
	X(71, no_pmu, " %d", "no PMU: %e")                                                         \
	X(72, pmu_refused, " %d", "hardware counters: %e; they need CAP_PERFMON")                  \
	X(73, pmu_left_out, "", "disabled by NETCOST_PMU")                                         \
	X(74, pmu_some, " %d", "some hardware counters are missing: %e")                           \
	X(75, page_cache, "", "folio_mark_accessed")                                               \
	X(76, page_by, " %s %s", "by %w: %w")                                                      \
	/* SOURCE: energy by perf */                                                               \
	X(77, power, "", "perf power")                                                             \
	X(78, power_too, "", "/sys/class/powercap, perf power_core")                               \
	/* SOURCE: exact, self-test, witness; PROBE: better methods */                             \
	X(79, exact_off, "", "--exact=off")                                                        \
	X(80, calls_why, "",                                                                       \
	  "socket operations are timed by samples: --exact=entry times them exactly, but may "     \
	  "slow down every system call")                                                           \
	X(81, only_calls, "", "calls are counted but not timed (--exact=entry times them)")        \
	X(82, own_calls, "", "the recorder's own test calls")                                      \
	X(83, witnesses, "", "sock_send_length, sock_recv_length")                                 \
	X(84, no_witness, " %s", "the kernel has no tracepoint %w (Linux 6.3)")                    \
	X(85, witness_counts, "", "not needed in this mode")                                       \
	X(86, no_test_run, " %d", "BPF_PROG_TEST_RUN is refused: %e")                              \
	X(87, no_network_sockets, " %d", "cannot open network sockets for the test: %e")           \
	X(88, no_local_sockets, " %d", "cannot open local sockets for the test: %e")               \
	X(89, left_out, "", "excluded by NETCOST_RUNG")                                            \
	X(90, no_windows, "",                                                                      \
	  "not used with a budget: the programs cannot be detached temporarily")                   \
	X(91, no_tracepoint, " %s", "the kernel has no tracepoint %w")                             \
	X(92, owners_sockets, "", "socket tracepoints")                                            \
	X(93, owners_functions, "", "socket functions")                                            \
	X(94, owners_woken, "", "wakeup targets")                                                  \
	X(95, owners_weak, "",                                                                     \
	  "packets for a process that does not wait for them are unattributed (Linux 6.3 has "     \
	  "better tracepoints)")                                                                   \
	X(96, no_interrupts, "", "no interface of this network namespace has interrupts")          \
	X(97, no_functions, "", "the kernel has none of the functions that are needed")            \
	X(98, preemptible, "",                                                                     \
	  "the kernel is built with preemption: the programs would miss calls")                    \
	X(99, preempt_model, " %s",                                                                \
	  "the kernel runs with preempt=%w: the programs would miss calls")                        \
	X(100, preempt_unknown, "",                                                                \
	  "cannot find out in debugfs whether the kernel runs with preempt=full, where the "       \
	  "programs would miss calls")                                                             \
	X(101, refused_loading, " %d", "refused when loading: %e")                                 \
	X(102, refused_attaching_as, " %d", "refused when attaching: %e")                          \
	X(103, refused_attaching, "", "refused when attaching")                                    \
	X(104, no_kprobes, "", "not built into this kernel (CONFIG_KPROBES)")                      \
	X(105, refused, " %d", "refused: %e")                                                      \
	X(106, not_allowed, "",                                                                    \
	  "no permission to load BPF programs: run as root, or give CAP_BPF and CAP_PERFMON")      \
	X(107, no_bpf, "", "this kernel has no bpf(2)")                                            \
	X(108, no_loading, " %d", "cannot load BPF programs: %e")                                  \
	X(109, no_btf, "",                                                                         \
	  "the kernel has no BTF: cannot read /sys/kernel/btf/vmlinux (CONFIG_DEBUG_INFO_BTF)")    \
	X(110, not_loaded, " %d", "cannot load the BPF programs: %e")                              \
	X(111, not_attached, " %s %d", "cannot attach %w: %e")                                     \
	X(112, no_tracefs, " %d", "kretprobes need tracefs for many calls in flight: %e")          \
	X(113, libbpf, " %d", "cannot register with libbpf to load the BPF programs: %e")          \
	X(114, self_test, " %u %u", "the self-test saw %u of %u kinds of calls")                   \
	/* CERTIFICATE */                                                                          \
	X(115, certify_nothing, " %s", "nothing is counted exactly: %r")                           \
	X(116, certify_not_all, "",                                                                \
	  "some events are not counted: sends, receives or the RX softirq have no probes")         \
	X(117, certify_netns, " %d", "cannot create a network namespace: %e")                      \
	X(118, certify_programs, " %d %d", "cannot attach the spinning program: XDP: %e; TC: %e")  \
	X(119, certify_traffic, " %d", "the test packets do not arrive: %e")                       \
	X(120, certify_elsewhere, "",                                                              \
	  "the test packets are received on other CPUs than the test's")                           \
	X(121, certify_past, " %llu %llu", "%u of %u packets passed the spinning program")         \
	X(122, certify_busy, " %u %u",                                                             \
	  "the host is too busy: only %u of %u batches of packets were undisturbed")               \
	X(123, certify_vague, " %.3f",                                                             \
	  "the host is too busy: the result is accurate to %f ms only")                            \
	X(124, certify_time, " %.3f %.3f",                                                         \
	  "the time counted for the RX softirq rose by %f ms, but the test program spun for "      \
	  "%f ms")                                                                                 \
	X(125, certify_packets, " %llu %llu",                                                      \
	  "sends and receives of %u of %u packets were counted")                                   \
	X(126, certify_bytes, " %llu %llu", "%u of %u bytes were counted")                         \
	X(127, certify_kinds, " %u %u %u",                                                         \
	  "%u of %u kinds of calls are not counted; at the start, %u were not counted")            \
	X(128, certify_blind, " %u", "none of the %u kinds of calls is counted")                   \
	X(129, certify_witness, " %llu %llu", "the witness saw %u of %u messages")                 \
	X(130, certify_switches, "", "context switches are not counted")                           \
	/* PROBE_COST */                                                                           \
	X(131, no_own_calls, "", "the probe did not run in any of the recorder's own calls")       \
	X(132, own_calls_lost, "", "the recorder's own calls were not answered")                   \
	X(133, no_own_samples, " %d", "cannot sample the recorder's own calls: %e")                \
	X(134, few_samples, " %u", "only %u of the recorder's own calls were sampled: too few")    \
	X(135, sample_program, "", "not measured if a BPF program takes the samples")              \
	/* SOURCE: context; CONTEXT */                                                             \
	X(136, context_via, "", "/proc/sys, /sys, /proc/irq, ethtool, netlink, BPF")               \
	X(137, settings_left, " %llu", "%u settings omitted: there are too many")                  \
	X(138, gone, "", "gone")                                                                   \
	X(139, other_sysfs, "", "/sys shows another network namespace")                            \
	X(140, not_loaded_for_it, "", "not read, because reading could load the module nf_tables") \
	X(141, too_many_programs, "", "too many BPF programs: some are omitted")                   \
	/* reasons that join other reasons */                                                      \
	X(142, method, " %s %s", "%w: %r")                                                         \
	X(143, error, " %d", "%e")                                                                 \
	X(144, path, " %s", "%p")                                                                  \
	X(145, unopened, " %s %d", "%p: %e")                                                       \
	X(146, list, " %s", "%l")                                                                  \
	X(147, verbatim, " %s", "%n")                                                              \
	X(148, sampler, " %s %s", "%w %w")                                                         \
	X(149, file_unopened, " %s %d", "%w: %e")                                                  \
	X(150, not_run, "", "the program did not run while BPF statistics were on")                \
	X(151, no_entry, "", "the cost of calling the programs of this class could not be measured")

/* Arrays and not pointers, so that the compiler checks arguments against the format of each reason. */
#define X(number, name, arguments, sentence)                                                       \
	static const char reason_##name[] __attribute__((unused)) = "#" #number arguments;
NETCOST_REASONS(X)
#undef X

/*
 * Copies a trace's text to dst, and replaces each reason by its sentence. The sentences are separated by "; ", and
 * other text is unchanged. Returns the length. dst is NUL-terminated and truncated to `size`. NULs of the text are kept
 * in dst.
 */
size_t reason_sentences(const char *s, size_t n, char *dst, size_t size);

/* Does the same as reason_sentences() for a string. Returns dst. */
char *reason_text(const char *s, char *dst, size_t size);

/* Escapes a text, so that it can be one argument of a reason. Returns dst. */
char *reason_escape(const char *s, char *dst, size_t size);

/* Returns true if the text begins with a reason. */
bool reason_is(const char *s, size_t n);

/* ---- reading reasons one at a time ------------------------------------------------------- */

struct reason {
	unsigned int number;
	const char *sentence; /* NULL if the reason is unknown or the arguments do not match */
	const char *s;	      /* text of the arguments */
	size_t n;
};

struct reason_argument {
	char class; /* conversion of the argument in the sentence; '?' if there is no sentence */
	const char *s;
	size_t n;
};

/* Reads the next reason and advances *s. Returns false at the end, and for text that is not a reason. */
bool reason_next(const char **s, size_t *n, struct reason *r);

/* Removes the next argument from a reason. */
bool reason_next_argument(struct reason *r, struct reason_argument *a);

/* Unescapes an argument. Returns its length. The result is truncated to `size`. */
size_t reason_unescape(const char *s, size_t n, char *dst, size_t size);

#endif
