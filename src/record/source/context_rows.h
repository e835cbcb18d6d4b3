/* SPDX-License-Identifier: BSD-2-Clause */
/* context_rows.h: stores settings as rows, and declares the readers that add them: the files context_*.c. */
#ifndef NETCOST_CONTEXT_ROWS_H
#define NETCOST_CONTEXT_ROWS_H

#include <linux/if.h> /* IFNAMSIZ */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTEXT_ROWS 8000  /* maximum number of rows; further rows are only counted */
#define CONTEXT_VALUE 1024 /* maximum number of bytes of a value; longer values are truncated */
#define CONTEXT_SUBJECT 64

/* Offsets of a row's texts in `text`; 0: empty. */
struct context_row {
	uint32_t subject, name, value, why;
};

struct admin;

/* A list of rows. If all bytes are zero, it is empty. */
struct context_rows {
	struct admin *admin; /* for the readers: admin.h */
	struct context_row *row;
	size_t n, size;
	char *text;
	size_t text_n, text_size;
	uint64_t left_out;
	bool no_memory;
};

void context_rows_free(struct context_rows *r);
const char *context_text(const struct context_rows *r, uint32_t offset);

/*
 * Adds to `out` the rows of `now` that differ from `was`, and "gone" for the rows that no longer exist. Sorts `was` and
 * `now`.
 */
void context_changes(struct context_rows *was, struct context_rows *now, struct context_rows *out);

/* Adds a setting, with a value or with the reason why the value is missing. */
void context_add(struct context_rows *r, const char *subject, const char *name, const char *value,
		 const char *why);

void context_value(struct context_rows *r, const char *subject, const char *name,
		   const char *value);
void context_number(struct context_rows *r, const char *subject, const char *name, uint64_t value);
/* Adds a setting that could not be read. err is an errno. */
void context_unread(struct context_rows *r, const char *subject, const char *name, int err);
/*
 * Adds a setting that could not be read. err is an errno, negative or not. Adds no row for a setting that does not
 * exist or is not supported.
 */
void context_refused(struct context_rows *r, const char *subject, const char *name, int err);
/* Adds the text of a file in a folder (see procfs_folder()), or "none" if the file is empty. */
void context_file(struct context_rows *r, const char *subject, const char *name, int dir,
		  const char *path);

/* ---- readers of settings ----------------------------------------------------------------- */

struct context_link {
	int index, master;
	uint32_t mtu, queue_length;
	char name[IFNAMSIZ], kind[IFNAMSIZ];
	char qdisc[128];      /* kind of the root qdisc, then the distinct kinds below it */
	char xdp[80], tc[64]; /* xdp: mode and program */
	bool classifies;      /* TC programs can be attached */
	unsigned char address[32];
	size_t address_n;
};

typedef void context_read_fn(struct context_rows *r);
context_read_fn context_sysctls, context_links, context_firewall, context_programs, context_host;

/* These functions add the settings of one interface. */
void context_ethtool(struct context_rows *r, const char *interface);
void context_queues(struct context_rows *r, const struct context_link *l);
void context_link_programs(struct context_rows *r, const struct context_link *l);

/*
 * Converts a mask of sysfs, "0f,00000001", into a list of CPUs in the format of other files: "0,32-35". An empty mask
 * becomes "none".
 */
void context_list_cpus(char *dst, size_t size, const char *mask);

/* Appends "prog NAME" of the program with that id. */
void context_program(struct admin *admin, char *list, size_t size, uint32_t id);

#endif
