// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include <netcost/text_append.h>

#include "tables.h"
#include "report/base/stats.h"
#include "report/base/text.h"

static bool is_measured(const struct model *m)
{
	return model_is_measured(m, NETCOST_OF_TAIL, 0);
}

/* ---- checkpoints -------------------------------------------------------------------- */

/* Adds the checkpoints for programs. Text shows the same data above the rows. */
static void hooks(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ .key = "packets",
		  .known = true,
		  .about = "number of packets kept: the slowest packets of each tick" },
		{ .key = "mean_ns", .precision = 1, .about = "mean latency of the packets kept" },
		{ .key = "p99_9_ns",
		  .precision = 1,
		  .about =
			  "99.9th percentile of the latency of all packets at this checkpoint, not only of the packets kept" },
		{ .key = "way_packets",
		  .known = true,
		  .about =
			  "number of packets kept whose times at the earlier checkpoints are known" },
		{ .key = "queue_packets",
		  .known = true,
		  .about =
			  "number of packets kept for which the length of the queue ahead is known" },
		{ .key = "before_mean",
		  .precision = 1,
		  .about = "mean number of packets ahead in the queue" },
		{ .key = "before_most",
		  .whole = true,
		  .about = "maximum number of packets ahead in the queue" },
	};
	static const struct doc_table table = { .key = "hooks",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		struct tail t;

		if (!m->tail[h].packets)
			continue;
		tail_of(&t, m, h);
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, latency_keys[h]);
		doc_number(d, t.packets);
		doc_number(d, t.mean_ns);
		doc_number(d, t.p99_9_ns);
		doc_number(d, (double)m->tail[h].path_packets);
		doc_number(d, (double)m->tail[h].queue_packets);
		doc_number(d, t.before_mean);
		doc_number(d, t.before_most);
		doc_row_end(d);
	}
	doc_table_end(d);
}

/* ---- culprits ----------------------------------------------------------------------- */

static const struct doc_column columns[] = {
	{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
	{ .title = "", .kind = DOC_STRING, .width = 72 },
	{ DOC_PERCENT("share_percent", "%", 8),
	  .about = "share of the total latency of the slowest packets of this checkpoint" },
	{ .key = "ns", .known = true },
	{ .key = "packets",
	  .known = true,
	  .about = "number of the slowest packets that this cause delayed" },
	{ .key = "first",
	  .title = "first in",
	  .width = 9,
	  .known = true,
	  .about = "number of packets for which this cause was the longest delay" },
	{ .key = "reader",
	  .kind = DOC_BOOL,
	  .about =
		  "true: the packet was in its socket's queue and waited for the reader; false: it had not reached that queue" },
	{ .key = "what", .kind = DOC_STRING, .known = true, .choices = tail_keys },
	{ .key = "number",
	  .whole = true,
	  .about =
		  "number of the softirq vector, interrupt, idle state or scheduling policy; for a queue: 0 a CPU's backlog, 1 a qdisc, 2 a socket's queue; null: the cause has no number" },
	{ .key = "name",
	  .kind = DOC_STRING,
	  .about =
		  "name of the task that caused the delay; null: the cause is not a task, or unknown" },
	{ .key = "samples",
	  .whole = true,
	  .about =
		  "number of samples of the CPU during the delays by this cause, counted once for each delayed packet; null: the times of the delays are unknown, no samples were taken, or the cause did not occupy a CPU" },
};

/* A culprit, with its functions if they are known. */
struct shown {
	const struct model *m;
	const struct tail_seen *seen;
	const struct model_culprit *c;
	const struct tail_seen_row *row; /* functions of the culprit; NULL if unknown */
};

static bool has_samples(const struct shown *s)
{
	return s->row && s->row->spans && s->seen->sampled;
}

static void number_and_name(struct doc *d, const struct model_culprit *c)
{
	doc_number(d, known_uint(c->number));
	doc_string(d, *c->name ? c->name : NULL);
}

static bool is_sampled(const struct shown *s)
{
	return has_samples(s) && s->row->samples;
}

static void row(struct doc *d, const struct shown *s, double all_ns, unsigned int only)
{
	const struct model_culprit *c = s->c;
	char text[TAIL_TEXT_SIZE];

	doc_row(d, 0, only);
	doc_string(d, latency_keys[c->hook]);
	doc_string(d, tail_text(text, sizeof(text), c, is_sampled(s)));
	doc_number(d, 100 * known_ratio((double)c->ns, all_ns));
	doc_number(d, (double)c->ns);
	doc_number(d, (double)c->packets);
	doc_number(d, (double)c->first);
	doc_bool(d, c->reader);
	doc_string(d, tail_keys[c->what]);
	number_and_name(d, c);
	doc_number(d, has_samples(s) ? (double)s->row->samples : NAN);
	doc_row_end(d);
}

/* ---- functions of a culprit --------------------------------------------------------- */

#define MOST 3 /* largest number of functions that text shows */

static const char *function_name(const struct tail_function *f)
{
	return *f->name ? f->name : "[unknown]";
}

static int samples_below(struct doc *d, const struct shown *s)
{
	struct tail_function *f;
	uint64_t rest = s->row->samples;
	char text[DOC_LINE] = "";
	size_t n;
	int err = tail_seen_functions(s->row, s->m, &f, &n);

	for (size_t i = 0; !err && i < n && i < MOST; i++) {
		text_append(text, sizeof(text), ", ", "%s in %s%s", NUM((double)f[i].samples, 0),
			    SAFE(function_name(&f[i])), f[i].own ? " (netcost itself)" : "");
		rest -= f[i].samples;
	}
	if (!err && rest)
		text_append(text, sizeof(text), ", ", "%s elsewhere", NUM((double)rest, 0));
	free(f);
	if (!err)
		doc_note(d, "    of %s: %s", COUNT(s->row->samples, "sample"), text);
	return err;
}

static int below(struct doc *d, const struct shown *s)
{
	if (!doc_is_for(d, DOC_TEXT) || !is_sampled(s))
		return 0;
	return samples_below(d, s);
}

static int function_rows(struct doc *d, const struct shown *s)
{
	struct tail_function *f;
	size_t n;
	int err = tail_seen_functions(s->row, s->m, &f, &n);

	for (size_t i = 0; !err && i < n; i++) {
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, latency_keys[s->c->hook]);
		doc_string(d, tail_keys[s->c->what]);
		doc_bool(d, s->c->reader);
		number_and_name(d, s->c);
		doc_string(d, function_name(&f[i]));
		doc_string(d, f[i].category);
		doc_number(d, (double)f[i].samples);
		doc_row_end(d);
	}
	free(f);
	return err;
}

static int functions(struct doc *d, const struct model *m, const struct tail_seen *seen)
{
	static const struct doc_column column[] = {
		{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ .key = "what", .kind = DOC_STRING, .known = true, .choices = tail_keys },
		{ .key = "reader", .kind = DOC_BOOL },
		{ .key = "number", .whole = true },
		{ .key = "name", .kind = DOC_STRING },
		{ .key = "function",
		  .kind = DOC_STRING,
		  .known = true,
		  .about = "innermost function of the samples" },
		{ .key = "category",
		  .kind = DOC_STRING,
		  .about = "category of the stack that has the most samples of this function" },
		{ .key = "samples", .known = true },
	};
	static const struct doc_table table = {
		.key = "functions",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS,
		.about =
			"innermost functions of the samples taken during the delays, for each row that has samples"
	};
	const struct store *culprits = m->store[MODEL_STORE_CULPRITS];
	int err = 0;

	doc_table(d, &table);
	for (size_t i = 0; !err && culprits && i < store_rows(culprits); i++) {
		const struct model_culprit c = model_culprit(culprits, i);
		const struct shown s = { m, seen, &c, tail_seen_row(seen, m, &c) };

		if (has_samples(&s) && c.packets)
			err = function_rows(d, &s);
	}
	doc_table_end(d);
	return err;
}

/* ---- steps of the slowest packets --------------------------------------------------- */

static const char *from_key(const struct tail_step *s)
{
	return s->from < MODEL_ENTRY ? latency_keys[s->from] : NULL;
}

static void step_rows(struct doc *d, const struct model *m, enum netcost_latency hook)
{
	for (struct tail_step s = { .next = 0 }; tail_next_step(&s, m, hook);) {
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, latency_keys[hook]);
		doc_string(d, from_key(&s));
		doc_string(d, latency_keys[s.to]);
		doc_number(d, s.share_percent);
		doc_number(d, s.ns);
		doc_number(d, s.packets);
		doc_row_end(d);
	}
}

static void steps(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ .key = "from",
		  .kind = DOC_STRING,
		  .choices = latency_keys,
		  .about =
			  "checkpoint where the step begins; null: the point from which the latency is measured" },
		{ .key = "to", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ DOC_PERCENT("share_percent", "%", 8),
		  .about =
			  "share of the total latency of the packets whose times at the checkpoints are known" },
		{ .key = "ns", .known = true },
		{ .key = "packets", .known = true },
	};
	static const struct doc_table table = {
		.key = "steps",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS,
		.about =
			"latency of the slowest packets by step, from one recorded checkpoint to the next, for each final checkpoint (hook)"
	};

	doc_table(d, &table);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		step_rows(d, m, h);
	doc_table_end(d);
}

/* Writes the steps for text. Returns text, which has DOC_LINE bytes. */
static const char *steps_text(char *text, const struct model *m, enum netcost_latency hook)
{
	*text = '\0';
	for (struct tail_step s = { .next = 0 }; tail_next_step(&s, m, hook);) {
		const char *from = from_key(&s);
		/* the packets passed no known checkpoint before this one */
		bool whole = !from && s.to == hook;

		text_append(text, DOC_LINE, ", ", "%s %% from %s to %s%s",
			    MEASURED(s.share_percent, TEXT_PLAIN), from ? from : "entry",
			    latency_keys[s.to],
			    whole ? " (checkpoints in between were not recorded)" : "");
	}
	return text;
}

/* Prints the steps below the rows of a checkpoint. */
static void steps_below(struct doc *d, const struct model *m, enum netcost_latency hook,
			const struct tail *t)
{
	const struct model_tail *sums = &m->tail[hook];
	char text[DOC_LINE];

	if (!doc_is_for(d, DOC_TEXT))
		return;
	if (sums->path_packets)
		doc_note(d, "  steps of %s of these packets, in %% of their time: %s",
			 NUM((double)sums->path_packets, 0), steps_text(text, m, hook));
	if (sums->queue_packets && t->before_most > 0)
		doc_note(d,
			 "  queue ahead of %s of these packets: %s packets on average, %s at most",
			 NUM((double)sums->queue_packets, 0), MEASURED(t->before_mean, TEXT_PLAIN),
			 COUNT(t->before_most, "packet"));
}

/* ---- rows --------------------------------------------------------------------------- */

/*
 * Prints a title such as "udp-socket-read: 4 of 6004 packets, the slowest of their ticks: 5000.00
 * us on average, p99.93 of all". The quantile is rounded down: 99.999 is not 100.
 */
static void section(struct doc *d, enum netcost_latency hook, const struct tail *t)
{
	char title[200] = "";

	text_append(title, sizeof(title), "", "%s: %s", latency_keys[hook],
		    t->all > 0 ? NUM(t->packets, 0) : COUNT(t->packets, "packet"));
	if (t->all > 0)
		text_append(title, sizeof(title), "", " of %s", COUNT(t->all, "packet"));
	text_append(title, sizeof(title), "", ", the slowest of %s: %s on average",
		    t->packets == 1 ? "its tick" : "their ticks", MEASURED(t->mean_ns, TEXT_NS));
	if (t->shorter > 0)
		text_append(title, sizeof(title), "", ", p%.4g of all",
			    floor(t->shorter / t->all * 1e4) / 1e2);
	doc_section(d, title);
}

/* Several rows with smaller shares are shown as one row without a cause. */
#define SMALL 0.01

struct cause {
	double ns;
	enum tail_cause cause;
};

static int causes_by_ns(const void *pa, const void *pb)
{
	const struct cause *a = pa, *b = pb;

	return (a->ns < b->ns) - (a->ns > b->ns);
}

/* Sums the shares of the rows by cause, and sorts the causes by share, the largest first. */
static void causes_of(struct cause cause[TAIL_CAUSES], const struct model *m,
		      const struct tail_seen *seen, const struct tail *t)
{
	for (unsigned int i = 0; i < TAIL_CAUSES; i++)
		cause[i] = (struct cause){ .cause = i };
	for (size_t i = 0; i < t->n; i++) {
		const struct shown s = { m, seen, &t->row[i], tail_seen_row(seen, m, &t->row[i]) };

		cause[tail_cause_of(s.c, is_sampled(&s))].ns += (double)s.c->ns;
	}
	qsort(cause, TAIL_CAUSES, sizeof(*cause), causes_by_ns);
}

/* Prints the causes above the rows of text. */
static void causes_above(struct doc *d, const struct model *m, const struct tail_seen *seen,
			 const struct tail *t)
{
	struct cause cause[TAIL_CAUSES];
	char text[DOC_LINE] = "";

	if (!doc_is_for(d, DOC_TEXT) || t->n < 2)
		return;
	causes_of(cause, m, seen, t);
	for (unsigned int i = 0; i < TAIL_CAUSES && cause[i].ns > 0; i++)
		if (cause[i].ns >= SMALL * t->ns)
			text_append(text, sizeof(text), "; ", "%s: %s %%",
				    tail_causes[cause[i].cause], PERCENT(cause[i].ns / t->ns, 0));
	doc_note(d, "  %s", text);
}

static void causes(struct doc *d, const struct model *m, const struct tail_seen *seen)
{
	static const struct doc_column column[] = {
		{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ .key = "cause", .kind = DOC_STRING, .known = true, .choices = tail_cause_keys },
		{ DOC_PERCENT("share_percent", "%", 8),
		  .about = "share of the total latency of the slowest packets of this checkpoint" },
		{ .key = "ns", .known = true },
	};
	static const struct doc_table table = {
		.key = "causes",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS,
		.about =
			"latency of the slowest packets by cause: rows with the same cause are added up"
	};

	doc_table(d, &table);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		struct cause cause[TAIL_CAUSES];
		struct tail t;

		if (!m->tail[h].packets)
			continue;
		tail_of(&t, m, h);
		causes_of(cause, m, seen, &t);
		for (unsigned int i = 0; i < TAIL_CAUSES && cause[i].ns > 0; i++) {
			doc_row(d, 0, DOC_PROGRAMS);
			doc_string(d, latency_keys[h]);
			doc_string(d, tail_cause_keys[cause[i].cause]);
			doc_number(d, 100 * known_ratio(cause[i].ns, t.ns));
			doc_number(d, cause[i].ns);
			doc_row_end(d);
		}
	}
	doc_table_end(d);
}

/* Returns the number of rows that are shown separately. The rows are sorted by share. */
static size_t shown_rows(const struct tail *t)
{
	size_t n = 0;

	while (n < t->n && (double)t->row[n].ns >= SMALL * t->ns)
		n++;
	return n + 1 < t->n ? n : t->n;
}

static void others_row(struct doc *d, size_t n, double share)
{
	char name[32];

	snprintf(name, sizeof(name), "%s", COUNT(n, "other"));
	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, NULL);
	doc_string(d, name);
	doc_number(d, 100 * share);
	doc_blanks(d, d->table->ncolumns - 3);
	doc_row_end(d);
}

static int rows(struct doc *d, const struct model *m, const struct tail_seen *seen)
{
	static const struct doc_table table = {
		.key = "rows", .above = true, .sections = true, DOC_COLUMNS_OF(columns)
	};
	int err = 0;

	doc_table(d, &table);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		struct tail t;
		double small_ns = 0;

		if (!m->tail[h].packets)
			continue;
		tail_of(&t, m, h);
		section(d, h, &t);
		causes_above(d, m, seen, &t);
		for (size_t i = 0; !err && i < t.n; i++) {
			const struct model_culprit *c = &t.row[i];
			const struct shown s = { m, seen, c, tail_seen_row(seen, m, c) };
			bool hidden = i >= shown_rows(&t);

			row(d, &s, t.ns, hidden ? DOC_PROGRAMS : DOC_ALL);
			if (!hidden)
				err = below(d, &s);
			small_ns += hidden ? (double)c->ns : 0;
		}
		if (shown_rows(&t) < t.n)
			others_row(d, t.n - shown_rows(&t), small_ns / t.ns);
		steps_below(d, m, h, &t);
	}
	doc_table_end(d);
	return err;
}

/* ---- reports ------------------------------------------------------------------------ */

static void notes(struct doc *d, const struct model *m, const struct tail_seen *seen)
{
	const struct model_probe *p = model_find_probe(m, NETCOST_OF_TAIL, 0);

	if (seen && seen->too_many)
		doc_note(d, "Samples cover only the first %u delays.", TAIL_SEEN_SPANS);
	if (is_measured(m))
		doc_note(
			d,
			"The recorder keeps the slowest packets of each tick and checkpoint: up to four, of different CPUs.");
	if (is_measured(m))
		followed_note(d, m, false);
	else if (p)
		doc_note(d, "CPU activity during packet latency could not be measured: %s",
			 SAFE(model_string(m, p->reason)));
	else
		doc_note(
			d,
			"No CPU activity during packet latency. Record with netcost-record --tail.");
}

int latency_tail_table(struct doc *d, const struct model *m, const struct tail_seen *seen)
{
	int err = rows(d, m, seen);

	notes(d, m, seen);
	return err;
}

int latency_tail_doc(struct doc *d, const struct model *m, const struct tail_seen *seen)
{
	int err;

	doc_object(d, NULL);
	doc_heading(d, "what the slowest packets waited for");
	doc_trace(d, m);
	doc_field_text(d, "of", "slowest"); /* no other report has that field */
	hooks(d, m);
	causes(d, m, seen);
	err = rows(d, m, seen);
	if (!err)
		err = functions(d, m, seen);
	steps(d, m);
	doc_title(d, "");
	notes(d, m, seen);
	doc_object_end(d);
	return err;
}
