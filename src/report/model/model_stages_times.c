// SPDX-License-Identifier: BSD-2-Clause
/* Times of packets' ways: of each step and the whole, of all packets, and by interface, network namespace or flow. */
#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "model_impl.h"
#include "stages_impl.h"

enum { NOT_KNOWN, REST, KEPT }; /* places of keys */

/* NULL: it has none. */
static struct stages_step *find_step(const struct stages_times *t, enum stages_path path,
				     unsigned int from, unsigned int to)
{
	for (size_t i = 0; i < t->nsteps; i++)
		if (t->step[i].path == path && t->step[i].from == from && t->step[i].to == to)
			return &t->step[i];
	return NULL;
}

static int add_step(struct stages_times *t, enum stages_path path, const struct stages_way *w,
		    unsigned int i)
{
	unsigned int from = w->stage[i - 1], to = w->stage[i];
	struct stages_step *step = find_step(t, path, from, to);

	if (!step) {
		if (array_reserve(&t->step, &t->step_room, t->nsteps + 1, sizeof(*t->step)))
			return -ENOMEM;
		step = &t->step[t->nsteps++];
		*step = (struct stages_step){ .path = path, .from = from, .to = to };
	}
	step->begun_ns += (double)(w->at_ns[i - 1] - w->at_ns[0]);
	return dist_add(&step->times, w->at_ns[i] - w->at_ns[i - 1]);
}

int stages_add_way(struct stages_times *t, enum stages_path path, const struct stages_way *w)
{
	int err = dist_add(&t->whole[path], w->at_ns[w->n - 1] - w->at_ns[0]);

	for (unsigned int i = 1; i < w->n && !err; i++)
		err = add_step(t, path, w, i);
	return err;
}

/* ---- keys -------------------------------------------------------------------------------- */

int stages_make_keys(struct model *m)
{
	struct model_stages *s = m->stages;

	s->by = 0;
	while (s->by < STAGES_BY_COUNT && !(m->keep & (unsigned int)MODEL_STAGES_BY << s->by))
		s->by++;
	if (s->by == STAGES_BY_COUNT)
		return 0;
	if (array_reserve(&s->key, &s->key_room, KEPT, sizeof(*s->key)))
		return -ENOMEM;
	s->key[NOT_KNOWN] = (struct stages_key){ .which = NETCOST_LATENCY_NOT_KNOWN };
	s->key[REST] = (struct stages_key){ .which = NETCOST_LATENCY_REST };
	s->nkeys = KEPT;
	return 0;
}

int stages_devices_read(struct stages_devices *d, const struct trace_record *rec)
{
	struct trace_column netns = trace_record_column(rec, TRACE_STAGES_NETNS),
			    ifindex = trace_record_column(rec, TRACE_STAGES_IFINDEX);
	size_t n = netns.n;

	*d = (struct stages_devices){ .device = n ? calloc(n, sizeof(*d->device)) : NULL };
	if (n && !d->device)
		return -ENOMEM;
	while (d->n < n && trace_column_uint(&netns, &d->device[d->n].netns) &&
	       trace_column_uint(&ifindex, &d->device[d->n].ifindex))
		d->n++;
	return 0;
}

/* The kernel has no larger numbers. */
static bool is_number(uint64_t v)
{
	return v && v <= UINT32_MAX;
}

/* From what it is told apart by, all in one number. */
static int keep_key(struct model_stages *s, const struct stages_key *like, uint64_t all,
		    unsigned int *key)
{
	uint32_t id = idmap_get(&s->key_id, all);

	*key = id ? id - 1 : REST;
	if (id || s->nkeys == KEPT + STAGES_KEYS)
		return 0;
	if (array_reserve(&s->key, &s->key_room, s->nkeys + 1, sizeof(*s->key)) ||
	    idmap_set(&s->key_id, all, (uint32_t)s->nkeys + 1))
		return -ENOMEM;
	*key = (unsigned int)s->nkeys;
	s->key[s->nkeys++] = *like;
	return 0;
}

/* What happens without telling of an interface happens where the packet was before. */
int stages_find_key(struct model_stages *s, const struct stages_way *w,
		    const struct stages_devices *d, uint64_t device, uint64_t flow,
		    unsigned int *key)
{
	struct stages_key like = { .which = NETCOST_LATENCY_ONE };
	const struct stages_device *at = device && device <= d->n ? &d->device[device - 1] : NULL;
	bool known = s->by == STAGES_BY_FLOW ? is_number(flow) :
					       at && is_number(at->netns) && is_number(at->ifindex);

	*key = w->n ? w->key[w->n - 1] : NOT_KNOWN;
	if (!known)
		return 0;
	if (s->by == STAGES_BY_FLOW) {
		like.flow = (uint32_t)flow;
		return keep_key(s, &like, flow, key);
	}
	like.netns = (uint32_t)at->netns;
	if (s->by == STAGES_BY_INTERFACE)
		like.ifindex = (uint32_t)at->ifindex;
	return keep_key(s, &like, at->netns << 32 | like.ifindex, key);
}

/* ---- what they are called ---------------------------------------------------------------- */

/* NULL: it is none. */
static struct stages_key *key_of(struct model_stages *s, uint64_t all)
{
	uint32_t id = idmap_get(&s->key_id, all);

	return id ? &s->key[id - 1] : NULL;
}

/* An interface has the first name that it had. */
static int name_interfaces(struct model *m, const struct trace_record *rec)
{
	struct trace_column netns = trace_record_column(rec, TRACE_STAGES_NETNS),
			    ifindex = trace_record_column(rec, TRACE_STAGES_IFINDEX),
			    names = trace_record_column(rec, TRACE_STAGES_NAMES);
	uint64_t of, number;
	const char *name;
	uint32_t n;
	int err = 0;

	while (!err && trace_column_uint(&netns, &of) && trace_column_uint(&ifindex, &number) &&
	       trace_column_str(&names, &name, &n)) {
		bool can_be = is_number(of) && is_number(number);
		struct stages_key *k = can_be ? key_of(m->stages, of << 32 | number) : NULL;

		if (k && n && !*model_string(m, k->name))
			err = model_keep(m, name, n, &k->name);
	}
	return err;
}

static int describe_flows(struct model *m, const struct trace_record *rec)
{
	struct trace_column flows = trace_record_column(rec, TRACE_STAGES_FLOWS),
			    protocol = trace_record_column(rec, TRACE_STAGES_PROTOCOL),
			    from = trace_record_column(rec, TRACE_STAGES_FROM),
			    from_port = trace_record_column(rec, TRACE_STAGES_FROM_PORT),
			    to = trace_record_column(rec, TRACE_STAGES_TO),
			    to_port = trace_record_column(rec, TRACE_STAGES_TO_PORT);
	struct stages_addresses a = { .known = true };
	const char *s, *t;
	uint64_t flow;
	uint32_t n, k;
	int err = 0;

	while (!err && trace_column_uint(&flows, &flow) &&
	       trace_column_uint(&protocol, &a.protocol) && trace_column_str(&from, &s, &n) &&
	       trace_column_uint(&from_port, &a.from_port) && trace_column_str(&to, &t, &k) &&
	       trace_column_uint(&to_port, &a.to_port)) {
		struct stages_key *key = is_number(flow) ? key_of(m->stages, flow) : NULL;

		if (!key || key->addresses.known)
			continue;
		err = model_keep(m, s, n, &a.from);
		if (!err)
			err = model_keep(m, t, k, &a.to);
		key->addresses = a;
	}
	return err;
}

int stages_describe_keys(struct model *m, const struct trace_record *rec)
{
	switch (m->stages->by) {
	case STAGES_BY_INTERFACE:
		return name_interfaces(m, rec);
	case STAGES_BY_FLOW:
		return describe_flows(m, rec);
	default:
		return 0; /* they have none */
	}
}

/* ---- by key ------------------------------------------------------------------------------ */

/* Has it room for what the way has there? What is new to it is taken from the room of all. */
static bool has_room(struct model_stages *s, enum stages_path path, const struct stages_way *w,
		     unsigned int key)
{
	const struct stages_times *t = &s->key[key].times;
	size_t more = !t->whole[path].bucket;

	if (key < KEPT)
		return true;
	for (unsigned int i = 1; i < w->n; i++)
		more += w->key[i - 1] == key && !find_step(t, path, w->stage[i - 1], w->stage[i]);
	if (more > STAGES_KEY_STEPS - s->key_steps)
		return false;
	s->key_steps += more;
	return true;
}

/* All that the way has there, from its step i on, which is the first one. */
static int add_key(struct stages_times *t, enum stages_path path, const struct stages_way *w,
		   unsigned int i)
{
	unsigned int key = w->key[i - 1];
	uint64_t ns = 0;
	int err = 0;

	for (; i < w->n && !err; i++) {
		if (w->key[i - 1] != key)
			continue;
		ns += w->at_ns[i] - w->at_ns[i - 1];
		err = add_step(t, path, w, i);
	}
	return err ? err : dist_add(&t->whole[path], ns);
}

static bool is_first(const struct stages_way *w, unsigned int i)
{
	for (unsigned int k = 1; k < i; k++)
		if (w->key[k - 1] == w->key[i - 1])
			return false;
	return true;
}

int stages_add_by(struct model_stages *s, enum stages_path path, struct stages_way *w)
{
	int err = 0;

	for (unsigned int i = 1; i < w->n; i++)
		if (is_first(w, i) && !has_room(s, path, w, w->key[i - 1]))
			for (unsigned int k = w->n - 1u, key = w->key[i - 1]; k >= i; k--)
				if (w->key[k - 1] == key)
					w->key[k - 1] = REST;
	for (unsigned int i = 1; i < w->n && !err; i++)
		if (is_first(w, i))
			err = add_key(&s->key[w->key[i - 1]].times, path, w, i);
	return err;
}

static void free_times(struct stages_times *t)
{
	for (unsigned int i = 0; i < STAGES_PATH_COUNT; i++)
		dist_free(&t->whole[i]);
	for (size_t i = 0; i < t->nsteps; i++)
		dist_free(&t->step[i].times);
	free(t->step);
}

void stages_free_times(struct model_stages *s)
{
	free_times(&s->all);
	for (size_t i = 0; i < s->nkeys; i++)
		free_times(&s->key[i].times);
	free(s->key);
	idmap_free(&s->key_id);
}
