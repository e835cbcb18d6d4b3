// SPDX-License-Identifier: BSD-2-Clause
/* Computes the numbers of the summary. */
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/base/stats.h"
#include "report/model/filter.h"

/* ---- totals ------------------------------------------------------------------------------ */

#define CPU_COUNTER(field) offsetof(struct model_cpu, field)

/*
 * Sums a counter over the CPUs that have it: its increase, or its last value. The sum is NaN if the counter became
 * unknown on some CPU.
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

	s->duration_s = summary_duration_s(m);
	s->ticks_s = counter_moved(&m->at_ns) * 1e-9;
	s->start_real_ns = model_real_ns(m, start);
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

/* Returns true if XDP programs were loaded on the host, according to the recorded settings. */
static bool has_xdp(const struct model *m)
{
	for (size_t i = 0; i < m->nsettings; i++) {
		const struct model_setting *s = &m->setting[i];

		if (!strcmp(model_string(m, s->subject), "bpf") &&
		    !strcasecmp(model_string(m, s->name), "xdp"))
			return true;
	}
	return false;
}

enum summary_softnet summary_softnet(const struct model *m)
{
	const struct model_cpu *c;

	model_for_each_cpu(m, c)
	{
		if (c->packets[NETCOST_EV_RX_SOFTIRQ].readings)
			return SOFTNET_UNUSED;
	}
	return has_xdp(m) ? SOFTNET_MISSES_XDP : SOFTNET_COUNTS;
}

static void make_traffic(struct summary *s)
{
	s->packets = s->bytes = NAN;
	for (size_t i = 0; i < s->m->nnetdevs; i++) {
		const struct model_netdev *d = &s->m->netdev[i];

		if (!interfaces_counts(s->m, d, s->basis))
			continue;
		known_add(&s->packets, summary_netdev(d, NETDEV_RX_PACKETS) +
					       summary_netdev(d, NETDEV_TX_PACKETS));
		known_add(&s->bytes,
			  summary_netdev(d, NETDEV_RX_BYTES) + summary_netdev(d, NETDEV_TX_BYTES));
	}
	if (model_is_of_some_cpus(s->m)) /* counters of interfaces cover all CPUs */
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
	const struct split_value *counted = &s->split.counted.leaf[LEAF_RX_SOFTIRQ];
	double measured_ns = s->measured.counted.leaf[LEAF_RX_SOFTIRQ].ns;
	/* the share of the time that is not the recorder's own part */
	double left = measured_ns > 0 ? counted->ns / measured_ns : 1;
	struct summary_rx *rx = &s->rx;

	rx->ns = counted->how == SPLIT_EXACT ? counted->ns : NAN;
	rx->softirq_ns = left * event_ns(s->m, NETCOST_EV_RX_SOFTIRQ);
	rx->thread_ns = left * event_ns(s->m, NETCOST_EV_RX_THREAD);
	rx->busy_ns = left * event_ns(s->m, NETCOST_EV_RX_BUSY_POLL);
	rx->self_ns = NAN;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		struct summary_rx_part *part = &rx->part[p];

		part->ns = left * moved(s->m, CPU_COUNTER(part_ns[p]));
		part->total_ns = left * moved(s->m, CPU_COUNTER(part_total_ns[p]));
		part->calls = moved(s->m, CPU_COUNTER(part_calls[p]));
		if (!isnan(part->ns))
			rx->self_ns = (isnan(rx->self_ns) ? rx->ns : rx->self_ns) - part->ns;
	}
	rx->missed = last(s->m, CPU_COUNTER(parts_missed));
	rx->polls_outside = moved(s->m, CPU_COUNTER(polls_outside));
}

/* ---- drops ------------------------------------------------------------------------------ */

static int drops_by_reason(const void *a, const void *b)
{
	return strcmp(((const struct drops_row *)a)->reason, ((const struct drops_row *)b)->reason);
}

static int drops_by_packets(const void *a, const void *b)
{
	const struct drops_row *x = a, *y = b;

	if (x->packets != y->packets)
		return x->packets < y->packets ? 1 : -1;
	return drops_by_reason(a, b);
}

/* Merges the rows of each reason. */
static void drops_merge(struct drops *d)
{
	size_t n = 0;

	qsort(d->row, d->n, sizeof(*d->row), drops_by_reason);
	for (size_t i = 0; i < d->n; i++) {
		if (n && !strcmp(d->row[n - 1].reason, d->row[i].reason))
			d->row[n - 1].packets += d->row[i].packets;
		else
			d->row[n++] = d->row[i];
	}
	d->n = n;
}

int drops_make(struct drops *d, const struct model *m)
{
	double seconds = counter_moved(&m->drops_at_ns) * 1e-9;

	*d = (struct drops){ .packets = isnan(seconds) ? NAN : 0, .seconds = seconds };
	d->row = malloc((m->ndrops + 1) * sizeof(*d->row));
	if (!d->row)
		return -ENOMEM;
	for (size_t i = 0; i < m->ndrops; i++) {
		double packets = counter_moved(&m->drop[i].packets);

		if (!filter_takes_cpu(m->filter, m->drop[i].cpu) || !(packets > 0))
			continue;
		d->row[d->n++] = (struct drops_row){ model_string(m, m->drop[i].reason), packets };
		known_add(&d->packets, packets);
	}
	drops_merge(d);
	qsort(d->row, d->n, sizeof(*d->row), drops_by_packets);
	return 0;
}

void drops_free(struct drops *d)
{
	free(d->row);
}

/* ---- unit costs -------------------------------------------------------------------------- */

const struct unit_cost_desc unit_cost[UNIT_COSTS] = {
	[UNIT_RX_PACKET] = { "rx_softirq_ns_per_packet", "rx_softirq_ci95_ns_per_packet",
			     "RX softirq", "ns per softirq packet", "softnet_stat: after GRO",
			     LEAF_BIT(RX_SOFTIRQ), UNIT_BY_PROCESSED, 0, 1 },
	[UNIT_RX_POLLED] = { "rx_softirq_ns_per_polled_packet",
			     "rx_softirq_ci95_ns_per_polled_packet", "RX softirq",
			     "ns per polled packet",
			     "NAPI polls: before GRO, including packets consumed by XDP",
			     LEAF_BIT(RX_SOFTIRQ), UNIT_BY_POLLED, 0, 1 },
	[UNIT_SEND_CALL] = { "socket_send_ns_per_call", "socket_send_ci95_ns_per_call",
			     "socket send", "ns per call", "exact counters", LEAF_BIT(SOCK_SEND),
			     UNIT_BY_CALLS, NETCOST_EV_SOCK_SEND, 1 },
	[UNIT_SEND_KB] = { "socket_send_ns_per_kb", "socket_send_ci95_ns_per_kb", "socket send",
			   "ns per kB", "exact counters", LEAF_BIT(SOCK_SEND), UNIT_BY_BYTES,
			   NETCOST_EV_SOCK_SEND, 1e3 },
	[UNIT_RECV_CALL] = { "socket_receive_ns_per_call", "socket_receive_ci95_ns_per_call",
			     "socket receive", "ns per call", "exact counters", LEAF_BIT(SOCK_RECV),
			     UNIT_BY_CALLS, NETCOST_EV_SOCK_RECV, 1 },
	[UNIT_RECV_KB] = { "socket_receive_ns_per_kb", "socket_receive_ci95_ns_per_kb",
			   "socket receive", "ns per kB", "exact counters", LEAF_BIT(SOCK_RECV),
			   UNIT_BY_BYTES, NETCOST_EV_SOCK_RECV, 1e3 },
	[UNIT_NETWORK_PACKET] = { "network_ns_per_interface_packet",
				  "network_ci95_ns_per_interface_packet", "network",
				  "ns per interface packet", "", LEAF_NETWORK, UNIT_BY_PACKETS, 0,
				  1 },
	[UNIT_NETWORK_GB] = { "network_ms_per_interface_gb", "network_ci95_ms_per_interface_gb",
			      "network", "ms per interface GB", "", LEAF_NETWORK,
			      UNIT_BY_INTERFACE_BYTES, 0, 1e3 }, /* ms per GB are ns per kB */
	[UNIT_ENERGY_PACKET] = { "network_uj_per_interface_packet",
				 "network_ci95_uj_per_interface_packet", "network, energy",
				 "uJ per interface packet", "; of the energy above idle power", 0,
				 UNIT_BY_PACKETS, 0, 1 },
	[UNIT_ENERGY_GB] = { "network_j_per_interface_gb", "network_ci95_j_per_interface_gb",
			     "network, energy", "J per interface GB",
			     "; of the energy above idle power", 0, UNIT_BY_INTERFACE_BYTES, 0,
			     1e3 }, /* J per GB are uJ per kB */
};

char *unit_cost_counter(char *dst, size_t size, enum unit_cost_id i, enum interfaces_basis basis)
{
	bool interfaces = unit_cost[i].by_what >= UNIT_BY_PACKETS;

	snprintf(dst, size, "%s%s%s", interfaces ? "rx + tx, " : "",
		 interfaces ? interfaces_basis_text[basis] : "", unit_cost[i].by);
	return dst;
}

bool unit_cost_is_of_counted(enum unit_cost_id i)
{
	return unit_cost[i].by_what <= UNIT_BY_POLLED;
}

/* Returns the number of packets that NAPI polled, in all events of the leaf RX softirq. */
static double polled(const struct model *m)
{
	double sum = moved(m, CPU_COUNTER(packets[NETCOST_EV_RX_SOFTIRQ]));

	known_add(&sum, moved(m, CPU_COUNTER(packets[NETCOST_EV_RX_THREAD])));
	known_add(&sum, moved(m, CPU_COUNTER(packets[NETCOST_EV_RX_BUSY_POLL])));
	return sum;
}

/* Returns the number of calls, packets or bytes. NaN: unknown. */
static double units_done(const struct summary *s, const struct unit_cost_desc *u)
{
	switch (u->by_what) {
	case UNIT_BY_CALLS:
		return s->event[u->event].calls;
	case UNIT_BY_BYTES:
		return s->event[u->event].bytes;
	case UNIT_BY_POLLED:
		return polled(s->m);
	case UNIT_BY_PROCESSED:
		return summary_softnet(s->m) == SOFTNET_COUNTS ? s->softnet_processed : NAN;
	case UNIT_BY_PACKETS:
		return s->packets;
	default:
		return s->bytes;
	}
}

/*
 * Finds the times of the first and the last reading of all interfaces. An interface that appeared later, or vanished
 * earlier, had no traffic outside of its own readings.
 */
static void interfaces_read(const struct model *m, uint64_t *first, uint64_t *last)
{
	*first = UINT64_MAX;
	*last = 0;
	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct counter *at = &m->netdev[i].at_ns;

		if (at->readings && at->first < *first)
			*first = at->first;
		if (at->readings && at->last > *last)
			*last = at->last;
	}
}

/*
 * Returns the share of the work that may lie between the readings of times and of counters. Times are from the first
 * tick to the last. Calls are read together with times, and other counters shortly afterwards.
 */
static double share_apart(const struct model *m, enum unit_cost_id i)
{
	const struct counter *tick = &m->at_ns;
	uint64_t first = m->softnet_at_ns.first, last = m->softnet_at_ns.last;

	if (unit_cost_is_of_counted(i))
		return 0;
	if (unit_cost[i].by_what != UNIT_BY_PROCESSED)
		interfaces_read(m, &first, &last);
	return known_ratio(fabs((double)first - (double)tick->first) +
				   fabs((double)last - (double)tick->last),
			   (double)tick->sum);
}

/*
 * Returns the time in ns, or a lower bound of the network's energy in uJ: the network's share of the energy above idle
 * power.
 */
static struct split_value spent(const struct summary *s, enum unit_cost_id i)
{
	const struct split_cpu *c = unit_cost_is_of_counted(i) ? &s->split.counted : &s->split.all;

	if (unit_cost[i].leaves)
		return split_sum(c, unit_cost[i].leaves);
	return (struct split_value){ .ns = 1e6 * s->energy.share_w * s->ticks_s,
				     .ci95_ns = 1e6 * s->energy.share_ci95_w * s->ticks_s,
				     .how = SPLIT_AT_LEAST };
}

static void make_unit_cost(struct summary *s, enum unit_cost_id i)
{
	struct split_value v = spent(s, i);
	double done = units_done(s, &unit_cost[i]) / unit_cost[i].parts;
	struct summary_unit_cost u = { .value = known_ratio(v.ns, done),
				       .done = done,
				       .how = v.how,
				       .by_samples = split_by_samples(&v) };

	u.ci95 = hypot(known_ratio(v.ci95_ns, done), u.value * known_or_0(share_apart(s->m, i)));
	u.too_uncertain = u.ci95 > fabs(u.value) || u.value < 0;
	if (u.too_uncertain || isnan(u.value))
		u.value = u.ci95 = NAN;
	s->unit[i] = u;
}

static void make_networking_cost(struct summary *s)
{
	s->networking_cost = split_networking_cost(&s->split.all, &s->networking_cost_ci95);
	if (filter_has_tasks(s->m->filter)) /* the cost is undefined for a selection of tasks */
		s->networking_cost = s->networking_cost_ci95 = NAN;
}

/* ---- the recording ----------------------------------------------------------------------- */

/* Returns the number of expected samples. NaN: unknown, because cycles are sampled or tasks are selected. */
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

static double samples_idle(const struct model *m)
{
	const struct model_cpu *c;
	double sum = 0;

	model_for_each_cpu(m, c)
	{
		uint64_t leaf[LEAF_COUNT];

		model_leaves(m, c, leaf);
		sum += (double)leaf[LEAF_IDLE];
	}
	return sum;
}

/* Returns the offline time, without the time in which the CPU was not recorded. */
static double offline_ms(const struct model *m)
{
	double off_ns = moved(m, CPU_COUNTER(off_ns));

	return (moved(m, CPU_COUNTER(offline_ns)) - known_or_0(off_ns)) / 1e6;
}

/*
 * Returns true if a function can be the outermost function of a program or thread. Such a function is in the C library
 * or its dynamic linker, or is the entry of a program or of one of Go's threads.
 */
static bool is_start(const char *name)
{
	static const char *const begins[] = { "libc:", "libc.", "libc-", "ld-", "libpthread" };
	static const char *const ends[] = { ":_start", ":runtime.goexit", ":runtime.mstart" };
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (len >= strlen(ends[i]) && !strcmp(name + len - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

double summary_user_cut(const struct model *m)
{
	double all = 0, cut = 0;
	bool known = false;

	for (uint32_t i = 1; m->has_user && i <= m->nsymbols && !known; i++)
		known = m->mark[i] & CLASSIFY_USER && is_start(model_string(m, m->symbol[i]));
	for (uint32_t i = 1; known && i <= m->nstacks; i++) {
		uint32_t top = i, inner = 0;

		if (!m->count[i])
			continue;
		for (; m->stack[top].parent; top = m->stack[top].parent)
			inner = top;
		if (!model_is_user(m, top))
			continue;
		all += (double)m->count[i];
		if (!inner || !model_is_user(m, inner) ||
		    !is_start(model_string(m, m->symbol[m->stack[top].symbol])))
			cut += (double)m->count[i];
	}
	return all > 0 ? cut / all : NAN;
}

static void make_recording(struct summary *s)
{
	const struct model *m = s->m;
	const struct split_value *idle = &s->split.all.leaf[LEAF_IDLE];
	struct summary_recording *r = &s->recording;
	double start_us = (double)m->self_user_us.first + (double)m->self_system_us.first;

	r->samples_expected = samples_expected(s);
	r->samples_idle = samples_idle(m);
	r->samples_idle_expected = NAN;
	if ((idle->how == SPLIT_EXACT || split_idle_by_stat(&s->split.all)) &&
	    !summary_unclassified(m) && summary_samples_of(m) == SPLIT_OF_TIME)
		r->samples_idle_expected = r->samples_expected * idle->ns / s->split.all.wall_ns;
	r->samples_lost = m->header.sample_hz ? (double)model_samples_lost(m) : NAN;
	r->samples_cut = known_ratio(last(m, CPU_COUNTER(cut)), last(m, CPU_COUNTER(written)));
	r->user_cut = summary_user_cut(m);
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

static void set_shares(double to[SUMMARY_SHARES], const double time[SUMMARY_SHARES], double all)
{
	for (unsigned int i = 0; i < SUMMARY_SHARES; i++)
		to[i] = known_ratio(time[i], all);
}

/* Sets the shares by /proc/stat, which includes guests in user and nice. Idle includes iowait. */
static void make_procstat(struct summary *s)
{
	double v[STAT_COUNT], all = 0;

	for (unsigned int i = 0; i < STAT_COUNT; i++) {
		v[i] = moved(s->m, CPU_COUNTER(stat[i]));
		if (i < STAT_GUEST)
			all += v[i];
	}
	set_shares(s->procstat,
		   (const double[]){ v[STAT_USER] + v[STAT_NICE], v[STAT_SYSTEM], v[STAT_SOFTIRQ],
				     v[STAT_IRQ], v[STAT_IDLE] + v[STAT_IOWAIT], v[STAT_STEAL] },
		   all);
}

/*
 * Sets the shares by the leaves, in the terms of /proc/stat. The time of other hard interrupts, other softirqs and
 * steal is included in the time of the code that they interrupted.
 */
static void make_ours(struct summary *s)
{
	const struct split_cpu *all = &s->measured.all;
	unsigned int softirq = LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ);
	unsigned int irq = LEAF_BIT(HARDIRQ_NET);
	bool whole =
		!isnan(all->leaf[LEAF_OTHER_KERNEL]
			       .ns); /* otherwise, the sum would be only a part of system time */

	set_shares(s->ours,
		   (const double[]){ all->leaf[LEAF_USER].ns,
				     whole ? split_sum(all, LEAF_KERNEL & ~(softirq | irq)).ns :
					     NAN,
				     split_sum(all, softirq).ns, split_sum(all, irq).ns,
				     all->leaf[LEAF_IDLE].ns, NAN },
		   all->wall_ns);
}

int summary_make(struct summary *s, const struct model *m, const struct part *part)
{
	return summary_make_with(s, m, part, interfaces_basis(m));
}

int summary_make_with(struct summary *s, const struct model *m, const struct part *part,
		      enum interfaces_basis basis)
{
	int err;

	*s = (struct summary){ .m = m, .part = part, .basis = basis };
	err = summary_split(&s->split, &s->measured, m);
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
	for (unsigned int i = 0; i < UNIT_COSTS; i++)
		make_unit_cost(s, i);
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
