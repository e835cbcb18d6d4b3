// SPDX-License-Identifier: BSD-2-Clause
/* A comparison as JSON and CSV. Keys are stable; what was not measured or not tested is null. */
#include <inttypes.h>
#include <math.h>

#include "report/analysis/diff/diff.h"
#include "model_json.h"
#include "report/analysis/diff/diff_side.h"
#include "report/base/csv.h"
#include "report/base/stats.h"

#define DECIMALS 6

/* ---- JSON -------------------------------------------------------------------------------- */

static void json_side(struct json *j, const char *key, const struct diff_side *s)
{
	const struct model *m = s->m;
	const struct model_header *h = &m->header;

	json_object(j, key);
	json_part(j, s->part);
	json_ended(j, m);
	json_num(j, "seconds", s->summary.ticks_s, 6);
	json_uint(j, "pieces", s->npieces);
	json_model_string(j, "kernel", m, h->kernel);
	json_model_string(j, "cpu_model", m, h->cpu_model);
	json_uint(j, "cpus", h->ncpus);
	json_model_string(j, "exact", m, h->exact);
	json_uint(j, "sample_hz", h->sample_hz);
	json_model_string(j, "sample_event", m, h->sample_event);
	json_uint(j, "samples", m->samples);
	json_num(j, "interface_packets", s->summary.packets, 0);
	json_object_end(j);
}

static double ci95(const struct diff_value *v)
{
	return stats_t95(v->df) * sqrt(v->variance);
}

static void json_value(struct json *j, const char *key, const struct diff_value *v)
{
	json_object(j, key);
	json_num(j, "value", v->value, DECIMALS);
	json_num(j, "ci95", ci95(v), DECIMALS);
	json_num(j, "samples", v->samples, 0);
	if (v->how == SPLIT_NOT_MEASURED)
		json_null(j, "source");
	else
		json_str(j, "source", split_how_name(v->how));
	json_object_end(j);
}

static void json_change(struct json *j, const struct diff_change *c)
{
	json_value(j, "before", &c->before);
	json_value(j, "after", &c->after);
	json_num(j, "change", c->change, DECIMALS);
	json_num(j, "change_ci95", c->ci95, DECIMALS);
	json_num(j, "change_percent", 100 * c->relative, 4);
	json_num(j, "change_percent_ci95", 100 * c->relative_ci95, 4);
	json_num(j, "p", c->p, 9);
	json_num(j, "p_corrected", c->p_adjusted, 9);
	json_str(j, "verdict", diff_verdict[c->verdict].key);
}

static void json_rows(struct json *j, const struct diff *d, const struct diff_watch *w)
{
	json_array(j, "categories");
	for (size_t i = 0; i < d->nrows; i++) {
		const struct diff_row *r = &d->row[i];

		json_object(j, NULL);
		json_str(j, "table", diff_table_names[r->table]);
		json_str(j, "key", r->key);
		if (r->leaf)
			json_str(j, "leaf", r->leaf);
		else
			json_null(j, "leaf");
		json_uint(j, "depth", r->depth);
		json_change(j, &r->c);
		json_bool(j, "watched", diff_is_watched(r, w->only));
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_functions(struct json *j, const struct diff *d)
{
	json_array(j, "functions");
	for (size_t i = 0; i < d->nshown; i++) {
		const struct diff_function *f = &d->function[i];

		json_object(j, NULL);
		json_str(j, "function", *f->name ? f->name : "[unknown]");
		if (*f->module)
			json_str(j, "module", f->module);
		else
			json_null(j, "module");
		json_object(j, "self");
		json_change(j, &f->self);
		json_object_end(j);
		json_object(j, "inclusive");
		json_change(j, &f->inclusive);
		json_object_end(j);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_worse(struct json *j, const struct diff *d, const struct diff_watch *w)
{
	json_num(j, "fail_above_percent", 100 * w->above, 4);
	json_array(j, "failed");
	for (size_t i = 0; i < d->nrows; i++)
		if (diff_is_watched(&d->row[i], w->only) && diff_is_worse(&d->row[i].c, w->above))
			json_str(j, NULL, d->row[i].key);
	json_array_end(j);
}

void diff_json(FILE *out, const struct diff *d, const struct diff_watch *watch)
{
	struct json j = { .out = out };

	json_object(&j, NULL);
	json_side(&j, "before", d->before);
	json_side(&j, "after", d->after);
	json_filter(&j, d->before->m);
	json_str(&j, "per", diff_per[d->per].name);
	json_str(&j, "unit", diff_per[d->per].key);
	json_array(&j, "notes");
	for (size_t i = 0; i < d->nnotes; i++)
		json_str(&j, NULL, d->note[i]);
	json_array_end(&j);
	json_uint(&j, "categories_tested", d->tested_rows);
	json_rows(&j, d, watch);
	json_uint(&j, "functions_in_all", d->nfunctions);
	json_uint(&j, "functions_tested", d->tested_functions);
	json_functions(&j, d);
	json_worse(&j, d, watch);
	json_object_end(&j);
	json_end(&j);
}

/* ---- CSV --------------------------------------------------------------------------------- */

static void csv_change(FILE *out, const struct diff_change *c)
{
	csv_num(out, c->before.value, DECIMALS);
	csv_num(out, ci95(&c->before), DECIMALS);
	csv_num(out, c->after.value, DECIMALS);
	csv_num(out, ci95(&c->after), DECIMALS);
	csv_num(out, c->change, DECIMALS);
	csv_num(out, c->ci95, DECIMALS);
	csv_num(out, 100 * c->relative, 4);
	csv_num(out, 100 * c->relative_ci95, 4);
	csv_num(out, c->p, 9);
	csv_num(out, c->p_adjusted, 9);
	fprintf(out, ",%s\n", diff_verdict[c->verdict].key);
}

static void csv_function(FILE *out, const struct diff_function *f, const char *table,
			 const struct diff_change *c)
{
	fprintf(out, "%s,", table);
	csv_text(out, *f->name ? f->name : "[unknown]");
	fputc(',', out);
	if (*f->module)
		csv_text(out, f->module);
	csv_change(out, c);
}

void diff_csv(FILE *out, const struct diff *d)
{
	fputs("table,name,module,before,before_ci95,after,after_ci95,change,change_ci95,change_percent,"
	      "change_percent_ci95,p,p_corrected,verdict\n",
	      out);
	for (size_t i = 0; i < d->nrows; i++) {
		fprintf(out, "%s,%s,", diff_table_names[d->row[i].table], d->row[i].key);
		csv_change(out, &d->row[i].c);
	}
	for (size_t i = 0; i < d->nshown; i++) {
		csv_function(out, &d->function[i], "self", &d->function[i].self);
		csv_function(out, &d->function[i], "inclusive", &d->function[i].inclusive);
	}
}
