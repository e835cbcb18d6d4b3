// SPDX-License-Identifier: BSD-2-Clause
#include "rules_util.h"

#include <errno.h>

#include "report/spec/spec.h"

void rule_tick(struct maker *k, uint64_t at_ns)
{
	trace_writer_time(k->w, 100);
	trace_writer_time(k->w, 200);
	trace_writer_begin(k->w, TRACE_TICK);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 5));
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

void rule_one(struct maker *k, enum trace_type type, unsigned int key, uint64_t v)
{
	trace_writer_begin(k->w, type);
	trace_writer_uint(k->w, key, v);
	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
}

static int read_checked(struct maker *k, struct check *c)
{
	struct trace_reader *r;
	struct trace_record rec;
	int err;

	lseek(fileno(k->file), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(k->file)), 0);
	while ((err = trace_reader_next(r, &rec)) > 0) {
		err = check_record(c, &rec, trace_reader_status(r));
		if (err)
			break;
	}
	CU_ASSERT_NOT_EQUAL(trace_reader_status(r)->problem, TRACE_DAMAGED);
	trace_reader_free(r);
	return err;
}

void rule_check(const struct rule *rule, const struct trace_totals *totals)
{
	struct maker k = maker_new();
	struct check *c = check_new();
	bool right;
	uint64_t odd;
	int err;

	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	rule->make(&k);
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	if (totals)
		CU_ASSERT_EQUAL(trace_writer_finish(k.w, totals), 0);
	trace_writer_free(k.w);
	err = read_checked(&k, c);
	check_oddity(c, &odd);
	right = err == (rule->what ? -EBADMSG : 0) && odd == rule->odd &&
		(!rule->what || strstr(check_what(c), rule->what));
	CU_ASSERT(right);
	if (!right)
		printf("  case: %s: %d: %s\n", rule->name, err, check_what(c));
	check_free(c);
	fclose(k.file);
}
