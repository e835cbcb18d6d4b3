/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h: the trace file: where it goes, and what was there before. */
#ifndef NETCOST_OUTPUT_H
#define NETCOST_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct output {
	const char *path; /* for messages; "-" is stdout */
	const char *base; /* its name in dir */
	int fd;
	int dir;	/* opened once, names are looked up in it; -1: none */
	bool waits;	/* for a reader: no file. Its fd may block */
	bool created;	/* by us: what was there already is not ours to remove */
	bool replaced;	/* a file was moved to path.old … */
	char spare[32]; /* … and the path.old before it here; empty: there was none */
};

/* One that is not open. */
#define OUTPUT_NONE                                                                                \
	{                                                                                          \
		.fd = -1, .dir = -1                                                                \
	}

/* Is that our standard output, whichever of its names it has? */
bool output_is_stdout(const char *path);
/* Is that a descriptor that the caller has opened? */
bool output_is_given(const char *path);
/*
 * Creates path with mode 0600, for the user who called sudo(8); an existing file is kept as path.old, as
 * perf does. Never waits. why: on failure, one line. Nothing is changed on failure.
 */
int output_open(struct output *o, const char *path, char *why, size_t whysize);
/*
 * Creates path, which must not exist, in the open directory dir; path's own directory is only for messages. -EEXIST says
 * nothing in why.
 */
int output_open_new(struct output *o, int dir, const char *path, char *why, size_t whysize);
/* The directory that path is in, for *at(2) calls; -errno. */
int output_open_dir(const char *path);
/* Is the entry `name` of dir the file that fd is? Links are not followed. */
bool output_is_entry(int dir, const char *name, int fd);
/* Renames in dir; what is called `to` already stays. -EEXIST: that one. */
int output_rename_new(int dir, const char *from, const char *to);
/* The user who called sudo(8); false: nobody did. */
bool output_sudo_user(uid_t *uid, gid_t *gid);
/* The recording has begun: removes the former path.old. */
void output_settle(struct output *o);
void output_close(struct output *o);
/* Restores what was there before: for a recording that never began. Not after output_settle(). */
void output_abandon(struct output *o);

#endif
