// SPDX-License-Identifier: BSD-2-Clause
#include "per_doc.h"

#include <math.h>
#include <string.h>

#include "report/base/text.h"
#include "report/model/filter.h"
#include "split_columns.h"

bool per_is_wanted(const struct summary *s)
{
	return s->m->filter && s->m->filter->per;
}

/* What the user called it. */
static char *name_of(char *dst, size_t size, const struct filter *f)
{
	snprintf(dst, size, "%.*s", f ? (int)strcspn(f->per, "=") : 0, f ? f->per : "");
	return dst;
}

/* ---- CPU time ---------------------------------------------------------------------------- */

/* What is exact is known as well as netcost's own part of it is. */
static char *how_text(char *dst, size_t size, const struct split_value *v, double count)
{
	if (v->how == SPLIT_NOT_MEASURED)
		*dst = '\0';
	else if (v->ci95_ns > 0)
		snprintf(dst, size, "%s, +- %s", split_how_name(v->how),
			 NUM(v->ci95_ns / 1e6 / count, 6));
	else
		snprintf(dst, size, "%s", split_how_name(v->how));
	return dst;
}

static void time_row(struct doc *d, const struct split_cpu *all, const struct leaf_node *node,
		     double count, unsigned int depth)
{
	unsigned int absent = split_absent(all);
	struct split_value v = split_sum(all, node->leaves);
	char how[80];

	doc_row(d, depth, node->leaves & ~absent ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, node->title);
	doc_string(d, node->key);
	doc_number(d, v.ns / 1e6 / count);
	doc_number(d, isnan(v.ns) ? NAN : v.ci95_ns / 1e6 / count);
	doc_string(d, v.how == SPLIT_NOT_MEASURED ? NULL : split_how_name(v.how));
	doc_string(d, how_text(how, sizeof(how), &v, count));
	doc_row_end(d);
}

static void times(struct doc *d, const struct split_cpu *all, double count)
{
	static const struct leaf_node busy = { .key = "busy",
					       .title = "all but idle",
					       .leaves = LEAF_BUSY };
	static const struct doc_column column[] = {
		{ .title = "CPU time of", .kind = DOC_STRING, .width = 40 },
		{ .key = "key", .kind = DOC_STRING, .known = true },
		{ .key = "cpu_ms", .title = "ms each", .decimals = 6, .precision = 9, .width = 14 },
		{ .key = "cpu_ci95_ms",
		  .precision = 9,
		  .about = "half the width of the 95 % interval; 0: exact" },
		{ .key = "source",
		  .kind = DOC_STRING,
		  .choices = split_how_known,
		  .about = "null: not measured" },
		{ .title = "how", .kind = DOC_STRING },
	};
	static const struct doc_table table = {
		.key = "cpu_time", .caption = "CPU time", .tight = true, DOC_COLUMNS_OF(column)
	};

	doc_table(d, &table);
	time_row(d, all, &busy, count, 0);
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		if (leaf_node[i].leaves != LEAF_ALL && leaf_node[i].leaves != LEAF_BIT(IDLE))
			time_row(d, all, &leaf_node[i], count, leaf_node[i].depth);
	doc_table_end(d);
}

/* ---- energy ------------------------------------------------------------------------------ */

static void energy(struct doc *d, const struct energy *e, double seconds, double count)
{
	double each_s = seconds / count;

	if (!isnan(e->total_w))
		doc_note(d, "  energy of packages and memory: %s mJ each",
			 NUM(1e3 * e->total_w * each_s, 6));
	if (!isnan(e->network_w.high))
		doc_note(d, "  of it the network: %s to %s mJ each",
			 NUM(1e3 * e->network_w.low * each_s, 6),
			 NUM(1e3 * e->network_w.high * each_s, 6));
	doc_field(d, "package_and_dram_j", e->total_w * each_s, 9);
	doc_about(d, "the range that the network's energy is in: see energy");
	doc_field(d, "network_low_j", e->network_w.low * each_s, 9);
	doc_field(d, "network_high_j", e->network_w.high * each_s, 9);
	doc_field(d, "network_share_j", e->share_w * each_s, 9);
	doc_field(d, "network_share_ci95_j", e->share_ci95_w * each_s, 9);
}

void per_doc(struct doc *d, const struct summary *s)
{
	const struct filter *f = per_is_wanted(s) ? s->m->filter : NULL;
	double count = f ? f->per_count : NAN;
	char name[64], title[128];

	name_of(name, sizeof(name), f);
	snprintf(title, sizeof(title), "Each of %s %s", NUM(count, 0), SAFE(name));
	doc_title(d, title);
	doc_about(d, "what each of the things took that --per has counted");
	doc_object(d, "per");
	doc_field_text(d, "name", name);
	doc_field(d, "count", count, 6);
	times(d, &s->split.all, count);
	energy(d, &s->energy, s->ticks_s, count);
	doc_object_end(d);
}
