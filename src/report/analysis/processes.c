// SPDX-License-Identifier: BSD-2-Clause
#include "processes.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"

#define VALUE(v, KEY) ((v)->value[MODEL_PROCESS_VALUE(KEY)])

const char *const processes_kinds[] = { "process", "idle", "rest", "others", NULL };

const struct processes_time processes_time[PROCESSES_TIMES] = {
	{ NETCOST_EV_TASK, MODEL_PROCESS_VALUE(TASK_NS), true, false },
	{ NETCOST_EV_IO_WORKER, MODEL_PROCESS_VALUE(IO_WORKER_NS), true, false },
	{ NETCOST_EV_SOCK_SEND, MODEL_PROCESS_VALUE(SOCK_SEND_NS), true, true },
	{ NETCOST_EV_SOCK_RECV, MODEL_PROCESS_VALUE(SOCK_RECV_NS), true, true },
	{ NETCOST_EV_SOCK_LOCAL, MODEL_PROCESS_VALUE(SOCK_LOCAL_NS), true, false },
	{ NETCOST_EV_RX_SOFTIRQ, MODEL_PROCESS_VALUE(RX_SOFTIRQ_NS), false, true },
	{ NETCOST_EV_TX_SOFTIRQ, MODEL_PROCESS_VALUE(TX_SOFTIRQ_NS), false, true },
	{ NETCOST_EV_RX_THREAD, MODEL_PROCESS_VALUE(RX_THREAD_NS), true, true },
	{ NETCOST_EV_RX_BUSY_POLL, MODEL_PROCESS_VALUE(RX_BUSY_POLL_NS), true, true },
	{ NETCOST_EV_HARDIRQ_NET, MODEL_PROCESS_VALUE(HARDIRQ_NET_NS), false, true },
};

/* ---- values ------------------------------------------------------------------------------ */

static void derive(struct processes_values *v)
{
	v->on_cpu_ns = v->network_ns = v->interrupted_ns = v->softirq_ns = NAN;
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_time *t = &processes_time[i];

		known_add(t->own ? &v->on_cpu_ns : &v->interrupted_ns, v->value[t->value]);
		if (t->own && t->network)
			known_add(&v->network_ns, v->value[t->value]);
	}
	if (isnan(VALUE(v, SOCK_SEND_NS)) && isnan(VALUE(v, SOCK_RECV_NS)))
		v->network_ns = NAN; /* threads of NAPI alone are not all of it */
	known_add(&v->softirq_ns, VALUE(v, RX_SOFTIRQ_NS));
	known_add(&v->softirq_ns, VALUE(v, TX_SOFTIRQ_NS));
	v->calls = VALUE(v, SEND_CALLS) + VALUE(v, RECV_CALLS);
	v->bytes = VALUE(v, SEND_BYTES) + VALUE(v, RECV_BYTES);
	/* Each over the time that it counted: they may have taken turns. */
	v->hz = 1e9 * known_ratio(VALUE(v, CYCLES), VALUE(v, CYCLES_NS));
	v->ipc = 1e9 * known_ratio(VALUE(v, INSTRUCTIONS), VALUE(v, INSTRUCTIONS_NS)) / v->hz;
}

/* By their ids. */
static void add(struct processes_values *to, const struct model *m, uint32_t id)
{
	const struct store *s = m->store[MODEL_STORE_PROCESSES], *o = m->store[MODEL_STORE_OWNERS];
	ptrdiff_t row = s ? store_find(s, &(uint64_t){ id }) : -1;

	for (unsigned int i = 0; i < MODEL_PROCESS_VALUES; i++) {
		unsigned int key = MODEL_PROCESS_KEY(i);

		if (!m->process_has[i])
			to->value[i] = NAN;
		else if (row >= 0)
			to->value[i] += known_uint(store_value(s, (size_t)row, key));
	}
	row = o ? store_find(o, &(uint64_t){ id }) : -1;
	if (row < 0)
		return;
	to->received_ns += known_uint(store_value(o, (size_t)row, TRACE_OWNER_STATS_NS));
	to->received_packets += known_uint(store_value(o, (size_t)row, TRACE_OWNER_STATS_PACKETS));
	to->received_squares += known_uint(store_value(o, (size_t)row, TRACE_OWNER_STATS_SQUARES));
}

static void add_values(struct processes_values *to, const struct processes_values *more)
{
	for (unsigned int i = 0; i < MODEL_PROCESS_VALUES; i++)
		to->value[i] += more->value[i];
	to->received_ns += more->received_ns;
	to->received_packets += more->received_packets;
	to->received_squares += more->received_squares;
}

#define OF(member) offsetof(struct processes_values, member)
#define OF_VALUE(KEY) (OF(value) + MODEL_PROCESS_VALUE(KEY) * sizeof(double))

static const size_t sort_of[PROCESSES_SORTS] = {
	[PROCESSES_SORT_CPU] = OF(on_cpu_ns),
	[PROCESSES_SORT_NETWORK] = OF(network_ns),
	[PROCESSES_SORT_BYTES] = OF(bytes),
	[PROCESSES_SORT_CALLS] = OF(calls),
	[PROCESSES_SORT_SOFTIRQ] = OF(softirq_ns),
	[PROCESSES_SORT_SWITCHES] = OF_VALUE(SWITCHES),
	[PROCESSES_SORT_SEND] = OF_VALUE(SOCK_SEND_NS),
	[PROCESSES_SORT_RECEIVE] = OF_VALUE(SOCK_RECV_NS),
	[PROCESSES_SORT_INTERRUPTED] = OF(interrupted_ns),
	[PROCESSES_SORT_RECEIVED] = OF(received_ns),
};

double processes_sort_value(const struct processes_values *v, enum processes_sort sort)
{
	const void *at = (const char *)v + sort_of[sort];

	return *(const double *)at;
}

/* ---- what belongs together --------------------------------------------------------------- */

/* A process of the model, with what it is grouped by. */
struct member {
	const struct model_process *p;
	const char *path, *name;
	const struct container *c;
};

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* One of which it is not known when it began is that of the same pid that is next to it: so it comes first. */
static int by_process(const void *pa, const void *pb)
{
	const struct model_process *a = ((const struct member *)pa)->p,
				   *b = ((const struct member *)pb)->p;
	int order = compare(a->pid, b->pid);

	if (!order)
		order = compare(a->start_ns + 1, b->start_ns + 1);
	return order ? order : (a > b) - (a < b);
}

static int by_cgroup(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int order = strcmp(a->path, b->path);

	if (!order && !*a->path)
		order = compare(a->p->cgroup, b->p->cgroup);
	return order ? order : by_process(pa, pb);
}

static int by_container(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int order = strcmp(a->c->id, b->c->id);

	if (!order)
		order = strcmp(a->c->runtime, b->c->runtime);
	return order ? order : by_process(pa, pb);
}

/* Threads of the kernel are not what a program calls itself. */
static int by_name(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = a->p->kernel - b->p->kernel;
	return order ? order : by_process(pa, pb);
}

static int by_user(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int order = a->p->kernel - b->p->kernel;

	if (!order && !a->p->kernel)
		order = compare(a->p->user, b->p->user);
	return order ? order : by_process(pa, pb);
}

static int (*const order_of[])(const void *pa, const void *pb) = {
	[PROCESSES_BY_PROCESS] = by_process,	 [PROCESSES_BY_CGROUP] = by_cgroup,
	[PROCESSES_BY_CONTAINER] = by_container, [PROCESSES_BY_NAME] = by_name,
	[PROCESSES_BY_USER] = by_user,
};

static bool same_process(const struct model_process *a, const struct model_process *b)
{
	if (a->pid == TRACE_NIL || a->pid != b->pid)
		return false;
	return a->start_ns == b->start_ns || a->start_ns == TRACE_NIL || b->start_ns == TRACE_NIL;
}

static bool together(const struct member *a, const struct member *b, enum processes_by by)
{
	if (by == PROCESSES_BY_PROCESS)
		return same_process(a->p, b->p);
	if (by == PROCESSES_BY_NAME)
		return !strcmp(a->name, b->name) && a->p->kernel == b->p->kernel;
	if (by == PROCESSES_BY_USER)
		return a->p->kernel == b->p->kernel && (a->p->kernel || a->p->user == b->p->user);
	if (by == PROCESSES_BY_CGROUP)
		return *a->path ? !strcmp(a->path, b->path) : a->p->cgroup == b->p->cgroup;
	return !strcmp(a->c->id, b->c->id) && !strcmp(a->c->runtime, b->c->runtime);
}

static bool is_idle(const struct model_process *p)
{
	return !p->pid;
}

/* The best rows so far, in no order, and some more. What is not among the best goes to `others`. */
struct best {
	struct processes_row *row;
	size_t n, most; /* there is room for twice as many, and one more */
	enum processes_sort sort;
	struct processes_row others;
};

/* By what is sorted by; then by time, and names, so that the order does not depend on qsort(). */
static int row_order(const void *pa, const void *pb, void *by)
{
	const struct processes_row *a = pa, *b = pb;
	enum processes_sort sort = *(const enum processes_sort *)by;
	double va = known_or_0(processes_sort_value(&a->v, sort)),
	       vb = known_or_0(processes_sort_value(&b->v, sort));
	int order = (va < vb) - (va > vb);

	if (!order) {
		va = known_or_0(a->v.on_cpu_ns);
		vb = known_or_0(b->v.on_cpu_ns);
		order = (va < vb) - (va > vb);
	}
	if (!order)
		order = strcmp(a->name, b->name);
	if (!order)
		order = compare(a->pid, b->pid);
	if (!order)
		order = compare(a->start_ns, b->start_ns);
	return order ? order : compare(a->group, b->group);
}

static void choose(struct best *b)
{
	qsort_r(b->row, b->n, sizeof(*b->row), row_order, &b->sort);
	for (; b->n > b->most; b->n--) {
		add_values(&b->others.v, &b->row[b->n - 1].v);
		b->others.processes += b->row[b->n - 1].processes;
	}
}

static void put(struct best *b, const struct processes_row *row)
{
	b->row[b->n++] = *row;
	if (b->n > 2 * b->most)
		choose(b);
}

static const struct container no_container = { .runtime = "" };

/* Of whoever started them, wherever they are. */
static void set_user(const struct processes *p, struct processes_row *row,
		     const struct member *last)
{
	row->user = last->p->user;
	if (p->by != PROCESSES_BY_USER)
		return;
	if (row->kernel)
		row->user = TRACE_NIL;
	row->name = row->kernel ? "" : p->user_name[last->p - p->m->process];
	row->cgroup = "";
	row->container = &no_container;
}

/* Definitions of one process are in the order of time: the last one has the name that it ended with. */
static struct processes_row make_row(const struct processes *p, const struct member *member,
				     size_t n)
{
	const struct member *last = &member[n - 1];
	struct processes_row row = { .name = model_string(p->m, last->p->name),
				     .pid = last->p->pid,
				     .start_ns = last->p->start_ns,
				     .kernel = last->p->kernel,
				     .cgroup = last->path,
				     .container = last->c,
				     .processes = 1 };

	for (size_t i = 0; i < n; i++) {
		add(&row.v, p->m, (uint32_t)(member[i].p - p->m->process));
		row.processes += i && !same_process(member[i - 1].p, member[i].p);
	}
	if (p->by != PROCESSES_BY_PROCESS)
		row.pid = row.start_ns = TRACE_NIL;
	if (p->by == PROCESSES_BY_CGROUP)
		row.name = last->path;
	if (p->by == PROCESSES_BY_CONTAINER)
		row.name = last->c->id;
	if (p->by == PROCESSES_BY_NAME) {
		row.cgroup = "";
		row.container = &no_container;
	}
	set_user(p, &row, last);
	derive(&row.v);
	return row;
}

static void group(struct processes *p, struct member *member, size_t n, struct best *best)
{
	qsort(member, n, sizeof(*member), order_of[p->by]);
	for (size_t i = 0, end; i < n; i = end) {
		struct processes_row row;

		for (end = i + 1; end < n && together(&member[end - 1], &member[end], p->by);)
			end++;
		row = make_row(p, &member[i], end - i);
		row.group = (uint32_t)++p->groups;
		for (size_t k = i; k < end; k++)
			p->group_of[member[k].p - p->m->process] = row.group;
		put(best, &row);
	}
}

/* ---- all of it --------------------------------------------------------------------------- */

static void add_row(struct processes *p, const struct processes_row *row)
{
	p->row[p->nrows] = *row;
	derive(&p->row[p->nrows++].v);
}

static bool anything(const struct processes_values *v)
{
	for (unsigned int i = 0; i < MODEL_PROCESS_VALUES; i++)
		if (v->value[i] > 0)
			return true;
	return false;
}

/* The idle tasks, and those that were not kept apart, where there are any. */
static void add_special(struct processes *p, const struct best *best)
{
	struct processes_row idle = { .kind = PROCESSES_IDLE, .name = "", .cgroup = "" };
	struct processes_row rest = { .kind = PROCESSES_REST, .name = "", .cgroup = "" };
	bool has_idle = false;

	for (uint32_t id = 1; id <= p->m->nprocesses; id++) {
		if (!is_idle(&p->m->process[id]))
			continue;
		add(&idle.v, p->m, id);
		has_idle = true;
	}
	idle.pid = 0;
	idle.start_ns = rest.pid = rest.start_ns = TRACE_NIL;
	idle.user = rest.user = TRACE_NIL;
	if (best->others.processes)
		add_row(p, &best->others);
	if (has_idle)
		add_row(p, &idle);
	if (!p->m->process)
		return;
	add(&rest.v, p->m, 0);
	if (anything(&rest.v))
		add_row(p, &rest);
}

static void add_sums(struct processes *p)
{
	const struct model_cpu *cpu;

	for (size_t i = 0; i < p->nrows; i++)
		add_values(&p->all, &p->row[i].v);
	derive(&p->all);
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_time *t = &processes_time[i];
		struct processes_sum *s = &p->sum[i];

		s->event = t->event;
		s->processes_ns = p->all.value[t->value];
		s->cpus_ns = NAN;
		model_for_each_cpu(p->m, cpu)
			known_add(&s->cpus_ns, counter_moved(&cpu->ns[s->event]));
		if (isnan(s->processes_ns))
			continue;
		p->busy_ns += s->processes_ns;
		p->cpus_busy_ns += known_or_0(s->cpus_ns);
		p->network_ns += t->network ? s->processes_ns : 0;
		p->cpus_network_ns += t->network ? known_or_0(s->cpus_ns) : 0;
	}
}

/* Of each cgroup, by id. */
static struct container *containers_of(const struct model *m)
{
	struct container *c = calloc(m->ncgroups + (size_t)1, sizeof(*c));

	for (uint32_t id = 0; c && id <= m->ncgroups; id++)
		container_of_path(model_cgroup(m, id), &c[id]);
	return c;
}

/* Of each process. NULL: no memory. */
static void *user_names_of(const struct model *m)
{
	char(*name)[PROCESSES_USER_NAME] = calloc(m->nprocesses + (size_t)1, sizeof(*name));

	for (uint32_t id = 1; name && id <= m->nprocesses; id++)
		if (m->process[id].user != TRACE_NIL)
			snprintf(name[id], sizeof(name[id]), "%" PRIu64, m->process[id].user);
	return name;
}

static size_t collect(const struct processes *p, struct member *member)
{
	const struct model *m = p->m;
	size_t n = 0;

	for (uint32_t id = 1; id <= m->nprocesses; id++) {
		const struct model_process *mp = &m->process[id];

		if (!is_idle(mp))
			member[n++] = (struct member){ .p = mp,
						       .path = model_cgroup(m, mp->cgroup),
						       .name = model_string(m, mp->name),
						       .c = &p->container[mp->cgroup] };
	}
	return n;
}

static int make_rows(struct processes *p, struct member *member, enum processes_sort sort,
		     size_t most)
{
	size_t members = collect(p, member);
	struct best best = { .most = most < members ? most : members,
			     .sort = sort,
			     .others = { .kind = PROCESSES_OTHERS,
					 .name = "",
					 .cgroup = "",
					 .pid = TRACE_NIL,
					 .start_ns = TRACE_NIL,
					 .user = TRACE_NIL } };

	p->row = best.row = calloc(2 * best.most + 4, sizeof(*p->row));
	if (!p->row)
		return -ENOMEM;
	group(p, member, members, &best);
	choose(&best);
	p->nrows = best.n;
	add_special(p, &best);
	add_sums(p);
	return 0;
}

int processes_make(struct processes *p, const struct model *m, enum processes_by by,
		   enum processes_sort sort, size_t n)
{
	struct member *member = malloc((m->nprocesses + (size_t)1) * sizeof(*member));
	int err = -ENOMEM;

	*p = (struct processes){ .m = m, .by = by, .container = containers_of(m) };
	p->group_of = calloc(m->nprocesses + (size_t)1, sizeof(*p->group_of));
	if (by == PROCESSES_BY_USER)
		p->user_name = user_names_of(m);
	if (member && p->container && p->group_of && (p->user_name || by != PROCESSES_BY_USER))
		err = make_rows(p, member, sort, n);
	free(member);
	if (err)
		processes_free(p);
	else
		p->paused_ns = model_paused_ns(m, m->first_ns, m->last_ns);
	return err;
}

void processes_free(struct processes *p)
{
	free(p->row);
	free(p->container);
	free(p->group_of);
	free(p->user_name);
	p->row = NULL;
	p->container = NULL;
	p->group_of = NULL;
	p->user_name = NULL;
}
