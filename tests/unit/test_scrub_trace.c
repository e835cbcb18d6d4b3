// SPDX-License-Identifier: BSD-2-Clause
/* Tests scrubbed traces: no private text is left, equal names stay equal, and everything else is unchanged. */
#include "unit.h"

#include "recover_util.h"
#include <netcost/reasons.h>

#include "report/rewrite/rewrite.h"

#define S_NS UINT64_C(1000000000)
#define YEAR_2000_S UINT64_C(946684800)

/* ---- files ------------------------------------------------------------------------------- */

/* All private texts of a part of the file; %s: the suffix that distinguishes the parts. */
static const char *const private[] = {
	"zxhost%s", "zxarg%s",	  "zxlast%s",  "zxtask%s", "zxnetdev%s", "zxdone%s",	 "zxmark%s",
	"zxword%s", "zxreason%s", "zxprog%s",  "zxend%s",  "zxcut%s",	 "/zxslice%s/a", "zxset%s",
	"zxaddr%s", "zxpod%s",	  "zxspace%s", "zxname%s", "zximage%s",	 "zxload%s",	 "zxfile%s",
};

static const char *secret(size_t i, const char *part)
{
	static char text[2][32];
	static unsigned int turn;
	char *dst = text[turn++ % 2];

	snprintf(dst, sizeof(text[0]), private[i], part);
	return dst;
}

static void put_strings(struct trace_writer *w, enum trace_type type, const char *part)
{
	char symbol[64], via[64];

	snprintf(symbol, sizeof(symbol), "bpf_prog_0123456789abcdef_%s", secret(9, part));
	snprintf(via, sizeof(via), "#26 /mnt/%s #147 zxnetdev%s", secret(7, part), part);
	if (type == TRACE_SOURCE) {
		trace_writer_begin(w, TRACE_SOURCE);
		trace_writer_str(w, TRACE_SOURCE_NAME, "netdev");
		trace_writer_str(w, TRACE_SOURCE_STATE, "refused");
		trace_writer_str(w, TRACE_SOURCE_VIA, via);
		trace_writer_str(w, TRACE_SOURCE_WHY, secret(8, part));
	} else if (type == TRACE_PROBE) {
		trace_writer_begin(w, TRACE_PROBE);
		trace_writer_uint(w, TRACE_PROBE_NUMBER, 1);
		trace_writer_str(w, TRACE_PROBE_REASON, secret(5, part));
		trace_writer_strs(w, TRACE_PROBE_REFUSED, S("#142 fentry #104", secret(5, part)));
	} else if (type == TRACE_SYMBOLS) {
		trace_writer_begin(w, TRACE_MODULE);
		trace_writer_uint(w, TRACE_MODULE_ID, 1);
		trace_writer_str(w, TRACE_MODULE_BUILD_ID, "c0ffee");
		trace_writer_str(w, TRACE_MODULE_FILE, secret(20, part));
		trace_writer_end(w);
		trace_writer_begin(w, TRACE_SYMBOLS);
		trace_writer_uint(w, TRACE_SYMBOLS_FIRST, 1);
		trace_writer_strs(w, TRACE_SYMBOLS_NAME, S(symbol, "udp_sendmsg"));
		trace_writer_uints(w, TRACE_SYMBOLS_MODULE, U(0, 0));
		trace_writer_ints(w, TRACE_SYMBOLS_OFFSET, I(0, 1));
	} else if (type == TRACE_TASKS) {
		trace_writer_begin(w, TRACE_TASKS);
		trace_writer_uint(w, TRACE_TASKS_FIRST, 1);
		trace_writer_uints(w, TRACE_TASKS_TID, U(0, 54321, 54322, TRACE_NIL));
		trace_writer_uints(w, TRACE_TASKS_TGID, U(0, 54321, 54321, 54322));
		trace_writer_strs(w, TRACE_TASKS_COMM,
				  S("swapper", secret(3, part), secret(3, part), ""));
	} else if (type == TRACE_OUTSIDE) {
		trace_writer_begin(w, TRACE_OUTSIDE);
		trace_writer_uints(w, TRACE_OUTSIDE_PROCESS, U(54321, TRACE_NIL, 0));
		trace_writer_strs(w, TRACE_OUTSIDE_NAME, S(secret(3, part), secret(3, part), ""));
		trace_writer_uints(w, TRACE_OUTSIDE_FAMILY, U(2, 10, 2));
		trace_writer_uints(w, TRACE_OUTSIDE_SENDS, U(1, 2, 3));
		trace_writer_uints(w, TRACE_OUTSIDE_RECVS, U(1, 2, 3));
	} else if (type == TRACE_PROCESSES) {
		trace_writer_begin(w, TRACE_PROCESSES);
		trace_writer_uint(w, TRACE_PROCESSES_FIRST, 1);
		trace_writer_uints(w, TRACE_PROCESSES_PID, U(54321, TRACE_NIL));
		trace_writer_strs(w, TRACE_PROCESSES_NAME, S(secret(3, part), ""));
		trace_writer_uints(w, TRACE_PROCESSES_START_NS, U(5, TRACE_NIL));
		trace_writer_uints(w, TRACE_PROCESSES_CGROUP, U(2, 0));
		trace_writer_uints(w, TRACE_PROCESSES_KERNEL, U(0, 0));
		trace_writer_uints(w, TRACE_PROCESSES_USER, U(51966, 0));
	} else if (type == TRACE_CGROUPS) {
		trace_writer_begin(w, TRACE_CGROUPS);
		trace_writer_uint(w, TRACE_CGROUPS_FIRST, 1);
		trace_writer_strs(w, TRACE_CGROUPS_PATH, S("/", secret(12, part), ""));
		for (unsigned int i = 0; i < 5; i++)
			trace_writer_strs(w, TRACE_CGROUPS_POD + i,
					  S("", secret(15 + i, part), ""));
	} else if (type == TRACE_CONTEXT) {
		char interface[64], value[64];

		snprintf(interface, sizeof(interface), "interface %s", secret(4, part));
		snprintf(value, sizeof(value), "on, 10.1.2.3 12345678 %s", secret(13, part));
		trace_writer_begin(w, TRACE_CONTEXT);
		trace_writer_uint(w, TRACE_CONTEXT_AT_NS, S_NS);
		trace_writer_strs(w, TRACE_CONTEXT_SUBJECT, S(interface, secret(13, part)));
		trace_writer_strs(w, TRACE_CONTEXT_NAME, S("mtu", "what"));
		trace_writer_strs(w, TRACE_CONTEXT_VALUE, S("", value));
		trace_writer_strs(w, TRACE_CONTEXT_WHY, S("#138", ""));
	} else if (type == TRACE_NETDEV) {
		trace_writer_begin(w, TRACE_NETDEV);
		trace_writer_uint(w, TRACE_NETDEV_ID, 1);
		trace_writer_str(w, TRACE_NETDEV_NAME, secret(4, part));
	}
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

/* Writes receivers of packets. Their port differs from all other numbers. */
static void put_flows(struct trace_writer *w, const char *part)
{
	static const unsigned int empty[] = { TRACE_STAGES_DT,	   TRACE_STAGES_PACKET,
					      TRACE_STAGES_STAGE,  TRACE_STAGES_CPU,
					      TRACE_STAGES_DEVICE, TRACE_STAGES_FLOW,
					      TRACE_STAGES_REASON, TRACE_STAGES_NETNS,
					      TRACE_STAGES_IFINDEX };

	trace_writer_begin(w, TRACE_STAGES);
	for (size_t i = 0; i < ARRAY_SIZE(empty); i++)
		if (empty[i] == TRACE_STAGES_PACKET)
			trace_writer_ints(w, empty[i], NULL, 0);
		else
			trace_writer_uints(w, empty[i], NULL, 0);
	trace_writer_strs(w, TRACE_STAGES_REASONS, NULL, 0);
	trace_writer_uints(w, TRACE_STAGES_FLOWS, U(7, 8));
	trace_writer_uints(w, TRACE_STAGES_PROTOCOL, U(17, 1));
	trace_writer_strs(w, TRACE_STAGES_FROM, S(secret(14, part), ""));
	trace_writer_uints(w, TRACE_STAGES_FROM_PORT, U(52719, TRACE_NIL));
	trace_writer_strs(w, TRACE_STAGES_TO, S("", secret(14, part)));
	trace_writer_uints(w, TRACE_STAGES_TO_PORT, U(0, TRACE_NIL));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static void put_part_header(struct trace_writer *w, const char *part, uint64_t start_ns)
{
	trace_writer_begin(w, TRACE_HEADER);
	trace_writer_uint(w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_uints(w, TRACE_HEADER_CPUS, U(0, 1));
	trace_writer_str(w, TRACE_HEADER_HOST, secret(0, part));
	trace_writer_strs(w, TRACE_HEADER_COMMAND, S(secret(1, part), secret(2, part)));
	if (start_ns)
		trace_writer_uint(w, TRACE_HEADER_START_NS, start_ns);
	trace_writer_strs(w, TRACE_HEADER_DERIVED, S("#11", secret(11, part)));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static void put_clock(struct trace_writer *w, uint64_t mono_ns, uint64_t real_ns)
{
	trace_writer_time(w, mono_ns);
	trace_writer_begin(w, TRACE_CLOCK);
	trace_writer_uint(w, TRACE_CLOCK_MONO_NS, mono_ns);
	trace_writer_uint(w, TRACE_CLOCK_REAL_NS, real_ns);
	trace_writer_uint(w, TRACE_CLOCK_BOOT_NS, mono_ns + 7);
	trace_writer_uint(w, TRACE_CLOCK_ERROR_NS, 1);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static void put_part(struct trace_writer *w, const char *part, uint64_t real_ns)
{
	put_part_header(w, part, 500 * S_NS);
	put_clock(w, 501 * S_NS, real_ns + S_NS);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	put_strings(w, TRACE_SOURCE, part);
	put_strings(w, TRACE_PROBE, part);
	put_strings(w, TRACE_SYMBOLS, part);
	put_strings(w, TRACE_TASKS, part);
	put_strings(w, TRACE_NETDEV, part);
	put_strings(w, TRACE_CGROUPS, part);
	put_strings(w, TRACE_OUTSIDE, part);
	put_strings(w, TRACE_PROCESSES, part);
	put_strings(w, TRACE_CONTEXT, part);
	put_flows(w, part);
	CU_ASSERT_EQUAL(put_mark(w, 502 * S_NS, secret(6, part)), 0);
	put_clock(w, 503 * S_NS, real_ns + 3 * S_NS + 5);
}

/* Writes a file with two parts, which began at these times. */
static int private_trace(uint64_t first_ns, uint64_t second_ns)
{
	const struct trace_totals a = {
		.symbols = 2, .tasks = 4, .at_ns = 504 * S_NS, .why = "zxenda"
	};
	const struct trace_totals b = {
		.symbols = 2, .tasks = 4, .at_ns = 504 * S_NS, .why = "zxendb"
	};
	struct trace_writer *w;
	int fd = empty_file();

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 0), 0);
	put_part(w, "a", first_ns);
	CU_ASSERT_EQUAL(trace_writer_next(w, &a, 0), 0);
	put_part(w, "b", second_ns);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &b), 0);
	trace_writer_free(w);
	return fd;
}

/* Writes a scrubbed copy of `in` to a new file; keep: classes that stay. */
static int scrubbed(int in, unsigned int keep)
{
	struct copy_options o = { .edit = scrub_edit,
				  .ctx = scrub_new(keep, 0),
				  .derived = reason_scrub };
	struct sound_result result = { 0 };
	int out = empty_file();
	struct copy *c = copy_new(out);
	struct trace_reader *r;

	lseek(in, 0, SEEK_SET);
	CU_ASSERT_FATAL(o.ctx && c && !trace_reader_new(&r, in));
	trace_reader_set_recover(r, true);
	do {
		CU_ASSERT_EQUAL(copy_part(c, r, &o, &result), 0);
	} while (trace_reader_part(r) > 0);
	CU_ASSERT_EQUAL(copy_finish(c), 0);
	CU_ASSERT_EQUAL(result.broken, 0);
	copy_free(c);
	scrub_free(o.ctx);
	trace_reader_free(r);
	return out;
}

/* Returns the content of all frames. */
static struct bytes decompressed(int fd)
{
	struct bytes file = contents(fd), all = { 0 };
	size_t n;

	all.p = malloc(1u << 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(all.p);
	n = ZSTD_decompress(all.p, 1u << 20, file.p, file.n);
	CU_ASSERT_FALSE_FATAL(ZSTD_isError(n));
	all.n = n;
	free_bytes(&file);
	return all;
}

static bool holds(const struct bytes *b, const char *s)
{
	return memmem(b->p, b->n, s, strlen(s)) != NULL;
}

static void test_nothing_is_left(void)
{
	int in = private_trace(1790000000 * S_NS, 1790000010 * S_NS), out = scrubbed(in, 0);
	struct bytes before = decompressed(in), after = decompressed(out);
	char what[400];

	CU_ASSERT(verified(in, what, sizeof(what)));
	CU_ASSERT(verified(out, what, sizeof(what)));
	CU_ASSERT_STRING_EQUAL(what, "");
	for (size_t i = 0; i < ARRAY_SIZE(private); i++) {
		CU_ASSERT(holds(&before, secret(i, "a")) && holds(&before, secret(i, "b")));
		CU_ASSERT(!holds(&after, secret(i, "a")) && !holds(&after, secret(i, "b")));
	}
	CU_ASSERT(holds(&before, "zx") && !holds(&after, "zx"));
	/* number 54321 */
	CU_ASSERT(holds(&before, "\xcd\xd4\x31") && !holds(&after, "\xcd\xd4\x31"));
	/* number 51966 */
	CU_ASSERT(holds(&before, "\xcd\xca\xfe") && !holds(&after, "\xcd\xca\xfe"));
	/* number 52719 */
	CU_ASSERT(holds(&before, "\xcd\xcd\xef") && !holds(&after, "\xcd\xcd\xef"));
	CU_ASSERT(holds(&after, "udp_sendmsg") && holds(&after, "swapper"));
	free_bytes(&before);
	free_bytes(&after);
	close(in);
	close(out);
}

/* Tests each class separately: this class is kept unchanged, and all others are removed. */
static void test_each_class_kept(void)
{
	static const struct {
		enum trace_privacy class;
		const char *kept;
	} rows[] = {
		{ TRACE_PRIVATE_CGROUPS, "/zxslicea/a" }, { TRACE_PRIVATE_LABELS, "zxpoda" },
		{ TRACE_PRIVATE_TASKS, "zxtaska" },	  { TRACE_PRIVATE_PIDS, "\xcd\xd4\x31" },
		{ TRACE_PRIVATE_NETDEVS, "zxnetdeva" },	  { TRACE_PRIVATE_HOST, "zxhosta" },
		{ TRACE_PRIVATE_COMMAND, "zxarga" },	  { TRACE_PRIVATE_MARKS, "zxmarka" },
		{ TRACE_PRIVATE_PROGRAMS, "zxproga" },	  { TRACE_PRIVATE_TEXTS, "zxreasona" },
		{ TRACE_PRIVATE_SETTINGS, "zxseta" },	  { TRACE_PRIVATE_USERS, "\xcd\xca\xfe" },
		{ TRACE_PRIVATE_ADDRESSES, "zxaddra" },	  { TRACE_PRIVATE_PORTS, "\xcd\xcd\xef" },
		{ TRACE_PRIVATE_FILES, "zxfilea" },
	};
	int in = private_trace(1790000000 * S_NS, 1790000010 * S_NS);

	/* Two public classes are not text, and times are tested below. */
	CU_ASSERT_EQUAL(ARRAY_SIZE(rows), TRACE_PRIVACIES - 3);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int out = scrubbed(in, 1u << rows[i].class);
		struct bytes after = decompressed(out);

		for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
			/* A kept sentence keeps the names in it. */
			CU_ASSERT_EQUAL(holds(&after, rows[k].kept),
					k == i || (rows[i].class == TRACE_PRIVATE_TEXTS &&
						   rows[k].class == TRACE_PRIVATE_NETDEVS));
		free_bytes(&after);
		close(out);
	}
	close(in);
}

/* Returns the records of all parts, one per line, without the records of the container. */
static char *dump_parts(int fd)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct trace_reader *r;
	struct trace_record rec;

	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_FATAL(f && !trace_reader_new(&r, fd));
	do
		while (trace_reader_next(r, &rec) > 0)
			if (rec.type != TRACE_FRAME && rec.type != TRACE_INDEX)
				print_record(f, &rec);
	while (trace_reader_part(r) > 0);
	trace_reader_free(r);
	fclose(f);
	return text;
}

/* Tests that equal names are equal in both parts, and that the time of day is moved back by the same amount. */
static void test_all_records(void)
{
	static const char expected[] =
		"1: 1=1 2=0 8= 0 1 16='host1' 17= 'arg1' 'arg2' 18=500000000000 19= '#11' 'name1' '#13'\n"
		"3: 1=501000000000 2=946684801000000000 3=501000000007 4=1\n"
		"4: 1='netdev' 2='refused' 3='#26 name2 #147 name3' 4='name4'\n"
		"5: 2=1 5='name5' 6= '#142 fentry #104' 'name5'\n"
		"6: 1=1 3='c0ffee' 4='file1'\n"
		"7: 1=1 2= 'bpf_prog_0123456789abcdef_prog1' 'udp_sendmsg' 3= 0 0 4= 0 1\n"
		"9: 1=1 2= 0 1 2 nil 3= 0 1 1 2 4= 'swapper' 'task1' 'task1' ''\n"
		"17: 1=1 2='netdev1'\n"
		"27: 1=1 2= '/' 'cgroup1' '' 3= '' 'label1' '' 4= '' 'label2' '' 5= '' 'label3' '' 6= '' 'label4' '' 7= '' 'label5' ''\n"
		"29: 1= 1 nil 0 2= 'task1' 'task1' '' 3= 2 10 2 4= 1 2 3 5= 1 2 3\n"
		"46: 1=1 2= 1 nil 3= 'task1' '' 4= nil nil 5= 2 0 6= 0 0 7= 1 0\n"
		"30: 1=1000000000 2= 'interface netdev1' 'setting1' 3= 'mtu' 'what' 4= '' 'on, setting2 12345678 setting1' 5= '#138' ''\n"
		"59: 2= 3= 4= 5= 6= 7= 8= 9= 10= 11= 20= 7 8 21= 17 1 22= 'addr1' '' 23= 1 nil 24= '' 'addr1' 25= 0 nil\n"
		"22: 1=502000000000 2='mark1'\n"
		"3: 1=503000000000 2=946684803000000005 3=503000000007 4=1\n"
		"127: 1=2 2=29 3=0 4=2 5=0 6=4 7=504000000000 8='name6'\n"
		"1: 1=1 2=0 8= 0 1 16='host2' 17= 'arg3' 'arg4' 18=500000000000 19= '#11' 'name7' '#13'\n"
		"3: 1=501000000000 2=946684811000000000 3=501000000007 4=1\n"
		"4: 1='netdev' 2='refused' 3='#26 name8 #147 name9' 4='name10'\n"
		"5: 2=1 5='name11' 6= '#142 fentry #104' 'name11'\n"
		"6: 1=1 3='c0ffee' 4='file2'\n"
		"7: 1=1 2= 'bpf_prog_0123456789abcdef_prog2' 'udp_sendmsg' 3= 0 0 4= 0 1\n"
		"9: 1=1 2= 0 1 2 nil 3= 0 1 1 2 4= 'swapper' 'task2' 'task2' ''\n"
		"17: 1=1 2='netdev2'\n"
		"27: 1=1 2= '/' 'cgroup2' '' 3= '' 'label6' '' 4= '' 'label7' '' 5= '' 'label8' '' 6= '' 'label9' '' 7= '' 'label10' ''\n"
		"29: 1= 1 nil 0 2= 'task2' 'task2' '' 3= 2 10 2 4= 1 2 3 5= 1 2 3\n"
		"46: 1=1 2= 1 nil 3= 'task2' '' 4= nil nil 5= 2 0 6= 0 0 7= 1 0\n"
		"30: 1=1000000000 2= 'interface netdev2' 'setting3' 3= 'mtu' 'what' 4= '' 'on, setting2 12345678 setting3' 5= '#138' ''\n"
		"59: 2= 3= 4= 5= 6= 7= 8= 9= 10= 11= 20= 7 8 21= 17 1 22= 'addr2' '' 23= 1 nil 24= '' 'addr2' 25= 0 nil\n"
		"22: 1=502000000000 2='mark2'\n"
		"3: 1=503000000000 2=946684813000000005 3=503000000007 4=1\n"
		"127: 1=2 2=29 3=0 4=2 5=0 6=4 7=504000000000 8='name12'\n";
	int in = private_trace(1790000000 * S_NS, 1790000010 * S_NS), out = scrubbed(in, 0);
	char *text = dump_parts(out);

	CU_ASSERT_STRING_EQUAL(text, expected);
	if (strcmp(text, expected))
		printf("%s", text);
	free(text);
	close(in);
	close(out);
}

static void test_same_names_in_both_parts(void)
{
	const struct trace_totals totals = { .symbols = 2, .tasks = 4, .why = "zxenda" };
	struct trace_writer *w;
	int in = empty_file(), out;
	char *text, *second;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, in, 0), 0);
	put_part(w, "a", 1790000000 * S_NS);
	CU_ASSERT_EQUAL(trace_writer_next(w, &totals, 0), 0);
	put_part(w, "a", 1790000000 * S_NS);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), 0);
	trace_writer_free(w);
	out = scrubbed(in, 0);
	text = dump_parts(out);
	second = strstr(text, "\n1: ");
	CU_ASSERT_PTR_NOT_NULL_FATAL(second);
	/* NETDEV follows the sentence that names the interface. In the second part, the name is already known. */
	CU_ASSERT_PTR_NOT_NULL(strstr(
		second,
		"3='#26 name2 #147 netdev1' 4='name4'\n5: 2=1 5='name5' 6= '#142 fentry #104'"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(second, "4= 'swapper' 'task1' 'task1' ''\n17: 1=1 2='netdev1'"));
	CU_ASSERT_PTR_NOT_NULL(strstr(second, "16='host1' 17= 'arg1' 'arg2'"));
	free(text);
	close(in);
	close(out);
}

/* ---- time -------------------------------------------------------------------------------- */

static uint64_t real_ns(int fd, unsigned int clock)
{
	struct trace_reader *r;
	struct trace_record rec;
	uint64_t v = 0;

	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	do
		while (trace_reader_next(r, &rec) > 0)
			if (rec.type == TRACE_CLOCK && !clock--)
				v = trace_record_uint(&rec, TRACE_CLOCK_REAL_NS, 1);
	while (trace_reader_part(r) > 0);
	trace_reader_free(r);
	return v;
}

static void test_time_kept(void)
{
	int in = private_trace(1790000000 * S_NS, 1790000010 * S_NS);
	int out = scrubbed(in, 1u << TRACE_PRIVATE_TIME);

	CU_ASSERT_EQUAL(real_ns(out, 0), 1790000001 * S_NS);
	CU_ASSERT_EQUAL(real_ns(out, 3), 1790000013 * S_NS + 5);
	close(in);
	close(out);
}

/* Tests a part that began long before the first part: it has no time of day, because a time before 1970 cannot be
 * stored. */
static void test_time_before_1970(void)
{
	int in = private_trace(1790000000 * S_NS, 100000000 * S_NS), out = scrubbed(in, 0);

	CU_ASSERT_EQUAL(real_ns(out, 0), (YEAR_2000_S + 1) * S_NS);
	CU_ASSERT_EQUAL(real_ns(out, 1), (YEAR_2000_S + 3) * S_NS + 5);
	CU_ASSERT_EQUAL(real_ns(out, 2), 0);
	close(in);
	close(out);
}

static void test_time_without_start(void)
{
	const struct trace_totals totals = { .why = "over" };
	struct trace_writer *w;
	int in = empty_file(), out;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, in, 0), 0);
	put_part_header(w, "a", 0);
	put_clock(w, 7 * S_NS, 1790000000 * S_NS);
	put_clock(w, 8 * S_NS, 1790000001 * S_NS);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), 0);
	trace_writer_free(w);
	out = scrubbed(in, 0);
	CU_ASSERT_EQUAL(real_ns(out, 0), YEAR_2000_S * S_NS);
	CU_ASSERT_EQUAL(real_ns(out, 1), (YEAR_2000_S + 1) * S_NS);
	close(in);
	close(out);
}

static const struct unit_test tests[] = {
	{ "nothing_is_left", test_nothing_is_left },
	{ "each_class_kept", test_each_class_kept },
	{ "all_records", test_all_records },
	{ "same_names_in_both_parts", test_same_names_in_both_parts },
	{ "time_kept", test_time_kept },
	{ "time_before_1970", test_time_before_1970 },
	{ "time_without_start", test_time_without_start },
};

int main(void)
{
	return unit_main("scrub_trace", tests, ARRAY_SIZE(tests));
}
