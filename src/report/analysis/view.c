// SPDX-License-Identifier: BSD-2-Clause
#include "view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/fates.h>
#include <netcost/text_append.h>

#include "report/base/stats.h"

const struct view_use view_uses[VIEW_USES_COUNT] = {
#define X(TYPE, name, title, by, where) { TRACE_##TYPE, name, title, by, where },
	VIEW_USES(X)
#undef X
};

const char *const view_use_names[] = {
#define X(TYPE, name, title, by, where) name,
	VIEW_USES(X)
#undef X
		NULL
};

const uint8_t view_use_types[] = {
#define X(TYPE, name, title, by, where) TRACE_##TYPE,
	VIEW_USES(X)
#undef X
		0
};

/* ---- attributes: what ids and numbers refer to ---- */

static struct view_word number(uint64_t n)
{
	return (struct view_word){ .n = n };
}

/* Returns a word with a text. Both NULL and "" mean unknown. */
static struct view_word named(const char *s)
{
	return s && *s ? (struct view_word){ .s = s } : number(TRACE_NIL);
}

static struct view_word text(const struct model *m, model_str s)
{
	return named(model_string(m, s));
}

/*
 * Defines a function for a kind of id. The function returns an attribute of the id. `known` tells whether the model has
 * this id.
 */
#define WORD(name, known, value)                                                                   \
	static struct view_word name(const struct model *m, uint64_t id)                           \
	{                                                                                          \
		return (known) ? (value) : number(TRACE_NIL);                                      \
	}

WORD(netdev_name, id &&id <= m->nnetdevs, text(m, m->netdev[id - 1].name))
WORD(netdev_netns, id &&id <= m->nnetdevs, number(m->netdev[id - 1].netns))
WORD(netdev_driver, id &&id <= m->nnetdevs, text(m, m->netdev[id - 1].driver))
WORD(netdev_class, id &&id <= m->nnetdevs, text(m, m->netdev[id - 1].class))
WORD(drop_reason, id &&id <= m->ndrops, text(m, m->drop[id - 1].reason))
WORD(drop_cpu, id &&id <= m->ndrops, number(m->drop[id - 1].cpu))
WORD(protocol_name, id &&id <= m->nprotocols, text(m, m->protocol[id - 1].name))
WORD(other_name, id &&id <= m->nothers, text(m, m->other[id - 1].name))
WORD(other_kind, id &&id <= m->nothers, text(m, m->other[id - 1].kind))
WORD(other_attached, id &&id <= m->nothers, text(m, m->other[id - 1].attached))
WORD(program_name, id &&id <= m->nprograms, text(m, m->program[id - 1].name))
WORD(zone_name, id &&id <= m->nzones, text(m, m->zone[id - 1].name))
WORD(process_name, id &&id <= m->nprocesses, text(m, m->process[id].name))
WORD(process_pid, id &&id <= m->nprocesses, number(m->process[id].pid))
WORD(process_user, id &&id <= m->nprocesses, number(m->process[id].user))
WORD(process_cgroup, id &&id <= m->nprocesses, named(model_cgroup(m, m->process[id].cgroup)))
WORD(cgroup_path, id &&m, named(model_cgroup(m, id)))
WORD(event_key, m, named(model_event_key(id)))
WORD(part_key, m, named(model_part_key(id)))
WORD(probe_key, m, named(model_probe_key(id)))

/*
 * Returns the cache entry for the name of a service or, if `bare` is set, for the text PORT/PROTOCOL. Returns NULL if
 * the port or protocol is invalid. MPTCP shares TCP's names, but not the texts PORT/PROTOCOL. Texts are kept until the
 * program ends.
 */
static char **service_place(const char *protocol, uint64_t port, bool bare)
{
	static const char *const protocols[] = { "tcp", "udp", "sctp", "mptcp" };
	static char *names[2][sizeof(protocols) / sizeof(*protocols)][UINT16_MAX + 1];

	if (!bare && !strcmp(protocol, "mptcp"))
		protocol = "tcp";
	for (size_t i = 0; port <= UINT16_MAX && i < sizeof(*names) / sizeof(**names); i++)
		if (!strcmp(protocol, protocols[i]))
			return &names[bare][i][port];
	return NULL;
}

/* The file itself is read, because a static program has no getservent(3). */
static void services_learn(void)
{
	FILE *f = fopen("/etc/services", "re");
	char line[256], name[64], protocol[16], **place;
	unsigned int port;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63[^# \t\n] %u/%15[a-z0-9]", name, &port, protocol) != 3)
			continue;
		place = service_place(protocol, port, false);
		if (place && !*place)
			*place = strdup(name);
	}
	if (f)
		fclose(f);
}

/* Returns the name of the port in /etc/services of the host that reports, or PORT/PROTOCOL. */
static struct view_word peer_service(const struct store *s, size_t row)
{
	static bool learned;
	const char *protocol = store_text(s, row, TRACE_PEERS_PROTOCOL);
	uint64_t port = store_dim(s, row, TRACE_PEERS_PORT);
	char **place = service_place(protocol, port, false), text[32];

	if (!place)
		return number(TRACE_NIL);
	if (!learned)
		services_learn();
	learned = true;
	if (!*place)
		place = service_place(protocol, port, true);
	if (!*place) {
		snprintf(text, sizeof(text), "%u/%.8s", (unsigned int)port, protocol);
		*place = strdup(text);
	}
	return named(*place);
}

static struct view_word fate_key(const struct model *m, uint64_t id)
{
	static const char *const keys[NETCOST_FATE_COUNT] = {
#define X(id, name, key, title) key,
		NETCOST_FATES(X)
#undef X
	};

	(void)m;
	return named(id < NETCOST_FATE_COUNT ? keys[id] : NULL);
}

#define TEXT_OF(sort, name, fn)                                                                    \
	{                                                                                          \
		TRACE_IDS_##sort, 0, 0,                                                            \
		{                                                                                  \
			name, NULL, false, 0, fn, NULL                                             \
		}                                                                                  \
	}
#define NUMBER_OF(sort, name, fn, about)                                                           \
	{                                                                                          \
		TRACE_IDS_##sort, 0, 0,                                                            \
		{                                                                                  \
			name, about, true, 0, fn, NULL                                             \
		}                                                                                  \
	}
#define OF_KEY(TYPE, NAME, fn)                                                                     \
	{                                                                                          \
		0, TRACE_##TYPE, TRACE_##TYPE##_##NAME,                                            \
		{                                                                                  \
			NULL, NULL, false, 0, fn, NULL                                             \
		}                                                                                  \
	}

/* Attributes of each kind of id or key. A NULL name means the name of the key. */
static const struct {
	uint8_t ids, type, key;
	struct view_attribute a;
} attributes[] = {
	TEXT_OF(NETDEV, "interface", netdev_name),
	NUMBER_OF(NETDEV, "netns", netdev_netns, "inode of the interface's network namespace"),
	TEXT_OF(NETDEV, "driver", netdev_driver),
	TEXT_OF(NETDEV, "class", netdev_class),
	TEXT_OF(DROP, "reason", drop_reason),
	NUMBER_OF(DROP, "cpu", drop_cpu, NULL),
	TEXT_OF(PROTOCOL, "counter", protocol_name),
	TEXT_OF(OTHER, "program", other_name),
	TEXT_OF(OTHER, "kind", other_kind),
	TEXT_OF(OTHER, "attached", other_attached),
	TEXT_OF(PROGRAM, "program", program_name),
	TEXT_OF(ZONE, "zone", zone_name),
	TEXT_OF(PROCESS, "process", process_name),
	NUMBER_OF(PROCESS, "pid", process_pid,
		  "process id; null: the row is the sum of processes beyond the recorder's limit"),
	NUMBER_OF(PROCESS, "user", process_user, "user id of the process"),
	TEXT_OF(PROCESS, "cgroup", process_cgroup),
	TEXT_OF(CGROUP, "cgroup", cgroup_path),
	OF_KEY(EXACT, EVENT, event_key),
	OF_KEY(EXACT_PART, PART, part_key),
	OF_KEY(PROBE_RUNS, PROBE, probe_key),
	OF_KEY(RX_FATES, FATE, fate_key),
	{ 0, TRACE_PEERS, TRACE_PEERS_PORT, { .number = true } },
	{ 0,
	  TRACE_PEERS,
	  TRACE_PEERS_PORT,
	  { "service", "name of the port in /etc/services on the host that runs the report",
	    .of_row = peer_service } },
};

static void add_attribute(struct view *v, struct view_attribute a, const struct trace_key_desc *dim)
{
	if (v->nattributes == VIEW_ATTRIBUTES)
		return;
	a.name = a.name ? a.name : dim->name;
	a.about = a.about ? a.about : dim->doc;
	a.key = dim->key;
	v->attribute[v->nattributes++] = a;
}

static void add_dim(struct view *v, const struct trace_key_desc *dim)
{
	bool text = dim->kind == TRACE_STR || dim->kind == TRACE_STRS, any = false;

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		bool is = attributes[i].ids ?
				  attributes[i].ids == dim->ids :
				  attributes[i].type == v->type && attributes[i].key == dim->key;

		if (is)
			add_attribute(v, attributes[i].a, dim);
		any |= is;
	}
	if (!any)
		add_attribute(v, (struct view_attribute){ .number = !text }, dim);
}

bool view_make(struct view *v, unsigned int type)
{
	const struct trace_type_desc *desc = trace_type_desc(type);
	struct store *s;

	*v = (struct view){ .type = type };
	if (!desc || !store_query_all(&v->query, type) || store_new(&s, &v->query))
		return false;
	v->name = desc->name;
	v->about = desc->doc;
	for (size_t i = 0; i < VIEW_USES_COUNT; i++)
		if (view_uses[i].type == type)
			v->use = &view_uses[i];
	for (size_t i = 0; store_dim_desc(s, i); i++)
		add_dim(v, store_dim_desc(s, i));
	while (v->nvalues < STORE_VALUES && store_value_desc(s, v->nvalues)) {
		v->value[v->nvalues] = store_value_desc(s, v->nvalues);
		v->nvalues++;
	}
	store_free(s);
	return true;
}

unsigned int view_find(const char *name)
{
	for (unsigned int type = 1; type < TRACE_TYPES_MAX; type++) {
		const struct trace_type_desc *desc = trace_type_desc(type);
		struct store_query q;

		if (desc && !strcmp(desc->name, name) && store_query_all(&q, type))
			return type;
	}
	return 0;
}

/* ---- the request --------------------------------------------------------------------------- */

static bool is_word(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !memcmp(name, word, len);
}

static size_t find_attribute(const struct view *v, const char *word, size_t len)
{
	size_t i = 0;

	while (i < v->nattributes && !is_word(v->attribute[i].name, word, len))
		i++;
	return i;
}

static bool parse_by(struct view_order *o, const struct view *v, const char *by, char *err,
		     size_t size)
{
	for (size_t len; o->nby < VIEW_ATTRIBUTES; by += len + 1) {
		size_t i = find_attribute(v, by, len = strcspn(by, ","));

		if (i == v->nattributes) {
			snprintf(err, size, "--by: '%.*s' is not one of ", (int)len, by);
			for (i = 0; i < v->nattributes; i++)
				text_append(err, size, i ? ", " : "", "%s", v->attribute[i].name);
			return false;
		}
		o->by[o->nby++] = i;
		if (!by[len])
			break;
	}
	return true;
}

bool view_order_parse(struct view_order *o, const struct view *v, const char *by, const char *sort,
		      char *err, size_t size)
{
	by = by || !v->use ? by : v->use->by;
	for (size_t i = 0; !by && i < v->nattributes; i++)
		o->by[o->nby++] = i;
	if (by && !parse_by(o, v, by, err, size))
		return false;
	while (sort && o->sort < v->nvalues && strcmp(v->value[o->sort]->name, sort) != 0)
		o->sort++;
	if (o->sort < v->nvalues || !sort)
		return true;
	snprintf(err, size, "--sort: '%s' is not one of ", sort);
	for (size_t i = 0; i < v->nvalues; i++)
		text_append(err, size, i ? ", " : "", "%s", v->value[i]->name);
	return false;
}

bool view_usual(struct view *v, struct view_order *o, unsigned int type)
{
	*o = (struct view_order){ .sort = 0 };
	return view_make(v, type) && view_order_parse(o, v, NULL, NULL, NULL, 0);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static struct view_word word_of(const struct view_attribute *a, const struct model *m,
				const struct store *s, size_t row)
{
	uint64_t dim;

	if (!a->number && !a->word && !a->of_row)
		return named(store_text(s, row, a->key));
	if (a->of_row)
		return a->of_row(s, row);
	dim = store_dim(s, row, a->key);
	if (dim == TRACE_NIL)
		return number(dim);
	return a->word ? a->word(m, dim) : number(dim);
}

/* Compares two words. Known values come before unknown values. */
static int compare_words(const struct view_word *a, const struct view_word *b)
{
	if (a->s && b->s)
		return strcmp(a->s, b->s);
	if (!a->s && !b->s)
		return (a->n > b->n) - (a->n < b->n);
	return a->s ? -1 : 1;
}

static int by_words(const void *pa, const void *pb)
{
	const struct view_row *a = pa, *b = pb;

	for (size_t i = 0; i < VIEW_ATTRIBUTES; i++) {
		int order = compare_words(&a->by[i], &b->by[i]);

		if (order)
			return order;
	}
	return 0;
}

/* Compares two rows by value[0], which sort() sets to the sort value. */
static int by_value(const void *pa, const void *pb)
{
	const struct view_row *a = pa, *b = pb;
	double x = *a->value, y = *b->value;

	if (isnan(x) != isnan(y))
		return isnan(x) ? 1 : -1;
	if (x != y && !isnan(x))
		return x < y ? 1 : -1;
	return by_words(a, b);
}

static double value_of(const struct store *s, size_t row, const struct trace_key_desc *k,
		       bool so_far)
{
	uint64_t v = store_value(s, row, k->key);

	if (k->kind == TRACE_INTS && store_has(s, k->key))
		return (double)(int64_t)v;
	if (so_far && v == TRACE_NIL && store_is_first(s, row, k->key))
		return 0;
	if (!store_has(s, k->key) || v == TRACE_NIL)
		return NAN;
	return (double)v;
}

static void add_row(struct view_row *to, const struct view_row *r, size_t nvalues)
{
	for (size_t i = 0; i < nvalues; i++)
		known_add(&to->value[i], r->value[i]);
}

static void merge(struct view_rows *r, const struct view *v)
{
	size_t n = 0;

	if (r->n)
		qsort(r->row, r->n, sizeof(*r->row), by_words);
	for (size_t i = 0; i < r->n; i++) {
		if (n && !by_words(&r->row[n - 1], &r->row[i]))
			add_row(&r->row[n - 1], &r->row[i], v->nvalues);
		else
			r->row[n++] = r->row[i];
	}
	r->n = n;
}

/* Sorts by the requested value, which is moved to the first place during the sort. */
static void sort(struct view_rows *r, size_t value)
{
	for (size_t i = 0; i < r->n; i++)
		r->row[i].value += value;
	if (r->n)
		qsort(r->row, r->n, sizeof(*r->row), by_value);
	for (size_t i = 0; i < r->n; i++)
		r->row[i].value -= value;
}

static void cut(struct view_rows *r, const struct view *v, size_t rows)
{
	struct view_row *rest;

	if (!rows || r->n <= rows)
		return;
	rest = &r->row[rows];
	for (size_t i = rows + 1; i < r->n; i++)
		add_row(rest, &r->row[i], v->nvalues);
	for (size_t i = 0; i < VIEW_ATTRIBUTES; i++)
		rest->by[i] = number(TRACE_NIL);
	rest->others = r->n - rows;
	r->n = rows + 1;
}

static void take_row(struct view_rows *r, const struct view *v, const struct view_order *o,
		     const struct model *m, const struct store *s, size_t i)
{
	struct view_row *row = &r->row[r->n];

	*row = (struct view_row){ .value = r->values + r->n * v->nvalues };
	r->n++;
	for (size_t a = 0; a < o->nby; a++)
		row->by[a] = word_of(&v->attribute[o->by[a]], m, s, i);
	for (size_t k = 0; k < v->nvalues; k++)
		row->value[k] = value_of(s, i, v->value[k],
					 o->so_far || v->value[k]->flags & TRACE_KEY_HOLDS);
}

/* Shrinks the memory, because few of many rows may remain. */
static int shrink(struct view_rows *r, size_t nvalues)
{
	struct view_row *row = malloc((r->n + 1) * sizeof(*row));
	double *values = malloc((r->n * nvalues + 1) * sizeof(*values));

	if (!row || !values) {
		free(row);
		free(values);
		return -ENOMEM;
	}
	for (size_t i = 0; i < r->n; i++) {
		row[i] = r->row[i];
		row[i].value =
			memcpy(values + i * nvalues, r->row[i].value, nvalues * sizeof(*values));
	}
	free(r->row);
	free(r->values);
	r->row = row;
	r->values = values;
	return 0;
}

static int keep_texts(struct view_rows *r)
{
	size_t size = 1;
	char *to;

	for (size_t i = 0; i < r->n; i++)
		for (size_t a = 0; a < VIEW_ATTRIBUTES; a++)
			size += r->row[i].by[a].s ? strlen(r->row[i].by[a].s) + 1 : 0;
	to = r->texts = malloc(size);
	if (!to)
		return -ENOMEM;
	for (size_t i = 0; i < r->n; i++) {
		for (size_t a = 0; a < VIEW_ATTRIBUTES; a++) {
			struct view_word *w = &r->row[i].by[a];

			if (!w->s)
				continue;
			size = strlen(w->s) + 1;
			w->s = memcpy(to, w->s, size);
			to += size;
		}
	}
	return 0;
}

int view_rows_make(struct view_rows *r, const struct view *v, const struct view_order *o,
		   const struct model *m, const struct store *s, bool touched)
{
	const uint32_t *of = NULL;
	size_t n = !s ? 0 : touched ? store_touched(s, &of) : store_rows(s);

	*r = (struct view_rows){ .row = malloc((n + 1) * sizeof(*r->row)),
				 .values = malloc((n * v->nvalues + 1) * sizeof(*r->values)) };
	if (!r->row || !r->values) {
		view_rows_free(r);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++)
		take_row(r, v, o, m, s, of ? of[i] : i);
	if (s) {
		r->records = store_records(s);
		r->fell = store_fell(s);
		r->left_out = store_left_out(s);
	}
	merge(r, v);
	if (o->sort != VIEW_UNSORTED)
		sort(r, o->sort);
	cut(r, v, o->rows);
	if (!shrink(r, v->nvalues) && !keep_texts(r))
		return 0;
	view_rows_free(r);
	return -ENOMEM;
}

void view_rows_free(struct view_rows *r)
{
	free(r->row);
	free(r->values);
	free(r->texts);
	*r = (struct view_rows){ .row = NULL };
}

/* ---- by interval ------------------------------------------------------------------------- */

static void free_pieces(struct view_times *t)
{
	for (size_t i = 0; i < t->n; i++)
		view_rows_free(&t->piece[i]);
	free(t->piece);
	t->piece = NULL;
	t->n = 0;
}

static void times_begin(void *ctx, const struct intervals *iv)
{
	struct view_times *t = ctx;

	free_pieces(t);
	t->piece = iv->n ? calloc(iv->n, sizeof(*t->piece)) : NULL;
	t->no_memory = iv->n && !t->piece;
	t->n = t->piece ? iv->n : 0;
}

static void times_take(void *ctx, uint32_t piece, const struct store *s)
{
	struct view_times *t = ctx;

	if (piece >= t->n || t->no_memory || t->too_many)
		return;
	t->no_memory = view_rows_make(&t->piece[piece], &t->view, &t->order, t->pieces.m, s, true);
	t->rows += t->piece[piece].n;
	if (t->rows <= VIEW_TIMES_MOST)
		return;
	t->too_many = true;
	free_pieces(t);
}

void view_times_init(struct view_times *t, const struct view *v, const struct view_order *o)
{
	*t = (struct view_times){ .view = *v, .order = *o };
	pieces_init(&t->pieces, &t->view.query);
	t->pieces.ctx = t;
	t->pieces.begin = times_begin;
	t->pieces.take = times_take;
}

void view_times_free(struct view_times *t)
{
	free_pieces(t);
	pieces_free(&t->pieces);
}
