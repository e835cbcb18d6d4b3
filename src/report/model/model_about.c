// SPDX-License-Identifier: BSD-2-Clause
/* Data of a trace about itself: settings of the host, methods of measuring, and missing data. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/stages.h>

#include "model_impl.h"
#include "model.h"

/* ---- settings -------------------------------------------------------------------------- */

/* Settings of the host. A second record of a setting means that the setting changed. */

static int keep_row(struct model *m, struct trace_column *subject, struct trace_column *name,
		    struct trace_column *value, struct trace_column *why, struct model_setting *s)
{
	const struct {
		struct trace_column *column;
		model_str *to;
	} texts[] = { { subject, &s->subject }, { name, &s->name }, { value, &s->value } };
	const char *text;
	uint32_t len;
	int err = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts) && !err; i++)
		err = trace_column_str(texts[i].column, &text, &len) ?
			      model_keep(m, text, len, texts[i].to) :
			      -EBADMSG;
	if (err)
		return err;
	return trace_column_str(why, &text, &len) ? model_keep_reason(m, text, len, &s->why) :
						    -EBADMSG;
}

int model_context(struct model *m, const struct trace_record *rec)
{
	struct trace_column subject = trace_record_column(rec, TRACE_CONTEXT_SUBJECT);
	struct trace_column name = trace_record_column(rec, TRACE_CONTEXT_NAME);
	struct trace_column value = trace_record_column(rec, TRACE_CONTEXT_VALUE);
	struct trace_column why = trace_record_column(rec, TRACE_CONTEXT_WHY);
	int err;

	if (name.n != subject.n || value.n != subject.n || why.n != subject.n)
		return model_damaged(m, "columns of CONTEXT have different lengths");
	err = array_reserve(&m->setting, &m->cap.setting, m->nsettings + subject.n,
			    sizeof(*m->setting));
	while (subject.n && !err) {
		struct model_setting *s = &m->setting[m->nsettings];

		*s = (struct model_setting){ .place = m->nsettings };
		err = keep_row(m, &subject, &name, &value, &why, s);
		s->first = s->value;
		s->first_why = s->why;
		m->nsettings += !err;
	}
	return err;
}

/* ---- first and last value ----------------------------------------------------------- */

int model_setting_compare(const struct model *ma, const struct model_setting *a,
			  const struct model *mb, const struct model_setting *b)
{
	int order = strcmp(model_string(ma, a->subject), model_string(mb, b->subject));

	return order ? order : strcmp(model_string(ma, a->name), model_string(mb, b->name));
}

static int by_name(const void *pa, const void *pb, void *m)
{
	const struct model_setting *a = pa, *b = pb;
	int order = model_setting_compare(m, a, m, b);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *pa, const void *pb)
{
	const struct model_setting *a = pa, *b = pb;

	return (a->place > b->place) - (a->place < b->place);
}

static bool differ(const struct model *m, model_str a, model_str b)
{
	return strcmp(model_string(m, a), model_string(m, b)) != 0;
}

/*
 * Keeps one row per setting, at the position of the setting's first record. Call the function after all records have
 * been read.
 */
void model_join_settings(struct model *m)
{
	size_t n = 0;

	if (!m->nsettings)
		return;
	qsort_r(m->setting, m->nsettings, sizeof(*m->setting), by_name, m);
	for (size_t i = 1; i < m->nsettings; i++) {
		const struct model_setting *next = &m->setting[i];
		struct model_setting *s = &m->setting[n];

		if (model_setting_compare(m, s, m, next)) {
			m->setting[++n] = *next;
			continue;
		}
		s->value = next->value;
		s->why = next->why;
	}
	m->nsettings = n + 1;
	qsort(m->setting, m->nsettings, sizeof(*m->setting), by_place);
}

bool model_setting_changed(const struct model *m, const struct model_setting *s)
{
	return differ(m, s->first, s->value) || differ(m, s->first_why, s->why);
}

bool model_setting_known(const struct model *m, const struct model_setting *s)
{
	return (!s->why || !strcmp(model_string(m, s->why), "gone")) && !s->first_why;
}

/* ---- probes ---------------------------------------------------------------------------- */

/* Methods of measuring, and the reasons why something was not measured, as reported by the trace. */

/* Real traces have few sources. The limit keeps the linear search short for hostile traces. */
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

static const char *model_event_title(uint64_t event)
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

/*
 * Adds a source. A source may have several records, for example when its counter turns out to be stuck. Then the last
 * record is used.
 */
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
_Static_assert(NETCOST_PROBE_OFS(X) <= MODEL_PROBES, "MODEL_PROBES must cover all known objects");
#undef X

/* Adds a probe. If there are several records for an object, the first one is used. */
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

	/* the record is from a newer version */
	if (of >= NETCOST_OF_COUNT || p.number >= known[of])
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

double model_key_ns(const struct trace_record *rec, unsigned int key)
{
	uint64_t ps = trace_record_uint(rec, key, TRACE_NIL);

	return ps == TRACE_NIL ? NAN : (double)ps * 1e-3;
}

struct model_probe_cost *model_read_probe_cost(struct model_probe_cost *cost,
					       const struct trace_record *rec)
{
	uint64_t probe = trace_record_uint(rec, TRACE_PROBE_COST_PROBE, UINT64_MAX);

	if (probe >= NETCOST_PROBE_COUNT)
		return NULL;
	cost[probe] = (struct model_probe_cost){
		.there = true,
		.ns = model_key_ns(rec, TRACE_PROBE_COST_PS),
		.ci95 = model_key_ns(rec, TRACE_PROBE_COST_CI95_PS),
		.inside_ns = model_key_ns(rec, TRACE_PROBE_COST_INSIDE_PS),
		.inside_ci95 = model_key_ns(rec, TRACE_PROBE_COST_INSIDE_CI95_PS),
	};
	return &cost[probe];
}

int model_probe_cost(struct model *m, const struct trace_record *rec)
{
	struct model_probe_cost *c = model_read_probe_cost(m->probe_cost, rec);

	return c ? model_keep_field(m, rec, TRACE_PROBE_COST_WHY, &c->why) : 0;
}

/* ---- certificates ---------------------------------------------------------------------- */

/* Certificates contain the recorder's counts of a known load that the recorder generated itself. */

/* Returns a number of the record, or NaN if it is unknown. */
static double number(const struct trace_record *rec, unsigned int key)
{
	const struct trace_field *f = trace_record_field(rec, key);

	if (!f)
		return NAN;
	return f->kind == TRACE_INT ? (double)(int64_t)f->v : (double)f->v;
}

/* Adds a certificate. A recording has two certificates. */
int model_certificate(struct model *m, const struct trace_record *rec)
{
	struct model_certificate c = {
		.cpu = number(rec, TRACE_CERTIFICATE_CPU),
		.injected_ns = number(rec, TRACE_CERTIFICATE_INJECTED_NS),
		.found_ns = number(rec, TRACE_CERTIFICATE_FOUND_NS),
		.error_ns = number(rec, TRACE_CERTIFICATE_ERROR_NS),
		.packets = number(rec, TRACE_CERTIFICATE_PACKETS),
		.packets_counted = number(rec, TRACE_CERTIFICATE_PACKETS_COUNTED),
		.bytes = number(rec, TRACE_CERTIFICATE_BYTES),
		.bytes_counted = number(rec, TRACE_CERTIFICATE_BYTES_COUNTED),
		.tested = number(rec, TRACE_CERTIFICATE_TESTED),
		.seen = number(rec, TRACE_CERTIFICATE_SEEN),
		.took_ns = number(rec, TRACE_CERTIFICATE_TOOK_NS),
		.cpu_ns = number(rec, TRACE_CERTIFICATE_CPU_NS),
	};
	int err;

	if (m->ncertificates == MODEL_CERTIFICATES)
		return 0;
	if ((err = model_keep_field(m, rec, TRACE_CERTIFICATE_WHEN, &c.when)) ||
	    (err = model_keep_field(m, rec, TRACE_CERTIFICATE_STATE, &c.state)) ||
	    (err = model_keep_field(m, rec, TRACE_CERTIFICATE_WHY, &c.why)))
		return err;
	m->certificate[m->ncertificates++] = c;
	return 0;
}

/* ---- damage ---------------------------------------------------------------------------- */

/* The following code describes the data that is missing in a damaged trace. */

struct text {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->at, t->left, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= t->left)
		n = (int)t->left - 1;
	t->at += n;
	t->left -= (size_t)n;
}

static void add_status(struct text *t, const struct trace_status *st)
{
	add(t, "%s", st->what);
	if (st->damages > 1)
		add(t, ", in %" PRIu64 " places", st->damages);
	if (st->frames_missing)
		add(t, "; %" PRIu64 " frame%s missing", st->frames_missing,
		    st->frames_missing == 1 ? " is" : "s are");
	if (!st->ended)
		add(t, "; the end is missing");
}

char *damage_text(const struct trace_status *st, char *dst, size_t size)
{
	struct text t = { .at = dst, .left = size };

	*dst = '\0';
	if (st->damages)
		add_status(&t, st);
	return dst;
}

char *model_damage(const struct model *m, char *dst, size_t size)
{
	struct text t = { .at = dst, .left = size };
	const struct {
		uint64_t n;
		const char *what;
	} lost[] = {
		{ m->lost.stacks, "stack" },
		{ m->lost.symbols, "function" },
		{ m->lost.tasks, "task" },
		{ m->lost.cgroups, "cgroup" },
	};

	*dst = '\0';
	if (!m->status.damages)
		return dst;
	add_status(&t, &m->status);
	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		if (lost[i].n)
			add(&t, "; a lost %s is referred to %s", lost[i].what,
			    COUNT(lost[i].n, "time"));
	return dst;
}
