// SPDX-License-Identifier: BSD-2-Clause
/* How things were measured, or why not, as the trace says. */
#include <math.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/stages.h>

#include "model_impl.h"

/* Real traces have few sources; in any other a linear search must stay short. */
#define MAX_SOURCES 256u

static const struct {
	const char *key, *title;
} events[] = {
#define X(id, name, key, title, doc) [id] = { key, title },
	NETCOST_EVENTS(X)
#undef X
}, parts[] = {
#define X(id, name, key, title, doc) [id] = { key, title },
	NETCOST_PARTS(X)
#undef X
}, probes[] = {
#define X(id, name, key, title, doc) [id] = { key, title },
	NETCOST_PROBES(X)
#undef X
};

const char *model_event_key(uint64_t event)
{
	return event < NETCOST_EV_COUNT ? events[event].key : NULL;
}

const char *model_event_title(uint64_t event)
{
	return event < NETCOST_EV_COUNT ? events[event].title : NULL;
}

const char *model_part_key(uint64_t part)
{
	return part < NETCOST_PART_COUNT ? parts[part].key : NULL;
}

const char *model_part_title(uint64_t part)
{
	return part < NETCOST_PART_COUNT ? parts[part].title : NULL;
}

const char *model_probe_key(uint64_t probe)
{
	return probe < NETCOST_PROBE_COUNT ? probes[probe].key : NULL;
}

const char *model_probe_title(uint64_t probe)
{
	return probe < NETCOST_PROBE_COUNT ? probes[probe].title : NULL;
}

const struct model_source *model_find_source(const struct model *m, const char *name)
{
	for (size_t i = 0; i < m->nsources; i++)
		if (!strcmp(model_string(m, m->source[i].name), name))
			return &m->source[i];
	return NULL;
}

/* A source may come again, for example when its counter turns out to be stuck: the last one counts. */
int model_source(struct model *m, const struct trace_record *rec)
{
	const struct model_source *before;
	struct model_source s;
	size_t i;
	int err;

	if ((err = model_keep_field(m, rec, TRACE_SOURCE_NAME, &s.name)) ||
	    (err = model_keep_field(m, rec, TRACE_SOURCE_STATE, &s.state)) ||
	    (err = model_keep_field(m, rec, TRACE_SOURCE_VIA, &s.via)) ||
	    (err = model_keep_field(m, rec, TRACE_SOURCE_WHY, &s.why)))
		return err;
	before = model_find_source(m, model_string(m, s.name));
	i = before ? (size_t)(before - m->source) : m->nsources;
	if (i == MAX_SOURCES)
		return model_damaged(m, "more than %u sources", MAX_SOURCES);
	err = array_reserve(&m->source, &m->cap.source, i + 1, sizeof(s));
	if (err)
		return err;
	m->source[i] = s;
	m->nsources += i == m->nsources;
	return 0;
}

const struct model_probe *model_find_probe(const struct model *m, enum netcost_of of,
					   uint64_t number)
{
	for (size_t i = 0; i < m->nprobes; i++)
		if (m->probe[i].of == of && m->probe[i].number == number)
			return &m->probe[i];
	return NULL;
}

bool model_is_measured(const struct model *m, enum netcost_of of, uint64_t number)
{
	const struct model_probe *p = model_find_probe(m, of, number);

	return p && strcmp(model_string(m, p->method), "off") != 0;
}

bool model_has_probes(const struct model *m, enum netcost_of of)
{
	for (size_t i = 0; i < m->nprobes; i++)
		if (m->probe[i].of == of)
			return true;
	return false;
}

const char *model_probe_of(const struct model_probe *p)
{
	return p->of == NETCOST_OF_EVENT ? model_event_title(p->number) :
	       p->of == NETCOST_OF_PART	 ? model_part_title(p->number) :
					   NULL;
}

#define X(id, name, key, known, doc) +known
_Static_assert(NETCOST_PROBE_OFS(X) <= MODEL_PROBES, "there is room for all");
#undef X

/* Of each thing the first one counts. */
int model_probe(struct model *m, const struct trace_record *rec)
{
	static const unsigned int known[NETCOST_OF_COUNT] = {
#define X(id, name, key, known, doc) [id] = known,
		NETCOST_PROBE_OFS(X)
#undef X
	};
	uint64_t of = trace_record_uint(rec, TRACE_PROBE_OF, UINT64_MAX);
	struct model_probe p = { .of = (enum netcost_of)of,
				 .number = trace_record_uint(rec, TRACE_PROBE_NUMBER, UINT64_MAX),
				 .tested = trace_record_uint(rec, TRACE_PROBE_TESTED, 0),
				 .seen = trace_record_uint(rec, TRACE_PROBE_SEEN, 0) };
	int err;

	if (of >= NETCOST_OF_COUNT || p.number >= known[of]) /* a newer one */
		return 0;
	if (model_find_probe(m, p.of, p.number))
		return 0;
	if ((err = model_keep_field(m, rec, TRACE_PROBE_METHOD, &p.method)) ||
	    (err = model_keep_list(m, rec, TRACE_PROBE_HOOKS, &p.hooks)) ||
	    (err = model_keep_field(m, rec, TRACE_PROBE_REASON, &p.reason)) ||
	    (err = model_keep_list(m, rec, TRACE_PROBE_REFUSED, &p.refused)) ||
	    (err = model_keep_list(m, rec, TRACE_PROBE_UNSEEN, &p.unseen)))
		return err;
	m->probe[m->nprobes++] = p;
	return p.of == NETCOST_OF_STAGE ? model_make_stages(m) : 0;
}

static double key_ns(const struct trace_record *rec, unsigned int key)
{
	uint64_t ps = trace_record_uint(rec, key, TRACE_NIL);

	return ps == TRACE_NIL ? NAN : (double)ps * 1e-3;
}

int model_probe_cost(struct model *m, const struct trace_record *rec)
{
	uint64_t probe = trace_record_uint(rec, TRACE_PROBE_COST_PROBE, UINT64_MAX);
	struct model_probe_cost *c;

	if (probe >= NETCOST_PROBE_COUNT)
		return 0;
	c = &m->probe_cost[probe];
	c->there = true;
	c->ns = key_ns(rec, TRACE_PROBE_COST_PS);
	c->ci95 = key_ns(rec, TRACE_PROBE_COST_CI95_PS);
	c->inside_ns = key_ns(rec, TRACE_PROBE_COST_INSIDE_PS);
	c->inside_ci95 = key_ns(rec, TRACE_PROBE_COST_INSIDE_CI95_PS);
	return model_keep_field(m, rec, TRACE_PROBE_COST_WHY, &c->why);
}
