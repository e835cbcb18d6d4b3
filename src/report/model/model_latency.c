// SPDX-License-Identifier: BSD-2-Clause
/*
 * Latency: the method of measuring, the stores of LATENCY and LATENCY_BY, and the delays of the slowest packets.
 */
#include <errno.h>
#include <string.h>

#include "model_impl.h"

const struct store_query model_latency_query = { .type = TRACE_LATENCY,
						 .dim = { TRACE_LATENCY_HOOK },
						 .ns = TRACE_LATENCY_NS };

const struct store_query model_latency_by_query = {
	.type = TRACE_LATENCY_BY,
	.dim = { TRACE_LATENCY_BY_HOOK, TRACE_LATENCY_BY_BY, TRACE_LATENCY_BY_WHICH,
		 TRACE_LATENCY_BY_NETNS, TRACE_LATENCY_BY_IFINDEX, TRACE_LATENCY_BY_CGROUP_ID,
		 TRACE_LATENCY_BY_PID, TRACE_LATENCY_BY_START_NS },
	.name = { TRACE_LATENCY_BY_NETDEV, TRACE_LATENCY_BY_CGROUP, TRACE_LATENCY_BY_PROCESS },
	.ns = TRACE_LATENCY_BY_NS,
	.most = MODEL_LATENCY_BYS,
	.which = TRACE_LATENCY_BY_WHICH,
	.one = NETCOST_LATENCY_ONE,
	.rest = NETCOST_LATENCY_REST
};

int model_latency_only(struct model *m, const struct trace_record *rec)
{
	struct model_latency_only *o = &m->latency_only;
	int err;

	if (o->defined)
		return 0; /* only the first record is used */
	o->defined = true;
	o->netns = trace_record_uint(rec, TRACE_LATENCY_ONLY_NETNS, 0);
	o->ifindex = trace_record_uint(rec, TRACE_LATENCY_ONLY_IFINDEX, 0);
	o->cgroup_id = trace_record_uint(rec, TRACE_LATENCY_ONLY_CGROUP_ID, 0);
	o->pid = trace_record_uint(rec, TRACE_LATENCY_ONLY_PID, 0);
	o->queue = trace_record_uint(rec, TRACE_LATENCY_ONLY_QUEUE, 0);
	err = model_keep_field(m, rec, TRACE_LATENCY_ONLY_NETDEV, &o->netdev);
	return err ? err : model_keep_field(m, rec, TRACE_LATENCY_ONLY_CGROUP, &o->cgroup);
}

ptrdiff_t model_latency_row(const struct model *m, enum netcost_latency hook)
{
	const struct store *s = m->store[MODEL_STORE_LATENCY];

	return s ? store_find(s, &(uint64_t){ hook }) : -1;
}

const struct dist *model_latency_dist(const struct model *m, enum netcost_latency hook)
{
	static const struct dist none = { .bucket = NULL };
	ptrdiff_t row = model_latency_row(m, hook);

	return row < 0 ? &none : store_dist(m->store[MODEL_STORE_LATENCY], (size_t)row);
}

uint64_t model_latency_lost(const struct model *m, enum netcost_latency hook,
			    enum netcost_latency_loss loss)
{
	static const unsigned int keys[NETCOST_LATENCY_LOSS_COUNT] = {
		[NETCOST_LATENCY_LOSS_UNKNOWN] = TRACE_LATENCY_UNKNOWN,
		[NETCOST_LATENCY_LOSS_OTHER] = TRACE_LATENCY_OTHER,
		[NETCOST_LATENCY_LOSS_OLD] = TRACE_LATENCY_OLD,
		[NETCOST_LATENCY_LOSS_MERGED] = TRACE_LATENCY_MERGED,
		[NETCOST_LATENCY_LOSS_FILTERED] = TRACE_LATENCY_FILTERED,
		[NETCOST_LATENCY_LOSS_LATER] = TRACE_LATENCY_LATER,
	};
	ptrdiff_t row = model_latency_row(m, hook);

	return row < 0 ? 0 : store_value(m->store[MODEL_STORE_LATENCY], (size_t)row, keys[loss]);
}

size_t model_latency_bys(const struct model *m)
{
	return m->store[MODEL_STORE_LATENCY_BY] ? store_rows(m->store[MODEL_STORE_LATENCY_BY]) : 0;
}

struct model_latency_by model_latency_by(const struct store *s, size_t row)
{
	static const struct {
		unsigned int number, id;
	} keys[NETCOST_LATENCY_BY_COUNT] = {
		[NETCOST_LATENCY_BY_INTERFACE] = { TRACE_LATENCY_BY_IFINDEX,
						   TRACE_LATENCY_BY_NETNS },
		[NETCOST_LATENCY_BY_CGROUP] = { TRACE_LATENCY_BY_CGROUP_ID,
						TRACE_LATENCY_BY_CGROUP_ID },
		[NETCOST_LATENCY_BY_PROCESS] = { TRACE_LATENCY_BY_PID, TRACE_LATENCY_BY_START_NS },
	};
	enum netcost_latency_by by = (unsigned int)store_dim(s, row, TRACE_LATENCY_BY_BY);

	return (struct model_latency_by){
		.hook = (unsigned int)store_dim(s, row, TRACE_LATENCY_BY_HOOK),
		.by = by,
		.which = (unsigned int)store_dim(s, row, TRACE_LATENCY_BY_WHICH),
		.name = store_name(s, row),
		.number = store_dim(s, row, keys[by].number),
		.id = store_dim(s, row, keys[by].id),
		.dist = store_dist(s, row)
	};
}

/* ---- what delayed the slowest packets ------------------------------------------------------ */

static const struct trace_key_desc culprit_keys[] = {
	{ .key = CULPRIT_HOOK, .known = NETCOST_LATENCY_COUNT, .name = "hook" },
	{ .key = CULPRIT_WHAT, .known = NETCOST_CULPRIT_COUNT, .name = "what" },
	{ .key = CULPRIT_READER, .known = 2, .name = "reader" },
	{ .key = CULPRIT_NUMBER, .name = "number" },
	{ .key = CULPRIT_NAME, .kind = TRACE_STR, .name = "name" },
	{ .key = CULPRIT_NS, .flags = TRACE_KEY_SUM, .name = "ns" },
	{ .key = CULPRIT_PACKETS, .flags = TRACE_KEY_SUM, .name = "packets" },
	{ .key = CULPRIT_FIRST, .flags = TRACE_KEY_SUM, .name = "first" },
	{ 0 },
};

static const struct trace_key_desc tail_step_keys[] = {
	{ .key = TAIL_STEP_HOOK, .known = NETCOST_LATENCY_COUNT, .name = "hook" },
	{ .key = TAIL_STEP_FROM, .known = MODEL_ENTRY + 1, .name = "from" },
	{ .key = TAIL_STEP_TO, .known = NETCOST_LATENCY_COUNT, .name = "to" },
	{ .key = TAIL_STEP_PACKETS, .flags = TRACE_KEY_SUM, .name = "packets" },
	{ .key = TAIL_STEP_NS, .flags = TRACE_KEY_SUM, .name = "ns" },
	{ 0 },
};

const struct store_query model_culprits_query = {
	.keys = culprit_keys,
	.dim = { CULPRIT_HOOK, CULPRIT_WHAT, CULPRIT_READER, CULPRIT_NUMBER, CULPRIT_NAME }
};
static const struct store_query tail_steps_query = { .keys = tail_step_keys,
						     .dim = { TAIL_STEP_HOOK, TAIL_STEP_FROM,
							      TAIL_STEP_TO } };

struct model_culprit model_culprit(const struct store *s, size_t row)
{
	return (struct model_culprit){
		.at = row,
		.hook = (enum netcost_latency)store_dim(s, row, CULPRIT_HOOK),
		.what = (enum netcost_culprit)store_dim(s, row, CULPRIT_WHAT),
		.reader = store_dim(s, row, CULPRIT_READER) == 1,
		.number = store_dim(s, row, CULPRIT_NUMBER),
		.name = store_text(s, row, CULPRIT_NAME),
		.ns = store_value(s, row, CULPRIT_NS),
		.packets = store_value(s, row, CULPRIT_PACKETS),
		.first = store_value(s, row, CULPRIT_FIRST)
	};
}

bool model_shares_begin(struct model_shares *c, const struct trace_record *rec)
{
	uint64_t hook = trace_record_uint(rec, TRACE_LATENCY_TAIL_HOOK, UINT64_MAX);

	*c = (struct model_shares){ .hook = (enum netcost_latency)hook,
				    .what = trace_record_column(rec, TRACE_LATENCY_TAIL_WHAT),
				    .reader = trace_record_column(rec, TRACE_LATENCY_TAIL_READER),
				    .number = trace_record_column(rec, TRACE_LATENCY_TAIL_NUMBER),
				    .name = trace_record_column(rec, TRACE_LATENCY_TAIL_NAME),
				    .ns = trace_record_column(rec, TRACE_LATENCY_TAIL_TOOK_NS) };
	return hook < NETCOST_LATENCY_COUNT;
}

/*
 * Returns true if the store has room for a row. Some rows are reserved, so that each checkpoint always has room for a
 * row of unknown delays.
 */
static bool has_room(const struct store *s, const struct store_dim dim[])
{
	return store_rows(s) < MODEL_CULPRITS - 2 * NETCOST_LATENCY_COUNT ||
	       store_find_dims(s, dim) >= 0;
}

int model_shares_next(struct model_shares *c, struct store *culprits, size_t *row, uint64_t *ns)
{
	struct store_dim dim[] = { { .v = c->hook }, { 0 }, { 0 }, { 0 }, { 0 } };
	struct store_dim *what = &dim[1], *reader = &dim[2], *number = &dim[3], *name = &dim[4];
	uint32_t len;
	int err;

	if (!trace_column_uint(&c->what, &what->v) || !trace_column_uint(&c->reader, &reader->v) ||
	    !trace_column_uint(&c->number, &number->v) ||
	    !trace_column_str(&c->name, &name->s, &len) || !trace_column_uint(&c->ns, ns))
		return 0;
	reader->v = reader->v == 1;
	name->len = strnlen(name->s, len);
	if (what->v >= NETCOST_CULPRIT_COUNT || what->v == NETCOST_CULPRIT_UNKNOWN ||
	    !has_room(culprits, dim)) {
		what->v = NETCOST_CULPRIT_UNKNOWN; /* this includes culprits from newer versions */
		number->v = TRACE_NIL;
		name->len = 0;
	}
	err = store_put(culprits, dim, row);
	return err ? err : 1;
}

/* Adds the shares of a packet. The packet's main culprit is the first one with the largest share of the time. */
static int add_shares(struct model *m, struct model_shares *c)
{
	struct store *s = m->store[MODEL_STORE_CULPRITS];
	size_t row, most = SIZE_MAX;
	uint64_t ns, most_ns = 0;
	int more;

	while ((more = model_shares_next(c, s, &row, &ns)) > 0) {
		if (ns == TRACE_NIL)
			continue;
		if (store_put_value(s, row, CULPRIT_NS, ns) ||
		    store_put_value(s, row, CULPRIT_PACKETS, 1))
			return -ENOMEM;
		if (ns > most_ns) {
			most = row;
			most_ns = ns;
		}
	}
	if (!more && most != SIZE_MAX)
		more = store_put_value(s, most, CULPRIT_FIRST, 1);
	return more;
}

static int add_step(struct model *m, enum netcost_latency hook, uint64_t from, uint64_t to,
		    uint64_t ns)
{
	struct store *s = m->store[MODEL_STORE_TAIL_STEPS];
	size_t row;
	int err = store_put(s, (struct store_dim[]){ { .v = hook }, { .v = from }, { .v = to } },
			    &row);

	if (!err)
		err = store_put_value(s, row, TAIL_STEP_PACKETS, 1);
	return err ? err : store_put_value(s, row, TAIL_STEP_NS, ns);
}

/*
 * Adds the steps of a packet, which sum to the packet's time. A step is skipped and counts as unknown if its checkpoint
 * is from a newer version, or if its time is impossible.
 */
static int add_steps(struct model *m, const struct trace_record *rec, enum netcost_latency hook,
		     uint64_t whole_ns)
{
	struct trace_column hooks = trace_record_column(rec, TRACE_LATENCY_TAIL_PASSED_HOOK);
	struct trace_column times = trace_record_column(rec, TRACE_LATENCY_TAIL_PASSED_NS);
	struct model_tail *t = &m->tail[hook];
	uint64_t from = MODEL_ENTRY, from_ns = 0, to, ns;
	int err = 0;

	if (!trace_record_field(rec, TRACE_LATENCY_TAIL_PASSED_HOOK))
		return 0;
	t->path_packets = store_sum(t->path_packets, 1);
	t->path_ns = store_sum(t->path_ns, whole_ns);
	while (!err && trace_column_uint(&hooks, &to) && trace_column_uint(&times, &ns)) {
		if (to >= NETCOST_LATENCY_COUNT || ns < from_ns || ns > whole_ns)
			continue;
		err = add_step(m, hook, from, to, ns - from_ns);
		from = to;
		from_ns = ns;
	}
	return err ? err : add_step(m, hook, from, hook, whole_ns - from_ns);
}

static void add_before(struct model_tail *t, uint64_t before)
{
	if (before == TRACE_NIL)
		return;
	t->queue_packets = store_sum(t->queue_packets, 1);
	t->before = store_sum(t->before, before);
	if (before > t->before_most)
		t->before_most = before;
}

int model_tail(struct model *m, const struct trace_record *rec)
{
	struct store **culprits = &m->store[MODEL_STORE_CULPRITS],
		     **steps = &m->store[MODEL_STORE_TAIL_STEPS];
	uint64_t ns = trace_record_uint(rec, TRACE_LATENCY_TAIL_NS, TRACE_NIL);
	struct model_shares c;
	struct model_tail *t;
	int err;

	if (!(m->keep & MODEL_LATENCY) || !model_shares_begin(&c, rec) || ns == TRACE_NIL)
		return 0;
	for (unsigned int key = TRACE_LATENCY_TAIL_WHAT; key <= TRACE_LATENCY_TAIL_TOOK_NS; key++)
		if (trace_record_column(rec, key).n != c.what.n)
			return model_damaged(m, "columns of LATENCY_TAIL have different lengths");
	if ((!*culprits && store_new(culprits, &model_culprits_query)) ||
	    (!*steps && store_new(steps, &tail_steps_query)))
		return -ENOMEM;
	t = &m->tail[c.hook];
	t->packets = store_sum(t->packets, 1);
	t->ns = store_sum(t->ns, ns);
	add_before(t, trace_record_uint(rec, TRACE_LATENCY_TAIL_BEFORE, TRACE_NIL));
	err = add_steps(m, rec, c.hook, ns);
	return err ? err : add_shares(m, &c);
}
