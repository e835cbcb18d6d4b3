/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracing.h: gives libbpf what it would otherwise parse the whole kernel BTF for: the offsets of
 * struct members, and the ids of tracepoints and functions that programs attach to.
 *
 * That parsing takes longer than everything else before the first tick: without this, btf_names.c
 * and core_types.c a recording of one second takes 58 ms of CPU time instead of 24 (6.18), and one
 * of a minute takes more than a third of what perf needs, which is the limit.
 *
 * libbpf loads the kernel's BTF for each program of type tracing, before it asks for ids. So these
 * programs are raw tracepoints to libbpf until they are loaded.
 */
#ifndef NETCOST_TRACING_H
#define NETCOST_TRACING_H

#include <stdint.h>

struct bpf_object;
struct bpf_program;
struct btf_names;
struct tracing;

/*
 * Until tracing_free(), libbpf loads programs of tracepoints, functions and kprobes our way. Once
 * per process: libbpf before 1.3 crashes when handlers are registered again (it frees its list with
 * the last of them, and keeps the pointer). kernel: must live as long as programs are loaded.
 */
int tracing_new(struct tracing **tp, const struct btf_names *kernel);
void tracing_free(struct tracing *t); /* call after all objects are closed; NULL is allowed */

/* For bpf_object_open_opts.btf_custom_path. */
const char *tracing_path(const struct tracing *t);
/* Call when an object is open and will be loaded. */
int tracing_begin(struct tracing *t, const struct bpf_object *obj);
/* Sets the function, in the kernel or in a module, that a program of fentry or fexit attaches to when it is loaded. */
int tracing_function(struct tracing *t, struct bpf_program *prog, const char *function);

/* The kernel's id of a struct of the object's programs; 0: the kernel has none, or several of that name. */
uint32_t tracing_struct(const struct tracing *t, const char *name);

#endif
