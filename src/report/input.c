// SPDX-License-Identifier: BSD-2-Clause
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "classify.h"
#include "escape.h"
#include "text.h"

void input_tell(const char *file, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "netcost-report: %s: %s\n", SAFE(file), SAFE(text));
}

static const char *what_to_do(enum trace_problem problem)
{
	static const char *const texts[] = {
		[TRACE_NOT_A_TRACE] = "give a file that netcost-record wrote",
		[TRACE_EMPTY] = "record again with netcost-record",
		[TRACE_DAMAGED] = "copy it again from where it was recorded",
		[TRACE_VERSION] = "use a newer netcost-report",
	};
	const char *text = (size_t)problem < sizeof(texts) / sizeof(*texts) ? texts[problem] : NULL;

	return text ? text : "check the file";
}

const char *input_name(const char *file)
{
	return strcmp(file, "-") ? file : "stdin";
}

bool input_open(struct input *in, const char *file)
{
	struct stat st;
	int err;

	*in = (struct input){ .name = input_name(file), .fd = STDIN_FILENO };
	if (strcmp(file, "-"))
		in->fd = open(file, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0) {
		input_tell(in->name, "%s; %s", strerror(errno),
			   errno == ENOENT ? "name a trace, or record one with netcost-record" :
					     "check the path and its permissions");
		return false;
	}
	if (!fstat(in->fd, &st) && S_ISDIR(st.st_mode))
		input_tell(in->name, "is a directory; give the trace file in it");
	else if ((err = trace_reader_new(&in->reader, in->fd)))
		input_tell(in->name, "%s", strerror(-err));
	else
		return true;
	input_close(in);
	return false;
}

void input_close(struct input *in)
{
	trace_reader_free(in->reader);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
}

/* ---- parts ------------------------------------------------------------------------------- */

int input_next(struct input *in, struct trace_record *header)
{
	int err = in->number ? trace_reader_part(in->reader) : 1;

	if (err <= 0)
		return in->told ? 0 : err;
	in->number++;
	in->told = false;
	err = trace_reader_next(in->reader, header);
	if (err > 0)
		trace_record_str(header, TRACE_HEADER_HOST, in->host, sizeof(in->host));
	return err ? err : -EMEDIUMTYPE; /* a part begins with HEADER, or is none */
}

static void name_part(const struct input *in, char *dst, size_t size)
{
	if (*in->host)
		snprintf(dst, size, "%s", in->host);
	else
		snprintf(dst, size, "part %u", in->number);
}

struct part input_part(const struct input *in, const char *select)
{
	bool several = in->number > 1 || trace_reader_status(in->reader)->more;
	struct part p = {
		.file = in->name,
		.number = several ? in->number : 0,
		.alone = select || !several,
	};

	name_part(in, p.name, sizeof(p.name));
	return p;
}

/* Digits are a number, whatever hosts are called. */
bool input_is_selected(const struct input *in, const char *select)
{
	char name[sizeof(in->host)];

	if (!select)
		return true;
	if (*select && select[strspn(select, "0123456789")] == '\0')
		return strtoul(select, NULL, 10) == in->number;
	name_part(in, name, sizeof(name));
	return !strcmp(select, name);
}

/* ---- how it ended ------------------------------------------------------------------------ */

/* A damaged trace is analysed as far as it can be, as a cut one is. */
static void warn(const char *title, const struct trace_status *st, const struct model *m)
{
	char damage[400];

	if (st->damages && m && m->status.damages)
		input_tell(title, "%s; the report is of the rest",
			   model_damage(m, damage, sizeof(damage)));
	else if (st->damages)
		input_tell(title, "%s", st->what);
	else if (!st->ended)
		input_tell(title, "%s; the report goes as far as that", st->what);
	else if (st->problem)
		input_tell(title, "%s", st->what);
}

bool input_ended(struct input *in, int err, const struct model *m)
{
	const struct trace_status *st = trace_reader_status(in->reader);
	const struct part part = input_part(in, NULL);
	const char *title = PART_TITLE(&part);

	if (err == -ENOMEM)
		input_tell(title, "out of memory");
	else if (err && m && *m->err)
		input_tell(title, "damaged: %s; %s", m->err, what_to_do(TRACE_DAMAGED));
	else if (err)
		input_tell(title, "%s; %s", *st->what ? st->what : strerror(-err),
			   what_to_do(st->problem));
	in->told |= err != 0;
	if (err)
		return false;
	warn(title, st, m);
	return true;
}

/* ---- all of a file ----------------------------------------------------------------------- */

bool input_each(const char *file, const char *select, bool recover, input_fn *fn, void *ctx)
{
	struct trace_record header;
	unsigned int selected = 0;
	struct input in;
	bool ok = true;
	int err;

	if (!input_open(&in, file))
		return false;
	trace_reader_set_recover(in.reader, recover);
	while ((err = input_next(&in, &header)) > 0) {
		if (!input_is_selected(&in, select))
			continue;
		selected++;
		ok = fn(ctx, &in, &header) && ok;
	}
	if (err < 0)
		ok = input_ended(&in, err, NULL);
	else if (!selected && ok)
		input_tell(in.name, "has no part '%s'; info lists its %u", select, in.number);
	input_close(&in);
	return ok && selected;
}

struct models {
	const char *select;
	unsigned int keep;
	const struct classifier *classifier;
	input_model_fn *fn;
	void *ctx;
	unsigned int reported;
};

static bool one_model(void *ctx, struct input *in, const struct trace_record *header)
{
	struct models *all = ctx;
	struct model *m =
		model_new(all->keep, all->keep & MODEL_ONLY_STACKS ? NULL : all->classifier);
	int err = m ? model_feed(m, header) : -ENOMEM;
	struct trace_record rest;
	struct part part;
	bool ok;

	if (!err)
		err = model_read(m, in->reader);
	while (err && trace_reader_next(in->reader, &rest) > 0)
		; /* whether another part follows is known at the end of this one */
	part = input_part(in, all->select);
	part.first = !all->reported;
	ok = input_ended(in, err, m);
	all->reported += ok;
	ok = ok && all->fn(all->ctx, m, &part);
	model_free(m);
	return ok;
}

bool input_each_model(const char *file, const char *select, const char *rules_file,
		      unsigned int keep, input_model_fn *fn, void *ctx)
{
	struct rules *rules = rules_load(rules_file);
	struct classifier *classifier = rules ? classifier_new(rules) : NULL;
	struct models all = {
		.select = select, .keep = keep, .classifier = classifier, .fn = fn, .ctx = ctx
	};
	bool ok = false;

	if (classifier)
		ok = input_each(file, select, true, one_model, &all);
	else if (rules)
		input_tell(input_name(file), "out of memory");
	classifier_free(classifier);
	rules_free(rules);
	return ok;
}
