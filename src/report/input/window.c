// SPDX-License-Identifier: BSD-2-Clause
#include "window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/tell.h"

static int copy_bytes(int from, int to)
{
	char buf[65536];
	ssize_t n, done = 0;

	while ((n = read(from, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))
		for (done = 0; done < n;) {
			ssize_t w = write(to, buf + done, (size_t)(n - done));

			if (w < 0 && errno != EINTR)
				return -errno;
			done += w > 0 ? w : 0;
		}
	return n < 0 ? -errno : 0;
}

/* An unnamed file. Negative errno. */
static int make_file(void)
{
	FILE *f = tmpfile();
	int fd = f ? dup(fileno(f)) : -1;
	int err = fd < 0 ? -errno : fd;

	if (f)
		fclose(f);
	return err;
}

bool window_make_seekable(struct input *in)
{
	struct stat st;
	int fd, err;

	if (!fstat(in->fd, &st) && S_ISREG(st.st_mode))
		return true;
	fd = make_file();
	err = fd < 0 ? fd : copy_bytes(in->fd, fd);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = fd;
	if (err < 0)
		tell(in->name,
		     "cannot be kept in a file of /tmp: %s; give a file instead of a pipe",
		     strerror(-err));
	return err >= 0;
}

/* ---- a part of the time ------------------------------------------------------------------ */

/* What is wrong where nothing is read of it makes no difference, and nobody knows. */
static void warn(const struct input *in, const struct trace_status *st,
		 const struct copy_result *result)
{
	char damage[400];

	if (st->damages)
		tell(in->name, "%s; the report is of the rest",
		     damage_text(st, damage, sizeof(damage)));
	else if (result->broken)
		tell(in->name,
		     "damaged: %" PRIu64 " records break a rule and are left out, the first: %s",
		     result->broken, result->first_broken);
	else if (!st->ended)
		tell(in->name, "%s; the report goes as far as that", st->what);
}

static int write_cut(struct input *in, const struct cut_source *s, const struct cut_plan *plan,
		     int fd)
{
	char range[80], derived[96];
	struct copy_options options = { .edit = cut_edit, .derived = derived };
	struct copy_result result = { 0 };
	struct trace_reader *r = NULL;
	int err;

	cut_plan_text(plan, range, sizeof(range));
	snprintf(derived, sizeof(derived), "cut %s", range);
	options.ctx = cut_new(plan);
	err = options.ctx ? cut_reader(&r, s, plan->begin_ns, plan->end_ns) : -ENOMEM;
	if (!err) {
		err = copy_trace(r, fd, &options, &result);
		warn(in, trace_reader_status(r), &result);
	}
	trace_reader_free(r);
	cut_free(options.ctx);
	return err;
}

int window_cut(struct input *in, unsigned int part, const struct time_arg *from,
	       const struct time_arg *to, uint64_t *origin_ns)
{
	struct cut_source s = { .fd = in->fd, .part = part, .chosen = true };
	struct cut_plan plan;
	int fd = -1, err = cut_plan_make(&plan, &s, from, to);

	*origin_ns = plan.origin_ns;
	if (err == -ENOMEM) {
		tell(in->name, "out of memory");
	} else if (err) {
		tell(in->name, "nothing to report on: %s", plan.why);
	} else {
		fd = make_file();
		err = fd < 0 ? fd : write_cut(in, &s, &plan, fd);
		if (err)
			tell(in->name, "cannot be cut into a file of /tmp: %s", strerror(-err));
	}
	cut_plan_free(&plan);
	if (err && fd >= 0)
		close(fd);
	return err ? -1 : fd;
}
