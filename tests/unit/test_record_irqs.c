// SPDX-License-Identifier: BSD-2-Clause
/* Tests irqs.c: hard interrupts of network interfaces. */
#include "record_util.h"

#include <errno.h>

#include <netcost/cpuset.h>

#include "record/source/irqs.h"

#define NIL TRACE_NIL

struct interfaces {
	struct tmp tmp;
	struct cpuset cpus;
	struct mem_trace trace;
	struct irqs *q;
	char net[128], irq[128], possible[128];
};

/* Makes the interfaces 3 (a PCI device), 5 (a virtio device below a PCI device), 6 (with a single interrupt) and 7
 * (without interrupts). */
static void interfaces(struct interfaces *f)
{
	const struct irqs_paths paths = { f->net, f->irq, f->possible };
	const struct tmp *t = &f->tmp;

	tmp_make(&f->tmp);
	mem_trace_begin(&f->trace);
	CU_ASSERT_EQUAL_FATAL(cpuset_parse(&f->cpus, "0,2"), 0);
	tmp_file(t, "net/pci/device/msi_irqs/40", "msi\n");
	tmp_file(t, "net/pci/device/msi_irqs/41", "msi\n");
	tmp_file(t, "net/pci/device/msi_irqs/nonsense", "");
	tmp_file(t, "net/virtio/msi_irqs/42", "msi\n");
	tmp_file(t, "net/virtio/device/vendor", "");
	tmp_file(t, "net/one/device/irq", "9\n");
	tmp_file(t, "net/none/device/irq", "0\n");
	tmp_file(t, "irq/0/hwirq", "");
	snprintf(f->net, sizeof(f->net), "%s/net", t->dir);
	snprintf(f->irq, sizeof(f->irq), "%s/irq", t->dir);
	snprintf(f->possible, sizeof(f->possible), "%s", tmp_file(t, "possible", "0-2\n"));
	CU_ASSERT_EQUAL_FATAL(irqs_new(&f->q, &paths, &f->cpus, -1), 0);
}

static void interfaces_end(struct interfaces *f)
{
	irqs_free(f->q);
	mem_trace_end(&f->trace);
	cpuset_free(&f->cpus);
	tmp_remove(&f->tmp);
}

static void look(struct irqs *q)
{
	CU_ASSERT_EQUAL(irqs_look(q, 3, "pci"), 0);
	CU_ASSERT_EQUAL(irqs_look(q, 5, "virtio"), 0);
	CU_ASSERT_EQUAL(irqs_look(q, 6, "one"), 0);
	CU_ASSERT_EQUAL(irqs_look(q, 7, "none"), 0);
	CU_ASSERT_EQUAL(irqs_look(q, 8, "missing"), 0);
	irqs_looked(q);
}

/* Writes an interrupt's file, or removes it if text is NULL. */
static void counts(const struct interfaces *f, unsigned int irq, const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "irq/%u/per_cpu_count", irq);
	if (text)
		tmp_file(&f->tmp, name, text);
	else
		CU_ASSERT_EQUAL(unlink(tmp_path(&f->tmp, name)), 0);
}

static void irqs_read(struct interfaces *f)
{
	CU_ASSERT_EQUAL(irqs_tick(f->q, f->trace.w), 0);
}

static void check_irqs(struct interfaces *f, uint64_t netdev, uint64_t cpu0, uint64_t cpu2)
{
	struct trace_record rec;

	CU_ASSERT_FATAL(mem_trace_next(&f->trace, TRACE_IRQ_STATS, &rec));
	CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_IRQ_STATS_NETDEV, 0), netdev);
	CU_ASSERT_EQUAL(column_at(&rec, TRACE_IRQ_STATS_INTERRUPTS, 0), cpu0);
	CU_ASSERT_EQUAL(column_at(&rec, TRACE_IRQ_STATS_INTERRUPTS, 1), cpu2);
}

/* Tests that counts start at the first reading, that the sum does not decrease when a counter restarts, and that it
 * continues when a counter wraps. */
static void test_irqs(void)
{
	struct interfaces f;
	struct trace_record rec;

	interfaces(&f);
	look(f.q);
	counts(&f, 9, "1,1,1\n");
	counts(&f, 40, "100,5,7\n");
	counts(&f, 41, "10,0,0\n");
	counts(&f, 42, "4294967290,0,8\n");
	counts(&f, 43, "5,5,5\n");
	irqs_read(&f);
	counts(&f, 9, "1,1,2\n");
	counts(&f, 40, "103,5,8\n");
	counts(&f, 41, "14,0,0\n");
	counts(&f, 42, "5,0,8\n");
	irqs_read(&f);
	counts(&f, 9, "");
	counts(&f, 40, "2,0,0\n"); /* this counter restarts */
	counts(&f, 41, "15,0,0\n");
	counts(&f, 42, "nonsense");
	irqs_read(&f);
	mem_trace_read(&f.trace);
	for (int i = 0; i < 3; i++)
		check_irqs(&f, (const uint64_t[]){ 3, 5, 6 }[i], 0, 0);
	check_irqs(&f, 3, 3 + 4, 1);
	check_irqs(&f, 5, 11, 0);
	check_irqs(&f, 6, 0, 1);
	check_irqs(&f, 3, 7 + 2 + 1, 1);
	check_irqs(&f, 5, 11, 0);
	check_irqs(&f, 6, 0, 1);
	CU_ASSERT_FALSE(mem_trace_next(&f.trace, TRACE_IRQ_STATS, &rec));
	interfaces_end(&f);
}

/* Tests a file that is longer than a page: the kernel returns one page, and the number at its end may be truncated. */
static void test_irqs_cut(void)
{
	static const struct {
		const char *text;
		uint64_t cpu0, cpu2; /* counts since the reading in which all counters were 1 */
	} rows[] = {
		{ "3,4,5\n", 2, 4 },   { "3,4,5", 2, 0 },  { "3,4,", 2, 0 },	{ "3", 0, 0 },
		{ "3\n", 2, 0 },       { "", 0, 0 },	   { "3,x,5\n", 2, 0 }, { "x,4,5\n", 0, 0 },
		{ "3,4,5,6\n", 2, 4 }, { ",4,5\n", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct interfaces f;

		interfaces(&f);
		CU_ASSERT_EQUAL(irqs_look(f.q, 6, "one"), 0);
		irqs_looked(f.q);
		counts(&f, 9, "1,1,1\n");
		irqs_read(&f);
		counts(&f, 9, rows[i].text);
		irqs_read(&f);
		mem_trace_read(&f.trace);
		check_irqs(&f, 6, 0, 0);
		check_irqs(&f, 6, rows[i].cpu0, rows[i].cpu2);
		interfaces_end(&f);
	}
}

/* Tests interrupts that are added and removed with a driver's queues. An interrupt that moved to another driver no
 * longer belongs to the interface. */
static void test_irqs_change(void)
{
	struct interfaces f;

	interfaces(&f);
	irqs_looked(f.q);
	counts(&f, 40, "1,1,1\n");
	irqs_read(&f); /* the interrupts belong to no interface: no record is written */
	look(f.q);
	counts(&f, 41, "1,1,1\n");
	irqs_read(&f);
	CU_ASSERT_EQUAL(unlink(tmp_path(&f.tmp, "net/pci/device/msi_irqs/41")), 0);
	tmp_file(&f.tmp, "net/pci/device/msi_irqs/44", "msi\n");
	look(f.q);
	counts(&f, 40, "3,1,1\n");
	counts(&f, 41, "9,9,9\n");
	counts(&f, 44, "5,5,5\n");
	irqs_read(&f);
	counts(&f, 44, "6,5,5\n");
	irqs_read(&f);
	mem_trace_read(&f.trace);
	check_irqs(&f, 3, 0, 0);
	check_irqs(&f, 5, NIL, NIL); /* no interrupt of interface 5 was read yet */
	check_irqs(&f, 6, NIL, NIL);
	check_irqs(&f, 3, 2, 0);
	check_irqs(&f, 5, NIL, NIL);
	check_irqs(&f, 6, NIL, NIL);
	check_irqs(&f, 3, 3, 0);
	interfaces_end(&f);
}

/* Tests an interrupt that is removed and added again. The kernel removes its file, and the new interrupt with the
 * same number has another file. */
static void test_irqs_reopened(void)
{
	struct interfaces f;

	interfaces(&f);
	CU_ASSERT_EQUAL(irqs_look(f.q, 6, "one"), 0);
	irqs_looked(f.q);
	irqs_read(&f); /* the file does not exist yet */
	tmp_file(&f.tmp, "irq/9/per_cpu_count/x", "");
	irqs_read(&f); /* a directory can be opened, but not read */
	CU_ASSERT_EQUAL(unlink(tmp_path(&f.tmp, "irq/9/per_cpu_count/x")), 0);
	CU_ASSERT_EQUAL(rmdir(tmp_path(&f.tmp, "irq/9/per_cpu_count")), 0);
	counts(&f, 9, "1,1,1\n");
	irqs_read(&f);
	counts(&f, 9, "2,1,1\n");
	irqs_read(&f);
	mem_trace_read(&f.trace);
	check_irqs(&f, 6, NIL, NIL);
	check_irqs(&f, 6, NIL, NIL);
	check_irqs(&f, 6, 0, 0);
	check_irqs(&f, 6, 1, 0);
	interfaces_end(&f);
}

/* Tests possible CPUs: the kernel says that CPU 2 cannot exist, but 0 and 4 can. The first and the last count belong
 * to CPUs 0 and 4. */
static void test_irqs_possible(void)
{
	struct interfaces f;
	struct irqs *q = NULL;

	interfaces(&f);
	tmp_file(&f.tmp, "possible", "0-1,4\n");
	CU_ASSERT_EQUAL_FATAL(
		irqs_new(&q, &(struct irqs_paths){ f.net, f.irq, f.possible }, &f.cpus, -1), 0);
	CU_ASSERT_EQUAL(irqs_look(q, 6, "one"), 0);
	irqs_looked(q);
	counts(&f, 9, "1,1,1\n");
	CU_ASSERT_EQUAL(irqs_tick(q, f.trace.w), 0);
	mem_trace_read(&f.trace);
	check_irqs(&f, 6, 0, NIL);
	irqs_free(q);
	tmp_file(&f.tmp, "possible", "x\n");
	CU_ASSERT_EQUAL(irqs_new(&q, &(struct irqs_paths){ f.net, f.irq, f.possible }, &f.cpus, -1),
			-EINVAL);
	CU_ASSERT_EQUAL(irqs_new(&q, &(struct irqs_paths){ f.net, f.irq, "/x" }, &f.cpus, -1),
			-ENOENT);
	CU_ASSERT_EQUAL(irqs_new(&q, &(struct irqs_paths){ f.net, "/x", "/x" }, &f.cpus, -1),
			-ENOENT);
	CU_ASSERT_PTR_NULL(q);
	interfaces_end(&f);
}

/* Tests 512 CPUs and two interfaces of 128 interrupts: both are read at first, then each in every second tick. */
static void test_irqs_many(void)
{
	struct interfaces f;
	struct trace_record rec;
	char list[1100] = "";

	interfaces(&f);
	irqs_free(f.q);
	tmp_file(&f.tmp, "possible", "0-511\n");
	for (int i = 0; i < 512; i++)
		strcat(list, "1,");
	for (unsigned int i = 0; i < 256; i++) {
		char name[64];

		snprintf(name, sizeof(name), "net/%c/device/msi_irqs/%u", "ab"[i / 128], 100 + i);
		tmp_file(&f.tmp, name, "msi\n");
		counts(&f, 100 + i, list);
	}
	CU_ASSERT_EQUAL_FATAL(
		irqs_new(&f.q, &(struct irqs_paths){ f.net, f.irq, f.possible }, &f.cpus, -1), 0);
	irqs_look(f.q, 1, "a");
	irqs_look(f.q, 2, "b");
	irqs_looked(f.q);
	for (int i = 0; i < 6; i++)
		irqs_read(&f);
	mem_trace_read(&f.trace);
	for (unsigned int i = 0; i < 6; i++) {
		static const uint64_t read[] = { 1, 2, 1, 2, 1, 2 };

		CU_ASSERT_FATAL(mem_trace_next(&f.trace, TRACE_IRQ_STATS, &rec));
		CU_ASSERT_EQUAL(trace_record_uint(&rec, TRACE_IRQ_STATS_NETDEV, 0), read[i]);
	}
	CU_ASSERT_FALSE(mem_trace_next(&f.trace, TRACE_IRQ_STATS, &rec));
	interfaces_end(&f);
}

static const struct unit_test tests[] = {
	{ "irqs", test_irqs },
	{ "irqs_cut", test_irqs_cut },
	{ "irqs_change", test_irqs_change },
	{ "irqs_reopened", test_irqs_reopened },
	{ "irqs_possible", test_irqs_possible },
	{ "irqs_many", test_irqs_many },
};

int main(void)
{
	return unit_main("record_irqs", tests, sizeof(tests) / sizeof(tests[0]));
}
