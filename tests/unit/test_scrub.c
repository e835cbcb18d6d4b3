// SPDX-License-Identifier: BSD-2-Clause
/* Tests what is private in a trace: which keys, and which parts of a name or of a sentence. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>

#include "report/rewrite/rewrite.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- the table --------------------------------------------------------------------------- */

/* Checks that scrub.c can edit each privacy class. (registry.c asserts that every text has a class.) */
static void test_private_kinds(void)
{
	for (unsigned int type = 0; type < 256; type++) {
		size_t n;
		const struct trace_key_desc *k = trace_type_keys(type, &n);

		for (; n--; k++) {
			bool number = k->kind == TRACE_UINT || k->kind == TRACE_UINTS;
			bool text = k->kind == TRACE_STR || k->kind == TRACE_STRS;

			if (k->privacy == TRACE_PRIVATE_TIME)
				CU_ASSERT_EQUAL(k->kind, TRACE_UINT);
			if (k->privacy > TRACE_PUBLIC && k->privacy != TRACE_PRIVATE_TIME)
				CU_ASSERT(text || number);
		}
	}
}

static void test_keep(void)
{
	static const struct {
		const char *list;
		unsigned int keep;
		const char *unknown;
	} rows[] = {
		{ "tasks", 1u << TRACE_PRIVATE_TASKS, NULL },
		{ "time,pids,time", 1u << TRACE_PRIVATE_TIME | 1u << TRACE_PRIVATE_PIDS, NULL },
		{ "", 0, "" },
		{ "tasks,", 0, "" },
		{ "task", 0, "task" },
		{ "pids,Tasks,time", 0, "Tasks" },
		{ "all", 0, "all" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *unknown;
		unsigned int keep;
		size_t len;
		bool ok = scrub_parse_keep(rows[i].list, &keep, &unknown, &len);

		CU_ASSERT_EQUAL(ok, !rows[i].unknown);
		CU_ASSERT(!ok || keep == rows[i].keep);
		CU_ASSERT(ok || (rows[i].unknown && len == strlen(rows[i].unknown) &&
				 !memcmp(unknown, rows[i].unknown, len)));
	}
}

/* ---- strings ----------------------------------------------------------------------------- */

struct row {
	const char *in, *out;
};

static void check_strings(enum trace_privacy class, unsigned int keep, const struct row *row,
			  size_t n)
{
	struct scrub_text t;

	CU_ASSERT_EQUAL_FATAL(scrub_text_init(&t, keep, 0), 0);
	scrub_own_program(&t, "sched_switch");
	scrub_own_program(&t, "sys_enter");
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(row[i].out);
		bool same;

		CU_ASSERT_EQUAL(scrub_string(&t, class, row[i].in, strlen(row[i].in)), 0);
		same = t.out.n == len && !memcmp(t.out.p, row[i].out, len);
		CU_ASSERT(same);
		if (!same)
			printf("  '%s' became '%.*s'\n", row[i].in, (int)t.out.n, t.out.p);
	}
	scrub_text_free(&t);
}

static const struct row task_rows[] = {
	{ "swapper", "swapper" },
	{ "swapper/3", "swapper/3" },
	{ "nginx", "task1" },
	{ "postgres", "task2" },
	{ "nginx", "task1" },
	{ "", "" },
	{ "task1", "task3" },
	{ "ksoftirqd/12", "ksoftirqd/12" },
	{ "ksoftirqd/x", "task4" },
	{ "ksoftirqd/", "task5" },
	{ "kworker/0:1", "kworker/0:1" },
	{ "kworker/0:1H", "kworker/0:1H" },
	{ "kworker/0:1H-kb", "kworker/0:1H" },
	{ "kworker/u8:2-ev", "kworker/u8:2" },
	{ "kworker/R-secre", "kworker/R-" },
	{ "rcu_preempt", "rcu_preempt" },
	{ "rcu_secret", "task6" },
	{ "migration/0", "migration/0" },
	{ "napi/eth0-8193", "napi/netdev1-8193" },
	{ "napi/eth1-8194", "napi/netdev2-8194" },
	{ "napi/eth0-8195", "napi/netdev1-8195" },
	{ "napi/br-81-9", "napi/netdev3-9" },
	{ "napi/br-12345678", "napi/netdev4" }, /* truncated: the end of the name is unknown */
	{ "napi/lo-1", "napi/lo-1" },
	{ "napi/", "napi/" },
	{ "irq/24-eth0-rx-", "irq/24-name1" },
	{ "irq/25-nvme0q1", "irq/25-name2" },
	{ "irq/26-eth0-rx-", "irq/26-name1" },
	{ "iou-wrk-4711", "iou-wrk-1" },
	{ "iou-sqp-815", "iou-sqp-2" },
	{ "vhost-4711", "vhost-1" },
	{ "vhost-47110000000", "task7" },
	{ "netcost-record", "netcost-record" },
	{ "kswapd0", "kswapd0" },
	{ "kdamond.0", "kdamond.0" },
	{ "a;b\tc", "task8" },
};

static void test_tasks(void)
{
	check_strings(TRACE_PRIVATE_TASKS, 0, task_rows, ARRAY_SIZE(task_rows));
}

/* Tests that a part of a task's name that belongs to another class is treated as that class. */
static void test_tasks_kept(void)
{
	static const struct row rows[] = {
		{ "nginx", "nginx" },
		{ "kworker/u8:2-ev", "kworker/u8:2-ev" },
		{ "napi/eth0-8193", "napi/netdev1-8193" },
		{ "iou-wrk-4711", "iou-wrk-1" },
	};

	check_strings(TRACE_PRIVATE_TASKS, 1u << TRACE_PRIVATE_TASKS, rows, ARRAY_SIZE(rows));
}

static void test_netdevs(void)
{
	static const struct row rows[] = {
		{ "lo", "lo" },	      { "eth0", "netdev1" },
		{ "lo0", "netdev2" }, { "eth0", "netdev1" },
		{ "", "" },	      { "\xff\xfe", "netdev3" },
	};

	check_strings(TRACE_PRIVATE_NETDEVS, 0, rows, ARRAY_SIZE(rows));
}

static void test_marks(void)
{
	static const struct row rows[] = {
		{ "SIGUSR1", "SIGUSR1" },
		{ "deploy of the new shop", "mark1" },
		{ "the", "mark2" },
		{ "deploy of the new shop", "mark1" },
	};

	check_strings(TRACE_PRIVATE_MARKS, 0, rows, ARRAY_SIZE(rows));
}

static void test_functions(void)
{
	static const struct row rows[] = {
		{ "tcp_sendmsg", "tcp_sendmsg" },
		{ "bpf_prog_put", "bpf_prog_put" },
		{ "bpf_prog_add", "bpf_prog_add" },
		{ "bpf_prog_89abcdef01234567", "bpf_prog_89abcdef01234567" },
		{ "bpf_prog_89abcdef01234567_", "bpf_prog_89abcdef01234567_" },
		{ "bpf_prog_89abcdef01234567_acme_fw", "bpf_prog_89abcdef01234567_prog1" },
		{ "bpf_prog_0000000000000000_sys_enter", "bpf_prog_0000000000000000_sys_enter" },
		{ "bpf_prog_0000000000000000_sys_exit", "bpf_prog_0000000000000000_prog2" },
		{ "bpf_prog_1111111111111111_acme_fw", "bpf_prog_1111111111111111_prog1" },
		{ "bpf_prog_1111111111111111_acme_lb", "bpf_prog_1111111111111111_prog3" },
		{ "bpf_prog_111111111111111g_acme_lb", "bpf_prog_111111111111111g_acme_lb" },
		{ "bpf_trampoline_6442466513", "bpf_trampoline_6442466513" },
		{ "", "" },
	};

	check_strings(TRACE_PRIVATE_PROGRAMS, 0, rows, ARRAY_SIZE(rows));
}

/* Tests that the number of a reason stays, that each argument is replaced according to its class, and that other
 * texts are replaced entirely. */
static void test_reasons(void)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "#1", "#1" },
		{ "#148 perf cpu-clock", "#148 perf cpu-clock" },
		{ "#144 /proc/*/net/dev", "#144 /proc/*/net/dev" },
		{ "#142 fentry #101 1", "#142 fentry #101 1" },
		{ "#142 fentry #101 1 #142 kprobe #104", "#142 fentry #101 1 #142 kprobe #104" },
		{ "#14 tasks,pids", "#14 tasks,pids" },
		{ "#10 0.000 12345.678", "#10 0.000 12345.678" },
		{ "#39 2 #41 #39 12345678 #40", "#39 2 #41 #39 12345678 #40" },
		{ "#35 2-3,7", "#35 2-3,7" },
		{ "#26 /sys/fs/cgroup", "#26 /sys/fs/cgroup" },
		/* text that may contain names of the host */
		{ "#26 /mnt/the%20perf", "#26 name1" },
		{ "#26 /mnt/the%20perf", "#26 name1" },
		{ "#31 /proc #32", "#31 name2 #32" },
		{ "#147 the%20time%20was%20over", "#147 name3" },
		{ "#91 web1/x", "#91 name4" },
		{ "#91 (eth7)", "#91 name5" },
		{ "#14 tasks,a:b", "#14 name6" },
		/* reasons that do not have these arguments */
		{ "#105 eth7", "#105 name7" },
		{ "#105", "#105" },
		{ "#105 1 eth7", "#105 name8 name7" },
		{ "#105 13 1790000000", "#105 name9 name10" },
		{ "#1 eth7 #9 #2", "#1 name7 #9 #2" },
		{ "#39 -2 #41", "#39 name11 #41" },
		{ "#10 1..2 3", "#10 name12 name13" },
		/* an unknown reason */
		{ "#99999", "#99999" },
		{ "#99999 eth7 12 6.1.0 10.77.0.1", "#99999 name7 name14 name15 name16" },
		{ "#99999  eth7   #105 1 ", "#99999 name7 #105 1" },
		{ "#00001", "#1" },
		/* texts that are not reasons */
		{ "#", "name17" },
		{ "#123456", "name18" },
		{ "#1x", "name19" },
		{ "1", "name8" },
		{ "the time was over", "name3" },
		{ "the time was over", "name3" },
		{ "refused: eth7 is up", "name20" },
		{ "web1.example.org:22", "name21" },
		{ "10.77.0.1", "name16" },
		{ "1790000000", "name10" },
		{ "#1 #123456", "#1 name18" },
		{ "#1\n#2", "name22" },
		{ "\xff\xfe", "name23" },
		/* names of the host in /sys */
		{ "#144 /sys/class/net/eth7", "#144 name24" },
		{ "#144 /sys/class/", "#144 name25" },
		{ "#144 /proc//stat", "#144 name26" },
	};

	check_strings(TRACE_PRIVATE_TEXTS, 0, rows, ARRAY_SIZE(rows));
	check_strings(TRACE_PRIVATE_TEXTS, 1u << TRACE_PRIVATE_TEXTS,
		      &(struct row){ "#26 /mnt/x eth7", "#26 /mnt/x eth7" }, 1);
}

/* Tests that names of the kernel and numbers stay. */
static void test_settings(void)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "4096 131072 33554432", "4096 131072 33554432" },
		{ "18446744073709551615", "18446744073709551615" },
		{ "-1", "-1" },
		{ "0-3,8,10-11", "0-3,8,10-11" },
		{ "on, off", "on, off" },
		{ "mq fq_codel", "mq fq_codel" },
		{ "performance, our_own", "performance, setting1" },
		{ "Mitigation: Retpolines; STIBP: disabled",
		  "Mitigation: Retpolines; STIBP: disabled" },
		{ "10.1.2.3 fe80::1 2026-11-20 1-2-3", "setting2 setting3 setting4 setting5" },
		{ "-1-2 1- -", "setting6 setting7 setting8" },
		{ "interface eth7", "interface netdev1" },
		{ "interface lo rx-0", "interface lo rx-0" },
		{ "interface eth7 rx-12", "interface netdev1 rx-12" },
		{ "interface 8 irq-38", "interface netdev2 irq-38" },
		{ "interface on tx-x", "interface netdev3 setting9" },
		{ "zz zz-1", "setting10 setting11" },
		{ "driver prog on, prog secret 7, nameless program",
		  "driver prog prog1, prog prog2 7, nameless program" },
		{ "eth7 on on", "netdev1 on on" },
		{ "refused with perf", "setting12 setting13 setting14" },
		{ "interface", "interface" },
		{ "net.core", "net.core" },
		/* all characters that the kernel allows in an interface's name belong to it */
		{ "interface on,the rx-0", "interface netdev4 rx-0" },
		{ "interface a;b", "interface netdev5" },
		{ "interface (7)", "interface netdev6" },
		{ "interface it's irq-3", "interface netdev7 irq-3" },
		{ "interface \"wan\"", "interface netdev8" },
		{ "interface .on. tx-1", "interface netdev9 tx-1" },
		{ "interface ,", "interface netdev10" },
		{ "interface 10,20 ingress, interface lo egress",
		  "interface netdev11 ingress, interface lo egress" },
		{ "interface \xc3\xa4\xff%u", "interface netdev12" },
		{ "interface interface interface eth7", "interface netdev13 interface netdev1" },
		{ "prog a.b., prog on", "prog prog3, prog prog1" },
		/* inode numbers of cgroups */
		{ "cgroup 4711 ingress, cgroup 815", "cgroup 1 ingress, cgroup 2" },
		{ "cgroup 4711", "cgroup 1" },
		{ "cgroup acme", "cgroup cgroup3" },
	};

	check_strings(TRACE_PRIVATE_SETTINGS, 0, rows, ARRAY_SIZE(rows));
}

/* Tests that the name of a table is one token, whatever it contains. */
static void test_whole_names(void)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "on", "on" },
		{ "acme, on 7", "setting1" },
		{ "on 7", "setting2" },
	};
	struct scrub_text t;

	CU_ASSERT_EQUAL_FATAL(scrub_text_init(&t, 0, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CU_ASSERT_EQUAL(
			scrub_whole(&t, TRACE_PRIVATE_SETTINGS, rows[i].in, strlen(rows[i].in)), 0);
		CU_ASSERT(t.out.n == strlen(rows[i].out) && !memcmp(t.out.p, rows[i].out, t.out.n));
	}
	scrub_text_free(&t);
}

/* Tests that a process keeps the pseudonym of its pid, and that a later process with the same pid gets another
 * pseudonym. */
static void test_processes(void)
{
	static const struct {
		uint64_t pid, start_ns, out;
	} rows[] = {
		{ 0, 5, 0 },	       { 700, 0, 1 },  { 700, 50, 1 },	      { 800, 50, 2 },
		{ 700, 60, 3 },	       { 700, 50, 1 }, { 700, TRACE_NIL, 1 }, { 700, 60, 3 },
		{ 900, TRACE_NIL, 4 }, { 900, 70, 4 }, { 900, 71, 5 },
	};
	struct scrub_text t;
	uint64_t out;

	CU_ASSERT_EQUAL_FATAL(scrub_text_init(&t, 0, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CU_ASSERT_EQUAL(scrub_process(&t, rows[i].pid, rows[i].start_ns, &out), 0);
		CU_ASSERT_EQUAL(out, rows[i].out);
	}
	scrub_text_free(&t);
}

/* ---- what is kept ------------------------------------------------------------------------ */

enum kept {
	KEPT_BUILD,
	KEPT_HARDWARE,
	KEPT_CODE,
	KEPT_OPTIONS,
	KEPT_NETWORK,
	KEPT_PLACES,
	KEPT_FORMAT,
	KEPT_MEASURED,
	KEPT_BOOT,
	KEPT_SINCE_BOOT,
	KEPT_FLOWS,
	KEPTS
};

/* Texts that the man page must contain. */
static const char *const kept_text[KEPTS] = {
	[KEPT_BUILD] = "The kernel's release and architecture, and the recorder's version.",
	[KEPT_HARDWARE] =
		"The CPU model, the numbers of CPUs and the names and limits of energy counters.",
	[KEPT_CODE] =
		"Names of kernel functions, their addresses relative to the kernel or to their module, names of modules",
	[KEPT_OPTIONS] =
		"The configuration and methods of the recorder: options, sources, hooks, certificates.",
	[KEPT_NETWORK] =
		"Names of drivers, classes of interfaces, settings, protocol counters, drop reasons, and kinds of BPF programs.",
	[KEPT_PLACES] =
		"Numbers of interfaces, of network namespaces as the recorder found them, and of interrupts.",
	[KEPT_FORMAT] =
		"Numbers that mean something only in the file, and those that the format defines.",
	[KEPT_MEASURED] =
		"What was measured: counts and durations since the recording began, with the CPUs.",
	[KEPT_BOOT] = "The time since boot of all that was recorded.",
	[KEPT_SINCE_BOOT] = "Counters that run since boot or longer:",
	[KEPT_FLOWS] =
		"Hashes of flows, whose key the recorder makes anew for each recording and forgets.",
};

/* Returns how a key is kept, from its flags and unit alone; KEPTS: the key needs a row in the table below. */
static enum kept kept_by_flags(const struct trace_key_desc *k)
{
	if ((k->ids && !(k->flags & TRACE_KEY_EACH)) || k->known)
		return KEPT_FORMAT;
	if (k->flags & (TRACE_KEY_HOST_COUNTER | TRACE_KEY_COUNTER32 | TRACE_KEY_LEVEL))
		return KEPT_SINCE_BOOT;
	if (k->flags & TRACE_KEY_CPU || k->flags & TRACE_KEY_COUNTER)
		return KEPT_MEASURED;
	if (k->flags & TRACE_KEY_TIME)
		return KEPT_BOOT;
	return KEPTS;
}

/* Other keys that scrub leaves unchanged. A key of 0 means all other keys of the type. */
static const struct {
	enum trace_type type;
	unsigned int key;
	enum kept kept;
} kept_rows[] = {
	{ TRACE_HEADER, TRACE_HEADER_KERNEL, KEPT_BUILD },
	{ TRACE_HEADER, TRACE_HEADER_MACHINE, KEPT_BUILD },
	{ TRACE_HEADER, TRACE_HEADER_TOOL, KEPT_BUILD },
	{ TRACE_HEADER, TRACE_HEADER_CPU_MODEL, KEPT_HARDWARE },
	{ TRACE_HEADER, TRACE_HEADER_CPUS_POSSIBLE, KEPT_HARDWARE },
	{ TRACE_HEADER, TRACE_HEADER_CPUS_ONLINE, KEPT_HARDWARE },
	{ TRACE_HEADER, TRACE_HEADER_START_NS, KEPT_BOOT },
	{ TRACE_HEADER, TRACE_HEADER_MAJOR, KEPT_FORMAT },
	{ TRACE_HEADER, TRACE_HEADER_MINOR, KEPT_FORMAT },
	{ TRACE_HEADER, TRACE_HEADER_REQUIRES, KEPT_FORMAT },
	{ TRACE_HEADER, TRACE_HEADER_SAMPLE_HZ, KEPT_OPTIONS },
	{ TRACE_HEADER, TRACE_HEADER_SAMPLER, KEPT_OPTIONS },
	{ TRACE_HEADER, TRACE_HEADER_SAMPLE_EVENT, KEPT_OPTIONS },
	{ TRACE_HEADER, TRACE_HEADER_TICK_MS, KEPT_OPTIONS },
	{ TRACE_HEADER, TRACE_HEADER_EXACT, KEPT_OPTIONS },
	{ TRACE_HEADER, TRACE_HEADER_USER_HZ, KEPT_BUILD },
	{ TRACE_HEADER, TRACE_HEADER_SAMPLE_PERIOD, KEPT_OPTIONS },
	{ TRACE_HEADER, TRACE_HEADER_SAMPLED, KEPT_OPTIONS },
	{ TRACE_HEADER, TRACE_HEADER_BUDGET_PPM, KEPT_OPTIONS },
	{ TRACE_FRAME, TRACE_FRAME_SEQ, KEPT_FORMAT },
	{ TRACE_TICK, TRACE_TICK_UNFOLLOWED_NS, KEPT_MEASURED },
	{ TRACE_FRAME, TRACE_FRAME_FIRST_NS, KEPT_BOOT },
	{ TRACE_FRAME, TRACE_FRAME_LAST_NS, KEPT_BOOT },
	{ TRACE_FRAME, TRACE_FRAME_LOST, KEPT_MEASURED },
	{ TRACE_CLOCK, TRACE_CLOCK_BOOT_NS, KEPT_BOOT },
	{ TRACE_CLOCK, TRACE_CLOCK_ERROR_NS, KEPT_MEASURED },
	{ TRACE_SOURCE, 0, KEPT_OPTIONS },
	{ TRACE_PROBE, TRACE_PROBE_NUMBER, KEPT_FORMAT },
	{ TRACE_PROBE, 0, KEPT_OPTIONS },
	{ TRACE_MODULE, TRACE_MODULE_NAME, KEPT_CODE },
	{ TRACE_MODULE, TRACE_MODULE_BUILD_ID, KEPT_CODE },
	{ TRACE_SYMBOLS, TRACE_SYMBOLS_OFFSET, KEPT_CODE },
	{ TRACE_STACKS, TRACE_STACKS_UP, KEPT_FORMAT },
	{ TRACE_SAMPLES, TRACE_SAMPLES_BASE_NS, KEPT_BOOT },
	{ TRACE_SAMPLES, 0, KEPT_MEASURED },
	{ TRACE_NETDEV, TRACE_NETDEV_NETNS, KEPT_PLACES },
	{ TRACE_NETDEV, TRACE_NETDEV_DRIVER, KEPT_NETWORK },
	{ TRACE_NETDEV, TRACE_NETDEV_CLASS, KEPT_NETWORK },
	{ TRACE_ENERGY, TRACE_ENERGY_RAW, KEPT_SINCE_BOOT },
	{ TRACE_ENERGY, 0, KEPT_MEASURED },
	{ TRACE_ENERGY_ZONE, 0, KEPT_HARDWARE },
	{ TRACE_PROGRAM, 0, KEPT_OPTIONS },
	{ TRACE_OUTSIDE, 0, KEPT_MEASURED },
	{ TRACE_CONTEXT, TRACE_CONTEXT_AT_NS, KEPT_BOOT },
	{ TRACE_CONTEXT, TRACE_CONTEXT_NAME, KEPT_NETWORK },
	{ TRACE_COUNTER_NAMES, TRACE_COUNTER_NAMES_NAME, KEPT_NETWORK },
	{ TRACE_DROP_REASONS, TRACE_DROP_REASONS_NAME, KEPT_NETWORK },
	{ TRACE_OTHER_PROGRAMS, TRACE_OTHER_PROGRAMS_KIND, KEPT_NETWORK },
	{ TRACE_OTHER_STATS, TRACE_OTHER_STATS_LEFT_OUT, KEPT_MEASURED },
	{ TRACE_SCHEMA, 0, KEPT_FORMAT },
	{ TRACE_NAMES, 0, KEPT_FORMAT },
	{ TRACE_PEERS, 0, KEPT_MEASURED },
	{ TRACE_PROBE_COST, 0, KEPT_MEASURED },
	{ TRACE_CERTIFICATE, TRACE_CERTIFICATE_AT_NS, KEPT_BOOT },
	{ TRACE_CERTIFICATE, 0, KEPT_OPTIONS },
	{ TRACE_PROCESSES, TRACE_PROCESSES_KERNEL, KEPT_MEASURED },
	{ TRACE_PROCESS_STATS, 0, KEPT_MEASURED },
	{ TRACE_OWNER_STATS, 0, KEPT_MEASURED },
	{ TRACE_RX_FATES, TRACE_RX_FATES_REASON, KEPT_NETWORK },
	{ TRACE_RX_FATES, 0, KEPT_MEASURED },
	{ TRACE_LATENCY, 0, KEPT_MEASURED },
	{ TRACE_LATENCY_BY, TRACE_LATENCY_BY_IFINDEX, KEPT_PLACES },
	{ TRACE_LATENCY_BY, TRACE_LATENCY_BY_NS, KEPT_MEASURED },
	{ TRACE_LATENCY_BY, TRACE_LATENCY_BY_BUCKET, KEPT_MEASURED },
	{ TRACE_LATENCY_BY, TRACE_LATENCY_BY_PACKETS, KEPT_MEASURED },
	{ TRACE_STAGES, TRACE_STAGES_BASE_NS, KEPT_BOOT },
	{ TRACE_STAGES, TRACE_STAGES_IFINDEX, KEPT_PLACES },
	{ TRACE_STAGES, TRACE_STAGES_REASONS, KEPT_NETWORK },
	{ TRACE_STAGES, TRACE_STAGES_HOOKS, KEPT_NETWORK },
	{ TRACE_STAGES, TRACE_STAGES_FLOW, KEPT_FLOWS },
	{ TRACE_STAGES, TRACE_STAGES_FLOWS, KEPT_FLOWS },
	{ TRACE_STAGES, 0, KEPT_MEASURED },
	{ TRACE_LATENCY_TAIL, TRACE_LATENCY_TAIL_END_NS, KEPT_BOOT },
	{ TRACE_LATENCY_TAIL, TRACE_LATENCY_TAIL_NUMBER, KEPT_PLACES },
	{ TRACE_LATENCY_TAIL, 0, KEPT_MEASURED },
	{ TRACE_LATENCY_ONLY, TRACE_LATENCY_ONLY_IFINDEX, KEPT_PLACES },
	{ TRACE_LATENCY_ONLY, TRACE_LATENCY_ONLY_QUEUE, KEPT_OPTIONS },
	{ TRACE_INDEX, TRACE_INDEX_FIRST_NS, KEPT_BOOT },
	{ TRACE_INDEX, TRACE_INDEX_LAST_NS, KEPT_BOOT },
	{ TRACE_INDEX, 0, KEPT_FORMAT },
	{ TRACE_END, TRACE_END_AT_NS, KEPT_BOOT },
	{ TRACE_END, 0, KEPT_FORMAT },
};

static enum kept kept_of(const struct trace_key_desc *k, bool *row)
{
	enum kept kept = kept_by_flags(k);

	for (size_t i = 0; i < ARRAY_SIZE(kept_rows) && kept == KEPTS; i++) {
		if (kept_rows[i].type != k->type ||
		    (kept_rows[i].key && kept_rows[i].key != k->key))
			continue;
		row[i] = true;
		kept = kept_rows[i].kept;
	}
	return kept;
}

/* Tests that each key, even a new one, is private or has a row that says what is kept, and that the man page names
 * exactly these kinds. */
static void test_kept_list(void)
{
	bool used[KEPTS + 1] = { 0 }, row[ARRAY_SIZE(kept_rows)] = { 0 };
	static char man[1 << 20];
	FILE *f = fopen("man/netcost-report-scrub.1", "re");
	const char *list, *end;
	size_t n, items = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	man[fread(man, 1, sizeof(man) - 1, f)] = '\0';
	fclose(f);
	for (unsigned int type = 0; type < 256; type++) {
		const struct trace_key_desc *k = trace_type_keys(type, &n);

		for (; n--; k++)
			if (k->privacy <= TRACE_PUBLIC) {
				enum kept kept = kept_of(k, row);

				if (kept == KEPTS)
					printf("  type %u, key %u, %s: neither private nor in the table of kept keys\n",
					       type, k->key, k->name);
				CU_ASSERT_NOT_EQUAL(kept, KEPTS);
				used[kept] = true;
			}
	}
	list = strstr(man, ".\\\" kept by scrub");
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	end = strstr(list, "\n.El\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(end);
	for (size_t i = 0; i < ARRAY_SIZE(kept_rows); i++) {
		CU_ASSERT(row[i]);
		if (!row[i])
			printf("  row %zu stands for no key\n", i);
	}
	for (int i = 0; i < KEPTS; i++) {
		const char *at = strstr(list, kept_text[i]);

		CU_ASSERT(used[i]);
		CU_ASSERT(at && at < end);
		if (!at)
			printf("  the man page does not say: %s\n", kept_text[i]);
	}
	for (const char *at = list; (at = strstr(at, "\n.It")) && at < end; at++)
		items++;
	CU_ASSERT_EQUAL(items, KEPTS);
}

/* For each class, an argument and its replacement, which is a pseudonym or the argument itself. */
static const struct {
	char class;
	const char *secret, *kept;
} classes[] = {
	{ 'u', "zx1", "12345678901" },
	{ 'f', "zx1.5", "12345678901.234" },
	{ 'e', "zx", "13" },
	{ 'w', "zx:secret", "kernel_word" },
	{ 'l', "zx,a/b", "a,b-c,d.e" },
	{ 'p', "/zx/proc/", "/proc/sys" },
	{ 'n', "zxsecret", "" },
};

/* Checks a reason with arguments of its classes; secret: whether the arguments are replaced. */
static void check_row(unsigned int number, const char *sentence, bool secret)
{
	unsigned int names = 0;
	char in[512], out[512];
	struct row row = { in, out };
	size_t ni = (size_t)sprintf(in, "#%u", number), no = (size_t)sprintf(out, "#%u", number);

	for (const char *p = sentence; (p = strchr(p, '%')) && p[1] != 'r'; p += 2)
		for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
			bool goes = secret || !*classes[i].kept;

			if (classes[i].class != p[1])
				continue;
			ni += (size_t)sprintf(in + ni, goes ? " %s%u" : " %s",
					      goes ? classes[i].secret : classes[i].kept, names);
			no += goes ? (size_t)sprintf(out + no, " name%u", ++names) :
				     (size_t)sprintf(out + no, " %s", classes[i].kept);
		}
	check_strings(TRACE_PRIVATE_TEXTS, 0, &row, 1);
}

static void test_every_reason(void)
{
#define X(number, name, arguments, sentence)                                                       \
	check_row(number, sentence, false);                                                        \
	check_row(number, sentence, true);
	NETCOST_REASONS(X)
#undef X
}

/* Tests that a name in a reason has the same pseudonym as elsewhere, and that netcost's own words are not replaced,
 * because they reveal nothing. */
static void test_names_in_reasons(void)
{
	static const char expected[] = "#147 netdev1 #145 name1 2 #91 perf";
	const char *text = "#147 eth7 #145 eth8 2 #91 perf";
	struct scrub_text t;

	CU_ASSERT_EQUAL_FATAL(scrub_text_init(&t, 0, 0), 0);
	CU_ASSERT_EQUAL(scrub_string(&t, TRACE_PRIVATE_NETDEVS, "eth7", 4), 0);
	CU_ASSERT_EQUAL(scrub_string(&t, TRACE_PRIVATE_TASKS, "perf", 4), 0);
	CU_ASSERT_EQUAL(t.out.n, 5);
	CU_ASSERT_EQUAL(scrub_string(&t, TRACE_PRIVATE_TEXTS, text, strlen(text)), 0);
	CU_ASSERT(t.out.n == strlen(expected) && !memcmp(t.out.p, expected, t.out.n));
	CU_ASSERT_EQUAL(scrub_string(&t, TRACE_PRIVATE_TEXTS, "#147 eth%37", 11), 0); /* escaped */
	CU_ASSERT(t.out.n == 12 && !memcmp(t.out.p, "#147 netdev1", 12));
	scrub_text_free(&t);
}

/* Tests a pseudonym that is longer than the name: the text is truncated. */
static void test_long_reasons(void)
{
	static const char *const before[] = { "", "#1 ", "#147 ", "#99999 " };
	struct scrub_text t;

	CU_ASSERT_EQUAL_FATAL(scrub_text_init(&t, 0, 0), 0);
	for (size_t k = 0; k < ARRAY_SIZE(before); k++) {
		char text[TRACE_MAX_STR];
		size_t n = strlen(before[k]);

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = i < n ? before[k][i] : i % 2 ? ' ' : 'z';
		CU_ASSERT_EQUAL(scrub_string(&t, TRACE_PRIVATE_TEXTS, text, sizeof(text)), 0);
		CU_ASSERT(t.out.n <= TRACE_MAX_STR && t.out.n > (k ? 4000 : 4));
		CU_ASSERT(!memchr(t.out.p, 'z', t.out.n));
	}
	scrub_text_free(&t);
}

static const struct unit_test tests[] = {
	{ "settings", test_settings },
	{ "whole_names", test_whole_names },
	{ "processes", test_processes },
	{ "kept_list", test_kept_list },
	{ "private_kinds", test_private_kinds },
	{ "keep", test_keep },
	{ "tasks", test_tasks },
	{ "tasks_kept", test_tasks_kept },
	{ "netdevs", test_netdevs },
	{ "marks", test_marks },
	{ "functions", test_functions },
	{ "reasons", test_reasons },
	{ "every_reason", test_every_reason },
	{ "names_in_reasons", test_names_in_reasons },
	{ "long_reasons", test_long_reasons },
};

int main(void)
{
	return unit_main("scrub", tests, ARRAY_SIZE(tests));
}
