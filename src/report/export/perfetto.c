// SPDX-License-Identifier: BSD-2-Clause
/*
 * perfetto: a trace for Perfetto (ui.perfetto.dev, trace_processor): the series of openmetrics as counters, samples as
 * stack samples, marks and pauses, and the paths of some packets as flows.
 *
 * Each packet of the output is written as soon as it is complete. Names of functions, stacks and threads are written
 * with the first sample that refers to them.
 *
 * Memory is bounded: metrics.h limits the number of points, and the limits below apply to samples and to events of
 * packets. If there are more samples, identical samples that are close in time become one sample with a weight.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/stages.h>

#include "openmetrics.h"
#include "perfetto.pb-c.h"
#include "profile.h"
#include "report/analysis/latency.h"
#include "report/model/filter.h"
#include "report/model/model_stages.h"

#define SAMPLES_MOST 500000
#define SLOTS_LEAST 1000 /* minimum number of time slots; samples are merged within a slot */
/* maximum number of packet events; if there are more, packets are left out */
#define EVENTS_MOST 100000
#define CLOCK_REAL 1
#define CLOCK_MONO 3
#define CLOCK_BOOT 6
#define SEQUENCE 0x6e63 /* sequence id of all packets; Perfetto's own producers use other ids */

/* The UUID of a track is UUID plus its number. The number of a task is TRACK_THREADS plus its id. */
#define UUID (UINT64_C(0x6e63) << 33)
enum { TRACK_ROOT, TRACK_MARKS, TRACK_PAUSES, TRACK_PATHS, TRACK_STAGES };
#define TRACK_FAMILIES UINT64_C(1000)
#define TRACK_SERIES UINT64_C(10000)
#define TRACK_THREADS (UINT64_C(1) << 32)

#define SET(message, field, value) ((message).has_##field = 1, (message).field = (value))

/* A stage of a packet's path. */
struct packet_event {
	uint64_t at_ns, packet;
	uint8_t stage;
};

struct perfetto {
	struct profiler profiler;
	struct openmetrics metrics;
	struct latency_times latency;
	struct packet_event *event;
	size_t nevents, cap_events;
	uint64_t longest_ns;  /* maximum length of a time slot */
	uint64_t passed_over; /* packets whose hash has one of these bits are not shown */
};

struct writer {
	ProtobufCBuffer base; /* the first member, because append() receives a pointer to it */
	FILE *out;
	const struct profile *p;
	bool begun;
	/* by id: whether the stack, function or task was written */
	bool *has_stack, *has_function, *has_task;
	char name[CLEAN_SIZE];
};

/* ---- packets ----------------------------------------------------------------------------- */

static void append(ProtobufCBuffer *base, size_t n, const uint8_t *data)
{
	fwrite(data, 1, n, ((struct writer *)base)->out);
}

static void put(struct writer *w, Perfetto__TracePacket *packet)
{
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;

	SET(*packet, trusted_packet_sequence_id, SEQUENCE);
	SET(*packet, sequence_flags, w->begun ? 2 : 1);
	w->begun = true;
	trace.n_packet = 1;
	trace.packet = &packet;
	perfetto__trace__pack_to_buffer(&trace, &w->base);
}

/* Returns a name as valid UTF-8. The result is valid until the next call. */
static char *clean(struct writer *w, const char *name)
{
	return clean_utf8(w->name, sizeof(w->name), name);
}

/* Writes the first packet: the clocks. Packets have the times of the trace, in CLOCK_MONOTONIC. */
static void put_clocks(struct writer *w)
{
	const struct model *m = w->p->m;
	bool known = m->records[TRACE_CLOCK] && m->clock_first.mono_ns != TRACE_NIL;
	const struct {
		uint32_t id;
		uint64_t ns;
	} time[] = {
		{ CLOCK_MONO, known ? m->clock_first.mono_ns : m->header.start_ns },
		{ CLOCK_REAL, known ? m->clock_first.real_ns : TRACE_NIL },
		{ CLOCK_BOOT, known ? m->clock_first.boot_ns : TRACE_NIL },
	};
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
	Perfetto__StackSampleDefaults samples = PERFETTO__STACK_SAMPLE_DEFAULTS__INIT;
	Perfetto__StackSample__CounterDescriptor unit =
		PERFETTO__STACK_SAMPLE__COUNTER_DESCRIPTOR__INIT;
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__ClockSnapshot__Clock clock[3], *clocks[3];

	for (size_t i = 0; i < 3; i++) {
		if (time[i].ns == TRACE_NIL)
			continue;
		perfetto__clock_snapshot__clock__init(&clock[i]);
		SET(clock[i], clock_id, time[i].id);
		SET(clock[i], timestamp, time[i].ns);
		clocks[snapshot.n_clocks++] = &clock[i];
	}
	snapshot.clocks = clocks;
	SET(snapshot, primary_trace_clock, CLOCK_MONO);
	unit.name = (char *)"samples";
	SET(unit, unit, 9);
	samples.source = (char *)"netcost";
	samples.primary_descriptor = &unit;
	SET(defaults, timestamp_clock_id, CLOCK_MONO);
	defaults.stack_sample_defaults = &samples;
	packet.trace_packet_defaults = &defaults;
	packet.clock_snapshot = &snapshot;
	put(w, &packet);
}

/* ---- tracks ------------------------------------------------------------------------------ */

/* Writes a track. unit: the unit of a counter, otherwise 0; name: any bytes. */
static void put_track(struct writer *w, uint64_t track, uint64_t parent, const char *name,
		      const char *what, uint32_t unit)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;

	SET(d, uuid, UUID + track);
	if (track != TRACK_ROOT)
		SET(d, parent_uuid, UUID + parent);
	d.name = clean(w, name);
	d.description = (char *)what;
	SET(counter, unit, unit);
	d.counter = unit ? &counter : NULL;
	packet.track_descriptor = &d;
	put(w, &packet);
}

enum event { EVENT_BEGIN = 1, EVENT_END, EVENT_INSTANT, EVENT_COUNTER };

/* Writes an event. name: NULL for none; value: the value of a counter; flow: number of the flow, or 0. */
static void put_event(struct writer *w, uint64_t at_ns, uint64_t track, enum event type,
		      const char *name, double value, uint64_t flow)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	SET(event, type, type);
	SET(event, track_uuid, UUID + track);
	event.name = name ? clean(w, name) : NULL;
	if (type == EVENT_COUNTER && fabs(value) < 0x1p63 && rint(value) == value)
		SET(event, counter_value, (int64_t)value);
	else if (type == EVENT_COUNTER)
		SET(event, double_counter_value, value);
	event.n_flow_ids = flow != 0;
	event.flow_ids = &flow;
	SET(packet, timestamp, at_ns);
	packet.track_event = &event;
	put(w, &packet);
}

/* ---- counters ---------------------------------------------------------------------------- */

static uint32_t unit_of(const char *unit)
{
	return !strcmp(unit, "seconds") ? 1 : !strcmp(unit, "bytes") ? 3 : 2;
}

/*
 * Writes a series. Its name consists of its labels; without labels, it has the name of its family. The value of a gauge
 * belongs to an interval, and is written at the start of the interval.
 */
static void put_series(struct writer *w, const struct metrics *s, size_t i,
		       const struct metric_about *about)
{
	const uint64_t *edge = w->p->source->iv->edge;
	const double *value = s->series[i].value;
	const char *labels = strchr(s->names.text[i], '{');
	char name[CLEAN_SIZE];

	snprintf(name, sizeof(name), "%s", labels ? labels + 1 : about->name);
	if (labels && strlen(labels) < sizeof(name))
		name[strlen(name) - 1] = '\0';
	put_track(w, TRACK_SERIES + i, TRACK_FAMILIES + s->series[i].family, name, NULL,
		  unit_of(about->unit));
	for (size_t e = about->gauge; e < s->edges; e++)
		if (!isnan(value[e]))
			put_event(w, edge[e - about->gauge], TRACK_SERIES + i, EVENT_COUNTER, NULL,
				  value[e], 0);
}

static void put_family(struct writer *w, const struct metrics *s, unsigned int family)
{
	static const char seconds[] =
		"_seconds"; /* removed from the name, because the unit of the track is ns */
	struct metric_about about = metrics_about(s, family);
	size_t n = strlen(about.name), end = sizeof(seconds) - 1;
	char name[CLEAN_SIZE];

	if (n > end && !strcmp(about.name + n - end, seconds))
		n -= end;
	snprintf(name, sizeof(name), "%.*s", (int)n, about.name);
	put_track(w, TRACK_FAMILIES + family, TRACK_ROOT, name, about.help, 0);
	for (size_t i = 1; i <= s->n; i++)
		if (s->series[i].family == family)
			put_series(w, s, i, &about);
}

static void put_counters(struct writer *w, const struct metrics *s)
{
	for (unsigned int f = 0; f < METRIC_FAMILIES_MOST; f++)
		if (s->of_family[f] && metrics_about(s, f).number)
			put_family(w, s, f);
}

/* Adds the quantiles of packet latency in each interval to the series. */
static void add_latency(struct metrics *s, const struct latency_times *t)
{
#define KEY(name, key, title, share) key,
	static const char *const quantile[DIST_QUANTILE_COUNT] = { DIST_QUANTILES(KEY) };
#undef KEY

	for (size_t i = 0; i < t->n; i++)
		for (unsigned int q = 0; q < DIST_QUANTILE_COUNT; q++) {
			struct metric_labels l = { .len = 0 };

			if (t->row[i].hook >= NETCOST_LATENCY_COUNT)
				continue;
			metric_label(&l, "hook", latency_keys[t->row[i].hook]);
			metric_label(&l, "quantile", quantile[q]);
			metrics_set(s, METRIC_LATENCY_QUANTILE, t->row[i].piece + (size_t)1,
				    t->row[i].r.ns[q], &l);
		}
}

/* Completes the series after all records were read, so that leaves have the same values as in `timeline`. */
static int fill(struct perfetto *f, const struct export_source *from)
{
	struct metrics *s = &f->metrics.metrics;
	int err = 0;

	for (size_t i = 0; !err && s->edges && i < intervals_closed(from->iv); i++)
		err = openmetrics_closed(&f->metrics, from->m, i);
	s->room = UINT64_MAX;
	if (s->edges)
		add_latency(s, &f->latency);
	metrics_settle(s);
	return err || s->no_memory || f->latency.no_memory ? -ENOMEM : 0;
}

/* ---- marks and pauses -------------------------------------------------------------------- */

static void put_marks(struct writer *w)
{
	const struct model *m = w->p->m;

	if (m->nmoments)
		put_track(w, TRACK_MARKS, TRACK_ROOT, "marks", "moments that the user marked", 0);
	for (size_t i = 0; i < m->nmoments; i++)
		if (m->moment[i].at_ns != TRACE_NIL)
			put_event(w, m->moment[i].at_ns, TRACK_MARKS, EVENT_INSTANT,
				  model_string(m, m->moment[i].text), 0, 0);
	if (m->npauses)
		put_track(w, TRACK_PAUSES, TRACK_ROOT, "exact counting paused",
			  "times are estimated from samples", 0);
	for (size_t i = 0; i < m->npauses; i++) {
		const struct model_pause *p = &m->pause[i];

		put_event(w, p->from_ns, TRACK_PAUSES, EVENT_BEGIN, "paused", 0, 0);
		put_event(w, p->to_ns < m->last_ns ? p->to_ns : m->last_ns, TRACK_PAUSES, EVENT_END,
			  NULL, 0, 0);
	}
}

/* ---- packet paths ------------------------------------------------------------------------ */

static bool is_shown(const struct perfetto *f, uint64_t packet)
{
	return !((packet * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & f->passed_over);
}

/* Halves the number of packets until there is room for another event. */
static void thin(struct perfetto *f)
{
	while (f->nevents >= EVENTS_MOST && f->passed_over != UINT32_MAX) {
		size_t n = 0;

		f->passed_over = 2 * f->passed_over + 1;
		for (size_t i = 0; i < f->nevents; i++)
			if (is_shown(f, f->event[i].packet))
				f->event[n++] = f->event[i];
		f->nevents = n;
	}
}

/* Adds the events of a STAGES record. The model reports errors in the record. Returns 0 or -ENOMEM. */
static int add_events(struct perfetto *f, const struct trace_record *rec)
{
	struct trace_column dt = trace_record_column(rec, TRACE_STAGES_DT),
			    packet = trace_record_column(rec, TRACE_STAGES_PACKET),
			    stage = trace_record_column(rec, TRACE_STAGES_STAGE);
	struct packet_event e = { .at_ns = trace_record_uint(rec, TRACE_STAGES_BASE_NS, 0) };
	uint64_t ns, number;
	int64_t more;

	while (trace_column_uint(&dt, &ns) && trace_column_int(&packet, &more) &&
	       trace_column_uint(&stage, &number)) {
		e.at_ns += ns == TRACE_NIL ? 0 : ns;
		e.packet += (uint64_t)more;
		e.stage = (uint8_t)number;
		if (number >= NETCOST_STAGE_COUNT || !is_shown(f, e.packet))
			continue;
		thin(f);
		if (f->nevents >= EVENTS_MOST || !is_shown(f, e.packet))
			continue;
		if (array_reserve(&f->event, &f->cap_events, f->nevents + 1, sizeof(*f->event)))
			return -ENOMEM;
		f->event[f->nevents++] = e;
	}
	return 0;
}

static void put_paths(struct writer *w, const struct perfetto *f)
{
	bool has_stage[NETCOST_STAGE_COUNT] = { false };

	if (f->nevents)
		put_track(w, TRACK_PATHS, TRACK_ROOT, "packet paths",
			  "each flow is the recorded path of one packet", 0);
	for (size_t i = 0; i < f->nevents; i++) {
		const struct packet_event *e = &f->event[i];
		uint64_t track = TRACK_STAGES + e->stage;

		if (!has_stage[e->stage])
			put_track(w, track, TRACK_PATHS, stages_keys[e->stage],
				  stages_what[e->stage], 0);
		has_stage[e->stage] = true;
		put_event(w, e->at_ns, track, EVENT_INSTANT, stages_keys[e->stage], 0,
			  e->packet + 1);
	}
}

/* ---- samples ----------------------------------------------------------------------------- */

static void put_interned(struct writer *w, Perfetto__InternedData *data)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.interned_data = data;
	put(w, &packet);
}

/* Sets a name, which may have any bytes, and its number. */
static void set_string(struct writer *w, Perfetto__InternedString *s, uint64_t iid,
		       const char *name)
{
	perfetto__interned_string__init(s);
	SET(*s, iid, iid);
	s->has_str = 1;
	s->str.data = (uint8_t *)clean(w, name);
	s->str.len = strlen(w->name);
}

static void put_mapping(struct writer *w, uint64_t iid)
{
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString path, *paths = &path;
	Perfetto__Mapping mapping = PERFETTO__MAPPING__INIT, *mappings = &mapping;
	char name[PROFILE_NAME];

	set_string(w, &path, iid, profile_mapping_name(w->p, iid, name));
	SET(mapping, iid, iid);
	mapping.n_path_string_ids = 1;
	mapping.path_string_ids = &iid;
	data.n_mapping_paths = data.n_mappings = 1;
	data.mapping_paths = &paths;
	data.mappings = &mappings;
	put_interned(w, &data);
}

/* Writes a function, if it is not written yet. The ids of its name and of its frame are its number + 1. */
static void put_function(struct writer *w, uint32_t f)
{
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString string, *strings = &string;
	Perfetto__Frame frame = PERFETTO__FRAME__INIT, *frames = &frame;
	const char *name = w->p->functions->at[f].name;
	uint64_t mapping = profile_mapping(w->p, f);

	if (w->has_function[f])
		return;
	w->has_function[f] = true;
	set_string(w, &string, f + UINT64_C(1), *name ? name : PROFILE_UNKNOWN);
	SET(frame, iid, f + UINT64_C(1));
	SET(frame, function_name_id, f + UINT64_C(1));
	frame.mapping_id = mapping;
	frame.has_mapping_id = frame.has_rel_pc = mapping != 0;
	data.n_function_names = data.n_frames = 1;
	data.function_names = &strings;
	data.frames = &frames;
	put_interned(w, &data);
}

/* Writes a stack and its functions, if they are not written yet. The number of the stack is its id + 1. */
static void put_stack(struct writer *w, uint32_t stack)
{
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__Callstack callstack = PERFETTO__CALLSTACK__INIT, *callstacks = &callstack;
	uint64_t frame[TRACE_MAX_STACK + 1];
	size_t at = TRACE_MAX_STACK + 1;

	if (w->has_stack[stack])
		return;
	w->has_stack[stack] = true;
	SET(callstack, iid, stack + UINT64_C(1));
	do {
		uint32_t f = functions_of_stack(w->p->functions, stack);

		put_function(w, f);
		frame[--at] = f + UINT64_C(1);
		stack = w->p->m->stack[stack].parent;
	} while (stack && at);
	callstack.n_frame_ids = TRACE_MAX_STACK + 1 - at;
	callstack.frame_ids = frame + at;
	data.n_callstacks = 1;
	data.callstacks = &callstacks;
	put_interned(w, &data);
}

/* Returns true if the task's thread id and process id fit into Perfetto's 32-bit fields. */
static bool has_numbers(const struct model_task *t)
{
	return t->tid <= INT32_MAX && t->tgid <= INT32_MAX;
}

static void put_task(struct writer *w, uint32_t id)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
	const struct model_task *t = &w->p->m->task[id];

	if (w->has_task[id])
		return;
	w->has_task[id] = true;
	SET(track, uuid, UUID + TRACK_THREADS + id);
	SET(thread, pid, (int32_t)t->tgid);
	SET(thread, tid, (int32_t)t->tid);
	thread.thread_name = clean(w, model_string(w->p->m, t->comm));
	track.thread = &thread;
	packet.track_descriptor = &track;
	put(w, &packet);
}

static void put_sample(struct writer *w, const struct sample_count *c)
{
	const struct sample_apart *apart = &w->p->from->apart;
	const struct model *m = w->p->m;
	enum leaf leaf = model_leaf(m, c->class);
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__StackSample s = PERFETTO__STACK_SAMPLE__INIT;
	Perfetto__StackSample__TaskContext task = PERFETTO__STACK_SAMPLE__TASK_CONTEXT__INIT;
	Perfetto__StackSample__ExecutionContext on =
		PERFETTO__STACK_SAMPLE__EXECUTION_CONTEXT__INIT;

	if (leaf == LEAF_IDLE && !w->p->idle)
		return;
	put_stack(w, c->stack);
	if (c->task && c->task <= m->ntasks && has_numbers(&m->task[c->task])) {
		put_task(w, c->task);
		SET(task, pid, (uint32_t)m->task[c->task].tgid);
		SET(task, tid, (uint32_t)m->task[c->task].tid);
		s.task_context = &task;
	}
	SET(on, cpu, c->cpu);
	SET(on, mode, leaf == LEAF_USER ? 1 : 2);
	s.execution_context = &on;
	SET(s, callstack_iid, c->stack + UINT64_C(1));
	SET(s, primary_weight, c->samples);
	packet.stack_sample = &s;
	SET(packet, timestamp, apart->origin_ns + c->piece * apart->each_ns);
	put(w, &packet);
}

/* ---- the format -------------------------------------------------------------------------- */

/* Slots are as short as 32-bit slot numbers allow, so that most samples keep their own times. */
static bool begin(void *ctx, const struct intervals *iv)
{
	struct perfetto *f = ctx;

	f->metrics.exact = true;
	f->metrics.e.wanted = f->profiler.e.wanted;
	if (!f->latency.pieces.watch.ctx)
		latency_times_init(&f->latency, LATENCY_ALL);
	f->profiler.e.watch.more = &f->latency.pieces.watch;
	profiler_begin_slots(&f->profiler, iv);
	f->longest_ns = iv->nedges ? iv->edge[iv->nedges - 1] - iv->edge[0] : UINT64_MAX / 2;
	if (iv->nedges)
		f->profiler.apart.each_ns = 1 + f->longest_ns / (UINT32_MAX / 2);
	f->longest_ns /= SLOTS_LEAST;
	f->nevents = 0;
	f->passed_over = 0;
	return openmetrics_begin(&f->metrics, iv);
}

static void edge(void *ctx, const struct model *m, size_t at)
{
	openmetrics_edge(&((struct perfetto *)ctx)->metrics, m, at);
}

static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct perfetto *f = ctx;
	int err;

	f->profiler.apart.tasks = true;
	err = profiler_record_slots(&f->profiler, m, rec, SAMPLES_MOST,
				    f->longest_ns ? f->longest_ns : UINT64_MAX / 2);
	if (!err && rec->type == TRACE_STAGES && model_is_of_all(m))
		err = add_events(f, rec);
	return err ? err : openmetrics_record(&f->metrics, m, rec);
}

static int put_all(struct writer *w, const struct perfetto *f)
{
	const struct model *m = w->p->m;

	w->has_stack = calloc(m->nstacks + (size_t)1, sizeof(*w->has_stack));
	w->has_task = calloc(m->ntasks + (size_t)1, sizeof(*w->has_task));
	w->has_function = calloc(w->p->functions->n + (size_t)1, sizeof(*w->has_function));
	if (!w->has_stack || !w->has_task || !w->has_function)
		return -ENOMEM;
	put_clocks(w);
	put_track(w, TRACK_ROOT, 0, "netcost", "what networking costs this host", 0);
	put_counters(w, &f->metrics.metrics);
	put_marks(w);
	for (uint64_t i = 1; i <= m->nmodules + UINT64_C(1); i++)
		put_mapping(w, i);
	for (size_t i = 0; i < w->p->n; i++)
		put_sample(w, &w->p->count[i]);
	put_paths(w, f);
	return 0;
}

static int write_trace(struct profile *p, const struct export_target *to)
{
	const struct sample_counts *c = &p->from->counts;
	struct writer w = { .base = { .append = append }, .p = p, .out = to->open(to->ctx, 1) };
	int err;

	if (!w.out)
		return -ECANCELED;
	p->count = c->n ? c->at + 1 : NULL;
	p->n = c->n;
	err = put_all(&w, (const struct perfetto *)p->from);
	free(w.has_stack);
	free(w.has_task);
	free(w.has_function);
	return to->close(to->ctx, w.out, 1, !err) || err ? err : -ECANCELED;
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct perfetto *f = (struct perfetto *)e;
	int err = fill(f, from);

	if (err)
		return err;
	if (!e->wanted.quiet)
		metrics_tell_left_out(&f->metrics.metrics, PART_TITLE(from->part));
	if (f->latency.too_many)
		tell(PART_TITLE(from->part),
		     "has too many intervals for quantiles of latency; set longer intervals with --every");
	profiler_find_slots(&f->profiler, from->m);
	return profiler_write(&f->profiler, from, to, false, write_trace);
}

static void end(struct exporter *e)
{
	struct perfetto *f = (struct perfetto *)e;

	profiler_free(e);
	openmetrics_end(&f->metrics.e);
	latency_times_free(&f->latency);
	free(f->event);
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.help = "counters, stacks, marks and packet paths over time, for Perfetto (ui.perfetto.dev)",
	.keep = MODEL_TASKS | MODEL_MODULES | MODEL_LATENCY,
	.takes = EXPORT_TAKES_IDLE | EXPORT_TAKES_PER_CPU,
	.binary = true,
	.size = sizeof(struct perfetto),
	.watch = { .begin = begin, .edge = edge, .record = record },
	.write = write,
	.free = end,
};
