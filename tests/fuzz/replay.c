// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs fuzz.c on files without libFuzzer, so that errors that were fixed cannot return.
 *
 *   replay TARGET FOLDER...   runs all files in the folders
 *
 * A child process runs each input, so that the parent can name an input that crashes.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_SECONDS 120 /* limit for an input; the largest takes less than a second */
#define MAX_SIZE 8192	/* same limit as libFuzzer's -max_len in run.sh */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct replay {
	size_t n;
	char path[4096]; /* path of the current input */
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/*
 * Runs an input. It is copied to a buffer of its exact size, so that the sanitizer detects a read
 * past its end.
 */
static void replay_file(const char *path)
{
	static uint8_t all[MAX_SIZE];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(all, 1, sizeof(all), f) : 0;
	uint8_t *data = malloc(n);

	if (!f || !data)
		die(path);
	fclose(f);
	for (size_t i = 0; i < n; i++)
		data[i] = all[i];
	alarm(MAX_SECONDS);
	LLVMFuzzerTestOneInput(data, n);
	alarm(0);
	free(data);
}

static void replay_folder(struct replay *r, const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, NULL, alphasort);

	if (n < 0)
		die(folder);
	for (int i = 0; i < n; i++) {
		if (entry[i]->d_type == DT_REG) {
			snprintf(r->path, sizeof(r->path), "%s/%s", folder, entry[i]->d_name);
			replay_file(r->path);
			r->n++;
		}
		free(entry[i]);
	}
	free(entry);
}

int main(int argc, char **argv)
{
	struct replay *r =
		mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char **name = argv + 1;
	int status;
	pid_t pid;

	if (argc < 3 || r == MAP_FAILED)
		die("usage: replay TARGET FOLDER...");
	pid = fork();
	if (!pid) {
		LLVMFuzzerInitialize(&argc, &name);
		for (int i = 2; i < argc; i++)
			replay_folder(r, argv[i]);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("replay");
	if (status || !r->n)
		printf("not ok fuzz-%s: expected status 0, got %#x after %s\n", argv[1],
		       (unsigned int)status, r->path);
	else
		printf("ok fuzz-%s: %zu inputs\n", argv[1], r->n);
	return status || !r->n;
}
