// SPDX-License-Identifier: BSD-2-Clause
/* Tests procfs.c, percpu.c and online.c: files of /proc and /sys, and files with a row per CPU. */
#include "record_util.h"

#include <errno.h>

#include <netcost/cpuset.h>

#include "record/source/online.h"
#include "record/source/source.h"
#include "record/base/procfs.h"

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
		uint64_t u; /* expected number; 99: the default */
	} numbers[] = {
		{ "0\n", 0 },
		{ "123\n", 123 },
		{ "123", 123 },
		{ "-1\n", 99 },
		{ "18446744073709551615\n", UINT64_MAX },
		{ "18446744073709551616\n", 99 },
		{ "-9223372036854775808\n", 99 },
		{ "9223372036854775807\n", INT64_MAX },
		{ "00000000000000000000000000000000000000000001\n",
		  0 }, /* truncated; never misread */
		{ "", 99 },
		{ "\n", 99 },
		{ "max\n", 99 },
		{ "12 34\n", 12 },
	};
	struct tmp t;

	tmp_make(&t);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const char *path = tmp_file(&t, "number", numbers[i].text);

		CU_ASSERT_EQUAL(procfs_uint(path, 99), numbers[i].u);
	}
	CU_ASSERT_EQUAL(procfs_uint(tmp_path(&t, "missing"), 99), 99);
	tmp_remove(&t);
}

/* Tests that a file is read from its start into the same buffer each time, whatever its size is. */
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

static ssize_t file_bytes(const char *path)
{
	FILE *f = fopen(path, "re");
	ssize_t n = 0;

	while (f && fgetc(f) != EOF)
		n++;
	if (f)
		fclose(f);
	return n;
}

/* Tests that a file is read to its end if the kernel returns it in many pages, none of them full. */
static void test_procfs_reread_pages(void)
{
	static const char path[] = "/proc/kallsyms";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t before = file_bytes(path), n;
	size_t size = 0;
	char *buf = NULL;

	n = procfs_reread(fd, &buf, &size);
	if (before &&
	    before ==
		    file_bytes(path)) /* the file may change while programs or modules are loaded */
		CU_ASSERT_EQUAL(n, before);
	free(buf);
	if (fd >= 0)
		close(fd);
}

static void test_procfs_number(void)
{
	static const struct {
		const char *text;
		unsigned int base;
		uint64_t v;
		const char *rest; /* expected text after the number; NULL: not a number */
	} numbers[] = {
		{ "0", 10, 0, "" },
		{ "  12 34", 10, 12, " 34" },
		{ "18446744073709551615\n", 10, UINT64_MAX, "\n" },
		{ "7f", 10, 7, "f" },
		{ " 0000007f 1", 16, 0x7f, " 1" },
		{ "ffffffff", 16, 0xffffffff, "" },
		{ "fg", 16, 0xf, "g" },
		{ "", 10, 0, NULL },
		{ "  ", 16, 0, NULL },
		{ "x1", 16, 0, NULL },
		{ "a", 10, 0, NULL },
		{ "-1", 10, 0, NULL },
		{ "\n1", 10, 0, NULL },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const char *p = numbers[i].text;
		uint64_t v = 99;

		CU_ASSERT_EQUAL(procfs_number(&p, numbers[i].base, &v), numbers[i].rest != NULL);
		CU_ASSERT_STRING_EQUAL(p, numbers[i].rest ? numbers[i].rest : numbers[i].text);
		CU_ASSERT_EQUAL(v, numbers[i].rest ? numbers[i].v : 99);
	}
}

/* ---- percpu ------------------------------------------------------------------------------ */

#define NIL TRACE_NIL

/* One of the recorder's descriptions, applied to a file of the test. All counters are 0 at the first tick. */
struct percpu_setup {
	struct tmp tmp;
	struct source_desc source;
	struct source_status status;
	void *ctx;
	struct mem_trace trace;
	struct trace_record rec;
};

static void percpu_setup(struct percpu_setup *s, const struct source_desc *source, const char *text,
			 const char *list)
{
	static char path[256];
	struct cpuset cpus;

	tmp_make(&s->tmp);
	snprintf(path, sizeof(path), "%s", tmp_zeroed(&s->tmp, "file", text));
	s->source = *source;
	s->source.path = path;
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&cpus, list), 0);
	CU_ASSERT_EQUAL_FATAL(s->source.open(&s->ctx, &s->source,
					     &(struct source_host){ .cpus = &cpus, .irqs = -1 },
					     &s->status),
			      0);
	cpuset_free(&cpus);
	mem_trace_begin(&s->trace);
	CU_ASSERT_EQUAL(s->source.tick(s->ctx, s->trace.w), 0);
	tmp_file(&s->tmp, "file", text);
}

static void percpu_teardown(struct percpu_setup *s)
{
	mem_trace_end(&s->trace);
	s->source.close(s->ctx);
	tmp_remove(&s->tmp);
}

/* Reads the record of the second tick. */
static void percpu_read(struct percpu_setup *s, uint8_t type)
{
	CU_ASSERT_EQUAL(s->source.tick(s->ctx, s->trace.w), 0);
	mem_trace_read(&s->trace);
	CU_ASSERT_FATAL(mem_trace_next(&s->trace, type, &s->rec));
	CU_ASSERT_FATAL(mem_trace_next(&s->trace, type, &s->rec));
}

static void check_column(const struct trace_record *rec, unsigned int key, uint64_t a, uint64_t b,
			 uint64_t c)
{
	CU_ASSERT_EQUAL(column_size(rec, key), 3);
	CU_ASSERT_EQUAL(column_at(rec, key, 0), a);
	CU_ASSERT_EQUAL(column_at(rec, key, 1), b);
	CU_ASSERT_EQUAL(column_at(rec, key, 2), c);
}

/* Tests a file in which CPU 2 is offline. CPU 1 is not recorded. */
static void test_procstat(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &procstat_source,
		     "cpu  9 9 9 9 9 9 9 9 9 9\n"
		     "cpu0 1 2 3 4 5 6 7 8 9 10\n"
		     "cpu1 99 99 99 99 99 99 99 99 99 99\n"
		     "cpu3 11 12 13 18446744073709551614 15 16 17 18 19 20\n"
		     "intr 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n"
		     "ctxt 5\nbtime 6\nprocesses 7\n"
		     "cpu0 99 99 99\n" /* a row after "intr" is ignored */
		     "softirq 1 2 3 4 5 6 7 8 9 10 11\n",
		     "0,2-3");
	percpu_read(&s, TRACE_PROCSTAT);
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

/* Tests a kernel without the later columns, rows that do not belong to a CPU, and impossible CPUs. */
static void test_procstat_odd_rows(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &procstat_source,
		     "cpu0 1 2 3 4 5 6 7\n"
		     "\n"
		     "cpux 5 5 5\n"
		     "cpu1\n"
		     "cpu99999999999999999999 6 6 6\n"
		     "cpu8192 7 7 7\n"
		     "cpu-1 8 8 8\n"
		     "cpu2 21 x 23 24",
		     "0-2");
	percpu_read(&s, TRACE_PROCSTAT);
	check_column(&s.rec, TRACE_PROCSTAT_USER, 1, NIL, 21);
	check_column(&s.rec, TRACE_PROCSTAT_NICE, 2, NIL, NIL);
	check_column(&s.rec, TRACE_PROCSTAT_STEAL, NIL, NIL, NIL);
	check_column(&s.rec, TRACE_PROCSTAT_GUEST, NIL, NIL, NIL);
	percpu_teardown(&s);
}

/* Tests softnet_stat since 5.10: the third word from the end is the CPU, and rows of offline CPUs are missing. */
static void test_softnet_with_cpu(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &softnet_source,
		     "0000000a 0000000b 0000000c 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
		     "ffffffff 00000001 00000002 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000 00000000 00000010 00000000 00000000\n",
		     "0,1,16");
	percpu_read(&s, TRACE_SOFTNET);
	check_column(&s.rec, TRACE_SOFTNET_PROCESSED, 10, NIL, 0xffffffff);
	check_column(&s.rec, TRACE_SOFTNET_DROPPED, 11, NIL, 1);
	check_column(&s.rec, TRACE_SOFTNET_SQUEEZED, 12, NIL, 2);
	percpu_teardown(&s);
}

static void test_softnet_without_cpu(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &softnet_source,
		     "00000001 00000002 00000003 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000\n"
		     "000000f1 000000f2 000000f3 00000000 00000000 00000000 00000000 00000000 "
		     "00000000 00000000 00000000\n",
		     "0-2");
	percpu_read(&s, TRACE_SOFTNET);
	check_column(&s.rec, TRACE_SOFTNET_PROCESSED, 1, 0xf1, NIL);
	check_column(&s.rec, TRACE_SOFTNET_DROPPED, 2, 0xf2, NIL);
	check_column(&s.rec, TRACE_SOFTNET_SQUEEZED, 3, 0xf3, NIL);
	percpu_teardown(&s);
}

/* Tests that a counter that is absent at a tick is not measured: its value is neither 0 nor the previous value. */
static void test_percpu_ticks(void)
{
	struct percpu_setup s;

	percpu_setup(&s, &procstat_source, "cpu0 1 2 3\ncpu1 4 5 6\ncpu2 7 8 9\n", "0-2");
	CU_ASSERT_EQUAL(s.source.tick(s.ctx, s.trace.w), 0);
	tmp_file(&s.tmp, "file", "cpu0 10 2 3\ncpu2 70 8 9\n");
	CU_ASSERT_EQUAL(s.source.tick(s.ctx, s.trace.w), 0);
	tmp_file(&s.tmp, "file", "");
	percpu_read(&s, TRACE_PROCSTAT);
	check_column(&s.rec, TRACE_PROCSTAT_USER, 1, 4, 7);
	CU_ASSERT_FATAL(mem_trace_next(&s.trace, TRACE_PROCSTAT, &s.rec));
	check_column(&s.rec, TRACE_PROCSTAT_USER, 10, NIL, 70);
	CU_ASSERT_FATAL(mem_trace_next(&s.trace, TRACE_PROCSTAT, &s.rec));
	check_column(&s.rec, TRACE_PROCSTAT_USER, NIL, NIL, NIL);
	percpu_teardown(&s);
}

/* A tick: the content of the file, and the expected values of a column for three CPUs. */
struct file_tick {
	const char *text;
	uint64_t cpu[3];
};

static void check_ticks(const struct source_desc *source, uint8_t type, unsigned int key,
			const struct file_tick *first, const struct file_tick *second)
{
	struct percpu_setup s;

	percpu_setup(&s, source, first->text, "0-2");
	CU_ASSERT_EQUAL(s.source.tick(s.ctx, s.trace.w), 0);
	tmp_file(&s.tmp, "file", second->text);
	percpu_read(&s, type);
	check_column(&s.rec, key, first->cpu[0], first->cpu[1], first->cpu[2]);
	CU_ASSERT_FATAL(mem_trace_next(&s.trace, type, &s.rec));
	check_column(&s.rec, key, second->cpu[0], second->cpu[1], second->cpu[2]);
	percpu_teardown(&s);
}

/* Tests counters that decrease. The columns of softnet_stat are 32 bits wide and wrap. If a counter of /proc/stat
 * decreases, it was reset. */
static void test_percpu_falls(void)
{
	const struct file_tick softnet[] = {
		{ "ffffffff 1 0\n5 6 7\n0 0 0\n", { UINT32_MAX, 5, 0 } },
		{ "2 1 0\n4 6 7\n0 0 0\n", { 2, 4, 0 } },
	};
	const struct file_tick procstat[] = {
		{ "cpu0 4294967295\ncpu1 5\ncpu2 6\n", { UINT32_MAX, 5, 6 } },
		{ "cpu0 2\ncpu1 4\ncpu2 7\n", { 0, 0, 7 } },
	};

	check_ticks(&softnet_source, TRACE_SOFTNET, TRACE_SOFTNET_PROCESSED, &softnet[0],
		    &softnet[1]);
	check_ticks(&procstat_source, TRACE_PROCSTAT, TRACE_PROCSTAT_USER, &procstat[0],
		    &procstat[1]);
}

static void test_percpu_no_file(void)
{
	struct source_desc desc = softnet_source;
	struct source_status status = { 0 };
	void *ctx = (void *)-1;
	struct mem_trace trace;
	struct trace_record rec;
	struct cpuset cpus;
	const struct source_host host = { .cpus = &cpus, .irqs = -1 };
	struct tmp t;

	tmp_make(&t);
	mem_trace_begin(&trace);
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&cpus, "0"), 0);
	desc.path = tmp_path(&t, "missing");
	CU_ASSERT_EQUAL(desc.open(&ctx, &desc, &host, &status), 0);
	CU_ASSERT_PTR_NULL(ctx);
	CU_ASSERT_STRING_EQUAL(status.state, "absent");
	CU_ASSERT_PTR_NOT_NULL(strstr(unit_sentence(status.why), "No such file"));
	desc.path = t.dir; /* a directory can be opened, but not read */
	CU_ASSERT_EQUAL_FATAL(desc.open(&ctx, &desc, &host, &status), 0);
	CU_ASSERT_EQUAL(desc.tick(ctx, trace.w), 0);
	mem_trace_read(&trace);
	CU_ASSERT_FALSE(mem_trace_next(&trace, TRACE_SOFTNET, &rec));
	desc.close(ctx);
	cpuset_free(&cpus);
	mem_trace_end(&trace);
	tmp_remove(&t);
}

/* ---- which CPUs are offline -------------------------------------------------------------- */

static void check_offline(struct online *o, bool cpu1, bool cpu3, bool cpu4)
{
	const bool *offline = online_offline(o);

	CU_ASSERT_EQUAL(offline[0], cpu1);
	CU_ASSERT_EQUAL(offline[1], cpu3);
	CU_ASSERT_EQUAL(offline[2], cpu4);
}

static void test_online(void)
{
	struct online *o = (struct online *)-1;
	struct cpuset cpus;
	struct tmp t;

	tmp_make(&t);
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&cpus, "1,3-4"), 0);
	CU_ASSERT_EQUAL(online_new(&o, tmp_path(&t, "missing"), &cpus), -ENOENT);
	CU_ASSERT_PTR_NULL(o);
	CU_ASSERT_EQUAL_FATAL(online_new(&o, tmp_file(&t, "online", "0-7\n"), &cpus), 0);
	check_offline(o, false, false, false);
	tmp_file(&t, "online", "0,2,4-7\n");
	check_offline(o, true, true, false);
	tmp_file(&t, "online", "\n"); /* an impossible list: nothing changes */
	check_offline(o, true, true, false);
	tmp_file(&t, "online", "1\n");
	check_offline(o, false, true, true);
	online_free(o);
	online_free(NULL);
	cpuset_free(&cpus);
	tmp_remove(&t);
}

/* Tests CPUs that appear later: each is listed once, and a range without an end gets an end. */
static void test_online_late(void)
{
	struct cpuset cpus;
	struct online *o;
	const char *late;
	struct tmp t;

	tmp_make(&t);
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&cpus, "1,3-4"), 0);
	CU_ASSERT_EQUAL_FATAL(online_new(&o, tmp_file(&t, "online", "1,3-4\n"), &cpus), 0);
	check_offline(o, false, false, false);
	CU_ASSERT_FALSE(online_found_late(o));
	tmp_file(&t, "online", "0-1,4,7\n");
	check_offline(o, false, true, false);
	CU_ASSERT_TRUE(online_found_late(o));
	CU_ASSERT_FALSE(online_found_late(o));
	CU_ASSERT_STRING_EQUAL(online_late(o), "0,7");
	tmp_file(&t, "online", "0-2,7\n");
	check_offline(o, false, true, true);
	CU_ASSERT_TRUE(online_found_late(o));
	CU_ASSERT_STRING_EQUAL(online_late(o), "0,7,2");
	tmp_file(&t, "online", "0-8191\n");
	check_offline(o, false, false, false);
	late = online_late(o);
	CU_ASSERT(strlen(late) > 100 && strlen(late) < 128);
	CU_ASSERT_STRING_EQUAL(late + strlen(late) - 4, ",...");
	online_free(o);
	cpuset_free(&cpus);
	tmp_remove(&t);
}

static const struct unit_test tests[] = {
	{ "procfs_text", test_procfs_text },
	{ "procfs_numbers", test_procfs_numbers },
	{ "procfs_reread", test_procfs_reread },
	{ "procfs_reread_pages", test_procfs_reread_pages },
	{ "procfs_number", test_procfs_number },
	{ "procstat", test_procstat },
	{ "procstat_odd_rows", test_procstat_odd_rows },
	{ "softnet_with_cpu", test_softnet_with_cpu },
	{ "softnet_without_cpu", test_softnet_without_cpu },
	{ "percpu_ticks", test_percpu_ticks },
	{ "percpu_falls", test_percpu_falls },
	{ "percpu_no_file", test_percpu_no_file },
	{ "online", test_online },
	{ "online_late", test_online_late },
};

int main(void)
{
	return unit_main("record_procfs", tests, sizeof(tests) / sizeof(tests[0]));
}
