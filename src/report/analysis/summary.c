// SPDX-License-Identifier: BSD-2-Clause
/* From a model to the numbers of the summary. */
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "own.h"
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

/* ---- the split --------------------------------------------------------------------------- */

/* The time that a recording without exact counters covers. */
static double ticks_or_frames_ns(const struct model *m)
{
	if (m->at_ns.readings >= 2)
		return (double)m->at_ns.sum;
	return m->last_ns ? (double)(m->last_ns - m->first_ns) : NAN;
}

bool summary_has_probe(const struct model *m, unsigned int event)
{
	for (size_t i = 0; i < m->nprobes; i++) {
		const char *rung = model_string(m, m->probe[i].rung);

		if (m->probe[i].event == event)
			return strcmp(rung, "samples") && strcmp(rung, "off");
	}
	return true;
}

bool summary_names_hidden(const struct model *m)
{
	for (size_t i = 0; i < m->nsources; i++)
		if (!strcmp(model_string(m, m->source[i].name), "symbols"))
			return strcmp(model_string(m, m->source[i].state), "measured");
	return false;
}

enum split_of summary_samples_of(const struct model *m)
{
	if (!strcmp(model_string(m, m->header.sampled), "network"))
		return SPLIT_OF_NETWORK;
	return strcmp(model_string(m, m->header.sample_event), "cycles") ? SPLIT_OF_TIME :
									   SPLIT_OF_CYCLES;
}

/*
 * What counts as RX softirq (DESIGN): in one, in NAPI's threads, in tasks that poll, where that is
 * known apart from what they interrupt.
 */
static double rx_ns(const double exact_ns[NETCOST_EV_COUNT])
{
	double ns = exact_ns[NETCOST_EV_RX_SOFTIRQ];

	if (!isnan(exact_ns[NETCOST_EV_RX_THREAD]))
		ns += exact_ns[NETCOST_EV_RX_THREAD];
	if (!isnan(exact_ns[NETCOST_EV_RX_BUSY_POLL]))
		ns += exact_ns[NETCOST_EV_RX_BUSY_POLL];
	return ns;
}

/* Those in pauses are no more among the others. What lost samples would have told of is not known: they are spread. */
static void part_pauses(struct split_input *in, const struct model *m,
			const struct split_rest *rest, double lost)
{
	double hz = (double)m->header.sample_hz, lost_there;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		in->samples[l] -= in->paused[l];
	in->samples_rest = rest->samples - rest->paused;
	in->paused_rest = rest->paused - rest->paused_idle;
	if (!isnan(in->exact_ns[NETCOST_EV_IDLE]))
		in->samples_rest -= rest->idle - rest->paused_idle;
	in->of = summary_samples_of(m);
	if (!m->header.sample_hz || in->of != SPLIT_OF_TIME)
		return;
	lost_there = lost * in->paused_ns / (in->paused_ns + in->wall_ns);
	in->paused_expected = fmax(hz * in->paused_ns * 1e-9 - lost_there, 0);
	in->samples_expected = hz * in->wall_ns * 1e-9 - (lost - lost_there);
}

void summary_complete_input(struct split_input *in, const struct model *m,
			    const struct split_rest *rest, double lost)
{
	in->exact_ns[NETCOST_EV_RX_SOFTIRQ] = rx_ns(in->exact_ns);
	in->only_samples = filter_has_tasks(m->filter);
	in->samples_expected = in->paused_expected = NAN;
	if (summary_names_hidden(m))
		memset(in->samples, 0, sizeof(in->samples));
	else
		part_pauses(in, m, rest, lost);
}

/* While a CPU was offline it had no time to split. Older traces do not say when it was. */
static double online_ns(const struct model_cpu *c)
{
	double offline_ns = counter_moved(&c->offline_ns);

	return counter_moved(&c->exact_at_ns) - (isnan(offline_ns) ? 0 : offline_ns);
}

static void make_input(struct split_input *in, const struct model *m, const struct model_cpu *c)
{
	struct split_rest rest = { .idle = c->rest[LEAF_IDLE],
				   .paused_idle = c->paused_rest[LEAF_IDLE] };

	*in = (struct split_input){ .cpu = c->cpu, .wall_ns = online_ns(c) };
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		in->exact_ns[e] = summary_has_probe(m, e) ? counter_moved(&c->ns[e]) : NAN;
	if (m->npauses && m->at_ns.readings)
		in->paused_ns = model_paused_ns(m, m->at_ns.first, m->at_ns.last);
	if (isnan(in->wall_ns))
		in->wall_ns = m->npauses ? 0 : ticks_or_frames_ns(m);
	model_leaves(m, c, in->samples);
	memcpy(in->paused, c->paused, sizeof(in->paused));
	model_tracing(m, c, in->tracing);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		rest.samples += c->rest[l];
		rest.paused += c->paused_rest[l];
	}
	summary_complete_input(in, m, &rest, (double)model_lost(c));
	own_make(&in->own, m, c);
}

/* A CPU that was offline throughout has no time to split. */
static bool took_part(const struct model *m, const struct model_cpu *c)
{
	return c->samples || c->exact_at_ns.readings ||
	       (m->ticks ? c->tick && !m->records[TRACE_EXACT] : true);
}

/* Of all CPUs that took part. NULL: no memory. */
static struct split_input *make_inputs(const struct model *m, size_t *n)
{
	struct split_input *in = calloc(m->cpu_end + 1u, sizeof(*in));
	const struct model_cpu *c;

	*n = 0;
	model_for_each_cpu(m, c)
	{
		if (in && took_part(m, c))
			make_input(&in[(*n)++], m, c);
	}
	return in;
}

_Static_assert(MODEL_WINDOWS <= STATS_PIECES_MAX, "windows are pieces");

static void find_windows(struct split_windows *to, const struct model *m)
{
	to->n = m->windows.n;
	for (size_t i = 0; i < to->n; i++) {
		const struct model_window_sums *w = &m->windows.sum[i];

		to->wall_ns[i] = w->wall_ns;
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			to->ns[l][i] = leaf_desc[l].event < 0 ? NAN : w->ns[leaf_desc[l].event];
		to->ns[LEAF_RX_SOFTIRQ][i] = rx_ns(w->ns);
	}
}

/* A leaf without an event is nowhere exact. */
static void calibrate(struct split_calibration *to, const struct model *m,
		      const struct split_input *in, size_t n)
{
	struct split_windows w;

	find_windows(&w, m);
	split_calibrate(to, in, n, &w);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaf_desc[l].event < 0 || filter_has_tasks(m->filter) ||
		    !summary_has_probe(m, (unsigned int)leaf_desc[l].event))
			to->ratio[l] = NAN;
}

int summary_calibrate(struct split_calibration *to, const struct model *m)
{
	struct split_input *in;
	size_t n;

	if (!(in = make_inputs(m, &n)))
		return -ENOMEM;
	calibrate(to, m, in, n);
	free(in);
	return 0;
}

static int make_split(struct summary *s)
{
	const struct model *m = s->m;
	struct split_calibration calibration;
	struct split_input *in;
	const struct model_cpu *c;
	size_t n;
	int err;

	if (!(in = make_inputs(m, &n)))
		return -ENOMEM;
	model_for_each_cpu(m, c)
	{
		uint64_t leaf[LEAF_COUNT];

		model_leaves(m, c, leaf);
		s->recording.samples_idle += (double)leaf[LEAF_IDLE];
	}
	calibrate(&calibration, m, in, n);
	for (size_t i = 0; i < n; i++)
		in[i].calibration = &calibration;
	err = split_compute(&s->split, in, n);
	for (size_t i = 0; i < n; i++)
		in[i].own.there = false;
	if (!err)
		err = split_compute(&s->measured, in, n);
	if (err)
		split_free(&s->split);
	free(in);
	return err;
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

static struct summary_operation_costs operation_costs(const struct split_value *time,
						      const struct summary_event *event)
{
	double ci95_ns = isnan(time->ns) ? NAN : time->ci95_ns;

	return (struct summary_operation_costs){
		.ns_per_call = known_ratio(time->ns, event->calls),
		.ns_per_kb = known_ratio(time->ns, event->bytes / 1e3),
		.ci95_ns_per_call = known_ratio(ci95_ns, event->calls),
		.ci95_ns_per_kb = known_ratio(ci95_ns, event->bytes / 1e3),
	};
}

static void make_costs(struct summary *s)
{
	const struct split_cpu *all = &s->split.all, *counted = &s->split.counted;
	const struct split_value network = split_sum(all, LEAF_NETWORK);
	double rx_ci95_ns =
		isnan(all->leaf[LEAF_RX_SOFTIRQ].ns) ? NAN : all->leaf[LEAF_RX_SOFTIRQ].ci95_ns;

	s->networking_cost = split_networking_cost(all, &s->networking_cost_ci95);
	if (filter_has_tasks(s->m->filter)) /* not a figure of tasks */
		s->networking_cost = s->networking_cost_ci95 = NAN;
	s->unit = (struct summary_unit_costs){
		.rx_ns_per_packet =
			known_ratio(all->leaf[LEAF_RX_SOFTIRQ].ns, s->softnet_processed),
		.send = operation_costs(&counted->leaf[LEAF_SOCK_SEND],
					&s->event[NETCOST_EV_SOCK_SEND]),
		.recv = operation_costs(&counted->leaf[LEAF_SOCK_RECV],
					&s->event[NETCOST_EV_SOCK_RECV]),
		.network_ns_per_packet = known_ratio(network.ns, s->packets),
		.network_ms_per_gb = known_ratio(network.ns / 1e6, s->bytes / 1e9),
		.rx_ci95_ns_per_packet = known_ratio(rx_ci95_ns, s->softnet_processed),
		.network_ci95_ns_per_packet = known_ratio(network.ci95_ns, s->packets),
		.network_ci95_ms_per_gb = known_ratio(network.ci95_ns / 1e6, s->bytes / 1e9),
	};
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

	return (moved(m, CPU_COUNTER(offline_ns)) - (isnan(off_ns) ? 0 : off_ns)) / 1e6;
}

static void make_recording(struct summary *s)
{
	const struct model *m = s->m;
	const struct split_value *idle = &s->split.all.leaf[LEAF_IDLE];
	struct summary_recording *r = &s->recording;
	double start_us = (double)m->self_user_us.first + (double)m->self_system_us.first;

	r->samples_expected = samples_expected(s);
	r->samples_idle_expected = NAN;
	if (idle->how == SPLIT_EXACT && !summary_names_hidden(m) &&
	    summary_samples_of(m) == SPLIT_OF_TIME)
		r->samples_idle_expected = r->samples_expected * idle->ns / s->split.all.wall_ns;
	r->samples_lost = m->header.sample_hz ? (double)model_samples_lost(m) : NAN;
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
	err = make_split(s);
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
	make_costs(s);
	energy_make(&s->energy, m, &s->split,
		    &(struct energy_work){ s->ticks_s, s->packets, s->bytes });
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
