/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outfile.h: a file that a command writes. Its directory may belong to another user, who can change
 * the directory's contents at any time.
 *
 *   1. The data has no name until it is complete, so no file is left if the program ends early.
 *   2. The new file replaces an existing link or file of that name. Nothing is written through
 *      an existing link or into an existing file.
 *   3. The directory is opened once. Names are looked up in it, and its path is not resolved
 *      again.
 *   4. Standard output, and a name that is itself a device or pipe, are written directly.
 */
#ifndef NETCOST_REPORT_OUTFILE_H
#define NETCOST_REPORT_OUTFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <zstd.h> /* for ZSTD_CCtx and ZSTD_EndDirective */

struct outfile {
	int fd, dir; /* dir: negative if the file is written directly */
	bool given;  /* fd is standard output, which belongs to the caller */
	bool fresh;  /* set by the caller: an existing file is kept, and outfile_close() fails */
	char base[NAME_MAX + 1]; /* final name in dir */
	char temp[32];		 /* temporary name in dir; empty if the file is written in place */
};

/* A file that is not open. outfile_close() does nothing with it. */
#define OUTFILE_NONE                                                                               \
	{                                                                                          \
		.fd = -1, .dir = -1                                                                \
	}

/*
 * Opens a file. name: NULL, "-" and /dev/stdout are standard output. mode: as in open(2). Returns 0
 * or -errno; on an error nothing is open.
 */
int outfile_open(struct outfile *o, const char *name, mode_t mode);
/*
 * Closes the file. keep: the data is complete, and the file gets its name. Returns 0 or -errno; on
 * an error the file is not kept.
 */
int outfile_close(struct outfile *o, bool keep);

/* ---- an archive --------------------------------------------------------------------------- */

/*
 * A .tar.zst file, written front to back.
 *
 * The project has its own writer because a ustar header is simple (512 bytes, and only a few of them are used), and
 * zstd is already a dependency. libarchive would be one more library for every build of the report, and tar(1) one more
 * program on every host. Files in the archive have no time and no owner, because these are private, and so that the
 * same files give the same bytes.
 */

/*
 * Compresses data to a zstd stream. how: ZSTD_e_continue, or ZSTD_e_end for the end of the frame.
 * Returns false if compressing or writing failed.
 */
bool zstd_write(ZSTD_CCtx *ctx, FILE *to, const void *data, size_t n, ZSTD_EndDirective how);

struct archive;

/* Begins an archive. Returns NULL if out of memory. Write errors are recorded in out. */
struct archive *archive_new(FILE *out);
void archive_free(struct archive *a); /* a may be NULL */

/*
 * Begins a file in the archive. The caller must then write exactly the announced size, which must
 * be below 8 GiB. name: shorter than 100 bytes. Returns false if the name or the size is too large.
 */
bool archive_file(struct archive *a, const char *name, uint64_t size);
void archive_write(struct archive *a, const void *data, size_t n);

/*
 * Ends the archive. Returns false if compressing failed, or if the sizes written differ from the
 * announced sizes.
 */
bool archive_end(struct archive *a);

/* ---- the pager ---- */

/*
 * A pager shows text that is longer than the terminal, as in git: $NETCOST_PAGER, else $PAGER, else
 * less -FRX. A value of "" or "cat" turns the pager off.
 */

/* If stdout is a terminal, buffers the output to stdout until pager_end(). Repeated calls are allowed. */
void pager_begin(void);
/* Shows the kept output. The program must not write to stdout after this call. */
void pager_end(void);
/* Returns the descriptor of stdout, or of the terminal that stdout was before pager_begin(). */
int pager_stdout(void);

#endif
