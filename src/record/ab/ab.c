// SPDX-License-Identifier: BSD-2-Clause
/*
 * Alternates phases with and without a recording. Each recording is a complete recorder in its own process, so that
 * nothing of it remains in the phases without recording: no probe, no sampler, no process. The comparison uses the
 * kernel's own counters of the process, which are available in both kinds of phases.
 *
 * A round is one phase of each kind. Rounds come in pairs. The order of the phases is random in the first round, and
 * reversed in the second round, so that neither a drift of the load nor a periodic load looks like a cost.
 */
#include "ab.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/units.h>

#include "ab_impl.h"
#include "record/base/child.h"
#include "record/base/clock.h"
#include "record/base/config.h"
#include "record/base/msg.h"
#include "record/base/privileges.h"

/* Time that is not counted after each start or end of a recorder: a tenth of a phase, but at least SETTLE_LEAST_NS. */
#define SETTLE_SHARE 10
#define SETTLE_LEAST_NS (100 * UNITS_MS)
#define NEVER UINT64_MAX

enum { EXIT_OK = 0, EXIT_FAILED = 1 };

/* Why a wait ended. */
enum ab_event {
	AB_TIME,
	AB_BEGUN,
	AB_RECORDER_ENDED,
	AB_PROCESS_ENDED,
	AB_SIGNAL,
	AB_DURATION,
	AB_ERROR
};

struct ab {
	const struct config *cfg;
	int (*record)(const struct config *cfg);
	struct child command;
	pid_t pid; /* process that is measured */
	int pidfd, signal_fd;
	sigset_t old_mask;
	uint64_t end_ns;
	struct child recorder; /* only its pid and pidfd are used */
	int begun_fd;
	int said_fd; /* memory file for the recorders' messages; -1: they go to stderr */
	struct ab_round *round;
	size_t n, cap;
};

static const struct child ab_no_child = { .pidfd = -1, .go_fd = -1, .err_fd = -1 };

static enum ab_event ab_wait(struct ab *ab, uint64_t until_ns)
{
	/* in order of priority: Ctrl-C also ends the command and the recorder, so the signal comes first */
	static const enum ab_event events[] = { AB_SIGNAL, AB_PROCESS_ENDED, AB_RECORDER_ENDED,
						AB_BEGUN };
	struct pollfd fds[] = { { .fd = ab->signal_fd, .events = POLLIN },
				{ .fd = ab->pidfd, .events = POLLIN },
				{ .fd = ab->recorder.pidfd, .events = POLLIN },
				{ .fd = ab->begun_fd, .events = POLLIN } };

	for (;;) {
		uint64_t now = now_ns(), end = until_ns < ab->end_ns ? until_ns : ab->end_ns;
		struct timespec left = { .tv_sec = (time_t)((end - now) / UNITS_SECOND),
					 .tv_nsec = (long)((end - now) % UNITS_SECOND) };

		if (now >= end)
			return now >= ab->end_ns ? AB_DURATION : AB_TIME;
		if (ppoll(fds, sizeof(fds) / sizeof(fds[0]), end == NEVER ? NULL : &left, NULL) <=
		    0)
			continue;
		for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
			if (fds[i].revents & POLLIN)
				return events[i];
	}
}

/* ---- the recorder ------------------------------------------------------------------------ */

static _Noreturn void ab_record(const struct ab *ab, int begun_fd)
{
	struct config cfg = *ab->cfg;

	cfg.command = NULL;
	cfg.duration_ns = 0;
	cfg.pid = 0;
	cfg.quiet = true;
	cfg.begun_fd = begun_fd;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigprocmask(SIG_SETMASK, &ab->old_mask, NULL);
	privileges_use_all();
	if (ab->said_fd >= 0)
		dup2(ab->said_fd, STDERR_FILENO);
	_exit(ab->record(&cfg));
}

/*
 * Removes the trace of an earlier phase, so that the next recorder does not move it to FILE.old and replace a file of
 * the user.
 */
static void ab_remove_trace(const struct ab *ab)
{
	struct stat st;

	if (!lstat(ab->cfg->output, &st) && S_ISREG(st.st_mode))
		unlink(ab->cfg->output);
}

/*
 * Ends the recorder and waits until it has exited, because its probes stay attached until then. Returns its exit
 * status.
 */
static int ab_stop(struct ab *ab)
{
	int status = 0;

	if (ab->recorder.pid <= 0)
		return EXIT_FAILED;
	kill(ab->recorder.pid, SIGTERM);
	while (waitpid(ab->recorder.pid, &status, 0) < 0 && errno == EINTR)
		;
	close(ab->recorder.pidfd);
	ab->recorder = ab_no_child;
	return child_shell_status(status);
}

/* Starts a recorder and waits until the recording has begun. */
static enum ab_event ab_start(struct ab *ab)
{
	enum ab_event event = AB_ERROR;
	int begun[2];

	if (ab->said_fd >= 0) {
		ab_remove_trace(ab);
		if (!ftruncate(ab->said_fd, 0))
			lseek(ab->said_fd, 0, SEEK_SET);
	}
	if (pipe2(begun, O_CLOEXEC))
		return AB_ERROR;
	ab->recorder.pid = fork();
	if (!ab->recorder.pid)
		ab_record(ab, begun[1]);
	close(begun[1]);
	ab->begun_fd = begun[0];
	ab->recorder.pidfd = ab->recorder.pid < 0 ? -1 : child_watch(ab->recorder.pid);
	if (ab->recorder.pidfd >= 0)
		event = ab_wait(ab, NEVER);
	close(ab->begun_fd);
	ab->begun_fd = -1;
	return event;
}

/*
 * Makes a trial recording before the command runs, so that a wrong option is reported early. Returns the exit status
 * for ab_run(). Later recorders would repeat the messages of this recording, so their messages go to a memory file. The
 * file is printed only if a recorder fails.
 */
static int ab_try(struct ab *ab)
{
	enum ab_event event = ab_start(ab);
	int status = ab_stop(ab);

	if (event != AB_BEGUN && !status)
		status = EXIT_FAILED;
	ab->said_fd = memfd_create("netcost-record", MFD_CLOEXEC);
	return status;
}

/* ---- phases ------------------------------------------------------------------------------ */

static enum ab_event ab_measure(struct ab *ab, double *rate)
{
	uint64_t phase = ab->cfg->ab_ns, settle = phase / SETTLE_SHARE;
	struct ab_reading from, to;
	enum ab_event event;

	event = ab_wait(ab, now_ns() + (settle > SETTLE_LEAST_NS ? settle : SETTLE_LEAST_NS));
	if (event != AB_TIME)
		return event;
	ab_read(&from, ab->pid);
	event = ab_wait(ab, from.at_ns + phase);
	ab_read(&to, ab->pid);
	ab_rates(&from, &to, rate);
	return event;
}

static enum ab_event ab_phase(struct ab *ab, bool on, double *rate)
{
	enum ab_event event = on ? ab_start(ab) : AB_BEGUN;

	if (event == AB_BEGUN)
		event = ab_measure(ab, rate);
	if (on && ab_stop(ab) && event == AB_TIME)
		event = AB_RECORDER_ENDED; /* the recorder failed while it ended */
	return event;
}

/* Returns why the rounds ended: AB_TIME if enough rounds were made. An incomplete last round is not counted. */
static enum ab_event ab_rounds(struct ab *ab)
{
	size_t most = ab->cfg->command || ab->cfg->duration_ns ? SIZE_MAX : AB_ROUNDS_LEAST;
	bool progress = !ab->cfg->quiet && isatty(STDERR_FILENO);
	/* do not measure the start of the command */
	enum ab_event event = ab->cfg->command ? ab_wait(ab, now_ns() + ab->cfg->ab_ns) : AB_TIME;
	unsigned char first = 0;

	while (event == AB_TIME && ab->n < most) {
		if (progress)
			fprintf(stderr, "\rround %zu\033[K", ab->n + 1);
		if (ab->n % 2)
			first = !first;
		else if (getrandom(&first, 1, 0) == 1)
			first &= 1;
		if (array_reserve(&ab->round, &ab->cap, ab->n + 1, sizeof(*ab->round)))
			return AB_ERROR;
		for (unsigned int k = 0; k < 2 && event == AB_TIME; k++)
			event = ab_phase(ab, first ^ k, ab->round[ab->n].rate[first ^ k]);
		ab->n += event == AB_TIME;
	}
	if (progress)
		fputs("\r\033[K", stderr);
	return event;
}

/* ---- the whole --------------------------------------------------------------------------- */

static int ab_open_signals(struct ab *ab)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &ab->old_mask);
	ab->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	return ab->signal_fd < 0 ? -errno : 0;
}

/* Starts the command, or finds the process. Prints errors. */
static int ab_open_process(struct ab *ab)
{
	const struct config *cfg = ab->cfg;
	int err = 0;

	ab->pid = (pid_t)cfg->pid;
	if (cfg->command) {
		err = child_new(&ab->command, cfg, &ab->old_mask);
		if (!err)
			err = child_go(&ab->command);
		ab->pid = ab->command.pid;
		ab->pidfd = ab->command.pidfd;
	}
	if (err)
		msg("cannot run %s: %s", cfg->command[0], strerror(-err));
	ab->end_ns = cfg->duration_ns ? now_ns() + cfg->duration_ns : NEVER;
	return err;
}

/* Prints the result. Returns the exit status of the measurement, not of the command. */
static int ab_report(const struct ab *ab, enum ab_event event)
{
	static const char *const why[] = { [AB_PROCESS_ENDED] = "the process ended",
					   [AB_DURATION] = "-d was over",
					   [AB_SIGNAL] = "it was interrupted" };
	bool failed = event == AB_ERROR || event == AB_RECORDER_ENDED;
	char time[32];
	off_t from = 0;

	units_text(UNITS_TIME, ab->cfg->ab_ns, time, sizeof(time));
	if (failed)
		msg("the recorder failed in round %zu", ab->n + 1);
	while (failed && sendfile(STDERR_FILENO, ab->said_fd, &from, 65536) > 0)
		;
	if (!failed && ab->n < AB_ROUNDS_LEAST)
		msg("%s after %zu rounds of 2 x %s, but a result needs %d rounds: measure for longer, or use a shorter --ab",
		    why[event], ab->n, time, AB_ROUNDS_LEAST);
	if (failed || ab->n < AB_ROUNDS_LEAST)
		return EXIT_FAILED;
	msg("cost of recording for process %d and its descendants: %zu rounds of %s without and %s with recording",
	    (int)ab->pid, ab->n, time, time);
	ab_print(stderr, ab->round, ab->n);
	if (ab->cfg->latency || ab->cfg->stages_every)
		fputs("  packet latency is not compared, because it cannot be measured without probes\n",
		      stderr);
	if (access("/proc/thread-self/children", F_OK))
		fputs("  this kernel does not list children: only the process itself was measured\n",
		      stderr);
	return EXIT_OK;
}

static int ab_close(struct ab *ab, enum ab_event event, int status)
{
	int ended = child_end(&ab->command);

	if (ended < 0 && ab->cfg->command && ab->command.pid)
		msg("the command did not end after SIGTERM and is still running");
	free(ab->round);
	return status || event != AB_PROCESS_ENDED || !ab->cfg->command ? status :
									  child_shell_status(ended);
}

int ab_run(const struct config *cfg, int (*record)(const struct config *cfg))
{
	struct ab ab = { .cfg = cfg,
			 .record = record,
			 .command = ab_no_child,
			 .recorder = ab_no_child,
			 .pidfd = -1,
			 .begun_fd = -1,
			 .said_fd = -1,
			 .end_ns = NEVER };
	enum ab_event event = AB_SIGNAL;
	char why[512] = "";
	int status = EXIT_OK, err = ab_open_signals(&ab);

	if (!err && cfg->command)
		err = child_check(cfg->command, why, sizeof(why));
	else if (!err && (ab.pidfd = child_watch((pid_t)cfg->pid)) < 0)
		err = -errno;
	if (err)
		msg(*why ? "%s" : "cannot watch the process: %s", *why ? why : strerror(-err));
	else
		status = ab_try(&ab);
	if (!err && !status)
		err = ab_open_process(&ab);
	if (!err && !status) {
		privileges_keep_for_recorders();
		event = ab_rounds(&ab);
		status = ab_report(&ab, event);
	}
	return ab_close(&ab, event, err ? EXIT_FAILED : status);
}
