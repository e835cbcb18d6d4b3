/* SPDX-License-Identifier: BSD-2-Clause */
/* spec.h: SPEC.md as code: whether a trace follows it, what can be repaired where it does not, and what it may cost to read. */
#ifndef NETCOST_REPORT_SPEC_H
#define NETCOST_REPORT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

/* ---- check.c: records -------------------------------------------------------------------- */

/* Whether records keep to SPEC.md beyond what the reader sees: ids, columns, times, counters. */

struct check;

struct check *check_new(void);	  /* NULL: no memory */
void check_free(struct check *c); /* takes NULL */

/*
 * -EBADMSG: the record breaks a rule, check_what() says which; for what follows it is as if it had not
 * been there. -ENOMEM. st: the reader's, for END's totals; NULL: they are not checked.
 */
int check_record(struct check *c, const struct trace_record *rec, const struct trace_status *st);
const char *check_what(const struct check *c);

/* For callers that put records into other frames: a frame begins, without a FRAME to check. */
void check_frame(struct check *c);

/* The first thing so far that is odd but legal, for people; or "". */
const char *check_oddity(const struct check *c, uint64_t *count);

/* What the records so far add up to: END's totals. */
uint64_t check_samples(const struct check *c);
uint32_t check_highest(const struct check *c, enum trace_ids ids);

/* Calls fn with the time of each sample of a SAMPLES. False: fn did so once, and it ended there. */
typedef bool check_time_fn(void *ctx, uint64_t time_ns);
bool check_sample_times(const struct trace_record *rec, check_time_fn *fn, void *ctx);

/* A value of each counter that a trace can have: the last one, or the first. */

/* Counters of which a tick has several have a series for each: an event, a part. */
#define SERIES_COUNT (TRACE_KEYS_MAX * TRACE_KNOWN_MAX)

/* Values of one counter, by CPU, by id, or one alone. */
struct counter_series {
	uint64_t *last;
	size_t n;
};

/* Where a counter's series is among SERIES_COUNT; that: it is of an event, or a part, that we do not know, or of an
 * interface of several. */
size_t series_of(const struct trace_record *rec, const struct trace_key_desc *k);
/* Room for n values, new ones being nil. -ENOMEM */
int series_grow(struct counter_series *s, size_t n);

/* ---- hints.c ----------------------------------------------------------------------------- */

/*
 * A file's hints against its frames: magic, seek table, INDEX. What is compared are running hashes of what they should
 * be: a hint is as long as the file has frames, and is not kept.
 */

enum hint_column {
	HINT_OFFSET,
	HINT_FIRST,
	HINT_LAST,
	HINT_DEFINES,
	HINT_COLUMNS,
};

/* Frames, as a seek table lists them. */
struct hint_run {
	uint64_t frames, hash;
};

struct hints {
	struct hint_run file, part; /* all frames before the last one, hints included */
	uint64_t offset, entry;	    /* of the last frame; as in a seek table */
	uint64_t data_offset;	    /* of the last frame of data */

	/* INDEX of this part */
	uint64_t begin;
	uint64_t data_frames;				  /* before the one being read */
	uint64_t column[HINT_COLUMNS], now[HINT_COLUMNS]; /* hashes; the frame being read */
	bool begun;					  /* now has been set */

	/* the skippable frame being read */
	uint32_t hint_magic;
	uint64_t hint_size, hint_at, hint_hash;
	uint8_t tail[9]; /* its last bytes, in a ring */

	/* What is wrong. The table: if the last frame is one; defines: apart from records of unknown types. */
	bool wrong_table, wrong_index, wrong_defines;
};

/* Give it to trace_reader_watch() with ctx set to a zeroed struct hints. */
extern const struct trace_watch hints_watch;

/* Each record, of all parts. */
void hints_record(struct hints *h, const struct trace_record *rec);

/* ---- sums.c ------------------------------------------------------------------------------ */

/*
 * Whether times sum to the time that passed, to the nanosecond (SPEC.md, 9.4 and 9.8). From a tick to the next
 * one, on each CPU, the times of all events and the offline time are the difference of exact_ns, since the recorder takes all of
 * them from one state of the CPU; and those of RX_FATES are what EXACT's rx_softirq and rx_thread gained. Not where EXACT_LOSS
 * counts a reading as torn, and RX_FATES not in a trace that was recovered: their times are those since the tick before, which may
 * be missing.
 */

struct sums;

struct sums *sums_new(void);	/* NULL: no memory */
void sums_free(struct sums *s); /* takes NULL */

/* Each record of a part, in order; of a tick whose counters have passed check_record() or a model. */
void sums_record(struct sums *s, const struct trace_record *rec);
/* Ends the tick: before the record that ends it, and at the end. False: it does not sum; sums_what(). */
bool sums_end(struct sums *s);
/* Whether the tick so far sums; it goes on. */
bool sums_fit(struct sums *s);
const char *sums_what(const struct sums *s);

/* The last `torn`; 0: none. */
uint64_t sums_torn(const struct sums *s);

/* Exact times of a CPU: pairs of ticks; those that do not sum, torn ones among them; and by how much the first of those moved. */
struct sums_cpu {
	uint64_t pairs, wrong;
	uint64_t wrong_ns, of_ns;
};
struct sums_cpu sums_cpu(const struct sums *s, unsigned int cpu);

/* ---- repair.c: memory, and definitions that are lost ------------------------------------- */

/*
 * How much memory the names and ids of a trace may take. A frame of 8 MiB defines millions of them, and compresses to a
 * few hundred bytes: what a file makes a report keep is in no proportion to its size. What a command does not keep is
 * not charged: whether a trace is too large depends on the command.
 */

#define BUDGET_BYTES (512ull << 20) /* unless --memory says otherwise */

/* The error for too much; nothing else here returns it. */
#define BUDGET_SPENT (-E2BIG)

/* Bits of what is kept: sorts of ids, and texts of records without ids. */
#define BUDGET_IDS(SORT) (1u << TRACE_IDS_##SORT)
#define BUDGET_TEXTS (1u << TRACE_IDS_COUNT)

struct budget {
	uint64_t limit, used; /* bytes */
	unsigned int kept;    /* 0: nothing but what check.c keeps */
};

/* bytes: what --memory says; 0: the usual. */
void budget_init(struct budget *b, uint64_t bytes, unsigned int kept);

/* BUDGET_SPENT when that is more than there is. */
int budget_take(struct budget *b, uint64_t bytes);

/* What the record makes us keep. Of most types nothing. */
int budget_take_record(struct budget *b, const struct trace_record *rec);

/* What to do where that many were too few, for people. Returns dst. */
char *budget_text(uint64_t bytes, char *dst, size_t size);

/*
 * Records of a trace of which frames are missing, as if they had never been there: ids are dense again, and what names a
 * lost definition names a stand-in. Ids may skip only after a gap in FRAME's seq; elsewhere records pass as they are, at
 * no cost. Takes memory for what is there, not for what ids say.
 */

struct repair;

/*
 * lost: what lost functions and modules are called. What the records define is taken from the budget. All must
 * outlive it. NULL: no memory.
 */
struct repair *repair_new(struct trace_reader *r, const char *lost, struct budget *budget);
void repair_free(struct repair *rp); /* takes NULL */

/* As trace_reader_next(), or BUDGET_SPENT. */
int repair_next(struct repair *rp, struct trace_record *rec);

/* The last record was not good: the ids it defines are lost. */
void repair_reject(struct repair *rp);

/* How often ids of lost definitions were met. */
uint64_t repair_lost(const struct repair *rp, enum trace_ids ids);

#endif
