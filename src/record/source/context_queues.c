// SPDX-License-Identifier: BSD-2-Clause
/* Finds where an interface's packets are processed: its queues, NAPI and interrupts, from sysfs and /proc/irq. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "context_rows.h"
#include "record/base/procfs.h"

#define PATH 256
#define QUEUES 1024
#define IRQS 1024

/* ---- CPUs -------------------------------------------------------------------------------- */

/* Appends a range of CPUs. */
static void add_cpus(char *dst, size_t size, unsigned int first, unsigned int last)
{
	text_append(dst, size, ",", first < last ? "%u-%u" : "%u", first, last);
}

static bool mask_has(const char *digits, size_t n, unsigned int cpu)
{
	char c = cpu / 4 < n ? digits[n - 1 - cpu / 4] : '0';
	unsigned int digit = isdigit((unsigned char)c) ? (unsigned int)(c - '0') :
							 (unsigned int)(tolower(c) - 'a') + 10;

	return digit >> cpu % 4 & 1;
}

void context_list_cpus(char *dst, size_t size, const char *mask)
{
	char digits[CONTEXT_VALUE];
	size_t n = 0;

	for (; *mask && n < sizeof(digits); mask++)
		if (isxdigit((unsigned char)*mask))
			digits[n++] = *mask;
	dst[0] = '\0';
	for (unsigned int cpu = 0; cpu < 4 * n; cpu++) {
		unsigned int first = cpu;

		while (mask_has(digits, n, cpu))
			cpu++;
		if (cpu > first)
			add_cpus(dst, size, first, cpu - 1);
	}
	if (!dst[0])
		snprintf(dst, size, "none");
}

static void cpus_file(struct context_rows *r, const char *subject, const char *name, int dir,
		      const char *path)
{
	char mask[CONTEXT_VALUE], list[CONTEXT_VALUE];
	int err = procfs_text_at(dir, path, mask, sizeof(mask));

	if (err) {
		context_refused(r, subject, name, err);
		return;
	}
	context_list_cpus(list, sizeof(list), mask);
	context_value(r, subject, name, list);
}

/* ---- queues ------------------------------------------------------------------------------ */

typedef void read_fn(struct context_rows *r, const char *subject, const char *name, int dir,
		     const char *path);

static const struct {
	const char *kind, *name;
	read_fn *read;
} queue_files[] = {
	{ "rx", "rps_cpus", cpus_file },
	{ "rx", "rps_flow_cnt", context_file },
	{ "tx", "xps_cpus", cpus_file },
};

static bool queue(struct context_rows *r, const char *interface, int dir, const char *kind,
		  unsigned int i)
{
	char subject[CONTEXT_SUBJECT], folder[32], path[64];

	snprintf(subject, sizeof(subject), "interface %s %s-%u", interface, kind, i);
	snprintf(folder, sizeof(folder), "queues/%s-%u", kind, i);
	if (faccessat(dir, folder, F_OK, 0))
		return false;
	for (size_t f = 0; f < sizeof(queue_files) / sizeof(*queue_files); f++) {
		if (strcmp(queue_files[f].kind, kind))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, queue_files[f].name);
		queue_files[f].read(r, subject, queue_files[f].name, dir, path);
	}
	return true;
}

static void queues(struct context_rows *r, const char *interface, int dir, const char *kind)
{
	unsigned int i = 0;

	while (i < QUEUES && queue(r, interface, dir, kind, i))
		i++;
}

/* ---- interrupts -------------------------------------------------------------------------- */

static void irq(struct context_rows *r, const char *interface, unsigned int number)
{
	static const char *const names[] = { "smp_affinity_list", "effective_affinity_list" };
	char subject[CONTEXT_SUBJECT], path[64];

	snprintf(subject, sizeof(subject), "interface %s irq-%u", interface, number);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "/proc/irq/%u/%s", number, names[i]);
		context_file(r, subject, names[i], AT_FDCWD, path);
	}
}

static int by_number(const void *pa, const void *pb)
{
	unsigned int a = *(const unsigned int *)pa, b = *(const unsigned int *)pb;

	return (a > b) - (a < b);
}

/* Lists a device's message signalled interrupts, which are the file names in a folder. */
static size_t list_irqs(int device, const char *folder, unsigned int *irqs)
{
	int fd = openat(device, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	size_t n = 0;

	while (dir && n < IRQS && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			irqs[n++] = (unsigned int)strtoul(d->d_name, NULL, 10);
	if (dir)
		closedir(dir);
	qsort(irqs, n, sizeof(*irqs), by_number);
	return n;
}

static bool is_virtio(int dir)
{
	char target[PATH];
	ssize_t n = readlinkat(dir, "device/subsystem", target, sizeof(target) - 1);

	target[n > 0 ? n : 0] = '\0';
	return strrchr(target, '/') && !strcmp(strrchr(target, '/'), "/virtio");
}

/* Adds the interrupts. A virtio device is inside a PCI device, which has the interrupts. */
static void irqs(struct context_rows *r, const char *interface, int dir)
{
	const char *folder = is_virtio(dir) ? "device/../msi_irqs" : "device/msi_irqs";
	unsigned int number[IRQS];
	char line[32];
	size_t n = list_irqs(dir, folder, number);

	for (size_t i = 0; i < n; i++)
		irq(r, interface, number[i]);
	if (!n && !procfs_text_at(dir, "device/irq", line, sizeof(line)) && atoi(line) > 0)
		irq(r, interface, (unsigned int)atoi(line));
}

/* ---- all settings of an interface -------------------------------------------------------- */

/*
 * Returns true if sysfs shows this interface. sysfs shows the interfaces of the namespace in which it was mounted, so
 * another interface may have the same name.
 */
static bool is_shown(const struct context_link *l, int dir)
{
	char text[3 * sizeof(l->address) + 1] = "", shown[sizeof(text)];

	if (procfs_text_at(dir, "ifindex", shown, sizeof(shown)) || atoi(shown) != l->index)
		return false;
	for (size_t i = 0; i < l->address_n; i++)
		snprintf(text + (i ? 3 * i - 1 : 0), 4, i ? ":%02x" : "%02x", l->address[i]);
	return !procfs_text_at(dir, "address", shown, sizeof(shown)) && !strcmp(text, shown);
}

static void read_shown(struct context_rows *r, const char *interface, const char *subject, int dir)
{
	static const char *const files[] = { "threaded", "napi_defer_hard_irqs",
					     "gro_flush_timeout", "device/numa_node" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		const char *base = strrchr(files[i], '/');

		context_file(r, subject, base ? base + 1 : files[i], dir, files[i]);
	}
	queues(r, interface, dir, "rx");
	queues(r, interface, dir, "tx");
	irqs(r, interface, dir);
}

void context_queues(struct context_rows *r, const struct context_link *l)
{
	char subject[CONTEXT_SUBJECT], path[PATH];
	int dir;

	snprintf(subject, sizeof(subject), "interface %s", l->name);
	snprintf(path, sizeof(path), "/sys/class/net/%s", l->name);
	dir = procfs_folder(path);
	if (is_shown(l, dir))
		read_shown(r, l->name, subject, dir);
	else
		context_add(r, subject, "queues", "", reason_other_sysfs);
	if (dir >= 0)
		close(dir);
}
