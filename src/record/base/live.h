/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.h: runs `netcost-report live` for --live on the recorder's terminal. The screen shows the trace while the
 * recorder writes it.
 */
#ifndef NETCOST_LIVE_H
#define NETCOST_LIVE_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct live {
	pid_t pid; /* process id of the screen; 0: no screen runs */
	int pidfd; /* descriptor that is readable when the screen has ended */
	/* the recorder's real standard error; messages are kept until the screen ends */
	int err;
	struct termios terminal; /* settings of the terminal before the screen started */
};

/*
 * Returns the path of netcost-report, in the recorder's own folder or else in PATH, or NULL if it is in neither. `path`
 * must have room for PATH_MAX bytes.
 */
const char *live_find(char *path);
/*
 * Starts the screen for the file. The screen ends when the recorder dies. sigmask: signal mask for the screen. Returns
 * 0 or -errno.
 */
int live_start(struct live *l, const char *program, const char *file, const void *sigmask);
/*
 * Waits until the screen has ended, and prints the kept messages. end: set to end the screen first. Returns true if the
 * user ended the screen. Does nothing if no screen runs.
 */
bool live_ended(struct live *l, bool end);

#endif
