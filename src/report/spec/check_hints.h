/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_hints.h: a file's hints against its frames: magic, seek table, INDEX. What is compared are running
 * hashes of what they should be: a hint is as long as the file has frames, and is not kept.
 */
#ifndef NETCOST_REPORT_CHECK_HINTS_H
#define NETCOST_REPORT_CHECK_HINTS_H

#include <netcost/trace.h>

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
	bool magic;		    /* the file begins with it */
	uint64_t magic_end;	    /* where the last magic ended */

	/* INDEX of this part */
	uint64_t begin;
	uint64_t data_frames;				  /* before the one being read */
	uint64_t column[HINT_COLUMNS], now[HINT_COLUMNS]; /* hashes; the frame being read */
	bool begun;					  /* now has been set */

	/* the skippable frame being read */
	uint32_t hint_magic;
	uint64_t hint_size, hint_at, hint_hash;
	bool is_magic;
	uint8_t tail[9]; /* its last bytes, in a ring */

	/* What is wrong. The table: if the last frame is one; defines: apart from records of unknown types. */
	bool wrong_table, wrong_index, wrong_defines;
};

/* Give it to trace_reader_watch() with ctx set to a zeroed struct hints. */
extern const struct trace_watch hints_watch;

/* Each record, of all parts. */
void hints_record(struct hints *h, const struct trace_record *rec);

#endif
