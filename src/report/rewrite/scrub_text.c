// SPDX-License-Identifier: BSD-2-Clause
/*
 * Replaces names, reasons and settings: decides which of their words may stay, and writes
 * pseudonyms for the others.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/reasons.h>

#include "rewrite.h"

#define COMM_LEN 15 /* the kernel truncates task names to this length */

typedef int put_fn(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/* ---- classes ----------------------------------------------------------------------------- */

const struct scrub_class_desc scrub_class_desc[TRACE_PRIVACIES] = {
#define X(NAME, name, prefix, doc) [TRACE_PRIVATE_##NAME] = { #name, prefix },
	TRACE_PRIVATE(X)
#undef X
};

static enum trace_privacy find_class(const char *name, size_t len)
{
	for (enum trace_privacy c = TRACE_PUBLIC + 1; c < TRACE_PRIVACIES; c++)
		if (strlen(scrub_class_desc[c].name) == len &&
		    !memcmp(scrub_class_desc[c].name, name, len))
			return c;
	return TRACE_PUBLIC;
}

bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len)
{
	*keep = 0;
	for (const char *p = list;; p += *len + 1) {
		enum trace_privacy c;

		*len = strcspn(p, ",");
		c = find_class(p, *len);
		*unknown = p;
		if (c == TRACE_PUBLIC)
			return false;
		*keep |= 1u << c;
		if (!p[*len])
			return true;
	}
}

/* ---- numbering of names ------------------------------------------------------------- */

struct name {
	enum trace_privacy class;
	uint32_t number;
	size_t n;
	const void *bytes;
};

static int compare_names(const void *pa, const void *pb)
{
	const struct name *a = pa, *b = pb;

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	return memcmp(a->bytes, b->bytes, a->n);
}

/* Returns the number of a name, or 0 if it has none yet. */
static uint32_t scrub_find(const struct scrub_names *s, enum trace_privacy class, const void *name,
			   size_t n)
{
	const struct name key = { .class = class, .n = n, .bytes = name };
	struct name *const *found = tfind(&key, &s->tree, compare_names);

	return found ? (*found)->number : 0;
}

/* Allocates a name. Its bytes follow the structure. */
static struct name *make_name(enum trace_privacy class, const void *bytes, size_t n)
{
	struct name *name = malloc(sizeof(*name) + n);

	if (name) {
		memcpy(name + 1, bytes, n);
		*name = (struct name){ .class = class, .n = n, .bytes = name + 1 };
	}
	return name;
}

/* memory of a name in addition to its bytes, including the overhead of malloc() and of the tree */
#define NAME_COST (sizeof(struct name) + 72)

int scrub_number(struct scrub_names *s, enum trace_privacy class, const void *bytes, size_t n,
		 uint32_t *number)
{
	struct name *name;

	*number = scrub_find(s, class, bytes, n);
	if (*number)
		return 0;
	if (budget_take(&s->budget, NAME_COST + n))
		return BUDGET_SPENT;
	name = make_name(class, bytes, n);
	if (!name || !tsearch(name, &s->tree, compare_names)) {
		free(name);
		return -ENOMEM;
	}
	*number = name->number = ++s->count[class];
	return 0;
}

void scrub_names_free(struct scrub_names *s)
{
	tdestroy(s->tree, free);
	*s = (struct scrub_names){ 0 };
}

/* ---- known words -------------------------------------------------------------------- */

/*
 * Words that CONTEXT's subjects and values may contain. Any other word may be a name on the host.
 * The list does not depend on the trace, so the words that stay give no information about names.
 */
static const char *const kernel_words[] = {
	/* words of subjects */
	"net.core net.ipv4 net.ipv6 net.netfilter net.bridge kernel cpu vulnerability "
	"interface irq rx tx nftables iptables ip6tables bpf",
	/* kinds of programs */
	"xdp tc tcx netkit ingress egress primary peer cgroup netns raw_tp lsm tracing "
	"netfilter elsewhere inet_ingress inet_egress inet_sock_create inet_sock_release "
	"sock_ops bind4 bind6 connect4 connect6 post_bind4 post_bind6 sendmsg4 sendmsg6 "
	"recvmsg4 recvmsg6 getpeername4 getpeername6 getsockname4 getsockname6 getsockopt "
	"setsockopt device sysctl flow_dissector sk_lookup",
	/* words of values */
	"on off none all under over driver generic hardware prog unknown nameless program "
	"filters performance powersave schedutil ondemand conservative userspace forceoff "
	"notsupported notimplemented intel_pstate intel_cpufreq acpi-cpufreq amd-pstate "
	"amd-pstate-epp cppc_cpufreq intel_idle acpi_idle haltpoll psci_idle menu teo "
	"ladder tsc kvm-clock hpet acpi_pm hyperv_clocksource_tsc_page arch_sys_counter "
	"xen PREEMPT PREEMPT_DYNAMIC PREEMPT_RT voluntary full lazy yes QEMU KVM Xen "
	"VMware VMware, Inc. Microsoft Corporation innotek GmbH Amazon EC2 Google Bochs "
	"Parallels Nutanix Alibaba Cloud",
	/* kinds of qdiscs, devices and drivers */
	"noqueue noop mq mqprio pfifo pfifo_fast bfifo fq fq_codel fq_pie codel cake htb "
	"hfsc tbf prio sfq red etf taprio multiq ets drr netem clsact ingress cubic bbr "
	"reno dctcp vegas htcp bic westwood veth bridge bond vlan vxlan macvlan ipvlan "
	"macvtap ipvtap tun tap dummy ifb geneve gre gretap ip6gre ip6gretap sit ipip "
	"ip6tnl wireguard team vrf vcan netkit erspan lowpan batadv openvswitch "
	"virtio_net virtio-net vmxnet3 e1000 e1000e igb igbvf igc ixgbe ixgbevf i40e iavf "
	"ice mlx4_en mlx5_core bnxt_en bnx2x tg3 ena gve hv_netvsc nfp sfc qede cxgb4 "
	"r8169 atlantic stmmac virtio",
	/* mitigations */
	"Not affected Vulnerable Mitigation Unknown Processor Retpoline Retpolines LFENCE "
	"Enhanced Automatic IBRS IBRS_FW IBPB conditional always-on STIBP forced RSB "
	"filling PBRSB-eIBRS SW sequence Loop BHI BHI_DIS_S BHB software loop "
	"usercopy/swapgs barriers and __user pointer sanitization Speculative Store "
	"Bypass disabled via prctl seccomp PTI Clear CPU buffers attempted no microcode "
	"Microcode SMT Host state mitigated vulnerable untrained return thunk Safe RET "
	"enabled Aligned branch/return thunks TSX Disabled PTE Inversion VMX cache "
	"flushes EPT KVM Split huge pages before exit to userspace IBPB_NO_RET",
};

static bool separates(char c)
{
	return c && strchr(" \t\n,;()'\"", c);
}

/* Returns true for characters that may be inside a word, but not at its ends. */
static bool stops(char c)
{
	return c == '.' || c == ':';
}

struct word {
	const char *before; /* separators before the word */
	const char *s; /* before the first call: the start of the text; then: the current word */
	size_t n;      /* 0 if only the text after the last word remains */
};

/* Finds the next word. Returns false at the end of the text. */
static bool next_word(struct word *w, const char *end)
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

static int learn_words(struct scrub_text *t)
{
	uint32_t number;
	int err = 0;

	for (size_t i = 0; i < sizeof(kernel_words) / sizeof(*kernel_words); i++) {
		struct word w = { .s = kernel_words[i] };

		while (!err && next_word(&w, kernel_words[i] + strlen(kernel_words[i])))
			if (w.n)
				err = scrub_number(&t->names, TRACE_PUBLIC, w.s, w.n, &number);
	}
	return err;
}

/* ---- pieces ------------------------------------------------------------------------------ */

static int put(struct scrub_text *t, const char *s, size_t n)
{
	size_t room = TRACE_MAX_STR - t->out.n;

	mp_buf_bytes(&t->out, s, n < room ? n : room);
	return t->out.failed ? -ENOMEM : 0;
}

static int put_number(struct scrub_text *t, const char *prefix, uint64_t number)
{
	char text[48];

	return put(t, text, (size_t)snprintf(text, sizeof(text), "%s%" PRIu64, prefix, number));
}

static bool is_kept(const struct scrub_text *t, enum trace_privacy class)
{
	return class == TRACE_PUBLIC || t->keep & 1u << class;
}

static bool equals(const char *s, size_t n, const char *to)
{
	return strlen(to) == n && !memcmp(s, to, n);
}

/* Names that exist on every host. */
static const char *const common[TRACE_PRIVACIES] = {
	[TRACE_PRIVATE_NETDEVS] = "lo",
	[TRACE_PRIVATE_CGROUPS] = "/",
	[TRACE_PRIVATE_MARKS] = "SIGUSR1",
};

static int put_pseudonym(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	uint32_t number;
	int err;

	if (!n || is_kept(t, class) || (common[class] && equals(s, n, common[class])))
		return put(t, s, n);
	err = scrub_number(&t->names, class, s, n, &number);
	return err ? err : put_number(t, scrub_class_desc[class].prefix, number);
}

static size_t digits(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= '0' && s[i] <= '9')
		i++;
	return i;
}

int scrub_id(struct scrub_text *t, enum trace_privacy class, uint64_t id, uint64_t *out)
{
	uint32_t number = 0;
	int err;

	*out = id;
	if (!id || is_kept(t, class))
		return 0;
	err = scrub_number(&t->names, class, &id, sizeof(id), &number);
	*out = number;
	return err;
}

/*
 * Sets *out to the replacement of a process. Class TIME is only used here, for two kinds of names: a pid that has a
 * first known start time, and the pair of the pid and this start time.
 */
int scrub_process(struct scrub_text *t, uint64_t pid, uint64_t start_ns, uint64_t *out)
{
	const uint64_t both[] = { pid, start_ns };
	uint32_t number;
	int err;

	if (!pid || !start_ns || start_ns == TRACE_NIL || is_kept(t, TRACE_PRIVATE_PIDS) ||
	    scrub_find(&t->names, TRACE_PRIVATE_TIME, both, sizeof(both)))
		return scrub_id(t, TRACE_PRIVATE_PIDS, pid, out);
	if (!scrub_find(&t->names, TRACE_PRIVATE_TIME, &pid, sizeof(pid))) {
		err = scrub_number(&t->names, TRACE_PRIVATE_TIME, &pid, sizeof(pid), &number);
		if (!err)
			err = scrub_number(&t->names, TRACE_PRIVATE_TIME, both, sizeof(both),
					   &number);
		return err ? err : scrub_id(t, TRACE_PRIVATE_PIDS, pid, out);
	}
	err = scrub_number(&t->names, TRACE_PRIVATE_PIDS, both, sizeof(both), &number);
	*out = number;
	return err;
}

/* ---- functions --------------------------------------------------------------------------- */

/*
 * Maximum size of the names of own programs, enough for about 60 names. The size is limited because the name of each
 * function is compared with all these names, and a trace may define any number of functions and programs.
 */
#define OWN_BYTES 4096

void scrub_own_program(struct scrub_text *t, const char *name)
{
	if (t->own.n + strlen(name) < OWN_BYTES)
		mp_buf_bytes(&t->own, name, strlen(name) + 1);
}

static bool is_own_program(const struct scrub_text *t, const char *s, size_t n)
{
	const char *p = (const char *)t->own.p;

	for (size_t i = 0; i < t->own.n; i += strlen(p + i) + 1)
		if (equals(s, n, p + i))
			return true;
	return false;
}

static int put_program(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	return is_own_program(t, s, n) ? put(t, s, n) : put_pseudonym(t, class, s, n);
}

/*
 * Replaces the function of a BPF program. The function is called bpf_prog_TAG_NAME: the kernel
 * makes the tag of 16 digits, and the author of the program chooses the name.
 */
static int put_function(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	static const char prefix[] = "bpf_prog_";
	size_t tag = sizeof(prefix) - 1, name = tag + 16 + 1;
	int err;

	if (n <= name || memcmp(s, prefix, tag) || s[name - 1] != '_' ||
	    strspn(s + tag, "0123456789abcdef") < 16)
		return put(t, s, n);
	err = put(t, s, name);
	return err ? err : put_program(t, class, s + name, n - name);
}

/* ---- tasks ------------------------------------------------------------------------------- */

struct piece {
	const struct wild *wild;
	const char *s;
	size_t n;
};

#define MAX_PIECES 8

/*
 * Patterns of the names of kernel threads, including the recorder's own. "#" stands for digits, "@" for the digits of a
 * process id, and "%" for the name of an interface followed by "-" and digits. "&" and "*" stand for the rest of the
 * name. With "&", the rest is replaced. With "*", the rest is dropped unless names of tasks are kept.
 */
static const char *const threads[] = {
	"swapper",	   "swapper/#",
	"netcost-record",  "kthreadd",
	"ksoftirqd/#",	   "ktimers/#",
	"migration/#",	   "cpuhp/#",
	"idle_inject/#",   "watchdog/#",
	"watchdogd",	   "kworker/#:#H*",
	"kworker/#:#*",	   "kworker/u#:#H*",
	"kworker/u#:#*",   "kworker/R-*",
	"kworker/dying",   "pool_workqueue_",
	"mm_percpu_wq",	   "slub_flushwq",
	"rcu_bh",	   "rcu_gp",
	"rcu_par_gp",	   "rcu_preempt",
	"rcu_sched",	   "rcu_exp_gp_kthr",
	"rcu_exp_par_gp_", "rcu_tasks_kthre",
	"rcu_tasks_rude_", "rcu_tasks_trace",
	"rcub/#",	   "rcuc/#",
	"rcuog/#",	   "rcuop/#",
	"rcuos/#",	   "irq/#-&",
	"napi/%",	   "vhost-@",
	"iou-sqp-@",	   "iou-wrk-@",
	"netns",	   "inet_frag_wq",
	"kauditd",	   "kblockd",
	"kcompactd#",	   "kdamond.#",
	"kdevtmpfs",	   "khugepaged",
	"khungtaskd",	   "ksmd",
	"kswapd#",	   "oom_reaper",
	"writeback",
};

static int put_as_is(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	(void)class;
	return put(t, s, n);
}

static int put_pid(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	uint64_t pid = 0;
	int err;

	(void)class;
	for (size_t i = 0; i < n; i++)
		pid = 10 * pid + (uint64_t)(s[i] - '0');
	err = scrub_id(t, TRACE_PRIVATE_PIDS, pid, &pid);
	return err ? err : put_number(t, "", pid);
}

/*
 * Replaces the text after "napi/". If the kernel truncated the name, the end of the interface's
 * name is unknown.
 */
static int put_napi(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	size_t name = n;
	int err;

	while (name && digits(s + name - 1, 1))
		name--;
	if (n >= COMM_LEN - strlen("napi/") || name == n || name < 2 || s[name - 1] != '-')
		return put_pseudonym(t, class, s, n);
	name--;
	err = put_pseudonym(t, class, s, name);
	return err ? err : put(t, s + name, n - name);
}

/* Writes the text if its class is kept, and otherwise nothing. */
static int put_if_kept(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	return is_kept(t, class) ? put(t, s, n) : 0;
}

static const struct wild {
	char c;
	bool number; /* the wildcard matches digits; otherwise it matches the rest of the name */
	put_fn *put;
	enum trace_privacy class;
} wilds[] = {
	{ '#', true, put_as_is, TRACE_PUBLIC },
	{ '@', true, put_pid, TRACE_PRIVATE_PIDS },
	{ '%', false, put_napi, TRACE_PRIVATE_NETDEVS },
	{ '*', false, put_if_kept, TRACE_PRIVATE_TASKS },
	{ '&', false, put_pseudonym, TRACE_PRIVATE_TEXTS },
};

static const struct wild *find_wild(char c)
{
	static const struct wild none = { .put = put_as_is };

	for (size_t i = 0; i < sizeof(wilds) / sizeof(*wilds); i++)
		if (wilds[i].c == c)
			return &wilds[i];
	return &none;
}

/* Splits a name by a pattern. Returns the number of pieces, or 0 if the name does not match. */
static size_t match(const char *pattern, const char *s, size_t n, struct piece *piece)
{
	size_t count = 0, len;

	for (; *pattern && count < MAX_PIECES; s += len, n -= len) {
		size_t literal = strcspn(pattern, "#@%*&");
		const struct wild *wild = find_wild(*pattern);

		len = literal ? literal : wild->number ? digits(s, n) : n;
		if (len > n || (literal && memcmp(s, pattern, literal)))
			return 0;
		if (wild->number && (!len || len > 10))
			return 0;
		piece[count++] = (struct piece){ wild, s, len };
		pattern += literal ? literal : 1;
	}
	return n || *pattern ? 0 : count;
}

static int put_task(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	struct piece piece[MAX_PIECES];
	size_t count = 0;
	int err = 0;

	for (size_t i = 0; !count && i < sizeof(threads) / sizeof(*threads); i++)
		count = match(threads[i], s, n, piece);
	if (!count)
		return put_pseudonym(t, class, s, n);
	for (size_t i = 0; i < count && !err; i++)
		err = piece[i].wild->put(t, piece[i].wild->class, piece[i].s, piece[i].n);
	return err;
}

/* ---- reasons ----------------------------------------------------------------------------- */

/*
 * Returns true for a version, a frequency or a number of seconds, and false for a date or an
 * address.
 */
static bool is_number(const char *s, size_t n)
{
	size_t whole = digits(s, n), dots = 0, i;

	for (i = 0; i < n && (digits(s + i, 1) || s[i] == '.'); i++)
		dots += s[i] == '.';
	return i == n && whole && whole <= 7 && n <= 12 && dots <= 2;
}

/* Replaces a name with a pseudonym of the class in which the name is already known, otherwise of `class`. */
static int put_named_as(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	static const enum trace_privacy named[] = { TRACE_PRIVATE_NETDEVS, TRACE_PRIVATE_TASKS,
						    TRACE_PRIVATE_HOST, TRACE_PRIVATE_COMMAND };

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (scrub_find(&t->names, named[i], s, n))
			return put_pseudonym(t, named[i], s, n);
	return put_pseudonym(t, class, s, n);
}

static bool is_words(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && !memchr("_.,-", s[i], 4))
			return false;
	return true;
}

/* Components of paths that the recorder reads and that exist on every host. */
static const char *const path_names[] = {
	"*",	  "btf",     "bus",	     "cgroup",	     "class",	 "cpu",
	"dev",	  "devices", "event_source", "fs",	     "kallsyms", "kernel",
	"net",	  "netstat", "online",	     "powercap",     "proc",	 "self",
	"snmp",	  "snmp6",   "softirqs",     "softnet_stat", "stat",	 "sys",
	"system", "unified", "vmlinux",
};

static bool is_path_name(const char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(path_names) / sizeof(*path_names); i++)
		if (equals(s, n, path_names[i]))
			return true;
	return false;
}

/*
 * Returns true for a path of the kernel that contains no name of the host: "/proc/stat", but not
 * "/sys/class/net/eth0".
 */
static bool is_kernel_path(const char *s, size_t n)
{
	const char *end = s + n;

	if (n < strlen("/proc/") || (memcmp(s, "/proc/", 6) && memcmp(s, "/sys/", 5)))
		return false;
	while (s < end) {
		const char *name = s + 1, *slash = memchr(name, '/', (size_t)(end - name));

		s = slash ? slash : end;
		if (!is_path_name(name, (size_t)(s - name)))
			return false;
	}
	return true;
}

/*
 * Returns true if an argument of a reason is kept. This depends on the class of its conversion.
 * reason_next_argument() has checked that arguments of numeric classes are numbers.
 */
static bool is_kept_argument(const struct reason_argument *a)
{
	switch (a->class) {
	case 'u':
	case 'f':
	case 'e':
		return true;
	case 'w':
	case 'l':
		return is_words(a->s, a->n);
	case 'p':
		return is_kernel_path(a->s, a->n);
	default:
		return false;
	}
}

static int put_argument(struct scrub_text *t, enum trace_privacy class,
			const struct reason_argument *a)
{
	char name[TRACE_MAX_STR];

	if (is_kept_argument(a))
		return put(t, a->s, a->n);
	return put_named_as(t, class, name, reason_unescape(a->s, a->n, name, sizeof(name)));
}

/*
 * Replaces the names in reasons and keeps the numbers. A string that is not a reason is replaced as
 * a whole.
 */
static int put_reasons(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	struct reason_argument a;
	const char *prefix = "#";
	struct reason r;
	int err = 0;

	if (is_kept(t, class))
		return put(t, s, n);
	if (!reason_is(s, n))
		return put_named_as(t, class, s, n);
	for (; !err && reason_next(&s, &n, &r); prefix = " #") {
		err = put_number(t, prefix, r.number);
		while (!err && reason_next_argument(&r, &a)) {
			err = put(t, " ", 1);
			if (!err)
				err = put_argument(t, class, &a);
		}
	}
	return err;
}

/* ---- settings ---------------------------------------------------------------------------- */

/*
 * Words that precede a name. `end` has the bytes that end the name: the kernel allows all other bytes in an interface's
 * name.
 */
static const struct named_by {
	const char *before;
	enum trace_privacy class;
	const char *end;
} named_by[] = {
	{ "interface", TRACE_PRIVATE_NETDEVS, " \t\n\v\f\r" },
	{ "prog", TRACE_PRIVATE_PROGRAMS, " \t\n\v\f\r," },
	{ "cgroup", TRACE_PRIVATE_CGROUPS, " \t\n\v\f\r," }, /* inode number of a cgroup */
};

/* Returns true for a number of any length, or a range of CPUs, and false for an address or a date. */
static bool is_setting_number(const char *s, size_t n)
{
	size_t sign = n && *s == '-', first, second;

	s += sign;
	n -= sign;
	first = digits(s, n);
	if (first == n)
		return n;
	second = digits(s + first + 1, n - first - 1);
	return !sign && first && second && second == n - first - 1 &&
	       (s[first] == '-' || s[first] == '.');
}

/* Returns true for a known word with a number, such as rx-0 or irq-38. */
static bool is_numbered(const struct scrub_text *t, const char *s, size_t n)
{
	const char *dash = memchr(s, '-', n);
	size_t word = dash ? (size_t)(dash - s) : 0, number = word ? n - word - 1 : 0;

	return number && digits(dash + 1, number) == number &&
	       scrub_find(&t->names, TRACE_PUBLIC, s, word);
}

static const struct named_by *find_named_by(const char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(named_by) / sizeof(*named_by); i++)
		if (equals(s, n, named_by[i].before))
			return &named_by[i];
	return NULL;
}

static int put_known_word(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	if (is_number(s, n) || scrub_find(&t->names, TRACE_PUBLIC, s, n))
		return put(t, s, n);
	return put_named_as(t, class, s, n);
}

/* Writes a word of a setting: keeps numbers and known words, and replaces others. */
static int put_setting_word(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	if (is_setting_number(s, n) || is_numbered(t, s, n))
		return put(t, s, n);
	return put_known_word(t, class, s, n);
}

static int put_setting_name(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	uint64_t id = 0;
	int err;

	if (class != TRACE_PRIVATE_CGROUPS || digits(s, n) != n || n > 19 || is_kept(t, class))
		return put_pseudonym(t, class, s, n);
	for (size_t i = 0; i < n; i++)
		id = 10 * id + (uint64_t)(s[i] - '0');
	err = scrub_id(t, class, id, &id);
	return err ? err : put_number(t, "", id);
}

/* Replaces the name that follows a word and white space. The caller continues after the name. */
static int put_named(struct scrub_text *t, const struct named_by *by, struct word *w,
		     const char *end)
{
	const char *space = w->s + w->n;
	int err;

	w->before = w->s = space;
	while (w->s < end && memchr(" \t\n\v\f\r", *w->s, 6))
		w->s++;
	w->n = 0;
	while (w->s + w->n < end && !strchr(by->end, w->s[w->n]))
		w->n++;
	err = put(t, space, (size_t)(w->s - space));
	return err ? err : put_setting_name(t, by->class, w->s, w->n);
}

static int put_setting(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	struct word w = { .s = s };
	int err = 0;

	while (!err && next_word(&w, s + n)) {
		const struct named_by *by = find_named_by(w.s, w.n);

		err = put(t, w.before, (size_t)(w.s - w.before));
		if (!err && w.n)
			err = put_setting_word(t, class, w.s, w.n);
		if (!err && by)
			err = put_named(t, by, &w, s + n);
	}
	return err;
}

/* ---- dispatch ----------------------------------------------------------------------- */

/* How each class is replaced. Classes that are not listed are replaced by pseudonyms. */
static put_fn *const put_class[TRACE_PRIVACIES] = {
	[TRACE_PRIVATE_TASKS] = put_task,
	[TRACE_PRIVATE_PROGRAMS] = put_function,
	[TRACE_PRIVATE_TEXTS] = put_reasons,
	[TRACE_PRIVATE_SETTINGS] = put_setting,
};

int scrub_string(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	put_fn *fn = put_class[class] ? put_class[class] : put_pseudonym;

	t->out.n = 0;
	return fn(t, class, s, n);
}

int scrub_whole(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	t->out.n = 0;
	return is_kept(t, class) ? put(t, s, n) : put_known_word(t, class, s, n);
}

int scrub_program(struct scrub_text *t, const char *s, size_t n)
{
	t->out.n = 0;
	return put_program(t, TRACE_PRIVATE_PROGRAMS, s, n);
}

int scrub_text_init(struct scrub_text *t, unsigned int keep, uint64_t memory)
{
	*t = (struct scrub_text){ .keep = keep };
	budget_init(&t->names.budget, memory, 0);
	if (!mp_buf_room(&t->out, 1)) /* makes sure that the buffer is not NULL */
		return -ENOMEM;
	return learn_words(t);
}

void scrub_text_free(struct scrub_text *t)
{
	mp_buf_free(&t->own);
	mp_buf_free(&t->out);
	scrub_names_free(&t->names);
}
