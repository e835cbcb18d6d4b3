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

#include <netcost/reasons.h>

#include "record/base/child.h"
#include "record/base/clock.h"
#include "record/base/config.h"
#include "record/base/listen.h"
#include "record/base/live.h"
#include "record/base/msg.h"
#include "record/intern/cgroups.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"
#include "session_impl.h"

/* Interval of writing frames. A recorder that is killed loses the data that is not yet in a complete frame. */
#define FLUSH_NS 1000000000ull
#define CLOCK_NS 60000000000ull
#define PROGRESS_NS 500000000ull
/*
 * BPF statistics are on during the first twentieth of each period. For short recordings, the statistics are also on
 * from the start. The intervals are short, so that they see a typical load. Periods grow during a long recording,
 * because the kernel patches its own code at each change.
 */
#define COUNT_SHARE 20
#define COUNT_FIRST_NS 100000000ull
#define COUNT_NEXT_NS 500000000ull
#define COUNT_PERIOD_NS 1000000000ull
#define COUNT_LONGEST_NS 4000000000ull
#define COUNT_LOOK_NS 100000000ull

enum tag {
	TAG_RING,
	TAG_SIGNAL,
	TAG_CHILD,
	TAG_MARK,
	TAG_OUTPUT,
	TAG_POST,
	TAG_BIRTH,
	TAG_LIVE,
	TAG_LISTEN,
	TAG_BLACKBOX
};

struct loop {
	struct session *session;
	int epoll_fd, signal_fd;
	sigset_t old_mask;
	struct child child, server; /* server: of metrics */
	bool has_child, serves, progress, signalled;
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
	if (session_has_ring(l->session))
		sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &l->old_mask);
	/* ignored: write(2) returns an error if the reader has ended or a limit of ulimit(1) is reached */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	l->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return l->signal_fd < 0 ? -errno : add_fd(l, l->signal_fd, TAG_SIGNAL);
}

static int open_child(struct loop *l)
{
	const struct config *cfg = l->session->cfg;
	char why[512];
	int err;

	if (!cfg->command)
		return 0;
	err = child_check(cfg->command, why, sizeof(why));
	if (err) {
		msg("%s", why);
		return err;
	}
	err = child_new(&l->child, cfg, &l->old_mask);
	l->has_child = true;
	if (!err)
		err = add_fd(l, l->child.pidfd, TAG_CHILD);
	if (err)
		msg("cannot start %s: %s", cfg->command[0], strerror(-err));
	return err;
}

int loop_new(struct loop **lp, struct session *s)
{
	struct loop *l = calloc(1, sizeof(*l));
	int err;

	*lp = l;
	if (!l)
		return -ENOMEM;
	l->session = s;
	l->signal_fd = -1;
	l->progress = !s->cfg->quiet && !s->cfg->live && isatty(STDERR_FILENO);
	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	err = l->epoll_fd < 0 ? -errno : open_signals(l);
	if (!err && s->sampler)
		err = sampler_poll_add(s->sampler, l->epoll_fd, TAG_RING);
	if (!err)
		err = marks_poll_add(s->marks, l->epoll_fd, TAG_MARK);
	s->post.epoll_fd = l->epoll_fd;
	if (!err && s->post.fd >= 0)
		err = add_fd(l, s->post.fd, TAG_POST);
	if (!err && cgroups_births_fd(s->cgroups) >= 0)
		err = add_fd(l, cgroups_births_fd(s->cgroups), TAG_BIRTH);
	if (!err && s->blackbox.fd >= 0)
		err = add_fd(l, s->blackbox.fd, TAG_BLACKBOX);
	if (err)
		msg("cannot wait for events: %s", strerror(-err));
	else
		err = open_child(l);
	if (err) {
		loop_free(l, false);
		*lp = NULL;
	}
	return err;
}

/* Returns the next signal that came. Returns 0 if none came. */
static uint32_t read_signal(struct loop *l)
{
	struct signalfd_siginfo info;

	return read(l->signal_fd, &info, sizeof(info)) == sizeof(info) ? info.ssi_signo : 0;
}

int loop_free(struct loop *l, bool ended)
{
	int status = 0;

	if (!l)
		return 0;
	/* without -d, the screen stays open if the recording ended by itself: see session_free() */
	if (l->signalled || l->session->cfg->duration_ns)
		live_ended(&l->session->live, true);
	/* Ctrl-C ends the command and the recording; the result is the same whichever end is seen first */
	for (uint32_t signo; l->signal_fd >= 0 && (signo = read_signal(l));)
		ended = ended && (signo == SIGUSR1 || signo == SIGUSR2);
	if (l->serves)
		child_end(&l->server);
	if (l->has_child)
		status = child_end(&l->child);
	if (status < 0)
		msg("the command did not end after SIGTERM and is still running");
	status = ended && status >= 0 ? child_shell_status(status) : 0;
	if (l->signal_fd >= 0)
		close(l->signal_fd);
	if (l->epoll_fd >= 0)
		close(l->epoll_fd);
	sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
	free(l);
	return status;
}

/* ---- running ----------------------------------------------------------------------------- */

#define NEVER (UINT64_MAX / 2)

/* A periodic action. */
struct timer {
	uint64_t due, period;
	int (*fn)(struct session *s);
	uint64_t longest; /* the period doubles each time until it has this length, ns */
	/* a second timer, or NULL; it becomes due 1/COUNT_SHARE of the period after each run of this timer */
	struct timer *then;
	/* returns the next due time of a timer without a period */
	uint64_t (*next)(const struct session *s);
	/* the timer is active only while the timer `until` has a due time; NULL: always active */
	const struct timer *until;
};

static uint64_t due(const struct timer *t)
{
	return t->until && t->until->due >= NEVER ? UINT64_MAX : t->due;
}

static int run_timer(struct timer *t, uint64_t now, struct session *s)
{
	int err;

	if (now < due(t))
		return 0;
	if (t->next) {
		err = t->fn(s);
		t->due = t->next(s);
		return err;
	}
	t->due += t->period;
	/* the loop was delayed: continue from now, instead of catching up in a burst */
	if (t->due <= now)
		t->due = now + t->period;
	if (t->then)
		t->then->due = now + t->period / COUNT_SHARE;
	if (t->period < t->longest)
		t->period = 2 * t->period < t->longest ? 2 * t->period : t->longest;
	return t->fn(s);
}

static int wait_ms(const struct timer *t, size_t n, uint64_t end, uint64_t now)
{
	uint64_t next = end;

	for (size_t i = 0; i < n; i++)
		if (due(&t[i]) < next)
			next = due(&t[i]);
	if (next <= now)
		return 0;
	next = (next - now + 999999) / 1000000;
	return next > 60000 ? 60000 : (int)next;
}

static const char *signal_name(uint32_t signo)
{
	return signo == SIGINT ? reason_sigint : signo == SIGHUP ? reason_sighup : reason_sigterm;
}

/* A descriptor with data: samples in a ring, a mark, or an event that ends the recording. */
struct arrival {
	bool ring, call, output, post, birth, blackbox;
	const char *mark, *why; /* mark: the signal that marks this moment */
};

/*
 * Returns why the screen ends the recording, or NULL. The key q ends the recording as Ctrl-C does. If the screen ends
 * for another reason, the recording continues.
 */
static const char *look_at_live(struct loop *l)
{
	if (live_ended(&l->session->live, false))
		return reason_sigint;
	msg("the screen has ended, but the recording continues; Ctrl-C ends the recording");
	return NULL;
}

static struct arrival look(struct loop *l, const struct epoll_event *ev, int n)
{
	struct arrival a = { 0 };
	const char *signalled = NULL;
	uint32_t signo;

	for (int i = 0; i < n; i++) {
		switch ((enum tag)ev[i].data.u64) {
		case TAG_RING:
			a.ring = true;
			break;
		case TAG_CHILD:
			a.why = reason_command_ended;
			break;
		case TAG_MARK:
			a.call = true;
			break;
		case TAG_OUTPUT:
			a.output = true;
			break;
		case TAG_POST:
			a.post = true;
			break;
		case TAG_BIRTH:
			a.birth = true;
			break;
		case TAG_LIVE:
			signalled = look_at_live(l);
			break;
		case TAG_BLACKBOX:
			a.blackbox = true;
			break;
		case TAG_LISTEN:
			msg("--listen: the server has ended; the recording goes on");
			child_end(&l->server);
			l->serves = false;
			break;
		case TAG_SIGNAL:
			/*
			 * read all pending signals, because a mark just before the signal that ends the recording
			 * counts
			 */
			while ((signo = read_signal(l)))
				if (signo == SIGUSR1 || signo == SIGUSR2)
					a.mark = signo == SIGUSR1 ? "SIGUSR1" : "SIGUSR2";
				else
					signalled = signal_name(signo);
			break;
		}
	}
	l->signalled |= signalled != NULL;
	if (signalled)
		a.why = signalled;
	return a;
}

/*
 * Returns the interval of flushing. Flushes happen at a tick, so that a truncated trace has samples and counters up to
 * the same time and both need one wakeup. The interval is not shortened much for this purpose, because each frame
 * repeats data about its columns, and this data is a large part of a trace.
 */
static uint64_t flush_period(uint64_t tick)
{
	uint64_t ticks = FLUSH_NS / tick * tick;

	return ticks >= FLUSH_NS / 10 * 8 ? ticks : FLUSH_NS;
}

/*
 * Returns the time of the first flush. If possible, the first flush comes before the first interval is over, because
 * the recording began before the loop. On a busy host, the recording began long before the loop.
 */
static uint64_t first_flush(uint64_t flush, uint64_t tick)
{
	if (flush % tick)
		return flush / 2;
	return flush < 2 * tick ? tick : flush / 2 / tick * tick;
}

static void show_progress(const struct loop *l, uint64_t now)
{
	if (l->progress)
		session_on_progress(l->session, (double)(now - l->start) / 1e9);
}

/*
 * Watches whether the reader can take more. The watch is one-shot, because a reader that reads nothing, or has ended,
 * must not wake the loop repeatedly.
 */
static void watch_output(const struct loop *l)
{
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLONESHOT, .data.u64 = TAG_OUTPUT };
	int fd = l->session->out.fd;

	if (!session_waiting(l->session))
		return;
	if (epoll_ctl(l->epoll_fd, EPOLL_CTL_MOD, fd, &ev) && errno == ENOENT)
		epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &ev);
}

static int go_live(struct loop *l)
{
	struct session *s = l->session;
	int err = 0;

	if (!s->cfg->live)
		return 0;
	err = live_start(&s->live, s->cfg->live_program, s->out.path, &l->old_mask);
	if (!err)
		err = add_fd(l, s->live.pidfd, TAG_LIVE);
	if (err)
		msg("cannot start %s: %s", s->cfg->live_program, strerror(-err));
	return err;
}

static int go_listen(struct loop *l)
{
	const struct session *s = l->session;
	int err;

	if (!s->cfg->listen)
		return 0;
	err = listen_start(&l->server, s->cfg, s->out.path, &l->old_mask);
	l->serves = true;
	return err ? err : add_fd(l, l->server.pidfd, TAG_LISTEN);
}

int loop_go(struct loop *l)
{
	int err = go_listen(l);

	if (err)
		return err;
	err = l->has_child ? child_go(&l->child) : 0;
	if (!err)
		return go_live(l);
	/* the file exists: that was checked before */
	msg("cannot run %s: %s%s", l->session->cfg->command[0], strerror(-err),
	    err == -ENOENT ? ": check that its interpreter exists" : "");
	child_end(&l->child);
	l->has_child = false;
	return err;
}

int loop_run(struct loop *l, const char **why)
{
	struct session *s = l->session;
	uint64_t now = now_ns(), tick = s->cfg->tick_ns;
	uint64_t flush = flush_period(tick);
	struct timer timer[] = {
		{ .due = now + tick, .period = tick, .fn = session_on_tick },
		{ .due = now + first_flush(flush, tick), .period = flush, .fn = session_on_flush },
		{ .due = now + CLOCK_NS, .period = CLOCK_NS, .fn = session_write_clock },
		{ .due = now + COUNT_FIRST_NS, .period = NEVER, .fn = session_on_uncount },
		{ .due = now + COUNT_NEXT_NS,
		  .period = COUNT_PERIOD_NS,
		  .fn = session_on_count,
		  .longest = COUNT_LONGEST_NS,
		  .then = &timer[3] },
		{ .due = session_windows_due(s),
		  .fn = session_on_windows,
		  .next = session_windows_due },
		{ .due = now + COUNT_LOOK_NS,
		  .period = COUNT_LOOK_NS,
		  .fn = session_on_look,
		  .until = &timer[3] },
	};
	const size_t ntimers = sizeof(timer) / sizeof(timer[0]);
	uint64_t shown = 0;
	int err = 0;

	l->start = now;
	*why = NULL;
	while (!err && !*why) {
		struct epoll_event ev[16];
		struct arrival a;
		int n;

		watch_output(l);
		n = epoll_wait(l->epoll_fd, ev, 16, wait_ms(timer, ntimers, s->until_ns, now));
		if (n < 0 && errno != EINTR)
			err = -errno;
		a = look(l, ev, n);
		*why = a.why;
		if (!err && a.mark)
			err = session_on_mark(s, a.mark);
		if (!err && a.call)
			err = session_on_call(s);
		if (!err && a.ring)
			err = session_on_ring(s);
		if (!err && a.output)
			err = session_push(s);
		if (!err && a.post)
			err = session_on_post(s);
		if (!err && a.blackbox)
			err = session_on_blackbox(s);
		if (!err && a.birth)
			cgroups_births(s->cgroups);
		now = now_ns();
		for (size_t i = 0; i < ntimers && !err; i++)
			err = run_timer(&timer[i], now, s);
		if (!*why && now >= s->until_ns)
			*why = reason_time_over;
		if (now - shown >= PROGRESS_NS) {
			show_progress(l, now);
			shown = now;
		}
	}
	l->signalled |= err != 0;
	if (l->progress && shown)
		fputs("\r\033[K", stderr);
	return err;
}
