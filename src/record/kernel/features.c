// SPDX-License-Identifier: BSD-2-Clause
#include "features.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h> /* bpf_prog_load, bpf_raw_tracepoint_open */

#include <netcost/reasons.h>

#include "btf_names.h"
#include "kallsyms.h"
#include "record/base/perf_event.h"
#include "record/base/procfs.h"

/* A function for testing attachment. It exists in every kernel with BPF trampolines, and nothing but tests calls it. */
#define HARMLESS_FUNCTION "bpf_fentry_test1"

static const struct bpf_insn do_nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

const char *rung_name(enum rung r)
{
	static const char *const names[RUNG_COUNT] = {
		[RUNG_FENTRY] = "fentry",
		[RUNG_KPROBE] = "kprobe",
		[RUNG_TRACEPOINT] = "tracepoint",
		[RUNG_SAMPLES] = "samples",
	};

	return names[r];
}

/* ---- fentry ------------------------------------------------------------------------------ */

/*
 * Loads a program for a function. The kernel then checks that the function exists and that programs may be attached to
 * it. btf_fd is a descriptor of a module's BTF, or 0 for the kernel's own BTF. id is the function's id in that BTF.
 */
static int load_fentry_of(int btf_fd, uint32_t id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY,
		    .attach_btf_obj_fd = (__u32)btf_fd, .attach_btf_id = id);

	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "probe", "GPL", do_nothing, 2, &opts);
}

static int load_fentry(const struct features *f, const char *function)
{
	uint32_t id = btf_names_func(f->names, function);

	return id ? load_fentry_of(0, id) : -ENOENT;
}

/* Returns a descriptor of the BTF of a loaded module, or -ENOENT. */
static int module_btf(const char *module)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		char name[64] = "";
		struct bpf_btf_info info = { .name = (uintptr_t)name, .name_len = sizeof(name) };
		__u32 len = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf &&
		    !strcmp(name, module))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

/* Loads a program for a module's function. */
static int load_fentry_module(struct features *f, const char *module, const char *function)
{
	int fd = module_btf(module), prog = -ENOENT;
	struct btf_names *names = NULL;
	uint32_t id = 0;

	if (fd >= 0 && !btf_names_open(&names, f->names, module))
		id = btf_names_func(names, function);
	if (id)
		prog = load_fentry_of(fd, id);
	if (fd >= 0)
		close(fd);
	btf_names_close(names);
	return prog;
}

static int fentry_usable(const struct features *f, char *why)
{
	int prog = load_fentry(f, HARMLESS_FUNCTION), link, err;

	if (prog < 0) {
		snprintf(why, FEATURES_WHY, reason_refused_loading, -prog);
		return prog;
	}
	link = bpf_raw_tracepoint_open(NULL, prog);
	err = link < 0 ? -errno : 0;
	if (err)
		snprintf(why, FEATURES_WHY, reason_refused_attaching_as, -err);
	else
		close(link);
	close(prog);
	return err;
}

/* ---- kprobe ------------------------------------------------------------------------------ */

static int kprobe_usable(const struct features *f, char *why)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (__u32)procfs_uint("/sys/bus/event_source/devices/kprobe/type", 0),
		.kprobe_func = (uintptr_t)HARMLESS_FUNCTION,
	};
	int fd;

	(void)f;
	if (!attr.type) {
		snprintf(why, FEATURES_WHY, reason_no_kprobes);
		return -ENOENT;
	}
	fd = perf_event_open(&attr, 0);
	if (fd < 0) {
		snprintf(why, FEATURES_WHY, reason_refused, -fd);
		return fd;
	}
	close(fd);
	return 0;
}

/* ---- all methods ------------------------------------------------------------------------- */

static int (*const usable[RUNG_COUNT])(const struct features *f, char *why) = {
	[RUNG_FENTRY] = fentry_usable,
	[RUNG_KPROBE] = kprobe_usable,
};

/* Tests whether this process may load tracing programs at all. */
static int bpf_usable(char *why, size_t size)
{
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "probe", "GPL", do_nothing, 2, NULL);

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (fd == -EPERM || fd == -EACCES)
		snprintf(why, size, reason_not_allowed);
	else if (fd == -ENOSYS)
		snprintf(why, size, reason_no_bpf);
	else
		snprintf(why, size, reason_no_loading, -fd);
	return fd;
}

int features_open(struct features *f, struct btf_names **names,
		  char left_out[RUNG_COUNT][FEATURES_WHY], char *why, size_t whysize)
{
	int err = bpf_usable(why, whysize);

	*f = (struct features){ 0 };
	if (err)
		return err;
	err = *names ? 0 : btf_names_open(names, NULL, "vmlinux");
	if (err) {
		snprintf(why, whysize, reason_no_btf);
		return err;
	}
	f->names = *names;
	for (enum rung r = 0; r < RUNG_COUNT; r++) {
		if (left_out[r][0]) {
			f->usable[r] = -ECANCELED;
			memcpy(f->why[r], left_out[r], sizeof(f->why[r]));
		} else if (usable[r]) {
			f->usable[r] = usable[r](f, f->why[r]);
		}
	}
	return 0;
}

void features_close(struct features *f)
{
	kallsyms_free(f->symbols);
}

/* Looks for a function in the kernel, then in the module, if it is loaded. */
static int find_fentry(struct features *f, const char *function, const char *module)
{
	int prog = load_fentry(f, function);

	return prog == -ENOENT && module ? load_fentry_module(f, module, function) : prog;
}

static const struct kallsym *find_symbol(struct features *f, const char *function,
					 const char *module)
{
	const struct kallsym *sym;

	if (!f->symbols && kallsyms_read(&f->symbols, "/proc/kallsyms"))
		return NULL;
	sym = kallsyms_named(f->symbols, function, "");
	return sym || !module ? sym : kallsyms_named(f->symbols, function, module);
}

/*
 * Finds a function to attach to. With fentry, stores the function's name in BTF, without the compiler's suffix. With
 * kprobes, stores the name in kallsyms, with the suffix.
 */
bool features_target(struct features *f, enum rung rung, const char *function, const char *module,
		     char name[FEATURES_NAME])
{
	const struct kallsym *sym;
	int prog;

	if (rung == RUNG_FENTRY) {
		prog = find_fentry(f, function, module);
		if (prog < 0)
			return false;
		close(prog);
		snprintf(name, FEATURES_NAME, "%s", function);
		return true;
	}
	sym = find_symbol(f, function, module);
	if (!sym)
		return false;
	snprintf(name, FEATURES_NAME, "%s", sym->name);
	return true;
}
