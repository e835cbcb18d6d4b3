// SPDX-License-Identifier: BSD-2-Clause
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/text.h"
#include "report/rules/rules.h"
#include "report/rewrite/rewrite.h"

static const char *what_to_do(enum trace_problem problem)
{
	static const char *const texts[] = {
		[TRACE_NOT_A_TRACE] =
			"give a file as netcost-record wrote it (decompress a .gz first)",
		[TRACE_EMPTY] = "record again with netcost-record",
		[TRACE_DAMAGED] = "copy the file again from the host that recorded it",
		[TRACE_VERSION] = "use netcost-report of the version that wrote the file",
	};
	const char *text = (size_t)problem < sizeof(texts) / sizeof(*texts) ? texts[problem] : NULL;

	return text ? text : "check the file";
}

static const char *stdin_name = "stdin";

void input_call_stdin(const char *name)
{
	stdin_name = name;
}

const char *input_name(const char *file)
{
	return strcmp(file, "-") ? file : stdin_name;
}

bool input_is_output(const char *in, const char *what, const char *out)
{
	struct stat a, b;
	bool same = !(strcmp(in, "-") ? stat(in, &a) : fstat(STDIN_FILENO, &a)) &&
		    !(strcmp(out, "-") ? stat(out, &b) : fstat(STDOUT_FILENO, &b)) &&
		    S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;

	if (same)
		tell(out, "is the input %s; write to another file", what);
	return same;
}

bool input_open(struct input *in, const char *file, uint64_t memory)
{
	struct stat st;
	int err;

	*in = (struct input){ .name = input_name(file), .fd = STDIN_FILENO, .memory = memory };
	if (strcmp(file, "-"))
		in->fd = open(file, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0) {
		tell(in->name, "%s; %s", strerror(errno),
		     errno == ENOENT ? "name a trace, or record one with netcost-record" :
				       "check the path and its permissions");
		return false;
	}
	if (!fstat(in->fd, &st) && S_ISDIR(st.st_mode))
		tell(in->name, "is a directory; give the trace file in it");
	else if ((err = trace_reader_new(&in->reader, in->fd)))
		tell(in->name, "%s", strerror(-err));
	else
		return true;
	input_close(in);
	return false;
}

bool input_make_seekable(struct input *in)
{
	int fd = trace_reader_keep(in->reader);
	int err = fd < 0 ? fd : 0;

	trace_reader_free(in->reader);
	in->reader = NULL;
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = fd;
	if (!err)
		err = trace_reader_new(&in->reader, fd);
	if (err)
		tell(in->name,
		     "cannot be copied to a file in /tmp: %s; give a file instead of a pipe",
		     strerror(-err));
	return !err;
}

void input_close(struct input *in)
{
	trace_reader_free(in->reader);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
}

/* ---- parts ------------------------------------------------------------------------------- */

/* Reads the HEADER of a part. Data that does not begin with HEADER is not a part. */
static int read_header(struct input *in, struct trace_record *header)
{
	int err = trace_reader_next(in->reader, header);

	in->reported = false;
	if (err > 0)
		trace_record_str(header, TRACE_HEADER_HOST, in->host, sizeof(in->host));
	return err ? err : -EMEDIUMTYPE;
}

/* Reads the HEADER of the next part. Returns 1, or 0 after the last part, or an error of trace_reader_next(). */
static int input_next(struct input *in, struct trace_record *header)
{
	int err = in->number ? trace_reader_part(in->reader) : 1;

	if (err <= 0)
		return in->reported ? 0 : err;
	in->number++;
	return read_header(in, header);
}

static void name_part(const struct input *in, char *dst, size_t size)
{
	if (*in->host)
		snprintf(dst, size, "%s", in->host);
	else
		snprintf(dst, size, "part %u", in->number);
}

struct part input_part(const struct input *in, const char *select)
{
	bool several = in->several || in->number > 1 || trace_reader_status(in->reader)->more;
	struct part p = {
		.file = in->name,
		.number = several ? in->number : 0,
		.alone = select || !several,
	};

	name_part(in, p.name, sizeof(p.name));
	return p;
}

/* Returns true if `select` names the current part. Digits are always a part number, even if a host has this name. */
static bool is_selected(const struct input *in, const char *select)
{
	char name[sizeof(in->host)];

	if (!select)
		return true;
	if (*select && select[strspn(select, "0123456789")] == '\0')
		return strtoul(select, NULL, 10) == in->number;
	name_part(in, name, sizeof(name));
	return !strcmp(select, name);
}

int input_next_selected(struct input *in, const char *select, struct trace_record *header)
{
	int err;

	do
		err = input_next(in, header);
	while (err > 0 && !is_selected(in, select));
	return err;
}

bool input_tell_no_part(const struct input *in, const char *select)
{
	tell(in->name, "has no part '%s'; info lists all parts (%u)", select, in->number);
	return false;
}

/* ---- the end of a part -------------------------------------------------------------------- */

/* Warns about a part that is damaged or was cut off. Such a part is still analysed as far as possible. */
static void warn(const char *title, const struct trace_status *st, const struct model *m)
{
	bool window = m && m->window;
	char damage[400];

	if (st->damages && window)
		tell(title, "%s; the report covers the rest",
		     damage_text(st, damage, sizeof(damage)));
	else if (st->damages && m && m->status.damages)
		tell(title, "%s; the report covers the rest",
		     model_damage(m, damage, sizeof(damage)));
	else if (st->damages)
		tell(title, "%s", st->what);
	else if (window && m->sound.broken)
		tell(title,
		     "damaged: %" PRIu64 " records are invalid and were skipped, the first: %s",
		     m->sound.broken, m->sound.first_broken);
	else if (!st->ended)
		tell(title, "%s; the report covers what comes before", st->what);
	else if (st->problem)
		tell(title, "%s", st->what);
}

bool input_ended(struct input *in, int err, const struct model *m)
{
	const struct trace_status *st = trace_reader_status(in->reader);
	const struct part part = input_part(in, NULL);
	const char *title = PART_TITLE(&part);
	char spent[200];

	if (err == BUDGET_SPENT)
		tell(title, "%s", budget_text(in->memory, spent, sizeof(spent)));
	else if (err == -ENOMEM)
		tell(title, "out of memory");
	else if (err && m && *m->err)
		tell(title, "damaged: %s; %s", m->err, what_to_do(TRACE_DAMAGED));
	else if (err == -EBADMSG && m && m->window && m->sound.broken)
		tell(title, "damaged: %s; %s", m->sound.first_broken, what_to_do(TRACE_DAMAGED));
	else if (err)
		tell(title, "%s; %s", *st->what ? st->what : strerror(-err),
		     what_to_do(st->problem));
	in->reported |= err != 0;
	if (err)
		return false;
	warn(title, st, m);
	return true;
}

/* ---- all parts of a file-------------------------------------------------------------------- */

static bool open_wanted(struct input *in, const struct input_wanted *w)
{
	if (!input_open(in, w->file, w->memory))
		return false;
	in->name = w->name ? w->name : in->name;
	return true;
}

bool input_each(const struct input_wanted *wanted, bool recover, input_fn *fn, void *ctx)
{
	struct trace_record header;
	unsigned int selected = 0;
	struct input in;
	bool ok = true;
	int err;

	if (!open_wanted(&in, wanted))
		return false;
	trace_reader_set_recover(in.reader, recover);
	while ((err = input_next_selected(&in, wanted->select, &header)) > 0) {
		selected++;
		ok = fn(ctx, &in, &header) && ok;
	}
	if (err < 0)
		ok = input_ended(&in, err, NULL);
	else if (!selected && ok)
		ok = input_tell_no_part(&in, wanted->select);
	input_close(&in);
	return ok && selected;
}

struct models {
	const struct input_wanted *wanted;
	struct trace_index *index; /* index of the file, if the file is read more than once */
	const struct classifier *classifier; /* NULL: stacks are not classified */
	input_model_fn *fn;
	void *ctx;
	unsigned int reported;
	const struct cut_plan *window; /* NULL: the whole time */
};

/* Returns false and reports an error if the filter names something that the trace does not contain. */
static bool filter_fits(const char *title, const struct model *m)
{
	const struct filter *f = m->filter;

	if (filter_has_cpus(f) && !m->header.ncpus)
		tell(title, "has none of the CPUs %s; info lists the CPUs of the trace",
		     f->cpus.text);
	else if (f && f->tasks && !m->nselected)
		tell(title, "has no task '%s'; summary --by=task lists the tasks of the trace",
		     f->tasks);
	else if (f && f->cgroup && !m->ncgroups)
		tell(title, "has no cgroups: they were not recorded");
	else if (f && f->cgroup && !m->nselected_cgroups)
		tell(title,
		     "has no cgroup '%s'; summary --by=cgroup lists the cgroups of the trace",
		     f->cgroup);
	else
		return true;
	return false;
}

static int fill_intervals(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

static struct model *make_model(const struct models *all)
{
	const struct input_wanted *w = all->wanted;
	struct model *m = model_new(w->keep, all->classifier);

	if (!m)
		return NULL;
	model_set_filter(m, w->filter);
	model_set_memory(m, w->memory);
	if (w->intervals)
		model_set_see(m, fill_intervals, w->intervals);
	if ((!w->ask || !model_ask(m, w->ask)) &&
	    (!all->window || !model_set_window(m, all->window)))
		return m;
	model_free(m);
	return NULL;
}

static bool one_model(void *ctx, struct input *in, const struct trace_record *header)
{
	struct models *all = ctx;
	struct model *m = make_model(all);
	int err = m ? model_feed(m, header) : -ENOMEM;
	struct trace_record rest;
	struct part part;
	bool ok;

	if (!err)
		err = model_read(m, in->reader);
	while (err && trace_reader_next(in->reader, &rest) > 0)
		; /* the next part is known only when this part has ended */
	part = input_part(in, all->wanted->select);
	part.first = !all->reported;
	ok = input_ended(in, err, m) && filter_fits(PART_TITLE(&part), m);
	all->reported += ok;
	ok = ok && all->fn(all->ctx, m, &part);
	model_free(m);
	return ok;
}

/* ---- parts that are read more than once -------------------------------------------------- */

/*
 * If a file has more parts than this number, no part is read more than once. To reach a part, all parts before it must
 * be read, and this takes too long if there are many parts.
 */
#define MANY_PARTS 256

/* Restarts reading at the beginning of a part. The caller needs only the part's frames in from_ns .. to_ns. */
static bool open_part(struct input *in, const struct cut_source *s, uint64_t from_ns,
		      uint64_t to_ns, bool bare)
{
	int err;

	trace_reader_free(in->reader);
	in->reader = NULL;
	err = cut_reader(&in->reader, s, from_ns, to_ns, bare);
	if (err)
		tell(in->name, "cannot be read again: %s", strerror(-err));
	return !err;
}

static bool open_window(struct input *in, const struct cut_source *s, const struct cut_plan *window)
{
	return window ? open_part(in, s, window->begin_ns, window->end_ns, false) :
			open_part(in, s, 0, UINT64_MAX, false);
}

/* The parts that a report covers. */
struct parts {
	bool selected[MANY_PARTS + 1];
	/* number of all selected parts; number of selected parts that do not fit into the list */
	unsigned int n, beyond;
};

/* Lists the parts up to the first error. Returns 0, or an error of trace_reader_next(). */
static int find_parts(struct input *in, const char *select, struct parts *parts)
{
	struct trace_record header;
	int err;

	*parts = (struct parts){ 0 };
	in->number = 0;
	while ((err = input_next_selected(in, select, &header)) > 0) {
		parts->n++;
		if (in->number <= MANY_PARTS)
			parts->selected[in->number] = true;
		else
			parts->beyond++;
	}
	return err;
}

/*
 * Returns false if not all of the parts can be read. The error has been reported, or is reported when the part is read.
 */
static bool list_parts(struct input *in, const char *select, struct trace_index *index,
		       struct parts *parts)
{
	struct cut_source s = { .fd = in->fd, .part = 1, .index = index };
	int err = -EBADMSG;

	/*
	 * Only the HEADERs are needed, so a valid INDEX allows the reader to skip all other frames. A damaged file is
	 * read completely.
	 */
	if (open_part(in, &s, UINT64_MAX, 0, true))
		err = find_parts(in, select, parts);
	s.recover = true;
	if (err && open_part(in, &s, UINT64_MAX, 0, true))
		err = find_parts(in, select, parts);
	if (err == -EPROTONOSUPPORT && in->number <= MANY_PARTS && parts->selected[in->number])
		return false; /* the error is reported when this part is read */
	if (err)
		return in->reader && input_ended(in, err, NULL);
	if (parts->beyond)
		tell(in->name,
		     "has %u parts more than the limit of %u; extract the parts first with cut --part",
		     parts->beyond, MANY_PARTS);
	else if (!parts->n)
		input_tell_no_part(in, select);
	return parts->n && !parts->beyond;
}

/* Drops samples from a record, because they do not affect whether a tick is valid. */
static int edit_tick(void *ctx, struct trace_record *rec)
{
	return rec->type == TRACE_SAMPLES ? COPY_KEPT : cut_edit(ctx, rec);
}

static int take_tick(void *ctx, struct trace_record *rec)
{
	return intervals_tick(ctx, rec) ? 0 : -ENOMEM;
}

/*
 * Runs the first pass of intervals.h over a window. The pass must see the same ticks as the model. Errors of the trace
 * are left to the second pass. Returns false if out of memory.
 */
static bool window_intervals(struct intervals *iv, struct trace_reader *r,
			     const struct cut_plan *window, uint64_t memory)
{
	const struct sound_sink sink = { .ctx = iv, .take = take_tick };
	struct cut *cut = cut_new(window);
	struct sound *sound = cut ? sound_new(&sink, edit_tick, cut) : NULL;
	struct budget budget;
	int err = -ENOMEM;

	budget_init(&budget, memory, 0);
	intervals_begin(iv);
	if (sound)
		err = sound_read(sound, r, &budget);
	sound_free(sound);
	cut_free(cut);
	return err != -ENOMEM && intervals_end(iv);
}

static bool find_intervals(struct models *all, struct input *in, const struct cut_source *s)
{
	struct intervals *iv = all->wanted->intervals;
	const struct cut_plan *w = all->window;

	if (!open_window(in, s, w))
		return false;
	if (w ? window_intervals(iv, in->reader, w, in->memory) : intervals_find(iv, in->reader))
		return true;
	tell(in->name, "out of memory");
	return false;
}

static bool one_part(struct models *all, struct input *in, const struct cut_source *s)
{
	struct trace_record header;
	int err;

	if (all->wanted->intervals && !find_intervals(all, in, s))
		return false;
	if (!open_window(in, s, all->window))
		return false;
	err = read_header(in, &header);
	return err > 0 ? one_model(all, in, &header) : input_ended(in, err, NULL);
}

static bool one_window(struct models *all, struct input *in)
{
	const struct filter *f = all->wanted->filter;
	struct cut_source s = {
		.fd = in->fd, .part = in->number, .chosen = true, .index = all->index
	};
	struct cut_plan plan;
	int err = cut_plan_make(&plan, &s, &f->from, &f->to);
	bool ok = false;

	all->window = &plan;
	if (err == -ENOMEM)
		tell(in->name, "out of memory");
	else if (err)
		tell(in->name, "nothing to report on: %s", plan.why);
	else
		ok = one_part(all, in, &s);
	cut_plan_free(&plan);
	return ok;
}

static bool one_again(struct models *all, struct input *in)
{
	const struct filter *f = all->wanted->filter;
	const struct cut_source s = {
		.fd = in->fd, .part = in->number, .chosen = true, .recover = true
	};

	return f && f->window ? one_window(all, in) : one_part(all, in, &s);
}

static bool each_again(struct models *all)
{
	const struct input_wanted *w = all->wanted;
	struct parts parts = { 0 };
	struct input in;
	bool ok;

	if (!open_wanted(&in, w))
		return false;
	ok = input_make_seekable(&in) && list_parts(&in, w->select, all->index, &parts);
	in.several = in.number > 1;
	for (in.number = 1; in.number <= MANY_PARTS; in.number++)
		if (parts.selected[in.number])
			ok = one_again(all, &in) && ok;
	input_close(&in);
	return ok;
}

/* ---- all models of a file ---------------------------------------------------------------- */

/* Loads the rules. A rules file is read even if nothing is classified, so that its errors are reported. */
static bool load_rules(const struct input_wanted *w, struct rules **rules,
		       struct classifier **classifier)
{
	bool classify = !(w->keep & MODEL_ONLY_STACKS);

	*rules = NULL;
	*classifier = NULL;
	if (!classify && !w->rules)
		return true;
	*rules = rules_load(w->rules);
	if (!*rules)
		return false;
	*classifier = classify ? classifier_new(*rules) : NULL;
	if (classify && !*classifier)
		tell(input_name(w->file), "out of memory");
	return *classifier || !classify;
}

bool input_each_model(const struct input_wanted *wanted, input_model_fn *fn, void *ctx)
{
	struct rules *rules;
	struct classifier *classifier;
	bool again = wanted->intervals || (wanted->filter && wanted->filter->window);
	bool ok = load_rules(wanted, &rules, &classifier);
	struct models all = { .wanted = wanted, .classifier = classifier, .fn = fn, .ctx = ctx };

	if (again)
		trace_index_new(&all.index); /* all readers share this index */
	if (ok)
		ok = again ? each_again(&all) : input_each(wanted, true, one_model, &all);
	trace_index_free(all.index);
	classifier_free(classifier);
	rules_free(rules);
	return ok;
}
