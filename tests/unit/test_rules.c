// SPDX-License-Identifier: BSD-2-Clause
/* Tests rules files: a valid file, files with an error, and hostile files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/parts.h>

#include "report/rules/rules.h"
#include "unit.h"

static struct rules_error error;

static struct rules *parse_bytes(const char *text, size_t len)
{
	struct rules *r = NULL;

	error = (struct rules_error){ 0 };
	CU_ASSERT_EQUAL(rules_parse(&r, text, len, &error) != 0, r == NULL);
	return r;
}

static struct rules *parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void test_default_is_right(void)
{
	size_t len;
	const char *text = rules_default(&len);
	struct rules *r = parse_bytes(text, len);

	CU_ASSERT_FATAL(r != NULL);
	CU_ASSERT(r->ncategories > LEAF_COUNT + 40 && r->nfunctions > 1000);
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
		const struct rules_category *c = &r->category[i];

		CU_ASSERT(c->parent < i && c->depth == r->category[c->parent].depth + 1);
		CU_ASSERT(rules_is_below(r, i, c->leaf) && !rules_is_below(r, c->leaf, i));
		CU_ASSERT(*c->title && strlen(c->title) + 2 * c->depth <= 42);
	}
	rules_free(r);
}

/* Tests that exact times of the parts are shown next to the samples of the categories with the same keys. */
static void test_default_has_the_parts(void)
{
#define X(id, name, key, title, doc) { key, title },
	static const char *const parts[][2] = { NETCOST_PARTS(X) };
#undef X
	struct rules *r = rules_load(NULL);
	unsigned int found = 0;

	CU_ASSERT_FATAL(r != NULL);
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++) {
			if (strcmp(r->category[i].key, parts[p][0]))
				continue;
			CU_ASSERT_EQUAL(r->category[i].parent, LEAF_RX_SOFTIRQ);
			CU_ASSERT_STRING_EQUAL(r->category[i].title, parts[p][1]);
			found++;
		}
	CU_ASSERT_EQUAL(found, NETCOST_PART_COUNT);
	rules_free(r);
}

static void test_syntax(void)
{
	struct rules *r = parse("# a comment\r\n\n"
				"set locks\n\tfunctions lock_* unlock # more\n"
				"leaf rx_softirq\n functions net_rx_action\r\n"
				"category one in rx_softirq\n title  The  one \n functions a b*\n"
				"functions c>d e*>f*\n"
				"category two in one whole\nfunctions @locks x");
	const struct rules_category *one;

	CU_ASSERT_FATAL(r != NULL);
	CU_ASSERT_EQUAL_FATAL(r->ncategories, LEAF_COUNT + 2);
	one = &r->category[LEAF_COUNT];
	CU_ASSERT_STRING_EQUAL(one->key, "one");
	CU_ASSERT_STRING_EQUAL(one->title, "The  one");
	CU_ASSERT(one->leaf == LEAF_RX_SOFTIRQ && one->depth == 1 && !one->whole);
	CU_ASSERT_STRING_EQUAL(one[1].title, "two");
	CU_ASSERT(one[1].leaf == LEAF_RX_SOFTIRQ && one[1].depth == 2 && one[1].whole);
	CU_ASSERT_EQUAL(r->nfunctions, 1 + 4 + 3);
	rules_free(r);
	r = parse("");
	CU_ASSERT(r && r->ncategories == LEAF_COUNT && !r->nfunctions);
	rules_free(r);
}

#define RX "leaf rx_softirq\n"
#define CAT RX "category one in rx_softirq\n"
#define SEND "leaf sock_send\nfunctions f\n"

static const struct {
	const char *text;
	unsigned int line;
	const char *what;
} wrong[] = {
	{ "hello\n", 1, "unknown word 'hello': a line begins with leaf, category" },
	{ "\n\nleaf\n", 3, "leaf without a name" },
	{ "leaf nothing\n", 1, "there is no leaf 'nothing'" },
	{ "leaf user\n", 1, "there is no leaf 'user'" },
	{ "leaf Idle\n", 1, "'Idle' cannot name a leaf" },
	{ "leaf idle now\n", 1, "'now' is unexpected" },
	{ RX RX, 2, "leaf 'rx_softirq' is already defined in line 1" },
	{ "category one\n", 1, "write: category one in PARENT" },
	{ "category one on idle\n", 1, "write: category one in PARENT" },
	{ "category one in two\n", 1, "'two' is not a leaf or an earlier category" },
	{ "category one in one\n", 1, "'one' is not a leaf or an earlier category" },
	{ "category one in hardirq_net\n", 1,
	  "leaf 'hardirq_net' and its categories cannot have functions" },
	{ "category idle in idle\n", 1, "'idle' is a leaf" },
	{ CAT "category one in idle\n", 3, "category 'one' is already defined in line 2" },
	{ CAT "category two in one half\n", 3, "'half' is unknown here" },
	{ CAT "category two in one whole it\n", 3, "'it' is unexpected" },
	{ CAT "category two in one undecided\n", 3,
	  "only a category directly in sock_send or sock_recv" },
	{ SEND "category two in sock_send undecided\ncategory three in sock_send undecided\n", 4,
	  "'two' is undecided already" },
	/* a cycle would need a category that is its own ancestor */
	{ "category a in b\ncategory b in a\n", 1, "'b' is not a leaf or an earlier category" },
	{ CAT "category a in one\ncategory b in a\ncategory c in b\ncategory d in c\n"
	      "category e in d\ncategory f in e\n",
	  8, "categories are nested more than 6 levels" },
	{ RX "title x\n", 2, "only a category can have a title" },
	{ "set s\ntitle x\n", 2, "only a category can have a title" },
	{ CAT "title\n", 3, "the title has 0 bytes" },
	{ CAT "title \x1b[31m\n", 3, "the title has a byte 0x1b" },
	{ CAT "title 0123456789012345678901234567890123456789x\n", 3, "the title has 41 bytes" },
	{ "functions a\n", 1, "'functions' needs a leaf, category or set" },
	{ RX "functions @s\n", 2, "the set '@s' is not defined" },
	{ "set s\nfunctions @s\n", 2, "the set '@s' is not defined" },
	{ "set s\nset s\n", 2, "set 's' exists already" },
	{ RX "functions a>\n", 2, "a function has no name" },
	{ RX "functions >a\n", 2, "a function has no name" },
	{ RX "functions a>b>c\n", 2, "a byte 0x3e" },
	{ RX "functions a*b\n", 2, "a byte 0x2a" },
	{ RX "functions a\x80\n", 2, "a byte 0x80" },
	{ RX "functions tcp_ack.isra.0\n", 2, "'tcp_ack.isra.0': remove the dot" },
	{ RX "functions a\nleaf idle\nfunctions b a\n", 4,
	  "'a' marks both 'rx_softirq' and 'idle'" },
	{ CAT "functions x>a*\ncategory two in rx_softirq\nfunctions x>a*\n", 5,
	  "'a*' marks both 'one' and 'two'" },
};

static void test_errors_say_what_and_where(void)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct rules *r = parse(wrong[i].text);

		CU_ASSERT(!r && error.line == wrong[i].line && strstr(error.what, wrong[i].what));
		if (r || error.line != wrong[i].line || !strstr(error.what, wrong[i].what))
			printf("%s: line %u: %s\n", wrong[i].text, error.line, error.what);
		rules_free(r);
	}
}

/* Tests that a function may be in two places if only one of them can match. */
static void test_same_function_elsewhere(void)
{
	struct rules *r = parse(CAT "functions a a*\ncategory two in one\nfunctions a a* a a\n"
				    "leaf idle\nfunctions a\n"
				    "category three in idle\nfunctions a b>a c>a c*>a\n");

	CU_ASSERT(r != NULL);
	rules_free(r);
}

/* ---- hostile files ----------------------------------------------------------------------- */

static void test_bytes(void)
{
	char nul[] = RX "functions a\0b\n", *big = malloc(RULES_MAX_BYTES + 1);

	CU_ASSERT_PTR_NULL(parse_bytes(nul, sizeof(nul) - 1));
	CU_ASSERT(error.line == 2 && strstr(error.what, "NUL"));
	CU_ASSERT_FATAL(big != NULL);
	memset(big, '\n', RULES_MAX_BYTES + 1);
	CU_ASSERT_PTR_NULL(parse_bytes(big, RULES_MAX_BYTES + 1));
	CU_ASSERT(strstr(error.what, "at most") != NULL);
	rules_free(parse_bytes(big, RULES_MAX_BYTES));
	memset(big, 'x', RULES_MAX_BYTES);
	CU_ASSERT_PTR_NULL(parse_bytes(big, RULES_MAX_BYTES));
	CU_ASSERT(error.line == 1 && strstr(error.what, "a line of more than"));
	free(big);
}

/* Parses `head` and n lines. Each line is made by the format `line` from a number. */
static struct rules *parse_many(const char *head, const char *line, int n)
{
	size_t size = strlen(head) + (size_t)n * (2 * strlen(line) + 32) + 1, len;
	char *text = malloc(size);
	struct rules *r;

	CU_ASSERT_FATAL(text != NULL);
	len = (size_t)snprintf(text, size, "%s", head);
	for (int i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, size - len, line, i, i);
	r = parse_bytes(text, len);
	free(text);
	return r;
}

static void test_too_many(void)
{
	struct rules *r;

	CU_ASSERT_PTR_NULL(parse_many("", "category c%d in idle\n", RULES_MAX_CATEGORIES));
	CU_ASSERT(strstr(error.what, "more than 200 categories") != NULL);
	CU_ASSERT_PTR_NULL(parse_many("", "set s%d\n", RULES_MAX_SETS + 1));
	CU_ASSERT(strstr(error.what, "more than 64 sets") != NULL);
	CU_ASSERT_PTR_NULL(parse_many(RX, "functions f%d\n", RULES_MAX_FUNCTIONS + 1));
	CU_ASSERT(strstr(error.what, "more than 8192 functions") != NULL);
	/* a set expands a short text to a long one */
	CU_ASSERT_PTR_NULL(parse_many("set s\n functions a b c d e f g h i j k l m n o p\n" RX,
				      "functions @s @s @s @s\n", 129));
	CU_ASSERT(strstr(error.what, "more than 8192 functions") != NULL);
	CU_ASSERT_PTR_NULL(parse_many("", "set s\nfunctions f%d f%d\n", 2));
	r = parse_many(RX, "functions f%d* f%d>x\n", RULES_MAX_FUNCTIONS / 2);
	CU_ASSERT_FATAL(r != NULL);
	classifier_free(classifier_new(r));
	rules_free(r);
}

/* Tests mutants (simple fuzzing): the default rules with bytes removed, duplicated and changed. */
static void test_mutants(void)
{
	static const char bytes[] = " \n\t#@*>\0_az0\xff";
	size_t len;
	const char *text = rules_default(&len);
	char *mutant = malloc(len);

	CU_ASSERT_FATAL(mutant != NULL);
	srand(1);
	for (int round = 0; round < 3000; round++) {
		size_t cut = (size_t)rand() % len, from = (size_t)rand() % (len - 400);
		struct rules *r;
		struct classifier *c;

		memcpy(mutant, text, len);
		for (int i = rand() % 6; i >= 0; i--)
			mutant[from + (size_t)rand() % 400] =
				bytes[(size_t)rand() % (sizeof(bytes) - 1)];
		r = parse_bytes(mutant + from, round % 2 ? len - from : cut % (len - from));
		if (!r) {
			CU_ASSERT(*error.what && error.line);
			continue;
		}
		c = classifier_new(r);
		CU_ASSERT(classify_step(c, LEAF_OTHER_KERNEL, classifier_mark(c, "tcp_ack"), "x") <
			  r->ncategories);
		classifier_free(c);
		rules_free(r);
	}
	free(mutant);
}

static const struct unit_test tests[] = {
	{ "default_is_right", test_default_is_right },
	{ "default_has_the_parts", test_default_has_the_parts },
	{ "syntax", test_syntax },
	{ "errors_say_what_and_where", test_errors_say_what_and_where },
	{ "same_function_elsewhere", test_same_function_elsewhere },
	{ "bytes", test_bytes },
	{ "too_many", test_too_many },
	{ "mutants", test_mutants },
};

int main(void)
{
	return unit_main("rules", tests, sizeof(tests) / sizeof(tests[0]));
}
