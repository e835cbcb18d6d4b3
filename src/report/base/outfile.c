// SPDX-License-Identifier: BSD-2-Clause
/* Output of a command: a file, an archive of several files, or a pager. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIES 100 /* attempts to find an unused name */

static bool is_stdout(const char *name)
{
	return !name || !strcmp(name, "-") || !strcmp(name, "/dev/stdout");
}

/* Opens the directory of the file and sets o->base. */
static int open_dir(struct outfile *o, const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char dir[PATH_MAX];

	if (!*base)
		return -EISDIR;
	if (strlen(base) > NAME_MAX || (size_t)(base - name) >= sizeof(dir))
		return -ENAMETOOLONG;
	strcpy(o->base, base);
	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(base - name) : 1, slash ? name : ".");
	o->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return o->dir < 0 ? -errno : 0;
}

/* Opens a device or pipe. Never waits for a pipe's reader. */
static int open_special(struct outfile *o)
{
	int flags;

	o->fd = openat(o->dir, o->base, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	if (o->fd < 0)
		return -errno;
	flags = fcntl(o->fd, F_GETFL);
	if (flags < 0 || fcntl(o->fd, F_SETFL, flags & ~O_NONBLOCK))
		return -errno;
	close(o->dir);
	o->dir = -1;
	return 0;
}

/*
 * Gives the new file a name that no other file has. fd: a file without a name; -1: creates a file
 * as o->fd.
 */
static int name_temporary(struct outfile *o, int fd, mode_t mode)
{
	char self[32];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	for (unsigned int i = 0; i < TRIES; i++) {
		snprintf(o->temp, sizeof(o->temp), ".netcost-%d-%u", (int)getpid(), i);
		if (fd >= 0) {
			if (!linkat(AT_FDCWD, self, o->dir, o->temp, AT_SYMLINK_FOLLOW))
				return 0;
		} else {
			o->fd = openat(o->dir, o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				       mode);
			if (o->fd >= 0)
				return 0;
		}
		if (errno != EEXIST)
			break;
	}
	o->temp[0] = '\0';
	return -errno;
}

static int open_new(struct outfile *o, mode_t mode)
{
	char self[32];

	o->fd = openat(o->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	if (o->fd >= 0 && !access(self, F_OK))
		return 0;
	/* The file system does not support O_TMPFILE, or /proc is not mounted. */
	if (o->fd >= 0)
		close(o->fd);
	return name_temporary(o, -1, mode);
}

int outfile_open(struct outfile *o, const char *name, mode_t mode)
{
	struct stat st;
	int err;

	*o = (struct outfile){ .fd = STDOUT_FILENO, .dir = -1, .given = is_stdout(name) };
	if (o->given)
		return 0;
	o->fd = -1;
	err = open_dir(o, name);
	if (err)
		return err;
	if (!fstatat(o->dir, o->base, &st, AT_SYMLINK_NOFOLLOW) && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode))
		err = S_ISDIR(st.st_mode) ? -EISDIR : open_special(o);
	else
		err = open_new(o, mode);
	if (err)
		outfile_close(o, false);
	return err;
}

/*
 * Renames the file from its temporary name to its final name. A file without a name first gets a
 * temporary one.
 */
static int take_name(struct outfile *o)
{
	int err = *o->temp ? 0 : name_temporary(o, o->fd, 0);

	if (err)
		return err;
	if (o->fresh) /* otherwise outfile_close() removes the temporary name */
		return linkat(o->dir, o->temp, o->dir, o->base, 0) ? -errno : 0;
	if (renameat(o->dir, o->temp, o->dir, o->base))
		return -errno;
	o->temp[0] = '\0';
	return 0;
}

int outfile_close(struct outfile *o, bool keep)
{
	int err = keep && o->dir >= 0 ? take_name(o) : 0;

	if (*o->temp)
		unlinkat(o->dir, o->temp, 0);
	if (o->fd >= 0 && !o->given && close(o->fd) && !err)
		err = -errno;
	if (o->dir >= 0)
		close(o->dir);
	o->fd = o->dir = -1;
	return err;
}

/* ---- an archive --------------------------------------------------------------------------- */

bool zstd_write(ZSTD_CCtx *ctx, FILE *to, const void *data, size_t n, ZSTD_EndDirective how)
{
	char buffer[1 << 14];
	ZSTD_inBuffer in = { .src = data, .size = n };
	size_t left;

	do {
		ZSTD_outBuffer out = { .dst = buffer, .size = sizeof(buffer) };

		left = ZSTD_compressStream2(ctx, &out, &in, how);
		if (ZSTD_isError(left) || fwrite(buffer, 1, out.pos, to) != out.pos)
			return false;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
	return true;
}

#define BLOCK 512
/* limit of file sizes, which are written with eleven octal digits */
#define LARGEST (UINT64_C(1) << 33)

/* The header of a file, from POSIX, "ustar Interchange Format". Numbers are octal. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
	char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155], unused[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header must be one block long");

struct archive {
	FILE *out;
	ZSTD_CCtx *zstd;
	uint64_t left;	/* remaining bytes of the current file */
	size_t padding; /* padding after the current file */
	bool failed;
};

struct archive *archive_new(FILE *out)
{
	struct archive *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->out = out;
	a->zstd = ZSTD_createCCtx();
	if (a->zstd)
		ZSTD_CCtx_setParameter(a->zstd, ZSTD_c_checksumFlag, 1);
	if (a->zstd)
		return a;
	archive_free(a);
	return NULL;
}

void archive_free(struct archive *a)
{
	if (!a)
		return;
	ZSTD_freeCCtx(a->zstd);
	free(a);
}

static void compress(struct archive *a, const void *data, size_t n, ZSTD_EndDirective end)
{
	a->failed = a->failed || !zstd_write(a->zstd, a->out, data, n, end);
}

static void pad(struct archive *a, size_t n)
{
	static const char zeros[2 * BLOCK];

	compress(a, zeros, n, ZSTD_e_continue);
}

static void set_sum(struct header *h)
{
	const unsigned char *byte = (const unsigned char *)h;
	unsigned int sum = 0;

	memset(h->sum, ' ', sizeof(h->sum));
	for (size_t i = 0; i < sizeof(*h); i++)
		sum += byte[i];
	snprintf(h->sum, sizeof(h->sum), "%06o", sum);
}

bool archive_file(struct archive *a, const char *name, uint64_t size)
{
	struct header h = { .mode = "0000644", .uid = "0000000", .gid = "0000000", .type = '0' };

	if (size >= LARGEST || strlen(name) >= sizeof(h.name))
		return false;
	a->failed |= a->left != 0;
	pad(a, a->padding);
	snprintf(h.name, sizeof(h.name), "%s", name);
	snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)size);
	snprintf(h.mtime, sizeof(h.mtime), "%011o", 0);
	memcpy(h.magic, "ustar", sizeof(h.magic));
	memcpy(h.version, "00", sizeof(h.version));
	set_sum(&h);
	compress(a, &h, sizeof(h), ZSTD_e_continue);
	a->left = size;
	a->padding = (size_t)((BLOCK - size % BLOCK) % BLOCK);
	return true;
}

void archive_write(struct archive *a, const void *data, size_t n)
{
	a->failed |= n > a->left;
	a->left -= n;
	compress(a, data, n, ZSTD_e_continue);
}

bool archive_end(struct archive *a)
{
	a->failed |= a->left != 0;
	pad(a, a->padding);
	pad(a, 2 * BLOCK);
	compress(a, NULL, 0, ZSTD_e_end);
	return !a->failed;
}

/* ---- the pager --------------------------------------------------------------------------- */

static struct {
	/* descriptors of the terminal and of the kept output; -1 if output is not kept */
	int terminal, kept;
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

/* Returns false if there is no such pager. */
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
	return waitpid(pid, &status, 0) == pid &&
	       !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
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
