// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report dump: the records as they are, one JSON object per line; or the samples, one per line. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "report/base/json.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/spec/repair.h"
#include "report/stacks/folded.h"

struct dump_options {
	struct trace_options trace;
	bool samples, recover;
};

/* ---- records ----------------------------------------------------------------------------- */

static void uints(struct json *j, const char *key, struct trace_column c)
{
	uint64_t v;

	json_array(j, key);
	while (trace_column_uint(&c, &v))
		if (v == TRACE_NIL)
			json_null(j, NULL);
		else
			json_uint(j, NULL, v);
	json_array_end(j);
}

static void ints(struct json *j, const char *key, struct trace_column c)
{
	int64_t v;

	json_array(j, key);
	while (trace_column_int(&c, &v))
		json_int(j, NULL, v);
	json_array_end(j);
}

static void strs(struct json *j, const char *key, struct trace_column c)
{
	const char *s;
	uint32_t len;

	json_array(j, key);
	while (trace_column_str(&c, &s, &len))
		json_strn(j, NULL, s, len);
	json_array_end(j);
}

static void field(struct json *j, const char *key, const struct trace_record *rec,
		  const struct trace_field *f)
{
	switch (f->kind) {
	case TRACE_UINT:
		json_uint(j, key, f->v);
		break;
	case TRACE_INT:
		json_int(j, key, (int64_t)f->v);
		break;
	case TRACE_STR:
		json_strn(j, key, (const char *)f->p, f->n);
		break;
	case TRACE_UINTS:
		uints(j, key, trace_record_column(rec, f->key));
		break;
	case TRACE_INTS:
		ints(j, key, trace_record_column(rec, f->key));
		break;
	case TRACE_STRS:
		strs(j, key, trace_record_column(rec, f->key));
		break;
	}
}

/* Keys rise in a file, as they do in the registry. */
static void dump_record(const struct trace_reader *r, const struct trace_record *rec)
{
	struct json j = { .out = stdout, .compact = true };

	json_object(&j, NULL);
	json_str(&j, "type", trace_reader_name(r, rec->type, 0));
	for (unsigned int i = 0; i < rec->nfields; i++)
		field(&j, trace_reader_name(r, rec->type, rec->field[i].key), rec, &rec->field[i]);
	json_object_end(&j);
	json_end(&j);
}

/* ---- samples ----------------------------------------------------------------------------- */

static void print_sample(const struct model *m, uint64_t time_ns, uint64_t cpu, uint64_t task,
			 uint32_t stack)
{
	const struct model_task *t = task && task <= m->ntasks ? &m->task[task] : NULL;
	char comm[64] = "-";

	if (t) {
		snprintf(comm, sizeof(comm), "%s", model_string(m, t->comm));
		escape_folded(comm);
	}
	printf("%" PRIu64 ".%09" PRIu64 " [%03" PRIu64 "] ", time_ns / 1000000000u,
	       time_ns % 1000000000u, cpu);
	if (t && t->tid != TRACE_NIL)
		printf("%7" PRIu64 " ", t->tid);
	else
		printf("%7s ", "-");
	printf("%-15s ", *comm ? comm : "-");
	folded_stack(stdout, m, stack);
	putchar('\n');
}

static int dump_if_samples(struct model *m, const struct trace_record *rec)
{
	struct trace_samples s = trace_record_samples(rec);
	uint64_t cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, 0);
	int err = model_feed(m, rec);

	if (err || rec->type != TRACE_SAMPLES)
		return err;
	while (trace_samples_next(&s))
		print_sample(m, s.time_ns, cpu, s.task, (uint32_t)s.stack);
	return 0;
}

/* ---- command ----------------------------------------------------------------------------- */

static int dump_records(struct input *in, const struct trace_record *header)
{
	struct trace_record rec = *header;
	int err = trace_reader_set_described(in->reader);

	if (err)
		return err;
	do
		dump_record(in->reader, &rec);
	while ((err = trace_reader_next(in->reader, &rec)) > 0 && !ferror(stdout));
	return err;
}

/* Records are shown as they are in the file; samples need ids that have definitions. */
static int dump_samples(struct input *in, struct model *m, const struct trace_record *header)
{
	struct repair *repair = repair_new(in->reader, MODEL_LOST, &m->budget);
	struct trace_record rec = *header;
	int err = repair ? 1 : -ENOMEM;

	while (err > 0 && !ferror(stdout)) {
		err = dump_if_samples(m, &rec);
		if (!err)
			err = repair_next(repair, &rec);
	}
	repair_free(repair);
	return err;
}

static bool dump(void *ctx, struct input *in, const struct trace_record *header)
{
	const struct dump_options *o = ctx;
	struct model *m = model_new(o->samples ? MODEL_TASKS : 0, NULL);
	const struct part part = input_part(in, o->trace.part);
	int err = -ENOMEM;
	bool ok;

	if (o->samples && part.number && !part.alone)
		printf("# %s\n", PART_TITLE(&part));
	if (m)
		model_set_memory(m, o->trace.common.memory);
	if (m)
		err = o->samples ? dump_samples(in, m, header) : dump_records(in, header);
	ok = err > 0 || input_ended(in, err, m);
	model_free(m);
	return ok;
}

static enum exit_status run(const struct config *cfg)
{
	struct dump_options o = *(const struct dump_options *)cfg;
	const struct input_wanted wanted = { .file = cfg->file,
					     .select = o.trace.part,
					     .memory = cfg->memory };
	bool ok = input_each(&wanted, o.recover, dump, &o);

	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static const struct opt_desc opts[] = {
	OPT_PART,
	OPT_MEMORY,
	OPT_SWITCH(struct dump_options, samples, "samples",
		   "print the samples instead: time, CPU, thread id, name, stack"),
	OPT_SWITCH(struct dump_options, recover, "recover", "continue after damage"),
};

const struct command command_dump = {
	.name = "dump",
	.help = "the records as JSON, one per line",
	.run = run,
	COMMAND_OPTIONS(struct dump_options, opts),
};
