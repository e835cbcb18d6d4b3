// SPDX-License-Identifier: BSD-2-Clause
#include "energy.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "report/base/stats.h"
#include "report/model/filter.h"

const char *const energy_states[ENERGY_STATES + 1] = {
	[ENERGY_MEASURED] = "measured",	    [ENERGY_CONSTANT] = "constant",
	[ENERGY_REFUSED] = "refused",	    [ENERGY_VANISHED] = "vanished",
	[ENERGY_UNREADABLE] = "unreadable", [ENERGY_WRAPS] = "wraps",
	[ENERGY_SHORT] = "read once",	    [ENERGY_UNREAD] = "not read",
	[ENERGY_MIRROR] = "same counter",
};

bool energy_is_total(const struct model *m, const struct model_zone *z)
{
	return (model_is_package(m, z) || model_is_dram(m, z)) && !model_zone_mirrors(z);
}

double energy_joules(const struct model *m)
{
	double joules = NAN;

	for (size_t i = 0; i < m->nzones; i++)
		if (energy_is_total(m, &m->zone[i]) && m->zone[i].raw.sum)
			known_add(&joules, model_zone_joules(&m->zone[i]));
	return joules;
}

/* ---- counters ---------------------------------------------------------------------------- */

static bool is_gone(uint64_t error)
{
	return error == ENOENT || error == ENXIO || error == ENODEV;
}

static enum energy_state failure_of(const struct model_zone *z)
{
	if (z->error == 0 || z->error == TRACE_NIL)
		return ENERGY_UNREADABLE;
	return is_gone(z->error) ? ENERGY_VANISHED : ENERGY_REFUSED;
}

/* Returns the state of a zone. A counter that never moved is ignored, whatever state was recorded. */
static enum energy_state state_of(const struct model *m, const struct model_zone *z)
{
	if (!z->reads && !strcmp(model_string(m, z->state), "refused"))
		return ENERGY_REFUSED;
	if (!z->reads)
		return z->unread ? failure_of(z) : ENERGY_UNREAD;
	if (z->failed)
		return failure_of(z);
	if (z->untold_ns)
		return ENERGY_WRAPS;
	if (z->reads < 2)
		return ENERGY_SHORT;
	if (model_zone_mirrors(z))
		return ENERGY_MIRROR;
	return z->raw.sum ? ENERGY_MEASURED : ENERGY_CONSTANT;
}

/* ---- idle power -------------------------------------------------------------------------- */

#define FEWEST 8   /* fewest intervals; with fewer intervals, the variance is unknown */
#define WIDEST 0.5 /* fraction of the power; a wider confidence interval is useless */

/* Fits the line of energy.h to the zone's intervals. */
static struct stats_fit fit(const struct model_zone *z)
{
	double x[MODEL_ENERGY_PIECES], y[MODEL_ENERGY_PIECES];
	size_t n = 0;

	for (size_t i = 0; i < z->npieces; i++) {
		/*
		 * Ignore intervals that are too short, because the last interval may be much shorter than the others.
		 */
		if (z->piece[i].ns < z->piece[0].ns / 2)
			continue;
		x[n] = z->piece[i].busy_ns / z->piece[i].ns;
		y[n++] = z->piece[i].joules / (z->piece[i].ns * 1e-9);
	}
	return stats_fit(x, y, n);
}

static void make_idle(struct energy_zone *e, const struct model_zone *z)
{
	struct stats_fit f = fit(z);
	double ci95 = stats_t95(f.df) * f.at_0_se;

	e->idle_w = e->idle_se = e->idle_df = NAN;
	e->watts_se = f.mean_se;
	e->pieces = (double)z->npieces;
	if (!z->npieces)
		e->idle_why = "the busy time of the CPUs is unknown";
	else if (!(f.df + 2 >= FEWEST) && z->npieces < FEWEST)
		e->idle_why = "the counter was read too seldom";
	else if (!(ci95 <= WIDEST * e->watts))
		e->idle_why = "the load did not vary enough";
	else if (f.at_0 - ci95 > e->watts)
		e->idle_why = "power did not grow with load";
	else {
		e->idle_w = f.at_0;
		e->idle_se = f.at_0_se;
		e->idle_df = f.df;
	}
}

/* ---- the network's share ----------------------------------------------------------------- */

/*
 * Computes the network's share of a zone, from the CPUs of the zone's package or, if these are unknown, from all CPUs.
 */
static void make_share(struct energy_zone *e, const struct model *m, const struct split *split,
		       const struct model_zone *z)
{
	size_t package = model_package_of(m, z);
	double network_ns = NAN, ci95_ns = 0, busy_ns = NAN;

	for (unsigned int all = 0; all < 2 && isnan(busy_ns); all++)
		for (size_t i = 0; i < split->ncpus; i++) {
			const struct split_cpu *c = &split->cpu[i];
			struct split_value v = split_sum(c, LEAF_NETWORK);

			if (!all && model_cpu_package(m, c->cpu) != package)
				continue;
			known_add(&network_ns, v.ns);
			if (!isnan(v.ci95_ns))
				ci95_ns = hypot(ci95_ns, v.ci95_ns);
			known_add(&busy_ns, c->wall_ns - c->leaf[LEAF_IDLE].ns);
		}
	e->share = known_ratio(network_ns, busy_ns);
	e->share_ci95 = known_ratio(ci95_ns, busy_ns);
}

/* Sums the times of the CPUs of a core. */
static void core_times(const struct split *split, const struct model *m, size_t core,
		       struct split_value *network, double *busy_ns)
{
	*network = (struct split_value){ .ns = 0 };
	*busy_ns = 0;
	for (size_t i = 0; i < split->ncpus; i++) {
		const struct split_cpu *c = &split->cpu[i];
		struct split_value v = split_sum(c, LEAF_NETWORK);

		if (m->core[c->cpu] != core)
			continue;
		network->ns += v.ns;
		network->ci95_ns = hypot(network->ci95_ns, known_or_0(v.ci95_ns));
		*busy_ns += c->wall_ns - c->leaf[LEAF_IDLE].ns;
	}
}

/* Returns true if each CPU of the package has a core with an energy counter. */
static bool has_cores(const struct model *m, const struct split *split, size_t package)
{
	size_t n = 0;

	for (size_t i = 0; i < split->ncpus; i++) {
		unsigned int cpu = split->cpu[i].cpu, core = m->core[cpu];

		if (model_cpu_package(m, cpu) != package)
			continue;
		if (!core || !m->zone[core - 1].raw.sum)
			return false;
		n++;
	}
	return n;
}

/*
 * Distributes the energy above idle power to cores by the cores' own counters, and within a core by time. An idle core
 * gets no energy.
 */
static void make_share_by_core(struct energy_zone *e, const struct model *m,
			       const struct split *split, size_t package)
{
	double joules = 0, network_j = 0, ci95_j = 0;

	for (size_t i = 0; i < m->nzones; i++) {
		const struct model_zone *z = &m->zone[i];
		struct split_value network;
		double busy_ns, core_j = model_zone_joules(z);

		if (!model_is_core(m, z) || model_package_of(m, z) != package)
			continue;
		core_times(split, m, i + 1, &network, &busy_ns);
		if (!(busy_ns > 0))
			continue;
		joules += core_j;
		network_j += core_j * network.ns / busy_ns;
		ci95_j = hypot(ci95_j, core_j * network.ci95_ns / busy_ns);
	}
	if (!(joules > 0) || isnan(network_j))
		return;
	e->by_core = true;
	e->share = network_j / joules;
	e->share_ci95 = ci95_j / joules;
}

void energy_zone(struct energy_zone *e, const struct model *m, const struct split *split,
		 size_t zone)
{
	const struct model_zone *z = &m->zone[zone];
	bool moved = z->raw.sum > 0;

	*e = (struct energy_zone){
		.state = state_of(m, z),
		.joules = moved ? model_zone_joules(z) : NAN,
		.told_s = (double)z->told_ns * 1e-9,
		.untold_s = (double)z->untold_ns * 1e-9,
		.in_total = energy_is_total(m, z),
		.idle_w = NAN,
		.idle_se = NAN,
		.watts_se = NAN,
		.share = NAN,
	};
	e->watts = known_ratio(e->joules, e->told_s);
	if (!e->in_total || isnan(e->watts))
		return;
	make_idle(e, z);
	make_share(e, m, split, z);
	if (model_is_package(m, z) && has_cores(m, split, zone + 1))
		make_share_by_core(e, m, split, zone + 1);
}

/* ---- all zones ---- */

/* Sums over zones. */
struct sum {
	double share_w, ci95_w, low_w, high_w;
	double watts_se, df; /* df: the smallest df of all zones */
	double all_w;	     /* sum of the network's shares of the power of each zone */
};

static void add_share(struct sum *s, double rest_w, double ci95_w, double far_w,
		      const struct energy_zone *z)
{
	double low = z->share - z->share_ci95, high = z->share + z->share_ci95;

	s->share_w += rest_w * z->share;
	s->ci95_w += ci95_w * z->share + fabs(rest_w) * z->share_ci95;
	s->low_w += fmax(rest_w - far_w, 0) * fmax(low, 0);
	s->high_w += fmax(rest_w + far_w, 0) * high;
}

/* Adds a zone to the sums. The errors of zones may be correlated, so they are added linearly. */
static void add_zone(struct energy *e, struct sum *s, const struct energy_zone *z)
{
	double ci95_w = stats_t95(z->idle_df) * z->idle_se;

	e->zones++;
	e->missing += isnan(z->watts);
	if (isnan(z->watts))
		return;
	known_add(&e->total_w, z->watts);
	e->by_core |= z->by_core;
	s->all_w += z->watts * z->share;
	s->watts_se += z->watts_se;
	s->df = s->df > 0 ? fmin(s->df, z->pieces - 2) : z->pieces - 2;
	e->idle_w += z->idle_w;
	e->idle_ci95_w += ci95_w;
	if (z->idle_why)
		e->idle_why = z->idle_why;
	add_share(s, z->watts - z->idle_w, ci95_w,
		  stats_t_beyond(ENERGY_BEYOND, z->idle_df) * z->idle_se, z);
}

/* Returns a zone for all CPUs, in which only the network's share of their busy time is set. */
static struct energy_zone whole(const struct split *split)
{
	struct split_value v = split_sum(&split->all, LEAF_NETWORK);
	double busy_ns = split->all.wall_ns - split->all.leaf[LEAF_IDLE].ns;

	return (struct energy_zone){ .share = known_ratio(v.ns, busy_ns),
				     .share_ci95 = isnan(v.ci95_ns) ?
							   0 :
							   known_ratio(v.ci95_ns, busy_ns) };
}

static void take_given(struct energy *e, struct sum *s, double idle_w, const struct split *split)
{
	struct energy_zone all = whole(split);
	double all_w = s->all_w;
	double df = fmax(s->df, 1), se = isnan(s->watts_se) ? 0 : s->watts_se;

	*s = (struct sum){ 0 };
	e->idle_given = true;
	e->idle_w = idle_w;
	e->idle_ci95_w = 0;
	e->idle_why = idle_w > e->total_w ? "--idle-watts is more than the measured power" : NULL;
	if (e->idle_why)
		e->idle_w = NAN;
	if (e->by_core)
		all.share = known_ratio(all_w, e->total_w);
	add_share(s, e->total_w - e->idle_w, stats_t95(df) * se,
		  stats_t_beyond(ENERGY_BEYOND, df) * se, &all);
}

static void make_range(struct energy *e, const struct sum *s, const struct energy_work *work)
{
	double per_packet = 1e6 * known_ratio(work->seconds, work->packets);
	double per_gb = known_ratio(work->seconds, work->bytes / 1e9);

	e->share_w = s->share_w;
	e->share_ci95_w = s->ci95_w;
	/* If one value is unknown, fmax() returns the other value. */
	e->network_w =
		(struct energy_range){ isnan(s->share_w) ? NAN : s->low_w,
				       fmax(e->netto_w, isnan(s->share_w) ? NAN : s->high_w) };
	e->packet_uj = (struct energy_range){ e->network_w.low * per_packet,
					      e->network_w.high * per_packet };
	e->gb_j = (struct energy_range){ e->network_w.low * per_gb, e->network_w.high * per_gb };
}

static const char *hypervisor(const struct model *m)
{
	for (size_t i = 0; i < m->nsettings; i++) {
		const struct model_setting *s = &m->setting[i];
		const char *value = model_string(m, s->value);

		if (!strcmp(model_string(m, s->subject), "cpu") &&
		    !strcmp(model_string(m, s->name), "hypervisor"))
			return *value && strcmp(value, "none") ? value : NULL;
	}
	return NULL;
}

void energy_make(struct energy *e, const struct model *m, const struct split *split,
		 const struct energy_work *work)
{
	double given_w = m->filter ? m->filter->idle_watts : NAN;
	struct sum s = { 0 };

	*e = (struct energy){ .total_w = NAN, .hypervisor = hypervisor(m) };
	for (size_t i = 0; i < m->nzones; i++) {
		struct energy_zone z;

		if (!energy_is_total(m, &m->zone[i]))
			continue;
		energy_zone(&z, m, split, i);
		add_zone(e, &s, &z);
	}
	if (isnan(e->total_w)) {
		e->idle_w = e->idle_ci95_w = s.share_w = s.ci95_w = NAN;
		e->idle_why = NULL;
	} else if (given_w > 0) {
		take_given(e, &s, given_w, split);
	}
	e->netto_w = e->total_w *
		     known_ratio(split_sum(&split->all, LEAF_NETWORK).ns, split->all.wall_ns);
	/* the power covers all CPUs, not only the selected ones */
	if (model_is_of_some_cpus(m))
		e->netto_w = s.share_w = s.ci95_w = NAN;
	make_range(e, &s, work);
	e->ns_per_read = known_ratio(m->energy_reading_ns, (double)m->energy_reads);
}
