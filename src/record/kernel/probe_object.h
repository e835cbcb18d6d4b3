/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_object.h: handles a BPF object of the recorder, from opening to detaching. Between these steps the caller sets
 * the constants of its skeleton, the sizes of its maps, and which programs are loaded (bpf_program__set_autoload()).
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

#define PROBE_MAPS 8 /* maximum number of mapped maps of one object */

/* A BPF object. If all fields are zero, it is not open. */
struct probe_object {
	void *skel; /* result of the opener: a struct NAME_bpf */
	struct bpf_object_skeleton *skeleton;
	struct bpf_object *obj;
	struct tracing *tracing;
	struct bpf_link **link; /* links that probe_attach() made */
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

/*
 * Opens the object. tracing has the kernel's types, which are parsed once for all objects. If tracing is NULL, libbpf
 * parses the types if it needs them.
 */
int probe_open(struct probe_object *o, probe_opener *open, struct tracing *tracing);
/* Sets the function of a fentry or fexit program, in the kernel or in a module, and selects the program for loading. */
int probe_function(const struct probe_object *o, struct bpf_program *prog, const char *function);
int probe_load(const struct probe_object *o);
/* Maps the values of a map until probe_close(). Returns NULL and sets errno on failure. */
void *probe_map(struct probe_object *o, const struct bpf_map *map, size_t bytes, int prot);
/* Attaches one program to the tracepoint in its section, or to its function. Returns NULL and sets errno on failure. */
struct bpf_link *probe_link(const struct bpf_program *prog);
/* Attaches all loaded programs. On failure, writes one line to why. */
int probe_attach(struct probe_object *o, char *why, size_t whysize);
/* Detaches all programs. probe_attach() attaches them again. */
void probe_detach(struct probe_object *o);
void probe_close(struct probe_object *o);

#endif
