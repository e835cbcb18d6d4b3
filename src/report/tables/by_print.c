// SPDX-License-Identifier: BSD-2-Clause
/* Rows of the split, as text, JSON and CSV. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model_json.h"
#include "report/analysis/by.h"
#include "report/base/csv.h"
#include "report/base/escape.h"
#include "report/base/text.h"
#include "summary_text.h"

const struct by_column by_column[BY_COLUMNS] = {
	{ "idle", LEAF_BIT(IDLE) },
	{ "user", LEAF_BIT(USER) },
	{ "send", LEAF_BIT(SOCK_SEND) },
	{ "recv", LEAF_BIT(SOCK_RECV) },
	{ "RX", LEAF_BIT(RX_SOFTIRQ) },
	{ "TX", LEAF_BIT(TX_SOFTIRQ) },
	{ "othnet", LEAF_BIT(OTHER_NETWORK) },
	{ "other", LEAF_BIT(SOCK_LOCAL) | LEAF_BIT(IO_WORKER) | LEAF_BIT(OTHER_KERNEL) },
	{ "task", LEAF_BIT(TASK) },
};

bool by_has_column(const struct split_cpu *all, size_t column)
{
	return by_column[column].leaves != LEAF_BIT(TASK) ||
	       all->leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED;
}

/* ---- text -------------------------------------------------------------------------------- */

const char *by_row_name(const struct by *by, const struct by_row *r, char *buf, size_t size)
{
	if (by->kind == BY_INTERVAL)
		snprintf(buf, size, "%.3f - %.3f s", r->begin_s, r->end_s);
	else if (by->kind == BY_CPU)
		snprintf(buf, size, "CPU %" PRIu64, r->id);
	else if (by->kind == BY_CGROUP)
		snprintf(buf, size, "%s", *r->name ? SAFE(r->name) : "[unknown]");
	else if (r->id == TRACE_NIL)
		snprintf(buf, size, "%.18s", *r->name ? SAFE(r->name) : "[unknown]");
	else
		snprintf(buf, size, "%.18s (%" PRIu64 ")", SAFE(r->name), r->id);
	return buf;
}

static void text_row(FILE *out, const struct by *by, const char *name, const struct by_row *r)
{
	const struct split_cpu *c = &r->split;
	struct split_value network = split_sum(c, LEAF_NETWORK);

	fprintf(out, "  %-24s %8" PRIu64 " %10s", name, r->samples, NUM(c->wall_ns / 1e6, 1));
	for (size_t i = 0; i < BY_COLUMNS; i++)
		if (by_has_column(&by->all.split, i))
			fprintf(out, " %6s",
				PERCENT(split_sum(c, by_column[i].leaves).ns / c->wall_ns, 2));
	fprintf(out, " %9s %7s %15s\n", NUM(network.ns / 1e6, 1),
		PERCENT(network.ns / c->wall_ns, 2), SHARE(network.sampled, network.sampled_ci95));
}

static void text_notes(FILE *out, const struct by *by)
{
	bool idle_exact = by->s->split.all.leaf[LEAF_IDLE].how == SPLIT_EXACT;

	if (!by_is_sampled(by->kind)) {
		if (by->samples_outside)
			fprintf(out,
				"%" PRIu64
				" samples before the first tick or behind the last are in no row.\n",
				by->samples_outside);
		return;
	}
	fprintf(out, "By samples alone: exact counters are per CPU, not per task.\n");
	if (idle_exact)
		fprintf(out, "Idle time, which is known exactly, is in no row.\n");
}

void by_text(FILE *out, const struct by *by)
{
	char name[SAFE_SIZE];

	text_heading(out, by->s);
	fprintf(out, "\n%-26s %8s %10s", "", "samples", "CPU ms");
	for (size_t i = 0; i < BY_COLUMNS; i++)
		if (by_has_column(&by->all.split, i))
			fprintf(out, " %6s", by_column[i].title);
	fprintf(out, " %9s %7s %15s\n", "net ms", "network", "by samples");
	for (size_t i = 0; i < by->n; i++)
		text_row(out, by, by_row_name(by, &by->row[i], name, sizeof(name)), &by->row[i]);
	if (by->nothers) {
		snprintf(name, sizeof(name), "%zu others", by->nothers);
		text_row(out, by, name, &by->others);
	}
	text_row(out, by, "all", &by->all);
	fprintf(out, "Columns from idle to other, and network: %% of the row's CPU time.\n");
	text_notes(out, by);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void json_share(struct json *j, const char *key, double share)
{
	json_num(j, key, 100 * share, 4);
}

void by_json_split(struct json *j, const struct split_cpu *c)
{
	struct split_value network = split_sum(c, LEAF_NETWORK);

	json_num(j, "ns", c->wall_ns, 0);
	json_num(j, "network_ns", network.ns, 0);
	json_num(j, "network_ci95_ns", isnan(network.ns) ? NAN : network.ci95_ns, 0);
	json_share(j, "network_percent", network.ns / c->wall_ns);
	json_share(j, "network_sampled_percent", network.sampled);
	json_share(j, "network_sampled_ci95_percent", network.sampled_ci95);
	json_object(j, "leaf_ns");
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		json_num(j, leaf_desc[l].key, c->leaf[l].ns, 0);
	json_object_end(j);
	json_object(j, "leaf_sampled_percent");
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		json_share(j, leaf_desc[l].key, c->leaf[l].sampled);
	json_object_end(j);
}

static void json_row(struct json *j, const char *key, const struct by *by, const struct by_row *r)
{
	json_object(j, key);
	if (by->kind == BY_INTERVAL && !key) {
		json_num(j, "begin_s", r->begin_s, 6);
		json_num(j, "end_s", r->end_s, 6);
	} else if (!key) {
		if (r->id == TRACE_NIL)
			json_null(j, by_names[by->kind]);
		else
			json_uint(j, by_names[by->kind], r->id);
		if (r->name)
			json_str(j, "name", r->name);
	} else {
		json_uint(j, "rows", by->nothers);
	}
	json_uint(j, "samples", r->samples);
	by_json_split(j, &r->split);
	json_object_end(j);
}

void by_json(FILE *out, const struct by *by)
{
	struct json j = { .out = out };

	json_object(&j, NULL);
	json_part(&j, by->s->part);
	json_ended(&j, by->s->m);
	json_filter(&j, by->s->m);
	json_str(&j, "by", by_names[by->kind]);
	json_uint(&j, "samples_outside", by->samples_outside);
	json_array(&j, "rows");
	for (size_t i = 0; i < by->n; i++)
		json_row(&j, NULL, by, &by->row[i]);
	json_array_end(&j);
	if (by->nothers)
		json_row(&j, "others", by, &by->others);
	else
		json_null(&j, "others");
	json_object_end(&j);
	json_end(&j);
}

/* ---- CSV --------------------------------------------------------------------------------- */

void by_csv_headings(FILE *out)
{
	fputs(",ns", out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		fprintf(out, ",%s_ns", leaf_desc[l].key);
	fputs(",network_ns,network_ci95_ns,network_sampled_percent,network_sampled_ci95", out);
}

void by_csv_split(FILE *out, const struct split_cpu *c)
{
	struct split_value network = split_sum(c, LEAF_NETWORK);

	csv_num(out, c->wall_ns, 0);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		csv_num(out, c->leaf[l].ns, 0);
	csv_num(out, network.ns, 0);
	csv_num(out, isnan(network.ns) ? NAN : network.ci95_ns, 0);
	csv_num(out, 100 * network.sampled, 4);
	csv_num(out, 100 * network.sampled_ci95, 4);
}

static void csv_row(FILE *out, const struct by *by, const struct by_row *r, bool others)
{
	csv_part(out, by->s->part);
	if (others)
		fputs("others", out);
	else if (by->kind == BY_INTERVAL)
		fprintf(out, "%.6f", r->begin_s);
	else if (r->id != TRACE_NIL)
		fprintf(out, "%" PRIu64, r->id);
	fputc(',', out);
	if (by->kind == BY_INTERVAL && !others)
		fprintf(out, "%.6f", r->end_s);
	else if (!others && r->name)
		csv_text(out, r->name);
	fprintf(out, ",%" PRIu64, r->samples);
	by_csv_split(out, &r->split);
	fputc('\n', out);
}

void by_csv(FILE *out, const struct by *by)
{
	bool interval = by->kind == BY_INTERVAL;

	if (by->s->part->first) {
		fprintf(out, "%s%s,%s,samples", csv_part_heading(by->s->part),
			interval ? "begin_s" : by_names[by->kind], interval ? "end_s" : "name");
		by_csv_headings(out);
		fputc('\n', out);
	}
	for (size_t i = 0; i < by->n; i++)
		csv_row(out, by, &by->row[i], false);
	if (by->nothers)
		csv_row(out, by, &by->others, true);
}
