/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_impl.h: inside the trace library: a writer, which the files that make one share. */
#ifndef NETCOST_WRITER_IMPL_H
#define NETCOST_WRITER_IMPL_H

#include <netcost/trace.h>

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */
#include <zstd.h>    /* ZSTD_CCtx */

#define MAX_BODY (TRACE_MAX_FRAME - (256u << 10)) /* of a frame: the rest is FRAME's */

struct frame_entry {
	uint64_t offset, first_ns, last_ns;
	uint32_t csize, dsize;
	uint8_t defines; /* as in INDEX */
};

/* A tick's records, before they are packed. Fields and values stand in the order of the records. */
struct held_record {
	uint64_t name; /* of those that there are several of; TRACE_NIL: none */
	uint8_t type, nfields;
	uint8_t due; /* fields that differ from the base's */
};

struct held_field {
	uint32_t n;
	uint8_t key, kind;
	bool differs;
};

struct held {
	struct held_record *record;
	struct held_field *field;
	uint64_t *value;
	size_t nrecords, nfields, nvalues;
	size_t records_size, fields_size, values_size;
	size_t bytes; /* that they take packed */
};

struct trace_writer {
	int fd;
	int error; /* the first failure; sticky */
	bool done;

	msgpack_sbuffer body; /* of the frame being filled */
	msgpack_packer pk;
	bool open;    /* between begin and end of a record … */
	bool holding; /* … which is one of the tick */
	enum trace_type type;
	unsigned int fields_due, last_key;

	uint64_t first_ns, last_ns;
	bool defines; /* it has records of TRACE_WHOLE */
	uint64_t *lost;
	unsigned int ncpus;

	ZSTD_CCtx *cctx;
	uint8_t *out;
	size_t out_size;

	/* The tick that is being held, and the base of those that are written as differences. */
	struct held tick, base;
	bool in_tick;
	bool ticked, has_base; /* this frame has a tick; it begins with a base */
	uint64_t bases;	       /* so far */
	size_t base_bytes;     /* in the file */
	size_t unfolded;       /* what a reader makes of bases in this frame, in bytes */
	unsigned int since_base;

	uint64_t written, records;
	struct frame_entry *entry; /* the magic frame included, as the seekable format wants */
	size_t nentries, entries_size;
	size_t part; /* entry of the magic that the part being written begins with */
};

#endif
