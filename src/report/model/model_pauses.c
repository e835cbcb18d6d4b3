// SPDX-License-Identifier: BSD-2-Clause
/* Pauses: times in which a recorder with an overhead budget had detached its probes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <netcost/array.h>
#include <netcost/reasons.h>
#include <netcost/student.h>

#include "filter.h"
#include "model_impl.h"
#include "report/base/stats.h"

/* ---- windows ----------------------------------------------------------------------------- */

/*
 * Maximum duration of a window. Windows begin at random moments, so they are representative of the pauses. Longer
 * periods of counting are not windows, because in these periods counting went on for as long as it was cheap enough.
 */
#define WINDOW_MOST_NS 2e9

static struct model_window_sums all_counters(const struct model *m)
{
	struct model_window_sums now = { 0 };
	const struct model_cpu *c;

	model_for_each_cpu(m, c)
	{
		if (!filter_takes_cpu(m->filter, c->cpu))
			continue;
		now.wall_ns += (double)c->exact_at_ns.sum - (double)c->offline_ns.sum;
		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
			now.ns[e] += (double)c->ns[e].sum;
	}
	return now;
}

static void add_sums(struct model_window_sums *to, const struct model_window_sums *s, double sign)
{
	to->wall_ns += sign * s->wall_ns;
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		to->ns[e] += sign * s->ns[e];
}

static void join_windows(struct model_windows *w)
{
	for (size_t i = 0; i < MODEL_WINDOWS; i += 2) {
		w->sum[i / 2] = w->sum[i];
		add_sums(&w->sum[i / 2], &w->sum[i + 1], 1);
	}
	w->n = MODEL_WINDOWS / 2;
	w->each *= 2;
}

/* Ends a window. The window's counters have all been read before the call, and do not change in pauses. */
static void note_window(struct model *m)
{
	struct model_windows *w = &m->windows;
	struct model_window_sums now = all_counters(m), window = now;

	add_sums(&window, &w->before, -1);
	w->before = now;
	if (!(window.wall_ns > 0) || window.wall_ns > WINDOW_MOST_NS * (double)m->header.ncpus)
		return;
	w->each += !w->each;
	if (!w->joined)
		w->sum[w->n] = (struct model_window_sums){ 0 };
	add_sums(&w->sum[w->n], &window, 1);
	if (++w->joined < w->each)
		return;
	w->joined = 0;
	if (++w->n == MODEL_WINDOWS)
		join_windows(w);
}

/* ---- pauses ------------------------------------------------------------------------------ */

static bool is_open(const struct model *m)
{
	return m->npauses && m->pause[m->npauses - 1].to_ns == UINT64_MAX;
}

/* Begins a pause. Pauses must be in order and must not overlap, even if the ticks are wrong. */
static int begin(struct model *m, uint64_t from_ns)
{
	uint64_t after_ns = m->npauses ? m->pause[m->npauses - 1].to_ns : 0;
	int err = array_reserve(&m->pause, &m->cap.pause, m->npauses + 1, sizeof(*m->pause));

	if (!err)
		err = budget_take(&m->budget, sizeof(*m->pause));
	if (err)
		return err;
	m->pause[m->npauses++] = (struct model_pause){
		.from_ns = from_ns > after_ns ? from_ns : after_ns,
		.to_ns = UINT64_MAX,
	};
	return 0;
}

/*
 * Returns the time in which probes have been detached so far, from the first CPU that has this counter. NaN: no CPU has
 * this counter.
 */
static double off_ns(const struct model *m)
{
	for (size_t i = 0; i < m->tick_ncpus; i++)
		if (m->cpu[m->tick_cpu[i]]->off_ns.readings)
			return (double)m->cpu[m->tick_cpu[i]]->off_ns.sum;
	return NAN;
}

/*
 * Adds a pause. The last tick of a window is read directly before the probes are detached. The first tick of the next
 * window is read after the probes are attached again. The pause is the time between the two ticks. If a pause begins
 * before the first tick, its start is unknown.
 */
int model_note_pause(struct model *m, const struct trace_record *tick)
{
	uint64_t at_ns = trace_record_uint(tick, TRACE_TICK_AT_NS, TRACE_NIL);

	if (!m->header.budget_ppm || at_ns == TRACE_NIL)
		return 0;
	if (!cut_tick_is_exact(tick)) {
		if (is_open(m))
			return 0;
		note_window(m);
		m->pause_off_ns = off_ns(m);
		return begin(m, m->exact_tick_ns);
	}
	m->pause_ends = is_open(m) && at_ns >= m->pause[m->npauses - 1].from_ns;
	if (m->pause_ends)
		m->pause[m->npauses - 1].to_ns = at_ns;
	m->exact_tick_ns = at_ns;
	return 0;
}

/*
 * Ends a pause. A recorder that has to wait for a CPU may attach its probes long before it reads the tick. The probes
 * count from the moment at which they are attached.
 */
void model_end_pause(struct model *m)
{
	double ns = off_ns(m) - m->pause_off_ns;
	struct model_pause *p;

	if (!m->pause_ends)
		return;
	m->pause_ends = false;
	p = &m->pause[m->npauses - 1];
	if (p->from_ns && ns > 0 && ns < (double)(p->to_ns - p->from_ns))
		p->to_ns = p->from_ns + (uint64_t)ns;
}

/*
 * Finds the pause, or the time between pauses, that contains a sample. Samples are written after a later tick, so all
 * pauses before a sample are known.
 */
void model_find_pause(const struct model *m, struct model_around *around, uint64_t at_ns)
{
	/* The first pause that begins after at_ns has an index between `low` and `high`. */
	size_t low = 0, high = m->npauses;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at_ns >= m->pause[middle].from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	around->paused = low && at_ns < m->pause[low - 1].to_ns;
	if (around->paused) {
		around->from_ns = m->pause[low - 1].from_ns;
		around->to_ns = m->pause[low - 1].to_ns;
	} else {
		around->from_ns = low ? m->pause[low - 1].to_ns : 0;
		around->to_ns = low < m->npauses ? m->pause[low].from_ns : UINT64_MAX;
	}
}

double model_paused_ns(const struct model *m, uint64_t from_ns, uint64_t to_ns)
{
	double ns = 0;

	for (size_t i = m->npauses; i && m->pause[i - 1].to_ns > from_ns; i--) {
		const struct model_pause *p = &m->pause[i - 1];
		uint64_t from = p->from_ns > from_ns ? p->from_ns : from_ns;
		uint64_t to = p->to_ns < to_ns ? p->to_ns : to_ns;

		if (from < to)
			ns += (double)(to - from);
	}
	return ns;
}

/* ---- packets ----------------------------------------------------------------------------- */

static void add_followed(struct model_followed_sums *to, const struct model_followed_sums *s)
{
	to->ns += s->ns;
	to->processed += s->processed;
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		to->packets[h] += s->packets[h];
}

/* Adds the current window. If there is no room for it, pairs of windows are merged first. */
static void add_window(struct model_followed *f)
{
	if (f->joined < f->each) {
		f->joined++;
		add_followed(&f->window[f->nwindows - 1], &f->now);
		return;
	}
	if (f->nwindows == MODEL_WINDOWS) {
		for (size_t i = 0; i < MODEL_WINDOWS; i += 2) {
			f->window[i / 2] = f->window[i];
			add_followed(&f->window[i / 2], &f->window[i + 1]);
		}
		f->nwindows /= 2;
		f->each *= 2;
	}
	f->each += !f->each;
	f->joined = 1;
	f->window[f->nwindows++] = f->now;
}

/* Ends the time since the last pause. This time is a window if it was short. */
static void end_window(struct model_followed *f)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		f->packets[h] += f->now.packets[h];
	if (f->paused && f->now.ns > 0 && f->now.ns <= WINDOW_MOST_NS)
		add_window(f);
	f->now = (struct model_followed_sums){ 0 };
}

static double processed_by_cpus(const struct model *m)
{
	const struct model_cpu *c;
	double sum = 0;

	model_for_each_cpu(m, c) sum += (double)c->processed.sum;
	return sum;
}

/* Ends the interval between two ticks. All records of the last tick have been read before the call. */
static void end_piece(const struct model *m, struct model_followed *f)
{
	double now = processed_by_cpus(m), more = now - f->processed;

	f->processed = now;
	if (f->off)
		f->off_processed += more;
	else
		f->now.processed += more;
}

/* Adds the time since the previous tick. Windows begin and end with ticks. */
void model_follow(struct model *m, const struct trace_record *tick)
{
	struct model_followed *f = &m->followed;
	uint64_t at_ns = trace_record_uint(tick, TRACE_TICK_AT_NS, TRACE_NIL);
	uint64_t off_ns = trace_record_uint(tick, TRACE_TICK_UNFOLLOWED_NS, 0);
	double passed;

	if (at_ns == TRACE_NIL)
		return;
	end_piece(m, f);
	passed = f->at_ns && at_ns > f->at_ns ? (double)(at_ns - f->at_ns) : 0;
	f->off = passed < 2 * (double)off_ns;
	if (f->off) {
		end_window(f);
		f->paused = true;
	}
	f->all_ns += passed;
	f->on_ns += fmax(0, passed - (double)off_ns);
	f->now.ns += fmax(0, passed - (double)off_ns);
	f->at_ns = at_ns;
}

bool model_follows_in_windows(const struct model *m)
{
	return m->followed.on_ns < m->followed.all_ns;
}

void model_count_followed(struct model *m, const struct trace_record *rec)
{
	struct trace_column c = trace_record_column(rec, TRACE_LATENCY_PACKETS);
	uint64_t hook = trace_record_uint(rec, TRACE_LATENCY_HOOK, UINT64_MAX), n;

	while (hook < NETCOST_LATENCY_COUNT && trace_column_uint(&c, &n))
		if (n != TRACE_NIL)
			m->followed.now.packets[hook] += (double)n;
}

/*
 * Maximum time between the edge of a window and the reading of softnet_stat. Packets in this time may or may not belong
 * to the window.
 */
#define EDGES_NS 200e3

/*
 * Returns the half-width of the 95 % interval of the packets that were processed between windows. The variance is by
 * the jackknife, with the leverage of each window (Wu, Annals of Statistics 14, 1986). Windows with most of the packets
 * count for more than others, so the degrees of freedom follow from the effective number of windows (Kish, Survey
 * Sampling, 11.7).
 */
static double packets_ci95(const struct model_followed *f, const struct model_followed_sums *in,
			   enum netcost_latency hook)
{
	double ratio = in->packets[hook] / in->processed, n = (double)f->nwindows;
	double windows = n ? (n - 1) * f->each + f->joined : 0;
	double shares2 = 0, squares = 0, off = f->off_processed;

	for (size_t i = 0; i < f->nwindows; i++) {
		const struct model_followed_sums *w = &f->window[i];
		double share = w->processed / in->processed;
		double residual = w->packets[hook] - ratio * w->processed;

		shares2 += share * share;
		squares += pow(residual / (1 - share), 2);
	}
	return EDGES_NS * windows / in->ns * ratio * off +
	       student_t95(1 / shares2 - 1) / in->processed *
		       sqrt(squares * (n - 1) / n * off * (off + in->processed));
}

/* Uses a ratio estimate (Cochran, Sampling Techniques, 6.5) for the packets that were processed between windows. */
double model_packets_in_all(const struct model *m, enum netcost_latency hook, double *ci95)
{
	struct model_followed f = m->followed;
	struct model_followed_sums in = { 0 };

	end_piece(m, &f);
	end_window(&f);
	*ci95 = 0;
	if (!(f.off_processed > 0))
		return f.packets[hook];
	for (size_t i = 0; i < f.nwindows; i++)
		add_followed(&in, &f.window[i]);
	*ci95 = packets_ci95(&f, &in, hook);
	if (isnan(*ci95))
		return NAN;
	return f.packets[hook] + in.packets[hook] / in.processed * f.off_processed;
}

/* ---- time windows ------------------------------------------------------------------- */

struct model_window {
	struct model *model;
	int (*take)(struct model *m, const struct trace_record *rec);
	struct cut *cut;
	struct sound *sound;
	bool framed; /* a frame of the window has begun */
	bool ended;
};

void model_window_free(struct model_window *w)
{
	if (!w)
		return;
	cut_free(w->cut);
	sound_free(w->sound);
	free(w);
}

/* Notes a time of the window's records. The times of FRAME are not used, because they may lie outside of the window. */
static bool see_moment(void *ctx, uint64_t at_ns)
{
	struct model *m = ctx;

	if (at_ns > INT64_MAX)
		return true;
	if (!m->last_ns || at_ns < m->first_ns)
		m->first_ns = at_ns;
	if (at_ns > m->last_ns)
		m->last_ns = at_ns;
	return true;
}

static int take(void *ctx, struct trace_record *rec)
{
	struct model_window *w = ctx;

	w->framed |= rec->type == TRACE_FRAME;
	w->ended |= rec->type == TRACE_END;
	if (w->framed)
		sound_moments(rec, see_moment, w->model);
	return w->take(w->model, rec);
}

struct model_window *model_window_new(const struct cut_plan *plan, struct model *m,
				      int (*take_fn)(struct model *m,
						     const struct trace_record *rec))
{
	struct model_window *w = calloc(1, sizeof(*w));
	const struct sound_sink sink = { .ctx = w, .take = take };

	if (!w)
		return NULL;
	w->model = m;
	w->take = take_fn;
	w->cut = cut_new(plan);
	w->sound = sound_new(&sink, cut_edit, w->cut);
	if (w->cut && w->sound)
		return w;
	model_window_free(w);
	return NULL;
}

int model_window_feed(struct model_window *w, const struct trace_record *rec)
{
	struct trace_record own = *rec;

	int err = sound_record(w->sound, &own);

	w->model->sound = *sound_result(w->sound);
	return err;
}

static int end_lost(struct model_window *w)
{
	const struct trace_record end = {
		.type = TRACE_END,
		.nfields = 1,
		.field[0] = { .key = TRACE_END_WHY,
			      .kind = TRACE_STR,
			      .n = sizeof(reason_end_lost) - 1,
			      .p = (const uint8_t *)reason_end_lost },
	};

	return w->take(w->model, &end);
}

int model_window_read(struct model_window *w, struct trace_reader *r)
{
	int err = sound_read(w->sound, r, &w->model->budget);

	w->model->sound = *sound_result(w->sound);
	/*
	 * A window may end before the trace ends, so a missing END is not an error. Damage is still reported, because
	 * it may lie in the window.
	 */
	w->model->status = (struct trace_status){ .ended = true };
	if (trace_reader_status(r)->damages) {
		w->model->status = *trace_reader_status(r);
		w->model->status.ended = true;
	}
	return err || w->ended ? err : end_lost(w);
}
