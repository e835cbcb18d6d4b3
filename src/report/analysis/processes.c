// SPDX-License-Identifier: BSD-2-Clause
#include "processes.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "names.h"
#include "report/base/stats.h"

/* ---- processes ------------------------------------------------------------------------- */

#define VALUE(v, KEY) ((v)->value[MODEL_PROCESS_VALUE(KEY)])

const char *const processes_kinds[] = { "process", "idle", "rest", "others", NULL };

static const struct processes_time processes_time[PROCESSES_TIMES] = {
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
	/* the time of threaded NAPI alone is not the network's whole time */
	if (isnan(VALUE(v, SOCK_SEND_NS)) && isnan(VALUE(v, SOCK_RECV_NS)))
		v->network_ns = NAN;
	known_add(&v->softirq_ns, VALUE(v, RX_SOFTIRQ_NS));
	known_add(&v->softirq_ns, VALUE(v, TX_SOFTIRQ_NS));
	v->calls = VALUE(v, SEND_CALLS) + VALUE(v, RECV_CALLS);
	v->bytes = VALUE(v, SEND_BYTES) + VALUE(v, RECV_BYTES);
	/* Each rate is relative to the time in which its counter ran, because counters may be multiplexed. */
	v->hz = 1e9 * known_ratio(VALUE(v, CYCLES), VALUE(v, CYCLES_NS));
	v->ipc = 1e9 * known_ratio(VALUE(v, INSTRUCTIONS), VALUE(v, INSTRUCTIONS_NS)) / v->hz;
}

static double time_of(const struct processes_values *v, enum process_time time)
{
	return time == PROCESS_TIME_ON_CPU  ? v->on_cpu_ns :
	       time == PROCESS_TIME_NETWORK ? v->network_ns :
					      v->interrupted_ns;
}

/* Adds the values of one of the model's processes. */
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

/* ---- groups of processes ---- */

/* A process of the model and its key. Processes with the same texts and number form one group. */
struct member {
	const struct model_process *p;
	const char *text, *more;
	uint64_t number;
};

static struct member member_of(const struct processes *p, uint32_t id)
{
	const struct model_process *mp = &p->m->process[id];
	const char *name[MODEL_CGROUP_NAMES];
	const struct container *c = &p->container[mp->cgroup];
	/*
	 * `kernel` is part of the key, because a program may have the name of a kernel thread, and kernel threads
	 * belong to no user.
	 */
	const char *kernel = mp->kernel ? "kernel" : "";

	for (unsigned int i = 0; i < MODEL_CGROUP_NAMES; i++)
		name[i] = model_cgroup_name(p->m, mp->cgroup, i);
	switch (p->by) {
	case PROCESSES_BY_CGROUP:
		return (struct member){ mp, name[MODEL_CGROUP_PATH], "",
					*name[MODEL_CGROUP_PATH] ? 0 : mp->cgroup };
	case PROCESSES_BY_CONTAINER:
		return (struct member){ mp, c->id, c->runtime, 0 };
	case PROCESSES_BY_NAME:
		return (struct member){ mp, model_string(p->m, mp->name), kernel, 0 };
	case PROCESSES_BY_USER:
		return (struct member){ mp, kernel, "", mp->kernel ? 0 : mp->user };
	case PROCESSES_BY_POD:
		return (struct member){ mp,
					*name[MODEL_CGROUP_POD] ? name[MODEL_CGROUP_POD] : c->pod,
					name[MODEL_CGROUP_NAMESPACE], 0 };
	case PROCESSES_BY_NAMESPACE:
		return (struct member){ mp, name[MODEL_CGROUP_NAMESPACE], "", 0 };
	case PROCESSES_BY_WORKLOAD:
		return (struct member){
			mp, name[MODEL_CGROUP_WORKLOAD],
			*name[MODEL_CGROUP_WORKLOAD] ? name[MODEL_CGROUP_NAMESPACE] : "", 0
		};
	case PROCESSES_BY_IMAGE:
		return (struct member){ mp, name[MODEL_CGROUP_IMAGE], "", 0 };
	default:
		return (struct member){ mp, "", "", mp->pid };
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const struct member *a, const struct member *b)
{
	int order = strcmp(a->text, b->text);

	if (!order)
		order = strcmp(a->more, b->more);
	return order ? order : compare(a->number, b->number);
}

/*
 * Compares two members by group. A process with an unknown start joins the next process of its pid (same_process()), so
 * it must come first: TRACE_NIL + 1 is 0.
 */
static int by_group(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int order = by_key(a, b);

	if (!order)
		order = compare(a->p->pid, b->p->pid);
	if (!order)
		order = compare(a->p->start_ns + 1, b->p->start_ns + 1);
	return order ? order : (a->p > b->p) - (a->p < b->p);
}

static bool same_process(const struct model_process *a, const struct model_process *b)
{
	if (a->pid == TRACE_NIL || a->pid != b->pid)
		return false;
	return a->start_ns == b->start_ns || a->start_ns == TRACE_NIL || b->start_ns == TRACE_NIL;
}

static bool together(const struct member *a, const struct member *b, enum processes_by by)
{
	return by == PROCESSES_BY_PROCESS ? same_process(a->p, b->p) : !by_key(a, b);
}

static bool is_idle(const struct model_process *p)
{
	return !p->pid;
}

/*
 * The rows with the largest values so far, unsorted, and some further rows that may have to be dropped. Dropped rows
 * are summed up in `others`.
 */
struct best {
	struct processes_row *row;
	size_t n, most; /* row[] has room for 2 * most + 1 rows */
	enum processes_sort sort;
	struct processes_row others;
};

static int falling(double a, double b)
{
	return (known_or_0(a) < known_or_0(b)) - (known_or_0(a) > known_or_0(b));
}

/* Compares two rows by the chosen value, then by time and names, so that the order does not depend on qsort(). */
static int row_order(const void *pa, const void *pb, void *by)
{
	const struct processes_row *a = pa, *b = pb;
	enum processes_sort sort = *(const enum processes_sort *)by;
	int order = falling(processes_sort_value(&a->v, sort), processes_sort_value(&b->v, sort));

	if (!order)
		order = falling(a->v.on_cpu_ns, b->v.on_cpu_ns);
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

/* The names that all processes of a row have in common, as bits. */
#define SHARED(NAME) 1u << MODEL_CGROUP_##NAME
static const unsigned int shared_names[] = {
	[PROCESSES_BY_PROCESS] = ~0u,
	[PROCESSES_BY_CGROUP] = ~0u,
	[PROCESSES_BY_CONTAINER] = ~0u,
	[PROCESSES_BY_POD] = SHARED(POD) | SHARED(NAMESPACE) | SHARED(WORKLOAD),
	[PROCESSES_BY_NAMESPACE] = SHARED(NAMESPACE),
	[PROCESSES_BY_WORKLOAD] = SHARED(WORKLOAD) | SHARED(NAMESPACE),
	[PROCESSES_BY_IMAGE] = SHARED(IMAGE),
};

/*
 * Makes the row of a group. The definitions of a process are in chronological order, so the last definition contains
 * the last name.
 */
static struct processes_row make_row(const struct processes *p, const struct member *member,
				     size_t n)
{
	const struct model_process *last = member[n - 1].p;
	struct processes_row row = { .name = member->text,
				     .pid = TRACE_NIL,
				     .start_ns = TRACE_NIL,
				     .user = last->user,
				     .kernel = last->kernel,
				     .cgroup = model_cgroup(p->m, last->cgroup),
				     .container = &p->container[last->cgroup],
				     .processes = 1 };

	for (unsigned int i = 0; i < MODEL_CGROUP_NAMES; i++)
		row.label[i] = shared_names[p->by] & 1u << i ?
				       model_cgroup_name(p->m, last->cgroup, i) :
				       "";
	for (size_t i = 0; i < n; i++) {
		add(&row.v, p->m, (uint32_t)(member[i].p - p->m->process));
		row.processes += i && !same_process(member[i - 1].p, member[i].p);
	}
	derive(&row.v);
	for (unsigned int t = 0; t < PROCESS_TIMES; t++)
		row.measured_ns[t] = time_of(&row.v, t);
	processes_own_take(&p->own, row.v.value);
	if (p->by == PROCESSES_BY_PROCESS) {
		row.name = model_string(p->m, last->name);
		row.pid = last->pid;
		row.start_ns = last->start_ns;
	}
	if (p->by == PROCESSES_BY_USER) {
		row.name = row.kernel ? "" : p->user_name[last - p->m->process];
		row.user = row.kernel ? TRACE_NIL : last->user;
	}
	/* The processes of the row may be in several cgroups. */
	if (p->by > PROCESSES_BY_CONTAINER)
		row.cgroup = "";
	if (p->by > PROCESSES_BY_CONTAINER && p->by != PROCESSES_BY_POD)
		row.container = &no_container;
	derive(&row.v);
	return row;
}

static void group(struct processes *p, struct member *member, size_t n, struct best *best)
{
	qsort(member, n, sizeof(*member), by_group);
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

/* ---- the whole table ---- */

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

/* Returns an empty row of a kind other than PROCESSES_ONE. */
static struct processes_row no_process(enum processes_kind kind)
{
	return (struct processes_row){ .kind = kind,
				       .name = "",
				       .cgroup = "",
				       .pid = TRACE_NIL,
				       .start_ns = TRACE_NIL,
				       .user = TRACE_NIL };
}

/* Adds the rows of all kinds other than PROCESSES_ONE. Rows without values are left out. */
static void add_special(struct processes *p, const struct best *best)
{
	struct processes_row idle = no_process(PROCESSES_IDLE), rest = no_process(PROCESSES_REST);
	bool has_idle = false;

	for (uint32_t id = 1; id <= p->m->nprocesses; id++) {
		if (!is_idle(&p->m->process[id]))
			continue;
		add(&idle.v, p->m, id);
		has_idle = true;
	}
	processes_own_take(&p->own, idle.v.value);
	idle.pid = 0;
	if (best->others.processes)
		add_row(p, &best->others);
	if (has_idle)
		add_row(p, &idle);
	if (!p->m->process)
		return;
	add(&rest.v, p->m, 0);
	if (!anything(&rest.v))
		return;
	processes_own_take(&p->own, rest.v.value);
	add_row(p, &rest);
}

static void add_sums(struct processes *p)
{
	for (size_t i = 0; i < p->nrows; i++)
		add_values(&p->all, &p->row[i].v);
	derive(&p->all);
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_time *t = &processes_time[i];
		const struct own_part *own = &p->own.event[t->event];
		struct processes_sum *s = &p->sum[i];

		s->event = t->event;
		s->processes_ns = p->all.value[t->value];
		s->cpus_ns = own->exact_ns - own->taken_ns;
		if (isnan(s->processes_ns))
			continue;
		p->own_ns += own->taken_ns;
		p->busy_ns += s->processes_ns;
		p->cpus_busy_ns += known_or_0(s->cpus_ns);
		p->network_ns += t->network ? s->processes_ns : 0;
		p->cpus_network_ns += t->network ? known_or_0(s->cpus_ns) : 0;
	}
}

/* Returns the container of each cgroup, by id. */
static struct container *containers_of(const struct model *m)
{
	struct container *c = calloc(m->ncgroups + (size_t)1, sizeof(*c));

	for (uint32_t id = 0; c && id <= m->ncgroups; id++)
		container_of_path(model_cgroup(m, id), &c[id]);
	return c;
}

/* Returns the user id of each process as text, or NULL if out of memory. */
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
	size_t n = 0;

	for (uint32_t id = 1; id <= p->m->nprocesses; id++)
		if (!is_idle(&p->m->process[id]))
			member[n++] = member_of(p, id);
	return n;
}

static int find_own(struct processes *p)
{
	struct processes_values all = { .value = { 0 } };

	for (uint32_t id = 0; p->m->process && id <= p->m->nprocesses; id++)
		add(&all, p->m, id);
	return processes_own_make(&p->own, p->m, all.value);
}

/* Finds names for the processes that have no name in their own record. */
static int find_names(struct processes *p)
{
	struct idmap names;

	if (p->by != PROCESSES_BY_PROCESS)
		return 0;
	if (names_make(&names, p->m))
		return -ENOMEM;
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].kind == PROCESSES_ONE && !*p->row[i].name)
			p->row[i].name = model_string(p->m, idmap_get(&names, p->row[i].pid));
	idmap_free(&names);
	return 0;
}

static int make_rows(struct processes *p, struct member *member, enum processes_sort sort,
		     size_t most)
{
	size_t members = collect(p, member);
	struct best best = { .most = most < members ? most : members,
			     .sort = sort,
			     .others = no_process(PROCESSES_OTHERS) };

	p->row = best.row = calloc(2 * best.most + 4, sizeof(*p->row));
	if (!p->row || find_own(p))
		return -ENOMEM;
	group(p, member, members, &best);
	choose(&best);
	p->nrows = best.n;
	add_special(p, &best);
	add_sums(p);
	return find_names(p);
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
	*p = (struct processes){ .m = p->m, .by = p->by };
}

/* ---- by interval, while the intervals are filled ------------------------------------------------- */

/* Sets ns[] to the PROCESS_TIMES of a row of PROCESS_STATS. */
static void sums_of(double ns[PROCESS_TIMES], const struct store *s, size_t row)
{
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_time *of = &processes_time[i];
		uint64_t v = store_value(s, row, MODEL_PROCESS_KEY(of->value));

		if (v == TRACE_NIL)
			continue;
		ns[of->own ? PROCESS_TIME_ON_CPU : PROCESS_TIME_INTERRUPTED] += (double)v;
		if (of->own && of->network)
			ns[PROCESS_TIME_NETWORK] += (double)v;
	}
}

static int by_process(const void *pa, const void *pb)
{
	const struct process_times_entry *a = pa, *b = pb;

	return compare(a->process, b->process);
}

static void times_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct process_times *t = ctx;
	const uint32_t *row;
	size_t n = store_touched(s, &row), before = t->n;

	t->too_many |= t->n + n > PROCESS_TIMES_MOST;
	t->no_memory |= !t->too_many &&
			array_reserve(&t->entry, &t->cap, t->n + n, sizeof(*t->entry));
	if (t->too_many || t->no_memory)
		return;
	for (size_t i = 0; i < n; i++) {
		struct process_times_entry *e = &t->entry[t->n];

		*e = (struct process_times_entry){ .piece = piece };
		e->process = (uint32_t)store_dim(s, row[i], TRACE_PROCESS_STATS_PROCESS);
		sums_of(e->ns, s, row[i]);
		t->n += e->ns[PROCESS_TIME_ON_CPU] > 0 || e->ns[PROCESS_TIME_INTERRUPTED] > 0;
	}
	if (t->n > before)
		qsort(&t->entry[before], t->n - before, sizeof(*t->entry), by_process);
}

static void times_forget(struct process_times *t)
{
	free(t->entry);
	*t = (struct process_times){ .pieces = t->pieces };
}

static void times_begin(void *ctx, const struct intervals *iv)
{
	(void)iv;
	times_forget(ctx);
}

void process_times_init(struct process_times *t)
{
	*t = (struct process_times){ .pieces = {
					     .ctx = t, .begin = times_begin, .take = times_take } };
	pieces_init(&t->pieces, &model_process_stats_query);
}

/* Frees the times. Afterwards, t can be used again. */
void process_times_free(struct process_times *t)
{
	pieces_free(&t->pieces);
	times_forget(t);
}

/* ---- by interval and group ------------------------------------------------------------------------ */

/*
 * Finds, for each track, the share of its times that is not the recorder's own part. The last track holds all groups
 * without a separate track.
 */
static void find_left(struct process_tracks *k, const struct processes *p)
{
	struct processes_values measured = { .received_ns = 0 };

	memcpy(measured.value, p->own.value, sizeof(measured.value));
	derive(&measured);
	for (unsigned int t = 0; t < PROCESS_TIMES; t++) {
		double all_ns = time_of(&measured, t), left_ns = time_of(&p->all, t), left;

		for (size_t i = 0; i < k->ntracks; i++) {
			double ns = time_of(&p->row[i].v, t);

			left = known_ratio(ns, p->row[i].measured_ns[t]);
			k->left[i][t] = isnan(left) ? 1 : left;
			all_ns -= p->row[i].measured_ns[t];
			left_ns -= ns;
		}
		left = known_ratio(left_ns, all_ns);
		k->left[k->ntracks][t] = isnan(left) || !(p->own_ns > 0) ? 1 : left;
	}
}

int process_tracks_make(struct process_tracks *k, const struct processes *p,
			const struct process_times *t, size_t n)
{
	*k = (struct process_tracks){ .p = p, .t = t };
	if (t->no_memory)
		return -ENOMEM;
	k->track_of = malloc((p->groups + 1) * sizeof(*k->track_of));
	if (!k->track_of)
		return -ENOMEM;
	while (k->ntracks < p->nrows && k->ntracks < n && p->row[k->ntracks].kind == PROCESSES_ONE)
		k->ntracks++;
	for (size_t i = 0; i <= p->groups; i++)
		k->track_of[i] = k->ntracks;
	for (size_t i = 0; i < k->ntracks; i++)
		k->track_of[p->row[i].group] = i;
	k->left = calloc(k->ntracks + 1, sizeof(*k->left));
	if (!k->left) {
		process_tracks_free(k);
		return -ENOMEM;
	}
	find_left(k, p);
	return 0;
}

void process_tracks_free(struct process_tracks *k)
{
	free(k->track_of);
	free(k->left);
	k->track_of = NULL;
	k->left = NULL;
}

/* Returns the index of the first entry that belongs to the interval `piece` or to a later one. */
static size_t first_of(const struct process_times *t, size_t piece)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->entry[middle].piece < piece)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void process_tracks_add(const struct process_tracks *k, size_t piece, double (*sums)[PROCESS_TIMES])
{
	const struct process_times *t = k->t;

	for (size_t i = first_of(t, piece); i < t->n && t->entry[i].piece == piece; i++) {
		const struct process_times_entry *e = &t->entry[i];
		size_t track = k->track_of[k->p->group_of[e->process]];

		for (unsigned int v = 0; v < PROCESS_TIMES; v++)
			sums[track][v] += e->ns[v] * (k->left ? k->left[track][v] : 1);
	}
}
