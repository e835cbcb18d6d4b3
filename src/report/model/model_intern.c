// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "model_impl.h"
#include "model.h"
#include "report/rules/rules.h"
#include "filter.h"
#include "user_names.h"

/* ---- families of sockets --------------------------------------------------------------- */

/*
 * Finds the socket family of a sample's call if the stack does not show it. The first part of a send is the same for
 * all sockets. So an undecided sample gets the family (network or local) of the task's last decided sample. This is
 * correct for a task that uses one family of sockets. For a task that uses both, each family gets its share of the
 * decided samples in the long run.
 */

struct socket_families {
	uint16_t *class; /* class of each sample of the record */
	size_t nclass;
	struct trace_column tasks; /* tasks of the record's samples, from sample `at` on */
	uint32_t at;
	/* enum socket_family of the last decided sample of each task; 0: no sample yet */
	uint8_t *last;
	size_t ntasks;
	uint8_t last_of_all; /* the guess for tasks that have no decided sample */
};

struct socket_families *socket_families_new(void)
{
	return calloc(1, sizeof(struct socket_families));
}

void socket_families_free(struct socket_families *f)
{
	if (!f)
		return;
	free(f->class);
	free(f->last);
	free(f);
}

/* Makes room for the tasks that have been defined so far. */
static int reserve_tasks(struct socket_families *f, const struct model *m)
{
	size_t had = f->ntasks;
	int err = array_reserve(&f->last, &f->ntasks, m->ntasks + (size_t)1, sizeof(*f->last));

	if (!err && f->ntasks > had)
		memset(f->last + had, SOCKET_NONE, f->ntasks - had);
	return err;
}

/* Begins a SAMPLES record. Afterwards, its samples are decided one after the other. Returns 0 or -ENOMEM. */
static int socket_families_begin(struct socket_families *f, const struct model *m,
				 const struct trace_record *rec)
{
	f->tasks = trace_record_column(rec, TRACE_SAMPLES_TASK);
	f->at = 0;
	return reserve_tasks(f, m);
}

/* Returns the task of sample i, or 0 if it is unknown. */
static uint64_t task_of(struct socket_families *f, uint32_t i)
{
	uint64_t task = 0;
	bool known = true;

	for (; known && f->at <= i; f->at++)
		known = trace_column_uint(&f->tasks, &task);
	return known ? task : 0;
}

/*
 * Returns the class of sample i of the record, given the class of the sample's stack. i must increase from call to
 * call. Call the function only if the class's family is not SOCKET_NONE, because other samples keep their class.
 */
static unsigned int socket_families_decide(struct socket_families *f, const struct model *m,
					   uint32_t i, unsigned int class)
{
	uint64_t task = task_of(f, i);
	uint8_t family = m->classes->family[class], *last = &f->last[task > m->ntasks ? 0 : task];

	if (family != SOCKET_UNDECIDED) {
		f->last_of_all = *last = family;
		return class;
	}
	family = *last == SOCKET_NONE ? f->last_of_all : *last;
	return family == SOCKET_LOCAL ? LEAF_SOCK_LOCAL : class;
}

/*
 * Decides all samples of a record. *class is set to an array with the class of each sample, valid until the next call.
 * If the rules have no undecided categories, each sample has its stack's class, and *class is set to NULL. Call the
 * function once per record. Returns 0 or -ENOMEM.
 */
static int socket_families_see(struct socket_families *f, const struct model *m,
			       const struct trace_record *rec, const uint16_t **class)
{
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);
	uint64_t stack;

	*class = NULL;
	if (!m->classes || !m->classes->any_undecided)
		return 0;
	if (socket_families_begin(f, m, rec) ||
	    array_reserve(&f->class, &f->nclass, stacks.n, sizeof(*f->class)))
		return -ENOMEM;
	for (uint32_t i = 0; trace_column_uint(&stacks, &stack); i++) {
		/* If a stack is undefined, the model reports the error when it reads the record. */
		unsigned int of = stack > m->nstacks ? 0 : m->class[stack];

		if (m->classes->family[of])
			of = socket_families_decide(f, m, i, of);
		f->class[i] = (uint16_t)of;
	}
	*class = f->class;
	return 0;
}

/* Maximum lengths of the parts of a name of user-space code: the file and the function. */
#define FILE_CHARS 64
#define FUNCTION_CHARS 512

/* ---- definitions -------------------------------------------------------------------- */

/* Ids and samples. A trace defines each id once, and then refers to it by number. */

/*
 * Checks the first id of a definition. Ids are consecutive and never redefined, so a definition continues where the
 * last definition ended.
 */
static int check_first(struct model *m, const struct trace_record *rec, const char *what,
		       unsigned int key, uint32_t highest, uint32_t n)
{
	uint64_t first = trace_record_uint(rec, key, 0);

	if (first != highest + 1ull)
		return model_damaged(m, "%s ids from %" PRIu64 " on, after %" PRIu32, what, first,
				     highest);
	if (highest + (uint64_t)n >= TRACE_MAX_ID)
		return model_damaged(m, "more than %u %s ids", TRACE_MAX_ID - 1, what);
	return 0;
}

static int check_length(struct model *m, const char *what, uint32_t n, uint32_t other)
{
	if (n == other)
		return 0;
	return model_damaged(m, "columns of %s have %u and %u elements", what, n, other);
}

/*
 * Keeps the name of a user-space file, or a name made from its build-id if the file has no name. Code that is in no
 * file is "[unknown]".
 */
static int keep_user_file(struct model *m, const struct trace_record *rec, uint32_t id)
{
	char build_id[9], name[32] = "[unknown]", file[2];
	int err = array_reserve(&m->user_file, &m->cap.user_file, id + (size_t)1,
				sizeof(*m->user_file));
	struct model_user_file *f;

	if (err)
		return err;
	f = &m->user_file[id];
	*f = (struct model_user_file){ .name = MODEL_KERNEL };
	if (!trace_record_field(rec, TRACE_MODULE_BUILD_ID))
		return 0;
	m->has_user = true;
	err = model_keep_field(m, rec, TRACE_MODULE_BUILD_ID, &f->build_id);
	if (err)
		return err;
	if (*trace_record_str(rec, TRACE_MODULE_FILE, file, sizeof(file)))
		return model_keep_field(m, rec, TRACE_MODULE_FILE, &f->name);
	if (*trace_record_str(rec, TRACE_MODULE_BUILD_ID, build_id, sizeof(build_id)))
		snprintf(name, sizeof(name), "[build-id %s]", build_id);
	return model_keep(m, name, strlen(name), &f->name);
}

int model_module(struct model *m, const struct trace_record *rec)
{
	char name[2 * sizeof(TRACE_OWN_MODULE)];
	int err = check_first(m, rec, "module", TRACE_MODULE_ID, m->nmodules, 1);

	if (!err && m->keep & MODEL_MODULES) {
		size_t id = m->nmodules + 1u;

		err = array_reserve(&m->module_name, &m->cap.module_name, id + 1,
				    sizeof(*m->module_name));
		if (!err)
			err = model_keep_field(m, rec,
					       trace_record_field(rec, TRACE_MODULE_BUILD_ID) ?
						       TRACE_MODULE_FILE :
						       TRACE_MODULE_NAME,
					       &m->module_name[id]);
	}
	if (!err)
		err = keep_user_file(m, rec, m->nmodules + 1u);
	if (!err) {
		trace_record_str(rec, TRACE_MODULE_NAME, name, sizeof(name));
		model_own_module(m, ++m->nmodules, name);
	}
	return err;
}

/*
 * Writes the name of user-space code: FILE:FUNCTION, or FILE+0xADDRESS if the function is not known. FILE is the file's
 * name up to its first dot. Returns the length.
 */
static int user_name(struct model *m, char *dst, size_t size, uint32_t module, int64_t address)
{
	struct model_user_file *f = &m->user_file[module];
	const char *file = model_string(m, f->name), *function = NULL;
	int len = (int)strcspn(file + (*file == '.'), ".") + (*file == '.'), most = 0;

	if (address)
		function = user_names_find(&m->user_names, &m->budget, file,
					   model_string(m, f->build_id), (uint64_t)address);
	f->addresses += address != 0;
	f->named += function != NULL;
	if (function)
		most = (int)strcspn(function, "@");
	if (function)
		return snprintf(dst, size, "%.*s:%.*s", len < FILE_CHARS ? len : FILE_CHARS, file,
				most < FUNCTION_CHARS ? most : FUNCTION_CHARS, function);
	if (address)
		return snprintf(dst, size, "%.*s+0x%" PRIx64, FILE_CHARS, file, (uint64_t)address);
	return snprintf(dst, size, "%.*s", FILE_CHARS, file);
}

/* Defines a user-space symbol. */
static int define_user_symbol(struct model *m, const char *name, uint32_t len, uint32_t module,
			      int64_t address)
{
	char text[FILE_CHARS + FUNCTION_CHARS + 32];
	uint32_t id = m->nsymbols + 1;
	int err;

	if (!len) {
		len = (uint32_t)user_name(m, text, sizeof(text), module, address);
		name = text;
	}
	err = model_keep(m, name, len, &m->symbol[id]);
	if (err)
		return err;
	if (m->keep & MODEL_MODULES)
		m->module[id] = module;
	m->mark[id] = CLASSIFY_USER;
	if (m->classes)
		m->mark[id] |=
			classifier_mark(m->classes->classifier, model_string(m, m->symbol[id]));
	m->nsymbols = id;
	return model_own_symbol(m, id, "", 0);
}

static int define_symbol(struct model *m, const char *name, uint32_t len, uint32_t module)
{
	uint32_t id = m->nsymbols + 1;
	int err = model_keep(m, name, len, &m->symbol[id]);

	if (err)
		return err;
	if (m->keep & MODEL_MODULES)
		m->module[id] = module;
	m->mark[id] = CLASSIFY_NOTHING;
	if (m->classes)
		m->mark[id] =
			classifier_mark(m->classes->classifier, model_string(m, m->symbol[id]));
	m->nsymbols = id;
	return model_own_symbol(m, id, model_string(m, m->symbol[id]), module);
}

int model_symbols(struct model *m, const struct trace_record *rec)
{
	struct trace_column names = trace_record_column(rec, TRACE_SYMBOLS_NAME);
	struct trace_column modules = trace_record_column(rec, TRACE_SYMBOLS_MODULE);
	struct trace_column offsets = trace_record_column(rec, TRACE_SYMBOLS_OFFSET);
	uint64_t module;
	int64_t offset;
	const char *s;
	uint32_t len;
	int err;

	if ((err = check_first(m, rec, "symbol", TRACE_SYMBOLS_FIRST, m->nsymbols, names.n)) ||
	    (err = check_length(m, "SYMBOLS", names.n, modules.n)) ||
	    (err = array_reserve(&m->symbol, &m->cap.symbol, m->nsymbols + names.n + 1ull,
				 sizeof(*m->symbol))) ||
	    (err = array_reserve(&m->mark, &m->cap.mark, m->nsymbols + names.n + 1ull,
				 sizeof(*m->mark))))
		return err;
	if (m->keep & MODEL_MODULES)
		err = array_reserve(&m->module, &m->cap.module, m->nsymbols + names.n + 1ull,
				    sizeof(*m->module));
	if (err)
		return err;
	while (trace_column_str(&names, &s, &len) && trace_column_uint(&modules, &module)) {
		if (module > m->nmodules)
			return model_damaged(m, "symbol %u refers to an undefined module",
					     m->nsymbols + 1);
		if (!trace_column_int(&offsets, &offset))
			offset = 0;
		err = m->user_file[module].name == MODEL_KERNEL ?
			      define_symbol(m, s, len, (uint32_t)module) :
			      define_user_symbol(m, s, len, (uint32_t)module, offset);
		if (err)
			return err;
	}
	return 0;
}

int model_reserve_stacks(struct model *m, size_t need)
{
	int err;

	if ((err = array_reserve(&m->stack, &m->cap.stack, need, sizeof(*m->stack))) ||
	    (err = array_reserve(&m->count, &m->cap.count, need, sizeof(*m->count))) ||
	    (err = array_reserve(&m->class, &m->cap.class, need, sizeof(*m->class))) ||
	    (err = array_reserve(&m->depth, &m->cap.depth, need, sizeof(*m->depth))))
		return err;
	return model_own_reserve(m, need);
}

/*
 * A user-space function that is called by the kernel counts as an unknown function of the kernel. No recorder writes
 * such a stack.
 */
bool model_is_user(const struct model *m, uint32_t stack)
{
	return m->mark[m->stack[stack].symbol] & CLASSIFY_USER &&
	       model_leaf(m, m->class[stack]) == LEAF_USER;
}

/*
 * Returns the class of a stack that calls `symbol` from the stack `parent`. `outer` is the class of `parent`. If
 * `parent` is 0, the stack has no caller.
 */
static unsigned int step(const struct model *m, unsigned int outer, uint32_t parent,
			 uint32_t symbol)
{
	bool user = m->mark[symbol] & CLASSIFY_USER, by_user = parent && model_is_user(m, parent);
	uint16_t mark = m->mark[symbol] & (CLASSIFY_USER - 1);
	const char *caller = NULL;

	if (user && parent && !by_user)
		return outer;
	if (user)
		outer = parent ? m->class[parent] : LEAF_USER;
	if (!mark)
		return outer;
	if (parent && user == by_user)
		caller = model_string(m, m->symbol[m->stack[parent].symbol]);
	return stack_classes_step(m->classes, outer, mark, caller);
}

/*
 * Returns the class of the caller. For a stack of the recorder's own programs, this is the class of the stack in which
 * the programs ran.
 */
static unsigned int class_of_caller(const struct model *m, uint32_t parent)
{
	if (!parent || model_is_user(m, parent))
		return LEAF_OTHER_KERNEL;
	return m->classes ? stack_classes_measured(m->classes, m->class[parent]) : m->class[parent];
}

static int define_stack(struct model *m, uint64_t up, uint64_t symbol)
{
	uint32_t id = m->nstacks + 1, parent;
	unsigned int outer;

	if (up == 0 || up > id)
		return model_damaged(m, "stack %u: no caller %" PRIu64 " ids before it", id, up);
	if (symbol > m->nsymbols)
		return model_damaged(m, "stack %u: symbol %" PRIu64 " is not defined", id, symbol);
	parent = id - (uint32_t)up;
	if (m->depth[parent] >= TRACE_MAX_STACK)
		return model_damaged(m, "stack %u is deeper than %u", id, TRACE_MAX_STACK);
	m->stack[id] = (struct model_stack){ .parent = parent, .symbol = (uint32_t)symbol };
	m->depth[id] = m->depth[parent] + 1;
	m->count[id] = 0;
	m->nstacks = id;
	outer = class_of_caller(m, parent);
	return model_own_stack(m, id, outer, step(m, outer, parent, (uint32_t)symbol));
}

int model_stacks(struct model *m, const struct trace_record *rec)
{
	struct trace_column ups = trace_record_column(rec, TRACE_STACKS_UP);
	struct trace_column symbols = trace_record_column(rec, TRACE_STACKS_SYMBOL);
	uint32_t first = m->nstacks + 1;
	uint64_t up, symbol;
	int err;

	if ((err = check_first(m, rec, "stack", TRACE_STACKS_FIRST, m->nstacks, ups.n)) ||
	    (err = check_length(m, "STACKS", ups.n, symbols.n)) ||
	    (err = model_reserve_stacks(m, m->nstacks + ups.n + 1ull)))
		return err;
	while (trace_column_uint(&ups, &up) && trace_column_uint(&symbols, &symbol)) {
		err = define_stack(m, up, symbol);
		if (err)
			return err;
	}
	model_own_stacks(m, first);
	return 0;
}

static int keep_tasks(struct model *m, struct trace_column tids, struct trace_column tgids,
		      struct trace_column comms)
{
	int err = array_reserve(&m->task, &m->cap.task, m->ntasks + (size_t)tids.n + 1,
				sizeof(*m->task));
	struct model_task *t = m->task + m->ntasks;
	uint64_t tid, tgid;
	const char *s;
	uint32_t len;

	if (err)
		return err;
	m->task[0] = (struct model_task){ 0 };
	while (trace_column_uint(&tids, &tid) && trace_column_uint(&tgids, &tgid) &&
	       trace_column_str(&comms, &s, &len)) {
		*++t = (struct model_task){ .tid = tid, .tgid = tgid };
		err = model_keep(m, s, len, &t->comm);
		if (err)
			return err;
	}
	return 0;
}

int model_tasks(struct model *m, const struct trace_record *rec)
{
	struct trace_column tids = trace_record_column(rec, TRACE_TASKS_TID);
	struct trace_column tgids = trace_record_column(rec, TRACE_TASKS_TGID);
	struct trace_column comms = trace_record_column(rec, TRACE_TASKS_COMM);
	int err;

	if ((err = check_first(m, rec, "task", TRACE_TASKS_FIRST, m->ntasks, tids.n)) ||
	    (err = check_length(m, "TASKS", tids.n, tgids.n)) ||
	    (err = check_length(m, "TASKS", tids.n, comms.n)) ||
	    (err = m->keep & MODEL_TASKS ? keep_tasks(m, tids, tgids, comms) : 0) ||
	    (err = m->filter && m->filter->tasks ? model_select_tasks(m, tids, comms) : 0))
		return err;
	m->ntasks += tids.n;
	return 0;
}

static int keep_cgroups(struct model *m, const struct trace_record *rec, uint32_t n)
{
	size_t last = m->ncgroups + (size_t)n;
	int err = array_reserve(&m->cgroup, &m->cap.cgroup, last + 1, sizeof(*m->cgroup));
	const char *s;
	uint32_t len;

	if (err)
		return err;
	memset(m->cgroup[0], 0, sizeof(m->cgroup[0]));
	memset(m->cgroup[m->ncgroups + 1], 0, n * sizeof(*m->cgroup));
	for (unsigned int i = 0; i < MODEL_CGROUP_NAMES; i++) {
		struct trace_column names = trace_record_column(rec, TRACE_CGROUPS_PATH + i);
		size_t id = m->ncgroups;

		while (!err && ++id <= last && trace_column_str(&names, &s, &len))
			err = model_keep(m, s, len, &m->cgroup[id][i]);
	}
	return err;
}

int model_cgroups(struct model *m, const struct trace_record *rec)
{
	struct trace_column paths = trace_record_column(rec, TRACE_CGROUPS_PATH);
	int err = check_first(m, rec, "cgroup", TRACE_CGROUPS_FIRST, m->ncgroups, paths.n);

	if (!err && m->keep & MODEL_CGROUPS)
		err = keep_cgroups(m, rec, paths.n);
	if (!err && m->filter && m->filter->cgroup)
		err = model_select_cgroups(m, paths);
	if (!err)
		m->ncgroups += paths.n;
	return err;
}

const char *model_cgroup_name(const struct model *m, uint64_t id, enum model_cgroup_name name)
{
	return m->cgroup && id <= m->ncgroups ? model_string(m, m->cgroup[id][name]) : "";
}

const char *model_cgroup(const struct model *m, uint64_t id)
{
	return model_cgroup_name(m, id, MODEL_CGROUP_PATH);
}

/* Checks the column of cgroups if the record has one. */
static int check_cgroups(struct model *m, const struct trace_record *rec, uint32_t n)
{
	struct trace_column ids = trace_record_column(rec, TRACE_SAMPLES_CGROUP);
	uint64_t id;

	if (!trace_record_field(rec, TRACE_SAMPLES_CGROUP))
		return 0;
	if (ids.n != n)
		return check_length(m, "SAMPLES", n, ids.n);
	while (m->keep & MODEL_CGROUPS && trace_column_uint(&ids, &id))
		if (id > m->ncgroups)
			return model_damaged(m, "a sample has an undefined cgroup");
	return 0;
}

/* Makes room to count each class that has been defined so far. */
static int reserve_classes(struct model *m, struct model_cpu *cpu)
{
	size_t n = m->classes ? m->classes->n : LEAF_COUNT;

	if (cpu->nclasses >= n)
		return 0;
	if (array_resize(&cpu->class, n, sizeof(*cpu->class)))
		return -ENOMEM;
	memset(cpu->class + cpu->nclasses, 0, (n - cpu->nclasses) * sizeof(*cpu->class));
	n -= cpu->nclasses;
	cpu->nclasses += n;
	return budget_take(&m->budget, n * sizeof(*cpu->class));
}

/* Returns true if count_all() cannot count the samples. */
static bool is_each_counted(const struct model *m)
{
	return filter_has_tasks(m->filter) || m->keep & MODEL_CPU_CGROUPS ||
	       (m->keep & MODEL_CPU_TASKS && m->keep & MODEL_BY_STACK) ||
	       (m->keep & MODEL_STACK_TASKS && m->has_user);
}

/* Returns true if a consumer of the model needs single samples, not only the number of samples per class. */
static bool is_each_seen(const struct model *m)
{
	return m->see || is_each_counted(m);
}

/*
 * Decides the families of a record's samples. Samples on CPUs that the filter excludes are included, because they help
 * to decide samples on other CPUs.
 */
int model_begin_samples(struct model *m, const struct trace_record *rec)
{
	m->sample_class = NULL;
	if (!m->classes || !m->classes->any_undecided || m->keep & MODEL_BY_STACK)
		return 0;
	if (is_each_seen(m) || filter_has_cpus(m->filter))
		return socket_families_see(m->families, m, rec, &m->sample_class);
	return socket_families_begin(m->families, m, rec);
}

static int undefined_stack(struct model *m, const struct model_cpu *cpu)
{
	return model_damaged(m, "a sample of CPU %u has an undefined stack", cpu->cpu);
}

/*
 * Counts the stacks of a record. Only this loop and the loop in count_samples() handle every single sample. All other
 * code handles distinct stacks.
 */
static int count_stacks(struct model *m, struct model_cpu *cpu, struct trace_column stacks)
{
	uint64_t *count = m->count, id;
	const uint32_t highest = m->nstacks;

	while (trace_column_uint(&stacks, &id)) {
		if (id > highest)
			return undefined_stack(m, cpu);
		count[id]++;
	}
	return 0;
}

/*
 * Counts of a record's samples that were taken in pauses, by class. The meaning of a class is looked up once per
 * record, not once per sample.
 */
struct paused_samples {
	struct trace_times times;
	struct model_around around;
	uint64_t n[STACK_CLASSES_MAX];
};

static void paused_see(struct paused_samples *p, const struct model *m, unsigned int class)
{
	uint64_t at_ns;

	if (trace_times_next(&p->times, &at_ns) && model_is_paused(m, &p->around, at_ns))
		p->n[class]++;
}

static void paused_end(const struct paused_samples *p, const struct model *m, struct model_cpu *cpu)
{
	for (unsigned int class = 0; m->npauses && class < cpu->nclasses; class ++)
		if (p->n[class])
			model_count_paused(m, cpu, class, p->n[class]);
}

/* Consecutive samples of the same task and leaf. A CPU often runs a task for many samples. */
struct task_run {
	struct trace_column tasks;
	uint32_t id; /* id of the task and leaf, as in struct model_cpu */
	uint64_t n;
};

static int task_run_end(struct task_run *r, struct model *m, struct model_cpu *cpu)
{
	return r->n ? model_count_owner(m, cpu, MODEL_OWNERS_TASKS, r->id, r->n) : 0;
}

static int task_run_see(struct task_run *r, struct model *m, struct model_cpu *cpu,
			unsigned int class)
{
	uint64_t task;
	uint32_t id;
	int err;

	if (!trace_column_uint(&r->tasks, &task) || task > m->ntasks)
		return model_damaged(m, "a sample of CPU %u has an undefined task", cpu->cpu);
	id = (uint32_t)task * LEAF_COUNT + model_leaf(m, class);
	if (id != r->id) {
		err = task_run_end(r, m, cpu);
		if (err)
			return err;
		r->id = id;
		r->n = 0;
	}
	r->n++;
	return 0;
}

static int count_samples(struct model *m, struct model_cpu *cpu, const struct trace_record *rec)
{
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);
	struct task_run run = { .tasks = trace_record_column(rec, TRACE_SAMPLES_TASK) };
	struct paused_samples p = { .times = trace_record_times(rec) };
	static const uint8_t no_family[STACK_CLASSES_MAX];
	uint64_t *count = m->count, *classes = cpu->class, id;
	const uint32_t highest = m->nstacks, n = stacks.n;
	const uint16_t *class = m->class, *decided = m->sample_class;
	const uint8_t *family = m->classes && m->classes->any_undecided && !decided ?
					m->classes->family :
					no_family;
	const bool tasks = m->keep & MODEL_CPU_TASKS;
	int err = 0;

	while (!err && trace_column_uint(&stacks, &id)) {
		unsigned int of;

		if (id > highest)
			return undefined_stack(m, cpu);
		count[id]++;
		of = decided ? *decided++ : class[id];
		if (family[of])
			of = socket_families_decide(m->families, m, n - stacks.n - 1, of);
		classes[of]++;
		if (m->npauses)
			paused_see(&p, m, of);
		if (tasks)
			err = task_run_see(&run, m, cpu, of);
	}
	paused_end(&p, m, cpu);
	return err ? err : task_run_end(&run, m, cpu);
}

static int count_cpu_stacks(struct model *m, struct model_cpu *cpu, struct trace_column stacks)
{
	uint64_t id;
	int err = 0;

	while (!err && trace_column_uint(&stacks, &id))
		err = model_count_id(m, &cpu->stacks, (uint32_t)id, 1);
	return err;
}

static int count_all(struct model *m, struct model_cpu *cpu, const struct trace_record *rec)
{
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);
	int err;

	cpu->samples += stacks.n;
	m->samples += stacks.n;
	err = m->keep & MODEL_BY_STACK ? count_stacks(m, cpu, stacks) : count_samples(m, cpu, rec);
	if (!err && m->keep & MODEL_CPU_STACKS)
		err = count_cpu_stacks(m, cpu, stacks);
	return err;
}

int model_samples(struct model *m, const struct trace_record *rec)
{
	struct trace_column times = trace_record_column(rec, TRACE_SAMPLES_DT);
	struct trace_column tasks = trace_record_column(rec, TRACE_SAMPLES_TASK);
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);
	struct model_cpu *cpu;
	int err;

	if ((err = check_length(m, "SAMPLES", stacks.n, times.n)) ||
	    (err = check_length(m, "SAMPLES", stacks.n, tasks.n)) ||
	    (err = check_cgroups(m, rec, stacks.n)) ||
	    (err = model_get_cpu(m, trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX), &cpu)))
		return err;
	m->samples_in_all += stacks.n;
	if (!filter_takes_cpu(m->filter, cpu->cpu))
		return 0;
	err = reserve_classes(m, cpu);
	if (!err && is_each_counted(m))
		err = model_count_each(m, cpu, rec);
	else if (!err)
		err = count_all(m, cpu, rec);
	return err;
}
