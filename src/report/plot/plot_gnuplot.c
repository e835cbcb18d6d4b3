// SPDX-License-Identifier: BSD-2-Clause
#include "plot_gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/base/escape.h"
#include "report/base/text.h"

/* 0, or an error number. -d: the user's own start-up file is ignored. */
static int spawn(pid_t *pid, FILE *in, FILE *out, FILE *err)
{
	/* As a file, not as '-': with '-' it would continue after an error. */
	static char *const argv[] = { "gnuplot", "-d", "/dev/stdin", NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	/* For blur_date(): otherwise cairo 1.18 compresses what the date is in. */
	setenv("CAIRO_DEBUG_PDF", "1", 1);
	error = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
	if (!error)
		error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* What it said last. */
static void tell_failed(FILE *err, int status, char *why, size_t size)
{
	char *line = NULL, last[SAFE_SIZE] = "it does not say why";
	size_t cap = 0;

	rewind(err);
	while (getline(&line, &cap, err) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (line[strspn(line, " ")])
			snprintf(last, sizeof(last), "%s", line);
	}
	free(line);
	if (WIFSIGNALED(status))
		snprintf(why, size,
			 "gnuplot was ended by signal %d; --script writes what it was to draw",
			 WTERMSIG(status));
	else
		snprintf(why, size, "gnuplot failed: %.150s; --script writes what it was to draw",
			 SAFE(last));
}

/* cairo puts the time of day into PDFs; the same trace is to give the same bytes. */
static void blur_date(FILE *picture)
{
	static const char key[] = "/CreationDate (D:", date[] = "19700101000000";
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, picture)) > 0) {
		char *at = memmem(line, (size_t)n, key, strlen(key));

		if (!at || line + n < at + strlen(key) + strlen(date))
			continue;
		if (fseeko(picture, at - line + (off_t)strlen(key) - n, SEEK_CUR))
			break;
		fwrite(date, 1, strlen(date), picture);
		break;
	}
	free(line);
	rewind(picture);
}

static bool run(FILE *script, FILE *picture, FILE *err, char *why, size_t size)
{
	pid_t pid;
	int status = 0, error;

	if (fflush(script) || fseeko(script, 0, SEEK_SET)) {
		snprintf(why, size, "cannot write a temporary file: %s", strerror(errno));
		return false;
	}
	error = spawn(&pid, script, picture, err);
	while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* Some C libraries notice only in the child that it cannot be started. */
	if (error == ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
		snprintf(why, size,
			 "charts are drawn by gnuplot, which is not installed: apt-get install "
			 "gnuplot-nox, or write the script for it with --script");
		return false;
	}
	if (error) {
		snprintf(why, size, "cannot start gnuplot: %s", strerror(error));
		return false;
	}
	rewind(picture);
	if (!status && fseeko(picture, 0, SEEK_END) == 0 && ftello(picture) > 0) {
		rewind(picture);
		blur_date(picture);
		return true;
	}
	tell_failed(err, status, why, size);
	return false;
}

FILE *gnuplot_run(FILE *script, char *why, size_t size)
{
	FILE *picture = tmpfile(), *err = tmpfile();
	bool ok = picture && err;

	if (!ok)
		snprintf(why, size, "cannot make a temporary file: %s", strerror(errno));
	else
		ok = run(script, picture, err, why, size);
	if (err)
		fclose(err);
	if (!ok && picture)
		fclose(picture);
	return ok ? picture : NULL;
}
