// SPDX-License-Identifier: BSD-2-Clause
/* Reads the settings of an interface that ethtool(8) shows, under ethtool's names. */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "context_rows.h"

#define FEATURES_MAX 256 /* maximum number of features; Linux 6.12 has about 60 */

struct device {
	int fd;
	char subject[CONTEXT_SUBJECT];
	struct ifreq request;
};

/* Sends a request to the kernel. `data` begins with the command number. */
static int ask(struct device *d, void *data)
{
	d->request.ifr_data = data;
	return ioctl(d->fd, SIOCETHTOOL, &d->request) ? -errno : 0;
}

/* ---- features ---------------------------------------------------------------------------- */

/* The names that ethtool itself has for some features. */
static const struct {
	const char *kernel, *ethtool;
} names[] = {
	{ "rx-checksum", "rx-checksumming" },
	{ "tx-generic-segmentation", "generic-segmentation-offload" },
	{ "rx-gro", "generic-receive-offload" },
	{ "rx-lro", "large-receive-offload" },
	{ "rx-vlan-hw-parse", "rx-vlan-offload" },
	{ "tx-vlan-hw-insert", "tx-vlan-offload" },
	{ "rx-ntuple-filter", "ntuple-filters" },
	{ "rx-hashing", "receive-hashing" },
};

static const char *ethtool_name(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].kernel, name))
			return names[i].ethtool;
	return name;
}

static uint32_t count_features(struct device *d)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t count;
	} info = { .head = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_FEATURES } };

	if (ask(d, &info) || !info.head.sset_mask)
		return 0;
	return info.count < FEATURES_MAX ? info.count : FEATURES_MAX;
}

struct features {
	struct ethtool_gfeatures head;
	struct ethtool_get_features_block block[FEATURES_MAX / 32];
};

/* Adds a feature. Skips features that are permanently off, because most features exist on few devices only. */
static void add_feature(struct context_rows *r, const struct device *d, const char *name,
			const struct ethtool_get_features_block *b, uint32_t bit)
{
	bool on = b->active & bit, can_change = b->available & bit && !(b->never_changed & bit);

	if (*name && (on || can_change))
		context_value(r, d->subject, ethtool_name(name), on ? "on" : "off");
}

static void features(struct context_rows *r, struct device *d)
{
	uint32_t n = count_features(d);
	struct ethtool_gstrings *strings =
		calloc(1, sizeof(*strings) + FEATURES_MAX * ETH_GSTRING_LEN);
	struct features f = { .head = { .cmd = ETHTOOL_GFEATURES, .size = FEATURES_MAX / 32 } };
	int err;

	if (!strings) {
		r->no_memory = true;
		return;
	}
	strings->cmd = ETHTOOL_GSTRINGS;
	strings->string_set = ETH_SS_FEATURES;
	strings->len = n;
	err = n ? ask(d, strings) : -EOPNOTSUPP;
	if (!err)
		err = ask(d, &f);
	if (err)
		context_refused(r, d->subject, "features", err);
	for (uint32_t i = 0; i < n && !err; i++) {
		char *name = (char *)strings->data + i * ETH_GSTRING_LEN;

		name[ETH_GSTRING_LEN - 1] = '\0';
		add_feature(r, d, name, &f.block[i / 32], UINT32_C(1) << i % 32);
	}
	free(strings);
}

/* ---- numbers ----------------------------------------------------------------------------- */

struct number {
	const char *name;
	size_t offset;
};

/* Adds numbers from a structure whose fields are all 32 bits wide. */
static void numbers(struct context_rows *r, struct device *d, const char *what, void *data,
		    const struct number *number, size_t n)
{
	int err = ask(d, data);

	if (err)
		context_refused(r, d->subject, what, err);
	for (size_t i = 0; i < n && !err; i++)
		context_number(r, d->subject, number[i].name,
			       *(const uint32_t *)((const char *)data + number[i].offset));
}

#define NUMBERS(r, d, what, data, array)                                                           \
	numbers(r, d, what, data, array, sizeof(array) / sizeof(*(array)))

static void rings(struct context_rows *r, struct device *d)
{
	static const struct number number[] = {
		{ "rx-ring", offsetof(struct ethtool_ringparam, rx_pending) },
		{ "tx-ring", offsetof(struct ethtool_ringparam, tx_pending) },
	};
	struct ethtool_ringparam data = { .cmd = ETHTOOL_GRINGPARAM };

	NUMBERS(r, d, "rings", &data, number);
}

static void coalescing(struct context_rows *r, struct device *d)
{
	static const struct number number[] = {
		{ "adaptive-rx", offsetof(struct ethtool_coalesce, use_adaptive_rx_coalesce) },
		{ "adaptive-tx", offsetof(struct ethtool_coalesce, use_adaptive_tx_coalesce) },
		{ "rx-usecs", offsetof(struct ethtool_coalesce, rx_coalesce_usecs) },
		{ "rx-frames", offsetof(struct ethtool_coalesce, rx_max_coalesced_frames) },
		{ "tx-usecs", offsetof(struct ethtool_coalesce, tx_coalesce_usecs) },
		{ "tx-frames", offsetof(struct ethtool_coalesce, tx_max_coalesced_frames) },
	};
	struct ethtool_coalesce data = { .cmd = ETHTOOL_GCOALESCE };

	NUMBERS(r, d, "coalescing", &data, number);
}

static void channels(struct context_rows *r, struct device *d)
{
	static const struct number number[] = {
		{ "rx-channels", offsetof(struct ethtool_channels, rx_count) },
		{ "tx-channels", offsetof(struct ethtool_channels, tx_count) },
		{ "combined-channels", offsetof(struct ethtool_channels, combined_count) },
	};
	struct ethtool_channels data = { .cmd = ETHTOOL_GCHANNELS };

	NUMBERS(r, d, "channels", &data, number);
}

/* ---- all settings of an interface -------------------------------------------------------- */

static void driver(struct context_rows *r, struct device *d)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	int err = ask(d, &info);

	info.driver[sizeof(info.driver) - 1] = '\0';
	if (err)
		context_refused(r, d->subject, "driver", err);
	else if (info.driver[0])
		context_value(r, d->subject, "driver", info.driver);
}

void context_ethtool(struct context_rows *r, const char *interface)
{
	struct device d = { .fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0) };

	snprintf(d.subject, sizeof(d.subject), "interface %s", interface);
	snprintf(d.request.ifr_name, sizeof(d.request.ifr_name), "%s", interface);
	if (d.fd < 0) {
		context_refused(r, d.subject, "features", errno);
		return;
	}
	driver(r, &d);
	features(r, &d);
	rings(r, &d);
	coalescing(r, &d);
	channels(r, &d);
	close(d.fd);
}
