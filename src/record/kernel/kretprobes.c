// SPDX-License-Identifier: BSD-2-Clause
#include "kretprobes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/base/clock.h"
#include "record/base/kernfs.h"
#include "record/base/perf_event.h"

#define EVENTS_FILE "kprobe_events"
#define PROFILE_FILE "kprobe_profile"
#define GROUP "netcost_" /* prefix of the group's name; the recorder's pid and a time follow */
#define MAXACTIVE 4096	 /* KRETPROBE_MAXACTIVE_MAX */

struct kretprobes {
	int dir;
	int events; /* file for commands; kept open because no file may be opened for writing later */
	char group[64];
	/* number of events GROUP_0, GROUP_1 …; the profile lists them without the group */
	unsigned int n;
};

/* Writes a command to the file. Each write is one command. */
static int command(const struct kretprobes *k, const char *line)
{
	return write(k->events, line, strlen(line)) < 0 ? -errno : 0;
}

/* Opens a file of tracefs for reading. Returns NULL and sets errno on failure. */
static FILE *open_text(const struct kretprobes *k, const char *file)
{
	int fd = openat(k->dir, file, O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

/* ---- events of killed recorders ---------------------------------------------------------- */

static void remove_if_left(const struct kretprobes *k, const char *event)
{
	char line[160];
	pid_t pid = (pid_t)strtol(event + strlen(GROUP), NULL, 10);

	if (pid < 1 || !kill(pid, 0) || errno != ESRCH)
		return;
	snprintf(line, sizeof(line), "-:%s", event);
	/* the kernel refuses to remove an event that another process uses; this is not an error */
	(void)command(k, line);
}

/* Removes the events of recorders that were killed: lines like "r4096:netcost_PID_TIME/netcost_PID_TIME_0 function". */
static void remove_left(const struct kretprobes *k)
{
	FILE *f = open_text(k, EVENTS_FILE);
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		char *event = strstr(line, ":" GROUP);

		if (!event)
			continue;
		event[strcspn(event, " \n")] = '\0';
		remove_if_left(k, event + 1);
	}
	if (f)
		fclose(f);
}

/* ---- events of this recorder ------------------------------------------------------------- */

int kretprobes_new(struct kretprobes **kp)
{
	struct kretprobes *k = calloc(1, sizeof(*k));
	int err = 0;

	*kp = NULL;
	if (!k)
		return -ENOMEM;
	k->events = -1;
	k->dir = kernfs_mount("tracefs");
	if (k->dir < 0)
		err = k->dir;
	else if ((k->events = openat(k->dir, EVENTS_FILE, O_WRONLY | O_APPEND | O_CLOEXEC)) < 0)
		err = -errno;
	if (err) {
		kretprobes_free(k);
		return err;
	}
	snprintf(k->group, sizeof(k->group), GROUP "%d_%" PRIu64, (int)getpid(), now_ns());
	remove_left(k);
	*kp = k;
	return 0;
}

void kretprobes_free(struct kretprobes *k)
{
	char line[160];

	if (!k)
		return;
	for (unsigned int i = 0; i < k->n; i++) {
		snprintf(line, sizeof(line), "-:%s/%s_%u", k->group, k->group, i);
		(void)command(k, line);
	}
	if (k->events >= 0)
		close(k->events);
	if (k->dir >= 0)
		close(k->dir);
	free(k);
}

/* Returns perf's id of the event, or -errno. */
static int64_t event_id(const struct kretprobes *k, unsigned int i)
{
	char path[160];
	int64_t id;
	FILE *f;

	snprintf(path, sizeof(path), "events/%s/%s_%u/id", k->group, k->group, i);
	f = open_text(k, path);
	if (!f)
		return -errno;
	if (fscanf(f, "%" SCNd64, &id) != 1 || id <= 0)
		id = -EIO;
	fclose(f);
	return id;
}

int kretprobes_open(struct kretprobes *k, const char *symbol)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT };
	char line[320];
	int64_t id;
	int err;

	snprintf(line, sizeof(line), "r%u:%s/%s_%u %s", MAXACTIVE, k->group, k->group, k->n,
		 symbol);
	err = command(k, line);
	if (err)
		return err;
	id = event_id(k, k->n++);
	if (id < 0)
		return (int)id;
	attr.config = (uint64_t)id;
	/* the program that is attached to the event runs on all CPUs */
	return perf_event_open(&attr, 0);
}

/* The file has lines of the form "  EVENT  hits  misses". */
int kretprobes_missed(const struct kretprobes *k, uint64_t *missed)
{
	FILE *f = open_text(k, PROFILE_FILE);
	size_t len = strlen(k->group);
	unsigned int found = 0;
	char line[512];

	if (!f)
		return -errno;
	*missed = 0;
	while (fgets(line, sizeof(line), f)) {
		char *event = line + strspn(line, " ");
		uint64_t misses;

		if (strncmp(event, k->group, len) || event[len] != '_' ||
		    sscanf(event, "%*s %*u %" SCNu64, &misses) != 1)
			continue;
		*missed += misses;
		found++;
	}
	fclose(f);
	return found == k->n ? 0 : -ENOENT;
}
