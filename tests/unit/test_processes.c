// SPDX-License-Identifier: BSD-2-Clause
/* Tests counters by process: how rows are grouped. */
#include <math.h>

#include "processes_util.h"
#include "report/tables/tables.h"

static void test_rows_by_name(void)
{
	struct processes p;
	struct whole w;

	whole_read(&w, 0);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_NAME, PROCESSES_SORT_CPU, 9), 0);
	/* web, db, worker, idle, and the row of all other processes */
	CU_ASSERT_EQUAL_FATAL(p.nrows, 5);
	CU_ASSERT_STRING_EQUAL(p.row[0].name, "web");
	CU_ASSERT(is(p.row[0].v.on_cpu_ns, (200 + 15 * 55) * 1e6));
	CU_ASSERT_STRING_EQUAL(p.row[2].name, "worker");
	CU_ASSERT_EQUAL(p.row[2].processes, 2);
	CU_ASSERT(is(p.row[2].v.on_cpu_ns, 70e6));
	CU_ASSERT(is(p.network_ns, (5 * 55 + 70) * 1e6));
	CU_ASSERT(is(p.cpus_network_ns, p.network_ns));
	CU_ASSERT(is(p.busy_ns, p.cpus_busy_ns));
	CU_ASSERT_EQUAL(p.group_of[3], p.group_of[4]);
	CU_ASSERT_NOT_EQUAL(p.group_of[1], p.group_of[2]);
	CU_ASSERT_EQUAL(p.group_of[5], 0);
	CU_ASSERT_EQUAL(p.group_of[0], 0);
	processes_free(&p);
	whole_free(&w);
}

/* Checks that the network time is unknown if only the time of NAPI threads is known, which is just a part of it. */
static void test_network_is_not_measured(void)
{
	struct processes p;
	struct whole w;

	whole_read(&w, 0);
	w.m->process_has[MODEL_PROCESS_VALUE(SOCK_SEND_NS)] = false;
	w.m->process_has[MODEL_PROCESS_VALUE(RX_THREAD_NS)] = true;
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_NAME, PROCESSES_SORT_CPU, 9), 0);
	CU_ASSERT(isnan(p.row[0].v.network_ns));
	CU_ASSERT(isnan(p.all.network_ns));
	CU_ASSERT(is(p.row[0].v.on_cpu_ns, (200 + 10 * 55) * 1e6));
	processes_free(&p);
	whole_free(&w);
}

static void test_sorts(void)
{
	struct processes p;
	struct whole w;

	whole_read(&w, 0);
	for (enum processes_sort s = 0; s < PROCESSES_SORTS; s++) {
		CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, s, 2), 0);
		for (size_t i = 1; i < p.nrows && p.row[i].kind == PROCESSES_ONE; i++) {
			double a = processes_sort_value(&p.row[i - 1].v, s),
			       b = processes_sort_value(&p.row[i].v, s);

			CU_ASSERT(isnan(a) || isnan(b) || a >= b);
		}
		CU_ASSERT(is(p.all.on_cpu_ns + p.all.interrupted_ns, p.cpus_busy_ns));
		processes_free(&p);
	}
	whole_free(&w);
}

#define NO_LABELS                                                                                  \
	{                                                                                          \
		"", "", "", "", "", ""                                                             \
	}

static void test_titles(void)
{
	const struct container none = { .runtime = "" };
	struct processes p = { .by = PROCESSES_BY_PROCESS };
	struct processes_row r = {
		.name = "a very long name", .pid = 1234567, .container = &none, .label = NO_LABELS
	};
	char t[17];

	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "a very (1234567)");
	r.kernel = true;
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "[a ve] (1234567)");
	r = (struct processes_row){
		.name = "\x1b[31m", .pid = TRACE_NIL, .container = &none, .label = NO_LABELS
	};
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "?[31m");
	p.by = PROCESSES_BY_CGROUP;
	r.name = "/system.slice/a-long-one.service";
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "..ng-one.service");
	r.name = "/";
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "/");
	p.by = PROCESSES_BY_IMAGE;
	r.name = "";
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "no image");
	r.name = "registry.example/nginx:1";
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "..xample/nginx:1");
	p.by = PROCESSES_BY_POD;
	r.label[MODEL_CGROUP_NAMESPACE] = "shop";
	r.label[MODEL_CGROUP_POD] = r.name = "web-0";
	CU_ASSERT_STRING_EQUAL(process_title(t, sizeof(t), &p, &r), "shop/web-0");
}

static const struct unit_test tests[] = {
	{ "rows_by_name", test_rows_by_name },
	{ "network_is_not_measured", test_network_is_not_measured },
	{ "sorts", test_sorts },
	{ "titles", test_titles },
};

int main(void)
{
	return processes_main("processes", tests, sizeof(tests) / sizeof(tests[0]));
}
