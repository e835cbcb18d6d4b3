// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report html: writes all reports as one page for a browser. netcost-report bugreport:
 * writes an archive that can be sent to others to show what happened. Everything in the archive is
 * made from the scrubbed trace, so that it cannot contain a name of the host.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/version.h>

#include "command.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes.h"
#include "report/analysis/accuracy.h"
#include "report/base/outfile.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/page/page.h"
#include "report/rewrite/rewrite.h"
#include "report/tables/tables.h"

/* ---- pages ------------------------------------------------------------------------------- */

/* Data that a page needs in addition to a model. */
struct pages {
	struct intervals intervals; /* intervals that are filled with the model */
	/*
	 * Intervals for the report `accuracy`, which are filled at the same time. In a windowed
	 * recording they also begin and end with windows.
	 */
	struct intervals of_bins;
	struct accuracy_bins bins;
	struct process_times times;
	struct tail_seen tail;
};

/*
 * Prepares the data. every_ns: length of a row of the timeline; 0 for the default. The structure
 * must not move afterwards.
 */
static void pages_init(struct pages *p, uint64_t every_ns)
{
	intervals_init(&p->intervals, every_ns);
	accuracy_bins_init(&p->bins);
	intervals_init(&p->of_bins, every_ns);
	p->of_bins.window_ticks = true;
	p->of_bins.watch = &p->bins.watch;
	p->intervals.also = &p->of_bins;
	process_times_init(&p->times);
	p->intervals.second = &p->times.pieces.watch;
	tail_seen_init(&p->tail);
	p->times.pieces.watch.more = &p->tail.watch;
	p->intervals.wants_rx = true; /* the charts need it */
	if (!every_ns)
		p->intervals.most = p->of_bins.most = PAGE_TIMELINE_ROWS;
}

static void pages_free(struct pages *p)
{
	intervals_free(&p->intervals);
	intervals_free(&p->of_bins);
	accuracy_bins_free(&p->bins);
	process_times_free(&p->times);
	tail_seen_free(&p->tail);
}

/* Returns the page to write, with charts. */
static struct page pages_page(const struct pages *p, FILE *out, const struct summary *s)
{
	return (struct page){ .out = out,
			      .s = s,
			      .m = s->m,
			      .part = s->part,
			      .intervals = &p->intervals,
			      .bins = &p->bins,
			      .times = &p->times,
			      .tail = &p->tail,
			      .of = { .leaves = PAGE_STACKS },
			      .charts = true };
}

/* ---- html -------------------------------------------------------------------------------- */

struct html {
	const struct options *o;
	struct pages pages;
	unsigned int written;
};

static bool write_page(const struct html *h, const struct summary *s)
{
	bool idle = h->o->idle || h->o->only;
	struct outfile file;
	struct page page;
	struct chosen only;
	FILE *out;
	bool ok;

	if (options_choose(h->o, s->m, s->part, idle ? LEAF_ALL : PAGE_STACKS, &only))
		return false;
	out = command_open(&file, h->o->output);
	if (!out)
		return false;
	page = pages_page(&h->pages, out, s);
	page.charts = !h->o->no_charts;
	page.icicle = h->o->icicle;
	page.idle = h->o->idle;
	page.only = h->o->only ? only.title : NULL;
	page.of = only.of;
	ok = page_write(&page);
	if (!ok)
		tell(PART_TITLE(s->part), "out of memory");
	if (command_end(&file, out, h->o->output, ok))
		return false;
	command_wrote(h->o);
	return true;
}

static bool write_part(void *ctx, const struct model *m, const struct part *part)
{
	struct html *h = ctx;
	struct summary s;
	bool ok;

	if (!models_is_first(&h->written, part, "show"))
		return false;
	if (summary_make(&s, m, part)) {
		tell(PART_TITLE(part), "out of memory");
		return false;
	}
	ok = write_page(h, &s);
	summary_free(&s);
	return ok;
}

enum exit_status html_run(const struct options *o)
{
	struct html h = { .o = o };
	enum exit_status status;

	if (!command_is_named(o, ".html"))
		return EXIT_USAGE;
	pages_init(&h.pages, o->every_ns);
	status = models_each(o, o->file, PAGE_KEEP, &h.pages.intervals, write_part, &h);
	pages_free(&h.pages);
	return status;
}

/* ---- bugreport: its files ----------------------------------------------------------- */

#define FOLDER "netcost-bugreport/"
#define TRACE "trace.nct"
#define PAGES 16

enum { README, ORIGINAL, SUMMARY, VERIFY, PAGE, PIECES = PAGE + PAGES };

/* A file of the bug report, in memory. The piece ORIGINAL is shown to the user, and is not in the archive. */
struct piece {
	char name[32];
	const char *what;
	char *text;
	size_t n;
};

struct bugreport {
	const struct options *o;
	/* descriptor of the scrubbed trace, which is unlinked so that no file is left after a signal; -1: none */
	int fd;
	char scrubbed[32]; /* path in /proc by which the scrubbed trace is opened */
	uint64_t size;
	const char *original; /* output of verify for the original trace */
	struct pages pages;
	struct piece piece[PIECES];
	unsigned int parts;
	FILE *summary;		 /* the summary, open while it is written */
	const struct summary *s; /* summary of the current part */
};

static bool no_memory(const struct bugreport *b)
{
	tell(b->o->file, "out of memory");
	return false;
}

/* Writes a file of the bug report. Returns false on an error, which is reported. */
typedef bool piece_fn(struct bugreport *b, FILE *out);

static bool add_piece(struct bugreport *b, unsigned int i, const char *name, const char *what,
		      piece_fn *fill)
{
	struct piece *p = &b->piece[i];
	FILE *out = open_memstream(&p->text, &p->n);
	bool ok, written;

	if (!out)
		return no_memory(b);
	snprintf(p->name, sizeof(p->name), "%s", name);
	p->what = what;
	ok = fill(b, out);
	written = !ferror(out);
	written = !fclose(out) && written;
	return ok && (written || no_memory(b));
}

/* ---- the trace --------------------------------------------------------------------------- */

/*
 * Makes the file of the scrubbed trace and unlinks it at once. The file is read several times,
 * through its path in /proc.
 */
static bool make_file(struct bugreport *b)
{
	const char *dir = getenv("TMPDIR");
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/netcost-XXXXXX", dir && *dir ? dir : "/tmp");
	b->fd = mkostemp(name, O_CLOEXEC);
	if (b->fd < 0) {
		tell(name, "cannot write: %s; set TMPDIR to another folder", strerror(errno));
		return false;
	}
	unlink(name);
	snprintf(b->scrubbed, sizeof(b->scrubbed), "/proc/self/fd/%d", b->fd);
	return true;
}

static bool scrub(struct bugreport *b)
{
	struct scrub *s = scrub_new(0, b->o->memory);
	const struct copy_input in = {
		b->o->file,
		{ .edit = scrub_edit, .ctx = s, .memory = b->o->memory, .derived = reason_scrub }
	};
	struct stat st = { 0 };
	bool ok = s && make_file(b) && copy_to_fd(&in, 1, b->fd, "the scrubbed copy");

	if (!s)
		no_memory(b);
	scrub_free(s);
	ok = ok && !stat(b->scrubbed, &st);
	b->size = (uint64_t)st.st_size;
	return ok;
}

/* ---- output of verify --------------------------------------------------------------- */

static enum exit_status verify(struct bugreport *b, const char *file, const char *name, FILE *out)
{
	const struct part part = { .alone = true, .first = true };
	struct doc d = doc_begin(&doc_text, out, &part);
	enum exit_status status;
	struct input in;

	if (!input_open(&in, file, b->o->memory))
		return EXIT_FAILED;
	in.name = name;
	status = verify_input(&d, &in, false);
	doc_end(&d);
	input_close(&in);
	return status;
}

static bool fill_original(struct bugreport *b, FILE *out)
{
	enum exit_status status = verify(b, b->o->file, b->o->file, out);

	b->original = status == EXIT_DONE ? "ok" :
		      status == EXIT_CUT  ? "cut off at the end" :
					    "damaged, or invalid";
	return true;
}

/* Verifies the original trace. The output may contain names, so only the user sees it. */
static bool verify_original(struct bugreport *b)
{
	bool ok = add_piece(b, ORIGINAL, "", "", fill_original);

	if (ok && strcmp(b->original, "ok"))
		fputs(b->piece[ORIGINAL].text, stderr);
	return ok;
}

static bool fill_verify(struct bugreport *b, FILE *out)
{
	verify(b, b->scrubbed, TRACE, out);
	fprintf(out, "state of the original trace: %s\n", b->original);
	return true;
}

/* ---- reports ----------------------------------------------------------------------------- */

static bool fill_page(struct bugreport *b, FILE *out)
{
	const struct page page = pages_page(&b->pages, out, b->s);

	return page_write(&page) || no_memory(b);
}

static bool add_page(struct bugreport *b)
{
	char name[sizeof(b->piece->name)] = "page.html";

	if (b->parts > 1)
		snprintf(name, sizeof(name), "page-%u.html", b->parts);
	return add_piece(b, PAGE + b->parts - 1, name,
			 "the same summary as a page for a browser, with more details", fill_page);
}

/* Adds the reports of one part. */
static bool add_reports(void *ctx, const struct model *m, const struct part *part)
{
	struct bugreport *b = ctx;
	const struct summary_shown all = { .all = true };
	struct doc d = doc_begin(&doc_text, b->summary, part);
	struct summary s = { 0 };
	bool ok;

	if (summary_make(&s, m, part))
		return no_memory(b);
	ok = !summary_doc(&d, &s, &all) || no_memory(b);
	doc_end(&d);
	b->s = &s;
	if (b->parts++ < PAGES)
		ok = add_page(b) && ok;
	summary_free(&s);
	return ok;
}

/* Writes the summary, and makes the pages at the same time. */
static bool fill_summary(struct bugreport *b, FILE *out)
{
	const struct filter all = { .window = false };
	const struct input_wanted wanted = { .file = b->scrubbed,
					     .name = TRACE,
					     .memory = b->o->memory,
					     .keep = PAGE_KEEP,
					     .ask = view_use_types,
					     .filter = &all,
					     .intervals = &b->pages.intervals };
	bool ok;

	b->summary = out;
	pages_init(&b->pages, 0);
	ok = input_each_model(&wanted, add_reports, b);
	pages_free(&b->pages);
	return ok;
}

/* ---- list of contents --------------------------------------------------------------- */

static void list(FILE *out, const char *name, uint64_t size, const char *what)
{
	fprintf(out, "  %-12s %10" PRIu64 " bytes  %s\n", name, size, what);
}

static bool fill_readme(struct bugreport *b, FILE *out)
{
	static const char *const replaced[] = {
#define X(NAME, name, prefix, doc) doc,
		TRACE_PRIVATE(X)
#undef X
	};

	fprintf(out,
		"A report about a recording of netcost, made by netcost-report " NETCOST_VERSION
		".\n\nIn it are:\n\n");
	list(out, TRACE, b->size, "the recording, without private names");
	for (size_t i = SUMMARY; i < PIECES; i++)
		if (b->piece[i].text)
			list(out, b->piece[i].name, b->piece[i].n, b->piece[i].what);
	if (b->parts > PAGES)
		fprintf(out, "\nThe recording has %u parts; only the first %u have a page.\n",
			b->parts, PAGES);
	fprintf(out, "\nState of the original trace: %s.\n", b->original);
	fprintf(out,
		"\nThese names were replaced with other names or numbers before the other files were made:\n\n");
	for (size_t i = 0; i < sizeof(replaced) / sizeof(*replaced); i++)
		fprintf(out, "  %s\n", replaced[i]);
	fprintf(out,
		"\nNot replaced: kernel version and settings, CPU model, names of kernel functions and\nmodules, drivers, and all times and counts.\n");
	return true;
}

/* ---- the archive ------------------------------------------------------------------------- */

static bool put_piece(struct archive *a, const struct piece *p)
{
	char name[64];

	snprintf(name, sizeof(name), FOLDER "%s", p->name);
	if (!archive_file(a, name, p->n))
		return false;
	archive_write(a, p->text, p->n);
	return true;
}

static bool put_trace(struct archive *a, const struct bugreport *b)
{
	FILE *in = fopen(b->scrubbed, "re");
	bool ok = in && archive_file(a, FOLDER TRACE, b->size);
	char buf[65536];
	size_t n;

	while (ok && (n = fread(buf, 1, sizeof(buf), in)) > 0)
		archive_write(a, buf, n);
	ok = ok && !ferror(in);
	if (in)
		fclose(in);
	return ok;
}

static bool put_all(const struct bugreport *b, FILE *out)
{
	struct archive *a = archive_new(out);
	bool ok = a && put_piece(a, &b->piece[README]) && put_trace(a, b);

	for (size_t i = SUMMARY; ok && i < PIECES; i++)
		if (b->piece[i].text)
			ok = put_piece(a, &b->piece[i]);
	ok = ok && archive_end(a);
	archive_free(a);
	return ok;
}

/*
 * Returns true if the output exists. This is checked before the work and again when the archive gets its name, so that
 * an existing file is never overwritten.
 */
static bool exists(const char *out)
{
	struct stat st;
	bool there = strcmp(out, "-") && !lstat(out, &st);

	if (there)
		tell(out, "exists; remove it, or write to another file");
	return there;
}

static enum exit_status write_archive(const struct bugreport *b, const char *name)
{
	struct outfile file;
	FILE *out = command_open(&file, name);
	bool ok;

	if (!out)
		return EXIT_FAILED;
	file.fresh = true;
	ok = file.given || !fchmod(file.fd, 0600); /* the archive is private, as a recording is */
	ok = ok && put_all(b, out);
	if (!ok && !ferror(out))
		tell(name, "cannot be written: out of memory, or one of its files is too large");
	return command_end(&file, out, name, ok);
}

/* ---- command ----------------------------------------------------------------------------- */

static void tell_done(const struct bugreport *b, const char *out)
{
	if (strcmp(b->original, "ok"))
		tell(b->o->file, "%s; the report covers the intact part", b->original);
	tell(out,
	     "written; inspect the archive before you send it (tar --zstd -xf): README.txt lists its files");
}

static bool add_pieces(struct bugreport *b)
{
	return add_piece(b, SUMMARY, "summary.txt", "output of summary --all for " TRACE,
			 fill_summary) &&
	       add_piece(b, VERIFY, "verify.txt", "output of verify for " TRACE, fill_verify) &&
	       add_piece(b, README, "README.txt", "this list", fill_readme);
}

enum exit_status bugreport_run(const struct options *o)
{
	struct bugreport *b = calloc(1, sizeof(*b));
	const char *out = o->output;
	enum exit_status status = EXIT_FAILED;

	if (!command_is_named(o, ".tar.zst")) {
		free(b);
		return EXIT_USAGE;
	}
	if (!b) {
		tell(out, "out of memory");
		return EXIT_FAILED;
	}
	b->o = o;
	b->fd = -1;
	if (!strcmp(o->file, "-"))
		tell("stdin", "is read more than once, so it cannot be a pipe; give a file");
	else if (!exists(out) && scrub(b) && verify_original(b) && add_pieces(b))
		status = write_archive(b, out);
	if (status == EXIT_DONE && !o->quiet)
		tell_done(b, out);
	if (b->fd >= 0)
		close(b->fd);
	for (size_t i = 0; i < PIECES; i++)
		free(b->piece[i].text);
	free(b);
	return status;
}
