// SPDX-License-Identifier: BSD-2-Clause
/* Tests rows of the host's settings: omitted settings, changed settings, and the settings of this host. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "record/base/procfs.h"
#include "record/source/context.h"
#include "record/source/context_rows.h"
#include "unit.h"

static const struct context_row *find(const struct context_rows *r, const char *subject,
				      const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(context_text(r, r->row[i].subject), subject) &&
		    !strcmp(context_text(r, r->row[i].name), name))
			return &r->row[i];
	return NULL;
}

static void check_row(const struct context_rows *r, const char *subject, const char *name,
		      const char *value, const char *why)
{
	const struct context_row *row = find(r, subject, name);

	CU_ASSERT_PTR_NOT_NULL_FATAL(row);
	CU_ASSERT_STRING_EQUAL(context_text(r, row->value), value);
	CU_ASSERT_STRING_EQUAL(unit_sentence(context_text(r, row->why)), why);
}

static void test_rows(void)
{
	struct context_rows r = { 0 };
	char longer[2 * CONTEXT_VALUE + 1];

	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	context_value(&r, "net.ipv4", "tcp_rmem", "4096\t131072\t6291456");
	context_number(&r, "net.ipv4", "most", UINT64_MAX);
	context_value(&r, "cpu", "long", longer);
	context_refused(&r, "cpu", "refused", -EPERM);
	context_refused(&r, "cpu", "absent", -ENOENT);
	context_refused(&r, "cpu", "not supported", EOPNOTSUPP);
	context_file(&r, "cpu", "no file", AT_FDCWD, "/proc/does not exist");
	context_file(&r, "cpu", "no folder", procfs_folder("/proc/does not exist"), "file");
	context_file(&r, "cpu", "empty", AT_FDCWD, "/dev/null");
	CU_ASSERT_EQUAL(r.n, 5);
	check_row(&r, "net.ipv4", "tcp_rmem", "4096 131072 6291456", "");
	check_row(&r, "net.ipv4", "most", "18446744073709551615", "");
	check_row(&r, "cpu", "refused", "", "Operation not permitted");
	check_row(&r, "cpu", "empty", "none", "");
	longer[CONTEXT_VALUE] = '\0';
	check_row(&r, "cpu", "long", longer, "");
	CU_ASSERT(!r.no_memory);
	context_rows_free(&r);
}

static void test_too_many(void)
{
	struct context_rows r = { 0 };

	for (unsigned int i = 0; i < CONTEXT_ROWS + 7; i++)
		context_number(&r, "interface eth0", "mtu", i);
	CU_ASSERT_EQUAL(r.n, CONTEXT_ROWS);
	CU_ASSERT_EQUAL(r.left_out, 7);
	context_rows_free(&r);
}

static void test_changes(void)
{
	struct context_rows was = { 0 }, now = { 0 }, out = { 0 };

	context_value(&was, "interface eth0", "qdisc", "fq");
	context_value(&was, "interface eth0", "mtu", "1500");
	context_value(&was, "interface eth1", "mtu", "1500");
	context_add(&was, "nftables", "rules", "", "Operation not permitted");
	context_value(&was, "cpu", "smt", "on");
	context_value(&now, "nftables", "rules", "12");
	context_value(&now, "cpu", "smt", "on");
	context_value(&now, "interface eth0", "mtu", "1500");
	context_value(&now, "interface eth0", "qdisc", "noqueue");
	context_value(&now, "interface eth2", "mtu", "9000");
	context_changes(&was, &now, &out);
	CU_ASSERT_EQUAL(out.n, 4);
	check_row(&out, "interface eth0", "qdisc", "noqueue", "");
	check_row(&out, "interface eth1", "mtu", "", "gone");
	check_row(&out, "interface eth2", "mtu", "9000", "");
	check_row(&out, "nftables", "rules", "12", "");
	context_rows_free(&out);
	context_changes(&now, &now, &out);
	CU_ASSERT_EQUAL(out.n, 0);
	context_rows_free(&was);
	context_rows_free(&now);
	context_rows_free(&out);
}

static void test_cpus(void)
{
	static const struct {
		const char *mask, *list;
	} masks[] = {
		{ "0", "none" },
		{ "", "none" },
		{ "f", "0-3" },
		{ "A5", "0,2,5,7" },
		{ "00000000,00000001", "0" },
		{ "00000001,80000000", "31-32" },
		{ "ffffffff,ffffffff", "0-63" },
	};
	char list[64], small[6];

	for (size_t i = 0; i < sizeof(masks) / sizeof(*masks); i++) {
		context_list_cpus(list, sizeof(list), masks[i].mask);
		CU_ASSERT_STRING_EQUAL(list, masks[i].list);
	}
	context_list_cpus(small, sizeof(small), "55555555");
	CU_ASSERT_STRING_EQUAL(small, "0,2,4");
}

/* ---- this host --------------------------------------------------------------------------- */

static unsigned int count_records(int fd, uint32_t *rows)
{
	struct trace_reader *r;
	struct trace_record rec;
	unsigned int n = 0;

	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	while (trace_reader_next(r, &rec) > 0)
		if (rec.type == TRACE_CONTEXT) {
			*rows = trace_record_rows(&rec);
			n++;
		}
	CU_ASSERT_EQUAL(trace_reader_status(r)->problem, TRACE_OK);
	trace_reader_free(r);
	return n;
}

/* Tests this host's settings. They do not change within a moment: the second call writes at most one or two rows. */
static void test_host(void)
{
	const struct trace_totals totals = { .why = "" };
	FILE *file = tmpfile();
	struct trace_writer *w;
	struct context *c;
	uint32_t rows = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fileno(file), 0), 0);
	trace_writer_begin(w, TRACE_HEADER);
	trace_writer_uint(w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	CU_ASSERT_EQUAL_FATAL(context_new(&c, NULL), 0);
	CU_ASSERT_EQUAL(context_write(c, w), 0);
	CU_ASSERT_EQUAL(context_write(c, w), 0);
	context_free(c);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), 0);
	trace_writer_free(w);
	CU_ASSERT_EQUAL(lseek(fileno(file), 0, SEEK_SET), 0);
	if (count_records(fileno(file), &rows) == 1)
		CU_ASSERT(rows > 50);
	fclose(file);
}

static void test_readers(void)
{
	struct context_rows r = { 0 };
	const struct context_row *mtu;
	char text[64];

	context_sysctls(&r);
	context_links(&r);
	context_host(&r);
	CU_ASSERT(!r.no_memory);
	CU_ASSERT_EQUAL(procfs_text("/proc/sys/net/core/somaxconn", text, sizeof(text)), 0);
	check_row(&r, "net.core", "somaxconn", text, "");
	mtu = find(&r, "interface lo", "mtu");
	CU_ASSERT_PTR_NOT_NULL(mtu);
	CU_ASSERT_PTR_NOT_NULL(find(&r, "kernel", "preemption"));
	context_rows_free(&r);
}

static const struct unit_test tests[] = {
	{ "context_rows", test_rows },	     { "context_too_many", test_too_many },
	{ "context_changes", test_changes }, { "context_cpus", test_cpus },
	{ "context_host", test_host },	     { "context_readers", test_readers },
};

int main(void)
{
	return unit_main("record_context", tests, sizeof(tests) / sizeof(tests[0]));
}
