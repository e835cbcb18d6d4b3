// SPDX-License-Identifier: BSD-2-Clause
/* Which files are of one recording. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <netcost/hash.h>
#include <netcost/reasons.h>

#include "join.h"

/* What does not change while a recording goes on. */
static uint64_t hash_header(const struct trace_record *rec)
{
	uint64_t hash = HASH_START;

	for (unsigned int i = 0; i < rec->nfields; i++) {
		const struct trace_field *f = &rec->field[i];

		if (f->key == TRACE_HEADER_START_NS || f->key == TRACE_HEADER_CPUS_ONLINE)
			continue;
		hash = hash_add(hash, &f->key, sizeof(f->key));
		if (f->kind == TRACE_UINT)
			hash = hash_add(hash, &f->v, sizeof(f->v));
		else
			hash = hash_add(hash, f->p, trace_field_size(f));
	}
	return hash;
}

static void see(struct join_ends *e, const struct trace_record *rec)
{
	char why[sizeof(reason_goes_on) + 1];

	if (rec->type == TRACE_HEADER)
		e->host = hash_header(rec);
	if (rec->type == TRACE_TICK) {
		e->last_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, 0);
		e->first_ns = e->first_ns ? e->first_ns : e->last_ns;
	}
	if (rec->type == TRACE_END)
		e->goes_on = !strcmp(trace_record_str(rec, TRACE_END_WHY, why, sizeof(why)),
				     reason_goes_on);
}

void join_look(const char *file, struct join_ends *ends)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), more = -1;
	const struct trace_status *st;
	struct trace_reader *r;
	struct trace_record rec;

	*ends = (struct join_ends){ 0 };
	if (fd < 0)
		return;
	if (lseek(fd, 0, SEEK_CUR) >= 0 && !trace_reader_new(&r, fd)) {
		while ((more = trace_reader_next(r, &rec)) > 0)
			see(ends, &rec);
		st = trace_reader_status(r);
		/* Where its end is missing its recording may well go on. */
		ends->goes_on |= st->problem == TRACE_CUT;
		ends->known = ends->first_ns && (st->problem == TRACE_CUT ||
						 (!more && st->ended && trace_reader_part(r) == 0));
		trace_reader_free(r);
	}
	close(fd);
}

bool join_follows(const struct join_ends *a, const struct join_ends *b)
{
	return a->known && a->goes_on && b->known && a->host == b->host &&
	       a->last_ns == b->first_ns;
}

bool join_misses(const struct join_ends *a, const struct join_ends *b)
{
	return a->known && a->goes_on && b->known && a->host == b->host && a->last_ns < b->first_ns;
}
