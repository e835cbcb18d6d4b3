// SPDX-License-Identifier: BSD-2-Clause
/* Tests energy that is distributed over processes: the shares sum to the total. */
#include <math.h>

#include "processes_util.h"
#include "report/analysis/processes_shares.h"
#include "report/model/filter.h"
#include "report/model/model_impl.h"

/* Adds a range to the sum, unless the range is unknown. */
static void add(struct energy_range *sum, struct energy_range r)
{
	if (isnan(r.high))
		return;
	sum->low += r.low;
	sum->high += r.high;
}

static void check_energy(const struct whole *w, double idle_j)
{
	struct energy_range sum = { 0, 0 };
	struct processes_energy e;
	struct processes p;

	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w->m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 9),
			      0);
	processes_energy_make(&e, &p);
	CU_ASSERT(is(e.total_j, 300 + 20e-3 * (750 + 15 * 55)));
	CU_ASSERT(e.idle_j.low <= idle_j + 1e-3 && e.idle_j.high >= idle_j - 1e-3);
	CU_ASSERT(fabs(e.part[PROCESSES_ENERGY_IDLE].low - idle_j) < 1);
	for (unsigned int i = 0; i < PROCESSES_ENERGY_PARTS; i++)
		add(&sum, e.part[i]);
	/* the trace does not say which process received packets */
	CU_ASSERT(isnan(e.part[PROCESSES_ENERGY_RECEIVED].high));
	CU_ASSERT(is(sum.low, e.total_j) && is(sum.high, e.total_j));
	sum = (struct energy_range){ 0, 0 };
	for (size_t i = 0; i < p.nrows; i++) {
		struct energy_range r = processes_energy_of(&e, p.row[i].v.on_cpu_ns);

		CU_ASSERT(r.low <= r.high);
		sum.low += r.low;
		sum.high += r.high;
	}
	CU_ASSERT(is(sum.low, e.part[PROCESSES_ENERGY_ROWS].low));
	CU_ASSERT(is(sum.high, e.part[PROCESSES_ENERGY_ROWS].high));
	CU_ASSERT(is(e.part[PROCESSES_ENERGY_MISSING].high, 0));
	processes_free(&p);
}

static void test_energy_sums(void)
{
	struct filter given = { .idle_watts = 25 };
	struct whole w;

	whole_read(&w, 0);
	check_energy(&w, 300); /* 30 W for 10 s, from the line fitted to the seconds */
	w.m->filter = &given;
	check_energy(&w, 250);
	whole_free(&w);
}

#define MS 1000000

static void owner_stats(struct maker *k)
{
	trace_writer_begin(k->w, TRACE_OWNER_STATS);
	trace_writer_uints(k->w, TRACE_OWNER_STATS_PROCESS, U(1, 2));
	trace_writer_uints(k->w, TRACE_OWNER_STATS_NS, U(30 * MS, 10 * MS));
	trace_writer_uints(k->w, TRACE_OWNER_STATS_PACKETS, U(6, 2));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void fates(struct maker *k)
{
	trace_writer_begin(k->w, TRACE_RX_FATES);
	trace_writer_uints(k->w, TRACE_RX_FATES_FATE,
			   U(NETCOST_FATE_DIRECT, NETCOST_FATE_DROPPED, NETCOST_FATE_POOL));
	trace_writer_uints(k->w, TRACE_RX_FATES_CPU, U(0, 0, 0));
	trace_writer_ints(k->w, TRACE_RX_FATES_NS, I(40 * MS, 20 * MS, 10 * MS));
	trace_writer_uints(k->w, TRACE_RX_FATES_PACKETS, U(8, 2, 0));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Adds 70 ms of softirqs. 40 ms and 8 packets belong to two processes, 20 ms and 2 packets were dropped, and 10 ms are
 * distributed.
 */
static void add_owners(struct model *m)
{
	struct maker k = maker_new();
	struct trace_record rec;
	struct trace_reader *r;

	maker_tick(&k, 1000, U(0, 1));
	owner_stats(&k);
	fates(&k);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k.w), 0);
	r = reader_on(k.file);
	while (trace_reader_next(r, &rec) > 0)
		if (rec.type == TRACE_OWNER_STATS || rec.type == TRACE_RX_FATES)
			CU_ASSERT_EQUAL(model_feed(m, &rec), 0);
	trace_reader_free(r);
	trace_writer_free(k.w);
	fclose(k.file);
}

static void test_energy_of_received_packets(void)
{
	struct energy_range sum = { 0, 0 }, received = { 0, 0 };
	struct processes_energy e;
	struct processes p;
	struct whole w;

	whole_read(&w, 0);
	add_owners(w.m);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 9),
			      0);
	processes_energy_make(&e, &p);
	for (unsigned int i = 0; i < PROCESSES_ENERGY_PARTS; i++)
		add(&sum, e.part[i]);
	CU_ASSERT(is(sum.low, e.total_j) && is(sum.high, e.total_j));
	CU_ASSERT(is(e.part[PROCESSES_ENERGY_RECEIVED].high, 48e6 * e.joules_a_ns.high));
	CU_ASSERT(is(e.part[PROCESSES_ENERGY_UNOWNED].low, 22e6 * e.joules_a_ns.low));
	CU_ASSERT(is(e.part[PROCESSES_ENERGY_INTERRUPTS].high, 0));
	for (size_t i = 0; i < p.nrows; i++)
		add(&received, processes_energy_received(&e, &p.row[i].v));
	CU_ASSERT(is(received.low, e.part[PROCESSES_ENERGY_RECEIVED].low));
	CU_ASSERT(is(received.high, e.part[PROCESSES_ENERGY_RECEIVED].high));
	CU_ASSERT(is(processes_energy_received(&e, &p.row[0].v).high, 36e6 * e.joules_a_ns.high));
	processes_free(&p);
	whole_free(&w);
}

/* Checks a distribution of energy by another column in place of a hardware counter. */
static void test_energy_by_another_column(void)
{
	const struct processes_energy_second missing = { "switches", MODEL_PROCESS_VALUE(SWITCHES),
							 MODEL_PROCESS_VALUE(CYCLES_NS) };
	const struct processes_energy_second sends = { "sends", MODEL_PROCESS_VALUE(SOCK_SEND_NS),
						       MODEL_PROCESS_VALUE(CYCLES_NS) };
	struct energy_range sum = { 0, 0 };
	struct processes_energy e;
	struct processes p;
	struct whole w;

	whole_read(&w, 0);
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 2),
			      0);
	processes_energy_make(&e, &p);
	CU_ASSERT_PTR_NULL(e.second.name);
	CU_ASSERT(isnan(processes_energy_second(&e, &p.all).high));
	processes_energy_weigh(&e, &p, &missing);
	CU_ASSERT_PTR_NULL(e.second.name);
	processes_energy_weigh(&e, &p, &sends);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e.second.name);
	for (size_t i = 0; i < p.nrows; i++) {
		struct energy_range r = processes_energy_second(&e, &p.row[i].v);

		sum.low += r.low;
		sum.high += r.high;
	}
	CU_ASSERT(is(sum.low,
		     e.part[PROCESSES_ENERGY_ROWS].low + e.part[PROCESSES_ENERGY_INTERRUPTS].low));
	CU_ASSERT(is(sum.high, processes_energy_second(&e, &p.all).high));
	/* only "web" sends */
	CU_ASSERT(is(sum.high, processes_energy_second(&e, &p.row[0].v).high));
	processes_free(&p);
	whole_free(&w);
}

/* Checks two rows with equal counts. One was counted for only half of its time, so it gets twice as much energy. */
static void test_counters_that_take_turns(void)
{
	static struct processes p;
	static struct processes_row row[2];
	const struct processes_energy_second cycles = { "cycles", MODEL_PROCESS_VALUE(CYCLES),
							MODEL_PROCESS_VALUE(CYCLES_NS) };
	struct processes_energy e = { .part[PROCESSES_ENERGY_ROWS] = { 3, 6 } };
	struct model *m = model_new(0, NULL);

	m->process_has[MODEL_PROCESS_VALUE(CYCLES)] = true;
	for (size_t i = 0; i < 2; i++) {
		row[i].v.value[MODEL_PROCESS_VALUE(CYCLES)] = 1000;
		row[i].v.value[MODEL_PROCESS_VALUE(PMU_NS)] = 100;
		row[i].v.value[MODEL_PROCESS_VALUE(CYCLES_NS)] = i ? 50 : 100;
	}
	p = (struct processes){ .m = m, .row = row, .nrows = 2 };
	processes_energy_weigh(&e, &p, &cycles);
	CU_ASSERT(is(processes_energy_second(&e, &row[0].v).low, 1));
	CU_ASSERT(is(processes_energy_second(&e, &row[1].v).high, 4));
	CU_ASSERT(is(processes_energy_second(&e, &p.all).high, 6));
	model_free(m);
}

static void test_energy_without_idle_power(void)
{
	struct filter much = { .idle_watts = 1000 };
	struct processes_energy e;
	struct processes p;
	struct whole w;

	whole_read(&w, 0);
	w.m->filter = &much;
	CU_ASSERT_EQUAL_FATAL(processes_make(&p, w.m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, 9),
			      0);
	processes_energy_make(&e, &p);
	CU_ASSERT(isnan(e.idle_j.low) && e.idle_why && isnan(e.part[PROCESSES_ENERGY_ROWS].low));
	CU_ASSERT(e.part[PROCESSES_ENERGY_ROWS].high > 0);
	processes_free(&p);
	whole_free(&w);
}

static const struct unit_test tests[] = {
	{ "energy_sums", test_energy_sums },
	{ "energy_of_received_packets", test_energy_of_received_packets },
	{ "energy_by_another_column", test_energy_by_another_column },
	{ "counters_that_take_turns", test_counters_that_take_turns },
	{ "energy_without_idle_power", test_energy_without_idle_power },
};

int main(void)
{
	return processes_main("processes_energy", tests, sizeof(tests) / sizeof(tests[0]));
}
