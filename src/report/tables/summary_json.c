// SPDX-License-Identifier: BSD-2-Clause
/* What a summary says of the recording, as JSON. */
#include <math.h>

#include "model_json.h"
#include "outside_doc.h"
#include "summary_text.h"
#include "report/analysis/weak.h"

static void percent(struct json *j, const char *key, double share)
{
	json_num(j, key, 100 * share, 4);
}

void json_recording(struct json *j, const struct summary *s)
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

void json_quality(struct doc *d, const struct summary *s)
{
	struct json *j = &d->json;
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
	outside_table(d, s);
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

void json_weaknesses(struct json *j, const struct summary *s)
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

void json_moments(struct json *j, const struct summary *s)
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
