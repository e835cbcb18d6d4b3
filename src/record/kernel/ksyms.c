// SPDX-License-Identifier: BSD-2-Clause
#include "ksyms.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <netcost/array.h>

#include "bpf/symbolize.h"
#include "bpf/symbolize.skel.h" /* made by bpftool from bpf/symbolize.bpf.c, in build/ */
#include "probe_object.h"

#define BPF_PREFIX "bpf_prog_" /* JIT programs have no module in %pS; /proc/kallsyms says [bpf] */

struct function {
	struct kallsym sym;
	char text[]; /* its strings */
};

struct module {
	const char *name; /* a function's */
	uint64_t base;
};

struct ksyms {
	struct probe_object probe;
	struct symbolize_bpf *skel;
	uint64_t stext;
	struct place {
		uint64_t addr, size;
		struct function *function;
	} * place; /* in order of address; they do not overlap */
	size_t n, room;
	struct module *module;
	size_t nmodules, modules_room;
};

/* ---- where the kernel's text begins ------------------------------------------------------- */

/* Older kernels list the per-CPU variables before it. Not there, or zero: addresses are hidden. */
static int find_stext(const char *path, uint64_t *stext)
{
	FILE *f = fopen(path, "re");
	char line[768], name[512], type;
	unsigned long long at;

	*stext = 0;
	if (!f)
		return -errno;
	while (!*stext && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %c %511s", &at, &type, name) == 3 && !strcmp(name, "_stext"))
			*stext = at;
	fclose(f);
	return *stext ? 0 : -EPERM;
}

/* ---- one address -------------------------------------------------------------------------- */

bool ksyms_parse(char *text, uint64_t ip, struct kallsym *sym, uint64_t *size)
{
	char *plus = strchr(text, '+'), *slash, *bracket, *end;
	uint64_t offset;

	if (!plus || plus == text)
		return false; /* "0xffff…": no function */
	offset = strtoull(plus + 1, &slash, 16);
	if (slash == plus + 1 || *slash != '/' || offset > ip)
		return false;
	*size = strtoull(slash + 1, &bracket, 16);
	if (offset >= *size)
		return false;
	*plus = '\0';
	*sym = (struct kallsym){ .addr = ip - offset, .name = text, .module = "" };
	bracket = strchr(bracket, '[');
	end = bracket ? strchr(bracket, ']') : NULL;
	if (end) {
		*end = '\0';
		sym->module = bracket + 1;
	} else if (!strncmp(text, BPF_PREFIX, strlen(BPF_PREFIX))) {
		sym->module = "bpf";
	}
	return true;
}

static struct function *copy(const struct kallsym *sym)
{
	size_t name = strlen(sym->name) + 1, module = strlen(sym->module) + 1;
	struct function *f = malloc(sizeof(*f) + name + module);

	if (!f)
		return NULL;
	memcpy(f->text, sym->name, name);
	memcpy(f->text + name, sym->module, module);
	f->sym = (struct kallsym){ .addr = sym->addr, .name = f->text, .module = f->text + name };
	return f;
}

static bool know_module(struct ksyms *k, const struct kallsym *sym)
{
	for (size_t i = 0; i < k->nmodules; i++)
		if (!strcmp(k->module[i].name, sym->module))
			return true;
	if (array_reserve(&k->module, &k->modules_room, k->nmodules + 1, sizeof(*k->module)))
		return false;
	k->module[k->nmodules++] = (struct module){ sym->module, sym->addr };
	return true;
}

/* A function that was there before is gone, with its module: it keeps its place, because its strings are in use. */
static struct kallsym *insert(struct ksyms *k, const struct kallsym *sym, uint64_t size)
{
	size_t at = addresses_up_to(k->place, k->n, sizeof(*k->place), sym->addr);
	struct function *f;

	if (array_reserve(&k->place, &k->room, k->n + 1, sizeof(*k->place)))
		return NULL;
	f = copy(sym);
	if (!f || !know_module(k, &f->sym)) {
		free(f);
		return NULL;
	}
	memmove(k->place + at + 1, k->place + at, (k->n - at) * sizeof(*k->place));
	k->place[at] = (struct place){ sym->addr, size, f };
	k->n++;
	return &f->sym;
}

static struct kallsym *ask(struct ksyms *k, uint64_t ip)
{
	struct netcost_symbolize *shared = &k->skel->bss->symbolize;
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	struct kallsym sym;
	uint64_t size;

	shared->address = ip;
	if (bpf_prog_test_run_opts(bpf_program__fd(k->skel->progs.symbolize_one), &opts) ||
	    (int)opts.retval <= 0 || opts.retval > sizeof(shared->text) ||
	    !ksyms_parse(shared->text, ip, &sym, &size))
		return NULL;
	return insert(k, &sym, size);
}

struct kallsym *ksyms_find(struct ksyms *k, uint64_t ip)
{
	size_t at = addresses_up_to(k->place, k->n, sizeof(*k->place), ip);

	if (at && ip - k->place[at - 1].addr < k->place[at - 1].size)
		return &k->place[at - 1].function->sym;
	return ask(k, ip);
}

uint64_t ksyms_base(const struct ksyms *k, const struct kallsym *sym)
{
	for (size_t i = 0; *sym->module && i < k->nmodules; i++)
		if (!strcmp(k->module[i].name, sym->module))
			return k->module[i].base;
	return k->stext;
}

/* ---- all ---------------------------------------------------------------------------------- */

PROBE_OPENER(symbolize)

/* It has to know the one address that we know. */
static int ksyms_load(struct ksyms *k)
{
	int err = probe_open(&k->probe, symbolize_open, NULL);

	if (!err)
		err = probe_load(&k->probe);
	k->skel = k->probe.skel;
	return err || ksyms_find(k, k->stext) ? err : -ENOTSUP;
}

int ksyms_new(struct ksyms **kp, const char *kallsyms)
{
	struct ksyms *k = calloc(1, sizeof(*k));
	int err;

	*kp = NULL;
	if (!k)
		return -ENOMEM;
	err = find_stext(kallsyms, &k->stext);
	if (!err)
		err = ksyms_load(k);
	if (err) {
		ksyms_free(k);
		return err;
	}
	*kp = k;
	return 0;
}

void ksyms_forget_ids(struct ksyms *k)
{
	for (size_t i = 0; i < k->n; i++)
		k->place[i].function->sym.id = 0;
}

void ksyms_free(struct ksyms *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++)
		free(k->place[i].function);
	free(k->place);
	free(k->module);
	probe_close(&k->probe);
	free(k);
}
