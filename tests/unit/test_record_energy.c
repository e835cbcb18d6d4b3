// SPDX-License-Identifier: BSD-2-Clause
/* Tests energy.c: the energy counters of powercap. */
#include "record_util.h"

#include <errno.h>

#include "record/base/procfs.h"
#include "record/source/energy_zones.h"
#include "record/source/source.h"

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

static void energy_open_at(struct energy_setup *s, const char *powercap)
{
	struct source_desc source = energy_source;

	source.path = powercap;
	CU_ASSERT_EQUAL_FATAL(
		source.open(&s->ctx, &source, &(struct source_host){ .irqs = -1 }, &s->status), 0);
}

static void energy_open(struct energy_setup *s)
{
	energy_open_at(s, s->tmp.dir);
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

/* Tests two packages and their parts. The zone of intel-rapl-mmio duplicates intel-rapl:0. */
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

/* Tests that ticks have raw values, also when a counter wraps, and that an unreadable counter is nil, not 0. */
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
	check_raw(&s, (const uint64_t[]){ 7, TRACE_NIL }, 2);
	check_raw(&s, (const uint64_t[]){ 7, TRACE_NIL }, 2);
	/* each zone is defined only once */
	CU_ASSERT_FALSE(mem_trace_next(&s.trace, TRACE_ENERGY, &rec));
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
	energy_open(&s); /* the directory is empty */
	check_not_measured(&s, "absent");
	tmp_file(&s.tmp, "intel-rapl/enabled", "1\n");
	tmp_file(&s.tmp, "intel-rapl:0/energy_uj", "1\n");    /* this zone has no name */
	tmp_file(&s.tmp, "intel-rapl:1/name", "package-1\n"); /* this zone has no counter */
	tmp_file(&s.tmp, "dtpm:0", "a file\n");
	add_zone(&s.tmp, "intel-rapl-mmio:0", "package-0\n", "100\n");
	energy_open(&s);
	check_not_measured(&s, "absent");
	energy_open_at(&s, tmp_path(&s.tmp, "missing"));
	check_not_measured(&s, "absent");
	energy_teardown(&s);
}

/* Tests a refused counter: since Linux 5.10 only root can read the counters. */
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
		printf("  cannot become another user: %s\n", strerror(errno));
		s.ctx = NULL;
	} else {
		energy_open(&s);
		CU_ASSERT_FATAL(!root || !seteuid(0));
		check_not_measured(&s, "refused");
		CU_ASSERT_PTR_NOT_NULL(strstr(unit_sentence(s.status.why), strerror(EACCES)));
	}
	energy_teardown(&s);
}

static void check_error(const struct trace_record *rec, unsigned int i, uint64_t raw,
			uint64_t error)
{
	CU_ASSERT_EQUAL(column_at(rec, TRACE_ENERGY_RAW, i), raw);
	if (trace_record_field(rec, TRACE_ENERGY_ERROR))
		CU_ASSERT_EQUAL(column_at(rec, TRACE_ENERGY_ERROR, i), error)
	else
		CU_ASSERT_EQUAL(error, TRACE_NIL);
}

/* Tests three counters: the first is refused, the second is not a number, the third disappears and returns. Each has
 * its reason, and no value is 0. */
static void test_energy_failures(void)
{
	struct energy_setup s;
	struct trace_record rec;
	bool root = geteuid() == 0;

	energy_setup(&s);
	add_zone(&s.tmp, "intel-rapl:0", "package-0\n", "100\n");
	add_zone(&s.tmp, "intel-rapl:0:0", "core\n", "100\n");
	add_zone(&s.tmp, "intel-rapl:0:1", "dram\n", "12 apples\n");
	add_zone(&s.tmp, "intel-rapl:1", "package-1\n", "200\n");
	CU_ASSERT_EQUAL(chmod(tmp_path(&s.tmp, "intel-rapl:0:0/energy_uj"), 0000), 0);
	CU_ASSERT_EQUAL(chmod(s.tmp.dir, 0755), 0);
	if (root && seteuid(65534)) {
		printf("  cannot become another user: %s\n", strerror(errno));
		s.ctx = NULL;
		energy_teardown(&s);
		return;
	}
	energy_open(&s);
	CU_ASSERT_STRING_EQUAL(s.status.state, "measured");
	CU_ASSERT_PTR_NOT_NULL(strstr(unit_sentence(s.status.why), strerror(EACCES)));
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	CU_ASSERT_FATAL(!root || !seteuid(0));
	CU_ASSERT_EQUAL(unlink(tmp_path(&s.tmp, "intel-rapl:1/energy_uj")), 0);
	CU_ASSERT_FATAL(!root || !seteuid(65534));
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	CU_ASSERT_FATAL(!root || !seteuid(0));
	tmp_file(&s.tmp, "intel-rapl:1/energy_uj", "300\n");
	CU_ASSERT_FATAL(!root || !seteuid(65534));
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	CU_ASSERT_FATAL(!root || !seteuid(0));
	mem_trace_read(&s.trace);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_FATAL(mem_trace_next(&s.trace, TRACE_ENERGY, &rec));
		check_error(&rec, 0, 100, TRACE_NIL);
		check_error(&rec, 1, TRACE_NIL, EACCES);
		check_error(&rec, 2, TRACE_NIL, 0);
		check_error(&rec, 3,
			    i == 0 ? 200 :
			    i == 1 ? TRACE_NIL :
				     300,
			    i == 1 ? ENOENT : TRACE_NIL);
		CU_ASSERT(trace_record_uint(&rec, TRACE_ENDED_NS, 0) >=
			  trace_record_uint(&rec, TRACE_BEGAN_NS, UINT64_MAX));
	}
	energy_teardown(&s);
}

/* Tests that a zone that could not be opened is reported with the reason, and with the CPUs that it covers, if
 * known. */
static void test_energy_says_of_zones(void)
{
	struct energy_setup s;
	struct trace_record rec;
	char text[64];

	energy_setup(&s);
	add_zone(&s.tmp, "intel-rapl:0", "package-0\n", "100\n");
	add_zone(&s.tmp, "intel-rapl:0:0", "core\n", "100\n");
	CU_ASSERT_EQUAL(unlink(tmp_path(&s.tmp, "intel-rapl:0:0/energy_uj")), 0);
	CU_ASSERT_EQUAL(symlink("energy_uj", tmp_path(&s.tmp, "intel-rapl:0:0/energy_uj")), 0);
	energy_open(&s);
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	mem_trace_read(&s.trace);
	CU_ASSERT_FATAL(mem_trace_next(&s.trace, TRACE_ENERGY_ZONE, &rec));
	CU_ASSERT_STRING_EQUAL(trace_record_str(&rec, TRACE_ENERGY_ZONE_STATE, text, sizeof(text)),
			       "measured");
	if (procfs_uint("/sys/devices/system/cpu/cpu0/topology/physical_package_id", 1) == 0)
		CU_ASSERT_EQUAL(column_at(&rec, TRACE_ENERGY_ZONE_CPUS, 0), 0);
	CU_ASSERT_FATAL(mem_trace_next(&s.trace, TRACE_ENERGY_ZONE, &rec));
	CU_ASSERT_STRING_EQUAL(trace_record_str(&rec, TRACE_ENERGY_ZONE_STATE, text, sizeof(text)),
			       "refused");
	CU_ASSERT_STRING_EQUAL(
		unit_sentence(trace_record_str(&rec, TRACE_ENERGY_ZONE_WHY, text, sizeof(text))),
		strerror(ELOOP));
	CU_ASSERT_PTR_NULL(trace_record_field(&rec, TRACE_ENERGY_ZONE_CPUS));
	energy_teardown(&s);
}

/* Tests NETCOST_POWERCAP, which names another folder. An empty value counts as unset. */
static void test_energy_elsewhere(void)
{
	struct energy_setup s;

	energy_setup(&s);
	add_zone(&s.tmp, "intel-rapl:0", "package-0\n", "100\n");
	CU_ASSERT_EQUAL(setenv("NETCOST_POWERCAP", s.tmp.dir, 1), 0);
	energy_open_at(&s, "/nowhere");
	CU_ASSERT_STRING_EQUAL(s.status.state, "measured");
	CU_ASSERT_STRING_EQUAL(s.status.via, s.tmp.dir);
	energy_source.close(s.ctx);
	CU_ASSERT_EQUAL(setenv("NETCOST_POWERCAP", "", 1), 0);
	energy_open_at(&s, "/nowhere");
	CU_ASSERT_STRING_EQUAL(s.status.state, "absent");
	CU_ASSERT_EQUAL(unsetenv("NETCOST_POWERCAP"), 0);
	energy_teardown(&s);
}

/* Tests more zones than any machine has: the record has room for some of them, and only these are recorded. */
static void test_energy_many_zones(void)
{
	struct energy_setup s;
	char id[32];

	energy_setup(&s);
	for (unsigned int i = 0; i < ENERGY_ZONES + 16; i++) {
		snprintf(id, sizeof(id), "intel-rapl:%u", i);
		add_zone(&s.tmp, id, "package\n", "1\n");
	}
	energy_open(&s);
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	energy_teardown(&s);
}

/* Tests that a zone id that is too long is skipped: the truncated id would be the id of another zone. */
static void test_energy_long_id(void)
{
	char id[sizeof(((struct energy_zone *)NULL)->id) + 1] = "intel-rapl:";
	struct energy_setup s;
	struct trace_record rec;

	energy_setup(&s);
	memset(id + strlen(id), '0', sizeof(id) - 1 - strlen(id));
	add_zone(&s.tmp, id, "package-1\n", "200\n");
	id[sizeof(id) - 2] = '\0';
	add_zone(&s.tmp, id, "package-0\n", "100\n");
	energy_open(&s);
	CU_ASSERT_EQUAL(energy_source.tick(s.ctx, s.trace.w), 0);
	mem_trace_read(&s.trace);
	check_zone(&s, 1, "package-0", 0);
	CU_ASSERT_FALSE(mem_trace_next(&s.trace, TRACE_ENERGY_ZONE, &rec));
	energy_teardown(&s);
}

/* ---- the energy counters of perf ------------------------------------------------------------  */

#define STEP "2.3283064365386962890625e-10" /* 2^-32 J */
static int power_refused;

static int fake_open(uint32_t type, uint64_t config, unsigned int cpu)
{
	return power_refused ? -power_refused : (int)(1000 + type * 100 + config * 10 + cpu);
}

static ssize_t fake_read(int fd, uint64_t *count)
{
	*count = (uint64_t)fd << 32; /* in Joules */
	return sizeof(*count);
}

static void add_event(const struct tmp *t, const char *pmu, const char *event, const char *config)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/events/%s", pmu, event);
	tmp_file(t, path, config);
	snprintf(path, sizeof(path), "%s/events/%s.scale", pmu, event);
	tmp_file(t, path, STEP "\n");
}

static void add_cpu(const struct tmp *t, unsigned int cpu, unsigned int package, unsigned int core)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), "cpu%u/topology/physical_package_id", cpu);
	snprintf(text, sizeof(text), "%u\n", package);
	tmp_file(t, path, text);
	snprintf(path, sizeof(path), "cpu%u/topology/core_id", cpu);
	snprintf(text, sizeof(text), "%u\n", core);
	tmp_file(t, path, text);
	snprintf(path, sizeof(path), "cpu%u/topology/die_id", cpu);
	tmp_file(t, path, "0\n");
}

/* Tests two packages, each with counters of its cores and of its memory; two cores with counters of their own; and
 * the host. */
static void test_energy_power(void)
{
	static const struct {
		const char *name;
		unsigned int parent;
		int package, core;
		uint64_t joules;
	} want[] = {
		{ "package-0", 0, 0, -1, 1920 }, { "package-1", 0, 1, -1, 1922 },
		{ "psys", 0, -1, -1, 1950 },	 { "core", 1, 0, -1, 1910 },
		{ "core", 2, 1, -1, 1912 },	 { "dram", 1, 0, -1, 1930 },
		{ "dram", 2, 1, -1, 1932 },	 { "core-0", 1, 0, 0, 2010 },
		{ "core-1", 1, 0, 1, 2011 },
	};
	struct energy_zones *e = calloc(1, sizeof(*e));
	struct power_host h = { .open = fake_open, .read = fake_read };
	struct tmp t;
	int err;

	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	tmp_make(&t);
	h.pmus = h.cpus = t.dir;
	power_scan(e, &h);
	CU_ASSERT_EQUAL(e->n, 0); /* the PMUs do not exist */
	tmp_file(&t, "power/type", "9\n");
	tmp_file(&t, "power/cpumask", "0,2\n");
	add_event(&t, "power", "energy-cores", "event=0x01\n");
	add_event(&t, "power", "energy-pkg", "event=0x02\n");
	add_event(&t, "power", "energy-ram", "event=0x03\n");
	add_event(&t, "power", "energy-psys", "event=0x05\n");
	add_event(&t, "power", "energy-gpu", "something else\n");
	tmp_file(&t, "power_core/type", "10\n");
	tmp_file(&t, "power_core/cpumask", "0-1\n");
	add_event(&t, "power_core", "energy-core", "event=0x01\n");
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		add_cpu(&t, cpu, cpu / 2, cpu % 2);
	power_scan(e, &h);
	CU_ASSERT_EQUAL_FATAL(e->n, sizeof(want) / sizeof(*want));
	for (unsigned int i = 0; i < e->n; i++) {
		CU_ASSERT_STRING_EQUAL(e->zone[i].name, want[i].name);
		CU_ASSERT_EQUAL(e->zone[i].parent, want[i].parent);
		CU_ASSERT_EQUAL(e->zone[i].package, want[i].package);
		CU_ASSERT_EQUAL(e->zone[i].core, want[i].core);
		CU_ASSERT_EQUAL(e->zone[i].unit_nj, 1);
		CU_ASSERT_EQUAL(e->zone[i].read(e, &e->zone[i], &err), want[i].joules * 1000000000);
		CU_ASSERT_EQUAL(err, 0);
	}
	power_refused = EACCES;
	power_scan(e, &h);
	CU_ASSERT_EQUAL(e->zone[0].err, EACCES);
	CU_ASSERT_EQUAL(e->zone[0].read(e, &e->zone[0], &err), TRACE_NIL);
	CU_ASSERT_EQUAL(err, EACCES);
	power_refused = 0;
	free(e);
	tmp_remove(&t);
}

static const struct unit_test tests[] = {
	{ "energy_power", test_energy_power },
	{ "energy_zones", test_energy_zones },
	{ "energy_ticks", test_energy_ticks },
	{ "energy_absent", test_energy_absent },
	{ "energy_refused", test_energy_refused },
	{ "energy_failures", test_energy_failures },
	{ "energy_says_of_zones", test_energy_says_of_zones },
	{ "energy_elsewhere", test_energy_elsewhere },
	{ "energy_many_zones", test_energy_many_zones },
	{ "energy_long_id", test_energy_long_id },
};

int main(void)
{
	return unit_main("record_energy", tests, sizeof(tests) / sizeof(tests[0]));
}
