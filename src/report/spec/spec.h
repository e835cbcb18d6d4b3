/* SPDX-License-Identifier: BSD-2-Clause */
/* spec.h: SPEC.md as code: checks of a trace, repair of a damaged one, and the memory budget of reading it. */
#ifndef NETCOST_REPORT_SPEC_H
#define NETCOST_REPORT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

/* ---- check.c: records -------------------------------------------------------------------- */

/* Checks records against SPEC.md beyond what the reader checks: ids, columns, times, counters. */

struct check;

struct check *check_new(void);	  /* NULL: out of memory */
void check_free(struct check *c); /* accepts NULL */

/*
 * -EBADMSG: the record breaks a rule, see check_what(); later checks ignore the record. -ENOMEM.
 * st: the reader's status, for END's totals; NULL: they are not checked.
 */
int check_record(struct check *c, const struct trace_record *rec, const struct trace_status *st);
const char *check_what(const struct check *c);

/* For callers that move records into other frames: begins a frame without a FRAME to check. */
void check_frame(struct check *c);

/* Returns a message about the first unusual but valid thing so far, or "". */
const char *check_oddity(const struct check *c, uint64_t *count);

/* Return the totals of the records so far, as in END. */
uint64_t check_samples(const struct check *c);
uint32_t check_highest(const struct check *c, enum trace_ids ids);

/* Calls fn with the time of each sample of a SAMPLES record. Returns false if fn did, which stops the iteration. */
typedef bool check_time_fn(void *ctx, uint64_t time_ns);
bool check_sample_times(const struct trace_record *rec, check_time_fn *fn, void *ctx);

/* The first or last value of each counter that a trace can have. */

/* Counters that a tick has more than once have a series for each event or part. */
#define SERIES_COUNT (TRACE_KEYS_MAX * TRACE_KNOWN_MAX)

/* Values of one counter: by CPU, by id, or a single one. */
struct counter_series {
	uint64_t *last;
	size_t n;
};

/*
 * Returns the index of a counter's series; SERIES_COUNT: an event or part that this version does
 * not know, or one of several interfaces.
 */
size_t series_of(const struct trace_record *rec, const struct trace_key_desc *k);
/* Makes room for n values; new ones are nil. -ENOMEM */
int series_grow(struct counter_series *s, size_t n);

/* ---- hints.c ----------------------------------------------------------------------------- */

/*
 * Checks a file's hints against its frames: magic, seek table, INDEX. Running hashes of the
 * expected hints are compared, because a hint grows with the number of frames and is not kept.
 */

enum hint_column {
	HINT_OFFSET,
	HINT_FIRST,
	HINT_LAST,
	HINT_DEFINES,
	HINT_COLUMNS,
};

/* Frames in the format of a seek table. */
struct hint_run {
	uint64_t frames, hash;
};

struct hints {
	struct hint_run file, part; /* all frames before the last one, including hints */
	uint64_t offset, entry;	    /* of the last frame; entry: as in a seek table */
	uint64_t data_offset;	    /* of the last data frame */

	/* INDEX of this part */
	uint64_t begin;
	uint64_t data_frames;				  /* before the current one */
	uint64_t column[HINT_COLUMNS], now[HINT_COLUMNS]; /* hashes; values of the current frame */
	bool begun;					  /* now[] is valid */

	/* the current skippable frame */
	uint32_t hint_magic;
	uint64_t hint_size, hint_at, hint_hash;
	uint8_t tail[9]; /* its last bytes, a ring buffer */

	/*
	 * Errors found. wrong_table: valid if the last frame is a seek table; wrong_defines:
	 * ignores records of unknown types.
	 */
	bool wrong_table, wrong_index, wrong_defines;
};

/* Pass it to trace_reader_watch() with ctx set to a zeroed struct hints. */
extern const struct trace_watch hints_watch;

/* Call it with each record of all parts. */
void hints_record(struct hints *h, const struct trace_record *rec);

/* ---- sums.c ------------------------------------------------------------------------------ */

/*
 * Checks that times sum to the elapsed time, to the nanosecond (SPEC.md, 9.4 and 9.8). Between two ticks, on each CPU,
 * the times of all events and the offline time are the difference of exact_ns, since the recorder takes all of them
 * from one state of the CPU; and the times of RX_FATES are the increase of EXACT's rx_softirq and rx_thread. Readings
 * that EXACT_LOSS counts as torn are not checked, and RX_FATES is not checked in a recovered trace: its times are
 * relative to the previous tick, which may be missing.
 */

struct sums;

struct sums *sums_new(void);	/* NULL: out of memory */
void sums_free(struct sums *s); /* accepts NULL */

/* Call it with each record of a part, in order; a tick's counters must have passed check_record() or a model. */
void sums_record(struct sums *s, const struct trace_record *rec);
/*
 * Ends the tick; call it before the record that ends it, and at the end. Returns false if it does
 * not sum: see sums_what().
 */
bool sums_end(struct sums *s);
/* Returns whether the tick sums so far; the tick continues. */
bool sums_fit(struct sums *s);
const char *sums_what(const struct sums *s);

/* Returns the last `torn`; 0: none. */
uint64_t sums_torn(const struct sums *s);

/*
 * Exact times of a CPU: pairs of ticks; pairs that do not sum, including torn ones; and the error
 * of the first of these.
 */
struct sums_cpu {
	uint64_t pairs, wrong;
	uint64_t wrong_ns, of_ns;
};
struct sums_cpu sums_cpu(const struct sums *s, unsigned int cpu);

/* ---- repair.c: memory, and definitions that are lost ------------------------------------- */

/*
 * Limits the memory of the names and ids of a trace. A frame of 8 MiB defines millions of them and
 * compresses to a few hundred bytes, so a file's size does not limit what a report keeps. Only
 * kept data is charged: whether a trace is too large depends on the command.
 */

#define BUDGET_BYTES (512ull << 20) /* default of --memory */

/* The error for an exhausted budget; no other function of this module returns it. */
#define BUDGET_SPENT (-E2BIG)

/* Bits of what is kept: kinds of ids, and texts of records without ids. */
#define BUDGET_IDS(SORT) (1u << TRACE_IDS_##SORT)
#define BUDGET_TEXTS (1u << TRACE_IDS_COUNT)

struct budget {
	uint64_t limit, used; /* bytes */
	unsigned int kept;    /* 0: only what check.c keeps */
};

/* bytes: the value of --memory; 0: the default. */
void budget_init(struct budget *b, uint64_t bytes, unsigned int kept);

/* Returns BUDGET_SPENT if the budget does not have that much left. */
int budget_take(struct budget *b, uint64_t bytes);

/* Charges the kept data of a record; for most types nothing. */
int budget_take_record(struct budget *b, const struct trace_record *rec);

/* Writes advice for a budget of that size that was too small. Returns dst. */
char *budget_text(uint64_t bytes, char *dst, size_t size);

/*
 * Reads a trace with missing frames so that its ids are dense again, and references to lost definitions refer to
 * stand-ins. Ids may skip only after a gap in FRAME's seq; other records pass unchanged at no cost. The memory needed
 * depends on the records present, not on the values of ids.
 */

struct repair;

/*
 * lost: the name of lost functions and modules. The definitions are charged to the budget. All
 * arguments must outlive it. Returns NULL if out of memory.
 */
struct repair *repair_new(struct trace_reader *r, const char *lost, struct budget *budget);
void repair_free(struct repair *rp); /* accepts NULL */

/* Returns as trace_reader_next(), or BUDGET_SPENT. */
int repair_next(struct repair *rp, struct trace_record *rec);

/* Rejects the last record: the ids it defines are lost. */
void repair_reject(struct repair *rp);

/* Returns the number of references to lost definitions. */
uint64_t repair_lost(const struct repair *rp, enum trace_ids ids);

#endif
