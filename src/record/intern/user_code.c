// SPDX-License-Identifier: BSD-2-Clause
#include "user_code.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/idmap.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"
#include "symbols.h"

/* Limits, because any user of the host decides how many processes and mappings there are. */
#define MAX_PROCESSES 512
#define MAX_MAPPINGS 2048
#define MAX_FILES 16384
#define MAX_HEADERS 64
#define MAX_NOTES 4096
#define MAX_PAGE 65536 /* bytes */
/* An address that was not found causes the mappings of its process to be read again, but only this often. */
#define REREAD_NS 200000000

struct mapping {
	uint64_t start, end;
	/*
	 * offset of `start` in the file, later replaced by the address of `start` in the file; UINT64_MAX: in no file
	 */
	uint64_t offset;
	uint32_t module;
};

struct process {
	uint32_t tgid;
	uint64_t read_ns;
	struct mapping *mapping; /* executable mappings, sorted by address */
	size_t n, size;
};

/* A mapped part of a file. It is kept so that the file is read only once. */
struct file {
	uint64_t device, inode, offset;
	uint64_t address; /* address of the part by the file's program headers, as in addr2line and symbol tables */
	uint32_t module;
};

struct user_code {
	struct symbols *symbols;
	struct idmap by_tgid; /* index in `process`, plus 1 */
	struct process *process;
	size_t nprocesses;
	struct idmap by_part; /* index in `file`, plus 1, by the hash of a part */
	struct file *file;
	size_t nfiles, files_size;
	char *text; /* buffer for a process's mappings */
	size_t text_size;
	uint32_t nowhere; /* the module of code that is in no file */
};

int user_code_new(struct user_code **up, struct symbols *symbols)
{
	struct user_code *u = calloc(1, sizeof(*u));

	*up = u;
	if (!u)
		return -ENOMEM;
	u->symbols = symbols;
	u->process = calloc(MAX_PROCESSES, sizeof(*u->process));
	u->nowhere = symbols_user_module(symbols, "", "");
	if (u->process && u->nowhere)
		return 0;
	user_code_free(u);
	*up = NULL;
	return -ENOMEM;
}

static void user_code_forget_all(struct user_code *u)
{
	for (size_t i = 0; i < u->nprocesses; i++)
		free(u->process[i].mapping);
	u->nprocesses = 0;
	idmap_free(&u->by_tgid);
}

void user_code_free(struct user_code *u)
{
	if (!u)
		return;
	user_code_forget_all(u);
	idmap_free(&u->by_part);
	free(u->process);
	free(u->file);
	free(u->text);
	free(u);
}

/* ---- build-ids --------------------------------------------------------------------------- */

/* Finds the build-id in notes, and writes it to dst in hexadecimal digits. */
static bool user_code_note(const char *notes, size_t len, char *dst, size_t size)
{
	size_t at = 0;

	while (len - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr h;
		uint64_t desc, next;

		memcpy(&h, notes + at, sizeof(h));
		desc = at + sizeof(h) + (h.n_namesz + UINT64_C(3)) / 4 * 4;
		next = desc + (h.n_descsz + UINT64_C(3)) / 4 * 4;
		if (desc + h.n_descsz > len)
			return false;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(notes + at + sizeof(h), "GNU", 4) && h.n_descsz &&
		    h.n_descsz * 2 < size) {
			for (size_t i = 0; i < h.n_descsz; i++)
				snprintf(dst + 2 * i, 3, "%02x", (uint8_t)notes[desc + i]);
			return true;
		}
		if (next > len)
			return false;
		at = next;
	}
	return false;
}

/*
 * Reads the build-id of an open file, or "" if it has none. *at is an offset in the file, and is replaced by the
 * address of that part of the file if the address is known. The file may have any content.
 */
static void user_code_elf(int fd, char *dst, size_t size, uint64_t *at)
{
	const uint64_t offset = *at;
	bool found = false;
	char notes[MAX_NOTES];
	Elf64_Ehdr e;

	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) || memcmp(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phentsize != sizeof(Elf64_Phdr))
		return;
	for (unsigned int i = 0; i < e.e_phnum && i < MAX_HEADERS; i++) {
		Elf64_Phdr p;
		ssize_t n;

		if (pread(fd, &p, sizeof(p), (off_t)(e.e_phoff + i * sizeof(p))) != sizeof(p))
			return;
		/* the mapping starts with the first page of the segment */
		if (!found && p.p_type == PT_LOAD && p.p_flags & PF_X &&
		    offset < p.p_offset + p.p_filesz && offset + MAX_PAGE > p.p_offset) {
			*at = offset - p.p_offset + p.p_vaddr;
			found = true;
		}
		if (p.p_type != PT_NOTE || *dst)
			continue;
		n = pread(fd, notes, p.p_filesz < MAX_NOTES ? p.p_filesz : MAX_NOTES,
			  (off_t)p.p_offset);
		if (n > 0)
			user_code_note(notes, (size_t)n, dst, size);
	}
}

/* ---- mappings ---------------------------------------------------------------------------- */

/*
 * Opens the file of a mapping. Prefers the kernel's link to the mapped file, because the path may now lead to another
 * file.
 */
static int user_code_open(uint32_t tgid, const struct mapping *m, uint64_t inode, const char *path)
{
	char name[4200];
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64, tgid,
		 m->start, m->end);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		snprintf(name, sizeof(name), "/proc/%" PRIu32 "/root%s", tgid, path);
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_ino != inode)) {
		close(fd);
		return -1;
	}
	return fd;
}

static uint64_t user_code_hash(const struct file *f)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);

	return (f->device * odd + f->inode) * odd + f->offset;
}

static const struct file *user_code_part(const struct user_code *u, const struct file *f)
{
	uint32_t i = idmap_get(&u->by_part, user_code_hash(f));
	const struct file *known = i ? &u->file[i - 1] : NULL;

	return known && known->device == f->device && known->inode == f->inode &&
			       known->offset == f->offset ?
		       known :
		       NULL;
}

static int user_code_keep(struct user_code *u, const struct file *f)
{
	/* the entries may be dropped, because the mappings have copies */
	if (u->nfiles == MAX_FILES) {
		idmap_free(&u->by_part);
		u->nfiles = 0;
	}
	if (array_reserve(&u->file, &u->files_size, u->nfiles + 1, sizeof(*f)))
		return -ENOMEM;
	u->file[u->nfiles++] = *f;
	return idmap_set(&u->by_part, user_code_hash(f), (uint32_t)u->nfiles);
}

/* Finds the module of a mapping, and the address of the mapping in the file. Returns -ENOMEM if out of memory. */
static int user_code_module(struct user_code *u, uint32_t tgid, struct mapping *m, uint64_t device,
			    uint64_t inode, char *path)
{
	struct file f = { device, inode, m->offset, m->offset, 0 };
	char build_id[SYMBOLS_BUILD_ID] = "", *base = strrchr(path, '/');
	char *deleted = strstr(path, " (deleted)");
	const struct file *known;
	int fd;

	m->module = u->nowhere;
	m->offset = UINT64_MAX;
	if (*path == '[')
		m->module = symbols_user_module(u->symbols, path, "");
	if (*path != '/' || !inode)
		return m->module ? 0 : -ENOMEM;
	known = user_code_part(u, &f);
	if (known) {
		m->module = known->module;
		m->offset = known->address;
		return 0;
	}
	fd = user_code_open(tgid, m, inode, path);
	if (fd >= 0) {
		user_code_elf(fd, build_id, sizeof(build_id), &f.address);
		close(fd);
	}
	if (deleted && !deleted[strlen(" (deleted)")])
		*deleted = '\0';
	m->module = f.module = symbols_user_module(u->symbols, base + 1, build_id);
	m->offset = f.address;
	return f.module ? user_code_keep(u, &f) : -ENOMEM;
}

/* Adds a line of /proc/PID/maps: START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH. */
static int user_code_line(struct user_code *u, struct process *p, char *line)
{
	unsigned int major, minor;
	struct mapping m = { 0 };
	uint64_t inode;
	char perms[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &m.start,
		   &m.end, perms, &m.offset, &major, &minor, &inode, &at) != 7 ||
	    !at || perms[2] != 'x' || p->n == MAX_MAPPINGS)
		return 0;
	if (user_code_module(u, p->tgid, &m, (uint64_t)major << 32 | minor, inode, line + at) ||
	    array_reserve(&p->mapping, &p->size, p->n + 1, sizeof(m)))
		return -ENOMEM;
	p->mapping[p->n++] = m;
	return 0;
}

/* Reads the mappings of a process. If the process has ended, the known mappings are kept. */
static int user_code_read(struct user_code *u, struct process *p)
{
	char path[32], *line, *rest;
	ssize_t n;
	int fd, err = 0;

	p->read_ns = clock_ns(CLOCK_MONOTONIC);
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", p->tgid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = procfs_reread(fd, &u->text, &u->text_size);
	close(fd);
	if (n <= 0)
		return n == -ENOMEM ? -ENOMEM : 0;
	p->n = 0;
	for (line = strtok_r(u->text, "\n", &rest); line && !err;
	     line = strtok_r(NULL, "\n", &rest))
		err = user_code_line(u, p, line);
	return err;
}

static struct process *user_code_process(struct user_code *u, uint32_t tgid)
{
	size_t i = idmap_get(&u->by_tgid, tgid);
	struct process *p;

	if (i)
		return &u->process[i - 1];
	if (u->nprocesses == MAX_PROCESSES)
		user_code_forget_all(u);
	p = &u->process[u->nprocesses];
	*p = (struct process){ .tgid = tgid };
	if (idmap_set(&u->by_tgid, tgid, (uint32_t)++u->nprocesses))
		return NULL;
	return user_code_read(u, p) ? NULL : p;
}

static const struct mapping *user_code_find(const struct process *p, uint64_t ip)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ip >= p->mapping[mid].end)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->n && ip >= p->mapping[lo].start ? &p->mapping[lo] : NULL;
}

uint32_t user_code_symbol(struct user_code *u, uint32_t tgid, uint64_t ip, bool *mapped)
{
	struct process *p = user_code_process(u, tgid);
	const struct mapping *m;

	if (!p)
		return 0;
	m = p->read_ns ? user_code_find(p, ip) : NULL;
	if (!m && clock_ns(CLOCK_MONOTONIC) - p->read_ns > REREAD_NS) {
		if (user_code_read(u, p))
			return 0;
		m = user_code_find(p, ip);
	}
	*mapped = m;
	if (m && m->offset != UINT64_MAX)
		return symbols_user_id(u->symbols, m->module, ip - m->start + m->offset);
	/* for code in no file, an offset has no meaning in other processes */
	return symbols_user_id(u->symbols, m ? m->module : u->nowhere, 0);
}

void user_code_forget(struct user_code *u, uint32_t tgid, bool ended)
{
	uint32_t i = u ? idmap_get(&u->by_tgid, tgid) : 0;

	if (!i)
		return;
	u->process[i - 1].read_ns = 0;
	/* another CPU's ring may still have samples of a process that has ended */
	if (!ended)
		u->process[i - 1].n = 0;
}
