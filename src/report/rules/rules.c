// SPDX-License-Identifier: BSD-2-Clause
/*
 * The leaves; a parser that reads a rules file line by line; and functions that read the rules from a file or take the
 * built-in rules.
 */
#include "rules.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/text_append.h>

#include "report/base/text.h"

/* ---- leaves ------------------------------------------------------------------------------ */

#define X(name, key, title, column, event) { key, title, column, event },
const struct leaf_desc leaf_desc[LEAF_COUNT] = { LEAVES(X) };
#undef X

const struct leaf_node leaf_node[LEAF_NODES] = {
	{ "cpu", "CPU time", 0, LEAF_ALL, NULL },
	{ "idle", "idle", 1, LEAF_BIT(IDLE), NULL },
	{ "user_and_other_kernel", "user + other kernel", 1, LEAF_BIT(TASK), NULL },
	{ "user", "user", 1, LEAF_BIT(USER), NULL },
	{ "kernel", "kernel", 1, LEAF_KERNEL, NULL },
	{ "network", "network", 2, LEAF_NETWORK, NULL },
	{ "sock_send", "socket send", 3, LEAF_BIT(SOCK_SEND), NULL },
	{ "sock_recv", "socket receive", 3, LEAF_BIT(SOCK_RECV), NULL },
	{ "rx_softirq", "RX softirq", 3, LEAF_BIT(RX_SOFTIRQ), NULL },
	{ "tx_softirq", "TX softirq", 3, LEAF_BIT(TX_SOFTIRQ), NULL },
	{ "hardirq_net", "hard interrupts: network devices", 3, LEAF_BIT(HARDIRQ_NET),
	  "hard interrupts" },
	{ "other_network", "other network", 3, LEAF_BIT(OTHER_NETWORK), NULL },
	{ "sock_local", "local sockets", 2, LEAF_BIT(SOCK_LOCAL), NULL },
	{ "io_worker", "io_uring workers", 2, LEAF_BIT(IO_WORKER), NULL },
	{ "other_kernel", "other", 2, LEAF_BIT(OTHER_KERNEL), NULL },
	{ "netcost_itself", "netcost itself", 1, LEAF_BIT(OWN), NULL },
};

/* ---- parsing ----------------------------------------------------------------------------- */

#define NO_SCOPE RULES_MAX_CATEGORIES /* scope of leaves, which apply anywhere */

struct set {
	const char *name;
	size_t first, n; /* position of the first member in parser.member, and number of members */
};

struct functions {
	struct rules_function *at;
	size_t n, cap;
};

/* The kind of block to which the current line belongs. */
enum block {
	BLOCK_NONE,
	BLOCK_CATEGORY,
	BLOCK_SET,
};

struct parser {
	struct rules *r;
	struct rules_error *err;
	/* function: functions of categories; member: members of sets */
	struct functions function, member;
	struct set set[RULES_MAX_SETS];
	size_t nsets;
	enum block block;
	unsigned int current; /* index of the current category */
	unsigned int line;
	char *rest; /* the rest of the current line */
};

__attribute__((format(printf, 2, 3))) static int refuse(struct parser *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->err->what, sizeof(p->err->what), fmt, ap);
	va_end(ap);
	p->err->line = p->line;
	return -EINVAL;
}

/* Returns the next word of the line, or NULL at the end of the line. */
static char *next_word(struct parser *p)
{
	char *word = p->rest + strspn(p->rest, " \t");
	size_t len = strcspn(word, " \t");

	if (!len)
		return NULL;
	p->rest = word + len;
	if (*p->rest)
		*p->rest++ = '\0';
	return word;
}

static int expect_end(struct parser *p)
{
	const char *word = next_word(p);

	return word ? refuse(p, "'%.40s' is unexpected here; remove it", word) : 0;
}

static int take_key(struct parser *p, const char *what, const char **key)
{
	const char *word = next_word(p);

	if (!word)
		return refuse(p, "%s without a name; give it one", what);
	if (strlen(word) > RULES_MAX_KEY ||
	    word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_")])
		return refuse(p, "'%.60s' cannot name a %s; take up to %u of a-z, 0-9 and _", word,
			      what, RULES_MAX_KEY);
	*key = word;
	return 0;
}

/* ---- categories -------------------------------------------------------------------------- */

static unsigned int find_category(const struct rules *r, const char *key)
{
	unsigned int i = 0;

	while (i < r->ncategories && strcmp(r->category[i].key, key))
		i++;
	return i;
}

static int begin_leaf(struct parser *p)
{
	const char *key;
	int err = take_key(p, "leaf", &key);
	unsigned int l;

	if (err)
		return err;
	l = find_category(p->r, key);
	if (l >= LEAF_COUNT || l == LEAF_USER || !leaf_is_sampled(l))
		return refuse(
			p,
			"there is no leaf '%s' for functions; the leaves are idle, sock_send, sock_recv, "
			"rx_softirq, tx_softirq, other_network, sock_local, io_worker, other_kernel",
			key);
	if (p->r->category[l].line)
		return refuse(p, "leaf '%s' is already defined in line %u; merge the two", key,
			      p->r->category[l].line);
	p->r->category[l].line = p->line;
	p->block = BLOCK_CATEGORY;
	p->current = l;
	return expect_end(p);
}

/* Parses "in PARENT". The parent must be defined earlier in the file, which excludes cycles. */
static int take_parent(struct parser *p, const char *key, unsigned int *parent)
{
	const char *in = next_word(p);
	const char *word = in ? next_word(p) : NULL;

	if (!word || strcmp(in, "in"))
		return refuse(p, "'%s' has no parent; write: category %s in PARENT", key, key);
	*parent = find_category(p->r, word);
	if (*parent == p->r->ncategories)
		return refuse(p,
			      "'%.40s' is not a leaf or an earlier category; define it before '%s'",
			      word, key);
	if (!leaf_is_sampled(*parent))
		return refuse(
			p,
			"leaf '%s' and its categories cannot have functions; remove the category",
			word);
	if (p->r->category[*parent].depth >= RULES_MAX_DEPTH)
		return refuse(p, "categories are nested more than %d levels deep; use fewer levels",
			      RULES_MAX_DEPTH);
	return 0;
}

/*
 * Parses a category's properties, which follow the name of its parent. A leaf has at most one undecided category, which
 * identifies undecided stacks.
 */
static int take_manner(struct parser *p, struct rules_category *c)
{
	const char *word = next_word(p);

	c->tracing = word && !strcmp(word, "tracing");
	c->whole = c->tracing || (word && !strcmp(word, "whole"));
	if (!word || c->whole)
		return 0;
	if (strcmp(word, "undecided"))
		return refuse(
			p,
			"'%.40s' is unknown here; a category can be 'whole', 'tracing' or 'undecided'",
			word);
	if (c->parent != LEAF_SOCK_SEND && c->parent != LEAF_SOCK_RECV)
		return refuse(
			p, "only a category directly in sock_send or sock_recv can be undecided");
	for (unsigned int i = LEAF_COUNT; i < p->r->ncategories; i++)
		if (p->r->category[i].undecided && p->r->category[i].leaf == c->leaf)
			return refuse(p, "'%s' is undecided already", p->r->category[i].key);
	c->undecided = true;
	return 0;
}

static int begin_category(struct parser *p)
{
	struct rules *r = p->r;
	unsigned int parent = 0, same;
	const char *key;
	int err;

	if ((err = take_key(p, "category", &key)) || (err = take_parent(p, key, &parent)))
		return err;
	same = find_category(r, key);
	if (same < LEAF_COUNT)
		return refuse(p, "'%s' is a leaf; use another name for the category", key);
	if (same < r->ncategories)
		return refuse(p, "category '%s' is already defined in line %u; merge the two", key,
			      r->category[same].line);
	if (r->ncategories == RULES_MAX_CATEGORIES)
		return refuse(p, "there are more than %d categories, including leaves; remove some",
			      RULES_MAX_CATEGORIES);
	r->category[r->ncategories] = (struct rules_category){
		.key = key,
		.title = key,
		.parent = parent,
		.leaf = r->category[parent].leaf,
		.depth = r->category[parent].depth + 1,
		.line = p->line,
	};
	p->block = BLOCK_CATEGORY;
	p->current = r->ncategories++;
	err = take_manner(p, &r->category[p->current]);
	return err ? err : expect_end(p);
}

static int take_title(struct parser *p)
{
	char *title = p->rest + strspn(p->rest, " \t");
	size_t len = strlen(title);

	if (p->block != BLOCK_CATEGORY || p->current < LEAF_COUNT)
		return refuse(p, "only a category can have a title; put 'title' below a category");
	while (len && (title[len - 1] == ' ' || title[len - 1] == '\t'))
		title[--len] = '\0';
	if (!len || len > RULES_MAX_TITLE)
		return refuse(p, "the title has %zu bytes; it must have 1 to %u", len,
			      RULES_MAX_TITLE);
	for (size_t i = 0; i < len; i++)
		if (title[i] < ' ' || title[i] > '~')
			return refuse(p, "the title has a byte %#x, which is not ASCII; remove it",
				      (unsigned char)title[i]);
	p->r->category[p->current].title = title;
	return 0;
}

/* ---- functions --------------------------------------------------------------------------- */

static int add_function(struct parser *p, struct functions *to, const struct rules_function *f)
{
	if (to->n == RULES_MAX_FUNCTIONS)
		return refuse(p, "more than %u functions; remove some, or use NAME*",
			      RULES_MAX_FUNCTIONS);
	if (array_reserve(&to->at, &to->cap, to->n + 1, sizeof(*to->at)))
		return -ENOMEM;
	to->at[to->n++] = *f;
	return 0;
}

/* Checks NAME or NAME*, the name of a caller or of a function. */
static int check_name(struct parser *p, char *name, bool *prefix)
{
	size_t len = strlen(name);

	*prefix = len && name[len - 1] == '*';
	if (*prefix)
		name[--len] = '\0';
	if (!len && !*prefix)
		return refuse(p, "a function has no name; write NAME, NAME* or CALLER>NAME");
	if (len > RULES_MAX_NAME)
		return refuse(p, "the function name has %zu bytes; at most %u are allowed", len,
			      RULES_MAX_NAME);
	for (size_t i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] > '~' || strchr("*>@#", name[i]))
			return refuse(
				p,
				"the function name has a byte %#x, which is not allowed; only a final * is",
				(unsigned char)name[i]);
	if (len && strchr(name + 1, '.'))
		return refuse(
			p,
			"'%.60s': remove the dot and everything after it; the name matches without it",
			name);
	return 0;
}

static int take_set(struct parser *p, const char *name)
{
	const struct set *s = p->set;

	while (s < p->set + p->nsets && strcmp(s->name, name))
		s++;
	if (s == p->set + p->nsets || p->block == BLOCK_SET)
		return refuse(p, "the set '@%.40s' is not defined; define it before its first use",
			      name);
	for (size_t i = 0; i < s->n; i++) {
		struct rules_function f = p->member.at[s->first + i];
		int err;

		f.category = p->current;
		f.line = p->line;
		err = add_function(p, &p->function, &f);
		if (err)
			return err;
	}
	return 0;
}

static int take_function(struct parser *p, char *word)
{
	struct rules_function f = { .name = word, .category = p->current, .line = p->line };
	char *arrow = strchr(word, '>');
	int err;

	if (*word == '@')
		return take_set(p, word + 1);
	if (arrow) {
		*arrow = '\0';
		f.name = arrow + 1;
		f.caller = word;
		err = check_name(p, word, &f.caller_prefix);
		if (err)
			return err;
	}
	err = check_name(p, arrow ? arrow + 1 : word, &f.prefix);
	if (err)
		return err;
	if (p->block == BLOCK_CATEGORY)
		return add_function(p, &p->function, &f);
	err = add_function(p, &p->member, &f);
	if (!err)
		p->set[p->nsets - 1].n++;
	return err;
}

static int take_functions(struct parser *p)
{
	char *word;
	int err = 0;

	if (p->block == BLOCK_NONE)
		return refuse(
			p,
			"'functions' needs a leaf, category or set in a line before it; add one");
	while (!err && (word = next_word(p)))
		err = take_function(p, word);
	return err;
}

static int begin_set(struct parser *p)
{
	const char *name;
	int err = take_key(p, "set", &name);

	if (err)
		return err;
	if (p->nsets == RULES_MAX_SETS)
		return refuse(p, "more than %d sets; remove some", RULES_MAX_SETS);
	for (size_t i = 0; i < p->nsets; i++)
		if (!strcmp(p->set[i].name, name))
			return refuse(p, "set '%s' exists already; merge the two", name);
	p->set[p->nsets++] = (struct set){ .name = name, .first = p->member.n };
	p->block = BLOCK_SET;
	return expect_end(p);
}

/* ---- lines ------------------------------------------------------------------------------- */

static const struct {
	const char *word;
	int (*take)(struct parser *p);
} keywords[] = {
	{ "leaf", begin_leaf },	 { "category", begin_category },  { "set", begin_set },
	{ "title", take_title }, { "functions", take_functions },
};

static int take_line(struct parser *p, char *line)
{
	const char *word;

	line[strcspn(line, "#\r")] = '\0';
	p->rest = line;
	word = next_word(p);
	if (!word)
		return 0;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (!strcmp(keywords[i].word, word))
			return keywords[i].take(p);
	return refuse(
		p,
		"unknown word '%.40s': a line begins with leaf, category, set, title, functions or #",
		word);
}

static int take_text(struct parser *p, char *text, size_t len)
{
	char *end = text + len;
	int err = 0;

	while (!err && text < end) {
		char *newline = memchr(text, '\n', (size_t)(end - text));
		char *line_end = newline ? newline : end;

		p->line++;
		if ((size_t)(line_end - text) > RULES_MAX_LINE)
			return refuse(p, "a line of more than %u bytes; split it", RULES_MAX_LINE);
		if (memchr(text, '\0', (size_t)(line_end - text)))
			return refuse(p, "a NUL byte: this is not a text file");
		*line_end = '\0';
		err = take_line(p, text);
		text = line_end + 1;
	}
	return err;
}

/* ---- the whole file ----------------------------------------------------------------- */

static int compare_functions(const struct rules *r, const struct rules_function *a,
			     const struct rules_function *b)
{
	unsigned int ca = a->category, cb = b->category;
	unsigned int sa = ca < LEAF_COUNT ? NO_SCOPE : r->category[ca].parent;
	unsigned int sb = cb < LEAF_COUNT ? NO_SCOPE : r->category[cb].parent;
	int d;

	if (sa != sb)
		return sa < sb ? -1 : 1;
	if (a->prefix != b->prefix)
		return a->prefix - b->prefix;
	if ((d = strcmp(a->name, b->name)))
		return d;
	if (!a->caller || !b->caller)
		return (a->caller != NULL) - (b->caller != NULL);
	if (a->caller_prefix != b->caller_prefix)
		return a->caller_prefix - b->caller_prefix;
	return strcmp(a->caller, b->caller);
}

static int by_scope(const void *pa, const void *pb, void *rules)
{
	const struct rules_function *a = pa, *b = pb;
	int d = compare_functions(rules, a, b);

	return d ? d : (a->line > b->line) - (a->line < b->line);
}

/*
 * Rejects a function that marks two categories with the same parent, because the category of its stacks would be
 * ambiguous.
 */
static int check_twice(struct parser *p)
{
	struct functions *all = &p->function;

	qsort_r(all->at, all->n, sizeof(*all->at), by_scope, p->r);
	for (size_t i = 1; i < all->n; i++) {
		const struct rules_function *a = &all->at[i - 1], *b = &all->at[i];

		if (compare_functions(p->r, a, b) || a->category == b->category)
			continue;
		p->line = b->line;
		return refuse(p, "'%.60s%s' marks both '%s' and '%s'; remove it from one of them",
			      b->name, b->prefix ? "*" : "", p->r->category[a->category].key,
			      p->r->category[b->category].key);
	}
	return 0;
}

static struct rules *new_rules(const char *text, size_t len)
{
	struct rules *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->text = malloc(len + 1);
	if (!r->text) {
		free(r);
		return NULL;
	}
	memcpy(r->text, text, len);
	r->text[len] = '\0';
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		r->category[l] = (struct rules_category){
			.key = leaf_desc[l].key, .title = leaf_desc[l].title, .parent = l, .leaf = l
		};
	r->ncategories = LEAF_COUNT;
	return r;
}

int rules_parse(struct rules **rules, const char *text, size_t len, struct rules_error *err)
{
	struct parser p = { .err = err };
	int status;

	if (len > RULES_MAX_BYTES)
		return refuse(&p, "%zu bytes; rules have at most %u", len, RULES_MAX_BYTES);
	p.r = new_rules(text, len);
	if (!p.r)
		return -ENOMEM;
	status = take_text(&p, p.r->text, len);
	if (!status && p.function.n)
		status = check_twice(&p);
	p.r->function = p.function.at;
	p.r->nfunctions = p.function.n;
	free(p.member.at);
	if (status)
		rules_free(p.r);
	else
		*rules = p.r;
	return status;
}

void rules_free(struct rules *r)
{
	if (!r)
		return;
	free(r->function);
	free(r->text);
	free(r);
}

bool rules_is_below(const struct rules *r, unsigned int category, unsigned int top)
{
	while (category != top && r->category[category].parent != category)
		category = r->category[category].parent;
	return category == top;
}

static char rules_plain(char c)
{
	return c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Compares without case. The key "other_kernel" is the same as "other kernel", which is how some charts title it. */
static bool rules_is_word(const char *name, const char *word, size_t len)
{
	size_t i = 0;

	while (i < len && name[i] && rules_plain(name[i]) == rules_plain(word[i]))
		i++;
	return i == len && !name[i];
}

static void rules_set_item(struct rules_item *to, const char *key, const char *title,
			   unsigned int leaves, unsigned int category)
{
	to->key = key;
	to->title = title;
	to->leaves = leaves;
	to->category = category;
	to->n++;
}

static void rules_find_key(struct rules_item *to, const struct rules *r, const char *word)
{
	for (unsigned int i = 0; i < LEAF_NODES && !to->n; i++)
		if (rules_is_word(leaf_node[i].key, word, to->len))
			rules_set_item(to, leaf_node[i].key, leaf_node[i].title,
				       leaf_node[i].leaves, 0);
	for (unsigned int i = 0; r && i < r->ncategories && !to->n; i++)
		if (rules_is_word(r->category[i].key, word, to->len))
			rules_set_item(to, r->category[i].key, r->category[i].title, 0, i);
}

/* Finds a title. Leaves and their sums come first. Several categories may have the same title. */
static void rules_find_title(struct rules_item *to, const struct rules *r, const char *word)
{
	for (unsigned int i = 0; i < LEAF_NODES && !to->n; i++) {
		const struct leaf_node *n = &leaf_node[i];

		if (rules_is_word(n->title, word, to->len) ||
		    (n->brief && rules_is_word(n->brief, word, to->len)))
			rules_set_item(to, n->key, n->title, n->leaves, 0);
	}
	for (unsigned int i = 0; i < LEAF_COUNT && !to->n; i++)
		if (rules_is_word(leaf_desc[i].title, word, to->len))
			rules_set_item(to, leaf_desc[i].key, leaf_desc[i].title, 1u << i, i);
	if (to->n)
		return;
	for (unsigned int i = LEAF_COUNT; r && i < r->ncategories; i++)
		if (rules_is_word(r->category[i].title, word, to->len))
			rules_set_item(to, r->category[i].key, r->category[i].title, 0, i);
}

/* Titles may contain commas, so the longest item that names something is taken. */
struct rules_item rules_find(const struct rules *r, const char *list)
{
	struct rules_item item;
	size_t len = strlen(list);

	for (;;) {
		item = (struct rules_item){ .len = len };
		rules_find_key(&item, r, list);
		if (!item.n)
			rules_find_title(&item, r, list);
		if (item.n || len == strcspn(list, ","))
			return item;
		do
			len--;
		while (list[len] != ',');
	}
}

const char *rules_next_item(const char *list, const struct rules_item *item)
{
	return list[item->len] ? list + item->len + 1 : NULL;
}

const char *rules_choose(const struct rules *r, const char *list, bool chosen[RULES_MAX_CATEGORIES],
			 char *title, size_t size)
{
	*title = '\0';
	while (list) {
		const struct rules_item item = rules_find(r, list);

		if (item.n != 1)
			return list;
		for (unsigned int i = 0; r && i < r->ncategories; i++)
			chosen[i] |= item.leaves ? item.leaves >> r->category[i].leaf & 1 :
						   rules_is_below(r, i, item.category);
		text_append(title, size, ", ", "%s", item.title);
		list = rules_next_item(list, &item);
	}
	return NULL;
}

/* ---- files ------------------------------------------------------------------------------- */

static const char default_rules[] =
#include "default_rules.h"
	;

#define DEFAULT_NAME "the built-in rules"

const char *rules_default(size_t *len)
{
	*len = sizeof(default_rules) - 1;
	return default_rules;
}

/* Reads one byte more than the limit, so that rules_parse() can detect that the file is too large. */
char *rules_read(const char *file, size_t *len)
{
	size_t size = RULES_MAX_BYTES + 1;
	char *text = malloc(size);
	FILE *f = NULL;
	bool ok = false;

	*len = 0;
	if (!text) {
		tell(file ? file : DEFAULT_NAME, "out of memory");
		return NULL;
	}
	if (!file) {
		const char *from = rules_default(len);

		memcpy(text, from, *len);
		return text;
	}
	f = fopen(file, "re");
	errno = f ? 0 : errno;
	if (f) {
		*len = fread(text, 1, size, f);
		ok = !ferror(f);
		fclose(f);
	}
	if (ok)
		return text;
	tell(file, "%s; give --rules a file as `netcost-report rules` prints it",
	     strerror(errno ? errno : EIO));
	free(text);
	return NULL;
}

struct rules *rules_load(const char *file)
{
	struct rules_error err = { 0 };
	struct rules *rules = NULL;
	size_t len;
	char *text = rules_read(file, &len);
	char where[600];

	if (!text)
		return NULL;
	if (!rules_parse(&rules, text, len, &err)) {
		rules->file = file;
	} else {
		snprintf(where, sizeof(where), err.line ? "%s:%u" : "%s",
			 file ? file : DEFAULT_NAME, err.line);
		tell(where, "%s", *err.what ? err.what : "out of memory");
	}
	free(text);
	return rules;
}
