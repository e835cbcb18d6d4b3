// SPDX-License-Identifier: BSD-2-Clause
/* The summary as one JSON object. Keys are stable; what was not measured is null. */
#include <math.h>

#include "cost_tables.h"
#include "model_json.h"
#include "report/analysis/other.h"
#include "report/analysis/summary.h"
#include "report/analysis/weak.h"
#include "traffic.h"

static void percent(struct json *j, const char *key, double share)
{
	json_num(j, key, 100 * share, 4);
}

static void recording(struct json *j, const struct summary *s)
{
	const struct model *m = s->m;
	const struct model_header *h = &m->header;

	json_object(j, "trace");
	json_part(j, s->part);
	json_ended(j, m);
	json_filter(j, m);
	json_num(j, "duration_s", s->duration_s, 6);
	json_num(j, "start_unix_s", s->start_real_ns ? (double)s->start_real_ns * 1e-9 : NAN, 6);
	json_model_string(j, "kernel", m, h->kernel);
	json_model_string(j, "machine", m, h->machine);
	json_model_string(j, "cpu_model", m, h->cpu_model);
	json_model_string(j, "host", m, h->host);
	json_model_string(j, "tool", m, h->tool);
	json_model_strings(j, "derived", m, h->derived);
	json_model_string(j, "exact", m, h->exact);
	json_uint(j, "sample_hz", h->sample_hz);
	json_model_string(j, "sampler", m, h->sampler);
	json_model_string(j, "sample_event", m, h->sample_event);
	if (h->sample_period)
		json_uint(j, "sample_period", h->sample_period);
	if (h->sampled)
		json_model_string(j, "sampled", m, h->sampled);
	json_uint(j, "tick_ms", h->tick_ms);
	json_array(j, "cpus");
	for (uint64_t i = 0; i < h->ncpus; i++)
		json_uint(j, NULL, m->header_cpus[i]);
	json_array_end(j);
	json_object_end(j);
}

/* ---- split ------------------------------------------------------------------------------- */

static void node(struct json *j, const struct split_cpu *c, const struct leaf_node *n)
{
	struct split_value v = split_sum(c, n->leaves);
	bool leaf = !(n->leaves & (n->leaves - 1));

	json_object(j, NULL);
	json_str(j, "key", n->key);
	json_bool(j, "leaf", leaf);
	json_uint(j, "depth", n->depth);
	json_num(j, "ns", v.ns, 0);
	json_num(j, "ci95_ns", isnan(v.ns) ? NAN : v.ci95_ns, 0);
	percent(j, "percent", v.ns / c->wall_ns);
	percent(j, "sampled_percent", v.sampled);
	percent(j, "sampled_ci95_percent", v.sampled_ci95);
	if (v.how == SPLIT_NOT_MEASURED)
		json_null(j, "source");
	else
		json_str(j, "source", split_how_name(v.how));
	json_object_end(j);
}

static void cpu(struct json *j, const struct split_cpu *c)
{
	json_object(j, NULL);
	json_uint(j, "cpu", c->cpu);
	json_num(j, "wall_ns", c->wall_ns, 0);
	json_num(j, "sum_ns", c->sum_ns, 0);
	percent(j, "sum_percent", c->sum_ns / c->wall_ns);
	json_object(j, "leaf_ns");
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		json_num(j, leaf_desc[l].key, c->leaf[l].ns, 0);
	json_object_end(j);
	json_object(j, "leaf_sampled_percent");
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		percent(j, leaf_desc[l].key, c->leaf[l].sampled);
	json_object_end(j);
	json_object_end(j);
}

static void split(struct json *j, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	json_object(j, "cpu_time");
	json_num(j, "wall_ns", all->wall_ns, 0);
	json_num(j, "sum_ns", all->sum_ns, 0);
	percent(j, "sum_percent", all->sum_ns / all->wall_ns);
	percent(j, "normalized_networking_cost_percent", s->networking_cost);
	percent(j, "normalized_networking_cost_ci95_percent", s->networking_cost_ci95);
	json_array(j, "tree");
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		node(j, all, &leaf_node[i]);
	json_array_end(j);
	json_array(j, "per_cpu");
	for (size_t i = 0; i < s->split.ncpus; i++)
		cpu(j, &s->split.cpu[i]);
	json_array_end(j);
	json_object_end(j);
}

/* ---- what the leaves are made of --------------------------------------------------------- */

static void category(struct json *j, const struct inside *in, unsigned int i)
{
	const struct rules_category *c = &in->rules->category[i];
	const struct inside_row *row = &in->row[i];

	json_object(j, NULL);
	json_str(j, "key", c->key);
	json_str(j, "title", c->title);
	if (i < LEAF_COUNT)
		json_null(j, "parent");
	else
		json_str(j, "parent", in->rules->category[c->parent].key);
	json_str(j, "leaf", leaf_desc[c->leaf].key);
	json_uint(j, "samples", row->exclusive.samples);
	percent(j, "percent", row->exclusive.share);
	percent(j, "ci95_percent", row->exclusive.ci95);
	json_uint(j, "self_samples", row->self.samples);
	percent(j, "self_percent", row->self.share);
	percent(j, "self_ci95_percent", row->self.ci95);
	json_uint(j, "inclusive_samples", row->inclusive.samples);
	percent(j, "inclusive_percent", row->inclusive.share);
	percent(j, "inclusive_ci95_percent", row->inclusive.ci95);
	json_object_end(j);
}

static void inside(struct json *j, const struct inside *in)
{
	if (in->rules && in->rules->file)
		json_str(j, "rules", in->rules->file);
	else
		json_null(j, "rules"); /* the built-in ones */
	json_array(j, "sampled_categories");
	for (unsigned int i = 0; in->rules && i < in->rules->ncategories; i++)
		if (i != LEAF_TASK)
			category(j, in, i);
	json_array_end(j);
}

/* ---- network ----------------------------------------------------------------------------- */

static void rx(struct json *j, const struct summary_rx *rx)
{
	json_object(j, "rx_exact");
	json_num(j, "ns", rx->ns, 0);
	json_num(j, "softirq_ns", rx->softirq_ns, 0);
	json_num(j, "thread_ns", rx->thread_ns, 0);
	json_num(j, "busy_poll_ns", rx->busy_ns, 0);
	json_object(j, "parts");
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		json_object(j, model_part_key(p));
		json_num(j, "ns", rx->part[p].ns, 0);
		json_num(j, "inclusive_ns", rx->part[p].total_ns, 0);
		json_num(j, "calls", rx->part[p].calls, 0);
		json_object_end(j);
	}
	json_object_end(j);
	json_num(j, "self_ns", rx->self_ns, 0);
	json_num(j, "missed_ends", rx->missed, 0);
	json_num(j, "polls_outside", rx->polls_outside, 0);
	json_object_end(j);
}

/* ---- the recording itself ---------------------------------------------------------------- */

static void shares(struct json *j, const char *key, const struct summary_shares *v)
{
	json_object(j, key);
	percent(j, "user_percent", v->user);
	percent(j, "system_percent", v->system);
	percent(j, "softirq_percent", v->softirq);
	percent(j, "irq_percent", v->irq);
	percent(j, "idle_percent", v->idle);
	percent(j, "steal_percent", v->steal);
	json_object_end(j);
}

static void quality(struct json *j, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	const struct trace_status *st = &s->m->status;

	json_object(j, "quality");
	json_uint(j, "samples", s->m->samples);
	json_uint(j, "samples_in_all", s->m->samples_in_all);
	json_num(j, "samples_expected", r->samples_expected, 0);
	json_num(j, "samples_idle", r->samples_idle, 0);
	json_num(j, "samples_idle_expected", r->samples_idle_expected, 0);
	json_num(j, "samples_lost", r->samples_lost, 0);
	json_num(j, "throttled_times", r->throttled, 0);
	json_num(j, "unsampled_ms", r->unsampled_ms, 3);
	json_num(j, "offline_ms", r->offline_ms, 3);
	json_num(j, "untracked_operations", r->untracked, 0);
	json_num(j, "torn_readings", r->torn, 0);
	json_num(j, "sends_inside_probes", r->sends_inside, 0);
	json_num(j, "sends_outside_probes", r->sends_outside, 0);
	json_num(j, "receives_inside_probes", r->recvs_inside, 0);
	json_num(j, "receives_outside_probes", r->recvs_outside, 0);
	json_num(j, "recorder_cpu_ms", r->self_ms, 3);
	json_num(j, "recorder_percent_of_one_cpu", r->self_percent, 4);
	json_num(j, "recorder_start_cpu_ms", r->self_start_ms, 3);
	json_uint(j, "counter_steps_backwards", s->m->backwards);
	json_uint(j, "skipped_records", st->unknown_types);
	json_uint(j, "skipped_fields", st->unknown_keys);
	json_uint(j, "skipped_events", s->m->unknown_events);
	json_object_end(j);
	shares(j, "procstat", &s->procstat);
	shares(j, "as_procstat", &s->ours);
}

static void weaknesses(struct json *j, const struct summary *s)
{
	struct weak weak[WEAK_MAX];
	size_t n = weak_make(weak, s);

	json_array(j, "weaknesses");
	for (size_t i = 0; i < n; i++) {
		json_object(j, NULL);
		json_str(j, "of", weak[i].name);
		json_str(j, "text", weak[i].text);
		json_object_end(j);
	}
	json_array_end(j);
}

static void moments(struct json *j, const struct summary *s)
{
	const struct model *m = s->m;

	json_uint(j, "marks_in_all", m->records[TRACE_MARK]);
	json_array(j, "marks");
	for (size_t i = 0; i < m->nmoments && i < SUMMARY_MOMENTS; i++) {
		json_object(j, NULL);
		json_num(j, "s", model_seconds(m, m->moment[i].at_ns), 6);
		json_model_string(j, "text", m, m->moment[i].text);
		json_object_end(j);
	}
	json_array_end(j);
}

/* ---- what no category takes -------------------------------------------------------------- */

static bool other(struct json *j, const struct summary *s)
{
	struct other o;
	bool ok = true;

	json_array(j, "uncategorized");
	for (size_t l = 0; s->inside.rules && ok && l < OTHER_LEAVES; l++) {
		ok = !other_make(&o, s->m, other_leaf[l]);
		for (size_t i = 0; ok && i < o.n; i++) {
			json_object(j, NULL);
			json_str(j, "leaf", leaf_desc[o.leaf].key);
			json_str(j, "function",
				 *o.function[i].name ? o.function[i].name : "[unknown]");
			json_uint(j, "samples", o.function[i].samples);
			json_object_end(j);
		}
		if (ok)
			other_free(&o);
	}
	json_array_end(j);
	return ok;
}

bool summary_json(FILE *out, const struct summary *s, const struct summary_json_options *o)
{
	struct doc d = o->flat ? doc_begin_flat(out, s->part) : doc_begin(&doc_json, out, s->part);
	struct json *j = &d.json;
	bool ok = true;

	json_object(j, NULL);
	recording(j, s);
	split(j, s);
	inside(j, &s->inside);
	if (o->other)
		ok = other(j, s);
	traffic_costs(&d, s);
	traffic_calls(&d, s);
	rx(j, &s->rx);
	traffic_interfaces(&d, s);
	traffic_energy(&d, s);
	quality(j, s);
	cost_json(j, s->m);
	weaknesses(j, s);
	moments(j, s);
	json_probes(j, s->m);
	json_sources(j, s->m);
	json_object_end(j);
	json_end(j);
	return ok;
}
