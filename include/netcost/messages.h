/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * messages.h: the sentences that are written into traces (SOURCE, PROBE, END, HEADER's derived), as formats for
 * printf(). Who writes one takes it from here, and `netcost-report scrub` knows by the same list what in a
 * sentence is ours and stays, and what was put into it.
 *
 * X(NAME, format, arguments): a character for each conversion. '.': another sentence of this list, or the text of an
 * errno; anything else is private, and replaced. 'k': a word of ours or of the kernel's, or a list of CPUs: it stays.
 * Numbers stay. Formats without a letter join sentences. Only %s, %u, %llu and %.3f are known.
 *
 * A sentence that is no longer written stays here, under "former", for the traces that have it.
 */
#ifndef NETCOST_MESSAGES_H
#define NETCOST_MESSAGES_H

#define NETCOST_MESSAGES(X)                                                                         \
	/* END */                                                                                   \
	X(said_command_ended, "the command ended", "")                                              \
	X(said_time_over, "the time was over", "")                                                  \
	X(said_sigint, "SIGINT", "")                                                                \
	X(said_sigterm, "SIGTERM", "")                                                              \
	X(said_sighup, "SIGHUP", "")                                                                \
	X(said_goes_on, "the next file goes on", "")                                                \
	X(said_no_next, "the next file could not be begun", "")                                     \
	X(said_end_lost, "not known: the end of the trace is lost", "")                             \
	X(said_cut_end, "cut; %s", ".")                                                             \
	/* HEADER's derived */                                                                      \
	X(said_cut, "cut %s", ".")                                                                  \
	X(said_range, "%.3f s to %.3f s", "..")                                                     \
	X(said_recover, "recover", "")                                                              \
	X(said_joined, "merge of files of one recording", "")                                       \
	X(said_scrub, "scrub", "")                                                                  \
	X(said_scrub_kept, "scrub; kept: %s", ".")                                                  \
	X(said_tasks, "tasks", "")                                                                  \
	X(said_cgroups, "cgroups", "")                                                              \
	X(said_pids, "pids", "")                                                                    \
	X(said_users, "users", "")                                                                  \
	X(said_netdevs, "netdevs", "")                                                              \
	X(said_host, "host", "")                                                                    \
	X(said_command, "command", "")                                                              \
	X(said_marks, "marks", "")                                                                  \
	X(said_programs, "programs", "")                                                            \
	X(said_settings, "settings", "")                                                            \
	X(said_texts, "texts", "")                                                                  \
	X(said_addresses, "addresses", "")                                                          \
	X(said_ports, "ports", "")                                                                  \
	X(said_time, "time", "")                                                                    \
	/* SOURCE: samples, tasks, cgroups, symbols, cpus */                                        \
	X(said_perf, "perf", "")                                                                    \
	X(said_bpf, "bpf", "")                                                                      \
	X(said_cpu_clock, "cpu-clock", "")                                                          \
	X(said_cycles, "cycles", "")                                                                \
	X(said_sampler_inside, "%s %s, inside the network only", "..")                              \
	X(said_no_samples, "-F 0", "")                                                              \
	X(said_cpu_gone,                                                                            \
	  "no samples for %.3f s of %u CPU that went offline, until a tick found it back", "..")    \
	X(said_cpus_gone,                                                                           \
	  "no samples for %.3f s of %u CPUs that went offline, until a tick found them back",       \
	  "..")                                                                                     \
	X(said_slow_reader, "%llu lost as the reader of the trace did not keep up", ".")            \
	X(said_bpf_hidden, "what hits another BPF program is neither taken nor counted", "")        \
	X(said_tasks_via, "perf, /proc", "")                                                        \
	X(said_pid_namespace,                                                                       \
	  "recorded inside a pid namespace: tasks outside of it have the id 0, as the idle tasks "  \
	  "have",                                                                                   \
	  "")                                                                                       \
	X(said_cgroups_absent,                                                                      \
	  "the kernel does not tell: before Linux 5.7, or without CONFIG_CGROUP_PERF", "")          \
	X(said_cgroup_handles, "perf, handles of %s", ".")                                          \
	X(said_cgroup_handles_bpf, "BPF, handles of %s", ".")                                       \
	X(said_cgroups_gone, "none of those that are gone within a tick: %s", ".")                  \
	X(said_cgroups_unmounted, "only new ones have paths: no cgroup file system is mounted",     \
	  "")                                                                                       \
	X(said_cgroup_namespace,                                                                    \
	  "recorded inside a cgroup namespace: cgroups outside of it have no path, and / is its "   \
	  "root",                                                                                   \
	  "")                                                                                       \
	X(said_cgroups_new, "only new ones have paths: %s: %s", "..")                               \
	X(said_needs_search, "needs CAP_DAC_READ_SEARCH", "")                                       \
	X(said_cgroup, "/sys/fs/cgroup", "")                                                        \
	X(said_cgroup_unified, "/sys/fs/cgroup/unified", "")                                        \
	X(said_cgroup_perf, "/sys/fs/cgroup/perf_event", "")                                        \
	X(said_kallsyms, "/proc/kallsyms", "")                                                      \
	X(said_snprintf, "bpf_snprintf", "")                                                        \
	X(said_hidden, "addresses are hidden: kernel.kptr_restrict, or no CAP_SYSLOG", "")          \
	X(said_online_cpus, "/sys/devices/system/cpu/online", "")                                   \
	X(said_cpus_late, "CPU %s came online while recording: in no figure", "k")                  \
	/* SOURCE: marks, programs, counters */                                                     \
	X(said_sigusr1, "SIGUSR1", "")                                                              \
	X(said_marks_via, "--mark, SIGUSR1", "")                                                    \
	X(said_marks_deaf, "cannot listen for --mark: %s; SIGUSR1 marks all the same", ".")         \
	X(said_marks_refused, "%llu refused: %s", "..")                                             \
	X(said_too_many, "too many at a time", "")                                                  \
	X(said_stranger, "another user's", "")                                                      \
	X(said_no_request, "not a request", "")                                                     \
	X(said_stats_always, "kernel.bpf_stats_enabled", "")                                        \
	X(said_stats_via, "BPF statistics, a twentieth of the time", "")                            \
	X(said_stats_old, "BPF statistics: Linux 5.8 has them, or a newer one", "")                 \
	X(said_stats_refused, "BPF statistics: %s; they need CAP_SYS_ADMIN", ".")                   \
	X(said_others_refused, "other BPF programs: %s; that needs CAP_SYS_ADMIN", ".")             \
	X(said_kprobes_unknown, "how often kprobes were missed is known from Linux 6.7 on", "")     \
	X(said_procstat, "/proc/stat", "")                                                          \
	X(said_softnet, "/proc/net/softnet_stat", "")                                               \
	X(said_netdev, "/proc/*/net/dev", "")                                                       \
	X(said_protocol, "/proc/net/snmp, netstat, snmp6; of the recorder's network namespace",     \
	  "")                                                                                       \
	X(said_softirqs, "/proc/softirqs", "")                                                      \
	X(said_drops, "skb:kfree_skb", "")                                                          \
	X(said_latency_via, "tracepoints of packets", "")                                           \
	X(said_latency_via_functions, "tracepoints and functions of packets", "")                   \
	X(said_latency_refused,                                                                     \
	  "there is no tracepoint for it, and programs of functions are refused: %s", ".")          \
	X(said_latency_no_function,                                                                 \
	  "there is no tracepoint for it, and no function %s() that will do", "k")                  \
	X(said_latency_no_ipv6, "not IPv6: there is no function %s() in the kernel itself", "k")    \
	X(said_latency_only_unknown, "--latency-only=%s: that is not known of the packets there",   \
	  "k")                                                                                      \
	X(said_latency_unlimited, "the budget does not limit it: its programs run all the time",    \
	  "")                                                                                       \
	X(said_latency_locked, "without the wait for the socket's lock", "")                        \
	X(said_latency_established, "only of connections that are established", "")                 \
	X(said_latency_udp_read, "in order: of several readers of a socket, not all", "")           \
	X(said_stages_udp, "of UDP in order: of several readers of a socket, not all", "")          \
	X(said_stages_cloned,                                                                       \
	  "clones and segments that are first seen at a UDP socket begin there", "")                \
	X(said_stages_tcx, "not BPF programs that tcx runs (Linux 6.6 and later)", "")              \
	X(said_stages_no_module,                                                                    \
	  "the module %s was not loaded, or has no BTF, when the recording began", "k")             \
	X(said_drops_old, "the kernel's tracepoint kfree_skb gives no reasons (Linux 5.17)", "")    \
	X(said_powercap, "/sys/class/powercap", "")                                                 \
	X(said_zones_refused, "some zones cannot be read: %s", ".")                                 \
	X(said_rapl_refused, "RAPL energy_uj: %s; run as root", ".")                                \
	X(said_rapl_none, "no RAPL zones: %s has none", ".")                                        \
	X(said_rapl_absent,                                                                         \
	  "no RAPL zones: %s does not exist (a virtual machine, or no powercap driver)", ".")       \
	/* SOURCE: pmu, page-cache */                                                               \
	X(said_pmu, "perf_event_open", "")                                                          \
	X(said_no_pmu, "no PMU: %s", ".")                                                           \
	X(said_pmu_refused, "hardware counters: %s; needs CAP_PERFMON", ".")                        \
	X(said_pmu_left_out, "left out by NETCOST_PMU", "")                                         \
	X(said_pmu_some, "not all of them: %s", ".")                                                \
	X(said_ref_cycles, "ref-cycles", "")                                                        \
	X(said_instructions, "instructions", "")                                                    \
	X(said_cache_misses, "cache-misses", "")                                                    \
	X(said_task_clock, "task-clock", "")                                                        \
	X(said_page_faults, "page-faults", "")                                                      \
	X(said_context_switches, "context-switches", "")                                            \
	X(said_page_cache, "folio_mark_accessed", "")                                               \
	X(said_page_by, "by %s: %s", "kk")                                                          \
	/* SOURCE: energy by perf */                                                                \
	X(said_power, "perf power", "")                                                             \
	X(said_power_too, "/sys/class/powercap, perf power_core", "")                               \
	/* SOURCE: exact, self-test, witness; PROBE: better methods */                              \
	X(said_exact_off, "--exact=off", "")                                                        \
	X(said_calls_why,                                                                           \
	  "times of socket operations are by samples: --exact=entry measures them, but may slow "   \
	  "down every system call",                                                                 \
	  "")                                                                                       \
	X(said_only_calls, "only calls are counted (--exact=entry times them)", "")                 \
	X(said_own_calls, "calls of the recorder's own", "")                                        \
	X(said_witnesses, "sock_send_length, sock_recv_length", "")                                 \
	X(said_no_witness, "the kernel has no tracepoint %s (Linux 6.3)", "k")                      \
	X(said_witness_counts, "it counts the calls", "")                                           \
	X(said_no_test_run, "BPF_PROG_TEST_RUN refused: %s", ".")                                   \
	X(said_no_network_sockets, "no network sockets for it: %s", ".")                            \
	X(said_no_local_sockets, "no local sockets for it: %s", ".")                                \
	X(said_fentry, "fentry", "")                                                                \
	X(said_kprobe, "kprobe", "")                                                                \
	X(said_tracepoint, "tracepoint", "")                                                        \
	X(said_samples, "samples", "")                                                              \
	X(said_left_out, "left out by NETCOST_RUNG", "")                                            \
	X(said_no_windows, "with a budget: its programs cannot be detached for a while", "")        \
	X(said_no_tracepoint, "the kernel has no tracepoint %s", "k")                               \
	X(said_owners_sockets, "tracepoints of sockets", "")                                        \
	X(said_owners_functions, "functions of sockets", "")                                        \
	X(said_owners_woken, "who is woken", "")                                                    \
	X(said_owners_weak,                                                                         \
	  "packets for a process that does not wait are nobody's (Linux 6.3 has more tracepoints)", \
	  "")                                                                                       \
	X(said_no_interrupts, "no interface here has interrupts", "")                               \
	X(said_no_functions, "the kernel has none of the functions", "")                            \
	X(said_preemptible, "the kernel is built with preemption: its programs would miss calls",   \
	  "")                                                                                       \
	X(said_preempt_model, "the kernel runs with preempt=%s: its programs would miss calls",     \
	  "k")                                                                                      \
	X(said_preempt_unknown,                                                                     \
	  "debugfs does not say whether the kernel runs with preempt=full: its programs would "     \
	  "miss calls",                                                                             \
	  "")                                                                                       \
	X(said_refused_loading, "refused when loading: %s", ".")                                    \
	X(said_refused_attaching_as, "refused when attaching: %s", ".")                             \
	X(said_refused_attaching, "refused when attaching", "")                                     \
	X(said_no_kprobes, "not built into this kernel (CONFIG_KPROBES)", "")                       \
	X(said_refused, "refused: %s", ".")                                                         \
	X(said_not_allowed,                                                                         \
	  "not allowed to load BPF programs; run as root, or give CAP_BPF and CAP_PERFMON", "")     \
	X(said_no_bpf, "this kernel has no bpf(2)", "")                                             \
	X(said_no_loading, "cannot load BPF programs: %s", ".")                                     \
	X(said_no_btf,                                                                              \
	  "the kernel has no BTF: /sys/kernel/btf/vmlinux is not to be read "                       \
	  "(CONFIG_DEBUG_INFO_BTF)",                                                                \
	  "")                                                                                       \
	X(said_not_loaded, "cannot load the BPF programs: %s", ".")                                 \
	X(said_not_attached, "cannot attach %s: %s", "k.")                                          \
	X(said_no_tracefs, "kretprobes for many calls need tracefs: %s", ".")                       \
	X(said_libbpf, "libbpf cannot be told how to load the BPF programs: %s", ".")               \
	X(said_self_test, "the self-test saw %u of %u kinds of calls", "..")                        \
	/* CERTIFICATE */                                                                           \
	X(said_certify_nothing, "nothing is counted exactly: %s", ".")                              \
	X(said_certify_not_all,                                                                     \
	  "not all is counted: sends, receives or the RX softirq have no probes", "")               \
	X(said_certify_netns, "no network namespace of its own: %s", ".")                           \
	X(said_certify_programs, "no program that spins: XDP: %s; TC: %s", "..")                    \
	X(said_certify_traffic, "its own packets do not arrive: %s", ".")                           \
	X(said_certify_elsewhere, "its own packets are received on other CPUs", "")                 \
	X(said_certify_past, "%llu of %llu packets came past the program that spins", "..")         \
	X(said_certify_busy, "too much else runs: it left %u of %u batches of packets alone",       \
	  "..")                                                                                     \
	X(said_certify_vague, "too much else runs: what was found is good to %.3f ms only", ".")    \
	X(said_certify_time, "RX softirq has %.3f ms of %.3f ms", "..")                             \
	X(said_certify_packets, "sends and receives of %llu of %llu packets were counted", "..")    \
	X(said_certify_bytes, "%llu of %llu bytes were counted", "..")                              \
	X(said_certify_kinds,                                                                       \
	  "%u of %u kinds of calls are not counted, and at first only %u were not", "...")          \
	X(said_certify_blind, "none of %u kinds of calls is counted", ".")                          \
	X(said_certify_witness, "the witness saw %llu of %llu messages", "..")                      \
	X(said_certify_switches, "task switches are not counted", "")                               \
	/* PROBE_COST */                                                                            \
	X(said_no_own_calls, "no own calls made it run", "")                                        \
	X(said_own_calls_lost, "own calls were not answered", "")                                   \
	X(said_no_own_samples, "own samples: %s", ".")                                              \
	X(said_few_samples, "%u own calls were sampled: too few", ".")                              \
	X(said_sample_program, "not measured of a sampler that is a program", "")                   \
	/* SOURCE: context; CONTEXT */                                                              \
	X(said_context_via, "/proc/sys, /sys, /proc/irq, ethtool, netlink, BPF", "")                \
	X(said_settings_left, "%llu settings left out: there are too many", ".")                    \
	X(said_gone, "gone", "")                                                                    \
	X(said_other_sysfs, "/sys shows another network namespace", "")                             \
	X(said_not_loaded_for_it,                                                                   \
	  "to ask would load nf_tables, if it is a module that is not loaded", "")                  \
	X(said_too_many_programs, "there are too many: some are left out", "")                      \
	/* words in CONTEXT: they are not private */                                                \
	X(said_settings_subjects,                                                                   \
	  "net.core net.ipv4 net.ipv6 net.netfilter net.bridge kernel cpu "                         \
	  "vulnerability interface irq rx tx nftables iptables ip6tables "                          \
	  "bpf",                                                                                    \
	  "")                                                                                       \
	X(said_attached,                                                                            \
	  "xdp tc tcx netkit ingress egress primary peer cgroup netns raw_tp lsm tracing "          \
	  "netfilter elsewhere inet_ingress inet_egress inet_sock_create inet_sock_release "        \
	  "sock_ops bind4 bind6 connect4 connect6 post_bind4 post_bind6 sendmsg4 sendmsg6 "         \
	  "recvmsg4 recvmsg6 getpeername4 getpeername6 getsockname4 getsockname6 getsockopt "       \
	  "setsockopt device sysctl flow_dissector sk_lookup",                                      \
	  "")                                                                                       \
	X(said_settings_values,                                                                     \
	  "on off none all under over driver generic hardware prog unknown "                        \
	  "nameless program filters performance powersave schedutil ondemand "                      \
	  "conservative userspace forceoff notsupported notimplemented "                            \
	  "intel_pstate intel_cpufreq acpi-cpufreq amd-pstate amd-pstate-epp "                      \
	  "cppc_cpufreq intel_idle acpi_idle haltpoll psci_idle menu teo ladder "                   \
	  "tsc kvm-clock hpet acpi_pm hyperv_clocksource_tsc_page "                                 \
	  "arch_sys_counter xen PREEMPT PREEMPT_DYNAMIC PREEMPT_RT voluntary full "                 \
	  "lazy yes QEMU KVM Xen VMware VMware, Inc. Microsoft Corporation innotek "                \
	  "GmbH Amazon EC2 Google Bochs Parallels Nutanix Alibaba Cloud",                           \
	  "")                                                                                       \
	X(said_settings_kinds,                                                                      \
	  "noqueue noop mq mqprio pfifo pfifo_fast bfifo fq fq_codel fq_pie codel "                 \
	  "cake htb hfsc tbf prio sfq red etf taprio multiq ets drr netem clsact "                  \
	  "ingress cubic bbr reno dctcp vegas htcp bic westwood veth bridge bond "                  \
	  "vlan vxlan macvlan ipvlan macvtap ipvtap tun tap dummy ifb geneve gre "                  \
	  "gretap ip6gre ip6gretap sit ipip ip6tnl wireguard team vrf vcan netkit "                 \
	  "erspan lowpan batadv openvswitch virtio_net virtio-net vmxnet3 e1000 "                   \
	  "e1000e igb igbvf igc ixgbe ixgbevf i40e iavf ice mlx4_en mlx5_core "                     \
	  "bnxt_en bnx2x tg3 ena gve hv_netvsc nfp sfc qede cxgb4 r8169 atlantic "                  \
	  "stmmac virtio",                                                                          \
	  "")                                                                                       \
	X(said_settings_mitigations,                                                                \
	  "Not affected Vulnerable Mitigation Unknown Processor Retpoline "                         \
	  "Retpolines LFENCE Enhanced Automatic IBRS IBRS_FW IBPB conditional "                     \
	  "always-on STIBP forced RSB filling PBRSB-eIBRS SW sequence Loop BHI "                    \
	  "BHI_DIS_S BHB software loop usercopy/swapgs barriers and __user "                        \
	  "pointer sanitization Speculative Store Bypass disabled via prctl "                       \
	  "seccomp PTI Clear CPU buffers attempted no microcode Microcode SMT "                     \
	  "Host state mitigated vulnerable untrained return thunk Safe RET "                        \
	  "enabled Aligned branch/return thunks TSX Disabled PTE Inversion VMX "                    \
	  "cache flushes EPT KVM Split huge pages before exit to userspace "                        \
	  "IBPB_NO_RET",                                                                            \
	  "")                                                                                       \
	/* former; and SOURCE's names, which others may use */                                      \
	X(said_former_unread, "this version does not read it", "")                                  \
	X(said_former_stuck, "the counter does not move", "")                                       \
	X(said_former_zones, "some zones are missing: %s; run as root", ".")                        \
	X(said_former_not_attached, "cannot attach to %s: %s", "k.")                                \
	X(said_former_libbpf, "cannot load BPF programs by libbpf: %s", ".")                        \
	X(said_former_functions, "there is no tracepoint for it, and functions are not used", "")   \
	X(said_former_sources,                                                                      \
	  "symbols exact witness self-test cpus procstat softnet netdev energy", "")                \
	/* what joins others */                                                                     \
	X(said_and_then, "%s; %s", "..")                                                            \
	X(said_of, "%s: %s", "..")                                                                  \
	X(said_two_of, "%s: %s; %s: %s", "....")                                                    \
	X(said_list, "%s, %s", "..")                                                                \
	X(said_sampler, "%s %s", "..")

/* As arrays, not pointers: the compiler holds arguments against the format of each. */
#define X(name, format, arguments) static const char name[] __attribute__((unused)) = format;
NETCOST_MESSAGES(X)
#undef X

#endif
