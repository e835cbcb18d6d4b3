/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outfile.h: a file that a command writes. Its directory may belong to another user, who can change its contents at any
 * time.
 *
 * 1. The data has no name until it is complete: if the program ends early, nothing is left.
 * 2. The new file replaces an existing link or file of that name: nothing is written through either.
 * 3. The directory is opened once; names are looked up in it, and its path is not resolved again.
 * 4. Standard output, and a name that is itself a device or pipe, are written directly.
 */
#ifndef NETCOST_REPORT_OUTFILE_H
#define NETCOST_REPORT_OUTFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <zstd.h> /* ZSTD_CCtx, ZSTD_EndDirective */

struct outfile {
	int fd, dir; /* dir: negative: the file is written directly */
	bool given;  /* fd belongs to the caller: standard output */
	bool fresh;  /* set by the caller: an existing file is kept, and closing fails */
	char base[NAME_MAX + 1]; /* its final name in dir */
	char temp[32];		 /* its temporary name in dir; empty: none */
};

/* A file that is not open: outfile_close() does nothing. */
#define OUTFILE_NONE                                                                               \
	{                                                                                          \
		.fd = -1, .dir = -1                                                                \
	}

/*
 * name: NULL, "-" and /dev/stdout are standard output. mode: see open(2). Returns 0 or -errno; on
 * an error nothing is open.
 */
int outfile_open(struct outfile *o, const char *name, mode_t mode);
/* Closes it. keep: it is complete, and gets its name. Returns 0 or -errno; on an error it is not kept. */
int outfile_close(struct outfile *o, bool keep);

/* ---- an archive --------------------------------------------------------------------------- */

/*
 * A .tar.zst file, written front to back.
 *
 * It has its own writer, since a ustar header is 512 bytes of which only a few are used, and zstd is available already.
 * libarchive would be one more library for every build of the report, and tar(1) one more program on every host. Files
 * have no time and no owner: that is private, and the same files give the same bytes.
 */

/*
 * Compresses data to a zstd stream. how: ZSTD_e_continue, or ZSTD_e_end for the end of the frame.
 * Returns false if it could not be compressed or written.
 */
bool zstd_write(ZSTD_CCtx *ctx, FILE *to, const void *data, size_t n, ZSTD_EndDirective how);

struct archive;

/* Returns NULL if out of memory. Errors of out are recorded in out. */
struct archive *archive_new(FILE *out);
void archive_free(struct archive *a); /* accepts NULL */

/*
 * Begins a file of that size, below 8 GiB; exactly that much must be written next. name: below 100
 * bytes. Returns false if it is larger.
 */
bool archive_file(struct archive *a, const char *name, uint64_t size);
void archive_write(struct archive *a, const void *data, size_t n);

/* Returns false if it could not be compressed, or the sizes written differ from those announced. */
bool archive_end(struct archive *a);

/* ---- the pager ---- */

/*
 * Text that is longer than the terminal goes through a pager, as with git: $NETCOST_PAGER, else $PAGER, else less -FRX. A
 * value of "" or "cat" turns the pager off.
 */

/* Keeps what is written to stdout until pager_end(), if that is a terminal. It may be called again. */
void pager_begin(void);
/* Shows the kept output. After this call nothing may be written. */
void pager_end(void);
/* The descriptor of stdout, or of the terminal that it was. */
int pager_stdout(void);

#endif
