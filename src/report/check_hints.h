/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_hints.h: a trace's hints against its frames: magic, seek table, INDEX. What is compared are running
 * hashes of what they should be: a hint is as long as the file has frames, and is not kept.
 */
#ifndef NETCOST_REPORT_CHECK_HINTS_H
#define NETCOST_REPORT_CHECK_HINTS_H

#include <netcost/trace.h>

enum hint_column {
	HINT_OFFSET,
	HINT_FIRST,
	HINT_LAST,
	HINT_COLUMNS,
};

struct hints {
	uint64_t frames;				  /* all of them, hints included */
	uint64_t data_frames;				  /* of data, before the one being read */
	uint64_t offset;				  /* of the last frame of data */
	uint64_t hash;					  /* of the seek table so far */
	uint64_t column[HINT_COLUMNS], now[HINT_COLUMNS]; /* hashes; the frame being read */
	bool begun;					  /* now has been set */
	bool magic;

	/* the skippable frame being read */
	uint32_t hint_magic;
	uint64_t hint_size, hint_at, hint_hash;
	uint8_t tail[9]; /* its last bytes, in a ring */
	uint64_t table_hash, table_frames;

	bool wrong_table, wrong_index;
};

/* Give it to trace_reader_watch() with ctx set to a zeroed struct hints. */
extern const struct trace_watch hints_watch;

/* Each record. */
void hints_record(struct hints *h, const struct trace_record *rec);

#endif
