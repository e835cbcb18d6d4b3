/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracing.h: gives libbpf the offsets of struct members, and the ids of tracepoints and functions that programs attach
 * to. libbpf would otherwise parse the whole kernel BTF to find these offsets and ids.
 *
 * Parsing the whole BTF takes longer than all other work before the first tick. Without tracing.c, btf_names.c and
 * core_types.c, a recording of one second would take 58 ms of CPU time instead of 24 ms (6.18). A recording of a minute
 * would take more than the limit, which is a third of perf's CPU time.
 *
 * libbpf loads the kernel's BTF for each program of type tracing, before it asks for ids. So programs of type tracing
 * are raw tracepoints to libbpf until they are loaded.
 */
#ifndef NETCOST_TRACING_H
#define NETCOST_TRACING_H

#include <stdint.h>

struct bpf_object;
struct bpf_program;
struct btf_names;
struct tracing;

/*
 * Registers handlers that load programs of tracepoints, functions and kprobes, until tracing_free(). Call it once per
 * process, because libbpf before 1.3 crashes when handlers are registered again. (That libbpf frees its list with the
 * last handler, and keeps the pointer to the list.) kernel must live as long as programs are loaded.
 */
int tracing_new(struct tracing **tp, const struct btf_names *kernel);
void tracing_free(struct tracing *t); /* call after all objects are closed; NULL is allowed */

/* Returns the path for bpf_object_open_opts.btf_custom_path. */
const char *tracing_path(const struct tracing *t);
/* Prepares the loading of an object. Call it when the object is open. */
int tracing_begin(struct tracing *t, const struct bpf_object *obj);
/*
 * Sets the function to which a fentry or fexit program is attached when it is loaded. The function is in the kernel or
 * in a module.
 */
int tracing_function(struct tracing *t, struct bpf_program *prog, const char *function);

/*
 * Returns the kernel's id of a struct that the object's programs use. Returns 0 if the kernel has no struct, or several
 * structs, of that name.
 */
uint32_t tracing_struct(const struct tracing *t, const char *name);

#endif
