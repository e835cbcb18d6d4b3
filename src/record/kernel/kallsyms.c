// SPDX-License-Identifier: BSD-2-Clause
#include "kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/base/procfs.h"

struct kallsyms {
	char *text; /* contents of the file; the names point into it */
	struct kallsym *sym;
	size_t n;
	uint64_t stext, etext;
	bool hidden;
};

static int read_text(struct kallsyms *k, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = procfs_reread(fd, &k->text, &size);
	close(fd);
	return n < 0 ? (int)n : 0;
}

static const char *parse_hex(const char *p, uint64_t *v)
{
	uint64_t x = 0;

	for (;; p++) {
		if (*p >= '0' && *p <= '9')
			x = x << 4 | (uint64_t)(*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			x = x << 4 | (uint64_t)(*p - 'a' + 10);
		else
			break;
	}
	*v = x;
	return p;
}

/*
 * Parses "ffffffff81000000 T name\t[module]\n" and splits it into strings. Returns false if the symbol is not a
 * function. __pfx_ marks the padding before a function (CALL_PADDING, Linux 6.2), which is never executed.
 */
static bool parse_line(char *line, struct kallsym *k)
{
	const char *p = parse_hex(line, &k->addr);
	char *rest, *end;

	if (p == line || p[0] != ' ' || !p[1] || p[2] != ' ')
		return false;
	k->name = p + 3;
	k->module = "";
	k->id = 0;
	if (!strchr("tTwW", p[1]) || !strncmp(k->name, "__pfx_", 6))
		/* half of the lines are not functions, so the rest of these lines is not parsed */
		return false;
	rest = strpbrk(k->name, "\t\r");
	if (rest) {
		*rest++ = '\0';
		if (*rest == '[' && (end = strchr(rest, ']'))) {
			*end = '\0';
			k->module = rest + 1;
		}
	}
	return true;
}

/*
 * Returns the rank of a name: a lower rank is better. Names with fewer underscores are better; __pi_ marks an alias for
 * code that runs before relocation.
 */
static unsigned int underscores(const char *name)
{
	return strncmp(name, "__pi_", 5) ? (unsigned int)strspn(name, "_") : 99;
}

/*
 * Compares by address. Among several names of one address the best name comes last, because kallsyms_find() finds the
 * last name.
 */
static int compare(const void *pa, const void *pb)
{
	const struct kallsym *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) > underscores(b->name) ? -1 : 1;
	return strcmp(b->name, a->name);
}

static size_t count_lines(const char *s)
{
	size_t n = 1;

	for (; (s = strchr(s, '\n')); s++)
		n++;
	return n;
}

size_t addresses_up_to(const void *row, size_t n, size_t size, uint64_t addr)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (*(const uint64_t *)((const char *)row + mid * size) <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Sorts the symbols from the position where the lowest unsorted symbol belongs. In the file, the kernel's own functions
 * are in order of address. Aliases, and the functions of modules and BPF programs that follow, are not in order. from:
 * the first symbol out of order.
 */
static void sort_from(struct kallsyms *k, size_t from)
{
	uint64_t least = k->sym[from].addr;
	size_t first;

	for (size_t i = from + 1; i < k->n; i++)
		if (k->sym[i].addr < least)
			least = k->sym[i].addr;
	first = least ? addresses_up_to(k->sym, from, sizeof(*k->sym), least - 1) : 0;
	qsort(k->sym + first, k->n - first, sizeof(*k->sym), compare);
}

/*
 * Moves the last symbol to its place among the names of its address. Does nothing if addresses are hidden, because then
 * all addresses are 0.
 */
static void sort_aliases(struct kallsyms *k)
{
	for (struct kallsym *s = &k->sym[k->n - 1];
	     s > k->sym && s->addr && s[-1].addr == s->addr && compare(s - 1, s) > 0; s--) {
		struct kallsym other = s[-1];

		s[-1] = *s;
		*s = other;
	}
}

static void parse(struct kallsyms *k)
{
	char *line = k->text, *next;
	size_t sorted = 0; /* number of symbols in order */

	k->hidden = true;
	for (; line && *line; line = next) {
		struct kallsym *sym = &k->sym[k->n];

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!parse_line(line, sym))
			continue;
		if (sym->addr)
			k->hidden = false;
		if (!strcmp(sym->name, "_stext"))
			k->stext = sym->addr;
		if (!strcmp(sym->name, "_etext"))
			k->etext = sym->addr;
		k->n++;
		sort_aliases(k);
		if (sorted == k->n - 1 && (!sorted || compare(sym - 1, sym) <= 0))
			sorted = k->n;
	}
	if (sorted < k->n && !k->hidden)
		sort_from(k, sorted);
}

int kallsyms_read(struct kallsyms **kp, const char *path)
{
	struct kallsyms *k = calloc(1, sizeof(*k));
	int err;

	*kp = NULL;
	if (!k)
		return -ENOMEM;
	err = read_text(k, path);
	if (!err) {
		k->sym = malloc(count_lines(k->text) * sizeof(*k->sym));
		err = k->sym ? 0 : -ENOMEM;
	}
	if (err) {
		kallsyms_free(k);
		return err;
	}
	parse(k);
	*kp = k;
	return 0;
}

void kallsyms_forget_ids(struct kallsyms *k)
{
	for (size_t i = 0; i < k->n; i++)
		k->sym[i].id = 0;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	free(k->text);
	free(k->sym);
	free(k);
}

bool kallsyms_hidden(const struct kallsyms *k)
{
	return k->hidden;
}

struct kallsym *kallsyms_find(const struct kallsyms *k, uint64_t ip)
{
	size_t n = addresses_up_to(k->sym, k->n, sizeof(*k->sym), ip);

	if (k->hidden || !n || (k->etext && k->sym[n - 1].addr == k->etext))
		return NULL;
	return &k->sym[n - 1];
}

const struct kallsym *kallsyms_named(const struct kallsyms *k, const char *name, const char *module)
{
	const struct kallsym *made = NULL;
	size_t len = strlen(name);

	for (size_t i = 0; i < k->n; i++) {
		const struct kallsym *s = &k->sym[i];

		if (strncmp(s->name, name, len) || strcmp(s->module, module))
			continue;
		if (!s->name[len])
			return s;
		if (!strncmp(s->name + len, ".isra.", 6) ||
		    !strncmp(s->name + len, ".constprop.", 11))
			made = s;
	}
	return made;
}

uint64_t kallsyms_base(const struct kallsyms *k, const struct kallsym *sym)
{
	if (!*sym->module && k->stext)
		return k->stext;
	for (size_t i = 0; i < k->n; i++)
		if (!strcmp(k->sym[i].module, sym->module))
			return k->sym[i].addr;
	return sym->addr;
}
