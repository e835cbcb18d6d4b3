/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_object.h: a BPF object of the recorder, from opening it to detaching it. Its skeleton, which bpftool made, and
 * what is set between these steps (its constants, sizes of maps) are the caller's. All return 0 or -errno; whatever
 * failed, probe_close() gives back all of it, and the object can be opened again, with less in it.
 *
 *	probe_open(&o, skeleton_of_it, tracing);
 *	probe_select(&o, wants, ctx);	 only these programs, and functions for those that need one: probe_function()
 *	probe_load(&o);
 *	map = probe_map(&o, skel->maps.counts, bytes, PROT_READ);
 *	probe_attach(&o, why, sizeof(why));
 *	probe_close(&o);
 */
#ifndef NETCOST_PROBE_OBJECT_H
#define NETCOST_PROBE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* NAME_bpf__open_opts() of one object. */
typedef void *probe_opener(const struct bpf_object_open_opts *opts);

/* tracing: gives the kernel's types, which are parsed once for all objects. NULL: libbpf parses them, if need be. */
int probe_open(struct probe_object *o, probe_opener *open, struct tracing *tracing);
/* Only the programs for which `wants` returns true are loaded, and attached. */
void probe_select(const struct probe_object *o,
		  bool (*wants)(const void *ctx, struct bpf_program *prog), const void *ctx);
/* Loads a program of fentry or fexit, for that function of the kernel or of a module. */
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
