/* SPDX-License-Identifier: BSD-2-Clause */
/* trace_file.h: files in memory, and everything that a reader returns from a file, for tests of the trace library. */
#ifndef NETCOST_TESTS_TRACE_FILE_H
#define NETCOST_TESTS_TRACE_FILE_H

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zstd.h>

#include <netcost/trace.h>

#include "format/layout.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_FRAMES 64

struct bytes {
	uint8_t *p;
	size_t n;
};

void add_bytes(struct bytes *b, const void *p, size_t n);
void free_bytes(struct bytes *b);
/* Makes an unnamed file with these bytes, and positions it at its beginning. */
int file_of(const void *p, size_t n);
int empty_file(void);
/*
 * flips() returns whether to flip this bit of byte `at`: always, or, with NETCOST_UNIT_FEW=N, one bit in one of N
 * bytes, which saves minutes. tries() returns whether to change byte `at` in other ways.
 */
bool flips(size_t at, int bit);
bool tries(size_t at);
struct bytes contents(int fd);

/* ---- the frames of a file ---------------------------------------------------------------- */

struct extent {
	size_t start, end;
	bool hint; /* true for a skippable frame */
};

/* Finds the frames of an intact trace. Returns their number, including hints. */
size_t split_frames(const struct bytes *b, struct extent *e);

/* ---- everything that a reader returns ---------------------------------------------------- */

/* Text of all records, and length of the text after each frame. */
struct dump {
	char *text;
	size_t len, after[MAX_FRAMES + 1];
	int err; /* last result of trace_reader_next() */
	struct trace_status st;
};

void print_record(FILE *f, const struct trace_record *rec);
struct dump read_all(int fd);
struct dump read_bytes(const struct bytes *b);
bool same_records(const struct dump *a, const struct dump *b);

/* ---- a small trace ----------------------------------------------------------------------- */

int put_header(struct trace_writer *w);
int put_mark(struct trace_writer *w, uint64_t at_ns, const char *text);
/* Writes a frame with a HEADER of two CPUs, and four frames of marks. */
void put_marks(struct trace_writer *w);
/* Writes six frames of records: HEADER, four of marks, and one with INDEX and END. */
void write_small_trace(int fd);
struct bytes small_trace(void);

/* ---- hand-made files --------------------------------------------------------------------- */

#define BYTES(s) s, sizeof(s) - 1
#define HEADER_OBJECT "\x92\x01\x82\x01\x01\x02\x00"
#define FRAME_1 "\x92\x02\x81\x01\x01"
#define FRAME_2 "\x92\x02\x81\x01\x02"
#define MARK_OBJECT "\x92\x16\x81\x01\x05"
#define END_OBJECT "\x92\x7f\x80"

enum { NO_CHECKSUM = 1, NO_SIZE = 2 };
void add_frame(struct bytes *f, const void *body, size_t n, unsigned int flags);
void add_magic(struct bytes *f);
void add_start(struct bytes *f);
/* Adds an object of an unknown type that makes its frame n bytes long. */
void add_long_frame(struct bytes *f, size_t n);
/* Prints the name of a table's row if it failed, because CUnit reports only line numbers. */
void tell_failures(const char *name, unsigned int failures_before, const struct dump *d);

#endif
