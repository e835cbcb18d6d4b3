/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * export.h: a trace in other formats. Each format is a row of a table. A format sees the trace
 * while intervals are filled (intervals.h), then writes its output.
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
 * Options of the user, in addition to the selected part of the trace. A format may support only
 * some of them.
 */
struct export_wanted {
	unsigned long top; /* number of processes that are exported separately; 0: no processes */
	bool per_cpu, idle, every;
	bool quiet;	  /* prints only errors */
	const char *host; /* host name to write; NULL: the name in the trace */
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
 * The output of a format. open() opens the output file with a number, counted from 1. It returns NULL on an error,
 * which is reported.
 */
struct export_target {
	void *ctx;
	FILE *(*open)(void *ctx, size_t number);
	/* returns false on an error, which is reported */
	bool (*close)(void *ctx, FILE *out, size_t number, bool ok);
};

/* The first member of the state of every format. */
struct exporter {
	const struct export_format *format;
	struct intervals_watch watch; /* second watch of the intervals; its ctx is the exporter */
	struct export_wanted wanted;
};

struct export_format {
	const char *name, *help;
	const char *ending; /* extension of the names if the format writes several files */
	/*
	 * Returns the name of file `number`, or NULL after the last file. Only formats that write a fixed set of files
	 * into a folder, for any number of traces, have this function.
	 */
	const char *(*file_name)(size_t number);
	/* bits of enum model_keep; keep_top: further bits with --rows */
	unsigned int keep, keep_top;
	unsigned int takes;	      /* bits of enum export_takes */
	bool pieces;		      /* the format needs at least one interval */
	bool as_live;		      /* value of costs_of_then in the intervals */
	bool several;		      /* with --every the format writes a file for each interval */
	bool binary;		      /* the output must not be a terminal */
	size_t size;		      /* size of the format's state, which is zeroed at first */
	struct intervals_watch watch; /* watch of the format, without ctx */
	/*
	 * Writes a trace, or NULL if the format writes all traces at once. Returns 0, -ENOMEM, or
	 * -ECANCELED for an error that was reported.
	 */
	int (*write)(struct exporter *e, const struct export_source *from,
		     const struct export_target *to);
	/* frees the members of the state; NULL if there is nothing to free */
	void (*free)(struct exporter *e);
};

#define EXPORT_FORMATS 6
#define EXPORT_FILES_MAX 32 /* largest number of files that file_name() names */
extern const struct export_format *const export_format[EXPORT_FORMATS];
extern const struct export_format export_openmetrics, export_pprof, export_firefox, export_perfetto,
	export_tables, export_sqlite;

/* Returns the format with that name, or NULL. */
const struct export_format *export_find(const char *name);

/* Creates the state of a format. Returns NULL if out of memory. */
struct exporter *exporter_make(const struct export_format *format);
void exporter_free(struct exporter *e);

/*
 * For openmetrics with growing intervals: writes the points at the end of the newest complete interval, which must
 * exist. The caller then calls intervals_forget(). Returns 0, -ENOMEM, or -ENODATA if the trace has no time of day.
 */
int openmetrics_write_newest(FILE *out, struct exporter *e, const struct model *m);

/* Supported databases for the tables; NULL-terminated. */
extern const char *const ddl_engines[];
/* Writes the statements that create all tables. engine: one of ddl_engines. */
void ddl_write(FILE *out, const char *engine);

/* ---- shared by formats -------------------------------------------------------------- */

/* Functions that several formats use: times, clean names, string tables, compressed files. */

/*
 * Converts a time of the trace to CLOCK_REALTIME, based on the first CLOCK, so that the result is
 * monotonic even if the clock was set. Returns false if the time is unknown.
 */
bool real_time_ns(const struct model *m, uint64_t at_ns, uint64_t *real_ns);

/* ---- names of a trace, which may contain any bytes, as valid text ------------------- */

#define CLEAN_SIZE 1024 /* largest size of a name; longer names are truncated */

/*
 * Copies a text as valid UTF-8 without control characters: each invalid byte or control character
 * becomes U+FFFD. Returns dst.
 */
char *clean_utf8(char *dst, size_t size, const char *s);

/* The string table of a profile. Each text has a number, and "" has number 0. */
struct strings {
	char **text;
	uint32_t *next; /* next text with the same hash, by number; 0 at the end of the chain */
	size_t n, cap_text, cap_next;
	struct idmap by_hash;
	bool no_memory; /* out of memory; all further texts have number 0 */
};

void strings_init(struct strings *s);
void strings_free(struct strings *s);
/* Returns the number of a text, which is cleaned first. */
uint32_t strings_id(struct strings *s, const char *text);
/* Returns the number of a text, which is not cleaned; 0 if the table does not have it. */
uint32_t strings_find(const struct strings *s, const char *text);
/* Adds a text, which must not be in the table yet. Returns its number. */
uint32_t strings_add(struct strings *s, const char *text);

/* ---- compressed output -------------------------------------------------------------- */

/*
 * Returns a file that writes compressed data to `to`. Closing the file also closes `to`. Returns
 * NULL if out of memory; `to` stays open then.
 */
FILE *zstd_file(FILE *to);
/*
 * Returns a gzip file without a time or a name in it. Closing the file leaves `to` open. Write
 * errors are recorded in `to`. Returns NULL if out of memory.
 */
FILE *gzip_file(FILE *to);

#endif
