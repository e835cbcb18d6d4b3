// SPDX-License-Identifier: BSD-2-Clause
#include "user_names.h"

#include <stddef.h>

#ifdef NETCOST_LIBDW

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/array.h>

#define PATH_SIZE 4096
#define MAX_MODULES (1u << 16) /* more than a recorder writes */
#define SYSTEM_FOLDERS "/usr/lib64:/usr/lib:/lib64:/lib:/usr/local/lib"

/* A function of a file. */
struct function {
	uint64_t begin, end;
	const char *name;
};

/* The functions of a module, sorted by address. */
struct module {
	bool searched;
	struct function *function;
	size_t n, size;
};

struct user_names {
	Dwfl *dwfl;
	struct module *module; /* by id */
	size_t size;
};

/* All files are opened here, because libdw would ask debuginfod's servers. */
static int find_nothing(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)mod, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc,
		(void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_nothing,
	.section_address = dwfl_offline_section_address,
};

static bool has_build_id(Dwfl_Module *file, const char *build_id)
{
	const unsigned char *bits;
	GElf_Addr at, bias;
	int n = dwfl_module_getelf(file, &bias) ? dwfl_module_build_id(file, &bits, &at) : 0;
	char text[3];

	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%02x", bits[i]);
		if (strncmp(build_id + 2 * i, text, 2))
			return false;
	}
	return n > 0 && strlen(build_id) == 2 * (size_t)n;
}

/* Adds the functions of a file. dwfl's own search is linear. */
static void add_functions(struct module *m, Dwfl_Module *file)
{
	GElf_Addr bias, address;
	int n = dwfl_module_getelf(file, &bias) ? dwfl_module_getsymtab(file) : 0;

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		const char *name =
			dwfl_module_getsym_info(file, i, &sym, &address, NULL, NULL, NULL);
		unsigned int type = GELF_ST_TYPE(sym.st_info);

		if (!name || !*name || !sym.st_size || !sym.st_shndx ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC))
			continue;
		if (array_reserve(&m->function, &m->size, m->n + 1, sizeof(*m->function)))
			return;
		address -= bias;
		m->function[m->n++] = (struct function){ address, address + sym.st_size, name };
	}
}

/* Of several names of a function, the one with the fewest underscores comes last. */
static int by_address(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;
	size_t ua = strspn(a->name, "_"), ub = strspn(b->name, "_");

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return ua != ub ? (ua < ub ? 1 : -1) : strcmp(a->name, b->name);
}

/* Opens a file if it has the build-id. Returns false if there is no such file. */
static bool add_file(struct user_names *n, struct module *m, const char *path, const char *build_id)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	Dwfl_Module *file = NULL;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		dwfl_report_begin_add(n->dwfl);
		file = dwfl_report_offline(n->dwfl, path, path, fd);
		dwfl_report_end(n->dwfl, NULL, NULL);
	}
	if (!file)
		close(fd);
	if (!file || !has_build_id(file, build_id))
		return false;
	add_functions(m, file);
	return true;
}

static void debuginfod_folder(char *path, size_t size)
{
	const char *cache = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (cache && *cache)
		snprintf(path, size, "%s", cache);
	else if (xdg && *xdg)
		snprintf(path, size, "%s/debuginfod_client", xdg);
	else
		snprintf(path, size, "%s/.cache/debuginfod_client", home ? home : "");
}

/* Searches folders, which are separated by colons, for a program or library. */
static bool search_folders(struct user_names *n, struct module *m, const char *folders,
			   const char *file, const char *build_id)
{
	char path[PATH_SIZE];

	for (size_t len; folders && *folders; folders += len + (folders[len] == ':')) {
		len = strcspn(folders, ":");
		if (len &&
		    snprintf(path, sizeof(path), "%.*s/%s", (int)len, folders, file) < PATH_SIZE &&
		    add_file(n, m, path, build_id))
			return true;
	}
	return false;
}

/* Searches the folders of Debian's libraries, whose names depend on the architecture. */
static void search_multiarch(struct user_names *n, struct module *m, const char *file,
			     const char *build_id)
{
	glob_t found = { 0 };

	if (!glob("/usr/lib/*-linux-*", GLOB_ONLYDIR, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (search_folders(n, m, found.gl_pathv[i], file, build_id))
				break;
	globfree(&found);
}

/* The names come from a trace, which may be hostile: neither of them may lead to another folder. */
static void search(struct user_names *n, struct module *m, const char *file, const char *build_id)
{
	char cache[PATH_SIZE - 256], path[PATH_SIZE];
	size_t len = strlen(build_id);

	m->searched = true;
	if (len < 4 || len > 128 || build_id[strspn(build_id, "0123456789abcdef")])
		return;
	debuginfod_folder(cache, sizeof(cache));
	snprintf(path, sizeof(path), "%s/%s/debuginfo", cache, build_id);
	add_file(n, m, path, build_id);
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", build_id,
		 build_id + 2);
	add_file(n, m, path, build_id);
	snprintf(path, sizeof(path), "%s/%s/executable", cache, build_id);
	if (add_file(n, m, path, build_id) || !*file || strchr(file, '/'))
		return;
	if (!search_folders(n, m, getenv("LD_LIBRARY_PATH"), file, build_id) &&
	    !search_folders(n, m, getenv("PATH"), file, build_id) &&
	    !search_folders(n, m, ".:" SYSTEM_FOLDERS, file, build_id))
		search_multiarch(n, m, file, build_id);
}

static const char *name_at(const struct module *m, uint64_t address)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (address >= m->function[mid].begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && address < m->function[lo - 1].end ? m->function[lo - 1].name : NULL;
}

const char *user_names_find(struct user_names **np, uint32_t module, const char *file,
			    const char *build_id, uint64_t address)
{
	struct user_names *n = *np ? *np : (*np = calloc(1, sizeof(*n)));
	size_t had = n ? n->size : 0;
	struct module *m;

	if (!n || module >= MAX_MODULES || (!n->dwfl && !(n->dwfl = dwfl_begin(&callbacks))) ||
	    array_reserve(&n->module, &n->size, module + (size_t)1, sizeof(*n->module)))
		return NULL;
	memset(n->module + had, 0, (n->size - had) * sizeof(*n->module));
	m = &n->module[module];
	if (!m->searched) {
		search(n, m, file, build_id);
		if (m->n)
			qsort(m->function, m->n, sizeof(*m->function), by_address);
	}
	return name_at(m, address);
}

void user_names_free(struct user_names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->size; i++)
		free(n->module[i].function);
	dwfl_end(n->dwfl);
	free(n->module);
	free(n);
}

#else

const char *user_names_find(struct user_names **np, uint32_t module, const char *file,
			    const char *build_id, uint64_t address)
{
	(void)np, (void)module, (void)file, (void)build_id, (void)address;
	return NULL;
}

void user_names_free(struct user_names *n)
{
	(void)n;
}

#endif
