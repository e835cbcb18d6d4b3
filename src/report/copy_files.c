// SPDX-License-Identifier: BSD-2-Clause
/* IN and OUT of the commands that write traces. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copy.h"
#include "input.h"

static bool same_file(int in, const char *out)
{
	struct stat a, b;
	int err = strcmp(out, "-") ? stat(out, &b) : fstat(STDOUT_FILENO, &b);

	return !err && !fstat(in, &a) && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* As private as a recording is. */
static int open_out(const char *out)
{
	return strcmp(out, "-") ? open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) :
				  STDOUT_FILENO;
}

static void tell_done(const struct input *in, const struct copy_result *r)
{
	const struct trace_status *st = trace_reader_status(in->reader);
	char damage[300];

	input_tell(in->name, "saved %" PRIu64 " records of %" PRIu64 " frames, %" PRIu64 " samples",
		   r->records, st->frames, r->samples);
	if (st->damages)
		input_tell(in->name, "%s", damage_text(st, damage, sizeof(damage)));
	else if (!st->ended)
		input_tell(in->name, "%s", st->what);
	if (r->broken)
		input_tell(in->name,
			   "left out %" PRIu64 " records that break a rule, the first: %s",
			   r->broken, r->first_broken);
	if (r->lost)
		input_tell(in->name, "lost definitions are named %" PRIu64 " times", r->lost);
	if (st->unknown_types || st->unknown_keys)
		input_tell(in->name,
			   "left out %" PRIu64 " records and %" PRIu64 " fields of a newer format",
			   st->unknown_types, st->unknown_keys);
}

static bool copy_to(struct input *in, const char *out, bool quiet)
{
	struct copy_result r = { 0 };
	const struct trace_status *st = trace_reader_status(in->reader);
	int fd = open_out(out), err;

	if (fd < 0) {
		input_tell(out, "cannot write: %s; check the path", strerror(errno));
		return false;
	}
	err = copy_trace(in->reader, fd, &r);
	if (fd != STDOUT_FILENO && close(fd) && !err)
		err = -errno;
	if (!err && !quiet)
		tell_done(in, &r);
	if (!err)
		return true;
	if (r.records || !(*st->what || r.broken))
		input_tell(out, "cannot write: %s; make room, or write elsewhere", strerror(-err));
	else
		input_tell(in->name, "nothing to save: %s", r.broken ? r.first_broken : st->what);
	if (!r.records && fd != STDOUT_FILENO)
		unlink(out);
	return false;
}

bool copy_files(const char *file, const char *out, bool quiet)
{
	struct input in;
	bool ok = false;

	if (!input_open(&in, file))
		return false;
	trace_reader_set_recover(in.reader, true);
	if (same_file(in.fd, out))
		input_tell(out, "is the trace that is read; write to another file");
	else
		ok = copy_to(&in, out, quiet);
	input_close(&in);
	return ok;
}
