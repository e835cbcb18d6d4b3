// SPDX-License-Identifier: BSD-2-Clause
/* empty COMMAND [ARGS]: runs it while the programs of empty.bpf.c are attached. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "tests/bench/empty.skel.h"

static int run(char **argv)
{
	pid_t pid = fork();
	int status = 1;

	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 || status;
}

int main(int argc, char **argv)
{
	struct empty_bpf *skel = empty_bpf__open_and_load();
	int err = !skel || argc < 2 || empty_bpf__attach(skel);

	if (err)
		fprintf(stderr, "empty: cannot attach the programs\n");
	else
		err = run(argv + 1);
	empty_bpf__destroy(skel);
	return err;
}
