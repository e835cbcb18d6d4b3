// SPDX-License-Identifier: BSD-2-Clause
#include "loop.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/base/child.h"
#include "record/base/clock.h"
#include "record/base/config.h"
#include "record/base/msg.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"

/*
 * A killed recorder loses what is not yet in a whole frame. A little below the second that is promised:
 * the frame has to be made and written, too, and a busy machine may let us wait.
 */
#define FLUSH_NS 900000000ull
#define CLOCK_NS 60000000000ull
#define PROGRESS_NS 500000000ull
/*
 * At once, for short recordings, and at the beginning of each period, a twentieth of it, in pieces that meet a load as
 * it is. The longer the recording, the fewer: to begin or end one, the kernel patches its own code.
 */
#define COUNT_SHARE 20
#define COUNT_FIRST_NS 600000000ull
#define COUNT_LONGEST_NS 3000000000ull

enum tag { TAG_RING, TAG_SIGNAL, TAG_CHILD, TAG_MARK };

struct loop {
	const struct config *cfg;
	int epoll_fd, signal_fd;
	sigset_t old_mask;
	struct child child;
	bool has_child, progress;
	uint64_t start;
};

static int add_fd(struct loop *l, int fd, uint64_t tag)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = tag };

	return epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

static int open_signals(struct loop *l)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &l->old_mask);
	signal(SIGPIPE, SIG_IGN); /* a reader that went away is an error of write(2) */
	l->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return l->signal_fd < 0 ? -errno : add_fd(l, l->signal_fd, TAG_SIGNAL);
}

static int open_child(struct loop *l)
{
	char why[512];
	int err;

	if (!l->cfg->command)
		return 0;
	err = child_check(l->cfg->command, why, sizeof(why));
	if (err) {
		msg("%s", why);
		return err;
	}
	err = child_new(&l->child, l->cfg->command, &l->old_mask, l->cfg->files,
			!strcmp(l->cfg->output, "-"));
	l->has_child = true;
	if (!err)
		err = add_fd(l, l->child.pidfd, TAG_CHILD);
	if (err)
		msg("cannot start %s: %s", l->cfg->command[0], strerror(-err));
	return err;
}

int loop_new(struct loop **lp, const struct config *cfg, struct sampler *sampler,
	     struct marks *marks)
{
	struct loop *l = calloc(1, sizeof(*l));
	int err;

	*lp = l;
	if (!l)
		return -ENOMEM;
	l->cfg = cfg;
	l->signal_fd = -1;
	l->progress = !cfg->quiet && isatty(STDERR_FILENO);
	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	err = l->epoll_fd < 0 ? -errno : open_signals(l);
	if (!err && sampler)
		err = sampler_poll_add(sampler, l->epoll_fd, TAG_RING);
	if (!err)
		err = marks_poll_add(marks, l->epoll_fd, TAG_MARK);
	if (err)
		msg("cannot wait for events: %s", strerror(-err));
	else
		err = open_child(l);
	if (err) {
		loop_free(l);
		*lp = NULL;
	}
	return err;
}

static void say_status(int status)
{
	if (status < 0)
		msg("the command did not end on SIGTERM and was left running");
	else if (WIFEXITED(status) && WEXITSTATUS(status))
		msg("the command ended with status %d", WEXITSTATUS(status));
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	if (l->has_child)
		say_status(child_end(&l->child));
	if (l->signal_fd >= 0)
		close(l->signal_fd);
	if (l->epoll_fd >= 0)
		close(l->epoll_fd);
	sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
	free(l);
}

/* ---- running ----------------------------------------------------------------------------- */

#define NEVER (UINT64_MAX / 2)

/* Something that comes round. */
struct timer {
	uint64_t due, period;
	int (*fn)(void *ctx);
	uint64_t longest; /* to what its period is doubled from time to time */
	struct timer *
		then; /* NULL, or what comes a share of the period behind it, however late it was */
};

static int run_timer(struct timer *t, uint64_t now, void *ctx)
{
	if (now < t->due)
		return 0;
	t->due += t->period;
	if (t->due <= now) /* we were held up: go on from here, do not catch up in a burst */
		t->due = now + t->period;
	if (t->then)
		t->then->due = now + t->period / COUNT_SHARE;
	if (t->period < t->longest)
		t->period = 2 * t->period < t->longest ? 2 * t->period : t->longest;
	return t->fn(ctx);
}

static int wait_ms(const struct timer *t, size_t n, uint64_t end, uint64_t now)
{
	uint64_t next = end;

	for (size_t i = 0; i < n; i++)
		if (t[i].due < next)
			next = t[i].due;
	if (next <= now)
		return 0;
	next = (next - now + 999999) / 1000000;
	return next > 60000 ? 60000 : (int)next;
}

static const char *signal_name(uint32_t signo)
{
	return signo == SIGINT ? "SIGINT" : signo == SIGHUP ? "SIGHUP" : "SIGTERM";
}

/* What came in: does a ring wait, does the user mark a moment, does something end the recording? */
struct arrival {
	bool ring, mark, call;
	const char *why;
};

static struct arrival look(struct loop *l, const struct epoll_event *ev, int n)
{
	struct signalfd_siginfo info;
	struct arrival a = { 0 };

	for (int i = 0; i < n; i++) {
		switch ((enum tag)ev[i].data.u64) {
		case TAG_RING:
			a.ring = true;
			break;
		case TAG_CHILD:
			a.why = "the command ended";
			break;
		case TAG_MARK:
			a.call = true;
			break;
		case TAG_SIGNAL:
			if (read(l->signal_fd, &info, sizeof(info)) != sizeof(info))
				break;
			if (info.ssi_signo == SIGUSR1)
				a.mark = true;
			else
				a.why = signal_name(info.ssi_signo);
			break;
		}
	}
	return a;
}

/*
 * With a tick, so that a cut trace has samples and counters up to the same moment; but not where frames
 * would be much shorter for it: what a frame says anew of its columns is a good part of a trace.
 */
static uint64_t flush_period(uint64_t tick)
{
	uint64_t ticks = FLUSH_NS / tick * tick;

	return ticks >= FLUSH_NS / 10 * 8 ? ticks : FLUSH_NS;
}

/* Sooner: what is recorded has begun before the loop, and where a host is busy, long before. */
static uint64_t first_flush(uint64_t flush, uint64_t tick)
{
	return flush % tick ? flush / 2 : flush / 2 / tick * tick;
}

static void show_progress(struct loop *l, const struct loop_hooks *hooks, uint64_t now)
{
	if (l->progress)
		hooks->progress(hooks->ctx, (double)(now - l->start) / 1e9);
}

int loop_run(struct loop *l, const struct loop_hooks *hooks, const char **why)
{
	uint64_t now = now_ns(), tick = l->cfg->tick_ms * 1000000ull;
	uint64_t end = l->cfg->duration_s ? now + l->cfg->duration_s * 1000000000ull : UINT64_MAX;
	uint64_t flush = flush_period(tick);
	struct timer timer[] = {
		{ now + tick, tick, hooks->tick, 0, NULL },
		{ now + first_flush(flush, tick), flush, hooks->flush, 0, NULL },
		{ now + CLOCK_NS, CLOCK_NS, hooks->clock, 0, NULL },
		{ now + COUNT_FIRST_NS, NEVER, hooks->uncount, 0, NULL },
		{ now + COUNT_SHARE * COUNT_FIRST_NS, 2 * COUNT_SHARE * COUNT_FIRST_NS,
		  hooks->count, COUNT_SHARE * COUNT_LONGEST_NS, &timer[3] },
	};
	const size_t ntimers = sizeof(timer) / sizeof(timer[0]);
	uint64_t shown = 0;
	int err = l->has_child ? child_go(&l->child) : 0;

	l->start = now;
	if (err)
		msg("cannot run %s: %s", l->cfg->command[0], strerror(-err));
	*why = NULL;
	while (!err && !*why) {
		struct epoll_event ev[16];
		struct arrival a;
		int n = epoll_wait(l->epoll_fd, ev, 16, wait_ms(timer, ntimers, end, now));

		if (n < 0 && errno != EINTR)
			err = -errno;
		a = look(l, ev, n);
		*why = a.why;
		if (!err && a.mark)
			err = hooks->mark(hooks->ctx);
		if (!err && a.call)
			err = hooks->call(hooks->ctx);
		if (!err && a.ring)
			err = hooks->ring(hooks->ctx);
		now = now_ns();
		for (size_t i = 0; i < ntimers && !err; i++)
			err = run_timer(&timer[i], now, hooks->ctx);
		if (!*why && now >= end)
			*why = "the time was over";
		if (now - shown >= PROGRESS_NS) {
			show_progress(l, hooks, now);
			shown = now;
		}
	}
	if (l->progress && shown)
		fputs("\r\033[K", stderr);
	return err;
}
