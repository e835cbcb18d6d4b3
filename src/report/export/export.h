/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * export.h: a trace in other formats. Each format is a row of a table: it sees the trace while
 * intervals are filled (intervals.h), then writes its output.
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
 * What the user requests, in addition to the part of the trace; a format may support only some of
 * it.
 */
struct export_wanted {
	unsigned long top; /* number of processes; 0: none */
	bool per_cpu, idle, every;
	bool quiet;	  /* print only errors */
	const char *host; /* name of the host; NULL: as in the trace */
};

enum export_takes {
	EXPORT_TAKES_TOP = 1,
	EXPORT_TAKES_PER_CPU = 2,
	EXPORT_TAKES_IDLE = 4,
	EXPORT_TAKES_ZSTD = 8,
	EXPORT_TAKES_DDL = 16,
	EXPORT_TAKES_HOST = 32,
	EXPORT_TAKES_LISTEN = 64,
};

struct export_source {
	const struct model *m;
	const struct part *part;
	const struct intervals *iv;
};

/*
 * The output: opens one file, or several by number from 1 on. Returns NULL if it cannot be opened;
 * reported.
 */
struct export_target {
	void *ctx;
	FILE *(*open)(void *ctx, size_t number);
	/* returns false on errors; reported */
	bool (*close)(void *ctx, FILE *out, size_t number, bool ok);
};

/* The first member of a format's state. */
struct exporter {
	const struct export_format *format;
	struct intervals_watch watch; /* the intervals' second watch; ctx: the exporter */
	struct export_wanted wanted;
};

struct export_format {
	const char *name, *help;
	const char *ending; /* extension of the names if there are several files */
	/*
	 * For formats that write a fixed set of files in a folder, for any number of traces:
	 * returns the name by number; NULL after the last one.
	 */
	const char *(*file_name)(size_t number);
	unsigned int keep, keep_top;  /* enum model_keep; keep_top: with top */
	unsigned int takes;	      /* enum export_takes */
	bool pieces;		      /* nothing can be written without intervals */
	bool several;		      /* with --every it writes a file for each interval */
	bool binary;		      /* refuse a terminal as output */
	size_t size;		      /* of its state, which is zeroed at first */
	struct intervals_watch watch; /* the exporter's watch, without ctx */
	/* Returns 0; -ENOMEM; -ECANCELED: failed, which was reported. NULL: of all traces at once. */
	int (*write)(struct exporter *e, const struct export_source *from,
		     const struct export_target *to);
	/* frees the members of its state; NULL: nothing to free */
	void (*free)(struct exporter *e);
};

#define EXPORT_FORMATS 5
#define EXPORT_FILES_MAX 32 /* largest number of files of file_name() */
extern const struct export_format *const export_format[EXPORT_FORMATS];
extern const struct export_format export_openmetrics, export_pprof, export_firefox, export_tables,
	export_sqlite;

/* Returns NULL if there is no format with that name. */
const struct export_format *export_find(const char *name);

/* Returns NULL if out of memory. */
struct exporter *exporter_make(const struct export_format *format);
void exporter_free(struct exporter *e);

/*
 * For openmetrics with intervals that grow, when some are complete: writes the points at the end of the
 * last of those; then call intervals_forget(). -ENODATA: the trace does not say what time it was; -ENOMEM.
 */
int openmetrics_write_newest(FILE *out, struct exporter *e, const struct model *m);

/* Supported databases for the tables; NULL-terminated. */
extern const char *const ddl_engines[];
/* Writes the statements that create all tables. engine: one of ddl_engines. */
void ddl_write(FILE *out, const char *engine);

/* ---- shared by formats -------------------------------------------------------------- */

/* Shared by several formats: times, clean names, string tables, compressed files. */

/*
 * Returns CLOCK_REALTIME at a time of the trace, based on its first CLOCK, so that it stays
 * monotonic if the clock was set. False: unknown.
 */
bool real_time_ns(const struct model *m, uint64_t at_ns, uint64_t *real_ns);

/* ---- names of a trace, which may contain any bytes, as valid text ------------------- */

#define CLEAN_SIZE 1024 /* of a name; longer ones are truncated */

/*
 * Writes valid UTF-8 without control characters: each invalid byte or control character becomes
 * U+FFFD. Returns dst.
 */
char *clean_utf8(char *dst, size_t size, const char *s);

/* A string table, as profiles have them: each text has a number. Number 0 is "". */
struct strings {
	char **text;
	uint32_t *next; /* chain of texts with the same hash; 0: end */
	size_t n, cap_text, cap_next;
	struct idmap by_hash;
	bool no_memory; /* all texts have number 0 then */
};

void strings_init(struct strings *s);
void strings_free(struct strings *s);
/* Returns the number of a text, after cleaning it. */
uint32_t strings_id(struct strings *s, const char *text);
/* Returns the number of a text without cleaning it; 0: not in the table. */
uint32_t strings_find(const struct strings *s, const char *text);
/* Adds a text that is not in the table. */
uint32_t strings_add(struct strings *s, const char *text);

/* ---- compressed output -------------------------------------------------------------- */

/*
 * Returns a file that compresses its data to `to`; closing it also closes `to`. NULL: out of
 * memory, and `to` stays open.
 */
FILE *zstd_file(FILE *to);
/*
 * Returns a gzip file without a time or a name in it. Closing it leaves `to` open; write errors
 * are recorded in `to`. NULL: out of memory.
 */
FILE *gzip_file(FILE *to);

#endif
