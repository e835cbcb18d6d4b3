// SPDX-License-Identifier: BSD-2-Clause
#include "follow.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "input.h"

#define FOLLOW_RUN_NS 1000000000ull
#define FOLLOW_PENDING (1u << 20) /* number of bytes after which a frame of definitions ends */

/* Consecutive frames that cover a second or more. */
struct follow_run {
	uint64_t offset, seq;	    /* offset and seq of the first frame */
	uint64_t whole;		    /* number of TRACE_WHOLE records before the first frame */
	uint64_t first_ns, last_ns; /* last_ns 0: no frame has a time */
};

struct follow {
	char name[PATH_MAX];
	int fd, pipe; /* pipe is -1 if there is no pipe, or if it has ended */
	bool is_pipe; /* fd is a copy of the pipe, with `piped` bytes */
	uint64_t piped;
	struct trace_reader *r;
	/* offsets of the last and of the next frame; seq of the last frame */
	uint64_t frame, next, seq;

	int whole_fd;
	struct trace_writer *whole; /* HEADER and the TRACE_WHOLE records */
	uint64_t nwhole;

	struct follow_run *run;
	size_t n, room;
	unsigned int ncpus;
	struct trace_totals end; /* at_ns and why of END, if END was seen */
	char why[TRACE_MAX_STR];
	struct follow_status st;
	follow_fn *take; /* see follow_records(); or NULL */
	void *ctx;
};

/* ---- opening ----------------------------------------------------------------------------- */

static void follow_begin(struct follow *f, int fd, const char *name)
{
	*f = (struct follow){ .fd = fd,
			      .pipe = -1,
			      .whole_fd = -1,
			      .st.name = f->name,
			      .take = f->take,
			      .ctx = f->ctx };
	snprintf(f->name, sizeof(f->name), "%s", name);
}

static void follow_close(struct follow *f)
{
	trace_reader_free(f->r);
	trace_writer_free(f->whole);
	free(f->run);
	if (f->whole_fd >= 0)
		close(f->whole_fd);
	if (f->fd >= 0)
		close(f->fd);
	if (f->pipe >= 0)
		close(f->pipe);
}

struct follow *follow_new(const char *file)
{
	const char *dir = getenv("TMPDIR");
	struct follow *f = calloc(1, sizeof(*f));
	int fd = strcmp(file, "-") ? open(file, O_RDONLY | O_CLOEXEC) :
				     fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	struct stat st;

	if (f)
		follow_begin(f, fd, input_name(file));
	if (f && fd >= 0 && !fstat(fd, &st)) {
		if (S_ISREG(st.st_mode))
			return f;
		f->is_pipe = true;
		f->pipe = fd;
		f->fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		if (f->fd >= 0)
			return f;
	}
	tell(input_name(file), "cannot be followed: %s; give the trace of a running recording",
	     strerror(errno));
	follow_free(f);
	return NULL;
}

void follow_free(struct follow *f)
{
	if (f)
		follow_close(f);
	free(f);
}

void follow_records(struct follow *f, follow_fn *take, void *ctx)
{
	f->take = take;
	f->ctx = ctx;
}

/* ---- reading of new data ---- */

static void follow_end(struct follow *f, const char *why)
{
	snprintf(f->st.why, sizeof(f->st.why), "%s", why);
	f->st.ended = true;
}

/* Copies the data that is available in the pipe. Never waits. */
static void follow_take(struct follow *f)
{
	struct pollfd ready = { .fd = f->pipe, .events = POLLIN };
	char chunk[1 << 16];

	while (f->pipe >= 0 && poll(&ready, 1, 0) > 0) {
		ssize_t n = read(f->pipe, chunk, sizeof(chunk));

		if (n > 0 && pwrite(f->fd, chunk, (size_t)n, (off_t)f->piped) == n) {
			f->piped += (uint64_t)n;
			continue;
		}
		if (n > 0)
			follow_end(f, "the file system of $TMPDIR, or /tmp, is full");
		close(f->pipe);
		f->pipe = -1;
	}
}

static int follow_frame(struct follow *f, const struct trace_record *rec)
{
	uint64_t first_ns = trace_record_uint(rec, TRACE_FRAME_FIRST_NS, 0);
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0);
	struct follow_run *run = f->n ? &f->run[f->n - 1] : NULL;

	f->seq = trace_record_uint(rec, TRACE_FRAME_SEQ, 0);
	if (f->take)
		return 0;
	if (!run || run->last_ns - run->first_ns >= FOLLOW_RUN_NS) {
		if (array_reserve(&f->run, &f->room, f->n + 1, sizeof(*f->run)))
			return -ENOMEM;
		run = &f->run[f->n++];
		*run = (struct follow_run){ .offset = f->frame, .seq = f->seq, .whole = f->nwhole };
	}
	if (last_ns && (!run->last_ns || first_ns < run->first_ns))
		run->first_ns = first_ns;
	if (last_ns > run->last_ns)
		run->last_ns = last_ns;
	return 0;
}

static int follow_header(struct follow *f, const struct trace_record *rec)
{
	bool sampled = trace_record_uint(rec, TRACE_HEADER_SAMPLE_HZ, 0);

	f->ncpus = sampled ? trace_record_column(rec, TRACE_HEADER_CPUS).n : 0;
	f->st.start_ns = trace_record_uint(rec, TRACE_HEADER_START_NS, 0);
	f->st.tick_ns = trace_record_uint(rec, TRACE_HEADER_TICK_MS, 0) % 3600000 * 1000000;
	f->whole_fd = memfd_create("netcost-report", MFD_CLOEXEC);
	return f->whole_fd < 0 ? -errno : trace_writer_new(&f->whole, f->whole_fd, 0);
}

static int follow_put(struct trace_writer *w, const struct trace_record *rec)
{
	int err;

	trace_writer_begin(w, rec->type);
	for (unsigned int i = 0; i < rec->nfields; i++)
		trace_writer_field(w, &rec->field[i]);
	err = trace_writer_end(w);
	return err || trace_writer_pending(w) < FOLLOW_PENDING ? err : trace_writer_end_frame(w);
}

static int follow_see(struct follow *f, const struct trace_record *rec)
{
	uint64_t at_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, 0);
	int err = rec->type == TRACE_HEADER ? follow_header(f, rec) :
		  rec->type == TRACE_FRAME  ? follow_frame(f, rec) :
					      0;

	if (rec->type == TRACE_TICK) {
		f->st.first_ns = f->st.first_ns ? f->st.first_ns : at_ns;
		f->st.last_ns = at_ns > f->st.last_ns ? at_ns : f->st.last_ns;
	}
	if (rec->type == TRACE_END) {
		f->st.ended = true;
		f->end.at_ns = trace_record_uint(rec, TRACE_END_AT_NS, 0);
		f->end.why = trace_record_str(rec, TRACE_END_WHY, f->why, sizeof(f->why));
	}
	if (!err && f->take)
		return f->take(f->ctx, rec);
	if (err || trace_type_desc(rec->type)->of != TRACE_WHOLE || rec->type == TRACE_END ||
	    rec->type == TRACE_INDEX)
		return err;
	f->nwhole += rec->type != TRACE_HEADER;
	return follow_put(f->whole, rec);
}

/* Called by the reader for each frame: notes the offset of the frame whose records come next. */
static void follow_at(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content)
{
	(void)magic;
	(void)size;
	(void)content;
	((struct follow *)ctx)->frame = offset;
}

static int follow_reader(struct follow *f)
{
	const struct trace_watch watch = { .ctx = f, .frame = follow_at };
	int err;

	if (f->r)
		return trace_reader_go(f->r, f->next, f->seq + 1);
	err = lseek(f->fd, 0, SEEK_SET) < 0 ? -errno : trace_reader_new(&f->r, f->fd);
	if (!err)
		trace_reader_watch(f->r, &watch);
	return err;
}

/*
 * Finds the newest file of the recording. The names of files are STEM-TIME-NUMBER.EXTENSION, or the same with .part
 * appended. Returns true if that file is newer than the file `name`. glob() is not used, because it takes a "[" in the
 * name as a pattern. In addition, to expand "~", it adds 200 kB to a static program: the resolver and all name
 * services.
 */
static bool follow_find(const char *name, char newest[PATH_MAX])
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	const char *dash = strrchr(base, '-');
	size_t dir = (size_t)(base - name), stem;
	struct dirent *e;
	DIR *entries;

	dash = dash ? memrchr(base, '-', (size_t)(dash - base)) : NULL;
	if (!dash)
		return false;
	stem = (size_t)(dash + 1 - base);
	snprintf(newest, PATH_MAX, "%.*s", (int)dir, name);
	entries = opendir(dir ? newest : ".");
	snprintf(newest, PATH_MAX, "%s", name);
	while (entries && (e = readdir(entries)))
		if (!strncmp(e->d_name, base, stem) && strstr(e->d_name + stem, "Z-") &&
		    strcmp(e->d_name, newest + dir) > 0)
			snprintf(newest + dir, PATH_MAX - dir, "%s", e->d_name);
	if (entries)
		closedir(entries);
	return strcmp(newest, name);
}

/* Opens the newest file of the recording. Returns false if there is no newer one. */
static bool follow_newest(struct follow *f)
{
	char newest[PATH_MAX];
	int fd = follow_find(f->name, newest) ? open(newest, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	follow_close(f);
	follow_begin(f, fd, newest);
	return true;
}

/* Reads the new data of the current file. Returns true if another file follows. */
static bool follow_once(struct follow *f)
{
	const struct trace_status *st;
	struct trace_record rec;
	int err = follow_reader(f);

	while (!err && !f->st.ended && (err = trace_reader_next(f->r, &rec)) > 0)
		err = follow_see(f, &rec);
	st = f->r ? trace_reader_status(f->r) : NULL;
	if (st && st->problem == TRACE_EMPTY) {
		trace_reader_free(f->r);
		f->r = NULL;
		err = 0;
	} else if (st && st->problem) {
		f->next = st->offset;
	}
	if (err)
		follow_end(f, st && *st->what ? st->what : strerror(-err));
	else if (!f->st.ended && f->is_pipe && f->pipe < 0)
		follow_end(f, "the pipe was closed before the end of the recording");
	return !strcmp(f->why, reason_goes_on) && follow_newest(f);
}

const struct follow_status *follow_read(struct follow *f)
{
	follow_take(f);
	while (!f->st.ended && follow_once(f))
		;
	return &f->st;
}

/* ---- a part of the time ------------------------------------------------------------------ */

struct follow_copy {
	struct trace_writer *w;
	struct trace_totals totals;
};

static int follow_copy_frame(struct follow_copy *c, const struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0), v;
	int err = trace_writer_end_frame(c->w);

	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++)
		if (v != TRACE_NIL)
			trace_writer_lost(c->w, i, v);
	if (last_ns) {
		trace_writer_time(c->w, trace_record_uint(rec, TRACE_FRAME_FIRST_NS, last_ns));
		trace_writer_time(c->w, last_ns);
	}
	c->totals.at_ns = last_ns > c->totals.at_ns ? last_ns : c->totals.at_ns;
	return err;
}

static int follow_copy(struct follow_copy *c, const struct trace_record *rec)
{
	struct trace_totals *t = &c->totals;
	uint64_t *total = rec->type == TRACE_SAMPLES ? &t->samples :
			  rec->type == TRACE_SYMBOLS ? &t->symbols :
			  rec->type == TRACE_STACKS  ? &t->stacks :
			  rec->type == TRACE_TASKS   ? &t->tasks :
						       NULL;

	if (total)
		*total += trace_record_rows(rec);
	return follow_put(c->w, rec);
}

/* Copies the TRACE_WHOLE records with numbers from `from` to `to` - 1. HEADER precedes the first of these records. */
static int follow_copy_whole(struct follow *f, struct follow_copy *c, uint64_t from, uint64_t to)
{
	struct trace_reader *r = NULL;
	struct trace_record rec;
	uint64_t at = 0;
	int err = trace_writer_flush(f->whole);

	if (!err && lseek(f->whole_fd, 0, SEEK_SET) >= 0)
		err = trace_reader_new(&r, f->whole_fd);
	while (!err && (err = trace_reader_next(r, &rec)) > 0) {
		bool header = rec.type == TRACE_HEADER;

		err = 0;
		if (!header && at >= to)
			break;
		if (rec.type != TRACE_FRAME && (header ? !from : at >= from))
			err = follow_copy(c, &rec);
		at += !header && rec.type != TRACE_FRAME;
	}
	trace_reader_free(r);
	lseek(f->whole_fd, 0, SEEK_END);
	return err;
}

/* Copies the frames from the beginning of a run up to the offset `end`. */
static int follow_copy_frames(struct follow *f, struct follow_copy *c, const struct follow_run *run,
			      uint64_t end)
{
	struct trace_record rec;
	int err = trace_reader_go(f->r, run->offset, run->seq);

	while (!err && (err = trace_reader_next(f->r, &rec)) > 0) {
		err = 0;
		if (f->frame >= end || rec.type == TRACE_END)
			break;
		if (rec.type != TRACE_INDEX)
			err = rec.type == TRACE_FRAME ? follow_copy_frame(c, &rec) :
							follow_copy(c, &rec);
	}
	/* Damage at this offset is not an error here, because following has already ended at this damage. */
	return f->st.ended && trace_reader_status(f->r)->offset == f->next ? 0 : err;
}

static int follow_copy_all(struct follow *f, struct follow_copy *c, uint64_t from_ns,
			   uint64_t to_ns)
{
	/* cut_plan.c searches for ticks around a part with the same margin */
	uint64_t margin = 4 * f->st.tick_ns + 1000000000u;
	size_t i = 0, n = f->n;
	int err;

	while (i + 1 < n && f->run[i].last_ns + margin < from_ns)
		i++;
	while (n > i + 1 && f->run[n - 1].first_ns > to_ns + margin)
		n--;
	err = follow_copy_whole(f, c, 0, f->run[i].whole);
	if (!err)
		err = follow_copy_frames(f, c, &f->run[i],
					 n < f->n ? f->run[n].offset : UINT64_MAX);
	if (err || n == f->n)
		return err;
	err = trace_writer_end_frame(c->w);
	return err ? err : follow_copy_whole(f, c, f->run[n].whole, UINT64_MAX);
}

int follow_window(struct follow *f, uint64_t from_ns, uint64_t to_ns)
{
	struct follow_copy c = { .totals.why = reason_end_lost };
	int fd = f->n ? memfd_create("netcost-report", MFD_CLOEXEC) : -1;
	int err = fd < 0 ? -ENODATA : trace_writer_new(&c.w, fd, f->ncpus);

	if (!err)
		err = follow_copy_all(f, &c, from_ns, to_ns);
	if (f->end.at_ns) {
		c.totals.at_ns = f->end.at_ns;
		c.totals.why = f->end.why;
	}
	if (!err)
		err = trace_writer_finish(c.w, &c.totals);
	trace_writer_free(c.w);
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}
