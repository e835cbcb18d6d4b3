// SPDX-License-Identifier: BSD-2-Clause
#include "model_json.h"

#include <stdio.h>
#include <string.h>

#include "report/model/filter.h"

void json_model_string(struct json *j, const char *key, const struct model *m, model_str s)
{
	if (s)
		json_str(j, key, model_string(m, s));
	else
		json_null(j, key);
}

void json_model_strings(struct json *j, const char *key, const struct model *m,
			struct model_strs list)
{
	const char *p = model_string(m, list.first);

	json_array(j, key);
	for (uint32_t i = 0; i < list.n; i++, p += strlen(p) + 1)
		json_str(j, NULL, p);
	json_array_end(j);
}

/* key: NULL where it is newer than this program */
static void key_and_id(struct json *j, const char *of, const char *key, uint64_t id)
{
	char of_id[16];

	snprintf(of_id, sizeof(of_id), "%s_id", of);
	json_uint(j, of_id, id);
	if (key)
		json_str(j, of, key);
	else
		json_null(j, of);
}

void json_probes(struct json *j, const struct model *m)
{
	json_array(j, "probes");
	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probe[i];

		json_object(j, NULL);
		if (p->part == TRACE_NIL)
			key_and_id(j, "event", model_event_key(p->event), p->event);
		else
			key_and_id(j, "part", model_part_key(p->part), p->part);
		json_model_string(j, "rung", m, p->rung);
		json_model_strings(j, "hooks", m, p->hooks);
		json_model_strings(j, "refused", m, p->refused);
		if (p->tested) {
			json_uint(j, "tested", p->tested);
			json_uint(j, "seen", p->seen);
			json_model_strings(j, "unseen", m, p->unseen);
		}
		json_object_end(j);
	}
	json_array_end(j);
}

void json_sources(struct json *j, const struct model *m)
{
	json_array(j, "sources");
	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *s = &m->source[i];

		json_object(j, NULL);
		json_model_string(j, "name", m, s->name);
		json_model_string(j, "state", m, s->state);
		json_model_string(j, "via", m, s->via);
		json_model_string(j, "why", m, s->why);
		json_object_end(j);
	}
	json_array_end(j);
}

void json_part(struct json *j, const struct part *part)
{
	json_str(j, "file", part->file);
	if (part->number)
		json_uint(j, "part", part->number);
	else
		json_null(j, "part");
}

static void text_or_null(struct json *j, const char *key, const char *text)
{
	if (*text)
		json_str(j, key, text);
	else
		json_null(j, key);
}

void json_ended(struct json *j, const struct model *m)
{
	const struct trace_status *st = &m->status;
	char damage[400];

	json_bool(j, "complete", st->ended && !st->damages);
	text_or_null(j, "cut", st->ended || st->damages ? "" : st->what);
	text_or_null(j, "damaged", model_damage(m, damage, sizeof(damage)));
	json_uint(j, "frames_missing", st->frames_missing);
	text_or_null(j, "wrong", m->note);
}

static void or_null(struct json *j, const char *key, const char *s)
{
	if (s)
		json_str(j, key, s);
	else
		json_null(j, key);
}

void json_filter(struct json *j, const struct model *m)
{
	const struct filter *f = m->filter;

	if (!filter_has_cpus(f) && !filter_has_tasks(f)) {
		json_null(j, "only");
		return;
	}
	json_object(j, "only");
	or_null(j, "cpus", f->cpu_list);
	or_null(j, "tasks", f->tasks);
	or_null(j, "cgroup", f->cgroup);
	json_object_end(j);
}
