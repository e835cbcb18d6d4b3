#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A second reader of .nct traces, written from SPEC.md alone.

    reader.py [--samples | --recover] [FILE]        FILE is stdin if it is missing or "-"

Prints every record of every sound frame as JSON, one per line; the parts of the file follow one after the
other. Why it stopped is reported on stderr as "reader.py: CLASS: why". Exit status: 0 complete (ok),
3 incomplete (cut), 1 anything else (damaged, empty, no-trace, version), 2 wrong usage. It is a
reader of records (SPEC.md, section 8): it checks sections 1 to 3, not what the records mean. The tables of types,
keys, reasons and limits are those of SPEC.md. Reasons are printed as sentences. With --samples it prints the samples (section 9.3) instead, one per line:
time, CPU, thread id, name, functions from the outermost to the innermost. With --recover it goes on after a damaged
frame (section 6), and reports on stderr where the damage is.
"""
import ctypes
import io
import json
import os
import re
import struct
import sys

HEADER, FRAME, END = 1, 2, 127
MAGIC, MAJOR = b"\x5c\x2a\x4d\x18\x08\0\0\0netcost", 1  # the byte after it is the major version
COMPRESSED_MAX, BLOCK_MAX = 8421376, 131072  # section 1.1
WINDOW_MAX = 17 << 3  # Window_Descriptor of 128 MiB
SCHEMA_TYPES, SCHEMA_KEYS, SCHEMA_ROWS = 128, 64, 1024  # section 2.2
SCHEMA_NAME, NUMBER_NAME = re.compile("[a-z0-9_]{1,63}"), re.compile("[a-z0-9_-]{1,63}")
KINDS = {"UINT", "INT", "STR", "UINTS", "INTS", "STRS"}
DATA_MAGIC = b"\x28\xb5\x2f\xfd"
UINT_MAX, INT_MAX = 2 ** 63 - 1, 2 ** 62


class Stop(Exception):
    """The reason for the end of reading. kind: cut, damaged, empty, no-trace, version."""

    def __init__(self, kind, why):
        super().__init__(why)
        self.kind = kind


class Bad(Exception):
    """A frame breaks a rule."""


# --- tables: made by spec_tables.py
TYPES = {  # number: name, {key: (name, kind)}
    1: ("header", {1: ("major", "UINT"), 2: ("minor", "UINT"), 3: ("requires", "STRS"), 4: ("tool", "STR"),
        5: ("kernel", "STR"), 6: ("machine", "STR"), 7: ("cpus_possible", "UINT"), 8: ("cpus", "UINTS"),
        9: ("cpu_model", "STR"), 10: ("sample_hz", "UINT"), 11: ("sampler", "STR"), 12: ("sample_event", "STR"),
        13: ("tick_ms", "UINT"), 14: ("exact", "STR"), 15: ("user_hz", "UINT"), 16: ("host", "STR"),
        17: ("command", "STRS"), 18: ("start_ns", "UINT"), 19: ("derived", "STRS"), 20: ("sample_period", "UINT"),
        21: ("sampled", "STR"), 22: ("cpus_online", "UINT"), 23: ("budget_ppm", "UINT")}),
    2: ("frame", {1: ("seq", "UINT"), 2: ("first_ns", "UINT"), 3: ("last_ns", "UINT"), 4: ("lost", "UINTS")}),
    3: ("clock", {1: ("mono_ns", "UINT"), 2: ("real_ns", "UINT"), 3: ("boot_ns", "UINT"), 4: ("error_ns", "UINT")}),
    4: ("source", {1: ("name", "STR"), 2: ("state", "STR"), 3: ("via", "STR"), 4: ("why", "STR")}),
    5: ("probe", {1: ("of", "UINT"), 2: ("number", "UINT"), 3: ("method", "STR"), 4: ("hooks", "STRS"),
        5: ("reason", "STR"), 6: ("refused", "STRS"), 7: ("tested", "UINT"), 8: ("seen", "UINT"),
        9: ("unseen", "STRS")}),
    6: ("module", {1: ("id", "UINT"), 2: ("name", "STR"), 3: ("build_id", "STR"), 4: ("file", "STR")}),
    7: ("symbols", {1: ("first", "UINT"), 2: ("name", "STRS"), 3: ("module", "UINTS"), 4: ("offset", "INTS")}),
    8: ("stacks", {1: ("first", "UINT"), 2: ("up", "UINTS"), 3: ("symbol", "UINTS")}),
    9: ("tasks", {1: ("first", "UINT"), 2: ("tid", "UINTS"), 3: ("tgid", "UINTS"), 4: ("comm", "STRS")}),
    10: ("samples", {1: ("cpu", "UINT"), 2: ("base_ns", "UINT"), 3: ("unit_ns", "UINT"), 4: ("step", "UINT"),
        5: ("dt", "INTS"), 6: ("stack", "UINTS"), 7: ("task", "UINTS"), 8: ("cgroup", "UINTS")}),
    11: ("tick", {1: ("at_ns", "UINT"), 2: ("cpu", "UINTS"), 3: ("exact_ns", "UINTS"),
        4: ("unfollowed_ns", "UINT")}),
    12: ("exact", {1: ("event", "UINT"), 2: ("ns", "UINTS"), 3: ("calls", "UINTS"), 4: ("failed", "UINTS"),
        5: ("bytes", "UINTS"), 6: ("packets", "UINTS")}),
    13: ("exact_loss", {1: ("untracked", "UINTS"), 2: ("sends_outside", "UINTS"), 3: ("recvs_outside", "UINTS"),
        4: ("sends_inside", "UINTS"), 5: ("recvs_inside", "UINTS"), 6: ("torn", "UINT"),
        7: ("parts_missed", "UINTS"), 8: ("polls_outside", "UINTS"), 9: ("offline_ns", "UINTS"),
        10: ("off_ns", "UINTS")}),
    14: ("sample_loss", {1: ("written", "UINTS"), 2: ("lost", "UINTS"), 3: ("throttled", "UINTS"),
        4: ("unsampled_ns", "UINTS"), 5: ("cut", "UINTS")}),
    15: ("procstat", {1: ("user", "UINTS"), 2: ("nice", "UINTS"), 3: ("system", "UINTS"), 4: ("idle", "UINTS"),
        5: ("iowait", "UINTS"), 6: ("irq", "UINTS"), 7: ("softirq", "UINTS"), 8: ("steal", "UINTS"),
        9: ("guest", "UINTS"), 10: ("guest_nice", "UINTS"), 30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    16: ("softnet", {1: ("processed", "UINTS"), 2: ("dropped", "UINTS"), 3: ("squeezed", "UINTS"),
        30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    17: ("netdev", {1: ("id", "UINT"), 2: ("name", "STR"), 3: ("netns", "UINT"), 4: ("driver", "STR"),
        5: ("class", "STR")}),
    18: ("netdev_stats", {1: ("id", "UINTS"), 2: ("rx_packets", "UINTS"), 3: ("rx_bytes", "UINTS"),
        4: ("rx_errors", "UINTS"), 5: ("rx_dropped", "UINTS"), 6: ("tx_packets", "UINTS"), 7: ("tx_bytes", "UINTS"),
        8: ("tx_errors", "UINTS"), 9: ("tx_dropped", "UINTS"), 30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    19: ("energy_zone", {1: ("id", "UINT"), 2: ("name", "STR"), 3: ("parent", "UINT"), 4: ("unit_nj", "UINT"),
        5: ("wrap", "UINT"), 6: ("state", "STR"), 7: ("why", "STR"), 8: ("cpus", "UINTS")}),
    20: ("energy", {1: ("read_ns", "UINTS"), 2: ("raw", "UINTS"), 3: ("error", "UINTS"), 30: ("began_ns", "UINT"),
        31: ("ended_ns", "UINT")}),
    21: ("self", {1: ("user_us", "UINT"), 2: ("system_us", "UINT"), 3: ("maxrss_kib", "UINT"),
        4: ("written", "UINT"), 30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    22: ("mark", {1: ("at_ns", "UINT"), 2: ("text", "STR")}),
    23: ("program", {1: ("id", "UINT"), 2: ("name", "STR"), 3: ("function", "STR"), 4: ("entry_ps", "UINT"),
        5: ("counted_ps", "UINT"), 6: ("statistics_ps", "UINT")}),
    24: ("program_stats", {1: ("runs", "UINTS"), 2: ("run_ns", "UINTS"), 3: ("recursion", "UINTS"),
        4: ("missed", "UINTS"), 5: ("counted_ns", "UINT")}),
    26: ("exact_part", {1: ("part", "UINT"), 2: ("ns", "UINTS"), 3: ("total_ns", "UINTS"), 4: ("calls", "UINTS")}),
    27: ("cgroups", {1: ("first", "UINT"), 2: ("path", "STRS"), 3: ("pod", "STRS"), 4: ("namespace", "STRS"),
        5: ("container", "STRS"), 6: ("image", "STRS"), 7: ("workload", "STRS")}),
    29: ("outside", {1: ("process", "UINTS"), 2: ("name", "STRS"), 3: ("family", "UINTS"), 4: ("sends", "UINTS"),
        5: ("recvs", "UINTS")}),
    30: ("context", {1: ("at_ns", "UINT"), 2: ("subject", "STRS"), 3: ("name", "STRS"), 4: ("value", "STRS"),
        5: ("why", "STRS")}),
    31: ("counter_names", {1: ("first", "UINT"), 2: ("name", "STRS")}),
    32: ("counters", {1: ("value", "UINTS"), 30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    33: ("softirqs", {1: ("hi", "UINTS"), 2: ("timer", "UINTS"), 3: ("net_tx", "UINTS"), 4: ("net_rx", "UINTS"),
        5: ("block", "UINTS"), 6: ("irq_poll", "UINTS"), 7: ("tasklet", "UINTS"), 8: ("sched", "UINTS"),
        9: ("hrtimer", "UINTS"), 10: ("rcu", "UINTS"), 30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    34: ("drop_reasons", {1: ("first", "UINT"), 2: ("name", "STRS"), 3: ("cpu", "UINTS")}),
    35: ("drops", {1: ("packets", "UINTS"), 30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    36: ("irq_stats", {1: ("netdev", "UINT"), 2: ("interrupts", "UINTS"), 3: ("runs", "UINTS"), 4: ("ns", "UINTS"),
        30: ("began_ns", "UINT"), 31: ("ended_ns", "UINT")}),
    37: ("schema", {1: ("record", "UINTS"), 2: ("key", "UINTS"), 3: ("name", "STRS"), 4: ("kind", "STRS"),
        5: ("unit", "STRS"), 6: ("meaning", "STRS")}),
    38: ("other_programs", {1: ("first", "UINT"), 2: ("name", "STRS"), 3: ("kind", "STRS"),
        4: ("attached", "STRS")}),
    39: ("other_stats", {1: ("runs", "UINTS"), 2: ("run_ns", "UINTS"), 3: ("unseen_ns", "UINTS"),
        4: ("counted_ns", "UINT"), 5: ("left_out", "UINT")}),
    41: ("probe_cost", {1: ("probe", "UINT"), 2: ("ps", "UINT"), 3: ("ci95_ps", "UINT"), 4: ("inside_ps", "UINT"),
        5: ("inside_ci95_ps", "UINT"), 6: ("measured", "UINT"), 7: ("why", "STR")}),
    42: ("probe_runs", {1: ("probe", "UINT"), 2: ("idle", "UINTS"), 3: ("task", "UINTS"), 4: ("io_worker", "UINTS"),
        5: ("sock_send", "UINTS"), 6: ("sock_recv", "UINTS"), 7: ("sock_local", "UINTS"),
        8: ("rx_softirq", "UINTS"), 9: ("tx_softirq", "UINTS"), 10: ("rx_thread", "UINTS"),
        11: ("rx_busy_poll", "UINTS"), 12: ("hardirq_net", "UINTS")}),
    43: ("certificate", {1: ("at_ns", "UINT"), 2: ("when", "STR"), 3: ("state", "STR"), 4: ("why", "STR"),
        5: ("cpu", "UINT"), 6: ("injected_ns", "UINT"), 7: ("found_ns", "INT"), 8: ("error_ns", "UINT"),
        9: ("packets", "UINT"), 10: ("packets_counted", "UINT"), 11: ("bytes", "UINT"),
        12: ("bytes_counted", "UINT"), 13: ("tested", "UINT"), 14: ("seen", "UINT"), 15: ("took_ns", "UINT"),
        16: ("cpu_ns", "UINT")}),
    46: ("processes", {1: ("first", "UINT"), 2: ("pid", "UINTS"), 3: ("name", "STRS"), 4: ("start_ns", "UINTS"),
        5: ("cgroup", "UINTS"), 6: ("kernel", "UINTS"), 7: ("user", "UINTS")}),
    47: ("process_stats", {1: ("process", "UINTS"), 2: ("switches", "UINTS"), 3: ("task_ns", "UINTS"),
        4: ("io_worker_ns", "UINTS"), 5: ("sock_send_ns", "UINTS"), 6: ("sock_recv_ns", "UINTS"),
        7: ("sock_local_ns", "UINTS"), 8: ("rx_softirq_ns", "UINTS"), 9: ("tx_softirq_ns", "UINTS"),
        10: ("rx_thread_ns", "UINTS"), 11: ("rx_busy_poll_ns", "UINTS"), 12: ("hardirq_net_ns", "UINTS"),
        13: ("send_calls", "UINTS"), 14: ("recv_calls", "UINTS"), 15: ("local_calls", "UINTS"),
        16: ("send_failed", "UINTS"), 17: ("recv_failed", "UINTS"), 18: ("local_failed", "UINTS"),
        19: ("send_bytes", "UINTS"), 20: ("recv_bytes", "UINTS"), 21: ("local_bytes", "UINTS"),
        22: ("rx_softirqs", "UINTS"), 23: ("tx_softirqs", "UINTS"), 24: ("hardirqs_net", "UINTS"),
        25: ("unseen", "UINTS"), 26: ("page_hits", "UINTS"), 27: ("cycles", "UINTS"), 28: ("ref_cycles", "UINTS"),
        29: ("instructions", "UINTS"), 30: ("cache_misses", "UINTS"), 31: ("pmu_ns", "UINTS"),
        32: ("cycles_ns", "UINTS"), 33: ("ref_cycles_ns", "UINTS"), 34: ("instructions_ns", "UINTS"),
        35: ("cache_misses_ns", "UINTS")}),
    48: ("owner_stats", {1: ("process", "UINTS"), 2: ("ns", "UINTS"), 3: ("packets", "UINTS"),
        4: ("squares", "UINTS")}),
    49: ("rx_fates", {1: ("fate", "UINTS"), 2: ("cpu", "UINTS"), 3: ("ns", "INTS"), 4: ("packets", "UINTS"),
        5: ("squares", "UINTS"), 6: ("reason", "STRS"), 7: ("netdev", "STRS"), 8: ("every", "UINT")}),
    55: ("latency", {1: ("hook", "UINT"), 2: ("cpu", "UINT"), 3: ("ns", "UINT"), 4: ("min_ns", "UINT"),
        5: ("max_ns", "UINT"), 6: ("bucket", "UINTS"), 7: ("packets", "UINTS"), 8: ("unknown", "UINT"),
        9: ("other", "UINT"), 10: ("old", "UINT"), 11: ("merged", "UINT"), 12: ("filtered", "UINT"),
        13: ("later", "UINT")}),
    56: ("latency_by", {1: ("hook", "UINT"), 2: ("by", "UINT"), 3: ("which", "UINT"), 4: ("ns", "UINT"),
        5: ("bucket", "UINTS"), 6: ("packets", "UINTS"), 7: ("netdev", "STR"), 8: ("netns", "UINT"),
        9: ("ifindex", "UINT"), 10: ("cgroup", "STR"), 11: ("cgroup_id", "UINT"), 12: ("process", "STR"),
        13: ("pid", "UINT"), 14: ("start_ns", "UINT")}),
    59: ("stages", {1: ("base_ns", "UINT"), 2: ("dt", "UINTS"), 3: ("packet", "INTS"), 4: ("stage", "UINTS"),
        5: ("cpu", "UINTS"), 6: ("device", "UINTS"), 7: ("flow", "UINTS"), 8: ("reason", "UINTS"),
        9: ("netns", "UINTS"), 10: ("ifindex", "UINTS"), 11: ("reasons", "STRS"), 12: ("every", "UINT"),
        13: ("packets", "UINT"), 14: ("full", "UINT"), 15: ("evicted", "UINT"), 16: ("rule", "UINTS"),
        17: ("hooks", "STRS"), 18: ("tables", "STRS"), 19: ("names", "STRS"), 20: ("flows", "UINTS"),
        21: ("protocol", "UINTS"), 22: ("from", "STRS"), 23: ("from_port", "UINTS"), 24: ("to", "STRS"),
        25: ("to_port", "UINTS")}),
    62: ("latency_tail", {1: ("hook", "UINT"), 2: ("cpu", "UINT"), 3: ("end_ns", "UINT"), 4: ("ns", "UINT"),
        5: ("what", "UINTS"), 6: ("reader", "UINTS"), 7: ("number", "UINTS"), 8: ("name", "STRS"),
        9: ("took_ns", "UINTS"), 10: ("queued_ns", "UINT"), 11: ("queued_cpu", "UINT"), 12: ("task", "STR"),
        13: ("span_share", "UINTS"), 14: ("span_ns", "UINTS"), 15: ("passed_hook", "UINTS"),
        16: ("passed_ns", "UINTS"), 17: ("before", "UINT")}),
    63: ("latency_only", {1: ("netdev", "STR"), 2: ("netns", "UINT"), 3: ("ifindex", "UINT"), 4: ("cgroup", "STR"),
        5: ("cgroup_id", "UINT"), 6: ("pid", "UINT"), 7: ("queue", "UINT")}),
    64: ("names", {1: ("of", "STR"), 2: ("number", "UINTS"), 3: ("name", "STRS")}),
    66: ("peers", {1: ("class", "STRS"), 2: ("address", "STRS"), 3: ("protocol", "STRS"), 4: ("port", "UINTS"),
        5: ("side", "STRS"), 6: ("sends", "UINTS"), 7: ("recvs", "UINTS"), 8: ("send_bytes", "UINTS"),
        9: ("recv_bytes", "UINTS")}),
    126: ("index", {1: ("offset", "UINTS"), 2: ("first_ns", "UINTS"), 3: ("last_ns", "UINTS"),
        4: ("defines", "UINTS")}),
    127: ("end", {1: ("frames", "UINT"), 2: ("records", "UINT"), 3: ("samples", "UINT"), 4: ("symbols", "UINT"),
        5: ("stacks", "UINT"), 6: ("tasks", "UINT"), 7: ("at_ns", "UINT"), 8: ("why", "STR")}),
}
REASON_KEYS = {1: (19,), 4: (3, 4,), 5: (5, 6,), 19: (7,), 30: (5,), 41: (7,), 43: (4,), 127: (8,)}
REASONS = {  # number: sentence
    1: b"the command ended",
    2: b"the duration was over",
    3: b"SIGINT",
    4: b"SIGTERM",
    5: b"SIGHUP",
    6: b"the next file continues",
    7: b"the next file could not be opened",
    8: b"unknown: the end of the trace is missing",
    9: b"cut; %r",
    10: b"cut %f s to %f s",
    11: b"recover",
    12: b"merge of files of one recording",
    13: b"scrub",
    14: b"scrub; kept: %l",
    15: b"perf",
    16: b"bpf",
    17: b"%w %w, only in network code",
    18: b"-F 0",
    19: b"no samples for %f s: %u CPU went offline, and sampling resumed at a tick after it was back",
    20: b"no samples for %f s: %u CPUs went offline, and sampling resumed at a tick after they were back",
    21: b"%u samples lost because the reader of the trace did not keep up",
    22: b"samples inside another BPF program are neither taken nor counted",
    23: b"perf, /proc",
    24: b"recorded inside a pid namespace: tasks outside of it have the id 0, like the idle tasks",
    25: b"the kernel does not report cgroups: before Linux 5.7, or without CONFIG_CGROUP_PERF",
    26: b"perf; paths are found by file handles of %p",
    27: b"BPF; paths are found by file handles of %p",
    28: b"the paths of cgroups that are removed within a tick are missing: %e",
    29: b"only cgroups created during the recording have paths: no cgroup file system is mounted",
    30: b"recorded inside a cgroup namespace: cgroups outside of it have no path, and / is the namespace's root",
    31: b"only cgroups created during the recording have paths: %p: %r",
    32: b"needs CAP_DAC_READ_SEARCH",
    33: b"bpf_snprintf",
    34: b"addresses are hidden: kernel.kptr_restrict, or no CAP_SYSLOG",
    35: b"CPU %w came online during the recording and is not included",
    36: b"SIGUSR1",
    37: b"--mark, SIGUSR1",
    38: b"cannot listen for --mark: %e; SIGUSR1 still marks",
    39: b"%u marks refused: %r",
    40: b"too many marks per second",
    41: b"from another user",
    42: b"not a valid request",
    43: b"kernel.bpf_stats_enabled",
    44: b"BPF statistics, which are enabled for a twentieth of the time",
    45: b"BPF statistics need Linux 5.8 or later",
    46: b"BPF statistics: %e; they need CAP_SYS_ADMIN",
    47: b"other BPF programs: %e; reading them needs CAP_SYS_ADMIN",
    48: b"the number of missed kprobes is known only since Linux 6.7",
    49: b"/proc/net/snmp, netstat and snmp6 of the recorder's network namespace",
    50: b"skb:kfree_skb",
    51: b"tracepoints of packets",
    52: b"tracepoints and functions of packets",
    53: b"no tracepoint, and function probes are refused: %e",
    54: b"no tracepoint, and the function %w() is missing or unsuitable",
    55: b"IPv6 is not measured: the kernel itself has no function %w()",
    56: b"--latency-only=%w cannot be evaluated for these packets",
    57: b"the budget does not limit these programs, which run all the time",
    58: b"excludes the wait for the socket lock",
    59: b"established connections only",
    60: b"reads are matched to packets in order: if several tasks read from one socket, some are missing",
    61: b"UDP reads are matched to packets in order: if several tasks read from one socket, some are missing",
    62: b"the path of a clone or segment that is first seen at a UDP socket begins there",
    63: b"excludes BPF programs run by tcx (Linux 6.6 and later)",
    64: b"when the recording began, the module %w was not loaded or had no BTF",
    65: b"the kernel's tracepoint kfree_skb reports no drop reasons (before Linux 5.17)",
    66: b"some zones cannot be read: %e",
    67: b"RAPL energy_uj: %e; run as root",
    68: b"no RAPL zones in %p",
    69: b"no RAPL zones: %p does not exist (a virtual machine, or no powercap driver)",
    70: b"perf_event_open",
    71: b"no PMU: %e",
    72: b"hardware counters: %e; they need CAP_PERFMON",
    73: b"disabled by NETCOST_PMU",
    74: b"some hardware counters are missing: %e",
    75: b"folio_mark_accessed",
    76: b"by %w: %w",
    77: b"perf power",
    78: b"/sys/class/powercap, perf power_core",
    79: b"--exact=off",
    80: b"socket operations are timed by samples: --exact=entry times them exactly, but may slow down every system call",
    81: b"calls are counted but not timed (--exact=entry times them)",
    82: b"the recorder's own test calls",
    83: b"sock_send_length, sock_recv_length",
    84: b"the kernel has no tracepoint %w (Linux 6.3)",
    85: b"not needed in this mode",
    86: b"BPF_PROG_TEST_RUN is refused: %e",
    87: b"cannot open network sockets for the test: %e",
    88: b"cannot open local sockets for the test: %e",
    89: b"excluded by NETCOST_RUNG",
    90: b"not used with a budget: the programs cannot be detached temporarily",
    91: b"the kernel has no tracepoint %w",
    92: b"socket tracepoints",
    93: b"socket functions",
    94: b"wakeup targets",
    95: b"packets for a process that does not wait for them are unattributed (Linux 6.3 has better tracepoints)",
    96: b"no interface of this network namespace has interrupts",
    97: b"the kernel has none of the functions that are needed",
    98: b"the kernel is built with preemption: the programs would miss calls",
    99: b"the kernel runs with preempt=%w: the programs would miss calls",
    100: b"cannot find out in debugfs whether the kernel runs with preempt=full, where the programs would miss calls",
    101: b"refused when loading: %e",
    102: b"refused when attaching: %e",
    103: b"refused when attaching",
    104: b"not built into this kernel (CONFIG_KPROBES)",
    105: b"refused: %e",
    106: b"no permission to load BPF programs: run as root, or give CAP_BPF and CAP_PERFMON",
    107: b"this kernel has no bpf(2)",
    108: b"cannot load BPF programs: %e",
    109: b"the kernel has no BTF: cannot read /sys/kernel/btf/vmlinux (CONFIG_DEBUG_INFO_BTF)",
    110: b"cannot load the BPF programs: %e",
    111: b"cannot attach %w: %e",
    112: b"kretprobes need tracefs for many calls in flight: %e",
    113: b"cannot register with libbpf to load the BPF programs: %e",
    114: b"the self-test saw %u of %u kinds of calls",
    115: b"nothing is counted exactly: %r",
    116: b"some events are not counted: sends, receives or the RX softirq have no probes",
    117: b"cannot create a network namespace: %e",
    118: b"cannot attach the spinning program: XDP: %e; TC: %e",
    119: b"the test packets do not arrive: %e",
    120: b"the test packets are received on other CPUs than the test's",
    121: b"%u of %u packets passed the spinning program",
    122: b"the host is too busy: only %u of %u batches of packets were undisturbed",
    123: b"the host is too busy: the result is accurate to %f ms only",
    124: b"the time counted for the RX softirq rose by %f ms, but the test program spun for %f ms",
    125: b"sends and receives of %u of %u packets were counted",
    126: b"%u of %u bytes were counted",
    127: b"%u of %u kinds of calls are not counted; at the start, %u were not counted",
    128: b"none of the %u kinds of calls is counted",
    129: b"the witness saw %u of %u messages",
    130: b"context switches are not counted",
    131: b"the probe did not run in any of the recorder's own calls",
    132: b"the recorder's own calls were not answered",
    133: b"cannot sample the recorder's own calls: %e",
    134: b"only %u of the recorder's own calls were sampled: too few",
    135: b"not measured if a BPF program takes the samples",
    136: b"/proc/sys, /sys, /proc/irq, ethtool, netlink, BPF",
    137: b"%u settings omitted: there are too many",
    138: b"gone",
    139: b"/sys shows another network namespace",
    140: b"not read, because reading could load the module nf_tables",
    141: b"too many BPF programs: some are omitted",
    142: b"%w: %r",
    143: b"%e",
    144: b"%p",
    145: b"%p: %e",
    146: b"%l",
    147: b"%n",
    148: b"%w %w",
    149: b"%w: %e",
    150: b"the program did not run while BPF statistics were on",
    151: b"the cost of calling the programs of this class could not be measured",
}
ONE_OF = {(5, 1): "of", (12, 1): "event", (26, 1): "part", (41, 1): "probe", (42, 1): "probe", (49, 1): "fate",
    (55, 1): "latency", (56, 1): "latency", (56, 2): "by", (56, 3): "which", (59, 4): "stage", (62, 1): "latency",
    (62, 5): "what", (62, 15): "latency"}
ENUMS = {"of": 5, "event": 11, "part": 14, "probe": 14, "latency": 17, "by": 3, "which": 3, "stage": 22, "fate": 10,
    "what": 10}  # numbers below are known
LIMITS = {"FRAME": 8388608, "STR": 4096, "FIELDS": 64, "DEPTH": 8, "STACK": 127, "CPU": 8192, "ID": 67108864}
# --- end of tables


# --- the container: section 1


class Zstd:
    """libzstd's decoder for one complete frame."""

    def __init__(self):
        self.lib = ctypes.CDLL("libzstd.so.1")
        self.lib.ZSTD_decompress.restype = ctypes.c_size_t
        self.lib.ZSTD_decompress.argtypes = [
            ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
        self.lib.ZSTD_isError.argtypes = [ctypes.c_size_t]
        self.lib.ZSTD_getErrorName.argtypes = [ctypes.c_size_t]
        self.lib.ZSTD_getErrorName.restype = ctypes.c_char_p

    def content(self, frame, size):
        out = ctypes.create_string_buffer(size)
        got = self.lib.ZSTD_decompress(out, size, frame, len(frame))
        if self.lib.ZSTD_isError(got):
            raise Bad("zstd: " + self.lib.ZSTD_getErrorName(got).decode())
        if got != size:
            raise Bad("content of another size than its header says")
        return out.raw


class Source:
    """Bytes from a file or a pipe, in order."""

    def __init__(self, stream):
        self.stream, self.offset = stream, 0

    def upto(self, n):
        """n bytes, or fewer at the end; read piecewise, because n may be wrong."""
        pieces = []
        while n:
            piece = self.stream.read(min(n, 1 << 16))
            if not piece:
                break
            pieces.append(piece)
            n -= len(piece)
            self.offset += len(piece)
        return b"".join(pieces)

    def skip(self, n):
        """Returns False if the input ends before that."""
        while n:
            got = len(self.upto(min(n, 1 << 16)))
            if not got:
                return False
            n -= got
        return True

    def exactly(self, n):
        data = self.upto(n)
        if len(data) < n:
            raise EOFError
        return data


def skippable(magic):
    return 0x50 <= magic[0] <= 0x5f and b"\x2a\x4d\x18".startswith(magic[1:])


def read_frame(source):
    """The frame whose magic has just been read, and the size of its content. EOFError: the input
    ends within it."""
    frame = bytearray(DATA_MAGIC)

    def take(n):
        piece = source.exactly(n)
        frame.extend(piece)
        return piece

    descriptor = take(1)[0]
    fcs_flag, single = descriptor >> 6, descriptor >> 5 & 1
    if descriptor & 8:
        raise Bad("reserved bit is set in zstd's frame header")
    if not descriptor & 4:
        raise Bad("no checksum")
    if descriptor & 3:
        raise Bad("needs a dictionary")
    if not fcs_flag and not single:
        raise Bad("no content size")
    rest = take((not single) + (1 << fcs_flag))
    if not single and rest[0] > WINDOW_MAX:  # a frame with one segment needs no window
        raise Bad("a window of more than 128 MiB")
    size = int.from_bytes(rest[not single:], "little") + (256 if fcs_flag == 1 else 0)
    if not 1 <= size <= LIMITS["FRAME"]:
        raise Bad(f"content of {size} bytes")
    last = 0
    while not last:
        block = int.from_bytes(take(3), "little")
        last, kind, length = block & 1, block >> 1 & 3, block >> 3
        if kind == 3:
            raise Bad("block of reserved type")
        if length > BLOCK_MAX:
            raise Bad(f"block of {length} bytes")
        if len(frame) + (1 if kind == 1 else length) + 4 > COMPRESSED_MAX:
            raise Bad("longer than a compressed frame may be")
        take(1 if kind == 1 else length)
    take(4)
    return bytes(frame), size


# --- msgpack: section 2


INTEGERS = {0xcc: ">B", 0xcd: ">H", 0xce: ">I", 0xcf: ">Q", 0xd0: ">b", 0xd1: ">h", 0xd2: ">i", 0xd3: ">q"}
LENGTHS = {1: ">B", 2: ">H", 4: ">I"}
STRS = {0xd9: 1, 0xda: 2, 0xdb: 4}
ARRAYS = {0xdc: 2, 0xdd: 4}
MAPS = {0xde: 2, 0xdf: 4}
BINS = {0xc4: 1, 0xc5: 2, 0xc6: 4}
EXTS = {0xc7: 1, 0xc8: 2, 0xc9: 4}
FIXED = {0xc0: 0, 0xc2: 0, 0xc3: 0, 0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd0: 1, 0xd1: 2,
         0xd2: 4, 0xd3: 8, 0xd4: 2, 0xd5: 3, 0xd6: 5, 0xd7: 9, 0xd8: 17}  # bytes after the first


# Elements of a column that take one byte: small integers, nil, "".
ONE_BYTE = {"UINTS": bytes(range(128)) + b"\xc0", "INTS": bytes(range(128)) + bytes(range(0xe0, 256)), "STRS": b"\xa0"}
ELEMENT = [*range(128), *[None] * 32, "", *[None] * 63, *range(-32, 0)]


class Content:
    """The content of a frame."""

    def __init__(self, data):
        self.data, self.pos = data, 0

    def left(self):
        return len(self.data) - self.pos

    def byte(self):
        if self.pos >= len(self.data):
            raise Bad("an object goes on past the end of its frame")
        self.pos += 1
        return self.data[self.pos - 1]

    def unpack(self, form):
        if self.left() < struct.calcsize(form):
            raise Bad("an object goes on past the end of its frame")
        value, = struct.unpack_from(form, self.data, self.pos)
        self.pos += struct.calcsize(form)
        return value

    def integer(self, what):
        b = self.byte()
        if b < 0x80:
            return b
        if b >= 0xe0:
            return b - 256
        if b not in INTEGERS:
            raise Bad(f"{what} is no integer (0x{b:02x})")
        return self.unpack(INTEGERS[b])

    def length(self, what, first, last, sized, each):
        """The length after a first byte of one kind: first to last contain it, or `sized` has
        the number of its bytes. Every element takes at least `each` bytes."""
        b = self.byte()
        if first <= b <= last:
            n = b - first
        elif b in sized:
            n = self.unpack(LENGTHS[sized[b]])
        else:
            raise Bad(f"{what} is of another kind (0x{b:02x})")
        if n * each > self.left():
            raise Bad(f"{what} goes on past the end of its frame")
        return n

    def array(self, what):
        return self.length(what, 0x90, 0x9f, ARRAYS, 1)

    def map(self, what, each=2):
        """each: minimum bytes of a pair; 0: not checked."""
        return self.length(what, 0x80, 0x8f, MAPS, each)

    def string(self, what, reasons=False):
        """reasons: converted to sentences."""
        n = self.length(what, 0xa0, 0xbf, STRS, 1)
        if n > LIMITS["STR"]:
            raise Bad(f"{what} has {n} bytes")
        self.pos += n
        text = self.data[self.pos - n:self.pos]
        return (sentences(text) if reasons else text).decode("utf-8", "replace")

    def uint(self, what):
        value = self.integer(what)
        if not 0 <= value <= UINT_MAX:
            raise Bad(f"{what} is {value}")
        return value

    def int(self, what):
        value = self.integer(what)
        if not -INT_MAX <= value <= INT_MAX:
            raise Bad(f"{what} is {value}")
        return value

    def nil(self):
        if self.left() and self.data[self.pos] == 0xc0:
            self.pos += 1
            return True
        return False

    def known(self, kind, what, reasons=False):
        if kind == "UINT":
            return self.uint(what)
        if kind == "INT":
            return self.int(what)
        if kind == "STR":
            return self.string(what, reasons)
        n = self.array(what)
        column = self.data[self.pos:self.pos + n]
        if not column.translate(None, ONE_BYTE[kind]):  # every element is one byte: true of most long columns
            self.pos += n
            return [ELEMENT[byte] for byte in column]
        if kind == "UINTS":
            return [None if self.nil() else self.uint(what) for _ in range(n)]
        if kind == "INTS":
            return [self.int(what) for _ in range(n)]
        assert kind == "STRS", kind
        return [self.string(what, reasons) for _ in range(n)]

    def described(self, kind):
        """(True, the value) if it is of that kind; otherwise, or if it is absent, (False, None)."""
        begin = self.pos
        try:
            if kind:
                return True, self.known(kind, "")
        except Bad:
            self.pos = begin
        self.skip()
        return False, None

    def skip(self, depth=0):
        """Any value, with arrays and maps nested up to `depth`."""
        b = self.byte()
        if b < 0x80 or b >= 0xe0:
            return
        if b in FIXED:
            size = FIXED[b]
        elif 0xa0 <= b <= 0xbf:
            size = b & 0x1f
        elif b in STRS or b in BINS:
            size = self.unpack(LENGTHS[STRS.get(b) or BINS[b]])
        elif b in EXTS:
            size = self.unpack(LENGTHS[EXTS[b]]) + 1
        elif b <= 0x9f or b in ARRAYS or b in MAPS:
            self.skip_nested(b, depth)
            return
        else:
            raise Bad(f"0x{b:02x} begins no msgpack value")
        if size > self.left():
            raise Bad("an object goes on past the end of its frame")
        self.pos += size

    def skip_nested(self, b, depth):
        if depth >= LIMITS["DEPTH"]:
            raise Bad("nested too deep")
        if b <= 0x9f:
            n = b & 15
        else:
            n = self.unpack(LENGTHS[ARRAYS.get(b) or MAPS[b]])
        n *= 2 if b <= 0x8f or b in MAPS else 1
        if n > self.left():
            raise Bad("an array or map goes on past the end of its frame")
        for _ in range(n):
            self.skip(depth + 1)


# --- reasons: section 4.6

CODE = re.compile(rb"#([0-9]{1,5})")
FORMS = {b"u": rb"[0-9]+", b"f": rb"[0-9]+(\.[0-9]+)?", b"e": rb"[0-9]{1,4}"}  # all others may be anything


def shown(argument, form=b""):
    if form == b"e":
        # 524 is the kernel's ENOTSUPP, which C libraries do not know
        return b"not supported" if int(argument) == 524 else os.strerror(int(argument)).encode()
    if form == b"l":
        return argument.replace(b",", b", ")
    return re.sub(rb"%([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), argument)


def sentence(number, arguments):
    """The sentence, and the separator before the next one."""
    text = REASONS.get(number, b"")
    forms = re.findall(rb"%([^r])", text)
    if not text or len(forms) != len(arguments) or not all(
            re.fullmatch(FORMS.get(f, rb".*"), a, re.S) for f, a in zip(forms, arguments)):
        rest = b" ".join(map(shown, arguments))
        return b"unknown reason %d" % number + (b" (%s)" % rest if rest else b""), b"; "
    given = map(shown, arguments, forms)
    whole = re.sub(rb"%([^r])", lambda m: next(given), text.removesuffix(b"%r"))
    return whole, b"" if text.endswith(b"%r") else b"; "


def sentences(text):
    pieces = [p for p in text.split(b" ") if p]
    if not pieces or not CODE.fullmatch(pieces[0]):
        return text
    reasons = []
    for piece in pieces:
        if code := CODE.fullmatch(piece):
            reasons.append((int(code[1]), []))
        else:
            reasons[-1][1].append(piece)
    out = between = b""
    for reason in reasons:
        text, after = sentence(*reason)
        out, between = out + between + text, after
    return out[:LIMITS["STR"]]


# --- objects, order, versions: sections 2 and 3


def judge_major(major):
    if major != MAJOR:
        raise Stop("version", f"format version {major}; this reader knows version {MAJOR}")


def judge_header(header, strict):
    """strict: the magic has been checked."""
    if "major" in header and not strict:
        judge_major(header["major"])
    if header.get("major") != MAJOR:
        raise Bad("HEADER's major is not that of the magic")
    if header.get("requires"):
        raise Stop("version", f"requires {header['requires'][0]!r}, which this reader does not know")


def begins_part(data):
    """Whether HEADER is the first object of a frame."""
    content = Content(data)
    try:
        return content.array("object") == 2 and content.integer("type") == HEADER
    except Bad:
        return False


class Reader:
    strict = True  # a part must begin with the magic

    def __init__(self, stream):
        self.source = Source(stream)
        self.magic_end = None
        self.zstd = Zstd()
        self.unknown_types, self.unknown_keys = 0, 0
        self.notes = []
        self.begin_part()

    def begin_part(self):
        self.frames = 0  # data frames
        self.objects = 0
        self.seq = 0
        self.end = None
        self.described = 0
        self.schema = {}  # like TYPES: those that SCHEMA adds to
        self.one_of = {}  # (type, key): the enumeration of its values, from SCHEMA
        self.numbers = {}  # (enumeration, number): name

    def take_schema(self, record):
        """Section 2.2: types and keys that we do not know. A row that breaks a rule is ignored."""
        meanings = record.get("meaning", [])
        columns = [record.get(column, []) for column in ("record", "key", "name", "kind")]
        for kind, key, name, value, meaning in zip(*columns, meanings + [""] * len(columns[0])):
            if not kind or kind >= SCHEMA_TYPES or key is None or key >= SCHEMA_KEYS or self.described >= SCHEMA_ROWS:
                continue
            title, keys = self.schema.get(kind) or TYPES.get(kind, (None, {}))
            if not SCHEMA_NAME.fullmatch(name) or (key in keys if key else title is not None):
                continue
            if key and (value not in KINDS or name == "type" or name in (known for known, _ in keys.values())):
                continue
            self.described += 1
            of = next(filter(SCHEMA_NAME.fullmatch, (word[7:] for word in meaning.split(", ") if word[:7] == "one of ")), None)
            self.one_of[kind, key] = of if value in ("UINT", "UINTS") else None
            self.schema[kind] = (title, {**keys, key: (name, value)}) if key else (name, keys)

    def take_names(self, record):
        """Section 2.2: names of numbers."""
        for number, name in zip(record.get("number", []), record.get("name", [])):
            if (len(self.numbers) < SCHEMA_ROWS and number is not None and NUMBER_NAME.fullmatch(name)
                    and SCHEMA_NAME.fullmatch(record.get("of", ""))):
                self.numbers.setdefault((record["of"], number), name)

    def named(self, kind, key, value):
        """The value with names instead of the numbers that this reader does not know."""
        of = self.one_of.get((kind, key)) or ONE_OF.get((kind, key))
        if not of:
            return value
        known = ENUMS[of] if (kind, key) in ONE_OF else 0

        def name(number):
            return number if number is None or number < known else self.numbers.get((of, number), number)

        return [name(number) for number in value] if isinstance(value, list) else name(value)

    def object(self, content, opening):
        """(type, record as a dict, or None for an unknown type). opening: it is the part's
        first."""
        if content.array("object") != 2:
            raise Bad("object is not an array of two")
        kind = content.integer("type")
        if kind < 0:
            raise Bad(f"type is {kind}")
        name, keys = self.schema.get(kind) or TYPES.get(kind, (None, {}))
        fields = content.map("object's map")
        if fields > LIMITS["FIELDS"]:
            raise Bad(f"object with {fields} keys")
        record, before = {"type": name}, 0
        for _ in range(fields):
            key = content.integer("key")
            if key <= before:
                raise Bad(f"key {key} after {before}")
            before = key
            if key in TYPES.get(kind, (None, {}))[1]:
                value = content.known(keys[key][1], f"{name}.{keys[key][0]}", key in REASON_KEYS.get(kind, ()))
                record[keys[key][0]] = self.named(kind, key, value)
                continue
            described, value = content.described(keys[key][1] if key in keys else None)
            if described:
                record[keys[key][0]] = self.named(kind, key, value)
            else:
                self.unknown_keys += name is not None
        if opening and kind == HEADER:
            judge_header(record, self.strict)
        if name is None:
            self.unknown_types += 1
            return kind, None
        if name == "schema":
            self.take_schema(record)
        elif name == "names":
            self.take_names(record)
        return kind, record

    def records(self, data, at):
        """The records of the frame that begins there, all of them checked."""
        if self.end:
            if not begins_part(data):
                raise Bad("data after END")
            self.begin_part()
        if self.strict and not self.frames and at != self.magic_end:
            raise Bad("a part that does not begin with the magic")
        content, found, first, end = Content(data), [], self.frames == 0, None
        place = 0
        while content.left():
            if end:
                raise Bad("an object after END")
            kind, record = self.object(content, first and place == 0)
            if (kind == HEADER) != (first and place == 0):
                raise Bad("another HEADER" if kind == HEADER else f"begins with type {kind}, not HEADER")
            if kind == FRAME:
                if first or place:
                    raise Bad("FRAME where none may be")
                if "seq" not in record:
                    raise Bad("FRAME has no seq")
                self.judge_seq(record["seq"])
            elif not first and place == 0:
                raise Bad(f"begins with type {kind}, not FRAME")
            if kind == END:
                end = record
            if record is not None:
                found.append(record)
            place += 1
        if end:
            self.check_totals(end, place)
        self.objects += place
        self.end = end
        return found

    def judge_seq(self, seq):
        if seq != self.seq + 1:
            raise Bad(f"seq {seq} after {self.seq}")
        self.seq = seq

    def check_totals(self, end, place):
        for name, real in ("frames", self.frames), ("records", self.objects + place - 1):
            if end.get(name, real) != real:
                self.notes.append(f"END says {end[name]} {name}, there are {real}")

    def take_magic(self, start):
        """The 8 bytes after the first 8 of a possible magic. False: the input ends before that."""
        text = self.source.upto(8)
        if not start and not text.startswith(MAGIC[8:][:len(text)]):
            raise Stop("no-trace", "does not begin with the magic")
        if text[:7] == MAGIC[8:] and len(text) == 8:
            if not start or self.end:
                judge_major(text[7])
            self.magic_end = self.source.offset
        return len(text) == 8

    def __iter__(self):
        while True:
            start = self.source.offset
            magic = self.source.upto(4)
            if not start and not MAGIC.startswith(magic[:15]):
                raise Stop("no-trace", "does not begin with the magic")
            if not magic:
                if self.frames == 0:
                    raise Stop("empty", "nothing was recorded")
                if not self.end:
                    raise Stop("cut", f"ends at {start} without END")
                return
            if skippable(magic):
                size = self.source.upto(4) if len(magic) == 4 else b""
                if magic + size == MAGIC[:8]:
                    whole = self.take_magic(start)
                else:
                    whole = len(size) == 4 and self.source.skip(int.from_bytes(size, "little"))
                if not whole:
                    if self.frames == 0:
                        raise Stop("empty", "nothing was recorded")
                    raise Stop("cut", f"ends within the skippable frame at {start}")
                continue
            if not DATA_MAGIC.startswith(magic):
                raise Stop("damaged" if start else "no-trace", f"no frame begins at {start}")
            try:
                if len(magic) < 4:
                    raise EOFError
                found = self.records(self.zstd.content(*read_frame(self.source)), start)
            except EOFError:
                if self.frames == 0:
                    raise Stop("empty", "nothing was recorded") from None
                raise Stop("cut", f"ends within the frame at {start}") from None
            except Bad as bad:
                raise Stop("damaged" if start else "no-trace", f"frame at {start}: {bad}") from None
            self.frames += 1
            yield from found


# --- damaged files: section 6


class Recovery(Reader):
    """The records of all valid frames. Keeps the whole file in memory."""
    strict = False

    def __init__(self, stream):
        super().__init__(stream)
        self.data = stream.read()

    def judge_seq(self, seq):
        if seq <= self.seq:
            raise Bad(f"seq {seq} after {self.seq}")
        if seq > self.seq + 1:
            self.notes.append(f"{seq - self.seq - 1} frames are missing before the frame of seq {seq}")
        self.seq = seq

    def frame_at(self, at):
        """The records of the frame there, and its end. Bad: it is invalid, and nothing has
        changed."""
        before = {**self.__dict__, "schema": dict(self.schema), "one_of": dict(self.one_of),
                  "numbers": dict(self.numbers), "notes": list(self.notes)}
        source = Source(io.BytesIO(self.data))
        source.stream.seek(at + 4)
        try:
            content = self.zstd.content(*read_frame(source))
            if self.frames and not self.end and begins_part(content):
                self.notes.append("another part begins before END")
                self.begin_part()
            found = self.records(content, at)
        except EOFError:
            self.__dict__.update(before)
            raise Bad("it does not end") from None
        except Bad:
            self.__dict__.update(before)
            raise
        self.frames += 1
        return found, at + 4 + source.offset

    def hint_end(self, at):
        """The end of the skippable frame there; None: there is none, or its length is damaged."""
        head = self.data[at:at + 8]
        if len(head) < 8 or not skippable(head[:4]):
            return None
        end = at + 8 + int.from_bytes(head[4:], "little")
        after = self.data[end:end + 4]
        whole = end == len(self.data) or end < len(self.data) and (
            DATA_MAGIC.startswith(after) or skippable(after))
        return end if whole else None

    def __iter__(self):
        at, searching = 0, False
        if self.data[:15] != MAGIC:
            self.notes.append("damaged at byte 0: no magic")
            searching = True
        while 0 <= at < len(self.data):
            end = None if searching else self.hint_end(at)
            if end:
                at = end
                continue
            try:
                if self.data[at:at + 4] != DATA_MAGIC:
                    raise Bad("no frame begins here")
                found, at = self.frame_at(at)
                searching = False
                yield from found
            except Bad as bad:
                if not searching:
                    self.notes.append(f"damaged at byte {at}: {bad}")
                searching = True
                at = self.data.find(DATA_MAGIC, at + 1)
        if not self.frames:
            raise Stop("empty" if not self.data else "no-trace", "no HEADER")


# --- what records mean: section 4


def sample_times(record):
    """The time of each sample of a SAMPLES."""
    time = record["base_ns"]
    for dt in record["dt"]:
        time += (record["step"] + dt) * record["unit_ns"]
        yield time


def word(text, empty):
    """A name in printable ASCII without the separators blank and semicolon."""
    return "".join("_" if c <= " " or c > "~" or c == ";" else c for c in text) or empty


class Samples:
    """The samples of records that are passed one by one."""

    def __init__(self):
        self.begin_part()

    def begin_part(self):
        self.symbols, self.stacks, self.tasks = ["[unknown]"], [()], [("-", "-")]

    def lines(self, record):
        kind = record["type"]
        if kind == "header":
            self.begin_part()
        elif kind == "symbols":
            self.symbols += [word(name, "[unknown]") for name in record["name"]]
        elif kind == "stacks":
            for up, symbol in zip(record["up"], record["symbol"]):
                self.stacks.append(self.stacks[len(self.stacks) - up] + (self.symbols[symbol],))
        elif kind == "tasks":
            self.tasks += [(tid, word(comm, "-")) for tid, comm in zip(record["tid"], record["comm"])]
        elif kind == "samples":
            for time, stack, task in zip(sample_times(record), record["stack"], record["task"]):
                tid, comm = self.tasks[task]
                yield (f"{time // 10 ** 9}.{time % 10 ** 9:09} [{record['cpu']:03}] {tid:>7} {comm:15} "
                       + (";".join(self.stacks[stack]) or "[user]"))


def main(args):
    samples = Samples() if args[:1] == ["--samples"] else None
    make = Recovery if args[:1] == ["--recover"] else Reader
    args = args[1:] if samples or make is Recovery else args
    if len(args) > 1 or args and args[0].startswith("-") and args[0] != "-":
        print(__doc__, file=sys.stderr)
        return 2
    out = open(1, "w", encoding="utf-8", errors="surrogateescape", newline="\n", closefd=False)
    status = 0
    try:
        stream = open(args[0], "rb") if args and args[0] != "-" else sys.stdin.buffer
    except OSError as error:
        print(f"reader.py: {error}", file=sys.stderr)
        return 2
    reader = make(stream)
    try:
        for record in reader:
            if samples:
                out.writelines(line + "\n" for line in samples.lines(record))
                continue
            out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
    except Stop as stop:
        print(f"reader.py: {stop.kind}: {stop}", file=sys.stderr)
        status = 3 if stop.kind == "cut" else 1
    out.close()
    for note in reader.notes:
        print(f"reader.py: note: {note}", file=sys.stderr)
    if reader.unknown_types or reader.unknown_keys:
        print(f"reader.py: note: {reader.unknown_types} records of unknown types, {reader.unknown_keys} "
              "unknown keys left out", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
