/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_object.h: a BPF object of the recorder, from opening to detaching. Between these steps the caller sets the
 * constants of its skeleton, the sizes of its maps, and which programs are loaded (bpf_program__set_autoload()).
 * Functions return 0 or -errno. After any failure probe_close() frees everything, and the object can be opened again.
 */
#ifndef NETCOST_PROBE_OBJECT_H
#define NETCOST_PROBE_OBJECT_H

#include <stddef.h>

struct bpf_link;
struct bpf_map;
struct bpf_object;
struct bpf_object_open_opts;
struct bpf_object_skeleton;
struct bpf_program;
struct tracing;

#define PROBE_MAPS 8 /* maximum mapped maps of one object */

/* All zeros: not open. */
struct probe_object {
	void *skel; /* the opener's result: a struct NAME_bpf */
	struct bpf_object_skeleton *skeleton;
	struct bpf_object *obj;
	struct tracing *tracing;
	struct bpf_link **link; /* from probe_attach() */
	size_t nlinks, room;
	struct {
		void *at;
		size_t bytes;
	} mapped[PROBE_MAPS];
	size_t nmapped;
};

/* Defines NAME_open(), for probe_open(): opens the object whose skeleton is struct NAME_bpf. */
typedef void *probe_opener(const struct bpf_object_open_opts *opts);
#define PROBE_OPENER(name)                                                                         \
	static void *name##_open(const struct bpf_object_open_opts *opts)                          \
	{                                                                                          \
		return name##_bpf__open_opts(opts);                                                \
	}

/* tracing: the kernel's types, parsed once for all objects. NULL: libbpf parses them if it needs them. */
int probe_open(struct probe_object *o, probe_opener *open, struct tracing *tracing);
/* Selects a program of fentry or fexit, and its function, in the kernel or in a module. */
int probe_function(const struct probe_object *o, struct bpf_program *prog, const char *function);
int probe_load(const struct probe_object *o);
/* Maps the values of a map until probe_close(). NULL with errno on failure. */
void *probe_map(struct probe_object *o, const struct bpf_map *map, size_t bytes, int prot);
/* Attaches one program to the tracepoint in its section, or to its function. NULL with errno on failure. */
struct bpf_link *probe_link(const struct bpf_program *prog);
/* Attaches all loaded programs. why: one line on failure. */
int probe_attach(struct probe_object *o, char *why, size_t whysize);
void probe_close(struct probe_object *o);

#endif
