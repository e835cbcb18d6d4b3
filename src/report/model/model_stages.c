// SPDX-License-Identifier: BSD-2-Clause
/*
 * Packet paths: groups the events by packet, in chronological order. The path of a packet is known when the packet
 * ends.
 */
#include "model_stages.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "model_impl.h"

/* limit of packets in flight; if there are more, the oldest one is counted as unfinished */
#define OPEN (1u << 16)
#define NONE UINT32_MAX
#define FIRST_KEYS 16
#define STAGES_WAY 32 /* maximum number of stages that are kept for a packet */

/* A packet in flight. */
struct stages_way {
	uint64_t packet, at_ns[STAGES_WAY];
	uint8_t stage[STAGES_WAY];
	uint8_t rule[STAGES_WAY]; /* 1 + the row in MODEL_STORE_RULES; 0: no rule */
	uint16_t key[STAGES_WAY];
	uint8_t n;
	bool wrong, too_long;
	uint32_t next; /* next packet in the same bucket, or in the free list */
	uint32_t older, newer;
};

struct stages_open {
	struct stages_way *way;
	size_t n, room;
	uint32_t bucket[OPEN];
	uint32_t unused, oldest, newest;
	/* Direct lookup for the first keys: 1 + the row in MODEL_STORE_STEPS. 0: there is no row yet. */
	uint32_t step[FIRST_KEYS][STAGES_PATH_COUNT][STAGES_WHOLE + 1][STAGES_WHOLE + 1];
};

/* ---- names ------------------------------------------------------------------------------- */

#define KEY_OF(id, name, key, kind, what) [id] = key,
#define WHAT_OF(id, name, key, kind, what) [id] = what,
#define PATH_KEY_OF(name, key, title) key,
#define PATH_TITLE_OF(name, key, title) title,
#define BY_OF(name, key) key,

const char *const stages_keys[] = { NETCOST_STAGES(KEY_OF) NULL };
const char *const stages_what[] = { NETCOST_STAGES(WHAT_OF) NULL };
const char *const stages_path_keys[] = { STAGES_PATHS(PATH_KEY_OF) NULL };
const char *const stages_path_titles[] = { STAGES_PATHS(PATH_TITLE_OF) NULL };
const char *const stages_by_names[] = { STAGES_BYS(BY_OF) NULL };

/* ---- stores ------------------------------------------------------------------------- */

static const struct trace_key_desc step_keys[] = {
	{ .key = STAGES_STEP_PATH, .known = STAGES_PATH_COUNT, .name = "path" },
	{ .key = STAGES_STEP_KEY, .name = "key" },
	{ .key = STAGES_STEP_FROM, .known = STAGES_WHOLE + 1, .name = "from" },
	{ .key = STAGES_STEP_TO, .known = STAGES_WHOLE + 1, .name = "to" },
	{ .key = STAGES_STEP_BEGUN, .flags = TRACE_KEY_SUM, .name = "begun_ns" },
	{ .key = STAGES_STEP_BEGUN + 1, .flags = TRACE_KEY_BIN, .name = "ns" },
	{ 0 },
};

static const struct trace_key_desc rule_keys[] = {
	{ .key = STAGES_RULE_STAGE, .known = NETCOST_STAGE_COUNT, .name = "stage" },
	{ .key = STAGES_RULE_HOOK, .kind = TRACE_STR, .name = "hook" },
	{ .key = STAGES_RULE_TABLE, .kind = TRACE_STR, .name = "table" },
	{ .key = STAGES_RULE_TABLE + 1, .flags = TRACE_KEY_BIN, .name = "ns" },
	{ 0 },
};

static const struct trace_key_desc dropped_keys[] = {
	{ .key = STAGES_DROPPED_REASON, .kind = TRACE_STR, .name = "reason" },
	{ .key = STAGES_DROPPED_PACKETS, .flags = TRACE_KEY_SUM, .name = "packets" },
	{ 0 },
};

const struct store_query model_steps_query = { .keys = step_keys,
					       .dim = { STAGES_STEP_PATH, STAGES_STEP_KEY,
							STAGES_STEP_FROM, STAGES_STEP_TO } };
static const struct store_query model_rules_query = { .keys = rule_keys,
						      .dim = { STAGES_RULE_STAGE, STAGES_RULE_HOOK,
							       STAGES_RULE_TABLE },
						      .most = STAGES_RULES - 1 };
static const struct store_query model_dropped_query = { .keys = dropped_keys,
							.dim = { STAGES_DROPPED_REASON },
							.most = STAGES_REASONS - 1 };

/* ---- packets in flight -------------------------------------------------------------- */

static uint32_t *bucket_of(struct stages_open *o, uint64_t packet)
{
	return &o->bucket[packet * 0x9e3779b97f4a7c15ull >> 48];
}

static uint32_t find(struct stages_open *o, uint64_t packet)
{
	uint32_t i = *bucket_of(o, packet);

	while (i != NONE && o->way[i].packet != packet)
		i = o->way[i].next;
	return i;
}

static void take_out(struct stages_open *o, uint32_t i)
{
	struct stages_way *w = &o->way[i];
	uint32_t *at = bucket_of(o, w->packet);

	while (*at != i)
		at = &o->way[*at].next;
	*at = w->next;
	*(w->older == NONE ? &o->oldest : &o->way[w->older].newer) = w->newer;
	*(w->newer == NONE ? &o->newest : &o->way[w->newer].older) = w->older;
	w->next = o->unused;
	o->unused = i;
}

static int put_in(struct stages_open *o, uint64_t packet, uint32_t *i)
{
	uint32_t *bucket = bucket_of(o, packet);
	struct stages_way *w;

	*i = o->unused;
	if (*i == NONE && array_reserve(&o->way, &o->room, o->n + 1, sizeof(*o->way)))
		return -ENOMEM;
	if (*i == NONE)
		*i = (uint32_t)o->n++;
	else
		o->unused = o->way[*i].next;
	w = &o->way[*i];
	*w = (struct stages_way){
		.packet = packet, .next = *bucket, .older = o->newest, .newer = NONE
	};
	*bucket = *i;
	*(o->newest == NONE ? &o->oldest : &o->way[o->newest].newer) = *i;
	o->newest = *i;
	return 0;
}

static void leave_unfinished(struct model_stages *s, uint32_t i)
{
	const struct stages_way *w = &s->open->way[i];

	s->unfinished[w->stage[w->n - 1]]++;
	take_out(s->open, i);
}

/* ---- whole paths -------------------------------------------------------------------- */

static enum stages_path path_of(const struct stages_way *w)
{
	const unsigned int ways_out = NETCOST_STAGE_BIT(QUEUED) | NETCOST_STAGE_BIT(DRIVER) |
				      NETCOST_STAGE_BIT(RETURNED),
			   begins_out = ways_out | NETCOST_STAGE_BIT(TC) | NETCOST_STAGES_RULES,
			   ways_in = NETCOST_STAGE_BIT(ENTRY) | NETCOST_STAGE_BIT(RECEIVE);
	unsigned int last = w->n - 1u;
	bool sent = 1u << w->stage[0] & begins_out;

	switch (w->stage[last]) {
	case NETCOST_STAGE_DROPPED:
		return STAGES_DROPPED;
	case NETCOST_STAGE_READ:
	case NETCOST_STAGE_MERGED:
		return sent ? STAGES_LOCAL : STAGES_SOCKET;
	case NETCOST_STAGE_NO_DATA:
		return STAGES_USED;
	case NETCOST_STAGE_SPLIT:
		return STAGES_SPLIT;
	default:
		break;
	}
	while (last && !(1u << w->stage[last] & (ways_in | ways_out)))
		last--;
	if (w->stage[last] == NETCOST_STAGE_CLONED)
		return STAGES_CLONES;
	if (w->stage[last] == NETCOST_STAGE_QUEUED ||
	    !(1u << w->stage[last] & (ways_in | ways_out)))
		return STAGES_SPLIT;
	if (1u << w->stage[last] & ways_in)
		return STAGES_USED;
	return sent ? STAGES_SENT : STAGES_FORWARDED;
}

/* Adds a stage to a packet. The last stage is always kept, even if stages before it have to be dropped. */
static void add_stage(struct stages_way *w, unsigned int stage, uint64_t at_ns, size_t rule,
		      unsigned int key)
{
	if (w->n == STAGES_WAY) {
		w->too_long = true;
		w->n--;
	}
	w->wrong |= w->n &&
		    (!(netcost_stages_after(w->stage[w->n - 1]) & 1u << stage) ||
		     at_ns < w->at_ns[w->n - 1]) &&
		    !w->too_long;
	w->wrong |= !w->n && !(1u << stage & NETCOST_STAGES_FIRST);
	w->at_ns[w->n] = at_ns;
	w->rule[w->n] = (uint8_t)rule;
	w->key[w->n] = (uint16_t)key;
	w->stage[w->n++] = (uint8_t)stage;
}

/* ---- keys -------------------------------------------------------------------------------- */

static int make_keys(struct model *m)
{
	struct model_stages *s = m->stages;

	s->by = 0;
	while (s->by < STAGES_BY_COUNT && !(m->keep & (unsigned int)MODEL_STAGES_BY << s->by))
		s->by++;
	if (s->by == STAGES_BY_COUNT)
		return 0;
	if (array_reserve(&s->key, &s->key_room, STAGES_KEY_FIRST, sizeof(*s->key)))
		return -ENOMEM;
	s->nkeys = STAGES_KEY_FIRST;
	memset(s->key, 0, s->nkeys * sizeof(*s->key));
	s->key[STAGES_KEY_NOT_KNOWN].which = NETCOST_LATENCY_NOT_KNOWN;
	s->key[STAGES_KEY_REST].which = NETCOST_LATENCY_REST;
	return 0;
}

/* Returns true if v is in the range of the kernel's numbers. */
static bool is_number(uint64_t v)
{
	return v && v <= UINT32_MAX;
}

/* Adds a key. `id` is the hash of all fields that identify the key. */
static int keep_key(struct model_stages *s, const struct stages_key *like, uint64_t id,
		    unsigned int *key)
{
	*key = idmap_get(&s->key_id, id);
	if (*key)
		return 0;
	*key = STAGES_KEY_REST;
	if (s->nkeys == STAGES_KEY_FIRST + STAGES_KEYS)
		return 0;
	if (array_reserve(&s->key, &s->key_room, s->nkeys + 1, sizeof(*s->key)) ||
	    idmap_set(&s->key_id, id, (uint32_t)s->nkeys))
		return -ENOMEM;
	*key = (unsigned int)s->nkeys;
	s->key[s->nkeys++] = *like;
	return 0;
}

/* Returns the key with this id, or NULL if there is no such key. */
static struct stages_key *key_of(struct model_stages *s, uint64_t id)
{
	uint32_t key = idmap_get(&s->key_id, id);

	return key ? &s->key[key] : NULL;
}

/* Names the keys of interfaces. An interface keeps the first name that it had. */
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

/* Reads the names and addresses of the keys that have been defined so far. */
static int describe_keys(struct model *m, const struct trace_record *rec)
{
	if (!m->stages->nkeys || m->stages->by == STAGES_BY_NETNS)
		return 0;
	return m->stages->by == STAGES_BY_FLOW ? describe_flows(m, rec) : name_interfaces(m, rec);
}

/* ---- steps of a path --------------------------------------------------------------------- */

static ptrdiff_t find_row(const struct model *m, enum stages_path path, unsigned int key,
			  unsigned int from, unsigned int to)
{
	return store_find(m->store[MODEL_STORE_STEPS], (uint64_t[]){ path, key, from, to });
}

static int find_or_make_row(struct model *m, enum stages_path path, unsigned int key,
			    unsigned int from, unsigned int to, size_t *row)
{
	uint32_t *at = key < FIRST_KEYS ? &m->stages->open->step[key][path][from][to] : NULL;
	struct store *s = m->store[MODEL_STORE_STEPS];
	size_t before = store_rows(s);
	int err;

	if (at && *at) {
		*row = *at - 1;
		return 0;
	}
	err = store_put(
		s, (struct store_dim[]){ { .v = path }, { .v = key }, { .v = from }, { .v = to } },
		row);
	if (key >= STAGES_KEY_FIRST)
		m->stages->key_rows += store_rows(s) - before;
	if (!err && at)
		*at = (uint32_t)*row + 1;
	return err;
}

static int add_row(struct model *m, enum stages_path path, unsigned int key, unsigned int from,
		   unsigned int to, uint64_t begun_ns, uint64_t ns)
{
	struct store *s = m->store[MODEL_STORE_STEPS];
	size_t row;
	int err = find_or_make_row(m, path, key, from, to, &row);

	if (!err)
		err = store_put_value(s, row, STAGES_STEP_BEGUN, begun_ns);
	return err ? err : store_put_ns(s, row, ns);
}

static bool has_step(const struct stages_way *w, unsigned int i, unsigned int key)
{
	return key == STAGES_KEY_ALL || w->key[i - 1] == key;
}

/* Adds the steps of a packet that belong to a key, and their sum as the key's row of the whole path. */
static int add_steps(struct model *m, enum stages_path path, const struct stages_way *w,
		     unsigned int key)
{
	uint64_t ns = 0;
	int err = 0;

	for (unsigned int i = 1; i < w->n && !err; i++) {
		uint64_t step = w->at_ns[i] - w->at_ns[i - 1];

		if (!has_step(w, i, key))
			continue;
		ns += step;
		err = add_row(m, path, key, w->stage[i - 1], w->stage[i],
			      w->at_ns[i - 1] - w->at_ns[0], step);
	}
	return err ? err : add_row(m, path, key, STAGES_WHOLE, STAGES_WHOLE, 0, ns);
}

/* Returns true if there is room for all steps of a packet that belong to a key. */
static bool has_room(const struct model *m, enum stages_path path, const struct stages_way *w,
		     unsigned int key)
{
	size_t room = STAGES_KEY_STEPS - m->stages->key_rows, more;

	if (key < STAGES_KEY_FIRST || w->n <= room)
		return true;
	more = find_row(m, path, key, STAGES_WHOLE, STAGES_WHOLE) < 0;
	for (unsigned int i = 1; i < w->n; i++)
		more += has_step(w, i, key) &&
			find_row(m, path, key, w->stage[i - 1], w->stage[i]) < 0;
	return more <= room;
}

static bool is_first_of_key(const struct stages_way *w, unsigned int i)
{
	for (unsigned int k = 1; k < i; k++)
		if (w->key[k - 1] == w->key[i - 1])
			return false;
	return true;
}

/*
 * Adds the steps of a packet by key. If a step has no room, all of the packet's steps in this key are added to the
 * rest, so that the steps of each key still add up.
 */
static int add_keys(struct model *m, enum stages_path path, struct stages_way *w)
{
	int err = 0;

	for (unsigned int i = 1; i < w->n; i++)
		if (is_first_of_key(w, i) && !has_room(m, path, w, w->key[i - 1]))
			for (unsigned int k = w->n - 1u, key = w->key[i - 1]; k >= i; k--)
				if (w->key[k - 1] == key)
					w->key[k - 1] = STAGES_KEY_REST;
	for (unsigned int i = 1; i < w->n && !err; i++)
		if (is_first_of_key(w, i))
			err = add_steps(m, path, w, w->key[i - 1]);
	return err;
}

/* Adds the time of a packet's rules. A rule applies until the packet's next stage. */
static int add_rules(struct model *m, const struct stages_way *w)
{
	int err = 0;

	for (unsigned int i = 1; i < w->n && !err; i++)
		if (w->rule[i - 1])
			err = store_put_ns(m->store[MODEL_STORE_RULES], w->rule[i - 1] - 1u,
					   w->at_ns[i] - w->at_ns[i - 1]);
	return err;
}

static int finish(struct model *m, struct stages_way *w)
{
	struct model_stages *s = m->stages;
	enum stages_path path = path_of(w);
	int err;

	if (w->wrong || w->too_long) {
		s->impossible += w->wrong;
		s->too_long += !w->wrong;
		return 0;
	}
	s->finished[path]++;
	err = add_steps(m, path, w, STAGES_KEY_ALL);
	if (!err)
		err = add_rules(m, w);
	return err || !s->nkeys ? err : add_keys(m, path, w);
}

/* ---- events ------------------------------------------------------------------------- */

/* The lists of a record. The record's events refer to the elements of these lists by number, from 1 on. */
enum { REASONS, HOOKS, TABLES, NETNS, IFINDEX, LISTS };

struct list {
	struct store_dim *item;
	size_t n;
};

struct event {
	uint64_t at_ns, packet, stage, flow, reason, rule, device;
	const struct list *in; /* array of LISTS elements */
};

static int list_read(struct list *l, const struct trace_record *rec, unsigned int key)
{
	struct trace_column c = trace_record_column(rec, key);
	bool texts = trace_key_desc(TRACE_STAGES, key)->kind == TRACE_STRS;
	size_t n = c.n;
	uint32_t len;

	l->item = n ? calloc(n, sizeof(*l->item)) : NULL;
	if (n && !l->item)
		return -ENOMEM;
	while (l->n < n) {
		struct store_dim *to = &l->item[l->n];

		if (texts ? !trace_column_str(&c, &to->s, &len) : !trace_column_uint(&c, &to->v))
			break;
		to->len = texts ? len : 0;
		l->n++;
	}
	return 0;
}

/* Returns an element of a list, or "" or 0 if there is no such element. */
static struct store_dim list_at(const struct event *e, unsigned int list, uint64_t place)
{
	const struct list *l = &e->in[list];

	return place && place <= l->n ? l->item[place - 1] : (struct store_dim){ .s = "" };
}

/* Finds the key of an event. If the event has no interface, the packet's last known interface is used. */
static int find_key(struct model_stages *s, const struct stages_way *w, const struct event *e,
		    unsigned int *key)
{
	uint64_t netns = list_at(e, NETNS, e->device).v, ifindex = list_at(e, IFINDEX, e->device).v;
	struct stages_key like = { .which = NETCOST_LATENCY_ONE };

	*key = w->n ? w->key[w->n - 1] : STAGES_KEY_NOT_KNOWN;
	if (s->by == STAGES_BY_FLOW) {
		like.flow = (uint32_t)e->flow;
		return is_number(e->flow) ? keep_key(s, &like, e->flow, key) : 0;
	}
	if (!is_number(netns) || !is_number(ifindex))
		return 0;
	like.netns = (uint32_t)netns;
	if (s->by == STAGES_BY_INTERFACE)
		like.ifindex = (uint32_t)ifindex;
	return keep_key(s, &like, netns << 32 | like.ifindex, key);
}

/* Finds the row of an event's rule. *found is 1 + the row, or 0 if the event has no rule. */
static int find_rule(struct model *m, const struct event *e, size_t *found)
{
	const struct store_dim dim[] = { { .v = e->stage },
					 list_at(e, HOOKS, e->rule),
					 list_at(e, TABLES, e->rule) };
	int err;

	*found = 0;
	if (!dim[1].len || !(1u << e->stage & NETCOST_STAGES_RULES))
		return 0;
	err = store_put(m->store[MODEL_STORE_RULES], dim, found);
	*found += !err;
	return err;
}

static int count_dropped(struct model *m, const struct event *e)
{
	const struct store_dim reason = list_at(e, REASONS, e->reason);
	size_t row;
	int err = store_put(m->store[MODEL_STORE_DROPPED], &reason, &row);

	return err ? err :
		     store_put_value(m->store[MODEL_STORE_DROPPED], row, STAGES_DROPPED_PACKETS, 1);
}

/* Finds or creates the slot of an event's packet. *i is the slot, or NONE if the beginning of the packet is missing. */
static int find_way(struct model_stages *s, const struct event *e, uint32_t *i)
{
	int err = 0;

	*i = find(s->open, e->packet);
	if (e->flow != TRACE_NIL) {
		if (*i != NONE)
			leave_unfinished(s, *i);
		else if (s->open->n == OPEN && s->open->unused == NONE)
			leave_unfinished(s, s->open->oldest);
		s->begun++;
		err = put_in(s->open, e->packet, i);
	}
	s->before += !err && *i == NONE;
	return err;
}

static int add_event(struct model *m, const struct event *e)
{
	struct model_stages *s = m->stages;
	unsigned int key = 0;
	size_t rule = 0;
	uint32_t i;
	int err = find_way(s, e, &i);

	s->events++;
	if (err || i == NONE)
		return err;
	err = find_rule(m, e, &rule);
	if (!err && s->nkeys)
		err = find_key(s, &s->open->way[i], e, &key);
	if (err)
		return err;
	add_stage(&s->open->way[i], (unsigned int)e->stage, e->at_ns, rule, key);
	if (!(1u << e->stage & NETCOST_STAGES_END))
		return 0;
	if (e->stage == NETCOST_STAGE_DROPPED)
		err = count_dropped(m, e);
	if (!err)
		err = finish(m, &s->open->way[i]);
	take_out(s->open, i);
	return err;
}

int model_make_stages(struct model *m)
{
	if (m->stages)
		return 0;
	m->stages = calloc(1, sizeof(*m->stages));
	if (!m->stages || store_new(&m->store[MODEL_STORE_STEPS], &model_steps_query) ||
	    store_new(&m->store[MODEL_STORE_RULES], &model_rules_query) ||
	    store_new(&m->store[MODEL_STORE_DROPPED], &model_dropped_query))
		return -ENOMEM;
	return 0;
}

static int make_open(struct model *m)
{
	int err = model_make_stages(m);
	struct stages_open *o;

	if (err || m->stages->open)
		return err;
	o = calloc(1, sizeof(*o));
	if (!o)
		return -ENOMEM;
	memset(o->bucket, 0xff, sizeof(o->bucket));
	o->unused = o->oldest = o->newest = NONE;
	m->stages->open = o;
	return make_keys(m);
}

static bool has_rows(const struct trace_record *rec, uint32_t n)
{
	static const unsigned int column[] = { TRACE_STAGES_PACKET, TRACE_STAGES_STAGE,
					       TRACE_STAGES_DEVICE, TRACE_STAGES_FLOW,
					       TRACE_STAGES_REASON };

	for (size_t i = 0; i < sizeof(column) / sizeof(column[0]); i++)
		if (trace_record_column(rec, column[i]).n != n)
			return false;
	return true;
}

static void add_counts(struct model *m, const struct trace_record *rec)
{
	struct model_stages *s = m->stages;

	if (!trace_record_field(rec, TRACE_STAGES_EVERY))
		return;
	s->counted = true;
	s->every = trace_record_uint(rec, TRACE_STAGES_EVERY, 1);
	s->packets = store_sum(s->packets, trace_record_uint(rec, TRACE_STAGES_PACKETS, 0));
	s->full = store_sum(s->full, trace_record_uint(rec, TRACE_STAGES_FULL, 0));
	s->evicted = store_sum(s->evicted, trace_record_uint(rec, TRACE_STAGES_EVICTED, 0));
}

/* Adds the events of a record. Stages of newer versions are skipped, because their meaning is unknown. */
static int add_events(struct model *m, const struct trace_record *rec, struct event e)
{
	struct trace_column dt = trace_record_column(rec, TRACE_STAGES_DT),
			    packet = trace_record_column(rec, TRACE_STAGES_PACKET),
			    stage = trace_record_column(rec, TRACE_STAGES_STAGE),
			    device = trace_record_column(rec, TRACE_STAGES_DEVICE),
			    flow = trace_record_column(rec, TRACE_STAGES_FLOW),
			    reason = trace_record_column(rec, TRACE_STAGES_REASON),
			    rule = trace_record_column(rec, TRACE_STAGES_RULE);
	int64_t more;
	uint64_t ns;
	int err = 0;

	while (!err && trace_column_uint(&dt, &ns) && trace_column_int(&packet, &more) &&
	       trace_column_uint(&stage, &e.stage) && trace_column_uint(&device, &e.device) &&
	       trace_column_uint(&flow, &e.flow) && trace_column_uint(&reason, &e.reason)) {
		e.at_ns += ns == TRACE_NIL ? 0 : ns;
		e.packet += (uint64_t)more;
		if (!trace_column_uint(&rule, &e.rule))
			e.rule = 0; /* the event has no rule */
		if (e.stage < NETCOST_STAGE_COUNT)
			err = add_event(m, &e);
	}
	return err;
}

static int add_record(struct model *m, const struct trace_record *rec)
{
	static const unsigned int keys[LISTS] = {
		[REASONS] = TRACE_STAGES_REASONS, [HOOKS] = TRACE_STAGES_HOOKS,
		[TABLES] = TRACE_STAGES_TABLES,	  [NETNS] = TRACE_STAGES_NETNS,
		[IFINDEX] = TRACE_STAGES_IFINDEX,
	};
	struct list in[LISTS] = { { .n = 0 } };
	const struct event e = { .at_ns = trace_record_uint(rec, TRACE_STAGES_BASE_NS, 0),
				 .in = in };
	int err = 0;

	for (unsigned int i = 0; i < LISTS && !err; i++)
		err = list_read(&in[i], rec, keys[i]);
	if (!err)
		err = add_events(m, rec, e);
	for (unsigned int i = 0; i < LISTS; i++)
		free(in[i].item);
	return err ? err : describe_keys(m, rec);
}

int model_stages(struct model *m, const struct trace_record *rec)
{
	int err;

	if (!(m->keep & MODEL_STAGES))
		return 0;
	if (!has_rows(rec, trace_record_column(rec, TRACE_STAGES_DT).n))
		return model_damaged(m, "columns of STAGES have different lengths");
	err = make_open(m);
	if (err)
		return err;
	add_counts(m, rec);
	return add_record(m, rec);
}

void model_end_stages(struct model *m)
{
	struct model_stages *s = m->stages;

	while (s && s->open && s->open->oldest != NONE)
		leave_unfinished(s, s->open->oldest);
}

void model_free_stages(struct model *m)
{
	struct model_stages *s = m->stages;

	if (!s)
		return;
	free(s->key);
	idmap_free(&s->key_id);
	if (s->open)
		free(s->open->way);
	free(s->open);
	free(s);
}

/* ---- results ------------------------------------------------------------------------ */

static int compare_keys(const struct stages_row *a, const struct stages_row *b,
			const struct stages_key *key)
{
	if (a->key == b->key)
		return 0;
	if (a->key == STAGES_KEY_ALL || b->key == STAGES_KEY_ALL)
		return a->key == STAGES_KEY_ALL ? -1 : 1;
	if (key[a->key].which != key[b->key].which)
		return key[a->key].which < key[b->key].which ? -1 : 1;
	if (a->key_ns != b->key_ns)
		return a->key_ns > b->key_ns ? -1 : 1;
	return a->key < b->key ? -1 : 1;
}

static int in_order(const void *va, const void *vb, void *key)
{
	const struct stages_row *a = va, *b = vb;
	int keys = compare_keys(a, b, key);

	if (a->path != b->path)
		return a->path < b->path ? -1 : 1;
	if (keys)
		return keys;
	if (a->begins_ns != b->begins_ns)
		return a->begins_ns < b->begins_ns ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

ptrdiff_t stages_whole_row(const struct model *m, enum stages_path path)
{
	return find_row(m, path, STAGES_KEY_ALL, STAGES_WHOLE, STAGES_WHOLE);
}

static struct stages_row row_at(const struct model *m, size_t at)
{
	const struct store *s = m->store[MODEL_STORE_STEPS];
	struct stages_row r = { .at = at,
				.path = (enum stages_path)store_dim(s, at, STAGES_STEP_PATH),
				.key = (unsigned int)store_dim(s, at, STAGES_STEP_KEY),
				.from = (unsigned int)store_dim(s, at, STAGES_STEP_FROM),
				.to = (unsigned int)store_dim(s, at, STAGES_STEP_TO),
				.times = store_dist(s, at) };
	ptrdiff_t key = find_row(m, r.path, r.key, STAGES_WHOLE, STAGES_WHOLE),
		  all = stages_whole_row(m, r.path);

	r.packets = dist_count(r.times);
	r.begins_ns = r.from == STAGES_WHOLE ?
			      INFINITY :
			      (double)store_value(s, at, STAGES_STEP_BEGUN) / (double)r.packets;
	r.whole_ns = all < 0 ? 0 : store_dist(s, (size_t)all)->ns;
	r.key_ns = key < 0 ? 0 : store_dist(s, (size_t)key)->ns;
	return r;
}

int stages_rows_make(struct stages_rows *rows, const struct model *m)
{
	size_t n = m->stages ? store_rows(m->store[MODEL_STORE_STEPS]) : 0;

	*rows = (struct stages_rows){ .m = m, .row = calloc(n + 1, sizeof(*rows->row)), .n = n };
	if (!rows->row)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		rows->row[i] = row_at(m, i);
	if (n)
		qsort_r(rows->row, n, sizeof(*rows->row), in_order, m->stages->key);
	return 0;
}

void stages_rows_free(struct stages_rows *rows)
{
	free(rows->row);
}

/*
 * Returns true if the step equals the sum over all keys, in time and packets. For the whole path, only the times are
 * compared, because a packet can have several keys.
 */
static bool is_sum_of_keys(const struct stages_rows *rows, const struct stages_row *all)
{
	uint64_t ns = 0, packets = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const struct stages_row *r = &rows->row[i];

		if (r->path != all->path || r->from != all->from || r->to != all->to ||
		    r->key == STAGES_KEY_ALL)
			continue;
		ns += r->times->ns;
		packets += r->packets;
	}
	return ns == all->times->ns && (all->from == STAGES_WHOLE || packets == all->packets);
}

bool stages_add_up(const struct stages_rows *rows, enum stages_path path)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const struct stages_row *r = &rows->row[i];

		if (r->path != path)
			continue;
		if (rows->m->stages->nkeys && r->key == STAGES_KEY_ALL && !is_sum_of_keys(rows, r))
			return false;
		if (r->from != STAGES_WHOLE)
			ns += r->times->ns;
		else if (ns != r->times->ns)
			return false;
		else
			ns = 0; /* the rows of the next key begin here */
	}
	return true;
}

static double sum_of(const uint64_t *packets, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)packets[i];
	return sum;
}

double stages_finished(const struct model_stages *s)
{
	return sum_of(s->finished, STAGES_PATH_COUNT);
}

double stages_unfinished(const struct model_stages *s)
{
	return sum_of(s->unfinished, NETCOST_STAGE_COUNT);
}
