/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.h: creates, renames and removes entries of a directory. After files_delegate(), a helper process does this, and
 * only in the delegated directory, so that the recorder needs no rights for this directory.
 */
#ifndef NETCOST_FILES_H
#define NETCOST_FILES_H

#include <stdbool.h>
#include <sys/types.h>

/* The helper process. A NULL pointer means that the recorder accesses the directory itself. */
struct files;

/* Creates a new file for writing, owned by the user who called sudo(8). Returns its descriptor or -errno. */
int files_create(const struct files *f, int dir, const char *name);
/* Renames an entry without replacing an existing `to`. Returns -EEXIST if `to` exists. */
int files_rename_new(const struct files *f, int dir, const char *from, const char *to);
/* Gives the open file another name. */
int files_link(const struct files *f, int dir, int fd, const char *to);
int files_remove(const struct files *f, int dir, const char *name);
/* Finds the user who called sudo(8). Returns false if the recorder was not started with sudo. */
bool files_sudo_user(uid_t *uid, gid_t *gid);

/*
 * Starts the helper process, which files_end() ends. Returns 0 or -errno. The helper has copies of all open
 * descriptors, so call this before opening descriptors that must be closed at a certain time.
 */
int files_delegate(struct files **fp, int dir);
void files_end(struct files *f);

#endif
