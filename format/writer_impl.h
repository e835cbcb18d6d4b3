/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_impl.h: a trace writer from inside, for writer.c (records) and writer_file.c (frames). */
#ifndef NETCOST_WRITER_IMPL_H
#define NETCOST_WRITER_IMPL_H

#include <netcost/trace.h>

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */
#include <zstd.h>    /* ZSTD_CCtx */

#define MAX_BODY (TRACE_MAX_FRAME - (256u << 10)) /* of a frame: the rest is FRAME's */

struct frame_entry {
	uint64_t offset, first_ns, last_ns;
	uint32_t csize, dsize;
	bool defines;
};

struct trace_writer {
	int fd;
	int error; /* the first failure; sticky */
	bool done;

	msgpack_sbuffer body; /* of the frame being filled */
	msgpack_packer pk;
	bool open; /* between begin and end of a record */
	enum trace_type type;
	unsigned int fields_due, last_key;

	uint64_t first_ns, last_ns;
	bool defines; /* it has records of TRACE_WHOLE */
	uint64_t *lost;
	unsigned int ncpus;

	ZSTD_CCtx *cctx;
	uint8_t *out;
	size_t out_size;

	uint64_t written, records;
	struct frame_entry *entry; /* the magic frame included, as the seekable format wants */
	size_t nentries, entries_size;
	size_t part; /* entry of the magic that the part being written begins with */
};

/* Keeps the first failure. */
void writer_fail(struct trace_writer *w, int err);
/* Begins a record of any type, FRAME and END too. */
void writer_begin(struct trace_writer *w, enum trace_type type, unsigned int nfields);
/* msgpack's way into a buffer: as msgpack_sbuffer_write(), but a failure is kept. data is the writer. */
int writer_body_write(void *data, const char *buf, size_t len);
/* Begins a frame. */
void writer_frame_reset(struct trace_writer *w);

#endif
