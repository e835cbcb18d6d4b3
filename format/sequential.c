// SPDX-License-Identifier: BSD-2-Clause
/* The next frame: the one after the last. */
#include "sequential.h"

#include "frame.h"
#include "part.h"
#include "verify.h"

int reader_try_frame(struct trace_reader *r, struct trace_record *scratch)
{
	int err = reader_read_frame(r);

	if (err > 0)
		err = reader_part_begins(r) ? reader_begin_part(r, scratch) :
					      reader_verify_frame(r, scratch);
	if (err <= 0)
		r->cur.p = r->cur.end;
	return err;
}

int reader_read_on(struct trace_reader *r, struct trace_record *scratch)
{
	int err = reader_next_frame(r);

	if (err > 0)
		err = reader_try_frame(r, scratch);
	return err;
}
