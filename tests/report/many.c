// SPDX-License-Identifier: BSD-2-Clause
/*
 * many [-q] [-s STATUS]: runs netcost-report's main() for each line of standard input. Many lines
 * run in one process, because with sanitizers the start and end of a process take longer than most
 * commands.
 *
 *   lines: FILE ARGUMENT...
 *   FILE: the file that the output is written to
 *
 * No command may exit with more than STATUS (default 1). Without -q, no command may write more than
 * one line to standard error, except a warning about the coverage of a report. The first command
 * that does is shown, and ends the program. Leaks are reported when the process ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS 16
#define AT_ONCE 100 /* largest number of lines that a process runs */
#define MAX_SAID 8192
#define WARNING                                                                                    \
	"; the report covers (the rest|what comes before)$| are invalid and were skipped, the first: |: has no .*: record with netcost-record "

int report_main(int argc, char **argv); /* main() of src/report/main.c, see the Makefile */

struct many {
	int max_status;
	bool any_text; /* standard error may have any text */
	int said;      /* descriptor of the file that has the output to standard error */
	regex_t warning;
	char **line;
	size_t n;
	size_t *at; /* number of the current line; shared with the process that runs the lines */
};

static void die(const char *what)
{
	fprintf(stderr, "many: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Returns the text on standard error, which the caller frees. */
static char *said(const struct many *m)
{
	char *text = calloc(1, MAX_SAID);

	if (!text || pread(m->said, text, MAX_SAID - 1, 0) < 0)
		die("the answer");
	return text;
}

static bool is_quiet(const struct many *m)
{
	char *text = said(m), *rest = text;
	size_t lines = 0, others = 0;

	for (char *line; (line = strsep(&rest, "\n")) && rest; lines++)
		others += regexec(&m->warning, line, 0, NULL, 0) != 0;
	free(text);
	return lines <= 4 && others <= 1;
}

/* Runs a command with its output in a file. Most commands close stdout, and some print nothing. */
static int run(const char *path, int argc, char **argv)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), status;
	struct stat before, after;

	if (fd < 0 || fstat(fd, &before) || dup2(fd, STDOUT_FILENO) < 0 ||
	    (fd != STDOUT_FILENO && close(fd)) || !(stdout = fdopen(STDOUT_FILENO, "w")))
		die(path);
	status = report_main(argc, argv);
	if (!fstat(STDOUT_FILENO, &after) && after.st_dev == before.st_dev &&
	    after.st_ino == before.st_ino)
		fclose(stdout);
	return status;
}

static bool run_line(const struct many *m, const char *line)
{
	char *words = strdup(line), *rest = words, *argv[MAX_WORDS + 1],
	     program[] = "netcost-report";
	int argc = 0, status;
	bool good;

	if (!words || ftruncate(m->said, 0))
		die("begin");
	lseek(m->said, 0, SEEK_SET);
	while (argc < MAX_WORDS && rest)
		argv[argc++] = strsep(&rest, " ");
	argv[argc] = NULL;
	rest = argv[0];
	argv[0] = program;
	status = run(rest, argc, argv);
	good = status <= m->max_status && (m->any_text || is_quiet(m));
	if (!good)
		dprintf(m->said, "status %d\n", status);
	free(words);
	return good;
}

static int run_lines(const struct many *m, size_t end)
{
	if (dup2(m->said, STDERR_FILENO) < 0)
		die("stderr");
	for (; *m->at < end; ++*m->at)
		if (!run_line(m, m->line[*m->at]))
			return 1;
	return 0;
}

/* Runs the next commands in a separate process; reports crashes and excess output. */
static bool try_lines(const struct many *m, size_t end)
{
	pid_t pid = fork();
	int status;
	char *text;

	if (pid < 0)
		die("fork");
	if (!pid)
		exit(run_lines(m, end));
	if (waitpid(pid, &status, 0) < 0)
		die("wait");
	if (!status)
		return true;
	text = said(m);
	printf("%s: ended with %#x\n%s\n", *m->at < end ? m->line[*m->at] : "after the last one",
	       (unsigned int)status, text);
	free(text);
	return false;
}

/* Reads all lines before the first process starts, so that the processes do not consume input. */
static void read_lines(struct many *m)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	while ((len = getline(&line, &size, stdin)) > 0) {
		m->line = realloc(m->line, (m->n + 1) * sizeof(*m->line));
		line[len - 1] = '\0';
		if (!m->line || !(m->line[m->n++] = strdup(line)))
			die("lines");
	}
	free(line);
}

int main(int argc, char **argv)
{
	struct many m = { .max_status = 1 };
	bool good = true;

	for (int option; (option = getopt(argc, argv, "qs:")) != -1;) {
		if (option == 's')
			m.max_status = atoi(optarg);
		else if (option == 'q')
			m.any_text = true;
		else
			return 2;
	}
	m.said = memfd_create("said", MFD_CLOEXEC);
	m.at = mmap(NULL, sizeof(*m.at), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m.said < 0 || m.at == MAP_FAILED ||
	    regcomp(&m.warning, WARNING, REG_EXTENDED | REG_NOSUB))
		die("begin");
	read_lines(&m);
	while (good && *m.at < m.n) {
		fflush(stdout);
		good = try_lines(&m, *m.at + AT_ONCE < m.n ? *m.at + AT_ONCE : m.n);
	}
	printf("%zu of %zu commands\n", *m.at, m.n);
	for (size_t i = 0; i < m.n; i++)
		free(m.line[i]);
	free(m.line);
	regfree(&m.warning);
	return !good || !m.n;
}
