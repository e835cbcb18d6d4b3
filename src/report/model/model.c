// SPDX-License-Identifier: BSD-2-Clause
/*
 * Adds a trace's records to a model. This file handles records that occur once or rarely. Other files handle ids and
 * counters.
 */
#include "model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "filter.h"
#include "model_impl.h"
#include "user_names.h"
#include "report/rules/rules.h"
#include "report/spec/spec.h"

/*
 * Returns the kinds of ids that the model keeps. Every report needs the ids of kinds that have few definitions, so
 * these are always kept.
 */
static unsigned int kept_by(const struct model *m)
{
	unsigned int kept = BUDGET_IDS(MODULE) | BUDGET_IDS(SYMBOL) | BUDGET_IDS(STACK) |
			    BUDGET_IDS(NETDEV) | BUDGET_IDS(ZONE) | BUDGET_IDS(PROGRAM) |
			    BUDGET_IDS(PROTOCOL) | BUDGET_IDS(DROP) | BUDGET_IDS(OTHER) |
			    BUDGET_TEXTS;

	if (m->keep & (MODEL_TASKS | MODEL_CPU_TASKS) || (m->filter && m->filter->tasks))
		kept |= BUDGET_IDS(TASK);
	if (m->keep & (MODEL_CGROUPS | MODEL_CPU_CGROUPS) || (m->filter && m->filter->cgroup))
		kept |= BUDGET_IDS(CGROUP);
	if (m->keep & MODEL_PROCESSES)
		kept |= BUDGET_IDS(PROCESS);
	return kept;
}

void model_set_memory(struct model *m, uint64_t bytes)
{
	budget_init(&m->budget, bytes, kept_by(m));
}

struct model *model_new(unsigned int keep, const struct classifier *classifier)
{
	struct model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->keep = keep;
	model_set_memory(m, 0);
	m->classes = classifier ? stack_classes_new(classifier) : NULL;
	m->families = socket_families_new();
	if (!m->families || (classifier && !m->classes) ||
	    array_reserve(&m->strings, &m->cap.strings, 1, 1) ||
	    array_reserve(&m->symbol, &m->cap.symbol, 1, sizeof(*m->symbol)) ||
	    array_reserve(&m->mark, &m->cap.mark, 1, sizeof(*m->mark)) ||
	    array_reserve(&m->module, &m->cap.module, 1, sizeof(*m->module)) ||
	    array_reserve(&m->module_name, &m->cap.module_name, 1, sizeof(*m->module_name)) ||
	    array_reserve(&m->user_file, &m->cap.user_file, 1, sizeof(*m->user_file)) ||
	    model_reserve_stacks(m, 1)) {
		model_free(m);
		return NULL;
	}
	m->strings[m->strings_len++] = '\0';
	m->symbol[0] = 0;
	m->mark[0] = CLASSIFY_NOTHING;
	m->module[0] = 0;
	m->module_name[0] = 0;
	m->user_file[0] = (struct model_user_file){ .name = MODEL_KERNEL };
	m->stack[0] = (struct model_stack){ 0 };
	m->count[0] = 0;
	m->class[0] = LEAF_USER;
	m->depth[0] = 0;
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	for (unsigned int i = 0; i < m->cpu_end; i++)
		model_free_cpu(m->cpu[i]);
	for (int of = 0; of < MODEL_OWNERS_COUNT; of++)
		free(m->owners[of].all);
	model_window_free(m->window);
	sums_free(m->sums);
	free(m->header_cpus);
	free(m->pause);
	free(m->source);
	free(m->setting);
	model_free_netdevs(m);
	free(m->netdev);
	model_free_zones(m);
	model_free_stores(m);
	model_free_stages(m);
	free(m->program);
	model_own_free(&m->own);
	free(m->protocol);
	free(m->drop);
	free(m->other);
	free(m->symbol);
	free(m->module);
	free(m->module_name);
	free(m->user_file);
	user_names_free(m->user_names);
	free(m->pair);
	idmap_free(&m->by_pair);
	free(m->stack);
	free(m->task);
	free(m->cgroup);
	free(m->process);
	free(m->tick_cpu);
	free(m->mark);
	free(m->count);
	free(m->class);
	free(m->classes);
	socket_families_free(m->families);
	free(m->depth);
	free(m->selected);
	free(m->selected_cgroup);
	free(m->strings);
	free(m);
}

void model_set_filter(struct model *m, const struct filter *filter)
{
	m->filter = filter;
}

void model_set_see(struct model *m, model_see_fn *see, void *ctx)
{
	m->see = see;
	m->see_ctx = ctx;
}

/* ---- records that occur once or rarely ---------------------------------------------------- */

static int header_cpus(struct model *m, const struct trace_record *rec)
{
	struct trace_column c = trace_record_column(rec, TRACE_HEADER_CPUS);
	uint64_t v;

	if (c.n > TRACE_MAX_CPU)
		return model_damaged(m, "HEADER names %u CPUs, the format allows %u", c.n,
				     TRACE_MAX_CPU);
	m->header_cpus = calloc(c.n + 1u, sizeof(*m->header_cpus));
	if (!m->header_cpus)
		return -ENOMEM;
	while (trace_column_uint(&c, &v)) {
		struct model_cpu *cpu;
		int err = model_get_cpu(m, v, &cpu);

		if (err)
			return err;
		m->header_cpus[m->header.ncpus++] = cpu->cpu;
	}
	return 0;
}

static int header(struct model *m, const struct trace_record *rec)
{
	static const struct {
		unsigned int key;
		size_t offset;
	} uints[] = {
		{ TRACE_HEADER_MAJOR, offsetof(struct model_header, major) },
		{ TRACE_HEADER_MINOR, offsetof(struct model_header, minor) },
		{ TRACE_HEADER_CPUS_POSSIBLE, offsetof(struct model_header, cpus_possible) },
		{ TRACE_HEADER_CPUS_ONLINE, offsetof(struct model_header, cpus_online) },
		{ TRACE_HEADER_SAMPLE_HZ, offsetof(struct model_header, sample_hz) },
		{ TRACE_HEADER_SAMPLE_PERIOD, offsetof(struct model_header, sample_period) },
		{ TRACE_HEADER_TICK_MS, offsetof(struct model_header, tick_ms) },
		{ TRACE_HEADER_USER_HZ, offsetof(struct model_header, user_hz) },
		{ TRACE_HEADER_START_NS, offsetof(struct model_header, start_ns) },
		{ TRACE_HEADER_BUDGET_PPM, offsetof(struct model_header, budget_ppm) },
	}, strs[] = {
		{ TRACE_HEADER_TOOL, offsetof(struct model_header, tool) },
		{ TRACE_HEADER_KERNEL, offsetof(struct model_header, kernel) },
		{ TRACE_HEADER_MACHINE, offsetof(struct model_header, machine) },
		{ TRACE_HEADER_CPU_MODEL, offsetof(struct model_header, cpu_model) },
		{ TRACE_HEADER_SAMPLER, offsetof(struct model_header, sampler) },
		{ TRACE_HEADER_SAMPLE_EVENT, offsetof(struct model_header, sample_event) },
		{ TRACE_HEADER_SAMPLED, offsetof(struct model_header, sampled) },
		{ TRACE_HEADER_EXACT, offsetof(struct model_header, exact) },
		{ TRACE_HEADER_HOST, offsetof(struct model_header, host) },
	};
	char *h = (char *)&m->header;
	int err;

	if (m->header_cpus)
		return model_damaged(m, "a second HEADER");
	for (size_t i = 0; i < sizeof(uints) / sizeof(*uints); i++)
		*(uint64_t *)(void *)(h + uints[i].offset) =
			trace_record_uint(rec, uints[i].key, 0);
	for (size_t i = 0; i < sizeof(strs) / sizeof(*strs); i++) {
		model_str *s = (model_str *)(void *)(h + strs[i].offset);

		err = model_keep_field(m, rec, strs[i].key, s);
		if (err)
			return err;
	}
	err = model_keep_list(m, rec, TRACE_HEADER_DERIVED, &m->header.derived);
	if (!err)
		err = header_cpus(m, rec);
	m->recorded_cpus = m->header.ncpus;
	return err;
}

static int frame(struct model *m, const struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t first = trace_record_uint(rec, TRACE_FRAME_FIRST_NS, 0);
	uint64_t last = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0);
	uint64_t seq = trace_record_uint(rec, TRACE_FRAME_SEQ, 0), v;

	m->gap |= seq != m->seq + 1;
	m->seq = seq;
	if (last && first <= last) {
		if (!m->last_ns || first < m->first_ns)
			m->first_ns = first;
		if (last > m->last_ns)
			m->last_ns = last;
	}
	if (lost.n && lost.n != m->header.ncpus)
		return model_damaged(m, "FRAME has losses of %u CPUs, HEADER names %" PRIu64,
				     lost.n, m->header.ncpus);
	for (size_t i = 0; trace_column_uint(&lost, &v); i++)
		if (v != TRACE_NIL)
			m->cpu[m->header_cpus[i]]->frame_lost = v;
	return 0;
}

static int clock_pair(struct model *m, const struct trace_record *rec)
{
	m->clock_last = (struct model_clock){
		.mono_ns = trace_record_uint(rec, TRACE_CLOCK_MONO_NS, TRACE_NIL),
		.real_ns = trace_record_uint(rec, TRACE_CLOCK_REAL_NS, TRACE_NIL),
		.boot_ns = trace_record_uint(rec, TRACE_CLOCK_BOOT_NS, TRACE_NIL),
		.error_ns = trace_record_uint(rec, TRACE_CLOCK_ERROR_NS, TRACE_NIL),
	};
	if (m->records[TRACE_CLOCK] == 1)
		m->clock_first = m->clock_last;
	return 0;
}

/* Compares a total of END with the model's count. A missing total cannot contradict the count. */
static void check_total(struct model *m, const struct trace_record *rec, unsigned int key,
			uint64_t has)
{
	uint64_t says = trace_record_uint(rec, key, has);

	if (says != has && !*m->note && !m->gap)
		snprintf(m->note, sizeof(m->note),
			 "its END says %" PRIu64 " %s, but it has %" PRIu64, says,
			 trace_key_desc(TRACE_END, key)->name, has);
}

static int end(struct model *m, const struct trace_record *rec)
{
	m->end.at_ns = trace_record_uint(rec, TRACE_END_AT_NS, 0);
	check_total(m, rec, TRACE_END_SAMPLES, m->samples_in_all);
	check_total(m, rec, TRACE_END_SYMBOLS, m->nsymbols);
	check_total(m, rec, TRACE_END_STACKS, m->nstacks);
	check_total(m, rec, TRACE_END_TASKS, m->ntasks);
	return model_keep_field(m, rec, TRACE_END_WHY, &m->end.why);
}

/* ---- dispatch ----------------------------------------------------------------------- */

/* Begins a tick. The previous tick is complete when the next one arrives. */
static int tick(struct model *m, const struct trace_record *rec)
{
	int err = model_energy_piece(m);

	return err ? err : model_tick(m, rec);
}

static int latency(struct model *m, const struct trace_record *rec)
{
	model_count_followed(m, rec);
	return model_take_stored(m, rec);
}

typedef int handler(struct model *m, const struct trace_record *rec);

static handler *const handlers[UINT8_MAX + 1] = {
	[TRACE_HEADER] = header,
	[TRACE_FRAME] = frame,
	[TRACE_CLOCK] = clock_pair,
	[TRACE_SOURCE] = model_source,
	[TRACE_CONTEXT] = model_context,
	[TRACE_PROBE] = model_probe,
	[TRACE_PROBE_COST] = model_probe_cost,
	[TRACE_PROBE_RUNS] = model_probe_runs,
	[TRACE_MODULE] = model_module,
	[TRACE_SYMBOLS] = model_symbols,
	[TRACE_STACKS] = model_stacks,
	[TRACE_TASKS] = model_tasks,
	[TRACE_CGROUPS] = model_cgroups,
	[TRACE_SAMPLES] = model_samples,
	[TRACE_TICK] = tick,
	[TRACE_EXACT] = model_exact,
	[TRACE_EXACT_PART] = model_exact,
	[TRACE_EXACT_LOSS] = model_per_cpu,
	[TRACE_SAMPLE_LOSS] = model_per_cpu,
	[TRACE_PROCSTAT] = model_per_cpu,
	[TRACE_SOFTNET] = model_softnet,
	[TRACE_NETDEV] = model_netdev,
	[TRACE_NETDEV_STATS] = model_netdev_stats,
	[TRACE_ENERGY_ZONE] = model_zone,
	[TRACE_PROGRAM] = model_program,
	[TRACE_PROGRAM_STATS] = model_program_stats,
	[TRACE_COUNTER_NAMES] = model_counter_names,
	[TRACE_COUNTERS] = model_protocols,
	[TRACE_SOFTIRQS] = model_per_cpu,
	[TRACE_DROP_REASONS] = model_drop_reasons,
	[TRACE_DROPS] = model_drops,
	[TRACE_OTHER_PROGRAMS] = model_other_programs,
	[TRACE_OTHER_STATS] = model_other_stats,
	[TRACE_IRQ_STATS] = model_irqs,
	[TRACE_ENERGY] = model_energy,
	[TRACE_SELF] = model_self,
	[TRACE_MARK] = model_mark,
	[TRACE_OUTSIDE] = model_take_stored,
	[TRACE_PROCESSES] = model_processes,
	[TRACE_PROCESS_STATS] = model_take_stored,
	[TRACE_OWNER_STATS] = model_take_stored,
	[TRACE_RX_FATES] = model_take_stored,
	[TRACE_LATENCY] = latency,
	[TRACE_LATENCY_ONLY] = model_latency_only,
	[TRACE_LATENCY_BY] = model_take_stored,
	[TRACE_LATENCY_TAIL] = model_tail,
	[TRACE_STAGES] = model_stages,
	[TRACE_CERTIFICATE] = model_certificate,
	[TRACE_END] = end,
};

static int take(struct model *m, const struct trace_record *rec)
{
	handler *h = (unsigned int)rec->type <= UINT8_MAX ? handlers[rec->type] : NULL;
	int err = 0;

	if (rec->type == TRACE_SAMPLES)
		err = model_begin_samples(m, rec);
	if (!err && m->see)
		err = m->see(m->see_ctx, m, rec);
	if (err)
		return err;
	m->records[rec->type & UINT8_MAX]++;
	m->read_tick[rec->type & UINT8_MAX] = m->ticks;
	if (m->keep & MODEL_ONLY_STACKS && trace_type_is_counter(rec->type))
		return 0;
	err = h ? h(m, rec) : 0;
	if (!err && m->nasked)
		err = model_take_asked(m, rec);
	return err ? err : model_sum(m, rec);
}

int model_set_window(struct model *m, const struct cut_plan *plan)
{
	m->window = model_window_new(plan, m, take);
	m->origin_ns = plan->origin_ns;
	return m->window ? 0 : -ENOMEM;
}

int model_feed(struct model *m, const struct trace_record *rec)
{
	return m->window ? model_window_feed(m->window, rec) : take(m, rec);
}

static int read_all(struct model *m, struct trace_reader *r)
{
	struct repair *repair = repair_new(r, MODEL_LOST, &m->budget);
	struct trace_record rec;
	int err;

	if (!repair)
		return -ENOMEM;
	while ((err = repair_next(repair, &rec)) > 0) {
		err = take(m, &rec);
		if (err)
			break;
	}
	m->status = *trace_reader_status(r);
	m->lost.stacks = repair_lost(repair, TRACE_IDS_STACK);
	m->lost.symbols = repair_lost(repair, TRACE_IDS_SYMBOL);
	m->lost.tasks = repair_lost(repair, TRACE_IDS_TASK);
	m->lost.cgroups = repair_lost(repair, TRACE_IDS_CGROUP);
	repair_free(repair);
	return err;
}

int model_read(struct model *m, struct trace_reader *r)
{
	int err = m->window ? model_window_read(m->window, r) : read_all(m, r);

	if (m->sums)
		(void)sums_end(m->sums);
	model_end_stages(m);
	model_join_settings(m);
	if (!err)
		err = model_energy_piece(m);
	if (!err && m->see)
		err = m->see(m->see_ctx, m, NULL);
	model_apply_filter(m);
	return err;
}
