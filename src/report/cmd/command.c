// SPDX-License-Identifier: BSD-2-Clause
/*
 * Code that commands share: models of a file, the output file, and reports as text, JSON and CSV.
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/options.h>
#include <netcost/text_append.h>

#include "report/analysis/summary.h"
#include "report/base/outfile.h"
#include "report/base/text.h"
#include "report/rules/rules.h"
#include "report/stacks/stacks.h"
#include "report/tables/tables.h"

unsigned int word_index(option_word word)
{
	return word ? word - 1 : 0;
}

bool options_select(const struct options *o)
{
	return o->filter.cpus.n || filter_has_tasks(&o->filter);
}

/* Returns a key that the user may have meant, or NULL. */
static const char *only_nearest(const struct rules *r, const char *word)
{
	struct options_near near = { .word = word };
	const char *leaf = NULL, *begins = NULL;

	for (unsigned int i = 0; i < LEAF_NODES + (r ? r->ncategories : 0); i++) {
		const char *to = i < LEAF_NODES ? leaf_node[i].key :
						  r->category[i - LEAF_NODES].key;

		if (i < LEAF_NODES && *word && !leaf &&
		    (strcasestr(to, word) || strcasestr(leaf_node[i].title, word)))
			leaf = to;
		if (*word && !begins && !strncasecmp(to, word, strlen(word)))
			begins = to;
		options_near_look(&near, to);
	}
	return leaf ? leaf : begins ? begins : near.near;
}

char *only_error(char *dst, size_t size, const struct rules *r, const char *list)
{
	const struct rules_item item = rules_find(r, list);
	char word[RULES_MAX_TITLE + 1], keys[120] = "";
	const char *nearest;

	snprintf(word, sizeof(word), "%.*s", (int)item.len, list);
	*dst = '\0';
	if (!item.n) {
		nearest = only_nearest(r, word);
		text_append(dst, size, "",
			    "--only: '%.*s' is not a category%s%s; the command rules lists them",
			    (int)(item.len < 100 ? item.len : 100), list,
			    nearest ? "; the nearest is " : "", nearest ? nearest : "");
		return dst;
	}
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (!strcasecmp(r->category[i].title, word))
			text_append(keys, sizeof(keys), ", ", "%s", r->category[i].key);
	text_append(dst, size, "", "--only: several categories have the title '%s'; give a key: %s",
		    word, keys);
	return dst;
}

void only_explain(const struct rules *r, const char *list)
{
	while (list) {
		const struct rules_item item = rules_find(r, list);
		char word[RULES_MAX_TITLE + 1];

		snprintf(word, sizeof(word), "%.*s", (int)item.len, list);
		for (unsigned int i = 0; item.n == 1 && !item.leaves && i < LEAF_NODES; i++)
			if (strcasestr(leaf_node[i].title, word))
				fprintf(stderr,
					"netcost-report: --only: '%s' selects %s, a part of %s; for %s: %s\n",
					word, SAFE(item.title),
					leaf_desc[r->category[item.category].leaf].title,
					leaf_node[i].title, leaf_node[i].key);
		list = rules_next_item(list, &item);
	}
}

/* Reads the rules before any trace is read. Returns an error message, or NULL. */
const char *only_wrong(const struct options *o)
{
	static char wrong[300];
	bool chosen[RULES_MAX_CATEGORIES] = { false };
	char title[sizeof(((struct chosen *)NULL)->title)];
	struct rules *r = o->only ? rules_load(o->rules) : NULL;
	const char *item = r ? rules_choose(r, o->only, chosen, title, sizeof(title)) : NULL;

	if (item)
		only_error(wrong, sizeof(wrong), r, item);
	else if (r)
		only_explain(r, o->only);
	rules_free(r);
	return item ? wrong : !r && o->only ? "--only needs a readable rules file" : NULL;
}

int options_choose(const struct options *o, const struct model *m, const struct part *part,
		   unsigned int leaves, struct chosen *c)
{
	struct summary s = { 0 };
	int err;

	*c = (struct chosen){ .of = { .leaves = leaves } };
	if (!o->only || !m->classes)
		return 0;
	err = summary_make(&s, m, part);
	if (err)
		return err;
	c->of.categories = c->category;
	rules_choose(classifier_rules(m->classes->classifier), o->only, c->category, c->title,
		     sizeof(c->title) - 60);
	text_append(c->title, sizeof(c->title), "", " only: %s %% of %s",
		    PERCENT(inside_share(&s.inside, &s.split.all, c->category), 0),
		    flamegraph_widths(m));
	summary_free(&s);
	return 0;
}

/* ---- output ------------------------------------------------------------------------------ */

bool command_to_stdout(const char *name)
{
	return !name || !strcmp(name, "-");
}

FILE *command_open(struct outfile *o, const char *name)
{
	int err = outfile_open(o, name, 0666), fd;
	FILE *out = NULL;

	if (!err && o->given)
		return stdout;
	if (!err) {
		fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 0);
		out = fd < 0 ? NULL : fdopen(fd, "w");
		err = out ? 0 : -errno;
		if (err && fd >= 0)
			close(fd);
	}
	if (!err)
		return out;
	outfile_close(o, false);
	tell(name, "cannot write: %s; %s", strerror(-err),
	     err == -ENXIO ? "the pipe has no reader: start one first" : "check the path");
	return NULL;
}

enum exit_status command_close(FILE *out, const char *name)
{
	bool failed = ferror(out);

	errno = 0;
	if (!fclose(out) && !failed) {
		pager_end();
		return EXIT_DONE;
	}
	tell(name ? name : "stdout", "cannot write: %s; make room, or write elsewhere",
	     errno ? strerror(errno) : "an earlier write failed");
	return EXIT_FAILED;
}

enum exit_status command_end(struct outfile *o, FILE *out, const char *name, bool ok)
{
	enum exit_status status = command_close(out, out == stdout ? NULL : name);
	int err = outfile_close(o, ok && !status);

	if (err)
		tell(name, "cannot write: %s; check the path", strerror(-err));
	return ok && !status && !err ? EXIT_DONE : EXIT_FAILED;
}

bool command_is_named(const struct options *o, const char *ending)
{
	static const char *const endings[] = { ".svg",	".png", ".pdf", ".jpg",
					       ".html", ".zip", ".gz" };
	const char *dot = command_to_stdout(o->output) ? NULL : strrchr(o->output, '.');

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(*endings); i++)
		if (!strcmp(dot, endings[i]) && strcmp(dot, ending)) {
			tell(o->output, "has the wrong ending; give a name that ends in %s",
			     ending);
			return false;
		}
	return true;
}

void command_wrote(const struct options *o)
{
	struct stat st;

	if (o->quiet || command_to_stdout(o->output) || stat(o->output, &st) ||
	    !S_ISREG(st.st_mode))
		return;
	fprintf(stderr, "netcost-report: wrote %s: %s KB\n", SAFE(o->output),
		NUM(ceil((double)st.st_size / 1000), 0));
}

void command_tell_unknown(const char *command, const char *what, const char *given,
			  const char *const *names)
{
	fprintf(stderr, "netcost-report: %s: '%s' is not a %s; there are:", command, given, what);
	for (size_t i = 0; names[i]; i++)
		fprintf(stderr, "%s %s", i ? "," : "", names[i]);
	fputc('\n', stderr);
}

/* ---- models ------------------------------------------------------------------------------ */

enum exit_status models_each(const struct options *o, const char *file, unsigned int keep,
			     struct intervals *intervals, input_model_fn *fn, void *ctx)
{
	const struct input_wanted wanted = { .file = file,
					     .memory = o->memory,
					     .select = o->part,
					     .rules = o->rules,
					     .keep = keep,
					     .ask = o->ask,
					     .filter = &o->filter,
					     .intervals = intervals };

	return input_each_model(&wanted, fn, ctx) ? EXIT_DONE : EXIT_FAILED;
}

enum exit_status models_empty(enum exit_status (*fn)(void *ctx, const struct model *empty),
			      void *ctx)
{
	struct rules *rules = rules_load(NULL);
	struct classifier *classifier = rules ? classifier_new(rules) : NULL;
	struct model *empty = classifier ? model_new(0, classifier) : NULL;
	enum exit_status status = EXIT_FAILED;

	if (empty)
		status = fn(ctx, empty);
	else
		tell("netcost-report", "out of memory");
	model_free(empty);
	classifier_free(classifier);
	rules_free(rules);
	return status;
}

bool models_is_first(unsigned int *seen, const struct part *part, const char *verb)
{
	if (++*seen == 2)
		tell(part->file, "holds several traces: select the one to %s with --part", verb);
	return *seen == 1;
}

int intervals_tell_too_many(const struct part *part)
{
	tell(PART_TITLE(part),
	     "has too many ticks for one row per tick; set longer intervals with --every");
	return -ECANCELED;
}

bool intervals_fit(const struct intervals *iv, const struct part *part)
{
	if (iv->too_many)
		intervals_tell_too_many(part);
	else if (!iv->n)
		tell(PART_TITLE(part), "has fewer than two ticks, so it has no intervals to show");
	else
		return true;
	return false;
}

/* ---- data collected in addition to the model ---------------------------------------- */

bool options_view(const struct options *o, struct view *v, struct view_order *order, char *err)
{
	*err = '\0';
	*order = (struct view_order){ .rows = o->rows };
	return view_make(v, o->by) &&
	       view_order_parse(order, v, o->by_names, o->sort_name, err, VIEW_WRONG);
}

static void collect_view(struct view_times *t, const struct options *o, struct intervals *iv)
{
	struct view_order order;
	struct view v;
	char err[VIEW_WRONG];

	if (!o->every_ns || !options_view(o, &v, &order, err))
		return;
	view_times_init(t, &v, &order);
	iv->second = &t->pieces.watch;
}

union collected *collected_new(enum collect what, const struct options *o, struct intervals *iv)
{
	union collected *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	switch (what) {
	case COLLECT_NOTHING:
		break;
	case COLLECT_BINS:
		accuracy_bins_init(&c->bins);
		iv->watch = &c->bins.watch;
		iv->window_ticks = true;
		break;
	case COLLECT_LATENCY:
		latency_times_init_merged(&c->latency_times, o->latency);
		iv->second = &c->latency_times.pieces.watch;
		break;
	case COLLECT_LATENCY_TIMES:
		latency_times_init(&c->latency_times, LATENCY_ALL);
		iv->second = &c->latency_times.pieces.watch;
		break;
	case COLLECT_LATENCY_BY_TIMES:
		latency_times_init(&c->latency_times, word_index(o->by));
		iv->second = &c->latency_times.pieces.watch;
		break;
	case COLLECT_LATENCY_MAP:
		latency_history_init(&c->latency_map, MODEL_STORE_LATENCY, LATENCY_MAP_EACH);
		iv->second = &c->latency_map.watch;
		break;
	case COLLECT_PROCESS_TIMES:
		process_times_init(&c->process_times);
		iv->second = &c->process_times.pieces.watch;
		break;
	case COLLECT_TAIL:
		tail_seen_init(&c->tail);
		iv->second = &c->tail.watch;
		break;
	case COLLECT_VIEW:
		collect_view(&c->view_times, o, iv);
		break;
	}
	return c;
}

void collected_free(enum collect what, union collected *c)
{
	if (!c)
		return;
	switch (what) {
	case COLLECT_NOTHING:
		break;
	case COLLECT_BINS:
		accuracy_bins_free(&c->bins);
		break;
	case COLLECT_LATENCY:
	case COLLECT_LATENCY_TIMES:
	case COLLECT_LATENCY_BY_TIMES:
		latency_times_free(&c->latency_times);
		break;
	case COLLECT_LATENCY_MAP:
		latency_history_free(&c->latency_map);
		break;
	case COLLECT_PROCESS_TIMES:
		process_times_free(&c->process_times);
		break;
	case COLLECT_TAIL:
		tail_seen_free(&c->tail);
		break;
	case COLLECT_VIEW:
		view_times_free(&c->view_times);
		break;
	}
	free(c);
}

/* ---- reports ----------------------------------------------------------------------------- */

const char *const report_formats[] = { "text", "json", "csv", NULL };

struct job {
	const struct report *report;
	const struct options *options;
	char *path; /* path of the table that CSV prints */
	struct intervals intervals;
	union collected *collected;
	unsigned int printed; /* number of the file's parts that had data for the report */
};

/* Returns false if out of memory. */
static bool job_begin(struct job *job)
{
	bool text = !job->options->format || job->options->format == REPORT_TEXT;

	intervals_init(&job->intervals, job->options->every_ns);
	if (text && !job->options->every_ns)
		job->intervals.most = job->report->rows;
	job->collected = collected_new(job->report->collect, job->options, &job->intervals);
	return job->collected;
}

static void job_end(struct job *job)
{
	intervals_free(&job->intervals);
	collected_free(job->report->collect, job->collected);
}

static int job_build(const struct job *job, struct doc *d, const struct model *m)
{
	const struct report_part p = { .m = m,
				       .part = d->part,
				       .intervals = &job->intervals,
				       .options = job->options,
				       .collected = job->collected };

	return job->report->build(d, &p);
}

static int build_empty(struct doc *d, const struct model *empty, const struct report *r,
		       const struct options *o)
{
	struct job job = { .report = r, .options = o };
	int err = job_begin(&job) ? job_build(&job, d, empty) : -ENOMEM;

	job_end(&job);
	return err;
}

int report_describe(struct doc *d, const struct model *empty, const struct report *r)
{
	const struct options options = { .by = r->by };

	return build_empty(d, empty, r, &options);
}

static enum exit_status find_table(void *ctx, const struct model *empty)
{
	const struct job *job = ctx;
	const struct part part = { .file = "", .alone = true, .first = true };
	struct doc_tables tables;
	struct doc d = doc_begin_tables(&part, &tables);
	const char *path;

	if (build_empty(&d, empty, job->report, job->options)) {
		tell("--table", "out of memory");
		return EXIT_FAILED;
	}
	path = doc_tables_find(&tables, job->options->table);
	if (path) {
		snprintf(job->path, JSON_PATH, "%s", path);
		return EXIT_DONE;
	}
	fprintf(stderr, "netcost-report: --table: '%s' is not one of ", job->options->table);
	doc_tables_print(&tables, stderr);
	fputs(", or " REPORT_ALL "\n", stderr);
	return EXIT_USAGE;
}

enum exit_status report_table(const struct report *r, const struct options *o, char path[JSON_PATH])
{
	const char *table = o->table ? o->table : r->csv;

	*path = '\0';
	if (!table || !strcmp(table, REPORT_ALL))
		return EXIT_DONE;
	if (o->table)
		return models_empty(find_table,
				    &(struct job){ .report = r, .options = o, .path = path });
	snprintf(path, JSON_PATH, "%s", table);
	return EXIT_DONE;
}

static struct doc begin_format(option_word format, const char *table, const struct part *part)
{
	if (!format || format == REPORT_TEXT)
		return doc_begin(&doc_text, stdout, part);
	if (format == REPORT_JSON)
		return doc_begin(&doc_json, stdout, part);
	return *table ? doc_begin_csv(stdout, part, table) : doc_begin_flat(stdout, part);
}

struct doc report_begin(const struct report *r, const struct options *o, const char *table,
			const struct part *part)
{
	struct doc d = begin_format(o->format, table, part);

	if (!r->verbatim) {
		if (d.renderer->is == DOC_TEXT && !o->no_pager)
			pager_begin();
		d.wide = o->wide;
		d.terminal = terminal_of_stdout(o->color);
	}
	return d;
}

bool report_end(struct doc *d, const struct options *o)
{
	bool lacks = o->table && d->csv_table && !d->csv_seen;

	doc_end(d);
	if (lacks)
		tell(PART_TITLE(d->part),
		     "has no data for --table=%s: it was not recorded, or another option is needed",
		     d->csv_table);
	return !lacks;
}

/* Returns what the trace lacks for the report, or NULL if it has all data. */
static const char *find_lack(const struct job *job, const struct model *m, char *buf)
{
	const struct report *r = job->report;
	const char *lacks = r->lacks_for ? r->lacks_for(m, job->options, buf) : NULL;

	return !lacks && r->lacks ? r->lacks(m, buf) : lacks;
}

static bool print_report(void *ctx, const struct model *m, const struct part *part)
{
	struct job *job = ctx;
	const struct report *r = job->report;
	struct part shown = *part;
	char buf[LACKS_SIZE];
	const char *lacks = find_lack(job, m, buf);
	struct doc d;
	int err;

	if (lacks) {
		tell(PART_TITLE(part), "%s", lacks);
		return true;
	}
	if (r->intervals && !intervals_fit(&job->intervals, part))
		return false;
	shown.first = !job->printed; /* the headings of CSV precede the first part with data */
	d = report_begin(r, job->options, job->path, &shown);
	err = job_build(job, &d, m);
	job->printed += report_end(&d, job->options);
	if (err == -ENOMEM)
		tell(PART_TITLE(part), "out of memory");
	return !err;
}

enum exit_status report_run(const struct report *r, const struct options *o)
{
	char path[JSON_PATH];
	struct job job = { .report = r, .options = o, .path = path };
	enum exit_status status = report_table(r, o, path);

	if (status)
		return status;
	if (job_begin(&job)) {
		bool wanted = r->intervals || job.intervals.second;

		status = models_each(o, o->file, r->keep, wanted ? &job.intervals : NULL,
				     print_report, &job);
	} else {
		tell(input_name(o->file), "out of memory");
	}
	job_end(&job);
	if (!status && !job.printed)
		status = EXIT_FAILED;
	return command_close(stdout, NULL) ? EXIT_FAILED : status;
}
