// SPDX-License-Identifier: BSD-2-Clause
/* Comparisons as tables: the columns of each subject, and the cells of a row. */
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/analysis/latency.h"
#include "report/analysis/view.h"
#include "report/model/model_stages.h"
#include "report/base/text.h"

/* What a cell of a column contains. */
enum cell {
	/* The title of the key. */
	CELL_TITLE,
	CELL_NAME,
	CELL_OF,
	CELL_GROUP, /* the word of `choices` whose index is the group of the row */
	CELL_KIND,
	CELL_ID,
	CELL_STAGE,
	CELL_FLAG, /* id[0] */
	CELL_DEPTH,
	CELL_WATCHED,
	/* The next cells belong to the value of a side. */
	CELL_SAMPLES,
	CELL_SOURCE,
	CELL_RANGE,
	CELL_VALUE, /* this and all cells up to CELL_CHANGE_HIGH are in the unit of the measure */
	CELL_SIDE,  /* the value; the title of the column is the name of the side */
	CELL_CI95,
	CELL_SPREAD,
	CELL_LOW,
	CELL_HIGH,
	/* The next cells belong to a change. */
	CELL_CHANGE,
	CELL_CHANGE_SPREAD, /* a change with its confidence interval */
	/* text only: a change, with its confidence interval if only one softirq in N was examined */
	CELL_ESTIMATE,
	CELL_CHANGE_CI95,
	CELL_CHANGE_LOW,
	CELL_CHANGE_HIGH,
	CELL_PERCENT,
	CELL_P,
	CELL_P_CORRECTED,
	CELL_VERDICT,
	CELL_MARK,
	CELL_TEXT,
	CELLS,
};

/* Default members of the column of each cell, by enum cell. */
static const struct doc_column cell_defaults[CELLS] = {
	[CELL_TITLE] = { .kind = DOC_STRING },
	[CELL_NAME] = { .kind = DOC_STRING },
	[CELL_OF] = { .kind = DOC_STRING },
	[CELL_GROUP] = { .kind = DOC_STRING, .known = true },
	[CELL_KIND] = { .kind = DOC_STRING, .known = true },
	[CELL_ID] = { .kind = DOC_STRING, .known = true },
	[CELL_STAGE] = { .kind = DOC_STRING, .width = 10, .choices = stages_keys },
	[CELL_FLAG] = { .kind = DOC_BOOL },
	[CELL_DEPTH] = { .known = true },
	[CELL_WATCHED] = { .kind = DOC_BOOL },
	[CELL_SOURCE] = { .kind = DOC_STRING, .choices = split_how_known },
	[CELL_RANGE] = { .kind = DOC_STRING, .width = 17 },
	[CELL_CI95] = { .about =
				"half-width of the 95 % confidence interval of the measurement; 0: exact" },
	[CELL_SPREAD] = { .about =
				  "half-width of the 95 % confidence interval that the test uses: the larger of the measurement error and the variation of the load over time" },
	[CELL_CHANGE] = { .sign = true },
	[CELL_CHANGE_SPREAD] = { .kind = DOC_INTERVAL,
				 .sign = true,
				 .about =
					 "change from before to after, and the half-width of its 95 % confidence interval, computed from both spreads" },
	[CELL_ESTIMATE] = { .title = "change", .width = 10, .ci_width = 6, .sign = true },
	[CELL_CHANGE_LOW] = { .sign = true },
	[CELL_CHANGE_HIGH] = { .sign = true },
	[CELL_PERCENT] = { .kind = DOC_INTERVAL,
			   .decimals = 1,
			   .precision = 4,
			   .width = 17,
			   .sign = true },
	[CELL_P] = { .precision = 9, .about = "p-value of the change; null: not tested" },
	[CELL_P_CORRECTED] = { .precision = 9,
			       .about =
				       "p-value corrected for multiple comparisons; null: not tested" },
	[CELL_VERDICT] = { .kind = DOC_STRING, .known = true },
	[CELL_MARK] = { .title = "", .kind = DOC_STRING, .width = 1 },
	[CELL_TEXT] = { .title = "", .kind = DOC_STRING },
};

enum { BEFORE = DIFF_BEFORE, AFTER = DIFF_AFTER };

/*
 * A column and its cells. The key of an interval's half-width is the key of the value with "_ci95"
 * appended.
 */
struct column {
	enum cell cell;
	unsigned char at; /* number of a measure, or index of an element of the id */
	unsigned char side;
	struct doc_column c;
};

/* Adjacent columns. */
struct group {
	const struct column *column;
	size_t ncolumns;
	/* the columns are repeated for each side, and their keys begin with the side's name */
	bool sides;
	const char *in;	  /* an additional prefix of the keys; NULL for none */
	unsigned char at; /* number of the measure */
	/* title of a change that has no percentage; NULL if it is the title of the column */
	const char *title;
	unsigned char spare; /* rank of the sides' columns, as in struct doc_column */
};

#define GROUPS 6

struct table {
	enum diff_subject subject;
	struct doc_table doc; /* members of the table, except its columns */
	struct group group[GROUPS];
	/* Defaults of columns in the unit of the measure. */
	uint8_t width, decimals, precision; /* width: width of the value of a side */
	enum text_unit unit;
	/* the unit of --per determines the decimals */
	bool in_unit;
	/* titles of the groups of rows; NULL for none */
	const char *const *sections;
	/* formats that show DIFF_SUM rows, enum doc_for; 0 for all */
	unsigned int sums;
	/* returns true if a row is left out; NULL: all rows are shown */
	bool (*leaves_out)(const struct diff_row *r);
};

/* ---- costs ------------------------------------------------------------------------------- */

static const struct column cost_side[] = {
	{ CELL_SIDE, .c = { .key = ".value" } },    { CELL_CI95, .c = { .key = ".ci95" } },
	{ CELL_SPREAD, .c = { .key = ".spread" } }, { CELL_SAMPLES, .c = { .key = ".samples" } },
	{ CELL_SOURCE, .c = { .key = ".source" } },
};

static const struct column test_columns[] = {
	{ CELL_P, .c = { .key = "p" } },
	{ CELL_P_CORRECTED, .c = { .key = "p_corrected" } },
	{ CELL_VERDICT, .c = { .key = "verdict" } },
	{ .cell = CELL_MARK },
	{ .cell = CELL_TEXT },
};

static const struct column cost_change[] = {
	{ CELL_CHANGE_SPREAD, .c = { .key = "change", .title = "change", .spare = 1 } },
	{ CELL_PERCENT, .c = { .key = "change_percent", .title = "change, %" } },
	{ CELL_P, .c = { .key = "p" } },
	{ CELL_P_CORRECTED, .c = { .key = "p_corrected" } },
	{ CELL_VERDICT, .c = { .key = "verdict" } },
	{ .cell = CELL_MARK },
};

static const char *const cost_groups[] = { "main", "category", "part", NULL };
static const char *const cost_titles[] = { "Where the CPU time went",
					   "Inside the categories (samples)",
					   "Parts of the RX softirq, exact" };

static const struct column cost_key[] = {
	{ CELL_TITLE, .c = { .title = "category", .cut = 40 } },
	{ CELL_GROUP, .c = { .key = "table", .choices = cost_groups } },
	{ CELL_NAME, .c = { .key = "key", .known = true } },
	{ CELL_OF,
	  .c = { .key = "leaf",
		 .about =
			 "leaf that contains this category; null: the row is a leaf or a sum of leaves" } },
	{ CELL_DEPTH, .c = { .key = "depth" } },
};

static const struct column cost_end[] = {
	{ .cell = CELL_TEXT },
	{ CELL_WATCHED, .c = { .key = "watched" } },
};

static const struct column function_end[] = {
	{ CELL_TITLE, .c = { .key = "function", .title = "function", .width = 32, .known = true } },
	{ CELL_OF, .c = { .key = "module", .title = "module", .spare = 3 } },
};

static const struct column unit_columns[] = {
	{ CELL_TITLE, .c = { .title = "cost of", .width = 40 } },
	{ CELL_NAME, .c = { .key = "key", .known = true } },
	{ CELL_SIDE, .side = BEFORE, .c = { .key = "before", .kind = DOC_INTERVAL, .spare = 1 } },
	{ CELL_SIDE, .side = AFTER, .c = { .key = "after", .kind = DOC_INTERVAL } },
	{ CELL_CHANGE_SPREAD, .c = { .key = "change",
				     .title = "change, spread",
				     .width = 16,
				     .ci_width = 5,
				     .spare = 2 } },
	{ CELL_PERCENT, .c = { .key = "change_percent", .title = "change, %" } },
	{ CELL_P, .c = { .key = "p" } },
	{ CELL_P_CORRECTED, .c = { .key = "p_corrected" } },
	{ CELL_VERDICT, .c = { .key = "verdict" } },
	{ .cell = CELL_MARK },
};

static const struct column program_key[] = {
	{ CELL_TITLE, .c = { .title = "program", .width = 17 } },
	{ CELL_NAME, .c = { .key = "name", .known = true } },
	{ CELL_OF,
	  .c = { .key = "kind", .title = "type", .width = 16, .known = true, .spare = 1 } },
	{ CELL_FLAG, .c = { .key = "on_the_packets_way" } },
};

static const struct column program_side[] = {
	{ CELL_SIDE,
	  .c = { .key = ".runs_per_s", .title = ": runs/s", .width = 14, .decimals = 2 } },
	{ CELL_VALUE, .at = 1,
	  .c = { .key = ".ns_per_run", .title = "ns per run", .decimals = 1 } },
	{ CELL_VALUE, .at = 2,
	  .c = { .key = ".percent", .title = "% of CPU", .decimals = 3, .precision = 6 } },
};

/* ---- processes and receivers ------------------------------------------------------------- */

static const char *const process_groups[] = { "name", "cgroup", "user", NULL };
static const char *const process_kinds[] = { "one", "others", "sum", NULL };
static const char *const process_titles[] = {
	"Processes by name: on-CPU time, and network time in it; exact",
	"Cgroups by path: on-CPU time, and network time in it; exact",
	"Users by id: on-CPU time, and network time in it; exact",
};
static const char *const receiver_titles[] = {
	"Who pays for received packets, by name",
	"Who pays for received packets, by cgroup",
	"Who pays for received packets, by user",
};

#define PROCESS_TEXT 37 /* size in bytes */
#define RECEIVER_WIDTH 44
#define ESTIMATE_WIDTH 17 /* width with the interval */

static const struct column process_key[] = {
	{ CELL_TITLE, .c = { .title = "", .width = PROCESS_TEXT - 1 } },
	{ CELL_GROUP, .c = { .key = "by", .choices = process_groups } },
	{ CELL_KIND,
	  .c = { .key = "kind",
		 .choices = process_kinds,
		 .about =
			 "kind of the row; others: the sum of the processes that have no row here, or that a recorder did not count separately" } },
	{ CELL_NAME,
	  .c = { .key = "name",
		 .about = "name of the group; null: unknown, or the row is not a single group" } },
	{ CELL_FLAG, .c = { .key = "kernel", .about = "true: the row is kernel threads" } },
};

static const struct column process_side[] = {
	{ CELL_SIDE, .at = DIFF_ON_CPU, .c = { .key = ".on_cpu" } },
	{ CELL_VALUE, .at = DIFF_NETWORK, .c = { .key = ".network" } },
	{ CELL_VALUE, .at = DIFF_RECEIVED, .c = { .key = ".received" } },
	{ CELL_LOW, .at = DIFF_WATTS, .c = { .key = ".low_w" } },
	{ CELL_HIGH, .at = DIFF_WATTS, .c = { .key = ".high_w" } },
};

static const struct column process_change[] = {
	{ CELL_CHANGE, .at = DIFF_ON_CPU,
	  .c = { .key = "on_cpu_change", .title = "change", .width = 10 } },
	{ CELL_VALUE, .at = DIFF_NETWORK, .side = BEFORE,
	  .c = { .title = "net before", .width = 11 } },
	{ CELL_VALUE, .at = DIFF_NETWORK, .side = AFTER,
	  .c = { .title = "net after", .width = 10 } },
	{ CELL_CHANGE, .at = DIFF_NETWORK,
	  .c = { .key = "network_change", .title = "change", .width = 10 } },
	{ CELL_CHANGE, .at = DIFF_RECEIVED,
	  .c = { .key = "received_change",
		 .kind = DOC_INTERVAL,
		 .about =
			 "change of the time of packets received by the sockets of the row, including evenly distributed driver and GRO time; null: not recorded. The half-width of the 95 % confidence interval results from examining one softirq in N; 0: all were examined" } },
	{ CELL_RANGE, .at = DIFF_WATTS, .side = BEFORE, .c = { .title = "W before" } },
	{ CELL_RANGE, .at = DIFF_WATTS, .side = AFTER, .c = { .title = "W after" } },
};

static const struct column receiver_columns[] = {
	{ CELL_TITLE, .c = { .title = "", .width = RECEIVER_WIDTH } },
	{ CELL_SIDE, .at = DIFF_RECEIVED, .side = BEFORE },
	{ CELL_SIDE, .at = DIFF_RECEIVED, .side = AFTER },
	{ CELL_ESTIMATE, .at = DIFF_RECEIVED },
};

static const struct column fate_columns[] = {
	{ CELL_TITLE, .c = { .title = "", .width = RECEIVER_WIDTH } },
	{ CELL_GROUP, .c = { FATE_COLUMN } },
	{ CELL_NAME, .c = { FATE_WHAT_COLUMN } },
	{ CELL_SIDE, .side = BEFORE, .c = { .key = "before" } },
	{ CELL_SIDE, .side = AFTER, .c = { .key = "after" } },
	{ CELL_CHANGE,
	  .c = { .key = "change",
		 .kind = DOC_INTERVAL,
		 .about =
			 "change of the time; the half-width of its 95 % confidence interval results from examining one softirq in N; 0: all were examined" } },
	{ .cell = CELL_ESTIMATE },
};

/* ---- times of packets -------------------------------------------------------------------- */

static const char *const quantile_keys[] = {
#define X(name, key, title, share) key,
	DIST_QUANTILES(X)
#undef X
		NULL
};

const char *const diff_quantile_titles[] = {
#define X(name, key, title, share) title,
	DIST_QUANTILES(X)
#undef X
};

static const char low_end[] = "lower bound of the 95 % confidence interval; null: unknown";
static const char high_end[] = "upper bound of the 95 % confidence interval; null: unknown";

static const struct column quantile_key[] = {
	{ CELL_ID, .at = 2, .c = { .key = "quantile", .choices = quantile_keys } },
	{ CELL_ID, .at = 2, .c = { .title = "", .width = 5, .choices = diff_quantile_titles } },
};

static const struct column quantile_side[] = {
	{ CELL_SIDE, .c = { .key = "_ns" } },
	{ CELL_LOW, .c = { .key = "_low_ns", .about = low_end } },
	{ CELL_HIGH, .c = { .key = "_high_ns", .about = high_end } },
};

static const struct column quantile_change[] = {
	{ CELL_CHANGE, .c = { .key = "change_ns", .title = "change" } },
	{ CELL_CHANGE_LOW, .c = { .key = "change_low_ns", .title = "from", .about = low_end } },
	{ CELL_CHANGE_HIGH, .c = { .key = "change_high_ns", .title = "to", .about = high_end } },
};

static const struct column latency_key[] = {
	{ CELL_ID,
	  .c = { .key = "hook", .title = "Latency", .width = 23, .choices = latency_keys } },
};

static const struct column stage_key[] = {
	{ CELL_GROUP, .c = { .key = "path", .choices = stages_path_keys } },
	{ CELL_STAGE,
	  .c = { .key = "from",
		 .title = "from",
		 .about = "stage where the step begins; null: the row is the whole path" } },
	{ CELL_STAGE, .at = 1, .c = { .key = "to", .title = "to" } },
};

static const struct column path_columns[] = {
	{ CELL_ID, .c = { .key = "path", .choices = stages_path_keys } },
	{ CELL_TITLE, .c = { .title = "% of packets", .width = 41 } },
	{ CELL_SIDE, .side = BEFORE, .c = { .key = "before_percent" } },
	{ CELL_SIDE, .side = AFTER, .c = { .key = "after_percent" } },
	{ CELL_CHANGE, .c = { .key = "change_percent", .title = "change" } },
	{ CELL_CHANGE_CI95,
	  .c = { .key = "change_ci95_percent",
		 .title = "spread",
		 .about = "half-width of the 95 % confidence interval; null: unknown" } },
};

static const struct column count_columns[] = {
	{ CELL_NAME, .c = { .key = "name", .title = "counted, per second", .width = 23 } },
	{ CELL_OF, .c = { .key = "count", .title = "", .width = 10, .known = true } },
	{ CELL_GROUP, .c = { .key = "table", .choices = view_use_names } },
	{ CELL_SIDE, .side = BEFORE, .c = { .key = "before" } },
	{ CELL_SPREAD, .side = BEFORE, .c = { .key = "before_spread" } },
	{ CELL_SIDE, .side = AFTER, .c = { .key = "after" } },
	{ CELL_SPREAD, .side = AFTER, .c = { .key = "after_spread" } },
	{ CELL_CHANGE_SPREAD, .c = { .key = "change", .title = "change", .width = 11 } },
	{ CELL_PERCENT, .c = { .key = "change_percent", .title = "change %" } },
};

/* ---- tables ------------------------------------------------------------------------------ */

static const struct table tables[DIFF_SUBJECTS] = {
	[DIFF_COSTS] = { .subject = DIFF_COSTS,
			 .doc = { .key = "categories", .title = "Where the CPU time went" },
			 .group = { { DOC_COLUMNS_OF(cost_key) },
				    { DOC_COLUMNS_OF(cost_side), .sides = true },
				    { DOC_COLUMNS_OF(cost_change) },
				    { DOC_COLUMNS_OF(cost_end) } },
			 .width = 9,
			 .precision = 6,
			 .in_unit = true,
			 .sections = cost_titles },
	[DIFF_FUNCTIONS] = { .subject = DIFF_FUNCTIONS,
			     .doc = { .key = "functions",
				      .title = "Functions, by samples: self and inclusive",
				      .caption = "Functions, by samples",
				      .above = true },
			     .group = { { DOC_COLUMNS_OF(cost_side), .sides = true, .in = "self.",
					  .spare = 1 },
					{ DOC_COLUMNS_OF(cost_change), .in = "self.",
					  .title = "self change" },
					{ DOC_COLUMNS_OF(cost_side), .sides = true,
					  .in = "inclusive.", .at = 1, .spare = 2 },
					{ DOC_COLUMNS_OF(cost_change), .in = "inclusive.", .at = 1,
					  .title = "inclusive change" },
					{ DOC_COLUMNS_OF(function_end) } },
			     .width = 8,
			     .precision = 6,
			     .in_unit = true },
	[DIFF_UNITS] = { .subject = DIFF_UNITS,
			 .doc = { .key = "unit_costs",
				  .about = "unit costs before and after, as in summary",
				  .title = "Unit costs",
				  .above = true },
			 .group = { { DOC_COLUMNS_OF(unit_columns) } },
			 .width = 15,
			 .decimals = 3,
			 .precision = 6 },
	[DIFF_COUNTS] = { .subject = DIFF_COUNTS,
			  .doc = { .key = "counts",
				   .about =
					   "rates per second of the counters of interfaces, drops and protocols; null: not counted in one of the two recordings",
				   .title = "Counters, per second",
				   .above = true },
			  .group = { { DOC_COLUMNS_OF(count_columns) },
				     { DOC_COLUMNS_OF(test_columns) } },
			  .width = 10,
			  .decimals = 1,
			  .precision = 3 },
	[DIFF_PROGRAMS] = { .subject = DIFF_PROGRAMS,
			    .doc = { .key = "other_programs",
				     .about =
					     "BPF programs that are not the recorder's, by name and type; null: the program did not exist, or its cost is unknown",
				     .title = "BPF programs on the packet path",
				     .above = true },
			    .group = { { DOC_COLUMNS_OF(program_key) },
				       { DOC_COLUMNS_OF(program_side), .sides = true } },
			    .width = 9,
			    .precision = 1 },
	[DIFF_PROCESSES] = { .subject = DIFF_PROCESSES,
			     .doc = { .key = "processes",
				      .about =
					      "exact on-CPU time of processes, in the unit of the costs",
				      .title =
					      "Processes by name: on-CPU time, and network time in it; exact",
				      .above = true },
			     .group = { { DOC_COLUMNS_OF(process_key) },
					{ DOC_COLUMNS_OF(process_side), .sides = true },
					{ DOC_COLUMNS_OF(process_change) } },
			     .width = 9,
			     .precision = 6,
			     .in_unit = true,
			     .sections = process_titles },
	[DIFF_FATES] = { .subject = DIFF_FATES,
			 .doc = { .key = "fates",
				  .about =
					  "time of received packets by disposition, in the unit of the costs, including evenly distributed driver and GRO time",
				  .title = FATE_TITLE,
				  .above = true },
			 .group = { { DOC_COLUMNS_OF(fate_columns) } },
			 .width = 9,
			 .precision = 6,
			 .in_unit = true,
			 .sums = DOC_PEOPLE },
	[DIFF_LATENCY] = { .subject = DIFF_LATENCY,
			   .doc = { .key = "latency",
				    .caption = "Packet latency",
				    .about = "quantiles of packet latency, by checkpoint" },
			   .group = { { DOC_COLUMNS_OF(latency_key) },
				      { DOC_COLUMNS_OF(quantile_key) },
				      { DOC_COLUMNS_OF(quantile_side), .sides = true },
				      { DOC_COLUMNS_OF(quantile_change) },
				      { DOC_COLUMNS_OF(test_columns) } },
			   .width = 10,
			   .precision = 1,
			   .unit = TEXT_NS },
	[DIFF_PATHS] = { .subject = DIFF_PATHS,
			 .doc = { .key = "paths",
				  .caption = "Packet paths",
				  .about =
					  "packet paths: share of packets that took the path among all packets that reached the end of a path" },
			 .group = { { DOC_COLUMNS_OF(path_columns) },
				    { DOC_COLUMNS_OF(test_columns) } },
			 .width = 10,
			 .decimals = 2,
			 .precision = 6 },
	[DIFF_STAGES] = { .subject = DIFF_STAGES,
			  .doc = { .key = "stages",
				   .caption = "From stage to stage",
				   .sections = true,
				   .above = true,
				   .about = "quantiles of the duration of each step of a path" },
			  .group = { { DOC_COLUMNS_OF(stage_key) },
				     { DOC_COLUMNS_OF(quantile_key) },
				     { DOC_COLUMNS_OF(quantile_side), .sides = true },
				     { DOC_COLUMNS_OF(quantile_change) },
				     { DOC_COLUMNS_OF(test_columns) } },
			  .width = 10,
			  .precision = 1,
			  .unit = TEXT_NS,
			  .sections = stages_path_titles },
};

static bool received_nothing(const struct diff_row *r)
{
	const struct diff_value *v = r->m[DIFF_RECEIVED].side;

	return r->kind == DIFF_ONE && !(v[BEFORE].value > 0) && !(v[AFTER].value > 0);
}

static const struct table receivers = {
	.subject = DIFF_PROCESSES,
	.doc = { .key = "received", .above = true, .sections = true, .only = DOC_PEOPLE },
	.group = { { DOC_COLUMNS_OF(receiver_columns) } },
	.width = 9,
	.precision = 6,
	.in_unit = true,
	.sections = receiver_titles,
	.leaves_out = received_nothing,
};

/* ---- columns of a table ------------------------------------------------------------------ */

struct shown {
	enum cell cell;
	unsigned char at, side;
	const struct doc_column *c;
};

struct columns {
	struct doc_column c[DOC_COLUMNS];
	struct shown shown[DOC_COLUMNS];
	char key[DOC_COLUMNS][48], ci_key[DOC_COLUMNS][48], title[DOC_COLUMNS][24];
	size_t n;
};

double diff_doc_every(const struct diff *diff)
{
	return fmax((double)diff->side[BEFORE]->m->owners_every,
		    (double)diff->side[AFTER]->m->owners_every);
}

bool diff_doc_has_energy(const struct diff *diff)
{
	const struct diff_table *t = &diff->table[DIFF_PROCESSES];

	for (size_t i = 0; i < t->n; i++)
		if (!isnan(t->row[i].m[DIFF_WATTS].side[BEFORE].high) ||
		    !isnan(t->row[i].m[DIFF_WATTS].side[AFTER].high))
			return true;
	return false;
}

static const char *const side_names[] = { "before", "after" };

/* Applies the defaults of the table to a column. */
static void set_measure(struct doc_column *to, const struct diff *diff, const struct table *t)
{
	if (!to->width)
		to->width = t->width;
	if (!to->precision)
		to->precision = t->precision;
	if (!to->decimals)
		to->decimals = t->in_unit ? (uint8_t)diff_per[diff->per].decimals : t->decimals;
	to->unit = t->unit;
}

static void set_defaults(struct doc_column *to, const struct doc_column *c)
{
	to->kind = to->kind ? to->kind : c->kind;
	to->title = to->title ? to->title : c->title;
	to->width = to->width ? to->width : c->width;
	to->ci_width = to->ci_width ? to->ci_width : c->ci_width;
	to->decimals = to->decimals ? to->decimals : c->decimals;
	to->precision = to->precision ? to->precision : c->precision;
	to->sign |= c->sign;
	to->known |= c->known;
	to->choices = to->choices ? to->choices : c->choices;
	to->about = to->about ? to->about : c->about;
}

static unsigned int width_of_categories(const struct diff *diff)
{
	return split_title_width(split_absent(&diff->side[BEFORE]->summary.split.all) &
				 split_absent(&diff->side[AFTER]->summary.split.all));
}

/* Sets members of a column that depend on the data. */
static void set_special(struct doc_column *to, enum cell cell, const struct diff *diff,
			const struct table *t)
{
	if (cell == CELL_TITLE && t->subject == DIFF_COSTS)
		to->width = (uint8_t)width_of_categories(diff);
	if (cell == CELL_RANGE && !diff_doc_has_energy(diff))
		to->only = DOC_PROGRAMS;
	if (cell == CELL_ESTIMATE && diff_doc_every(diff) > 1) {
		to->kind = DOC_INTERVAL;
		to->width = ESTIMATE_WIDTH;
	}
	if (cell == CELL_CHANGE_SPREAD && t->in_unit) {
		to->width = t->width + 11;
		to->ci_width = t->width - 2;
	}
}

/* Sets the group of a column. Functions have two changes, and no room for percentages. */
static void set_group(struct doc_column *to, enum cell cell, const struct group *g)
{
	if (cell == CELL_SIDE && g->spare)
		to->spare = g->spare;
	if (!g->title || (cell != CELL_CHANGE_SPREAD && cell != CELL_PERCENT))
		return;
	to->title = cell == CELL_PERCENT ? NULL : g->title;
	to->spare = 0;
}

static void set_texts(struct columns *to, const struct column *c, const struct group *g,
		      unsigned int side)
{
	struct doc_column *column = &to->c[to->n];
	const char *in = g->in ? g->in : "", *of = g->sides ? side_names[side] : "";
	const char *key = c->c.key ? c->c.key : "";

	snprintf(to->key[to->n], sizeof(*to->key), "%s%s%s", in, of, key);
	snprintf(to->ci_key[to->n], sizeof(*to->ci_key), "%s%s%s_ci95", in, of, key);
	snprintf(to->title[to->n], sizeof(*to->title), "%s%s", side_names[side],
		 c->c.title ? c->c.title : "");
	if (column->key)
		column->key = to->key[to->n];
	if (column->key && column->kind == DOC_INTERVAL)
		column->ci_key = to->ci_key[to->n];
	if (c->cell == CELL_SIDE)
		column->title = to->title[to->n];
}

static void add_column(struct columns *to, const struct diff *diff, const struct table *t,
		       const struct group *g, const struct column *c, unsigned int side)
{
	struct doc_column *column = &to->c[to->n];
	unsigned char at = g->at ? g->at : c->at;

	*column = c->c;
	set_defaults(column, &cell_defaults[c->cell]);
	if (c->cell >= CELL_VALUE && c->cell <= CELL_CHANGE_HIGH)
		set_measure(column, diff, t);
	set_special(column, c->cell, diff, t);
	set_group(column, c->cell, g);
	set_texts(to, c, g, side);
	to->shown[to->n++] = (struct shown){ c->cell, at, (unsigned char)side, column };
}

static void make_columns(struct columns *to, const struct diff *diff, const struct table *t)
{
	to->n = 0;
	for (const struct group *g = t->group; g < &t->group[GROUPS] && g->column; g++)
		for (unsigned int side = 0; side < (g->sides ? DIFF_SIDES : 1); side++)
			for (size_t i = 0; i < g->ncolumns; i++)
				add_column(to, diff, t, g, &g->column[i],
					   g->sides ? side : g->column[i].side);
}

/* ---- a row ------------------------------------------------------------------------------- */

/* A row that is being printed. Its texts must live until doc_row_end(). */
struct printed {
	struct doc *d;
	const struct diff *diff;
	enum diff_subject subject;
	const struct diff_row *r;
	char title[FATE_TEXT], range[DIFF_SIDES][80], text[80];
};

static const char *process_text(char *dst, size_t size, const struct diff_row *r)
{
	const char *name = *r->name ? r->name : "not known";

	if (r->group == DIFF_BY_CGROUP)
		return process_path(dst, size, name);
	if (r->group == DIFF_BY_USER)
		process_user_title(dst, size, r->name, r->id[0]);
	else
		snprintf(dst, size, r->id[0] ? "[%s]" : "%s", name);
	return dst;
}

static const char *title_of(struct printed *p)
{
	const struct diff_row *r = p->r;

	if (p->subject == DIFF_UNITS) {
		snprintf(p->title, sizeof(p->title), "%s, %s", r->title, r->of);
		return p->title;
	}
	if (r->title)
		return r->title;
	if (r->kind != DIFF_ONE)
		return r->kind == DIFF_SUM ? "sum" : "everything else";
	return p->subject == DIFF_FATES ? fate_text(p->title, sizeof(p->title), r->group, r->name) :
					  process_text(p->title, PROCESS_TEXT, r);
}

/* Returns the key of a stage. Text calls the whole path "all". */
static const char *stage_of(const struct printed *p, size_t at)
{
	unsigned int stage = p->r->id[at];

	if (stage != DIFF_WHOLE_PATH)
		return stages_keys[stage];
	if (!doc_is_for(p->d, DOC_PEOPLE))
		return NULL;
	return at ? "" : "all";
}

static const char *range_text(struct printed *p, unsigned int side, const struct diff_value *v)
{
	snprintf(p->range[side], sizeof(p->range[side]), "%s to %s", MEASURED(v->low, TEXT_PLAIN),
		 MEASURED(v->high, TEXT_PLAIN));
	return p->range[side];
}

/* Returns a text such as "more, exact". */
static const char *verdict_text(struct printed *p, const struct diff_change *m)
{
	const struct diff_value *after = &m->side[AFTER];
	const char *text = diff_verdict[m->verdict].text;
	bool how = p->subject == DIFF_COSTS && p->r->group == DIFF_MAIN &&
		   m->verdict > DIFF_NOT_COMPARABLE;

	snprintf(p->text, sizeof(p->text), "%s%s%s", text, how && *text ? ", " : "",
		 !how		     ? "" :
		 isnan(after->value) ? split_how_name(m->side[BEFORE].how) :
				       split_how_name(after->how));
	return p->text;
}

/* Adds a string. An empty string is null, unless the column is never null. */
static void string_cell(struct doc *d, const struct doc_column *c, const char *s)
{
	doc_string(d, s && (*s || c->known) ? s : NULL);
}

static void key_cell(struct printed *p, const struct shown *c)
{
	const struct diff_row *r = p->r;

	if (c->cell == CELL_TITLE)
		doc_string(p->d, title_of(p));
	else if (c->cell == CELL_NAME || c->cell == CELL_OF)
		string_cell(p->d, c->c, c->cell == CELL_NAME ? r->name : r->of);
	else if (c->cell == CELL_GROUP || c->cell == CELL_KIND)
		doc_string(p->d, c->c->choices[c->cell == CELL_GROUP ? r->group : r->kind]);
	else if (c->cell == CELL_ID)
		doc_string(p->d, c->c->choices[r->id[c->at]]);
	else if (c->cell == CELL_STAGE)
		doc_string(p->d, stage_of(p, c->at));
	else if (c->cell == CELL_FLAG)
		doc_bool(p->d, r->id[0]);
	else if (c->cell == CELL_DEPTH)
		doc_number(p->d, r->depth);
	else
		doc_bool(p->d, diff_is_watched(r, p->diff->o.only));
}

static void side_cell(struct printed *p, const struct shown *c)
{
	const struct diff_value *v = &p->r->m[c->at].side[c->side];

	if (c->cell == CELL_VALUE || c->cell == CELL_SIDE)
		doc_interval(p->d, v->value, v->ci95);
	else if (c->cell == CELL_SPREAD)
		doc_number(p->d, stats_t95(v->df) * sqrt(v->variance));
	else if (c->cell == CELL_SOURCE)
		doc_string(p->d, v->how == SPLIT_NOT_MEASURED ? NULL : split_how_name(v->how));
	else if (c->cell == CELL_RANGE)
		doc_string(p->d, range_text(p, c->side, v));
	else
		doc_number(p->d, c->cell == CELL_CI95	 ? v->ci95 :
				 c->cell == CELL_SAMPLES ? v->samples :
				 c->cell == CELL_LOW	 ? v->low :
							   v->high);
}

static void change_cell(struct printed *p, const struct shown *c)
{
	const struct diff_change *m = &p->r->m[c->at];
	const struct diff_verdict_desc *v = &diff_verdict[m->verdict];

	if (c->cell >= CELL_CHANGE && c->cell <= CELL_ESTIMATE)
		doc_interval(p->d, m->change, m->ci95);
	else if (c->cell == CELL_PERCENT)
		doc_interval(p->d, 100 * m->relative, 100 * m->relative_ci95);
	else if (c->cell == CELL_VERDICT)
		doc_string(p->d, v->key);
	else if (c->cell == CELL_MARK)
		doc_colored(p->d, v->mark, v->color);
	else if (c->cell == CELL_TEXT)
		doc_string(p->d, verdict_text(p, m));
	else
		doc_number(p->d, c->cell == CELL_CHANGE_CI95 ? m->ci95 :
				 c->cell == CELL_CHANGE_LOW  ? m->low :
				 c->cell == CELL_CHANGE_HIGH ? m->high :
				 c->cell == CELL_P	     ? m->p :
							       m->p_adjusted);
}

static unsigned int is_for(const struct table *t, const struct diff_row *r)
{
	if (r->kind == DIFF_SUM && t->sums)
		return t->sums;
	return r->hidden ? DOC_PROGRAMS : DOC_ALL;
}

static void print_row(struct printed *p, const struct table *t, const struct columns *columns)
{
	doc_row(p->d, p->r->depth, is_for(t, p->r));
	for (size_t i = 0; i < columns->n; i++) {
		const struct shown *c = &columns->shown[i];

		if (c->cell < CELL_SAMPLES)
			key_cell(p, c);
		else if (c->cell < CELL_CHANGE)
			side_cell(p, c);
		else
			change_cell(p, c);
	}
	doc_row_end(p->d);
}

/* ---- a table ----------------------------------------------------------------------------- */

/* Adds the title of a leaf above the leaf's categories. */
static void leaf_row(struct doc *d, const char *key)
{
	unsigned int l = 0;

	while (l + 1 < LEAF_COUNT && strcmp(leaf_desc[l].key, key))
		l++;
	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, leaf_desc[l].title);
	doc_blanks(d, d->table->ncolumns - 1);
	doc_row_end(d);
}

/* Prints the titles above a row. last: the previous visible row; NULL for none. */

static void print_above(struct doc *d, const struct table *t, const struct diff_row *last,
			const struct diff_row *r)
{
	/* The title of the first group, if it has one, is the title of the table. */
	bool same = last ? last->group == r->group : !r->group && !t->doc.sections;

	if (t->sections && !same)
		doc_section(d, t->sections[r->group]);
	if (t->subject == DIFF_COSTS && r->of && !(last && last->of == r->of))
		leaf_row(d, r->of);
}

static void print_table(struct doc *d, const struct diff *diff, const struct table *t)
{
	const struct diff_table *rows = &diff->table[t->subject];
	const struct diff_row *last = NULL;
	struct doc_table doc = t->doc;
	struct columns columns;
	bool any = false;

	make_columns(&columns, diff, t);
	for (size_t i = 0; i < rows->n; i++)
		any |= !rows->row[i].hidden;
	doc.column = columns.c;
	doc.ncolumns = columns.n;
	doc.only = doc.only ? doc.only : any ? DOC_ALL : DOC_PROGRAMS;
	doc_table(d, &doc);
	for (size_t i = 0; i < rows->n; i++) {
		struct printed p = { d, diff, t->subject, &rows->row[i], "", { "", "" }, "" };

		if (t->leaves_out && t->leaves_out(p.r))
			continue;
		if (!p.r->hidden) {
			print_above(d, t, last, p.r);
			last = p.r;
		}
		print_row(&p, t, &columns);
	}
	doc_table_end(d);
}

void diff_doc_table(struct doc *d, const struct diff *diff, enum diff_subject subject)
{
	print_table(d, diff, &tables[subject]);
}

void diff_doc_receivers(struct doc *d, const struct diff *diff)
{
	print_table(d, diff, &receivers);
}
