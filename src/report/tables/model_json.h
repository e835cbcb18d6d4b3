/* SPDX-License-Identifier: BSD-2-Clause */
/* model_json.h: parts of a model that more than one command prints as JSON. */
#ifndef NETCOST_REPORT_MODEL_JSON_H
#define NETCOST_REPORT_MODEL_JSON_H

#include "report/base/json.h"
#include "report/base/part.h"
#include "report/model/model.h"

/* An empty string was not in the trace: null. */
void json_model_string(struct json *j, const char *key, const struct model *m, model_str s);
void json_model_strings(struct json *j, const char *key, const struct model *m,
			struct model_strs list);
void json_probes(struct json *j, const struct model *m);
void json_sources(struct json *j, const struct model *m);

/* Which trace of which file. */
void json_part(struct json *j, const struct part *part);
/* Whether the trace is whole, and what is missing. */
void json_ended(struct json *j, const struct model *m);

/* What the report is about, if not all CPUs and tasks. */
void json_filter(struct json *j, const struct model *m);

#endif
