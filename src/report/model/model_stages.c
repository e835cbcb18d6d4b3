// SPDX-License-Identifier: BSD-2-Clause
/* Packets' ways: what happened, in order of time, is put together by packet; at its end it is known which path that was. */
#include "stages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "model_impl.h"
#include "stages_impl.h"

#define OPEN                                                                                       \
	(1u << 16) /* packets that are on their way at a time: of more the oldest is unfinished */
#define NONE UINT32_MAX

struct stages_open {
	struct stages_way *way;
	size_t n, room;
	uint32_t bucket[OPEN];
	uint32_t unused, oldest, newest;
};

/* ---- those on their way ------------------------------------------------------------------ */

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

/* ---- a whole way ------------------------------------------------------------------------- */

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

static int finish(struct model_stages *s, struct stages_way *w)
{
	enum stages_path path = path_of(w);
	int err;

	if (w->wrong || w->too_long) {
		s->impossible += w->wrong;
		s->too_long += !w->wrong;
		return 0;
	}
	s->finished[path]++;
	err = stages_add_way(&s->all, path, w);
	for (unsigned int i = 1; i < w->n && !err; i++)
		if (w->rule[i - 1])
			err = dist_add(&s->rule[w->rule[i - 1] - 1].times,
				       w->at_ns[i] - w->at_ns[i - 1]);
	return err || !s->nkeys ? err : stages_add_by(s, path, w);
}

/* The last one stays, whatever is left out before it. */
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

/* ---- what happened ----------------------------------------------------------------------- */

struct text {
	const char *s;
	uint32_t n;
};

/* Of a list of a record. */
struct texts {
	struct text *text;
	size_t n;
};

struct event {
	uint64_t at_ns, packet, stage, flow, reason, rule, device;
	const struct texts *reasons, *hooks, *tables; /* places are in these, from 1 on */
	const struct stages_devices *devices;	      /* likewise */
};

static int texts_read(struct texts *t, const struct trace_record *rec, unsigned int list)
{
	struct trace_column c = trace_record_column(rec, list);
	size_t n = c.n;

	*t = (struct texts){ .text = n ? calloc(n, sizeof(*t->text)) : NULL };
	if (n && !t->text)
		return -ENOMEM;
	while (t->n < n && trace_column_str(&c, &t->text[t->n].s, &t->text[t->n].n))
		t->n++;
	return 0;
}

/* "": it is none of them. */
static struct text text_at(const struct texts *t, uint64_t place)
{
	return place && place <= t->n ? t->text[place - 1] : (struct text){ "", 0 };
}

static bool is_text(struct model *m, model_str kept, const struct text *t)
{
	const char *s = model_string(m, kept);

	return strlen(s) == t->n && !memcmp(s, t->s, t->n);
}

/* Of too many the last one stands for all others. */
static int find_rule(struct model *m, const struct event *e, size_t *found)
{
	struct model_stages *s = m->stages;
	struct text hook = text_at(e->hooks, e->rule), table = text_at(e->tables, e->rule);
	size_t i = 0;
	int err = 0;

	*found = 0;
	if (!e->rule || e->rule == TRACE_NIL || !hook.n || !(1u << e->stage & NETCOST_STAGES_RULES))
		return 0;
	while (i < s->nrules &&
	       (s->rule[i].stage != e->stage || !is_text(m, s->rule[i].hook, &hook) ||
		!is_text(m, s->rule[i].table, &table)))
		i++;
	if (i == STAGES_RULES)
		i--;
	if (i == s->nrules) {
		bool last = i == STAGES_RULES - 1;

		s->rule[i].stage = last ? NETCOST_STAGE_NETFILTER : (enum netcost_stage)e->stage;
		err = last ? 0 : model_keep(m, hook.s, hook.n, &s->rule[i].hook);
		if (!err && !last)
			err = model_keep(m, table.s, table.n, &s->rule[i].table);
		s->nrules += !err;
	}
	*found = i + 1;
	return err;
}

static int count_reason(struct model *m, const struct event *e)
{
	struct model_stages *s = m->stages;
	struct text name = text_at(e->reasons, e->reason);
	size_t i = 0;

	while (i < s->nreasons && !is_text(m, s->reason[i].name, &name))
		i++;
	if (i == s->nreasons && i < STAGES_REASONS) {
		int err = model_keep(m, name.s, name.n, &s->reason[i].name);

		if (err)
			return err;
		s->nreasons++;
	}
	if (i == STAGES_REASONS)
		i--;
	s->reason[i].packets++;
	return 0;
}

static int add_event(struct model *m, const struct event *e)
{
	struct model_stages *s = m->stages;
	uint32_t i = find(s->open, e->packet);
	unsigned int key = 0;
	size_t rule = 0;
	int err = 0;

	s->events++;
	if (e->flow != TRACE_NIL) {
		if (i != NONE)
			leave_unfinished(s, i);
		else if (s->open->n == OPEN && s->open->unused == NONE)
			leave_unfinished(s, s->open->oldest);
		s->begun++;
		err = put_in(s->open, e->packet, &i);
	}
	if (err || i == NONE) {
		s->before += !err;
		return err;
	}
	err = find_rule(m, e, &rule);
	if (!err && s->nkeys)
		err = stages_find_key(s, &s->open->way[i], e->devices, e->device, e->flow, &key);
	if (err)
		return err;
	add_stage(&s->open->way[i], (unsigned int)e->stage, e->at_ns, rule, key);
	if (!(1u << e->stage & NETCOST_STAGES_END))
		return 0;
	if (e->stage == NETCOST_STAGE_DROPPED)
		err = count_reason(m, e);
	if (!err)
		err = finish(s, &s->open->way[i]);
	take_out(s->open, i);
	return err;
}

int model_make_stages(struct model *m)
{
	if (!m->stages)
		m->stages = calloc(1, sizeof(*m->stages));
	return m->stages ? 0 : -ENOMEM;
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
	return stages_make_keys(m);
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

static void add(uint64_t *sum, uint64_t more)
{
	if (more == TRACE_NIL || __builtin_add_overflow(*sum, more, sum) || *sum == TRACE_NIL)
		*sum = TRACE_NIL - 1;
}

static void add_counts(struct model *m, const struct trace_record *rec)
{
	if (!trace_record_field(rec, TRACE_STAGES_EVERY))
		return;
	m->stages->counted = true;
	m->stages->every = trace_record_uint(rec, TRACE_STAGES_EVERY, 1);
	add(&m->stages->packets, trace_record_uint(rec, TRACE_STAGES_PACKETS, 0));
	add(&m->stages->full, trace_record_uint(rec, TRACE_STAGES_FULL, 0));
	add(&m->stages->evicted, trace_record_uint(rec, TRACE_STAGES_EVICTED, 0));
}

/* Of stages that a newer version has nothing is known: they are not there. */
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
			e.rule = 0; /* it has none */
		if (e.stage < NETCOST_STAGE_COUNT)
			err = add_event(m, &e);
	}
	return err;
}

static int add_record(struct model *m, const struct trace_record *rec)
{
	struct texts reasons = { .n = 0 }, hooks = { .n = 0 }, tables = { .n = 0 };
	struct stages_devices devices = { .n = 0 };
	const struct event e = { .at_ns = trace_record_uint(rec, TRACE_STAGES_BASE_NS, 0),
				 .reasons = &reasons,
				 .hooks = &hooks,
				 .tables = &tables,
				 .devices = &devices };
	int err;

	if (!(err = texts_read(&reasons, rec, TRACE_STAGES_REASONS)) &&
	    !(err = texts_read(&hooks, rec, TRACE_STAGES_HOOKS)) &&
	    !(err = texts_read(&tables, rec, TRACE_STAGES_TABLES)) &&
	    !(err = stages_devices_read(&devices, rec)))
		err = add_events(m, rec, e);
	if (!err && m->stages->nkeys)
		err = stages_describe_keys(m, rec);
	free(reasons.text);
	free(hooks.text);
	free(tables.text);
	free(devices.device);
	return err;
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
	for (size_t i = 0; i < s->nrules; i++)
		dist_free(&s->rule[i].times);
	stages_free_times(s);
	if (s->open)
		free(s->open->way);
	free(s->open);
	free(s);
}
