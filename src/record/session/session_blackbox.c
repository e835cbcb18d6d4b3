// SPDX-License-Identifier: BSD-2-Clause
/* The black box (--ring): what the recorder does for its child process (base/blackbox.h). */
#include "session_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <netcost/units.h>

#include "record/base/clock.h"
#include "record/base/msg.h"

int session_blackbox_open(struct session *s)
{
	int fd = memfd_create("netcost-record", MFD_CLOEXEC), err = fd < 0 ? -errno : 0;

	s->out = (struct output){ .path = s->cfg->output, .fd = fd, .dir = -1 };
	if (!err)
		return session_begin_output(s, s->cfg->output);
	msg("cannot allocate memory for --ring: %s", strerror(-err));
	return err;
}

/* Opens a file for the child. */
static void blackbox_open_file(struct session *s)
{
	struct blackbox *b = &s->blackbox;
	uint64_t real_s = clock_ns(CLOCK_REALTIME) / UNITS_SECOND;
	char why[SESSION_WHY + PATH_MAX];
	int err = series_open(&s->series, real_s, &b->name, &b->out, why, sizeof(why));

	if (err)
		msg("%s", why);
	blackbox_send(b, BLACKBOX_OPEN, err ? -1 : b->out.fd);
}

static void blackbox_finish_file(struct session *s, bool complete)
{
	struct blackbox *b = &s->blackbox;
	uint64_t most = s->cfg->max_size;
	struct stat st;

	if (complete && most && !fstat(b->out.fd, &st) && (uint64_t)st.st_size > most) {
		msg("%s: deleted, because its %.1f MiB exceed --max-size", b->name.name,
		    (double)st.st_size / (double)UNITS_MIB);
		complete = false;
	}
	if (!complete) {
		output_abandon(&b->out);
		s->series.unnamed++;
		return;
	}
	session_finish_file(s, &b->out, &b->name);
	if (!s->cfg->quiet)
		msg("%s: written", b->name.name);
}

/* Handles the messages that the child may also send after the last piece. Returns false for any other message. */
static bool blackbox_hear(struct session *s, int what)
{
	if (what == BLACKBOX_OPEN)
		blackbox_open_file(s);
	else if (what == BLACKBOX_DONE || what == BLACKBOX_FAILED)
		blackbox_finish_file(s, what == BLACKBOX_DONE);
	else
		return false;
	return true;
}

int session_on_blackbox(struct session *s)
{
	char text[BLACKBOX_MOST];
	int what = blackbox_receive(&s->blackbox, text);

	if (what == BLACKBOX_MARK)
		return session_write_mark(s, now_ns(), text);
	if (what == BLACKBOX_TURN)
		s->rotate_ns = now_ns();
	else if (!blackbox_hear(s, what)) {
		msg("the process that stores the ring of --ring has ended");
		s->stuck = -EPIPE;
	}
	return s->stuck;
}

int session_blackbox_end(struct session *s)
{
	char text[BLACKBOX_MOST];
	int what;

	blackbox_send(&s->blackbox, BLACKBOX_END, -1);
	while ((what = blackbox_receive(&s->blackbox, text)))
		blackbox_hear(s, what);
	if (child_end(&s->blackbox.child) || s->blackbox.out.fd >= 0) {
		if (!s->stuck)
			msg("the process that keeps the ring ended abnormally: a trace may be missing");
		return -EPIPE;
	}
	return s->series.unnamed ? -EIO : 0;
}
