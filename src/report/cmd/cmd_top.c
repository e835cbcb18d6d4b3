// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report top: the functions that take the network's time, or all of it. */
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "filter_options.h"
#include "report/analysis/top.h"
#include "report/base/csv.h"
#include "report/base/escape.h"
#include "report/base/tell.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/tables/model_json.h"
#include "report/tables/model_text.h"

#define ROWS 20

static const char *name_of(const struct top_row *r)
{
	return *r->name ? r->name : "[unknown]";
}

/* ---- text -------------------------------------------------------------------------------- */

static void share_column(FILE *out, const struct top_share *s)
{
	fprintf(out, " %15s", SHARE(s->share, s->ci95));
}

static void text_row(FILE *out, const struct top_row *r)
{
	share_column(out, &r->self);
	share_column(out, &r->inclusive);
	fprintf(out, "  %-32s", SAFE(name_of(r)));
	if (*r->module)
		fprintf(out, " [%s]", SAFE(r->module));
	fprintf(out, "  %s", r->category->title);
	if (r->category_share < 0.995)
		fprintf(out, " (%s %%)", PERCENT(r->category_share, 0));
	fputc('\n', out);
}

static void text(FILE *out, const struct top *t, const struct part *part, bool all)
{
	struct top_share rest = { .share = (double)t->rest / (double)t->samples };

	if (!part->first)
		fputs("\n\n", out);
	fprintf(out, "%s: %" PRIu64 " of %" PRIu64 " samples%s; shares of these, in %%\n",
		PART_TITLE(part), t->samples, t->of, all ? "" : " are the network's");
	text_filter(out, t->m);
	if (!t->samples)
		return;
	fprintf(out, " %15s %15s  %-32s  %s\n", "self", "inclusive", "function",
		"mostly (so much of it)");
	for (size_t i = 0; i < t->n; i++)
		text_row(out, &t->row[i]);
	if (t->functions > t->n)
		fprintf(out, " %6s %25s  %zu others\n", PERCENT(rest.share, 2), "",
			t->functions - t->n);
}

/* ---- JSON, CSV --------------------------------------------------------------------------- */

static void json_share(struct json *j, const char *key, const struct top_share *s)
{
	json_object(j, key);
	json_uint(j, "samples", s->samples);
	json_num(j, "percent", 100 * s->share, 4);
	json_num(j, "ci95_percent", 100 * s->ci95, 4);
	json_object_end(j);
}

static void print_json(FILE *out, const struct top *t, const struct part *part, bool all)
{
	struct json j = { .out = out };

	json_object(&j, NULL);
	json_part(&j, part);
	json_ended(&j, t->m);
	json_filter(&j, t->m);
	json_str(&j, "of", all ? "all" : "network");
	json_uint(&j, "samples", t->samples);
	json_uint(&j, "samples_in_all", t->of);
	json_uint(&j, "functions_in_all", t->functions);
	json_uint(&j, "other_functions_self_samples", t->rest);
	json_array(&j, "functions");
	for (size_t i = 0; i < t->n; i++) {
		const struct top_row *r = &t->row[i];

		json_object(&j, NULL);
		json_str(&j, "function", name_of(r));
		if (*r->module)
			json_str(&j, "module", r->module);
		else
			json_null(&j, "module");
		json_share(&j, "self", &r->self);
		json_share(&j, "inclusive", &r->inclusive);
		json_str(&j, "category", r->category->key);
		json_num(&j, "category_percent", 100 * r->category_share, 4);
		json_object_end(&j);
	}
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
}

static void csv_share(FILE *out, const struct top_share *s)
{
	fprintf(out, ",%" PRIu64, s->samples);
	csv_num(out, 100 * s->share, 4);
	csv_num(out, 100 * s->ci95, 4);
}

static void print_csv(FILE *out, const struct top *t, const struct part *part)
{
	if (part->first)
		fprintf(out,
			"%sfunction,module,self_samples,self_percent,self_ci95,inclusive_samples,"
			"inclusive_percent,inclusive_ci95,category,category_percent\n",
			csv_part_heading(part));
	for (size_t i = 0; i < t->n; i++) {
		const struct top_row *r = &t->row[i];

		csv_part(out, part);
		csv_text(out, name_of(r));
		fputc(',', out);
		if (*r->module)
			csv_text(out, r->module);
		csv_share(out, &r->self);
		csv_share(out, &r->inclusive);
		fprintf(out, ",%s", r->category->key);
		csv_num(out, 100 * r->category_share, 4);
		fputc('\n', out);
	}
}

/* ---- command ----------------------------------------------------------------------------- */

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	const struct config *cfg = *(const struct config *const *)ctx;
	struct top t;

	if (!m->header.sample_hz && !m->samples)
		tell(PART_TITLE(part),
		     "was recorded without samples (-F 0): there are no functions");
	if (top_make(&t, m, cfg->all ? LEAF_ALL : LEAF_NETWORK, cfg->rows ? cfg->rows : ROWS)) {
		tell(PART_TITLE(part), "out of memory");
		return false;
	}
	if (!strcmp(cfg->format, "json"))
		print_json(stdout, &t, part, cfg->all);
	else if (!strcmp(cfg->format, "csv"))
		print_csv(stdout, &t, part);
	else
		text(stdout, &t, part, cfg->all);
	top_free(&t);
	return true;
}

static enum exit_status run(const struct config *cfg)
{
	struct filter filter;
	const struct input_wanted wanted = { .file = cfg->file,
					     .select = cfg->part,
					     .rules = cfg->rules,
					     .keep = MODEL_MODULES,
					     .filter = &filter };
	bool ok;

	if (cfg->all && cfg->network) {
		fprintf(stderr, "netcost-report: --network and --all exclude each other\n");
		return EXIT_USAGE;
	}
	if (!filter_parse(&filter, cfg))
		return EXIT_USAGE;
	ok = input_each_model(&wanted, print, &cfg);
	filter_free(&filter);
	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static const char *const formats[] = { "text", "json", "csv", NULL };

static const struct opt_desc opts[] = {
	OPT_FORMAT(formats),
	{ .name = "network",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, network),
	  .help = "of the network's samples only (that is so unless --all is given)" },
	{ .name = "all",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, all),
	  .help = "of all samples, idle ones and user mode too" },
	OPT_ROWS("so many functions (20)"),
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
};

const struct command command_top = {
	.name = "top",
	.help = "the functions that take the network's time, themselves and with what they call",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
