/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * export.h: a trace in the formats of others. One row a format: it sees the trace while pieces of time are filled
 * (intervals.h), and then writes what it has seen.
 */
#ifndef NETCOST_REPORT_EXPORT_H
#define NETCOST_REPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <netcost/idmap.h>

#include "report/analysis/intervals.h"
#include "report/base/text.h"
#include "report/model/model.h"

/*
 * A trace in the formats of others. One row a format: it sees the trace while pieces of time are filled
 * (intervals.h), and then writes what it has seen.
 */

/* What the user asks for, beside the part of the trace; not every format takes all of it. */
struct export_wanted {
	unsigned long top; /* processes; 0: none */
	bool per_cpu, idle, every;
	bool quiet;	  /* says only what is wrong */
	const char *host; /* what to call it; NULL: as the trace does */
};

enum export_takes {
	EXPORT_TAKES_TOP = 1,
	EXPORT_TAKES_PER_CPU = 2,
	EXPORT_TAKES_IDLE = 4,
	EXPORT_TAKES_ZSTD = 8,
	EXPORT_TAKES_DDL = 16,
	EXPORT_TAKES_HOST = 32,
};

struct export_source {
	const struct model *m;
	const struct part *part;
	const struct intervals *iv;
};

/* Where to: one file, or one of several, by number from 1 on. NULL: it cannot be opened, and that was reported. */
struct export_target {
	void *ctx;
	FILE *(*open)(void *ctx, size_t number);
	bool (*close)(void *ctx, FILE *out, size_t number, bool ok); /* false: reported */
};

/* The first member of what a format keeps. */
struct exporter {
	const struct export_format *format;
	struct intervals_watch watch; /* the second of the intervals; ctx: the exporter */
	struct export_wanted wanted;
};

struct export_format {
	const char *name, *help;
	const char *ending; /* of several files' names */
	/* It is always the same files in a folder, which take any number of traces: by number; NULL: there is none. */
	const char *(*file_name)(size_t number);
	unsigned int keep, keep_top;  /* enum model_keep; keep_top: with top */
	unsigned int takes;	      /* enum export_takes */
	bool pieces;		      /* there is nothing to write without pieces of time */
	bool several;		      /* with --every it writes a file for each piece */
	bool binary;		      /* not for a terminal */
	size_t size;		      /* of what it keeps, all zeros at first */
	struct intervals_watch watch; /* the exporter's, but for ctx */
	/* 0; -ENOMEM; -ECANCELED: failed, and that was reported. */
	int (*write)(struct exporter *e, const struct export_source *from,
		     const struct export_target *to);
	void (*free)(struct exporter *e); /* what it keeps has; NULL: nothing */
};

#define EXPORT_FORMATS 4
#define EXPORT_FILES_MAX 32 /* that file_name() names */
extern const struct export_format *const export_format[EXPORT_FORMATS];
extern const struct export_format export_openmetrics, export_pprof, export_firefox, export_tables;

/* NULL: there is none of that name. */
const struct export_format *export_find(const char *name);

/* NULL: no memory. */
struct exporter *exporter_make(const struct export_format *format);
void exporter_free(struct exporter *e);

/* Databases that the tables can be made in; the last one is NULL. */
extern const char *const ddl_engines[];
/* The statements that make all tables. engine: one of those. */
void ddl_write(FILE *out, const char *engine);

/* ---- what several formats write with --------------------------------------------------- */

/* What several formats write with: times, clean names, tables of strings, compressed files. */

/* CLOCK_REALTIME at a time of the trace, by its first CLOCK: it goes on rising where the clock was set. False: not known. */
bool real_time_ns(const struct model *m, uint64_t at_ns, uint64_t *real_ns);

/* ---- names of a trace, which may hold any bytes, as text that every reader takes --------- */

#define CLEAN_SIZE 1024 /* of a name; what is longer ends there */

/* UTF-8 without control characters: of what is neither, each becomes U+FFFD. Returns dst. */
char *clean_utf8(char *dst, size_t size, const char *s);

/* Texts with numbers, each once: tables of strings, as profiles have them. Number 0 is "". */
struct strings {
	char **text;
	uint32_t *next; /* of the same hash; 0: none */
	size_t n, cap_text, cap_next;
	struct idmap by_hash;
	bool no_memory; /* then all texts are number 0 */
};

void strings_init(struct strings *s);
void strings_free(struct strings *s);
/* The number of a text, made clean. */
uint32_t strings_id(struct strings *s, const char *text);
/* The number of a text as it is; 0: there is none. */
uint32_t strings_find(const struct strings *s, const char *text);
/* Adds a text that is not there. */
uint32_t strings_add(struct strings *s, const char *text);

/* ---- files that are compressed while they are written ---- */

/* What is written to it goes to `to`, compressed; closing it closes that, too. NULL: no memory, and `to` is open. */
FILE *zstd_file(FILE *to);
/* A gzip file without a time or a name in it. Closing it leaves `to` open, which keeps its errors. NULL: no memory. */
FILE *gzip_file(FILE *to);

#endif
