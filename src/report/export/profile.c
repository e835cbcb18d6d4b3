// SPDX-License-Identifier: BSD-2-Clause
#include "profile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "report/analysis/summary.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "export.h"
#include "profile.pb-c.h"
#include "report/analysis/energy.h"
#include "report/analysis/breakdown.h"
#include "report/rules/rules.h"

/* ---- samples ----------------------------------------------------------------------------- */

static void sample_counts_free(struct sample_counts *c)
{
	free(c->at);
	idmap_free(&c->by_hash);
	*c = (struct sample_counts){ 0 };
}

#define KEY_WORDS 3

/* Makes the key that distinguishes samples. Samples are written in the order of their keys. */
static void make_key(uint64_t key[KEY_WORDS], const struct sample_count *p)
{
	key[0] = (uint64_t)p->piece << 32 | (uint64_t)p->cpu << 16 | p->class;
	key[1] = (uint64_t)p->stack << 32 | p->task;
	key[2] = p->cgroup;
}

static uint64_t hash_of(const uint64_t key[KEY_WORDS])
{
	uint64_t hash = 0;

	for (size_t i = 0; i < KEY_WORDS; i++) {
		hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static int compare(const void *pa, const void *pb)
{
	uint64_t a[KEY_WORDS], b[KEY_WORDS];

	make_key(a, pa);
	make_key(b, pb);
	for (size_t i = 0; i < KEY_WORDS; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_by_cpu(const void *pa, const void *pb)
{
	const struct sample_count *a = pa, *b = pb;

	return a->cpu == b->cpu ? compare(a, b) : a->cpu < b->cpu ? -1 : 1;
}

/* Adds p->samples to the count with the same key. */
static int count(struct sample_counts *c, struct sample_count *p)
{
	uint64_t key[KEY_WORDS], hash;
	uint32_t i;

	make_key(key, p);
	hash = hash_of(key);
	p->next = i = idmap_get(&c->by_hash, hash);
	for (; i; i = c->at[i].next)
		if (!compare(&c->at[i], p)) {
			c->at[i].samples += p->samples;
			return 0;
		}
	if (array_reserve(&c->at, &c->cap, c->n + 2, sizeof(*c->at)) ||
	    idmap_set(&c->by_hash, hash, (uint32_t)c->n + 1))
		return -ENOMEM;
	c->at[++c->n] = *p;
	if (p->cpu >= c->cpu_end)
		c->cpu_end = p->cpu + 1u;
	return 0;
}

/*
 * Finds the interval of a time. Returns false if no interval contains the time. With intervals of a given length, a
 * time before the first interval belongs to the first interval.
 */
static bool find_piece(const struct sample_apart *apart, uint64_t time_ns, uint32_t *piece)
{
	uint64_t at;

	if (apart->rows) {
		size_t row = 0;

		if (!interval_at(apart->rows, &row, time_ns))
			return false;
		*piece = (uint32_t)row;
		return true;
	}
	at = apart->each_ns && time_ns > apart->origin_ns ?
		     (time_ns - apart->origin_ns) / apart->each_ns :
		     0;
	*piece = at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
	return true;
}

/* Adds the samples of a record. The model reports errors in the record. */
static int sample_counts_add(struct sample_counts *c, const struct model *m,
			     const struct trace_record *rec, const struct sample_apart *apart)
{
	struct trace_samples s = trace_record_samples(rec);
	uint64_t cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX);
	int err = 0;

	if (cpu >= TRACE_MAX_CPU || !filter_takes_cpu(m->filter, cpu))
		return 0;
	for (size_t n = 0; !err && trace_samples_next(&s); n++) {
		struct sample_count p = { .stack = (uint32_t)s.stack,
					  .cpu = (uint16_t)cpu,
					  .samples = 1 };

		if (s.stack > m->nstacks || s.task > UINT32_MAX || s.cgroup > UINT32_MAX)
			return 0;
		p.class = (uint16_t)model_class(m, n, s.stack);
		p.task = apart->tasks ? (uint32_t)s.task : 0;
		p.cgroup = apart->tasks ? (uint32_t)s.cgroup : 0;
		if (model_is_selected(m, s.task, s.cgroup) &&
		    find_piece(apart, s.time_ns, &p.piece))
			err = count(c, &p);
	}
	return err;
}

/* Merges pairs of intervals: 0 and 1 become interval 0. Returns 0 or -ENOMEM. */
static int sample_counts_join(struct sample_counts *c)
{
	struct sample_counts joined = { 0 };
	int err = 0;

	for (size_t i = 1; !err && i <= c->n; i++) {
		struct sample_count p = c->at[i];

		p.piece /= 2;
		err = count(&joined, &p);
	}
	sample_counts_free(err ? &joined : c);
	if (!err)
		*c = joined;
	return err;
}

/*
 * Sorts the counts by interval, then by CPU and the rest of the key; if by_cpu, by CPU first. No
 * samples can be added afterwards.
 */
static void sample_counts_sort(struct sample_counts *c, bool by_cpu)
{
	c->by_cpu = by_cpu;
	if (c->n)
		qsort(c->at + 1, c->n, sizeof(*c->at), by_cpu ? compare_by_cpu : compare);
}

size_t sample_counts_next(const struct sample_counts *c, size_t i, uint32_t v)
{
	while (i <= c->n && (c->by_cpu ? c->at[i].cpu : c->at[i].piece) < v)
		i++;
	return i;
}

/* ---- weights ----------------------------------------------------------------------------- */

#define MOST 9e18 /* a limit below the maximum of an int64_t, and above any measured value */

int64_t weight_take(struct weight *w, uint64_t n)
{
	double each = w->samples ? w->whole / (double)w->samples : w->whole;
	double before = round((double)w->weighed * each), after;

	w->weighed += n;
	after = w->samples ? round((double)w->weighed * each) : round(w->whole);
	return fabs(after - before) < MOST ? (int64_t)(after - before) : 0;
}

/*
 * Allocates the weights and sets the total weights: the times of the split by CPU and leaf, and the energy uj. Returns
 * 0 or -ENOMEM.
 */
static int weights_make(struct weights *w, const struct profile *p, const struct split *split,
			double uj)
{
	unsigned int seen = p->from->counts.cpu_end, known = p->m->cpu_end;

	*w = (struct weights){ .ncpus = seen > known ? seen : known, .energy = { .whole = uj } };
	w->cpu = calloc(w->ncpus + 1u, sizeof(*w->cpu));
	if (!w->cpu)
		return -ENOMEM;
	for (unsigned int c = 0; c < w->ncpus; c++)
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			w->cpu[c][l].whole = NAN;
	for (size_t i = 0; i < split->ncpus; i++)
		for (unsigned int l = 0; split->cpu[i].cpu < w->ncpus && l < LEAF_COUNT; l++)
			w->cpu[split->cpu[i].cpu][l].whole = split->cpu[i].leaf[l].ns;
	return 0;
}

/* Adds a sample to the weights. All samples must be added before any weight is taken. */
static void weights_add(struct weights *w, const struct profile *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct sample_count *c = &p->count[i];
		enum leaf leaf = model_leaf(p->m, c->class);

		w->cpu[c->cpu][leaf].samples += c->samples;
		w->energy.samples += leaf != LEAF_IDLE ? c->samples : 0;
	}
}

/* Completes the weights. If a time is unknown, each of its samples weighs one sampling period. */
static void weights_complete(struct weights *w, const struct model *m)
{
	double each = m->header.sample_hz ? 1e9 / (double)m->header.sample_hz : 0;

	for (unsigned int c = 0; c < w->ncpus; c++)
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			if (!isfinite(w->cpu[c][l].whole))
				w->cpu[c][l].whole = each * (double)w->cpu[c][l].samples;
}

/* ---- profiles ---------------------------------------------------------------------------- */

/*
 * Writes a profile with the times of a split. uj: the energy of all samples; NaN if it is unknown.
 * Returns the result of write().
 */
static int profile_write(struct profile *p, const struct split *split, double uj,
			 const struct export_target *to, size_t number, profile_write_fn *write)
{
	FILE *out;
	int err = weights_make(&p->weights, p, split, uj);

	if (err)
		return err;
	weights_add(&p->weights, p);
	weights_complete(&p->weights, p->m);
	out = to->open(to->ctx, number);
	err = out ? write(out, p) : -ECANCELED;
	if (out && !to->close(to->ctx, out, number, !err) && !err)
		err = -ECANCELED;
	free(p->weights.cpu);
	return err;
}

int profile_write_all(struct profile *p, double uj, const struct export_target *to,
		      profile_write_fn *write)
{
	const struct sample_counts *c = &p->from->counts;
	struct summary s;
	int err = summary_make(&s, p->m, p->source->part);

	if (err)
		return err;
	p->count = c->n ? c->at + 1 : NULL;
	p->n = c->n;
	p->begin_real_ns = s.start_real_ns;
	p->seconds = s.duration_s;
	err = profile_write(p, &s.split, uj, to, 1, write);
	summary_free(&s);
	return err;
}

int profiler_write(struct profiler *p, const struct export_source *from,
		   const struct export_target *to, bool by_cpu,
		   int (*write)(struct profile *p, const struct export_target *to))
{
	struct functions functions;
	struct profile profile = { .from = p,
				   .source = from,
				   .m = from->m,
				   .functions = &functions,
				   .idle = p->e.wanted.idle };
	int err;

	if (p->too_many) {
		tell(PART_TITLE(from->part),
		     "has too many different samples for a profile; select a part with --from, "
		     "--to or --cpu");
		return -ECANCELED;
	}
	if (!from->m->header.sample_hz && !from->m->samples)
		tell(PART_TITLE(from->part),
		     "was recorded without samples (-F 0): there are no stacks");
	sample_counts_sort(&p->counts, by_cpu);
	err = functions_make(&functions, from->m);
	if (err)
		return err;
	err = write(&profile, to);
	functions_free(&functions);
	return err;
}

#define COUNTS_MOST 4000000 /* largest number of distinct samples */

/* ---- samples in slots of time ------------------------------------------------------------ */

#define MS 1000000ull

bool profiler_begin_slots(void *ctx, const struct intervals *iv)
{
	struct profiler *p = ctx;

	sample_counts_free(&p->counts);
	p->apart = (struct sample_apart){ .origin_ns = iv->nedges ? iv->edge[0] : 0 };
	p->begun = iv->nedges;
	return true;
}

void profiler_find_slots(struct profiler *p, const struct model *m)
{
	if (p->apart.each_ns)
		return;
	if (!p->begun)
		p->apart.origin_ns = m->header.start_ns;
	p->begun = true;
	p->apart.each_ns = m->header.sample_hz && m->header.sample_hz < 1000 * MS ?
				   1000 * MS / m->header.sample_hz :
				   MS;
}

int profiler_record_slots(struct profiler *p, const struct model *m, const struct trace_record *rec,
			  size_t most, uint64_t longest_ns)
{
	int err;

	p->too_many = p->counts.n > COUNTS_MOST;
	if (rec->type != TRACE_SAMPLES || p->too_many)
		return 0;
	profiler_find_slots(p, m);
	err = sample_counts_add(&p->counts, m, rec, &p->apart);
	while (!err && p->counts.n > most && p->apart.each_ns < longest_ns) {
		err = sample_counts_join(&p->counts);
		p->apart.each_ns *= 2;
	}
	return err;
}

void profiler_free(struct exporter *e)
{
	sample_counts_free(&((struct profiler *)e)->counts);
}

/* ---- pprof ----------------------------------------------------------------------------- */

/*
 * pprof: weighted stacks as gzipped protocol buffers: one profile for everything, or one per interval. A protocol
 * buffer may be written in parts. There are many samples, so they are written one by one. The tables to which the
 * samples refer follow.
 */

#define LABELS 6
#define VALUES 3

struct writer {
	/* must be the first member, because append() receives a pointer to it */
	ProtobufCBuffer base;
	FILE *out;
	struct strings strings;
	struct profile *p;
	bool energy;
	uint32_t key[LABELS];
};

static void append(ProtobufCBuffer *base, size_t n, const uint8_t *data)
{
	struct writer *w = (struct writer *)base;

	fwrite(data, 1, n, w->out);
}

static void put(struct writer *w, const Pprof__Profile *part)
{
	pprof__profile__pack_to_buffer(part, &w->base);
}

/* ---- samples ----------------------------------------------------------------------------- */

enum label { LABEL_CPU, LABEL_LEAF, LABEL_CATEGORY, LABEL_COMM, LABEL_TGID, LABEL_CGROUP };

/* Names of labels. Every reader accepts letters, digits and underscores. */
static const char *const label_name[LABELS] = {
	[LABEL_CPU] = "cpu",   [LABEL_LEAF] = "leaf", [LABEL_CATEGORY] = "category",
	[LABEL_COMM] = "comm", [LABEL_TGID] = "tgid", [LABEL_CGROUP] = "cgroup",
};

struct sample {
	Pprof__Sample msg;
	uint64_t location[TRACE_MAX_STACK + 1];
	int64_t value[VALUES];
	Pprof__Label label[LABELS], *labels[LABELS];
};

/* Adds a label to a sample. Unknown values have no label. */
static void label(struct writer *w, struct sample *s, enum label which, const char *value)
{
	Pprof__Label *l = &s->label[s->msg.n_label];

	if (!*value)
		return;
	pprof__label__init(l);
	l->key = w->key[which];
	l->str = strings_id(&w->strings, value);
	s->labels[s->msg.n_label++] = l;
}

static void label_uint(struct writer *w, struct sample *s, enum label which, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	label(w, s, which, text);
}

static void put_sample(struct writer *w, struct sample *s)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Sample *msg = &s->msg;

	msg->location_id = s->location;
	msg->value = s->value;
	msg->n_value = w->energy ? VALUES : VALUES - 1;
	msg->label = s->labels;
	part.n_sample = 1;
	part.sample = &msg;
	put(w, &part);
}

static void begin_sample(struct writer *w, struct sample *s, unsigned int cpu, enum leaf leaf,
			 const char *category)
{
	pprof__sample__init(&s->msg);
	label_uint(w, s, LABEL_CPU, cpu);
	label(w, s, LABEL_LEAF, leaf_desc[leaf].key);
	label(w, s, LABEL_CATEGORY, category);
}

/* Adds the stack of a sample. The numbers of functions and of their locations begin with 1. */
static void stack(const struct profile *p, struct sample *s, uint32_t stack)
{
	size_t n = 0;

	do {
		s->location[n++] = functions_of_stack(p->functions, stack) + UINT64_C(1);
		stack = p->m->stack[stack].parent;
	} while (stack && n < TRACE_MAX_STACK);
	s->msg.n_location_id = n;
}

static const char *category_of(const struct model *m, unsigned int class, enum leaf leaf)
{
	if (!m->classes || class >= m->classes->n)
		return leaf_desc[leaf].key;
	return classifier_rules(m->classes->classifier)
		->category[m->classes->at[class].category]
		.key;
}

static void write_count(struct writer *w, const struct sample_count *c)
{
	const struct model *m = w->p->m;
	enum leaf leaf = model_leaf(m, c->class);
	struct sample s;

	if (leaf == LEAF_IDLE && !w->p->idle)
		return;
	begin_sample(w, &s, c->cpu, leaf, category_of(m, c->class, leaf));
	if (c->task && c->task <= m->ntasks) {
		const struct model_task *t = &m->task[c->task];

		label(w, &s, LABEL_COMM, model_string(m, t->comm));
		if (t->tgid != TRACE_NIL)
			label_uint(w, &s, LABEL_TGID, t->tgid);
	}
	label(w, &s, LABEL_CGROUP, model_cgroup(m, c->cgroup));
	stack(w->p, &s, c->stack);
	s.value[0] = (int64_t)c->samples;
	s.value[1] = weight_take(&w->p->weights.cpu[c->cpu][leaf], c->samples);
	s.value[2] = leaf == LEAF_IDLE ? 0 : weight_take(&w->p->weights.energy, c->samples);
	put_sample(w, &s);
}

/*
 * Returns the number of a leaf's location. Pseudo functions represent leaves, and their numbers
 * follow those of the real functions.
 */
static uint64_t leaf_location(const struct writer *w, enum leaf leaf)
{
	return w->p->functions->n + UINT64_C(1) + leaf;
}

/*
 * Writes the costs that are known without samples, such as the recorder's own, each as a sample
 * with count 0.
 */
static void write_unsampled(struct writer *w)
{
	const struct weights *weights = &w->p->weights;

	for (unsigned int c = 0; c < weights->ncpus; c++)
		for (enum leaf l = 0; l < LEAF_COUNT; l++) {
			struct weight *weight = &weights->cpu[c][l];
			struct sample s;

			if (weight->samples || !(round(fabs(weight->whole)) > 0) ||
			    (l == LEAF_IDLE && !w->p->idle))
				continue;
			begin_sample(w, &s, c, l, leaf_desc[l].key);
			s.location[0] = leaf_location(w, l);
			s.msg.n_location_id = 1;
			s.value[0] = s.value[2] = 0;
			s.value[1] = weight_take(weight, 0);
			put_sample(w, &s);
		}
}

/* ---- tables ------------------------------------------------------------------------- */

static void put_function(struct writer *w, uint64_t id, uint64_t mapping, const char *name,
			 const char *file)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
	Pprof__Line line = PPROF__LINE__INIT, *lines = &line;

	function.id = location.id = line.function_id = id;
	function.name = function.system_name = strings_id(&w->strings, name);
	function.filename = strings_id(&w->strings, file);
	location.mapping_id = mapping;
	location.n_line = 1;
	location.line = &lines;
	part.n_function = part.n_location = 1;
	part.function = &functions;
	part.location = &locations;
	put(w, &part);
}

/* Writes the names of leaves, which differ from the names of all kernel functions. */
static void put_leaves(struct writer *w)
{
	for (enum leaf l = 0; l < LEAF_COUNT; l++) {
		char name[64];

		snprintf(name, sizeof(name), "[%s]", leaf_desc[l].title);
		put_function(w, leaf_location(w, l), 0, name, "");
	}
}

uint64_t profile_mapping(const struct profile *p, uint32_t f)
{
	if (f + 1 == p->functions->n) /* the last function represents user mode */
		return 0;
	return p->m->module[p->functions->at[f].symbol] + UINT64_C(1);
}

const char *profile_mapping_name(const struct profile *p, uint64_t mapping, char name[PROFILE_NAME])
{
	if (mapping == 1)
		return "[kernel.kallsyms]";
	snprintf(name, PROFILE_NAME, "[%.250s]",
		 model_string(p->m, p->m->module_name[mapping - 1]));
	return name;
}

static void put_functions(struct writer *w)
{
	const struct functions *functions = w->p->functions;

	for (uint32_t i = 0; i < functions->n; i++) {
		const struct function *f = &functions->at[i];

		put_function(w, i + UINT64_C(1), profile_mapping(w->p, i),
			     *f->name ? f->name : PROFILE_UNKNOWN, f->module);
	}
}

static void put_mapping(struct writer *w, uint64_t id, const char *name)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;

	mapping.id = id;
	mapping.filename = strings_id(&w->strings, name);
	mapping.has_functions = true;
	part.n_mapping = 1;
	part.mapping = &mappings;
	put(w, &part);
}

static void put_mappings(struct writer *w)
{
	char name[PROFILE_NAME];

	for (uint64_t i = 1; i <= w->p->m->nmodules + UINT64_C(1); i++)
		put_mapping(w, i, profile_mapping_name(w->p, i, name));
}

/* ---- the profile ------------------------------------------------------------------------- */

static void put_head(struct writer *w)
{
	static const char *const type[VALUES][2] = { { "samples", "count" },
						     { "cpu", "nanoseconds" },
						     { "energy", "microjoules" } };
	const struct profile *p = w->p;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__ValueType types[VALUES], *list[VALUES];
	double ns = p->seconds * 1e9;

	for (unsigned int i = 0; i < VALUES; i++) {
		list[i] = &types[i];
		pprof__value_type__init(&types[i]);
		types[i].type = strings_id(&w->strings, type[i][0]);
		types[i].unit = strings_id(&w->strings, type[i][1]);
	}
	part.n_sample_type = w->energy ? VALUES : VALUES - 1;
	part.sample_type = list;
	part.time_nanos = (int64_t)p->begin_real_ns;
	part.duration_nanos = ns > 0 && ns < 9e18 ? (int64_t)ns : 0;
	part.default_sample_type = types[1].type;
	if (p->m->header.sample_hz) {
		part.period_type = &types[1];
		part.period = (int64_t)(1e9 / (double)p->m->header.sample_hz);
	}
	put(w, &part);
}

static void put_strings(struct writer *w)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;

	part.n_string_table = w->strings.n;
	part.string_table = w->strings.text;
	put(w, &part);
}

/* Writes the profile. It is a profile_write_fn. */
static int write_profile(FILE *out, struct profile *p)
{
	struct writer w = { .base = { .append = append },
			    .out = gzip_file(out),
			    .p = p,
			    .energy = isfinite(p->weights.energy.whole) };
	bool ok;

	if (!w.out)
		return -ENOMEM;
	strings_init(&w.strings);
	for (unsigned int i = 0; i < LABELS; i++)
		w.key[i] = strings_id(&w.strings, label_name[i]);
	put_head(&w);
	for (size_t i = 0; i < p->n; i++)
		write_count(&w, &p->count[i]);
	write_unsampled(&w);
	put_functions(&w);
	put_leaves(&w);
	put_mappings(&w);
	put_strings(&w);
	ok = !fclose(w.out) && !w.strings.no_memory;
	strings_free(&w.strings);
	return ok ? 0 : -ENOMEM;
}

/* ---- the format -------------------------------------------------------------------------- */

static bool begin(void *ctx, const struct intervals *iv)
{
	struct profiler *p = ctx;

	sample_counts_free(&p->counts);
	p->apart = (struct sample_apart){ .tasks = true, .rows = p->e.wanted.every ? iv : NULL };
	return true;
}

static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct profiler *p = ctx;

	p->too_many = p->counts.n > COUNTS_MOST;
	if (rec->type != TRACE_SAMPLES || p->too_many)
		return 0;
	return sample_counts_add(&p->counts, m, rec, &p->apart);
}

/*
 * Returns the energy of the samples in uJ, or NaN if CPUs or tasks are selected, because energy is known only for the
 * whole recording.
 */
static double microjoules(const struct model *m, double joules)
{
	return model_is_of_all(m) ? round(1e6 * joules) : NAN;
}

static int write_piece(struct profile *p, size_t piece, bool moved, const struct export_target *to)
{
	const struct interval *row = &p->source->iv->row[piece];
	double uj = microjoules(p->m, timeline_joules(row, moved));
	struct split split;
	int err = interval_split_cpus(p->source->iv, piece, p->m, &split);

	if (err)
		return err;
	p->seconds = (double)(row->end_ns - row->begin_ns) * 1e-9;
	if (!real_time_ns(p->m, row->begin_ns, &p->begin_real_ns))
		p->begin_real_ns = 0;
	err = profile_write(p, &split, uj, to, piece + 1, write_profile);
	split_free(&split);
	return err;
}

static int write_profiles(struct profile *p, const struct export_target *to)
{
	const struct sample_counts *c = &p->from->counts;
	const struct intervals *iv = p->source->iv;
	bool moved = timeline_energy_moved(iv);
	size_t first = 1, end;
	int err = 0;

	if (!p->from->e.wanted.every)
		return profile_write_all(p, microjoules(p->m, energy_joules(p->m)), to,
					 write_profile);
	for (size_t i = 0; !err && i < iv->n; i++, first = end) {
		end = sample_counts_next(c, first, (uint32_t)i + 1);
		p->count = c->n ? c->at + first : NULL;
		p->n = end - first;
		err = write_piece(p, i, moved, to);
	}
	return err;
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	return profiler_write((struct profiler *)e, from, to, false, write_profiles);
}

const struct export_format export_pprof = {
	.name = "pprof",
	.help = "stacks for go tool pprof, Pyroscope, Parca and similar tools, gzipped",
	.ending = ".pb.gz",
	.keep = MODEL_TASKS | MODEL_CGROUPS | MODEL_MODULES,
	.takes = EXPORT_TAKES_IDLE,
	.several = true,
	.binary = true,
	.size = sizeof(struct profiler),
	.watch = { .begin = begin, .record = record },
	.write = write,
	.free = profiler_free,
};
