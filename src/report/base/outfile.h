/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outfile.h: a file that a command writes. Its directory may belong to somebody else, who can put anything there at any moment.
 *
 * 1. What is written has no name until it is complete: whatever ends the program, nothing is left of it.
 * 2. The new file takes over the name, also that of a link or file which is there: nothing is written through either.
 * 3. The directory is opened once; names are looked up in it, not along its path again.
 * 4. Standard output, and a device or pipe that the name itself is, are written to as they are.
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
	int fd, dir; /* dir: negative: the file is written to as it is */
	bool given;  /* fd is the caller's: standard output */
	bool fresh; /* to be set by the caller: what has the name by then stays, and closing fails */
	char base[NAME_MAX + 1]; /* the name that it will have in dir */
	char temp[32];		 /* the one that it has there until then; empty: none */
};

/* One that is not open: outfile_close() does nothing. */
#define OUTFILE_NONE                                                                               \
	{                                                                                          \
		.fd = -1, .dir = -1                                                                \
	}

/* name: NULL, "-" and /dev/stdout are standard output. mode: as open(2) has it. 0 or -errno; then nothing is open. */
int outfile_open(struct outfile *o, const char *name, mode_t mode);
/* Closes it. keep: it is complete, and gets its name. 0 or -errno; not kept then. */
int outfile_close(struct outfile *o, bool keep);

/* ---- an archive --------------------------------------------------------------------------- */

/*
 * A .tar.zst file, written front to back.
 *
 * Its own writer, as a header of ustar is 512 bytes of which we need a few, and zstd is here already: libarchive would be
 * one more library that every build of the report needs, and tar(1) one more program on every host, for a hundred lines.
 * Files have no time and belong to no one: that is private, and the same files give the same bytes.
 */

/* A stream of zstd's. how: ZSTD_e_continue, or ZSTD_e_end for the end of the frame. False: it could not be compressed, or not be written. */
bool zstd_write(ZSTD_CCtx *ctx, FILE *to, const void *data, size_t n, ZSTD_EndDirective how);

struct archive;

/* NULL: no memory. Errors of out stay with out. */
struct archive *archive_new(FILE *out);
void archive_free(struct archive *a); /* takes NULL */

/* Begins a file of that size, below 8 GiB: that much is then to be written. name: below 100 bytes. False: it is larger. */
bool archive_file(struct archive *a, const char *name, uint64_t size);
void archive_write(struct archive *a, const void *data, size_t n);

/* False: it could not be compressed, or what was written is not what was begun. */
bool archive_end(struct archive *a);

/* ---- the pager ---- */

/*
 * Text that is longer than the terminal goes through a pager, as with git: $NETCOST_PAGER, else $PAGER, else less -FRX; ""
 * and "cat" are none.
 */

/* Keeps what is written to stdout until pager_end(), if that is a terminal. It may be called again. */
void pager_begin(void);
/* Shows what was kept. After it nothing may be written. */
void pager_end(void);
/* The descriptor of stdout, or of the terminal that it was. */
int pager_stdout(void);

#endif
