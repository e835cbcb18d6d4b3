// SPDX-License-Identifier: BSD-2-Clause
#include "tracing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h> /* bpf_prog_load_opts */
#include <bpf/libbpf.h>

#include "bpf/wire.h"
#include "btf_names.h"
#include "core_types.h"

#define TRACEPOINT "tp_btf/" /* prefix of a section, before the tracepoint's name */
#define ITERATOR "iter/"     /* prefix of a section, before the iterator's name */
#define MAX_TARGETS (2 * (HOOK_COUNT + STAGE_HOOK_COUNT) + 5)

/*
 * Sections, and the program type that libbpf assumes for them. The type is correct for kprobes. Programs in the other
 * sections are of type tracing.
 */
static const struct {
	const char *name;
	enum bpf_prog_type type;
	enum bpf_attach_type attach;
} sections[] = {
	{ "tp_btf+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_RAW_TP },
	{ "fentry+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_FENTRY },
	{ "fexit+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_FEXIT },
	{ "iter+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_ITER },
	{ "kprobe+", BPF_PROG_TYPE_KPROBE, 0 },
	{ "kretprobe+", BPF_PROG_TYPE_KPROBE, 0 },
};

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

struct tracing {
	const struct btf_names *names;
	uint32_t cast; /* BTF id of bpf_rdonly_cast(); 0: the kernel lacks it */
	struct core_types *types;
	int file; /* file with `types` */
	char path[32];
	int handler[SECTIONS];
	size_t nhandlers;

	struct {
		const struct bpf_program *prog;
		uint32_t function;
	} target[MAX_TARGETS];
	size_t ntargets;
};

/* ---- loading a program -------------------------------------------------------------------- */

static uint32_t program_id(const struct tracing *t, const struct bpf_program *prog)
{
	const char *section = bpf_program__section_name(prog);
	char name[128];

	if (!strncmp(section, ITERATOR, strlen(ITERATOR))) {
		snprintf(name, sizeof(name), "bpf_iter_%s", section + strlen(ITERATOR));
		return btf_names_func(t->names, name);
	}
	if (strncmp(section, TRACEPOINT, strlen(TRACEPOINT)))
		return 0;
	return btf_names_tracepoint(t->names, section + strlen(TRACEPOINT));
}

static uint32_t target_id(const struct tracing *t, const struct bpf_program *prog)
{
	for (size_t i = 0; i < t->ntargets; i++)
		if (t->target[i].prog == prog)
			return t->target[i].function;
	return program_id(t, prog);
}

/*
 * Replaces calls of NETCOST_CALL_CAST by calls of bpf_rdonly_cast(). On a kernel without bpf_rdonly_cast(), programs
 * never reach these calls.
 */
static int link_casts(const struct tracing *t, struct bpf_program *prog)
{
	size_t n = bpf_program__insn_cnt(prog);
	struct bpf_insn *insns = malloc(n * sizeof(*insns));
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(prog), n * sizeof(*insns));
	for (size_t i = 0; i < n; i++) {
		if (insns[i].code != (BPF_JMP | BPF_CALL) || insns[i].src_reg ||
		    insns[i].imm != (int)NETCOST_CALL_CAST)
			continue;
		insns[i].src_reg = BPF_PSEUDO_KFUNC_CALL;
		insns[i].imm = (int)t->cast;
	}
	err = bpf_program__set_insns(prog, insns, n);
	free(insns);
	return err;
}

/* Changes the program's type to tracing, and sets its target. */
static int set_target(const struct tracing *t, struct bpf_program *prog,
		      struct bpf_prog_load_opts *opts)
{
	opts->attach_btf_id = target_id(t, prog);
	return opts->attach_btf_id ? bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING) : -ESRCH;
}

static int prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	const struct tracing *t = (const struct tracing *)cookie;
	int err = 0;

	if (bpf_program__type(prog) == BPF_PROG_TYPE_RAW_TRACEPOINT)
		err = set_target(t, prog, opts);
	return !err && t->cast ? link_casts(t, prog) : err;
}

/* ---- creation and release ----------------------------------------------------------------- */

static int register_all(struct tracing *t)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .cookie = (long)t,
		    .prog_prepare_load_fn = prepare);

	for (; t->nhandlers < SECTIONS; t->nhandlers++) {
		int id = libbpf_register_prog_handler(sections[t->nhandlers].name,
						      sections[t->nhandlers].type,
						      sections[t->nhandlers].attach, &opts);

		if (id < 0)
			return id;
		t->handler[t->nhandlers] = id;
	}
	return 0;
}

int tracing_new(struct tracing **tp, const struct btf_names *kernel)
{
	struct tracing *t = calloc(1, sizeof(*t));
	int err;

	*tp = NULL;
	if (!t)
		return -ENOMEM;
	t->names = kernel;
	t->cast = btf_names_func(kernel, "bpf_rdonly_cast");
	t->file = memfd_create("netcost-types", MFD_CLOEXEC);
	err = t->file < 0 ? -errno : register_all(t);
	if (err) {
		tracing_free(t);
		return err;
	}
	snprintf(t->path, sizeof(t->path), "/proc/self/fd/%d", t->file);
	*tp = t;
	return 0;
}

void tracing_free(struct tracing *t)
{
	if (!t)
		return;
	while (t->nhandlers)
		libbpf_unregister_prog_handler(t->handler[--t->nhandlers]);
	core_types_free(t->types);
	if (t->file >= 0)
		close(t->file);
	free(t);
}

const char *tracing_path(const struct tracing *t)
{
	return t->path;
}

int tracing_begin(struct tracing *t, const struct bpf_object *obj)
{
	int err;

	t->ntargets = 0;
	core_types_free(t->types);
	err = core_types_new(&t->types, t->names, bpf_object__btf(obj));
	if (!err && ftruncate(t->file, 0))
		err = -errno;
	return err ? err : core_types_write(t->types, t->file);
}

int tracing_function(struct tracing *t, struct bpf_program *prog, const char *function)
{
	uint32_t id = btf_names_func(t->names, function);

	if (id && t->ntargets < MAX_TARGETS) {
		t->target[t->ntargets].prog = prog;
		t->target[t->ntargets++].function = id;
		return 0;
	}
	/* libbpf itself finds functions of modules, and programs for modules use no casts */
	bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
	return bpf_program__set_attach_target(prog, 0, function);
}

uint32_t tracing_struct(const struct tracing *t, const char *name)
{
	return core_types_id(t->types, name);
}
