// SPDX-License-Identifier: BSD-2-Clause
/* From a model to the input of the split, and the splits of the summary. */
#include "summary_impl.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "own.h"
#include "report/model/filter.h"

/* The time that a recording without exact counters covers. */
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

/* If more of the kernel's samples than that have stacks that were cut off, most of these may be in a wrong leaf. */
#define CUT_MOST 0.5

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
 * What counts as RX softirq: in one, in NAPI's threads, in tasks that poll, where that is
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
	in->samples_lost = lost - lost_there;
	in->paused_lost = lost_there;
}

void summary_complete_input(struct split_input *in, const struct model *m,
			    const struct split_rest *rest, double lost)
{
	in->exact_ns[NETCOST_EV_RX_SOFTIRQ] = rx_ns(in->exact_ns);
	in->only_samples = filter_has_tasks(m->filter);
	in->samples_expected = in->paused_expected = NAN;
	if (summary_unclassified(m)) {
		memset(in->samples, 0, sizeof(in->samples));
		memset(in->paused, 0, sizeof(in->paused));
	} else {
		part_pauses(in, m, rest, lost);
	}
}

#define SAMPLE_NS 20000 /* what one takes, where that was not measured */
#define BEYOND                                                                                     \
	0.25 /* where it was not read, idle time may be another one by this part of the time */

/*
 * What /proc/stat says is of all of the time: what was counted exactly is taken out of that. It must have been read at
 * both ends of the time, and the kernel must not have begun to count anew.
 */
void summary_stat_idle(struct split_input *in, const struct model *m,
		       const struct summary_stat_idle *stat)
{
	double unit_ns = m->header.user_hz ? 1e9 / (double)m->header.user_hz : NAN;
	double sample_ns = m->probe_cost[NETCOST_PROBE_SAMPLE].ns, all_ns = stat->idle * unit_ns;

	in->stat = (struct split_stat){
		.there = !isnan(all_ns) && !stat->breaks,
		.idle_ns = all_ns - known_or_0(in->exact_ns[NETCOST_EV_IDLE]),
		.all_ns = all_ns,
		.irqs_ns = (double)stat->samples * (sample_ns > 0 ? sample_ns : SAMPLE_NS),
		.unit_ns = unit_ns + stat->beyond_ns * BEYOND,
	};
}

/* A sampler and a CPU that is offline are gone together; what exact counting knows of that is not in its time. */
double summary_gone_ns(const struct model_cpu *c)
{
	double gone_ns = (double)c->unsampled_ns.sum;
	double counted_ns = (double)c->offline_ns.sum - (double)c->off_ns.sum;

	return fmax(gone_ns - counted_ns, 0);
}

/* While a CPU was offline it had no time to split. Older traces do not say when it was. */
static double online_ns(const struct model_cpu *c)
{
	double offline_ns = counter_moved(&c->offline_ns);

	return counter_moved(&c->exact_at_ns) - (isnan(offline_ns) ? 0 : offline_ns);
}

/* Idle time of a part of a trace, which may begin and end where /proc/stat was not read: as in the rest of it. */
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

static void make_input(struct split_input *in, const struct model *m, const struct model_cpu *c)
{
	struct split_rest rest = { .idle = c->rest[LEAF_IDLE],
				   .paused_idle = c->paused_rest[LEAF_IDLE] };
	struct summary_stat_idle stat;

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
	if (!model_own_known(m)) /* otherwise they are in the leaf OWN */
		model_tracing(m, c, in->tracing);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		rest.samples += c->rest[l];
		rest.paused += c->paused_rest[l];
	}
	stat = read_stat_idle(m, c);
	stat.samples = in->samples[LEAF_IDLE] + rest.idle;
	summary_stat_idle(in, m, &stat);
	summary_complete_input(in, m, &rest, (double)model_lost(c));
	own_make(&in->own, m, c);
	own_make_samples(&in->own_samples, m, c);
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

/* With the recorder's own part: where nothing of that is known it is the same split. */
static int measured_split(struct summary *s, struct split_input *in, size_t n)
{
	bool own = false;

	for (size_t i = 0; i < n; i++) {
		own |= in[i].own.there || in[i].own_samples.known;
		split_put_own_back(&in[i]);
	}
	return own ? split_compute(&s->measured, in, n) : split_copy(&s->measured, &s->split);
}

int summary_make_split(struct summary *s)
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
	if (!err)
		err = measured_split(s, in, n);
	if (err)
		split_free(&s->split);
	free(in);
	return err;
}
