// SPDX-License-Identifier: BSD-2-Clause
/* Tests protocol.c and softirqs.c: counters of the network stack. */
#include "record_util.h"

#include <errno.h>
#include <inttypes.h>

#include <netcost/cpuset.h>

#include "record/source/source.h"

#define NIL TRACE_NIL
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct setup {
	struct tmp tmp;
	struct source_desc source;
	struct source_status status;
	struct cpuset cpus;
	void *ctx;
	struct mem_trace trace;
	char path[128];
};

static void setup(struct setup *s, const struct source_desc *source)
{
	*s = (struct setup){ .source = *source };
	tmp_make(&s->tmp);
	mem_trace_begin(&s->trace);
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&s->cpus, "0,2"), 0);
}

static void open_at(struct setup *s, const char *path)
{
	const struct source_host h = { .cpus = &s->cpus, .irqs = -1 };

	snprintf(s->path, sizeof(s->path), "%s", path);
	s->source.path = s->path;
	CU_ASSERT_EQUAL_FATAL(s->source.open(&s->ctx, &s->source, &h, &s->status), 0);
}

static void teardown(struct setup *s)
{
	if (s->ctx)
		s->source.close(s->ctx);
	mem_trace_end(&s->trace);
	cpuset_free(&s->cpus);
	tmp_remove(&s->tmp);
}

static void tick(struct setup *s)
{
	CU_ASSERT_EQUAL(s->source.tick(s->ctx, s->trace.w), 0);
}

/* ---- counters of protocols --------------------------------------------------------------- */

#define SNMP                                                                                       \
	"Ip: Forwarding InReceives InDelivers\nIp: 1 100 90\n"                                     \
	"Tcp: RtoMin MaxConn InSegs OutSegs RetransSegs\nTcp: 200 -1 7 8 9\n"
#define NETSTAT "TcpExt: SyncookiesSent ListenOverflows\nTcpExt: 5 6\n"
#define SNMP6 "Ip6InReceives                   \t11\nUdp6InErrors\t12\nUdp6Unheard\t13\n"

/* Writes the files and opens the source. All counters are 0 at the first tick, and have the values of the files
 * later. */
static void files(struct setup *s, const char *snmp, const char *netstat, const char *snmp6)
{
	const char *name[] = { "snmp", "netstat", "snmp6" }, *text[] = { snmp, netstat, snmp6 };

	setup(s, &protocol_source);
	for (int i = 0; i < 3; i++)
		if (text[i])
			tmp_zeroed(&s->tmp, name[i], text[i]);
	open_at(s, s->tmp.dir);
	if (s->ctx)
		tick(s);
	for (int i = 0; i < 3; i++)
		if (text[i])
			tmp_file(&s->tmp, name[i], text[i]);
}

#define MOST 128

/* All records that were written. The values of the first tick are left out. */
struct seen {
	char name[MOST][40];
	unsigned int names, ticks, values[16];
	uint64_t value[16][MOST];
};

static void take_names(struct seen *seen, const struct trace_record *rec)
{
	struct trace_column names = trace_record_column(rec, TRACE_COUNTER_NAMES_NAME);
	const char *text;
	uint32_t len;

	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_COUNTER_NAMES_FIRST, 0), seen->names + 1);
	while (trace_column_str(&names, &text, &len)) {
		CU_ASSERT_FATAL(seen->names < MOST);
		snprintf(seen->name[seen->names++], sizeof(seen->name[0]), "%.*s", (int)len, text);
	}
}

static void read_all(struct setup *s, struct seen *seen)
{
	struct trace_record rec;
	bool first = true;
	uint64_t v;

	*seen = (struct seen){ 0 };
	mem_trace_read(&s->trace);
	while (trace_reader_next(s->trace.r, &rec) > 0) {
		struct trace_column values = trace_record_column(&rec, TRACE_COUNTERS_VALUE);
		unsigned int *n = &seen->values[seen->ticks];

		if (rec.type == TRACE_COUNTER_NAMES)
			take_names(seen, &rec);
		if (rec.type != TRACE_COUNTERS)
			continue;
		CU_ASSERT(trace_record_uint(&rec, TRACE_COUNTERS_BEGAN_NS, NIL) <=
			  trace_record_uint(&rec, TRACE_COUNTERS_ENDED_NS, 0));
		if (first) {
			first = false;
			continue;
		}
		while (trace_column_uint(&values, &v))
			seen->value[seen->ticks][(*n)++] = v;
		/* number of names that are defined up to this tick */
		CU_ASSERT_EQUAL(*n, seen->names);
		seen->ticks++;
	}
}

#define UNDEFINED (NIL - 1)

/* Returns a name's value at a tick; NIL: the value was not measured; UNDEFINED: the name is not defined at that
 * tick. */
static uint64_t value(const struct seen *seen, unsigned int at, const char *name)
{
	for (unsigned int i = 0; i < seen->values[at]; i++)
		if (!strcmp(seen->name[i], name))
			return seen->value[at][i];
	return UNDEFINED;
}

static void test_protocol_files(void)
{
	struct setup s;
	struct seen seen;

	files(&s, SNMP, NETSTAT, SNMP6);
	CU_ASSERT_STRING_EQUAL(s.status.state, "measured");
	CU_ASSERT_STRING_EQUAL(s.status.why, "");
	tick(&s);
	tmp_file(&s.tmp, "netstat",
		 "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 5 8 9\n");
	tmp_file(&s.tmp, "snmp6", "");
	tick(&s);
	tmp_file(&s.tmp, "netstat",
		 "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 5 8 30\n");
	tick(&s);
	read_all(&s, &seen);
	CU_ASSERT_EQUAL_FATAL(seen.ticks, 3);
	CU_ASSERT_EQUAL(value(&seen, 0, "Ip.InReceives"), 100);
	CU_ASSERT_EQUAL(value(&seen, 0, "Ip.InDelivers"), 90);
	CU_ASSERT_EQUAL(value(&seen, 0, "Tcp.InSegs"), 7);
	CU_ASSERT_EQUAL(value(&seen, 0, "Tcp.RetransSegs"), 9);
	CU_ASSERT_EQUAL(value(&seen, 0, "TcpExt.ListenOverflows"), 6);
	CU_ASSERT_EQUAL(value(&seen, 0, "Ip6InReceives"), 11);
	CU_ASSERT_EQUAL(value(&seen, 0, "Udp6InErrors"), 12);
	/* the name appears at a later tick */
	CU_ASSERT_EQUAL(value(&seen, 0, "TcpExt.ListenDrops"), UNDEFINED);
	/* no other value was written */
	CU_ASSERT_EQUAL(seen.values[0], 8);
	CU_ASSERT_EQUAL(value(&seen, 1, "TcpExt.ListenOverflows"), 8);
	/* counts from the tick at which it appears */
	CU_ASSERT_EQUAL(value(&seen, 1, "TcpExt.ListenDrops"), 1);
	CU_ASSERT_EQUAL(value(&seen, 2, "TcpExt.ListenDrops"), 22);
	CU_ASSERT_EQUAL(value(&seen, 1, "Ip6InReceives"), NIL); /* not measured at this tick */
	CU_ASSERT_EQUAL(value(&seen, 1, "Tcp.InSegs"), 7);
	teardown(&s);
}

/* Tests names that appear, disappear and move between ticks. Counters never decrease. */
static void test_protocol_changes(void)
{
	static const struct {
		const char *snmp, *snmp6;
		uint64_t in, out, in6,
			udp6; /* counters Tcp.InSegs, Tcp.OutSegs, Ip6InReceives and Udp6InErrors */
	} at[] = {
		{ "Tcp: InSegs OutSegs\nTcp: 1 2\n", "Ip6InReceives 3\nUdp6InErrors 4\n", 1, 2, 3,
		  4 },
		{ "Tcp: InSegs OutSegs\nTcp: 5 6\n", "Ip6InReceives 7\nUdp6InErrors 8\n", 5, 6, 7,
		  8 },
		{ "Tcp: OutSegs InSegs\nTcp: 11 12\n", "Udp6InErrors 13\nIp6InReceives 14\n", 12,
		  11, 14, 13 },
		{ "Tcp: x OutSegs InSegs\nTcp: 19 11 12\n",
		  "x 19\nUdp6InErrors 13\nIp6InReceives 14\n", 12, 11, 14, 13 },
		{ "Ip: x\nIp: 19\nTcp: x OutSegs InSegs\nTcp: 19 11 12\n", "Ip6InReceives 14\n", 12,
		  11, 14, NIL },
		{ "Tcp: x OutSegs InSegs\nTcp: 19 11 12\n",
		  "Ip6InReceives 14\nx 19\nUdp6InErrors 13\n", 12, 11, 14, 13 },
		{ "Tcp: x OutSegs\nTcp: 19 11 12\n", "Ip6InReceives\nx 19\nUdp6InErrors 13\n", NIL,
		  11, NIL, 13 },
		{ "Tcp: x OutSegs InSegs\nTcp: 19 11 12\n", "Ip6InReceivesx 19\nUdp6InErrors 13\n",
		  12, 11, NIL, 13 },
		{ "Tcp: x\nTcp: 19\nTcp: OutSegs\nTcp: 17\n", "Ip6InReceives 14\nUdp6InErrors", NIL,
		  17, 14, NIL },
		{ "Udp: x\nUdp: 19\nTcp: OutSegs\nTcp: 17\n", "Ip6InReceives 14\nUdp6In 19\n", NIL,
		  17, 14, NIL },
		{ "Udp: OutSegs InSegs\nUdp: 19 19\n", "Ip6InReceives\n14\nUdp6InErrors\n", NIL,
		  NIL, NIL, NIL },
		{ "Tcp: InSegs OutSegs\nTcp: 21 22\n", "Ip6InReceives 23\nUdp6InErrors 24\n", 21,
		  22, 23, 24 },
	};
	struct setup s;
	struct seen seen;

	files(&s, at[0].snmp, "", at[0].snmp6);
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		tmp_file(&s.tmp, "snmp", at[i].snmp);
		tmp_file(&s.tmp, "snmp6", at[i].snmp6);
		tick(&s);
	}
	read_all(&s, &seen);
	CU_ASSERT_EQUAL_FATAL(seen.ticks, sizeof(at) / sizeof(at[0]));
	for (unsigned int i = 0; i < seen.ticks; i++) {
		CU_ASSERT_EQUAL(value(&seen, i, "Tcp.InSegs"), at[i].in);
		CU_ASSERT_EQUAL(value(&seen, i, "Tcp.OutSegs"), at[i].out);
		CU_ASSERT_EQUAL(value(&seen, i, "Ip6InReceives"), at[i].in6);
		CU_ASSERT_EQUAL(value(&seen, i, "Udp6InErrors"), at[i].udp6);
	}
	teardown(&s);
}

static void test_protocol_reset(void)
{
	static const uint64_t segs[] = { 5, 1005, 3, 4, 0 }, want[] = { 5, 1005, 0, 1, 0 };
	struct setup s;
	struct seen seen;

	files(&s, "Tcp: InSegs\nTcp: 0\n", NULL, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(segs); i++) {
		char text[64];

		snprintf(text, sizeof(text), "Tcp: InSegs\nTcp: %" PRIu64 "\n", segs[i]);
		tmp_file(&s.tmp, "snmp", text);
		tick(&s);
	}
	read_all(&s, &seen);
	CU_ASSERT_EQUAL_FATAL(seen.ticks, ARRAY_SIZE(segs));
	for (unsigned int i = 0; i < seen.ticks; i++)
		CU_ASSERT_EQUAL(value(&seen, i, "Tcp.InSegs"), want[i]);
	teardown(&s);
}

/* Tests that the value of a name without a number is unknown, and that a number without a name is ignored. */
static void test_protocol_odd(void)
{
	static const struct {
		const char *snmp;
		uint64_t in, out; /* counters Tcp.InSegs and Tcp.OutSegs */
	} odd[] = {
		{ "Tcp: InSegs OutSegs\nTcp: 1\n", 1, UNDEFINED },
		{ "Tcp: InSegs OutSegs\nTcp: 1 2 3 4\n", 1, 2 },
		{ "Tcp: InSegs OutSegs\nTcp: 1 2", 1, 2 },
		{ "Tcp: InSegs OutSegs\nTcp:\n", UNDEFINED, UNDEFINED },
		{ "Tcp: InSegs OutSegs\nTcp:   1    2  \n", 1, 2 },
		{ "Tcp: InSegs OutSegs\nTcp: -1 2\n", UNDEFINED, 2 },
		{ "Tcp: InSegs OutSegs\nTcp: 1x 2\n", UNDEFINED, 2 },
		{ "Tcp: InSegs OutSegs\nTcp: x 2\n", UNDEFINED, 2 },
		{ "Tcp: InSegs OutSegs\nTcp: 9223372036854775807 9223372036854775808\n", INT64_MAX,
		  UNDEFINED },
		{ "Tcp: InSegs OutSegs\nTcp: 18446744073709551617 0\n", UNDEFINED, 0 },
		{ "Tcp: InSegs OutSegs\nUdp: 1 2\n", UNDEFINED, UNDEFINED },
		{ "Tcp: InSegs OutSegs\nTcp: InSegs OutSegs\nTcp: 1 2\n", UNDEFINED, UNDEFINED },
		{ "Ip: InReceives\nTcp: InSegs OutSegs\nTcp: 1 2\n", 1, 2 },
		{ "\n\n:\n: \nTcp: InSegs OutSegs\nTcp: 1 2\n", 1, 2 },
		{ "Tcp InSegs OutSegs\nTcp 1 2\n", UNDEFINED, UNDEFINED },
		{ "Tcp: InSegs OutSegs InSegs\nTcp: 1 2 3\n", 3, 2 },
		{ "TcpX: InSegs OutSegs\nTcpX: 1 2\nTcp: InSegsX XOutSegs\nTcp: 3 4\n", UNDEFINED,
		  UNDEFINED },
		{ "Tcp: InSegs OutSegs", UNDEFINED, UNDEFINED },
		{ "Tcp:", UNDEFINED, UNDEFINED },
		{ "", UNDEFINED, UNDEFINED },
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct setup s;
		struct seen seen;

		files(&s, odd[i].snmp, NETSTAT, NULL);
		tick(&s);
		read_all(&s, &seen);
		CU_ASSERT_EQUAL_FATAL(seen.ticks, 1);
		CU_ASSERT_EQUAL(value(&seen, 0, "Tcp.InSegs"), odd[i].in);
		CU_ASSERT_EQUAL(value(&seen, 0, "Tcp.OutSegs"), odd[i].out);
		CU_ASSERT_EQUAL(value(&seen, 0, "TcpExt.ListenOverflows"), 6);
		teardown(&s);
	}
}

/* Tests lines of 64 KiB. */
static void test_protocol_long_lines(void)
{
	char *text = malloc(2 * 65536 + 256), *p = text;
	struct setup s;
	struct seen seen;

	CU_ASSERT_FATAL(text != NULL);
	p += sprintf(p, "Tcp:");
	for (unsigned int i = 0; p - text < 65536; i++)
		p += sprintf(p, i == 5000 ? " InSegs" : " C%u", i);
	p += sprintf(p, " OutSegs\nTcp:");
	for (unsigned int i = 0; i < 20000; i++)
		p += sprintf(p, i == 5000 ? " 77" : " 1");
	sprintf(p, "\n");
	files(&s, text, NULL, NULL);
	tick(&s);
	read_all(&s, &seen);
	CU_ASSERT_EQUAL(value(&seen, 0, "Tcp.InSegs"), 77);
	CU_ASSERT_EQUAL(value(&seen, 0, "Tcp.OutSegs"), 1);
	teardown(&s);
	free(text);
}

static void test_protocol_missing(void)
{
	struct setup s;

	files(&s, NULL, NETSTAT, NULL);
	CU_ASSERT_STRING_EQUAL(s.status.state, "measured");
	CU_ASSERT_PTR_NOT_NULL(strstr(unit_sentence(s.status.why), "snmp: No such file"));
	teardown(&s);
	files(&s, NULL, NULL, NULL);
	CU_ASSERT_STRING_EQUAL(s.status.state, "absent");
	CU_ASSERT_PTR_NULL(s.ctx);
	teardown(&s);
	setup(&s, &protocol_source);
	tmp_file(&s.tmp, "snmp/x", ""); /* a directory can be opened, but not read */
	open_at(&s, s.tmp.dir);
	tick(&s);
	teardown(&s);
}

/* Tests files that are truncated at each byte, and files with each byte changed. */
static void test_protocol_damaged(void)
{
	static const char whole[] = SNMP NETSTAT SNMP6;
	struct setup s;

	files(&s, "", "", "");
	for (size_t i = 0; i < sizeof(whole); i++) {
		char text[sizeof(whole)];

		memcpy(text, whole, sizeof(whole));
		text[i] = '\0';
		tmp_file(&s.tmp, "snmp", text);
		tmp_file(&s.tmp, "snmp6", text);
		memcpy(text, whole, sizeof(whole));
		text[i] = i % 2 ? '\n' : ':';
		text[sizeof(whole) - 1] = '\0';
		tmp_file(&s.tmp, "netstat", text);
		tick(&s);
	}
	teardown(&s);
}

/* ---- softirqs ---------------------------------------------------------------------------- */

static void softirqs(struct setup *s, const char *text)
{
	setup(s, &softirqs_source);
	open_at(s, tmp_zeroed(&s->tmp, "softirqs", text));
	tick(s); /* all counters start at 0 at this tick */
	tmp_file(&s->tmp, "softirqs", text);
}

/* Makes a tick, and checks the record that follows `after` other records. */
static void check_softirqs(struct setup *s, unsigned int after, unsigned int key, uint64_t cpu0,
			   uint64_t cpu2)
{
	struct trace_record rec;

	tick(s);
	mem_trace_read(&s->trace);
	for (unsigned int i = 0; i <= after; i++)
		CU_ASSERT_FATAL(mem_trace_next(&s->trace, TRACE_SOFTIRQS, &rec));
	CU_ASSERT_EQUAL_FATAL(column_size(&rec, key), 2);
	CU_ASSERT_EQUAL(column_at(&rec, key, 0), cpu0);
	CU_ASSERT_EQUAL(column_at(&rec, key, 1), cpu2);
	teardown(s);
}

static void test_softirqs(void)
{
	static const struct {
		const char *text;
		uint64_t cpu0, cpu2; /* counts of NET_RX on both CPUs */
	} rows[] = {
		{ "   CPU0  CPU1  CPU2\n   HI: 9 9 9\n NET_RX: 1 2 3\n", 1, 3 },
		{ "   CPU2  CPU0\n NET_RX: 1 2\n", 2, 1 },
		{ "   CPU0\n NET_RX: 4294967295 2 3\n", UINT32_MAX, NIL },
		{ "   CPU0 CPU1 CPU2\n NET_RX: 4294967296 2\n", NIL, NIL },
		{ "   CPU0 CPU1 CPU2\n NET_RXX: 1 2 3\nNET_RX\nET_RX: 1 1 1\n", NIL, NIL },
		{ "   CPU0 CPU1 CPU2\n NET_RX: 1 x 3\n", 1, NIL },
		{ "   CPU0 CPUx CPU99999 CPU2\n NET_RX: 1 2 3 4\n", 1, 4 },
		{ " NET_RX: 1 2 3\n", NIL, NIL },
		{ "CPU", NIL, NIL },
		{ "", NIL, NIL },
	};
	struct setup s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		softirqs(&s, rows[i].text);
		check_softirqs(&s, 1, TRACE_SOFTIRQS_NET_RX, rows[i].cpu0, rows[i].cpu2);
	}
	softirqs(&s, "CPU0 CPU2\nRCU: 5 6\nHRTIMER: 7 8\n");
	check_softirqs(&s, 1, TRACE_SOFTIRQS_RCU, 5, 6);
	softirqs(&s, "CPU0 CPU2\nRCU: 4294967295 6\n");
	tick(&s);
	tmp_file(&s.tmp, "softirqs", "CPU0 CPU2\nRCU: 2 5\n"); /* the counters wrapped */
	check_softirqs(&s, 2, TRACE_SOFTIRQS_RCU, 2, 5);
	setup(&s, &softirqs_source);
	open_at(&s, tmp_path(&s.tmp, "missing"));
	CU_ASSERT_STRING_EQUAL(s.status.state, "absent");
	CU_ASSERT_PTR_NULL(s.ctx);
	teardown(&s);
}

static const struct unit_test tests[] = {
	{ "protocol_files", test_protocol_files },
	{ "protocol_changes", test_protocol_changes },
	{ "protocol_reset", test_protocol_reset },
	{ "protocol_odd", test_protocol_odd },
	{ "protocol_long_lines", test_protocol_long_lines },
	{ "protocol_missing", test_protocol_missing },
	{ "protocol_damaged", test_protocol_damaged },
	{ "softirqs", test_softirqs },
};

int main(void)
{
	return unit_main("record_counters", tests, sizeof(tests) / sizeof(tests[0]));
}
