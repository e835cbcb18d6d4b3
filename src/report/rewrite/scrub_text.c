// SPDX-License-Identifier: BSD-2-Clause
/* Names of tasks, interfaces and BPF programs, and sentences: what of them may stay. */
#include "scrub_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <netcost/trace.h>

#include "scrub_said.h"

#define COMM_LEN 15 /* the kernel cuts a task's name there */

typedef int put_fn(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

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

/* A name that every host has. */
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

/* TIME numbers nothing else: there a pid is one whose first start is known, and pid and start are that start. */
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

#define OWN_BYTES                                                                                  \
	4096 /* some 60 programs; a trace may define more, and as many functions to compare with them */

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

/* A BPF program is called bpf_prog_TAG_NAME: the kernel makes the tag of 16 digits, its author the name. */
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
 * Names of kernel threads, and the recorder's own. # is digits; @ digits that are a process id; % an
 * interface, and -digits after it; & the rest, which names something; * the rest, which is left out.
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

/* What comes after "napi/". Where the kernel has cut a name, its end cannot be told from the interface's. */
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

/* What the thread is busy with. */
static int put_if_kept(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	return is_kept(t, class) ? put(t, s, n) : 0;
}

static const struct wild {
	char c;
	bool number; /* stands for digits; otherwise for the rest */
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

/* The name in pieces, by the pattern; 0: it is no such name. */
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

/* ---- sentences --------------------------------------------------------------------------- */

/* A version, a frequency, seconds: not a date, nor an address. */
static bool is_number(const char *s, size_t n)
{
	size_t whole = digits(s, n), dots = 0, i;

	for (i = 0; i < n && (digits(s + i, 1) || s[i] == '.'); i++)
		dots += s[i] == '.';
	return i == n && whole && whole <= 7 && n <= 12 && dots <= 2;
}

/* strict: our own words and numbers are replaced like any other. */
static int put_word(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n,
		    bool strict)
{
	static const enum trace_privacy named[] = { TRACE_PRIVATE_NETDEVS, TRACE_PRIVATE_TASKS,
						    TRACE_PRIVATE_HOST, TRACE_PRIVATE_COMMAND };

	if (!strict && (is_number(s, n) || scrub_find(&t->names, TRACE_PUBLIC, s, n)))
		return put(t, s, n);
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (scrub_find(&t->names, named[i], s, n))
			return put_pseudonym(t, named[i], s, n);
	return put_pseudonym(t, class, s, n);
}

static int put_words(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n,
		     bool strict)
{
	struct scrub_word w = { .s = s };
	int err = 0;

	while (!err && scrub_next_word(&w, s + n)) {
		err = put(t, w.before, (size_t)(w.s - w.before));
		if (!err && w.n)
			err = put_word(t, class, w.s, w.n, strict);
	}
	return err;
}

/* A number, or the text of an errno: those have several words, and only they are known as a whole. */
static bool is_known(void *ctx, const char *s, size_t n)
{
	const struct scrub_text *t = ctx;

	return is_number(s, n) || (memchr(s, ' ', n) && scrub_find(&t->names, TRACE_PUBLIC, s, n));
}

static int put_said(struct scrub_text *t, enum trace_privacy class, struct said *said,
		    const char *s, size_t n)
{
	struct said_piece piece[SAID_PIECES];
	size_t count = said_take_apart(said, s, n, piece);
	int err = 0;

	for (size_t i = 0; i < count && !err; i++) {
		const struct said_piece *p = &piece[i];

		if (p->own || is_known(t, p->s, p->n))
			err = put(t, p->s, p->n);
		else if (said_is(said, p->s, p->n))
			err = put_said(t, class, said, p->s, p->n);
		else
			err = put_words(t, class, p->s, p->n, true);
	}
	return count || err ? err : put_words(t, class, s, n, false);
}

static int put_sentence(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	unsigned int tries = t->tries < SAID_TRIES ? t->tries : SAID_TRIES;
	struct said said = { .known = is_known, .ctx = t, .tries = tries };
	int err;

	if (is_kept(t, class))
		return put(t, s, n);
	err = put_said(t, class, &said, s, n);
	t->tries -= tries - said.tries;
	return err;
}

/* ---- settings ---------------------------------------------------------------------------- */

/* What comes after these, up to one of the bytes in `end`: the kernel allows all others in an interface's name. */
static const struct named_by {
	const char *before;
	enum trace_privacy class;
	const char *end;
} named_by[] = {
	{ "interface", TRACE_PRIVATE_NETDEVS, " \t\n\v\f\r" },
	{ "prog", TRACE_PRIVATE_PROGRAMS, " \t\n\v\f\r," },
	{ "cgroup", TRACE_PRIVATE_CGROUPS, " \t\n\v\f\r," }, /* its inode number */
};

/* A number of any length, or two, as a range of CPUs has them; not an address, nor a date. */
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

/* rx-0, irq-38: a word of ours, and a number. */
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

/* Words that are known, the kernel's or our own, stay, and so do numbers. */
static int put_setting_word(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n)
{
	if (is_setting_number(s, n) || is_numbered(t, s, n))
		return put(t, s, n);
	return put_word(t, class, s, n, false);
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

/* What is named after a word, and the white space before it. Goes on after it. */
static int put_named(struct scrub_text *t, const struct named_by *by, struct scrub_word *w,
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
	struct scrub_word w = { .s = s };
	int err = 0;

	while (!err && scrub_next_word(&w, s + n)) {
		const struct named_by *by = find_named_by(w.s, w.n);

		err = put(t, w.before, (size_t)(w.s - w.before));
		if (!err && w.n)
			err = put_setting_word(t, class, w.s, w.n);
		if (!err && by)
			err = put_named(t, by, &w, s + n);
	}
	return err;
}

/* ---- all --------------------------------------------------------------------------------- */

/* All others have pseudonyms. */
static put_fn *const put_class[TRACE_PRIVACIES] = {
	[TRACE_PRIVATE_TASKS] = put_task,
	[TRACE_PRIVATE_PROGRAMS] = put_function,
	[TRACE_PRIVATE_TEXTS] = put_sentence,
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
	return is_kept(t, class) ? put(t, s, n) : put_word(t, class, s, n, false);
}

int scrub_program(struct scrub_text *t, const char *s, size_t n)
{
	t->out.n = 0;
	return put_program(t, TRACE_PRIVATE_PROGRAMS, s, n);
}

static int learn(void *ctx, const char *s, size_t n)
{
	struct scrub_text *t = ctx;
	uint32_t number;

	return scrub_number(&t->names, TRACE_PUBLIC, s, n, &number);
}

int scrub_text_init(struct scrub_text *t, unsigned int keep, unsigned long memory)
{
	*t = (struct scrub_text){ .keep = keep, .tries = SAID_TRIES_IN_ALL };
	budget_init(&t->names.budget, memory, 0);
	if (!mp_buf_room(&t->out, 1)) /* then it is never NULL */
		return -ENOMEM;
	return scrub_each_known_word(learn, t);
}

void scrub_text_free(struct scrub_text *t)
{
	mp_buf_free(&t->own);
	mp_buf_free(&t->out);
	scrub_names_free(&t->names);
}
