// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report bugreport: what someone else needs to see what happened, in one file that may be sent: everything in it is
 * made from the scrubbed trace, so that no name of the host gets in on another way.
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

#include "cmd_verify.h"
#include "command.h"
#include "copy_files.h"
#include "models.h"
#include "pages.h"
#include "report/base/archive.h"
#include "report/base/tell.h"
#include "report/input/input.h"
#include "report/rewrite/scrub.h"
#include "report/tables/summary_doc.h"

#define FOLDER "netcost-bugreport/"
#define TRACE "trace.nct"
#define PAGES 16

struct bugreport_options {
	struct config common;
	bool quiet;
};

/* A file of the report, in memory. */
struct piece {
	char name[32];
	const char *what;
	char *text;
	size_t n;
	FILE *out; /* while it is written */
};

enum { README, SUMMARY, VERIFY, PAGE, PIECES = PAGE + PAGES };

struct bugreport {
	const struct config *cfg;
	int fd; /* the scrubbed trace: a file without a name, so that no signal leaves it behind; -1: none */
	char scrubbed[32]; /* by which it is opened again */
	uint64_t size;
	const char *original; /* what verify says of it */
	struct pages pages;
	struct piece piece[PIECES];
	unsigned int parts;
};

/* ---- pieces ------------------------------------------------------------------------------ */

static FILE *begin_piece(struct piece *p, const char *name, const char *what)
{
	snprintf(p->name, sizeof(p->name), "%s", name);
	p->what = what;
	p->out = open_memstream(&p->text, &p->n);
	return p->out;
}

/* ok: so far. */
static bool end_piece(struct piece *p, bool ok)
{
	FILE *out = p->out;

	p->out = NULL;
	if (!out)
		return false;
	ok = !ferror(out) && ok;
	return !fclose(out) && ok;
}

static void free_pieces(struct bugreport *b)
{
	for (size_t i = 0; i < PIECES; i++) {
		end_piece(&b->piece[i], false);
		free(b->piece[i].text);
	}
}

static bool no_memory(const struct bugreport *b)
{
	tell(b->cfg->operand[0], "out of memory");
	return false;
}

/* ---- the trace --------------------------------------------------------------------------- */

/* Its name is gone at once: it is read more than once, by what the kernel calls the descriptor. */
static bool make_file(struct bugreport *b)
{
	const char *dir = getenv("TMPDIR");
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/netcost-XXXXXX", dir && *dir ? dir : "/tmp");
	b->fd = mkostemp(name, O_CLOEXEC);
	if (b->fd < 0) {
		tell(name, "cannot write: %s; TMPDIR says where else", strerror(errno));
		return false;
	}
	unlink(name);
	snprintf(b->scrubbed, sizeof(b->scrubbed), "/proc/self/fd/%d", b->fd);
	return true;
}

static bool scrub(struct bugreport *b)
{
	struct scrub *s = scrub_new(0, b->cfg->memory);
	const struct copy_input in = {
		b->cfg->operand[0],
		{ .edit = scrub_edit, .ctx = s, .memory = b->cfg->memory, .derived = reason_scrub }
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

/* ---- verify's word ----------------------------------------------------------------------- */

static enum exit_status verify(struct bugreport *b, const char *file, const char *name, FILE *out)
{
	const struct part part = { .alone = true, .first = true };
	struct doc d = doc_begin(&doc_text, out, &part);
	enum exit_status status;
	struct input in;

	if (!input_open(&in, file, b->cfg->memory))
		return EXIT_FAILED;
	in.name = name;
	status = verify_input(&d, &in, false);
	doc_end(&d);
	input_close(&in);
	return status;
}

/* Its words may have names in them: only the user gets them. */
static void verify_original(struct bugreport *b)
{
	struct piece said = { .what = "" };
	FILE *out = begin_piece(&said, "", "");
	enum exit_status status = out ? verify(b, b->cfg->operand[0], b->cfg->operand[0], out) :
					EXIT_FAILED;

	b->original = status == EXIT_DONE ? "ok" :
		      status == EXIT_CUT  ? "cut off: the end is missing" :
					    "damaged, or not as the format says";
	if (end_piece(&said, true) && status)
		fprintf(stderr, "%s", said.text);
	free(said.text);
}

static bool add_verify(struct bugreport *b)
{
	struct piece *p = &b->piece[VERIFY];
	FILE *out = begin_piece(p, "verify.txt", "what verify says of " TRACE);

	if (!out)
		return no_memory(b);
	verify(b, b->scrubbed, TRACE, out);
	fprintf(out, "the trace that it was made from: %s\n", b->original);
	return end_piece(p, true) || no_memory(b);
}

/* ---- reports ----------------------------------------------------------------------------- */

static bool add_page(struct bugreport *b, const struct summary *s)
{
	struct piece *p = &b->piece[PAGE + b->parts - 1];
	char name[sizeof(p->name)] = "page.html";
	struct page page;
	FILE *out;

	if (b->parts > 1)
		snprintf(name, sizeof(name), "page-%u.html", b->parts);
	out = begin_piece(p, name, "the same as a page for a browser, with more in it");
	page = pages_page(&b->pages, out, s);
	return out && end_piece(p, page_write(&page));
}

/* One part. */
static bool add_reports(void *ctx, const struct model *m, const struct part *part)
{
	struct bugreport *b = ctx;
	const struct summary_shown all = { .all = true };
	struct doc d = doc_begin(&doc_text, b->piece[SUMMARY].out, part);
	struct summary s = { 0 };
	bool ok;

	if (summary_make(&s, m, part))
		return no_memory(b);
	ok = !summary_doc(&d, &s, &all);
	doc_end(&d);
	if (b->parts++ < PAGES)
		ok = add_page(b, &s) && ok;
	summary_free(&s);
	return ok || no_memory(b);
}

static bool make_reports(struct bugreport *b)
{
	struct piece *p = &b->piece[SUMMARY];
	const struct trace_options none = { .part = NULL };
	struct filter filter;
	const struct input_wanted wanted = { .file = b->scrubbed,
					     .name = TRACE,
					     .memory = b->cfg->memory,
					     .keep = PAGE_KEEP,
					     .filter = &filter,
					     .intervals = &b->pages.intervals };
	bool ok;

	if (!begin_piece(p, "summary.txt", "what summary --all says of " TRACE))
		return no_memory(b);
	pages_init(&b->pages, 0);
	ok = filter_parse(&filter, &none) && input_each_model(&wanted, add_reports, b);
	filter_free(&filter);
	pages_free(&b->pages);
	return end_piece(p, ok);
}

/* ---- what is in it ----------------------------------------------------------------------- */

static void list(FILE *out, const char *name, uint64_t size, const char *what)
{
	fprintf(out, "  %-12s %10" PRIu64 " bytes  %s\n", name, size, what);
}

static bool add_readme(struct bugreport *b)
{
	static const char *const replaced[] = {
#define X(NAME, name, prefix, doc) doc,
		TRACE_PRIVATE(X)
#undef X
	};
	struct piece *p = &b->piece[README];
	FILE *out = begin_piece(p, "README.txt", "this list");

	if (!out)
		return no_memory(b);
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
	fprintf(out, "\nThe trace that it was made from is: %s.\n", b->original);
	fprintf(out, "\nReplaced, by others or by numbers, before anything else was made:\n\n");
	for (size_t i = 0; i < sizeof(replaced) / sizeof(*replaced); i++)
		fprintf(out, "  %s\n", replaced[i]);
	fprintf(out,
		"\nStill there: the kernel's version and how it is set, the CPU's model, names of "
		"the kernel's\nfunctions and modules, drivers, and all times and counts.\n");
	return end_piece(p, true) || no_memory(b);
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

/* Asked before the work, and again where the file gets its name: nothing is ever overwritten. */
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
	ok = file.given || !fchmod(file.fd, 0600); /* as private as a recording is */
	ok = ok && put_all(b, out);
	if (!ok && !ferror(out))
		tell(name, "cannot be made: out of memory, or a file of it is too large");
	return command_end(&file, out, name, ok);
}

/* ---- command ----------------------------------------------------------------------------- */

static void tell_done(const struct bugreport *b, const char *out)
{
	if (strcmp(b->original, "ok"))
		tell(b->cfg->operand[0], "%s; the report is about what is sound of it",
		     b->original);
	tell(out,
	     "written; look at it before you send it (tar --zstd -xf): README.txt lists what is in it");
}

static enum exit_status run(const struct config *cfg)
{
	const struct bugreport_options *o = (const struct bugreport_options *)cfg;
	struct bugreport *b = calloc(1, sizeof(*b));
	const char *out = cfg->operand[1];
	enum exit_status status = EXIT_FAILED;

	if (!b) {
		tell(out, "out of memory");
		return EXIT_FAILED;
	}
	b->cfg = cfg;
	b->fd = -1;
	if (!strcmp(cfg->operand[0], "-"))
		tell("stdin", "is read more than once; give a file");
	else if (!exists(out) && scrub(b)) {
		verify_original(b);
		if (make_reports(b) && add_verify(b) && add_readme(b))
			status = write_archive(b, out);
	}
	if (status == EXIT_DONE && !o->quiet)
		tell_done(b, out);
	if (b->fd >= 0)
		close(b->fd);
	free_pieces(b);
	free(b);
	return status;
}

static const struct opt_desc opts[] = {
	OPT_MEMORY,
	OPT_QUIET(struct bugreport_options, "do not report what was written"),
};

const struct command command_bugreport = {
	.name = "bugreport",
	.help = "one file to send: the scrubbed trace, its summary and page, what verify says",
	.run = run,
	COMMAND_OPTIONS(struct bugreport_options, opts),
	.operands = "TRACE OUT.tar.zst",
	.min = 2,
	.max = 2,
};
