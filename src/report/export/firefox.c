// SPDX-License-Identifier: BSD-2-Clause
/*
 * firefox: stacks over time for the Firefox Profiler, in its "processed profile" format. The format version is the
 * first one that has sample weights; newer versions of the profiler can read it. Identical samples of a CPU that are
 * close in time become one sample with a weight, because the profiler's page needs a hundred times as much memory as
 * the file.
 *
 * Each CPU is a thread. The tables of a thread are columns: samples refer to stacks, stacks to frames, frames to
 * functions. Each stack has its own frame, because the frame holds the category of the stack.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "export.h"
#include "profile.h"
#include "report/base/stats.h"
#include "report/base/render.h"
#include "report/model/filter.h"
#include "report/rules/rules.h"

/* largest number of samples; more samples are merged over longer slots */
#define SAMPLES_MOST 200000
#define NONE UINT32_MAX

/* ---- tables: objects with a column for each key ------------------------------------------ */

enum cell {
	CELL_SAME, /* all rows have the same value */
	CELL_UINT, /* uint32_t; NONE is written as null */
	CELL_MS,   /* double; NaN is written as null */
	CELL_TEXT, /* const char * */
};

struct column {
	const char *key;
	enum cell cell;
	size_t offset; /* offset in the structure of a row */
	const char *same;
};

/* An array of n structures of a given size. */
struct rows {
	const void *at;
	size_t size, n;
};

#define SAME(text) CELL_SAME, 0, text
#define ROWS(array, n_) ((struct rows){ .at = (array), .size = sizeof(*(array)), .n = (n_) })
#define COLUMNS(array) (array), sizeof(array) / sizeof(*(array))

static void text_cell(struct json *j, const char *text)
{
	json_object(j, NULL);
	json_str(j, "type", "Text");
	json_str(j, "name", text);
	json_object_end(j);
}

static void cell(struct json *j, const struct column *c, const void *at)
{
	uint32_t v;

	switch (c->cell) {
	case CELL_SAME:
		json_constant(j, c->same);
		break;
	case CELL_UINT:
		v = *(const uint32_t *)at;
		if (v == NONE)
			json_null(j, NULL);
		else
			json_uint(j, NULL, v);
		break;
	case CELL_MS:
		json_num(j, NULL, *(const double *)at, 6);
		break;
	case CELL_TEXT:
		text_cell(j, *(const char *const *)at);
		break;
	}
}

static void columns(struct json *j, struct rows rows, const struct column *c, size_t n)
{
	for (; n--; c++) {
		json_array(j, c->key);
		for (size_t i = 0; i < rows.n; i++)
			cell(j, c, (const char *)rows.at + i * rows.size + c->offset);
		json_array_end(j);
	}
}

static void table(struct json *j, const char *key, struct rows rows, const struct column *c,
		  size_t n)
{
	json_object(j, key);
	json_uint(j, "length", rows.n);
	columns(j, rows, c, n);
	json_object_end(j);
}

/* ---- rows of a thread's tables ----------------------------------------------------------- */

/*
 * A stack, and the class of its samples, which can differ from the class of the stack
 * (socket_family.h).
 */
struct node {
	uint32_t stack, class;
	uint32_t frame, prefix, func, category, subcategory;
};

/* A function. `file` is the name of its module. */
struct func {
	uint32_t name, file;
	const struct function *of;
};

struct shown {
	uint32_t node;
	double at_ms, weight_ms;
};

struct marker {
	uint32_t name, phase, category;
	double begin_ms, end_ms; /* times; end_ms is NaN for a point in time */
	const char *text;	 /* text, which json.h escapes */
	char lost[32];		 /* buffer for the text of markers for lost samples */
};

#define NODE(member) CELL_UINT, offsetof(struct node, member), NULL
#define FUNC(member) CELL_UINT, offsetof(struct func, member), NULL

static const struct column stack_table[] = {
	{ "frame", NODE(frame) },
	{ "prefix", NODE(prefix) },
	{ "category", NODE(category) },
	{ "subcategory", NODE(subcategory) },
};
static const struct column frame_table[] = {
	{ "address", SAME("-1") },
	{ "inlineDepth", SAME("0") },
	{ "category", NODE(category) },
	{ "subcategory", NODE(subcategory) },
	{ "func", NODE(func) },
	{ "nativeSymbol", SAME("null") },
	{ "innerWindowID", SAME("null") },
	{ "implementation", SAME("null") },
	{ "line", SAME("null") },
	{ "column", SAME("null") },
};
static const struct column func_table[] = {
	{ "name", FUNC(name) },
	{ "isJS", SAME("false") },
	{ "relevantForJS", SAME("false") },
	{ "resource", SAME("-1") },
	{ "fileName", FUNC(file) },
	{ "lineNumber", SAME("null") },
	{ "columnNumber", SAME("null") },
};
static const struct column sample_table[] = {
	{ "stack", CELL_UINT, offsetof(struct shown, node), NULL },
	{ "time", CELL_MS, offsetof(struct shown, at_ms), NULL },
	{ "weight", CELL_MS, offsetof(struct shown, weight_ms), NULL },
};
static const struct column marker_table[] = {
	{ "name", CELL_UINT, offsetof(struct marker, name), NULL },
	{ "startTime", CELL_MS, offsetof(struct marker, begin_ms), NULL },
	{ "endTime", CELL_MS, offsetof(struct marker, end_ms), NULL },
	{ "phase", CELL_UINT, offsetof(struct marker, phase), NULL },
	{ "category", CELL_UINT, offsetof(struct marker, category), NULL },
	{ "data", CELL_TEXT, offsetof(struct marker, text), NULL },
};

/* The tables of a thread. */
struct thread {
	const struct profile *p;
	struct strings strings;
	struct node
		/*
		 * nodes of all stacks in use, in the order of their ids, then nodes for samples
		 * whose class differs from that of their stack
		 */
		*node;
	size_t n, nstacks; /* nstacks: number of nodes of the stacks in use */
	uint32_t *node_of; /* index of a stack's node, by stack */
	uint32_t *func_of; /* index of a function, by function; NONE if it is not in use */
	struct func *func; /* functions that are in use */
	size_t nfuncs;
	struct shown *sample;
	size_t nsamples;
	struct marker *marker;
	size_t nmarkers;
	bool *met;
};

/* Converts a time of the trace to ms since the first tick. */
static double ms(const struct profile *p, uint64_t at_ns)
{
	return (double)(int64_t)(at_ns - p->from->apart.origin_ns) * 1e-6;
}

/* ---- stacks, frames and functions -------------------------------------------------------- */

static uint32_t func_of(struct thread *t, uint32_t stack)
{
	uint32_t f = functions_of_stack(t->p->functions, stack);

	if (t->func_of[f] == NONE) {
		t->func_of[f] = (uint32_t)t->nfuncs;
		t->func[t->nfuncs++].of = &t->p->functions->at[f];
	}
	return t->func_of[f];
}

/* Returns the index of a class in the list that subcategories() writes. */
static uint32_t subcategory(const struct model *m, uint32_t class)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;
	unsigned int category = r ? m->classes->at[class].category : 0, n = 0;

	for (unsigned int i = LEAF_COUNT; category >= LEAF_COUNT && i <= category; i++)
		n += r->category[i].leaf == r->category[category].leaf;
	return n;
}

static uint32_t add_node(struct thread *t, uint32_t stack, uint32_t class)
{
	const struct model *m = t->p->m;
	uint32_t parent = stack ? m->stack[stack].parent : 0;

	t->node[t->n] = (struct node){ .stack = stack,
				       .class = class,
				       .frame = (uint32_t)t->n,
				       .prefix = parent ? t->node_of[parent] : NONE,
				       .func = func_of(t, stack),
				       .category = model_leaf(m, class),
				       .subcategory = subcategory(m, class) };
	return (uint32_t)t->n++;
}

/* Adds the stacks of the samples. Callers have lower ids than their callees. */
static void add_stacks(struct thread *t, const struct sample_count *count, size_t n)
{
	const struct model *m = t->p->m;

	for (size_t i = 0; i < n; i++)
		t->met[count[i].stack] = true;
	for (uint32_t i = m->nstacks; i; i--)
		if (t->met[i] && m->stack[i].parent)
			t->met[m->stack[i].parent] = true;
	for (uint32_t i = 0; i <= m->nstacks; i++)
		if (t->met[i])
			t->node_of[i] = add_node(t, i, m->class[i]);
	t->nstacks = t->n;
}

/*
 * Returns the node of a sample. Tries the last added node first, because samples are sorted by
 * class and stack.
 */
static uint32_t node_of(struct thread *t, const struct sample_count *c)
{
	if (c->class == t->p->m->class[c->stack])
		return t->node_of[c->stack];
	for (size_t i = t->n; i > t->nstacks && i + 64 > t->n; i--)
		if (t->node[i - 1].stack == c->stack && t->node[i - 1].class == c->class)
			return (uint32_t)i - 1;
	return add_node(t, c->stack, c->class);
}

/*
 * Names the functions. It must be called after all functions were added, because their names come
 * first.
 */
static void name_functions(struct thread *t)
{
	for (struct func *f = t->func; f < t->func + t->nfuncs; f++)
		f->name = strings_id(&t->strings, *f->of->name ? f->of->name : PROFILE_UNKNOWN);
	for (struct func *f = t->func; f < t->func + t->nfuncs; f++)
		f->file = *f->of->module ? strings_id(&t->strings, f->of->module) : NONE;
}

/* ---- samples ----------------------------------------------------------------------------- */

/*
 * Adds a sample. Weights are taken in the order of the samples, even for samples that are not
 * shown.
 */
static void add_sample(struct thread *t, const struct sample_count *c, double at_ms)
{
	enum leaf leaf = model_leaf(t->p->m, c->class);
	int64_t ns = weight_take(&t->p->weights.cpu[c->cpu][leaf], c->samples);
	uint32_t node = node_of(t, c);

	if (t->p->idle || leaf != LEAF_IDLE)
		t->sample[t->nsamples++] = (struct shown){ node, at_ms, (double)ns * 1e-6 };
}

/* Adds the samples. The samples of an interval are spread evenly over the interval, in arbitrary order. */
static void add_samples(struct thread *t, const struct sample_count *count, size_t n)
{
	double each_ns = (double)t->p->from->apart.each_ns;
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		double begin_ms = (double)count[i].piece * each_ns * 1e-6;

		for (end = i; end < n && count[end].piece == count[i].piece;)
			end++;
		for (size_t k = i; k < end; k++)
			add_sample(t, &count[k],
				   begin_ms + (double)(k - i) / (double)(end - i) * each_ns * 1e-6);
	}
}

/* ---- markers: times of interest ----------------------------------------------------- */

static struct marker *add_marker(struct thread *t, const char *name, const char *text,
				 uint64_t begin_ns)
{
	struct marker *k = &t->marker[t->nmarkers++];

	*k = (struct marker){ .name = strings_id(&t->strings, name),
			      .category = LEAF_OTHER_KERNEL,
			      .text = text,
			      .begin_ms = ms(t->p, begin_ns),
			      .end_ms = NAN };
	return k;
}

static void end_marker(const struct thread *t, struct marker *k, uint64_t end_ns)
{
	k->phase = 1;
	k->end_ms = ms(t->p, end_ns);
}

/*
 * Adds the markers of all CPUs: the user's marks, and pauses of exact counting. Marks with an
 * unknown time are skipped.
 */
static int add_host_markers(struct thread *t)
{
	const struct model *m = t->p->m;

	t->marker = calloc(m->nmoments + m->npauses + 1, sizeof(*t->marker));
	if (!t->marker)
		return -ENOMEM;
	for (size_t i = 0; i < m->nmoments; i++)
		if (m->moment[i].at_ns != TRACE_NIL)
			add_marker(t, "mark", model_string(m, m->moment[i].text),
				   m->moment[i].at_ns);
	for (size_t i = 0; i < m->npauses; i++)
		end_marker(t,
			   add_marker(t, "exact counting paused",
				      "times are estimated from samples", m->pause[i].from_ns),
			   m->pause[i].to_ns < m->last_ns ? m->pause[i].to_ns : m->last_ns);
	return 0;
}

/* Adds the markers of a CPU: lost samples. */
static int add_cpu_markers(struct thread *t, unsigned int cpu)
{
	const struct intervals *iv = t->p->source->iv;
	size_t slot = iv->slot[cpu], n = slot ? intervals_closed(iv) : 0;

	t->marker = calloc(n + 1, sizeof(*t->marker));
	if (!t->marker)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		double lost = iv->cell[i * iv->ncpus + slot - 1].times.lost;
		struct marker *k;

		if (!(lost > 0))
			continue;
		k = add_marker(t, "samples lost", NULL, iv->row[i].begin_ns);
		end_marker(t, k, iv->row[i].end_ns);
		snprintf(k->lost, sizeof(k->lost), "%.0f samples", lost);
		k->text = k->lost;
	}
	return 0;
}

/* ---- threads ----------------------------------------------------------------------------- */

static void thread_free(struct thread *t)
{
	strings_free(&t->strings);
	free(t->node);
	free(t->node_of);
	free(t->func_of);
	free(t->func);
	free(t->sample);
	free(t->marker);
	free(t->met);
}

static int thread_make(struct thread *t, const struct profile *p, const struct sample_count *count,
		       size_t n)
{
	size_t stacks = p->m->nstacks + (size_t)1, functions = p->functions->n;

	*t = (struct thread){ .p = p,
			      .node = calloc(stacks + n + 1, sizeof(*t->node)),
			      .node_of = calloc(stacks, sizeof(*t->node_of)),
			      .func_of = malloc(functions * sizeof(*t->func_of)),
			      .func = calloc(functions, sizeof(*t->func)),
			      .sample = calloc(n + 1, sizeof(*t->sample)),
			      .met = calloc(stacks, sizeof(*t->met)) };
	strings_init(&t->strings);
	if (!t->node || !t->node_of || !t->func_of || !t->func || !t->sample || !t->met)
		return -ENOMEM;
	for (size_t i = 0; i < functions; i++)
		t->func_of[i] = NONE;
	add_stacks(t, count, n);
	add_samples(t, count, n);
	return 0;
}

static void thread_head(struct json *j, const char *name, uint64_t tid, bool main)
{
	json_str(j, "name", name);
	json_bool(j, "isMainThread", main);
	json_constant(j, "'showMarkersInTimeline':true,'processType':'default',"
			 "'processName':'netcost','pid':'0'");
	json_uint(j, "tid", tid);
	json_constant(j, "'processStartupTime':0,'processShutdownTime':null,"
			 "'registerTime':0,'unregisterTime':null,'pausedRanges':[]");
}

/* Writes the table of samples. Some keys precede or follow the columns. */
static void samples(struct json *j, const struct thread *t)
{
	struct rows rows = ROWS(t->sample, t->nsamples);

	json_object(j, "samples");
	columns(j, rows, &sample_table[0], 1);
	json_uint(j, "length", rows.n);
	columns(j, rows, &sample_table[1], 1);
	json_str(j, "weightType", "tracing-ms");
	columns(j, rows, &sample_table[2], 1);
	json_object_end(j);
}

static void thread_tables(struct json *j, struct thread *t)
{
	samples(j, t);
	table(j, "stackTable", ROWS(t->node, t->n), COLUMNS(stack_table));
	table(j, "frameTable", ROWS(t->node, t->n), COLUMNS(frame_table));
	table(j, "funcTable", ROWS(t->func, t->nfuncs), COLUMNS(func_table));
	json_constant(j, "'resourceTable':{'length':0,'lib':[],'name':[],'host':[],'type':[]}");
	json_constant(j, "'nativeSymbols':{'length':0,'libIndex':[],'address':[],'name':[],"
			 "'functionSize':[]}");
	json_object(j, "markers");
	columns(j, ROWS(t->marker, t->nmarkers), COLUMNS(marker_table));
	json_uint(j, "length", t->nmarkers);
	json_object_end(j);
}

static void thread_strings(struct json *j, const struct thread *t)
{
	json_array(j, "stringArray");
	for (size_t i = 0; i < t->strings.n; i++)
		json_str(j, NULL, t->strings.text[i]);
	json_array_end(j);
}

/* Writes a thread. cpu: NULL for the host's thread, which has no samples. */
static int thread(struct json *j, const struct profile *p, const struct model_cpu *cpu,
		  const struct sample_count *count, size_t n)
{
	char name[24] = "host";
	struct thread t;
	int err = thread_make(&t, p, count, n);

	if (cpu)
		snprintf(name, sizeof(name), "CPU %u", cpu->cpu);
	json_object(j, NULL);
	thread_head(j, name, cpu ? cpu->cpu + UINT64_C(1) : 0, !cpu);
	if (!err) {
		name_functions(&t);
		err = cpu ? add_cpu_markers(&t, cpu->cpu) : add_host_markers(&t);
	}
	if (!err)
		thread_tables(j, &t);
	thread_strings(j, &t);
	json_object_end(j);
	if (t.strings.no_memory)
		err = -ENOMEM;
	thread_free(&t);
	return err;
}

static int threads(struct json *j, const struct profile *p)
{
	const struct sample_counts *counts = &p->from->counts;
	const struct model_cpu *c;
	size_t first, end = 1;
	int err;

	json_array(j, "threads");
	err = thread(j, p, NULL, NULL, 0);
	model_for_each_cpu(p->m, c)
	{
		if (err || !filter_takes_cpu(p->m->filter, c->cpu))
			continue;
		first = sample_counts_next(counts, end, c->cpu);
		end = sample_counts_next(counts, first, c->cpu + 1);
		err = thread(j, p, c, end > first ? &counts->at[first] : NULL, end - first);
	}
	json_array_end(j);
	return err;
}

/* ---- counters ---------------------------------------------------------------------------- */

typedef double value_fn(const struct intervals *iv, size_t piece);

/*
 * Returns the CPU time that was not idle, in us, summed over CPUs, or NaN if it was not measured.
 */
static double busy_us(const struct intervals *iv, size_t piece)
{
	double sum = NAN;

	for (size_t c = 0; c < iv->ncpus; c++) {
		const struct interval_times *t = &iv->cell[piece * iv->ncpus + c].times;

		known_add(&sum, t->wall_ns - t->exact_ns[NETCOST_EV_IDLE]);
	}
	return sum * 1e-3;
}

static double received(const struct intervals *iv, size_t piece)
{
	return interval_traffic(iv, piece)->rx_bytes;
}

static double sent(const struct intervals *iv, size_t piece)
{
	return interval_traffic(iv, piece)->tx_bytes;
}

static const struct counter_desc {
	const char *name, *category, *description, *color;
	value_fn *value;
} counters[] = {
	{ "processCPU", "CPU", "Busy time of all CPUs", "blue", busy_us },
	{ "received", "Bandwidth", "Bytes received by interfaces", "green", received },
	{ "sent", "Bandwidth", "Bytes sent by interfaces", "orange", sent },
};

static size_t known_pieces(const struct intervals *iv, value_fn *value)
{
	size_t n = 0;

	for (size_t i = 0; i < intervals_closed(iv); i++)
		n += isfinite(value(iv, i)) != 0;
	return n;
}

/*
 * Writes the samples of a counter: 0 at the start, then the increase of each interval at its end.
 * Intervals with an unknown value have no sample.
 */
static void counter_samples(struct json *j, const struct profile *p, value_fn *value)
{
	const struct intervals *iv = p->source->iv;

	json_object(j, "samples");
	json_array(j, "time");
	json_num(j, NULL, ms(p, iv->row[0].begin_ns), 6);
	for (size_t i = 0; i < intervals_closed(iv); i++)
		if (isfinite(value(iv, i)))
			json_num(j, NULL, ms(p, iv->row[i].end_ns), 6);
	json_array_end(j);
	json_array(j, "count");
	json_num(j, NULL, 0, 3);
	for (size_t i = 0; i < intervals_closed(iv); i++)
		if (isfinite(value(iv, i)))
			json_num(j, NULL, value(iv, i), 3);
	json_array_end(j);
	json_uint(j, "length", known_pieces(iv, value) + 1);
	json_object_end(j);
}

static void write_counters(struct json *j, const struct profile *p)
{
	json_array(j, "counters");
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		const struct counter_desc *c = &counters[i];

		if (!known_pieces(p->source->iv, c->value))
			continue;
		json_object(j, NULL);
		json_str(j, "name", c->name);
		json_str(j, "category", c->category);
		json_str(j, "description", c->description);
		json_str(j, "color", c->color);
		json_constant(j, "'pid':'0','mainThreadIndex':0");
		counter_samples(j, p, c->value);
		json_object_end(j);
	}
	json_array_end(j);
}

/* ---- meta -------------------------------------------------------------------------------- */

/*
 * Colours of the leaves. The format only has named colours, and these are the closest to those in
 * colors.h. The first grey means unknown.
 */
static const char *const category_color[LEAF_COUNT] = {
	[LEAF_IDLE] = "transparent",	   [LEAF_USER] = "blue",
	[LEAF_SOCK_SEND] = "orange",	   [LEAF_SOCK_RECV] = "lightblue",
	[LEAF_RX_SOFTIRQ] = "green",	   [LEAF_TX_SOFTIRQ] = "magenta",
	[LEAF_HARDIRQ_NET] = "lightgreen", [LEAF_OTHER_NETWORK] = "yellow",
	[LEAF_SOCK_LOCAL] = "brown",	   [LEAF_IO_WORKER] = "purple",
	[LEAF_OTHER_KERNEL] = "grey",	   [LEAF_TASK] = "grey",
	[LEAF_OWN] = "darkgrey",
};

/*
 * Writes the subcategories of a leaf: number 0 is the leaf itself, then the rules' categories in
 * the leaf follow in the order of the rules.
 */
static void subcategories(struct json *j, const struct model *m, enum leaf leaf)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;

	json_array(j, "subcategories");
	json_str(j, NULL, "Other");
	for (unsigned int i = LEAF_COUNT; r && i < r->ncategories; i++)
		if (r->category[i].leaf == leaf)
			json_str(j, NULL, r->category[i].title);
	json_array_end(j);
}

static void categories(struct json *j, const struct model *m)
{
	json_array(j, "categories");
	for (enum leaf l = 0; l < LEAF_COUNT; l++) {
		json_object(j, NULL);
		json_str(j, "name", leaf_desc[l].title);
		json_str(j, "color", category_color[l]);
		subcategories(j, m, l);
		json_object_end(j);
	}
	json_array_end(j);
}

/*
 * Writes the description of the profile. `version` belongs to another format, and the profiler does
 * not read it.
 */
static void meta(struct json *j, const struct profile *p)
{
	const struct sample_apart *apart = &p->from->apart;
	uint64_t real_ns;

	if (!real_time_ns(p->m, apart->origin_ns, &real_ns))
		real_ns = 0;
	json_object(j, "meta");
	json_constant(j, "'preprocessedProfileVersion':48,'version':24,'product':'netcost'");
	json_str(j, "oscpu", model_string(p->m, p->m->header.kernel));
	json_num(j, "interval", (double)apart->each_ns * 1e-6, 6);
	json_num(j, "startTime", (double)(real_ns / 1000) * 1e-3, 3);
	json_constant(j,
		      "'processType':0,'stackwalk':1,'debug':false,'symbolicated':true,"
		      "'usesOnlyOneStackType':true,'doesNotUseFrameImplementation':true,"
		      "'sourceCodeIsNotOnSearchfox':true,'pausedRanges':[],"
		      "'sampleUnits':{'time':'ms','eventDelay':'ms','threadCPUDelta':'\xc2\xb5s'},"
		      "'extensions':{'length':0,'baseURL':[],'id':[],'name':[]}");
	categories(j, p->m);
	json_constant(j, "'markerSchema':[{'name':'Text',"
			 "'tableLabel':'{marker.name}: {marker.data.name}',"
			 "'chartLabel':'{marker.data.name}',"
			 "'display':['marker-chart','marker-table','timeline-overview'],"
			 "'data':[{'key':'name','label':'Details','format':'string'}]}]");
	json_object_end(j);
}

/* ---- the format -------------------------------------------------------------------------- */

/* Writes the profile as JSON. It is a profile_write_fn. */
static int write_json(FILE *out, struct profile *p)
{
	struct json j = { .out = out, .compact = true };
	int err;

	json_object(&j, NULL);
	meta(&j, p);
	json_constant(&j, "'libs':[],'pages':[]");
	write_counters(&j, p);
	err = threads(&j, p);
	json_object_end(&j);
	json_end(&j);
	return err;
}

static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return profiler_record_slots(ctx, m, rec, SAMPLES_MOST, UINT64_MAX / 2);
}

static int write_profile(struct profile *p, const struct export_target *to)
{
	return profile_write_all(p, 0, to, write_json);
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct profiler *p = (struct profiler *)e;

	profiler_find_slots(p, from->m);
	return profiler_write(p, from, to, true, write_profile);
}

const struct export_format export_firefox = {
	.name = "firefox",
	.help = "stacks over time for the Firefox Profiler (profiler.firefox.com), as JSON",
	.keep = MODEL_MODULES,
	.takes = EXPORT_TAKES_IDLE,
	.size = sizeof(struct profiler),
	.watch = { .begin = profiler_begin_slots, .record = record },
	.write = write,
	.free = profiler_free,
};
