// SPDX-License-Identifier: BSD-2-Clause
/* Markers: moments and times that a person looks for; and counters, from tick to tick. */
#include <inttypes.h>
#include <math.h>

#include "firefox_impl.h"

/* ---- markers ----------------------------------------------------------------------------- */

enum phase { INSTANT, INTERVAL };

struct marker {
	uint32_t name;
	const char *text; /* made safe by json.h */
	uint64_t begin_ns, end_ns;
	enum phase phase;
};

/* A marker of a list, by number. False: there are no more. */
typedef bool marker_fn(struct marker *k, struct strings *s, const struct firefox_profile *p,
		       size_t slot, size_t *i, char *text, size_t size);

enum column { NAME, BEGIN, END, PHASE, CATEGORY, DATA };

static void cell(struct json *j, const struct firefox_profile *p, const struct marker *k,
		 enum column column)
{
	switch (column) {
	case NAME:
		json_uint(j, NULL, k->name);
		break;
	case BEGIN:
		json_num(j, NULL, firefox_ms(p, k->begin_ns), 6);
		break;
	case END:
		if (k->phase == INSTANT)
			json_null(j, NULL);
		else
			json_num(j, NULL, firefox_ms(p, k->end_ns), 6);
		break;
	case PHASE:
		json_uint(j, NULL, k->phase);
		break;
	case CATEGORY:
		json_uint(j, NULL, LEAF_OTHER_KERNEL);
		break;
	case DATA:
		json_object(j, NULL);
		json_str(j, "type", "Text");
		json_str(j, "name", k->text);
		json_object_end(j);
		break;
	}
}

static void markers(struct json *j, struct strings *s, const struct firefox_profile *p, size_t slot,
		    marker_fn *next)
{
	static const char *const key[] = {
		[NAME] = "name",   [BEGIN] = "startTime", [END] = "endTime",
		[PHASE] = "phase", [DATA] = "data",	  [CATEGORY] = "category"
	};
	struct marker k;
	char text[64];
	size_t n = 0;

	json_object(j, "markers");
	for (enum column c = NAME; c <= DATA; c++) {
		json_array(j, key[c]);
		n = 0;
		for (size_t i = 0; next(&k, s, p, slot, &i, text, sizeof(text)); n++)
			cell(j, p, &k, c);
		json_array_end(j);
	}
	json_uint(j, "length", n);
	json_object_end(j);
}

/* Marks at a time that is not known are none here. */
static bool next_of_host(struct marker *k, struct strings *s, const struct firefox_profile *p,
			 size_t slot, size_t *i, char *text, size_t size)
{
	const struct model *m = p->m;
	size_t at;

	(void)slot;
	(void)text;
	(void)size;
	while (*i < m->nmoments && m->moment[*i].at_ns == TRACE_NIL)
		(*i)++;
	at = (*i)++;
	if (at < m->nmoments) {
		*k = (struct marker){ .name = strings_id(s, "mark"),
				      .text = model_string(m, m->moment[at].text),
				      .begin_ns = m->moment[at].at_ns };
		return true;
	}
	at -= m->nmoments;
	if (at >= m->npauses)
		return false;
	*k = (struct marker){ .name = strings_id(s, "exact counting paused"),
			      .text = "times between by samples alone",
			      .begin_ns = m->pause[at].from_ns,
			      .end_ns = m->pause[at].to_ns < m->last_ns ? m->pause[at].to_ns :
									  m->last_ns,
			      .phase = INTERVAL };
	return true;
}

static bool next_of_cpu(struct marker *k, struct strings *s, const struct firefox_profile *p,
			size_t slot, size_t *i, char *text, size_t size)
{
	const struct intervals *iv = p->iv;

	if (slot == SIZE_MAX)
		return false;
	while (*i < intervals_closed(iv) && !(iv->cell[*i * iv->ncpus + slot].times.lost > 0))
		(*i)++;
	if (*i >= intervals_closed(iv))
		return false;
	snprintf(text, size, "%.0f samples", iv->cell[*i * iv->ncpus + slot].times.lost);
	*k = (struct marker){ .name = strings_id(s, "samples lost"),
			      .text = text,
			      .begin_ns = iv->row[*i].begin_ns,
			      .end_ns = iv->row[*i].end_ns,
			      .phase = INTERVAL };
	(*i)++;
	return true;
}

void firefox_host_markers(struct json *j, struct strings *s, const struct firefox_profile *p)
{
	markers(j, s, p, SIZE_MAX, next_of_host);
}

void firefox_cpu_markers(struct json *j, struct strings *s, const struct firefox_profile *p,
			 size_t slot)
{
	markers(j, s, p, slot, next_of_cpu);
}

void firefox_marker_schema(struct json *j)
{
	static const char *const places[] = { "marker-chart", "marker-table", "timeline-overview",
					      NULL };

	json_array(j, "markerSchema");
	json_object(j, NULL);
	json_str(j, "name", "Text");
	json_str(j, "tableLabel", "{marker.name}: {marker.data.name}");
	json_str(j, "chartLabel", "{marker.data.name}");
	json_array(j, "display");
	for (size_t i = 0; places[i]; i++)
		json_str(j, NULL, places[i]);
	json_array_end(j);
	json_array(j, "data");
	json_object(j, NULL);
	json_str(j, "key", "name");
	json_str(j, "label", "Details");
	json_str(j, "format", "string");
	json_object_end(j);
	json_array_end(j);
	json_object_end(j);
	json_array_end(j);
}

/* ---- counters ---------------------------------------------------------------------------- */

typedef double value_fn(const struct firefox_profile *p, size_t piece);

/* All time of the CPUs that was not idle, in us. NaN: not measured. */
static double busy_us(const struct firefox_profile *p, size_t piece)
{
	const struct intervals *iv = p->iv;
	double sum = NAN;

	for (size_t c = 0; c < iv->ncpus; c++) {
		const struct interval_times *t = &iv->cell[piece * iv->ncpus + c].times;
		double busy = t->wall_ns - t->exact_ns[NETCOST_EV_IDLE];

		if (!isnan(busy))
			sum = (isnan(sum) ? 0 : sum) + busy;
	}
	return sum * 1e-3;
}

static double received(const struct firefox_profile *p, size_t piece)
{
	return p->iv->row[piece].host.work.rx_bytes;
}

static double sent(const struct firefox_profile *p, size_t piece)
{
	return p->iv->row[piece].host.work.tx_bytes;
}

static const struct counter_desc {
	const char *name, *category, *description, *color;
	value_fn *value;
} counters[] = {
	{ "processCPU", "CPU", "Time of all CPUs that was not idle", "blue", busy_us },
	{ "received", "Bandwidth", "Bytes that interfaces received", "green", received },
	{ "sent", "Bandwidth", "Bytes that interfaces sent", "orange", sent },
};

static bool is_known(const struct firefox_profile *p, value_fn *value)
{
	for (size_t i = 0; i < intervals_closed(p->iv); i++)
		if (isfinite(value(p, i)))
			return true;
	return false;
}

/* What moved in a piece stands at its end; before the first one nothing did. Of pieces that are not known there is none. */
static void samples(struct json *j, const struct firefox_profile *p, value_fn *value)
{
	const struct intervals *iv = p->iv;
	size_t n = 1;

	json_object(j, "samples");
	json_array(j, "time");
	json_num(j, NULL, firefox_ms(p, iv->row[0].begin_ns), 6);
	for (size_t i = 0; i < intervals_closed(iv); i++)
		if (isfinite(value(p, i))) {
			json_num(j, NULL, firefox_ms(p, iv->row[i].end_ns), 6);
			n++;
		}
	json_array_end(j);
	json_array(j, "count");
	json_num(j, NULL, 0, 3);
	for (size_t i = 0; i < intervals_closed(iv); i++)
		if (isfinite(value(p, i)))
			json_num(j, NULL, value(p, i), 3);
	json_array_end(j);
	json_uint(j, "length", n);
	json_object_end(j);
}

void firefox_counters(struct json *j, const struct firefox_profile *p)
{
	json_array(j, "counters");
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		const struct counter_desc *c = &counters[i];

		if (!is_known(p, c->value))
			continue;
		json_object(j, NULL);
		json_str(j, "name", c->name);
		json_str(j, "category", c->category);
		json_str(j, "description", c->description);
		json_str(j, "color", c->color);
		json_str(j, "pid", "0");
		json_uint(j, "mainThreadIndex", 0);
		samples(j, p, c->value);
		json_object_end(j);
	}
	json_array_end(j);
}
