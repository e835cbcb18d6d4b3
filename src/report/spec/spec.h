/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * spec.h: implements SPEC.md: checks of a trace, repair of a damaged trace, and the memory budget for reading a trace.
 */
#ifndef NETCOST_REPORT_SPEC_H
#define NETCOST_REPORT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

/* ---- check.c: records -------------------------------------------------------------------- */

/* Checks records against SPEC.md for errors that the reader does not check: ids, columns, times, counters. */

struct check;

struct check *check_new(void);	  /* returns NULL if out of memory */
void check_free(struct check *c); /* c may be NULL */

/*
 * Checks a record. st is the reader's status, with which the totals of END are compared. If st is NULL, the totals are
 * not checked. Returns 0, -ENOMEM, or -EBADMSG if the record breaks a rule: see check_what(). Later checks ignore a
 * record that breaks a rule.
 */
int check_record(struct check *c, const struct trace_record *rec, const struct trace_status *st);
const char *check_what(const struct check *c);

/* Begins a frame without checking a FRAME. For callers that move records into other frames. */
void check_frame(struct check *c);

/*
 * Returns a message about the first valid but unusual property that was found so far, or "". *count is the number of
 * such properties.
 */
const char *check_oddity(const struct check *c, uint64_t *count);

/* Return the totals of the records so far, as END contains them. */
uint64_t check_samples(const struct check *c);
uint32_t check_highest(const struct check *c, enum trace_ids ids);

/*
 * Calls fn with the time of each sample of a SAMPLES record. The iteration stops if fn returns false; the function then
 * returns false, too.
 */
typedef bool check_time_fn(void *ctx, uint64_t time_ns);
bool check_sample_times(const struct trace_record *rec, check_time_fn *fn, void *ctx);

/* The first or last value of each counter that may be in a trace. */

/* Number of series. If a tick contains a counter for each event or part, each event or part has a separate series. */
#define SERIES_COUNT (TRACE_KEYS_MAX * TRACE_KNOWN_MAX)

/* Values of a counter: an array by CPU or by id, or a single value. */
struct counter_series {
	uint64_t *last;
	size_t n;
};

/*
 * Returns the index of a counter's series. Returns SERIES_COUNT for an event or part that this version does not know.
 * Also returns SERIES_COUNT for a record about one id, such as an interface, because there may be any number of ids.
 */
size_t series_of(const struct trace_record *rec, const struct trace_key_desc *k);
/* Makes room for n values. New values are nil. Returns 0 or -ENOMEM. */
int series_grow(struct counter_series *s, size_t n);

/* ---- hints.c ----------------------------------------------------------------------------- */

/*
 * Checks a file's hints against its frames: magic, seek table, INDEX. The hints are not kept, because their size grows
 * with the number of frames. Instead, running hashes of the expected and actual hints are compared.
 */

enum hint_column {
	HINT_OFFSET,
	HINT_FIRST,
	HINT_LAST,
	HINT_DEFINES,
	HINT_COLUMNS,
};

/* A hash of frames, in the format of a seek table. */
struct hint_run {
	uint64_t frames, hash;
};

struct hints {
	/* frames before the last frame, including hints: all frames of the file; the frames of the part */
	struct hint_run file, part;
	uint64_t offset, entry; /* offset of the last frame; its entry in a seek table */
	uint64_t data_offset;	/* offset of the last data frame */

	/* The following fields are for the INDEX of this part. */
	uint64_t begin;
	uint64_t data_frames; /* number of data frames before the current frame */
	/* hashes of the columns; values of the current frame */
	uint64_t column[HINT_COLUMNS], now[HINT_COLUMNS];
	bool begun; /* now[] contains values */

	/* The following fields are for the current skippable frame. */
	uint32_t hint_magic;
	uint64_t hint_size, hint_at, hint_hash;
	uint8_t tail[9]; /* the last bytes of the frame, a ring buffer */

	/*
	 * The errors that were found. wrong_table is valid only if the last frame is a seek table. wrong_defines does
	 * not take records of unknown types into account.
	 */
	bool wrong_table, wrong_index, wrong_defines;
};

/* Callbacks for trace_reader_watch(). The ctx must be a zeroed struct hints. */
extern const struct trace_watch hints_watch;

/* Checks a record. Call the function with each record of all parts. */
void hints_record(struct hints *h, const struct trace_record *rec);

/* ---- sums.c ------------------------------------------------------------------------------ */

/*
 * Checks that times sum to the elapsed time, to the nanosecond (SPEC.md, 9.4 and 9.8). Between two ticks on a CPU, the
 * times of all events plus the offline time equal the difference of exact_ns, because the recorder takes all of them
 * from one state of the CPU. The times of RX_FATES equal the increase of EXACT's rx_softirq and rx_thread. Readings
 * that EXACT_LOSS counts as torn are not checked. RX_FATES is not checked in a recovered trace, because its times are
 * relative to the previous tick, which may be missing.
 */

struct sums;

struct sums *sums_new(void);	/* returns NULL if out of memory */
void sums_free(struct sums *s); /* s may be NULL */

/*
 * Adds a record. Call the function with each record of a part, in the order of the trace. The counters of a tick must
 * have passed check_record() or a model.
 */
void sums_record(struct sums *s, const struct trace_record *rec);
/*
 * Ends a tick. Call the function before the record that ends the tick, and at the end of the trace. Returns false if
 * the times of the tick have a wrong sum: see sums_what().
 */
bool sums_end(struct sums *s);
/* Returns true if the times of the tick have had correct sums so far. Does not end the tick. */
bool sums_fit(struct sums *s);
const char *sums_what(const struct sums *s);

/* Returns the last value of `torn`. Returns 0 if no record had this field. */
uint64_t sums_torn(const struct sums *s);

/*
 * Results for the exact times of a CPU: the number of pairs of ticks; the number of pairs with a wrong sum, including
 * torn ones; and the error of the first pair with a wrong sum.
 */
struct sums_cpu {
	uint64_t pairs, wrong;
	uint64_t wrong_ns, of_ns;
};
struct sums_cpu sums_cpu(const struct sums *s, unsigned int cpu);

/* ---- repair.c: memory, and definitions that are lost ------------------------------------- */

/*
 * Limits the memory of the names and ids of a trace. A frame of 8 MiB can define millions of names and ids, and can be
 * compressed to a few hundred bytes, so the size of a file does not limit the memory of a report. Only kept data is
 * charged to the budget, so a trace may be too large for one command and not for another.
 */

#define BUDGET_BYTES (512ull << 20) /* default of --memory */

/* The error for an exhausted budget. Functions of this module return this error for no other reason. */
#define BUDGET_SPENT (-E2BIG)

/* Bits for the data that is kept: kinds of ids, and texts of records without ids. */
#define BUDGET_IDS(SORT) (1u << TRACE_IDS_##SORT)
#define BUDGET_TEXTS (1u << TRACE_IDS_COUNT)

struct budget {
	uint64_t limit, used; /* limit and used memory, in bytes */
	unsigned int kept;    /* 0: only the data that check.c keeps */
	/*
	 * If not NULL: called once, when the budget is spent. The function frees data that the report does not need,
	 * and reduces `used`.
	 */
	void (*shed)(void *ctx);
	void *shed_ctx;
};

/* Initialises a budget. `bytes` is the value of --memory; 0 means the default. */
void budget_init(struct budget *b, uint64_t bytes, unsigned int kept);

/* Charges bytes to the budget. Returns 0, or BUDGET_SPENT if fewer bytes are left. */
int budget_take(struct budget *b, uint64_t bytes);

/* Charges the kept data of a record. Records of most types cost nothing. */
int budget_take_record(struct budget *b, const struct trace_record *rec);

/* Writes advice for the case that a budget of `bytes` was too small. Returns dst. */
char *budget_text(uint64_t bytes, char *dst, size_t size);

/*
 * Reads a trace with missing frames. Ids are changed so that they are consecutive again, and references to lost
 * definitions are changed to stand-ins. Ids may skip numbers only after a gap in FRAME's seq. All other records are
 * passed on unchanged at no cost. The required memory depends on the records in the trace, not on the values of ids.
 */

struct repair;

/*
 * Creates the state of a repair. `lost` is the name of lost functions and modules. The definitions are charged to the
 * budget. All arguments must outlive the repair. Returns NULL if out of memory.
 */
struct repair *repair_new(struct trace_reader *r, const char *lost, struct budget *budget);
void repair_free(struct repair *rp); /* rp may be NULL */

/* Reads the next record. Returns the same values as trace_reader_next(), or BUDGET_SPENT. */
int repair_next(struct repair *rp, struct trace_record *rec);

/* Rejects the last record, so that the ids it defines are lost. */
void repair_reject(struct repair *rp);

/* Returns the number of references to lost definitions. */
uint64_t repair_lost(const struct repair *rp, enum trace_ids ids);

#endif
