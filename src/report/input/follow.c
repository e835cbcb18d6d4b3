// SPDX-License-Identifier: BSD-2-Clause
#include "follow.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "input.h"

#define FOLLOW_RUNS 8192
#define FOLLOW_RUN_NS 1000000000ull /* length of a run; it doubles when there is no more room */
#define FOLLOW_PENDING (1u << 20)   /* bytes after which a frame of definitions ends */
#define FOLLOW_PART ".part"
#define FOLLOW_NAME (PATH_MAX + NAME_MAX + 2)

/* Consecutive frames. */
struct follow_run {
	uint64_t offset, seq;	    /* of the first one */
	uint64_t whole;		    /* number of TRACE_WHOLE records before it */
	uint64_t first_ns, last_ns; /* of all of them; last_ns 0: none has a time */
};

struct follow {
	char name[FOLLOW_NAME];
	int fd, pipe; /* pipe: -1: none, or it has ended */
	bool is_pipe; /* fd is an unnamed file with what has come from it: `piped` bytes */
	uint64_t piped;
	struct trace_reader *r;
	uint64_t frame, next, seq; /* offset of the last and the next frame; seq of the last one */

	int whole_fd;
	struct trace_writer *whole; /* HEADER and the TRACE_WHOLE records */
	uint64_t nwhole;
	unsigned int ncpus;

	struct follow_run run[FOLLOW_RUNS];
	size_t n;
	uint64_t run_ns;
	uint64_t end_ns; /* of END */
	char end_why[TRACE_MAX_STR];
	struct follow_status st;
};

/* ---- opening ----------------------------------------------------------------------------- */

static int follow_unnamed(void)
{
	const char *dir = getenv("TMPDIR");
	char path[PATH_MAX];
	int fd;

	dir = dir && *dir ? dir : "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || snprintf(path, sizeof(path), "%s/netcost-XXXXXX", dir) >= PATH_MAX)
		return fd;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static void follow_close(struct follow *f)
{
	trace_reader_free(f->r);
	trace_writer_free(f->whole);
	if (f->whole_fd >= 0)
		close(f->whole_fd);
	if (f->fd >= 0)
		close(f->fd);
}

static void follow_begin(struct follow *f, int fd, const char *name)
{
	*f = (struct follow){
		.fd = fd, .pipe = -1, .whole_fd = -1, .run_ns = FOLLOW_RUN_NS, .st.name = f->name
	};
	snprintf(f->name, sizeof(f->name), "%s", name);
}

struct follow *follow_new(const char *file)
{
	struct follow *f = calloc(1, sizeof(*f));
	int fd = strcmp(file, "-") ? open(file, O_RDONLY | O_CLOEXEC) :
				     fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	struct stat st = { .st_mode = 0 };

	if (f)
		follow_begin(f, fd, input_name(file));
	if (f && fd >= 0 && !fstat(fd, &st)) {
		if (S_ISREG(st.st_mode))
			return f;
		f->is_pipe = true;
		f->pipe = fd;
		f->fd = follow_unnamed();
		if (f->fd >= 0)
			return f;
	}
	tell(input_name(file), "cannot be followed: %s; name the trace of a recording that runs",
	     strerror(errno));
	follow_free(f);
	return NULL;
}

void follow_free(struct follow *f)
{
	if (!f)
		return;
	follow_close(f);
	if (f->pipe >= 0)
		close(f->pipe);
	free(f);
}

int follow_pipe(const struct follow *f)
{
	return f->pipe;
}

/* ---- what is new ------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void follow_end(struct follow *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->st.why, sizeof(f->st.why), fmt, ap);
	va_end(ap);
	f->st.ended = true;
}

/* Copies what the pipe has. Never waits. */
static void follow_take(struct follow *f)
{
	struct pollfd ready = { .fd = f->pipe, .events = POLLIN };
	char chunk[1 << 16];

	while (f->pipe >= 0 && poll(&ready, 1, 0) > 0) {
		ssize_t n = read(f->pipe, chunk, sizeof(chunk));

		if (n > 0 && pwrite(f->fd, chunk, (size_t)n, (off_t)f->piped) != n)
			follow_end(f, "no room for the pipe in $TMPDIR: %s", strerror(errno));
		if (n > 0 && !f->st.ended) {
			f->piped += (uint64_t)n;
			continue;
		}
		close(f->pipe);
		f->pipe = -1;
	}
}

/* Makes room for more runs: each two become one. */
static void follow_halve(struct follow *f)
{
	for (size_t i = 0; i < FOLLOW_RUNS / 2; i++) {
		struct follow_run a = f->run[2 * i], b = f->run[2 * i + 1];

		if (b.last_ns && (!a.last_ns || b.first_ns < a.first_ns))
			a.first_ns = b.first_ns;
		a.last_ns = b.last_ns > a.last_ns ? b.last_ns : a.last_ns;
		f->run[i] = a;
	}
	f->n = FOLLOW_RUNS / 2;
	f->run_ns *= 2;
}

static void follow_frame(struct follow *f, const struct trace_record *rec)
{
	uint64_t first_ns = trace_record_uint(rec, TRACE_FRAME_FIRST_NS, 0);
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0);
	struct follow_run *run = f->n ? &f->run[f->n - 1] : NULL;

	f->seq = trace_record_uint(rec, TRACE_FRAME_SEQ, 0);
	if (!run || run->last_ns - run->first_ns >= f->run_ns) {
		if (f->n == FOLLOW_RUNS)
			follow_halve(f);
		run = &f->run[f->n++];
		*run = (struct follow_run){ .offset = f->frame, .seq = f->seq, .whole = f->nwhole };
	}
	if (!last_ns || first_ns > last_ns)
		return;
	if (!run->last_ns || first_ns < run->first_ns)
		run->first_ns = first_ns;
	if (last_ns > run->last_ns)
		run->last_ns = last_ns;
}

static int follow_put(struct trace_writer *w, const struct trace_record *rec)
{
	trace_writer_begin(w, rec->type);
	for (unsigned int i = 0; i < rec->nfields; i++)
		trace_writer_field(w, &rec->field[i]);
	return trace_writer_end(w);
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

static void follow_tick(struct follow *f, uint64_t at_ns)
{
	if (!f->st.first_ns)
		f->st.first_ns = at_ns;
	if (at_ns > f->st.last_ns)
		f->st.last_ns = at_ns;
}

static bool follow_is_whole(const struct trace_record *rec)
{
	return trace_type_desc(rec->type)->of == TRACE_WHOLE && rec->type != TRACE_INDEX &&
	       rec->type != TRACE_END;
}

static void follow_see_end(struct follow *f, const struct trace_record *rec)
{
	f->st.ended = true;
	f->end_ns = trace_record_uint(rec, TRACE_END_AT_NS, 0);
	trace_record_str(rec, TRACE_END_WHY, f->end_why, sizeof(f->end_why));
}

static int follow_see(struct follow *f, const struct trace_record *rec)
{
	int err = 0;

	if (rec->type == TRACE_HEADER)
		err = follow_header(f, rec);
	else if (rec->type == TRACE_FRAME)
		follow_frame(f, rec);
	else if (rec->type == TRACE_TICK)
		follow_tick(f, trace_record_uint(rec, TRACE_TICK_AT_NS, 0));
	else if (rec->type == TRACE_END)
		follow_see_end(f, rec);
	if (err || !follow_is_whole(rec))
		return err;
	f->nwhole += rec->type != TRACE_HEADER;
	err = follow_put(f->whole, rec);
	return err || trace_writer_pending(f->whole) < FOLLOW_PENDING ?
		       err :
		       trace_writer_flush(f->whole);
}

/* A watch of the reader: where the frame is whose records come next. */
static void follow_at(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content)
{
	struct follow *f = ctx;

	(void)magic;
	(void)size;
	(void)content;
	f->frame = offset;
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

/* ---- the next file of a recording in several --------------------------------------------- */

/* Without FOLLOW_PART. Returns the length. */
static size_t follow_base(const char *name)
{
	size_t n = strlen(name), part = strlen(FOLLOW_PART);

	return n > part && !strcmp(name + n - part, FOLLOW_PART) ? n - part : n;
}

/* The length of what the names of all files have: "STEM" of STEM-TIME-NUMBER.EXTENSION; 0: none. */
static size_t follow_stem(const char *base)
{
	size_t n = strlen(base), dashes = 0;

	while (n && dashes < 2)
		dashes += base[--n] == '-';
	return n;
}

/* Opens the newest file of the recording after this one. */
static bool follow_newest(struct follow *f)
{
	char *slash = strrchr(f->name, '/'), best[NAME_MAX + 1] = "";
	const char *base = slash ? slash + 1 : f->name;
	size_t stem = follow_stem(base), n = follow_base(base);
	char path[FOLLOW_NAME], dir[PATH_MAX];
	struct dirent *e;
	DIR *d;
	int fd;

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - f->name) + 1 : 2,
		 slash ? f->name : "./");
	d = stem ? opendir(dir) : NULL;
	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, base, stem + 1) && follow_stem(e->d_name) == stem &&
		    follow_base(e->d_name) == n && strncmp(e->d_name, base, n) > 0 &&
		    strcmp(e->d_name, best) > 0)
			strcpy(best, e->d_name);
	if (d)
		closedir(d);
	snprintf(path, sizeof(path), "%s%s", slash ? dir : "", best);
	fd = *best ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	follow_close(f);
	follow_begin(f, fd, path);
	return true;
}

/* Returns whether another file follows. */
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
	} else if (st && st->problem) {
		f->next = st->offset;
	}
	if (err && (!st || f->r))
		follow_end(f, "%s", st && *st->what ? st->what : strerror(-err));
	if (!f->st.ended && f->is_pipe && f->pipe < 0)
		follow_end(f, "the pipe was closed before the end of the recording");
	return !strcmp(f->end_why, reason_goes_on) && follow_newest(f);
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
	unsigned int ncpus;
	struct trace_totals totals;
};

static int follow_copy_frame(struct follow_copy *c, const struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0), v;
	int err = trace_writer_flush(c->w);

	for (uint32_t i = 0; lost.n && trace_column_uint(&lost, &v); i++)
		if (v != TRACE_NIL)
			trace_writer_lost(c->w, i, v);
	if (!last_ns)
		return err;
	trace_writer_time(c->w, trace_record_uint(rec, TRACE_FRAME_FIRST_NS, last_ns));
	trace_writer_time(c->w, last_ns);
	c->totals.at_ns = last_ns > c->totals.at_ns ? last_ns : c->totals.at_ns;
	return err;
}

static int follow_copy(struct follow_copy *c, const struct trace_record *rec)
{
	struct trace_totals *t = &c->totals;
	uint32_t rows = trace_record_rows(rec);

	t->samples += rec->type == TRACE_SAMPLES ? rows : 0;
	t->symbols += rec->type == TRACE_SYMBOLS ? rows : 0;
	t->stacks += rec->type == TRACE_STACKS ? rows : 0;
	t->tasks += rec->type == TRACE_TASKS ? rows : 0;
	return follow_put(c->w, rec);
}

/* The TRACE_WHOLE records from `from` to before `to`; HEADER is before the first. */
static int follow_copy_whole(struct follow *f, struct follow_copy *c, uint64_t from, uint64_t to)
{
	struct trace_reader *r = NULL;
	struct trace_record rec;
	uint64_t at = 0;
	int err = trace_writer_flush(f->whole);

	if (!err)
		err = lseek(f->whole_fd, 0, SEEK_SET) < 0 ? -errno :
							    trace_reader_new(&r, f->whole_fd);
	while (!err && (err = trace_reader_next(r, &rec)) > 0) {
		bool header = rec.type == TRACE_HEADER;

		err = 0;
		if (!header && at >= to)
			break;
		if (rec.type == TRACE_FRAME)
			continue;
		if (header ? !from : at >= from)
			err = follow_copy(c, &rec);
		if (!err && trace_writer_pending(c->w) >= FOLLOW_PENDING)
			err = trace_writer_flush(c->w);
		at += !header;
	}
	trace_reader_free(r);
	if (lseek(f->whole_fd, 0, SEEK_END) < 0 && !err)
		err = -errno;
	return err;
}

/* The frames from that run on, up to the offset. */
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
	/* The damage that following ended at. */
	return f->st.ended && trace_reader_status(f->r)->offset == f->next ? 0 : err;
}

static int follow_copy_all(struct follow *f, struct follow_copy *c, uint64_t from_ns,
			   uint64_t to_ns)
{
	/* As cut_plan.c looks for ticks around a part. */
	uint64_t margin = 4 * f->st.tick_ns + 1000000000u, end, whole;
	size_t i = 0, n = f->n;
	int err;

	while (i + 1 < n && f->run[i].last_ns + margin < from_ns)
		i++;
	while (n > i + 1 && f->run[n - 1].first_ns > to_ns + margin)
		n--;
	end = n < f->n ? f->run[n].offset : UINT64_MAX;
	whole = n < f->n ? f->run[n].whole : f->nwhole;
	err = follow_copy_whole(f, c, 0, f->run[i].whole);
	if (!err)
		err = follow_copy_frames(f, c, &f->run[i], end);
	if (!err && whole < f->nwhole)
		err = trace_writer_flush(c->w);
	if (!err && whole < f->nwhole)
		err = follow_copy_whole(f, c, whole, f->nwhole);
	return err;
}

int follow_window(struct follow *f, uint64_t from_ns, uint64_t to_ns)
{
	struct follow_copy c = { .totals.why = reason_end_lost };
	int fd = f->n ? memfd_create("netcost-report", MFD_CLOEXEC) : -1;
	int err = fd < 0 ? -ENODATA : trace_writer_new(&c.w, fd, f->ncpus);

	if (!err)
		err = follow_copy_all(f, &c, from_ns, to_ns);
	if (f->end_ns) {
		c.totals.at_ns = f->end_ns;
		c.totals.why = f->end_why;
	}
	if (!err)
		err = trace_writer_finish(c.w, &c.totals);
	trace_writer_free(c.w);
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}
