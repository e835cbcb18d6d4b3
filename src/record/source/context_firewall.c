// SPDX-License-Identifier: BSD-2-Clause
/* Reads the numbers of firewall rules and of tracked connections in the recorder's own network namespace. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter_ipv4/ip_tables.h>
#include <linux/netfilter_ipv6/ip6_tables.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <netcost/reasons.h>

#include "context_rows.h"
#include "record/base/netlink.h"
#include "record/base/procfs.h"

#define RULES_MAX 5000 /* maximum number of rules; the kernel takes about 2 us to list one */

/* ---- nftables ---------------------------------------------------------------------------- */

static bool has_line(const char *path, const char *text)
{
	FILE *f = fopen(path, "re");
	char line[256];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, text);
	if (f)
		fclose(f);
	return found;
}

enum module { MODULE_THERE, MODULE_NOT_THERE, MODULE_UNKNOWN };

/* Returns the state of the nftables module, which is checked first because a query would load the module. */
static enum module nftables_module(void)
{
	char builtin[160];
	struct utsname u;

	uname(&u);
	snprintf(builtin, sizeof(builtin), "/lib/modules/%.100s/modules.builtin", u.release);
	if (access("/proc/modules", F_OK) || !access("/sys/module/nf_tables", F_OK) ||
	    has_line(builtin, "/nf_tables.ko"))
		return MODULE_THERE;
	return access(builtin, R_OK) ? MODULE_UNKNOWN : MODULE_NOT_THERE;
}

static bool count_rule(void *ctx, const struct nlmsghdr *m)
{
	uint64_t *n = ctx;

	(void)m;
	return ++*n <= RULES_MAX;
}

static void nftables(struct context_rows *r)
{
	const struct nfgenmsg all = { .nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0 };
	enum module module = nftables_module();
	uint64_t n = 0;
	int err = 0;

	if (module == MODULE_UNKNOWN) {
		context_add(r, "nftables", "rules", "", reason_not_loaded_for_it);
		return;
	}
	if (module == MODULE_THERE)
		err = netlink_list(NETLINK_NETFILTER, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_GETRULE,
				   &all, sizeof(all), count_rule, &n);
	if (err)
		context_refused(r, "nftables", "rules", err);
	else if (n > RULES_MAX)
		context_value(r, "nftables", "rules", "over 5000");
	else
		context_number(r, "nftables", "rules", n);
}

/* ---- legacy iptables --------------------------------------------------------------------- */

static const struct family {
	const char *subject, *names;
	int family, level, option;
} families[] = {
	{ "iptables", "/proc/net/ip_tables_names", AF_INET, IPPROTO_IP, IPT_SO_GET_INFO },
	{ "ip6tables", "/proc/net/ip6_tables_names", AF_INET6, IPPROTO_IPV6, IP6T_SO_GET_INFO },
};

/*
 * Counts the rules of a table. Both families answer in the same format. Even an empty table has entries: the ends of
 * its chains.
 */
static void table(struct context_rows *r, const struct family *f, int fd, const char *name)
{
	struct ipt_getinfo info = { 0 };
	socklen_t len = sizeof(info);
	char row[XT_TABLE_MAXNAMELEN + 16];

	snprintf(row, sizeof(row), "%.*s entries", XT_TABLE_MAXNAMELEN - 1, name);
	snprintf(info.name, sizeof(info.name), "%.*s", XT_TABLE_MAXNAMELEN - 1, name);
	if (getsockopt(fd, f->level, f->option, &info, &len))
		context_refused(r, f->subject, row, errno);
	else
		context_number(r, f->subject, row, info.num_entries);
}

/*
 * Counts the rules of a family's existing tables, which the file lists. The file is absent if there has never been a
 * table.
 */
static void iptables(struct context_rows *r, const struct family *f)
{
	FILE *names = fopen(f->names, "re");
	char line[64];
	int fd;

	if (!names) {
		context_refused(r, f->subject, "tables", errno);
		return;
	}
	fd = socket(f->family, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
	if (fd < 0)
		context_refused(r, f->subject, "tables", errno);
	while (fd >= 0 && fgets(line, sizeof(line), names)) {
		line[strcspn(line, "\n")] = '\0';
		table(r, f, fd, line);
	}
	fclose(names);
	if (fd >= 0)
		close(fd);
}

/* ---- connections ------------------------------------------------------------------------- */

/* Adds the number of connections, but only its order of magnitude, because the number changes constantly. */
static void connections(struct context_rows *r)
{
	uint64_t n = procfs_uint("/proc/sys/net/netfilter/nf_conntrack_count", UINT64_MAX);
	uint64_t under = 10;
	char text[40];

	if (n == UINT64_MAX)
		return;
	while (under <= n)
		under *= 10;
	snprintf(text, sizeof(text), "under %" PRIu64, under);
	context_value(r, "net.netfilter", "connections", text);
}

void context_firewall(struct context_rows *r)
{
	nftables(r);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		iptables(r, &families[i]);
	connections(r);
}
