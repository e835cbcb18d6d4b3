// SPDX-License-Identifier: BSD-2-Clause
/*
 * The JSON schema of reports. Each report is built without a trace, and its keys are collected in
 * a tree. A key is required if every object of its kind had it.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"

#define NODES 4096
#define DEPTH 32
#define KEY 64

enum type {
	TYPE_OBJECT = 1,
	TYPE_ARRAY = 2,
	TYPE_NUMBER = 4,
	TYPE_COUNT = 8,
	TYPE_STRING = 16,
	TYPE_BOOL = 32,
	TYPE_HISTOGRAM = 64,
};

struct node {
	char key[KEY];
	const char *about;
	const char *const *choices; /* allowed values of a STRING; NULL if any text is allowed */
	const char *constant;	    /* the only value of a STRING; NULL if the value varies */
	unsigned int types;	    /* bits of enum type */
	bool null, optional;
	unsigned int visits;
	struct node *children, *next;
	/*
	 * node of the elements of an ARRAY, or of the members of an OBJECT that had no keys so far;
	 * otherwise NULL
	 */
	struct node *items;
};

struct doc_schema {
	struct node node[NODES];
	size_t n;
	struct node *stack[DEPTH];
	size_t depth;
	char report[KEY]; /* the current report */
};

/* ---- the tree ---------------------------------------------------------------------------- */

static struct node *new_node(struct doc_schema *s, const char *key)
{
	struct node *node = &s->node[s->n++];

	assert(s->n < NODES);
	snprintf(node->key, sizeof(node->key), "%s", key);
	return node;
}

static struct node *child(struct doc_schema *s, struct node *parent, const char *key)
{
	struct node **p = &parent->children;

	while (*p && strcmp((*p)->key, key))
		p = &(*p)->next;
	if (!*p)
		*p = new_node(s, key);
	return *p;
}

static struct node *element(struct doc_schema *s, struct node *parent)
{
	if (!parent->items)
		parent->items = new_node(s, "");
	return parent->items;
}

/* Returns the node of the next item: a member, an element, or a report. */
static struct node *visit(struct doc *d, const char *key, unsigned int types)
{
	struct doc_schema *s = d->schema;
	struct node *parent = s->stack[s->depth], *node;

	if (!s->depth)
		node = child(s, parent, s->report);
	else
		node = key ? child(s, parent, key) : element(s, parent);
	node->visits++;
	node->types |= types;
	node->null |= d->next.null;
	node->optional |= d->next.optional;
	if (d->next.about)
		node->about = d->next.about;
	d->next = (struct doc_next){ 0 };
	return node;
}

static void enter(struct doc_schema *s, struct node *node)
{
	assert(s->depth + 1 < DEPTH);
	s->stack[++s->depth] = node;
}

static void leave(struct doc *d)
{
	d->schema->depth--;
}

/* ---- visiting items ----------------------------------------------------------------- */

static void object(struct doc *d, const char *key)
{
	enter(d->schema, visit(d, key, TYPE_OBJECT));
}

static void array(struct doc *d, const char *key)
{
	enter(d->schema, visit(d, key, TYPE_ARRAY));
}

static struct node *value(struct doc *d, const char *key, const struct doc_column *c)
{
	static const unsigned int types[] = {
		[DOC_NUMBER] = TYPE_NUMBER, [DOC_INTERVAL] = TYPE_NUMBER,
		[DOC_UINT] = TYPE_COUNT,    [DOC_STRING] = TYPE_STRING,
		[DOC_BOOL] = TYPE_BOOL,	    [DOC_HISTOGRAM] = TYPE_HISTOGRAM,
		[DOC_LIST] = TYPE_ARRAY,    [DOC_UINTS] = TYPE_ARRAY,
	};
	bool number = c->kind == DOC_NUMBER || c->kind == DOC_INTERVAL;
	struct node *node;

	node = visit(d, key, number && (c->known || c->whole) ? TYPE_COUNT : types[c->kind]);
	node->null |= !c->known && (number || c->kind == DOC_STRING);
	node->choices = c->choices;
	if (c->about)
		node->about = c->about;
	if (types[c->kind] == TYPE_ARRAY)
		element(d->schema, node)->types |= c->kind == DOC_LIST ? TYPE_STRING : TYPE_COUNT;
	return node;
}

static void field(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	struct node *node = value(d, c->key, c);

	if (c->constant)
		node->constant = cell->s;
}

/* Enters the objects that the dots of a key separate, adds the column, and leaves the objects. */
static void nested(struct doc *d, const struct doc_column *c, const char *key)
{
	const char *dot;
	char name[KEY];
	size_t n = 0;

	for (; (dot = strchr(key, '.')); key = dot + 1, n++) {
		snprintf(name, sizeof(name), "%.*s", (int)(dot - key), key);
		enter(d->schema, visit(d, name, TYPE_OBJECT));
	}
	value(d, key, c);
	while (n--)
		leave(d);
}

/*
 * A row with the keys "a.b" and "a.c" enters the object "a" twice. Sets the number of visits of
 * such objects to the number of visits of their members.
 */
static void count_once(struct node *row)
{
	for (struct node *c = row->children; c; c = c->next) {
		if (c->types != TYPE_OBJECT)
			continue;
		count_once(c);
		c->visits = c->children->visits;
	}
}

/* Adds the members of a row, or its only value. */
static void members(struct doc *d, const char *key)
{
	const struct doc_table *t = d->table;
	size_t only = doc_only_column(d);
	struct node *node;

	if (only) {
		value(d, key, &t->column[only]);
		return;
	}
	node = visit(d, key, TYPE_OBJECT);
	enter(d->schema, node);
	for (size_t i = t->keyed; i < t->ncolumns; i++) {
		const struct doc_column *c = &t->column[i];

		if (!doc_takes(d, i))
			continue;
		d->next.optional = c->optional;
		nested(d, c, c->key);
		if (c->kind == DOC_INTERVAL)
			nested(d, &(struct doc_column){ .key = c->ci_key }, c->ci_key);
	}
	count_once(node);
	leave(d);
}

static void table(struct doc *d)
{
	d->next.about = d->next.about ? d->next.about : d->table->about;
	enter(d->schema, visit(d, d->table->key, d->table->keyed ? TYPE_OBJECT : TYPE_ARRAY));
	if (!d->table->keyed)
		members(d, NULL);
}

/*
 * Adds only the keys of rows that are members of an object. Other rows add nothing to the schema.
 */
static void row(struct doc *d)
{
	if (d->table->keyed)
		members(d, d->cell[0].s);
}

static void table_end(struct doc *d)
{
	struct node *node = d->schema->stack[d->schema->depth];

	if (d->table->keyed && !node->children)
		members(d, NULL);
	leave(d);
}

/* ---- the schema -------------------------------------------------------------------------- */

static void put(struct json *j, const char *key, const struct node *node);

static void put_type(struct json *j, const struct node *node)
{
	static const struct {
		unsigned int types;
		const char *name;
	} names[] = {
		{ TYPE_OBJECT, "object" }, { TYPE_ARRAY, "array" },   { TYPE_HISTOGRAM, "array" },
		{ TYPE_NUMBER, "number" }, { TYPE_COUNT, "integer" }, { TYPE_STRING, "string" },
		{ TYPE_BOOL, "boolean" },
	};
	/* finds the name of the type; a key has the same type in all reports of a kind */
	size_t i = 0;

	while (names[i].types != node->types) {
		i++;
		assert(i < sizeof(names) / sizeof(*names));
	}
	if (!node->null) {
		json_str(j, "type", names[i].name);
	} else {
		json_array(j, "type");
		json_str(j, NULL, names[i].name);
		json_str(j, NULL, "null");
		json_array_end(j);
	}
	if (node->types == TYPE_COUNT)
		json_uint(j, "minimum", 0);
}

static bool is_required(const struct node *node, const struct node *parent)
{
	return !node->optional && node->visits == parent->visits;
}

static void put_object(struct json *j, const struct node *node)
{
	if (node->items)
		put(j, "additionalProperties", node->items);
	else
		json_bool(j, "additionalProperties", false);
	json_array(j, "required");
	for (const struct node *c = node->children; c; c = c->next)
		if (is_required(c, node))
			json_str(j, NULL, c->key);
	json_array_end(j);
	json_object(j, "properties");
	for (const struct node *c = node->children; c; c = c->next)
		put(j, c->key, c);
	json_object_end(j);
}

static void put_choices(struct json *j, const struct node *node)
{
	json_array(j, "enum");
	for (const char *const *s = node->choices; *s; s++)
		json_str(j, NULL, *s);
	if (node->null)
		json_null(j, NULL);
	json_array_end(j);
}

/* Describes a list of pairs: the middle of a bin, and its count. */
static void put_histogram(struct json *j)
{
	json_object(j, "items");
	json_str(j, "type", "array");
	json_array(j, "prefixItems");
	put(j, NULL, &(struct node){ .types = TYPE_NUMBER });
	put(j, NULL, &(struct node){ .types = TYPE_COUNT });
	json_array_end(j);
	json_bool(j, "items", false);
	json_object_end(j);
}

static void put(struct json *j, const char *key, const struct node *node)
{
	bool compact = j->compact;

	json_object(j, key);
	j->compact = compact || !(node->types & (TYPE_OBJECT | TYPE_ARRAY));
	if (node->about)
		json_str(j, "description", node->about);
	if (node->constant)
		json_str(j, "const", node->constant);
	else if (node->choices)
		put_choices(j, node);
	else
		put_type(j, node);
	if (node->types == TYPE_OBJECT)
		put_object(j, node);
	else if (node->types == TYPE_ARRAY)
		put(j, "items", node->items);
	else if (node->types == TYPE_HISTOGRAM)
		put_histogram(j);
	json_object_end(j);
	j->compact = compact;
}

static void end(struct doc *d)
{
	struct json *j = &d->json;
	const struct node *reports = d->schema->stack[0]->children;
	char ref[KEY + 16];

	json_object(j, NULL);
	json_str(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_str(j, "title", "netcost-report --format=json");
	json_str(
		j, "description",
		"Output of the commands of netcost-report as JSON, one value for each trace in the file. Keys are stable and have their units in their names; later versions may add keys. Shares are percent of CPU time unless stated otherwise; ci95: half-width of a 95 % confidence interval. null: not measured, or unknown; 0 never means this.");
	json_array(j, "oneOf");
	for (const struct node *r = reports; r; r = r->next) {
		snprintf(ref, sizeof(ref), "#/$defs/%s", r->key);
		json_object(j, NULL);
		json_str(j, "$ref", ref);
		json_object_end(j);
	}
	json_array_end(j);
	json_object(j, "$defs");
	for (const struct node *r = reports; r; r = r->next)
		put(j, r->key, r);
	json_object_end(j);
	json_object_end(j);
	json_end(j);
}

static const struct doc_renderer doc_schema = {
	.is = DOC_JSON,
	.object = object,
	.object_end = leave,
	.array = array,
	.array_end = leave,
	.field = field,
	.table = table,
	.row = row,
	.table_end = table_end,
	.end = end,
};

int doc_begin_schema(struct doc *d, FILE *out, const struct part *part)
{
	*d = doc_begin(&doc_schema, out, part);
	d->schema = calloc(1, sizeof(*d->schema));
	if (!d->schema)
		return -1;
	d->schema->stack[0] = new_node(d->schema, "");
	return 0;
}

void doc_schema_free(struct doc *d)
{
	free(d->schema);
}

void doc_schema_report(struct doc *d, const char *name)
{
	snprintf(d->schema->report, sizeof(d->schema->report), "%s", name);
}
