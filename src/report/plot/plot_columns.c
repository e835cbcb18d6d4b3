// SPDX-License-Identifier: BSD-2-Clause
#include "plot_columns.h"

#include <math.h>
#include <stdlib.h>

#include "report/analysis/known.h"
#include "report/analysis/timeline.h"
#include "report/model/filter.h"

/* What a hostile file makes infinite counts as not known. */
static void add(double *sum, double v)
{
	if (isfinite(v))
		known_add(sum, v);
}

static bool has_exact_parts(const struct intervals *iv, const struct model *m)
{
	for (size_t i = 0; i < iv->n && !filter_has_tasks(m->filter); i++)
		for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
			if (!isnan(iv->row[i].host.part_ns[p]))
				return true;
	return false;
}

/* The time of a piece that is in none of the parts is the RX softirq's own. */
static void add_exact_rx(const struct interval_host *host, double rx_ns, double *rx)
{
	double known = NAN;

	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		add(&rx[p], host->part_ns[p]);
		add(&known, host->part_ns[p]);
	}
	if (isnan(known))
		add(&rx[NETCOST_PART_COUNT + 1], rx_ns);
	else
		add(&rx[NETCOST_PART_COUNT], rx_ns - known);
}

/* The time of a piece, divided among the parts by its samples. */
static void add_sampled_rx(const struct plot_columns *c, const uint32_t *samples, double rx_ns,
			   double *rx)
{
	uint64_t all = 0;

	for (size_t i = 0; samples && i + 1 < c->nrx; i++)
		all += samples[i];
	if (!all)
		add(&rx[c->nrx - 1], rx_ns);
	for (size_t i = 0; all && i + 1 < c->nrx; i++)
		if (samples[i])
			add(&rx[i], rx_ns * samples[i] / (double)all);
}

static void add_row(struct plot_columns *c, size_t at, const struct timeline_row *r,
		    const struct intervals *iv, size_t i)
{
	struct plot_column *to = &c->column[at];
	double *rx = &c->rx[at * c->nrx], rx_ns = r->split.leaf[LEAF_RX_SOFTIRQ].ns;

	to->end_s = r->end_s;
	add(&to->wall_ns, r->split.wall_ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		add(&to->leaf_ns[l], r->split.leaf[l].ns);
		c->partly[l] |= isnan(r->split.leaf[l].ns);
	}
	if (c->exact)
		add_exact_rx(&iv->row[i].host, rx_ns, rx);
	else
		add_sampled_rx(c, iv->rx ? &iv->rx[i * iv->ncategories] : NULL, rx_ns, rx);
	if (isnan(r->total_w) || isnan(r->network_w))
		return;
	add(&to->total_j, r->total_w * r->seconds);
	add(&to->network_j, r->network_w * r->seconds);
	add(&to->energy_s, r->seconds);
}

static void begin_column(struct plot_column *c, double begin_s)
{
	*c = (struct plot_column){ .begin_s = begin_s,
				   .wall_ns = NAN,
				   .total_j = NAN,
				   .network_j = NAN,
				   .energy_s = NAN };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		c->leaf_ns[l] = NAN;
}

/* The last piece ends with the recording, so it may be too short to mean much. */
static bool is_short(const struct plot_columns *c, const struct timeline_row *last)
{
	return last->seconds < (c->column[0].end_s - c->column[0].begin_s) / 2;
}

static bool fill(struct plot_columns *c, const struct intervals *iv, const struct model *m)
{
	size_t together = (iv->n + PLOT_COLUMNS - 1) / PLOT_COLUMNS;
	struct timeline_row r = { 0 };
	struct timeline t;

	timeline_init(&t, iv, m);
	for (size_t i = 0; i < iv->n; i++) {
		if (timeline_row(&r, &t, i))
			return false;
		if (i % together == 0 && !(c->n && i + 1 == iv->n && is_short(c, &r)))
			begin_column(&c->column[c->n++], r.begin_s);
		add_row(c, c->n - 1, &r, iv, i);
	}
	return true;
}

struct plot_columns *plot_columns_new(const struct intervals *iv, const struct model *m, bool exact)
{
	struct plot_columns *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->exact = exact && has_exact_parts(iv, m);
	c->nrx = 1 + (c->exact ? NETCOST_PART_COUNT + 1 : iv->ncategories);
	c->rx = calloc(PLOT_COLUMNS * c->nrx, sizeof(*c->rx));
	if (!c->rx || !fill(c, iv, m)) {
		plot_columns_free(c);
		return NULL;
	}
	return c;
}

void plot_columns_free(struct plot_columns *c)
{
	if (c)
		free(c->rx);
	free(c);
}
