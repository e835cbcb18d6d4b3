// SPDX-License-Identifier: BSD-2-Clause
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
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

/* A damaged trace is analysed as far as it can be, as a cut one is. */
static void warn(const struct input *in, const struct model *m)
{
	const struct trace_status *st = trace_reader_status(in->reader);
	char damage[400];

	if (st->damages && m && m->status.damages)
		input_tell(in->name, "%s; the report is of the rest",
			   model_damage(m, damage, sizeof(damage)));
	else if (st->damages)
		input_tell(in->name, "%s", st->what);
	else if (!st->ended)
		input_tell(in->name, "%s; the report goes as far as that", st->what);
}

bool input_ended(const struct input *in, int err, const struct model *m)
{
	const struct trace_status *st = trace_reader_status(in->reader);

	if (err == -ENOMEM)
		input_tell(in->name, "out of memory");
	else if (err && m && *m->err)
		input_tell(in->name, "damaged: %s; %s", m->err, what_to_do(TRACE_DAMAGED));
	else if (err)
		input_tell(in->name, "%s; %s", *st->what ? st->what : strerror(-err),
			   what_to_do(st->problem));
	if (err)
		return false;
	warn(in, m);
	return true;
}

struct model *input_model(const char *file, unsigned int keep)
{
	struct classifier *classifier;
	struct model *m;
	struct input in;
	int err;

	if (!input_open(&in, file))
		return NULL;
	trace_reader_set_recover(in.reader, true);
	classifier = classifier_new(builtin_rules, builtin_nrules);
	m = classifier ? model_new(keep, classifier) : NULL;
	err = m ? model_read(m, in.reader) : -ENOMEM;
	classifier_free(classifier);
	if (!input_ended(&in, err, m)) {
		model_free(m);
		m = NULL;
	}
	input_close(&in);
	return m;
}
