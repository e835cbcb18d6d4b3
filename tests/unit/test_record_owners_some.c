// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests the measurement of one softirq in N (--owners=1/N), from bpf/owners.h to the report's interval. In recordings
 * of a load with widely varying softirqs, the 95 % interval must contain the true value as often as it should.
 */
#include "owners_shim.h"

/* The kernel's types define this, too, but differently from the C library. */
#undef MSG_PEEK
#undef MSG_ERRQUEUE
#undef IPPROTO_TCP
#undef IPPROTO_UDP

#include <math.h>

#include "model_maker.h"
#include "random.h"
#include "report/analysis/processes_shares.h"

#define RECORDINGS 200
#define SOFTIRQS 2000
#define EVERY 10

static uint64_t state; /* state of the random numbers */

/* Returns a random time of a packet, ns: often a short time, seldom a long time. */
static uint64_t some_ns(void)
{
	uint64_t ns = 500 + random_below(&state, 3000);

	return random_below(&state, 20) ? ns : 20 * ns;
}

/* Simulates a softirq with packets of two receivers, of which the second one gets few. Adds each receiver's true
 * time. */
static void one_softirq(uint64_t true_ns[2])
{
	unsigned int packets = 1 + random_below(&state, 8);

	m.random = (unsigned int)random_next(&state);
	softirq_begin(&m.c, NETCOST_EV_RX_SOFTIRQ);
	pass(300);
	for (unsigned int i = 0; i < packets; i++) {
		unsigned int process = 1 + !random_below(&state, 8);
		uint64_t ns = some_ns();

		packet(0x10 * (i + 1), ns);
		reaches(process);
		true_ns[process - 1] += ns;
	}
	owners_poll_ends(&m.c, 0, 0);
	pass(200);
	softirq_end(&m.c, NETCOST_EV_RX_SOFTIRQ);
}

static void write_tick(struct maker *k, uint64_t at_ns, uint64_t leaf_ns)
{
	maker_tick(k, at_ns, U(0));
	trace_writer_begin(k->w, TRACE_EXACT);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, NETCOST_EV_RX_SOFTIRQ);
	trace_writer_uints(k->w, TRACE_EXACT_NS, &leaf_ns, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes the rows as the recorder would. */
static void write_received(struct maker *k)
{
	const struct netcost_owned *a = row(1, 7), *b = row(2, 7);
	const uint64_t *fates = (const uint64_t *)m.c.owners.ns;

	trace_writer_begin(k->w, TRACE_PROCESSES);
	trace_writer_uint(k->w, TRACE_PROCESSES_FIRST, 1);
	trace_writer_uints(k->w, TRACE_PROCESSES_PID, U(1, 2));
	trace_writer_strs(k->w, TRACE_PROCESSES_NAME, S("a", "b"));
	trace_writer_uints(k->w, TRACE_PROCESSES_START_NS, U(1, 1));
	trace_writer_uints(k->w, TRACE_PROCESSES_CGROUP, U(0, 0));
	trace_writer_uints(k->w, TRACE_PROCESSES_KERNEL, U(0, 0));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_OWNER_STATS);
	trace_writer_uints(k->w, TRACE_OWNER_STATS_PROCESS, U(1, 2));
	trace_writer_uints(k->w, TRACE_OWNER_STATS_NS, U(a->ns, b->ns));
	trace_writer_uints(k->w, TRACE_OWNER_STATS_PACKETS, U(a->packets, b->packets));
	trace_writer_uints(k->w, TRACE_OWNER_STATS_SQUARES, U(a->squares, b->squares));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	trace_writer_begin(k->w, TRACE_RX_FATES);
	trace_writer_uints(k->w, TRACE_RX_FATES_FATE,
			   U(NETCOST_FATE_DIRECT, NETCOST_FATE_POOL, NETCOST_FATE_SKIPPED));
	trace_writer_uints(k->w, TRACE_RX_FATES_CPU, U(0, 0, 0));
	trace_writer_ints(k->w, TRACE_RX_FATES_NS,
			  I((int64_t)(a->ns + b->ns), (int64_t)fates[NETCOST_FATE_POOL],
			    (int64_t)fates[NETCOST_FATE_SKIPPED]));
	trace_writer_uints(k->w, TRACE_RX_FATES_PACKETS, U(a->packets + b->packets, 0, 0));
	trace_writer_uints(k->w, TRACE_RX_FATES_SQUARES, U(a->squares + b->squares, 0, 0));
	trace_writer_uint(k->w, TRACE_RX_FATES_EVERY, EVERY);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static struct owners_paid paid_of(const struct owners *o, const struct processes *p, uint64_t pid)
{
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].pid == pid)
			return owners_paid(o, &p->row[i].v);
	return (struct owners_paid){ .received_ns = NAN };
}

/* Makes a recording. For each receiver, `wrong` is the error divided by half the width of the interval, and `width`
 * is half the width of the interval divided by the true time. */
static void record(double wrong[2], double width[2])
{
	struct maker k = maker_new();
	struct model *model = model_new(MODEL_PROCESSES | MODEL_CGROUPS, NULL);
	uint64_t true_ns[2] = { 0 };
	struct processes p;
	struct owners o;

	begin(EVERY);
	for (unsigned int i = 0; i < SOFTIRQS; i++)
		one_softirq(true_ns);
	CU_ASSERT_EQUAL(accounted(), m.c.softirq_ns);
	write_tick(&k, 1000000, 0);
	write_tick(&k, 2000000, m.c.softirq_ns);
	write_received(&k);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, model), 0);
	CU_ASSERT_EQUAL_FATAL(
		processes_make(&p, model, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 10), 0);
	owners_make(&o, model);
	for (unsigned int i = 0; i < 2; i++) {
		struct owners_paid paid = paid_of(&o, &p, i + 1);

		width[i] = paid.ci95_ns / (double)true_ns[i];
		wrong[i] = (paid.received_ns - (double)true_ns[i]) / paid.ci95_ns;
	}
	processes_free(&p);
	model_free(model);
}

/*
 * Tests 200 intervals. If each contains the truth with a probability of 95 %, at least 180 of them do so, except in 0.2
 * % of cases. The random numbers are the same each time. For a receiver with most of the time, all intervals contain
 * the truth, because the total is known and the interval does not use it.
 */
static void test_covers(void)
{
	double wrong[2], width[2], widest[2] = { 0 }, bias[2] = { 0 };
	unsigned int inside[2] = { 0 };

	for (unsigned int i = 1; i <= RECORDINGS; i++) {
		state = i * UINT64_C(0x9e3779b97f4a7c15);
		record(wrong, width);
		for (unsigned int k = 0; k < 2; k++) {
			inside[k] += fabs(wrong[k]) <= 1;
			bias[k] += wrong[k] / RECORDINGS;
			widest[k] = fmax(widest[k], width[k]);
		}
	}
	for (unsigned int k = 0; k < 2; k++) {
		printf("# %u of %u inside; on average off by %.3f of the interval's half, which was %.1f %% at most\n",
		       inside[k], RECORDINGS, bias[k], 100 * widest[k]);
		CU_ASSERT(inside[k] >= 180);
		CU_ASSERT(fabs(bias[k]) < 0.15); /* the estimate is unbiased */
		CU_ASSERT(widest[k] < 1);	 /* and the interval carries information */
	}
}

static const struct unit_test tests[] = { { "covers", test_covers } };

int main(void)
{
	return unit_main("record_owners_some", tests, sizeof(tests) / sizeof(tests[0]));
}
