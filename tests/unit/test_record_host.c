// SPDX-License-Identifier: BSD-2-Clause
/* What the host says: lists of CPUs, files of /proc and /sys, powercap, the attach ladder. */
#include "record_util.h"

#include <errno.h>

#include <netcost/cpuset.h>

#include "src/record/ladder.h"
#include "src/record/percpu.h"
#include "src/record/procfs.h"
#include "src/record/source.h"

/* ---- cpuset ------------------------------------------------------------------------------ */

static bool parses_as(const char *text, const uint32_t *cpu, unsigned int n)
{
	struct cpuset set;
	bool same = !cpuset_parse(&set, text) && set.n == n;

	for (unsigned int i = 0; i < n && same; i++)
		same = set.cpu[i] == cpu[i] && cpuset_has(&set, cpu[i]);
	cpuset_free(&set);
	return same;
}

#define PARSES_AS(text, ...)                                                                       \
	CU_ASSERT(parses_as(text, (const uint32_t[]){ __VA_ARGS__ },                               \
			    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

static void test_cpuset(void)
{
	PARSES_AS("0", 0);
	PARSES_AS("0\n", 0);
	PARSES_AS("0-3", 0, 1, 2, 3);
	PARSES_AS("3,1,2", 1, 2, 3);
	PARSES_AS("5-5", 5);
	PARSES_AS("0-2,1-3,2", 0, 1, 2, 3);
	PARSES_AS("0-3,8,10-11\n", 0, 1, 2, 3, 8, 10, 11);
	PARSES_AS("007,8191", 7, 8191);
}

/* Refused, and nothing is left behind. */
static void check_refused(const char *text, int err)
{
	struct cpuset set;

	CU_ASSERT_EQUAL(cpuset_parse(&set, text), err);
	CU_ASSERT_PTR_NULL(set.cpu);
	CU_ASSERT_EQUAL(set.n, 0);
}

static void test_cpuset_refused(void)
{
	static const char *const invalid[] = { "",     "\n",  ",",   "1,",    ",1",  "1,,2",
					       "-",    "1-",  "-1",  "1-2-3", "1 2", " 1",
					       "1 ",   "+1",  "0x1", "a",     "1a",  "1\n\n",
					       "1\n2", "3-1", "1;2", "1-\n",  "all", "8191-0" };
	static const char *const beyond[] = { "8192",
					      "0-8192",
					      "18446744073709551615",
					      "99999999999999999999",
					      "1-99999999999999999999",
					      "4294967296",
					      "0,1,8192" };

	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++)
		check_refused(invalid[i], -EINVAL);
	for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++)
		check_refused(beyond[i], -ERANGE);
}

static void test_cpuset_huge(void)
{
	struct cpuset set;
	char text[8192 * 2 + 16] = "0";

	CU_ASSERT_EQUAL(cpuset_parse(&set, "0-8191"), 0);
	CU_ASSERT_EQUAL(set.n, TRACE_MAX_CPU);
	CU_ASSERT_FALSE(cpuset_has(&set, TRACE_MAX_CPU));
	CU_ASSERT_FALSE(cpuset_has(&set, UINT32_MAX));
	cpuset_free(&set);
	for (size_t i = 0; i < 8192; i++)
		memcpy(text + 1 + 2 * i, ",7", 3);
	PARSES_AS(text, 0, 7);
}

/* ---- procfs ------------------------------------------------------------------------------ */

static void test_procfs_text(void)
{
	char text[8];
	struct tmp t;

	tmp_make(&t);
	CU_ASSERT_EQUAL(procfs_text(tmp_file(&t, "a", "one\ntwo\n"), text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(text, "one");
	CU_ASSERT_EQUAL(procfs_text(tmp_file(&t, "b", "0123456789"), text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(text, "0123456");
	CU_ASSERT_EQUAL(procfs_text(tmp_file(&t, "c", ""), text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_EQUAL(procfs_text(tmp_path(&t, "missing"), text, sizeof(text)), -ENOENT);
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_EQUAL(procfs_text(t.dir, text, sizeof(text)), -EISDIR);
	CU_ASSERT_STRING_EQUAL(text, "");
	tmp_remove(&t);
}

static void test_procfs_numbers(void)
{
	static const struct {
		const char *text;
		uint64_t u; /* 99: the default */
		int64_t i;
	} numbers[] = {
		{ "0\n", 0, 0 },
		{ "123\n", 123, 123 },
		{ "123", 123, 123 },
		{ "-1\n", 99, -1 },
		{ "18446744073709551615\n", UINT64_MAX, 99 },
		{ "18446744073709551616\n", 99, 99 },
		{ "-9223372036854775808\n", 99, INT64_MIN },
		{ "9223372036854775807\n", INT64_MAX, INT64_MAX },
		{ "00000000000000000000000000000000000000000001\n", 0, 0 }, /* cut; never misread */
		{ "", 99, 99 },
		{ "\n", 99, 99 },
		{ "max\n", 99, 99 },
		{ "12 34\n", 12, 12 },
	};
	struct tmp t;

	tmp_make(&t);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const char *path = tmp_file(&t, "number", numbers[i].text);

		CU_ASSERT_EQUAL(procfs_uint(path, 99), numbers[i].u);
		CU_ASSERT_EQUAL(procfs_int(path, 99), numbers[i].i);
	}
	CU_ASSERT_EQUAL(procfs_uint(tmp_path(&t, "missing"), 99), 99);
	CU_ASSERT_EQUAL(procfs_int(tmp_path(&t, "missing"), -99), -99);
	tmp_remove(&t);
}

/* From the start each time, into one buffer, whatever the size is now. */
static void test_procfs_reread(void)
{
	static char large[300001];
	size_t size = 0;
	char *buf = NULL;
	struct tmp t;
	int fd;

	tmp_make(&t);
	memset(large, 'x', sizeof(large) - 1);
	fd = open(tmp_file(&t, "file", "first"), O_RDONLY | O_CLOEXEC);
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(procfs_reread(fd, &buf, &size), 5);
	CU_ASSERT_STRING_EQUAL(buf, "first");
	tmp_file(&t, "file", large);
	CU_ASSERT_EQUAL(procfs_reread(fd, &buf, &size), 300000);
	CU_ASSERT_STRING_EQUAL(buf, large);
	tmp_file(&t, "file", "");
	CU_ASSERT_EQUAL(procfs_reread(fd, &buf, &size), 0);
	CU_ASSERT_STRING_EQUAL(buf, "");
	close(fd);
	CU_ASSERT_EQUAL(procfs_reread(-1, &buf, &size), -EBADF);
	free(buf);
	tmp_remove(&t);
}

/* ---- percpu ------------------------------------------------------------------------------ */

#define NIL TRACE_NIL

/* One of the recorder's descriptions on a file of the test's own. */
struct percpu_setup {
	struct tmp tmp;
	struct percpu_desc desc;
	struct percpu *p;
	struct mem_trace trace;
	struct trace_record rec;
};

static void percpu_setup(struct percpu_setup *s, const struct percpu_desc *desc, const char *text,
			 const char *list)
{
	static char path[256];
	struct cpuset cpus;

	tmp_make(&s->tmp);
	snprintf(path, sizeof(path), "%s", tmp_file(&s->tmp, "file", text));
	s->desc = *desc;
	s->desc.path = path;
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&cpus, list), 0);
	CU_ASSERT_EQUAL_FATAL(percpu_new(&s->p, &s->desc, &cpus), 0);
	cpuset_free(&cpus);
	mem_trace_begin(&s->trace);
}

static void percpu_teardown(struct percpu_setup *s)
{
	mem_trace_end(&s->trace);
	percpu_free(s->p);
	tmp_remove(&s->tmp);
}

static void percpu_read(struct percpu_setup *s)
{
	CU_ASSERT_EQUAL(percpu_tick(s->p, s->trace.w), 0);
	mem_trace_read(&s->trace);
	CU_ASSERT_FATAL(mem_trace_next(&s->trace, s->desc.type, &s->rec));
}

static void check_column(const struct trace_record *rec, unsigned int key, uint64_t a, uint64_t b,
			 uint64_t c)
{
	CU_ASSERT_EQUAL(column_size(rec, key), 3);
	CU_ASSERT_EQUAL(column_at(rec, key, 0), a);
	CU_ASSERT_EQUAL(column_at(rec, key, 1), b);
	CU_ASSERT_EQUAL(column_at(rec, key, 2), c);
}

/* CPU 2 is offline, CPU 1 is not recorded. */
static void test_procstat(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &percpu_procstat,
		     "cpu  9 9 9 9 9 9 9 9 9 9\n"
		     "cpu0 1 2 3 4 5 6 7 8 9 10\n"
		     "cpu1 99 99 99 99 99 99 99 99 99 99\n"
		     "cpu3 11 12 13 18446744073709551614 15 16 17 18 19 20\n"
		     "intr 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n"
		     "ctxt 5\nbtime 6\nprocesses 7\n"
		     "softirq 1 2 3 4 5 6 7 8 9 10 11\n",
		     "0,2-3");
	percpu_read(&s);
	check_column(&s.rec, TRACE_PROCSTAT_USER, 1, NIL, 11);
	check_column(&s.rec, TRACE_PROCSTAT_NICE, 2, NIL, 12);
	check_column(&s.rec, TRACE_PROCSTAT_SYSTEM, 3, NIL, 13);
	check_column(&s.rec, TRACE_PROCSTAT_IOWAIT, 5, NIL, 15);
	check_column(&s.rec, TRACE_PROCSTAT_IRQ, 6, NIL, 16);
	check_column(&s.rec, TRACE_PROCSTAT_SOFTIRQ, 7, NIL, 17);
	check_column(&s.rec, TRACE_PROCSTAT_STEAL, 8, NIL, 18);
	check_column(&s.rec, TRACE_PROCSTAT_GUEST, 9, NIL, 19);
	check_column(&s.rec, TRACE_PROCSTAT_GUEST_NICE, 10, NIL, 20);
	percpu_teardown(&s);
}

/* A kernel without the later columns; rows that are none, and CPUs that cannot be. */
static void test_procstat_odd_rows(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &percpu_procstat,
		     "cpu0 1 2 3 4 5 6 7\n"
		     "\n"
		     "cpux 5 5 5\n"
		     "cpu1\n"
		     "cpu99999999999999999999 6 6 6\n"
		     "cpu8192 7 7 7\n"
		     "cpu-1 8 8 8\n"
		     "cpu2 21 x 23 24",
		     "0-2");
	percpu_read(&s);
	check_column(&s.rec, TRACE_PROCSTAT_USER, 1, NIL, 21);
	check_column(&s.rec, TRACE_PROCSTAT_NICE, 2, NIL, NIL);
	check_column(&s.rec, TRACE_PROCSTAT_STEAL, NIL, NIL, NIL);
	check_column(&s.rec, TRACE_PROCSTAT_GUEST, NIL, NIL, NIL);
	percpu_teardown(&s);
}

/* Since 5.10 the last word but two names the CPU: rows of offline CPUs are missing. */
static void test_softnet_with_cpu(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &percpu_softnet,
		     "0000000a 0000000b 0000000c 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
		     "ffffffff 00000001 00000002 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000 00000000 00000010 00000000 00000000\n",
		     "0,1,16");
	percpu_read(&s);
	check_column(&s.rec, TRACE_SOFTNET_PROCESSED, 10, NIL, 0xffffffff);
	check_column(&s.rec, TRACE_SOFTNET_DROPPED, 11, NIL, 1);
	check_column(&s.rec, TRACE_SOFTNET_SQUEEZED, 12, NIL, 2);
	percpu_teardown(&s);
}

static void test_softnet_without_cpu(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &percpu_softnet,
		     "00000001 00000002 00000003 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000\n"
		     "000000f1 000000f2 000000f3 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000\n",
		     "0-2");
	percpu_read(&s);
	check_column(&s.rec, TRACE_SOFTNET_PROCESSED, 1, 0xf1, NIL);
	check_column(&s.rec, TRACE_SOFTNET_DROPPED, 2, 0xf2, NIL);
	check_column(&s.rec, TRACE_SOFTNET_SQUEEZED, 3, 0xf3, NIL);
	percpu_teardown(&s);
}

/* What is not there at a tick is not measured; neither 0 nor what it was. */
static void test_percpu_ticks(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &percpu_procstat, "cpu0 1 2 3\ncpu1 4 5 6\ncpu2 7 8 9\n", "0-2");
	CU_ASSERT_EQUAL(percpu_tick(s.p, s.trace.w), 0);
	tmp_file(&s.tmp, "file", "cpu0 10 2 3\ncpu2 70 8 9\n");
	CU_ASSERT_EQUAL(percpu_tick(s.p, s.trace.w), 0);
	tmp_file(&s.tmp, "file", "");
	percpu_read(&s);
	check_column(&s.rec, TRACE_PROCSTAT_USER, 1, 4, 7);
	CU_ASSERT_FATAL(mem_trace_next(&s.trace, TRACE_PROCSTAT, &s.rec));
	check_column(&s.rec, TRACE_PROCSTAT_USER, 10, NIL, 70);
	CU_ASSERT_FATAL(mem_trace_next(&s.trace, TRACE_PROCSTAT, &s.rec));
	check_column(&s.rec, TRACE_PROCSTAT_USER, NIL, NIL, NIL);
	percpu_teardown(&s);
}

static void test_percpu_no_file(void)
{
	struct percpu_desc desc = percpu_softnet;
	struct percpu *p = (struct percpu *)-1;
	struct mem_trace trace;
	struct trace_record rec;
	struct cpuset cpus;
	struct tmp t;

	tmp_make(&t);
	mem_trace_begin(&trace);
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&cpus, "0"), 0);
	desc.path = tmp_path(&t, "missing");
	CU_ASSERT_EQUAL(percpu_new(&p, &desc, &cpus), -ENOENT);
	CU_ASSERT_PTR_NULL(p);
	desc.path = t.dir; /* opens, but cannot be read */
	CU_ASSERT_EQUAL_FATAL(percpu_new(&p, &desc, &cpus), 0);
	CU_ASSERT_EQUAL(percpu_tick(p, trace.w), 0);
	mem_trace_read(&trace);
	CU_ASSERT_FALSE(mem_trace_next(&trace, TRACE_SOFTNET, &rec));
	percpu_free(p);
	percpu_free(NULL);
	cpuset_free(&cpus);
	mem_trace_end(&trace);
	tmp_remove(&t);
}

/* ---- energy ------------------------------------------------------------------------------ */

static void add_zone(const struct tmp *t, const char *id, const char *name, const char *energy)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/name", id);
	tmp_file(t, path, name);
	snprintf(path, sizeof(path), "%s/max_energy_range_uj", id);
	tmp_file(t, path, "262143328850\n");
	snprintf(path, sizeof(path), "%s/energy_uj", id);
	tmp_file(t, path, energy);
}

struct energy_setup {
	struct tmp tmp;
	void *ctx;
	struct source_status status;
	struct mem_trace trace;
};

static void energy_setup(struct energy_setup *s)
{
	*s = (struct energy_setup){ .ctx = (void *)-1 };
	tmp_make(&s->tmp);
	mem_trace_begin(&s->trace);
}

static void energy_open(struct energy_setup *s)
{
	CU_ASSERT_EQUAL_FATAL(energy_open_at(&s->ctx, s->tmp.dir, &s->status), 0);
}

static void energy_teardown(struct energy_setup *s)
{
	if (s->ctx)
		energy_source.close(s->ctx);
	mem_trace_end(&s->trace);
	tmp_remove(&s->tmp);
}

static void check_zone(struct energy_setup *s, uint64_t id, const char *name, uint64_t parent)
{
	struct trace_record rec;
	char got[64];

	CU_ASSERT_FATAL(mem_trace_next(&s->trace, TRACE_ENERGY_ZONE, &rec));
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_ENERGY_ZONE_ID, 0), id);
	CU_ASSERT_STRING_EQUAL(trace_record_str(&rec, TRACE_ENERGY_ZONE_NAME, got, sizeof(got)),
			       name);
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_ENERGY_ZONE_PARENT, 99), parent);
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_ENERGY_ZONE_UNIT_NJ, 0), 1000);
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_ENERGY_ZONE_WRAP, 0), 262143328850);
}

static void check_raw(struct energy_setup *s, const uint64_t *raw, unsigned int n)
{
	struct trace_record rec;

	CU_ASSERT_FATAL(mem_trace_next(&s->trace, TRACE_ENERGY, &rec));
	CU_ASSERT_EQUAL(column_size(&rec, TRACE_ENERGY_RAW), n);
	CU_ASSERT_EQUAL(column_size(&rec, TRACE_ENERGY_READ_NS), n);
	for (unsigned int i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(column_at(&rec, TRACE_ENERGY_RAW, i), raw[i]);
		CU_ASSERT(column_at(&rec, TRACE_ENERGY_READ_NS, i) > 0);
	}
}

/* Two packages and their parts; the mmio twin counts what intel-rapl:0 counts. */
static void test_energy_zones(void)
{
	struct energy_setup s;

	energy_setup(&s);
	tmp_file(&s.tmp, "intel-rapl/enabled", "1\n");
	add_zone(&s.tmp, "intel-rapl:1", "package-1\n", "200\n");
	add_zone(&s.tmp, "intel-rapl:0", "package-0\n", "100\n");
	add_zone(&s.tmp, "intel-rapl:0:1", "dram\n", "102\n");
	add_zone(&s.tmp, "intel-rapl:0:0", "core\n", "101\n");
	add_zone(&s.tmp, "intel-rapl:1:0", "core\n", "201\n");
	add_zone(&s.tmp, "intel-rapl:10", "psys\n", "262143328850\n");
	add_zone(&s.tmp, "intel-rapl-mmio:0", "package-0\n", "100\n");
	energy_open(&s);
	CU_ASSERT_STRING_EQUAL(s.status.state, "measured");
	CU_ASSERT_STRING_EQUAL(s.status.why, "");
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	mem_trace_read(&s.trace);
	check_zone(&s, 1, "package-0", 0);
	check_zone(&s, 2, "core", 1);
	check_zone(&s, 3, "dram", 1);
	check_zone(&s, 4, "package-1", 0);
	check_zone(&s, 5, "psys", 0);
	check_zone(&s, 6, "core", 4);
	check_raw(&s, (const uint64_t[]){ 100, 101, 102, 200, 262143328850, 201 }, 6);
	energy_teardown(&s);
}

/* Raw, also over the wrap; a counter that cannot be read any more is nil and not 0. */
static void test_energy_ticks(void)
{
	struct energy_setup s;
	struct trace_record rec;

	energy_setup(&s);
	add_zone(&s.tmp, "intel-rapl:0", "package-0\n", "262143328850\n");
	add_zone(&s.tmp, "intel-rapl:1", "package-1\n", "5\n");
	energy_open(&s);
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	tmp_file(&s.tmp, "intel-rapl:0/energy_uj", "7\n");
	tmp_file(&s.tmp, "intel-rapl:1/energy_uj", "");
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	tmp_file(&s.tmp, "intel-rapl:1/energy_uj", "nonsense\n");
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	mem_trace_read(&s.trace);
	check_raw(&s, (const uint64_t[]){ 262143328850, 5 }, 2);
	check_raw(&s, (const uint64_t[]){ 7, NIL }, 2);
	check_raw(&s, (const uint64_t[]){ 7, NIL }, 2);
	CU_ASSERT_FALSE(mem_trace_next(&s.trace, TRACE_ENERGY, &rec)); /* zones: defined once */
	energy_teardown(&s);
}

static void check_not_measured(struct energy_setup *s, const char *state)
{
	CU_ASSERT_PTR_NULL(s->ctx);
	CU_ASSERT_STRING_EQUAL(s->status.state, state);
	CU_ASSERT_STRING_NOT_EQUAL(s->status.why, "");
}

static void test_energy_absent(void)
{
	struct energy_setup s;

	energy_setup(&s);
	energy_open(&s); /* an empty directory */
	check_not_measured(&s, "absent");
	tmp_file(&s.tmp, "intel-rapl/enabled", "1\n");
	tmp_file(&s.tmp, "intel-rapl:0/energy_uj", "1\n");    /* no name */
	tmp_file(&s.tmp, "intel-rapl:1/name", "package-1\n"); /* no counter */
	tmp_file(&s.tmp, "dtpm:0", "a file\n");
	add_zone(&s.tmp, "intel-rapl-mmio:0", "package-0\n", "100\n");
	energy_open(&s);
	check_not_measured(&s, "absent");
	CU_ASSERT_EQUAL(energy_open_at(&s.ctx, tmp_path(&s.tmp, "missing"), &s.status), 0);
	check_not_measured(&s, "absent");
	energy_teardown(&s);
}

/* Linux 5.10 and later show the counters to root only. */
static void test_energy_refused(void)
{
	const char *const counter[] = { "intel-rapl:0/energy_uj", "intel-rapl:1/energy_uj" };
	struct energy_setup s;
	bool root = geteuid() == 0;

	energy_setup(&s);
	add_zone(&s.tmp, "intel-rapl:0", "package-0\n", "100\n");
	add_zone(&s.tmp, "intel-rapl:1", "package-1\n", "200\n");
	for (int i = 0; i < 2; i++)
		CU_ASSERT_EQUAL(chmod(tmp_path(&s.tmp, counter[i]), 0000), 0);
	CU_ASSERT_EQUAL(chmod(s.tmp.dir, 0755), 0);
	if (root && seteuid(65534)) {
		printf("  no other user to be: %s\n", strerror(errno));
		s.ctx = NULL;
	} else {
		energy_open(&s);
		CU_ASSERT_FATAL(!root || !seteuid(0));
		check_not_measured(&s, "refused");
		CU_ASSERT_PTR_NOT_NULL(strstr(s.status.why, strerror(EACCES)));
	}
	energy_teardown(&s);
}

/* More zones than any machine has: those that there is room for. */
static void test_energy_many_zones(void)
{
	struct energy_setup s;
	char id[32];

	energy_setup(&s);
	for (unsigned int i = 0; i < 80; i++) {
		snprintf(id, sizeof(id), "intel-rapl:%u", i);
		add_zone(&s.tmp, id, "package\n", "1\n");
	}
	energy_open(&s);
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	energy_teardown(&s);
}

/* ---- ladder ------------------------------------------------------------------------------ */

/* The scheduler's and the softirqs' ladders begin at the tracepoints. */
static bool begins_at_tracepoints(int event)
{
	return event != NETCOST_EV_SOCK_SEND && event != NETCOST_EV_SOCK_RECV &&
	       event != NETCOST_EV_SOCK_LOCAL;
}

/* Better rungs say why not; the chosen one and worse ones have nothing to say. */
static void check_choice(const struct ladder *l, int event)
{
	const struct ladder_choice *c = &l->event[event];
	bool chosen = false;

	CU_ASSERT_FATAL(c->rung < RUNG_COUNT);
	for (int r = 0; r < RUNG_COUNT; r++) {
		chosen |= r == (int)c->rung;
		CU_ASSERT(!chosen || !c->refused[r][0]);
		CU_ASSERT(chosen || c->refused[r][0] || begins_at_tracepoints(event));
		CU_ASSERT(memchr(c->refused[r], 0, LADDER_WHY) != NULL);
	}
	CU_ASSERT_EQUAL(!c->programs[0], c->rung == RUNG_SAMPLES);
	CU_ASSERT_EQUAL(!c->hooks[0], c->rung == RUNG_SAMPLES);
	for (int i = 0; c->programs[i]; i++)
		CU_ASSERT(ladder_wants(l, c->programs[i]));
}

static void test_ladder(void)
{
	char why[LADDER_WHY] = "";
	struct ladder l;
	int err;

	if (under_valgrind())
		return;
	err = ladder_choose(&l, why, sizeof(why));
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		check_choice(&l, e);
	CU_ASSERT_FALSE(ladder_wants(&l, "no_such_program"));
	CU_ASSERT_FALSE(ladder_wants(&l, ""));
	CU_ASSERT_NOT_EQUAL(l.witness, l.witness_why[0] != '\0');
	CU_ASSERT_EQUAL(ladder_wants(&l, "sock_send_length"), l.witness);
	if (err) {
		printf("  no exact counters here: %s\n", why);
		CU_ASSERT_STRING_NOT_EQUAL(why, "");
		CU_ASSERT_EQUAL(l.event[NETCOST_EV_IDLE].rung, RUNG_SAMPLES);
		CU_ASSERT_FALSE(ladder_wants(&l, "sched_switch"));
		return;
	}
	/* With BTF the scheduler's and the softirqs' tracepoints are always there. */
	CU_ASSERT_EQUAL(l.event[NETCOST_EV_IDLE].rung, RUNG_TRACEPOINT);
	CU_ASSERT_EQUAL(l.event[NETCOST_EV_RX_SOFTIRQ].rung, RUNG_TRACEPOINT);
	CU_ASSERT(ladder_wants(&l, "sched_switch"));
	CU_ASSERT(ladder_wants(&l, "softirq_exit"));
}

static void test_rung_names(void)
{
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_FENTRY), "fentry");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_KPROBE), "kprobe");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_TRACEPOINT), "tracepoint");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_SAMPLES), "samples");
}

static const struct unit_test tests[] = {
	{ "cpuset", test_cpuset },
	{ "cpuset_refused", test_cpuset_refused },
	{ "cpuset_huge", test_cpuset_huge },
	{ "procfs_text", test_procfs_text },
	{ "procfs_numbers", test_procfs_numbers },
	{ "procfs_reread", test_procfs_reread },
	{ "procstat", test_procstat },
	{ "procstat_odd_rows", test_procstat_odd_rows },
	{ "softnet_with_cpu", test_softnet_with_cpu },
	{ "softnet_without_cpu", test_softnet_without_cpu },
	{ "percpu_ticks", test_percpu_ticks },
	{ "percpu_no_file", test_percpu_no_file },
	{ "energy_zones", test_energy_zones },
	{ "energy_ticks", test_energy_ticks },
	{ "energy_absent", test_energy_absent },
	{ "energy_refused", test_energy_refused },
	{ "energy_many_zones", test_energy_many_zones },
	{ "ladder", test_ladder },
	{ "rung_names", test_rung_names },
};

int main(void)
{
	return unit_main("record_host", tests, sizeof(tests) / sizeof(tests[0]));
}
