// SPDX-License-Identifier: BSD-2-Clause
#include "pager.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	int terminal, kept; /* -1: nothing is kept */
} pager = { -1, -1 };

int pager_stdout(void)
{
	return pager.terminal >= 0 ? pager.terminal : STDOUT_FILENO;
}

static const char *pager_command(void)
{
	const char *own = getenv("NETCOST_PAGER"), *any = getenv("PAGER");
	const char *command = own ? own : any ? any : "less -FRX";

	return *command && strcmp(command, "cat") ? command : NULL;
}

void pager_begin(void)
{
	static bool at_exit;

	if (pager.kept >= 0 || !isatty(STDOUT_FILENO) || !pager_command())
		return;
	fflush(stdout);
	pager.kept = memfd_create("netcost-report", MFD_CLOEXEC);
	pager.terminal = pager.kept < 0 ? -1 : dup(STDOUT_FILENO);
	if (pager.terminal < 0 || dup2(pager.kept, STDOUT_FILENO) < 0) {
		close(pager.kept);
		close(pager.terminal);
		pager.kept = pager.terminal = -1;
	} else if (!at_exit) {
		at_exit = !atexit(pager_end);
	}
}

static bool pager_is_longer(const char *text, size_t n)
{
	struct winsize size = { 0 };
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return !ioctl(pager.terminal, TIOCGWINSZ, &size) && size.ws_row && lines >= size.ws_row;
}

/* False: there is no such pager. */
static bool pager_run(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		return false;
	if (!pid) {
		if (dup2(pager.kept, STDIN_FILENO) >= 0 && dup2(pager.terminal, STDOUT_FILENO) >= 0)
			execl("/bin/sh", "sh", "-c", pager_command(), (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

static void pager_copy(const char *text, size_t n)
{
	while (n) {
		ssize_t written = write(pager.terminal, text, n);

		if (written <= 0)
			return;
		text += written;
		n -= (size_t)written;
	}
}

void pager_end(void)
{
	off_t n;
	char *text;

	if (pager.kept < 0)
		return;
	fflush(stdout);
	n = lseek(pager.kept, 0, SEEK_END);
	lseek(pager.kept, 0, SEEK_SET);
	text = n > 0 ? mmap(NULL, (size_t)n, PROT_READ, MAP_SHARED, pager.kept, 0) : MAP_FAILED;
	if (text != MAP_FAILED) {
		if (!pager_is_longer(text, (size_t)n) || !pager_run())
			pager_copy(text, (size_t)n);
		munmap(text, (size_t)n);
	}
	close(pager.kept);
	close(pager.terminal);
	pager.kept = pager.terminal = -1;
}
