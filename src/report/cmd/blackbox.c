// SPDX-License-Identifier: BSD-2-Clause
/*
 * The child of netcost-record --ring (include/netcost/blackbox.h): keeps the last pieces of a recording, reads them as
 * they grow, and writes a trace around a mark. When the condition of a trigger is true, this process asks the recorder
 * to add a mark, so the cause of each trace is a mark in it.
 */
#include "command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/blackbox.h>
#include <netcost/fd_pass.h>
#include <netcost/units.h>

#include "report/analysis/trigger.h"
#include "report/base/confine.h"
#include "report/input/follow.h"
#include "report/rules/rules.h"

#define BLACKBOX_EACH_MS 500  /* interval between two readings of the trace */
#define BLACKBOX_WRITER_MS 50 /* shorter interval while a trace is written, to notice its end */
#define BLACKBOX_NAME 32

struct blackbox_piece {
	int fd;
	uint64_t start_ns, last_ns; /* times of HEADER and of the last tick */
	uint64_t bytes;
	bool held; /* the process that writes a trace has this piece open, too */
};

struct blackbox {
	uint64_t keep_ns, memory, before_ns, after_ns, cooldown_ns;
	struct classifier *classifier;
	struct trigger trigger;
	struct intervals intervals;
	struct model *m;
	struct follow *f; /* of the last piece */

	struct blackbox_piece *piece;
	size_t n, room;
	uint64_t held; /* bytes of discarded pieces that the writer has open */
	pid_t writer; /* process that writes a trace; 0: no trace is written; -1: no process could be started */
	uint64_t cause_ns;   /* time of the mark for which a trace will be written; 0: none */
	uint64_t written_ns; /* time of the mark for which the last trace was written; 0: none */
	uint64_t ignored;    /* number of causes that were ignored: blackbox_rests() */
	uint64_t lost_ns; /* time of the last tick that was discarded for lack of memory; 0: none */
	/* the recorder has not yet answered BLACKBOX_MARK, BLACKBOX_TURN, BLACKBOX_OPEN */
	bool asked, turned, opens;
	bool ended;
};

static uint64_t blackbox_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UNITS_SECOND + (uint64_t)t.tv_nsec;
}

static void blackbox_send(enum blackbox_message what, const char *text)
{
	char message[BLACKBOX_MOST];
	int n = snprintf(message, sizeof(message), "%c%s", what, text);

	send(STDIN_FILENO, message, (size_t)n, MSG_NOSIGNAL);
}

/* ---- reading ------------------------------------------------------------------------------ */

static int blackbox_see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

/* Resets the model and the trigger, because each piece is a separate trace. */
static int blackbox_begin(struct blackbox *b)
{
	model_free(b->m);
	b->m = model_new(b->trigger.latency ? MODEL_LATENCY : 0, b->classifier);
	if (!b->m)
		return -ENOMEM;
	model_set_see(b->m, blackbox_see, &b->intervals);
	intervals_begin(&b->intervals);
	trigger_begin(&b->trigger, &b->intervals);
	return 0;
}

/* Returns true if a cause is ignored, because a trace for another cause is about to be written or was just written. */
static bool blackbox_rests(const struct blackbox *b, uint64_t at_ns)
{
	return b->cause_ns || (b->written_ns && at_ns < b->written_ns + b->cooldown_ns);
}

static void blackbox_mark(struct blackbox *b, uint64_t at_ns)
{
	b->asked = false;
	if (blackbox_rests(b, at_ns))
		b->ignored++;
	else
		b->cause_ns = at_ns;
}

static void blackbox_look_at_trigger(struct blackbox *b)
{
	if (!*b->trigger.holds)
		return;
	if (blackbox_rests(b, blackbox_now())) {
		b->ignored++;
	} else if (!b->asked) {
		blackbox_send(BLACKBOX_MARK, b->trigger.holds);
		b->asked = true;
	}
	*b->trigger.holds = '\0';
}

static int blackbox_take(void *ctx, const struct trace_record *rec)
{
	struct blackbox *b = ctx;
	int err = rec->type == TRACE_HEADER ? blackbox_begin(b) : 0;

	if (!err && b->trigger.n)
		err = model_feed(b->m, rec);
	if (!err && b->trigger.n && rec->type == TRACE_END)
		err = intervals_see(&b->intervals, b->m, NULL);
	if (rec->type == TRACE_MARK)
		blackbox_mark(b, trace_record_uint(rec, TRACE_MARK_AT_NS, 0));
	if (b->intervals.closed)
		intervals_forget(&b->intervals);
	blackbox_look_at_trigger(b);
	return err;
}

/* Reads the records that were added to the last piece. Returns false on an error, which is reported. */
static bool blackbox_read(struct blackbox *b)
{
	struct blackbox_piece *last = b->n ? &b->piece[b->n - 1] : NULL;
	const struct follow_status *st;
	struct stat size;

	if (!last)
		return true;
	st = follow_read(b->f);
	last->start_ns = st->start_ns;
	last->last_ns = st->last_ns;
	last->bytes = fstat(last->fd, &size) ? 0 : (uint64_t)size.st_blocks * 512;
	if (!st->ended || !*st->why)
		return true;
	tell("--ring", "cannot read the recording: %s", b->m && *b->m->err ? b->m->err : st->why);
	return false;
}

/* ---- pieces ------------------------------------------------------------------------------- */

static uint64_t blackbox_sum(const struct blackbox *b, size_t first, size_t end)
{
	uint64_t bytes = 0;

	for (size_t i = first; i < end; i++)
		bytes += b->piece[i].bytes;
	return bytes;
}

static uint64_t blackbox_bytes(const struct blackbox *b)
{
	return b->held + blackbox_sum(b, 0, b->n);
}

/* Returns the start of the time range whose pieces are kept. */
static uint64_t blackbox_from(const struct blackbox *b)
{
	uint64_t to_ns = b->cause_ns ? b->cause_ns : b->n ? b->piece[b->n - 1].last_ns : 0;
	uint64_t back_ns = b->cause_ns ? b->before_ns : b->keep_ns;

	return to_ns > back_ns ? to_ns - back_ns : 0;
}

/*
 * Discards the oldest pieces: those that are no longer needed, and those that exceed the memory limit. The memory of a
 * discarded piece is not freed while the writer has the piece open, so more pieces may be discarded until the writer
 * ends.
 */
static void blackbox_trim(struct blackbox *b)
{
	while (b->n > 1 && !b->opens) {
		bool old = b->piece[0].last_ns <= blackbox_from(b);

		if (!old && blackbox_bytes(b) <= b->memory)
			return;
		if (!old && !b->lost_ns && b->keep_ns != UINT64_MAX)
			tell("--ring",
			     "%.3g MiB of memory cannot hold the requested time, so the oldest data is discarded; raise --max-memory",
			     (double)b->memory / (double)UNITS_MIB);
		if (!old)
			b->lost_ns = b->piece[0].last_ns;
		b->held += b->piece[0].held ? b->piece[0].bytes : 0;
		close(b->piece[0].fd);
		b->n--;
		memmove(b->piece, b->piece + 1, b->n * sizeof(*b->piece));
	}
}

/* Reads the last piece to its end, then adds a piece. Returns false on an error, which was reported. */
static bool blackbox_add(struct blackbox *b, int fd)
{
	char name[BLACKBOX_NAME];

	if (!blackbox_read(b) || array_reserve(&b->piece, &b->room, b->n + 1, sizeof(*b->piece)))
		return false;
	follow_free(b->f);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	b->f = follow_new(name);
	if (!b->f)
		return false;
	follow_records(b->f, blackbox_take, b);
	b->piece[b->n++] = (struct blackbox_piece){ .fd = fd };
	b->turned = false;
	return true;
}

/* ---- traces ------------------------------------------------------------------------------- */

/*
 * Writes the time range around the cause, from tick to tick, to fd. The range lies in the n complete pieces that begin
 * with `first`. Runs in a child process.
 */
static enum exit_status blackbox_cut(const struct blackbox *b, size_t first, size_t n, int fd)
{
	uint64_t start_ns = b->piece[first].start_ns, from_ns = blackbox_from(b);
	uint64_t to_ns = b->cause_ns + b->after_ns;
	char(*name)[BLACKBOX_NAME] = calloc(n, sizeof(*name));
	const char **file = calloc(n, sizeof(*file));
	struct options o = { .output = "-", .quiet = true };
	enum exit_status status = EXIT_DONE;

	if (!name || !file)
		return EXIT_FAILED;
	for (size_t i = 0; i < n; i++) {
		snprintf(name[i], sizeof(name[i]), "/proc/self/fd/%d", b->piece[first + i].fd);
		file[i] = name[i];
	}
	if (n > 1)
		status = joined_stdin(file, n, 0);
	o.file = n > 1 ? "-" : file[0];
	if (from_ns > start_ns)
		o.filter.from = (struct time_arg){ TIME_SINCE_START, from_ns - start_ns, NULL };
	if (to_ns <= b->piece[first + n - 1].last_ns)
		o.filter.to = (struct time_arg){ TIME_SINCE_START, to_ns - start_ns, NULL };
	return status || dup2(fd, STDOUT_FILENO) < 0 ? EXIT_FAILED : cut_run(&o);
}

/*
 * Of n complete pieces, returns the first piece that the writer gets. The writer gets all pieces that are needed, but
 * at most three quarters of the memory. The memory of these pieces stays in use until the writer ends. The recording
 * goes on, so the remaining memory has room for the piece that is being written, and for the next piece.
 */
static size_t blackbox_first(struct blackbox *b, size_t n)
{
	size_t first = 0;

	while (first + 1 < n && b->piece[first].last_ns <= blackbox_from(b))
		first++;
	for (; first + 1 < n && blackbox_sum(b, first, n) > b->memory / 4 * 3; first++)
		b->lost_ns = b->piece[first].last_ns;
	return first;
}

/* In the writer: closes the pieces that it does not need, so that it does not keep their memory. */
static void blackbox_leave(const struct blackbox *b, size_t first, size_t n)
{
	follow_free(b->f);
	for (size_t i = 0; i < b->n; i++)
		if (i < first || i >= n)
			close(b->piece[i].fd);
}

static void blackbox_write(struct blackbox *b, int fd)
{
	size_t n = b->n - !b->ended, first = n ? blackbox_first(b, n) : 0;
	pid_t pid = -1;

	if (!n)
		tell("--ring",
		     "no complete piece of the recording is left, so no trace is written");
	else if (b->lost_ns > blackbox_from(b))
		tell("--ring",
		     "%.3g MiB cannot hold the requested time before the cause, so the trace begins later; raise --max-memory",
		     (double)b->memory / (double)UNITS_MIB);
	if (n && fd >= 0)
		pid = fork();
	if (!pid) {
		blackbox_leave(b, first, n);
		_exit((int)blackbox_cut(b, first, n - first, fd));
	}
	for (size_t i = first; i < n; i++)
		b->piece[i].held = pid > 0;
	if (fd >= 0)
		close(fd);
	b->writer = pid;
	b->written_ns = b->cause_ns;
	b->cause_ns = 0;
	b->opens = false;
}

/* If the process that writes a trace has ended, reports its result to the recorder. Does not block. */
static void blackbox_look_at_writer(struct blackbox *b)
{
	int status = -1;

	if (!b->writer || (b->writer > 0 && !waitpid(b->writer, &status, WNOHANG)))
		return;
	b->writer = 0;
	b->held = 0;
	for (size_t i = 0; i < b->n; i++)
		b->piece[i].held = false;
	blackbox_send(status ? BLACKBOX_FAILED : BLACKBOX_DONE, "");
}

/*
 * Once the time after the cause has passed, asks the recorder first to begin another piece, then to open a file for the
 * trace.
 */
static void blackbox_go(struct blackbox *b)
{
	uint64_t due_ns = b->cause_ns + b->after_ns;
	bool complete = b->ended || (b->n > 1 && b->piece[b->n - 2].last_ns >= due_ns);

	if (!b->cause_ns || b->opens || b->writer || (!b->ended && blackbox_now() < due_ns))
		return;
	if (complete) {
		blackbox_send(BLACKBOX_OPEN, "");
		b->opens = true;
	} else if (!b->turned) {
		blackbox_send(BLACKBOX_TURN, "");
		b->turned = true;
	}
}

/* ---- messages ----------------------------------------------------------------------------- */

/*
 * Receives a message. Sets *fd to the descriptor sent with the message, or -1. Returns the first byte of the message,
 * or 0 if the recorder has ended.
 */
static int blackbox_receive(int *fd)
{
	char text[BLACKBOX_MOST];

	return fd_receive(STDIN_FILENO, text, sizeof(text), fd) > 0 ? *text : 0;
}

/* Handles a message. Returns false if the recorder has ended, or on an error, which was reported. */
static bool blackbox_hear(struct blackbox *b)
{
	int fd, what = blackbox_receive(&fd);

	if (what == BLACKBOX_PIECE)
		return blackbox_add(b, fd);
	if (what == BLACKBOX_OPEN)
		blackbox_write(b, fd);
	if (what == BLACKBOX_END) {
		b->ended = true;
		return blackbox_read(b);
	}
	return what;
}

static bool blackbox_run(struct blackbox *b)
{
	struct pollfd ready = { .fd = STDIN_FILENO, .events = POLLIN };
	bool ok = true;

	blackbox_send(BLACKBOX_READY, "");
	while (ok && !(b->ended && !b->cause_ns && !b->writer)) {
		int wait_ms = b->writer ? BLACKBOX_WRITER_MS : BLACKBOX_EACH_MS;

		ok = poll(&ready, 1, wait_ms) <= 0 || blackbox_hear(b);
		ok = ok && blackbox_read(b);
		blackbox_look_at_writer(b);
		blackbox_trim(b);
		blackbox_go(b);
	}
	if (b->asked)
		tell("--ring",
		     "a --trigger condition was true when the recording ended; no trace was written for it");
	if (b->ignored)
		tell("--ring", "%s ignored during the cooldown, so no separate trace was written",
		     COUNT(b->ignored, "cause"));
	return b->ended;
}

/* argv: the five settings, times in ns and memory in bytes, then the triggers. */
int blackbox_main(char **argv)
{
	struct blackbox b = { .keep_ns = strtoull(argv[0], NULL, 10),
			      .memory = strtoull(argv[1], NULL, 10),
			      .before_ns = strtoull(argv[2], NULL, 10),
			      .after_ns = strtoull(argv[3], NULL, 10),
			      .cooldown_ns = strtoull(argv[4], NULL, 10) };
	struct rules *rules = rules_load(NULL);
	char why[1024];
	bool ok = false;

	b.classifier = rules ? classifier_new(rules) : NULL;
	b.intervals.grows = true;
	b.intervals.second = &b.trigger.watch;
	if (trigger_init(&b.trigger, argv[5], why, sizeof(why)) == -EINVAL)
		tell("--trigger", "%s", why);
	else if (b.classifier) {
		/* joined_stdin() joins pieces in a temporary file */
		confine(CONFINE_WRITES | CONFINE_REMOVES);
		ok = blackbox_run(&b);
	}
	follow_free(b.f);
	model_free(b.m);
	intervals_free(&b.intervals);
	trigger_free(&b.trigger);
	for (size_t i = 0; i < b.n; i++)
		close(b.piece[i].fd);
	free(b.piece);
	classifier_free(b.classifier);
	rules_free(rules);
	return ok ? EXIT_DONE : EXIT_FAILED;
}
