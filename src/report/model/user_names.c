// SPDX-License-Identifier: BSD-2-Clause
#include "user_names.h"

#include <stddef.h>

#ifdef NETCOST_LIBDW

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/idmap.h>

#include "report/base/confine.h"

#define PATH_SIZE 4096
#define MAX_BUILD_ID 128 /* digits */
/* memory per function: an array element and an allocation, without the name */
#define FUNCTION_BYTES 96
/* Limits for all modules together, because a trace may have any number of modules with any names. */
#define MAX_SEARCHES 4096
#define MAX_OPENED 512
#define MAX_FUNCTIONS (1u << 21)
#define MAX_NAME 512 /* longer names are cut */
/* Limits of the process that reads a file. */
#define READER_SECONDS 20 /* of CPU time */
#define READER_BYTES (256u << 20)
#define SYSTEM_FOLDERS "/usr/lib64:/usr/lib:/lib64:/lib:/usr/local/lib"

/* A function of a file. */
struct function {
	uint64_t begin, end;
	char *name;
};

/* The functions of all files with a build-id, sorted by address. */
struct module {
	char build_id[MAX_BUILD_ID + 1];
	struct function *function;
	size_t n, size;
};

struct user_names {
	struct budget *budget;
	struct idmap by_build_id; /* index + 1, by the hash of a build-id */
	struct module *module;
	size_t n, size;
	size_t opened, functions; /* in all modules */
	uint64_t bytes;		  /* charged to the budget */
	bool spent;		  /* names were left out because memory was short */
};

/* Finds nothing: libdw must not ask debuginfod's servers, so all files are opened in this source file. */
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

	if (n <= 0 || strlen(build_id) != 2 * (size_t)n)
		return false;
	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%02x", bits[i]);
		if (strncmp(build_id + 2 * i, text, 2))
			return false;
	}
	return true;
}

/* ---- the process that reads a file: a file of the right name or build-id may have any content ---------- */

/* A function as the reader writes it. The name of the function follows. */
struct written {
	uint64_t begin, end, len;
};

/*
 * Limits the resources and rights of a process that reads a file, which may be malformed or compressed. Memory that the
 * report has already mapped does not count.
 */
static void limit_reader(void)
{
	const struct rlimit none = { 0 }, time = { READER_SECONDS, READER_SECONDS };
	FILE *statm = fopen("/proc/self/statm", "re");
	uint64_t pages = 0;

	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_CPU, &time);
	if (statm && fscanf(statm, "%*u %*u %*u %*u %*u %" SCNu64, &pages) == 1) {
		rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + READER_BYTES;

		setrlimit(RLIMIT_DATA, &(struct rlimit){ bytes, bytes });
	}
	if (statm)
		fclose(statm);
	confine(0);
}

/* Writes the functions of a file. dwfl's own search by address is linear. */
static void write_functions(FILE *to, Dwfl_Module *file)
{
	GElf_Addr bias, address;
	int count = dwfl_module_getelf(file, &bias) ? dwfl_module_getsymtab(file) : 0;

	for (int i = 1; i < count && !ferror(to); i++) {
		GElf_Sym sym;
		const char *name =
			dwfl_module_getsym_info(file, i, &sym, &address, NULL, NULL, NULL);
		unsigned int type = GELF_ST_TYPE(sym.st_info);
		struct written w = { address - bias, address - bias + sym.st_size, 0 };

		if (!name || !*name || !sym.st_size || !sym.st_shndx ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC))
			continue;
		w.len = strnlen(name, MAX_NAME);
		fwrite(&w, sizeof(w), 1, to);
		fwrite(name, w.len, 1, to);
	}
}

/* Returns the exit status: 0 if the file has the build-id and all of its functions are written. */
static int read_file(int fd, const char *path, const char *build_id, int out)
{
	FILE *to = fdopen(out, "w");
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *file;

	if (!to || !dwfl)
		return 1;
	dwfl_report_begin(dwfl);
	file = dwfl_report_offline(dwfl, path, path, fd);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!file || !has_build_id(file, build_id))
		return 1;
	write_functions(to, file);
	return fflush(to) != 0;
}

/* ---- functions --------------------------------------------------------------------------- */

/* Names use at most half of the memory limit, because other data has precedence. */
static bool take(struct user_names *n, uint64_t bytes)
{
	uint64_t most = n->budget->limit / 2;

	if (n->spent || bytes > most || n->budget->used > most - bytes) {
		n->spent = true;
		return false;
	}
	n->bytes += bytes;
	return !budget_take(n->budget, bytes);
}

static void free_modules(struct user_names *n)
{
	for (size_t i = 0; i < n->n; i++) {
		for (size_t k = 0; k < n->module[i].n; k++)
			free(n->module[i].function[k].name);
		free(n->module[i].function);
	}
	idmap_free(&n->by_build_id);
	free(n->module);
	n->module = NULL;
	n->n = n->size = 0;
}

/* Frees all names if the budget is spent, because a report without names is better than no report. */
static void shed(void *ctx)
{
	struct user_names *n = ctx;

	free_modules(n);
	n->budget->used -= n->bytes;
	n->bytes = 0;
	n->spent = true;
}

static bool get(FILE *from, void *data, size_t size)
{
	size_t n = 0;

	while ((n += fread((char *)data + n, 1, size - n, from)) < size) {
		if (!ferror(from) || errno != EINTR)
			return false;
		clearerr(from);
	}
	return true;
}

/* Adds a function from the reader. Returns false at the end, or if there is no room for more. */
static bool add_function(struct user_names *n, struct module *m, FILE *from)
{
	char name[MAX_NAME + 1] = "", *copy;
	struct written w;

	if (!get(from, &w, sizeof(w)) || w.len > MAX_NAME || !get(from, name, w.len) ||
	    n->functions == MAX_FUNCTIONS || !take(n, FUNCTION_BYTES + w.len) ||
	    array_reserve(&m->function, &m->size, m->n + 1, sizeof(*m->function)) ||
	    !(copy = strdup(name)))
		return false;
	n->functions++;
	m->function[m->n++] = (struct function){ w.begin, w.end, copy };
	return true;
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

/* Adds the functions of a file if it has the module's build-id. Returns false if there is no such file. */
static bool add_file(struct user_names *n, struct module *m, const char *path)
{
	int fd = n->opened < MAX_OPENED ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) :
					  -1;
	int ends[2] = { -1, -1 }, status = 1;
	size_t had = m->n;
	FILE *from = NULL;
	struct stat st;
	pid_t pid = -1;

	if (fd < 0)
		return false;
	n->opened++;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !pipe2(ends, O_CLOEXEC))
		pid = fork();
	if (!pid) {
		/* otherwise the child would not notice that the parent stopped reading */
		close(ends[0]);
		limit_reader();
		_exit(read_file(fd, path, m->build_id, ends[1]));
	}
	close(fd);
	if (ends[1] >= 0)
		close(ends[1]);
	if (pid > 0)
		from = fdopen(ends[0], "r");
	while (from && add_function(n, m, from))
		;
	if (from)
		fclose(from);
	else if (ends[0] >= 0)
		close(ends[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return m->n > had || !status;
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
			   const char *file)
{
	char path[PATH_SIZE];

	for (size_t len; folders && *folders; folders += len + (folders[len] == ':')) {
		len = strcspn(folders, ":");
		if (len &&
		    snprintf(path, sizeof(path), "%.*s/%s", (int)len, folders, file) < PATH_SIZE &&
		    add_file(n, m, path))
			return true;
	}
	return false;
}

/* Searches the folders of Debian's libraries, whose names depend on the architecture. */
static void search_multiarch(struct user_names *n, struct module *m, const char *file)
{
	glob_t found = { 0 };

	if (!glob("/usr/lib/*-linux-*", GLOB_ONLYDIR, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (search_folders(n, m, found.gl_pathv[i], file))
				break;
	globfree(&found);
}

/* The file name and the build-id come from a trace, which may be hostile, so neither may lead to another folder. */
static void search(struct user_names *n, struct module *m, const char *file)
{
	char cache[PATH_SIZE - 256], path[PATH_SIZE];
	const char *build_id = m->build_id;

	debuginfod_folder(cache, sizeof(cache));
	snprintf(path, sizeof(path), "%s/%s/debuginfo", cache, build_id);
	add_file(n, m, path);
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", build_id,
		 build_id + 2);
	add_file(n, m, path);
	snprintf(path, sizeof(path), "%s/%s/executable", cache, build_id);
	if (add_file(n, m, path) || !*file || strchr(file, '/'))
		return;
	if (!search_folders(n, m, getenv("LD_LIBRARY_PATH"), file) &&
	    !search_folders(n, m, getenv("PATH"), file) &&
	    !search_folders(n, m, ".:" SYSTEM_FOLDERS, file))
		search_multiarch(n, m, file);
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

/* Returns the module with a build-id, or NULL. Each build-id is searched for only once. */
static struct module *find_module(struct user_names *n, const char *file, const char *build_id)
{
	size_t len = strlen(build_id);
	uint64_t hash = 0xcbf29ce484222325;
	struct module *m;
	uint32_t i;

	if (len < 4 || len > MAX_BUILD_ID || build_id[strspn(build_id, "0123456789abcdef")])
		return NULL;
	for (size_t k = 0; k < len; k++)
		hash = (hash ^ (uint8_t)build_id[k]) * 0x100000001b3;
	i = idmap_get(&n->by_build_id, hash);
	if (i)
		return strcmp(n->module[i - 1].build_id, build_id) ? NULL : &n->module[i - 1];
	if (n->n == MAX_SEARCHES || !take(n, 2 * sizeof(*m)) ||
	    array_reserve(&n->module, &n->size, n->n + 1, sizeof(*m)) ||
	    idmap_set(&n->by_build_id, hash, (uint32_t)n->n + 1))
		return NULL;
	m = &n->module[n->n++];
	*m = (struct module){ 0 };
	memcpy(m->build_id, build_id, len);
	search(n, m, file);
	if (m->n)
		qsort(m->function, m->n, sizeof(*m->function), by_address);
	return m;
}

const char *user_names_missing(const struct user_names *n)
{
	if (n && n->spent)
		return "the limit of --memory left no room for more names";
	return "no symbols were found for the build-id (debuginfod-find debuginfo BUILD-ID fetches them)";
}

const char *user_names_find(struct user_names **np, struct budget *budget, const char *file,
			    const char *build_id, uint64_t address)
{
	struct user_names *n = *np ? *np : (*np = calloc(1, sizeof(*n)));
	const struct module *m;

	if (!n)
		return NULL;
	if (!n->budget) {
		n->budget = budget;
		budget->shed = shed;
		budget->shed_ctx = n;
	}
	m = find_module(n, file, build_id);
	return m ? name_at(m, address) : NULL;
}

void user_names_free(struct user_names *n)
{
	if (n)
		free_modules(n);
	free(n);
}

#else

const char *user_names_missing(const struct user_names *n)
{
	(void)n;
	return "this netcost-report was built without libdw (elfutils)";
}

const char *user_names_find(struct user_names **np, struct budget *budget, const char *file,
			    const char *build_id, uint64_t address)
{
	(void)np, (void)budget, (void)file, (void)build_id, (void)address;
	return NULL;
}

void user_names_free(struct user_names *n)
{
	(void)n;
}

#endif
