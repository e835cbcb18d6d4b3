// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs netcost-report's main() for each line of standard input, each in a fork of this process. A
 * fork takes less than a tenth of the time to start the program, each run begins with fresh memory,
 * and a crash affects only one run. report.py uses it.
 *
 *   report_server FOLDER
 *   lines: LIMIT INPUT ARGUMENT..., separated by tabs
 *
 * LIMIT: KiB of address space; 0 for no limit. INPUT: a file that standard input gets through a
 * pipe; empty for /dev/null. Output and messages are written to FOLDER/out and FOLDER/err. The
 * answer is a line with the exit status, or with 128 plus the signal.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS 64

struct request {
	rlim_t limit_kib; /* 0 for no limit */
	const char *input;
	const char *argv[MAX_WORDS + 1];
	int argc;
};

int report_main(int argc, char **argv); /* main() of src/report/main.c, see the Makefile */

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void redirect(int fd, int to)
{
	if (fd < 0 || dup2(fd, to) < 0 || close(fd))
		_exit(99);
}

/* Writes the file to the pipe and exits. SIGPIPE means that the reader stopped reading. */
static _Noreturn void feed(const char *path, const int *pipe_fd)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[65536];
	ssize_t n;

	signal(SIGPIPE, SIG_DFL);
	close(pipe_fd[0]);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		if (write(pipe_fd[1], buf, (size_t)n) != n)
			_exit(1);
	_exit(n != 0);
}

/* Runs the command in a child process. */
static _Noreturn void run(const struct request *q, int folder, int in)
{
	const struct rlimit limit = { q->limit_kib << 10, q->limit_kib << 10 };

	redirect(in, STDIN_FILENO);
	redirect(openat(folder, "out", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
	redirect(openat(folder, "err", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
	if (q->limit_kib && setrlimit(RLIMIT_AS, &limit))
		_exit(99);
	exit(report_main(q->argc, (char **)q->argv));
}

static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("wait");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static pid_t fork_or_die(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return pid;
}

/* Runs the command of a request. Returns its status. */
static int serve(const struct request *q, int folder)
{
	int in[2] = { -1, -1 }, status;
	pid_t feeder = 0, pid;

	if (*q->input && !pipe2(in, O_CLOEXEC)) {
		if (!(feeder = fork_or_die()))
			feed(q->input, in);
		close(in[1]);
	} else {
		in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	if (!(pid = fork_or_die()))
		run(q, folder, in[0]);
	close(in[0]);
	status = status_of(pid);
	if (feeder)
		status_of(feeder);
	return status;
}

static struct request request_of(char *line)
{
	struct request q = { .argv = { "netcost-report" }, .argc = 1 };

	line[strcspn(line, "\n")] = '\0';
	q.limit_kib = strtoul(strsep(&line, "\t"), NULL, 10);
	q.input = line ? strsep(&line, "\t") : "";
	while (line && q.argc < MAX_WORDS)
		q.argv[q.argc++] = strsep(&line, "\t");
	return q;
}

int main(int argc, char **argv)
{
	int folder = argc == 2 ? open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	char *line = NULL;
	size_t size = 0;

	if (folder < 0)
		die("usage: report_server FOLDER");
	while (getline(&line, &size, stdin) > 0) {
		const struct request q = request_of(line);

		printf("%d\n", serve(&q, folder));
		fflush(stdout);
	}
	free(line);
	close(folder);
	return 0;
}
