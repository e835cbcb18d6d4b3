/* SPDX-License-Identifier: BSD-2-Clause */
/* context_rows.h: settings as rows, and what adds them: the files context_*.c. */
#ifndef NETCOST_CONTEXT_ROWS_H
#define NETCOST_CONTEXT_ROWS_H

#include <linux/if.h> /* IFNAMSIZ */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTEXT_ROWS 8000  /* no more; the rest is counted */
#define CONTEXT_VALUE 1024 /* bytes of a value; the rest is cut off */
#define CONTEXT_SUBJECT 64

/* Offsets in the text; what is empty is 0. */
struct context_row {
	uint32_t subject, name, value, why;
};

/* Zeroed: empty. */
struct context_rows {
	struct context_row *row;
	size_t n, size;
	char *text;
	size_t text_n, text_size;
	uint64_t left_out;
	bool no_memory;
};

void context_rows_free(struct context_rows *r);
const char *context_text(const struct context_rows *r, uint32_t offset);

/* Adds to `out` what of `now` is not as it was, and what is not there any more: "gone". Sorts both. */
void context_changes(struct context_rows *was, struct context_rows *now, struct context_rows *out);

/* A setting, which has a value or a reason why not. */
void context_add(struct context_rows *r, const char *subject, const char *name, const char *value,
		 const char *why);

void context_value(struct context_rows *r, const char *subject, const char *name,
		   const char *value);
void context_number(struct context_rows *r, const char *subject, const char *name, uint64_t value);
/* It could not be read, for that errno. */
void context_unread(struct context_rows *r, const char *subject, const char *name, int err);
/* It could not be read: an errno, negative or not. What does not exist, or is not supported, has no row. */
void context_refused(struct context_rows *r, const char *subject, const char *name, int err);
/* The text of a file in a folder, as procfs_folder() has it; "none": it is empty. */
void context_file(struct context_rows *r, const char *subject, const char *name, int dir,
		  const char *path);

/* ---- what reads them --------------------------------------------------------------------- */

struct context_link {
	int index, master;
	uint32_t mtu, queue_length;
	char name[IFNAMSIZ], kind[IFNAMSIZ];
	char qdisc[128];      /* the root's, then those below it, each once */
	char xdp[80], tc[64]; /* xdp: which, with its program */
	bool classifies;      /* has a place for TC programs */
	unsigned char address[32];
	size_t address_n;
};

typedef void context_read_fn(struct context_rows *r);
context_read_fn context_sysctls, context_links, context_firewall, context_programs, context_host;

/* Of one interface. */
void context_ethtool(struct context_rows *r, const char *interface);
void context_queues(struct context_rows *r, const struct context_link *l);
void context_link_programs(struct context_rows *r, const struct context_link *l);

/* A mask of sysfs, "0f,00000001", as a list of CPUs, as other files have them: "0,32-35"; "none". */
void context_list_cpus(char *dst, size_t size, const char *mask);

/* "prog NAME", after what is there: of the program of that id. */
void context_program(char *list, size_t size, uint32_t id);

#endif
