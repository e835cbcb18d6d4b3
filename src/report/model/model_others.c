// SPDX-License-Identifier: BSD-2-Clause
/* BPF programs of the host that are not the recorder's own. */
#include <stddef.h>

#include <netcost/array.h>

#include "model_impl.h"

int model_other_programs(struct model *m, const struct trace_record *rec)
{
	struct trace_column names = trace_record_column(rec, TRACE_OTHER_PROGRAMS_NAME);
	struct trace_column kinds = trace_record_column(rec, TRACE_OTHER_PROGRAMS_KIND);
	struct trace_column places = trace_record_column(rec, TRACE_OTHER_PROGRAMS_ATTACHED);
	uint64_t first = trace_record_uint(rec, TRACE_OTHER_PROGRAMS_FIRST, 0);
	const char *name, *kind, *place;
	uint32_t name_n, kind_n, place_n;
	int err = model_check_id(m, "other program", first, m->nothers);

	if (!err && (names.n != kinds.n || names.n != places.n))
		return model_damaged(m, "OTHER_PROGRAMS with columns of %u, %u and %u elements",
				     names.n, kinds.n, places.n);
	while (!err && trace_column_str(&names, &name, &name_n) &&
	       trace_column_str(&kinds, &kind, &kind_n) &&
	       trace_column_str(&places, &place, &place_n)) {
		struct model_other o = { 0 };

		if ((err = model_keep(m, name, name_n, &o.name)) ||
		    (err = model_keep(m, kind, kind_n, &o.kind)) ||
		    (err = model_keep(m, place, place_n, &o.attached)) ||
		    (err = array_reserve(&m->other, &m->cap.other, m->nothers + 1, sizeof(o))))
			break;
		m->other[m->nothers++] = o;
		err = model_own_other(m, model_string(m, o.name));
	}
	return err;
}

static int read_column(struct model *m, const struct trace_record *rec, unsigned int key,
		       size_t offset)
{
	struct trace_column c = trace_record_column(rec, key);
	uint64_t v;

	if (c.n > m->nothers)
		return model_damaged(m, "OTHER_STATS has %u counters of %zu programs", c.n,
				     m->nothers);
	for (size_t i = 0; trace_column_uint(&c, &v); i++) {
		struct counter *counter = (struct counter *)(void *)((char *)&m->other[i] + offset);

		/* A program that is defined later had counted nothing until then. */
		if (m->others_counted_ns.readings && !counter->readings)
			counter_add(counter, 0, 0);
		model_count(m, counter, v, 0, TRACE_OTHER_STATS, key);
	}
	return 0;
}

static void join_pieces(struct model *m)
{
	m->others_pieces /= 2;
	m->others_looks_most *= 2;
	for (size_t i = 0; i < m->others_pieces; i++) {
		m->others_piece_ns[i] = m->others_piece_ns[2 * i + 1];
		for (size_t k = 0; k < m->nothers; k++)
			m->other[k].piece[i] = m->other[k].piece[2 * i + 1];
	}
}

/* What all had done now is the end of a new piece, or of the last one, which becomes longer. */
static void take_piece(struct model *m)
{
	uint64_t end_ns = m->others_counted_ns.sum;
	size_t last;

	if (end_ns == (m->others_pieces ? m->others_piece_ns[m->others_pieces - 1] : 0))
		return; /* counting begins */
	if (!m->others_looks_most)
		m->others_looks_most = 1;
	if (!m->others_pieces || m->others_looks == m->others_looks_most) {
		if (m->others_pieces == MODEL_PIECES)
			join_pieces(m);
		m->others_pieces++;
		m->others_looks = 0;
	}
	m->others_looks++;
	last = m->others_pieces - 1;
	m->others_piece_ns[last] = end_ns;
	for (size_t k = 0; k < m->nothers; k++) {
		const struct model_other *o = &m->other[k];

		m->other[k].piece[last] =
			(struct model_other_piece){ o->runs.sum, o->run_ns.sum, o->unseen_ns.sum };
	}
}

int model_other_stats(struct model *m, const struct trace_record *rec)
{
	uint64_t left_out = trace_record_uint(rec, TRACE_OTHER_STATS_LEFT_OUT, 0);
	int err = read_column(m, rec, TRACE_OTHER_STATS_RUNS, offsetof(struct model_other, runs));

	if (!err)
		err = read_column(m, rec, TRACE_OTHER_STATS_RUN_NS,
				  offsetof(struct model_other, run_ns));
	if (!err)
		err = read_column(m, rec, TRACE_OTHER_STATS_UNSEEN_NS,
				  offsetof(struct model_other, unseen_ns));
	if (left_out > m->others_left_out)
		m->others_left_out = left_out;
	model_count(m, &m->others_counted_ns,
		    trace_record_uint(rec, TRACE_OTHER_STATS_COUNTED_NS, TRACE_NIL), 0,
		    TRACE_OTHER_STATS, TRACE_OTHER_STATS_COUNTED_NS);
	take_piece(m);
	return err;
}
