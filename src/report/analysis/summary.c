// SPDX-License-Identifier: BSD-2-Clause
/* From a model to the numbers of the summary. */
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "summary_impl.h"
#include "work.h"
#include "report/model/filter.h"

/* ---- totals ------------------------------------------------------------------------------ */

#define CPU_COUNTER(field) offsetof(struct model_cpu, field)

/*
 * The sum of a counter over the CPUs that have it: of its movement, or of its last value. If it became
 * unknown on some CPU the sum is not known.
 */
static double total(const struct model *m, size_t offset, double (*value)(const struct counter *))
{
	const struct model_cpu *c;
	double sum = NAN;

	model_for_each_cpu(m, c)
	{
		const void *at = (const char *)c + offset;
		const struct counter *counter = at;

		if (counter->unknown)
			return NAN;
		known_add(&sum, value(counter));
	}
	return sum;
}

static double moved(const struct model *m, size_t offset)
{
	return total(m, offset, counter_moved);
}

static double last(const struct model *m, size_t offset)
{
	return total(m, offset, counter_last);
}

/* ---- time -------------------------------------------------------------------------------- */

static uint64_t start_ns(const struct model *m)
{
	return m->header.start_ns ? m->header.start_ns : m->first_ns;
}

double summary_duration_s(const struct model *m)
{
	uint64_t start = start_ns(m);
	uint64_t end = m->status.ended && m->end.at_ns ? m->end.at_ns : m->last_ns;

	return start && end > start ? (double)(end - start) * 1e-9 : NAN;
}

static void make_times(struct summary *s)
{
	const struct model *m = s->m;
	uint64_t start = start_ns(m);
	const struct model_clock *c = &m->clock_first;

	s->duration_s = summary_duration_s(m);
	s->ticks_s = counter_moved(&m->at_ns) * 1e-9;
	if (m->records[TRACE_CLOCK] && start && c->real_ns != TRACE_NIL && c->mono_ns != TRACE_NIL)
		s->start_real_ns = c->real_ns + (start - c->mono_ns);
}

/* ---- traffic ----------------------------------------------------------------------------- */

double summary_netdev(const struct model_netdev *d, enum model_netdev_key key)
{
	return counter_moved(&d->counter[key]);
}

double summary_netdev_rate(const struct model_netdev *d, enum model_netdev_key key)
{
	return known_ratio(summary_netdev(d, key), counter_moved(&d->at_ns) * 1e-9);
}

bool summary_netdev_has_traffic(const struct model_netdev *d)
{
	for (unsigned int k = 0; k < NETDEV_KEYS; k++)
		if (d->counter[k].sum)
			return true;
	return false;
}

static void make_traffic(struct summary *s)
{
	s->packets = s->bytes = NAN;
	for (size_t i = 0; i < s->m->nnetdevs; i++) {
		const struct model_netdev *d = &s->m->netdev[i];

		known_add(&s->packets, summary_netdev(d, NETDEV_RX_PACKETS) +
					       summary_netdev(d, NETDEV_TX_PACKETS));
		known_add(&s->bytes,
			  summary_netdev(d, NETDEV_RX_BYTES) + summary_netdev(d, NETDEV_TX_BYTES));
	}
	if (model_is_of_some_cpus(s->m)) /* interfaces count for all CPUs */
		s->packets = s->bytes = NAN;
	s->softnet_processed = moved(s->m, CPU_COUNTER(processed));
	s->softnet_dropped = moved(s->m, CPU_COUNTER(dropped));
	s->softnet_squeezed = moved(s->m, CPU_COUNTER(squeezed));
	for (unsigned int i = 0; i < SOFTIRQ_COUNT; i++)
		s->softirqs[i] = moved(s->m, CPU_COUNTER(softirqs[i]));
}

static void make_events(struct summary *s)
{
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		s->event[e].calls = moved(s->m, CPU_COUNTER(calls[e]));
		s->event[e].failed = moved(s->m, CPU_COUNTER(failed[e]));
		s->event[e].bytes = moved(s->m, CPU_COUNTER(bytes[e]));
	}
}

static double event_ns(const struct model *m, enum netcost_event e)
{
	return summary_has_probe(m, e) ? moved(m, CPU_COUNTER(ns[e])) : NAN;
}

static void make_rx(struct summary *s)
{
	const struct split_value *counted = &s->measured.counted.leaf[LEAF_RX_SOFTIRQ];
	struct summary_rx *rx = &s->rx;

	rx->ns = counted->how == SPLIT_EXACT ? counted->ns : NAN;
	rx->softirq_ns = event_ns(s->m, NETCOST_EV_RX_SOFTIRQ);
	rx->thread_ns = event_ns(s->m, NETCOST_EV_RX_THREAD);
	rx->busy_ns = event_ns(s->m, NETCOST_EV_RX_BUSY_POLL);
	rx->self_ns = NAN;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		struct summary_rx_part *part = &rx->part[p];

		part->ns = moved(s->m, CPU_COUNTER(part_ns[p]));
		part->total_ns = moved(s->m, CPU_COUNTER(part_total_ns[p]));
		part->calls = moved(s->m, CPU_COUNTER(part_calls[p]));
		if (!isnan(part->ns))
			rx->self_ns = (isnan(rx->self_ns) ? rx->ns : rx->self_ns) - part->ns;
	}
	rx->missed = last(s->m, CPU_COUNTER(parts_missed));
	rx->polls_outside = moved(s->m, CPU_COUNTER(polls_outside));
}

/* What was done, and which part of it may lie between the readings of times and its own. */
struct done {
	double n, apart;
};

/* Times are those from the first tick to the last; other counters are read shortly after a tick. */
static double apart_of(const struct model *m, uint64_t first_ns, uint64_t last_ns)
{
	const struct counter *tick = &m->at_ns;

	return known_ratio(fabs((double)first_ns - (double)tick->first) +
				   fabs((double)last_ns - (double)tick->last),
			   (double)tick->sum);
}

static struct done processed(const struct summary *s)
{
	const struct counter *at = &s->m->softnet_at_ns;

	return (struct done){
		work_softnet(s->m) == WORK_SOFTNET_COUNTS ? s->softnet_processed : NAN,
		apart_of(s->m, at->first, at->last),
	};
}

/* Interfaces are read one after the other. One that appeared or vanished did nothing before or after. */
static struct done by_interfaces(const struct summary *s, double n)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < s->m->nnetdevs; i++) {
		const struct counter *at = &s->m->netdev[i].at_ns;

		if (at->readings && at->first < first)
			first = at->first;
		if (at->readings && at->last > last)
			last = at->last;
	}
	return (struct done){ n, apart_of(s->m, first, last) };
}

/* Calls are read together with times. */
static struct done counted(double n)
{
	return (struct done){ n, 0 };
}

/* v: in ns or uJ, with the half-width of its interval. */
static struct summary_unit_cost cost_of(double v, double ci95, enum split_how how, struct done done)
{
	struct summary_unit_cost u = { .value = known_ratio(v, done.n), .how = how };

	u.ci95 = hypot(known_ratio(ci95, done.n), u.value * known_or_0(done.apart));
	u.too_uncertain = u.ci95 > fabs(u.value) || u.value < 0;
	if (u.too_uncertain || isnan(u.value))
		u.value = u.ci95 = NAN;
	return u;
}

static struct summary_unit_cost time_cost(const struct split_value *time, struct done done)
{
	return cost_of(time->ns, time->ci95_ns, time->how, done);
}

static void make_networking_cost(struct summary *s)
{
	s->networking_cost = split_networking_cost(&s->split.all, &s->networking_cost_ci95);
	if (filter_has_tasks(s->m->filter)) /* not a figure of tasks */
		s->networking_cost = s->networking_cost_ci95 = NAN;
}

/* Packets that NAPI polled, in all that is in the leaf RX softirq. */
static double polled(const struct model *m)
{
	double sum = moved(m, CPU_COUNTER(packets[NETCOST_EV_RX_SOFTIRQ]));

	known_add(&sum, moved(m, CPU_COUNTER(packets[NETCOST_EV_RX_THREAD])));
	known_add(&sum, moved(m, CPU_COUNTER(packets[NETCOST_EV_RX_BUSY_POLL])));
	return sum;
}

static void make_unit_costs(struct summary *s)
{
	const struct split_value *all = s->split.all.leaf, *at_calls = s->split.counted.leaf;
	const struct done packets = by_interfaces(s, s->packets);
	const struct done kb = by_interfaces(s, s->bytes / 1e3);
	const struct split_value network = split_sum(&s->split.all, LEAF_NETWORK);
	const struct summary_event *send = &s->event[NETCOST_EV_SOCK_SEND];
	const struct summary_event *recv = &s->event[NETCOST_EV_SOCK_RECV];
	double uj = 1e6 * s->energy.share_w * s->ticks_s;
	double ci95_uj = 1e6 * s->energy.share_ci95_w * s->ticks_s;
	struct summary_unit_cost *u = s->unit;

	u[UNIT_RX_PACKET] = time_cost(&all[LEAF_RX_SOFTIRQ], processed(s));
	u[UNIT_RX_POLLED] = time_cost(&at_calls[LEAF_RX_SOFTIRQ], counted(polled(s->m)));
	u[UNIT_SEND_CALL] = time_cost(&at_calls[LEAF_SOCK_SEND], counted(send->calls));
	u[UNIT_SEND_KB] = time_cost(&at_calls[LEAF_SOCK_SEND], counted(send->bytes / 1e3));
	u[UNIT_RECV_CALL] = time_cost(&at_calls[LEAF_SOCK_RECV], counted(recv->calls));
	u[UNIT_RECV_KB] = time_cost(&at_calls[LEAF_SOCK_RECV], counted(recv->bytes / 1e3));
	u[UNIT_NETWORK_PACKET] = time_cost(&network, packets);
	u[UNIT_NETWORK_GB] = time_cost(&network, kb); /* ms a GB are ns a kB */
	u[UNIT_ENERGY_PACKET] = cost_of(uj, ci95_uj, SPLIT_AT_LEAST, packets);
	u[UNIT_ENERGY_GB] = cost_of(uj, ci95_uj, SPLIT_AT_LEAST, kb);
}

/* NaN: not known, of cycles and of tasks. */
static double samples_expected(const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;
	enum split_of of = summary_samples_of(s->m);
	double hz = (double)s->m->header.sample_hz;

	if (!s->m->header.sample_hz || filter_has_tasks(s->m->filter) || of == SPLIT_OF_CYCLES)
		return NAN;
	return hz * 1e-9 *
	       (of == SPLIT_OF_NETWORK ? all->basis * all->sampled_wall_ns : all->wall_ns);
}

/* ---- the recording ----------------------------------------------------------------------- */

/* A CPU that was not counted was not offline. */
static double offline_ms(const struct model *m)
{
	double off_ns = moved(m, CPU_COUNTER(off_ns));

	return (moved(m, CPU_COUNTER(offline_ns)) - known_or_0(off_ns)) / 1e6;
}

static void make_recording(struct summary *s)
{
	const struct model *m = s->m;
	const struct split_value *idle = &s->split.all.leaf[LEAF_IDLE];
	struct summary_recording *r = &s->recording;
	double start_us = (double)m->self_user_us.first + (double)m->self_system_us.first;

	r->samples_expected = samples_expected(s);
	r->samples_idle_expected = NAN;
	if ((idle->how == SPLIT_EXACT || idle->how == SPLIT_MIXED) && !summary_unclassified(m) &&
	    summary_samples_of(m) == SPLIT_OF_TIME)
		r->samples_idle_expected = r->samples_expected * idle->ns / s->split.all.wall_ns;
	r->samples_lost = m->header.sample_hz ? (double)model_samples_lost(m) : NAN;
	r->samples_cut = known_ratio(last(m, CPU_COUNTER(cut)), last(m, CPU_COUNTER(written)));
	r->throttled = last(m, CPU_COUNTER(throttled));
	r->unsampled_ms = last(m, CPU_COUNTER(unsampled_ns)) / 1e6;
	r->offline_ms = offline_ms(m);
	r->paused_s = m->npauses ? model_paused_ns(m, m->at_ns.first, m->at_ns.last) / 1e9 : 0;
	r->untracked = last(m, CPU_COUNTER(untracked));
	r->torn = counter_last(&m->torn);
	r->sends_inside = last(m, CPU_COUNTER(sends_inside));
	r->sends_outside = last(m, CPU_COUNTER(sends_outside));
	r->recvs_inside = last(m, CPU_COUNTER(recvs_inside));
	r->recvs_outside = last(m, CPU_COUNTER(recvs_outside));
	r->self_ms = (counter_moved(&m->self_user_us) + counter_moved(&m->self_system_us)) / 1e3;
	r->self_percent = 100 * known_ratio(r->self_ms, counter_moved(&m->self_at_ns) / 1e6);
	r->self_start_ms = m->self_user_us.readings ? start_us / 1e3 : NAN;
}

/* /proc/stat's view. It counts guests in user and nice, too; what it calls idle and iowait is idle. */
static void make_procstat(struct summary *s)
{
	double v[STAT_COUNT], all = 0;

	for (unsigned int i = 0; i < STAT_COUNT; i++) {
		v[i] = moved(s->m, CPU_COUNTER(stat[i]));
		if (i < STAT_GUEST)
			all += v[i];
	}
	s->procstat = (struct summary_shares){
		.user = known_ratio(v[STAT_USER] + v[STAT_NICE], all),
		.system = known_ratio(v[STAT_SYSTEM], all),
		.softirq = known_ratio(v[STAT_SOFTIRQ], all),
		.irq = known_ratio(v[STAT_IRQ], all),
		.idle = known_ratio(v[STAT_IDLE] + v[STAT_IOWAIT], all),
		.steal = known_ratio(v[STAT_STEAL], all),
	};
}

/* Ours in the same terms. Other hard interrupts, other softirqs and steal are part of whatever they interrupted. */
static void make_ours(struct summary *s)
{
	const struct split_cpu *all = &s->measured.all;
	unsigned int softirq = LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ);
	unsigned int irq = LEAF_BIT(HARDIRQ_NET);

	s->ours = (struct summary_shares){
		.user = known_ratio(all->leaf[LEAF_USER].ns, all->wall_ns),
		.system = known_ratio(split_sum(all, LEAF_KERNEL & ~(softirq | irq)).ns,
				      all->wall_ns),
		.softirq = known_ratio(split_sum(all, softirq).ns, all->wall_ns),
		.irq = known_ratio(split_sum(all, irq).ns, all->wall_ns),
		.idle = known_ratio(all->leaf[LEAF_IDLE].ns, all->wall_ns),
		.steal = NAN,
	};
	if (isnan(all->leaf[LEAF_OTHER_KERNEL].ns)) /* then system would be a part of it only */
		s->ours.system = NAN;
}

int summary_make(struct summary *s, const struct model *m, const struct part *part)
{
	int err;

	*s = (struct summary){ .m = m, .part = part };
	err = summary_make_split(s);
	if (!err)
		err = inside_make(&s->inside, m, &s->split);
	if (err) {
		summary_free(s);
		return err;
	}
	make_times(s);
	make_events(s);
	make_rx(s);
	make_traffic(s);
	make_networking_cost(s);
	energy_make(&s->energy, m, &s->split,
		    &(struct energy_work){ s->ticks_s, s->packets, s->bytes });
	make_unit_costs(s);
	make_recording(s);
	make_procstat(s);
	make_ours(s);
	return 0;
}

void summary_free(struct summary *s)
{
	split_free(&s->split);
	split_free(&s->measured);
}
