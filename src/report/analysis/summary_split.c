// SPDX-License-Identifier: BSD-2-Clause
/* Converts a model to the input of the split. */
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "report/base/stats.h"
#include "report/model/filter.h"

/* Returns the time that a recording without exact counters covers. */
static double ticks_or_frames_ns(const struct model *m)
{
	if (m->at_ns.readings >= 2)
		return (double)m->at_ns.sum;
	return m->last_ns ? (double)(m->last_ns - m->first_ns) : NAN;
}

bool summary_has_probe(const struct model *m, unsigned int event)
{
	const struct model_probe *p = model_find_probe(m, NETCOST_OF_EVENT, event);
	const char *method = p ? model_string(m, p->method) : "";

	return strcmp(method, "samples") && strcmp(method, "off");
}

bool summary_names_hidden(const struct model *m)
{
	const struct model_source *symbols = model_find_source(m, "symbols");

	return symbols && strcmp(model_string(m, symbols->state), "measured");
}

#define CUT_MOST                                                                                   \
	0.5 /* fraction of the kernel's samples; if more stacks were cut off, most samples may be in a wrong leaf */

static bool stacks_are_cut(const struct model *m)
{
	double written = NAN, cut = NAN, kernel;
	const struct model_cpu *c;

	model_for_each_cpu(m, c)
	{
		known_add(&written, counter_last(&c->written));
		known_add(&cut, counter_last(&c->cut));
	}
	if (!(cut > 0) || !m->samples)
		return false;
	kernel = (double)(m->samples - m->count[0]) / (double)m->samples;
	return cut / written > CUT_MOST * kernel;
}

const char *summary_unclassified(const struct model *m)
{
	if (summary_names_hidden(m))
		return "the kernel hid the names of its functions (kptr_restrict)";
	if (stacks_are_cut(m))
		return "most stacks were cut off (kernel.perf_event_max_stack)";
	return NULL;
}

enum split_of summary_samples_of(const struct model *m)
{
	if (!strcmp(model_string(m, m->header.sampled), "network"))
		return SPLIT_OF_NETWORK;
	return strcmp(model_string(m, m->header.sample_event), "cycles") ? SPLIT_OF_TIME :
									   SPLIT_OF_CYCLES;
}

/*
 * Returns the time of the leaf RX softirq: in softirqs, in NAPI threads and in busy polling. The time in NAPI threads
 * and the time in busy polling are added if they are counted separately.
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

/*
 * Separates the samples in pauses from the other samples. Lost samples are assumed to be evenly distributed over the
 * time.
 */
static void separate_pauses(struct split_input *in, const struct model *m,
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
	in->samples_lost = lost - lost_there;
	in->paused_lost = lost_there;
}

#define SAMPLE_NS 20000 /* cost of a sample if it was not measured */
#define BEYOND 0.25	/* error of the idle share, for the time in which /proc/stat was not read */

/*
 * Sets the idle time of /proc/stat, minus the idle time that was counted exactly. The idle time is unknown if the
 * kernel's counter fell.
 */
static void set_stat_idle(struct split_input *in, const struct model *m,
			  const struct summary_stat_idle *stat, uint64_t idle_samples)
{
	double unit_ns = m->header.user_hz ? 1e9 / (double)m->header.user_hz : NAN;
	double sample_ns = m->probe_cost[NETCOST_PROBE_SAMPLE].ns, all_ns = stat->idle * unit_ns;

	in->stat = (struct split_stat){
		.there = !isnan(all_ns) && !stat->breaks,
		.idle_ns = all_ns - known_or_0(in->exact_ns[NETCOST_EV_IDLE]),
		.all_ns = all_ns,
		.irqs_ns = (double)idle_samples * (sample_ns > 0 ? sample_ns : SAMPLE_NS),
		.unit_ns = unit_ns + stat->beyond_ns * BEYOND,
	};
}

void summary_complete_input(struct split_input *in, const struct model *m,
			    const struct split_rest *rest, const struct summary_stat_idle *stat,
			    double lost)
{
	set_stat_idle(in, m, stat, in->samples[LEAF_IDLE] + rest->idle);
	in->exact_ns[NETCOST_EV_RX_SOFTIRQ] = rx_ns(in->exact_ns);
	in->only_samples = filter_has_tasks(m->filter);
	in->samples_expected = in->paused_expected = NAN;
	if (summary_unclassified(m)) {
		memset(in->samples, 0, sizeof(in->samples));
		memset(in->paused, 0, sizeof(in->paused));
	} else {
		separate_pauses(in, m, rest, lost);
	}
}

/*
 * An offline CPU has no sampler, either. Offline time that is known is subtracted, because exact times do not include
 * it.
 */
double summary_gone_ns(const struct model_cpu *c)
{
	double gone_ns = (double)c->unsampled_ns.sum;
	double counted_ns = (double)c->offline_ns.sum - (double)c->off_ns.sum;

	return fmax(gone_ns - counted_ns, 0);
}

/*
 * Returns the time in which the CPU was online. An offline CPU has no time to split. Older traces do not contain the
 * offline times.
 */
static double online_ns(const struct model_cpu *c)
{
	double offline_ns = counter_moved(&c->offline_ns);

	return counter_moved(&c->exact_at_ns) - (isnan(offline_ns) ? 0 : offline_ns);
}

/*
 * Reads the idle time of a part of a trace. If the part begins or ends between readings of /proc/stat, the idle share
 * is extrapolated.
 */
static struct summary_stat_idle read_stat_idle(const struct model *m, const struct model_cpu *c)
{
	double all_ns = counter_moved(&m->at_ns), read_ns = counter_moved(&c->stat_idle_at_ns);
	bool read_all = c->stat_idle_first == 1 && c->stat_idle_last == m->ticks;
	struct summary_stat_idle stat = { .idle = NAN, .breaks = c->stat_idle.backwards };

	if (!read_all)
		stat.beyond_ns = fmax(all_ns - read_ns, 0);
	if (stat.beyond_ns <= all_ns / 2)
		stat.idle = counter_moved(&c->stat_idle) * all_ns / (all_ns - stat.beyond_ns);
	return stat;
}

static void make_input(struct split_input *in, const struct model *m, const struct model_cpu *c,
		       bool at_least)
{
	struct split_rest rest = { .idle = c->rest[LEAF_IDLE],
				   .paused_idle = c->paused_rest[LEAF_IDLE] };
	struct summary_stat_idle stat = read_stat_idle(m, c);
	struct cost_runs runs;

	*in = (struct split_input){ .cpu = c->cpu, .wall_ns = online_ns(c) };
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		in->exact_ns[e] = summary_has_probe(m, e) ? counter_moved(&c->ns[e]) : NAN;
	if (m->npauses && m->at_ns.readings)
		in->paused_ns = model_paused_ns(m, m->at_ns.first, m->at_ns.last);
	if (in->paused_ns > 0)
		in->paused_ns = fmax(in->paused_ns - summary_gone_ns(c), 0);
	if (isnan(in->wall_ns))
		in->wall_ns = m->npauses ? 0 : fmax(ticks_or_frames_ns(m) - summary_gone_ns(c), 0);
	model_leaves(m, c, in->samples);
	memcpy(in->paused, c->paused, sizeof(in->paused));
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		rest.samples += c->rest[l];
		rest.paused += c->paused_rest[l];
	}
	summary_complete_input(in, m, &rest, &stat, (double)model_lost(c));
	cost_count_runs(&runs, c);
	cost_own(&in->own, m, &runs, m->probe_cost);
	in->own.at_least = at_least;
	in->own_samples.known = model_own_known(m);
	if (in->own_samples.known)
		model_own_samples(m, c, in->own_samples.all, in->own_samples.others,
				  in->own_samples.paused);
}

/* Returns true if the CPU was online at any time. A CPU that was always offline has no time to split. */
static bool took_part(const struct model *m, const struct model_cpu *c)
{
	return c->samples || c->exact_at_ns.readings ||
	       (m->ticks ? c->tick && !m->records[TRACE_EXACT] : true);
}

/* Makes the inputs of all CPUs that were online at any time. Returns NULL if out of memory. */
static struct split_input *make_inputs(const struct model *m, size_t *n)
{
	struct split_input *in = calloc(m->cpu_end + 1u, sizeof(*in));
	bool at_least = cost_at_least(m);
	const struct model_cpu *c;

	*n = 0;
	model_for_each_cpu(m, c)
	{
		if (in && took_part(m, c))
			make_input(&in[(*n)++], m, c, at_least);
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

/* Combines windows and samples. Returns 0 or -ENOMEM. */
static int combine_inputs(struct split_combined *to, const struct model *m,
			  const struct split_input *in, size_t n)
{
	struct split_windows w;
	struct split s;

	if (split_compute(&s, in, n))
		return -ENOMEM;
	find_windows(&w, m);
	split_combine(to, &s, in, n, &w);
	split_free(&s);
	return 0;
}

int summary_combine(struct split_combined *to, const struct model *m)
{
	struct split_input *in;
	size_t n;
	int err;

	if (!(in = make_inputs(m, &n)))
		return -ENOMEM;
	err = combine_inputs(to, m, in, n);
	free(in);
	return err;
}

/*
 * Splits the inputs. If there were pauses, `combined` is set, and must be kept as long as the inputs. Returns 0 or
 * -ENOMEM.
 */
static int split_inputs(struct split *split, const struct model *m, struct split_input *in,
			size_t n, struct split_combined *combined)
{
	if (m->npauses && combine_inputs(combined, m, in, n))
		return -ENOMEM;
	for (size_t i = 0; m->npauses && i < n; i++)
		in[i].combined = combined;
	return split_compute(split, in, n);
}

int summary_split(struct split *split, struct split *measured, const struct model *m)
{
	struct split_combined combined;
	size_t n;
	struct split_input *in = make_inputs(m, &n);
	int err = in ? split_inputs(split, m, in, n, &combined) : -ENOMEM;

	if (!err && measured) {
		for (size_t i = 0; i < n; i++)
			split_put_own_back(&in[i]);
		err = split_compute(measured, in, n);
		if (err)
			split_free(split);
	}
	free(in);
	return err;
}
