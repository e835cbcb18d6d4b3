// SPDX-License-Identifier: BSD-2-Clause
/* Tests settings of the host in a model: the first and the last value of each setting. */
#include <errno.h>

#include <netcost/reasons.h>

#include "model_maker.h"
#include "report/tables/tables.h"

static void put(struct maker *k, uint64_t at_ns, const char *subject, const char *name,
		const char *value, const char *why)
{
	trace_writer_begin(k->w, TRACE_CONTEXT);
	trace_writer_uint(k->w, TRACE_CONTEXT_AT_NS, at_ns);
	trace_writer_strs(k->w, TRACE_CONTEXT_SUBJECT, S(subject));
	trace_writer_strs(k->w, TRACE_CONTEXT_NAME, S(name));
	trace_writer_strs(k->w, TRACE_CONTEXT_VALUE, S(value));
	trace_writer_strs(k->w, TRACE_CONTEXT_WHY, S(why));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static void check(const struct model *m, size_t i, const char *name, const char *first,
		  const char *value, bool changed)
{
	const struct model_setting *s = &m->setting[i];

	CU_ASSERT_STRING_EQUAL(model_string(m, s->name), name);
	CU_ASSERT_STRING_EQUAL(model_string(m, s->first), first);
	CU_ASSERT_STRING_EQUAL(model_string(m, s->value), value);
	CU_ASSERT_EQUAL(model_setting_changed(m, s), changed);
}

static void test_first_and_last(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);

	put(&k, 1, "net.core", "somaxconn", "4096", "");
	put(&k, 1, "interface eth0", "qdisc", "fq", "");
	put(&k, 1, "interface eth1", "mtu", "1500", "");
	put(&k, 1, "cpu", "smt", "", "Operation not permitted");
	put(&k, 2, "interface eth0", "qdisc", "mq", "");
	put(&k, 2, "interface eth1", "mtu", "", reason_gone);
	put(&k, 2, "interface eth2", "mtu", "9000", "");
	put(&k, 3, "interface eth0", "qdisc", "noqueue", "");
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL_FATAL(m->nsettings, 5);
	check(m, 0, "somaxconn", "4096", "4096", false);
	check(m, 1, "qdisc", "fq", "noqueue", true);
	check(m, 2, "mtu", "1500", "", true);
	check(m, 3, "smt", "", "", false);
	check(m, 4, "mtu", "9000", "9000", false);
	CU_ASSERT(model_setting_known(m, &m->setting[1]));
	CU_ASSERT(model_setting_known(m, &m->setting[2]));
	CU_ASSERT(!model_setting_known(m, &m->setting[3]));
	model_free(m);
}

/* Tests that the longest values that a recorder writes (CONTEXT_VALUE) are shown in full. */
static void test_longest(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);
	char first[1024], last[1024], text[SETTING_TEXT], expected[3000];

	memset(first, 'a', sizeof(first) - 1);
	memset(last, 'b', sizeof(last) - 1);
	first[sizeof(first) - 1] = last[sizeof(last) - 1] = '\0';
	put(&k, 1, "bpf", "tracing", first, "");
	put(&k, 2, "bpf", "tracing", last, "");
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL_FATAL(m->nsettings, 1);
	snprintf(expected, sizeof(expected), "%s, then %s", first, last);
	CU_ASSERT_STRING_EQUAL(setting_text(text, sizeof(text), m, &m->setting[0]), expected);
	model_free(m);
}

static void test_none(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);

	trace_writer_begin(k.w, TRACE_CONTEXT);
	for (unsigned int key = TRACE_CONTEXT_SUBJECT; key <= TRACE_CONTEXT_WHY; key++)
		trace_writer_strs(k.w, key, NULL, 0);
	CU_ASSERT_EQUAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(m->nsettings, 0);
	model_free(m);
}

static void test_unequal_columns(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);

	trace_writer_begin(k.w, TRACE_CONTEXT);
	trace_writer_strs(k.w, TRACE_CONTEXT_SUBJECT, S("cpu", "cpu"));
	trace_writer_strs(k.w, TRACE_CONTEXT_NAME, S("smt", "boost"));
	trace_writer_strs(k.w, TRACE_CONTEXT_VALUE, S("on"));
	trace_writer_strs(k.w, TRACE_CONTEXT_WHY, S("", ""));
	CU_ASSERT_EQUAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL(maker_read(&k, m), -EBADMSG);
	CU_ASSERT_EQUAL(m->nsettings, 0);
	model_free(m);
}

/* Tests that the rows of a setting are kept until all have been read, and that they count towards the limit. */
static void test_too_many(void)
{
	enum { ROWS = 10000 };
	struct maker k = maker_new();
	struct model *m = model_new(0, NULL);
	const char *text[ROWS];

	for (unsigned int i = 0; i < ROWS; i++)
		text[i] = "setting";
	model_set_memory(m, 1 << 20);
	trace_writer_begin(k.w, TRACE_CONTEXT);
	for (unsigned int key = TRACE_CONTEXT_SUBJECT; key <= TRACE_CONTEXT_WHY; key++)
		trace_writer_strs(k.w, key, text, ROWS);
	CU_ASSERT_EQUAL(trace_writer_end(k.w), 0);
	CU_ASSERT_EQUAL(maker_read(&k, m), BUDGET_SPENT);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "first_and_last", test_first_and_last },
	{ "longest", test_longest },
	{ "none", test_none },
	{ "unequal_columns", test_unequal_columns },
	{ "too_many", test_too_many },
};

int main(void)
{
	return unit_main("settings", tests, sizeof(tests) / sizeof(tests[0]));
}
