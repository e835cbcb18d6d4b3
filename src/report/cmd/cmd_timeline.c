// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report timeline: a row for each piece of time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "every.h"
#include "filter_options.h"
#include "report/analysis/by.h"
#include "report/analysis/timeline.h"
#include "report/base/csv.h"
#include "report/base/escape.h"
#include "report/base/tell.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/tables/model_json.h"
#include "report/tables/model_text.h"

struct printed {
	const struct config *cfg;
	struct intervals intervals;
};

/* ---- text -------------------------------------------------------------------------------- */

static void text_heading(FILE *out, const struct model *m, const struct part *part, bool task)
{
	if (!part->first)
		fputs("\n\n", out);
	fprintf(out, "%s\n", PART_TITLE(part));
	text_filter(out, m);
	fprintf(out, "%10s %10s", "from s", "to s");
	for (size_t i = 0; i < BY_COLUMNS; i++)
		if (by_column[i].leaves != LEAF_BIT(TASK) || task)
			fprintf(out, " %6s", by_column[i].title);
	fprintf(out, " %7s %15s %11s %9s %7s\n", "network", "by samples", "packets/s", "Mbit/s",
		"net W");
}

static void text_row(FILE *out, const struct model *m, const struct timeline_row *r, bool task)
{
	const struct split_cpu *c = &r->split;
	struct split_value network = split_sum(c, LEAF_NETWORK);

	fprintf(out, "%10s %10s", NUM(r->begin_s, 3), NUM(r->end_s, 3));
	for (size_t i = 0; i < BY_COLUMNS; i++)
		if (by_column[i].leaves != LEAF_BIT(TASK) || task)
			fprintf(out, " %6s",
				PERCENT(split_sum(c, by_column[i].leaves).ns / c->wall_ns, 2));
	fprintf(out, " %7s %15s %11s %9s %7s\n", PERCENT(network.ns / c->wall_ns, 2),
		SHARE(network.sampled, network.sampled_ci95), NUM(r->packets_per_s, 0),
		NUM(r->bits_per_s / 1e6, 1), NUM(r->network_w, 2));
	for (size_t i = r->moment; i < r->moment + r->nmoments; i++)
		fprintf(out, "  mark at %s s: %s\n", NUM(model_seconds(m, m->moment[i].at_ns), 3),
			SAFE(model_string(m, m->moment[i].text)));
}

static void text_notes(FILE *out, const struct printed *t, const struct model *m)
{
	fprintf(out, "Columns from idle to network: %% of CPU time; exact where that is known.\n");
	if (t->intervals.outside)
		fprintf(out,
			"%" PRIu64
			" samples before the first tick or behind the last are in no row.\n",
			t->intervals.outside);
	if (filter_has_tasks(m->filter))
		fprintf(out, "By samples of these tasks alone: exact times are per CPU.\n");
	if (filter_has_tasks(m->filter) || filter_has_cpus(m->filter))
		fprintf(out, "Packets and energy are those of all CPUs and tasks: not shown.\n");
	if (m->records[TRACE_MARK] > m->nmoments)
		fprintf(out, "%" PRIu64 " more marks; dump has them all.\n",
			m->records[TRACE_MARK] - m->nmoments);
}

/* ---- JSON, CSV --------------------------------------------------------------------------- */

static void json_row(struct json *j, const struct model *m, const struct timeline_row *r)
{
	json_object(j, NULL);
	json_num(j, "begin_s", r->begin_s, 6);
	json_num(j, "end_s", r->end_s, 6);
	json_uint(j, "samples", r->samples);
	by_json_split(j, &r->split);
	json_num(j, "interface_packets_per_s", r->packets_per_s, 1);
	json_num(j, "interface_bits_per_s", r->bits_per_s, 0);
	json_num(j, "package_and_dram_w", r->total_w, 6);
	json_num(j, "network_w", r->network_w, 6);
	json_array(j, "marks");
	for (size_t i = r->moment; i < r->moment + r->nmoments; i++) {
		json_object(j, NULL);
		json_num(j, "s", model_seconds(m, m->moment[i].at_ns), 6);
		json_model_string(j, "text", m, m->moment[i].text);
		json_object_end(j);
	}
	json_array_end(j);
	json_object_end(j);
}

static void csv_heading(FILE *out, const struct part *part)
{
	if (!part->first)
		return;
	fprintf(out, "%sbegin_s,end_s,samples", csv_part_heading(part));
	by_csv_headings(out);
	fputs(",interface_packets_per_s,interface_bits_per_s,package_and_dram_w,network_w,marks\n",
	      out);
}

/* Marks of a row are one cell, with blanks and semicolons between them. */
static void csv_row(FILE *out, const struct part *part, const struct model *m,
		    const struct timeline_row *r)
{
	char marks[SAFE_SIZE] = "";

	csv_part(out, part);
	fprintf(out, "%.6f,%.6f,%" PRIu64, r->begin_s, r->end_s, r->samples);
	by_csv_split(out, &r->split);
	csv_num(out, r->packets_per_s, 1);
	csv_num(out, r->bits_per_s, 0);
	csv_num(out, r->total_w, 6);
	csv_num(out, r->network_w, 6);
	for (size_t i = r->moment; i < r->moment + r->nmoments; i++)
		snprintf(marks + strlen(marks), sizeof(marks) - strlen(marks), "%s%s",
			 *marks ? "; " : "", SAFE(model_string(m, m->moment[i].text)));
	fputc(',', out);
	if (*marks)
		csv_text(out, marks);
	fputc('\n', out);
}

/* ---- command ----------------------------------------------------------------------------- */

static int each_row(const struct printed *t, const struct model *m, const struct part *part,
		    struct json *j, bool task)
{
	struct timeline_row r = { 0 };
	struct timeline timeline;
	int err = 0;

	timeline_init(&timeline, &t->intervals, m);
	for (size_t i = 0; !err && i < t->intervals.n; i++) {
		err = timeline_row(&r, &timeline, i);
		if (err)
			break;
		if (!strcmp(t->cfg->format, "json"))
			json_row(j, m, &r);
		else if (!strcmp(t->cfg->format, "csv"))
			csv_row(stdout, part, m, &r);
		else
			text_row(stdout, m, &r, task);
	}
	return err;
}

static int print_json(const struct printed *t, const struct model *m, const struct part *part)
{
	struct json j = { .out = stdout };
	int err;

	json_object(&j, NULL);
	json_part(&j, part);
	json_ended(&j, m);
	json_filter(&j, m);
	json_uint(&j, "samples_outside", t->intervals.outside);
	json_uint(&j, "marks_in_all", m->records[TRACE_MARK]);
	json_array(&j, "rows");
	err = each_row(t, m, part, &j, false);
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
	return err;
}

/* Where a CPU has no samples in some piece user mode is not told from the kernel. */
static int find_task(const struct printed *t, const struct model *m, bool *task)
{
	struct split_cpu all;
	int err = 0;

	for (size_t i = 0; !err && !*task && i < t->intervals.n; i++) {
		err = interval_split(&t->intervals, i, m, &all);
		*task = !err && all.leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED;
	}
	return err;
}

static int print_text(const struct printed *t, const struct model *m, const struct part *part)
{
	bool task = false;
	int err = find_task(t, m, &task);

	if (err)
		return err;

	text_heading(stdout, m, part, task);
	err = each_row(t, m, part, NULL, task);
	text_notes(stdout, t, m);
	return err;
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct printed *t = ctx;
	int err;

	if (!every_fits(&t->intervals, PART_TITLE(part)))
		return false;
	if (!strcmp(t->cfg->format, "json")) {
		err = print_json(t, m, part);
	} else if (!strcmp(t->cfg->format, "csv")) {
		csv_heading(stdout, part);
		err = each_row(t, m, part, NULL, false);
	} else {
		err = print_text(t, m, part);
	}
	if (err)
		tell(PART_TITLE(part), "out of memory");
	return !err;
}

static enum exit_status run(const struct config *cfg)
{
	struct printed t = { .cfg = cfg };
	struct filter filter;
	const struct input_wanted wanted = {
		.file = cfg->file,
		.select = cfg->part,
		.rules = cfg->rules,
		.filter = &filter,
		.intervals = &t.intervals,
	};
	uint64_t every_ns;
	bool ok;

	if (!every_parse(cfg->every, &every_ns) || !filter_parse(&filter, cfg))
		return EXIT_USAGE;
	intervals_init(&t.intervals, every_ns);
	ok = input_each_model(&wanted, print, &t);
	intervals_free(&t.intervals);
	filter_free(&filter);
	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static const char *const formats[] = { "text", "json", "csv", NULL };

static const struct opt_desc opts[] = {
	OPT_FORMAT(formats), OPT_EVERY, OPT_PART, OPT_RULES, OPT_FILTER,
};

const struct command command_timeline = {
	.name = "timeline",
	.help = "CPU time, traffic and power as they change: a row a tick",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
