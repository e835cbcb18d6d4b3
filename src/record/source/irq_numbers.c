// SPDX-License-Identifier: BSD-2-Clause
#include "irq_numbers.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "record/base/procfs.h"

#define PATH 384

/*
 * Calls found() for each interrupt of a PCI device. If the device has MSI interrupts, there is a file for each MSI
 * interrupt. Otherwise the device has one interrupt. Sets *any if the device has interrupts.
 */
static int each_of_device(const char *device, irq_number_fn *found, void *ctx, bool *any)
{
	char path[PATH];
	struct dirent *d;
	uint64_t number;
	DIR *dir;
	int err = 0;

	snprintf(path, sizeof(path), "%.350s/msi_irqs", device);
	dir = opendir(path);
	if (!dir) {
		snprintf(path, sizeof(path), "%.350s/irq", device);
		number = procfs_uint(path, 0);
		*any = number && number <= UINT32_MAX;
		return *any ? found(ctx, (uint32_t)number) : 0;
	}
	while (!err && (d = readdir(dir))) {
		const char *name = d->d_name;

		if (!procfs_number(&name, 10, &number) || *name || number > UINT32_MAX)
			continue;
		err = found(ctx, (uint32_t)number);
		*any = true;
	}
	closedir(dir);
	return err;
}

int irq_numbers_of(const char *net, const char *name, irq_number_fn *found, void *ctx, bool *any)
{
	char path[PATH];
	int err;

	*any = false;
	snprintf(path, sizeof(path), "%.200s/%.60s/device", net, name);
	if (access(path, F_OK)) /* most interfaces of a host with containers have no device */
		return 0;
	err = each_of_device(path, found, ctx, any);
	if (err || *any)
		return err;
	/* with virtio, the parent device has the interrupts */
	snprintf(path, sizeof(path), "%.200s/%.60s/device/..", net, name);
	return each_of_device(path, found, ctx, any);
}

int irq_numbers(const char *net, irq_number_fn *found, void *ctx, bool *any)
{
	DIR *dir = opendir(net);
	struct dirent *d;
	bool one;
	int err = 0;

	*any = false;
	while (dir && !err && (d = readdir(dir)))
		if (d->d_name[0] != '.') {
			err = irq_numbers_of(net, d->d_name, found, ctx, &one);
			*any |= one;
		}
	if (dir)
		closedir(dir);
	return err;
}

static int one_is_enough(void *ctx, uint32_t number)
{
	(void)ctx, (void)number;
	return 1;
}

bool irq_numbers_any(const char *net)
{
	bool any;

	irq_numbers(net, one_is_enough, NULL, &any);
	return any;
}
