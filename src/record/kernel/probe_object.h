/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_object.h: a BPF object of the recorder, from opening it to detaching it. What is set in between, the constants of
 * its skeleton and sizes of maps, and which of its programs are loaded (bpf_program__set_autoload()), is the caller's. All
 * return 0 or -errno; whatever failed, probe_close() gives back all of it, and the object can be opened again.
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

#define PROBE_MAPS 8 /* that are mapped, at most */

/* Zeroed: not open. */
struct probe_object {
	void *skel; /* of its own type: what the opener returned */
	struct bpf_object_skeleton *skeleton;
	struct bpf_object *obj;
	struct tracing *tracing;
	struct bpf_link **link; /* of probe_attach() */
	size_t nlinks, room;
	struct {
		void *at;
		size_t bytes;
	} mapped[PROBE_MAPS];
	size_t nmapped;
};

/* Of the object whose skeleton bpftool called NAME_bpf: NAME_open(), for probe_open(). */
typedef void *probe_opener(const struct bpf_object_open_opts *opts);
#define PROBE_OPENER(name)                                                                         \
	static void *name##_open(const struct bpf_object_open_opts *opts)                          \
	{                                                                                          \
		return name##_bpf__open_opts(opts);                                                \
	}

/* tracing: has the kernel's types, which are parsed once for all objects. NULL: libbpf parses them, if need be. */
int probe_open(struct probe_object *o, probe_opener *open, struct tracing *tracing);
/* Loads a program of fentry or fexit, too: for that function of the kernel or of a module. */
int probe_function(const struct probe_object *o, struct bpf_program *prog, const char *function);
int probe_load(const struct probe_object *o);
/* A map's values, which can be mapped, until probe_close(). NULL with errno. */
void *probe_map(struct probe_object *o, const struct bpf_map *map, size_t bytes, int prot);
/* One program, to the tracepoint of its section, or to the function that it was given. NULL with errno. */
struct bpf_link *probe_link(const struct bpf_program *prog);
/* All programs that were loaded. On failure, one line in why. */
int probe_attach(struct probe_object *o, char *why, size_t whysize);
void probe_close(struct probe_object *o);

#endif
