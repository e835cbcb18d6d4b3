// SPDX-License-Identifier: BSD-2-Clause
#include "scrub_words.h"

#include <string.h>

#define ERRNOS 134 /* Linux has names for the errors below */

/* What the recorder and the commands that copy traces write into SOURCE, PROBE and END. */
static const char *const sentences[] = {
	"perf cpu-clock",
	"perf, /proc",
	"/proc/kallsyms",
	"bpf_snprintf",
	"/proc/stat",
	"/proc/net/softnet_stat",
	"/proc/*/net/dev",
	"/sys/class/powercap",
	"bpf",
	"sock_send_length, sock_recv_length",
	"-F 0",
	"--mark, SIGUSR1",
	"cannot listen for --mark; SIGUSR1 marks all the same",
	"refused: too many at a time; another user's; not a request",
	"--exact=off",
	"recorded inside a pid namespace: tasks outside of it have the id 0, as the idle tasks have",
	"addresses are hidden: kernel.kptr_restrict, or no CAP_SYSLOG",
	"some zones are missing: run as root",
	"RAPL energy_uj",
	"no RAPL zones: /sys/class/powercap has none",
	"/sys/class/powercap does not exist (a virtual machine, or no powercap driver)",
	"the counter does not move",
	"this version does not read it",
	"fentry kprobe tracepoint samples off",
	"samples tasks symbols exact witness marks procstat softnet netdev energy",
	"refused when loading",
	"refused when attaching",
	"not built into this kernel (CONFIG_KPROBES)",
	"left out by NETCOST_RUNG",
	"the kernel has none of the functions",
	"the kernel is built with preemption: its programs would miss calls",
	"the kernel runs with preempt=none preempt=voluntary preempt=full preempt=lazy",
	"debugfs does not say whether the kernel runs with preempt=full",
	"kretprobes for many calls need tracefs",
	"cannot attach; BPF_PROG_TEST_RUN refused",
	"the self-test saw 0 of 0 kinds of calls; no TCP UDP unix sockets for it",
	"the kernel has no tracepoint sched_switch softirq_entry softirq_exit sys_enter sys_exit (Linux 6.3)",
	"not allowed to load BPF programs; run as root, or give CAP_BPF and CAP_PERFMON",
	"this kernel has no bpf(2)",
	"cannot load the BPF programs",
	"cannot attach to",
	"the kernel has no BTF: /sys/kernel/btf/vmlinux is not to be read (CONFIG_DEBUG_INFO_BTF)",
	"cannot sample the kernel on all CPUs: perf_event_paranoid is 2; give CAP_PERFMON, or use -F 0",
	"Hz is above kernel.perf_event_max_sample_rate; use -F or raise it",
	"cannot sample CPU: it is not online; choose CPUs with -C",
	"out of memory",
	"BPF statistics, a twentieth of the time; kernel.bpf_stats_enabled",
	"BPF statistics: Linux 5.8 has them, or a newer one; they need CAP_SYS_ADMIN",
	"how often kprobes were missed is known from Linux 6.7 on",
	"the command ended",
	"the time was over",
	"SIGINT SIGTERM SIGHUP SIGUSR1",
	"not known: the end of the trace is lost",
	"cut 0 s to 1 s",
	"recover, merge, scrub; kept: tasks, pids, netdevs, host, command, marks, programs, texts, time",
};

static bool separates(char c)
{
	return c && strchr(" \t\n,;()'\"", c);
}

/* Belongs to a word, but not at its ends. */
static bool stops(char c)
{
	return c == '.' || c == ':';
}

bool scrub_next_word(struct scrub_word *w, const char *end)
{
	const char *p = w->s + w->n;

	w->before = p;
	while (p < end && (separates(*p) || stops(*p)))
		p++;
	w->s = p;
	while (p < end && !separates(*p))
		p++;
	while (p > w->s && stops(p[-1]))
		p--;
	w->n = (size_t)(p - w->s);
	return w->before < end;
}

static int each_word(const char *sentence, int (*fn)(void *ctx, const char *s, size_t n), void *ctx)
{
	struct scrub_word w = { .s = sentence };
	int err = 0;

	while (!err && scrub_next_word(&w, sentence + strlen(sentence)))
		if (w.n)
			err = fn(ctx, w.s, w.n);
	return err;
}

int scrub_each_known_word(int (*fn)(void *ctx, const char *s, size_t n), void *ctx)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(sentences) / sizeof(*sentences); i++)
		err = each_word(sentences[i], fn, ctx);
	for (int e = 1; !err && e < ERRNOS; e++)
		err = each_word(strerror(e), fn, ctx);
	return err;
}
