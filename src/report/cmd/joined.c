// SPDX-License-Identifier: BSD-2-Clause
#include "joined.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/reasons.h>

#include "report/base/tell.h"

static void tell_missing(const struct copy_input *before, const struct copy_input *in,
			 const struct join_ends *a, const struct join_ends *b)
{
	tell(in->file,
	     "begins %.3f s after the end of %s, whose recording goes on: what was between them is missing, and "
	     "they are reported apart",
	     (double)(b->first_ns - a->last_ns) / 1e9, before->file);
}

/* related: all are of one recording, as far as that can be known. */
static int find(struct copy_input *in, struct join **join, size_t n, unsigned long memory,
		bool *related)
{
	struct join_ends before, ends = { 0 };

	*related = n > 0;
	for (size_t i = 0; n > 1 && i < n; i++) {
		bool may = in[i].options.goes_on;

		in[i].options.goes_on = false;
		before = ends;
		join_look(in[i].file, &ends);
		if (!i)
			continue;
		if (may && join_misses(&before, &ends)) {
			tell_missing(&in[i - 1], &in[i], &before, &ends);
			continue;
		}
		if (!may || !join_follows(&before, &ends)) {
			*related = false;
			continue;
		}
		if (!join[i - 1])
			join[i - 1] = join_new(memory);
		if (!join[i - 1])
			return -ENOMEM;
		join[i] = join[i - 1];
		in[i].options.goes_on = true;
		if (!in[i - 1].options.goes_on)
			in[i - 1].options.derived = reason_joined;
	}
	return 0;
}

int joined_find(struct copy_input *in, struct join **join, size_t n, unsigned long memory)
{
	bool related;

	return find(in, join, n, memory, &related);
}

void joined_free(struct join **join, size_t n)
{
	for (size_t i = 0; join && i < n; i++)
		if (!i || join[i] != join[i - 1])
			join_free(join[i]);
	free(join);
}

/* Its own descriptor is closed with the file: standard input is a copy. */
static enum exit_status copy_to_stdin(const struct copy_input *in, size_t n)
{
	FILE *f = tmpfile();
	bool ok = f && copy_to_fd(in, n, fileno(f), "the joined trace");

	if (ok)
		ok = dup2(fileno(f), STDIN_FILENO) >= 0 && !lseek(STDIN_FILENO, 0, SEEK_SET);
	if (!f || (!ok && errno == ENOSPC))
		tell(in[0].file, "cannot be joined in a file of /tmp: %s", strerror(errno));
	if (f)
		fclose(f);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

enum exit_status joined_stdin(const char *const *file, size_t n, unsigned long memory)
{
	static char name[600];
	struct copy_input *in = calloc(n, sizeof(*in));
	struct join **join = calloc(n, sizeof(struct join *));
	enum exit_status status = EXIT_FAILED;
	bool related = false;
	int err = in && join ? 0 : -ENOMEM;

	for (size_t i = 0; i < n; i++)
		if (strcmp(file[i], "-") && access(file[i], R_OK)) {
			tell(file[i], "%s; check the path and its permissions", strerror(errno));
			free(in);
			free(join);
			return EXIT_FAILED;
		}
	for (size_t i = 0; !err && i < n; i++)
		in[i] = (struct copy_input){ file[i], { .goes_on = true, .memory = memory } };
	if (!err)
		err = find(in, join, n, memory, &related);
	for (size_t i = 0; !err && i < n; i++) {
		in[i].options.edit = join[i] ? join_edit : NULL;
		in[i].options.ctx = join[i];
	}
	if (err) {
		tell(file[0], "out of memory");
	} else if (!related) {
		tell(file[0],
		     "and the other files are not known to be one recording; give one FILE, or put them into one with merge");
		status = EXIT_USAGE;
	} else {
		snprintf(name, sizeof(name), "%.255s to %.255s", file[0], file[n - 1]);
		input_call_stdin(name);
		status = copy_to_stdin(in, n);
	}
	joined_free(join, n);
	free(in);
	return status;
}
