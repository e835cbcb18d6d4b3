// SPDX-License-Identifier: BSD-2-Clause
/*
 * Subjects other than the CPU time of categories: processes, receivers, other BPF programs, latency, packet paths, and
 * counts.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "report/analysis/cost.h"
#include "report/base/stats.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes_shares.h"
#include "report/model/model_stages.h"
#include "report/analysis/view.h"

/* Returns the divisor for times that were counted exactly. */
static double counted_base(const struct diff_side *s)
{
	const struct split *split = &s->summary.split;

	return s->m->npauses ? s->base * known_ratio(split->counted.wall_ns, split->all.wall_ns) :
			       s->base;
}

/* ---- processes: paired by name, cgroups by path, users by id ---- */

static const enum processes_by by_of[DIFF_BYS] = { PROCESSES_BY_NAME, PROCESSES_BY_CGROUP,
						   PROCESSES_BY_USER };

static bool has_processes(const struct diff_side *s)
{
	return s->m->records[TRACE_PROCESS_STATS] && model_is_of_all(s->m);
}

static bool knows_users(const struct model *m)
{
	for (uint32_t id = 1; id <= m->nprocesses; id++)
		if (m->process[id].user != TRACE_NIL)
			return true;
	return false;
}

/* The divisors for the rows of a side. */
struct scale {
	double base;	/* divisor for the time that was counted */
	double w_per_j; /* NaN: energy was not measured */
	bool network;	/* times of sends and receives were measured */
	struct processes_energy energy;
	struct owners owners;
};

static void make_scale(struct scale *scale, const struct diff_side *s, const struct processes *p)
{
	*scale = (struct scale){ .base = counted_base(s), .network = !isnan(p->all.network_ns) };
	processes_energy_make(&scale->energy, p);
	scale->w_per_j = known_ratio(s->summary.energy.total_w, scale->energy.total_j);
	owners_make(&scale->owners, s->m);
}

static struct diff_value counted(double value)
{
	struct diff_value v = diff_nothing;

	v.value = value;
	v.ci95 = 0;
	return v;
}

static struct diff_value received(const struct scale *s, const struct processes_values *v)
{
	struct owners_paid paid = owners_paid(&s->owners, v);
	struct diff_value r = diff_nothing;

	if (!s->owners.any)
		return r;
	r.value = (paid.received_ns + paid.dealt_ns) / s->base;
	r.ci95 = owners_ci95(paid.received_ns, paid.ci95_ns, paid.dealt_ns) / s->base;
	return r;
}

static struct diff_value watts(const struct scale *s, double on_cpu_ns)
{
	struct energy_range joules = processes_energy_of(&s->energy, on_cpu_ns);
	struct diff_value v = diff_nothing;

	v.low = joules.low * s->w_per_j;
	v.high = joules.high * s->w_per_j;
	return v;
}

static void set_values(struct diff_value to[DIFF_MEASURES], const struct scale *s,
		       const struct processes_values *v)
{
	double on_cpu_ns = known_or_0(v->on_cpu_ns);

	to[DIFF_ON_CPU] = counted(on_cpu_ns / s->base);
	to[DIFF_NETWORK] = counted(s->network ? known_or_0(v->network_ns) / s->base : NAN);
	to[DIFF_RECEIVED] = received(s, v);
	to[DIFF_WATTS] = watts(s, on_cpu_ns);
}

/*
 * Returns the half-width of the confidence interval for the packets that all processes received. This half-width is
 * smaller than the sum of the half-widths of all processes.
 */
static double all_ci95(const struct scale *s)
{
	for (size_t i = 0; i < s->owners.nrows; i++) {
		const struct owners_row *r = &s->owners.row[i];

		if (r->fate == NETCOST_FATE_DIRECT)
			return owners_ci95(r->ns, r->ci95_ns, r->dealt_ns) / s->base;
	}
	return s->owners.any ? 0 : NAN;
}

static int add_values(struct diff_table *t, enum diff_side_number side, struct diff_row *r,
		      const struct diff_value v[DIFF_MEASURES])
{
	for (size_t i = 0; i < DIFF_MEASURES; i++)
		r->m[i].side[side] = v[i];
	return diff_add(t, side, r);
}

/*
 * Adds the row of other processes and the row of the sum. These rows exist even if they contain no process. The sum has
 * a separate confidence interval.
 */
static int add_ends(struct diff_table *t, enum diff_side_number side, enum diff_by by,
		    const struct scale *s)
{
	struct diff_row others = { .group = by, .kind = DIFF_OTHERS, .name = "" };
	struct diff_row sum = { .group = by, .kind = DIFF_SUM, .name = "" };
	struct diff_value v[DIFF_MEASURES];
	int err;

	set_values(t->absent[side], s, &(struct processes_values){ .on_cpu_ns = 0 });
	err = add_values(t, side, &others, t->absent[side]);
	for (size_t i = 0; i < DIFF_MEASURES; i++)
		v[i] = t->absent[side][i];
	v[DIFF_RECEIVED].ci95 = all_ci95(s);
	return err ? err : add_values(t, side, &sum, v);
}

static int add_process(struct diff_table *t, enum diff_side_number side, enum diff_by by,
		       const struct scale *s, const struct processes_row *process)
{
	bool one = process->kind == PROCESSES_ONE;
	struct diff_row r = { .group = by,
			      .kind = one ? DIFF_ONE : DIFF_OTHERS,
			      .name = one ? process->name : "",
			      .id = { one && process->kernel && by != DIFF_BY_CGROUP },
			      .place = t->n };
	struct diff_row sum = { .group = by, .kind = DIFF_SUM, .name = "", .place = t->n };
	struct diff_value v[DIFF_MEASURES];
	int err;

	set_values(v, s, &process->v);
	err = add_values(t, side, &r, v);
	v[DIFF_RECEIVED].ci95 = NAN;
	return err ? err : add_values(t, side, &sum, v);
}

static int walk_by(struct diff_table *t, enum diff_side_number side, enum diff_by by)
{
	struct processes p;
	struct scale scale;
	int err = processes_make(&p, t->side[side]->m, by_of[by], PROCESSES_SORT_CPU, SIZE_MAX);

	if (err)
		return err;
	make_scale(&scale, t->side[side], &p);
	err = add_ends(t, side, by, &scale);
	for (size_t i = 0; !err && i < p.nrows; i++)
		err = add_process(t, side, by, &scale, &p.row[i]);
	if (by == DIFF_BY_USER) {
		t->owned[side] = p.user_name;
		p.user_name = NULL;
	}
	processes_free(&p);
	return err;
}

static int walk_processes(struct diff_table *t, enum diff_side_number side)
{
	bool users = knows_users(t->side[DIFF_BEFORE]->m) && knows_users(t->side[DIFF_AFTER]->m);
	int err = 0;

	for (enum diff_by by = 0; !err && by < DIFF_BYS; by++)
		if (by != DIFF_BY_USER || users)
			err = walk_by(t, side, by);
	return err;
}

static double change_of(const struct diff_row *r)
{
	double most = 0;

	/* if one value is NaN, fmax() returns the other value */
	for (size_t i = DIFF_ON_CPU; i <= DIFF_RECEIVED; i++)
		most = fmax(most,
			    fabs(r->m[i].side[DIFF_AFTER].value - r->m[i].side[DIFF_BEFORE].value));
	return most;
}

static int by_change(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order;

	if (a->group != b->group || a->kind != b->kind)
		return diff_by_place(a, b);
	order = diff_larger_first(change_of(a), change_of(b));
	if (!order)
		order = diff_by_name(a, b);
	return order ? order : (int)a->id[0] - (int)b->id[0];
}

/*
 * Adds a row to the row of other processes. Packets of several processes share softirqs, so the errors of received
 * packets add up. cap_ci95() limits the error to the error of the sum.
 */
static void add_to_others(struct diff_row *others, const struct diff_row *r)
{
	for (unsigned int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < DIFF_MEASURES; i++)
			diff_value_add(&others->m[i].side[side], &r->m[i].side[side]);
}

static void cap_ci95(struct diff_row *others, const struct diff_row *sum)
{
	for (unsigned int side = 0; side < DIFF_SIDES; side++) {
		double *ci95 = &others->m[DIFF_RECEIVED].side[side].ci95;

		if (*ci95 > sum->m[DIFF_RECEIVED].side[side].ci95)
			*ci95 = sum->m[DIFF_RECEIVED].side[side].ci95;
	}
}

static struct diff_row *find_kind(struct diff_table *t, unsigned int group, enum diff_kind kind)
{
	struct diff_row *r = t->row;

	while (r->group != group || r->kind != kind)
		r++;
	return r;
}

/* Keeps the processes with the largest changes, and adds up the others. */
static void finish_processes(struct diff_table *t)
{
	size_t n = 0, in_group = 0;

	qsort(t->row, t->n, sizeof(*t->row), by_change);
	for (size_t i = 0; i < t->n; i++) {
		const struct diff_row *r = &t->row[i];

		in_group = i && r->group == t->row[i - 1].group ? in_group + 1 : 0;
		if (r->kind == DIFF_ONE && (in_group >= t->most || !(change_of(r) > 0)))
			add_to_others(find_kind(t, r->group, DIFF_OTHERS), r);
	}
	for (size_t i = 0; i < t->n; i++) {
		struct diff_row *r = &t->row[i];

		in_group = i && r->group == t->row[i - 1].group ? in_group + 1 : 0;
		if (r->kind == DIFF_OTHERS)
			cap_ci95(r, find_kind(t, r->group, DIFF_SUM));
		if (r->kind != DIFF_ONE || (in_group < t->most && change_of(r) > 0))
			t->row[n++] = *r;
	}
	t->n = n;
}

const struct diff_subject_desc diff_processes = { .has = has_processes,
						  .walk = walk_processes,
						  .finish = finish_processes,
						  .order = by_change,
						  .measures = DIFF_MEASURES,
						  .test = DIFF_DIFFERENCE };

/* ---- disposition of received packets ----------------------------------------------------- */

static bool has_fates(const struct diff_side *s)
{
	return model_fates(s->m) && model_is_of_all(s->m);
}

static int walk_fates(struct diff_table *t, enum diff_side_number side)
{
	const struct diff_side *s = t->side[side];
	double base = counted_base(s);
	struct owners o;
	int err = 0;

	t->absent[side][0] = counted(0);
	owners_make(&o, s->m);
	for (size_t i = 0; !err && i < o.nrows; i++) {
		const struct owners_row *row = &o.row[i];
		struct diff_row r = { .group = row->fate, .name = row->what };
		struct diff_row sum = { .group = NETCOST_FATE_COUNT, .kind = DIFF_SUM, .name = "" };

		r.m[0].side[side] = sum.m[0].side[side] = counted((row->ns + row->dealt_ns) / base);
		r.m[0].side[side].ci95 = owners_ci95(row->ns, row->ci95_ns, row->dealt_ns) / base;
		err = diff_add(t, side, &r);
		if (!err)
			err = diff_add(t, side, &sum);
	}
	return err;
}

static double both(const struct diff_row *r)
{
	return r->m[0].side[DIFF_BEFORE].value + r->m[0].side[DIFF_AFTER].value;
}

static void finish_fates(struct diff_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].kind == DIFF_SUM || both(&t->row[i]) != 0)
			t->row[n++] = t->row[i];
	t->n = n;
}

/* Compares two rows by disposition, then by the sum of the times on both sides. */
static int by_both(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order;

	if (a->group != b->group)
		return diff_by_place(a, b);
	order = diff_larger_first(both(a), both(b));
	return order ? order : diff_by_name(a, b);
}

const struct diff_subject_desc diff_fates = { .has = has_fates,
					      .walk = walk_fates,
					      .finish = finish_fates,
					      .order = by_both,
					      .measures = 1,
					      .test = DIFF_DIFFERENCE };

/* ---- other BPF programs: programs of the same name and type are one row ---- */

enum { RUNS_PER_S, NS_PER_RUN, PERCENT, PROGRAM_MEASURES };

static bool has_programs(const struct diff_side *s)
{
	return s->m->records[TRACE_OTHER_STATS];
}

/*
 * Adds the programs of a side. The time per run is stored as a time per second until rows have been added up: see
 * finish_programs().
 */
static int walk_programs(struct diff_table *t, enum diff_side_number side)
{
	struct bill bill;
	int err = bill_make(&bill, &t->side[side]->summary);

	if (err)
		return err;
	for (size_t i = 0; !err && i < bill.n; i++) {
		const struct bill_row *row = &bill.row[i];
		struct diff_row r = { .name = row->name,
				      .of = row->kind,
				      .title = *row->name ? row->name : "(nameless)",
				      .id = { row->on_the_way },
				      .place = i };

		r.m[RUNS_PER_S].side[side] = counted(row->runs_per_s);
		r.m[NS_PER_RUN].side[side] = counted(row->ns_per_run * row->runs_per_s);
		r.m[PERCENT].side[side] = counted(100 * row->share);
		err = diff_add(t, side, &r);
	}
	bill_free(&bill);
	return err;
}

/* Converts times per second to times per run, and hides programs that are not on the packet path, or did not run. */
static void finish_programs(struct diff_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct diff_row *r = &t->row[i];
		bool ran = false;

		for (unsigned int side = 0; side < DIFF_SIDES; side++) {
			double *ns = &r->m[NS_PER_RUN].side[side].value;
			double runs_per_s = r->m[RUNS_PER_S].side[side].value;

			*ns = known_ratio(*ns, runs_per_s);
			ran |= runs_per_s > 0;
		}
		r->hidden = !r->id[0] || !ran;
	}
}

static double percent(const struct diff_row *r)
{
	return fmax(0, fmax(r->m[PERCENT].side[DIFF_BEFORE].value,
			    r->m[PERCENT].side[DIFF_AFTER].value));
}

static int by_percent(const void *a, const void *b)
{
	int order = diff_larger_first(percent(a), percent(b));

	return order ? order : diff_by_name(a, b);
}

const struct diff_subject_desc diff_programs = { .has = has_programs,
						 .any = true,
						 .walk = walk_programs,
						 .finish = finish_programs,
						 .order = by_percent,
						 .measures = PROGRAM_MEASURES,
						 .test = DIFF_DIFFERENCE };

/* ---- a quantile of packet latency -------------------------------------------------------- */

/*
 * Confidence interval of a quantile. The ranks that enclose the quantile can be computed from the number of packets if
 * packets are independent. But packets that arrive together also wait together. So a second confidence interval is
 * computed from the variation between intervals of the recording. It shows how much the share of packets up to the
 * quantile varies. The wider confidence interval is used.
 */

/*
 * Returns the half-width of the 95 % interval of the share of packets in the buckets up to the bucket of `ns`. NaN:
 * there are fewer than two intervals.
 */
static double share_ci95(const uint64_t *history, size_t n, double ns)
{
	unsigned int bucket = netcost_latency_bucket((uint64_t)ceil(ns));
	double y[DIFF_PIECES], x[DIFF_PIECES], df, variance;

	if (!history)
		n = 0;
	if (n > DIFF_PIECES || bucket >= NETCOST_LATENCY_BUCKETS)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		const uint64_t *piece = history + i * NETCOST_LATENCY_BUCKETS;

		y[i] = dist_upto(piece, bucket);
		x[i] = dist_upto(piece, NETCOST_LATENCY_BUCKETS - 1);
	}
	variance = stats_ratio_variance(y, x, n, &df);
	return stats_t95(df) * sqrt(variance);
}

/* Return the ranks at both ends of a confidence interval of the share. */
static double low_rank(double n, double share, double half)
{
	return fmax(floor(n * (share - half)), 0);
}

static double high_rank(double n, double share, double half)
{
	return fmin(ceil(n * (share + half)) + 1, n + 1);
}

/*
 * Returns the quantile in ns. `history` contains the histograms of the n intervals; NULL means that they are unknown.
 */
static struct diff_value quantile_value(const struct dist *l, const uint64_t *history, size_t n,
					enum dist_quantile quantile)
{
	struct diff_value v = diff_nothing;
	double share = dist_share[quantile], half;
	struct dist_summary r;
	struct quantile q;

	dist_summarize(&r, l);
	q = quantile_of((uint64_t)r.count, share);
	v.value = dist_value(l, q.rank);
	half = isnan(v.value) ? NAN : share_ci95(history, n, v.value);
	if (isnan(half))
		return v;
	v.low = dist_bound(l, (uint64_t)fmin((double)q.low, low_rank(r.count, share, half)), false);
	v.high = dist_bound(l, (uint64_t)fmax((double)q.high, high_rank(r.count, share, half)),
			    true);
	return v;
}

/* ---- latency ----------------------------------------------------------------------------- */

static bool has_latency(const struct diff_side *s)
{
	return s->latency && model_has_probes(s->m, NETCOST_OF_LATENCY) && model_is_of_all(s->m);
}

/* Adds the checkpoints of a side. A checkpoint without packets gets no row. */
static int walk_latency(struct diff_table *t, enum diff_side_number side)
{
	const struct diff_side *s = t->side[side];
	int err = 0;

	for (unsigned int i = 0; !err && i < NETCOST_LATENCY_COUNT * DIFF_LATENCY_QUANTILES; i++) {
		unsigned int hook = i / DIFF_LATENCY_QUANTILES,
			     quantile = i % DIFF_LATENCY_QUANTILES;
		struct diff_row r = { .id = { hook, 0, quantile }, .place = i };

		if (!model_is_measured(s->m, NETCOST_OF_LATENCY, hook))
			continue;
		r.m[0].side[side] = quantile_value(
			model_latency_dist(s->m, hook),
			latency_history_row(s->latency, model_latency_row(s->m, hook)),
			s->latency->pieces, quantile);
		if (!isnan(r.m[0].side[side].value))
			err = diff_add(t, side, &r);
	}
	return err;
}

const struct diff_subject_desc diff_latency = { .has = has_latency,
						.walk = walk_latency,
						.measures = 1,
						.test = DIFF_TEST_INTERVAL,
						.families = 1 };

/* ---- packet paths ------------------------------------------------------------------------ */

static bool has_stages(const struct diff_side *s)
{
	return s->stages && s->m->stages && model_is_of_all(s->m);
}

static bool is_taken(const struct diff_table *t, enum stages_path path)
{
	return t->side[DIFF_BEFORE]->m->stages->finished[path] ||
	       t->side[DIFF_AFTER]->m->stages->finished[path];
}

static double packets_of(const struct diff_side *s, enum stages_path path, size_t piece)
{
	const uint64_t *bucket = latency_history_row(s->stages, stages_whole_row(s->m, path));

	return bucket ? dist_upto(bucket + piece * NETCOST_LATENCY_BUCKETS,
				  NETCOST_LATENCY_BUCKETS - 1) :
			0;
}

/* Returns the percentage of packets that took a path. Its variance is at least the variance for independent packets. */
static struct diff_value path_percent(const struct diff_side *s, enum stages_path path)
{
	double y[DIFF_PIECES], x[DIFF_PIECES], all = stages_finished(s->m->stages), share;
	struct diff_value v = diff_nothing;
	size_t n = s->stages->pieces <= DIFF_PIECES ? s->stages->pieces : 0;

	if (!(all > 0))
		return v;
	share = (double)s->m->stages->finished[path] / all;
	for (size_t i = 0; i < n; i++) {
		x[i] = 0;
		for (enum stages_path p = 0; p < STAGES_PATH_COUNT; p++)
			x[i] += packets_of(s, p, i);
		y[i] = packets_of(s, path, i);
	}
	v.value = 100 * share;
	v.variance = stats_ratio_variance(y, x, n, &v.df);
	v.variance = isnan(v.variance) ? NAN : 1e4 * fmax(v.variance, share * (1 - share) / all);
	return v;
}

static int walk_paths(struct diff_table *t, enum diff_side_number side)
{
	int err = 0;

	for (enum stages_path p = 0; !err && p < STAGES_PATH_COUNT; p++) {
		struct diff_row r = { .id = { p }, .title = stages_path_titles[p], .place = p };

		r.m[0].side[side] = path_percent(t->side[side], p);
		if (is_taken(t, p))
			err = diff_add(t, side, &r);
	}
	return err;
}

const struct diff_subject_desc diff_paths = { .has = has_stages,
					      .walk = walk_paths,
					      .measures = 1,
					      .families = 1 };

/* ---- from stage to stage ----------------------------------------------------------------- */

static const enum dist_quantile stages_quantiles[] = { DIST_P50, DIST_P99 };

#define STAGES_QUANTILES (sizeof(stages_quantiles) / sizeof(*stages_quantiles))

static int add_quantiles(struct diff_table *t, enum diff_side_number side,
			 const struct diff_row *key, const struct stages_row *row)
{
	const struct latency_history *h = t->side[side]->stages;
	int err = 0;

	for (size_t i = 0; !err && i < STAGES_QUANTILES; i++) {
		struct diff_row r = *key;

		r.id[2] = stages_quantiles[i];
		r.place += i;
		r.m[0].side[side] = quantile_value(row->times,
						   latency_history_row(h, (ptrdiff_t)row->at),
						   h->pieces, stages_quantiles[i]);
		err = diff_add(t, side, &r);
	}
	return err;
}

/*
 * Order of the rows of each path: first the steps of the earlier recording, in the order of the path, then new steps,
 * then the whole path.
 */

static int walk_stages(struct diff_table *t, enum diff_side_number side)
{
	size_t place = side == DIFF_BEFORE ? 0 : SIZE_MAX / 2;
	struct stages_rows rows;
	int err = stages_rows_make(&rows, t->side[side]->m);

	for (size_t i = 0; !err && i < rows.n; i++) {
		const struct stages_row *row = &rows.row[i];
		bool whole = row->from == STAGES_WHOLE;
		const struct diff_row r = { .group = row->path,
					    .id = { whole ? DIFF_WHOLE_PATH : row->from,
						    whole ? DIFF_WHOLE_PATH : row->to },
					    .place = whole ? SIZE_MAX - STAGES_QUANTILES :
							     place + i * STAGES_QUANTILES };

		err = add_quantiles(t, side, &r, row);
	}
	stages_rows_free(&rows);
	return err;
}

const struct diff_subject_desc diff_stages = { .has = has_stages,
					       .walk = walk_stages,
					       .measures = 1,
					       .test = DIFF_TEST_INTERVAL,
					       .families = 1 };

/* ---- counts ---------------------------------------------------------------------------- */

/*
 * Views (view.h) are compared by their counts per second. The variance is estimated from the variation between
 * intervals of the recording.
 */

/* A row of one interval. */
struct counted {
	const struct view_row *row;
	size_t piece;
};

/* Compares two rows by the first attribute, so that all intervals of an attribute are next to each other. */
static int by_word(const void *pa, const void *pb)
{
	const struct counted *a = pa, *b = pb;
	int order = diff_strings(a->row->by[0].s, b->row->by[0].s);

	return order ? order : diff_numbers(a->piece, b->piece);
}

static struct counted *all_rows(const struct view_times *t, size_t *n)
{
	struct counted *all;
	size_t rows = 0;

	*n = 0;
	for (size_t i = 0; i < t->n; i++)
		rows += t->piece[i].n;
	all = malloc((rows + 1) * sizeof(*all));
	for (size_t i = 0; all && i < t->n; i++)
		for (size_t r = 0; r < t->piece[i].n; r++)
			all[(*n)++] = (struct counted){ &t->piece[i].row[r], i };
	if (all)
		qsort(all, *n, sizeof(*all), by_word);
	return all;
}

static double seconds_of(const struct interval *piece)
{
	return (double)(piece->end_ns - piece->begin_ns) * 1e-9;
}

/*
 * Returns true if the view was read in an interval. The reading at the beginning of the first interval does not count.
 */
static bool was_read(const struct view_times *t, size_t piece)
{
	return t->piece[piece].records > (piece ? t->piece[piece - 1].records : 1);
}

/*
 * Computes a value from the n rows of an attribute, which has at most one row in each interval. With VIEW_ABSENT, an
 * interval without a row counts as 0 if the view was read in it. If intervals have no reading, their counts are in the
 * next interval with a reading, so their time is also added to that interval.
 */
static struct diff_value value_of(const struct diff_side *s, unsigned int use,
				  const struct counted *of, size_t n, size_t value)
{
	const struct view_times *t = &s->views[use];
	double y[DIFF_PIECES], x[DIFF_PIECES], sum = NAN, seconds = 0, unread = 0;
	struct diff_value v = diff_nothing;
	size_t pieces = t->n < DIFF_PIECES ? t->n : DIFF_PIECES;

	for (size_t i = 0; i < pieces; i++) {
		y[i] = view_uses[use].where & VIEW_ABSENT && was_read(t, i) ? 0 : NAN;
		x[i] = seconds_of(&s->iv->row[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (of[i].piece < pieces)
			y[of[i].piece] = of[i].row->value[value];
	for (size_t i = 0; i < pieces; i++) {
		unread += isnan(y[i]) && !isnan(sum) ? x[i] : 0;
		if (isnan(y[i]))
			continue;
		x[i] += unread;
		unread = 0;
		known_add(&sum, y[i]);
		seconds += x[i];
	}
	v.value = known_ratio(sum, seconds);
	v.ci95 = 0;
	v.variance = stats_ratio_variance(y, x, pieces, &v.df);
	return isnan(v.value) ? diff_nothing : v;
}

/*
 * Returns true if a value was counted all the time. Runs of interrupts and their time are counted only while the probes
 * are attached.
 */
static bool is_counted(const struct diff_side *s, const struct trace_key_desc *k)
{
	return !s->m->npauses || k->type != TRACE_IRQ_STATS || k->key == TRACE_IRQ_STATS_INTERRUPTS;
}

static int add(struct diff_table *t, enum diff_side_number side, unsigned int use,
	       const struct counted *of, size_t n)
{
	const struct view *v = &t->side[side]->views[use].view;
	int err = 0;

	for (size_t i = 0; i < v->nvalues && !err; i++) {
		struct diff_row r = { .group = use,
				      .name = of->row->by[0].s ? of->row->by[0].s : "",
				      .of = v->value[i]->name,
				      .place = i };

		if (is_counted(t->side[side], v->value[i]))
			r.m[0].side[side] = value_of(t->side[side], use, of, n, i);
		else
			r.m[0].side[side] = diff_nothing;
		if (!isnan(r.m[0].side[side].value))
			err = diff_add(t, side, &r);
	}
	return err;
}

static int walk_view(struct diff_table *t, enum diff_side_number side, unsigned int use)
{
	size_t n, end;
	struct counted *all = all_rows(&t->side[side]->views[use], &n);
	int err = all ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && !err; i = end) {
		for (end = i + 1; end < n;) {
			if (diff_strings(all[i].row->by[0].s, all[end].row->by[0].s))
				break;
			end++;
		}
		err = add(t, side, use, &all[i], end - i);
	}
	free(all);
	return err;
}

static int walk(struct diff_table *t, enum diff_side_number side)
{
	int err = 0;

	t->absent[side][0] = diff_nothing;
	for (unsigned int i = 0; i < VIEW_USES_COUNT && !err; i++) {
		if (!(view_uses[i].where & VIEW_DIFF))
			continue;
		err = t->side[side]->views[i].no_memory ? -ENOMEM : walk_view(t, side, i);
	}
	return err;
}

/* Sets the value of a side that lacks the row because nothing was counted. */
static void set_absent(struct diff_value *v, const struct diff_side *s, unsigned int use)
{
	if (isnan(v->value) && view_uses[use].where & VIEW_ABSENT &&
	    s->m->records[view_uses[use].type])
		*v = value_of(s, use, NULL, 0, 0);
}

static bool has_counts(const struct diff_side *s)
{
	bool any = false;

	for (size_t i = 0; i < VIEW_USES_COUNT; i++)
		any |= view_uses[i].where & VIEW_DIFF && s->m->records[view_uses[i].type];
	return any && s->views && model_is_of_all(s->m);
}

/* Drops rows that are 0 on both sides. */
static void finish(struct diff_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct diff_row *r = &t->row[i];
		bool moved = false;

		for (unsigned int side = 0; side < DIFF_SIDES; side++) {
			set_absent(&r->m[0].side[side], t->side[side], r->group);
			moved |= r->m[0].side[side].value > 0;
		}
		if (moved)
			t->row[n++] = *r;
	}
	t->n = n;
}

static int by_name(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order = a->group == b->group ? diff_by_name(a, b) : diff_numbers(a->group, b->group);

	return order;
}

const struct diff_subject_desc diff_counts = { .has = has_counts,
					       .walk = walk,
					       .finish = finish,
					       .order = by_name,
					       .measures = 1,
					       .test = DIFF_TEST_T,
					       .families = 1 };
