// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests HTML and JSON: text of a trace cannot become markup, reports match the schema, and JSON is written as rows of
 * CSV.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/doc.h"
#include "report/base/render.h"
#include "report/base/text.h"
#include "unit.h"

struct text {
	char *s;
	size_t n;
	FILE *out;
};

static void text_begin(struct text *t)
{
	t->out = open_memstream(&t->s, &t->n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(t->out);
}

static void text_is(struct text *t, const char *want)
{
	fclose(t->out);
	CU_ASSERT_STRING_EQUAL(t->s, want);
	free(t->s);
}

/* ---- text -------------------------------------------------------------------------------- */

/* Checks that no byte becomes markup, ends an attribute, or becomes an unprintable character. */
static void test_all_bytes(void)
{
	char all[256];
	struct text t;
	size_t entities = 0;

	for (int c = 1; c < 256; c++)
		all[c - 1] = (char)c;
	all[255] = '\0';
	text_begin(&t);
	html_text(t.out, all);
	fclose(t.out);
	for (size_t i = 0; i < t.n; i++) {
		CU_ASSERT(t.s[i] >= 0x20 && t.s[i] <= 0x7e);
		CU_ASSERT_PTR_NULL(strchr("<>\"'", t.s[i]));
		if (t.s[i] == '&')
			entities += !strncmp(t.s + i, "&lt;", 4) || !strncmp(t.s + i, "&gt;", 4) ||
				    !strncmp(t.s + i, "&amp;", 5) ||
				    !strncmp(t.s + i, "&quot;", 6) || !strncmp(t.s + i, "&#39;", 5);
	}
	CU_ASSERT_EQUAL(entities, 5);
	free(t.s);
}

static const struct doc_column columns[] = {
	{ .key = "name", .title = "name", .kind = DOC_STRING, .known = true },
	{ .key = "text", .title = "text", .kind = DOC_STRING },
	{ .title = "bar", .kind = DOC_BAR },
	{ .key = "share.of_it", .title = "share" },
};

static const struct doc_table table = { .key = "rows", .title = "<rows>", DOC_COLUMNS_OF(columns) };

static const struct part alone = { .file = "f", .alone = true, .first = true };

static void put_row(struct doc *d, const char *name, const char *text, double share)
{
	doc_row(d, 2, 0);
	doc_string(d, name);
	doc_string(d, text);
	doc_bar(d, share, "#000000");
	doc_number(d, share);
	doc_row_end(d);
}

static void test_text_of_pieces(void)
{
	struct text t;
	struct doc d;

	text_begin(&t);
	d = doc_begin(&doc_html, t.out, &alone);
	doc_note(&d, "%s is %d", "<b>", 7);
	doc_table(&d, &table);
	put_row(&d, "\xe2\x80\xae&", "]]>", 0);
	doc_table_end(&d);
	doc_end(&d);
	fclose(t.out);
	CU_ASSERT_PTR_NOT_NULL(strstr(t.s, "<p class=\"note\">&lt;b&gt; is 7</p>\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(t.s, "<caption>&lt;rows&gt;</caption>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		t.s,
		"<tr><th scope=\"row\" class=\"d2\">???&amp;</th><td class=\"t\">]]&gt;</td><td"));
	free(t.s);
	text_begin(&t);
	escape_xml(t.out, "a<b", 2);
	text_is(&t, "a&lt;");
}

/* Checks that a bar stays in its box if the share is negative, too large or unknown. */
static void test_bar_is_in_its_box(void)
{
	static const double shares[] = { -0.5, 2, NAN, 0.25 };
	static const char *const widths[] = { "0.00", "100.00", "0.00", "25.00" };

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		char want[64];
		struct text t;
		struct doc d;

		text_begin(&t);
		d = doc_begin(&doc_html, t.out, &alone);
		doc_table(&d, &table);
		put_row(&d, "", "", shares[i]);
		doc_table_end(&d);
		doc_end(&d);
		fclose(t.out);
		snprintf(want, sizeof(want), "<rect width=\"%s\" height=\"10\" ", widths[i]);
		CU_ASSERT_PTR_NOT_NULL(strstr(t.s, want));
		free(t.s);
	}
}

/* ---- the schema -------------------------------------------------------------------------- */

static void some_report(struct doc *d, bool more)
{
	static const char *const choices[] = { "a", "b", NULL };

	doc_object(d, NULL);
	doc_about(d, "which");
	doc_field_choice(d, "choice", "a", choices);
	if (doc_or_null(d, "part", false))
		doc_field_uint(d, "part", 1);
	if (doc_optional(d, false))
		doc_field_bool(d, "optional", true);
	if (more)
		doc_field(d, "sometimes", 1, 0);
	doc_table(d, &table);
	doc_table_end(d);
	doc_object_end(d);
}

static bool has(const char *s, const char *part)
{
	char squeezed[4096];
	size_t n = 0;

	for (; *s && n + 1 < sizeof(squeezed); s++)
		if (*s != ' ' && *s != '\n')
			squeezed[n++] = *s;
	squeezed[n] = '\0';
	return strstr(squeezed, part);
}

/*
 * Checks that required members are in every report of a kind. The test also visits members that may be missing or null.
 */
static void test_schema(void)
{
	struct text t;
	struct doc d;

	text_begin(&t);
	CU_ASSERT_EQUAL_FATAL(doc_begin_schema(&d, t.out, &alone), 0);
	CU_ASSERT(doc_is_schema(&d));
	doc_schema_report(&d, "one");
	some_report(&d, true);
	some_report(&d, false);
	doc_end(&d);
	doc_schema_free(&d);
	fclose(t.out);
	CU_ASSERT(has(t.s, "\"oneOf\":[{\"$ref\":\"#/$defs/one\"}]"));
	CU_ASSERT(has(
		t.s, "\"additionalProperties\":false,\"required\":[\"choice\",\"part\",\"rows\"]"));
	CU_ASSERT(has(t.s, "\"choice\":{\"description\":\"which\",\"enum\":[\"a\",\"b\"]}"));
	CU_ASSERT(has(t.s, "\"part\":{\"type\":[\"integer\",\"null\"],\"minimum\":0}"));
	CU_ASSERT(has(t.s, "\"optional\":{\"type\":\"boolean\"}"));
	CU_ASSERT(has(t.s, "\"required\":[\"name\",\"text\",\"share\"]"));
	CU_ASSERT(has(t.s,
		      "\"name\":{\"type\":\"string\"},\"text\":{\"type\":[\"string\",\"null\"]}"));
	CU_ASSERT(has(
		t.s,
		"\"required\":[\"of_it\"],\"properties\":{\"of_it\":{\"type\":[\"number\",\"null\"]}}"));
	free(t.s);
}

/* ---- JSON as CSV ------------------------------------------------------------------------- */

static void some_json(struct json *j)
{
	json_object(j, NULL);
	json_str(j, "name", "a\"b");
	json_array(j, "list");
	json_num(j, NULL, 1.5, 1);
	json_object(j, NULL);
	json_null(j, "none");
	json_bool(j, "yes", true);
	json_object_end(j);
	json_array(j, NULL);
	json_array_end(j);
	json_int(j, NULL, -1);
	json_array_end(j);
	json_strn(j, "cut", "abc", 2);
	json_object_end(j);
	json_end(j);
}

static void test_flat_json(void)
{
	struct part second = { .file = "f", .number = 2, .name = "b" };
	struct json j;
	struct text t;

	text_begin(&t);
	j = json_flat(t.out, &alone);
	some_json(&j);
	j = json_flat(t.out, &second);
	some_json(&j);
	text_is(&t,
		"key,value\nname,\"a\"\"b\"\nlist.0,1.5\nlist.1.none,\nlist.1.yes,true\n"
		"list.3,-1\ncut,\"ab\"\n"
		"\"b\",name,\"a\"\"b\"\n\"b\",list.0,1.5\n\"b\",list.1.none,\n\"b\",list.1.yes,true\n"
		"\"b\",list.3,-1\n\"b\",cut,\"ab\"\n");
}

/* Checks nesting and keys that exceed the available room: keys are truncated, and nothing else changes. */
static void test_flat_json_too_deep(void)
{
	struct part some = { .alone = true };
	char key[300];
	struct json j;
	struct text t;

	memset(key, 'k', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	text_begin(&t);
	j = json_flat(t.out, &some);
	for (unsigned int i = 0; i < 3 * JSON_DEPTH; i++)
		json_object(&j, i % 2 ? key : "k");
	json_uint(&j, key, 1);
	for (unsigned int i = 0; i < 3 * JSON_DEPTH; i++)
		json_object_end(&j);
	json_end(&j);
	fclose(t.out);
	CU_ASSERT(t.n <= sizeof(j.path) + 3);
	CU_ASSERT_STRING_EQUAL(t.s + t.n - 3, ",1\n");
	free(t.s);
}

static const struct unit_test tests[] = {
	{ "all_bytes", test_all_bytes },
	{ "text_of_pieces", test_text_of_pieces },
	{ "bar_is_in_its_box", test_bar_is_in_its_box },
	{ "schema", test_schema },
	{ "flat_json", test_flat_json },
	{ "flat_json_too_deep", test_flat_json_too_deep },
};

int main(void)
{
	return unit_main("html", tests, sizeof(tests) / sizeof(tests[0]));
}
