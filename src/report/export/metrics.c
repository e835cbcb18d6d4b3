// SPDX-License-Identifier: BSD-2-Clause
/*
 * Metrics in memory, and OpenMetrics as text. Series are kept in memory because a family is written
 * as a whole, after the last edge.
 */
#include "metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

/* ---- families ---------------------------------------------------------------------------- */

enum type { COUNTER, GAUGE, HISTOGRAM, INFO };
enum which { ANY, FROM_ZERO, MOVED };

struct family {
	const char *name, *unit, *help;
	enum type type;
	enum which which;
};

static const struct family family_desc[METRIC_FAMILY_COUNT] = {
#define X(enum_, key, type_, unit_, which_, help_) { key, unit_, help_, type_, which_ },
	METRIC_FAMILIES(X)
#undef X
};

static const char *const type_name
	[] = { [COUNTER] = "counter", [GAUGE] = "gauge", [HISTOGRAM] = "histogram", [INFO] = "info" };
static const char *const
	type_suffix[] = { [COUNTER] = "_total", [GAUGE] = "", [HISTOGRAM] = "", [INFO] = "_info" };

static struct family family_of(const struct metrics *s, unsigned int family)
{
	const struct metric_view *v;

	if (family < METRIC_FAMILY_COUNT)
		return family_desc[family];
	v = &s->view[family - METRIC_FAMILY_COUNT];
	return (struct family){ v->name, v->unit, v->help, COUNTER, FROM_ZERO };
}

struct metric_about metrics_about(const struct metrics *s, unsigned int family)
{
	struct family f = family_of(s, family);

	return (struct metric_about){ .name = f.name,
				      .unit = f.unit,
				      .help = f.help,
				      .gauge = f.type == GAUGE,
				      .number = f.type == GAUGE || f.type == COUNTER };
}

double metrics_time(const struct metrics *s, double ns)
{
	return s->exact ? ns : ns / 1e9;
}

/* Returns true if the name ends with the unit, as OpenMetrics requires. */
static bool ends_with(const char *name, const char *unit)
{
	size_t n = strlen(name), u = strlen(unit);

	return n > u && name[n - u - 1] == '_' && !strcmp(name + n - u, unit);
}

unsigned int metrics_view(struct metrics *s, const char *view, const char *value, const char *unit,
			  const char *help)
{
	struct metric_view v = { .help = help };
	size_t i = 0;

	snprintf(v.name, sizeof(v.name), "%s_%s", view, value);
	v.unit = ends_with(v.name, unit) ? unit : "";
	while (i < s->nviews && strcmp(s->view[i].name, v.name) != 0)
		i++;
	if (METRIC_FAMILY_COUNT + i == METRIC_FAMILIES_MOST)
		return METRIC_FAMILIES_MOST;
	if (i == s->nviews)
		s->view[s->nviews++] = v;
	return METRIC_FAMILY_COUNT + (unsigned int)i;
}

/* ---- labels ------------------------------------------------------------------------------ */

static bool append(struct metric_labels *l, const char *text, size_t n)
{
	if (l->len + n >= sizeof(l->text))
		return false;
	memcpy(l->text + l->len, text, n);
	l->len += n;
	l->text[l->len] = '\0';
	return true;
}

static bool append_value(struct metric_labels *l, const char *value)
{
	char text[METRIC_LABEL_MOST];

	clean_utf8(text, sizeof(text), value);
	for (const char *p = text; *p; p++)
		if (((*p == '"' || *p == '\\') && !append(l, "\\", 1)) || !append(l, p, 1))
			return false;
	return true;
}

/* Adds a label, or nothing if the whole label does not fit. */
void metric_label(struct metric_labels *l, const char *name, const char *value)
{
	size_t before = l->len;

	if ((before && !append(l, ",", 1)) || !append(l, name, strlen(name)) ||
	    !append(l, "=\"", 2) || !append_value(l, value) || !append(l, "\"", 1)) {
		l->len = before;
		l->text[before] = '\0';
	}
}

void metric_label_uint(struct metric_labels *l, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	metric_label(l, name, text);
}

#define NAME_MOST 128 /* largest name in bytes, without labels */

/* ---- series ------------------------------------------------------------------------------ */

void metrics_init(struct metrics *s, size_t edges)
{
	*s = (struct metrics){ .edges = edges, .room = UINT64_MAX };
	strings_init(&s->names);
}

void metrics_free(struct metrics *s)
{
	for (size_t i = 1; i <= s->n; i++)
		free(s->series[i].value);
	free(s->series);
	strings_free(&s->names);
	*s = (struct metrics){ 0 };
}

size_t metrics_limit(struct metrics *s, size_t n, size_t each, size_t points)
{
	size_t most = METRICS_FAMILY_MAX / each;

	if (n <= most)
		return n;
	s->left_out += (n - most) * (uint64_t)points;
	return most;
}

void metrics_make_room(struct metrics *s, uint64_t values)
{
	s->room = s->room < METRICS_POINTS_SPARE ? s->room : METRICS_POINTS_SPARE;
	s->room += METRICS_POINTS_PER_VALUE * values;
}

bool metrics_has_room(struct metrics *s, size_t points)
{
	if (s->room)
		return true;
	s->left_out += points;
	return false;
}

static bool is_full(const struct metrics *s, unsigned int family)
{
	return s->of_family[family] >= METRICS_FAMILY_MAX ||
	       (s->n + 1) * s->edges > METRICS_CELLS_MAX;
}

/* Adds a series. Returns NULL if out of memory. */
static struct metric_series *make(struct metrics *s, unsigned int family, const char *name)
{
	struct metric_series new = { .family = family, .metric = s->metrics };

	new.value = malloc((s->edges + 1) * sizeof(*new.value));
	if (!new.value || array_reserve(&s->series, &s->cap, s->n + 2, sizeof(*s->series)) ||
	    strings_add(&s->names, name) != s->n + 1) {
		free(new.value);
		s->no_memory = true;
		return NULL;
	}
	for (size_t i = 0; i < s->edges; i++)
		new.value[i] = NAN;
	s->series[++s->n] = new;
	s->of_family[family]++;
	return &s->series[s->n];
}

/* Returns the series, which is added if it does not exist. Returns NULL if there is no room. */
static struct metric_series *find(struct metrics *s, unsigned int family, const char *suffix,
				  bool begins, const char *labels)
{
	struct family f = family_of(s, family);
	char name[sizeof(struct metric_labels) + NAME_MOST];
	uint32_t i;

	snprintf(name, sizeof(name), METRICS_PREFIX "%s%s%s%s%s%s", f.name, type_suffix[f.type],
		 suffix, *labels ? "{" : "", labels, *labels ? "}" : "");
	i = strings_find(&s->names, name);
	if (i)
		return &s->series[i];
	if (is_full(s, family)) {
		s->left_out++;
		return NULL;
	}
	s->metrics += begins;
	return make(s, family, name);
}

/* Returns true if the series may have a point at the edge. A new point uses up room. */
static bool takes_point(struct metrics *s, const struct metric_series *to, size_t edge)
{
	if (!isnan(to->value[edge]))
		return true;
	if (!metrics_has_room(s, 1))
		return false;
	s->room -= s->room != UINT64_MAX;
	return true;
}

/* Returns the point of a series, or NULL if no point can be added. */
static double *point(struct metrics *s, unsigned int family, const char *suffix, bool begins,
		     size_t edge, double v, const struct metric_labels *labels)
{
	struct metric_series *to;

	if (!isfinite(v) || (edge >= s->edges && !s->newest) || s->no_memory)
		return NULL;
	to = find(s, family, suffix, begins, labels ? labels->text : "");
	if (to && s->newest && to->at != edge)
		to->value[0] = NAN;
	if (to && s->newest)
		to->at = edge;
	edge = s->newest ? 0 : edge;
	return to && takes_point(s, to, edge) ? &to->value[edge] : NULL;
}

void metrics_add_part(struct metrics *s, unsigned int family, const char *suffix, bool begins,
		      size_t edge, double v, const struct metric_labels *labels)
{
	double *to = point(s, family, suffix, begins, edge, v, labels);

	if (to)
		*to = isnan(*to) ? v : *to + v;
}

void metrics_add(struct metrics *s, unsigned int family, size_t edge, double v,
		 const struct metric_labels *labels)
{
	metrics_add_part(s, family, "", true, edge, v, labels);
}

void metrics_set(struct metrics *s, unsigned int family, size_t edge, double v,
		 const struct metric_labels *labels)
{
	double *to = point(s, family, "", true, edge, v, labels);

	if (to)
		*to = v;
}

/* ---- kinds of series ---------------------------------------------------------------- */

static void begin_at_zero(double *v, size_t n)
{
	for (size_t e = 0; e < n && isnan(v[e]); e++)
		v[e] = 0;
}

/*
 * Replaces each point at which a counter would decrease by the previous value of the counter. Returns the number of
 * replaced points.
 */
static uint64_t hold(double *v, size_t n, double *most)
{
	uint64_t held = 0;

	for (size_t e = 0; e < n; e++) {
		held += v[e] < *most;
		if (v[e] < *most)
			v[e] = *most;
		else if (v[e] > *most)
			*most = v[e];
	}
	return held;
}

static void drop_still(double *v, size_t n)
{
	for (size_t e = 0; e < n; e++)
		if (v[e] > 0)
			return;
	for (size_t e = 0; e < n; e++)
		v[e] = NAN;
}

void metrics_settle(struct metrics *s)
{
	for (size_t i = 1; i <= s->n; i++) {
		struct family f = family_of(s, s->series[i].family);

		if (f.which == FROM_ZERO)
			begin_at_zero(s->series[i].value, s->edges);
		if (f.type == COUNTER && !s->exact)
			s->held += hold(s->series[i].value, s->edges, &s->series[i].most);
		if (f.which == MOVED)
			drop_still(s->series[i].value, s->edges);
	}
}

void metrics_tell_left_out(const struct metrics *s, const char *title)
{
	if (s->left_out)
		tell(title,
		     "%" PRIu64
		     " points are left out: there are too many series (at most %d per family) or too many nearly empty ticks; --every reduces the points, and export tables has all interfaces",
		     s->left_out, METRICS_FAMILY_MAX);
}

void metrics_keep(struct metrics *s, size_t edge)
{
	for (size_t i = 1; i <= s->n; i++) {
		if (s->series[i].at != edge)
			s->series[i].value[0] = NAN;
		s->series[i].at = 0;
	}
}

/* ---- text -------------------------------------------------------------------------------- */

static void write_head(FILE *out, struct family f)
{
	fprintf(out, "# HELP " METRICS_PREFIX "%s %s.\n# TYPE " METRICS_PREFIX "%s %s\n", f.name,
		f.help, f.name, type_name[f.type]);
	if (*f.unit)
		fprintf(out, "# UNIT " METRICS_PREFIX "%s %s\n", f.name, f.unit);
}

/* Writes a point. Counters up to 1e15 are written as whole numbers. */
static void write_point(FILE *out, const char *name, double v, uint64_t real_ms)
{
	fprintf(out, "%s %.15g %llu.%03u\n", name, v, (unsigned long long)(real_ms / 1000),
		(unsigned int)(real_ms % 1000));
}

static bool has_points(const struct metric_series *s, size_t edges)
{
	for (size_t e = 0; e < edges; e++)
		if (!isnan(s->value[e]))
			return true;
	return false;
}

/*
 * Writes the points of the series in [first, end), which are one metric, in the order of time. All
 * series of a point in time are written together.
 */
static size_t write_metric(FILE *out, const struct metrics *s, size_t first, size_t end,
			   const uint64_t *real_ms)
{
	size_t points = 0;

	for (size_t e = 0; e < s->edges; e++) {
		if (e + 1 < s->edges && real_ms[e + 1] == real_ms[e])
			continue;
		for (size_t i = first; i < end; i++)
			if (!isnan(s->series[i].value[e])) {
				write_point(out, s->names.text[i], s->series[i].value[e],
					    real_ms[e]);
				points++;
			}
	}
	return points;
}

static void write_family(FILE *out, const struct metrics *s, unsigned int family,
			 const uint64_t *real_ms, struct metrics_count *count)
{
	bool begun = false;
	size_t end;

	for (size_t i = 1; i <= s->n; i = end) {
		size_t series = 0;

		for (end = i; end <= s->n && s->series[end].metric == s->series[i].metric; end++)
			series += s->series[end].family == family &&
				  has_points(&s->series[end], s->edges);
		if (!series)
			continue;
		if (!begun)
			write_head(out, family_of(s, family));
		begun = true;
		count->series += series;
		count->points += write_metric(out, s, i, end, real_ms);
	}
	count->families += begun;
}

struct metrics_count metrics_write(FILE *out, const struct metrics *s, const uint64_t *real_ms)
{
	struct metrics_count count = { 0 };

	for (unsigned int f = 0; f < METRIC_FAMILIES_MOST; f++)
		if (s->of_family[f])
			write_family(out, s, f, real_ms, &count);
	fputs("# EOF\n", out);
	return count;
}
